/* ops/data_flow/queue_use.c - QueueEnqueue, QueueDequeue and other ops on a queue. */
#include "ops/declare.h"
#include "ops/state/named.h"
#include "state/queue.h"

static weir_status queue_of(weir_call *call, weir_queue **out_queue)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, 0, &weir_queue_type, &found));
    *out_queue = (weir_queue *)found;
    return WEIR_OK;
}

/* ---- signatures ------------------------------------------------------------------------------ */

static bool types_match(const weir_queue *queue, const int16_t *types, int count)
{
    if (weir_queue_components(queue) != count)
        return false;
    for (int k = 0; k < count; k++)
        if (weir_queue_dtype(queue, k) != (weir_dtype)types[k])
            return false;
    return true;
}

/* The signature as text: "resource, float->", or for dequeues "resource->float". */
static weir_status signature_mismatch(const weir_call *call, const weir_queue *queue, bool dequeue)
{
    const weir_site *site = call->site;
    WEIR_BUF(have);
    WEIR_BUF(want);
    for (int i = 0; i < site->in_count; i++)
        weir_buf_addf(&have, "%s%s", i ? ", " : "", weir_dtype_name(site->in_types[i]));
    weir_buf_adds(&have, "->");
    for (int output = 0; output < site->out_count; output++)
        weir_buf_addf(&have, "%s%s", output ? ", " : "", weir_dtype_name(site->out_types[output]));
    int keep = dequeue ? site->in_count : 1;
    for (int i = 0; i < keep; i++)
        weir_buf_addf(&want, "%s%s", i ? ", " : "", weir_dtype_name(site->in_types[i]));
    weir_buf_adds(&want, dequeue ? "->" : "");
    for (int k = 0; k < weir_queue_components(queue); k++)
        weir_buf_addf(&want, "%s%s", k || !dequeue ? ", " : "",
                      weir_dtype_name(weir_queue_dtype(queue, k)));
    weir_buf_adds(&want, dequeue ? "" : "->");
    return weir_error(WEIR_INVALID_ARGUMENT, "Signature mismatch, have: %s expected: %s", have.at,
                      want.at);
}

/* ---- enqueue --------------------------------------------------------------------------------- */

typedef void (*enqueue_fn)(weir_queue *, const weir_tensor *, weir_cancel *, weir_queue_done,
                           void *);

static void enqueued(void *arg, weir_status status, weir_tensor *tuple)
{
    weir_call_finish(arg, status);
}

static void enqueue_with(weir_call *call, enqueue_fn enqueue)
{
    weir_queue *queue;
    weir_status status = queue_of(call, &queue);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    int count = call->site->in_count - 1;
    if (!types_match(queue, call->site->in_types + 1, count)) {
        status = signature_mismatch(call, queue, false);
        weir_queue_release(queue);
        weir_call_finish(call, status);
        return;
    }
    WEIR_FREED weir_tensor *tuple = WEIR_NEW_ARRAY(weir_tensor, count + 1);
    for (int k = 0; k < count; k++)
        tuple[k] = weir_tensor_share(weir_in(call, k + 1));
    enqueue(queue, tuple, call->run->cancel, enqueued, call); /* the call may be freed by now */
    for (int k = 0; k < count; k++)
        weir_tensor_release(&tuple[k]);
    weir_queue_release(queue);
}

static void enqueue(weir_call *call)
{
    enqueue_with(call, weir_queue_enqueue);
}

static void enqueue_many(weir_call *call)
{
    enqueue_with(call, weir_queue_enqueue_many);
}

/* ---- dequeue --------------------------------------------------------------------------------- */

static void dequeued(void *arg, weir_status status, weir_tensor *tuple)
{
    weir_call *call = arg;
    for (int output = 0; tuple && output < call->site->out_count; output++)
        weir_call_set(call, output, tuple[output]);
    weir_call_finish(call, status);
}

/* Finds the queue and checks its types against the node; null after finishing the call. */
static weir_queue *open_for_dequeue(weir_call *call)
{
    weir_queue *queue = NULL;
    weir_status status = queue_of(call, &queue);
    if (!status && !types_match(queue, call->site->out_types, call->site->out_count)) {
        status = signature_mismatch(call, queue, true);
        weir_queue_release(queue);
    }
    if (!status)
        return queue;
    weir_call_finish(call, status);
    return NULL;
}

static void dequeue(weir_call *call)
{
    weir_queue *queue = open_for_dequeue(call);
    if (!queue)
        return;
    weir_queue_dequeue(queue, call->run->cancel, dequeued, call);
    weir_queue_release(queue);
}

static void dequeue_some(weir_call *call, bool fewer_ok)
{
    const weir_tensor *n = weir_in(call, 1);
    if (weir_tensor_count(n) != 1 || *(const int32_t *)n->data < 0) {
        int32_t asked = weir_tensor_count(n) == 1 ? *(const int32_t *)n->data : 0;
        weir_call_finish(call,
                         weir_tensor_count(n) == 1
                             ? weir_error(WEIR_INVALID_ARGUMENT, "%s requested %d < 0 elements",
                                          fewer_ok ? "DequeueUpToOp" : "DequeueManyOp", asked)
                             : weir_error(WEIR_INVALID_ARGUMENT,
                                          "n must be a scalar, but has shape "
                                          "%s",
                                          WEIR_SHAPE_STR(&n->shape)));
        return;
    }
    weir_queue *queue = open_for_dequeue(call);
    if (!queue)
        return;
    weir_queue_dequeue_many(queue, *(const int32_t *)n->data, fewer_ok, call->run->cancel, dequeued,
                            call);
    weir_queue_release(queue);
}

static void dequeue_many(weir_call *call)
{
    dequeue_some(call, false);
}

static void dequeue_up_to(weir_call *call)
{
    dequeue_some(call, true);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void close_queue(weir_call *call)
{
    weir_queue *queue;
    weir_status status = queue_of(call, &queue);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_queue_close(queue, weir_site_bool(call->site, 0), enqueued, call);
    weir_queue_release(queue);
}

static weir_status is_closed(weir_call *call)
{
    weir_queue *queue;
    WEIR_TRY(queue_of(call, &queue));
    *(bool *)weir_out(call, 0)->data = weir_queue_closed(queue);
    weir_queue_release(queue);
    return WEIR_OK;
}

static weir_status size(weir_call *call)
{
    weir_queue *queue;
    WEIR_TRY(queue_of(call, &queue));
    *(int32_t *)weir_out(call, 0)->data = (int32_t)weir_queue_size(queue);
    weir_queue_release(queue);
    return WEIR_OK;
}

static weir_status infer_some(weir_infer *infer)
{
    int64_t n;
    if (infer->in_handles)
        WEIR_TRY(weir_infer_rank(infer, 1, 0));
    if (infer->in_handles && weir_infer_value_int(infer, 1, &n) && n < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input 'n' must be >= 0, but is %lld",
                          (long long)n);
    return WEIR_OK;
}

#define AWAITS (WEIR_ASYNC | WEIR_AWAITS | WEIR_OWN_OUTPUTS)
#define ENQUEUE_ATTRS "Tcomponents: list(type) >= 1; timeout_ms: int = -1"
#define DEQUEUE_ATTRS "component_types: list(type) >= 1; timeout_ms: int = -1"

WEIR_DEFINE_HANDLE_OPS(queue_enqueue, "QueueEnqueue", "handle", "; components: Tcomponents",
                       .attrs = ENQUEUE_ATTRS, .infer = weir_infer_no_outputs, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", NULL, AWAITS, .start = enqueue}});
WEIR_DEFINE_HANDLE_OPS(queue_enqueue_many, "QueueEnqueueMany", "handle",
                       "; components: Tcomponents", .attrs = ENQUEUE_ATTRS,
                       .infer = weir_infer_no_outputs, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", NULL, AWAITS, .start = enqueue_many}});
WEIR_DEFINE_HANDLE_OPS(queue_dequeue, "QueueDequeue", "handle", "",
                       .out = "components: component_types", .attrs = DEQUEUE_ATTRS,
                       .infer = weir_infer_unknown, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", NULL, AWAITS, .start = dequeue}});
WEIR_DEFINE_HANDLE_OPS(queue_dequeue_many, "QueueDequeueMany", "handle", "; n: int32",
                       .out = "components: component_types", .attrs = DEQUEUE_ATTRS,
                       .infer = infer_some, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", NULL, AWAITS, .start = dequeue_many}});
WEIR_DEFINE_HANDLE_OPS(queue_dequeue_up_to, "QueueDequeueUpTo", "handle", "; n: int32",
                       .out = "components: component_types", .attrs = DEQUEUE_ATTRS,
                       .infer = infer_some, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", NULL, AWAITS, .start = dequeue_up_to}});
WEIR_DEFINE_HANDLE_OPS(queue_close, "QueueClose", "handle", "",
                       .attrs = "cancel_pending_enqueues: bool = false",
                       .infer = weir_infer_no_outputs, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", NULL, AWAITS, .start = close_queue}});
WEIR_DEFINE_HANDLE_OPS(queue_is_closed, "QueueIsClosed", "handle", "", .out = "is_closed: bool",
                       .infer = weir_infer_scalar, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", is_closed, WEIR_CHEAP}});
WEIR_DEFINE_HANDLE_OPS(queue_size, "QueueSize", "handle", "", .out = "size: int32",
                       .infer = weir_infer_scalar, .no_grad = true,
                       .kernels = {{WEIR_CPU, "*", size, WEIR_CHEAP}});
