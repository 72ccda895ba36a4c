/* dist/links.c - values that go and come by the stream of a RunGraph.
 *
 * A link by gRPC is for small values, which travel together. A larger one stays where it was made,
 * the other side is told by an empty message (no value is one) and asks for it by RecvTensor. What
 * was large is large in the next step too, as a rule: then it is asked for at once, as if there
 * were no link, and when the question is there first, it is answered and nobody told. Should the
 * value be small after all and be sent before the question came, nobody looks at what becomes of
 * that.
 */
#include "base/mem.h"
#include "dist/recv_tensor.h"
#include "dist/steps_impl.h"

enum { MAX_LARGE_KEYS = 4096 }; /* keys that are remembered; those of loops are new in every turn */

/* ---- finding links -------------------------------------------------------------------------- */

weir_str weir_key_device(weir_str key)
{
    const char *end = memchr(key.at, ';', key.length);
    return (weir_str){key.at, end ? (size_t)(end - key.at) : key.length};
}

const weir_task *weir_participant_source(const participant *p, weir_str key)
{
    return p->cluster ? weir_cluster_find(p->cluster, weir_key_device(key)) : NULL;
}

static const step_link *find_link(const participant *p, const weir_task *task)
{
    for (size_t i = 0; i < p->links.count; i++)
        if (p->links.at[i].task == task)
            return &p->links.at[i];
    return NULL;
}

const step_link *weir_participant_link_for(const participant *p, weir_str key)
{
    const char *end = key.at + key.length;
    const char *one = memchr(key.at, ';', key.length);
    const char *two = one ? memchr(one + 1, ';', (size_t)(end - one - 1)) : NULL;
    for (size_t i = 0; two && i < p->links.count; i++) {
        const step_link *l = &p->links.at[i];
        if (l->name_length < (size_t)(end - two - 1) &&
            memcmp(two + 1, l->task->name, l->name_length) == 0 && two[1 + l->name_length] == '/')
            return l;
    }
    return NULL;
}

static size_t message_limit(const step_link *l)
{
    return l->stream ? weir_stream_message_limit(l->stream) : weir_rpc_message_limit(l->call);
}

void weir_steps_link(weir_rendezvous *r, const weir_task *task, weir_stream *stream, weir_rpc *call)
{
    participant *p = (participant *)r;
    step_link l = {task, strlen(task->name), stream, call};
    if (call)
        weir_rpc_retain(call);
    weir_vec_push(&p->links, l);
}

/* ---- sending -------------------------------------------------------------------------------- */

weir_status weir_participant_send(const participant *p, const step_link *l, weir_str key,
                                  weir_tensor t, bool dead)
{
    weir_rendezvous *values = p->table->values;
    size_t most = message_limit(l);
    if (most < SIZE_MAX && weir_rendezvous_awaits(values, key))
        return values->send(values, key, t, dead);
    weir_rpc_message m = {0};
    if (!dead && weir_tensor_bytes(&t) > most) {
        WEIR_TRY(values->send(values, key, t, dead));
    } else {
        weir_status s = weir_recv_answer_encode(&t, dead, &m);
        weir_tensor_release(&t);
        WEIR_TRY(s);
    }
    return l->stream ? weir_stream_send(l->stream, key, &m)
                     : weir_rpc_send_message(l->call, key, &m);
}

/* ---- large values --------------------------------------------------------------------------- */

/* A question for a value that may come by the link. It is the participant's, in |requests|. */
typedef struct value_request {
    participant *by; /* retained while it is open */
    bool open, failed;
    bool announced; /* the value is there: it must come */
    size_t length;
    char key[];
} value_request;

/* True for what ends a question that was not needed, or ends the whole step anyway. */
static bool is_harmless(weir_status s)
{
    weir_code code = weir_status_code(s);
    return code == WEIR_ABORTED || code == WEIR_CANCELLED || code == WEIR_UNAVAILABLE ||
           weir_status_is(s, WEIR_DERIVED);
}

static void answered(void *arg, weir_status s, weir_tensor t, bool dead)
{
    value_request *q = arg;
    participant *p = q->by;
    weir_rendezvous *values = p->table->values;
    if (!s)
        s = values->send(values, (weir_str){q->key, q->length}, t, dead);
    else
        weir_tensor_release(&t);
    pthread_mutex_lock(&p->table->steps->lock);
    q->open = false;
    q->failed = s != WEIR_OK;
    bool matters = s && (q->announced || !is_harmless(s));
    pthread_mutex_unlock(&p->table->steps->lock);
    if (matters)
        p->base.abort(&p->base, s);
    else
        weir_status_free(s);
    weir_rendezvous_release(&p->base);
}

/* Notes that |key| is asked for, unless it is; |announced|: because it is there. Null: nothing to
 * do. */
static value_request *begin_request(participant *p, weir_str key, bool announced)
{
    pthread_mutex_lock(&p->table->steps->lock);
    value_request *q = weir_map_get(&p->requests, key);
    bool again = q && !q->open && q->failed && announced;
    if (q)
        q->announced |= announced;
    if (!q) {
        q = weir_alloc(sizeof *q + key.length);
        *q = (value_request){.by = p, .announced = announced, .length = key.length};
        memcpy(q->key, key.at, key.length);
        weir_map_put(&p->requests, key, q);
        again = true;
    }
    if (again) {
        q->open = true;
        q->failed = false;
        weir_ref_retain(&p->base.ref);
    }
    pthread_mutex_unlock(&p->table->steps->lock);
    return again ? q : NULL;
}

static void request_value(participant *p, const weir_task *task, weir_str key, bool announced)
{
    value_request *q = begin_request(p, key, announced);
    if (q)
        weir_participant_request(p, task, key, answered, q);
}

static void note_large(participant *p, weir_str key)
{
    weir_steps *s = p->table->steps;
    pthread_mutex_lock(&s->lock);
    if (s->large.count >= MAX_LARGE_KEYS)
        weir_map_fini(&s->large);
    weir_map_put(&s->large, key, s);
    pthread_mutex_unlock(&s->lock);
}

static bool was_large(participant *p, weir_str key)
{
    weir_steps *s = p->table->steps;
    pthread_mutex_lock(&s->lock);
    bool was = weir_map_get(&s->large, key) != NULL;
    pthread_mutex_unlock(&s->lock);
    return was;
}

/* It came by the link: nobody asks the next time. */
static void note_small(participant *p, weir_str key)
{
    weir_steps *s = p->table->steps;
    pthread_mutex_lock(&s->lock);
    if (p->requests.count && weir_map_get(&p->requests, key))
        weir_map_remove(&s->large, key);
    pthread_mutex_unlock(&s->lock);
}

/* ---- receiving ------------------------------------------------------------------------------ */

bool weir_participant_recv(participant *p, const weir_task *task, weir_str key, weir_received done,
                           void *arg)
{
    const step_link *l = find_link(p, task);
    if (!l)
        return false;
    bool ask_now = message_limit(l) < SIZE_MAX && was_large(p, key);
    if (ask_now) /* first: what is received may end the step */
        request_value(p, task, key, false);
    weir_rendezvous *values = p->table->values;
    values->recv(values, key, done, arg);
    return true;
}

/* The other side has a value that does not fit. */
static void on_large_notice(participant *p, weir_str key)
{
    const weir_task *task = weir_participant_source(p, key);
    if (!task || !task->channel) {
        p->base.abort(&p->base, weir_error(WEIR_INTERNAL, "told of a value of nobody: %.*s",
                                           WEIR_STR_ARG(key)));
        return;
    }
    note_large(p, key);
    request_value(p, task, key, true);
}

void weir_steps_deliver(weir_rendezvous *r, weir_str key, weir_rpc_message *m)
{
    participant *p = (participant *)r;
    weir_rendezvous *values = p->table->values;
    weir_tensor t = {0};
    bool dead = false;
    if (!m->head.length && !m->payload) {
        on_large_notice(p, key);
        return;
    }
    note_small(p, key);
    weir_status s = weir_recv_answer_parse(m, &t, &dead);
    weir_rpc_message_fini(m);
    if (!s)
        s = values->send(values, key, t, dead);
    if (s)
        r->abort(r, s);
}

void weir_participant_unlink(participant *p)
{
    size_t at = 0;
    void *q;
    while (weir_map_next(&p->requests, &at, NULL, &q))
        weir_free(q);
    weir_map_fini(&p->requests);
    for (size_t i = 0; i < p->links.count; i++) {
        weir_stream_release(p->links.at[i].stream);
        weir_rpc_release(p->links.at[i].call);
    }
    weir_vec_fini(&p->links);
}
