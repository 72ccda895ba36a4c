/* dist/client_answer.c - parses a step's answer.
 *
 * The elements of the first large tensor arrive in a buffer of their own, which becomes the
 * tensor's. The rest of the answer follows them.
 */
#include <stdio.h>

#include "dist/client_impl.h"
#include "dist/options.h"
#include "dist/tensor_payload.h"
#include "tensor/proto.h"

/* ---- payloads ------------------------------------------------------------------------------- */

/* The first bytes of a RunStepResponse. */
typedef struct partial_step {
    weir_msg_run_step_response response;
    weir_msg_named_tensor_proto named;
    weir_msg_tensor_proto tensor;
    weir_payload_place elements;
} partial_step;

static weir_status read_partial_step(weir_str head, weir_arena *arena, partial_step *out)
{
    weir_payload_level levels[] = {
        {WEIR_INDEX_run_step_response, WEIR_FIELD_run_step_response_tensor, &out->response},
        {WEIR_INDEX_named_tensor_proto, WEIR_FIELD_named_tensor_proto_tensor, &out->named},
        {WEIR_INDEX_tensor_proto, WEIR_FIELD_tensor_proto_tensor_content, &out->tensor},
    };
    return weir_payload_find(levels, 3, head, arena, &out->elements);
}

/* The first bytes of a RunCallableResponse. */
typedef struct partial_callable {
    weir_msg_run_callable_response response;
    weir_msg_tensor_proto tensor;
    weir_payload_place elements;
} partial_callable;

static weir_status read_partial_callable(weir_str head, weir_arena *arena, partial_callable *out)
{
    weir_payload_level levels[] = {
        {WEIR_INDEX_run_callable_response, WEIR_FIELD_run_callable_response_fetch, &out->response},
        {WEIR_INDEX_tensor_proto, WEIR_FIELD_tensor_proto_tensor_content, &out->tensor},
    };
    return weir_payload_find(levels, 2, head, arena, &out->elements);
}

/* The result of payload_offset; takes the status over. */
static size_t offset_of(weir_status status, const weir_payload_place *elements)
{
    bool failed = status != WEIR_OK;
    weir_status_free(status);
    if (failed)
        return 0; /* the whole answer is parsed then, and fails */
    if (!elements->at)
        return SIZE_MAX; /* needs more bytes */
    return elements->ends && elements->bytes >= WEIR_CLIENT_LARGE ? elements->at : 0;
}

size_t weir_client_step_payload(weir_str first)
{
    WEIR_MESSAGE_ARENA(arena);
    partial_step partial;
    weir_status status = read_partial_step(first, &arena, &partial);
    return offset_of(status, &partial.elements);
}

size_t weir_client_callable_payload(weir_str first)
{
    WEIR_MESSAGE_ARENA(arena);
    partial_callable partial;
    weir_status status = read_partial_callable(first, &arena, &partial);
    return offset_of(status, &partial.elements);
}

/* Whether the payload begins with the elements, and fields of the answer follow them. */
static bool is_split(const weir_rpc_message *answer, const weir_payload_place *elements)
{
    return answer->payload && elements->ends && elements->at == answer->head.length &&
           elements->bytes <= answer->payload_bytes;
}

static weir_str after_elements(const weir_rpc_message *answer, const weir_payload_place *elements)
{
    const char *payload = (const char *)answer->payload->data + answer->payload_at;
    return (weir_str){payload + elements->bytes, answer->payload_bytes - elements->bytes};
}

/* ---- steps ---------------------------------------------------------------------------------- */

static bool is_edge(weir_edge edge, weir_str name)
{
    size_t length = strlen(edge.node->site.name);
    if (name.length < length || memcmp(name.at, edge.node->site.name, length) != 0)
        return false;
    char index[16];
    snprintf(index, sizeof index, ":%d", edge.index);
    weir_str rest = {name.at + length, name.length - length};
    return weir_str_is(rest, index) || (edge.index == 0 && rest.length == 0);
}

weir_dtype weir_client_fetch_type(weir_edge fetch)
{
    bool known = fetch.index >= 0 && fetch.index < fetch.node->site.out_count;
    return known ? weir_edge_dtype(fetch) : (weir_dtype)0;
}

/* A program may use a value without looking at its type, which the graph tells. */
static weir_status check_type(const weir_tensor *tensor, weir_dtype wanted, weir_str name)
{
    if (tensor->dtype == wanted)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL,
                      "The answer has a value of type %s for %.*s, which has type %s",
                      weir_dtype_name(tensor->dtype), WEIR_STR_ARG(name), weir_dtype_name(wanted));
}

/* Stores a tensor, which is taken over, in the fetches of its name. */
static weir_status place(const client_step *step, weir_str name, weir_tensor *tensor,
                         weir_tensor *out)
{
    const weir_request *request = step->request;
    for (int i = 0; i < request->fetch_count; i++)
        if (!out[i].buffer && !(step->known && step->known[i]) &&
            is_edge(request->fetches[i], name)) {
            out[i] = *tensor;
            return check_type(tensor, weir_client_fetch_type(request->fetches[i]), name);
        }
    weir_tensor_release(tensor);
    return weir_error(WEIR_INTERNAL, "Received response for unrequested fetch: %.*s",
                      WEIR_STR_ARG(name));
}

/* Parses the fields of an answer, or of a part of one. */
static weir_status read_response(const client_step *step,
                                 const weir_msg_run_step_response *response, weir_tensor *out)
{
    if (response->status_code)
        return weir_error_text((weir_code)response->status_code,
                               response->status_error_message.at ? response->status_error_message.at
                                                                 : "",
                               response->status_error_message.length);
    for (size_t i = 0; i < response->tensor.count; i++) {
        weir_tensor tensor;
        WEIR_TRY(weir_tensor_parse(response->tensor.at[i].tensor, &tensor));
        WEIR_TRY(place(step, response->tensor.at[i].name, &tensor, out));
    }
    if (response->metadata.at && step->request->metadata)
        WEIR_TRY(weir_run_metadata_read(response->metadata, step->request->metadata));
    return WEIR_OK;
}

static weir_status read_bytes(const client_step *step, weir_str bytes, weir_tensor *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_step_response response;
    WEIR_TRY(
        weir_answer_parsed(weir_msg_run_step_response_read(bytes, &arena, &response), "RunStep"));
    return read_response(step, &response, out);
}

static weir_status read_split(const client_step *step, const weir_rpc_message *answer,
                              const partial_step *partial, weir_tensor *out)
{
    weir_tensor tensor;
    WEIR_TRY(read_response(step, &partial->response, out));
    WEIR_TRY(weir_tensor_from_payload(&partial->tensor, answer, (size_t)partial->elements.bytes,
                                      &tensor));
    WEIR_TRY(place(step, partial->named.name, &tensor, out));
    return read_bytes(step, after_elements(answer, &partial->elements), out);
}

static weir_status check_complete(const client_step *step, const weir_tensor *out)
{
    const weir_request *request = step->request;
    for (int i = 0; i < request->fetch_count; i++)
        if (!out[i].buffer && !(step->known && step->known[i]))
            return weir_error(WEIR_INTERNAL, "The answer has no value for %s:%d",
                              request->fetches[i].node->site.name, request->fetches[i].index);
    return WEIR_OK;
}

weir_status weir_client_read_step(const client_step *step, weir_rpc_message *answer,
                                  weir_tensor *out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(joined);
    partial_step partial = {0};
    if (answer->payload)
        WEIR_TRY(weir_answer_parsed(read_partial_step(weir_view(&answer->head), &arena, &partial),
                                    "RunStep"));
    if (is_split(answer, &partial.elements))
        WEIR_TRY(read_split(step, answer, &partial, out));
    else
        WEIR_TRY(read_bytes(step, weir_rpc_message_join(answer, &joined), out));
    return check_complete(step, out);
}

/* ---- callables ------------------------------------------------------------------------------ */

/* Destinations of fetched tensors, in order. */
typedef struct fetch_list {
    weir_tensor *at;
    const weir_dtype *types;
    int have, count;
} fetch_list;

static weir_status check_last(const fetch_list *list)
{
    int last = list->have - 1;
    return check_type(&list->at[last], list->types[last], WEIR_STR("a fetch of a callable"));
}

static weir_status add_fetches(weir_strs tensors, fetch_list *list)
{
    for (size_t i = 0; i < tensors.count && list->have < list->count; i++) {
        WEIR_TRY(weir_tensor_parse(tensors.at[i], &list->at[list->have++]));
        WEIR_TRY(check_last(list));
    }
    return WEIR_OK;
}

static weir_status add_bytes(weir_str bytes, fetch_list *list)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_callable_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_run_callable_response_read(bytes, &arena, &response),
                                "RunCallable"));
    return add_fetches(response.fetch, list);
}

static weir_status add_split(const weir_rpc_message *answer, const partial_callable *partial,
                             fetch_list *list)
{
    WEIR_TRY(add_fetches(partial->response.fetch, list));
    if (list->have < list->count) {
        WEIR_TRY(weir_tensor_from_payload(&partial->tensor, answer, (size_t)partial->elements.bytes,
                                          &list->at[list->have++]));
        WEIR_TRY(check_last(list));
    }
    return add_bytes(after_elements(answer, &partial->elements), list);
}

weir_status weir_client_read_callable(weir_rpc_message *answer, const weir_dtype *types,
                                      weir_tensor *out, int count)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(joined);
    fetch_list list = {out, types, 0, count};
    partial_callable partial = {0};
    if (answer->payload)
        WEIR_TRY(weir_answer_parsed(
            read_partial_callable(weir_view(&answer->head), &arena, &partial), "RunCallable"));
    if (is_split(answer, &partial.elements))
        WEIR_TRY(add_split(answer, &partial, &list));
    else
        WEIR_TRY(add_bytes(weir_rpc_message_join(answer, &joined), &list));
    if (list.have != count)
        return weir_error(WEIR_INTERNAL, "RunCallable answered %d of %d fetches", list.have, count);
    return WEIR_OK;
}
