/* ops/string/unicode.c - UnicodeTranscode, UnicodeDecode, UnicodeDecodeWithOffsets, UnicodeEncode:
 * converts between UTF-8, UTF-16, UTF-32, ASCII and Latin-1; from others by iconv. */
#include <ctype.h>
#include <iconv.h>

#include "base/utf8.h"
#include "ops/string/string_impl.h"

typedef enum encoding {
    UTF8,
    UTF16BE,
    UTF32BE,
    ASCII,
    LATIN1,
    UTF16LE,
    UTF32LE,
    UTF16,  /* by byte order mark; default big-endian */
    UTF32,  /* likewise */
    OTHERS, /* OTHERS + i: others[i], by iconv */
} encoding;

static const struct {
    const char *name;  /* upper case, only letters and digits */
    const char *iconv; /* its name for iconv */
} others[] = {
    {"SHIFTJIS", "CP932"},
    {"SJIS", "CP932"},
    {"CP932", "CP932"},
    {"EUCJP", "EUC-JP"},
    {"EUCKR", "EUC-KR"},
    {"GB18030", "GB18030"},
    {"GBK", "GBK"},
    {"GB2312", "GB2312"},
    {"BIG5", "BIG5"},
    {"KOI8R", "KOI8-R"},
    {"KOI8U", "KOI8-U"},
    {"ISO88592", "ISO-8859-2"},
    {"ISO88595", "ISO-8859-5"},
    {"ISO88597", "ISO-8859-7"},
    {"ISO88599", "ISO-8859-9"},
    {"ISO885915", "ISO-8859-15"},
    {"WINDOWS1250", "CP1250"},
    {"WINDOWS1251", "CP1251"},
    {"WINDOWS1252", "CP1252"},
    {"WINDOWS1253", "CP1253"},
    {"WINDOWS1254", "CP1254"},
    {"WINDOWS1256", "CP1256"},
    {"MACINTOSH", "MACINTOSH"},
    {"TIS620", "TIS-620"},
};
enum { OTHER_COUNT = sizeof others / sizeof *others };

/* This thread's converter from others[i] to code points; (iconv_t)-1 if unavailable. */
static iconv_t converter(int i)
{
    static _Thread_local iconv_t open[OTHER_COUNT];
    if (!open[i])
        open[i] = iconv_open("UTF-32BE", others[i].iconv);
    return open[i];
}

/* Normalises a name: ignores case, dashes and the like. */
static void plain_name(weir_str name, weir_buf *out)
{
    for (size_t i = 0; i < name.length; i++)
        if (isalnum((unsigned char)name.at[i]))
            weir_buf_addc(out, (char)toupper((unsigned char)name.at[i]));
    weir_buf_addc(out, 0);
}

static weir_status parse_encoding(weir_str name, encoding *out)
{
    static const struct {
        const char *name;
        encoding encoding;
    } names[] = {{"UTF8", UTF8},     {"UTF16BE", UTF16BE}, {"UTF32BE", UTF32BE},
                 {"USASCII", ASCII}, {"ASCII", ASCII},     {"ISO88591", LATIN1},
                 {"LATIN1", LATIN1}, {"UTF16LE", UTF16LE}, {"UTF32LE", UTF32LE},
                 {"UTF16", UTF16},   {"UTF32", UTF32}};
    WEIR_BUF(plain);
    plain_name(name, &plain);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(plain.at, names[i].name) == 0) {
            *out = names[i].encoding;
            return WEIR_OK;
        }
    for (int i = 0; i < OTHER_COUNT; i++)
        if (strcmp(plain.at, others[i].name) == 0 && converter(i) != (iconv_t)-1) {
            *out = (encoding)(OTHERS + i);
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Could not create converter for input encoding: %.*s",
                      WEIR_STR_ARG(name));
}

/* The encoding of |text|; removes its byte order mark if that determines it. */
static encoding resolve(encoding named, weir_str *text)
{
    static const struct {
        encoding of, is;
        weir_str mark;
    } marks[] = {{UTF16, UTF16BE, {"\xfe\xff", 2}},
                 {UTF16, UTF16LE, {"\xff\xfe", 2}},
                 {UTF32, UTF32BE, {"\0\0\xfe\xff", 4}}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i].of == named && text->length >= marks[i].mark.length &&
            memcmp(text->at, marks[i].mark.at, marks[i].mark.length) == 0) {
            text->at += marks[i].mark.length;
            text->length -= marks[i].mark.length;
            return marks[i].is;
        }
    return named == UTF16 ? UTF16BE : named == UTF32 ? UTF32BE : named;
}

/* Handling of malformed input. */
typedef struct policy {
    bool strict, ignore;
    int32_t replacement;
    bool replace_control; /* C0 controls too */
} policy;

static weir_status read_policy(const weir_site *site, int errors, int replacement, int control,
                               policy *out)
{
    weir_str how = weir_site_str(site, errors);
    int64_t cp = weir_site_int(site, replacement);
    if (cp < 0 || cp > WEIR_UNICODE_LAST || (cp >= 0xd800 && cp < 0xe000))
        return weir_error(WEIR_INVALID_ARGUMENT, "replacement_char out of unicode codepoint range");
    *out = (policy){.strict = weir_str_is(how, "strict"),
                    .ignore = weir_str_is(how, "ignore"),
                    .replacement = (int32_t)cp,
                    .replace_control = control >= 0 && weir_site_bool(site, control)};
    return WEIR_OK;
}

static uint32_t word_at(const uint8_t *at, int bytes, bool little)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[little ? bytes - 1 - i : i];
    return value;
}

static int32_t get_utf16(weir_str text, bool little, size_t *count)
{
    const uint8_t *bytes = (const uint8_t *)text.at;
    *count = text.length < 2 ? text.length : 2;
    if (text.length < 2)
        return WEIR_UTF8_BAD;
    uint32_t high = word_at(bytes, 2, little);
    if (high < 0xd800 || high > 0xdfff)
        return (int32_t)high;
    if (high > 0xdbff || text.length < 4)
        return WEIR_UTF8_BAD;
    uint32_t low = word_at(bytes + 2, 2, little);
    if (low < 0xdc00 || low > 0xdfff)
        return WEIR_UTF8_BAD;
    *count = 4;
    return (int32_t)(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
}

static int32_t get_utf32(weir_str text, bool little, size_t *count)
{
    *count = text.length < 4 ? text.length : 4;
    if (text.length < 4)
        return WEIR_UTF8_BAD;
    uint32_t value = word_at((const uint8_t *)text.at, 4, little);
    return value > WEIR_UNICODE_LAST || (value >= 0xd800 && value < 0xe000) ? WEIR_UTF8_BAD
                                                                            : (int32_t)value;
}

/* The length of the malformed UTF-8 sequence at the front of |text|: it is replaced as a
 * unit. */
static size_t bad_utf8(weir_str text)
{
    const uint8_t *bytes = (const uint8_t *)text.at;
    if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
        return 1;
    size_t need = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2, count = 1;
    uint8_t low = bytes[0] == 0xe0 ? 0xa0 : bytes[0] == 0xf0 ? 0x90 : 0x80;
    uint8_t high = bytes[0] == 0xed ? 0x9f : bytes[0] == 0xf4 ? 0x8f : 0xbf;
    for (; count < need && count < text.length && bytes[count] >= low && bytes[count] <= high;
         count++)
        low = 0x80, high = 0xbf;
    return count;
}

static int32_t get_utf8(weir_str text, size_t *count)
{
    int32_t cp = weir_utf8_get(text, count);
    if (cp == WEIR_UTF8_BAD)
        *count = bad_utf8(text);
    return cp;
}

/* Passes increasing numbers of bytes until they form a character. */
static int32_t get_other(int i, weir_str text, size_t *count)
{
    enum { MOST = 4 };
    for (size_t bytes = 1; bytes <= MOST && bytes <= text.length; bytes++) {
        uint8_t made[8];
        char *in = (char *)text.at, *out = (char *)made;
        size_t in_left = bytes, out_left = sizeof made;
        iconv(converter(i), NULL, NULL, NULL, NULL);
        if (iconv(converter(i), &in, &in_left, &out, &out_left) == 0 && out_left < sizeof made) {
            *count = bytes;
            return (int32_t)word_at(made, 4, false);
        }
    }
    *count = 1;
    return WEIR_UTF8_BAD;
}

/* The code point at the front of |text|, or WEIR_UTF8_BAD, and the bytes it takes. */
static int32_t get(encoding encoding, weir_str text, size_t *count)
{
    uint8_t first = (uint8_t)text.at[0];
    *count = 1;
    switch (encoding) {
    case UTF8:
        return get_utf8(text, count);
    case UTF16BE:
    case UTF16LE:
        return get_utf16(text, encoding == UTF16LE, count);
    case UTF32BE:
    case UTF32LE:
        return get_utf32(text, encoding == UTF32LE, count);
    case ASCII:
        return first < 0x80 ? first : WEIR_UTF8_BAD;
    case LATIN1:
        return first;
    default:
        return get_other((int)encoding - OTHERS, text, count);
    }
}

static void put_word(weir_buf *out, uint32_t value, int bytes)
{
    while (bytes--)
        weir_buf_addc(out, (char)(value >> (8 * bytes)));
}

static void put(encoding encoding, int32_t cp, weir_buf *out)
{
    if (encoding == UTF8) {
        weir_utf8_add(out, cp);
    } else if (encoding == UTF32BE) {
        put_word(out, (uint32_t)cp, 4);
    } else if (cp < 0x10000) {
        put_word(out, (uint32_t)cp, 2);
    } else {
        put_word(out, 0xd800 + (((uint32_t)cp - 0x10000) >> 10), 2);
        put_word(out, 0xdc00 + ((uint32_t)cp & 0x3ff), 2);
    }
}

/* The next code point after applying |policy|; *out_cp is -1 if it is dropped. */
static weir_status next(encoding encoding, const policy *policy, weir_str *rest, int32_t *out_cp)
{
    size_t count;
    int32_t cp = get(encoding, *rest, &count);
    *rest = (weir_str){rest->at + count, rest->length - count};
    bool control = policy->replace_control && cp >= 0 && cp < 32;
    if (cp == WEIR_UTF8_BAD && policy->strict)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid formatting on input string");
    if (cp == WEIR_UTF8_BAD || control)
        cp = policy->ignore ? -1 : policy->replacement;
    *out_cp = cp;
    return WEIR_OK;
}

/* ---- UnicodeTranscode ---- */

enum { TRANSCODE_IN, TRANSCODE_OUT, TRANSCODE_ERRORS, TRANSCODE_CHAR, TRANSCODE_CONTROL };

typedef struct transcoding {
    encoding from, to;
    policy policy;
} transcoding;

static weir_status transcode_one(weir_call *call, const void *arg, weir_str in, weir_buf *out)
{
    const transcoding *transcoding = arg;
    encoding from = resolve(transcoding->from, &in);
    while (in.length) {
        int32_t cp;
        WEIR_TRY(next(from, &transcoding->policy, &in, &cp));
        if (cp >= 0)
            put(transcoding->to, cp, out);
    }
    return WEIR_OK;
}

static weir_status transcode(weir_call *call)
{
    transcoding transcoding;
    WEIR_TRY(parse_encoding(weir_site_str(call->site, TRANSCODE_IN), &transcoding.from));
    WEIR_TRY(parse_encoding(weir_site_str(call->site, TRANSCODE_OUT), &transcoding.to));
    WEIR_TRY(read_policy(call->site, TRANSCODE_ERRORS, TRANSCODE_CHAR, TRANSCODE_CONTROL,
                         &transcoding.policy));
    return weir_string_map(call, transcode_one, &transcoding);
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

static weir_status decode_one(encoding encoding, const policy *policy, weir_str text,
                              decoded *decoded)
{
    weir_str rest = text;
    encoding = resolve(encoding, &rest);
    while (rest.length) {
        int64_t start = rest.at - text.at;
        int32_t cp;
        WEIR_TRY(next(encoding, policy, &rest, &cp));
        if (cp < 0)
            continue;
        weir_vec_push(&decoded->points, cp);
        weir_vec_push(&decoded->starts, start);
    }
    return WEIR_OK;
}

static void put_split(weir_tensor *tensor, int64_t i, int64_t value)
{
    if (tensor->dtype == WEIR_INT32)
        ((int32_t *)tensor->data)[i] = (int32_t)value;
    else
        ((int64_t *)tensor->data)[i] = value;
}

static weir_status decode_all(weir_call *call, decoded *decoded)
{
    const weir_tensor *in = weir_in(call, 0);
    encoding encoding;
    policy policy;
    WEIR_TRY(parse_encoding(weir_site_str(call->site, DECODE_IN), &encoding));
    WEIR_TRY(read_policy(call->site, DECODE_ERRORS, DECODE_CHAR, DECODE_CONTROL, &policy));
    weir_shape splits = weir_shape_vector(weir_tensor_count(in) + 1);
    WEIR_TRY(weir_call_alloc(call, 0, &splits));
    put_split(weir_out(call, 0), 0, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        WEIR_TRY(decode_one(encoding, &policy, weir_str_at(in, i), decoded));
        put_split(weir_out(call, 0), i + 1, (int64_t)decoded->points.count);
    }
    weir_shape count = weir_shape_vector((int64_t)decoded->points.count);
    WEIR_TRY(weir_call_alloc(call, 1, &count));
    if (decoded->points.count)
        memcpy(weir_out(call, 1)->data, decoded->points.at,
               decoded->points.count * sizeof *decoded->points.at);
    if (call->site->out_count < 3)
        return WEIR_OK;
    WEIR_TRY(weir_call_alloc(call, 2, &count));
    if (decoded->starts.count)
        memcpy(weir_out(call, 2)->data, decoded->starts.at,
               decoded->starts.count * sizeof *decoded->starts.at);
    return WEIR_OK;
}

static weir_status decode(weir_call *call)
{
    decoded decoded = {0};
    weir_status status = decode_all(call, &decoded);
    weir_vec_fini(&decoded.points);
    weir_vec_fini(&decoded.starts);
    return status;
}

static weir_status infer_decode(weir_infer *infer)
{
    int64_t count = weir_shape_count(infer->in[0]);
    infer->out[0] = weir_shape_vector(count < 0 ? -1 : count + 1);
    for (int output = 1; output < infer->out_count; output++)
        infer->out[output] = weir_shape_vector(-1);
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

static int64_t split_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT32 ? ((const int32_t *)tensor->data)[i]
                                       : ((const int64_t *)tensor->data)[i];
}

static weir_status encode_row(weir_call *call, encoding encoding, const policy *policy,
                              int64_t from, int64_t to, weir_buf *out)
{
    const weir_tensor *values = weir_in(call, 0);
    for (int64_t i = from; i < to; i++) {
        int32_t cp = ((const int32_t *)values->data)[i];
        bool bad = cp < 0 || cp > WEIR_UNICODE_LAST || (cp >= 0xd800 && cp < 0xe000);
        if (bad && policy->strict)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Code point is out of range for Unicode, or a noncharacter.");
        if (!bad || !policy->ignore)
            put(encoding, bad ? policy->replacement : cp, out);
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

static weir_status encode(weir_call *call)
{
    encoding encoding;
    policy policy;
    WEIR_TRY(check_splits(weir_in(call, 1), weir_tensor_count(weir_in(call, 0))));
    WEIR_TRY(parse_encoding(weir_site_str(call->site, ENCODE_OUT), &encoding));
    WEIR_TRY(read_policy(call->site, ENCODE_ERRORS, ENCODE_CHAR, -1, &policy));
    const weir_tensor *splits = weir_in(call, 1);
    WEIR_BUF(buf);
    for (int64_t i = 0; i < weir_tensor_count(weir_out(call, 0)); i++) {
        buf.length = 0;
        WEIR_TRY(encode_row(call, encoding, &policy, split_at(splits, i), split_at(splits, i + 1),
                            &buf));
        weir_str_put(weir_out(call, 0), i, weir_view(&buf));
    }
    return WEIR_OK;
}

static weir_status infer_encode(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t splits = weir_infer_dim(infer, 1, 0);
    if (splits == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid input_splits given.");
    infer->out[0] = weir_shape_vector(splits < 0 ? -1 : splits - 1);
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
