/* ops/array/unique.c - Unique, UniqueV2, UniqueWithCounts, UniqueWithCountsV2: distinct values in
 * order of first occurrence. Along an axis, a value is a whole slice. */
#include <string.h>

#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"
#include "ops/declare.h"

enum { Y, IDX, COUNTS };

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status vector_infer(weir_infer *infer)
{
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "unique expects a 1D vector.");
    infer->out[Y] = weir_shape_vector(-1);
    infer->out[IDX] = *infer->in[0];
    if (infer->out_count > COUNTS)
        infer->out[COUNTS] = weir_shape_vector(-1);
    return WEIR_OK;
}

/* An empty axis means axis 0 of a vector. */
static weir_status read_axis(const weir_tensor *axis, int rank, int *out_axis)
{
    int64_t count = weir_tensor_count(axis);
    if (axis->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "axis expects a 1D vector.");
    if (count > 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "axis does not support input tensors larger than 1 elements");
    if (count == 0 && rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "unique expects a 1D vector.");
    int64_t a = count ? weir_int_at(axis, 0) : 0;
    if (a < -rank || a >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "axis expects to be in the range [%d, %d)", -rank,
                          rank);
    *out_axis = (int)(a < 0 ? a + rank : a);
    return WEIR_OK;
}

static weir_status axis_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    const weir_tensor *value = weir_infer_value(infer, 1);
    int axis;
    infer->out[IDX] = weir_shape_vector(-1);
    if (infer->out_count > COUNTS)
        infer->out[COUNTS] = weir_shape_vector(-1);
    if (x->rank < 0)
        return WEIR_OK;
    infer->out[Y] = weir_shape_of_rank(x->rank);
    if (!value)
        return WEIR_OK;
    WEIR_TRY(read_axis(value, x->rank, &axis));
    infer->out[IDX] = weir_shape_vector(x->dims[axis]);
    return WEIR_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* x viewed as [outer, count, inner]; slice j is x[:, j, :]. */
typedef struct slices {
    const weir_tensor *x;
    int64_t outer, count, inner;
    int64_t *first; /* index of the first occurrence of each distinct slice */
    int64_t now;    /* the current slice */
} slices;

static const void *place(const slices *slices, int64_t j, int64_t o, int64_t i)
{
    return weir_at(slices->x, (o * slices->count + j) * slices->inner + i);
}

static uint64_t slice_hash(const slices *slices, int64_t j)
{
    uint64_t h = 0;
    for (int64_t o = 0; o < slices->outer; o++)
        for (int64_t i = 0; i < slices->inner; i++)
            h = weir_element_hash(slices->x->dtype, place(slices, j, o, i), h);
    return h;
}

static uint64_t hash_of(void *ctx, int64_t n)
{
    const slices *slices = ctx;
    return slice_hash(slices, slices->first[n]);
}

/* In vectors of 16-bit floats 0 and -0 are distinct: TensorFlow compares their bits. */
static bool same_bits(const slices *slices, int64_t n)
{
    bool is_short = slices->x->dtype == WEIR_HALF || slices->x->dtype == WEIR_BFLOAT16;
    return !is_short || slices->x->shape.rank != 1 ||
           memcmp(place(slices, slices->now, 0, 0), place(slices, slices->first[n], 0, 0),
                  sizeof(uint16_t)) == 0;
}

static bool same(void *ctx, int64_t n)
{
    const slices *slices = ctx;
    if (!same_bits(slices, n))
        return false;
    for (int64_t o = 0; o < slices->outer; o++)
        for (int64_t i = 0; i < slices->inner; i++)
            if (!weir_elements_equal(slices->x->dtype, place(slices, slices->now, o, i),
                                     place(slices, slices->first[n], o, i)))
                return false;
    return true;
}

/* Numbers every slice into |idx|; returns how many distinct ones there are. */
static int64_t number(slices *slices, weir_tensor *idx)
{
    weir_element_set set = {0};
    for (slices->now = 0; slices->now < slices->count; slices->now++) {
        int64_t n =
            weir_element_set_add(&set, slice_hash(slices, slices->now), same, hash_of, slices);
        if (n < 0) {
            n = (int64_t)set.count - 1;
            slices->first[n] = slices->now;
        }
        weir_int_set(idx, slices->now, n);
    }
    int64_t distinct = (int64_t)set.count;
    weir_element_set_fini(&set);
    return distinct;
}

static weir_status write_values(weir_call *call, const slices *slices, int axis, int64_t distinct)
{
    weir_shape shape = slices->x->shape;
    shape.dims[axis] = distinct;
    WEIR_TRY(weir_call_alloc(call, Y, &shape));
    weir_tensor *y = weir_out(call, Y);
    for (int64_t n = 0; n < distinct; n++)
        weir_rows_copy(NULL, y->dtype, weir_at(y, n * slices->inner), distinct * slices->inner,
                       place(slices, slices->first[n], 0, 0), slices->count * slices->inner,
                       slices->outer, slices->inner);
    return WEIR_OK;
}

static weir_status write_counts(weir_call *call, int64_t count, int64_t distinct)
{
    weir_shape shape = weir_shape_vector(distinct);
    WEIR_TRY(weir_call_alloc(call, COUNTS, &shape));
    weir_tensor *counts = weir_out(call, COUNTS);
    weir_tensor_zero(NULL, counts);
    for (int64_t j = 0; j < count; j++) {
        int64_t n = weir_int_at(weir_out(call, IDX), j);
        weir_int_set(counts, n, weir_int_at(counts, n) + 1);
    }
    return WEIR_OK;
}

static weir_status unique(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int axis = 0;
    if (call->site->in_count > 1)
        WEIR_TRY(read_axis(weir_in(call, 1), x->shape.rank, &axis));
    slices slices = {.x = x,
                     .outer = weir_shape_product(&x->shape, 0, axis),
                     .count = x->shape.dims[axis],
                     .inner = weir_shape_product(&x->shape, axis + 1, x->shape.rank)};
    weir_shape vector = weir_shape_vector(slices.count);
    weir_tensor first;
    WEIR_TRY(weir_call_alloc(call, IDX, &vector));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &first));
    slices.first = first.data;
    int64_t distinct = number(&slices, weir_out(call, IDX));
    weir_status status = write_values(call, &slices, axis, distinct);
    if (!status && call->site->out_count > COUNTS)
        status = write_counts(call, slices.count, distinct);
    weir_tensor_release(&first);
    return status;
}

#define TYPES                                                                                      \
    "T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, " \
    "bool, string"
#define UNIQUE .no_grad = true, .kernels = {{WEIR_CPU, TYPES, unique, WEIR_OWN_OUTPUTS}}
#define OF_VECTOR                                                                                  \
    UNIQUE, .in = "x: T", .attrs = "T: type; out_idx: {int32, int64} = DT_INT32",                  \
            .infer = vector_infer
#define ALONG_AXIS                                                                                 \
    UNIQUE, .in = "x: T; axis: Taxis",                                                             \
            .attrs = "T: type; Taxis: {int32, int64} = DT_INT64; "                                 \
                     "out_idx: {int32, int64} = DT_INT32",                                         \
            .infer = axis_infer
WEIR_DEFINE_OP(unique, "Unique", OF_VECTOR, .out = "y: T; idx: out_idx");
WEIR_DEFINE_OP(unique_v2, "UniqueV2", ALONG_AXIS, .out = "y: T; idx: out_idx");
WEIR_DEFINE_OP(unique_with_counts, "UniqueWithCounts", OF_VECTOR,
               .out = "y: T; idx: out_idx; count: out_idx");
WEIR_DEFINE_OP(unique_with_counts_v2, "UniqueWithCountsV2", ALONG_AXIS,
               .out = "y: T; idx: out_idx; count: out_idx");
