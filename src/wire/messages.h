/* wire/messages.h - a struct, a reader and a writer for every message of messages.inc.
 *
 *   WEIR_MESSAGE_ARENA(arena);
 *   weir_msg_run_graph_request request;
 *   WEIR_TRY(weir_msg_run_graph_request_read(bytes, &arena, &request));
 *   for (size_t i = 0; i < request.recv_key.count; i++) ... request.recv_key.at[i] ...
 *
 *   weir_msg_create_session_response_write(
 *       &(weir_msg_create_session_response){.session_handle = handle, .graph_version = 3}, out);
 *
 * Numbers are members by value; strings, bytes and LAZY messages are views of the input; messages
 * are pointers, null when absent; repeated fields are {at, count}; a oneof has a member which_X
 * that is 0 or the number of the case that is set (WEIR_FIELD_msg_field); an OPTIONAL field has a
 * has_X. A message is valid as long as both the input and the arena.
 */
#ifndef WEIR_WIRE_MESSAGES_H
#define WEIR_WIRE_MESSAGES_H

#include "wire/message.h"

/* ---- reading and writing any message --------------------------------------------------------- */

/* Reads a serialised message into its struct, which it clears first. Unknown fields, and those
 * whose wire type differs from the table, are kept in |unknown|. A repeated occurrence of a message
 * is merged; that of a number or a string replaces it. INVALID_ARGUMENT "Unparseable NodeDef: ..."
 * when the input ends inside a field, nests deeper than WEIR_MESSAGE_DEPTH or has a string that is
 * not UTF-8; then the struct must not be used. */
WEIR_CHECKED weir_status weir_message_read(const weir_message_type *type, weir_str bytes,
                                           weir_arena *arena, void *out_message);

/* Where the first bytes of a message end. */
typedef struct weir_message_cut {
    uint32_t field;  /* the field of bytes that continues after them; 0: none */
    size_t at;       /* offset of its bytes */
    uint64_t length; /* its length in total */
    bool unfinished; /* the first bytes end inside a tag or number: its field is unknown */
} weir_message_cut;
/* Reads the complete fields in the first bytes of a message. */
WEIR_CHECKED weir_status weir_message_read_head(const weir_message_type *type, weir_str head,
                                                weir_arena *arena, void *out_message,
                                                weir_message_cut *out_cut);

/* Appends the serialised form: fields in order of their numbers, then the unknown ones. */
void weir_message_write(const weir_message_type *type, const void *message, weir_buf *out);

/* For what is written without a struct in between, as large tensors are:
 *   size_t mark = weir_message_open(out, WEIR_FIELD_named_tensor_proto_tensor);
 *   ... append a serialised message ...
 *   weir_message_close(out, mark);  */
size_t weir_message_open(weir_buf *out, uint32_t field);
void weir_message_close(weir_buf *out, size_t mark);
/* The field's tag and length only; the caller sends its |length| bytes right after them. */
void weir_message_open_bytes(weir_buf *out, uint32_t field, size_t length);
/* A field of bytes, or an already serialised message. */
void weir_message_put_bytes(weir_buf *out, uint32_t field, weir_str bytes);

/* A local arena whose first kilobyte is on the stack: small messages cost no allocation. */
#define WEIR_MESSAGE_ARENA(name)                                                                   \
    _Alignas(16) char name##_room_[1024];                                                          \
    __attribute__((cleanup(weir_arena_fini)))                                                      \
    weir_arena name = {.next = name##_room_, .end = name##_room_ + sizeof name##_room_}

/* The entry of a map with string keys; the last duplicate wins, as on the wire. Null: none.
 *   const weir_msg_node_def_attr_entry *entry = WEIR_MAP_FIND(node.attr, "dtype"); */
#define WEIR_MAP_FIND(map, text) weir_entry_find((map).at, (map).count, sizeof *(map).at, text)
const void *weir_entry_find(const void *entries, size_t count, size_t bytes, const char *key);

/* ---- lists ----------------------------------------------------------------------------------- */

#define WEIR_LIST_TYPE(list, type)                                                                 \
    typedef struct list {                                                                          \
        const type *at;                                                                            \
        size_t count;                                                                              \
    } list;
WEIR_LIST_TYPE(weir_strs, weir_str)
WEIR_LIST_TYPE(weir_int32s, int32_t)
WEIR_LIST_TYPE(weir_int64s, int64_t)
WEIR_LIST_TYPE(weir_uint32s, uint32_t)
WEIR_LIST_TYPE(weir_uint64s, uint64_t)
WEIR_LIST_TYPE(weir_bools, bool)
WEIR_LIST_TYPE(weir_floats, float)
WEIR_LIST_TYPE(weir_doubles, double)

/* ---- the types of members -------------------------------------------------------------------- */

#define WEIR_C_INT32(of) int32_t
#define WEIR_C_INT64(of) int64_t
#define WEIR_C_UINT32(of) uint32_t
#define WEIR_C_UINT64(of) uint64_t
#define WEIR_C_SINT32(of) int32_t
#define WEIR_C_SINT64(of) int64_t
#define WEIR_C_BOOL(of) bool
#define WEIR_C_ENUM(of) int32_t
#define WEIR_C_FIXED32(of) uint32_t
#define WEIR_C_FIXED64(of) uint64_t
#define WEIR_C_FLOAT(of) float
#define WEIR_C_DOUBLE(of) double
#define WEIR_C_STRING(of) weir_str
#define WEIR_C_BYTES(of) weir_str
#define WEIR_C_LAZY(of) weir_str
#define WEIR_C_MESSAGE(of) const weir_msg_##of *

#define WEIR_CS_INT32(of) weir_int32s
#define WEIR_CS_INT64(of) weir_int64s
#define WEIR_CS_UINT32(of) weir_uint32s
#define WEIR_CS_UINT64(of) weir_uint64s
#define WEIR_CS_SINT32(of) weir_int32s
#define WEIR_CS_SINT64(of) weir_int64s
#define WEIR_CS_BOOL(of) weir_bools
#define WEIR_CS_ENUM(of) weir_int32s
#define WEIR_CS_FIXED32(of) weir_uint32s
#define WEIR_CS_FIXED64(of) weir_uint64s
#define WEIR_CS_FLOAT(of) weir_floats
#define WEIR_CS_DOUBLE(of) weir_doubles
#define WEIR_CS_STRING(of) weir_strs
#define WEIR_CS_BYTES(of) weir_strs
#define WEIR_CS_LAZY(of) weir_strs
#define WEIR_CS_MESSAGE(of) weir_msgs_##of

#define WEIR_MEMBER_ONE(field, type, of) WEIR_C_##type(of) field;
#define WEIR_MEMBER_OPTIONAL(field, type, of)                                                      \
    WEIR_C_##type(of) field;                                                                       \
    bool has_##field;
#define WEIR_MEMBER_REPEATED(field, type, of) WEIR_CS_##type(of) field;
#define WEIR_MEMBER_PACKED(field, type, of) WEIR_CS_##type(of) field;

/* ---- weir_msg_X, weir_msgs_X; of maps: weir_msg_X_field_entry, weir_msgs_X_field_entry ------- */

#define WEIR_MESSAGE(msg, package, name)                                                           \
    typedef struct weir_msg_##msg weir_msg_##msg;                                                  \
    WEIR_LIST_TYPE(weir_msgs_##msg, weir_msg_##msg)
#define WEIR_MAP(msg, number, field, key_type, value_type, of)                                     \
    typedef struct weir_msg_##msg##_##field##_entry weir_msg_##msg##_##field##_entry;              \
    WEIR_LIST_TYPE(weir_msgs_##msg##_##field##_entry, weir_msg_##msg##_##field##_entry)
#include "wire/messages.inc"

#define WEIR_MAP(msg, number, field, key_type, value_type, of)                                     \
    struct weir_msg_##msg##_##field##_entry {                                                      \
        weir_strs unknown;                                                                         \
        WEIR_C_##key_type(-) key;                                                                  \
        WEIR_C_##value_type(of) value;                                                             \
    };
#include "wire/messages.inc"

#define WEIR_MESSAGE(msg, package, name)                                                           \
    struct weir_msg_##msg {                                                                        \
        weir_strs unknown; /* fields that are not in the table, with their tags */
#define WEIR_ONEOF(msg, oneof) uint32_t which_##oneof;
#define WEIR_FIELD(msg, number, field, label, type, of) WEIR_MEMBER_##label(field, type, of)
#define WEIR_CASE(msg, number, field, oneof, type, of) WEIR_C_##type(of) field;
#define WEIR_MAP(msg, number, field, key_type, value_type, of)                                     \
    weir_msgs_##msg##_##field##_entry field;
#define WEIR_END(msg)                                                                              \
    }                                                                                              \
    ;
#include "wire/messages.inc"

/* ---- WEIR_FIELD_X_field: numbers of fields; WEIR_enumeration_VALUE --------------------------- */

enum {
#define WEIR_FIELD(msg, number, field, label, type, of) WEIR_FIELD_##msg##_##field = number,
#define WEIR_CASE(msg, number, field, oneof, type, of) WEIR_FIELD_##msg##_##field = number,
#define WEIR_MAP(msg, number, field, key_type, value_type, of) WEIR_FIELD_##msg##_##field = number,
#include "wire/messages.inc"
    WEIR_FIELD_entry_key = 1, /* of every map's entries */
    WEIR_FIELD_entry_value = 2,
};

enum {
#define WEIR_VALUE(id, number, name) WEIR_##id##_##name = number,
#include "wire/messages.inc"
};

/* ---- WEIR_INDEX_X: where in weir_message_types, or weir_enum_types, it is -------------------- */

enum {
#define WEIR_MESSAGE(msg, package, name) WEIR_INDEX_##msg,
#include "wire/messages.inc"
#define WEIR_MAP(msg, number, field, key_type, value_type, of) WEIR_INDEX_##msg##_##field##_entry,
#include "wire/messages.inc"
    WEIR_INDEX_END
};

enum {
#define WEIR_ENUM(id, package, name) WEIR_ENUM_INDEX_##id,
#include "wire/messages.inc"
    WEIR_ENUM_INDEX_END
};

/* ---- weir_msg_X_read, weir_msg_X_write ------------------------------------------------------- */

#define WEIR_MESSAGE(msg, package, name)                                                           \
    WEIR_CHECKED static inline weir_status weir_msg_##msg##_read(                                  \
        weir_str bytes, weir_arena *arena, weir_msg_##msg *out_message)                            \
    {                                                                                              \
        return weir_message_read(&weir_message_types[WEIR_INDEX_##msg], bytes, arena,              \
                                 out_message);                                                     \
    }                                                                                              \
    static inline void weir_msg_##msg##_write(const weir_msg_##msg *message, weir_buf *out)        \
    {                                                                                              \
        weir_message_write(&weir_message_types[WEIR_INDEX_##msg], message, out);                   \
    }
#include "wire/messages.inc"

#endif
