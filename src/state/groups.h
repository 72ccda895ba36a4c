/* state/groups.h - one task's table of the groups of devices that run collective ops together.
 *
 * A group is complete when as many devices have joined as it has members. The leader creates groups
 * and instances; the other tasks cache its answers. Complete groups are kept. An error fails all
 * pending joins of the group, which can then be joined anew. Thread-safe.
 */
#ifndef WEIR_STATE_GROUPS_H
#define WEIR_STATE_GROUPS_H

#include "op/collective.h"

typedef struct weir_groups weir_groups;

weir_groups *weir_groups_create(void);
void weir_groups_destroy(weir_groups *groups); /* no join may be pending; takes null */

typedef struct weir_group_device {
    weir_str name, type; /* "/job:worker/replica:0/task:0/device:CPU:0", "CPU" */
    uint64_t incarnation;
    bool weir; /* as in weir_group_member */
} weir_group_device;

typedef void (*weir_group_done)(void *arg, weir_status status, weir_group *group); /* retained */
/* A device joins; |done| when the group is complete or failed, or |cancel| fired. INTERNAL when the
 * group has another size or type or is full; FAILED_PRECONDITION for a device that was restarted.
 */
void weir_groups_join(weir_groups *groups, int32_t key, int size, const weir_group_device *device,
                      weir_cancel *cancel, weir_group_done done, void *arg);
weir_group *weir_groups_find(weir_groups *groups, int32_t key); /* complete, retained; null: none */
/* A complete group from the leader; ignored if there is one. */
WEIR_CHECKED weir_status weir_groups_put(weir_groups *groups, int32_t key,
                                         const weir_group_device *devices, size_t count,
                                         weir_group **out_group);
/* The rank of a device; -1: not a member. */
int weir_group_rank(const weir_group *group, weir_str device);

typedef void (*weir_instance_done)(void *arg, weir_status status, int source);
/* A member describes its part of an instance of |group|. |done| is called at once, for a broadcast
 * when all members have done so: then |source| is the sender. INTERNAL or INVALID_ARGUMENT when
 * members disagree. */
void weir_groups_instance(weir_groups *groups, const weir_group *group, const weir_collective *what,
                          int64_t step_id, weir_cancel *cancel, weir_instance_done done, void *arg);
/* The leader has announced all members; |source| -1: no broadcast. */
void weir_groups_put_instance(weir_groups *groups, const weir_group *group,
                              const weir_collective *what, int64_t step_id, int source);
/* True when all members have been announced. */
bool weir_groups_has_instance(weir_groups *groups, const weir_collective *what, int64_t step_id);

#endif
