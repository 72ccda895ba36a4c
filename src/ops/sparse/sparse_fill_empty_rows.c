/* ops/sparse/sparse_fill_empty_rows.c - SparseFillEmptyRows and its gradient: every row gets at
 * least one entry. */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/math/types.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE, DEFAULT };

static weir_status infer(weir_infer *infer)
{
    const weir_tensor *shape = weir_infer_value(infer, SHAPE);
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, ""));
    if (infer->in[DEFAULT]->rank > 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "default_value must be a scalar, saw: %s",
                          WEIR_SHAPE_STR(infer->in[DEFAULT]));
    int64_t rank = weir_infer_dim(infer, SHAPE, 0);
    if (rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Dense shape cannot be empty.");
    infer->out[0] = weir_shape_matrix(-1, rank);
    infer->out[1] = weir_shape_vector(-1);
    infer->out[2] = weir_shape_vector(shape ? weir_int_at(shape, 0) : -1);
    infer->out[3] = weir_shape_vector(weir_infer_dim(infer, INDICES, 0));
    return WEIR_OK;
}

/* Counts the entries of each row, then computes each row's offset in the result; |out_total| is its
 * size. */
static weir_status place_rows(const weir_sparse *sparse, bool *empty, int64_t *begin,
                              int64_t *out_total)
{
    int64_t rows = sparse->dims[0], total = 0;
    for (int64_t n = 0; n < sparse->count; n++) {
        int64_t row = sparse->indices[n * sparse->rank];
        if (row < 0 || row >= rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "indices(%" PRId64 ", 0) is invalid: %" PRId64 " >= %" PRId64, n, row,
                              rows);
        begin[row]++;
    }
    for (int64_t row = 0; row < rows; row++) {
        int64_t count = begin[row];
        empty[row] = count == 0;
        begin[row] = total;
        total += count ? count : 1;
    }
    *out_total = total;
    return WEIR_OK;
}

static void write_entries(weir_call *call, const weir_sparse *sparse, const bool *empty,
                          int64_t *next)
{
    int64_t *at = weir_out(call, 0)->data, *map = weir_out(call, 3)->data;
    weir_tensor *values = weir_out(call, 1);
    for (int64_t r = 0; r < sparse->dims[0]; r++) {
        if (!empty[r])
            continue;
        memset(at + next[r] * sparse->rank, 0, sizeof *at * (size_t)sparse->rank);
        at[next[r] * sparse->rank] = r;
        weir_elements_copy(values->dtype, weir_at(values, next[r]), weir_in(call, DEFAULT)->data,
                           1);
    }
    for (int64_t n = 0; n < sparse->count; n++) {
        int64_t to = next[sparse->indices[n * sparse->rank]]++;
        memcpy(at + to * sparse->rank, sparse->indices + n * sparse->rank,
               sizeof *at * (size_t)sparse->rank);
        weir_elements_copy(values->dtype, weir_at(values, to), weir_at(sparse->values, n), 1);
        map[n] = to;
    }
}

/* Row numbers without a dimension of their own belong to a ragged tensor. */
static weir_status alloc_entries(weir_call *call, const weir_sparse *sparse, bool ragged,
                                 int64_t total)
{
    weir_shape vector = weir_shape_vector(total);
    if (!ragged)
        return weir_sparse_alloc(call, 0, 1, total, sparse->rank);
    WEIR_TRY(weir_call_alloc(call, 0, &vector));
    return weir_call_alloc(call, 1, &vector);
}

static weir_status fill(weir_call *call, const weir_sparse *sparse, bool ragged)
{
    weir_tensor begin;
    int64_t total;
    weir_shape rows = weir_shape_vector(sparse->dims[0]),
               entries = weir_shape_vector(sparse->count);
    WEIR_TRY(weir_call_alloc(call, 2, &rows));
    WEIR_TRY(weir_call_alloc(call, 3, &entries));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &rows, &begin));
    weir_tensor_zero(NULL, &begin);
    bool *empty = weir_out(call, 2)->data;
    weir_status status = place_rows(sparse, empty, begin.data, &total);
    if (!status)
        status = alloc_entries(call, sparse, ragged, total);
    if (!status)
        write_entries(call, sparse, empty, begin.data);
    weir_tensor_release(&begin);
    return status;
}

static weir_status run(weir_call *call)
{
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    if (sparse.dims[0] < 0 || (sparse.dims[0] == 0 && sparse.count > 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Received SparseTensor with dense_shape[0] = %" PRId64
                          " but indices.shape[0] = %" PRId64,
                          sparse.dims[0], sparse.count);
    return fill(call, &sparse, false);
}

static weir_status grad(weir_grad *grad)
{
    weir_node *node =
        weir_grad_node_add(grad, "SparseFillEmptyRowsGrad",
                           WEIR_IN(weir_grad_y(grad, 3), weir_grad_dy(grad, 1)), WEIR_NO_ATTRS);
    if (node) {
        weir_grad_set(grad, VALUES, (weir_edge){node, 0});
        weir_grad_set(grad, DEFAULT, (weir_edge){node, 1});
    }
    return WEIR_OK;
}

const weir_op weir_op_sparse_fill_empty_rows = {
    .name = "SparseFillEmptyRows",
    .in = "indices: int64; values: T; dense_shape: int64; default_value: T",
    .out = "output_indices: int64; output_values: T; empty_row_indicator: bool; "
           "reverse_index_map: int64",
    .attrs = "T: type",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};

/* ---- SparseFillEmptyRowsGrad ----------------------------------------------------------------- */

static weir_status grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    infer->out[0] = *infer->in[0];
    infer->out[1] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Gradients go back to the entries; the rest is summed for the default value. */
static weir_status grad_run(weir_call *call)
{
    const weir_tensor *map = weir_in(call, 0), *dy = weir_in(call, 1);
    weir_tensor *dvalues = weir_out(call, 0), *ddefault = weir_out(call, 1), taken;
    int64_t count = weir_tensor_count(map), full = weir_tensor_count(dy);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(dy->dtype));
    weir_status status = WEIR_OK;
    WEIR_TRY(weir_tensor_alloc(WEIR_BOOL, &dy->shape, &taken));
    weir_tensor_zero(NULL, &taken);
    for (int64_t n = 0; n < count && !status; n++) {
        int64_t at = ((const int64_t *)map->data)[n];
        if (at < 0 || at >= full) {
            status = weir_error(
                WEIR_INVALID_ARGUMENT,
                "Elements in reverse index must be in [0, %" PRId64 ") but got %" PRId64, full, at);
            break;
        }
        weir_elements_copy(dy->dtype, weir_at(dvalues, n), weir_at(dy, at), 1);
        ((bool *)taken.data)[at] = true;
    }
    weir_tensor_zero(NULL, ddefault);
    for (int64_t n = 0; n < full && !status; n++)
        if (!((const bool *)taken.data)[n])
            add(ddefault->data, weir_at(dy, n), 1, 1);
    weir_tensor_release(&taken);
    return status;
}

#define SUMMED "T: " REALS ", complex64, complex128"

const weir_op weir_op_sparse_fill_empty_rows_grad = {
    .name = "SparseFillEmptyRowsGrad",
    .in = "reverse_index_map: int64; grad_values: T",
    .out = "d_values: T; d_default_value: T",
    .attrs = "T: type",
    .infer = grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, SUMMED, grad_run}},
};

/* ---- ragged tensors -------------------------------------------------------------------------- */

static weir_status ragged_infer(weir_infer *infer)
{
    int64_t count;
    WEIR_TRY(weir_infer_rank(infer, INDICES, 1));
    WEIR_TRY(weir_infer_rank(infer, VALUES, 1));
    WEIR_TRY(weir_infer_rank(infer, SHAPE, 0));
    WEIR_TRY(weir_infer_rank(infer, DEFAULT, 0));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, INDICES, 0),
                                  weir_infer_dim(infer, VALUES, 0), &count));
    for (int k = 0; k < 3; k++)
        infer->out[k] = weir_shape_vector(-1);
    infer->out[3] = weir_shape_vector(count);
    return WEIR_OK;
}

static weir_status ragged_run(weir_call *call)
{
    weir_sparse sparse = {.indices = weir_in(call, INDICES)->data,
                          .values = weir_in(call, VALUES),
                          .dims = weir_in(call, SHAPE)->data,
                          .count = weir_tensor_count(weir_in(call, INDICES)),
                          .rank = 1};
    if (sparse.dims[0] < 0 || (sparse.dims[0] == 0 && sparse.count > 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Received RaggedTensor with nrows = %" PRId64 " but %" PRId64
                          " value_rowids",
                          sparse.dims[0], sparse.count);
    return fill(call, &sparse, true);
}

const weir_op weir_op_ragged_fill_empty_rows = {
    .name = "RaggedFillEmptyRows",
    .in = "value_rowids: int64; values: T; nrows: int64; default_value: T",
    .out = "output_value_rowids: int64; output_values: T; empty_row_indicator: bool; "
           "reverse_index_map: int64",
    .attrs = "T: type",
    .host = "nrows",
    .infer = ragged_infer,
    .kernels = {{WEIR_CPU, "*", ragged_run, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_ragged_fill_empty_rows_grad = {
    .name = "RaggedFillEmptyRowsGrad",
    .in = "reverse_index_map: int64; grad_values: T",
    .out = "d_values: T; d_default_value: T",
    .attrs = "T: type",
    .infer = grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, SUMMED, grad_run}},
};
