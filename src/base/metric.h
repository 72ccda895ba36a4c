/* base/metric.h - counters of the process, one line each in metrics.inc.
 *
 * Adding to one is an atomic increment. Thread-safe.
 */
#ifndef WEIR_BASE_METRIC_H
#define WEIR_BASE_METRIC_H

#include <stdatomic.h>
#include <stdint.h>

typedef enum weir_metric {
#define WEIR_METRIC(id, name, help) WEIR_METRIC_##id,
#include "base/metrics.inc"
#undef WEIR_METRIC
    WEIR_METRIC_COUNT
} weir_metric;

/* The names in Prometheus's format. */
extern const char *const weir_metric_names[WEIR_METRIC_COUNT];
extern const char *const weir_metric_helps[WEIR_METRIC_COUNT];

extern atomic_int_fast64_t weir_metric_values[WEIR_METRIC_COUNT];

static inline void weir_metric_add(weir_metric metric, int64_t amount)
{
    atomic_fetch_add_explicit(&weir_metric_values[metric], amount, memory_order_relaxed);
}
static inline int64_t weir_metric_get(weir_metric metric)
{
    return atomic_load_explicit(&weir_metric_values[metric], memory_order_relaxed);
}

#endif
