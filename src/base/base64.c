/* base/base64.c - three bytes become four digits of six bits. */
#include "base/base64.h"

static const char common[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static char digit(uint32_t value, weir_base64_alphabet alphabet)
{
    if (value < 62)
        return common[value];
    return alphabet == WEIR_BASE64_URL ? "-_"[value - 62] : "+/"[value - 62];
}

void weir_base64_encode(weir_str bytes, weir_base64_alphabet alphabet, bool pad, weir_buf *out)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    for (size_t i = 0; i < bytes.length; i += 3) {
        size_t count = bytes.length - i < 3 ? bytes.length - i : 3;
        uint32_t word = (uint32_t)at[i] << 16 | (count > 1 ? (uint32_t)at[i + 1] << 8 : 0) |
                        (count > 2 ? at[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            if (k <= count)
                weir_buf_addc(out, digit(word >> (18 - 6 * k) & 63, alphabet));
            else if (pad)
                weir_buf_addc(out, '=');
    }
}

static int value_of(char ch, weir_base64_alphabet alphabet)
{
    if (ch >= 'A' && ch <= 'Z')
        return ch - 'A';
    if (ch >= 'a' && ch <= 'z')
        return ch - 'a' + 26;
    if (ch >= '0' && ch <= '9')
        return ch - '0' + 52;
    bool url = alphabet & WEIR_BASE64_URL, standard = alphabet & WEIR_BASE64_STANDARD;
    return (url && ch == '-') || (standard && ch == '+')   ? 62
           : (url && ch == '_') || (standard && ch == '/') ? 63
                                                           : -1;
}

static size_t without_padding(weir_str text)
{
    size_t length = text.length;
    for (int i = 0; i < 2 && length && text.at[length - 1] == '='; i++)
        length--;
    return length;
}

size_t weir_base64_decode(weir_str text, weir_base64_alphabet alphabet, weir_buf *out)
{
    size_t digits = without_padding(text);
    uint32_t word = 0;
    for (size_t i = 0; i < digits; i++) {
        int value = value_of(text.at[i], alphabet);
        if (value < 0)
            return i;
        word = word << 6 | (uint32_t)value;
        if (i % 4) /* the second to fourth digit each complete a byte */
            weir_buf_addc(out, (char)(word >> (6 - 2 * (i % 4))));
    }
    return text.length;
}
