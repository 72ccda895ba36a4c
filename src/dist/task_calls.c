/* dist/task_calls.c - a function on another task: RegisterGraph once, a RunGraph for each call.
 *
 * The call's arguments are in the request and its results in the answer. Every call is a step of
 * its own, which is cleaned up at its end.
 */
#include "dist/task_calls.h"

#include "dist/ids.h"
#include "dist/named_tensor.h"
#include "dist/steps.h"
#include "tensor/proto.h"
#include "wire/messages.h"

struct weir_remote_function {
    const weir_task_calls *calls;
    const weir_task *task;
    weir_arena arena; /* of the names */
    weir_str graph_handle;
    weir_str *arg_keys, *ret_keys;
    int arg_count, ret_count;
};

/* ---- registering ----------------------------------------------------------------------------- */

static void release(weir_remote_function *function)
{
    weir_arena_fini(&function->arena);
    weir_free(function);
}

static weir_str copy(weir_arena *arena, weir_str text)
{
    return (weir_str){weir_arena_strndup(arena, text.at, text.length), text.length};
}

static weir_str *copy_keys(weir_arena *arena, const weir_str *keys, int count)
{
    weir_str *copies = WEIR_ARENA_ARRAY(arena, weir_str, (size_t)count);
    for (int i = 0; i < count; i++)
        copies[i] = copy(arena, keys[i]);
    return copies;
}

static weir_remote_function *keep(const weir_task_calls *calls, const weir_task *task,
                                  const weir_remote_body *body, weir_str graph_handle)
{
    weir_remote_function *function = WEIR_NEW(weir_remote_function);
    weir_arena_init(&function->arena);
    function->calls = calls;
    function->task = task;
    function->graph_handle = copy(&function->arena, graph_handle);
    function->arg_keys = copy_keys(&function->arena, body->arg_keys, body->arg_count);
    function->ret_keys = copy_keys(&function->arena, body->ret_keys, body->ret_count);
    function->arg_count = body->arg_count;
    function->ret_count = body->ret_count;
    return function;
}

static weir_status no_task(const weir_cluster *cluster, const char *device)
{
    WEIR_BUF(names);
    for (int i = 0; i < cluster->task_count; i++)
        weir_buf_addf(&names, "%s%s", i ? ", " : "", cluster->tasks[i].name);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Could not find worker with target: %s Available workers: %s", device,
                      names.at ? names.at : "");
}

static weir_status register_graph(const weir_task_calls *calls, const weir_task *task,
                                  weir_str graph_def, weir_cancel *cancel,
                                  weir_rpc_message *out_answer)
{
    static const weir_msg_graph_options no_options;
    weir_rpc_message request = {0};
    weir_msg_register_graph_request graph = {.session_handle = weir_str_of(calls->handle),
                                             .graph_def = graph_def,
                                             .graph_options = &no_options,
                                             .create_worker_session_called = true};
    weir_msg_register_graph_request_write(&graph, &request.head);
    weir_channel_call call = {
        .path = "/tensorflow.WorkerService/RegisterGraph", .request = &request, .cancel = cancel};
    return weir_channel_wait(task->channel, &call, out_answer);
}

static weir_status add(weir_remote_calls *base, const weir_remote_body *body, weir_cancel *cancel,
                       weir_remote_function **out_function)
{
    const weir_task_calls *calls = (weir_task_calls *)base;
    const weir_task *task = weir_cluster_find(calls->cluster, weir_str_of(body->device));
    if (!task || !task->channel)
        return no_task(calls->cluster, body->device);
    WEIR_MESSAGE_ARENA(arena);
    weir_rpc_message answer = {0};
    weir_msg_register_graph_response response = {0};
    WEIR_TRY_NOTE(register_graph(calls, task, body->graph_def, cancel, &answer),
                  " (a function for %s)", task->name);
    weir_status status = weir_answer_parsed(
        weir_msg_register_graph_response_read(weir_view(&answer.head), &arena, &response),
        "RegisterGraph");
    if (!status && !response.graph_handle.length)
        status = weir_error(WEIR_INTERNAL, "RegisterGraph of %s: no graph handle", task->name);
    if (!status)
        *out_function = keep(calls, task, body, response.graph_handle);
    weir_rpc_message_fini(&answer);
    return status;
}

/* ---- calling --------------------------------------------------------------------------------- */

typedef struct task_call {
    const weir_remote_function *function;
    int64_t step_id;
    weir_function_done done;
    void *arg;
} task_call;

static weir_status put_request(const task_call *call, const weir_tensor *args, weir_buf *out)
{
    const weir_remote_function *function = call->function;
    weir_msg_run_graph_request request = {
        .graph_handle = function->graph_handle,
        .step_id = call->step_id,
        .recv_key = {function->ret_keys, (size_t)function->ret_count},
        .session_handle = weir_str_of(function->calls->handle),
        .store_errors_in_response_body = true,
        .create_worker_session_called = true,
        .request_id = (int64_t)weir_new_id()};
    weir_msg_run_graph_request_write(&request, out);
    for (int i = 0; i < function->arg_count; i++)
        WEIR_TRY_NOTE(weir_named_tensor_put(out, WEIR_FIELD_run_graph_request_send,
                                            function->arg_keys[i], &args[i]),
                      " (argument %d of a function on %s)", i, function->task->name);
    return WEIR_OK;
}

static weir_status read_result(const weir_msg_run_graph_response *response, weir_str key,
                               weir_tensor *out)
{
    for (size_t i = 0; i < response->recv.count; i++)
        if (weir_str_eq(response->recv.at[i].name, key))
            return weir_tensor_parse(response->recv.at[i].tensor, out);
    return weir_error(WEIR_INTERNAL, "Could not find key: %.*s", WEIR_STR_ARG(key));
}

static weir_status read_results(const weir_remote_function *function, weir_str answer,
                                weir_tensor *out_rets)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_graph_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_run_graph_response_read(answer, &arena, &response),
                                "RunGraph"));
    weir_code code = (weir_code)response.status_code;
    if (code)
        return weir_error_text(code, response.status_error_message.at,
                               response.status_error_message.length);
    for (int i = 0; i < function->ret_count; i++)
        WEIR_TRY_NOTE(read_result(&response, function->ret_keys[i], &out_rets[i]),
                      " (result %d of a function on %s)", i, function->task->name);
    return WEIR_OK;
}

static void ignore(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_status_free(status); /* a task that is gone has no state left */
    weir_rpc_message_fini(answer);
}

static void clean_up(const task_call *call)
{
    weir_rpc_message request = {0};
    weir_msg_cleanup_graph_request_write(
        &(weir_msg_cleanup_graph_request){.step_id = call->step_id}, &request.head);
    weir_channel_call cleanup = {
        .path = "/tensorflow.WorkerService/CleanupGraph", .request = &request, .done = ignore};
    weir_channel_start(call->function->task->channel, &cleanup);
}

/* Takes over the status. */
static void end_call(task_call *call, weir_status status, weir_tensor *rets)
{
    int count = call->function->ret_count;
    for (int i = 0; status && rets && i < count; i++)
        weir_tensor_release(&rets[i]);
    call->done(call->arg, status, status ? NULL : rets, status ? 0 : count);
    weir_free(rets);
    weir_free(call);
}

static void graph_ran(void *arg, weir_status status, weir_rpc_message *answer)
{
    task_call *call = arg;
    weir_tensor *rets = WEIR_NEW_ARRAY(weir_tensor, call->function->ret_count);
    if (!status)
        status = read_results(call->function, weir_view(&answer->head), rets);
    else
        status = weir_status_note(
            status,
            "\nAdditional GRPC error information from remote target %s while calling "
            "/tensorflow.WorkerService/RunGraph",
            call->function->task->name);
    weir_rpc_message_fini(answer);
    clean_up(call);
    end_call(call, status, rets);
}

static weir_status check_count(const weir_remote_function *function, int count)
{
    if (count == function->arg_count)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "a function on %s takes %d arguments, but got %d",
                      function->task->name, function->arg_count, count);
}

static void run(weir_remote_function *function, weir_cancel *cancel, const weir_tensor *args,
                int count, weir_function_done done, void *arg)
{
    task_call *call = WEIR_NEW(task_call);
    *call = (task_call){function, weir_steps_new_id(), done, arg};
    weir_rpc_message request = {0};
    weir_status status = check_count(function, count);
    if (!status)
        status = put_request(call, args, &request.head);
    if (status) {
        weir_rpc_message_fini(&request);
        end_call(call, status, NULL);
        return;
    }
    weir_channel_call graph = {.path = "/tensorflow.WorkerService/RunGraph",
                               .request = &request,
                               .cancel = cancel,
                               .done = graph_ran,
                               .arg = call};
    weir_channel_start(function->task->channel, &graph);
}

void weir_task_calls_init(weir_task_calls *calls, const weir_cluster *cluster, const char *handle)
{
    *calls = (weir_task_calls){{add, release, run}, cluster, handle};
}
