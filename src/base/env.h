/* base/env.h - every environment variable that Weir reads, read once.
 *
 * This is the only file that calls getenv; options elsewhere are structs passed in.
 */
#ifndef WEIR_BASE_ENV_H
#define WEIR_BASE_ENV_H

#include <stdbool.h>

/* The variables that srun sets for each task of a step; null where unset. */
typedef struct weir_slurm {
    const char *job_id;  /* SLURM_JOB_ID */
    const char *step_id; /* SLURM_STEP_ID */
    const char *nodes;   /* SLURM_STEP_NODELIST, else SLURM_JOB_NODELIST: "n[1-3,7],m" */
    const char *tasks;   /* SLURM_STEP_NUM_TASKS, else SLURM_NTASKS */
    const char *rank;    /* SLURM_PROCID */
    const char
        *tasks_per_node;      /* SLURM_STEP_TASKS_PER_NODE, else SLURM_TASKS_PER_NODE: "2(x3),1" */
    const char *ports;        /* SLURM_STEP_RESV_PORTS: "12000-12007" */
    const char *distribution; /* SLURM_DISTRIBUTION: "block", "cyclic" */
} weir_slurm;

typedef struct weir_env {
    const char *isa;        /* WEIR_ISA: ref, avx2, avx512; null picks the best */
    const char *memory;     /* WEIR_MEMORY: limit for tensors, "4G"; null: no limit */
    int threads;            /* WEIR_THREADS: size of the thread pool; 0: by the machine */
    int log_level;          /* WEIR_LOG: 0 debug, 1 info, 2 warning (default), 3 error */
    const char *transports; /* WEIR_TRANSPORTS: allowed between tasks, "shm,ucx,grpc"; null: all */
    const char *wire_dtype; /* WEIR_WIRE_DTYPE: of large floats between tasks; null: float32 */
    const char *limits;     /* WEIR_LIMITS: of servers, "streams=100,idle_ms=0"; null: defaults */
    const char *tls_cert, *tls_key, *tls_ca; /* WEIR_TLS_CERT, _KEY, _CA: files in PEM */
    const char *token_file; /* WEIR_TOKEN_FILE: its first line is sent to servers */
    bool checksum;          /* WEIR_CHECKSUM=1: of the values between tasks */
    bool check_numerics;   /* WEIR_CHECK_NUMERICS=1: name the first op that makes a NaN or an Inf */
    bool no_optimize;      /* WEIR_NO_OPTIMIZE=1: no graph passes but pruning */
    const char *tf_config; /* TF_CONFIG: cluster and task as JSON; null when unset or empty */
    const char *python;    /* WEIR_PYTHON: the interpreter of weir run */
    const char *python_path; /* PYTHONPATH, which programs started by weir run keep */
    const char *run_target;  /* WEIR_RUN_TARGET: the server that weir run started for a task */
    const char *run_task;    /* WEIR_RUN_TASK: that task, "worker:0" */
    const char *tmpdir;      /* TMPDIR: where private folders are made */
    const char *skip_passes; /* WEIR_SKIP: passes to skip, "norm,fuse"; null: none */
    const char *devices;     /* WEIR_DEVICES: "opencl", "cuda", "cpu"; null: all present */
    const char *cuda_path;   /* WEIR_CUDA_PATH: folder of CUDA's libraries; null: as installed */
    int record_mb;           /* WEIR_RECORD_MB: device memory for a captured step */
    const char *precision;   /* WEIR_PRECISION: "bf16", mixed precision on devices; null: float */
    const char *cache;       /* WEIR_CACHE: folder of compiled kernels; null: below the next */
    const char *user_cache;  /* XDG_CACHE_HOME; null: ~/.cache */
    const char *home;        /* HOME */
    weir_slurm slurm;
    /* On unless the variable is 0 (env.inc). */
#define WEIR_SWITCH(field, name, old_name, meaning) bool field;
#define WEIR_SKIP_ALIAS(name, pass)
#include "base/env.inc"
#undef WEIR_SWITCH
#undef WEIR_SKIP_ALIAS
} weir_env;

const weir_env *weir_env_get(void); /* thread-safe */
/* A variable by its name, e.g. to pass it to another process; null when unset. */
const char *weir_env_value(const char *name);
/* Calls |remark| for every variable that has no effect: its name resembles one of Weir's
 * (WEIR_TREADS), or its value is none that it takes. |what| says so. Only the first call in a
 * process does; |remark| may remove the variable. */
typedef void weir_env_remark(const char *name, const char *what);
void weir_env_report(weir_env_remark *remark);

#endif
