/* base/env.c - the only reader of the environment. */
#include "base/env.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weir_env env;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text && *text ? atoi(text) : otherwise;
}

/* The first one that is set and not empty. */
static const char *text(const char *name, const char *otherwise)
{
    const char *str = getenv(name);
    if (str && *str)
        return str;
    return otherwise ? text(otherwise, NULL) : NULL;
}

static weir_slurm read_slurm(void)
{
    return (weir_slurm){
        .job_id = text("SLURM_JOB_ID", "SLURM_JOBID"),
        .step_id = text("SLURM_STEP_ID", "SLURM_STEPID"),
        .nodes = text("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"),
        .tasks = text("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
        .rank = text("SLURM_PROCID", NULL),
        .tasks_per_node = text("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"),
        .ports = text("SLURM_STEP_RESV_PORTS", NULL),
        .distribution = text("SLURM_DISTRIBUTION", NULL),
    };
}

static bool is_off(const char *name)
{
    return number(name, 1) == 0;
}

static void read_switches(void)
{
#define WEIR_SWITCH(field, name, old_name, meaning)                                                \
    env.field = is_off(getenv(name) ? name : old_name);
#define WEIR_SKIP_ALIAS(name, pass)
#include "base/env.inc"
#undef WEIR_SWITCH
#undef WEIR_SKIP_ALIAS
}

static const struct skip_alias {
    const char *name, *pass;
} skip_aliases[] = {
#define WEIR_SWITCH(field, name, old_name, meaning)
#define WEIR_SKIP_ALIAS(name, pass) {name, pass},
#include "base/env.inc"
#undef WEIR_SWITCH
#undef WEIR_SKIP_ALIAS
};

/* WEIR_SKIP and the passes that aliases add to it; null: none. */
static const char *skipped(void)
{
    static char all[1024];
    const char *named = text("WEIR_SKIP", NULL);
    size_t length = (size_t)snprintf(all, sizeof all, "%s", named ? named : "");
    for (size_t i = 0; i < sizeof skip_aliases / sizeof *skip_aliases; i++)
        if (is_off(skip_aliases[i].name) && length < sizeof all)
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", length ? "," : "",
                                       skip_aliases[i].pass);
    return *all ? all : NULL;
}

static void read_all(void)
{
    env.isa = getenv("WEIR_ISA");
    env.memory = text("WEIR_MEMORY", NULL);
    env.threads = number("WEIR_THREADS", 0);
    env.log_level = number("WEIR_LOG", 2);
    env.transports = text("WEIR_TRANSPORTS", "WEIR_ROADS"); /* the latter is its old name */
    env.wire_dtype = text("WEIR_WIRE_DTYPE", NULL);
    env.limits = text("WEIR_LIMITS", NULL);
    env.tls_cert = text("WEIR_TLS_CERT", NULL);
    env.tls_key = text("WEIR_TLS_KEY", NULL);
    env.tls_ca = text("WEIR_TLS_CA", NULL);
    env.token_file = text("WEIR_TOKEN_FILE", NULL);
    env.checksum = number("WEIR_CHECKSUM", 0) != 0;
    env.check_numerics = number("WEIR_CHECK_NUMERICS", 0) != 0;
    env.no_optimize = number("WEIR_NO_OPTIMIZE", 0) != 0;
    env.skip_passes = skipped();
    env.tf_config = text("TF_CONFIG", NULL);
    env.python = text("WEIR_PYTHON", NULL);
    env.python_path = text("PYTHONPATH", NULL);
    env.run_target = text("WEIR_RUN_TARGET", NULL);
    env.run_task = text("WEIR_RUN_TASK", NULL);
    env.tmpdir = text("TMPDIR", NULL);
    env.devices = text("WEIR_DEVICES", NULL);
    env.cuda_path = text("WEIR_CUDA_PATH", NULL);
    env.record_mb = number("WEIR_RECORD_MB", INT_MAX);
    env.precision = text("WEIR_PRECISION", NULL);
    env.cache = text("WEIR_CACHE", NULL);
    env.user_cache = text("XDG_CACHE_HOME", NULL);
    env.home = text("HOME", NULL);
    env.slurm = read_slurm();
    read_switches();
}

const weir_env *weir_env_get(void)
{
    pthread_once(&once, read_all);
    return &env;
}

const char *weir_env_value(const char *name)
{
    return getenv(name);
}
