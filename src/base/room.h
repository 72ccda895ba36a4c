/* base/room.h - memory whose size comes from outside: tensors, files, attrs, flags.
 *
 * Memory whose size a client, a file or a flag determines is reserved here first. The request fails
 * with a status (RESOURCE_EXHAUSTED) if the limit of the process (WEIR_MEMORY, weir server
 * --memory) or the system has no room for it. Thread-safe.
 */
#ifndef WEIR_BASE_ROOM_H
#define WEIR_BASE_ROOM_H

#include "base/str.h"

/* Parses "2000000", "512K", "300M", "4G" to bytes; false if it is none of these. */
bool weir_room_parse(weir_str text, size_t *out_bytes);
/* Limit for tensor buffers and other large blocks together; 0: no limit. Set it before the first
 * step. */
void weir_room_set_limit(size_t bytes);
size_t weir_room_limit(void);
size_t weir_room_used(void);

/* Reserves |bytes|; false if that would exceed the limit. weir_room_give frees them. */
bool weir_room_take(size_t bytes);
void weir_room_give(size_t bytes);
void weir_room_add(size_t bytes); /* reserves regardless of the limit */

/* Memory of an object that grows, such as a container whose length a client determines. Reserves
 * what |bytes| has more than |*held|, the bytes that the object has reserved so far, and sets
 * |*held|. On failure nothing changes. |what| names the object in the message. */
WEIR_CHECKED weir_status weir_room_hold(size_t *held, size_t bytes, const char *what);
void weir_room_drop(size_t *held); /* gives all back */

/* Whether |bytes| can be allocated now: within the limit, the machine's memory and what the system
 * grants. |what| names the user in the message. */
WEIR_CHECKED weir_status weir_room_for(size_t bytes, const char *what);
/* The same for |buf| before it grows by |more| bytes; checks only large buffers. */
WEIR_CHECKED weir_status weir_room_grow(const weir_buf *buf, size_t more, const char *what);

/* Whether an op's result that grows piece by piece, such as strings of a tensor, may have |bytes|
 * more within the limit. If not, the op ends with an error (base/stop.h). Outside of ops always
 * true. */
bool weir_room_grants(size_t bytes);

/* |trim| is called when an allocation fails, to free cached memory. */
void weir_room_on_shortage(void (*trim)(void));
void weir_room_trim(void);

#endif
