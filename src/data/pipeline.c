/* data/pipeline.c - batches made ahead.
 *
 * Invariants (lock held):
 *  1. |first| .. are the batches being made, oldest first; only the newest may take more examples,
 *     and only while it is |open|.
 *  2. A batch leaves the list when it is the oldest, takes no more examples and all that it took
 *     are in it; then it is enqueued, so that batches come out in the order of their examples.
 *  3. |ahead| counts batches from their beginning until the caller has them.
 *  4. The queue is closed once, when no batch will ever follow.
 * The lock is taken before the queue's and before a waiter's, never after.
 */
#include "data/pipeline.h"

#include <pthread.h>

#include "base/arith.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "state/queue.h"

enum { GRAIN_BYTES = 64 << 10, MOST_GRAIN = 256 }; /* of examples that a thread takes at once */

typedef struct making {
    struct making *next;
    weir_batch batch;
    int64_t filled;      /* of batch.count places that were given to threads */
    weir_status failure; /* of the first example, in their order, that failed */
    int64_t failed_at;
} making;

struct weir_pipeline {
    weir_pipeline_spec spec;
    int64_t grain;
    int thread_count;
    pthread_t *threads;
    weir_queue *ready;
    weir_scratch scratch; /* of the caller, when there are no threads */
    weir_item item;
    weir_mutex lock;
    weir_cond changed; /* there may be more to do, or nothing any more */
    making *first WEIR_GUARDED_BY(lock);
    making **last WEIR_GUARDED_BY(lock);
    making *open WEIR_GUARDED_BY(lock);
    int ahead WEIR_GUARDED_BY(lock);
    bool stopping WEIR_GUARDED_BY(lock);
    bool ended WEIR_GUARDED_BY(lock);
    bool closed WEIR_GUARDED_BY(lock);
    weir_status failure WEIR_GUARDED_BY(lock); /* why the queue was closed, when not at the end */
};

/* ---- examples -------------------------------------------------------------------------------- */

static weir_status put_where(weir_status s, const weir_source *source, const weir_item *item)
{
    WEIR_BUF(where);
    source->class->where(source, item, &where);
    s = weir_status_prefix(s, "%s; ", where.at);
    return s;
}

/* |place| is that in the batch; threads write to different ones. */
static weir_status make_example(const weir_pipeline_spec *spec, const weir_item *item,
                                weir_scratch *scratch, weir_batch *b, int64_t place)
{
    weir_example e;
    weir_status s = spec->source->class->fetch(spec->source, item, scratch, &e);
    if (!s)
        s = weir_fit_run(spec->fit, &e, item, scratch, &b->x, b->y.buffer ? &b->y : NULL, place);
    return s ? put_where(s, spec->source, item) : WEIR_OK;
}

static bool is_dropped(const weir_pipeline *p, const weir_batch *b)
{
    return b->count == 0 || (p->spec.whole_batches && b->count < p->spec.batch);
}

/* ---- without threads ------------------------------------------------------------------------- */

static weir_status fill(weir_pipeline *p, weir_batch *b)
{
    bool end = false;
    for (; b->count < p->spec.batch; b->count++) {
        WEIR_TRY(weir_order_next(p->spec.order, &p->item, &end));
        if (end)
            return WEIR_OK;
        WEIR_TRY(make_example(&p->spec, &p->item, &p->scratch, b, b->count));
    }
    return WEIR_OK;
}

static weir_status make_now(weir_pipeline *p, weir_batch *out_batch)
{
    weir_batch b;
    WEIR_TRY(weir_batch_alloc(p->spec.fit, p->spec.batch, &b));
    weir_status s = fill(p, &b);
    if (s || is_dropped(p, &b))
        weir_batch_release(&b);
    else
        *out_batch = b;
    return s;
}

/* ---- threads: taking work -------------------------------------------------------------------- */

/* Examples that a thread has taken: places |place| .. of a batch. */
typedef struct work {
    making *into;
    int64_t place, count;
    weir_item *items; /* p->grain of them */
    weir_scratch scratch;
} work;

static void fail_batch(making *m, int64_t place, weir_status s)
{
    if (m->failure && m->failed_at <= place) {
        weir_status_free(s);
        return;
    }
    weir_status_free(m->failure);
    m->failure = s;
    m->failed_at = place;
}

static void begin_batch(weir_pipeline *p) WEIR_REQUIRES(p->lock)
{
    making *m = WEIR_NEW(making);
    weir_status s = weir_batch_alloc(p->spec.fit, p->spec.batch, &m->batch);
    *p->last = m;
    p->last = &m->next;
    p->open = m;
    p->ahead++;
    if (s)
        fail_batch(m, 0, s);
}

/* Draws the next examples into |w|. The batch takes no more after its last, at the end, and after a
 * failure, which also ends the sequence. */
static void draw(weir_pipeline *p, work *w) WEIR_REQUIRES(p->lock)
{
    making *m = p->open;
    *w = (work){.into = m, .place = m->batch.count, .items = w->items, .scratch = w->scratch};
    weir_status s = WEIR_OK;
    bool end = m->failure != NULL;
    while (!end && !s && w->count < p->grain && m->batch.count < p->spec.batch) {
        s = weir_order_next(p->spec.order, &w->items[w->count], &end);
        if (!s && !end) {
            w->count++;
            m->batch.count++;
        }
    }
    if (s)
        fail_batch(m, m->batch.count, s);
    p->ended = p->ended || end || m->failure;
    if (p->ended || m->batch.count == p->spec.batch)
        p->open = NULL;
}

/* Waits for something to do; false when there is nothing any more. */
static bool take_work(weir_pipeline *p, work *w) WEIR_REQUIRES(p->lock)
{
    for (;;) {
        if (p->stopping || p->ended)
            return false;
        if (!p->open && p->ahead > p->spec.prefetch) {
            weir_cond_wait(&p->changed, &p->lock);
            continue;
        }
        if (!p->open)
            begin_batch(p);
        draw(p, w);
        return true;
    }
}

/* ---- threads: giving batches away ------------------------------------------------------------ */

static void ignore(void *arg, weir_status s, weir_tensor *tuple)
{
    weir_status_free(s); /* a closed queue takes nothing: nobody asks any more */
}

static void close_queue(weir_pipeline *p) WEIR_REQUIRES(p->lock)
{
    if (!p->closed)
        weir_queue_close(p->ready, false, ignore, NULL);
    p->closed = true;
}

static void show_count(weir_batch *b)
{
    b->x.shape.dims[0] = b->count;
    if (b->y.buffer)
        b->y.shape.dims[0] = b->count;
}

static void give_oldest(weir_pipeline *p) WEIR_REQUIRES(p->lock)
{
    making *m = p->first;
    p->first = m->next;
    if (!p->first)
        p->last = &p->first;
    if (m->failure && !p->failure) {
        p->failure = WEIR_TAKE(m->failure);
        p->ended = true;
        close_queue(p);
    } else if (!p->closed && !is_dropped(p, &m->batch)) {
        show_count(&m->batch);
        weir_tensor tuple[2] = {m->batch.x, m->batch.y};
        weir_queue_enqueue(p->ready, tuple, NULL, ignore, NULL);
    }
    weir_batch_release(&m->batch);
    weir_status_free(m->failure);
    weir_free(m);
}

static void give_finished(weir_pipeline *p) WEIR_REQUIRES(p->lock)
{
    while (p->first && p->first != p->open && p->first->filled == p->first->batch.count)
        give_oldest(p);
    if (p->ended && !p->first)
        close_queue(p);
    weir_cond_broadcast(&p->changed);
}

/* Fills its places; what failed is told to the batch, which stays until they are filled. */
static void do_work(weir_pipeline *p, work *w) WEIR_REQUIRES(p->lock)
{
    if (w->count == 0)
        return;
    weir_status s = WEIR_OK;
    int64_t i = 0;
    weir_mutex_unlock(&p->lock);
    for (; i < w->count && !s; i++)
        s = make_example(&p->spec, &w->items[i], &w->scratch, &w->into->batch, w->place + i);
    weir_mutex_lock(&p->lock);
    w->into->filled += w->count;
    if (s) {
        fail_batch(w->into, w->place + i - 1, s);
        if (p->open == w->into)
            p->open = NULL;
        p->ended = true;
    }
}

static void *run(void *arg)
{
    weir_pipeline *p = arg;
    work w = {.items = WEIR_NEW_ARRAY(weir_item, p->grain)};
    weir_mutex_lock(&p->lock);
    while (take_work(p, &w)) {
        do_work(p, &w);
        give_finished(p);
    }
    weir_mutex_unlock(&p->lock);
    for (int64_t i = 0; i < p->grain; i++)
        weir_buf_fini(&w.items[i].bytes);
    weir_free(w.items);
    weir_scratch_fini(&w.scratch);
    return NULL;
}

/* ---- the caller ------------------------------------------------------------------------------ */

typedef struct waiter {
    weir_mutex lock;
    weir_cond woken;
    int count; /* tensors of a batch */
    bool done WEIR_GUARDED_BY(lock);
    weir_status status; /* written before |done|, and read after it */
    weir_tensor tuple[2];
} waiter;

static void wake(void *arg, weir_status s, weir_tensor *tuple)
{
    waiter *w = arg;
    weir_mutex_lock(&w->lock);
    w->status = s;
    for (int i = 0; tuple && i < w->count; i++)
        w->tuple[i] = tuple[i];
    w->done = true;
    weir_cond_signal(&w->woken);
    weir_mutex_unlock(&w->lock);
}

static weir_status dequeue(weir_queue *q, weir_tensor out_tuple[2])
{
    waiter w = {
        .lock = WEIR_MUTEX_INIT, .woken = WEIR_COND_INIT, .count = weir_queue_components(q)};
    weir_queue_dequeue(q, NULL, wake, &w);
    weir_mutex_lock(&w.lock);
    while (!w.done)
        weir_cond_wait(&w.woken, &w.lock);
    weir_mutex_unlock(&w.lock);
    memcpy(out_tuple, w.tuple, sizeof w.tuple);
    return w.status;
}

/* Nothing is left in the queue: why. */
static weir_status why_ended(weir_pipeline *p, weir_status closed)
{
    weir_mutex_lock(&p->lock);
    weir_status s = weir_status_copy(p->failure);
    weir_mutex_unlock(&p->lock);
    weir_status_free(closed);
    return s;
}

weir_status weir_pipeline_next(weir_pipeline *p, weir_batch *out_batch)
{
    *out_batch = (weir_batch){0};
    if (p->thread_count == 0)
        return make_now(p, out_batch);
    weir_tensor tuple[2] = {0};
    weir_status s = dequeue(p->ready, tuple);
    if (s)
        return why_ended(p, s);
    weir_mutex_lock(&p->lock);
    p->ahead--;
    weir_cond_broadcast(&p->changed);
    weir_mutex_unlock(&p->lock);
    *out_batch = (weir_batch){tuple[0], tuple[1], tuple[0].shape.dims[0]};
    return WEIR_OK;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int64_t grain_of(const weir_pipeline_spec *spec)
{
    if (!spec->source->in_memory)
        return 1;
    int64_t bytes = spec->fit->count * (int64_t)sizeof(float);
    return weir_clamp(GRAIN_BYTES / bytes, 1, MOST_GRAIN);
}

/* Unchecked: no other thread has the pipeline before its own are started. */
weir_pipeline *weir_pipeline_create(const weir_pipeline_spec *spec) WEIR_UNCHECKED_LOCKING
{
    weir_pipeline *p = WEIR_NEW(weir_pipeline);
    weir_dtype dtypes[2] = {spec->fit->type, spec->fit->label_type};
    p->spec = *spec;
    p->grain = grain_of(spec);
    p->last = &p->first;
    weir_mutex_init(&p->lock);
    weir_cond_init(&p->changed);
    p->ready = weir_queue_create(&(weir_queue_spec){.kind = WEIR_QUEUE_FIFO,
                                                    .name = "weir_data",
                                                    .count = spec->fit->label_type ? 2 : 1,
                                                    .dtypes = dtypes,
                                                    .capacity = -1}); /* |ahead| bounds it */
    p->threads = WEIR_NEW_ARRAY(pthread_t, spec->threads);
    while (p->thread_count < spec->threads &&
           pthread_create(&p->threads[p->thread_count], NULL, run, p) == 0)
        p->thread_count++; /* fewer, or none, when the system has no more */
    return p;
}

static void drop_batches(weir_pipeline *p)
{
    weir_mutex_lock(&p->lock);
    p->open = NULL;
    while (p->first) {
        close_queue(p);
        give_oldest(p);
    }
    weir_status_free(p->failure);
    weir_mutex_unlock(&p->lock);
}

void weir_pipeline_destroy(weir_pipeline *p)
{
    if (!p)
        return;
    weir_mutex_lock(&p->lock);
    p->stopping = true;
    weir_cond_broadcast(&p->changed);
    weir_mutex_unlock(&p->lock);
    for (int i = 0; i < p->thread_count; i++)
        pthread_join(p->threads[i], NULL);
    drop_batches(p);
    weir_queue_release(p->ready);
    weir_scratch_fini(&p->scratch);
    weir_buf_fini(&p->item.bytes);
    weir_free(p->threads);
    weir_mutex_fini(&p->lock);
    weir_cond_fini(&p->changed);
    weir_free(p);
}
