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
#include "base/stop.h"
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
    const weir_gemm_views *views;
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

static const char *element(const weir_gemm_view *view, int64_t i, int64_t j)
{
    return (const char *)view->at + ((view->i0 + i) * view->rs + (view->j0 + j) * view->cs) *
                                        (int64_t)weir_elem_size(view->elem);
}

static int64_t strip_cols(const unpacked *unpacked, int64_t strip)
{
    return weir_min(unpacked->loops->nr, unpacked->views->n - strip * unpacked->loops->nr);
}

/* Columns of a packed strip: one or two whole vectors. */
static int64_t strip_width(const unpacked *unpacked, int64_t strip)
{
    return strip_cols(unpacked, strip) > unpacked->loops->vec ? unpacked->loops->nr
                                                              : unpacked->loops->vec;
}

static void *strip_buffer(const unpacked *unpacked)
{
    return weir_scratch(WEIR_SCRATCH_GEMM_B,
                        (size_t)(unpacked->loops->nr * unpacked->views->k * unpacked->unit));
}

static uint64_t strip_tag(const unpacked *unpacked, int64_t strip)
{
    return unpacked->tag + (uint64_t)strip;
}

/* A packed strip: that of the caller's panels, or one in the thread's own scratch memory, packed
 * just before it is used. Where two threads share a strip both pack it, which costs less than
 * waiting for each other. */
static const char *packed_strip(const unpacked *unpacked, int64_t strip)
{
    if (unpacked->views->panels)
        return (const char *)unpacked->views->panels +
               strip * unpacked->loops->nr * unpacked->views->k * unpacked->unit;
    void *at = weir_scratch_tagged(WEIR_SCRATCH_GEMM_B, strip_tag(unpacked, strip));
    if (at)
        return at;
    at = strip_buffer(unpacked);
    unpacked->loops->pack_b(&unpacked->views->b, 0, unpacked->views->k, strip * unpacked->loops->nr,
                            strip_cols(unpacked, strip), at);
    weir_scratch_tag(WEIR_SCRATCH_GEMM_B, strip_tag(unpacked, strip));
    return at;
}

/* All of A with dense rows, in the thread's own scratch memory. */
static const char *transposed_a(const unpacked *unpacked)
{
    const weir_gemm_views *views = unpacked->views;
    void *at = weir_scratch_tagged(WEIR_SCRATCH_GEMM_A, strip_tag(unpacked, unpacked->strips));
    if (at)
        return at;
    at = weir_scratch(WEIR_SCRATCH_GEMM_A, (size_t)(views->m * views->k * unpacked->unit));
    unpacked->loops->transpose(views->m, views->k, element(&views->a, 0, 0), views->a.cs, 1, at);
    weir_scratch_tag(WEIR_SCRATCH_GEMM_A, strip_tag(unpacked, unpacked->strips));
    return at;
}

/* ---- prefetching ----------------------------------------------------------------------------- */

/* Rows [p, p + depth) of a strip of B as it is stored. A strip that will be packed from adjacent
 * dense columns is described as rows of the same length as the packed ones, so that tiles prefetch
 * one line of it with each row that they read. */
static weir_gemm_prefetch rows_of_b(const unpacked *unpacked, int64_t strip, int64_t p,
                                    int64_t depth)
{
    const weir_gemm_view *view = &unpacked->views->b;
    int64_t j = strip * unpacked->loops->nr, cols = strip_cols(unpacked, strip);
    if (view->rs == 1 && view->cs == unpacked->views->k)
        return (weir_gemm_prefetch){element(view, p * cols, j), depth, cols * unpacked->unit,
                                    cols * unpacked->unit};
    if (view->rs == 1)
        return (weir_gemm_prefetch){element(view, p, j), cols, depth * unpacked->unit,
                                    view->cs * unpacked->unit};
    return (weir_gemm_prefetch){element(view, p, j), depth, cols * unpacked->unit,
                                view->rs * unpacked->unit};
}

/* What is read after rows [p, p + depth) of a strip; if the strip is packed, what the next strip
 * will be packed from. */
static weir_gemm_prefetch next_of_b(const unpacked *unpacked, int64_t strip, int64_t p,
                                    int64_t depth)
{
    bool last = strip + 1 == unpacked->strips, packed = strip >= unpacked->first_packed;
    int64_t next = p + depth, left = unpacked->views->k - next;
    int64_t row = strip_width(unpacked, strip) * unpacked->unit;
    if (unpacked->views->panels)
        return (weir_gemm_prefetch){
            last && !left ? NULL : packed_strip(unpacked, strip) + next * row, depth, row, row};
    if (!packed && left > 0)
        return rows_of_b(unpacked, strip, next, weir_min(depth, left));
    if (last)
        return (weir_gemm_prefetch){0};
    return rows_of_b(unpacked, strip + 1, packed ? p : 0, depth);
}

/* The block's share of the memory that the caller wants prefetched for writing, in proportion to
 * the block's share of the product. */
static void share_prefetch_write(const unpacked *unpacked, int64_t strip, int64_t p,
                                 weir_gemm_block *block)
{
    int64_t all = unpacked->strips * unpacked->views->k, at = strip * unpacked->views->k + p;
    int64_t bytes = (int64_t)unpacked->views->prefetch_write_bytes;
    int64_t from = bytes * at / all / LINE * LINE,
            to = bytes * (at + block->depth) / all / LINE * LINE;
    block->prefetch_write = (const char *)unpacked->views->prefetch_write + from;
    block->prefetch_write_bytes = to - from;
}

/* ---- blocks ---- */

/* Rows [i, end) of one strip in one step of the depth, with both operands in place; |cold| when
 * these rows of A have not been read before. */
static weir_gemm_block block_in_place(const unpacked *unpacked, int64_t strip, int64_t i,
                                      int64_t end, int64_t step, bool cold)
{
    const weir_gemm_views *views = unpacked->views;
    int64_t j = strip * unpacked->loops->nr, p = 0, next = views->k;
    if (unpacked->steps > 1) {
        p = views->k * step / unpacked->steps;
        next = views->k * (step + 1) / unpacked->steps;
    }
    weir_gemm_block block = {
        .rows = end - i,
        .cols = strip_cols(unpacked, strip),
        .depth = next - p,
        .a = element(&views->a, i, p),
        .a_rs = views->a.rs,
        .a_cs = views->a.cs,
        .b = element(&views->b, p, j),
        .b_rs = views->b.rs,
        .b_depth = views->k,
        .c = (char *)views->c + (i * views->ldc + j) * unpacked->unit,
        .ldc = views->ldc,
        .add = views->accumulate || step > 0,
        .a_is_cold = cold && !unpacked->in_cache,
    };
    if (unpacked->transpose_a) {
        block.a = transposed_a(unpacked) + (i * views->k + p) * unpacked->unit;
        block.a_rs = views->k;
        block.a_cs = 1;
        block.a_is_cold = false;
    }
    return block;
}

/* Multiplies rows [i, end) of one strip in one step of the depth. */
static void strip_step(const unpacked *unpacked, int64_t strip, int64_t i, int64_t end,
                       int64_t step, bool cold)
{
    weir_gemm_block block = block_in_place(unpacked, strip, i, end, step, cold);
    int64_t row = strip_width(unpacked, strip) * unpacked->unit,
            p = unpacked->steps > 1 ? unpacked->views->k * step / unpacked->steps : 0;
    bool write_packed = unpacked->write_packed && block.rows > unpacked->loops->mr &&
                        block.cols * unpacked->unit == row &&
                        !weir_scratch_tagged(WEIR_SCRATCH_GEMM_B, strip_tag(unpacked, strip));
    if (write_packed) {
        block.write_packed = (char *)strip_buffer(unpacked) + p * row;
    } else if (strip >= unpacked->first_packed) {
        block.b = packed_strip(unpacked, strip) + p * row;
        block.b_rs = 0;
    }
    if (write_packed && step + 1 == unpacked->steps)
        weir_scratch_tag(WEIR_SCRATCH_GEMM_B, strip_tag(unpacked, strip));
    if (!unpacked->in_cache && !write_packed)
        block.prefetch = next_of_b(unpacked, strip, p, block.depth);
    if (unpacked->views->prefetch_write_bytes)
        share_prefetch_write(unpacked, strip, p, &block);
    unpacked->loops->block(&block);
}

/* The strip and the row at position |work| of the sequence of all work. */
static int64_t row_at(const unpacked *unpacked, int64_t work, int64_t *out_strip)
{
    int64_t strip_vecs = unpacked->loops->nr / unpacked->loops->vec,
            strip = work / (strip_vecs * unpacked->panels);
    int64_t rest = work - strip * strip_vecs * unpacked->panels;
    int64_t vecs = weir_min(strip_vecs, unpacked->vecs - strip * strip_vecs);
    *out_strip = strip;
    return vecs > 0 ? unpacked->views->m * (rest / vecs) / unpacked->panels : 0;
}

enum { LONG = 1 << 16 }; /* rows times depth of a strip from which it takes tens of microseconds */

static void run_chunks(void *ctx, int64_t begin, int64_t end)
{
    const unpacked *unpacked = ctx;
    int64_t total = unpacked->panels * unpacked->vecs, from = 0, row = 0, to = unpacked->strips - 1,
            last_row = unpacked->views->m;
    if (begin > 0)
        row = row_at(unpacked, total * begin / unpacked->chunks, &from);
    if (end < unpacked->chunks)
        last_row = row_at(unpacked, total * end / unpacked->chunks, &to);
    bool is_long = unpacked->views->m * unpacked->views->k >= LONG;
    for (int64_t strip = from; strip <= to && !(is_long && weir_stopped()); strip++) {
        int64_t i = strip == from ? row : 0, last = strip == to ? last_row : unpacked->views->m;
        for (int64_t step = 0; i < last && step < unpacked->steps; step++)
            strip_step(unpacked, strip, i, last, step, strip == from);
    }
}

/* ---- which products are taken, and how ---- */

/* Whether tiles can read both operands of |views|; |dense| when B's rows are. */
static bool fits(const weir_gemm_loops *loops, const weir_gemm_views *views, bool dense)
{
    int64_t unit = views->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    if (views->a.patches || (int64_t)weir_elem_size(views->a.elem) != unit ||
        (views->a.cs != 1 && views->a.rs != 1))
        return false;
    return views->n >= loops->vec &&
           (views->k >= MIN_DEPTH || views->m * views->n <= A_BYTES / unit) &&
           (dense || views->panels || views->k <= STRIP_BYTES / unit / loops->nr);
}

/* Whether the rows of B evict each other: a strip no wider than a cache line, with rows a multiple
 * of COLLIDE_BYTES apart, is gone before the next panel of rows reads it. */
static bool b_collides(const unpacked *unpacked)
{
    return unpacked->loops->nr * unpacked->unit <= LINE &&
           unpacked->views->b.rs * unpacked->unit % COLLIDE_BYTES == 0 &&
           unpacked->views->m >= COLLIDE_MIN_ROWS &&
           unpacked->views->k <= STRIP_BYTES / unpacked->unit / unpacked->loops->nr;
}

/* Whether transposing A pays. Narrow tiles read an A with dense columns from as many cache lines as
 * it is deep, a few elements of each; with enough strips it is cheaper to transpose A once. */
static bool transposing_pays(const unpacked *unpacked)
{
    return unpacked->loops->nr * unpacked->unit <= LINE && unpacked->views->a.rs == 1 &&
           unpacked->views->a.cs != 1 && unpacked->strips >= TRANSPOSE_MIN_STRIPS &&
           unpacked->panels >= TRANSPOSE_MIN_PANELS && unpacked->views->k >= MIN_DEPTH;
}

static void run(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *views,
                bool dense)
{
    unpacked unpacked = {.loops = loops, .views = views};
    unpacked.unit = views->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    unpacked.strips = weir_ceil_div(views->n, loops->nr);
    unpacked.vecs = weir_ceil_div(views->n, loops->vec);
    unpacked.panels = weir_ceil_div(views->m, loops->mr);
    unpacked.steps = weir_ceil_div(views->k, (views->m <= FEW_ROWS ? FEW_ROWS_DEPTH : DEPTH_BYTES) /
                                                 unpacked.unit);
    unpacked.first_packed = views->panels || !dense || b_collides(&unpacked) ? 0
                            : views->n % loops->col_unit                     ? unpacked.strips - 1
                                                                             : unpacked.strips;
    unpacked.write_packed = loops->packs && dense && !views->panels && unpacked.first_packed == 0;
    unpacked.transpose_a = transposing_pays(&unpacked);
    unpacked.in_cache = (views->m + views->n) * views->k * unpacked.unit <= IN_CACHE_BYTES;
    static atomic_ullong next_tag = 1;
    if ((unpacked.first_packed < unpacked.strips && !views->panels) || unpacked.transpose_a)
        unpacked.tag = atomic_fetch_add_explicit(&next_tag, (unsigned long long)unpacked.strips + 1,
                                                 memory_order_relaxed);
    unpacked.chunks = par && par->threads > 1 ? CHUNKS_PER_THREAD * par->threads : 1;
    weir_par_for(par, unpacked.chunks, 1, run_chunks, &unpacked);
}

/* How many parts an A beyond the caches is cut into along its depth and its rows. False when it is
 * better packed: B would be read again for too little work, or a thread would get too few tiles. */
static bool cut(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *views,
                int64_t *out_deep, int64_t *out_high)
{
    int64_t unit = views->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    *out_deep = *out_high = 1;
    if (views->m * views->k <= A_BYTES / unit)
        return true;
    int64_t tiles = weir_ceil_div(views->m, loops->mr) * weir_ceil_div(views->n, loops->nr);
    *out_deep = weir_ceil_div(views->k, DEPTH_BYTES / unit);
    *out_high = weir_ceil_div(views->m * weir_ceil_div(views->k, *out_deep), A_BYTES / unit);
    return views->m >= CUT_MIN_ROWS && views->n >= CUT_MIN_STRIPS * loops->nr &&
           views->k >= CUT_MIN_DEPTH && tiles >= TILES_PER_THREAD * (par ? par->threads : 1) &&
           !weir_gemm_a_collides(&views->a);
}

bool weir_gemm_unpacked(const weir_gemm_loops *loops, const weir_par *par,
                        const weir_gemm_views *views)
{
    int64_t unit = views->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float), deep, high;
    bool dense = views->b.cs == 1 && (int64_t)weir_elem_size(views->b.elem) == unit;
    if (!cut(loops, par, views, &deep, &high))
        return false;
    weir_gemm_views part = *views;
    part.m = views->m / high;
    part.k = weir_ceil_div(views->k, deep);
    if (deep > 1)
        part.panels = NULL; /* panels are as deep as the whole product */
    if (!fits(loops, &part, dense))
        return false;
    for (int64_t d = 0; d < deep; d++)
        for (int64_t h = 0; h < high; h++) {
            int64_t p = views->k * d / deep, i = views->m * h / high;
            part.k = views->k * (d + 1) / deep - p;
            part.m = views->m * (h + 1) / high - i;
            part.a.i0 = views->a.i0 + i;
            part.a.j0 = views->a.j0 + p;
            part.b.i0 = views->b.i0 + p;
            part.c = (char *)views->c + i * views->ldc * unit;
            part.accumulate = views->accumulate || d > 0;
            run(loops, par, &part, dense);
        }
    return true;
}
