/* wire/json_write.c - text as JSON strings. */
#include "wire/json.h"

#include "base/utf8.h"

static void put_control(weir_buf *out, unsigned char c)
{
    static const char known[] = "\b\f\n\r\t", letters[] = "bfnrt";
    const char *at = c ? strchr(known, c) : NULL;
    if (at)
        weir_buf_addf(out, "\\%c", letters[at - known]);
    else
        weir_buf_addf(out, "\\u%04x", c);
}

void weir_json_put_string(weir_buf *out, weir_str text)
{
    weir_buf_addc(out, '"');
    while (text.length) {
        size_t length;
        int32_t code = weir_utf8_get(text, &length);
        if (code == WEIR_UTF8_BAD)
            weir_buf_adds(out, "\\ufffd");
        else if (code == '"' || code == '\\')
            weir_buf_addf(out, "\\%c", (char)code);
        else if (code < ' ')
            put_control(out, (unsigned char)code);
        else
            weir_buf_add(out, text.at, length);
        text = (weir_str){text.at + length, text.length - length};
    }
    weir_buf_addc(out, '"');
}
