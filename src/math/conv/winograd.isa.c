/* math/conv/winograd.isa.c - transforms to the basis of the points 0, 1, -1, 2, -2 (1/2, -1/2) and
 * infinity.
 *
 * A polynomial of degree below n is known by its values at n - 1 points and its leading
 * coefficient. Each change of basis is a small matrix on the left and, transposed, on the right;
 * both are applied line by line to vectors of channels.
 */
#include <string.h>

#include "math/conv/winograd_impl.h"

#if defined(__AVX512F__)
#define VEC_BYTES 64
#elif defined(__AVX__)
#define VEC_BYTES 32
#else
#define VEC_BYTES 16
#endif
enum { VEC = VEC_BYTES / sizeof(float), MOST = 8 };
typedef float V __attribute__((vector_size(VEC_BYTES), aligned(sizeof(float)), may_alias));
typedef int32_t M __attribute__((vector_size(VEC_BYTES)));

#define INLINE static inline __attribute__((always_inline))

/* A vector of a pixel's channels; a null pixel is zero. */
INLINE V load(const float *p, int64_t at)
{
    static const float zeros[VEC];
    return *(const V *)(p ? p + at : zeros);
}

/* The last channels of pixels, padded with zeros to a vector. The blocks below handle whole vectors
 * only: a branch at each of their loads and stores would be most of their code.
 */
typedef struct part {
    float at[MOST * MOST][VEC];
    float *pixels[MOST * MOST];
} part;

static const float *const *part_of(const float *const *pixels, int count, int64_t channel,
                                   int64_t channels, part *out)
{
    for (int i = 0; i < count; i++) {
        int64_t left = pixels[i] ? channels - channel : 0;
        if (left)
            memcpy(out->at[i], pixels[i] + channel, (size_t)left * sizeof(float));
        memset(out->at[i] + left, 0, (size_t)(VEC - left) * sizeof(float));
        out->pixels[i] = out->at[i];
    }
    return (const float *const *)out->pixels;
}

static void store_part(const part *from, float *const *pixels, int count, int64_t channel,
                       int64_t channels)
{
    for (int i = 0; i < count; i++)
        if (pixels[i])
            memcpy(pixels[i] + channel, from->at[i], (size_t)(channels - channel) * sizeof(float));
}

/* The n values of a line, |step| vectors apart, into the basis. */
INLINE void image_line(int n, const V *d, int step, V *t)
{
    V d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step],
      d5 = d[5 * step];
    if (n == 6) {
        V a = d4 - 4.0f * d2, b = d3 - 4.0f * d1, c = d4 - d2, e = 2.0f * (d3 - d1);
        t[0] = 4.0f * d0 - 5.0f * d2 + d4;
        t[1] = a + b;
        t[2] = a - b;
        t[3] = c + e;
        t[4] = c - e;
        t[5] = 4.0f * d1 - 5.0f * d3 + d5;
        return;
    }
    V d6 = d[6 * step], d7 = d[7 * step];
    V a = d2 - 4.25f * d4 + d6, b = d1 - 4.25f * d3 + d5;
    V c = 0.25f * d2 - 1.25f * d4 + d6, e = 0.5f * d1 - 2.5f * d3 + 2.0f * d5;
    V f = 4.0f * d2 - 5.0f * d4 + d6, h = 2.0f * d1 - 2.5f * d3 + 0.5f * d5;
    t[0] = d0 - d6 + 5.25f * (d4 - d2);
    t[1] = a + b;
    t[2] = a - b;
    t[3] = c + e;
    t[4] = c - e;
    t[5] = f + h;
    t[6] = f - h;
    t[7] = d7 - d1 + 5.25f * (d3 - d5);
}

/* |side| coefficients, |step| vectors apart, at the n points, each over its own divisor. */
INLINE void filter_line(int n, int side, const V *g, int step, V *t)
{
    V zero = {0}, g0 = g[0], g1 = g[step], g2 = g[2 * step];
    V g3 = side > 3 ? g[3 * step] : zero, g4 = side > 4 ? g[4 * step] : zero;
    V even = g0 + g2 + g4, odd = g1 + g3;
    V even2 = g0 + 4.0f * g2 + 16.0f * g4, odd2 = 2.0f * g1 + 8.0f * g3;
    float at1 = n == 6 ? -1.0f / 6 : -2.0f / 9, at2 = n == 6 ? 1.0f / 24 : 1.0f / 90;
    t[0] = g0 * (n == 6 ? 0.25f : 1.0f);
    t[1] = (even + odd) * at1;
    t[2] = (even - odd) * at1;
    t[3] = (even2 + odd2) * at2;
    t[4] = (even2 - odd2) * at2;
    if (n == 8) {
        V half = g0 + 0.25f * g2 + 0.0625f * g4, rest = 0.5f * g1 + 0.125f * g3;
        t[5] = (half + rest) * (32.0f / 45);
        t[6] = (half - rest) * (32.0f / 45);
    }
    t[n - 1] = g[(side - 1) * step];
}

/* |side| results from the values at the n points, |step| vectors apart. */
INLINE void result_line(int n, int side, const V *v, int step, V *t)
{
    V s = v[step] + v[2 * step], d = v[step] - v[2 * step], zero = {0};
    V s2 = v[3 * step] + v[4 * step], d2 = v[3 * step] - v[4 * step];
    V s3 = zero, d3 = zero;
    if (n == 8) {
        s3 = v[5 * step] + v[6 * step];
        d3 = v[5 * step] - v[6 * step];
    }
    t[0] = v[0] + s + s2 + s3;
    t[1] = d + 2.0f * d2 + 0.5f * d3;
    t[2] = s + 4.0f * s2 + 0.25f * s3;
    if (side > 3)
        t[3] = d + 8.0f * d2 + 0.125f * d3;
    if (side > 4)
        t[4] = s + 16.0f * s2 + 0.0625f * s3;
    t[side - 1] += v[(n - 1) * step];
}

INLINE void image_block(int n, const float *const *pixels, int64_t at, float *to, int64_t step)
{
    V lines[MOST * MOST], line[MOST];
#pragma GCC unroll 8
    for (int y = 0; y < n; y++) {
#pragma GCC unroll 8
        for (int x = 0; x < n; x++)
            line[x] = load(pixels[y * n + x], at);
        image_line(n, line, 1, lines + y * n);
    }
#pragma GCC unroll 8
    for (int x = 0; x < n; x++) {
        image_line(n, lines + x, n, line);
#pragma GCC unroll 8
        for (int y = 0; y < n; y++)
            *(V *)(to + (y * n + x) * step) = line[y];
    }
}

INLINE void image_of(int n, const float *const *pixels, int64_t channels, float *to, int64_t step)
{
    part in, out;
    for (int64_t channel = 0; channel < channels; channel += VEC) {
        bool whole = channels - channel >= VEC;
        const float *const *from = whole ? pixels : part_of(pixels, n * n, channel, channels, &in);
        image_block(n, from, whole ? channel : 0, whole ? to + channel : out.at[0],
                    whole ? step : VEC);
        for (int i = 0; !whole && i < n * n; i++)
            memcpy(to + i * step + channel, out.at[i],
                   (size_t)(channels - channel) * sizeof(float));
    }
}

/* The offset of channel |c| of row |row| in panels of two vectors; the last may have one. */
INLINE int64_t packed_at(int64_t channels, int64_t c, int64_t row, int64_t depth)
{
    int64_t panel = c / (2 * VEC) * (2 * VEC);
    int64_t width = channels - panel > VEC ? 2 * VEC : VEC;
    return panel * depth + row * width + (c - panel);
}

INLINE void filter_block(int n, int side, const float *const *pixels, int64_t at, float *to,
                         int64_t step)
{
    V lines[5 * MOST], line[MOST];
#pragma GCC unroll 5
    for (int y = 0; y < side; y++) {
#pragma GCC unroll 5
        for (int x = 0; x < side; x++)
            line[x] = load(pixels[y * side + x], at);
        filter_line(n, side, line, 1, lines + y * n);
    }
#pragma GCC unroll 8
    for (int x = 0; x < n; x++) {
        filter_line(n, side, lines + x, n, line);
#pragma GCC unroll 8
        for (int y = 0; y < n; y++)
            *(V *)(to + (y * n + x) * step) = line[y]; /* zeros fill the last vector */
    }
}

INLINE void filter_of(int n, int side, const float *const *pixels, int64_t channels, int64_t row,
                      int64_t depth, float *to, int64_t step)
{
    part in;
    for (int64_t channel = 0; channel < channels; channel += VEC) {
        bool whole = channels - channel >= VEC;
        const float *const *from =
            whole ? pixels : part_of(pixels, side * side, channel, channels, &in);
        filter_block(n, side, from, whole ? channel : 0,
                     to + packed_at(channels, channel, row, depth), step);
    }
}

INLINE V finished(V x, const weir_epilogue *then, V bias)
{
    V v = x + bias, none = {0};
    return then->relu ? (V)((M)v & ~(v <= none)) : v;
}

INLINE void result_block(int n, int side, const float *from, int64_t step,
                         const weir_epilogue *then, V bias, float *const *pixels, int64_t at)
{
    V points[MOST], lines[5 * MOST], line[5];
#pragma GCC unroll 8
    for (int x = 0; x < n; x++) {
#pragma GCC unroll 8
        for (int y = 0; y < n; y++)
            points[y] = *(const V *)(from + (y * n + x) * step);
        result_line(n, side, points, 1, line);
#pragma GCC unroll 5
        for (int y = 0; y < side; y++)
            lines[y * n + x] = line[y];
    }
#pragma GCC unroll 5
    for (int y = 0; y < side; y++) {
        result_line(n, side, lines + y * n, 1, line);
#pragma GCC unroll 5
        for (int x = 0; then && x < side; x++)
            line[x] = finished(line[x], then, bias);
#pragma GCC unroll 5
        for (int x = 0; x < side; x++)
            if (pixels[y * side + x])
                *(V *)(pixels[y * side + x] + at) = line[x];
    }
}

INLINE void result_of(int n, int side, const float *from, int64_t step, int64_t channels,
                      const weir_epilogue *then, float *const *pixels)
{
    const float *bias = then ? then->bias : NULL;
    for (int64_t channel = 0; channel < channels; channel += VEC) {
        const float *points[MOST * MOST];
        part in, out, of_bias;
        bool whole = channels - channel >= VEC;
        const float *values = whole ? from + channel : in.at[0];
        V added = load(whole ? bias : *part_of(&bias, 1, channel, channels, &of_bias),
                       whole ? channel : 0);
        for (int i = 0; !whole && i < n * n; i++)
            points[i] = from + i * step;
        if (!whole)
            part_of(points, n * n, channel, channels, &in);
        for (int i = 0; !whole && i < side * side; i++)
            out.pixels[i] = pixels[i] ? out.at[i] : NULL;
        result_block(n, side, values, whole ? step : VEC, then, added, whole ? pixels : out.pixels,
                     whole ? channel : 0);
        if (!whole)
            store_part(&out, pixels, side * side, channel, channels);
    }
}

/* A basis of n points serves filters of sides n / 2 and n / 2 + 1; the results of the one have the
 * side of the other. */
static void image_6(const float *const *pixels, int64_t channels, float *to, int64_t step)
{
    image_of(6, pixels, channels, to, step);
}

static void filter_6(int side, const float *const *pixels, int64_t channels, int64_t row,
                     int64_t depth, float *to, int64_t step)
{
    if (side == 3)
        filter_of(6, 3, pixels, channels, row, depth, to, step);
    else
        filter_of(6, 4, pixels, channels, row, depth, to, step);
}

static void result_6(int side, const float *from, int64_t step, int64_t channels,
                     const weir_epilogue *then, float *const *pixels)
{
    if (side == 3)
        result_of(6, 3, from, step, channels, then, pixels);
    else
        result_of(6, 4, from, step, channels, then, pixels);
}

static void image_8(const float *const *pixels, int64_t channels, float *to, int64_t step)
{
    image_of(8, pixels, channels, to, step);
}

static void filter_8(int side, const float *const *pixels, int64_t channels, int64_t row,
                     int64_t depth, float *to, int64_t step)
{
    if (side == 4)
        filter_of(8, 4, pixels, channels, row, depth, to, step);
    else
        filter_of(8, 5, pixels, channels, row, depth, to, step);
}

static void result_8(int side, const float *from, int64_t step, int64_t channels,
                     const weir_epilogue *then, float *const *pixels)
{
    if (side == 4)
        result_of(8, 4, from, step, channels, then, pixels);
    else
        result_of(8, 5, from, step, channels, then, pixels);
}

const weir_winograd_loops WEIR_ISA_NAME(weir_winograd_loops)[WEIR_WINOGRAD_BASES] = {
    {6, image_6, filter_6, result_6}, {8, image_8, filter_8, result_8}};
