/* session/function_test.c - functions of other tasks are registered without blocking other
 * calls. */
#include <time.h>

#include "graph/test_graph.h"
#include "session/remote.h"
#include "session/session.h"

/* ---- a task that registers a function once two calls have asked for it -------------------- */

struct weir_remote_function {
    int number;
};

static weir_mutex lock = WEIR_MUTEX_INIT;
static weir_cond came;
static int asked, open_functions;

static weir_status add(weir_remote_calls *calls, const weir_remote_body *body, weir_cancel *cancel,
                       weir_remote_function **out_function)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 20;
    weir_mutex_lock(&lock);
    asked++;
    open_functions++;
    weir_cond_broadcast(&came);
    while (asked < 2 && weir_cond_wait_until(&came, &lock, &limit)) {
    }
    weir_mutex_unlock(&lock);
    *out_function = WEIR_NEW(weir_remote_function);
    return WEIR_OK;
}

static void release(weir_remote_function *function)
{
    weir_mutex_lock(&lock);
    open_functions--;
    weir_mutex_unlock(&lock);
    weir_free(function);
}

static void call(weir_remote_function *function, weir_cancel *cancel, const weir_tensor *args,
                 int count, weir_function_done done, void *arg)
{
    weir_tensor ret = weir_tensor_share(&args[0]);
    done(arg, WEIR_OK, &ret, 1);
}

static const char PROGRAM[] =
    "node { name: 'there' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { key: "
    "'value' value { tensor { dtype: DT_STRING tensor_shape { } string_val: "
    "'/job:worker/replica:0/task:1/device:CPU:0' } } } }"
    "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }"
    "node { name: 'a' op: 'RemoteCall' input: 'there' input: 'x' attr { key: 'Tin' value { list { "
    "type: DT_FLOAT } } } attr { key: 'Tout' value { list { type: DT_FLOAT } } } attr { key: 'f' "
    "value { func { name: 'same' } } } }"
    "node { name: 'b' op: 'RemoteCall' input: 'there' input: 'x' attr { key: 'Tin' value { list { "
    "type: DT_FLOAT } } } attr { key: 'Tout' value { list { type: DT_FLOAT } } } attr { key: 'f' "
    "value { func { name: 'same' } } } }"
    "library { function { signature { name: 'same' input_arg { name: 'x' type: DT_FLOAT } "
    "output_arg { name: 'y' type: DT_FLOAT } } ret { key: 'y' value: 'x' } } }";

TEST(a_call_does_not_wait_for_the_registration_of_another)
{
    weir_cond_init(&came);
    weir_graph *graph = weir_graph_create(weir_catalogue());
    CHECK_OK(import_text(graph, PROGRAM, NULL, NULL));
    weir_remote_calls calls = {add, release, call};
    weir_mutex graph_lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(graph, &graph_lock,
                                 &(weir_session_options){.target = "",
                                                         .task = "/job:worker/replica:0/task:0",
                                                         .calls = &calls},
                                 &session));
    weir_shape scalar = WEIR_SCALAR;
    weir_tensor x = weir_tensor_from(WEIR_FLOAT, &scalar, (float[]){3}), got[2] = {0};
    weir_edge feed = {node_of(graph, "x"), 0};
    weir_edge fetches[] = {{node_of(graph, "a"), 0}, {node_of(graph, "b"), 0}};
    weir_request request = {
        .feeds = &feed, .feed_values = &x, .feed_count = 1, .fetches = fetches, .fetch_count = 2};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(weir_session_run(session, &request, got));
        CHECK_EQ(asked, 2); /* at once, and never again */
        CHECK_EQ(open_functions, 1);
        for (int k = 0; k < 2; k++) {
            CHECK(got[k].data && *(float *)got[k].data == 3);
            weir_tensor_release(&got[k]);
        }
    }
    weir_tensor_release(&x);
    weir_session_destroy(session);
    CHECK_EQ(open_functions, 0);
    weir_graph_destroy(graph);
}

TEST_MAIN()
