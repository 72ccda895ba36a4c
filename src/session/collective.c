/* session/collective.c - collective ops within one process: its devices are the members. */
#include "session/collective.h"

#include <stdlib.h>

typedef struct local {
    weir_collectives base;
    weir_groups *groups;
} local;

/* A pending join of a member. */
typedef struct joining {
    weir_groups *groups;
    weir_collective what;
    char *device;
    weir_cancel *cancel; /* retained; may be null */
    weir_group *group;
    weir_joined done;
    void *arg;
} joining;

static void end_join(joining *joining, weir_status status, int source)
{
    weir_joined done = joining->done;
    void *arg = joining->arg;
    weir_group *group = joining->group;
    int rank = group ? weir_group_rank(group, weir_str_of(joining->device)) : -1;
    if (status) {
        weir_group_release(group);
        group = NULL;
    }
    weir_cancel_release(joining->cancel);
    weir_free(joining->device);
    weir_free(joining);
    done(arg, status, group, rank, source);
}

static void has_instance(void *arg, weir_status status, int source)
{
    end_join(arg, status, source);
}

static void has_group(void *arg, weir_status status, weir_group *group)
{
    joining *joining = arg;
    joining->group = group;
    if (status)
        end_join(joining, status, -1);
    else
        weir_groups_instance(joining->groups, group, &joining->what, 0, joining->cancel,
                             has_instance, joining);
}

void weir_collectives_join_here(weir_groups *groups, const weir_collective *what,
                                uint64_t incarnation, weir_cancel *cancel, weir_joined done,
                                void *arg)
{
    joining *new_joining = WEIR_NEW(joining);
    *new_joining = (joining){.groups = groups,
                             .what = *what,
                             .device = weir_strdup(what->device),
                             .cancel = cancel ? weir_cancel_retain(cancel) : NULL,
                             .done = done,
                             .arg = arg};
    new_joining->what.device = new_joining->device;
    new_joining->what.name = NULL;
    weir_group_device device = {weir_str_of(what->device), weir_str_of("CPU"), incarnation, true};
    weir_groups_join(groups, what->group_key, what->group_size, &device, cancel, has_group,
                     new_joining);
}

static void join(weir_collectives *collectives, const weir_collective *what, weir_cancel *cancel,
                 weir_joined done, void *arg)
{
    weir_collectives_join_here(((local *)collectives)->groups, what, 1, cancel, done, arg);
}

static void recv(weir_collectives *collectives, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg)
{
    own->recv(own, key, done, arg);
}

static void destroy(weir_ref *ref)
{
    local *this_local = (local *)ref;
    weir_groups_destroy(this_local->groups);
    weir_free(this_local);
}

weir_collectives *weir_collectives_create(void)
{
    local *new_local = WEIR_NEW(local);
    weir_ref_init(&new_local->base.ref, destroy);
    new_local->base.join = join;
    new_local->base.recv = recv;
    new_local->groups = weir_groups_create();
    return &new_local->base;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* V1 collectives name their instance by an attr, later ones by an input. */
static bool has_instance_input(const weir_node *node)
{
    for (int i = 0; i < node->site.def->in_count; i++)
        if (strcmp(node->site.def->in[i].name, "instance_key") == 0)
            return true;
    return false;
}

int64_t weir_graph_collective_key(const weir_graph *graph)
{
    WEIR_VEC(int32_t) keys = {0};
    bool second = false;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        int instance =
            node->removed || !node->site.op ? -1 : weir_opdef_attr(node->site.def, "instance_key");
        if (instance >= 0)
            weir_vec_push(&keys, (int32_t)weir_site_int(&node->site, instance));
        second |= !node->removed && has_instance_input(node);
    }
    uint64_t hash = 0x8774aa605c729c72u;
    if (keys.count)
        qsort(keys.at, keys.count, sizeof *keys.at, by_number);
    for (size_t i = 0; i < keys.count; i++) {
        uint64_t key = (uint64_t)(int64_t)keys.at[i];
        if (!i || keys.at[i] != keys.at[i - 1])
            hash = key ^ (hash + 0x9e3779b97f4a7800u + (key << 10) + (key >> 4));
    }
    bool any = keys.count || second;
    weir_vec_fini(&keys);
    return any ? (int64_t)hash : 0;
}
