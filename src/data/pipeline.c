/* data/pipeline.c - prefetched batches.
 *
 * Invariants (lock held): 1. |first| .. are the batches under construction, oldest first; only the
 * newest may take more examples,
 *     and only while it is |open|.
 * 2. A batch leaves the list when it is the oldest, takes no more examples and all of its examples
 *     are in it; then it is enqueued, so that batches come out in the order of their examples.
 * 3. |ahead| counts batches from their creation until the caller has them. 4. The queue is closed
 * once, when no further batch follows. Lock order: this lock before the queue's and before a
 * waiter's.
 */
#include "data/pipeline.h"

#include <pthread.h>

#include "base/arith.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "state/queue.h"

enum { GRAIN_BYTES = 64 << 10, MOST_GRAIN = 256 }; /* examples per job of a thread */

typedef struct making {
    struct making *next;
    weir_batch batch;
    int64_t filled;      /* slots assigned to threads */
    weir_status failure; /* of the first failed example, in sequence order */
    int64_t failed_at;
} making;

struct weir_pipeline {
    weir_pipeline_spec spec;
    int64_t grain;
    int thread_count;
    pthread_t *threads;
    weir_queue *ready;
    weir_scratch scratch; /* for the caller, if there are no threads */
    weir_item item;
    weir_mutex lock;
    weir_cond changed; /* signals new work, or the end */
    making *first WEIR_GUARDED_BY(lock);
    making **last WEIR_GUARDED_BY(lock);
    making *open WEIR_GUARDED_BY(lock);
    int ahead WEIR_GUARDED_BY(lock);
    bool stopping WEIR_GUARDED_BY(lock);
    bool ended WEIR_GUARDED_BY(lock);
    bool closed WEIR_GUARDED_BY(lock);
    weir_status failure WEIR_GUARDED_BY(lock); /* why the queue was closed, unless at the end */
};

/* ---- examples -------------------------------------------------------------------------------- */

static weir_status put_where(weir_status status, const weir_source *source, const weir_item *item)
{
    WEIR_BUF(where);
    source->class->where(source, item, &where);
    status = weir_status_prefix(status, "%s; ", where.at);
    return status;
}

/* |place| is the slot in the batch; threads write to distinct ones. */
static weir_status make_example(const weir_pipeline_spec *spec, const weir_item *item,
                                weir_scratch *scratch, weir_batch *batch, int64_t place)
{
    weir_example example;
    weir_status status = spec->source->class->fetch(spec->source, item, scratch, &example);
    if (!status)
        status = weir_fit_run(spec->fit, &example, item, scratch, &batch->x,
                              batch->y.buffer ? &batch->y : NULL, place);
    return status ? put_where(status, spec->source, item) : WEIR_OK;
}

static bool is_dropped(const weir_pipeline *pipeline, const weir_batch *batch)
{
    return batch->count == 0 ||
           (pipeline->spec.whole_batches && batch->count < pipeline->spec.batch);
}

/* ---- without threads ------------------------------------------------------------------------- */

static weir_status fill(weir_pipeline *pipeline, weir_batch *batch)
{
    bool end = false;
    for (; batch->count < pipeline->spec.batch; batch->count++) {
        WEIR_TRY(weir_order_next(pipeline->spec.order, &pipeline->item, &end));
        if (end)
            return WEIR_OK;
        WEIR_TRY(make_example(&pipeline->spec, &pipeline->item, &pipeline->scratch, batch,
                              batch->count));
    }
    return WEIR_OK;
}

static weir_status make_now(weir_pipeline *pipeline, weir_batch *out_batch)
{
    weir_batch batch;
    WEIR_TRY(weir_batch_alloc(pipeline->spec.fit, pipeline->spec.batch, &batch));
    weir_status status = fill(pipeline, &batch);
    if (status || is_dropped(pipeline, &batch))
        weir_batch_release(&batch);
    else
        *out_batch = batch;
    return status;
}

/* ---- threads: taking work -------------------------------------------------------------------- */

/* Examples assigned to a thread: slots |place| .. of a batch. */
typedef struct work {
    making *into;
    int64_t place, count;
    weir_item *items; /* pipeline->grain of them */
    weir_scratch scratch;
} work;

static void fail_batch(making *making, int64_t place, weir_status status)
{
    if (making->failure && making->failed_at <= place) {
        weir_status_free(status);
        return;
    }
    weir_status_free(making->failure);
    making->failure = status;
    making->failed_at = place;
}

static void begin_batch(weir_pipeline *pipeline) WEIR_REQUIRES(pipeline->lock)
{
    making *new_making = WEIR_NEW(making);
    weir_status status =
        weir_batch_alloc(pipeline->spec.fit, pipeline->spec.batch, &new_making->batch);
    *pipeline->last = new_making;
    pipeline->last = &new_making->next;
    pipeline->open = new_making;
    pipeline->ahead++;
    if (status)
        fail_batch(new_making, 0, status);
}

/* Draws the next examples into |out_work|. Closes the batch when it is full, at the end, and after
 * a failure, which also ends the sequence. */
static void draw(weir_pipeline *pipeline, work *out_work) WEIR_REQUIRES(pipeline->lock)
{
    making *making = pipeline->open;
    *out_work = (work){.into = making,
                       .place = making->batch.count,
                       .items = out_work->items,
                       .scratch = out_work->scratch};
    weir_status status = WEIR_OK;
    bool end = making->failure != NULL;
    while (!end && !status && out_work->count < pipeline->grain &&
           making->batch.count < pipeline->spec.batch) {
        status = weir_order_next(pipeline->spec.order, &out_work->items[out_work->count], &end);
        if (!status && !end) {
            out_work->count++;
            making->batch.count++;
        }
    }
    if (status)
        fail_batch(making, making->batch.count, status);
    pipeline->ended = pipeline->ended || end || making->failure;
    if (pipeline->ended || making->batch.count == pipeline->spec.batch)
        pipeline->open = NULL;
}

/* Waits for work; false if there is none left. */
static bool take_work(weir_pipeline *pipeline, work *work) WEIR_REQUIRES(pipeline->lock)
{
    for (;;) {
        if (pipeline->stopping || pipeline->ended)
            return false;
        if (!pipeline->open && pipeline->ahead > pipeline->spec.prefetch) {
            weir_cond_wait(&pipeline->changed, &pipeline->lock);
            continue;
        }
        if (!pipeline->open)
            begin_batch(pipeline);
        draw(pipeline, work);
        return true;
    }
}

/* ---- threads: delivering batches ------------------------------------------------------------- */

static void ignore(void *arg, weir_status status, weir_tensor *tuple)
{
    weir_status_free(status); /* a closed queue accepts nothing, and has no reader */
}

static void close_queue(weir_pipeline *pipeline) WEIR_REQUIRES(pipeline->lock)
{
    if (!pipeline->closed)
        weir_queue_close(pipeline->ready, false, ignore, NULL);
    pipeline->closed = true;
}

static void show_count(weir_batch *batch)
{
    batch->x.shape.dims[0] = batch->count;
    if (batch->y.buffer)
        batch->y.shape.dims[0] = batch->count;
}

static void give_oldest(weir_pipeline *pipeline) WEIR_REQUIRES(pipeline->lock)
{
    making *making = pipeline->first;
    pipeline->first = making->next;
    if (!pipeline->first)
        pipeline->last = &pipeline->first;
    if (making->failure && !pipeline->failure) {
        pipeline->failure = WEIR_TAKE(making->failure);
        pipeline->ended = true;
        close_queue(pipeline);
    } else if (!pipeline->closed && !is_dropped(pipeline, &making->batch)) {
        show_count(&making->batch);
        weir_tensor tuple[2] = {making->batch.x, making->batch.y};
        weir_queue_enqueue(pipeline->ready, tuple, NULL, ignore, NULL);
    }
    weir_batch_release(&making->batch);
    weir_status_free(making->failure);
    weir_free(making);
}

static void give_finished(weir_pipeline *pipeline) WEIR_REQUIRES(pipeline->lock)
{
    while (pipeline->first && pipeline->first != pipeline->open &&
           pipeline->first->filled == pipeline->first->batch.count)
        give_oldest(pipeline);
    if (pipeline->ended && !pipeline->first)
        close_queue(pipeline);
    weir_cond_broadcast(&pipeline->changed);
}

/* Fills its slots; a failure is recorded in the batch, which stays until its slots are filled. */
static void do_work(weir_pipeline *pipeline, work *work) WEIR_REQUIRES(pipeline->lock)
{
    if (work->count == 0)
        return;
    weir_status status = WEIR_OK;
    int64_t i = 0;
    weir_mutex_unlock(&pipeline->lock);
    for (; i < work->count && !status; i++)
        status = make_example(&pipeline->spec, &work->items[i], &work->scratch, &work->into->batch,
                              work->place + i);
    weir_mutex_lock(&pipeline->lock);
    work->into->filled += work->count;
    if (status) {
        fail_batch(work->into, work->place + i - 1, status);
        if (pipeline->open == work->into)
            pipeline->open = NULL;
        pipeline->ended = true;
    }
}

static void *run(void *arg)
{
    weir_pipeline *pipeline = arg;
    work work = {.items = WEIR_NEW_ARRAY(weir_item, pipeline->grain)};
    weir_mutex_lock(&pipeline->lock);
    while (take_work(pipeline, &work)) {
        do_work(pipeline, &work);
        give_finished(pipeline);
    }
    weir_mutex_unlock(&pipeline->lock);
    for (int64_t i = 0; i < pipeline->grain; i++)
        weir_buf_fini(&work.items[i].bytes);
    weir_free(work.items);
    weir_scratch_fini(&work.scratch);
    return NULL;
}

/* ---- the caller ------------------------------------------------------------------------------ */

typedef struct waiter {
    weir_mutex lock;
    weir_cond woken;
    int count; /* tensors of a batch */
    bool done WEIR_GUARDED_BY(lock);
    weir_status status; /* written before |done| is set, and read after it */
    weir_tensor tuple[2];
} waiter;

static void wake(void *arg, weir_status status, weir_tensor *tuple)
{
    waiter *waiter = arg;
    weir_mutex_lock(&waiter->lock);
    waiter->status = status;
    for (int i = 0; tuple && i < waiter->count; i++)
        waiter->tuple[i] = tuple[i];
    waiter->done = true;
    weir_cond_signal(&waiter->woken);
    weir_mutex_unlock(&waiter->lock);
}

static weir_status dequeue(weir_queue *queue, weir_tensor out_tuple[2])
{
    waiter waiter = {
        .lock = WEIR_MUTEX_INIT, .woken = WEIR_COND_INIT, .count = weir_queue_components(queue)};
    weir_queue_dequeue(queue, NULL, wake, &waiter);
    weir_mutex_lock(&waiter.lock);
    while (!waiter.done)
        weir_cond_wait(&waiter.woken, &waiter.lock);
    weir_mutex_unlock(&waiter.lock);
    memcpy(out_tuple, waiter.tuple, sizeof waiter.tuple);
    return waiter.status;
}

/* The queue is empty: returns the reason. */
static weir_status why_ended(weir_pipeline *pipeline, weir_status closed)
{
    weir_mutex_lock(&pipeline->lock);
    weir_status status = weir_status_copy(pipeline->failure);
    weir_mutex_unlock(&pipeline->lock);
    weir_status_free(closed);
    return status;
}

weir_status weir_pipeline_next(weir_pipeline *pipeline, weir_batch *out_batch)
{
    *out_batch = (weir_batch){0};
    if (pipeline->thread_count == 0)
        return make_now(pipeline, out_batch);
    weir_tensor tuple[2] = {0};
    weir_status status = dequeue(pipeline->ready, tuple);
    if (status)
        return why_ended(pipeline, status);
    weir_mutex_lock(&pipeline->lock);
    pipeline->ahead--;
    weir_cond_broadcast(&pipeline->changed);
    weir_mutex_unlock(&pipeline->lock);
    *out_batch = (weir_batch){tuple[0], tuple[1], tuple[0].shape.dims[0]};
    return WEIR_OK;
}

/* ---- lifetime -------------------------------------------------------------------------------- */

static int64_t grain_of(const weir_pipeline_spec *spec)
{
    if (!spec->source->in_memory)
        return 1;
    int64_t bytes = spec->fit->count * (int64_t)sizeof(float);
    return weir_clamp(GRAIN_BYTES / bytes, 1, MOST_GRAIN);
}

/* Unchecked: no other thread has access before its own are started. */
weir_pipeline *weir_pipeline_create(const weir_pipeline_spec *spec) WEIR_UNCHECKED_LOCKING
{
    weir_pipeline *pipeline = WEIR_NEW(weir_pipeline);
    weir_dtype dtypes[2] = {spec->fit->type, spec->fit->label_type};
    pipeline->spec = *spec;
    pipeline->grain = grain_of(spec);
    pipeline->last = &pipeline->first;
    weir_mutex_init(&pipeline->lock);
    weir_cond_init(&pipeline->changed);
    pipeline->ready = weir_queue_create(&(weir_queue_spec){.kind = WEIR_QUEUE_FIFO,
                                                           .name = "weir_data",
                                                           .count = spec->fit->label_type ? 2 : 1,
                                                           .dtypes = dtypes,
                                                           .capacity = -1}); /* |ahead| bounds it */
    pipeline->threads = WEIR_NEW_ARRAY(pthread_t, spec->threads);
    while (pipeline->thread_count < spec->threads &&
           pthread_create(&pipeline->threads[pipeline->thread_count], NULL, run, pipeline) == 0)
        pipeline->thread_count++; /* fewer, or none, if the system cannot create more */
    return pipeline;
}

static void drop_batches(weir_pipeline *pipeline)
{
    weir_mutex_lock(&pipeline->lock);
    pipeline->open = NULL;
    while (pipeline->first) {
        close_queue(pipeline);
        give_oldest(pipeline);
    }
    weir_status_free(pipeline->failure);
    weir_mutex_unlock(&pipeline->lock);
}

void weir_pipeline_destroy(weir_pipeline *pipeline)
{
    if (!pipeline)
        return;
    weir_mutex_lock(&pipeline->lock);
    pipeline->stopping = true;
    weir_cond_broadcast(&pipeline->changed);
    weir_mutex_unlock(&pipeline->lock);
    for (int i = 0; i < pipeline->thread_count; i++)
        pthread_join(pipeline->threads[i], NULL);
    drop_batches(pipeline);
    weir_queue_release(pipeline->ready);
    weir_scratch_fini(&pipeline->scratch);
    weir_buf_fini(&pipeline->item.bytes);
    weir_free(pipeline->threads);
    weir_mutex_fini(&pipeline->lock);
    weir_cond_fini(&pipeline->changed);
    weir_free(pipeline);
}
