/* dist/ids.h - unique ids of steps and requests. Thread-safe. */
#ifndef WEIR_DIST_IDS_H
#define WEIR_DIST_IDS_H

#include <stdbool.h>
#include <stdint.h>

/* A random number, unique among all tasks with high probability; never 0. */
uint64_t weir_secret_id(void); /* cannot be predicted from others */
uint64_t weir_new_id(void);

/* The ids of earlier requests. A request with a known id is a retry of one that may have run, so it
 * is rejected. */
typedef struct weir_seen_ids weir_seen_ids;

weir_seen_ids *weir_seen_ids_create(uint32_t remembered); /* capacity: the latest ones */
void weir_seen_ids_destroy(weir_seen_ids *ids);           /* takes null */
/* True when |id| is new; records it. 0 is always new. */
bool weir_seen_ids_add(weir_seen_ids *ids, int64_t id);

#endif
