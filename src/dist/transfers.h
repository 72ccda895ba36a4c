/* dist/transfers.h - which tensors came from other tasks and when, for traces: what Logging asks
 * for.
 *
 * Only what comes while it is turned on is kept, and not without end. Thread-safe.
 */
#ifndef WEIR_DIST_TRANSFERS_H
#define WEIR_DIST_TRANSFERS_H

#include "base/str.h"

typedef struct weir_transfers weir_transfers;

weir_transfers *weir_transfers_create(void);
void weir_transfers_destroy(weir_transfers *transfers); /* takes null */

void weir_transfers_enable(weir_transfers *transfers, bool on);
bool weir_transfers_enabled(const weir_transfers *transfers); /* cheap */
/* A tensor of |bytes| came under |key|; times are since the epoch. */
void weir_transfers_add(weir_transfers *transfers, int64_t step_id, weir_str key, size_t bytes,
                        int64_t start_us, int64_t end_us);
/* Appends a LabeledStepStats, as field |field|, for a step, and forgets it. */
void weir_transfers_take(weir_transfers *transfers, int64_t step_id, uint32_t field, weir_buf *out);
void weir_transfers_clear(weir_transfers *transfers);

#endif
