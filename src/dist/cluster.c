/* dist/cluster.c - tasks by name, and how a ClusterDef is read and written. */
#include "dist/cluster.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "wire/pb.h"

enum { LONGEST_JOB = 63, LARGEST_INDEX = 1000000, LARGEST_PORT = 65535 };

static void destroy(weir_ref *ref)
{
    weir_cluster *c = (weir_cluster *)ref;
    for (int i = 0; i < c->task_count; i++) {
        weir_channel_release(c->tasks[i].channel);
        weir_free(c->tasks[i].job);
        weir_free(c->tasks[i].address);
    }
    weir_map_fini(&c->by_name);
    weir_free(c->tasks);
    weir_free(c);
}

weir_cluster *weir_cluster_create(void)
{
    weir_cluster *c = WEIR_NEW(weir_cluster);
    weir_ref_init(&c->ref, destroy);
    c->own = -1;
    return c;
}

void weir_cluster_release(weir_cluster *c)
{
    weir_ref_release((weir_ref *)c);
}

/* ---- adding tasks --------------------------------------------------------------------------- */

static bool job_valid(const char *job)
{
    size_t n = strlen(job);
    if (n == 0 || n > LONGEST_JOB || !isalpha((unsigned char)job[0]))
        return false;
    for (size_t i = 1; i < n; i++)
        if (!isalnum((unsigned char)job[i]) && job[i] != '_')
            return false;
    return true;
}

/* "host:port"; a host with colons in it, an IPv6 address, is in brackets. */
static bool address_valid(const char *address)
{
    const char *colon = strrchr(address, ':');
    if (!colon || colon == address || !colon[1] || strlen(colon + 1) > 5)
        return false;
    if (strchr(address, ':') != colon && (address[0] != '[' || colon[-1] != ']'))
        return false;
    for (const char *p = colon + 1; *p; p++)
        if (!isdigit((unsigned char)*p))
            return false;
    return atoi(colon + 1) <= LARGEST_PORT;
}

static weir_status check_task(const weir_cluster *c, const char *job, int index,
                              const char *address)
{
    if (!job_valid(job))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "'%s' is no job name: it must be a letter and then at most %d letters, "
                          "digits and underscores",
                          job, LONGEST_JOB - 1);
    if (index < 0 || index > LARGEST_INDEX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "job \"%s\" has no task %d: indices go from 0 to %d", job, index,
                          LARGEST_INDEX);
    if (!address_valid(address))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Could not interpret \"%s\" as a host-port pair (task %d of job \"%s\")",
                          address, index, job);
    for (int i = 0; i < c->task_count; i++)
        if (c->tasks[i].index == index && strcmp(c->tasks[i].job, job) == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "task %d of job \"%s\" is named twice: \"%s\" and \"%s\"", index, job,
                              c->tasks[i].address, address);
    return WEIR_OK;
}

/* Where a task belongs: by index within its job; jobs stay in the order they were given. */
static int place_of(const weir_cluster *c, const char *job, int index)
{
    int at = 0;
    while (at < c->task_count && strcmp(c->tasks[at].job, job) != 0)
        at++;
    while (at < c->task_count && strcmp(c->tasks[at].job, job) == 0 && c->tasks[at].index < index)
        at++;
    return at;
}

weir_status weir_cluster_add(weir_cluster *c, const char *job, int index, const char *address)
{
    WEIR_TRY(check_task(c, job, index, address));
    c->tasks = weir_realloc(c->tasks, sizeof *c->tasks * (size_t)(c->task_count + 1));
    weir_task *t = &c->tasks[place_of(c, job, index)];
    memmove(t + 1, t, sizeof *t * (size_t)(c->tasks + c->task_count++ - t));
    *t = (weir_task){.job = weir_strdup(job), .index = index, .address = weir_strdup(address)};
    snprintf(t->name, sizeof t->name, "/job:%s/replica:0/task:%d", job, index);
    return WEIR_OK;
}

static weir_status unparseable(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable ClusterDef");
}

/* An entry of JobDef.tasks. */
static weir_status add_entry(weir_cluster *c, const char *job, weir_str entry)
{
    int64_t index = 0;
    weir_str address = {0};
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            index = weir_pb_int(&r);
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            address = r.bytes;
    }
    if (!weir_pb_ok(&r) || index != (int32_t)index)
        return unparseable();
    char *text = weir_strndup(address.at ? address.at : "", address.length);
    weir_status s = weir_cluster_add(c, job, (int)index, text);
    weir_free(text);
    return s;
}

static weir_status add_job(weir_cluster *c, weir_str job_def)
{
    weir_str name = {"", 0};
    weir_pb r = weir_pb_reader(job_def);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            name = r.bytes;
    if (!weir_pb_ok(&r))
        return unparseable();
    char *job = weir_strndup(name.at, name.length);
    weir_status s = WEIR_OK;
    r = weir_pb_reader(job_def);
    while (!s && weir_pb_next(&r))
        if (r.field == 2 && r.type == WEIR_PB_LEN)
            s = add_entry(c, job, r.bytes);
    weir_free(job);
    return s;
}

weir_status weir_cluster_add_def(weir_cluster *c, weir_str cluster_def)
{
    weir_pb r = weir_pb_reader(cluster_def);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            WEIR_TRY(add_job(c, r.bytes));
    return weir_pb_ok(&r) ? WEIR_OK : unparseable();
}

/* ---- sealing -------------------------------------------------------------------------------- */

weir_status weir_cluster_seal(weir_cluster *c, const char *own_job, int own_index)
{
    for (int i = 0; i < c->task_count; i++) {
        weir_task *t = &c->tasks[i];
        if (own_job && t->index == own_index && strcmp(t->job, own_job) == 0)
            c->own = i;
        weir_map_put(&c->by_name, weir_str_of(t->name), t);
    }
    if (own_job && c->own < 0)
        return weir_error(WEIR_NOT_FOUND, "Task %d of job \"%s\" is not defined in the cluster",
                          own_index, own_job);
    for (int i = 0; i < c->task_count; i++)
        if (i != c->own)
            c->tasks[i].channel = weir_channel_open(c->tasks[i].address);
    return WEIR_OK;
}

/* ---- asking --------------------------------------------------------------------------------- */

const weir_task *weir_cluster_find(const weir_cluster *c, weir_str device)
{
    static const char mark[] = "/device:";
    const char *end = memmem(device.at, device.length, mark, sizeof mark - 1);
    weir_str task = {device.at, end ? (size_t)(end - device.at) : device.length};
    return weir_map_get(&c->by_name, task);
}

void weir_cluster_export(const weir_cluster *c, weir_buf *out)
{
    for (int i = 0; i < c->task_count;) {
        const char *job = c->tasks[i].job;
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_str(out, 1, job);
        for (; i < c->task_count && strcmp(c->tasks[i].job, job) == 0; i++) {
            size_t entry = weir_pb_begin(out, 2);
            weir_pb_put_varint(out, 1, (uint64_t)c->tasks[i].index);
            weir_pb_put_str(out, 2, c->tasks[i].address);
            weir_pb_end(out, entry);
        }
        weir_pb_end(out, mark);
    }
}
