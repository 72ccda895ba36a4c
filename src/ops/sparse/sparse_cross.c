/* ops/sparse/sparse_cross.c - SparseCross, SparseCrossV2, SparseCrossHashed: feature crosses per
 * row of the batch, as joined strings or as a hash.
 *
 * Columns are sparse matrices (first) or dense ones, of strings or int64. The last column varies
 * fastest.
 */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/cross.h"
#include "ops/sparse/sparse.h"
#include "tensor/tstring.h"

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The arguments begin with indices, values, shapes (one each per sparse column) and dense inputs.
 */
static weir_status check_sparse(const weir_call *call, int count, int k)
{
    const weir_tensor *indices = weir_in(call, k), *values = weir_in(call, count + k);
    const weir_tensor *shape = weir_in(call, 2 * count + k);
    if (indices->shape.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input indices should be a matrix but received shape %s at position %d",
                          WEIR_SHAPE_STR(&indices->shape), k);
    if (indices->shape.dims[1] != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected D2 of index to be 2 got %" PRId64 " at position %d",
                          indices->shape.dims[1], k);
    if (values->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input values should be a vector but received shape %s at position %d",
                          WEIR_SHAPE_STR(&values->shape), k);
    if (values->shape.dims[0] != indices->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected size of values to be %" PRId64 " got %" PRId64
                          " at position %d",
                          indices->shape.dims[0], values->shape.dims[0], k);
    if (shape->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input shapes should be a vector but received shape %s at position %d",
                          WEIR_SHAPE_STR(&shape->shape), k);
    if (weir_tensor_count(shape) != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "shape should imply a 2D tensor, but got %s at position %d",
                          WEIR_SHAPE_STR(&shape->shape), k);
    return WEIR_OK;
}

static weir_status check_batch(int64_t rows, int64_t got, const char *at, int k)
{
    if (got == rows)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Expected batch size %" PRId64 " got %" PRId64 " %s %d", rows, got, at, k);
}

/* All checks that do not depend on indices. */
static weir_status check_inputs(const weir_call *call, int count, weir_range dense,
                                int64_t *out_rows)
{
    for (int k = 0; k < count; k++)
        WEIR_TRY(check_sparse(call, count, k));
    for (int k = 0; k < dense.count; k++)
        if (weir_in(call, dense.start + k)->shape.rank != 2)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Dense inputs should be a matrix but received shape %s at position "
                              "%d",
                              WEIR_SHAPE_STR(&weir_in(call, dense.start + k)->shape), k);
    int64_t rows = count ? weir_int_at(weir_in(call, 2 * count), 0)
                         : weir_in(call, dense.start)->shape.dims[0];
    if (rows < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must not be negative, got %" PRId64,
                          rows);
    for (int k = 0; k < count; k++)
        WEIR_TRY(check_batch(rows, weir_int_at(weir_in(call, 2 * count + k), 0), "at position", k));
    for (int k = 0; k < dense.count; k++)
        WEIR_TRY(
            check_batch(rows, weir_in(call, dense.start + k)->shape.dims[0], "at dense tensor", k));
    *out_rows = rows;
    return WEIR_OK;
}

static weir_status read_columns(const weir_call *call, weir_columns *columns)
{
    int count = weir_site_in(call->site, 0).count;
    weir_range dense = weir_site_in(call->site, 3);
    columns->count = count + dense.count;
    if (columns->count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "There must be at least one column to cross");
    columns->at = WEIR_NEW_ARRAY(weir_column, columns->count);
    columns->begins = WEIR_NEW_ARRAY(weir_tensor, count);
    WEIR_TRY(check_inputs(call, count, dense, &columns->rows));
    for (int k = 0; k < count; k++) {
        WEIR_TRY(weir_column_rows(weir_in(call, k), columns->rows, &columns->begins[k]));
        columns->begin_count++;
        columns->at[k] = (weir_column){weir_in(call, count + k), columns->begins[k].data, 0};
    }
    for (int k = 0; k < dense.count; k++) {
        const weir_tensor *tensor = weir_in(call, dense.start + k);
        columns->at[count + k] = (weir_column){tensor, NULL, tensor->shape.dims[1]};
    }
    return WEIR_OK;
}

/* ---- combination ----------------------------------------------------------------------------- */

static weir_status cross_columns(weir_call *call, const weir_crosser *crosser,
                                 const weir_columns *columns)
{
    int64_t total = 0, widest = 0, count, done = 0;
    for (int64_t row = 0; row < columns->rows; row++) {
        WEIR_TRY(weir_cross_count(columns, row, &count));
        WEIR_TRY(weir_dim_add(total, count, &total));
        widest = weir_max(count, widest);
    }
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, total, 2));
    WEIR_TRY(weir_sparse_alloc_shape(call, 2, (int64_t[]){columns->rows, widest}, 2));
    WEIR_FREED int64_t *pick = WEIR_NEW_ARRAY(int64_t, columns->count);
    int64_t *at = weir_out(call, 0)->data;
    for (int64_t row = 0; row < columns->rows; row++, done += count) {
        WEIR_TRY(weir_cross_count(columns, row, &count));
        weir_cross_row(crosser, columns, row, weir_out(call, 1), done, pick);
        for (int64_t n = 0; n < count; n++, at += 2) {
            at[0] = row;
            at[1] = n;
        }
    }
    return WEIR_OK;
}

static weir_status cross(weir_call *call, const weir_crosser *crosser)
{
    weir_columns columns = {0};
    weir_status status = read_columns(call, &columns);
    for (int k = 0; !status && crosser->text_only && k < columns.count; k++)
        if (columns.at[k].values->dtype != WEIR_STRING)
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "Input values should be of internal type %d but received %d",
                                WEIR_STRING, columns.at[k].values->dtype);
    if (!status)
        status = cross_columns(call, crosser, &columns);
    weir_columns_fini(&columns);
    return status;
}

/* ---- the ops --------------------------------------------------------------------------------- */

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = weir_shape_matrix(-1, 2);
    infer->out[1] = weir_shape_vector(-1);
    infer->out[2] = weir_shape_vector(2);
    return WEIR_OK;
}

enum {
    N,
    HASHED_OUTPUT,
    NUM_BUCKETS,
    HASH_KEY,
    SPARSE_TYPES,
    DENSE_TYPES,
    OUT_TYPE,
    INTERNAL_TYPE
};

static weir_status cross_v1(weir_call *call)
{
    const weir_site *site = call->site;
    weir_crosser crosser = {
        .hashes = weir_site_type(site, OUT_TYPE) == WEIR_INT64,
        .key = {(uint64_t)weir_site_int(site, HASH_KEY)},
        .buckets = weir_site_int(site, NUM_BUCKETS),
        .text_only = weir_site_type(site, INTERNAL_TYPE) == WEIR_STRING,
        .separator = WEIR_STR("_X_"),
    };
    return cross(call, &crosser);
}

static weir_status cross_v2(weir_call *call)
{
    const weir_tensor *separator = weir_in(call, call->site->in_count - 1);
    if (weir_tensor_count(separator) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input separator should be a scalar. Received: %s",
                          WEIR_SHAPE_STR(&separator->shape));
    weir_crosser crosser = {.separator = weir_tstring_get(separator->data)};
    return cross(call, &crosser);
}

static weir_status cross_hashed(weir_call *call)
{
    int last = call->site->in_count - 1;
    const weir_tensor *buckets = weir_in(call, last - 2), *strong = weir_in(call, last - 1);
    const weir_tensor *salt = weir_in(call, last);
    if (weir_tensor_count(buckets) != 1 || weir_tensor_count(strong) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_buckets and strong_hash must be scalars");
    if (weir_tensor_count(salt) != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input \"salt\" must have length 2 but has shape %s",
                          WEIR_SHAPE_STR(&salt->shape));
    weir_crosser crosser = {
        .hashes = true,
        .keyed = true,
        .strong = *(const bool *)strong->data,
        .key = {(uint64_t)weir_int_at(salt, 0), (uint64_t)weir_int_at(salt, 1)},
        .buckets = weir_int_at(buckets, 0),
    };
    return cross(call, &crosser);
}

#define COLUMN_TYPES                                                                               \
    "sparse_types: list({int64, string}) >= 0; dense_types: list({int64, string}) >= 0"
#define COLUMNS                                                                                    \
    "indices: N * int64; values: sparse_types; shapes: N * int64; dense_inputs: dense_types"

const weir_op weir_op_sparse_cross = {
    .name = "SparseCross",
    .in = COLUMNS,
    .out = "output_indices: int64; output_values: out_type; output_shape: int64",
    .attrs = "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; hash_key: int; " COLUMN_TYPES
             "; out_type: {int64, string}; internal_type: {int64, string}",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", cross_v1, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_sparse_cross_v2 = {
    .name = "SparseCrossV2",
    .in = COLUMNS "; sep: string",
    .out = "output_indices: int64; output_values: string; output_shape: int64",
    .attrs = "N: int >= 0; " COLUMN_TYPES,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", cross_v2, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_sparse_cross_hashed = {
    .name = "SparseCrossHashed",
    .in = COLUMNS "; num_buckets: int64; strong_hash: bool; salt: int64",
    .out = "output_indices: int64; output_values: int64; output_shape: int64",
    .attrs = "N: int >= 0; " COLUMN_TYPES,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", cross_hashed, WEIR_OWN_OUTPUTS}},
};
