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

static int64_t cardinality(const weir_dataset *dataset)
{
    const range *this_range = (const range *)dataset;
    /* In 128 bits, because stop - start may overflow. */
    __int128 span = (__int128)this_range->stop - this_range->start, step = this_range->step;
    __int128 n = step > 0 ? (span + step - 1) / step : (span + step + 1) / step;
    if (n > INT64_MAX)
        return INT64_MAX;
    return n > 0 ? (int64_t)n : 0;
}

static bool put_number(weir_tensor *tensor, int64_t value)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        *(float *)tensor->data = (float)value;
        return true;
    case WEIR_DOUBLE:
        *(double *)tensor->data = (double)value;
        return true;
    case WEIR_HALF:
        *(uint16_t *)tensor->data = weir_f32_f16((float)value);
        return true;
    case WEIR_BFLOAT16:
        *(uint16_t *)tensor->data = weir_f32_bf16((float)value);
        return true;
    default:
        if (!weir_dtype_is_int(tensor->dtype))
            return false;
        weir_int_set(tensor, 0, value);
        return true;
    }
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    (void)run;
    const range *this_range = (const range *)dataset;
    int64_t value =
        (int64_t)((uint64_t)this_range->start + (uint64_t)index * (uint64_t)this_range->step);
    WEIR_TRY(weir_tensor_alloc(dataset->types[0], &WEIR_SCALAR, out));
    if (put_number(out, value))
        return WEIR_OK;
    weir_tensor_release(out);
    return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported data type: %s",
                      weir_dtype_name(dataset->types[0]));
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    range_iterator *iterator = (range_iterator *)it;
    *out_end = iterator->index >= cardinality(it->dataset);
    return *out_end ? WEIR_OK : get(it->dataset, run, iterator->index++, out);
}

static const weir_dataset_fns fns = {
    .name = "Range",
    .bytes = sizeof(range),
    .iterator_bytes = sizeof(range_iterator),
    .next = next,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *call)
{
    int64_t start, stop, step;
    range *range;
    WEIR_TRY(weir_data_int(call, "start", &start));
    WEIR_TRY(weir_data_int(call, "stop", &stop));
    WEIR_TRY(weir_data_int(call, "step", &step));
    if (step == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "step must be a non-zero integer.");
    const weir_attr *types = weir_data_attr(call->site, "output_types");
    if (types->count != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "RangeDataset has one component, not %d",
                          types->count);
    WEIR_TRY(weir_dataset_new(call, &fns, &range));
    range->start = start;
    range->stop = stop;
    range->step = step;
    weir_dataset_output(call, &range->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(range_dataset, "RangeDataset", "start: int64; stop: int64; step: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META "; replicate_on_split: bool = false",
                WEIR_STATEFUL, make);
