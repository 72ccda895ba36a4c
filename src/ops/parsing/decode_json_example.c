/* ops/parsing/decode_json_example.c - DecodeJSONExample: serialises examples given as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "ops/common/strs.h"
#include "wire/json.h"
#include "wire/pb.h"

/* A reader parses one JSON value and appends its serialised form; false on an invalid value. */
typedef bool (*reader)(weir_json *json, weir_buf *out);

static bool take_bytes(weir_json *json, weir_buf *out)
{
    WEIR_BUF(text);
    WEIR_BUF(bytes);
    if (!weir_json_string(json, &text) ||
        weir_base64_decode(weir_view(&text), WEIR_BASE64_EITHER, &bytes) < text.length)
        return false;
    weir_pb_put_bytes(out, 1, bytes.at, bytes.length);
    return true;
}

/* A number, or "NaN", "Infinity", "-1.5": numbers may be quoted. */
static bool take_real(weir_json *json, double *out)
{
    WEIR_BUF(text);
    char *end;
    if (weir_json_peek(json) != '"')
        return weir_json_real(json, out);
    if (!weir_json_string(json, &text) || !text.length)
        return false;
    weir_buf_addc(&text, 0);
    *out = strtod(text.at, &end);
    return *end == 0;
}

static bool take_float(weir_json *json, weir_buf *out)
{
    double value;
    bool quoted = weir_json_peek(json) == '"';
    if (!take_real(json, &value) || (isinf((float)value) && !(quoted && isinf(value))))
        return false;
    weir_pb_put_float(out, 1, (float)value);
    return true;
}

static bool take_int(weir_json *json, weir_buf *out)
{
    weir_json before = *json;
    int64_t value;
    double real;
    if (!weir_json_int(json, &value) || (json->at < json->end && strchr(".eE", *json->at))) {
        *json = before; /* 1.0 and 1e2 are integers, too */
        if (!take_real(json, &real) || real != floor(real) || fabs(real) >= 0x1p63)
            return false;
        value = (int64_t)real;
    }
    weir_pb_put_varint(out, 1, (uint64_t)value);
    return true;
}

/* null instead of a message means that it is absent. */
static bool is_null(weir_json *json)
{
    return weir_json_peek(json) == 'n' && weir_json_skip(json);
}

/* {"value": [...]} */
static bool take_list(weir_json *json, reader take, weir_buf *out)
{
    WEIR_BUF(key);
    if (!weir_json_open(json, '{'))
        return false;
    while (weir_json_key(json, &key)) {
        if (!weir_str_is(weir_view(&key), "value"))
            return false;
        if (is_null(json))
            continue;
        if (!weir_json_open(json, '['))
            return false;
        while (weir_json_item(json))
            if (!take(json, out))
                return false;
    }
    return !json->failed;
}

static const struct kind {
    const char *name, *camel;
    uint32_t field;
    reader take;
} kinds[] = {
    {"bytes_list", "bytesList", 1, take_bytes},
    {"float_list", "floatList", 2, take_float},
    {"int64_list", "int64List", 3, take_int},
};

static const struct kind *kind_of(weir_str key)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (weir_str_is(key, kinds[i].name) || weir_str_is(key, kinds[i].camel))
            return &kinds[i];
    return NULL;
}

/* {"int64List": {...}}: at most one of the three. */
static bool take_feature(weir_json *json, weir_buf *out)
{
    WEIR_BUF(key);
    bool had = false;
    if (!weir_json_open(json, '{'))
        return false;
    while (weir_json_key(json, &key)) {
        const struct kind *kind = kind_of(weir_view(&key));
        if (!kind || had)
            return false;
        if (is_null(json))
            continue;
        size_t mark = weir_pb_begin(out, kind->field);
        if (!take_list(json, kind->take, out))
            return false;
        weir_pb_end(out, mark);
        had = true;
    }
    return !json->failed;
}

/* {"name": {...}, ...}: entries of a map. */
static bool take_features(weir_json *json, weir_buf *out)
{
    WEIR_BUF(key);
    if (!weir_json_open(json, '{'))
        return false;
    while (weir_json_key(json, &key)) {
        size_t entry = weir_pb_begin(out, 1);
        weir_pb_put_bytes(out, 1, key.at, key.length);
        size_t value = weir_pb_begin(out, 2);
        if (!take_feature(json, out))
            return false;
        weir_pb_end(out, value);
        weir_pb_end(out, entry);
    }
    return !json->failed;
}

/* {"<name>": ...}, whose value |take| parses; as a nested message in |field|, unless that is 0. */
static bool take_member(weir_json *json, const char *name, reader take, uint32_t field,
                        weir_buf *out)
{
    WEIR_BUF(key);
    if (!weir_json_open(json, '{'))
        return false;
    while (weir_json_key(json, &key)) {
        if (!weir_str_is(weir_view(&key), name))
            return false;
        if (is_null(json))
            continue;
        size_t mark = field ? weir_pb_begin(out, field) : 0;
        if (!take(json, out))
            return false;
        if (field)
            weir_pb_end(out, mark);
    }
    return !json->failed;
}

static bool take_map(weir_json *json, weir_buf *out)
{
    return take_member(json, "feature", take_features, 0, out);
}

static weir_status decode_one(weir_str text, weir_buf *out)
{
    weir_json json = weir_json_reader(text);
    if (take_member(&json, "features", take_map, 1, out) && weir_json_end(&json))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Error while parsing JSON: invalid JSON in tensorflow.Example, near "
                      "character %" PRId64,
                      (int64_t)(json.at - json.start));
}

static weir_status decode(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        WEIR_BUF(bytes);
        WEIR_TRY(decode_one(weir_str_at(in, i), &bytes));
        weir_str_put(weir_out(call, 0), i, weir_view(&bytes));
    }
    return WEIR_OK;
}

const weir_op weir_op_decode_json_example = {
    .name = "DecodeJSONExample",
    .in = "json_examples: string",
    .out = "binary_examples: string",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode}},
};
