/* cli/train/local.c - starts, monitors and ends a cluster of processes on this machine.
 *
 * Every task is a process of this program, with flags that identify the task; it reports events as
 * JSON lines on its standard output. The rules:
 *   - parameter servers exit by themselves when every worker is done;
 *   - a failed task is restarted, up to --restarts times, if there are checkpoints to resume
 *     from and its failure may not recur; otherwise the first failure ends all tasks, is shown last
 * and gives the exit status;
 *   - signals go to the workers, which save and exit; a second one, or a time-out, ends all.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cpu.h"
#include "cli/train/train.h"
#include "command/progress.h"
#include "io/file.h"
#include "launch/job.h"
#include "proc/sockets.h"
#include "proc/spawn.h"

enum {
    LEAVE_MS = 3000, /* time for parameter servers to exit after the workers */
    CUT_SHORT_MS =
        300, /* the same if a signal ended the workers, which may not have notified them */
    INTERRUPT_MS = 30000, /* time for workers to save and exit after a signal */
    FOLLOW_MS = 1000,     /* time for the others after the chief, which saves, has exited */
    STOP_MS = 1500,       /* time to exit after a failure elsewhere */
    RESTART_MS = 200,     /* delay before a task is restarted */
    LAST_LINES = 8,       /* of a task's standard error, for the report of its failure */
};

typedef struct cluster cluster;

typedef struct task {
    cluster *c;
    const char *job; /* "ps", "worker" */
    int index;
    pid_t pid; /* 0: not running */
    run_lines out, err;
    int restarts;
    bool permanent; /* its failure would recur */
    bool ended;     /* permanently */
    int status;
    char *last[LAST_LINES]; /* a ring of its last lines */
    int line_count;
} task;

struct cluster {
    const train_options *o;
    const train_listener *listener;
    run_loop *loop;
    train_words words; /* arguments of every task */
    char *ps_hosts, *worker_hosts;
    task *tasks;
    int count, ps, workers;
    int *held;           /* descriptors that reserve the tasks' ports */
    const task *failure; /* the first */
    int interrupted;     /* the first signal; 0: none */
    int64_t step;        /* the latest that a worker reported ... */
    double seconds;      /* ... and when */
    bool stopping;       /* further failures result from stopping */
    bool regrouping;     /* workers are being ended, to restart together */
};

/* ---- output of a task ------------------------------------------------------------------------ */

/* Whether a signal, or a debugger, has stopped the process: state T or t of its /proc/PID/stat. */
static bool is_stopped(pid_t pid)
{
    char path[32];
    WEIR_BUF(stat);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    weir_status status = weir_file_read_all(path, 4096, &stat);
    const char *name_end = status ? NULL : strrchr(stat.at, ')');
    weir_status_free(status);
    return name_end && name_end[1] && (name_end[2] == 'T' || name_end[2] == 't');
}

/* Names the stopped tasks of this cluster: a step may wait for them. */
static void put_stopped(const cluster *c, char *out, size_t room)
{
    WEIR_BUF(names);
    for (int i = 0; i < c->count; i++) {
        const task *t = &c->tasks[i];
        if (t->pid && is_stopped(t->pid))
            weir_buf_addf(&names, "%s%s %d, which is stopped ('kill -CONT %d' resumes it)",
                          names.length ? " and " : "", t->job, t->index, (int)t->pid);
    }
    snprintf(out, room, "%s", names.at ? names.at : "");
}

static void on_event(void *arg, weir_str line)
{
    task *t = arg;
    train_event e;
    if (!train_event_read(line, &e))
        return;
    if (e.kind == TRAIN_PERMANENT) {
        t->permanent = true;
        return;
    }
    t->c->step = e.step > t->c->step ? e.step : t->c->step;
    t->c->seconds = fmax(t->c->seconds, e.seconds);
    bool others = t->c->workers > 1 && t->c->o->mode != TRAIN_ASYNC;
    if (e.kind == TRAIN_WAIT)
        put_stopped(t->c, e.text, sizeof e.text);
    if (e.kind == TRAIN_WAIT && !e.text[0] && !others)
        return; /* just a long step */
    t->c->listener->tell(t->c->listener->arg, &e);
}

/* A task's output for SIGUSR1 and SIGUSR2 (cli/watch/signals.c). */
static bool is_answer(weir_str line)
{
    static const char *const answers[] = {"a step in flight", "no step in flight", "trace: "};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (line.length >= strlen(answers[i]) &&
            memcmp(line.at, answers[i], strlen(answers[i])) == 0)
            return true;
    return false;
}

static void on_complaint(void *arg, weir_str line)
{
    task *t = arg;
    if (is_answer(line)) {
        weir_progress_erase();
        fprintf(stderr, "%s %d: %.*s\n", t->job, t->index, WEIR_STR_ARG(line));
        return;
    }
    char **slot = &t->last[t->line_count++ % LAST_LINES];
    weir_free(*slot);
    *slot = weir_strndup(line.at, line.length);
}

static const char complains[] = "weir: ";

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* The line of the last failure that the task reported, or the first line that is kept. */
static int failure_line(const task *t, int first)
{
    for (int i = t->line_count; i-- > first;)
        if (begins(t->last[i % LAST_LINES], complains))
            return i;
    return first;
}

/* The last failure that the task reported, which may have several lines, as |cause|; its other
 * output, including advice, as |rest|. Advice is indented (weir_cli_fail). */
static void put_complaints(const task *t, weir_buf *cause, weir_buf *rest)
{
    int first = t->line_count > LAST_LINES ? t->line_count - LAST_LINES : 0;
    int at = failure_line(t, first);
    bool told = t->line_count && begins(t->last[at % LAST_LINES], complains), in_cause = false;
    for (int i = first; i < t->line_count; i++) {
        const char *line = t->last[i % LAST_LINES];
        bool reported = begins(line, complains), advice = begins(line, "  ");
        in_cause = i == at || (in_cause && told && !advice);
        line += reported ? strlen(complains) : advice ? 2 : 0;
        weir_buf *out = in_cause ? cause : rest;
        weir_buf_addf(out, "%s%s", !out->length ? "" : in_cause ? "\n" : "\n  ", line);
    }
}

/* ---- starting -------------------------------------------------------------------------------- */

static long at_least_one(long n)
{
    return n > 0 ? n : 1;
}

/* In a synchronous step the parameter servers work while the workers wait. */
static long threads_of(const cluster *c, const task *t)
{
    long processors = weir_cpu_count();
    bool ps = strcmp(t->job, "ps") == 0;
    if (ps && c->o->mode != TRAIN_ASYNC)
        return at_least_one(processors / c->ps);
    if (c->o->threads > 0)
        return c->o->threads;
    return at_least_one(processors / (ps ? c->ps + c->workers : c->workers));
}

static void exec_task(const task *t)
{
    const cluster *c = t->c;
    WEIR_VEC(char *) argv = {0};
    char index[16], threads[24];
    snprintf(index, sizeof index, "%d", t->index);
    snprintf(threads, sizeof threads, "%ld", threads_of(c, t));
    const char *const head[] = {"weir", "train"};
    const char *const tail[] = {"--part",        "--job_name", t->job,      "--task_index",
                                index,           "--ps_hosts", c->ps_hosts, "--worker_hosts",
                                c->worker_hosts, "--threads",  threads,     NULL};
    for (size_t i = 0; i < 2; i++)
        weir_vec_push(&argv, (char *)head[i]);
    for (size_t i = 0; i < c->words.count; i++)
        weir_vec_push(&argv, c->words.at[i]);
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        weir_vec_push(&argv, (char *)tail[i]);
    execv(run_binary(), argv.at);
    fprintf(stderr, "weir: cannot run %s: %s\n", run_binary(), strerror(errno));
    _exit(127);
}

static void on_end(void *arg, int wait_status);

static void start_task(void *arg)
{
    task *t = arg;
    if (t->c->stopping || t->c->interrupted) {
        t->ended = true;
        return;
    }
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    t->line_count = 0; /* what an earlier attempt said is not why this one fails */
    t->out = (run_lines){.line = on_event, .arg = t};
    t->err = (run_lines){.line = on_complaint, .arg = t};
    pid_t pid = run_spawn(t->c->loop, in, &t->out, &t->err);
    if (pid == 0)
        exec_task(t);
    close(in);
    if (pid < 0) {
        on_complaint(
            t,
            WEIR_STR("no processes or descriptors are left; ulimit -u and ulimit -n limit them"));
        on_end(t, 1 << 8);
        return;
    }
    t->pid = pid;
    run_loop_child(t->c->loop, pid, on_end, t);
}

/* ---- ending ---------------------------------------------------------------------------------- */

static void signal_all(cluster *c, int number, bool workers_only)
{
    number = number == SIGPIPE ? SIGTERM : number; /* their own output is read */
    for (int i = 0; i < c->count; i++)
        if (c->tasks[i].pid && (!workers_only || strcmp(c->tasks[i].job, "worker") == 0))
            kill(-c->tasks[i].pid, number);
}

static void kill_all(void *arg)
{
    cluster *c = arg;
    c->stopping = true;
    signal_all(c, SIGKILL, false);
}

static void stop_all(void *arg)
{
    cluster *c = arg;
    c->stopping = true;
    signal_all(c, SIGTERM, false);
    run_loop_after(c->loop, STOP_MS, kill_all, c);
}

static int running(const cluster *c, const char *job)
{
    int n = 0;
    for (int i = 0; i < c->count; i++)
        n += !c->tasks[i].ended && (!job || strcmp(c->tasks[i].job, job) == 0);
    return n;
}

static void check(cluster *c)
{
    if (!running(c, NULL))
        run_loop_stop(c->loop);
    else if (!running(c, "worker") && !c->stopping) {
        c->stopping = true;
        run_loop_forget_timers(c->loop, c);
        run_loop_after(c->loop, c->interrupted ? CUT_SHORT_MS : LEAVE_MS, stop_all, c);
    }
}

static void tell_note(task *t, const char *text)
{
    train_event e = {.kind = TRAIN_NOTE, .step = t->c->step, .seconds = t->c->seconds};
    snprintf(e.text, sizeof e.text, "%s %d %s", t->job, t->index, text);
    t->c->listener->tell(t->c->listener->arg, &e);
}

/* How a task ended, in words; its other output, as |more|. */
static void put_end(const task *t, weir_buf *out, weir_buf *more)
{
    WEIR_BUF(cause);
    if (t->status > 128 && t->status != WEIR_EXIT_TRY_AGAIN)
        weir_buf_addf(out, "ended by signal %d (%s)", t->status - 128, strsignal(t->status - 128));
    else
        weir_buf_addf(out, "failed with exit status %d", t->status);
    put_complaints(t, &cause, more);
    if (cause.length)
        weir_buf_addf(out, ": %s", cause.at);
}

static bool is_idle(const cluster *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->tasks[i].pid)
            return false;
    return true;
}

/* Members of a collective group start together: one that restarted early could join the rest of the
 * old group, and wait in it forever. So the others are ended too, and all start when the last has
 * exited; their work since the last checkpoint is lost anyway. */
static void regroup(cluster *c)
{
    if (!c->regrouping)
        signal_all(c, SIGKILL, true);
    c->regrouping = !is_idle(c);
    for (int i = 0; !c->regrouping && i < c->count; i++)
        if (!c->tasks[i].ended)
            run_loop_after(c->loop, RESTART_MS, start_task, &c->tasks[i]);
}

/* A member ended permanently while others wait to restart. */
static void leave_group(cluster *c)
{
    if (!c->regrouping)
        return;
    if (!c->stopping && !c->interrupted) {
        regroup(c);
        return;
    }
    for (int i = 0; i < c->count; i++)
        c->tasks[i].ended |= !c->tasks[i].pid;
}

static bool start_again(task *t)
{
    cluster *c = t->c;
    WEIR_BUF(note);
    WEIR_BUF(more);
    if (c->regrouping && !c->stopping && !c->interrupted) {
        regroup(c);
        return true;
    }
    if (c->stopping || c->interrupted || !c->o->dir || t->restarts >= c->o->restarts ||
        t->permanent || t->status == WEIR_EXIT_USAGE || t->status == WEIR_EXIT_TRY_AGAIN)
        return false;
    put_end(t, &note, &more);
    for (char *end; (end = strpbrk(note.at, "\n\t"));)
        *end = ' '; /* one line */
    weir_buf_addf(&note, "; it is started again (%d of %ld)", ++t->restarts, c->o->restarts);
    tell_note(t, note.at);
    if (c->o->mode == TRAIN_ALLREDUCE)
        regroup(c);
    else
        run_loop_after(c->loop, RESTART_MS, start_task, t);
    return true;
}

static bool is_chief(const task *t)
{
    return t->index == 0 && strcmp(t->job, "worker") == 0;
}

/* A second signal, for workers that wait for a task that has exited: for the chief's tokens, or for
 * the gradient of a worker that the first signal ended before its first step. */
static void end_followers(void *arg)
{
    cluster *c = arg;
    if (!c->stopping)
        signal_all(c, c->interrupted, true);
}

static void on_end(void *arg, int wait_status)
{
    task *t = arg;
    cluster *c = t->c;
    t->pid = 0;
    run_lines_drain(&t->out);
    run_lines_drain(&t->err);
    run_lines_close(&t->out);
    run_lines_close(&t->err);
    t->status = WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
    if (t->status && start_again(t))
        return;
    t->ended = true;
    leave_group(c);
    if (c->interrupted && (is_chief(t) || WIFSIGNALED(wait_status)))
        run_loop_after(c->loop, FOLLOW_MS, end_followers, c);
    if (t->status && !c->stopping && !c->interrupted) {
        c->failure = t;
        stop_all(c);
    }
    check(c);
}

static void on_signal(void *arg, int number)
{
    cluster *c = arg;
    if (number == SIGUSR1 || number == SIGUSR2 || number == SIGQUIT) {
        signal_all(c, number, false);
        return;
    }
    if (c->interrupted) {
        kill_all(c); /* second request */
        return;
    }
    c->interrupted = number;
    signal_all(c, number, true);
    run_loop_after(c->loop, INTERRUPT_MS, kill_all, c);
}

/* ---- entry point ----------------------------------------------------------------------------- */

static weir_status take_ports(cluster *c)
{
    weir_buf hosts[2] = {{0}, {0}};
    weir_status s = WEIR_OK;
    for (int i = 0; i < c->count && !s; i++) {
        int port = 0;
        weir_buf *of = &hosts[i >= c->ps];
        s = run_free_port("127.0.0.1", &port, &c->held[i]);
        weir_buf_addf(of, "%s127.0.0.1:%d", of->length ? "," : "", port);
    }
    c->ps_hosts = weir_buf_take(&hosts[0]);
    c->worker_hosts = weir_buf_take(&hosts[1]);
    return s;
}

static void init(cluster *c)
{
    c->count = c->ps + c->workers;
    c->tasks = WEIR_NEW_ARRAY(task, c->count);
    c->held = WEIR_NEW_ARRAY(int, c->count);
    for (int i = 0; i < c->count; i++) {
        bool ps = i < c->ps;
        c->held[i] = -1;
        c->tasks[i] = (task){.c = c, .job = ps ? "ps" : "worker", .index = ps ? i : i - c->ps};
    }
    train_words_make(c->o, &c->words);
    c->loop = run_loop_create();
    run_loop_signals(c->loop, on_signal, c);
    run_loop_mind_output(c->loop);
}

static void fini(cluster *c)
{
    for (int i = 0; i < c->count; i++) {
        if (c->held[i] >= 0)
            close(c->held[i]);
        for (int k = 0; k < LAST_LINES; k++)
            weir_free(c->tasks[i].last[k]);
    }
    weir_free(c->held);
    weir_free(c->tasks);
    weir_free(c->ps_hosts);
    weir_free(c->worker_hosts);
    train_words_fini(&c->words);
    run_loop_destroy(c->loop);
}

static int report(const cluster *c)
{
    const task *t = c->failure;
    WEIR_BUF(how);
    WEIR_BUF(more);
    if (!t)
        return c->interrupted ? 128 + c->interrupted : WEIR_EXIT_OK;
    put_end(t, &how, &more);
    if (t->status > 128 && !c->o->dir)
        weir_buf_addf(&more,
                      "%sWith --dir DIR a lost task is started again, from the last "
                      "checkpoint.",
                      more.length ? "\n  " : "");
    weir_cli_fail(more.at, "%s %d %s", t->job, t->index, how.at);
    return t->status;
}

int train_local(const train_options *o, const train_listener *listener)
{
    cluster c = {.o = o,
                 .listener = listener,
                 .ps = o->ps >= 0                   ? (int)o->ps
                       : o->mode == TRAIN_ALLREDUCE ? 0
                                                    : 1,
                 .workers = o->workers < 0 ? 1 : (int)o->workers};
    init(&c);
    weir_status s = take_ports(&c);
    int status;
    if (s) {
        status = weir_cli_fail_status(NULL, s);
    } else {
        for (int i = 0; i < c.count; i++)
            start_task(&c.tasks[i]);
        run_loop_run(c.loop);
        fflush(stdout);
        status = report(&c);
    }
    fini(&c);
    return status;
}
