/* state/queue.c - operations on a queue: served in order, or kept pending.
 *
 * Invariants (lock held):
 *  1. Only the first of the enqueues and the first of the dequeues may move tuples.
 *  2. An attempt in a list is not finished. The thread that removes it from its list finishes it,
 *     once.
 *  3. A cancellation callback looks for its attempt in the lists; if it is not there, another
 *     thread finishes or has finished it. Finishing removes the callback before the attempt is
 *     freed, so the callback's argument stays valid.
 */
#include "state/queue_impl.h"

#include <inttypes.h>

const weir_resource_type weir_queue_type = {"N10tensorflow14QueueInterfaceE", "queue"};

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy(weir_ref *ref)
{
    weir_queue *queue = (weir_queue *)ref;
    while (queue->item_count)
        weir_queue_item_destroy(queue, weir_queue_pop(queue));
    weir_free(queue->items);
    weir_free(queue->name);
    weir_free(queue->dtypes);
    weir_free(queue->shapes);
    weir_free(queue->random_arg);
    weir_mutex_fini(&queue->lock);
    weir_free(queue);
}

static void list_init(weir_attempt_list *list)
{
    list->first = NULL;
    list->last = &list->first;
}

static int64_t real_capacity(int64_t wanted)
{
    return wanted < 0 ? INT32_MAX : wanted;
}

weir_queue *weir_queue_create(const weir_queue_spec *spec)
{
    weir_queue *queue = WEIR_NEW(weir_queue);
    weir_ref_init(&queue->base.ref, destroy);
    queue->base.type = &weir_queue_type;
    queue->kind = spec->kind;
    queue->name = weir_strdup(spec->name);
    queue->count = spec->count;
    queue->dtypes = WEIR_NEW_ARRAY(weir_dtype, spec->count + 1);
    memcpy(queue->dtypes, spec->dtypes, sizeof *queue->dtypes * (size_t)spec->count);
    if (spec->shapes) {
        queue->shapes = WEIR_NEW_ARRAY(weir_shape, spec->count + 1);
        memcpy(queue->shapes, spec->shapes, sizeof *queue->shapes * (size_t)spec->count);
    }
    queue->capacity = real_capacity(spec->capacity);
    queue->min_after_dequeue = spec->min_after_dequeue;
    queue->random = spec->random;
    queue->random_arg = spec->random_arg;
    weir_mutex_init(&queue->lock);
    list_init(&queue->enqueues);
    list_init(&queue->dequeues);
    return queue;
}

static const char *kind_name(weir_queue_kind kind)
{
    static const char *const names[] = {"FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue",
                                        "PriorityQueue"};
    return names[kind];
}

static void types_text(weir_buf *out, const weir_dtype *dtypes, int count)
{
    for (int k = 0; k < count; k++)
        weir_buf_addf(out, "%s%s", k ? ", " : "", weir_dtype_name(dtypes[k]));
}

static void shapes_text(weir_buf *out, const weir_shape *shapes, int count)
{
    weir_buf_addc(out, '[');
    for (int k = 0; shapes && k < count; k++)
        weir_buf_addf(out, "%s%s", k ? ", " : "", WEIR_SHAPE_STR(&shapes[k]));
    weir_buf_addc(out, ']');
}

/* "Shared queue 'q' has <what> <mine> but requested <what> were <wanted>". */
static weir_status mismatch(const weir_queue *queue, const char *what, const weir_buf *mine,
                            const weir_buf *wanted)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Shared queue '%s' has %s %s but requested %s were %s",
                      queue->name, what, mine->at, what, wanted->at);
}

static bool same_shapes(const weir_queue *queue, const weir_queue_spec *spec)
{
    if (!queue->shapes != !spec->shapes)
        return false;
    for (int k = 0; queue->shapes && k < queue->count; k++)
        if (!weir_shape_eq(&queue->shapes[k], &spec->shapes[k]))
            return false;
    return true;
}

weir_status weir_queue_matches(const weir_queue *queue, const weir_queue_spec *spec, const char *op)
{
    WEIR_BUF(mine);
    WEIR_BUF(wanted);
    if (queue->kind != spec->kind)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %s, found %s", kind_name(queue->kind),
                          op);
    if (queue->capacity != real_capacity(spec->capacity))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shared queue '%s' has capacity %" PRId64
                          " but requested capacity was %" PRId64,
                          queue->name, queue->capacity, spec->capacity);
    if (queue->min_after_dequeue != spec->min_after_dequeue)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shared queue '%s' has min_after_dequeue %" PRId64
                          " but requested min_after_dequeue was %" PRId64 ".",
                          queue->name, queue->min_after_dequeue, spec->min_after_dequeue);
    if (queue->count != spec->count ||
        memcmp(queue->dtypes, spec->dtypes, sizeof *queue->dtypes * (size_t)queue->count) != 0) {
        types_text(&mine, queue->dtypes, queue->count);
        types_text(&wanted, spec->dtypes, spec->count);
        return mismatch(queue, "component types", &mine, &wanted);
    }
    if (!same_shapes(queue, spec)) {
        shapes_text(&mine, queue->shapes, queue->count);
        shapes_text(&wanted, spec->shapes, spec->count);
        return mismatch(queue, "component shapes", &mine, &wanted);
    }
    return WEIR_OK;
}

int weir_queue_components(const weir_queue *queue)
{
    return queue->count;
}

weir_dtype weir_queue_dtype(const weir_queue *queue, int component)
{
    return queue->dtypes[component];
}

int64_t weir_queue_size(weir_queue *queue)
{
    weir_mutex_lock(&queue->lock);
    int64_t size = (int64_t)queue->item_count;
    weir_mutex_unlock(&queue->lock);
    return size;
}

int64_t weir_queue_capacity(const weir_queue *queue)
{
    return queue->capacity;
}

bool weir_queue_closed(weir_queue *queue)
{
    weir_mutex_lock(&queue->lock);
    bool closed = queue->closed;
    weir_mutex_unlock(&queue->lock);
    return closed;
}

/* ---- attempts -------------------------------------------------------------------------------- */

static weir_queue_attempt *attempt_create(weir_queue *queue, weir_attempt_kind kind,
                                          weir_queue_done done, void *arg)
{
    weir_queue_attempt *attempt = WEIR_NEW(weir_queue_attempt);
    weir_ref_retain(&queue->base.ref);
    attempt->queue = queue;
    attempt->kind = kind;
    attempt->left = 1;
    attempt->done = done;
    attempt->arg = arg;
    return attempt;
}

static void keep_tuple(weir_queue_attempt *attempt, const weir_tensor *tuple)
{
    attempt->tuple = WEIR_NEW_ARRAY(weir_tensor, attempt->queue->count + 1);
    for (int k = 0; k < attempt->queue->count; k++)
        attempt->tuple[k] = weir_tensor_share(&tuple[k]);
}

static void attempt_destroy(weir_queue_attempt *attempt)
{
    weir_queue *queue = attempt->queue;
    for (int k = 0; attempt->tuple && k < queue->count; k++)
        weir_tensor_release(&attempt->tuple[k]);
    weir_free(attempt->tuple);
    for (size_t i = 0; i < attempt->taken.count; i++)
        weir_queue_item_destroy(queue, attempt->taken.at[i]);
    weir_vec_fini(&attempt->taken);
    weir_cancel_release(attempt->cancel);
    weir_free(attempt);
    weir_queue_release(queue);
}

/* Calls back with the dequeued tuples. */
static void deliver(weir_queue_attempt *attempt)
{
    weir_queue *queue = attempt->queue;
    weir_tensor *tuple = NULL;
    if (!attempt->status && attempt->kind == WEIR_DEQUEUE) {
        tuple = WEIR_NEW_ARRAY(weir_tensor, queue->count + 1);
        if (attempt->many)
            attempt->status =
                weir_queue_stack(queue, attempt->taken.at, (int64_t)attempt->taken.count, tuple);
        for (int k = 0; !attempt->many && k < queue->count; k++) {
            tuple[k] = attempt->taken.at[0]->tuple[k];
            attempt->taken.at[0]->tuple[k] = (weir_tensor){0};
        }
    }
    attempt->done(attempt->arg, attempt->status, attempt->status ? NULL : tuple);
    weir_free(tuple);
}

/* Ends an attempt that is in no list. Outside the lock. */
static void finish(weir_queue_attempt *attempt)
{
    if (attempt->token)
        weir_cancel_remove(attempt->cancel, attempt->token);
    deliver(attempt);
    attempt_destroy(attempt);
}

static void append(weir_attempt_list *list, weir_queue_attempt *attempt)
{
    attempt->next = NULL;
    *list->last = attempt;
    list->last = &attempt->next;
}

static weir_queue_attempt *take_first(weir_attempt_list *list)
{
    weir_queue_attempt *attempt = list->first;
    list->first = attempt->next;
    if (!list->first)
        list->last = &list->first;
    attempt->next = NULL;
    return attempt;
}

/* Removes |attempt| from the list; false if it is not there. */
static bool take(weir_attempt_list *list, weir_queue_attempt *attempt)
{
    for (weir_queue_attempt **p = &list->first; *p; p = &(*p)->next)
        if (*p == attempt) {
            *p = attempt->next;
            if (list->last == &attempt->next)
                list->last = p;
            attempt->next = NULL;
            return true;
        }
    return false;
}

/* ---- moving tuples; the lock is held --------------------------------------------------------- */

typedef enum progress { NONE, SOME, COMPLETE } progress;

static weir_status next_given(weir_queue_attempt *attempt, weir_queue_item **out_item)
{
    weir_queue *queue = attempt->queue;
    weir_queue_item *item;
    WEIR_TRY(weir_queue_item_create(queue, &item));
    for (int k = 0; k < queue->count; k++) {
        weir_tensor *tensor = &attempt->tuple[k];
        if (!attempt->many) {
            item->tuple[k] = weir_tensor_share(tensor);
            continue;
        }
        weir_shape row = weir_infer_sub(&tensor->shape, 1, WEIR_MAX_RANK);
        item->tuple[k] = weir_tensor_slice(tensor, attempt->row * weir_shape_count(&row), &row);
    }
    attempt->row++;
    *out_item = item;
    return WEIR_OK;
}

/* A shuffled row may outlive its batch: it gets a buffer of its own. */
static weir_status own_buffers(const weir_queue *queue, weir_queue_item *item)
{
    for (int k = 0; k < queue->count; k++) {
        weir_tensor copy;
        WEIR_TRY(weir_tensor_clone(&item->tuple[k], &copy));
        weir_tensor_release(&item->tuple[k]);
        item->tuple[k] = copy;
    }
    return WEIR_OK;
}

/* Padding queues call themselves FIFOQueue where they behave like one. */
static const char *said_name(const weir_queue *queue, bool many)
{
    return kind_name(queue->kind == WEIR_QUEUE_PADDING && !many ? WEIR_QUEUE_FIFO : queue->kind);
}

static progress try_enqueue(weir_queue_attempt *attempt)
{
    weir_queue *queue = attempt->queue;
    if (queue->closed) {
        attempt->status =
            weir_error(WEIR_CANCELLED, "%s '%s' is closed.", said_name(queue, false), queue->name);
        return COMPLETE;
    }
    progress progress = attempt->left ? NONE : COMPLETE;
    while (attempt->left > 0 && (int64_t)queue->item_count < queue->capacity) {
        weir_queue_item *item;
        if ((attempt->status = next_given(attempt, &item)))
            return COMPLETE;
        if (attempt->many && queue->kind == WEIR_QUEUE_RANDOM &&
            (attempt->status = own_buffers(queue, item))) {
            weir_queue_item_destroy(queue, item);
            return COMPLETE;
        }
        weir_queue_push(queue, item);
        progress = --attempt->left ? SOME : COMPLETE;
    }
    return progress;
}

static progress try_close(weir_queue_attempt *attempt)
{
    weir_queue *queue = attempt->queue;
    if (queue->closed)
        attempt->status = weir_error(WEIR_CANCELLED, "Queue '%s' is already closed.", queue->name);
    queue->closed = true;
    return COMPLETE;
}

static void give_taken_back(weir_queue_attempt *attempt)
{
    while (attempt->taken.count)
        weir_queue_push_front(attempt->queue, attempt->taken.at[--attempt->taken.count]);
}

/* A closed queue has fewer tuples than requested. */
static progress run_short(weir_queue_attempt *attempt)
{
    weir_queue *queue = attempt->queue;
    int64_t size = (int64_t)queue->item_count;
    if (attempt->fewer_ok && (size > 0 || attempt->taken.count)) {
        while (queue->item_count)
            weir_vec_push(&attempt->taken, weir_queue_pop(queue));
        return COMPLETE;
    }
    /* A pending enqueue from before the close will still add some. */
    if (attempt->fewer_ok && queue->enqueues.first)
        return NONE;
    give_taken_back(attempt);
    attempt->status =
        weir_error(WEIR_OUT_OF_RANGE,
                   "%s '%s' is closed and has insufficient elements (requested %" PRId64
                   ", current size %" PRId64 ")",
                   said_name(queue, attempt->many), queue->name, attempt->left, size);
    return COMPLETE;
}

static progress try_dequeue(weir_queue_attempt *attempt)
{
    weir_queue *queue = attempt->queue;
    if (attempt->left == 0)
        return COMPLETE;
    if (queue->closed && (int64_t)queue->item_count < attempt->left)
        return run_short(attempt);
    /* Dequeued one by one they would not be in order. */
    if (queue->kind == WEIR_QUEUE_PRIORITY && (int64_t)queue->item_count < attempt->left)
        return NONE;
    int64_t keep = queue->closed ? 0 : queue->min_after_dequeue;
    progress progress = NONE;
    while (attempt->left > 0 && (int64_t)queue->item_count > keep) {
        weir_vec_push(&attempt->taken, weir_queue_pop(queue));
        progress = --attempt->left ? SOME : COMPLETE;
    }
    return progress;
}

static progress try_attempt(weir_queue_attempt *attempt)
{
    switch (attempt->kind) {
    case WEIR_ENQUEUE:
        return try_enqueue(attempt);
    case WEIR_DEQUEUE:
        return try_dequeue(attempt);
    default:
        return try_close(attempt);
    }
}

/* Serves what can be served; finished attempts are moved to |done|. True if anything changed. */
static bool serve(weir_attempt_list *list, weir_attempt_list *done)
{
    bool moved = false;
    while (list->first) {
        progress progress = try_attempt(list->first);
        moved |= progress != NONE;
        if (progress != COMPLETE)
            break;
        append(done, take_first(list));
    }
    return moved;
}

static void serve_all(weir_queue *queue, weir_attempt_list *done)
{
    bool moved = true;
    while (moved) {
        moved = serve(&queue->enqueues, done);
        moved |= serve(&queue->dequeues, done);
    }
}

static void finish_all(weir_attempt_list *done)
{
    while (done->first)
        finish(take_first(done));
}

/* ---- waiting --------------------------------------------------------------------------------- */

static weir_status was_cancelled(weir_attempt_kind kind)
{
    return weir_error(WEIR_CANCELLED, "%s operation was cancelled",
                      kind == WEIR_DEQUEUE ? "Dequeue" : "Enqueue");
}

static void cancelled(void *arg)
{
    weir_queue_attempt *attempt = arg;
    weir_queue *queue = attempt->queue;
    weir_attempt_list done;
    list_init(&done);
    weir_ref_retain(&queue->base.ref);
    weir_mutex_lock(&queue->lock);
    bool mine = take(attempt->kind == WEIR_DEQUEUE ? &queue->dequeues : &queue->enqueues, attempt);
    if (mine) {
        attempt->status = was_cancelled(attempt->kind);
        attempt->token = 0; /* this is the token's callback */
        give_taken_back(attempt);
        serve_all(queue, &done); /* attempts behind it may proceed */
    }
    weir_mutex_unlock(&queue->lock);
    if (mine)
        finish(attempt);
    finish_all(&done);
    weir_queue_release(queue);
}

/* Serves |attempt| now if possible, or leaves it pending. Takes it over. */
static void submit(weir_queue_attempt *attempt, weir_cancel *cancel)
{
    weir_queue *queue = attempt->queue;
    weir_attempt_list done;
    list_init(&done);
    weir_ref_retain(&queue->base.ref);
    weir_mutex_lock(&queue->lock);
    weir_attempt_list *list = attempt->kind == WEIR_DEQUEUE ? &queue->dequeues : &queue->enqueues;
    append(list, attempt);
    serve_all(queue, &done);
    bool waits = take(list, attempt);
    if (waits) {
        /* The callback cannot run before the lock is released, and finds the attempt then. */
        attempt->cancel = cancel ? weir_cancel_retain(cancel) : NULL;
        attempt->token = cancel ? weir_cancel_add(cancel, cancelled, attempt) : 0;
        if (cancel && !attempt->token) {
            attempt->status = was_cancelled(attempt->kind);
            give_taken_back(attempt);
            append(&done, attempt);
        } else {
            append(list, attempt);
        }
    }
    weir_mutex_unlock(&queue->lock);
    finish_all(&done);
    weir_queue_release(queue);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static weir_status bad_shape(int k, const weir_shape *want, const weir_shape *got)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Shape mismatch in tuple component %d. Expected %s, got %s", k,
                      WEIR_SHAPE_STR(want), WEIR_SHAPE_STR(got));
}

static weir_status check_tuple(const weir_queue *queue, const weir_tensor *tuple)
{
    for (int k = 0; k < queue->count; k++) {
        if (tuple[k].dtype != queue->dtypes[k])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Type mismatch in tuple component %d. Expected %s, got %s", k,
                              weir_dtype_name(queue->dtypes[k]), weir_dtype_name(tuple[k].dtype));
        if (queue->shapes && !weir_shape_compatible(&queue->shapes[k], &tuple[k].shape))
            return bad_shape(k, &queue->shapes[k], &tuple[k].shape);
    }
    return WEIR_OK;
}

static weir_status check_rows(const weir_queue *queue, const weir_tensor *tuple)
{
    int64_t rows = queue->count && tuple[0].shape.rank > 0 ? tuple[0].shape.dims[0] : -1;
    for (int k = 0; k < queue->count; k++) {
        weir_shape want = WEIR_UNKNOWN_SHAPE, lead = weir_shape_vector(rows);
        if (tuple[k].dtype != queue->dtypes[k])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Type mismatch in tuple component %d. Expected %s, got %s", k,
                              weir_dtype_name(queue->dtypes[k]), weir_dtype_name(tuple[k].dtype));
        if (queue->shapes)
            WEIR_TRY(weir_infer_concat(&lead, &queue->shapes[k], &want));
        if (tuple[k].shape.rank < 1 || !weir_shape_compatible(&want, &tuple[k].shape))
            return bad_shape(k, queue->shapes ? &want : &lead, &tuple[k].shape);
        if (tuple[k].shape.dims[0] != rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All input tensors must have the same size in the 0th dimension. "
                              "Component %d has %" PRId64 ", and should have %" PRId64,
                              k, tuple[k].shape.dims[0], rows);
    }
    return WEIR_OK;
}

void weir_queue_enqueue(weir_queue *queue, const weir_tensor *tuple, weir_cancel *cancel,
                        weir_queue_done done, void *arg)
{
    weir_status status = check_tuple(queue, tuple);
    if (status) {
        done(arg, status, NULL);
        return;
    }
    weir_queue_attempt *attempt = attempt_create(queue, WEIR_ENQUEUE, done, arg);
    keep_tuple(attempt, tuple);
    submit(attempt, cancel);
}

void weir_queue_enqueue_many(weir_queue *queue, const weir_tensor *tuple, weir_cancel *cancel,
                             weir_queue_done done, void *arg)
{
    weir_status status = check_rows(queue, tuple);
    if (status) {
        done(arg, status, NULL);
        return;
    }
    weir_queue_attempt *attempt = attempt_create(queue, WEIR_ENQUEUE, done, arg);
    keep_tuple(attempt, tuple);
    attempt->many = true;
    attempt->left = tuple[0].shape.dims[0];
    submit(attempt, cancel);
}

void weir_queue_dequeue(weir_queue *queue, weir_cancel *cancel, weir_queue_done done, void *arg)
{
    submit(attempt_create(queue, WEIR_DEQUEUE, done, arg), cancel);
}

void weir_queue_dequeue_many(weir_queue *queue, int64_t count, bool fewer_ok, weir_cancel *cancel,
                             weir_queue_done done, void *arg)
{
    if (!queue->shapes || count < 0) {
        done(arg,
             count < 0
                 ? weir_error(WEIR_INVALID_ARGUMENT,
                              "DequeueManyOp requested %" PRId64 " < 0 elements", count)
                 : weir_error(WEIR_INVALID_ARGUMENT,
                              "%s's DequeueMany and DequeueUpTo require the components to have "
                              "specified shapes.",
                              kind_name(queue->kind)),
             NULL);
        return;
    }
    weir_queue_attempt *attempt = attempt_create(queue, WEIR_DEQUEUE, done, arg);
    attempt->many = true;
    attempt->fewer_ok = fewer_ok;
    attempt->left = count;
    submit(attempt, cancel);
}

/* Fails every pending enqueue and closes at once. */
static void close_now(weir_queue *queue)
{
    weir_attempt_list done;
    list_init(&done);
    weir_mutex_lock(&queue->lock);
    queue->closed = true;
    while (queue->enqueues.first) {
        weir_queue_attempt *attempt = take_first(&queue->enqueues);
        attempt->status = was_cancelled(attempt->kind);
        append(&done, attempt);
    }
    serve_all(queue, &done);
    weir_mutex_unlock(&queue->lock);
    finish_all(&done);
}

void weir_queue_close(weir_queue *queue, bool cancel_pending, weir_queue_done done, void *arg)
{
    if (!cancel_pending) {
        submit(attempt_create(queue, WEIR_CLOSE, done, arg), NULL);
        return;
    }
    weir_ref_retain(&queue->base.ref);
    close_now(queue);
    done(arg, WEIR_OK, NULL);
    weir_queue_release(queue);
}
