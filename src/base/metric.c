/* base/metric.c - counters of the process, and reading them by name. */
#include "base/metric.h"

#include <string.h>

#include "weir/observe.h"

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

int64_t weir_metric_value(const char *name)
{
    for (int i = 0; i < WEIR_METRIC_COUNT; i++)
        if (strcmp(weir_metric_names[i], name) == 0)
            return weir_metric_get((weir_metric)i);
    return -1;
}
