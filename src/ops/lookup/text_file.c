/* ops/lookup/text_file.c - InitializeTableFromTextFile: a table from the lines of a file.
 *
 * Keys and values are columns between delimiters, whole lines (-2) or line numbers (-1). */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/arith.h"
#include "io/stream.h"
#include "ops/declare.h"
#include "ops/lookup/lookup_impl.h"

enum { KEY_INDEX, VALUE_INDEX, VOCAB_SIZE, DELIMITER, OFFSET };
enum { WHOLE_LINE = -2, LINE_NUMBER = -1 };
enum { MOST_LINES = 1 << 28 };

/* A column being read: elements of |dtype|, one per line so far. */
typedef struct column {
    int64_t index; /* its number, or WHOLE_LINE, LINE_NUMBER */
    weir_dtype dtype;
    WEIR_VEC(weir_tstring) strings;
    WEIR_VEC(int64_t) integers; /* of int64 and int32 */
    WEIR_VEC(double) numbers;   /* of float and double */
} column;

static void column_fini(column *column)
{
    for (size_t i = 0; i < column->strings.count; i++)
        weir_tstring_fini(&column->strings.at[i]);
    weir_vec_fini(&column->strings);
    weir_vec_fini(&column->integers);
    weir_vec_fini(&column->numbers);
}

static bool is_integer(weir_dtype dtype)
{
    return dtype == WEIR_INT64 || dtype == WEIR_INT32;
}

static weir_status check_column(const column *column, const char *what, const char *lower)
{
    if (column->index == LINE_NUMBER && column->dtype != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s index for line number requires table %s dtype of int64, got %s", what,
                          lower, weir_dtype_name(column->dtype));
    if (column->index == WHOLE_LINE && column->dtype != WEIR_STRING && !is_integer(column->dtype))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            *lower == 'k' ? "%s index for whole line requires string or integer table %s, got %s"
                          : "%s index for whole line requires table %s dtype of integer or "
                            "string, got %s",
            what, lower, weir_dtype_name(column->dtype));
    if (column->dtype == WEIR_BOOL)
        return weir_error(WEIR_INVALID_ARGUMENT, "Data type bool not supported.");
    return WEIR_OK;
}

static weir_status add_text(column *column, weir_str field, int64_t line)
{
    if (column->dtype == WEIR_STRING) {
        weir_tstring tstring = {0};
        weir_tstring_set(&tstring, field.at, field.length);
        weir_vec_push(&column->strings, tstring);
        return WEIR_OK;
    }
    char *text = weir_strndup(field.at, field.length), *end = text;
    bool whole = is_integer(column->dtype);
    errno = 0;
    int64_t integer = whole ? strtoll(text, &end, 10) : 0;
    double number = whole ? 0 : strtod(text, &end);
    bool some = end != text;
    while (isspace((unsigned char)*end))
        end++;
    bool valid = some && *end == 0 && !(whole && errno) &&
                 !(column->dtype == WEIR_INT32 && integer != (int32_t)integer);
    weir_free(text);
    if (!valid)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Field %.*s in line %" PRId64 " is not a valid %s.", WEIR_STR_ARG(field),
                          line, weir_dtype_name(column->dtype));
    if (whole)
        weir_vec_push(&column->integers, integer);
    else
        weir_vec_push(&column->numbers, number);
    return WEIR_OK;
}

/* Field number |n| of a line; false if the line has fewer. */
static bool nth_field(weir_str line, char delimiter, int64_t n, weir_str *out, int64_t *out_count)
{
    int64_t field = 0;
    size_t from = 0;
    bool found = false;
    for (size_t i = 0; i <= line.length; i++) {
        if (i < line.length && line.at[i] != delimiter)
            continue;
        if (field++ == n) {
            *out = (weir_str){line.at + from, i - from};
            found = true;
        }
        from = i + 1;
    }
    *out_count = field;
    return found;
}

typedef struct source {
    const char *path;
    char delimiter;
    int64_t offset, vocab_size;
} source;

static weir_status add_line(column *column, const source *from, weir_str line, int64_t number,
                            int64_t needed)
{
    weir_str field = line;
    int64_t fields;
    if (column->index == LINE_NUMBER) {
        weir_vec_push(&column->integers, number + from->offset);
        return WEIR_OK;
    }
    if (column->index >= 0 && !nth_field(line, from->delimiter, column->index, &field, &fields))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid number of columns in %s line %" PRId64
                          " (%.*s) : expected at least %" PRId64 " got %" PRId64,
                          from->path, number, WEIR_STR_ARG(line), needed, fields);
    return add_text(column, field, number);
}

static weir_status read_lines(const source *from, column *key, column *value)
{
    WEIR_OWNED(weir_stream) stream = NULL;
    WEIR_TRY(weir_stream_open(from->path, WEIR_PACKING_NONE, 0, &stream));
    int64_t needed = 1 + weir_max(key->index, value->index), number = 0;
    WEIR_BUF(line);
    weir_status status = WEIR_OK;
    for (; !status && number != from->vocab_size && number < MOST_LINES; number++) {
        status = weir_stream_line(stream, &line);
        if (weir_status_code(status) == WEIR_OUT_OF_RANGE)
            break;
        weir_str text = {line.at ? line.at : "", line.length};
        if (!status && !text.length)
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "Invalid content in %s: empty line found at line %" PRId64 ".",
                                from->path, number);
        if (!status)
            status = add_line(key, from, text, number, needed);
        if (!status)
            status = add_line(value, from, text, number, needed);
    }
    if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
        return status;
    weir_status_free(status);
    if (from->vocab_size >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid vocab_size in %s: expected %" PRId64 " but got %" PRId64,
                          from->path, from->vocab_size, number);
    return WEIR_OK;
}

static weir_status column_tensor(const column *column, weir_tensor *out)
{
    size_t count = column->strings.count + column->integers.count + column->numbers.count;
    weir_shape shape = weir_shape_vector((int64_t)count);
    WEIR_TRY(weir_tensor_alloc(column->dtype, &shape, out));
    weir_elements_copy(WEIR_STRING, out->data, column->strings.at, (int64_t)column->strings.count);
    for (size_t i = 0; i < count && column->dtype != WEIR_STRING; i++) {
        if (column->dtype == WEIR_INT64)
            ((int64_t *)out->data)[i] = column->integers.at[i];
        else if (column->dtype == WEIR_INT32)
            ((int32_t *)out->data)[i] = (int32_t)column->integers.at[i];
        else if (column->dtype == WEIR_FLOAT)
            ((float *)out->data)[i] = (float)column->numbers.at[i];
        else
            ((double *)out->data)[i] = column->numbers.at[i];
    }
    return WEIR_OK;
}

static weir_status fill_from(weir_lookup *lookup, const column *key, const column *value)
{
    weir_tensor keys, values;
    WEIR_TRY(column_tensor(key, &keys));
    weir_status status = column_tensor(value, &values);
    if (!status) {
        status = weir_lookup_fill(lookup, &keys, &values);
        weir_tensor_release(&values);
    }
    weir_tensor_release(&keys);
    return status;
}

static weir_status load(weir_call *call, weir_lookup *lookup, const char *path)
{
    weir_str delimiter = weir_site_str(call->site, DELIMITER);
    if (delimiter.length != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "delimiter should be only 1 char");
    source from = {path, delimiter.at[0], weir_site_int(call->site, OFFSET),
                   weir_site_int(call->site, VOCAB_SIZE)};
    column key = {.index = weir_site_int(call->site, KEY_INDEX),
                  .dtype = weir_lookup_key_dtype(lookup)};
    column value = {.index = weir_site_int(call->site, VALUE_INDEX),
                    .dtype = weir_lookup_value_dtype(lookup)};
    WEIR_TRY(check_column(&key, "Key", "key"));
    WEIR_TRY(check_column(&value, "Value", "value"));
    weir_status status = read_lines(&from, &key, &value);
    if (!status)
        status = fill_from(lookup, &key, &value);
    column_fini(&key);
    column_fini(&value);
    return status;
}

static weir_status from_text_file(weir_call *call)
{
    const weir_tensor *name = weir_in(call, 1);
    if (weir_tensor_count(name) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "filename should be a single string, but got shape %s",
                          WEIR_SHAPE_STR(&name->shape));
    weir_str text = weir_tstring_get(name->data);
    if (!text.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "filename cannot be empty.");
    weir_lookup *lookup;
    WEIR_TRY(weir_lookup_fixed_input(call, &lookup));
    WEIR_FREED char *path = weir_strndup(text.at, text.length);
    weir_status status = load(call, lookup, path);
    weir_lookup_release(lookup);
    return status;
}

WEIR_DEFINE_HANDLE_OPS(
    initialize_table_from_text_file, "InitializeTableFromTextFile", "table_handle",
    "; filename: string",
    .attrs = "key_index: int >= -2; value_index: int >= -2; vocab_size: int >= -1 = -1; "
             "delimiter: string = \"\t\"; offset: int = 0",
    .infer = weir_infer_no_outputs, .no_grad = true,
    .kernels = {{WEIR_CPU, "*", from_text_file, WEIR_EXPENSIVE}});
