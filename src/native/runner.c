/* native/runner.c - a session that keeps its feeds and its first error. */
#include "weir/runner.h"

#include <math.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "base/str.h"
#include "capi/capi.h"
#include "native/builder.h"
#include "wire/messages.h"

struct weir_runner {
    TF_Session *session; /* null if creating it failed */
    TF_Status *status;   /* the first error */
    WEIR_VEC(TF_Output) feeds;
    WEIR_VEC(TF_Tensor *) values; /* of the feeds */
};

/* ---- lifetime -------------------------------------------------------------------------------- */

/* Serialises a ConfigProto. */
static void describe(const weir_runner_options *options, weir_buf *out)
{
    weir_msg_config_proto_write(
        &(weir_msg_config_proto){.intra_op_parallelism_threads = weir_max(options->threads, 0),
                                 .inter_op_parallelism_threads = weir_max(options->threads, 0),
                                 .allow_soft_placement = options->soft_placement,
                                 .operation_timeout_in_ms = weir_max(options->timeout_ms, 0)},
        out);
}

weir_runner *weir_runner_new(TF_Graph *graph, const weir_runner_options *runner_options)
{
    static const weir_runner_options usual = {0};
    weir_runner *runner = WEIR_NEW(weir_runner);
    WEIR_BUF(config);
    TF_SessionOptions *options = TF_NewSessionOptions();
    runner_options = runner_options ? runner_options : &usual;
    describe(runner_options, &config);
    runner->status = TF_NewStatus();
    if (runner_options->target)
        TF_SetTarget(options, runner_options->target);
    if (config.length)
        TF_SetConfig(options, config.at, config.length, runner->status);
    runner->session = TF_NewSession(graph, options, runner->status);
    TF_DeleteSessionOptions(options);
    return runner;
}

void weir_runner_delete(weir_runner *runner)
{
    if (!runner)
        return;
    while (runner->feeds.count)
        weir_runner_feed(runner, runner->feeds.at[0], NULL);
    TF_SetStatus(runner->status, TF_OK, "");
    if (runner->session)
        TF_CloseSession(runner->session, runner->status);
    if (runner->session)
        TF_DeleteSession(runner->session, runner->status);
    weir_vec_fini(&runner->feeds);
    weir_vec_fini(&runner->values);
    TF_DeleteStatus(runner->status);
    weir_free(runner);
}

TF_Session *weir_runner_session(const weir_runner *runner)
{
    return runner->session;
}

const TF_Status *weir_runner_status(const weir_runner *runner)
{
    return runner->status;
}

void weir_runner_forgive(weir_runner *runner)
{
    if (runner->session)
        TF_SetStatus(runner->status, TF_OK, "");
}

/* ---- running -------------------------------------------------------------------------------- */

void weir_runner_feed(weir_runner *runner, TF_Output x, TF_Tensor *value)
{
    size_t i = 0;
    while (i < runner->feeds.count &&
           (runner->feeds.at[i].oper != x.oper || runner->feeds.at[i].index != x.index))
        i++;
    if (i < runner->feeds.count) { /* swap-remove */
        weir_build_delete_tensor(runner->values.at[i]);
        runner->feeds.at[i] = runner->feeds.at[--runner->feeds.count];
        runner->values.at[i] = runner->values.at[--runner->values.count];
    }
    if (!value)
        return;
    weir_vec_push(&runner->feeds, x);
    weir_vec_push(&runner->values, value);
}

static void run(weir_runner *runner, const TF_Output *outputs, TF_Tensor **values, int count,
                const TF_Operation *target)
{
    for (int i = 0; i < count; i++)
        values[i] = NULL;
    if (TF_GetCode(runner->status) != TF_OK)
        return;
    for (int i = 0; i < count; i++)
        if (!outputs[i].oper)
            TF_SetStatus(runner->status, TF_INVALID_ARGUMENT, "An output to fetch is empty");
    if (TF_GetCode(runner->status) == TF_OK)
        TF_SessionRun(runner->session, NULL, runner->feeds.at, runner->values.at,
                      (int)runner->feeds.count, outputs, values, count, &target, target ? 1 : 0,
                      NULL, runner->status);
}

void weir_runner_do(weir_runner *runner, const TF_Operation *op)
{
    if (!op && TF_GetCode(runner->status) == TF_OK)
        TF_SetStatus(runner->status, TF_INVALID_ARGUMENT, "There is no operation to run");
    run(runner, NULL, NULL, 0, op);
}

void weir_runner_get_all(weir_runner *runner, const TF_Output *outputs, int count,
                         TF_Tensor **values)
{
    run(runner, outputs, values, count, NULL);
}

TF_Tensor *weir_runner_get(weir_runner *runner, TF_Output output)
{
    TF_Tensor *value;
    run(runner, &output, &value, 1, NULL);
    return value;
}

double weir_runner_number(weir_runner *runner, TF_Output output)
{
    TF_Tensor *value = weir_runner_get(runner, output);
    double first = value ? weir_tensor_first_number(value) : NAN;
    TF_DeleteTensor(value);
    return first;
}

void weir_run_until_failure(TF_Session *session, const TF_Operation *op, TF_Status *status)
{
    weir_node *target = weir_capi_node(op);
    weir_request request = {.targets = &target, .target_count = 1, .repeat = true};
    weir_status result =
        target ? WEIR_OK : weir_error(WEIR_INVALID_ARGUMENT, "Target operation 0 is null");
    while (!result)
        result = weir_session_run(weir_capi_session(session), &request, NULL);
    weir_capi_end(status, result);
}

/* ---- tensors -------------------------------------------------------------------------------- */

double weir_tensor_first_number(const TF_Tensor *value)
{
    const void *data = TF_TensorData(value);
    if (!TF_TensorElementCount(value))
        return NAN;
    switch (TF_TensorType(value)) {
    case TF_FLOAT:
        return *(const float *)data;
    case TF_DOUBLE:
        return *(const double *)data;
    case TF_INT32:
        return *(const int32_t *)data;
    case TF_INT64:
        return (double)*(const int64_t *)data;
    case TF_BOOL:
        return *(const bool *)data;
    default:
        return NAN;
    }
}

TF_Tensor *weir_make_tensor(TF_DataType type, int rank, const int64_t *dims, const void *elements)
{
    size_t bytes = TF_DataTypeSize(type);
    for (int i = 0; i < rank; i++)
        if (dims[i] < 0 || !weir_size_mul(bytes, (size_t)dims[i], &bytes))
            return NULL;
    TF_Tensor *made = TF_DataTypeSize(type) ? TF_AllocateTensor(type, dims, rank, bytes) : NULL;
    if (made && bytes)
        memcpy(TF_TensorData(made), elements, bytes);
    return made;
}

TF_Tensor *weir_make_string(const char *text)
{
    return weir_build_string_tensor(&text, 1, true);
}

void weir_delete_made(TF_Tensor *made)
{
    if (made)
        weir_build_delete_tensor(made);
}
