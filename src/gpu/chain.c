/* gpu/chain.c - fuses chains of small commands in a recording into one kernel (chain.cl).
 *
 * A loop of a recurrent network is recorded as hundreds of products of a few rows with a small
 * matrix, and element-wise steps between them: each launch takes longer than its arithmetic. A row
 * of each result depends only on the same row of earlier values, so one group can compute
 * everything for a row, with the matrix in its local memory.
 *
 * Commands are appended in order while these rules hold: 1. A step reads and writes rows: |rows| of
 * equal width. Only matrices and scalars are read
 *    whole.
 * 2. If two steps access the same memory and one of them writes, both map it to the same rows:
 *    no group may access memory written by another.
 * 3. A product of transposed rows that is added to a sum, as in the gradient of a matrix, is
 *    accumulated per group and reduced after the chain, if nothing reads the terms or sums before.
 */
#include "base/log.h"
#include "gpu/record_impl.h"
#include "math/binary/binary.h"
#include "math/reduce/reduce.h"

enum {
    LEAST_STEPS = 8,      /* minimum length of a chain */
    MOST_ROWS = 512,      /* above this, separate products keep a device busy */
    MOST_MATRICES = 4,    /* per chain, ... */
    MOST_ELEMENTS = 8448, /* ... and their elements, with rows padded by one: 33 KB */
    MOST_PROGRAMS = 8,    /* different ones */
    MOST_OPS = 32,        /* of a program */
};

typedef enum kind { PRODUCT, TERM, ELEMENTS } kind;

/* A command that may be part of a chain. */
typedef struct step {
    kind kind;
    int64_t rows, width, depth; /* of PRODUCT and TERM: the depth is the first input's width */
    bool transposed;            /* of PRODUCT: the matrix */
    char *out;
    const char *in[WEIR_CHAIN_INPUTS];
    int in_count, ops;
    uint32_t single;
    int64_t program[4 * MOST_OPS];
} step;

typedef struct access {
    const char *at;
    size_t bytes, pitch; /* pitch: of a row; 0: read as a whole */
    bool writes;
} access;

typedef struct matrix {
    const char *at;
    int64_t width, depth, first;
    bool transposed;
} matrix;

typedef struct chain {
    weir_gpu_unit *unit;
    weir_gpu_commands *commands;
    int64_t rows;
    int steps;
    WEIR_VEC(uint64_t) table;
    WEIR_VEC(access) accesses;
    WEIR_VEC(int64_t) text; /* argument of weir_gpu_text_chain */
    const void *blocks[WEIR_CHAIN_BLOCKS];
    int block_count;
    matrix matrices[MOST_MATRICES];
    int matrix_count;
    const char *sum_from; /* initial value of the sum; null: none */
    char *sum;            /* its address after the terms so far */
    int64_t sum_width, sum_depth;
} chain;

/* ---- reading commands ------------------------------------------------------------------------ */

static int64_t value_of(const weir_gpu_arg *arg)
{
    return *(const int64_t *)arg->at;
}

static bool read_product(const weir_gpu_product *p, step *step)
{
    if (p->elem != WEIR_E_f32 || p->batch != 1 || p->bias || !p->m || !p->n || !p->k)
        return false;
    if (p->a_transposed && p->b_transposed)
        return false;
    *step = (struct step){.kind = p->a_transposed ? TERM : PRODUCT,
                          .rows = p->a_transposed ? p->k : p->m,
                          .width = p->n,
                          .depth = p->a_transposed ? p->m : p->k,
                          .transposed = p->b_transposed,
                          .out = p->c,
                          .in = {p->a, p->b},
                          .in_count = 2};
    return true;
}

/* The product kernel of layers.cl: its strides tell what is transposed. */
static bool read_own_product(const weir_gpu_arg *args, weir_elem elem, step *step)
{
    weir_gpu_product p = {.elem = (int)elem,
                          .a = args[0].at,
                          .b = args[1].at,
                          .c = (void *)args[2].at,
                          .m = value_of(&args[3]),
                          .n = value_of(&args[4]),
                          .k = value_of(&args[5]),
                          .batch = value_of(&args[6])};
    p.a_transposed = value_of(&args[7]) == 1 && value_of(&args[8]) == p.m && p.k != 1;
    p.b_transposed = value_of(&args[9]) == 1 && value_of(&args[10]) == p.k && p.n != 1;
    bool plain = (p.a_transposed || value_of(&args[7]) == p.k) &&
                 (p.b_transposed || value_of(&args[9]) == p.n);
    return plain && read_product(&p, step);
}

/* Element-wise steps have the width of all rows together until the rows are known. */
static bool read_elements(const weir_gpu_command *command, step *step)
{
    const weir_gpu_which *which = &command->launch.which;
    const weir_gpu_arg *args = command->launch.args;
    if (which->elem != WEIR_E_f32 || which->op > WEIR_CHAIN_INPUTS || which->family > MOST_OPS)
        return false;
    *step = (struct step){.kind = ELEMENTS, .in_count = which->op, .ops = which->family};
    for (int i = 0; i < step->in_count; i++)
        step->in[i] = args[i].at;
    step->out = (char *)args[step->in_count].at;
    step->width = value_of(&args[step->in_count + 1]);
    step->single = *(const uint32_t *)args[step->in_count + 2].at;
    memcpy(step->program, which->program, sizeof(int64_t) * 4 * (size_t)step->ops);
    return true;
}

static bool read_loop(const weir_gpu_command *command, step *step)
{
    const weir_gpu_which *which = &command->launch.which;
    const weir_gpu_arg *args = command->launch.args;
    bool two = which->family == WEIR_GPU_BINARY;
    int64_t program[4] = {two ? -1 - which->op : which->op, 0, -1, -2};
    if (which->elem != WEIR_E_f32 || (!two && which->family != WEIR_GPU_UNARY) ||
        !weir_gpu_has_program(program, 1, WEIR_E_f32))
        return false;
    *step = (struct step){.kind = ELEMENTS, .in_count = 1 + two, .ops = 1};
    memcpy(step->program, program, sizeof program);
    step->in[0] = args[0].at;
    step->in[1] = args[1].at; /* unary: unused */
    step->out = (char *)args[1 + two].at;
    step->width = value_of(&args[two ? 4 : 2]);
    if (two)
        step->single = (value_of(&args[5]) ? 0u : 1u) | (value_of(&args[6]) ? 0u : 2u);
    return true;
}

static bool read_step(const weir_gpu_command *command, step *step)
{
    if (command->kind == WEIR_GPU_MULTIPLY)
        return read_product(&command->product, step);
    if (command->kind != WEIR_GPU_LAUNCH)
        return false;
    const weir_gpu_which *which = &command->launch.which;
    switch (which->text) {
    case WEIR_GPU_IN_LAYERS:
        return which->op == WEIR_GPU_A_PRODUCT &&
               read_own_product(command->launch.args, which->elem, step);
    case WEIR_GPU_IN_PROGRAM:
        return read_elements(command, step);
    case WEIR_GPU_IN_FAMILY:
        return read_loop(command, step);
    default:
        return false;
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool meet(const access *a, const access *b)
{
    return a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

/* Whether rule 2 holds for one more access. */
static bool goes_along(const chain *chain, const access *next)
{
    for (size_t i = 0; i < chain->accesses.count; i++) {
        const access *other = &chain->accesses.at[i];
        if ((other->writes || next->writes) && meet(other, next) &&
            (!next->pitch || other->at != next->at || other->pitch != next->pitch))
            return false;
    }
    return true;
}

static access rows_at(const chain *chain, const char *at, int64_t width, bool writes)
{
    size_t pitch = (size_t)width * sizeof(float);
    return (access){at, pitch * (size_t)chain->rows, pitch, writes};
}

static access all_at(const char *at, int64_t elements)
{
    return (access){at, sizeof(float) * (size_t)elements, 0, false};
}

static int list_accesses(const chain *chain, const step *step, access *out)
{
    int count = 0;
    for (int i = 0; i < step->in_count; i++) {
        bool matrix = step->kind == PRODUCT && i == 1;
        int64_t width = step->kind != ELEMENTS && i == 0 ? step->depth : step->width;
        out[count++] = matrix                  ? all_at(step->in[i], step->width * step->depth)
                       : step->single >> i & 1 ? all_at(step->in[i], 1)
                                               : rows_at(chain, step->in[i], width, false);
    }
    if (step->kind != TERM)
        out[count++] = rows_at(chain, step->out, step->width, true);
    return count;
}

/* Whether a command of any kind has an address in |range| as an argument. */
static bool mentions(const weir_gpu_command *command, const access *range)
{
    const void *all[WEIR_GPU_ARGS];
    int count = 0;
    switch (command->kind) {
    case WEIR_GPU_LAUNCH:
        for (int i = 0; i < command->launch.count; i++)
            if (!command->launch.args[i].bytes)
                all[count++] = command->launch.args[i].at;
        break;
    case WEIR_GPU_COPY:
        all[count++] = command->copy.to;
        all[count++] = command->copy.from;
        break;
    case WEIR_GPU_MULTIPLY:
        all[count++] = command->product.a;
        all[count++] = command->product.b;
        all[count++] = command->product.c;
        all[count++] = command->product.bias;
        break;
    case WEIR_GPU_CONVOLVE:
        all[count++] = command->convolution.x;
        all[count++] = command->convolution.w;
        all[count++] = command->convolution.y;
        all[count++] = command->convolution.bias;
        break;
    case WEIR_GPU_GONE:
        break;
    }
    for (int i = 0; i < count; i++)
        if ((const char *)all[i] >= range->at && (const char *)all[i] < range->at + range->bytes)
            return true;
    return false;
}

/* Whether the contents of |range| become dead after command |from| without being used. */
static bool dies(const chain *chain, size_t from, const access *range)
{
    for (size_t i = from + 1; i < chain->commands->count; i++) {
        const weir_gpu_command *command = &chain->commands->at[i];
        if (command->kind == WEIR_GPU_GONE && command->gone == range->at)
            return true;
        if (mentions(command, range))
            return false;
    }
    return false;
}

/* An offset in one of the blocks; false: there are too many blocks. */
static bool place_of(chain *chain, const void *at, uint64_t *out_word)
{
    const void *block = weir_gpu_block_of(chain->unit, at);
    int i = 0;
    while (i < chain->block_count && chain->blocks[i] != block)
        i++;
    if (!block || i == WEIR_CHAIN_BLOCKS)
        return false;
    if (i == chain->block_count)
        chain->blocks[chain->block_count++] = block;
    *out_word = (uint64_t)i << 48 | (uint64_t)((const char *)at - (const char *)block);
    return true;
}

/* ---- appending steps ------------------------------------------------------------------------- */

static bool add_words(chain *chain, int kind, const step *step, uint64_t number)
{
    uint64_t words[WEIR_CHAIN_WORDS] = {[WEIR_CHAIN_KIND] = (uint64_t)kind,
                                        [WEIR_CHAIN_WIDTH] = (uint64_t)step->width,
                                        [WEIR_CHAIN_DEPTH] = (uint64_t)step->depth,
                                        [WEIR_CHAIN_MATRIX] = number,
                                        [WEIR_CHAIN_SINGLE] = step->single};
    if (step->width < WEIR_GPU_LANES)
        words[WEIR_CHAIN_SPLIT] = 65536 / (uint64_t)step->width + 1;
    if (step->out && !place_of(chain, step->out, &words[WEIR_CHAIN_OUT]))
        return false;
    for (int i = 0; i < step->in_count; i++)
        if (!place_of(chain, step->in[i], &words[WEIR_CHAIN_IN + i]))
            return false;
    for (int i = 0; i < WEIR_CHAIN_WORDS; i++)
        weir_vec_push(&chain->table, words[i]);
    return true;
}

/* The offset of a product's matrix in local memory; below 0: no room. */
static int64_t take_matrix(chain *chain, const step *step)
{
    int64_t first = chain->text.at[0], elements = step->depth * (step->width + 1);
    for (int i = 0; i < chain->matrix_count; i++) {
        const matrix *other = &chain->matrices[i];
        if (other->at == step->in[1] && other->width == step->width &&
            other->depth == step->depth && other->transposed == step->transposed)
            return other->first;
    }
    if (chain->matrix_count == MOST_MATRICES || first + elements > MOST_ELEMENTS)
        return -1;
    chain->matrices[chain->matrix_count++] =
        (matrix){step->in[1], step->width, step->depth, first, step->transposed};
    chain->text.at[0] += elements;
    return first;
}

/* The index of a step's program; below 0: too many programs. */
static int take_program(chain *chain, const step *step)
{
    size_t at = 2, length = 4 * (size_t)step->ops;
    int number = 0;
    for (; number < chain->text.at[1]; number++) {
        const int64_t *one = &chain->text.at[at];
        if (one[0] == step->in_count && one[1] == step->ops &&
            memcmp(one + 2, step->program, length * sizeof *one) == 0)
            return number;
        at += 2 + 4 * (size_t)one[1];
    }
    if (number == MOST_PROGRAMS)
        return -1;
    weir_vec_push(&chain->text, step->in_count);
    weir_vec_push(&chain->text, step->ops);
    for (size_t i = 0; i < length; i++)
        weir_vec_push(&chain->text, step->program[i]);
    chain->text.at[1]++;
    return number;
}

static bool take_product(chain *chain, const step *step)
{
    struct step row = *step;
    int64_t first = take_matrix(chain, step);
    row.in_count = 1;
    return first >= 0 && add_words(chain, WEIR_CHAIN_PRODUCT, &row, (uint64_t)first);
}

static bool take_elements(chain *chain, const step *step)
{
    int number = take_program(chain, step);
    return number >= 0 && add_words(chain, WEIR_CHAIN_PROGRAM + number, step, 0);
}

static bool is_sum(const weir_gpu_command *command, const step *term, step *out_step)
{
    return read_step(command, out_step) && out_step->kind == ELEMENTS && out_step->ops == 1 &&
           out_step->in_count == 2 && !out_step->single &&
           out_step->program[0] == -1 - WEIR_B_add && out_step->width == term->width * term->depth;
}

/* Finds the sum to which the term of command |at| is added by the next addition, |*out_add|. */
static bool find_sum(const chain *chain, size_t at, const step *term, size_t *out_add,
                     step *out_step)
{
    size_t next = at + 1;
    while (next < chain->commands->count && chain->commands->at[next].kind == WEIR_GPU_GONE)
        next++;
    *out_add = next;
    if (next == chain->commands->count || !is_sum(&chain->commands->at[next], term, out_step))
        return false;
    bool first = out_step->in[0] == term->out, second = out_step->in[1] == term->out;
    if (first == second)
        return false;
    if (first)
        out_step->in[0] = out_step->in[1];
    return true;
}

/* Whether |command| accesses |range|, or frees a block that overlaps it. */
static bool touches(const weir_gpu_command *command, const access *range)
{
    access block = {.at = command->gone, .bytes = command->gone_bytes};
    return command->kind == WEIR_GPU_GONE ? meet(&block, range) : mentions(command, range);
}

/* Whether |at| starts a buffer that is freed later: all accesses to it start inside it, too. */
static bool is_buffer(const chain *chain, size_t from, const char *at)
{
    for (size_t i = from + 1; i < chain->commands->count; i++) {
        const weir_gpu_command *command = &chain->commands->at[i];
        if (command->kind == WEIR_GPU_GONE && command->gone == at)
            return true;
    }
    return false;
}

/* Whether the addition at |add| can be moved after command |at|: no command between accesses its
 * operands, and its destination is already free. */
static bool may_move(const chain *chain, size_t at, size_t add, const step *sum)
{
    access ranges[] = {all_at(sum->in[0], sum->width), all_at(sum->in[1], sum->width),
                       all_at(sum->out, sum->width)};
    for (int k = 0; k < 3; k++)
        if (!is_buffer(chain, at, ranges[k].at))
            return false;
    for (size_t i = at + 1; i < add; i++)
        for (int k = 0; k < 3; k++)
            if (touches(&chain->commands->at[i], &ranges[k]))
                return false;
    return true;
}

/* Moves the addition that reads the term of command |at| next to it. */
static void bring_sum(chain *chain, size_t at, const step *term)
{
    weir_gpu_commands *commands = chain->commands;
    access range = all_at(term->out, term->width * term->depth);
    size_t add = at + 1;
    step sum;
    while (add < commands->count && !touches(&commands->at[add], &range))
        add++;
    if (add == commands->count || !is_sum(&commands->at[add], term, &sum) ||
        !may_move(chain, at, add, &sum))
        return;
    weir_gpu_command moved = commands->at[add];
    for (size_t i = add; i > at + 1; i--)
        commands->at[i] = commands->at[i - 1];
    commands->at[at + 1] = moved;
}

/* The initial sum is copied before the chain: no step of the chain may have written it. */
static bool begins_sum(const chain *chain, const char *from, int64_t elements)
{
    access range = all_at(from, elements);
    return goes_along(chain, &range);
}

static bool continues_sum(const chain *chain, const step *term, const step *add, size_t add_at)
{
    access before = all_at(chain->sum, term->width * term->depth);
    return add->in[0] == chain->sum && term->width == chain->sum_width &&
           term->depth == chain->sum_depth &&
           (add->out == chain->sum || dies(chain, add_at, &before));
}

/* Appends a term and the addition after it, whose index is stored in |*at|. */
static bool take_term(chain *chain, const step *term, size_t *at)
{
    step add;
    size_t add_at;
    int64_t elements = term->width * term->depth;
    bring_sum(chain, *at, term);
    if (term->width > WEIR_GPU_LANES || WEIR_GPU_LANES % term->width ||
        elements > WEIR_GPU_LANES * WEIR_CHAIN_SUMS || !find_sum(chain, *at, term, &add_at, &add))
        return false;
    access lost = all_at(term->out, elements);
    if (add.out != term->out && !dies(chain, add_at, &lost))
        return false;
    if (chain->sum_from ? !continues_sum(chain, term, &add, add_at)
                        : !begins_sum(chain, add.in[0], elements))
        return false;
    struct step rows = *term;
    rows.out = NULL;
    if (!add_words(chain, WEIR_CHAIN_ADD, &rows, 0))
        return false;
    if (!chain->sum_from)
        chain->sum_from = add.in[0];
    chain->sum = add.out;
    chain->sum_width = term->width;
    chain->sum_depth = term->depth;
    *at = add_at;
    return true;
}

/* The sum is computed after the chain, at its last address: no step may access it before. */
static bool spares_sum(const chain *chain, const access *list, int count)
{
    access sum = all_at(chain->sum, chain->sum_width * chain->sum_depth);
    for (int i = 0; i < count && chain->sum_from; i++)
        if (meet(&list[i], &sum))
            return false;
    return true;
}

static bool fits(const chain *chain, step *step)
{
    if (step->kind == ELEMENTS) {
        if (step->width % chain->rows)
            return false;
        step->width /= chain->rows;
        step->rows = chain->rows;
    }
    return step->rows == chain->rows && step->width && step->width <= WEIR_CHAIN_WIDEST &&
           step->depth <= WEIR_CHAIN_WIDEST;
}

/* Appends the command at |*at|, and those that belong to it; false: the chain ends before it. */
static bool take(chain *chain, size_t *at)
{
    step step;
    access list[WEIR_CHAIN_INPUTS + 1];
    if (chain->commands->at[*at].kind == WEIR_GPU_GONE)
        return true;
    if (!read_step(&chain->commands->at[*at], &step) || !fits(chain, &step))
        return false;
    int count = list_accesses(chain, &step, list);
    for (int i = 0; i < count; i++)
        if (!goes_along(chain, &list[i]))
            return false;
    if (!spares_sum(chain, list, count))
        return false;
    bool taken = step.kind == PRODUCT ? take_product(chain, &step)
                 : step.kind == TERM  ? take_term(chain, &step, at)
                                      : take_elements(chain, &step);
    for (int i = 0; i < count && taken; i++)
        weir_vec_push(&chain->accesses, list[i]);
    chain->steps += taken ? 1 + (step.kind == TERM) : 0;
    return taken;
}

/* ---- the fused command ----------------------------------------------------------------------- */

static weir_status keep_buffer(chain *chain, size_t bytes, weir_gpu_buffers *kept, void **out_at)
{
    weir_buffer *buffer;
    WEIR_TRY(chain->unit->memory.alloc(&chain->unit->memory, bytes, &buffer));
    weir_vec_push(kept, buffer);
    *out_at = buffer->data;
    return WEIR_OK;
}

static weir_status add_launch(chain *chain, weir_arena *arena, const weir_gpu_which *which,
                              int64_t groups, const weir_gpu_arg *args, int count,
                              weir_gpu_commands *out)
{
    weir_gpu_command command = {.kind = WEIR_GPU_LAUNCH,
                                .launch = {.groups = groups, .count = count, .which = *which}};
    weir_mutex_lock(&chain->unit->lock);
    weir_status status = weir_gpu_get_kernel(chain->unit, which, &command.launch.kernel);
    weir_mutex_unlock(&chain->unit->lock);
    WEIR_TRY(status);
    command.launch.args = weir_gpu_keep_args(arena, args, count);
    weir_vec_push(out, command);
    return WEIR_OK;
}

/* Moves the matrix loads to the first steps. */
static bool put_loads_first(chain *chain)
{
    WEIR_VEC(uint64_t) steps = {0};
    for (size_t i = 0; i < chain->table.count; i++)
        weir_vec_push(&steps, chain->table.at[i]);
    chain->table.count = 0;
    bool good = true;
    for (int i = 0; i < chain->matrix_count && good; i++) {
        const matrix *one = &chain->matrices[i];
        step load = {.width = one->width,
                     .depth = one->depth,
                     .in = {one->at},
                     .in_count = 1,
                     .single = one->transposed};
        good = add_words(chain, WEIR_CHAIN_LOAD, &load, (uint64_t)one->first);
    }
    for (size_t i = 0; i < steps.count; i++)
        weir_vec_push(&chain->table, steps.at[i]);
    weir_vec_fini(&steps);
    return good;
}

static weir_status add_chain(chain *chain, weir_arena *arena, weir_gpu_buffers *kept,
                             weir_gpu_commands *out)
{
    size_t bytes = chain->table.count * sizeof(uint64_t);
    int64_t steps = (int64_t)(chain->table.count / WEIR_CHAIN_WORDS);
    void *table;
    WEIR_TRY(keep_buffer(chain, bytes, kept, &table));
    WEIR_TRY(chain->unit->memory.copy_in(&chain->unit->memory, table, chain->table.at, bytes));
    weir_gpu_arg args[2 + WEIR_CHAIN_BLOCKS] = {WEIR_GPU_AT(table), WEIR_GPU_VALUE(steps)};
    for (int i = 0; i < WEIR_CHAIN_BLOCKS; i++)
        args[2 + i] = WEIR_GPU_AT(chain->blocks[i < chain->block_count ? i : 0]);
    weir_gpu_which which = {.text = WEIR_GPU_IN_CHAIN,
                            .family = (int)chain->text.count,
                            .elem = WEIR_E_f32,
                            .kernel = "chain",
                            .program = chain->text.at};
    return add_launch(chain, arena, &which, chain->rows, args, 2 + WEIR_CHAIN_BLOCKS, out);
}

/* Groups store partial sums after the initial value; a reduction after the chain adds them up. */
static weir_status add_sum_and_chain(chain *chain, weir_arena *arena, weir_gpu_buffers *kept,
                                     weir_gpu_commands *out)
{
    int64_t outer = 1, length = chain->rows + 1, inner = chain->sum_width * chain->sum_depth;
    size_t bytes = (size_t)inner * sizeof(float);
    void *parts;
    WEIR_TRY(keep_buffer(chain, bytes * (size_t)length, kept, &parts));
    char *first = (char *)parts + bytes * (size_t)chain->rows;
    weir_vec_push(
        out, ((weir_gpu_command){.kind = WEIR_GPU_COPY, .copy = {first, chain->sum_from, bytes}}));
    step store = {.width = inner, .out = parts};
    if (!add_words(chain, WEIR_CHAIN_STORE, &store, 0))
        return weir_error(WEIR_UNAVAILABLE, "too many blocks");
    WEIR_TRY(add_chain(chain, arena, kept, out));
    weir_gpu_which which = {.family = WEIR_GPU_REDUCE,
                            .op = WEIR_R_sum,
                            .elem = WEIR_E_f32,
                            .kernel = "reduce_sum_columns"};
    weir_gpu_arg args[] = {WEIR_GPU_AT(parts), WEIR_GPU_AT(chain->sum), WEIR_GPU_VALUE(outer),
                           WEIR_GPU_VALUE(length), WEIR_GPU_VALUE(inner)};
    int64_t groups = (inner + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
    return add_launch(chain, arena, &which, groups, args, 5, out);
}

static weir_status make(chain *chain, weir_arena *arena, weir_gpu_buffers *kept,
                        weir_gpu_commands *out)
{
    if (!put_loads_first(chain))
        return weir_error(WEIR_UNAVAILABLE, "too many blocks");
    weir_gpu_chain_note_known(chain->table.at, chain->table.count, chain->rows);
    return chain->sum_from ? add_sum_and_chain(chain, arena, kept, out)
                           : add_chain(chain, arena, kept, out);
}

/* Extends the chain that begins at |first| into |chain|; returns its end. */
static size_t find_chain(chain *chain, size_t first)
{
    step step;
    if (!read_step(&chain->commands->at[first], &step) || step.kind != PRODUCT || step.rows < 2 ||
        step.rows > MOST_ROWS)
        return first;
    chain->rows = step.rows;
    weir_vec_push(&chain->text, 0);
    weir_vec_push(&chain->text, 0);
    size_t at = first;
    while (at < chain->commands->count && take(chain, &at))
        at++;
    return at;
}

static void drop(chain *chain)
{
    weir_vec_fini(&chain->table);
    weir_vec_fini(&chain->accesses);
    weir_vec_fini(&chain->text);
}

/* Emits the chain that begins at |first| to |out|, and returns the next command; |first|: there is
 * no chain. */
static size_t join_from(weir_gpu_unit *unit, weir_arena *arena, weir_gpu_commands *commands,
                        size_t first, weir_gpu_buffers *kept, weir_gpu_commands *out)
{
    chain chain = {.unit = unit, .commands = commands};
    size_t end = find_chain(&chain, first), before = out->count;
    if (chain.steps < LEAST_STEPS) {
        drop(&chain);
        return first;
    }
    weir_status status = make(&chain, arena, kept, out);
    weir_log(WEIR_LOG_DEBUG, "%d commands over %lld rows become a chain: %s", chain.steps,
             (long long)chain.rows, status ? weir_status_message(status) : "made");
    if (status)
        out->count = before;
    drop(&chain);
    bool made = !status;
    weir_status_free(status);
    return made ? end : first;
}

void weir_gpu_join_chains(weir_gpu_unit *unit, weir_arena *arena, weir_gpu_commands *commands,
                          weir_gpu_buffers *kept)
{
    weir_gpu_commands out = {0};
    for (size_t at = 0; at < commands->count;) {
        size_t end = join_from(unit, arena, commands, at, kept, &out);
        if (end == at && commands->at[at].kind != WEIR_GPU_GONE)
            weir_vec_push(&out, commands->at[at]);
        at = end == at ? at + 1 : end;
    }
    weir_vec_fini(commands);
    *commands = out;
}
