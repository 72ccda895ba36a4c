/* launch/program.h - the words a task's program is started with. */
#ifndef WEIR_LAUNCH_PROGRAM_H
#define WEIR_LAUNCH_PROGRAM_H

#include "dist/cluster_config.h"

/* Whether --job_name, --task_index, --ps_hosts and --worker_hosts are added. */
typedef enum run_flags { RUN_FLAGS_AUTO, RUN_FLAGS_YES, RUN_FLAGS_NO } run_flags;

/* What every task runs. Owns nothing. */
typedef struct run_program {
    const char *const *words; /* the program and its arguments */
    int count;
    const char *python; /* null: WEIR_PYTHON, the program's first line, or python3 */
    run_flags flags;
    bool tf1; /* tensorflow.compat.v1 is imported as tensorflow */
} run_program;

/* Owned strings behind which a null stands, as execvp takes them. */
typedef WEIR_VEC(char *) run_words;
void run_words_fini(run_words *words);

/* Interpreter, program, arguments with {job} {index} {ps_hosts} {worker_hosts} {cluster} filled in,
 * and the flags that the program's text asks for. */
void run_program_words(const run_program *program, const weir_cluster_config *cluster,
                       const char *job, int index, run_words *out);
/* {"cluster": {...}, "task": {"type": ..., "index": ...}} */
void run_tf_config(const weir_cluster_config *cluster, const char *job, int index, weir_buf *out);
/* "a:1,b:2": the addresses of |job|. */
void run_job_hosts(const weir_cluster_config *cluster, const char *job, weir_buf *out);

#endif
