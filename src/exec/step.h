/* exec/step.h - one run of a plan. */
#ifndef WEIR_EXEC_STEP_H
#define WEIR_EXEC_STEP_H

#include "exec/plan.h"

/* Supplies arguments and accepts results one by one (partial runs). Null ones: |args| and |rets|
 * are used. */
typedef struct weir_step_ports {
    /* Requests argument |index|; calls |done|, now or later. */
    void (*arg)(void *ctx, int index,
                void (*done)(void *arg, weir_status status, weir_tensor tensor), void *arg);
    void (*ret)(void *ctx, int index, weir_tensor tensor, bool dead); /* takes over t */
    void *ctx;
} weir_step_ports;

typedef struct weir_step_spec {
    weir_plan *plan;              /* retained by the step */
    weir_run *run;                /* must outlive the step */
    const weir_tensor *args;      /* shared during the step */
    weir_tensor *rets;            /* out: owned by the caller; zeroed ones were not produced */
    int max_runners;              /* maximum number of threads of this step; at least 1 */
    const weir_step_ports *ports; /* null in plain steps */
    bool counted;                 /* a step of a session, not of a function in one */
} weir_step_spec;

/* Runs a step to its end on this thread and, if there is enough work, on the pool's. */
WEIR_CHECKED weir_status weir_step_run(const weir_step_spec *spec);
/* Starts a step; |done| is called once, on any thread, at its end. This thread helps first. */
void weir_step_start(const weir_step_spec *spec, void (*done)(void *arg, weir_status status),
                     void *arg);

#endif
