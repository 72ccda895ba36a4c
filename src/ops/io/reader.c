/*
 * ops/io/reader.c - scheduling of calls on a reader.
 *
 * A call that has the turn may have to wait for the queue of work items. The queue completes by
 * callback, immediately or later: |turn| ensures that exactly one of the caller's loop and the
 * callback continues.
 */
#include "ops/io/reader.h"

#include <stdatomic.h>

#include "base/room.h"
#include "ops/common/strs.h"
#include "ops/state/named.h"
#include "state/queue.h"

const weir_resource_type weir_reader_type = {"N10tensorflow15ReaderInterfaceE", "reader"};

typedef enum read_state { READ_NEW, READ_WAITING, READ_RUNNING, READ_CANCELLED } read_state;
typedef enum handover { ASKING, ANSWERED, LEFT } handover;

/* A call that uses the reader. */
typedef struct weir_read {
    weir_call *call;
    weir_reader *reader;  /* retained */
    weir_queue *queue;    /* retained; null if it does not read */
    weir_reader_use *use; /* instead of reading */
    int64_t most;         /* 0: one record, as scalars */
    read_state state;     /* under the reader's lock */
    int64_t token;        /* of the cancellation */
    struct weir_read *next;
    atomic_int turn;        /* handover */
    weir_status answer;     /* result of the queue */
    WEIR_VEC(char *) texts; /* alternating keys and values */
    WEIR_VEC(size_t) lengths;
    size_t held; /* bytes of both in base/room.h */
} weir_read;

static void destroy(weir_ref *ref)
{
    weir_reader *reader = (weir_reader *)ref;
    reader->kind->drop(reader);
    weir_free(reader->work);
    weir_free(reader->name);
    weir_buf_fini(&reader->key);
    weir_buf_fini(&reader->value);
    weir_mutex_fini(&reader->lock);
    weir_free(reader);
}

weir_reader *weir_reader_create(const weir_reader_kind *kind, const char *node,
                                const weir_reader_options *options)
{
    weir_reader *reader = WEIR_NEW(weir_reader);
    weir_buf name = {0};
    weir_buf_addf(&name, "%s '%s'", kind->name, node);
    reader->name = weir_buf_take(&name);
    weir_ref_init(&reader->base.ref, destroy);
    reader->base.type = &weir_reader_type;
    reader->kind = kind;
    reader->options = *options;
    reader->last = &reader->first;
    weir_mutex_init(&reader->lock);
    return reader;
}

/* ---- the end of a call ---- */

static void free_read(weir_read *read)
{
    for (size_t i = 0; i < read->texts.count; i++)
        weir_free(read->texts.at[i]);
    weir_vec_fini(&read->texts);
    weir_vec_fini(&read->lengths);
    weir_room_drop(&read->held);
    weir_ref_release((weir_ref *)read->queue);
    weir_ref_release(&read->reader->base.ref);
    weir_free(read);
}

static void begin(weir_read *read);

/* Finishes a call that has the turn, and passes the turn on. */
static void end(weir_read *read, weir_status status)
{
    weir_reader *reader = read->reader;
    weir_call *call = read->call;
    weir_mutex_lock(&reader->lock);
    weir_read *next = reader->first;
    if (next) {
        reader->first = next->next;
        reader->last = reader->first ? reader->last : &reader->first;
        next->state = READ_RUNNING;
    } else {
        reader->busy = false;
    }
    weir_mutex_unlock(&reader->lock);
    free_read(read);
    weir_call_finish(call, status);
    if (!next)
        return;
    weir_cancel_remove(next->call->run->cancel, next->token);
    begin(next);
}

static weir_status give(weir_read *read)
{
    weir_shape shape = read->most ? weir_shape_vector((int64_t)read->texts.count / 2) : WEIR_SCALAR;
    for (int o = 0; o < 2; o++)
        WEIR_TRY(weir_call_alloc(read->call, o, &shape));
    for (size_t i = 0; i < read->texts.count; i++)
        weir_str_put(weir_out(read->call, (int)(i % 2)), (int64_t)(i / 2),
                     (weir_str){read->texts.at[i], read->lengths.at[i]});
    return WEIR_OK;
}

/* ---- reading ---- */

static weir_status keep(weir_read *read, weir_buf *buf)
{
    size_t bytes = buf->room + 2 * sizeof(char *) + 2 * sizeof(size_t);
    WEIR_TRY(weir_room_hold(&read->held, read->held + bytes, "a record that is read"));
    weir_vec_push(&read->lengths, buf->length);
    weir_vec_push(&read->texts, weir_buf_take(buf));
    return WEIR_OK;
}

/* One record, or the end of the work item. */
static weir_status read_record(weir_read *read, bool *out_end)
{
    weir_reader *reader = read->reader;
    bool record = false;
    WEIR_TRY(weir_call_check(read->call));
    WEIR_TRY(reader->kind->next(reader, &record, out_end));
    if (!record)
        return WEIR_OK;
    reader->records++;
    WEIR_TRY(keep(read, &reader->key));
    return keep(read, &reader->value);
}

/* Reads from the current work item. True: the call is done, with this status. */
static bool read_work(weir_read *read, weir_status *out_status)
{
    weir_reader *reader = read->reader;
    int64_t most = read->most ? read->most : 1;
    bool at_end = false;
    while (!at_end && (int64_t)read->texts.count / 2 < most) {
        *out_status = read_record(read, &at_end);
        if (*out_status)
            return true;
    }
    if (at_end) {
        reader->kind->drop(reader);
        reader->finished = reader->started;
    }
    return read->texts.count > 0;
}

static weir_status start_work(weir_reader *reader, const weir_tensor *work)
{
    weir_free(reader->work);
    reader->work = weir_str_copy_at(work, 0);
    weir_status status = reader->kind->start(reader);
    if (status)
        reader->kind->drop(reader);
    else
        reader->started++;
    return status;
}

static bool has_work(const weir_reader *reader)
{
    return reader->started > reader->finished;
}

static void go_on(weir_read *read);

static void got_work(void *arg, weir_status status, weir_tensor *tuple)
{
    weir_read *read = arg;
    read->answer = status;
    if (tuple) {
        read->answer = start_work(read->reader, &tuple[0]);
        weir_tensor_release(&tuple[0]);
    }
    if (atomic_exchange(&read->turn, ANSWERED) == LEFT)
        go_on(read);
}

static void go_on(weir_read *read)
{
    for (;;) {
        weir_status status = read->answer;
        if (!status && has_work(read->reader) && read_work(read, &status)) {
            end(read, status ? status : give(read));
            return;
        }
        if (status) { /* records read before the queue failed still count */
            bool some =
                read->most && read->texts.count && weir_status_code(status) == WEIR_OUT_OF_RANGE;
            if (some)
                weir_status_free(status);
            end(read, some ? give(read) : status);
            return;
        }
        if (has_work(read->reader))
            continue;
        atomic_store(&read->turn, ASKING);
        weir_queue_dequeue(read->queue, read->call->run->cancel, got_work, read);
        if (atomic_exchange(&read->turn, LEFT) == ASKING)
            return; /* the queue's callback will continue */
    }
}

static void begin(weir_read *read)
{
    if (read->use)
        end(read, read->use(read->call, read->reader));
    else
        go_on(read);
}

/* ---- waiting for the turn ---- */

static weir_status cancelled(void)
{
    return weir_error(WEIR_CANCELLED, "Reader operation was cancelled");
}

/* The step was cancelled: a queued call is finished. */
static void on_cancel(void *arg)
{
    weir_read *read = arg;
    weir_reader *reader = read->reader;
    weir_mutex_lock(&reader->lock);
    bool waiting = read->state == READ_WAITING;
    if (waiting) {
        weir_read **at = &reader->first;
        while (*at != read)
            at = &(*at)->next;
        *at = read->next;
        if (!*at)
            reader->last = at;
    }
    if (read->state != READ_RUNNING)
        read->state = READ_CANCELLED;
    weir_mutex_unlock(&reader->lock);
    if (!waiting)
        return;
    weir_call *call = read->call;
    free_read(read);
    weir_call_finish(call, cancelled());
}

static void wait_for_turn(weir_read *read)
{
    weir_reader *reader = read->reader;
    read->token = weir_cancel_add(read->call->run->cancel, on_cancel, read);
    weir_mutex_lock(&reader->lock);
    bool gone = read->token == 0 || read->state == READ_CANCELLED;
    bool mine = !gone && !reader->busy;
    if (mine) {
        reader->busy = true;
        read->state = READ_RUNNING;
    } else if (!gone) {
        read->state = READ_WAITING;
        *reader->last = read;
        reader->last = &read->next;
    }
    weir_mutex_unlock(&reader->lock);
    if (mine) {
        weir_cancel_remove(read->call->run->cancel, read->token);
        begin(read);
    } else if (gone) {
        weir_call *call = read->call;
        if (read->token)
            weir_cancel_remove(call->run->cancel, read->token);
        free_read(read);
        weir_call_finish(call, cancelled());
    }
}

static weir_status open_queue(weir_call *call, weir_queue **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, 1, &weir_queue_type, &found));
    weir_queue *queue = (weir_queue *)found;
    if (weir_queue_components(queue) != 1 || weir_queue_dtype(queue, 0) != WEIR_STRING) {
        weir_status status =
            weir_error(WEIR_INVALID_ARGUMENT,
                       "Expected a queue of one string, got one of %d component(s), "
                       "the first %s",
                       weir_queue_components(queue), weir_dtype_name(weir_queue_dtype(queue, 0)));
        weir_queue_release(queue);
        return status;
    }
    *out = queue;
    return WEIR_OK;
}

static void start(weir_call *call, weir_reader_use *use, int64_t most)
{
    weir_resource *found = NULL;
    weir_queue *queue = NULL;
    weir_status status = weir_named_input(call, 0, &weir_reader_type, &found);
    if (!status && !use)
        status = open_queue(call, &queue);
    if (status) {
        if (found)
            weir_ref_release(&found->ref);
        weir_call_finish(call, status);
        return;
    }
    weir_read *read = WEIR_NEW(weir_read);
    read->call = call;
    read->reader = (weir_reader *)found;
    read->queue = queue;
    read->use = use;
    read->most = most;
    wait_for_turn(read);
}

void weir_reader_start_read(weir_call *call, int64_t most)
{
    start(call, NULL, most);
}

void weir_reader_start_use(weir_call *call, weir_reader_use *use)
{
    start(call, use, 0);
}
