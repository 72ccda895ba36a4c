/* ops/nn/gru_block.c - GRUBlockCell and its gradient: one step of a gated recurrent unit. */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "ops/common/infer_util.h"
#include "ops/nn/recurrent.h"

enum { X, H_PREV, W_RU, W_C, B_RU, B_C, R, U, C, D_H }; /* inputs; from R on of the gradient */
enum { OUT_R, OUT_U, OUT_C, OUT_H };
enum { OUT_D_X, OUT_D_H_PREV, OUT_D_C_BAR, OUT_D_RU_BAR };

static weir_status check_inputs(weir_infer *infer)
{
    int64_t batch = weir_infer_dim(infer, X, 0), cells = weir_infer_dim(infer, H_PREV, 1);
    int64_t rows = weir_infer_dim(infer, X, 1) + cells;
    const struct {
        int rank;
        int64_t dims[2];
    } wanted[] = {{2, {batch, rows - cells}}, {2, {batch, cells}}, {2, {rows, 2 * cells}},
                  {2, {rows, cells}},         {1, {2 * cells}},    {1, {cells}}};
    for (int k = 0; k < infer->in_count; k++) {
        int w = k < R ? k : H_PREV;
        WEIR_TRY(weir_infer_rank(infer, k, wanted[w].rank));
        for (int axis = 0; axis < wanted[w].rank; axis++)
            if (infer->in[k]->dims[axis] != wanted[w].dims[axis])
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "%s.dim_size(%d) must be %" PRId64 ", not %" PRId64,
                                  infer->site->def->in[k].name, axis, wanted[w].dims[axis],
                                  infer->in[k]->dims[axis]);
    }
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, X, 2));
    WEIR_TRY(weir_infer_rank(infer, H_PREV, 2));
    if (weir_infer_running(infer))
        WEIR_TRY(check_inputs(infer));
    for (int k = 0; k < 4; k++)
        infer->out[k] =
            weir_shape_matrix(weir_infer_dim(infer, X, 0), weir_infer_dim(infer, H_PREV, 1));
    return WEIR_OK;
}

static weir_status grad_infer(weir_infer *inference)
{
    WEIR_TRY(weir_infer_rank(inference, W_RU, 2));
    WEIR_TRY(infer(inference));
    inference->out[OUT_D_X] = *inference->in[X];
    inference->out[OUT_D_RU_BAR].dims[1] = weir_infer_dim(inference, W_RU, 1);
    return WEIR_OK;
}

typedef struct gru {
    int64_t batch, inputs, cells, rows;
    float *first, *second; /* workspace: [batch, inputs + cells] each */
    float *gates;          /* workspace: [batch, 2 * cells] */
} gru;

static weir_status open_gru(weir_call *call, gru *cell, weir_tensor *workspace)
{
    const weir_shape *x = &weir_in(call, X)->shape;
    int64_t cells = weir_in(call, H_PREV)->shape.dims[1], rows = x->dims[1] + cells;
    weir_shape size = weir_shape_matrix(x->dims[0], 2 * rows + 2 * cells);
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &size, workspace));
    *cell = (gru){.batch = x->dims[0],
                  .inputs = x->dims[1],
                  .cells = cells,
                  .rows = rows,
                  .first = workspace->data};
    cell->second = cell->first + cell->batch * rows;
    cell->gates = cell->second + cell->batch * rows;
    return WEIR_OK;
}

/* r, u = sigmoid([x, h] w_ru + b_ru); the gated state is stored in h. */
static void gates(const gru *cell, const float *bias, const float *h_prev, float *r, float *u,
                  float *h)
{
    for (int64_t batch = 0; batch < cell->batch; batch++)
        for (int64_t c = 0; c < cell->cells; c++) {
            const float *g = cell->gates + batch * 2 * cell->cells + c;
            int64_t at = batch * cell->cells + c;
            r[at] = weir_recurrent_sigmoid(g[0] + bias[c]);
            u[at] = weir_recurrent_sigmoid(g[cell->cells] + bias[cell->cells + c]);
            h[at] = h_prev[at] * r[at];
        }
}

static weir_status cell(weir_call *call)
{
    const float *x = weir_in(call, X)->data, *h_prev = weir_in(call, H_PREV)->data;
    const float *b_c = weir_in(call, B_C)->data;
    float *u = weir_out(call, OUT_U)->data, *c = weir_out(call, OUT_C)->data;
    float *h = weir_out(call, OUT_H)->data;
    weir_tensor workspace;
    gru gru;
    WEIR_TRY(open_gru(call, &gru, &workspace));
    weir_recurrent_join(gru.batch, gru.inputs, x, gru.cells, h_prev, gru.first);
    weir_recurrent_multiply(call, WEIR_RECURRENT_PLAIN, gru.batch, 2 * gru.cells, gru.rows,
                            gru.first, weir_in(call, W_RU)->data, gru.gates);
    gates(&gru, weir_in(call, B_RU)->data, h_prev, weir_out(call, OUT_R)->data, u, h);
    weir_recurrent_join(gru.batch, gru.inputs, x, gru.cells, h, gru.second);
    weir_recurrent_multiply(call, WEIR_RECURRENT_PLAIN, gru.batch, gru.cells, gru.rows, gru.second,
                            weir_in(call, W_C)->data, c);
    for (int64_t at = 0; at < gru.batch * gru.cells; at++) {
        c[at] = tanhf(c[at] + b_c[at % gru.cells]);
        h[at] = u[at] * (h_prev[at] - c[at]) + c[at];
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

/* Gradients before the activations: of c and u, which depend on the state only. */
static void back_c_and_u(weir_call *call, const gru *cell, float *d_c, float *d_ru)
{
    const float *h_prev = weir_in(call, H_PREV)->data, *u = weir_in(call, U)->data;
    const float *c = weir_in(call, C)->data, *d_h = weir_in(call, D_H)->data;
    for (int64_t batch = 0; batch < cell->batch; batch++)
        for (int64_t k = 0; k < cell->cells; k++) {
            int64_t at = batch * cell->cells + k;
            d_c[at] = d_h[at] * (1 - u[at]) * (1 - c[at] * c[at]);
            d_ru[batch * 2 * cell->cells + cell->cells + k] =
                d_h[at] * (h_prev[at] - c[at]) * u[at] * (1 - u[at]);
        }
}

/* The gradient of r, from that of the gated state in |second|. */
static void back_r(weir_call *call, const gru *cell, float *d_ru)
{
    const float *h_prev = weir_in(call, H_PREV)->data, *r = weir_in(call, R)->data;
    for (int64_t batch = 0; batch < cell->batch; batch++)
        for (int64_t k = 0; k < cell->cells; k++) {
            int64_t at = batch * cell->cells + k;
            float d_hr = cell->second[batch * cell->rows + cell->inputs + k];
            d_ru[batch * 2 * cell->cells + k] = d_hr * h_prev[at] * r[at] * (1 - r[at]);
        }
}

static void gather(weir_call *call, const gru *cell)
{
    const float *r = weir_in(call, R)->data, *u = weir_in(call, U)->data;
    const float *d_h = weir_in(call, D_H)->data;
    float *d_x = weir_out(call, OUT_D_X)->data, *d_h_prev = weir_out(call, OUT_D_H_PREV)->data;
    for (int64_t batch = 0; batch < cell->batch; batch++) {
        const float *first = cell->first + batch * cell->rows,
                    *second = cell->second + batch * cell->rows;
        for (int64_t k = 0; k < cell->inputs; k++)
            d_x[batch * cell->inputs + k] = first[k] + second[k];
        for (int64_t k = 0; k < cell->cells; k++) {
            int64_t at = batch * cell->cells + k;
            d_h_prev[at] =
                first[cell->inputs + k] + second[cell->inputs + k] * r[at] + d_h[at] * u[at];
        }
    }
}

static weir_status cell_grad(weir_call *call)
{
    float *d_c = weir_out(call, OUT_D_C_BAR)->data, *d_ru = weir_out(call, OUT_D_RU_BAR)->data;
    weir_tensor workspace;
    gru cell;
    WEIR_TRY(open_gru(call, &cell, &workspace));
    back_c_and_u(call, &cell, d_c, d_ru);
    weir_recurrent_multiply(call, WEIR_RECURRENT_B_TURNED, cell.batch, cell.rows, cell.cells, d_c,
                            weir_in(call, W_C)->data, cell.second);
    back_r(call, &cell, d_ru);
    weir_recurrent_multiply(call, WEIR_RECURRENT_B_TURNED, cell.batch, cell.rows, 2 * cell.cells,
                            d_ru, weir_in(call, W_RU)->data, cell.first);
    gather(call, &cell);
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

/* [a, b]' d: what a product with [a, b] leaves for its weights. */
static weir_edge of_weights(weir_grad *grad, weir_edge a, weir_edge b, weir_edge d)
{
    weir_edge axis = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge joined =
        weir_grad_op(grad, "ConcatV2", WEIR_IN(a, b, axis), WEIR_ATTRS(weir_a_int("N", 2)));
    return weir_grad_op(grad, "MatMul", WEIR_IN(joined, d),
                        WEIR_ATTRS(weir_a_bool("transpose_a", true)));
}

/* The gradient of h alone, as in TensorFlow: r, u and c are kept for it and not used elsewhere. */
static weir_status block_grad(weir_grad *grad)
{
    weir_edge in[D_H + 1];
    for (int k = 0; k < R; k++)
        in[k] = weir_grad_x(grad, k);
    for (int k = OUT_R; k <= OUT_C; k++)
        in[R + k] = weir_grad_y(grad, k);
    in[D_H] = weir_grad_dy(grad, OUT_H);
    weir_node *node = weir_grad_node_add(grad, "GRUBlockCellGrad", in, D_H + 1, WEIR_NO_ATTRS);
    if (!node)
        return WEIR_OK;
    weir_edge d_c = {node, OUT_D_C_BAR}, d_ru = {node, OUT_D_RU_BAR};
    weir_grad_set(grad, X, (weir_edge){node, OUT_D_X});
    weir_grad_set(grad, H_PREV, (weir_edge){node, OUT_D_H_PREV});
    weir_grad_set(grad, W_RU, of_weights(grad, in[X], in[H_PREV], d_ru));
    weir_grad_set(grad, W_C, of_weights(grad, in[X], weir_grad_mul(grad, in[H_PREV], in[R]), d_c));
    weir_grad_set(grad, B_RU, weir_grad_op(grad, "BiasAddGrad", WEIR_IN(d_ru), WEIR_NO_ATTRS));
    weir_grad_set(grad, B_C, weir_grad_op(grad, "BiasAddGrad", WEIR_IN(d_c), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_gru_block_cell = {
    .name = "GRUBlockCell",
    .in = "x: T; h_prev: T; w_ru: T; w_c: T; b_ru: T; b_c: T",
    .out = "r: T; u: T; c: T; h: T",
    .attrs = "T: {float}",
    .infer = infer,
    .grad = block_grad,
    .kernels = {{WEIR_CPU, "*", cell}},
};

const weir_op weir_op_gru_block_cell_grad = {
    .name = "GRUBlockCellGrad",
    .in = "x: T; h_prev: T; w_ru: T; w_c: T; b_ru: T; b_c: T; r: T; u: T; c: T; d_h: T",
    .out = "d_x: T; d_h_prev: T; d_c_bar: T; d_r_bar_u_bar: T",
    .attrs = "T: {float}",
    .infer = grad_infer,
    .kernels = {{WEIR_CPU, "*", cell_grad}},
};
