/* dist/transfers.h - records which tensors arrived from other tasks and when, for traces: the
 * result of the method Logging.
 *
 * It records only while it is enabled, up to a limit. Thread-safe.
 */
#ifndef WEIR_DIST_TRANSFERS_H
#define WEIR_DIST_TRANSFERS_H

#include "base/str.h"

typedef struct weir_transfers weir_transfers;

weir_transfers *weir_transfers_create(void);
void weir_transfers_destroy(weir_transfers *transfers); /* takes null */

void weir_transfers_enable(weir_transfers *transfers, bool on);
bool weir_transfers_enabled(const weir_transfers *transfers); /* cheap */
/* A tensor of |bytes| arrived under |key|; times are since the epoch. */
void weir_transfers_add(weir_transfers *transfers, int64_t step_id, weir_str key, size_t bytes,
                        int64_t start_us, int64_t end_us);
/* Appends the StepStats of a step's transfers, and removes them. */
void weir_transfers_take(weir_transfers *transfers, int64_t step_id, weir_buf *out);
void weir_transfers_clear(weir_transfers *transfers);

#endif
