/* ops/array/diagonals.c - diagonals of matrices: range, lengths and packed layout. */
#include "ops/array/diagonals.h"
#include "base/arith.h"

#include <inttypes.h>

weir_status weir_diagonals_read(const weir_tensor *k, weir_diagonals *diagonals)
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
    diagonals->lower = v[0];
    diagonals->upper = v[count - 1];
    if (diagonals->lower > diagonals->upper)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "lower_diag_index must not be larger than upper_diag_index: %" PRId64
                          " > %" PRId64,
                          diagonals->lower, diagonals->upper);
    return WEIR_OK;
}

void weir_diagonals_align(weir_str align, weir_diagonals *diagonals)
{
    diagonals->left_above = weir_str_is(align, "LEFT_LEFT") || weir_str_is(align, "LEFT_RIGHT");
    diagonals->left_below = weir_str_is(align, "LEFT_LEFT") || weir_str_is(align, "RIGHT_LEFT");
}

static bool inside(const weir_diagonals *diagonals, int64_t k)
{
    return (-diagonals->rows < k && k < diagonals->cols) || k == 0;
}

weir_status weir_diagonals_check(weir_diagonals *diagonals)
{
    if (!inside(diagonals, diagonals->lower))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "lower_diag_index is out of bound: %" PRId64
                          ". It must be between %" PRId64 " and %" PRId64,
                          diagonals->lower, -diagonals->rows, diagonals->cols);
    if (!inside(diagonals, diagonals->upper))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "upper_diag_index is out of bound: %" PRId64
                          " It must be between %" PRId64 " and %" PRId64,
                          diagonals->upper, -diagonals->rows, diagonals->cols);
    diagonals->longest = weir_max(0, weir_min(diagonals->rows + weir_min(diagonals->upper, 0),
                                              diagonals->cols - weir_max(diagonals->lower, 0)));
    return WEIR_OK;
}

int64_t weir_diagonal_length(const weir_diagonals *diagonals, int64_t k)
{
    return weir_max(0,
                    weir_min(diagonals->rows + weir_min(0, k), diagonals->cols - weir_max(0, k)));
}

weir_shape weir_diagonals_shape(const weir_diagonals *diagonals, const weir_shape *matrices)
{
    weir_shape shape = weir_infer_sub(matrices, 0, matrices->rank - 2);
    if (diagonals->lower != diagonals->upper)
        weir_shape_append(&shape, diagonals->upper - diagonals->lower + 1);
    weir_shape_append(&shape, diagonals->longest);
    return shape;
}

/* Offset of diagonal |k| in a matrix and in the packed form. */
typedef struct place {
    int64_t matrix, packed, length;
} place;

static place place_of(const weir_diagonals *diagonals, int64_t k)
{
    place place = {.length = weir_diagonal_length(diagonals, k)};
    bool left = (k >= 0 && diagonals->left_above) || (k <= 0 && diagonals->left_below);
    place.matrix = (k >= 0 ? k : -k * diagonals->cols);
    place.packed = (diagonals->upper - k) * diagonals->longest +
                   (left ? 0 : diagonals->longest - place.length);
    return place;
}

/* One loop nest per diagonal, over all matrices at once. */
static void move(const weir_par *par, weir_dtype dtype, const weir_diagonals *diagonals,
                 int64_t batch, char *matrices, char *packed, bool put)
{
    int64_t size = (int64_t)weir_dtype_size(dtype);
    int64_t matrix = diagonals->rows * diagonals->cols,
            pack = (diagonals->upper - diagonals->lower + 1) * diagonals->longest;
    for (int64_t k = diagonals->lower; k <= diagonals->upper; k++) {
        place place = place_of(diagonals, k);
        weir_ndcopy copy = {2, {{batch, pack, matrix}, {place.length, 1, diagonals->cols + 1}}};
        for (int i = 0; put && i < 2; i++)
            copy.dim[i] = (weir_nddim){copy.dim[i].count, copy.dim[i].src, copy.dim[i].dst};
        char *m = matrices + place.matrix * size, *value = packed + place.packed * size;
        weir_ndcopy_run(par, dtype, put ? m : value, put ? value : m, &copy);
    }
}

void weir_diagonals_put(const weir_par *par, weir_dtype dtype, const weir_diagonals *diagonals,
                        int64_t batch, void *matrices, const void *packed)
{
    move(par, dtype, diagonals, batch, matrices, (char *)packed, true);
}

void weir_diagonals_get(const weir_par *par, weir_dtype dtype, const weir_diagonals *diagonals,
                        int64_t batch, const void *matrices, void *packed)
{
    move(par, dtype, diagonals, batch, (char *)matrices, packed, false);
}
