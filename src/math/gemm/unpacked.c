/* math/gemm/unpacked.c - products whose operands are read in place instead of being packed first.
 *
 * Packing B costs as much as multiplying it by a dozen rows of A, packing A costs as much again,
 * and threads that pack together wait for each other. When A fits the second-level cache none of it
 * is needed, and a larger A is cut into parts that fit. B is read in strips of as many columns as a
 * tile has, DEPTH_BYTES of each column at a time; a strip stays in the caches while the rows of A
 * are multiplied by it. Only what tiles cannot read is packed, strip by strip: a last strip that
 * ends within a vector, or every strip of a B whose rows are not dense or collide in the cache.
 *
 * Work is counted in panels of rows by vectors of columns, strip after strip. A chunk is an equal
 * share of that sequence, so that threads finish together whatever the shape.
 */
#include <stdatomic.h>

#include "base/arith.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

/* Tuning constants. They were measured with the products of the benchmark models (such as 128x784
 * by 784x512, 100x1600 by 1600x1024, 20x1024 by 1024x2048), with operands in the caches and in
 * memory, as the share of one core's multiply-add peak that is reached. Figures are such shares;
 * docs/performance.md says more. */
enum {
    /* Bytes of one column of B that are multiplied before C is stored: 800 floats. Deeper steps
     * store each tile of C fewer times, which beats a strip that fits the first-level cache
     * (97 to 98 %; 93 to 95 % with steps of 192). */
    DEPTH_BYTES = 3200,
    /* Up to so many rows of A use a strip of B only a few times, so that its reading dominates.
     * The strip is then taken FEW_ROWS_DEPTH bytes of each column at a time, which is short enough
     * for the prefetched part to stay cached until it is used. */
    FEW_ROWS = 40,
    FEW_ROWS_DEPTH = 768,
    /* Largest A, in bytes, whose rows are read again for every strip: it stays in the second-level
     * cache. A larger A is cut into parts of this size (400x10000 by 10000x512: 94 % instead of
     * 89 % packed), unless it has fewer than CUT_MIN_ROWS rows or CUT_MIN_DEPTH columns, or B has
     * fewer than CUT_MIN_STRIPS strips: reading B again for each part then costs more than packing
     * does. */
    A_BYTES = 1 << 20,
    CUT_MIN_ROWS = 96,
    CUT_MIN_STRIPS = 4,
    CUT_MIN_DEPTH = 64,
    /* Tiles of C that a thread needs for a cut product to be shared evenly. */
    TILES_PER_THREAD = 4,
    /* Largest strip of B, in bytes, that is packed by the thread that uses it. */
    STRIP_BYTES = 1 << 19,
    /* Smallest depth: below it, storing C costs more than the multiplications, and the packed
     * product is better, which stores C in whole rows. */
    MIN_DEPTH = 48,
    /* Chunks of work per thread: enough to even out threads of unequal speed. */
    CHUNKS_PER_THREAD = 16,
    /* Bytes of a cache line. */
    LINE = 64,
    /* Largest size of both operands, in bytes, that fits the first-level cache, where prefetching
     * gains nothing. */
    IN_CACHE_BYTES = 1 << 15,
    /* Least strips of B and panels of A for which transposing A first pays: each strip reads A
     * again (512x128 by 128x784 on AVX2: 90 % instead of 79 %). */
    TRANSPOSE_MIN_STRIPS = 8,
    TRANSPOSE_MIN_PANELS = 4,
    /* Rows of B that are a multiple of so many bytes apart map to the same few sets of the cache.
     * Packing such a strip pays from COLLIDE_MIN_ROWS rows of A on (100x1600 by 1600x1024 on AVX2:
     * 84 % instead of 70 %). */
    COLLIDE_BYTES = 2048,
    COLLIDE_MIN_ROWS = 13,
};

typedef struct unpacked {
    const weir_gemm_loops *loops;
    const weir_gemm_views *g;
    int64_t unit;                 /* bytes of an element */
    int64_t strips, first_packed; /* strips from |first_packed| on are packed */
    int64_t steps;                /* the depth is cut into so many */
    int64_t panels, vecs, chunks; /* panels of rows, vectors of columns, chunks of work */
    bool write_packed;            /* the first tiles that read a strip also write it packed */
    bool transpose_a;             /* A is stored with dense columns and transposed first */
    bool in_cache;                /* both operands fit the first-level cache: no prefetching */
    uint64_t tag;                 /* scratch tag of packed strip 0, unique in this process; later
                                   * strips follow, and after the last comes the transposed A */
} unpacked;

static const char *element(const weir_gemm_view *v, int64_t i, int64_t j)
{
    return (const char *)v->at +
           ((v->i0 + i) * v->rs + (v->j0 + j) * v->cs) * (int64_t)weir_elem_size(v->elem);
}

static int64_t strip_cols(const unpacked *u, int64_t strip)
{
    return weir_min(u->loops->nr, u->g->n - strip * u->loops->nr);
}

/* Columns of a packed strip: one or two whole vectors. */
static int64_t strip_width(const unpacked *u, int64_t strip)
{
    return strip_cols(u, strip) > u->loops->vec ? u->loops->nr : u->loops->vec;
}

static void *strip_buffer(const unpacked *u)
{
    return weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(u->loops->nr * u->g->k * u->unit));
}

static uint64_t strip_tag(const unpacked *u, int64_t strip)
{
    return u->tag + (uint64_t)strip;
}

/* A packed strip: that of the caller's panels, or one in the thread's own scratch memory, packed
 * just before it is used. Where two threads share a strip both pack it, which costs less than
 * waiting for each other. */
static const char *packed_strip(const unpacked *u, int64_t strip)
{
    if (u->g->panels)
        return (const char *)u->g->panels + strip * u->loops->nr * u->g->k * u->unit;
    void *at = weir_scratch_tagged(WEIR_SCRATCH_GEMM_B, strip_tag(u, strip));
    if (at)
        return at;
    at = strip_buffer(u);
    u->loops->pack_b(&u->g->b, 0, u->g->k, strip * u->loops->nr, strip_cols(u, strip), at);
    weir_scratch_tag(WEIR_SCRATCH_GEMM_B, strip_tag(u, strip));
    return at;
}

/* All of A with dense rows, in the thread's own scratch memory. */
static const char *transposed_a(const unpacked *u)
{
    const weir_gemm_views *g = u->g;
    void *at = weir_scratch_tagged(WEIR_SCRATCH_GEMM_A, strip_tag(u, u->strips));
    if (at)
        return at;
    at = weir_scratch(WEIR_SCRATCH_GEMM_A, (size_t)(g->m * g->k * u->unit));
    u->loops->transpose(g->m, g->k, element(&g->a, 0, 0), g->a.cs, 1, at);
    weir_scratch_tag(WEIR_SCRATCH_GEMM_A, strip_tag(u, u->strips));
    return at;
}

/* ---- what to prefetch while a block is multiplied ---- */

/* Rows [p, p + depth) of a strip of B as it is stored. A strip that will be packed from adjacent
 * dense columns is described as rows of the same length as the packed ones, so that tiles prefetch
 * one line of it with each row that they read. */
static weir_gemm_prefetch rows_of_b(const unpacked *u, int64_t strip, int64_t p, int64_t depth)
{
    const weir_gemm_view *b = &u->g->b;
    int64_t j = strip * u->loops->nr, cols = strip_cols(u, strip);
    if (b->rs == 1 && b->cs == u->g->k)
        return (weir_gemm_prefetch){element(b, p * cols, j), depth, cols * u->unit, cols * u->unit};
    if (b->rs == 1)
        return (weir_gemm_prefetch){element(b, p, j), cols, depth * u->unit, b->cs * u->unit};
    return (weir_gemm_prefetch){element(b, p, j), depth, cols * u->unit, b->rs * u->unit};
}

/* What is read after rows [p, p + depth) of a strip; if the strip is packed, what the next strip
 * will be packed from. */
static weir_gemm_prefetch next_of_b(const unpacked *u, int64_t strip, int64_t p, int64_t depth)
{
    bool last = strip + 1 == u->strips, packed = strip >= u->first_packed;
    int64_t next = p + depth, left = u->g->k - next;
    int64_t row = strip_width(u, strip) * u->unit;
    if (u->g->panels)
        return (weir_gemm_prefetch){last && !left ? NULL : packed_strip(u, strip) + next * row,
                                    depth, row, row};
    if (!packed && left > 0)
        return rows_of_b(u, strip, next, weir_min(depth, left));
    if (last)
        return (weir_gemm_prefetch){0};
    return rows_of_b(u, strip + 1, packed ? p : 0, depth);
}

/* The block's share of the memory that the caller wants prefetched for writing, in proportion to
 * the block's share of the product. */
static void share_prefetch_write(const unpacked *u, int64_t strip, int64_t p,
                                 weir_gemm_block *block)
{
    int64_t all = u->strips * u->g->k, at = strip * u->g->k + p;
    int64_t bytes = (int64_t)u->g->prefetch_write_bytes;
    int64_t from = bytes * at / all / LINE * LINE,
            to = bytes * (at + block->depth) / all / LINE * LINE;
    block->prefetch_write = (const char *)u->g->prefetch_write + from;
    block->prefetch_write_bytes = to - from;
}

/* ---- blocks ---- */

/* Rows [i, end) of one strip in one step of the depth, with both operands in place; |cold| when
 * these rows of A have not been read before. */
static weir_gemm_block block_in_place(const unpacked *u, int64_t strip, int64_t i, int64_t end,
                                      int64_t step, bool cold)
{
    const weir_gemm_views *g = u->g;
    int64_t j = strip * u->loops->nr, p = 0, next = g->k;
    if (u->steps > 1) {
        p = g->k * step / u->steps;
        next = g->k * (step + 1) / u->steps;
    }
    weir_gemm_block block = {
        .rows = end - i,
        .cols = strip_cols(u, strip),
        .depth = next - p,
        .a = element(&g->a, i, p),
        .a_rs = g->a.rs,
        .a_cs = g->a.cs,
        .b = element(&g->b, p, j),
        .b_rs = g->b.rs,
        .b_depth = g->k,
        .c = (char *)g->c + (i * g->ldc + j) * u->unit,
        .ldc = g->ldc,
        .add = g->accumulate || step > 0,
        .a_is_cold = cold && !u->in_cache,
    };
    if (u->transpose_a) {
        block.a = transposed_a(u) + (i * g->k + p) * u->unit;
        block.a_rs = g->k;
        block.a_cs = 1;
        block.a_is_cold = false;
    }
    return block;
}

/* Multiplies rows [i, end) of one strip in one step of the depth. */
static void strip_step(const unpacked *u, int64_t strip, int64_t i, int64_t end, int64_t step,
                       bool cold)
{
    weir_gemm_block block = block_in_place(u, strip, i, end, step, cold);
    int64_t row = strip_width(u, strip) * u->unit, p = u->steps > 1 ? u->g->k * step / u->steps : 0;
    bool write_packed = u->write_packed && block.rows > u->loops->mr &&
                        block.cols * u->unit == row &&
                        !weir_scratch_tagged(WEIR_SCRATCH_GEMM_B, strip_tag(u, strip));
    if (write_packed) {
        block.write_packed = (char *)strip_buffer(u) + p * row;
    } else if (strip >= u->first_packed) {
        block.b = packed_strip(u, strip) + p * row;
        block.b_rs = 0;
    }
    if (write_packed && step + 1 == u->steps)
        weir_scratch_tag(WEIR_SCRATCH_GEMM_B, strip_tag(u, strip));
    if (!u->in_cache && !write_packed)
        block.prefetch = next_of_b(u, strip, p, block.depth);
    if (u->g->prefetch_write_bytes)
        share_prefetch_write(u, strip, p, &block);
    u->loops->block(&block);
}

/* The strip and the row at position |work| of the sequence of all work. */
static int64_t row_at(const unpacked *u, int64_t work, int64_t *out_strip)
{
    int64_t strip_vecs = u->loops->nr / u->loops->vec, strip = work / (strip_vecs * u->panels);
    int64_t rest = work - strip * strip_vecs * u->panels;
    int64_t vecs = weir_min(strip_vecs, u->vecs - strip * strip_vecs);
    *out_strip = strip;
    return vecs > 0 ? u->g->m * (rest / vecs) / u->panels : 0;
}

static void run_chunks(void *ctx, int64_t begin, int64_t end)
{
    const unpacked *u = ctx;
    int64_t total = u->panels * u->vecs, from = 0, row = 0, to = u->strips - 1, last_row = u->g->m;
    if (begin > 0)
        row = row_at(u, total * begin / u->chunks, &from);
    if (end < u->chunks)
        last_row = row_at(u, total * end / u->chunks, &to);
    for (int64_t strip = from; strip <= to; strip++) {
        int64_t i = strip == from ? row : 0, last = strip == to ? last_row : u->g->m;
        for (int64_t step = 0; i < last && step < u->steps; step++)
            strip_step(u, strip, i, last, step, strip == from);
    }
}

/* ---- which products are taken, and how ---- */

/* Whether tiles can read both operands of |g|; |dense| when B's rows are. */
static bool fits(const weir_gemm_loops *loops, const weir_gemm_views *g, bool dense)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    if (g->a.patches || (int64_t)weir_elem_size(g->a.elem) != unit ||
        (g->a.cs != 1 && g->a.rs != 1))
        return false;
    return g->n >= loops->vec && (g->k >= MIN_DEPTH || g->m * g->n <= A_BYTES / unit) &&
           (dense || g->panels || g->k <= STRIP_BYTES / unit / loops->nr);
}

/* Whether the rows of B evict each other: a strip no wider than a cache line, with rows a multiple
 * of COLLIDE_BYTES apart, is gone before the next panel of rows reads it. */
static bool b_collides(const unpacked *u)
{
    return u->loops->nr * u->unit <= LINE && u->g->b.rs * u->unit % COLLIDE_BYTES == 0 &&
           u->g->m >= COLLIDE_MIN_ROWS && u->g->k <= STRIP_BYTES / u->unit / u->loops->nr;
}

/* Whether transposing A pays. Narrow tiles read an A with dense columns from as many cache lines as
 * it is deep, a few elements of each; with enough strips it is cheaper to transpose A once. */
static bool transposing_pays(const unpacked *u)
{
    return u->loops->nr * u->unit <= LINE && u->g->a.rs == 1 && u->g->a.cs != 1 &&
           u->strips >= TRANSPOSE_MIN_STRIPS && u->panels >= TRANSPOSE_MIN_PANELS &&
           u->g->k >= MIN_DEPTH;
}

static void run(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g,
                bool dense)
{
    unpacked u = {.loops = loops, .g = g};
    u.unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    u.strips = weir_ceil_div(g->n, loops->nr);
    u.vecs = weir_ceil_div(g->n, loops->vec);
    u.panels = weir_ceil_div(g->m, loops->mr);
    u.steps = weir_ceil_div(g->k, (g->m <= FEW_ROWS ? FEW_ROWS_DEPTH : DEPTH_BYTES) / u.unit);
    u.first_packed = g->panels || !dense || b_collides(&u) ? 0
                     : g->n % loops->col_unit              ? u.strips - 1
                                                           : u.strips;
    u.write_packed = dense && !g->panels && u.first_packed == 0;
    u.transpose_a = transposing_pays(&u);
    u.in_cache = (g->m + g->n) * g->k * u.unit <= IN_CACHE_BYTES;
    static atomic_ullong next_tag = 1;
    if ((u.first_packed < u.strips && !g->panels) || u.transpose_a)
        u.tag = atomic_fetch_add_explicit(&next_tag, (unsigned long long)u.strips + 1,
                                          memory_order_relaxed);
    u.chunks = par && par->threads > 1 ? CHUNKS_PER_THREAD * par->threads : 1;
    weir_par_for(par, u.chunks, 1, run_chunks, &u);
}

/* How many parts an A beyond the caches is cut into along its depth and its rows. False when it is
 * better packed: B would be read again for too little work, or a thread would get too few tiles. */
static bool cut(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g,
                int64_t *out_deep, int64_t *out_high)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    *out_deep = *out_high = 1;
    if (g->m * g->k <= A_BYTES / unit)
        return true;
    int64_t tiles = weir_ceil_div(g->m, loops->mr) * weir_ceil_div(g->n, loops->nr);
    *out_deep = weir_ceil_div(g->k, DEPTH_BYTES / unit);
    *out_high = weir_ceil_div(g->m * weir_ceil_div(g->k, *out_deep), A_BYTES / unit);
    return g->m >= CUT_MIN_ROWS && g->n >= CUT_MIN_STRIPS * loops->nr && g->k >= CUT_MIN_DEPTH &&
           tiles >= TILES_PER_THREAD * (par ? par->threads : 1) && !weir_gemm_a_collides(&g->a);
}

bool weir_gemm_unpacked(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float), deep, high;
    bool dense = g->b.cs == 1 && (int64_t)weir_elem_size(g->b.elem) == unit;
    if (!cut(loops, par, g, &deep, &high))
        return false;
    weir_gemm_views part = *g;
    part.m = g->m / high;
    part.k = weir_ceil_div(g->k, deep);
    if (deep > 1)
        part.panels = NULL; /* panels are as deep as the whole product */
    if (!fits(loops, &part, dense))
        return false;
    for (int64_t d = 0; d < deep; d++)
        for (int64_t h = 0; h < high; h++) {
            int64_t p = g->k * d / deep, i = g->m * h / high;
            part.k = g->k * (d + 1) / deep - p;
            part.m = g->m * (h + 1) / high - i;
            part.a.i0 = g->a.i0 + i;
            part.a.j0 = g->a.j0 + p;
            part.b.i0 = g->b.i0 + p;
            part.c = (char *)g->c + i * g->ldc * unit;
            part.accumulate = g->accumulate || d > 0;
            run(loops, par, &part, dense);
        }
    return true;
}
