/* dist/worker_recv.c - RecvTensor and RecvBuf: they return a value of this task once it exists.
 *
 * The call waits in the step's table and occupies no thread. It is answered when the value is sent,
 * the step ends or the caller cancels, whichever is first.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dist/checksum.h"
#include "dist/recv_buf.h"
#include "dist/recv_tensor.h"
#include "dist/wire_type.h"
#include "dist/worker_impl.h"
#include "graph/device_name.h"
#include "observe/traffic.h"

/* A waiting call. Held by the table, and by the handler while it registers. */
typedef struct recv_waiter {
    weir_ref ref;
    weir_worker *worker;
    weir_rpc *call; /* valid until answered */
    int64_t step_id;
    char *key;
    size_t key_length;
    bool is_buffer;       /* RecvBuf's */
    weir_dtype wire_type; /* the receiver's wire type for float32 */
    bool tags;            /* the receiver supports tags, ... */
    char *known;          /* ... and has cached the value with this one; empty: none */
    weir_cancel *cancel;  /* of the call */
    weir_mutex lock;
    int64_t token WEIR_GUARDED_BY(lock); /* of our callback at |cancel| */
    bool answered WEIR_GUARDED_BY(lock);
} recv_waiter;

static void destroy(weir_ref *ref)
{
    recv_waiter *this_waiting = (recv_waiter *)ref;
    weir_cancel_release(this_waiting->cancel);
    weir_mutex_fini(&this_waiting->lock);
    weir_free(this_waiting->key);
    weir_free(this_waiting->known);
    weir_free(this_waiting);
}

static weir_str key_of(const recv_waiter *waiting)
{
    return (weir_str){waiting->key, waiting->key_length};
}

/* ---- checks --------------------------------------------------------------------------------- */

/* The device of this task that produced the value. Other masters may use another name for the task,
 * so only the device's type and number count. */
static weir_status find_device(const weir_worker *worker, weir_str name,
                               const weir_device_info **out)
{
    char *text = weir_strndup(name.at, name.length);
    weir_device_name device_name;
    weir_status status = weir_device_name_parse(text, &device_name);
    int number = 0; /* among the task's devices of that type */
    *out = NULL;
    for (int i = 0; !status && i < worker->options.device_count && !*out; i++)
        if (strcmp(worker->options.devices[i].type, device_name.type) == 0 &&
            number++ == device_name.id)
            *out = &worker->options.devices[i];
    weir_status_free(status);
    weir_free(text);
    return *out ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT, "%.*s unknown device.", WEIR_STR_ARG(name));
}

static weir_status check(weir_worker *worker, const weir_msg_recv_tensor_request *request)
{
    WEIR_TRY(weir_worker_check_new(worker, request->request_id, "RecvTensor (GrpcWorker)"));
    weir_parsed_key key;
    const weir_device_info *device;
    WEIR_TRY(weir_rendezvous_parse(request->rendezvous_key, &key));
    WEIR_TRY(find_device(worker, key.src_device, &device));
    if (key.incarnation == device->incarnation)
        return WEIR_OK;
    return weir_status_mark(weir_error(WEIR_ABORTED,
                                       "RecvTensor expects a different device incarnation: %" PRIu64
                                       " vs. %" PRIu64
                                       ". Your worker job (\"%s\") was probably restarted.",
                                       key.incarnation, device->incarnation,
                                       weir_cluster_self(worker->options.cluster)->name),
                            WEIR_PEER_RESTARTED);
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* The receiver, from the value's key. */
static weir_str receiver_of(const recv_waiter *waiting)
{
    weir_parsed_key key;
    weir_status status = weir_rendezvous_parse(key_of(waiting), &key);
    bool named = !status;
    weir_status_free(status);
    return named ? key.dst_device : WEIR_STR("unknown");
}

static void answer(const recv_waiter *waiting, weir_status status, const weir_tensor *tensor,
                   bool dead)
{
    weir_rpc_message message = {0};
    bool by_shm = weir_rpc_message_limit(waiting->call) == SIZE_MAX;
    weir_dtype wire_type = by_shm ? WEIR_FLOAT : waiting->wire_type;
    if (!status && waiting->is_buffer)
        status = weir_recv_buf_encode(tensor, &message);
    else if (!status && waiting->tags && !by_shm)
        status = weir_recv_answer_encode_for(tensor, dead, wire_type, weir_str_of(waiting->known),
                                             &message);
    else if (!status)
        status = weir_recv_answer_encode_as(tensor, dead, wire_type, &message);
    if (status) {
        weir_rpc_fail(waiting->call, status);
        return;
    }
    weir_checksum_seal(key_of(waiting), &message);
    weir_traffic_out(receiver_of(waiting), by_shm ? "shm" : "grpc",
                     (int64_t)(message.head.length + message.payload_bytes));
    weir_rpc_reply_message(waiting->call, &message);
}

static void received(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    recv_waiter *waiting = arg;
    weir_mutex_lock(&waiting->lock);
    waiting->answered = true;
    int64_t token = waiting->token;
    weir_mutex_unlock(&waiting->lock);
    if (token)
        weir_cancel_remove(waiting->cancel, token);
    answer(waiting, status, &tensor, dead);
    weir_tensor_release(&tensor);
    weir_ref_release(&waiting->ref);
}

static void caller_gone(void *arg)
{
    recv_waiter *waiting = arg;
    weir_steps_forget(waiting->worker->options.steps, waiting->step_id, key_of(waiting), waiting,
                      received, weir_error(WEIR_CANCELLED, "the caller of RecvTensor is gone"));
}

/* Registers for the caller's cancellation, unless the call was already answered. */
static void watch_caller(recv_waiter *waiting)
{
    bool gone = false;
    weir_mutex_lock(&waiting->lock);
    if (!waiting->answered) {
        waiting->token = weir_cancel_add(waiting->cancel, caller_gone, waiting);
        gone = !waiting->token;
    }
    weir_mutex_unlock(&waiting->lock);
    if (gone)
        caller_gone(waiting);
}

static void serve(weir_worker *worker, weir_rpc *call, int64_t step_id, weir_str key,
                  bool is_buffer, const weir_wire_options *options)
{
    recv_waiter *waiting = WEIR_NEW(recv_waiter);
    weir_ref_init(&waiting->ref, destroy); /* the answer's */
    weir_ref_retain(&waiting->ref);        /* ours */
    weir_mutex_init(&waiting->lock);
    waiting->worker = worker;
    waiting->call = call;
    waiting->step_id = step_id;
    waiting->key = weir_strndup(key.at, key.length);
    waiting->key_length = key.length;
    waiting->is_buffer = is_buffer;
    waiting->wire_type = options->type;
    waiting->tags = options->tags;
    waiting->known = weir_strndup(options->tag.at, options->tag.length);
    waiting->cancel = weir_cancel_retain(weir_rpc_cancel(call));
    weir_steps_serve(worker->options.steps, waiting->step_id, key_of(waiting), received, waiting);
    watch_caller(waiting);
    weir_ref_release(&waiting->ref);
}

void weir_worker_recv_tensor(weir_rpc *call, void *ctx)
{
    weir_worker *worker = weir_worker_of_server(ctx);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_tensor_request request;
    weir_status status = weir_rpc_parsed(
        weir_msg_recv_tensor_request_read(weir_rpc_request(call), &arena, &request));
    if (!status)
        status = check(worker, &request);
    weir_wire_options options = {0};
    if (!status)
        options = weir_wire_options_get(request.transport_options);
    if (status)
        weir_rpc_fail(call, status);
    else
        serve(worker, call, request.step_id, request.rendezvous_key, false, &options);
}

static weir_status check_buffer(weir_worker *worker, const weir_msg_recv_buf_request *request)
{
    WEIR_TRY(weir_worker_check_new(worker, request->request_id, "RecvBuf (GrpcWorker)"));
    const weir_device_info *device;
    weir_str key = request->buf_rendezvous_key;
    WEIR_TRY(find_device(worker, request->src_device, &device));
    if (!key.length || memchr(key.at, ';', key.length))
        return weir_error(WEIR_INVALID_ARGUMENT, "\"%.*s\" is no key of a buffer",
                          WEIR_STR_ARG(key));
    if (request->src_incarnation == device->incarnation)
        return WEIR_OK;
    return weir_error(WEIR_FAILED_PRECONDITION,
                      "RecvBuf expects a different device incarnation: %" PRIu64 " vs. %" PRIu64
                      ". Your worker job that contains the device (\"%.*s\") was probably "
                      "restarted. Check your worker job for the reason why it was restarted.",
                      request->src_incarnation, device->incarnation,
                      WEIR_STR_ARG(request->src_device));
}

void weir_worker_recv_buf(weir_rpc *call, void *ctx)
{
    weir_worker *worker = weir_worker_of_server(ctx);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_buf_request request;
    weir_status status =
        weir_rpc_parsed(weir_msg_recv_buf_request_read(weir_rpc_request(call), &arena, &request));
    if (!status)
        status = check_buffer(worker, &request);
    if (status)
        weir_rpc_fail(call, status);
    else
        serve(worker, call, request.step_id, request.buf_rendezvous_key, true,
              &(weir_wire_options){.type = WEIR_FLOAT});
}
