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

INLINE V load(const float *p, int64_t at, int64_t count)
{
    V v = {0};
    if (!p)
        return v;
    if (count >= VEC)
        return *(const V *)(p + at);
    memcpy(&v, p + at, (size_t)count * sizeof(float));
    return v;
}

INLINE void store(float *p, V v, int64_t count)
{
    if (count >= VEC)
        *(V *)p = v;
    else
        memcpy(p, &v, (size_t)count * sizeof(float));
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

INLINE void image_of(int n, const float *const *pixels, int64_t channels, float *to, int64_t step)
{
    for (int64_t channel = 0; channel < channels; channel += VEC) {
        V lines[MOST * MOST], line[MOST];
#pragma GCC unroll 8
        for (int y = 0; y < n; y++) {
#pragma GCC unroll 8
            for (int x = 0; x < n; x++)
                line[x] = load(pixels[y * n + x], channel, channels - channel);
            image_line(n, line, 1, lines + y * n);
        }
#pragma GCC unroll 8
        for (int x = 0; x < n; x++) {
            image_line(n, lines + x, n, line);
#pragma GCC unroll 8
            for (int y = 0; y < n; y++)
                store(to + (y * n + x) * step + channel, line[y], channels - channel);
        }
    }
}

/* The offset of channel |c| of row |row| in panels of two vectors; the last may have one. */
INLINE int64_t packed_at(int64_t channels, int64_t c, int64_t row, int64_t depth)
{
    int64_t panel = c / (2 * VEC) * (2 * VEC);
    int64_t width = channels - panel > VEC ? 2 * VEC : VEC;
    return panel * depth + row * width + (c - panel);
}

INLINE void filter_of(int n, int side, const float *const *pixels, int64_t channels, int64_t row,
                      int64_t depth, float *to, int64_t step)
{
    for (int64_t channel = 0; channel < channels; channel += VEC) {
        V lines[5 * MOST], line[MOST];
#pragma GCC unroll 5
        for (int y = 0; y < side; y++) {
#pragma GCC unroll 5
            for (int x = 0; x < side; x++)
                line[x] = load(pixels[y * side + x], channel, channels - channel);
            filter_line(n, side, line, 1, lines + y * n);
        }
        float *at = to + packed_at(channels, channel, row, depth);
#pragma GCC unroll 8
        for (int x = 0; x < n; x++) {
            filter_line(n, side, lines + x, n, line);
#pragma GCC unroll 8
            for (int y = 0; y < n; y++)
                *(V *)(at + (y * n + x) * step) = line[y]; /* zeros fill the last vector */
        }
    }
}

INLINE V finished(V x, const weir_epilogue *then, V bias)
{
    V v = x + bias, none = {0};
    return then->relu ? (V)((M)v & ~(v <= none)) : v;
}

INLINE void result_of(int n, int side, const float *from, int64_t step, int64_t channels,
                      const weir_epilogue *then, float *const *pixels)
{
    for (int64_t channel = 0; channel < channels; channel += VEC) {
        V points[MOST], lines[5 * MOST], line[5];
        V bias = then ? load(then->bias, channel, channels - channel) : (V){0};
#pragma GCC unroll 8
        for (int x = 0; x < n; x++) {
#pragma GCC unroll 8
            for (int y = 0; y < n; y++)
                points[y] = load(from + (y * n + x) * step, channel, channels - channel);
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
                    store(pixels[y * side + x] + channel, line[x], channels - channel);
        }
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
