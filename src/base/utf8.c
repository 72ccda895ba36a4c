/* base/utf8.c - encodes UTF-8; case by the C library's Unicode tables. */
#include "base/utf8.h"

#include <locale.h>
#include <pthread.h>
#include <wctype.h>

static locale_t unicode;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_locale(void)
{
    unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
}

/* Without the locale only ASCII letters have case. */
static int32_t map(int32_t cp, wint_t (*fn)(wint_t, locale_t), int32_t from, int32_t shift)
{
    if (cp < 0x80)
        return cp >= from && cp < from + 26 ? cp + shift : cp;
    pthread_once(&once, open_locale);
    return unicode ? (int32_t)fn((wint_t)cp, unicode) : cp;
}

int32_t weir_unicode_lower(int32_t cp)
{
    return map(cp, towlower_l, 'A', 32);
}

int32_t weir_unicode_upper(int32_t cp)
{
    return map(cp, towupper_l, 'a', -32);
}

bool weir_utf8_valid(weir_str text)
{
    const char *at = text.at, *end = at + text.length;
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        if (word & UINT64_C(0x8080808080808080))
            break;
        at += sizeof word;
    }
    while (at < end) {
        size_t length = 1;
        if ((*at & 0x80) &&
            weir_utf8_get((weir_str){at, (size_t)(end - at)}, &length) == WEIR_UTF8_BAD)
            return false;
        at += length;
    }
    return true;
}

void weir_utf8_add(weir_buf *out, int32_t cp)
{
    if (cp < 0x80) {
        weir_buf_addc(out, (char)cp);
        return;
    }
    int more = cp >= 0x10000 ? 3 : cp >= 0x800 ? 2 : 1;
    static const int heads[] = {0, 0xc0, 0xe0, 0xf0};
    weir_buf_addc(out, (char)(heads[more] | cp >> (6 * more)));
    while (more--)
        weir_buf_addc(out, (char)(0x80 | (cp >> (6 * more) & 0x3f)));
}
