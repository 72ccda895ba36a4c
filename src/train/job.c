/* train/job.c - a process's place in a cluster: its task, its server, and who waits for whom. */
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
    char *target;        /* of a server elsewhere; null: the own one's */
};

/* ---- where it comes from -------------------------------------------------------------------- */

/* Takes "--name=value" or "--name value" at argv[i]; *out_used says how many words it was. */
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

static weir_status find_cluster(const weir_task_flags *flags, weir_cluster_config *out)
{
    WEIR_TRY(weir_identity_find(flags, out));
    if (!out->tasks.count && flags->job_name)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "--job_name %s, but no cluster: give --ps_hosts and --worker_hosts, "
                          "--cluster FILE, or TF_CONFIG",
                          flags->job_name);
    return WEIR_OK;
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
    weir_status s = take_flags(&flags, argc, argv);
    if (!s)
        s = weir_job_from_flags(&flags, &job);
    weir_task_flags_fini(&flags);
    weir_capi_end(status, s);
    return job;
}

void weir_job_delete(weir_job *j)
{
    if (!j)
        return;
    weir_server_destroy(j->server);
    weir_free(j->target);
    weir_cluster_config_fini(&j->config);
    weir_free(j);
}

/* ---- what it is ----------------------------------------------------------------------------- */

const char *weir_job_name(const weir_job *j)
{
    return j->config.job ? j->config.job : "";
}

int weir_job_index(const weir_job *j)
{
    return j->config.index;
}

int weir_job_count(const weir_job *j, const char *job)
{
    int count = 0;
    for (size_t i = 0; i < j->config.tasks.count; i++)
        count += strcmp(j->config.tasks.at[i].job, job) == 0;
    return count;
}

bool weir_job_is_ps(const weir_job *j)
{
    return strcmp(weir_job_name(j), "ps") == 0;
}

static bool has_chief(const weir_job *j)
{
    return weir_job_count(j, "chief") > 0;
}

int weir_job_worker(const weir_job *j)
{
    bool named = strcmp(weir_job_name(j), "chief") == 0;
    return weir_job_index(j) + (has_chief(j) && !named);
}

int weir_job_workers(const weir_job *j)
{
    int count = weir_job_count(j, "worker") + weir_job_count(j, "chief");
    return count ? count : 1;
}

bool weir_job_is_chief(const weir_job *j)
{
    return !weir_job_is_ps(j) && weir_job_worker(j) == 0;
}

/* ---- its server ----------------------------------------------------------------------------- */

/* `weir run` has started the task's server: its target, else null. */
static const char *started_already(const weir_job *j)
{
    const weir_env *env = weir_env_get();
    char task[256];
    snprintf(task, sizeof task, "%s:%d", weir_job_name(j), weir_job_index(j));
    return env->run_task && strcmp(env->run_task, task) == 0 ? env->run_target : NULL;
}

void weir_job_start(weir_job *j, TF_Status *status)
{
    TF_SetStatus(status, TF_OK, "");
    if (!j->config.tasks.count || j->server || j->target)
        return;
    if (started_already(j)) {
        weir_job_set_target(j, started_already(j));
        return;
    }
    weir_capi_end(status, weir_identity_serve(&j->config, &j->server));
}

void weir_job_set_target(weir_job *j, const char *target)
{
    weir_free(j->target);
    j->target = weir_strdup(target);
}

const char *weir_job_target(const weir_job *j)
{
    if (j->target)
        return j->target;
    return j->server ? weir_server_target(j->server) : "";
}

TF_Buffer *weir_job_session_config(const weir_job *j)
{
    WEIR_BUF(config);
    WEIR_BUF(own);
    weir_buf_addf(&own, "/job:%s/task:%d", weir_job_name(j), weir_job_index(j));
    weir_str filters[] = {WEIR_STR("/job:ps"), weir_view(&own)};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.device_filters = {filters, 2}}, &config);
    return TF_NewBufferFromString(config.at, config.length);
}

/* ---- the end -------------------------------------------------------------------------------- */

enum { LINGER_MS = 300 };

/* A queue beside each parameter server, into which every worker puts one word when it is done. */
static TF_Output add_done_queue(weir_builder *b, int ps)
{
    char name[64], device[64];
    const TF_DataType type = TF_INT32;
    snprintf(name, sizeof name, "weir_done_%d", ps);
    snprintf(device, sizeof device, "/job:ps/task:%d", ps);
    weir_build_push_device(b, device);
    TF_OperationDescription *d = weir_build_begin(b, "FIFOQueueV2", name);
    if (d) {
        TF_SetAttrTypeList(d, "component_types", &type, 1);
        TF_SetAttrShapeList(d, "shapes", (const int64_t *const[]){NULL}, &(int){0}, 1);
        TF_SetAttrString(d, "shared_name", name, strlen(name));
    }
    TF_Output queue = weir_build_end(b, d);
    weir_build_pop_device(b);
    return queue;
}

TF_Operation *weir_job_add_tell_done(const weir_job *j, weir_builder *b)
{
    int count = weir_job_count(j, "ps");
    TF_Operation **told = WEIR_NEW_ARRAY(TF_Operation *, count);
    weir_build_push_scope(b, "done");
    for (int i = 0, ps = 0; i < count; ps++) {
        if (!weir_cluster_config_find(&j->config, "ps", ps))
            continue; /* indices may have gaps */
        TF_Output queue = add_done_queue(b, ps), one = weir_build_int32(b, "one", 1);
        TF_OperationDescription *d = weir_build_begin(b, "QueueEnqueueV2", "tell");
        if (d) {
            TF_AddInput(d, queue);
            TF_AddInputList(d, &one, 1);
        }
        told[i++] = weir_build_end(b, d).oper;
    }
    TF_Operation *all = weir_build_group(b, "tell_all", told, count);
    weir_build_pop_scope(b);
    weir_free(told);
    return all;
}

static TF_Operation *add_wait(const weir_job *j, weir_builder *b)
{
    const TF_DataType type = TF_INT32;
    TF_Output queue = add_done_queue(b, weir_job_index(j));
    TF_Output count = weir_build_int32(b, "count", weir_job_workers(j));
    TF_OperationDescription *d = weir_build_begin(b, "QueueDequeueManyV2", "wait");
    if (d) {
        TF_AddInput(d, queue);
        TF_AddInput(d, count);
        TF_SetAttrTypeList(d, "component_types", &type, 1);
    }
    return weir_build_end(b, d).oper;
}

static void run_wait(const weir_job *j, TF_Graph *graph, const TF_Operation *wait,
                     TF_Status *status)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Buffer *config = weir_job_session_config(j);
    TF_SetTarget(options, weir_job_target(j));
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

void weir_job_serve(weir_job *j, TF_Status *status)
{
    TF_SetStatus(status, TF_OK, "");
    if (!*weir_job_target(j)) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "The task's server was not started");
        return;
    }
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    TF_Operation *wait = add_wait(j, b);
    if (wait) {
        run_wait(j, graph, wait, status);
        /* The last worker's word may have come in a step that goes on at other servers. */
        nanosleep(&(struct timespec){0, LINGER_MS * 1000000}, NULL);
    } else
        TF_SetStatus(status, TF_GetCode(weir_build_status(b)), TF_Message(weir_build_status(b)));
    weir_build_delete(b);
    TF_DeleteGraph(graph);
}
