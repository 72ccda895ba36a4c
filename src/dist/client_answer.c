/* dist/client_answer.c - what a client reads of a step's answer.
 *
 * Of an answer that begins with a large tensor the bytes arrive in a buffer of their own, which
 * becomes that tensor's.
 */
#include <stdio.h>

#include "dist/client_impl.h"
#include "dist/options.h"
#include "tensor/proto.h"

/* Enters a field of the wanted number; false when it is another, cut short, or not there. */
static bool enter(const uint8_t **at, const uint8_t *end, uint32_t field, uint64_t *out_length)
{
    uint64_t tag;
    return weir_varint_get(at, end, &tag) && tag == (field << 3 | WEIR_PB_LEN) &&
           weir_varint_get(at, end, out_length);
}

/* Where the content of the tensor at *at begins, with its length; false when it has none here. */
static bool find_content(const uint8_t **at, const uint8_t *end, uint64_t *out_length)
{
    uint64_t tag, skip;
    while (weir_varint_get(at, end, &tag)) {
        if (tag == (4 << 3 | WEIR_PB_LEN))
            return weir_varint_get(at, end, out_length);
        if (!weir_varint_get(at, end, &skip))
            return false;
        if ((tag & 7) == WEIR_PB_VARINT)
            continue;
        if ((tag & 7) != WEIR_PB_LEN || skip > (uint64_t)(end - *at))
            return false;
        *at += skip;
    }
    return false;
}

/* What is left of a message of |length| bytes that began at |from|, at |at|. */
static uint64_t left_of(uint64_t length, const uint8_t *from, const uint8_t *at)
{
    uint64_t used = (uint64_t)(at - from);
    return used <= length ? length - used : 0;
}

/* The beginning of a RunStepResponse whose first tensor is large and ends with its content, as
 * servers write it. */
size_t weir_client_step_payload(weir_str first)
{
    const uint8_t *at = (const uint8_t *)first.at, *end = at + first.length;
    uint64_t named, name, tensor, content;
    if (!enter(&at, end, 1, &named) || named < WEIR_CLIENT_LARGE)
        return 0;
    const uint8_t *in_named = at;
    if (!enter(&at, end, 1, &name) || name > (uint64_t)(end - at))
        return 0;
    at += name;
    if (!enter(&at, end, 2, &tensor))
        return 0;
    const uint8_t *in_tensor = at;
    if (!find_content(&at, end, &content) || content < WEIR_CLIENT_LARGE ||
        content != left_of(named, in_named, at) || content != left_of(tensor, in_tensor, at))
        return 0;
    return (size_t)((const char *)at - first.at);
}

/* Of a RunCallableResponse, likewise. */
size_t weir_client_callable_payload(weir_str first)
{
    const uint8_t *at = (const uint8_t *)first.at, *end = at + first.length;
    uint64_t tensor, content;
    if (!enter(&at, end, 1, &tensor))
        return 0;
    const uint8_t *in_tensor = at;
    if (!find_content(&at, end, &content) || content < WEIR_CLIENT_LARGE ||
        content != left_of(tensor, in_tensor, at))
        return 0;
    return (size_t)((const char *)at - first.at);
}

/* The head of a TensorProto, when all of its content is the beginning of |payload|. */
static weir_status share_payload(weir_str head, weir_rpc_message *answer, size_t content,
                                 weir_tensor *out)
{
    int dtype = 0;
    weir_shape shape = WEIR_SCALAR;
    weir_pb r = weir_pb_reader(head);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            dtype = (int)r.value;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            WEIR_TRY(weir_shape_parse(r.bytes, &shape));
    }
    weir_tensor t = {.dtype = (weir_dtype)dtype, .shape = shape};
    size_t bytes = 0;
    bool fits = weir_pb_ok(&r) && weir_dtype_valid(dtype) && weir_dtype_is_plain(t.dtype) &&
                weir_shape_known(&shape) &&
                weir_size_mul((size_t)weir_shape_count(&shape), weir_dtype_size(t.dtype), &bytes) &&
                bytes == content;
    if (!fits)
        return weir_error(WEIR_INTERNAL, "An answer's tensor does not fit its type and shape");
    t.buffer = weir_buffer_retain(answer->payload);
    t.data = (char *)answer->payload->data + answer->payload_at;
    *out = t;
    return WEIR_OK;
}

/* An answer with a payload: its first tensor, which begins in the head, and where the rest begins.
 */
static weir_status read_payload(weir_rpc_message *answer, bool named, weir_str *out_name,
                                weir_tensor *out_tensor, weir_str *out_rest)
{
    const uint8_t *at = (const uint8_t *)answer->head.at, *end = at + answer->head.length;
    uint64_t length, content = 0;
    bool ok = enter(&at, end, 1, &length);
    if (ok && named) {
        ok = enter(&at, end, 1, &length) && length <= (uint64_t)(end - at);
        if (ok) {
            *out_name = (weir_str){(const char *)at, length};
            at += length;
        }
        ok = ok && enter(&at, end, 2, &length);
    }
    const uint8_t *tensor = at;
    ok = ok && find_content(&at, end, &content) && at == end && content <= answer->payload_bytes;
    if (!ok)
        return weir_error(WEIR_INTERNAL, "Unparseable answer");
    size_t prefix = 1 + weir_varint_size(content);
    weir_str head = {(const char *)tensor, (size_t)(end - tensor) - prefix};
    WEIR_TRY(share_payload(head, answer, content, out_tensor));
    *out_rest = (weir_str){(const char *)answer->payload->data + answer->payload_at + content,
                           answer->payload_bytes - content};
    return WEIR_OK;
}

static bool same_edge(weir_edge e, weir_str name)
{
    size_t length = strlen(e.node->site.name);
    if (name.length < length || memcmp(name.at, e.node->site.name, length) != 0)
        return false;
    char index[16];
    snprintf(index, sizeof index, ":%d", e.index);
    weir_str rest = {name.at + length, name.length - length};
    return weir_str_is(rest, index) || (e.index == 0 && rest.length == 0);
}

/* Puts a tensor where its name was asked for; it is taken over. */
static weir_status place(const client_step *s, weir_str name, weir_tensor *t, weir_tensor *out)
{
    const weir_request *q = s->request;
    for (int i = 0; i < q->fetch_count; i++)
        if (!out[i].buffer && !(s->known && s->known[i]) && same_edge(q->fetches[i], name)) {
            out[i] = *t;
            return WEIR_OK;
        }
    weir_tensor_release(t);
    return weir_error(WEIR_INTERNAL, "Received response for unrequested fetch: %.*s",
                      WEIR_STR_ARG(name));
}

static weir_status read_named(const client_step *s, weir_str named, weir_tensor *out)
{
    weir_str name = {0}, proto = {0};
    weir_tensor t;
    weir_pb r = weir_pb_reader(named);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            name = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            proto = r.bytes;
    }
    WEIR_TRY(weir_tensor_parse(proto, &t));
    return place(s, name, &t, out);
}

typedef struct verdict {
    weir_code code;
    weir_str message;
} verdict;

static weir_status read_fields(const client_step *s, weir_str bytes, verdict *v, weir_tensor *out)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_named(s, r.bytes, out));
        else if (r.field == 2 && r.type == WEIR_PB_LEN && s->request->metadata)
            WEIR_TRY(weir_run_metadata_read(r.bytes, s->request->metadata));
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            v->code = (weir_code)r.value;
        else if (r.field == 4 && r.type == WEIR_PB_LEN)
            v->message = r.bytes;
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_INTERNAL, "Unparseable RunStepResponse");
}

static weir_status check_complete(const client_step *s, const weir_tensor *out)
{
    const weir_request *q = s->request;
    for (int i = 0; i < q->fetch_count; i++)
        if (!out[i].buffer && !(s->known && s->known[i]))
            return weir_error(WEIR_INTERNAL, "The answer has no value for %s:%d",
                              q->fetches[i].node->site.name, q->fetches[i].index);
    return WEIR_OK;
}

weir_status weir_client_read_step(const client_step *s, weir_rpc_message *answer, weir_tensor *out)
{
    verdict v = {0};
    weir_str rest = {answer->head.at, answer->head.length};
    if (answer->payload_bytes) {
        weir_str name = {0};
        weir_tensor t;
        WEIR_TRY(read_payload(answer, true, &name, &t, &rest));
        WEIR_TRY(place(s, name, &t, out));
    }
    WEIR_TRY(read_fields(s, rest, &v, out));
    if (v.code)
        return weir_error_text(v.code, v.message.at ? v.message.at : "", v.message.length);
    return check_complete(s, out);
}

weir_status weir_client_read_callable(weir_rpc_message *answer, weir_tensor *out, int count)
{
    int have = 0;
    weir_str rest = {answer->head.at, answer->head.length};
    if (answer->payload_bytes && count)
        WEIR_TRY(read_payload(answer, false, NULL, &out[have++], &rest));
    weir_pb r = weir_pb_reader(rest);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN && have < count)
            WEIR_TRY(weir_tensor_parse(r.bytes, &out[have++]));
    if (!weir_pb_ok(&r) || have != count)
        return weir_error(WEIR_INTERNAL, "RunCallable answered %d of %d fetches", have, count);
    return WEIR_OK;
}
