/* cli/train/show.c - shows events as a bar, as lines or as JSON, and a summary at the end. */
#include "cli/train/show.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "command/progress.h"
#include "proc/lines.h"

enum { SMOOTH = 5 };

struct train_show {
    train_show_options o;
    train_worker *workers;
    bool bar_is_up, announced;
    int64_t bar_step; /* the global step that the bar shows */
    train_event test; /* the last one; accuracy is below 0 if there was none */
    char checkpoint[1024];
    int64_t wait_said_ns; /* when a long wait was last reported; 0: never */
};

train_show *train_show_create(const train_show_options *options)
{
    train_show *show = WEIR_NEW(train_show);
    show->o = *options;
    show->workers = WEIR_NEW_ARRAY(train_worker, options->workers);
    show->test.accuracy = -1;
    WEIR_BUF(header);
    if (options->output == TRAIN_CSV)
        train_event_csv_header(&header);
    run_write(STDOUT_FILENO, &header);
    return show;
}

void train_show_destroy(train_show *show)
{
    if (!show)
        return;
    weir_free(show->workers);
    weir_free(show);
}

/* ---- summaries ------------------------------------------------------------------------------- */

/* The current figures of a worker. */
static const train_event *figures(const train_worker *worker)
{
    return worker->done.kind == TRAIN_DONE ? &worker->done : &worker->latest;
}

void train_show_sum(const train_show *show, train_sum *out)
{
    *out = (train_sum){.accuracy = show->test.accuracy,
                       .tested = show->test.examples,
                       .checkpoint = show->checkpoint,
                       .workers = show->o.workers};
    double losses = 0, first = 0;
    int counted = 0;
    for (int i = 0; i < show->o.workers; i++) {
        const train_event *event = figures(&show->workers[i]);
        out->steps = event->step > out->steps ? event->step : out->steps;
        out->examples += event->examples;
        out->seconds = event->seconds > out->seconds ? event->seconds : out->seconds;
        out->interrupted |= event->interrupted;
        if (!event->steps)
            continue;
        losses += event->loss;
        first += event->first_loss;
        counted++;
    }
    out->loss = counted ? losses / counted : NAN;
    out->first_loss = counted ? first / counted : NAN;
    out->examples_per_s = out->seconds > 0 ? (double)out->examples / out->seconds : 0;
}

/* Current rate of all workers. */
static double rate_now(const train_show *show)
{
    double sum = 0;
    for (int i = 0; i < show->o.workers; i++)
        if (!show->workers[i].ended)
            sum += show->workers[i].latest.examples_per_s;
    return sum;
}

static double loss_now(const train_show *show)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < show->o.workers; i++)
        if (show->workers[i].latest.steps) {
            sum += show->workers[i].latest.loss;
            count++;
        }
    return count ? sum / count : NAN;
}

void train_show_now(const train_show *show, double *out_loss, double *out_examples_per_s)
{
    *out_loss = loss_now(show);
    *out_examples_per_s = rate_now(show);
}

void train_show_time(weir_buf *out, double seconds)
{
    long s = seconds > 0 ? lround(seconds) : 0;
    if (seconds < 0.01)
        weir_buf_addf(out, "%.2g ms", fmax(seconds, 0) * 1e3);
    else if (seconds < 1)
        weir_buf_addf(out, "%.0f ms", seconds * 1e3);
    else if (s < 60)
        weir_buf_addf(out, "%.*f s", seconds < 10 ? 2 : 1, seconds);
    else if (s >= 3600)
        weir_buf_addf(out, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        weir_buf_addf(out, "%ld:%02ld", s / 60, s % 60);
}

/* Formats a loss of any magnitude with a useful number of digits. */
static void put_loss(weir_buf *out, double loss)
{
    bool plain = loss == 0 || (fabs(loss) >= 1e-3 && fabs(loss) < 1e5);
    weir_buf_addf(out, plain ? "%.4f" : "%.4g", loss);
}

/* ---- the bar --------------------------------------------------------------------------------- */

void train_show_line(train_show *show, const char *line)
{
    if (show->o.output == TRAIN_TEXT)
        weir_progress_print("%s%s%s", show->o.name ? show->o.name : "", show->o.name ? ": " : "",
                            line);
}

/* Workers report the same steps in any order; a recovery may go back. */
static void move_bar(train_show *show, const train_event *event)
{
    if (!show->bar_is_up) {
        weir_progress_begin(show->o.title, event->last_step, "steps");
        weir_progress_skip(show->bar_step);
        show->bar_is_up = true;
    }
    char test[32] = "";
    if (show->test.accuracy >= 0)
        snprintf(test, sizeof test, ", test %.2f %%", show->test.accuracy * 100);
    WEIR_BUF(loss);
    put_loss(&loss, loss_now(show));
    weir_progress_note("loss %s%s, %.0f examples/s", loss.at, test, rate_now(show));
    int64_t ahead = event->step - show->bar_step;
    weir_progress_add(ahead > 0 ? ahead : 0);
    show->bar_step = ahead > 0 ? event->step : show->bar_step;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void on_start(train_show *show, const train_event *event)
{
    show->workers[event->worker].started = true;
    if (!show->bar_is_up)
        show->bar_step = event->step;
    if (!show->announced && event->text[0] && !show->o.quiet)
        train_show_line(show, event->text);
    show->announced = true;
}

static void on_step(train_show *show, const train_event *event)
{
    train_event *latest = &show->workers[event->worker].latest;
    double before = latest->examples_per_s;
    show->workers[event->worker].waits = false;
    *latest = *event;
    if (before > 0) /* smooths out the jitter of a step more or less per interval */
        latest->examples_per_s = before + (event->examples_per_s - before) / SMOOTH;
    if (show->o.output == TRAIN_TEXT)
        move_bar(show, event);
}

static void on_test(train_show *show, const train_event *event)
{
    show->test = *event;
    WEIR_BUF(line);
    if (event->epoch >= 0.01)
        weir_buf_addf(&line, "epoch %.*f  ", event->epoch == floor(event->epoch) ? 0 : 2,
                      event->epoch);
    weir_buf_addf(&line, "step %lld  test loss ", (long long)event->step);
    put_loss(&line, event->loss);
    if (event->accuracy >= 0)
        weir_buf_addf(&line, "  test accuracy %.2f %% of %lld", event->accuracy * 100,
                      (long long)event->examples);
    if (event->seconds >= 1e-4) { /* else there was no step before it */
        weir_buf_adds(&line, "  after ");
        train_show_time(&line, event->seconds);
    }
    if (!show->o.quiet)
        train_show_line(show, line.at);
}

/* The missing tasks: workers that neither wait themselves nor are done. */
static void put_missing(const train_show *show, weir_buf *out)
{
    int started = 0;
    for (int i = 0; i < show->o.workers; i++) {
        const train_worker *worker = &show->workers[i];
        started += worker->started;
        if (worker->started && !worker->ended && !worker->waits)
            weir_buf_addf(out, "%s %d", out->length ? " and worker" : "worker", i);
    }
    if (!out->length && started == 1)
        weir_buf_adds(out, "other workers"); /* displayed by other processes */
}

/* One second after the first report, the other waiting workers have reported too. */
static void on_wait(train_show *show, const train_event *event)
{
    const int64_t again_ns = 5000000000;
    const double first_s = 3.5;
    WEIR_BUF(missing);
    int64_t now = weir_now_ns();
    show->workers[event->worker].waits = true;
    if (event->waited < first_s || (show->wait_said_ns && now - show->wait_said_ns < again_ns))
        return;
    if (event->text[0])
        weir_buf_adds(&missing, event->text);
    else
        put_missing(show, &missing);
    if (!missing.length)
        return; /* none is missing: it continues */
    show->wait_said_ns = now;
    weir_progress_erase();
    fprintf(stderr, "step %lld has waited %.0f s for %s\n", (long long)event->step, event->waited,
            missing.at);
}

static void on_done(train_show *show, const train_event *event)
{
    show->workers[event->worker].done = *event;
    show->workers[event->worker].ended = true;
}

/* Machine-readable: a line of JSON or CSV. */
static void write_event(train_show *show, const train_event *event)
{
    WEIR_BUF(line);
    if (show->o.output == TRAIN_JSON)
        train_event_write(event, &line);
    else
        train_event_write_csv(event, &line);
    run_write(STDOUT_FILENO, &line);
}

void train_show_event(void *show, const train_event *event)
{
    train_show *train_show = show;
    if (event->worker < 0 || event->worker >= train_show->o.workers)
        return;
    if (train_show->o.output != TRAIN_TEXT)
        write_event(train_show, event);
    switch (event->kind) {
    case TRAIN_START:
        on_start(train_show, event);
        return;
    case TRAIN_STEP:
        on_step(train_show, event);
        return;
    case TRAIN_TEST:
        on_test(train_show, event);
        return;
    case TRAIN_SAVED:
        snprintf(train_show->checkpoint, sizeof train_show->checkpoint, "%s", event->text);
        return;
    case TRAIN_NOTE:
        train_show_line(train_show, event->text);
        return;
    case TRAIN_WAIT:
        on_wait(train_show, event);
        return;
    case TRAIN_DONE:
        on_done(train_show, event);
        return;
    case TRAIN_PERMANENT:
    case TRAIN_END:
    case TRAIN_ERROR:
    case TRAIN_EVENT_KINDS:
        return;
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

static void put_workers(const train_show *show, const train_sum *sum, weir_buf *out)
{
    for (int i = 0; show->o.workers > 1 && i < show->o.workers; i++) {
        const train_event *event = figures(&show->workers[i]);
        if (!show->workers[i].started)
            continue; /* in another process */
        double rate = sum->seconds > 0 ? (double)event->examples / sum->seconds : 0;
        weir_buf_addf(out, "  worker %-2d %8lld step%s %9.0f examples/s  loss ", i,
                      (long long)event->steps, event->steps == 1 ? " " : "s", rate);
        if (event->steps)
            put_loss(out, event->loss);
        else
            weir_buf_addc(out, '-');
        weir_buf_adds(out, "\n");
    }
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_summary(const train_show *show, const train_sum *sum)
{
    WEIR_BUF(out);
    bool trained = !isnan(sum->loss);
    if (!trained && !sum->interrupted)
        weir_buf_addf(&out,
                      "Nothing to train: step %lld is reached already; a larger --steps or "
                      "--epochs goes on",
                      (long long)sum->steps);
    else
        weir_buf_addf(&out, "%s after %lld step%s in ", sum->interrupted ? "Interrupted" : "Done",
                      (long long)sum->steps, plural(sum->steps));
    if (trained || sum->interrupted)
        train_show_time(&out, sum->seconds);
    if (sum->examples)
        weir_buf_addf(&out, ", %.*f examples/s", sum->examples_per_s < 10 ? 2 : 0,
                      sum->examples_per_s);
    if (trained) {
        weir_buf_adds(&out, "; loss ");
        put_loss(&out, sum->loss);
    }
    if (sum->accuracy >= 0)
        weir_buf_addf(&out, "; test accuracy %.2f %% (%lld of %lld)", sum->accuracy * 100,
                      (long long)llround(sum->accuracy * (double)sum->tested),
                      (long long)sum->tested);
    weir_buf_adds(&out, "\n");
    put_workers(show, sum, &out);
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

static void put_worker(weir_buf *out, int i, bool more, const train_event *event)
{
    weir_buf_addf(out, "%s{\"worker\": %d, \"steps\": %lld, \"examples\": %lld", more ? ", " : "",
                  i, (long long)event->steps, (long long)event->examples);
    put_number(out, "seconds", event->seconds);
    put_number(out, "examples_per_s", event->examples_per_s);
    put_number(out, "loss", event->loss);
    weir_buf_adds(out, "}");
}

static void write_summary(const train_show *show, const train_sum *sum)
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
    for (int i = 0, told = 0; i < show->o.workers; i++)
        if (show->workers[i].started)
            put_worker(&out, i, told++ > 0, figures(&show->workers[i]));
    weir_buf_adds(&out, "]}\n");
    run_write(STDOUT_FILENO, &out);
}

/* The last line of a failed training: the cause and the status. */
static void print_failure(const train_sum *sum, int status, const char *cause)
{
    WEIR_BUF(out);
    weir_buf_addf(&out, "Failed after %lld step%s: %s; exit status %d", (long long)sum->steps,
                  plural(sum->steps), cause, status);
    if (sum->checkpoint[0])
        weir_buf_addf(&out, "; the last checkpoint is %s", sum->checkpoint);
    for (char *end; (end = strpbrk(out.at, "\n\t"));)
        *end = ' '; /* keep the cause on one line */
    fprintf(stderr, "%s\n", out.at);
}

static void write_end(train_show *show, const train_sum *sum, int status, const char *cause)
{
    train_event event = {.kind = cause ? TRAIN_ERROR : TRAIN_END,
                         .step = sum->steps,
                         .seconds = sum->seconds,
                         .status = status};
    snprintf(event.text, sizeof event.text, "%s", cause ? cause : "");
    snprintf(event.checkpoint, sizeof event.checkpoint, "%s", sum->checkpoint);
    write_event(show, &event);
}

static void drop_bar(train_show *show)
{
    if (show->bar_is_up)
        weir_progress_drop();
    show->bar_is_up = false;
}

static bool ended; /* main thread only */

bool train_show_ended(void)
{
    return ended;
}

void train_show_end(train_show *show, int status)
{
    ended = true;
    train_sum sum;
    const char *cause = status ? weir_cli_failure() : NULL; /* none: ended by a signal */
    drop_bar(show);
    train_show_sum(show, &sum);
    sum.interrupted |= status > 128 && status != WEIR_EXIT_TRY_AGAIN; /* before any event */
    if (!cause && show->o.output == TRAIN_JSON)
        write_summary(show, &sum);
    if (show->o.output != TRAIN_TEXT)
        write_end(show, &sum, status, cause);
    else if (cause)
        print_failure(&sum, status, cause);
    else
        print_summary(show, &sum);
}

void train_show_drop(train_show *show)
{
    drop_bar(show);
}
