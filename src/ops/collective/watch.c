/* ops/collective/watch.c - detects the end of a member by pending calls. */
#include "ops/collective/watch.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"

/* The known state of a member. */
typedef struct member_state {
    weir_status why; /* error that ended its step; null: not known to have ended */
    bool old;        /* ... at least since the previous check */
} member_state;

struct weir_watch {
    weir_ref ref; /* held by the exchange and each call */
    weir_cancel *cancel;
    weir_mutex lock;
    weir_exchange *x WEIR_GUARDED_BY(lock); /* null: it has ended */
    weir_group *group;                      /* null: not known yet; set by checks only */
    member_state *states WEIR_GUARDED_BY(lock);
};

typedef struct watched_member {
    weir_watch *watch; /* retained */
    int rank;
} watched_member;

static void destroy(weir_ref *ref)
{
    weir_watch *watch = (weir_watch *)ref;
    for (int i = 0; watch->group && i < watch->group->size; i++)
        weir_status_free(watch->states[i].why);
    weir_free(watch->states);
    weir_group_release(watch->group);
    weir_cancel_release(watch->cancel);
    weir_mutex_fini(&watch->lock);
    weir_free(watch);
}

weir_watch *weir_watch_create(weir_exchange *exchange)
{
    weir_watch *watch = WEIR_NEW(weir_watch);
    weir_ref_init(&watch->ref, destroy);
    weir_mutex_init(&watch->lock);
    watch->cancel = weir_cancel_create(NULL);
    watch->x = exchange;
    return watch;
}

void weir_watch_stop(weir_watch *watch)
{
    if (!watch)
        return;
    weir_mutex_lock(&watch->lock);
    watch->x = NULL;
    weir_mutex_unlock(&watch->lock);
    weir_cancel_fire(watch->cancel, weir_error(WEIR_CANCELLED, "the collective op has ended"));
    weir_ref_release(&watch->ref);
}

/* ---- end of a member ------------------------------------------------------------------------- */

static bool is_gone(weir_status status)
{
    weir_code code = weir_status_code(status);
    return !weir_status_is(status, WEIR_DERIVED) &&
           (code == WEIR_UNAVAILABLE || code == WEIR_FAILED_PRECONDITION);
}

/* Records why the member's step has ended. Takes ownership of |why|. */
static void note_end(weir_watch *watch, int rank, weir_status why)
{
    weir_mutex_lock(&watch->lock);
    weir_status before = watch->states[rank].why;
    watch->states[rank].why = why;
    weir_mutex_unlock(&watch->lock);
    weir_status_free(before);
}

static void member_ended(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    watched_member *member = arg;
    weir_watch *watch = member->watch;
    weir_tensor_release(&tensor);
    if (!status)
        status = weir_error(WEIR_INTERNAL, "a member gave what nobody asked for");
    weir_mutex_lock(&watch->lock);
    weir_exchange *exchange =
        watch->x && weir_exchange_try_hold(watch->x) ? watch->x : NULL; /* else it is ending */
    weir_mutex_unlock(&watch->lock);
    if (exchange && is_gone(status))
        weir_exchange_stop(exchange, status);
    else
        note_end(watch, member->rank, status);
    if (exchange)
        weir_exchange_let_go(exchange);
    weir_ref_release(&watch->ref);
    weir_free(member);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void watch_member(weir_watch *watch, weir_exchange *exchange, int rank, int own)
{
    weir_run *run = exchange->call->run;
    WEIR_BUF(key);
    weir_buf_add(&key, exchange->key.at, exchange->key.length);
    weir_buf_addf(&key, ":watch:%d:%d", rank, own);
    watched_member *member = WEIR_NEW(watched_member);
    weir_ref_retain(&watch->ref);
    *member = (watched_member){watch, rank};
    run->collectives->watch(run->collectives, run->step_id, &watch->group->members[rank],
                            weir_view(&key), watch->cancel, member_ended, member);
}

static int rank_of(const weir_group *group, const char *device)
{
    int rank = group->size - 1;
    while (rank >= 0 && strcmp(group->members[rank].device, device) != 0)
        rank--;
    return rank;
}

/* Starts calls to Weir's members only: others may keep a request for a finished step pending. */
static void begin(weir_watch *watch, weir_exchange *exchange)
{
    weir_collectives *collectives = exchange->call->run->collectives;
    weir_group *group = collectives->find(collectives, exchange->what.group_key);
    int own = group ? rank_of(group, exchange->what.device) : -1;
    if (own < 0) {
        weir_group_release(group);
        return;
    }
    weir_mutex_lock(&watch->lock);
    watch->states = WEIR_NEW_ARRAY(member_state, group->size);
    watch->group = group;
    weir_mutex_unlock(&watch->lock);
    for (int i = 0; i < group->size; i++)
        if (group->members[i].weir &&
            !weir_group_same_task(&group->members[i], &group->members[own]))
            watch_member(watch, exchange, i, own);
}

/* A member that has ended its step but is still needed; -1: none. The notification that it took a
 * buffer may arrive shortly after its end, so the end must be known for a second. */
static int find_missing(weir_watch *watch, const weir_exchange *exchange, weir_status *out_why)
{
    int missing = -1;
    weir_mutex_lock(&watch->lock);
    for (int i = 0; i < watch->group->size && missing < 0; i++) {
        member_state *state = &watch->states[i];
        if (state->why && state->old && weir_exchange_needs(exchange, i)) {
            missing = i;
            *out_why = weir_status_copy(state->why);
        }
        state->old = state->why != NULL;
    }
    weir_mutex_unlock(&watch->lock);
    return missing;
}

void weir_watch_look(weir_watch *watch, weir_exchange *exchange)
{
    weir_status why = WEIR_OK;
    if (!watch->group) {
        begin(watch, exchange);
        return;
    }
    int missing = find_missing(watch, exchange, &why);
    if (missing < 0)
        return;
    weir_exchange_stop(exchange,
                       weir_error(weir_status_code(why),
                                  "%s has ended the step without its part in group %" PRId32 ": %s",
                                  watch->group->members[missing].device, watch->group->key,
                                  weir_status_message(why)));
    weir_status_free(why);
}
