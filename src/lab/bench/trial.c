/* lab/bench/trial.c - starts, monitors and ends the processes of a trial. */
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
    PS_PATIENCE_MS = 20, /* time for parameter servers to exit after the last worker */
    KEPT_LINES = 4,
    LOG_ROOM = 1 << 20,
    MOST_WORDS = 48,
};

typedef struct runner runner;

typedef struct process {
    runner *of;
    trial_task *task;
    pid_t pid; /* 0: exited */
    run_lines out, err;
    char *kept[KEPT_LINES]; /* its last output lines, oldest first */
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
    int64_t shown; /* steps shown by the progress bar */
    weir_status failure;
};

/* ---- the tasks' output ----------------------------------------------------------------------- */

typedef struct words {
    char *at[MOST_WORDS];
    int count;
    weir_arena arena;
} words;

static void word(words *words, const char *fmt, ...) WEIR_PRINTF(2, 3);
static void word(words *words, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (words->count < MOST_WORDS - 1)
        words->at[words->count++] = weir_arena_strdup(&words->arena, text);
    words->at[words->count] = NULL;
}

static void describe(const trial_plan *plan, int log, words *words)
{
    word(words, "%s", run_binary());
    word(words, "bench");
    word(words, "task");
    word(words, "--model=%s", plan->model);
    word(words, "--data=%s", plan->data ? plan->data : "synthetic");
    word(words, "--batch=%ld", plan->batch);
    word(words, "--size=%ld", plan->size);
    word(words, "--classes=%ld", plan->classes);
    word(words, "--bytes=%ld", plan->bytes);
    word(words, "--cut=%ld", plan->cut);
    word(words, "--steps=%ld", plan->steps);
    word(words, "--update=%s", plan->sync ? "sync" : "async");
    word(words, "--aggregate=%d", plan->aggregate);
    word(words, "--test=%ld", plan->test);
    word(words, "--log=%d", log);
    if (plan->tensorflow)
        word(words, "--tensorflow=%s", plan->tensorflow);
    if (plan->rate > 0)
        word(words, "--rate=%.9g", plan->rate);
    if (plan->straggle_ms > 0) {
        word(words, "--straggle=%.9g", plan->straggle_ms);
        word(words, "--straggle-every=%ld", plan->straggle_every ? plan->straggle_every : 1);
    }
}

/* ---- addresses ------------------------------------------------------------------------------- */

static weir_status give_addresses(runner *runner)
{
    trial *trial = runner->t;
    int held[TRIAL_MOST_TASKS], workers = 0, servers = 0;
    weir_status status = WEIR_OK;
    for (int i = 0; i < trial->task_count; i++)
        held[i] = -1;
    for (int i = 0; i < trial->task_count && !status; i++) {
        trial_task *task = &trial->tasks[i];
        char address[64];
        const char *host =
            runner->machines ? bench_machine_address(runner->machines, task->machine) : "127.0.0.1";
        int port = FIRST_PORT + i;
        if (!runner->machines && (status = run_free_port(host, &port, &held[i])))
            break;
        snprintf(address, sizeof address, "%s:%d", host, port);
        status =
            weir_cluster_config_add(&runner->cluster, weir_str_of(task->is_ps ? "ps" : "worker"),
                                    task->is_ps ? servers++ : workers++, weir_str_of(address));
    }
    for (int i = 0; i < trial->task_count; i++)
        if (held[i] >= 0)
            close(held[i]);
    return status;
}

/* ---- the end of a trial ---------------------------------------------------------------------- */

static void end_all(void *arg)
{
    runner *runner = arg;
    for (int i = 0; i < runner->t->task_count; i++)
        if (runner->processes[i].pid)
            kill(-runner->processes[i].pid, SIGKILL);
}

static void fail(runner *runner, weir_status status)
{
    if (runner->failure)
        weir_status_free(status);
    else
        runner->failure = status;
    end_all(runner);
}

static void on_signal(void *arg, int number)
{
    runner *runner = arg;
    if (number == SIGUSR1 || number == SIGUSR2)
        return;
    runner->field->interrupted = number;
    fail(runner, weir_error(WEIR_CANCELLED, "interrupted"));
}

static weir_status cause(const process *process, int wait_status)
{
    WEIR_BUF(text);
    for (int i = 0; i < KEPT_LINES; i++)
        if (process->kept[i])
            weir_buf_addf(&text, "\n    %s", process->kept[i]);
    return WIFSIGNALED(wait_status)
               ? weir_error(WEIR_INTERNAL, "%s was killed by signal %d%s", process->task->name,
                            WTERMSIG(wait_status), text.at ? text.at : "")
               : weir_error(WEIR_INTERNAL, "%s ended with status %d%s", process->task->name,
                            WEXITSTATUS(wait_status), text.at ? text.at : "");
}

static void ended(void *arg, int wait_status)
{
    process *process = arg;
    runner *runner = process->of;
    run_lines_drain(&process->out);
    run_lines_drain(&process->err);
    process->pid = 0;
    runner->running--;
    if (!process->task->is_ps)
        runner->workers_running--;
    bool ok = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
    if (!ok && !runner->ending && !runner->failure)
        fail(runner, cause(process, wait_status));
    if (!runner->workers_running && runner->running && !runner->ending) {
        runner->ending = true;
        run_loop_after(runner->loop, PS_PATIENCE_MS, end_all, runner);
    }
    if (!runner->running)
        run_loop_stop(runner->loop);
}

/* ---- while it runs --------------------------------------------------------------------------- */

static void keep_line(void *arg, weir_str line)
{
    process *process = arg;
    weir_free(process->kept[0]);
    for (int i = 0; i + 1 < KEPT_LINES; i++)
        process->kept[i] = process->kept[i + 1];
    process->kept[KEPT_LINES - 1] = weir_strndup(line.at, line.length < 400 ? line.length : 400);
}

/* Lets the workers start once all are ready. */
static void watch_start(void *arg)
{
    runner *runner = arg;
    const trial *trial = runner->t;
    for (int i = trial->plan.ps; i < trial->task_count; i++)
        if (weir_step_log_get(trial->tasks[i].log, TASK_READY_NS) == 0) {
            run_loop_after(runner->loop, START_MS, watch_start, runner);
            return;
        }
    for (int i = trial->plan.ps; i < trial->task_count; i++)
        weir_step_log_set(trial->tasks[i].log, TASK_GO, 1);
}

static void tick(void *arg)
{
    runner *runner = arg;
    int64_t at = runner->shown;
    for (int i = 0; i < runner->t->task_count; i++) {
        const weir_step_log *log = runner->t->tasks[i].log;
        int64_t count = weir_step_log_count(log);
        int64_t there = count ? weir_step_log_at(log, count - 1).at : 0;
        at = there > at ? there : at;
    }
    at = at < runner->t->plan.steps ? at
                                    : runner->t->plan.steps; /* async workers exceed it slightly */
    weir_progress_add(at - runner->shown);
    runner->shown = at;
    run_loop_after(runner->loop, TICK_MS, tick, runner);
}

/* In the child: execs the task. */
static void become(runner *runner, const trial_task *task, words *words, const char *config)
{
    const trial_plan *plan = &runner->t->plan;
    char threads[16];
    if (runner->machines && !bench_machine_enter(runner->machines, task->machine)) {
        fprintf(stderr, "cannot enter machine %d: %s\n", task->machine, strerror(errno));
        _exit(1);
    }
    fcntl(weir_step_log_fd(task->log), F_SETFD, 0);
    if (config)
        setenv("TF_CONFIG", config, 1);
    else
        unsetenv("TF_CONFIG");
    if (plan->transports)
        setenv("WEIR_TRANSPORTS", plan->transports, 1);
    snprintf(threads, sizeof threads, "%d", plan->threads);
    if (plan->threads > 0)
        setenv("WEIR_THREADS", threads, 1);
    execv(words->at[0], words->at);
    fprintf(stderr, "cannot run %s: %s\n", words->at[0], strerror(errno));
    _exit(127);
}

static weir_status start(runner *runner, int i)
{
    trial_task *task = &runner->t->tasks[i];
    process *this_process = &runner->processes[i];
    words words = {0};
    WEIR_BUF(config);
    int number = task->is_ps ? i : i - runner->t->plan.ps,
        nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    describe(&runner->t->plan, weir_step_log_fd(task->log), &words);
    if (runner->t->plan.ps)
        run_tf_config(&runner->cluster, task->is_ps ? "ps" : "worker", number, &config);
    *this_process = (process){.of = runner, .task = task};
    this_process->out = this_process->err =
        (run_lines){.fd = -1, .line = keep_line, .arg = this_process};
    this_process->pid = run_spawn(runner->loop, nothing, &this_process->out, &this_process->err);
    if (this_process->pid == 0)
        become(runner, task, &words, config.at);
    if (nothing >= 0)
        close(nothing);
    weir_arena_fini(&words.arena);
    if (this_process->pid < 0) {
        this_process->pid = 0;
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "cannot start %s", task->name);
    }
    run_loop_child(runner->loop, this_process->pid, ended, this_process);
    weir_sampler_add(runner->t->sampler, task->source, this_process->pid);
    runner->running++;
    runner->workers_running += !task->is_ps;
    return WEIR_OK;
}

/* ---- preparing ------------------------------------------------------------------------------- */

static weir_status make_tasks(trial *trial)
{
    int ps = trial->plan.ps, machines[TRIAL_MOST_TASKS] = {0};
    trial->task_count = ps + trial->plan.workers;
    trial->machine_count = 1;
    if (trial->task_count > TRIAL_MOST_TASKS)
        return weir_error(WEIR_INVALID_ARGUMENT, "%d tasks are more than %d", trial->task_count,
                          TRIAL_MOST_TASKS);
    if (trial->plan.layout)
        WEIR_TRY(layout_read(trial->plan.layout, ps, trial->plan.workers, machines,
                             &trial->machine_count));
    for (int i = 0; i < trial->task_count; i++) {
        trial_task *task = &trial->tasks[i];
        task->is_ps = i < ps;
        task->machine = machines[i];
        snprintf(task->name, sizeof task->name, "%s %d", task->is_ps ? "ps" : "worker",
                 i < ps ? i : i - ps);
        WEIR_TRY(weir_step_log_create(LOG_ROOM, &task->log));
    }
    return WEIR_OK;
}

/* Creates machines if the layout needs several; if that fails the trial runs without. */
static void make_machines(runner *runner)
{
    trial *trial = runner->t;
    if (trial->machine_count < 2 || runner->field->plain)
        return;
    weir_status status =
        bench_machines_create(trial->machine_count, &runner->field->link, &runner->machines);
    if (status && !runner->field->refused) {
        runner->field->refused = true;
        snprintf(runner->field->why, sizeof runner->field->why, "%s", weir_status_message(status));
    }
    weir_status_free(status);
    trial->simulated = runner->machines != NULL;
    if (!runner->machines)
        return;
    runner->field->lacked_delay =
        runner->field->lacked_delay || bench_machines_lack_delay(runner->machines);
    uint64_t seen = 0;
    for (int i = 0; i < trial->machine_count; i++) {
        uint64_t set = bench_machine_processors(runner->machines, i);
        trial->shared_processors = trial->shared_processors || (seen & set);
        seen |= set;
    }
}

static void watch(runner *runner)
{
    trial *trial = runner->t;
    trial->sampler = weir_sampler_new(TRIAL_PERIOD_MS);
    trial->host = weir_sampler_machine(trial->sampler);
    for (int i = 0; i < trial->task_count; i++)
        trial->tasks[i].source = weir_sampler_group(trial->sampler);
    for (int i = 0; i < trial->machine_count; i++) {
        pid_t holder = runner->machines ? bench_machine_holder(runner->machines, i) : 0;
        trial->lo[i] = weir_sampler_interface(trial->sampler, "lo", holder);
        trial->eth[i] =
            runner->machines ? weir_sampler_interface(trial->sampler, "eth0", holder) : -1;
    }
    weir_sampler_start(trial->sampler);
}

static void run_processes(runner *runner)
{
    trial *trial = runner->t;
    trial->started_ns = weir_now_ns();
    run_loop_signals(runner->loop, on_signal, runner);
    run_loop_mind_output(runner->loop);
    for (int i = 0; i < trial->task_count && !runner->failure; i++) {
        weir_status status = start(runner, i);
        if (status)
            fail(runner, status);
    }
    tick(runner);
    watch_start(runner);
    if (runner->running)
        run_loop_run(runner->loop);
    tick(runner);
    for (int i = 0; i < trial->task_count; i++) {
        run_lines_close(&runner->processes[i].out);
        run_lines_close(&runner->processes[i].err);
        for (int k = 0; k < KEPT_LINES; k++)
            weir_free(runner->processes[i].kept[k]);
    }
}

weir_status trial_run(trial_field *field, const trial_plan *plan, const char *label, trial *out)
{
    *out = (trial){.plan = *plan};
    runner runner = {.t = out, .field = field};
    WEIR_TRY(make_tasks(out));
    make_machines(&runner);
    weir_status status =
        field->interrupted ? weir_error(WEIR_CANCELLED, "interrupted") : give_addresses(&runner);
    if (!status) {
        weir_progress_begin(label, plan->steps, "steps");
        runner.loop = run_loop_create();
        watch(&runner);
        run_processes(&runner);
        weir_sampler_stop(out->sampler);
        run_loop_destroy(runner.loop);
        weir_progress_end();
        status = runner.failure;
    }
    bench_machines_destroy(runner.machines);
    weir_cluster_config_fini(&runner.cluster);
    if (!status)
        status = trial_sum_up(out);
    return weir_status_prefix(status, "%s: ", label);
}

void trial_fini(trial *this_trial)
{
    for (int i = 0; i < this_trial->task_count; i++)
        weir_step_log_destroy(this_trial->tasks[i].log);
    weir_sampler_destroy(this_trial->sampler);
    *this_trial = (trial){0};
}
