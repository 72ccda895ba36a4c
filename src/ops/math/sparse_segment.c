/* ops/math/sparse_segment.c - SparseSegmentSum, Mean and SqrtN: segments of selected rows, and
 * their gradients. */
#include <inttypes.h>
#include <stdlib.h>

#include "grad/grad.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/math/gradient.h"
#include "ops/math/segment_util.h"
#include "ops/math/types.h"

static weir_status sparse_infer(weir_infer *infer)
{
    int64_t segments = -1;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_rank(infer, 2, 1));
    weir_shape merged;
    WEIR_TRY(weir_infer_merge(infer->in[1], infer->in[2], &merged));
    if (infer->in_count > 3 && weir_infer_value_int(infer, 3, &segments) && segments < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot specify a negative value for num_segments");
    weir_shape rest = weir_infer_sub(infer->in[0], 1, WEIR_MAX_RANK);
    weir_shape rows = weir_shape_vector(segments);
    return weir_infer_concat(&rows, &rest, &infer->out[0]);
}

static weir_status check_indices(const int64_t *indices, int64_t rows, int64_t limit)
{
    for (int64_t row = 0; row < rows; row++)
        if (indices[row] < 0 || indices[row] >= limit)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Bad: indices[%" PRId64 "] == %" PRId64 " out of range [0, %" PRId64
                              ")",
                              row, indices[row], limit);
    return WEIR_OK;
}

/* Checks that ids are non-decreasing and within the requested segments. */
static weir_status count_segments(weir_call *call, const weir_tensor *ids, int64_t *out_segments)
{
    int64_t named, rows = ids->shape.dims[0];
    WEIR_TRY(weir_segment_sorted(ids->data, rows, &named));
    *out_segments = named;
    const weir_shape *x = &weir_in(call, 0)->shape;
    int64_t width = x->rank > 0 ? weir_shape_product(x, 1, x->rank) : 1, elements;
    if (__builtin_mul_overflow(named, width, &elements))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Encountered overflow when multiplying %" PRId64 " with %" PRId64
                          ", result: -1",
                          named, width);
    if (call->site->in_count < 4)
        return WEIR_OK;
    *out_segments = weir_int_at(weir_in(call, 3), 0);
    if (*out_segments < named)
        return weir_error(WEIR_INVALID_ARGUMENT, "segment ids must be < num_segments");
    return WEIR_OK;
}

static weir_status sparse_segments(weir_call *call)
{
    weir_segment_op op = (weir_segment_op)weir_site_mode(call->site);
    const weir_tensor *x = weir_in(call, 0), *indices_t = weir_in(call, 1);
    const weir_tensor *ids_t = weir_in(call, 2);
    WEIR_TRY(weir_segment_type(call, op, x->dtype));
    if (ids_t->shape.dims[0] != indices_t->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT, "segment_ids and indices should have same size.");
    weir_tensor ids = {0}, indices = {0};
    int64_t segments = 0;
    weir_status status = weir_segment_ids(ids_t, &ids);
    if (!status)
        status = weir_segment_ids(indices_t, &indices);
    if (!status)
        status = count_segments(call, &ids, &segments);
    if (!status)
        status = check_indices(indices.data, indices.shape.dims[0], x->shape.dims[0]);
    if (!status)
        status = weir_segment_reduce(call, op, &ids, &indices, segments);
    weir_tensor_release(&ids);
    weir_tensor_release(&indices);
    return status;
}

/* ---- gradients ------------------------------------------------------------------------------- */

static weir_status spread_grad(weir_grad *grad)
{
    static const char *const ops[] = {
        [WEIR_SEG_sum] = "SparseSegmentSumGrad",
        [WEIR_SEG_mean] = "SparseSegmentMeanGrad",
        [WEIR_SEG_sqrt_n] = "SparseSegmentSqrtNGrad",
    };
    weir_edge x = X, zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge rows = weir_grad_op(grad, "GatherV2",
                                  WEIR_IN(weir_grad_shape_of(grad, x), zero, zero), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, ops[weir_site_mode(weir_grad_site(grad))],
                               WEIR_IN(DY, X1, weir_grad_x(grad, 2), rows), WEIR_NO_ATTRS));
    return WEIR_OK;
}

#define COUNT "Tnumsegments: " INDEX_TYPE
#define IDS "Tsegmentids: {int32, int64} = DT_INT32; sparse_gradient: bool = false"
#define SEGMENTS                                                                                   \
    .out = "output: T", .infer = sparse_infer, .grad = spread_grad,                                \
    .kernels = {{WEIR_CPU, "*", sparse_segments, WEIR_OWN_OUTPUTS}}
#define WITHOUT_COUNT SEGMENTS, .in = "data: T; indices: Tidx; segment_ids: Tsegmentids"
#define SEGMENT_ATTRS(types) "T: {" types "}; Tidx: " INDEX_TYPE "; " IDS
#define COUNTED_ATTRS(types) "T: {" types "}; Tidx: " INDEX_TYPE "; " COUNT "; " IDS
WEIR_DEFINE_OP(sparse_segment_sum, "SparseSegmentSum", WITHOUT_COUNT, .attrs = SEGMENT_ATTRS(REALS),
               .mode = WEIR_SEG_sum);
WEIR_DEFINE_OP(sparse_segment_mean, "SparseSegmentMean", WITHOUT_COUNT,
               .attrs = SEGMENT_ATTRS(FLOATS), .mode = WEIR_SEG_mean);
WEIR_DEFINE_OP(sparse_segment_sqrt_n, "SparseSegmentSqrtN", WITHOUT_COUNT,
               .attrs = SEGMENT_ATTRS(FLOATS), .mode = WEIR_SEG_sqrt_n);

#define WITH_COUNT                                                                                 \
    SEGMENTS, .in = "data: T; indices: Tidx; segment_ids: Tsegmentids; num_segments: Tnumsegments"
WEIR_DEFINE_OP(sparse_segment_sum_with_num_segments, "SparseSegmentSumWithNumSegments", WITH_COUNT,
               .attrs = COUNTED_ATTRS(REALS), .mode = WEIR_SEG_sum, .host = "num_segments");
WEIR_DEFINE_OP(sparse_segment_mean_with_num_segments, "SparseSegmentMeanWithNumSegments",
               WITH_COUNT, .attrs = COUNTED_ATTRS(FLOATS), .mode = WEIR_SEG_mean,
               .host = "num_segments");
WEIR_DEFINE_OP(sparse_segment_sqrt_n_with_num_segments, "SparseSegmentSqrtNWithNumSegments",
               WITH_COUNT, .attrs = COUNTED_ATTRS(FLOATS), .mode = WEIR_SEG_sqrt_n,
               .host = "num_segments");

/* ---- gradient ops ---------------------------------------------------------------------------- */

static weir_status spread_infer(weir_infer *infer)
{
    int64_t rows = -1;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    weir_shape merged;
    WEIR_TRY(weir_infer_merge(infer->in[1], infer->in[2], &merged));
    WEIR_TRY(weir_infer_rank(infer, 3, 0));
    bool compact = infer->out_count == 2;
    if (weir_infer_value_int(infer, 3, &rows) && rows < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot specify a negative value for output_dim0");
    weir_shape rest = weir_infer_sub(infer->in[0], 1, WEIR_MAX_RANK);
    weir_shape first = weir_shape_vector(compact ? -1 : rows);
    if (compact)
        infer->out[1] = weir_shape_vector(-1);
    return weir_infer_concat(&first, &rest, &infer->out[0]);
}

static weir_status check_spread(const weir_tensor *ids, int64_t segments,
                                const weir_tensor *indices, int64_t rows)
{
    const int64_t *id = ids->data, *index = indices->data;
    if (ids->shape.dims[0] && id[ids->shape.dims[0] - 1] >= segments)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid number of segments");
    for (int64_t r = 0; r < ids->shape.dims[0]; r++) {
        if (id[r] < 0 || id[r] >= segments)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Segment id %" PRId64 " out of range [0, %" PRId64 ").", id[r],
                              segments);
        if (index[r] < 0 || index[r] >= rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Index %" PRId64 " out of range [0, %" PRId64 ").", index[r], rows);
    }
    return WEIR_OK;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Output 1: the distinct indices, sorted. |indices| become positions in that list. */
static weir_status compact_indices(weir_call *call, weir_tensor *indices, int64_t *out_rows)
{
    weir_tensor sorted;
    WEIR_TRY(weir_tensor_clone(indices, &sorted));
    int64_t *s = sorted.data, *index = indices->data, count = indices->shape.dims[0], total = 0;
    qsort(s, (size_t)count, sizeof *s, by_value);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || s[i] != s[total - 1])
            s[total++] = s[i];
    for (int64_t i = 0; i < count; i++)
        index[i] = (const int64_t *)bsearch(&index[i], s, (size_t)total, sizeof *s, by_value) - s;
    weir_shape shape = weir_shape_vector(total);
    weir_status status = weir_call_alloc(call, 1, &shape);
    for (int64_t i = 0; !status && i < total; i++)
        weir_int_set(weir_out(call, 1), i, s[i]);
    weir_tensor_release(&sorted);
    *out_rows = total;
    return status;
}

static weir_status spread_checked(weir_call *call, weir_segment_op op, const weir_tensor *ids,
                                  weir_tensor *indices)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t rows = weir_int_at(weir_in(call, 3), 0), segments = x->shape.dims[0];
    WEIR_TRY(check_spread(ids, segments, indices, rows));
    if (call->site->out_count == 2)
        WEIR_TRY(compact_indices(call, indices, &rows));
    weir_shape shape = x->shape;
    shape.dims[0] = rows;
    if (rows < 0 || weir_shape_count(&shape) < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "output_dim0 must not be %" PRId64, rows);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    return weir_segment_spread(&call->run->par,
                               &(weir_segment){
                                   .op = op,
                                   .elem = weir_elem_of(x->dtype),
                                   .rows = ids->shape.dims[0],
                                   .width = weir_shape_product(&x->shape, 1, x->shape.rank),
                                   .segments = segments,
                                   .ids = ids->data,
                                   .indices = indices->data,
                                   .x = x->data,
                                   .y = weir_out(call, 0)->data,
                               },
                               rows);
}

static weir_status spread_run(weir_call *call)
{
    weir_segment_op op = (weir_segment_op)weir_site_mode(call->site);
    const weir_tensor *indices_t = weir_in(call, 1), *ids_t = weir_in(call, 2);
    if (ids_t->shape.dims[0] != indices_t->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT, "segment_ids and indices should have same size.");
    weir_tensor ids = {0}, indices = {0};
    weir_status status = weir_segment_ids(ids_t, &ids);
    if (!status)
        status = weir_segment_ids(indices_t, &indices);
    if (!status)
        status = spread_checked(call, op, &ids, &indices);
    weir_tensor_release(&ids);
    weir_tensor_release(&indices);
    return status;
}

#define SPREAD                                                                                     \
    .attrs = "T: {" FLOATS "}; Tidx: " INDEX_TYPE "; Tsegmentids: " INDEX_TYPE,                    \
    .infer = spread_infer, .kernels = {{WEIR_CPU, "*", spread_run, WEIR_OWN_OUTPUTS}}
#define SPREAD_V1                                                                                  \
    SPREAD, .in = "grad: T; indices: Tidx; segment_ids: Tsegmentids; output_dim0: int32",          \
            .out = "output: T"
#define SPREAD_V2                                                                                  \
    SPREAD, .in = "grad: T; indices: Tidx; segment_ids: Tsegmentids; dense_output_dim0: int32",    \
            .out = "output: T; sorted_unique_indices: Tidx"
WEIR_DEFINE_OP(sparse_segment_sum_grad, "SparseSegmentSumGrad", SPREAD_V1, .mode = WEIR_SEG_sum,
               .host = "output_dim0");
WEIR_DEFINE_OP(sparse_segment_mean_grad, "SparseSegmentMeanGrad", SPREAD_V1, .mode = WEIR_SEG_mean,
               .host = "output_dim0");
WEIR_DEFINE_OP(sparse_segment_sqrt_n_grad, "SparseSegmentSqrtNGrad", SPREAD_V1,
               .mode = WEIR_SEG_sqrt_n, .host = "output_dim0");
WEIR_DEFINE_OP(sparse_segment_sum_grad_v2, "SparseSegmentSumGradV2", SPREAD_V2,
               .mode = WEIR_SEG_sum, .host = "dense_output_dim0");
WEIR_DEFINE_OP(sparse_segment_mean_grad_v2, "SparseSegmentMeanGradV2", SPREAD_V2,
               .mode = WEIR_SEG_mean, .host = "dense_output_dim0");
WEIR_DEFINE_OP(sparse_segment_sqrt_n_grad_v2, "SparseSegmentSqrtNGradV2", SPREAD_V2,
               .mode = WEIR_SEG_sqrt_n, .host = "dense_output_dim0");
