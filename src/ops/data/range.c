/* ops/data/range.c - RangeDataset: start, start + step, ... up to stop. */
#include "ops/common/elements.h"
#include "ops/data/data_impl.h"

typedef struct range {
    weir_dataset base;
    int64_t start, stop, step;
} range;

typedef struct range_iterator {
    weir_iterator base;
    int64_t index;
} range_iterator;

static int64_t cardinality(const weir_dataset *d)
{
    const range *r = (const range *)d;
    /* In 128 bits: stop - start may not fit. */
    __int128 span = (__int128)r->stop - r->start, step = r->step;
    __int128 n = step > 0 ? (span + step - 1) / step : (span + step + 1) / step;
    if (n > INT64_MAX)
        return INT64_MAX;
    return n > 0 ? (int64_t)n : 0;
}

static bool put_number(weir_tensor *t, int64_t value)
{
    switch (t->dtype) {
    case WEIR_FLOAT:
        *(float *)t->data = (float)value;
        return true;
    case WEIR_DOUBLE:
        *(double *)t->data = (double)value;
        return true;
    case WEIR_HALF:
        *(uint16_t *)t->data = weir_float_to_half((float)value);
        return true;
    case WEIR_BFLOAT16:
        *(uint16_t *)t->data = weir_float_to_bfloat16((float)value);
        return true;
    default:
        if (!weir_dtype_is_int(t->dtype))
            return false;
        weir_int_set(t, 0, value);
        return true;
    }
}

static weir_status get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    (void)run;
    const range *r = (const range *)d;
    int64_t value = (int64_t)((uint64_t)r->start + (uint64_t)index * (uint64_t)r->step);
    WEIR_TRY(weir_tensor_alloc(d->types[0], &WEIR_SCALAR, out));
    if (put_number(out, value))
        return WEIR_OK;
    weir_tensor_release(out);
    return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported data type: %s",
                      weir_dtype_name(d->types[0]));
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    range_iterator *i = (range_iterator *)it;
    *out_end = i->index >= cardinality(it->dataset);
    return *out_end ? WEIR_OK : get(it->dataset, run, i->index++, out);
}

static const weir_dataset_fns fns = {
    .name = "Range",
    .bytes = sizeof(range),
    .iterator_bytes = sizeof(range_iterator),
    .next = next,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *c)
{
    int64_t start, stop, step;
    range *d;
    WEIR_TRY(weir_data_int(c, "start", &start));
    WEIR_TRY(weir_data_int(c, "stop", &stop));
    WEIR_TRY(weir_data_int(c, "step", &step));
    if (step == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "step must be a non-zero integer.");
    const weir_attr *types = weir_data_attr(c->site, "output_types");
    if (types->count != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "RangeDataset has one component, not %d",
                          types->count);
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    d->start = start;
    d->stop = stop;
    d->step = step;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(range_dataset, "RangeDataset", "start: int64; stop: int64; step: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META "; replicate_on_split: bool = false",
                WEIR_STATEFUL, make);
