/* dist/checksum.h - checksums of the values that tasks send each other, on request.
 *
 * Sealed, a message begins with a field of its own, which readers of messages skip: the CRC-32C of
 * the value's key and of all that follows in the message. So a change of the elements, of the shape
 * or of the name shows, whatever transport it came by. Thread-safe.
 */
#ifndef WEIR_DIST_CHECKSUM_H
#define WEIR_DIST_CHECKSUM_H

#include "net/channel.h"

/* Whether this process seals what it sends: WEIR_CHECKSUM decides, unless it was set. */
bool weir_checksum_on(void);
void weir_checksum_set(bool on);

/* Seals |message| with the value that |key| names, where checksums are on. */
void weir_checksum_seal(weir_str key, weir_rpc_message *message);
/* DATA_LOSS, which names the value and |from|, when a sealed message was changed; also when one is
 * not sealed that |must| be: its sender is Weir's. OK where checksums are off. */
WEIR_CHECKED weir_status weir_checksum_verify(weir_str key, const char *from, bool must,
                                              const weir_rpc_message *message);

#endif
