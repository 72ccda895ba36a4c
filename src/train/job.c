/* train/job.c - a process's role in a cluster: its task, its server, and waiting for the end. */
#include "train/job.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/env.h"
#include "train/train_impl.h"
#include "wire/messages.h"

struct weir_job {
    weir_cluster_config config;
    weir_server *server; /* null: not started */
    char *target;        /* an external server; null: its own */
};

/* ---- parsing --------------------------------------------------------------------------------- */

/* Parses "--name=value" or "--name value" at argv[i]; *out_used is the number of arguments. */
static weir_status take_flag(weir_task_flags *flags, int argc, char **argv, int i, int *out_used)
{
    const char *word = argv[i];
    *out_used = 0;
    if (word[0] != '-')
        return WEIR_OK;
    word += word[1] == '-' ? 2 : 1;
    const char *equals = strchr(word, '=');
    weir_str name = {word, equals ? (size_t)(equals - word) : strlen(word)};
    if (!weir_is_task_flag(name))
        return WEIR_OK;
    const char *value = equals ? equals + 1 : i + 1 < argc ? argv[i + 1] : NULL;
    if (!value)
        return weir_error(WEIR_INVALID_ARGUMENT, "--%.*s needs a value", WEIR_STR_ARG(name));
    *out_used = equals ? 1 : 2;
    return weir_task_flags_take(flags, name, value);
}

static weir_status take_flags(weir_task_flags *flags, int *argc, char **argv)
{
    int kept = 1;
    for (int i = 1; i < *argc;) {
        int used;
        WEIR_TRY(take_flag(flags, *argc, argv, i, &used));
        if (!used)
            argv[kept++] = argv[i++];
        i += used;
    }
    *argc = kept;
    argv[kept] = NULL;
    return WEIR_OK;
}

/* A parameter server would wait forever for workers that the cluster does not have. */
static weir_status check_workers(const weir_cluster_config *config)
{
    bool any = !config->tasks.count || strcmp(config->job ? config->job : "", "ps") != 0;
    for (size_t i = 0; i < config->tasks.count; i++)
        any |= strcmp(config->tasks.at[i].job, "ps") != 0;
    return any ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT,
                            "the cluster has no worker: give --worker_hosts, too");
}

static weir_status find_cluster(const weir_task_flags *flags, weir_cluster_config *out)
{
    WEIR_TRY(weir_identity_find(flags, out));
    if (!out->tasks.count && !flags->job_name && flags->task_index > 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "--task_index %ld, but no cluster: give --ps_hosts and --worker_hosts, "
                          "--cluster FILE, or TF_CONFIG",
                          flags->task_index);
    if (!out->tasks.count && flags->job_name)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "--job_name %s, but no cluster: give --ps_hosts and --worker_hosts, "
                          "--cluster FILE, or TF_CONFIG",
                          flags->job_name);
    return check_workers(out);
}

weir_status weir_job_from_flags(const weir_task_flags *flags, weir_job **out_job)
{
    weir_job *job = WEIR_NEW(weir_job);
    weir_status status = find_cluster(flags, &job->config);
    if (status)
        weir_job_delete(job);
    else
        *out_job = job;
    return status;
}

weir_job *weir_job_from_args(int *argc, char **argv, TF_Status *status)
{
    weir_task_flags flags = {WEIR_NO_TASK_FLAGS};
    weir_job *job = NULL;
    weir_status result = take_flags(&flags, argc, argv);
    if (!result)
        result = weir_job_from_flags(&flags, &job);
    weir_task_flags_fini(&flags);
    weir_capi_end(status, result);
    return job;
}

void weir_job_delete(weir_job *job)
{
    if (!job)
        return;
    weir_server_destroy(job->server);
    weir_free(job->target);
    weir_cluster_config_fini(&job->config);
    weir_free(job);
}

/* ---- queries --------------------------------------------------------------------------------- */

const char *weir_job_name(const weir_job *job)
{
    return job->config.job ? job->config.job : "";
}

int weir_job_index(const weir_job *job)
{
    return job->config.index;
}

int weir_job_count(const weir_job *j, const char *job)
{
    int count = 0;
    for (size_t i = 0; i < j->config.tasks.count; i++)
        count += strcmp(j->config.tasks.at[i].job, job) == 0;
    return count;
}

bool weir_job_is_ps(const weir_job *job)
{
    return strcmp(weir_job_name(job), "ps") == 0;
}

static bool has_chief(const weir_job *job)
{
    return weir_job_count(job, "chief") > 0;
}

int weir_job_worker(const weir_job *job)
{
    bool named = strcmp(weir_job_name(job), "chief") == 0;
    return weir_job_index(job) + (has_chief(job) && !named);
}

int weir_job_workers(const weir_job *job)
{
    int count = weir_job_count(job, "worker") + weir_job_count(job, "chief");
    return count ? count : 1;
}

bool weir_job_is_chief(const weir_job *job)
{
    return !weir_job_is_ps(job) && weir_job_worker(job) == 0;
}

/* ---- its server ----------------------------------------------------------------------------- */

/* The target of the server that `weir run` has started for the task, or null. */
static const char *started_already(const weir_job *job)
{
    const weir_env *env = weir_env_get();
    char task[256];
    snprintf(task, sizeof task, "%s:%d", weir_job_name(job), weir_job_index(job));
    return env->run_task && strcmp(env->run_task, task) == 0 ? env->run_target : NULL;
}

void weir_job_start(weir_job *job, TF_Status *status)
{
    TF_SetStatus(status, TF_OK, "");
    if (!job->config.tasks.count || job->server || job->target)
        return;
    if (started_already(job)) {
        weir_job_set_target(job, started_already(job));
        return;
    }
    weir_capi_end(status, weir_identity_serve(&job->config, &job->server));
}

weir_status weir_job_wait(weir_job *job, int64_t timeout_ms)
{
    return job->server ? weir_server_wait_for_peers(job->server, timeout_ms, NULL) : WEIR_OK;
}

void weir_job_set_target(weir_job *job, const char *target)
{
    weir_free(job->target);
    job->target = weir_strdup(target);
}

const char *weir_job_target(const weir_job *job)
{
    if (job->target)
        return job->target;
    return job->server ? weir_server_target(job->server) : "";
}

TF_Buffer *weir_job_session_config(const weir_job *job)
{
    WEIR_BUF(config);
    WEIR_BUF(own);
    weir_buf_addf(&own, "/job:%s/task:%d", weir_job_name(job), weir_job_index(job));
    weir_str filters[] = {WEIR_STR("/job:ps"), weir_view(&own)};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.device_filters = {filters, 2}}, &config);
    return TF_NewBufferFromString(config.at, config.length);
}

/* ---- the end -------------------------------------------------------------------------------- */

enum { LINGER_MS = 300 };

/* A queue on each parameter server, into which every worker puts an element when it is done. */
static TF_Output add_done_queue(weir_builder *builder, int ps)
{
    char name[64], device[64];
    const TF_DataType type = TF_INT32;
    snprintf(name, sizeof name, "weir_done_%d", ps);
    snprintf(device, sizeof device, "/job:ps/task:%d", ps);
    weir_build_push_device(builder, device);
    TF_OperationDescription *description = weir_build_begin(builder, "FIFOQueueV2", name);
    if (description) {
        TF_SetAttrTypeList(description, "component_types", &type, 1);
        TF_SetAttrShapeList(description, "shapes", (const int64_t *const[]){NULL}, &(int){0}, 1);
        TF_SetAttrString(description, "shared_name", name, strlen(name));
    }
    TF_Output queue = weir_build_end(builder, description);
    weir_build_pop_device(builder);
    return queue;
}

TF_Operation *weir_job_add_tell_done(const weir_job *job, weir_builder *builder)
{
    int count = weir_job_count(job, "ps");
    TF_Operation **told = WEIR_NEW_ARRAY(TF_Operation *, count);
    weir_build_push_scope(builder, "done");
    for (int i = 0, ps = 0; i < count; ps++) {
        if (!weir_cluster_config_find(&job->config, "ps", ps))
            continue; /* indices may have gaps */
        TF_Output queue = add_done_queue(builder, ps), one = weir_build_int32(builder, "one", 1);
        TF_OperationDescription *description = weir_build_begin(builder, "QueueEnqueueV2", "tell");
        if (description) {
            TF_AddInput(description, queue);
            TF_AddInputList(description, &one, 1);
        }
        told[i++] = weir_build_end(builder, description).oper;
    }
    TF_Operation *all = weir_build_group(builder, "tell_all", told, count);
    weir_build_pop_scope(builder);
    weir_free(told);
    return all;
}

static TF_Operation *add_wait(const weir_job *job, weir_builder *builder)
{
    const TF_DataType type = TF_INT32;
    TF_Output queue = add_done_queue(builder, weir_job_index(job));
    TF_Output count = weir_build_int32(builder, "count", weir_job_workers(job));
    TF_OperationDescription *description = weir_build_begin(builder, "QueueDequeueManyV2", "wait");
    if (description) {
        TF_AddInput(description, queue);
        TF_AddInput(description, count);
        TF_SetAttrTypeList(description, "component_types", &type, 1);
    }
    return weir_build_end(builder, description).oper;
}

static void run_wait(const weir_job *job, TF_Graph *graph, const TF_Operation *wait,
                     TF_Status *status)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Buffer *config = weir_job_session_config(job);
    TF_SetTarget(options, weir_job_target(job));
    TF_SetConfig(options, config->data, config->length, status);
    TF_Session *session = TF_NewSession(graph, options, status);
    if (session) {
        TF_Status *ignored = TF_NewStatus();
        TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &wait, 1, NULL, status);
        TF_DeleteSession(session, ignored);
        TF_DeleteStatus(ignored);
    }
    TF_DeleteBuffer(config);
    TF_DeleteSessionOptions(options);
}

void weir_job_serve(weir_job *job, TF_Status *status)
{
    TF_SetStatus(status, TF_OK, "");
    if (!*weir_job_target(job)) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "The task's server was not started");
        return;
    }
    TF_Graph *graph = TF_NewGraph();
    weir_builder *builder = weir_build_new(graph);
    TF_Operation *wait = add_wait(job, builder);
    if (wait) {
        run_wait(job, graph, wait, status);
        /* The last worker's element may come from a step that is still running on other servers. */
        nanosleep(&(struct timespec){0, LINGER_MS * 1000000}, NULL);
    } else
        TF_SetStatus(status, TF_GetCode(weir_build_status(builder)),
                     TF_Message(weir_build_status(builder)));
    weir_build_delete(builder);
    TF_DeleteGraph(graph);
}
