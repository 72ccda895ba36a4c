/* wire/text_tree.c - the parser of protocol buffers in text form. */
#include "wire/text_tree.h"

#include <ctype.h>

typedef struct reader {
    weir_arena *arena;
    const char *start, *at, *end;
} reader;

static weir_status bad(const reader *r, const char *what)
{
    int line = 1;
    for (const char *c = r->start; c < r->at; c++)
        line += *c == '\n';
    return weir_error(WEIR_INVALID_ARGUMENT, "line %d: %s", line, what);
}

static bool more(const reader *r)
{
    return r->at < r->end;
}

static void skip_space(reader *r)
{
    while (more(r)) {
        if (*r->at == '#')
            while (more(r) && *r->at != '\n')
                r->at++;
        else if (isspace((unsigned char)*r->at) || *r->at == ',' || *r->at == ';')
            r->at++;
        else
            return;
    }
}

static bool take(reader *r, char c)
{
    skip_space(r);
    if (!more(r) || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-' || c == '+' || c == '/';
}

static const char *take_word(reader *r)
{
    skip_space(r);
    const char *from = r->at;
    while (more(r) && is_word(*r->at))
        r->at++;
    return r->at > from ? weir_arena_strndup(r->arena, from, (size_t)(r->at - from)) : NULL;
}

/* ---- strings --------------------------------------------------------------------------------- */

static int take_octal(reader *r, int value)
{
    for (int i = 0; i < 2 && more(r) && *r->at >= '0' && *r->at <= '7'; i++)
        value = value * 8 + *r->at++ - '0';
    return value;
}

static int take_hex(reader *r)
{
    int value = 0;
    for (int i = 0; i < 2 && more(r) && isxdigit((unsigned char)*r->at); i++, r->at++)
        value =
            value * 16 + (isdigit((unsigned char)*r->at) ? *r->at - '0' : (*r->at | 32) - 'a' + 10);
    return value;
}

static char take_escape(reader *r)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    char c = *r->at++;
    const char *known = c ? strchr(names, c) : NULL;
    if (known)
        return values[known - names];
    if (c >= '0' && c <= '7')
        return (char)take_octal(r, c - '0');
    return c == 'x' ? (char)take_hex(r) : c;
}

static void take_char(reader *r, weir_buf *out)
{
    char c = *r->at++;
    weir_buf_addc(out, c == '\\' && more(r) ? take_escape(r) : c);
}

void weir_text_unescape(weir_str text, weir_buf *out)
{
    reader r = {.at = text.at, .end = text.at + text.length};
    while (more(&r))
        take_char(&r, out);
}

static weir_status take_quoted(reader *r, weir_buf *out)
{
    char quote = *r->at++;
    while (more(r) && *r->at != quote)
        take_char(r, out);
    return take(r, quote) ? WEIR_OK : bad(r, "a string does not end");
}

/* Adjacent strings are concatenated. */
static weir_status take_string(reader *r, weir_text_field *f)
{
    WEIR_BUF(text);
    weir_status s = WEIR_OK;
    do {
        s = take_quoted(r, &text);
        skip_space(r);
    } while (!s && more(r) && (*r->at == '"' || *r->at == '\''));
    if (!s) {
        f->value = weir_arena_strndup(r->arena, text.at ? text.at : "", text.length);
        f->length = text.length;
        f->quoted = true;
    }
    return s;
}

/* "<<END", then lines up to the one that is END. */
static weir_status take_lines(reader *r, const char **out)
{
    const char *mark = take_word(r);
    const char *newline = mark ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    if (!newline)
        return bad(r, "<< needs a word at the end of the line");
    const char *from = newline + 1;
    size_t length = strlen(mark);
    for (const char *line = from; line < r->end;) {
        const char *eol = memchr(line, '\n', (size_t)(r->end - line));
        const char *end = eol ? eol : r->end;
        if ((size_t)(end - line) >= length && memcmp(line, mark, length) == 0) {
            size_t text = line > from ? (size_t)(line - from) - 1 : 0;
            *out = weir_arena_strndup(r->arena, from, text);
            r->at = line + length;
            return WEIR_OK;
        }
        line = end + 1;
    }
    return bad(r, "the lines after << do not end");
}

/* ---- fields ---------------------------------------------------------------------------------- */

static weir_status read_fields(reader *r, char end, int depth, weir_text_field **out);

static weir_status read_scalar(reader *r, weir_text_field *f)
{
    skip_space(r);
    if (more(r) && (*r->at == '"' || *r->at == '\''))
        return take_string(r, f);
    if (r->end - r->at >= 2 && r->at[0] == '<' && r->at[1] == '<') {
        r->at += 2;
        WEIR_TRY(take_lines(r, &f->value));
        f->length = strlen(f->value);
        f->quoted = true;
        return WEIR_OK;
    }
    f->value = take_word(r);
    if (!f->value)
        return bad(r, "a value is missing");
    f->length = strlen(f->value);
    return WEIR_OK;
}

static weir_status read_value(reader *r, weir_text_field *f, bool colon, int depth)
{
    if (depth > WEIR_TEXT_DEPTH)
        return bad(r, "messages are nested too deeply");
    if (take(r, '{'))
        return read_fields(r, '}', depth + 1, &f->fields);
    bool lines = r->end - r->at >= 2 && r->at[0] == '<' && r->at[1] == '<';
    if (!lines && take(r, '<'))
        return read_fields(r, '>', depth + 1, &f->fields);
    return colon ? read_scalar(r, f) : bad(r, "':' or '{' is missing");
}

static weir_text_field *new_field(reader *r, const char *name, weir_text_field ***tail)
{
    weir_text_field *f = WEIR_ARENA_NEW(r->arena, weir_text_field);
    f->name = name;
    f->at = r->at;
    **tail = f;
    *tail = &f->next;
    return f;
}

/* One "name: value" or a list of values, each a field of that name. */
static weir_status read_field(reader *r, weir_text_field ***tail, int depth)
{
    bool bracket = take(r, '[');
    const char *name = take_word(r);
    if (!name || (bracket && !take(r, ']')))
        return bad(r, "a field's name is missing");
    bool colon = take(r, ':');
    if (!take(r, '['))
        return read_value(r, new_field(r, name, tail), colon, depth);
    while (!take(r, ']')) {
        if (!more(r))
            return bad(r, "a list does not end");
        WEIR_TRY(read_value(r, new_field(r, name, tail), true, depth));
    }
    return WEIR_OK;
}

static weir_status read_fields(reader *r, char end, int depth, weir_text_field **out)
{
    weir_text_field **tail = out;
    for (;;) {
        if (end && take(r, end))
            return WEIR_OK;
        skip_space(r);
        if (!more(r))
            return end ? bad(r, "a message does not end") : WEIR_OK;
        WEIR_TRY(read_field(r, &tail, depth));
    }
}

weir_status weir_text_parse(weir_arena *arena, weir_str text, weir_text_field **out_fields)
{
    reader r = {arena, text.at, text.at, text.at + text.length};
    *out_fields = NULL;
    return read_fields(&r, 0, 0, out_fields);
}
