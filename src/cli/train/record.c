/* cli/train/record.c - writes the training for TensorBoard. */
#include <stdio.h>

#include "cli/train/work_impl.h"

int work_events_open(work *work)
{
    if (!work->o->dir || !work->chief)
        return WEIR_EXIT_OK;
    work->events = weir_event_writer_new(work->o->dir, NULL, work->status);
    if (!work->events)
        return work_fail(work, "cannot write event files",
                         "--dir needs a folder that can be written.");
    weir_event_graph_of(work->events, weir_build_graph(weir_trainer_builder(work->t)));
    weir_event_session(work->events, weir_trainer_at(work->t), WEIR_EVENT_SESSION_START, NULL);
    return WEIR_EXIT_OK;
}

void work_events_step(work *work, const train_event *event)
{
    if (!work->events)
        return;
    weir_event_scalar(work->events, event->step, "loss", (float)event->loss);
    weir_event_scalar(work->events, event->step, "examples_per_second",
                      (float)event->examples_per_s);
}

/* The distribution of each variable's elements. */
static void add_histograms(work *work)
{
    TF_Graph *graph = weir_build_graph(weir_trainer_builder(work->t));
    TF_Status *status = TF_NewStatus();
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        TF_Output value = {op, 0};
        TF_Tensor *got = NULL;
        if (strcmp(TF_OperationOpType(op), "VariableV2") != 0 &&
            strcmp(TF_OperationOpType(op), "Variable") != 0)
            continue;
        TF_SessionRun(weir_trainer_session(work->t), NULL, NULL, NULL, 0, &value, &got, 1, NULL, 0,
                      NULL, status);
        if (TF_GetCode(status) != TF_OK)
            continue;
        weir_event_histogram(work->events, weir_trainer_at(work->t), TF_OperationName(op), got);
        TF_DeleteTensor(got);
    }
    TF_DeleteStatus(status);
}

void work_events_test(work *work, const train_event *event)
{
    if (!work->events)
        return;
    weir_event_scalar(work->events, event->step, "test_loss", (float)event->loss);
    if (event->accuracy >= 0)
        weir_event_scalar(work->events, event->step, "test_accuracy", (float)event->accuracy);
    if (work->o->summary)
        add_histograms(work);
    weir_event_writer_flush(work->events, work->status);
}

void work_events_close(work *work)
{
    if (!work->events)
        return;
    weir_event_session(work->events, weir_trainer_at(work->t), WEIR_EVENT_SESSION_STOP, NULL);
    weir_event_writer_close(work->events, work->status);
    if (TF_GetCode(work->status) != TF_OK)
        work_note(work, "the event file is not whole: %s", TF_Message(work->status));
    work->events = NULL;
}
