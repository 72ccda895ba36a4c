/* lab/bench/trial.c - the processes of a trial: started, watched, ended. */
#include "lab/bench/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/progress.h"
#include "lab/bench/layout.h"
#include "lab/bench/task.h"
#include "lab/bench/trial_impl.h"
#include "launch/local.h"
#include "launch/program.h"
#include "proc/sockets.h"
#include "proc/spawn.h"

enum {
    FIRST_PORT = 7700,
    TICK_MS = 100,
    START_MS = 5,
    PS_PATIENCE_MS = 20, /* for parameter servers, when the last worker has ended */
    KEPT_LINES = 4,
    LOG_ROOM = 1 << 20,
    MOST_WORDS = 48,
};

typedef struct runner runner;

typedef struct process {
    runner *of;
    trial_task *task;
    pid_t pid; /* 0: has ended */
    run_lines out, err;
    char *kept[KEPT_LINES]; /* the last lines it said, oldest first */
} process;

struct runner {
    trial *t;
    trial_field *field;
    bench_machines *machines; /* null: none */
    run_loop *loop;
    weir_cluster_config cluster;
    process processes[TRIAL_MOST_TASKS];
    int running, workers_running;
    bool ending;
    int64_t shown; /* steps that the bar has */
    weir_status failure;
};

/* ---- the tasks' words ----------------------------------------------------------------------- */

typedef struct words {
    char *at[MOST_WORDS];
    int count;
    weir_arena arena;
} words;

static void word(words *w, const char *fmt, ...) WEIR_PRINTF(2, 3);
static void word(words *w, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (w->count < MOST_WORDS - 1)
        w->at[w->count++] = weir_arena_strdup(&w->arena, text);
    w->at[w->count] = NULL;
}

static void describe(const trial_plan *p, int log, words *w)
{
    word(w, "%s", run_binary());
    word(w, "bench");
    word(w, "task");
    word(w, "--model=%s", p->model);
    word(w, "--data=%s", p->data ? p->data : "synthetic");
    word(w, "--batch=%ld", p->batch);
    word(w, "--size=%ld", p->size);
    word(w, "--classes=%ld", p->classes);
    word(w, "--bytes=%ld", p->bytes);
    word(w, "--steps=%ld", p->steps);
    word(w, "--update=%s", p->sync ? "sync" : "async");
    word(w, "--aggregate=%d", p->aggregate);
    word(w, "--test=%ld", p->test);
    word(w, "--log=%d", log);
    if (p->rate > 0)
        word(w, "--rate=%.9g", p->rate);
    if (p->straggle_ms > 0) {
        word(w, "--straggle=%.9g", p->straggle_ms);
        word(w, "--straggle-every=%ld", p->straggle_every ? p->straggle_every : 1);
    }
}

/* ---- addresses ------------------------------------------------------------------------------ */

static weir_status give_addresses(runner *r)
{
    trial *t = r->t;
    int held[TRIAL_MOST_TASKS], workers = 0, servers = 0;
    weir_status s = WEIR_OK;
    for (int i = 0; i < t->task_count; i++)
        held[i] = -1;
    for (int i = 0; i < t->task_count && !s; i++) {
        trial_task *k = &t->tasks[i];
        char address[64];
        const char *host =
            r->machines ? bench_machine_address(r->machines, k->machine) : "127.0.0.1";
        int port = FIRST_PORT + i;
        if (!r->machines && (s = run_free_port(host, &port, &held[i])))
            break;
        snprintf(address, sizeof address, "%s:%d", host, port);
        s = weir_cluster_config_add(&r->cluster, weir_str_of(k->is_ps ? "ps" : "worker"),
                                    k->is_ps ? servers++ : workers++, weir_str_of(address));
    }
    for (int i = 0; i < t->task_count; i++)
        if (held[i] >= 0)
            close(held[i]);
    return s;
}

/* ---- the end of a trial --------------------------------------------------------------------- */

static void end_all(void *arg)
{
    runner *r = arg;
    for (int i = 0; i < r->t->task_count; i++)
        if (r->processes[i].pid)
            kill(-r->processes[i].pid, SIGKILL);
}

static void fail(runner *r, weir_status s)
{
    if (r->failure)
        weir_status_free(s);
    else
        r->failure = s;
    end_all(r);
}

static void on_signal(void *arg, int number)
{
    runner *r = arg;
    if (number == SIGUSR1 || number == SIGUSR2)
        return;
    r->field->interrupted = true;
    fail(r, weir_error(WEIR_CANCELLED, "interrupted"));
}

static weir_status cause(const process *p, int wait_status)
{
    WEIR_BUF(text);
    for (int i = 0; i < KEPT_LINES; i++)
        if (p->kept[i])
            weir_buf_addf(&text, "\n    %s", p->kept[i]);
    return WIFSIGNALED(wait_status)
               ? weir_error(WEIR_INTERNAL, "%s was killed by signal %d%s", p->task->name,
                            WTERMSIG(wait_status), text.at ? text.at : "")
               : weir_error(WEIR_INTERNAL, "%s ended with status %d%s", p->task->name,
                            WEXITSTATUS(wait_status), text.at ? text.at : "");
}

static void ended(void *arg, int wait_status)
{
    process *p = arg;
    runner *r = p->of;
    run_lines_drain(&p->out);
    run_lines_drain(&p->err);
    p->pid = 0;
    r->running--;
    if (!p->task->is_ps)
        r->workers_running--;
    bool ok = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
    if (!ok && !r->ending && !r->failure)
        fail(r, cause(p, wait_status));
    if (!r->workers_running && r->running && !r->ending) {
        r->ending = true;
        run_loop_after(r->loop, PS_PATIENCE_MS, end_all, r);
    }
    if (!r->running)
        run_loop_stop(r->loop);
}

/* ---- while it runs -------------------------------------------------------------------------- */

static void keep_line(void *arg, weir_str line)
{
    process *p = arg;
    weir_free(p->kept[0]);
    for (int i = 0; i + 1 < KEPT_LINES; i++)
        p->kept[i] = p->kept[i + 1];
    p->kept[KEPT_LINES - 1] = weir_strndup(line.at, line.length < 400 ? line.length : 400);
}

/* Lets the workers begin when all of them are ready. */
static void watch_start(void *arg)
{
    runner *r = arg;
    const trial *t = r->t;
    for (int i = t->plan.ps; i < t->task_count; i++)
        if (weir_step_log_get(t->tasks[i].log, TASK_READY_NS) == 0) {
            run_loop_after(r->loop, START_MS, watch_start, r);
            return;
        }
    for (int i = t->plan.ps; i < t->task_count; i++)
        weir_step_log_set(t->tasks[i].log, TASK_GO, 1);
}

static void tick(void *arg)
{
    runner *r = arg;
    int64_t at = r->shown;
    for (int i = 0; i < r->t->task_count; i++) {
        const weir_step_log *log = r->t->tasks[i].log;
        int64_t count = weir_step_log_count(log);
        int64_t there = count ? weir_step_log_at(log, count - 1).at : 0;
        at = there > at ? there : at;
    }
    at = at < r->t->plan.steps ? at : r->t->plan.steps; /* async workers go a little beyond */
    weir_progress_add(at - r->shown);
    r->shown = at;
    run_loop_after(r->loop, TICK_MS, tick, r);
}

/* In the child. */
static void become(runner *r, const trial_task *k, words *w, const char *config)
{
    const trial_plan *p = &r->t->plan;
    char threads[16];
    if (r->machines && !bench_machine_enter(r->machines, k->machine)) {
        fprintf(stderr, "cannot enter machine %d: %s\n", k->machine, strerror(errno));
        _exit(1);
    }
    fcntl(weir_step_log_fd(k->log), F_SETFD, 0);
    if (config)
        setenv("TF_CONFIG", config, 1);
    else
        unsetenv("TF_CONFIG");
    if (p->roads)
        setenv("WEIR_TRANSPORTS", p->roads, 1);
    snprintf(threads, sizeof threads, "%d", p->threads);
    if (p->threads > 0)
        setenv("WEIR_THREADS", threads, 1);
    execv(w->at[0], w->at);
    fprintf(stderr, "cannot run %s: %s\n", w->at[0], strerror(errno));
    _exit(127);
}

static weir_status start(runner *r, int i)
{
    trial_task *k = &r->t->tasks[i];
    process *p = &r->processes[i];
    words w = {0};
    WEIR_BUF(config);
    int number = k->is_ps ? i : i - r->t->plan.ps,
        nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    describe(&r->t->plan, weir_step_log_fd(k->log), &w);
    if (r->t->plan.ps)
        run_tf_config(&r->cluster, k->is_ps ? "ps" : "worker", number, &config);
    *p = (process){.of = r, .task = k};
    p->out = p->err = (run_lines){.fd = -1, .line = keep_line, .arg = p};
    p->pid = run_spawn(r->loop, nothing, &p->out, &p->err);
    if (p->pid == 0)
        become(r, k, &w, config.at);
    if (nothing >= 0)
        close(nothing);
    weir_arena_fini(&w.arena);
    if (p->pid < 0) {
        p->pid = 0;
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "cannot start %s", k->name);
    }
    run_loop_child(r->loop, p->pid, ended, p);
    weir_sampler_add(r->t->sampler, k->source, p->pid);
    r->running++;
    r->workers_running += !k->is_ps;
    return WEIR_OK;
}

/* ---- preparing ------------------------------------------------------------------------------ */

static weir_status make_tasks(trial *t)
{
    int ps = t->plan.ps, machines[TRIAL_MOST_TASKS] = {0};
    t->task_count = ps + t->plan.workers;
    t->machine_count = 1;
    if (t->task_count > TRIAL_MOST_TASKS)
        return weir_error(WEIR_INVALID_ARGUMENT, "%d tasks are more than %d", t->task_count,
                          TRIAL_MOST_TASKS);
    if (t->plan.layout)
        WEIR_TRY(layout_read(t->plan.layout, ps, t->plan.workers, machines, &t->machine_count));
    for (int i = 0; i < t->task_count; i++) {
        trial_task *k = &t->tasks[i];
        k->is_ps = i < ps;
        k->machine = machines[i];
        snprintf(k->name, sizeof k->name, "%s %d", k->is_ps ? "ps" : "worker", i < ps ? i : i - ps);
        WEIR_TRY(weir_step_log_create(LOG_ROOM, &k->log));
    }
    return WEIR_OK;
}

/* Machines where the layout asks for several; without them the trial runs all the same. */
static void make_machines(runner *r)
{
    trial *t = r->t;
    if (t->machine_count < 2 || r->field->plain)
        return;
    weir_status s = bench_machines_create(t->machine_count, &r->field->link, &r->machines);
    if (s && !r->field->refused) {
        r->field->refused = true;
        snprintf(r->field->why, sizeof r->field->why, "%s", weir_status_message(s));
    }
    weir_status_free(s);
    t->simulated = r->machines != NULL;
    if (!r->machines)
        return;
    r->field->lacked_delay = r->field->lacked_delay || bench_machines_lack_delay(r->machines);
    uint64_t seen = 0;
    for (int i = 0; i < t->machine_count; i++) {
        uint64_t set = bench_machine_processors(r->machines, i);
        t->shared_processors = t->shared_processors || (seen & set);
        seen |= set;
    }
}

static void watch(runner *r)
{
    trial *t = r->t;
    t->sampler = weir_sampler_new(TRIAL_PERIOD_MS);
    t->host = weir_sampler_machine(t->sampler);
    for (int i = 0; i < t->task_count; i++)
        t->tasks[i].source = weir_sampler_group(t->sampler);
    for (int i = 0; i < t->machine_count; i++) {
        pid_t holder = r->machines ? bench_machine_holder(r->machines, i) : 0;
        t->lo[i] = weir_sampler_interface(t->sampler, "lo", holder);
        t->eth[i] = r->machines ? weir_sampler_interface(t->sampler, "eth0", holder) : -1;
    }
    weir_sampler_start(t->sampler);
}

static void run_processes(runner *r)
{
    trial *t = r->t;
    t->started_ns = weir_now_ns();
    run_loop_signals(r->loop, on_signal, r);
    for (int i = 0; i < t->task_count && !r->failure; i++) {
        weir_status s = start(r, i);
        if (s)
            fail(r, s);
    }
    tick(r);
    watch_start(r);
    if (r->running)
        run_loop_run(r->loop);
    tick(r);
    for (int i = 0; i < t->task_count; i++) {
        run_lines_close(&r->processes[i].out);
        run_lines_close(&r->processes[i].err);
        for (int k = 0; k < KEPT_LINES; k++)
            weir_free(r->processes[i].kept[k]);
    }
}

weir_status trial_run(trial_field *field, const trial_plan *plan, const char *label, trial *out)
{
    *out = (trial){.plan = *plan};
    runner r = {.t = out, .field = field};
    WEIR_TRY(make_tasks(out));
    make_machines(&r);
    weir_status s =
        field->interrupted ? weir_error(WEIR_CANCELLED, "interrupted") : give_addresses(&r);
    if (!s) {
        weir_progress_begin(label, plan->steps, "steps");
        r.loop = run_loop_create();
        watch(&r);
        run_processes(&r);
        weir_sampler_stop(out->sampler);
        run_loop_destroy(r.loop);
        weir_progress_end();
        s = r.failure;
    }
    bench_machines_destroy(r.machines);
    weir_cluster_config_fini(&r.cluster);
    if (!s)
        s = trial_sum_up(out);
    return weir_status_prefix(s, "%s: ", label);
}

void trial_fini(trial *t)
{
    for (int i = 0; i < t->task_count; i++)
        weir_step_log_destroy(t->tasks[i].log);
    weir_sampler_destroy(t->sampler);
    *t = (trial){0};
}
