/* math/random/batch.isa.c - Philox, Box-Muller and dropout over lanes. */
#include "math/random/batch.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

enum { LANES = WEIR_BATCH };

/* The counters of all lanes. */
static void start(const weir_philox *gen, const uint64_t blocks[LANES], uint32_t c[4][LANES])
{
    uint64_t low = gen->counter[0] | (uint64_t)gen->counter[1] << 32;
    uint64_t high = gen->counter[2] | (uint64_t)gen->counter[3] << 32;
    for (int i = 0; i < LANES; i++) {
        uint64_t l = low + blocks[i], h = high + (l < low);
        c[0][i] = (uint32_t)l;
        c[1][i] = (uint32_t)(l >> 32);
        c[2][i] = (uint32_t)h;
        c[3][i] = (uint32_t)(h >> 32);
    }
}

static void rounds(const weir_philox *gen, uint32_t c[4][LANES])
{
    uint32_t k0 = gen->key[0], k1 = gen->key[1];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < LANES; i++) {
            uint64_t a = (uint64_t)c[0][i] * 0xD2511F53u, b = (uint64_t)c[2][i] * 0xCD9E8D57u;
            uint32_t n0 = (uint32_t)(b >> 32) ^ c[1][i] ^ k0,
                     n2 = (uint32_t)(a >> 32) ^ c[3][i] ^ k1;
            c[1][i] = (uint32_t)b;
            c[3][i] = (uint32_t)a;
            c[0][i] = n0;
            c[2][i] = n2;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

static inline float uniform(uint32_t x)
{
    return weir_bits_float(0x3f800000 | (x & 0x7fffff)) - 1.0f;
}

static void pairs(const uint32_t *restrict x0, const uint32_t *restrict x1, float *restrict f0,
                  float *restrict f1)
{
    for (int i = 0; i < LANES; i++) {
        float u = uniform(x0[i]), v = (float)(2.0f * M_PI * uniform(x1[i]));
        float r = sqrtf(-2.0f * weir_v_log(u < 1.0e-7f ? 1.0e-7f : u));
        f0[i] = weir_v_sin(v) * r;
        f1[i] = weir_v_cos(v) * r;
    }
}

static void normals(const weir_philox *gen, const uint64_t blocks[LANES], float *out)
{
    uint32_t c[4][LANES];
    float f[4][LANES];
    start(gen, blocks, c);
    rounds(gen, c);
    pairs(c[0], c[1], f[0], f[1]);
    pairs(c[2], c[3], f[2], f[3]);
    for (int i = 0; i < LANES; i++)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = f[k][i];
}

static void uniforms(const weir_philox *gen, const uint64_t blocks[LANES], float *out)
{
    uint32_t c[4][LANES];
    start(gen, blocks, c);
    rounds(gen, c);
    for (int i = 0; i < LANES; i++)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = uniform(c[k][i]);
}

static void drop(const float *u, float rate, float scale, int64_t n, const float *x, float *y,
                 uint8_t *bits)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = u[i] >= rate ? x[i] * scale : 0;
    for (int b = 0; b < 4 * LANES / 8; b++) {
        unsigned byte = 0;
        for (int k = 0; k < 8; k++)
            byte |= (unsigned)(u[8 * b + k] >= rate) << k;
        bits[b] = (uint8_t)byte;
    }
}

/* Expands bits to all-ones words, a byte's bits into a word's bytes, without branches. */
static void mask(const uint8_t *bits, float scale, int64_t n, const float *x, float *y)
{
    uint32_t keep[4 * LANES];
    for (int b = 0; b < 4 * LANES / 8; b++) {
        uint64_t apart = bits[b] * 0x0101010101010101u & 0x8040201008040201u;
        uint64_t tops = apart + 0x7f7f7f7f7f7f7f7fu; /* top bits: non-zero bytes */
        for (int k = 0; k < 8; k++)
            keep[8 * b + k] = 0u - (uint32_t)(tops >> (8 * k + 7) & 1);
    }
    for (int64_t i = 0; i < n; i++) {
        float v = x[i] * scale;
        uint32_t word;
        memcpy(&word, &v, sizeof word);
        word &= keep[i];
        memcpy(&y[i], &word, sizeof word);
    }
}

const weir_random_batch WEIR_ISA_NAME(weir_random_batch) = {normals, uniforms, drop, mask};
