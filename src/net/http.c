/* net/http.c - the head of an HTTP/1.1 request; pure. */
#include "net/http.h"

#include <ctype.h>

#include "base/mem.h"

void weir_http_parser_fini(weir_http_parser *parser)
{
    weir_buf_fini(&parser->head);
}

void weir_http_next(weir_http_parser *parser)
{
    parser->head.length = parser->seen = 0;
}

/* ---- characters --------------------------------------------------------------------------------
 */

static bool is_token(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool all_token(weir_str text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!is_token(text.at[i]))
            return false;
    return text.length > 0;
}

static bool all_visible(weir_str text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] < 0x21 || text.at[i] > 0x7e)
            return false;
    return text.length > 0;
}

/* A header's value: no control characters but tabs. */
static bool is_value(weir_str text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.at[i] < 0x20 ? text.at[i] != '\t' : text.at[i] == 0x7f)
            return false;
    return true;
}

static bool same_word(weir_str text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.at, word, text.length) == 0;
}

static weir_str trimmed(weir_str text)
{
    while (text.length && (*text.at == ' ' || *text.at == '\t'))
        text.at++, text.length--;
    while (text.length && (text.at[text.length - 1] == ' ' || text.at[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/* Splits |text| at the first |c|; false if there is none. */
static bool cut(weir_str *text, char c, weir_str *out_first)
{
    const char *at = text->length ? memchr(text->at, c, text->length) : NULL;
    if (!at)
        return false;
    *out_first = (weir_str){text->at, (size_t)(at - text->at)};
    *text = (weir_str){at + 1, text->length - out_first->length - 1};
    return true;
}

/* ---- lines -------------------------------------------------------------------------------------
 */

/* The first line: "GET /path?query HTTP/1.1". Returns an error status, or 0. */
static int read_start(weir_str line, weir_http_request *out, bool *out_old)
{
    weir_str target, rest = line;
    if (!cut(&rest, ' ', &out->method) || !cut(&rest, ' ', &target))
        return 400;
    if (!all_token(out->method) || !all_visible(target) || target.at[0] != '/')
        return 400;
    *out_old = weir_str_is(rest, "HTTP/1.0");
    if (!*out_old && !weir_str_is(rest, "HTTP/1.1"))
        return rest.length > 5 && memcmp(rest.at, "HTTP/", 5) == 0 ? 505 : 400;
    out->query = (weir_str){0};
    weir_str path = target;
    if (cut(&target, '?', &path))
        out->query = target;
    out->path = path;
    out->keep_alive = !*out_old;
    return weir_str_is(out->method, "GET") || weir_str_is(out->method, "HEAD") ? 0 : 405;
}

static int read_header(weir_str line, weir_http_request *out)
{
    weir_str name, value = line;
    if (!cut(&value, ':', &name) || !all_token(name) || !is_value(value))
        return 400;
    value = trimmed(value);
    if (same_word(name, "host")) {
        if (out->host.at || !all_visible(value)) /* duplicate, or empty */
            return 400;
        out->host = value;
    } else if (same_word(name, "connection")) {
        out->keep_alive = out->keep_alive && !same_word(value, "close");
    } else if (same_word(name, "content-length")) {
        return weir_str_is(value, "0") ? 0 : 413;
    } else if (same_word(name, "transfer-encoding") || same_word(name, "expect")) {
        return 501;
    }
    return 0;
}

/* The lines of a head, without the empty one at its end. */
static int read_head(weir_str head, weir_http_request *out)
{
    *out = (weir_http_request){0};
    int status = 0, lines = 0;
    bool old = false;
    while (head.length && !status) {
        weir_str line;
        if (!cut(&head, '\n', &line) || !line.length || line.at[line.length - 1] != '\r')
            return 400;
        line.length--;
        if (lines++ == 0)
            status = read_start(line, out, &old);
        else
            status = lines > WEIR_HTTP_HEADERS ? 431 : read_header(line, out);
    }
    return status || out->host.at || old ? status : 400;
}

/* The offset after the head's empty line; 0: not yet complete. */
static size_t end_of_head(weir_http_parser *parser)
{
    const weir_buf *head = &parser->head;
    size_t from = parser->seen > 3 ? parser->seen - 3 : 0;
    const char *at =
        head->length > from ? memmem(head->at + from, head->length - from, "\r\n\r\n", 4) : NULL;
    parser->seen = head->length;
    return at ? (size_t)(at - head->at) + 4 : 0;
}

weir_http_state weir_http_feed(weir_http_parser *parser, const char *bytes, size_t count,
                               size_t *out_used, weir_http_request *out, int *out_status)
{
    size_t before = parser->head.length, room = WEIR_HTTP_HEAD_BYTES - before;
    size_t taken = count < room ? count : room;
    weir_buf_add(&parser->head, bytes, taken);
    size_t end = end_of_head(parser);
    *out_used = end ? end - before : taken;
    if (!end && parser->head.length < WEIR_HTTP_HEAD_BYTES)
        return WEIR_HTTP_MORE;
    *out_status = end ? read_head((weir_str){parser->head.at, end - 2}, out) : 431;
    return *out_status ? WEIR_HTTP_BAD : WEIR_HTTP_WHOLE;
}

/* ---- queries -----------------------------------------------------------------------------------
 */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(weir_str text, weir_buf *out)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i] == '+' ? ' ' : text.at[i];
        if (c == '%') {
            int high = i + 2 < text.length ? hex_digit(text.at[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(text.at[i + 2]) : -1;
            if (low < 0 || (high | low) == 0) /* malformed, or a NUL */
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        weir_buf_addc(out, c);
    }
    return true;
}

bool weir_http_query(weir_str query, const char *name, weir_buf *out)
{
    out->length = 0;
    while (query.length) {
        weir_str pair = query, key;
        if (!cut(&query, '&', &pair))
            query.length = 0;
        weir_str value = pair;
        if (cut(&value, '=', &key) && weir_str_is(key, name))
            return decode(value, out);
    }
    return false;
}

const char *weir_http_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {{200, "OK"},
                   {400, "Bad Request"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {413, "Content Too Large"},
                   {431, "Request Header Fields Too Large"},
                   {501, "Not Implemented"},
                   {502, "Bad Gateway"},
                   {503, "Service Unavailable"},
                   {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Error";
}
