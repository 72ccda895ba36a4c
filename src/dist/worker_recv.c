/* dist/worker_recv.c - RecvTensor and RecvBuf as they are served: a value of this task, when it is
 * there.
 *
 * The call waits in the step's table, on no thread. Whoever comes first answers it: the value, the
 * step's end, or the caller's.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dist/recv_buf.h"
#include "dist/recv_tensor.h"
#include "dist/worker_impl.h"
#include "graph/device_name.h"

/* A call that waits. Shared: the table, and the handler while it registers. */
typedef struct waiting {
    weir_ref ref;
    weir_worker *w;
    weir_rpc *call; /* valid until answered */
    int64_t step_id;
    char *key;
    size_t key_length;
    bool is_buffer;      /* RecvBuf's */
    weir_cancel *cancel; /* of the call */
    pthread_mutex_t lock;
    int64_t token; /* of our callback at |cancel|; under lock */
    bool answered; /* under lock */
} waiting;

static void destroy(weir_ref *ref)
{
    waiting *q = (waiting *)ref;
    weir_cancel_release(q->cancel);
    pthread_mutex_destroy(&q->lock);
    weir_free(q->key);
    weir_free(q);
}

static weir_str key_of(const waiting *q)
{
    return (weir_str){q->key, q->key_length};
}

/* ---- checks --------------------------------------------------------------------------------- */

/* Which of the task's devices made the value. Other masters may call the task by another name, so
 * only the device counts. */
static weir_status find_device(const weir_worker *w, weir_str name, const weir_device_info **out)
{
    char *text = weir_strndup(name.at, name.length);
    weir_device_name n;
    weir_status s = weir_device_name_parse(text, &n);
    bool here = !s && strcmp(n.type, "CPU") == 0 && n.id >= 0 && n.id < w->o.device_count;
    weir_status_free(s);
    weir_free(text);
    if (!here)
        return weir_error(WEIR_INVALID_ARGUMENT, "%.*s unknown device.", WEIR_STR_ARG(name));
    *out = &w->o.devices[n.id];
    return WEIR_OK;
}

static weir_status check(weir_worker *w, const weir_recv_request *q)
{
    WEIR_TRY(weir_worker_check_new(w, q->request_id, "RecvTensor (GrpcWorker)"));
    weir_parsed_key key;
    const weir_device_info *device;
    WEIR_TRY(weir_rendezvous_parse(q->key, &key));
    WEIR_TRY(find_device(w, key.src_device, &device));
    if (key.incarnation == device->incarnation)
        return WEIR_OK;
    return weir_status_mark(
        weir_error(WEIR_ABORTED,
                   "RecvTensor expects a different device incarnation: %" PRIu64 " vs. %" PRIu64
                   ". Your worker job (\"%s\") was probably restarted.",
                   key.incarnation, device->incarnation, weir_cluster_self(w->o.cluster)->name),
        WEIR_PEER_RESTARTED);
}

/* ---- waiting -------------------------------------------------------------------------------- */

static void answer(const waiting *q, weir_status s, const weir_tensor *t, bool dead)
{
    weir_rpc_message m = {0};
    if (!s)
        s = q->is_buffer ? weir_recv_buf_encode(t, &m) : weir_recv_answer_encode(t, dead, &m);
    if (s)
        weir_rpc_fail(q->call, s);
    else
        weir_rpc_reply_message(q->call, &m);
}

static void received(void *arg, weir_status s, weir_tensor t, bool dead)
{
    waiting *q = arg;
    pthread_mutex_lock(&q->lock);
    q->answered = true;
    int64_t token = q->token;
    pthread_mutex_unlock(&q->lock);
    if (token)
        weir_cancel_remove(q->cancel, token);
    answer(q, s, &t, dead);
    weir_tensor_release(&t);
    weir_ref_release(&q->ref);
}

static void caller_gone(void *arg)
{
    waiting *q = arg;
    weir_steps_forget(q->w->o.steps, q->step_id, key_of(q), q, received);
}

/* From now on the caller's end is noticed, unless the answer has been given. */
static void watch_caller(waiting *q)
{
    bool gone = false;
    pthread_mutex_lock(&q->lock);
    if (!q->answered) {
        q->token = weir_cancel_add(q->cancel, caller_gone, q);
        gone = !q->token;
    }
    pthread_mutex_unlock(&q->lock);
    if (gone)
        caller_gone(q);
}

static void serve(weir_worker *w, weir_rpc *call, int64_t step_id, weir_str key, bool is_buffer)
{
    waiting *q = WEIR_NEW(waiting);
    weir_ref_init(&q->ref, destroy); /* the answer's */
    weir_ref_retain(&q->ref);        /* ours */
    pthread_mutex_init(&q->lock, NULL);
    q->w = w;
    q->call = call;
    q->step_id = step_id;
    q->key = weir_strndup(key.at, key.length);
    q->key_length = key.length;
    q->is_buffer = is_buffer;
    q->cancel = weir_cancel_retain(weir_rpc_cancel(call));
    weir_steps_serve(w->o.steps, q->step_id, key_of(q), received, q);
    watch_caller(q);
    weir_ref_release(&q->ref);
}

void weir_worker_recv_tensor(weir_rpc *call, void *ctx)
{
    weir_worker *w = weir_worker_of_server(ctx);
    weir_recv_request r;
    weir_status s = weir_recv_request_parse(weir_rpc_request(call), &r);
    if (!s)
        s = check(w, &r);
    if (s)
        weir_rpc_fail(call, s);
    else
        serve(w, call, r.step_id, r.key, false);
}

static weir_status check_buffer(weir_worker *w, const weir_recv_buf_request *q)
{
    WEIR_TRY(weir_worker_check_new(w, q->request_id, "RecvBuf (GrpcWorker)"));
    const weir_device_info *device;
    WEIR_TRY(find_device(w, q->src_device, &device));
    if (!q->key.length || memchr(q->key.at, ';', q->key.length))
        return weir_error(WEIR_INVALID_ARGUMENT, "\"%.*s\" is no key of a buffer",
                          WEIR_STR_ARG(q->key));
    if (q->src_incarnation == device->incarnation)
        return WEIR_OK;
    return weir_error(WEIR_FAILED_PRECONDITION,
                      "RecvBuf expects a different device incarnation: %" PRIu64 " vs. %" PRIu64
                      ". Your worker job that contains the device (\"%.*s\") was probably "
                      "restarted. Check your worker job for the reason why it was restarted.",
                      q->src_incarnation, device->incarnation, WEIR_STR_ARG(q->src_device));
}

void weir_worker_recv_buf(weir_rpc *call, void *ctx)
{
    weir_worker *w = weir_worker_of_server(ctx);
    weir_recv_buf_request r;
    weir_status s = weir_recv_buf_request_parse(weir_rpc_request(call), &r);
    if (!s)
        s = check_buffer(w, &r);
    if (s)
        weir_rpc_fail(call, s);
    else
        serve(w, call, r.step_id, r.key, true);
}
