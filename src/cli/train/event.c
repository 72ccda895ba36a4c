/* cli/train/event.c - events to JSON and back. */
#include "cli/train/event.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output.h"

static const char *const kind_names[TRAIN_EVENT_KINDS] = {"start", "step", "test",
                                                          "saved", "note", "done"};

typedef enum field_type { COUNT, REAL, FLAG, TEXT } field_type;

/* A field and the events that have it. */
typedef struct field {
    const char *name;
    field_type type;
    size_t at;
    unsigned events;
} field;

#define IN(kind) (1u << TRAIN_##kind)
#define AT(member) offsetof(train_event, member)

static const field fields[] = {
    {"worker", COUNT, AT(worker), ~0u},
    {"pid", COUNT, AT(pid), IN(START)},
    {"step", COUNT, AT(step), ~0u},
    {"last_step", COUNT, AT(last_step), IN(START) | IN(STEP)},
    {"epoch", REAL, AT(epoch), IN(STEP) | IN(TEST) | IN(DONE)},
    {"seconds", REAL, AT(seconds), ~0u},
    {"loss", REAL, AT(loss), IN(STEP) | IN(TEST) | IN(DONE)},
    {"examples_per_s", REAL, AT(examples_per_s), IN(STEP) | IN(DONE)},
    {"steps", COUNT, AT(steps), IN(STEP) | IN(DONE)},
    {"examples", COUNT, AT(examples), IN(STEP) | IN(TEST) | IN(DONE)},
    {"accuracy", REAL, AT(accuracy), IN(TEST)},
    {"first_loss", REAL, AT(first_loss), IN(DONE)},
    {"interrupted", FLAG, AT(interrupted), IN(DONE)},
    {"text", TEXT, AT(text), IN(START) | IN(SAVED) | IN(NOTE)},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* ---- writing -------------------------------------------------------------------------------- */

void train_json_text(weir_buf *out, const char *text)
{
    weir_json_add_string(out, weir_str_of(text));
}

void train_json_number(weir_buf *out, double value)
{
    if (isfinite(value))
        weir_buf_addf(out, "%.9g", value);
    else
        weir_buf_adds(out, "null");
}

static void write_value(const field *f, const void *at, weir_buf *out)
{
    switch (f->type) {
    case COUNT:
        weir_buf_addf(out, "%lld", (long long)*(const int64_t *)at);
        return;
    case REAL:
        train_json_number(out, *(const double *)at);
        return;
    case FLAG:
        weir_buf_adds(out, *(const bool *)at ? "true" : "false");
        return;
    case TEXT:
        train_json_text(out, at);
        return;
    }
}

void train_event_write(const train_event *e, weir_buf *out)
{
    weir_buf_addf(out, "{\"event\": \"%s\"", kind_names[e->kind]);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!(fields[i].events & 1u << e->kind))
            continue;
        weir_buf_addf(out, ", \"%s\": ", fields[i].name);
        write_value(&fields[i], (const char *)e + fields[i].at, out);
    }
    weir_buf_adds(out, "}\n");
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Up to the closing quote; returns what is behind it, null when there is none. */
static const char *read_text(const char *at, const char *end, char *out, size_t room)
{
    size_t n = 0;
    for (; at < end && *at != '"'; at++) {
        char c = *at;
        if (c == '\\' && end - at > 5 && at[1] == 'u') {
            char digits[5] = {at[2], at[3], at[4], at[5], 0};
            c = (char)strtol(digits, NULL, 16);
            at += 5;
        } else if (c == '\\' && end - at > 1) {
            c = *++at;
        }
        if (n + 1 < room)
            out[n++] = c;
    }
    out[n] = 0;
    return at < end ? at + 1 : NULL;
}

static const field *find_field(const char *name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static const char *read_value(const char *at, const char *end, const field *f, train_event *e)
{
    void *to = (char *)e + f->at;
    if (f->type == TEXT)
        return at < end && *at == '"' ? read_text(at + 1, end, to, sizeof e->text) : NULL;
    char number[64] = "";
    size_t n = 0;
    for (; at < end && *at != ',' && *at != '}' && n + 1 < sizeof number; at++)
        number[n++] = *at;
    number[n] = 0;
    if (f->type == COUNT)
        *(int64_t *)to = strtoll(number, NULL, 10);
    else if (f->type == REAL)
        *(double *)to = strcmp(number, "null") == 0 ? NAN : strtod(number, NULL);
    else
        *(bool *)to = strcmp(number, "true") == 0;
    return at;
}

static bool read_kind(const char **at, const char *end, train_event *e)
{
    static const char head[] = "{\"event\": \"";
    size_t length = sizeof head - 1;
    char name[16];
    if ((size_t)(end - *at) < length || memcmp(*at, head, length) != 0)
        return false;
    *at = read_text(*at + length, end, name, sizeof name);
    for (int k = 0; *at && k < TRAIN_EVENT_KINDS; k++)
        if (strcmp(kind_names[k], name) == 0) {
            e->kind = (train_event_kind)k;
            return true;
        }
    return false;
}

bool train_event_read(weir_str line, train_event *e)
{
    const char *at = line.at, *end = line.at + line.length;
    memset(e, 0, sizeof *e);
    if (!read_kind(&at, end, e))
        return false;
    while (at && at < end && *at == ',') {
        char name[32];
        if (end - at < 3 || at[1] != ' ' || at[2] != '"')
            return false;
        at = read_text(at + 3, end, name, sizeof name);
        const field *f = at && end - at > 2 ? find_field(name) : NULL;
        if (!f)
            return false;
        at = read_value(at + 2, end, f, e); /* behind ": " */
    }
    return at && at < end && *at == '}';
}
