/* ops/data/unique.c - UniqueDataset: drops repeated elements. */
#include "base/str.h"
#include "ops/data/data_impl.h"
#include "tensor/tstring.h"

typedef struct unique_iterator {
    weir_iterator base;
    weir_map seen; /* shapes and values */
} unique_iterator;

static void fini_iterator(weir_iterator *it)
{
    weir_map_fini(&((unique_iterator *)it)->seen);
}

static void write_key(const weir_tensor *tensor, weir_buf *out)
{
    weir_buf_add(out, (const char *)tensor->shape.dims,
                 sizeof *tensor->shape.dims * (size_t)tensor->shape.rank);
    if (tensor->dtype != WEIR_STRING) {
        weir_buf_add(out, tensor->data, weir_tensor_bytes(tensor));
        return;
    }
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        weir_str text = weir_tstring_get((const weir_tstring *)tensor->data + i);
        weir_buf_add(out, (const char *)&text.length, sizeof text.length);
        weir_buf_add(out, text.at, text.length);
    }
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    for (bool seen = true; seen;) {
        WEIR_BUF(key);
        WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
        if (*out_end)
            return WEIR_OK;
        write_key(out, &key);
        seen = weir_map_put(&((unique_iterator *)it)->seen, weir_view(&key), it) != NULL;
        if (seen)
            weir_element_clear(out, 1);
    }
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Unique",
    .bytes = sizeof(weir_dataset),
    .iterator_bytes = sizeof(unique_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
};

static weir_status make(weir_call *call)
{
    weir_dataset *made;
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    weir_dtype type = made->types[0];
    if (made->count != 1 || (type != WEIR_INT32 && type != WEIR_INT64 && type != WEIR_STRING)) {
        bool single = made->count == 1;
        weir_dataset_release(made);
        return single ? weir_error(WEIR_INVALID_ARGUMENT,
                                   "UniqueDataset only supports inputs with a single `tf.int32`, "
                                   "`tf.int64`, or `tf.string` component.")
                      : weir_error(WEIR_INVALID_ARGUMENT,
                                   "UniqueDataset only supports inputs with a single component.");
    }
    weir_dataset_output(call, made);
    return WEIR_OK;
}

WEIR_DATASET_OP(unique_dataset, "UniqueDataset", "input_dataset: variant",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(experimental_unique_dataset, "ExperimentalUniqueDataset", "input_dataset: variant",
                WEIR_DATASET_TYPES, 0, make);
