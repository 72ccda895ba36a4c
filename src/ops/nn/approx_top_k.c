/* ops/nn/approx_top_k.c - ApproxTopK: the largest or smallest numbers along a dimension. The
 * results are exact, which satisfies any requested recall.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/number_at.h"

enum { K, DIMENSION, RECALL, IS_MAX, OVERRIDE, AGGREGATE };

static weir_status dimension_of(const weir_site *site, int rank, int *out)
{
    int64_t dimension = weir_site_int(site, DIMENSION);
    if (dimension < -rank || dimension >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input must have last dimension >= k: reduction_dimension %" PRId64
                          " is out of bounds for rank %d",
                          dimension, rank);
    *out = (int)(dimension < 0 ? dimension + rank : dimension);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    int axis;
    int64_t k = weir_site_int(infer->site, K);
    const weir_shape *x = infer->in[0];
    if (x->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(dimension_of(infer->site, x->rank, &axis));
    if (x->dims[axis] >= 0 && x->dims[axis] < k)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Reduction dimension %d must be >= k = %" PRId64 " but is %" PRId64, axis,
                          k, x->dims[axis]);
    infer->out[0] = *x;
    infer->out[0].dims[axis] = k;
    infer->out[1] = infer->out[0];
    return WEIR_OK;
}

typedef struct ranked {
    double value; /* smaller comes first */
    int64_t index;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int axis;
    WEIR_TRY(dimension_of(call->site, x->shape.rank, &axis));
    int64_t k = weir_site_int(call->site, K), length = x->shape.dims[axis];
    int64_t outer = weir_shape_product(&x->shape, 0, axis),
            inner = weir_shape_product(&x->shape, axis + 1, x->shape.rank);
    double sign = weir_site_bool(call->site, IS_MAX) ? -1 : 1;
    size_t size = weir_dtype_size(x->dtype);
    WEIR_FREED ranked *row = WEIR_NEW_ARRAY(ranked, length + 1);
    for (int64_t o = 0; o < outer * inner; o++) {
        int64_t from = o / inner * length * inner + o % inner,
                to = o / inner * k * inner + o % inner;
        for (int64_t i = 0; i < length; i++)
            row[i] = (ranked){sign * weir_number_at(x, from + i * inner), i};
        qsort(row, (size_t)length, sizeof *row, by_rank);
        for (int64_t i = 0; i < k; i++) {
            memcpy((char *)weir_out(call, 0)->data + (size_t)(to + i * inner) * size,
                   (const char *)x->data + (size_t)(from + row[i].index * inner) * size, size);
            ((int32_t *)weir_out(call, 1)->data)[to + i * inner] = (int32_t)row[i].index;
        }
    }
    return WEIR_OK;
}

const weir_op weir_op_approx_top_k = {
    .name = "ApproxTopK",
    .in = "input: T",
    .out = "values: T; indices: int32",
    .attrs = "k: int >= 0; reduction_dimension: int = -1; recall_target: float = "
             "0.949999988079071; is_max_k: bool = true; reduction_input_size_override: int = -1; "
             "aggregate_to_topk: bool = true; T: {half, bfloat16, float}",
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run}},
};
