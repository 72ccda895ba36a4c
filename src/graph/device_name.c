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

static bool copy_text(char *to, size_t room, weir_str text, bool upper)
{
    if (text.length == 0 || text.length >= room)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (!isalnum(c) && c != '_' && c != '-')
            return false;
        to[i] = (char)(upper ? toupper(c) : c);
    }
    to[text.length] = 0;
    return true;
}

static bool number(weir_str text, int *out)
{
    if (weir_str_is(text, "*")) {
        *out = WEIR_DEVICE_ANY;
        return true;
    }
    if (text.length == 0 || text.length > 9)
        return false;
    int value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!isdigit((unsigned char)text.at[i]))
            return false;
        value = value * 10 + (text.at[i] - '0');
    }
    *out = value;
    return true;
}

/* "CPU:0", "CPU:*", "CPU". Types are case-sensitive, except in the short form. */
static bool device(weir_str text, bool upper, weir_device_name *name)
{
    const char *colon = memchr(text.at, ':', text.length);
    weir_str type = {text.at, colon ? (size_t)(colon - text.at) : text.length};
    if (weir_str_is(type, "*")) {
        name->type[0] = 0;
    } else if (!copy_text(name->type, sizeof name->type, type, upper)) {
        return false;
    }
    return !colon || number((weir_str){colon + 1, text.length - type.length - 1}, &name->id);
}

static bool part(weir_str text, weir_device_name *name)
{
    const char *colon = memchr(text.at, ':', text.length);
    weir_str key = {text.at, colon ? (size_t)(colon - text.at) : text.length};
    weir_str value = {colon ? colon + 1 : "", colon ? text.length - key.length - 1 : 0};
    if (weir_str_is(key, "job"))
        return weir_str_is(value, "*") || copy_text(name->job, sizeof name->job, value, false);
    if (weir_str_is(key, "replica"))
        return number(value, &name->replica);
    if (weir_str_is(key, "task"))
        return number(value, &name->task);
    if (weir_str_is(key, "device"))
        return device(value, false, name);
    static const char *const short_types[] = {"cpu", "gpu"}; /* "/cpu:0", the legacy form */
    for (size_t i = 0; i < sizeof short_types / sizeof *short_types; i++)
        if (key.length == 3 && strncasecmp(key.at, short_types[i], 3) == 0)
            return device(text, true, name);
    return false;
}

weir_status weir_device_name_parse(const char *text, weir_device_name *out_name)
{
    weir_device_name name = anything;
    const char *at = text;
    bool ok = *at == 0 || *at == '/';
    while (ok && *at) {
        const char *end = strchrnul(++at, '/');
        if (end == at)
            break; /* "/" specifies nothing */
        ok = part((weir_str){at, (size_t)(end - at)}, &name);
        at = end;
    }
    if (!ok)
        return weir_error(WEIR_INVALID_ARGUMENT, "Malformed device specification '%s'", text);
    *out_name = name;
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
    weir_device_name name = *into;
    if (!merge_text(name.job, other->job))
        return "jobs";
    if (!merge_number(&name.replica, other->replica))
        return "replicas";
    if (!merge_number(&name.task, other->task))
        return "tasks";
    const char *differs = !merge_text(name.type, other->type)  ? "types"
                          : !merge_number(&name.id, other->id) ? "ids"
                                                               : NULL;
    if (differs && !soft)
        return differs;
    if (differs) {
        name.type[0] = 0;
        name.id = WEIR_DEVICE_ANY;
    }
    *into = name;
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

const char *weir_device_name_text(const weir_device_name *name, char *out)
{
    char *at = out;
    *at = 0;
    if (*name->job)
        at += sprintf(at, "/job:%s", name->job);
    if (name->replica >= 0)
        at += sprintf(at, "/replica:%d", name->replica);
    if (name->task >= 0)
        at += sprintf(at, "/task:%d", name->task);
    if (*name->type && name->id >= 0)
        sprintf(at, "/device:%s:%d", name->type, name->id);
    else if (*name->type)
        sprintf(at, "/device:%s:*", name->type);
    return out;
}
