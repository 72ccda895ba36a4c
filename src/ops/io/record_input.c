/* ops/io/record_input.c - RecordInput: infinite batches of records in random order.
 *
 * Each epoch reads all files in a new order. Records pass through a shuffle buffer: each is
 * inserted at a random position and removed from the end. */
#include <inttypes.h>

#include "base/arith.h"
#include "base/mutex.h"
#include "io/file.h"
#include "io/record.h"
#include "math/random/philox.h"
#include "ops/common/strs.h"
#include "ops/state/named.h"

enum { PATTERN, SEED, SHIFT, BUFFER, PARALLELISM, BATCH, COMPRESSION }; /* attrs */

typedef struct input {
    weir_resource base;
    weir_mutex lock;
    weir_paths files WEIR_GUARDED_BY(lock); /* of this epoch */
    size_t next_file WEIR_GUARDED_BY(lock);
    weir_stream *stream WEIR_GUARDED_BY(lock); /* the current file; null: none */
    WEIR_VEC(weir_buf) records WEIR_GUARDED_BY(lock);
    int64_t epoch WEIR_GUARDED_BY(lock);
    weir_philox random WEIR_GUARDED_BY(lock);
} input;

static const weir_resource_type input_type = {"N10tensorflow13RecordYielderE", "record input"};

static void drop_records(input *in)
{
    for (size_t i = 0; i < in->records.count; i++)
        weir_buf_fini(&in->records.at[i]);
    weir_vec_fini(&in->records);
}

static void destroy(weir_ref *ref)
{
    input *in = (input *)ref;
    drop_records(in);
    weir_paths_fini(&in->files);
    weir_stream_destroy(in->stream);
    weir_mutex_fini(&in->lock);
    weir_free(in);
}

static weir_status create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    input *in = WEIR_NEW(input);
    weir_ref_init(&in->base.ref, destroy);
    in->base.type = &input_type;
    weir_mutex_init(&in->lock);
    in->random = weir_philox_seeded((uint64_t)weir_site_int(site, SEED), 0);
    *out = &in->base;
    return WEIR_OK;
}

static size_t draw(weir_philox *random, size_t below)
{
    weir_philox_block block = weir_philox_next(random);
    return (size_t)((block.u[0] | (uint64_t)block.u[1] << 32) % below);
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static weir_status match_files(weir_str patterns, weir_paths *out)
{
    for (size_t begin = 0; begin <= patterns.length;) {
        size_t end = begin;
        while (end < patterns.length && patterns.at[end] != ',')
            end++;
        WEIR_FREED char *pattern = weir_strndup(patterns.at + begin, end - begin);
        WEIR_TRY(weir_glob(pattern, out));
        begin = end + 1;
    }
    return WEIR_OK;
}

static void swap(char **a, char **b)
{
    char *text = *a;
    *a = *b;
    *b = text;
}

/* Shuffled by epoch and seed, then rotated left by a fraction. */
static void order_files(input *in, const weir_site *site)
{
    size_t count = in->files.count;
    float ratio = weir_site_float(site, SHIFT);
    size_t shift = ratio >= 0 && ratio < 1 ? (size_t)(ratio * (float)count) : 0;
    weir_philox random =
        weir_philox_seeded((uint64_t)weir_site_int(site, SEED), (uint64_t)in->epoch);
    for (size_t i = count; i > 1; i--)
        swap(&in->files.at[i - 1], &in->files.at[draw(&random, i)]);
    char **moved = WEIR_NEW_ARRAY(char *, count + 1);
    for (size_t i = 0; i < count; i++)
        moved[i] = in->files.at[(i + shift) % count];
    memcpy(in->files.at, moved, sizeof *moved * count);
    weir_free(moved);
}

static weir_status start_epoch(input *in, const weir_site *site)
{
    weir_str pattern = weir_site_str(site, PATTERN);
    weir_paths_fini(&in->files);
    in->files = (weir_paths){0};
    in->next_file = 0;
    in->epoch++;
    WEIR_TRY(match_files(pattern, &in->files));
    if (!in->files.count)
        return weir_error(WEIR_NOT_FOUND, "Found no files at %.*s", WEIR_STR_ARG(pattern));
    order_files(in, site);
    return WEIR_OK;
}

/* ---- records --------------------------------------------------------------------------------- */

static weir_status open_next(input *in, const weir_site *site)
{
    weir_packing packing;
    const char *path = in->files.at[in->next_file];
    WEIR_TRY(weir_packing_parse(weir_site_str(site, COMPRESSION), &packing));
    weir_status status = weir_stream_open(path, packing, 0, &in->stream);
    if (status) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT, "Can't open %s", path);
    }
    in->next_file++;
    return WEIR_OK;
}

/* Reads one record of this epoch; *out_any is false at its end. */
static weir_status read_one(input *in, const weir_site *site, bool *out_any)
{
    weir_buf record = {0};
    *out_any = false;
    while (in->stream || in->next_file < in->files.count) {
        if (!in->stream)
            WEIR_TRY(open_next(in, site));
        weir_status status = weir_record_read(in->stream, &record);
        if (!status) {
            size_t at = draw(&in->random, in->records.count + 1);
            weir_vec_push(&in->records, record);
            weir_buf last = in->records.at[in->records.count - 1];
            in->records.at[in->records.count - 1] = in->records.at[at];
            in->records.at[at] = last;
            *out_any = true;
            return WEIR_OK;
        }
        weir_buf_fini(&record);
        record = (weir_buf){0};
        weir_stream_destroy(in->stream);
        in->stream = NULL;
        if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
            return status;
        weir_status_free(status);
    }
    return WEIR_OK;
}

static weir_status fill(input *in, const weir_site *site)
{
    int64_t most = weir_site_int(site, BUFFER) > 0 ? weir_site_int(site, BUFFER) : 1;
    bool any = true;
    while (any && (int64_t)in->records.count < most)
        WEIR_TRY(read_one(in, site, &any));
    return WEIR_OK;
}

/* Puts a record into element |i|; starts the next epoch at the end of one. */
static weir_status yield(input *in, const weir_site *site, weir_tensor *out, int64_t i)
{
    WEIR_TRY(fill(in, site));
    if (!in->records.count) {
        WEIR_TRY(start_epoch(in, site));
        WEIR_TRY(fill(in, site));
    }
    if (!in->records.count)
        return weir_error(WEIR_OUT_OF_RANGE, "No records in the files at %.*s",
                          WEIR_STR_ARG(weir_site_str(site, PATTERN)));
    weir_buf *last = &in->records.at[--in->records.count];
    weir_str_put(out, i, (weir_str){last->at, last->length});
    weir_buf_fini(last);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, (void *)call->site, &found));
    input *in = (input *)found;
    weir_status status = WEIR_OK;
    weir_mutex_lock(&in->lock);
    for (int64_t i = 0; i < weir_tensor_count(weir_out(call, 0)) && !status; i++)
        status = yield(in, call->site, weir_out(call, 0), i);
    weir_mutex_unlock(&in->lock);
    weir_ref_release(&in->base.ref);
    return status;
}

static weir_status prepare(weir_prepare *preparation)
{
    int64_t parallelism = weir_site_int(preparation->site, PARALLELISM),
            batch = weir_site_int(preparation->site, BATCH);
    if (parallelism < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "file_parallelism should >= 0, got %" PRId64,
                          parallelism);
    if (batch < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "batch_size must be non-negative but got %" PRId64,
                          batch);
    return weir_named_prepare(preparation, -1, -1, WEIR_BY_NODE_NAME, &input_type);
}

/* The batch size is validated here before the kernel is prepared. */
static weir_status infer(weir_infer *infer)
{
    int64_t batch = weir_site_int(infer->site, BATCH);
    infer->out[0] = infer->in_handles ? WEIR_UNKNOWN_SHAPE : weir_shape_vector(weir_max(batch, 0));
    return WEIR_OK;
}

const weir_op weir_op_record_input = {
    .name = "RecordInput",
    .out = "records: string",
    .attrs = "file_pattern: string; file_random_seed: int = 301; "
             "file_shuffle_shift_ratio: float = 0.0; file_buffer_size: int = 10000; "
             "file_parallelism: int = 16; batch_size: int = 32; compression_type: string = \"\"",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_EXPENSIVE, .prepare = prepare,
                 .cleanup = weir_named_cleanup}},
};
