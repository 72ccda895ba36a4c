/* exec/step.c - threads that run ready nodes until none is left.
 *
 * A runner processes its own list, newest first. Nodes that are expensive enough for another thread
 * are moved to the step's shared list if there is more than one of them; an idle pool thread, or
 * the waiting caller, takes them from there.
 */
#include "exec/step.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/denormals.h"
#include "base/env.h"
#include "base/turns.h"
#include "base/word.h"
#include "exec/numerics.h"
#include "exec/record_impl.h"
#include "exec/stats.h"
#include "exec/step_impl.h"
#include "op/device.h"
#include "op/rendezvous.h"
#include "state/var.h"

enum {
    BRIEF_NS = 200000,    /* a plan below this may run on any thread, e.g. an I/O thread */
    WORTH_NS = 50000,     /* a node above this may be moved: a wake-up costs as much */
    LONG_CHAIN = 128,     /* so may the first node of a chain of this many small ones */
    LONGEST_US = 1 << 30, /* upper bound of ranks */
    MEASURED_FIRST = 5,   /* initial steps of a plan that are measured ... */
    MEASURED_EVERY = 1024 /* ... and the interval afterwards */
};

/* ---- failure -------------------------------------------------------------------------------- */

void weir_step_fail(step *st, const plan_node *node, weir_status status)
{
    /* The cause of the cancellation (a time limit) tells more than the cancelled op's status. */
    weir_status why = node && weir_status_code(status) == WEIR_CANCELLED && st->run->cancel
                          ? weir_cancel_status(st->run->cancel)
                          : WEIR_OK;
    if (why && weir_status_code(why) != WEIR_CANCELLED) {
        weir_status_free(status);
        status = why;
    } else if (node) {
        weir_status_free(why);
        status = weir_status_note(status, "\n\t [[{{node %s}}]]", node->site->name);
    }
    weir_mutex_lock(&st->lock);
    bool first = !st->status;
    weir_status copy = first ? weir_status_copy(status) : WEIR_OK;
    if (first)
        st->status = status;
    atomic_store(&st->failed, true);
    weir_mutex_unlock(&st->lock);
    if (!first) {
        weir_status_free(status);
        return;
    }
    weir_rendezvous *rendezvous = st->run->rendezvous;
    if (rendezvous)
        rendezvous->abort(rendezvous, weir_status_copy(copy));
    if (st->run->cancel)
        weir_cancel_fire(st->run->cancel, copy);
    else
        weir_status_free(copy);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static void hand_in(step *st, item_list *ready);
static void end_activity(step *st);

#include "exec/node.inc"

/* ---- runners -------------------------------------------------------------------------------- */

static bool worth_sharing(const step *st, const item *it)
{
    const plan_node *node = &st->plan->nodes[it->node];
    if (it->dead || node->kind != KIND_KERNEL || node->kernel->flags & WEIR_CHEAP)
        return false;
    if (node->chain >= LONG_CHAIN)
        return true;
    int cost = atomic_load_explicit(&node->cost_ns, memory_order_relaxed);
    return cost ? cost > WORTH_NS : (node->kernel->flags & WEIR_EXPENSIVE) != 0;
}

static void run_on_pool(void *arg);

static weir_pool *pool_of(const step *st)
{
    return st->run->par.pool ? st->run->par.pool : weir_pool_shared();
}

/* Requests one more thread for the shared list, if allowed. True if it is the caller, to be woken
 * by weir_word_wake after unlocking. */
static bool call_help(step *st) WEIR_REQUIRES(st->lock)
{
    if (st->runners >= st->max_runners || (st->runners && weir_pool_crowded(pool_of(st))))
        return false;
    if (st->idle_ns)
        weir_step_thread_called(st);
    st->runners++;
    if (st->alone)
        st->alone = false;
    atomic_fetch_add(&st->activity, 1);
    if (!st->caller_waits) {
        weir_pool_submit(pool_of(st), run_on_pool, st);
        return false;
    }
    st->caller_waits = false;
    atomic_store(&st->caller_go, 1);
    return true;
}

/* Adds nodes to the shared list, and requests a thread if |helpers| are worth it or none is
 * running. A running thread takes them before it leaves (invariant 2). */
static void add_shared(step *st, item_list *ready, bool helpers)
{
    if (!item_count(ready))
        return;
    weir_mutex_lock(&st->lock);
    for (size_t i = 0; i < ready->count; i++)
        item_push(&st->shared, ready->at[i]);
    for (size_t i = 0; i < ready->last.count; i++)
        item_push(&st->shared, ready->last.at[i]);
    atomic_store_explicit(&st->shared_count, (int)st->shared.count, memory_order_relaxed);
    bool wake = (helpers || st->runners == 0) && call_help(st);
    weir_mutex_unlock(&st->lock);
    if (wake)
        weir_word_wake(&st->caller_go);
    ready->count = ready->last.count = 0;
}

static int rank_of(const step *st, const item *it)
{
    return atomic_load_explicit(&st->plan->nodes[it->node].rank_us, memory_order_relaxed);
}

/* The one of |count| items with the highest rank; of equals, the last. */
static size_t most_urgent(const step *st, const item *at, size_t count)
{
    size_t best = count - 1;
    for (size_t i = count - 1; i-- > 0 && st->ranked;)
        if (rank_of(st, &at[i]) > rank_of(st, &at[best]))
            best = i;
    return best;
}

static void swap_items(item *a, item *b)
{
    item other = *a;
    *a = *b;
    *b = other;
}

/* Of the nodes that became ready from |from| on, the most urgent runs here next; expensive ones of
 * the others are shared. */
static void share_work(step *st, item_list *mine, size_t from)
{
    item_list out = {0};
    size_t kept = from;
    if (mine->count > from + 1)
        swap_items(&mine->at[from + most_urgent(st, mine->at + from, mine->count - from)],
                   &mine->at[mine->count - 1]);
    for (size_t i = from; i < mine->count; i++) {
        item it = mine->at[i];
        if (i + 1 < mine->count && worth_sharing(st, &it))
            item_push(&out, it);
        else
            mine->at[kept++] = it;
    }
    mine->count = kept;
    add_shared(st, &out, true);
    item_list_fini(&out);
}

static bool only_moves(const step *st, const item *it)
{
    const plan_node *node = &st->plan->nodes[it->node];
    return node->kind == KIND_FORWARD || node->kind == KIND_RETVAL || node->kind == KIND_NOOP;
}

/* run_node for such nodes; a separate caller keeps the inlined copy fast. */
static void run_move(step *st, item it, item_list *ready)
{
    plan_node *node = &st->plan->nodes[it.node];
    weir_value *in = it.iter->slots + node->slot;
    if (it.dead && !node->is_dead_ok)
        skip_node(st, node, &it, in, ready);
    else if (node->kind == KIND_FORWARD)
        run_forward(st, node, &it, in, ready);
    else
        run_unusual(st, node, &it, in, ready);
}

static void run_until_empty(step *st, item_list *mine, weir_turn_holder *turn);

/* A short step without a waiting caller runs on the thread that delivers its values. */
static bool run_here(step *st, item_list *ready)
{
    if (!st->done || !st->run->far || !weir_plan_brief(st->plan))
        return false;
    weir_mutex_lock(&st->lock);
    bool idle = st->runners == 0;
    st->runners += idle;
    if (idle)
        st->idle_ns = 0;
    weir_mutex_unlock(&st->lock);
    if (idle)
        run_until_empty(st, ready, NULL);
    return idle;
}

/* Nodes that became ready by an external event. Those that only move values run at once; the others
 * are for the step's own threads. */
static void hand_in(step *st, item_list *ready)
{
    if (run_here(st, ready))
        return;
    item_list others = {0};
    bool helpers = !atomic_load_explicit(&st->plan->light, memory_order_relaxed);
    while (ready->count && !atomic_load_explicit(&st->failed, memory_order_relaxed)) {
        item it = ready->at[--ready->count];
        if (only_moves(st, &it)) {
            run_move(st, it, ready);
            continue;
        }
        item_push(&others, it);
    }
    for (size_t i = 0; i < ready->last.count; i++)
        item_push(&others, ready->last.at[i]);
    add_shared(st, &others, helpers);
    item_list_fini(&others);
}

static bool take_shared(step *st, item *out)
{
    if (atomic_load_explicit(&st->shared_count, memory_order_relaxed) == 0)
        return false;
    weir_mutex_lock(&st->lock);
    bool have = st->shared.count > 0;
    if (have) {
        item *last = &st->shared.at[st->shared.count - 1];
        swap_items(&st->shared.at[most_urgent(st, st->shared.at, st->shared.count)], last);
        *out = *last;
        st->shared.count--;
    }
    atomic_store_explicit(&st->shared_count, (int)st->shared.count, memory_order_relaxed);
    weir_mutex_unlock(&st->lock);
    return have;
}

/* Works until there is nothing left for this thread, and leaves. */
static void run_items(step *st, item_list *mine, weir_turn_holder *turn)
{
    for (;;) {
        item it;
        if (mine->count)
            it = mine->at[--mine->count];
        else if (mine->last.count)
            it = mine->last.at[--mine->last.count];
        else if (!take_shared(st, &it))
            break;
        if (atomic_load_explicit(&st->failed, memory_order_relaxed))
            continue;
        size_t from = mine->count;
        run_node(st, it, mine);
        if (mine->count > from + 1 && st->max_runners > 1)
            share_work(st, mine, from);
        weir_turn_check(turn);
    }
}

/* |turn|: the caller's, to be passed on when others wait; null: none. */
static void run_until_empty(step *st, item_list *mine, weir_turn_holder *turn)
{
    uint64_t mode = weir_denormals_flush();
    for (;;) {
        run_items(st, mine, turn);
        weir_mutex_lock(&st->lock);
        if (st->shared.count == 0)
            break;
        weir_mutex_unlock(&st->lock);
    }
    st->runners--;
    if (st->counted && st->runners == 0)
        weir_step_thread_left(st);
    weir_mutex_unlock(&st->lock);
    weir_denormals_restore(mode);
}

static void run_on_pool(void *arg)
{
    step *st = arg;
    item_list mine = {0};
    if (st->counted)
        weir_step_thread_began(st);
    run_until_empty(st, &mine, NULL);
    item_list_fini(&mine);
    end_activity(st);
}

/* ---- the step ------------------------------------------------------------------------------- */

static void on_cancel(void *arg)
{
    step *st = arg;
    weir_step_fail(st, NULL, weir_cancel_status(st->run->cancel));
}

/* Constants do not run; traces should list them nevertheless. */
static void report_constants(const step *st)
{
    int64_t now = weir_now_ns();
    for (int32_t i = 0; i < st->plan->node_count; i++) {
        const plan_node *node = &st->plan->nodes[i];
        if (node->kind != KIND_SKIP && node->kind != KIND_CONST)
            continue;
        weir_value value = {.tensor = node->constant};
        weir_collector_add(st->run->collector, node->site, now, now, -1, &value);
    }
}

static step *new_step(const weir_step_spec *spec)
{
    step *st = WEIR_NEW(step);
    st->plan = spec->plan;
    weir_plan_retain(st->plan);
    st->run = spec->run;
    st->args = spec->args;
    st->rets = spec->rets;
    st->has_ports = spec->ports != NULL;
    if (spec->ports)
        st->ports = *spec->ports;
    st->max_runners = spec->max_runners < 1 ? 1 : spec->max_runners;
    unsigned run = atomic_fetch_add_explicit(&st->plan->runs, 1, memory_order_relaxed);
    st->measure = run < MEASURED_FIRST || run % MEASURED_EVERY == 0;
    st->ranked = !weir_env_get()->no_critical_path;
    st->alone = !st->plan->has_async && !st->has_ports;
    weir_mutex_init(&st->lock);
    weir_mutex_init(&st->merge_lock);
    weir_mutex_init(&st->root.lock);
    st->root.info = &st->plan->frames[0];
    st->root.first = st->root.last = weir_iteration_take(st, &st->root, 0);
    atomic_init(&st->activity, 1);
    st->runners = 1;
    st->check = weir_step_is_checked(st->plan);
    st->counted = spec->counted && weir_account_on();
    if (st->counted)
        weir_step_observe(st);
    if (st->run->collector)
        report_constants(st);
    if (st->traced)
        st->begun_ns = weir_now_ns();
    return st;
}

/* The time from each node's start to the end of its frame with unlimited threads. Consumers come
 * later in the order, except along back edges. */
static void note_ranks(weir_plan *plan)
{
    for (int32_t i = plan->node_count; i-- > 0;) {
        plan_node *node = &plan->nodes[i];
        int longest = 0;
        for (int32_t use_index = 0; use_index < node->use_count; use_index++) {
            const plan_node *user = &plan->nodes[node->uses[use_index].node];
            int rank = atomic_load_explicit(&user->rank_us, memory_order_relaxed);
            if (user > node && user->frame == node->frame && rank > longest)
                longest = rank;
        }
        int cost = atomic_load_explicit(&node->cost_ns, memory_order_relaxed) / 1000;
        atomic_store_explicit(&node->rank_us, longest < LONGEST_US ? longest + cost : LONGEST_US,
                              memory_order_relaxed);
    }
}

/* The total measured time of a plan's nodes. */
static void note_weight(weir_plan *plan)
{
    bool heavy = false;
    int64_t total = 0;
    for (int32_t i = 0; i < plan->node_count && !heavy; i++) {
        const plan_node *node = &plan->nodes[i];
        int cost = atomic_load_explicit(&node->cost_ns, memory_order_relaxed);
        heavy = node->kind == KIND_KERNEL && cost > WORTH_NS;
        total += cost;
    }
    atomic_store_explicit(&plan->light, !heavy, memory_order_relaxed);
    atomic_store_explicit(&plan->brief, !heavy && total < BRIEF_NS && plan->frame_count == 1,
                          memory_order_relaxed);
}

static void free_step(step *st)
{
    if (st->measure) {
        note_weight(st->plan);
        note_ranks(st->plan);
    }
    if (st->counted)
        weir_step_observed(st);
    weir_step_drop_frames(st);
    item_list_fini(&st->shared);
    weir_plan_release(st->plan);
    weir_mutex_fini(&st->root.lock);
    weir_mutex_fini(&st->merge_lock);
    weir_mutex_fini(&st->lock);
    weir_free(st);
}

static void push_roots(step *st, item_list *mine)
{
    for (int32_t i = st->plan->root_count; i-- > 0;)
        item_push(mine, (item){st->plan->roots[i], false, st->root.first});
    if (st->max_runners > 1)
        share_work(st, mine, 0);
}

/* Ends a step that has a callback. */
static void complete(step *st)
{
    void (*done)(void *, weir_status) = st->done;
    void *arg = st->done_arg;
    weir_status status = st->status;
    free_step(st);
    done(arg, status);
}

static void note_over(step *st, bool over)
{
    if (over && st->traced)
        st->over_ns = weir_now_ns();
}

static void end_activity(step *st)
{
    weir_mutex_lock(&st->lock);
    bool over = atomic_fetch_sub(&st->activity, 1) == 1;
    note_over(st, over);
    bool called_back = st->done != NULL;
    atomic_int *go = &st->caller_go;
    weir_mutex_unlock(&st->lock);
    if (over && called_back) {
        complete(st);
    } else if (over) {
        atomic_store(go, 2); /* the caller may free the step at once */
        weir_word_wake(go);
    }
}

void weir_step_start(const weir_step_spec *spec, void (*done)(void *arg, weir_status s), void *arg)
{
    step *st = new_step(spec);
    st->done = done;
    st->done_arg = arg;
    if (st->run->cancel && weir_cancel_fired(st->run->cancel))
        on_cancel(st);
    item_list mine = {0};
    push_roots(st, &mine);
    run_until_empty(st, &mine, NULL);
    item_list_fini(&mine);
    end_activity(st);
}

enum { SPINS = 2000 };

/* Waits until there is work for the caller (1) or the step is over (2). */
static int wait_for_step(step *st)
{
    weir_pool_wait(pool_of(st), &st->caller_go, st->run->far ? 0 : SPINS);
    return atomic_exchange(&st->caller_go, 0);
}

/* Leaves as a runner; true when that ended the step. */
static bool caller_leaves(step *st)
{
    weir_mutex_lock(&st->lock);
    bool over = atomic_fetch_sub(&st->activity, 1) == 1;
    note_over(st, over);
    st->caller_waits = !over;
    weir_mutex_unlock(&st->lock);
    return over;
}

/* The caller starts to run nodes. Long steps of sessions take turns, nested ones do not. */
static weir_turn_holder *caller_joins(step *st, weir_turn_holder *turn, bool takes_turns)
{
    if (takes_turns)
        weir_turn_begin(turn, st->run->runner_arg);
    weir_pool_join(pool_of(st));
    return takes_turns ? turn : NULL;
}

static void caller_parts(step *st, weir_turn_holder *turn)
{
    weir_pool_part(pool_of(st));
    if (turn)
        weir_turn_end(turn);
}

/* Runs ready nodes, waits, and continues, until the step is over. */
static void run_and_wait(step *st, bool takes_turns)
{
    item_list mine = {0};
    weir_turn_holder holder, *turn = caller_joins(st, &holder, takes_turns);
    push_roots(st, &mine);
    for (;;) {
        run_until_empty(st, &mine, turn);
        caller_parts(st, turn);
        if (caller_leaves(st) || wait_for_step(st) != 1)
            break;
        turn = caller_joins(st, &holder, takes_turns);
        if (st->counted)
            weir_step_thread_began(st);
    }
    item_list_fini(&mine);
}

/* On this thread alone, for a capture. */
static void run_alone(step *st)
{
    st->max_runners = 1;
    run_and_wait(st, false);
}

weir_status weir_step_run(const weir_step_spec *spec)
{
    step *st = new_step(spec);
    weir_cancel *cancel = st->run->cancel;
    int64_t token = cancel ? weir_cancel_add(cancel, on_cancel, st) : 0;
    if (cancel && !token)
        on_cancel(st);
    if (!st->plan->records || !spec->counted || !weir_step_recorded(st, run_alone))
        run_and_wait(st, spec->counted && !weir_plan_brief(st->plan));
    if (token)
        weir_cancel_remove(cancel, token);
    weir_status status = st->status;
    free_step(st);
    return status;
}
