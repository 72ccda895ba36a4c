/* math/random/fill.c - uniform and normal numbers from blocks.
 *
 * A distribution converts each block to a group of elements, four of 32 bits or two of 64. The
 * truncated normal uses rejection, so its groups start at fixed distances in the stream instead.
 */
#include "math/random/fill.h"

#include <math.h>

#include "base/half.h"
#include "math/random/batch.h"

weir_philox weir_philox_scrambled(uint64_t seed, uint64_t seed2)
{
    weir_philox philox = weir_philox_at(0x02461e293ec8f720ull, (uint64_t[]){seed, seed2});
    weir_philox_block mix = weir_philox_next(&philox);
    return (weir_philox){{0, 0, mix.u[2], mix.u[3]}, {mix.u[0], mix.u[1]}};
}

static inline float u32_f32(uint32_t x)
{
    return weir_bits_float(0x3f800000 | (x & 0x7fffff)) - 1.0f;
}
static inline uint16_t u32_f16(uint32_t x)
{
    return weir_f32_f16(weir_f16_f32((uint16_t)(15 << 10 | (x & 0x3ff))) - 1.0f);
}
static inline uint16_t u32_bf16(uint32_t x)
{
    return weir_f32_bf16(weir_bf16_f32((uint16_t)(127 << 7 | (x & 0x7f))) - 1.0f);
}

/* Box-Muller: two normals from two uniforms. The small constant keeps the logarithm finite. */
static inline void normal_f32(uint32_t x0, uint32_t x1, float *f0, float *f1)
{
    float u1 = u32_f32(x0), u2;
    u1 = u1 < 1.0e-7f ? 1.0e-7f : u1;
    float v1 = (float)(2.0f * M_PI * u32_f32(x1));
    u2 = sqrtf(-2.0f * logf(u1));
    sincosf(v1, f0, f1);
    *f0 *= u2;
    *f1 *= u2;
}
static inline void normal_f64(const uint32_t *x, double *d0, double *d1)
{
    double u1 = weir_u32_f64(x[0], x[1]);
    u1 = u1 < 1.0e-7 ? 1.0e-7 : u1;
    double v1 = 2 * M_PI * weir_u32_f64(x[2], x[3]), u2 = sqrt(-2.0 * log(u1));
    sincos(v1, d0, d1);
    *d0 *= u2;
    *d1 *= u2;
}

/* ---- groups: one block each ---- */

typedef struct fill {
    weir_philox gen;
    int64_t count;
    void *out;
    uint64_t low, range;
    void (*group)(const struct fill *fill, weir_philox_block block, void *out); /* a whole group */
    int per_group, size; /* elements, bytes of one */
    uint64_t blocks;     /* blocks of the stream reserved per group of the truncated normal */
} fill;

#include "math/random/groups.inc"

static void normals(weir_philox_block block, float *y)
{
    normal_f32(block.u[0], block.u[1], &y[0], &y[1]);
    normal_f32(block.u[2], block.u[3], &y[2], &y[3]);
}
static void normal_group_f32(const fill *fill, weir_philox_block block, void *out)
{
    normals(block, out);
}
static void normal_group_f64(const fill *fill, weir_philox_block block, void *out)
{
    double *y = out;
    normal_f64(block.u, &y[0], &y[1]);
}
static void normal_group_f16(const fill *fill, weir_philox_block block, void *out)
{
    float y[4];
    normals(block, y);
    for (int i = 0; i < 4; i++)
        ((uint16_t *)out)[i] = weir_f32_f16(y[i]);
}
static void normal_group_bf16(const fill *fill, weir_philox_block block, void *out)
{
    float y[4];
    normals(block, y);
    for (int i = 0; i < 4; i++)
        ((uint16_t *)out)[i] = weir_f32_bf16(y[i]);
}

/* Groups [begin, end): the last may be incomplete. */
static void fill_groups(void *ctx, int64_t begin, int64_t end)
{
    const fill *fill = ctx;
    weir_philox gen = fill->gen;
    weir_philox_skip(&gen, (uint64_t)begin);
    uint64_t spare[4];
    for (int64_t g = begin; g < end; g++) {
        int64_t at = g * fill->per_group;
        char *y = (char *)fill->out + at * fill->size;
        weir_philox_block block = weir_philox_next(&gen);
        if (at + fill->per_group <= fill->count) {
            fill->group(fill, block, y);
            continue;
        }
        fill->group(fill, block, spare);
        __builtin_memcpy(y, spare, (size_t)(fill->count - at) * (size_t)fill->size);
    }
}

/* Numbers first, first + stride ...: the blocks of a batch of groups. */
static void count_up(uint64_t first, uint64_t stride, uint64_t blocks[WEIR_BATCH])
{
    for (int i = 0; i < WEIR_BATCH; i++)
        blocks[i] = first + (uint64_t)i * stride;
}

typedef void (*batch_fn)(const weir_philox *gen, const uint64_t blocks[WEIR_BATCH], float *out);

/* The same for floats, a batch at a time. */
static void fill_batches(fill *fill, int64_t begin, int64_t end, batch_fn batch)
{
    for (; begin + WEIR_BATCH <= end && (begin + WEIR_BATCH) * 4 <= fill->count;
         begin += WEIR_BATCH) {
        uint64_t blocks[WEIR_BATCH];
        count_up((uint64_t)begin, 1, blocks);
        batch(&fill->gen, blocks, (float *)fill->out + begin * 4);
    }
    fill_groups(fill, begin, end);
}

static void normal_batches(void *ctx, int64_t begin, int64_t end)
{
    fill_batches(ctx, begin, end, WEIR_ISA_PICK(weir_random_batch)->normals);
}

static void uniform_batches(void *ctx, int64_t begin, int64_t end)
{
    fill_batches(ctx, begin, end, WEIR_ISA_PICK(weir_random_batch)->uniforms);
}

static void run(const weir_par *par, fill *fill, void (*part)(void *, int64_t, int64_t))
{
    int64_t groups = (fill->count + fill->per_group - 1) / fill->per_group;
    weir_par_for(par, groups, 1024, part, fill);
}

typedef void (*group_fn)(const fill *, weir_philox_block, void *);

static fill make(weir_philox gen, weir_elem elem, int64_t count, void *out)
{
    int size = weir_elem_size(elem);
    return (fill){
        .gen = gen, .count = count, .out = out, .size = size, .per_group = size == 8 ? 2 : 4};
}

void weir_random_uniform(const weir_par *par, weir_philox gen, weir_elem elem, int64_t count,
                         void *out)
{
    static const group_fn groups[] = {[WEIR_E_f16] = uniform_f16,
                                      [WEIR_E_bf16] = uniform_bf16,
                                      [WEIR_E_f32] = uniform_f32,
                                      [WEIR_E_f64] = uniform_f64};
    fill fill = make(gen, elem, count, out);
    fill.group = groups[elem];
    run(par, &fill, elem == WEIR_E_f32 ? uniform_batches : fill_groups);
}

void weir_random_normal(const weir_par *par, weir_philox gen, weir_elem elem, int64_t count,
                        void *out)
{
    static const group_fn groups[] = {[WEIR_E_f16] = normal_group_f16,
                                      [WEIR_E_bf16] = normal_group_bf16,
                                      [WEIR_E_f32] = normal_group_f32,
                                      [WEIR_E_f64] = normal_group_f64};
    fill fill = make(gen, elem, count, out);
    fill.group = groups[elem];
    run(par, &fill, elem == WEIR_E_f32 ? normal_batches : fill_groups);
}

void weir_random_ints(const weir_par *par, weir_philox gen, weir_elem elem, int64_t low,
                      int64_t high, int64_t count, void *out)
{
    fill fill = make(gen, elem, count, out);
    fill.low = (uint64_t)low;
    fill.range = (uint64_t)high - (uint64_t)low;
    fill.group = fill.size == 8 ? ints_64 : ints_32;
    run(par, &fill, fill_groups);
}

void weir_random_full_ints(const weir_par *par, weir_philox gen, weir_elem elem, int64_t count,
                           void *out)
{
    fill fill = make(gen, elem, count, out);
    fill.group = fill.size == 8 ? full_64 : full_32;
    run(par, &fill, fill_groups);
}

/* ---- truncated normal ---- */

static const double bound = 2.0;

/* Fills y from |n| on. */
static void truncated_f32(weir_philox_single *single, int n, float *y)
{
    while (n < 4) {
        float v[2];
        uint32_t x0 = weir_philox_u32(single), x1 = weir_philox_u32(single);
        normal_f32(x0, x1, &v[0], &v[1]);
        for (int k = 0; k < 2 && n < 4; k++)
            if (fabsf(v[k]) < (float)bound)
                y[n++] = v[k];
    }
}

static void truncated_f64(weir_philox_single *single, double *y)
{
    for (int n = 0; n < 2;) {
        uint32_t x[4];
        double v[2];
        for (int k = 0; k < 4; k++)
            x[k] = weir_philox_u32(single);
        normal_f64(x, &v[0], &v[1]);
        for (int k = 0; k < 2 && n < 2; k++)
            if (fabs(v[k]) < bound)
                y[n++] = v[k];
    }
}

static void truncated_group(const fill *fill, int64_t g)
{
    weir_philox gen = fill->gen;
    weir_philox_skip(&gen, (uint64_t)g * fill->blocks);
    weir_philox_single single = weir_philox_singles(&gen);
    int64_t at = g * fill->per_group, left = fill->count - at;
    int n = (int)(left < fill->per_group ? left : fill->per_group);
    if (fill->size == 8) {
        double y[2];
        truncated_f64(&single, y);
        for (int i = 0; i < n; i++)
            ((double *)fill->out)[at + i] = y[i];
        return;
    }
    float y[4];
    truncated_f32(&single, 0, y);
    for (int i = 0; i < n; i++) {
        if (fill->size == 4)
            ((float *)fill->out)[at + i] = y[i];
        else
            ((uint16_t *)fill->out)[at + i] = fill->low ? weir_f32_bf16(y[i]) : weir_f32_f16(y[i]);
    }
}

static void truncated_groups(void *ctx, int64_t begin, int64_t end)
{
    for (int64_t g = begin; g < end; g++)
        truncated_group(ctx, g);
}

/* Incomplete groups, waiting for a whole batch of further blocks. */
typedef struct lacking {
    int count;
    int64_t group[WEIR_BATCH];
    int have[WEIR_BATCH];
} lacking;

static const float slack = 1e-4f;

static inline bool unsure(float a) /* too close to the bound for the vectorized code */
{
    return a > (float)bound - slack && a < (float)bound + slack;
}

/* Accepts those of the four numbers at |v| within the bound, up to four in all. False if one is too
 * close to it: then the scalar reference computes the group. */
static bool accept(const float *v, float *y, int *n)
{
    for (int k = 0; k < 4 && *n < 4; k++) {
        float a = fabsf(v[k]);
        if (unsure(a))
            return false;
        if (a < (float)bound)
            y[(*n)++] = v[k];
    }
    return true;
}

/* Draws second blocks for incomplete groups; further ones are drawn one by one. */
static void complete(const fill *fill, const weir_random_batch *batch, lacking *lacking)
{
    uint64_t blocks[WEIR_BATCH] = {0};
    float v[4 * WEIR_BATCH];
    for (int i = 0; i < lacking->count; i++)
        blocks[i] = (uint64_t)lacking->group[i] * fill->blocks + 1;
    batch->normals(&fill->gen, blocks, v);
    for (int i = 0; i < lacking->count; i++) {
        float *y = (float *)fill->out + lacking->group[i] * 4;
        int n = lacking->have[i];
        if (!accept(v + 4 * i, y, &n)) {
            truncated_group(fill, lacking->group[i]);
        } else if (n < 4) {
            weir_philox gen = fill->gen;
            weir_philox_skip(&gen, blocks[i] + 1);
            weir_philox_single single = weir_philox_singles(&gen);
            truncated_f32(&single, n, y);
        }
    }
    lacking->count = 0;
}

static void truncated_batches(void *ctx, int64_t begin, int64_t end)
{
    const fill *fill = ctx;
    const weir_random_batch *batch = WEIR_ISA_PICK(weir_random_batch);
    const float sure = (float)bound - slack;
    lacking lacking = {0};
    for (; begin + WEIR_BATCH <= end && (begin + WEIR_BATCH) * 4 <= fill->count;
         begin += WEIR_BATCH) {
        float *y = (float *)fill->out + begin * 4;
        uint64_t blocks[WEIR_BATCH];
        count_up((uint64_t)begin * fill->blocks, fill->blocks, blocks);
        batch->normals(&fill->gen, blocks, y);
        for (int i = 0; i < WEIR_BATCH; i++) {
            float *v = y + 4 * i;
            if ((fabsf(v[0]) < sure) & (fabsf(v[1]) < sure) & (fabsf(v[2]) < sure) &
                (fabsf(v[3]) < sure))
                continue;
            int n = 0;
            float first[4] = {v[0], v[1], v[2], v[3]};
            if (!accept(first, v, &n)) {
                truncated_group(fill, begin + i);
            } else if (n < 4) {
                lacking.group[lacking.count] = begin + i;
                lacking.have[lacking.count++] = n;
            }
            if (lacking.count == WEIR_BATCH)
                complete(fill, batch, &lacking);
        }
    }
    if (lacking.count)
        complete(fill, batch, &lacking);
    truncated_groups(ctx, begin, end);
}

void weir_random_truncated_normal(const weir_par *par, weir_philox gen, weir_elem elem,
                                  int64_t count, void *out)
{
    fill fill = make(gen, elem, count, out);
    fill.low = elem == WEIR_E_bf16;
    fill.blocks = (uint64_t)fill.per_group * WEIR_PHILOX_RESERVE / 4;
    run(par, &fill, elem == WEIR_E_f32 ? truncated_batches : truncated_groups);
}
