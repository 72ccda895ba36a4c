/* dist/worker_test.c - WorkerService over the wire: answers, codes and flags. */
#include "dist/worker.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/test.h"
#include "dist/named_tensor.h"
#include "dist/recv_tensor.h"
#include "dist/server_impl.h"
#include "graph/graph.h"
#include "tensor/proto.h"
#include "wire/messages.h"

#define DEVICE "/job:w/replica:0/task:0/device:CPU:0"

static weir_server *server;
static weir_channel *channel;

static void start(void)
{
    weir_cluster *cluster = weir_cluster_create();
    CHECK_OK(weir_cluster_add(cluster, "w", 0, "localhost:0"));
    CHECK_OK(weir_cluster_seal(cluster, "w", 0));
    CHECK_OK(weir_server_start(&(weir_server_options){.cluster = cluster}, &server));
    weir_cluster_release(cluster);
    channel = weir_channel_open(weir_server_target(server) + strlen("grpc://"));
}

static void stop(void)
{
    weir_channel_release(channel);
    weir_server_destroy(server);
}

/* Calls a method with |request|, which is emptied; the answer's head is stored in |answer|. */
static weir_status call(const char *path, weir_buf *request, weir_buf *answer)
{
    weir_rpc_message message = {.head = *request}, out = {0};
    *request = (weir_buf){0};
    weir_channel_call channel_call = {.path = path, .request = &message, .timeout_ms = 20000};
    WEIR_TRY(weir_channel_wait(channel, &channel_call, &out));
    if (answer) {
        weir_buf_fini(answer);
        *answer = out.head;
        out.head = (weir_buf){0};
    }
    weir_rpc_message_fini(&out);
    return WEIR_OK;
}
#define METHOD(name) "/tensorflow.WorkerService/" name

static weir_status open_session(const char *handle, const char *master, int64_t incarnation)
{
    weir_buf bytes = {0};
    weir_msg_create_worker_session_request_write(
        &(weir_msg_create_worker_session_request){.session_handle = weir_str_of(handle),
                                                  .master_task = weir_str_of(master),
                                                  .master_incarnation = incarnation},
        &bytes);
    return call(METHOD("CreateWorkerSession"), &bytes, NULL);
}

static weir_status delete_session(const char *handle)
{
    weir_buf bytes = {0};
    weir_msg_delete_worker_session_request_write(
        &(weir_msg_delete_worker_session_request){.session_handle = weir_str_of(handle)}, &bytes);
    return call(METHOD("DeleteWorkerSession"), &bytes, NULL);
}

/* x -> Neg -> y between two keys of the client; |op| instead of Neg, |device| on every node. */
static void small_graph(const char *op, const char *device, weir_buf *out)
{
    weir_graph *graph = weir_graph_create(weir_catalogue());
    weir_node *recv, *neg, *send;
    weir_named_attr attrs[] = {weir_a_type("tensor_type", WEIR_FLOAT),
                               weir_a_str("tensor_name", "x:0"),
                               weir_a_str("send_device", DEVICE),
                               weir_a_int("send_device_incarnation", (int64_t)server->incarnation),
                               weir_a_str("recv_device", DEVICE),
                               weir_a_bool("client_terminated", true)};
    weir_node_spec spec = {
        .name = "x", .op = "_Recv", .attrs = attrs, .attr_count = 6, .device = device};
    CHECK_OK(weir_graph_add(graph, &spec, &recv));
    weir_edge in = {recv, 0};
    spec = (weir_node_spec){.name = "neg", .op = op, .in = &in, .in_count = 1, .device = device};
    CHECK_OK(weir_graph_add(graph, &spec, &neg));
    attrs[0] = weir_a_type("T", WEIR_FLOAT);
    attrs[1] = weir_a_str("tensor_name", "y:0");
    in.node = neg;
    spec = (weir_node_spec){.name = "y",
                            .op = "_Send",
                            .in = &in,
                            .in_count = 1,
                            .attrs = attrs,
                            .attr_count = 6,
                            .device = device};
    CHECK_OK(weir_graph_add(graph, &spec, &send));
    weir_graph_export(graph, out);
    weir_graph_destroy(graph);
}

static void put_register(const char *session, const weir_buf *graph, weir_buf *out)
{
    weir_msg_register_graph_request request = {.session_handle = weir_str_of(session),
                                               .graph_def = weir_view(graph),
                                               .create_worker_session_called = true};
    weir_msg_register_graph_request_write(&request, out);
}

static weir_status register_graph(const char *session, const weir_buf *graph, char handle[32])
{
    weir_buf request = {0};
    WEIR_BUF(answer);
    put_register(session, graph, &request);
    WEIR_TRY(call(METHOD("RegisterGraph"), &request, &answer));
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_register_graph_response response;
    CHECK_OK(weir_msg_register_graph_response_read(weir_view(&answer), &arena, &response));
    snprintf(handle, 32, "%.*s", WEIR_STR_ARG(response.graph_handle));
    return WEIR_OK;
}

static void key(const char *edge, uint64_t incarnation, weir_buf *out)
{
    weir_rendezvous_key(out, WEIR_STR(DEVICE), incarnation, WEIR_STR(DEVICE), weir_str_of(edge));
    weir_rendezvous_frame(out, 0, 0);
}

typedef struct graph_run {
    const char *session, *graph;
    int64_t step, request;
    const float *x; /* fed when not null */
    bool fetch, in_body, partial, last;
} graph_run;

static weir_status run_graph(const graph_run *run, weir_buf *answer)
{
    weir_buf bytes = {0};
    WEIR_BUF(x_key);
    WEIR_BUF(y_key);
    key("x:0", server->incarnation, &x_key);
    key("y:0", server->incarnation, &y_key);
    weir_str fetch = weir_view(&y_key);
    weir_msg_run_graph_request request = {.graph_handle = weir_str_of(run->graph),
                                          .step_id = run->step,
                                          .recv_key = {&fetch, run->fetch},
                                          .is_partial = run->partial,
                                          .is_last_partial_run = run->last,
                                          .session_handle = weir_str_of(run->session),
                                          .store_errors_in_response_body = run->in_body,
                                          .create_worker_session_called = true,
                                          .request_id = run->request};
    weir_msg_run_graph_request_write(&request, &bytes);
    if (run->x) {
        weir_tensor tensor = weir_tensor_scalar(WEIR_FLOAT, run->x);
        CHECK_OK(weir_named_tensor_put(&bytes, WEIR_FIELD_run_graph_request_send, weir_view(&x_key),
                                       &tensor));
        weir_tensor_release(&tensor);
    }
    return call(METHOD("RunGraph"), &bytes, answer);
}

/* The one value that a RunGraph answered with, and its body's status. */
static float read_answer(weir_buf *answer, int *out_code)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_graph_response response;
    float value = NAN;
    CHECK_OK(weir_msg_run_graph_response_read(weir_view(answer), &arena, &response));
    *out_code = response.status_code;
    if (response.recv.count) {
        weir_tensor tensor;
        CHECK_OK(weir_tensor_parse(response.recv.at[0].tensor, &tensor));
        value = *(float *)tensor.data;
        weir_tensor_release(&tensor);
    }
    return value;
}

TEST(status_tells_the_devices)
{
    start();
    weir_buf b = {0};
    WEIR_BUF(answer);
    CHECK_OK(call(METHOD("GetStatus"), &b, &answer));
    CHECK_EQ(answer.length, 78 - 5); /* the job's name is shorter than in TensorFlow's sample */
    CHECK(memcmp(answer.at,
                 "\x0a\x47\x0a\x24" DEVICE "\x12\x03"
                 "CPU\x20\x80\x80\x80\x80\x01\x2a\x00\x31",
                 54) == 0);
    stop();
}

TEST(sessions_open_once_and_go_with_their_master)
{
    start();
    WEIR_BUF(graph);
    char handle[32];
    small_graph("Neg", DEVICE, &graph);
    CHECK_FAILS(open_session("", "", 0), WEIR_INVALID_ARGUMENT, "session_handle");
    weir_status s = register_graph("s", &graph, handle);
    CHECK_EQ(weir_status_code(s), WEIR_ABORTED);
    CHECK(weir_status_is(s, WEIR_PEER_RESTARTED));
    CHECK(strstr(weir_status_message(s), "Session handle is not found: s"));
    weir_status_free(s);
    CHECK_OK(open_session("s", "/job:m/replica:0/task:0", 1));
    CHECK_OK(open_session("t", "/job:m/replica:0/task:0", 1));
    CHECK_OK(open_session("u", "/job:m/replica:0/task:1", 1));
    CHECK_OK(register_graph("s", &graph, handle));
    CHECK_STR(handle, "0000000000000001");
    CHECK_OK(register_graph("s", &graph, handle));
    CHECK_STR(handle, "0000000000000002");
    CHECK_OK(register_graph("t", &graph, handle));
    CHECK_STR(handle, "0000000000000001");
    CHECK_OK(open_session("v", "/job:m/replica:0/task:0", 2)); /* it was restarted */
    CHECK_FAILS(register_graph("s", &graph, handle), WEIR_ABORTED, "not found");
    CHECK_FAILS(register_graph("t", &graph, handle), WEIR_ABORTED, "not found");
    CHECK_OK(register_graph("u", &graph, handle));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(delete_session("u"));
    }
    CHECK_FAILS(register_graph("u", &graph, handle), WEIR_ABORTED, "not found");
    stop();
}

TEST(graphs_that_cannot_run_here_are_refused)
{
    start();
    static const struct {
        const char *device, *text;
    } bad[] = {{"", "neg"}, {"/job:w/task:0", "unknown device."}, {"/job:x" DEVICE, "unknown"}};
    char handle[32];
    CHECK_OK(open_session("s", "", 0));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        WEIR_BUF(graph);
        small_graph("Neg", bad[i].device, &graph);
        CHECK_FAILS(register_graph("s", &graph, handle), WEIR_INVALID_ARGUMENT,
                    i ? bad[i].text : "no device");
    }
    WEIR_BUF(graph);
    weir_buf_adds(&graph, "\x0a\x09\x0a\x01n\x12\x04None");
    CHECK_FAILS(register_graph("s", &graph, handle), WEIR_NOT_FOUND, "Op type not registered");
    stop();
}

TEST(values_of_the_client_come_and_go_with_the_call)
{
    start();
    WEIR_BUF(graph);
    WEIR_BUF(answer);
    char handle[32];
    int code;
    small_graph("Neg", DEVICE, &graph);
    CHECK_OK(open_session("s", "", 0));
    CHECK_OK(register_graph("s", &graph, handle));
    graph_run q = {.session = "s",
                   .graph = handle,
                   .step = 5,
                   .request = 77,
                   .x = &(float){2},
                   .fetch = true,
                   .in_body = true};
    CHECK_OK(run_graph(&q, &answer));
    CHECK_NEAR(read_answer(&answer, &code), -2, 0);
    CHECK_EQ(code, 0);
    CHECK_OK(run_graph(&q, &answer));
    read_answer(&answer, &code);
    CHECK_EQ(code, WEIR_ABORTED); /* the same request again */
    q.request = 0;
    q.graph = "00ff";
    q.in_body = false;
    CHECK_FAILS(run_graph(&q, &answer), WEIR_ABORTED, "Graph handle is not found: 00ff");
    q.session = "none";
    weir_status s = run_graph(&q, &answer);
    CHECK_EQ(weir_status_code(s), WEIR_ABORTED);
    CHECK(weir_status_is(s, WEIR_PEER_RESTARTED));
    weir_status_free(s);
    stop();
}

TEST(a_partial_run_takes_and_gives_in_several_calls)
{
    start();
    WEIR_BUF(graph);
    WEIR_BUF(answer);
    char handle[32];
    int code;
    small_graph("Neg", DEVICE, &graph);
    CHECK_OK(open_session("s", "", 0));
    CHECK_OK(register_graph("s", &graph, handle));
    graph_run q = {.session = "s", .graph = handle, .step = 6, .partial = true};
    CHECK_OK(run_graph(&q, &answer));
    CHECK_EQ(answer.length, 0);
    q.x = &(float){3};
    CHECK_OK(run_graph(&q, &answer));
    q.x = NULL;
    q.fetch = q.last = true;
    CHECK_OK(run_graph(&q, &answer));
    CHECK_NEAR(read_answer(&answer, &code), -3, 0);
    stop();
}

/* ---- RecvTensor ----------------------------------------------------------------------------- */

static weir_status recv_tensor(const char *text, int64_t step, int64_t request, float *out)
{
    weir_rpc_message message = {0}, answer = {0};
    weir_msg_recv_tensor_request recv = {
        .step_id = step, .rendezvous_key = weir_str_of(text), .request_id = request};
    weir_msg_recv_tensor_request_write(&recv, &message.head);
    weir_channel_call call = {.path = METHOD("RecvTensor"),
                              .request = &message,
                              .timeout_ms = 500,
                              .payload_offset = weir_recv_answer_payload};
    WEIR_TRY(weir_channel_wait(channel, &call, &answer));
    weir_tensor tensor;
    bool dead;
    weir_status status = weir_recv_answer_parse(&answer, &tensor, &dead);
    if (!status)
        *out = *(float *)tensor.data;
    weir_tensor_release(&tensor);
    weir_rpc_message_fini(&answer);
    return status;
}

TEST(requests_for_tensors_are_checked)
{
    start();
    float v;
    WEIR_BUF(k);
    CHECK_FAILS(recv_tensor("foo", 1, 1, &v), WEIR_INVALID_ARGUMENT,
                "Invalid  rendezvous key: foo");
    CHECK_FAILS(recv_tensor("foo", 1, 1, &v), WEIR_ABORTED,
                "The same RecvTensor (GrpcWorker) request");
    CHECK_FAILS(recv_tensor("/device:CPU:7;0000000000000005;d;e;0:0", 1, 2, &v),
                WEIR_INVALID_ARGUMENT, "/device:CPU:7 unknown device.");
    key("e", 5, &k);
    weir_status s = recv_tensor(k.at, 1, 3, &v);
    CHECK_EQ(weir_status_code(s), WEIR_ABORTED);
    CHECK(weir_status_is(s, WEIR_PEER_RESTARTED));
    CHECK(strstr(weir_status_message(s), "expects a different device incarnation: 5 vs."));
    weir_status_free(s);
    stop();
}

static bool comes_to(size_t count)
{
    for (int i = 0; i < 200 && weir_steps_count(server->steps) != count; i++)
        usleep(10000);
    return weir_steps_count(server->steps) == count;
}

TEST(a_caller_that_gives_up_leaves_nothing)
{
    start();
    float v;
    WEIR_BUF(k);
    key("e", server->incarnation, &k);
    CHECK_FAILS(recv_tensor(k.at, 11, 1, &v), WEIR_DEADLINE_EXCEEDED, "");
    CHECK(comes_to(0));
    stop();
}

TEST(what_a_step_sent_is_there_until_it_is_cleaned_up)
{
    start();
    WEIR_BUF(graph);
    WEIR_BUF(k);
    WEIR_BUF(answer);
    char handle[32];
    float v = 0;
    small_graph("Neg", DEVICE, &graph);
    CHECK_OK(open_session("s", "", 0));
    CHECK_OK(register_graph("s", &graph, handle));
    graph_run q = {.session = "s", .graph = handle, .step = 8, .x = &(float){4}};
    CHECK_OK(run_graph(&q, &answer));
    key("y:0", server->incarnation, &k);
    CHECK_OK(recv_tensor(k.at, 8, 1, &v));
    CHECK_NEAR(v, -4, 0);
    q.step = 9;
    CHECK_OK(run_graph(&q, &answer));
    CHECK_EQ(weir_steps_count(server->steps), 2);
    weir_buf b = {0};
    weir_msg_cleanup_graph_request_write(&(weir_msg_cleanup_graph_request){.step_id = 9}, &b);
    CHECK_OK(call(METHOD("CleanupGraph"), &b, NULL));
    CHECK_FAILS(recv_tensor(k.at, 9, 2, &v), WEIR_DEADLINE_EXCEEDED, "");
    CHECK_OK(delete_session("s")); /* step 8 is dropped with it */
    CHECK(comes_to(0));
    stop();
}

/* ---- bad bytes ------------------------------------------------------------------------------ */

static uint32_t chance(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* A well-formed request with some bytes changed, or random bytes. */
static void spoiled(uint32_t *state, const weir_buf *good, weir_buf *out)
{
    if (chance(state, 4) == 0) {
        for (uint32_t i = chance(state, 60); i > 0; i--)
            weir_buf_addc(out, (char)chance(state, 256));
        return;
    }
    weir_buf_add(out, good->at, good->length);
    for (uint32_t i = 1 + chance(state, 4); i > 0; i--)
        out->at[chance(state, (uint32_t)out->length)] ^= (char)(1 << chance(state, 8));
    if (chance(state, 3) == 0)
        out->length = chance(state, (uint32_t)out->length);
}

TEST(bad_bytes_are_answered)
{
    start();
    WEIR_BUF(graph);
    WEIR_BUF(good);
    char handle[32];
    uint32_t state = 1;
    small_graph("Neg", DEVICE, &graph);
    CHECK_OK(open_session("s", "", 0));
    CHECK_OK(register_graph("s", &graph, handle));
    put_register("s", &graph, &good);
    for (int round = 0; round < 60; round++)
        for (size_t i = 0; i < weir_worker_method_count; i++) {
            const char *path = weir_worker_methods[i].path;
            if (strstr(path, "RecvTensor"))
                continue; /* valid by chance: it would wait */
            weir_buf b = {0};
            spoiled(&state, &good, &b);
            weir_status s = call(path, &b, NULL);
            CHECK(weir_status_code(s) != WEIR_UNAVAILABLE);
            CHECK(weir_status_code(s) != WEIR_DEADLINE_EXCEEDED);
            weir_status_free(s);
        }
    stop();
}

TEST(requests_that_end_inside_a_field_are_refused)
{
    start();
    for (size_t i = 0; i < weir_worker_method_count; i++) {
        const char *path = weir_worker_methods[i].path;
        weir_buf cut = {0};
        weir_buf_adds(&cut, "\x0a\x7f");
        weir_status status = call(path, &cut, NULL);
        if (!strstr(path, "Tracing"))
            CHECK_MSG(strstr(weir_status_message(status), "Unable to parse request"), "%s: %s",
                      path, weir_status_message(status));
        weir_status_free(status);
    }
    stop();
}

TEST(arguments_have_no_place_in_a_partition)
{
    start();
    weir_graph *g = weir_graph_create(weir_catalogue());
    weir_node *n;
    weir_named_attr attrs[] = {weir_a_type("T", WEIR_FLOAT), weir_a_int("index", 3)};
    weir_node_spec spec = {
        .name = "a", .op = "_Arg", .attrs = attrs, .attr_count = 2, .device = DEVICE};
    CHECK_OK(weir_graph_add(g, &spec, &n));
    WEIR_BUF(graph);
    char handle[32];
    weir_graph_export(g, &graph);
    weir_graph_destroy(g);
    CHECK_OK(open_session("s", "", 0));
    CHECK_FAILS(register_graph("s", &graph, handle), WEIR_INVALID_ARGUMENT, "_Arg");
    stop();
}

TEST(a_task_with_an_address_of_ipv6_is_reached_there)
{
    weir_cluster *c = weir_cluster_create();
    weir_server *task = NULL;
    CHECK_OK(weir_cluster_add(c, "w", 0, "[::1]:0"));
    CHECK_OK(weir_cluster_seal(c, "w", 0));
    weir_status s = weir_server_start(&(weir_server_options){.cluster = c}, &task);
    weir_cluster_release(c);
    if (s) { /* a machine without IPv6 */
        weir_status_free(s);
        return;
    }
    const char *target = weir_server_target(task);
    CHECK(strncmp(target, "grpc://[::1]:", 13) == 0);
    weir_channel *to = weir_channel_open(target + strlen("grpc://"));
    weir_rpc_message request = {0}, answer = {0};
    CHECK_OK(weir_channel_wait(
        to, &(weir_channel_call){.path = METHOD("GetStatus"), .request = &request}, &answer));
    CHECK(answer.head.length > 0);
    weir_rpc_message_fini(&answer);
    weir_channel_release(to);
    weir_server_destroy(task);
}

TEST_MAIN()
