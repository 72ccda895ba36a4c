/* ops/xla/move.c - XlaPad, XlaDynamicSlice, XlaDynamicUpdateSlice, XlaGather, XlaBroadcastHelper,
 * XlaSetDynamicDimensionSize, XlaReducePrecision. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"
#include "ops/xla/numbers.h"

#define TYPES_AND_BOOL                                                                             \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}"
#define TYPES                                                                                      \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}"

static void move_one(weir_tensor *to, int64_t to_at, const weir_tensor *from, int64_t from_at)
{
    weir_elements_copy(to->dtype, weir_at(to, to_at), weir_at(from, from_at), 1);
}

/* ---- XlaPad ---------------------------------------------------------------------------------- */

typedef struct padding {
    int64_t low[WEIR_MAX_RANK], high[WEIR_MAX_RANK], inner[WEIR_MAX_RANK];
} padding;

static weir_status padded_shape(const weir_call *call, const padding *padding, weir_shape *out)
{
    *out = weir_in(call, 0)->shape;
    for (int i = 0; i < out->rank; i++) {
        int64_t dim = out->dims[i], gaps = 0;
        bool bad = padding->inner[i] < 0 ||
                   __builtin_mul_overflow(dim ? dim - 1 : 0, padding->inner[i], &gaps) ||
                   __builtin_add_overflow(dim, gaps, &dim) ||
                   __builtin_add_overflow(dim, padding->low[i], &dim) ||
                   __builtin_add_overflow(dim, padding->high[i], &dim);
        if (bad || dim < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "XlaPad: the padding of dimension %d, %" PRId64 ", %" PRId64
                              " and %" PRId64 ", does not fit its size %" PRId64,
                              i, padding->low[i], padding->high[i], padding->inner[i],
                              out->dims[i]);
        out->dims[i] = dim;
    }
    return WEIR_OK;
}

static void spread(const weir_tensor *x, const padding *padding, weir_tensor *y)
{
    int64_t index[WEIR_MAX_RANK], count = weir_tensor_count(x);
    for (int64_t at = 0; at < count; at++) {
        bool inside = true;
        weir_xla_unravel(&x->shape, at, index);
        for (int i = 0; i < x->shape.rank; i++) {
            index[i] = padding->low[i] + index[i] * (padding->inner[i] + 1);
            inside &= index[i] >= 0 && index[i] < y->shape.dims[i];
        }
        if (inside)
            move_one(y, weir_xla_ravel(&y->shape, index), x, at);
    }
}

static weir_status pad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *value = weir_in(call, 1);
    int rank = x->shape.rank;
    padding padding;
    weir_shape shape;
    if (value->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "XlaPad: the padding value must be a scalar");
    WEIR_TRY(weir_xla_ints(call, 2, rank, padding.low));
    WEIR_TRY(weir_xla_ints(call, 3, rank, padding.high));
    WEIR_TRY(weir_xla_ints(call, 4, rank, padding.inner));
    WEIR_TRY(padded_shape(call, &padding, &shape));
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    weir_tensor_fill(&call->run->par, weir_out(call, 0), value->data);
    spread(x, &padding, weir_out(call, 0));
    return WEIR_OK;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Starts are clamped so that slices stay inside the tensor. */
static weir_status clamp(const weir_call *call, const weir_shape *whole, const weir_shape *part,
                         int64_t *begin)
{
    for (int i = 0; i < whole->rank; i++) {
        int64_t last = whole->dims[i] - part->dims[i];
        if (part->dims[i] < 0 || last < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: a slice of size %" PRId64
                              " does not fit dimension %d of size %" PRId64,
                              call->site->op->name, part->dims[i], i, whole->dims[i]);
        begin[i] = begin[i] < 0 ? 0 : begin[i] > last ? last : begin[i];
    }
    return WEIR_OK;
}

/* Copies the part of |whole| from |begin| on to |part|, or in reverse. */
static void copy_part(weir_tensor *whole, const int64_t *begin, weir_tensor *part, bool to_part)
{
    int64_t index[WEIR_MAX_RANK], count = weir_tensor_count(part);
    for (int64_t at = 0; at < count; at++) {
        weir_xla_unravel(&part->shape, at, index);
        for (int i = 0; i < part->shape.rank; i++)
            index[i] += begin[i];
        int64_t there = weir_xla_ravel(&whole->shape, index);
        if (to_part)
            move_one(part, at, whole, there);
        else
            move_one(whole, there, part, at);
    }
}

static weir_status dynamic_slice(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t begin[WEIR_MAX_RANK];
    weir_shape shape = {.rank = x->shape.rank};
    WEIR_TRY(weir_xla_ints(call, 1, x->shape.rank, begin));
    WEIR_TRY(weir_xla_ints(call, 2, x->shape.rank, shape.dims));
    WEIR_TRY(clamp(call, &x->shape, &shape, begin));
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    copy_part(&call->in[0].tensor, begin, weir_out(call, 0), true);
    return WEIR_OK;
}

static weir_status update_slice(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *update = weir_in(call, 1);
    int64_t begin[WEIR_MAX_RANK];
    if (update->shape.rank != x->shape.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: input and update have different ranks",
                          call->site->op->name);
    WEIR_TRY(weir_xla_ints(call, 2, x->shape.rank, begin));
    WEIR_TRY(clamp(call, &x->shape, &update->shape, begin));
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    weir_elements_copy(x->dtype, weir_out(call, 0)->data, x->data, weir_tensor_count(x));
    copy_part(weir_out(call, 0), begin, &call->in[1].tensor, false);
    return WEIR_OK;
}

/* Truncates to the first |size| rows along a dimension. */
static weir_status set_size(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t dim, size, begin[WEIR_MAX_RANK] = {0};
    weir_shape shape = x->shape;
    WEIR_TRY(weir_xla_ints(call, 1, 1, &dim));
    WEIR_TRY(weir_xla_ints(call, 2, 1, &size));
    if (dim < 0 || dim >= shape.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "dim_index %" PRId64 " is out of range", dim);
    shape.dims[dim] = size;
    WEIR_TRY(clamp(call, &x->shape, &shape, begin));
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    copy_part(&call->in[0].tensor, begin, weir_out(call, 0), true);
    return WEIR_OK;
}

/* ---- XlaGather ------------------------------------------------------------------------------- */

typedef struct gathering {
    weir_msg_gather_dimension_numbers numbers;
    int64_t sizes[WEIR_MAX_RANK];
    int batch_rank;
} gathering;

static weir_status check_gather(const weir_call *call, gathering *g)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *indices = &weir_in(call, 1)->shape;
    const weir_site *site = call->site;
    const weir_msg_gather_dimension_numbers *numbers = &g->numbers;
    int64_t vector_dim = numbers->index_vector_dim;
    bool fine = vector_dim >= 0 && vector_dim <= indices->rank &&
                !numbers->operand_batching_dims.count &&
                !numbers->start_indices_batching_dims.count &&
                (size_t)x->rank == numbers->offset_dims.count + numbers->collapsed_slice_dims.count;
    int64_t vector = fine && vector_dim < indices->rank ? indices->dims[vector_dim] : 1;
    g->batch_rank = indices->rank - (vector_dim < indices->rank);
    fine = fine && (int64_t)numbers->start_index_map.count == vector &&
           g->batch_rank + (int)numbers->offset_dims.count <= WEIR_MAX_RANK;
    if (!fine)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: the dimension numbers do not fit %s and %s",
                          site->op->name, WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(indices));
    WEIR_TRY(weir_xla_check_dims(site, numbers->collapsed_slice_dims, x->rank));
    WEIR_TRY(weir_xla_check_dims(site, numbers->start_index_map, x->rank));
    WEIR_TRY(weir_xla_check_dims(site, numbers->offset_dims,
                                 g->batch_rank + (int)numbers->offset_dims.count));
    for (int i = 0; i < x->rank; i++)
        if (g->sizes[i] < 0 || g->sizes[i] > x->dims[i] ||
            (weir_dims_has(numbers->collapsed_slice_dims, i) && g->sizes[i] != 1))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: slice size %" PRId64
                              " does not fit dimension %d of size %" PRId64,
                              site->op->name, g->sizes[i], i, x->dims[i]);
    return WEIR_OK;
}

static weir_shape gathered_shape(const weir_call *call, const gathering *g)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *indices = &weir_in(call, 1)->shape;
    weir_shape shape = {.rank = g->batch_rank + (int)g->numbers.offset_dims.count};
    int slice = 0, batch = 0;
    for (int i = 0; i < shape.rank; i++) {
        bool offset = weir_dims_has(g->numbers.offset_dims, i);
        while (offset && slice < x->rank && weir_dims_has(g->numbers.collapsed_slice_dims, slice))
            slice++;
        batch += !offset && batch == g->numbers.index_vector_dim;
        shape.dims[i] = offset ? g->sizes[slice++] : indices->dims[batch++];
    }
    return shape;
}

/* The start of the slice for an output index, clamped into the operand. */
static void slice_begin(const weir_call *call, const gathering *g, const int64_t *out_index,
                        int out_rank, int64_t *begin)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *indices = &weir_in(call, 1)->shape;
    int64_t index[WEIR_MAX_RANK + 1] = {0}, vector_dim = g->numbers.index_vector_dim;
    int batch = 0;
    for (int i = 0; i < out_rank; i++)
        if (!weir_dims_has(g->numbers.offset_dims, i)) {
            batch += batch == vector_dim;
            index[batch++] = out_index[i];
        }
    memset(begin, 0, sizeof(int64_t) * WEIR_MAX_RANK);
    for (size_t k = 0; k < g->numbers.start_index_map.count; k++) {
        int64_t dim = g->numbers.start_index_map.at[k], last = x->dims[dim] - g->sizes[dim];
        if (vector_dim < indices->rank)
            index[vector_dim] = (int64_t)k;
        int64_t value = weir_int_at(weir_in(call, 1), weir_xla_ravel(indices, index));
        begin[dim] = value < 0 ? 0 : value > last ? last : value;
    }
}

static void gather_one(weir_call *call, const gathering *g, int64_t at)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t index[WEIR_MAX_RANK], begin[WEIR_MAX_RANK];
    weir_xla_unravel(&y->shape, at, index);
    slice_begin(call, g, index, y->shape.rank, begin);
    int dim = 0;
    for (int i = 0; i < y->shape.rank; i++)
        if (weir_dims_has(g->numbers.offset_dims, i)) {
            while (weir_dims_has(g->numbers.collapsed_slice_dims, dim))
                dim++;
            begin[dim++] += index[i];
        }
    move_one(y, at, x, weir_xla_ravel(&x->shape, begin));
}

static weir_status gather(weir_call *call)
{
    WEIR_MESSAGE_ARENA(arena);
    gathering g;
    WEIR_TRY(weir_xla_numbers(call->site, &weir_message_types[WEIR_INDEX_gather_dimension_numbers],
                              &arena, &g.numbers));
    WEIR_TRY(weir_xla_ints(call, 2, weir_in(call, 0)->shape.rank, g.sizes));
    WEIR_TRY(check_gather(call, &g));
    weir_shape shape = gathered_shape(call, &g);
    WEIR_TRY(weir_xla_alloc(call, 0, &shape));
    int64_t count = weir_tensor_count(weir_out(call, 0));
    for (int64_t at = 0; at < count; at++)
        gather_one(call, &g, at);
    return WEIR_OK;
}

/* ---- XlaBroadcastHelper ---------------------------------------------------------------------- */

/* |shape| expanded to |rank|: dimension i moves to |dims[i]|, the others are 1. */
static weir_status stretch(const weir_shape *shape, const int64_t *dims, int rank, weir_shape *out)
{
    *out = (weir_shape){.rank = rank};
    for (int i = 0; i < rank; i++)
        out->dims[i] = 1;
    for (int i = 0; i < shape->rank; i++) {
        if (dims[i] < 0 || dims[i] >= rank || (i && dims[i] <= dims[i - 1]))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "broadcast_dims must increase and be below %d; element %d is %" PRId64, rank, i,
                dims[i]);
        out->dims[dims[i]] = shape->dims[i];
    }
    return WEIR_OK;
}

static weir_status broadcast_helper(weir_call *call)
{
    const weir_shape *shapes[] = {&weir_in(call, 0)->shape, &weir_in(call, 1)->shape};
    int less = shapes[0]->rank < shapes[1]->rank ? 0 : 1, more = !less;
    int64_t dims[WEIR_MAX_RANK], given = weir_tensor_count(weir_in(call, 2));
    weir_shape shape;
    if (given == 0 && shapes[0]->rank != shapes[1]->rank && shapes[less]->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "If broadcast_dims is empty, both arguments must have equal rank; "
                          "argument shapes %s and %s",
                          WEIR_SHAPE_STR(shapes[0]), WEIR_SHAPE_STR(shapes[1]));
    weir_call_forward(call, 0, 0, NULL);
    weir_call_forward(call, 1, 1, NULL);
    if (given == 0)
        return WEIR_OK;
    WEIR_TRY(weir_xla_ints(call, 2, shapes[less]->rank, dims));
    WEIR_TRY(stretch(shapes[less], dims, shapes[more]->rank, &shape));
    weir_call_forward(call, less, less, &shape);
    return WEIR_OK;
}

/* ---- XlaReducePrecision ---------------------------------------------------------------------- */

/* |x| rounded to a float of that many bits, ties to even; overflow to infinity, underflow to 0. */
static double reduce(double x, int exponent_bits, int mantissa_bits)
{
    int exponent, most = (1 << (exponent_bits - 1)) - 1;
    if (x == 0 || !isfinite(x))
        return x;
    frexp(x, &exponent);
    double unit = ldexp(1, exponent - 1 - mantissa_bits), rounded = rint(x / unit) * unit;
    frexp(rounded, &exponent);
    if (exponent - 1 > most)
        return copysign(INFINITY, x);
    return exponent - 1 < 1 - most ? copysign(0, x) : rounded;
}

static weir_status reduce_precision(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t exponent = weir_site_int(call->site, 1), mantissa = weir_site_int(call->site, 2);
    if (exponent < 1 || exponent > 11 || mantissa < 0 || mantissa > 52)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "exponent_bits %" PRId64 " and mantissa_bits %" PRId64
                          " are not those of a float",
                          exponent, mantissa);
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        weir_c128 value;
        weir_matrix_load(x, i, 1, &value);
        value = reduce(creal(value), (int)exponent, (int)mantissa);
        weir_matrix_store(weir_out(call, 0), i, 1, &value);
    }
    return WEIR_OK;
}

#define MOVES(kernel) .kernels = {{WEIR_CPU, "*", kernel, WEIR_OWN_OUTPUTS}}
#define ANY "T: type; Tindices: {int32, int64}"
WEIR_DEFINE_OP(xla_pad, "XlaPad", MOVES(pad), .out = "output: T", .attrs = ANY,
               .in = "input: T; padding_value: T; padding_low: Tindices; padding_high: Tindices; "
                     "padding_interior: Tindices");
WEIR_DEFINE_OP(xla_dynamic_slice, "XlaDynamicSlice", MOVES(dynamic_slice), .out = "output: T",
               .in = "input: T; start_indices: Tindices; size_indices: Tindices", .attrs = ANY);
WEIR_DEFINE_OP(xla_dynamic_update_slice, "XlaDynamicUpdateSlice", MOVES(update_slice),
               .in = "input: T; update: T; indices: Tindices", .out = "output: T", .attrs = ANY,
               .infer = weir_infer_same_shape);
WEIR_DEFINE_OP(xla_set_dynamic_dimension_size, "XlaSetDynamicDimensionSize", MOVES(set_size),
               .in = "input: T; dim_index: int32; size: int32", .out = "output: T",
               .attrs = "T: type");
WEIR_DEFINE_OP(xla_gather, "XlaGather", MOVES(gather), .out = "output: T",
               .in = "operand: T; start_indices: Tindices; slice_sizes: Tindices",
               .attrs = "dimension_numbers: string; indices_are_sorted: bool; T: " TYPES_AND_BOOL
                        "; Tindices: {int32, int64}");
WEIR_DEFINE_OP(xla_broadcast_helper, "XlaBroadcastHelper", MOVES(broadcast_helper),
               .in = "lhs: T; rhs: T; broadcast_dims: Tindices",
               .out = "lhs_output: T; rhs_output: T",
               .attrs = "T: " TYPES "; Tindices: {int32, int64}");
WEIR_DEFINE_OP(xla_reduce_precision, "XlaReducePrecision", .in = "operand: T", .out = "output: T",
               .attrs = "T: {bfloat16, half, float, double}; exponent_bits: int; "
                        "mantissa_bits: int",
               .infer = weir_infer_same_shape, .kernels = {{WEIR_CPU, "*", reduce_precision}});
