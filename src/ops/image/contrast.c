/* ops/image/contrast.c - AdjustContrast: scales distances from the mean of each channel and clamps;
 * replaced by AdjustContrastv2. */
#include <math.h>

#include "ops/common/number_at.h"
#include "ops/declare.h"

static weir_status infer(weir_infer *infer)
{
    for (int i = 1; i < 4; i++)
        WEIR_TRY(weir_infer_rank(infer, i, 0));
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 3));
    return weir_infer_same_shape(infer);
}

/* One channel of one image, with pixel stride |step|. */
static void adjust_channel(const weir_call *call, int64_t first, int64_t pixels, int64_t step)
{
    const weir_tensor *x = weir_in(call, 0);
    float factor = *(const float *)weir_in(call, 1)->data;
    float low = *(const float *)weir_in(call, 2)->data,
          high = *(const float *)weir_in(call, 3)->data;
    float *y = weir_out(call, 0)->data;
    double sum = 0;
    for (int64_t i = 0; i < pixels; i++)
        sum += weir_number_at(x, first + i * step);
    double mean = sum / (double)pixels;
    for (int64_t i = 0; i < pixels; i++) {
        float value = (float)((weir_number_at(x, first + i * step) - mean) * factor + mean);
        y[first + i * step] = fmaxf(fminf(value, high), low);
    }
}

static weir_status adjust(weir_call *call)
{
    const weir_shape *shape = &weir_in(call, 0)->shape;
    int64_t channels = shape->dims[shape->rank - 1];
    int64_t pixels = shape->dims[shape->rank - 3] * shape->dims[shape->rank - 2];
    int64_t images = weir_shape_product(shape, 0, shape->rank - 3);
    for (int64_t image = 0; image < images; image++)
        for (int64_t channel = 0; channel < channels; channel++)
            adjust_channel(call, image * pixels * channels + channel, pixels, channels);
    return WEIR_OK;
}

WEIR_DEFINE_OP(adjust_contrast, "AdjustContrast",
               .in = "images: T; contrast_factor: float; min_value: float; max_value: float",
               .out = "output: float",
               .attrs = "T: {uint8, int8, int16, int32, int64, float, double}", .deprecated_at = 2,
               .deprecation = "Use AdjustContrastv2 instead", .infer = infer,
               .kernels = {{WEIR_CPU, "*", adjust}});
