/* dist/client_step.c - steps of a remote session: whole steps, partial runs, callables. */
#include "dist/client_impl.h"
#include "dist/options.h"

enum { FEW = 16 };

int64_t weir_request_timeout(const weir_request *request)
{
    const weir_run_options *options = request->options;
    return options && options->timeout_ms > 0 ? options->timeout_ms : 0;
}

known_fetch weir_request_known_fetch(const weir_request *request, int i)
{
    for (int k = 0; k < request->feed_count; k++)
        if (weir_edge_eq(request->feeds[k], request->fetches[i]))
            return (known_fetch){k, -1};
    for (int k = 0; k < i; k++)
        if (weir_edge_eq(request->fetches[k], request->fetches[i]))
            return (known_fetch){-1, k};
    return (known_fetch){-1, -1};
}

static bool is_known(const weir_request *request, int i)
{
    known_fetch known = weir_request_known_fetch(request, i);
    return known.feed >= 0 || known.fetch >= 0;
}

static void release_all(weir_tensor *tensors, int count)
{
    for (int i = 0; i < count; i++)
        weir_tensor_release(&tensors[i]);
}

static void fill_known(const weir_request *request, const bool *known, weir_tensor *out)
{
    for (int i = 0; i < request->fetch_count; i++) {
        if (!known[i])
            continue;
        known_fetch same_as = weir_request_known_fetch(request, i);
        out[i] = weir_tensor_share(same_as.feed >= 0 ? &request->feed_values[same_as.feed]
                                                     : &out[same_as.fetch]);
    }
}

static weir_status call_step(weir_grpc_session *session, const client_step *step, weir_tensor *out)
{
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("RunStep"),
                        .write = weir_client_write_step,
                        .what = step,
                        .timeout_ms = weir_request_timeout(step->request),
                        .cancel = step->request->cancel ? step->request->cancel : session->cancel,
                        .payload_offset = weir_client_step_payload};
    WEIR_TRY(weir_grpc_session_call(session, &call, &answer));
    weir_status status = weir_client_read_step(step, &answer, out);
    weir_rpc_message_fini(&answer);
    if (status)
        release_all(out, step->request->fetch_count);
    return status;
}

static weir_status run_step(weir_grpc_session *session, const char *partial,
                            const weir_request *request, bool *known, weir_tensor *out)
{
    int asked = 0;
    for (int i = 0; i < request->fetch_count; i++) {
        out[i] = (weir_tensor){0};
        known[i] = is_known(request, i);
        asked += !known[i];
    }
    client_step step = {session, request, partial, weir_grpc_session_request_id(), 0, known};
    if (asked || request->target_count || partial)
        WEIR_TRY(call_step(session, &step, out));
    fill_known(request, known, out);
    return WEIR_OK;
}

static weir_status run(weir_grpc_session *session, const char *partial, const weir_request *request,
                       weir_tensor *out)
{
    WEIR_TRY(weir_grpc_session_extend_within(session, weir_request_timeout(request)));
    bool few[FEW],
        *known = request->fetch_count <= FEW ? few : WEIR_NEW_ARRAY(bool, request->fetch_count);
    weir_status status = run_step(session, partial, request, known, out);
    if (known != few)
        weir_free(known);
    return status;
}

weir_status weir_grpc_run(weir_session *session, const weir_request *request,
                          weir_tensor *out_fetched)
{
    return run(weir_grpc_of(session), NULL, request, out_fetched);
}

weir_status weir_grpc_partial_run(weir_session *session, const char *handle,
                                  const weir_request *request, weir_tensor *out_fetched)
{
    return run(weir_grpc_of(session), handle, request, out_fetched);
}

weir_status weir_grpc_partial_setup(weir_session *session, const weir_request *request,
                                    char **out_handle)
{
    weir_grpc_session *grpc_session = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_extend(session));
    client_step step = {grpc_session, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("PartialRunSetup"),
                        .write = weir_client_write_partial_setup,
                        .what = &step,
                        .cancel = grpc_session->cancel};
    WEIR_TRY(weir_grpc_session_call(grpc_session, &call, &answer));
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_partial_run_setup_response response;
    weir_status status = weir_answer_parsed(
        weir_msg_partial_run_setup_response_read(weir_view(&answer.head), &arena, &response),
        "PartialRunSetup");
    if (!status)
        *out_handle =
            weir_strndup(response.partial_run_handle.at, response.partial_run_handle.length);
    weir_rpc_message_fini(&answer);
    return status;
}

/* ---- callables ------------------------------------------------------------------------------ */

/* A callable, with the server's handle. */
typedef struct grpc_callable {
    weir_callable base;
    int64_t number;
    int fetch_count;
    weir_dtype fetch_types[];
} grpc_callable;

weir_status weir_grpc_make_callable(weir_session *session, const weir_request *request,
                                    weir_callable **out_callable)
{
    weir_grpc_session *grpc_session = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_extend(session));
    client_step step = {grpc_session, request, NULL, weir_grpc_session_request_id(), 0, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("MakeCallable"),
                        .write = weir_client_write_make_callable,
                        .what = &step,
                        .cancel = grpc_session->cancel};
    WEIR_TRY(weir_grpc_session_call(grpc_session, &call, &answer));
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_make_callable_response response;
    weir_status status = weir_answer_parsed(
        weir_msg_make_callable_response_read(weir_view(&answer.head), &arena, &response),
        "MakeCallable");
    weir_rpc_message_fini(&answer);
    WEIR_TRY(status);
    grpc_callable *made =
        weir_zalloc(sizeof *made + sizeof *made->fetch_types * (size_t)request->fetch_count);
    made->base.session = session;
    made->number = response.handle;
    for (; made->fetch_count < request->fetch_count; made->fetch_count++)
        made->fetch_types[made->fetch_count] =
            weir_client_fetch_type(request->fetches[made->fetch_count]);
    *out_callable = &made->base;
    return WEIR_OK;
}

weir_status weir_grpc_run_callable(weir_callable *callable, const weir_request *call_values,
                                   weir_tensor *out_fetched)
{
    const grpc_callable *callee = (grpc_callable *)callable;
    weir_grpc_session *session = weir_grpc_of(callable->session);
    client_step step = {session,        call_values, NULL, weir_grpc_session_request_id(),
                        callee->number, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("RunCallable"),
                        .write = weir_client_write_run_callable,
                        .what = &step,
                        .cancel = call_values->cancel ? call_values->cancel : session->cancel,
                        .payload_offset = weir_client_callable_payload};
    WEIR_TRY(weir_grpc_session_call(session, &call, &answer));
    memset(out_fetched, 0, sizeof *out_fetched * (size_t)callee->fetch_count);
    weir_status status =
        weir_client_read_callable(&answer, callee->fetch_types, out_fetched, callee->fetch_count);
    weir_rpc_message_fini(&answer);
    if (status)
        release_all(out_fetched, callee->fetch_count);
    return status;
}

weir_status weir_grpc_release_callable(weir_callable *callable)
{
    grpc_callable *callee = (grpc_callable *)callable;
    weir_grpc_session *session = weir_grpc_of(callable->session);
    client_step step = {session, NULL, NULL, 0, callee->number, NULL};
    weir_rpc_message answer = {0};
    client_call call = {.method = WEIR_MASTER_METHOD("ReleaseCallable"),
                        .write = weir_client_write_release_callable,
                        .what = &step};
    weir_status status = weir_grpc_session_call(session, &call, &answer);
    weir_rpc_message_fini(&answer);
    weir_free(callee);
    return status;
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
