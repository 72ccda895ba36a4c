/* ops/data/unbatch.c - UnbatchDataset: each row of an element becomes an element. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct unbatch_iterator {
    weir_iterator base;
    weir_tensor *batch; /* null: none at hand */
    int64_t row, rows;
} unbatch_iterator;

static void drop_batch(unbatch_iterator *u)
{
    weir_element_destroy(u->batch, u->base.dataset->count);
    u->batch = NULL;
}

static void fini_iterator(weir_iterator *it)
{
    drop_batch((unbatch_iterator *)it);
}

static int64_t cardinality(const weir_dataset *d)
{
    int64_t n = weir_dataset_cardinality(d->inputs[0]), all;
    if (n <= 0)
        return n;
    const weir_shape *s = &d->inputs[0]->shapes[0];
    if (s->rank < 1 || s->dims[0] < 1)
        return WEIR_CARDINALITY_UNKNOWN;
    return __builtin_mul_overflow(n, s->dims[0], &all) ? INT64_MAX : all;
}

static weir_status check_batch(unbatch_iterator *u)
{
    for (int i = 0; i < u->base.dataset->count; i++) {
        if (u->batch[i].shape.rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input element must have a non-scalar value in each component.");
        if (u->batch[i].shape.dims[0] != u->batch[0].shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input element must have the same batch size in each component. "
                              "Component 0 had size %" PRId64 " but component %d had size, %" PRId64
                              ".",
                              u->batch[0].shape.dims[0], i, u->batch[i].shape.dims[0]);
    }
    u->row = 0;
    u->rows = u->batch[0].shape.dims[0];
    return WEIR_OK;
}

static weir_status next_batch(unbatch_iterator *u, weir_run *run, bool *out_end)
{
    drop_batch(u);
    weir_tensor *batch = weir_element_create(u->base.dataset->count);
    weir_status s = weir_iterator_pull(&u->base, 0, run, batch, out_end);
    if (s || *out_end) {
        weir_element_destroy(batch, u->base.dataset->count);
        return s;
    }
    u->batch = batch;
    s = check_batch(u);
    if (s)
        drop_batch(u);
    return s;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    unbatch_iterator *u = (unbatch_iterator *)it;
    while (!*out_end && (!u->batch || u->row == u->rows))
        WEIR_TRY(next_batch(u, run, out_end));
    for (int i = 0; !*out_end && i < it->dataset->count; i++)
        WEIR_TRY(weir_data_row(&u->batch[i], u->row, &out[i]));
    u->row++;
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Unbatch",
    .bytes = sizeof(weir_dataset),
    .iterator_bytes = sizeof(unbatch_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .cardinality = cardinality,
};

static weir_status make(weir_call *c)
{
    weir_dataset *d;
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    weir_dataset_output(c, d);
    return WEIR_OK;
}

WEIR_DATASET_OP(unbatch_dataset, "UnbatchDataset", "input_dataset: variant",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
