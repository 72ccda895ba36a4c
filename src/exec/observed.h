/* exec/observed.h - plans and steps, for monitoring. Thread-safe. */
#ifndef WEIR_EXEC_OBSERVED_H
#define WEIR_EXEC_OBSERVED_H

#include "base/str.h"

/* Appends a JSON array of the existing plans: number, nodes, steps, seconds of its nodes. */
void weir_plans_list(weir_buf *out);
/* Appends a JSON object with the nodes of plan |number|: name, op, device, inputs,
 * measured nanoseconds; at most |most| whose name or op contains |search|. False: no such
 * plan. */
bool weir_plans_nodes(int number, weir_str search, int most, weir_buf *out);

#endif
