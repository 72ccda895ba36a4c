/* state/groups.c - groups, their instances, and pending joins.
 *
 * One lock guards everything. Callbacks are called without it.
 */
#include "state/groups.h"
#include "base/mutex.h"
#include "base/room.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct waiter waiter;
typedef struct waiters {
    waiter *first;
} waiters;

/* A pending join of a group or an instance. Held by its list, its cancellation, its creator. */
struct waiter {
    weir_ref ref;
    waiter *next;
    waiters *list; /* null: called or about to be called */
    weir_groups *groups;
    weir_cancel *cancel; /* retained; may be null */
    int64_t token;
    weir_group_done group_done; /* one of the two */
    weir_instance_done instance_done;
    void *arg;
    int32_t group_key; /* of a join of a group: */
    char *device;
};

enum { RECORD_BYTES = 256 }; /* of a group or an instance, with its place in its map */

typedef struct group_record {
    weir_group *group; /* retained; null until complete */
    size_t held;       /* bytes in base/room.h: other tasks may join any number of groups */
    int size;
    char *type;
    WEIR_VEC(weir_group_member) members; /* in order of joining, until complete */
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
    size_t held; /* bytes in base/room.h */
    int known_count, size, source;
    waiters waiting;
} instance_record;

struct weir_groups {
    weir_mutex lock;
    weir_map groups;    /* int32 key -> group_record */
    weir_map instances; /* instance_key -> instance_record */
};

/* ---- groups --------------------------------------------------------------------------------- */

static void free_member(weir_group_member *member)
{
    weir_free(member->device);
}

static void destroy_group(weir_ref *ref)
{
    weir_group *group = (weir_group *)ref;
    for (int i = 0; i < group->size; i++)
        free_member(&group->members[i]);
    weir_free(group->members);
    weir_free(group->device_type);
    weir_free(group);
}

static size_t task_bytes(weir_str device)
{
    static const char mark[] = "/device:";
    const char *end = memmem(device.at, device.length, mark, sizeof mark - 1);
    return end ? (size_t)(end - device.at) : device.length;
}

static weir_group_member member_of(const weir_group_device *device)
{
    return (weir_group_member){weir_strndup(device->name.at, device->name.length),
                               task_bytes(device->name), device->incarnation, device->weir};
}

static int compare_bytes(const char *a, size_t length, const char *b, size_t m)
{
    int order = memcmp(a, b, length < m ? length : m);
    return order ? order : (length > m) - (length < m);
}

/* The number at the end of a device's name. */
static long device_number(const weir_group_member *member)
{
    const char *colon = strrchr(member->device, ':');
    return colon ? atol(colon + 1) : 0;
}

/* Tasks sorted by name as text, devices of a task by type and number. */
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
    waiter *this_waiter = (waiter *)ref;
    weir_cancel_release(this_waiter->cancel);
    weir_free(this_waiter->device);
    weir_free(this_waiter);
}

static void call_waiter(waiter *waiter, weir_status status, weir_group *group, int source)
{
    if (group)
        weir_ref_retain(&group->ref);
    if (waiter->group_done)
        waiter->group_done(waiter->arg, status, group);
    else
        waiter->instance_done(waiter->arg, status, source);
    if (!waiter->group_done)
        weir_group_release(group);
}

static bool take_out(waiter *this_waiter)
{
    if (!this_waiter->list)
        return false;
    waiter **at = &this_waiter->list->first;
    while (*at != this_waiter)
        at = &(*at)->next;
    *at = this_waiter->next;
    this_waiter->list = NULL;
    return true;
}

static void leave(weir_groups *groups, int32_t key, const char *device);

static void give_up(void *arg)
{
    waiter *waiter = arg;
    weir_mutex_lock(&waiter->groups->lock);
    bool waited = take_out(waiter);
    if (waited && waiter->group_done)
        leave(waiter->groups, waiter->group_key, waiter->device);
    weir_mutex_unlock(&waiter->groups->lock);
    if (!waited)
        return;
    call_waiter(waiter, weir_cancel_status(waiter->cancel), NULL, -1);
    weir_ref_release(&waiter->ref); /* the list's */
}

/* Lock held. False: already cancelled; no callback. */
static bool wait_in(weir_groups *groups, waiters *list, weir_cancel *cancel, const waiter *who)
{
    waiter *new_waiter = WEIR_NEW(waiter);
    *new_waiter = *who;
    weir_ref_init(&new_waiter->ref, destroy_waiter); /* the list's */
    new_waiter->groups = groups;
    new_waiter->device = who->device ? weir_strdup(who->device) : NULL;
    new_waiter->cancel = cancel ? weir_cancel_retain(cancel) : NULL;
    new_waiter->token = cancel ? weir_cancel_add(cancel, give_up, new_waiter) : 0;
    if (cancel && !new_waiter->token) {
        weir_ref_release(&new_waiter->ref);
        return false;
    }
    new_waiter->list = list;
    new_waiter->next = list->first;
    list->first = new_waiter;
    return true;
}

/* Removes all waiters of a list; lock held. */
static waiter *take_all(waiters *list)
{
    waiter *all = list->first;
    for (waiter *waiter = all; waiter; waiter = waiter->next)
        waiter->list = NULL;
    list->first = NULL;
    return all;
}

/* Calls the waiters from take_all. The status is copied. */
static void call_all(waiter *this_waiter, weir_status status, weir_group *group, int source)
{
    while (this_waiter) {
        waiter *next = this_waiter->next;
        if (this_waiter->token)
            weir_cancel_remove(this_waiter->cancel, this_waiter->token);
        call_waiter(this_waiter, weir_status_copy(status), status ? NULL : group, source);
        weir_ref_release(&this_waiter->ref);
        this_waiter = next;
    }
}

/* ---- joining -------------------------------------------------------------------------------- */

static weir_str key_str(const int32_t *key)
{
    return (weir_str){(const char *)key, sizeof *key};
}

static group_record *find_record(weir_groups *groups, int32_t key)
{
    return weir_map_get(&groups->groups, key_str(&key));
}

static void free_record(group_record *record)
{
    for (size_t i = 0; i < record->members.count; i++)
        free_member(&record->members.at[i]);
    weir_vec_fini(&record->members);
    weir_group_release(record->group);
    weir_room_drop(&record->held);
    weir_free(record->type);
    weir_free(record);
}

static group_record *new_record(weir_groups *groups, int32_t key, int size, weir_str type)
{
    group_record *record = WEIR_NEW(group_record);
    record->size = size;
    record->type = weir_strndup(type.at, type.length);
    weir_map_put(&groups->groups, key_str(&key), record);
    return record;
}

/* |device| is not a member any more: no one waits for the incomplete group on its behalf. It may
 * have died; after a restart it has another incarnation. */
static void leave(weir_groups *groups, int32_t key, const char *device)
{
    group_record *record = find_record(groups, key);
    if (!record || record->group)
        return;
    for (const waiter *other = record->waiting.first; other; other = other->next)
        if (strcmp(other->device, device) == 0)
            return;
    for (size_t i = 0; i < record->members.count; i++)
        if (strcmp(record->members.at[i].device, device) == 0) {
            free_member(&record->members.at[i]);
            record->members.at[i--] = record->members.at[--record->members.count];
        }
    if (record->members.count || record->waiting.first)
        return;
    weir_map_remove(&groups->groups, key_str(&key));
    free_record(record);
}

static weir_status check_device(int32_t key, const group_record *record, int size,
                                const weir_group_device *device, bool *out_is_new)
{
    if (!weir_str_is(device->type, record->type))
        return weir_error(WEIR_INTERNAL,
                          "Device %.*s is joining a group with incompatible device type%s "
                          "(group_key=%" PRId32 ")",
                          WEIR_STR_ARG(device->name), record->type, key);
    if (size != record->size)
        return weir_error(WEIR_INTERNAL,
                          "Device %.*s is joining a group with size%d, but that group has size %d "
                          "(group_key=%" PRId32 ")",
                          WEIR_STR_ARG(device->name), size, record->size, key);
    const weir_group_member *members = record->group ? record->group->members : record->members.at;
    size_t count = record->group ? (size_t)record->group->size : record->members.count;
    for (size_t i = 0; i < count; i++) {
        if (!weir_str_is(device->name, members[i].device))
            continue;
        if (members[i].incarnation != device->incarnation)
            return weir_error(WEIR_FAILED_PRECONDITION,
                              "Device %.*s current incarnation doesn't match with one in the "
                              "group. This usually means this worker has restarted but the "
                              "collective leader hasn't, or this worker connects to a wrong "
                              "cluster.",
                              WEIR_STR_ARG(device->name));
        *out_is_new = false;
        return WEIR_OK;
    }
    *out_is_new = true;
    if (record->group)
        return weir_error(WEIR_INTERNAL,
                          "Device %.*s is joining a group that is already full (group_key=%" PRId32
                          ")",
                          WEIR_STR_ARG(device->name), key);
    return WEIR_OK;
}

static weir_status add_member(group_record *record, const weir_group_device *device)
{
    size_t bytes = sizeof(weir_group_member) + device->name.length;
    WEIR_TRY(weir_room_hold(&record->held, record->held + RECORD_BYTES + bytes,
                            "a group of collective ops"));
    weir_vec_push(&record->members, member_of(device));
    return WEIR_OK;
}

/* All members have joined: sorts them. */
static void complete(int32_t key, group_record *record)
{
    weir_group *group = WEIR_NEW(weir_group);
    weir_ref_init(&group->ref, destroy_group);
    group->key = key;
    group->size = record->size;
    group->device_type = weir_strdup(record->type);
    group->members = record->members.at;
    group->all_weir = true;
    for (int i = 0; i < group->size; i++)
        group->all_weir &= group->members[i].weir;
    qsort(group->members, (size_t)group->size, sizeof *group->members, compare_members);
    record->members.at = NULL;
    record->members.count = record->members.room = 0;
    record->group = group;
}

void weir_groups_join(weir_groups *groups, int32_t key, int size, const weir_group_device *device,
                      weir_cancel *cancel, weir_group_done done, void *arg)
{
    char *name = weir_strndup(device->name.at, device->name.length);
    waiter who = {.group_done = done, .arg = arg, .group_key = key, .device = name};
    waiter *others = NULL;
    bool is_new = false, waits = false;
    weir_mutex_lock(&groups->lock);
    group_record *record = find_record(groups, key);
    if (!record)
        record = new_record(groups, key, size, device->type);
    weir_status status = check_device(key, record, size, device, &is_new);
    if (!status && is_new)
        status = add_member(record, device);
    if (!status && !record->group && record->members.count == (size_t)record->size)
        complete(key, record);
    weir_group *group = record->group;
    if (group)
        weir_ref_retain(&group->ref);
    if (!status && !group) {
        waits = wait_in(groups, &record->waiting, cancel, &who);
        if (!waits) {
            status = weir_cancel_status(cancel);
            leave(groups, key, name);
        }
    } else {
        others = take_all(&record->waiting);
        if (status && !group) { /* it can be joined anew */
            weir_map_remove(&groups->groups, key_str(&key));
            free_record(record);
        }
    }
    weir_mutex_unlock(&groups->lock);
    weir_free(name);
    call_all(others, status, group, -1);
    if (!waits) {
        if (status)
            weir_group_release(group);
        done(arg, status, status ? NULL : group);
    }
}

weir_group *weir_groups_find(weir_groups *groups, int32_t key)
{
    weir_mutex_lock(&groups->lock);
    group_record *record = find_record(groups, key);
    weir_group *group = record ? record->group : NULL;
    if (group)
        weir_ref_retain(&group->ref);
    weir_mutex_unlock(&groups->lock);
    return group;
}

weir_status weir_groups_put(weir_groups *groups, int32_t key, const weir_group_device *devices,
                            size_t count, weir_group **out_group)
{
    if (!count)
        return weir_error(WEIR_INTERNAL, "CompleteGroupResponse device_attributes is empty. Make "
                                         "sure you're running the same version of Tensorflow on "
                                         "all workers.");
    weir_mutex_lock(&groups->lock);
    group_record *record = find_record(groups, key);
    if (!record)
        record = new_record(groups, key, (int)count, devices[0].type);
    if (!record->group) {
        for (size_t i = 0; i < count; i++)
            weir_vec_push(&record->members, member_of(&devices[i]));
        record->size = (int)count;
        complete(key, record);
    }
    *out_group = record->group;
    weir_ref_retain(&record->group->ref);
    weir_mutex_unlock(&groups->lock);
    return WEIR_OK;
}

/* ---- instances ------------------------------------------------------------------------------ */

static instance_key key_of(const weir_collective *what, int64_t step_id)
{
    return (instance_key){step_id, what->group_key, what->instance_key};
}

static instance_record *find_instance(weir_groups *groups, const weir_collective *what,
                                      int64_t step_id)
{
    instance_key key = key_of(what, step_id);
    return weir_map_get(&groups->instances, (weir_str){(const char *)&key, sizeof key});
}

static instance_record *make_instance(weir_groups *groups, const weir_collective *what, int size,
                                      int64_t step_id)
{
    instance_record *record = find_instance(groups, what, step_id);
    if (record)
        return record;
    instance_key key = key_of(what, step_id);
    record = WEIR_NEW(instance_record);
    record->type = what->type;
    record->dtype = what->dtype;
    record->shape = what->shape;
    record->known = WEIR_NEW_ARRAY(bool, size);
    record->size = size;
    record->source = -1;
    weir_map_put(&groups->instances, (weir_str){(const char *)&key, sizeof key}, record);
    return record;
}

static void free_instance(instance_record *record)
{
    weir_room_drop(&record->held);
    weir_free(record->known);
    weir_free(record);
}

/* Counts a new instance, which is kept; drops it when there is no room. */
static weir_status count_instance(weir_groups *groups, const weir_collective *what, int64_t step_id)
{
    instance_record *record = find_instance(groups, what, step_id);
    size_t bytes = RECORD_BYTES + (size_t)record->size;
    weir_status status = weir_room_hold(&record->held, bytes, "an instance of a collective op");
    if (!status || record->held)
        return status;
    instance_key key = key_of(what, step_id);
    weir_map_remove(&groups->instances, (weir_str){(const char *)&key, sizeof key});
    free_instance(record);
    return status;
}

static weir_status check_instance(const instance_record *record, const weir_collective *what)
{
    if (record->type != what->type || record->dtype != what->dtype)
        return weir_error(WEIR_INTERNAL,
                          "Collective instance %" PRId32 " expected type %d and data_type %d but "
                          "got type %d and data_type %d",
                          what->instance_key, record->type, record->dtype, what->type, what->dtype);
    if (weir_shape_eq(&record->shape, &what->shape))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Shape mismatch in the collective instance %" PRId32
                      ". Op at device %s expected shape %s but another member in the group "
                      "expected shape %s. This is likely due to different input shapes at "
                      "different members of the collective op.",
                      what->instance_key, what->device, WEIR_SHAPE_STR(&what->shape),
                      WEIR_SHAPE_STR(&record->shape));
}

static weir_status note_member(instance_record *record, const weir_collective *what, int rank)
{
    if (!record->known[rank]) {
        record->known[rank] = true;
        record->known_count++;
        if (what->is_source && record->source >= 0)
            return weir_error(WEIR_INTERNAL,
                              "Instance %" PRId32 " already has source %d, received second claim "
                              "from %d",
                              what->instance_key, record->source, rank);
        if (what->is_source)
            record->source = rank;
    }
    if (what->type == WEIR_COLLECTIVE_BROADCAST && record->known_count == record->size &&
        record->source < 0)
        return weir_error(WEIR_INTERNAL,
                          "Instance %" PRId32 " found no source for broadcast.  This could mean "
                          "that there were group_size=%d BcastRecvs but no BcastSend.",
                          what->instance_key, record->known_count);
    return WEIR_OK;
}

void weir_groups_instance(weir_groups *groups, const weir_group *group, const weir_collective *what,
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
    weir_mutex_lock(&groups->lock);
    instance_record *record = make_instance(groups, what, group->size, step_id);
    weir_status counted = count_instance(groups, what, step_id);
    if (counted) {
        weir_mutex_unlock(&groups->lock);
        done(arg, counted, -1);
        return;
    }
    bool settled = record->known_count == record->size; /* later steps may have other shapes */
    weir_status status = settled ? WEIR_OK : check_instance(record, what);
    if (!status && !settled)
        status = note_member(record, what, rank);
    bool broadcast = what->type == WEIR_COLLECTIVE_BROADCAST;
    if (!status && broadcast && record->known_count < record->size) {
        waits = wait_in(groups, &record->waiting, cancel, &who);
        if (!waits)
            status = weir_cancel_status(cancel);
    } else {
        source = record->source;
        others = take_all(&record->waiting);
    }
    weir_mutex_unlock(&groups->lock);
    call_all(others, status, NULL, source);
    if (!waits)
        done(arg, status, source);
}

void weir_groups_put_instance(weir_groups *groups, const weir_group *group,
                              const weir_collective *what, int64_t step_id, int source)
{
    weir_mutex_lock(&groups->lock);
    instance_record *record = make_instance(groups, what, group->size, step_id);
    record->source = source;
    record->known_count = record->size;
    for (int i = 0; i < record->size; i++)
        record->known[i] = true;
    waiter *others = take_all(&record->waiting);
    weir_mutex_unlock(&groups->lock);
    call_all(others, WEIR_OK, NULL, source);
}

bool weir_groups_has_instance(weir_groups *groups, const weir_collective *what, int64_t step_id)
{
    weir_mutex_lock(&groups->lock);
    instance_record *record = find_instance(groups, what, step_id);
    bool has = record && record->known_count == record->size;
    weir_mutex_unlock(&groups->lock);
    return has;
}

/* ---- life ----------------------------------------------------------------------------------- */

weir_groups *weir_groups_create(void)
{
    weir_groups *groups = WEIR_NEW(weir_groups);
    weir_mutex_init(&groups->lock);
    return groups;
}

void weir_groups_destroy(weir_groups *groups)
{
    if (!groups)
        return;
    size_t at = 0;
    void *value;
    while (weir_map_next(&groups->groups, &at, NULL, &value))
        free_record(value);
    at = 0;
    while (weir_map_next(&groups->instances, &at, NULL, &value))
        free_instance(value);
    weir_map_fini(&groups->groups);
    weir_map_fini(&groups->instances);
    weir_mutex_fini(&groups->lock);
    weir_free(groups);
}
