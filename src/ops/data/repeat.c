/* ops/data/repeat.c - RepeatDataset: repeats the input a number of times or forever. */
#include "ops/data/data_impl.h"

typedef struct repeat {
    weir_dataset base;
    int64_t count; /* < 0: infinite */
} repeat;

typedef struct repeat_iterator {
    weir_iterator base;
    int64_t rounds; /* completed */
    bool any;       /* the current round returned an element */
} repeat_iterator;

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]),
            count = ((const repeat *)dataset)->count, all;
    if (count == 0 || n == 0)
        return 0;
    if (count < 0)
        return WEIR_CARDINALITY_INFINITE;
    if (n < 0)
        return n;
    return __builtin_mul_overflow(n, count, &all) ? INT64_MAX : all;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int64_t count = ((const repeat *)it->dataset)->count;
    repeat_iterator *iterator = (repeat_iterator *)it;
    while (count < 0 || iterator->rounds < count) {
        bool end;
        WEIR_TRY(weir_iterator_pull(it, 0, run, out, &end));
        if (!end) {
            iterator->any = true;
            return WEIR_OK;
        }
        if (count < 0 && !iterator->any)
            break; /* an empty input would loop forever */
        weir_iterator_restart(it, 0);
        iterator->rounds++;
        iterator->any = false;
    }
    *out_end = true;
    return WEIR_OK;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]);
    return weir_dataset_get(dataset->inputs[0], run, n > 0 ? index % n : index, out);
}

static const weir_dataset_fns fns = {
    .name = "Repeat",
    .bytes = sizeof(repeat),
    .iterator_bytes = sizeof(repeat_iterator),
    .like_input = true,
    .next = next,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *call)
{
    int64_t count;
    repeat *repeat;
    WEIR_TRY(weir_data_int(call, "count", &count));
    WEIR_TRY(weir_dataset_new(call, &fns, &repeat));
    repeat->count = count;
    weir_dataset_output(call, &repeat->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(repeat_dataset, "RepeatDataset", "input_dataset: variant; count: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
