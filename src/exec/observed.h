/* exec/observed.h - plans and steps as those see them who watch a process. Thread-safe. */
#ifndef WEIR_EXEC_OBSERVED_H
#define WEIR_EXEC_OBSERVED_H

#include "base/str.h"

/* Appends a JSON array of the plans there are: number, nodes, steps, seconds of its nodes. */
void weir_plans_list(weir_buf *out);
/* Appends a JSON object with the nodes of plan |number|: name, op, device, inputs, measured
 * nanoseconds; at most |most| of those whose name or op contains |search|. False: there is no such
 * plan. */
bool weir_plans_nodes(int number, weir_str search, int most, weir_buf *out);

#endif
