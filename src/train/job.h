/* train/job.h - a job from flags that were read already. */
#ifndef WEIR_TRAIN_JOB_H
#define WEIR_TRAIN_JOB_H

#include "dist/identity.h"
#include "weir/train.h"

/* The job that |flags|, TF_CONFIG or Slurm describe. */
WEIR_CHECKED weir_status weir_job_from_flags(const weir_task_flags *flags, weir_job **out_job);

#endif
