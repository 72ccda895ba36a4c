/* ops/array/assert.c - Assert: fails with the data in its message unless the condition holds. */
#include "op/op.h"
#include "ops/common/summarize.h"

enum { T, SUMMARIZE };

static weir_status infer(weir_infer *infer)
{
    return weir_infer_rank(infer, 0, 0);
}

static weir_status fail(weir_call *call)
{
    WEIR_BUF(text);
    weir_buf_adds(&text, "assertion failed: ");
    for (int k = 1; k < call->site->in_count; k++) {
        weir_buf_adds(&text, k > 1 ? " [" : "[");
        weir_tensor_summarize(weir_in(call, k), weir_site_int(call->site, SUMMARIZE), &text);
        weir_buf_addc(&text, ']');
    }
    return weir_error_text(WEIR_INVALID_ARGUMENT, text.at, text.length);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *condition = weir_in(call, 0);
    if (condition->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "In[0] should be a scalar: %s",
                          WEIR_SHAPE_STR(&condition->shape));
    return *(const bool *)condition->data ? WEIR_OK : fail(call);
}

const weir_op weir_op_assert = {
    .name = "Assert",
    .in = "condition: bool; data: T",
    .attrs = "T: list(type) >= 1; summarize: int = 3",
    .host = "condition; data",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_CHEAP}},
};
