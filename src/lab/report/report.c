/* lab/report/report.c - builds the parts of a report. */
#include "lab/report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cpu.h"
#include "command/output.h"
#include "command/terminal.h"
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
    weir_report *report = WEIR_NEW(weir_report);
    report->title = weir_strdup(title);
    report->subtitle = weir_strdup(subtitle ? subtitle : "");
    return report;
}

/* ---- text ------------------------------------------------------------------------------------ */

void weir_report_fact(weir_report *report, const char *label, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&report->facts, (fact){weir_strdup(label), format(fmt, args)});
    va_end(args);
}

void weir_report_section(weir_report *report, const char *title)
{
    weir_vec_push(&report->blocks, (block){.kind = BLOCK_SECTION, .text = weir_strdup(title)});
}

void weir_report_text(weir_report *report, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&report->blocks, (block){.kind = BLOCK_TEXT, .text = format(fmt, args)});
    va_end(args);
}

void weir_report_note(weir_report *report, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&report->blocks, (block){.kind = BLOCK_NOTE, .text = format(fmt, args)});
    va_end(args);
}

/* The value in the first line of |file| that starts with |key|; "" if there is none. */
static void line_of(const char *file, const char *key, char *out, size_t bytes)
{
    char line[256];
    *out = 0;
    FILE *stream = fopen(file, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        if (strncmp(line, key, strlen(key)) != 0 || !strchr(line, ':'))
            continue;
        const char *value = strchr(line, ':') + 1;
        value += strspn(value, " \t");
        snprintf(out, bytes, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (stream)
        fclose(stream);
}

void weir_report_machine(weir_report *report)
{
    char model[128], when[64];
    struct utsname system;
    time_t now = time(NULL);
    double load[3] = {0};
    line_of("/proc/cpuinfo", "model name", model, sizeof model);
    weir_report_fact(report, "Weir", "version %s%s%s", WEIR_VERSION,
                     *WEIR_COMMIT ? ", commit " : "", WEIR_COMMIT);
    weir_report_fact(report, "Processor", "%s, %d in use of %ld, loops for %s",
                     *model ? model : "not known", weir_cpu_count(), sysconf(_SC_NPROCESSORS_CONF),
                     weir_isa_name(weir_cpu_isa()));
    weir_report_fact(report, "Memory", "%.1f GB",
                     (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 1e-9);
    if (getloadavg(load, 3) == 3)
        weir_report_fact(report, "Load", "%.2f over one minute, %.2f over fifteen, at the end",
                         load[0], load[2]);
    if (uname(&system) == 0)
        weir_report_fact(report, "System", "%s %s, %s", system.sysname, system.release,
                         system.machine);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S %z", localtime(&now));
    weir_report_fact(report, "Date", "%s", when);
}

/* ---- tables ---------------------------------------------------------------------------------- */

weir_table *weir_report_table(weir_report *report, const char *name, const char *caption)
{
    weir_table *table = WEIR_NEW(weir_table);
    table->name = weir_strdup(name);
    table->caption = weir_strdup(caption ? caption : "");
    weir_vec_push(&report->blocks, (block){.kind = BLOCK_TABLE, .table = table});
    return table;
}

void weir_table_column(weir_table *table, weir_column_kind kind, const char *title,
                       const char *unit)
{
    weir_vec_push(&table->columns,
                  (column){kind, weir_strdup(title), weir_strdup(unit ? unit : "")});
}

void weir_table_text(weir_table *table, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&table->cells, (cell){.text = format(fmt, args), .number = NAN});
    va_end(args);
}

void weir_table_number(weir_table *table, double value)
{
    weir_vec_push(&table->cells, (cell){.number = value});
}

void weir_table_mark(weir_table *table, int news)
{
    if (table->cells.count)
        table->cells.at[table->cells.count - 1].news = news;
}

/* Three digits for the largest value, and two for the smallest if the column stays narrow. */
int table_decimals(const weir_table *table, size_t col)
{
    double largest = 0, smallest = INFINITY;
    bool whole = true;
    for (size_t row = 0; row < table_rows(table); row++) {
        const cell *cell = table_cell(table, row, col);
        if (!cell || cell->text || !isfinite(cell->number))
            continue;
        double size = fabs(cell->number);
        largest = fmax(largest, size);
        smallest = size > 0 ? fmin(smallest, size) : smallest;
        whole = whole && cell->number == floor(cell->number);
    }
    if (whole)
        return 0;
    if (largest > 1e5 * smallest)
        return -1; /* each number's own */
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
static void add_number(weir_buf *out, double value, int decimals)
{
    int digits = value != 0 ? (int)floor(log10(fabs(value))) + 1 : 1;
    int own = digits >= 4 ? 0 : 4 - digits;
    weir_buf_addf(out, "%.*f", decimals >= 0 ? decimals : own < 8 ? own : 8, value);
}

void table_show(const weir_table *table, size_t row, size_t col, weir_buf *out)
{
    const cell *cell = table_cell(table, row, col);
    if (cell && cell->text)
        weir_buf_adds(out, cell->text);
    else if (cell && isfinite(cell->number))
        add_number(out, cell->number, table_decimals(table, col));
}

/* Display width of UTF-8 text in a terminal. */
static int shown_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void heading(const column *column, weir_buf *out)
{
    const char *whose = report_column_kind(column->kind)->whose;
    const char *title = *column->title ? column->title : "to"; /* the end of the range before it */
    weir_buf_addf(out, "%s%s%s%s%s", whose, *whose ? " " : "", title, *column->unit ? " " : "",
                  column->unit);
}

/* What stands there; row -1 is the heading. Returns its width. */
static int show(const weir_table *table, long row, size_t col, weir_buf *out)
{
    if (row < 0)
        heading(&table->columns.at[col], out);
    else
        table_show(table, (size_t)row, col, out);
    weir_buf_addc(out, 0);
    return shown_width(out->at);
}

static void print_padded(const weir_table *table, long row, size_t col, int width, bool left,
                         weir_buf *out)
{
    WEIR_BUF(text);
    int space = width - show(table, row, col, &text);
    weir_buf_addf(out, "%*s%s%*s", left ? 0 : space, "", text.at, left ? space : 0, "");
}

static void end_line(weir_buf *out)
{
    while (out->length && out->at[out->length - 1] == ' ')
        out->length--;
    weir_buf_addc(out, '\n');
}

static void print_rows(const weir_table *table, const int *widths, weir_buf *out)
{
    for (long row = -1; row < (long)table_rows(table); row++) {
        for (size_t col = 0; col < table->columns.count; col++) {
            weir_buf_adds(out, col ? "  " : "");
            print_padded(table, row, col, widths[col],
                         table->columns.at[col].kind == WEIR_COLUMN_TEXT, out);
        }
        end_line(out);
    }
}

static int widest_of_row(const weir_table *table, long row)
{
    int widest = 0;
    for (size_t col = 0; col < table->columns.count; col++) {
        WEIR_BUF(text);
        int width = show(table, row, col, &text);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* For narrow terminals: a line for each column, and in it as many rows as fit; then the others. */
static void print_turned(const weir_table *table, int columns, weir_buf *out)
{
    long rows = (long)table_rows(table), end = 0;
    int head = widest_of_row(table, -1);
    for (long from = 0; from < rows; from = end) {
        int used = head + 2 + widest_of_row(table, from);
        for (end = from + 1; end < rows; end++) {
            used += 2 + widest_of_row(table, end);
            if (used > columns)
                break;
        }
        weir_buf_adds(out, from ? "\n" : "");
        for (size_t col = 0; col < table->columns.count; col++) {
            print_padded(table, -1, col, head, true, out);
            for (long row = from; row < end; row++) {
                weir_buf_adds(out, "  ");
                print_padded(table, row, col, widest_of_row(table, row), false, out);
            }
            end_line(out);
        }
    }
}

void weir_table_print(const weir_table *table, int columns, weir_buf *out)
{
    WEIR_FREED int *widths = WEIR_NEW_ARRAY(int, table->columns.count);
    int all = -2;
    for (size_t col = 0; col < table->columns.count; col++) {
        for (long row = -1; row < (long)table_rows(table); row++) {
            WEIR_BUF(text);
            int width = show(table, row, col, &text);
            widths[col] = width > widths[col] ? width : widths[col];
        }
        all += 2 + widths[col];
    }
    if (columns && all > columns && table_rows(table))
        print_turned(table, columns, out);
    else
        print_rows(table, widths, out);
}

static void print_tables(const weir_report *report, weir_buf *out)
{
    for (size_t i = 0; i < report->blocks.count; i++) {
        if (report->blocks.at[i].kind != BLOCK_TABLE)
            continue;
        if (out->length)
            weir_buf_adds(out, "\n");
        weir_table_print(report->blocks.at[i].table, weir_terminal_columns(stdout), out);
    }
}

static void print_csv(const weir_report *report, weir_buf *out)
{
    for (size_t i = 0; i < report->blocks.count; i++)
        if (report->blocks.at[i].kind == BLOCK_TABLE) {
            report_table_csv(report->blocks.at[i].table, out);
            return;
        }
}

void weir_report_print(const weir_report *report, int format, weir_buf *out)
{
    static void (*const forms[])(const weir_report *, weir_buf *) = {
        [WEIR_OUTPUT_TABLE] = print_tables,
        [WEIR_OUTPUT_JSON] = report_json,
        [WEIR_OUTPUT_CSV] = print_csv,
    };
    forms[format](report, out);
}

/* ---- figures --------------------------------------------------------------------------------- */

weir_figure *weir_report_figure(weir_report *report, const char *name, weir_figure_kind kind,
                                const char *caption, const char *x_label)
{
    weir_figure *figure = WEIR_NEW(weir_figure);
    figure->name = weir_strdup(name);
    figure->caption = weir_strdup(caption ? caption : "");
    figure->x_label = weir_strdup(x_label ? x_label : "");
    figure->kind = kind;
    weir_vec_push(&report->blocks, (block){.kind = BLOCK_FIGURE, .figure = figure});
    return figure;
}

void weir_figure_category(weir_figure *figure, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_vec_push(&figure->categories, format(fmt, args));
    va_end(args);
}

void weir_figure_log(weir_figure *figure, bool x, bool y)
{
    figure->log_x = x;
    figure->log_y = y;
}

weir_panel weir_figure_panel(weir_figure *figure, const char *title, const char *unit)
{
    weir_vec_push(&figure->panels, (panel){weir_strdup(title), weir_strdup(unit ? unit : "")});
    return (weir_panel)figure->panels.count - 1;
}

static int colour_of(const weir_figure *figure, const char *name)
{
    int next = 0;
    for (size_t i = 0; i < figure->series.count; i++) {
        if (strcmp(figure->series.at[i].name, name) == 0)
            return figure->series.at[i].colour;
        next = figure->series.at[i].colour >= next ? figure->series.at[i].colour + 1 : next;
    }
    return next;
}

weir_series weir_figure_series(weir_figure *figure, weir_panel panel, const char *name,
                               unsigned flags)
{
    int colour = colour_of(figure, name);
    weir_vec_push(
        &figure->series,
        (series){.name = weir_strdup(name), .panel = panel, .colour = colour, .flags = flags});
    return (weir_series)figure->series.count - 1;
}

void weir_figure_point(weir_figure *figure, weir_series s, double x, double y)
{
    weir_vec_push(&figure->series.at[s].points, (point){x, y});
}

void weir_figure_event(weir_figure *figure, double x, const char *label)
{
    weir_vec_push(&figure->events, (event){x, weir_strdup(label)});
}

/* ---- destruction ----------------------------------------------------------------------------- */

static void free_table(weir_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->columns.count; i++) {
        weir_free(table->columns.at[i].title);
        weir_free(table->columns.at[i].unit);
    }
    for (size_t i = 0; i < table->cells.count; i++)
        weir_free(table->cells.at[i].text);
    weir_vec_fini(&table->columns);
    weir_vec_fini(&table->cells);
    weir_free(table->name);
    weir_free(table->caption);
    weir_free(table);
}

static void free_figure(weir_figure *figure)
{
    if (!figure)
        return;
    for (size_t i = 0; i < figure->categories.count; i++)
        weir_free(figure->categories.at[i]);
    for (size_t i = 0; i < figure->panels.count; i++) {
        weir_free(figure->panels.at[i].title);
        weir_free(figure->panels.at[i].unit);
    }
    for (size_t i = 0; i < figure->series.count; i++) {
        weir_free(figure->series.at[i].name);
        weir_vec_fini(&figure->series.at[i].points);
    }
    for (size_t i = 0; i < figure->events.count; i++)
        weir_free(figure->events.at[i].label);
    weir_vec_fini(&figure->categories);
    weir_vec_fini(&figure->panels);
    weir_vec_fini(&figure->series);
    weir_vec_fini(&figure->events);
    weir_free(figure->name);
    weir_free(figure->caption);
    weir_free(figure->x_label);
    weir_free(figure);
}

void weir_report_destroy(weir_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->facts.count; i++) {
        weir_free(report->facts.at[i].label);
        weir_free(report->facts.at[i].text);
    }
    for (size_t i = 0; i < report->blocks.count; i++) {
        weir_free(report->blocks.at[i].text);
        free_table(report->blocks.at[i].table);
        free_figure(report->blocks.at[i].figure);
    }
    weir_vec_fini(&report->facts);
    weir_vec_fini(&report->blocks);
    weir_free(report->title);
    weir_free(report->subtitle);
    weir_free(report);
}
