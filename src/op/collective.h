/* op/collective.h - the interface of collective ops: members of groups, and their buffers.
 *
 * The devices of a group compute one value together, each with an op of its own. A provider knows
 * the groups of a task and connects to the other members. A member sends by putting a value into
 * its step's rendezvous under a key without ';', from which the others receive it. Thread-safe.
 */
#ifndef WEIR_OP_COLLECTIVE_H
#define WEIR_OP_COLLECTIVE_H

#include <string.h>

#include "base/cancel.h"
#include "op/rendezvous.h"

/* Numbered as in CompleteInstance. */
typedef enum weir_collective_type {
    WEIR_COLLECTIVE_REDUCE,
    WEIR_COLLECTIVE_BROADCAST,
    WEIR_COLLECTIVE_GATHER,
    WEIR_COLLECTIVE_ALL_TO_ALL = 4,
    WEIR_COLLECTIVE_REDUCE_SCATTER
} weir_collective_type;

typedef struct weir_group_member {
    char *device;      /* full name */
    size_t task_bytes; /* length of its prefix that names the task */
    uint64_t incarnation;
    bool weir; /* the task runs Weir, and supports its algorithms */
} weir_group_member;

/* A complete group; read-only and shared. */
typedef struct weir_group {
    weir_ref ref;
    int32_t key;
    int size;
    bool all_weir; /* every member is Weir's */
    char *device_type;
    weir_group_member *members; /* by rank: grouped by task, in order of task names */
} weir_group;
static inline void weir_group_release(weir_group *group) /* takes null */
{
    weir_ref_release((weir_ref *)group);
}
static inline bool weir_group_same_task(const weir_group_member *a, const weir_group_member *b)
{
    return a->task_bytes == b->task_bytes && memcmp(a->device, b->device, a->task_bytes) == 0;
}

/* One member's part of a collective. */
typedef struct weir_collective {
    const char *name; /* of the op, for messages */
    weir_collective_type type;
    int32_t group_key, group_size, instance_key;
    weir_dtype dtype;
    weir_shape shape;       /* of the result */
    bool is_source;         /* of a broadcast */
    const char *device;     /* the member's */
    const int64_t *offsets; /* subdivision offsets of a reduction; valid until joined */
    int offset_count;
} weir_collective;

/* |group| is retained for the callee, null on failure; |source| is -1 if there is none. */
typedef void (*weir_joined)(void *arg, weir_status status, weir_group *group, int rank, int source);

typedef struct weir_collectives {
    weir_ref ref;
    /* Calls |done| once: when all members have joined, on failure, or when |cancel| fired. |what|
     * need not outlive the call. */
    void (*join)(struct weir_collectives *collectives, const weir_collective *what,
                 weir_cancel *cancel, weir_joined done, void *arg);
    /* The value that |from| sent under |key| in the same step: a vector of |count| |dtype|s. From
     * a member of this task it is the member's own buffer; a reference to it blocks the member. */
    void (*recv)(struct weir_collectives *collectives, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg);
    /* The group, if it is complete; retained. Null if all members are in this process: then there
     * is nothing to watch. */
    weir_group *(*find)(struct weir_collectives *collectives, int32_t group_key);
    /* Calls |done| when |member|, of another task, is gone or was restarted (UNAVAILABLE,
     * FAILED_PRECONDITION), when the step has ended there, or when |cancel| fired. Nothing is ever
     * sent under |key|. */
    void (*watch)(struct weir_collectives *collectives, int64_t step_id,
                  const weir_group_member *member, weir_str key, weir_cancel *cancel,
                  weir_received done, void *arg);
} weir_collectives;

#endif
