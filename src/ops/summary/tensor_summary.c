/* ops/summary/tensor_summary.c - TensorSummary and TensorSummaryV2: any tensor, as it is. */
#include "ops/summary/summary.h"
#include "tensor/proto.h"

static weir_status put_tensor(weir_buf *out, const weir_tensor *t)
{
    size_t mark = weir_pb_begin(out, WEIR_SUMMARY_TENSOR);
    weir_status status = weir_tensor_encode(t, out);
    weir_pb_end(out, mark);
    return status;
}

static weir_status tensor_summary(weir_call *c)
{
    weir_buf summary = {0};
    size_t value = weir_pb_begin(&summary, WEIR_SUMMARY_VALUE);
    weir_pb_put_str(&summary, WEIR_SUMMARY_NODE, c->site->name);
    weir_status status = put_tensor(&summary, weir_in(c, 0));
    weir_pb_end(&summary, value);
    weir_str_put_buf(weir_out(c, 0), 0, &summary);
    return status;
}

static weir_status tensor_summary_v2(weir_call *c)
{
    if (weir_in(c, 0)->shape.rank != 0 || weir_in(c, 2)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tag and serialized_summary_metadata must be scalar");
    weir_buf summary = {0};
    size_t value = weir_pb_begin(&summary, WEIR_SUMMARY_VALUE);
    weir_pb_put_view(&summary, WEIR_SUMMARY_TAG, weir_str_at(weir_in(c, 0), 0));
    weir_status status = put_tensor(&summary, weir_in(c, 1));
    weir_pb_put_view(&summary, WEIR_SUMMARY_METADATA, weir_str_at(weir_in(c, 2), 0));
    weir_pb_end(&summary, value);
    weir_str_put_buf(weir_out(c, 0), 0, &summary);
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
