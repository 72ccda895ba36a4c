/* math/reduce/reduce.c - plans the order of reduction.
 *
 * Dimensions are merged until kept and reduced ones alternate. When the last is reduced, each
 * result is made of rows (contiguous runs); when the last is kept, a tile of results accumulates
 * row after row. Both combine their rows as a balanced tree, which bounds the rounding error and
 * gives the same order to any number of threads.
 */
#include "math/reduce/reduce.h"

#include <stdatomic.h>
#include <string.h>

#include "math/cast/cast.h"
#include "math/reduce/reduce_impl.h"
#include "memory/buffer.h"

enum {
    ROW_PART = 4096, /* longest run that is summed directly */
    ROWS_PART = 128, /* most rows accumulated directly */
    TILE = 256,      /* results accumulated at once */
};

typedef struct axes {
    int count;
    int64_t dims[WEIR_REDUCE_RANK], strides[WEIR_REDUCE_RANK];
    int64_t total;
} axes;

typedef struct work {
    const weir_reducer *fns;
    int size; /* bytes of an element */
    const char *x;
    char *y;
    axes kept;          /* without the last, if the last dimension is kept */
    axes rows;          /* reduced, without the last if the last dimension is reduced */
    int64_t last;       /* length of the last dimension */
    int64_t tile;       /* results a part of the parallel loop computes at once */
    int64_t per_result; /* elements per result */
} work;

static int64_t offset_of(const axes *axes, int64_t index)
{
    int64_t offset = 0;
    for (int d = axes->count - 1; d > 0; d--) {
        offset += index % axes->dims[d] * axes->strides[d];
        index /= axes->dims[d];
    }
    return axes->count ? offset + index * axes->strides[0] : 0;
}

/* One run of |count| elements. */
static void reduce_run(const work *work, int64_t count, const char *x, void *acc)
{
    if (count <= ROW_PART) {
        work->fns->row(count, x, acc);
        return;
    }
    int64_t half = (count / 2 + ROW_PART - 1) / ROW_PART * ROW_PART;
    double _Complex right; /* scratch for any element */
    reduce_run(work, half, x, acc);
    reduce_run(work, count - half, x + half * work->size, &right);
    work->fns->merge(1, &right, acc);
}

/* Rows [begin, end) of the result that starts at |x|: the last dimension is reduced. */
static void reduce_rows(const work *work, const char *x, int64_t begin, int64_t end, void *acc)
{
    if (end - begin == 1) {
        reduce_run(work, work->last, x + offset_of(&work->rows, begin) * work->size, acc);
        return;
    }
    int64_t middle = begin + (end - begin) / 2;
    double _Complex right;
    reduce_rows(work, x, begin, middle, acc);
    reduce_rows(work, x, middle, end, &right);
    work->fns->merge(1, &right, acc);
}

/* Rows [begin, end) of a tile of |count| adjacent results: the last dimension is kept. */
static void reduce_tile(const work *work, const char *x, int64_t begin, int64_t end, int64_t count,
                        void *acc)
{
    if (end - begin <= ROWS_PART) {
        work->fns->load(count, x + offset_of(&work->rows, begin) * work->size, acc);
        for (int64_t r = begin + 1; r < end; r++)
            work->fns->add(count, x + offset_of(&work->rows, r) * work->size, acc);
        return;
    }
    int64_t middle = begin + (end - begin) / 2;
    double _Complex right[TILE];
    reduce_tile(work, x, begin, middle, count, acc);
    reduce_tile(work, x, middle, end, count, right);
    work->fns->merge(count, right, acc);
}

static void row_results(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    for (int64_t i = begin; i < end; i++)
        reduce_rows(work, work->x + offset_of(&work->kept, i) * work->size, 0, work->rows.total,
                    work->y + i * work->size);
}

static void tile_results(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    int64_t tiles = (work->last + work->tile - 1) / work->tile;
    for (int64_t i = begin; i < end; i++) {
        int64_t group = i / tiles, at = i % tiles * work->tile;
        int64_t count = work->last - at < work->tile ? work->last - at : work->tile;
        const char *x = work->x + (offset_of(&work->kept, group) + at) * work->size;
        reduce_tile(work, x, 0, work->rows.total, count,
                    work->y + (group * work->last + at) * work->size);
    }
}

static void axes_append(axes *axes, int64_t dim, int64_t stride)
{
    axes->dims[axes->count] = dim;
    axes->strides[axes->count++] = stride;
    axes->total *= dim;
}

/* Merges adjacent dimensions of one kind and drops dimensions of 1. Returns how many are left;
 * |last_kept| is the kind of the last. */
static int merge_dims(int rank, const int64_t *dims, const bool *reduced, int64_t *out,
                      bool *out_reduced)
{
    int n = 0;
    for (int axis = 0; axis < rank; axis++) {
        if (dims[axis] == 1)
            continue;
        if (n && out_reduced[n - 1] == reduced[axis]) {
            out[n - 1] *= dims[axis];
            continue;
        }
        out_reduced[n] = reduced[axis];
        out[n++] = dims[axis];
    }
    return n;
}

static void plan(work *work, int rank, const int64_t *dims, const bool *reduced, bool *last_reduced)
{
    int64_t merged[WEIR_REDUCE_RANK] = {1};
    bool kinds[WEIR_REDUCE_RANK] = {true};
    int n = merge_dims(rank, dims, reduced, merged, kinds);
    n = n ? n : 1; /* a scalar: a run of one */
    work->kept.total = work->rows.total = 1;
    int64_t strides[WEIR_REDUCE_RANK], step = 1;
    for (int d = n - 1; d >= 0; d--) {
        strides[d] = step;
        step *= merged[d];
    }
    for (int d = 0; d < n - 1; d++)
        axes_append(kinds[d] ? &work->rows : &work->kept, merged[d], strides[d]);
    work->last = merged[n - 1];
    *last_reduced = kinds[n - 1];
    work->per_result = work->rows.total * (*last_reduced ? work->last : 1);
}

/* One result of very many elements: parts on several threads, combined in order. */
typedef struct parts {
    const work *w;
    char *accs;
    int64_t length;
} parts;

enum { PART = 65536 };

static void one_part(void *ctx, int64_t begin, int64_t end)
{
    const parts *parts = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i * PART, n = parts->length - at < PART ? parts->length - at : PART;
        reduce_run(parts->w, n, parts->w->x + at * parts->w->size, parts->accs + i * 16);
    }
}

static weir_status reduce_whole(const weir_par *par, const work *work)
{
    int64_t count = (work->last + PART - 1) / PART;
    weir_buffer *accs;
    WEIR_TRY(weir_buffer_alloc((size_t)count * 16, &accs));
    parts parts = {work, accs->data, work->last};
    weir_par_for(par, count, 1, one_part, &parts);
    for (int64_t width = 1; width < count; width *= 2)
        for (int64_t i = 0; i + width < count; i += 2 * width)
            work->fns->merge(1, parts.accs + (i + width) * 16, parts.accs + i * 16);
    memcpy(work->y, parts.accs, (size_t)work->size);
    weir_buffer_release(accs);
    return WEIR_OK;
}

/* ---- few results of many short rows ---- */

/* Several rows are treated as one, long enough for vectors; chunks of these are reduced in
 * parallel, and combined in order. */
typedef struct chunks {
    work wide;
    char *accs;
    int64_t rows; /* wide ones of a chunk */
} chunks;

static void reduce_chunks(void *ctx, int64_t begin, int64_t end)
{
    const chunks *chunks = ctx;
    const work *work = &chunks->wide;
    for (int64_t i = begin; i < end; i++) {
        int64_t from = i * chunks->rows, to = from + chunks->rows;
        reduce_tile(work, work->x, from, to < work->rows.total ? to : work->rows.total, work->last,
                    chunks->accs + i * work->last * work->size);
    }
}

static void merge_all(const work *work, int64_t pieces, int64_t count, char *accs)
{
    for (int64_t width = 1; width < pieces; width *= 2)
        for (int64_t i = 0; i + width < pieces; i += 2 * width)
            work->fns->merge(count, accs + (i + width) * count * work->size,
                             accs + i * count * work->size);
}

static bool has_short_rows(const work *work)
{
    return work->kept.count == 0 && work->rows.count == 1 && work->rows.strides[0] == work->last &&
           work->last <= TILE / 2 && work->rows.total * work->last >= PART / 4;
}

static weir_status reduce_short_rows(const weir_par *par, const work *work)
{
    int64_t fold = TILE / work->last, wide = fold * work->last, rows = work->rows.total / fold;
    chunks chunks = {.wide = *work, .rows = PART / wide};
    chunks.wide.last = wide;
    chunks.wide.rows = (axes){.total = 1};
    axes_append(&chunks.wide.rows, rows, wide);
    int64_t count = (rows + chunks.rows - 1) / chunks.rows;
    weir_buffer *accs;
    WEIR_TRY(weir_buffer_alloc((size_t)(count * wide * work->size), &accs));
    chunks.accs = accs->data;
    weir_par_for(par, count, 1, reduce_chunks, &chunks);
    merge_all(work, count, wide, chunks.accs);
    merge_all(work, fold, work->last, chunks.accs);
    for (int64_t r = rows * fold; r < work->rows.total; r++)
        work->fns->add(work->last, work->x + r * work->last * work->size, chunks.accs);
    memcpy(work->y, chunks.accs, (size_t)(work->last * work->size));
    weir_buffer_release(accs);
    return WEIR_OK;
}

static weir_status run(const weir_par *par, work *work, bool last_reduced)
{
    int64_t results = work->kept.total * (last_reduced ? 1 : work->last);
    if (results == 0)
        return WEIR_OK;
    if (work->per_result == 0) {
        work->fns->empty(results, work->y);
        return WEIR_OK;
    }
    if (last_reduced && results == 1 && work->rows.total == 1 && work->last > PART) {
        WEIR_TRY(reduce_whole(par, work));
    } else if (last_reduced) {
        int64_t grain = 16384 / work->per_result;
        weir_par_for(par, results, grain ? grain : 1, row_results, work);
    } else if (has_short_rows(work)) {
        WEIR_TRY(reduce_short_rows(par, work));
    } else {
        work->tile = work->last < TILE ? work->last : TILE;
        int64_t tiles = (work->last + work->tile - 1) / work->tile,
                work_each = work->tile * work->per_result;
        int64_t grain = 16384 / work_each;
        weir_par_for(par, work->kept.total * tiles, grain ? grain : 1, tile_results, work);
    }
    work->fns->finish(results, work->per_result, work->y);
    return WEIR_OK;
}

static const weir_reducers *floats(void)
{
    static _Atomic(const weir_reducers *) picked;
    const weir_reducers *reducers = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!reducers, 0)) {
        reducers = WEIR_ISA_PICK(weir_reducers);
        atomic_store_explicit(&picked, reducers, memory_order_relaxed);
    }
    return reducers;
}

static const weir_reducer *find(weir_reduce_op op, weir_elem elem)
{
    if (elem == WEIR_E_f32 || weir_elem_is_half(elem))
        return &floats()->f32[op];
    return elem == WEIR_E_f64 ? &floats()->f64[op] : &weir_reduce_tables[elem][op];
}

bool weir_reduce_has(weir_reduce_op op, weir_elem elem)
{
    return elem != WEIR_ELEM_NONE && find(op, elem)->row != NULL;
}

/* The type of the arithmetic: float for 16-bit floats, and 64 bits for the mean of narrow integers,
 * whose sum and count may overflow. */
static weir_elem work_elem(weir_reduce_op op, weir_elem elem)
{
    if (weir_elem_is_half(elem))
        return WEIR_E_f32;
    if (op != WEIR_R_mean)
        return elem;
    switch (elem) {
    case WEIR_E_i8:
    case WEIR_E_i16:
    case WEIR_E_i32:
        return WEIR_E_i64;
    case WEIR_E_u8:
    case WEIR_E_u16:
    case WEIR_E_u32:
        return WEIR_E_u64;
    default:
        return elem;
    }
}

/* Widens x from |narrow|, reduces, and narrows the results. */
static weir_status run_wide(const weir_par *par, work *work, weir_elem narrow, weir_elem wide_elem,
                            bool last_reduced)
{
    int64_t results = work->kept.total * (last_reduced ? 1 : work->last);
    int64_t count = results * work->per_result;
    weir_buffer *wide, *out;
    WEIR_TRY(weir_buffer_alloc((size_t)(count * work->size), &wide));
    weir_status status = weir_buffer_alloc((size_t)(results * work->size), &out);
    if (status) {
        weir_buffer_release(wide);
        return status;
    }
    void *y = work->y;
    weir_cast_run(par, narrow, wide_elem, count, work->x, wide->data);
    work->x = wide->data;
    work->y = out->data;
    status = run(par, work, last_reduced);
    weir_cast_run(par, wide_elem, narrow, results, out->data, y);
    weir_buffer_release(wide);
    weir_buffer_release(out);
    return status;
}

weir_status weir_reduce_run(const weir_par *par, weir_reduce_op op, weir_elem elem, int rank,
                            const int64_t *dims, const bool *reduced, const void *x, void *y)
{
    bool last_reduced;
    weir_elem inner = work_elem(op, elem);
    work work = {.fns = find(op, inner), .size = weir_elem_size(inner), .x = x, .y = y};
    plan(&work, rank, dims, reduced, &last_reduced);
    return inner == elem ? run(par, &work, last_reduced)
                         : run_wide(par, &work, elem, inner, last_reduced);
}
