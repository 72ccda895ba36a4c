/* dist/ids.h - numbers that tell steps and requests apart. Thread-safe. */
#ifndef WEIR_DIST_IDS_H
#define WEIR_DIST_IDS_H

#include <stdbool.h>
#include <stdint.h>

/* A number that no other task makes either, as far as chance goes; never 0. */
uint64_t weir_secret_id(void); /* nobody can compute it from others */
uint64_t weir_new_id(void);

/* Request ids that were seen. A request that arrives twice is a retry of one that may have been
 * carried out, so it is refused. */
typedef struct weir_seen_ids weir_seen_ids;

weir_seen_ids *weir_seen_ids_create(uint32_t remembered); /* the latest so many */
void weir_seen_ids_destroy(weir_seen_ids *ids);           /* takes null */
/* True when |id| is new, and remembers it. 0 is always new. */
bool weir_seen_ids_add(weir_seen_ids *ids, int64_t id);

#endif
