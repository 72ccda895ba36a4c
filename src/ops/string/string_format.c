/* ops/string/string_format.c - StringFormat: inserts tensors into a text. */
#include "ops/string/string_impl.h"
#include "tensor/text.h"

enum { T, TEMPLATE, PLACEHOLDER, SUMMARIZE };

static weir_status string_format(weir_call *call)
{
    weir_str rest = weir_site_str(call->site, TEMPLATE);
    weir_str mark = weir_site_str(call->site, PLACEHOLDER);
    int64_t ends = weir_site_int(call->site, SUMMARIZE);
    int in = 0;
    weir_buf buf = {0};
    while (rest.length) {
        const char *at = mark.length ? memmem(rest.at, rest.length, mark.at, mark.length) : NULL;
        size_t length = at ? (size_t)(at - rest.at) : rest.length;
        weir_buf_add(&buf, rest.at, length);
        if (!at)
            break;
        if (in < call->site->in_count)
            weir_tensor_text(weir_in(call, in), ends, &buf);
        in++;
        rest = (weir_str){at + mark.length, rest.length - length - mark.length};
    }
    weir_str_put_buf(weir_out(call, 0), 0, &buf);
    if (in != call->site->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num placeholders in template and num inputs must match: %d vs. %d", in,
                          call->site->in_count);
    return WEIR_OK;
}

const weir_op weir_op_string_format = {
    .name = "StringFormat",
    .in = "inputs: T",
    .out = "output: string",
    .attrs = "T: list(type) >= 0; template: string = \"%s\"; placeholder: string = \"%s\"; "
             "summarize: int = 3",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", string_format}},
};
