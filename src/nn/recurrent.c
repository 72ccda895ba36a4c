/* nn/recurrent.c - sequences: embeddings and the LSTM cell. */
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

TF_Output weir_nn_embedding(const weir_net *net, TF_Output table, TF_Output ids)
{
    if (weir_nn_failed(net) || !table.oper) {
        weir_nn_fail(net, "An embedding needs a table");
        return (TF_Output){0};
    }
    return weir_trainer_gather(net->trainer, "embedding_lookup", table, ids);
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* The first dim of |x| as a scalar: a constant if known. */
static TF_Output batch_of(const weir_net *net, TF_Output x, int64_t known)
{
    weir_builder *builder = weir_nn_builder(net);
    if (known >= 0)
        return weir_build_int32(builder, "batch", (int32_t)known);
    TF_Output zero = weir_build_int32(builder, "first", 0);
    return weir_gather_v2(builder, "batch", weir_shape(builder, "Shape", x, NULL), zero, zero,
                          NULL);
}

TF_Output weir_nn_zero_state(const weir_net *net, TF_Output x, int64_t units)
{
    weir_builder *builder = weir_nn_builder(net);
    int64_t dims[2];
    if (!weir_nn_dims(net, x, 2, dims))
        return (TF_Output){0};
    weir_build_push_scope(builder, "zeros");
    TF_Output sides[] = {batch_of(net, x, dims[0]),
                         weir_build_int32(builder, "units", (int32_t)units)};
    TF_Output shape = weir_pack(builder, "shape", sides, 2, NULL);
    TF_Output zeros = weir_fill(builder, "zeros", shape, weir_build_float(builder, "Const", 0));
    weir_build_pop_scope(builder);
    return zeros;
}

weir_lstm weir_nn_lstm(const weir_net *net, const char *name, TF_Output x, int64_t units)
{
    weir_lstm cell = {.forget = 1};
    int64_t in[2];
    if (!weir_nn_dims(net, x, 2, in))
        return cell;
    if (in[1] < 1 || units < 1) {
        weir_nn_fail(net, "An LSTM cell needs inputs and units");
        return cell;
    }
    int64_t dims[] = {in[1] + units, 4 * units};
    weir_initial glorot = weir_nn_glorot(2, dims), zeros = {0};
    cell.w = weir_nn_part(net, name, "w", 2, dims, &glorot, false);
    cell.b = weir_nn_part(net, name, "b", 1, dims + 1, &zeros, false);
    cell.c = cell.h = weir_nn_zero_state(net, x, units);
    return cell;
}

/* The pre-activations of the four gates. */
static weir_outputs gates(const weir_net *net, const weir_lstm *cell, TF_Output x)
{
    weir_builder *builder = weir_nn_builder(net);
    TF_Output both = weir_nn_concat(net, (TF_Output[]){x, cell->h}, 2, 1);
    TF_Output product = weir_mat_mul(builder, "MatMul", both, cell->w, NULL);
    TF_Output sum = weir_add_v2(builder, "add", product, cell->b);
    return weir_split(builder, "split", weir_build_int32(builder, "split/split_dim", 1), sum, 4);
}

TF_Output weir_nn_lstm_step(const weir_net *net, weir_lstm *cell, TF_Output x)
{
    enum { INPUT, NEW, FORGET, OUTPUT };
    weir_builder *builder = weir_nn_builder(net);
    weir_outputs gate = gates(net, cell, x);
    TF_Output bias = weir_build_float(builder, "forget", (float)cell->forget);
    TF_Output forget = weir_add_v2(builder, "add", weir_output_at(gate, FORGET), bias);
    TF_Output kept = weir_mul(builder, "mul", cell->c, weir_sigmoid(builder, "Sigmoid", forget));
    TF_Output in = weir_sigmoid(builder, "Sigmoid", weir_output_at(gate, INPUT));
    TF_Output added =
        weir_mul(builder, "mul", in, weir_tanh(builder, "Tanh", weir_output_at(gate, NEW)));
    cell->c = weir_add_v2(builder, "add", kept, added);
    TF_Output out = weir_sigmoid(builder, "Sigmoid", weir_output_at(gate, OUTPUT));
    cell->h = weir_mul(builder, "mul", weir_tanh(builder, "Tanh", cell->c), out);
    return cell->h;
}
