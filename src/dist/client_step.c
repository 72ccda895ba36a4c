/* dist/client_step.c - steps of a remote session: whole, in parts, by number. */
#include "dist/client_impl.h"
#include "dist/options.h"

enum { FEW = 16 };

int64_t weir_request_timeout(const weir_request *request)
{
    const weir_run_options *options = request->options;
    return options && options->timeout_ms > 0 ? options->timeout_ms : 0;
}

known_fetch weir_request_known_fetch(const weir_request *q, int i)
{
    for (int k = 0; k < q->feed_count; k++)
        if (weir_edge_eq(q->feeds[k], q->fetches[i]))
            return (known_fetch){k, -1};
    for (int k = 0; k < i; k++)
        if (weir_edge_eq(q->fetches[k], q->fetches[i]))
            return (known_fetch){-1, k};
    return (known_fetch){-1, -1};
}

static bool is_known(const weir_request *q, int i)
{
    known_fetch known = weir_request_known_fetch(q, i);
    return known.feed >= 0 || known.fetch >= 0;
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
        known_fetch same_as = weir_request_known_fetch(q, i);
        out[i] = weir_tensor_share(same_as.feed >= 0 ? &q->feed_values[same_as.feed]
                                                     : &out[same_as.fetch]);
    }
}

static weir_status call_step(weir_grpc_session *c, const client_step *s, weir_tensor *out)
{
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("RunStep"),
                        .write = weir_client_write_step,
                        .what = s,
                        .timeout_ms = weir_request_timeout(s->request),
                        .cancel = s->request->cancel ? s->request->cancel : c->cancel,
                        .payload_offset = weir_client_step_payload};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    weir_status st = weir_client_read_step(s, &answer, out);
    weir_rpc_message_fini(&answer);
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
        known[i] = is_known(q, i);
        asked += !known[i];
    }
    client_step s = {c, q, partial, weir_grpc_session_request_id(), 0, known};
    if (asked || q->target_count || partial)
        WEIR_TRY(call_step(c, &s, out));
    fill_known(q, known, out);
    return WEIR_OK;
}

static weir_status run(weir_grpc_session *c, const char *partial, const weir_request *q,
                       weir_tensor *out)
{
    WEIR_TRY(weir_grpc_session_extend_within(c, weir_request_timeout(q)));
    bool few[FEW], *known = q->fetch_count <= FEW ? few : WEIR_NEW_ARRAY(bool, q->fetch_count);
    weir_status s = run_step(c, partial, q, known, out);
    if (known != few)
        weir_free(known);
    return s;
}

weir_status weir_grpc_run(weir_session *s, const weir_request *request, weir_tensor *out_fetched)
{
    return run(weir_grpc_of(s), NULL, request, out_fetched);
}

weir_status weir_grpc_partial_run(weir_session *s, const char *handle, const weir_request *request,
                                  weir_tensor *out_fetched)
{
    return run(weir_grpc_of(s), handle, request, out_fetched);
}

weir_status weir_grpc_partial_setup(weir_session *session, const weir_request *request,
                                    char **out_handle)
{
    weir_grpc_session *c = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_extend(session));
    client_step s = {c, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("PartialRunSetup"),
                        .write = weir_client_write_partial_setup,
                        .what = &s,
                        .cancel = c->cancel};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    weir_str handle = {"", 0};
    weir_pb r = weir_pb_reader((weir_str){answer.head.at, answer.head.length});
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            handle = r.bytes;
    *out_handle = weir_strndup(handle.at, handle.length);
    weir_rpc_message_fini(&answer);
    return WEIR_OK;
}

/* ---- callables ------------------------------------------------------------------------------ */

/* The server has it under a number. */
typedef struct grpc_callable {
    weir_callable base;
    int64_t number;
    int fetch_count;
} grpc_callable;

weir_status weir_grpc_make_callable(weir_session *session, const weir_request *request,
                                    weir_callable **out_callable)
{
    weir_grpc_session *c = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_extend(session));
    client_step s = {c, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("MakeCallable"),
                        .write = weir_client_write_make_callable,
                        .what = &s,
                        .cancel = c->cancel};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    grpc_callable *made = WEIR_NEW(grpc_callable); /* the first one's number, 0, is left out */
    weir_pb r = weir_pb_reader((weir_str){answer.head.at, answer.head.length});
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            made->number = weir_pb_int(&r);
    weir_rpc_message_fini(&answer);
    made->base.session = session;
    made->fetch_count = request->fetch_count;
    *out_callable = &made->base;
    return WEIR_OK;
}

weir_status weir_grpc_run_callable(weir_callable *callable, const weir_request *call_values,
                                   weir_tensor *out_fetched)
{
    const grpc_callable *callee = (grpc_callable *)callable;
    weir_grpc_session *c = weir_grpc_of(callable->session);
    client_step s = {c, call_values, NULL, weir_grpc_session_request_id(), callee->number, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("RunCallable"),
                        .write = weir_client_write_run_callable,
                        .what = &s,
                        .cancel = call_values->cancel ? call_values->cancel : c->cancel,
                        .payload_offset = weir_client_callable_payload};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    memset(out_fetched, 0, sizeof *out_fetched * (size_t)callee->fetch_count);
    weir_status st = weir_client_read_callable(&answer, out_fetched, callee->fetch_count);
    weir_rpc_message_fini(&answer);
    if (st)
        release_all(out_fetched, callee->fetch_count);
    return st;
}

weir_status weir_grpc_release_callable(weir_callable *callable)
{
    grpc_callable *callee = (grpc_callable *)callable;
    weir_grpc_session *c = weir_grpc_of(callable->session);
    client_step s = {c, NULL, NULL, 0, callee->number, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("ReleaseCallable"),
                        .write = weir_client_write_release_callable,
                        .what = &s};
    weir_status st = weir_grpc_session_call(c, &call, &answer);
    weir_rpc_message_fini(&answer);
    weir_free(callee);
    return st;
}

const weir_session_fns weir_grpc_fns = {
    .destroy = weir_grpc_destroy,
    .close = weir_grpc_close,
    .extend = weir_grpc_extend,
    .run = weir_grpc_run,
    .partial_setup = weir_grpc_partial_setup,
    .partial_run = weir_grpc_partial_run,
    .make_callable = weir_grpc_make_callable,
    .run_callable = weir_grpc_run_callable,
    .release_callable = weir_grpc_release_callable,
    .list_devices = weir_grpc_list_devices,
};
