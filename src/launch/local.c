/* launch/local.c - the two processes of a task, and who waits in join. */
#include "launch/local.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "proc/spawn.h"

enum {
    SERVER_END_MS = 1200, /* after which a server that was told to end is killed */
    PS_NICENESS = 10,     /* a ps's program mostly waits: its start should not slow the workers' */
};

/* A program in join(). */
typedef struct joiner {
    run_local *task;
    run_lines lines;
    bool main; /* in its main thread: it does nothing else */
} joiner;

struct run_local {
    run_loop *loop;
    run_local_options o;
    run_events on;
    char *target;
    pid_t server, program; /* 0: not running */
    pid_t group;           /* the program's, to end its children by */
    int lifeline;          /* the server's standard input: it ends when this is closed */
    run_lines server_out, server_err, out, err;
    int control; /* listening socket that joins come to */
    char control_path[108];
    WEIR_VEC(joiner *) joiners;
    int restarts;
    bool begun, ended, finished, closing, joined;
};

/* ---- telling -------------------------------------------------------------------------------- */

static void say(run_local *t, const char *fmt, ...) WEIR_PRINTF(2, 3);
static void say(run_local *t, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    size_t length = n < (int)sizeof text ? (size_t)n : sizeof text - 1;
    t->on.line(t->on.arg, 2, (weir_str){text, length});
}

static void on_out(void *arg, weir_str line)
{
    run_local *t = arg;
    t->on.line(t->on.arg, 1, line);
}

static void on_err(void *arg, weir_str line)
{
    run_local *t = arg;
    t->on.line(t->on.arg, 2, line);
}

static void check_gone(run_local *t)
{
    if (t->closing && !t->server && !t->program) {
        run_loop_forget_timers(t->loop, t);
        t->on.gone(t->on.arg);
    }
}

static void end(run_local *t, int status)
{
    if (t->ended)
        return;
    t->ended = true;
    t->on.ended(t->on.arg, status);
}

/* ---- the server ----------------------------------------------------------------------------- */

static void on_target(void *arg, weir_str line)
{
    run_local *t = arg;
    if (strncmp(line.at, "grpc://", line.length < 7 ? line.length : 7) != 0) {
        t->on.line(t->on.arg, 1, line);
        return;
    }
    weir_free(t->target);
    t->target = weir_strndup(line.at, line.length);
    if (!t->begun)
        t->on.ready(t->on.arg);
}

static void server_ended(void *arg, int status)
{
    run_local *t = arg;
    t->server = 0;
    run_lines_drain(&t->server_err);
    run_lines_close(&t->server_err);
    run_lines_close(&t->server_out);
    close(t->lifeline);
    bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (t->closing) {
        check_gone(t);
    } else if (!clean && t->target && t->restarts < t->o.restarts) {
        say(t, "weir: the server is started again (%d of %d)", ++t->restarts, t->o.restarts);
        run_local_serve(t);
    } else if (!clean) {
        if (t->target)
            say(t, "weir: the server ended by %s %d",
                WIFSIGNALED(status) ? "signal" : "exit status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        run_local_signal(t, SIGTERM);
        end(t, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    }
}

static void exec_server(run_local *t)
{
    char index[16];
    weir_buf spec = {0};
    snprintf(index, sizeof index, "%d", t->o.index);
    weir_cluster_config_print(t->o.cluster, &spec);
    const char *words[] = {"weir",        "server", "--cluster_spec", spec.at,
                           "--job_name",  t->o.job, "--task_index",   index,
                           "--until_eof", NULL};
    execv(run_binary(), (char **)words);
    fprintf(stderr, "weir: cannot run %s: %s\n", run_binary(), strerror(errno));
    _exit(127);
}

void run_local_serve(run_local *t)
{
    int in[2];
    if (!weir_cluster_config_find(t->o.cluster, t->o.job, t->o.index)) {
        t->on.ready(t->on.arg); /* an evaluator, which is in no cluster */
        return;
    }
    if (pipe2(in, O_CLOEXEC) < 0)
        return end(t, 1);
    t->server_out = (run_lines){.line = on_target, .arg = t};
    t->server_err = (run_lines){.line = on_err, .arg = t};
    pid_t pid = run_spawn(t->loop, in[0], &t->server_out, &t->server_err);
    if (pid == 0)
        exec_server(t);
    close(in[0]);
    t->lifeline = in[1];
    if (pid < 0)
        return end(t, 1);
    t->server = pid;
    run_loop_child(t->loop, pid, server_ended, t);
}

/* ---- joins ---------------------------------------------------------------------------------- */

static void tell_joined(run_local *t)
{
    bool joined = t->o.no_program;
    for (size_t i = 0; i < t->joiners.count; i++)
        joined |= t->joiners.at[i]->main;
    if (joined != t->joined) {
        t->joined = joined;
        t->on.joined(t->on.arg, joined);
    }
}

static void on_joiner(void *arg, weir_str line)
{
    joiner *j = arg;
    j->main = weir_str_is(line, "join");
    if (j->task->finished)
        shutdown(j->lines.fd, SHUT_WR); /* nothing to wait for any more */
    else
        tell_joined(j->task);
}

static void joiner_left(void *arg)
{
    joiner *j = arg;
    run_local *t = j->task;
    for (size_t i = 0; i < t->joiners.count; i++)
        if (t->joiners.at[i] == j)
            t->joiners.at[i--] = t->joiners.at[--t->joiners.count];
    weir_free(j);
    if (!t->finished)
        tell_joined(t);
}

static void on_control(void *arg)
{
    run_local *t = arg;
    int fd = accept4(t->control, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    joiner *j = WEIR_NEW(joiner);
    *j = (joiner){.task = t, .lines = {.line = on_joiner, .ended = joiner_left, .arg = j}};
    run_lines_open(&j->lines, t->loop, fd);
    weir_vec_push(&t->joiners, j);
}

static void listen_for_joins(run_local *t)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(t->control_path, sizeof t->control_path, "%s/%s-%d", t->o.hook, t->o.job, t->o.index);
    memcpy(a.sun_path, t->control_path, sizeof a.sun_path);
    t->control = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (bind(t->control, (struct sockaddr *)&a, sizeof a) == 0 && listen(t->control, 64) == 0)
        run_loop_watch(t->loop, t->control, on_control, t);
}

void run_local_finish(run_local *t)
{
    t->finished = true;
    for (size_t i = 0; i < t->joiners.count; i++)
        shutdown(t->joiners.at[i]->lines.fd, SHUT_WR); /* it then leaves */
    if (t->o.no_program)
        end(t, 0);
}

/* ---- the program ---------------------------------------------------------------------------- */

static void set_environment(const run_local *t)
{
    weir_buf config = {0}, spec = {0}, path = {0};
    char task[160], pid[16];
    const char *before = weir_env_get()->python_path;
    run_tf_config(t->o.cluster, t->o.job, t->o.index, &config);
    weir_cluster_config_print(t->o.cluster, &spec);
    weir_buf_addf(&path, "%s%s%s", t->o.hook, before ? ":" : "", before ? before : "");
    snprintf(task, sizeof task, "%s:%d", t->o.job, t->o.index);
    snprintf(pid, sizeof pid, "%d", (int)t->server);
    setenv("TF_CONFIG", config.at, 1);
    setenv("PYTHONPATH", path.at, 1);
    setenv("PYTHONUNBUFFERED", "1", 0); /* lines come when they are printed */
    setenv("WEIR_RUN_BINARY", run_binary(), 1);
    setenv("WEIR_RUN_CLUSTER", spec.at ? spec.at : "", 1);
    setenv("WEIR_RUN_CONTROL", t->control_path, 1);
    setenv("WEIR_RUN_SERVER_PID", pid, 1);
    setenv("WEIR_RUN_TARGET", t->target ? t->target : "", 1);
    setenv("WEIR_RUN_TASK", task, 1);
}

static void exec_program(run_local *t)
{
    run_words words = {0};
    run_program_words(t->o.program, t->o.cluster, t->o.job, t->o.index, &words);
    set_environment(t);
    if (strcmp(t->o.job, "ps") == 0 && nice(PS_NICENESS) < 0)
        errno = 0; /* then it is not nicer */
    execvp(words.at[0], words.at);
    fprintf(stderr, "weir: cannot run '%s': %s\n", words.at[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static void program_ended(void *arg, int status)
{
    run_local *t = arg;
    t->program = 0;
    run_lines_drain(&t->out);
    run_lines_drain(&t->err);
    run_lines_close(&t->out);
    run_lines_close(&t->err);
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (code && !t->closing && !t->finished && !t->ended && t->restarts < t->o.restarts) {
        say(t, "weir: ended by status %d; it is started again (%d of %d)", code, ++t->restarts,
            t->o.restarts);
        run_local_begin(t);
        return;
    }
    end(t, code);
    check_gone(t);
}

void run_local_begin(run_local *t)
{
    t->begun = true;
    if (t->o.no_program) {
        tell_joined(t);
        return;
    }
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    t->out = (run_lines){.line = on_out, .arg = t};
    t->err = (run_lines){.line = on_err, .arg = t};
    pid_t pid = run_spawn(t->loop, in, &t->out, &t->err);
    if (pid == 0)
        exec_program(t);
    close(in);
    if (pid < 0)
        return end(t, 1);
    t->program = t->group = pid;
    run_loop_child(t->loop, pid, program_ended, t);
}

/* ---- the end -------------------------------------------------------------------------------- */

void run_local_signal(run_local *t, int signal_number)
{
    if (t->program)
        kill(-t->program, signal_number);
    else if (signal_number == SIGKILL || signal_number == SIGTERM)
        end(t, 128 + signal_number); /* not begun: nothing has to be waited for */
}

static void kill_server(void *arg)
{
    run_local *t = arg;
    if (t->server)
        kill(t->server, SIGKILL);
}

void run_local_close(run_local *t)
{
    t->closing = true;
    run_local_finish(t);
    if (t->group)
        kill(-t->group, SIGKILL); /* the program is over; what it left behind goes too */
    if (t->server) {
        kill(t->server, SIGTERM);
        run_loop_after(t->loop, SERVER_END_MS, kill_server, t);
    }
    check_gone(t);
}

run_local *run_local_create(run_loop *loop, const run_local_options *o, const run_events *events)
{
    run_local *t = WEIR_NEW(run_local);
    *t = (run_local){.loop = loop, .o = *o, .on = *events, .lifeline = -1, .control = -1};
    listen_for_joins(t);
    return t;
}

void run_local_destroy(run_local *t)
{
    if (!t)
        return;
    run_loop_forget(t->loop, t->control);
    close(t->control);
    run_loop_forget_timers(t->loop, t);
    run_lines_close(&t->server_out);
    run_lines_close(&t->server_err);
    run_lines_close(&t->out);
    run_lines_close(&t->err);
    for (size_t i = 0; i < t->joiners.count; i++) {
        run_lines_close(&t->joiners.at[i]->lines);
        weir_free(t->joiners.at[i]);
    }
    weir_vec_fini(&t->joiners);
    weir_free(t->target);
    weir_free(t);
}
