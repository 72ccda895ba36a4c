/* data/data.c - weir/data.h: a source, an order and a fit behind one call. */
#include "weir/data.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "data/pipeline.h"

enum { BATCH = 100, PREFETCH = 2, MOST_THREADS = 1024, MOST_AHEAD = 1024, MOST_BUFFER = 1 << 24 };

struct weir_data {
    weir_data_options options; /* pointers in it are not used after the opening */
    weir_source *source;       /* null: synthetic */
    weir_order *order;
    weir_fit fit;
    weir_pipeline *pipeline;
    weir_batch fixed; /* of synthetic data */
    char *about;
    bool ended;
};

static bool end_with(TF_Status *out, weir_status s)
{
    TF_SetStatus(out, (TF_Code)weir_status_code(s), weir_status_message(s));
    weir_status_free(s);
    return TF_GetCode(out) == TF_OK;
}

/* ---- opening ---- */

static weir_status check_options(weir_data_options *o)
{
    if (!o->source || !*o->source)
        return weir_error(WEIR_INVALID_ARGUMENT, "no source of data is given");
    if (o->batch == 0)
        o->batch = BATCH;
    if (o->batch < 0 || o->threads < 0 || o->prefetch < 0 || o->epochs < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "batch %d, threads %d, prefetch %d, epochs %d: none may be negative",
                          o->batch, o->threads, o->prefetch, o->epochs);
    if (o->threads > MOST_THREADS || o->prefetch > MOST_AHEAD || o->shuffle_buffer > MOST_BUFFER)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "threads %d, prefetch %d, shuffle_buffer %lld: at most %d, %d and %d",
                          o->threads, o->prefetch, (long long)o->shuffle_buffer, MOST_THREADS,
                          MOST_AHEAD, MOST_BUFFER);
    int shards = o->shards > 0 ? o->shards : 1;
    if (o->shard < 0 || o->shard >= shards)
        return weir_error(WEIR_INVALID_ARGUMENT, "shard %d is not one of %d, from 0", o->shard,
                          shards);
    if (o->split && strcmp(o->split, "train") && strcmp(o->split, "test") &&
        strcmp(o->split, "all"))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "split \"%s\" is none of \"train\", \"test\" and \"all\"", o->split);
    return WEIR_OK;
}

static char *describe(const weir_data *d)
{
    weir_buf b = {0};
    int64_t n = weir_data_examples(d), dims[4], classes = weir_data_classes(d);
    weir_buf_addf(&b, "%s, ", d->source ? d->source->kind : "synthetic");
    if (n >= 0)
        weir_buf_addf(&b, "%lld ", (long long)n);
    weir_buf_adds(&b, "examples of ");
    int rank = weir_data_dims(d, dims);
    for (int i = 0; i < rank; i++)
        weir_buf_addf(&b, "%s%lld", i ? "x" : "", (long long)dims[i]);
    if (classes > 0)
        weir_buf_addf(&b, ", %lld classes", (long long)classes);
    return weir_buf_take(&b);
}

/* Bytes that only need converting are converted faster than another thread is told to. */
static int threads_of(const weir_data *d)
{
    if (d->options.threads > 0)
        return d->options.threads;
    return d->source->in_memory && !d->fit.resizes ? 0 : weir_cpu_count();
}

static weir_status open_source(weir_data *d)
{
    WEIR_TRY(weir_source_open(&d->options, &d->source));
    WEIR_TRY(weir_fit_init(&d->fit, &d->options, d->source));
    d->order = weir_order_create(&d->options, d->source);
    if (weir_order_examples(d->order) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has no examples for %s", d->options.source,
                          d->options.split ? d->options.split : "train");
    d->pipeline = weir_pipeline_create(&(weir_pipeline_spec){
        .source = d->source,
        .order = d->order,
        .fit = &d->fit,
        .batch = d->options.batch,
        .whole_batches = d->options.whole_batches,
        .threads = threads_of(d),
        .prefetch = d->options.prefetch > 0 ? d->options.prefetch : PREFETCH,
    });
    return WEIR_OK;
}

static weir_status open_data(weir_data *d)
{
    WEIR_TRY(check_options(&d->options));
    if (strcmp(d->options.source, "synthetic") == 0)
        WEIR_TRY(weir_synthetic_make(&d->options, &d->fixed));
    else
        WEIR_TRY(open_source(d));
    d->about = describe(d);
    return WEIR_OK;
}

weir_data *weir_data_open(const weir_data_options *o, TF_Status *status)
{
    weir_data *d = WEIR_NEW(weir_data);
    d->options = *o;
    if (end_with(status, open_data(d)))
        return d;
    weir_data_close(d);
    return NULL;
}

void weir_data_close(weir_data *d)
{
    if (!d)
        return;
    weir_pipeline_destroy(d->pipeline); /* first: its threads use the rest */
    weir_order_destroy(d->order);
    if (d->source)
        weir_source_destroy(d->source);
    weir_batch_release(&d->fixed);
    weir_free(d->about);
    weir_free(d);
}

/* ---- batches ---- */

static weir_status next_batch(weir_data *d, weir_batch *out_batch)
{
    if (!d->source) {
        *out_batch = d->fixed;
        weir_buffer_retain(d->fixed.x.buffer);
        weir_buffer_retain(d->fixed.y.buffer);
        return WEIR_OK;
    }
    return weir_pipeline_next(d->pipeline, out_batch);
}

bool weir_data_next(weir_data *d, TF_Tensor **x, TF_Tensor **y, TF_Status *status)
{
    weir_batch b = {0};
    *x = NULL;
    if (y)
        *y = NULL;
    d->ended = !end_with(status, d->ended ? WEIR_OK : next_batch(d, &b)) || !b.x.buffer;
    if (d->ended)
        return false;
    weir_batch_give(&b, x, y);
    return true;
}

/* ---- what it is ---- */

int64_t weir_data_examples(const weir_data *d)
{
    return d->source ? weir_order_examples(d->order) : -1;
}

int64_t weir_data_classes(const weir_data *d)
{
    return d->source ? d->source->classes : d->options.classes;
}

const char *weir_data_class_name(const weir_data *d, int64_t label)
{
    bool known =
        d->source && d->source->class->class_name && label >= 0 && label < d->source->classes;
    return known ? d->source->class->class_name(d->source, label) : NULL;
}

int weir_data_dims(const weir_data *d, int64_t dims[4])
{
    const weir_tensor *fixed = &d->fixed.x;
    int rank = d->source ? d->fit.rank : fixed->shape.rank - 1;
    for (int i = 0; i < 4; i++)
        dims[i] = i >= rank ? 0 : d->source ? d->fit.dims[i] : fixed->shape.dims[i + 1];
    return rank;
}

const char *weir_data_about(const weir_data *d)
{
    return d->about;
}
