/* dist/peers.c - waiting for the other tasks of a cluster to start. */
#include "dist/fanout.h"
#include "dist/server_impl.h"

/* The first task that has not answered, and the cause; OK when all have. */
static weir_status missing(const weir_fan_call *calls, int count, int64_t timeout_ms)
{
    for (int i = 0; i < count; i++) {
        WEIR_BUF(why);
        if (!calls[i].status)
            continue;
        if (weir_status_code(calls[i].status) == WEIR_UNIMPLEMENTED)
            return weir_error(WEIR_FAILED_PRECONDITION,
                              "%s (%s) is another gRPC service, no task of TensorFlow or Weir: %s",
                              calls[i].task->name, calls[i].task->address,
                              weir_status_message(calls[i].status));
        weir_fan_reason(calls[i].task, &why);
        return weir_error(WEIR_DEADLINE_EXCEEDED, "%s (%s) did not answer within %.3g s%s%s",
                          calls[i].task->name, calls[i].task->address, (double)timeout_ms / 1000,
                          why.length ? ": " : "", why.length ? why.at : "");
    }
    return WEIR_OK;
}

weir_status weir_server_wait_for_peers(weir_server *server, int64_t timeout_ms, weir_cancel *cancel)
{
    weir_cluster *cluster = server->cluster;
    int count = 0;
    if (!cluster)
        return WEIR_OK;
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, cluster->task_count);
    for (int i = 0; i < cluster->task_count; i++)
        if (i != cluster->own)
            calls[count++].task = &cluster->tasks[i];
    weir_fan_options options = {.path = "/tensorflow.WorkerService/GetStatus",
                                .timeout_ms = timeout_ms,
                                .wait_for_ready = true,
                                .repeatable = true,
                                .cancel = cancel,
                                .waiting = "The start"};
    weir_fan_out(calls, count, &options);
    weir_status status = missing(calls, count, timeout_ms);
    weir_status_free(weir_fan_end(calls, count));
    weir_free(calls);
    return status;
}
