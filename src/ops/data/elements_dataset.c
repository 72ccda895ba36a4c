/* ops/data/elements_dataset.c - a dataset of given elements, as used for windows. */
#include "ops/data/data_impl.h"

typedef struct given {
    weir_dataset base;
    weir_element_list elements;
} given;

typedef struct given_iterator {
    weir_iterator base;
    int64_t at;
} given_iterator;

static void fini(weir_dataset *dataset)
{
    weir_elements_fini(&((given *)dataset)->elements, dataset->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return (int64_t)((const given *)dataset)->elements.count;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    (void)run;
    for (int i = 0; i < dataset->count; i++)
        out[i] = weir_tensor_share(&((const given *)dataset)->elements.at[index][i]);
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    given_iterator *iterator = (given_iterator *)it;
    *out_end = iterator->at >= cardinality(it->dataset);
    return *out_end ? WEIR_OK : get(it->dataset, run, iterator->at++, out);
}

static const weir_dataset_fns fns = {
    .name = "Window",
    .bytes = sizeof(given),
    .iterator_bytes = sizeof(given_iterator),
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
    .get = get,
};

weir_dataset *weir_dataset_of_elements(weir_element_list *elements, const weir_dtype *types,
                                       int count)
{
    given *this_given = (given *)weir_dataset_create(&fns, count, 0);
    memcpy(this_given->base.types, types, sizeof *types * (size_t)count);
    this_given->elements = *elements;
    *elements = (weir_element_list){0};
    return &this_given->base;
}
