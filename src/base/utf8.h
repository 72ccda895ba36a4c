/* base/utf8.h - code points in and out of UTF-8, and simple case. */
#ifndef WEIR_BASE_UTF8_H
#define WEIR_BASE_UTF8_H

#include "base/str.h"

enum { WEIR_UTF8_BAD = -1, WEIR_UTF8_MOST = 4, WEIR_UNICODE_LAST = 0x10ffff };

/* The code point at the front of |text| (not empty) and the bytes it takes. Invalid UTF-8 (overlong
 * forms and surrogates too) yields WEIR_UTF8_BAD, one byte each. */
static inline int32_t weir_utf8_get(weir_str text, size_t *out_length)
{
    const unsigned char *bytes = (const unsigned char *)text.at;
    *out_length = 1;
    if (bytes[0] < 0x80)
        return bytes[0];
    int more = bytes[0] >= 0xf0 ? 3 : bytes[0] >= 0xe0 ? 2 : 1;
    if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || text.length <= (size_t)more)
        return WEIR_UTF8_BAD;
    int32_t cp = bytes[0] & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return WEIR_UTF8_BAD;
        cp = cp << 6 | (bytes[i] & 0x3f);
    }
    static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (cp < least[more] || cp > WEIR_UNICODE_LAST || (cp >= 0xd800 && cp < 0xe000))
        return WEIR_UTF8_BAD;
    *out_length = (size_t)more + 1;
    return cp;
}

/* Whether all of |text| is UTF-8. */
bool weir_utf8_valid(weir_str text);
/* Appends a code point. */
void weir_utf8_add(weir_buf *out, int32_t cp);
/* Simple mappings of one code point to one. */
int32_t weir_unicode_lower(int32_t cp);
int32_t weir_unicode_upper(int32_t cp);

#endif
