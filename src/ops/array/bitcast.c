/* ops/array/bitcast.c - Bitcast: reinterprets the bytes as another type. */
#include "op/op.h"

enum { T, TYPE };

static weir_status bitcast_shape(const weir_site *site, const weir_shape *x, weir_shape *y)
{
    weir_dtype from = weir_site_type(site, T), to = weir_site_type(site, TYPE);
    int64_t a = (int64_t)weir_dtype_size(from), b = (int64_t)weir_dtype_size(to);
    *y = *x;
    if (x->rank < 0 || a == b)
        return WEIR_OK;
    if (a > b && x->rank == WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot bitcast a tensor of %d dimensions",
                          x->rank);
    if (a > b) {
        y->dims[y->rank++] = a / b;
        return WEIR_OK;
    }
    int64_t last = x->rank > 0 ? x->dims[x->rank - 1] : 0;
    if (x->rank == 0 || (last >= 0 && last != b / a))
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot bitcast from %s to %s: shape %s",
                          weir_dtype_name(from), weir_dtype_name(to), WEIR_SHAPE_STR(x));
    y->rank--;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    return bitcast_shape(infer->site, infer->in[0], &infer->out[0]);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_shape shape;
    WEIR_TRY(bitcast_shape(call->site, &x->shape, &shape));
    weir_tensor y = weir_tensor_view(x, &shape);
    y.dtype = weir_site_type(call->site, TYPE);
    weir_call_set(call, 0, y);
    return WEIR_OK;
}

const weir_op weir_op_bitcast = {
    .name = "Bitcast",
    .in = "input: T",
    .out = "output: type",
    .attrs =
        "T: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, "
        "int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}; "
        "type: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, "
        "int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
