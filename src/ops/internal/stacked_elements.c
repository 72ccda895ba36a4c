/* ops/internal/stacked_elements.c - _StackedElements: several _Elements, interleaved.
 *
 * pass/stack.c creates it from small independent loops: run one by one, every op of a loop would
 * depend on the previous one. |program| has their programs concatenated, and |sizes| two numbers
 * for each: its op and input counts. All have as many elements. Their last ops are aligned, and
 * where the ops of neighbouring programs are the same, one loop runs them together.
 */
#include "ops/internal/elements.h"

#include "base/mem.h"
#include "ops/common/elem_of.h"

enum { TYPE = 1, PROGRAM, SIZES }; /* of .attrs */

typedef struct stack {
    int inputs[WEIR_TILE_INPUTS]; /* of each program */
    int result[WEIR_TILE_INPUTS]; /* the slot of its result */
    int count;
    weir_tile_op at[];
} stack;

/* One of the programs in the attr. */
typedef struct part {
    const int64_t *numbers;
    int ops, inputs;
} part;

static weir_status bad_sizes(const weir_site *site)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "_StackedElements: %d numbers and %d sizes for %d inputs, %d results",
                      weir_site_list(site, PROGRAM)->count, weir_site_list(site, SIZES)->count,
                      site->in_count, site->out_count);
}

static weir_status cut(const weir_site *site, part *out)
{
    const weir_attr *numbers = weir_site_list(site, PROGRAM), *sizes = weir_site_list(site, SIZES);
    const int64_t *at = numbers->is;
    int64_t ops = numbers->count / WEIR_TILE_NUMBERS, inputs = site->in_count;
    if (site->out_count > WEIR_TILE_INPUTS || inputs > WEIR_TILE_INPUTS ||
        numbers->count % WEIR_TILE_NUMBERS || sizes->count != 2 * site->out_count)
        return bad_sizes(site);
    for (int k = 0; k < site->out_count; k++) {
        const int64_t *size = sizes->is + 2 * k;
        if (size[0] < 1 || size[0] > ops || size[1] < 1 || size[1] > inputs)
            return bad_sizes(site);
        out[k] = (part){at, (int)size[0], (int)size[1]};
        at += WEIR_TILE_NUMBERS * size[0];
        ops -= size[0];
        inputs -= size[1];
    }
    return ops || inputs ? bad_sizes(site) : WEIR_OK;
}

/* The op |left| positions before a program's last; null if there is none. */
static const int64_t *op_of(const part *part, int left)
{
    return left < part->ops ? part->numbers + WEIR_TILE_NUMBERS * (part->ops - 1 - left) : NULL;
}

static bool same_op(const int64_t *a, const int64_t *b)
{
    return a && b && memcmp(a, b, sizeof *a * WEIR_TILE_NUMBERS) == 0;
}

/* The ops |left| positions before the last, merged into as few loops as possible. */
static weir_status read_row(const part *parts, int sets, int left, weir_elem elem, stack *stack)
{
    for (int k = 0, next; k < sets; k = next) {
        const int64_t *op = op_of(&parts[k], left);
        for (next = k + 1; next < sets && same_op(op, op_of(&parts[next], left));)
            next++;
        if (!op)
            continue;
        weir_tile_op *tile_op = &stack->at[stack->count++];
        for (int i = k; i < next; i++)
            WEIR_TRY(weir_tile_op_read(op, elem, parts[i].inputs, tile_op));
        tile_op->first = k;
        tile_op->sets = next - k;
    }
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    part parts[WEIR_TILE_INPUTS];
    WEIR_TRY(cut(preparation->site, parts));
    int sets = preparation->site->out_count, longest = 0;
    stack *made =
        weir_zalloc(sizeof *made + sizeof *made->at *
                                       (size_t)weir_site_list(preparation->site, PROGRAM)->count /
                                       WEIR_TILE_NUMBERS);
    for (int k = 0; k < sets; k++) {
        longest = parts[k].ops > longest ? parts[k].ops : longest;
        made->inputs[k] = parts[k].inputs;
        made->result[k] = (int)op_of(&parts[k], 0)[1];
    }
    weir_elem elem = weir_elem_of(weir_site_type(preparation->site, TYPE));
    weir_status status = WEIR_OK;
    for (int left = longest; left-- > 0 && !status;)
        status = read_row(parts, sets, left, elem, made);
    preparation->state = made;
    if (status) {
        preparation->state = NULL;
        weir_free(made);
    }
    return status;
}

/* Slots and inputs hold the elements of all programs, concatenated. */
typedef struct stack_tile {
    weir_tile slots;
    _Alignas(64) char in[WEIR_TILE_INPUTS / 2][WEIR_TILE_BYTES];
} stack_tile;

static char *place(stack_tile *tile, int a, int64_t skip)
{
    return (a >= 0 ? tile->slots.slots[a] : tile->in[-1 - a]) + skip;
}

static void run_all(const weir_call *call, stack_tile *tile, int64_t n, int64_t unit)
{
    const stack *stack = call->state;
    weir_elem elem = weir_elem_of(weir_out(call, 0)->dtype);
    for (int i = 0; i < stack->count; i++) {
        const weir_tile_op *tile_op = &stack->at[i];
        int64_t skip = tile_op->first * n * unit, count = tile_op->sets * n;
        char *to = place(tile, tile_op->to, skip);
        const char *x = place(tile, tile_op->x, skip);
        if (tile_op->unary)
            tile_op->unary(count, x, to);
        else
            tile_op->binary(count, x, place(tile, tile_op->y, skip), to, WEIR_BOTH_VARY);
        weir_tile_look(tile_op, call->nonfinite, elem, to, count);
    }
}

/* Writes |count| elements of |x| to |to|, broadcasting a scalar. */
static weir_status lay_out(const weir_call *call, int input, int64_t count, int64_t unit, char *to)
{
    const weir_tensor *x = weir_in(call, input);
    int64_t total = weir_tensor_count(x);
    if (total != count && total != 1)
        return weir_error(WEIR_INTERNAL, "%s: input %d of shape %s is not as it was known",
                          call->site->name, input, WEIR_SHAPE_STR(&x->shape));
    for (int64_t i = 0; i < count; i += total)
        memcpy(to + i * unit, x->data, (size_t)(total * unit));
    return WEIR_OK;
}

/* Reads all inputs before writing a result, so that results may reuse their buffers. */
static weir_status run(weir_call *call)
{
    const stack *stack = call->state;
    int sets = call->site->out_count;
    int64_t count = weir_tensor_count(weir_out(call, 0)), most = 0;
    int64_t unit = weir_elem_size(weir_elem_of(weir_out(call, 0)->dtype));
    for (int k = 0; k < sets; k++) {
        most = stack->inputs[k] > most ? stack->inputs[k] : most;
        if (weir_tensor_count(weir_out(call, k)) != count)
            count = WEIR_TILE_BYTES + 1;
    }
    if (count * unit * sets > WEIR_TILE_BYTES || most > WEIR_TILE_INPUTS / 2)
        return weir_error(WEIR_INTERNAL, "%s: its sizes are not as they were known",
                          call->site->name);
    stack_tile tile;
    for (int k = 0, input = 0; k < sets; k++)
        for (int i = 0; i < stack->inputs[k]; i++)
            WEIR_TRY(lay_out(call, input++, count, unit, tile.in[i] + k * count * unit));
    run_all(call, &tile, count, unit);
    for (int k = 0; k < sets; k++)
        memcpy(weir_out(call, k)->data, place(&tile, stack->result[k], k * count * unit),
               (size_t)(count * unit));
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_attr *sizes = weir_site_list(infer->site, SIZES);
    if (sizes->count != 2 * infer->out_count)
        return bad_sizes(infer->site);
    for (int k = 0, first = 0; k < infer->out_count; k++) {
        int64_t count = sizes->is[2 * k + 1];
        if (count < 1 || count > infer->in_count - first)
            return bad_sizes(infer->site);
        weir_tile_infer(infer->in + first, (int)count, &infer->out[k]);
        first += (int)count;
    }
    return WEIR_OK;
}

static void cleanup(void *state)
{
    weir_free(state);
}

const weir_op weir_op_stacked_elements = {
    .name = "_StackedElements",
    .in = "args: N * T",
    .out = "y: K * T",
    .attrs = "N: int >= 1; T: {float, double}; program: list(int); sizes: list(int); K: int >= 2",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 1) | WEIR_INPLACE(2, 2) | WEIR_INPLACE(3, 3),
    .kernels = {{WEIR_CPU, "*", run, .prepare = prepare, .cleanup = cleanup}},
};
