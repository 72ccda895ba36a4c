/* base/status.c - errors with a code and a growing message. */
#include "base/status.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct weir_status_rec {
    weir_code code;
    unsigned marks;
    char *message;
};

static char *format(const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    char *text = weir_alloc(length < 0 ? 1 : (size_t)length + 1);
    text[0] = 0;
    if (length >= 0)
        vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return text;
}

/* A code may come from another process: any number. */
static weir_status make(weir_code code, char *message)
{
    bool known = code > WEIR_CODE_OK && code <= WEIR_UNAUTHENTICATED;
    weir_status status = weir_alloc(sizeof *status);
    status->code = known ? code : WEIR_UNKNOWN;
    status->marks = 0;
    status->message = message;
    return status;
}

weir_status weir_error(weir_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    weir_status status = make(code, format(fmt, args));
    va_end(args);
    return status;
}

weir_status weir_error_text(weir_code code, const char *text, size_t length)
{
    return make(code, weir_strndup(text, length));
}

weir_code weir_status_code(weir_status status)
{
    return status ? status->code : WEIR_CODE_OK;
}

const char *weir_status_message(weir_status status)
{
    return status ? status->message : "";
}

void weir_status_free(weir_status status)
{
    if (!status)
        return;
    weir_free(status->message);
    weir_free(status);
}

weir_status weir_status_copy(weir_status status)
{
    if (!status)
        return WEIR_OK;
    weir_status copy = make(status->code, weir_strndup(status->message, strlen(status->message)));
    copy->marks = status->marks;
    return copy;
}

weir_status weir_status_mark(weir_status status, unsigned marks)
{
    if (status)
        status->marks |= marks;
    return status;
}

bool weir_status_is(weir_status status, unsigned mark)
{
    return status && (status->marks & mark);
}

static void join(weir_status status, const char *left, const char *right)
{
    size_t a = strlen(left), b = strlen(right);
    char *text = weir_alloc(a + b + 1);
    memcpy(text, left, a);
    memcpy(text + a, right, b + 1);
    weir_free(status->message);
    status->message = text;
}

weir_status weir_status_note(weir_status status, const char *fmt, ...)
{
    if (!status)
        return WEIR_OK;
    va_list args;
    va_start(args, fmt);
    char *note = format(fmt, args);
    va_end(args);
    join(status, status->message, note);
    weir_free(note);
    return status;
}

weir_status weir_status_prefix(weir_status status, const char *fmt, ...)
{
    if (!status)
        return WEIR_OK;
    va_list args;
    va_start(args, fmt);
    char *prefix = format(fmt, args);
    va_end(args);
    join(status, prefix, status->message);
    weir_free(prefix);
    return status;
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
