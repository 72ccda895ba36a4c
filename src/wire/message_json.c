/* wire/message_json.c - messages as JSON, as proto3 maps them. */
#include <ctype.h>
#include <math.h>

#include "base/base64.h"
#include "wire/json.h"
#include "wire/message_impl.h"

typedef struct json_writer {
    weir_arena *arena; /* for messages that the reader did not parse */
    weir_buf *out;
    int depth;
} json_writer;

static weir_status put_object(json_writer *writer, const weir_message_type *type,
                              const void *message);

/* "tensor_shape" as "tensorShape". */
static void put_name(weir_buf *out, const char *name)
{
    weir_buf_addc(out, '"');
    for (; *name; name++) {
        bool word = *name == '_' && name[1];
        name += word;
        weir_buf_addc(out, (char)(word ? toupper((unsigned char)*name) : *name));
    }
    weir_buf_adds(out, "\":");
}

static double real_of(const weir_field *field, const void *member)
{
    return field->type == WEIR_TYPE_FLOAT ? *(const float *)member : *(const double *)member;
}

static bool is_real(const weir_field *field)
{
    return field->type == WEIR_TYPE_FLOAT || field->type == WEIR_TYPE_DOUBLE;
}

/* JSON's numbers have 53 bits, and it has no enumerations. */
static bool is_quoted(const weir_field *field, uint64_t bits)
{
    const weir_enum_type *names = weir_field_enum(field);
    return field->type == WEIR_TYPE_INT64 || field->type == WEIR_TYPE_UINT64 ||
           field->type == WEIR_TYPE_SINT64 || field->type == WEIR_TYPE_FIXED64 ||
           (names && weir_enum_name(names, (int32_t)bits));
}

static void put_number(weir_buf *out, const weir_field *field, const void *member)
{
    uint64_t bits = weir_field_load((weir_field_type)field->type, member);
    if (is_real(field) && !isfinite(real_of(field, member))) {
        double value = real_of(field, member);
        weir_buf_adds(out, isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
        return;
    }
    if (is_real(field) && real_of(field, member) == 0 && signbit(real_of(field, member))) {
        weir_buf_adds(out, "-0.0"); /* "-0" would be parsed as an integer */
        return;
    }
    const char *quote = is_quoted(field, bits) ? "\"" : "";
    weir_buf_adds(out, quote);
    weir_field_print_number(out, field, bits);
    weir_buf_adds(out, quote);
}

static void put_bytes(weir_buf *out, weir_str bytes)
{
    weir_buf_addc(out, '"');
    weir_base64_encode(bytes, WEIR_BASE64_STANDARD, true, out);
    weir_buf_addc(out, '"');
}

static weir_status put_message(json_writer *writer, const weir_field *field, const void *member)
{
    const weir_message_type *type = weir_field_message(field);
    if (field->type == WEIR_TYPE_LAZY) {
        void *message = weir_arena_zalloc(writer->arena, type->bytes);
        WEIR_TRY(weir_message_read(type, *(const weir_str *)member, writer->arena, message));
        return put_object(writer, type, message);
    }
    const void *message = weir_field_is_list(field) ? member : *(const weir_any_pointer *)member;
    if (message)
        return put_object(writer, type, message);
    weir_buf_adds(writer->out, "{}");
    return WEIR_OK;
}

static weir_status put_value(json_writer *writer, const weir_field *field, const void *member)
{
    if (weir_field_message(field))
        return put_message(writer, field, member);
    if (field->type == WEIR_TYPE_STRING)
        weir_json_put_string(writer->out, *(const weir_str *)member);
    else if (field->type == WEIR_TYPE_BYTES)
        put_bytes(writer->out, *(const weir_str *)member);
    else
        put_number(writer->out, field, member);
    return WEIR_OK;
}

/* Keys are strings in JSON, whatever their type in the map. */
static weir_status put_entry(json_writer *writer, const weir_message_type *type, const void *entry)
{
    const weir_field *key = &type->fields[0], *value = &type->fields[1];
    const void *member = weir_member(key, entry);
    if (key->type == WEIR_TYPE_STRING) {
        weir_json_put_string(writer->out, *(const weir_str *)member);
    } else {
        weir_buf_addc(writer->out, '"');
        weir_field_print_number(writer->out, key,
                                weir_field_load((weir_field_type)key->type, member));
        weir_buf_addc(writer->out, '"');
    }
    weir_buf_addc(writer->out, ':');
    return put_value(writer, value, weir_member(value, entry));
}

static weir_status put_list(json_writer *writer, const weir_field *field, const weir_any_list *list)
{
    bool map = field->label == WEIR_LABEL_MAP;
    size_t bytes = weir_field_bytes(field);
    weir_buf_addc(writer->out, map ? '{' : '[');
    for (size_t i = 0; i < list->count; i++) {
        const void *item = (const char *)list->at + i * bytes;
        weir_buf_adds(writer->out, i ? "," : "");
        WEIR_TRY(map ? put_entry(writer, weir_field_message(field), item)
                     : put_value(writer, field, item));
    }
    weir_buf_addc(writer->out, map ? '}' : ']');
    return WEIR_OK;
}

static weir_status put_member(json_writer *writer, const weir_field *field, const void *message)
{
    const void *member = weir_member(field, message);
    put_name(writer->out, field->name);
    return weir_field_is_list(field) ? put_list(writer, field, member)
                                     : put_value(writer, field, member);
}

static weir_status put_object(json_writer *writer, const weir_message_type *type,
                              const void *message)
{
    if (writer->depth >= WEIR_MESSAGE_DEPTH)
        return weir_error(WEIR_INVALID_ARGUMENT, "Messages are nested more than %d deep",
                          WEIR_MESSAGE_DEPTH);
    writer->depth++;
    bool first = true;
    weir_buf_addc(writer->out, '{');
    for (const weir_field *field = type->fields; field < type->fields + type->field_count;
         field++) {
        bool set = weir_field_is_list(field)
                       ? ((const weir_any_list *)weir_member(field, message))->count > 0
                       : weir_field_is_set(field, message);
        if (!set)
            continue;
        weir_buf_adds(writer->out, first ? "" : ",");
        first = false;
        WEIR_TRY(put_member(writer, field, message));
    }
    weir_buf_addc(writer->out, '}');
    writer->depth--;
    return WEIR_OK;
}

weir_status weir_message_to_json(const weir_message_type *type, weir_str bytes, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    json_writer writer = {.arena = &arena, .out = out};
    void *message = weir_arena_zalloc(&arena, type->bytes);
    WEIR_TRY(weir_message_read(type, bytes, &arena, message));
    return put_object(&writer, type, message);
}
