/* ops/data/index_flat_map.c - IndexFlatMapDataset: rows of the mapped input elements; a second
 * function maps output indices to element and row. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct index_map {
    weir_dataset base;
    weir_data_function map, index;
    int64_t count;
} index_map;

typedef struct index_iterator {
    weir_iterator base;
    int64_t at, element; /* output index, and input index of |mapped|; -1: none yet */
    weir_tensor *mapped;
} index_iterator;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((index_map *)dataset)->map);
    weir_data_function_fini(&((index_map *)dataset)->index);
}

static void fini_iterator(weir_iterator *it)
{
    weir_element_destroy(((index_iterator *)it)->mapped, it->dataset->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return ((const index_map *)dataset)->count;
}

/* The element and row of output |at|. */
static weir_status look_up(const index_map *this_map, weir_run *run, int64_t at, int64_t out[2])
{
    weir_tensor rets[2] = {0}, arg;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &WEIR_SCALAR, &arg));
    *(int64_t *)arg.data = at;
    weir_status status = weir_data_function_call(&this_map->index, run, &arg, 1, NULL, 2, rets);
    weir_tensor_release(&arg);
    for (int i = 0; i < 2 && !status; i++) {
        bool fits =
            rets[i].shape.rank == 0 && (rets[i].dtype == WEIR_INT64 || rets[i].dtype == WEIR_INT32);
        if (!fits)
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "The `index_map_fn` for `index_flat_map` is expected to return two "
                                "int values representing the element index and an offset within "
                                "the element.");
        else
            out[i] = rets[i].dtype == WEIR_INT64 ? *(const int64_t *)rets[i].data
                                                 : *(const int32_t *)rets[i].data;
    }
    for (int i = 0; i < 2; i++)
        weir_tensor_release(&rets[i]);
    return status;
}

static weir_status map_next(index_iterator *iterator, weir_run *run, bool *out_end)
{
    const weir_dataset *dataset = iterator->base.dataset;
    int count = dataset->inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    weir_status status = weir_iterator_pull(&iterator->base, 0, run, element, out_end);
    if (!status && !*out_end) {
        iterator->element++;
        weir_element_clear(iterator->mapped, dataset->count);
        status = weir_data_function_call(&((const index_map *)dataset)->map, run, element, count,
                                         dataset->types, dataset->count, iterator->mapped);
    }
    weir_element_destroy(element, count);
    return status;
}

static weir_status take_rows(const index_iterator *iterator, int64_t row, weir_tensor *out)
{
    for (int i = 0; i < iterator->base.dataset->count; i++) {
        const weir_tensor *mapped = &iterator->mapped[i];
        if (mapped->shape.rank < 1 || row < 0 || row >= mapped->shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "`index_flat_map` returned offset %" PRId64
                              " which is not a row of an element of shape %s",
                              row, WEIR_SHAPE_STR(&mapped->shape));
        WEIR_TRY(weir_data_row(mapped, row, &out[i]));
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    index_iterator *iterator = (index_iterator *)it;
    int64_t where[2];
    if (!iterator->mapped) {
        iterator->mapped = weir_element_create(it->dataset->count);
        iterator->element = -1;
    }
    WEIR_TRY(look_up((const index_map *)it->dataset, run, iterator->at, where));
    if (where[0] < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`index_flat_map` returned element %" PRId64,
                          where[0]);
    while (iterator->element < where[0] && !*out_end)
        WEIR_TRY(map_next(iterator, run, out_end));
    if (*out_end)
        return WEIR_OK;
    iterator->at++;
    return take_rows(iterator, where[1], out);
}

static const weir_dataset_fns fns = {
    .name = "IndexFlatMap",
    .bytes = sizeof(index_map),
    .iterator_bytes = sizeof(index_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call)
{
    index_map *made;
    int64_t count;
    WEIR_TRY(weir_data_int(call, "output_cardinality", &count));
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    weir_data_function_init(&made->map, call, "map_func", "map_func_other_args");
    weir_data_function_init(&made->index, call, "index_map_func", "index_map_func_other_args");
    made->count = count;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(index_flat_map_dataset, "IndexFlatMapDataset",
                "input_dataset: variant; map_func_other_args: Tmap_func_args; "
                "index_map_func_other_args: Tindex_map_func_args; output_cardinality: int64",
                "map_func: func; index_map_func: func; Tmap_func_args: list(type) >= 0; "
                "Tindex_map_func_args: list(type) >= 0; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                0, make);
