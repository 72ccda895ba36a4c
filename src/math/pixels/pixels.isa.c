/* math/pixels/pixels.isa.c - loops over pixels. */
#include "math/pixels/pixels_impl.h"

#include <string.h>

static void convert(int64_t count, const uint8_t *restrict x, float scale, float shift,
                    float *restrict y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = (float)x[i] * scale + shift;
}

static void down_bytes(int64_t count, const uint8_t *restrict above, const uint8_t *restrict below,
                       float part, float scale, float shift, float *restrict y)
{
    for (int64_t i = 0; i < count; i++) {
        float a = above[i], b = below[i];
        y[i] = (a + (b - a) * part) * scale + shift;
    }
}

static void down(int64_t count, const float *restrict above, const float *restrict below,
                 float part, float *restrict y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = above[i] + (below[i] - above[i]) * part;
}

static void across(int64_t count, const float *restrict x, weir_row_places at, float *restrict y)
{
    for (int64_t i = 0; i < count; i++) {
        float a = x[at.low[i]], b = x[at.high[i]];
        y[i] = a + (b - a) * at.part[i];
    }
}

typedef float four __attribute__((vector_size(16)));

static inline four between(const float *x, weir_row_places at, int64_t i)
{
    four a, b;
    memcpy(&a, x + at.low[i], sizeof a);
    memcpy(&b, x + at.high[i], sizeof b);
    return a + (b - a) * at.part[i];
}

/* Each pixel is stored as four elements; the next pixel overwrites the fourth. */
static void across3(int64_t count, const float *restrict x, weir_row_places at, float *restrict y)
{
    int64_t i = 0;
    for (; i + 1 < count; i++) {
        four v = between(x, at, i);
        memcpy(y + 3 * i, &v, sizeof v);
    }
    four v = between(x, at, i);
    memcpy(y + 3 * i, &v, 3 * sizeof(float));
}

const weir_pixel_loops WEIR_ISA_NAME(weir_pixel_loops) = {convert, down_bytes, down, across,
                                                          across3};
