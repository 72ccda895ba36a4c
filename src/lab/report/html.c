/* lab/report/html.c - the page. It is well-formed XML, so that XML tools can check and read it. */
#include <math.h>
#include <stdio.h>

#include "lab/report/report_impl.h"

void report_escape(weir_buf *out, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '<'   ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '&' ? "&amp;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (name)
            weir_buf_adds(out, name);
        else if ((unsigned char)*text >= 32 || *text == '\n')
            weir_buf_addc(out, *text);
    }
}

/* <tag class="class">text</tag> */
static void element(weir_buf *out, const char *tag, const char *class, const char *words)
{
    weir_buf_addf(out, "<%s%s%s%s>", tag, class ? " class=\"" : "", class ? class : "",
                  class ? "\"" : "");
    report_escape(out, words);
    weir_buf_addf(out, "</%s>\n", tag);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *column_class(const column *column)
{
    return report_column_kind(column->kind)->class;
}

static void add_head(const weir_table *table, weir_buf *out)
{
    weir_buf_adds(out, "<thead><tr>");
    for (size_t i = 0; i < table->columns.count; i++) {
        const column *column = &table->columns.at[i];
        weir_buf_addf(out, "<th class=\"%s\" scope=\"col\">", column_class(column));
        report_escape(out, column->title);
        weir_buf_adds(out, "<small>");
        report_escape(out, column->unit);
        weir_buf_adds(out, "</small>");
        if (column->kind == WEIR_COLUMN_TENSORFLOW) /* published ones are in italics */
            weir_buf_addf(out, "<small>%s</small>", report_column_kind(column->kind)->whose);
        weir_buf_adds(out, "</th>");
    }
    weir_buf_adds(out, "</tr></thead>\n");
}

/* The title of a column: its own, or that of the column it continues. */
static const char *title_of(const weir_table *table, size_t col)
{
    while (col > 0 && !*table->columns.at[col].title)
        col--;
    return table->columns.at[col].title;
}

/* The label of a cell on narrow screens, which show rows as lists without a header. */
static void add_label(const weir_table *table, size_t col, weir_buf *out)
{
    const column *column = &table->columns.at[col];
    report_escape(out, title_of(table, col));
    if (!*column->title) /* the upper end of the previous column's range */
        weir_buf_adds(out, " to");
    if (*column->unit)
        weir_buf_adds(out, ", ");
    report_escape(out, column->unit);
    const char *whose = report_column_kind(column->kind)->whose;
    weir_buf_addf(out, "%s%s", *whose ? ", " : "", whose);
}

static void add_cell(const weir_table *table, size_t row, size_t col, weir_buf *out)
{
    const cell *cell = table_cell(table, row, col);
    WEIR_BUF(shown);
    table_show(table, row, col, &shown);
    const char *news = !shown.length    ? " none"
                       : cell->news > 0 ? " good"
                       : cell->news < 0 ? " bad"
                                        : "";
    weir_buf_addf(out, "<td class=\"%s%s\" data-label=\"", column_class(&table->columns.at[col]),
                  news);
    add_label(table, col, out);
    weir_buf_adds(out, "\">");
    report_escape(out, shown.length ? shown.at : "\u2013");
    weir_buf_adds(out, "</td>");
}

/* Whether the first column repeats the row above. */
static bool same_group(const weir_table *table, size_t row)
{
    const cell *a = table_cell(table, row - 1, 0), *b = table_cell(table, row, 0);
    return a && b && a->text && b->text && strcmp(a->text, b->text) == 0;
}

static bool titled_before(const weir_table *table, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(table->columns.at[i].title, table->columns.at[at].title) == 0)
            return true;
    return false;
}

/* Descriptions of the columns, below the table. */
static void add_columns(const weir_table *table, weir_buf *out)
{
    bool used[WEIR_COLUMN_KINDS] = {false};
    weir_buf_adds(out, "<details><summary>What the columns mean</summary><dl>");
    for (size_t i = 0; i < table->columns.count; i++) {
        const char *about = report_column_about(table->columns.at[i].title);
        used[table->columns.at[i].kind] = true;
        if (!about || titled_before(table, i))
            continue;
        element(out, "dt", NULL, table->columns.at[i].title);
        element(out, "dd", NULL, about);
    }
    for (int i = 0; i < WEIR_COLUMN_KINDS; i++) {
        const column_kind *kind = report_column_kind(i);
        if (!used[i] || !kind->mark)
            continue;
        element(out, "dt", NULL, kind->mark);
        element(out, "dd", NULL, kind->about);
    }
    weir_buf_adds(out, "</dl></details>\n");
}

enum { MANY_COLUMNS = 12 }; /* wider tables use a smaller font */

static void add_table(const weir_table *table, weir_buf *out)
{
    bool many = table->columns.count > MANY_COLUMNS;
    weir_buf_addf(out, "<div class=\"wide\"><table id=\"%s\"%s>", table->name,
                  many ? " class=\"many\"" : "");
    element(out, "caption", NULL, table->caption);
    add_head(table, out);
    weir_buf_adds(out, "<tbody>\n");
    for (size_t row = 0; row < table_rows(table); row++) {
        weir_buf_addf(out, "<tr%s>", row && same_group(table, row) ? " class=\"same\"" : "");
        for (size_t col = 0; col < table->columns.count; col++)
            add_cell(table, row, col, out);
        weir_buf_adds(out, "</tr>\n");
    }
    weir_buf_adds(out, "</tbody></table></div>\n");
    add_columns(table, out);
}

/* ---- figures --------------------------------------------------------------------------------- */

static bool named_before(const weir_figure *figure, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(figure->series.at[i].name, figure->series.at[at].name) == 0)
            return true;
    return false;
}

static void add_legend(const weir_figure *figure, weir_buf *out)
{
    weir_buf_adds(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < figure->series.count; i++) {
        const series *series = &figure->series.at[i];
        if (named_before(figure, i))
            continue;
        const char *published = series->flags & WEIR_SERIES_PUBLISHED ? " p" : "";
        weir_buf_adds(out, "<li><svg viewBox=\"0 0 22 12\" aria-hidden=\"true\">");
        if (figure->kind == WEIR_BARS)
            weir_buf_addf(out,
                          "<rect class=\"bar s%d%s\" x=\"5\" y=\"1\" width=\"12\" "
                          "height=\"10\"/>",
                          series->colour % 8, published);
        else
            weir_buf_addf(out, "<path class=\"line s%d%s%s\" d=\"M1 6L21 6\"/>", series->colour % 8,
                          published, series->colour >= 8 ? " d" : "");
        weir_buf_adds(out, "</svg>");
        report_escape(out, series->name);
        weir_buf_adds(out, "</li>\n");
    }
    weir_buf_adds(out, "</ul>\n");
}

static void add_figure(const weir_figure *figure, weir_buf *out)
{
    weir_buf_addf(out, "<figure id=\"%s\">", figure->name);
    element(out, "figcaption", NULL, figure->caption);
    add_legend(figure, out);
    weir_buf_adds(out, "<div class=\"wide\">");
    report_svg(figure, out);
    weir_buf_adds(out, "</div></figure>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void add_facts(const weir_report *report, weir_buf *out)
{
    if (!report->facts.count)
        return;
    weir_buf_adds(out, "<dl>\n");
    for (size_t i = 0; i < report->facts.count; i++) {
        element(out, "dt", NULL, report->facts.at[i].label);
        element(out, "dd", NULL, report->facts.at[i].text);
    }
    weir_buf_adds(out, "</dl>\n");
}

static void add_block(const block *block, weir_buf *out)
{
    switch (block->kind) {
    case BLOCK_SECTION:
        element(out, "h2", NULL, block->text);
        break;
    case BLOCK_TEXT:
        element(out, "p", NULL, block->text);
        break;
    case BLOCK_NOTE:
        element(out, "p", "note", block->text);
        break;
    case BLOCK_TABLE:
        add_table(block->table, out);
        break;
    case BLOCK_FIGURE:
        add_figure(block->figure, out);
        break;
    }
}

void report_html(const weir_report *report, weir_buf *out)
{
    weir_buf_adds(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                       "<head><meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
                       "content=\"width=device-width, initial-scale=1\"/>\n");
    element(out, "title", NULL, report->title);
    weir_buf_addf(out, "<style>\n%s</style>\n</head><body>\n", report_style);
    element(out, "h1", NULL, report->title);
    element(out, "p", "sub", report->subtitle);
    add_facts(report, out);
    for (size_t i = 0; i < report->blocks.count; i++)
        add_block(&report->blocks.at[i], out);
    weir_buf_adds(out, "<footer>Made by Weir. The same as data: <a href=\"report.json\">report.json"
                       "</a>, <a href=\"report.csv\">report.csv</a>, <a href=\"series.csv\">"
                       "series.csv</a>.</footer>\n</body></html>\n");
}
