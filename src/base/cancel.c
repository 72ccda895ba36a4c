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
    bool orphan WEIR_GUARDED_BY(lock);      /* the last reference was dropped by a callback */
    atomic_bool fired;
};

/* True when this thread is inside a callback of |c|: then whoever called it still needs |c|, and
 * ends it afterwards. */
static bool leave_to_caller(weir_cancel *c)
{
    weir_mutex_lock(&c->lock);
    c->orphan = c->calling && pthread_equal(c->caller, pthread_self());
    bool left = c->orphan;
    weir_mutex_unlock(&c->lock);
    return left;
}

static void destroy(weir_ref *ref)
{
    weir_cancel *c = (weir_cancel *)ref;
    if (leave_to_caller(c))
        return;
    if (c->parent) {
        weir_cancel_remove(c->parent, c->parent_token);
        weir_cancel_release(c->parent);
    }
    weir_vec_fini(&c->entries);
    weir_status_free(c->why);
    weir_cond_fini(&c->called);
    weir_mutex_fini(&c->lock);
    weir_free(c);
}

static void parent_fired(void *arg)
{
    weir_cancel *c = arg;
    weir_cancel_fire(c, weir_cancel_status(c->parent));
}

weir_cancel *weir_cancel_create(weir_cancel *parent)
{
    weir_cancel *c = WEIR_NEW(weir_cancel);
    weir_ref_init(&c->ref, destroy);
    weir_mutex_init(&c->lock);
    weir_cond_init(&c->called);
    c->next_token = 1;
    if (parent) {
        c->parent = weir_cancel_retain(parent);
        c->parent_token = weir_cancel_add(parent, parent_fired, c);
        if (!c->parent_token)
            parent_fired(c);
    }
    return c;
}

weir_cancel *weir_cancel_retain(weir_cancel *c)
{
    weir_ref_retain(&c->ref);
    return c;
}

void weir_cancel_release(weir_cancel *c)
{
    weir_ref_release((weir_ref *)c);
}

void weir_cancel_fire(weir_cancel *c, weir_status why)
{
    weir_mutex_lock(&c->lock);
    if (c->why) {
        weir_mutex_unlock(&c->lock);
        weir_status_free(why);
        return;
    }
    c->why = why;
    atomic_store(&c->fired, true);
    c->caller = pthread_self();
    while (c->entries.count) {
        entry e = c->entries.at[--c->entries.count];
        c->calling = e.token;
        weir_mutex_unlock(&c->lock);
        e.fn(e.arg);
        weir_mutex_lock(&c->lock);
        c->calling = 0;
        weir_cond_broadcast(&c->called);
    }
    bool orphan = c->orphan;
    weir_mutex_unlock(&c->lock);
    if (orphan)
        destroy(&c->ref);
}

bool weir_cancel_fired(const weir_cancel *c)
{
    return atomic_load_explicit(&c->fired, memory_order_acquire);
}

weir_status weir_cancel_status(weir_cancel *c)
{
    weir_mutex_lock(&c->lock);
    weir_status s = weir_status_copy(c->why);
    weir_mutex_unlock(&c->lock);
    return s;
}

int64_t weir_cancel_add(weir_cancel *c, void (*fn)(void *), void *arg)
{
    weir_mutex_lock(&c->lock);
    int64_t token = 0;
    if (!c->why) {
        token = c->next_token++;
        weir_vec_push(&c->entries, (entry){token, fn, arg});
    }
    weir_mutex_unlock(&c->lock);
    return token;
}

bool weir_cancel_remove(weir_cancel *c, int64_t token)
{
    bool found = false;
    weir_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->entries.count && !found; i++)
        if (c->entries.at[i].token == token) {
            c->entries.at[i] = c->entries.at[--c->entries.count];
            found = true;
        }
    while (!found && c->calling == token && token && !pthread_equal(c->caller, pthread_self()))
        weir_cond_wait(&c->called, &c->lock);
    weir_mutex_unlock(&c->lock);
    return found;
}

static void caller_gives_up(void *arg)
{
    weir_following *f = arg;
    weir_cancel_fire(f->step, weir_cancel_status(f->caller));
}

void weir_follow_begin(weir_following *f, weir_cancel *caller, weir_cancel *step)
{
    *f = (weir_following){.caller = caller, .step = step};
    if (!caller)
        return;
    f->token = weir_cancel_add(caller, caller_gives_up, f);
    if (!f->token)
        caller_gives_up(f);
}

void weir_follow_end(weir_following *f)
{
    if (f->token)
        weir_cancel_remove(f->caller, f->token);
    f->token = 0;
}
