/* ops/data/padded_batch.c - PaddedBatchDataset: batches elements of different sizes by padding. */
#include <inttypes.h>

#include "ops/common/elements.h"
#include "ops/common/ndcopy.h"
#include "ops/data/data_impl.h"

typedef struct padded {
    weir_dataset base;
    int64_t size;
    bool drop;           /* drop an incomplete last batch */
    weir_shape *shapes;  /* per component; -1: the maximum in the batch */
    weir_tensor *values; /* per component, scalars */
} padded;

static void fini(weir_dataset *dataset)
{
    padded *this_padded = (padded *)dataset;
    weir_free(this_padded->shapes);
    weir_element_destroy(this_padded->values, dataset->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    const padded *this_padded = (const padded *)dataset;
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]);
    return n < 0 ? n : n / this_padded->size + (n % this_padded->size != 0 && !this_padded->drop);
}

/* The smallest shape that contains every row of component |i|. */
static weir_status find_shape(const padded *padded, const weir_element_list *rows, int i,
                              weir_shape *out)
{
    const weir_shape *asked = &padded->shapes[i];
    *out = *asked;
    for (size_t r = 0; r < rows->count; r++) {
        const weir_shape *shape = &rows->at[r][i].shape;
        if (shape->rank != asked->rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All elements in a batch must have the same rank as the padded shape "
                              "for component%d: expected rank %d but got element with rank %d",
                              i, asked->rank, shape->rank);
        for (int axis = 0; axis < shape->rank; axis++) {
            if (asked->dims[axis] >= 0 && shape->dims[axis] > asked->dims[axis])
                return weir_error(WEIR_DATA_LOSS,
                                  "Attempted to pad to a smaller size than the input element.");
            out->dims[axis] =
                shape->dims[axis] > out->dims[axis] ? shape->dims[axis] : out->dims[axis];
        }
    }
    return WEIR_OK;
}

static void place(const weir_tensor *from, weir_tensor *to, int64_t row)
{
    int64_t strides[WEIR_MAX_RANK], source[WEIR_MAX_RANK];
    weir_shape_strides(&to->shape, strides);
    weir_shape_strides(&from->shape, source);
    weir_ndcopy copy = {0};
    for (int axis = 0; axis < from->shape.rank; axis++)
        weir_ndcopy_add(&copy, from->shape.dims[axis], strides[axis + 1], source[axis]);
    if (from->shape.rank == 0)
        weir_ndcopy_add(&copy, 1, 1, 1);
    weir_ndcopy_run(&(weir_par){0}, from->dtype, weir_at(to, row * strides[0]), from->data, &copy);
}

static weir_status pad(const padded *padded, const weir_element_list *rows, int i, weir_tensor *out)
{
    weir_shape one, shape;
    WEIR_TRY(find_shape(padded, rows, i, &one));
    if (one.rank >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot batch tensors of rank %d", one.rank);
    weir_shape count = weir_shape_vector((int64_t)rows->count);
    WEIR_TRY(weir_infer_concat(&count, &one, &shape));
    for (size_t r = 0; r < rows->count; r++)
        if (rows->at[r][i].dtype != padded->values[i].dtype)
            return weir_error(
                WEIR_INVALID_ARGUMENT, "Component %d is %s, but its padding value is %s", i,
                weir_dtype_name(rows->at[r][i].dtype), weir_dtype_name(padded->values[i].dtype));
    WEIR_TRY(weir_tensor_alloc(padded->values[i].dtype, &shape, out));
    weir_elements_fill(out->dtype, out->data, padded->values[i].data, weir_tensor_count(out));
    for (size_t r = 0; r < rows->count; r++)
        if (weir_tensor_count(&rows->at[r][i]))
            place(&rows->at[r][i], out, (int64_t)r);
    return WEIR_OK;
}

static weir_status pad_all(const padded *padded, const weir_element_list *rows, weir_tensor *out)
{
    for (int i = 0; i < padded->base.count; i++) {
        weir_status status = pad(padded, rows, i, &out[i]);
        if (status) {
            weir_element_clear(out, i);
            return status;
        }
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const padded *this_padded = (const padded *)it->dataset;
    weir_element_list rows = {0};
    weir_status status = WEIR_OK;
    bool end = false;
    while (!status && !end && (int64_t)rows.count < this_padded->size)
        status = weir_elements_pull(&rows, it, 0, run, &end);
    *out_end = end && (rows.count == 0 || this_padded->drop);
    if (!status && !*out_end)
        status = pad_all(this_padded, &rows, out);
    weir_elements_fini(&rows, it->dataset->count);
    return status;
}

static const weir_dataset_fns fns = {
    .name = "PaddedBatch",
    .bytes = sizeof(padded),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status read_component(weir_call *call, padded *padded, int i, int shape_in,
                                  int value_in)
{
    const weir_tensor *shape = weir_in(call, shape_in), *value = weir_in(call, value_in);
    if (shape->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "All padded shapes must be vectors");
    WEIR_TRY(weir_shape_make(shape->data, shape->shape.dims[0], &padded->shapes[i]));
    if (value->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "All padding values must be scalars");
    if (value->dtype != padded->base.types[i])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Mismatched type between padding value %d and input dataset's component "
                          "%d: %s vs. %s",
                          i, i, weir_dtype_name(value->dtype),
                          weir_dtype_name(padded->base.types[i]));
    padded->values[i] = weir_tensor_share(value);
    return WEIR_OK;
}

static weir_status read_components(weir_call *call, padded *padded)
{
    weir_range shapes = weir_data_range(call, "padded_shapes");
    weir_range values = weir_data_range(call, "padding_values");
    padded->shapes = WEIR_NEW_ARRAY(weir_shape, padded->base.count);
    padded->values = weir_element_create(padded->base.count);
    if (shapes.count != padded->base.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of padded shapes (%d) must match the "
                          "number of components in the input dataset's elements (%d)",
                          shapes.count, padded->base.count);
    if (values.count != padded->base.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of padding values (%d) must match the "
                          "number of components in the input dataset's elements (%d)",
                          values.count, padded->base.count);
    for (int i = 0; i < padded->base.count; i++)
        WEIR_TRY(read_component(call, padded, i, shapes.start + i, values.start + i));
    return WEIR_OK;
}

static weir_status make(weir_call *call)
{
    int64_t size;
    bool drop = false;
    padded *padded;
    WEIR_TRY(weir_data_int(call, "batch_size", &size));
    WEIR_TRY(weir_data_bool(call, "drop_remainder", &drop));
    if (size <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    WEIR_TRY(weir_dataset_new(call, &fns, &padded));
    padded->size = size;
    padded->drop = drop;
    weir_status status = read_components(call, padded);
    if (status)
        weir_dataset_release(&padded->base);
    else
        weir_dataset_output(call, &padded->base);
    return status;
}

#define ATTRS                                                                                      \
    "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int >= "                  \
    "1" WEIR_DATASET_META
WEIR_DATASET_OP(padded_batch_dataset, "PaddedBatchDataset",
                "input_dataset: variant; batch_size: int64; padded_shapes: N * int64; "
                "padding_values: Toutput_types",
                ATTRS, 0, make);
WEIR_DATASET_OP(padded_batch_dataset_v2, "PaddedBatchDatasetV2",
                "input_dataset: variant; batch_size: int64; padded_shapes: N * int64; "
                "padding_values: Toutput_types; drop_remainder: bool",
                "parallel_copy: bool = false; " ATTRS, 0, make);
