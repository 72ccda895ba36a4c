/* base/cancel.c - callbacks under one lock, called outside it. */
#include "base/cancel.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/mutex.h"

typedef struct entry {
    int64_t token;
    void (*fn)(void *);
    void *arg;
} entry;

struct weir_cancel {
    weir_ref ref;
    weir_cancel *parent; /* retained */
    int64_t parent_token;
    weir_mutex lock;
    weir_cond called;
    WEIR_VEC(entry) entries WEIR_GUARDED_BY(lock);
    int64_t next_token WEIR_GUARDED_BY(lock);
    int64_t calling WEIR_GUARDED_BY(lock);  /* token whose callback runs now */
    pthread_t caller WEIR_GUARDED_BY(lock); /* the thread that runs it */
    weir_status why WEIR_GUARDED_BY(lock);  /* not null once it was fired */
    bool orphan WEIR_GUARDED_BY(lock);      /* a callback dropped the last reference */
    atomic_bool fired;
};

/* True when this thread is inside a callback of |cancel|: weir_cancel_fire, its caller, still needs
 * |cancel| and destroys it afterwards. */
static bool leave_to_caller(weir_cancel *cancel)
{
    weir_mutex_lock(&cancel->lock);
    cancel->orphan = cancel->calling && pthread_equal(cancel->caller, pthread_self());
    bool left = cancel->orphan;
    weir_mutex_unlock(&cancel->lock);
    return left;
}

static void destroy(weir_ref *ref)
{
    weir_cancel *cancel = (weir_cancel *)ref;
    if (leave_to_caller(cancel))
        return;
    if (cancel->parent) {
        weir_cancel_remove(cancel->parent, cancel->parent_token);
        weir_cancel_release(cancel->parent);
    }
    weir_vec_fini(&cancel->entries);
    weir_status_free(cancel->why);
    weir_cond_fini(&cancel->called);
    weir_mutex_fini(&cancel->lock);
    weir_free(cancel);
}

static void parent_fired(void *arg)
{
    weir_cancel *cancel = arg;
    weir_cancel_fire(cancel, weir_cancel_status(cancel->parent));
}

weir_cancel *weir_cancel_create(weir_cancel *parent)
{
    weir_cancel *cancel = WEIR_NEW(weir_cancel);
    weir_ref_init(&cancel->ref, destroy);
    weir_mutex_init(&cancel->lock);
    weir_cond_init(&cancel->called);
    cancel->next_token = 1;
    if (parent) {
        cancel->parent = weir_cancel_retain(parent);
        cancel->parent_token = weir_cancel_add(parent, parent_fired, cancel);
        if (!cancel->parent_token)
            parent_fired(cancel);
    }
    return cancel;
}

weir_cancel *weir_cancel_retain(weir_cancel *cancel)
{
    weir_ref_retain(&cancel->ref);
    return cancel;
}

void weir_cancel_release(weir_cancel *cancel)
{
    weir_ref_release((weir_ref *)cancel);
}

void weir_cancel_fire(weir_cancel *cancel, weir_status why)
{
    weir_mutex_lock(&cancel->lock);
    if (cancel->why) {
        weir_mutex_unlock(&cancel->lock);
        weir_status_free(why);
        return;
    }
    cancel->why = why;
    atomic_store(&cancel->fired, true);
    cancel->caller = pthread_self();
    while (cancel->entries.count) {
        entry entry = cancel->entries.at[--cancel->entries.count];
        cancel->calling = entry.token;
        weir_mutex_unlock(&cancel->lock);
        entry.fn(entry.arg);
        weir_mutex_lock(&cancel->lock);
        cancel->calling = 0;
        weir_cond_broadcast(&cancel->called);
    }
    bool orphan = cancel->orphan;
    weir_mutex_unlock(&cancel->lock);
    if (orphan)
        destroy(&cancel->ref);
}

bool weir_cancel_fired(const weir_cancel *cancel)
{
    return atomic_load_explicit(&cancel->fired, memory_order_acquire);
}

weir_status weir_cancel_status(weir_cancel *cancel)
{
    weir_mutex_lock(&cancel->lock);
    weir_status status = weir_status_copy(cancel->why);
    weir_mutex_unlock(&cancel->lock);
    return status;
}

int64_t weir_cancel_add(weir_cancel *cancel, void (*fn)(void *), void *arg)
{
    weir_mutex_lock(&cancel->lock);
    int64_t token = 0;
    if (!cancel->why) {
        token = cancel->next_token++;
        weir_vec_push(&cancel->entries, (entry){token, fn, arg});
    }
    weir_mutex_unlock(&cancel->lock);
    return token;
}

bool weir_cancel_remove(weir_cancel *cancel, int64_t token)
{
    bool found = false;
    weir_mutex_lock(&cancel->lock);
    for (size_t i = cancel->entries.count; i-- > 0 && !found;) /* mostly one of the last */
        if (cancel->entries.at[i].token == token) {
            cancel->entries.at[i] = cancel->entries.at[--cancel->entries.count];
            found = true;
        }
    while (!found && cancel->calling == token && token &&
           !pthread_equal(cancel->caller, pthread_self()))
        weir_cond_wait(&cancel->called, &cancel->lock);
    weir_mutex_unlock(&cancel->lock);
    return found;
}

bool weir_cancel_idle(weir_cancel *cancel)
{
    weir_mutex_lock(&cancel->lock);
    bool idle = !cancel->why && !cancel->entries.count && weir_ref_unique(&cancel->ref);
    weir_mutex_unlock(&cancel->lock);
    return idle;
}

static void caller_gives_up(void *arg)
{
    weir_following *following = arg;
    weir_cancel_fire(following->step, weir_cancel_status(following->caller));
}

void weir_follow_begin(weir_following *following, weir_cancel *caller, weir_cancel *step)
{
    *following = (weir_following){.caller = caller, .step = step};
    if (!caller)
        return;
    following->token = weir_cancel_add(caller, caller_gives_up, following);
    if (!following->token)
        caller_gives_up(following);
}

void weir_follow_end(weir_following *following)
{
    if (following->token)
        weir_cancel_remove(following->caller, following->token);
    following->token = 0;
}
