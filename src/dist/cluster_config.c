/* dist/cluster_config.c - collects tasks and addresses from flags, and builds the cluster. */
#include "dist/cluster_config.h"

#include <limits.h>

#include "base/number.h"
#include "net/address.h"

void weir_cluster_config_fini(weir_cluster_config *config)
{
    for (size_t i = 0; i < config->tasks.count; i++) {
        weir_free(config->tasks.at[i].job);
        weir_free(config->tasks.at[i].address);
    }
    weir_vec_fini(&config->tasks);
    weir_free(config->job);
    weir_buf_fini(&config->session_config);
    *config = (weir_cluster_config){0};
}

weir_status weir_cluster_config_add(weir_cluster_config *config, weir_str job, int64_t index,
                                    weir_str address)
{
    if (job.length == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "a job of the cluster has no name");
    if (index < 0 || index > INT_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "job '%.*s' has no task %lld", WEIR_STR_ARG(job),
                          (long long)index);
    if (!weir_address_is_valid(address))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "the address of task %d of job '%.*s' is '%.*s', not host:port or unix:path",
            (int)index, WEIR_STR_ARG(job), WEIR_STR_ARG(address));
    if (config->tasks.count >= WEIR_MAX_TASKS)
        return weir_error(WEIR_INVALID_ARGUMENT, "a cluster has at most %d tasks", WEIR_MAX_TASKS);
    weir_vec_push(&config->tasks,
                  (weir_config_task){.job = weir_strndup(job.at, job.length),
                                     .index = (int)index,
                                     .address = weir_strndup(address.at, address.length)});
    return WEIR_OK;
}

/* Removes the part before the first |mark| from *rest; false when nothing is left. */
static bool cut(weir_str *rest, char mark, weir_str *out_part)
{
    if (!rest->at)
        return false;
    const char *found = rest->length ? memchr(rest->at, mark, rest->length) : NULL;
    size_t length = found ? (size_t)(found - rest->at) : rest->length;
    *out_part = (weir_str){rest->at, length};
    *rest = found ? (weir_str){found + 1, rest->length - length - 1} : (weir_str){0};
    return true;
}

static weir_str trim(weir_str text)
{
    while (text.length && text.at[0] == ' ')
        text = (weir_str){text.at + 1, text.length - 1};
    while (text.length && text.at[text.length - 1] == ' ')
        text.length--;
    return text;
}

weir_status weir_cluster_config_hosts(weir_cluster_config *config, weir_str job, weir_str hosts)
{
    weir_str part;
    if (trim(hosts).length == 0)
        return WEIR_OK; /* a job without tasks, as in --ps_hosts= */
    for (int64_t next = 0; cut(&hosts, ',', &part); next++) {
        weir_str address = trim(part), number;
        if (memchr(address.at, '@', address.length) && cut(&address, '@', &number) &&
            !weir_parse_i64(number, &next))
            return weir_error(WEIR_INVALID_ARGUMENT, "'%.*s' is no task index",
                              WEIR_STR_ARG(number));
        WEIR_TRY(weir_cluster_config_add(config, job, next, address));
    }
    return WEIR_OK;
}

weir_status weir_cluster_config_spec(weir_cluster_config *config, weir_str spec)
{
    weir_str part, job;
    while (cut(&spec, ';', &part)) {
        part = trim(part);
        if (part.length == 0)
            continue;
        weir_str hosts = part;
        if (!memchr(part.at, '=', part.length))
            return weir_error(WEIR_INVALID_ARGUMENT, "'%.*s' is not job=host:port,host:port",
                              WEIR_STR_ARG(part));
        cut(&hosts, '=', &job);
        WEIR_TRY(weir_cluster_config_hosts(config, trim(job), hosts));
    }
    return WEIR_OK;
}

const weir_config_task *weir_cluster_config_find(const weir_cluster_config *config, const char *job,
                                                 int index)
{
    for (size_t i = 0; i < config->tasks.count; i++)
        if (config->tasks.at[i].index == index && strcmp(config->tasks.at[i].job, job) == 0)
            return &config->tasks.at[i];
    return NULL;
}

/* Whether an earlier task belongs to the job of task |at|. */
static bool job_came_before(const weir_cluster_config *config, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(config->tasks.at[i].job, config->tasks.at[at].job) == 0)
            return true;
    return false;
}

void weir_cluster_config_print(const weir_cluster_config *config, weir_buf *out)
{
    for (size_t i = 0; i < config->tasks.count; i++) {
        if (job_came_before(config, i))
            continue;
        weir_buf_addf(out, "%s%s=", i ? ";" : "", config->tasks.at[i].job);
        int next = 0;
        for (size_t k = i; k < config->tasks.count; k++) {
            const weir_config_task *task = &config->tasks.at[k];
            if (strcmp(task->job, config->tasks.at[i].job) != 0)
                continue;
            weir_buf_adds(out, k == i ? "" : ",");
            if (task->index != next)
                weir_buf_addf(out, "%d@", task->index);
            weir_buf_adds(out, task->address);
            next = task->index + 1;
        }
    }
}

weir_status weir_cluster_config_build(const weir_cluster_config *config, weir_cluster **out_cluster)
{
    weir_cluster *cluster = weir_cluster_create();
    weir_status status = WEIR_OK;
    for (size_t i = 0; !status && i < config->tasks.count; i++)
        status = weir_cluster_add(cluster, config->tasks.at[i].job, config->tasks.at[i].index,
                                  config->tasks.at[i].address);
    if (!status)
        status = weir_cluster_seal(cluster, config->job, config->index);
    if (status) {
        weir_cluster_release(cluster);
        return status;
    }
    *out_cluster = cluster;
    return WEIR_OK;
}
