/* cli/train/show.c - events as a bar, as lines or as JSON, and the sum at the end. */
#include "cli/train/show.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/progress.h"
#include "proc/lines.h"

enum { SMOOTH = 5 };

struct train_show {
    train_show_options o;
    train_worker *workers;
    bool bar_is_up, announced;
    int64_t bar_step; /* the global step that the bar shows */
    train_event test; /* the last one; its accuracy is below 0 while there was none */
    char checkpoint[1024];
};

train_show *train_show_create(const train_show_options *o)
{
    train_show *s = WEIR_NEW(train_show);
    s->o = *o;
    s->workers = WEIR_NEW_ARRAY(train_worker, o->workers);
    s->test.accuracy = -1;
    return s;
}

void train_show_destroy(train_show *s)
{
    if (!s)
        return;
    weir_free(s->workers);
    weir_free(s);
}

const train_worker *train_show_worker(const train_show *s, int i)
{
    return &s->workers[i];
}

/* ---- sums -------------------------------------------------------------------------------------
 */

/* What is known of a worker by now. */
static const train_event *figures(const train_worker *w)
{
    return w->done.kind == TRAIN_DONE ? &w->done : &w->latest;
}

void train_show_sum(const train_show *s, train_sum *out)
{
    *out = (train_sum){.accuracy = s->test.accuracy,
                       .tested = s->test.examples,
                       .checkpoint = s->checkpoint,
                       .workers = s->o.workers};
    double losses = 0, first = 0;
    int counted = 0;
    for (int i = 0; i < s->o.workers; i++) {
        const train_event *e = figures(&s->workers[i]);
        out->steps = e->step > out->steps ? e->step : out->steps;
        out->examples += e->examples;
        out->seconds = e->seconds > out->seconds ? e->seconds : out->seconds;
        out->interrupted |= e->interrupted;
        if (!e->steps)
            continue;
        losses += e->loss;
        first += e->first_loss;
        counted++;
    }
    out->loss = counted ? losses / counted : NAN;
    out->first_loss = counted ? first / counted : NAN;
    out->examples_per_s = out->seconds > 0 ? (double)out->examples / out->seconds : 0;
}

/* Of all workers, lately. */
static double rate_now(const train_show *s)
{
    double sum = 0;
    for (int i = 0; i < s->o.workers; i++)
        if (!s->workers[i].ended)
            sum += s->workers[i].latest.examples_per_s;
    return sum;
}

static double loss_now(const train_show *s)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->o.workers; i++)
        if (s->workers[i].latest.steps) {
            sum += s->workers[i].latest.loss;
            count++;
        }
    return count ? sum / count : NAN;
}

void train_show_now(const train_show *s, double *out_loss, double *out_examples_per_s)
{
    *out_loss = loss_now(s);
    *out_examples_per_s = rate_now(s);
}

static void put_time(weir_buf *out, double seconds)
{
    long s = seconds > 0 ? lround(seconds) : 0;
    if (s >= 3600)
        weir_buf_addf(out, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        weir_buf_addf(out, "%ld:%02ld", s / 60, s % 60);
}

/* ---- the bar ----------------------------------------------------------------------------------
 */

void train_show_line(train_show *s, const char *line)
{
    if (s->o.output == TRAIN_TEXT)
        weir_progress_print("%s%s%s", s->o.name ? s->o.name : "", s->o.name ? ": " : "", line);
}

/* Workers tell of the same steps, in any order; a recovery may go back. */
static void move_bar(train_show *s, const train_event *e)
{
    if (!s->bar_is_up) {
        weir_progress_begin(s->o.title, e->last_step, "steps");
        weir_progress_skip(s->bar_step);
        s->bar_is_up = true;
    }
    char test[32] = "";
    if (s->test.accuracy >= 0)
        snprintf(test, sizeof test, ", test %.2f %%", s->test.accuracy * 100);
    weir_progress_note("%.0f examples/s, loss %.4f%s", rate_now(s), loss_now(s), test);
    int64_t ahead = e->step - s->bar_step;
    weir_progress_add(ahead > 0 ? ahead : 0);
    s->bar_step = ahead > 0 ? e->step : s->bar_step;
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void on_start(train_show *s, const train_event *e)
{
    s->workers[e->worker].started = true;
    if (!s->bar_is_up)
        s->bar_step = e->step;
    if (!s->announced && e->text[0] && !s->o.quiet)
        train_show_line(s, e->text);
    s->announced = true;
}

static void on_step(train_show *s, const train_event *e)
{
    train_event *latest = &s->workers[e->worker].latest;
    double before = latest->examples_per_s;
    *latest = *e;
    if (before > 0) /* a step more or less in a tenth of a second shall not make it jump */
        latest->examples_per_s = before + (e->examples_per_s - before) / SMOOTH;
    if (s->o.output == TRAIN_TEXT)
        move_bar(s, e);
}

static void on_test(train_show *s, const train_event *e)
{
    s->test = *e;
    WEIR_BUF(line);
    if (e->epoch > 0)
        weir_buf_addf(&line, "epoch %.3g  ", e->epoch);
    weir_buf_addf(&line, "step %lld  test loss %.4f", (long long)e->step, e->loss);
    if (e->accuracy >= 0)
        weir_buf_addf(&line, "  test accuracy %.2f %% of %lld", e->accuracy * 100,
                      (long long)e->examples);
    weir_buf_adds(&line, "  after ");
    put_time(&line, e->seconds);
    if (!s->o.quiet)
        train_show_line(s, line.at);
}

static void on_done(train_show *s, const train_event *e)
{
    s->workers[e->worker].done = *e;
    s->workers[e->worker].ended = true;
}

void train_show_event(void *show, const train_event *e)
{
    train_show *s = show;
    if (e->worker < 0 || e->worker >= s->o.workers)
        return;
    if (s->o.output == TRAIN_JSON) {
        WEIR_BUF(line);
        train_event_write(e, &line);
        run_write(STDOUT_FILENO, &line);
    }
    switch (e->kind) {
    case TRAIN_START:
        on_start(s, e);
        return;
    case TRAIN_STEP:
        on_step(s, e);
        return;
    case TRAIN_TEST:
        on_test(s, e);
        return;
    case TRAIN_SAVED:
        snprintf(s->checkpoint, sizeof s->checkpoint, "%s", e->text);
        return;
    case TRAIN_NOTE:
        train_show_line(s, e->text);
        return;
    case TRAIN_DONE:
        on_done(s, e);
        return;
    case TRAIN_EVENT_KINDS:
        return;
    }
}

/* ---- the end ----------------------------------------------------------------------------------
 */

static void print_summary(const train_show *s, const train_sum *sum)
{
    WEIR_BUF(out);
    weir_buf_addf(&out, "%s after %lld steps in ", sum->interrupted ? "Interrupted" : "Done",
                  (long long)sum->steps);
    put_time(&out, sum->seconds);
    if (sum->examples)
        weir_buf_addf(&out, ", %.*f examples/s", sum->examples_per_s < 10 ? 2 : 0,
                      sum->examples_per_s);
    weir_buf_addf(&out, "; loss %.4f", sum->loss);
    if (sum->accuracy >= 0)
        weir_buf_addf(&out, "; test accuracy %.2f %% (%lld of %lld)", sum->accuracy * 100,
                      (long long)llround(sum->accuracy * (double)sum->tested),
                      (long long)sum->tested);
    weir_buf_adds(&out, "\n");
    for (int i = 0; s->o.workers > 1 && i < s->o.workers; i++) {
        const train_event *e = figures(&s->workers[i]);
        if (!s->workers[i].started)
            continue; /* another process's */
        weir_buf_addf(&out, "  worker %-2d %8lld steps  %8.0f examples/s  loss %.4f\n", i,
                      (long long)e->steps, e->examples_per_s, e->loss);
    }
    if (sum->checkpoint[0])
        weir_buf_addf(&out, "Checkpoint: %s\n", sum->checkpoint);
    fwrite(out.at, 1, out.length, stdout);
    fflush(stdout);
}

static void put_number(weir_buf *out, const char *name, double value)
{
    weir_buf_addf(out, ", \"%s\": ", name);
    train_json_number(out, value);
}

static void put_worker(weir_buf *out, int i, bool more, const train_event *e)
{
    weir_buf_addf(out, "%s{\"worker\": %d, \"steps\": %lld, \"examples\": %lld", more ? ", " : "",
                  i, (long long)e->steps, (long long)e->examples);
    put_number(out, "seconds", e->seconds);
    put_number(out, "examples_per_s", e->examples_per_s);
    put_number(out, "loss", e->loss);
    weir_buf_adds(out, "}");
}

static void write_summary(const train_show *s, const train_sum *sum)
{
    WEIR_BUF(out);
    weir_buf_addf(&out, "{\"event\": \"summary\", \"steps\": %lld, \"examples\": %lld",
                  (long long)sum->steps, (long long)sum->examples);
    put_number(&out, "seconds", sum->seconds);
    put_number(&out, "examples_per_s", sum->examples_per_s);
    put_number(&out, "first_loss", sum->first_loss);
    put_number(&out, "loss", sum->loss);
    put_number(&out, "accuracy", sum->accuracy >= 0 ? sum->accuracy : NAN);
    weir_buf_addf(&out,
                  ", \"interrupted\": %s, \"checkpoint\": ", sum->interrupted ? "true" : "false");
    if (sum->checkpoint[0])
        train_json_text(&out, sum->checkpoint);
    else
        weir_buf_adds(&out, "null");
    weir_buf_adds(&out, ", \"workers\": [");
    for (int i = 0, told = 0; i < s->o.workers; i++)
        if (s->workers[i].started)
            put_worker(&out, i, told++ > 0, figures(&s->workers[i]));
    weir_buf_adds(&out, "]}\n");
    run_write(STDOUT_FILENO, &out);
}

void train_show_end(train_show *s, bool summary)
{
    train_sum sum;
    if (s->bar_is_up)
        weir_progress_drop();
    s->bar_is_up = false;
    if (!summary)
        return;
    train_show_sum(s, &sum);
    if (s->o.output == TRAIN_JSON)
        write_summary(s, &sum);
    else
        print_summary(s, &sum);
}
