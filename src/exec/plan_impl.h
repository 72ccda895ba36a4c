/* exec/plan_impl.h - the inside of a plan, for exec/ only.
 *
 * Invariants:
 * 1. A node belongs to exactly one frame, that of its inputs. Enter's outputs go to the child
 *    frame, Exit's to the parent, NextIteration's to the next iteration.
 * 2. Every input slot is written by at most one edge and read by one node, once per iteration.
 *    Between steps all slots are empty.
 * 3. Constants without control inputs are not run: their users' slots are filled when they run.
 */
#ifndef WEIR_EXEC_PLAN_IMPL_H
#define WEIR_EXEC_PLAN_IMPL_H

#include <stdatomic.h>

#include "base/mutex.h"
#include "exec/plan.h"

typedef enum node_kind {
    KIND_KERNEL,
    KIND_ASYNC,
    KIND_ARG,
    KIND_RETVAL,
    KIND_CONST,
    KIND_NOOP,
    KIND_FORWARD, /* input 0 is output 0 */
    KIND_SWITCH,
    KIND_SWITCH_N,
    KIND_MERGE,
    KIND_ENTER,
    KIND_EXIT,
    KIND_NEXT,
    KIND_TRIGGER, /* ControlTrigger: runs whether inputs are dead or not */
    KIND_SEND,    /* runs on dead inputs, to notify the receiver */
    KIND_SKIP,    /* never runs: a constant that users read directly */
} node_kind;

typedef struct plan_use {
    int32_t node;
    int32_t slot;   /* in its frame's slots, of a Merge the index of the input; -1 control */
    int32_t output; /* of the source; -1 control */
} plan_use;

/* The first two cache lines have all that an ordinary node needs to run. */
typedef struct plan_node {
    _Alignas(64) const weir_site *site;
    const weir_kernel *kernel;
    void *state;
    const plan_use *uses; /* sorted by output; controls (-1) first */
    int32_t use_count;
    int32_t control_uses;
    int32_t slot;       /* of input 0, in its frame's slots */
    uint8_t kind;       /* node_kind */
    bool has_refs;      /* some input edge carries references */
    bool has_constants; /* some inputs are read directly */
    bool same_shape;    /* one output, of input 0's shape and type, in its buffer when possible */
    bool direct;        /* same_shape, and the one consumer outside any loop has a plain slot */
    bool writes_last;   /* changes a variable that others read by reference: runs after them */
    bool is_dead_ok;    /* runs though inputs are dead */
    bool may_keep;      /* may retain its inputs beyond the step: lent ones are copied for it */
    bool constant_enter;
    bool passes_on; /* a node of a loop that forwards its value on arrival */
    bool looked;    /* may make a NaN: checked if requested */
    bool made;      /* created by a pass from nodes of the program */

    _Alignas(64) plan_use first_use; /* the array of |uses| if there is one */
    int32_t in_count, out_count;
    int32_t slot_count; /* slots of its inputs: one each, for Merge one in all */
    int32_t pending;    /* number of inputs and controls */
    int32_t local;      /* index into its frame's counts */
    int32_t frame;
    int32_t chain;                 /* kernels from here on that depend only on the one before */
    atomic_int cost_ns;            /* sampled; 0: not yet */
    atomic_int rank_us;            /* of the longest path from its start to its frame's end */
    int32_t *out_uses;             /* offsets into uses, out_count + 1 */
    const weir_tensor **constants; /* per input: read directly; null: has a slot */

    int32_t control_pending, data_pending; /* of Merge */
    int32_t child_frame;                   /* of Enter */
    int32_t index;                         /* of Arg and Retval */
    int32_t cause;                         /* of KIND_ASYNC: observe/account.h */
    weir_tensor constant;                  /* of KIND_CONST and KIND_SKIP */
    const weir_node *node;                 /* for input names in messages */
} plan_node;

typedef struct plan_frame {
    const char *name;
    uint64_t name_hash;
    int32_t parent;      /* -1 for the root */
    int32_t child_index; /* among the parent's children */
    int32_t child_count;
    int32_t node_count, slot_count;
    int32_t enter_count;
    int32_t parallel_iterations;
    int32_t *initial; /* pending counts of a fresh iteration, by local index */
} plan_frame;

struct weir_plan {
    weir_ref ref;
    weir_graph *graph;
    weir_resources *resources;
    weir_arena arena;
    plan_node *nodes;
    int32_t node_count;
    plan_frame *frames; /* 0 is the root */
    int32_t frame_count;
    int32_t *roots; /* nodes without inputs */
    int32_t root_count;
    int32_t arg_count, ret_count;
    bool has_flow;                    /* some nodes may not run */
    bool has_async;                   /* some nodes finish on other threads */
    bool check_numerics;              /* for this plan, regardless of the process's setting */
    atomic_bool numerics_told;        /* the first failure in it was reported */
    const weir_site **numerics_found; /* receives the first one instead; null: it is reported */
    int32_t number;                   /* of the process, from 1 */
    weir_plan *next, *previous;       /* in the list of all (observed.c) */
    atomic_uint runs;
    atomic_bool light; /* no node takes long: ready nodes can wait for a busy thread */
    atomic_bool brief; /* all nodes together are short: the thread that delivers an input may run
                          them */
    struct plan_records *records; /* recordings of its steps on a device; null: not recordable */
    weir_mutex lock;
    /* Cached empty ones, by frame. */
    struct iteration **spare_iterations WEIR_GUARDED_BY(lock);
};

/* The list of all plans, and a plan's number in it (observed.c). */
void weir_plan_enlist(weir_plan *plan);
void weir_plan_delist(weir_plan *plan); /* takes one that is not in it */
/* The cause of an asynchronous node's wait: a number of observe/account.h. */
int32_t weir_plan_node_cause(const weir_node *node);

/* Whether the outputs of the node's kernel are checked (numerics.c). */
bool weir_plan_node_looked(const plan_node *node);

/* Replaces earlier reads of a variable by its reference, for nodes that wait for its change. */
WEIR_CHECKED weir_status weir_plan_read_after_write(weir_graph *graph);

#endif
