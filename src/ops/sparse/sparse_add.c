/* ops/sparse/sparse_add.c - SparseAdd, SparseAddGrad, SparseSparseMaximum, SparseSparseMinimum:
 * merges two sorted sparse tensors of one shape. */
#include "math/update/update.h"
#include "ops/common/compare.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/math/types.h"
#include "ops/sparse/sparse.h"

enum { A_INDICES, A_VALUES, A_SHAPE, B_INDICES, B_VALUES, B_SHAPE, THRESH };

/* One entry of the union: its index in each operand, or -1. */
typedef struct pair {
    int64_t a, b;
} pair;

typedef WEIR_VEC(pair) pairs;

static void meet(const weir_sparse *a, const weir_sparse *b, pairs *out)
{
    int64_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : weir_coords_order(a->indices + i * a->rank,
                                                        b->indices + j * b->rank, a->rank);
        pair pair = {order <= 0 ? i++ : -1, order >= 0 ? j++ : -1};
        weir_vec_push(out, pair);
    }
}

static weir_status pair_infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, A_INDICES, A_VALUES, A_SHAPE, "a_"));
    WEIR_TRY(weir_sparse_infer(infer, B_INDICES, B_VALUES, B_SHAPE, "b_"));
    int64_t rank = weir_infer_dim(infer, A_SHAPE, 0);
    infer->out[0] = weir_shape_of_rank(2);
    infer->out[1] = weir_shape_vector(-1);
    if (infer->out_count > 2) {
        WEIR_TRY(weir_infer_rank(infer, THRESH, 0));
        infer->out[0].dims[1] = rank;
        infer->out[2] = weir_shape_vector(rank);
    }
    return WEIR_OK;
}

static weir_status read_pair(const weir_call *call, weir_sparse *a, weir_sparse *b)
{
    WEIR_TRY(weir_sparse_read(call, A_INDICES, A_VALUES, A_SHAPE, a));
    WEIR_TRY(weir_sparse_read(call, B_INDICES, B_VALUES, B_SHAPE, b));
    bool same = a->rank == b->rank;
    for (int axis = 0; same && axis < a->rank; axis++)
        same = a->dims[axis] == b->dims[axis];
    if (same)
        return WEIR_OK;
    WEIR_BUF(text);
    weir_buf_adds(&text, "Operands' shapes do not match: got ");
    weir_coords_text(a->dims, a->rank, &text);
    weir_buf_adds(&text, " and ");
    weir_coords_text(b->dims, b->rank, &text);
    return weir_error_text(WEIR_INVALID_ARGUMENT, text.at, text.length);
}

static void combine(const weir_sparse *a, const weir_sparse *b, pair pair, weir_update_fn fn,
                    void *value)
{
    weir_dtype dtype = a->values->dtype;
    weir_elements_zero(dtype, value, 1);
    if (pair.a >= 0)
        weir_elements_copy(dtype, value, weir_at(a->values, pair.a), 1);
    if (pair.b >= 0)
        fn(value, weir_at(b->values, pair.b), 1, 1);
    else if (fn != weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(dtype)))
        fn(value, (uint64_t[2]){0, 0}, 1, 1); /* a missing entry counts as zero */
}

static void copy_index(const weir_sparse *a, const weir_sparse *b, pair pair, int64_t *to)
{
    const int64_t *from =
        pair.a >= 0 ? a->indices + pair.a * a->rank : b->indices + pair.b * b->rank;
    memcpy(to, from, sizeof *to * (size_t)a->rank);
}

/* Drops sums of two entries below the threshold; returns the number of remaining entries. Entries
 * of only one side are kept, however small. */
static size_t above(const weir_sparse *a, const weir_sparse *b, weir_update_fn fn,
                    const weir_tensor *thresh, pairs *all)
{
    double least = weir_element_abs(thresh->dtype, thresh->data);
    _Alignas(16) uint8_t sum[16];
    size_t kept = 0;
    for (size_t n = 0; n < all->count; n++) {
        pair pair = all->at[n];
        combine(a, b, pair, fn, sum);
        if (pair.a < 0 || pair.b < 0 || weir_element_abs(a->values->dtype, sum) >= least)
            all->at[kept++] = pair;
    }
    return kept;
}

static weir_status write_pairs(weir_call *call, const weir_sparse *a, const weir_sparse *b,
                               weir_update_fn fn, const pairs *all)
{
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, (int64_t)all->count, a->rank));
    int64_t *at = weir_out(call, 0)->data;
    for (size_t n = 0; n < all->count; n++) {
        copy_index(a, b, all->at[n], at + n * (size_t)a->rank);
        combine(a, b, all->at[n], fn, weir_at(weir_out(call, 1), (int64_t)n));
    }
    return WEIR_OK;
}

static weir_status join(weir_call *call, weir_update_op op)
{
    weir_sparse a, b;
    pairs all = {0};
    WEIR_TRY(read_pair(call, &a, &b));
    weir_update_fn fn = weir_update_find(op, weir_elem_of(a.values->dtype));
    meet(&a, &b, &all);
    if (call->site->in_count > THRESH)
        all.count = above(&a, &b, fn, weir_in(call, THRESH), &all);
    weir_status status = write_pairs(call, &a, &b, fn, &all);
    weir_vec_fini(&all);
    if (!status && call->site->out_count > 2)
        status = weir_sparse_alloc_shape(call, 2, a.dims, a.rank);
    return status;
}

static weir_status sparse_add(weir_call *call)
{
    return join(call, WEIR_UPDATE_ADD);
}

static weir_status maximum(weir_call *call)
{
    return join(call, WEIR_UPDATE_MAX);
}

static weir_status minimum(weir_call *call)
{
    return join(call, WEIR_UPDATE_MIN);
}

static weir_status add_grad(weir_grad *grad)
{
    weir_node *node =
        weir_grad_node_add(grad, "SparseAddGrad",
                           WEIR_IN(weir_grad_dy(grad, 1), weir_grad_x(grad, A_INDICES),
                                   weir_grad_x(grad, B_INDICES), weir_grad_y(grad, 0)),
                           WEIR_NO_ATTRS);
    if (node) {
        weir_grad_set(grad, A_VALUES, (weir_edge){node, 0});
        weir_grad_set(grad, B_VALUES, (weir_edge){node, 1});
    }
    return WEIR_OK;
}

const weir_op weir_op_sparse_add = {
    .name = "SparseAdd",
    .in = "a_indices: int64; a_values: T; a_shape: int64; b_indices: int64; b_values: T; "
          "b_shape: int64; thresh: Treal",
    .out = "sum_indices: int64; sum_values: T; sum_shape: int64",
    .attrs = "T: {" NUMBERS "}; Treal: {" REALS "}",
    .infer = pair_infer,
    .grad = add_grad,
    .kernels =
        {{WEIR_CPU,
          "T: float, double, int64, int32, int16, int8, uint8, uint16, uint32, uint64, half, "
          "bfloat16, complex64, complex128",
          sparse_add, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_sparse_sparse_maximum = {
    .name = "SparseSparseMaximum",
    .in = "a_indices: int64; a_values: T; a_shape: int64; b_indices: int64; b_values: T; "
          "b_shape: int64",
    .out = "output_indices: int64; output_values: T",
    .attrs = "T: {" REALS "}",
    .infer = pair_infer,
    .kernels = {{WEIR_CPU, "*", maximum, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_sparse_sparse_minimum = {
    .name = "SparseSparseMinimum",
    .in = "a_indices: int64; a_values: T; a_shape: int64; b_indices: int64; b_values: T; "
          "b_shape: int64",
    .out = "output_indices: int64; output_values: T",
    .attrs = "T: {" NUMBERS "}",
    .infer = pair_infer,
    .kernels =
        {{WEIR_CPU,
          "T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
          "uint64",
          minimum, WEIR_OWN_OUTPUTS}},
};

/* ---- SparseAddGrad --------------------------------------------------------------------------- */

enum { DSUM, GRAD_A, GRAD_B, GRAD_SUM };

static weir_status add_grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, DSUM, 1));
    for (int k = GRAD_A; k <= GRAD_SUM; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 2));
    infer->out[0] = weir_shape_vector(weir_infer_dim(infer, GRAD_A, 0));
    infer->out[1] = weir_shape_vector(weir_infer_dim(infer, GRAD_B, 0));
    return WEIR_OK;
}

/* Entries of one operand get the gradient of the sum's entry at their index; both are sorted. */
static void spread(const weir_tensor *dsum, const weir_tensor *sum, const weir_tensor *operand,
                   weir_tensor *out)
{
    int rank = (int)sum->shape.dims[1];
    const int64_t *s = sum->data, *a = operand->data;
    int64_t count = sum->shape.dims[0], total = 0;
    weir_tensor_zero(NULL, out);
    for (int64_t i = 0; i < operand->shape.dims[0]; i++) {
        while (total < count && weir_coords_order(s + total * rank, a + i * rank, rank) < 0)
            total++;
        if (total < count && weir_coords_order(s + total * rank, a + i * rank, rank) == 0)
            weir_elements_copy(out->dtype, weir_at(out, i), weir_at(dsum, total), 1);
    }
}

static weir_status add_grad_run(weir_call *call)
{
    const weir_tensor *dsum = weir_in(call, DSUM), *sum = weir_in(call, GRAD_SUM);
    for (int k = GRAD_A; k <= GRAD_B; k++) {
        const weir_tensor *operand = weir_in(call, k);
        if (operand->shape.dims[1] != sum->shape.dims[1] ||
            weir_tensor_count(dsum) != sum->shape.dims[0])
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "The densified operands should have the same ndims: got %s, %s and %s",
                WEIR_SHAPE_STR(&dsum->shape), WEIR_SHAPE_STR(&operand->shape),
                WEIR_SHAPE_STR(&sum->shape));
        spread(dsum, sum, operand, weir_out(call, k - GRAD_A));
    }
    return WEIR_OK;
}

const weir_op weir_op_sparse_add_grad = {
    .name = "SparseAddGrad",
    .in = "backprop_val_grad: T; a_indices: int64; b_indices: int64; sum_indices: int64",
    .out = "a_val_grad: T; b_val_grad: T",
    .attrs = "T: {" NUMBERS "}",
    .infer = add_grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", add_grad_run}},
};
