/* ops/string/base64.c - EncodeBase64 and DecodeBase64, with the URL-safe alphabet. */
#include "base/base64.h"
#include "ops/string/string_impl.h"

static weir_status encode_one(weir_call *call, const void *arg, weir_str in, weir_buf *out)
{
    weir_base64_encode(in, WEIR_BASE64_URL, weir_site_bool(call->site, 0), out);
    return WEIR_OK;
}

static weir_status decode_one(weir_call *call, const void *arg, weir_str in, weir_buf *out)
{
    size_t digits = in.length;
    for (int i = 0; i < 2 && digits && in.at[digits - 1] == '='; i++)
        digits--;
    if (digits % 4 == 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Base64 string length cannot be 1 modulo 4.");
    if (weir_base64_decode(in, WEIR_BASE64_URL, out) < in.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid character found in base64.");
    return WEIR_OK;
}

static weir_status encode(weir_call *call)
{
    return weir_string_map(call, encode_one, NULL);
}

static weir_status decode(weir_call *call)
{
    return weir_string_map(call, decode_one, NULL);
}

const weir_op weir_op_encode_base64 = {
    .name = "EncodeBase64",
    .in = "input: string",
    .out = "output: string",
    .attrs = "pad: bool = false",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode}},
};

const weir_op weir_op_decode_base64 = {
    .name = "DecodeBase64",
    .in = "input: string",
    .out = "output: string",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode}},
};
