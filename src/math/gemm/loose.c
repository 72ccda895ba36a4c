/* math/gemm/loose.c - products of moderate size, with operands read where they lie.
 *
 * Packing B costs as much as a dozen rows of A, packing A as much again, and threads that pack
 * together wait for each other. When A fits the second-level cache none of it is needed: a strip of
 * B's columns is taken as it lies, DEPTH_BYTES of each column at a time, and stays in the
 * first-level cache while the rows of A go over it. Only what tiles cannot read is packed, strip by
 * strip: a last strip that ends within a vector, or all of a B whose rows are not dense.
 *
 * Work is counted in panels of rows by vectors of columns, strip after strip; a lot is an equal
 * share of that line, so that threads end together whatever the shape.
 */
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum {
    DEPTH_BYTES = 768,     /* of one column: 192 floats */
    A_BYTES = 1 << 20,     /* of A that rows are read from again and again */
    STRIP_BYTES = 1 << 19, /* of a strip of B that must be packed */
    DEPTH_LEAST = 48, /* below, C costs more than the products, and wants to be written in rows */
    LOTS_PER_THREAD = 4,
};

typedef struct loose {
    const weir_gemm_loops *loops;
    const weir_gemm_views *g;
    int64_t unit;
    int64_t strips, first_packed; /* strips from |first_packed| on are packed */
    int64_t panels, vecs, lots;   /* panels of rows, vectors of columns */
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

/* Packs a strip just before it is used, into room of the thread's own. Where two threads share a
 * strip both pack it, which costs less than to wait for each other. */
static const char *pack_strip(const loose *l, int64_t strip)
{
    int64_t j = strip * l->loops->nr;
    void *to = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(l->loops->nr * l->g->k * l->unit));
    l->loops->pack_b(&l->g->b, 0, l->g->k, j, least(l->loops->nr, l->g->n - j), to);
    return to;
}

/* Rows [p, p + depth) of a strip of B, as they lie. */
static weir_gemm_ahead part_of_b(const loose *l, int64_t strip, int64_t p, int64_t depth)
{
    const weir_gemm_view *b = &l->g->b;
    int64_t j = strip * l->loops->nr, cols = least(l->loops->nr, l->g->n - j);
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
    if (!packed && left > 0)
        return part_of_b(l, strip, next, least(depth, left));
    if (last)
        return (weir_gemm_ahead){0};
    return part_of_b(l, strip + 1, packed ? p : 0, depth);
}

/* Rows [i, end) of one strip, the |first| of a lot or a later one. */
static void strip_rows(const loose *l, int64_t strip, int64_t i, int64_t end, bool first)
{
    const weir_gemm_views *g = l->g;
    int64_t j = strip * l->loops->nr, steps = ceil_div(g->k, DEPTH_BYTES / l->unit);
    weir_gemm_block block = {
        .rows = end - i,
        .cols = least(l->loops->nr, g->n - j),
        .a_rs = g->a.rs,
        .a_cs = g->a.cs,
        .b_depth = g->k,
        .c = (char *)g->c + (i * g->ldc + j) * l->unit,
        .ldc = g->ldc,
        .add = g->accumulate,
        .a_is_far = first,
    };
    const char *packed = strip >= l->first_packed ? pack_strip(l, strip) : NULL;
    int64_t width = block.cols > l->loops->vec ? l->loops->nr : l->loops->vec;
    block.b_rs = packed ? 0 : g->b.rs;
    for (int64_t s = 0; s < steps; s++) {
        int64_t p = g->k * s / steps;
        block.depth = g->k * (s + 1) / steps - p;
        block.a = element(&g->a, i, p);
        block.b = packed ? packed + p * width * l->unit : element(&g->b, p, j);
        block.ahead = what_follows(l, strip, p, block.depth);
        l->loops->block(&block);
        block.add = true;
    }
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
    int64_t total = l->panels * l->vecs, strip, last;
    int64_t row = row_at(l, total * begin / l->lots, &strip);
    int64_t last_row = row_at(l, total * end / l->lots, &last);
    if (end == l->lots) {
        last = l->strips;
        last_row = 0;
    }
    int64_t first = strip;
    for (; strip < last; strip++, row = 0)
        strip_rows(l, strip, row, l->g->m, strip == first);
    if (last_row > row)
        strip_rows(l, strip, row, last_row, strip == first);
}

static bool fits(const weir_gemm_loops *loops, const weir_gemm_views *g, bool dense)
{
    int64_t unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    if (g->a.patches || (int64_t)weir_elem_size(g->a.elem) != unit ||
        (g->a.cs != 1 && g->a.rs != 1))
        return false;
    return g->n >= loops->vec && g->k * g->m <= A_BYTES / unit &&
           (g->k >= DEPTH_LEAST || g->m * g->n <= A_BYTES / unit) &&
           (dense || g->k <= STRIP_BYTES / unit / loops->nr);
}

bool weir_gemm_loose(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g)
{
    loose l = {.loops = loops, .g = g};
    l.unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    bool dense = g->b.cs == 1 && (int64_t)weir_elem_size(g->b.elem) == l.unit;
    if (!fits(loops, g, dense))
        return false;
    l.strips = ceil_div(g->n, loops->nr);
    l.vecs = ceil_div(g->n, loops->vec);
    l.panels = ceil_div(g->m, loops->mr);
    l.first_packed = !dense ? 0 : g->n % loops->vec ? l.strips - 1 : l.strips;
    l.lots = par && par->threads > 1 ? LOTS_PER_THREAD * par->threads : 1;
    weir_par_for(par, l.lots, 1, lot_part, &l);
    return true;
}
