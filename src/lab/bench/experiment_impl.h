/* lab/bench/experiment_impl.h - between the parts of an experiment's run. */
#ifndef WEIR_LAB_BENCH_EXPERIMENT_IMPL_H
#define WEIR_LAB_BENCH_EXPERIMENT_IMPL_H

#include "lab/bench/experiment.h"

/* Runs a case that is marked for it on TensorFlow, too. Fails only when it was interrupted: why
 * TensorFlow could not is kept in the case. */
WEIR_CHECKED weir_status experiment_run_beside(experiment_run *run, experiment_case *this_case,
                                               const char *label);
/* Puts what came out into the report; nothing where no TensorFlow was asked for. */
void experiment_beside(experiment_run *run);

#endif
