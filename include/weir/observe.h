/* weir/observe.h - what the process has counted so far. */
#ifndef WEIR_OBSERVE_H
#define WEIR_OBSERVE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The counter of that name, as the metrics page of a task shows it ("weir_plan_fallbacks_total");
 * -1 when there is none. Thread-safe. */
__attribute__((visibility("default"))) int64_t weir_metric_value(const char *name);

#ifdef __cplusplus
}
#endif

#endif
