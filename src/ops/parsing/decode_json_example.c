/* ops/parsing/decode_json_example.c - DecodeJSONExample: serialises examples given as JSON. */
#include "ops/common/strs.h"
#include "wire/messages.h"

static weir_status decode(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        WEIR_BUF(bytes);
        WEIR_TRY(weir_status_prefix(weir_message_from_json(&weir_message_types[WEIR_INDEX_example],
                                                           weir_str_at(in, i), &bytes),
                                    "Error while parsing JSON: "));
        weir_str_put(weir_out(call, 0), i, weir_view(&bytes));
    }
    return WEIR_OK;
}

const weir_op weir_op_decode_json_example = {
    .name = "DecodeJSONExample",
    .in = "json_examples: string",
    .out = "binary_examples: string",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode}},
};
