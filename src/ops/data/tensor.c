/* ops/data/tensor.c - TensorDataset: one element; TensorSliceDataset: one per row. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct tensors {
    weir_dataset base;
    weir_tensor *element; /* base.count */
    int64_t rows;
} tensors;

typedef struct tensors_iterator {
    weir_iterator base;
    int64_t row;
} tensors_iterator;

static void fini(weir_dataset *dataset)
{
    weir_element_destroy(((tensors *)dataset)->element, dataset->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return ((const tensors *)dataset)->rows;
}

static weir_status get_whole(const weir_dataset *dataset, weir_run *run, int64_t index,
                             weir_tensor *out)
{
    (void)run;
    (void)index;
    for (int i = 0; i < dataset->count; i++)
        out[i] = weir_tensor_share(&((const tensors *)dataset)->element[i]);
    return WEIR_OK;
}

static weir_status get_row(const weir_dataset *dataset, weir_run *run, int64_t index,
                           weir_tensor *out)
{
    (void)run;
    for (int i = 0; i < dataset->count; i++)
        WEIR_TRY(weir_data_row(&((const tensors *)dataset)->element[i], index, &out[i]));
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    tensors_iterator *iterator = (tensors_iterator *)it;
    *out_end = iterator->row >= cardinality(it->dataset);
    return *out_end ? WEIR_OK : it->dataset->fns->get(it->dataset, run, iterator->row++, out);
}

static const weir_dataset_fns whole_fns = {
    .name = "Tensor",
    .bytes = sizeof(tensors),
    .iterator_bytes = sizeof(tensors_iterator),
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
    .get = get_whole,
};

static const weir_dataset_fns rows_fns = {
    .name = "TensorSlice",
    .bytes = sizeof(tensors),
    .iterator_bytes = sizeof(tensors_iterator),
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
    .get = get_row,
};

static weir_status make(weir_call *call, const weir_dataset_fns *fns, int64_t rows)
{
    tensors *tensors;
    WEIR_TRY(weir_dataset_new(call, fns, &tensors));
    tensors->rows = rows;
    tensors->element = weir_element_create(tensors->base.count);
    for (int i = 0; i < tensors->base.count; i++)
        tensors->element[i] = weir_tensor_share(weir_in(call, i));
    weir_dataset_output(call, &tensors->base);
    return WEIR_OK;
}

static weir_status make_whole(weir_call *call)
{
    return make(call, &whole_fns, 1);
}

static weir_status make_rows(weir_call *call)
{
    for (int i = 0; i < call->site->in_count; i++) {
        const weir_tensor *tensor = weir_in(call, i), *first = weir_in(call, 0);
        if (tensor->shape.rank < 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All components must be at least 1-dimensional");
        if (tensor->shape.dims[0] != first->shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All components must have the same size in the 0th dimension");
    }
    return make(call, &rows_fns, weir_in(call, 0)->shape.dims[0]);
}

WEIR_DATASET_OP(tensor_dataset, "TensorDataset", "components: Toutput_types",
                "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1" WEIR_DATASET_META,
                WEIR_STATEFUL, make_whole);
WEIR_DATASET_OP(tensor_slice_dataset, "TensorSliceDataset", "components: Toutput_types",
                "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
                "is_files: bool = false" WEIR_DATASET_META "; replicate_on_split: bool = false",
                WEIR_STATEFUL, make_rows);
