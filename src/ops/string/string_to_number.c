/* ops/string/string_to_number.c - StringToNumber: text into numbers. */
#include "base/number.h"
#include "ops/string/string_impl.h"

static bool parse_u32(weir_str s, uint32_t *out)
{
    uint64_t v;
    bool good = weir_parse_u64(s, &v) && v <= UINT32_MAX;
    *out = good ? (uint32_t)v : 0;
    return good;
}

static bool parse_i32(weir_str s, int32_t *out)
{
    int64_t v;
    bool good = weir_parse_i64(s, &v) && v >= INT32_MIN && v <= INT32_MAX;
    *out = good ? (int32_t)v : 0;
    return good;
}

static bool parse(weir_str s, weir_dtype dtype, void *out, int64_t i)
{
    switch (dtype) {
    case WEIR_FLOAT:
        return weir_parse_f32(s, (float *)out + i);
    case WEIR_DOUBLE:
        return weir_parse_f64(s, (double *)out + i);
    case WEIR_INT32:
        return parse_i32(s, (int32_t *)out + i);
    case WEIR_UINT32:
        return parse_u32(s, (uint32_t *)out + i);
    case WEIR_INT64:
        return weir_parse_i64(s, (int64_t *)out + i);
    default:
        return weir_parse_u64(s, (uint64_t *)out + i);
    }
}

static weir_status string_to_number(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    weir_tensor *out = weir_out(c, 0);
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
