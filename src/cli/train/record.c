/* cli/train/record.c - the training as TensorBoard shows it. */
#include <stdio.h>

#include "cli/train/work_impl.h"

int work_events_open(work *w)
{
    if (!w->o->dir || !w->chief)
        return WEIR_EXIT_OK;
    w->events = weir_event_writer_new(w->o->dir, NULL, w->status);
    if (!w->events)
        return work_fail(w, "cannot write event files",
                         "--dir needs a folder that can be written.");
    weir_event_graph_of(w->events, weir_build_graph(weir_trainer_builder(w->t)));
    weir_event_session(w->events, weir_trainer_at(w->t), WEIR_EVENT_SESSION_START, NULL);
    return WEIR_EXIT_OK;
}

void work_events_step(work *w, const train_event *e)
{
    if (!w->events)
        return;
    weir_event_scalar(w->events, e->step, "loss", (float)e->loss);
    weir_event_scalar(w->events, e->step, "examples_per_second", (float)e->examples_per_s);
}

/* The distribution of each variable's elements. */
static void add_histograms(work *w)
{
    TF_Graph *graph = weir_build_graph(weir_trainer_builder(w->t));
    TF_Status *status = TF_NewStatus();
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        TF_Output value = {op, 0};
        TF_Tensor *got = NULL;
        if (strcmp(TF_OperationOpType(op), "VariableV2") != 0 &&
            strcmp(TF_OperationOpType(op), "Variable") != 0)
            continue;
        TF_SessionRun(weir_trainer_session(w->t), NULL, NULL, NULL, 0, &value, &got, 1, NULL, 0,
                      NULL, status);
        if (TF_GetCode(status) != TF_OK)
            continue;
        weir_event_histogram(w->events, weir_trainer_at(w->t), TF_OperationName(op), got);
        TF_DeleteTensor(got);
    }
    TF_DeleteStatus(status);
}

void work_events_test(work *w, const train_event *e)
{
    if (!w->events)
        return;
    weir_event_scalar(w->events, e->step, "test_loss", (float)e->loss);
    if (e->accuracy >= 0)
        weir_event_scalar(w->events, e->step, "test_accuracy", (float)e->accuracy);
    if (w->o->summary)
        add_histograms(w);
    weir_event_writer_flush(w->events, w->status);
}

void work_events_close(work *w)
{
    if (!w->events)
        return;
    weir_event_session(w->events, weir_trainer_at(w->t), WEIR_EVENT_SESSION_STOP, NULL);
    weir_event_writer_close(w->events, w->status);
    if (TF_GetCode(w->status) != TF_OK)
        work_note(w, "the event file is not whole: %s", TF_Message(w->status));
    w->events = NULL;
}
