/* ops/internal/copies.c - edges between memories: _CopyIn, _CopyOut, _CopyAcross.
 *
 * Placement puts them into plans (place/memories.c). The site's memory is the device's: where a
 * _CopyIn and a _CopyAcross write, and from where a _CopyOut reads. The host waits in the last two
 * only.
 */
#include "op/device.h"
#include "ops/declare.h"

static weir_status copy_in(weir_call *call)
{
    weir_memory *memory = call->site->memory;
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor there;
    WEIR_TRY(weir_tensor_alloc_in(memory, x->dtype, &x->shape, &there));
    weir_call_set(call, 0, there);
    return memory->copy_in(memory, there.data, x->data, weir_tensor_bytes(x));
}

static weir_status copy_out(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_memory *memory = x->buffer->memory;
    if (!memory) { /* a variable that nobody has brought to the device yet */
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    weir_tensor here;
    WEIR_TRY(weir_tensor_alloc(x->dtype, &x->shape, &here));
    weir_call_set(call, 0, here);
    return memory->copy_out(memory, here.data, x->data, weir_tensor_bytes(x));
}

/* By way of the host. */
static weir_status copy_across(weir_call *call)
{
    weir_memory *to = call->site->memory;
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor here, there;
    size_t bytes = weir_tensor_bytes(x);
    WEIR_TRY(weir_tensor_alloc_in(to, x->dtype, &x->shape, &there));
    weir_call_set(call, 0, there);
    WEIR_TRY(weir_tensor_alloc(x->dtype, &x->shape, &here));
    weir_status status = x->buffer->memory->copy_out(x->buffer->memory, here.data, x->data, bytes);
    if (!status)
        status = to->copy_in(to, there.data, here.data, bytes);
    weir_tensor_release(&here);
    return status;
}

#define COPY(run)                                                                                  \
    .in = "x: T", .out = "y: T", .attrs = "T: type", .flags = WEIR_INTERNAL_OP | WEIR_NO_FOLD,     \
    .infer = weir_infer_same_shape,                                                                \
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
WEIR_DEFINE_OP(copy_in, "_CopyIn", COPY(copy_in), .host = "x");
WEIR_DEFINE_OP(copy_out, "_CopyOut", COPY(copy_out), .host = "y");
WEIR_DEFINE_OP(copy_across, "_CopyAcross", COPY(copy_across));
