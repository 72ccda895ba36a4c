/* state/queue_test.c - order, waiting and closing without threads: callbacks record the outcome. */
#include "base/test.h"
#include "state/queue.h"

/* The arguments of a callback. */
typedef struct outcome {
    int times;
    weir_code code;
    int64_t count; /* of the first component */
    int32_t values[8];
} outcome;

static void note(void *arg, weir_status s, weir_tensor *tuple)
{
    outcome *o = arg;
    o->times++;
    o->code = weir_status_code(s);
    weir_status_free(s);
    if (!tuple)
        return;
    o->count = weir_tensor_count(&tuple[0]);
    memcpy(o->values, tuple[0].data, sizeof(int32_t) * (size_t)o->count);
    weir_tensor_release(&tuple[0]);
}

static weir_queue *make(weir_queue_kind kind, int64_t capacity)
{
    static const weir_dtype dtype = WEIR_INT32;
    weir_shape scalar = WEIR_SCALAR;
    return weir_queue_create(&(weir_queue_spec){.kind = kind,
                                                .name = "q",
                                                .count = 1,
                                                .dtypes = &dtype,
                                                .shapes = &scalar,
                                                .capacity = capacity});
}

static outcome put(weir_queue *q, int32_t v)
{
    outcome o = {0};
    weir_tensor t = weir_tensor_scalar(WEIR_INT32, &v);
    weir_queue_enqueue(q, &t, NULL, note, &o);
    weir_tensor_release(&t);
    return o;
}

static void put_many(weir_queue *q, int count, outcome *o)
{
    int32_t values[] = {0, 1, 2, 3, 4, 5, 6, 7};
    weir_shape shape = weir_shape_vector(count);
    weir_tensor t = weir_tensor_from(WEIR_INT32, &shape, values);
    weir_queue_enqueue_many(q, &t, NULL, note, o);
    weir_tensor_release(&t);
}

static outcome get(weir_queue *q)
{
    outcome o = {0};
    weir_queue_dequeue(q, NULL, note, &o);
    return o;
}

TEST(first_in_first_out)
{
    weir_queue *q = make(WEIR_QUEUE_FIFO, 40);
    for (int i = 0; i < 40; i++)
        CHECK_EQ(put(q, i).times, 1);
    for (int i = 0; i < 40; i++)
        CHECK_EQ(get(q).values[0], i);
    weir_queue_release(q);
}

TEST(a_batch_goes_through_a_small_queue)
{
    weir_queue *q = make(WEIR_QUEUE_FIFO, 2);
    outcome in = {0}, out = {0};
    put_many(q, 8, &in);
    CHECK_EQ(in.times, 0);
    CHECK_EQ(weir_queue_size(q), 2);
    weir_queue_dequeue_many(q, 7, false, NULL, note, &out);
    CHECK_EQ(out.times, 1);
    CHECK_EQ(out.count, 7);
    CHECK_EQ(out.values[6], 6);
    CHECK_EQ(in.times, 1);
    CHECK_EQ(weir_queue_size(q), 1);
    weir_queue_release(q);
}

static void note_priorities(void *arg, weir_status s, weir_tensor *tuple)
{
    outcome *o = arg;
    o->times++;
    o->code = weir_status_code(s);
    weir_status_free(s);
    for (int64_t i = 0; tuple && i < weir_tensor_count(&tuple[0]); i++)
        o->values[i] = (int32_t)((int64_t *)tuple[0].data)[i];
    if (tuple)
        weir_tensor_release(&tuple[0]);
}

TEST(a_batch_by_priority_waits_until_it_is_whole)
{
    static const weir_dtype dtype = WEIR_INT64;
    weir_shape scalar = WEIR_SCALAR;
    weir_queue *q = weir_queue_create(&(weir_queue_spec){.kind = WEIR_QUEUE_PRIORITY,
                                                         .name = "q",
                                                         .count = 1,
                                                         .dtypes = &dtype,
                                                         .shapes = &scalar,
                                                         .capacity = 10});
    outcome out = {0}, in = {0};
    weir_queue_dequeue_many(q, 4, false, NULL, note_priorities, &out);
    for (int64_t v = 9; v > 5; v--) {
        CHECK_EQ(out.times, 0);
        weir_tensor t = weir_tensor_scalar(WEIR_INT64, &v);
        weir_queue_enqueue(q, &t, NULL, note, &in);
        weir_tensor_release(&t);
    }
    CHECK_EQ(out.times, 1);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(out.values[i], 6 + i);
    weir_queue_release(q);
}

TEST(closing_ends_who_waits)
{
    weir_queue *q = make(WEIR_QUEUE_FIFO, 4);
    outcome many = {0}, fewer = {0}, closed = {0};
    put(q, 5);
    weir_queue_dequeue_many(q, 3, false, NULL, note, &many);
    weir_queue_dequeue_many(q, 3, true, NULL, note, &fewer);
    CHECK_EQ(many.times + fewer.times, 0);
    weir_queue_close(q, false, note, &closed);
    CHECK_EQ(closed.times, 1);
    CHECK_EQ(many.code, WEIR_OUT_OF_RANGE);
    CHECK_EQ(fewer.code, WEIR_CODE_OK);
    CHECK_EQ(fewer.count, 1);
    CHECK_EQ(fewer.values[0], 5);
    CHECK_EQ(put(q, 1).code, WEIR_CANCELLED);
    weir_queue_release(q);
}

TEST(cancelling_ends_one_and_lets_the_next_go)
{
    weir_queue *q = make(WEIR_QUEUE_FIFO, 4);
    weir_cancel *cancel = weir_cancel_create(NULL);
    outcome first = {0}, second = {0};
    weir_queue_dequeue_many(q, 2, false, cancel, note, &first);
    weir_queue_dequeue(q, NULL, note, &second);
    put(q, 9);
    CHECK_EQ(first.times + second.times, 0);
    weir_cancel_fire(cancel, weir_error(WEIR_CANCELLED, "enough"));
    CHECK_EQ(first.code, WEIR_CANCELLED);
    CHECK_EQ(second.times, 1);
    CHECK_EQ(second.values[0], 9); /* the first one's tuples were put back */
    outcome late = {0};
    weir_queue_dequeue(q, cancel, note, &late);
    CHECK_EQ(late.code, WEIR_CANCELLED);
    weir_cancel_release(cancel);
    weir_queue_release(q);
}

static uint32_t always_first(void *arg)
{
    return 0;
}

TEST(shuffling_takes_where_it_is_told)
{
    static const weir_dtype dtype = WEIR_INT32;
    weir_shape scalar = WEIR_SCALAR;
    weir_queue *q = weir_queue_create(&(weir_queue_spec){.kind = WEIR_QUEUE_RANDOM,
                                                         .name = "q",
                                                         .count = 1,
                                                         .dtypes = &dtype,
                                                         .shapes = &scalar,
                                                         .capacity = -1,
                                                         .min_after_dequeue = 1,
                                                         .random = always_first});
    outcome in = {0}, waits = {0};
    put_many(q, 3, &in);
    CHECK_EQ(get(q).values[0], 0);
    CHECK_EQ(get(q).values[0], 2); /* the last took the place of the first */
    weir_queue_dequeue(q, NULL, note, &waits);
    CHECK_EQ(waits.times, 0); /* one must remain */
    put(q, 7);
    CHECK_EQ(waits.times, 1);
    weir_queue_release(q);
}

TEST(shapes_and_types_are_checked)
{
    weir_queue *q = make(WEIR_QUEUE_FIFO, 4);
    outcome o = {0};
    float f = 1;
    weir_tensor wrong = weir_tensor_scalar(WEIR_FLOAT, &f);
    weir_queue_enqueue(q, &wrong, NULL, note, &o);
    CHECK_EQ(o.code, WEIR_INVALID_ARGUMENT);
    weir_tensor_release(&wrong);
    weir_queue_dequeue_many(q, -1, false, NULL, note, &o);
    CHECK_EQ(o.code, WEIR_INVALID_ARGUMENT);
    weir_queue_release(q);
}

TEST_MAIN()
