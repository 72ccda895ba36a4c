/* ops/common/ndcopy.c - copies between two strided views of the same extents. */
#include "ops/common/ndcopy.h"

#include "base/arith.h"
#include "math/move/move.h"
#include "memory/device.h"
#include "ops/common/elements.h"

enum {
    PART_BYTES = 256 * 1024, /* minimum bytes per thread */
    TILE = 64,               /* rows per block of a transposition */
};

/* The innermost two dimensions: |rows| x |run| elements, strides in bytes. */
typedef struct plane {
    char *dst;
    const char *src;
    int64_t rows, run;
    int64_t row_dst, row_src, dst_step, src_step;
} plane;

typedef struct work {
    weir_ndcopy nest; /* normalised; strides in bytes */
    weir_dtype dtype;
    int64_t size;
    char *dst;
    const char *src;
    void (*copy)(const struct work *work, plane plane);
} work;

/* ---- the innermost two dimensions, by case --------------------------------------------------- */

/* Inlined for constant |bytes|, where each copy is one or two moves. */
__attribute__((always_inline)) static inline void copy_width(plane plane, size_t bytes)
{
    for (; plane.rows > 0; plane.rows--, plane.dst += plane.row_dst, plane.src += plane.row_src)
        memcpy(plane.dst, plane.src, bytes);
}

static void copy_runs(const work *work, plane plane)
{
    size_t bytes = (size_t)(plane.run * work->size);
    if (bytes == 1)
        copy_width(plane, 1);
    else if (bytes == 2)
        copy_width(plane, 2);
    else if (bytes == 4)
        copy_width(plane, 4);
    else if (bytes == 8)
        copy_width(plane, 8);
    else if (bytes == 12)
        copy_width(plane, 12);
    else if (bytes == 16)
        copy_width(plane, 16);
    else if (bytes == 32)
        copy_width(plane, 32);
    else
        copy_width(plane, bytes);
}

static void copy_repeats(const work *work, plane plane)
{
    for (; plane.rows > 0; plane.rows--, plane.dst += plane.row_dst, plane.src += plane.row_src)
        weir_elements_fill(work->dtype, plane.dst, plane.src, plane.run);
}

static void copy_strided(const work *work, plane plane)
{
    for (; plane.rows > 0; plane.rows--, plane.dst += plane.row_dst, plane.src += plane.row_src)
        weir_move_strided((int)work->size, plane.run, plane.dst, plane.dst_step, plane.src,
                          plane.src_step);
}

static void copy_transposed(const work *work, plane plane)
{
    weir_move_transpose((int)work->size, plane.rows, plane.run, plane.dst, plane.row_dst, plane.src,
                        plane.src_step);
}

static void copy_objects(const work *work, plane plane)
{
    for (; plane.rows > 0; plane.rows--, plane.dst += plane.row_dst, plane.src += plane.row_src)
        for (int64_t i = 0; i < plane.run; i++)
            weir_elements_copy(work->dtype, plane.dst + i * plane.dst_step,
                               plane.src + i * plane.src_step, 1);
}

/* ---- normalising the nest -------------------------------------------------------------------- */

/* Drops dimensions of one, merges dimensions that are contiguous on both sides. False: empty. */
static bool join(const weir_ndcopy *in, weir_ndcopy *out)
{
    out->rank = 0;
    for (int i = 0; i < in->rank; i++) {
        weir_nddim nddim = in->dim[i];
        if (nddim.count <= 0)
            return false;
        if (nddim.count == 1)
            continue;
        weir_nddim *last = out->rank ? &out->dim[out->rank - 1] : NULL;
        if (last && last->dst == nddim.dst * nddim.count && last->src == nddim.src * nddim.count)
            *last = (weir_nddim){last->count * nddim.count, nddim.dst, nddim.src};
        else
            out->dim[out->rank++] = nddim;
    }
    return true;
}

/* If the innermost dimension is not contiguous in the source, moves the one that is next to it, so
 * that the two are transposed as one block. */
static void pair_for_turning(weir_ndcopy *copy)
{
    int last = copy->rank - 1, best = -1;
    if (copy->rank < 3 || copy->dim[last].src == 1 || copy->dim[last].src == 0)
        return;
    for (int i = 0; i < last; i++)
        if (copy->dim[i].src == 1)
            best = i;
    if (best < 0 || best == last - 1)
        return;
    weir_nddim nddim = copy->dim[best];
    memmove(&copy->dim[best], &copy->dim[best + 1], (size_t)(last - 1 - best) * sizeof nddim);
    copy->dim[last - 1] = nddim;
}

static void choose(work *work)
{
    int last = work->nest.rank - 1;
    weir_nddim in = work->nest.dim[last];
    if (!weir_dtype_is_plain(work->dtype))
        work->copy = copy_objects;
    else if (in.dst == 1 && in.src == 1)
        work->copy = copy_runs;
    else if (in.dst == 1 && in.src == 0)
        work->copy = copy_repeats;
    else if (in.dst == 1 && last > 0 && work->nest.dim[last - 1].src == 1)
        work->copy = copy_transposed;
    else
        work->copy = copy_strided;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Rows [begin, end) of the nest: a row is one run of the innermost dimension. */
static void copy_rows(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    const weir_nddim *dim = work->nest.dim;
    int last = work->nest.rank - 1, outer = last - 1;
    int64_t index[WEIR_NDCOPY_RANK] = {0};
    plane plane = {.dst = work->dst,
                   .src = work->src,
                   .run = dim[last].count,
                   .row_dst = dim[outer].dst,
                   .row_src = dim[outer].src,
                   .dst_step = dim[last].dst,
                   .src_step = dim[last].src};
    int64_t rest = begin;
    for (int i = outer; i >= 0; i--) {
        index[i] = rest % dim[i].count;
        rest /= dim[i].count;
        plane.dst += index[i] * dim[i].dst;
        plane.src += index[i] * dim[i].src;
    }
    while (begin < end) {
        plane.rows = dim[outer].count - index[outer];
        plane.rows = plane.rows < end - begin ? plane.rows : end - begin;
        work->copy(work, plane);
        begin += plane.rows;
        plane.dst -= index[outer] * dim[outer].dst;
        plane.src -= index[outer] * dim[outer].src;
        index[outer] = 0;
        for (int i = outer - 1; i >= 0; i--) {
            plane.dst += dim[i].dst;
            plane.src += dim[i].src;
            if (++index[i] < dim[i].count)
                break;
            plane.dst -= dim[i].dst * dim[i].count;
            plane.src -= dim[i].src * dim[i].count;
            index[i] = 0;
        }
    }
}

/* Part [begin, end) of a nest of one dimension. */
static void copy_line(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    weir_nddim nddim = work->nest.dim[0];
    work->copy(work, (plane){.dst = work->dst + begin * nddim.dst,
                             .src = work->src + begin * nddim.src,
                             .rows = 1,
                             .run = end - begin,
                             .dst_step = nddim.dst,
                             .src_step = nddim.src});
}

/* The same on this thread's current device. Outer dimensions beyond the limit of a walk, rare after
 * merging, are looped over. */
static void copy_on_device(weir_memory_scope *scope, int unit, char *dst, const char *src,
                           const weir_ndcopy *nest, int first)
{
    weir_memory_walk walk = {.rank = nest->rank - first};
    if (walk.rank > WEIR_MEMORY_RANK) {
        for (int64_t i = 0; i < nest->dim[first].count && !scope->failed; i++)
            copy_on_device(scope, unit, dst + i * nest->dim[first].dst * unit,
                           src + i * nest->dim[first].src * unit, nest, first + 1);
        return;
    }
    for (int i = 0; i < walk.rank; i++) {
        walk.dims[i] = nest->dim[first + i].count;
        walk.to[i] = nest->dim[first + i].dst;
        walk.from[i] = nest->dim[first + i].src;
    }
    weir_memory_scope_walk(scope, unit, dst, src, &walk);
}

static void run_on_device(weir_memory_scope *scope, weir_dtype dtype, void *dst, const void *src,
                          const weir_ndcopy *what)
{
    weir_ndcopy nest = {0};
    int unit = (int)weir_dtype_size(dtype);
    if (scope->failed || !join(what, &nest))
        return;
    if (unit == 16) /* two words each */
        weir_ndcopy_add(&nest, 2, 1, 1);
    for (int i = 0; unit == 16 && i < nest.rank - 1; i++) {
        nest.dim[i].dst *= 2;
        nest.dim[i].src *= 2;
    }
    copy_on_device(scope, unit == 16 ? 8 : unit, dst, src, &nest, 0);
}

void weir_ndcopy_run(const weir_par *par, weir_dtype dtype, void *dst, const void *src,
                     const weir_ndcopy *what)
{
    if (__builtin_expect(weir_memory_current != NULL, 0)) {
        run_on_device(weir_memory_current, dtype, dst, src, what);
        return;
    }
    work work = {.dtype = dtype, .size = (int64_t)weir_dtype_size(dtype), .dst = dst, .src = src};
    if (!join(what, &work.nest))
        return;
    if (work.nest.rank == 0) {
        weir_elements_copy(dtype, dst, src, 1);
        return;
    }
    pair_for_turning(&work.nest);
    choose(&work);
    int64_t rows = 1;
    for (int i = 0; i < work.nest.rank; i++) {
        work.nest.dim[i].dst *= work.size;
        work.nest.dim[i].src *= work.size;
        rows *= i < work.nest.rank - 1 ? work.nest.dim[i].count : 1;
    }
    if (work.nest.rank == 1) {
        weir_par_for(par, work.nest.dim[0].count, PART_BYTES / work.size, copy_line, &work);
        return;
    }
    int64_t grain = PART_BYTES / (work.nest.dim[work.nest.rank - 1].count * work.size);
    int64_t least = work.copy == copy_transposed ? TILE : 1;
    weir_par_for(par, rows, weir_max(grain, least), copy_rows, &work);
}

void weir_shape_strides(const weir_shape *shape, int64_t strides[WEIR_MAX_RANK])
{
    int64_t count = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        strides[i] = count;
        count *= shape->dims[i];
    }
}

void weir_ndcopy_broadcast(const weir_par *par, weir_dtype dtype, const weir_shape *to, void *dst,
                           const weir_shape *from, const void *src)
{
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK];
    int extra = to->rank - from->rank;
    weir_ndcopy copy = {0};
    weir_shape_strides(from, xs);
    weir_shape_strides(to, ys);
    for (int axis = 0; axis < to->rank; axis++) {
        bool repeats = axis < extra || from->dims[axis - extra] == 1;
        weir_ndcopy_add(&copy, to->dims[axis], ys[axis], repeats ? 0 : xs[axis - extra]);
    }
    weir_ndcopy_run(par, dtype, dst, src, &copy);
}
