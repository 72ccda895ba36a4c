/* launch/job.c - the rules of a job. */
#include "launch/job.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "command/command.h"
#include "proc/lines.h"

enum {
    LAST_LINES = 30,      /* of each member, for the report of a failure */
    LEAVE_MS = 700,       /* a parameter server gets so long to end by itself when all is done */
    INTERRUPT_MS = 10000, /* programs get so long to end after a signal */
    STOP_MS = 1000,       /* and so long after SIGTERM */
    CLOSE_MS = 3000,      /* and the rest so long to go */
    WAITING_MS = 2000,    /* waiting for servers longer than this is said */
};

typedef enum phase { STARTING, RUNNING, FINISHING, STOPPING, CLOSING } phase;

typedef struct member {
    run_job *owner;
    char job[64];
    int index;
    char where[128];
    const run_member_fns *fns;
    void *impl;
    bool ready, joined, ended, gone;
    int status;
    char *last[LAST_LINES]; /* a ring of its last lines */
    int line_count;
    char *cause; /* the last line that ends a Python traceback; null: none */
} member;

struct run_job {
    run_loop *loop;
    WEIR_VEC(member *) members;
    phase phase;
    int interrupted;       /* the first signal that asks to end; 0: none */
    const member *failure; /* the first */
    weir_status aborted;
};

/* ---- printing ------------------------------------------------------------------------------- */

static int colour_of(const char *job, int index)
{
    static const int colours[] = {36, 32, 33, 35, 34, 31};
    return strcmp(job, "ps") == 0 ? 90 : colours[(unsigned)index % 6];
}

void run_print_line(const char *job, int index, int stream, weir_str text)
{
    WEIR_BUF(out);
    if (isatty(stream))
        weir_buf_addf(&out, "\033[%dm[%s %d]\033[0m ", colour_of(job, index), job, index);
    else
        weir_buf_addf(&out, "[%s %d] ", job, index);
    weir_buf_add(&out, text.at, text.length);
    weir_buf_addc(&out, '\n');
    run_write(stream, &out);
}

/* "package.SomeError: what happened" */
static bool is_exception(weir_str line)
{
    const char *colon = memchr(line.at, ':', line.length);
    size_t n = colon ? (size_t)(colon - line.at) : line.length;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)line.at[i]) && line.at[i] != '_' && line.at[i] != '.')
            return false;
    return (n > 5 && memcmp(line.at + n - 5, "Error", 5) == 0) ||
           (n > 9 && memcmp(line.at + n - 9, "Exception", 9) == 0);
}

static void keep(member *m, weir_str text)
{
    if (is_exception(text)) {
        weir_free(m->cause);
        m->cause = weir_strndup(text.at, text.length);
    }
    char **slot = &m->last[m->line_count++ % LAST_LINES];
    weir_free(*slot);
    *slot = weir_strndup(text.at, text.length);
}

void run_job_keep_line(run_job *j, int at, weir_str text)
{
    keep(j->members.at[at], text);
}

static void report(const member *m)
{
    int first = m->line_count > LAST_LINES ? m->line_count - LAST_LINES : 0;
    fflush(stdout);
    if (m->status > 128)
        fprintf(stderr, "weir: %s %d%s%s was ended by signal %d (%s)", m->job, m->index,
                m->where[0] ? " on " : "", m->where, m->status - 128, strsignal(m->status - 128));
    else
        fprintf(stderr, "weir: %s %d%s%s failed with exit status %d", m->job, m->index,
                m->where[0] ? " on " : "", m->where, m->status);
    if (m->cause)
        fprintf(stderr, ": %s\n", m->cause);
    fprintf(stderr, !m->line_count ? ", without a word\n"
                    : m->cause     ? "  Its last lines:\n"
                                   : "; its last lines:\n");
    for (int i = first; i < m->line_count; i++)
        fprintf(stderr, "  %s\n", m->last[i % LAST_LINES]);
}

/* ---- telling all members -------------------------------------------------------------------- */

static void signal_all(run_job *j, int signal_number)
{
    for (size_t i = 0; i < j->members.count; i++)
        if (!j->members.at[i]->ended)
            j->members.at[i]->fns->signal(j->members.at[i]->impl, signal_number);
}

static void kill_all(void *arg)
{
    signal_all(arg, SIGKILL);
}

static void ask_all_to_end(void *arg)
{
    run_job *j = arg;
    signal_all(j, SIGTERM);
    run_loop_after(j->loop, STOP_MS, kill_all, j);
}

static void check(run_job *j);

static void stop(run_job *j)
{
    j->phase = STOPPING;
    ask_all_to_end(j);
    check(j);
}

static void finish(run_job *j)
{
    j->phase = FINISHING;
    for (size_t i = 0; i < j->members.count; i++)
        j->members.at[i]->fns->finish(j->members.at[i]->impl);
    run_loop_after(j->loop, LEAVE_MS, ask_all_to_end, j);
}

/* A host that does not answer any more keeps nobody waiting. */
static void give_up(void *arg)
{
    run_job *j = arg;
    run_loop_stop(j->loop);
}

static void close_all(run_job *j)
{
    j->phase = CLOSING;
    run_loop_forget_timers(j->loop, j);
    run_loop_after(j->loop, CLOSE_MS, give_up, j);
    for (size_t i = 0; i < j->members.count; i++)
        j->members.at[i]->fns->close(j->members.at[i]->impl);
}

/* ---- the rules ------------------------------------------------------------------------------ */

static int count(const run_job *j, bool (*is)(const member *m))
{
    int n = 0;
    for (size_t i = 0; i < j->members.count; i++)
        n += is(j->members.at[i]);
    return n;
}

static bool is_ready(const member *m)
{
    return m->ready;
}

static bool is_ended(const member *m)
{
    return m->ended;
}

static bool is_gone(const member *m)
{
    return m->gone;
}

static bool is_ps(const member *m)
{
    return strcmp(m->job, "ps") == 0;
}

static bool is_working(const member *m)
{
    return !m->ended && !m->joined && !is_ps(m);
}

static bool has_worked(const member *m)
{
    return m->ended && !is_ps(m);
}

static void check(run_job *j)
{
    int all = (int)j->members.count;
    if (j->phase == STARTING && count(j, is_ready) == all) {
        j->phase = RUNNING;
        run_loop_forget_timers(j->loop, j);
        for (int i = 0; i < all; i++)
            j->members.at[i]->fns->begin(j->members.at[i]->impl);
    }
    if (j->phase == RUNNING && count(j, is_working) == 0 && count(j, has_worked) > 0)
        finish(j);
    if (j->phase != CLOSING && count(j, is_ended) == all)
        close_all(j);
    if (j->phase == CLOSING && count(j, is_gone) == all)
        run_loop_stop(j->loop);
}

static void on_ready(void *arg)
{
    member *m = arg;
    m->ready = true;
    check(m->owner);
}

static void on_joined(void *arg, bool yes)
{
    member *m = arg;
    m->joined = yes;
    check(m->owner);
}

static void on_line(void *arg, int stream, weir_str text)
{
    member *m = arg;
    keep(m, text);
    run_print_line(m->job, m->index, stream, text);
}

static void on_ended(void *arg, int status)
{
    member *m = arg;
    run_job *j = m->owner;
    if (m->ended)
        return;
    m->ended = true;
    m->status = status;
    if (status != 0 && j->phase <= RUNNING && !j->interrupted) {
        j->failure = m;
        stop(j);
    }
    check(j);
}

static void on_gone(void *arg)
{
    member *m = arg;
    m->gone = true;
    on_ended(m, 1); /* unless it had ended before */
    check(m->owner);
}

static void on_signal(void *arg, int signal_number)
{
    run_job *j = arg;
    bool ends = signal_number != SIGUSR1 && signal_number != SIGUSR2;
    if (j->phase == CLOSING)
        return;
    if (ends && j->interrupted) {
        kill_all(j); /* asked twice */
        return;
    }
    if (ends) {
        j->interrupted = signal_number;
        run_loop_after(j->loop, INTERRUPT_MS, kill_all, j);
    }
    if (ends && j->phase == STARTING) {
        stop(j);
        return;
    }
    signal_all(j, signal_number);
}

static void say_waiting(void *arg)
{
    run_job *j = arg;
    fprintf(stderr, "weir: waiting for the server of");
    for (size_t i = 0, n = 0; i < j->members.count; i++) {
        const member *m = j->members.at[i];
        if (!m->ready && n++ < 8)
            fprintf(stderr, "%s %s %d%s%s", n > 1 ? "," : "", m->job, m->index,
                    m->where[0] ? " on " : "", m->where);
    }
    fprintf(stderr, "\n");
    run_loop_after(j->loop, 5 * WAITING_MS, say_waiting, j);
}

/* ---- making and running --------------------------------------------------------------------- */

run_job *run_job_create(run_loop *loop)
{
    run_job *j = WEIR_NEW(run_job);
    j->loop = loop;
    run_loop_signals(loop, on_signal, j);
    return j;
}

void run_job_destroy(run_job *j)
{
    if (!j)
        return;
    for (size_t i = 0; i < j->members.count; i++) {
        member *m = j->members.at[i];
        if (m->fns)
            m->fns->destroy(m->impl);
        for (int k = 0; k < LAST_LINES; k++)
            weir_free(m->last[k]);
        weir_free(m->cause);
        weir_free(m);
    }
    weir_vec_fini(&j->members);
    weir_status_free(j->aborted);
    weir_free(j);
}

int run_job_add(run_job *j, const char *job, int index, const char *where, run_events *out_events)
{
    member *m = WEIR_NEW(member);
    m->owner = j;
    m->index = index;
    snprintf(m->job, sizeof m->job, "%s", job);
    snprintf(m->where, sizeof m->where, "%s", where ? where : "");
    weir_vec_push(&j->members, m);
    *out_events = (run_events){on_ready, on_line, on_joined, on_ended, on_gone, m};
    return (int)j->members.count - 1;
}

void run_job_set(run_job *j, int at, const run_member_fns *fns, void *impl)
{
    j->members.at[at]->fns = fns;
    j->members.at[at]->impl = impl;
}

void run_job_abort(run_job *j, weir_status s)
{
    if (j->aborted || j->phase >= FINISHING) {
        weir_status_free(s);
        return;
    }
    j->aborted = s;
    stop(j);
}

static int worst_status(const run_job *j)
{
    for (size_t i = 0; i < j->members.count; i++)
        if (has_worked(j->members.at[i]) && j->members.at[i]->status != 0)
            return 128 + j->interrupted;
    return 0;
}

int run_job_run(run_job *j)
{
    run_loop_after(j->loop, WAITING_MS, say_waiting, j);
    check(j);
    run_loop_run(j->loop);
    if (j->aborted)
        return weir_cli_fail_status(NULL, WEIR_TAKE(j->aborted));
    if (!j->failure)
        return j->interrupted ? worst_status(j) : WEIR_EXIT_OK;
    report(j->failure);
    return j->failure->status;
}

/* ---- members on this machine ---------------------------------------------------------------- */

static void local_begin(void *t)
{
    run_local_begin(t);
}

static void local_finish(void *t)
{
    run_local_finish(t);
}

static void local_signal(void *t, int signal_number)
{
    run_local_signal(t, signal_number);
}

static void local_close(void *t)
{
    run_local_close(t);
}

static void local_destroy(void *t)
{
    run_local_destroy(t);
}

const run_member_fns run_local_fns = {local_begin, local_finish, local_signal, local_close,
                                      local_destroy};
