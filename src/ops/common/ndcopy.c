/* ops/common/ndcopy.c - copies between two strided views of the same extents. */
#include "ops/common/ndcopy.h"

#include "math/move/move.h"
#include "ops/common/elements.h"

enum {
    PART_BYTES = 256 * 1024, /* a part smaller than this is not worth a thread */
    TILE = 64,               /* rows of a transposition that are not cut apart */
};

/* One step down to memory: |rows| x |run| elements, strides in bytes. */
typedef struct plane {
    char *dst;
    const char *src;
    int64_t rows, run;
    int64_t row_dst, row_src, dst_step, src_step;
} plane;

typedef struct work {
    weir_ndcopy nest; /* in order; strides in bytes */
    weir_dtype dtype;
    int64_t size;
    char *dst;
    const char *src;
    void (*copy)(const struct work *w, plane p);
} work;

/* ---- the innermost two dimensions, by kind --------------------------------------------------- */

/* Inlined for constant |bytes|, where each copy becomes one or two moves. */
__attribute__((always_inline)) static inline void copy_width(plane p, size_t bytes)
{
    for (; p.rows > 0; p.rows--, p.dst += p.row_dst, p.src += p.row_src)
        memcpy(p.dst, p.src, bytes);
}

static void copy_runs(const work *w, plane p)
{
    size_t bytes = (size_t)(p.run * w->size);
    if (bytes == 1)
        copy_width(p, 1);
    else if (bytes == 2)
        copy_width(p, 2);
    else if (bytes == 4)
        copy_width(p, 4);
    else if (bytes == 8)
        copy_width(p, 8);
    else if (bytes == 12)
        copy_width(p, 12);
    else if (bytes == 16)
        copy_width(p, 16);
    else if (bytes == 32)
        copy_width(p, 32);
    else
        copy_width(p, bytes);
}

static void copy_repeats(const work *w, plane p)
{
    for (; p.rows > 0; p.rows--, p.dst += p.row_dst, p.src += p.row_src)
        weir_elements_fill(w->dtype, p.dst, p.src, p.run);
}

static void copy_strided(const work *w, plane p)
{
    for (; p.rows > 0; p.rows--, p.dst += p.row_dst, p.src += p.row_src)
        weir_move_strided((int)w->size, p.run, p.dst, p.dst_step, p.src, p.src_step);
}

static void copy_transposed(const work *w, plane p)
{
    weir_move_transpose((int)w->size, p.rows, p.run, p.dst, p.row_dst, p.src, p.src_step);
}

static void copy_objects(const work *w, plane p)
{
    for (; p.rows > 0; p.rows--, p.dst += p.row_dst, p.src += p.row_src)
        for (int64_t i = 0; i < p.run; i++)
            weir_elements_copy(w->dtype, p.dst + i * p.dst_step, p.src + i * p.src_step, 1);
}

/* ---- putting the nest in order ----------------------------------------------------------------
 */

/* Drops dimensions of one, joins neighbours that continue each other on both sides. False: empty.
 */
static bool join(const weir_ndcopy *in, weir_ndcopy *out)
{
    out->rank = 0;
    for (int i = 0; i < in->rank; i++) {
        weir_nddim d = in->dim[i];
        if (d.count <= 0)
            return false;
        if (d.count == 1)
            continue;
        weir_nddim *last = out->rank ? &out->dim[out->rank - 1] : NULL;
        if (last && last->dst == d.dst * d.count && last->src == d.src * d.count)
            *last = (weir_nddim){last->count * d.count, d.dst, d.src};
        else
            out->dim[out->rank++] = d;
    }
    return true;
}

/* When the innermost dimension does not read neighbours, the one that does moves next to it, so
 * that the two can be turned as one. */
static void pair_for_turning(weir_ndcopy *n)
{
    int last = n->rank - 1, best = -1;
    if (n->rank < 3 || n->dim[last].src == 1 || n->dim[last].src == 0)
        return;
    for (int i = 0; i < last; i++)
        if (n->dim[i].src == 1)
            best = i;
    if (best < 0 || best == last - 1)
        return;
    weir_nddim d = n->dim[best];
    memmove(&n->dim[best], &n->dim[best + 1], (size_t)(last - 1 - best) * sizeof d);
    n->dim[last - 1] = d;
}

static void choose(work *w)
{
    int last = w->nest.rank - 1;
    weir_nddim in = w->nest.dim[last];
    if (!weir_dtype_is_plain(w->dtype))
        w->copy = copy_objects;
    else if (in.dst == 1 && in.src == 1)
        w->copy = copy_runs;
    else if (in.dst == 1 && in.src == 0)
        w->copy = copy_repeats;
    else if (in.dst == 1 && last > 0 && w->nest.dim[last - 1].src == 1)
        w->copy = copy_transposed;
    else
        w->copy = copy_strided;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* Rows [begin, end) of the nest: a row is one turn of the innermost dimension. */
static void copy_rows(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    const weir_nddim *dim = w->nest.dim;
    int last = w->nest.rank - 1, outer = last - 1;
    int64_t index[WEIR_NDCOPY_RANK] = {0};
    plane p = {.dst = w->dst,
               .src = w->src,
               .run = dim[last].count,
               .row_dst = dim[outer].dst,
               .row_src = dim[outer].src,
               .dst_step = dim[last].dst,
               .src_step = dim[last].src};
    int64_t rest = begin;
    for (int i = outer; i >= 0; i--) {
        index[i] = rest % dim[i].count;
        rest /= dim[i].count;
        p.dst += index[i] * dim[i].dst;
        p.src += index[i] * dim[i].src;
    }
    while (begin < end) {
        p.rows = dim[outer].count - index[outer];
        p.rows = p.rows < end - begin ? p.rows : end - begin;
        w->copy(w, p);
        begin += p.rows;
        p.dst -= index[outer] * dim[outer].dst;
        p.src -= index[outer] * dim[outer].src;
        index[outer] = 0;
        for (int i = outer - 1; i >= 0; i--) {
            p.dst += dim[i].dst;
            p.src += dim[i].src;
            if (++index[i] < dim[i].count)
                break;
            p.dst -= dim[i].dst * dim[i].count;
            p.src -= dim[i].src * dim[i].count;
            index[i] = 0;
        }
    }
}

/* Part [begin, end) of a nest of one dimension. */
static void copy_line(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    weir_nddim d = w->nest.dim[0];
    w->copy(w, (plane){.dst = w->dst + begin * d.dst,
                       .src = w->src + begin * d.src,
                       .rows = 1,
                       .run = end - begin,
                       .dst_step = d.dst,
                       .src_step = d.src});
}

void weir_ndcopy_run(const weir_par *par, weir_dtype dtype, void *dst, const void *src,
                     const weir_ndcopy *what)
{
    work w = {.dtype = dtype, .size = (int64_t)weir_dtype_size(dtype), .dst = dst, .src = src};
    if (!join(what, &w.nest))
        return;
    if (w.nest.rank == 0) {
        weir_elements_copy(dtype, dst, src, 1);
        return;
    }
    pair_for_turning(&w.nest);
    choose(&w);
    int64_t rows = 1;
    for (int i = 0; i < w.nest.rank; i++) {
        w.nest.dim[i].dst *= w.size;
        w.nest.dim[i].src *= w.size;
        rows *= i < w.nest.rank - 1 ? w.nest.dim[i].count : 1;
    }
    if (w.nest.rank == 1) {
        weir_par_for(par, w.nest.dim[0].count, PART_BYTES / w.size, copy_line, &w);
        return;
    }
    int64_t grain = PART_BYTES / (w.nest.dim[w.nest.rank - 1].count * w.size);
    int64_t least = w.copy == copy_transposed ? TILE : 1;
    weir_par_for(par, rows, grain > least ? grain : least, copy_rows, &w);
}

void weir_shape_strides(const weir_shape *s, int64_t strides[WEIR_MAX_RANK])
{
    int64_t n = 1;
    for (int i = s->rank - 1; i >= 0; i--) {
        strides[i] = n;
        n *= s->dims[i];
    }
}
