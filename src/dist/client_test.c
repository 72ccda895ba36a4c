/* dist/client_test.c - a remote session against a fake master that records its requests, and
 * against a task's own. */
#include "dist/client.h"

#include <stdatomic.h>

#include "base/test.h"
#include "dist/server.h"
#include "net/rpc.h"
#include "tensor/proto.h"
#include "wire/messages.h"

/* ---- a graph -------------------------------------------------------------------------------- */

static weir_mutex lock = WEIR_MUTEX_INIT;

static weir_node *add(weir_graph *graph, const char *op, const char *name, const weir_edge *in,
                      int in_count, const weir_named_attr *attrs, int attr_count)
{
    weir_node *node = NULL;
    CHECK_OK(weir_graph_add(graph,
                            &(weir_node_spec){.name = name,
                                              .op = op,
                                              .in = in,
                                              .in_count = in_count,
                                              .attrs = attrs,
                                              .attr_count = attr_count},
                            &node));
    return node;
}

static weir_node *placeholder(weir_graph *graph, const char *name)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT)};
    return add(graph, "Placeholder", name, NULL, 0, attrs, 1);
}

static weir_node *twice(weir_graph *graph, const char *name, weir_node *node)
{
    weir_edge in[] = {{node, 0}, {node, 0}};
    return add(graph, "AddV2", name, in, 2, NULL, 0);
}

static weir_tensor filled(int64_t count, float value)
{
    weir_tensor tensor;
    weir_shape shape = weir_shape_vector(count);
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &shape, &tensor));
    for (int64_t i = 0; i < count; i++)
        ((float *)tensor.data)[i] = value + (float)i;
    return tensor;
}

/* ---- a fake master --------------------------------------------------------------------------- */

enum { MOST = 64 };

typedef struct call_log {
    atomic_int calls;
    atomic_llong ids[MOST]; /* of RunSteps */
    atomic_int nodes;       /* in the last graph */
    atomic_llong version;
    atomic_bool errors_in_body;
    weir_buf answer;       /* to every RunStep, when not empty; set before the calls */
    atomic_int turns;      /* orders the answer's writers and readers: a socket does so unseen */
    atomic_int fail_steps; /* how many to answer UNAVAILABLE before one is served */
} call_log;

static int count_nodes(weir_str bytes)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_def graph;
    CHECK_OK(weir_msg_graph_def_read(bytes, &arena, &graph));
    return (int)graph.node.count;
}

static void serve_create(weir_rpc *call, void *ctx)
{
    call_log *noted = ctx;
    weir_buf out = {0};
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_create_session_request request;
    CHECK_OK(weir_msg_create_session_request_read(weir_rpc_request(call), &arena, &request));
    noted->nodes = count_nodes(request.graph_def);
    noted->calls++;
    weir_msg_create_session_response_write(
        &(weir_msg_create_session_response){.session_handle = WEIR_STR("the-handle")}, &out);
    weir_rpc_reply(call, &out);
}

static void serve_extend(weir_rpc *call, void *ctx)
{
    call_log *noted = ctx;
    weir_buf out = {0};
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_extend_session_request request;
    CHECK_OK(weir_msg_extend_session_request_read(weir_rpc_request(call), &arena, &request));
    noted->version = request.current_graph_version;
    noted->nodes = count_nodes(request.graph_def);
    noted->calls++;
    weir_msg_extend_session_response_write(
        &(weir_msg_extend_session_response){.new_graph_version = noted->version + 1}, &out);
    weir_rpc_reply(call, &out);
}

/* Every fetch is answered with the fed value. */
static void put_echo(const weir_msg_run_step_request *request, weir_arena *arena, weir_buf *out)
{
    static const weir_str no_metadata = {"", 0};
    weir_msg_named_tensor_proto *fetched =
        WEIR_ARENA_ARRAY(arena, weir_msg_named_tensor_proto, request->fetch.count);
    for (size_t i = 0; i < request->fetch.count; i++)
        fetched[i] = (weir_msg_named_tensor_proto){
            .name = request->fetch.at[i],
            .tensor = request->feed.at[request->feed.count - 1].tensor};
    weir_msg_run_step_response_write(
        &(weir_msg_run_step_response){.tensor = {fetched, request->fetch.count},
                                      .metadata = no_metadata},
        out);
}

static void serve_step(weir_rpc *call, void *ctx)
{
    call_log *noted = ctx;
    weir_buf out = {0};
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_step_request request;
    CHECK_OK(weir_msg_run_step_request_read(weir_rpc_request(call), &arena, &request));
    noted->ids[noted->calls % MOST] = request.request_id;
    noted->errors_in_body = request.store_errors_in_response_body;
    noted->calls++;
    if (noted->fail_steps-- > 0) {
        weir_rpc_fail(call, weir_error(WEIR_UNAVAILABLE, "not now"));
        return;
    }
    noted->turns++;
    weir_buf_add(&out, noted->answer.at, noted->answer.length);
    noted->turns++;
    if (!out.length)
        put_echo(&request, &arena, &out);
    weir_rpc_reply(call, &out);
}

static void serve_close(weir_rpc *call, void *ctx)
{
    weir_buf out = {0};
    ((call_log *)ctx)->calls++;
    weir_rpc_reply(call, &out);
}

static const weir_rpc_method methods[] = {
    {.path = "/tensorflow.MasterService/CreateSession", .handle = serve_create},
    {.path = "/tensorflow.MasterService/ExtendSession", .handle = serve_extend},
    {.path = "/tensorflow.MasterService/RunStep", .handle = serve_step},
    {.path = "/tensorflow.MasterService/CloseSession", .handle = serve_close},
};

typedef struct client_fixture {
    call_log noted;
    weir_rpc_server *server;
    weir_graph *graph;
    weir_session *client;
    weir_node *x, *y;
} client_fixture;

static void begin(client_fixture *this_fixture)
{
    char target[64];
    *this_fixture = (client_fixture){0};
    CHECK_OK(weir_rpc_listen(&(weir_rpc_options){.methods = methods,
                                                 .method_count = sizeof methods / sizeof *methods,
                                                 .ctx = &this_fixture->noted},
                             &this_fixture->server));
    snprintf(target, sizeof target, "grpc://127.0.0.1:%d", weir_rpc_port(this_fixture->server));
    this_fixture->graph = weir_graph_create(weir_catalogue());
    this_fixture->x = placeholder(this_fixture->graph, "x");
    this_fixture->y = twice(this_fixture->graph, "y", this_fixture->x);
    CHECK_OK(weir_grpc_session_create(this_fixture->graph, &lock, target, (weir_str){0},
                                      &this_fixture->client));
}

static void end(client_fixture *fixture)
{
    weir_session_destroy(fixture->client);
    weir_rpc_server_destroy(fixture->server);
    weir_graph_destroy(fixture->graph);
    weir_buf_fini(&fixture->noted.answer);
}

/* The master's answer for y when x is fed |count| numbers. */
static weir_status echo(client_fixture *fixture, int64_t count, weir_tensor *out)
{
    weir_edge feed = {fixture->x, 0}, fetch = {fixture->y, 0};
    weir_tensor value = filled(count, 3);
    fixture->noted.turns++;
    weir_status status = weir_session_run(fixture->client,
                                          &(weir_request){.feeds = &feed,
                                                          .feed_values = &value,
                                                          .feed_count = 1,
                                                          .fetches = &fetch,
                                                          .fetch_count = 1},
                                          out);
    fixture->noted.turns++;
    weir_tensor_release(&value);
    return status;
}

static void check_echo(client_fixture *fixture, int64_t count)
{
    weir_tensor got;
    CHECK_OK(echo(fixture, count, &got));
    CHECK_EQ(weir_tensor_count(&got), count);
    for (int64_t i = 0; i<count; i += count> 9 ? count / 9 : 1)
        CHECK_NEAR(((const float *)got.data)[i], 3 + (float)i, 0);
    weir_tensor_release(&got);
}

TEST(nothing_is_sent_before_it_is_needed)
{
    client_fixture f;
    begin(&f);
    CHECK_EQ(f.noted.calls, 0);
    check_echo(&f, 4); /* CreateSession, RunStep */
    CHECK_EQ(f.noted.calls, 2);
    CHECK_EQ(f.noted.nodes, 2);
    CHECK(f.noted.errors_in_body);
    check_echo(&f, 4);
    CHECK_EQ(f.noted.calls, 3);
    end(&f);
}

TEST(only_new_nodes_are_sent_later)
{
    client_fixture f;
    begin(&f);
    check_echo(&f, 1);
    twice(f.graph, "z", f.y);
    check_echo(&f, 1);
    CHECK_EQ(f.noted.nodes, 1);
    CHECK_EQ(f.noted.version, 0);
    twice(f.graph, "u", f.y);
    twice(f.graph, "v", f.y);
    check_echo(&f, 1);
    CHECK_EQ(f.noted.nodes, 2);
    CHECK_EQ(f.noted.version, 1);
    end(&f);
}

TEST(tensors_of_every_size_arrive)
{
    client_fixture f;
    begin(&f);
    static const int64_t counts[] = {0, 1, 7, 4095, 4096, 4097, 70000, 3000000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_echo(&f, counts[i]);
    end(&f);
}

TEST(a_lost_call_is_repeated_with_its_id)
{
    client_fixture f;
    begin(&f);
    f.noted.fail_steps = 2;
    check_echo(&f, 5);
    CHECK_EQ(f.noted.calls, 4);
    CHECK(f.noted.ids[1] != 0);
    CHECK(f.noted.ids[1] == f.noted.ids[2] && f.noted.ids[2] == f.noted.ids[3]);
    check_echo(&f, 5);
    CHECK(f.noted.ids[4] != f.noted.ids[3]);
    end(&f);
}

TEST(fetching_what_is_fed_needs_no_call)
{
    client_fixture f;
    begin(&f);
    weir_edge x = {f.x, 0}, fetches[] = {x, x};
    weir_tensor value = filled(3, 1), got[2];
    CHECK_OK(weir_session_run(f.client,
                              &(weir_request){.feeds = &x,
                                              .feed_values = &value,
                                              .feed_count = 1,
                                              .fetches = fetches,
                                              .fetch_count = 2},
                              got));
    CHECK(got[0].data == value.data && got[1].data == value.data);
    CHECK_EQ(f.noted.calls, 1); /* CreateSession */
    weir_tensor_release(&got[0]);
    weir_tensor_release(&got[1]);
    weir_tensor_release(&value);
    end(&f);
}

TEST(a_closed_session_stays_closed)
{
    client_fixture f;
    weir_tensor got;
    begin(&f);
    check_echo(&f, 1);
    CHECK_OK(weir_session_close(f.client));
    CHECK_EQ(f.noted.calls, 3);
    CHECK_FAILS(echo(&f, 1, &got), WEIR_CANCELLED, "closed");
    CHECK_OK(weir_session_close(f.client));
    end(&f);
}

/* An answer with one tensor of |dim| floats, truncated to |bytes|. */
static void put_answer(weir_buf *out, const char *name, uint64_t dim, size_t bytes)
{
    out->length = 0;
    WEIR_BUF(proto);
    char *content = weir_zalloc(bytes + 1);
    weir_msg_tensor_shape_proto_dim size = {.size = (int64_t)dim};
    weir_msg_tensor_shape_proto shape = {.dim = {&size, 1}};
    weir_msg_tensor_proto tensor = {
        .dtype = WEIR_FLOAT, .tensor_shape = &shape, .tensor_content = {content, bytes}};
    weir_msg_tensor_proto_write(&tensor, &proto);
    weir_free(content);
    weir_msg_named_tensor_proto named = {.name = weir_str_of(name), .tensor = weir_view(&proto)};
    weir_msg_run_step_response_write(&(weir_msg_run_step_response){.tensor = {&named, 1}}, out);
}

TEST(bad_answers_are_refused)
{
    client_fixture f;
    weir_tensor got;
    begin(&f);
    CHECK_OK(weir_session_extend(f.client));
    put_answer(&f.noted.answer, "y:0", 8, 32);
    CHECK_OK(echo(&f, 1, &got));
    weir_tensor_release(&got);
    static const struct {
        const char *name;
        uint64_t dim;
        size_t bytes;
        const char *says;
    } bad[] = {
        {"z:0", 8, 32, "unrequested fetch: z:0"},
        {"y:1", 8, 32, "unrequested"},
        {"y:0", 9, 32, ""},
        {"y:0", 50000, 199996, "does not fit"},
        {"y:0", (1ULL << 62) + 50000, 200000, ""},
        {"y:0", UINT64_MAX, 200000, ""},
        {"z:0", 50000, 200000, "unrequested"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_answer(&f.noted.answer, bad[i].name, bad[i].dim, bad[i].bytes);
        weir_status s = echo(&f, 1, &got);
        CHECK_MSG(s && strstr(weir_status_message(s), bad[i].says), "%zu: %s", i,
                  weir_status_message(s));
        weir_status_free(s);
    }
    put_answer(&f.noted.answer, "y:0", 50000, 200000);
    f.noted.answer.at[1] ^= 1; /* a wrong length */
    weir_status elsewhere = echo(&f, 1, &got);
    CHECK(elsewhere != WEIR_OK);
    weir_status_free(elsewhere);
    for (size_t length = 1; length < 40; length++) { /* truncated, or complete with a status */
        put_answer(&f.noted.answer, "y:0", 8, 32);
        f.noted.answer.length = length;
        weir_status s = echo(&f, 1, &got);
        CHECK(s != WEIR_OK);
        weir_status_free(s);
    }
    f.noted.answer.length = 0;
    weir_msg_run_step_response failed = {.status_code = WEIR_OUT_OF_RANGE,
                                         .status_error_message = WEIR_STR("at the end")};
    weir_msg_run_step_response_write(&failed, &f.noted.answer);
    CHECK_FAILS(echo(&f, 1, &got), WEIR_OUT_OF_RANGE, "at the end");
    f.noted.answer.length = 0;
    weir_msg_run_step_response_write(&(weir_msg_run_step_response){.metadata = {"", 0}},
                                     &f.noted.answer);
    CHECK_FAILS(echo(&f, 1, &got), WEIR_INTERNAL, "no value for y:0");
    end(&f);
}

TEST(targets_and_deadlines)
{
    weir_session *c;
    weir_graph *g = weir_graph_create(weir_catalogue());
    weir_edge y = {placeholder(g, "y"), 0};
    weir_tensor got;
    WEIR_BUF(config);
    CHECK(weir_grpc_session_serves("grpc://a:1") && !weir_grpc_session_serves("") &&
          !weir_grpc_session_serves("local"));
    CHECK_FAILS(weir_grpc_session_create(g, &lock, "grpc://nowhere", (weir_str){0}, &c),
                WEIR_INVALID_ARGUMENT, "host:port");
    /* For CreateSession, too. */
    weir_msg_config_proto_write(&(weir_msg_config_proto){.operation_timeout_in_ms = 200}, &config);
    CHECK_OK(weir_grpc_session_create(g, &lock, "grpc://127.0.0.1:1", weir_view(&config), &c));
    CHECK_FAILS(weir_session_run(c, &(weir_request){.fetches = &y, .fetch_count = 1}, &got),
                WEIR_DEADLINE_EXCEEDED, "");
    weir_session_destroy(c);
    weir_graph_destroy(g);
}

/* ---- a task's own master -------------------------------------------------------------------- */

static void check_doubled(weir_tensor *got, int64_t count)
{
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(((float *)got[k].data)[count - 1], 2 * (float)count, 0);
        weir_tensor_release(&got[k]);
    }
}

static void check_steps(weir_session *session, weir_request *request)
{
    weir_callable *callable;
    CHECK_OK(weir_session_make_callable(session, request, &callable));
    for (int64_t count = 1; count < 100000; count *= 17) {
        weir_tensor value = filled(count, 1), got[2];
        weir_request call = {.feed_values = &value, .feed_count = 1};
        CHECK_OK(weir_callable_run(callable, &call, got));
        check_doubled(got, count);
        request->feed_values = &value;
        CHECK_OK(weir_session_run(session, request, got));
        check_doubled(got, count);
        weir_tensor_release(&value);
    }
    CHECK_OK(weir_callable_release(callable));
}

static void check_devices(weir_session *session)
{
    weir_devices devices;
    CHECK_OK(weir_session_list_devices(session, &devices));
    CHECK_EQ(devices.count, 1);
    CHECK_STR(devices.at[0].name, "/job:localhost/replica:0/task:0/device:CPU:0");
    weir_devices_fini(&devices);
}

/* A fetch that is fed, or fetched twice, is not requested. */
static void check_known(weir_session *session, weir_edge x, weir_edge y)
{
    weir_edge fetches[] = {x, y, x, y};
    weir_tensor value = filled(3, 1), got[4];
    CHECK_OK(weir_session_run(session,
                              &(weir_request){.feeds = &x,
                                              .feed_values = &value,
                                              .feed_count = 1,
                                              .fetches = fetches,
                                              .fetch_count = 4},
                              got));
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(((float *)got[i].data)[2], i % 2 ? 6 : 3, 0);
        weir_tensor_release(&got[i]);
    }
    weir_tensor_release(&value);
}

/* The options of a callable apply to every call without options. */
static void check_limited(weir_session *session, weir_graph *graph)
{
    const int32_t types[] = {WEIR_FLOAT};
    weir_named_attr attrs[] = {weir_a_types("component_types", types, 1)};
    weir_edge queue = {add(graph, "FIFOQueueV2", "queue", NULL, 0, attrs, 1), 0};
    weir_edge item = {add(graph, "QueueDequeueV2", "item", &queue, 1, attrs, 1), 0};
    weir_callable *callable;
    weir_tensor got;
    CHECK_OK(weir_session_make_callable(
        session,
        &(weir_request){
            .fetches = &item, .fetch_count = 1, .options = &(weir_run_options){.timeout_ms = 100}},
        &callable));
    CHECK_FAILS(weir_callable_run(callable, &(weir_request){0}, &got), WEIR_DEADLINE_EXCEEDED, "");
    CHECK_OK(weir_callable_release(callable));
}

/* By the network, or directly on the server in this process. */
static void check_task(weir_str config)
{
    weir_server *server;
    weir_session *session;
    CHECK_OK(weir_server_start(&(weir_server_options){0}, &server));
    weir_graph *graph = weir_graph_create(weir_catalogue());
    weir_edge x = {placeholder(graph, "x"), 0},
              fetches[] = {{twice(graph, "y", x.node), 0}, {twice(graph, "z", x.node), 0}};
    CHECK_OK(weir_session_open(graph, &lock, weir_server_target(server), config, &session));
    weir_request request = {.feeds = &x, .feed_count = 1, .fetches = fetches, .fetch_count = 2};
    check_steps(session, &request);
    check_known(session, x, fetches[0]);
    check_devices(session);
    check_limited(session, graph);
    CHECK_OK(weir_grpc_session_reset(weir_server_target(server), config, NULL, 0));
    weir_tensor value = filled(1, 1), got[2];
    request.feed_values = &value;
    CHECK_FAILS(weir_session_run(session, &request, got), WEIR_ABORTED, "is not found");
    weir_tensor_release(&value);
    weir_session_destroy(session);
    weir_server_destroy(server);
    weir_graph_destroy(graph);
}

TEST(steps_and_callables_of_a_task_of_this_process)
{
    check_task((weir_str){0});
}

TEST(steps_and_callables_of_a_task_by_the_network)
{
    WEIR_BUF(config);
    weir_msg_rpc_options rpc_options = {.use_rpc_for_inprocess_master = true};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.rpc_options = &rpc_options}, &config);
    check_task(weir_view(&config));
}

TEST(a_session_outlives_the_server_of_its_process)
{
    weir_server *server;
    weir_session *s;
    weir_tensor value = filled(1, 1), got;
    WEIR_BUF(config);
    weir_msg_config_proto_write(&(weir_msg_config_proto){.operation_timeout_in_ms = 300}, &config);
    CHECK_OK(weir_server_start(&(weir_server_options){0}, &server));
    weir_graph *g = weir_graph_create(weir_catalogue());
    weir_edge x = {placeholder(g, "x"), 0}, y = {twice(g, "y", x.node), 0};
    CHECK_OK(weir_session_open(g, &lock, weir_server_target(server), weir_view(&config), &s));
    weir_request q = {
        .feeds = &x, .feed_values = &value, .feed_count = 1, .fetches = &y, .fetch_count = 1};
    CHECK_OK(weir_session_run(s, &q, &got));
    weir_tensor_release(&got);
    weir_server_destroy(server);
    CHECK_FAILS(weir_session_run(s, &q, &got), WEIR_DEADLINE_EXCEEDED, "");
    weir_tensor_release(&value);
    weir_session_destroy(s);
    weir_graph_destroy(g);
}

TEST_MAIN()
