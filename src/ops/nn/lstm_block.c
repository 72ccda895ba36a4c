/* ops/nn/lstm_block.c - LSTMBlockCell, BlockLSTM and their gradients: an LSTM as one op, for one
 * step or a whole sequence.
 *
 * Every op has its states in the same order: x, cs_prev, h_prev, the weights, the bias and, for
 * gradients, what the forward op gave. BlockLSTMV2 orders the columns of w otherwise.
 */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/nn/recurrent.h"

/* Places of inputs, counted from x; those from I on are of gradients. */
enum { X, CS_PREV, H_PREV, W, WCI, WCF, WCO, BIAS, I, CS, F, O, CI, CO, AFTER_CO };
/* Outputs of the forward ops. */
enum { OUT_I, OUT_CS, OUT_F, OUT_O, OUT_CI, OUT_CO, OUT_H, FORWARD_OUTS };
/* Outputs of the gradients. */
enum { CELL_CS_PREV, CELL_DGATES, CELL_WCI };
enum { SEQ_X, SEQ_CS_PREV, SEQ_H_PREV, SEQ_W, SEQ_WCI, SEQ_WCF, SEQ_WCO, SEQ_BIAS };

/* ---- checks ------------------------------------------------------------------------------------
 */

enum { BATCH, INPUTS, CELLS, ROWS, GATES, STEPS };

typedef struct sizes {
    int64_t of[STEPS + 1];
} sizes;

typedef struct want {
    uint8_t rank, dims[3];
} want;

static weir_status check_one(weir_infer *i, int in, const sizes *n, want w, bool any_size)
{
    static const char *const names[] = {
        [BATCH] = "batch_size",    [INPUTS] = "input_size",
        [CELLS] = "cell_size",     [ROWS] = "input_size + cell_size",
        [GATES] = "cell_size * 4", [STEPS] = "timelen"};
    const char *name = i->site->def->in[in].name;
    const weir_shape *shape = i->in[in];
    if (shape->rank != w.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s_tensor must be rank %d but is rank %d.", name,
                          w.rank, shape->rank);
    for (int d = 0; d < w.rank && !any_size; d++)
        if (shape->dims[d] != n->of[w.dims[d]])
            return weir_error(WEIR_INVALID_ARGUMENT, "%s.%s(%d) != %s: %" PRId64 " vs. %" PRId64,
                              name, strstr(name, "_prev") ? "dims" : "dim_size", d,
                              names[w.dims[d]], shape->dims[d], n->of[w.dims[d]]);
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

static weir_status check_inputs(weir_infer *i)
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
    int sequence = in_sequence(i->site);
    const weir_shape *x = i->in[sequence], *cs = i->in[sequence + CS_PREV];
    const want *w = wanted[sequence];
    sizes n = {{0}};
    if (sequence && i->in[0]->rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`seq_len_max_tensor` must be rank 0 but is rank %d", i->in[0]->rank);
    WEIR_TRY(check_one(i, sequence + X, &n, w[X], true));
    WEIR_TRY(check_one(i, sequence + CS_PREV, &n, w[CS_PREV], true));
    int64_t inputs = x->dims[x->rank - 1], cells = cs->dims[1];
    n = (sizes){{x->dims[x->rank - 2], inputs, cells, inputs + cells, 4 * cells, x->dims[0]}};
    if (cs->dims[0] == 0 || cells == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "cs_prev_tensor is empty, has shape: (%" PRId64 ",%" PRId64 ").",
                          cs->dims[0], cells);
    for (int k = 0; k < i->in_count - sequence; k++) {
        bool unused = k >= WCI && k <= WCO && !has_peephole(i->site);
        WEIR_TRY(check_one(i, sequence + k, &n, w[k < I ? k : I], unused));
    }
    return WEIR_OK;
}

static weir_status cell_infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, X, 2));
    WEIR_TRY(weir_infer_rank(i, CS_PREV, 2));
    if (weir_infer_running(i))
        WEIR_TRY(check_inputs(i));
    for (int k = 0; k < FORWARD_OUTS; k++)
        i->out[k] = weir_shape_matrix(weir_infer_dim(i, X, 0), weir_infer_dim(i, CS_PREV, 1));
    return WEIR_OK;
}

static weir_status cell_grad_infer(weir_infer *i)
{
    int64_t gates;
    WEIR_TRY(weir_infer_rank(i, X, 2));
    WEIR_TRY(weir_infer_rank(i, CS_PREV, 2));
    if (weir_infer_running(i))
        WEIR_TRY(check_inputs(i));
    int64_t cells = weir_infer_dim(i, CS_PREV, 1);
    WEIR_TRY(weir_dim_mul(cells, 4, &gates));
    i->out[CELL_CS_PREV] = weir_shape_matrix(weir_infer_dim(i, X, 0), cells);
    i->out[CELL_DGATES] = weir_shape_matrix(weir_infer_dim(i, X, 0), gates);
    for (int k = 0; k < 3; k++)
        i->out[CELL_WCI + k] = weir_shape_vector(cells);
    return WEIR_OK;
}

static weir_status check_length(weir_infer *i)
{
    int64_t length;
    if (!weir_infer_running(i))
        return WEIR_OK;
    WEIR_TRY(check_inputs(i));
    if (weir_infer_value_int(i, 0, &length) && (length < 0 || length > weir_infer_dim(i, 1, 0)))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "seq_len_max %" PRId64 " is outside of the %" PRId64 " steps of x",
                          length, weir_infer_dim(i, 1, 0));
    return WEIR_OK;
}

static weir_status sequence_infer(weir_infer *i)
{
    int bias = i->in_count - 1;
    WEIR_TRY(weir_infer_rank(i, 1, 3));
    WEIR_TRY(weir_infer_rank(i, bias, 1));
    WEIR_TRY(check_length(i));
    int64_t gates = weir_infer_dim(i, bias, 0);
    if (gates >= 0 && gates % 4 != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dimension size must be evenly divisible by 4 but is %" PRId64, gates);
    for (int k = 0; k < FORWARD_OUTS; k++)
        i->out[k] = (weir_shape){
            3, {weir_infer_dim(i, 1, 0), weir_infer_dim(i, 1, 1), gates < 0 ? -1 : gates / 4}};
    return WEIR_OK;
}

static weir_status sequence_grad_infer(weir_infer *i)
{
    static const int ranks[] = {3, 2, 2, 2, 1, 1, 1, 1};
    for (int k = 0; k < 8; k++)
        WEIR_TRY(weir_infer_rank(i, 1 + k, ranks[k]));
    WEIR_TRY(check_length(i));
    for (int k = 0; k < 8; k++)
        i->out[k] = *i->in[1 + k];
    return WEIR_OK;
}

/* ---- one step ----------------------------------------------------------------------------------
 */

typedef struct lstm {
    weir_call *call;
    int64_t batch, inputs, cells;
    int gate_c, gate_f; /* which quarter of the columns is theirs; i is the first, o the last */
    float forget_bias, clip;
    bool peephole;
    const float *w, *wci, *wcf, *wco, *bias;
    float *xh, *gates; /* room: [batch, inputs + cells], [batch, 4 * cells] */
    float *xh_grad;    /* of gradients over sequences */
} lstm;

/* States of one step; a gradient only reads them. */
typedef struct state {
    const float *x, *cs_prev, *h_prev;
    float *i, *cs, *f, *o, *ci, *co, *h;
} state;

static void forward_cell(const lstm *m, const state *s, int64_t b, int64_t c)
{
    const float *gates = m->gates + b * 4 * m->cells + c;
    int64_t at = b * m->cells + c;
    float before = s->cs_prev[at], i = gates[0] + (m->peephole ? before * m->wci[c] : 0);
    float f = gates[m->gate_f * m->cells] + m->forget_bias + (m->peephole ? before * m->wcf[c] : 0);
    s->i[at] = weir_recurrent_sigmoid(i);
    s->ci[at] = tanhf(gates[m->gate_c * m->cells]);
    s->f[at] = weir_recurrent_sigmoid(f);
    float cs = s->i[at] * s->ci[at] + s->f[at] * before;
    if (m->clip > 0)
        cs = fminf(fmaxf(cs, -m->clip), m->clip);
    s->cs[at] = cs;
    s->co[at] = tanhf(cs);
    s->o[at] = weir_recurrent_sigmoid(gates[3 * m->cells] + (m->peephole ? cs * m->wco[c] : 0));
    s->h[at] = s->o[at] * s->co[at];
}

static void forward(const lstm *m, const state *s)
{
    int64_t gates = 4 * m->cells;
    weir_recurrent_join(m->batch, m->inputs, s->x, m->cells, s->h_prev, m->xh);
    weir_recurrent_multiply(m->call, WEIR_RECURRENT_PLAIN, m->batch, gates, m->inputs + m->cells,
                            m->xh, m->w, m->gates);
    for (int64_t b = 0; b < m->batch; b++) {
        for (int64_t g = 0; g < gates; g++)
            m->gates[b * gates + g] += m->bias[g];
        for (int64_t c = 0; c < m->cells; c++)
            forward_cell(m, s, b, c);
    }
}

/* What flows back: into cs and h of a step, out of it into cs_prev, and what the weights gather. */
typedef struct back {
    const float *cs, *h;
    float *cs_prev;
    float *wci, *wcf, *wco; /* added to */
} back;

/* Fills the gates' gradients. |d|'s cs and cs_prev may be the same place. */
static void backward_cell(const lstm *m, const state *s, const back *d, int64_t b, int64_t c)
{
    float *gates = m->gates + b * 4 * m->cells + c;
    int64_t at = b * m->cells + c;
    float i = s->i[at], f = s->f[at], o = s->o[at], ci = s->ci[at], co = s->co[at];
    float dh = d->h[at], before = s->cs_prev[at];
    float d_o = o * (1 - o) * dh * co;
    float dcs = (1 - co * co) * dh * o + d->cs[at] + (m->peephole ? d_o * m->wco[c] : 0);
    float df = f * (1 - f) * dcs * before, di = i * (1 - i) * dcs * ci;
    gates[0] = di;
    gates[m->gate_c * m->cells] = (1 - ci * ci) * dcs * i;
    gates[m->gate_f * m->cells] = df;
    gates[3 * m->cells] = d_o;
    d->cs_prev[at] = dcs * f;
    if (m->peephole) {
        d->cs_prev[at] += di * m->wci[c] + df * m->wcf[c];
        d->wci[c] += di * before;
        d->wcf[c] += df * before;
        d->wco[c] += d_o * s->cs[at];
    }
}

static void backward(const lstm *m, const state *s, const back *d)
{
    for (int64_t b = 0; b < m->batch; b++)
        for (int64_t c = 0; c < m->cells; c++)
            backward_cell(m, s, d, b, c);
}

/* ---- the ops -----------------------------------------------------------------------------------
 */

static float float_attr(const weir_site *site, const char *name)
{
    int at = weir_opdef_attr(site->def, name);
    return at < 0 ? 0 : weir_site_float(site, at);
}

/* Reads sizes, weights and attrs, and makes room for |rows| rows of a step's products. */
static weir_status open_lstm(weir_call *call, const weir_recurrent *r, lstm *m, weir_tensor *room)
{
    bool sequence = in_sequence(call->site), v2 = strstr(call->site->def->name, "V2") != NULL;
    int first = sequence;
    const weir_shape *x = &weir_in(call, first)->shape;
    *m = (lstm){
        .call = call,
        .batch = x->dims[x->rank - 2],
        .inputs = x->dims[x->rank - 1],
        .cells = weir_in(call, first + CS_PREV)->shape.dims[1],
        .gate_c = v2 ? 2 : 1,
        .gate_f = v2 ? 1 : 2,
        .forget_bias = float_attr(call->site, "forget_bias"),
        .clip = float_attr(call->site, "cell_clip"),
        .peephole = has_peephole(call->site),
        .w = weir_recurrent_in(r, first + W),
        .wci = weir_recurrent_in(r, first + WCI),
        .wcf = weir_recurrent_in(r, first + WCF),
        .wco = weir_recurrent_in(r, first + WCO),
        .bias = weir_recurrent_in(r, first + BIAS),
    };
    weir_shape size = weir_shape_matrix(m->batch, 2 * (m->inputs + m->cells) + 4 * m->cells);
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &size, room));
    m->xh = room->data;
    m->xh_grad = m->xh + m->batch * (m->inputs + m->cells);
    m->gates = m->xh_grad + m->batch * (m->inputs + m->cells);
    return WEIR_OK;
}

/* The forward states of step |t|. */
static state state_at(const weir_recurrent *r, const lstm *m, int first, int64_t t,
                      const weir_tensor *made, const weir_tensor *made_h)
{
    int64_t at = t * m->batch * m->cells;
    float *h = (float *)made_h->data, *cs = (float *)made[OUT_CS].data;
    return (state){
        .x = weir_recurrent_in(r, first + X) + t * m->batch * m->inputs,
        .cs_prev = t ? cs + at - m->batch * m->cells : weir_recurrent_in(r, first + CS_PREV),
        .h_prev = t ? h + at - m->batch * m->cells : weir_recurrent_in(r, first + H_PREV),
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
    weir_recurrent r;
    weir_tensor room = {0};
    lstm m;
    WEIR_TRY(weir_recurrent_open(call, &r));
    weir_status s = open_lstm(call, &r, &m, &room);
    for (int64_t t = 0; !s && t < steps; t++) {
        state st = state_at(&r, &m, first, t, r.out, &r.out[OUT_H]);
        forward(&m, &st);
    }
    int64_t done = s ? 0 : steps * m.batch * m.cells;
    for (int k = 0; !s && k < FORWARD_OUTS; k++)
        memset(weir_recurrent_out(&r, k) + done, 0,
               sizeof(float) * (size_t)(weir_tensor_count(&r.out[k]) - done));
    weir_tensor_release(&room);
    return weir_recurrent_close(&r, s);
}

static weir_status run_cell_grad(weir_call *call)
{
    weir_recurrent r;
    weir_tensor room = {0};
    lstm m;
    WEIR_TRY(weir_recurrent_open(call, &r));
    weir_status s = open_lstm(call, &r, &m, &room);
    if (!s) {
        state st = state_at(&r, &m, 0, 0, &r.in[I], &r.in[CS]);
        back d = {.cs = weir_recurrent_in(&r, AFTER_CO),
                  .h = weir_recurrent_in(&r, AFTER_CO + 1),
                  .cs_prev = weir_recurrent_out(&r, CELL_CS_PREV),
                  .wci = weir_recurrent_out(&r, CELL_WCI),
                  .wcf = weir_recurrent_out(&r, CELL_WCI + 1),
                  .wco = weir_recurrent_out(&r, CELL_WCI + 2)};
        for (int k = 0; k < 3; k++)
            memset(r.out[CELL_WCI + k].data, 0, weir_tensor_bytes(&r.out[CELL_WCI + k]));
        m.gates = weir_recurrent_out(&r, CELL_DGATES);
        backward(&m, &st, &d);
    }
    weir_tensor_release(&room);
    return weir_recurrent_close(&r, s);
}

/* After backward: the gates' gradients go on into x, h_prev, the weights and the bias. */
static void spread_gates(const lstm *m, const state *s, float *x, float *h_prev, float *w,
                         float *bias)
{
    int64_t rows = m->inputs + m->cells, gates = 4 * m->cells;
    weir_recurrent_multiply(m->call, WEIR_RECURRENT_B_TURNED, m->batch, rows, gates, m->gates, m->w,
                            m->xh_grad);
    weir_recurrent_join(m->batch, m->inputs, s->x, m->cells, s->h_prev, m->xh);
    weir_recurrent_multiply(m->call, WEIR_RECURRENT_A_TURNED_ADDED, rows, gates, m->batch, m->xh,
                            m->gates, w);
    for (int64_t b = 0; b < m->batch; b++) {
        const float *from = m->xh_grad + b * rows;
        memcpy(x + b * m->inputs, from, sizeof(float) * (size_t)m->inputs);
        memcpy(h_prev + b * m->cells, from + m->inputs, sizeof(float) * (size_t)m->cells);
        for (int64_t g = 0; g < gates; g++)
            bias[g] += m->gates[b * gates + g];
    }
}

static void add(float *to, const float *from, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        to[k] += from[k];
}

static void sequence_back(const lstm *m, const weir_recurrent *r, int64_t steps)
{
    enum { FIRST = 1 };
    int64_t states = m->batch * m->cells;
    float *cs = weir_recurrent_out(r, SEQ_CS_PREV), *h = weir_recurrent_out(r, SEQ_H_PREV);
    back d = {.cs = cs,
              .h = h,
              .cs_prev = cs,
              .wci = weir_recurrent_out(r, SEQ_WCI),
              .wcf = weir_recurrent_out(r, SEQ_WCF),
              .wco = weir_recurrent_out(r, SEQ_WCO)};
    for (int64_t t = steps - 1; t >= 0; t--) {
        state st = state_at(r, m, FIRST, t, &r->in[FIRST + I], &r->in[FIRST + AFTER_CO]);
        add(cs, weir_recurrent_in(r, FIRST + AFTER_CO + 1) + t * states, states);
        add(h, weir_recurrent_in(r, FIRST + AFTER_CO + 2) + t * states, states);
        backward(m, &st, &d);
        spread_gates(m, &st, weir_recurrent_out(r, SEQ_X) + t * m->batch * m->inputs, h,
                     weir_recurrent_out(r, SEQ_W), weir_recurrent_out(r, SEQ_BIAS));
    }
}

static weir_status run_sequence_grad(weir_call *call)
{
    weir_recurrent r;
    weir_tensor room = {0};
    lstm m;
    WEIR_TRY(weir_recurrent_open(call, &r));
    weir_status s = open_lstm(call, &r, &m, &room);
    for (int k = 0; !s && k < call->site->out_count; k++)
        memset(r.out[k].data, 0, weir_tensor_bytes(&r.out[k]));
    if (!s)
        sequence_back(&m, &r, *(const int64_t *)weir_in(call, 0)->data);
    weir_tensor_release(&room);
    return weir_recurrent_close(&r, s);
}

/* ---- gradients of BlockLSTM: what comes in through cs and h --------------------------------- */

enum { V1, V2 }; /* modes of BlockLSTM */

static weir_status sequence_grad(weir_grad *g)
{
    const char *op = weir_site_mode(weir_grad_site(g)) == V1 ? "BlockLSTMGrad" : "BlockLSTMGradV2";
    weir_edge in[18];
    int n = 0;
    for (int k = 0; k < 9; k++)
        in[n++] = weir_grad_x(g, k);
    for (int k = 0; k < FORWARD_OUTS; k++)
        in[n++] = weir_grad_y(g, k);
    static const int flows[] = {OUT_CS, OUT_H};
    for (int k = 0; k < 2; k++) {
        weir_edge dy = weir_grad_dy(g, flows[k]);
        in[n++] = dy.node ? dy
                          : weir_grad_op(g, "ZerosLike", WEIR_IN(weir_grad_y(g, flows[k])),
                                         WEIR_NO_ATTRS);
    }
    weir_node *node =
        weir_grad_node_add(g, op, in, n, WEIR_ATTRS(weir_grad_attr(g, "use_peephole")));
    for (int k = 0; node && k < 8; k++)
        weir_grad_set(g, 1 + k, (weir_edge){node, k});
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
WEIR_DEFINE_OP(block_lstm, "BlockLSTM", SEQUENCE, .attrs = FORWARD_ATTRS, .mode = V1);
WEIR_DEFINE_OP(block_lstm_v2, "BlockLSTMV2", SEQUENCE,
               .attrs = "cell_clip: float = 0.0; use_peephole: bool = false; " TYPES, .mode = V2);

#define SEQUENCE_GRAD                                                                              \
    .in = "seq_len_max: int64; x: T; " WEIGHTS "; " STATES "; h: T; cs_grad: T; h_grad: T",        \
    .out = "x_grad: T; cs_prev_grad: T; h_prev_grad: T; w_grad: T; wci_grad: T; wcf_grad: T; "     \
           "wco_grad: T; b_grad: T",                                                               \
    .attrs = "use_peephole: bool; " TYPES, .infer = sequence_grad_infer,                           \
    .kernels = {{WEIR_CPU, "*", run_sequence_grad, WEIR_EXPENSIVE}}
WEIR_DEFINE_OP(block_lstm_grad, "BlockLSTMGrad", SEQUENCE_GRAD);
WEIR_DEFINE_OP(block_lstm_grad_v2, "BlockLSTMGradV2", SEQUENCE_GRAD);
