/* dist/worker.c - WorkerService: its method table, and the short methods. */
#include "dist/worker.h"

#include "dist/recv_tensor.h"
#include "dist/worker_impl.h"

weir_status weir_worker_check_new(weir_worker *worker, int64_t id, const char *what)
{
    if (weir_seen_ids_add(worker->seen, id))
        return WEIR_OK;
    return weir_error(WEIR_ABORTED, "The same %s request was received twice.", what);
}

weir_worker *weir_worker_create(const weir_worker_options *options)
{
    weir_worker *worker = WEIR_NEW(weir_worker);
    worker->options = *options;
    worker->seen = weir_seen_ids_create(REMEMBERED_CALLS);
    weir_mutex_init(&worker->lock);
    weir_cond_init(&worker->no_threads);
    return worker;
}

void weir_worker_destroy(weir_worker *worker)
{
    if (!worker)
        return;
    weir_worker_close(worker);
    weir_mutex_lock(&worker->lock);
    while (worker->partial_threads) /* their steps are cancelled */
        weir_cond_wait(&worker->no_threads, &worker->lock);
    weir_mutex_unlock(&worker->lock);
    weir_seen_ids_destroy(worker->seen);
    weir_cond_fini(&worker->no_threads);
    weir_mutex_fini(&worker->lock);
    weir_free(worker);
}

/* ---- short methods -------------------------------------------------------------------------- */

weir_msg_device_attributes weir_device_describe(const weir_device_info *device)
{
    static const weir_msg_device_locality anywhere; /* present, but empty, as with TensorFlow */
    return (weir_msg_device_attributes){
        .name = weir_str_of(device->name),
        .device_type = weir_str_of(device->type),
        .memory_limit = device->memory_bytes,
        .locality = &anywhere,
        .incarnation = device->incarnation,
        .physical_device_desc = weir_str_of(device->description ? device->description : ""),
        .xla_global_id = -1};
}

weir_msgs_device_attributes weir_devices_describe(const weir_device_info *devices, int count,
                                                  weir_arena *arena)
{
    weir_msg_device_attributes *list = WEIR_ARENA_ARRAY(arena, weir_msg_device_attributes, count);
    for (int i = 0; i < count; i++)
        list[i] = weir_device_describe(&devices[i]);
    return (weir_msgs_device_attributes){list, (size_t)count};
}

static weir_status get_status(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                              weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_get_status_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_get_status_request_read(bytes, &arena, &request)));
    weir_msg_get_status_response response = {
        .device_attributes =
            weir_devices_describe(worker->options.devices, worker->options.device_count, &arena)};
    weir_msg_get_status_response_write(&response, out);
    return WEIR_OK;
}

static weir_status cleanup_graph(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                 weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_cleanup_graph_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_cleanup_graph_request_read(bytes, &arena, &request)));
    weir_steps_cleanup(worker->options.steps, request.step_id);
    weir_worker_forget_step(worker, request.step_id);
    return WEIR_OK;
}

static weir_status cleanup_all(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                               weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_cleanup_all_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_cleanup_all_request_read(bytes, &arena, &request)));
    weir_resources_clear(worker->options.resources, request.container.at, request.container.count);
    return WEIR_OK;
}

/* Answers are not cached for retries, so there is nothing to free. */
static weir_status mark_recv_finished(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                      weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_mark_recv_finished_request request;
    return weir_rpc_parsed(weir_msg_mark_recv_finished_request_read(bytes, &arena, &request));
}

static weir_status tracing(weir_worker *worker, weir_str bytes, weir_cancel *cancel, weir_buf *out)
{
    return weir_error(WEIR_UNIMPLEMENTED, "Tracing");
}

static weir_status logging(weir_worker *worker, weir_str bytes, weir_cancel *cancel, weir_buf *out)
{
    weir_transfers *transfers = weir_steps_transfers(worker->options.steps);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_logging_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_logging_request_read(bytes, &arena, &request)));
    if (request.enable_rpc_logging)
        weir_transfers_enable(transfers, true);
    if (request.clear)
        weir_transfers_clear(transfers);
    for (size_t i = 0; i < request.fetch_step_id.count; i++) {
        WEIR_BUF(stats);
        weir_transfers_take(transfers, request.fetch_step_id.at[i], &stats);
        weir_msg_labeled_step_stats step = {.step_id = request.fetch_step_id.at[i],
                                            .step_stats = weir_view(&stats)};
        weir_msg_logging_response_write(&(weir_msg_logging_response){.step = {&step, 1}}, out);
    }
    if (request.disable_rpc_logging)
        weir_transfers_enable(transfers, false);
    return WEIR_OK;
}

/* ---- the leader's methods of collective ops -------------------------------------------------- */

static void complete_group(weir_rpc *call, void *ctx)
{
    weir_task_collectives_group(weir_worker_of_server(ctx)->options.collectives, call);
}

static void complete_instance(weir_rpc *call, void *ctx)
{
    weir_task_collectives_instance(weir_worker_of_server(ctx)->options.collectives, call);
}

static void get_step_sequence(weir_rpc *call, void *ctx)
{
    weir_task_collectives_sequence(weir_worker_of_server(ctx)->options.collectives, call);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Wire name, function, whether the I/O thread may run it, and whether it may end blocked
 * calls. */
#define METHODS(M)                                                                                 \
    M(GetStatus, get_status, true, false)                                                          \
    M(CreateWorkerSession, weir_worker_create_session, false, false)                               \
    M(DeleteWorkerSession, weir_worker_delete_session, false, true)                                \
    M(RegisterGraph, weir_worker_register_graph, false, false)                                     \
    M(DeregisterGraph, weir_worker_deregister_graph, false, true)                                  \
    M(CleanupGraph, cleanup_graph, true, false)                                                    \
    M(CleanupAll, cleanup_all, false, true)                                                        \
    M(MarkRecvFinished, mark_recv_finished, true, false)                                           \
    M(Logging, logging, true, false)                                                               \
    M(Tracing, tracing, true, false)

#define HANDLER(name, function, is_quick, is_urgent)                                               \
    static void handle_##name(weir_rpc *call, void *ctx)                                           \
    {                                                                                              \
        weir_buf out = {0};                                                                        \
        weir_status s = function(weir_worker_of_server(ctx), weir_rpc_request(call),               \
                                 weir_rpc_cancel(call), &out);                                     \
        weir_rpc_answer(call, s, &out);                                                            \
    }
METHODS(HANDLER)

#define ROW(name, function, is_quick, is_urgent)                                                   \
    {"/tensorflow.WorkerService/" #name, handle_##name, is_quick, is_urgent},
const weir_rpc_method weir_worker_methods[] = {
    METHODS(ROW) /* in the order of protocol and use */
    {"/tensorflow.WorkerService/RunGraph", weir_worker_run_graph, true,
     .message_payload = weir_recv_answer_payload},
    {"/tensorflow.WorkerService/RecvTensor", weir_worker_recv_tensor, true},
    {"/tensorflow.WorkerService/RecvBuf", weir_worker_recv_buf, true},
    {"/tensorflow.WorkerService/CompleteGroup", complete_group, true},
    {"/tensorflow.WorkerService/CompleteInstance", complete_instance, true},
    {"/tensorflow.WorkerService/GetStepSequence", get_step_sequence, true},
};
const size_t weir_worker_method_count = sizeof weir_worker_methods / sizeof *weir_worker_methods;
