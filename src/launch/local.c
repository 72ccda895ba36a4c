/* launch/local.c - the two processes of a task, and programs blocked in join. */
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

#include "launch/closing.h"
#include "launch/environment.h"
#include "proc/spawn.h"

enum {
    SERVER_END_MS = 1200, /* time before a server that got SIGTERM is killed */
    PS_NICENESS = 10,     /* a ps's program mostly waits; its start should not slow the workers' */
};

/* A program in join(). */
typedef struct joiner {
    run_local *task;
    run_lines lines;
    bool main; /* in its main thread, which does nothing else */
} joiner;

struct run_local {
    run_loop *loop;
    run_local_options o;
    run_events on;
    char *target;
    pid_t server, program; /* 0: not running */
    pid_t group;           /* the program's, to kill its children */
    int lifeline;          /* the server's standard input: it exits when this is closed */
    run_lines server_out, server_err, out, err;
    int control; /* listening socket for joins */
    char control_path[108];
    WEIR_VEC(joiner *) joiners;
    int restarts;
    bool begun, ended, finished, closing, joined;
};

/* ---- telling --------------------------------------------------------------------------------- */

static void say(run_local *task, const char *fmt, ...) WEIR_PRINTF(2, 3);
static void say(run_local *task, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    int size = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    size_t length = size < (int)sizeof text ? (size_t)size : sizeof text - 1;
    task->on.line(task->on.arg, 2, (weir_str){text, length});
}

static void on_out(void *arg, weir_str line)
{
    run_local *task = arg;
    task->on.line(task->on.arg, 1, line);
}

static void on_err(void *arg, weir_str line)
{
    run_local *task = arg;
    task->on.line(task->on.arg, 2, line);
}

static void check_gone(run_local *task)
{
    if (task->closing && !task->server && !task->program) {
        run_loop_forget_timers(task->loop, task);
        task->on.gone(task->on.arg);
    }
}

static void end(run_local *task, int status)
{
    if (task->ended)
        return;
    task->ended = true;
    task->on.ended(task->on.arg, status);
}

/* ---- the server ------------------------------------------------------------------------------ */

static void on_target(void *arg, weir_str line)
{
    run_local *task = arg;
    if (run_is_account(line)) {
        task->on.account(task->on.arg, line);
        return;
    }
    if (strncmp(line.at, "grpc://", line.length < 7 ? line.length : 7) != 0) {
        task->on.line(task->on.arg, 1, line);
        return;
    }
    weir_free(task->target);
    task->target = weir_strndup(line.at, line.length);
    if (!task->begun)
        task->on.ready(task->on.arg);
}

static void server_ended(void *arg, int status)
{
    run_local *task = arg;
    task->server = 0;
    run_lines_drain(&task->server_out);
    run_lines_drain(&task->server_err);
    run_lines_close(&task->server_err);
    run_lines_close(&task->server_out);
    close(task->lifeline);
    bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (task->closing) {
        check_gone(task);
    } else if (!clean && task->target && task->restarts < task->o.restarts) {
        say(task, "weir: the server " RUN_STARTED_AGAIN "%d of %d)", ++task->restarts,
            task->o.restarts);
        run_local_serve(task);
    } else if (!clean) {
        if (task->target)
            say(task, "weir: the server ended by %s %d",
                WIFSIGNALED(status) ? "signal" : "exit status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        run_local_signal(task, SIGTERM);
        end(task, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    }
}

static void exec_server(run_local *task)
{
    char index[16];
    weir_buf spec = {0};
    snprintf(index, sizeof index, "%d", task->o.index);
    weir_cluster_config_print(task->o.cluster, &spec);
    const char *words[] = {"weir",        "server",    "--cluster_spec", spec.at,
                           "--job_name",  task->o.job, "--task_index",   index,
                           "--until_eof", NULL};
    execv(run_binary(), (char **)words);
    fprintf(stderr, "weir: cannot run %s: %s\n", run_binary(), strerror(errno));
    _exit(127);
}

void run_local_serve(run_local *task)
{
    int in[2];
    if (!weir_cluster_config_find(task->o.cluster, task->o.job, task->o.index)) {
        task->on.ready(task->on.arg); /* an evaluator, which is not in the cluster */
        return;
    }
    if (pipe2(in, O_CLOEXEC) < 0)
        return end(task, 1);
    task->server_out = (run_lines){.line = on_target, .arg = task};
    task->server_err = (run_lines){.line = on_err, .arg = task};
    pid_t pid = run_spawn(task->loop, in[0], &task->server_out, &task->server_err);
    if (pid == 0)
        exec_server(task);
    close(in[0]);
    task->lifeline = in[1];
    if (pid < 0)
        return end(task, 1);
    task->server = pid;
    run_loop_child(task->loop, pid, server_ended, task);
}

/* ---- joins ----------------------------------------------------------------------------------- */

static void tell_joined(run_local *task)
{
    bool joined = task->o.no_program;
    for (size_t i = 0; i < task->joiners.count; i++)
        joined |= task->joiners.at[i]->main;
    if (joined != task->joined) {
        task->joined = joined;
        task->on.joined(task->on.arg, joined);
    }
}

static void on_joiner(void *arg, weir_str line)
{
    joiner *joiner = arg;
    joiner->main = weir_str_is(line, "join");
    if (joiner->task->finished)
        shutdown(joiner->lines.fd, SHUT_WR); /* nothing to wait for any more */
    else
        tell_joined(joiner->task);
}

static void joiner_left(void *arg)
{
    joiner *joiner = arg;
    run_local *task = joiner->task;
    for (size_t i = 0; i < task->joiners.count; i++)
        if (task->joiners.at[i] == joiner)
            task->joiners.at[i--] = task->joiners.at[--task->joiners.count];
    weir_free(joiner);
    if (!task->finished)
        tell_joined(task);
}

static void on_control(void *arg)
{
    run_local *task = arg;
    int fd = accept4(task->control, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    joiner *new_joiner = WEIR_NEW(joiner);
    *new_joiner = (joiner){.task = task,
                           .lines = {.line = on_joiner, .ended = joiner_left, .arg = new_joiner}};
    run_lines_open(&new_joiner->lines, task->loop, fd);
    weir_vec_push(&task->joiners, new_joiner);
}

static void listen_for_joins(run_local *task)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(task->control_path, sizeof task->control_path, "%s/%s-%d", task->o.hook, task->o.job,
             task->o.index);
    memcpy(address.sun_path, task->control_path, sizeof address.sun_path);
    task->control = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (bind(task->control, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen(task->control, 64) == 0)
        run_loop_watch(task->loop, task->control, on_control, task);
}

void run_local_finish(run_local *task)
{
    task->finished = true;
    for (size_t i = 0; i < task->joiners.count; i++)
        shutdown(task->joiners.at[i]->lines.fd, SHUT_WR); /* releases it from join */
    if (task->o.no_program)
        end(task, 0);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void exec_program(run_local *task)
{
    run_words words = {0};
    run_program_words(task->o.program, task->o.cluster, task->o.job, task->o.index, &words);
    run_task_environment environment = {
        .cluster = task->o.cluster,
        .job = task->o.job,
        .index = task->o.index,
        .hook = task->o.hook,
        .control = task->control_path,
        .target = task->target,
        .server = task->server,
        .tf1 = task->o.program->tf1,
    };
    run_environment_set(&environment);
    signal(SIGUSR1, SIG_IGN); /* requests to the servers; also for programs that handle them */
    signal(SIGUSR2, SIG_IGN);
    if (strcmp(task->o.job, "ps") == 0 && nice(PS_NICENESS) < 0)
        errno = 0; /* keeps its priority then */
    execvp(words.at[0], words.at);
    fprintf(stderr, "weir: cannot run '%s': %s\n", words.at[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static void program_ended(void *arg, int status)
{
    run_local *task = arg;
    task->program = 0;
    run_lines_drain(&task->out);
    run_lines_drain(&task->err);
    run_lines_close(&task->out);
    run_lines_close(&task->err);
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (code && !task->closing && !task->finished && !task->ended &&
        task->restarts < task->o.restarts) {
        say(task, "weir: ended with status %d; it " RUN_STARTED_AGAIN "%d of %d)", code,
            ++task->restarts, task->o.restarts);
        run_local_begin(task);
        return;
    }
    end(task, code);
    check_gone(task);
}

void run_local_begin(run_local *task)
{
    task->begun = true;
    if (task->o.no_program) {
        tell_joined(task);
        return;
    }
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    task->out = (run_lines){.line = on_out, .arg = task};
    task->err = (run_lines){.line = on_err, .arg = task};
    pid_t pid = run_spawn(task->loop, in, &task->out, &task->err);
    if (pid == 0)
        exec_program(task);
    close(in);
    if (pid < 0)
        return end(task, 1);
    task->program = task->group = pid;
    run_record_program(task->o.record, task->o.job, task->o.index, pid);
    run_loop_child(task->loop, pid, program_ended, task);
}

/* ---- the end --------------------------------------------------------------------------------- */

void run_local_signal(run_local *task, int signal_number)
{
    bool asks = signal_number == SIGUSR1 || signal_number == SIGUSR2;
    if (asks && task->server)
        kill(task->server, signal_number); /* requests its waits, or a trace of its next steps */
    if (task->program)
        kill(-task->program, signal_number);
    else if (signal_number == SIGKILL || signal_number == SIGTERM)
        end(task, 128 + signal_number); /* not started: nothing to wait for */
}

static void kill_server(void *arg)
{
    run_local *task = arg;
    if (task->server)
        kill(task->server, SIGKILL);
}

void run_local_close(run_local *task)
{
    task->closing = true;
    run_local_finish(task);
    if (task->group)
        kill(-task->group, SIGKILL); /* the program has exited; kills its remaining children */
    if (task->server) {
        kill(task->server, SIGTERM);
        run_loop_after(task->loop, SERVER_END_MS, kill_server, task);
    }
    check_gone(task);
}

run_local *run_local_create(run_loop *loop, const run_local_options *options,
                            const run_events *events)
{
    run_local *task = WEIR_NEW(run_local);
    *task = (run_local){.loop = loop, .o = *options, .on = *events, .lifeline = -1, .control = -1};
    listen_for_joins(task);
    return task;
}

void run_local_destroy(run_local *task)
{
    if (!task)
        return;
    run_loop_forget(task->loop, task->control);
    close(task->control);
    run_loop_forget_timers(task->loop, task);
    run_lines_close(&task->server_out);
    run_lines_close(&task->server_err);
    run_lines_close(&task->out);
    run_lines_close(&task->err);
    for (size_t i = 0; i < task->joiners.count; i++) {
        run_lines_close(&task->joiners.at[i]->lines);
        weir_free(task->joiners.at[i]);
    }
    weir_vec_fini(&task->joiners);
    weir_free(task->target);
    weir_free(task);
}
