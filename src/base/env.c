/* base/env.c - the one reader of the environment. */
#include "base/env.h"

#include <pthread.h>
#include <stdlib.h>

static weir_env env;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int number(const char *name, int otherwise)
{
    const char *s = getenv(name);
    return s && *s ? atoi(s) : otherwise;
}

/* Of the first that is set and not empty. */
static const char *text(const char *name, const char *otherwise)
{
    const char *s = getenv(name);
    if (s && *s)
        return s;
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

static void read_all(void)
{
    env.isa = getenv("WEIR_ISA");
    env.no_loose = number("WEIR_LOOSE", 1) == 0;
    env.threads = number("WEIR_THREADS", 0);
    env.log_level = number("WEIR_LOG", 2);
    env.transports = text("WEIR_TRANSPORTS", "WEIR_ROADS"); /* the latter is its old name */
    env.no_optimize = number("WEIR_NO_OPTIMIZE", 0) != 0;
    env.skip_passes = text("WEIR_SKIP", NULL);
    env.no_fuse = number("WEIR_FUSE", 1) == 0;
    env.no_ranks = number("WEIR_RANKS", 1) == 0;
    env.no_turn = number("WEIR_TURN", 1) == 0;
    env.no_stack = number("WEIR_STACK", 1) == 0;
    env.no_layers = number("WEIR_LAYERS", 1) == 0;
    env.no_winograd = number("WEIR_WINOGRAD", 1) == 0;
    env.no_phases = number("WEIR_PHASES", 1) == 0;
    env.no_thin = number("WEIR_THIN", 1) == 0;
    env.no_huge_pages = number("WEIR_HUGE_PAGES", 1) == 0;
    env.tf_config = text("TF_CONFIG", NULL);
    env.python = text("WEIR_PYTHON", NULL);
    env.python_path = text("PYTHONPATH", NULL);
    env.run_target = text("WEIR_RUN_TARGET", NULL);
    env.run_task = text("WEIR_RUN_TASK", NULL);
    env.tmpdir = text("TMPDIR", NULL);
    env.slurm = read_slurm();
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
