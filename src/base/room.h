/* base/room.h - memory whose size comes from outside: tensors, files, attrs, flags.
 *
 * What a client, a file or a flag sizes is asked for here first, and is refused by a status
 * (RESOURCE_EXHAUSTED) when the limit of the process (WEIR_MEMORY, weir server --memory) or the
 * system has no room for it. Thread-safe.
 */
#ifndef WEIR_BASE_ROOM_H
#define WEIR_BASE_ROOM_H

#include "base/str.h"

/* Bytes of "2000000", "512K", "300M", "4G"; false when it is none of these. */
bool weir_room_parse(weir_str text, size_t *out_bytes);
/* The most that buffers of tensors and other large blocks may have together; 0: no limit. Set it
 * before the first step. */
void weir_room_set_limit(size_t bytes);
size_t weir_room_limit(void);
size_t weir_room_used(void);

/* Counts |bytes| as used, unless they are beyond the limit. What was taken is given back. */
bool weir_room_take(size_t bytes);
void weir_room_give(size_t bytes);
void weir_room_add(size_t bytes); /* takes them whatever the limit */

/* Whether a block of |bytes| can be had now: within the limit, the machine's memory and what the
 * system grants. |what| names what wants it, in the message. */
WEIR_CHECKED weir_status weir_room_for(size_t bytes, const char *what);
/* The same for |buf|, which is to grow by |more| bytes; asks only where that makes it large. */
WEIR_CHECKED weir_status weir_room_grow(const weir_buf *buf, size_t more, const char *what);

/* Whether what an op makes piece by piece, such as the strings of a tensor, may have |bytes| more:
 * within the limit. If not, the op ends with an error (base/stop.h). Outside of ops all is granted.
 */
bool weir_room_grants(size_t bytes);

/* Called when the system refuses memory: gives back what is kept for reuse. */
void weir_room_on_shortage(void (*trim)(void));
void weir_room_trim(void);

#endif
