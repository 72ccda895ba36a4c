/* dist/client.c - a remote session: created, extended, closed; its devices. */
#include "dist/client.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/timer.h"
#include "dist/client_impl.h"
#include "dist/options.h"
#include "dist/own_servers.h"
#include "net/address.h"

enum {
    RETRIES = 10,
    FIRST_PAUSE_US = 1000, /* doubles with each retry */
    MAX_PAUSE_US = 1000000,
    CLOSE_TIMEOUT_MS = 10000,
    WARNING_S = 2, /* without an answer, before a warning is logged */
};

static const char scheme[] = "grpc://";

bool weir_grpc_session_serves(const char *target)
{
    return strncmp(target, scheme, sizeof scheme - 1) == 0 ||
           weir_address_path(weir_str_of(target)).length > 0;
}

static const char *address_of(const char *target)
{
    bool has = strncmp(target, scheme, sizeof scheme - 1) == 0;
    return has ? target + sizeof scheme - 1 : target;
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
    int64_t us = weir_min((int64_t)FIRST_PAUSE_US << attempt, MAX_PAUSE_US);
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

static weir_status call_once(weir_grpc_session *session, const client_call *call,
                             int64_t timeout_ms, weir_rpc_message *out_answer)
{
    weir_rpc_message request = {0};
    weir_status status = call->write(call->what, &request);
    if (status) {
        weir_rpc_message_fini(&request);
        return status;
    }
    return weir_channel_wait(session->channel,
                             &(weir_channel_call){.path = call->method,
                                                  .request = &request,
                                                  .timeout_ms = timeout_ms,
                                                  .wait_for_ready = !call->impatient,
                                                  .cancel = call->cancel,
                                                  .payload_offset = call->payload_offset},
                             out_answer);
}

/* The rest of |timeout_ms| since |start|; at least a millisecond. */
static int64_t time_left(int64_t timeout_ms, int64_t start_ns)
{
    if (!timeout_ms)
        return 0;
    int64_t left = timeout_ms - (weir_now_ns() - start_ns) / 1000000;
    return left > 1 ? left : 1;
}

weir_status weir_grpc_session_call(weir_grpc_session *session, const client_call *call,
                                   weir_rpc_message *out_answer)
{
    int64_t timeout_ms = call->timeout_ms ? call->timeout_ms : session->timeout_ms;
    int64_t start = timeout_ms ? weir_now_ns() : 0;
    weir_status status = call_once(session, call, timeout_ms, out_answer);
    for (int i = 0; i < RETRIES && weir_status_code(status) == WEIR_UNAVAILABLE && !call->impatient;
         i++) {
        weir_status_free(status);
        pause_before(i);
        status = call_once(session, call, time_left(timeout_ms, start), out_answer);
    }
    return status;
}

/* ---- life cycle ----------------------------------------------------------------------------- */

weir_status weir_grpc_session_create(weir_graph *graph, weir_mutex *graph_lock, const char *target,
                                     weir_str config, weir_session **out_session)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_config_proto read;
    WEIR_TRY(weir_msg_config_proto_read(config, &arena, &read));
    if (!weir_grpc_session_serves(target) || !strchr(address_of(target), ':'))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The target '%s' is not of the form grpc://host:port or unix:path",
                          target);
    bool network = read.rpc_options && read.rpc_options->use_rpc_for_inprocess_master;
    bool here = !network && weir_own_servers_have(target);
    weir_grpc_session *session = WEIR_NEW(weir_grpc_session);
    session->base = (weir_session){here ? &weir_in_process_fns : &weir_grpc_fns, graph, graph_lock};
    session->timeout_ms = weir_max(read.operation_timeout_in_ms, 0);
    session->target = weir_strdup(target);
    session->channel = weir_channel_open(address_of(target));
    weir_buf_add(&session->config, config.at, config.length);
    weir_mutex_init(&session->lock);
    weir_mutex_init(&session->bound_lock);
    atomic_init(&session->sent, -1);
    session->cancel = weir_cancel_create(NULL);
    *out_session = &session->base;
    return WEIR_OK;
}

static weir_status refuse_target(const char *target)
{
    const char *rest = strstr(target, "://");
    const char *place = rest ? rest + 3 : target;
    bool has_port = strchr(place, ':') && !strchr(place, '/');
    return weir_error(WEIR_NOT_FOUND,
                      "No session factory registered for the given session options: {target: "
                      "\"%s\"}. A target is grpc://host:port, or empty for a session in this "
                      "process%s%s%s",
                      target, has_port ? "; did you mean grpc://" : "", has_port ? place : "",
                      has_port ? "?" : "");
}

weir_status weir_session_open(weir_graph *graph, weir_mutex *graph_lock, const char *target,
                              weir_str config, weir_session **out_session)
{
    if (weir_grpc_session_serves(target))
        return weir_grpc_session_create(graph, graph_lock, target, config, out_session);
    if (*target && strcmp(target, "local") != 0)
        return refuse_target(target);
    weir_session_config read;
    WEIR_TRY(weir_session_config_read(config, &read));
    weir_session_options options = {.config = &read, .target = target};
    return weir_session_create(graph, graph_lock, &options, out_session);
}

static weir_status write_close(const void *what, weir_rpc_message *out)
{
    weir_msg_close_session_request request = {
        .session_handle = weir_str_of(((const weir_grpc_session *)what)->handle)};
    weir_msg_close_session_request_write(&request, &out->head);
    return WEIR_OK;
}

static weir_status call_close(weir_grpc_session *session, bool impatient)
{
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("CloseSession"),
                        .write = write_close,
                        .what = session,
                        .timeout_ms = CLOSE_TIMEOUT_MS,
                        .impatient = impatient};
    weir_status status = weir_grpc_session_call(session, &call, &answer);
    weir_rpc_message_fini(&answer);
    return status;
}

static weir_status close_client(weir_grpc_session *session, bool impatient)
{
    if (atomic_exchange(&session->closed, true))
        return WEIR_OK;
    /* First: a call that waits for its server holds the lock. */
    weir_cancel_fire(session->cancel, weir_grpc_closed());
    weir_mutex_lock(&session->lock);
    weir_status status =
        atomic_load(&session->sent) >= 0 ? call_close(session, impatient) : WEIR_OK;
    weir_mutex_unlock(&session->lock);
    weir_in_process_unbind(session);
    return status;
}

weir_status weir_grpc_close(weir_session *session)
{
    return close_client(weir_grpc_of(session), false);
}

/* Does not wait for an unreachable server. */
void weir_grpc_destroy(weir_session *session)
{
    weir_grpc_session *grpc_session = weir_grpc_of(session);
    weir_status_free(close_client(grpc_session, true));
    weir_in_process_unbind(grpc_session); /* a step may have bound it again while it was closed */
    weir_channel_release(grpc_session->channel);
    weir_cancel_release(grpc_session->cancel);
    weir_buf_fini(&grpc_session->config);
    weir_free(grpc_session->target);
    weir_free(grpc_session->handle);
    weir_mutex_fini(&grpc_session->bound_lock);
    weir_mutex_fini(&grpc_session->lock);
    weir_free(grpc_session);
}

/* ---- the server's copy of the graph ---------------------------------------------------------- */

/* The additions to the graph since |first_node| and |first_function|, to be sent. */
typedef struct graph_growth {
    weir_grpc_session *client;
    weir_buf *graph_def;
    size_t first_node, first_function, nodes, functions;
} graph_growth;

static void export_growth(graph_growth *growth)
{
    weir_mutex_lock(growth->client->base.graph_lock);
    growth->nodes = growth->client->base.graph->nodes.count;
    growth->client->base.seen = growth->nodes;
    growth->functions = growth->client->base.graph->function_list.count;
    weir_graph_export_since(growth->client->base.graph, growth->first_node, growth->first_function,
                            growth->graph_def);
    weir_mutex_unlock(growth->client->base.graph_lock);
}

static weir_status write_create(const void *what, weir_rpc_message *out)
{
    const graph_growth *growth = what;
    weir_msg_create_session_request request = {.graph_def = weir_view(growth->graph_def),
                                               .target = weir_str_of(growth->client->target)};
    weir_msg_create_session_request_write(&request, &out->head);
    weir_message_put_bytes(&out->head, WEIR_FIELD_create_session_request_config,
                           weir_view(&growth->client->config));
    return WEIR_OK;
}

static weir_status write_extend(const void *what, weir_rpc_message *out)
{
    const graph_growth *growth = what;
    weir_msg_extend_session_request request = {.session_handle =
                                                   weir_str_of(growth->client->handle),
                                               .graph_def = weir_view(growth->graph_def),
                                               .current_graph_version = growth->client->version};
    weir_msg_extend_session_request_write(&request, &out->head);
    return WEIR_OK;
}

static weir_status read_created(weir_grpc_session *session, weir_str answer)
    WEIR_REQUIRES(session->lock)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_create_session_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_create_session_response_read(answer, &arena, &response),
                                "CreateSession"));
    if (!response.session_handle.length)
        return weir_error(WEIR_INTERNAL, "%s answered CreateSession without a session",
                          session->target);
    session->version = response.graph_version;
    session->handle = weir_strndup(response.session_handle.at, response.session_handle.length);
    return WEIR_OK;
}

static weir_status read_extended(weir_grpc_session *session, weir_str answer)
    WEIR_REQUIRES(session->lock)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_extend_session_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_extend_session_response_read(answer, &arena, &response),
                                "ExtendSession"));
    session->version = response.new_graph_version;
    return WEIR_OK;
}

static void log_waiting(void *arg)
{
    weir_log(WEIR_LOG_WARNING, "CreateSession has had no answer from %s for %d s",
             ((weir_grpc_session *)arg)->target, WARNING_S);
}

static weir_status send_growth(weir_grpc_session *session, graph_growth *growth, bool create,
                               int64_t timeout_ms) WEIR_REQUIRES(session->lock)
{
    client_call call = {.method = create ? WEIR_MASTER_METHOD("CreateSession")
                                         : WEIR_MASTER_METHOD("ExtendSession"),
                        .write = create ? write_create : write_extend,
                        .what = growth,
                        .timeout_ms = timeout_ms,
                        .cancel = session->cancel};
    weir_rpc_message answer = {0};
    int64_t timer = weir_timer_add(weir_now_ns() + WARNING_S * 1000000000LL, log_waiting, session);
    weir_status status = weir_grpc_session_call(session, &call, &answer);
    weir_timer_remove(timer);
    weir_str bytes = weir_view(&answer.head);
    if (!status)
        status = create ? read_created(session, bytes) : read_extended(session, bytes);
    weir_rpc_message_fini(&answer);
    return status;
}

/* Sends the additions to the graph. */
static weir_status grow(weir_grpc_session *session, int64_t timeout_ms) WEIR_REQUIRES(session->lock)
{
    long long sent = atomic_load(&session->sent);
    WEIR_BUF(graph_def);
    graph_growth growth = {.client = session,
                           .graph_def = &graph_def,
                           .first_node = sent < 0 ? 0 : (size_t)sent,
                           .first_function = session->functions};
    export_growth(&growth);
    weir_status status = WEIR_OK;
    if (sent < 0 || growth.nodes > growth.first_node || growth.functions > growth.first_function)
        status = send_growth(session, &growth, sent < 0, timeout_ms);
    if (status)
        return status;
    session->functions = growth.functions;
    atomic_store(&session->sent, (long long)growth.nodes);
    return WEIR_OK;
}

weir_status weir_grpc_extend(weir_session *session)
{
    return weir_grpc_session_extend_within(weir_grpc_of(session), 0);
}

weir_status weir_grpc_session_extend_within(weir_grpc_session *session, int64_t timeout_ms)
{
    if (atomic_load_explicit(&session->closed, memory_order_relaxed))
        return weir_grpc_closed();
    weir_mutex_lock(session->base.graph_lock);
    long long nodes = (long long)session->base.graph->nodes.count;
    weir_mutex_unlock(session->base.graph_lock);
    if (atomic_load(&session->sent) == nodes)
        return WEIR_OK;
    weir_mutex_lock(&session->lock);
    weir_status status =
        atomic_load(&session->closed) ? weir_grpc_closed() : grow(session, timeout_ms);
    weir_mutex_unlock(&session->lock);
    return status;
}

/* ---- devices and containers ----------------------------------------------------------------- */

static void add_devices(weir_devices *devices, weir_msgs_device_attributes list)
{
    for (size_t i = 0; i < list.count; i++) {
        WEIR_MESSAGE_ARENA(arena);
        weir_str name = list.at[i].name, type = list.at[i].device_type;
        weir_device_info device = {.name = weir_arena_strndup(&arena, name.at, name.length),
                                   .type = weir_arena_strndup(&arena, type.at, type.length),
                                   .memory_bytes = list.at[i].memory_limit,
                                   .incarnation = list.at[i].incarnation};
        weir_devices_add(devices, &device);
    }
}

static weir_status write_list(const void *what, weir_rpc_message *out)
{
    weir_msg_list_devices_request request = {
        .session_handle = weir_str_of(((const weir_grpc_session *)what)->handle)};
    weir_msg_list_devices_request_write(&request, &out->head);
    return WEIR_OK;
}

weir_status weir_grpc_list_devices(weir_session *session, weir_devices *out_devices)
{
    weir_grpc_session *grpc_session = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_extend(session));
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("ListDevices"),
                        .write = write_list,
                        .what = grpc_session,
                        .cancel = grpc_session->cancel};
    WEIR_TRY(weir_grpc_session_call(grpc_session, &call, &answer));
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_list_devices_response response;
    weir_status status = weir_answer_parsed(
        weir_msg_list_devices_response_read(weir_view(&answer.head), &arena, &response),
        "ListDevices");
    if (!status) {
        *out_devices = (weir_devices){0};
        add_devices(out_devices, response.local_device);
        add_devices(out_devices, response.remote_device);
    }
    weir_rpc_message_fini(&answer);
    return status;
}

static weir_status write_reset(const void *what, weir_rpc_message *out)
{
    weir_msg_reset_request_write(what, &out->head);
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
                        .what = &(weir_msg_reset_request){.container = {names, count}}};
    weir_status status = weir_grpc_session_call(weir_grpc_of(session), &call, &answer);
    weir_rpc_message_fini(&answer);
    weir_session_destroy(session);
    return status;
}
