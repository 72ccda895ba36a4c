/* ops/string/string.c - what the ops on text share. */
#include "ops/string/string_impl.h"

weir_status weir_string_map(weir_call *c, weir_string_fn *fn, const void *arg)
{
    const weir_tensor *in = weir_in(c, 0);
    WEIR_BUF(out);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        out.length = 0;
        WEIR_TRY(fn(c, arg, weir_str_at(in, i), &out));
        weir_str_put(weir_out(c, 0), i, weir_view(&out));
    }
    return WEIR_OK;
}

bool weir_string_by_char(const weir_site *s, int unit)
{
    return weir_str_is(weir_site_str(s, unit), "UTF8_CHAR");
}

/* TensorFlow counts the bytes that do not continue a code point. */
int64_t weir_string_chars(weir_str s)
{
    int64_t n = 0;
    for (size_t i = 0; i < s.length; i++)
        n += ((uint8_t)s.at[i] & 0xc0) != 0x80;
    return n;
}
