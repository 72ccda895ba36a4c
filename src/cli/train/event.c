/* cli/train/event.c - conversion of events to and from JSON. */
#include "cli/train/event.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "wire/json.h"

static const char *const kind_names[TRAIN_EVENT_KINDS] = {
    "start", "step", "test", "saved", "note", "wait", "done", "permanent", "end", "error"};

typedef enum field_type { COUNT, REAL, FLAG, TEXT } field_type;

/* A field and the events that contain it. */
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
    {"waited", REAL, AT(waited), IN(WAIT)},
    {"first_loss", REAL, AT(first_loss), IN(DONE)},
    {"interrupted", FLAG, AT(interrupted), IN(DONE)},
    {"status", COUNT, AT(status), IN(END) | IN(ERROR)},
    {"checkpoint", TEXT, AT(checkpoint), IN(ERROR)},
    {"text", TEXT, AT(text), IN(START) | IN(SAVED) | IN(NOTE) | IN(WAIT) | IN(ERROR)},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* ---- writing --------------------------------------------------------------------------------- */

void train_json_text(weir_buf *out, const char *text)
{
    weir_json_put_string(out, weir_str_of(text));
}

void train_json_number(weir_buf *out, double value)
{
    if (isfinite(value))
        weir_buf_addf(out, "%.9g", value);
    else
        weir_buf_adds(out, "null");
}

static void write_value(const field *field, const void *at, weir_buf *out)
{
    switch (field->type) {
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

void train_event_write(const train_event *event, weir_buf *out)
{
    weir_buf_addf(out, "{\"event\": \"%s\"", kind_names[event->kind]);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!(fields[i].events & 1u << event->kind))
            continue;
        weir_buf_addf(out, ", \"%s\": ", fields[i].name);
        write_value(&fields[i], (const char *)event + fields[i].at, out);
    }
    weir_buf_adds(out, "}\n");
}

static void write_csv_value(const field *field, const void *at, weir_buf *out)
{
    if (field->type == TEXT)
        weir_csv_put(out, weir_str_of(at));
    else if (field->type != REAL || isfinite(*(const double *)at))
        write_value(field, at, out);
}

void train_event_write_csv(const train_event *event, weir_buf *out)
{
    weir_buf_adds(out, kind_names[event->kind]);
    for (int i = 0; i < FIELD_COUNT; i++) {
        weir_buf_addc(out, ',');
        if (fields[i].events & 1u << event->kind)
            write_csv_value(&fields[i], (const char *)event + fields[i].at, out);
    }
    weir_buf_adds(out, "\n");
}

void train_event_csv_header(weir_buf *out)
{
    weir_buf_adds(out, "event");
    for (int i = 0; i < FIELD_COUNT; i++)
        weir_buf_addf(out, ",%s", fields[i].name);
    weir_buf_adds(out, "\n");
}

/* ---- reading --------------------------------------------------------------------------------- */

static const field *find_field(const char *name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static bool read_text(weir_json *json, char *out, size_t room)
{
    WEIR_BUF(text);
    bool ok = weir_json_string(json, &text);
    snprintf(out, room, "%s", ok && text.at ? text.at : "");
    return ok;
}

static bool read_value(weir_json *json, const field *field, train_event *event)
{
    void *to = (char *)event + field->at;
    if (field->type == TEXT)
        return read_text(json, to, sizeof event->text);
    if (field->type == COUNT)
        return weir_json_int(json, to);
    char first = weir_json_peek(json), number[64];
    const char *from = json->at;
    if (!weir_json_skip(json))
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(json->at - from), from);
    if (field->type == FLAG)
        *(bool *)to = first == 't';
    else
        *(double *)to = first == 'n' ? NAN : strtod(number, NULL);
    return true;
}

static bool read_kind(weir_json *json, train_event *event)
{
    char name[16];
    if (!read_text(json, name, sizeof name))
        return false;
    for (int k = 0; k < TRAIN_EVENT_KINDS; k++)
        if (strcmp(kind_names[k], name) == 0) {
            event->kind = (train_event_kind)k;
            return true;
        }
    return false;
}

bool train_event_read(weir_str line, train_event *event)
{
    weir_json json = weir_json_reader(line);
    WEIR_BUF(key);
    bool ok = weir_json_open(&json, '{'), has_kind = false;
    memset(event, 0, sizeof *event);
    while (ok && weir_json_key(&json, &key)) {
        bool kind = strcmp(key.at, "event") == 0;
        const field *field = kind ? NULL : find_field(key.at);
        ok = kind ? read_kind(&json, event) : field && read_value(&json, field, event);
        has_kind |= kind;
    }
    return ok && has_kind && weir_json_end(&json);
}
