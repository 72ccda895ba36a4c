/* ops/internal/elements.c - _Elements: several element-wise ops in one loop.
 *
 * pass/fuse.c makes it of ops whose only reader is the next of them. Their results never lie in
 * memory: a tile of elements goes through all of them before the next tile is read. Inputs have the
 * shape of the result or are single values.
 */
#include "ops/internal/elements.h"

#include "base/mem.h"
#include "ops/common/elem_of.h"

enum { WORK = 1 << 15 /* elements times ops that are worth a thread's waking */ };

typedef struct program {
    int count;
    weir_tile_op at[];
} program;

static bool is_argument(int64_t a, int inputs)
{
    return a >= -inputs && a < WEIR_TILE_SLOTS;
}

weir_status weir_tile_op_read(const int64_t *n, weir_elem elem, int inputs, weir_tile_op *out)
{
    bool two = n[0] < 0;
    int64_t loop = two ? -1 - n[0] : n[0];
    if (loop >= (two ? (int64_t)WEIR_BINARY_COUNT : (int64_t)WEIR_UNARY_COUNT) || n[1] < 0 ||
        n[1] >= WEIR_TILE_SLOTS || !is_argument(n[2], inputs) || !is_argument(n[3], inputs))
        return weir_error(WEIR_INVALID_ARGUMENT, "_Elements: no such loop, slot or input");
    *out = (weir_tile_op){.to = (int)n[1], .x = (int)n[2], .y = (int)n[3]};
    if (two && weir_binary_out((weir_binary_op)loop, elem) == elem)
        out->binary = weir_binary_find((weir_binary_op)loop, elem);
    else if (!two && weir_unary_out((weir_unary_op)loop, elem) == elem)
        out->unary = weir_unary_find((weir_unary_op)loop, elem);
    if (!out->binary && !out->unary)
        return weir_error(WEIR_INVALID_ARGUMENT, "_Elements: the type has no such loop");
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *p)
{
    const weir_attr *numbers = weir_site_list(p->site, 2);
    int count = numbers->count / WEIR_TILE_NUMBERS;
    if (count < 1 || numbers->count % WEIR_TILE_NUMBERS || p->site->in_count > WEIR_TILE_INPUTS)
        return weir_error(WEIR_INVALID_ARGUMENT, "_Elements: a program of %d numbers, %d inputs",
                          numbers->count, p->site->in_count);
    program *made = weir_zalloc(sizeof *made + sizeof *made->at * (size_t)count);
    made->count = count;
    weir_elem elem = weir_elem_of(weir_site_type(p->site, 1));
    for (int i = 0; i < count; i++) {
        weir_status s = weir_tile_op_read(numbers->is + WEIR_TILE_NUMBERS * i, elem,
                                          p->site->in_count, &made->at[i]);
        if (s) {
            weir_free(made);
            return s;
        }
    }
    p->state = made;
    return WEIR_OK;
}

typedef struct work {
    const program *p;
    const char *in[WEIR_TILE_INPUTS];
    bool single[WEIR_TILE_INPUTS];
    char *out;
    int64_t unit;
} work;

static const void *argument(const work *w, const weir_tile *t, int a, int64_t at)
{
    if (a >= 0)
        return t->slots[a];
    return w->in[-1 - a] + (w->single[-1 - a] ? 0 : at * w->unit);
}

static bool is_single(const work *w, int a)
{
    return a < 0 && w->single[-1 - a];
}

static void run_tile(const work *w, weir_tile *t, int64_t at, int64_t n)
{
    for (int i = 0; i < w->p->count; i++) {
        const weir_tile_op *o = &w->p->at[i];
        void *to = i + 1 < w->p->count ? (void *)t->slots[o->to] : w->out + at * w->unit;
        const void *x = argument(w, t, o->x, at);
        if (o->unary)
            o->unary(n, x, to);
        else
            o->binary(n, x, argument(w, t, o->y, at), to,
                      is_single(w, o->x)   ? WEIR_X_REPEATS
                      : is_single(w, o->y) ? WEIR_Y_REPEATS
                                           : WEIR_BOTH_VARY);
    }
}

static void run_part(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    weir_tile t;
    int64_t most = WEIR_TILE_BYTES / w->unit;
    for (int64_t at = begin; at < end; at += most)
        run_tile(w, &t, at, end - at < most ? end - at : most);
}

static weir_status run(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(y);
    work w = {.p = call->state, .out = y->data, .unit = weir_elem_size(weir_elem_of(y->dtype))};
    for (int i = 0; i < call->site->in_count; i++) {
        const weir_tensor *x = weir_in(call, i);
        int64_t n = weir_tensor_count(x);
        if (n != count && n != 1)
            return weir_error(WEIR_INTERNAL, "%s: input %d of shape %s is not as it was known",
                              call->site->name, i, WEIR_SHAPE_STR(&x->shape));
        w.in[i] = x->data;
        w.single[i] = n == 1 && count != 1;
    }
    int64_t grain = WORK / w.p->count + 1, least = WEIR_TILE_BYTES / w.unit;
    weir_par_for(&call->run->par, count, grain > least ? grain : least, run_part, &w);
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

static weir_status infer(weir_infer *i)
{
    weir_tile_infer(i->in, i->in_count, &i->out[0]);
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
    .attrs = "N: int >= 1; T: {float, double}; program: list(int)",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0) | WEIR_INPLACE(2, 0) | WEIR_INPLACE(3, 0),
    .kernels = {{WEIR_CPU, "*", run, .prepare = prepare, .cleanup = cleanup}},
};
