/* launch/job.h - a job: its members, its end, and its exit status.
 *
 * A member is a local or remote task; the job controls it through run_member_fns and receives its
 * events through run_events. The rules:
 *   - programs begin when every server is ready;
 *   - the job is done when some member has ended and all others wait in join or are parameter
 *     servers; the joins then return, and members that do not exit are stopped;
 *   - the first failure of a member stops all others;
 *   - signals are forwarded to every program; after SIGINT or SIGTERM they have some time to exit,
 *     and a second such signal kills them at once.
 */
#ifndef WEIR_LAUNCH_JOB_H
#define WEIR_LAUNCH_JOB_H

#include "launch/local.h"

typedef struct run_job run_job;

typedef struct run_member_fns {
    void (*begin)(void *member);
    void (*finish)(void *member);
    void (*signal)(void *member, int signal_number);
    void (*close)(void *member);
    void (*destroy)(void *member);
} run_member_fns;

extern const run_member_fns run_local_fns; /* for a run_local */

/* |log_dir|: folder for each task's output with times; null: none. |start_timeout_s|: if not all
 * servers are ready by then, the job ends with status 138; 0: no limit. */
run_job *run_job_create(run_loop *loop, const char *log_dir, long start_timeout_s);
void run_job_destroy(run_job *job);
/* |record| records from the start of the programs to their end; the job then destroys it. Takes
 * null. */
void run_job_record(run_job *job, run_record *record);
/* Adds a member on |where| (a host, may be null) and returns its index; it reports to |out_events|.
 * run_job_set follows when the member exists. */
int run_job_add(run_job *run_job, const char *job, int index, const char *where,
                run_events *out_events);
void run_job_set(run_job *job, int member, const run_member_fns *fns, void *impl);
/* A line of a member whose output is printed elsewhere: kept only for the report of a failure. */
void run_job_keep_line(run_job *job, int member, weir_str text);
/* A failure outside of any member: stops all members; the exit status is 1. Frees |status|. */
void run_job_abort(run_job *job, weir_status status);
/* Runs to the end. Returns the exit status; the output of the first failure is printed last. */
int run_job_run(run_job *job);

/* Prints "[worker 1] text" in one write; coloured on a terminal. */
void run_print_line(const char *job, int index, int stream, weir_str text);

#endif
