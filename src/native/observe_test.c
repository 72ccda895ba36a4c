/* native/observe_test.c - a program reads its own accounting data. */
#include "weir/observe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "weir/ops/data_flow.h"
#include "weir/runner.h"

typedef struct place {
    TF_Graph *graph;
    weir_builder *b;
    weir_runner *r;
    TF_Output taken;
    TF_Operation *put;
} place;

/* A queue; |taken| waits for an element from |put|. */
static place make_place(void)
{
    static const TF_DataType types[] = {TF_FLOAT};
    TF_Graph *graph = TF_NewGraph();
    place p = {.graph = graph, .b = weir_build_new(graph), .r = weir_runner_new(graph, NULL)};
    TF_Output queue = weir_fifo_queue_v2(p.b, "examples", types, 1, NULL);
    TF_Output one = weir_build_float(p.b, "one", 1);
    p.taken = (TF_Output){weir_queue_dequeue_v2(p.b, "take", queue, types, 1, NULL).oper, 0};
    p.put = weir_queue_enqueue_v2(p.b, "put", queue, &one, 1, NULL);
    return p;
}

static void end_place(place *p)
{
    weir_runner_delete(p->r);
    weir_build_delete(p->b);
    TF_DeleteGraph(p->graph);
}

/* Waits until a running step is seen to wait for the queue, then completes it. */
static void *put_when_awaited(void *arg)
{
    const place *p = arg;
    const TF_Operation *ops[] = {p->put};
    TF_Status *status = TF_NewStatus();
    for (bool awaited = false; !awaited; usleep(1000)) {
        char *json = weir_observe_in_flight();
        awaited = strstr(json, "\"for\":\"examples\"") != NULL;
        free(json);
    }
    TF_SessionRun(weir_runner_session(p->r), NULL, NULL, NULL, 0, NULL, NULL, 0, ops, 1, NULL,
                  status);
    CHECK_EQ(TF_GetCode(status), TF_OK);
    TF_DeleteStatus(status);
    return NULL;
}

/* The first step since |before| that waited; null: there is none. */
static const weir_observed_step *waiting_step(int64_t before, weir_observed_step *room)
{
    size_t count = weir_observe_steps(before, room, 8);
    for (size_t i = 0; i < count; i++)
        if (*room[i].waited_for)
            return &room[i];
    return NULL;
}

TEST(a_step_that_waits_for_a_queue_says_so)
{
    place p = make_place();
    pthread_t thread;
    weir_observed_step room[8];
    weir_observed_totals before = weir_observe_totals();
    CHECK_EQ(pthread_create(&thread, NULL, put_when_awaited, &p), 0);
    CHECK(weir_runner_number(p.r, p.taken) == 1);
    pthread_join(thread, NULL);
    weir_observed_totals after = weir_observe_totals();
    CHECK(after.steps == before.steps + 2 && after.failed == before.failed && !after.in_flight);
    const weir_observed_step *step = waiting_step(before.steps, room);
    CHECK(step && strcmp(step->waited_for, "examples") == 0 && step->time.resource_ns > 0);
    CHECK(step && step->waited_ns <= step->end_ns - step->start_ns);
    end_place(&p);
}

TEST(parts_of_a_step_add_up_to_its_time)
{
    weir_observed_step room[8];
    size_t count = weir_observe_steps(0, room, 8);
    CHECK(count >= 2);
    for (size_t i = 0; i < count; i++) {
        const weir_observed_time *time = &room[i].time;
        CHECK_EQ(time->compute_ns + time->receive_ns + time->resource_ns + time->other_ns +
                     time->send_ns + time->schedule_ns,
                 room[i].end_ns - room[i].start_ns);
    }
    CHECK_EQ(weir_observe_steps(room[count - 1].number, room, 8), 0);
}

TEST(waits_are_listed_with_the_op_that_made_what_was_waited_for)
{
    weir_observed_wait waits[64];
    weir_observed_peer peers[4];
    size_t count = weir_observe_waits(waits, 64);
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= strcmp(waits[i].waited_for, "examples") == 0 &&
                 strcmp(waits[i].op, "FIFOQueueV2") == 0 &&
                 strcmp(waits[i].kind, "resource") == 0 && waits[i].ns > 0;
    CHECK(found);
    CHECK_EQ(weir_observe_peers(peers, 4), 0); /* no other task has sent anything */
}

TEST(memory_host_and_counters_can_be_read)
{
    weir_observed_host host;
    weir_observed_memory memory = weir_observe_memory();
    CHECK(memory.peak_bytes >= memory.tensor_bytes && memory.tensor_bytes >= 0);
    while (!weir_observe_host(&host))
        usleep(1000);
    CHECK(host.ns > 0 && host.own_memory_bytes > 0 && host.cpu_seconds > 0);
    CHECK(weir_metric_value("weir_plan_fallbacks_total") >= 0 && weir_metric_value("none") == -1);
    int names = 0;
    for (; weir_metric_name(names); names++)
        CHECK(weir_metric_value(weir_metric_name(names)) >= 0);
    CHECK(names > 0 && !weir_metric_name(-1));
}

TEST_MAIN()
