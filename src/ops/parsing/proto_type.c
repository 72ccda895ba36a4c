/* ops/parsing/proto_type.c - descriptors: the fields of a message type, and a type of them. */
#include "ops/parsing/proto_type.h"

#include <stdlib.h>

#include "io/file.h"
#include "wire/text_tree.h"

static const weir_proto_kind kinds[] = {
    [WEIR_field_descriptor_proto_type_TYPE_DOUBLE] = {"double", WEIR_TYPE_DOUBLE, WEIR_DOUBLE},
    [WEIR_field_descriptor_proto_type_TYPE_FLOAT] = {"float", WEIR_TYPE_FLOAT, WEIR_FLOAT,
                                                     WEIR_DOUBLE},
    [WEIR_field_descriptor_proto_type_TYPE_INT64] = {"int64", WEIR_TYPE_INT64, WEIR_INT64},
    [WEIR_field_descriptor_proto_type_TYPE_UINT64] = {"uint64", WEIR_TYPE_UINT64, WEIR_UINT64},
    [WEIR_field_descriptor_proto_type_TYPE_INT32] = {"int32", WEIR_TYPE_INT32, WEIR_INT32,
                                                     WEIR_INT64},
    [WEIR_field_descriptor_proto_type_TYPE_FIXED64] = {"fixed64", WEIR_TYPE_FIXED64, WEIR_UINT64},
    [WEIR_field_descriptor_proto_type_TYPE_FIXED32] = {"fixed32", WEIR_TYPE_FIXED32, WEIR_UINT32,
                                                       WEIR_UINT64},
    [WEIR_field_descriptor_proto_type_TYPE_BOOL] = {"bool", WEIR_TYPE_BOOL, WEIR_BOOL},
    [WEIR_field_descriptor_proto_type_TYPE_STRING] = {"string", WEIR_TYPE_BYTES, WEIR_STRING},
    [WEIR_field_descriptor_proto_type_TYPE_GROUP] = {"group", WEIR_TYPE_GROUP, WEIR_STRING},
    [WEIR_field_descriptor_proto_type_TYPE_MESSAGE] = {"message", WEIR_TYPE_BYTES, WEIR_STRING},
    [WEIR_field_descriptor_proto_type_TYPE_BYTES] = {"bytes", WEIR_TYPE_BYTES, WEIR_STRING},
    [WEIR_field_descriptor_proto_type_TYPE_UINT32] = {"uint32", WEIR_TYPE_UINT32, WEIR_UINT32,
                                                      WEIR_UINT64},
    [WEIR_field_descriptor_proto_type_TYPE_ENUM] = {"enum", WEIR_TYPE_ENUM, WEIR_INT32},
    [WEIR_field_descriptor_proto_type_TYPE_SFIXED32] = {"sfixed32", WEIR_TYPE_FIXED32, WEIR_INT32,
                                                        WEIR_INT64},
    [WEIR_field_descriptor_proto_type_TYPE_SFIXED64] = {"sfixed64", WEIR_TYPE_FIXED64, WEIR_INT64},
    [WEIR_field_descriptor_proto_type_TYPE_SINT32] = {"sint32", WEIR_TYPE_SINT32, WEIR_INT32,
                                                      WEIR_INT64},
    [WEIR_field_descriptor_proto_type_TYPE_SINT64] = {"sint64", WEIR_TYPE_SINT64, WEIR_INT64},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const weir_proto_kind *kind_of(int32_t number)
{
    return number > 0 && number < KINDS ? &kinds[number] : NULL;
}

bool weir_proto_holds(const weir_proto_field *field, weir_dtype dtype)
{
    return field->kind &&
           (field->kind->dtype == dtype || (field->kind->wider && field->kind->wider == dtype));
}

/* Where a message type is described: in a set of files, or in Weir's table. */
typedef struct type {
    weir_arena *arena; /* holds the names of fields, and the set */
    weir_str name;     /* fully qualified */
    weir_msg_file_descriptor_set set;
    const weir_msg_descriptor_proto *message;
    const weir_message_type *own;
    bool packs; /* repeated numbers are packed unless a field says otherwise */
} type;

/* ---- descriptors by name --------------------------------------------------------------------- */

/* The message |path| ("A.B") among |list|. */
static const weir_msg_descriptor_proto *find_message(weir_msgs_descriptor_proto list, weir_str path)
{
    const char *dot = memchr(path.at, '.', path.length);
    weir_str first = {path.at, dot ? (size_t)(dot - path.at) : path.length};
    for (size_t i = 0; i < list.count; i++)
        if (weir_str_eq(list.at[i].name, first))
            return dot ? find_message(list.at[i].nested_type,
                                      (weir_str){dot + 1, path.length - first.length - 1})
                       : &list.at[i];
    return NULL;
}

static const weir_msg_enum_descriptor_proto *find_enum(const weir_msg_file_descriptor_proto *file,
                                                       weir_str path)
{
    const char *dot = memrchr(path.at, '.', path.length);
    weir_msgs_enum_descriptor_proto list = file->enum_type;
    if (dot) {
        weir_str outer = {path.at, (size_t)(dot - path.at)};
        const weir_msg_descriptor_proto *message = find_message(file->message_type, outer);
        list = message ? message->enum_type : (weir_msgs_enum_descriptor_proto){0};
        path = (weir_str){dot + 1, path.length - outer.length - 1};
    }
    for (size_t i = 0; i < list.count; i++)
        if (weir_str_eq(list.at[i].name, path))
            return &list.at[i];
    return NULL;
}

/* Takes the package off the front of |name|; false if it is another's. */
static bool in_package(weir_str package, weir_str name, weir_str *out_path)
{
    *out_path = name;
    if (!package.length)
        return true;
    if (name.length <= package.length || name.at[package.length] != '.' ||
        memcmp(name.at, package.at, package.length) != 0)
        return false;
    *out_path = (weir_str){name.at + package.length + 1, name.length - package.length - 1};
    return true;
}

static bool find_in_set(type *type)
{
    for (size_t i = 0; i < type->set.file.count && !type->message; i++) {
        const weir_msg_file_descriptor_proto *file = &type->set.file.at[i];
        weir_str path;
        if (in_package(file->package, type->name, &path))
            type->message = find_message(file->message_type, path);
        type->packs = weir_str_is(file->syntax, "proto3") || weir_str_is(file->syntax, "editions");
    }
    return type->message != NULL;
}

static const weir_msg_enum_descriptor_proto *find_enum_in_set(const type *type, weir_str name)
{
    for (size_t i = 0; i < type->set.file.count; i++) {
        const weir_msg_file_descriptor_proto *file = &type->set.file.at[i];
        weir_str path;
        const weir_msg_enum_descriptor_proto *found =
            in_package(file->package, name, &path) ? find_enum(file, path) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* ".t.M.E" is complete; "E" in t.M is t.M.E, t.E or E. */
static const weir_msg_enum_descriptor_proto *enum_of(const type *type, weir_str name)
{
    if (name.length && *name.at == '.')
        return find_enum_in_set(type, (weir_str){name.at + 1, name.length - 1});
    for (weir_str scope = type->name;;) {
        WEIR_BUF(full);
        weir_buf_addf(&full, "%.*s%s%.*s", WEIR_STR_ARG(scope), scope.length ? "." : "",
                      WEIR_STR_ARG(name));
        const weir_msg_enum_descriptor_proto *found = find_enum_in_set(type, weir_view(&full));
        if (found || !scope.length)
            return found;
        const char *dot = memrchr(scope.at, '.', scope.length);
        scope.length = dot ? (size_t)(dot - scope.at) : 0;
    }
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* The value that |text| names, or the first one. */
static int32_t enum_preset(const type *type, weir_str name, weir_str text)
{
    const weir_msg_enum_descriptor_proto *found = enum_of(type, name);
    for (size_t i = 0; found && text.length && i < found->value.count; i++)
        if (weir_str_eq(found->value.at[i].name, text))
            return found->value.at[i].number;
    return found && found->value.count ? found->value.at[0].number : 0;
}

static weir_str bytes_preset(const type *type, weir_str text)
{
    WEIR_BUF(bytes);
    weir_text_unescape(text, &bytes);
    return (weir_str){weir_arena_strndup(type->arena, bytes.at ? bytes.at : "", bytes.length),
                      bytes.length};
}

/* The default of a field, which its descriptor has as text. */
static weir_proto_value preset_of(const type *type, const weir_proto_kind *kind,
                                  const weir_msg_field_descriptor_proto *field)
{
    WEIR_FREED char *text = weir_strndup(field->default_value.at, field->default_value.length);
    if (kind == &kinds[WEIR_field_descriptor_proto_type_TYPE_BYTES])
        return (weir_proto_value){.text = bytes_preset(type, field->default_value)};
    if (kind->type == WEIR_TYPE_ENUM)
        return (weir_proto_value){.int32 =
                                      enum_preset(type, field->type_name, field->default_value)};
    switch (kind->dtype) {
    case WEIR_STRING:
        return (weir_proto_value){.text = field->default_value};
    case WEIR_DOUBLE:
        return (weir_proto_value){.float64 = strtod(text, NULL)};
    case WEIR_FLOAT:
        return (weir_proto_value){.float32 = strtof(text, NULL)};
    case WEIR_BOOL:
        return (weir_proto_value){.boolean = strcmp(text, "true") == 0};
    case WEIR_INT32:
    case WEIR_UINT32:
        return (weir_proto_value){.int32 = (int32_t)strtoll(text, NULL, 10)};
    default:
        return (weir_proto_value){.int64 = *text == '-' ? strtoll(text, NULL, 10)
                                                        : (int64_t)strtoull(text, NULL, 10)};
    }
}

static weir_proto_field described(const type *type, const weir_msg_field_descriptor_proto *field)
{
    weir_proto_field out = {.name = field->name,
                            .number = (uint32_t)field->number,
                            .kind = kind_of(field->type),
                            .repeated =
                                field->label == WEIR_field_descriptor_proto_label_LABEL_REPEATED};
    bool packed =
        field->options && field->options->has_packed ? field->options->packed : type->packs;
    out.packed = packed && out.repeated && out.kind && out.kind->dtype != WEIR_STRING;
    if (out.kind)
        out.preset = preset_of(type, out.kind, field);
    return out;
}

/* Of a type of Weir's table. Its strings and messages are bytes to the ops. */
static weir_proto_field of_own(const weir_field *field)
{
    weir_field_type type = (weir_field_type)field->type;
    int32_t number = WEIR_field_descriptor_proto_type_TYPE_BYTES;
    if (type == WEIR_TYPE_MESSAGE || type == WEIR_TYPE_LAZY)
        number = WEIR_field_descriptor_proto_type_TYPE_MESSAGE;
    else if (type == WEIR_TYPE_STRING)
        number = WEIR_field_descriptor_proto_type_TYPE_STRING;
    else
        for (int32_t i = 1; i < KINDS; i++)
            if (kinds[i].type == type && type != WEIR_TYPE_BYTES)
                number = i;
    return (weir_proto_field){.name = weir_str_of(field->name),
                              .number = field->number,
                              .kind = kind_of(number),
                              .repeated = field->label >= WEIR_LABEL_REPEATED,
                              .packed = field->label == WEIR_LABEL_PACKED};
}

static weir_status check_number(const weir_proto_field *field)
{
    enum { LAST_NUMBER = 0x1fffffff };
    if (field->number > 0 && field->number <= LAST_NUMBER)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Field %.*s has the number %d, which is not valid",
                      WEIR_STR_ARG(field->name), (int)field->number);
}

static weir_status field_named(const type *type, weir_str name, weir_proto_field *out)
{
    const weir_field *own = type->own ? weir_message_field_named(type->own, name) : NULL;
    if (own) {
        *out = of_own(own);
        return WEIR_OK;
    }
    for (size_t i = 0; type->message && i < type->message->field.count; i++)
        if (weir_str_eq(type->message->field.at[i].name, name)) {
            *out = described(type, &type->message->field.at[i]);
            return check_number(out);
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Unknown field: %.*s in message type %.*s",
                      WEIR_STR_ARG(name), WEIR_STR_ARG(type->name));
}

/* ---- sources of descriptors ------------------------------------------------------------------ */

static weir_status read_set(type *type, weir_str bytes)
{
    bytes.at = weir_arena_strndup(type->arena, bytes.at, bytes.length);
    return weir_status_prefix(weir_msg_file_descriptor_set_read(bytes, type->arena, &type->set),
                              "Source does not represent serialized file descriptor set proto: ");
}

static weir_status read_source(type *type, weir_str source)
{
    enum { SCHEME = 8, MOST = 64 << 20 };
    if (!source.length || weir_str_is(source, "local://")) {
        type->own = weir_message_find(type->name);
        return WEIR_OK;
    }
    if (source.length >= SCHEME && memcmp(source.at, "bytes://", SCHEME) == 0)
        return read_set(type, (weir_str){source.at + SCHEME, source.length - SCHEME});
    WEIR_BUF(bytes);
    WEIR_FREED char *path = weir_strndup(source.at, source.length);
    WEIR_TRY(weir_file_read_all(path, MOST, &bytes));
    return read_set(type, weir_view(&bytes));
}

static weir_status find_type(weir_str source, weir_str name, type *out)
{
    out->name = (weir_str){weir_arena_strndup(out->arena, name.at, name.length), name.length};
    WEIR_TRY(read_source(out, source));
    if (out->own || find_in_set(out))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "No descriptor found for message type %.*s",
                      WEIR_STR_ARG(name));
}

/* ---- requests -------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const weir_proto_field *x = *(const weir_proto_field *const *)a,
                           *y = *(const weir_proto_field *const *)b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x > y) - (x < y);
}

/* A message type with the fields as lists, by rising number. */
static weir_status make_message(weir_proto_request *request)
{
    size_t count = (size_t)request->count;
    weir_field *lists = WEIR_ARENA_ARRAY(&request->arena, weir_field, count + 1);
    WEIR_FREED const weir_proto_field **sorted =
        WEIR_NEW_ARRAY(const weir_proto_field *, count + 1);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &request->fields[i];
    qsort(sorted, count, sizeof *sorted, by_number);
    for (size_t i = 0; i < count; i++) {
        const weir_proto_field *field = sorted[i];
        if (i && sorted[i - 1]->number == field->number &&
            !weir_str_eq(sorted[i - 1]->name, field->name))
            return weir_error(WEIR_INVALID_ARGUMENT, "Fields %.*s and %.*s have the same number",
                              WEIR_STR_ARG(sorted[i - 1]->name), WEIR_STR_ARG(field->name));
        request->places[field - request->fields] = (int)i;
        lists[i] = (weir_field){
            .name = "field",
            .number = field->number,
            .offset = (uint32_t)(sizeof(weir_strs) + i * sizeof(weir_proto_list)),
            .type = (uint8_t)field->kind->type,
            .label = field->packed ? WEIR_LABEL_PACKED : WEIR_LABEL_REPEATED,
        };
    }
    request->message = (weir_message_type){
        .package = "",
        .name = "message",
        .fields = lists,
        .field_count = request->count,
        .bytes = (uint32_t)(sizeof(weir_strs) + count * sizeof(weir_proto_list))};
    return WEIR_OK;
}

static weir_status make_request(const weir_site *site, const weir_proto_attrs *attrs,
                                weir_proto_check check, weir_proto_request *out)
{
    const weir_attr *names = weir_site_list(site, attrs->names),
                    *dtypes = weir_site_list(site, attrs->types);
    type type = {.arena = &out->arena};
    WEIR_TRY(find_type(weir_site_str(site, attrs->source), weir_site_str(site, attrs->message_type),
                       &type));
    if (names->count != dtypes->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s and %s must have the same length: %d vs. %d",
                          site->def->attrs[attrs->names].name, site->def->attrs[attrs->types].name,
                          names->count, dtypes->count);
    out->count = names->count;
    out->fields = WEIR_ARENA_ARRAY(&out->arena, weir_proto_field, names->count);
    out->places = WEIR_ARENA_ARRAY(&out->arena, int, names->count);
    for (int i = 0; i < names->count; i++) {
        WEIR_TRY(field_named(&type, names->ss[i], &out->fields[i]));
        WEIR_TRY(check(type.name, &out->fields[i], (weir_dtype)dtypes->types[i]));
    }
    return make_message(out);
}

weir_status weir_proto_prepare(weir_prepare *preparation, const weir_proto_attrs *attrs,
                               weir_proto_check check)
{
    weir_proto_request *made = WEIR_NEW(weir_proto_request);
    weir_arena_init(&made->arena);
    weir_status status = make_request(preparation->site, attrs, check, made);
    if (status)
        weir_proto_cleanup(made);
    else
        preparation->state = made;
    return status;
}

void weir_proto_cleanup(void *request)
{
    weir_arena_fini(&((weir_proto_request *)request)->arena);
    weir_free(request);
}
