/* base/number.c - numbers out of text. */
#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

static locale_t plain; /* where the decimal point is a point */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_locale(void)
{
    plain = newlocale(LC_NUMERIC_MASK, "C", NULL);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static weir_str trim(weir_str s)
{
    while (s.length && is_space(s.at[0]))
        s = (weir_str){s.at + 1, s.length - 1};
    while (s.length && is_space(s.at[s.length - 1]))
        s.length--;
    return s;
}

static bool parse_digits(weir_str s, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(s.at[i] - '0'), &value))
            return false;
    }
    *out = value;
    return s.length > 0;
}

static bool take_sign(weir_str *s)
{
    bool negative = s->length && s->at[0] == '-';
    if (s->length && (s->at[0] == '-' || s->at[0] == '+'))
        *s = (weir_str){s->at + 1, s->length - 1};
    return negative;
}

bool weir_parse_u64(weir_str s, uint64_t *out)
{
    s = trim(s);
    return !take_sign(&s) && parse_digits(s, out);
}

bool weir_parse_i64(weir_str s, int64_t *out)
{
    uint64_t value;
    s = trim(s);
    bool negative = take_sign(&s);
    if (!parse_digits(s, &value) || value > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

enum { SHORT_TEXT = 64 };

/* A terminated copy in |buffer|, or on the heap when it is too long for it. */
static char *terminated(weir_str s, char buffer[SHORT_TEXT])
{
    char *text = s.length < SHORT_TEXT ? buffer : weir_alloc(s.length + 1);
    if (s.length)
        memcpy(text, s.at, s.length);
    text[s.length] = 0;
    return text;
}

static bool parse_float(weir_str s, bool narrow, float *out_f32, double *out_f64)
{
    char buffer[SHORT_TEXT], *end;
    s = trim(s);
    if (s.length == 0 || memchr(s.at, 0, s.length))
        return false;
    pthread_once(&once, open_locale);
    char *text = terminated(s, room);
    if (narrow)
        *out_f32 = strtof_l(text, &end, plain);
    else
        *out_f64 = strtod_l(text, &end, plain);
    bool all = end == text + s.length;
    if (text != room)
        weir_free(text);
    return all;
}

bool weir_parse_f32(weir_str s, float *out)
{
    return parse_float(s, true, out, NULL);
}

bool weir_parse_f64(weir_str s, double *out)
{
    return parse_float(s, false, NULL, out);
}
