/* ops/data/interleave.c - FlatMapDataset and InterleaveDataset with its parallel forms: the
 * elements of the datasets that a function makes of each element, taken from several in turn.
 *
 * Everything is done in order on one thread, so the parallel forms give the order that they
 * promise when they are deterministic.
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
    weir_iterator **open; /* the cycle; null places are free */
    int64_t at, taken;    /* place in the cycle, elements taken from it in this turn */
    int64_t open_count;
    bool input_ended;
} interleave_iterator;

static void fini(weir_dataset *d)
{
    weir_data_function_fini(&((interleave *)d)->f);
}

static void fini_iterator(weir_iterator *it)
{
    interleave_iterator *i = (interleave_iterator *)it;
    for (int64_t k = 0; i->open && k < ((const interleave *)it->dataset)->cycle; k++)
        weir_iterator_release(i->open[k]);
    weir_free(i->open);
}

static int64_t cardinality(const weir_dataset *d)
{
    int64_t n = weir_dataset_cardinality(d->inputs[0]);
    return n == WEIR_CARDINALITY_INFINITE ? n : WEIR_CARDINALITY_UNKNOWN;
}

static weir_status check_inner(const weir_dataset *d, const weir_dataset *inner)
{
    if (inner->count != d->count ||
        memcmp(inner->types, d->types, sizeof *d->types * (size_t)d->count))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The dataset that the function of %sDataset returns has other "
                          "components than output_types says",
                          d->fns->name);
    return WEIR_OK;
}

/* Opens the dataset made of the next input element at the place at hand. */
static weir_status open_next(interleave_iterator *i, weir_run *run)
{
    const interleave *d = (const interleave *)i->base.dataset;
    int count = d->base.inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    weir_dataset *inner = NULL;
    weir_status s = weir_iterator_pull(&i->base, 0, run, element, &i->input_ended);
    if (!s && !i->input_ended)
        s = weir_data_function_dataset(&d->f, run, element, count, &inner);
    weir_element_destroy(element, count);
    if (!s && inner)
        s = check_inner(&d->base, inner);
    if (!s && inner) {
        i->open[i->at] = weir_iterator_create(inner);
        i->open_count++;
    }
    weir_dataset_release(inner);
    return s;
}

static void advance(interleave_iterator *i)
{
    i->at = (i->at + 1) % ((const interleave *)i->base.dataset)->cycle;
    i->taken = 0;
}

/* Takes from the place at hand; true when that gave an element. */
static weir_status take(interleave_iterator *i, weir_run *run, weir_tensor *out, bool *out_given)
{
    bool end;
    WEIR_TRY(weir_iterator_next(i->open[i->at], run, out, &end));
    *out_given = !end;
    if (end) {
        weir_iterator_release(i->open[i->at]);
        i->open[i->at] = NULL;
        i->open_count--;
        advance(i);
    } else if (++i->taken == ((const interleave *)i->base.dataset)->block) {
        advance(i);
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    interleave_iterator *i = (interleave_iterator *)it;
    if (!i->open)
        i->open = WEIR_NEW_ARRAY(weir_iterator *, ((const interleave *)it->dataset)->cycle);
    for (bool given = false; !i->input_ended || i->open_count;) {
        if (i->open[i->at])
            WEIR_TRY(take(i, run, out, &given));
        else if (!i->input_ended)
            WEIR_TRY(open_next(i, run));
        else
            advance(i);
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

static weir_status make(weir_call *c, const weir_dataset_fns *fns)
{
    int64_t cycle = 1, block = 1, calls = 1;
    interleave *d;
    bool automatic = weir_data_range(c, "num_parallel_calls").count > 0;
    WEIR_TRY(weir_data_int(c, "cycle_length", &cycle));
    WEIR_TRY(weir_data_int(c, "block_length", &block));
    WEIR_TRY(weir_data_int(c, "num_parallel_calls", &calls));
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
    WEIR_TRY(weir_dataset_new(c, fns, &d));
    weir_data_function_init(&d->f, c, "f", "other_arguments");
    d->cycle = cycle;
    d->block = block;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

static weir_status make_flat_map(weir_call *c)
{
    return make(c, &flat_map_fns);
}

static weir_status make_interleave(weir_call *c)
{
    return make(c, &interleave_fns);
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
