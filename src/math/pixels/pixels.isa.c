/* math/pixels/pixels.isa.c - loops over pixels. */
#include "math/pixels/pixels_impl.h"

static void convert(int64_t count, const uint8_t *restrict x, float scale, float shift,
                    float *restrict y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = (float)x[i] * scale + shift;
}

static void across(int64_t count, const uint8_t *restrict x, const int32_t *restrict low,
                   const int32_t *restrict high, const float *restrict part, float *restrict y)
{
    for (int64_t i = 0; i < count; i++) {
        float a = x[low[i]], b = x[high[i]];
        y[i] = a + (b - a) * part[i];
    }
}

static void down(int64_t count, const float *restrict above, const float *restrict below,
                 float part, float scale, float shift, float *restrict y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = (above[i] + (below[i] - above[i]) * part) * scale + shift;
}

const weir_pixel_loops WEIR_ISA_NAME(weir_pixel_loops) = {convert, across, down};
