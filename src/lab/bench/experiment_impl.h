/* lab/bench/experiment_impl.h - shared by the parts of an experiment's run. */
#ifndef WEIR_LAB_BENCH_EXPERIMENT_IMPL_H
#define WEIR_LAB_BENCH_EXPERIMENT_IMPL_H

#include "lab/bench/experiment.h"

/* Runs a marked case on TensorFlow, too. Fails only when interrupted: TensorFlow's own failure is
 * stored in the case. */
WEIR_CHECKED weir_status experiment_run_beside(experiment_run *run, experiment_case *this_case,
                                               const char *label);
/* Adds the results to the report; no-op if TensorFlow was not requested. */
void experiment_beside(experiment_run *run);

#endif
