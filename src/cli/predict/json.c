/* cli/predict/json.c - JSON as TensorFlow Serving takes it.
 *
 *   {"instances": [1, 2]}                   one value per example, of the one input
 *   {"instances": [{"a": 1, "b": 2}, ...]}  the same of several
 *   {"inputs": {"a": [1, 2], "b": [3, 4]}}  all examples of each input, or of the one
 *   [[1, 2], [3, 4]]                        instances, alone
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
    WEIR_VEC(weir_str) numbers; /* as they are written; views into the text */
    WEIR_VEC(char *) strings;
    WEIR_VEC(size_t) lengths;
    int64_t rows;
    int rank;                /* of one row; -1 before the first */
    int64_t dims[DEPTH + 1]; /* -1: not known yet */
} values;

static void values_fini(values *v)
{
    for (size_t i = 0; i < v->strings.count; i++)
        weir_free(v->strings.at[i]);
    weir_vec_fini(&v->numbers);
    weir_vec_fini(&v->strings);
    weir_vec_fini(&v->lengths);
}

/* ---- values -------------------------------------------------------------------------------------
 */

static weir_status decode_base64(weir_str text, weir_buf *out)
{
    size_t understood = weir_base64_decode(text, WEIR_BASE64_EITHER, out);
    if (understood < text.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "\"b64\" holds '%c'", text.at[understood]);
    return WEIR_OK;
}

static void add_string(values *v, weir_buf *text)
{
    weir_vec_push(&v->lengths, text->length);
    weir_vec_push(&v->strings, text->at ? weir_buf_take(text) : weir_strdup(""));
}

/* {"b64": "..."}; the reader stands behind the bracket. */
static weir_status read_bytes(weir_json *j, values *v)
{
    WEIR_BUF(key);
    WEIR_BUF(text);
    WEIR_BUF(bytes);
    weir_status s = WEIR_OK;
    if (!weir_json_key(j, &key) || strcmp(key.at, "b64") != 0)
        s = weir_error(WEIR_INVALID_ARGUMENT, "an object as a value is {\"b64\": \"...\"}");
    if (!s && weir_json_string(j, &text))
        s = decode_base64(weir_view(&text), &bytes);
    if (!s && !weir_json_key(j, &key))
        add_string(v, &bytes);
    return s;
}

static weir_status read_leaf(weir_json *j, values *v)
{
    char c = weir_json_peek(j);
    WEIR_BUF(text);
    if (c == '{') {
        weir_json_open(j, '{');
        return read_bytes(j, v);
    }
    if (c == '"') {
        if (weir_json_string(j, &text))
            add_string(v, &text);
        return WEIR_OK;
    }
    const char *from = j->at;
    if (weir_json_skip(j))
        weir_vec_push(&v->numbers, (weir_str){from, (size_t)(j->at - from)});
    return WEIR_OK;
}

static weir_status ragged(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "the arrays of one input are not all of the same length and depth");
}

/* A value at |depth| of nested arrays; dims are set by the first and checked after that. */
static weir_status read_nested(weir_json *j, values *v, int depth)
{
    if (weir_json_peek(j) != '[') {
        if (v->rank < 0)
            v->rank = depth;
        return v->rank == depth ? read_leaf(j, v) : ragged();
    }
    if (depth == DEPTH)
        return weir_error(WEIR_INVALID_ARGUMENT, "arrays more than %d deep", DEPTH);
    int64_t count = 0;
    weir_json_open(j, '[');
    while (weir_json_item(j)) {
        WEIR_TRY(read_nested(j, v, depth + 1));
        count++;
    }
    if (j->failed)
        return WEIR_OK; /* said by the caller */
    if (count == 0 && v->rank < 0)
        v->rank = depth + 1;
    if (v->dims[depth] < 0)
        v->dims[depth] = count;
    return v->dims[depth] == count && v->rank > depth ? WEIR_OK : ragged();
}

/* ---- tensors ------------------------------------------------------------------------------------
 */

static weir_status not_number(weir_str text)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "'%.*s' is not a number",
                      (int)(text.length < 40 ? text.length : 40), text.at);
}

/* Whole numbers exactly, where that is what is wanted; true and false are 1 and 0. */
static weir_status make_numbers(const values *v, const weir_shape *shape, bool whole,
                                weir_tensor *out)
{
    weir_tensor t;
    WEIR_TRY(weir_tensor_alloc(whole ? WEIR_INT64 : WEIR_DOUBLE, shape, &t));
    weir_status s = WEIR_OK;
    for (size_t i = 0; !s && i < v->numbers.count; i++) {
        weir_str n = v->numbers.at[i];
        bool yes = weir_str_is(n, "true"), known = yes || weir_str_is(n, "false");
        double real = yes;
        int64_t integer = yes;
        if (whole && !known && !weir_parse_i64(n, &integer))
            s = not_number(n);
        if (!whole && !known && !weir_parse_f64(n, &real))
            s = not_number(n);
        if (whole)
            ((int64_t *)t.data)[i] = integer;
        else
            ((double *)t.data)[i] = real;
    }
    if (s)
        weir_tensor_release(&t);
    else
        *out = t;
    return s;
}

static weir_status make_strings(const values *v, const weir_shape *shape, weir_tensor *out)
{
    WEIR_TRY(weir_tensor_alloc(WEIR_STRING, shape, out));
    for (size_t i = 0; i < v->strings.count; i++)
        weir_tstring_set((weir_tstring *)out->data + i, v->strings.at[i], v->lengths.at[i]);
    return WEIR_OK;
}

/* |rows|: the values were given example by example. */
static weir_status make_tensor(const weir_signature_tensor *want, const values *v, bool rows,
                               weir_tensor *out)
{
    int64_t dims[WEIR_MAX_RANK + 1];
    int rank = 0, inner = v->rank > 0 ? v->rank : 0;
    weir_shape shape;
    weir_tensor t;
    if (rows)
        dims[rank++] = v->rows;
    for (int i = 0; i < inner && rank < WEIR_MAX_RANK; i++)
        dims[rank++] = v->dims[i];
    WEIR_TRY(weir_shape_make(dims, rank, &shape));
    size_t count = v->numbers.count + v->strings.count;
    if ((v->numbers.count && v->strings.count) || (size_t)weir_shape_count(&shape) != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the input '%s' is given %zu values for the shape "
                          "%s, or both numbers and strings",
                          want->key, count, WEIR_SHAPE_STR(&shape));
    bool whole = weir_dtype_is_int((weir_dtype)want->type);
    if (v->strings.count)
        WEIR_TRY(make_strings(v, &shape, &t));
    else
        WEIR_TRY(make_numbers(v, &shape, whole, &t));
    return predict_fit(want, &(predict_how){.scale = 1}, false, &t, out);
}

/* ---- the request --------------------------------------------------------------------------------
 */

typedef struct request {
    const weir_signature *signature;
    values *of; /* each input */
    bool rows;
} request;

static weir_status find_input(const request *r, const char *key, values **out)
{
    for (int i = 0; i < r->signature->input_count; i++)
        if (strcmp(r->signature->inputs[i].key, key) == 0) {
            *out = &r->of[i];
            return WEIR_OK;
        }
    return weir_error(WEIR_NOT_FOUND, "the model has no input '%s'", key);
}

/* Whether the object that begins here is {"b64": ...} and not inputs by name. */
static bool is_bytes(const weir_json *j)
{
    weir_json ahead = *j;
    WEIR_BUF(key);
    bool is = weir_json_peek(&ahead) == '{' && weir_json_open(&ahead, '{') &&
              weir_json_key(&ahead, &key) && strcmp(key.at, "b64") == 0;
    return is;
}

/* A value of the one input, or an object of several. */
static weir_status read_named(weir_json *j, request *r)
{
    WEIR_BUF(key);
    weir_status s = WEIR_OK;
    if (weir_json_peek(j) != '{' || is_bytes(j)) {
        WEIR_TRY(predict_only_input(r->signature, "a value without a name"));
        r->of[0].rows++;
        return read_nested(j, &r->of[0], 0);
    }
    weir_json_open(j, '{');
    while (!s && weir_json_key(j, &key)) {
        values *v = NULL;
        s = find_input(r, key.at, &v);
        if (!s) {
            v->rows++;
            s = read_nested(j, v, 0);
        }
    }
    return s;
}

static weir_status read_instances(weir_json *j, request *r)
{
    r->rows = true;
    weir_json_open(j, '[');
    while (weir_json_item(j))
        WEIR_TRY(read_named(j, r));
    return WEIR_OK;
}

static weir_status read_request(weir_json *j, request *r)
{
    WEIR_BUF(key);
    weir_status s = WEIR_OK;
    bool any = false;
    if (weir_json_peek(j) == '[')
        return read_instances(j, r);
    weir_json_open(j, '{');
    while (!s && weir_json_key(j, &key)) {
        bool instances = strcmp(key.at, "instances") == 0, inputs = strcmp(key.at, "inputs") == 0;
        if (any && (instances || inputs))
            s = weir_error(WEIR_INVALID_ARGUMENT, "give \"instances\" or \"inputs\", not both");
        else if (instances)
            s = read_instances(j, r);
        else if (inputs)
            s = read_named(j, r);
        else
            weir_json_skip(j);
        any = any || instances || inputs;
    }
    if (!s && !any && !j->failed)
        s = weir_error(WEIR_INVALID_ARGUMENT, "it has neither \"instances\" nor \"inputs\"");
    return s;
}

weir_status predict_read_json(const weir_signature *s, weir_str text, weir_tensor *out_tensors)
{
    weir_json j = weir_json_reader(text);
    request r = {.signature = s, .of = WEIR_NEW_ARRAY(values, s->input_count + 1)};
    for (int i = 0; i < s->input_count; i++) {
        r.of[i].rank = -1;
        for (int k = 0; k <= DEPTH; k++)
            r.of[i].dims[k] = -1;
    }
    weir_status status = read_request(&j, &r);
    if (!status && !weir_json_end(&j))
        status = weir_json_error(&j);
    for (int i = 0; !status && i < s->input_count; i++) {
        if (r.of[i].rows == 0)
            status =
                weir_error(WEIR_NOT_FOUND, "it has no value for the input '%s'", s->inputs[i].key);
        else
            status = make_tensor(&s->inputs[i], &r.of[i], r.rows, &out_tensors[i]);
    }
    for (int i = 0; i < s->input_count; i++)
        values_fini(&r.of[i]);
    weir_free(r.of);
    return status;
}
