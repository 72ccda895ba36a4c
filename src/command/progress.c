/* command/progress.c - the progress bar, and lines instead of it in a pipe. */
#include "command/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "base/str.h"
#include "command/terminal.h"

enum { DRAW_MS = 100, LINE_MS = 3000, NOTE_BYTES = 160, LEAST_BAR = 8, MOST_BAR = 40 };

/* There is one terminal, hence one bar. */
static weir_mutex lock = WEIR_MUTEX_INIT; /* over |bar| */
static struct {
    bool on, drawn; /* drawn: the bar is on the current line of the screen */
    char *what, *unit;
    int64_t total, done, skipped, start_ns;
    int64_t shown_ns, shown_done; /* time and state of the last output */
    double rate;                  /* per second, recently */
    char note[NOTE_BYTES];
} bar WEIR_GUARDED_BY(lock);

static double seconds(int64_t ns)
{
    return (double)ns * 1e-9;
}

/* "1:02:03" or "2:03". */
static void add_time(weir_buf *buf, double s)
{
    long whole = s < 0 ? 0 : s > 8640000 ? 8640000 : (long)(s + 0.5);
    if (whole >= 3600)
        weir_buf_addf(buf, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        weir_buf_addf(buf, "%ld:%02ld", whole / 60, whole % 60);
}

static void add_rate(weir_buf *buf, double rate) WEIR_REQUIRES(lock)
{
    weir_buf_addf(buf,
                  rate < 10    ? "%.2f %s/s"
                  : rate < 100 ? "%.1f %s/s"
                               : "%.0f %s/s",
                  rate, bar.unit);
}

/* Updates the smoothed rate, dominated by about the last second. */
static void update_rate(int64_t now) WEIR_REQUIRES(lock)
{
    double passed = seconds(now - bar.shown_ns);
    if (passed <= 0)
        return;
    double fresh = (double)(bar.done - bar.shown_done) / passed;
    double weight = bar.rate == 0 ? 1 : passed / (passed + 1);
    bar.rate += weight * (fresh - bar.rate);
}

typedef enum detail { SHORT, NO_RATE, FULL } detail;

/* "1200/5000 steps, 165 steps/s, ETA 0:23, loss 0.31"; SHORT: "1200/5000, loss 0.31" */
static void add_numbers(weir_buf *buf, detail detail) WEIR_REQUIRES(lock)
{
    weir_buf_addf(buf, "%lld", (long long)bar.done);
    if (bar.total)
        weir_buf_addf(buf, "/%lld", (long long)bar.total);
    if (detail > SHORT)
        weir_buf_addf(buf, " %s", bar.unit);
    if (bar.rate > 0 && detail == FULL) {
        weir_buf_adds(buf, ", ");
        add_rate(buf, bar.rate);
    }
    if (bar.total && bar.rate > 0 && detail > SHORT) {
        weir_buf_adds(buf, ", ETA ");
        add_time(buf, (double)(bar.total - bar.done) / bar.rate);
    }
    if (bar.note[0])
        weir_buf_addf(buf, ", %s", bar.note);
}

static void erase(void) WEIR_REQUIRES(lock)
{
    if (bar.drawn)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    bar.drawn = false;
}

/* The numbers that fit beside the bar, or instead of it if the window is too narrow for both: the
 * note, which matters most to the user, is dropped last. */
static void add_fitting(weir_buf *words, int room, int around) WEIR_REQUIRES(lock)
{
    for (int detail = FULL; detail >= SHORT; detail--) {
        words->length = 0;
        add_numbers(words, detail);
        int left = room - (int)words->length;
        if (!bar.total || left >= (detail == FULL ? around + LEAST_BAR : 0))
            return;
    }
}

/* The length of |line| that fits |most| columns: whole items, separated by commas, so that no
 * number is truncated to another one. */
static int whole_items(const weir_buf *line, int most)
{
    int shown = most;
    if ((int)line->length <= most)
        return most;
    while (shown > 0 && line->at[shown] != ',')
        shown--;
    return shown > 0 ? shown : most;
}

/* The bar gets the space left by the words, up to a limit. In a narrow window the rate is dropped
 * first, which the time left implies, then the bar, then unit and time; items that do not fit
 * go. */
static void draw(int columns) WEIR_REQUIRES(lock)
{
    enum { AROUND = 8 }; /* brackets, percent and spaces */
    WEIR_BUF(words);
    WEIR_BUF(line);
    weir_buf_addf(&line, "%s ", bar.what);
    add_fitting(&words, columns - 1 - (int)line.length, AROUND);
    double share = bar.total ? (double)bar.done / (double)bar.total : 0;
    share = share > 1 ? 1 : share;
    int room = columns - 1 - (int)line.length - (int)words.length - AROUND;
    if (bar.total && room >= LEAST_BAR) {
        int count = room < MOST_BAR ? room : MOST_BAR, full = (int)(share * count);
        weir_buf_addc(&line, '[');
        for (int i = 0; i < count; i++)
            weir_buf_addc(&line, i < full ? '=' : i == full ? '>' : ' ');
        weir_buf_addf(&line, "] %3d%% ", (int)(share * 100));
    }
    weir_buf_adds(&line, words.at);
    int most = columns > 1 ? columns - 1 : 0;
    bool color = weir_terminal_color(stderr);
    fprintf(stderr, "\r%s%.*s%s\033[K", color ? "\033[36m" : "", whole_items(&line, most), line.at,
            color ? "\033[0m" : "");
    fflush(stderr);
    bar.drawn = true;
}

static void show(int columns) WEIR_REQUIRES(lock)
{
    if (columns) {
        draw(columns);
        return;
    }
    WEIR_BUF(words);
    add_numbers(&words, FULL);
    if (bar.total)
        fprintf(stderr, "%s: %d%%, %s\n", bar.what, (int)(100 * bar.done / bar.total), words.at);
    else
        fprintf(stderr, "%s: %s\n", bar.what, words.at);
    fflush(stderr);
}

static void show_when_due(void) WEIR_REQUIRES(lock)
{
    int64_t now = weir_now_ns();
    int columns = weir_terminal_bar(stderr);
    if (now - bar.shown_ns < (columns ? DRAW_MS : LINE_MS) * INT64_C(1000000))
        return;
    update_rate(now);
    bar.shown_ns = now;
    bar.shown_done = bar.done;
    show(columns);
}

void weir_progress_begin(const char *what, int64_t total, const char *unit)
{
    weir_progress_end();
    weir_mutex_lock(&lock);
    memset(&bar, 0, sizeof bar);
    bar.on = true;
    bar.what = weir_strdup(what);
    bar.unit = weir_strdup(unit);
    bar.total = total > 0 ? total : 0;
    bar.start_ns = bar.shown_ns = weir_now_ns();
    if (weir_terminal_bar(stderr))
        show(weir_terminal_bar(stderr));
    weir_mutex_unlock(&lock);
}

void weir_progress_add(int64_t done)
{
    weir_mutex_lock(&lock);
    bar.done += done;
    if (bar.on)
        show_when_due();
    weir_mutex_unlock(&lock);
}

void weir_progress_skip(int64_t done)
{
    weir_mutex_lock(&lock);
    bar.done += done;
    bar.skipped += done;
    bar.shown_done += done;
    weir_mutex_unlock(&lock);
}

void weir_progress_note(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_mutex_lock(&lock);
    vsnprintf(bar.note, sizeof bar.note, fmt, args);
    weir_mutex_unlock(&lock);
    va_end(args);
}

void weir_progress_print(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_mutex_lock(&lock);
    bool again = bar.drawn;
    erase();
    vprintf(fmt, args);
    putchar('\n');
    fflush(stdout);
    if (again)
        draw(weir_terminal_bar(stderr));
    weir_mutex_unlock(&lock);
    va_end(args);
}

void weir_progress_erase(void)
{
    weir_mutex_lock(&lock);
    erase();
    weir_mutex_unlock(&lock);
}

static void close_line(void) WEIR_REQUIRES(lock)
{
    double s = seconds(weir_now_ns() - bar.start_ns);
    WEIR_BUF(buf);
    int64_t done = bar.done - bar.skipped;
    int letters = (int)strlen(bar.unit) - (done == 1); /* unit names are plural */
    weir_buf_addf(&buf, "%s: %lld %.*s in ", bar.what, (long long)done, letters, bar.unit);
    if (s < 1)
        weir_buf_addf(&buf, "%.0f ms", s * 1e3);
    else if (s < 60)
        weir_buf_addf(&buf, "%.*f s", s < 10 ? 2 : 1, s);
    else
        add_time(&buf, s);
    if (s > 0 && done) {
        weir_buf_adds(&buf, ", ");
        add_rate(&buf, (double)done / s);
    }
    if (bar.note[0])
        weir_buf_addf(&buf, ", %s", bar.note);
    fprintf(stderr, "%s\n", buf.at);
    fflush(stderr);
}

static void end(bool closing)
{
    weir_mutex_lock(&lock);
    erase();
    if (bar.on && closing)
        close_line();
    weir_free(bar.what);
    weir_free(bar.unit);
    memset(&bar, 0, sizeof bar);
    weir_mutex_unlock(&lock);
}

void weir_progress_drop(void)
{
    end(false);
}

void weir_progress_end(void)
{
    end(true);
}
