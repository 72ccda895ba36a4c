/* cli/watch/explain.c - weir explain: describes the bottleneck of a live cluster.
 *
 * Two snapshots of the cluster, a few seconds apart, give the breakdown of each task's time. Rules
 * are tried in order; the first that applies gives the verdict, with its evidence and a remedy.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "cli/watch/recording.h"
#include "command/command.h"
#include "command/output.h"
#include "io/file.h"

typedef struct explain_args {
    double seconds;
    int format;
} explain_args;

/* The work of a computing task between the snapshots. */
typedef struct worked {
    const watch_task *task, *before;
    watch_shares shares;
    double steps;          /* per second */
    double own_seconds;    /* per step, neither waiting nor between steps */
    const char *waits_for; /* longest wait between the snapshots ... */
    const char *waits_op;
    double waited; /* ... seconds per second */
} worked;

typedef struct evidence {
    const watch_cluster *now, *before;
    WEIR_VEC(worked) workers; /* tasks that ran steps */
    watch_shares mean;        /* of the workers' shares */
    double host_busy, host_cores, threads, host_memory;
    weir_buf why; /* the evidence of the verdict */
} evidence;

typedef struct verdict {
    const char *name, *words, *change;
    bool (*holds)(evidence *seen);
} verdict;

/* ---- evidence -------------------------------------------------------------------------------- */

static double cause_before(const watch_task *before, const watch_cause *cause)
{
    for (size_t i = 0; before && i < before->causes.count; i++)
        if (strcmp(before->causes.at[i].name, cause->name) == 0 &&
            strcmp(before->causes.at[i].kind, cause->kind) == 0)
            return before->causes.at[i].seconds;
    return 0;
}

/* Of |kind|, or of any if it is null. */
static void find_longest_wait(worked *work, const char *kind)
{
    double seconds =
        (watch_value(work->task, "now_us") - watch_value(work->before, "now_us")) * 1e-6;
    work->waits_for = work->waits_op = "";
    for (size_t i = 0; i < work->task->causes.count; i++) {
        const watch_cause *cause = &work->task->causes.at[i];
        double waited = (cause->seconds - cause_before(work->before, cause)) / seconds;
        if (waited > work->waited && (!kind || strcmp(cause->kind, kind) == 0)) {
            work->waited = waited;
            work->waits_for = cause->name;
            work->waits_op = cause->op;
        }
    }
}

static worked work_of(const watch_task *task, const watch_task *before)
{
    worked work = {.task = task,
                   .before = before,
                   .shares = watch_shares_of(task, before),
                   .steps = watch_rate(task, before, "steps")};
    double own = watch_rate(task, before, "step_s") - watch_rate(task, before, "wait_recv_s") -
                 watch_rate(task, before, "wait_resource_s") -
                 watch_rate(task, before, "wait_other_s");
    work.own_seconds = own / work.steps;
    find_longest_wait(&work, NULL);
    return work;
}

static bool is_server_of_variables(const watch_task *task)
{
    return strcmp(task->job, "ps") == 0;
}

static void add_shares(watch_shares *sum, watch_shares add, double by)
{
    sum->compute += add.compute * by;
    sum->recv += add.recv * by;
    sum->resource += add.resource * by;
    sum->other += add.other * by;
    sum->send += add.send * by;
    sum->schedule += add.schedule * by;
    sum->between += add.between * by;
}

static void look(evidence *seen)
{
    for (size_t i = 0; i < seen->now->tasks.count; i++) {
        const watch_task *task = &seen->now->tasks.at[i];
        const watch_task *before = task->up ? watch_before(seen->before, task) : NULL;
        if (!before)
            continue;
        seen->host_busy = fmax(seen->host_busy, watch_rate(task, before, "host_cpu_s"));
        seen->host_cores = fmax(seen->host_cores, watch_value(task, "host_cores"));
        seen->host_memory = fmax(seen->host_memory, watch_value(task, "host_memory"));
        seen->threads += watch_value(task, "threads");
        if (!is_server_of_variables(task) && watch_rate(task, before, "steps") > 0)
            weir_vec_push(&seen->workers, work_of(task, before));
    }
    for (size_t i = 0; i < seen->workers.count; i++)
        add_shares(&seen->mean, seen->workers.at[i].shares, 1.0 / (double)seen->workers.count);
}

/* ---- rules --------------------------------------------------------------------------------------
 */

static bool nothing_runs(evidence *seen)
{
    weir_buf_addf(&seen->why, "no task that computes ended a step meanwhile");
    return seen->workers.count == 0;
}

static bool mostly_between(evidence *seen)
{
    weir_buf_addf(&seen->why, "no step ran in %.0f %% of the time", 100 * seen->mean.between);
    return seen->mean.between > 0.5;
}

/* The worker with the longest wait for a resource created by an op whose name contains |part|. */
static const worked *waits_for_op(const evidence *seen, const char *part)
{
    for (size_t i = 0; i < seen->workers.count; i++)
        if (strstr(seen->workers.at[i].waits_op, part) && seen->workers.at[i].shares.resource > 0.3)
            return &seen->workers.at[i];
    return NULL;
}

static bool queue_is_empty(const worked *work)
{
    for (size_t i = 0; i < work->task->queues.count; i++)
        if (strstr(work->waits_for, work->task->queues.at[i].name))
            return work->task->queues.at[i].seconds < 2;
    return true;
}

/* The queue |name| has capacity one: it is used as a lock. */
static bool is_lock(const watch_task *task, const char *name)
{
    for (size_t i = 0; i < task->queues.count; i++)
        if (task->queues.at[i].count == 1)
            return strstr(name, task->queues.at[i].name) || task->queues.count == 1;
    return false;
}

static bool starved(evidence *seen)
{
    const worked *work = waits_for_op(seen, "Iterator");
    if (!work) {
        work = waits_for_op(seen, "Queue");
        work = work && queue_is_empty(work) && !is_lock(work->task, work->waits_for) &&
                       !strstr(work->waits_for, "token")
                   ? work
                   : NULL;
    }
    if (!work)
        return false;
    weir_buf_addf(&seen->why, "%s:%d waits for %s in %.0f %% of its time", work->task->job,
                  work->task->index, work->waits_for, 100 * work->shares.resource);
    return true;
}

static bool slow_worker(evidence *seen)
{
    double slowest = 0, sum = 0;
    const worked *slow = NULL;
    for (size_t i = 0; i < seen->workers.count; i++) {
        const worked *work = &seen->workers.at[i];
        sum += work->own_seconds;
        if (work->own_seconds > slowest) {
            slowest = work->own_seconds;
            slow = work;
        }
    }
    double others = (sum - slowest) / fmax(1, (double)seen->workers.count - 1);
    if (seen->workers.count < 2 || slowest < 1.6 * others || slowest * slow->steps < 0.25)
        return false; /* a task that computes at most a quarter of the time is not the bottleneck */
    weir_buf_addf(&seen->why,
                  "%s:%d computes %.3g ms a step without its waits, the others %.3g ms on average",
                  slow->task->job, slow->task->index, slowest * 1e3, others * 1e3);
    return true;
}

/* Workers that wait for a parameter server's value wait for the queue on which its part of their
 * steps waits. */
static bool queue_of_server(evidence *seen)
{
    for (size_t i = 0; i < seen->now->tasks.count; i++) {
        const watch_task *task = &seen->now->tasks.at[i];
        const watch_task *before = task->up ? watch_before(seen->before, task) : NULL;
        if (!before || !is_server_of_variables(task))
            continue;
        double waiting = watch_rate(task, before, "wait_resource_s");
        worked server = {.task = task, .before = before};
        find_longest_wait(&server, "resource");
        if (seen->mean.recv < 0.3 || waiting < 0.25 * (double)seen->workers.count ||
            strstr(server.waits_for, "token"))
            continue;
        weir_buf_addf(
            &seen->why,
            "workers wait for %s:%d in %.0f %% of their time, and its part of their steps "
            "for %s (%s)",
            task->job, task->index, 100 * seen->mean.recv, server.waits_for, server.waits_op);
        return true;
    }
    return false;
}

static bool queue_bound(evidence *seen)
{
    const worked *work = waits_for_op(seen, "");
    if (!work)
        return queue_of_server(seen);
    weir_buf_addf(&seen->why, "%s:%d waits for %s (%s) in %.0f %% of its time", work->task->job,
                  work->task->index, work->waits_for, work->waits_op, 100 * work->shares.resource);
    return true;
}

static bool unbalanced(evidence *seen)
{
    double most = 0, sum = 0, count = 0;
    const watch_task *fullest = NULL;
    for (size_t i = 0; i < seen->now->tasks.count; i++) {
        const watch_task *task = &seen->now->tasks.at[i];
        double bytes = task->up ? watch_value(task, "variable_bytes") : NAN;
        if (!is_server_of_variables(task) || isnan(bytes))
            continue;
        count++;
        sum += bytes;
        if (bytes > most) {
            most = bytes;
            fullest = task;
        }
    }
    if (count < 2 || most < 1e6 || seen->mean.recv < 0.25 || most < 1.6 * sum / count)
        return false;
    weir_buf_addf(&seen->why,
                  "ps:%d holds %.0f %% of the variables' bytes, and workers wait for values in "
                  "%.0f %% of their time",
                  fullest->index, 100 * most / sum, 100 * seen->mean.recv);
    return true;
}

static bool too_many_threads(evidence *seen)
{
    if (seen->threads < 2.5 * seen->host_cores || seen->host_busy < 0.85 * seen->host_cores ||
        seen->mean.compute < 0.3)
        return false;
    weir_buf_addf(&seen->why, "%.0f threads share %.0f processors, which are %.0f %% busy",
                  seen->threads, seen->host_cores, 100 * seen->host_busy / seen->host_cores);
    return true;
}

/* A worker's time per step. */
static double seconds_a_step(const worked *work)
{
    return 1 / fmax(work->steps, 1e-9);
}

static bool tiny_steps(evidence *seen)
{
    enum { TINY_MS = 8 };
    double overhead = 1 - seen->mean.compute - seen->mean.resource - seen->mean.other;
    double longest = 0, steps = 0;
    for (size_t i = 0; i < seen->workers.count; i++) {
        longest = fmax(longest, seconds_a_step(&seen->workers.at[i]));
        steps = fmax(steps, seen->workers.at[i].steps);
    }
    if (longest > TINY_MS * 1e-3 || overhead < 0.5)
        return false;
    weir_buf_addf(
        &seen->why,
        "%.0f steps a second, of whose time %.0f %% is sending, receiving, scheduling and "
        "the client",
        steps, 100 * overhead);
    return true;
}

static bool network_bound(evidence *seen)
{
    const worked *most = NULL;
    for (size_t i = 0; i < seen->workers.count; i++)
        if (!most || seen->workers.at[i].shares.recv > most->shares.recv)
            most = &seen->workers.at[i];
    if (seen->mean.recv < 0.35 || !most)
        return false;
    weir_buf_addf(&seen->why,
                  "workers wait for values of other tasks in %.0f %% of their time, %s:%d "
                  "longest for %s",
                  100 * seen->mean.recv, most->task->job, most->task->index, most->waits_for);
    return true;
}

static bool memory_full(evidence *seen)
{
    FILE *file = fopen("/proc/meminfo", "r");
    double total = 0;
    if (file && fscanf(file, "MemTotal: %lf", &total) != 1)
        total = 0;
    if (file)
        fclose(file);
    if (!total || seen->host_memory < 0.92 * total * 1024)
        return false;
    weir_buf_addf(&seen->why, "%.0f %% of the host's memory is in use",
                  100 * seen->host_memory / (total * 1024));
    return true;
}

static bool always(evidence *seen)
{
    weir_buf_addf(&seen->why, "computing takes %.0f %% of the workers' time",
                  100 * seen->mean.compute);
    return true;
}

static const verdict verdicts[] = {
    {"idle", "nothing runs", "see what steps wait for: the page's view Waits, or SIGUSR1",
     nothing_runs},
    {"memory", "the host's memory is nearly full", "a smaller batch, or fewer tasks on this host",
     memory_full},
    {"input", "the input does not keep up: steps wait for data",
     "more threads or a larger buffer for the input pipeline (num_parallel_calls, prefetch, "
     "num_threads)",
     starved},
    {"threads", "too many threads share the processors",
     "WEIR_THREADS, or intra_op_parallelism_threads, so that all tasks of a host have as many "
     "threads as it has processors",
     too_many_threads},
    {"small-steps", "steps are too small: most of the time is spent around them",
     "a larger batch, or several iterations in one step", tiny_steps},
    {"slow-worker", "one worker is slower than the others",
     "look at what else runs on its host; with backup workers (replicas_to_aggregate below the "
     "number of workers) the others need not wait for it",
     slow_worker},
    {"unbalanced", "the variables are not spread evenly over the parameter servers",
     "a load-balancing placement: GreedyLoadBalancingStrategy, or partitioned variables",
     unbalanced},
    {"queue", "steps wait for one queue or accumulator",
     "more than one queue, larger batches of elements (enqueue_many), or a larger capacity",
     queue_bound},
    {"network",
     "steps wait for other tasks' values: the network or the parameter servers limit them",
     "more parameter servers, a larger batch, or tasks closer together", network_bound},
    {"client", "the client is slower than its steps",
     "feed less (an input pipeline in the graph instead of feed_dict), fetch less often",
     mostly_between},
    {"none", "nothing stands out", "nothing", always},
};

static const verdict *judge(evidence *seen)
{
    for (size_t i = 0;; i++) {
        seen->why.length = 0;
        if (verdicts[i].holds(seen))
            return &verdicts[i];
    }
}

/* ---- the command --------------------------------------------------------------------------------
 */

static void print_shares(weir_output *output, const evidence *seen)
{
    weir_output_table(output, "workers");
    for (size_t i = 0; i < seen->workers.count; i++) {
        const worked *work = &seen->workers.at[i];
        char name[128];
        snprintf(name, sizeof name, "%.100s:%d", work->task->job, work->task->index);
        weir_output_row(output);
        weir_output_text(output, "task", name);
        weir_output_real(output, "steps_per_second", work->steps);
        weir_output_real(output, "compute", work->shares.compute);
        weir_output_real(output, "receive", work->shares.recv);
        weir_output_real(output, "queues", work->shares.resource);
        weir_output_real(output, "send", work->shares.send);
        weir_output_real(output, "schedule", work->shares.schedule);
        weir_output_real(output, "between", work->shares.between);
    }
}

static void print(const evidence *seen, const verdict *found, int format)
{
    weir_output *output = weir_output_begin(format);
    weir_output_text(output, "verdict", found->name);
    weir_output_text(output, "in_words", found->words);
    weir_output_text(output, "because", seen->why.at);
    weir_output_text(output, "change", found->change);
    print_shares(output, seen);
    weir_output_end(output);
}

static void explain_readings(const watch_cluster *before, const watch_cluster *now, int format)
{
    evidence seen = {.now = now, .before = before};
    look(&seen);
    print(&seen, judge(&seen), format);
    weir_vec_fini(&seen.workers);
    weir_buf_fini(&seen.why);
}

static weir_status explain_recording(const char *dir, int format)
{
    recording recording;
    watch_cluster before, now;
    weir_status status = recording_read(dir, &recording);
    if (!status) {
        recording_readings(&recording, &before, &now);
        explain_readings(&before, &now, format);
        weir_vec_fini(&before.tasks);
        weir_vec_fini(&now.tasks);
    }
    recording_fini(&recording);
    return status;
}

static weir_status explain_live(const char *address, const explain_args *args)
{
    watch_cluster before, now;
    WEIR_TRY(watch_cluster_get(address, &before));
    struct timespec time = {(time_t)args->seconds, (long)(fmod(args->seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
    weir_status status = watch_cluster_get(address, &now);
    if (!status) {
        explain_readings(&before, &now, args->format);
        watch_cluster_fini(&now);
    }
    watch_cluster_fini(&before);
    return status;
}

static int explain(void *args, int argc, char **argv)
{
    const explain_args *a = args;
    const char *what = argc ? argv[0] : NULL;
    weir_status status =
        what && weir_path_is_dir(what) ? explain_recording(what, a->format) : explain_live(what, a);
    return status ? weir_cli_fail_status("Give the address of a task of a live cluster: weir "
                                         "explain HOST:PORT; or a folder that 'weir run' recorded.",
                                         status)
                  : WEIR_EXIT_OK;
}

static const weir_option options[] = {
    {"seconds", 's', "S", "time to watch", WEIR_REAL(explain_args, seconds)},
    WEIR_OUTPUT_OPTION(explain_args, format),
};

const weir_command weir_command_explain = {
    .name = "explain",
    .summary = "find what limits a cluster, and what to change",
    .words = "[ADDRESS|DIR]",
    .most = 1,
    .about = "Watches the cluster of the task at ADDRESS (default: localhost:2222) for a few "
             "seconds, or reads the recording of a 'weir run' in DIR, and reports the bottleneck: "
             "input, network, one slow worker, unbalanced parameter servers, a queue, small steps, "
             "too many threads, memory or the client; with the evidence and the setting to change "
             "first.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(explain_args, .seconds = 3),
    .run = explain,
};
