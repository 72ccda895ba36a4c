/* ops/nn/lstm_block.c - LSTMBlockCell, BlockLSTM and their gradients: a fused LSTM, for one step or
 * a whole sequence.
 *
 * Every op has its states in the same order: x, cs_prev, h_prev, the weights, the bias and, for
 * gradients, the outputs of the forward op. BlockLSTMV2 has another order of columns in w.
 */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/nn/recurrent.h"

/* Indices of inputs, relative to x; those from I on are of gradients. */
enum { X, CS_PREV, H_PREV, W, WCI, WCF, WCO, BIAS, I, CS, F, O, CI, CO, AFTER_CO };
/* Outputs of the forward ops. */
enum { OUT_I, OUT_CS, OUT_F, OUT_O, OUT_CI, OUT_CO, OUT_H, FORWARD_OUTS };
/* Outputs of the gradients. */
enum { CELL_CS_PREV, CELL_DGATES, CELL_WCI };
enum { SEQ_X, SEQ_CS_PREV, SEQ_H_PREV, SEQ_W, SEQ_WCI, SEQ_WCF, SEQ_WCO, SEQ_BIAS };

/* ---- checks ---------------------------------------------------------------------------------- */

enum { BATCH, INPUTS, CELLS, ROWS, GATES, STEPS };

typedef struct sizes {
    int64_t of[STEPS + 1];
} sizes;

typedef struct want {
    uint8_t rank, dims[3];
} want;

static weir_status check_one(weir_infer *infer, int in, const sizes *sizes, want want,
                             bool any_size)
{
    static const char *const names[] = {
        [BATCH] = "batch_size",    [INPUTS] = "input_size",
        [CELLS] = "cell_size",     [ROWS] = "input_size + cell_size",
        [GATES] = "cell_size * 4", [STEPS] = "timelen"};
    const char *name = infer->site->def->in[in].name;
    const weir_shape *shape = infer->in[in];
    if (shape->rank != want.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s_tensor must be rank %d but is rank %d.", name,
                          want.rank, shape->rank);
    for (int axis = 0; axis < want.rank && !any_size; axis++)
        if (shape->dims[axis] != sizes->of[want.dims[axis]])
            return weir_error(WEIR_INVALID_ARGUMENT, "%s.%s(%d) != %s: %" PRId64 " vs. %" PRId64,
                              name, strstr(name, "_prev") ? "dims" : "dim_size", axis,
                              names[want.dims[axis]], shape->dims[axis],
                              sizes->of[want.dims[axis]]);
    return WEIR_OK;
}

static bool in_sequence(const weir_site *site)
{
    return site->in_types[0] == WEIR_INT64; /* seq_len_max comes first */
}

static bool has_peephole(const weir_site *site)
{
    return weir_site_bool(site, weir_opdef_attr(site->def, "use_peephole"));
}

static weir_status check_inputs(weir_infer *infer)
{
#define WEIGHTS_WANTED                                                                             \
    [CS_PREV] = {2, {BATCH, CELLS}}, [H_PREV] = {2, {BATCH, CELLS}}, [W] = {2, {ROWS, GATES}},     \
    [WCI] = {1, {CELLS}}, [WCF] = {1, {CELLS}}, [WCO] = {1, {CELLS}}, [BIAS] = {                   \
        1,                                                                                         \
        {GATES}                                                                                    \
    }
    static const want wanted[2][I + 1] = {
        {[X] = {2, {BATCH, INPUTS}}, WEIGHTS_WANTED, [I] = {2, {BATCH, CELLS}}},
        {[X] = {3, {STEPS, BATCH, INPUTS}}, WEIGHTS_WANTED, [I] = {3, {STEPS, BATCH, CELLS}}}};
    int sequence = in_sequence(infer->site);
    const weir_shape *x = infer->in[sequence], *cs = infer->in[sequence + CS_PREV];
    const want *wants = wanted[sequence];
    sizes known = {{0}};
    if (sequence && infer->in[0]->rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`seq_len_max_tensor` must be rank 0 but is rank %d", infer->in[0]->rank);
    WEIR_TRY(check_one(infer, sequence + X, &known, wants[X], true));
    WEIR_TRY(check_one(infer, sequence + CS_PREV, &known, wants[CS_PREV], true));
    int64_t inputs = x->dims[x->rank - 1], cells = cs->dims[1];
    known = (sizes){{x->dims[x->rank - 2], inputs, cells, inputs + cells, 4 * cells, x->dims[0]}};
    if (cs->dims[0] == 0 || cells == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "cs_prev_tensor is empty, has shape: (%" PRId64 ",%" PRId64 ").",
                          cs->dims[0], cells);
    for (int k = 0; k < infer->in_count - sequence; k++) {
        bool unused = k >= WCI && k <= WCO && !has_peephole(infer->site);
        WEIR_TRY(check_one(infer, sequence + k, &known, wants[k < I ? k : I], unused));
    }
    return WEIR_OK;
}

static weir_status cell_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, X, 2));
    WEIR_TRY(weir_infer_rank(infer, CS_PREV, 2));
    if (weir_infer_running(infer))
        WEIR_TRY(check_inputs(infer));
    for (int k = 0; k < FORWARD_OUTS; k++)
        infer->out[k] =
            weir_shape_matrix(weir_infer_dim(infer, X, 0), weir_infer_dim(infer, CS_PREV, 1));
    return WEIR_OK;
}

static weir_status cell_grad_infer(weir_infer *infer)
{
    int64_t gates;
    WEIR_TRY(weir_infer_rank(infer, X, 2));
    WEIR_TRY(weir_infer_rank(infer, CS_PREV, 2));
    if (weir_infer_running(infer))
        WEIR_TRY(check_inputs(infer));
    int64_t cells = weir_infer_dim(infer, CS_PREV, 1);
    WEIR_TRY(weir_dim_mul(cells, 4, &gates));
    infer->out[CELL_CS_PREV] = weir_shape_matrix(weir_infer_dim(infer, X, 0), cells);
    infer->out[CELL_DGATES] = weir_shape_matrix(weir_infer_dim(infer, X, 0), gates);
    for (int k = 0; k < 3; k++)
        infer->out[CELL_WCI + k] = weir_shape_vector(cells);
    return WEIR_OK;
}

static weir_status check_length(weir_infer *infer)
{
    int64_t length;
    if (!weir_infer_running(infer))
        return WEIR_OK;
    WEIR_TRY(check_inputs(infer));
    if (weir_infer_value_int(infer, 0, &length) &&
        (length < 0 || length > weir_infer_dim(infer, 1, 0)))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "seq_len_max %" PRId64 " is outside of the %" PRId64 " steps of x",
                          length, weir_infer_dim(infer, 1, 0));
    return WEIR_OK;
}

static weir_status sequence_infer(weir_infer *infer)
{
    int bias = infer->in_count - 1;
    WEIR_TRY(weir_infer_rank(infer, 1, 3));
    WEIR_TRY(weir_infer_rank(infer, bias, 1));
    WEIR_TRY(check_length(infer));
    int64_t gates = weir_infer_dim(infer, bias, 0);
    if (gates >= 0 && gates % 4 != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dimension size must be evenly divisible by 4 but is %" PRId64, gates);
    for (int k = 0; k < FORWARD_OUTS; k++)
        infer->out[k] = (weir_shape){
            3,
            {weir_infer_dim(infer, 1, 0), weir_infer_dim(infer, 1, 1), gates < 0 ? -1 : gates / 4}};
    return WEIR_OK;
}

static weir_status sequence_grad_infer(weir_infer *infer)
{
    static const int ranks[] = {3, 2, 2, 2, 1, 1, 1, 1};
    for (int k = 0; k < 8; k++)
        WEIR_TRY(weir_infer_rank(infer, 1 + k, ranks[k]));
    WEIR_TRY(check_length(infer));
    for (int k = 0; k < 8; k++)
        infer->out[k] = *infer->in[1 + k];
    return WEIR_OK;
}

/* ---- one step -------------------------------------------------------------------------------- */

typedef struct lstm {
    weir_call *call;
    int64_t batch, inputs, cells;
    /* The quarters of the columns for ci and f; i is the first, o the last. */
    int gate_c, gate_f;
    float forget_bias, clip;
    bool peephole;
    const float *w, *wci, *wcf, *wco, *bias;
    float *xh, *gates; /* workspace: [batch, inputs + cells], [batch, 4 * cells] */
    float *xh_grad;    /* of gradients over sequences */
} lstm;

/* States of one step; a gradient only reads them. */
typedef struct state {
    const float *x, *cs_prev, *h_prev;
    float *i, *cs, *f, *o, *ci, *co, *h;
} state;

static void forward_cell(const lstm *cell, const state *state, int64_t b, int64_t c)
{
    const float *gates = cell->gates + b * 4 * cell->cells + c;
    int64_t at = b * cell->cells + c;
    float before = state->cs_prev[at], i = gates[0] + (cell->peephole ? before * cell->wci[c] : 0);
    float f = gates[cell->gate_f * cell->cells] + cell->forget_bias +
              (cell->peephole ? before * cell->wcf[c] : 0);
    state->i[at] = weir_recurrent_sigmoid(i);
    state->ci[at] = tanhf(gates[cell->gate_c * cell->cells]);
    state->f[at] = weir_recurrent_sigmoid(f);
    float cs = state->i[at] * state->ci[at] + state->f[at] * before;
    if (cell->clip > 0)
        cs = fminf(fmaxf(cs, -cell->clip), cell->clip);
    state->cs[at] = cs;
    state->co[at] = tanhf(cs);
    state->o[at] =
        weir_recurrent_sigmoid(gates[3 * cell->cells] + (cell->peephole ? cs * cell->wco[c] : 0));
    state->h[at] = state->o[at] * state->co[at];
}

static void forward(const lstm *cell, const state *state)
{
    int64_t gates = 4 * cell->cells;
    weir_recurrent_join(cell->batch, cell->inputs, state->x, cell->cells, state->h_prev, cell->xh);
    weir_recurrent_multiply(cell->call, WEIR_RECURRENT_PLAIN, cell->batch, gates,
                            cell->inputs + cell->cells, cell->xh, cell->w, cell->gates);
    for (int64_t batch = 0; batch < cell->batch; batch++) {
        for (int64_t g = 0; g < gates; g++)
            cell->gates[batch * gates + g] += cell->bias[g];
        for (int64_t c = 0; c < cell->cells; c++)
            forward_cell(cell, state, batch, c);
    }
}

/* Gradients: of cs and h of a step, of cs_prev, and accumulators for the weights. */
typedef struct back {
    const float *cs, *h;
    float *cs_prev;
    float *wci, *wcf, *wco; /* accumulated */
} back;

/* Computes the gates' gradients. |back|'s cs and cs_prev may be the same buffer. */
static void backward_cell(const lstm *cell, const state *state, const back *back, int64_t b,
                          int64_t c)
{
    float *gates = cell->gates + b * 4 * cell->cells + c;
    int64_t at = b * cell->cells + c;
    float i = state->i[at], f = state->f[at], o = state->o[at], ci = state->ci[at],
          co = state->co[at];
    float dh = back->h[at], before = state->cs_prev[at];
    float d_o = o * (1 - o) * dh * co;
    float dcs = (1 - co * co) * dh * o + back->cs[at] + (cell->peephole ? d_o * cell->wco[c] : 0);
    float df = f * (1 - f) * dcs * before, di = i * (1 - i) * dcs * ci;
    gates[0] = di;
    gates[cell->gate_c * cell->cells] = (1 - ci * ci) * dcs * i;
    gates[cell->gate_f * cell->cells] = df;
    gates[3 * cell->cells] = d_o;
    back->cs_prev[at] = dcs * f;
    if (cell->peephole) {
        back->cs_prev[at] += di * cell->wci[c] + df * cell->wcf[c];
        back->wci[c] += di * before;
        back->wcf[c] += df * before;
        back->wco[c] += d_o * state->cs[at];
    }
}

static void backward(const lstm *cell, const state *state, const back *back)
{
    for (int64_t batch = 0; batch < cell->batch; batch++)
        for (int64_t c = 0; c < cell->cells; c++)
            backward_cell(cell, state, back, batch, c);
}

/* ---- the ops --------------------------------------------------------------------------------- */

static float float_attr(const weir_site *site, const char *name)
{
    int at = weir_opdef_attr(site->def, name);
    return at < 0 ? 0 : weir_site_float(site, at);
}

/* Reads sizes, weights and attrs, and allocates buffers for |rows| rows of a step's products. */
static weir_status open_lstm(weir_call *call, const weir_recurrent *recurrent, lstm *cell,
                             weir_tensor *workspace)
{
    bool sequence = in_sequence(call->site), v2 = strstr(call->site->def->name, "V2") != NULL;
    int first = sequence;
    const weir_shape *x = &weir_in(call, first)->shape;
    *cell = (lstm){
        .call = call,
        .batch = x->dims[x->rank - 2],
        .inputs = x->dims[x->rank - 1],
        .cells = weir_in(call, first + CS_PREV)->shape.dims[1],
        .gate_c = v2 ? 2 : 1,
        .gate_f = v2 ? 1 : 2,
        .forget_bias = float_attr(call->site, "forget_bias"),
        .clip = float_attr(call->site, "cell_clip"),
        .peephole = has_peephole(call->site),
        .w = weir_recurrent_in(recurrent, first + W),
        .wci = weir_recurrent_in(recurrent, first + WCI),
        .wcf = weir_recurrent_in(recurrent, first + WCF),
        .wco = weir_recurrent_in(recurrent, first + WCO),
        .bias = weir_recurrent_in(recurrent, first + BIAS),
    };
    weir_shape size =
        weir_shape_matrix(cell->batch, 2 * (cell->inputs + cell->cells) + 4 * cell->cells);
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &size, workspace));
    cell->xh = workspace->data;
    cell->xh_grad = cell->xh + cell->batch * (cell->inputs + cell->cells);
    cell->gates = cell->xh_grad + cell->batch * (cell->inputs + cell->cells);
    return WEIR_OK;
}

/* The forward states of step |t|. */
static state state_at(const weir_recurrent *recurrent, const lstm *cell, int first, int64_t t,
                      const weir_tensor *made, const weir_tensor *made_h)
{
    int64_t at = t * cell->batch * cell->cells;
    float *h = (float *)made_h->data, *cs = (float *)made[OUT_CS].data;
    return (state){
        .x = weir_recurrent_in(recurrent, first + X) + t * cell->batch * cell->inputs,
        .cs_prev =
            t ? cs + at - cell->batch * cell->cells : weir_recurrent_in(recurrent, first + CS_PREV),
        .h_prev =
            t ? h + at - cell->batch * cell->cells : weir_recurrent_in(recurrent, first + H_PREV),
        .i = (float *)made[OUT_I].data + at,
        .cs = cs + at,
        .f = (float *)made[OUT_F].data + at,
        .o = (float *)made[OUT_O].data + at,
        .ci = (float *)made[OUT_CI].data + at,
        .co = (float *)made[OUT_CO].data + at,
        .h = h + at,
    };
}

static weir_status run_forward(weir_call *call)
{
    int first = in_sequence(call->site);
    int64_t steps = first ? *(const int64_t *)weir_in(call, 0)->data : 1;
    weir_recurrent recurrent;
    weir_tensor workspace = {0};
    lstm cell;
    WEIR_TRY(weir_recurrent_open(call, &recurrent));
    weir_status status = open_lstm(call, &recurrent, &cell, &workspace);
    for (int64_t t = 0; !status && t < steps; t++) {
        state st = state_at(&recurrent, &cell, first, t, recurrent.out, &recurrent.out[OUT_H]);
        forward(&cell, &st);
    }
    int64_t done = status ? 0 : steps * cell.batch * cell.cells;
    for (int k = 0; !status && k < FORWARD_OUTS; k++)
        memset(weir_recurrent_out(&recurrent, k) + done, 0,
               sizeof(float) * (size_t)(weir_tensor_count(&recurrent.out[k]) - done));
    weir_tensor_release(&workspace);
    return weir_recurrent_close(&recurrent, status);
}

static weir_status run_cell_grad(weir_call *call)
{
    weir_recurrent recurrent;
    weir_tensor workspace = {0};
    lstm cell;
    WEIR_TRY(weir_recurrent_open(call, &recurrent));
    weir_status status = open_lstm(call, &recurrent, &cell, &workspace);
    if (!status) {
        state st = state_at(&recurrent, &cell, 0, 0, &recurrent.in[I], &recurrent.in[CS]);
        back back = {.cs = weir_recurrent_in(&recurrent, AFTER_CO),
                     .h = weir_recurrent_in(&recurrent, AFTER_CO + 1),
                     .cs_prev = weir_recurrent_out(&recurrent, CELL_CS_PREV),
                     .wci = weir_recurrent_out(&recurrent, CELL_WCI),
                     .wcf = weir_recurrent_out(&recurrent, CELL_WCI + 1),
                     .wco = weir_recurrent_out(&recurrent, CELL_WCI + 2)};
        for (int k = 0; k < 3; k++)
            memset(recurrent.out[CELL_WCI + k].data, 0,
                   weir_tensor_bytes(&recurrent.out[CELL_WCI + k]));
        cell.gates = weir_recurrent_out(&recurrent, CELL_DGATES);
        backward(&cell, &st, &back);
    }
    weir_tensor_release(&workspace);
    return weir_recurrent_close(&recurrent, status);
}

/* After backward: the gates' gradients propagate to x, h_prev, the weights and the bias. */
static void spread_gates(const lstm *cell, const state *state, float *x, float *h_prev, float *w,
                         float *bias)
{
    int64_t rows = cell->inputs + cell->cells, gates = 4 * cell->cells;
    weir_recurrent_multiply(cell->call, WEIR_RECURRENT_B_TURNED, cell->batch, rows, gates,
                            cell->gates, cell->w, cell->xh_grad);
    weir_recurrent_join(cell->batch, cell->inputs, state->x, cell->cells, state->h_prev, cell->xh);
    weir_recurrent_multiply(cell->call, WEIR_RECURRENT_A_TRANSPOSED_ADDED, rows, gates, cell->batch,
                            cell->xh, cell->gates, w);
    for (int64_t batch = 0; batch < cell->batch; batch++) {
        const float *from = cell->xh_grad + batch * rows;
        memcpy(x + batch * cell->inputs, from, sizeof(float) * (size_t)cell->inputs);
        memcpy(h_prev + batch * cell->cells, from + cell->inputs,
               sizeof(float) * (size_t)cell->cells);
        for (int64_t g = 0; g < gates; g++)
            bias[g] += cell->gates[batch * gates + g];
    }
}

static void add(float *to, const float *from, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] += from[k];
}

static void sequence_back(const lstm *cell, const weir_recurrent *recurrent, int64_t steps)
{
    enum { FIRST = 1 };
    int64_t states = cell->batch * cell->cells;
    float *cs = weir_recurrent_out(recurrent, SEQ_CS_PREV),
          *h = weir_recurrent_out(recurrent, SEQ_H_PREV);
    back back = {.cs = cs,
                 .h = h,
                 .cs_prev = cs,
                 .wci = weir_recurrent_out(recurrent, SEQ_WCI),
                 .wcf = weir_recurrent_out(recurrent, SEQ_WCF),
                 .wco = weir_recurrent_out(recurrent, SEQ_WCO)};
    for (int64_t t = steps - 1; t >= 0; t--) {
        state st = state_at(recurrent, cell, FIRST, t, &recurrent->in[FIRST + I],
                            &recurrent->in[FIRST + AFTER_CO]);
        add(cs, weir_recurrent_in(recurrent, FIRST + AFTER_CO + 1) + t * states, states);
        add(h, weir_recurrent_in(recurrent, FIRST + AFTER_CO + 2) + t * states, states);
        backward(cell, &st, &back);
        spread_gates(cell, &st,
                     weir_recurrent_out(recurrent, SEQ_X) + t * cell->batch * cell->inputs, h,
                     weir_recurrent_out(recurrent, SEQ_W), weir_recurrent_out(recurrent, SEQ_BIAS));
    }
}

static weir_status run_sequence_grad(weir_call *call)
{
    weir_recurrent recurrent;
    weir_tensor workspace = {0};
    lstm cell;
    WEIR_TRY(weir_recurrent_open(call, &recurrent));
    weir_status status = open_lstm(call, &recurrent, &cell, &workspace);
    for (int k = 0; !status && k < call->site->out_count; k++)
        memset(recurrent.out[k].data, 0, weir_tensor_bytes(&recurrent.out[k]));
    if (!status)
        sequence_back(&cell, &recurrent, *(const int64_t *)weir_in(call, 0)->data);
    weir_tensor_release(&workspace);
    return weir_recurrent_close(&recurrent, status);
}

/* ---- gradients of BlockLSTM: through cs and h ------------------------------------------------ */

enum { V1, V2 }; /* modes of BlockLSTM */

static weir_status sequence_grad(weir_grad *grad)
{
    const char *op =
        weir_site_mode(weir_grad_site(grad)) == V1 ? "BlockLSTMGrad" : "BlockLSTMGradV2";
    weir_edge in[18];
    int count = 0;
    for (int k = 0; k < 9; k++)
        in[count++] = weir_grad_x(grad, k);
    for (int k = 0; k < FORWARD_OUTS; k++)
        in[count++] = weir_grad_y(grad, k);
    static const int flows[] = {OUT_CS, OUT_H};
    for (int k = 0; k < 2; k++) {
        weir_edge dy = weir_grad_dy(grad, flows[k]);
        in[count++] = dy.node ? dy
                              : weir_grad_op(grad, "ZerosLike",
                                             WEIR_IN(weir_grad_y(grad, flows[k])), WEIR_NO_ATTRS);
    }
    weir_node *node =
        weir_grad_node_add(grad, op, in, count, WEIR_ATTRS(weir_grad_attr(grad, "use_peephole")));
    for (int k = 0; node && k < 8; k++)
        weir_grad_set(grad, 1 + k, (weir_edge){node, k});
    return WEIR_OK;
}

#define WEIGHTS "cs_prev: T; h_prev: T; w: T; wci: T; wcf: T; wco: T; b: T"
#define STATES "i: T; cs: T; f: T; o: T; ci: T; co: T"
#define TYPES "T: {half, float}"
#define FORWARD_ATTRS                                                                              \
    "forget_bias: float = 1.0; cell_clip: float = 3.0; use_peephole: bool = false; " TYPES

const weir_op weir_op_lstm_block_cell = {
    .name = "LSTMBlockCell",
    .in = "x: T; " WEIGHTS,
    .out = STATES "; h: T",
    .attrs = FORWARD_ATTRS,
    .infer = cell_infer,
    .kernels = {{WEIR_CPU, "*", run_forward}},
};

const weir_op weir_op_lstm_block_cell_grad = {
    .name = "LSTMBlockCellGrad",
    .in = "x: T; " WEIGHTS "; " STATES "; cs_grad: T; h_grad: T",
    .out = "cs_prev_grad: T; dicfo: T; wci_grad: T; wcf_grad: T; wco_grad: T",
    .attrs = "use_peephole: bool; " TYPES,
    .infer = cell_grad_infer,
    .kernels = {{WEIR_CPU, "*", run_cell_grad}},
};

#define SEQUENCE                                                                                   \
    .in = "seq_len_max: int64; x: T; " WEIGHTS, .out = STATES "; h: T", .infer = sequence_infer,   \
    .grad = sequence_grad, .kernels = {{WEIR_CPU, "*", run_forward, WEIR_EXPENSIVE}}
WEIR_DEFINE_OP(block_lstm, "BlockLSTM", SEQUENCE, .attrs = FORWARD_ATTRS, .mode = V1,
               .host = "seq_len_max");
WEIR_DEFINE_OP(block_lstm_v2, "BlockLSTMV2", SEQUENCE,
               .attrs = "cell_clip: float = 0.0; use_peephole: bool = false; " TYPES, .mode = V2,
               .host = "seq_len_max");

#define SEQUENCE_GRAD                                                                              \
    .in = "seq_len_max: int64; x: T; " WEIGHTS "; " STATES "; h: T; cs_grad: T; h_grad: T",        \
    .out = "x_grad: T; cs_prev_grad: T; h_prev_grad: T; w_grad: T; wci_grad: T; wcf_grad: T; "     \
           "wco_grad: T; b_grad: T",                                                               \
    .attrs = "use_peephole: bool; " TYPES, .infer = sequence_grad_infer,                           \
    .kernels = {{WEIR_CPU, "*", run_sequence_grad, WEIR_EXPENSIVE}}
WEIR_DEFINE_OP(block_lstm_grad, "BlockLSTMGrad", SEQUENCE_GRAD, .host = "seq_len_max");
WEIR_DEFINE_OP(block_lstm_grad_v2, "BlockLSTMGradV2", SEQUENCE_GRAD, .host = "seq_len_max");
