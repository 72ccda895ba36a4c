/* train/job.h - a job from flags already parsed. */
#ifndef WEIR_TRAIN_JOB_H
#define WEIR_TRAIN_JOB_H

#include "dist/identity.h"
#include "weir/train.h"

/* The job described by |flags|, TF_CONFIG or Slurm. */
WEIR_CHECKED weir_status weir_job_from_flags(const weir_task_flags *flags, weir_job **out_job);
/* Waits until every other task of the cluster has answered this job's running server.
 * DEADLINE_EXCEEDED, with the task and the cause, after |timeout_ms|. */
WEIR_CHECKED weir_status weir_job_wait(weir_job *job, int64_t timeout_ms);

#endif
