/* ops/math/segment.c - SegmentSum and its relatives over sorted ids, UnsortedSegmentSum and its
 * relatives over any ids. */
#include "math/segment.h"

#include <float.h>
#include <inttypes.h>

#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/index.h"
#include "ops/declare.h"
#include "ops/math/gradient.h"
#include "ops/math/segment_util.h"
#include "ops/math/types.h"

/* ---- sorted ids ------------------------------------------------------------------------------ */

static weir_status sorted_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    weir_shape rest = weir_infer_sub(infer->in[0], 1, WEIR_MAX_RANK);
    weir_shape rows = weir_shape_vector(-1);
    return weir_infer_concat(&rows, &rest, &infer->out[0]);
}

static weir_status sorted_segments(weir_call *call)
{
    weir_segment_op op = (weir_segment_op)weir_site_mode(call->site);
    const weir_tensor *x = weir_in(call, 0), *ids_t = weir_in(call, 1);
    WEIR_TRY(weir_segment_type(call, op, x->dtype));
    if (ids_t->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "segment_ids should be a vector.");
    int64_t rows = ids_t->shape.dims[0], segments = 0;
    if (x->shape.rank < 1 || x->shape.dims[0] != rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "segment_ids should be the same size as dimension 0 of input.");
    weir_tensor ids;
    WEIR_TRY(weir_segment_ids(ids_t, &ids));
    weir_status status = weir_segment_sorted(ids.data, rows, &segments);
    if (!status)
        status = weir_segment_reduce(call, op, &ids, NULL, segments);
    weir_tensor_release(&ids);
    return status;
}

/* Each row gets the gradient of its segment. */
static weir_edge gather(weir_grad *grad, weir_edge params, weir_edge ids)
{
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    return weir_grad_op(grad, "GatherV2", WEIR_IN(params, ids, zero), WEIR_NO_ATTRS);
}
GRADIENT(segment_sum_grad, gather(grad, DY, X1))

/* Number of rows per segment, shaped to broadcast against the result: [segments, 1, 1 ...]. */
static weir_edge rows_per_segment(weir_grad *grad)
{
    weir_edge x = X, ids = X1, rank = OP1("Rank", x);
    weir_edge one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge ones =
        OP2("Fill",
            weir_grad_op(grad, "ExpandDims",
                         WEIR_IN(OP2("Sub", rank, one), weir_grad_scalar(grad, WEIR_INT32, 0)),
                         WEIR_NO_ATTRS),
            one);
    weir_edge shape = weir_grad_op(
        grad, "ConcatV2", WEIR_IN(OP1("Shape", ids), ones, weir_grad_scalar(grad, WEIR_INT32, 0)),
        WEIR_ATTRS(weir_a_int("N", 2)));
    weir_edge each = OP2("Fill", shape, LIKE(x, 1));
    return OP2("SegmentSum", each, ids);
}
GRADIENT(segment_mean_grad, gather(grad, DIV(DY, rows_per_segment(grad)), X1))

/* The gradient is divided equally among the rows that equal the extreme value. */
static weir_status segment_extreme_grad(weir_grad *grad)
{
    weir_edge x = X, ids = X1, zero = OP1("ZerosLike", x);
    weir_edge hit = OP2("Equal", x, gather(grad, Y, ids));
    weir_edge count = x.node ? weir_grad_cast(grad, hit, weir_edge_dtype(x)) : x;
    weir_edge shared = gather(grad, DIV(DY, OP2("SegmentSum", count, ids)), ids);
    weir_grad_set(grad, 0, WHERE(hit, shared, zero));
    return WEIR_OK;
}

/* As for unsorted ids: dy * product / x, the product of the others where x is 0. */
static weir_status segment_prod_grad(weir_grad *grad)
{
    weir_edge x = X, ids = X1, dy = DY, is_zero = OP2("Equal", x, LIKE(x, 0));
    weir_edge zeros = OP2("SegmentSum", weir_grad_cast(grad, is_zero, WEIR_INT32), ids);
    dy = WHERE(OP2("Greater", zeros, LIKE(zeros, 1)), OP1("ZerosLike", dy), dy);
    weir_edge others = OP2("SegmentProd", WHERE(is_zero, OP1("OnesLike", x), x), ids);
    weir_edge partial = WHERE(is_zero, gather(grad, others, ids), DIV(gather(grad, Y, ids), x));
    weir_grad_set(grad, 0, MUL(gather(grad, dy, ids), partial));
    return WEIR_OK;
}

#define SORTED                                                                                     \
    .in = "data: T; segment_ids: Tindices", .out = "output: T", .infer = sorted_infer,             \
    .kernels = {{WEIR_CPU, "*", sorted_segments, WEIR_OWN_OUTPUTS}}
#define SORTED_ATTRS(types) "T: {" types "}; Tindices: {int32, int64}"
WEIR_DEFINE_OP(segment_sum, "SegmentSum", SORTED, .attrs = SORTED_ATTRS(NUMBERS),
               .grad = segment_sum_grad, .mode = WEIR_SEG_sum);
WEIR_DEFINE_OP(segment_mean, "SegmentMean", SORTED, .attrs = SORTED_ATTRS(NUMBERS),
               .grad = segment_mean_grad, .mode = WEIR_SEG_mean);
WEIR_DEFINE_OP(segment_prod, "SegmentProd", SORTED, .attrs = SORTED_ATTRS(NUMBERS),
               .grad = segment_prod_grad, .mode = WEIR_SEG_prod);
WEIR_DEFINE_OP(segment_min, "SegmentMin", SORTED, .attrs = SORTED_ATTRS(REALS),
               .grad = segment_extreme_grad, .mode = WEIR_SEG_min);
WEIR_DEFINE_OP(segment_max, "SegmentMax", SORTED, .attrs = SORTED_ATTRS(REALS),
               .grad = segment_extreme_grad, .mode = WEIR_SEG_max);

/* ---- any ids --------------------------------------------------------------------------------- */

/* The ids' shape is a prefix of the data's; the rest follows the number of segments. */
static weir_status unsorted_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0], *ids = infer->in[1];
    int64_t segments = -1;
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    if (weir_infer_value_int(infer, 2, &segments) && segments < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input num_segments == %" PRId64 " must not be negative.", segments);
    if (x->rank < 0 || ids->rank < 0)
        return WEIR_OK;
    if (ids->rank > x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank %d but is rank %d",
                          ids->rank, x->rank);
    for (int axis = 0; axis < ids->rank; axis++)
        if (x->dims[axis] >= 0 && ids->dims[axis] >= 0 && x->dims[axis] != ids->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "data.shape = %s does not start with segment_ids.shape = %s",
                              WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(ids));
    weir_shape rest = weir_infer_sub(x, ids->rank, WEIR_MAX_RANK);
    weir_shape rows = weir_shape_vector(segments);
    return weir_infer_concat(&rows, &rest, &infer->out[0]);
}

/* |ids| are those of a tensor with |shape|. */
static weir_status check_below(const int64_t *ids, const weir_shape *shape, int64_t segments)
{
    int64_t count = weir_shape_count(shape);
    for (int64_t i = 0; i < count; i++)
        if (ids[i] >= segments)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "segment_ids%s = %" PRId64 " is out of range [0, %" PRId64 ")",
                              weir_index_text(shape, i, (char[WEIR_SHAPE_TEXT]){0}), ids[i],
                              segments);
    return WEIR_OK;
}

static weir_status unsorted_segments(weir_call *call)
{
    weir_segment_op op = (weir_segment_op)weir_site_mode(call->site);
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor ids;
    WEIR_TRY(weir_segment_type(call, op, x->dtype));
    int64_t segments = weir_int_at(weir_in(call, 2), 0);
    if (segments < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input num_segments == %" PRId64 " must not be negative.", segments);
    WEIR_TRY(weir_segment_ids(weir_in(call, 1), &ids));
    weir_status status = check_below(ids.data, &weir_in(call, 1)->shape, segments);
    if (!status)
        status = weir_segment_reduce(call, op, &ids, NULL, segments);
    weir_tensor_release(&ids);
    return status;
}

/* Gradients of dropped rows (negative ids) are 0. |out_kept| tells which rows were kept, broadcast
 * to the rows' shape. */
static weir_edge gather_kept(weir_grad *grad, weir_edge params, weir_edge ids, weir_edge *out_kept)
{
    weir_edge rows = gather(grad, params, OP2("Maximum", ids, LIKE(ids, 0)));
    weir_edge kept = OP2("GreaterEqual", ids, LIKE(ids, 0));
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge extra = SUB(OP1("Rank", rows), OP1("Rank", kept));
    weir_edge ones =
        OP2("Fill", weir_grad_op(grad, "ExpandDims", WEIR_IN(extra, zero), WEIR_NO_ATTRS), one);
    weir_edge shape = weir_grad_op(grad, "ConcatV2", WEIR_IN(OP1("Shape", kept), ones, zero),
                                   WEIR_ATTRS(weir_a_int("N", 2)));
    kept = OP2("Reshape", kept, shape);
    kept = OP2("LogicalAnd", kept, OP1("OnesLike", OP2("Equal", rows, rows)));
    if (out_kept)
        *out_kept = kept;
    return WHERE(kept, rows, OP1("ZerosLike", rows));
}
GRADIENT(unsorted_sum_grad, gather_kept(grad, DY, X1, NULL))

static weir_status unsorted_extreme_grad(weir_grad *grad)
{
    weir_edge x = X, ids = X1, segments = weir_grad_x(grad, 2), kept;
    weir_edge taken = gather_kept(grad, Y, ids, &kept);
    weir_edge hit = OP2("LogicalAnd", OP2("Equal", x, taken), kept);
    weir_edge count = x.node ? weir_grad_cast(grad, hit, weir_edge_dtype(x)) : x;
    weir_edge ties =
        weir_grad_op(grad, "UnsortedSegmentSum", WEIR_IN(count, ids, segments), WEIR_NO_ATTRS);
    weir_edge shared = gather_kept(grad, DIV(DY, ties), ids, NULL);
    weir_grad_set(grad, 0, WHERE(hit, shared, OP1("ZerosLike", shared)));
    return WEIR_OK;
}

/* dy * product / x, or if x is 0 the product of the others, which is also 0 if another of the
 * segment is 0. */
static weir_status unsorted_prod_grad(weir_grad *grad)
{
    weir_edge x = X, ids = X1, segments = weir_grad_x(grad, 2), dy = DY;
    weir_edge is_zero = OP2("Equal", x, LIKE(x, 0));
    weir_edge zeros = weir_grad_op(
        grad, "UnsortedSegmentSum",
        WEIR_IN(weir_grad_cast(grad, is_zero, WEIR_INT32), ids, segments), WEIR_NO_ATTRS);
    dy = WHERE(OP2("Greater", zeros, LIKE(zeros, 1)), OP1("ZerosLike", dy), dy);
    weir_edge others = WHERE(is_zero, OP1("OnesLike", x), x);
    weir_edge others_prod =
        weir_grad_op(grad, "UnsortedSegmentProd", WEIR_IN(others, ids, segments), WEIR_NO_ATTRS);
    weir_edge clipped = OP2("Maximum", ids, LIKE(ids, 0));
    weir_edge partial =
        WHERE(is_zero, gather(grad, others_prod, clipped), DIV(gather(grad, Y, clipped), x));
    weir_grad_set(grad, 0, MUL(gather_kept(grad, dy, ids, NULL), partial));
    return WEIR_OK;
}

#define UNSORTED                                                                                   \
    .in = "data: T; segment_ids: Tindices; num_segments: Tnumsegments", .out = "output: T",        \
    .infer = unsorted_infer, .kernels = {{WEIR_CPU, "*", unsorted_segments, WEIR_OWN_OUTPUTS}}
#define COUNT "Tnumsegments: " INDEX_TYPE
#define UNSORTED_ATTRS(types, id_types) "T: {" types "}; Tindices: {" id_types "}; " COUNT
WEIR_DEFINE_OP(unsorted_segment_sum, "UnsortedSegmentSum", UNSORTED,
               .attrs = UNSORTED_ATTRS(NUMBERS, "int16, int32, int64"), .grad = unsorted_sum_grad,
               .mode = WEIR_SEG_sum, .host = "num_segments");
WEIR_DEFINE_OP(unsorted_segment_prod, "UnsortedSegmentProd", UNSORTED,
               .attrs = UNSORTED_ATTRS(NUMBERS, "int32, int64"), .grad = unsorted_prod_grad,
               .mode = WEIR_SEG_prod, .host = "num_segments");
WEIR_DEFINE_OP(unsorted_segment_min, "UnsortedSegmentMin", UNSORTED,
               .attrs = UNSORTED_ATTRS(REALS, "int32, int64"), .grad = unsorted_extreme_grad,
               .mode = WEIR_SEG_min, .host = "num_segments");
WEIR_DEFINE_OP(unsorted_segment_max, "UnsortedSegmentMax", UNSORTED,
               .attrs = UNSORTED_ATTRS(REALS, "int32, int64"), .grad = unsorted_extreme_grad,
               .mode = WEIR_SEG_max, .host = "num_segments");

/* With a count of segments, ids need not be sorted, and empty segments have the values of the
 * unsorted ops. */
#define WITH_COUNT(types)                                                                          \
    UNSORTED, .attrs = UNSORTED_ATTRS(types, "int32, int64"), .host = "num_segments"
WEIR_DEFINE_OP(segment_sum_v2, "SegmentSumV2", WITH_COUNT(NUMBERS), .grad = unsorted_sum_grad,
               .mode = WEIR_SEG_sum);
WEIR_DEFINE_OP(segment_prod_v2, "SegmentProdV2", WITH_COUNT(NUMBERS), .grad = unsorted_prod_grad,
               .mode = WEIR_SEG_prod);
WEIR_DEFINE_OP(segment_min_v2, "SegmentMinV2", WITH_COUNT(REALS), .grad = unsorted_extreme_grad,
               .mode = WEIR_SEG_min);
WEIR_DEFINE_OP(segment_max_v2, "SegmentMaxV2", WITH_COUNT(REALS), .grad = unsorted_extreme_grad,
               .mode = WEIR_SEG_max);
