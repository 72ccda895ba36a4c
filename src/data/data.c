/* data/data.c - weir/data.h: combines a source, an order and a fit. */
#include "weir/data.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "data/pipeline.h"

enum { BATCH = 100, PREFETCH = 2, MOST_THREADS = 1024, MOST_AHEAD = 1024, MOST_BUFFER = 1 << 24 };

struct weir_data {
    weir_data_options options; /* its pointers are not used after opening */
    weir_source *source;       /* null: synthetic */
    weir_order *order;
    weir_fit fit;
    weir_pipeline *pipeline;
    weir_batch fixed; /* for synthetic data */
    char *about;
    bool ended;
};

static bool end_with(TF_Status *out, weir_status status)
{
    TF_SetStatus(out, (TF_Code)weir_status_code(status), weir_status_message(status));
    weir_status_free(status);
    return TF_GetCode(out) == TF_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static weir_status check_options(weir_data_options *options)
{
    if (!options->source || !*options->source)
        return weir_error(WEIR_INVALID_ARGUMENT, "no source of data is given");
    if (options->batch == 0)
        options->batch = BATCH;
    if (options->batch < 0 || options->threads < 0 || options->prefetch < 0 || options->epochs < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "batch %d, threads %d, prefetch %d, epochs %d: none may be negative",
                          options->batch, options->threads, options->prefetch, options->epochs);
    if (options->threads > MOST_THREADS || options->prefetch > MOST_AHEAD ||
        options->shuffle_buffer > MOST_BUFFER)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "threads %d, prefetch %d, shuffle_buffer %lld: at most %d, %d and %d",
                          options->threads, options->prefetch, (long long)options->shuffle_buffer,
                          MOST_THREADS, MOST_AHEAD, MOST_BUFFER);
    int shards = options->shards > 0 ? options->shards : 1;
    if (options->shard < 0 || options->shard >= shards)
        return weir_error(WEIR_INVALID_ARGUMENT, "shard %d is not one of %d, from 0",
                          options->shard, shards);
    if (options->split && strcmp(options->split, "train") && strcmp(options->split, "test") &&
        strcmp(options->split, "all"))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "split \"%s\" is none of \"train\", \"test\" and \"all\"",
                          options->split);
    return WEIR_OK;
}

static char *describe(const weir_data *data)
{
    weir_buf buf = {0};
    int64_t n = weir_data_examples(data), dims[4], classes = weir_data_classes(data);
    weir_buf_addf(&buf, "%s, ", data->source ? data->source->kind : "synthetic");
    if (n >= 0)
        weir_buf_addf(&buf, "%lld ", (long long)n);
    weir_buf_adds(&buf, "examples of ");
    int rank = weir_data_dims(data, dims);
    for (int i = 0; i < rank; i++)
        weir_buf_addf(&buf, "%s%lld", i ? "x" : "", (long long)dims[i]);
    if (classes > 0)
        weir_buf_addf(&buf, ", %lld classes", (long long)classes);
    return weir_buf_take(&buf);
}

/* No threads for cheap conversions: waking a thread costs more. */
static int threads_of(const weir_data *data)
{
    if (data->options.threads > 0)
        return data->options.threads;
    return data->source->in_memory && !data->fit.resizes ? 0 : weir_cpu_count();
}

static weir_status open_source(weir_data *data)
{
    WEIR_TRY(weir_source_open(&data->options, &data->source));
    WEIR_TRY(weir_fit_init(&data->fit, &data->options, data->source));
    data->order = weir_order_create(&data->options, data->source);
    if (weir_order_examples(data->order) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has no examples for %s", data->options.source,
                          data->options.split ? data->options.split : "train");
    data->pipeline = weir_pipeline_create(&(weir_pipeline_spec){
        .source = data->source,
        .order = data->order,
        .fit = &data->fit,
        .batch = data->options.batch,
        .whole_batches = data->options.whole_batches,
        .threads = threads_of(data),
        .prefetch = data->options.prefetch > 0 ? data->options.prefetch : PREFETCH,
    });
    return WEIR_OK;
}

static weir_status open_data(weir_data *data)
{
    WEIR_TRY(check_options(&data->options));
    if (strcmp(data->options.source, "synthetic") == 0)
        WEIR_TRY(weir_synthetic_make(&data->options, &data->fixed));
    else
        WEIR_TRY(open_source(data));
    data->about = describe(data);
    return WEIR_OK;
}

weir_data *weir_data_open(const weir_data_options *options, TF_Status *status)
{
    weir_data *data = WEIR_NEW(weir_data);
    data->options = *options;
    if (end_with(status, open_data(data)))
        return data;
    weir_data_close(data);
    return NULL;
}

void weir_data_close(weir_data *data)
{
    if (!data)
        return;
    weir_pipeline_destroy(data->pipeline); /* first: its threads use the rest */
    weir_order_destroy(data->order);
    if (data->source)
        weir_source_destroy(data->source);
    weir_batch_release(&data->fixed);
    weir_free(data->about);
    weir_free(data);
}

/* ---- batches --------------------------------------------------------------------------------- */

static weir_status next_batch(weir_data *data, weir_batch *out_batch)
{
    if (!data->source) {
        *out_batch = data->fixed;
        weir_buffer_retain(data->fixed.x.buffer);
        weir_buffer_retain(data->fixed.y.buffer);
        return WEIR_OK;
    }
    return weir_pipeline_next(data->pipeline, out_batch);
}

bool weir_data_next(weir_data *data, TF_Tensor **x, TF_Tensor **y, TF_Status *status)
{
    weir_batch batch = {0};
    *x = NULL;
    if (y)
        *y = NULL;
    data->ended =
        !end_with(status, data->ended ? WEIR_OK : next_batch(data, &batch)) || !batch.x.buffer;
    if (data->ended)
        return false;
    weir_batch_give(&batch, x, y);
    return true;
}

/* ---- description ----------------------------------------------------------------------------- */

int64_t weir_data_examples(const weir_data *data)
{
    return data->source ? weir_order_examples(data->order) : -1;
}

int64_t weir_data_classes(const weir_data *data)
{
    return data->source ? data->source->classes : data->options.classes;
}

const char *weir_data_class_name(const weir_data *data, int64_t label)
{
    bool known = data->source && data->source->class->class_name && label >= 0 &&
                 label < data->source->classes;
    return known ? data->source->class->class_name(data->source, label) : NULL;
}

int weir_data_dims(const weir_data *data, int64_t dims[4])
{
    const weir_tensor *fixed = &data->fixed.x;
    int rank = data->source ? data->fit.rank : fixed->shape.rank - 1;
    for (int i = 0; i < 4; i++)
        dims[i] = i >= rank ? 0 : data->source ? data->fit.dims[i] : fixed->shape.dims[i + 1];
    return rank;
}

const char *weir_data_about(const weir_data *data)
{
    return data->about;
}
