/* launch/record.c - a thread that polls the servers, and a sampler of the programs. */
#include "launch/record.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "dash/peers.h"
#include "io/file.h"
#include "launch/stall.h"
#include "observe/account.h"
#include "observe/sample.h"
#include "wire/json.h"

enum {
    ASK_MS = 500,
    PROGRAM_MS = 250,   /* sampling interval of the programs */
    OFTEN_S = 600,      /* after this time: */
    SELDOM = 10,        /* poll at a tenth of the rate, and keep every tenth sample */
    RUNS_KEPT = 20,     /* in the default folder */
    SAMPLES_KEPT = 6000 /* maximum number of lines per program */
};

typedef struct recorded {
    char *job, *address;
    int index, group;
    int64_t last; /* number of the last sample that was read */
} recorded;

struct run_record {
    char *dir;
    FILE *file;
    WEIR_VEC(recorded) tasks;
    weir_sampler *sampler; /* of the programs */
    run_stall stall;
    pthread_t thread;
    bool started;
    weir_mutex lock;
    weir_cond wake;
    bool stop WEIR_GUARDED_BY(lock);
};

/* ---- where to
 * ------------------------------------------------------------------------------------
 */

bool run_record_home(weir_buf *out)
{
    const char *state = weir_env_value("XDG_STATE_HOME"), *home = weir_env_get()->home;
    if (state && *state)
        weir_buf_addf(out, "%s/weir/runs", state);
    else if (home && *home)
        weir_buf_addf(out, "%s/.local/state/weir/runs", home);
    return out->length > 0;
}

/* Removes the oldest; names begin with their time. */
static void forget_old_runs(const char *home)
{
    weir_paths names = {0};
    weir_status_free(weir_dir_list(home, &names));
    for (size_t i = 0; i + RUNS_KEPT <= names.count; i++) {
        WEIR_BUF(path);
        weir_buf_addf(&path, "%s/%s", home, names.at[i]);
        weir_status_free(weir_dir_delete_all(path.at)); /* another job may have removed it */
    }
    weir_paths_fini(&names);
}

static char *new_folder(void)
{
    WEIR_BUF(path);
    struct tm utc;
    char date[32];
    time_t now = time(NULL);
    if (!run_record_home(&path))
        return NULL;
    forget_old_runs(path.at);
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y%m%d-%H%M%S", &utc);
    weir_buf_addf(&path, "/%s-%d", date, (int)getpid());
    return weir_buf_take(&path);
}

static FILE *open_recording(const char *dir, bool with_parents)
{
    WEIR_BUF(path);
    weir_status status = with_parents ? weir_dir_create_all(dir) : weir_dir_create(dir);
    weir_buf_addf(&path, "%s/" RUN_RECORDING, dir);
    FILE *file = status ? NULL : fopen(path.at, "we");
    weir_status_free(status); /* the job runs without a recording */
    return file;
}

static void add_tasks(run_record *record, const weir_cluster_config *cluster)
{
    for (size_t i = 0; i < cluster->tasks.count; i++) {
        const weir_config_task *task = &cluster->tasks.at[i];
        weir_vec_push(&record->tasks, (recorded){.job = weir_strdup(task->job),
                                                 .address = weir_strdup(task->address),
                                                 .index = task->index,
                                                 .group = weir_sampler_group(record->sampler)});
    }
}

run_record *run_record_create(const weir_cluster_config *cluster, const char *dir)
{
    char *folder = !weir_account_on() ? NULL : dir ? weir_strdup(dir) : new_folder();
    FILE *file = folder ? open_recording(folder, !dir) : NULL;
    if (!file) {
        weir_free(folder);
        folder = NULL;
        file = weir_account_on() ? fopen("/dev/null", "we")
                                 : NULL; /* the page is there all the same */
    }
    if (!file)
        return NULL;
    run_record *record = WEIR_NEW(run_record);
    *record = (run_record){.dir = folder, .file = file, .lock = WEIR_MUTEX_INIT};
    weir_cond_init_monotonic(&record->wake);
    record->sampler = weir_sampler_new(PROGRAM_MS);
    add_tasks(record, cluster);
    return record;
}

/* ---- asking
 * --------------------------------------------------------------------------------------
 */

static void put_head(const recorded *task, weir_buf *out)
{
    weir_buf_adds(out, "{\"job\":");
    weir_json_put_string(out, weir_str_of(task->job));
    weir_buf_addf(out, ",\"index\":%d,\"address\":", task->index);
    weir_json_put_string(out, weir_str_of(task->address));
}

/* The number of the last row of "samples":[[number,...],...]. */
static int64_t last_sample(const weir_buf *host, int64_t otherwise)
{
    const char *rows = memmem(host->at, host->length, "\"samples\":[[", 12);
    const char *last = rows ? memrchr(host->at, '[', host->length) : NULL;
    return last ? strtoll(last + 1, NULL, 10) : otherwise;
}

static void keep(run_record *record, recorded *task, weir_peer_get *state, weir_peer_get *host)
{
    WEIR_BUF(line);
    if (state->status != 200 || host->status != 200)
        return;
    put_head(task, &line);
    weir_buf_addf(&line, ",\"task\":%.*s,\"host\":%.*s}\n", (int)state->body.length, state->body.at,
                  (int)host->body.length, host->body.at);
    task->last = last_sample(&host->body, task->last);
    fwrite(line.at, 1, line.length, record->file);
}

static void ask(run_record *record, bool seldom)
{
    size_t count = record->tasks.count;
    weir_peer_get *gets = WEIR_NEW_ARRAY(weir_peer_get, 2 * count + 1);
    char(*paths)[96] = weir_alloc(sizeof *paths * (count + 1));
    for (size_t i = 0; i < count; i++) {
        recorded *task = &record->tasks.at[i];
        snprintf(paths[i], sizeof paths[i], "/api/host?since=%" PRId64 "&most=6000&every=%d",
                 task->last, seldom ? SELDOM : 1);
        gets[2 * i] = (weir_peer_get){.address = task->address, .path = "/api/task"};
        gets[2 * i + 1] = (weir_peer_get){.address = task->address, .path = paths[i]};
    }
    weir_peers_get(gets, 2 * count, ASK_MS);
    for (size_t i = 0; i < count; i++) {
        keep(record, &record->tasks.at[i], &gets[2 * i], &gets[2 * i + 1]);
        run_stall_add(&record->stall, weir_view(&gets[2 * i].body));
    }
    fflush(record->file); /* the job may be killed */
    for (size_t i = 0; i < 2 * count; i++)
        weir_buf_fini(&gets[i].body);
    weir_free(paths);
    weir_free(gets);
}

static void watch_progress(run_record *record)
{
    size_t count = record->tasks.count;
    int64_t now = weir_now_ns();
    if (!run_stall_due(&record->stall, now))
        return;
    run_stalled *tasks = WEIR_NEW_ARRAY(run_stalled, count + 1);
    for (size_t i = 0; i < count; i++) {
        const recorded *task = &record->tasks.at[i];
        tasks[i].address = task->address;
        snprintf(tasks[i].name, sizeof tasks[i].name, "%s %d", task->job, task->index);
    }
    run_stall_print(&record->stall, tasks, count, now);
    weir_free(tasks);
}

/* True: stopped. */
static bool wait_for(run_record *record, int64_t until_ns)
{
    struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
    weir_mutex_lock(&record->lock);
    while (!record->stop && weir_now_ns() < until_ns)
        weir_cond_wait_until(&record->wake, &record->lock, &until);
    bool stop = record->stop;
    weir_mutex_unlock(&record->lock);
    return stop;
}

static void *run(void *arg)
{
    run_record *record = arg;
    int64_t began = weir_now_ns(), next = began;
    bool over = false;
    while (!over) {
        bool seldom = next - began > OFTEN_S * 1000000000LL;
        ask(record, seldom);
        watch_progress(record);
        next += (seldom ? SELDOM : 1) * 1000000000LL;
        over = wait_for(record, next);
    }
    ask(record, false); /* the final state */
    return NULL;
}

void run_record_start(run_record *record)
{
    sigset_t all, old;
    if (!record || record->started)
        return;
    if (record->tasks.count)
        fprintf(stderr, "page: http://%s/\n", record->tasks.at[0].address);
    weir_sampler_start(record->sampler);
    sigfillset(&all); /* the loop handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    record->started = pthread_create(&record->thread, NULL, run, record) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* ---- programs
 * ------------------------------------------------------------------------------------
 */

void run_record_program(run_record *record, const char *job, int index, pid_t pid)
{
    for (size_t i = 0; record && i < record->tasks.count; i++)
        if (strcmp(record->tasks.at[i].job, job) == 0 && record->tasks.at[i].index == index)
            weir_sampler_add(record->sampler, record->tasks.at[i].group, pid);
}

static void keep_program(run_record *record, const recorded *task)
{
    const weir_sampler *sampler = record->sampler;
    int64_t offset = weir_wall_us() - weir_now_ns() / 1000;
    int count = weir_sampler_count(sampler), every = count / SAMPLES_KEPT + 1;
    WEIR_BUF(line);
    put_head(task, &line);
    weir_buf_adds(&line, ",\"program\":[");
    for (int i = 0; i < count; i += every) {
        double cpu = weir_sampler_value(sampler, task->group, WEIR_CPU_SECONDS, i);
        double memory = weir_sampler_value(sampler, task->group, WEIR_MEMORY_BYTES, i);
        weir_buf_addf(&line, "%s[%" PRId64 ",%.3f,%.0f]", i ? "," : "",
                      weir_sampler_ns(sampler, i) / 1000 + offset, isnan(cpu) ? 0 : cpu,
                      isnan(memory) ? 0 : memory);
    }
    weir_buf_adds(&line, "]}\n");
    fwrite(line.at, 1, line.length, record->file);
}

/* ---- the end
 * -------------------------------------------------------------------------------------
 */

void run_record_stop(run_record *record)
{
    if (!record || !record->started)
        return;
    weir_mutex_lock(&record->lock);
    record->stop = true;
    weir_cond_signal(&record->wake);
    weir_mutex_unlock(&record->lock);
    pthread_join(record->thread, NULL);
    record->started = false;
    weir_sampler_stop(record->sampler);
    for (size_t i = 0; i < record->tasks.count; i++)
        keep_program(record, &record->tasks.at[i]);
    fflush(record->file);
}

bool run_record_is_whole(const run_record *record)
{
    return !ferror(record->file);
}

const char *run_record_dir(const run_record *record)
{
    return record ? record->dir : NULL;
}

void run_record_destroy(run_record *record)
{
    if (!record)
        return;
    run_record_stop(record);
    fclose(record->file);
    weir_sampler_destroy(record->sampler);
    for (size_t i = 0; i < record->tasks.count; i++) {
        weir_free(record->tasks.at[i].job);
        weir_free(record->tasks.at[i].address);
    }
    weir_vec_fini(&record->tasks);
    weir_cond_fini(&record->wake);
    weir_free(record->dir);
    weir_free(record);
}
