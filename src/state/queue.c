/* state/queue.c - attempts at a queue: served in order, or kept until they can be.
 *
 * Invariants (lock held):
 *  1. Only the first of the enqueues and the first of the dequeues may move tuples.
 *  2. An attempt in a list is not finished. Who takes it out of its list finishes it, once.
 *  3. A cancellation callback looks for its attempt in the lists; what it does not find there is
 *     finished, or being finished, by another. Finishing removes the callback before the attempt
 *     is freed, so the callback's argument stays valid.
 */
#include "state/queue_impl.h"

#include <inttypes.h>

const weir_resource_type weir_queue_type = {"N10tensorflow14QueueInterfaceE", "queue"};

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy(weir_ref *ref)
{
    weir_queue *q = (weir_queue *)ref;
    while (q->item_count)
        weir_queue_item_destroy(q, weir_queue_pop(q));
    weir_free(q->items);
    weir_free(q->name);
    weir_free(q->dtypes);
    weir_free(q->shapes);
    weir_free(q->random_arg);
    weir_mutex_fini(&q->lock);
    weir_free(q);
}

static void list_init(weir_attempt_list *l)
{
    l->first = NULL;
    l->last = &l->first;
}

static int64_t real_capacity(int64_t wanted)
{
    return wanted < 0 ? INT32_MAX : wanted;
}

weir_queue *weir_queue_create(const weir_queue_spec *spec)
{
    weir_queue *q = WEIR_NEW(weir_queue);
    weir_ref_init(&q->base.ref, destroy);
    q->base.type = &weir_queue_type;
    q->kind = spec->kind;
    q->name = weir_strdup(spec->name);
    q->count = spec->count;
    q->dtypes = WEIR_NEW_ARRAY(weir_dtype, spec->count + 1);
    memcpy(q->dtypes, spec->dtypes, sizeof *q->dtypes * (size_t)spec->count);
    if (spec->shapes) {
        q->shapes = WEIR_NEW_ARRAY(weir_shape, spec->count + 1);
        memcpy(q->shapes, spec->shapes, sizeof *q->shapes * (size_t)spec->count);
    }
    q->capacity = real_capacity(spec->capacity);
    q->min_after_dequeue = spec->min_after_dequeue;
    q->random = spec->random;
    q->random_arg = spec->random_arg;
    weir_mutex_init(&q->lock);
    list_init(&q->enqueues);
    list_init(&q->dequeues);
    return q;
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

/* "Shared queue 'q' has <what> <mine> but requested <what> were <wanted>"; empties the buffers. */
static weir_status mismatch(const weir_queue *q, const char *what, weir_buf *mine, weir_buf *wanted)
{
    weir_status s =
        weir_error(WEIR_INVALID_ARGUMENT, "Shared queue '%s' has %s %s but requested %s were %s",
                   q->name, what, mine->at, what, wanted->at);
    weir_buf_fini(mine);
    weir_buf_fini(wanted);
    return s;
}

static bool same_shapes(const weir_queue *q, const weir_queue_spec *spec)
{
    if (!q->shapes != !spec->shapes)
        return false;
    for (int k = 0; q->shapes && k < q->count; k++)
        if (!weir_shape_eq(&q->shapes[k], &spec->shapes[k]))
            return false;
    return true;
}

weir_status weir_queue_matches(const weir_queue *q, const weir_queue_spec *spec, const char *op)
{
    weir_buf mine = {0}, wanted = {0};
    if (q->kind != spec->kind)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %s, found %s", kind_name(q->kind), op);
    if (q->capacity != real_capacity(spec->capacity))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shared queue '%s' has capacity %" PRId64
                          " but requested capacity was %" PRId64,
                          q->name, q->capacity, spec->capacity);
    if (q->min_after_dequeue != spec->min_after_dequeue)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shared queue '%s' has min_after_dequeue %" PRId64
                          " but requested min_after_dequeue was %" PRId64 ".",
                          q->name, q->min_after_dequeue, spec->min_after_dequeue);
    if (q->count != spec->count ||
        memcmp(q->dtypes, spec->dtypes, sizeof *q->dtypes * (size_t)q->count) != 0) {
        types_text(&mine, q->dtypes, q->count);
        types_text(&wanted, spec->dtypes, spec->count);
        return mismatch(q, "component types", &mine, &wanted);
    }
    if (!same_shapes(q, spec)) {
        shapes_text(&mine, q->shapes, q->count);
        shapes_text(&wanted, spec->shapes, spec->count);
        return mismatch(q, "component shapes", &mine, &wanted);
    }
    return WEIR_OK;
}

int weir_queue_components(const weir_queue *q)
{
    return q->count;
}

weir_dtype weir_queue_dtype(const weir_queue *q, int component)
{
    return q->dtypes[component];
}

int64_t weir_queue_size(weir_queue *q)
{
    weir_mutex_lock(&q->lock);
    int64_t size = (int64_t)q->item_count;
    weir_mutex_unlock(&q->lock);
    return size;
}

bool weir_queue_closed(weir_queue *q)
{
    weir_mutex_lock(&q->lock);
    bool closed = q->closed;
    weir_mutex_unlock(&q->lock);
    return closed;
}

/* ---- attempts -------------------------------------------------------------------------------- */

static weir_queue_attempt *attempt_create(weir_queue *q, weir_attempt_kind kind,
                                          weir_queue_done done, void *arg)
{
    weir_queue_attempt *a = WEIR_NEW(weir_queue_attempt);
    weir_ref_retain(&q->base.ref);
    a->queue = q;
    a->kind = kind;
    a->left = 1;
    a->done = done;
    a->arg = arg;
    return a;
}

static void keep_tuple(weir_queue_attempt *a, const weir_tensor *tuple)
{
    a->tuple = WEIR_NEW_ARRAY(weir_tensor, a->queue->count + 1);
    for (int k = 0; k < a->queue->count; k++)
        a->tuple[k] = weir_tensor_share(&tuple[k]);
}

static void attempt_destroy(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    for (int k = 0; a->tuple && k < q->count; k++)
        weir_tensor_release(&a->tuple[k]);
    weir_free(a->tuple);
    for (size_t i = 0; i < a->taken.count; i++)
        weir_queue_item_destroy(q, a->taken.at[i]);
    weir_vec_fini(&a->taken);
    weir_cancel_release(a->cancel);
    weir_free(a);
    weir_queue_release(q);
}

/* Calls back with what was taken. */
static void deliver(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    weir_tensor *tuple = NULL;
    if (!a->status && a->kind == WEIR_DEQUEUE) {
        tuple = WEIR_NEW_ARRAY(weir_tensor, q->count + 1);
        if (a->many)
            a->status = weir_queue_stack(q, a->taken.at, (int64_t)a->taken.count, tuple);
        for (int k = 0; !a->many && k < q->count; k++) {
            tuple[k] = a->taken.at[0]->tuple[k];
            a->taken.at[0]->tuple[k] = (weir_tensor){0};
        }
    }
    a->done(a->arg, a->status, a->status ? NULL : tuple);
    weir_free(tuple);
}

/* Ends an attempt that is in no list. Outside the lock. */
static void finish(weir_queue_attempt *a)
{
    if (a->token)
        weir_cancel_remove(a->cancel, a->token);
    deliver(a);
    attempt_destroy(a);
}

static void append(weir_attempt_list *l, weir_queue_attempt *a)
{
    a->next = NULL;
    *l->last = a;
    l->last = &a->next;
}

static weir_queue_attempt *take_first(weir_attempt_list *l)
{
    weir_queue_attempt *a = l->first;
    l->first = a->next;
    if (!l->first)
        l->last = &l->first;
    a->next = NULL;
    return a;
}

/* Takes |a| out of the list; false when it is not there. */
static bool take(weir_attempt_list *l, weir_queue_attempt *a)
{
    for (weir_queue_attempt **p = &l->first; *p; p = &(*p)->next)
        if (*p == a) {
            *p = a->next;
            if (l->last == &a->next)
                l->last = p;
            a->next = NULL;
            return true;
        }
    return false;
}

/* ---- moving tuples; the lock is held --------------------------------------------------------- */

typedef enum progress { NONE, SOME, COMPLETE } progress;

static weir_queue_item *next_given(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    weir_queue_item *item = weir_queue_item_create(q);
    for (int k = 0; k < q->count; k++) {
        weir_tensor *t = &a->tuple[k];
        if (!a->many) {
            item->tuple[k] = weir_tensor_share(t);
            continue;
        }
        weir_shape row = weir_infer_sub(&t->shape, 1, WEIR_MAX_RANK);
        item->tuple[k] = weir_tensor_slice(t, a->row * weir_shape_count(&row), &row);
    }
    a->row++;
    return item;
}

/* A shuffled row may stay long after its batch: it gets a buffer of its own. */
static weir_status own_buffers(const weir_queue *q, weir_queue_item *item)
{
    for (int k = 0; k < q->count; k++) {
        weir_tensor copy;
        WEIR_TRY(weir_tensor_clone(&item->tuple[k], &copy));
        weir_tensor_release(&item->tuple[k]);
        item->tuple[k] = copy;
    }
    return WEIR_OK;
}

/* Padding queues say FIFOQueue wherever they behave like one. */
static const char *said_name(const weir_queue *q, bool many)
{
    return kind_name(q->kind == WEIR_QUEUE_PADDING && !many ? WEIR_QUEUE_FIFO : q->kind);
}

static progress try_enqueue(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    if (q->closed) {
        a->status = weir_error(WEIR_CANCELLED, "%s '%s' is closed.", said_name(q, false), q->name);
        return COMPLETE;
    }
    progress p = a->left ? NONE : COMPLETE;
    while (a->left > 0 && (int64_t)q->item_count < q->capacity) {
        weir_queue_item *item = next_given(a);
        if (a->many && q->kind == WEIR_QUEUE_RANDOM && (a->status = own_buffers(q, item))) {
            weir_queue_item_destroy(q, item);
            return COMPLETE;
        }
        weir_queue_push(q, item);
        p = --a->left ? SOME : COMPLETE;
    }
    return p;
}

static progress try_close(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    if (q->closed)
        a->status = weir_error(WEIR_CANCELLED, "Queue '%s' is already closed.", q->name);
    q->closed = true;
    return COMPLETE;
}

static void give_taken_back(weir_queue_attempt *a)
{
    while (a->taken.count)
        weir_queue_push_front(a->queue, a->taken.at[--a->taken.count]);
}

/* A closed queue has fewer tuples than asked for. */
static progress run_short(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    int64_t size = (int64_t)q->item_count;
    if (a->fewer_ok && (size > 0 || a->taken.count)) {
        while (q->item_count)
            weir_vec_push(&a->taken, weir_queue_pop(q));
        return COMPLETE;
    }
    /* An enqueue that waits before the closing will still bring some. */
    if (a->fewer_ok && q->enqueues.first)
        return NONE;
    give_taken_back(a);
    a->status = weir_error(WEIR_OUT_OF_RANGE,
                           "%s '%s' is closed and has insufficient elements (requested %" PRId64
                           ", current size %" PRId64 ")",
                           said_name(q, a->many), q->name, a->left, size);
    return COMPLETE;
}

static progress try_dequeue(weir_queue_attempt *a)
{
    weir_queue *q = a->queue;
    if (a->left == 0)
        return COMPLETE;
    if (q->closed && (int64_t)q->item_count < a->left)
        return run_short(a);
    /* Taken bit by bit they would not come in order. */
    if (q->kind == WEIR_QUEUE_PRIORITY && (int64_t)q->item_count < a->left)
        return NONE;
    int64_t keep = q->closed ? 0 : q->min_after_dequeue;
    progress p = NONE;
    while (a->left > 0 && (int64_t)q->item_count > keep) {
        weir_vec_push(&a->taken, weir_queue_pop(q));
        p = --a->left ? SOME : COMPLETE;
    }
    return p;
}

static progress try_attempt(weir_queue_attempt *a)
{
    switch (a->kind) {
    case WEIR_ENQUEUE:
        return try_enqueue(a);
    case WEIR_DEQUEUE:
        return try_dequeue(a);
    default:
        return try_close(a);
    }
}

/* Moves what can be moved; finished attempts go to |done|. True when anything changed. */
static bool serve(weir_attempt_list *l, weir_attempt_list *done)
{
    bool moved = false;
    while (l->first) {
        progress p = try_attempt(l->first);
        moved |= p != NONE;
        if (p != COMPLETE)
            break;
        append(done, take_first(l));
    }
    return moved;
}

static void serve_all(weir_queue *q, weir_attempt_list *done)
{
    bool moved = true;
    while (moved) {
        moved = serve(&q->enqueues, done);
        moved |= serve(&q->dequeues, done);
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
    weir_queue_attempt *a = arg;
    weir_queue *q = a->queue;
    weir_attempt_list done;
    list_init(&done);
    weir_ref_retain(&q->base.ref);
    weir_mutex_lock(&q->lock);
    bool mine = take(a->kind == WEIR_DEQUEUE ? &q->dequeues : &q->enqueues, a);
    if (mine) {
        a->status = was_cancelled(a->kind);
        a->token = 0; /* this callback is the one it named */
        give_taken_back(a);
        serve_all(q, &done); /* who stood behind it may go on */
    }
    weir_mutex_unlock(&q->lock);
    if (mine)
        finish(a);
    finish_all(&done);
    weir_queue_release(q);
}

/* Serves |a| now if it can be, or leaves it waiting. Takes it over. */
static void submit(weir_queue_attempt *a, weir_cancel *cancel)
{
    weir_queue *q = a->queue;
    weir_attempt_list done;
    list_init(&done);
    weir_ref_retain(&q->base.ref);
    weir_mutex_lock(&q->lock);
    weir_attempt_list *l = a->kind == WEIR_DEQUEUE ? &q->dequeues : &q->enqueues;
    append(l, a);
    serve_all(q, &done);
    bool waits = take(l, a);
    if (waits) {
        /* The callback cannot run before the lock is let go, and finds the attempt then. */
        a->cancel = cancel ? weir_cancel_retain(cancel) : NULL;
        a->token = cancel ? weir_cancel_add(cancel, cancelled, a) : 0;
        if (cancel && !a->token) {
            a->status = was_cancelled(a->kind);
            give_taken_back(a);
            append(&done, a);
        } else {
            append(l, a);
        }
    }
    weir_mutex_unlock(&q->lock);
    finish_all(&done);
    weir_queue_release(q);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static weir_status bad_shape(int k, const weir_shape *want, const weir_shape *got)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Shape mismatch in tuple component %d. Expected %s, got %s", k,
                      WEIR_SHAPE_STR(want), WEIR_SHAPE_STR(got));
}

static weir_status check_tuple(const weir_queue *q, const weir_tensor *tuple)
{
    for (int k = 0; k < q->count; k++) {
        if (tuple[k].dtype != q->dtypes[k])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Type mismatch in tuple component %d. Expected %s, got %s", k,
                              weir_dtype_name(q->dtypes[k]), weir_dtype_name(tuple[k].dtype));
        if (q->shapes && !weir_shape_compatible(&q->shapes[k], &tuple[k].shape))
            return bad_shape(k, &q->shapes[k], &tuple[k].shape);
    }
    return WEIR_OK;
}

static weir_status check_rows(const weir_queue *q, const weir_tensor *tuple)
{
    int64_t rows = q->count && tuple[0].shape.rank > 0 ? tuple[0].shape.dims[0] : -1;
    for (int k = 0; k < q->count; k++) {
        weir_shape want = WEIR_UNKNOWN_SHAPE, lead = weir_shape_vector(rows);
        if (tuple[k].dtype != q->dtypes[k])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Type mismatch in tuple component %d. Expected %s, got %s", k,
                              weir_dtype_name(q->dtypes[k]), weir_dtype_name(tuple[k].dtype));
        if (q->shapes)
            WEIR_TRY(weir_infer_concat(&lead, &q->shapes[k], &want));
        if (tuple[k].shape.rank < 1 || !weir_shape_compatible(&want, &tuple[k].shape))
            return bad_shape(k, q->shapes ? &want : &lead, &tuple[k].shape);
        if (tuple[k].shape.dims[0] != rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All input tensors must have the same size in the 0th dimension. "
                              "Component %d has %" PRId64 ", and should have %" PRId64,
                              k, tuple[k].shape.dims[0], rows);
    }
    return WEIR_OK;
}

void weir_queue_enqueue(weir_queue *q, const weir_tensor *tuple, weir_cancel *cancel,
                        weir_queue_done done, void *arg)
{
    weir_status s = check_tuple(q, tuple);
    if (s) {
        done(arg, s, NULL);
        return;
    }
    weir_queue_attempt *a = attempt_create(q, WEIR_ENQUEUE, done, arg);
    keep_tuple(a, tuple);
    submit(a, cancel);
}

void weir_queue_enqueue_many(weir_queue *q, const weir_tensor *tuple, weir_cancel *cancel,
                             weir_queue_done done, void *arg)
{
    weir_status s = check_rows(q, tuple);
    if (s) {
        done(arg, s, NULL);
        return;
    }
    weir_queue_attempt *a = attempt_create(q, WEIR_ENQUEUE, done, arg);
    keep_tuple(a, tuple);
    a->many = true;
    a->left = tuple[0].shape.dims[0];
    submit(a, cancel);
}

void weir_queue_dequeue(weir_queue *q, weir_cancel *cancel, weir_queue_done done, void *arg)
{
    submit(attempt_create(q, WEIR_DEQUEUE, done, arg), cancel);
}

void weir_queue_dequeue_many(weir_queue *q, int64_t n, bool fewer_ok, weir_cancel *cancel,
                             weir_queue_done done, void *arg)
{
    if (!q->shapes || n < 0) {
        done(arg,
             n < 0 ? weir_error(WEIR_INVALID_ARGUMENT,
                                "DequeueManyOp requested %" PRId64 " < 0 elements", n)
                   : weir_error(WEIR_INVALID_ARGUMENT,
                                "%s's DequeueMany and DequeueUpTo require the components to have "
                                "specified shapes.",
                                kind_name(q->kind)),
             NULL);
        return;
    }
    weir_queue_attempt *a = attempt_create(q, WEIR_DEQUEUE, done, arg);
    a->many = true;
    a->fewer_ok = fewer_ok;
    a->left = n;
    submit(a, cancel);
}

/* Fails every enqueue that waits and closes at once. */
static void close_now(weir_queue *q)
{
    weir_attempt_list done;
    list_init(&done);
    weir_mutex_lock(&q->lock);
    q->closed = true;
    while (q->enqueues.first) {
        weir_queue_attempt *a = take_first(&q->enqueues);
        a->status = was_cancelled(a->kind);
        append(&done, a);
    }
    serve_all(q, &done);
    weir_mutex_unlock(&q->lock);
    finish_all(&done);
}

void weir_queue_close(weir_queue *q, bool cancel_pending, weir_queue_done done, void *arg)
{
    if (!cancel_pending) {
        submit(attempt_create(q, WEIR_CLOSE, done, arg), NULL);
        return;
    }
    weir_ref_retain(&q->base.ref);
    close_now(q);
    done(arg, WEIR_OK, NULL);
    weir_queue_release(q);
}
