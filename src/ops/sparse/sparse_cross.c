/* ops/sparse/sparse_cross.c - SparseCross, SparseCrossV2, SparseCrossHashed: every combination of
 * one feature from each column, per row of the batch, as joined text or as one hash.
 *
 * Columns are sparse matrices (first) or dense ones, of text or int64. Combinations are counted
 * with the last column fastest.
 */
#include "base/arith.h"
#include "base/fingerprint.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"
#include "tensor/tstring.h"

/* ---- columns --------------------------------------------------------------------------------- */

/* Features of one column: where those of each row begin, for a sparse one. */
typedef struct column {
    const weir_tensor *values;
    const int64_t *begin; /* rows + 1 of them; null for a dense one */
    int64_t width;        /* of a dense one */
} column;

typedef struct columns {
    column *at;
    int count;
    int64_t rows;
    weir_tensor *begins; /* what column.begin points into, one per sparse column */
    int begin_count;
} columns;

static int64_t feature_count(const column *column, int64_t row)
{
    return column->begin ? column->begin[row + 1] - column->begin[row] : column->width;
}

static int64_t feature_at(const column *column, int64_t row, int64_t n)
{
    return column->begin ? column->begin[row] + n : row * column->width + n;
}

static void columns_fini(columns *columns)
{
    for (int k = 0; k < columns->begin_count; k++)
        weir_tensor_release(&columns->begins[k]);
    weir_free(columns->begins);
    weir_free(columns->at);
}

/* Where the entries of each row begin; they must come row by row. */
static weir_status index_rows(const weir_tensor *indices, int64_t rows, weir_tensor *out)
{
    weir_shape shape = weir_shape_vector(rows + 1);
    const int64_t *at = indices->data;
    int64_t count = indices->shape.dims[0];
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &shape, out));
    int64_t *begin = out->data, total = 0;
    for (int64_t row = 0; row <= rows; row++) {
        while (total < count && at[2 * total] < row)
            total++;
        begin[row] = total;
    }
    for (int64_t e = 0; e < count; e++)
        if (at[2 * e] < 0 || at[2 * e] >= rows || (e > 0 && at[2 * e] < at[2 * e - 2])) {
            weir_tensor_release(out);
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "indices[%" PRId64 "] = [%" PRId64 ",%" PRId64
                              "] is out of order or not in a batch of %" PRId64 " rows",
                              e, at[2 * e], at[2 * e + 1], rows);
        }
    return WEIR_OK;
}

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

/* All that can be said before any index is read. */
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

static weir_status read_columns(const weir_call *call, columns *columns)
{
    int count = weir_site_in(call->site, 0).count;
    weir_range dense = weir_site_in(call->site, 3);
    columns->count = count + dense.count;
    if (columns->count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "There must be at least one column to cross");
    columns->at = WEIR_NEW_ARRAY(column, columns->count);
    columns->begins = WEIR_NEW_ARRAY(weir_tensor, count);
    WEIR_TRY(check_inputs(call, count, dense, &columns->rows));
    for (int k = 0; k < count; k++) {
        WEIR_TRY(index_rows(weir_in(call, k), columns->rows, &columns->begins[k]));
        columns->begin_count++;
        columns->at[k] = (column){weir_in(call, count + k), columns->begins[k].data, 0};
    }
    for (int k = 0; k < dense.count; k++) {
        const weir_tensor *tensor = weir_in(call, dense.start + k);
        columns->at[count + k] = (column){tensor, NULL, tensor->shape.dims[1]};
    }
    return WEIR_OK;
}

/* ---- combining ------------------------------------------------------------------------------- */

/* How a combination becomes a value. */
typedef struct crosser {
    bool hashes; /* else joins text */
    bool keyed;  /* SparseCrossHashed: the key is for features, not for the whole */
    bool strong;
    uint64_t key[2]; /* keyed: the salt; else key[0] starts the hash */
    int64_t buckets; /* 0: the whole range */
    bool text_only;  /* no int64 columns */
    weir_str separator;
} crosser;

/* Text enters by its fingerprint. A number of a dense column, or of any in SparseCross, enters as
 * it is; one of a sparse column in SparseCrossHashed by the fingerprint of its low four bytes,
 * which is what TensorFlow made of it and models now depend on. */
static uint64_t feature_hash(const crosser *crosser, const column *column, int64_t at)
{
    const void *ptr = weir_at(column->values, at);
    bool text = column->values->dtype == WEIR_STRING;
    weir_str bytes = text ? weir_tstring_get(ptr) : (weir_str){ptr, 4};
    if (crosser->strong)
        return weir_siphash64(crosser->key[0], crosser->key[1], bytes);
    if (text || (crosser->keyed && column->begin))
        return weir_fingerprint64(bytes);
    return *(const uint64_t *)ptr;
}

static int64_t hash_combination(const crosser *crosser, const columns *columns, int64_t row,
                                const int64_t *pick)
{
    uint64_t h = crosser->key[0];
    for (int k = 0; k < columns->count; k++) {
        uint64_t f =
            feature_hash(crosser, &columns->at[k], feature_at(&columns->at[k], row, pick[k]));
        h = crosser->keyed && k == 0 ? f : weir_fingerprint64_join(h, f);
    }
    return (int64_t)(h % (uint64_t)(crosser->buckets > 0 ? crosser->buckets : INT64_MAX));
}

static void join_combination(const crosser *crosser, const columns *columns, int64_t row,
                             const int64_t *pick, weir_tstring *out)
{
    WEIR_BUF(text);
    for (int k = 0; k < columns->count; k++) {
        const void *ptr = weir_at(columns->at[k].values, feature_at(&columns->at[k], row, pick[k]));
        if (k)
            weir_buf_add(&text, crosser->separator.at, crosser->separator.length);
        if (columns->at[k].values->dtype == WEIR_INT64) {
            weir_buf_addf(&text, "%" PRId64, *(const int64_t *)ptr);
            continue;
        }
        weir_str str = weir_tstring_get(ptr);
        weir_buf_add(&text, str.at, str.length);
    }
    weir_tstring_set(out, text.at, text.length);
}

/* The next combination; false after the last. */
static bool advance(const columns *columns, int64_t row, int64_t *pick)
{
    for (int k = columns->count - 1; k >= 0; k--) {
        if (++pick[k] < feature_count(&columns->at[k], row))
            return true;
        pick[k] = 0;
    }
    return false;
}

static weir_status combinations(const columns *columns, int64_t row, int64_t *out)
{
    *out = 1;
    for (int k = 0; k < columns->count; k++)
        WEIR_TRY(weir_dim_mul(*out, feature_count(&columns->at[k], row), out));
    return WEIR_OK;
}

static void cross_row(weir_call *call, const crosser *crosser, const columns *columns, int64_t row,
                      int64_t from, int64_t *pick)
{
    int64_t *at = (int64_t *)weir_out(call, 0)->data + 2 * from;
    weir_tensor *values = weir_out(call, 1);
    memset(pick, 0, sizeof *pick * (size_t)columns->count);
    for (int64_t n = 0;; n++, at += 2) {
        at[0] = row;
        at[1] = n;
        if (crosser->hashes)
            ((int64_t *)values->data)[from + n] = hash_combination(crosser, columns, row, pick);
        else
            join_combination(crosser, columns, row, pick, (weir_tstring *)values->data + from + n);
        if (!advance(columns, row, pick))
            return;
    }
}

static weir_status cross_columns(weir_call *call, const crosser *crosser, const columns *columns)
{
    int64_t total = 0, widest = 0, count, done = 0;
    for (int64_t row = 0; row < columns->rows; row++) {
        WEIR_TRY(combinations(columns, row, &count));
        WEIR_TRY(weir_dim_add(total, count, &total));
        widest = weir_max(count, widest);
    }
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, total, 2));
    WEIR_TRY(weir_sparse_alloc_shape(call, 2, (int64_t[]){columns->rows, widest}, 2));
    WEIR_FREED int64_t *pick = WEIR_NEW_ARRAY(int64_t, columns->count);
    for (int64_t row = 0; row < columns->rows; row++) {
        weir_status status = combinations(columns, row, &count);
        weir_status_free(status); /* it went well before */
        if (count > 0)
            cross_row(call, crosser, columns, row, done, pick);
        done += count;
    }
    return WEIR_OK;
}

static weir_status cross(weir_call *call, const crosser *crosser)
{
    columns columns = {0};
    weir_status status = read_columns(call, &columns);
    for (int k = 0; !status && crosser->text_only && k < columns.count; k++)
        if (columns.at[k].values->dtype != WEIR_STRING)
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "Input values should be of internal type %d but received %d",
                                WEIR_STRING, columns.at[k].values->dtype);
    if (!status)
        status = cross_columns(call, crosser, &columns);
    columns_fini(&columns);
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
    crosser crosser = {
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
    crosser crosser = {.separator = weir_tstring_get(separator->data)};
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
    crosser crosser = {
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
