/* exec/stats.h - the times of a step's nodes, for RunMetadata. Thread-safe. */
#ifndef WEIR_EXEC_STATS_H
#define WEIR_EXEC_STATS_H

#include "op/op.h"

typedef struct weir_msg_step_stats weir_msg_step_stats;

typedef struct weir_collector weir_collector;

weir_collector *weir_collector_create(void);
void weir_collector_destroy(weir_collector *collector); /* takes null */
/* A marker of the device's work before the node enqueues its own; -1: no device, or |collector| is
 * null. */
int64_t weir_collector_mark(const weir_collector *collector, const weir_site *site);
/* Times are of weir_now_ns; |mark| is from weir_collector_mark, or -1. |out| are the node's
 * outputs, read during the call. */
void weir_collector_add(weir_collector *collector, const weir_site *site, int64_t start_ns,
                        int64_t end_ns, int64_t mark, const weir_value *out);
/* Adds the nanoseconds of each node to |out|, by name; the values are integers. */
void weir_collector_times(const weir_collector *collector, weir_map *out);
/* The result as a StepStats in |arena|, valid without the collector; there is always an entry for
 * |default_device|. */
const weir_msg_step_stats *weir_collector_stats(const weir_collector *collector,
                                                const char *default_device, weir_arena *arena);
#endif
