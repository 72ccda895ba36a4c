/* ops/nn/accidental_hits.c - ComputeAccidentalHits: sampled candidates that equal a true class. */
#include <float.h>
#include <inttypes.h>

#include "op/op.h"

enum { NUM_TRUE };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t cols = weir_infer_dim(infer, 0, 1), num_true = weir_site_int(infer->site, NUM_TRUE);
    if (cols >= 0 && cols != num_true)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "true_candidates must be a batch_size * num_true matrix: got %s with "
                          "num_true %" PRId64,
                          WEIR_SHAPE_STR(infer->in[0]), num_true);
    for (int o = 0; o < 3; o++)
        infer->out[o] = weir_shape_vector(-1);
    return WEIR_OK;
}

/* Positions of candidates by class: a hash table with open addressing, at most half
 * full. */
typedef struct slot {
    int64_t id, place; /* place: 0 if empty, otherwise 1 + the candidate's position */
} slot;

typedef struct table {
    slot *slots;
    uint64_t mask;
} table;

static slot *slot_of(const table *table, int64_t id)
{
    uint64_t at = ((uint64_t)id * 0x9e3779b97f4a7c15u) >> 32;
    while (table->slots[at & table->mask].place && table->slots[at & table->mask].id != id)
        at++;
    return &table->slots[at & table->mask];
}

/* Later candidates of a class replace earlier ones. */
static table table_of(const int64_t *ids, int64_t count)
{
    size_t size = 16;
    while (size < 2 * (size_t)count)
        size *= 2;
    table table = {WEIR_NEW_ARRAY(slot, size), size - 1};
    for (int64_t i = 0; i < count; i++)
        *slot_of(&table, ids[i]) = (slot){ids[i], i + 1};
    return table;
}

static weir_status write_outputs(weir_call *call, int64_t hits, const int64_t *rows,
                                 const int64_t *places)
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
    table candidates = table_of(sampled->data, count);
    int64_t *rows = WEIR_NEW_ARRAY(int64_t, total + 1),
            *places = WEIR_NEW_ARRAY(int64_t, total + 1);
    for (int64_t i = 0; i < total; i++) {
        int64_t place = slot_of(&candidates, ((const int64_t *)truth->data)[i])->place;
        if (!place)
            continue;
        rows[hits] = i / per_row;
        places[hits++] = place - 1;
    }
    weir_status status = write_outputs(call, hits, rows, places);
    weir_free(candidates.slots);
    weir_free(rows);
    weir_free(places);
    return status;
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
