/* launch/program.h - the command line of a task's program. */
#ifndef WEIR_LAUNCH_PROGRAM_H
#define WEIR_LAUNCH_PROGRAM_H

#include "dist/cluster_config.h"

/* Whether --job_name, --task_index, --ps_hosts and --worker_hosts are added. */
typedef enum run_flags { RUN_FLAGS_AUTO, RUN_FLAGS_YES, RUN_FLAGS_NO } run_flags;

/* The program of every task. Owns nothing. */
typedef struct run_program {
    const char *const *words; /* the program and its arguments */
    int count;
    const char *python; /* null: WEIR_PYTHON, the program's first line, or python3 */
    run_flags flags;
    bool tf1; /* imports tensorflow.compat.v1 as tensorflow */
} run_program;

/* Owned strings followed by a null, for execvp. */
typedef WEIR_VEC(char *) run_words;
void run_words_fini(run_words *words);

/* Interpreter, program, arguments with {job} {index} {ps_hosts} {worker_hosts} {cluster}
 * substituted, and the flags that the program's text mentions. */
void run_program_words(const run_program *program, const weir_cluster_config *cluster,
                       const char *job, int index, run_words *out);
/* {"cluster": {...}, "task": {"type": ..., "index": ...}} */
void run_tf_config(const weir_cluster_config *cluster, const char *job, int index, weir_buf *out);
/* "a:1,b:2": the addresses of |job|. */
void run_job_hosts(const weir_cluster_config *cluster, const char *job, weir_buf *out);

#endif
