/* wire/message.c - the tables of messages and enumerations, found by name. */
#include "wire/message.h"

#include <pthread.h>

#include "base/mem.h"

/* Rows with number 0 start a message; its fields follow. */
static const weir_field rows[] = {
#define WEIR_MESSAGE(name) {0, name, WEIR_FIELD_MESSAGE, WEIR_FIELD_ONE, NULL},
#define WEIR_FIELD(number, name, type, label, of)                                                  \
    {number, name, WEIR_FIELD_##type, WEIR_FIELD_##label, of},
#include "wire/messages.inc"
};

/* A row that starts one names an enumeration; its values follow. */
typedef struct value_row {
    const char *name;
    int32_t value;
    bool start;
} value_row;
static const value_row values[] = {
#define WEIR_ENUM(name) {name, 0, true},
#define WEIR_VALUE(value, name) {name, value, false},
#include "wire/message_enums.inc"
};

enum { ROWS = sizeof rows / sizeof *rows, VALUES = sizeof values / sizeof *values };

static weir_message messages[ROWS];
static weir_map by_name; /* messages and, by their first row, enumerations */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_index(void)
{
    weir_message *m = NULL;
    for (int i = 0, count = 0; i < ROWS; i++) {
        if (rows[i].number) {
            m->field_count++;
            continue;
        }
        m = &messages[count++];
        *m = (weir_message){rows[i].name, &rows[i + 1], 0};
        weir_map_put(&by_name, weir_str_of(m->name), m);
    }
    for (int i = 0; i < VALUES; i++)
        if (values[i].start)
            weir_map_put(&by_name, weir_str_of(values[i].name), (void *)&values[i]);
}

static void *find(weir_str name)
{
    pthread_once(&once, make_index);
    return weir_map_get(&by_name, name);
}

const weir_message *weir_message_find(weir_str name)
{
    const weir_message *m = find(name);
    return m >= messages && m < messages + ROWS ? m : NULL;
}

const weir_field *weir_message_field(const weir_message *m, uint32_t number)
{
    for (int i = 0; i < m->field_count; i++)
        if (m->fields[i].number == number)
            return &m->fields[i];
    return NULL;
}

const weir_field *weir_message_field_named(const weir_message *m, weir_str name)
{
    for (int i = 0; i < m->field_count; i++)
        if (weir_str_is(name, m->fields[i].name))
            return &m->fields[i];
    return NULL;
}

static bool in_enum(const value_row *v)
{
    return v < values + VALUES && !v->start;
}

const char *weir_enum_name(const char *of, int64_t value)
{
    const value_row *v = find(weir_str_of(of));
    for (v++; in_enum(v); v++)
        if (v->value == value)
            return v->name;
    return NULL;
}

bool weir_enum_value(const char *of, weir_str name, int64_t *out_value)
{
    const value_row *v = find(weir_str_of(of));
    for (v++; in_enum(v); v++)
        if (weir_str_is(name, v->name)) {
            *out_value = v->value;
            return true;
        }
    return false;
}
