/* dist/client.c - a remote session's life: made, extended, listed, closed. */
#include "dist/client.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/timer.h"
#include "dist/client_impl.h"
#include "dist/options.h"
#include "dist/own_servers.h"

enum {
    RETRIES = 10,
    FIRST_PAUSE_US = 1000, /* doubles with each try */
    LONGEST_PAUSE_US = 1000000,
    CLOSE_TIMEOUT_MS = 10000,
    PATIENCE_S = 2, /* of a call that waits without saying so */
    CONFIG_OPERATION_TIMEOUT = 11,
    CONFIG_RPC_OPTIONS = 13,
};

static const char scheme[] = "grpc://";

bool weir_grpc_session_serves(const char *target)
{
    return strncmp(target, scheme, sizeof scheme - 1) == 0;
}

int64_t weir_grpc_session_request_id(void)
{
    static _Thread_local uint64_t state;
    if (!state && getrandom(&state, sizeof state, 0) != sizeof state)
        state = (uint64_t)weir_now_ns() ^ (uint64_t)(uintptr_t)&state;
    int64_t id;
    do {
        state += 0x9e3779b97f4a7c15u;
        uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        id = (int64_t)(z ^ z >> 31);
    } while (!id);
    return id;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void pause_before(int attempt)
{
    int64_t us = (int64_t)FIRST_PAUSE_US << attempt;
    us = us < LONGEST_PAUSE_US ? us : LONGEST_PAUSE_US;
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

static weir_status call_once(weir_grpc_session *c, const client_call *call, int64_t timeout_ms,
                             weir_rpc_message *out_answer)
{
    weir_rpc_message request = {0};
    weir_status s = call->write(call->what, &request);
    if (s) {
        weir_rpc_message_fini(&request);
        return s;
    }
    return weir_channel_wait(c->channel,
                             &(weir_channel_call){.path = call->method,
                                                  .request = &request,
                                                  .timeout_ms = timeout_ms,
                                                  .wait_for_ready = !call->impatient,
                                                  .cancel = call->cancel,
                                                  .payload_offset = call->payload_offset},
                             out_answer);
}

/* What is left of |timeout_ms| since |start|; at least a millisecond. */
static int64_t time_left(int64_t timeout_ms, int64_t start_ns)
{
    if (!timeout_ms)
        return 0;
    int64_t left = timeout_ms - (weir_now_ns() - start_ns) / 1000000;
    return left > 1 ? left : 1;
}

weir_status weir_grpc_session_call(weir_grpc_session *c, const client_call *call,
                                   weir_rpc_message *out_answer)
{
    int64_t timeout_ms = call->timeout_ms ? call->timeout_ms : c->timeout_ms;
    int64_t start = timeout_ms ? weir_now_ns() : 0;
    weir_status s = call_once(c, call, timeout_ms, out_answer);
    for (int i = 0; i < RETRIES && weir_status_code(s) == WEIR_UNAVAILABLE && !call->impatient;
         i++) {
        weir_status_free(s);
        pause_before(i);
        s = call_once(c, call, time_left(timeout_ms, start), out_answer);
    }
    return s;
}

/* ---- making and ending ---------------------------------------------------------------------- */

/* RPCOptions.use_rpc_for_inprocess_master */
static bool wants_network(weir_str rpc_options)
{
    bool wants = false;
    weir_pb r = weir_pb_reader(rpc_options);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            wants = r.value != 0;
    return wants;
}

/* What is read of a ConfigProto here. */
typedef struct client_config {
    int64_t timeout_ms;
    bool network; /* also to a server of this process */
} client_config;

static client_config read_config(weir_str config)
{
    client_config found = {0};
    weir_pb r = weir_pb_reader(config);
    while (weir_pb_next(&r)) {
        if (r.field == CONFIG_OPERATION_TIMEOUT && r.type == WEIR_PB_VARINT)
            found.timeout_ms = weir_pb_int(&r) > 0 ? weir_pb_int(&r) : 0;
        else if (r.field == CONFIG_RPC_OPTIONS && r.type == WEIR_PB_LEN)
            found.network = wants_network(r.bytes);
    }
    return found;
}

weir_status weir_grpc_session_create(weir_graph *graph, weir_mutex *graph_lock, const char *target,
                                     weir_str config, weir_session **out_session)
{
    weir_session_config checked;
    WEIR_TRY(weir_session_config_read(config, &checked));
    if (!weir_grpc_session_serves(target) || !strchr(target + sizeof scheme - 1, ':'))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The target '%s' is not of the form grpc://host:port", target);
    client_config read = read_config(config);
    bool here = !read.network && weir_own_servers_have(target);
    weir_grpc_session *c = WEIR_NEW(weir_grpc_session);
    c->base = (weir_session){here ? &weir_in_process_fns : &weir_grpc_fns, graph, graph_lock};
    c->timeout_ms = read.timeout_ms;
    c->target = weir_strdup(target);
    c->channel = weir_channel_open(target + sizeof scheme - 1);
    weir_buf_add(&c->config, config.at, config.length);
    weir_mutex_init(&c->lock);
    weir_mutex_init(&c->bound_lock);
    atomic_init(&c->sent, -1);
    c->cancel = weir_cancel_create(NULL);
    *out_session = &c->base;
    return WEIR_OK;
}

weir_status weir_session_open(weir_graph *graph, weir_mutex *graph_lock, const char *target,
                              weir_str config, weir_session **out_session)
{
    if (weir_grpc_session_serves(target))
        return weir_grpc_session_create(graph, graph_lock, target, config, out_session);
    weir_session_config read;
    WEIR_TRY(weir_session_config_read(config, &read));
    weir_session_options options = {.config = &read, .target = target};
    return weir_session_create(graph, graph_lock, &options, out_session);
}

static weir_status write_handle(const void *what, weir_rpc_message *out)
{
    weir_pb_put_str(&out->head, 1, ((const weir_grpc_session *)what)->handle);
    return WEIR_OK;
}

static weir_status call_close(weir_grpc_session *c, bool impatient)
{
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("CloseSession"),
                        .write = write_handle,
                        .what = c,
                        .timeout_ms = CLOSE_TIMEOUT_MS,
                        .impatient = impatient};
    weir_status s = weir_grpc_session_call(c, &call, &answer);
    weir_rpc_message_fini(&answer);
    return s;
}

static weir_status close_client(weir_grpc_session *c, bool impatient)
{
    if (atomic_exchange(&c->closed, true))
        return WEIR_OK;
    /* First: a call that waits for its server holds the lock. */
    weir_cancel_fire(c->cancel, weir_grpc_closed());
    weir_mutex_lock(&c->lock);
    weir_status s = atomic_load(&c->sent) >= 0 ? call_close(c, impatient) : WEIR_OK;
    weir_mutex_unlock(&c->lock);
    weir_in_process_unbind(c);
    return s;
}

weir_status weir_grpc_close(weir_session *s)
{
    return close_client(weir_grpc_of(s), false);
}

/* Without waiting for a server that is not there. */
void weir_grpc_destroy(weir_session *s)
{
    weir_grpc_session *c = weir_grpc_of(s);
    weir_status_free(close_client(c, true));
    weir_in_process_unbind(c); /* a step may have bound it again while it was closed */
    weir_channel_release(c->channel);
    weir_cancel_release(c->cancel);
    weir_buf_fini(&c->config);
    weir_free(c->target);
    weir_free(c->handle);
    weir_mutex_fini(&c->bound_lock);
    weir_mutex_fini(&c->lock);
    weir_free(c);
}

/* ---- the graph over there ------------------------------------------------------------------- */

/* A part of the graph, to be sent: what came after |first_node| and |first_function|. */
typedef struct growth {
    weir_grpc_session *client;
    weir_buf graph_def;
    size_t first_node, first_function, nodes, functions;
} growth;

static void export_growth(growth *g)
{
    weir_mutex_lock(g->client->base.graph_lock);
    g->nodes = g->client->base.graph->nodes.count;
    g->functions = g->client->base.graph->function_list.count;
    weir_graph_export_since(g->client->base.graph, g->first_node, g->first_function, &g->graph_def);
    weir_mutex_unlock(g->client->base.graph_lock);
}

static weir_status write_create(const void *what, weir_rpc_message *out)
{
    const growth *g = what;
    weir_pb_put_bytes(&out->head, 1, g->graph_def.at, g->graph_def.length);
    weir_pb_put_bytes(&out->head, 2, g->client->config.at, g->client->config.length);
    weir_pb_put_str(&out->head, 3, g->client->target);
    return WEIR_OK;
}

static weir_status write_extend(const void *what, weir_rpc_message *out)
{
    const growth *g = what;
    weir_pb_put_str(&out->head, 1, g->client->handle);
    weir_pb_put_bytes(&out->head, 2, g->graph_def.at, g->graph_def.length);
    weir_pb_put_varint_nz(&out->head, 3, (uint64_t)g->client->version);
    return WEIR_OK;
}

static weir_status read_created(weir_grpc_session *c, weir_str answer)
{
    weir_pb r = weir_pb_reader(answer);
    weir_str handle = {0};
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            handle = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_VARINT)
            c->version = weir_pb_int(&r);
    }
    if (!weir_pb_ok(&r) || !handle.length)
        return weir_error(WEIR_INTERNAL, "%s answered CreateSession without a session", c->target);
    c->handle = weir_strndup(handle.at, handle.length);
    return WEIR_OK;
}

static weir_status read_extended(weir_grpc_session *c, weir_str answer)
{
    weir_pb r = weir_pb_reader(answer);
    c->version++;
    while (weir_pb_next(&r))
        if (r.field == 4 && r.type == WEIR_PB_VARINT)
            c->version = weir_pb_int(&r);
    return weir_pb_ok(&r) ? WEIR_OK
                          : weir_error(WEIR_INTERNAL, "Unparseable ExtendSessionResponse");
}

static void say_waiting(void *arg)
{
    weir_log(WEIR_LOG_WARNING, "CreateSession has had no answer from %s for %d s",
             ((weir_grpc_session *)arg)->target, PATIENCE_S);
}

static weir_status send_growth(weir_grpc_session *c, growth *g, bool create, int64_t timeout_ms)
{
    client_call call = {.method = create ? WEIR_MASTER_METHOD("CreateSession")
                                         : WEIR_MASTER_METHOD("ExtendSession"),
                        .write = create ? write_create : write_extend,
                        .what = g,
                        .timeout_ms = timeout_ms,
                        .cancel = c->cancel};
    weir_rpc_message answer = {0};
    int64_t timer = weir_timer_add(weir_now_ns() + PATIENCE_S * 1000000000LL, say_waiting, c);
    weir_status s = weir_grpc_session_call(c, &call, &answer);
    weir_timer_remove(timer);
    weir_str bytes = {answer.head.at, answer.head.length};
    if (!s)
        s = create ? read_created(c, bytes) : read_extended(c, bytes);
    weir_rpc_message_fini(&answer);
    return s;
}

/* Under the client's lock. */
static weir_status grow(weir_grpc_session *c, int64_t timeout_ms)
{
    long long sent = atomic_load(&c->sent);
    growth g = {
        .client = c, .first_node = sent < 0 ? 0 : (size_t)sent, .first_function = c->functions};
    export_growth(&g);
    weir_status s = WEIR_OK;
    if (sent < 0 || g.nodes > g.first_node || g.functions > g.first_function)
        s = send_growth(c, &g, sent < 0, timeout_ms);
    weir_buf_fini(&g.graph_def);
    if (s)
        return s;
    c->functions = g.functions;
    atomic_store(&c->sent, (long long)g.nodes);
    return WEIR_OK;
}

weir_status weir_grpc_extend(weir_session *s)
{
    return weir_grpc_session_extend_within(weir_grpc_of(s), 0);
}

weir_status weir_grpc_session_extend_within(weir_grpc_session *c, int64_t timeout_ms)
{
    if (atomic_load_explicit(&c->closed, memory_order_relaxed))
        return weir_grpc_closed();
    weir_mutex_lock(c->base.graph_lock);
    long long nodes = (long long)c->base.graph->nodes.count;
    weir_mutex_unlock(c->base.graph_lock);
    if (atomic_load(&c->sent) == nodes)
        return WEIR_OK;
    weir_mutex_lock(&c->lock);
    weir_status s = atomic_load(&c->closed) ? weir_grpc_closed() : grow(c, timeout_ms);
    weir_mutex_unlock(&c->lock);
    return s;
}

/* ---- devices and containers ----------------------------------------------------------------- */

static void add_device(weir_devices *devices, weir_str proto)
{
    WEIR_BUF(name);
    WEIR_BUF(type);
    weir_device_info device = {0};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            weir_buf_add(&name, r.bytes.at, r.bytes.length);
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            weir_buf_add(&type, r.bytes.at, r.bytes.length);
        else if (r.field == 4 && r.type == WEIR_PB_VARINT)
            device.memory_bytes = weir_pb_int(&r);
        else if (r.field == 6 && r.type == WEIR_PB_I64)
            device.incarnation = r.value;
    }
    device.name = name.at ? name.at : "";
    device.type = type.at ? type.at : "";
    weir_devices_add(devices, &device);
}

weir_status weir_grpc_list_devices(weir_session *s, weir_devices *out_devices)
{
    weir_grpc_session *c = weir_grpc_of(s);
    WEIR_TRY(weir_grpc_extend(s));
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("ListDevices"),
                        .write = write_handle,
                        .what = c,
                        .cancel = c->cancel};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    *out_devices = (weir_devices){0};
    weir_pb r = weir_pb_reader((weir_str){answer.head.at, answer.head.length});
    while (weir_pb_next(&r))
        if ((r.field == 1 || r.field == 2) && r.type == WEIR_PB_LEN)
            add_device(out_devices, r.bytes);
    weir_rpc_message_fini(&answer);
    return WEIR_OK;
}

typedef struct containers {
    const weir_str *at;
    size_t count;
} containers;

static weir_status write_reset(const void *what, weir_rpc_message *out)
{
    const containers *names = what;
    for (size_t i = 0; i < names->count; i++)
        weir_pb_put_bytes(&out->head, 1, names->at[i].at, names->at[i].length);
    return WEIR_OK;
}

weir_status weir_grpc_session_reset(const char *target, weir_str config, const weir_str *names,
                                    size_t count)
{
    weir_session *session;
    WEIR_TRY(weir_grpc_session_create(NULL, NULL, target, config, &session));
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("Reset"),
                        .write = write_reset,
                        .what = &(containers){names, count}};
    weir_status s = weir_grpc_session_call(weir_grpc_of(session), &call, &answer);
    weir_rpc_message_fini(&answer);
    weir_session_destroy(session);
    return s;
}
