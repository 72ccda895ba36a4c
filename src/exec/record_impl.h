/* exec/record_impl.h - capture and replay of steps, for exec/ only.
 *
 * A plan whose steps do the same on a device each time need not run its nodes each time. The third
 * step of a kind is captured as it runs: the work that it enqueues on the device is recorded
 * (memory/device.h). Later steps of the kind copy the feeds to the recorded addresses, replay, and
 * fetch from the results' recorded addresses. The kind of a step is the types and shapes of its
 * arguments, and the values of those that host nodes read.
 *
 * Invariants:
 * 1. The results of host nodes depend on the kind alone (recordable.c), or the plan is never
 *    captured.
 * 2. A step is replayed only while every variable of the captured one is at the same address, and
 *    no one else holds a value that would change. Otherwise it runs normally: always correct.
 * 3. A recording leaves variables at their addresses: one that got another buffer is copied back at
 *    its end.
 */
#ifndef WEIR_EXEC_RECORD_IMPL_H
#define WEIR_EXEC_RECORD_IMPL_H

#include "exec/step_impl.h"

/* The arguments of a plan, as its recordings use them. */
typedef struct plan_recordable {
    weir_memory *memory;
    bool *by_value; /* per argument: host nodes read its value */
} plan_recordable;

/* Null with the reason in |why| (an array of 256) when steps of the plan cannot be captured; |why|
 * is "" when no node is on a device. */
plan_recordable *weir_plan_recordable(const weir_plan *plan, char *why);
/* Appends what a step's kind is known by; false: it cannot be recorded. */
bool weir_recordable_key(const plan_recordable *what, const step *st, weir_buf *key);
/* The argument that a _CopyIn copies unchanged; -1: another value. */
int weir_plan_fed(const weir_node *copy);

/* All recordings of a plan; freed with it. */
struct plan_records *weir_plan_records_create(const weir_plan *plan);
void weir_plan_records_destroy(struct plan_records *records); /* takes null */

/* Replays |st|, or captures it while |run| runs it. False: nothing was done, the caller runs it. */
bool weir_step_recorded(step *st, void (*run)(step *st));

#endif
