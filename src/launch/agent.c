/* launch/agent.c - a task that does what its job says. */
#include "launch/agent.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/job.h"
#include "proc/lines.h"

enum { LAST_LINES = 30 };

typedef struct agent {
    run_loop *loop;
    run_local_options o;
    run_local *task;
    run_lines orders;
    int down;
    bool forward, told_to_end, lost, closing;
    int status;
    char *last[LAST_LINES];
    int line_count;
} agent;

static void tell(agent *a, const char *word, weir_str text)
{
    WEIR_BUF(line);
    weir_buf_addf(&line, "%s%s%.*s\n", word, text.length ? " " : "", WEIR_STR_ARG(text));
    run_write(a->down, &line);
}

static void tell_number(agent *a, const char *word, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    tell(a, word, weir_str_of(text));
}

/* ---- up: what happens to the task ----------------------------------------------------------- */

static void on_ready(void *arg)
{
    tell(arg, "ready", WEIR_STR(""));
}

static void on_line(void *arg, int stream, weir_str text)
{
    agent *a = arg;
    if (a->forward) {
        tell(a, stream == 1 ? "1" : "2", text.length ? text : WEIR_STR(" "));
        return;
    }
    run_print_line(a->o.job, a->o.index, stream, text);
    char **slot = &a->last[a->line_count++ % LAST_LINES];
    weir_free(*slot);
    *slot = weir_strndup(text.at, text.length);
}

static void on_joined(void *arg, bool yes)
{
    tell_number(arg, "joined", yes);
}

static void on_ended(void *arg, int status)
{
    agent *a = arg;
    a->status = a->told_to_end ? 0 : status;
    int first = a->line_count > LAST_LINES ? a->line_count - LAST_LINES : 0;
    for (int i = first; status && i < a->line_count; i++)
        tell(a, "last", weir_str_of(a->last[i % LAST_LINES]));
    tell_number(a, "ended", status);
}

static void on_gone(void *arg)
{
    agent *a = arg;
    run_loop_stop(a->loop);
}

/* ---- down: what the job says ---------------------------------------------------------------- */

static void close_task(agent *a)
{
    if (a->closing)
        return;
    a->closing = true;
    run_local_close(a->task);
}

static void on_order(void *arg, weir_str line)
{
    agent *a = arg;
    if (weir_str_is(line, "begin")) {
        run_local_begin(a->task);
    } else if (weir_str_is(line, "finish")) {
        a->told_to_end = true;
        run_local_finish(a->task);
    } else if (weir_str_is(line, "close")) {
        close_task(a);
    } else if (line.length > 7 && memcmp(line.at, "signal ", 7) == 0) {
        int number = atoi(line.at + 7);
        a->told_to_end |= number == SIGTERM || number == SIGKILL;
        run_local_signal(a->task, number);
    }
}

static void on_lost(void *arg)
{
    agent *a = arg;
    a->lost = !a->closing;
    close_task(a);
}

/* Slurm sends signals to every task itself. */
static void on_signal(void *arg, int signal_number)
{
    agent *a = arg;
    run_local_signal(a->task, signal_number);
}

int run_agent_task(run_loop *loop, const run_local_options *o, int up, int down, bool forward)
{
    agent a = {.loop = loop, .o = *o, .down = down, .forward = forward};
    run_events events = {on_ready, on_line, on_joined, on_ended, on_gone, &a};
    a.task = run_local_create(loop, o, &events);
    a.orders = (run_lines){.line = on_order, .ended = on_lost, .arg = &a};
    run_lines_open(&a.orders, loop, up);
    run_loop_signals(loop, on_signal, &a);
    run_local_serve(a.task);
    run_loop_run(loop);
    run_lines_close(&a.orders);
    run_local_destroy(a.task);
    for (int i = 0; i < LAST_LINES; i++)
        weir_free(a.last[i]);
    if (a.lost && !a.told_to_end) {
        fprintf(stderr, "weir: %s %d ended, for the job that it belongs to did\n", o->job,
                o->index);
        return 1;
    }
    return a.status;
}
