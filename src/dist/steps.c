/* dist/steps.c - tables of values by step, and the way to other tasks' tables.
 *
 * Locks: weir_steps.lock, then a rendezvous' own. Callbacks and aborts run under neither.
 */
#include "dist/steps_impl.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/mem.h"
#include "dist/ids.h"
#include "dist/recv_tensor.h"

/* ---- tables --------------------------------------------------------------------------------- */

static void destroy_table(weir_ref *ref)
{
    table *t = (table *)ref;
    weir_rendezvous_release(t->values);
    weir_vec_fini(&t->participants);
    weir_free(t);
}

static weir_str key_of(const int64_t *id)
{
    return (weir_str){(const char *)id, sizeof *id};
}

/* Finds or makes; lock held. */
static table *find_table(weir_steps *s, int64_t id)
{
    table *t = weir_map_get(&s->tables, key_of(&id));
    if (t)
        return t;
    t = WEIR_NEW(table);
    weir_ref_init(&t->ref, destroy_table); /* the map's */
    t->steps = s;
    t->id = id;
    t->values = weir_rendezvous_create();
    weir_map_put(&s->tables, key_of(&id), t);
    return t;
}

/* Ends every call and every wait of a table. Takes |why|. */
static void abort_table(table *t, weir_status why)
{
    WEIR_VEC(weir_cancel *) calls = {0};
    pthread_mutex_lock(&t->steps->lock);
    for (size_t i = 0; i < t->participants.count; i++)
        weir_vec_push(&calls, weir_cancel_retain(t->participants.at[i]->calls));
    pthread_mutex_unlock(&t->steps->lock);
    t->values->abort(t->values, weir_status_copy(why));
    for (size_t i = 0; i < calls.count; i++) {
        weir_cancel_fire(calls.at[i], weir_status_copy(why));
        weir_cancel_release(calls.at[i]);
    }
    weir_vec_fini(&calls);
    weir_status_free(why);
}

static table *begin_access(weir_steps *s, int64_t id)
{
    pthread_mutex_lock(&s->lock);
    table *t = find_table(s, id);
    t->access_count++;
    weir_ref_retain(&t->ref);
    pthread_mutex_unlock(&s->lock);
    return t;
}

/* Takes an |unused| table out of the map unless something waits in it; lock held. True: the map's
 * reference is the caller's to release. */
static bool remove_if_unused(table *t, bool unused)
{
    weir_map *tables = &t->steps->tables;
    bool gone = unused && t->access_count == 0 && weir_rendezvous_idle(t->values) &&
                weir_map_get(tables, key_of(&t->id)) == t;
    if (gone)
        weir_map_remove(tables, key_of(&t->id));
    return gone;
}

/* A table that nobody joined and nobody waits in is gone. */
static void end_access(table *t)
{
    weir_steps *s = t->steps;
    pthread_mutex_lock(&s->lock);
    t->access_count--;
    bool gone = remove_if_unused(t, !t->joined);
    pthread_mutex_unlock(&s->lock);
    if (gone)
        weir_ref_release(&t->ref); /* the map's */
    weir_ref_release(&t->ref);
}

/* ---- failures that others may ask about ----------------------------------------------------- */

static void remember_failure(weir_steps *s, int64_t id, weir_status why)
{
    pthread_mutex_lock(&s->lock);
    failure *f = &s->failures[s->next_failure++ % REMEMBERED_FAILURES];
    weir_status before = f->why;
    *f = (failure){id, weir_status_copy(why)};
    pthread_mutex_unlock(&s->lock);
    weir_status_free(before);
}

/* A step that is begun again has not failed; lock held. */
static void forget_failures(weir_steps *s, int64_t id)
{
    for (size_t i = 0; i < REMEMBERED_FAILURES; i++)
        if (s->failures[i].step_id == id)
            s->failures[i].step_id = 0;
}

static weir_status failure_of(weir_steps *s, int64_t id)
{
    weir_status why = WEIR_OK;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < REMEMBERED_FAILURES && !why; i++)
        if (s->failures[i].step_id == id)
            why = weir_status_copy(s->failures[i].why);
    pthread_mutex_unlock(&s->lock);
    return why;
}

/* Keys of edges have their participants between semicolons; keys of collective ops' buffers have
 * none. */
static bool is_buffer(weir_str key)
{
    return !memchr(key.at, ';', key.length);
}

/* ---- values of other tasks ------------------------------------------------------------------ */

static const char recv_tensor[] = "/tensorflow.WorkerService/RecvTensor";

/* A RecvTensor on its way. */
typedef struct recv_call {
    participant *from; /* retained */
    const weir_task *task;
    weir_received done;
    void *arg;
    int64_t start_us; /* 0: the transfer is not noted */
    weir_buf key;     /* empty then */
} recv_call;

static weir_status annotate(const recv_call *r, weir_status s)
{
    if (weir_cancel_fired(r->from->calls)) /* the step is over: this call only follows */
        return weir_status_mark(s, WEIR_DERIVED);
    if (weir_status_code(s) != WEIR_UNAVAILABLE)
        return s;
    return weir_status_note(s,
                            "\nAdditional GRPC error information from remote target %s while "
                            "calling %s",
                            r->task->name, recv_tensor);
}

static void record_transfer(recv_call *r, size_t bytes)
{
    table *t = r->from->table;
    weir_transfers_add(t->steps->transfers, t->id, (weir_str){r->key.at, r->key.length}, bytes,
                       r->start_us, weir_wall_us());
    weir_buf_fini(&r->key);
}

static void answered(void *arg, weir_status s, weir_rpc_message *answer)
{
    recv_call *r = arg;
    weir_tensor t = {0};
    bool dead = false;
    if (!s)
        s = weir_recv_answer_parse(answer, &t, &dead);
    weir_rpc_message_fini(answer);
    if (r->start_us)
        record_transfer(r, s ? 0 : weir_tensor_bytes(&t));
    r->done(r->arg, s ? annotate(r, s) : WEIR_OK, t, dead);
    weir_rendezvous_release(&r->from->base);
    weir_free(r);
}

void weir_participant_request(participant *p, const weir_task *task, weir_str key,
                              weir_received done, void *arg)
{
    recv_call *r = WEIR_NEW(recv_call);
    weir_ref_retain(&p->base.ref);
    *r = (recv_call){.from = p, .task = task, .done = done, .arg = arg};
    if (weir_transfers_enabled(p->table->steps->transfers)) {
        r->start_us = weir_wall_us();
        weir_buf_add(&r->key, key.at, key.length);
    }
    weir_recv_request q = {
        .step_id = p->table->id, .key = key, .request_id = (int64_t)weir_new_id()};
    weir_rpc_message request = {0};
    weir_recv_request_encode(&q, &request.head);
    weir_channel_call call = {.path = recv_tensor,
                              .request = &request,
                              .cancel = p->calls,
                              .payload_offset = weir_recv_answer_payload,
                              .done = answered,
                              .arg = r};
    weir_channel_start(task->channel, &call);
}

/* ---- participants
 * ---------------------------------------------------------------------------------- */

static weir_status participant_send(weir_rendezvous *r, weir_str key, weir_tensor t, bool dead)
{
    const participant *p = (const participant *)r;
    weir_rendezvous *values = p->table->values;
    const step_link *l = weir_participant_link_for(p, key);
    return l ? weir_participant_send(p, l, key, t, dead) : values->send(values, key, t, dead);
}

static void participant_recv(weir_rendezvous *r, weir_str key, weir_received done, void *arg)
{
    participant *p = (participant *)r;
    weir_rendezvous *values = p->table->values;
    if (is_buffer(key)) {
        values->recv(values, key, done, arg);
        return;
    }
    const weir_task *task = weir_participant_source(p, key);
    if (p->cluster && !task)
        done(arg,
             weir_error(WEIR_INTERNAL, "No worker known as %.*s",
                        WEIR_STR_ARG(weir_key_device(key))),
             (weir_tensor){0}, false);
    else if (!task || !task->channel)
        values->recv(values, key, done, arg);
    else if (!weir_participant_recv(p, task, key, done, arg))
        weir_participant_request(p, task, key, done, arg);
}

/* Others need not be told twice what stopped the step: a stop is not the reason of one. */
static void participant_abort(weir_rendezvous *r, weir_status why)
{
    weir_code code = weir_status_code(why);
    if (code == WEIR_CANCELLED || code == WEIR_ABORTED)
        why = weir_status_mark(why, WEIR_DERIVED);
    table *t = ((participant *)r)->table;
    remember_failure(t->steps, t->id, why);
    abort_table(t, why);
}

static void destroy_participant(weir_ref *ref)
{
    participant *p = (participant *)ref;
    table *t = p->table;
    pthread_mutex_lock(&t->steps->lock);
    for (size_t i = 0; i < t->participants.count; i++)
        if (t->participants.at[i] == p)
            t->participants.at[i--] = t->participants.at[--t->participants.count];
    pthread_mutex_unlock(&t->steps->lock);
    weir_participant_unlink(p);
    weir_cancel_release(p->calls);
    weir_cluster_release(p->cluster);
    weir_ref_release(&t->ref);
    weir_free(p);
}

weir_cancel *weir_steps_calls(weir_rendezvous *r)
{
    return ((participant *)r)->calls;
}

weir_rendezvous *weir_steps_join(weir_steps *s, int64_t id, weir_cluster *cluster,
                                 weir_cancel *cancel)
{
    participant *p = WEIR_NEW(participant);
    weir_ref_init(&p->base.ref, destroy_participant);
    p->base.send = participant_send;
    p->base.recv = participant_recv;
    p->base.abort = participant_abort;
    p->cluster = cluster ? weir_cluster_retain(cluster) : NULL;
    p->calls = weir_cancel_create(cancel);
    pthread_mutex_lock(&s->lock);
    forget_failures(s, id);
    p->table = find_table(s, id);
    p->table->joined = true;
    weir_ref_retain(&p->table->ref);
    weir_vec_push(&p->table->participants, p);
    pthread_mutex_unlock(&s->lock);
    return &p->base;
}

/* ---- serving others ------------------------------------------------------------------------- */

void weir_steps_serve(weir_steps *s, int64_t id, weir_str key, weir_received done, void *arg)
{
    weir_status why = is_buffer(key) ? failure_of(s, id) : WEIR_OK;
    if (why) {
        done(arg, why, (weir_tensor){0}, false);
        return;
    }
    table *t = begin_access(s, id);
    t->values->recv(t->values, key, done, arg);
    end_access(t);
}

void weir_steps_forget(weir_steps *s, int64_t id, weir_str key, void *arg, weir_received done)
{
    table *t = begin_access(s, id);
    bool waited = weir_rendezvous_forget(t->values, key, arg);
    end_access(t);
    if (waited)
        done(arg, weir_error(WEIR_CANCELLED, "the caller of RecvTensor is gone"), (weir_tensor){0},
             false);
}

/* ---- ending --------------------------------------------------------------------------------- */

static void drop(table *t)
{
    abort_table(
        t, weir_status_mark(weir_error(WEIR_ABORTED, "Cleanup %" PRId64, t->id), WEIR_DERIVED));
    weir_ref_release(&t->ref); /* the map's */
}

void weir_steps_cleanup(weir_steps *s, int64_t id)
{
    pthread_mutex_lock(&s->lock);
    table *t = weir_map_remove(&s->tables, key_of(&id));
    pthread_mutex_unlock(&s->lock);
    if (t)
        drop(t);
}

bool weir_steps_retire(weir_rendezvous *r)
{
    table *t = ((participant *)r)->table;
    weir_steps *s = t->steps;
    pthread_mutex_lock(&s->lock);
    bool gone = remove_if_unused(t, t->participants.count == 1);
    pthread_mutex_unlock(&s->lock);
    if (gone)
        weir_ref_release(&t->ref); /* the map's */
    return gone;
}

void weir_steps_own(weir_steps *s, int64_t id, const void *owner)
{
    pthread_mutex_lock(&s->lock);
    table *t = weir_map_get(&s->tables, key_of(&id));
    if (t)
        t->owner = owner;
    pthread_mutex_unlock(&s->lock);
}

/* Drops the tables of |owner|; those of everybody when null. */
static void drop_all(weir_steps *s, const void *owner)
{
    WEIR_VEC(table *) found = {0};
    size_t at = 0;
    void *t;
    pthread_mutex_lock(&s->lock);
    while (weir_map_next(&s->tables, &at, NULL, &t))
        if (!owner || ((table *)t)->owner == owner)
            weir_vec_push(&found, t);
    for (size_t i = 0; i < found.count; i++)
        weir_map_remove(&s->tables, key_of(&found.at[i]->id));
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < found.count; i++)
        drop(found.at[i]);
    weir_vec_fini(&found);
}

void weir_steps_drop_owned(weir_steps *s, const void *owner)
{
    drop_all(s, owner);
}

weir_transfers *weir_steps_transfers(weir_steps *s)
{
    return s->transfers;
}

size_t weir_steps_count(weir_steps *s)
{
    pthread_mutex_lock(&s->lock);
    size_t n = s->tables.count;
    pthread_mutex_unlock(&s->lock);
    return n;
}

weir_steps *weir_steps_create(void)
{
    weir_steps *s = WEIR_NEW(weir_steps);
    s->transfers = weir_transfers_create();
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void weir_steps_destroy(weir_steps *s)
{
    if (!s)
        return;
    drop_all(s, NULL);
    for (size_t i = 0; i < REMEMBERED_FAILURES; i++)
        weir_status_free(s->failures[i].why);
    weir_map_fini(&s->large);
    weir_map_fini(&s->tables);
    weir_transfers_destroy(s->transfers);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}

int64_t weir_steps_new_id(void)
{
    int64_t id;
    do
        id = (int64_t)(weir_new_id() >> 7);
    while (!id);
    return id;
}
