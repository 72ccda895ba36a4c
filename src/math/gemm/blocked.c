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
#include "base/half.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
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

/* Bytes to element (i, j). */
static int64_t view_offset(const weir_gemm_view *view, int64_t i, int64_t j)
{
    return ((view->i0 + i) * view->rs + (view->j0 + j) * view->cs) *
           (int64_t)weir_elem_size(view->elem);
}

/* Where the panel of B that begins with column |col| starts: every panel before it is full. */
static char *b_panel(const job *job, int64_t col)
{
    return job->packed_b + (size_t)(col * job->depth) * job->unit;
}

/* Each index packs one panel: first those of B (if it has to be packed), then those of A. */
static void pack_part(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_gemm_loops *loops = job->loops;
    int64_t b_panels = job->pack_b ? weir_ceil_div(job->cols, loops->nr) : 0;
    for (int64_t at = begin; at < end; at++) {
        if (at < b_panels) {
            int64_t col = at * loops->nr;
            loops->pack_b(&job->b, job->p, job->depth, job->j + col,
                          weir_min(loops->nr, job->cols - col), b_panel(job, col));
        } else {
            int64_t row = (at - b_panels) * loops->mr;
            loops->pack_a(&job->a, job->i + row, weir_min(loops->mr, job->rows - row), job->p,
                          job->depth, job->packed_a + (size_t)(row * job->depth) * job->unit);
        }
    }
}

static void task_part(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    for (int64_t at = begin; at < end; at++) {
        int64_t row = at % job->tasks_down * job->task_rows,
                col = at / job->tasks_down * job->task_cols;
        weir_gemm_block block = {
            .rows = weir_min(job->task_rows, job->rows - row),
            .cols = weir_min(job->task_cols, job->cols - col),
            .depth = job->depth,
            .b = b_panel(job, col),
            .c = job->c + (size_t)((job->i + row) * job->ldc + job->j + col) * job->unit,
            .ldc = job->ldc,
            .add = job->add || job->p > 0,
        };
        if (job->a_in_place) {
            block.a_rs = job->a.rs;
            block.a_cs = job->a.cs;
            block.a = (const char *)job->a.at + view_offset(&job->a, job->i + row, job->p);
        } else {
            block.a = job->packed_a + (size_t)(row * job->depth) * job->unit;
        }
        job->loops->block(&block);
    }
}

/* Sizes the tasks so that every thread gets a few. */
static void cut_tasks(job *job)
{
    int64_t threads = job->par ? job->par->threads : 1;
    int64_t want = threads > 1 ? 4 * threads : 1;
    job->task_rows = weir_min(weir_round_up(job->rows, job->loops->mr),
                              weir_round_up(TASK_ROWS, job->loops->mr));
    job->task_cols = weir_min(weir_round_up(job->cols, job->loops->nr), TASK_COLS);
    while (weir_ceil_div(job->rows, job->task_rows) * weir_ceil_div(job->cols, job->task_cols) <
           want) {
        if (job->task_cols > job->loops->nr && job->task_cols >= job->task_rows)
            job->task_cols = weir_round_up(job->task_cols / 2, job->loops->nr);
        else if (job->task_rows > job->loops->mr)
            job->task_rows = weir_round_up(job->task_rows / 2, job->loops->mr);
        else if (job->task_cols > job->loops->nr)
            job->task_cols = weir_round_up(job->task_cols / 2, job->loops->nr);
        else
            break;
    }
    job->tasks_down = weir_ceil_div(job->rows, job->task_rows);
}

static void run_rows(job *job)
{
    int64_t most = job->a_in_place ? job->m : MAX_ROWS;
    for (job->i = 0; job->i < job->m; job->i += most) {
        job->rows = weir_min(most, job->m - job->i);
        job->pack_b = job->i == 0;
        int64_t panels = (job->pack_b ? weir_ceil_div(job->cols, job->loops->nr) : 0) +
                         (job->a_in_place ? 0 : weir_ceil_div(job->rows, job->loops->mr));
        int64_t panel_work = job->depth * job->loops->nr;
        weir_par_for(job->par, panels, (1 << 15) / (panel_work + 1) + 1, pack_part, job);
        cut_tasks(job);
        weir_par_for_long(job->par, job->tasks_down * weir_ceil_div(job->cols, job->task_cols), 1,
                          task_part, job);
    }
}

static void run_blocks(job *job)
{
    int64_t most = DEPTH_BYTES / (int64_t)job->unit;
    int64_t depth =
        job->k <= most + most / 2 ? job->k : weir_ceil_div(job->k, weir_ceil_div(job->k, most));
    int64_t cols = weir_min(weir_round_up(job->n, job->loops->nr), MAX_COLS);
    int64_t rows = weir_min(job->m, MAX_ROWS);
    job->a_in_place = weir_elem_size(job->a.elem) == job->unit && !job->a.patches &&
                      ((job->a.cs == 1 && !weir_gemm_a_collides(&job->a)) ||
                       (job->a.rs == 1 && job->n <= 2 * job->loops->nr));
    job->packed_b = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(cols * depth) * job->unit);
    if (!job->a_in_place)
        job->packed_a = weir_scratch(WEIR_SCRATCH_GEMM_A, (size_t)(rows * depth) * job->unit);
    for (job->j = 0; job->j < job->n; job->j += MAX_COLS) {
        job->cols = weir_min(MAX_COLS, job->n - job->j);
        for (job->p = 0; job->p < job->k; job->p += depth) {
            job->depth = weir_min(depth, job->k - job->p);
            run_rows(job);
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
    const split *split = ctx;
    for (int64_t part = begin; part < end; part++) {
        job job = *split->whole;
        int64_t p0 = job.k * part / split->parts, p1 = job.k * (part + 1) / split->parts;
        job.par = NULL;
        job.k = p1 - p0;
        job.a.j0 += p0;
        job.b.i0 += p0;
        if (part > 0) {
            job.c = split->partial + (size_t)((part - 1) * job.m * job.n) * job.unit;
            job.ldc = job.n;
            job.add = false;
        }
        run_blocks(&job);
    }
}

static void add_rows(const job *job, const void *from)
{
    for (int64_t i = 0; i < job->m; i++)
        for (int64_t j = 0; j < job->n; j++)
            if (job->unit == sizeof(float))
                ((float *)job->c)[i * job->ldc + j] += ((const float *)from)[i * job->n + j];
            else
                ((double *)job->c)[i * job->ldc + j] += ((const double *)from)[i * job->n + j];
}

static void run_split(const job *job, int64_t parts)
{
    split split = {job, NULL, parts};
    size_t copy = (size_t)(job->m * job->n) * job->unit;
    split.partial = weir_scratch(WEIR_SCRATCH_GEMM_C, copy * (size_t)(parts - 1));
    weir_par_for(job->par, parts, 1, split_part, &split);
    for (int64_t i = 1; i < parts; i++)
        add_rows(job, split.partial + copy * (size_t)(i - 1));
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
    const row *row = ctx;
    const char *b = (const char *)row->b + begin * (row->dots ? row->ldb : 1) * (int64_t)row->unit;
    char *y = row->y + (size_t)begin * row->unit;
    (row->dots ? row->loops->row_dots : row->loops->row_times)(end - begin, row->k, row->x, b,
                                                               row->ldb, y, row->add);
}

static void run_row(const job *job, row *row, int64_t n)
{
    row->loops = job->loops;
    row->k = job->k;
    row->y = job->c;
    row->unit = job->unit;
    row->add = job->add;
    int64_t grain = (1 << 17) / (job->k + 1) + 64;
    weir_par_for(job->par, n, grain, row_part, row);
}

/* y = x B with contiguous x: m = 1, or n = 1 with A in the place of B. */
static bool try_row(const job *job)
{
    const weir_gemm_view *a = &job->a, *b = &job->b;
    if (weir_elem_size(a->elem) != job->unit || weir_elem_size(b->elem) != job->unit || a->patches)
        return false;
    const char *a_at = (const char *)a->at + view_offset(a, 0, 0);
    const char *b_at = (const char *)b->at + view_offset(b, 0, 0);
    if (job->m == 1 && (a->cs == 1 || job->k == 1) && (b->cs == 1 || b->rs == 1)) {
        bool dots = b->rs == 1 && (b->cs != 1 || job->n == 1);
        row row = {.dots = dots, .x = a_at, .b = b_at, .ldb = dots ? b->cs : b->rs};
        run_row(job, &row, job->n);
        return true;
    }
    if (job->n == 1 && (job->ldc == 1 || job->m == 1) && (b->rs == 1 || job->k == 1) &&
        (a->cs == 1 || a->rs == 1)) {
        bool dots = a->cs == 1 && (a->rs != 1 || job->m == 1);
        row row = {.dots = dots, .x = b_at, .b = a_at, .ldb = dots ? a->rs : a->cs};
        run_row(job, &row, job->m);
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
    const job *job = ctx;
    const char *b = (const char *)job->b.at + view_offset(&job->b, 0, 0);
    for (int64_t i = begin; i < end; i++)
        job->loops->row_times(job->n, job->k, (const char *)job->a.at + view_offset(&job->a, i, 0),
                              b, job->b.rs, job->c + (size_t)(i * job->ldc) * job->unit, job->add);
}

static bool try_shallow(job *job)
{
    const weir_gemm_view *a = &job->a, *b = &job->b;
    if (job->k > SHALLOW_DEPTH || job->n < 4 * job->loops->nr || a->cs != 1 || b->cs != 1 ||
        a->patches || weir_elem_size(a->elem) != job->unit ||
        weir_elem_size(b->elem) != job->unit ||
        job->n * job->k * (int64_t)job->unit > SHALLOW_BYTES)
        return false;
    weir_par_for(job->par, job->m, (1 << 15) / job->n + 1, shallow_part, job);
    return true;
}

/* ---- few columns ---- */

typedef struct narrow {
    const weir_gemm_loops *loops;
    weir_gemm_narrow product;
    int64_t unit;
} narrow;

static void narrow_part(void *ctx, int64_t begin, int64_t end)
{
    const narrow *narrow = ctx;
    weir_gemm_narrow part = narrow->product;
    part.m = end - begin;
    part.a = (const char *)part.a + begin * part.a_rs * narrow->unit;
    part.c = (char *)part.c + begin * part.ldc * narrow->unit;
    narrow->loops->narrow(&part);
}

static weir_gemm_narrow narrow_of(const job *job)
{
    const weir_gemm_view *a = &job->a, *b = &job->b;
    return (weir_gemm_narrow){
        .m = job->m,
        .n = job->n,
        .k = job->k,
        .c = job->c,
        .ldc = job->ldc,
        .add = job->add,
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

static bool try_narrow(const job *job)
{
    const weir_gemm_view *a = &job->a, *b = &job->b;
    int64_t widest = job->loops->vec * 3 / 4;
    bool dots = a->cs == 1 && b->rs == 1; /* nothing to transpose: pays for a few rows as well */
    if (job->n < 2 || job->n > WEIR_GEMM_NARROW || job->n > widest ||
        (job->m < job->loops->vec && !dots) || job->k < job->loops->vec ||
        (a->rs != 1 && a->cs != 1) || a->patches || weir_elem_size(a->elem) != job->unit ||
        weir_elem_size(b->elem) != job->unit || job->k * job->n * (int64_t)job->unit > NARROW_BYTES)
        return false;
    narrow narrow = {.loops = job->loops, .unit = (int64_t)job->unit, .product = narrow_of(job)};
    if (a->cs == 1 && !dots) {
        void *transposed = weir_scratch(WEIR_SCRATCH_GEMM_B, NARROW_BYTES);
        job->loops->transpose(job->n, job->k, narrow.product.b, b->rs, b->cs, transposed);
        narrow.product.b = transposed;
        narrow.product.b_rs = 1;
        narrow.product.b_cs = job->k;
    }
    int64_t grain = NARROW_WORK / (job->n * job->k) + 1;
    weir_par_for(job->par, job->m, (grain + 31) / 32 * 32, narrow_part, &narrow);
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
    const narrow *narrow = ctx;
    weir_gemm_narrow part = narrow->product;
    part.n = end - begin;
    part.b = (const char *)part.b + begin * part.b_cs * narrow->unit;
    part.c = (char *)part.c + begin * narrow->unit;
    narrow->loops->narrow(&part);
}

static bool try_few_rows(const job *job)
{
    const weir_gemm_view *a = &job->a, *b = &job->b;
    if (job->m > FEW_ROWS || job->k < DOTS_MIN_DEPTH || job->n < job->m || a->cs != 1 ||
        b->rs != 1 || a->patches || weir_elem_size(a->elem) != job->unit ||
        weir_elem_size(b->elem) != job->unit)
        return false;
    narrow narrow = {.loops = job->loops, .unit = (int64_t)job->unit, .product = narrow_of(job)};
    weir_par_for(job->par, job->n, DOTS_GRAIN, few_rows_part, &narrow);
    return true;
}

/* Products whose operands are read in place (unpacked.c). */
static bool try_unpacked(const job *job)
{
    weir_gemm_views views = {
        .a = job->a,
        .b = job->b,
        .m = job->m,
        .n = job->n,
        .k = job->k,
        .c = job->c,
        .ldc = job->ldc,
        .elem = job->unit == sizeof(double) ? WEIR_E_f64 : WEIR_E_f32,
        .accumulate = job->add,
        .panels = job->panels,
        .prefetch_write = job->prefetch_write,
        .prefetch_write_bytes = job->prefetch_write_bytes,
    };
    return !weir_env_get()->no_unpacked && weir_gemm_unpacked(job->loops, job->par, &views);
}

static void clear(const job *job)
{
    for (int64_t i = 0; !job->add && i < job->m; i++)
        memset(job->c + (size_t)(i * job->ldc) * job->unit, 0, (size_t)job->n * job->unit);
}

static void run(job *job)
{
    if (job->m == 0 || job->n == 0)
        return;
    if (job->k == 0) {
        clear(job);
        return;
    }
    if ((double)job->m * (double)job->n * (double)job->k < SERIAL_WORK)
        job->par = NULL;
    if (try_row(job) || try_shallow(job) || (job->panels && try_unpacked(job)) || try_narrow(job) ||
        try_few_rows(job) || try_unpacked(job))
        return;
    int64_t threads = job->par ? job->par->threads : 1;
    int64_t tiles = weir_ceil_div(job->m, job->loops->mr) * weir_ceil_div(job->n, job->loops->nr);
    int64_t parts = job->k / (DEPTH_BYTES / (int64_t)job->unit);
    if (threads > 1 && tiles < 4 * threads && parts > 1)
        run_split(job, weir_min(threads, parts));
    else
        run_blocks(job);
}

static void finish_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_gemm_views *views = ctx;
    views->finish(views->finish_ctx, begin, end - begin);
}

/* 16-bit products go through float blocks of C that are rounded when they are complete. */
enum { FLOAT_ROWS = 768, FLOAT_COLS = 1024 };

static void round_tile(const weir_gemm_views *views, const float *from, int64_t i0, int64_t rows,
                       int64_t j0, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++) {
        uint16_t *to = (uint16_t *)views->c + (i0 + i) * views->ldc + j0;
        for (int64_t j = 0; j < cols; j++) {
            float x = from[i * cols + j];
            if (views->elem == WEIR_E_f16)
                to[j] = weir_f32_f16(views->accumulate ? x + weir_f16_f32(to[j]) : x);
            else
                to[j] = weir_f32_bf16(views->accumulate ? x + weir_bf16_f32(to[j]) : x);
        }
    }
}

static void run_16_bit(const job *whole, const weir_gemm_views *views)
{
    for (int64_t i = 0; i < views->m; i += FLOAT_ROWS)
        for (int64_t j = 0; j < views->n; j += FLOAT_COLS) {
            job job = *whole;
            job.m = weir_min(FLOAT_ROWS, views->m - i);
            job.n = weir_min(FLOAT_COLS, views->n - j);
            float *tile =
                weir_scratch(WEIR_SCRATCH_GEMM_TILE, sizeof(float) * (size_t)(job.m * job.n));
            job.a.i0 += i;
            job.b.j0 += j;
            job.c = (char *)tile;
            job.ldc = job.n;
            job.add = false;
            run(&job);
            round_tile(views, tile, i, job.m, j, job.n);
        }
}

void weir_gemm_blocked(const weir_gemm_loops *loops, const weir_par *par,
                       const weir_gemm_views *views)
{
    job job = {
        .loops = loops,
        .par = par,
        .a = views->a,
        .b = views->b,
        .m = views->m,
        .n = views->n,
        .k = views->k,
        .c = views->c,
        .ldc = views->ldc,
        .unit = views->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float),
        .add = views->accumulate,
        .panels = views->panels,
        .prefetch_write = views->prefetch_write,
        .prefetch_write_bytes = views->prefetch_write_bytes,
    };
    if (views->elem == WEIR_E_f16 || views->elem == WEIR_E_bf16)
        run_16_bit(&job, views);
    else
        run(&job);
    if (views->finish && views->m > 0 && views->n > 0)
        weir_par_for(par, views->m, (1 << 14) / views->n + 1, finish_part, (void *)views);
}
