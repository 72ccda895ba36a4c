/* dist/client_step.c - steps of a remote session: whole, in parts, by number. */
#include "dist/client_impl.h"
#include "dist/local.h"

enum {
    RUN_OPTIONS_TIMEOUT = 2,
    FEW = 16,
};

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
static bool run_here(weir_grpc_session *c, const client_step *s, weir_tensor *out,
                     weir_status *out_status)
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

static weir_status call_step(weir_grpc_session *c, const client_step *s, weir_tensor *out)
{
    weir_rpc_message answer = {0};
    weir_status here;
    if (run_here(c, s, out, &here))
        return here;
    client_call call = {.method = WEIR_MASTER_METHOD("RunStep"),
                        .write = weir_client_write_step,
                        .what = s,
                        .timeout_ms = timeout_of(s->request->run_options),
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
        known[i] = fed_as(q, i) >= 0 || fetched_as(q, i) >= 0;
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

weir_status weir_grpc_session_make_callable(weir_grpc_session *c, const weir_request *request,
                                            int64_t *out_callable)
{
    WEIR_TRY(weir_grpc_session_extend(c));
    client_step s = {c, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("MakeCallable"),
                        .write = weir_client_write_make_callable,
                        .what = &s,
                        .cancel = c->cancel};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    *out_callable = 0; /* the first one's number, which is left out */
    weir_pb r = weir_pb_reader((weir_str){answer.head.at, answer.head.length});
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            *out_callable = weir_pb_int(&r);
    weir_rpc_message_fini(&answer);
    return WEIR_OK;
}

weir_status weir_grpc_session_run_callable(weir_grpc_session *c, int64_t callable,
                                           const weir_tensor *values, int value_count,
                                           weir_cancel *cancel, weir_tensor *out_fetched,
                                           int fetch_count)
{
    weir_request q = {.feed_values = values, .feed_count = value_count};
    client_step s = {c, &q, NULL, weir_grpc_session_request_id(), callable, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("RunCallable"),
                        .write = weir_client_write_run_callable,
                        .what = &s,
                        .cancel = cancel ? cancel : c->cancel,
                        .payload_offset = weir_client_callable_payload};
    WEIR_TRY(weir_grpc_session_call(c, &call, &answer));
    memset(out_fetched, 0, sizeof *out_fetched * (size_t)fetch_count);
    weir_status st = weir_client_read_callable(&answer, out_fetched, fetch_count);
    weir_rpc_message_fini(&answer);
    if (st)
        release_all(out_fetched, fetch_count);
    return st;
}

weir_status weir_grpc_session_release_callable(weir_grpc_session *c, int64_t callable)
{
    client_step s = {c, NULL, NULL, 0, callable, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("ReleaseCallable"),
                        .write = weir_client_write_release_callable,
                        .what = &s};
    weir_status st = weir_grpc_session_call(c, &call, &answer);
    weir_rpc_message_fini(&answer);
    return st;
}
