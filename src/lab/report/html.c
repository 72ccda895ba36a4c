/* lab/report/html.c - the page. It is XHTML-clean, so that XML tools can check and read it. */
#include <math.h>
#include <stdio.h>

#include "lab/report/report_impl.h"

void report_escape(weir_buf *out, const char *s)
{
    for (; *s; s++) {
        const char *name = *s == '<'   ? "&lt;"
                           : *s == '>' ? "&gt;"
                           : *s == '&' ? "&amp;"
                           : *s == '"' ? "&quot;"
                                       : NULL;
        if (name)
            weir_buf_adds(out, name);
        else if ((unsigned char)*s >= 32 || *s == '\n')
            weir_buf_addc(out, *s);
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

/* ---- tables --------------------------------------------------------------------------------- */

static const char *column_class(const column *c)
{
    return (const char *[]){"t", "n", "p"}[c->kind];
}

static void add_head(const weir_table *t, weir_buf *out)
{
    weir_buf_adds(out, "<thead><tr>");
    for (size_t i = 0; i < t->columns.count; i++) {
        const column *c = &t->columns.at[i];
        weir_buf_addf(out, "<th class=\"%s\" scope=\"col\">", column_class(c));
        report_escape(out, c->title);
        weir_buf_adds(out, "<small>");
        report_escape(out, c->unit);
        weir_buf_adds(out, "</small></th>");
    }
    weir_buf_adds(out, "</tr></thead>\n");
}

static void add_cell(const weir_table *t, size_t row, size_t col, weir_buf *out)
{
    const cell *c = table_cell(t, row, col);
    WEIR_BUF(shown);
    table_show(t, row, col, &shown);
    const char *news = !shown.length ? " none" : c->news > 0 ? " good" : c->news < 0 ? " bad" : "";
    weir_buf_addf(out, "<td class=\"%s%s\">", column_class(&t->columns.at[col]), news);
    report_escape(out, shown.length ? shown.at : "\u2013");
    weir_buf_adds(out, "</td>");
}

/* Whether the first column says what the row above says. */
static bool same_group(const weir_table *t, size_t row)
{
    const cell *a = table_cell(t, row - 1, 0), *b = table_cell(t, row, 0);
    return a && b && a->text && b->text && strcmp(a->text, b->text) == 0;
}

static void add_table(const weir_table *t, weir_buf *out)
{
    weir_buf_addf(out, "<div class=\"wide\"><table id=\"%s\">", t->name);
    element(out, "caption", NULL, t->caption);
    add_head(t, out);
    weir_buf_adds(out, "<tbody>\n");
    for (size_t row = 0; row < table_rows(t); row++) {
        weir_buf_addf(out, "<tr%s>", row && same_group(t, row) ? " class=\"same\"" : "");
        for (size_t col = 0; col < t->columns.count; col++)
            add_cell(t, row, col, out);
        weir_buf_adds(out, "</tr>\n");
    }
    weir_buf_adds(out, "</tbody></table></div>\n");
}

/* ---- figures -------------------------------------------------------------------------------- */

static bool named_before(const weir_figure *f, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(f->series.at[i].name, f->series.at[at].name) == 0)
            return true;
    return false;
}

static void add_legend(const weir_figure *f, weir_buf *out)
{
    weir_buf_adds(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < f->series.count; i++) {
        const series *s = &f->series.at[i];
        if (named_before(f, i))
            continue;
        const char *published = s->flags & WEIR_SERIES_PUBLISHED ? " p" : "";
        weir_buf_adds(out, "<li><svg viewBox=\"0 0 22 12\" aria-hidden=\"true\">");
        if (f->kind == WEIR_BARS)
            weir_buf_addf(out,
                          "<rect class=\"bar s%d%s\" x=\"5\" y=\"1\" width=\"12\" "
                          "height=\"10\"/>",
                          s->colour % 8, published);
        else
            weir_buf_addf(out, "<path class=\"line s%d%s%s\" d=\"M1 6L21 6\"/>", s->colour % 8,
                          published, s->colour >= 8 ? " d" : "");
        weir_buf_adds(out, "</svg>");
        report_escape(out, s->name);
        weir_buf_adds(out, "</li>\n");
    }
    weir_buf_adds(out, "</ul>\n");
}

static void add_figure(const weir_figure *f, weir_buf *out)
{
    weir_buf_addf(out, "<figure id=\"%s\">", f->name);
    element(out, "figcaption", NULL, f->caption);
    add_legend(f, out);
    weir_buf_adds(out, "<div class=\"wide\">");
    report_svg(f, out);
    weir_buf_adds(out, "</div></figure>\n");
}

/* ---- the page ------------------------------------------------------------------------------- */

static void add_facts(const weir_report *r, weir_buf *out)
{
    if (!r->facts.count)
        return;
    weir_buf_adds(out, "<dl>\n");
    for (size_t i = 0; i < r->facts.count; i++) {
        element(out, "dt", NULL, r->facts.at[i].label);
        element(out, "dd", NULL, r->facts.at[i].text);
    }
    weir_buf_adds(out, "</dl>\n");
}

static void add_block(const block *b, weir_buf *out)
{
    switch (b->kind) {
    case BLOCK_SECTION:
        element(out, "h2", NULL, b->text);
        break;
    case BLOCK_TEXT:
        element(out, "p", NULL, b->text);
        break;
    case BLOCK_NOTE:
        element(out, "p", "note", b->text);
        break;
    case BLOCK_TABLE:
        add_table(b->table, out);
        break;
    case BLOCK_FIGURE:
        add_figure(b->figure, out);
        break;
    }
}

void report_html(const weir_report *r, weir_buf *out)
{
    weir_buf_adds(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                       "<head><meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
                       "content=\"width=device-width, initial-scale=1\"/>\n");
    element(out, "title", NULL, r->title);
    weir_buf_addf(out, "<style>\n%s</style>\n</head><body>\n", report_style);
    element(out, "h1", NULL, r->title);
    element(out, "p", "sub", r->subtitle);
    add_facts(r, out);
    for (size_t i = 0; i < r->blocks.count; i++)
        add_block(&r->blocks.at[i], out);
    weir_buf_adds(out, "<footer>Made by Weir. The same as data: <a href=\"report.json\">report.json"
                       "</a>, <a href=\"report.csv\">report.csv</a>, <a href=\"series.csv\">"
                       "series.csv</a>.</footer>\n</body></html>\n");
}
