/* lab/report/data.c - a report as CSV and JSON, and its files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "lab/report/report_impl.h"

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Enough digits for an exact round trip; empty if unknown. */
static void csv_number(weir_buf *out, double value)
{
    if (isfinite(value))
        weir_buf_addf(out, "%.12g", value);
}

void report_table_csv(const weir_table *table, weir_buf *out)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        const column *column = &table->columns.at[i];
        WEIR_BUF(title);
        const char *whose = report_column_kind(column->kind)->whose;
        weir_buf_addf(&title, "%s%s%s%s%s%s", column->title, *whose ? " " : "", whose,
                      *column->unit ? " (" : "", column->unit, *column->unit ? ")" : "");
        weir_buf_adds(out, i ? "," : "");
        weir_csv_put(out, weir_str_of(title.at));
    }
    weir_buf_addc(out, '\n');
    for (size_t row = 0; row < table_rows(table); row++) {
        for (size_t col = 0; col < table->columns.count; col++) {
            const cell *cell = table_cell(table, row, col);
            weir_buf_adds(out, col ? "," : "");
            if (cell && cell->text)
                weir_csv_put(out, weir_str_of(cell->text));
            else if (cell)
                csv_number(out, cell->number);
        }
        weir_buf_addc(out, '\n');
    }
}

static void figure_csv(const weir_figure *figure, weir_buf *out)
{
    for (size_t i = 0; i < figure->series.count; i++) {
        const series *series = &figure->series.at[i];
        for (size_t k = 0; k < series->points.count; k++) {
            weir_csv_put(out, weir_str_of(figure->name));
            weir_buf_addc(out, ',');
            weir_csv_put(out, weir_str_of(figure->panels.at[series->panel].title));
            weir_buf_addc(out, ',');
            weir_csv_put(out, weir_str_of(series->name));
            weir_buf_addc(out, ',');
            csv_number(out, series->points.at[k].x);
            weir_buf_addc(out, ',');
            csv_number(out, series->points.at[k].y);
            weir_buf_addc(out, '\n');
        }
    }
}

void report_series_csv(const weir_report *report, weir_buf *out)
{
    weir_buf_adds(out, "figure,panel,series,x,y\n");
    for (size_t i = 0; i < report->blocks.count; i++)
        if (report->blocks.at[i].kind == BLOCK_FIGURE)
            figure_csv(report->blocks.at[i].figure, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_text(weir_buf *out, const char *text)
{
    weir_buf_addc(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            weir_buf_addf(out, "\\%c", c);
        else if (c < 32)
            weir_buf_addf(out, "\\u%04x", c);
        else
            weir_buf_addc(out, *text);
    }
    weir_buf_addc(out, '"');
}

static void json_number(weir_buf *out, double value)
{
    if (isfinite(value))
        weir_buf_addf(out, "%.12g", value);
    else
        weir_buf_adds(out, "null");
}

/* "key": "text", followed by |after|. */
static void json_pair(weir_buf *out, const char *key, const char *words, const char *after)
{
    json_text(out, key);
    weir_buf_adds(out, ": ");
    json_text(out, words);
    weir_buf_adds(out, after);
}

static void json_table(const weir_table *table, weir_buf *out)
{
    weir_buf_adds(out, "{");
    json_pair(out, "table", table->name, ", ");
    json_pair(out, "caption", table->caption, ", \"columns\": [");
    for (size_t i = 0; i < table->columns.count; i++) {
        weir_buf_adds(out, i ? ", {" : "{");
        json_pair(out, "title", table->columns.at[i].title, ", ");
        json_pair(out, "unit", table->columns.at[i].unit, ", ");
        json_pair(out, "kind", report_column_kind(table->columns.at[i].kind)->name, "}");
    }
    weir_buf_adds(out, "],\n\"rows\": [");
    for (size_t row = 0; row < table_rows(table); row++) {
        weir_buf_adds(out, row ? ",\n[" : "\n[");
        for (size_t col = 0; col < table->columns.count; col++) {
            const cell *cell = table_cell(table, row, col);
            weir_buf_adds(out, col ? ", " : "");
            if (cell && cell->text)
                json_text(out, cell->text);
            else
                json_number(out, cell ? cell->number : NAN);
        }
        weir_buf_adds(out, "]");
    }
    weir_buf_adds(out, "]}");
}

static void json_points(const series *series, weir_buf *out)
{
    for (int axis = 0; axis < 2; axis++) {
        weir_buf_addf(out, "%s\"%c\": [", axis ? "], " : "", "xy"[axis]);
        for (size_t i = 0; i < series->points.count; i++) {
            weir_buf_adds(out, i ? ", " : "");
            json_number(out, axis ? series->points.at[i].y : series->points.at[i].x);
        }
    }
    weir_buf_adds(out, "]}");
}

static void json_figure(const weir_figure *figure, weir_buf *out)
{
    weir_buf_adds(out, "{");
    json_pair(out, "figure", figure->name, ", ");
    json_pair(out, "caption", figure->caption, ", ");
    json_pair(out, "x", figure->x_label, ", \"categories\": [");
    for (size_t i = 0; i < figure->categories.count; i++) {
        weir_buf_adds(out, i ? ", " : "");
        json_text(out, figure->categories.at[i]);
    }
    weir_buf_adds(out, "],\n\"series\": [");
    for (size_t i = 0; i < figure->series.count; i++) {
        const series *series = &figure->series.at[i];
        weir_buf_adds(out, i ? ",\n{" : "\n{");
        json_pair(out, "panel", figure->panels.at[series->panel].title, ", ");
        json_pair(out, "unit", figure->panels.at[series->panel].unit, ", ");
        json_pair(out, "name", series->name, ", ");
        json_points(series, out);
    }
    weir_buf_adds(out, "],\n\"events\": [");
    for (size_t i = 0; i < figure->events.count; i++) {
        weir_buf_adds(out, i ? ", {" : "{");
        json_pair(out, "label", figure->events.at[i].label, ", \"x\": ");
        json_number(out, figure->events.at[i].x);
        weir_buf_adds(out, "}");
    }
    weir_buf_adds(out, "]}");
}

static void json_block(const block *block, weir_buf *out)
{
    static const char *const kinds[] = {"section", "text", "note"};
    if (block->kind == BLOCK_TABLE) {
        json_table(block->table, out);
    } else if (block->kind == BLOCK_FIGURE) {
        json_figure(block->figure, out);
    } else {
        weir_buf_adds(out, "{");
        json_pair(out, kinds[block->kind], block->text, "}");
    }
}

void report_json(const weir_report *report, weir_buf *out)
{
    weir_buf_adds(out, "{");
    json_pair(out, "title", report->title, ",\n");
    json_pair(out, "subtitle", report->subtitle, ",\n\"facts\": {");
    for (size_t i = 0; i < report->facts.count; i++) {
        weir_buf_adds(out, i ? ", " : "");
        json_pair(out, report->facts.at[i].label, report->facts.at[i].text, "");
    }
    weir_buf_adds(out, "},\n\"blocks\": [\n");
    for (size_t i = 0; i < report->blocks.count; i++) {
        weir_buf_adds(out, i ? ",\n" : "");
        json_block(&report->blocks.at[i], out);
    }
    weir_buf_adds(out, "\n]}\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

static weir_status make_folder(const char *folder)
{
    char *path = weir_strdup(folder);
    for (char *cursor = path + 1;; cursor++) {
        char was = *cursor;
        if (was && was != '/')
            continue;
        *cursor = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            weir_status status =
                weir_error(WEIR_UNKNOWN, "cannot make the folder %s: %s", path, strerror(errno));
            weir_free(path);
            return status;
        }
        *cursor = was;
        if (!was)
            break;
    }
    weir_free(path);
    return WEIR_OK;
}

/* Writes |text| to a file and clears it. */
static weir_status write_file(const char *folder, const char *name, const char *ending,
                              weir_buf *text)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path.at, "w");
    bool ok = file && fwrite(text->at, 1, text->length, file) == text->length;
    int why = errno;
    if (file && fclose(file) != 0 && ok) {
        why = errno;
        ok = false;
    }
    weir_status status =
        ok ? WEIR_OK : weir_error(WEIR_UNKNOWN, "cannot write %s: %s", path.at, strerror(why));
    weir_buf_fini(text);
    return status;
}

static weir_status write_tables(const weir_report *report, const char *folder)
{
    bool first = true;
    for (size_t i = 0; i < report->blocks.count; i++) {
        const weir_table *table = report->blocks.at[i].table;
        weir_buf text = {0};
        if (!table)
            continue;
        report_table_csv(table, &text);
        WEIR_TRY(write_file(folder, first ? "report" : table->name, ".csv", &text));
        first = false;
    }
    return WEIR_OK;
}

weir_status weir_report_write(const weir_report *report, const char *folder)
{
    weir_buf text = {0};
    WEIR_TRY(make_folder(folder));
    report_html(report, &text);
    WEIR_TRY(write_file(folder, "report", ".html", &text));
    report_json(report, &text);
    WEIR_TRY(write_file(folder, "report", ".json", &text));
    report_series_csv(report, &text);
    WEIR_TRY(write_file(folder, "series", ".csv", &text));
    return write_tables(report, folder);
}
