/* wire/message_json_read.c - JSON, as proto3 maps it, as serialised messages. */
#include <ctype.h>
#include <math.h>

#include "base/base64.h"
#include "base/number.h"
#include "base/utf8.h"
#include "wire/json.h"
#include "wire/message_impl.h"

#define SCOPED_MAP(name) __attribute__((cleanup(weir_map_fini))) weir_map name = {0}

typedef struct json_reader {
    weir_json json;
    weir_buf *out;
    int depth;
    const char *why; /* of a failure that is not one of JSON's grammar */
} json_reader;

static bool fail(json_reader *r, const char *why)
{
    if (!r->why && !r->json.failed)
        r->why = why;
    return false;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool is_signed(weir_field_type type)
{
    return type == WEIR_TYPE_INT32 || type == WEIR_TYPE_INT64 || type == WEIR_TYPE_SINT32 ||
           type == WEIR_TYPE_SINT64 || type == WEIR_TYPE_ENUM;
}

static bool is_narrow(weir_field_type type)
{
    return type == WEIR_TYPE_INT32 || type == WEIR_TYPE_UINT32 || type == WEIR_TYPE_SINT32 ||
           type == WEIR_TYPE_FIXED32 || type == WEIR_TYPE_ENUM;
}

/* 1.0 and 1e2 are integers, too. */
static bool take_integer(weir_str text, weir_field_type type, uint64_t *out)
{
    int64_t value = 0;
    double real;
    bool sign = is_signed(type);
    bool whole = sign ? weir_parse_i64(text, &value) : weir_parse_u64(text, (uint64_t *)&value);
    if (!whole) {
        if (!weir_parse_f64(text, &real) || real != floor(real) || real < (sign ? -0x1p63 : 0) ||
            real >= (sign ? 0x1p63 : 0x1p64))
            return false;
        value = sign ? (int64_t)real : (int64_t)(uint64_t)real;
    }
    if (is_narrow(type) && value != (sign ? (int32_t)value : (int64_t)(uint32_t)value))
        return false;
    *out = weir_field_load(sign ? WEIR_TYPE_INT64 : WEIR_TYPE_UINT64, &value);
    if (type == WEIR_TYPE_SINT32 || type == WEIR_TYPE_SINT64)
        *out = *out << 1 ^ (uint64_t)(value >> 63);
    return true;
}

/* A quoted number may be infinite; one that is too large is not a number of its type. */
static bool take_float(weir_str text, weir_field_type type, bool quoted, uint64_t *out)
{
    double real;
    if (!weir_parse_f64(text, &real))
        return false;
    float narrow = (float)real;
    bool infinite = type == WEIR_TYPE_FLOAT ? isinf(narrow) : isinf(real);
    if (infinite && !(quoted && isinf(real)))
        return false;
    *out = type == WEIR_TYPE_FLOAT ? weir_field_load(WEIR_TYPE_FLOAT, &narrow)
                                   : weir_field_load(WEIR_TYPE_DOUBLE, &real);
    return true;
}

static bool take_bool(json_reader *r, uint64_t *out)
{
    *out = weir_json_word(&r->json, "true");
    return *out || weir_json_word(&r->json, "false") || fail(r, "true or false is missing");
}

/* The text of a number or of an enumerator, which may be quoted. */
static bool take_token(json_reader *r, weir_buf *text, bool *out_quoted)
{
    weir_str number;
    *out_quoted = weir_json_peek(&r->json) == '"';
    if (*out_quoted)
        return weir_json_string(&r->json, text);
    if (!weir_json_number(&r->json, &number))
        return false;
    weir_buf_add(text, number.at, number.length);
    return true;
}

/* A number as bits on the wire. */
static bool take_number(json_reader *r, const weir_field *field, uint64_t *out)
{
    WEIR_BUF(text);
    bool quoted;
    int64_t value;
    weir_field_type type = (weir_field_type)field->type;
    if (type == WEIR_TYPE_BOOL)
        return take_bool(r, out);
    if (!take_token(r, &text, &quoted))
        return false;
    weir_str number = weir_view(&text);
    if (type == WEIR_TYPE_ENUM && quoted &&
        weir_enum_value(weir_field_enum(field), number, &value)) {
        *out = (uint64_t)value;
        return true;
    }
    bool spaced = !number.length || isspace((unsigned char)*number.at) ||
                  isspace((unsigned char)number.at[number.length - 1]);
    bool real = type == WEIR_TYPE_FLOAT || type == WEIR_TYPE_DOUBLE;
    return (!spaced &&
            (real ? take_float(number, type, quoted, out) : take_integer(number, type, out))) ||
           fail(r, "not a value of its type");
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool put_object(json_reader *r, const weir_message_type *type);

static bool put_message(json_reader *r, const weir_field *field, bool null)
{
    size_t mark = weir_message_open(r->out, field->number);
    if (!null && !put_object(r, weir_field_message(field)))
        return false;
    weir_message_close(r->out, mark);
    return true;
}

static bool put_text(json_reader *r, const weir_field *field, bool null)
{
    WEIR_BUF(text);
    WEIR_BUF(bytes);
    if (!null && !weir_json_string(&r->json, &text))
        return false;
    weir_str value = weir_view(&text);
    if (field->type == WEIR_TYPE_STRING && !weir_utf8_valid(value))
        return fail(r, "text that is not UTF-8");
    if (field->type == WEIR_TYPE_BYTES) {
        if (weir_base64_decode(value, WEIR_BASE64_EITHER, &bytes) < value.length)
            return fail(r, "not base64");
        value = weir_view(&bytes);
    }
    if (value.length || field->label != WEIR_LABEL_ONE)
        weir_message_put_bytes(r->out, field->number, value);
    return true;
}

/* One value with its tag; null is the default. */
static bool put_value(json_reader *r, const weir_field *field)
{
    uint64_t bits = 0;
    bool null = weir_json_word(&r->json, "null");
    if (weir_field_message(field))
        return put_message(r, field, null);
    if (field->type == WEIR_TYPE_STRING || field->type == WEIR_TYPE_BYTES)
        return put_text(r, field, null);
    if (!null && !take_number(r, field, &bits))
        return false;
    if (bits || field->label != WEIR_LABEL_ONE)
        weir_field_put_number(r->out, field, bits);
    return true;
}

/* Numbers are not packed: TensorFlow's examples from JSON have one field each. */
static bool put_list(json_reader *r, const weir_field *field)
{
    if (!weir_json_open(&r->json, '['))
        return false;
    while (weir_json_item(&r->json))
        if (!put_value(r, field))
            return false;
    return !r->json.failed;
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* Keys are strings in JSON, whatever their type in the map. */
static bool put_key(json_reader *r, const weir_field *field, weir_str key)
{
    uint64_t bits;
    if (field->type == WEIR_TYPE_STRING) {
        weir_message_put_bytes(r->out, field->number, key);
        return weir_utf8_valid(key) || fail(r, "text that is not UTF-8");
    }
    bits = weir_str_is(key, "true");
    bool fine = field->type == WEIR_TYPE_BOOL
                    ? bits || weir_str_is(key, "false")
                    : take_integer(key, (weir_field_type)field->type, &bits);
    weir_field_put_number(r->out, field, bits);
    return fine || fail(r, "not a key of its type");
}

static bool put_map(json_reader *r, const weir_field *field)
{
    WEIR_BUF(key);
    SCOPED_MAP(seen);
    const weir_message_type *entry = weir_field_message(field);
    if (!weir_json_open(&r->json, '{'))
        return false;
    while (weir_json_key(&r->json, &key)) {
        if (weir_map_put(&seen, weir_view(&key), &seen))
            return fail(r, "a repeated key");
        size_t mark = weir_message_open(r->out, field->number);
        if (!put_key(r, &entry->fields[0], weir_view(&key)))
            return false;
        if (!weir_json_word(&r->json, "null") && !put_value(r, &entry->fields[1]))
            return false;
        weir_message_close(r->out, mark);
    }
    return !r->json.failed;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Whether |key| is "tensorShape", for "tensor_shape". */
static bool is_camel(weir_str key, const char *name)
{
    size_t at = 0;
    for (; *name && at < key.length; name++, at++) {
        bool word = *name == '_' && name[1];
        name += word;
        if (key.at[at] != (word ? toupper((unsigned char)*name) : *name))
            return false;
    }
    return !*name && at == key.length;
}

static const weir_field *find(const weir_message_type *type, weir_str key)
{
    for (const weir_field *field = type->fields; field < type->fields + type->field_count; field++)
        if (weir_str_is(key, field->name) || is_camel(key, field->name))
            return field;
    return NULL;
}

static bool put_member(json_reader *r, const weir_message_type *type, weir_str key,
                       weir_map *oneofs)
{
    const weir_field *field = find(type, key);
    if (!field)
        return fail(r, "no such field");
    if (weir_json_word(&r->json, "null"))
        return true;
    if (field->oneof && weir_map_put(oneofs, weir_str_of(field->oneof), oneofs))
        return fail(r, "a second value of a oneof");
    if (field->label == WEIR_LABEL_MAP)
        return put_map(r, field);
    return weir_field_is_list(field) ? put_list(r, field) : put_value(r, field);
}

static bool put_object(json_reader *r, const weir_message_type *type)
{
    WEIR_BUF(key);
    SCOPED_MAP(oneofs);
    if (r->depth == WEIR_MESSAGE_DEPTH)
        return fail(r, "nested too deeply");
    r->depth++;
    if (!weir_json_open(&r->json, '{'))
        return false;
    while (weir_json_key(&r->json, &key))
        if (!put_member(r, type, weir_view(&key), &oneofs))
            return false;
    r->depth--;
    return !r->json.failed;
}

weir_status weir_message_from_json(const weir_message_type *type, weir_str text, weir_buf *out)
{
    json_reader r = {.json = weir_json_reader(text), .out = out};
    if (put_object(&r, type) && weir_json_end(&r.json))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "invalid JSON in %s.%s, near character %zu: %s%s",
                      type->package, type->name, (size_t)(r.json.at - r.json.start) + 1,
                      r.why ? r.why : r.json.wanted, r.why ? "" : " is missing");
}
