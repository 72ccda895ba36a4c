/* ops/sparse/cross.c - feature columns, and the values of their combinations. */
#include "ops/sparse/cross.h"

#include <inttypes.h>

#include "base/fingerprint.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "tensor/tstring.h"

static int64_t feature_count(const weir_column *column, int64_t row)
{
    return column->begin ? column->begin[row + 1] - column->begin[row] : column->width;
}

static int64_t feature_at(const weir_column *column, int64_t row, int64_t n)
{
    return column->begin ? column->begin[row] + n : row * column->width + n;
}

void weir_columns_fini(weir_columns *columns)
{
    for (int k = 0; k < columns->begin_count; k++)
        weir_tensor_release(&columns->begins[k]);
    weir_free(columns->begins);
    weir_free(columns->at);
}

weir_status weir_column_rows(const weir_tensor *indices, int64_t rows, weir_tensor *out)
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

/* Strings contribute their fingerprint. A number of a dense column, or of any in SparseCross,
 * contributes its value; one of a sparse column in SparseCrossHashed the fingerprint of its low
 * four bytes, which is TensorFlow's behaviour that models now depend on. */
static uint64_t feature_hash(const weir_crosser *crosser, const weir_column *column, int64_t at)
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

static int64_t hash_combination(const weir_crosser *crosser, const weir_columns *columns,
                                int64_t row, const int64_t *pick)
{
    uint64_t h = crosser->key[0];
    for (int k = 0; k < columns->count; k++) {
        uint64_t f =
            feature_hash(crosser, &columns->at[k], feature_at(&columns->at[k], row, pick[k]));
        h = crosser->keyed && k == 0 ? f : weir_fingerprint64_join(h, f);
    }
    return (int64_t)(h % (uint64_t)(crosser->buckets > 0 ? crosser->buckets : INT64_MAX));
}

static void join_combination(const weir_crosser *crosser, const weir_columns *columns, int64_t row,
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

/* Advances to the next combination. */
static void advance(const weir_columns *columns, int64_t row, int64_t *pick)
{
    for (int k = columns->count - 1; k >= 0; k--) {
        if (++pick[k] < feature_count(&columns->at[k], row))
            return;
        pick[k] = 0;
    }
}

weir_status weir_cross_count(const weir_columns *columns, int64_t row, int64_t *out)
{
    *out = 1;
    for (int k = 0; k < columns->count; k++)
        WEIR_TRY(weir_dim_mul(*out, feature_count(&columns->at[k], row), out));
    return WEIR_OK;
}

void weir_cross_row(const weir_crosser *crosser, const weir_columns *columns, int64_t row,
                    weir_tensor *values, int64_t from, int64_t *pick)
{
    int64_t count;
    weir_status status = weir_cross_count(columns, row, &count);
    weir_status_free(status); /* already checked by the count */
    memset(pick, 0, sizeof *pick * (size_t)columns->count);
    for (int64_t n = from; n < from + count; n++) {
        if (crosser->hashes)
            ((int64_t *)values->data)[n] = hash_combination(crosser, columns, row, pick);
        else
            join_combination(crosser, columns, row, pick, (weir_tstring *)values->data + n);
        advance(columns, row, pick);
    }
}
