/* ops/parsing/decode_csv.c - DecodeCSV: parses lines into one tensor per column. */
#include <inttypes.h>

#include "base/csv.h"
#include "base/number.h"
#include "ops/common/strs.h"

enum { OUT_TYPES, FIELD_DELIM, QUOTES, NA_VALUE, SELECT_COLS };

static weir_status infer(weir_infer *i)
{
    for (int in = 1; in < i->in_count; in++) {
        const weir_shape *d = i->in[in];
        WEIR_TRY(weir_infer_rank_at_most(i, in, 1));
        if (d->rank == 1 && d->dims[0] > 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape of a default must be a length-0 or length-1 vector, or a "
                              "scalar.");
    }
    for (int o = 0; o < i->out_count; o++)
        i->out[o] = *i->in[0];
    return WEIR_OK;
}

static weir_status cut(weir_csv *csv, weir_str record)
{
    static const char *const errors[] = {
        [WEIR_CSV_NOT_CLOSED] = "Quoted field has to end with quote followed by delim or end",
        [WEIR_CSV_AFTER_QUOTE] = "Quote inside a string has to be escaped by another quote",
        [WEIR_CSV_BARE_QUOTE] = "Unquoted fields cannot have quotes/CRLFs inside",
    };
    weir_csv_error error = weir_csv_split(csv, record);
    return error ? weir_error(WEIR_INVALID_ARGUMENT, "%s", errors[error]) : WEIR_OK;
}

/* Keeps only the selected columns. */
static void select(weir_fields *fields, const weir_attr *columns)
{
    size_t n = 0;
    for (int i = 0; i < columns->count; i++)
        if ((size_t)columns->is[i] < fields->count)
            fields->at[n++] = fields->at[columns->is[i]];
    fields->count = n;
}

static bool parse(weir_str s, weir_tensor *out, int64_t i)
{
    int64_t wide;
    switch (out->dtype) {
    case WEIR_INT32:
        if (!weir_parse_i64(s, &wide) || wide < INT32_MIN || wide > INT32_MAX)
            return false;
        ((int32_t *)out->data)[i] = (int32_t)wide;
        return true;
    case WEIR_INT64:
        return weir_parse_i64(s, (int64_t *)out->data + i);
    case WEIR_FLOAT:
        return weir_parse_f32(s, (float *)out->data + i);
    case WEIR_DOUBLE:
        return weir_parse_f64(s, (double *)out->data + i);
    default:
        weir_str_put(out, i, s);
        return true;
    }
}

static weir_status put_field(weir_call *c, weir_str s, int field, int64_t record)
{
    const weir_tensor *otherwise = weir_in(c, 1 + field);
    weir_tensor *out = weir_out(c, field);
    weir_str na = weir_site_str(c->site, NA_VALUE);
    if (s.length == 0 || weir_str_eq(s, na)) {
        if (weir_tensor_count(otherwise) != 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Field %d is required but missing in record %" PRId64 "!", field,
                              record);
        size_t size = weir_dtype_size(out->dtype);
        weir_elements_copy(out->dtype, (char *)out->data + (size_t)record * size, otherwise->data,
                           1);
        return WEIR_OK;
    }
    if (!parse(s, out, record))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Field %d in record %" PRId64 " is not a valid %s: %.*s", field, record,
                          weir_dtype_name(out->dtype), WEIR_STR_ARG(s));
    return WEIR_OK;
}

static weir_status check_attrs(const weir_site *s)
{
    const weir_attr *columns = weir_site_list(s, SELECT_COLS);
    if (weir_site_str(s, FIELD_DELIM).length != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "field_delim should be only 1 char");
    if (columns->count && columns->count != s->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "select_cols should match output size");
    for (int i = 0; i < columns->count; i++)
        if (columns->is[i] < 0 || (i && columns->is[i] <= columns->is[i - 1]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "select_cols should be strictly increasing indices");
    return WEIR_OK;
}

static weir_status decode_records(weir_call *c, weir_csv *csv)
{
    const weir_tensor *records = weir_in(c, 0);
    const weir_attr *columns = weir_site_list(c->site, SELECT_COLS);
    weir_fields *fields = &csv->fields;
    for (int64_t r = 0; r < weir_tensor_count(records); r++) {
        WEIR_TRY(cut(csv, weir_str_at(records, r)));
        if (columns->count)
            select(fields, columns);
        if ((int)fields->count != c->site->out_count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expect %d fields but have %zu in record %" PRId64,
                              c->site->out_count, fields->count, r);
        for (int k = 0; k < c->site->out_count; k++)
            WEIR_TRY(put_field(c, fields->at[k], k, r));
    }
    return WEIR_OK;
}

static weir_status decode_csv(weir_call *c)
{
    WEIR_TRY(check_attrs(c->site));
    weir_csv csv = {.between = weir_site_str(c->site, FIELD_DELIM).at[0],
                    .no_quotes = !weir_site_bool(c->site, QUOTES),
                    .strict = true};
    weir_status status = decode_records(c, &csv);
    weir_csv_fini(&csv);
    return status;
}

const weir_op weir_op_decode_csv = {
    .name = "DecodeCSV",
    .in = "records: string; record_defaults: OUT_TYPE",
    .out = "output: OUT_TYPE",
    .attrs = "OUT_TYPE: list({float, double, int32, int64, string}) >= 1; field_delim: string = "
             "\",\"; use_quote_delim: bool = true; na_value: string = \"\"; select_cols: list(int) "
             "= []",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_csv}},
};
