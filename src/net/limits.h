/* net/limits.h - the limits of a server on resources and times, per client, peer or connection.
 * Their names and values are in limits.inc.
 *
 * WEIR_LIMITS in the environment, or --limits of weir server, changes them:
 * "streams=100,idle_ms=0"; a time of 0 is no limit.
 */
#ifndef WEIR_NET_LIMITS_H
#define WEIR_NET_LIMITS_H

#include "base/str.h"

typedef struct weir_limits {
#define WEIR_LIMIT(name, value, meaning) int64_t name;
#include "net/limits.inc"
#undef WEIR_LIMIT
} weir_limits;

const weir_limits *weir_limits_get(void);
/* Changes limits of this process. Before its first server. */
WEIR_CHECKED weir_status weir_limits_set(weir_str text);

#endif
