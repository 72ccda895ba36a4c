/* train/job.c - a process's place in a cluster: its task, its server, and who waits for whom. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/env.h"
#include "dist/cluster_config.h"
#include "dist/server.h"
#include "io/file.h"
#include "train/train_impl.h"
#include "wire/pb.h"

enum { LARGEST_FILE = 64 << 20, CONFIG_DEVICE_FILTERS = 4 };

struct weir_job {
    weir_cluster_config config;
    TF_Server *server; /* null: not started */
    char *target;      /* of a server elsewhere; null: the own one's */
};

/* ---- where it comes from -------------------------------------------------------------------- */

typedef struct flags {
    weir_cluster_config *config;
    const char *job, *task, *file, *ps;
} flags;

static weir_status set_flag(flags *f, weir_str name, const char *value)
{
    static const char hosts[] = "_hosts";
    size_t end = sizeof hosts - 1;
    if (weir_str_is(name, "job_name"))
        f->job = value;
    else if (weir_str_is(name, "task_index"))
        f->task = value;
    else if (weir_str_is(name, "cluster"))
        f->file = value;
    else if (weir_str_is(name, "ps"))
        f->ps = value;
    else
        return weir_cluster_config_hosts(f->config, (weir_str){name.at, name.length - end},
                                         weir_str_of(value));
    return WEIR_OK;
}

static bool is_flag(weir_str name)
{
    return weir_str_is(name, "job_name") || weir_str_is(name, "task_index") ||
           weir_str_is(name, "cluster") || weir_str_is(name, "ps") ||
           (name.length > 6 && memcmp(name.at + name.length - 6, "_hosts", 6) == 0);
}

/* Takes "--name=value" or "--name value" at argv[i]; *out_used says how many words it was. */
static weir_status take_flag(flags *f, int argc, char **argv, int i, int *out_used)
{
    const char *word = argv[i];
    *out_used = 0;
    if (word[0] != '-')
        return WEIR_OK;
    word += word[1] == '-' ? 2 : 1;
    const char *equals = strchr(word, '=');
    weir_str name = {word, equals ? (size_t)(equals - word) : strlen(word)};
    if (!is_flag(name))
        return WEIR_OK;
    const char *value = equals ? equals + 1 : i + 1 < argc ? argv[i + 1] : NULL;
    if (!value)
        return weir_error(WEIR_INVALID_ARGUMENT, "--%.*s needs a value", WEIR_STR_ARG(name));
    *out_used = equals ? 1 : 2;
    return set_flag(f, name, value);
}

static weir_status take_flags(flags *f, int *argc, char **argv)
{
    int kept = 1;
    for (int i = 1; i < *argc;) {
        int used;
        WEIR_TRY(take_flag(f, *argc, argv, i, &used));
        if (!used)
            argv[kept++] = argv[i++];
        i += used;
    }
    *argc = kept;
    argv[kept] = NULL;
    return WEIR_OK;
}

static weir_status read_file(weir_cluster_config *c, const char *path)
{
    weir_buf text = {0};
    weir_status s = weir_file_read_all(path, LARGEST_FILE, &text);
    if (!s)
        s = weir_status_prefix(
            weir_cluster_config_json(c, (weir_str){text.at ? text.at : "", text.length}),
            "%s: ", path);
    weir_buf_fini(&text);
    return s;
}

static weir_status set_task(weir_cluster_config *c, const flags *f)
{
    if (f->job) {
        weir_free(c->job);
        c->job = weir_strdup(f->job);
        c->index = 0;
    }
    if (f->task) {
        char *end;
        c->index = (int)strtol(f->task, &end, 10);
        if (*end || !*f->task)
            return weir_error(WEIR_INVALID_ARGUMENT, "--task_index %s is not a number", f->task);
    }
    if (!c->tasks.count)
        return f->job ? weir_error(WEIR_INVALID_ARGUMENT,
                                   "--job_name %s, but no cluster: give --ps_hosts and "
                                   "--worker_hosts, --cluster FILE, or TF_CONFIG",
                                   f->job)
                      : WEIR_OK;
    if (!c->job)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Which task of the cluster this is was not said: give --job_name and "
                          "--task_index");
    if (!weir_cluster_config_find(c, c->job, c->index))
        return weir_error(WEIR_INVALID_ARGUMENT, "The cluster has no task %d of job '%s'", c->index,
                          c->job);
    return WEIR_OK;
}

static weir_status configure(weir_job *j, int *argc, char **argv)
{
    flags f = {.config = &j->config};
    WEIR_TRY(take_flags(&f, argc, argv));
    if (f.file)
        WEIR_TRY(read_file(&j->config, f.file));
    const weir_env *env = weir_env_get();
    if (j->config.tasks.count)
        return set_task(&j->config, &f);
    if (env->tf_config)
        WEIR_TRY_NOTE(weir_cluster_config_json(&j->config, weir_str_of(env->tf_config)),
                      "(in TF_CONFIG)");
    else if (weir_slurm_is_step(&env->slurm) && strcmp(env->slurm.tasks, "1") != 0)
        WEIR_TRY(weir_cluster_config_slurm(&j->config, &env->slurm, f.ps ? atoi(f.ps) : 1));
    return set_task(&j->config, &f);
}

weir_job *weir_job_from_args(int *argc, char **argv, TF_Status *status)
{
    weir_job *j = WEIR_NEW(weir_job);
    if (weir_capi_end(status, configure(j, argc, argv)))
        return j;
    weir_job_delete(j);
    return NULL;
}

void weir_job_delete(weir_job *j)
{
    if (!j)
        return;
    if (j->server)
        TF_DeleteServer(j->server);
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

static void write_server_def(const weir_job *j, weir_buf *out)
{
    weir_cluster *cluster = weir_cluster_create();
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < j->config.tasks.count && !s; i++)
        s = weir_cluster_add(cluster, j->config.tasks.at[i].job, j->config.tasks.at[i].index,
                             j->config.tasks.at[i].address);
    weir_status_free(s); /* the configuration checked them */
    size_t mark = weir_pb_begin(out, 1);
    weir_cluster_export(cluster, out);
    weir_pb_end(out, mark);
    weir_pb_put_str(out, 2, j->config.job);
    weir_pb_put_varint_nz(out, 3, (uint64_t)j->config.index);
    weir_pb_put_str(out, 5, "grpc");
    weir_cluster_release(cluster);
}

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
    weir_buf def = {0};
    write_server_def(j, &def);
    TF_Server *server = TF_NewServer(def.at, def.length, status);
    weir_buf_fini(&def);
    if (!server)
        return;
    TF_ServerStart(server, status);
    if (TF_GetCode(status) == TF_OK)
        j->server = server;
    else
        TF_DeleteServer(server);
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
    return j->server ? TF_ServerTarget(j->server) : "";
}

TF_Buffer *weir_job_session_config(const weir_job *j)
{
    weir_buf config = {0}, filter = {0};
    weir_buf_addf(&filter, "/job:%s/task:%d", weir_job_name(j), weir_job_index(j));
    weir_pb_put_str(&config, CONFIG_DEVICE_FILTERS, "/job:ps");
    weir_pb_put_bytes(&config, CONFIG_DEVICE_FILTERS, filter.at, filter.length);
    TF_Buffer *made = TF_NewBufferFromString(config.at, config.length);
    weir_buf_fini(&config);
    weir_buf_fini(&filter);
    return made;
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
