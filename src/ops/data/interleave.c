/* ops/data/interleave.c - FlatMapDataset and InterleaveDataset with its parallel forms: a function
 * maps each element to a dataset; several of these are interleaved.
 *
 * Everything runs in order on one thread, so the parallel forms also satisfy their deterministic
 * order.
 */
#include <inttypes.h>

#include "ops/data/data_impl.h"

enum { CYCLE_MOST = 1 << 20, CYCLE_AUTO = 16 };

typedef struct interleave {
    weir_dataset base;
    weir_data_function f;
    int64_t cycle, block;
} interleave;

typedef struct interleave_iterator {
    weir_iterator base;
    weir_iterator **open; /* the cycle; null entries are free */
    int64_t at, taken;    /* position in the cycle, elements taken from it in this round */
    int64_t open_count;
    bool input_ended;
} interleave_iterator;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((interleave *)dataset)->f);
}

static void fini_iterator(weir_iterator *it)
{
    interleave_iterator *iterator = (interleave_iterator *)it;
    for (int64_t k = 0; iterator->open && k < ((const interleave *)it->dataset)->cycle; k++)
        weir_iterator_release(iterator->open[k]);
    weir_free(iterator->open);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]);
    return n == WEIR_CARDINALITY_INFINITE ? n : WEIR_CARDINALITY_UNKNOWN;
}

static weir_status check_inner(const weir_dataset *dataset, const weir_dataset *inner)
{
    if (inner->count != dataset->count ||
        memcmp(inner->types, dataset->types, sizeof *dataset->types * (size_t)dataset->count))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The dataset that the function of %sDataset returns has other "
                          "components than output_types says",
                          dataset->fns->name);
    return WEIR_OK;
}

/* Opens the dataset of the next input element at the current position. */
static weir_status open_next(interleave_iterator *iterator, weir_run *run)
{
    const interleave *this_interleave = (const interleave *)iterator->base.dataset;
    int count = this_interleave->base.inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    weir_dataset *inner = NULL;
    weir_status status =
        weir_iterator_pull(&iterator->base, 0, run, element, &iterator->input_ended);
    if (!status && !iterator->input_ended)
        status = weir_data_function_dataset(&this_interleave->f, run, element, count, &inner);
    weir_element_destroy(element, count);
    if (!status && inner)
        status = check_inner(&this_interleave->base, inner);
    if (!status && inner) {
        iterator->open[iterator->at] = weir_iterator_create(inner);
        iterator->open_count++;
    }
    weir_dataset_release(inner);
    return status;
}

static void advance(interleave_iterator *iterator)
{
    iterator->at = (iterator->at + 1) % ((const interleave *)iterator->base.dataset)->cycle;
    iterator->taken = 0;
}

/* Takes an element from the current position; true on success. */
static weir_status take(interleave_iterator *iterator, weir_run *run, weir_tensor *out,
                        bool *out_given)
{
    bool end;
    WEIR_TRY(weir_iterator_next(iterator->open[iterator->at], run, out, &end));
    *out_given = !end;
    if (end) {
        weir_iterator_release(iterator->open[iterator->at]);
        iterator->open[iterator->at] = NULL;
        iterator->open_count--;
        advance(iterator);
    } else if (++iterator->taken == ((const interleave *)iterator->base.dataset)->block) {
        advance(iterator);
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    interleave_iterator *iterator = (interleave_iterator *)it;
    if (!iterator->open)
        iterator->open = WEIR_NEW_ARRAY(weir_iterator *, ((const interleave *)it->dataset)->cycle);
    for (bool given = false; !iterator->input_ended || iterator->open_count;) {
        if (iterator->open[iterator->at])
            WEIR_TRY(take(iterator, run, out, &given));
        else if (!iterator->input_ended)
            WEIR_TRY(open_next(iterator, run));
        else
            advance(iterator);
        if (given)
            return WEIR_OK;
    }
    *out_end = true;
    return WEIR_OK;
}

static const weir_dataset_fns flat_map_fns = {
    .name = "FlatMap",
    .bytes = sizeof(interleave),
    .iterator_bytes = sizeof(interleave_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static const weir_dataset_fns interleave_fns = {
    .name = "Interleave",
    .bytes = sizeof(interleave),
    .iterator_bytes = sizeof(interleave_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call, const weir_dataset_fns *fns)
{
    int64_t cycle = 1, block = 1, calls = 1;
    interleave *interleave;
    bool automatic = weir_data_range(call, "num_parallel_calls").count > 0;
    WEIR_TRY(weir_data_int(call, "cycle_length", &cycle));
    WEIR_TRY(weir_data_int(call, "block_length", &block));
    WEIR_TRY(weir_data_int(call, "num_parallel_calls", &calls));
    if (cycle == -1 && automatic)
        cycle = CYCLE_AUTO;
    if (cycle <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "cycle_length must be greater than zero.");
    if (cycle > CYCLE_MOST)
        return weir_error(WEIR_INVALID_ARGUMENT, "cycle_length must be at most %d, not %" PRId64,
                          CYCLE_MOST, cycle);
    if (block <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "block_length must be greater than zero.");
    if (calls <= 0 && calls != -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
    WEIR_TRY(weir_dataset_new(call, fns, &interleave));
    weir_data_function_init(&interleave->f, call, "f", "other_arguments");
    interleave->cycle = cycle;
    interleave->block = block;
    weir_dataset_output(call, &interleave->base);
    return WEIR_OK;
}

static weir_status make_flat_map(weir_call *call)
{
    return make(call, &flat_map_fns);
}

static weir_status make_interleave(weir_call *call)
{
    return make(call, &interleave_fns);
}

#define INPUT "input_dataset: variant; other_arguments: Targuments"
#define CYCLE INPUT "; cycle_length: int64; block_length: int64"
#define FUNCTION "f: func; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES
#define ORDERED                                                                                    \
    "f: func; deterministic: string = \"default\"; Targuments: list(type) >= "                     \
    "0; " WEIR_DATASET_TYPES WEIR_DATASET_META

WEIR_DATASET_OP(flat_map_dataset, "FlatMapDataset", INPUT, FUNCTION WEIR_DATASET_META, 0,
                make_flat_map);
WEIR_DATASET_OP(interleave_dataset, "InterleaveDataset", CYCLE, FUNCTION WEIR_DATASET_META, 0,
                make_interleave);
WEIR_DATASET_OP(parallel_interleave_dataset, "ParallelInterleaveDataset",
                CYCLE "; sloppy: bool; buffer_output_elements: int64; "
                      "prefetch_input_elements: int64",
                FUNCTION WEIR_DATASET_META, 0, make_interleave);
WEIR_DATASET_OP(parallel_interleave_dataset_v2, "ParallelInterleaveDatasetV2",
                CYCLE "; num_parallel_calls: int64",
                FUNCTION "; sloppy: bool = false" WEIR_DATASET_META, 0, make_interleave);
WEIR_DATASET_OP(parallel_interleave_dataset_v3, "ParallelInterleaveDatasetV3",
                CYCLE "; num_parallel_calls: int64", ORDERED, 0, make_interleave);
WEIR_DATASET_OP(parallel_interleave_dataset_v4, "ParallelInterleaveDatasetV4",
                CYCLE "; buffer_output_elements: int64; prefetch_input_elements: int64; "
                      "num_parallel_calls: int64",
                ORDERED, 0, make_interleave);
WEIR_DATASET_OP(experimental_parallel_interleave_dataset, "ExperimentalParallelInterleaveDataset",
                CYCLE "; sloppy: bool; buffer_output_elements: int64; "
                      "prefetch_input_elements: int64",
                FUNCTION, 0, make_interleave);
WEIR_DATASET_OP(legacy_parallel_interleave_dataset_v2, "LegacyParallelInterleaveDatasetV2",
                CYCLE "; buffer_output_elements: int64; prefetch_input_elements: int64", ORDERED, 0,
                make_interleave);
