/* lab/report/report_impl.h - internals of reports, for report/ only. */
#ifndef WEIR_REPORT_REPORT_IMPL_H
#define WEIR_REPORT_REPORT_IMPL_H

#include "base/mem.h"
#include "base/str.h"
#include "lab/report/report.h"

typedef struct column {
    weir_column_kind kind;
    char *title, *unit; /* unit: "" for none */
} column;

typedef struct cell {
    char *text; /* null: a number */
    double number;
    int news;
} cell;

struct weir_table {
    char *name, *caption;
    WEIR_VEC(column) columns;
    WEIR_VEC(cell) cells; /* row by row; the last row may be short */
};

typedef struct point {
    double x, y;
} point;

typedef struct series {
    char *name;
    int panel, colour; /* colour: index of its name among the figure's names */
    unsigned flags;
    WEIR_VEC(point) points;
} series;

typedef struct panel {
    char *title, *unit;
} panel;

typedef struct event {
    double x;
    char *label;
} event;

struct weir_figure {
    char *name, *caption, *x_label;
    weir_figure_kind kind;
    bool log_x, log_y;
    WEIR_VEC(char *) categories;
    WEIR_VEC(panel) panels;
    WEIR_VEC(series) series;
    WEIR_VEC(event) events;
};

typedef enum block_kind {
    BLOCK_SECTION,
    BLOCK_TEXT,
    BLOCK_NOTE,
    BLOCK_TABLE,
    BLOCK_FIGURE
} block_kind;

typedef struct block {
    block_kind kind;
    char *text; /* of the first three */
    weir_table *table;
    weir_figure *figure;
} block;

typedef struct fact {
    char *label, *text;
} fact;

struct weir_report {
    char *title, *subtitle;
    WEIR_VEC(fact) facts;
    WEIR_VEC(block) blocks;
};

static inline size_t table_rows(const weir_table *table)
{
    return table->columns.count
               ? (table->cells.count + table->columns.count - 1) / table->columns.count
               : 0;
}
/* Null if the last row is short. */
static inline const cell *table_cell(const weir_table *table, size_t row, size_t col)
{
    size_t at = row * table->columns.count + col;
    return at < table->cells.count ? &table->cells.at[at] : NULL;
}
/* Decimals of all numbers of a column; -1: each number's own. */
int table_decimals(const weir_table *table, size_t col);
/* A cell's text; "" for an empty one. */
void table_show(const weir_table *table, size_t row, size_t col, weir_buf *out);

extern const char report_style[]; /* CSS */

void report_html(const weir_report *report, weir_buf *out);
void report_svg(const weir_figure *figure, weir_buf *out);
void report_json(const weir_report *report, weir_buf *out);
void report_table_csv(const weir_table *table, weir_buf *out);
void report_series_csv(const weir_report *report, weir_buf *out);

/* Escapes text for HTML, including attributes. */
void report_escape(weir_buf *out, const char *text);

/* ---- scales ---------------------------------------------------------------------------------- */

enum { TICKS = 16 };

/* Maps values to page coordinates. */
typedef struct scale {
    double low, high; /* values; their logarithms when |log| */
    double from, to;  /* coordinates */
    bool log;
    double ticks[TICKS]; /* values */
    int tick_count;
    int decimals; /* of the ticks' labels */
} scale;

/* Extends [low, high] to about |wanted| steps of 1, 2 or 5 times a power of ten. */
scale scale_make(double low, double high, bool log, int wanted, double from, double to);
/* The same without extending the ends: for time. */
scale scale_exact(double low, double high, int wanted, double from, double to);
double scale_at(const scale *scale, double value);
/* A tick's label: "0.25", "4k", "1.5M". */
void scale_label(const scale *scale, double tick, weir_buf *out);

/* Names of a column kind, in every form of a report. */
typedef struct column_kind {
    const char *name;         /* in JSON */
    const char *class;        /* CSS class in the page */
    const char *whose;        /* suffix of a title: " published"; "" for our own */
    const char *mark, *about; /* its marking and the legend; null: none */
} column_kind;
const column_kind *report_column_kind(weir_column_kind kind);

/* The description of a column with that title; null if there is none. */
const char *report_column_about(const char *title);

#endif
