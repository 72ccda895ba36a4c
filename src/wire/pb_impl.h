/* wire/pb_impl.h - pulls fields out of a serialised message, for the readers of messages. Other
 * rooms read messages by the table, or by a type that they make at run time (message.h).
 *
 * It never reads past its bytes and fails once: after that every call returns false.
 */
#ifndef WEIR_WIRE_PB_IMPL_H
#define WEIR_WIRE_PB_IMPL_H

#include "wire/varint.h"

typedef enum weir_pb_type {
    WEIR_PB_VARINT = 0,
    WEIR_PB_I64 = 1,
    WEIR_PB_LEN = 2,
    WEIR_PB_GROUP = 3, /* of proto1 */
    WEIR_PB_I32 = 5
} weir_pb_type;

typedef struct weir_pb {
    const uint8_t *at, *end;
    bool failed;
    /* The field last read by weir_pb_next: */
    const uint8_t *begin; /* where its tag is */
    uint32_t field;
    uint8_t type;   /* weir_pb_type */
    uint64_t value; /* of VARINT, I64 and I32 */
    weir_str bytes; /* of LEN */
} weir_pb;

static inline weir_pb weir_pb_reader(weir_str bytes)
{
    return (weir_pb){.at = (const uint8_t *)bytes.at,
                     .end = (const uint8_t *)bytes.at + bytes.length};
}
/* Reads the next field. False at the end and on malformed bytes (then |failed|). The caller ignores
 * unknown fields. */
bool weir_pb_next(weir_pb *r);
static inline bool weir_pb_ok(const weir_pb *r)
{
    return !r->failed;
}
/* The value as the type in the schema. */
static inline float weir_pb_float(const weir_pb *r)
{
    union {
        uint32_t u;
        float f;
    } v = {(uint32_t)r->value};
    return v.f;
}
static inline double weir_pb_double(const weir_pb *r)
{
    union {
        uint64_t u;
        double d;
    } v = {r->value};
    return v.d;
}
/* Packed or not: returns true once per number. |packed| must start zeroed for each field
 * occurrence.
 *   weir_pb_packed p = {0};
 *   while (weir_pb_each(&r, WEIR_PB_VARINT, &p)) use(p.value); */
typedef struct weir_pb_packed {
    uint64_t value;
    const uint8_t *at; /* private */
    bool started;
} weir_pb_packed;
bool weir_pb_each(weir_pb *r, weir_pb_type element, weir_pb_packed *p);

#endif
