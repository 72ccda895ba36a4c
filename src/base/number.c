/* base/number.c - parses numbers. */
#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

static locale_t plain; /* with a decimal point */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_locale(void)
{
    plain = newlocale(LC_NUMERIC_MASK, "C", NULL);
}

static bool is_space(char ch)
{
    return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

static weir_str trim(weir_str text)
{
    while (text.length && is_space(text.at[0]))
        text = (weir_str){text.at + 1, text.length - 1};
    while (text.length && is_space(text.at[text.length - 1]))
        text.length--;
    return text;
}

static bool parse_digits(weir_str text, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text.at[i] - '0'), &value))
            return false;
    }
    *out = value;
    return text.length > 0;
}

static bool take_sign(weir_str *text)
{
    bool negative = text->length && text->at[0] == '-';
    if (text->length && (text->at[0] == '-' || text->at[0] == '+'))
        *text = (weir_str){text->at + 1, text->length - 1};
    return negative;
}

bool weir_parse_u64(weir_str text, uint64_t *out)
{
    text = trim(text);
    return !take_sign(&text) && parse_digits(text, out);
}

bool weir_parse_i64(weir_str text, int64_t *out)
{
    uint64_t value;
    text = trim(text);
    bool negative = take_sign(&text);
    if (!parse_digits(text, &value) || value > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

enum { SHORT_TEXT = 64 };

/* A NUL-terminated copy in |buffer|, or on the heap if it is too long. */
static char *terminated(weir_str str, char buffer[SHORT_TEXT])
{
    char *text = str.length < SHORT_TEXT ? buffer : weir_alloc(str.length + 1);
    if (str.length)
        memcpy(text, str.at, str.length);
    text[str.length] = 0;
    return text;
}

static bool parse_float(weir_str s, bool narrow, float *out_f32, double *out_f64)
{
    char buffer[SHORT_TEXT], *end;
    s = trim(s);
    if (s.length == 0 || memchr(s.at, 0, s.length))
        return false;
    pthread_once(&once, open_locale);
    char *text = terminated(s, buffer);
    if (narrow)
        *out_f32 = strtof_l(text, &end, plain);
    else
        *out_f64 = strtod_l(text, &end, plain);
    bool all = end == text + s.length;
    if (text != buffer)
        weir_free(text);
    return all;
}

bool weir_parse_f32(weir_str text, float *out)
{
    return parse_float(text, true, out, NULL);
}

bool weir_parse_f64(weir_str text, double *out)
{
    return parse_float(text, false, NULL, out);
}
