/* nn/recurrent.c - sequences: embeddings and the long short-term memory cell. */
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

TF_Output weir_nn_embedding(const weir_net *n, TF_Output table, TF_Output ids)
{
    if (weir_nn_failed(n) || !table.oper) {
        weir_nn_fail(n, "An embedding needs a table");
        return (TF_Output){0};
    }
    return weir_trainer_gather(n->trainer, "embedding_lookup", table, ids);
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* The first dim of |x| as a scalar: a constant where it is known. */
static TF_Output batch_of(const weir_net *n, TF_Output x, int64_t known)
{
    weir_builder *b = weir_nn_builder(n);
    if (known >= 0)
        return weir_build_int32(b, "batch", (int32_t)known);
    TF_Output zero = weir_build_int32(b, "first", 0);
    return weir_gather_v2(b, "batch", weir_shape(b, "Shape", x, NULL), zero, zero, NULL);
}

TF_Output weir_nn_zero_state(const weir_net *n, TF_Output x, int64_t units)
{
    weir_builder *b = weir_nn_builder(n);
    int64_t dims[2];
    if (!weir_nn_dims(n, x, 2, dims))
        return (TF_Output){0};
    weir_build_push_scope(b, "zeros");
    TF_Output sides[] = {batch_of(n, x, dims[0]), weir_build_int32(b, "units", (int32_t)units)};
    TF_Output shape = weir_pack(b, "shape", sides, 2, NULL);
    TF_Output zeros = weir_fill(b, "zeros", shape, weir_build_float(b, "Const", 0));
    weir_build_pop_scope(b);
    return zeros;
}

weir_lstm weir_nn_lstm(const weir_net *n, const char *name, TF_Output x, int64_t units)
{
    weir_lstm cell = {.forget = 1};
    int64_t in[2];
    if (!weir_nn_dims(n, x, 2, in))
        return cell;
    if (in[1] < 1 || units < 1) {
        weir_nn_fail(n, "An LSTM cell needs inputs and units");
        return cell;
    }
    int64_t dims[] = {in[1] + units, 4 * units};
    weir_initial glorot = weir_nn_glorot(2, dims), zeros = {0};
    cell.w = weir_nn_part(n, name, "w", 2, dims, &glorot, false);
    cell.b = weir_nn_part(n, name, "b", 1, dims + 1, &zeros, false);
    cell.c = cell.h = weir_nn_zero_state(n, x, units);
    return cell;
}

/* What the four gates are made of, side by side. */
static weir_outputs gates(const weir_net *n, const weir_lstm *cell, TF_Output x)
{
    weir_builder *b = weir_nn_builder(n);
    TF_Output both = weir_nn_concat(n, (TF_Output[]){x, cell->h}, 2, 1);
    TF_Output product = weir_mat_mul(b, "MatMul", both, cell->w, NULL);
    TF_Output sum = weir_add_v2(b, "add", product, cell->b);
    return weir_split(b, "split", weir_build_int32(b, "split/split_dim", 1), sum, 4);
}

TF_Output weir_nn_lstm_step(const weir_net *n, weir_lstm *cell, TF_Output x)
{
    enum { INPUT, NEW, FORGET, OUTPUT };
    weir_builder *b = weir_nn_builder(n);
    weir_outputs gate = gates(n, cell, x);
    TF_Output bias = weir_build_float(b, "forget", (float)cell->forget);
    TF_Output forget = weir_add_v2(b, "add", weir_output_at(gate, FORGET), bias);
    TF_Output kept = weir_mul(b, "mul", cell->c, weir_sigmoid(b, "Sigmoid", forget));
    TF_Output in = weir_sigmoid(b, "Sigmoid", weir_output_at(gate, INPUT));
    TF_Output added = weir_mul(b, "mul", in, weir_tanh(b, "Tanh", weir_output_at(gate, NEW)));
    cell->c = weir_add_v2(b, "add", kept, added);
    TF_Output out = weir_sigmoid(b, "Sigmoid", weir_output_at(gate, OUTPUT));
    cell->h = weir_mul(b, "mul", weir_tanh(b, "Tanh", cell->c), out);
    return cell->h;
}
