/* lab/report/report_test.c - scales, tables and the files of a report. */
#include "lab/report/report.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "lab/report/report_impl.h"

TEST(scales_have_round_ticks)
{
    scale s = scale_make(0, 9.3, false, 5, 0, 100);
    CHECK_NEAR(s.high, 10, 1e-9);
    CHECK_EQ(s.tick_count, 6);
    CHECK_NEAR(scale_at(&s, 5), 50, 1e-9);
    CHECK_NEAR(scale_at(&s, 1e9), 100, 1e-9); /* stays on the page */
    s = scale_make(3, 2500, true, 5, 0, 100);
    CHECK_NEAR(s.ticks[0], 1, 1e-9);
    CHECK_NEAR(s.ticks[s.tick_count - 1], 10000, 1e-6);
    s = scale_make(7, 7, false, 5, 0, 100); /* one value is a range too */
    CHECK(s.high > s.low && s.tick_count >= 2);
    s = scale_make(0, 0, false, 5, 0, 100);
    CHECK(s.high > s.low);
    s = scale_make(-3, 1e-300, true, 5, 0, 100);
    CHECK(s.high > s.low);
}

static void check_label(double low, double high, bool log, double tick, const char *expected)
{
    WEIR_BUF(text);
    scale scale = scale_make(low, high, log, 5, 0, 1);
    scale_label(&scale, tick, &text);
    CHECK_STR(text.at, expected);
}

TEST(labels_are_short)
{
    check_label(0, 1, false, 0.4, "0.4");
    check_label(0, 50000, false, 20000, "20k");
    check_label(0, 5e9, false, 1e9, "1G");
    check_label(1, 1e6, true, 1000, "1k");
    check_label(1e-3, 1, true, 0.01, "0.01");
}

/* A report with one of everything, and text that needs care in all three formats. */
static weir_report *make(void)
{
    weir_report *report = weir_report_new("Tests & <trials>", "of \"everything\"");
    weir_report_machine(report);
    weir_report_section(report, "One");
    weir_report_text(report, "%d < %d", 1, 2);
    weir_report_note(report, "Careful.");
    weir_table *table = weir_report_table(report, "results", "All, that is");
    weir_table_column(table, WEIR_COLUMN_TEXT, "mode", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "step", "ms");
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "step", "ms");
    for (int i = 0; i < 3; i++) {
        weir_table_text(table, i ? "sync, \"b\"" : "async");
        weir_table_number(table, 1.25 * i);
        weir_table_number(table, i == 1 ? NAN : 100 + i);
    }
    weir_table_mark(table, 1);
    weir_figure *figure = weir_report_figure(report, "lines", WEIR_LINES, "Lines", "time, s");
    weir_panel cpu = weir_figure_panel(figure, "CPU", "%"),
               net = weir_figure_panel(figure, "Net", "MB/s");
    weir_series a = weir_figure_series(figure, cpu, "worker 0", WEIR_SERIES_AREA);
    weir_series b = weir_figure_series(figure, net, "worker 0", 0);
    weir_series c = weir_figure_series(figure, net, "ps 0", WEIR_SERIES_MARKERS);
    for (int i = 0; i < 5000; i++) {
        weir_figure_point(figure, a, i * 0.1, 50 + 40 * sin(i * 0.01));
        weir_figure_point(figure, b, i * 0.1, i == 7 ? NAN : i % 10);
    }
    weir_figure_point(figure, c, 1, 2);
    weir_figure_event(figure, 100, "start");
    weir_figure_event(figure, 101, "soon after");
    weir_figure_event(figure, 400, "later");
    figure = weir_report_figure(report, "bars", WEIR_BARS, "Bars", "workers");
    weir_figure_category(figure, "1");
    weir_figure_category(figure, "2");
    weir_panel one = weir_figure_panel(figure, "Speed-up", "x");
    a = weir_figure_series(figure, one, "Weir", 0);
    b = weir_figure_series(figure, one, "published", WEIR_SERIES_PUBLISHED);
    weir_figure_point(figure, a, 0, 1);
    weir_figure_point(figure, a, 1, 1.9);
    weir_figure_point(figure, b, 1, 1.5);
    weir_figure_point(figure, b, 9, 1.5); /* no such category */
    weir_report_figure(report, "empty", WEIR_LINES, "Nothing", "x");
    return report;
}

TEST(tables_as_text)
{
    WEIR_OWNED(weir_report) r = make();
    WEIR_BUF(csv);
    WEIR_BUF(shown);
    const weir_table *t = NULL;
    for (size_t i = 0; i < r->blocks.count; i++)
        t = t ? t : r->blocks.at[i].table;
    report_table_csv(t, &csv);
    CHECK_STR(csv.at, "mode,step (ms),step published (ms)\nasync,0,100\n\"sync, \"\"b\"\"\",1.25,\n"
                      "\"sync, \"\"b\"\"\",2.5,102\n");
    weir_table_print(t, 0, &shown);
    CHECK(strstr(shown.at, "\nasync        0.000                100\n"));
    CHECK(strstr(shown.at, "mode      ") && strstr(shown.at, "  published step ms\n"));
}

TEST(wide_tables_are_turned_on_narrow_terminals)
{
    WEIR_OWNED(weir_report) r = make();
    WEIR_BUF(fits);
    WEIR_BUF(turned);
    const weir_table *t = NULL;
    for (size_t i = 0; i < r->blocks.count; i++)
        t = t ? t : r->blocks.at[i].table;
    weir_table_print(t, 80, &fits);
    CHECK(strncmp(fits.at, "mode  ", 6) == 0);
    weir_table_print(t, 36, &turned);
    CHECK_STR(turned.at, "mode               async  sync, \"b\"\n"
                         "step ms            0.000      1.250\n"
                         "published step ms    100\n"
                         "\n"
                         "mode               sync, \"b\"\n"
                         "step ms                2.500\n"
                         "published step ms        102\n");
}

TEST(series_of_one_name_share_a_colour)
{
    WEIR_OWNED(weir_report) r = make();
    WEIR_BUF(html);
    report_html(r, &html);
    CHECK(strstr(html.at, "Tests &amp; &lt;trials&gt;"));
    CHECK(!strstr(html.at, "nan") && !strstr(html.at, "inf "));
    const weir_figure *f = NULL;
    for (size_t i = 0; i < r->blocks.count; i++)
        f = f ? f : r->blocks.at[i].figure;
    CHECK_EQ(f->series.at[0].colour, f->series.at[1].colour);
    CHECK(f->series.at[0].colour != f->series.at[2].colour);
    CHECK(html.length < 200000); /* 5000 points are reduced to the visible ones */
}

/* The y of the text |label|. */
static double height_of(const char *html, const char *label)
{
    char end[64];
    snprintf(end, sizeof end, ">%s</text>", label);
    const char *at = strstr(html, end);
    while (at && at > html && strncmp(at, " y=\"", 4) != 0)
        at--;
    return at ? strtod(at + 4, NULL) : NAN;
}

static int dots(const char *html)
{
    int count = 0;
    while ((html = strstr(html, "<circle class=\"dot"))) {
        html++;
        count++;
    }
    return count;
}

TEST(labels_of_events_do_not_overlap_and_a_lone_point_shows)
{
    WEIR_OWNED(weir_report) r = make();
    WEIR_BUF(html);
    report_html(r, &html);
    double first = height_of(html.at, "start");
    CHECK_EQ((int)height_of(html.at, "soon after"), (int)first + 16);
    CHECK_EQ((int)height_of(html.at, "later"), (int)first);
    weir_figure *figure = weir_report_figure(r, "lone", WEIR_LINES, "One point", "x");
    weir_panel panel = weir_figure_panel(figure, "P", "x");
    weir_figure_point(figure, weir_figure_series(figure, panel, "once", 0), 3, 4);
    WEIR_BUF(with);
    report_html(r, &with);
    CHECK_EQ(dots(with.at), dots(html.at) + 1);
}

TEST(narrow_screens_tell_the_two_ends_of_a_range_apart)
{
    WEIR_OWNED(weir_report) r = weir_report_new("Ranges", "");
    WEIR_BUF(html);
    weir_table *table = weir_report_table(r, "steps", "");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "quartiles", "ms");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "", "ms");
    weir_table_number(table, 1);
    weir_table_number(table, 2);
    report_html(r, &html);
    CHECK(strstr(html.at, "<table id=\"steps\">"));
    CHECK(strstr(html.at, "data-label=\"quartiles, ms\">1"));
    CHECK(strstr(html.at, "data-label=\"quartiles to, ms\">2"));
    WEIR_BUF(text);
    weir_table_print(table, 0, &text);
    CHECK_STR(text.at, "quartiles ms  to ms\n           1      2\n");
}

TEST(tables_of_many_columns_are_set_closer)
{
    WEIR_OWNED(weir_report) r = weir_report_new("Many", "");
    WEIR_BUF(html);
    weir_table *table = weir_report_table(r, "steps", "");
    for (int i = 0; i < 15; i++)
        weir_table_column(table, WEIR_COLUMN_NUMBER, "loss", NULL);
    for (int i = 0; i < 15; i++)
        weir_table_number(table, i);
    report_html(r, &html);
    CHECK(strstr(html.at, "<table id=\"steps\" class=\"many\">"));
}

TEST(files_are_written)
{
    char folder[] = "/tmp/weir-report-XXXXXX", path[256];
    CHECK(mkdtemp(folder));
    WEIR_OWNED(weir_report) r = make();
    snprintf(path, sizeof path, "%s/deep/er", folder);
    CHECK_OK(weir_report_write(r, path));
    static const char *const names[] = {"report.html", "report.json", "report.csv", "series.csv"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/deep/er/%s", folder, names[i]);
        CHECK_EQ(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/deep/er", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/deep", folder);
    rmdir(path);
    rmdir(folder);
    CHECK_FAILS(weir_report_write(r, "/proc/none"), WEIR_UNKNOWN, "/proc/none");
}

TEST_MAIN()
