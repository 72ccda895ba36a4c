/* ops/sparse/ragged_cross.c - RaggedCross: feature crosses of ragged, sparse and dense columns, per
 * row. */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/cross.h"
#include "ops/sparse/ragged.h"
#include "ops/sparse/sparse.h"
#include "tensor/tstring.h"

enum { VALUES, SPLITS, INDICES, SPARSE_VALUES, SHAPES, DENSE };
enum { NSPARSE, INPUT_ORDER, HASHED, BUCKETS, KEY, OUT_VALUES = 9 };

static const weir_tensor *arg(const weir_call *call, int argument, int k)
{
    return weir_in(call, weir_site_in(call->site, argument).start + k);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* For each kind: the number of rows of its column |k|, and the column. */

static weir_status ragged_rows(const weir_call *call, int k, int64_t *out)
{
    const weir_tensor *values = arg(call, VALUES, k), *splits = arg(call, SPLITS, k);
    if (values->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tf.ragged.cross only supports inputs with rank=2.");
    WEIR_TRY(weir_ragged_check_splits(splits, values->shape.dims[0]));
    *out = weir_tensor_count(splits) - 1;
    return WEIR_OK;
}

static weir_status ragged_column(const weir_call *call, int k, weir_columns *columns,
                                 weir_column *out)
{
    const weir_tensor *splits = arg(call, SPLITS, k);
    weir_tensor *begin = &columns->begins[columns->begin_count];
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &splits->shape, begin));
    columns->begin_count++;
    for (int64_t i = 0; i < weir_tensor_count(splits); i++)
        ((int64_t *)begin->data)[i] = weir_int_at(splits, i);
    *out = (weir_column){arg(call, VALUES, k), begin->data, 0};
    return WEIR_OK;
}

static weir_status sparse_rows(const weir_call *call, int k, int64_t *out)
{
    const weir_tensor *indices = arg(call, INDICES, k), *values = arg(call, SPARSE_VALUES, k),
                      *shape = arg(call, SHAPES, k);
    if (indices->shape.rank != 2 || values->shape.rank != 1 || shape->shape.rank != 1 ||
        weir_tensor_count(shape) != 2 || indices->shape.dims[1] != 2 ||
        indices->shape.dims[0] != values->shape.dims[0])
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "sparse input %d: indices %s, values %s and shape %s do not make a matrix", k,
            WEIR_SHAPE_STR(&indices->shape), WEIR_SHAPE_STR(&values->shape),
            WEIR_SHAPE_STR(&shape->shape));
    *out = weir_int_at(shape, 0);
    return WEIR_OK;
}

static weir_status sparse_column(const weir_call *call, int k, weir_columns *columns,
                                 weir_column *out)
{
    weir_tensor *begin = &columns->begins[columns->begin_count];
    WEIR_TRY(weir_column_rows(arg(call, INDICES, k), columns->rows, begin));
    columns->begin_count++;
    *out = (weir_column){arg(call, SPARSE_VALUES, k), begin->data, 0};
    return WEIR_OK;
}

static weir_status dense_rows(const weir_call *call, int k, int64_t *out)
{
    const weir_tensor *tensor = arg(call, DENSE, k);
    if (tensor->shape.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tf.ragged.cross only supports inputs with rank=2.");
    *out = tensor->shape.dims[0];
    return WEIR_OK;
}

static weir_status dense_column(const weir_call *call, int k, weir_columns *columns,
                                weir_column *out)
{
    (void)columns;
    const weir_tensor *tensor = arg(call, DENSE, k);
    *out = (weir_column){tensor, NULL, tensor->shape.dims[1]};
    return WEIR_OK;
}

static const struct kind {
    char letter; /* in attr input_order */
    int argument;
    weir_status (*rows)(const weir_call *call, int k, int64_t *out);
    weir_status (*read)(const weir_call *call, int k, weir_columns *columns, weir_column *out);
} kinds[] = {
    {'R', VALUES, ragged_rows, ragged_column},
    {'S', INDICES, sparse_rows, sparse_column},
    {'D', DENSE, dense_rows, dense_column},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Checks that arguments that belong together have equal counts. */
static weir_status check_counts(const weir_call *call)
{
    const weir_site *site = call->site;
    if (weir_site_in(site, VALUES).count != weir_site_in(site, SPLITS).count ||
        weir_site_in(site, INDICES).count != weir_site_in(site, SPARSE_VALUES).count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ragged values and row splits, or sparse indices and values, differ in "
                          "number");
    return WEIR_OK;
}

static weir_status read_column(const weir_call *call, const struct kind *kind, int k,
                               weir_columns *columns)
{
    int64_t rows;
    if (k >= weir_site_in(call->site, kind->argument).count)
        return weir_error(WEIR_INVALID_ARGUMENT, "input_order names more inputs than there are");
    WEIR_TRY(kind->rows(call, k, &rows));
    if (columns->count == 0)
        columns->rows = rows;
    else if (rows != columns->rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "inputs must all have the same batch dimension size.");
    if (rows < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must not be negative, got %" PRId64,
                          rows);
    WEIR_TRY(kind->read(call, k, columns, &columns->at[columns->count]));
    columns->count++;
    return WEIR_OK;
}

static weir_status read_columns(const weir_call *call, weir_columns *columns)
{
    weir_str order = weir_site_str(call->site, INPUT_ORDER);
    int used[KINDS] = {0}, all = 0;
    WEIR_TRY(check_counts(call));
    for (int kind = 0; kind < KINDS; kind++)
        all += weir_site_in(call->site, kinds[kind].argument).count;
    if (order.length != (size_t)all || !all)
        return weir_error(WEIR_INVALID_ARGUMENT, "input_order must name each of %d inputs", all);
    columns->at = WEIR_NEW_ARRAY(weir_column, all);
    columns->begins = WEIR_NEW_ARRAY(weir_tensor, all);
    for (int i = 0; i < all; i++) {
        int kind = 0;
        while (kind < KINDS && kinds[kind].letter != order.at[i])
            kind++;
        if (kind == KINDS)
            return weir_error(WEIR_INVALID_ARGUMENT, "Unexpected input_order value: \"%.*s\"",
                              WEIR_STR_ARG(order));
        WEIR_TRY(read_column(call, &kinds[kind], used[kind]++, columns));
    }
    return WEIR_OK;
}

/* ---- crossing -------------------------------------------------------------------------------- */

static void put_split(weir_tensor *splits, int64_t i, int64_t value)
{
    if (splits->dtype == WEIR_INT32)
        ((int32_t *)splits->data)[i] = (int32_t)value;
    else
        ((int64_t *)splits->data)[i] = value;
}

static weir_status count_all(weir_call *call, const weir_columns *columns, int64_t *out_total)
{
    weir_shape shape = weir_shape_vector(columns->rows + 1);
    WEIR_TRY(weir_call_alloc(call, 1, &shape));
    weir_tensor *splits = weir_out(call, 1);
    int64_t count;
    *out_total = 0;
    put_split(splits, 0, 0);
    for (int64_t row = 0; row < columns->rows; row++) {
        WEIR_TRY(weir_cross_count(columns, row, &count));
        WEIR_TRY(weir_dim_add(*out_total, count, out_total));
        put_split(splits, row + 1, *out_total);
    }
    if (splits->dtype == WEIR_INT32 && *out_total > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%" PRId64 " values are too many for row splits of int32", *out_total);
    return WEIR_OK;
}

static weir_status cross_columns(weir_call *call, const weir_columns *columns)
{
    const weir_site *site = call->site;
    weir_crosser crosser = {
        .hashes = weir_site_bool(site, HASHED),
        .key = {(uint64_t)weir_site_int(site, KEY)},
        .buckets = weir_site_int(site, BUCKETS),
        .separator = WEIR_STR("_X_"),
    };
    int64_t total;
    WEIR_TRY(count_all(call, columns, &total));
    weir_shape shape = weir_shape_vector(total);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    WEIR_FREED int64_t *pick = WEIR_NEW_ARRAY(int64_t, columns->count);
    for (int64_t row = 0; row < columns->rows; row++)
        weir_cross_row(&crosser, columns, row, weir_out(call, 0),
                       weir_int_at(weir_out(call, 1), row), pick);
    return WEIR_OK;
}

static weir_status cross(weir_call *call)
{
    weir_dtype out = weir_site_type(call->site, OUT_VALUES);
    if (out != (weir_site_bool(call->site, HASHED) ? WEIR_INT64 : WEIR_STRING))
        return weir_error(WEIR_INVALID_ARGUMENT, "out_values_type must be %s here, not %s",
                          weir_site_bool(call->site, HASHED) ? "int64" : "string",
                          weir_dtype_name(out));
    weir_columns columns = {0};
    weir_status status = read_columns(call, &columns);
    if (!status)
        status = cross_columns(call, &columns);
    weir_columns_fini(&columns);
    return status;
}

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(-1);
    infer->out[1] = weir_shape_vector(-1);
    return WEIR_OK;
}

const weir_op weir_op_ragged_cross = {
    .name = "RaggedCross",
    .in = "ragged_values: ragged_values_types; ragged_row_splits: ragged_splits_types; "
          "sparse_indices: Nsparse * int64; sparse_values: sparse_values_types; "
          "sparse_shape: Nsparse * int64; dense_inputs: dense_types",
    .out = "output_values: out_values_type; output_row_splits: out_row_splits_type",
    .attrs = "Nsparse: int >= 0; input_order: string; hashed_output: bool; num_buckets: int >= 0; "
             "hash_key: int; ragged_values_types: list({int64, string}) >= 0; "
             "ragged_splits_types: list({int32, int64}) >= 0; sparse_values_types: list({int64, "
             "string}) >= 0; dense_types: list({int64, string}) >= 0; out_values_type: {int64, "
             "string}; out_row_splits_type: {int32, int64}",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", cross, WEIR_OWN_OUTPUTS}},
};
