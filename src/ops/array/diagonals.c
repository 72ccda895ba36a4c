/* ops/array/diagonals.c - the diagonals of matrices: which, how long, and how they lie packed. */
#include "ops/array/diagonals.h"

#include <inttypes.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

weir_status weir_diagonals_read(const weir_tensor *k, weir_diagonals *d)
{
    const int32_t *v = k->data;
    int64_t count = weir_tensor_count(k);
    if (k->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "diag_index must be a scalar or vector, received shape: %s",
                          WEIR_SHAPE_STR(&k->shape));
    if (count != 1 && count != 2)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "diag_index must have only one or two elements, received %" PRId64 " elements.", count);
    d->lower = v[0];
    d->upper = v[count - 1];
    if (d->lower > d->upper)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "lower_diag_index must not be larger than upper_diag_index: %" PRId64
                          " > %" PRId64,
                          d->lower, d->upper);
    return WEIR_OK;
}

void weir_diagonals_align(weir_str align, weir_diagonals *d)
{
    d->left_above = weir_str_is(align, "LEFT_LEFT") || weir_str_is(align, "LEFT_RIGHT");
    d->left_below = weir_str_is(align, "LEFT_LEFT") || weir_str_is(align, "RIGHT_LEFT");
}

static bool inside(const weir_diagonals *d, int64_t k)
{
    return (-d->rows < k && k < d->cols) || k == 0;
}

weir_status weir_diagonals_check(weir_diagonals *d)
{
    if (!inside(d, d->lower))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "lower_diag_index is out of bound: %" PRId64
                          ". It must be between %" PRId64 " and %" PRId64,
                          d->lower, -d->rows, d->cols);
    if (!inside(d, d->upper))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "upper_diag_index is out of bound: %" PRId64
                          " It must be between %" PRId64 " and %" PRId64,
                          d->upper, -d->rows, d->cols);
    d->longest = most(0, least(d->rows + least(d->upper, 0), d->cols - most(d->lower, 0)));
    return WEIR_OK;
}

int64_t weir_diagonal_length(const weir_diagonals *d, int64_t k)
{
    return most(0, least(d->rows + least(0, k), d->cols - most(0, k)));
}

weir_shape weir_diagonals_shape(const weir_diagonals *d, const weir_shape *matrices)
{
    weir_shape s = weir_infer_sub(matrices, 0, matrices->rank - 2);
    if (d->lower != d->upper)
        weir_shape_append(&s, d->upper - d->lower + 1);
    weir_shape_append(&s, d->longest);
    return s;
}

/* Where diagonal |k| lies: its first element in a matrix and in the packed form. */
typedef struct place {
    int64_t matrix, packed, length;
} place;

static place place_of(const weir_diagonals *d, int64_t k)
{
    place p = {.length = weir_diagonal_length(d, k)};
    bool left = (k >= 0 && d->left_above) || (k <= 0 && d->left_below);
    p.matrix = (k >= 0 ? k : -k * d->cols);
    p.packed = (d->upper - k) * d->longest + (left ? 0 : d->longest - p.length);
    return p;
}

/* One nest per diagonal, over all matrices at once. */
static void move(const weir_par *par, weir_dtype dtype, const weir_diagonals *d, int64_t batch,
                 char *matrices, char *packed, bool put)
{
    int64_t size = (int64_t)weir_dtype_size(dtype);
    int64_t matrix = d->rows * d->cols, pack = (d->upper - d->lower + 1) * d->longest;
    for (int64_t k = d->lower; k <= d->upper; k++) {
        place p = place_of(d, k);
        weir_ndcopy c = {2, {{batch, pack, matrix}, {p.length, 1, d->cols + 1}}};
        for (int i = 0; put && i < 2; i++)
            c.dim[i] = (weir_nddim){c.dim[i].count, c.dim[i].src, c.dim[i].dst};
        char *m = matrices + p.matrix * size, *v = packed + p.packed * size;
        weir_ndcopy_run(par, dtype, put ? m : v, put ? v : m, &c);
    }
}

void weir_diagonals_put(const weir_par *par, weir_dtype dtype, const weir_diagonals *d,
                        int64_t batch, void *matrices, const void *packed)
{
    move(par, dtype, d, batch, matrices, (char *)packed, true);
}

void weir_diagonals_get(const weir_par *par, weir_dtype dtype, const weir_diagonals *d,
                        int64_t batch, const void *matrices, void *packed)
{
    move(par, dtype, d, batch, (char *)matrices, packed, false);
}
