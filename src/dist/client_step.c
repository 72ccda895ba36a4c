/* dist/client_step.c - steps of a remote session: whole, in parts, by number.
 *
 * A request is written with its largest fed tensor last, whose bytes are then shared with the
 * channel instead of copied. Of an answer that begins with a large tensor the bytes arrive in a
 * buffer of their own, which becomes that tensor's.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dist/client_impl.h"
#include "dist/local.h"
#include "tensor/proto.h"

enum {
    LARGE = 16384, /* bytes from which sharing is cheaper than copying */
    RUN_OPTIONS_TIMEOUT = 2,
    FEW = 16,
};

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct step {
    const weir_grpc_session *client;
    const weir_request *request;
    const char *partial; /* null: a whole step */
    int64_t id;          /* of the request */
    int64_t callable;    /* of RunCallable */
    const bool *known;   /* fetches that are fed themselves or were asked for before; may be null */
} step;

/* "node:index", as TensorFlow's clients write it. */
static void put_edge(weir_buf *out, uint32_t field, weir_edge e)
{
    char index[16];
    int digits = snprintf(index, sizeof index, ":%d", e.index);
    size_t mark = weir_pb_begin(out, field);
    weir_buf_adds(out, e.node->site.name);
    weir_buf_add(out, index, (size_t)digits);
    weir_pb_end(out, mark);
}

static weir_status put_tensor(weir_buf *out, uint32_t field, const weir_tensor *t)
{
    size_t mark = weir_pb_begin(out, field);
    weir_status s = weir_tensor_encode(t, out);
    weir_pb_end(out, mark);
    return s;
}

static weir_status put_feed(weir_buf *out, weir_edge e, const weir_tensor *t)
{
    size_t mark = weir_pb_begin(out, 2);
    put_edge(out, 1, e);
    weir_status s = put_tensor(out, 2, t);
    weir_pb_end(out, mark);
    return s;
}

static bool can_share(const weir_tensor *t)
{
    return weir_dtype_is_plain(t->dtype) && weir_tensor_bytes(t) >= LARGE;
}

/* Which feed's bytes to share: the largest; -1 when none is large. */
static int find_tail(const weir_request *q)
{
    int best = -1;
    for (int i = 0; i < q->feed_count; i++)
        if (can_share(&q->feed_values[i]) &&
            (best < 0 ||
             weir_tensor_bytes(&q->feed_values[i]) > weir_tensor_bytes(&q->feed_values[best])))
            best = i;
    return best;
}

/* A TensorProto whose content is still to follow. */
static void put_tensor_head(weir_buf *out, const weir_tensor *t)
{
    weir_pb_put_varint(out, 1, t->dtype);
    size_t mark = weir_pb_begin(out, 2);
    weir_shape_encode(&t->shape, out);
    weir_pb_end(out, mark);
    weir_varint_put(out, 4 << 3 | WEIR_PB_LEN);
    weir_varint_put(out, weir_tensor_bytes(t));
}

static void put_length(weir_buf *out, uint32_t field, size_t length)
{
    weir_varint_put(out, field << 3 | WEIR_PB_LEN);
    weir_varint_put(out, length);
}

static void set_tail(weir_message *out, const weir_tensor *t)
{
    out->tail = weir_buffer_retain(t->buffer);
    out->tail_at = (size_t)((const char *)t->data - (const char *)t->buffer->data);
    out->tail_bytes = weir_tensor_bytes(t);
}

/* The last field of a RunStep: a feed, of which only the bytes of the tensor are missing. */
static void put_feed_tail(weir_message *out, weir_edge e, const weir_tensor *t)
{
    weir_buf name = {0}, head = {0};
    put_edge(&name, 1, e);
    put_tensor_head(&head, t);
    size_t tensor = head.length + weir_tensor_bytes(t);
    put_length(&out->head, 2, name.length + 1 + weir_varint_size(tensor) + tensor);
    weir_buf_add(&out->head, name.at, name.length);
    put_length(&out->head, 2, tensor);
    weir_buf_add(&out->head, head.at, head.length);
    set_tail(out, t);
    weir_buf_fini(&name);
    weir_buf_fini(&head);
}

static weir_status write_step(const void *what, weir_message *out)
{
    const step *s = what;
    const weir_request *q = s->request;
    weir_buf *head = &out->head;
    int tail = find_tail(q);
    weir_buf_reserve(head, 512);
    weir_pb_put_str(head, 1, s->client->handle);
    for (int i = 0; i < q->feed_count; i++)
        if (i != tail)
            WEIR_TRY(put_feed(head, q->feeds[i], &q->feed_values[i]));
    for (int i = 0; i < q->fetch_count; i++)
        if (!s->known || !s->known[i])
            put_edge(head, 3, q->fetches[i]);
    for (int i = 0; i < q->target_count; i++)
        weir_pb_put_str(head, 4, q->targets[i]->site.name);
    weir_pb_put_bytes(head, 5, q->run_options.at, q->run_options.length);
    weir_pb_put_str_nz(head, 6, s->partial);
    weir_pb_put_varint(head, 7, true);
    weir_pb_put_varint(head, 8, (uint64_t)s->id);
    if (tail >= 0)
        put_feed_tail(out, q->feeds[tail], &q->feed_values[tail]);
    return WEIR_OK;
}

static void put_names(weir_buf *out, const weir_request *q, uint32_t first_field)
{
    for (int i = 0; i < q->feed_count; i++)
        put_edge(out, first_field, q->feeds[i]);
    for (int i = 0; i < q->fetch_count; i++)
        put_edge(out, first_field + 1, q->fetches[i]);
    for (int i = 0; i < q->target_count; i++)
        weir_pb_put_str(out, first_field + 2, q->targets[i]->site.name);
}

static weir_status write_partial_setup(const void *what, weir_message *out)
{
    const step *s = what;
    weir_pb_put_str(&out->head, 1, s->client->handle);
    put_names(&out->head, s->request, 2);
    weir_pb_put_varint(&out->head, 5, (uint64_t)s->id);
    return WEIR_OK;
}

static weir_status write_make_callable(const void *what, weir_message *out)
{
    const step *s = what;
    weir_pb_put_str(&out->head, 1, s->client->handle);
    size_t mark = weir_pb_begin(&out->head, 2);
    put_names(&out->head, s->request, 1);
    weir_pb_put_bytes(&out->head, 4, s->request->run_options.at, s->request->run_options.length);
    weir_pb_end(&out->head, mark);
    weir_pb_put_varint(&out->head, 3, (uint64_t)s->id);
    return WEIR_OK;
}

/* Feeds go by their order, so only the last can be shared. */
static weir_status write_run_callable(const void *what, weir_message *out)
{
    const step *s = what;
    const weir_request *q = s->request;
    weir_buf *head = &out->head;
    bool tail = q->feed_count && can_share(&q->feed_values[q->feed_count - 1]);
    weir_pb_put_str(head, 1, s->client->handle);
    weir_pb_put_varint_nz(head, 2, (uint64_t)s->callable);
    weir_pb_put_varint(head, 4, (uint64_t)s->id);
    for (int i = 0; i < q->feed_count - tail; i++)
        WEIR_TRY(put_tensor(head, 3, &q->feed_values[i]));
    if (!tail)
        return WEIR_OK;
    const weir_tensor *t = &q->feed_values[q->feed_count - 1];
    weir_buf proto = {0};
    put_tensor_head(&proto, t);
    put_length(head, 3, proto.length + weir_tensor_bytes(t));
    weir_buf_add(head, proto.at, proto.length);
    weir_buf_fini(&proto);
    set_tail(out, t);
    return WEIR_OK;
}

static weir_status write_release_callable(const void *what, weir_message *out)
{
    const step *s = what;
    weir_pb_put_str(&out->head, 1, s->client->handle);
    weir_pb_put_varint_nz(&out->head, 2, (uint64_t)s->callable);
    return WEIR_OK;
}

/* ---- reading -------------------------------------------------------------------------------- */

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
static size_t step_tail(weir_str first)
{
    const uint8_t *at = (const uint8_t *)first.at, *end = at + first.length;
    uint64_t named, name, tensor, content;
    if (!enter(&at, end, 1, &named) || named < LARGE)
        return 0;
    const uint8_t *in_named = at;
    if (!enter(&at, end, 1, &name) || name > (uint64_t)(end - at))
        return 0;
    at += name;
    if (!enter(&at, end, 2, &tensor))
        return 0;
    const uint8_t *in_tensor = at;
    if (!find_content(&at, end, &content) || content < LARGE ||
        content != left_of(named, in_named, at) || content != left_of(tensor, in_tensor, at))
        return 0;
    return (size_t)((const char *)at - first.at);
}

/* Of a RunCallableResponse, likewise. */
static size_t callable_tail(weir_str first)
{
    const uint8_t *at = (const uint8_t *)first.at, *end = at + first.length;
    uint64_t tensor, content;
    if (!enter(&at, end, 1, &tensor))
        return 0;
    const uint8_t *in_tensor = at;
    if (!find_content(&at, end, &content) || content < LARGE ||
        content != left_of(tensor, in_tensor, at))
        return 0;
    return (size_t)((const char *)at - first.at);
}

/* The head of a TensorProto, when all of its content is the beginning of |tail|. */
static weir_status share_tail(weir_str head, weir_message *answer, size_t content, weir_tensor *out)
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
    t.buffer = weir_buffer_retain(answer->tail);
    t.data = (char *)answer->tail->data + answer->tail_at;
    *out = t;
    return WEIR_OK;
}

/* An answer with a tail: its first tensor, which begins in the head, and where the rest begins. */
static weir_status read_tail(weir_message *answer, bool named, weir_str *out_name,
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
    ok = ok && find_content(&at, end, &content) && at == end && content <= answer->tail_bytes;
    if (!ok)
        return weir_error(WEIR_INTERNAL, "Unparseable answer");
    size_t prefix = 1 + weir_varint_size(content);
    weir_str head = {(const char *)tensor, (size_t)(end - tensor) - prefix};
    WEIR_TRY(share_tail(head, answer, content, out_tensor));
    *out_rest = (weir_str){(const char *)answer->tail->data + answer->tail_at + content,
                           answer->tail_bytes - content};
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
static weir_status place(const step *s, weir_str name, weir_tensor *t, weir_tensor *out)
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

static weir_status read_named(const step *s, weir_str named, weir_tensor *out)
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

static weir_status read_fields(const step *s, weir_str bytes, verdict *v, weir_tensor *out)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            WEIR_TRY(read_named(s, r.bytes, out));
        else if (r.field == 2 && r.type == WEIR_PB_LEN && s->request->run_metadata)
            weir_buf_add(s->request->run_metadata, r.bytes.at, r.bytes.length);
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            v->code = (weir_code)r.value;
        else if (r.field == 4 && r.type == WEIR_PB_LEN)
            v->message = r.bytes;
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_INTERNAL, "Unparseable RunStepResponse");
}

static weir_status check_complete(const step *s, const weir_tensor *out)
{
    const weir_request *q = s->request;
    for (int i = 0; i < q->fetch_count; i++)
        if (!out[i].buffer && !(s->known && s->known[i]))
            return weir_error(WEIR_INTERNAL, "The answer has no value for %s:%d",
                              q->fetches[i].node->site.name, q->fetches[i].index);
    return WEIR_OK;
}

static weir_status read_step(const step *s, weir_message *answer, weir_tensor *out)
{
    verdict v = {0};
    weir_str rest = {answer->head.at, answer->head.length};
    if (answer->tail_bytes) {
        weir_str name = {0};
        weir_tensor t;
        WEIR_TRY(read_tail(answer, true, &name, &t, &rest));
        WEIR_TRY(place(s, name, &t, out));
    }
    WEIR_TRY(read_fields(s, rest, &v, out));
    if (v.code)
        return weir_error_text(v.code, v.message.at ? v.message.at : "", v.message.length);
    return check_complete(s, out);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static int64_t timeout_of(weir_str run_options)
{
    int64_t ms = 0;
    weir_pb r = weir_pb_reader(run_options);
    while (weir_pb_next(&r))
        if (r.field == RUN_OPTIONS_TIMEOUT && r.type == WEIR_PB_VARINT)
            ms = weir_pb_int(&r);
    return ms > 0 ? ms : 0;
}

static bool same(weir_edge a, weir_edge b)
{
    return a.node == b.node && a.index == b.index;
}

/* The feed, or the earlier fetch, whose value fetch |i| is; -1: neither. */
static int fed_as(const weir_request *q, int i)
{
    for (int k = 0; k < q->feed_count; k++)
        if (same(q->feeds[k], q->fetches[i]))
            return k;
    return -1;
}
static int fetched_as(const weir_request *q, int i)
{
    for (int k = 0; k < i; k++)
        if (same(q->fetches[k], q->fetches[i]))
            return k;
    return -1;
}

static void release_all(weir_tensor *tensors, int count)
{
    for (int i = 0; i < count; i++)
        weir_tensor_release(&tensors[i]);
}

static void fill_known(const weir_request *q, const bool *known, weir_tensor *out)
{
    for (int i = 0; i < q->fetch_count; i++) {
        if (!known[i])
            continue;
        int fed = fed_as(q, i);
        out[i] = weir_tensor_share(fed >= 0 ? &q->feed_values[fed] : &out[fetched_as(q, i)]);
    }
}

/* A server of this process runs the step itself; false when it is not of this process. Fetches that
 * are known are left out, and their places kept. */
static bool run_here(weir_grpc_session *c, const step *s, weir_tensor *out, weir_status *out_status)
{
    if (!c->here)
        return false;
    const weir_request *q = s->request;
    weir_edge few[FEW],
        *fetches = q->fetch_count <= FEW ? few : WEIR_NEW_ARRAY(weir_edge, q->fetch_count);
    int count = 0;
    for (int i = 0; i < q->fetch_count; i++)
        if (!s->known[i])
            fetches[count++] = q->fetches[i];
    weir_request asked = *q;
    asked.fetches = fetches;
    asked.fetch_count = count;
    asked.cancel = q->cancel ? q->cancel : c->cancel;
    bool ran = weir_local_run(c->target, c->handle, s->partial, &asked, out, out_status);
    for (int i = q->fetch_count - 1; ran && !*out_status && i >= 0; i--)
        out[i] = s->known[i] ? (weir_tensor){0} : out[--count];
    if (fetches != few)
        weir_free(fetches);
    return ran;
}

static weir_status call_step(weir_grpc_session *c, const step *s, weir_tensor *out)
{
    weir_message answer = {0};
    weir_status here;
    if (run_here(c, s, out, &here))
        return here;
    client_call call = {.method = WEIR_MASTER_METHOD("RunStep"),
                        .write = write_step,
                        .what = s,
                        .timeout_ms = timeout_of(s->request->run_options),
                        .cancel = s->request->cancel ? s->request->cancel : c->cancel,
                        .tail_begins = step_tail};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    weir_status st = read_step(s, &answer, out);
    weir_message_fini(&answer);
    if (st)
        release_all(out, s->request->fetch_count);
    return st;
}

static weir_status run_step(weir_grpc_session *c, const char *partial, const weir_request *q,
                            bool *known, weir_tensor *out)
{
    int asked = 0;
    for (int i = 0; i < q->fetch_count; i++) {
        out[i] = (weir_tensor){0};
        known[i] = fed_as(q, i) >= 0 || fetched_as(q, i) >= 0;
        asked += !known[i];
    }
    step s = {c, q, partial, weir_grpc_session_request_id(), 0, known};
    if (asked || q->target_count || partial)
        WEIR_TRY(call_step(c, &s, out));
    fill_known(q, known, out);
    return WEIR_OK;
}

static weir_status run(weir_grpc_session *c, const char *partial, const weir_request *q,
                       weir_tensor *out)
{
    WEIR_TRY(weir_grpc_session_extend_within(c, timeout_of(q->run_options)));
    bool few[FEW], *known = q->fetch_count <= FEW ? few : WEIR_NEW_ARRAY(bool, q->fetch_count);
    weir_status s = run_step(c, partial, q, known, out);
    if (known != few)
        weir_free(known);
    return s;
}

weir_status weir_grpc_session_run(weir_grpc_session *c, const weir_request *request,
                                  weir_tensor *out_fetched)
{
    return run(c, NULL, request, out_fetched);
}

weir_status weir_grpc_session_partial_run(weir_grpc_session *c, const char *handle,
                                          const weir_request *request, weir_tensor *out_fetched)
{
    return run(c, handle, request, out_fetched);
}

weir_status weir_grpc_session_partial_setup(weir_grpc_session *c, const weir_request *request,
                                            char **out_handle)
{
    WEIR_TRY(weir_grpc_session_extend(c));
    step s = {c, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("PartialRunSetup"),
                        .write = write_partial_setup,
                        .what = &s,
                        .cancel = c->cancel};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    weir_str handle = {"", 0};
    weir_pb r = weir_pb_reader((weir_str){answer.head.at, answer.head.length});
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            handle = r.bytes;
    *out_handle = weir_strndup(handle.at, handle.length);
    weir_message_fini(&answer);
    return WEIR_OK;
}

/* ---- callables ------------------------------------------------------------------------------ */

weir_status weir_grpc_session_make_callable(weir_grpc_session *c, const weir_request *request,
                                            int64_t *out_callable)
{
    WEIR_TRY(weir_grpc_session_extend(c));
    step s = {c, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("MakeCallable"),
                        .write = write_make_callable,
                        .what = &s,
                        .cancel = c->cancel};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    *out_callable = 0; /* the first one's number, which is left out */
    weir_pb r = weir_pb_reader((weir_str){answer.head.at, answer.head.length});
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            *out_callable = weir_pb_int(&r);
    weir_message_fini(&answer);
    return WEIR_OK;
}

static weir_status read_callable(weir_message *answer, weir_tensor *out, int count)
{
    int have = 0;
    weir_str rest = {answer->head.at, answer->head.length};
    if (answer->tail_bytes && count)
        WEIR_TRY(read_tail(answer, false, NULL, &out[have++], &rest));
    weir_pb r = weir_pb_reader(rest);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN && have < count)
            WEIR_TRY(weir_tensor_parse(r.bytes, &out[have++]));
    if (!weir_pb_ok(&r) || have != count)
        return weir_error(WEIR_INTERNAL, "RunCallable answered %d of %d fetches", have, count);
    return WEIR_OK;
}

weir_status weir_grpc_session_run_callable(weir_grpc_session *c, int64_t callable,
                                           const weir_tensor *values, int value_count,
                                           weir_cancel *cancel, weir_tensor *out_fetched,
                                           int fetch_count)
{
    weir_request q = {.feed_values = values, .feed_count = value_count};
    step s = {c, &q, NULL, weir_grpc_session_request_id(), callable, NULL};
    weir_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("RunCallable"),
                        .write = write_run_callable,
                        .what = &s,
                        .cancel = cancel ? cancel : c->cancel,
                        .tail_begins = callable_tail};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    memset(out_fetched, 0, sizeof *out_fetched * (size_t)fetch_count);
    weir_status st = read_callable(&answer, out_fetched, fetch_count);
    weir_message_fini(&answer);
    if (st)
        release_all(out_fetched, fetch_count);
    return st;
}

weir_status weir_grpc_session_release_callable(weir_grpc_session *c, int64_t callable)
{
    step s = {c, NULL, NULL, 0, callable, NULL};
    weir_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("ReleaseCallable"),
                        .write = write_release_callable,
                        .what = &s};
    weir_status st = weir_grpc_session_call(c, &call, &answer);
    weir_message_fini(&answer);
    return st;
}
