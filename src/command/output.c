/* command/output.c - fields and tables in three forms.
 *
 * A value becomes text at once, in the form of the format; tables keep their cells until they end,
 * as columns are as wide as their widest cell.
 */
#include "command/output.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "wire/json.h"

typedef struct cell {
    char *text;
    const char *key;
    bool right; /* numbers stand right */
} cell;

struct weir_output {
    int format;
    bool records, in_table, any; /* any: something was printed inside the JSON object */
    int tables;                  /* begun so far */
    const char *name;            /* of the current table */
    size_t columns;              /* of it; known when its first row is complete */
    size_t rows;
    WEIR_VEC(cell) fields;
    WEIR_VEC(cell) cells;
};

/* ---- text ---------------------------------------------------------------------------------------
 */

void weir_json_add_real(weir_buf *b, double value, bool single)
{
    char text[40];
    if (isnan(value) || isinf(value)) {
        weir_buf_adds(b, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    for (int digits = single ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    weir_buf_adds(b, text);
}

/* What a terminal would take for a command is shown by its number. */
static void add_plain(weir_buf *b, weir_str text)
{
    for (size_t i = 0, n; i < text.length; i += n) {
        int32_t c = weir_utf8_get((weir_str){text.at + i, text.length - i}, &n);
        if (c == WEIR_UTF8_BAD || c < ' ' || (c >= 0x7f && c < 0xa0))
            weir_buf_addf(b, "\\x%02x", (unsigned char)text.at[i]);
        else
            weir_buf_add(b, text.at + i, n);
    }
}

static void add_csv(weir_buf *b, weir_str text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.length; i++)
        quoted = quoted || strchr(",\"\r\n", text.at[i]);
    if (!quoted) {
        weir_buf_add(b, text.at, text.length);
        return;
    }
    weir_buf_addc(b, '"');
    for (size_t i = 0; i < text.length; i++) {
        weir_buf_addc(b, text.at[i]);
        if (text.at[i] == '"')
            weir_buf_addc(b, '"');
    }
    weir_buf_addc(b, '"');
}

static void add_text(const weir_output *o, weir_buf *b, weir_str text)
{
    weir_buf_reserve(b, 1);
    b->at[b->length] = 0;
    if (o->format == WEIR_OUTPUT_JSON)
        weir_json_put_string(b, text);
    else if (o->format == WEIR_OUTPUT_CSV)
        add_csv(b, text);
    else
        add_plain(b, text);
}

/* ---- values -------------------------------------------------------------------------------------
 */

static void print_field(weir_output *o, const cell *c)
{
    if (o->format == WEIR_OUTPUT_JSON) {
        printf("%s\n  \"%s\": %s", o->any ? "," : "{", c->key, c->text);
    } else {
        char label[64];
        snprintf(label, sizeof label, "%s:", c->key);
        for (char *p = label; *p; p++)
            *p = *p == '_' ? ' ' : *p;
        printf("%-17s %s\n", label, c->text);
    }
    o->any = true;
}

/* Takes |b|. */
static void put(weir_output *o, const char *key, weir_buf *b, bool right)
{
    cell c = {weir_buf_take(b), key, right};
    if (o->in_table) {
        weir_vec_push(&o->cells, c);
        if (o->rows == 1)
            o->columns++;
    } else if (o->format == WEIR_OUTPUT_CSV) {
        weir_vec_push(&o->fields, c);
    } else {
        print_field(o, &c);
        weir_free(c.text);
    }
}

void weir_output_str(weir_output *o, const char *key, weir_str value)
{
    weir_buf b = {0};
    add_text(o, &b, value);
    put(o, key, &b, false);
}

void weir_output_text(weir_output *o, const char *key, const char *value)
{
    if (value)
        weir_output_str(o, key, weir_str_of(value));
    else
        weir_output_null(o, key);
}

void weir_output_null(weir_output *o, const char *key)
{
    weir_buf b = {0};
    weir_buf_adds(&b, o->format == WEIR_OUTPUT_JSON ? "null" : "");
    put(o, key, &b, false);
}

void weir_output_int(weir_output *o, const char *key, int64_t value)
{
    weir_buf b = {0};
    weir_buf_addf(&b, "%lld", (long long)value);
    put(o, key, &b, true);
}

void weir_output_bytes(weir_output *o, const char *key, int64_t value)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double v = (double)value;
    size_t unit = 0;
    weir_buf b = {0};
    if (o->format != WEIR_OUTPUT_TABLE) {
        weir_output_int(o, key, value);
        return;
    }
    for (; v >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        v /= 1000;
    weir_buf_addf(&b,
                  unit == 0 ? "%.0f %s"
                  : v < 10  ? "%.2f %s"
                  : v < 100 ? "%.1f %s"
                            : "%.0f %s",
                  v, units[unit]);
    put(o, key, &b, true);
}

void weir_output_real(weir_output *o, const char *key, double value)
{
    weir_buf b = {0};
    if (o->format == WEIR_OUTPUT_TABLE)
        weir_buf_addf(&b, "%g", value);
    else
        weir_json_add_real(&b, value, false);
    put(o, key, &b, true);
}

void weir_output_bool(weir_output *o, const char *key, bool value)
{
    weir_buf b = {0};
    bool words = o->format != WEIR_OUTPUT_TABLE;
    weir_buf_adds(&b, value ? words ? "true" : "yes" : words ? "false" : "");
    put(o, key, &b, false);
}

void weir_output_dims(weir_output *o, const char *key, int rank, const int64_t *dims)
{
    weir_buf b = {0};
    WEIR_BUF(list);
    if (rank < 0 && o->format == WEIR_OUTPUT_JSON) {
        weir_output_null(o, key);
        return;
    }
    weir_buf_adds(&list, rank < 0 ? "?" : "[");
    for (int i = 0; i < rank; i++) {
        weir_buf_adds(&list, i ? "," : "");
        if (dims[i] < 0 && o->format != WEIR_OUTPUT_JSON)
            weir_buf_addc(&list, '?');
        else
            weir_buf_addf(&list, "%lld", (long long)dims[i]);
    }
    weir_buf_adds(&list, rank < 0 ? "" : "]");
    if (o->format == WEIR_OUTPUT_CSV)
        add_csv(&b, weir_view(&list));
    else
        weir_buf_adds(&b, list.at);
    put(o, key, &b, false);
}

void weir_output_list(weir_output *o, const char *key, const char *const *items, size_t count)
{
    bool json = o->format == WEIR_OUTPUT_JSON;
    weir_buf b = {0};
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
        weir_buf_add(&b, list.at, list.length);
    else
        add_text(o, &b, weir_view(&list));
    put(o, key, &b, false);
}

void weir_output_json(weir_output *o, const char *key, weir_str json)
{
    weir_buf b = {0};
    if (o->format == WEIR_OUTPUT_CSV)
        add_csv(&b, json);
    else
        weir_buf_add(&b, json.at, json.length);
    put(o, key, &b, false);
}

static void end_table(weir_output *o);

void weir_output_remark(weir_output *o, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (o->format == WEIR_OUTPUT_TABLE) {
        end_table(o);
        vprintf(fmt, args);
        putchar('\n');
    }
    va_end(args);
}

/* ---- tables -------------------------------------------------------------------------------------
 */

/* The columns a terminal gives to |text|: its code points. */
static int wide(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
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

static void print_aligned(weir_output *o)
{
    size_t n = o->columns;
    int *widths = WEIR_NEW_ARRAY(int, n);
    bool titled = o->name; /* in a report, where tables stand in from the fields */
    if (titled)
        printf("%s:\n", o->name);
    for (size_t k = 0; k < n; k++)
        widths[k] = (int)strlen(o->cells.at[k].key);
    for (size_t i = 0; i < o->cells.count; i++)
        if (wide(o->cells.at[i].text) > widths[i % n])
            widths[i % n] = wide(o->cells.at[i].text);
    for (size_t k = 0; n > 1 && k < n; k++) /* one column needs no title */
        print_cell(o->cells.at[k].key, widths[k], o->cells.at[k].right, titled && k == 0,
                   k + 1 == n);
    for (size_t i = 0; i < o->cells.count; i++)
        print_cell(o->cells.at[i].text, widths[i % n], o->cells.at[i].right, titled && i % n == 0,
                   (i + 1) % n == 0);
    weir_free(widths);
}

static void print_json(weir_output *o)
{
    const char *indent = o->name ? "    " : "  ";
    if (o->name)
        printf("%s\n  \"%s\": ", o->any ? "," : "{", o->name);
    putchar('[');
    for (size_t i = 0; i < o->cells.count; i++) {
        bool first = i % o->columns == 0, last = (i + 1) % o->columns == 0;
        if (first)
            printf("%s\n%s{", i ? "," : "", indent);
        printf("%s\"%s\": %s%s", first ? "" : ", ", o->cells.at[i].key, o->cells.at[i].text,
               last ? "}" : "");
    }
    printf("%s%s]", o->rows ? "\n" : "", o->rows && o->name ? "  " : "");
    o->any = true;
}

static void print_csv(const weir_output *o)
{
    for (size_t k = 0; k < o->columns; k++)
        printf("%s%s", o->cells.at[k].key, k + 1 == o->columns ? "\r\n" : ",");
    for (size_t i = 0; i < o->cells.count; i++)
        printf("%s%s", o->cells.at[i].text, (i + 1) % o->columns == 0 ? "\r\n" : ",");
}

static void end_table(weir_output *o)
{
    if (!o->in_table)
        return;
    if (o->format == WEIR_OUTPUT_JSON)
        print_json(o);
    else if (o->format == WEIR_OUTPUT_CSV && o->tables == 1)
        print_csv(o);
    else if (o->format == WEIR_OUTPUT_TABLE && o->rows) {
        fputs(o->any ? "\n" : "", stdout);
        print_aligned(o);
        o->any = true;
    }
    for (size_t i = 0; i < o->cells.count; i++)
        weir_free(o->cells.at[i].text);
    o->cells.count = o->columns = o->rows = 0;
    o->in_table = false;
}

weir_output *weir_output_begin(int format)
{
    weir_output *o = WEIR_NEW(weir_output);
    o->format = format;
    return o;
}

void weir_output_table(weir_output *o, const char *name)
{
    end_table(o);
    o->records = o->records || !name;
    o->name = name;
    o->tables++;
    o->in_table = true;
}

void weir_output_row(weir_output *o)
{
    o->rows++;
}

static void print_fields_csv(const weir_output *o)
{
    for (size_t i = 0; i < o->fields.count; i++)
        printf("%s%s", o->fields.at[i].key, i + 1 == o->fields.count ? "\r\n" : ",");
    for (size_t i = 0; i < o->fields.count; i++)
        printf("%s%s", o->fields.at[i].text, i + 1 == o->fields.count ? "\r\n" : ",");
}

void weir_output_end(weir_output *o)
{
    end_table(o);
    if (o->format == WEIR_OUTPUT_JSON)
        fputs(o->records ? "\n" : o->any ? "\n}\n" : "{}\n", stdout);
    if (o->format == WEIR_OUTPUT_CSV && o->tables == 0)
        print_fields_csv(o);
    for (size_t i = 0; i < o->fields.count; i++)
        weir_free(o->fields.at[i].text);
    weir_vec_fini(&o->fields);
    weir_vec_fini(&o->cells);
    weir_free(o);
}
