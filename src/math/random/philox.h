/* math/random/philox.h - Philox 4x32-10: a random function of a 128-bit counter under a 64-bit key.
 *
 * A weir_philox is a position in a stream of blocks of four 32-bit numbers. It is a plain value: a
 * copy draws the same numbers. The layout of seeds in key and counter is TensorFlow's.
 */
#ifndef WEIR_MATH_RANDOM_PHILOX_H
#define WEIR_MATH_RANDOM_PHILOX_H

#include <stdint.h>

typedef struct weir_philox {
    uint32_t counter[4]; /* of the next block, least significant first */
    uint32_t key[2];
} weir_philox;

typedef struct weir_philox_block {
    uint32_t u[4];
} weir_philox_block;

/* The stream of an op with attrs seed and seed2. */
static inline weir_philox weir_philox_seeded(uint64_t seed, uint64_t seed2)
{
    return (weir_philox){{0, 0, (uint32_t)seed2, (uint32_t)(seed2 >> 32)},
                         {(uint32_t)seed, (uint32_t)(seed >> 32)}};
}

/* The stream of a key and a counter of two words, low word first. */
static inline weir_philox weir_philox_at(uint64_t key, const uint64_t counter[2])
{
    return (weir_philox){{(uint32_t)counter[0], (uint32_t)(counter[0] >> 32), (uint32_t)counter[1],
                          (uint32_t)(counter[1] >> 32)},
                         {(uint32_t)key, (uint32_t)(key >> 32)}};
}

/* Advances by |blocks|; the counter wraps at 128 bits. */
static inline void weir_philox_skip(weir_philox *philox, uint64_t blocks)
{
    uint64_t low = philox->counter[0] | (uint64_t)philox->counter[1] << 32;
    uint64_t high = philox->counter[2] | (uint64_t)philox->counter[3] << 32;
    low += blocks;
    high += low < blocks;
    philox->counter[0] = (uint32_t)low;
    philox->counter[1] = (uint32_t)(low >> 32);
    philox->counter[2] = (uint32_t)high;
    philox->counter[3] = (uint32_t)(high >> 32);
}

/* Draws one block and advances. */
static inline weir_philox_block weir_philox_next(weir_philox *philox)
{
    uint32_t c0 = philox->counter[0], c1 = philox->counter[1], c2 = philox->counter[2],
             c3 = philox->counter[3];
    uint32_t k0 = philox->key[0], k1 = philox->key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)c0 * 0xD2511F53u, b = (uint64_t)c2 * 0xCD9E8D57u;
        uint32_t n0 = (uint32_t)(b >> 32) ^ c1 ^ k0, n2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)b;
        c3 = (uint32_t)a;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    weir_philox_skip(philox, 1);
    return (weir_philox_block){{c0, c1, c2, c3}};
}

/* The stream for a pair of user seeds of a stateless op: hashed by one block under a fixed key, so
 * that weak seeds do no harm. */
weir_philox weir_philox_scrambled(uint64_t seed, uint64_t seed2);

/* Draws single numbers from blocks. */
typedef struct weir_philox_single {
    weir_philox *from;
    weir_philox_block block;
    int used; /* of the block; 4: exhausted */
} weir_philox_single;

static inline weir_philox_single weir_philox_singles(weir_philox *from)
{
    return (weir_philox_single){.from = from, .used = 4};
}
static inline uint32_t weir_philox_u32(weir_philox_single *single)
{
    if (single->used == 4) {
        single->block = weir_philox_next(single->from);
        single->used = 0;
    }
    return single->block.u[single->used++];
}
static inline uint64_t weir_philox_u64(weir_philox_single *single)
{
    uint64_t low = weir_philox_u32(single), high = weir_philox_u32(single);
    return low | high << 32;
}

/* Uniform below n: rejects the 2^w mod n lowest draws. */
static inline uint32_t weir_philox_below_u32(weir_philox_single *single, uint32_t n)
{
    if ((n & (n - 1)) == 0)
        return weir_philox_u32(single) & (n - 1);
    uint32_t reject = UINT32_MAX % n + 1, x;
    do
        x = weir_philox_u32(single);
    while (x < reject);
    return x % n;
}
static inline uint64_t weir_philox_below_u64(weir_philox_single *single, uint64_t n)
{
    if ((n & (n - 1)) == 0)
        return weir_philox_u64(single) & (n - 1);
    uint64_t reject = UINT64_MAX % n + 1, x;
    do
        x = weir_philox_u64(single);
    while (x < reject);
    return x % n;
}

/* In [0, 1). */
static inline float weir_u32_f32(uint32_t bits)
{
    union {
        uint32_t u;
        float f;
    } v = {0x3f800000u | (bits & 0x7fffff)};
    return v.f - 1.0f;
}
static inline float weir_philox_f32(weir_philox_single *single)
{
    return weir_u32_f32(weir_philox_u32(single));
}
/* In [0, 1), from two numbers. */
static inline double weir_u32_f64(uint32_t x0, uint32_t x1)
{
    union {
        uint64_t u;
        double d;
    } v = {0x3ff0000000000000ull | (uint64_t)(x0 & 0xfffff) << 32 | x1};
    return v.d - 1.0;
}
static inline double weir_philox_f64(weir_philox_single *single)
{
    uint32_t x0 = weir_philox_u32(single), x1 = weir_philox_u32(single);
    return weir_u32_f64(x0, x1);
}

#endif
