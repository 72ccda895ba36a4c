/* wire/message_value.c - single values: the wire's bits, and members of structs. */
#include "wire/message_impl.h"

const uint8_t weir_type_wire[] = {
    [WEIR_TYPE_INT32] = WEIR_PB_VARINT,  [WEIR_TYPE_INT64] = WEIR_PB_VARINT,
    [WEIR_TYPE_UINT32] = WEIR_PB_VARINT, [WEIR_TYPE_UINT64] = WEIR_PB_VARINT,
    [WEIR_TYPE_SINT32] = WEIR_PB_VARINT, [WEIR_TYPE_SINT64] = WEIR_PB_VARINT,
    [WEIR_TYPE_BOOL] = WEIR_PB_VARINT,   [WEIR_TYPE_ENUM] = WEIR_PB_VARINT,
    [WEIR_TYPE_FIXED32] = WEIR_PB_I32,   [WEIR_TYPE_FIXED64] = WEIR_PB_I64,
    [WEIR_TYPE_FLOAT] = WEIR_PB_I32,     [WEIR_TYPE_DOUBLE] = WEIR_PB_I64,
    [WEIR_TYPE_STRING] = WEIR_PB_LEN,    [WEIR_TYPE_BYTES] = WEIR_PB_LEN,
    [WEIR_TYPE_MESSAGE] = WEIR_PB_LEN,   [WEIR_TYPE_LAZY] = WEIR_PB_LEN,
    [WEIR_TYPE_GROUP] = WEIR_PB_GROUP,
};

const uint8_t weir_type_bytes[] = {
    [WEIR_TYPE_INT32] = 4,
    [WEIR_TYPE_INT64] = 8,
    [WEIR_TYPE_UINT32] = 4,
    [WEIR_TYPE_UINT64] = 8,
    [WEIR_TYPE_SINT32] = 4,
    [WEIR_TYPE_SINT64] = 8,
    [WEIR_TYPE_BOOL] = sizeof(bool),
    [WEIR_TYPE_ENUM] = 4,
    [WEIR_TYPE_FIXED32] = 4,
    [WEIR_TYPE_FIXED64] = 8,
    [WEIR_TYPE_FLOAT] = 4,
    [WEIR_TYPE_DOUBLE] = 8,
    [WEIR_TYPE_STRING] = sizeof(weir_str),
    [WEIR_TYPE_BYTES] = sizeof(weir_str),
    [WEIR_TYPE_MESSAGE] = sizeof(void *),
    [WEIR_TYPE_LAZY] = sizeof(weir_str),
    [WEIR_TYPE_GROUP] = sizeof(weir_str),
};

void weir_field_store(weir_field_type type, uint64_t bits, void *member)
{
    switch (type) {
    case WEIR_TYPE_BOOL:
        *(bool *)member = bits != 0;
        return;
    case WEIR_TYPE_SINT32:
        bits = (uint32_t)bits;
        bits = bits >> 1 ^ -(bits & 1);
        memcpy(member, &bits, sizeof(uint32_t));
        return;
    case WEIR_TYPE_SINT64:
        bits = bits >> 1 ^ -(bits & 1);
        memcpy(member, &bits, sizeof bits);
        return;
    case WEIR_TYPE_INT64:
    case WEIR_TYPE_UINT64:
    case WEIR_TYPE_FIXED64:
    case WEIR_TYPE_DOUBLE:
        memcpy(member, &bits, sizeof bits);
        return;
    default: /* 32 bits; a longer varint loses its upper half, as in protobuf */
        memcpy(member, &bits, sizeof(uint32_t));
    }
}

uint64_t weir_field_load(weir_field_type type, const void *member)
{
    uint64_t bits = 0;
    switch (type) {
    case WEIR_TYPE_BOOL:
        return *(const bool *)member;
    case WEIR_TYPE_INT32:
    case WEIR_TYPE_ENUM:
        return (uint64_t)(int64_t) * (const int32_t *)member;
    case WEIR_TYPE_SINT32:
        bits = (uint64_t)(int64_t) * (const int32_t *)member;
        return (uint32_t)(bits << 1 ^ (uint64_t)((int64_t)bits >> 63));
    case WEIR_TYPE_SINT64:
        memcpy(&bits, member, sizeof bits);
        return bits << 1 ^ (uint64_t)((int64_t)bits >> 63);
    case WEIR_TYPE_UINT32:
    case WEIR_TYPE_FIXED32:
    case WEIR_TYPE_FLOAT:
        memcpy(&bits, member, sizeof(uint32_t));
        return bits;
    default:
        memcpy(&bits, member, sizeof bits);
        return bits;
    }
}

void weir_field_put_bare(weir_buf *out, const weir_field *field, uint64_t bits)
{
    weir_pb_type wire = weir_field_wire_type(field);
    if (wire == WEIR_PB_VARINT)
        weir_varint_put(out, bits);
    else
        weir_buf_add(out, &bits, wire == WEIR_PB_I32 ? 4 : 8);
}

void weir_field_put_number(weir_buf *out, const weir_field *field, uint64_t bits)
{
    weir_varint_put(out, (uint64_t)field->number << 3 | weir_field_wire_type(field));
    weir_field_put_bare(out, field, bits);
}

const void *weir_entry_find(const void *entries, size_t count, size_t bytes, const char *key)
{
    struct entry {
        weir_strs unknown;
        weir_str key;
    };
    while (count--) {
        const struct entry *entry = (const void *)((const char *)entries + count * bytes);
        if (weir_str_is(entry->key, key))
            return entry;
    }
    return NULL;
}
