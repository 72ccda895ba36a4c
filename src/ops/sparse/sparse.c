/* ops/sparse/sparse.c - sparse tensors as three inputs: indices, values, shape. */
#include "ops/sparse/sparse.h"

#include "ops/common/infer_util.h"

static weir_status want_rank(weir_infer *infer, int in, int rank, const char *name,
                             const char *what)
{
    if (infer->in[in]->rank < 0 || infer->in[in]->rank == rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Input %s%s should be a %s but received shape %s",
                      name, what, rank == 2 ? "matrix" : "vector", WEIR_SHAPE_STR(infer->in[in]));
}

weir_status weir_sparse_infer(weir_infer *infer, int indices, int values, int shape,
                              const char *name)
{
    WEIR_TRY(want_rank(infer, indices, 2, name, "indices"));
    if (values >= 0)
        WEIR_TRY(want_rank(infer, values, 1, name, "values"));
    WEIR_TRY(want_rank(infer, shape, 1, name, "shape"));
    int64_t rows = weir_infer_dim(infer, indices, 0), rank = weir_infer_dim(infer, shape, 0);
    int64_t width = infer->in[indices]->rank < 0 ? -1 : infer->in[indices]->dims[1];
    int64_t count = values < 0 ? -1 : weir_infer_dim(infer, values, 0);
    if (rows >= 0 && count >= 0 && rows != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of elements in indices (%" PRId64 ") and values (%" PRId64
                          ") do not match",
                          rows, count);
    if (width >= 0 && rank >= 0 && width != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Index rank (%" PRId64 ") and shape rank (%" PRId64 ") do not match",
                          width, rank);
    return WEIR_OK;
}

weir_status weir_sparse_read(const weir_call *call, int indices, int values, int shape,
                             weir_sparse *out)
{
    const weir_tensor *at = weir_in(call, indices), *dims = weir_in(call, shape);
    *out = (weir_sparse){
        .indices = at->data,
        .values = values < 0 ? NULL : weir_in(call, values),
        .dims = dims->data,
        .count = at->shape.dims[0],
        .rank = (int)at->shape.dims[1],
    };
    if (at->shape.dims[1] > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Sparse tensor of %" PRId64 " dimensions; at most %d are supported",
                          at->shape.dims[1], WEIR_MAX_RANK);
    return WEIR_OK;
}

void weir_coords_text(const int64_t *at, int count, weir_buf *out)
{
    weir_buf_addc(out, '[');
    for (int axis = 0; axis < count; axis++)
        weir_buf_addf(out, "%s%" PRId64, axis ? "," : "", at[axis]);
    weir_buf_addc(out, ']');
}

static weir_status bad_entry(const weir_sparse *sparse, int64_t n, const char *why, bool show_dims)
{
    WEIR_BUF(text);
    weir_buf_addf(&text, "indices[%" PRId64 "] = ", n);
    weir_coords_text(sparse->indices + n * sparse->rank, sparse->rank, &text);
    weir_buf_adds(&text, why);
    if (show_dims)
        weir_coords_text(sparse->dims, sparse->rank, &text);
    return weir_error_text(WEIR_INVALID_ARGUMENT, text.at, text.length);
}

weir_status weir_sparse_bounds(const weir_sparse *sparse)
{
    const int64_t *at = sparse->indices;
    for (int64_t n = 0; n < sparse->count; n++, at += sparse->rank)
        for (int axis = 0; axis < sparse->rank; axis++)
            if (at[axis] < 0 || at[axis] >= sparse->dims[axis])
                return bad_entry(sparse, n, " is out of bounds: need 0 <= index < ", true);
    return WEIR_OK;
}

weir_status weir_sparse_sorted(const weir_sparse *sparse)
{
    WEIR_TRY(weir_sparse_bounds(sparse));
    for (int64_t n = 1; n < sparse->count; n++) {
        const int64_t *at = sparse->indices + n * sparse->rank;
        int order = weir_coords_order(at - sparse->rank, at, sparse->rank);
        if (order == 0)
            return bad_entry(sparse, n, " is repeated", false);
        if (order > 0)
            return bad_entry(sparse, n,
                             " is out of order. Many sparse ops require sorted indices.\n    Use "
                             "`tf.sparse.reorder` to create a correctly ordered copy.\n\n",
                             false);
    }
    return WEIR_OK;
}

weir_status weir_sparse_dense_shape(const weir_sparse *sparse, weir_shape *out_shape)
{
    out_shape->rank = sparse->rank;
    for (int axis = 0; axis < sparse->rank; axis++)
        out_shape->dims[axis] = sparse->dims[axis];
    return weir_shape_check(out_shape);
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct sorter {
    const weir_sparse *s;
    int coords[WEIR_MAX_RANK], count;
} sorter;

static bool after(const sorter *sorter, int64_t a, int64_t b)
{
    const int64_t *x = sorter->s->indices + a * sorter->s->rank,
                  *y = sorter->s->indices + b * sorter->s->rank;
    for (int c = 0; c < sorter->count; c++)
        if (x[sorter->coords[c]] != y[sorter->coords[c]])
            return x[sorter->coords[c]] > y[sorter->coords[c]];
    return false;
}

/* Merges the sorted runs [0, half) and [half, count) of |from| into |to|. */
static void merge(const sorter *sorter, const int64_t *from, int64_t half, int64_t count,
                  int64_t *to)
{
    for (int64_t i = 0, j = half, n = 0; n < count; n++) {
        bool second = i == half || (j < count && after(sorter, from[i], from[j]));
        to[n] = second ? from[j++] : from[i++];
    }
}

static void sort(const sorter *sorter, int64_t *at, int64_t *room, int64_t count)
{
    if (count < 2)
        return;
    int64_t half = count / 2;
    sort(sorter, at, room, half);
    sort(sorter, at + half, room + half, count - half);
    if (!after(sorter, at[half - 1], at[half]))
        return; /* already sorted, as are most inputs */
    memcpy(room, at, sizeof *at * (size_t)count);
    merge(sorter, room, half, count, at);
}

void weir_sparse_order(const weir_sparse *sparse, const int *coords, int coord_count, int64_t *out)
{
    sorter sorter = {.s = sparse, .count = coords ? coord_count : sparse->rank};
    WEIR_FREED int64_t *room = WEIR_NEW_ARRAY(int64_t, sparse->count);
    for (int c = 0; c < sorter.count; c++)
        sorter.coords[c] = coords ? coords[c] : c;
    for (int64_t n = 0; n < sparse->count; n++)
        out[n] = n;
    sort(&sorter, out, room, sparse->count);
}

/* ---- results --------------------------------------------------------------------------------- */

weir_status weir_sparse_alloc(weir_call *call, int indices, int values, int64_t count, int rank)
{
    weir_shape matrix = weir_shape_matrix(count, rank), vector = weir_shape_vector(count);
    WEIR_TRY(weir_call_alloc(call, indices, &matrix));
    return weir_call_alloc(call, values, &vector);
}

weir_status weir_sparse_alloc_shape(weir_call *call, int shape, const int64_t *dims, int rank)
{
    weir_shape vector = weir_shape_vector(rank);
    WEIR_TRY(weir_call_alloc(call, shape, &vector));
    memcpy(weir_out(call, shape)->data, dims, sizeof *dims * (size_t)rank);
    return WEIR_OK;
}
