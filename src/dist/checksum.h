/* dist/checksum.h - checksums of the values that tasks send each other, on request.
 *
 * A sealed message begins with an extra field, which message parsers skip: the CRC-32C of the
 * value's key and of the rest of the message. This detects corruption of the elements, the shape
 * and the name on every transport. Thread-safe.
 */
#ifndef WEIR_DIST_CHECKSUM_H
#define WEIR_DIST_CHECKSUM_H

#include "net/channel.h"

/* Whether this process seals its messages: by WEIR_CHECKSUM, unless set explicitly. */
bool weir_checksum_on(void);
void weir_checksum_set(bool on);

/* Seals |message| with the value of |key|, if checksums are on. */
void weir_checksum_seal(weir_str key, weir_rpc_message *message);
/* DATA_LOSS, naming the value and |from|, when a sealed message is corrupted, or an unsealed one
 * |must| be sealed: its sender is Weir's. OK if checksums are off. */
WEIR_CHECKED weir_status weir_checksum_verify(weir_str key, const char *from, bool must,
                                              const weir_rpc_message *message);

#endif
