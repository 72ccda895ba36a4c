/* launch/job.c - implements the rules of a job. */
#include "launch/job.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "command/command.h"
#include "launch/advice.h"
#include "launch/closing.h"
#include "launch/task_log.h"
#include "proc/lines.h"

enum {
    LAST_LINES = 30,      /* of each member, for the report of a failure */
    LEAVE_MS = 700,       /* time for a parameter server to exit by itself at the end */
    INTERRUPT_MS = 10000, /* time for programs to exit after a signal */
    STOP_MS = 1000,       /* time after SIGTERM */
    CLOSE_MS = 3000,      /* time for the rest to exit */
    WAITING_MS = 2000,    /* after this time a message reports what is awaited */
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
    char *last[LAST_LINES]; /* ring buffer of its last lines */
    int line_count;
    char *cause; /* the last line that ends a Python traceback; null: none */
    FILE *log;   /* null: none */
    run_account account;
} member;

struct run_job {
    run_loop *loop;
    const char *log_dir; /* null: no logs */
    long start_timeout_s;
    bool late; /* the time limit has expired */
    WEIR_VEC(member *) members;
    phase phase;
    int interrupted;       /* the first SIGINT or SIGTERM; 0: none */
    const member *failure; /* the first */
    weir_status aborted;
    run_record *record; /* null: none */
};

/* ---- printing -------------------------------------------------------------------------------- */

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
    size_t length = colon ? (size_t)(colon - line.at) : line.length;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)line.at[i]) && line.at[i] != '_' && line.at[i] != '.')
            return false;
    return (length > 5 && memcmp(line.at + length - 5, "Error", 5) == 0) ||
           (length > 9 && memcmp(line.at + length - 9, "Exception", 9) == 0);
}

static bool is_restart(weir_str text)
{
    static const char begin[] = "weir: ", says[] = RUN_STARTED_AGAIN;
    return text.length > strlen(begin) && memcmp(text.at, begin, strlen(begin)) == 0 &&
           memmem(text.at, text.length, says, strlen(says));
}

static void forget_lines(member *member)
{
    member->line_count = 0;
    weir_free(member->cause);
    member->cause = NULL;
}

static void end_log(member *member, weir_status status)
{
    WEIR_BUF(text);
    weir_buf_addf(&text, "weir: %s", weir_status_message(status));
    run_print_line(member->job, member->index, STDERR_FILENO, weir_view(&text));
    weir_status_free(status);
    run_log_close(member->log);
    member->log = NULL;
}

static void keep(member *member, weir_str text)
{
    weir_status lost = run_log_line(member->log, text);
    if (lost)
        end_log(member, lost);
    if (run_is_noise(text))
        return;
    if (is_restart(text)) {
        forget_lines(member);
        return;
    }
    if (is_exception(text)) {
        weir_free(member->cause);
        member->cause = weir_strndup(text.at, text.length);
    }
    char **slot = &member->last[member->line_count++ % LAST_LINES];
    weir_free(*slot);
    *slot = weir_strndup(text.at, text.length);
}

void run_job_keep_line(run_job *job, int at, weir_str text)
{
    keep(job->members.at[at], text);
}

static void report(const member *member)
{
    int first = member->line_count > LAST_LINES ? member->line_count - LAST_LINES : 0;
    fflush(stdout);
    if (member->status > 128 && member->status != WEIR_EXIT_TRY_AGAIN)
        fprintf(stderr, "weir: %s %d%s%s was ended by signal %d (%s)", member->job, member->index,
                member->where[0] ? " on " : "", member->where, member->status - 128,
                strsignal(member->status - 128));
    else
        fprintf(stderr, "weir: %s %d%s%s failed with exit status %d", member->job, member->index,
                member->where[0] ? " on " : "", member->where, member->status);
    if (member->cause)
        fprintf(stderr, ": %s\n", member->cause);
    fprintf(stderr, !member->line_count ? ", and printed nothing\n"
                    : member->cause     ? "  Its last lines:\n"
                                        : "; its last lines:\n");
    for (int i = first; i < member->line_count; i++)
        fprintf(stderr, "  %s\n", member->last[i % LAST_LINES]);
    if (run_advice(member->cause))
        fprintf(stderr, "%s\n", run_advice(member->cause));
}

/* ---- telling all members --------------------------------------------------------------------- */

static void signal_all(run_job *job, int signal_number)
{
    for (size_t i = 0; i < job->members.count; i++)
        if (!job->members.at[i]->ended)
            job->members.at[i]->fns->signal(job->members.at[i]->impl, signal_number);
}

static void kill_all(void *arg)
{
    signal_all(arg, SIGKILL);
}

static void ask_all_to_end(void *arg)
{
    run_job *job = arg;
    signal_all(job, SIGTERM);
    run_loop_after(job->loop, STOP_MS, kill_all, job);
}

static void check(run_job *job);

static void stop(run_job *job)
{
    job->phase = STOPPING;
    ask_all_to_end(job);
    check(job);
}

static void finish(run_job *job)
{
    job->phase = FINISHING;
    for (size_t i = 0; i < job->members.count; i++)
        job->members.at[i]->fns->finish(job->members.at[i]->impl);
    run_loop_after(job->loop, LEAVE_MS, ask_all_to_end, job);
}

/* Limits the time to wait for a host that does not answer. */
static void give_up(void *arg)
{
    run_job *job = arg;
    run_loop_stop(job->loop);
}

static void close_all(run_job *job)
{
    job->phase = CLOSING;
    run_record_stop(job->record); /* while the servers still answer */
    run_loop_forget_timers(job->loop, job);
    run_loop_after(job->loop, CLOSE_MS, give_up, job);
    for (size_t i = 0; i < job->members.count; i++)
        job->members.at[i]->fns->close(job->members.at[i]->impl);
}

/* ---- the rules ------------------------------------------------------------------------------- */

static int count(const run_job *job, bool (*is)(const member *m))
{
    int total = 0;
    for (size_t i = 0; i < job->members.count; i++)
        total += is(job->members.at[i]);
    return total;
}

static bool is_ready(const member *member)
{
    return member->ready;
}

static bool is_ended(const member *member)
{
    return member->ended;
}

static bool is_gone(const member *member)
{
    return member->gone;
}

static bool is_ps(const member *member)
{
    return strcmp(member->job, "ps") == 0;
}

static bool is_working(const member *member)
{
    return !member->ended && !member->joined && !is_ps(member);
}

static bool has_worked(const member *member)
{
    return member->ended && !is_ps(member);
}

static void check(run_job *job)
{
    int all = (int)job->members.count;
    if (job->phase == STARTING && count(job, is_ready) == all) {
        job->phase = RUNNING;
        run_record_start(job->record);
        run_loop_forget_timers(job->loop, job);
        for (int i = 0; i < all; i++)
            job->members.at[i]->fns->begin(job->members.at[i]->impl);
    }
    if (job->phase == RUNNING && count(job, is_working) == 0 && count(job, has_worked) > 0)
        finish(job);
    if (job->phase != CLOSING && count(job, is_ended) == all)
        close_all(job);
    if (job->phase == CLOSING && count(job, is_gone) == all)
        run_loop_stop(job->loop);
}

static void on_ready(void *arg)
{
    member *member = arg;
    member->ready = true;
    check(member->owner);
}

static void on_joined(void *arg, bool yes)
{
    member *member = arg;
    member->joined = yes;
    check(member->owner);
}

static void on_line(void *arg, int stream, weir_str text)
{
    member *member = arg;
    keep(member, text);
    run_print_line(member->job, member->index, stream, text);
}

static void on_ended(void *arg, int status)
{
    member *member = arg;
    run_job *job = member->owner;
    if (member->ended)
        return;
    member->ended = true;
    member->status = status;
    if (status != 0 && job->phase <= RUNNING && !job->interrupted) {
        job->failure = member;
        stop(job);
    }
    check(job);
}

static void on_gone(void *arg)
{
    member *member = arg;
    member->gone = true;
    on_ended(member, 1); /* unless it had ended before */
    check(member->owner);
}

static void on_account(void *arg, weir_str line)
{
    member *member = arg;
    run_account_take(&member->account, line);
}

static void on_signal(void *arg, int signal_number)
{
    run_job *job = arg;
    bool ends = signal_number != SIGUSR1 && signal_number != SIGUSR2;
    if (job->phase == CLOSING)
        return;
    if (ends && job->interrupted) {
        kill_all(job); /* the second signal */
        return;
    }
    if (ends) {
        job->interrupted = signal_number;
        run_loop_after(job->loop, INTERRUPT_MS, kill_all, job);
    }
    if (ends && job->phase == STARTING) {
        stop(job);
        return;
    }
    signal_all(job, signal_number == SIGPIPE ? SIGTERM : signal_number);
}

/* "ps 0, worker 1 on b" */
static void put_missing(const run_job *job, weir_buf *out)
{
    for (size_t i = 0, n = 0; i < job->members.count; i++) {
        const member *member = job->members.at[i];
        if (!member->ready && n++ < 8)
            weir_buf_addf(out, "%s%s %d%s%s", n > 1 ? ", " : "", member->job, member->index,
                          member->where[0] ? " on " : "", member->where);
    }
}

static void say_waiting(void *arg)
{
    run_job *job = arg;
    WEIR_BUF(missing);
    put_missing(job, &missing);
    fprintf(stderr, "weir: waiting for the server of %s\n", missing.at ? missing.at : "no task");
    run_loop_after(job->loop, 5 * WAITING_MS, say_waiting, job);
}

static void start_is_late(void *arg)
{
    run_job *job = arg;
    WEIR_BUF(missing);
    put_missing(job, &missing);
    job->late = true;
    run_job_abort(job, weir_error(WEIR_DEADLINE_EXCEEDED, "no server of %s after %ld s",
                                  missing.at ? missing.at : "some task", job->start_timeout_s));
    run_loop_after(job->loop, CLOSE_MS, give_up, job); /* unconnected members do not end */
}

/* ---- making and running ---------------------------------------------------------------------- */

run_job *run_job_create(run_loop *loop, const char *log_dir, long start_timeout_s)
{
    run_job *job = WEIR_NEW(run_job);
    job->loop = loop;
    job->log_dir = log_dir;
    job->start_timeout_s = start_timeout_s;
    run_loop_signals(loop, on_signal, job);
    run_loop_mind_output(loop);
    return job;
}

void run_job_destroy(run_job *job)
{
    if (!job)
        return;
    for (size_t i = 0; i < job->members.count; i++) {
        member *member = job->members.at[i];
        if (member->fns)
            member->fns->destroy(member->impl);
        for (int k = 0; k < LAST_LINES; k++)
            weir_free(member->last[k]);
        weir_free(member->cause);
        run_account_fini(&member->account);
        run_log_close(member->log);
        weir_free(member);
    }
    weir_vec_fini(&job->members);
    weir_status_free(job->aborted);
    run_record_destroy(job->record);
    weir_free(job);
}

void run_job_record(run_job *job, run_record *record)
{
    job->record = record;
}

int run_job_add(run_job *run_job, const char *job, int index, const char *where,
                run_events *out_events)
{
    member *new_member = WEIR_NEW(member);
    new_member->owner = run_job;
    new_member->index = index;
    snprintf(new_member->job, sizeof new_member->job, "%s", job);
    snprintf(new_member->where, sizeof new_member->where, "%s", where ? where : "");
    weir_vec_push(&run_job->members, new_member);
    weir_status status = run_log_open(run_job->log_dir, job, index, &new_member->log);
    if (status && !run_job->aborted)
        run_job->aborted = status;
    else
        weir_status_free(status);
    *out_events =
        (run_events){on_ready, on_line, on_joined, on_ended, on_gone, on_account, new_member};
    return (int)run_job->members.count - 1;
}

void run_job_set(run_job *job, int at, const run_member_fns *fns, void *impl)
{
    job->members.at[at]->fns = fns;
    job->members.at[at]->impl = impl;
}

void run_job_abort(run_job *job, weir_status status)
{
    if (job->aborted || job->phase >= FINISHING) {
        weir_status_free(status);
        return;
    }
    job->aborted = status;
    stop(job);
}

static int worst_status(const run_job *job)
{
    for (size_t i = 0; i < job->members.count; i++)
        if (has_worked(job->members.at[i]) && job->members.at[i]->status != 0)
            return 128 + job->interrupted;
    return 0;
}

/* Prints the work of each task. */
static void print_closing(const run_job *job)
{
    WEIR_BUF(out);
    run_closing *closing = run_closing_begin();
    for (size_t i = 0; i < job->members.count; i++) {
        const member *member = job->members.at[i];
        run_closing_add(closing, member->job, member->index, &member->account);
    }
    run_closing_end(closing, &out);
    fflush(stdout);
    run_write(STDERR_FILENO, &out);
}

static int fail_aborted(run_job *job)
{
    int status = weir_cli_fail_status(NULL, WEIR_TAKE(job->aborted));
    return job->late ? WEIR_EXIT_TRY_AGAIN : status;
}

int run_job_run(run_job *job)
{
    run_loop_after(job->loop, WAITING_MS, say_waiting, job);
    if (job->start_timeout_s)
        run_loop_after(job->loop, 1000 * job->start_timeout_s, start_is_late, job);
    if (job->aborted)
        stop(job);
    check(job);
    run_loop_run(job->loop);
    if (job->aborted)
        return fail_aborted(job);
    int status = job->failure       ? job->failure->status
                 : job->interrupted ? worst_status(job)
                                    : WEIR_EXIT_OK;
    if (status && !job->failure)
        fputs("weir: interrupted\n", stderr); /* behind the terminal's "^C" */
    print_closing(job);
    if (run_record_dir(job->record))
        fprintf(stderr, "recorded: %s (%s)\n", run_record_dir(job->record),
                run_record_is_whole(job->record) ? "weir report shows it"
                                                 : "not to the end: the disk is full");
    if (job->failure)
        report(job->failure);
    return status;
}

/* ---- members on this machine ----------------------------------------------------------------- */

static void local_begin(void *arg)
{
    run_local_begin(arg);
}

static void local_finish(void *arg)
{
    run_local_finish(arg);
}

static void local_signal(void *arg, int signal_number)
{
    run_local_signal(arg, signal_number);
}

static void local_close(void *arg)
{
    run_local_close(arg);
}

static void local_destroy(void *arg)
{
    run_local_destroy(arg);
}

const run_member_fns run_local_fns = {local_begin, local_finish, local_signal, local_close,
                                      local_destroy};
