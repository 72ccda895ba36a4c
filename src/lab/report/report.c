/* lab/report/report.c - a report's parts: made, filled, ended. */
#include "lab/report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cpu.h"
#include "lab/report/report_impl.h"

static char *format(const char *fmt, va_list args)
{
    char small[256];
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, fmt, args);
    char *text = weir_alloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return text;
}

weir_report *weir_report_new(const char *title, const char *subtitle)
{
    weir_report *r = WEIR_NEW(weir_report);
    r->title = weir_strdup(title);
    r->subtitle = weir_strdup(subtitle ? subtitle : "");
    return r;
}

/* ---- text ----------------------------------------------------------------------------------- */

void weir_report_fact(weir_report *r, const char *label, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&r->facts, (fact){weir_strdup(label), format(fmt, args)});
    va_end(args);
}

void weir_report_section(weir_report *r, const char *title)
{
    weir_vec_push(&r->blocks, (block){.kind = BLOCK_SECTION, .text = weir_strdup(title)});
}

void weir_report_text(weir_report *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&r->blocks, (block){.kind = BLOCK_TEXT, .text = format(fmt, args)});
    va_end(args);
}

void weir_report_note(weir_report *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&r->blocks, (block){.kind = BLOCK_NOTE, .text = format(fmt, args)});
    va_end(args);
}

/* The value of the first line of |file| that begins with |key|; "" when there is none. */
static void line_of(const char *file, const char *key, char *out, size_t bytes)
{
    char line[256];
    *out = 0;
    FILE *f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, key, strlen(key)) != 0 || !strchr(line, ':'))
            continue;
        const char *value = strchr(line, ':') + 1;
        value += strspn(value, " \t");
        snprintf(out, bytes, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (f)
        fclose(f);
}

void weir_report_machine(weir_report *r)
{
    char model[128], when[64];
    struct utsname u;
    time_t now = time(NULL);
    line_of("/proc/cpuinfo", "model name", model, sizeof model);
    weir_report_fact(r, "Processor", "%s, %d in use of %ld, loops for %s",
                     *model ? model : "not known", weir_cpu_count(), sysconf(_SC_NPROCESSORS_CONF),
                     weir_isa_name(weir_cpu_isa()));
    weir_report_fact(r, "Memory", "%.1f GB",
                     (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 1e-9);
    if (uname(&u) == 0)
        weir_report_fact(r, "System", "%s %s, %s", u.sysname, u.release, u.machine);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S %z", localtime(&now));
    weir_report_fact(r, "Date", "%s", when);
}

/* ---- tables --------------------------------------------------------------------------------- */

weir_table *weir_report_table(weir_report *r, const char *name, const char *caption)
{
    weir_table *t = WEIR_NEW(weir_table);
    t->name = weir_strdup(name);
    t->caption = weir_strdup(caption ? caption : "");
    weir_vec_push(&r->blocks, (block){.kind = BLOCK_TABLE, .table = t});
    return t;
}

void weir_table_column(weir_table *t, weir_column_kind kind, const char *title, const char *unit)
{
    weir_vec_push(&t->columns, (column){kind, weir_strdup(title), weir_strdup(unit ? unit : "")});
}

void weir_table_text(weir_table *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&t->cells, (cell){.text = format(fmt, args), .number = NAN});
    va_end(args);
}

void weir_table_number(weir_table *t, double value)
{
    weir_vec_push(&t->cells, (cell){.number = value});
}

void weir_table_mark(weir_table *t, int news)
{
    if (t->cells.count)
        t->cells.at[t->cells.count - 1].news = news;
}

/* Three digits of the largest, and two of the smallest as far as the column stays narrow. */
int table_decimals(const weir_table *t, size_t col)
{
    double largest = 0, smallest = INFINITY;
    bool whole = true;
    for (size_t row = 0; row < table_rows(t); row++) {
        const cell *c = table_cell(t, row, col);
        if (!c || c->text || !isfinite(c->number))
            continue;
        double size = fabs(c->number);
        largest = fmax(largest, size);
        smallest = size > 0 ? fmin(smallest, size) : smallest;
        whole = whole && c->number == floor(c->number);
    }
    if (whole)
        return 0;
    if (largest > 1e5 * smallest)
        return -1; /* each as it is */
    int least = largest >= 1000  ? 0
                : largest >= 100 ? 1
                : largest >= 10  ? 2
                : largest >= 0.1 ? 3
                                 : 5;
    int most = largest >= 100 ? 2 : 5;
    int wanted = 1 - (int)floor(log10(smallest));
    wanted = wanted > most ? most : wanted;
    return wanted > least ? wanted : least;
}

/* |decimals| -1: four digits. */
static void add_number(weir_buf *out, double v, int decimals)
{
    int digits = v != 0 ? (int)floor(log10(fabs(v))) + 1 : 1;
    int own = digits >= 4 ? 0 : 4 - digits;
    weir_buf_addf(out, "%.*f", decimals >= 0 ? decimals : own < 8 ? own : 8, v);
}

void table_show(const weir_table *t, size_t row, size_t col, weir_buf *out)
{
    const cell *c = table_cell(t, row, col);
    if (c && c->text)
        weir_buf_adds(out, c->text);
    else if (c && isfinite(c->number))
        add_number(out, c->number, table_decimals(t, col));
}

/* Columns that a terminal shows for UTF-8 text. */
static int shown_width(const char *s)
{
    int width = 0;
    for (; *s; s++)
        width += ((unsigned char)*s & 0xc0) != 0x80;
    return width;
}

static void heading(const column *c, weir_buf *out)
{
    weir_buf_addf(out, "%s%s%s", c->title, *c->unit ? " " : "", c->unit);
}

/* One line of the terminal's table; row -1 is the heading. */
static void print_row(const weir_table *t, long row, const int *widths, weir_buf *out)
{
    for (size_t col = 0; col < t->columns.count; col++) {
        WEIR_BUF(text);
        if (row < 0)
            heading(&t->columns.at[col], &text);
        else
            table_show(t, (size_t)row, col, &text);
        const char *s = text.at ? text.at : "";
        int space = widths[col] - shown_width(s);
        bool left = t->columns.at[col].kind == WEIR_COLUMN_TEXT, last = col + 1 == t->columns.count;
        weir_buf_addf(out, "%s%*s%s", col ? "  " : "", left ? 0 : space, "", s);
        if (left && !last)
            weir_buf_addf(out, "%*s", space, "");
    }
    weir_buf_addc(out, '\n');
}

void weir_table_print(const weir_table *t, weir_buf *out)
{
    int *widths = WEIR_NEW_ARRAY(int, t->columns.count);
    for (size_t col = 0; col < t->columns.count; col++)
        for (long row = -1; row < (long)table_rows(t); row++) {
            WEIR_BUF(text);
            if (row < 0)
                heading(&t->columns.at[col], &text);
            else
                table_show(t, (size_t)row, col, &text);
            int width = text.at ? shown_width(text.at) : 0;
            widths[col] = width > widths[col] ? width : widths[col];
        }
    for (long row = -1; row < (long)table_rows(t); row++)
        print_row(t, row, widths, out);
    weir_free(widths);
}

/* ---- figures -------------------------------------------------------------------------------- */

weir_figure *weir_report_figure(weir_report *r, const char *name, weir_figure_kind kind,
                                const char *caption, const char *x_label)
{
    weir_figure *f = WEIR_NEW(weir_figure);
    f->name = weir_strdup(name);
    f->caption = weir_strdup(caption ? caption : "");
    f->x_label = weir_strdup(x_label ? x_label : "");
    f->kind = kind;
    weir_vec_push(&r->blocks, (block){.kind = BLOCK_FIGURE, .figure = f});
    return f;
}

void weir_figure_category(weir_figure *f, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&f->categories, format(fmt, args));
    va_end(args);
}

void weir_figure_log(weir_figure *f, bool x, bool y)
{
    f->log_x = x;
    f->log_y = y;
}

weir_panel weir_figure_panel(weir_figure *f, const char *title, const char *unit)
{
    weir_vec_push(&f->panels, (panel){weir_strdup(title), weir_strdup(unit ? unit : "")});
    return (weir_panel)f->panels.count - 1;
}

static int colour_of(const weir_figure *f, const char *name)
{
    int next = 0;
    for (size_t i = 0; i < f->series.count; i++) {
        if (strcmp(f->series.at[i].name, name) == 0)
            return f->series.at[i].colour;
        next = f->series.at[i].colour >= next ? f->series.at[i].colour + 1 : next;
    }
    return next;
}

weir_series weir_figure_series(weir_figure *f, weir_panel panel, const char *name, unsigned flags)
{
    int colour = colour_of(f, name);
    weir_vec_push(
        &f->series,
        (series){.name = weir_strdup(name), .panel = panel, .colour = colour, .flags = flags});
    return (weir_series)f->series.count - 1;
}

void weir_figure_point(weir_figure *f, weir_series s, double x, double y)
{
    weir_vec_push(&f->series.at[s].points, (point){x, y});
}

void weir_figure_event(weir_figure *f, double x, const char *label)
{
    weir_vec_push(&f->events, (event){x, weir_strdup(label)});
}

/* ---- the end -------------------------------------------------------------------------------- */

static void free_table(weir_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->columns.count; i++) {
        weir_free(t->columns.at[i].title);
        weir_free(t->columns.at[i].unit);
    }
    for (size_t i = 0; i < t->cells.count; i++)
        weir_free(t->cells.at[i].text);
    weir_vec_fini(&t->columns);
    weir_vec_fini(&t->cells);
    weir_free(t->name);
    weir_free(t->caption);
    weir_free(t);
}

static void free_figure(weir_figure *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->categories.count; i++)
        weir_free(f->categories.at[i]);
    for (size_t i = 0; i < f->panels.count; i++) {
        weir_free(f->panels.at[i].title);
        weir_free(f->panels.at[i].unit);
    }
    for (size_t i = 0; i < f->series.count; i++) {
        weir_free(f->series.at[i].name);
        weir_vec_fini(&f->series.at[i].points);
    }
    for (size_t i = 0; i < f->events.count; i++)
        weir_free(f->events.at[i].label);
    weir_vec_fini(&f->categories);
    weir_vec_fini(&f->panels);
    weir_vec_fini(&f->series);
    weir_vec_fini(&f->events);
    weir_free(f->name);
    weir_free(f->caption);
    weir_free(f->x_label);
    weir_free(f);
}

void weir_report_destroy(weir_report *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->facts.count; i++) {
        weir_free(r->facts.at[i].label);
        weir_free(r->facts.at[i].text);
    }
    for (size_t i = 0; i < r->blocks.count; i++) {
        weir_free(r->blocks.at[i].text);
        free_table(r->blocks.at[i].table);
        free_figure(r->blocks.at[i].figure);
    }
    weir_vec_fini(&r->facts);
    weir_vec_fini(&r->blocks);
    weir_free(r->title);
    weir_free(r->subtitle);
    weir_free(r);
}
