/* lab/report/report.h - measurements as one page: text, tables and plots, and the same as CSV and
 * JSON.
 *
 * Contents appear in the order of the calls. weir_report_write writes to a folder:
 *   report.html   everything, self-contained, for light and dark screens
 *   report.json   everything as data
 *   report.csv    the first table; every later one is NAME.csv
 *   series.csv    the points of all figures: figure, panel, series, x, y
 *
 *   weir_report *r = weir_report_new("A speed-up", "mnist_cnn with 1 to 5 workers");
 *   weir_report_machine(r);
 *   weir_table *t = weir_report_table(r, "results", "Every run.");
 *   weir_table_column(t, WEIR_COLUMN_TEXT, "mode", NULL);
 *   weir_table_column(t, WEIR_COLUMN_NUMBER, "step", "ms");
 *   weir_table_text(t, "async");
 *   weir_table_number(t, 1.25);
 *   weir_figure *f = weir_report_figure(r, "steps", WEIR_LINES, "Steps over time.", "time, s");
 *   weir_panel panel = weir_figure_panel(f, "Steps", "1/s");
 *   weir_figure_point(f, weir_figure_series(f, panel, "worker 0", 0), 0.1, 12);
 *   WEIR_TRY(weir_report_write(r, "out"));
 *
 * Strings are copied. Names of tables and figures are lower-case words that can be file names. One
 * thread at a time.
 */
#ifndef WEIR_REPORT_REPORT_H
#define WEIR_REPORT_REPORT_H

#include <stdbool.h>

#include "base/status.h"
#include "base/str.h"

typedef struct weir_report weir_report;
typedef struct weir_table weir_table;
typedef struct weir_figure weir_figure;

weir_report *weir_report_new(const char *title, const char *subtitle);
void weir_report_destroy(weir_report *report); /* takes null; frees its tables and figures */
WEIR_OWNABLE(weir_report);

/* An entry of the list at the top: what was run, and where. */
void weir_report_fact(weir_report *report, const char *label, const char *fmt, ...)
    WEIR_PRINTF(3, 4);
/* Facts: Weir's version, processor, memory, load, system, date. */
void weir_report_machine(weir_report *report);
void weir_report_section(weir_report *report, const char *title);
void weir_report_text(weir_report *report, const char *fmt, ...) WEIR_PRINTF(2, 3);
/* A highlighted paragraph: limitations of this run. */
void weir_report_note(weir_report *report, const char *fmt, ...) WEIR_PRINTF(2, 3);

/* ---- tables ---------------------------------------------------------------------------------- */

typedef enum weir_column_kind {
    WEIR_COLUMN_TEXT,
    WEIR_COLUMN_NUMBER,     /* the decimals are chosen per column */
    WEIR_COLUMN_PUBLISHED,  /* a number measured by others, marked as such */
    WEIR_COLUMN_TENSORFLOW, /* a number of TensorFlow's, measured here, marked as such */
    WEIR_COLUMN_KINDS,
} weir_column_kind;

weir_table *weir_report_table(weir_report *report, const char *name, const char *caption);
/* Add columns before the first cell. |unit| may be null. */
void weir_table_column(weir_table *table, weir_column_kind kind, const char *title,
                       const char *unit);
/* The next cell, row by row. */
void weir_table_text(weir_table *table, const char *fmt, ...) WEIR_PRINTF(2, 3);
void weir_table_number(weir_table *table, double value); /* NaN: unknown */
/* Marks the last cell as good (1) or bad (-1). */
void weir_table_mark(weir_table *table, int news);
/* The same table for a terminal of so many columns, onto |out|; 0: for a pipe. Where it is too wide
 * its columns are lines. */
void weir_table_print(const weir_table *table, int columns, weir_buf *out);

/* Renders all tables of the report; or, by |format| (command/output.h), all of it as JSON, or its
 * first table as CSV. */
void weir_report_print(const weir_report *report, int format, weir_buf *out);

/* ---- figures --------------------------------------------------------------------------------- */

typedef enum weir_figure_kind {
    WEIR_LINES, /* x is a number; the panels share its axis */
    WEIR_BARS,  /* x is 0, 1... of the categories; a panel's series are side by side */
} weir_figure_kind;

enum {
    WEIR_SERIES_MARKERS = 1,   /* a dot at each point, for sparse data */
    WEIR_SERIES_PUBLISHED = 2, /* published figures: dashed, hatched */
    WEIR_SERIES_DOTS = 4,      /* dots without a line */
    WEIR_SERIES_AREA = 8,      /* filled down to zero */
};

typedef int weir_panel;
typedef int weir_series;

weir_figure *weir_report_figure(weir_report *report, const char *name, weir_figure_kind kind,
                                const char *caption, const char *x_label);
/* The label of a category of bars. */
void weir_figure_category(weir_figure *figure, const char *fmt, ...) WEIR_PRINTF(2, 3);
void weir_figure_log(weir_figure *figure, bool x, bool y); /* logarithmic axes */
weir_panel weir_figure_panel(weir_figure *figure, const char *title, const char *unit);
/* Series of the same name share a colour and a legend entry in all panels. */
weir_series weir_figure_series(weir_figure *figure, weir_panel panel, const char *name,
                               unsigned flags);
void weir_figure_point(weir_figure *figure, weir_series series, double x,
                       double y); /* NaN: a gap */
/* A vertical line through all panels. */
void weir_figure_event(weir_figure *figure, double x, const char *label);

/* ---- the files ------------------------------------------------------------------------------- */

/* Writes all of them; creates the folder. */
WEIR_CHECKED weir_status weir_report_write(const weir_report *report, const char *folder);

#endif
