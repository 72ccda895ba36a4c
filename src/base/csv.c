/* base/csv.c - splits lines of CSV into fields. */
#include "base/csv.h"

#include <strings.h>

static void skip(weir_str *rest, size_t count)
{
    *rest = (weir_str){rest->at + count, rest->length - count};
}

/* Copies the text before the closing quote with single quotes for double ones. The buffer has room
 * for the whole line, so it is not reallocated. */
static weir_str unescape(weir_buf *to, weir_str text)
{
    size_t from = to->length;
    for (size_t i = 0; i < text.length; i++) {
        weir_buf_addc(to, text.at[i]);
        i += text.at[i] == '"';
    }
    return (weir_str){to->at + from, to->length - from};
}

/* |rest| begins after the opening quote; on return, after the closing one. */
static bool take_quoted(weir_csv *csv, weir_str *rest)
{
    size_t length = 0;
    bool doubled = false;
    for (; length < rest->length; length++) {
        if (rest->at[length] != '"')
            continue;
        if (length + 1 >= rest->length || rest->at[length + 1] != '"')
            break;
        doubled = true;
        length++;
    }
    if (length >= rest->length)
        return false;
    weir_str field = {rest->at, length};
    weir_vec_push(&csv->fields, doubled ? unescape(&csv->unescaped, field) : field);
    skip(rest, length + 1);
    return true;
}

static weir_str trim(weir_str field)
{
    while (field.length && (field.at[0] == ' ' || field.at[0] == '\t'))
        skip(&field, 1);
    while (field.length && strchr(" \t\r", field.at[field.length - 1]))
        field.length--;
    return field;
}

static size_t length_of_field(const weir_csv *csv, weir_str rest)
{
    const char *end = rest.length ? memchr(rest.at, csv->between, rest.length) : NULL;
    return end ? (size_t)(end - rest.at) : rest.length;
}

static weir_csv_error take_plain(weir_csv *csv, weir_str *rest)
{
    weir_str field = {rest->at, length_of_field(csv, *rest)};
    for (size_t i = 0; csv->strict && !csv->no_quotes && i < field.length; i++)
        if (field.at[i] == '"' || field.at[i] == '\n' || field.at[i] == '\r')
            return WEIR_CSV_BARE_QUOTE;
    weir_vec_push(&csv->fields, csv->strict ? field : trim(field));
    skip(rest, field.length);
    return WEIR_CSV_OK;
}

static weir_csv_error take_field(weir_csv *csv, weir_str *rest)
{
    while (!csv->strict && csv->between != ' ' && rest->length && rest->at[0] == ' ')
        skip(rest, 1);
    if (csv->no_quotes || !rest->length || rest->at[0] != '"')
        return take_plain(csv, rest);
    skip(rest, 1);
    if (!take_quoted(csv, rest))
        return WEIR_CSV_NOT_CLOSED;
    size_t after = length_of_field(csv, *rest);
    if (after && csv->strict)
        return WEIR_CSV_AFTER_QUOTE;
    skip(rest, after);
    return WEIR_CSV_OK;
}

weir_csv_error weir_csv_split(weir_csv *csv, weir_str line)
{
    csv->fields.count = csv->unescaped.length = 0;
    if (csv->strict && line.length == 0)
        return WEIR_CSV_OK;
    weir_buf_reserve(&csv->unescaped, line.length);
    for (;;) {
        weir_csv_error error = take_field(csv, &line);
        if (error || line.length == 0)
            return error;
        skip(&line, 1); /* a separator at the end is followed by one more field, which is empty */
    }
}

void weir_csv_fini(weir_csv *csv)
{
    weir_vec_fini(&csv->fields);
    weir_buf_fini(&csv->unescaped);
}

char weir_csv_guess_between(const char *name, weir_str line)
{
    static const char candidates[] = {',', ';', '\t', '|'};
    size_t length = strlen(name), counts[sizeof candidates] = {0}, best = 0;
    if (length > 4 && strcasecmp(name + length - 4, ".tsv") == 0)
        return '\t';
    for (size_t i = 0; i < line.length; i++)
        for (size_t k = 0; k < sizeof candidates; k++)
            counts[k] += line.at[i] == candidates[k];
    for (size_t k = 1; k < sizeof candidates; k++)
        if (counts[k] > counts[best])
            best = k;
    return candidates[best];
}

void weir_csv_put(weir_buf *out, weir_str text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.length; i++)
        quoted = quoted || memchr(",\"\r\n", text.at[i], 4);
    if (!quoted) {
        weir_buf_add(out, text.at, text.length);
        return;
    }
    weir_buf_addc(out, '"');
    for (size_t i = 0; i < text.length; i++) {
        weir_buf_addc(out, text.at[i]);
        if (text.at[i] == '"')
            weir_buf_addc(out, '"');
    }
    weir_buf_addc(out, '"');
}
