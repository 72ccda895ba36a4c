/* base/env.c - the only reader of the environment. */
#include "base/env.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "base/room.h"

static weir_env env;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool whole(const char *text, int *out)
{
    char *end;
    long value = strtol(text, &end, 10);
    *out = (int)value;
    return end != text && !*end && value >= INT_MIN && value <= INT_MAX;
}

/* What is no number has no effect, but for a remark (weir_env_report). */
static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int value;
    return text && *text && whole(text, &value) ? value : otherwise;
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
    const char *text = getenv(name);
    return text && *text && atoi(text) == 0;
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

/* Variables with a value: TEXT(field, name, old name), NUMBER(field, name, otherwise) and
 * FLAG(field, name). */
#define VALUES(TEXT, NUMBER, FLAG)                                                                 \
    TEXT(isa, "WEIR_ISA", NULL)                                                                    \
    TEXT(memory, "WEIR_MEMORY", NULL)                                                              \
    NUMBER(threads, "WEIR_THREADS", 0)                                                             \
    NUMBER(log_level, "WEIR_LOG", 2)                                                               \
    TEXT(transports, "WEIR_TRANSPORTS", "WEIR_ROADS")                                              \
    TEXT(wire_dtype, "WEIR_WIRE_DTYPE", NULL)                                                      \
    TEXT(limits, "WEIR_LIMITS", NULL)                                                              \
    TEXT(tls_cert, "WEIR_TLS_CERT", NULL)                                                          \
    TEXT(tls_key, "WEIR_TLS_KEY", NULL)                                                            \
    TEXT(tls_ca, "WEIR_TLS_CA", NULL)                                                              \
    TEXT(token_file, "WEIR_TOKEN_FILE", NULL)                                                      \
    FLAG(checksum, "WEIR_CHECKSUM")                                                                \
    FLAG(check_numerics, "WEIR_CHECK_NUMERICS")                                                    \
    FLAG(no_optimize, "WEIR_NO_OPTIMIZE")                                                          \
    TEXT(python, "WEIR_PYTHON", NULL)                                                              \
    TEXT(run_target, "WEIR_RUN_TARGET", NULL)                                                      \
    TEXT(run_task, "WEIR_RUN_TASK", NULL)                                                          \
    TEXT(devices, "WEIR_DEVICES", NULL)                                                            \
    TEXT(cuda_path, "WEIR_CUDA_PATH", NULL)                                                        \
    NUMBER(record_mb, "WEIR_RECORD_MB", INT_MAX)                                                   \
    TEXT(precision, "WEIR_PRECISION", NULL)                                                        \
    TEXT(cache, "WEIR_CACHE", NULL)                                                                \
    TEXT(tf_config, "TF_CONFIG", NULL)                                                             \
    TEXT(python_path, "PYTHONPATH", NULL)                                                          \
    TEXT(tmpdir, "TMPDIR", NULL)                                                                   \
    TEXT(user_cache, "XDG_CACHE_HOME", NULL)                                                       \
    TEXT(home, "HOME", NULL)

static void read_all(void)
{
#define TEXT(field, name, old_name) env.field = text(name, old_name);
#define NUMBER(field, name, otherwise) env.field = number(name, otherwise);
#define FLAG(field, name) env.field = number(name, 0) != 0;
    VALUES(TEXT, NUMBER, FLAG)
#undef TEXT
#undef NUMBER
#undef FLAG
    env.skip_passes = skipped();
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

/* ---- what has no effect ---------------------------------------------------------------------- */

/* Weir's variables; of renamed ones the old names, which nobody means. */
static const struct known {
    const char *name, *old_name;
} known[] = {{"WEIR_CGROUP", NULL},
             {"WEIR_DOCS", NULL},
             {"WEIR_RUN_TF1", NULL},
             {"WEIR_SKIP", NULL},
#define TEXT(field, name, old_name) {name, old_name},
#define NUMBER(field, name, otherwise) {name, NULL},
#define FLAG(field, name) {name, NULL},
             VALUES(TEXT, NUMBER, FLAG)
#undef TEXT
#undef NUMBER
#undef FLAG
#define WEIR_SWITCH(field, name, old_name, meaning) {name, old_name},
#define WEIR_SKIP_ALIAS(name, pass) {NULL, name},
#include "base/env.inc"
#undef WEIR_SWITCH
#undef WEIR_SKIP_ALIAS
};

enum { PREFIX = 5 }; /* of "WEIR_" */

/* The variable that |name| probably misspells, or null: at most two letters differ, of a short
 * name one. */
static const char *meant_by(const char *name)
{
    const char *best = NULL;
    size_t letters = strlen(name + PREFIX);
    int least = letters < 6 ? 2 : 3;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].old_name && strcmp(name, known[i].old_name) == 0)
            return NULL;
        int distance = known[i].name ? weir_edit_distance(name, known[i].name) : least;
        if (distance == 0)
            return NULL;
        if (distance < least) {
            least = distance;
            best = known[i].name;
        }
    }
    return best;
}

static void report_value(weir_env_remark *remark, const char *name, const char *need)
{
    char what[160];
    snprintf(what, sizeof what, "%s needs %s, not '%.60s'", name, need, getenv(name));
    remark(name, what);
}

static bool is_isa(const char *text)
{
    return strcmp(text, "ref") == 0 || strcmp(text, "avx2") == 0 || strcmp(text, "avx512") == 0;
}

static void report_texts(weir_env_remark *remark)
{
    const char *isa = text("WEIR_ISA", NULL), *memory = text("WEIR_MEMORY", NULL);
    size_t bytes;
    if (isa && !is_isa(isa))
        report_value(remark, "WEIR_ISA", "ref, avx2 or avx512");
    if (memory && !weir_room_parse(weir_str_of(memory), &bytes))
        report_value(remark, "WEIR_MEMORY", "a size, as 512M or 4G");
}

static void report_numbers(weir_env_remark *remark)
{
    static const char *const numbers[] = {
#define TEXT(field, name, old_name)
#define NUMBER(field, name, otherwise) name,
#define FLAG(field, name) name,
        VALUES(TEXT, NUMBER, FLAG)
#undef TEXT
#undef NUMBER
#undef FLAG
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *str = text(numbers[i], NULL);
        int value;
        if (str && !whole(str, &value))
            report_value(remark, numbers[i], "a whole number");
    }
}

static void report_names(weir_env_remark *remark)
{
    for (char **at = environ; at && *at;) {
        char name[WEIR_NEAR_LENGTH], what[3 * WEIR_NEAR_LENGTH];
        const char *was = *at;
        size_t length = strcspn(was, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, was);
        bool ours =
            strncmp(name, "WEIR_", PREFIX) == 0 && length > PREFIX + 2 && length < sizeof name;
        const char *meant = ours ? meant_by(name) : NULL;
        snprintf(what, sizeof what, "%s is not read; did you mean %s?", name, meant ? meant : "");
        if (meant)
            remark(name, what);
        at += *at == was; /* |remark| may have removed the variable */
    }
}

void weir_env_report(weir_env_remark *remark)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&reported))
        return;
    report_texts(remark);
    report_numbers(remark);
    report_names(remark);
}
