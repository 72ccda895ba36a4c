/* ops/parsing/proto_type.h - message types defined by the program, as descriptors from protoc: they
 * become message types of the wire room, with the fields that an op asks for.
 */
#ifndef WEIR_OPS_PARSING_PROTO_TYPE_H
#define WEIR_OPS_PARSING_PROTO_TYPE_H

#include "op/op.h"
#include "wire/messages.h"

/* A field type of protobuf. */
typedef struct weir_proto_kind {
    const char *name; /* "uint32" */
    weir_field_type type;
    weir_dtype dtype; /* of its values in a list ... */
    weir_dtype wider; /* ... and one that they can be converted to; DT_INVALID: none */
} weir_proto_kind;

/* One value, as in a list of kind->dtype. */
typedef union weir_proto_value {
    weir_str text; /* of strings, bytes, messages and groups */
    double float64;
    float float32;
    int64_t int64;
    int32_t int32;
    bool boolean;
} weir_proto_value;

typedef struct weir_proto_field {
    weir_str name;
    uint32_t number;
    const weir_proto_kind *kind; /* null: an unknown type */
    bool repeated, packed;
    weir_proto_value preset; /* of a field that a message does not have */
} weir_proto_field;

/* A list of values: a member of the struct that |message| of a request describes. */
typedef struct weir_proto_list {
    const void *at;
    size_t count;
} weir_proto_list;

/* The fields that an op reads or writes, in its order. */
typedef struct weir_proto_request {
    weir_arena arena;
    int count;
    weir_proto_field *fields;
    int *places;               /* of each field, which list of the struct */
    weir_message_type message; /* every field is a list, whether it is repeated or not; of one that
                                  occurs twice, the first has the values that are read */
} weir_proto_request;

/* Prepares a node: finds the fields |names| of the message type |message_type| (fully qualified) in
 * |source|, which is "bytes://" and a FileDescriptorSet, the path of a file with one, or "local://"
 * or "" for Weir's built-in types. |types| are the dtypes of their tensors; |check| is called with
 * each field and its dtype. */
typedef weir_status (*weir_proto_check)(weir_str message_type, const weir_proto_field *field,
                                        weir_dtype dtype);
typedef struct weir_proto_attrs {
    int message_type, names, types, source; /* which attrs they are */
} weir_proto_attrs;
WEIR_CHECKED weir_status weir_proto_prepare(weir_prepare *preparation,
                                            const weir_proto_attrs *attrs, weir_proto_check check);
void weir_proto_cleanup(void *request);

/* Field |i|'s list in a struct. */
static inline weir_proto_list *weir_proto_list_of(const weir_proto_request *request, void *message,
                                                  int i)
{
    return (weir_proto_list *)((weir_strs *)message + 1) + request->places[i];
}
/* True when values of |field| can be represented as |dtype|. */
bool weir_proto_holds(const weir_proto_field *field, weir_dtype dtype);

#endif
