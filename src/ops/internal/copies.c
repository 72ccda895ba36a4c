/* ops/internal/copies.c - edges between memories: _CopyIn, _CopyOut, _CopyAcross.
 *
 * Placement inserts them (place/memories.c). The site's memory is the device's: the destination
 * of _CopyIn and _CopyAcross, the source of _CopyOut. Only _CopyOut and _CopyAcross block the
 * host.
 */
#include "op/device.h"
#include "op/recorder.h"
#include "ops/declare.h"

static weir_status copy_to(weir_call *call, weir_memory *memory)
{
    weir_tensor there;
    WEIR_TRY(weir_tensor_copy_to(memory, weir_in(call, 0), &there));
    weir_call_set(call, 0, there);
    return WEIR_OK;
}

static weir_status copy_in(weir_call *call)
{
    weir_recorder *recorder = call->run->recorder;
    weir_tensor there;
    if (!recorder)
        return copy_to(call, call->site->memory);
    WEIR_TRY(recorder->bring(recorder, call, &there));
    weir_call_set(call, 0, there);
    return WEIR_OK;
}

static weir_status copy_out(weir_call *call)
{
    weir_recorder *recorder = call->run->recorder;
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor here;
    if (!x->buffer->memory) { /* a variable not copied to the device yet */
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    if (!recorder)
        return copy_to(call, NULL);
    WEIR_TRY(recorder->take(recorder, x, &here));
    weir_call_set(call, 0, here);
    return WEIR_OK;
}

#define COPY(run)                                                                                  \
    .in = "x: T", .out = "y: T", .attrs = "T: type",                                               \
    .flags = WEIR_INTERNAL_OP | WEIR_NO_FOLD | WEIR_ANY_MEMORY, .infer = weir_infer_same_shape,    \
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
WEIR_DEFINE_OP(copy_in, "_CopyIn", COPY(copy_in), .host = "x");
WEIR_DEFINE_OP(copy_out, "_CopyOut", COPY(copy_out), .host = "y");
WEIR_DEFINE_OP(copy_across, "_CopyAcross", COPY(copy_in));
