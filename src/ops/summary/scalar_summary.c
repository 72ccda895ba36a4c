/* ops/summary/scalar_summary.c - ScalarSummary: tags with numbers. */
#include "ops/common/number_at.h"
#include "ops/summary/summary.h"

weir_status weir_summary_add_scalars(const weir_tensor *tags, const weir_tensor *values,
                                     weir_buf *summary)
{
    if (!weir_shape_eq(&tags->shape, &values->shape)) {
        weir_str tag = weir_tensor_count(tags) == 1 ? weir_str_at(tags, 0) : WEIR_STR("");
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tags and values are not the same shape: %s != %s%s%.*s%s",
                          WEIR_SHAPE_STR(&tags->shape), WEIR_SHAPE_STR(&values->shape),
                          tag.length ? " (tag '" : "", WEIR_STR_ARG(tag), tag.length ? "')" : "");
    }
    for (int64_t i = 0; i < weir_tensor_count(tags); i++) {
        weir_msg_summary_value value = {.tag = weir_str_at(tags, i),
                                        .which_value = WEIR_FIELD_summary_value_simple_value,
                                        .simple_value = (float)weir_number_at(values, i)};
        weir_summary_add(summary, &value);
    }
    return WEIR_OK;
}

static weir_status scalar_summary(weir_call *call)
{
    weir_buf summary = {0};
    weir_status status = weir_summary_add_scalars(weir_in(call, 0), weir_in(call, 1), &summary);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

const weir_op weir_op_scalar_summary = {
    .name = "ScalarSummary",
    .in = "tags: string; values: T",
    .out = "summary: string",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
             "uint32, uint64}",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", scalar_summary, WEIR_CHEAP}},
};
