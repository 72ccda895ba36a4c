/* data/data.c - weir/data.h: a source, an order and a fit behind one call. */
#include "weir/data.h"

#include "base/mem.h"
#include "data/batch.h"
#include "data/order.h"

enum { BATCH = 100 };

struct weir_data {
    weir_data_options options; /* pointers in it are not used after the opening */
    weir_source *source;       /* null: synthetic */
    weir_order *order;
    weir_fit fit;
    weir_batch fixed; /* of synthetic data */
    weir_scratch scratch;
    weir_item item;
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

static weir_status open_source(weir_data *d)
{
    WEIR_TRY(weir_source_open(&d->options, &d->source));
    WEIR_TRY(weir_fit_init(&d->fit, &d->options, d->source));
    d->order = weir_order_create(&d->options, d->source);
    if (weir_order_examples(d->order) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has no examples for %s", d->options.source,
                          d->options.split ? d->options.split : "train");
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
    weir_order_destroy(d->order);
    if (d->source)
        weir_source_destroy(d->source);
    weir_batch_release(&d->fixed);
    weir_scratch_fini(&d->scratch);
    weir_buf_fini(&d->item.bytes);
    weir_free(d->about);
    weir_free(d);
}

/* ---- batches ---- */

static weir_status put_where(weir_status s, const weir_source *source, const weir_item *item)
{
    weir_buf where = {0};
    source->class->where(source, item, &where);
    s = weir_status_prefix(s, "%s; ", where.at);
    weir_buf_fini(&where);
    return s;
}

static weir_status fill(weir_data *d, weir_batch *b)
{
    bool end = false;
    weir_example e;
    while (b->count < d->options.batch) {
        WEIR_TRY(weir_order_next(d->order, &d->item, &end));
        if (end)
            return WEIR_OK;
        weir_status s = d->source->class->fetch(d->source, &d->item, &d->scratch, &e);
        if (!s)
            s = weir_fit_run(&d->fit, &e, &d->item, &d->scratch, &b->x, b->y.buffer ? &b->y : NULL,
                             b->count);
        if (s)
            return put_where(s, d->source, &d->item);
        b->count++;
    }
    return WEIR_OK;
}

static weir_status next_batch(weir_data *d, weir_batch *out_batch)
{
    if (!d->source) {
        *out_batch = d->fixed;
        weir_buffer_retain(d->fixed.x.buffer);
        weir_buffer_retain(d->fixed.y.buffer);
        return WEIR_OK;
    }
    weir_batch b;
    WEIR_TRY(weir_batch_alloc(&d->fit, d->options.batch, &b));
    weir_status s = fill(d, &b);
    if (s || b.count == 0 || (d->options.whole_batches && b.count < d->options.batch))
        weir_batch_release(&b);
    else
        *out_batch = b;
    return s;
}

bool weir_data_next(weir_data *d, TF_Tensor **x, TF_Tensor **y, TF_Status *status)
{
    weir_batch b = {0};
    *x = NULL;
    if (y)
        *y = NULL;
    d->ended = d->ended || !end_with(status, next_batch(d, &b)) || !b.x.buffer;
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
