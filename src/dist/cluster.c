/* dist/cluster.c - tasks by name, conversion from and to a ClusterDef. */
#include "dist/cluster.h"

#include <ctype.h>
#include <stdio.h>

#include "base/mem.h"
#include "net/address.h"
#include "wire/messages.h"

enum { LONGEST_JOB = 63, LARGEST_INDEX = 1000000, MOST_TASKS = 10000 };

static void destroy(weir_ref *ref)
{
    weir_cluster *cluster = (weir_cluster *)ref;
    for (int i = 0; i < cluster->task_count; i++) {
        weir_channel_release(cluster->tasks[i].channel);
        weir_free(cluster->tasks[i].job);
        weir_free(cluster->tasks[i].address);
    }
    weir_map_fini(&cluster->by_name);
    weir_free(cluster->tasks);
    weir_free(cluster);
}

weir_cluster *weir_cluster_create(void)
{
    weir_cluster *cluster = WEIR_NEW(weir_cluster);
    weir_ref_init(&cluster->ref, destroy);
    cluster->own = -1;
    return cluster;
}

void weir_cluster_release(weir_cluster *cluster)
{
    weir_ref_release((weir_ref *)cluster);
}

/* ---- adding tasks --------------------------------------------------------------------------- */

static bool job_valid(const char *job)
{
    size_t length = strlen(job);
    if (length == 0 || length > LONGEST_JOB || !isalpha((unsigned char)job[0]))
        return false;
    for (size_t i = 1; i < length; i++)
        if (!isalnum((unsigned char)job[i]) && job[i] != '_')
            return false;
    return true;
}

static weir_status check_task(const weir_cluster *cluster, const char *job, int index,
                              const char *address)
{
    if (!job_valid(job))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "'%s' is no job name: it must be a letter and then at most %d letters, "
                          "digits and underscores",
                          job, LONGEST_JOB - 1);
    if (index < 0 || index > LARGEST_INDEX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "job \"%s\" has no task %d: indices go from 0 to %d", job, index,
                          LARGEST_INDEX);
    if (!weir_address_is_valid(weir_str_of(address)))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Could not interpret \"%s\" as a host-port pair (task %d of job \"%s\")",
                          address, index, job);
    if (cluster->task_count == MOST_TASKS)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "task %d of job \"%s\": a cluster has at most %d tasks", index, job,
                          MOST_TASKS);
    for (int i = 0; i < cluster->task_count; i++)
        if (cluster->tasks[i].index == index && strcmp(cluster->tasks[i].job, job) == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "task %d of job \"%s\" is named twice: \"%s\" and \"%s\"", index, job,
                              cluster->tasks[i].address, address);
    return WEIR_OK;
}

/* The position of a task: by index within its job; jobs in the given order. */
static int place_of(const weir_cluster *cluster, const char *job, int index)
{
    int at = 0;
    while (at < cluster->task_count && strcmp(cluster->tasks[at].job, job) != 0)
        at++;
    while (at < cluster->task_count && strcmp(cluster->tasks[at].job, job) == 0 &&
           cluster->tasks[at].index < index)
        at++;
    return at;
}

weir_status weir_cluster_add(weir_cluster *cluster, const char *job, int index, const char *address)
{
    WEIR_TRY(check_task(cluster, job, index, address));
    cluster->tasks =
        weir_realloc(cluster->tasks, sizeof *cluster->tasks * (size_t)(cluster->task_count + 1));
    weir_task *task = &cluster->tasks[place_of(cluster, job, index)];
    memmove(task + 1, task, sizeof *task * (size_t)(cluster->tasks + cluster->task_count++ - task));
    *task = (weir_task){.job = weir_strdup(job), .index = index, .address = weir_strdup(address)};
    snprintf(task->name, sizeof task->name, "/job:%s/replica:0/task:%d", job, index);
    return WEIR_OK;
}

static weir_status add_job(weir_cluster *cluster, const weir_msg_job_def *def)
{
    WEIR_MESSAGE_ARENA(arena);
    const char *job = weir_arena_strndup(&arena, def->name.at, def->name.length);
    for (size_t i = 0; i < def->tasks.count; i++) {
        weir_str address = def->tasks.at[i].value;
        WEIR_TRY(weir_cluster_add(cluster, job, def->tasks.at[i].key,
                                  weir_arena_strndup(&arena, address.at, address.length)));
    }
    return WEIR_OK;
}

weir_status weir_cluster_add_def(weir_cluster *cluster, const weir_msg_cluster_def *def)
{
    for (size_t i = 0; i < def->job.count; i++)
        WEIR_TRY(add_job(cluster, &def->job.at[i]));
    return WEIR_OK;
}

/* ---- sealing -------------------------------------------------------------------------------- */

weir_status weir_cluster_seal(weir_cluster *cluster, const char *own_job, int own_index)
{
    for (int i = 0; i < cluster->task_count; i++) {
        weir_task *task = &cluster->tasks[i];
        if (own_job && task->index == own_index && strcmp(task->job, own_job) == 0)
            cluster->own = i;
        weir_map_put(&cluster->by_name, weir_str_of(task->name), task);
    }
    if (own_job && cluster->own < 0)
        return weir_error(WEIR_NOT_FOUND, "Task %d of job \"%s\" is not defined in the cluster",
                          own_index, own_job);
    for (int i = 0; i < cluster->task_count; i++)
        if (i != cluster->own)
            cluster->tasks[i].channel = weir_channel_open(cluster->tasks[i].address);
    return WEIR_OK;
}

/* ---- queries -------------------------------------------------------------------------------- */

const weir_task *weir_cluster_find(const weir_cluster *cluster, weir_str device)
{
    static const char mark[] = "/device:";
    const char *end = memmem(device.at, device.length, mark, sizeof mark - 1);
    weir_str task = {device.at, end ? (size_t)(end - device.at) : device.length};
    return weir_map_get(&cluster->by_name, task);
}

weir_msg_cluster_def weir_cluster_describe(const weir_cluster *cluster, weir_arena *arena)
{
    size_t count = (size_t)cluster->task_count, job_count = 0;
    weir_msg_job_def *jobs = WEIR_ARENA_ARRAY(arena, weir_msg_job_def, count);
    weir_msg_job_def_tasks_entry *tasks =
        WEIR_ARENA_ARRAY(arena, weir_msg_job_def_tasks_entry, count);
    for (size_t i = 0; i < count; i++) {
        const weir_task *task = &cluster->tasks[i];
        if (i == 0 || strcmp(cluster->tasks[i - 1].job, task->job) != 0)
            jobs[job_count++] =
                (weir_msg_job_def){.name = weir_str_of(task->job), .tasks.at = &tasks[i]};
        tasks[i].key = task->index;
        tasks[i].value = weir_str_of(task->address);
        jobs[job_count - 1].tasks.count++;
    }
    return (weir_msg_cluster_def){.job = {jobs, job_count}};
}
