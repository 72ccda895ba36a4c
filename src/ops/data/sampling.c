/* ops/data/sampling.c - SamplingDataset, FilterByLastComponentDataset, SleepDataset: random
 * selection, selection by the last component, delay.
 */
#include <time.h>

#include "math/random/philox.h"
#include "ops/data/data_impl.h"

/* ---- SamplingDataset ------------------------------------------------------------------------- */

typedef struct sampling {
    weir_dataset base;
    float rate;
    int64_t seeds[2];
} sampling;

typedef struct sampling_iterator {
    weir_iterator base;
    weir_philox stream;
    weir_philox_single single;
    bool seeded;
} sampling_iterator;

/* Uniform in [0, 1): the upper bits of a random word become the mantissa of a number in [1, 2). */
static float draw(sampling_iterator *iterator)
{
    uint32_t bits = 0x3f800000u | (weir_philox_u32(&iterator->single) & 0x7fffffu);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number - 1.0f;
}

static weir_status sampling_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    sampling_iterator *iterator = (sampling_iterator *)it;
    const sampling *this_sampling = (const sampling *)it->dataset;
    if (!iterator->seeded) {
        iterator->stream = weir_philox_seeded((uint64_t)this_sampling->seeds[0],
                                              (uint64_t)this_sampling->seeds[1]);
        iterator->single = weir_philox_singles(&iterator->stream);
        iterator->seeded = true;
    }
    for (;;) {
        WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
        if (*out_end || draw(iterator) < this_sampling->rate)
            return WEIR_OK;
        weir_element_clear(out, it->dataset->count);
    }
}

static const weir_dataset_fns sampling_fns = {
    .name = "Sampling",
    .bytes = sizeof(sampling),
    .iterator_bytes = sizeof(sampling_iterator),
    .like_input = true,
    .next = sampling_next,
};

static weir_status make_sampling(weir_call *call)
{
    sampling *made;
    int64_t seeds[2];
    const weir_tensor *rate = weir_data_in(call, "rate");
    if (rate->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "rate must be a scalar");
    WEIR_TRY(weir_data_seeds(call, seeds));
    WEIR_TRY(weir_dataset_new(call, &sampling_fns, &made));
    made->rate = *(const float *)rate->data;
    memcpy(made->seeds, seeds, sizeof seeds);
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(sampling_dataset, "SamplingDataset",
                "input_dataset: variant; rate: float; seed: int64; seed2: int64",
                WEIR_DATASET_TYPES, 0, make_sampling);

/* ---- FilterByLastComponentDataset ------------------------------------------------------------ */

static weir_status check_last(const weir_tensor *last)
{
    if (last->dtype != WEIR_BOOL || last->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The last component must be a bool scalar, not %s of shape %s",
                          weir_dtype_name(last->dtype), WEIR_SHAPE_STR(&last->shape));
    return WEIR_OK;
}

static weir_status last_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int count = it->dataset->inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    weir_status status = WEIR_OK;
    for (bool kept = false; !status && !kept;) {
        weir_element_clear(element, count);
        status = weir_iterator_pull(it, 0, run, element, out_end);
        if (status || *out_end)
            break;
        status = check_last(&element[count - 1]);
        kept = !status && *(const bool *)element[count - 1].data;
    }
    for (int i = 0; !status && !*out_end && i < it->dataset->count; i++)
        weir_tensor_move(&out[i], &element[i]);
    weir_element_destroy(element, count);
    return status;
}

static const weir_dataset_fns last_fns = {
    .name = "FilterByLastComponent",
    .bytes = sizeof(weir_dataset),
    .iterator_bytes = sizeof(weir_iterator),
    .next = last_next,
};

static weir_status make_last(weir_call *call)
{
    weir_dataset *made;
    WEIR_TRY(weir_dataset_new(call, &last_fns, &made));
    if (made->inputs[0]->count != made->count + 1) {
        weir_dataset_release(made);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "output_types must be those of the input without the last");
    }
    weir_dataset_output(call, made);
    return WEIR_OK;
}

WEIR_DEFINE_OP(filter_by_last_component_dataset, "FilterByLastComponentDataset",
               .in = "input_dataset: variant", .out = "output: variant",
               .attrs = WEIR_DATASET_TYPES, .flags = WEIR_NO_FOLD, .infer = weir_infer_scalar,
               .no_grad = true,
               .kernels = {{WEIR_CPU, "*", make_last, WEIR_OWN_OUTPUTS | WEIR_CHEAP}});

/* ---- SleepDataset ---------------------------------------------------------------------------- */

typedef struct sleeper {
    weir_dataset base;
    int64_t microseconds;
} sleeper;

enum { NAP = 2000 }; /* microseconds; bounds the delay of cancellation */

static weir_status sleep_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    for (int64_t left = ((const sleeper *)it->dataset)->microseconds; left > 0; left -= NAP) {
        int64_t now = left < NAP ? left : NAP;
        if (run->cancel && weir_cancel_fired(run->cancel))
            return weir_error(WEIR_CANCELLED, "Operation was cancelled");
        nanosleep(&(struct timespec){.tv_nsec = now * 1000}, NULL);
    }
    return weir_iterator_pull(it, 0, run, out, out_end);
}

static const weir_dataset_fns sleep_fns = {
    .name = "Sleep",
    .bytes = sizeof(sleeper),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .may_block = true,
    .next = sleep_next,
    .cardinality = weir_data_input_cardinality,
};

static weir_status make_sleep(weir_call *call)
{
    sleeper *made;
    int64_t microseconds;
    WEIR_TRY(weir_data_int(call, "sleep_microseconds", &microseconds));
    WEIR_TRY(weir_dataset_new(call, &sleep_fns, &made));
    made->microseconds = microseconds;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(sleep_dataset, "SleepDataset", "input_dataset: variant; sleep_microseconds: int64",
                WEIR_DATASET_TYPES, 0, make_sleep);
WEIR_DATASET_OP(experimental_sleep_dataset, "ExperimentalSleepDataset",
                "input_dataset: variant; sleep_microseconds: int64", WEIR_DATASET_TYPES, 0,
                make_sleep);
