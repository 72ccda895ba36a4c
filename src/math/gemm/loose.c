/* math/gemm/loose.c - products with operands read where they lie.
 *
 * Packing B costs as much as a dozen rows of A, packing A as much again, and threads that pack
 * together wait for each other. When A fits the second-level cache none of it is needed, and a
 * larger one is cut until it does: a strip of B's columns is taken as it lies, DEPTH_BYTES of each
 * column at a time, and stays in the caches while the rows of A go over it. Only what tiles cannot
 * read is packed, strip by strip: a last strip that ends within a vector, or all of a B whose rows
 * are not dense or collide.
 *
 * Work is counted in panels of rows by vectors of columns, strip after strip; a lot is an equal
 * share of that line, so that threads end together whatever the shape.
 */
#include <stdatomic.h>

#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum {
    DEPTH_BYTES = 3200, /* of one column: tiles that are summed once beat a strip that is nearer */
    FEW_ROWS = 40,      /* use a strip a few times only: it is taken in parts that ... */
    FEW_ROWS_DEPTH = 768, /* ... are still in the cache when they were asked for */
    A_BYTES = 1 << 20,    /* of A that rows are read from again and again: larger ones are cut */
    CUT_ROWS = 96,        /* ... unless it has fewer, */
    CUT_STRIPS = 4,       /* or B fewer strips, */
    CUT_DEPTH = 64,
    TILES_PER_THREAD = 4,
    STRIP_BYTES = 1 << 19, /* of a strip of B that must be packed */
    DEPTH_LEAST = 48, /* below, C costs more than the products, and wants to be written in rows */
    LOTS_PER_THREAD = 16,
    LINE = 64,
    NEAR_BYTES = 1 << 15, /* of both operands */
    TURN_STRIPS = 8,
    TURN_PANELS = 4,
    COLLIDE = 2048,
    COLLIDE_ROWS = 13, /* fewer do not pay for the packing */
};

typedef struct loose {
    const weir_gemm_loops *loops;
    const weir_gemm_views *g;
    int64_t unit;
    int64_t strips, first_packed; /* strips from |first_packed| on are packed */
    int64_t steps;                /* of the depth */
    int64_t panels, vecs, lots;   /* panels of rows, vectors of columns */
    bool keeps;                   /* strips are packed by the first tiles that read them */
    bool turns;                   /* rows of A are laid dense first */
    bool near;                    /* all of it fits the cache: nothing is asked for */
    uint64_t name;                /* of the first packed strip: no other's in this process; that
                                   * of A, turned, comes after the last strip's */
} loose;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static const char *element(const weir_gemm_view *v, int64_t i, int64_t j)
{
    return (const char *)v->at +
           ((v->i0 + i) * v->rs + (v->j0 + j) * v->cs) * (int64_t)weir_elem_size(v->elem);
}

static int64_t strip_cols(const loose *l, int64_t strip)
{
    return least(l->loops->nr, l->g->n - strip * l->loops->nr);
}

/* Columns of a packed strip. */
static int64_t strip_width(const loose *l, int64_t strip)
{
    return strip_cols(l, strip) > l->loops->vec ? l->loops->nr : l->loops->vec;
}

static void *strip_room(const loose *l)
{
    return weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(l->loops->nr * l->g->k * l->unit));
}

/* A strip in room of the thread's own, packed just before it is used, unless all were laid out
 * before. Where two threads share a strip both pack it, which costs less than to wait for each
 * other. */
static const char *packed_strip(const loose *l, int64_t strip)
{
    if (l->g->panels)
        return (const char *)l->g->panels + strip * l->loops->nr * l->g->k * l->unit;
    uint64_t name = l->name + (uint64_t)strip;
    void *at = weir_scratch_named(WEIR_SCRATCH_GEMM_B, name);
    if (at)
        return at;
    at = strip_room(l);
    l->loops->pack_b(&l->g->b, 0, l->g->k, strip * l->loops->nr, strip_cols(l, strip), at);
    weir_scratch_name(WEIR_SCRATCH_GEMM_B, name);
    return at;
}

/* All of A with dense rows, in room of the thread's own. */
static const char *turned_a(const loose *l)
{
    const weir_gemm_views *g = l->g;
    uint64_t name = l->name + (uint64_t)l->strips;
    void *at = weir_scratch_named(WEIR_SCRATCH_GEMM_A, name);
    if (at)
        return at;
    at = weir_scratch(WEIR_SCRATCH_GEMM_A, (size_t)(g->m * g->k * l->unit));
    l->loops->turn(g->m, g->k, element(&g->a, 0, 0), g->a.cs, 1, at);
    weir_scratch_name(WEIR_SCRATCH_GEMM_A, name);
    return at;
}

/* Rows [p, p + depth) of a strip of B, as they lie. Where it is packed from columns that follow
 * each other, a part of the same length, cut like the packed one, so that tiles can ask for both
 * alike. */
static weir_gemm_ahead part_of_b(const loose *l, int64_t strip, int64_t p, int64_t depth)
{
    const weir_gemm_view *b = &l->g->b;
    int64_t j = strip * l->loops->nr, cols = strip_cols(l, strip);
    if (b->rs == 1 && b->cs == l->g->k)
        return (weir_gemm_ahead){element(b, p * cols, j), depth, cols * l->unit, cols * l->unit};
    if (b->rs == 1)
        return (weir_gemm_ahead){element(b, p, j), cols, depth * l->unit, b->cs * l->unit};
    return (weir_gemm_ahead){element(b, p, j), depth, cols * l->unit, b->rs * l->unit};
}

/* What is read after rows [p, p + depth) of a strip; where it is packed, what the next is packed
 * from. */
static weir_gemm_ahead what_follows(const loose *l, int64_t strip, int64_t p, int64_t depth)
{
    bool last = strip + 1 == l->strips, packed = strip >= l->first_packed;
    int64_t next = p + depth, left = l->g->k - next;
    int64_t row = strip_width(l, strip) * l->unit;
    if (l->g->panels)
        return (weir_gemm_ahead){last && !left ? NULL : packed_strip(l, strip) + next * row, depth,
                                 row, row};
    if (!packed && left > 0)
        return part_of_b(l, strip, next, least(depth, left));
    if (last)
        return (weir_gemm_ahead){0};
    return part_of_b(l, strip + 1, packed ? p : 0, depth);
}

/* A share of what is changed when all is done, as large as the block's in the product. */
static void ask_for_share(const loose *l, int64_t strip, int64_t p, weir_gemm_block *block)
{
    int64_t all = l->strips * l->g->k, at = strip * l->g->k + p;
    int64_t bytes = (int64_t)l->g->soon_bytes;
    int64_t from = bytes * at / all / LINE * LINE,
            to = bytes * (at + block->depth) / all / LINE * LINE;
    block->soon = (const char *)l->g->soon + from;
    block->soon_bytes = to - from;
}

/* Rows [i, end) of one strip in one step of the depth; |far| when the rows of A are new. */
static void strip_step(const loose *l, int64_t strip, int64_t i, int64_t end, int64_t step,
                       bool far)
{
    const weir_gemm_views *g = l->g;
    int64_t j = strip * l->loops->nr, p = 0, next = g->k;
    if (l->steps > 1) {
        p = g->k * step / l->steps;
        next = g->k * (step + 1) / l->steps;
    }
    weir_gemm_block block = {
        .rows = end - i,
        .cols = strip_cols(l, strip),
        .depth = next - p,
        .a = element(&g->a, i, p),
        .a_rs = g->a.rs,
        .a_cs = g->a.cs,
        .b = element(&g->b, p, j),
        .b_rs = g->b.rs,
        .b_depth = g->k,
        .c = (char *)g->c + (i * g->ldc + j) * l->unit,
        .ldc = g->ldc,
        .add = g->accumulate || step > 0,
        .a_is_far = far && !l->near,
    };
    if (l->turns) {
        block.a = turned_a(l) + (i * g->k + p) * l->unit;
        block.a_rs = g->k;
        block.a_cs = 1;
        block.a_is_far = false;
    }
    int64_t row = strip_width(l, strip) * l->unit;
    bool keeps = l->keeps && block.rows > l->loops->mr && block.cols * l->unit == row &&
                 !weir_scratch_named(WEIR_SCRATCH_GEMM_B, l->name + (uint64_t)strip);
    if (keeps) {
        block.keep = (char *)strip_room(l) + p * row;
    } else if (strip >= l->first_packed) {
        block.b = packed_strip(l, strip) + p * row;
        block.b_rs = 0;
    }
    if (keeps && step + 1 == l->steps)
        weir_scratch_name(WEIR_SCRATCH_GEMM_B, l->name + (uint64_t)strip);
    if (!l->near && !keeps)
        block.ahead = what_follows(l, strip, p, block.depth);
    if (g->soon_bytes)
        ask_for_share(l, strip, p, &block);
    l->loops->block(&block);
}

/* The strip and the row at |work| along the line of all work. */
static int64_t row_at(const loose *l, int64_t work, int64_t *out_strip)
{
    int64_t strip_vecs = l->loops->nr / l->loops->vec, strip = work / (strip_vecs * l->panels);
    int64_t rest = work - strip * strip_vecs * l->panels;
    int64_t vecs = least(strip_vecs, l->vecs - strip * strip_vecs);
    *out_strip = strip;
    return vecs > 0 ? l->g->m * (rest / vecs) / l->panels : 0;
}

static void lot_part(void *ctx, int64_t begin, int64_t end)
{
    const loose *l = ctx;
    int64_t total = l->panels * l->vecs, from = 0, row = 0, to = l->strips - 1, last_row = l->g->m;
    if (begin > 0)
        row = row_at(l, total * begin / l->lots, &from);
    if (end < l->lots)
        last_row = row_at(l, total * end / l->lots, &to);
    for (int64_t strip = from; strip <= to; strip++) {
        int64_t i = strip == from ? row : 0, last = strip == to ? last_row : l->g->m;
        for (int64_t step = 0; i < last && step < l->steps; step++)
            strip_step(l, strip, i, last, step, strip == from);
    }
}

static bool fits(const weir_gemm_loops *loops, const weir_gemm_views *g, bool dense)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    if (g->a.patches || (int64_t)weir_elem_size(g->a.elem) != unit ||
        (g->a.cs != 1 && g->a.rs != 1))
        return false;
    return g->n >= loops->vec && (g->k >= DEPTH_LEAST || g->m * g->n <= A_BYTES / unit) &&
           (dense || g->panels || g->k <= STRIP_BYTES / unit / loops->nr);
}

/* Rows of B a multiple of COLLIDE apart fall on the same few places of a cache. Where a strip is no
 * wider than a line they drive each other out before the next panel of rows comes. */
static bool b_collides(const loose *l)
{
    return l->loops->nr * l->unit <= LINE && l->g->b.rs * l->unit % COLLIDE == 0 &&
           l->g->m >= COLLIDE_ROWS && l->g->k <= STRIP_BYTES / l->unit / l->loops->nr;
}

/* Narrow tiles read an A with dense columns from as many lines as it is deep, for a few rows of
 * each; enough strips pay for laying its rows dense. */
static bool pays_turning(const loose *l)
{
    return l->loops->nr * l->unit <= LINE && l->g->a.rs == 1 && l->g->a.cs != 1 &&
           l->strips >= TURN_STRIPS && l->panels >= TURN_PANELS && l->g->k >= DEPTH_LEAST;
}

static void run(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g,
                bool dense)
{
    loose l = {.loops = loops, .g = g};
    l.unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    l.strips = ceil_div(g->n, loops->nr);
    l.vecs = ceil_div(g->n, loops->vec);
    l.panels = ceil_div(g->m, loops->mr);
    l.steps = ceil_div(g->k, (g->m <= FEW_ROWS ? FEW_ROWS_DEPTH : DEPTH_BYTES) / l.unit);
    l.first_packed = g->panels || !dense || b_collides(&l) ? 0
                     : g->n % loops->least                 ? l.strips - 1
                                                           : l.strips;
    l.keeps = dense && !g->panels && l.first_packed == 0;
    l.turns = pays_turning(&l);
    l.near = (g->m + g->n) * g->k * l.unit <= NEAR_BYTES;
    static atomic_ullong names = 1;
    if ((l.first_packed < l.strips && !g->panels) || l.turns)
        l.name = atomic_fetch_add_explicit(&names, (unsigned long long)l.strips + 1,
                                           memory_order_relaxed);
    l.lots = par && par->threads > 1 ? LOTS_PER_THREAD * par->threads : 1;
    weir_par_for(par, l.lots, 1, lot_part, &l);
}

/* How many parts an A beyond the caches is cut into along its depth and its rows: they beat packing
 * it, unless B would be read again for too little, or a thread had too few tiles. */
static bool cut(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g,
                int64_t *out_deep, int64_t *out_high)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    *out_deep = *out_high = 1;
    if (g->m * g->k <= A_BYTES / unit)
        return true;
    int64_t tiles = ceil_div(g->m, loops->mr) * ceil_div(g->n, loops->nr);
    *out_deep = ceil_div(g->k, DEPTH_BYTES / unit);
    *out_high = ceil_div(g->m * ceil_div(g->k, *out_deep), A_BYTES / unit);
    return g->m >= CUT_ROWS && g->n >= CUT_STRIPS * loops->nr && g->k >= CUT_DEPTH &&
           tiles >= TILES_PER_THREAD * (par ? par->threads : 1) && !weir_gemm_a_collides(&g->a);
}

bool weir_gemm_loose(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float), deep, high;
    bool dense = g->b.cs == 1 && (int64_t)weir_elem_size(g->b.elem) == unit;
    if (!cut(loops, par, g, &deep, &high))
        return false;
    weir_gemm_views part = *g;
    part.m = g->m / high;
    part.k = ceil_div(g->k, deep);
    if (deep > 1)
        part.panels = NULL; /* they are as deep as the whole */
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
