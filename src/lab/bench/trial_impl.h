/* lab/bench/trial_impl.h - shared by the parts of a trial. */
#ifndef WEIR_LAB_BENCH_TRIAL_IMPL_H
#define WEIR_LAB_BENCH_TRIAL_IMPL_H

#include "lab/bench/trial.h"

/* Computes the results of the trial. Fails when no step was run. */
WEIR_CHECKED weir_status trial_sum_up(trial *trial);

#endif
