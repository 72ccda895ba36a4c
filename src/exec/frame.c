/* exec/frame.c - iterations, frames, and propagation of values between nodes. */
#include "exec/step_impl.h"

/* ---- iterations ----------------------------------------------------------------------------- */

static void free_iteration(iteration *it)
{
    weir_free_aligned(it->slots);
    weir_free(it->merge_index);
    weir_free(it->children);
    weir_free(it);
}

void weir_iterations_free(weir_plan *plan)
{
    for (int32_t frame_index = 0; plan->spare_iterations && frame_index < plan->frame_count;
         frame_index++)
        while (plan->spare_iterations[frame_index]) {
            iteration *it = plan->spare_iterations[frame_index];
            plan->spare_iterations[frame_index] = it->next;
            free_iteration(it);
        }
}

static iteration *new_iteration(const plan_frame *info)
{
    iteration *it = weir_alloc(sizeof *it + sizeof(atomic_int) * (size_t)info->node_count);
    it->slots = weir_zalloc_aligned(sizeof(weir_value) * (size_t)info->slot_count);
    it->merge_index = WEIR_NEW_ARRAY(int32_t, info->slot_count);
    it->children = WEIR_NEW_ARRAY(frame *, info->child_count);
    return it;
}

iteration *weir_iteration_take(step *st, frame *frame, int64_t index)
{
    weir_plan *plan = st->plan;
    weir_mutex_lock(&plan->lock);
    iteration *it = plan->spare_iterations[frame->info_index];
    if (it)
        plan->spare_iterations[frame->info_index] = it->next;
    weir_mutex_unlock(&plan->lock);
    if (!it)
        it = new_iteration(frame->info);
    it->next = NULL;
    it->frame = frame;
    it->index = index;
    atomic_init(&it->outstanding, index == 0 ? frame->info->enter_count : 0);
    memcpy((void *)it->counts, frame->info->initial,
           sizeof(int32_t) * (size_t)frame->info->node_count);
    return it;
}

void weir_iteration_give(step *st, iteration *it, bool clean)
{
    const plan_frame *info = it->frame->info;
    for (int32_t i = 0; !clean && i < info->slot_count; i++)
        weir_value_release(&it->slots[i]);
    weir_plan *plan = st->plan;
    int32_t f = it->frame->info_index;
    weir_mutex_lock(&plan->lock);
    it->next = plan->spare_iterations[f];
    plan->spare_iterations[f] = it;
    weir_mutex_unlock(&plan->lock);
}

/* ---- arrivals ------------------------------------------------------------------------------- */

bool weir_merge_arrive(step *st, iteration *it, const plan_use *use, const plan_node *to,
                       weir_value *value, bool dead, bool from_enter, bool *out_dead)
{
    lock_shared(st, &st->merge_lock);
    int32_t m = atomic_load_explicit(&it->counts[to->local], memory_order_relaxed);
    bool was_live = m & MERGE_LIVE, all_dead = false;
    if (use->slot < 0) {
        m--;
    } else if (!dead) {
        if (was_live) {
            weir_value_release(value);
        } else {
            weir_value_move(&it->slots[to->slot], value);
            it->merge_index[to->slot] = use->slot;
            m |= MERGE_LIVE;
        }
    } else if (from_enter) {
        m &= ~(0x3ffff << 12); /* the loop will not run: no more values will arrive */
    } else {
        m -= 1 << 12;
    }
    atomic_store_explicit(&it->counts[to->local], m, memory_order_relaxed);
    bool live = m & MERGE_LIVE;
    all_dead = !live && MERGE_DATA(m) == 0;
    bool decided = use->slot < 0 ? live || all_dead : (live && !was_live) || (dead && all_dead);
    bool ready = decided && MERGE_CONTROLS(m) == 0;
    unlock_shared(st, &st->merge_lock);
    *out_dead = all_dead;
    return ready;
}

bool weir_pass_on(step *st, iteration *it, const plan_node *node, item_list *ready)
{
    weir_value *in = it->slots + node->slot, out[2];
    bool dead[2] = {false, false};
    for (int o = 0; o < 2; o++)
        out[o].tensor.buffer = NULL, out[o].var = NULL;
    if (node->kind == KIND_SWITCH) {
        if (weir_tensor_count(&in[1].tensor) != 1)
            return false;
        bool taken = *(const bool *)in[1].tensor.data;
        weir_value_release(&in[1]);
        weir_value_move(&out[taken], &in[0]);
        dead[!taken] = true;
    } else {
        weir_value_move(&out[0], &in[0]);
    }
    deliver(st, it, node, out, dead, false, ready);
    return true;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* A frame's id is part of a sent tensor's key, so tasks must compute the same one. */
static uint64_t join(uint64_t a, uint64_t b)
{
    return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + (a >> 4));
}

static frame *child_frame(step *st, iteration *it, int32_t index)
{
    const plan_frame *info = &st->plan->frames[index];
    lock_shared(st, &st->merge_lock);
    frame *this_frame = it->children[info->child_index];
    if (!this_frame) {
        this_frame = WEIR_NEW(frame);
        this_frame->info = info;
        this_frame->info_index = index;
        this_frame->parent = it;
        this_frame->id = join(it->frame->id, join((uint64_t)it->index, info->name_hash));
        weir_mutex_init(&this_frame->lock);
        this_frame->first = this_frame->last = weir_iteration_take(st, this_frame, 0);
        this_frame->live = 1;
        it->children[info->child_index] = this_frame;
        if (it->frame != &st->root)
            atomic_fetch_add_explicit(&it->outstanding, 1, memory_order_relaxed);
    }
    unlock_shared(st, &st->merge_lock);
    return this_frame;
}

static void free_frame(frame *frame)
{
    for (size_t i = 0; i < frame->invariants.count; i++)
        weir_value_release(&frame->invariants.at[i].value);
    for (size_t i = 0; i < frame->deferred.count; i++)
        weir_value_release(&frame->deferred.at[i].value);
    weir_vec_fini(&frame->invariants);
    weir_vec_fini(&frame->deferred);
    weir_vec_fini(&frame->dead_exits);
    weir_mutex_fini(&frame->lock);
    weir_free(frame);
}

/* Adds newly ready nodes to |outstanding| of |it|. */
static void grow(const step *st, iteration *it, size_t by)
{
    change_count(st, &it->outstanding, (int)by, memory_order_relaxed);
}

static void deliver_one(step *st, iteration *it, const arrived *arrived, item_list *ready)
{
    size_t before = item_count(ready);
    weir_value value;
    if (!arrived->dead)
        weir_value_share(&value, &arrived->value);
    deliver(st, it, &st->plan->nodes[arrived->node], arrived->dead ? NULL : &value, NULL,
            arrived->dead, ready);
    grow(st, it, item_count(ready) - before);
}

/* Starts a new last iteration; the frame's lock is held. */
static void next_iteration(step *st, frame *frame, item_list *ready)
{
    iteration *it = weir_iteration_take(st, frame, frame->last->index + 1);
    frame->last->next = it;
    frame->last = it;
    frame->live++;
    frame->dead_exits.count = 0;
    for (size_t i = 0; i < frame->invariants.count; i++)
        deliver_one(st, it, &frame->invariants.at[i], ready);
}

/* Starts the deferred iteration. Lock held. */
static void start_deferred(step *st, frame *frame, item_list *ready)
{
    next_iteration(st, frame, ready);
    for (size_t i = 0; i < frame->deferred.count; i++) {
        deliver_one(st, frame->last, &frame->deferred.at[i], ready);
        weir_value_release(&frame->deferred.at[i].value);
    }
    frame->deferred.count = 0;
}

/* Removes finished iterations at the front, and starts deferred ones. True when the whole frame is
 * over. Lock held. */
static bool settle(step *st, frame *frame, item_list *ready)
{
    while (frame->first &&
           atomic_load_explicit(&frame->first->outstanding, memory_order_relaxed) == 0) {
        iteration *over = frame->first;
        frame->live--;
        if (frame->deferred.count)
            start_deferred(st, frame, ready);
        frame->first = over->next;
        if (!frame->first)
            frame->last = NULL;
        weir_iteration_give(st, over, false);
    }
    return !frame->first;
}

static void retire(step *st, iteration *it, int change, item_list *ready);

static void finish_frame(step *st, frame *frame, item_list *ready)
{
    iteration *parent = frame->parent;
    size_t before = item_count(ready);
    for (size_t i = 0; i < frame->dead_exits.count; i++)
        deliver(st, parent, &st->plan->nodes[frame->dead_exits.at[i]], NULL, NULL, true, ready);
    lock_shared(st, &st->merge_lock);
    parent->children[frame->info->child_index] = NULL;
    unlock_shared(st, &st->merge_lock);
    free_frame(frame);
    retire(st, parent, (int)(item_count(ready) - before) - 1, ready);
}

/* Applies |change| to |outstanding| of |it|, which may end it and its frame. */
static void retire(step *st, iteration *it, int change, item_list *ready)
{
    frame *frame = it->frame;
    if (frame == &st->root)
        return;
    lock_shared(st, &frame->lock);
    int left = change_count(st, &it->outstanding, change, memory_order_relaxed);
    bool over = left == 0 && it == frame->first && settle(st, frame, ready);
    unlock_shared(st, &frame->lock);
    if (over)
        finish_frame(st, frame, ready);
}

static void enter(step *st, iteration *it, const plan_node *node, weir_value *out, bool dead,
                  item_list *ready)
{
    frame *frame = child_frame(st, it, node->child_frame);
    size_t before = item_count(ready);
    if (!node->constant_enter) {
        lock_shared(st, &frame->lock);
        iteration *first = frame->first;
        deliver(st, first, node, out, NULL, dead, ready);
        int change = (int)(item_count(ready) - before) - 1;
        unlock_shared(st, &frame->lock);
        retire(st, first, change, ready);
        return;
    }
    lock_shared(st, &frame->lock);
    arrived arrived = {.node = (int32_t)(node - st->plan->nodes), .dead = dead};
    if (out)
        arrived.value = *out;
    iteration *first = frame->first;
    for (iteration *iteration = frame->first; iteration; iteration = iteration->next)
        deliver_one(st, iteration, &arrived, ready);
    weir_vec_push(&frame->invariants, arrived);
    unlock_shared(st, &frame->lock);
    if (out)
        *out = (weir_value){0};
    retire(st, first, -1, ready);
}

static void leave(step *st, iteration *it, const plan_node *node, weir_value *out, bool dead,
                  item_list *ready)
{
    frame *frame = it->frame;
    if (dead) {
        lock_shared(st, &frame->lock);
        if (it == frame->last)
            weir_vec_push(&frame->dead_exits, (int32_t)(node - st->plan->nodes));
        unlock_shared(st, &frame->lock);
        return;
    }
    size_t before = item_count(ready);
    deliver(st, frame->parent, node, out, NULL, false, ready);
    if (frame->parent->frame != &st->root)
        grow(st, frame->parent, item_count(ready) - before);
}

static void again(step *st, iteration *it, const plan_node *node, weir_value *out, bool dead,
                  item_list *ready)
{
    frame *frame = it->frame;
    if (dead)
        return;
    lock_shared(st, &frame->lock);
    if (it == frame->last && frame->live < frame->info->parallel_iterations)
        next_iteration(st, frame, ready);
    if (it != frame->last) {
        size_t before = item_count(ready);
        deliver(st, it->next, node, out, NULL, false, ready);
        grow(st, it->next, item_count(ready) - before);
    } else {
        weir_vec_push(&frame->deferred,
                      (arrived){.node = (int32_t)(node - st->plan->nodes), .value = *out});
        *out = (weir_value){0};
    }
    unlock_shared(st, &frame->lock);
}

void weir_step_propagate(step *st, const item *from, weir_value *out, const bool *out_dead,
                         item_list *ready)
{
    const plan_node *node = &st->plan->nodes[from->node];
    iteration *it = from->iter;
    switch (node->kind) {
    case KIND_ENTER:
        enter(st, it, node, out, from->dead, ready);
        break;
    case KIND_EXIT:
        leave(st, it, node, out, from->dead, ready);
        break;
    case KIND_NEXT:
        again(st, it, node, out, from->dead, ready);
        break;
    default: {
        size_t before = item_count(ready);
        deliver(st, it, node, out, out_dead, from->dead, ready);
        if (it->frame != &st->root)
            retire(st, it, (int)(item_count(ready) - before) - 1, ready);
        return;
    }
    }
    retire(st, it, -1, ready);
}

/* ---- the end -------------------------------------------------------------------------------- */

static void drop_frame(step *st, frame *frame)
{
    for (iteration *it = frame->first, *next; it; it = next) {
        next = it->next;
        for (int32_t child_index = 0; child_index < frame->info->child_count; child_index++)
            if (it->children[child_index]) {
                drop_frame(st, it->children[child_index]);
                it->children[child_index] = NULL;
            }
        bool clean = frame == &st->root && !st->plan->has_flow && !atomic_load(&st->failed);
        weir_iteration_give(st, it, clean);
    }
    if (frame != &st->root)
        free_frame(frame);
}

void weir_step_drop_frames(step *st)
{
    drop_frame(st, &st->root);
}
