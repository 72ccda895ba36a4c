/* state/groups.c - groups, their instances, and who waits for them.
 *
 * One lock guards everything. Who waits is called back without it.
 */
#include "state/groups.h"
#include "base/mutex.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct waiter waiter;
typedef struct waiters {
    waiter *first;
} waiters;

/* Who waits for a group or an instance. Shared: its list, its cancellation, whoever adds it. */
struct waiter {
    weir_ref ref;
    waiter *next;
    waiters *list; /* null: called or about to be */
    weir_groups *groups;
    weir_cancel *cancel; /* retained; may be null */
    int64_t token;
    weir_group_done group_done; /* one of the two */
    weir_instance_done instance_done;
    void *arg;
};

typedef struct group_record {
    weir_group *group; /* retained; null while it is not complete */
    int size;
    char *type;
    WEIR_VEC(weir_group_member) members; /* in the order they joined, while it is not complete */
    waiters waiting;
} group_record;

typedef struct instance_key {
    int64_t step_id;
    int32_t group, instance;
} instance_key;

typedef struct instance_record {
    weir_collective_type type;
    weir_dtype dtype;
    weir_shape shape;
    bool *known; /* by rank */
    int known_count, size, source;
    waiters waiting;
} instance_record;

struct weir_groups {
    weir_mutex lock;
    weir_map groups;    /* int32 key -> group_record */
    weir_map instances; /* instance_key -> instance_record */
};

/* ---- groups as such ------------------------------------------------------------------------- */

static void free_member(weir_group_member *m)
{
    weir_free(m->device);
}

static void destroy_group(weir_ref *ref)
{
    weir_group *g = (weir_group *)ref;
    for (int i = 0; i < g->size; i++)
        free_member(&g->members[i]);
    weir_free(g->members);
    weir_free(g->device_type);
    weir_free(g);
}

static size_t task_bytes(weir_str device)
{
    static const char mark[] = "/device:";
    const char *end = memmem(device.at, device.length, mark, sizeof mark - 1);
    return end ? (size_t)(end - device.at) : device.length;
}

static weir_group_member member_of(const weir_group_device *d)
{
    return (weir_group_member){weir_strndup(d->name.at, d->name.length), task_bytes(d->name),
                               d->incarnation};
}

static int compare_bytes(const char *a, size_t n, const char *b, size_t m)
{
    int order = memcmp(a, b, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

/* The number at the end of a device's name. */
static long device_number(const weir_group_member *m)
{
    const char *colon = strrchr(m->device, ':');
    return colon ? atol(colon + 1) : 0;
}

/* Tasks in the order of their names as text, devices of a task by type and number. */
static int compare_members(const void *left, const void *right)
{
    const weir_group_member *a = left, *b = right;
    int order = compare_bytes(a->device, a->task_bytes, b->device, b->task_bytes);
    if (order)
        return order;
    const char *type_a = strrchr(a->device, ':'), *type_b = strrchr(b->device, ':');
    order = compare_bytes(a->device, type_a ? (size_t)(type_a - a->device) : 0, b->device,
                          type_b ? (size_t)(type_b - b->device) : 0);
    long x = device_number(a), y = device_number(b);
    return order ? order : (x > y) - (x < y);
}

int weir_group_rank(const weir_group *group, weir_str device)
{
    for (int i = 0; i < group->size; i++)
        if (weir_str_is(device, group->members[i].device))
            return i;
    return -1;
}

/* ---- waiting -------------------------------------------------------------------------------- */

static void destroy_waiter(weir_ref *ref)
{
    waiter *w = (waiter *)ref;
    weir_cancel_release(w->cancel);
    weir_free(w);
}

static void call_waiter(waiter *w, weir_status s, weir_group *group, int source)
{
    if (group)
        weir_ref_retain(&group->ref);
    if (w->group_done)
        w->group_done(w->arg, s, group);
    else
        w->instance_done(w->arg, s, source);
    if (!w->group_done)
        weir_group_release(group);
}

static bool take_out(waiter *w)
{
    if (!w->list)
        return false;
    waiter **at = &w->list->first;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    w->list = NULL;
    return true;
}

static void give_up(void *arg)
{
    waiter *w = arg;
    weir_mutex_lock(&w->groups->lock);
    bool waited = take_out(w);
    weir_mutex_unlock(&w->groups->lock);
    if (!waited)
        return;
    call_waiter(w, weir_cancel_status(w->cancel), NULL, -1);
    weir_ref_release(&w->ref); /* the list's */
}

/* Lock held. False: cancelled already; nobody will be called. */
static bool wait_in(weir_groups *g, waiters *list, weir_cancel *cancel, const waiter *who)
{
    waiter *w = WEIR_NEW(waiter);
    *w = *who;
    weir_ref_init(&w->ref, destroy_waiter); /* the list's */
    w->groups = g;
    w->cancel = cancel ? weir_cancel_retain(cancel) : NULL;
    w->token = cancel ? weir_cancel_add(cancel, give_up, w) : 0;
    if (cancel && !w->token) {
        weir_ref_release(&w->ref);
        return false;
    }
    w->list = list;
    w->next = list->first;
    list->first = w;
    return true;
}

/* Takes everybody out of a list, whose lock the caller holds. */
static waiter *take_all(waiters *list)
{
    waiter *all = list->first;
    for (waiter *w = all; w; w = w->next)
        w->list = NULL;
    list->first = NULL;
    return all;
}

/* Calls those that take_all gave. The status is copied. */
static void call_all(waiter *w, weir_status s, weir_group *group, int source)
{
    while (w) {
        waiter *next = w->next;
        if (w->token)
            weir_cancel_remove(w->cancel, w->token);
        call_waiter(w, weir_status_copy(s), s ? NULL : group, source);
        weir_ref_release(&w->ref);
        w = next;
    }
}

/* ---- joining -------------------------------------------------------------------------------- */

static weir_str key_str(const int32_t *key)
{
    return (weir_str){(const char *)key, sizeof *key};
}

static group_record *find_record(weir_groups *g, int32_t key)
{
    return weir_map_get(&g->groups, key_str(&key));
}

static void free_record(group_record *r)
{
    for (size_t i = 0; i < r->members.count; i++)
        free_member(&r->members.at[i]);
    weir_vec_fini(&r->members);
    weir_group_release(r->group);
    weir_free(r->type);
    weir_free(r);
}

static group_record *new_record(weir_groups *g, int32_t key, int size, weir_str type)
{
    group_record *r = WEIR_NEW(group_record);
    r->size = size;
    r->type = weir_strndup(type.at, type.length);
    weir_map_put(&g->groups, key_str(&key), r);
    return r;
}

static weir_status check_device(int32_t key, const group_record *r, int size,
                                const weir_group_device *d, bool *out_is_new)
{
    if (!weir_str_is(d->type, r->type))
        return weir_error(WEIR_INTERNAL,
                          "Device %.*s is joining a group with incompatible device type%s "
                          "(group_key=%" PRId32 ")",
                          WEIR_STR_ARG(d->name), r->type, key);
    if (size != r->size)
        return weir_error(WEIR_INTERNAL,
                          "Device %.*s is joining a group with size%d, but that group has size %d "
                          "(group_key=%" PRId32 ")",
                          WEIR_STR_ARG(d->name), size, r->size, key);
    const weir_group_member *members = r->group ? r->group->members : r->members.at;
    size_t count = r->group ? (size_t)r->group->size : r->members.count;
    for (size_t i = 0; i < count; i++) {
        if (!weir_str_is(d->name, members[i].device))
            continue;
        if (members[i].incarnation != d->incarnation)
            return weir_error(WEIR_FAILED_PRECONDITION,
                              "Device %.*s current incarnation doesn't match with one in the "
                              "group. This usually means this worker has restarted but the "
                              "collective leader hasn't, or this worker connects to a wrong "
                              "cluster.",
                              WEIR_STR_ARG(d->name));
        *out_is_new = false;
        return WEIR_OK;
    }
    *out_is_new = true;
    if (r->group)
        return weir_error(WEIR_INTERNAL,
                          "Device %.*s is joining a group that is already full (group_key=%" PRId32
                          ")",
                          WEIR_STR_ARG(d->name), key);
    return WEIR_OK;
}

/* All members are there: puts them in order. */
static void complete(int32_t key, group_record *r)
{
    weir_group *g = WEIR_NEW(weir_group);
    weir_ref_init(&g->ref, destroy_group);
    g->key = key;
    g->size = r->size;
    g->device_type = weir_strdup(r->type);
    g->members = r->members.at;
    qsort(g->members, (size_t)g->size, sizeof *g->members, compare_members);
    r->members.at = NULL;
    r->members.count = r->members.room = 0;
    r->group = g;
}

void weir_groups_join(weir_groups *g, int32_t key, int size, const weir_group_device *device,
                      weir_cancel *cancel, weir_group_done done, void *arg)
{
    waiter who = {.group_done = done, .arg = arg}, *others = NULL;
    bool is_new = false, waits = false;
    weir_mutex_lock(&g->lock);
    group_record *r = find_record(g, key);
    if (!r)
        r = new_record(g, key, size, device->type);
    weir_status s = check_device(key, r, size, device, &is_new);
    if (!s && is_new)
        weir_vec_push(&r->members, member_of(device));
    if (!s && !r->group && r->members.count == (size_t)r->size)
        complete(key, r);
    if (!s && !r->group) {
        waits = wait_in(g, &r->waiting, cancel, &who);
        if (!waits)
            s = weir_cancel_status(cancel);
    } else {
        others = take_all(&r->waiting);
    }
    weir_group *group = r->group;
    if (group)
        weir_ref_retain(&group->ref);
    if (s && !group && others) { /* it can be joined anew */
        weir_map_remove(&g->groups, key_str(&key));
        free_record(r);
    }
    weir_mutex_unlock(&g->lock);
    call_all(others, s, group, -1);
    if (!waits) {
        if (s)
            weir_group_release(group);
        done(arg, s, s ? NULL : group);
    }
}

weir_group *weir_groups_find(weir_groups *g, int32_t key)
{
    weir_mutex_lock(&g->lock);
    group_record *r = find_record(g, key);
    weir_group *group = r ? r->group : NULL;
    if (group)
        weir_ref_retain(&group->ref);
    weir_mutex_unlock(&g->lock);
    return group;
}

weir_status weir_groups_put(weir_groups *g, int32_t key, const weir_group_device *devices,
                            size_t count, weir_group **out_group)
{
    if (!count)
        return weir_error(WEIR_INTERNAL, "CompleteGroupResponse device_attributes is empty. Make "
                                         "sure you're running the same version of Tensorflow on "
                                         "all workers.");
    weir_mutex_lock(&g->lock);
    group_record *r = find_record(g, key);
    if (!r)
        r = new_record(g, key, (int)count, devices[0].type);
    if (!r->group) {
        for (size_t i = 0; i < count; i++)
            weir_vec_push(&r->members, member_of(&devices[i]));
        r->size = (int)count;
        complete(key, r);
    }
    *out_group = r->group;
    weir_ref_retain(&r->group->ref);
    weir_mutex_unlock(&g->lock);
    return WEIR_OK;
}

/* ---- instances ------------------------------------------------------------------------------ */

static instance_key key_of(const weir_collective *what, int64_t step_id)
{
    return (instance_key){step_id, what->group_key, what->instance_key};
}

static instance_record *find_instance(weir_groups *g, const weir_collective *what, int64_t step_id)
{
    instance_key key = key_of(what, step_id);
    return weir_map_get(&g->instances, (weir_str){(const char *)&key, sizeof key});
}

static instance_record *make_instance(weir_groups *g, const weir_collective *what, int size,
                                      int64_t step_id)
{
    instance_record *r = find_instance(g, what, step_id);
    if (r)
        return r;
    instance_key key = key_of(what, step_id);
    r = WEIR_NEW(instance_record);
    r->type = what->type;
    r->dtype = what->dtype;
    r->shape = what->shape;
    r->known = WEIR_NEW_ARRAY(bool, size);
    r->size = size;
    r->source = -1;
    weir_map_put(&g->instances, (weir_str){(const char *)&key, sizeof key}, r);
    return r;
}

static weir_status check_instance(const instance_record *r, const weir_collective *what)
{
    if (r->type != what->type || r->dtype != what->dtype)
        return weir_error(WEIR_INTERNAL,
                          "Collective instance %" PRId32 " expected type %d and data_type %d but "
                          "got type %d and data_type %d",
                          what->instance_key, r->type, r->dtype, what->type, what->dtype);
    if (weir_shape_eq(&r->shape, &what->shape))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Shape mismatch in the collective instance %" PRId32
                      ". Op at device %s expected shape %s but another member in the group "
                      "expected shape %s. This is likely due to different input shapes at "
                      "different members of the collective op.",
                      what->instance_key, what->device, WEIR_SHAPE_STR(&what->shape),
                      WEIR_SHAPE_STR(&r->shape));
}

static weir_status note_member(instance_record *r, const weir_collective *what, int rank)
{
    if (!r->known[rank]) {
        r->known[rank] = true;
        r->known_count++;
        if (what->is_source && r->source >= 0)
            return weir_error(WEIR_INTERNAL,
                              "Instance %" PRId32 " already has source %d, received second claim "
                              "from %d",
                              what->instance_key, r->source, rank);
        if (what->is_source)
            r->source = rank;
    }
    if (what->type == WEIR_COLLECTIVE_BROADCAST && r->known_count == r->size && r->source < 0)
        return weir_error(WEIR_INTERNAL,
                          "Instance %" PRId32 " found no source for broadcast.  This could mean "
                          "that there were group_size=%d BcastRecvs but no BcastSend.",
                          what->instance_key, r->known_count);
    return WEIR_OK;
}

void weir_groups_instance(weir_groups *g, const weir_group *group, const weir_collective *what,
                          int64_t step_id, weir_cancel *cancel, weir_instance_done done, void *arg)
{
    waiter who = {.instance_done = done, .arg = arg}, *others = NULL;
    bool waits = false;
    int rank = weir_group_rank(group, weir_str_of(what->device)), source = -1;
    if (rank < 0) {
        done(arg,
             weir_error(WEIR_INTERNAL, "Device %s is no member of group %" PRId32, what->device,
                        group->key),
             -1);
        return;
    }
    weir_mutex_lock(&g->lock);
    instance_record *r = make_instance(g, what, group->size, step_id);
    bool settled = r->known_count == r->size; /* later steps may have other shapes */
    weir_status s = settled ? WEIR_OK : check_instance(r, what);
    if (!s && !settled)
        s = note_member(r, what, rank);
    bool broadcast = what->type == WEIR_COLLECTIVE_BROADCAST;
    if (!s && broadcast && r->known_count < r->size) {
        waits = wait_in(g, &r->waiting, cancel, &who);
        if (!waits)
            s = weir_cancel_status(cancel);
    } else {
        source = r->source;
        others = take_all(&r->waiting);
    }
    weir_mutex_unlock(&g->lock);
    call_all(others, s, NULL, source);
    if (!waits)
        done(arg, s, source);
}

void weir_groups_put_instance(weir_groups *g, const weir_group *group, const weir_collective *what,
                              int64_t step_id, int source)
{
    weir_mutex_lock(&g->lock);
    instance_record *r = make_instance(g, what, group->size, step_id);
    r->source = source;
    r->known_count = r->size;
    for (int i = 0; i < r->size; i++)
        r->known[i] = true;
    waiter *others = take_all(&r->waiting);
    weir_mutex_unlock(&g->lock);
    call_all(others, WEIR_OK, NULL, source);
}

bool weir_groups_has_instance(weir_groups *g, const weir_collective *what, int64_t step_id)
{
    weir_mutex_lock(&g->lock);
    instance_record *r = find_instance(g, what, step_id);
    bool has = r && r->known_count == r->size;
    weir_mutex_unlock(&g->lock);
    return has;
}

/* ---- life ----------------------------------------------------------------------------------- */

weir_groups *weir_groups_create(void)
{
    weir_groups *g = WEIR_NEW(weir_groups);
    weir_mutex_init(&g->lock);
    return g;
}

void weir_groups_destroy(weir_groups *g)
{
    if (!g)
        return;
    size_t at = 0;
    void *value;
    while (weir_map_next(&g->groups, &at, NULL, &value))
        free_record(value);
    at = 0;
    while (weir_map_next(&g->instances, &at, NULL, &value)) {
        weir_free(((instance_record *)value)->known);
        weir_free(value);
    }
    weir_map_fini(&g->groups);
    weir_map_fini(&g->instances);
    weir_mutex_fini(&g->lock);
    weir_free(g);
}
