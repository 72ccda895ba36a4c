/* ops/array/print.c - Print, PrintV2: tensors printed to stderr or stdout. */
#include <stdio.h>

#include "base/log.h"
#include "base/quiet.h"
#include "io/file.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/summarize.h"
#include "tensor/tstring.h"

/* ---- Print ----------------------------------------------------------------------------------- */

enum { T, U, MESSAGE, FIRST_N, SUMMARIZE };

/* Number of prints of a node so far; lives with its plan. */
typedef struct counter {
    atomic_llong calls;
} counter;

static weir_status prepare(weir_prepare *preparation)
{
    preparation->state = WEIR_NEW(counter);
    return WEIR_OK;
}

static weir_status print(weir_call *call)
{
    const weir_site *site = call->site;
    counter *counter = call->state;
    int64_t first_n = weir_site_int(site, FIRST_N);
    weir_call_forward(call, 0, 0, NULL);
    if (first_n >= 0 && counter && atomic_fetch_add(&counter->calls, 1) >= first_n)
        return WEIR_OK;
    WEIR_BUF(text);
    weir_str message = weir_site_str(site, MESSAGE);
    weir_buf_add(&text, message.at, message.length);
    for (int k = 1; k < site->in_count; k++) {
        weir_buf_addc(&text, '[');
        weir_tensor_summarize(weir_in(call, k), weir_site_int(site, SUMMARIZE), &text);
        weir_buf_addc(&text, ']');
    }
    weir_buf_addc(&text, '\n');
    weir_print(stderr, text.at, text.length);
    return WEIR_OK;
}

const weir_op weir_op_print = {
    .name = "Print",
    .in = "input: T; data: U",
    .out = "output: T",
    .attrs = "T: type; U: list(type) >= 0; message: string = \"\"; first_n: int = -1; "
             "summarize: int = 3",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_same_shape,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", print, WEIR_OWN_OUTPUTS, .prepare = prepare, .cleanup = weir_free}},
};

/* ---- PrintV2 --------------------------------------------------------------------------------- */

enum { STREAM, END };

static weir_status print_to_file(weir_str path, weir_str text, weir_str end)
{
    WEIR_FREED char *name = weir_strndup(path.at, path.length);
    WEIR_OWNED(weir_wfile) file = NULL;
    weir_status status = weir_wfile_append(name, &file);
    if (!status)
        status = weir_wfile_write(file, text.at, text.length);
    if (!status)
        status = weir_wfile_write(file, end.at, end.length);
    return status ? status : weir_wfile_commit(WEIR_TAKE(file));
}

static const struct {
    const char *name;
    weir_log_level level;
} logs[] = {
    {"log(info)", WEIR_LOG_INFO},
    {"log(warning)", WEIR_LOG_WARNING},
    {"log(error)", WEIR_LOG_ERROR},
};

static weir_status print_v2(weir_call *call)
{
    weir_str text = weir_tstring_get(weir_in(call, 0)->data);
    weir_str stream = weir_site_str(call->site, STREAM), end = weir_site_str(call->site, END);
    weir_str file = WEIR_STR("file://");
    if (stream.length > file.length && memcmp(stream.at, file.at, file.length) == 0)
        return print_to_file((weir_str){stream.at + file.length, stream.length - file.length}, text,
                             end);
    for (size_t k = 0; k < sizeof logs / sizeof *logs; k++)
        if (weir_str_is(stream, logs[k].name)) {
            weir_log(logs[k].level, "%.*s%.*s", WEIR_STR_ARG(text), WEIR_STR_ARG(end));
            return WEIR_OK;
        }
    bool out = weir_str_is(stream, "stdout");
    if (!out && !weir_str_is(stream, "stderr"))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unknown output stream: %.*s",
                          WEIR_STR_ARG(stream));
    WEIR_BUF(line);
    weir_buf_add(&line, text.at, text.length);
    weir_buf_add(&line, end.at, end.length);
    weir_print(out ? stdout : stderr, line.at, line.length);
    return WEIR_OK;
}

static weir_status print_v2_infer(weir_infer *infer)
{
    return weir_infer_rank(infer, 0, 0);
}

const weir_op weir_op_print_v2 = {
    .name = "PrintV2",
    .in = "input: string",
    .attrs = "output_stream: string = \"stderr\"; end: string = \"\n\"",
    .flags = WEIR_STATEFUL,
    .infer = print_v2_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", print_v2}},
};
