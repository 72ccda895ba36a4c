/* exec/step_impl.h - the moving parts of a step, for exec/ only.
 *
 * Invariants:
 * 1. A step is over when nothing is active: no thread runs its nodes and no asynchronous call is
 *    pending. |activity| counts both; the thread that decrements it to 0 ends the step.
 * 2. A thread that stops working on a step has seen the shared list empty under the lock, so a
 *    node put there is always run.
 * 3. An iteration of a loop is over when |outstanding| is 0 (ready nodes, child frames and, in
 *    iteration 0, Enters still to come) and all earlier ones are over.
 * 4. A step that is |alone| is used by one thread: its frames are not locked, and its counters are
 *    not atomic. That ends when it requests another thread.
 * Locks: step->lock, then nothing; frame->lock, then step->merge_lock.
 */
#ifndef WEIR_EXEC_STEP_IMPL_H
#define WEIR_EXEC_STEP_IMPL_H

#include "base/mutex.h"
#include "exec/plan_impl.h"
#include "exec/step.h"
#include "observe/account.h"

typedef struct iteration iteration;
typedef struct frame frame;
typedef struct step step;

/* Count of a node in an iteration: its missing inputs, and whether one that arrived was dead. */
enum { DEAD_INPUT = 1 << 30, PENDING_MASK = DEAD_INPUT - 1 };

/* A Merge's counts: missing controls and dead data inputs, and whether a value has arrived. */
enum { MERGE_LIVE = 1 << 30 };
#define MERGE_INITIAL(controls, data) ((controls) | (data) << 12)
#define MERGE_CONTROLS(m) ((m)&0xfff)
#define MERGE_DATA(m) ((m) >> 12 & 0x3ffff)

struct iteration {
    iteration *next; /* later one of the frame, or next spare */
    frame *frame;
    int64_t index;
    atomic_int outstanding;
    frame **children;     /* by plan_frame.child_index */
    int32_t *merge_index; /* which input a Merge took, by slot; null without merges */
    weir_value *slots;
    atomic_int counts[];
};

typedef struct arrived {
    int32_t node; /* of the Enter or NextIteration */
    bool dead;
    weir_value value;
} arrived;

struct frame {
    const plan_frame *info;
    int32_t info_index;
    iteration *parent; /* null for the root */
    uint64_t id;
    weir_mutex lock;
    iteration *first, *last; /* live iterations, oldest first */
    int32_t live;
    WEIR_VEC(arrived) invariants; /* constant Enters */
    WEIR_VEC(arrived) deferred;   /* for the iteration after the last, while too many are live */
    WEIR_VEC(int32_t) dead_exits;
};

typedef struct item {
    int32_t node;
    bool dead;
    iteration *iter;
} item;

/* Ready nodes. Those in |last| run when nothing else is ready: they change a variable that other
 * nodes of the step read by reference. */
typedef struct item_list {
    item *at;
    size_t count, room;
    WEIR_VEC(item) last;
} item_list;

struct step {
    weir_plan *plan;
    weir_run *run;
    const weir_tensor *args;
    weir_tensor *rets;
    weir_step_ports ports;
    bool has_ports;
    bool measure;        /* this step measures its nodes */
    bool ranked;         /* critical path first */
    bool alone;          /* one thread works on it, and no other ever has */
    bool check;          /* checks kernels' outputs for NaNs and infinities */
    atomic_bool tainted; /* one came from outside, or was found already */
    frame root;
    int max_runners;
    atomic_bool failed;
    atomic_int activity;
    weir_mutex lock;
    item_list shared WEIR_GUARDED_BY(lock);
    atomic_int shared_count;
    int runners WEIR_GUARDED_BY(lock);
    bool caller_waits WEIR_GUARDED_BY(lock);
    atomic_int caller_go;                     /* 1: run, 2: over */
    weir_status status WEIR_GUARDED_BY(lock); /* the first error */
    weir_mutex merge_lock;
    void (*done)(void *arg, weir_status status);
    void *done_arg;
    /* Accounting (observed.c), for counted steps. */
    bool counted;
    bool traced;
    bool own_collector;                             /* created for the trace */
    int64_t idle_ns WEIR_GUARDED_BY(lock);          /* since when it has no thread; 0: it has one */
    int64_t called_ns WEIR_GUARDED_BY(lock);        /* when one was requested then */
    struct async_call *waits WEIR_GUARDED_BY(lock); /* in progress */
    int64_t begun_ns, over_ns; /* of traced steps: first node may run, last one has ended */
    weir_live_step live;
};

/* A running asynchronous node. */
typedef struct async_call {
    weir_call call;
    step *st;
    item it;
    int64_t start_ns;
    struct async_call *next, *prev; /* the step's list of waits, if it is counted */
    weir_value values[];            /* inputs, then outputs */
} async_call;

/* Accounting: a counted step begins, ends; a wait of it begins, ends; its last thread left without
 * work, another was requested, has started. */
void weir_step_observe(step *st);
void weir_step_observed(step *st);
/* Appends the events of a finished traced step in Chrome's trace format, each followed by a comma:
 * the step, the executor's work around it, and its ops, each with the time when it became ready.
 * Sends and receives have their edge, from which arrows are drawn. */
void weir_step_events(const step *st, weir_buf *out);
void weir_step_wait_begin(step *st, async_call *wait);
void weir_step_wait_end(step *st, async_call *wait);
void weir_step_thread_left(step *st) WEIR_REQUIRES(st->lock);
void weir_step_thread_called(step *st) WEIR_REQUIRES(st->lock);
void weir_step_thread_began(step *st);

/* Check for NaNs and infinities (numerics.c): whether a step of |plan| checks; values came from
 * outside; runs the kernel of a checked node. */
bool weir_step_is_checked(const weir_plan *plan);
void weir_step_check_brought(step *st, const weir_value *values, int count);
WEIR_CHECKED weir_status weir_step_run_looked(step *st, const plan_node *node, weir_call *call);
/* The program's node behind |node|, which made a NaN or an infinity from finite inputs |in|
 * (blame.c). |variable| is the input whose variable has it; -1: an output has. */
const weir_site *weir_step_blame(step *st, const plan_node *node, const weir_value *in,
                                 int variable);

void weir_iterations_free(weir_plan *plan);
iteration *weir_iteration_take(step *st, frame *frame, int64_t index);
void weir_iteration_give(step *st, iteration *it, bool clean);

/* Sends a node's outputs to their consumers and marks it as done: |out| is consumed. Newly ready
 * nodes are added to |ready|. */
void weir_step_propagate(step *st, const item *from, weir_value *out, const bool *out_dead,
                         item_list *ready);
/* Releases all remaining frames and iterations. */
void weir_step_drop_frames(step *st);
void weir_step_fail(step *st, const plan_node *node, weir_status status);

static inline void weir_value_release(weir_value *value)
{
    if (value->tensor.buffer)
        weir_tensor_release(&value->tensor);
    if (value->var) {
        weir_ref_release((weir_ref *)value->var);
        value->var = NULL;
    }
}

/* Locks of frames, iterations and merges: not needed while the step is alone, and so
 * unchecked. */
static inline void lock_shared(const step *st, weir_mutex *lock) WEIR_UNCHECKED_LOCKING
{
    if (!st->alone)
        weir_mutex_lock(lock);
}

static inline void unlock_shared(const step *st, weir_mutex *lock) WEIR_UNCHECKED_LOCKING
{
    if (!st->alone)
        weir_mutex_unlock(lock);
}

/* Adds to a count; returns the new value. */
static inline int change_count(const step *st, atomic_int *count, int by, memory_order order)
{
    if (!st->alone)
        return atomic_fetch_add_explicit(count, by, order) + by;
    int now = atomic_load_explicit(count, memory_order_relaxed) + by;
    atomic_store_explicit(count, now, memory_order_relaxed);
    return now;
}

/* Before the count is decremented: whoever decrements it to zero sees the flag. */
static inline void set_dead(const step *st, atomic_int *count)
{
    if (!st->alone)
        atomic_fetch_or_explicit(count, DEAD_INPUT, memory_order_relaxed);
    else
        atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) | DEAD_INPUT,
                              memory_order_relaxed);
}

static inline size_t item_count(const item_list *list)
{
    return list->count + list->last.count;
}

static inline void item_list_fini(item_list *list)
{
    weir_free(list->at);
    weir_vec_fini(&list->last);
}

static inline void item_push(item_list *list, item item)
{
    if (list->count == list->room) {
        list->room = list->room ? list->room * 2 : 64;
        list->at = weir_realloc(list->at, list->room * sizeof *list->at);
    }
    list->at[list->count++] = item;
}

/* One edge reached a Merge: |value| (null when there is none) is consumed. Returns true when the
 * Merge is ready, and whether it is dead. */
bool weir_merge_arrive(step *st, iteration *it, const plan_use *use, const plan_node *to,
                       weir_value *value, bool dead, bool from_enter, bool *out_dead);

/* Runs a ready node that |passes_on| when its last input arrives. False, with nothing done, when it
 * must be run normally. */
bool weir_pass_on(step *st, iteration *it, const plan_node *node, item_list *ready);

/* Counts an edge that reached its node, which may become ready. */
static inline void count_down(step *st, iteration *it, const plan_node *to, int32_t node, bool dead,
                              item_list *ready)
{
    bool node_dead = dead;
    if (to->pending != 1) {
        if (__builtin_expect(dead, 0))
            set_dead(st, &it->counts[to->local]);
        int now = change_count(st, &it->counts[to->local], -1, memory_order_acq_rel);
        if (now & PENDING_MASK)
            return;
        node_dead = now & DEAD_INPUT;
    }
    if (__builtin_expect(to->writes_last, 0))
        weir_vec_push(&ready->last, (item){node, node_dead, it});
    else if (!to->passes_on || node_dead || !weir_pass_on(st, it, to, ready))
        item_push(ready, (item){node, node_dead, it});
}

/* One edge reached its node: |value| (null for control edges and dead ones) is moved into the
 * node's slot when |last|, and shared otherwise. */
static inline void arrive(step *st, iteration *it, const plan_use *use, weir_value *value,
                          bool last, bool dead, bool from_enter, item_list *ready)
{
    const plan_node *to = &st->plan->nodes[use->node];
    if (to->kind == KIND_MERGE) {
        bool node_dead;
        weir_value shared, *mine = value;
        if (value && !last)
            weir_value_share(mine = &shared, value);
        if (weir_merge_arrive(st, it, use, to, mine, dead, from_enter, &node_dead) &&
            (!to->passes_on || node_dead || !weir_pass_on(st, it, to, ready)))
            item_push(ready, (item){use->node, node_dead, it});
        return;
    }
    if (value && last)
        weir_value_move(&it->slots[use->slot], value);
    else if (value)
        weir_value_share(&it->slots[use->slot], value);
    count_down(st, it, to, use->node, dead, ready);
}

/* Delivers all outputs of |node| into |it|; consumes |out|. */
static inline void deliver(step *st, iteration *it, const plan_node *node, weir_value *out,
                           const bool *out_dead, bool node_dead, item_list *ready)
{
    bool enter = node->kind == KIND_ENTER;
    const plan_use *use = node->uses, *end = use + node->control_uses;
    for (; use < end; use++)
        arrive(st, it, use, NULL, false, node_dead, enter, ready);
    for (int output = 0; output < node->out_count; output++) {
        bool dead = node_dead || (out_dead && out_dead[output]);
        end = node->uses + (node->out_count == 1 ? node->use_count : node->out_uses[output + 1]);
        for (; use < end; use++)
            arrive(st, it, use, dead ? NULL : &out[output], use + 1 == end, dead, enter, ready);
        if (out)
            weir_value_release(&out[output]);
    }
}

#endif
