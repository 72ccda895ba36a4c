/* base/metric.c - counters of the process. */
#include "base/metric.h"

atomic_int_fast64_t weir_metric_values[WEIR_METRIC_COUNT];

const char *const weir_metric_names[WEIR_METRIC_COUNT] = {
#define WEIR_METRIC(id, name, help) name,
#include "base/metrics.inc"
#undef WEIR_METRIC
};
const char *const weir_metric_helps[WEIR_METRIC_COUNT] = {
#define WEIR_METRIC(id, name, help) help,
#include "base/metrics.inc"
#undef WEIR_METRIC
};
