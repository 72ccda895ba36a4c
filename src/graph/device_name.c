/* graph/device_name.c - a small parser over "/key:value" parts. */
#include "graph/device_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

static const weir_device_name anything = {"", WEIR_DEVICE_ANY, WEIR_DEVICE_ANY, "",
                                          WEIR_DEVICE_ANY};

static bool copy_text(char *to, size_t room, weir_str s, bool upper)
{
    if (s.length == 0 || s.length >= room)
        return false;
    for (size_t i = 0; i < s.length; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (!isalnum(c) && c != '_' && c != '-')
            return false;
        to[i] = (char)(upper ? toupper(c) : c);
    }
    to[s.length] = 0;
    return true;
}

static bool number(weir_str s, int *out)
{
    if (weir_str_is(s, "*")) {
        *out = WEIR_DEVICE_ANY;
        return true;
    }
    if (s.length == 0 || s.length > 9)
        return false;
    int v = 0;
    for (size_t i = 0; i < s.length; i++) {
        if (!isdigit((unsigned char)s.at[i]))
            return false;
        v = v * 10 + (s.at[i] - '0');
    }
    *out = v;
    return true;
}

/* "CPU:0", "CPU:*", "CPU". Types are told apart by case, except in the short form. */
static bool device(weir_str s, bool upper, weir_device_name *n)
{
    const char *colon = memchr(s.at, ':', s.length);
    weir_str type = {s.at, colon ? (size_t)(colon - s.at) : s.length};
    if (weir_str_is(type, "*")) {
        n->type[0] = 0;
    } else if (!copy_text(n->type, sizeof n->type, type, upper)) {
        return false;
    }
    return !colon || number((weir_str){colon + 1, s.length - type.length - 1}, &n->id);
}

static bool part(weir_str s, weir_device_name *n)
{
    const char *colon = memchr(s.at, ':', s.length);
    weir_str key = {s.at, colon ? (size_t)(colon - s.at) : s.length};
    weir_str value = {colon ? colon + 1 : "", colon ? s.length - key.length - 1 : 0};
    if (weir_str_is(key, "job"))
        return weir_str_is(value, "*") || copy_text(n->job, sizeof n->job, value, false);
    if (weir_str_is(key, "replica"))
        return number(value, &n->replica);
    if (weir_str_is(key, "task"))
        return number(value, &n->task);
    if (weir_str_is(key, "device"))
        return device(value, false, n);
    static const char *const short_types[] = {"cpu", "gpu"}; /* "/cpu:0", the old form */
    for (size_t i = 0; i < sizeof short_types / sizeof *short_types; i++)
        if (key.length == 3 && strncasecmp(key.at, short_types[i], 3) == 0)
            return device(s, true, n);
    return false;
}

weir_status weir_device_name_parse(const char *text, weir_device_name *out_name)
{
    weir_device_name n = anything;
    const char *at = text;
    bool ok = *at == 0 || *at == '/';
    while (ok && *at) {
        const char *end = strchrnul(++at, '/');
        if (end == at)
            break; /* "/" says nothing */
        ok = part((weir_str){at, (size_t)(end - at)}, &n);
        at = end;
    }
    if (!ok)
        return weir_error(WEIR_INVALID_ARGUMENT, "Malformed device specification '%s'", text);
    *out_name = n;
    return WEIR_OK;
}

static bool fits(int spec, int full)
{
    return spec == WEIR_DEVICE_ANY || spec == full;
}

bool weir_device_name_matches(const weir_device_name *spec, const weir_device_name *full)
{
    return (!*spec->job || strcmp(spec->job, full->job) == 0) &&
           fits(spec->replica, full->replica) && fits(spec->task, full->task) &&
           (!*spec->type || strcmp(spec->type, full->type) == 0) && fits(spec->id, full->id);
}

static bool merge_text(char *into, const char *other)
{
    if (!*other || strcmp(into, other) == 0)
        return true;
    if (*into)
        return false;
    strcpy(into, other);
    return true;
}

static bool merge_number(int *into, int other)
{
    if (other == WEIR_DEVICE_ANY || *into == other)
        return true;
    if (*into != WEIR_DEVICE_ANY)
        return false;
    *into = other;
    return true;
}

const char *weir_device_name_merge(weir_device_name *into, const weir_device_name *other, bool soft)
{
    weir_device_name m = *into;
    if (!merge_text(m.job, other->job))
        return "jobs";
    if (!merge_number(&m.replica, other->replica))
        return "replicas";
    if (!merge_number(&m.task, other->task))
        return "tasks";
    const char *differs = !merge_text(m.type, other->type)  ? "types"
                          : !merge_number(&m.id, other->id) ? "ids"
                                                            : NULL;
    if (differs && !soft)
        return differs;
    if (differs) {
        m.type[0] = 0;
        m.id = WEIR_DEVICE_ANY;
    }
    *into = m;
    return NULL;
}

bool weir_device_name_agree(const weir_device_name *a, const weir_device_name *b)
{
    weir_device_name copy = *a;
    return !weir_device_name_merge(&copy, b, false);
}

static void override_number(int *into, int other)
{
    if (other != WEIR_DEVICE_ANY)
        *into = other;
}

void weir_device_name_override(weir_device_name *into, const weir_device_name *other)
{
    if (*other->job)
        strcpy(into->job, other->job);
    if (*other->type)
        strcpy(into->type, other->type);
    override_number(&into->replica, other->replica);
    override_number(&into->task, other->task);
    override_number(&into->id, other->id);
}

const char *weir_device_name_text(const weir_device_name *n, char *out)
{
    char *at = out;
    *at = 0;
    if (*n->job)
        at += sprintf(at, "/job:%s", n->job);
    if (n->replica >= 0)
        at += sprintf(at, "/replica:%d", n->replica);
    if (n->task >= 0)
        at += sprintf(at, "/task:%d", n->task);
    if (*n->type && n->id >= 0)
        sprintf(at, "/device:%s:%d", n->type, n->id);
    else if (*n->type)
        sprintf(at, "/device:%s:*", n->type);
    return out;
}

bool weir_device_name_empty(const weir_device_name *n)
{
    return !*n->job && !*n->type && n->replica < 0 && n->task < 0 && n->id < 0;
}
