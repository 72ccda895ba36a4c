/* command/output.c - fields and tables in three forms.
 *
 * A value is formatted when it is added; tables are buffered until they end, as columns are as wide
 * as their widest cell.
 */
#include "command/output.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/json.h"

typedef struct cell {
    char *text;
    const char *key;
    bool right; /* right-aligned, for numbers */
} cell;

struct weir_output {
    int format;
    bool records, in_table, any; /* any: something was printed inside the JSON object */
    int tables;                  /* begun so far */
    const char *name;            /* of the current table */
    const char *header;          /* of it, for CSV without rows; null: unknown */
    size_t columns;              /* of it; known when its first row is complete */
    size_t rows;
    WEIR_VEC(cell) fields;
    WEIR_VEC(cell) cells;
};

/* ---- text ------------------------------------------------------------------------------------ */

void weir_json_add_real(weir_buf *buf, double value, bool single)
{
    char text[40];
    if (isnan(value) || isinf(value)) {
        weir_buf_adds(buf, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    for (int digits = single ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    weir_buf_adds(buf, text);
}

/* Escapes control characters. */
static void add_plain(weir_buf *buf, weir_str text)
{
    for (size_t i = 0, n; i < text.length; i += n) {
        int32_t c = weir_utf8_get((weir_str){text.at + i, text.length - i}, &n);
        if (c == WEIR_UTF8_BAD || c < ' ' || (c >= 0x7f && c < 0xa0))
            weir_buf_addf(buf, "\\x%02x", (unsigned char)text.at[i]);
        else
            weir_buf_add(buf, text.at + i, n);
    }
}

static void add_text(const weir_output *output, weir_buf *buf, weir_str text)
{
    weir_buf_reserve(buf, 1);
    buf->at[buf->length] = 0;
    if (output->format == WEIR_OUTPUT_JSON)
        weir_json_put_string(buf, text);
    else if (output->format == WEIR_OUTPUT_CSV)
        weir_csv_put(buf, text);
    else
        add_plain(buf, text);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void print_field(weir_output *output, const cell *cell)
{
    if (output->format == WEIR_OUTPUT_JSON) {
        printf("%s\n  \"%s\": %s", output->any ? "," : "{", cell->key, cell->text);
    } else {
        char label[64];
        snprintf(label, sizeof label, "%s:", cell->key);
        for (char *cursor = label; *cursor; cursor++)
            *cursor = *cursor == '_' ? ' ' : *cursor;
        printf("%-17s %s\n", label, cell->text);
    }
    output->any = true;
}

/* Takes over |buf|. */
static void put(weir_output *output, const char *key, weir_buf *buf, bool right)
{
    cell cell = {weir_buf_take(buf), key, right};
    if (output->in_table) {
        weir_vec_push(&output->cells, cell);
        if (output->rows == 1)
            output->columns++;
    } else if (output->format == WEIR_OUTPUT_CSV) {
        weir_vec_push(&output->fields, cell);
    } else {
        print_field(output, &cell);
        weir_free(cell.text);
    }
}

void weir_output_str(weir_output *output, const char *key, weir_str value)
{
    weir_buf buf = {0};
    add_text(output, &buf, value);
    put(output, key, &buf, false);
}

void weir_output_text(weir_output *output, const char *key, const char *value)
{
    if (value)
        weir_output_str(output, key, weir_str_of(value));
    else
        weir_output_null(output, key);
}

void weir_output_null(weir_output *output, const char *key)
{
    weir_buf buf = {0};
    weir_buf_adds(&buf, output->format == WEIR_OUTPUT_JSON ? "null" : "");
    put(output, key, &buf, false);
}

void weir_output_int(weir_output *output, const char *key, int64_t value)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "%lld", (long long)value);
    put(output, key, &buf, true);
}

void weir_output_bytes(weir_output *output, const char *key, int64_t value)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double number = (double)value;
    size_t unit = 0;
    weir_buf buf = {0};
    if (output->format != WEIR_OUTPUT_TABLE) {
        weir_output_int(output, key, value);
        return;
    }
    for (; number >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1000;
    weir_buf_addf(&buf,
                  unit == 0      ? "%.0f %s"
                  : number < 10  ? "%.2f %s"
                  : number < 100 ? "%.1f %s"
                                 : "%.0f %s",
                  number, units[unit]);
    put(output, key, &buf, true);
}

void weir_output_real(weir_output *output, const char *key, double value)
{
    weir_buf buf = {0};
    if (output->format == WEIR_OUTPUT_TABLE)
        weir_buf_addf(&buf, "%g", value);
    else if (output->format == WEIR_OUTPUT_JSON && !isfinite(value))
        weir_buf_adds(&buf, "null"); /* JSON has no word for it */
    else
        weir_json_add_real(&buf, value, false);
    put(output, key, &buf, true);
}

void weir_output_figure(weir_output *output, const char *key, double value)
{
    if (isnan(value))
        weir_output_null(output, key);
    else
        weir_output_real(output, key, value);
}

void weir_output_bool(weir_output *output, const char *key, bool value)
{
    weir_buf buf = {0};
    bool words = output->format != WEIR_OUTPUT_TABLE;
    weir_buf_adds(&buf, value ? words ? "true" : "yes" : words ? "false" : "");
    put(output, key, &buf, false);
}

void weir_output_dims(weir_output *output, const char *key, int rank, const int64_t *dims)
{
    weir_buf buf = {0};
    WEIR_BUF(list);
    if (rank < 0 && output->format == WEIR_OUTPUT_JSON) {
        weir_output_null(output, key);
        return;
    }
    weir_buf_adds(&list, rank < 0 ? "?" : "[");
    for (int i = 0; i < rank; i++) {
        weir_buf_adds(&list, i ? "," : "");
        if (dims[i] < 0 && output->format != WEIR_OUTPUT_JSON)
            weir_buf_addc(&list, '?');
        else
            weir_buf_addf(&list, "%lld", (long long)dims[i]);
    }
    weir_buf_adds(&list, rank < 0 ? "" : "]");
    if (output->format == WEIR_OUTPUT_CSV)
        weir_csv_put(&buf, weir_view(&list));
    else
        weir_buf_adds(&buf, list.at);
    put(output, key, &buf, false);
}

void weir_output_list(weir_output *output, const char *key, const char *const *items, size_t count)
{
    bool json = output->format == WEIR_OUTPUT_JSON;
    weir_buf buf = {0};
    WEIR_BUF(list);
    weir_buf_adds(&list, json ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        weir_buf_adds(&list, i ? ", " : "");
        if (json)
            weir_json_put_string(&list, weir_str_of(items[i]));
        else
            weir_buf_adds(&list, items[i]);
    }
    weir_buf_adds(&list, json ? "]" : "");
    if (json)
        weir_buf_add(&buf, list.at, list.length);
    else
        add_text(output, &buf, weir_view(&list));
    put(output, key, &buf, false);
}

void weir_output_json(weir_output *output, const char *key, weir_str json)
{
    weir_buf buf = {0};
    if (output->format == WEIR_OUTPUT_CSV)
        weir_csv_put(&buf, json);
    else
        weir_buf_add(&buf, json.at, json.length);
    put(output, key, &buf, false);
}

static void end_table(weir_output *output);

void weir_output_remark(weir_output *output, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (output->format == WEIR_OUTPUT_TABLE) {
        end_table(output);
        vprintf(fmt, args);
        putchar('\n');
    }
    va_end(args);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Width of |text| on a terminal: its code points. */
static int wide(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void print_cell(const char *text, int width, bool right, bool first, bool last)
{
    int pad = width - wide(text);
    fputs(first ? "  " : "", stdout);
    if (right)
        printf("%*s%s", pad, "", text);
    else
        printf("%s%*s", text, last ? 0 : pad, "");
    fputs(last ? "\n" : "  ", stdout);
}

static void print_aligned(weir_output *output)
{
    size_t count = output->columns;
    WEIR_FREED int *widths = WEIR_NEW_ARRAY(int, count);
    bool titled = output->name; /* in a report, tables are indented */
    if (titled)
        printf("%s:\n", output->name);
    for (size_t k = 0; k < count; k++)
        widths[k] = (int)strlen(output->cells.at[k].key);
    for (size_t i = 0; i < output->cells.count; i++)
        if (wide(output->cells.at[i].text) > widths[i % count])
            widths[i % count] = wide(output->cells.at[i].text);
    for (size_t k = 0; count > 1 && k < count; k++) /* a single column needs no title */
        print_cell(output->cells.at[k].key, widths[k], output->cells.at[k].right, titled && k == 0,
                   k + 1 == count);
    for (size_t i = 0; i < output->cells.count; i++)
        print_cell(output->cells.at[i].text, widths[i % count], output->cells.at[i].right,
                   titled && i % count == 0, (i + 1) % count == 0);
}

static void print_json(weir_output *output)
{
    const char *indent = output->name ? "    " : "  ";
    if (output->name)
        printf("%s\n  \"%s\": ", output->any ? "," : "{", output->name);
    putchar('[');
    for (size_t i = 0; i < output->cells.count; i++) {
        bool first = i % output->columns == 0, last = (i + 1) % output->columns == 0;
        if (first)
            printf("%s\n%s{", i ? "," : "", indent);
        printf("%s\"%s\": %s%s", first ? "" : ", ", output->cells.at[i].key,
               output->cells.at[i].text, last ? "}" : "");
    }
    printf("%s%s]", output->rows ? "\n" : "", output->rows && output->name ? "  " : "");
    output->any = true;
}

static void print_csv(const weir_output *output)
{
    if (!output->rows && output->header)
        printf("%s\r\n", output->header);
    for (size_t k = 0; k < output->columns; k++)
        printf("%s%s", output->cells.at[k].key, k + 1 == output->columns ? "\r\n" : ",");
    for (size_t i = 0; i < output->cells.count; i++)
        printf("%s%s", output->cells.at[i].text, (i + 1) % output->columns == 0 ? "\r\n" : ",");
}

static void end_table(weir_output *output)
{
    if (!output->in_table)
        return;
    if (output->format == WEIR_OUTPUT_JSON)
        print_json(output);
    else if (output->format == WEIR_OUTPUT_CSV && output->tables == 1)
        print_csv(output);
    else if (output->format == WEIR_OUTPUT_TABLE && output->rows) {
        fputs(output->any ? "\n" : "", stdout);
        print_aligned(output);
        output->any = true;
    }
    for (size_t i = 0; i < output->cells.count; i++)
        weir_free(output->cells.at[i].text);
    output->cells.count = output->columns = output->rows = 0;
    output->in_table = false;
}

weir_output *weir_output_begin(int format)
{
    weir_output *output = WEIR_NEW(weir_output);
    output->format = format;
    return output;
}

void weir_output_table(weir_output *output, const char *name)
{
    end_table(output);
    output->records = output->records || !name;
    output->name = name;
    output->header = NULL;
    output->tables++;
    output->in_table = true;
}

void weir_output_columns(weir_output *output, const char *columns)
{
    output->header = columns;
}

void weir_output_row(weir_output *output)
{
    output->rows++;
}

static void print_fields_csv(const weir_output *output)
{
    for (size_t i = 0; i < output->fields.count; i++)
        printf("%s%s", output->fields.at[i].key, i + 1 == output->fields.count ? "\r\n" : ",");
    for (size_t i = 0; i < output->fields.count; i++)
        printf("%s%s", output->fields.at[i].text, i + 1 == output->fields.count ? "\r\n" : ",");
}

void weir_output_end(weir_output *output)
{
    end_table(output);
    if (output->format == WEIR_OUTPUT_JSON)
        fputs(output->records ? "\n" : output->any ? "\n}\n" : "{}\n", stdout);
    if (output->format == WEIR_OUTPUT_CSV && output->tables == 0)
        print_fields_csv(output);
    for (size_t i = 0; i < output->fields.count; i++)
        weir_free(output->fields.at[i].text);
    weir_vec_fini(&output->fields);
    weir_vec_fini(&output->cells);
    weir_free(output);
}
