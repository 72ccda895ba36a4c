/* ops/internal/elements.c - _Elements: several element-wise ops fused into one loop.
 *
 * pass/fuse.c creates it from ops whose only reader is the next of them. Intermediate results are
 * never stored as tensors: all ops run on a tile of elements before the next tile is read. Inputs
 * have the shape of the result or are scalars.
 */
#include "ops/internal/elements.h"
#include "base/arith.h"

#include "base/mem.h"
#include "ops/common/elem_of.h"

enum { WORK = 1 << 15 /* elements times ops per additional thread */ };

typedef struct program {
    int count;
    weir_tile_op at[];
} program;

static bool is_argument(int64_t a, int inputs)
{
    return a >= -inputs && a < WEIR_TILE_SLOTS;
}

/* Loops whose results are finite, unless values near the limits of the range are added or
 * multiplied: then the final result is not finite either. */
static bool is_calm(bool two, int64_t loop)
{
    static const bool unary[WEIR_UNARY_COUNT] = {
        [WEIR_U_sin] = true,      [WEIR_U_cos] = true,    [WEIR_U_atan] = true,
        [WEIR_U_asinh] = true,    [WEIR_U_neg] = true,    [WEIR_U_abs] = true,
        [WEIR_U_sign] = true,     [WEIR_U_square] = true, [WEIR_U_tanh] = true,
        [WEIR_U_sigmoid] = true,  [WEIR_U_relu] = true,   [WEIR_U_relu6] = true,
        [WEIR_U_elu] = true,      [WEIR_U_selu] = true,   [WEIR_U_softplus] = true,
        [WEIR_U_softsign] = true, [WEIR_U_floor] = true,  [WEIR_U_ceil] = true,
        [WEIR_U_rint] = true,     [WEIR_U_erf] = true,
    };
    static const bool binary[WEIR_BINARY_COUNT] = {
        [WEIR_B_add] = true,           [WEIR_B_sub] = true,
        [WEIR_B_mul] = true,           [WEIR_B_maximum] = true,
        [WEIR_B_minimum] = true,       [WEIR_B_squared_difference] = true,
        [WEIR_B_sigmoid_grad] = true,  [WEIR_B_tanh_grad] = true,
        [WEIR_B_relu_grad] = true,     [WEIR_B_relu6_grad] = true,
        [WEIR_B_elu_grad] = true,      [WEIR_B_selu_grad] = true,
        [WEIR_B_softplus_grad] = true, [WEIR_B_leaky_relu] = true,
    };
    return two ? binary[loop] : unary[loop];
}

weir_status weir_tile_op_read(const int64_t *counts, weir_elem elem, int inputs, weir_tile_op *out)
{
    bool two = counts[0] < 0;
    int64_t loop = two ? -1 - counts[0] : counts[0];
    if (loop >= (two ? (int64_t)WEIR_BINARY_COUNT : (int64_t)WEIR_UNARY_COUNT) || counts[1] < 0 ||
        counts[1] >= WEIR_TILE_SLOTS || !is_argument(counts[2], inputs) ||
        !is_argument(counts[3], inputs))
        return weir_error(WEIR_INVALID_ARGUMENT, "_Elements: no such loop, slot or input");
    *out = (weir_tile_op){.to = (int)counts[1],
                          .x = (int)counts[2],
                          .y = (int)counts[3],
                          .looked = !is_calm(two, loop)};
    if (two && weir_binary_out((weir_binary_op)loop, elem) == elem)
        out->binary = weir_binary_find((weir_binary_op)loop, elem);
    else if (!two && weir_unary_out((weir_unary_op)loop, elem) == elem)
        out->unary = weir_unary_find((weir_unary_op)loop, elem);
    if (!out->binary && !out->unary)
        return weir_error(WEIR_INVALID_ARGUMENT, "_Elements: the type has no such loop");
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    const weir_attr *numbers = weir_site_list(preparation->site, 2);
    int count = numbers->count / WEIR_TILE_NUMBERS;
    if (count < 1 || numbers->count % WEIR_TILE_NUMBERS ||
        preparation->site->in_count > WEIR_TILE_INPUTS)
        return weir_error(WEIR_INVALID_ARGUMENT, "_Elements: a program of %d numbers, %d inputs",
                          numbers->count, preparation->site->in_count);
    program *made = weir_zalloc(sizeof *made + sizeof *made->at * (size_t)count);
    made->count = count;
    weir_elem elem = weir_elem_of(weir_site_type(preparation->site, 1));
    for (int i = 0; i < count; i++) {
        weir_status status = weir_tile_op_read(numbers->is + WEIR_TILE_NUMBERS * i, elem,
                                               preparation->site->in_count, &made->at[i]);
        if (status) {
            weir_free(made);
            return status;
        }
    }
    preparation->state = made;
    return WEIR_OK;
}

typedef struct work {
    const program *p;
    const char *in[WEIR_TILE_INPUTS];
    bool single[WEIR_TILE_INPUTS];
    char *out;
    int64_t unit;
    weir_elem elem;
    atomic_int *nonfinite;
} work;

static const void *argument(const work *work, const weir_tile *tile, int a, int64_t at)
{
    if (a >= 0)
        return tile->slots[a];
    return work->in[-1 - a] + (work->single[-1 - a] ? 0 : at * work->unit);
}

static bool is_single(const work *work, int a)
{
    return a < 0 && work->single[-1 - a];
}

static void run_tile(const work *work, weir_tile *tile, int64_t at, int64_t n)
{
    for (int i = 0; i < work->p->count; i++) {
        const weir_tile_op *tile_op = &work->p->at[i];
        void *to =
            i + 1 < work->p->count ? (void *)tile->slots[tile_op->to] : work->out + at * work->unit;
        const void *x = argument(work, tile, tile_op->x, at);
        if (tile_op->unary)
            tile_op->unary(n, x, to);
        else
            tile_op->binary(n, x, argument(work, tile, tile_op->y, at), to,
                            is_single(work, tile_op->x)   ? WEIR_X_REPEATS
                            : is_single(work, tile_op->y) ? WEIR_Y_REPEATS
                                                          : WEIR_BOTH_VARY);
        if (i + 1 < work->p->count) /* the executor checks the last */
            weir_tile_look(tile_op, work->nonfinite, work->elem, to, n);
    }
}

static void run_part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    weir_tile tile;
    int64_t most = WEIR_TILE_BYTES / work->unit;
    for (int64_t at = begin; at < end; at += most)
        run_tile(work, &tile, at, end - at < most ? end - at : most);
}

static weir_status run(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(y);
    work work = {.p = call->state,
                 .out = y->data,
                 .unit = weir_elem_size(weir_elem_of(y->dtype)),
                 .elem = weir_elem_of(y->dtype),
                 .nonfinite = call->nonfinite};
    for (int i = 0; i < call->site->in_count; i++) {
        const weir_tensor *x = weir_in(call, i);
        int64_t total = weir_tensor_count(x);
        if (total != count && total != 1)
            return weir_error(WEIR_INTERNAL, "%s: input %d of shape %s is not as it was known",
                              call->site->name, i, WEIR_SHAPE_STR(&x->shape));
        work.in[i] = x->data;
        work.single[i] = total == 1 && count != 1;
    }
    enum { WHOLE = 64 }; /* elements: pieces of the loop end where vectors do */
    int64_t grain = WORK / work.p->count / WHOLE * WHOLE + WHOLE;
    int64_t least = WEIR_TILE_BYTES / work.unit;
    weir_par_for_long(&call->run->par, count, weir_max(grain, least), run_part, &work);
    return WEIR_OK;
}

void weir_tile_infer(const weir_shape *const *in, int count, weir_shape *out)
{
    *out = *in[0];
    for (int k = 1; k < count; k++) {
        int64_t have = weir_shape_count(out), there = weir_shape_count(in[k]);
        if (have == 1 && (there != 1 || in[k]->rank > out->rank))
            *out = *in[k];
    }
}

static weir_status infer(weir_infer *infer)
{
    weir_tile_infer(infer->in, infer->in_count, &infer->out[0]);
    return WEIR_OK;
}

static void cleanup(void *state)
{
    weir_free(state);
}

const weir_op weir_op_elements = {
    .name = "_Elements",
    .in = "args: N * T",
    .out = "y: T",
    .attrs = "N: int >= 1; T: {half, bfloat16, float, double}; program: list(int)",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0) | WEIR_INPLACE(2, 0) | WEIR_INPLACE(3, 0),
    .kernels = {{WEIR_CPU, "T: float, double", run, .prepare = prepare, .cleanup = cleanup}},
};
