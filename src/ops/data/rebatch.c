/* ops/data/rebatch.c - RebatchDataset, RebatchDatasetV2: changes batch sizes. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct rebatch {
    weir_dataset base;
    int64_t replicas; /* number of parts per batch; 0: |sizes| gives the batch sizes */
    weir_tensor sizes;
    bool drop; /* drop an incomplete last batch */
} rebatch;

typedef struct rebatch_iterator {
    weir_iterator base;
    weir_tensor *batch; /* null: no current batch */
    int64_t row, rows;  /* current row and number of rows */
    int64_t given;      /* output batches so far; of this batch if it is split by replicas */
} rebatch_iterator;

static void drop_batch(rebatch_iterator *iterator)
{
    weir_element_destroy(iterator->batch, iterator->base.dataset->count);
    iterator->batch = NULL;
}

static void fini(weir_dataset *dataset)
{
    weir_tensor_release(&((rebatch *)dataset)->sizes);
}

static void fini_iterator(weir_iterator *it)
{
    drop_batch((rebatch_iterator *)it);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t count = weir_dataset_cardinality(dataset->inputs[0]);
    return count == 0 || count == WEIR_CARDINALITY_INFINITE ? count : WEIR_CARDINALITY_UNKNOWN;
}

static weir_status check_batch(rebatch_iterator *iterator)
{
    for (int i = 0; i < iterator->base.dataset->count; i++) {
        const weir_shape *shape = &iterator->batch[i].shape;
        if (shape->rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Cannot rebatch dataset: All components must have at least one "
                              "dimension. Perhaps your input dataset is not batched? Component %d "
                              "is scalar.",
                              i);
        if (shape->dims[0] != iterator->batch[0].shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Cannot rebatch dataset: All components must have the same batch "
                              "dimension: component 0 has %" PRId64 ", component %d has %" PRId64
                              ".",
                              iterator->batch[0].shape.dims[0], i, shape->dims[0]);
    }
    iterator->row = 0;
    iterator->rows = iterator->batch[0].shape.dims[0];
    return WEIR_OK;
}

static weir_status next_batch(rebatch_iterator *iterator, weir_run *run, bool *out_end)
{
    int count = iterator->base.dataset->count;
    drop_batch(iterator);
    weir_tensor *batch = weir_element_create(count);
    weir_status status = weir_iterator_pull(&iterator->base, 0, run, batch, out_end);
    if (status || *out_end) {
        weir_element_destroy(batch, count);
        return status;
    }
    iterator->batch = batch;
    status = check_batch(iterator);
    if (status)
        drop_batch(iterator);
    return status;
}

/* Appends rows [first, first + rows) of |from| to the |filled| rows of |to|. */
static void copy_rows(const weir_tensor *from, int64_t first, int64_t rows, weir_tensor *to,
                      int64_t filled)
{
    int64_t row = from->shape.dims[0] ? weir_tensor_count(from) / from->shape.dims[0] : 0;
    size_t bytes = (size_t)row * weir_dtype_size(from->dtype);
    weir_elements_copy(from->dtype, (char *)to->data + (size_t)filled * bytes,
                       (const char *)from->data + (size_t)first * bytes, rows * row);
}

static weir_status alloc_rows(const weir_tensor *like, int64_t rows, weir_tensor *out)
{
    weir_shape shape = like->shape;
    shape.dims[0] = rows;
    return weir_tensor_alloc(like->dtype, &shape, out);
}

/* ---- parts of a batch: RebatchDataset -------------------------------------------------------- */

static weir_status part_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    rebatch_iterator *iterator = (rebatch_iterator *)it;
    int64_t replicas = ((const rebatch *)it->dataset)->replicas;
    if (!iterator->batch || iterator->given == replicas) {
        iterator->given = 0;
        WEIR_TRY(next_batch(iterator, run, out_end));
        if (*out_end)
            return WEIR_OK;
    }
    int64_t most = (iterator->rows + replicas - 1) / replicas;
    int64_t rows = iterator->rows - iterator->row < most ? iterator->rows - iterator->row : most;
    for (int i = 0; i < it->dataset->count; i++) {
        WEIR_TRY(alloc_rows(&iterator->batch[i], rows, &out[i]));
        copy_rows(&iterator->batch[i], iterator->row, rows, &out[i], 0);
    }
    iterator->row += rows;
    iterator->given++;
    return WEIR_OK;
}

/* ---- batches of given sizes: RebatchDatasetV2 ------------------------------------------------ */

/* Rows taken from batches, to be concatenated. */
typedef WEIR_VEC(weir_tensor *) parts;

static int64_t part_rows(const parts *parts, size_t i)
{
    return parts->at[i][0].shape.dims[0];
}

static void fini_parts(parts *parts, int count)
{
    for (size_t i = 0; i < parts->count; i++)
        weir_element_destroy(parts->at[i], count);
    weir_vec_fini(parts);
}

/* Takes up to |wanted| rows of the current batch. */
static weir_status take_part(rebatch_iterator *iterator, int64_t wanted, parts *parts)
{
    int count = iterator->base.dataset->count;
    int64_t left = iterator->rows - iterator->row, rows = left < wanted ? left : wanted;
    weir_tensor *part = weir_element_create(count);
    weir_vec_push(parts, part);
    for (int i = 0; i < count; i++) {
        WEIR_TRY(alloc_rows(&iterator->batch[i], rows, &part[i]));
        copy_rows(&iterator->batch[i], iterator->row, rows, &part[i], 0);
    }
    iterator->row += rows;
    return WEIR_OK;
}

static weir_status gather(rebatch_iterator *iterator, weir_run *run, int64_t wanted, parts *parts,
                          int64_t *out_rows)
{
    bool end = false;
    *out_rows = 0;
    do {
        if (!iterator->batch || iterator->row == iterator->rows)
            WEIR_TRY(next_batch(iterator, run, &end));
        if (end)
            return WEIR_OK;
        WEIR_TRY(take_part(iterator, wanted - *out_rows, parts));
        *out_rows += part_rows(parts, parts->count - 1);
    } while (*out_rows < wanted);
    return WEIR_OK;
}

static bool same_rows(const weir_shape *a, const weir_shape *b)
{
    if (a->rank != b->rank)
        return false;
    for (int axis = 1; axis < a->rank; axis++)
        if (a->dims[axis] != b->dims[axis])
            return false;
    return true;
}

static weir_status join(const parts *parts, int component, int64_t rows, weir_tensor *out)
{
    const weir_tensor *first = &parts->at[0][component];
    WEIR_TRY(alloc_rows(first, rows, out));
    for (int64_t i = 0, filled = 0; i < (int64_t)parts->count; i++) {
        const weir_tensor *part = &parts->at[i][component];
        if (!same_rows(&part->shape, &first->shape))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Cannot rebatch dataset: rows of component %d have different shapes, "
                              "%s and %s.",
                              component, WEIR_SHAPE_STR(&first->shape),
                              WEIR_SHAPE_STR(&part->shape));
        copy_rows(part, 0, part->shape.dims[0], out, filled);
        filled += part->shape.dims[0];
    }
    return WEIR_OK;
}

static weir_status sized_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    rebatch_iterator *iterator = (rebatch_iterator *)it;
    const rebatch *this_rebatch = (const rebatch *)it->dataset;
    int64_t sizes = weir_tensor_count(&this_rebatch->sizes), rows;
    int64_t wanted = ((const int64_t *)this_rebatch->sizes.data)[iterator->given % sizes];
    parts parts = {0};
    weir_status status = gather(iterator, run, wanted, &parts, &rows);
    iterator->given++;
    *out_end = !parts.count || (rows < wanted && this_rebatch->drop);
    for (int i = 0; !status && !*out_end && i < it->dataset->count; i++)
        status = join(&parts, i, rows, &out[i]);
    fini_parts(&parts, it->dataset->count);
    return status;
}

/* ---- ops ------------------------------------------------------------------------------------- */

#define REBATCH                                                                                    \
    .bytes = sizeof(rebatch), .iterator_bytes = sizeof(rebatch_iterator), .like_input = true,      \
    .fini = fini, .fini_iterator = fini_iterator, .cardinality = cardinality, .name = "Rebatch"

static const weir_dataset_fns part_fns = {REBATCH, .next = part_next};
static const weir_dataset_fns sized_fns = {REBATCH, .next = sized_next};

static weir_status make_parts(weir_call *call)
{
    rebatch *made;
    int64_t replicas;
    WEIR_TRY(weir_data_int(call, "num_replicas", &replicas));
    if (replicas < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_replicas must be greater than zero.");
    WEIR_TRY(weir_dataset_new(call, &part_fns, &made));
    made->replicas = replicas;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

static weir_status check_sizes(const weir_tensor *sizes)
{
    if (sizes->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "`batch_sizes` must be a scalar or a vector.");
    if (!weir_tensor_count(sizes))
        return weir_error(WEIR_INVALID_ARGUMENT, "`batch_sizes` must not be empty.");
    for (int64_t i = 0; i < weir_tensor_count(sizes); i++)
        if (((const int64_t *)sizes->data)[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "`batch_sizes` must not be negative, but element %" PRId64
                              " is %" PRId64 ".",
                              i, ((const int64_t *)sizes->data)[i]);
    return WEIR_OK;
}

static weir_status make_sized(weir_call *call)
{
    rebatch *made;
    bool drop;
    const weir_tensor *sizes = weir_data_in(call, "batch_sizes");
    WEIR_TRY(check_sizes(sizes));
    WEIR_TRY(weir_data_bool(call, "drop_remainder", &drop));
    WEIR_TRY(weir_dataset_new(call, &sized_fns, &made));
    made->sizes = weir_tensor_share(sizes);
    made->drop = drop;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

#define PART_ATTRS WEIR_DATASET_TYPES "; use_fallback: bool = true"
WEIR_DATASET_OP(rebatch_dataset, "RebatchDataset", "input_dataset: variant; num_replicas: int64",
                PART_ATTRS, 0, make_parts);
WEIR_DATASET_OP(experimental_rebatch_dataset, "ExperimentalRebatchDataset",
                "input_dataset: variant; num_replicas: int64", PART_ATTRS, 0, make_parts);
WEIR_DATASET_OP(rebatch_dataset_v2, "RebatchDatasetV2",
                "input_dataset: variant; batch_sizes: int64; drop_remainder: bool",
                WEIR_DATASET_TYPES, 0, make_sized);
