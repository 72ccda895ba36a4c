/* ops/nn/accidental_hits.c - ComputeAccidentalHits: where a sampled candidate is a true class. */
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>

#include "op/op.h"

enum { NUM_TRUE };

static weir_status infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 2));
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    int64_t cols = weir_infer_dim(i, 0, 1), num_true = weir_site_int(i->site, NUM_TRUE);
    if (cols >= 0 && cols != num_true)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "true_candidates must be a batch_size * num_true matrix: got %s with "
                          "num_true %" PRId64,
                          WEIR_SHAPE_STR(i->in[0]), num_true);
    for (int o = 0; o < 3; o++)
        i->out[o] = weir_shape_vector(-1);
    return WEIR_OK;
}

/* A candidate and its place; sorted, so that true classes are found by halving. */
typedef struct candidate {
    int64_t id, at;
} candidate;

static int by_id(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->id != y->id ? (x->id < y->id ? -1 : 1) : (x->at < y->at ? -1 : x->at > y->at);
}

/* The last candidate of class |id| (later ones of a class replace earlier ones), or -1. */
static int64_t place_of(const candidate *c, int64_t count, int64_t id)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (c[middle].id <= id)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && c[low - 1].id == id ? c[low - 1].at : -1;
}

static weir_status give(weir_call *call, int64_t hits, const int64_t *rows, const int64_t *places)
{
    weir_shape shape = weir_shape_vector(hits);
    for (int o = 0; o < 3; o++)
        WEIR_TRY(weir_call_alloc(call, o, &shape));
    for (int64_t i = 0; i < hits; i++) {
        ((int32_t *)weir_out(call, 0)->data)[i] = (int32_t)rows[i];
        ((int64_t *)weir_out(call, 1)->data)[i] = places[i];
        ((float *)weir_out(call, 2)->data)[i] = -FLT_MAX;
    }
    return WEIR_OK;
}

static weir_status compute(weir_call *call)
{
    const weir_tensor *truth = weir_in(call, 0), *sampled = weir_in(call, 1);
    int64_t count = weir_tensor_count(sampled), total = weir_tensor_count(truth);
    int64_t per_row = weir_site_int(call->site, NUM_TRUE), hits = 0;
    candidate *sorted = WEIR_NEW_ARRAY(candidate, count + 1);
    for (int64_t i = 0; i < count; i++)
        sorted[i] = (candidate){((const int64_t *)sampled->data)[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_id);
    int64_t *rows = WEIR_NEW_ARRAY(int64_t, total + 1),
            *places = WEIR_NEW_ARRAY(int64_t, total + 1);
    for (int64_t i = 0; i < total; i++) {
        int64_t at = place_of(sorted, count, ((const int64_t *)truth->data)[i]);
        if (at < 0)
            continue;
        rows[hits] = i / per_row;
        places[hits++] = at;
    }
    weir_status s = give(call, hits, rows, places);
    weir_free(sorted);
    weir_free(rows);
    weir_free(places);
    return s;
}

const weir_op weir_op_compute_accidental_hits = {
    .name = "ComputeAccidentalHits",
    .in = "true_classes: int64; sampled_candidates: int64",
    .out = "indices: int32; ids: int64; weights: float",
    .attrs = "num_true: int; seed: int = 0; seed2: int = 0",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", compute, WEIR_OWN_OUTPUTS}},
};
