/* data/pipeline_test.c - orders and batches over an artificial source. */
#include "data/pipeline.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/test.h"

/* Examples are their own numbers. One may fail; a stream has |count| examples. */
typedef struct toy {
    weir_source base;
    int64_t bad; /* the example that fails; -1: none */
    int64_t length, at;
    atomic_int fetched;
} toy;

static weir_status fetch(weir_source *source, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    toy *this_toy = (toy *)source;
    float *number = weir_scratch_room(&scratch->file, sizeof *number);
    int64_t is = item->index;
    if (this_toy->base.count < 0)
        memcpy(&is, item->bytes.at, sizeof is);
    if (is % 7 == 0)
        usleep(50); /* so that threads overtake each other */
    atomic_fetch_add(&this_toy->fetched, 1);
    if (is == this_toy->bad)
        return weir_error(WEIR_DATA_LOSS, "bad");
    *number = (float)is;
    *out = (weir_example){.kind = WEIR_NUMBERS, .numbers = number, .count = 1, .label = is % 10};
    return WEIR_OK;
}

static weir_status rewind_toy(weir_source *source)
{
    ((toy *)source)->at = 0;
    return WEIR_OK;
}

static weir_status read_toy(weir_source *source, weir_item *item)
{
    toy *this_toy = (toy *)source;
    if (this_toy->at == this_toy->length)
        return weir_error(WEIR_OUT_OF_RANGE, "end");
    item->bytes.length = 0;
    weir_buf_add(&item->bytes, &this_toy->at, sizeof this_toy->at);
    this_toy->at++;
    return WEIR_OK;
}

static void where(const weir_source *source, const weir_item *item, weir_buf *out)
{
    weir_buf_addf(out, "toy %lld", (long long)item->index);
}

static const weir_source_class class = {
    .fetch = fetch, .rewind = rewind_toy, .read = read_toy, .where = where};

static toy make_toy(int64_t count, bool stream)
{
    return (toy){.base = {.class = &class,
                          .kind = "toy",
                          .count = stream ? -1 : count,
                          .rank = 1,
                          .dims = {1},
                          .in_memory = false},
                 .bad = -1,
                 .length = count};
}

enum { MOST = 4000 };
static int64_t seen[MOST];

/* Runs it to the end; returns the number of examples, -1 on a failure. */
static int64_t run_all(toy *toy, weir_data_options options, int threads)
{
    weir_fit fit;
    int64_t count = 0;
    options.label_type = TF_INT64;
    CHECK_OK(weir_fit_init(&fit, &options, &toy->base));
    weir_order *order = weir_order_create(&options, &toy->base);
    weir_pipeline *pipeline =
        weir_pipeline_create(&(weir_pipeline_spec){.source = &toy->base,
                                                   .order = order,
                                                   .fit = &fit,
                                                   .batch = options.batch,
                                                   .whole_batches = options.whole_batches,
                                                   .threads = threads,
                                                   .prefetch = 2});
    for (;;) {
        weir_batch batch;
        weir_status status = weir_pipeline_next(pipeline, &batch);
        if (status) {
            CHECK_MSG(strstr(weir_status_message(status), "toy "), "%s",
                      weir_status_message(status));
            CHECK_EQ(count, toy->bad / options.batch * options.batch); /* every batch before it */
            weir_status_free(status);
            count = -1;
        }
        if (status || !batch.x.buffer)
            break;
        for (int64_t i = 0; i < batch.count; i++, count++) {
            seen[count] = (int64_t)((float *)batch.x.data)[i];
            CHECK_EQ(((int64_t *)batch.y.data)[i], seen[count] % 10);
        }
        weir_batch_release(&batch);
    }
    weir_pipeline_destroy(pipeline);
    weir_order_destroy(order);
    return count;
}

static bool is_permutation(const int64_t *of, int64_t count)
{
    bool there[MOST] = {0};
    for (int64_t i = 0; i < count; i++) {
        if (of[i] < 0 || of[i] >= count || there[of[i]])
            return false;
        there[of[i]] = true;
    }
    return true;
}

TEST(in_order_whatever_the_threads)
{
    for (int stream = 0; stream < 2; stream++)
        for (int threads = 0; threads <= 4; threads++) {
            toy t = make_toy(103, stream);
            weir_data_options o = {.batch = 10, .epochs = 3};
            CHECK_EQ(run_all(&t, o, threads), 309);
            for (int i = 0; i < 309; i++)
                CHECK_EQ(seen[i], i % 103);
            o.whole_batches = true;
            CHECK_EQ(run_all(&t, o, threads), 300);
        }
}

TEST(shuffles_each_epoch_anew)
{
    static int64_t first[MOST];
    for (int stream = 0; stream < 2; stream++) {
        toy t = make_toy(500, stream);
        weir_data_options o = {
            .batch = 16, .epochs = 2, .shuffle = true, .seed = 4, .shuffle_buffer = 60};
        CHECK_EQ(run_all(&t, o, 0), 1000);
        memcpy(first, seen, sizeof seen);
        CHECK(is_permutation(seen, 500) && is_permutation(seen + 500, 500));
        CHECK(memcmp(seen, seen + 500, 500 * sizeof *seen) != 0);
        CHECK_EQ(run_all(&t, o, 3), 1000);
        CHECK(memcmp(first, seen, 1000 * sizeof *seen) == 0);
        int64_t furthest = 0; /* a buffer moves an example forward by at most its size */
        for (int i = 0; i < 500; i++)
            furthest = first[i] - i > furthest ? first[i] - i : furthest;
        CHECK_MSG(stream ? furthest <= 60 && furthest > 30 : furthest > 300, "%d", (int)furthest);
    }
}

TEST(shards_and_the_part_held_out)
{
    for (int stream = 0; stream < 2; stream++) {
        static int64_t all[MOST];
        int64_t n = 0;
        toy t = make_toy(200, stream);
        t.base.is_whole = true;
        for (int split = 0; split < 2; split++)
            for (int shard = 0; shard < 3; shard++) {
                weir_data_options o = {.batch = 7,
                                       .epochs = 1,
                                       .split = split ? "test" : "train",
                                       .shard = shard,
                                       .shards = 3};
                int64_t got = run_all(&t, o, 2);
                CHECK_MSG(split ? got == 6 || got == 7 : got == 60, "%d", (int)got);
                for (int64_t i = 0; i < got; i++)
                    CHECK_EQ(seen[i] % 10 == 9, split);
                memcpy(all + n, seen, (size_t)got * sizeof *seen);
                n += got;
            }
        CHECK_EQ(n, 200);
        CHECK(is_permutation(all, 200));
    }
}

TEST(a_failure_comes_in_its_place)
{
    for (int stream = 0; stream < 2; stream++)
        for (int threads = 0; threads <= 4; threads++)
            for (int64_t bad = 0; bad < 60; bad += 19) {
                toy t = make_toy(60, stream);
                t.bad = bad;
                CHECK_EQ(run_all(&t, (weir_data_options){.batch = 8, .epochs = 1}, threads), -1);
            }
}

TEST(no_examples)
{
    toy t = make_toy(2, true);
    CHECK_EQ(run_all(&t, (weir_data_options){.batch = 8, .epochs = 1, .shard = 2, .shards = 3}, 2),
             0);
}

TEST(never_far_ahead)
{
    toy t = make_toy(4000, false);
    weir_data_options o = {.batch = 10, .label_type = TF_INT64};
    weir_fit fit;
    CHECK_OK(weir_fit_init(&fit, &o, &t.base));
    weir_order *order = weir_order_create(&o, &t.base);
    weir_pipeline_spec spec = {
        .source = &t.base, .order = order, .fit = &fit, .batch = 10, .threads = 3, .prefetch = 2};
    weir_pipeline *p = weir_pipeline_create(&spec);
    usleep(50000);
    CHECK(atomic_load(&t.fetched) <= 30);
    weir_batch b;
    CHECK_OK(weir_pipeline_next(p, &b));
    weir_batch_release(&b);
    weir_pipeline_destroy(p); /* in the middle */
    weir_order_destroy(order);
}

TEST_MAIN()
