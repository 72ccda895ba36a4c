/* ops/sparse/sparse_tensor_dense_add.c - SparseTensorDenseAdd: adds entries to a dense tensor. */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE, DENSE };

/* Dimension |a| of input |in| and |b| of |other| must agree, if both are known. */
static weir_status agree(weir_infer *infer, int in, int a, int other, int b)
{
    int64_t x = infer->in[in]->rank > a ? infer->in[in]->dims[a] : -1;
    int64_t y = infer->in[other]->rank > b ? infer->in[other]->dims[b] : -1;
    if (x >= 0 && y >= 0 && x != y)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dimensions %" PRId64 " and %" PRId64 " are not compatible", x, y);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(agree(infer, INDICES, 0, VALUES, 0));
    WEIR_TRY(agree(infer, INDICES, 1, SHAPE, 0));
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "a_"));
    infer->out[0] = *infer->in[DENSE];
    return WEIR_OK;
}

static weir_status check(const weir_call *call)
{
    const weir_tensor *shape = weir_in(call, SHAPE), *b = weir_in(call, DENSE);
    bool same = weir_tensor_count(shape) == b->shape.rank;
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Two operands have different ranks; received: %" PRId64 " and %d",
                          weir_tensor_count(shape), b->shape.rank);
    for (int axis = 0; axis < b->shape.rank; axis++)
        if (weir_index_at(shape, axis) != b->shape.dims[axis])
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Dimension %d does not equal (no broadcasting is supported): sparse side "
                "%" PRId64 " vs dense side %" PRId64,
                axis, weir_index_at(shape, axis), b->shape.dims[axis]);
    return WEIR_OK;
}

static weir_status check_indices(const weir_tensor *indices, const weir_shape *shape)
{
    for (int64_t n = 0; n < indices->shape.dims[0]; n++)
        for (int axis = 0; axis < shape->rank; axis++) {
            int64_t at = weir_index_at(indices, n * shape->rank + axis);
            if (at < 0 || at >= shape->dims[axis])
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Sparse tensor has an invalid index on dimension %d: "
                                  "a_indices(%" PRId64 ",%d) = %" PRId64 ", dense tensor shape: %s",
                                  axis, n, axis, at, WEIR_SHAPE_STR(shape));
        }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *b = weir_in(call, DENSE), *indices = weir_in(call, INDICES);
    const weir_tensor *values = weir_in(call, VALUES);
    weir_tensor *y = weir_out(call, 0), offsets;
    WEIR_TRY(check(call));
    WEIR_TRY(check_indices(indices, &b->shape));
    weir_shape vector = weir_shape_vector(indices->shape.dims[0]);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &offsets));
    const int64_t *at = offsets.data;
    weir_status status = weir_index_nd(indices, &b->shape, false, offsets.data);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(y->dtype));
    if (!status && y->data != b->data)
        weir_elements_copy(b->dtype, y->data, b->data, weir_tensor_count(b));
    for (int64_t n = 0; !status && n < vector.dims[0]; n++)
        add(weir_at(y, at[n]), weir_at(values, n), 1, 1);
    weir_tensor_release(&offsets);
    return status;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_grad_set(
        grad, VALUES,
        weir_grad_op(grad, "GatherNd", WEIR_IN(dy, weir_grad_x(grad, INDICES)), WEIR_NO_ATTRS));
    weir_grad_set(grad, DENSE, dy);
    return WEIR_OK;
}

const weir_op weir_op_sparse_tensor_dense_add = {
    .name = "SparseTensorDenseAdd",
    .in = "a_indices: Tindices; a_values: T; a_shape: Tindices; b: T",
    .out = "output: T",
    .attrs =
        "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
        "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}; "
        "Tindices: {int32, int64}",
    .infer = infer,
    .grad = grad,
    .inplace = WEIR_INPLACE(3, 0),
    .kernels = {{WEIR_CPU,
                 "T: float, double, int32, uint8, int16, int8, complex64, int64, bfloat16, uint16, "
                 "complex128, half, uint32, uint64",
                 run}},
};
