/* wire/json_write.c - text as JSON strings. */
#include "wire/json.h"

/* The length of the character at |p|; 0 if it is not UTF-8. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (*p < 0x80)
        return 1;
    size_t n = *p >= 0xf0 && *p < 0xf8 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc0 ? 2 : 0;
    if (n == 0 || *p >= 0xf8 || n > left)
        return 0;
    unsigned code = *p & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return code >= least[n] && code <= 0x10ffff && !surrogate ? n : 0;
}

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
    const unsigned char *p = (const unsigned char *)text.at, *end = p + text.length;
    weir_buf_addc(out, '"');
    while (p < end) {
        size_t n = utf8_length(p, (size_t)(end - p));
        if (n == 0)
            weir_buf_adds(out, "\\ufffd");
        else if (*p == '"' || *p == '\\')
            weir_buf_addf(out, "\\%c", *p);
        else if (*p < 32)
            put_control(out, *p);
        else
            weir_buf_add(out, p, n);
        p += n ? n : 1;
    }
    weir_buf_addc(out, '"');
}
