/* launch/record.h - records the resource use of a job's tasks and programs, for `weir report` and
 * `weir explain`.
 *
 * A thread requests every task's state and samples from its server once a second (from the tenth
 * minute on: every ten seconds), and appends them to recording.jsonl in the job's folder, one line
 * a task:
 *   {"job":"worker","index":0,"address":"...","task":{of /api/task},"host":{of /api/host}}
 * The programs of tasks on this machine are sampled here, and are the last lines:
 *   {"job":"worker","index":0,"program":[[us, CPU s, memory],...]}
 */
#ifndef WEIR_LAUNCH_RECORD_H
#define WEIR_LAUNCH_RECORD_H

#include <sys/types.h>

#include "base/str.h"
#include "dist/cluster_config.h"

#define RUN_RECORDING "recording.jsonl"

typedef struct run_record run_record;

/* Records into |dir|; null: a new folder below those of run_record_home. Null if nothing can be
 * written or WEIR_OBSERVE is 0; every call here takes null. */
run_record *run_record_create(const weir_cluster_config *cluster, const char *dir);
void run_record_start(run_record *record); /* the servers are ready */
void run_record_program(run_record *record, const char *job, int index, pid_t pid);
void run_record_stop(run_record *record);             /* reads once more; later calls are no-ops */
bool run_record_is_whole(const run_record *record);   /* false: it could not be written */
const char *run_record_dir(const run_record *record); /* null: nothing was recorded */
void run_record_destroy(run_record *record);

/* Default folder of recordings, which keeps the newest 20: weir/runs below XDG_STATE_HOME or
 * ~/.local/state. False: neither is set. */
bool run_record_home(weir_buf *out);

#endif
