/* ops/sparse/sparse_slice.c - SparseSlice, SparseSliceGrad, SparseSplit: boxes of sparse
 * tensors. */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

/* A box: start and size per dimension. */
typedef struct box {
    int64_t start[WEIR_MAX_RANK], size[WEIR_MAX_RANK];
} box;

static bool inside(const box *box, const int64_t *at, int rank)
{
    for (int axis = 0; axis < rank; axis++)
        if (at[axis] < box->start[axis] || at[axis] - box->start[axis] >= box->size[axis])
            return false;
    return true;
}

/* Outputs the entries of |sparse| inside the box as |indices|, |values| and |shape|. */
static weir_status cut(weir_call *call, const weir_sparse *sparse, const box *box, int indices,
                       int values, int shape)
{
    int64_t count = 0, e = 0;
    for (int64_t n = 0; n < sparse->count; n++)
        count += inside(box, sparse->indices + n * sparse->rank, sparse->rank);
    WEIR_TRY(weir_sparse_alloc(call, indices, values, count, sparse->rank));
    WEIR_TRY(weir_sparse_alloc_shape(call, shape, box->size, sparse->rank));
    int64_t *to = weir_out(call, indices)->data;
    for (int64_t n = 0; n < sparse->count; n++) {
        const int64_t *at = sparse->indices + n * sparse->rank;
        if (!inside(box, at, sparse->rank))
            continue;
        for (int axis = 0; axis < sparse->rank; axis++)
            *to++ = at[axis] - box->start[axis];
        weir_elements_copy(sparse->values->dtype, weir_at(weir_out(call, values), e++),
                           weir_at(sparse->values, n), 1);
    }
    return WEIR_OK;
}

/* ---- SparseSlice ----------------------------------------------------------------------------- */

enum { INDICES, VALUES, SHAPE, START, SIZE };

static weir_status slice_infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, ""));
    WEIR_TRY(weir_infer_rank(infer, START, 1));
    WEIR_TRY(weir_infer_rank(infer, SIZE, 1));
    int64_t rank = weir_infer_dim(infer, SHAPE, 0), a = weir_infer_dim(infer, START, 0);
    int64_t b = weir_infer_dim(infer, SIZE, 0);
    if (rank >= 0 && a >= 0 && a != rank)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Expected start to be a vector of length %" PRId64 " but got length %" PRId64, rank, a);
    if (rank >= 0 && b >= 0 && b != rank)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Expected size to be a vector of length %" PRId64 " but got length %" PRId64, rank, b);
    infer->out[0] = weir_shape_matrix(-1, rank);
    infer->out[1] = weir_shape_vector(-1);
    infer->out[2] = weir_shape_vector(rank);
    return WEIR_OK;
}

static weir_status slice(weir_call *call)
{
    const int64_t *start = weir_in(call, START)->data, *size = weir_in(call, SIZE)->data;
    weir_sparse sparse;
    box box;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    for (int axis = 0; axis < sparse.rank; axis++) {
        if (start[axis] < 0 || size[axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "start and size must be >= 0, got %" PRId64 " and %" PRId64
                              " in dimension %d",
                              start[axis], size[axis], axis);
        int64_t room = sparse.dims[axis] > start[axis] ? sparse.dims[axis] - start[axis] : 0;
        box.start[axis] = start[axis];
        box.size[axis] = weir_min(size[axis], room);
    }
    return cut(call, &sparse, &box, 0, 1, 2);
}

static weir_status slice_grad(weir_grad *grad)
{
    weir_grad_set(grad, VALUES,
                  weir_grad_op(grad, "SparseSliceGrad",
                               WEIR_IN(weir_grad_dy(grad, 1), weir_grad_x(grad, INDICES),
                                       weir_grad_x(grad, START), weir_grad_y(grad, 0)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_sparse_slice = {
    .name = "SparseSlice",
    .in = "indices: int64; values: T; shape: int64; start: int64; size: int64",
    .out = "output_indices: int64; output_values: T; output_shape: int64",
    .attrs = "T: type",
    .host = "output_shape; shape; size; start",
    .infer = slice_infer,
    .grad = slice_grad,
    .kernels = {{WEIR_CPU, "*", slice, WEIR_OWN_OUTPUTS}},
};

/* ---- SparseSliceGrad ------------------------------------------------------------------------- */

enum { DVALUES, IN_INDICES, IN_START, OUT_INDICES };

static weir_status slice_grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, DVALUES, 1));
    WEIR_TRY(weir_infer_rank(infer, IN_INDICES, 2));
    WEIR_TRY(weir_infer_rank(infer, IN_START, 1));
    WEIR_TRY(weir_infer_rank(infer, OUT_INDICES, 2));
    infer->out[0] = weir_shape_vector(weir_infer_dim(infer, IN_INDICES, 0));
    return WEIR_OK;
}

/* Both lists of indices have the same order: kept entries are found by a merge. */
static weir_status slice_grad_run(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, DVALUES), *in = weir_in(call, IN_INDICES);
    const weir_tensor *out = weir_in(call, OUT_INDICES);
    const int64_t *start = weir_in(call, IN_START)->data, *at = in->data, *kept = out->data;
    weir_tensor *dx = weir_out(call, 0);
    int64_t rank = in->shape.dims[1], count = out->shape.dims[0], j = 0;
    if (out->shape.dims[1] != rank || weir_tensor_count(weir_in(call, IN_START)) != rank ||
        weir_tensor_count(dy) != count)
        return weir_error(
            WEIR_INVALID_ARGUMENT, "The shapes of the inputs do not match: %s, %s, %s and %s",
            WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&in->shape),
            WEIR_SHAPE_STR(&weir_in(call, IN_START)->shape), WEIR_SHAPE_STR(&out->shape));
    weir_tensor_zero(NULL, dx);
    for (int64_t n = 0; n < in->shape.dims[0] && j < count; n++) {
        bool same = true;
        for (int64_t axis = 0; axis < rank; axis++)
            same &= at[n * rank + axis] == kept[j * rank + axis] + start[axis];
        if (same)
            weir_elements_copy(dx->dtype, weir_at(dx, n), weir_at(dy, j++), 1);
    }
    if (j < count)
        return weir_error(
            WEIR_INTERNAL,
            "Elements of backprop_val_grad aren't all propagated. Num elements:%" PRId64
            ", used: %" PRId64,
            count, j);
    return WEIR_OK;
}

const weir_op weir_op_sparse_slice_grad = {
    .name = "SparseSliceGrad",
    .in = "backprop_val_grad: T; input_indices: int64; input_start: int64; output_indices: int64",
    .out = "val_grad: T",
    .attrs =
        "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
        "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
    .infer = slice_grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", slice_grad_run}},
};

/* ---- SparseSplit ----------------------------------------------------------------------------- */

enum { SPLIT_DIM, SPLIT_INDICES, SPLIT_VALUES, SPLIT_SHAPE };

static weir_status split_infer(weir_infer *infer)
{
    int count = infer->out_count / 3;
    if (infer->in[SPLIT_DIM]->rank > 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input axis should be a scalar but received shape %s",
                          WEIR_SHAPE_STR(infer->in[SPLIT_DIM]));
    WEIR_TRY(weir_sparse_infer(infer, SPLIT_INDICES, SPLIT_VALUES, SPLIT_SHAPE, ""));
    int64_t rank = weir_infer_dim(infer, SPLIT_SHAPE, 0);
    for (int k = 0; k < count; k++) {
        infer->out[k] = weir_shape_matrix(-1, rank);
        infer->out[count + k] = weir_shape_vector(-1);
        infer->out[2 * count + k] = weir_shape_vector(rank);
    }
    return WEIR_OK;
}

/* The first pieces are one larger if the dimension is not divisible. */
static weir_status split(weir_call *call)
{
    int64_t given = *(const int64_t *)weir_in(call, SPLIT_DIM)->data, from = 0;
    int count = call->site->out_count / 3;
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, SPLIT_INDICES, SPLIT_VALUES, SPLIT_SHAPE, &sparse));
    WEIR_TRY(weir_sparse_bounds(&sparse));
    int64_t axis = given < 0 ? given + sparse.rank : given;
    if (axis < 0 || axis >= sparse.rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input axis should be in range [%d, %d), got %" PRId64, -sparse.rank,
                          sparse.rank, given);
    if (count < 1 || count > sparse.dims[axis])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input num_split should be between 1 and the splitting dimension size "
                          "(%" PRId64 "), got %d",
                          sparse.dims[axis], count);
    for (int k = 0; k < count; k++) {
        box box = {{0}, {0}};
        memcpy(box.size, sparse.dims, sizeof(int64_t) * (size_t)sparse.rank);
        box.start[axis] = from;
        box.size[axis] = sparse.dims[axis] / count + (k < sparse.dims[axis] % count);
        from += box.size[axis];
        WEIR_TRY(cut(call, &sparse, &box, k, count + k, 2 * count + k));
    }
    return WEIR_OK;
}

const weir_op weir_op_sparse_split = {
    .name = "SparseSplit",
    .in = "split_dim: int64; indices: int64; values: T; shape: int64",
    .out = "output_indices: num_split * int64; output_values: num_split * T; "
           "output_shape: num_split * int64",
    .attrs = "num_split: int >= 1; T: type",
    .host = "output_shape; shape; split_dim",
    .infer = split_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", split, WEIR_OWN_OUTPUTS}},
};
