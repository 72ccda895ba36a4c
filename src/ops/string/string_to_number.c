/* ops/string/string_to_number.c - StringToNumber: parses numbers. */
#include "base/number.h"
#include "ops/string/string_impl.h"

static bool parse_u32(weir_str text, uint32_t *out)
{
    uint64_t value;
    bool good = weir_parse_u64(text, &value) && value <= UINT32_MAX;
    *out = good ? (uint32_t)value : 0;
    return good;
}

static bool parse_i32(weir_str text, int32_t *out)
{
    int64_t value;
    bool good = weir_parse_i64(text, &value) && value >= INT32_MIN && value <= INT32_MAX;
    *out = good ? (int32_t)value : 0;
    return good;
}

static bool parse(weir_str text, weir_dtype dtype, void *out, int64_t i)
{
    switch (dtype) {
    case WEIR_FLOAT:
        return weir_parse_f32(text, (float *)out + i);
    case WEIR_DOUBLE:
        return weir_parse_f64(text, (double *)out + i);
    case WEIR_INT32:
        return parse_i32(text, (int32_t *)out + i);
    case WEIR_UINT32:
        return parse_u32(text, (uint32_t *)out + i);
    case WEIR_INT64:
        return weir_parse_i64(text, (int64_t *)out + i);
    default:
        return weir_parse_u64(text, (uint64_t *)out + i);
    }
}

static weir_status string_to_number(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_tensor *out = weir_out(call, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++)
        if (!parse(weir_str_at(in, i), out->dtype, out->data, i))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "StringToNumberOp could not correctly convert string: %.*s",
                              WEIR_STR_ARG(weir_str_at(in, i)));
    return WEIR_OK;
}

const weir_op weir_op_string_to_number = {
    .name = "StringToNumber",
    .in = "string_tensor: string",
    .out = "output: out_type",
    .attrs = "out_type: {float, double, int32, int64, uint32, uint64} = DT_FLOAT",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", string_to_number}},
};
