/* ops/array/where.c - Where: the indices of nonzero elements, in row-major order. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *infer)
{
    int rank = infer->in[0]->rank;
    if (weir_infer_running(infer) && (rank < 1 || rank > 8))
        return weir_error(WEIR_INVALID_ARGUMENT, "WhereOp : Unhandled input dimensions: %d", rank);
    infer->out[0] = (weir_shape){2, {-1, rank}};
    return WEIR_OK;
}

/* The bits that make an element not zero: all but the sign of floating-point types. */
static uint64_t value_bits(weir_dtype dtype)
{
    switch (dtype) {
    case WEIR_HALF:
    case WEIR_BFLOAT16:
        return 0x7fff;
    case WEIR_FLOAT:
        return 0x7fffffff;
    case WEIR_COMPLEX64:
        return 0x7fffffff7fffffff;
    case WEIR_DOUBLE:
    case WEIR_COMPLEX128:
        return 0x7fffffffffffffff;
    default:
        return UINT64_MAX;
    }
}

static bool is_set(const char *at, size_t size, uint64_t bits)
{
    uint64_t v[2] = {0, 0};
    memcpy(v, at, size);
    return ((v[0] | v[1]) & bits) != 0;
}

static int64_t count_set(const weir_tensor *x, uint64_t bits)
{
    size_t size = weir_dtype_size(x->dtype);
    int64_t count = weir_tensor_count(x), set = 0;
    if (size == 1) {
        for (int64_t i = 0; i < count; i++)
            set += ((const uint8_t *)x->data)[i] != 0;
        return set;
    }
    for (int64_t i = 0; i < count; i++)
        set += is_set((const char *)x->data + (size_t)i * size, size, bits);
    return set;
}

static void write_index(const weir_shape *shape, int64_t flat, int64_t *out)
{
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        out[axis] = flat % shape->dims[axis];
        flat /= shape->dims[axis];
    }
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    size_t size = weir_dtype_size(x->dtype);
    uint64_t bits = value_bits(x->dtype);
    int rank = x->shape.rank;
    int64_t count = weir_tensor_count(x), found = count_set(x, bits);
    weir_shape shape = weir_shape_matrix(found, rank);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    int64_t *out = weir_out(call, 0)->data;
    for (int64_t i = 0; i < count && found > 0; i++) {
        if (!is_set((const char *)x->data + (size_t)i * size, size, bits))
            continue;
        write_index(&x->shape, i, out);
        out += rank;
        found--;
    }
    return WEIR_OK;
}

const weir_op weir_op_where = {
    .name = "Where",
    .in = "input: T",
    .out = "index: int64",
    .attrs =
        "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
        "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool} = DT_BOOL",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
