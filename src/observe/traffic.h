/* observe/traffic.h - bytes of tensors to and from other tasks, by task and transport. Thread-safe.
 */
#ifndef WEIR_OBSERVE_TRAFFIC_H
#define WEIR_OBSERVE_TRAFFIC_H

#include "base/str.h"

typedef struct weir_traffic {
    const char *peer;      /* "/job:ps/replica:0/task:0" */
    const char *transport; /* "grpc", "shm" */
    int64_t in_bytes, out_bytes, in_count, out_count;
} weir_traffic;

/* Counts one value for |device|'s task; |transport| is a literal. */
void weir_traffic_in(weir_str device, const char *transport, int64_t bytes);
void weir_traffic_out(weir_str device, const char *transport, int64_t bytes);
/* Calls |fn| for each pair. */
void weir_traffic_each(void (*fn)(void *arg, const weir_traffic *traffic), void *arg);

#endif
