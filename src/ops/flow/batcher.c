/* ops/flow/batcher.c - requests, batches, and when they are processed. */
#include "ops/flow/batcher.h"

#include <inttypes.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/pool.h"
#include "base/timer.h"
#include "ops/common/elements.h"
#include "ops/random/generator.h"

struct weir_batcher {
    weir_resource resource;
    weir_call_batch_options options;
    weir_mutex lock;
    weir_call_batch *open WEIR_GUARDED_BY(lock);
    weir_call_batch *closed WEIR_GUARDED_BY(lock); /* waiting for a thread ... */
    weir_call_batch **last WEIR_GUARDED_BY(lock);  /* ... and where the next one is linked */
    int64_t queued WEIR_GUARDED_BY(lock), running WEIR_GUARDED_BY(lock); /* batches */
    int64_t next_number WEIR_GUARDED_BY(lock);
};

/* One call. Freed when all its pieces are done. */
struct weir_call_batch_request {
    weir_batcher *of;  /* retained */
    weir_call *call;   /* under the batcher's lock; null once it is answered */
    int leading;       /* under the batcher's lock: batches that run in its step */
    weir_tensor *in;   /* in_count, shared */
    weir_tensor *outs; /* pieces * out_count */
    int64_t rows, guid;
    int pieces, left; /* under the batcher's lock */
    weir_status failed;
    weir_cancel *cancel; /* retained; null when it cannot be cancelled */
    int64_t token;
};

/* What a timer holds: it may outlive the batch. */
typedef struct weir_call_batch_alarm {
    weir_batcher *of; /* retained */
    int64_t number;
} batch_alarm;

const weir_resource_type weir_batcher_type = {"N10tensorflow13BatchResourceE", "batcher"};

static void batcher_destroy(weir_ref *self)
{
    weir_batcher *b = (weir_batcher *)self;
    weir_mutex_fini(&b->lock);
    weir_free(b);
}

weir_status weir_batcher_create(void *options, weir_resource **out)
{
    weir_batcher *b = WEIR_NEW(weir_batcher);
    weir_ref_init(&b->resource.ref, batcher_destroy);
    b->resource.type = &weir_batcher_type;
    b->options = *(const weir_call_batch_options *)options;
    weir_mutex_init(&b->lock);
    b->last = &b->closed;
    *out = &b->resource;
    return WEIR_OK;
}

/* ---- rows --------------------------------------------------------------------------------------
 */

weir_status weir_rows_take(const weir_tensor *t, int64_t first, int64_t rows, weir_tensor *out)
{
    weir_shape shape = t->shape;
    int64_t row = weir_shape_product(&shape, 1, shape.rank);
    shape.dims[0] = rows;
    WEIR_TRY(weir_tensor_alloc(t->dtype, &shape, out));
    weir_elements_copy(t->dtype, out->data, weir_at(t, first * row), rows * row);
    return WEIR_OK;
}

static weir_status same_rows(const weir_tensor *a, const weir_tensor *b)
{
    bool same = a->dtype == b->dtype && a->shape.rank == b->shape.rank;
    for (int d = 1; same && d < a->shape.rank; d++)
        same = a->shape.dims[d] == b->shape.dims[d];
    if (same)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Dimensions of inputs should match: shape[0] = %s vs. another's %s",
                      WEIR_SHAPE_STR(&a->shape), WEIR_SHAPE_STR(&b->shape));
}

weir_status weir_rows_join(const weir_tensor *const *parts, size_t count, int64_t padding,
                           weir_tensor *out)
{
    weir_shape shape = parts[0]->shape;
    int64_t row = weir_shape_product(&shape, 1, shape.rank), at = 0;
    for (size_t k = 1; k < count; k++) {
        WEIR_TRY(same_rows(parts[0], parts[k]));
        shape.dims[0] += parts[k]->shape.dims[0];
    }
    shape.dims[0] += padding;
    WEIR_TRY(weir_tensor_alloc(parts[0]->dtype, &shape, out));
    for (size_t k = 0; k < count; k++) {
        int64_t elements = weir_tensor_count(parts[k]);
        weir_elements_copy(out->dtype, weir_at(out, at), parts[k]->data, elements);
        at += elements;
    }
    for (int64_t k = 0; k < padding; k++, at += row)
        weir_elements_copy(out->dtype, weir_at(out, at), parts[0]->data, row);
    return WEIR_OK;
}

weir_status weir_call_batch_join(const weir_call_batch *b, int in, int64_t rows, weir_tensor *out)
{
    size_t count = b->pieces.count;
    weir_tensor *parts = WEIR_NEW_ARRAY(weir_tensor, count);
    const weir_tensor **at = WEIR_NEW_ARRAY(const weir_tensor *, count);
    weir_status s = WEIR_OK;
    for (size_t k = 0; !s && k < count; k++) {
        const weir_call_batch_piece *p = &b->pieces.at[k];
        const weir_tensor *whole = &p->request->in[in];
        if (p->rows == p->request->rows)
            parts[k] = weir_tensor_share(whole);
        else
            s = weir_rows_take(whole, p->first, p->rows, &parts[k]);
        at[k] = &parts[k];
    }
    if (!s)
        s = weir_rows_join(at, count, rows - b->rows, out);
    for (size_t k = 0; k < count; k++)
        weir_tensor_release(&parts[k]);
    weir_free(parts);
    weir_free(at);
    return s;
}

int64_t weir_call_batch_guid(const weir_call_batch_piece *p)
{
    return p->request->guid;
}

const weir_tensor *weir_call_batch_input(const weir_call_batch_piece *p, int in)
{
    return &p->request->in[in];
}

/* ---- requests ----------------------------------------------------------------------------------
 */

static weir_status set_outputs(weir_call *c, weir_call_batch_request *r)
{
    int count = r->of->options.out_count;
    for (int o = 0; o < count; o++) {
        weir_tensor whole = {0};
        if (r->pieces == 1) {
            weir_tensor_move(&whole, &r->outs[o]);
        } else {
            const weir_tensor **parts = WEIR_NEW_ARRAY(const weir_tensor *, r->pieces);
            for (int k = 0; k < r->pieces; k++)
                parts[k] = &r->outs[k * count + o];
            weir_status s = weir_rows_join(parts, (size_t)r->pieces, 0, &whole);
            weir_free(parts);
            if (s)
                return s;
        }
        weir_call_set(c, o, whole);
    }
    return WEIR_OK;
}

static void request_free(weir_call_batch_request *r)
{
    for (int i = 0; i < r->of->options.in_count; i++)
        weir_tensor_release(&r->in[i]);
    for (int i = 0; i < r->pieces * r->of->options.out_count; i++)
        weir_tensor_release(&r->outs[i]);
    weir_status_free(r->failed);
    weir_cancel_release(r->cancel);
    weir_ref_release(&r->of->resource.ref);
    weir_free(r->in);
    weir_free(r->outs);
    weir_free(r);
}

/* All pieces are done. */
static void answer(weir_call_batch_request *r)
{
    weir_batcher *b = r->of;
    weir_mutex_lock(&b->lock);
    weir_call *c = r->call;
    r->call = NULL;
    weir_mutex_unlock(&b->lock);
    if (r->token)
        weir_cancel_remove(r->cancel, r->token); /* also waits until a callback has ended */
    if (c) {
        weir_status s = r->failed ? r->failed : set_outputs(c, r);
        r->failed = WEIR_OK;
        weir_call_finish(c, s);
    }
    request_free(r);
}

static void cancelled(void *arg)
{
    weir_call_batch_request *r = arg;
    weir_call *c = NULL;
    weir_mutex_lock(&r->of->lock);
    if (r->leading == 0) { /* else the work that runs in its step ends it */
        c = r->call;
        r->call = NULL;
    }
    weir_mutex_unlock(&r->of->lock);
    if (c)
        weir_call_finish(c, weir_error(WEIR_CANCELLED, "Batched operation was cancelled"));
}

/* Makes a request cancellable; false when its step is cancelled already: then it is answered by
 * the caller. Under the batcher's lock. */
static bool watch(weir_call_batch_request *r)
{
    if (!r->call->run->cancel)
        return true;
    r->cancel = weir_cancel_retain(r->call->run->cancel);
    r->token = weir_cancel_add(r->cancel, cancelled, r);
    if (!r->token)
        r->call = NULL;
    return r->token != 0;
}

static weir_call_batch_request *request_make(weir_batcher *b, weir_call *c, int64_t rows)
{
    weir_call_batch_request *r = WEIR_NEW(weir_call_batch_request);
    weir_ref_retain(&b->resource.ref);
    r->of = b;
    r->call = c;
    r->rows = rows;
    r->guid = (int64_t)(weir_random_bits() & INT64_MAX);
    r->in = WEIR_NEW_ARRAY(weir_tensor, b->options.in_count);
    for (int i = 0; i < b->options.in_count; i++)
        r->in[i] = weir_tensor_share(weir_in(c, i));
    return r;
}

/* ---- batches -----------------------------------------------------------------------------------
 */

static void run_batch(void *arg)
{
    weir_call_batch *b = arg;
    weir_mutex_lock(&b->of->lock);
    for (size_t k = 0; k < b->pieces.count; k++) {
        weir_call_batch_piece *p = &b->pieces.at[k];
        p->out = p->request->outs + p->number * b->of->options.out_count;
        if (p->request->call) {
            b->leader = p->request->call;
            b->leader_piece = k;
        }
    }
    if (b->leader)
        b->pieces.at[b->leader_piece].request->leading++;
    weir_mutex_unlock(&b->of->lock);
    if (b->leader)
        b->of->options.process(b);
    else
        weir_call_batch_done(b, weir_error(WEIR_CANCELLED, "Batched operation was cancelled"));
}

/* Gives closed batches to threads, as many as may run. */
static void dispatch(weir_batcher *b) WEIR_REQUIRES(b->lock)
{
    while (b->closed && b->running < b->options.threads) {
        weir_call_batch *first = b->closed;
        b->closed = first->next;
        if (!b->closed)
            b->last = &b->closed;
        b->running++;
        b->queued--;
        weir_pool_submit(weir_pool_shared(), run_batch, first);
    }
}

/* No more rows for the open batch. */
static void close_open(weir_batcher *b) WEIR_REQUIRES(b->lock)
{
    weir_call_batch *open = b->open;
    b->open = NULL;
    open->next = NULL;
    *b->last = open;
    b->last = &open->next;
    dispatch(b);
}

static void alarm_free(batch_alarm *a)
{
    weir_ref_release(&a->of->resource.ref);
    weir_free(a);
}

static void time_is_up(void *arg)
{
    batch_alarm *a = arg;
    weir_mutex_lock(&a->of->lock);
    if (a->of->open && a->of->open->number == a->number)
        close_open(a->of);
    weir_mutex_unlock(&a->of->lock);
    alarm_free(a);
}

static void open_batch(weir_batcher *b) WEIR_REQUIRES(b->lock)
{
    weir_call_batch *fresh = WEIR_NEW(weir_call_batch);
    batch_alarm *a = WEIR_NEW(batch_alarm);
    weir_ref_retain(&b->resource.ref); /* the batch's */
    weir_ref_retain(&b->resource.ref); /* the alarm's */
    *a = (batch_alarm){b, b->next_number};
    fresh->of = b;
    fresh->number = b->next_number++;
    fresh->alarm = a;
    fresh->timer = weir_timer_add(weir_now_ns() + b->options.timeout_us * 1000, time_is_up, a);
    b->open = fresh;
    b->queued++;
}

void weir_call_batch_done(weir_call_batch *b, weir_status s)
{
    weir_batcher *of = b->of;
    WEIR_VEC(weir_call_batch_request *) ready = {0};
    if (weir_timer_remove(b->timer))
        alarm_free(b->alarm);
    weir_mutex_lock(&of->lock);
    of->running--;
    dispatch(of);
    if (b->leader)
        b->pieces.at[b->leader_piece].request->leading--;
    for (size_t k = 0; k < b->pieces.count; k++) {
        weir_call_batch_request *r = b->pieces.at[k].request;
        if (s && !r->failed)
            r->failed = weir_status_copy(s);
        if (--r->left == 0)
            weir_vec_push(&ready, r);
    }
    weir_mutex_unlock(&of->lock);
    for (size_t k = 0; k < ready.count; k++)
        answer(ready.at[k]);
    weir_vec_fini(&ready);
    weir_vec_fini(&b->pieces);
    weir_free(b);
    weir_status_free(s);
    weir_ref_release(&of->resource.ref);
}

/* ---- handing in --------------------------------------------------------------------------------
 */

static weir_status check(const weir_batcher *b, const weir_call *c, int64_t *out_rows)
{
    const weir_call_batch_options *o = &b->options;
    if (c->site->out_count != o->out_count || c->site->in_count < o->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batching inputs must have equal number of edges");
    for (int i = 0; i < o->in_count; i++) {
        const weir_shape *s = &weir_in(c, i)->shape;
        if (s->rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Batching input tensors must have at least one dimension.\nInput %d "
                              "is a scalar",
                              i);
        if (s->dims[0] != weir_in(c, 0)->shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Batching input tensors supplied in a given op invocation must have "
                              "equal 0th-dimension size.\nInput 0 has shape %s, input %d has %s",
                              WEIR_SHAPE_STR(&weir_in(c, 0)->shape), i, WEIR_SHAPE_STR(s));
    }
    *out_rows = weir_in(c, 0)->shape.dims[0];
    if (*out_rows > o->max_rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Task size %" PRId64 " is larger than maximum input batch size %" PRId64,
                          *out_rows, o->max_rows);
    return WEIR_OK;
}

/* Nothing to compute: nothing is the result. */
static weir_status give_nothing(weir_call *c)
{
    weir_shape none = weir_shape_vector(0);
    for (int o = 0; o < c->site->out_count; o++)
        WEIR_TRY(weir_call_alloc(c, o, &none));
    return WEIR_OK;
}

/* How many of |rows| go into the open batch: all, or some of them when calls may be split. A batch
 * without room for them is closed and another opened. */
static int64_t room_for(weir_batcher *b, int64_t rows) WEIR_REQUIRES(b->lock)
{
    const weir_call_batch_options *o = &b->options;
    int64_t room = b->open ? o->batch_rows - b->open->rows : 0;
    if (b->open && rows > room && !o->split)
        close_open(b);
    if (!b->open) {
        open_batch(b);
        room = o->batch_rows;
    }
    return weir_min(rows, room);
}

/* Whether the batches that |rows| need from here on may wait too. */
static bool fits_queue(const weir_batcher *b, int64_t rows) WEIR_REQUIRES(b->lock)
{
    const weir_call_batch_options *o = &b->options;
    int64_t room = b->open ? o->batch_rows - b->open->rows : 0;
    int64_t beyond = rows > room ? (o->split ? rows - room : rows) : 0;
    return b->queued + weir_ceil_div(beyond, o->batch_rows) <= o->most_queued;
}

/* Distributes the rows of |r|. */
static void add_pieces(weir_batcher *b, weir_call_batch_request *r) WEIR_REQUIRES(b->lock)
{
    for (int64_t at = 0; at < r->rows; r->pieces++, r->left++) {
        int64_t rows = room_for(b, r->rows - at);
        weir_vec_push(&b->open->pieces, (weir_call_batch_piece){r, r->pieces, at, rows, NULL});
        b->open->rows += rows;
        at += rows;
        if (b->open->rows == b->options.batch_rows)
            close_open(b);
    }
    r->outs = WEIR_NEW_ARRAY(weir_tensor, r->pieces * b->options.out_count);
}

void weir_batcher_submit(weir_batcher *b, weir_call *c)
{
    int64_t rows;
    weir_status s = check(b, c, &rows);
    if (s || rows == 0) {
        weir_call_finish(c, s ? s : give_nothing(c));
        return;
    }
    weir_call_batch_request *r = request_make(b, c, rows);
    weir_mutex_lock(&b->lock);
    bool taken = fits_queue(b, rows);
    if (taken)
        add_pieces(b, r);
    bool watched = taken && watch(r);
    weir_mutex_unlock(&b->lock);
    if (!taken) {
        request_free(r);
        weir_call_finish(c, weir_error(WEIR_UNAVAILABLE,
                                       "The batch scheduling queue to which this task was "
                                       "submitted is full; currently %" PRId64 " batches wait",
                                       b->options.most_queued));
    } else if (!watched) {
        weir_call_finish(c, weir_error(WEIR_CANCELLED, "Batched operation was cancelled"));
    }
}
