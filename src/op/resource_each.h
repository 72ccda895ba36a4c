/* op/resource_each.h - iterates over all resources of a manager, for monitoring. */
#ifndef WEIR_OP_RESOURCE_EACH_H
#define WEIR_OP_RESOURCE_EACH_H

#include "op/resource.h"

/* Calls |fn| for each, under the manager's lock: it must be fast. */
void weir_resources_each(weir_resources *resources,
                         void (*fn)(void *arg, weir_str container, weir_str name,
                                    weir_resource *resource),
                         void *arg);

#endif
