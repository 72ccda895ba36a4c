/* launch/plan.c - distributes tasks over hosts. */
#include "launch/plan.h"

#include <ctype.h>

#include "base/number.h"

void run_places_fini(run_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        weir_free(places->at[i].job);
        weir_free(places->at[i].host);
    }
    weir_vec_fini(places);
}

static weir_str next_part(const char **at, char mark)
{
    size_t count = strcspn(*at, (char[]){mark, 0});
    weir_str part = {*at, count};
    *at += count + ((*at)[count] != 0);
    return part;
}

static int next_index(const run_places *places, weir_str job)
{
    int count = 0;
    for (size_t i = 0; i < places->count; i++)
        count += weir_str_is(job, places->at[i].job);
    return count;
}

static weir_status add(run_places *places, weir_str job, weir_str host)
{
    if (places->count >= WEIR_MAX_TASKS)
        return weir_error(WEIR_INVALID_ARGUMENT, "a cluster has at most %d tasks", WEIR_MAX_TASKS);
    run_place place = {.job = weir_strndup(job.at, job.length),
                       .index = next_index(places, job),
                       .host = host.at ? weir_strndup(host.at, host.length) : NULL};
    weir_vec_push(places, place);
    return WEIR_OK;
}

static weir_status add_many(run_places *places, weir_str job, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        WEIR_TRY(add(places, job, (weir_str){0}));
    return WEIR_OK;
}

/* "ps=1,chief=1,worker=3" */
static weir_status plan_jobs(const char *jobs, run_places *out)
{
    for (const char *at = jobs; *at;) {
        weir_str part = next_part(&at, ','), job = part;
        const char *equals = memchr(part.at, '=', part.length);
        int64_t count = -1;
        if (equals) {
            job.length = (size_t)(equals - part.at);
            weir_parse_i64((weir_str){equals + 1, part.length - job.length - 1}, &count);
        }
        if (count < 0 || job.length == 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "--jobs: '%.*s' is not JOB=COUNT",
                              WEIR_STR_ARG(part));
        WEIR_TRY(add_many(out, job, count));
    }
    return WEIR_OK;
}

/* One host's part of a layout: "PS" or "P" is a parameter server, "W" a worker. */
static weir_status plan_part(weir_str part, weir_str host, run_places *out)
{
    if (part.length == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "--layout has a host without tasks");
    for (size_t i = 0; i < part.length; i++) {
        char ch = (char)toupper((unsigned char)part.at[i]);
        if (ch == 'S' && i > 0 && toupper((unsigned char)part.at[i - 1]) == 'P')
            continue; /* of PS */
        if (ch != 'P' && ch != 'W')
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "--layout: '%c' is neither P (parameter server) nor W (worker)",
                              part.at[i]);
        WEIR_TRY(add(out, ch == 'P' ? WEIR_STR("ps") : WEIR_STR("worker"), host));
    }
    return WEIR_OK;
}

/* "name:slots" at *at; slots defaults to 1. An IPv6 address is in brackets. */
static weir_status next_host(const char **at, weir_str *out_host, int64_t *out_slots)
{
    weir_str part = next_part(at, ',');
    const char *end = part.at + part.length, *bracket = memchr(part.at, ']', part.length);
    const char *name_end = bracket ? bracket : part.at;
    const char *colon = memchr(name_end, ':', (size_t)(end - name_end));
    *out_slots = 1;
    *out_host = part;
    if (colon) {
        out_host->length = (size_t)(colon - part.at);
        weir_str digits = {colon + 1, part.length - out_host->length - 1};
        if (!weir_parse_i64(digits, out_slots) || *out_slots < 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "-H: '%.*s' is not HOST:SLOTS",
                              WEIR_STR_ARG(part));
    }
    if (out_host->length == 0 || out_host->at[0] == '-')
        return weir_error(WEIR_INVALID_ARGUMENT, "-H: '%.*s' is no host", WEIR_STR_ARG(part));
    return WEIR_OK;
}

static weir_status plan_layout(const char *layout, const char *hosts, run_places *out)
{
    weir_str host = {0};
    int64_t slots;
    for (const char *at = layout, *host_at = hosts; *at;) {
        weir_str part = next_part(&at, '-');
        if (hosts && !*host_at)
            return weir_error(WEIR_INVALID_ARGUMENT, "--layout %s has more hosts than -H %s",
                              layout, hosts);
        if (hosts)
            WEIR_TRY(next_host(&host_at, &host, &slots));
        WEIR_TRY(plan_part(part, host, out));
    }
    return WEIR_OK;
}

/* Fills host after host. */
static weir_status deal(const char *hosts, run_places *out)
{
    size_t next = 0;
    for (const char *at = hosts; *at;) {
        weir_str host;
        int64_t slots;
        WEIR_TRY(next_host(&at, &host, &slots));
        for (; slots > 0 && next < out->count; slots--)
            out->at[next++].host = weir_strndup(host.at, host.length);
    }
    if (next < out->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "-H %s has %zu slots for %zu tasks; write HOST:SLOTS", hosts, next,
                          out->count);
    return WEIR_OK;
}

weir_status run_plan(const run_options *options, run_places *out)
{
    if (options->layout && (options->jobs || options->ps >= 0 || options->workers >= 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "--layout says how many tasks there are, and so do other options");
    if (options->layout)
        return plan_layout(options->layout, options->hosts, out);
    if (options->jobs) {
        WEIR_TRY(plan_jobs(options->jobs, out));
        if (!out->count)
            return weir_error(WEIR_INVALID_ARGUMENT, "--jobs %s has no task", options->jobs);
    } else {
        WEIR_TRY(add_many(out, WEIR_STR("ps"), options->ps >= 0 ? options->ps : 1));
        WEIR_TRY(add_many(out, WEIR_STR("worker"), options->workers >= 0 ? options->workers : 1));
    }
    return options->hosts ? deal(options->hosts, out) : WEIR_OK;
}
