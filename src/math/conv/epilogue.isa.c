/* math/conv/epilogue.isa.c - bias and Relu along channels. */
#include "math/conv/epilogue.h"

#if defined(__AVX512F__)
#define VEC_BYTES 64
#elif defined(__AVX2__)
#define VEC_BYTES 32
#else
#define VEC_BYTES 16
#endif
enum { VEC = VEC_BYTES / 4 };
typedef float V __attribute__((vector_size(VEC_BYTES), aligned(4), may_alias));
typedef int32_t M __attribute__((vector_size(VEC_BYTES)));

#define INLINE static inline __attribute__((always_inline))

/* |x| where |m|, 0 elsewhere. */
INLINE V where(M m, V x)
{
    return (V)((M)x & m);
}

/* Vector by vector, so that the bias stays in a register. */
INLINE void run_as(bool relu, const float *bias, int64_t pixels, int64_t channels, float *y,
                   int64_t pitch)
{
    int64_t c = 0;
    for (; c + VEC <= channels; c += VEC) {
        V b = *(const V *)(bias + c);
        float *at = y + c;
#pragma GCC unroll 4
        for (int64_t i = 0; i < pixels; i++, at += pitch) {
            V v = *(V *)at + b;
            *(V *)at = relu ? where(~(v <= (V){0}), v) : v;
        }
    }
    for (; c < channels; c++)
        for (int64_t i = 0; i < pixels; i++) {
            float v = y[i * pitch + c] + bias[c];
            y[i * pitch + c] = relu && v <= 0 ? 0 : v;
        }
}

static void run(const weir_epilogue *epilogue, int64_t pixels, int64_t channels, float *y,
                int64_t pitch)
{
    if (epilogue->relu)
        run_as(true, epilogue->bias, pixels, channels, y, pitch);
    else
        run_as(false, epilogue->bias, pixels, channels, y, pitch);
}

/* |vecs| vectors of channels, whose sums stay in registers. */
INLINE void grad_vectors(int vecs, int64_t pixels, int64_t channels, const float *dy,
                         const float *y, float *dx, float *sum)
{
    V total[4];
#pragma GCC unroll 4
    for (int j = 0; j < vecs; j++)
        total[j] = (V){0};
    for (int64_t i = 0; i < pixels; i++)
#pragma GCC unroll 4
        for (int j = 0; j < vecs; j++) {
            int64_t at = i * channels + j * VEC;
            V v = where(*(const V *)(y + at) > (V){0}, *(const V *)(dy + at));
            *(V *)(dx + at) = v;
            total[j] += v;
        }
#pragma GCC unroll 4
    for (int j = 0; j < vecs; j++)
        *(V *)(sum + j * VEC) = total[j];
}

static void grad(int64_t pixels, int64_t channels, const float *dy, const float *y, float *dx,
                 float *sum)
{
    int64_t c = 0;
    for (; c + 4 * VEC <= channels; c += 4 * VEC)
        grad_vectors(4, pixels, channels, dy + c, y + c, dx + c, sum + c);
    for (; c + VEC <= channels; c += VEC)
        grad_vectors(1, pixels, channels, dy + c, y + c, dx + c, sum + c);
    for (; c < channels; c++) {
        float total = 0;
        for (int64_t i = c; i < pixels * channels; i += channels) {
            dx[i] = y[i] > 0 ? dy[i] : 0;
            total += dx[i];
        }
        sum[c] = total;
    }
}

const weir_epilogue_loops WEIR_ISA_NAME(weir_epilogue_loops) = {run, grad};
