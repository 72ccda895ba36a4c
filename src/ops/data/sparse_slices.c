/* ops/data/sparse_slices.c - SparseTensorSliceDataset, DenseToSparseBatchDataset: splits a sparse
 * tensor into rows, and batches elements into a sparse tensor. An element is indices, values and
 * shape.
 */
#include <inttypes.h>

#include "ops/common/held_tensor.h"
#include "ops/data/data_impl.h"

enum { INDICES, VALUES, SHAPE, PARTS };

/* ---- SparseTensorSliceDataset ---------------------------------------------------------------- */

typedef struct slices {
    weir_dataset base;
    weir_tensor parts[PARTS];
} slices;

typedef struct slices_iterator {
    weir_iterator base;
    int64_t row, entry;
} slices_iterator;

static int64_t rank_of(const slices *slices)
{
    return slices->parts[SHAPE].shape.dims[0];
}

static const int64_t *index_at(const slices *slices, int64_t entry)
{
    return (const int64_t *)slices->parts[INDICES].data + entry * rank_of(slices);
}

static void fini_slices(weir_dataset *dataset)
{
    weir_element_clear(((slices *)dataset)->parts, PARTS);
}

static int64_t slices_cardinality(const weir_dataset *dataset)
{
    return ((const int64_t *)((const slices *)dataset)->parts[SHAPE].data)[0];
}

/* Entries [first, first + count) as an element. */
static weir_status give(const slices *slices, int64_t first, int64_t count, weir_tensor *out)
{
    int64_t rank = rank_of(slices);
    const weir_tensor *values = &slices->parts[VALUES];
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &(weir_shape){.rank = 2, .dims = {count, rank - 1}},
                               &out[INDICES]));
    WEIR_TRY(
        weir_tensor_alloc(values->dtype, &(weir_shape){.rank = 1, .dims = {count}}, &out[VALUES]));
    WEIR_TRY(
        weir_tensor_alloc(WEIR_INT64, &(weir_shape){.rank = 1, .dims = {rank - 1}}, &out[SHAPE]));
    for (int64_t i = 0; i < count; i++)
        memcpy((int64_t *)out[INDICES].data + i * (rank - 1), index_at(slices, first + i) + 1,
               sizeof(int64_t) * (size_t)(rank - 1));
    weir_elements_copy(values->dtype, out[VALUES].data,
                       (const char *)values->data + (size_t)first * weir_dtype_size(values->dtype),
                       count);
    memcpy(out[SHAPE].data, (const int64_t *)slices->parts[SHAPE].data + 1,
           sizeof(int64_t) * (size_t)(rank - 1));
    return WEIR_OK;
}

static weir_status slices_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    const slices *this_slices = (const slices *)it->dataset;
    slices_iterator *iterator = (slices_iterator *)it;
    int64_t entries = this_slices->parts[INDICES].shape.dims[0], first = iterator->entry;
    *out_end = iterator->row >= slices_cardinality(it->dataset);
    if (*out_end)
        return WEIR_OK;
    while (iterator->entry < entries && index_at(this_slices, iterator->entry)[0] == iterator->row)
        iterator->entry++;
    iterator->row++;
    return give(this_slices, first, iterator->entry - first, out);
}

static const weir_dataset_fns slices_fns = {
    .name = "SparseTensorSlice",
    .bytes = sizeof(slices),
    .iterator_bytes = sizeof(slices_iterator),
    .next = slices_next,
    .fini = fini_slices,
    .cardinality = slices_cardinality,
};

static weir_status check_shapes(const weir_tensor *indices, const weir_tensor *values,
                                const weir_tensor *shape)
{
    if (indices->shape.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input indices must be a matrix. Got: %s",
                          WEIR_SHAPE_STR(&indices->shape));
    if (values->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input values must be a vector. Got: %s",
                          WEIR_SHAPE_STR(&values->shape));
    if (shape->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input shape must be a vector. Got: %s",
                          WEIR_SHAPE_STR(&shape->shape));
    if (values->shape.dims[0] != indices->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of values must match first dimension of indices. Got %" PRId64
                          " values, indices shape: %s",
                          values->shape.dims[0], WEIR_SHAPE_STR(&indices->shape));
    if (shape->shape.dims[0] != indices->shape.dims[1])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of dimensions must match second dimension of indices. Got "
                          "%" PRId64 " dimensions, indices shape: %s",
                          shape->shape.dims[0], WEIR_SHAPE_STR(&indices->shape));
    if (shape->shape.dims[0] < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Number of dimensions must be positive");
    return WEIR_OK;
}

static weir_status check_order(const weir_tensor *indices, const weir_tensor *shape)
{
    const int64_t *index = indices->data, *dims = shape->data;
    int64_t rank = indices->shape.dims[1], previous = 0;
    for (int64_t i = 0; i < indices->shape.dims[0]; i++, index += rank) {
        if (index[0] < previous)
            return weir_error(WEIR_UNIMPLEMENTED,
                              "The SparseTensor must be ordered in the batch dimension; handling "
                              "arbitrarily ordered input is not currently supported.");
        if (index[0] >= dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "indices[%" PRId64 ", 0] = %" PRId64 " is not below %" PRId64, i,
                              index[0], dims[0]);
        previous = index[0];
    }
    return WEIR_OK;
}

static weir_status make_slices(weir_call *call)
{
    for (int i = 0; i < PARTS; i++)
        if (!weir_in(call, i)->buffer)
            return weir_error(WEIR_INVALID_ARGUMENT, "Input %d has no value", i);
    WEIR_TRY(check_shapes(weir_in(call, INDICES), weir_in(call, VALUES), weir_in(call, SHAPE)));
    WEIR_TRY(check_order(weir_in(call, INDICES), weir_in(call, SHAPE)));
    slices *made = (slices *)weir_dataset_create(&slices_fns, PARTS, 0);
    int64_t rank = weir_in(call, SHAPE)->shape.dims[0];
    made->base.types[INDICES] = made->base.types[SHAPE] = WEIR_INT64;
    made->base.types[VALUES] = weir_in(call, VALUES)->dtype;
    made->base.shapes[INDICES] = (weir_shape){.rank = 2, .dims = {-1, rank - 1}};
    made->base.shapes[VALUES] = (weir_shape){.rank = 1, .dims = {-1}};
    made->base.shapes[SHAPE] = (weir_shape){.rank = 1, .dims = {rank - 1}};
    for (int i = 0; i < PARTS; i++)
        made->parts[i] = weir_tensor_share(weir_in(call, i));
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(sparse_tensor_slice_dataset, "SparseTensorSliceDataset",
                "indices: int64; values: Tvalues; dense_shape: int64", "Tvalues: type",
                WEIR_STATEFUL, make_slices);

/* ---- DenseToSparseBatchDataset: a variant of three tensors ----------------------------------- */

typedef struct dense_batch {
    weir_dataset base;
    int64_t size;
    weir_shape row; /* -1: the maximum */
} dense_batch;

static int64_t batch_cardinality(const weir_dataset *dataset)
{
    int64_t size = ((const dense_batch *)dataset)->size;
    int64_t count = weir_dataset_cardinality(dataset->inputs[0]);
    return count < 0 ? count : count / size + (count % size != 0);
}

static weir_status check_row(const dense_batch *batch, const weir_tensor *tensor)
{
    const weir_shape *row = &batch->row, *got = &tensor->shape;
    if (got->rank != row->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input element had shape (%s) that is incompatible with the row shape "
                          "(%s).",
                          WEIR_SHAPE_STR(got), WEIR_SHAPE_STR(row));
    for (int axis = 0; axis < row->rank; axis++)
        if (row->dims[axis] >= 0 && got->dims[axis] > row->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input element had shape (%s) that is larger than the row shape "
                              "(%s).",
                              WEIR_SHAPE_STR(got), WEIR_SHAPE_STR(row));
    return WEIR_OK;
}

/* Writes the indices of the elements of |tensor|, as row |row|; returns the end. */
static int64_t *put_indices(const weir_tensor *tensor, int64_t row, int64_t *out)
{
    int64_t count = weir_tensor_count(tensor);
    int rank = tensor->shape.rank;
    for (int64_t i = 0; i < count; i++, out += rank + 1) {
        out[0] = row;
        for (int64_t axis = rank - 1, rest = i; axis >= 0; axis--) {
            out[axis + 1] = rest % tensor->shape.dims[axis];
            rest /= tensor->shape.dims[axis];
        }
    }
    return out;
}

static weir_status fill(const dense_batch *batch, const weir_element_list *rows, weir_tensor *out)
{
    int64_t total = 0, *index = out[INDICES].data, *dims = out[SHAPE].data;
    dims[0] = (int64_t)rows->count;
    for (int axis = 0; axis < batch->row.rank; axis++)
        dims[axis + 1] = batch->row.dims[axis] < 0 ? 0 : batch->row.dims[axis];
    for (size_t i = 0; i < rows->count; i++) {
        const weir_tensor *tensor = rows->at[i];
        index = put_indices(tensor, (int64_t)i, index);
        weir_elements_copy(tensor->dtype,
                           (char *)out[VALUES].data +
                               (size_t)total * weir_dtype_size(tensor->dtype),
                           tensor->data, weir_tensor_count(tensor));
        total += weir_tensor_count(tensor);
        for (int axis = 0; axis < batch->row.rank; axis++)
            if (batch->row.dims[axis] < 0 && tensor->shape.dims[axis] > dims[axis + 1])
                dims[axis + 1] = tensor->shape.dims[axis];
    }
    return WEIR_OK;
}

static weir_status join(const dense_batch *batch, const weir_element_list *rows, weir_tensor *out)
{
    int64_t total = 0, rank = batch->row.rank + 1;
    for (size_t i = 0; i < rows->count; i++) {
        WEIR_TRY(check_row(batch, rows->at[i]));
        total += weir_tensor_count(rows->at[i]);
    }
    weir_tensor parts[PARTS] = {0};
    weir_status status = weir_tensor_alloc(
        WEIR_INT64, &(weir_shape){.rank = 2, .dims = {total, rank}}, &parts[INDICES]);
    if (!status)
        status = weir_tensor_alloc(rows->at[0]->dtype, &(weir_shape){.rank = 1, .dims = {total}},
                                   &parts[VALUES]);
    if (!status)
        status =
            weir_tensor_alloc(WEIR_INT64, &(weir_shape){.rank = 1, .dims = {rank}}, &parts[SHAPE]);
    if (!status)
        status = fill(batch, rows, parts);
    if (!status)
        status = weir_tensor_alloc(WEIR_VARIANT, &(weir_shape){.rank = 1, .dims = {PARTS}}, out);
    for (int i = 0; !status && i < PARTS; i++)
        weir_held_tensor_put(&((weir_variant **)out->data)[i], &parts[i]);
    weir_element_clear(parts, PARTS);
    return status;
}

static weir_status batch_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const dense_batch *batch = (const dense_batch *)it->dataset;
    weir_element_list rows = {0};
    weir_status status = WEIR_OK;
    bool end = false;
    while (!status && !end && (int64_t)rows.count < batch->size)
        status = weir_elements_pull(&rows, it, 0, run, &end);
    *out_end = !rows.count;
    if (!status && rows.count)
        status = join(batch, &rows, out);
    weir_elements_fini(&rows, it->dataset->inputs[0]->count);
    return status;
}

static const weir_dataset_fns batch_fns = {
    .name = "DenseToSparseBatch",
    .bytes = sizeof(dense_batch),
    .iterator_bytes = sizeof(weir_iterator),
    .next = batch_next,
    .cardinality = batch_cardinality,
};

static weir_status read_row(weir_call *call, weir_shape *out)
{
    const weir_tensor *row = weir_data_in(call, "row_shape");
    if (row->shape.rank != 1 || row->shape.dims[0] >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "row_shape must be a vector");
    out->rank = (int)row->shape.dims[0];
    for (int axis = 0; axis < out->rank; axis++) {
        out->dims[axis] = ((const int64_t *)row->data)[axis];
        if (out->dims[axis] < -1)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= -1",
                              out->dims[axis]);
    }
    return WEIR_OK;
}

static weir_status make_batch(weir_call *call)
{
    dense_batch *made;
    int64_t size;
    weir_shape row;
    weir_dataset *input;
    WEIR_TRY(weir_data_int(call, "batch_size", &size));
    if (size <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    WEIR_TRY(read_row(call, &row));
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &input));
    if (input->count != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "DenseToSparseBatchDataset only supports inputs with a single "
                          "component.");
    WEIR_TRY(weir_dataset_new(call, &batch_fns, &made));
    for (int i = 0; i < made->base.count; i++)
        made->base.types[i] = WEIR_VARIANT;
    made->size = size;
    made->row = row;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

#define BATCH_IN "input_dataset: variant; batch_size: int64; row_shape: int64"
WEIR_DATASET_OP(dense_to_sparse_batch_dataset, "DenseToSparseBatchDataset", BATCH_IN,
                WEIR_DATASET_TYPES, 0, make_batch);
WEIR_DATASET_OP(experimental_dense_to_sparse_batch_dataset, "ExperimentalDenseToSparseBatchDataset",
                BATCH_IN, WEIR_DATASET_TYPES, 0, make_batch);
