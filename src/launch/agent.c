/* launch/agent.c - a task controlled by a remote job. */
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

static void tell(agent *agent, const char *word, weir_str text)
{
    WEIR_BUF(line);
    weir_buf_addf(&line, "%s%s%.*s\n", word, text.length ? " " : "", WEIR_STR_ARG(text));
    run_write(agent->down, &line);
}

static void tell_number(agent *agent, const char *word, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    tell(agent, word, weir_str_of(text));
}

/* ---- up: the task's events ------------------------------------------------------------------- */

static void on_ready(void *arg)
{
    tell(arg, "ready", WEIR_STR(""));
}

static void on_line(void *arg, int stream, weir_str text)
{
    agent *agent = arg;
    if (agent->forward) {
        tell(agent, stream == 1 ? "1" : "2", text.length ? text : WEIR_STR(" "));
        return;
    }
    run_print_line(agent->o.job, agent->o.index, stream, text);
    char **slot = &agent->last[agent->line_count++ % LAST_LINES];
    weir_free(*slot);
    *slot = weir_strndup(text.at, text.length);
}

static void on_joined(void *arg, bool yes)
{
    tell_number(arg, "joined", yes);
}

static void on_ended(void *arg, int status)
{
    agent *agent = arg;
    agent->status = agent->told_to_end ? 0 : status;
    int first = agent->line_count > LAST_LINES ? agent->line_count - LAST_LINES : 0;
    for (int i = first; status && i < agent->line_count; i++)
        tell(agent, "last", weir_str_of(agent->last[i % LAST_LINES]));
    tell_number(agent, "ended", status);
}

static void on_gone(void *arg)
{
    agent *agent = arg;
    run_loop_stop(agent->loop);
}

static void on_account(void *arg, weir_str line)
{
    tell(arg, "account", line);
}

/* ---- down: the job's commands ---------------------------------------------------------------- */

static void close_task(agent *agent)
{
    if (agent->closing)
        return;
    agent->closing = true;
    run_local_close(agent->task);
}

static void on_order(void *arg, weir_str line)
{
    agent *agent = arg;
    if (weir_str_is(line, "begin")) {
        run_local_begin(agent->task);
    } else if (weir_str_is(line, "finish")) {
        agent->told_to_end = true;
        run_local_finish(agent->task);
    } else if (weir_str_is(line, "close")) {
        close_task(agent);
    } else if (line.length > 7 && memcmp(line.at, "signal ", 7) == 0) {
        int number = atoi(line.at + 7);
        agent->told_to_end |= number == SIGTERM || number == SIGKILL;
        run_local_signal(agent->task, number);
    }
}

static void on_lost(void *arg)
{
    agent *agent = arg;
    agent->lost = !agent->closing;
    close_task(agent);
}

/* Slurm itself sends signals to every task. */
static void on_signal(void *arg, int signal_number)
{
    agent *agent = arg;
    run_local_signal(agent->task, signal_number);
}

int run_agent_task(run_loop *loop, const run_local_options *options, int up, int down, bool forward)
{
    agent agent = {.loop = loop, .o = *options, .down = down, .forward = forward};
    run_events events = {on_ready, on_line, on_joined, on_ended, on_gone, on_account, &agent};
    agent.task = run_local_create(loop, options, &events);
    agent.orders = (run_lines){.line = on_order, .ended = on_lost, .arg = &agent};
    run_lines_open(&agent.orders, loop, up);
    run_loop_signals(loop, on_signal, &agent);
    run_local_serve(agent.task);
    run_loop_run(loop);
    run_lines_close(&agent.orders);
    run_local_destroy(agent.task);
    for (int i = 0; i < LAST_LINES; i++)
        weir_free(agent.last[i]);
    if (agent.lost && !agent.told_to_end) {
        fprintf(stderr, "weir: %s %d ended, for the job that it belongs to did\n", options->job,
                options->index);
        return 1;
    }
    return agent.status;
}
