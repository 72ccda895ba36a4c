/* lab/report/svg.c - a figure as SVG: stacked panels with a common x axis.
 *
 * Colours and strokes are CSS classes, so that only the style differs between light and dark
 * screens: s0...s7 by the index of a series' name, d when these repeat, and p for published
 * figures.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/report/report_impl.h"

enum {
    WIDTH = 880,
    LEFT = 62,
    RIGHT = 14,
    TITLE = 26, /* above each panel */
    ONE_HIGH = 240,
    MANY_HIGH = 120,
    AXIS = 40,   /* below the last panel */
    SECOND = 22, /* the second line of category labels */
    LETTER = 12, /* character width on narrow screens */
    COLOURS = 8, /* of the style */
    BUCKETS = WIDTH - LEFT - RIGHT,
};

typedef struct drawing {
    const weir_figure *f;
    weir_buf *out;
    scale x, y;
    double top, bottom; /* of the panel being drawn */
} drawing;

/* ---- ranges ---------------------------------------------------------------------------------- */

typedef struct range {
    double low, high;
} range;

static void widen(range *range, double value)
{
    if (!isfinite(value))
        return;
    range->low = value < range->low ? value : range->low;
    range->high = value > range->high ? value : range->high;
}

/* The range of x over all panels, or of y in one. */
static range range_of(const weir_figure *figure, int of_panel)
{
    range this_range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < figure->series.count; i++) {
        const series *series = &figure->series.at[i];
        if (of_panel >= 0 && series->panel != of_panel)
            continue;
        for (size_t k = 0; k < series->points.count; k++) {
            double y = series->points.at[k].y;
            if (!(of_panel >= 0 && figure->log_y && y <= 0))
                widen(&this_range, of_panel >= 0 ? y : series->points.at[k].x);
        }
    }
    if (!(this_range.low <= this_range.high))
        this_range = (range){0, 1};
    return this_range;
}

/* Starts at zero, unless all values are far from it. */
static scale scale_of_panel(const weir_figure *figure, int at, double top, double bottom)
{
    range range = range_of(figure, at);
    if (!figure->log_y &&
        (figure->kind == WEIR_BARS || (range.low > 0 && range.low < range.high * 0.8)))
        range.low = range.low < 0 ? range.low : 0;
    if (!figure->log_y && range.low == 0 && range.high == 0)
        range.high = 1;
    if (!figure->log_y && figure->kind == WEIR_BARS)
        range.high *= 1.06; /* space for the numbers above */
    return scale_make(range.low, range.high, figure->log_y, figure->panels.count > 1 ? 3 : 5,
                      bottom, top);
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void text(drawing *drawing, const char *class, double x, double y, const char *words)
{
    weir_buf_addf(drawing->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    report_escape(drawing->out, words);
    weir_buf_adds(drawing->out, "</text>\n");
}

static void line(drawing *drawing, const char *class, double x1, double y1, double x2, double y2)
{
    weir_buf_addf(drawing->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1,
                  x2, y2);
}

static void draw_y_axis(drawing *drawing)
{
    for (int i = 0; i < drawing->y.tick_count; i++) {
        double at = scale_at(&drawing->y, drawing->y.ticks[i]);
        WEIR_BUF(label);
        scale_label(&drawing->y, drawing->y.ticks[i], &label);
        line(drawing, "grid", LEFT, at, WIDTH - RIGHT, at);
        text(drawing, "ty", LEFT - 8, at + 3.5, label.at);
    }
}

static void draw_x_ticks(drawing *drawing, bool labels)
{
    for (int i = 0; i < drawing->x.tick_count; i++) {
        double at = scale_at(&drawing->x, drawing->x.ticks[i]);
        line(drawing, labels ? "tick" : "grid", at, labels ? drawing->bottom : drawing->top, at,
             labels ? drawing->bottom + 4 : drawing->bottom);
        if (!labels)
            continue;
        WEIR_BUF(label);
        scale_label(&drawing->x, drawing->x.ticks[i], &label);
        text(drawing, "tx", at, drawing->bottom + 17, label.at);
    }
}

static double category_width(const weir_figure *figure)
{
    return (double)(WIDTH - LEFT - RIGHT) /
           (double)(figure->categories.count ? figure->categories.count : 1);
}

/* Where to break a category label: after the space or underscore nearest to the middle. 0: no
 * break. */
static size_t break_at(const char *words)
{
    size_t length = strlen(words), best = 0;
    for (size_t i = 1; i < length; i++) {
        bool nearer =
            !best || labs(2 * (long)i - (long)length) < labs(2 * (long)best - (long)length);
        if ((words[i - 1] == ' ' || words[i - 1] == '_') && nearer)
            best = i;
    }
    return best;
}

/* Whether some labels are too long to be side by side on narrow screens. */
static bool breaks_categories(const weir_figure *figure)
{
    for (size_t i = 0; i < figure->categories.count; i++)
        if ((double)strlen(figure->categories.at[i]) * LETTER > category_width(figure))
            return true;
    return false;
}

static void draw_category(drawing *drawing, double at, const char *words, bool broken)
{
    size_t end = broken ? break_at(words) : 0;
    WEIR_FREED char *first = weir_strndup(words, end ? end : strlen(words));
    text(drawing, "tx", at, drawing->bottom + 17, first);
    if (end)
        text(drawing, "tx", at, drawing->bottom + 17 + SECOND, words + end);
}

static void draw_categories(drawing *drawing)
{
    double wide = category_width(drawing->f);
    bool broken = breaks_categories(drawing->f);
    for (size_t i = 0; i < drawing->f->categories.count; i++)
        draw_category(drawing, LEFT + wide * ((double)i + 0.5), drawing->f->categories.at[i],
                      broken);
}

enum { EVENT_ROWS = 4, EVENT_ROW = 16, EVENT_LETTER = 9 }; /* rows of labels, at maximum size */

/* The first row that is free between |from| and |to|. */
static int free_row(double taken[EVENT_ROWS][2], double from, double to)
{
    int row = 0;
    while (row < EVENT_ROWS - 1 && taken[row][0] < to && from < taken[row][1])
        row++;
    taken[row][0] = fmin(taken[row][0], from);
    taken[row][1] = fmax(taken[row][1], to);
    return row;
}

static void label_event(drawing *drawing, double at, const char *label, double taken[EVENT_ROWS][2])
{
    double wide = EVENT_LETTER * (double)strlen(label);
    bool left = at > WIDTH * 0.9; /* no space to the right */
    int row = free_row(taken, left ? at - 4 - wide : at + 4, left ? at - 4 : at + 4 + wide);
    text(drawing, left ? "te r" : "te", left ? at - 4 : at + 4, drawing->top + 11 + EVENT_ROW * row,
         label);
}

static void draw_events(drawing *drawing, bool labels)
{
    double taken[EVENT_ROWS][2];
    for (int i = 0; i < EVENT_ROWS; i++) {
        taken[i][0] = INFINITY;
        taken[i][1] = -INFINITY;
    }
    for (size_t i = 0; i < drawing->f->events.count; i++) {
        double at = scale_at(&drawing->x, drawing->f->events.at[i].x);
        line(drawing, "event", at, drawing->top, at, drawing->bottom);
        if (labels)
            label_event(drawing, at, drawing->f->events.at[i].label, taken);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void class_of(const series *series, const char *kind, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s s%d%s%s", kind, series->colour % COLOURS,
             series->flags & WEIR_SERIES_PUBLISHED ? " p" : "",
             series->colour >= COLOURS ? " d" : "");
}

static void add_vertex(drawing *drawing, bool *pen_down, double x, double y)
{
    weir_buf_addf(drawing->out, "%s%.1f %.1f", *pen_down ? "L" : "M", x, y);
    *pen_down = true;
}

/* Points in the same pixel column are drawn as their minimum and maximum. */
static void add_vertices(drawing *drawing, const series *series, bool *pen_down)
{
    const point *points = series->points.at;
    bool thin = series->points.count > 3 * BUCKETS;
    for (size_t i = 0; i < series->points.count;) {
        double x = scale_at(&drawing->x, points[i].x), low = INFINITY, high = -INFINITY;
        if (!isfinite(points[i].y)) {
            *pen_down = false;
            i++;
            continue;
        }
        size_t first = i;
        do {
            double y = scale_at(&drawing->y, points[i].y);
            low = y < low ? y : low;
            high = y > high ? y : high;
            i++;
        } while (thin && i < series->points.count && isfinite(points[i].y) &&
                 scale_at(&drawing->x, points[i].x) < x + 1);
        add_vertex(drawing, pen_down, x, i - first > 1 ? high : low);
        if (i - first > 1)
            add_vertex(drawing, pen_down, x, low);
    }
}

static bool has_gap(const series *series)
{
    for (size_t i = 0; i < series->points.count; i++)
        if (!isfinite(series->points.at[i].y))
            return true;
    return series->points.count == 0;
}

static void draw_area(drawing *drawing, const series *series)
{
    char class[48];
    bool pen_down = false;
    class_of(series, "area", class, sizeof class);
    weir_buf_addf(drawing->out, "<path class=\"%s\" d=\"", class);
    add_vertices(drawing, series, &pen_down);
    weir_buf_addf(drawing->out, "L%.1f %.1fL%.1f %.1fZ\"/>\n",
                  scale_at(&drawing->x, series->points.at[series->points.count - 1].x),
                  drawing->bottom, scale_at(&drawing->x, series->points.at[0].x), drawing->bottom);
}

static void add_title(drawing *drawing, const series *series, const char *x, double y)
{
    weir_buf_adds(drawing->out, "<title>");
    report_escape(drawing->out, series->name);
    weir_buf_adds(drawing->out, ", ");
    report_escape(drawing->out, x);
    weir_buf_addf(drawing->out, ": %.6g ", y);
    report_escape(drawing->out, drawing->f->panels.at[series->panel].unit);
    weir_buf_adds(drawing->out, "</title>");
}

static void draw_markers(drawing *drawing, const series *series)
{
    char class[48], at[32];
    class_of(series, "dot", class, sizeof class);
    for (size_t i = 0; i < series->points.count; i++) {
        point point = series->points.at[i];
        if (!isfinite(point.y))
            continue;
        snprintf(at, sizeof at, "%.6g", point.x);
        weir_buf_addf(drawing->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">", class,
                      scale_at(&drawing->x, point.x), scale_at(&drawing->y, point.y),
                      series->flags & WEIR_SERIES_DOTS ? "1.6" : "3.2");
        if (!(series->flags & WEIR_SERIES_DOTS))
            add_title(drawing, series, at, point.y);
        weir_buf_adds(drawing->out, "</circle>\n");
    }
}

static void draw_line(drawing *drawing, const series *series)
{
    if (series->points.count == 0)
        return;
    if (series->flags & WEIR_SERIES_AREA && !has_gap(series))
        draw_area(drawing, series);
    if (!(series->flags & WEIR_SERIES_DOTS)) {
        char class[48];
        bool pen_down = false;
        class_of(series, "line", class, sizeof class);
        weir_buf_addf(drawing->out, "<path class=\"%s\" d=\"", class);
        add_vertices(drawing, series, &pen_down);
        weir_buf_adds(drawing->out, "\"/>\n");
    }
    bool lone = series->points.count == 1; /* a line of one point would be invisible */
    if (lone || series->flags & (WEIR_SERIES_MARKERS | WEIR_SERIES_DOTS))
        draw_markers(drawing, series);
}

/* ---- bars ------------------------------------------------------------------------------------ */

static void draw_bars(drawing *drawing, const series *series, int place, int places)
{
    double group = category_width(drawing->f), each = group * 0.78 / places;
    each = each > 56 ? 56 : each;
    char class[48];
    class_of(series, "bar", class, sizeof class);
    for (size_t i = 0; i < series->points.count; i++) {
        point point = series->points.at[i];
        size_t category = (size_t)point.x;
        if (!isfinite(point.y) || category >= drawing->f->categories.count)
            continue;
        double left = LEFT + group * (point.x + 0.5) + each * (place - places / 2.0);
        double y = scale_at(&drawing->y, point.y), zero = scale_at(&drawing->y, 0);
        double top = y < zero ? y : zero, high = fabs(y - zero);
        weir_buf_addf(drawing->out,
                      "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
                      class, left + 0.75, top, each - 1.5, high > 0.5 ? high : 0.5);
        add_title(drawing, series, drawing->f->categories.at[category], point.y);
        weir_buf_adds(drawing->out, "</rect>\n");
        if (each >= 26) {
            char value[32];
            snprintf(value, sizeof value, fabs(point.y) >= 1000 ? "%.0f" : "%.3g", point.y);
            text(drawing, "tv", left + each / 2, top - 4, value);
        }
    }
}

/* ---- entry point ----------------------------------------------------------------------------- */

static void draw_series(drawing *drawing, int at)
{
    int places = 0, place = 0;
    for (size_t i = 0; i < drawing->f->series.count; i++)
        places += drawing->f->series.at[i].panel == at;
    for (size_t i = 0; i < drawing->f->series.count; i++) {
        const series *series = &drawing->f->series.at[i];
        if (series->panel != at)
            continue;
        if (drawing->f->kind == WEIR_BARS)
            draw_bars(drawing, series, place++, places);
        else
            draw_line(drawing, series);
    }
}

static void draw_panel(drawing *drawing, int at, bool first, bool last)
{
    const panel *panel = &drawing->f->panels.at[at];
    WEIR_BUF(title);
    weir_buf_addf(&title, "%s%s%s", panel->title, *panel->unit ? ", " : "", panel->unit);
    text(drawing, "tp", LEFT, drawing->top - 9, title.at ? title.at : "");
    drawing->y = scale_of_panel(drawing->f, at, drawing->top, drawing->bottom);
    draw_y_axis(drawing);
    if (drawing->f->kind == WEIR_LINES)
        draw_x_ticks(drawing, false);
    draw_events(drawing, first);
    draw_series(drawing, at);
    line(drawing, "axis", LEFT, drawing->bottom, WIDTH - RIGHT, drawing->bottom);
    if (drawing->f->kind == WEIR_LINES && last)
        draw_x_ticks(drawing, true);
    if (drawing->f->kind == WEIR_BARS && last)
        draw_categories(drawing);
}

static bool all_whole(const weir_figure *figure)
{
    for (size_t i = 0; i < figure->series.count; i++)
        for (size_t k = 0; k < figure->series.at[i].points.count; k++)
            if (figure->series.at[i].points.at[k].x != floor(figure->series.at[i].points.at[k].x))
                return false;
    return true;
}

static scale x_scale(const weir_figure *figure)
{
    range range = range_of(figure, -1);
    for (size_t i = 0; i < figure->events.count; i++)
        widen(&range, figure->events.at[i].x);
    if (figure->log_x)
        return scale_make(range.low, range.high, true, 8, LEFT, WIDTH - RIGHT);
    int wanted =
        range.high - range.low < 8 && all_whole(figure) ? (int)(range.high - range.low) : 8;
    return scale_exact(range.low, range.high, wanted > 0 ? wanted : 1, LEFT, WIDTH - RIGHT);
}

void report_svg(const weir_figure *figure, weir_buf *out)
{
    int count = (int)figure->panels.count, high = count > 1 ? MANY_HIGH : ONE_HIGH;
    int total =
        count * (TITLE + high) + AXIS + (count - 1) * 8 + (breaks_categories(figure) ? SECOND : 0);
    drawing drawing = {.f = figure, .out = out, .x = x_scale(figure)};
    weir_buf_addf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, total);
    report_escape(out, figure->caption);
    weir_buf_adds(out, "\">\n");
    for (int i = 0; i < count; i++) {
        drawing.top = i * (TITLE + high + 8) + TITLE;
        drawing.bottom = drawing.top + high;
        draw_panel(&drawing, i, i == 0, i == count - 1);
    }
    text(&drawing, "tl", LEFT + (WIDTH - LEFT - RIGHT) / 2.0, total - 5, figure->x_label);
    weir_buf_adds(out, "</svg>\n");
}
