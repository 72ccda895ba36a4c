/* math/gemm/blocked.c - the choice of method for a product of floats, and the packed method: a
 * product cut into blocks that fit the caches, shared by threads.
 *
 * For every MAX_COLS columns and DEPTH_BYTES of depth, B is packed; then A is packed, MAX_ROWS rows
 * at a time, and the resulting blocks of C are the tasks. A packed panel of A stays in the
 * first-level cache while the packed block of B is streamed from the second.
 */
#include <string.h>

#include "base/arith.h"
#include "base/env.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/half.h"
#include "math/scratch.h"

enum {
    DEPTH_BYTES = 1024,    /* bytes of one packed row: 256 floats deep */
    MAX_ROWS = 1536,       /* bounds the packed A */
    MAX_COLS = 2048,       /* bounds the packed B */
    TASK_COLS = 512,       /* keeps the packed B of one task in the second-level cache */
    TASK_ROWS = 120,       /* keeps tasks short enough to be shared evenly */
    SERIAL_WORK = 1 << 19, /* multiplications below which threads cost more than they save */
};

typedef struct job {
    const weir_gemm_loops *loops;
    const weir_par *par;
    weir_gemm_view a, b;
    int64_t m, n, k;
    char *c;
    int64_t ldc;
    size_t unit; /* bytes of an element of C and of the packed panels */
    bool add;
    const void *panels; /* this field and the next two as in weir_gemm */
    const void *prefetch_write;
    size_t prefetch_write_bytes;
    bool a_in_place; /* A is read in place instead of being packed */
    /* The rows, columns and depth that are being multiplied, and how they are cut into tasks. */
    int64_t i, rows, j, cols, p, depth;
    int64_t task_rows, task_cols, tasks_down;
    char *packed_a, *packed_b;
    bool pack_b;
} job;

static int64_t round_up(int64_t a, int64_t to)
{
    return weir_ceil_div(a, to) * to;
}

/* Bytes to element (i, j). */
static int64_t view_offset(const weir_gemm_view *v, int64_t i, int64_t j)
{
    return ((v->i0 + i) * v->rs + (v->j0 + j) * v->cs) * (int64_t)weir_elem_size(v->elem);
}

/* Where the panel of B that begins with column |col| starts: every panel before it is full. */
static char *b_panel(const job *w, int64_t col)
{
    return w->packed_b + (size_t)(col * w->depth) * w->unit;
}

/* Each index packs one panel: first those of B (if it has to be packed), then those of A. */
static void pack_part(void *ctx, int64_t begin, int64_t end)
{
    const job *w = ctx;
    const weir_gemm_loops *l = w->loops;
    int64_t b_panels = w->pack_b ? weir_ceil_div(w->cols, l->nr) : 0;
    for (int64_t at = begin; at < end; at++) {
        if (at < b_panels) {
            int64_t col = at * l->nr;
            l->pack_b(&w->b, w->p, w->depth, w->j + col, weir_min(l->nr, w->cols - col),
                      b_panel(w, col));
        } else {
            int64_t row = (at - b_panels) * l->mr;
            l->pack_a(&w->a, w->i + row, weir_min(l->mr, w->rows - row), w->p, w->depth,
                      w->packed_a + (size_t)(row * w->depth) * w->unit);
        }
    }
}

static void task_part(void *ctx, int64_t begin, int64_t end)
{
    const job *w = ctx;
    for (int64_t at = begin; at < end; at++) {
        int64_t row = at % w->tasks_down * w->task_rows, col = at / w->tasks_down * w->task_cols;
        weir_gemm_block block = {
            .rows = weir_min(w->task_rows, w->rows - row),
            .cols = weir_min(w->task_cols, w->cols - col),
            .depth = w->depth,
            .b = b_panel(w, col),
            .c = w->c + (size_t)((w->i + row) * w->ldc + w->j + col) * w->unit,
            .ldc = w->ldc,
            .add = w->add || w->p > 0,
        };
        if (w->a_in_place) {
            block.a_rs = w->a.rs;
            block.a_cs = w->a.cs;
            block.a = (const char *)w->a.at + view_offset(&w->a, w->i + row, w->p);
        } else {
            block.a = w->packed_a + (size_t)(row * w->depth) * w->unit;
        }
        w->loops->block(&block);
    }
}

/* Sizes the tasks so that every thread gets a few. */
static void cut_tasks(job *w)
{
    int64_t threads = w->par ? w->par->threads : 1;
    int64_t want = threads > 1 ? 4 * threads : 1;
    w->task_rows = weir_min(round_up(w->rows, w->loops->mr), round_up(TASK_ROWS, w->loops->mr));
    w->task_cols = weir_min(round_up(w->cols, w->loops->nr), TASK_COLS);
    while (weir_ceil_div(w->rows, w->task_rows) * weir_ceil_div(w->cols, w->task_cols) < want) {
        if (w->task_cols > w->loops->nr && w->task_cols >= w->task_rows)
            w->task_cols = round_up(w->task_cols / 2, w->loops->nr);
        else if (w->task_rows > w->loops->mr)
            w->task_rows = round_up(w->task_rows / 2, w->loops->mr);
        else if (w->task_cols > w->loops->nr)
            w->task_cols = round_up(w->task_cols / 2, w->loops->nr);
        else
            break;
    }
    w->tasks_down = weir_ceil_div(w->rows, w->task_rows);
}

static void run_rows(job *w)
{
    int64_t most = w->a_in_place ? w->m : MAX_ROWS;
    for (w->i = 0; w->i < w->m; w->i += most) {
        w->rows = weir_min(most, w->m - w->i);
        w->pack_b = w->i == 0;
        int64_t panels = (w->pack_b ? weir_ceil_div(w->cols, w->loops->nr) : 0) +
                         (w->a_in_place ? 0 : weir_ceil_div(w->rows, w->loops->mr));
        int64_t panel_work = w->depth * w->loops->nr;
        weir_par_for(w->par, panels, (1 << 15) / (panel_work + 1) + 1, pack_part, w);
        cut_tasks(w);
        weir_par_for(w->par, w->tasks_down * weir_ceil_div(w->cols, w->task_cols), 1, task_part, w);
    }
}

static void run_blocks(job *w)
{
    int64_t most = DEPTH_BYTES / (int64_t)w->unit;
    int64_t depth = w->k <= most + most / 2 ? w->k : weir_ceil_div(w->k, weir_ceil_div(w->k, most));
    int64_t cols = weir_min(round_up(w->n, w->loops->nr), MAX_COLS);
    int64_t rows = weir_min(w->m, MAX_ROWS);
    w->a_in_place = weir_elem_size(w->a.elem) == w->unit && !w->a.patches &&
                    ((w->a.cs == 1 && !weir_gemm_a_collides(&w->a)) ||
                     (w->a.rs == 1 && w->n <= 2 * w->loops->nr));
    w->packed_b = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(cols * depth) * w->unit);
    if (!w->a_in_place)
        w->packed_a = weir_scratch(WEIR_SCRATCH_GEMM_A, (size_t)(rows * depth) * w->unit);
    for (w->j = 0; w->j < w->n; w->j += MAX_COLS) {
        w->cols = weir_min(MAX_COLS, w->n - w->j);
        for (w->p = 0; w->p < w->k; w->p += depth) {
            w->depth = weir_min(depth, w->k - w->p);
            run_rows(w);
        }
    }
}

/* A small C with a long k: each thread multiplies a part of k into a copy of C, and the copies are
 * added up. */
typedef struct split {
    const job *whole;
    char *partial; /* parts - 1 copies of C; the first part writes C itself */
    int64_t parts;
} split;

static void split_part(void *ctx, int64_t begin, int64_t end)
{
    const split *s = ctx;
    for (int64_t part = begin; part < end; part++) {
        job w = *s->whole;
        int64_t p0 = w.k * part / s->parts, p1 = w.k * (part + 1) / s->parts;
        w.par = NULL;
        w.k = p1 - p0;
        w.a.j0 += p0;
        w.b.i0 += p0;
        if (part > 0) {
            w.c = s->partial + (size_t)((part - 1) * w.m * w.n) * w.unit;
            w.ldc = w.n;
            w.add = false;
        }
        run_blocks(&w);
    }
}

static void add_rows(const job *w, const void *from)
{
    for (int64_t i = 0; i < w->m; i++)
        for (int64_t j = 0; j < w->n; j++)
            if (w->unit == sizeof(float))
                ((float *)w->c)[i * w->ldc + j] += ((const float *)from)[i * w->n + j];
            else
                ((double *)w->c)[i * w->ldc + j] += ((const double *)from)[i * w->n + j];
}

static void run_split(const job *w, int64_t parts)
{
    split s = {w, NULL, parts};
    size_t copy = (size_t)(w->m * w->n) * w->unit;
    s.partial = weir_scratch(WEIR_SCRATCH_GEMM_C, copy * (size_t)(parts - 1));
    weir_par_for(w->par, parts, 1, split_part, &s);
    for (int64_t i = 1; i < parts; i++)
        add_rows(w, s.partial + copy * (size_t)(i - 1));
}

/* One row times a matrix needs no packing: every element of B is used once. */
typedef struct row {
    const weir_gemm_loops *loops;
    bool dots;
    const void *x, *b;
    int64_t k, ldb;
    char *y;
    size_t unit;
    bool add;
} row;

static void row_part(void *ctx, int64_t begin, int64_t end)
{
    const row *r = ctx;
    const char *b = (const char *)r->b + begin * (r->dots ? r->ldb : 1) * (int64_t)r->unit;
    char *y = r->y + (size_t)begin * r->unit;
    (r->dots ? r->loops->row_dots : r->loops->row_times)(end - begin, r->k, r->x, b, r->ldb, y,
                                                         r->add);
}

static void run_row(const job *w, row *r, int64_t n)
{
    r->loops = w->loops;
    r->k = w->k;
    r->y = w->c;
    r->unit = w->unit;
    r->add = w->add;
    int64_t grain = (1 << 17) / (w->k + 1) + 64;
    weir_par_for(w->par, n, grain, row_part, r);
}

/* y = x B with contiguous x: m = 1, or n = 1 with A in the place of B. */
static bool try_row(const job *w)
{
    const weir_gemm_view *a = &w->a, *b = &w->b;
    if (weir_elem_size(a->elem) != w->unit || weir_elem_size(b->elem) != w->unit || a->patches)
        return false;
    const char *a_at = (const char *)a->at + view_offset(a, 0, 0);
    const char *b_at = (const char *)b->at + view_offset(b, 0, 0);
    if (w->m == 1 && (a->cs == 1 || w->k == 1) && (b->cs == 1 || b->rs == 1)) {
        bool dots = b->rs == 1 && (b->cs != 1 || w->n == 1);
        row r = {.dots = dots, .x = a_at, .b = b_at, .ldb = dots ? b->cs : b->rs};
        run_row(w, &r, w->n);
        return true;
    }
    if (w->n == 1 && (w->ldc == 1 || w->m == 1) && (b->rs == 1 || w->k == 1) &&
        (a->cs == 1 || a->rs == 1)) {
        bool dots = a->cs == 1 && (a->rs != 1 || w->m == 1);
        row r = {.dots = dots, .x = b_at, .b = a_at, .ldb = dots ? a->rs : a->cs};
        run_row(w, &r, w->m);
        return true;
    }
    return false;
}

/* A depth of a few elements: row by row, while B stays in the cache. Tiles would spend more time on
 * loading and storing C than on multiplying. */
enum {
    SHALLOW_DEPTH = 4,       /* largest depth: four rows of B are added in one pass */
    SHALLOW_BYTES = 1 << 16, /* largest B, which every row of A reads */
};

static void shallow_part(void *ctx, int64_t begin, int64_t end)
{
    const job *w = ctx;
    const char *b = (const char *)w->b.at + view_offset(&w->b, 0, 0);
    for (int64_t i = begin; i < end; i++)
        w->loops->row_times(w->n, w->k, (const char *)w->a.at + view_offset(&w->a, i, 0), b,
                            w->b.rs, w->c + (size_t)(i * w->ldc) * w->unit, w->add);
}

static bool try_shallow(job *w)
{
    const weir_gemm_view *a = &w->a, *b = &w->b;
    if (w->k > SHALLOW_DEPTH || w->n < 4 * w->loops->nr || a->cs != 1 || b->cs != 1 || a->patches ||
        weir_elem_size(a->elem) != w->unit || weir_elem_size(b->elem) != w->unit ||
        w->n * w->k * (int64_t)w->unit > SHALLOW_BYTES)
        return false;
    weir_par_for(w->par, w->m, (1 << 15) / w->n + 1, shallow_part, w);
    return true;
}

/* ---- few columns ---- */

typedef struct narrow {
    const weir_gemm_loops *loops;
    weir_gemm_narrow g;
    int64_t unit;
} narrow;

static void narrow_part(void *ctx, int64_t begin, int64_t end)
{
    const narrow *s = ctx;
    weir_gemm_narrow g = s->g;
    g.m = end - begin;
    g.a = (const char *)g.a + begin * g.a_rs * s->unit;
    g.c = (char *)g.c + begin * g.ldc * s->unit;
    s->loops->narrow(&g);
}

static weir_gemm_narrow narrow_of(const job *w)
{
    const weir_gemm_view *a = &w->a, *b = &w->b;
    return (weir_gemm_narrow){
        .m = w->m,
        .n = w->n,
        .k = w->k,
        .c = w->c,
        .ldc = w->ldc,
        .add = w->add,
        .a = (const char *)a->at + view_offset(a, 0, 0),
        .a_rs = a->rs,
        .a_cs = a->cs,
        .b = (const char *)b->at + view_offset(b, 0, 0),
        .b_rs = b->rs,
        .b_cs = b->cs,
    };
}

enum {
    NARROW_BYTES = 1 << 17, /* largest B, which every row of A reads */
    NARROW_WORK = 1 << 18,  /* multiplications that are worth another thread */
};

static bool try_narrow(const job *w)
{
    const weir_gemm_view *a = &w->a, *b = &w->b;
    int64_t widest = w->loops->vec * 3 / 4;
    bool dots = a->cs == 1 && b->rs == 1; /* nothing to transpose: pays for a few rows as well */
    if (w->n < 2 || w->n > WEIR_GEMM_NARROW || w->n > widest || (w->m < w->loops->vec && !dots) ||
        w->k < w->loops->vec || (a->rs != 1 && a->cs != 1) || a->patches ||
        weir_elem_size(a->elem) != w->unit || weir_elem_size(b->elem) != w->unit ||
        w->k * w->n * (int64_t)w->unit > NARROW_BYTES)
        return false;
    narrow s = {.loops = w->loops, .unit = (int64_t)w->unit, .g = narrow_of(w)};
    if (a->cs == 1 && !dots) {
        void *transposed = weir_scratch(WEIR_SCRATCH_GEMM_B, NARROW_BYTES);
        w->loops->transpose(w->n, w->k, s.g.b, b->rs, b->cs, transposed);
        s.g.b = transposed;
        s.g.b_rs = 1;
        s.g.b_cs = w->k;
    }
    int64_t grain = NARROW_WORK / (w->n * w->k) + 1;
    weir_par_for(w->par, w->m, (grain + 31) / 32 * 32, narrow_part, &s);
    return true;
}

/* Few rows times a B with dense columns: dot products read it in place, where packing it would cost
 * as much as multiplying it. */
enum {
    FEW_ROWS = 40,        /* from about so many rows on, packing pays */
    DOTS_MIN_DEPTH = 256, /* shorter dot products spend too much time adding up their vectors */
    DOTS_GRAIN = 24,      /* least columns per thread */
};

static void few_rows_part(void *ctx, int64_t begin, int64_t end)
{
    const narrow *s = ctx;
    weir_gemm_narrow g = s->g;
    g.n = end - begin;
    g.b = (const char *)g.b + begin * g.b_cs * s->unit;
    g.c = (char *)g.c + begin * s->unit;
    s->loops->narrow(&g);
}

static bool try_few_rows(const job *w)
{
    const weir_gemm_view *a = &w->a, *b = &w->b;
    if (w->m > FEW_ROWS || w->k < DOTS_MIN_DEPTH || w->n < w->m || a->cs != 1 || b->rs != 1 ||
        a->patches || weir_elem_size(a->elem) != w->unit || weir_elem_size(b->elem) != w->unit)
        return false;
    narrow s = {.loops = w->loops, .unit = (int64_t)w->unit, .g = narrow_of(w)};
    weir_par_for(w->par, w->n, DOTS_GRAIN, few_rows_part, &s);
    return true;
}

/* Products whose operands are read in place (unpacked.c). */
static bool try_unpacked(const job *w)
{
    weir_gemm_views g = {
        .a = w->a,
        .b = w->b,
        .m = w->m,
        .n = w->n,
        .k = w->k,
        .c = w->c,
        .ldc = w->ldc,
        .elem = w->unit == sizeof(double) ? WEIR_E_f64 : WEIR_E_f32,
        .accumulate = w->add,
        .panels = w->panels,
        .prefetch_write = w->prefetch_write,
        .prefetch_write_bytes = w->prefetch_write_bytes,
    };
    return !weir_env_get()->no_loose && weir_gemm_unpacked(w->loops, w->par, &g);
}

static void clear(const job *w)
{
    for (int64_t i = 0; !w->add && i < w->m; i++)
        memset(w->c + (size_t)(i * w->ldc) * w->unit, 0, (size_t)w->n * w->unit);
}

static void run(job *w)
{
    if (w->m == 0 || w->n == 0)
        return;
    if (w->k == 0) {
        clear(w);
        return;
    }
    if ((double)w->m * (double)w->n * (double)w->k < SERIAL_WORK)
        w->par = NULL;
    if (try_row(w) || try_shallow(w) || (w->panels && try_unpacked(w)) || try_narrow(w) ||
        try_few_rows(w) || try_unpacked(w))
        return;
    int64_t threads = w->par ? w->par->threads : 1;
    int64_t tiles = weir_ceil_div(w->m, w->loops->mr) * weir_ceil_div(w->n, w->loops->nr);
    int64_t parts = w->k / (DEPTH_BYTES / (int64_t)w->unit);
    if (threads > 1 && tiles < 4 * threads && parts > 1)
        run_split(w, weir_min(threads, parts));
    else
        run_blocks(w);
}

static void finish_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_gemm_views *g = ctx;
    g->finish(g->finish_ctx, begin, end - begin);
}

/* 16-bit products go through float blocks of C that are rounded when they are complete. */
enum { FLOAT_ROWS = 768, FLOAT_COLS = 1024 };

static void round_tile(const weir_gemm_views *g, const float *from, int64_t i0, int64_t rows,
                       int64_t j0, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++) {
        uint16_t *to = (uint16_t *)g->c + (i0 + i) * g->ldc + j0;
        for (int64_t j = 0; j < cols; j++) {
            float x = from[i * cols + j];
            if (g->elem == WEIR_E_f16)
                to[j] = weir_f32_f16(g->accumulate ? x + weir_f16_f32(to[j]) : x);
            else
                to[j] = weir_f32_bf16(g->accumulate ? x + weir_bf16_f32(to[j]) : x);
        }
    }
}

static void run_16_bit(const job *whole, const weir_gemm_views *g)
{
    for (int64_t i = 0; i < g->m; i += FLOAT_ROWS)
        for (int64_t j = 0; j < g->n; j += FLOAT_COLS) {
            job w = *whole;
            w.m = weir_min(FLOAT_ROWS, g->m - i);
            w.n = weir_min(FLOAT_COLS, g->n - j);
            float *tile = weir_scratch(WEIR_SCRATCH_GEMM_TILE, sizeof(float) * (size_t)(w.m * w.n));
            w.a.i0 += i;
            w.b.j0 += j;
            w.c = (char *)tile;
            w.ldc = w.n;
            w.add = false;
            run(&w);
            round_tile(g, tile, i, w.m, j, w.n);
        }
}

void weir_gemm_blocked(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g)
{
    job w = {
        .loops = loops,
        .par = par,
        .a = g->a,
        .b = g->b,
        .m = g->m,
        .n = g->n,
        .k = g->k,
        .c = g->c,
        .ldc = g->ldc,
        .unit = g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float),
        .add = g->accumulate,
        .panels = g->panels,
        .prefetch_write = g->prefetch_write,
        .prefetch_write_bytes = g->prefetch_write_bytes,
    };
    if (g->elem == WEIR_E_f16 || g->elem == WEIR_E_bf16)
        run_16_bit(&w, g);
    else
        run(&w);
    if (g->finish && g->m > 0 && g->n > 0)
        weir_par_for(par, g->m, (1 << 14) / g->n + 1, finish_part, (void *)g);
}
