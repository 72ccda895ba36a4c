/* base/status.c - errors with a code, a place and a growing message. */
#include "base/status.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct weir_status_rec {
    weir_code code;
    unsigned marks;
    char *message;
    char place[64];
};

static char *format(const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *text = weir_alloc(n < 0 ? 1 : (size_t)n + 1);
    text[0] = 0;
    if (n >= 0)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

static weir_status make(weir_code code, char *message)
{
    weir_status s = weir_alloc(sizeof *s);
    s->code = code == WEIR_CODE_OK ? WEIR_UNKNOWN : code;
    s->marks = 0;
    s->message = message;
    s->place[0] = 0;
    return s;
}

weir_status weir_error_at(const char *file, int line, weir_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_status s = make(code, format(fmt, args));
    va_end(args);
    const char *src = strstr(file, "src/");
    snprintf(s->place, sizeof s->place, "%s:%d", src ? src + 4 : file, line);
    return s;
}

weir_status weir_error_text(weir_code code, const char *text, size_t length)
{
    return make(code, weir_strndup(text, length));
}

weir_code weir_status_code(weir_status s)
{
    return s ? s->code : WEIR_CODE_OK;
}

const char *weir_status_message(weir_status s)
{
    return s ? s->message : "";
}

const char *weir_status_place(weir_status s)
{
    return s ? s->place : "";
}

void weir_status_free(weir_status s)
{
    if (!s)
        return;
    weir_free(s->message);
    weir_free(s);
}

weir_status weir_status_copy(weir_status s)
{
    if (!s)
        return WEIR_OK;
    weir_status copy = make(s->code, weir_strndup(s->message, strlen(s->message)));
    memcpy(copy->place, s->place, sizeof copy->place);
    copy->marks = s->marks;
    return copy;
}

weir_status weir_status_mark(weir_status s, unsigned marks)
{
    if (s)
        s->marks |= marks;
    return s;
}

bool weir_status_is(weir_status s, unsigned mark)
{
    return s && (s->marks & mark);
}

static void join(weir_status s, const char *left, const char *right)
{
    size_t a = strlen(left), b = strlen(right);
    char *text = weir_alloc(a + b + 1);
    memcpy(text, left, a);
    memcpy(text + a, right, b + 1);
    weir_free(s->message);
    s->message = text;
}

weir_status weir_status_note(weir_status s, const char *fmt, ...)
{
    if (!s)
        return WEIR_OK;
    va_list args;
    va_start(args, fmt);
    char *note = format(fmt, args);
    va_end(args);
    join(s, s->message, note);
    weir_free(note);
    return s;
}

weir_status weir_status_prefix(weir_status s, const char *fmt, ...)
{
    if (!s)
        return WEIR_OK;
    va_list args;
    va_start(args, fmt);
    char *prefix = format(fmt, args);
    va_end(args);
    join(s, prefix, s->message);
    weir_free(prefix);
    return s;
}

const char *weir_code_name(weir_code code)
{
    static const char *const names[] = {
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED",
    };
    return (unsigned)code < sizeof names / sizeof *names ? names[code] : "UNKNOWN";
}
