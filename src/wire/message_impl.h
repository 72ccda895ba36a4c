/* wire/message_impl.h - what the message readers and writers share. */
#ifndef WEIR_WIRE_MESSAGE_IMPL_H
#define WEIR_WIRE_MESSAGE_IMPL_H

#include "wire/messages.h"
#include "wire/pb_impl.h"

/* Layouts of the members of the structs of messages.h. */
typedef struct weir_any_list {
    void *at;
    size_t count;
} __attribute__((may_alias)) weir_any_list;
typedef void *__attribute__((may_alias)) weir_any_pointer;

static inline void *weir_member(const weir_field *field, const void *message)
{
    return (char *)message + field->offset;
}
static inline uint32_t *weir_which(const weir_field *field, const void *message)
{
    return (uint32_t *)((char *)message + field->mark);
}
static inline bool *weir_has(const weir_field *field, const void *message)
{
    return (bool *)((char *)message + field->mark);
}

static inline bool weir_field_is_list(const weir_field *field)
{
    return field->label >= WEIR_LABEL_REPEATED;
}

extern const uint8_t weir_type_wire[], weir_type_bytes[]; /* by weir_field_type */

static inline weir_pb_type weir_field_wire_type(const weir_field *field)
{
    return (weir_pb_type)weir_type_wire[field->type];
}
/* Of one value in a struct. */
static inline size_t weir_field_bytes(const weir_field *field)
{
    bool inner = field->type == WEIR_TYPE_MESSAGE && weir_field_is_list(field);
    return inner ? weir_message_types[field->of].bytes : weir_type_bytes[field->type];
}
/* Converts a number between its bits on the wire and the member of a struct. */
void weir_field_store(weir_field_type type, uint64_t bits, void *member);
uint64_t weir_field_load(weir_field_type type, const void *member);
/* Appends a number, given as its bits on the wire: without or with its tag. */
void weir_field_put_bare(weir_buf *out, const weir_field *field, uint64_t bits);
void weir_field_put_number(weir_buf *out, const weir_field *field, uint64_t bits);
/* Whether a field that is not a list is written. */
bool weir_field_is_set(const weir_field *field, const void *message);
/* Appends a number, given as its bits on the wire, in the text format. */
void weir_field_print_number(weir_buf *out, const weir_field *field, uint64_t bits);

#endif
