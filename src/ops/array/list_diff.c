/* ops/array/list_diff.c - ListDiff: the elements of x that are not in y, with their indices. */
#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *infer)
{
    static const char *const names[] = {"x", "y"};
    for (int k = 0; k < 2; k++)
        if (infer->in[k]->rank >= 0 && infer->in[k]->rank != 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s should be a 1D vector.", names[k]);
    infer->out[0] = infer->out[1] = weir_shape_vector(-1);
    return WEIR_OK;
}

/* The distinct elements of y, and the element to find. */
typedef struct lookup {
    const weir_tensor *y;
    int64_t *first; /* index of each distinct element in y */
    const void *now;
} lookup;

static bool same(void *ctx, int64_t n)
{
    const lookup *lookup = ctx;
    return weir_elements_equal(lookup->y->dtype, lookup->now, weir_at(lookup->y, lookup->first[n]));
}

static uint64_t hash_of(void *ctx, int64_t n)
{
    const lookup *lookup = ctx;
    return weir_element_hash(lookup->y->dtype, weir_at(lookup->y, lookup->first[n]), 0);
}

static void collect(lookup *lookup, weir_element_set *set)
{
    int64_t count = weir_tensor_count(lookup->y);
    for (int64_t j = 0; j < count; j++) {
        lookup->now = weir_at(lookup->y, j);
        uint64_t hash = weir_element_hash(lookup->y->dtype, lookup->now, 0);
        if (weir_element_set_add(set, hash, same, hash_of, lookup) < 0)
            lookup->first[set->count - 1] = j;
    }
}

/* Sets |keep| for the elements of x not in y; returns their number. */
static int64_t choose(lookup *lookup, const weir_element_set *set, const weir_tensor *x, bool *keep)
{
    int64_t count = weir_tensor_count(x), kept = 0;
    for (int64_t j = 0; j < count; j++) {
        lookup->now = weir_at(x, j);
        uint64_t hash = weir_element_hash(x->dtype, lookup->now, 0);
        keep[j] = weir_element_set_find(set, hash, same, lookup) < 0;
        kept += keep[j];
    }
    return kept;
}

static weir_status write_kept(weir_call *call, const bool *keep, int64_t kept)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_shape shape = weir_shape_vector(kept);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    WEIR_TRY(weir_call_alloc(call, 1, &shape));
    for (int64_t j = 0, n = 0; n < kept; j++) {
        if (!keep[j])
            continue;
        weir_elements_copy(x->dtype, weir_at(weir_out(call, 0), n), weir_at(x, j), 1);
        weir_int_set(weir_out(call, 1), n++, j);
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1);
    weir_tensor first, keep;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &y->shape, &first));
    weir_status status = weir_tensor_alloc(WEIR_BOOL, &x->shape, &keep);
    if (!status) {
        lookup lookup = {y, first.data, NULL};
        weir_element_set set = {0};
        collect(&lookup, &set);
        status = write_kept(call, keep.data, choose(&lookup, &set, x, keep.data));
        weir_element_set_fini(&set);
        weir_tensor_release(&keep);
    }
    weir_tensor_release(&first);
    return status;
}

const weir_op weir_op_list_diff = {
    .name = "ListDiff",
    .in = "x: T; y: T",
    .out = "out: T; idx: out_idx",
    .attrs = "T: type; out_idx: {int32, int64} = DT_INT32",
    .infer = infer,
    .no_grad = true,
    .kernels =
        {{WEIR_CPU,
          "T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
          "uint64, string",
          run, WEIR_OWN_OUTPUTS}},
};
