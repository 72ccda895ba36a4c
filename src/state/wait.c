/* state/wait.c - who waits, and when they are tried again.
 *
 * Who takes a waiter out of the list finishes its call. A cancellation callback that does not find
 * its waiter in the list leaves it to whoever took it; that one removes the callback before it
 * frees the waiter, so the callback's argument stays valid.
 */
#include "state/wait.h"

struct weir_waiter {
    weir_waiter *next;
    weir_wait wait;
    weir_call *call;
    weir_status status;
    weir_cancel *cancel; /* retained; null when it cannot be cancelled */
    int64_t token;
};

void weir_wait_init(weir_wait_point *p)
{
    weir_mutex_init(&p->lock);
    p->first = NULL;
    p->last = &p->first;
}

void weir_wait_fini(weir_wait_point *p)
{
    weir_mutex_fini(&p->lock);
}

static void append(weir_wait_point *p, weir_waiter *w)
{
    w->next = NULL;
    *p->last = w;
    p->last = &w->next;
}

static void unlink_at(weir_wait_point *p, weir_waiter **at)
{
    weir_waiter *w = *at;
    *at = w->next;
    if (p->last == &w->next)
        p->last = at;
    w->next = NULL;
}

static bool take(weir_wait_point *p, weir_waiter *w)
{
    for (weir_waiter **at = &p->first; *at; at = &(*at)->next)
        if (*at == w) {
            unlink_at(p, at);
            return true;
        }
    return false;
}

/* One pass over the list; who is done goes to |done|. */
static bool pass(weir_wait_point *p, weir_waiter ***done)
{
    uint32_t blocked = 0;
    bool moved = false;
    for (weir_waiter **at = &p->first; *at;) {
        weir_waiter *w = *at;
        uint32_t lane = w->wait.lane < 0 ? 0 : 1u << w->wait.lane;
        if (!(blocked & lane) && w->wait.attempt(w->call, w->wait.object, &w->status)) {
            unlink_at(p, at);
            **done = w;
            *done = &w->next;
            moved = true;
            continue;
        }
        blocked |= lane;
        at = &w->next;
    }
    return moved;
}

/* What one call does may let another go on: until nothing moves. Lock held. */
static weir_waiter *serve(weir_wait_point *p)
{
    weir_waiter *done = NULL, **end = &done;
    while (pass(p, &end))
        ;
    *end = NULL;
    return done;
}

static void finish(weir_waiter *w)
{
    if (w->token)
        weir_cancel_remove(w->cancel, w->token);
    weir_call_finish(w->call, w->status);
    weir_cancel_release(w->cancel);
    weir_ref_release(&w->wait.object->ref);
    weir_free(w);
}

static void finish_all(weir_waiter *done)
{
    while (done) {
        weir_waiter *next = done->next;
        finish(done);
        done = next;
    }
}

static void cancelled(void *arg)
{
    weir_waiter *w = arg, *others = NULL;
    weir_wait_point *p = w->wait.point;
    weir_resource *object = w->wait.object;
    weir_ref_retain(&object->ref);
    weir_mutex_lock(&p->lock);
    bool mine = take(p, w);
    if (mine) {
        w->status = weir_error(WEIR_CANCELLED, "%s", w->wait.cancelled);
        w->token = 0; /* this callback is the one it named */
        others = serve(p);
    }
    weir_mutex_unlock(&p->lock);
    if (mine)
        finish(w);
    finish_all(others);
    weir_ref_release(&object->ref);
}

/* Makes a waiting call cancellable; false when its step is cancelled already. Lock held. */
static bool watch(weir_waiter *w)
{
    weir_cancel *cancel = w->call->run->cancel;
    if (!cancel)
        return true;
    w->cancel = weir_cancel_retain(cancel);
    w->token = weir_cancel_add(cancel, cancelled, w);
    return w->token != 0;
}

void weir_wait_start(const weir_wait *wait, weir_call *c)
{
    weir_waiter *w = WEIR_NEW(weir_waiter);
    w->wait = *wait;
    w->call = c;
    weir_resource *object = wait->object;
    weir_wait_point *p = wait->point;
    weir_ref_retain(&object->ref); /* the waiter's */
    weir_ref_retain(&object->ref); /* ours: the waiter may be gone before we are done */
    weir_mutex_lock(&p->lock);
    append(p, w);
    weir_waiter *done = serve(p);
    bool waits = false;
    for (weir_waiter *k = p->first; k; k = k->next)
        waits |= k == w;
    if (waits && !watch(w)) {
        take(p, w);
        w->status = weir_error(WEIR_CANCELLED, "%s", wait->cancelled);
        w->next = done;
        done = w;
    }
    weir_mutex_unlock(&p->lock);
    finish_all(done);
    weir_ref_release(&object->ref);
}

void weir_wait_changed(weir_wait_point *p)
{
    weir_mutex_lock(&p->lock);
    weir_waiter *done = serve(p);
    weir_mutex_unlock(&p->lock);
    finish_all(done);
}
