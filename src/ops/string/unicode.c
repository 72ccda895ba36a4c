/* ops/string/unicode.c - UnicodeTranscode, UnicodeDecode, UnicodeDecodeWithOffsets, UnicodeEncode:
 * between UTF-8, UTF-16, UTF-32, ASCII and Latin-1. */
#include <strings.h>

#include "base/utf8.h"
#include "ops/string/string_impl.h"

typedef enum encoding { UTF8, UTF16BE, UTF32BE, ASCII, LATIN1, UTF16LE, UTF32LE } encoding;

static weir_status parse_encoding(weir_str name, encoding *out)
{
    static const struct {
        const char *name;
        encoding encoding;
    } names[] = {{"UTF-8", UTF8},        {"UTF8", UTF8},         {"UTF-16-BE", UTF16BE},
                 {"UTF-16BE", UTF16BE},  {"UTF-32-BE", UTF32BE}, {"UTF-32BE", UTF32BE},
                 {"US-ASCII", ASCII},    {"ASCII", ASCII},       {"ISO-8859-1", LATIN1},
                 {"LATIN1", LATIN1},     {"UTF-16-LE", UTF16LE}, {"UTF-16LE", UTF16LE},
                 {"UTF-32-LE", UTF32LE}, {"UTF-32LE", UTF32LE}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.length == strlen(names[i].name) &&
            strncasecmp(name.at, names[i].name, name.length) == 0) {
            *out = names[i].encoding;
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Could not create converter for input encoding: %.*s",
                      WEIR_STR_ARG(name));
}

/* What to do with what is malformed. */
typedef struct policy {
    bool strict, ignore;
    int32_t replacement;
    bool replace_control; /* C0 controls too */
} policy;

static weir_status read_policy(const weir_site *s, int errors, int replacement, int control,
                               policy *out)
{
    weir_str how = weir_site_str(s, errors);
    int64_t cp = weir_site_int(s, replacement);
    if (cp < 0 || cp > WEIR_UNICODE_LAST || (cp >= 0xd800 && cp < 0xe000))
        return weir_error(WEIR_INVALID_ARGUMENT, "replacement_char out of unicode codepoint range");
    *out = (policy){.strict = weir_str_is(how, "strict"),
                    .ignore = weir_str_is(how, "ignore"),
                    .replacement = (int32_t)cp,
                    .replace_control = control >= 0 && weir_site_bool(s, control)};
    return WEIR_OK;
}

static uint32_t word_at(const uint8_t *p, int bytes, bool little)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[little ? bytes - 1 - i : i];
    return v;
}

static int32_t get_utf16(weir_str s, bool little, size_t *n)
{
    const uint8_t *p = (const uint8_t *)s.at;
    *n = s.length < 2 ? s.length : 2;
    if (s.length < 2)
        return WEIR_UTF8_BAD;
    uint32_t high = word_at(p, 2, little);
    if (high < 0xd800 || high > 0xdfff)
        return (int32_t)high;
    if (high > 0xdbff || s.length < 4)
        return WEIR_UTF8_BAD;
    uint32_t low = word_at(p + 2, 2, little);
    if (low < 0xdc00 || low > 0xdfff)
        return WEIR_UTF8_BAD;
    *n = 4;
    return (int32_t)(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
}

static int32_t get_utf32(weir_str s, bool little, size_t *n)
{
    *n = s.length < 4 ? s.length : 4;
    if (s.length < 4)
        return WEIR_UTF8_BAD;
    uint32_t v = word_at((const uint8_t *)s.at, 4, little);
    return v > WEIR_UNICODE_LAST || (v >= 0xd800 && v < 0xe000) ? WEIR_UTF8_BAD : (int32_t)v;
}

/* How many bytes at the front of |s| are the start of something that could have been UTF-8: they
 * are replaced together. */
static size_t bad_utf8(weir_str s)
{
    const uint8_t *p = (const uint8_t *)s.at;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 1;
    size_t need = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2, n = 1;
    uint8_t low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    uint8_t high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    for (; n < need && n < s.length && p[n] >= low && p[n] <= high; n++)
        low = 0x80, high = 0xbf;
    return n;
}

static int32_t get_utf8(weir_str s, size_t *n)
{
    int32_t cp = weir_utf8_get(s, n);
    if (cp == WEIR_UTF8_BAD)
        *n = bad_utf8(s);
    return cp;
}

/* The code point at the front of |s|, or WEIR_UTF8_BAD, and the bytes it takes. */
static int32_t get(encoding e, weir_str s, size_t *n)
{
    uint8_t first = (uint8_t)s.at[0];
    *n = 1;
    switch (e) {
    case UTF8:
        return get_utf8(s, n);
    case UTF16BE:
    case UTF16LE:
        return get_utf16(s, e == UTF16LE, n);
    case UTF32BE:
    case UTF32LE:
        return get_utf32(s, e == UTF32LE, n);
    case ASCII:
        return first < 0x80 ? first : WEIR_UTF8_BAD;
    default:
        return first;
    }
}

static void put_word(weir_buf *out, uint32_t v, int bytes)
{
    while (bytes--)
        weir_buf_addc(out, (char)(v >> (8 * bytes)));
}

static void put(encoding e, int32_t cp, weir_buf *out)
{
    if (e == UTF8) {
        weir_utf8_add(out, cp);
    } else if (e == UTF32BE) {
        put_word(out, (uint32_t)cp, 4);
    } else if (cp < 0x10000) {
        put_word(out, (uint32_t)cp, 2);
    } else {
        put_word(out, 0xd800 + (((uint32_t)cp - 0x10000) >> 10), 2);
        put_word(out, 0xdc00 + ((uint32_t)cp & 0x3ff), 2);
    }
}

/* The next code point after |p|; *out_cp is -1 when it is to be left out. */
static weir_status next(encoding e, const policy *p, weir_str *rest, int32_t *out_cp)
{
    size_t n;
    int32_t cp = get(e, *rest, &n);
    *rest = (weir_str){rest->at + n, rest->length - n};
    bool control = p->replace_control && cp >= 0 && cp < 32;
    if (cp == WEIR_UTF8_BAD && p->strict)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid formatting on input string");
    if (cp == WEIR_UTF8_BAD || control)
        cp = p->ignore ? -1 : p->replacement;
    *out_cp = cp;
    return WEIR_OK;
}

/* ---- UnicodeTranscode ---- */

enum { TRANSCODE_IN, TRANSCODE_OUT, TRANSCODE_ERRORS, TRANSCODE_CHAR, TRANSCODE_CONTROL };

typedef struct transcoding {
    encoding from, to;
    policy policy;
} transcoding;

static weir_status transcode_one(weir_call *c, const void *arg, weir_str in, weir_buf *out)
{
    const transcoding *t = arg;
    while (in.length) {
        int32_t cp;
        WEIR_TRY(next(t->from, &t->policy, &in, &cp));
        if (cp >= 0)
            put(t->to, cp, out);
    }
    return WEIR_OK;
}

static weir_status transcode(weir_call *c)
{
    transcoding t;
    WEIR_TRY(parse_encoding(weir_site_str(c->site, TRANSCODE_IN), &t.from));
    WEIR_TRY(parse_encoding(weir_site_str(c->site, TRANSCODE_OUT), &t.to));
    WEIR_TRY(read_policy(c->site, TRANSCODE_ERRORS, TRANSCODE_CHAR, TRANSCODE_CONTROL, &t.policy));
    return weir_string_map(c, transcode_one, &t);
}

const weir_op weir_op_unicode_transcode = {
    .name = "UnicodeTranscode",
    .in = "input: string",
    .out = "output: string",
    .attrs = "input_encoding: string; output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}; "
             "errors: {'strict', 'replace', 'ignore'} = \"replace\"; replacement_char: int = "
             "65533; replace_control_characters: bool = false",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", transcode}},
};

/* ---- UnicodeDecode, with and without offsets ---- */

enum { DECODE_IN, DECODE_ERRORS, DECODE_CHAR, DECODE_CONTROL };

typedef struct decoded {
    WEIR_VEC(int32_t) points;
    WEIR_VEC(int64_t) starts; /* byte offset of each in its string */
} decoded;

static weir_status decode_one(encoding e, const policy *p, weir_str s, decoded *d)
{
    weir_str rest = s;
    while (rest.length) {
        int64_t start = rest.at - s.at;
        int32_t cp;
        WEIR_TRY(next(e, p, &rest, &cp));
        if (cp < 0)
            continue;
        weir_vec_push(&d->points, cp);
        weir_vec_push(&d->starts, start);
    }
    return WEIR_OK;
}

static void put_split(weir_tensor *t, int64_t i, int64_t v)
{
    if (t->dtype == WEIR_INT32)
        ((int32_t *)t->data)[i] = (int32_t)v;
    else
        ((int64_t *)t->data)[i] = v;
}

static weir_status decode_all(weir_call *c, decoded *d)
{
    const weir_tensor *in = weir_in(c, 0);
    encoding e;
    policy p;
    WEIR_TRY(parse_encoding(weir_site_str(c->site, DECODE_IN), &e));
    WEIR_TRY(read_policy(c->site, DECODE_ERRORS, DECODE_CHAR, DECODE_CONTROL, &p));
    weir_shape splits = weir_shape_vector(weir_tensor_count(in) + 1);
    WEIR_TRY(weir_call_alloc(c, 0, &splits));
    put_split(weir_out(c, 0), 0, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        WEIR_TRY(decode_one(e, &p, weir_str_at(in, i), d));
        put_split(weir_out(c, 0), i + 1, (int64_t)d->points.count);
    }
    weir_shape count = weir_shape_vector((int64_t)d->points.count);
    WEIR_TRY(weir_call_alloc(c, 1, &count));
    if (d->points.count)
        memcpy(weir_out(c, 1)->data, d->points.at, d->points.count * sizeof *d->points.at);
    if (c->site->out_count < 3)
        return WEIR_OK;
    WEIR_TRY(weir_call_alloc(c, 2, &count));
    if (d->starts.count)
        memcpy(weir_out(c, 2)->data, d->starts.at, d->starts.count * sizeof *d->starts.at);
    return WEIR_OK;
}

static weir_status decode(weir_call *c)
{
    decoded d = {0};
    weir_status status = decode_all(c, &d);
    weir_vec_fini(&d.points);
    weir_vec_fini(&d.starts);
    return status;
}

static weir_status infer_decode(weir_infer *i)
{
    int64_t count = weir_shape_count(i->in[0]);
    i->out[0] = weir_shape_vector(count < 0 ? -1 : count + 1);
    for (int o = 1; o < i->out_count; o++)
        i->out[o] = weir_shape_vector(-1);
    return WEIR_OK;
}

#define DECODE_ATTRS                                                                               \
    "input_encoding: string; errors: {'strict', 'replace', 'ignore'} = \"replace\"; "              \
    "replacement_char: int = 65533; replace_control_characters: bool = false; Tsplits: {int32, "   \
    "int64} = DT_INT64"

const weir_op weir_op_unicode_decode = {
    .name = "UnicodeDecode",
    .in = "input: string",
    .out = "row_splits: Tsplits; char_values: int32",
    .attrs = DECODE_ATTRS,
    .infer = infer_decode,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_unicode_decode_with_offsets = {
    .name = "UnicodeDecodeWithOffsets",
    .in = "input: string",
    .out = "row_splits: Tsplits; char_values: int32; char_to_byte_starts: int64",
    .attrs = DECODE_ATTRS,
    .infer = infer_decode,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode, WEIR_OWN_OUTPUTS}},
};

/* ---- UnicodeEncode ---- */

enum { ENCODE_ERRORS, ENCODE_OUT, ENCODE_CHAR };

static int64_t split_at(const weir_tensor *t, int64_t i)
{
    return t->dtype == WEIR_INT32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
}

static weir_status encode_row(weir_call *c, encoding e, const policy *p, int64_t from, int64_t to,
                              weir_buf *out)
{
    const weir_tensor *values = weir_in(c, 0);
    for (int64_t i = from; i < to; i++) {
        int32_t cp = ((const int32_t *)values->data)[i];
        bool bad = cp < 0 || cp > WEIR_UNICODE_LAST || (cp >= 0xd800 && cp < 0xe000);
        if (bad && p->strict)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Code point is out of range for Unicode, or a noncharacter.");
        if (!bad || !p->ignore)
            put(e, bad ? p->replacement : cp, out);
    }
    return WEIR_OK;
}

static weir_status check_splits(const weir_tensor *splits, int64_t values)
{
    int64_t count = weir_tensor_count(splits);
    if (split_at(splits, 0) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "First value in input_splits must be zero.");
    if (split_at(splits, count - 1) != values)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Last value in input_splits must be equal to length of input_tensor.");
    for (int64_t i = 1; i < count; i++)
        if (split_at(splits, i) < split_at(splits, i - 1))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Values in input_splits must be equal or in ascending order.");
    return WEIR_OK;
}

static weir_status encode(weir_call *c)
{
    encoding e;
    policy p;
    WEIR_TRY(check_splits(weir_in(c, 1), weir_tensor_count(weir_in(c, 0))));
    WEIR_TRY(parse_encoding(weir_site_str(c->site, ENCODE_OUT), &e));
    WEIR_TRY(read_policy(c->site, ENCODE_ERRORS, ENCODE_CHAR, -1, &p));
    const weir_tensor *splits = weir_in(c, 1);
    WEIR_BUF(b);
    for (int64_t i = 0; i < weir_tensor_count(weir_out(c, 0)); i++) {
        b.length = 0;
        WEIR_TRY(encode_row(c, e, &p, split_at(splits, i), split_at(splits, i + 1), &b));
        weir_str_put(weir_out(c, 0), i, weir_view(&b));
    }
    return WEIR_OK;
}

static weir_status infer_encode(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 1));
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    int64_t splits = weir_infer_dim(i, 1, 0);
    if (splits == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid input_splits given.");
    i->out[0] = weir_shape_vector(splits < 0 ? -1 : splits - 1);
    return WEIR_OK;
}

const weir_op weir_op_unicode_encode = {
    .name = "UnicodeEncode",
    .in = "input_values: int32; input_splits: Tsplits",
    .out = "output: string",
    .attrs = "errors: {'ignore', 'replace', 'strict'} = \"replace\"; output_encoding: {'UTF-8', "
             "'UTF-16-BE', 'UTF-32-BE'}; replacement_char: int = 65533; Tsplits: {int32, int64} = "
             "DT_INT64",
    .infer = infer_encode,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode}},
};
