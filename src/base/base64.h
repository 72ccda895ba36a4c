/* base/base64.h - base64 as in RFC 4648, in the standard and in the URL-safe alphabet. Pure. */
#ifndef WEIR_BASE_BASE64_H
#define WEIR_BASE_BASE64_H

#include "base/str.h"

typedef enum weir_base64_alphabet {
    WEIR_BASE64_STANDARD = 1,                                    /* digits 62 and 63 are + and / */
    WEIR_BASE64_URL = 2,                                         /* they are - and _ */
    WEIR_BASE64_EITHER = WEIR_BASE64_STANDARD | WEIR_BASE64_URL, /* decoding only: any of them */
} weir_base64_alphabet;

/* Appends |bytes| as text; |pad| adds '=' up to a multiple of four characters. */
void weir_base64_encode(weir_str bytes, weir_base64_alphabet alphabet, bool pad, weir_buf *out);
/* Appends the bytes that |text| encodes. One or two '=' of padding at its end are optional. Returns
 * how many characters were decoded: fewer than |text| has when the next one is not a digit of the
 * alphabet. Bits of an incomplete last byte are dropped. */
size_t weir_base64_decode(weir_str text, weir_base64_alphabet alphabet, weir_buf *out);

#endif
