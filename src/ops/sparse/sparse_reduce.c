/* ops/sparse/sparse_reduce.c - SparseReduceSum, SparseReduceMax and their sparse variants: sum
 * or maximum of entries over axes. Groups without entries are zero, or absent from a sparse
 * result. */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/sparse/sparse.h"

enum { KEEP_DIMS };
enum { INDICES, VALUES, SHAPE, AXES };

/* The reduced dims; the others group the entries. */
typedef struct grouping {
    bool reduced[WEIR_MAX_RANK];
    int kept[WEIR_MAX_RANK], kept_count;
    weir_shape shape; /* of the result */
} grouping;

static weir_status make_grouping(const weir_tensor *axes, const int64_t *dims, int rank, bool keep,
                                 grouping *this_grouping)
{
    int64_t count = weir_tensor_count(axes);
    *this_grouping = (grouping){.kept_count = 0};
    for (int64_t k = 0; k < count; k++) {
        int64_t axis = weir_int_at(axes, k);
        if (axis < -rank || axis >= rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid reduction dimension %" PRId64
                              ", for input with %d dimensions.",
                              axis, rank);
        this_grouping->reduced[axis < 0 ? axis + rank : axis] = true;
    }
    for (int axis = 0; axis < rank; axis++) {
        if (!this_grouping->reduced[axis])
            this_grouping->kept[this_grouping->kept_count++] = axis;
        if (!this_grouping->reduced[axis] || keep)
            weir_shape_append(&this_grouping->shape, this_grouping->reduced[axis] ? 1 : dims[axis]);
    }
    return weir_shape_check(&this_grouping->shape);
}

static weir_status infer_inputs(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "input_"));
    return weir_infer_rank_at_most(infer, AXES, 1);
}

static weir_status dense_infer(weir_infer *infer)
{
    const weir_tensor *shape = weir_infer_value(infer, SHAPE),
                      *axes = weir_infer_value(infer, AXES);
    grouping grouping;
    WEIR_TRY(infer_inputs(infer));
    if (!shape || !axes || weir_tensor_count(shape) > WEIR_MAX_RANK)
        return WEIR_OK;
    WEIR_TRY(make_grouping(axes, shape->data, (int)weir_tensor_count(shape),
                           weir_site_bool(infer->site, KEEP_DIMS), &grouping));
    infer->out[0] = grouping.shape;
    return WEIR_OK;
}

static weir_status sparse_infer(weir_infer *infer)
{
    return infer_inputs(infer);
}

/* An iteration over the entries, sorted by group. */
typedef struct pass {
    weir_sparse s;
    grouping g;
    int64_t *order;
    weir_update_fn fn;
} pass;

static weir_status begin_pass(weir_call *call, pass *pass)
{
    weir_update_op op = (weir_update_op)weir_site_mode(call->site);
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &pass->s));
    WEIR_TRY(weir_sparse_bounds(&pass->s));
    WEIR_TRY(make_grouping(weir_in(call, AXES), pass->s.dims, pass->s.rank,
                           weir_site_bool(call->site, KEEP_DIMS), &pass->g));
    pass->fn = weir_update_find(op, weir_elem_of(pass->s.values->dtype));
    pass->order = WEIR_NEW_ARRAY(int64_t, pass->s.count);
    weir_sparse_order(&pass->s, pass->g.kept, pass->g.kept_count, pass->order);
    return WEIR_OK;
}

static bool same_group(const pass *pass, int64_t a, int64_t b)
{
    const int64_t *x = pass->s.indices + pass->order[a] * pass->s.rank;
    const int64_t *y = pass->s.indices + pass->order[b] * pass->s.rank;
    for (int k = 0; k < pass->g.kept_count; k++)
        if (x[pass->g.kept[k]] != y[pass->g.kept[k]])
            return false;
    return true;
}

/* Reduces the group that starts at |n| into |out|; returns the start of the next one. */
static int64_t reduce_group(const pass *pass, int64_t n, void *out)
{
    const weir_tensor *value = pass->s.values;
    int64_t end = n + 1;
    weir_elements_copy(value->dtype, out, weir_at(value, pass->order[n]), 1);
    for (; end < pass->s.count && same_group(pass, n, end); end++)
        pass->fn(out, weir_at(value, pass->order[end]), 1, 1);
    return end;
}

/* The index of a group in the result. */
static void group_index(const pass *pass, int64_t n, bool keep, int64_t *out)
{
    const int64_t *at = pass->s.indices + pass->order[n] * pass->s.rank;
    for (int axis = 0; axis < pass->s.rank; axis++)
        if (!pass->g.reduced[axis] || keep)
            *out++ = pass->g.reduced[axis] ? 0 : at[axis];
}

static weir_status to_dense(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    pass pass = {0};
    WEIR_TRY(begin_pass(call, &pass));
    weir_tensor_zero(&call->run->par, y);
    for (int64_t n = 0; n < pass.s.count;) {
        const int64_t *at = pass.s.indices + pass.order[n] * pass.s.rank;
        int64_t flat = 0;
        for (int k = 0; k < pass.g.kept_count; k++)
            flat = flat * pass.s.dims[pass.g.kept[k]] + at[pass.g.kept[k]];
        n = reduce_group(&pass, n, weir_at(y, flat));
    }
    weir_free(pass.order);
    return WEIR_OK;
}

static weir_status to_sparse(weir_call *call)
{
    bool keep = weir_site_bool(call->site, KEEP_DIMS);
    pass pass = {0};
    WEIR_TRY(begin_pass(call, &pass));
    int64_t groups = pass.s.count > 0;
    for (int64_t n = 1; n < pass.s.count; n++)
        groups += !same_group(&pass, n - 1, n);
    int rank = pass.g.shape.rank;
    weir_status status = weir_sparse_alloc(call, 0, 1, groups, rank);
    if (!status)
        status = weir_sparse_alloc_shape(call, 2, pass.g.shape.dims, rank);
    for (int64_t n = 0, k = 0; !status && n < pass.s.count; k++) {
        group_index(&pass, n, keep, (int64_t *)weir_out(call, 0)->data + k * rank);
        n = reduce_group(&pass, n, weir_at(weir_out(call, 1), k));
    }
    weir_free(pass.order);
    return status;
}

/* Every entry gets the gradient of its group: dy, reshaped with the reduced axes, at the entry's
 * index with these axes 0. */
static weir_status sum_grad(weir_grad *grad)
{
    weir_edge shape = weir_grad_x(grad, SHAPE), axes = weir_grad_x(grad, AXES);
    const weir_shape *s = weir_edge_shape(weir_grad_node(grad)->in[SHAPE]);
    if (s->rank != 1 || s->dims[0] < 0)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of SparseReduceSum needs an input of known rank");
    int32_t rank = (int32_t)s->dims[0];
    weir_edge positive = weir_grad_flatten(
        grad,
        weir_grad_op(grad, "FloorMod", WEIR_IN(axes, weir_grad_int32(grad, rank)), WEIR_NO_ATTRS));
    weir_edge ones = weir_grad_op(grad, "OnesLike", WEIR_IN(positive), WEIR_NO_ATTRS);
    ones = weir_grad_op(grad, "Cast", WEIR_IN(ones), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT64)));
    weir_edge all = weir_grad_op(
        grad, "Range",
        WEIR_IN(weir_grad_int32(grad, 0), weir_grad_int32(grad, rank), weir_grad_int32(grad, 1)),
        WEIR_NO_ATTRS);
    weir_edge kept =
        weir_grad_op(grad, "DynamicStitch", WEIR_IN(all, positive, shape, ones), WEIR_NO_ATTRS);
    weir_edge scale = weir_grad_op(grad, "FloorDiv", WEIR_IN(shape, kept), WEIR_NO_ATTRS);
    weir_edge at =
        weir_grad_op(grad, "FloorDiv", WEIR_IN(weir_grad_x(grad, INDICES), scale), WEIR_NO_ATTRS);
    weir_edge dy = weir_grad_reshape(grad, weir_grad_dy(grad, 0), kept);
    weir_grad_set(grad, VALUES, weir_grad_op(grad, "GatherNd", WEIR_IN(dy, at), WEIR_NO_ATTRS));
    return WEIR_OK;
}

#define REDUCTION                                                                                  \
    .in = "input_indices: int64; input_values: T; input_shape: int64; reduction_axes: int32"
#define OF_NUMBERS .attrs = "keep_dims: bool = false; T: {" NUMBERS "}"
#define OF_REALS .attrs = "keep_dims: bool = false; T: {" REALS "}"
#define SUMMED "T: " REALS ", complex64, complex128"
#define DENSE .out = "output: T", .infer = dense_infer
#define SPARSE                                                                                     \
    .out = "output_indices: int64; output_values: T; output_shape: int64", .infer = sparse_infer

WEIR_DEFINE_OP(sparse_reduce_sum, "SparseReduceSum", REDUCTION, OF_NUMBERS, DENSE,
               .mode = WEIR_UPDATE_ADD, .grad = sum_grad,
               .kernels = {{WEIR_CPU, SUMMED, to_dense}});
WEIR_DEFINE_OP(sparse_reduce_sum_sparse, "SparseReduceSumSparse", REDUCTION, OF_NUMBERS, SPARSE,
               .mode = WEIR_UPDATE_ADD,
               .kernels = {{WEIR_CPU, SUMMED, to_sparse, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(sparse_reduce_max, "SparseReduceMax", REDUCTION, OF_REALS, DENSE,
               .mode = WEIR_UPDATE_MAX, .kernels = {{WEIR_CPU, "*", to_dense}});
WEIR_DEFINE_OP(sparse_reduce_max_sparse, "SparseReduceMaxSparse", REDUCTION, OF_REALS, SPARSE,
               .mode = WEIR_UPDATE_MAX, .kernels = {{WEIR_CPU, "*", to_sparse, WEIR_OWN_OUTPUTS}});
