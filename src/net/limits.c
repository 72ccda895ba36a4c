/* net/limits.c - the limits of this process, from its environment and flags. */
#include "net/limits.h"

#include <pthread.h>
#include <stddef.h>

#include "base/env.h"
#include "base/log.h"
#include "base/number.h"

static weir_limits limits = {
#define WEIR_LIMIT(name, value, meaning) .name = value,
#include "net/limits.inc"
#undef WEIR_LIMIT
};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct limit_name {
    const char *name;
    size_t offset;
} names[] = {
#define WEIR_LIMIT(name, value, meaning) {#name, offsetof(weir_limits, name)},
#include "net/limits.inc"
#undef WEIR_LIMIT
};

static int64_t *find(weir_str name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (weir_str_is(name, names[i].name))
            return (int64_t *)((char *)&limits + names[i].offset);
    return NULL;
}

/* One "name=value". */
static weir_status set_one(weir_str text)
{
    const char *equals = text.length ? memchr(text.at, '=', text.length) : NULL;
    size_t length = equals ? (size_t)(equals - text.at) : text.length;
    int64_t *limit = find((weir_str){text.at, length}), value;
    if (!limit)
        return weir_error(WEIR_INVALID_ARGUMENT, "there is no limit '%.*s'", (int)length, text.at);
    if (!equals || !weir_parse_i64((weir_str){equals + 1, text.length - length - 1}, &value) ||
        value < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "'%.*s' is no limit: a number of 0 or more is",
                          WEIR_STR_ARG(text));
    *limit = value;
    return WEIR_OK;
}

static weir_status set_all(weir_str text)
{
    while (text.length) {
        const char *comma = memchr(text.at, ',', text.length);
        size_t length = comma ? (size_t)(comma - text.at) : text.length;
        WEIR_TRY(set_one((weir_str){text.at, length}));
        size_t skip = comma ? length + 1 : length;
        text = (weir_str){text.at + skip, text.length - skip};
    }
    return WEIR_OK;
}

static void read_environment(void)
{
    const char *text = weir_env_get()->limits;
    weir_status status = text ? set_all(weir_str_of(text)) : WEIR_OK;
    if (status)
        weir_log(WEIR_LOG_WARNING, "WEIR_LIMITS: %s", weir_status_message(status));
    weir_status_free(status);
}

const weir_limits *weir_limits_get(void)
{
    pthread_once(&once, read_environment);
    return &limits;
}

weir_status weir_limits_set(weir_str text)
{
    pthread_once(&once, read_environment);
    return set_all(text);
}
