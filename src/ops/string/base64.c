/* ops/string/base64.c - EncodeBase64 and DecodeBase64, in the alphabet for web addresses. */
#include "ops/string/string_impl.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static weir_status encode_one(weir_call *c, const void *arg, weir_str in, weir_buf *out)
{
    bool pad = weir_site_bool(c->site, 0);
    for (size_t i = 0; i < in.length; i += 3) {
        size_t n = in.length - i < 3 ? in.length - i : 3;
        uint32_t word = 0;
        for (size_t k = 0; k < 3; k++)
            word = word << 8 | (k < n ? (uint8_t)in.at[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            if (k <= n)
                weir_buf_addc(out, alphabet[word >> (18 - 6 * k) & 63]);
            else if (pad)
                weir_buf_addc(out, '=');
    }
    return WEIR_OK;
}

static int digit_of(char c)
{
    const char *at = c ? strchr(alphabet, c) : NULL;
    return at ? (int)(at - alphabet) : -1;
}

static weir_str without_padding(weir_str s)
{
    for (int i = 0; i < 2 && s.length && s.at[s.length - 1] == '='; i++)
        s.length--;
    return s;
}

static weir_status decode_one(weir_call *c, const void *arg, weir_str in, weir_buf *out)
{
    in = without_padding(in);
    if (in.length % 4 == 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Base64 string length cannot be 1 modulo 4.");
    uint32_t word = 0;
    for (size_t i = 0; i < in.length; i++) {
        int digit = digit_of(in.at[i]);
        if (digit < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Invalid character found in base64.");
        word = word << 6 | (uint32_t)digit;
        if (i % 4) /* the second to fourth digit each complete a byte */
            weir_buf_addc(out, (char)(word >> (6 - 2 * (i % 4))));
    }
    return WEIR_OK;
}

static weir_status encode(weir_call *c)
{
    return weir_string_map(c, encode_one, NULL);
}

static weir_status decode(weir_call *c)
{
    return weir_string_map(c, decode_one, NULL);
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
