/* exec/frame.c - iterations, frames, and how values travel between nodes. */
#include "exec/step_impl.h"

/* ---- iterations ----------------------------------------------------------------------------- */

static void free_iteration(iteration *it)
{
    weir_free_aligned(it->slots);
    weir_free(it->merge_index);
    weir_free(it->children);
    weir_free(it);
}

void weir_iterations_free(weir_plan *p)
{
    for (int32_t f = 0; p->spare_iterations && f < p->frame_count; f++)
        while (p->spare_iterations[f]) {
            iteration *it = p->spare_iterations[f];
            p->spare_iterations[f] = it->next;
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

iteration *weir_iteration_take(step *st, frame *f, int64_t index)
{
    weir_plan *p = st->plan;
    weir_mutex_lock(&p->lock);
    iteration *it = p->spare_iterations[f->info_index];
    if (it)
        p->spare_iterations[f->info_index] = it->next;
    weir_mutex_unlock(&p->lock);
    if (!it)
        it = new_iteration(f->info);
    it->next = NULL;
    it->frame = f;
    it->index = index;
    atomic_init(&it->outstanding, index == 0 ? f->info->enter_count : 0);
    memcpy((void *)it->counts, f->info->initial, sizeof(int32_t) * (size_t)f->info->node_count);
    return it;
}

void weir_iteration_give(step *st, iteration *it, bool clean)
{
    const plan_frame *info = it->frame->info;
    for (int32_t i = 0; !clean && i < info->slot_count; i++)
        weir_value_release(&it->slots[i]);
    weir_plan *p = st->plan;
    int32_t f = it->frame->info_index;
    weir_mutex_lock(&p->lock);
    it->next = p->spare_iterations[f];
    p->spare_iterations[f] = it;
    weir_mutex_unlock(&p->lock);
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
            weir_value_move(&it->slots[use->slot], value);
            it->merge_index[use->slot] = use->input;
            m |= MERGE_LIVE;
        }
    } else if (from_enter) {
        m &= ~(0x3ffff << 12); /* the loop will not run: nothing more comes */
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

bool weir_pass_on(step *st, iteration *it, const plan_node *n, item_list *ready)
{
    weir_value *in = it->slots + n->slot, out[2];
    bool dead[2] = {false, false};
    for (int o = 0; o < 2; o++)
        out[o].tensor.buffer = NULL, out[o].var = NULL;
    if (n->kind == KIND_SWITCH) {
        if (weir_tensor_count(&in[1].tensor) != 1)
            return false;
        bool taken = *(const bool *)in[1].tensor.data;
        weir_value_release(&in[1]);
        weir_value_move(&out[taken], &in[0]);
        dead[!taken] = true;
    } else {
        weir_value_move(&out[0], &in[0]);
    }
    deliver(st, it, n, out, dead, false, ready);
    return true;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* A frame's id is part of the key that a sent tensor travels by, so tasks must agree on it. */
static uint64_t join(uint64_t a, uint64_t b)
{
    return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + (a >> 4));
}

static frame *child_frame(step *st, iteration *it, int32_t index)
{
    const plan_frame *info = &st->plan->frames[index];
    lock_shared(st, &st->merge_lock);
    frame *f = it->children[info->child_index];
    if (!f) {
        f = WEIR_NEW(frame);
        f->info = info;
        f->info_index = index;
        f->parent = it;
        f->id = join(it->frame->id, join((uint64_t)it->index, info->name_hash));
        weir_mutex_init(&f->lock);
        f->first = f->last = weir_iteration_take(st, f, 0);
        f->live = 1;
        it->children[info->child_index] = f;
        if (it->frame != &st->root)
            atomic_fetch_add_explicit(&it->outstanding, 1, memory_order_relaxed);
    }
    unlock_shared(st, &st->merge_lock);
    return f;
}

static void free_frame(frame *f)
{
    for (size_t i = 0; i < f->invariants.count; i++)
        weir_value_release(&f->invariants.at[i].value);
    for (size_t i = 0; i < f->deferred.count; i++)
        weir_value_release(&f->deferred.at[i].value);
    weir_vec_fini(&f->invariants);
    weir_vec_fini(&f->deferred);
    weir_vec_fini(&f->dead_exits);
    weir_mutex_fini(&f->lock);
    weir_free(f);
}

/* Changes |outstanding| by what became ready for |it|. */
static void grow(const step *st, iteration *it, size_t by)
{
    change_count(st, &it->outstanding, (int)by, memory_order_relaxed);
}

static void deliver_one(step *st, iteration *it, const arrived *a, item_list *ready)
{
    size_t before = item_count(ready);
    weir_value v;
    if (!a->dead)
        weir_value_share(&v, &a->value);
    deliver(st, it, &st->plan->nodes[a->node], a->dead ? NULL : &v, NULL, a->dead, ready);
    grow(st, it, item_count(ready) - before);
}

/* A new last iteration; the frame's lock is held. */
static void next_iteration(step *st, frame *f, item_list *ready)
{
    iteration *it = weir_iteration_take(st, f, f->last->index + 1);
    f->last->next = it;
    f->last = it;
    f->live++;
    f->dead_exits.count = 0;
    for (size_t i = 0; i < f->invariants.count; i++)
        deliver_one(st, it, &f->invariants.at[i], ready);
}

/* The iteration that waited for room begins. Lock held. */
static void start_deferred(step *st, frame *f, item_list *ready)
{
    next_iteration(st, f, ready);
    for (size_t i = 0; i < f->deferred.count; i++) {
        deliver_one(st, f->last, &f->deferred.at[i], ready);
        weir_value_release(&f->deferred.at[i].value);
    }
    f->deferred.count = 0;
}

/* Takes away what is over at the front, starting iterations that waited for room. True when the
 * whole frame is over. Lock held. */
static bool settle(step *st, frame *f, item_list *ready)
{
    while (f->first && atomic_load_explicit(&f->first->outstanding, memory_order_relaxed) == 0) {
        iteration *over = f->first;
        f->live--;
        if (f->deferred.count)
            start_deferred(st, f, ready);
        f->first = over->next;
        if (!f->first)
            f->last = NULL;
        weir_iteration_give(st, over, false);
    }
    return !f->first;
}

static void retire(step *st, iteration *it, int change, item_list *ready);

static void finish_frame(step *st, frame *f, item_list *ready)
{
    iteration *parent = f->parent;
    size_t before = item_count(ready);
    for (size_t i = 0; i < f->dead_exits.count; i++)
        deliver(st, parent, &st->plan->nodes[f->dead_exits.at[i]], NULL, NULL, true, ready);
    lock_shared(st, &st->merge_lock);
    parent->children[f->info->child_index] = NULL;
    unlock_shared(st, &st->merge_lock);
    free_frame(f);
    retire(st, parent, (int)(item_count(ready) - before) - 1, ready);
}

/* Applies |change| to what is outstanding in |it|, which may end it and its frame. */
static void retire(step *st, iteration *it, int change, item_list *ready)
{
    frame *f = it->frame;
    if (f == &st->root)
        return;
    lock_shared(st, &f->lock);
    int left = change_count(st, &it->outstanding, change, memory_order_relaxed);
    bool over = left == 0 && it == f->first && settle(st, f, ready);
    unlock_shared(st, &f->lock);
    if (over)
        finish_frame(st, f, ready);
}

static void enter(step *st, iteration *it, const plan_node *n, weir_value *out, bool dead,
                  item_list *ready)
{
    frame *f = child_frame(st, it, n->child_frame);
    size_t before = item_count(ready);
    if (!n->constant_enter) {
        lock_shared(st, &f->lock);
        iteration *first = f->first;
        deliver(st, first, n, out, NULL, dead, ready);
        int change = (int)(item_count(ready) - before) - 1;
        unlock_shared(st, &f->lock);
        retire(st, first, change, ready);
        return;
    }
    lock_shared(st, &f->lock);
    arrived a = {.node = (int32_t)(n - st->plan->nodes), .dead = dead};
    if (out)
        a.value = *out;
    iteration *first = f->first;
    for (iteration *i = f->first; i; i = i->next)
        deliver_one(st, i, &a, ready);
    weir_vec_push(&f->invariants, a);
    unlock_shared(st, &f->lock);
    if (out)
        *out = (weir_value){0};
    retire(st, first, -1, ready);
}

static void leave(step *st, iteration *it, const plan_node *n, weir_value *out, bool dead,
                  item_list *ready)
{
    frame *f = it->frame;
    if (dead) {
        lock_shared(st, &f->lock);
        if (it == f->last)
            weir_vec_push(&f->dead_exits, (int32_t)(n - st->plan->nodes));
        unlock_shared(st, &f->lock);
        return;
    }
    size_t before = item_count(ready);
    deliver(st, f->parent, n, out, NULL, false, ready);
    if (f->parent->frame != &st->root)
        grow(st, f->parent, item_count(ready) - before);
}

static void again(step *st, iteration *it, const plan_node *n, weir_value *out, bool dead,
                  item_list *ready)
{
    frame *f = it->frame;
    if (dead)
        return;
    lock_shared(st, &f->lock);
    if (it == f->last && f->live < f->info->parallel_iterations)
        next_iteration(st, f, ready);
    if (it != f->last) {
        size_t before = item_count(ready);
        deliver(st, it->next, n, out, NULL, false, ready);
        grow(st, it->next, item_count(ready) - before);
    } else {
        weir_vec_push(&f->deferred,
                      (arrived){.node = (int32_t)(n - st->plan->nodes), .value = *out});
        *out = (weir_value){0};
    }
    unlock_shared(st, &f->lock);
}

void weir_step_propagate(step *st, const item *from, weir_value *out, const bool *out_dead,
                         item_list *ready)
{
    const plan_node *n = &st->plan->nodes[from->node];
    iteration *it = from->iter;
    switch (n->kind) {
    case KIND_ENTER:
        enter(st, it, n, out, from->dead, ready);
        break;
    case KIND_EXIT:
        leave(st, it, n, out, from->dead, ready);
        break;
    case KIND_NEXT:
        again(st, it, n, out, from->dead, ready);
        break;
    default: {
        size_t before = item_count(ready);
        deliver(st, it, n, out, out_dead, from->dead, ready);
        if (it->frame != &st->root)
            retire(st, it, (int)(item_count(ready) - before) - 1, ready);
        return;
    }
    }
    retire(st, it, -1, ready);
}

/* ---- the end -------------------------------------------------------------------------------- */

static void drop_frame(step *st, frame *f)
{
    for (iteration *it = f->first, *next; it; it = next) {
        next = it->next;
        for (int32_t c = 0; c < f->info->child_count; c++)
            if (it->children[c]) {
                drop_frame(st, it->children[c]);
                it->children[c] = NULL;
            }
        bool clean = f == &st->root && !st->plan->has_flow && !atomic_load(&st->failed);
        weir_iteration_give(st, it, clean);
    }
    if (f != &st->root)
        free_frame(f);
}

void weir_step_drop_frames(step *st)
{
    drop_frame(st, &st->root);
}
