/* ops/data/padded_batch.c - PaddedBatchDataset: elements of different sizes become one. */
#include <inttypes.h>

#include "ops/common/elements.h"
#include "ops/common/ndcopy.h"
#include "ops/data/data_impl.h"

typedef struct padded {
    weir_dataset base;
    int64_t size;
    bool drop;           /* a last batch that is not full */
    weir_shape *shapes;  /* one a component; -1: as large as the largest of the batch */
    weir_tensor *values; /* one a component, scalars */
} padded;

static void fini(weir_dataset *d)
{
    padded *p = (padded *)d;
    weir_free(p->shapes);
    weir_element_destroy(p->values, d->count);
}

static int64_t cardinality(const weir_dataset *d)
{
    const padded *p = (const padded *)d;
    int64_t n = weir_dataset_cardinality(d->inputs[0]);
    return n < 0 ? n : n / p->size + (n % p->size != 0 && !p->drop);
}

/* The shape that holds every row of component |i|. */
static weir_status find_shape(const padded *p, const weir_element_list *rows, int i,
                              weir_shape *out)
{
    const weir_shape *asked = &p->shapes[i];
    *out = *asked;
    for (size_t r = 0; r < rows->count; r++) {
        const weir_shape *s = &rows->at[r][i].shape;
        if (s->rank != asked->rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All elements in a batch must have the same rank as the padded shape "
                              "for component%d: expected rank %d but got element with rank %d",
                              i, asked->rank, s->rank);
        for (int d = 0; d < s->rank; d++) {
            if (asked->dims[d] >= 0 && s->dims[d] > asked->dims[d])
                return weir_error(WEIR_DATA_LOSS,
                                  "Attempted to pad to a smaller size than the input element.");
            out->dims[d] = s->dims[d] > out->dims[d] ? s->dims[d] : out->dims[d];
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
    for (int d = 0; d < from->shape.rank; d++)
        weir_ndcopy_add(&copy, from->shape.dims[d], strides[d + 1], source[d]);
    if (from->shape.rank == 0)
        weir_ndcopy_add(&copy, 1, 1, 1);
    weir_ndcopy_run(&(weir_par){0}, from->dtype, weir_at(to, row * strides[0]), from->data, &copy);
}

static weir_status pad(const padded *p, const weir_element_list *rows, int i, weir_tensor *out)
{
    weir_shape one, shape;
    WEIR_TRY(find_shape(p, rows, i, &one));
    if (one.rank >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot batch tensors of rank %d", one.rank);
    weir_shape count = weir_shape_vector((int64_t)rows->count);
    WEIR_TRY(weir_infer_concat(&count, &one, &shape));
    for (size_t r = 0; r < rows->count; r++)
        if (rows->at[r][i].dtype != p->values[i].dtype)
            return weir_error(
                WEIR_INVALID_ARGUMENT, "Component %d is %s, but its padding value is %s", i,
                weir_dtype_name(rows->at[r][i].dtype), weir_dtype_name(p->values[i].dtype));
    WEIR_TRY(weir_tensor_alloc(p->values[i].dtype, &shape, out));
    weir_elements_fill(out->dtype, out->data, p->values[i].data, weir_tensor_count(out));
    for (size_t r = 0; r < rows->count; r++)
        if (weir_tensor_count(&rows->at[r][i]))
            place(&rows->at[r][i], out, (int64_t)r);
    return WEIR_OK;
}

static weir_status pad_all(const padded *p, const weir_element_list *rows, weir_tensor *out)
{
    for (int i = 0; i < p->base.count; i++) {
        weir_status s = pad(p, rows, i, &out[i]);
        if (s) {
            weir_element_clear(out, i);
            return s;
        }
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const padded *p = (const padded *)it->dataset;
    weir_element_list rows = {0};
    weir_status s = WEIR_OK;
    bool end = false;
    while (!s && !end && (int64_t)rows.count < p->size)
        s = weir_elements_pull(&rows, it, 0, run, &end);
    *out_end = end && (rows.count == 0 || p->drop);
    if (!s && !*out_end)
        s = pad_all(p, &rows, out);
    weir_elements_fini(&rows, it->dataset->count);
    return s;
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

static weir_status read_component(weir_call *c, padded *p, int i, int shape_in, int value_in)
{
    const weir_tensor *shape = weir_in(c, shape_in), *value = weir_in(c, value_in);
    if (shape->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "All padded shapes must be vectors");
    WEIR_TRY(weir_shape_make(shape->data, shape->shape.dims[0], &p->shapes[i]));
    if (value->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "All padding values must be scalars");
    if (value->dtype != p->base.types[i])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Mismatched type between padding value %d and input dataset's component "
                          "%d: %s vs. %s",
                          i, i, weir_dtype_name(value->dtype), weir_dtype_name(p->base.types[i]));
    p->values[i] = weir_tensor_share(value);
    return WEIR_OK;
}

static weir_status read_components(weir_call *c, padded *p)
{
    weir_range shapes = weir_data_range(c, "padded_shapes");
    weir_range values = weir_data_range(c, "padding_values");
    p->shapes = WEIR_NEW_ARRAY(weir_shape, p->base.count);
    p->values = weir_element_create(p->base.count);
    if (shapes.count != p->base.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of padded shapes (%d) must match the "
                          "number of components in the input dataset's elements (%d)",
                          shapes.count, p->base.count);
    if (values.count != p->base.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of padding values (%d) must match the "
                          "number of components in the input dataset's elements (%d)",
                          values.count, p->base.count);
    for (int i = 0; i < p->base.count; i++)
        WEIR_TRY(read_component(c, p, i, shapes.start + i, values.start + i));
    return WEIR_OK;
}

static weir_status make(weir_call *c)
{
    int64_t size;
    bool drop = false;
    padded *d;
    WEIR_TRY(weir_data_int(c, "batch_size", &size));
    WEIR_TRY(weir_data_bool(c, "drop_remainder", &drop));
    if (size <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    d->size = size;
    d->drop = drop;
    weir_status s = read_components(c, d);
    if (s)
        weir_dataset_release(&d->base);
    else
        weir_dataset_output(c, &d->base);
    return s;
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
