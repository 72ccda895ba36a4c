/* ops/data/list.c - ListDataset, WindowOp: the op's inputs as consecutive elements. */
#include "ops/data/data_impl.h"

typedef struct list {
    weir_dataset base;
    int64_t elements;
    weir_tensor *tensors; /* elements * base.count */
} list;

typedef struct list_iterator {
    weir_iterator base;
    int64_t at;
} list_iterator;

static void fini(weir_dataset *dataset)
{
    list *this_list = (list *)dataset;
    weir_element_destroy(this_list->tensors, (int)this_list->elements * dataset->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return ((const list *)dataset)->elements;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    (void)run;
    for (int i = 0; i < dataset->count; i++)
        out[i] = weir_tensor_share(&((const list *)dataset)->tensors[index * dataset->count + i]);
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    list_iterator *iterator = (list_iterator *)it;
    *out_end = iterator->at >= cardinality(it->dataset);
    return *out_end ? WEIR_OK : get(it->dataset, run, iterator->at++, out);
}

static const weir_dataset_fns fns = {
    .name = "List",
    .bytes = sizeof(list),
    .iterator_bytes = sizeof(list_iterator),
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *call)
{
    list *made;
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    int count = call->site->in_count;
    if (made->base.count == 0 || count % made->base.count) {
        int components = made->base.count;
        weir_dataset_release(&made->base);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The number of tensors (%d) must be a multiple of the number of "
                          "components (%d).",
                          count, components);
    }
    made->elements = count / made->base.count;
    made->tensors = weir_element_create(count);
    for (int i = 0; i < count; i++)
        made->tensors[i] = weir_tensor_share(weir_in(call, i));
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(list_dataset, "ListDataset", "tensors: Tinput_types",
                "Tinput_types: list(type) >= 1; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
/* The representation of a window in a dataset graph. */
WEIR_DATASET_OP(window_op, "WindowOp", "inputs: Tinputs",
                WEIR_DATASET_TYPES "; Tinputs: list(type) >= 1", 0, make);
