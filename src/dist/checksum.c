/* dist/checksum.c - the field at the start of a message. */
#include "dist/checksum.h"

#include <stdatomic.h>
#include <string.h>

#include "base/env.h"
#include "wire/crc32c.h"

enum {
    MARK = 2, /* bytes of the field's tag */
    SEAL = MARK + sizeof(uint32_t),
    UNSET = -1,
};
static const unsigned char mark[MARK] = {0xc5, 0x3e}; /* field 1000, of four bytes */

static atomic_int chosen = UNSET;

bool weir_checksum_on(void)
{
    int known = atomic_load_explicit(&chosen, memory_order_relaxed);
    return known == UNSET ? weir_env_get()->checksum : known;
}

void weir_checksum_set(bool on)
{
    atomic_store(&chosen, on);
}

/* Covers everything except the field itself. */
static uint32_t sum(weir_str key, const weir_rpc_message *message)
{
    uint32_t crc = weir_crc32c(key.at, key.length);
    crc = weir_crc32c_extend(crc, message->head.at + SEAL, message->head.length - SEAL);
    if (message->payload)
        crc = weir_crc32c_extend(crc, (const char *)message->payload->data + message->payload_at,
                                 message->payload_bytes);
    return crc;
}

void weir_checksum_seal(weir_str key, weir_rpc_message *message)
{
    if (!weir_checksum_on())
        return;
    static const char room[SEAL];
    size_t length = message->head.length;
    weir_buf_add(&message->head, room, SEAL);
    memmove(message->head.at + SEAL, message->head.at, length);
    memcpy(message->head.at, mark, MARK);
    uint32_t crc = sum(key, message); /* in memory order: little-endian, like the wire */
    memcpy(message->head.at + MARK, &crc, sizeof crc);
}

weir_status weir_checksum_verify(weir_str key, const char *from, bool must,
                                 const weir_rpc_message *message)
{
    bool sealed = message->head.length >= SEAL && memcmp(message->head.at, mark, MARK) == 0;
    uint32_t said, is;
    if (!weir_checksum_on() || (!sealed && !must))
        return WEIR_OK;
    if (sealed) {
        is = sum(key, message);
        memcpy(&said, message->head.at + MARK, sizeof said);
        if (is == said)
            return WEIR_OK;
    }
    return weir_error(
        WEIR_DATA_LOSS,
        "The value of %.*s came changed from %s: %s. Check the memory and the network "
        "between the two; TLS ends connections whose bytes were changed.",
        WEIR_STR_ARG(key), from, sealed ? "its checksum differs" : "it has no checksum");
}
