/* dist/client_request.c - what a client sends for a step.
 *
 * A request is written with its largest fed tensor last, whose bytes are then shared with the
 * channel instead of copied.
 */
#include <stdio.h>

#include "dist/client_impl.h"
#include "dist/options.h"
#include "tensor/proto.h"

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
    return weir_dtype_is_plain(t->dtype) && weir_tensor_bytes(t) >= WEIR_CLIENT_LARGE;
}

/* Which feed's bytes to share: the largest; -1 when none is large. */
static int find_payload(const weir_request *q)
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

static void set_payload(weir_rpc_message *out, const weir_tensor *t)
{
    out->payload = weir_buffer_retain(t->buffer);
    out->payload_at = (size_t)((const char *)t->data - (const char *)t->buffer->data);
    out->payload_bytes = weir_tensor_bytes(t);
}

/* The last field of a RunStep: a feed, of which only the bytes of the tensor are missing. */
static void put_feed_payload(weir_rpc_message *out, weir_edge e, const weir_tensor *t)
{
    weir_buf name = {0}, head = {0};
    put_edge(&name, 1, e);
    put_tensor_head(&head, t);
    size_t tensor = head.length + weir_tensor_bytes(t);
    put_length(&out->head, 2, name.length + 1 + weir_varint_size(tensor) + tensor);
    weir_buf_add(&out->head, name.at, name.length);
    put_length(&out->head, 2, tensor);
    weir_buf_add(&out->head, head.at, head.length);
    set_payload(out, t);
    weir_buf_fini(&name);
    weir_buf_fini(&head);
}

weir_status weir_client_write_step(const void *what, weir_rpc_message *out)
{
    const client_step *s = what;
    const weir_request *q = s->request;
    weir_buf *head = &out->head;
    int payload = find_payload(q);
    weir_buf_reserve(head, 512);
    weir_pb_put_str(head, 1, s->client->handle);
    for (int i = 0; i < q->feed_count; i++)
        if (i != payload)
            WEIR_TRY(put_feed(head, q->feeds[i], &q->feed_values[i]));
    for (int i = 0; i < q->fetch_count; i++)
        if (!s->known || !s->known[i])
            put_edge(head, 3, q->fetches[i]);
    for (int i = 0; i < q->target_count; i++)
        weir_pb_put_str(head, 4, q->targets[i]->site.name);
    size_t options = weir_message_open(head, WEIR_FIELD_run_step_request_options);
    weir_run_options_write(q->options, head);
    weir_message_close(head, options);
    weir_pb_put_str_nz(head, 6, s->partial);
    weir_pb_put_varint(head, 7, true);
    weir_pb_put_varint(head, 8, (uint64_t)s->id);
    if (payload >= 0)
        put_feed_payload(out, q->feeds[payload], &q->feed_values[payload]);
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

weir_status weir_client_write_partial_setup(const void *what, weir_rpc_message *out)
{
    const client_step *s = what;
    weir_pb_put_str(&out->head, 1, s->client->handle);
    put_names(&out->head, s->request, 2);
    weir_pb_put_varint(&out->head, 5, (uint64_t)s->id);
    return WEIR_OK;
}

weir_status weir_client_write_make_callable(const void *what, weir_rpc_message *out)
{
    const client_step *s = what;
    weir_pb_put_str(&out->head, 1, s->client->handle);
    size_t mark = weir_pb_begin(&out->head, 2);
    put_names(&out->head, s->request, 1);
    size_t options = weir_message_open(&out->head, WEIR_FIELD_callable_options_run_options);
    weir_run_options_write(s->request->options, &out->head);
    weir_message_close(&out->head, options);
    weir_pb_end(&out->head, mark);
    weir_pb_put_varint(&out->head, 3, (uint64_t)s->id);
    return WEIR_OK;
}

/* Feeds go by their order, so only the last can be shared. */
weir_status weir_client_write_run_callable(const void *what, weir_rpc_message *out)
{
    const client_step *s = what;
    const weir_request *q = s->request;
    weir_buf *head = &out->head;
    bool payload = q->feed_count && can_share(&q->feed_values[q->feed_count - 1]);
    weir_pb_put_str(head, 1, s->client->handle);
    weir_pb_put_varint_nz(head, 2, (uint64_t)s->callable);
    weir_pb_put_varint(head, 4, (uint64_t)s->id);
    for (int i = 0; i < q->feed_count - payload; i++)
        WEIR_TRY(put_tensor(head, 3, &q->feed_values[i]));
    if (!payload)
        return WEIR_OK;
    const weir_tensor *t = &q->feed_values[q->feed_count - 1];
    weir_buf proto = {0};
    put_tensor_head(&proto, t);
    put_length(head, 3, proto.length + weir_tensor_bytes(t));
    weir_buf_add(head, proto.at, proto.length);
    weir_buf_fini(&proto);
    set_payload(out, t);
    return WEIR_OK;
}

weir_status weir_client_write_release_callable(const void *what, weir_rpc_message *out)
{
    const client_step *s = what;
    weir_pb_put_str(&out->head, 1, s->client->handle);
    weir_pb_put_varint_nz(&out->head, 2, (uint64_t)s->callable);
    return WEIR_OK;
}
