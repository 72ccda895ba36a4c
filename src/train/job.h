/* train/job.h - a job from flags that were read already. */
#ifndef WEIR_TRAIN_JOB_H
#define WEIR_TRAIN_JOB_H

#include "dist/identity.h"
#include "weir/train.h"

/* The job that |flags|, TF_CONFIG or Slurm describe. */
WEIR_CHECKED weir_status weir_job_from_flags(const weir_task_flags *flags, weir_job **out_job);
/* Waits until every other task of the cluster has answered the job's own server, which was
 * started. DEADLINE_EXCEEDED, with the task and the cause, after |timeout_ms|. */
WEIR_CHECKED weir_status weir_job_wait(weir_job *job, int64_t timeout_ms);

#endif
