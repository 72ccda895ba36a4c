/* launch/job.h - a job: its members, when it is over, and how it ended.
 *
 * A member is a task here or elsewhere; the job controls it through run_member_fns and gets its
 * events through run_events. The rules:
 *   - programs begin when every server is ready;
 *   - the job is done when some member has ended and all others wait in join or are parameter
 *     servers; the joins then return, and what does not end by itself is ended;
 *   - the first member that fails ends all others;
 *   - signals go to every program; after SIGINT or SIGTERM they have a while to end, and a second
 *     such signal ends them at once.
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

extern const run_member_fns run_local_fns; /* of a run_local */

/* |log_dir|: where each task's lines are kept with their times; null: nowhere. |start_timeout_s|:
 * after so long without every server the job ends with status 138; 0: it waits. */
run_job *run_job_create(run_loop *loop, const char *log_dir, long start_timeout_s);
void run_job_destroy(run_job *job);
/* From the beginning of the programs to their end |record| is made; the job then destroys it. Takes
 * null. */
void run_job_record(run_job *job, run_record *record);
/* Says who |where| (a host, may be null) waits for, by the |events| that it fills in; the member
 * itself is set when it is made. */
int run_job_add(run_job *run_job, const char *job, int index, const char *where,
                run_events *out_events);
void run_job_set(run_job *job, int member, const run_member_fns *fns, void *impl);
/* The lines of a member that is printed elsewhere: kept for the report of a failure alone. */
void run_job_keep_line(run_job *job, int member, weir_str text);
/* A failure outside of any member: all is ended, the exit status is 1. Frees |status|. */
void run_job_abort(run_job *job, weir_status status);
/* Runs to the end. Returns the exit status; what failed first is shown last. */
int run_job_run(run_job *job);

/* Prints "[worker 1] text" in one piece; coloured on a terminal. */
void run_print_line(const char *job, int index, int stream, weir_str text);

#endif
