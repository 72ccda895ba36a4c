/* wire/message.c - the table of messages.inc as data, with lookup by name. */
#include "wire/message.h"

#include <pthread.h>

#include "wire/messages.h"

/* ---- fields ---------------------------------------------------------------------------------- */

#define OF_INT32(of) 0
#define OF_INT64(of) 0
#define OF_UINT32(of) 0
#define OF_UINT64(of) 0
#define OF_SINT32(of) 0
#define OF_SINT64(of) 0
#define OF_BOOL(of) 0
#define OF_FIXED32(of) 0
#define OF_FIXED64(of) 0
#define OF_FLOAT(of) 0
#define OF_DOUBLE(of) 0
#define OF_STRING(of) 0
#define OF_BYTES(of) 0
#define OF_ENUM(of) WEIR_ENUM_INDEX_##of
#define OF_MESSAGE(of) WEIR_INDEX_##of
#define OF_LAZY(of) WEIR_INDEX_##of

#define MARK_ONE(msg, field) 0
#define MARK_REPEATED(msg, field) 0
#define MARK_PACKED(msg, field) 0
#define MARK_OPTIONAL(msg, field) offsetof(weir_msg_##msg, has_##field)

#define WEIR_MESSAGE(msg, package, name) static const weir_field fields_##msg[] = {
#define WEIR_FIELD(msg, number, field, label, type, of)                                            \
    {#field,                                                                                       \
     NULL,                                                                                         \
     number,                                                                                       \
     offsetof(weir_msg_##msg, field),                                                              \
     MARK_##label(msg, field),                                                                     \
     OF_##type(of),                                                                                \
     WEIR_TYPE_##type,                                                                             \
     WEIR_LABEL_##label},
#define WEIR_CASE(msg, number, field, oneof, type, of)                                             \
    {#field,                                                                                       \
     #oneof,                                                                                       \
     number,                                                                                       \
     offsetof(weir_msg_##msg, field),                                                              \
     offsetof(weir_msg_##msg, which_##oneof),                                                      \
     OF_##type(of),                                                                                \
     WEIR_TYPE_##type,                                                                             \
     WEIR_LABEL_CASE},
#define WEIR_MAP(msg, number, field, key_type, value_type, of)                                     \
    {#field,                                                                                       \
     NULL,                                                                                         \
     number,                                                                                       \
     offsetof(weir_msg_##msg, field),                                                              \
     0,                                                                                            \
     WEIR_INDEX_##msg##_##field##_entry,                                                           \
     WEIR_TYPE_MESSAGE,                                                                            \
     WEIR_LABEL_MAP},
#define WEIR_END(msg)                                                                              \
    }                                                                                              \
    ;
#include "wire/messages.inc"

#define WEIR_MAP(msg, number, field, key_type, value_type, of)                                     \
    static const weir_field fields_##msg##_##field##_entry[] = {                                   \
        {"key", NULL, WEIR_FIELD_entry_key, offsetof(weir_msg_##msg##_##field##_entry, key), 0, 0, \
         WEIR_TYPE_##key_type, WEIR_LABEL_ALWAYS},                                                 \
        {"value", NULL, WEIR_FIELD_entry_value, offsetof(weir_msg_##msg##_##field##_entry, value), \
         0, OF_##value_type(of), WEIR_TYPE_##value_type, WEIR_LABEL_ALWAYS},                       \
    };
#include "wire/messages.inc"

/* ---- messages and enumerations --------------------------------------------------------------- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

const weir_message_type weir_message_types[] = {
#define WEIR_MESSAGE(msg, package, name)                                                           \
    {package, name, fields_##msg, COUNT(fields_##msg), sizeof(weir_msg_##msg)},
#include "wire/messages.inc"
#define WEIR_MAP(msg, number, field, key_type, value_type, of)                                     \
    {NULL, #field, fields_##msg##_##field##_entry, COUNT(fields_##msg##_##field##_entry),          \
     sizeof(weir_msg_##msg##_##field##_entry)},
#include "wire/messages.inc"
};
const int weir_message_type_count = WEIR_INDEX_END;

#define WEIR_ENUM(id, package, name) static const weir_enum_entry values_##id[] = {
#define WEIR_VALUE(id, number, name) {#name, number},
#define WEIR_ENUM_END(id)                                                                          \
    }                                                                                              \
    ;
#include "wire/messages.inc"

const weir_enum_type weir_enum_types[] = {
#define WEIR_ENUM(id, package, name) {package, name, values_##id, COUNT(values_##id)},
#include "wire/messages.inc"
};
const int weir_enum_type_count = WEIR_ENUM_INDEX_END;

/* ---- by name --------------------------------------------------------------------------------- */

static weir_map messages_by_name;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_index(void)
{
    for (const weir_message_type *t = weir_message_types; t->package; t++) {
        WEIR_BUF(full);
        weir_buf_addf(&full, "%s.%s", t->package, t->name);
        weir_map_put(&messages_by_name, weir_str_of(t->name), (void *)t);
        weir_map_put(&messages_by_name, weir_view(&full), (void *)t);
    }
}

const weir_message_type *weir_message_find(weir_str name)
{
    pthread_once(&once, make_index);
    return weir_map_get(&messages_by_name, name);
}

const weir_field *weir_message_field(const weir_message_type *type, uint32_t number)
{
    for (int i = 0; i < type->field_count; i++)
        if (type->fields[i].number == number)
            return &type->fields[i];
    return NULL;
}

const weir_field *weir_message_field_named(const weir_message_type *type, weir_str name)
{
    for (int i = 0; i < type->field_count; i++)
        if (weir_str_is(name, type->fields[i].name))
            return &type->fields[i];
    return NULL;
}

const weir_message_type *weir_field_message(const weir_field *field)
{
    bool holds = field->type == WEIR_TYPE_MESSAGE || field->type == WEIR_TYPE_LAZY;
    return holds ? &weir_message_types[field->of] : NULL;
}

const weir_enum_type *weir_field_enum(const weir_field *field)
{
    return field->type == WEIR_TYPE_ENUM ? &weir_enum_types[field->of] : NULL;
}

const char *weir_enum_name(const weir_enum_type *type, int64_t number)
{
    for (int i = 0; i < type->count; i++)
        if (type->values[i].number == number)
            return type->values[i].name;
    return NULL;
}

bool weir_enum_value(const weir_enum_type *type, weir_str name, int64_t *out_number)
{
    for (int i = 0; i < type->count; i++)
        if (weir_str_is(name, type->values[i].name)) {
            *out_number = type->values[i].number;
            return true;
        }
    return false;
}
