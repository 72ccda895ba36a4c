/* ops/parsing/proto_type.c - descriptors: the fields of a message type. */
#include "ops/parsing/proto_type.h"

#include "io/file.h"
#include "wire/message.h"

const weir_proto_kind weir_proto_kinds[WEIR_PROTO_KINDS] = {
    [1] = {"double", WEIR_PB_I64, WEIR_DOUBLE},
    [2] = {"float", WEIR_PB_I32, WEIR_FLOAT, WEIR_DOUBLE},
    [3] = {"int64", WEIR_PB_VARINT, WEIR_INT64},
    [4] = {"uint64", WEIR_PB_VARINT, WEIR_UINT64},
    [5] = {"int32", WEIR_PB_VARINT, WEIR_INT32, WEIR_INT64},
    [6] = {"fixed64", WEIR_PB_I64, WEIR_UINT64},
    [7] = {"fixed32", WEIR_PB_I32, WEIR_UINT32, WEIR_UINT64},
    [8] = {"bool", WEIR_PB_VARINT, WEIR_BOOL},
    [9] = {"string", WEIR_PB_LEN, WEIR_STRING},
    [10] = {"group", WEIR_PB_GROUP, WEIR_STRING},
    [11] = {"message", WEIR_PB_LEN, WEIR_STRING},
    [12] = {"bytes", WEIR_PB_LEN, WEIR_STRING},
    [13] = {"uint32", WEIR_PB_VARINT, WEIR_UINT32, WEIR_UINT64},
    [14] = {"enum", WEIR_PB_VARINT, WEIR_INT32},
    [15] = {"sfixed32", WEIR_PB_I32, WEIR_INT32, WEIR_INT64},
    [16] = {"sfixed64", WEIR_PB_I64, WEIR_INT64},
    [17] = {"sint32", WEIR_PB_VARINT, WEIR_INT32, WEIR_INT64, .zigzag = true},
    [18] = {"sint64", WEIR_PB_VARINT, WEIR_INT64, .zigzag = true},
};

bool weir_proto_holds(const weir_proto_field *field, weir_dtype dtype)
{
    return field->kind &&
           (field->kind->dtype == dtype || (field->kind->wider && field->kind->wider == dtype));
}

void weir_proto_type_fini(weir_proto_type *type)
{
    weir_vec_fini(&type->fields);
    weir_arena_fini(&type->arena);
}

weir_status weir_proto_field_named(const weir_proto_type *type, weir_str name,
                                   const weir_proto_field **out)
{
    for (size_t i = 0; i < type->fields.count; i++)
        if (weir_str_eq(type->fields.at[i].name, name)) {
            *out = &type->fields.at[i];
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Unknown field: %.*s in message type %.*s",
                      WEIR_STR_ARG(name), WEIR_STR_ARG(type->name));
}

/* ---- descriptors in protocol buffers --------------------------------------------------------- */

enum { SET_FILE = 1 };
enum { FILE_PACKAGE = 2, FILE_MESSAGE = 4, FILE_SYNTAX = 12 };
enum { MESSAGE_NAME = 1, MESSAGE_FIELD, MESSAGE_NESTED };
enum {
    FIELD_NAME = 1,
    FIELD_NUMBER = 3,
    FIELD_LABEL,
    FIELD_TYPE,
    FIELD_DEFAULT = 7,
    FIELD_OPTIONS
};
enum { OPTIONS_PACKED = 2, LABEL_REPEATED = 3 };

/* The last bytes field number |field| of a message; empty if absent. */
static weir_str text_in(weir_str message, uint32_t field)
{
    weir_pb pb = weir_pb_reader(message);
    weir_str found = {0};
    while (weir_pb_next(&pb))
        if (pb.field == field && pb.type == WEIR_PB_LEN)
            found = pb.bytes;
    return found;
}

static void read_field(weir_proto_type *type, weir_str bytes, bool packs)
{
    weir_proto_field field = {.name = text_in(bytes, FIELD_NAME),
                              .otherwise = text_in(bytes, FIELD_DEFAULT)};
    weir_pb pb = weir_pb_reader(bytes);
    bool packed = packs;
    while (weir_pb_next(&pb)) {
        if (pb.field == FIELD_NUMBER)
            field.number = (uint32_t)pb.value;
        else if (pb.field == FIELD_LABEL)
            field.repeated = pb.value == LABEL_REPEATED;
        else if (pb.field == FIELD_TYPE && pb.value < WEIR_PROTO_KINDS)
            field.kind = weir_proto_kinds[pb.value].name ? &weir_proto_kinds[pb.value] : NULL;
        else if (pb.field == FIELD_OPTIONS && pb.type == WEIR_PB_LEN) {
            weir_pb options = weir_pb_reader(pb.bytes);
            while (weir_pb_next(&options))
                packed = options.field == OPTIONS_PACKED ? options.value != 0 : packed;
        }
    }
    field.packed = packed && field.repeated && field.kind && field.kind->dtype != WEIR_STRING;
    weir_vec_push(&type->fields, field);
}

static void read_message(weir_proto_type *type, weir_str bytes, bool packs)
{
    weir_pb pb = weir_pb_reader(bytes);
    while (weir_pb_next(&pb))
        if (pb.field == MESSAGE_FIELD && pb.type == WEIR_PB_LEN)
            read_field(type, pb.bytes, packs);
}

/* Finds the message |path| ("A.B") among the fields |field| of |bytes|. */
static bool find_message(weir_str bytes, uint32_t field, weir_str path, weir_str *out)
{
    const char *dot = memchr(path.at, '.', path.length);
    weir_str head = {path.at, dot ? (size_t)(dot - path.at) : path.length};
    weir_pb pb = weir_pb_reader(bytes);
    while (weir_pb_next(&pb)) {
        if (pb.field != field || pb.type != WEIR_PB_LEN ||
            !weir_str_eq(text_in(pb.bytes, MESSAGE_NAME), head))
            continue;
        *out = pb.bytes;
        return !dot || find_message(pb.bytes, MESSAGE_NESTED,
                                    (weir_str){dot + 1, path.length - head.length - 1}, out);
    }
    return false;
}

static bool find_in_file(weir_proto_type *type, weir_str file)
{
    weir_str package = text_in(file, FILE_PACKAGE), path = type->name, message;
    if (package.length) {
        if (path.length <= package.length + 1 || path.at[package.length] != '.' ||
            memcmp(path.at, package.at, package.length) != 0)
            return false;
        path = (weir_str){path.at + package.length + 1, path.length - package.length - 1};
    }
    if (!find_message(file, FILE_MESSAGE, path, &message))
        return false;
    read_message(type, message, weir_str_is(text_in(file, FILE_SYNTAX), "proto3"));
    return true;
}

static bool find_in_set(weir_proto_type *type, weir_str set)
{
    weir_pb pb = weir_pb_reader(set);
    while (weir_pb_next(&pb))
        if (pb.field == SET_FILE && pb.type == WEIR_PB_LEN && find_in_file(type, pb.bytes))
            return true;
    return false;
}

/* ---- Weir's own messages --------------------------------------------------------------------- */

static const uint8_t kinds_of_own[] = {
    [WEIR_TYPE_INT32] = 5,   [WEIR_TYPE_INT64] = 3,   [WEIR_TYPE_UINT32] = 13,
    [WEIR_TYPE_UINT64] = 4,  [WEIR_TYPE_SINT32] = 17, [WEIR_TYPE_SINT64] = 18,
    [WEIR_TYPE_BOOL] = 8,    [WEIR_TYPE_ENUM] = 14,   [WEIR_TYPE_FIXED32] = 7,
    [WEIR_TYPE_FIXED64] = 6, [WEIR_TYPE_FLOAT] = 2,   [WEIR_TYPE_DOUBLE] = 1,
    [WEIR_TYPE_STRING] = 9,  [WEIR_TYPE_BYTES] = 12,  [WEIR_TYPE_MESSAGE] = 11,
    [WEIR_TYPE_LAZY] = 11,
};

static bool find_own(weir_proto_type *type)
{
    const weir_message_type *own = weir_message_find(type->name);
    for (int i = 0; own && i < own->field_count; i++) {
        const weir_field *field = &own->fields[i];
        weir_vec_push(&type->fields,
                      (weir_proto_field){.name = weir_str_of(field->name),
                                         .number = field->number,
                                         .kind = &weir_proto_kinds[kinds_of_own[field->type]],
                                         .repeated = field->label >= WEIR_LABEL_REPEATED,
                                         .packed = field->label == WEIR_LABEL_PACKED});
    }
    return own != NULL;
}

/* ---- sources of descriptors ------------------------------------------------------------------ */

static weir_status read_source(weir_proto_type *type, weir_str source, bool *out_found)
{
    enum { SCHEME = 8, MOST = 64 << 20 };
    if (!source.length || weir_str_is(source, "local://")) {
        *out_found = find_own(type);
        return WEIR_OK;
    }
    if (source.length >= SCHEME && memcmp(source.at, "bytes://", SCHEME) == 0) {
        weir_str set = {source.at + SCHEME, source.length - SCHEME};
        set.at = weir_arena_strndup(&type->arena, set.at, set.length);
        *out_found = find_in_set(type, set);
        return WEIR_OK;
    }
    WEIR_BUF(bytes);
    WEIR_FREED char *path = weir_strndup(source.at, source.length);
    WEIR_TRY(weir_file_read_all(path, MOST, &bytes));
    weir_str set = {weir_arena_strndup(&type->arena, bytes.at, bytes.length), bytes.length};
    *out_found = find_in_set(type, set);
    return WEIR_OK;
}

weir_status weir_proto_type_find(weir_str source, weir_str name, weir_proto_type *out)
{
    weir_arena_init(&out->arena);
    out->name = (weir_str){weir_arena_strndup(&out->arena, name.at, name.length), name.length};
    bool found = false;
    weir_status status = read_source(out, source, &found);
    if (!status && !found)
        status = weir_error(WEIR_INVALID_ARGUMENT, "No descriptor found for message type %.*s",
                            WEIR_STR_ARG(name));
    if (status) {
        weir_proto_type_fini(out);
        *out = (weir_proto_type){0};
    }
    return status;
}
