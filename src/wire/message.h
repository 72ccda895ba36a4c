/* wire/message.h - messages described: their fields by number and by name, and the text form.
 *
 *   node {
 *     name: "x"
 *     attr { key: "dtype" value { type: DT_FLOAT } }
 *   }
 *
 * messages.inc has the table. Thread-safe.
 */
#ifndef WEIR_WIRE_MESSAGE_H
#define WEIR_WIRE_MESSAGE_H

#include "base/str.h"

typedef enum weir_field_type {
    WEIR_FIELD_INT, /* int32 and int64 */
    WEIR_FIELD_UINT,
    WEIR_FIELD_SINT, /* zig-zag */
    WEIR_FIELD_BOOL,
    WEIR_FIELD_ENUM,
    WEIR_FIELD_FLOAT,
    WEIR_FIELD_DOUBLE,
    WEIR_FIELD_FIXED64,
    WEIR_FIELD_STRING,
    WEIR_FIELD_BYTES,
    WEIR_FIELD_MESSAGE,
} weir_field_type;

typedef enum weir_field_label {
    WEIR_FIELD_ONE,      /* absent when zero or empty */
    WEIR_FIELD_ALWAYS,   /* kept when zero */
    WEIR_FIELD_REPEATED, /* a field each */
    WEIR_FIELD_PACKED,   /* one run of numbers; each by itself is read, too */
} weir_field_label;

typedef struct weir_field {
    uint32_t number;
    const char *name;
    weir_field_type type;
    weir_field_label label;
    const char *of; /* the message or the enumeration; null otherwise */
} weir_field;

typedef struct weir_message {
    const char *name;
    const weir_field *fields; /* by rising number */
    int field_count;
} weir_message;

const weir_message *weir_message_find(weir_str name); /* null when it is not known */
const weir_field *weir_message_field(const weir_message *m, uint32_t number);
const weir_field *weir_message_field_named(const weir_message *m, weir_str name);
/* Both ways; null, or false, when there is none. */
const char *weir_enum_name(const char *of, int64_t value);
bool weir_enum_value(const char *of, weir_str name, int64_t *out_value);

enum { WEIR_MESSAGE_DEPTH = 100 }; /* messages within messages, at most */

/* Appends the text of a serialised message. Fields that are not known become comments. DATA_LOSS
 * names the field and the byte at which the message makes no sense. */
WEIR_CHECKED weir_status weir_message_print(const weir_message *m, weir_str bytes, weir_buf *out);
/* Appends the serialised form of a text. INVALID_ARGUMENT names the line and what is wrong. */
WEIR_CHECKED weir_status weir_message_parse(const weir_message *m, weir_str text, weir_buf *out);

#endif
