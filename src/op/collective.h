/* op/collective.h - what collective ops need: who is in a group, and the buffers of its members.
 *
 * The devices of a group compute one value together, each with an op of its own. A provider knows
 * the groups of a task and reaches the other members; what a member gives, it puts into its step's
 * rendezvous under a key that has no ';' in it, and there the others find it. Thread-safe.
 */
#ifndef WEIR_OP_COLLECTIVE_H
#define WEIR_OP_COLLECTIVE_H

#include <string.h>

#include "base/cancel.h"
#include "op/rendezvous.h"

/* As they are numbered in CompleteInstance. */
typedef enum weir_collective_type {
    WEIR_COLLECTIVE_REDUCE,
    WEIR_COLLECTIVE_BROADCAST,
    WEIR_COLLECTIVE_GATHER,
    WEIR_COLLECTIVE_ALL_TO_ALL = 4,
    WEIR_COLLECTIVE_REDUCE_SCATTER
} weir_collective_type;

typedef struct weir_group_member {
    char *device;      /* full name */
    size_t task_bytes; /* of it, that name the task */
    uint64_t incarnation;
    bool weir; /* the task is Weir's, and knows its algorithms */
} weir_group_member;

/* A group that is complete; read-only and shared. */
typedef struct weir_group {
    weir_ref ref;
    int32_t key;
    int size;
    bool all_weir; /* every member is */
    char *device_type;
    weir_group_member *members; /* by rank: tasks together, in the order of their names */
} weir_group;
static inline void weir_group_release(weir_group *group) /* takes null */
{
    weir_ref_release((weir_ref *)group);
}
static inline bool weir_group_same_task(const weir_group_member *a, const weir_group_member *b)
{
    return a->task_bytes == b->task_bytes && memcmp(a->device, b->device, a->task_bytes) == 0;
}

/* One member's part in a collective. */
typedef struct weir_collective {
    const char *name; /* of the op, for messages */
    weir_collective_type type;
    int32_t group_key, group_size, instance_key;
    weir_dtype dtype;
    weir_shape shape;       /* of the result */
    bool is_source;         /* of a broadcast */
    const char *device;     /* the member's */
    const int64_t *offsets; /* of a reduction's rings, as the op has them; last until it joined */
    int offset_count;
} weir_collective;

/* |group| is retained for the callee, null on failure; |source| is -1 where there is none. */
typedef void (*weir_joined)(void *arg, weir_status status, weir_group *group, int rank, int source);

typedef struct weir_collectives {
    weir_ref ref;
    /* Calls |done| once: when all members have joined, or not all and |cancel| fired. |what| need
     * not last. */
    void (*join)(struct weir_collectives *collectives, const weir_collective *what,
                 weir_cancel *cancel, weir_joined done, void *arg);
    /* What |from| put under |key| in the same step: |count| elements, a vector of |dtype|. Of a
     * member of this task they are the very elements it gave: who keeps them keeps it waiting. */
    void (*recv)(struct weir_collectives *collectives, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg);
    /* The group, if it is complete; retained. Null where all members are of this process: then
     * there is nobody to watch. */
    weir_group *(*find)(struct weir_collectives *collectives, int32_t group_key);
    /* Calls |done| when |member|, of another task, is gone or was started again (UNAVAILABLE,
     * FAILED_PRECONDITION), when the step has ended there, or |cancel| fired. |key| is one that
     * nothing is put under. */
    void (*watch)(struct weir_collectives *collectives, int64_t step_id,
                  const weir_group_member *member, weir_str key, weir_cancel *cancel,
                  weir_received done, void *arg);
} weir_collectives;

#endif
