/* lab/report/svg.c - a figure as SVG: panels below each other over one axis.
 *
 * Colours and strokes are classes of the page's style, so that light and dark screens differ only
 * there: s0...s7 by the place of a series' name, d where these begin again, and p for what others
 * published.
 */
#include <math.h>
#include <stdio.h>

#include "lab/report/report_impl.h"

enum {
    WIDTH = 880,
    LEFT = 62,
    RIGHT = 14,
    TITLE = 26, /* above each panel */
    ONE_HIGH = 240,
    MANY_HIGH = 120,
    AXIS = 40,   /* below the last panel */
    COLOURS = 8, /* of the style */
    BUCKETS = WIDTH - LEFT - RIGHT,
};

typedef struct drawing {
    const weir_figure *f;
    weir_buf *out;
    scale x, y;
    double top, bottom; /* of the panel being drawn */
} drawing;

/* ---- ranges --------------------------------------------------------------------------------- */

typedef struct range {
    double low, high;
} range;

static void widen(range *r, double v)
{
    if (!isfinite(v))
        return;
    r->low = v < r->low ? v : r->low;
    r->high = v > r->high ? v : r->high;
}

/* Of x over all panels, or of y in one. */
static range range_of(const weir_figure *f, int of_panel)
{
    range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < f->series.count; i++) {
        const series *s = &f->series.at[i];
        if (of_panel >= 0 && s->panel != of_panel)
            continue;
        for (size_t k = 0; k < s->points.count; k++) {
            double y = s->points.at[k].y;
            if (!(of_panel >= 0 && f->log_y && y <= 0))
                widen(&r, of_panel >= 0 ? y : s->points.at[k].x);
        }
    }
    if (!(r.low <= r.high))
        r = (range){0, 1};
    return r;
}

/* From zero, unless everything is far from it. */
static scale scale_of_panel(const weir_figure *f, int at, double top, double bottom)
{
    range r = range_of(f, at);
    if (!f->log_y && (f->kind == WEIR_BARS || (r.low > 0 && r.low < r.high * 0.8)))
        r.low = r.low < 0 ? r.low : 0;
    if (!f->log_y && r.low == 0 && r.high == 0)
        r.high = 1;
    if (!f->log_y && f->kind == WEIR_BARS)
        r.high *= 1.06; /* room for the numbers above */
    return scale_make(r.low, r.high, f->log_y, f->panels.count > 1 ? 3 : 5, bottom, top);
}

/* ---- axes ----------------------------------------------------------------------------------- */

static void text(drawing *d, const char *class, double x, double y, const char *words)
{
    weir_buf_addf(d->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    report_escape(d->out, words);
    weir_buf_adds(d->out, "</text>\n");
}

static void line(drawing *d, const char *class, double x1, double y1, double x2, double y2)
{
    weir_buf_addf(d->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2,
                  y2);
}

static void draw_y_axis(drawing *d)
{
    for (int i = 0; i < d->y.tick_count; i++) {
        double at = scale_at(&d->y, d->y.ticks[i]);
        WEIR_BUF(label);
        scale_label(&d->y, d->y.ticks[i], &label);
        line(d, "grid", LEFT, at, WIDTH - RIGHT, at);
        text(d, "ty", LEFT - 8, at + 3.5, label.at);
    }
}

static void draw_x_ticks(drawing *d, bool labels)
{
    for (int i = 0; i < d->x.tick_count; i++) {
        double at = scale_at(&d->x, d->x.ticks[i]);
        line(d, labels ? "tick" : "grid", at, labels ? d->bottom : d->top, at,
             labels ? d->bottom + 4 : d->bottom);
        if (!labels)
            continue;
        WEIR_BUF(label);
        scale_label(&d->x, d->x.ticks[i], &label);
        text(d, "tx", at, d->bottom + 17, label.at);
    }
}

static double category_width(const weir_figure *f)
{
    return (double)(WIDTH - LEFT - RIGHT) / (double)(f->categories.count ? f->categories.count : 1);
}

static void draw_categories(drawing *d)
{
    double wide = category_width(d->f);
    for (size_t i = 0; i < d->f->categories.count; i++)
        text(d, "tx", LEFT + wide * ((double)i + 0.5), d->bottom + 17, d->f->categories.at[i]);
}

static void draw_events(drawing *d, bool labels)
{
    for (size_t i = 0; i < d->f->events.count; i++) {
        double at = scale_at(&d->x, d->f->events.at[i].x);
        line(d, "event", at, d->top, at, d->bottom);
        bool right = at > WIDTH * 0.9; /* there is no room behind it */
        if (labels)
            text(d, right ? "te r" : "te", right ? at - 4 : at + 4, d->top + 11,
                 d->f->events.at[i].label);
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void class_of(const series *s, const char *kind, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s s%d%s%s", kind, s->colour % COLOURS,
             s->flags & WEIR_SERIES_PUBLISHED ? " p" : "", s->colour >= COLOURS ? " d" : "");
}

static void add_vertex(drawing *d, bool *pen_down, double x, double y)
{
    weir_buf_addf(d->out, "%s%.1f %.1f", *pen_down ? "L" : "M", x, y);
    *pen_down = true;
}

/* Points that fall on one pixel are drawn as their least and greatest. */
static void add_vertices(drawing *d, const series *s, bool *pen_down)
{
    const point *p = s->points.at;
    bool thin = s->points.count > 3 * BUCKETS;
    for (size_t i = 0; i < s->points.count;) {
        double x = scale_at(&d->x, p[i].x), low = INFINITY, high = -INFINITY;
        if (!isfinite(p[i].y)) {
            *pen_down = false;
            i++;
            continue;
        }
        size_t first = i;
        do {
            double y = scale_at(&d->y, p[i].y);
            low = y < low ? y : low;
            high = y > high ? y : high;
            i++;
        } while (thin && i < s->points.count && isfinite(p[i].y) &&
                 scale_at(&d->x, p[i].x) < x + 1);
        add_vertex(d, pen_down, x, i - first > 1 ? high : low);
        if (i - first > 1)
            add_vertex(d, pen_down, x, low);
    }
}

static bool has_gap(const series *s)
{
    for (size_t i = 0; i < s->points.count; i++)
        if (!isfinite(s->points.at[i].y))
            return true;
    return s->points.count == 0;
}

static void draw_area(drawing *d, const series *s)
{
    char class[48];
    bool pen_down = false;
    class_of(s, "area", class, sizeof class);
    weir_buf_addf(d->out, "<path class=\"%s\" d=\"", class);
    add_vertices(d, s, &pen_down);
    weir_buf_addf(d->out, "L%.1f %.1fL%.1f %.1fZ\"/>\n",
                  scale_at(&d->x, s->points.at[s->points.count - 1].x), d->bottom,
                  scale_at(&d->x, s->points.at[0].x), d->bottom);
}

static void add_title(drawing *d, const series *s, const char *x, double y)
{
    weir_buf_adds(d->out, "<title>");
    report_escape(d->out, s->name);
    weir_buf_adds(d->out, ", ");
    report_escape(d->out, x);
    weir_buf_addf(d->out, ": %.6g ", y);
    report_escape(d->out, d->f->panels.at[s->panel].unit);
    weir_buf_adds(d->out, "</title>");
}

static void draw_markers(drawing *d, const series *s)
{
    char class[48], at[32];
    class_of(s, "dot", class, sizeof class);
    for (size_t i = 0; i < s->points.count; i++) {
        point p = s->points.at[i];
        if (!isfinite(p.y))
            continue;
        snprintf(at, sizeof at, "%.6g", p.x);
        weir_buf_addf(d->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">", class,
                      scale_at(&d->x, p.x), scale_at(&d->y, p.y),
                      s->flags & WEIR_SERIES_DOTS ? "1.6" : "3.2");
        if (!(s->flags & WEIR_SERIES_DOTS))
            add_title(d, s, at, p.y);
        weir_buf_adds(d->out, "</circle>\n");
    }
}

static void draw_line(drawing *d, const series *s)
{
    if (s->points.count == 0)
        return;
    if (s->flags & WEIR_SERIES_AREA && !has_gap(s))
        draw_area(d, s);
    if (!(s->flags & WEIR_SERIES_DOTS)) {
        char class[48];
        bool pen_down = false;
        class_of(s, "line", class, sizeof class);
        weir_buf_addf(d->out, "<path class=\"%s\" d=\"", class);
        add_vertices(d, s, &pen_down);
        weir_buf_adds(d->out, "\"/>\n");
    }
    if (s->flags & (WEIR_SERIES_MARKERS | WEIR_SERIES_DOTS))
        draw_markers(d, s);
}

/* ---- bars ----------------------------------------------------------------------------------- */

static void draw_bars(drawing *d, const series *s, int place, int places)
{
    double group = category_width(d->f), each = group * 0.78 / places;
    each = each > 56 ? 56 : each;
    char class[48];
    class_of(s, "bar", class, sizeof class);
    for (size_t i = 0; i < s->points.count; i++) {
        point p = s->points.at[i];
        size_t category = (size_t)p.x;
        if (!isfinite(p.y) || category >= d->f->categories.count)
            continue;
        double left = LEFT + group * (p.x + 0.5) + each * (place - places / 2.0);
        double y = scale_at(&d->y, p.y), zero = scale_at(&d->y, 0);
        double top = y < zero ? y : zero, high = fabs(y - zero);
        weir_buf_addf(d->out,
                      "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
                      class, left + 0.75, top, each - 1.5, high > 0.5 ? high : 0.5);
        add_title(d, s, d->f->categories.at[category], p.y);
        weir_buf_adds(d->out, "</rect>\n");
        if (each >= 26) {
            char value[32];
            snprintf(value, sizeof value, fabs(p.y) >= 1000 ? "%.0f" : "%.3g", p.y);
            text(d, "tv", left + each / 2, top - 4, value);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void draw_series(drawing *d, int at)
{
    int places = 0, place = 0;
    for (size_t i = 0; i < d->f->series.count; i++)
        places += d->f->series.at[i].panel == at;
    for (size_t i = 0; i < d->f->series.count; i++) {
        const series *s = &d->f->series.at[i];
        if (s->panel != at)
            continue;
        if (d->f->kind == WEIR_BARS)
            draw_bars(d, s, place++, places);
        else
            draw_line(d, s);
    }
}

static void draw_panel(drawing *d, int at, bool first, bool last)
{
    const panel *p = &d->f->panels.at[at];
    WEIR_BUF(title);
    weir_buf_addf(&title, "%s%s%s", p->title, *p->unit ? ", " : "", p->unit);
    text(d, "tp", LEFT, d->top - 9, title.at ? title.at : "");
    d->y = scale_of_panel(d->f, at, d->top, d->bottom);
    draw_y_axis(d);
    if (d->f->kind == WEIR_LINES)
        draw_x_ticks(d, false);
    draw_events(d, first);
    draw_series(d, at);
    line(d, "axis", LEFT, d->bottom, WIDTH - RIGHT, d->bottom);
    if (d->f->kind == WEIR_LINES && last)
        draw_x_ticks(d, true);
    if (d->f->kind == WEIR_BARS && last)
        draw_categories(d);
}

static bool all_whole(const weir_figure *f)
{
    for (size_t i = 0; i < f->series.count; i++)
        for (size_t k = 0; k < f->series.at[i].points.count; k++)
            if (f->series.at[i].points.at[k].x != floor(f->series.at[i].points.at[k].x))
                return false;
    return true;
}

static scale x_scale(const weir_figure *f)
{
    range r = range_of(f, -1);
    for (size_t i = 0; i < f->events.count; i++)
        widen(&r, f->events.at[i].x);
    if (f->log_x)
        return scale_make(r.low, r.high, true, 8, LEFT, WIDTH - RIGHT);
    int wanted = r.high - r.low < 8 && all_whole(f) ? (int)(r.high - r.low) : 8;
    return scale_exact(r.low, r.high, wanted > 0 ? wanted : 1, LEFT, WIDTH - RIGHT);
}

void report_svg(const weir_figure *f, weir_buf *out)
{
    int count = (int)f->panels.count, high = count > 1 ? MANY_HIGH : ONE_HIGH;
    int total = count * (TITLE + high) + AXIS + (count - 1) * 8;
    drawing d = {.f = f, .out = out, .x = x_scale(f)};
    weir_buf_addf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, total);
    report_escape(out, f->caption);
    weir_buf_adds(out, "\">\n");
    for (int i = 0; i < count; i++) {
        d.top = i * (TITLE + high + 8) + TITLE;
        d.bottom = d.top + high;
        draw_panel(&d, i, i == 0, i == count - 1);
    }
    text(&d, "tl", LEFT + (WIDTH - LEFT - RIGHT) / 2.0, total - 5, f->x_label);
    weir_buf_adds(out, "</svg>\n");
}
