/* ops/string/letters.c - StringLower, StringUpper, StringStrip, StringLength. */
#include "base/utf8.h"
#include "ops/declare.h"
#include "ops/string/string_impl.h"

static weir_status check_encoding(const weir_site *site)
{
    weir_str encoding = weir_site_str(site, 0);
    if (encoding.length == 0 || weir_str_is(encoding, "utf-8"))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "only utf-8 or '' (no encoding) is supported, received %.*s",
                      WEIR_STR_ARG(encoding));
}

/* Without an encoding only ASCII letters are changed. */
static weir_status change_case(weir_call *call, const void *arg, weir_str in, weir_buf *out)
{
    bool upper = *(const bool *)arg, utf8 = weir_site_str(call->site, 0).length > 0;
    for (size_t i = 0, n = 1; i < in.length; i += n) {
        int32_t cp = (uint8_t)in.at[i];
        n = 1;
        if (utf8)
            cp = weir_utf8_get((weir_str){in.at + i, in.length - i}, &n);
        if (cp == 0xdf && utf8 && upper)
            weir_buf_adds(out, "SS");
        else if (cp == WEIR_UTF8_BAD)
            weir_utf8_add(out, 0xfffd);
        else if (cp < 0x80)
            weir_buf_addc(out, (char)(upper ? weir_unicode_upper(cp) : weir_unicode_lower(cp)));
        else if (!utf8)
            weir_buf_addc(out, in.at[i]);
        else
            weir_utf8_add(out, upper ? weir_unicode_upper(cp) : weir_unicode_lower(cp));
    }
    return WEIR_OK;
}

static weir_status lower(weir_call *call)
{
    WEIR_TRY(check_encoding(call->site));
    return weir_string_map(call, change_case, &(bool){false});
}

static weir_status upper(weir_call *call)
{
    WEIR_TRY(check_encoding(call->site));
    return weir_string_map(call, change_case, &(bool){true});
}

static bool is_space(char ch)
{
    return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

static weir_status strip_one(weir_call *call, const void *arg, weir_str in, weir_buf *out)
{
    while (in.length && is_space(in.at[0]))
        in = (weir_str){in.at + 1, in.length - 1};
    while (in.length && is_space(in.at[in.length - 1]))
        in.length--;
    weir_buf_add(out, in.at, in.length);
    return WEIR_OK;
}

static weir_status strip(weir_call *call)
{
    return weir_string_map(call, strip_one, NULL);
}

#define LETTERS                                                                                    \
    .in = "input: string", .out = "output: string", .infer = weir_infer_same_shape, .no_grad = true

WEIR_DEFINE_OP(string_lower, "StringLower", LETTERS, .attrs = "encoding: string = \"\"",
               .kernels = {{WEIR_CPU, "*", lower}});
WEIR_DEFINE_OP(string_upper, "StringUpper", LETTERS, .attrs = "encoding: string = \"\"",
               .kernels = {{WEIR_CPU, "*", upper}});
WEIR_DEFINE_OP(string_strip, "StringStrip", LETTERS, .kernels = {{WEIR_CPU, "*", strip}});

static weir_status length(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    int32_t *out = weir_out(call, 0)->data;
    bool by_char = weir_string_by_char(call->site, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        weir_str text = weir_str_at(in, i);
        out[i] = (int32_t)(by_char ? weir_string_chars(text) : (int64_t)text.length);
    }
    return WEIR_OK;
}

const weir_op weir_op_string_length = {
    .name = "StringLength",
    .in = "input: string",
    .out = "output: int32",
    .attrs = "unit: {'BYTE', 'UTF8_CHAR'} = \"BYTE\"",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", length}},
};
