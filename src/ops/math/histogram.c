/* ops/math/histogram.c - Bucketize and HistogramFixedWidth: the interval of each value. */
#include <inttypes.h>
#include <math.h>

#include "op/op.h"
#include "ops/common/elements.h"
#include "ops/common/number_at.h"

/* The number of boundaries not greater than |value|. */
static int32_t bucket_of(const float *boundaries, int count, double value)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (value < (double)boundaries[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static weir_status bucketize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const weir_attr *attr = weir_site_list(call->site, 1);
    int32_t *y = weir_out(call, 0)->data;
    int64_t count = weir_tensor_count(x);
    for (int32_t k = 1; k < attr->count; k++)
        if (attr->fs[k] < attr->fs[k - 1])
            return weir_error(WEIR_INVALID_ARGUMENT, "Expected sorted boundaries");
    for (int64_t i = 0; i < count; i++)
        y[i] = bucket_of(attr->fs, attr->count, weir_number_at(x, i));
    return WEIR_OK;
}

const weir_op weir_op_bucketize = {
    .name = "Bucketize",
    .in = "input: T",
    .out = "output: int32",
    .attrs = "T: {int32, int64, float, double}; boundaries: list(float)",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", bucketize}},
};

static weir_status histogram_infer(weir_infer *infer)
{
    int64_t bins = -1, two;
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), 2, &two));
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    if (weir_infer_value_int(infer, 2, &bins) && bins <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Requires nbins > 0: %" PRId64, bins);
    infer->out[0] = weir_shape_vector(bins);
    return WEIR_OK;
}

/* Values out of range go to the first and the last bin. */
static weir_status histogram(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *range = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    double low = weir_number_at(range, 0), high = weir_number_at(range, 1);
    int64_t bins = y->shape.dims[0], count = weir_tensor_count(x);
    if (!(low < high))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "value_range should satisfy value_range[0] < value_range[1], but got "
                          "'[%g, %g]'",
                          low, high);
    double step = (high - low) / (double)bins;
    weir_tensor_zero(&call->run->par, y);
    for (int64_t i = 0; i < count; i++) {
        double value = weir_number_at(x, i), at = floor((value - low) / step);
        if (value != value)
            continue;
        int64_t bin = at < 0 ? 0 : at > (double)(bins - 1) ? bins - 1 : (int64_t)at;
        weir_int_set(y, bin, weir_int_at(y, bin) + 1);
    }
    return WEIR_OK;
}

const weir_op weir_op_histogram_fixed_width = {
    .name = "HistogramFixedWidth",
    .in = "values: T; value_range: T; nbins: int32",
    .out = "out: dtype",
    .attrs = "T: {int32, int64, float, double}; dtype: {int32, int64} = DT_INT32",
    .host = "nbins; value_range",
    .infer = histogram_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", histogram}},
};
