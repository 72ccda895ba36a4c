/* cli/predict/json.c - JSON in TensorFlow Serving's format.
 *
 *   {"instances": [1, 2]}                   one value per example, for the single input
 *   {"instances": [{"a": 1, "b": 2}, ...]}  the same for several inputs
 *   {"inputs": {"a": [1, 2], "b": [3, 4]}}  all examples of each input, or of the single one
 *   [[1, 2], [3, 4]]                        instances only
 * Bytes are {"b64": "..."}.
 */
#include <stdlib.h>

#include "base/base64.h"
#include "base/number.h"
#include "cli/predict/input.h"
#include "tensor/tstring.h"
#include "wire/json.h"

enum { DEPTH = WEIR_MAX_RANK };

/* The values of one input so far. */
typedef struct values {
    WEIR_VEC(weir_str) numbers; /* unparsed; views into the text */
    WEIR_VEC(char *) strings;
    WEIR_VEC(size_t) lengths;
    int64_t rows;
    int rank;                /* of one row; -1 before the first */
    int64_t dims[DEPTH + 1]; /* -1: unknown */
} values;

static void values_fini(values *values)
{
    for (size_t i = 0; i < values->strings.count; i++)
        weir_free(values->strings.at[i]);
    weir_vec_fini(&values->numbers);
    weir_vec_fini(&values->strings);
    weir_vec_fini(&values->lengths);
}

/* ---- values ---------------------------------------------------------------------------------- */

static weir_status decode_base64(weir_str text, weir_buf *out)
{
    size_t understood = weir_base64_decode(text, WEIR_BASE64_EITHER, out);
    if (understood < text.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "\"b64\" holds '%c'", text.at[understood]);
    return WEIR_OK;
}

static void add_string(values *values, weir_buf *text)
{
    weir_vec_push(&values->lengths, text->length);
    weir_vec_push(&values->strings, text->at ? weir_buf_take(text) : weir_strdup(""));
}

/* {"b64": "..."}; the reader is after the bracket. */
static weir_status read_bytes(weir_json *json, values *values)
{
    WEIR_BUF(key);
    WEIR_BUF(text);
    WEIR_BUF(bytes);
    weir_status status = WEIR_OK;
    if (!weir_json_key(json, &key) || strcmp(key.at, "b64") != 0)
        status = weir_error(WEIR_INVALID_ARGUMENT, "an object as a value is {\"b64\": \"...\"}");
    if (!status && weir_json_string(json, &text))
        status = decode_base64(weir_view(&text), &bytes);
    if (!status && !weir_json_key(json, &key))
        add_string(values, &bytes);
    return status;
}

static weir_status read_leaf(weir_json *json, values *values)
{
    char ch = weir_json_peek(json);
    WEIR_BUF(text);
    if (ch == '{') {
        weir_json_open(json, '{');
        return read_bytes(json, values);
    }
    if (ch == '"') {
        if (weir_json_string(json, &text))
            add_string(values, &text);
        return WEIR_OK;
    }
    const char *from = json->at;
    if (weir_json_skip(json))
        weir_vec_push(&values->numbers, (weir_str){from, (size_t)(json->at - from)});
    return WEIR_OK;
}

static weir_status ragged(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "the arrays of one input are not all of the same length and depth");
}

/* A value at |depth| of nested arrays; the first sets the dims, later ones are checked. */
static weir_status read_nested(weir_json *json, values *values, int depth)
{
    if (weir_json_peek(json) != '[') {
        if (values->rank < 0)
            values->rank = depth;
        return values->rank == depth ? read_leaf(json, values) : ragged();
    }
    if (depth == DEPTH)
        return weir_error(WEIR_INVALID_ARGUMENT, "arrays more than %d deep", DEPTH);
    int64_t count = 0;
    weir_json_open(json, '[');
    while (weir_json_item(json)) {
        WEIR_TRY(read_nested(json, values, depth + 1));
        count++;
    }
    if (json->failed)
        return WEIR_OK; /* reported by the caller */
    if (count == 0 && values->rank < 0)
        values->rank = depth + 1;
    if (values->dims[depth] < 0)
        values->dims[depth] = count;
    return values->dims[depth] == count && values->rank > depth ? WEIR_OK : ragged();
}

/* ---- tensors --------------------------------------------------------------------------------- */

static weir_status not_number(weir_str text)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "'%.*s' is not a number",
                      (int)(text.length < 40 ? text.length : 40), text.at);
}

/* Integers exactly, if the target is an integer; true and false are 1 and 0. */
static weir_status make_numbers(const values *values, const weir_shape *shape, bool whole,
                                weir_tensor *out)
{
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(whole ? WEIR_INT64 : WEIR_DOUBLE, shape, &tensor));
    weir_status status = WEIR_OK;
    for (size_t i = 0; !status && i < values->numbers.count; i++) {
        weir_str name = values->numbers.at[i];
        bool yes = weir_str_is(name, "true"), known = yes || weir_str_is(name, "false");
        double real = yes;
        int64_t integer = yes;
        if (whole && !known && !weir_parse_i64(name, &integer))
            status = not_number(name);
        if (!whole && !known && !weir_parse_f64(name, &real))
            status = not_number(name);
        if (whole)
            ((int64_t *)tensor.data)[i] = integer;
        else
            ((double *)tensor.data)[i] = real;
    }
    if (status)
        weir_tensor_release(&tensor);
    else
        *out = tensor;
    return status;
}

static weir_status make_strings(const values *values, const weir_shape *shape, weir_tensor *out)
{
    WEIR_TRY(weir_tensor_alloc(WEIR_STRING, shape, out));
    for (size_t i = 0; i < values->strings.count; i++)
        weir_tstring_set((weir_tstring *)out->data + i, values->strings.at[i],
                         values->lengths.at[i]);
    return WEIR_OK;
}

/* |rows|: the values were given per example. */
static weir_status make_tensor(const weir_signature_tensor *want, const values *values, bool rows,
                               weir_tensor *out)
{
    int64_t dims[WEIR_MAX_RANK + 1];
    int rank = 0, inner = values->rank > 0 ? values->rank : 0;
    weir_shape shape;
    weir_tensor tensor;
    if (rows)
        dims[rank++] = values->rows;
    for (int i = 0; i < inner && rank < WEIR_MAX_RANK; i++)
        dims[rank++] = values->dims[i];
    WEIR_TRY(weir_shape_make(dims, rank, &shape));
    size_t count = values->numbers.count + values->strings.count;
    if ((values->numbers.count && values->strings.count) ||
        (size_t)weir_shape_count(&shape) != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the input '%s' is given %zu values for the shape "
                          "%s, or both numbers and strings",
                          want->key, count, WEIR_SHAPE_STR(&shape));
    bool whole = weir_dtype_is_int((weir_dtype)want->type);
    if (values->strings.count)
        WEIR_TRY(make_strings(values, &shape, &tensor));
    else
        WEIR_TRY(make_numbers(values, &shape, whole, &tensor));
    return predict_fit(want, &(predict_how){.scale = 1}, false, &tensor, out);
}

/* ---- the request ----------------------------------------------------------------------------- */

typedef struct request {
    const weir_signature *signature;
    values *of; /* per input */
    bool rows;
} request;

static weir_status find_input(const request *request, const char *key, values **out)
{
    for (int i = 0; i < request->signature->input_count; i++)
        if (strcmp(request->signature->inputs[i].key, key) == 0) {
            *out = &request->of[i];
            return WEIR_OK;
        }
    return weir_error(WEIR_NOT_FOUND, "the model has no input '%s'", key);
}

/* Whether the object starting here is {"b64": ...} instead of inputs by name. */
static bool is_bytes(const weir_json *json)
{
    weir_json ahead = *json;
    WEIR_BUF(key);
    return weir_json_peek(&ahead) == '{' && weir_json_open(&ahead, '{') &&
           weir_json_key(&ahead, &key) && strcmp(key.at, "b64") == 0;
}

/* A value of the single input, or an object of several. */
static weir_status read_named(weir_json *json, request *request)
{
    WEIR_BUF(key);
    weir_status status = WEIR_OK;
    if (weir_json_peek(json) != '{' || is_bytes(json)) {
        WEIR_TRY(predict_only_input(request->signature, "a value without a name"));
        request->of[0].rows++;
        return read_nested(json, &request->of[0], 0);
    }
    weir_json_open(json, '{');
    while (!status && weir_json_key(json, &key)) {
        values *values = NULL;
        status = find_input(request, key.at, &values);
        if (!status) {
            values->rows++;
            status = read_nested(json, values, 0);
        }
    }
    return status;
}

static weir_status read_instances(weir_json *json, request *request)
{
    request->rows = true;
    weir_json_open(json, '[');
    while (weir_json_item(json))
        WEIR_TRY(read_named(json, request));
    return WEIR_OK;
}

static weir_status read_request(weir_json *json, request *request)
{
    WEIR_BUF(key);
    weir_status status = WEIR_OK;
    bool any = false;
    if (weir_json_peek(json) == '[')
        return read_instances(json, request);
    weir_json_open(json, '{');
    while (!status && weir_json_key(json, &key)) {
        bool instances = strcmp(key.at, "instances") == 0, inputs = strcmp(key.at, "inputs") == 0;
        if (any && (instances || inputs))
            status =
                weir_error(WEIR_INVALID_ARGUMENT, "give \"instances\" or \"inputs\", not both");
        else if (instances)
            status = read_instances(json, request);
        else if (inputs)
            status = read_named(json, request);
        else
            weir_json_skip(json);
        any = any || instances || inputs;
    }
    if (!status && !any && !json->failed)
        status = weir_error(WEIR_INVALID_ARGUMENT, "it has neither \"instances\" nor \"inputs\"");
    return status;
}

weir_status predict_read_json(const weir_signature *signature, weir_str text,
                              weir_tensor *out_tensors)
{
    weir_json json = weir_json_reader(text);
    request request = {.signature = signature,
                       .of = WEIR_NEW_ARRAY(values, signature->input_count + 1)};
    for (int i = 0; i < signature->input_count; i++) {
        request.of[i].rank = -1;
        for (int k = 0; k <= DEPTH; k++)
            request.of[i].dims[k] = -1;
    }
    weir_status status = read_request(&json, &request);
    if (!status && !weir_json_end(&json))
        status = weir_json_error(&json);
    for (int i = 0; !status && i < signature->input_count; i++) {
        if (request.of[i].rows == 0)
            status = weir_error(WEIR_NOT_FOUND, "it has no value for the input '%s'",
                                signature->inputs[i].key);
        else
            status =
                make_tensor(&signature->inputs[i], &request.of[i], request.rows, &out_tensors[i]);
    }
    for (int i = 0; i < signature->input_count; i++)
        values_fini(&request.of[i]);
    weir_free(request.of);
    return status;
}
