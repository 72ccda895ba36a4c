/* wire/json.c - a JSON parser. */
#include "wire/json.h"

#include <ctype.h>

#include "base/number.h"
#include "base/utf8.h"

enum { MAX_DEPTH = 64 }; /* of skipped values */

static bool fail(weir_json *j, const char *wanted)
{
    if (!j->failed)
        j->wanted = wanted;
    j->failed = true;
    return false;
}

char weir_json_peek(weir_json *j)
{
    while (j->at < j->end && memchr(" \t\r\n", *j->at, 4))
        j->at++;
    return j->failed || j->at == j->end ? 0 : *j->at;
}

static bool take(weir_json *j, char c)
{
    if (weir_json_peek(j) != c)
        return false;
    j->at++;
    return true;
}

bool weir_json_open(weir_json *j, char bracket)
{
    if (!take(j, bracket))
        return fail(j, bracket == '{' ? "'{'" : "'['");
    return j->fresh = true;
}

/* Moves to the next member of the object or array that |close| ends. */
static bool advance(weir_json *j, char close)
{
    bool first = j->fresh;
    j->fresh = false;
    if (j->failed || take(j, close))
        return false;
    if (!first && !take(j, ','))
        return fail(j, close == '}' ? "',' or '}'" : "',' or ']'");
    return true;
}

bool weir_json_item(weir_json *j)
{
    return advance(j, ']');
}

bool weir_json_key(weir_json *j, weir_buf *out_key)
{
    if (!advance(j, '}') || !weir_json_string(j, out_key))
        return false;
    return take(j, ':') || fail(j, "':'");
}

/* Four hexadecimal digits. */
static bool take_unit(weir_json *j, int32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        if (j->at == j->end || !isxdigit((unsigned char)*j->at))
            return fail(j, "four hexadecimal digits");
        int lower = tolower((unsigned char)*j->at);
        *out = *out * 16 + (lower <= '9' ? lower - '0' : lower - 'a' + 10);
    }
    return true;
}

/* After "\u": a code point, which may be two units of UTF-16. An unpaired surrogate is U+FFFD. */
static bool take_code_point(weir_json *j, weir_buf *out)
{
    int32_t high, low;
    if (!take_unit(j, &high))
        return false;
    bool pair = high >= 0xd800 && high < 0xdc00 && j->end - j->at >= 6 && j->at[0] == '\\' &&
                j->at[1] == 'u';
    const char *second = j->at;
    if (pair) {
        j->at += 2;
        if (!take_unit(j, &low))
            return false;
        pair = low >= 0xdc00 && low < 0xe000;
        high = pair ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : high;
        j->at = pair ? j->at : second;
    }
    weir_utf8_add(out, high >= 0xd800 && high < 0xe000 ? 0xfffd : high);
    return true;
}

static bool unescape(weir_json *j, weir_buf *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (j->at == j->end)
        return fail(j, "a closing quote");
    char c = *j->at++;
    const char *known = c ? strchr(letters, c) : NULL;
    if (known) {
        weir_buf_addc(out, meant[known - letters]);
        return true;
    }
    return c == 'u' ? take_code_point(j, out) : fail(j, "an escape");
}

bool weir_json_string(weir_json *j, weir_buf *out)
{
    if (!take(j, '"'))
        return fail(j, "a string in double quotes");
    out->length = 0;
    weir_buf_reserve(out, 1);
    out->at[0] = 0;
    while (j->at < j->end && *j->at != '"') {
        char c = *j->at++;
        if (c != '\\')
            weir_buf_addc(out, c);
        else if (!unescape(j, out))
            return false;
    }
    return take(j, '"') || fail(j, "a closing quote");
}

bool weir_json_int(weir_json *j, int64_t *out)
{
    bool quoted = take(j, '"');
    weir_json_peek(j);
    const char *from = j->at;
    while (j->at < j->end && (isdigit((unsigned char)*j->at) || *j->at == '-'))
        j->at++;
    if (!weir_parse_i64((weir_str){from, (size_t)(j->at - from)}, out)) {
        j->at = from;
        return fail(j, "a whole number");
    }
    return !quoted || take(j, '"') || fail(j, "a closing quote");
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return at;
}

/* The end of a number as JSON's grammar has it; null if it is none. */
static const char *number_end(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *whole = at;
    at = skip_digits(at, end);
    if (at == whole || (*whole == '0' && at > whole + 1))
        return NULL;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at, end);
        if (at == fraction)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        const char *exponent = at;
        at = skip_digits(at, end);
        if (at == exponent)
            return NULL;
    }
    return at;
}

bool weir_json_number(weir_json *j, weir_str *out)
{
    weir_json_peek(j);
    const char *end = j->failed ? NULL : number_end(j->at, j->end);
    if (!end)
        return fail(j, "a number");
    *out = (weir_str){j->at, (size_t)(end - j->at)};
    j->at = end;
    return true;
}

bool weir_json_real(weir_json *j, double *out)
{
    weir_str text;
    return weir_json_number(j, &text) && (weir_parse_f64(text, out) || fail(j, "a number"));
}

bool weir_json_word(weir_json *j, const char *word)
{
    size_t length = strlen(word);
    weir_json_peek(j);
    if (j->failed || (size_t)(j->end - j->at) < length || memcmp(j->at, word, length) != 0 ||
        ((size_t)(j->end - j->at) > length && isalnum((unsigned char)j->at[length])))
        return false;
    j->at += length;
    return true;
}

static bool skip_members(weir_json *j, char open)
{
    WEIR_BUF(key);
    bool ok = weir_json_open(j, open);
    while (ok && (open == '{' ? weir_json_key(j, &key) : weir_json_item(j)))
        ok = weir_json_skip(j);
    return !j->failed;
}

bool weir_json_skip(weir_json *j)
{
    char c = weir_json_peek(j);
    if (c == '{' || c == '[') {
        if (++j->depth > MAX_DEPTH)
            return fail(j, "less nesting");
        bool ok = skip_members(j, c);
        j->depth--;
        return ok;
    }
    if (c == '"') {
        WEIR_BUF(text);
        bool ok = weir_json_string(j, &text);
        return ok;
    }
    const char *from = j->at;
    while (j->at < j->end && (isalnum((unsigned char)*j->at) || memchr("+-.", *j->at, 3)))
        j->at++;
    return (j->at > from && !j->failed) || fail(j, "a value");
}

bool weir_json_end(weir_json *j)
{
    if (!j->failed && weir_json_peek(j) != 0)
        return fail(j, "the end");
    return !j->failed;
}

weir_status weir_json_error(const weir_json *j)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "not JSON as expected: %s is missing at character %zu",
                      j->wanted ? j->wanted : "something", (size_t)(j->at - j->start) + 1);
}
