/*
 * ops/io/reader.c - whose turn it is with a reader.
 *
 * A call with the turn may have to wait for the queue of work. The queue answers by callback, at
 * once or later: |turn| makes sure that exactly one of the caller's loop and the callback goes on.
 */
#include "ops/io/reader.h"

#include <stdatomic.h>

#include "ops/common/strs.h"
#include "ops/state/named.h"
#include "state/queue.h"

const weir_resource_type weir_reader_type = {"N10tensorflow15ReaderInterfaceE", "reader"};

typedef enum read_state { READ_NEW, READ_WAITING, READ_RUNNING, READ_CANCELLED } read_state;
typedef enum handover { ASKING, ANSWERED, LEFT } handover;

/* One call that wants the reader. */
typedef struct weir_read {
    weir_call *call;
    weir_reader *reader;  /* retained */
    weir_queue *queue;    /* retained; null when it is not to read */
    weir_reader_use *use; /* instead of reading */
    int64_t most;         /* 0: one record, as scalars */
    read_state state;     /* under the reader's lock */
    int64_t token;        /* of the cancellation */
    struct weir_read *next;
    atomic_int turn;        /* handover */
    weir_status answer;     /* of the queue */
    WEIR_VEC(char *) texts; /* keys and values in turn */
    WEIR_VEC(size_t) lengths;
} weir_read;

static void destroy(weir_ref *ref)
{
    weir_reader *r = (weir_reader *)ref;
    r->kind->drop(r);
    weir_free(r->work);
    weir_free(r->name);
    weir_buf_fini(&r->key);
    weir_buf_fini(&r->value);
    weir_mutex_fini(&r->lock);
    weir_free(r);
}

weir_reader *weir_reader_create(const weir_reader_kind *kind, const char *node,
                                const weir_reader_options *options)
{
    weir_reader *r = WEIR_NEW(weir_reader);
    weir_buf name = {0};
    weir_buf_addf(&name, "%s '%s'", kind->name, node);
    r->name = weir_buf_take(&name);
    weir_ref_init(&r->base.ref, destroy);
    r->base.type = &weir_reader_type;
    r->kind = kind;
    r->options = *options;
    r->last = &r->first;
    weir_mutex_init(&r->lock);
    return r;
}

/* ---- the end of a call ---- */

static void free_read(weir_read *t)
{
    for (size_t i = 0; i < t->texts.count; i++)
        weir_free(t->texts.at[i]);
    weir_vec_fini(&t->texts);
    weir_vec_fini(&t->lengths);
    weir_ref_release((weir_ref *)t->queue);
    weir_ref_release(&t->reader->base.ref);
    weir_free(t);
}

static void begin(weir_read *t);

/* Ends a call that has the turn, and gives the turn on. */
static void end(weir_read *t, weir_status s)
{
    weir_reader *r = t->reader;
    weir_call *c = t->call;
    weir_mutex_lock(&r->lock);
    weir_read *next = r->first;
    if (next) {
        r->first = next->next;
        r->last = r->first ? r->last : &r->first;
        next->state = READ_RUNNING;
    } else {
        r->busy = false;
    }
    weir_mutex_unlock(&r->lock);
    free_read(t);
    weir_call_finish(c, s);
    if (!next)
        return;
    weir_cancel_remove(next->call->run->cancel, next->token);
    begin(next);
}

static weir_status give(weir_read *t)
{
    weir_shape shape = t->most ? weir_shape_vector((int64_t)t->texts.count / 2) : WEIR_SCALAR;
    for (int o = 0; o < 2; o++)
        WEIR_TRY(weir_call_alloc(t->call, o, &shape));
    for (size_t i = 0; i < t->texts.count; i++)
        weir_str_put(weir_out(t->call, (int)(i % 2)), (int64_t)(i / 2),
                     (weir_str){t->texts.at[i], t->lengths.at[i]});
    return WEIR_OK;
}

/* ---- reading ---- */

static void keep(weir_read *t, weir_buf *b)
{
    weir_vec_push(&t->lengths, b->length);
    weir_vec_push(&t->texts, weir_buf_take(b));
}

/* Reads from the work at hand. True: the call is done, with this status. */
static bool read_work(weir_read *t, weir_status *out_status)
{
    weir_reader *r = t->reader;
    int64_t most = t->most ? t->most : 1;
    bool record = false, at_end = false;
    while (!at_end && (int64_t)t->texts.count / 2 < most) {
        *out_status = r->kind->next(r, &record, &at_end);
        if (*out_status)
            return true;
        if (record) {
            r->records++;
            keep(t, &r->key);
            keep(t, &r->value);
        }
    }
    if (at_end) {
        r->kind->drop(r);
        r->finished = r->started;
    }
    return t->texts.count > 0;
}

static weir_status start_work(weir_reader *r, const weir_tensor *work)
{
    weir_free(r->work);
    r->work = weir_str_copy_at(work, 0);
    weir_status s = r->kind->start(r);
    if (s)
        r->kind->drop(r);
    else
        r->started++;
    return s;
}

static bool has_work(const weir_reader *r)
{
    return r->started > r->finished;
}

static void go_on(weir_read *t);

static void got_work(void *arg, weir_status s, weir_tensor *tuple)
{
    weir_read *t = arg;
    t->answer = s;
    if (tuple) {
        t->answer = start_work(t->reader, &tuple[0]);
        weir_tensor_release(&tuple[0]);
    }
    if (atomic_exchange(&t->turn, ANSWERED) == LEFT)
        go_on(t);
}

static void go_on(weir_read *t)
{
    for (;;) {
        weir_status s = t->answer;
        if (!s && has_work(t->reader) && read_work(t, &s)) {
            end(t, s ? s : give(t));
            return;
        }
        if (s) { /* what was read before the queue gave out still counts */
            bool some = t->most && t->texts.count && weir_status_code(s) == WEIR_OUT_OF_RANGE;
            if (some)
                weir_status_free(s);
            end(t, some ? give(t) : s);
            return;
        }
        if (has_work(t->reader))
            continue;
        atomic_store(&t->turn, ASKING);
        weir_queue_dequeue(t->queue, t->call->run->cancel, got_work, t);
        if (atomic_exchange(&t->turn, LEFT) == ASKING)
            return; /* the answer will come, and go on */
    }
}

static void begin(weir_read *t)
{
    if (t->use)
        end(t, t->use(t->call, t->reader));
    else
        go_on(t);
}

/* ---- waiting for the turn ---- */

static weir_status cancelled(void)
{
    return weir_error(WEIR_CANCELLED, "Reader operation was cancelled");
}

/* The step ends: a call that waits for its turn ends too. */
static void on_cancel(void *arg)
{
    weir_read *t = arg;
    weir_reader *r = t->reader;
    weir_mutex_lock(&r->lock);
    bool waiting = t->state == READ_WAITING;
    if (waiting) {
        weir_read **at = &r->first;
        while (*at != t)
            at = &(*at)->next;
        *at = t->next;
        if (!*at)
            r->last = at;
    }
    if (t->state != READ_RUNNING)
        t->state = READ_CANCELLED;
    weir_mutex_unlock(&r->lock);
    if (!waiting)
        return;
    weir_call *c = t->call;
    free_read(t);
    weir_call_finish(c, cancelled());
}

static void wait_for_turn(weir_read *t)
{
    weir_reader *r = t->reader;
    t->token = weir_cancel_add(t->call->run->cancel, on_cancel, t);
    weir_mutex_lock(&r->lock);
    bool gone = t->token == 0 || t->state == READ_CANCELLED;
    bool mine = !gone && !r->busy;
    if (mine) {
        r->busy = true;
        t->state = READ_RUNNING;
    } else if (!gone) {
        t->state = READ_WAITING;
        *r->last = t;
        r->last = &t->next;
    }
    weir_mutex_unlock(&r->lock);
    if (mine) {
        weir_cancel_remove(t->call->run->cancel, t->token);
        begin(t);
    } else if (gone) {
        weir_call *c = t->call;
        if (t->token)
            weir_cancel_remove(c->run->cancel, t->token);
        free_read(t);
        weir_call_finish(c, cancelled());
    }
}

static weir_status open_queue(weir_call *c, weir_queue **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(c, 1, &weir_queue_type, &found));
    weir_queue *q = (weir_queue *)found;
    if (weir_queue_components(q) != 1 || weir_queue_dtype(q, 0) != WEIR_STRING) {
        weir_status s =
            weir_error(WEIR_INVALID_ARGUMENT,
                       "Expected a queue of one string, got one of %d component(s), "
                       "the first %s",
                       weir_queue_components(q), weir_dtype_name(weir_queue_dtype(q, 0)));
        weir_queue_release(q);
        return s;
    }
    *out = q;
    return WEIR_OK;
}

static void start(weir_call *c, weir_reader_use *use, int64_t most)
{
    weir_resource *found = NULL;
    weir_queue *queue = NULL;
    weir_status s = weir_named_input(c, 0, &weir_reader_type, &found);
    if (!s && !use)
        s = open_queue(c, &queue);
    if (s) {
        if (found)
            weir_ref_release(&found->ref);
        weir_call_finish(c, s);
        return;
    }
    weir_read *t = WEIR_NEW(weir_read);
    t->call = c;
    t->reader = (weir_reader *)found;
    t->queue = queue;
    t->use = use;
    t->most = most;
    wait_for_turn(t);
}

void weir_reader_start_read(weir_call *c, int64_t most)
{
    start(c, NULL, most);
}

void weir_reader_start_use(weir_call *c, weir_reader_use *use)
{
    start(c, use, 0);
}
