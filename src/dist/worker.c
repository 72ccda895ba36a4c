/* dist/worker.c - WorkerService: its methods, and those that are short. */
#include "dist/worker.h"

#include "dist/worker_impl.h"

weir_status weir_worker_unparseable(void)
{
    return weir_error(WEIR_INTERNAL, "Unable to parse request");
}

weir_status weir_worker_check_new(weir_worker *worker, int64_t id, const char *what)
{
    if (weir_seen_ids_add(worker->seen, id))
        return WEIR_OK;
    return weir_error(WEIR_ABORTED, "The same %s request was received twice.", what);
}

weir_worker *weir_worker_create(const weir_worker_options *options)
{
    weir_worker *worker = WEIR_NEW(weir_worker);
    worker->o = *options;
    worker->seen = weir_seen_ids_create(REMEMBERED_CALLS);
    weir_mutex_init(&worker->lock);
    return worker;
}

void weir_worker_destroy(weir_worker *worker)
{
    if (!worker)
        return;
    weir_worker_close(worker);
    weir_seen_ids_destroy(worker->seen);
    weir_mutex_fini(&worker->lock);
    weir_free(worker);
}

/* ---- short methods -------------------------------------------------------------------------- */

void weir_device_encode(weir_buf *out, uint32_t field, const weir_device_info *info)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_str(out, 1, info->name);
    weir_pb_put_str(out, 2, info->type);
    weir_pb_put_varint(out, 4, (uint64_t)info->memory_bytes);
    weir_pb_put_bytes(out, 5, "", 0);
    weir_pb_put_i64(out, 6, info->incarnation);
    weir_pb_put_varint(out, 8, (uint64_t)-1);
    weir_pb_end(out, mark);
}

static weir_status get_status(weir_worker *worker, weir_str request, weir_cancel *cancel,
                              weir_buf *out)
{
    for (int i = 0; i < worker->o.device_count; i++)
        weir_device_encode(out, 1, &worker->o.devices[i]);
    return WEIR_OK;
}

static weir_status cleanup_graph(weir_worker *worker, weir_str request, weir_cancel *cancel,
                                 weir_buf *out)
{
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader))
        if (reader.field == 1 && reader.type == WEIR_PB_VARINT)
            weir_steps_cleanup(worker->o.steps, weir_pb_int(&reader));
    return weir_pb_ok(&reader) ? WEIR_OK : weir_worker_unparseable();
}

static weir_status cleanup_all(weir_worker *worker, weir_str request, weir_cancel *cancel,
                               weir_buf *out)
{
    WEIR_VEC(weir_str) containers = {0};
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader))
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            weir_vec_push(&containers, reader.bytes);
    bool ok = weir_pb_ok(&reader);
    if (ok)
        weir_resources_clear(worker->o.resources, containers.at, containers.count);
    weir_vec_fini(&containers);
    return ok ? WEIR_OK : weir_worker_unparseable();
}

/* Answers are not kept for repetition, so there is nothing to let go. */
static weir_status mark_recv_finished(weir_worker *worker, weir_str request, weir_cancel *cancel,
                                      weir_buf *out)
{
    return WEIR_OK;
}

static weir_status tracing(weir_worker *worker, weir_str request, weir_cancel *cancel,
                           weir_buf *out)
{
    return weir_error(WEIR_UNIMPLEMENTED, "Tracing");
}

static weir_status logging(weir_worker *worker, weir_str request, weir_cancel *cancel,
                           weir_buf *out)
{
    enum { ENABLE = 1, CLEAR, FETCH, DISABLE };
    weir_transfers *transfers = weir_steps_transfers(worker->o.steps);
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        weir_pb_packed packed = {0};
        if ((reader.field == ENABLE || reader.field == DISABLE) && reader.type == WEIR_PB_VARINT &&
            reader.value)
            weir_transfers_enable(transfers, reader.field == ENABLE);
        else if (reader.field == CLEAR && reader.type == WEIR_PB_VARINT && reader.value)
            weir_transfers_clear(transfers);
        while (reader.field == FETCH && weir_pb_each(&reader, WEIR_PB_VARINT, &packed))
            weir_transfers_take(transfers, (int64_t)packed.value, 1, out);
    }
    return weir_pb_ok(&reader) ? WEIR_OK : weir_worker_unparseable();
}

/* ---- the leader's methods of collective ops -------------------------------------------------- */

static void complete_group(weir_rpc *call, void *ctx)
{
    weir_task_collectives_group(weir_worker_of_server(ctx)->o.collectives, call);
}

static void complete_instance(weir_rpc *call, void *ctx)
{
    weir_task_collectives_instance(weir_worker_of_server(ctx)->o.collectives, call);
}

static void get_step_sequence(weir_rpc *call, void *ctx)
{
    weir_task_collectives_sequence(weir_worker_of_server(ctx)->o.collectives, call);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Wire name, function, and whether it is soon done. */
#define METHODS(M)                                                                                 \
    M(GetStatus, get_status, true)                                                                 \
    M(CreateWorkerSession, weir_worker_create_session, false)                                      \
    M(DeleteWorkerSession, weir_worker_delete_session, false)                                      \
    M(RegisterGraph, weir_worker_register_graph, false)                                            \
    M(DeregisterGraph, weir_worker_deregister_graph, false)                                        \
    M(CleanupGraph, cleanup_graph, true)                                                           \
    M(CleanupAll, cleanup_all, false)                                                              \
    M(MarkRecvFinished, mark_recv_finished, true)                                                  \
    M(Logging, logging, true)                                                                      \
    M(Tracing, tracing, true)

#define HANDLER(name, function, is_quick)                                                          \
    static void handle_##name(weir_rpc *call, void *ctx)                                           \
    {                                                                                              \
        weir_buf out = {0};                                                                        \
        weir_status s = function(weir_worker_of_server(ctx), weir_rpc_request(call),               \
                                 weir_rpc_cancel(call), &out);                                     \
        weir_rpc_answer(call, s, &out);                                                            \
    }
METHODS(HANDLER)

#define ROW(name, function, is_quick) {"/tensorflow.WorkerService/" #name, handle_##name, is_quick},
const weir_rpc_method weir_worker_methods[] = {
    METHODS(ROW) /* in the order of protocol and use */
    {"/tensorflow.WorkerService/RunGraph", weir_worker_run_graph, true},
    {"/tensorflow.WorkerService/RecvTensor", weir_worker_recv_tensor, true},
    {"/tensorflow.WorkerService/RecvBuf", weir_worker_recv_buf, true},
    {"/tensorflow.WorkerService/CompleteGroup", complete_group, true},
    {"/tensorflow.WorkerService/CompleteInstance", complete_instance, true},
    {"/tensorflow.WorkerService/GetStepSequence", get_step_sequence, true},
};
const size_t weir_worker_method_count = sizeof weir_worker_methods / sizeof *weir_worker_methods;
