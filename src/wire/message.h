/* wire/message.h - messages described at run time, their text form and JSON.
 *
 *   node {
 *     name: "x"
 *     attr { key: "dtype" value { type: DT_FLOAT } }
 *   }
 *
 * messages.inc is the table; messages.h has the structs that are generated from it. Thread-safe.
 */
#ifndef WEIR_WIRE_MESSAGE_H
#define WEIR_WIRE_MESSAGE_H

#include "base/mem.h"
#include "base/str.h"

typedef enum weir_field_type {
    WEIR_TYPE_INT32,
    WEIR_TYPE_INT64,
    WEIR_TYPE_UINT32,
    WEIR_TYPE_UINT64,
    WEIR_TYPE_SINT32, /* zig-zag */
    WEIR_TYPE_SINT64,
    WEIR_TYPE_BOOL,
    WEIR_TYPE_ENUM,
    WEIR_TYPE_FIXED32,
    WEIR_TYPE_FIXED64,
    WEIR_TYPE_FLOAT,
    WEIR_TYPE_DOUBLE,
    WEIR_TYPE_STRING, /* UTF-8 */
    WEIR_TYPE_BYTES,
    WEIR_TYPE_MESSAGE,
    WEIR_TYPE_LAZY,  /* a message that the reader does not parse */
    WEIR_TYPE_GROUP, /* of proto1, as its bytes with both tags; not in the table */
} weir_field_type;

typedef enum weir_field_label {
    WEIR_LABEL_ONE,      /* not written when zero or empty */
    WEIR_LABEL_ALWAYS,   /* written when zero, too: keys and values of maps */
    WEIR_LABEL_OPTIONAL, /* written if present, even when zero */
    WEIR_LABEL_CASE,     /* written if its oneof selects it */
    WEIR_LABEL_REPEATED, /* one field each; packed input is accepted, too */
    WEIR_LABEL_PACKED,   /* packed; one field each is accepted, too */
    WEIR_LABEL_MAP,      /* repeated messages of a key (1) and a value (2) */
} weir_field_label;

typedef struct weir_field {
    const char *name;
    const char *oneof; /* of a case: its name; null otherwise */
    uint32_t number;
    uint32_t offset; /* of the member in the struct */
    uint32_t mark;   /* of an OPTIONAL: of its has_; of a case: of the oneof's which_ */
    uint16_t of;     /* index of the message or of the enumeration; 0 otherwise */
    uint8_t type;    /* weir_field_type */
    uint8_t label;   /* weir_field_label */
} weir_field;

/* The table's, or one that a program describes at run time. */
typedef struct weir_message_type {
    const char *package, *name; /* "tensorflow", "NodeDef"; of a map's entry: null, the field */
    const weir_field *fields;   /* by rising number */
    int field_count;
    uint32_t bytes; /* of the struct */
} weir_message_type;

typedef struct weir_enum_entry {
    const char *name;
    int32_t number;
} weir_enum_entry;

typedef struct weir_enum_type {
    const char *package, *name;
    const weir_enum_entry *values;
    int count;
} weir_enum_type;

/* The whole table; a field's |of| is an index into one of these. Entries of maps come after all
 * messages. */
extern const weir_message_type weir_message_types[];
extern const int weir_message_type_count;
extern const weir_enum_type weir_enum_types[];
extern const int weir_enum_type_count;

/* By "NodeDef" or, with its package, "tensorflow.NodeDef"; null when unknown. */
const weir_message_type *weir_message_find(weir_str name);
const weir_field *weir_message_field(const weir_message_type *type, uint32_t number);
const weir_field *weir_message_field_named(const weir_message_type *type, weir_str name);
/* Both directions; null, or false, when unknown. */
const char *weir_enum_name(const weir_enum_type *type, int64_t number);
bool weir_enum_value(const weir_enum_type *type, weir_str name, int64_t *out_number);

/* The type of a field; null when it is not a message, or not an enumeration. */
const weir_message_type *weir_field_message(const weir_field *field);
const weir_enum_type *weir_field_enum(const weir_field *field);

enum { WEIR_MESSAGE_DEPTH = 100 }; /* maximum nesting depth */

/* Appends the text of a serialised message. Unknown fields become comments. DATA_LOSS names the
 * field and the byte offset at which the message is malformed. */
WEIR_CHECKED weir_status weir_message_print(const weir_message_type *type, weir_str bytes,
                                            weir_buf *out);
/* Appends the serialised form of a text. INVALID_ARGUMENT names the line and the error. */
WEIR_CHECKED weir_status weir_message_parse(const weir_message_type *type, weir_str text,
                                            weir_buf *out);
/* Appends a serialised message as JSON, as proto3 maps it: lowerCamelCase names, 64-bit numbers and
 * bytes (base64) as strings, maps as objects; unknown fields are omitted. Any is shown by its two
 * fields. INVALID_ARGUMENT as in a reader of messages.h. */
WEIR_CHECKED weir_status weir_message_to_json(const weir_message_type *type, weir_str bytes,
                                              weir_buf *out);
/* Appends the serialised form of such JSON. Names may be as in the table, too, numbers quoted; null
 * is the default. INVALID_ARGUMENT names the character and what is wrong: no such field, two values
 * of a oneof, a key of a map that is repeated. */
WEIR_CHECKED weir_status weir_message_from_json(const weir_message_type *type, weir_str text,
                                                weir_buf *out);

#endif
