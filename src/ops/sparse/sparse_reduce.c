/* ops/sparse/sparse_reduce.c - SparseReduceSum, SparseReduceMax and their sparse forms: entries
 * summed (or the largest taken) over axes. Groups without entries are zero, or absent from a sparse
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

/* Which dims are reduced; the others group the entries. */
typedef struct grouping {
    bool reduced[WEIR_MAX_RANK];
    int kept[WEIR_MAX_RANK], kept_count;
    weir_shape shape; /* of the result */
} grouping;

static weir_status make_grouping(const weir_tensor *axes, const int64_t *dims, int rank, bool keep,
                                 grouping *g)
{
    int64_t count = weir_tensor_count(axes);
    *g = (grouping){.kept_count = 0};
    for (int64_t k = 0; k < count; k++) {
        int64_t axis = weir_int_at(axes, k);
        if (axis < -rank || axis >= rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid reduction dimension %" PRId64
                              ", for input with %d dimensions.",
                              axis, rank);
        g->reduced[axis < 0 ? axis + rank : axis] = true;
    }
    for (int d = 0; d < rank; d++) {
        if (!g->reduced[d])
            g->kept[g->kept_count++] = d;
        if (!g->reduced[d] || keep)
            weir_shape_append(&g->shape, g->reduced[d] ? 1 : dims[d]);
    }
    return weir_shape_check(&g->shape);
}

static weir_status infer_inputs(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "input_"));
    return weir_infer_rank_at_most(i, AXES, 1);
}

static weir_status dense_infer(weir_infer *i)
{
    const weir_tensor *shape = weir_infer_value(i, SHAPE), *axes = weir_infer_value(i, AXES);
    grouping g;
    WEIR_TRY(infer_inputs(i));
    if (!shape || !axes || weir_tensor_count(shape) > WEIR_MAX_RANK)
        return WEIR_OK;
    WEIR_TRY(make_grouping(axes, shape->data, (int)weir_tensor_count(shape),
                           weir_site_bool(i->site, KEEP_DIMS), &g));
    i->out[0] = g.shape;
    return WEIR_OK;
}

static weir_status sparse_infer(weir_infer *i)
{
    return infer_inputs(i);
}

/* One pass over the entries, sorted by group. */
typedef struct pass {
    weir_sparse s;
    grouping g;
    int64_t *order;
    weir_update_fn fn;
} pass;

static weir_status begin_pass(weir_call *call, pass *p)
{
    weir_update_op op = (weir_update_op)weir_site_mode(call->site);
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &p->s));
    WEIR_TRY(weir_sparse_bounds(&p->s));
    WEIR_TRY(make_grouping(weir_in(call, AXES), p->s.dims, p->s.rank,
                           weir_site_bool(call->site, KEEP_DIMS), &p->g));
    p->fn = weir_update_find(op, weir_elem_of(p->s.values->dtype));
    p->order = WEIR_NEW_ARRAY(int64_t, p->s.count);
    weir_sparse_order(&p->s, p->g.kept, p->g.kept_count, p->order);
    return WEIR_OK;
}

static bool same_group(const pass *p, int64_t a, int64_t b)
{
    const int64_t *x = p->s.indices + p->order[a] * p->s.rank;
    const int64_t *y = p->s.indices + p->order[b] * p->s.rank;
    for (int k = 0; k < p->g.kept_count; k++)
        if (x[p->g.kept[k]] != y[p->g.kept[k]])
            return false;
    return true;
}

/* Reduces the group that begins at |n| into |out|; returns where the next one begins. */
static int64_t reduce_group(const pass *p, int64_t n, void *out)
{
    const weir_tensor *v = p->s.values;
    int64_t end = n + 1;
    weir_elements_copy(v->dtype, out, weir_at(v, p->order[n]), 1);
    for (; end < p->s.count && same_group(p, n, end); end++)
        p->fn(out, weir_at(v, p->order[end]), 1, 1);
    return end;
}

/* The index of a group in the result. */
static void group_index(const pass *p, int64_t n, bool keep, int64_t *out)
{
    const int64_t *at = p->s.indices + p->order[n] * p->s.rank;
    for (int d = 0; d < p->s.rank; d++)
        if (!p->g.reduced[d] || keep)
            *out++ = p->g.reduced[d] ? 0 : at[d];
}

static weir_status to_dense(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    pass p = {0};
    WEIR_TRY(begin_pass(call, &p));
    weir_tensor_zero(&call->run->par, y);
    for (int64_t n = 0; n < p.s.count;) {
        const int64_t *at = p.s.indices + p.order[n] * p.s.rank;
        int64_t flat = 0;
        for (int k = 0; k < p.g.kept_count; k++)
            flat = flat * p.s.dims[p.g.kept[k]] + at[p.g.kept[k]];
        n = reduce_group(&p, n, weir_at(y, flat));
    }
    weir_free(p.order);
    return WEIR_OK;
}

static weir_status to_sparse(weir_call *call)
{
    bool keep = weir_site_bool(call->site, KEEP_DIMS);
    pass p = {0};
    WEIR_TRY(begin_pass(call, &p));
    int64_t groups = p.s.count > 0;
    for (int64_t n = 1; n < p.s.count; n++)
        groups += !same_group(&p, n - 1, n);
    int rank = p.g.shape.rank;
    weir_status s = weir_sparse_alloc(call, 0, 1, groups, rank);
    if (!s)
        s = weir_sparse_alloc_shape(call, 2, p.g.shape.dims, rank);
    for (int64_t n = 0, k = 0; !s && n < p.s.count; k++) {
        group_index(&p, n, keep, (int64_t *)weir_out(call, 0)->data + k * rank);
        n = reduce_group(&p, n, weir_at(weir_out(call, 1), k));
    }
    weir_free(p.order);
    return s;
}

/* Every entry has the gradient of its group: dy, given the reduced axes back, at the entry's index
 * with those axes 0. */
static weir_status sum_grad(weir_grad *g)
{
    weir_edge shape = weir_grad_x(g, SHAPE), axes = weir_grad_x(g, AXES);
    const weir_shape *s = weir_edge_shape(weir_grad_node(g)->in[SHAPE]);
    if (s->rank != 1 || s->dims[0] < 0)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of SparseReduceSum needs an input of known rank");
    int32_t rank = (int32_t)s->dims[0];
    weir_edge positive = weir_grad_flatten(
        g, weir_grad_op(g, "FloorMod", WEIR_IN(axes, weir_grad_int32(g, rank)), WEIR_NO_ATTRS));
    weir_edge ones = weir_grad_op(g, "OnesLike", WEIR_IN(positive), WEIR_NO_ATTRS);
    ones = weir_grad_op(g, "Cast", WEIR_IN(ones), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT64)));
    weir_edge all = weir_grad_op(
        g, "Range", WEIR_IN(weir_grad_int32(g, 0), weir_grad_int32(g, rank), weir_grad_int32(g, 1)),
        WEIR_NO_ATTRS);
    weir_edge kept =
        weir_grad_op(g, "DynamicStitch", WEIR_IN(all, positive, shape, ones), WEIR_NO_ATTRS);
    weir_edge scale = weir_grad_op(g, "FloorDiv", WEIR_IN(shape, kept), WEIR_NO_ATTRS);
    weir_edge at =
        weir_grad_op(g, "FloorDiv", WEIR_IN(weir_grad_x(g, INDICES), scale), WEIR_NO_ATTRS);
    weir_edge dy = weir_grad_reshape(g, weir_grad_dy(g, 0), kept);
    weir_grad_set(g, VALUES, weir_grad_op(g, "GatherNd", WEIR_IN(dy, at), WEIR_NO_ATTRS));
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
