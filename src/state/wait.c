/* state/wait.c - pending calls and their retries.
 *
 * The thread that removes a waiter from the list finishes its call. A cancellation callback that
 * does not find its waiter in the list leaves it to that thread, which removes the callback before
 * it frees the waiter, so the callback's argument stays valid.
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

void weir_wait_init(weir_wait_point *point)
{
    weir_mutex_init(&point->lock);
    point->first = NULL;
    point->last = &point->first;
}

void weir_wait_fini(weir_wait_point *point)
{
    weir_mutex_fini(&point->lock);
}

static void append(weir_wait_point *point, weir_waiter *waiter)
{
    waiter->next = NULL;
    *point->last = waiter;
    point->last = &waiter->next;
}

static void unlink_at(weir_wait_point *point, weir_waiter **at)
{
    weir_waiter *waiter = *at;
    *at = waiter->next;
    if (point->last == &waiter->next)
        point->last = at;
    waiter->next = NULL;
}

static bool take(weir_wait_point *point, weir_waiter *waiter)
{
    for (weir_waiter **at = &point->first; *at; at = &(*at)->next)
        if (*at == waiter) {
            unlink_at(point, at);
            return true;
        }
    return false;
}

/* One pass over the list; finished waiters are moved to |done|. */
static bool pass(weir_wait_point *point, weir_waiter ***done)
{
    uint32_t blocked = 0;
    bool moved = false;
    for (weir_waiter **at = &point->first; *at;) {
        weir_waiter *waiter = *at;
        uint32_t lane = waiter->wait.lane < 0 ? 0 : 1u << waiter->wait.lane;
        if (!(blocked & lane) &&
            waiter->wait.attempt(waiter->call, waiter->wait.object, &waiter->status)) {
            unlink_at(point, at);
            **done = waiter;
            *done = &waiter->next;
            moved = true;
            continue;
        }
        blocked |= lane;
        at = &waiter->next;
    }
    return moved;
}

/* One completed call may let another proceed: repeat until nothing moves. Lock held. */
static weir_waiter *serve(weir_wait_point *point)
{
    weir_waiter *done = NULL, **end = &done;
    while (pass(point, &end))
        ;
    *end = NULL;
    return done;
}

static void finish(weir_waiter *waiter)
{
    if (waiter->token)
        weir_cancel_remove(waiter->cancel, waiter->token);
    weir_call_finish(waiter->call, waiter->status);
    weir_cancel_release(waiter->cancel);
    weir_ref_release(&waiter->wait.object->ref);
    weir_free(waiter);
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
    weir_waiter *waiter = arg, *others = NULL;
    weir_wait_point *point = waiter->wait.point;
    weir_resource *object = waiter->wait.object;
    weir_ref_retain(&object->ref);
    weir_mutex_lock(&point->lock);
    bool mine = take(point, waiter);
    if (mine) {
        waiter->status = weir_error(WEIR_CANCELLED, "%s", waiter->wait.cancelled);
        waiter->token = 0; /* this is the token's callback */
        others = serve(point);
    }
    weir_mutex_unlock(&point->lock);
    if (mine)
        finish(waiter);
    finish_all(others);
    weir_ref_release(&object->ref);
}

/* Makes a waiting call cancellable; false if its step is already cancelled. Lock held. */
static bool watch(weir_waiter *waiter)
{
    weir_cancel *cancel = waiter->call->run->cancel;
    if (!cancel)
        return true;
    waiter->cancel = weir_cancel_retain(cancel);
    waiter->token = weir_cancel_add(cancel, cancelled, waiter);
    return waiter->token != 0;
}

void weir_wait_start(const weir_wait *wait, weir_call *call)
{
    weir_waiter *waiter = WEIR_NEW(weir_waiter);
    waiter->wait = *wait;
    waiter->call = call;
    weir_resource *object = wait->object;
    weir_wait_point *point = wait->point;
    weir_ref_retain(&object->ref); /* the waiter's */
    weir_ref_retain(&object->ref); /* ours: the waiter may be freed before we are done */
    weir_mutex_lock(&point->lock);
    append(point, waiter);
    weir_waiter *done = serve(point);
    bool waits = false;
    for (weir_waiter *k = point->first; k; k = k->next)
        waits |= k == waiter;
    if (waits && !watch(waiter)) {
        take(point, waiter);
        waiter->status = weir_error(WEIR_CANCELLED, "%s", wait->cancelled);
        waiter->next = done;
        done = waiter;
    }
    weir_mutex_unlock(&point->lock);
    finish_all(done);
    weir_ref_release(&object->ref);
}

void weir_wait_changed(weir_wait_point *point)
{
    weir_mutex_lock(&point->lock);
    weir_waiter *done = serve(point);
    weir_mutex_unlock(&point->lock);
    finish_all(done);
}
