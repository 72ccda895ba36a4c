/* session/collective.c - collective ops of one process: its own devices are the members. */
#include "session/collective.h"

#include <stdlib.h>

typedef struct local {
    weir_collectives base;
    weir_groups *groups;
} local;

/* A member that joins. */
typedef struct joining {
    weir_groups *groups;
    weir_collective what;
    char *device;
    weir_cancel *cancel; /* retained; may be null */
    weir_group *group;
    weir_joined done;
    void *arg;
} joining;

static void end_join(joining *j, weir_status s, int source)
{
    weir_joined done = j->done;
    void *arg = j->arg;
    weir_group *group = j->group;
    int rank = group ? weir_group_rank(group, weir_str_of(j->device)) : -1;
    if (s) {
        weir_group_release(group);
        group = NULL;
    }
    weir_cancel_release(j->cancel);
    weir_free(j->device);
    weir_free(j);
    done(arg, s, group, rank, source);
}

static void has_instance(void *arg, weir_status s, int source)
{
    end_join(arg, s, source);
}

static void has_group(void *arg, weir_status s, weir_group *group)
{
    joining *j = arg;
    j->group = group;
    if (s)
        end_join(j, s, -1);
    else
        weir_groups_instance(j->groups, group, &j->what, 0, j->cancel, has_instance, j);
}

void weir_collectives_join_here(weir_groups *groups, const weir_collective *what,
                                uint64_t incarnation, weir_cancel *cancel, weir_joined done,
                                void *arg)
{
    joining *j = WEIR_NEW(joining);
    *j = (joining){.groups = groups,
                   .what = *what,
                   .device = weir_strdup(what->device),
                   .cancel = cancel ? weir_cancel_retain(cancel) : NULL,
                   .done = done,
                   .arg = arg};
    j->what.device = j->device;
    j->what.name = NULL;
    weir_group_device d = {weir_str_of(what->device), weir_str_of("CPU"), incarnation};
    weir_groups_join(groups, what->group_key, what->group_size, &d, cancel, has_group, j);
}

static void join(weir_collectives *c, const weir_collective *what, weir_cancel *cancel,
                 weir_joined done, void *arg)
{
    weir_collectives_join_here(((local *)c)->groups, what, 1, cancel, done, arg);
}

static void recv(weir_collectives *c, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg)
{
    own->recv(own, key, done, arg);
}

static void destroy(weir_ref *ref)
{
    local *l = (local *)ref;
    weir_groups_destroy(l->groups);
    weir_free(l);
}

weir_collectives *weir_collectives_create(void)
{
    local *l = WEIR_NEW(local);
    weir_ref_init(&l->base.ref, destroy);
    l->base.join = join;
    l->base.recv = recv;
    l->groups = weir_groups_create();
    return &l->base;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Collectives of the first generation name their instance by an attr, later ones by an input. */
static bool has_instance_input(const weir_node *n)
{
    for (int i = 0; i < n->site.def->in_count; i++)
        if (strcmp(n->site.def->in[i].name, "instance_key") == 0)
            return true;
    return false;
}

int64_t weir_graph_collective_key(const weir_graph *g)
{
    WEIR_VEC(int32_t) keys = {0};
    bool second = false;
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        int instance =
            n->removed || !n->site.op ? -1 : weir_opdef_attr(n->site.def, "instance_key");
        if (instance >= 0)
            weir_vec_push(&keys, (int32_t)weir_site_int(&n->site, instance));
        second |= !n->removed && has_instance_input(n);
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
