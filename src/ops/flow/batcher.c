/* ops/flow/batcher.c - requests, batches, and their scheduling. */
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
    weir_call_batch **last WEIR_GUARDED_BY(lock);  /* ... and the tail of the list */
    int64_t queued WEIR_GUARDED_BY(lock), running WEIR_GUARDED_BY(lock); /* batches */
    int64_t next_number WEIR_GUARDED_BY(lock);
};

/* One call. Freed when all its pieces are done. */
struct weir_call_batch_request {
    weir_batcher *of;  /* retained */
    weir_call *call;   /* guarded by the batcher's lock; null once finished */
    int leading;       /* guarded by the batcher's lock: batches running in its step */
    weir_tensor *in;   /* in_count, shared */
    weir_tensor *outs; /* pieces * out_count */
    int64_t rows, guid;
    int pieces, left; /* guarded by the batcher's lock */
    weir_status failed;
    weir_cancel *cancel; /* retained; null when it cannot be cancelled */
    int64_t token;
};

/* Owned by a timer: it may outlive the batch. */
typedef struct weir_call_batch_alarm {
    weir_batcher *of; /* retained */
    int64_t number;
} batch_alarm;

const weir_resource_type weir_batcher_type = {"N10tensorflow13BatchResourceE", "batcher"};

static void batcher_destroy(weir_ref *self)
{
    weir_batcher *batcher = (weir_batcher *)self;
    weir_mutex_fini(&batcher->lock);
    weir_free(batcher);
}

weir_status weir_batcher_create(void *options, weir_resource **out)
{
    weir_batcher *batcher = WEIR_NEW(weir_batcher);
    weir_ref_init(&batcher->resource.ref, batcher_destroy);
    batcher->resource.type = &weir_batcher_type;
    batcher->options = *(const weir_call_batch_options *)options;
    weir_mutex_init(&batcher->lock);
    batcher->last = &batcher->closed;
    *out = &batcher->resource;
    return WEIR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

weir_status weir_rows_take(const weir_tensor *tensor, int64_t first, int64_t rows, weir_tensor *out)
{
    weir_shape shape = tensor->shape;
    int64_t row = weir_shape_product(&shape, 1, shape.rank);
    shape.dims[0] = rows;
    WEIR_TRY(weir_tensor_alloc(tensor->dtype, &shape, out));
    weir_elements_copy(tensor->dtype, out->data, weir_at(tensor, first * row), rows * row);
    return WEIR_OK;
}

static weir_status same_rows(const weir_tensor *a, const weir_tensor *b)
{
    bool same = a->dtype == b->dtype && a->shape.rank == b->shape.rank;
    for (int axis = 1; same && axis < a->shape.rank; axis++)
        same = a->shape.dims[axis] == b->shape.dims[axis];
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

weir_status weir_call_batch_join(const weir_call_batch *batch, int in, int64_t rows,
                                 weir_tensor *out)
{
    size_t count = batch->pieces.count;
    WEIR_FREED weir_tensor *parts = WEIR_NEW_ARRAY(weir_tensor, count);
    const weir_tensor **at = WEIR_NEW_ARRAY(const weir_tensor *, count);
    weir_status status = WEIR_OK;
    for (size_t k = 0; !status && k < count; k++) {
        const weir_call_batch_piece *piece = &batch->pieces.at[k];
        const weir_tensor *whole = &piece->request->in[in];
        if (piece->rows == piece->request->rows)
            parts[k] = weir_tensor_share(whole);
        else
            status = weir_rows_take(whole, piece->first, piece->rows, &parts[k]);
        at[k] = &parts[k];
    }
    if (!status)
        status = weir_rows_join(at, count, rows - batch->rows, out);
    for (size_t k = 0; k < count; k++)
        weir_tensor_release(&parts[k]);
    weir_free(at);
    return status;
}

int64_t weir_call_batch_guid(const weir_call_batch_piece *piece)
{
    return piece->request->guid;
}

const weir_tensor *weir_call_batch_input(const weir_call_batch_piece *piece, int in)
{
    return &piece->request->in[in];
}

/* ---- requests -------------------------------------------------------------------------------- */

static weir_status set_outputs(weir_call *call, weir_call_batch_request *request)
{
    int count = request->of->options.out_count;
    for (int o = 0; o < count; o++) {
        weir_tensor whole = {0};
        if (request->pieces == 1) {
            weir_tensor_move(&whole, &request->outs[o]);
        } else {
            const weir_tensor **parts = WEIR_NEW_ARRAY(const weir_tensor *, request->pieces);
            for (int k = 0; k < request->pieces; k++)
                parts[k] = &request->outs[k * count + o];
            weir_status status = weir_rows_join(parts, (size_t)request->pieces, 0, &whole);
            weir_free(parts);
            if (status)
                return status;
        }
        weir_call_set(call, o, whole);
    }
    return WEIR_OK;
}

static void request_free(weir_call_batch_request *request)
{
    for (int i = 0; i < request->of->options.in_count; i++)
        weir_tensor_release(&request->in[i]);
    for (int i = 0; i < request->pieces * request->of->options.out_count; i++)
        weir_tensor_release(&request->outs[i]);
    weir_status_free(request->failed);
    weir_cancel_release(request->cancel);
    weir_ref_release(&request->of->resource.ref);
    weir_free(request->in);
    weir_free(request->outs);
    weir_free(request);
}

/* All pieces are done. */
static void answer(weir_call_batch_request *request)
{
    weir_batcher *batcher = request->of;
    weir_mutex_lock(&batcher->lock);
    weir_call *call = request->call;
    request->call = NULL;
    weir_mutex_unlock(&batcher->lock);
    if (request->token)
        weir_cancel_remove(request->cancel, request->token); /* also waits for a running callback */
    if (call) {
        weir_status status = request->failed ? request->failed : set_outputs(call, request);
        request->failed = WEIR_OK;
        weir_call_finish(call, status);
    }
    request_free(request);
}

static void cancelled(void *arg)
{
    weir_call_batch_request *request = arg;
    weir_call *call = NULL;
    weir_mutex_lock(&request->of->lock);
    if (request->leading == 0) { /* otherwise the batches in its step finish it */
        call = request->call;
        request->call = NULL;
    }
    weir_mutex_unlock(&request->of->lock);
    if (call)
        weir_call_finish(call, weir_error(WEIR_CANCELLED, "Batched operation was cancelled"));
}

/* Makes a request cancellable; false if its step is already cancelled: then the caller finishes it.
 * Under the batcher's lock. */
static bool watch(weir_call_batch_request *request)
{
    if (!request->call->run->cancel)
        return true;
    request->cancel = weir_cancel_retain(request->call->run->cancel);
    request->token = weir_cancel_add(request->cancel, cancelled, request);
    if (!request->token)
        request->call = NULL;
    return request->token != 0;
}

static weir_call_batch_request *request_make(weir_batcher *batcher, weir_call *call, int64_t rows)
{
    weir_call_batch_request *request = WEIR_NEW(weir_call_batch_request);
    weir_ref_retain(&batcher->resource.ref);
    request->of = batcher;
    request->call = call;
    request->rows = rows;
    request->guid = (int64_t)(weir_random_bits() & INT64_MAX);
    request->in = WEIR_NEW_ARRAY(weir_tensor, batcher->options.in_count);
    for (int i = 0; i < batcher->options.in_count; i++)
        request->in[i] = weir_tensor_share(weir_in(call, i));
    return request;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void run_batch(void *arg)
{
    weir_call_batch *batch = arg;
    weir_mutex_lock(&batch->of->lock);
    for (size_t k = 0; k < batch->pieces.count; k++) {
        weir_call_batch_piece *piece = &batch->pieces.at[k];
        piece->out = piece->request->outs + piece->number * batch->of->options.out_count;
        if (piece->request->call) {
            batch->leader = piece->request->call;
            batch->leader_piece = k;
        }
    }
    if (batch->leader)
        batch->pieces.at[batch->leader_piece].request->leading++;
    weir_mutex_unlock(&batch->of->lock);
    if (batch->leader)
        batch->of->options.process(batch);
    else
        weir_call_batch_done(batch, weir_error(WEIR_CANCELLED, "Batched operation was cancelled"));
}

/* Submits closed batches to threads, up to the limit. */
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

/* Closes the open batch. */
static void close_open(weir_batcher *b) WEIR_REQUIRES(b->lock)
{
    weir_call_batch *open = b->open;
    b->open = NULL;
    open->next = NULL;
    *b->last = open;
    b->last = &open->next;
    dispatch(b);
}

static void alarm_free(batch_alarm *alarm)
{
    weir_ref_release(&alarm->of->resource.ref);
    weir_free(alarm);
}

static void time_is_up(void *arg)
{
    batch_alarm *alarm = arg;
    weir_mutex_lock(&alarm->of->lock);
    if (alarm->of->open && alarm->of->open->number == alarm->number)
        close_open(alarm->of);
    weir_mutex_unlock(&alarm->of->lock);
    alarm_free(alarm);
}

static void open_batch(weir_batcher *b) WEIR_REQUIRES(b->lock)
{
    weir_call_batch *fresh = WEIR_NEW(weir_call_batch);
    batch_alarm *alarm = WEIR_NEW(batch_alarm);
    weir_ref_retain(&b->resource.ref); /* the batch's */
    weir_ref_retain(&b->resource.ref); /* the alarm's */
    *alarm = (batch_alarm){b, b->next_number};
    fresh->of = b;
    fresh->number = b->next_number++;
    fresh->alarm = alarm;
    fresh->timer = weir_timer_add(weir_now_ns() + b->options.timeout_us * 1000, time_is_up, alarm);
    b->open = fresh;
    b->queued++;
}

void weir_call_batch_done(weir_call_batch *batch, weir_status status)
{
    weir_batcher *of = batch->of;
    WEIR_VEC(weir_call_batch_request *) ready = {0};
    if (weir_timer_remove(batch->timer))
        alarm_free(batch->alarm);
    weir_mutex_lock(&of->lock);
    of->running--;
    dispatch(of);
    if (batch->leader)
        batch->pieces.at[batch->leader_piece].request->leading--;
    for (size_t k = 0; k < batch->pieces.count; k++) {
        weir_call_batch_request *request = batch->pieces.at[k].request;
        if (status && !request->failed)
            request->failed = weir_status_copy(status);
        if (--request->left == 0)
            weir_vec_push(&ready, request);
    }
    weir_mutex_unlock(&of->lock);
    for (size_t k = 0; k < ready.count; k++)
        answer(ready.at[k]);
    weir_vec_fini(&ready);
    weir_vec_fini(&batch->pieces);
    weir_free(batch);
    weir_status_free(status);
    weir_ref_release(&of->resource.ref);
}

/* ---- submission ------------------------------------------------------------------------------ */

static weir_status check(const weir_batcher *batcher, const weir_call *call, int64_t *out_rows)
{
    const weir_call_batch_options *options = &batcher->options;
    if (call->site->out_count != options->out_count || call->site->in_count < options->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batching inputs must have equal number of edges");
    for (int i = 0; i < options->in_count; i++) {
        const weir_shape *shape = &weir_in(call, i)->shape;
        if (shape->rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Batching input tensors must have at least one dimension.\nInput %d "
                              "is a scalar",
                              i);
        if (shape->dims[0] != weir_in(call, 0)->shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Batching input tensors supplied in a given op invocation must have "
                              "equal 0th-dimension size.\nInput 0 has shape %s, input %d has %s",
                              WEIR_SHAPE_STR(&weir_in(call, 0)->shape), i, WEIR_SHAPE_STR(shape));
    }
    *out_rows = weir_in(call, 0)->shape.dims[0];
    if (*out_rows > options->max_rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Task size %" PRId64 " is larger than maximum input batch size %" PRId64,
                          *out_rows, options->max_rows);
    return WEIR_OK;
}

/* No rows: returns empty outputs. */
static weir_status give_nothing(weir_call *call)
{
    weir_shape none = weir_shape_vector(0);
    for (int output = 0; output < call->site->out_count; output++)
        WEIR_TRY(weir_call_alloc(call, output, &none));
    return WEIR_OK;
}

/* How many of |rows| go into the open batch: all, or a part if calls may be split. A batch without
 * room for them is closed and another opened. */
static int64_t room_for(weir_batcher *b, int64_t rows) WEIR_REQUIRES(b->lock)
{
    const weir_call_batch_options *options = &b->options;
    int64_t room = b->open ? options->batch_rows - b->open->rows : 0;
    if (b->open && rows > room && !options->split)
        close_open(b);
    if (!b->open) {
        open_batch(b);
        room = options->batch_rows;
    }
    return weir_min(rows, room);
}

/* Whether the queue has room for the further batches that |rows| need. */
static bool fits_queue(const weir_batcher *b, int64_t rows) WEIR_REQUIRES(b->lock)
{
    const weir_call_batch_options *options = &b->options;
    int64_t room = b->open ? options->batch_rows - b->open->rows : 0;
    int64_t beyond = rows > room ? (options->split ? rows - room : rows) : 0;
    return b->queued + weir_ceil_div(beyond, options->batch_rows) <= options->most_queued;
}

/* Distributes the rows of |request| over batches. */
static void add_pieces(weir_batcher *b, weir_call_batch_request *request) WEIR_REQUIRES(b->lock)
{
    for (int64_t at = 0; at < request->rows; request->pieces++, request->left++) {
        int64_t rows = room_for(b, request->rows - at);
        weir_vec_push(&b->open->pieces,
                      (weir_call_batch_piece){request, request->pieces, at, rows, NULL});
        b->open->rows += rows;
        at += rows;
        if (b->open->rows == b->options.batch_rows)
            close_open(b);
    }
    request->outs = WEIR_NEW_ARRAY(weir_tensor, request->pieces * b->options.out_count);
}

void weir_batcher_submit(weir_batcher *batcher, weir_call *call)
{
    int64_t rows;
    weir_status status = check(batcher, call, &rows);
    if (status || rows == 0) {
        weir_call_finish(call, status ? status : give_nothing(call));
        return;
    }
    weir_call_batch_request *request = request_make(batcher, call, rows);
    weir_mutex_lock(&batcher->lock);
    bool taken = fits_queue(batcher, rows);
    if (taken)
        add_pieces(batcher, request);
    bool watched = taken && watch(request);
    weir_mutex_unlock(&batcher->lock);
    if (!taken) {
        request_free(request);
        weir_call_finish(call, weir_error(WEIR_UNAVAILABLE,
                                          "The batch scheduling queue to which this task was "
                                          "submitted is full; currently %" PRId64 " batches wait",
                                          batcher->options.most_queued));
    } else if (!watched) {
        weir_call_finish(call, weir_error(WEIR_CANCELLED, "Batched operation was cancelled"));
    }
}
