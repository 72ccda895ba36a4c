/* queue_input.c - a thread fills a queue while the main one takes batches of it. */
#include <pthread.h>
#include <stdio.h>

#include "weir/ops.h"
#include "weir/runner.h"

enum { NUMBERS = 100, BATCH = 8 };

typedef struct producer {
    TF_Graph *graph;
    TF_Session *session;
    TF_Output number;
    TF_Operation *put, *close;
    TF_Status *status;
} producer;

/* Puts in 0, 1, 2 ... and closes the queue. */
static void *produce(void *arg)
{
    producer *p = arg;
    for (int i = 0; i < NUMBERS && TF_GetCode(p->status) == TF_OK; i++) {
        TF_Tensor *value = weir_make_tensor(TF_FLOAT, 0, NULL, &(float){(float)i});
        TF_SessionRun(p->session, NULL, &p->number, &value, 1, NULL, NULL, 0,
                      (const TF_Operation *const *)&p->put, 1, NULL, p->status);
        TF_DeleteTensor(value);
    }
    if (TF_GetCode(p->status) == TF_OK)
        TF_SessionRun(p->session, NULL, NULL, NULL, 0, NULL, NULL, 0,
                      (const TF_Operation *const *)&p->close, 1, NULL, p->status);
    return NULL;
}

int main(void)
{
    producer p = {.graph = TF_NewGraph(), .status = TF_NewStatus()};
    weir_builder *b = weir_build_new(p.graph);
    const TF_DataType type = TF_FLOAT;
    const weir_dims scalar = {0};
    p.number = weir_build_placeholder(b, "number", TF_FLOAT, 0, NULL);
    TF_Output queue = weir_fifo_queue_v2(
        b, "queue", &type, 1,
        &(weir_fifo_queue_v2_options){.shapes = &scalar, .shapes_count = 1, .capacity = 20});
    p.put = weir_queue_enqueue_v2(b, "put", queue, &p.number, 1, NULL);
    p.close = weir_queue_close_v2(b, "close", queue, NULL);
    TF_Output n = weir_build_int32(b, "n", BATCH), axis = weir_build_int32(b, "axis", 0);
    weir_outputs batch = weir_queue_dequeue_up_to_v2(b, "take", queue, n, &type, 1, NULL);
    TF_Output sum = weir_sum(b, "sum", weir_output_at(batch, 0), axis, NULL);
    if (TF_GetCode(weir_build_status(b)) != TF_OK)
        return fprintf(stderr, "%s\n", TF_Message(weir_build_status(b))), 1;

    weir_runner *r = weir_runner_new(p.graph, NULL);
    p.session = weir_runner_session(r);
    pthread_t thread;
    pthread_create(&thread, NULL, produce, &p);
    double total = 0, batches = 0, value;
    while (value = weir_runner_number(r, sum), TF_GetCode(weir_runner_status(r)) == TF_OK) {
        total += value;
        batches++;
    }
    pthread_join(thread, NULL);
    if (TF_GetCode(weir_runner_status(r)) != TF_OUT_OF_RANGE) /* closed and empty is the end */
        return fprintf(stderr, "%s\n", TF_Message(weir_runner_status(r))), 1;
    printf("%g batches, sum %g\n", batches, total);

    weir_runner_delete(r);
    weir_build_delete(b);
    TF_DeleteGraph(p.graph);
    TF_DeleteStatus(p.status);
    return 0;
}
