/* ops/sparse/rows.c - splits a sparse tensor into rows, and stacks rows. */
#include "ops/sparse/rows.h"

#include "ops/common/elements.h"

void weir_sparse_row_fini(weir_sparse_row *row)
{
    weir_tensor_release(&row->indices);
    weir_tensor_release(&row->values);
    weir_tensor_release(&row->shape);
}

weir_status weir_sparse_row_cut(const weir_sparse *sparse, int64_t begin, int64_t end,
                                weir_sparse_row *out)
{
    int rest = sparse->rank - 1;
    weir_shape matrix = weir_shape_matrix(end - begin, rest);
    weir_shape vector = weir_shape_vector(end - begin), dims = weir_shape_vector(rest);
    *out = (weir_sparse_row){0};
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &matrix, &out->indices));
    weir_status status = weir_tensor_alloc(sparse->values->dtype, &vector, &out->values);
    if (!status)
        status = weir_tensor_alloc(WEIR_INT64, &dims, &out->shape);
    if (status) {
        weir_sparse_row_fini(out);
        return status;
    }
    int64_t *to = out->indices.data;
    for (int64_t n = begin; n < end; n++, to += rest)
        memcpy(to, sparse->indices + n * sparse->rank + 1, sizeof *to * (size_t)rest);
    weir_elements_copy(sparse->values->dtype, out->values.data, weir_at(sparse->values, begin),
                       end - begin);
    memcpy(out->shape.data, sparse->dims + 1, sizeof *to * (size_t)rest);
    return WEIR_OK;
}

weir_status weir_sparse_each_row(const weir_sparse *sparse,
                                 weir_status (*fn)(void *arg, int64_t row, weir_sparse_row *r),
                                 void *arg)
{
    if (sparse->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Rank of input SparseTensor should be > 1, but saw rank: %d",
                          sparse->rank);
    WEIR_TRY(weir_sparse_bounds(sparse));
    for (int64_t row = 0, n = 0; row < sparse->dims[0]; row++) {
        weir_sparse_row sparse_row;
        int64_t end = n;
        while (end < sparse->count && sparse->indices[end * sparse->rank] == row)
            end++;
        WEIR_TRY(weir_sparse_row_cut(sparse, n, end, &sparse_row));
        weir_status status = fn(arg, row, &sparse_row);
        if (status) {
            weir_sparse_row_fini(&sparse_row);
            return status;
        }
        n = end;
    }
    return WEIR_OK;
}

weir_status weir_sparse_row_check(const weir_sparse_row *row, weir_dtype dtype)
{
    const weir_shape *m = &row->indices.shape, *v = &row->values.shape, *d = &row->shape.shape;
    bool fits = row->indices.dtype == WEIR_INT64 && row->shape.dtype == WEIR_INT64 &&
                m->rank == 2 && v->rank == 1 && d->rank == 1 && m->dims[0] == v->dims[0] &&
                m->dims[1] == d->dims[0];
    if (!fits)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Serialized sparse tensor has indices %s, values %s and shape %s",
                          WEIR_SHAPE_STR(m), WEIR_SHAPE_STR(v), WEIR_SHAPE_STR(d));
    if (row->values.dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Requested SparseTensor of type %s but SparseTensor values.dtype() == %s",
                          weir_dtype_name(dtype), weir_dtype_name(row->values.dtype));
    return WEIR_OK;
}

/* Writes the indices of one row at |row| of |lead|; returns the end. */
static int64_t *put_indices(const weir_sparse_row *sparse_row, int64_t row, const weir_shape *lead,
                            int64_t *at)
{
    int64_t rest = weir_tensor_count(&sparse_row->shape),
            entries = weir_tensor_count(&sparse_row->values);
    const int64_t *from = sparse_row->indices.data;
    for (int64_t n = 0; n < entries; n++, at += lead->rank + rest, from += rest) {
        int64_t where = row;
        for (int axis = lead->rank - 1; axis >= 0; axis--) {
            at[axis] = where % lead->dims[axis];
            where /= lead->dims[axis];
        }
        memcpy(at + lead->rank, from, sizeof *at * (size_t)rest);
    }
    return at;
}

weir_status weir_sparse_stack(weir_call *call, const weir_shape *lead, const weir_sparse_row *rows,
                              int64_t count)
{
    int64_t rest = count ? weir_tensor_count(&rows[0].shape) : 0, entries = 0, done = 0;
    int64_t dims[WEIR_MAX_RANK] = {0};
    if (lead->rank + rest > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Sparse tensor of more than %d dimensions",
                          WEIR_MAX_RANK);
    memcpy(dims, lead->dims, sizeof *dims * (size_t)lead->rank);
    for (int64_t r = 0; r < count; r++) {
        const int64_t *own = rows[r].shape.data;
        if (weir_tensor_count(&rows[r].shape) != rest)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Inconsistent rank across SparseTensors: rank prior to "
                              "SparseTensor[%" PRId64 "] was: %" PRId64 " but rank of "
                              "SparseTensor[%" PRId64 "] is: %" PRId64,
                              r, lead->rank + rest, r,
                              lead->rank + weir_tensor_count(&rows[r].shape));
        for (int64_t d = 0; d < rest; d++)
            dims[lead->rank + d] = own[d] > dims[lead->rank + d] ? own[d] : dims[lead->rank + d];
        entries += weir_tensor_count(&rows[r].values);
    }
    int rank = lead->rank + (int)rest;
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, entries, rank));
    int64_t *at = weir_out(call, 0)->data;
    for (int64_t r = 0; r < count; r++) {
        int64_t total = weir_tensor_count(&rows[r].values);
        at = put_indices(&rows[r], r, lead, at);
        weir_elements_copy(rows[r].values.dtype, weir_at(weir_out(call, 1), done),
                           rows[r].values.data, total);
        done += total;
    }
    return weir_sparse_alloc_shape(call, 2, dims, rank);
}
