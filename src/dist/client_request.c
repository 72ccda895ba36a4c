/* dist/client_request.c - writes a step's request.
 *
 * A request is written with its largest fed tensor last, whose elements are then shared with the
 * channel instead of copied.
 */
#include <stdio.h>

#include "dist/client_impl.h"
#include "dist/named_tensor.h"
#include "dist/options.h"
#include "dist/tensor_payload.h"
#include "tensor/proto.h"

/* ---- names ---------------------------------------------------------------------------------- */

/* "node:index", as TensorFlow's clients write it. */
static weir_str edge_name(weir_edge edge, weir_arena *arena)
{
    const char *node = edge.node->site.name;
    size_t room = strlen(node) + 16;
    char *name = weir_arena_alloc(arena, room);
    return (weir_str){name, (size_t)snprintf(name, room, "%s:%d", node, edge.index)};
}

/* The names of edges, except |known| ones (null: all). */
static weir_strs edge_names(const weir_edge *edges, int count, const bool *known, weir_arena *arena)
{
    weir_str *names = WEIR_ARENA_ARRAY(arena, weir_str, count);
    size_t used = 0;
    for (int i = 0; i < count; i++)
        if (!known || !known[i])
            names[used++] = edge_name(edges[i], arena);
    return (weir_strs){names, used};
}

static weir_strs target_names(const weir_request *request, weir_arena *arena)
{
    weir_str *names = WEIR_ARENA_ARRAY(arena, weir_str, request->target_count);
    for (int i = 0; i < request->target_count; i++)
        names[i] = weir_str_of(request->targets[i]->site.name);
    return (weir_strs){names, (size_t)request->target_count};
}

/* ---- payloads ------------------------------------------------------------------------------- */

static bool can_share(const weir_tensor *tensor)
{
    return weir_dtype_is_plain(tensor->dtype) && weir_tensor_bytes(tensor) >= WEIR_CLIENT_LARGE;
}

/* The feed with elements to share: the largest; -1 if none is large. */
static int find_payload(const weir_request *request)
{
    int best = -1;
    for (int i = 0; i < request->feed_count; i++)
        if (can_share(&request->feed_values[i]) &&
            (best < 0 || weir_tensor_bytes(&request->feed_values[i]) >
                             weir_tensor_bytes(&request->feed_values[best])))
            best = i;
    return best;
}

/* Appends the last field of a request: a TensorProto without its elements, after |prefix| in an
 * enclosing message. */
static void put_payload(weir_rpc_message *out, uint32_t field, weir_str prefix,
                        const weir_buf *proto, const weir_tensor *tensor)
{
    weir_message_open_bytes(&out->head, field,
                            prefix.length + proto->length + weir_tensor_bytes(tensor));
    weir_buf_add(&out->head, prefix.at, prefix.length);
    weir_buf_add(&out->head, proto->at, proto->length);
    weir_tensor_share_payload(tensor, out);
}

static void put_feed_payload(weir_rpc_message *out, weir_str name, const weir_tensor *tensor)
{
    WEIR_BUF(proto);
    WEIR_BUF(named); /* up to the TensorProto */
    weir_tensor_head_put(tensor, &proto);
    weir_message_put_bytes(&named, WEIR_FIELD_named_tensor_proto_name, name);
    weir_message_open_bytes(&named, WEIR_FIELD_named_tensor_proto_tensor,
                            proto.length + weir_tensor_bytes(tensor));
    put_payload(out, WEIR_FIELD_run_step_request_feed, weir_view(&named), &proto, tensor);
}

/* ---- writers -------------------------------------------------------------------------------- */

static void put_options(weir_buf *out, uint32_t field, const weir_run_options *options)
{
    size_t mark = weir_message_open(out, field);
    weir_run_options_write(options, out);
    weir_message_close(out, mark);
}

weir_status weir_client_write_step(const void *what, weir_rpc_message *out)
{
    const client_step *step = what;
    const weir_request *request = step->request;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_step_request message = {
        .session_handle = weir_str_of(step->client->handle),
        .fetch = edge_names(request->fetches, request->fetch_count, step->known, &arena),
        .target = target_names(request, &arena),
        .partial_run_handle = weir_str_of(step->partial ? step->partial : ""),
        .store_errors_in_response_body = true,
        .request_id = step->id};
    weir_buf_reserve(&out->head, 512);
    weir_msg_run_step_request_write(&message, &out->head);
    put_options(&out->head, WEIR_FIELD_run_step_request_options, request->options);
    int payload = find_payload(request);
    for (int i = 0; i < request->feed_count; i++)
        if (i != payload)
            WEIR_TRY(weir_named_tensor_put(&out->head, WEIR_FIELD_run_step_request_feed,
                                           edge_name(request->feeds[i], &arena),
                                           &request->feed_values[i]));
    if (payload >= 0)
        put_feed_payload(out, edge_name(request->feeds[payload], &arena),
                         &request->feed_values[payload]);
    return WEIR_OK;
}

weir_status weir_client_write_partial_setup(const void *what, weir_rpc_message *out)
{
    const client_step *step = what;
    const weir_request *request = step->request;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_partial_run_setup_request message = {
        .session_handle = weir_str_of(step->client->handle),
        .feed = edge_names(request->feeds, request->feed_count, NULL, &arena),
        .fetch = edge_names(request->fetches, request->fetch_count, NULL, &arena),
        .target = target_names(request, &arena),
        .request_id = step->id};
    weir_msg_partial_run_setup_request_write(&message, &out->head);
    return WEIR_OK;
}

weir_status weir_client_write_make_callable(const void *what, weir_rpc_message *out)
{
    const client_step *step = what;
    const weir_request *request = step->request;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_callable_options options = {
        .feed = edge_names(request->feeds, request->feed_count, NULL, &arena),
        .fetch = edge_names(request->fetches, request->fetch_count, NULL, &arena),
        .target = target_names(request, &arena)};
    weir_msg_make_callable_request message = {.session_handle = weir_str_of(step->client->handle),
                                              .request_id = step->id};
    weir_msg_make_callable_request_write(&message, &out->head);
    size_t mark = weir_message_open(&out->head, WEIR_FIELD_make_callable_request_options);
    weir_msg_callable_options_write(&options, &out->head);
    put_options(&out->head, WEIR_FIELD_callable_options_run_options, request->options);
    weir_message_close(&out->head, mark);
    return WEIR_OK;
}

static weir_status put_value(weir_buf *out, const weir_tensor *tensor)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_run_callable_request_feed);
    weir_status status = weir_tensor_encode(tensor, out);
    weir_message_close(out, mark);
    return status;
}

/* Feeds are in fixed order, so only the last can be shared. */
weir_status weir_client_write_run_callable(const void *what, weir_rpc_message *out)
{
    const client_step *step = what;
    const weir_request *request = step->request;
    int feeds = request->feed_count;
    const weir_tensor *last = feeds ? &request->feed_values[feeds - 1] : NULL;
    bool payload = last && can_share(last);
    weir_msg_run_callable_request message = {.session_handle = weir_str_of(step->client->handle),
                                             .handle = step->callable,
                                             .request_id = step->id};
    weir_msg_run_callable_request_write(&message, &out->head);
    for (int i = 0; i < feeds - payload; i++)
        WEIR_TRY(put_value(&out->head, &request->feed_values[i]));
    if (!payload)
        return WEIR_OK;
    WEIR_BUF(proto);
    weir_tensor_head_put(last, &proto);
    put_payload(out, WEIR_FIELD_run_callable_request_feed, (weir_str){0}, &proto, last);
    return WEIR_OK;
}

weir_status weir_client_write_release_callable(const void *what, weir_rpc_message *out)
{
    const client_step *step = what;
    weir_msg_release_callable_request message = {
        .session_handle = weir_str_of(step->client->handle), .handle = step->callable};
    weir_msg_release_callable_request_write(&message, &out->head);
    return WEIR_OK;
}
