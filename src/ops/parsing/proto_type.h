/* ops/parsing/proto_type.h - message types defined by the program, as descriptors from
 * protoc.
 */
#ifndef WEIR_OPS_PARSING_PROTO_TYPE_H
#define WEIR_OPS_PARSING_PROTO_TYPE_H

#include "op/op.h"
#include "wire/pb.h"

/* The encoding of a protocol buffer field type (numbered as in descriptors). */
typedef struct weir_proto_kind {
    const char *name; /* "uint32" */
    weir_pb_type wire;
    weir_dtype dtype; /* of its values ... */
    weir_dtype wider; /* ... or this one; DT_INVALID: none */
    bool zigzag;
} weir_proto_kind;
enum { WEIR_PROTO_KINDS = 19 };
extern const weir_proto_kind weir_proto_kinds[WEIR_PROTO_KINDS];

typedef struct weir_proto_field {
    weir_str name;
    uint32_t number;
    const weir_proto_kind *kind; /* null: an unknown type */
    bool repeated, packed;
    weir_str otherwise; /* default value, as text; empty: none */
} weir_proto_field;

typedef struct weir_proto_type {
    weir_arena arena;
    weir_str name; /* fully qualified */
    WEIR_VEC(weir_proto_field) fields;
} weir_proto_type;

/* The type |name| of |source|: "bytes://" and a FileDescriptorSet, the path of a file with one, or
 * "local://" or "" for Weir's built-in types. */
WEIR_CHECKED weir_status weir_proto_type_find(weir_str source, weir_str name, weir_proto_type *out);
void weir_proto_type_fini(weir_proto_type *type); /* accepts a zeroed one */
/* The field of that name, or "Unknown field". */
WEIR_CHECKED weir_status weir_proto_field_named(const weir_proto_type *type, weir_str name,
                                                const weir_proto_field **out);
/* True when values of |field| can be represented as |dtype|. */
bool weir_proto_holds(const weir_proto_field *field, weir_dtype dtype);

#endif
