/* dist/identity.c - precedence: flags, TF_CONFIG, Slurm. */
#include "dist/identity.h"

#include <unistd.h>

#include "base/env.h"
#include "base/number.h"
#include "io/file.h"

enum { LARGEST_FILE = 64 << 20 };

/* ---- flags ----------------------------------------------------------------------------------- */

void weir_task_flags_fini(weir_task_flags *flags)
{
    weir_vec_fini(&flags->hosts);
}

static weir_status read_number(weir_str name, const char *value, long *out)
{
    int64_t number;
    if (!weir_parse_i64(weir_str_of(value), &number) || number < 0 || number > WEIR_MAX_TASKS)
        return weir_error(WEIR_INVALID_ARGUMENT, "--%.*s %s is not a number of a task",
                          WEIR_STR_ARG(name), value);
    *out = (long)number;
    return WEIR_OK;
}

/* The job of "JOB_hosts"; empty for other names. */
static weir_str job_of_hosts(weir_str name)
{
    static const char ending[] = "_hosts";
    size_t length = sizeof ending - 1;
    bool ends = name.length > length && memcmp(name.at + name.length - length, ending, length) == 0;
    return (weir_str){name.at, ends ? name.length - length : 0};
}

bool weir_is_task_flag(weir_str name)
{
    static const char *const names[] = {"job_name", "task_index", "cluster", "ps"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (weir_str_is(name, names[i]))
            return true;
    return job_of_hosts(name).length > 0;
}

weir_status weir_task_flags_take(weir_task_flags *flags, weir_str name, const char *value)
{
    if (weir_str_is(name, "task_index"))
        return read_number(name, value, &flags->task_index);
    if (weir_str_is(name, "ps"))
        return read_number(name, value, &flags->ps);
    if (weir_str_is(name, "job_name"))
        flags->job_name = value;
    else if (weir_str_is(name, "cluster"))
        flags->cluster_file = value;
    else
        weir_vec_push(&flags->hosts, (weir_job_hosts){job_of_hosts(name), value});
    return WEIR_OK;
}

bool weir_task_flags_given(const weir_task_flags *flags)
{
    return flags->job_name || flags->task_index >= 0 || flags->hosts.count || flags->cluster_file ||
           flags->cluster_spec || flags->server_def;
}

/* ---- the cluster ----------------------------------------------------------------------------- */

typedef weir_status config_reader(weir_cluster_config *config, weir_str text);

static weir_status read_file(const char *path, config_reader *reader, weir_cluster_config *out)
{
    WEIR_BUF(text);
    WEIR_TRY(weir_file_read_all(path, LARGEST_FILE, &text));
    weir_str view = {text.at ? text.at : "", text.length};
    return weir_status_prefix(reader(out, view), "%s: ", path);
}

/* The message's text itself, or the name of its file. */
static weir_status read_server_def(const char *def, weir_cluster_config *out)
{
    if (access(def, F_OK) != 0 && strpbrk(def, "{:"))
        return weir_cluster_config_server_def(out, weir_str_of(def));
    return read_file(def, weir_cluster_config_server_def, out);
}

static weir_status read_flags(const weir_task_flags *flags, weir_cluster_config *out)
{
    for (size_t i = 0; i < flags->hosts.count; i++)
        WEIR_TRY(weir_cluster_config_hosts(out, flags->hosts.at[i].job,
                                           weir_str_of(flags->hosts.at[i].hosts)));
    if (flags->cluster_file)
        WEIR_TRY(read_file(flags->cluster_file, weir_cluster_config_json, out));
    if (flags->cluster_spec)
        WEIR_TRY(weir_cluster_config_spec(out, weir_str_of(flags->cluster_spec)));
    return flags->server_def ? read_server_def(flags->server_def, out) : WEIR_OK;
}

weir_task_source weir_task_environment(void)
{
    const weir_env *env = weir_env_get();
    if (env->tf_config)
        return WEIR_TASK_TF_CONFIG;
    bool several = weir_slurm_is_step(&env->slurm) && strcmp(env->slurm.tasks, "1") != 0;
    return several ? WEIR_TASK_SLURM : WEIR_TASK_ALONE;
}

static weir_status read_environment(const weir_task_flags *flags, weir_cluster_config *out)
{
    const weir_env *env = weir_env_get();
    switch (weir_task_environment()) {
    case WEIR_TASK_TF_CONFIG:
        return weir_status_prefix(weir_cluster_config_json(out, weir_str_of(env->tf_config)),
                                  "TF_CONFIG: ");
    case WEIR_TASK_SLURM:
        return weir_cluster_config_slurm(out, &env->slurm, flags->ps >= 0 ? (int)flags->ps : 1);
    case WEIR_TASK_ALONE:
        break;
    }
    return WEIR_OK;
}

/* ---- the own task ---------------------------------------------------------------------------- */

static void name_self(const weir_task_flags *flags, weir_cluster_config *out)
{
    if (flags->job_name) {
        weir_free(out->job);
        out->job = weir_strdup(flags->job_name);
        out->index = 0;
    }
    if (flags->task_index >= 0)
        out->index = (int)flags->task_index;
    if (!out->job && out->tasks.count == 1) { /* the only possible one */
        out->job = weir_strdup(out->tasks.at[0].job);
        out->index = out->tasks.at[0].index;
    }
}

static weir_status check_self(const weir_cluster_config *config, bool may_be_outside)
{
    if (!config->tasks.count)
        return WEIR_OK;
    if (!config->job)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the cluster has %zu tasks, and none is named as this one: give "
                          "--job_name and --task_index",
                          config->tasks.count);
    if (!may_be_outside && !weir_cluster_config_find(config, config->job, config->index))
        return weir_error(WEIR_INVALID_ARGUMENT, "Task %d was not defined in job \"%s\"",
                          config->index, config->job);
    return WEIR_OK;
}

weir_status weir_identity_find(const weir_task_flags *flags, weir_cluster_config *out)
{
    WEIR_TRY(read_flags(flags, out));
    if (!out->tasks.count && !flags->server_def && !flags->no_environment)
        WEIR_TRY(read_environment(flags, out));
    name_self(flags, out);
    return check_self(out, flags->may_be_outside);
}

/* ---- its server ------------------------------------------------------------------------------ */

weir_status weir_identity_serve(const weir_cluster_config *config, weir_server **out_server)
{
    weir_cluster *cluster;
    WEIR_TRY(weir_cluster_config_build(config, &cluster));
    weir_status status = weir_server_start(
        &(weir_server_options){
            .cluster = cluster, .port = config->port, .config = weir_view(&config->session_config)},
        out_server);
    weir_cluster_release(cluster);
    return status;
}
