/* ops/string/string.c - shared by the string ops. */
#include "ops/string/string_impl.h"

weir_status weir_string_map(weir_call *call, weir_string_fn *fn, const void *arg)
{
    const weir_tensor *in = weir_in(call, 0);
    WEIR_BUF(out);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        out.length = 0;
        WEIR_TRY(fn(call, arg, weir_str_at(in, i), &out));
        weir_str_put(weir_out(call, 0), i, weir_view(&out));
    }
    return WEIR_OK;
}

bool weir_string_by_char(const weir_site *site, int unit)
{
    return weir_str_is(weir_site_str(site, unit), "UTF8_CHAR");
}

/* TensorFlow counts the bytes that are not continuation bytes. */
int64_t weir_string_chars(weir_str text)
{
    int64_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += ((uint8_t)text.at[i] & 0xc0) != 0x80;
    return count;
}
