/* ops/summary/tensor_summary.c - TensorSummary and TensorSummaryV2: any tensor. */
#include "ops/summary/summary.h"
#include "tensor/proto.h"

weir_status weir_summary_add_tensor(weir_str tag, const char *node, const weir_tensor *tensor,
                                    const weir_str *metadata, weir_buf *summary)
{
    size_t value = weir_message_open(summary, WEIR_FIELD_summary_value);
    weir_msg_summary_value_write(
        &(weir_msg_summary_value){.tag = tag, .node_name = weir_str_of(node)}, summary);
    size_t mark = weir_message_open(summary, WEIR_FIELD_summary_value_tensor);
    weir_status status = weir_tensor_encode(tensor, summary);
    weir_message_close(summary, mark);
    if (metadata)
        weir_message_put_bytes(summary, WEIR_FIELD_summary_value_metadata, *metadata);
    weir_message_close(summary, value);
    return status;
}

static weir_status tensor_summary(weir_call *call)
{
    weir_buf summary = {0};
    weir_status status =
        weir_summary_add_tensor(WEIR_STR(""), call->site->name, weir_in(call, 0), NULL, &summary);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

static weir_status tensor_summary_v2(weir_call *call)
{
    if (weir_in(call, 0)->shape.rank != 0 || weir_in(call, 2)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tag and serialized_summary_metadata must be scalar");
    weir_buf summary = {0};
    weir_str metadata = weir_str_at(weir_in(call, 2), 0);
    weir_status status = weir_summary_add_tensor(weir_str_at(weir_in(call, 0), 0), "",
                                                 weir_in(call, 1), &metadata, &summary);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

const weir_op weir_op_tensor_summary = {
    .name = "TensorSummary",
    .in = "tensor: T",
    .out = "summary: string",
    .attrs = "T: type; description: string = \"\"; labels: list(string) = []; display_name: "
             "string = \"\"",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", tensor_summary}},
};

const weir_op weir_op_tensor_summary_v2 = {
    .name = "TensorSummaryV2",
    .in = "tag: string; tensor: T; serialized_summary_metadata: string",
    .out = "summary: string",
    .attrs = "T: type",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", tensor_summary_v2}},
};
