/* lab/report/data.c - a report as CSV and JSON, and its files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "lab/report/report_impl.h"

/* ---- CSV ------------------------------------------------------------------------------------ */

static void csv_text(weir_buf *out, const char *s)
{
    if (!s[strcspn(s, ",\"\n")]) {
        weir_buf_adds(out, s);
        return;
    }
    weir_buf_addc(out, '"');
    for (; *s; s++) {
        if (*s == '"')
            weir_buf_addc(out, '"');
        weir_buf_addc(out, *s);
    }
    weir_buf_addc(out, '"');
}

/* Enough digits to be the same number again; nothing for what is not known. */
static void csv_number(weir_buf *out, double v)
{
    if (isfinite(v))
        weir_buf_addf(out, "%.12g", v);
}

void report_table_csv(const weir_table *t, weir_buf *out)
{
    for (size_t i = 0; i < t->columns.count; i++) {
        const column *c = &t->columns.at[i];
        WEIR_BUF(title);
        weir_buf_addf(&title, "%s%s%s%s%s", c->title,
                      c->kind == WEIR_COLUMN_PUBLISHED ? " published" : "", *c->unit ? " (" : "",
                      c->unit, *c->unit ? ")" : "");
        weir_buf_adds(out, i ? "," : "");
        csv_text(out, title.at);
    }
    weir_buf_addc(out, '\n');
    for (size_t row = 0; row < table_rows(t); row++) {
        for (size_t col = 0; col < t->columns.count; col++) {
            const cell *c = table_cell(t, row, col);
            weir_buf_adds(out, col ? "," : "");
            if (c && c->text)
                csv_text(out, c->text);
            else if (c)
                csv_number(out, c->number);
        }
        weir_buf_addc(out, '\n');
    }
}

static void figure_csv(const weir_figure *f, weir_buf *out)
{
    for (size_t i = 0; i < f->series.count; i++) {
        const series *s = &f->series.at[i];
        for (size_t k = 0; k < s->points.count; k++) {
            csv_text(out, f->name);
            weir_buf_addc(out, ',');
            csv_text(out, f->panels.at[s->panel].title);
            weir_buf_addc(out, ',');
            csv_text(out, s->name);
            weir_buf_addc(out, ',');
            csv_number(out, s->points.at[k].x);
            weir_buf_addc(out, ',');
            csv_number(out, s->points.at[k].y);
            weir_buf_addc(out, '\n');
        }
    }
}

void report_series_csv(const weir_report *r, weir_buf *out)
{
    weir_buf_adds(out, "figure,panel,series,x,y\n");
    for (size_t i = 0; i < r->blocks.count; i++)
        if (r->blocks.at[i].kind == BLOCK_FIGURE)
            figure_csv(r->blocks.at[i].figure, out);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_text(weir_buf *out, const char *s)
{
    weir_buf_addc(out, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            weir_buf_addf(out, "\\%c", c);
        else if (c < 32)
            weir_buf_addf(out, "\\u%04x", c);
        else
            weir_buf_addc(out, *s);
    }
    weir_buf_addc(out, '"');
}

static void json_number(weir_buf *out, double v)
{
    if (isfinite(v))
        weir_buf_addf(out, "%.12g", v);
    else
        weir_buf_adds(out, "null");
}

/* "key": "text" and what follows it. */
static void json_pair(weir_buf *out, const char *key, const char *words, const char *after)
{
    json_text(out, key);
    weir_buf_adds(out, ": ");
    json_text(out, words);
    weir_buf_adds(out, after);
}

static void json_table(const weir_table *t, weir_buf *out)
{
    static const char *const kinds[] = {"text", "number", "published"};
    weir_buf_adds(out, "{");
    json_pair(out, "table", t->name, ", ");
    json_pair(out, "caption", t->caption, ", \"columns\": [");
    for (size_t i = 0; i < t->columns.count; i++) {
        weir_buf_adds(out, i ? ", {" : "{");
        json_pair(out, "title", t->columns.at[i].title, ", ");
        json_pair(out, "unit", t->columns.at[i].unit, ", ");
        json_pair(out, "kind", kinds[t->columns.at[i].kind], "}");
    }
    weir_buf_adds(out, "],\n\"rows\": [");
    for (size_t row = 0; row < table_rows(t); row++) {
        weir_buf_adds(out, row ? ",\n[" : "\n[");
        for (size_t col = 0; col < t->columns.count; col++) {
            const cell *c = table_cell(t, row, col);
            weir_buf_adds(out, col ? ", " : "");
            if (c && c->text)
                json_text(out, c->text);
            else
                json_number(out, c ? c->number : NAN);
        }
        weir_buf_adds(out, "]");
    }
    weir_buf_adds(out, "]}");
}

static void json_points(const series *s, weir_buf *out)
{
    for (int axis = 0; axis < 2; axis++) {
        weir_buf_addf(out, "%s\"%c\": [", axis ? "], " : "", "xy"[axis]);
        for (size_t i = 0; i < s->points.count; i++) {
            weir_buf_adds(out, i ? ", " : "");
            json_number(out, axis ? s->points.at[i].y : s->points.at[i].x);
        }
    }
    weir_buf_adds(out, "]}");
}

static void json_figure(const weir_figure *f, weir_buf *out)
{
    weir_buf_adds(out, "{");
    json_pair(out, "figure", f->name, ", ");
    json_pair(out, "caption", f->caption, ", ");
    json_pair(out, "x", f->x_label, ", \"categories\": [");
    for (size_t i = 0; i < f->categories.count; i++) {
        weir_buf_adds(out, i ? ", " : "");
        json_text(out, f->categories.at[i]);
    }
    weir_buf_adds(out, "],\n\"series\": [");
    for (size_t i = 0; i < f->series.count; i++) {
        const series *s = &f->series.at[i];
        weir_buf_adds(out, i ? ",\n{" : "\n{");
        json_pair(out, "panel", f->panels.at[s->panel].title, ", ");
        json_pair(out, "unit", f->panels.at[s->panel].unit, ", ");
        json_pair(out, "name", s->name, ", ");
        json_points(s, out);
    }
    weir_buf_adds(out, "],\n\"events\": [");
    for (size_t i = 0; i < f->events.count; i++) {
        weir_buf_adds(out, i ? ", {" : "{");
        json_pair(out, "label", f->events.at[i].label, ", \"x\": ");
        json_number(out, f->events.at[i].x);
        weir_buf_adds(out, "}");
    }
    weir_buf_adds(out, "]}");
}

static void json_block(const block *b, weir_buf *out)
{
    static const char *const kinds[] = {"section", "text", "note"};
    if (b->kind == BLOCK_TABLE) {
        json_table(b->table, out);
    } else if (b->kind == BLOCK_FIGURE) {
        json_figure(b->figure, out);
    } else {
        weir_buf_adds(out, "{");
        json_pair(out, kinds[b->kind], b->text, "}");
    }
}

void report_json(const weir_report *r, weir_buf *out)
{
    weir_buf_adds(out, "{");
    json_pair(out, "title", r->title, ",\n");
    json_pair(out, "subtitle", r->subtitle, ",\n\"facts\": {");
    for (size_t i = 0; i < r->facts.count; i++) {
        weir_buf_adds(out, i ? ", " : "");
        json_pair(out, r->facts.at[i].label, r->facts.at[i].text, "");
    }
    weir_buf_adds(out, "},\n\"blocks\": [\n");
    for (size_t i = 0; i < r->blocks.count; i++) {
        weir_buf_adds(out, i ? ",\n" : "");
        json_block(&r->blocks.at[i], out);
    }
    weir_buf_adds(out, "\n]}\n");
}

/* ---- files ---------------------------------------------------------------------------------- */

static weir_status make_folder(const char *folder)
{
    char *path = weir_strdup(folder);
    for (char *p = path + 1;; p++) {
        char was = *p;
        if (was && was != '/')
            continue;
        *p = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            weir_status s =
                weir_error(WEIR_UNKNOWN, "cannot make the folder %s: %s", path, strerror(errno));
            weir_free(path);
            return s;
        }
        *p = was;
        if (!was)
            break;
    }
    weir_free(path);
    return WEIR_OK;
}

/* Writes |text| and empties it. */
static weir_status write_file(const char *folder, const char *name, const char *ending,
                              weir_buf *text)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s%s", folder, name, ending);
    FILE *f = fopen(path.at, "w");
    bool ok = f && fwrite(text->at, 1, text->length, f) == text->length;
    int why = errno;
    if (f && fclose(f) != 0 && ok) {
        why = errno;
        ok = false;
    }
    weir_status s =
        ok ? WEIR_OK : weir_error(WEIR_UNKNOWN, "cannot write %s: %s", path.at, strerror(why));
    weir_buf_fini(text);
    return s;
}

static weir_status write_tables(const weir_report *r, const char *folder)
{
    bool first = true;
    for (size_t i = 0; i < r->blocks.count; i++) {
        const weir_table *t = r->blocks.at[i].table;
        weir_buf text = {0};
        if (!t)
            continue;
        report_table_csv(t, &text);
        WEIR_TRY(write_file(folder, first ? "report" : t->name, ".csv", &text));
        first = false;
    }
    return WEIR_OK;
}

weir_status weir_report_write(const weir_report *r, const char *folder)
{
    weir_buf text = {0};
    WEIR_TRY(make_folder(folder));
    report_html(r, &text);
    WEIR_TRY(write_file(folder, "report", ".html", &text));
    report_json(r, &text);
    WEIR_TRY(write_file(folder, "report", ".json", &text));
    report_series_csv(r, &text);
    WEIR_TRY(write_file(folder, "series", ".csv", &text));
    return write_tables(r, folder);
}
