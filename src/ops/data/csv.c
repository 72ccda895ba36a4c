/* ops/data/csv.c - CSVDataset: the records of text files, one tensor per column. */
#include <inttypes.h>

#include "base/csv.h"
#include "base/number.h"
#include "io/stream.h"
#include "ops/common/strs.h"
#include "ops/data/data_impl.h"

typedef struct table {
    weir_dataset base;
    weir_tensor names;     /* of files */
    weir_tensor *defaults; /* per column; empty: required */
    weir_packing packing;
    bool header, quotes;
    char between;
    char *na;
    WEIR_VEC(int64_t) selected, excluded; /* columns */
} table;

typedef struct table_iterator {
    weir_iterator base;
    int64_t file; /* next */
    weir_stream *stream;
    weir_buf line, record;
    weir_csv csv;
} table_iterator;

static const table *of(const table_iterator *iterator)
{
    return (const table *)iterator->base.dataset;
}

static void fini(weir_dataset *dataset)
{
    table *this_table = (table *)dataset;
    weir_tensor_release(&this_table->names);
    weir_element_destroy(this_table->defaults, dataset->count);
    weir_free(this_table->na);
    weir_vec_fini(&this_table->selected);
    weir_vec_fini(&this_table->excluded);
}

static void fini_iterator(weir_iterator *it)
{
    table_iterator *iterator = (table_iterator *)it;
    weir_stream_destroy(iterator->stream);
    weir_buf_fini(&iterator->line);
    weir_buf_fini(&iterator->record);
    weir_csv_fini(&iterator->csv);
}

/* ---- records --------------------------------------------------------------------------------- */

static bool quote_is_open(weir_str text)
{
    bool open = false;
    for (size_t i = 0; i < text.length; i++)
        open ^= text.at[i] == '"';
    return open;
}

/* A record is a line, or several if a quote is open at the end of one. */
static weir_status read_record(table_iterator *iterator)
{
    iterator->record.length = 0;
    for (bool open = true; open;) {
        WEIR_TRY(weir_stream_line(iterator->stream, &iterator->line));
        if (iterator->record.length)
            weir_buf_addc(&iterator->record, '\n');
        weir_buf_add(&iterator->record, iterator->line.at, iterator->line.length);
        open = of(iterator)->quotes && quote_is_open(weir_view(&iterator->record));
    }
    return WEIR_OK;
}

static weir_status open_next(table_iterator *iterator)
{
    WEIR_FREED char *path = weir_str_copy_at(&of(iterator)->names, iterator->file++);
    WEIR_TRY(weir_stream_open(path, of(iterator)->packing, 0, &iterator->stream));
    return of(iterator)->header ? read_record(iterator) : WEIR_OK;
}

/* Reads the next record, advancing to the next file at the end of one. */
static weir_status advance(table_iterator *iterator, bool *out_end)
{
    while (iterator->stream || iterator->file < weir_tensor_count(&of(iterator)->names)) {
        weir_status status = iterator->stream ? WEIR_OK : open_next(iterator);
        if (!status)
            status = read_record(iterator);
        if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
            return status;
        weir_status_free(status);
        weir_stream_destroy(iterator->stream);
        iterator->stream = NULL;
        if (iterator->record.length)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Reached end of file without closing quoted field in record");
    }
    *out_end = true;
    return WEIR_OK;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static weir_status cut(table_iterator *iterator)
{
    static const char *const errors[] = {
        [WEIR_CSV_NOT_CLOSED] = "Quoted field has to end with quote followed by delim, CRLF, or "
                                "EOF",
        [WEIR_CSV_AFTER_QUOTE] = "Quote inside a string has to be escaped by another quote",
        [WEIR_CSV_BARE_QUOTE] = "Unquoted fields cannot have quotes inside",
    };
    iterator->csv.between = of(iterator)->between;
    iterator->csv.no_quotes = !of(iterator)->quotes;
    iterator->csv.strict = true;
    weir_csv_error error = weir_csv_split(&iterator->csv, weir_view(&iterator->record));
    return error ? weir_error(WEIR_INVALID_ARGUMENT, "%s", errors[error]) : WEIR_OK;
}

static bool excludes(const table *table, int64_t column)
{
    for (size_t i = 0; i < table->excluded.count; i++)
        if (table->excluded.at[i] == column)
            return true;
    return false;
}

/* Keeps only the selected columns. */
static void choose(const table *table, weir_fields *fields)
{
    size_t kept = 0;
    for (size_t i = 0; table->selected.count && i < table->selected.count; i++)
        if ((size_t)table->selected.at[i] < fields->count)
            fields->at[kept++] = fields->at[table->selected.at[i]];
    for (size_t i = 0; !table->selected.count && i < fields->count; i++)
        if (!excludes(table, (int64_t)i))
            fields->at[kept++] = fields->at[i];
    fields->count = kept;
}

static bool parse(weir_str text, weir_tensor *out)
{
    int64_t wide;
    switch (out->dtype) {
    case WEIR_INT32:
        if (!weir_parse_i64(text, &wide) || wide < INT32_MIN || wide > INT32_MAX)
            return false;
        *(int32_t *)out->data = (int32_t)wide;
        return true;
    case WEIR_INT64:
        return weir_parse_i64(text, out->data);
    case WEIR_FLOAT:
        return weir_parse_f32(text, out->data);
    case WEIR_DOUBLE:
        return weir_parse_f64(text, out->data);
    default:
        weir_str_put(out, 0, text);
        return true;
    }
}

static weir_status put_field(const table *table, weir_str text, int column, weir_tensor *out)
{
    const weir_tensor *otherwise = &table->defaults[column];
    if (!text.length || weir_str_is(text, table->na)) {
        if (weir_tensor_count(otherwise) != 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "Field %d is required but missing in record!",
                              column);
        WEIR_TRY(weir_tensor_alloc(otherwise->dtype, &WEIR_SCALAR, out));
        weir_elements_copy(otherwise->dtype, out->data, otherwise->data, 1);
        return WEIR_OK;
    }
    WEIR_TRY(weir_tensor_alloc(table->base.types[column], &WEIR_SCALAR, out));
    if (!parse(text, out))
        return weir_error(WEIR_INVALID_ARGUMENT, "Field %d in record is not a valid %s: %.*s",
                          column, weir_dtype_name(table->base.types[column]), WEIR_STR_ARG(text));
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    table_iterator *iterator = (table_iterator *)it;
    WEIR_TRY(advance(iterator, out_end));
    if (*out_end)
        return WEIR_OK;
    WEIR_TRY(cut(iterator));
    choose(of(iterator), &iterator->csv.fields);
    if (iterator->csv.fields.count != (size_t)it->dataset->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expect %d fields but have %zu in record",
                          it->dataset->count, iterator->csv.fields.count);
    for (int i = 0; i < it->dataset->count; i++)
        WEIR_TRY(put_field(of(iterator), iterator->csv.fields.at[i], i, &out[i]));
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "CSV",
    .bytes = sizeof(table),
    .iterator_bytes = sizeof(table_iterator),
    .next = next,
    .fini = fini,
    .fini_iterator = fini_iterator,
};

/* ---- the op ---------------------------------------------------------------------------------- */

static weir_status read_packing(weir_call *call, table *table)
{
    weir_str name = {"", 0};
    WEIR_TRY(weir_data_string(call, "compression_type", &name));
    bool gzip = weir_str_is(name, "GZIP"), zlib = weir_str_is(name, "ZLIB");
    if (name.length && !gzip && !zlib)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported compression_type: %.*s.",
                          WEIR_STR_ARG(name));
    table->packing = gzip ? WEIR_PACKING_GZIP : zlib ? WEIR_PACKING_ZLIB : WEIR_PACKING_NONE;
    return WEIR_OK;
}

static weir_status read_between(weir_call *call, table *table)
{
    weir_str between = {",", 1}, na = {"", 0};
    WEIR_TRY(weir_data_string(call, "field_delim", &between));
    if (between.length != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "field_delim should be only 1 char");
    WEIR_TRY(weir_data_string(call, "na_value", &na));
    table->between = between.at[0];
    table->na = weir_strndup(na.at, na.length);
    return WEIR_OK;
}

static weir_status read_columns(weir_call *call, table *table)
{
    const weir_tensor *selected = weir_data_in(call, "select_cols"),
                      *excluded = weir_data_in(call, "exclude_cols");
    for (int64_t i = 0; i < weir_tensor_count(selected); i++)
        weir_vec_push(&table->selected, ((const int64_t *)selected->data)[i]);
    for (int64_t i = 0; excluded && i < weir_tensor_count(excluded); i++)
        weir_vec_push(&table->excluded, ((const int64_t *)excluded->data)[i]);
    if (table->selected.count && table->excluded.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Either select_cols or exclude_cols should be empty");
    if (table->selected.count && table->selected.count != (size_t)table->base.count)
        return weir_error(WEIR_INVALID_ARGUMENT, "select_cols should match output size");
    for (size_t i = 0; i < table->selected.count; i++)
        if (table->selected.at[i] < 0 || (i && table->selected.at[i] <= table->selected.at[i - 1]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              table->selected.at[i] < 0
                                  ? "select_cols should be non-negative indices"
                                  : "select_cols should be strictly increasing indices");
    return WEIR_OK;
}

static weir_status read_defaults(weir_call *call, table *table)
{
    weir_range range = weir_data_range(call, "record_defaults");
    table->defaults = weir_element_create(table->base.count);
    for (int i = 0; i < range.count; i++) {
        const weir_tensor *tensor = weir_in(call, range.start + i);
        if (tensor->shape.rank > 1 || weir_tensor_count(tensor) > 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "There should only be 1 default per field but field %d has %" PRId64,
                              i, weir_tensor_count(tensor));
        table->defaults[i] = weir_tensor_share(tensor);
    }
    return WEIR_OK;
}

static weir_status fill(weir_call *call, table *table)
{
    const weir_tensor *names = weir_data_in(call, "filenames");
    if (names->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "`filenames` must be a scalar or a vector.");
    int64_t room = 1;
    WEIR_TRY(weir_data_int(call, "buffer_size", &room));
    if (room <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "buffer_size should be positive");
    table->names = weir_tensor_share(names);
    WEIR_TRY(read_defaults(call, table));
    WEIR_TRY(read_packing(call, table));
    WEIR_TRY(weir_data_bool(call, "header", &table->header));
    WEIR_TRY(weir_data_bool(call, "use_quote_delim", &table->quotes));
    WEIR_TRY(read_between(call, table));
    return read_columns(call, table);
}

static weir_status make(weir_call *call)
{
    table *made;
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    weir_status status = fill(call, made);
    if (status)
        weir_dataset_release(&made->base);
    else
        weir_dataset_output(call, &made->base);
    return status;
}

#define IN                                                                                         \
    "filenames: string; compression_type: string; buffer_size: int64; header: bool; "              \
    "field_delim: string; use_quote_delim: bool; na_value: string; select_cols: int64; "           \
    "record_defaults: output_types"
#define ATTRS                                                                                      \
    "output_types: list({float, double, int32, int64, string}) >= 1; "                             \
    "output_shapes: list(shape) >= 1"

WEIR_DATASET_OP(csv_dataset, "CSVDataset", IN, ATTRS, WEIR_STATEFUL, make);
WEIR_DATASET_OP(csv_dataset_v2, "CSVDatasetV2", IN "; exclude_cols: int64", ATTRS, WEIR_STATEFUL,
                make);
WEIR_DATASET_OP(experimental_csv_dataset, "ExperimentalCSVDataset", IN, ATTRS, WEIR_STATEFUL, make);
