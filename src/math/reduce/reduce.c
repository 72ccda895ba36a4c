/* math/reduce/reduce.c - which elements go into which result, and in what order.
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
    ROW_PART = 4096, /* longest run that is summed straight */
    ROWS_PART = 128, /* most rows accumulated straight */
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
    axes kept;          /* but the last, when the last dimension is kept */
    axes rows;          /* reduced, but the last when the last dimension is reduced */
    int64_t last;       /* length of the last dimension */
    int64_t tile;       /* results a part of the parallel loop computes at once */
    int64_t per_result; /* elements that make one result */
} work;

static int64_t offset_of(const axes *a, int64_t index)
{
    int64_t offset = 0;
    for (int d = a->count - 1; d > 0; d--) {
        offset += index % a->dims[d] * a->strides[d];
        index /= a->dims[d];
    }
    return a->count ? offset + index * a->strides[0] : 0;
}

/* One run of |count| elements. */
static void reduce_run(const work *w, int64_t count, const char *x, void *acc)
{
    if (count <= ROW_PART) {
        w->fns->row(count, x, acc);
        return;
    }
    int64_t half = (count / 2 + ROW_PART - 1) / ROW_PART * ROW_PART;
    double _Complex right; /* scratch for any element */
    reduce_run(w, half, x, acc);
    reduce_run(w, count - half, x + half * w->size, &right);
    w->fns->merge(1, &right, acc);
}

/* Rows [begin, end) of the result that starts at |x|: the last dimension is reduced. */
static void reduce_rows(const work *w, const char *x, int64_t begin, int64_t end, void *acc)
{
    if (end - begin == 1) {
        reduce_run(w, w->last, x + offset_of(&w->rows, begin) * w->size, acc);
        return;
    }
    int64_t middle = begin + (end - begin) / 2;
    double _Complex right;
    reduce_rows(w, x, begin, middle, acc);
    reduce_rows(w, x, middle, end, &right);
    w->fns->merge(1, &right, acc);
}

/* Rows [begin, end) of a tile of |count| results side by side: the last dimension is kept. */
static void reduce_tile(const work *w, const char *x, int64_t begin, int64_t end, int64_t count,
                        void *acc)
{
    if (end - begin <= ROWS_PART) {
        w->fns->load(count, x + offset_of(&w->rows, begin) * w->size, acc);
        for (int64_t r = begin + 1; r < end; r++)
            w->fns->add(count, x + offset_of(&w->rows, r) * w->size, acc);
        return;
    }
    int64_t middle = begin + (end - begin) / 2;
    double _Complex right[TILE];
    reduce_tile(w, x, begin, middle, count, acc);
    reduce_tile(w, x, middle, end, count, right);
    w->fns->merge(count, right, acc);
}

static void row_results(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    for (int64_t i = begin; i < end; i++)
        reduce_rows(w, w->x + offset_of(&w->kept, i) * w->size, 0, w->rows.total,
                    w->y + i * w->size);
}

static void tile_results(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    int64_t tiles = (w->last + w->tile - 1) / w->tile;
    for (int64_t i = begin; i < end; i++) {
        int64_t group = i / tiles, at = i % tiles * w->tile;
        int64_t count = w->last - at < w->tile ? w->last - at : w->tile;
        const char *x = w->x + (offset_of(&w->kept, group) + at) * w->size;
        reduce_tile(w, x, 0, w->rows.total, count, w->y + (group * w->last + at) * w->size);
    }
}

static void axes_append(axes *a, int64_t dim, int64_t stride)
{
    a->dims[a->count] = dim;
    a->strides[a->count++] = stride;
    a->total *= dim;
}

/* Merges neighbours of one kind and drops dimensions of 1. Returns how many are left; |last_kept|
 * tells the kind of the last. */
static int merge_dims(int rank, const int64_t *dims, const bool *reduced, int64_t *out,
                      bool *out_reduced)
{
    int n = 0;
    for (int d = 0; d < rank; d++) {
        if (dims[d] == 1)
            continue;
        if (n && out_reduced[n - 1] == reduced[d]) {
            out[n - 1] *= dims[d];
            continue;
        }
        out_reduced[n] = reduced[d];
        out[n++] = dims[d];
    }
    return n;
}

static void plan(work *w, int rank, const int64_t *dims, const bool *reduced, bool *last_reduced)
{
    int64_t merged[WEIR_REDUCE_RANK] = {1};
    bool kinds[WEIR_REDUCE_RANK] = {true};
    int n = merge_dims(rank, dims, reduced, merged, kinds);
    n = n ? n : 1; /* a scalar: a run of one */
    w->kept.total = w->rows.total = 1;
    int64_t strides[WEIR_REDUCE_RANK], step = 1;
    for (int d = n - 1; d >= 0; d--) {
        strides[d] = step;
        step *= merged[d];
    }
    for (int d = 0; d < n - 1; d++)
        axes_append(kinds[d] ? &w->rows : &w->kept, merged[d], strides[d]);
    w->last = merged[n - 1];
    *last_reduced = kinds[n - 1];
    w->per_result = w->rows.total * (*last_reduced ? w->last : 1);
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
    const parts *p = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i * PART, n = p->length - at < PART ? p->length - at : PART;
        reduce_run(p->w, n, p->w->x + at * p->w->size, p->accs + i * 16);
    }
}

static weir_status reduce_whole(const weir_par *par, const work *w)
{
    int64_t count = (w->last + PART - 1) / PART;
    weir_buffer *accs;
    WEIR_TRY(weir_buffer_alloc((size_t)count * 16, &accs));
    parts p = {w, accs->data, w->last};
    weir_par_for(par, count, 1, one_part, &p);
    for (int64_t width = 1; width < count; width *= 2)
        for (int64_t i = 0; i + width < count; i += 2 * width)
            w->fns->merge(1, p.accs + (i + width) * 16, p.accs + i * 16);
    memcpy(w->y, p.accs, (size_t)w->size);
    weir_buffer_release(accs);
    return WEIR_OK;
}

/* ---- few results of many short rows ---- */

/* Several rows count as one, long enough for vectors; chunks of those are reduced by several
 * threads, and combined in order. */
typedef struct chunks {
    work wide;
    char *accs;
    int64_t rows; /* wide ones of a chunk */
} chunks;

static void reduce_chunks(void *ctx, int64_t begin, int64_t end)
{
    const chunks *s = ctx;
    const work *w = &s->wide;
    for (int64_t i = begin; i < end; i++) {
        int64_t from = i * s->rows, to = from + s->rows;
        reduce_tile(w, w->x, from, to < w->rows.total ? to : w->rows.total, w->last,
                    s->accs + i * w->last * w->size);
    }
}

static void merge_all(const work *w, int64_t pieces, int64_t count, char *accs)
{
    for (int64_t width = 1; width < pieces; width *= 2)
        for (int64_t i = 0; i + width < pieces; i += 2 * width)
            w->fns->merge(count, accs + (i + width) * count * w->size, accs + i * count * w->size);
}

static bool has_short_rows(const work *w)
{
    return w->kept.count == 0 && w->rows.count == 1 && w->rows.strides[0] == w->last &&
           w->last <= TILE / 2 && w->rows.total * w->last >= PART / 4;
}

static weir_status reduce_short_rows(const weir_par *par, const work *w)
{
    int64_t fold = TILE / w->last, wide = fold * w->last, rows = w->rows.total / fold;
    chunks s = {.wide = *w, .rows = PART / wide};
    s.wide.last = wide;
    s.wide.rows = (axes){.total = 1};
    axes_append(&s.wide.rows, rows, wide);
    int64_t count = (rows + s.rows - 1) / s.rows;
    weir_buffer *accs;
    WEIR_TRY(weir_buffer_alloc((size_t)(count * wide * w->size), &accs));
    s.accs = accs->data;
    weir_par_for(par, count, 1, reduce_chunks, &s);
    merge_all(w, count, wide, s.accs);
    merge_all(w, fold, w->last, s.accs);
    for (int64_t r = rows * fold; r < w->rows.total; r++)
        w->fns->add(w->last, w->x + r * w->last * w->size, s.accs);
    memcpy(w->y, s.accs, (size_t)(w->last * w->size));
    weir_buffer_release(accs);
    return WEIR_OK;
}

static weir_status run(const weir_par *par, work *w, bool last_reduced)
{
    int64_t results = w->kept.total * (last_reduced ? 1 : w->last);
    if (results == 0)
        return WEIR_OK;
    if (w->per_result == 0) {
        w->fns->empty(results, w->y);
        return WEIR_OK;
    }
    if (last_reduced && results == 1 && w->rows.total == 1 && w->last > PART) {
        WEIR_TRY(reduce_whole(par, w));
    } else if (last_reduced) {
        int64_t grain = 16384 / w->per_result;
        weir_par_for(par, results, grain ? grain : 1, row_results, w);
    } else if (has_short_rows(w)) {
        WEIR_TRY(reduce_short_rows(par, w));
    } else {
        w->tile = w->last < TILE ? w->last : TILE;
        int64_t tiles = (w->last + w->tile - 1) / w->tile, work_each = w->tile * w->per_result;
        int64_t grain = 16384 / work_each;
        weir_par_for(par, w->kept.total * tiles, grain ? grain : 1, tile_results, w);
    }
    w->fns->finish(results, w->per_result, w->y);
    return WEIR_OK;
}

static const weir_reducers *floats(void)
{
    static _Atomic(const weir_reducers *) picked;
    const weir_reducers *p = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!p, 0)) {
        p = WEIR_ISA_PICK(weir_reducers);
        atomic_store_explicit(&picked, p, memory_order_relaxed);
    }
    return p;
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

/* What a reduction is computed in: halves as floats, and the mean of narrow integers, whose sum and
 * count may not fit them, in 64 bits. */
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
static weir_status run_wide(const weir_par *par, work *w, weir_elem narrow, weir_elem wide_elem,
                            bool last_reduced)
{
    int64_t results = w->kept.total * (last_reduced ? 1 : w->last);
    int64_t count = results * w->per_result;
    weir_buffer *wide, *out;
    WEIR_TRY(weir_buffer_alloc((size_t)(count * w->size), &wide));
    weir_status s = weir_buffer_alloc((size_t)(results * w->size), &out);
    if (s) {
        weir_buffer_release(wide);
        return s;
    }
    void *y = w->y;
    weir_cast_run(par, narrow, wide_elem, count, w->x, wide->data);
    w->x = wide->data;
    w->y = out->data;
    s = run(par, w, last_reduced);
    weir_cast_run(par, wide_elem, narrow, results, out->data, y);
    weir_buffer_release(wide);
    weir_buffer_release(out);
    return s;
}

weir_status weir_reduce_run(const weir_par *par, weir_reduce_op op, weir_elem elem, int rank,
                            const int64_t *dims, const bool *reduced, const void *x, void *y)
{
    bool last_reduced;
    weir_elem inner = work_elem(op, elem);
    work w = {.fns = find(op, inner), .size = weir_elem_size(inner), .x = x, .y = y};
    plan(&w, rank, dims, reduced, &last_reduced);
    return inner == elem ? run(par, &w, last_reduced)
                         : run_wide(par, &w, elem, inner, last_reduced);
}
