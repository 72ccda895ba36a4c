/* ops/nn/fractional_pool.c - FractionalMaxPool and FractionalAvgPool: pools over regions of random
 * sizes, and their gradients.
 *
 * Region r of a sequence s covers [s[r], s[r + 1]); overlapping regions share their border.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arith.h"
#include "grad/grad.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/random/generator.h"

enum { RATIO, PSEUDO_RANDOM, OVERLAPPING, DETERMINISTIC, SEED, SEED2 }; /* attrs of the pools */
enum { GRAD_OVERLAPPING };                                              /* of their gradients */

/* ---- the regions ----------------------------------------------------------------------------- */

/* Batch, rows, columns and channels of an image of |shape|, partitioned by two sequences. */
typedef struct regions {
    const weir_shape *in, *out;
    const int64_t *rows, *cols;
    bool overlapping;
} regions;

typedef struct span {
    int64_t begin, end;
} span;

static span span_at(const int64_t *sequence, int64_t r, bool overlapping, int64_t size)
{
    int64_t begin = sequence[r], end = sequence[r + 1] + overlapping;
    return (span){weir_min(begin, size), weir_min(end, size)};
}

typedef void (*cell_fn)(void *arg, int64_t cell, int64_t image_row, span rows, span cols);

/* Calls |fn| for every cell of the output; |image_row| is the first row of its image. */
static void each_cell(const regions *regions, cell_fn fn, void *arg)
{
    const int64_t *out = regions->out->dims, *in = regions->in->dims;
    int64_t cell = 0;
    for (int64_t b = 0; b < out[0]; b++)
        for (int64_t r = 0; r < out[1]; r++)
            for (int64_t c = 0; c < out[2]; c++)
                fn(arg, cell++, b * in[1], span_at(regions->rows, r, regions->overlapping, in[1]),
                   span_at(regions->cols, c, regions->overlapping, in[2]));
}

/* ---- drawing sequences ----------------------------------------------------------------------- */

/* ceil(alpha * (i + u)) for one u, small enough that all gaps are k or k + 1. */
static void draw_pseudo(weir_philox_single *single, int64_t in, int64_t out, int64_t *sequence)
{
    double alpha = (double)in / (double)out;
    int64_t k = in / out;
    double most =
        fmin((double)(k + 2) / alpha - 1, (double)(in + 1 - k) / alpha - (double)(out - 1));
    double u = weir_philox_f64(single) * most;
    sequence[0] = 0;
    for (int64_t i = 1; i < out; i++)
        sequence[i] = (int64_t)ceil(alpha * ((double)i + u)) - 1;
    sequence[out] = in;
}

/* Gaps of k and k + 1 in random order. */
static void draw_shuffled(weir_philox_single *single, int64_t in, int64_t out, int64_t *sequence)
{
    int64_t *gaps = sequence + 1;
    for (int64_t i = 0; i < out; i++)
        gaps[i] = in / out + (i < in % out);
    for (int64_t i = 0; i + 1 < out; i++) {
        int64_t other = i + weir_philox_u32(single) % (uint32_t)(out - i), gap = gaps[i];
        gaps[i] = gaps[other];
        gaps[other] = gap;
    }
    sequence[0] = 0;
    for (int64_t i = 1; i <= out; i++)
        sequence[i] += sequence[i - 1];
}

/* Draws from |gen| and advances it by the sequence's reserve. */
static void draw_sequence(weir_philox *gen, bool pseudo, int64_t in, int64_t out, int64_t *sequence)
{
    weir_philox own = *gen;
    weir_philox_single single = weir_philox_singles(&own);
    (pseudo ? draw_pseudo : draw_shuffled)(&single, in, out, sequence);
    weir_philox_skip(gen, pseudo ? 1 : (uint64_t)(out + 3) / 4);
}

/* ---- the pools ------------------------------------------------------------------------------- */

static weir_status infer(weir_infer *infer)
{
    const weir_attr *ratio = weir_site_list(infer->site, RATIO);
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    if (ratio->count != 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "pooling_ratio field must specify 4 dimensions");
    weir_shape out = weir_shape_of_rank(4);
    for (int axis = 0; axis < 4; axis++) {
        int64_t size = weir_infer_dim(infer, 0, axis);
        if (!(ratio->fs[axis] >= 1))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "pooling_ratio cannot be smaller than 1, got: %g", ratio->fs[axis]);
        if (weir_infer_running(infer) && (float)size < ratio->fs[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Pooling ratio is higher than input dimension size for dimension %d. "
                              "Input dim size: %" PRId64 " pooling ratio: %g",
                              axis, size, ratio->fs[axis]);
        out.dims[axis] = size < 0 ? -1 : (int64_t)floorf((float)size / ratio->fs[axis]);
    }
    int64_t border = weir_infer_running(infer); /* a sequence has one more number than regions */
    infer->out[0] = out;
    infer->out[1] = weir_shape_vector(out.dims[1] < 0 ? -1 : out.dims[1] + border);
    infer->out[2] = weir_shape_vector(out.dims[2] < 0 ? -1 : out.dims[2] + border);
    return WEIR_OK;
}

/* The seeds of a node with the same regions in every step; two zeros: random seeds. */
typedef struct seeds {
    uint64_t seed, seed2;
} seeds;

static weir_status prepare(weir_prepare *preparation)
{
    const weir_attr *ratio = weir_site_list(preparation->site, RATIO);
    seeds chosen = {(uint64_t)weir_site_int(preparation->site, SEED),
                    (uint64_t)weir_site_int(preparation->site, SEED2)};
    bool fixed = weir_site_bool(preparation->site, DETERMINISTIC),
         given = chosen.seed || chosen.seed2;
    if (ratio->count == 4 && (ratio->fs[0] != 1 || ratio->fs[3] != 1))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Fractional pooling is not yet supported on the batch nor channel "
                          "dimension.");
    if (given && !fixed)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Both seed and seed2 should be 0 if deterministic is false.");
    if (fixed && !given)
        chosen = (seeds){weir_random_bits(), weir_random_bits()};
    preparation->state = WEIR_NEW(seeds);
    *(seeds *)preparation->state = chosen;
    return WEIR_OK;
}

static void draw_regions(weir_call *call, regions *out)
{
    seeds chosen = *(const seeds *)call->state;
    if (!chosen.seed && !chosen.seed2)
        chosen = (seeds){weir_random_bits(), weir_random_bits()};
    weir_philox gen = weir_philox_seeded(chosen.seed, chosen.seed2);
    bool pseudo = weir_site_bool(call->site, PSEUDO_RANDOM);
    int64_t *rows = weir_out(call, 1)->data, *cols = weir_out(call, 2)->data;
    *out = (regions){&weir_in(call, 0)->shape, &weir_out(call, 0)->shape, rows, cols,
                     weir_site_bool(call->site, OVERLAPPING)};
    draw_sequence(&gen, pseudo, out->in->dims[1], out->out->dims[1], rows);
    draw_sequence(&gen, pseudo, out->in->dims[2], out->out->dims[2], cols);
}

/* One cell's work over tensors of one type. |arg| is, per output, the index of its maximum. */
typedef struct pooling {
    const void *x;
    void *y;
    int64_t *arg;
    int64_t columns, depth;
} pooling;

/* Functions instantiated per element type (fractional_pool.inc). */
typedef struct loops {
    cell_fn max_cell, avg_cell, share_cell;
    void (*take)(const pooling *pooling, int64_t count);
    bool (*matches)(const pooling *pooling, int64_t count);
    void (*put)(const pooling *pooling, const void *dy, void *dx, int64_t count);
    void (*round)(const double *from, void *to, int64_t count);
} loops;

#define NAME(function) function##_f32
#define ELEM float
#include "ops/nn/fractional_pool.inc"
#define NAME(function) function##_f64
#define ELEM double
#include "ops/nn/fractional_pool.inc"
#define NAME(function) function##_i32
#define ELEM int32_t
#include "ops/nn/fractional_pool.inc"
#define NAME(function) function##_i64
#define ELEM int64_t
#include "ops/nn/fractional_pool.inc"

static const loops *loops_of(const weir_tensor *tensor)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        return &loops_f32;
    case WEIR_DOUBLE:
        return &loops_f64;
    case WEIR_INT32:
        return &loops_i32;
    default:
        return &loops_i64;
    }
}

static weir_status max_pool(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0), arg;
    const loops *loops = loops_of(x);
    regions regions;
    draw_regions(call, &regions);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &y->shape, &arg));
    pooling pooling = {x->data, y->data, arg.data, x->shape.dims[2], x->shape.dims[3]};
    each_cell(&regions, loops->max_cell, &pooling);
    loops->take(&pooling, weir_tensor_count(y));
    weir_tensor_release(&arg);
    return WEIR_OK;
}

static weir_status avg_pool(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    regions regions;
    draw_regions(call, &regions);
    pooling pooling = {x->data, weir_out(call, 0)->data, NULL, x->shape.dims[2], x->shape.dims[3]};
    each_cell(&regions, loops_of(x)->avg_cell, &pooling);
    return WEIR_OK;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* A sequence may come from a client: numbers out of range are rejected. */
static weir_status check_sequence(const weir_tensor *tensor, const char *what, const char *input,
                                  int64_t cells)
{
    int64_t count = weir_tensor_count(tensor);
    const int64_t *at = tensor->data;
    if (tensor->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a vector, received shape %s", input,
                          WEIR_SHAPE_STR(&tensor->shape));
    if (count <= cells)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s must have at least %" PRId64 " elements, but got %" PRId64, input,
                          cells + 1, count);
    for (int64_t k = 0; k <= cells; k++)
        if (at[k] < 0 || at[k] == INT64_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s sequence tensor values must not be negative, got %" PRId64, what,
                              at[k]);
    return WEIR_OK;
}

static weir_status check_regions(const regions *regions, const weir_tensor *rows,
                                 const weir_tensor *cols)
{
    WEIR_TRY(check_sequence(rows, "Row", "row_pooling_sequence", regions->out->dims[1]));
    WEIR_TRY(check_sequence(cols, "Column", "col_pooling_sequence", regions->out->dims[2]));
    if (regions->in->dims[0] != regions->out->dims[0] ||
        regions->in->dims[3] != regions->out->dims[3])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shapes %s of the input and %s of the output differ in batch or channels",
                          WEIR_SHAPE_STR(regions->in), WEIR_SHAPE_STR(regions->out));
    return WEIR_OK;
}

static weir_status max_grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status check_max_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1), *dy = weir_in(call, 2);
    int64_t region = weir_tensor_count(weir_in(call, 3)) * weir_tensor_count(weir_in(call, 4));
    if (y->shape.rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "orig_output should be a tensor of rank 4, got shape %s",
                          WEIR_SHAPE_STR(&y->shape));
    if (weir_tensor_count(x) == 0 || weir_tensor_count(y) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must not be empty, got shape %s",
                          weir_tensor_count(x) ? "orig_output" : "orig_input",
                          WEIR_SHAPE_STR(weir_tensor_count(x) ? &y->shape : &x->shape));
    if (region > weir_tensor_count(x))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Pooling region has more elements than the input tensor: %" PRId64
                          " in sequences, %" PRId64 " in orig_input",
                          region, weir_tensor_count(x));
    if (weir_tensor_count(dy) != weir_tensor_count(y))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "out_backprop has shape %s, but orig_output has %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&y->shape));
    return WEIR_OK;
}

static weir_status max_pool_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1);
    weir_tensor *dx = weir_out(call, 0), arg;
    const loops *loops = loops_of(x);
    regions regions = {&x->shape, &y->shape, weir_in(call, 3)->data, weir_in(call, 4)->data,
                       weir_site_bool(call->site, GRAD_OVERLAPPING)};
    WEIR_TRY(check_max_grad(call));
    WEIR_TRY(check_regions(&regions, weir_in(call, 3), weir_in(call, 4)));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &y->shape, &arg));
    pooling pooling = {x->data, y->data, arg.data, x->shape.dims[2], x->shape.dims[3]};
    each_cell(&regions, loops->max_cell, &pooling);
    weir_status status = WEIR_OK;
    memset(dx->data, 0, weir_tensor_bytes(dx));
    if (loops->matches(&pooling, weir_tensor_count(y)))
        loops->put(&pooling, weir_in(call, 2)->data, dx->data, weir_tensor_count(y));
    else
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "orig_output is not what the sequences make of orig_input");
    weir_tensor_release(&arg);
    return status;
}

static weir_status avg_grad_infer(weir_infer *infer)
{
    infer->out[0] = weir_shape_of_rank(4);
    if (!weir_infer_value(infer, 0))
        return WEIR_OK;
    WEIR_TRY(weir_infer_new_shape(infer, 0, &infer->out[0]));
    if (weir_infer_running(infer) && (infer->out[0].rank != 4 || infer->in[1]->rank != 4))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "orig_input_tensor_shape %s and the shape %s of out_backprop must be "
                          "4-dimensional",
                          WEIR_SHAPE_STR(&infer->out[0]), WEIR_SHAPE_STR(infer->in[1]));
    return WEIR_OK;
}

static weir_status avg_pool_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 1);
    weir_tensor *dx = weir_out(call, 0), sums;
    const loops *loops = loops_of(dy);
    regions regions = {&dx->shape, &dy->shape, weir_in(call, 2)->data, weir_in(call, 3)->data,
                       weir_site_bool(call->site, GRAD_OVERLAPPING)};
    if (weir_tensor_count(dx) == 0 || weir_tensor_count(dy) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The input's shape %s and the shape %s of out_backprop must be positive "
                          "in all dimensions",
                          WEIR_SHAPE_STR(&dx->shape), WEIR_SHAPE_STR(&dy->shape));
    WEIR_TRY(check_regions(&regions, weir_in(call, 2), weir_in(call, 3)));
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, &dx->shape, &sums));
    memset(sums.data, 0, weir_tensor_bytes(&sums));
    pooling pooling = {dy->data, sums.data, NULL, dx->shape.dims[2], dx->shape.dims[3]};
    each_cell(&regions, loops->share_cell, &pooling);
    loops->round(sums.data, dx->data, weir_tensor_count(dx));
    weir_tensor_release(&sums);
    return WEIR_OK;
}

static weir_status max_grad(weir_grad *grad)
{
    weir_edge in[] = {weir_grad_x(grad, 0), weir_grad_y(grad, 0), weir_grad_dy(grad, 0),
                      weir_grad_y(grad, 1), weir_grad_y(grad, 2)};
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "FractionalMaxPoolGrad", in, 5,
                               WEIR_ATTRS(weir_grad_attr(grad, "overlapping"))));
    return WEIR_OK;
}

static weir_status avg_grad(weir_grad *grad)
{
    weir_edge shape = weir_grad_op(grad, "Shape", WEIR_IN(weir_grad_x(grad, 0)),
                                   WEIR_ATTRS(weir_a_type("out_type", WEIR_INT64)));
    weir_edge in[] = {shape, weir_grad_dy(grad, 0), weir_grad_y(grad, 1), weir_grad_y(grad, 2)};
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "FractionalAvgPoolGrad", in, 4,
                               WEIR_ATTRS(weir_grad_attr(grad, "overlapping"))));
    return WEIR_OK;
}

#define TYPES "T: {float, double, int32, int64}"

#define POOL                                                                                       \
    .in = "value: T",                                                                              \
    .out = "output: T; row_pooling_sequence: int64; col_pooling_sequence: int64",                  \
    .attrs = "pooling_ratio: list(float) >= 4; pseudo_random: bool = false; overlapping: "         \
             "bool = false; deterministic: bool = false; seed: int = 0; seed2: int = 0; " TYPES,   \
    .flags = WEIR_NO_FOLD, .infer = infer
#define SEEDS .prepare = prepare, .cleanup = weir_free
WEIR_DEFINE_OP(fractional_max_pool, "FractionalMaxPool", POOL, .grad = max_grad,
               .kernels = {{WEIR_CPU, "*", max_pool, SEEDS}});
WEIR_DEFINE_OP(fractional_avg_pool, "FractionalAvgPool", POOL, .grad = avg_grad,
               .kernels = {{WEIR_CPU, "*", avg_pool, SEEDS}});

const weir_op weir_op_fractional_max_pool_grad = {
    .name = "FractionalMaxPoolGrad",
    .in = "orig_input: T; orig_output: T; out_backprop: T; row_pooling_sequence: int64; "
          "col_pooling_sequence: int64",
    .out = "output: T",
    .attrs = "overlapping: bool = false; " TYPES,
    .infer = max_grad_infer,
    .kernels = {{WEIR_CPU, "*", max_pool_grad}},
};

const weir_op weir_op_fractional_avg_pool_grad = {
    .name = "FractionalAvgPoolGrad",
    .in = "orig_input_tensor_shape: int64; out_backprop: T; row_pooling_sequence: int64; "
          "col_pooling_sequence: int64",
    .out = "output: T",
    .attrs = "overlapping: bool = false; " TYPES,
    .infer = avg_grad_infer,
    .kernels = {{WEIR_CPU, "*", avg_pool_grad}},
};
