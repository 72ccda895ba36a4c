/* exec/stats.h - when each node of a step ran, for RunMetadata. Thread-safe. */
#ifndef WEIR_EXEC_STATS_H
#define WEIR_EXEC_STATS_H

#include "observe/account.h"
#include "op/op.h"
#include "wire/messages.h"

typedef struct weir_collector weir_collector;

weir_collector *weir_collector_create(void);
void weir_collector_destroy(weir_collector *collector); /* takes null */
/* Times are of weir_now_ns. |out| are the node's outputs, read during the call. */
void weir_collector_add(weir_collector *collector, const weir_site *site, int64_t start_ns,
                        int64_t end_ns, const weir_value *out);
/* Adds the nanoseconds that each node took to |out|, by name; the values are integers. */
void weir_collector_times(const weir_collector *collector, weir_map *out);
/* What was collected as a StepStats in |arena|, which does not need the collector any more; there
 * is always an entry for |default_device|. */
const weir_msg_step_stats *weir_collector_stats(const weir_collector *collector,
                                                const char *default_device, weir_arena *arena);
/* Appends what was collected, and the step itself, as events of Chrome's trace format, with a comma
 * behind each. Sends and receives have the edge they belong to, by which arrows are drawn. */
void weir_collector_events(const weir_collector *collector, const weir_step_entry *step,
                           weir_buf *out);

#endif
