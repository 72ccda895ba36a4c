/* exec/record_impl.h - steps that are recorded and replayed, for exec/ only.
 *
 * A plan whose steps do the same on a device each time need not run its nodes each time. The third
 * step of a kind is recorded as it runs: what it enqueued on the device is kept (memory/device.h).
 * Later steps of the kind bring what is fed to where it lay, replay, and fetch from where the
 * results lay. The kind of a step is the types and shapes of its arguments, and the values of those
 * that nodes of the host look at.
 *
 * Invariants:
 * 1. What nodes of the host compute follows from the kind alone (recordable.c), or the plan is
 *    never recorded.
 * 2. A step is replayed only while every variable that the recorded one used lies where it lay, and
 *    nobody else holds a value that would change. Otherwise it runs plainly, which is always right.
 * 3. A recording leaves variables where they were: one that was given another buffer is copied back
 *    at its end.
 */
#ifndef WEIR_EXEC_RECORD_IMPL_H
#define WEIR_EXEC_RECORD_IMPL_H

#include "exec/step_impl.h"

/* What a plan's arguments are to its recordings. */
typedef struct plan_recordable {
    weir_memory *memory;
    bool *by_value; /* per argument: nodes of the host look at it */
} plan_recordable;

/* Null with the reason in |why| (an array of 256) when steps of the plan cannot be recorded; |why|
 * is "" when no node of it is on a device. */
plan_recordable *weir_plan_recordable(const weir_plan *plan, char *why);
/* The argument whose value a _CopyIn brings as it is; -1: another value. */
int weir_plan_fed(const weir_node *copy);

/* All recordings of a plan; made and ended with it. */
struct plan_records *weir_plan_records_create(const weir_plan *plan);
void weir_plan_records_destroy(struct plan_records *records); /* takes null */

/* Replays |st| or records it while |run| runs it. False: nothing was done, and it must be run. */
bool weir_step_recorded(step *st, void (*run)(step *st));

#endif
