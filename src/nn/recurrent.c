/* nn/recurrent.c - sequences: embeddings and the long short-term memory cell. */
#include "nn/nn_impl.h"

TF_Output weir_nn_embedding(const weir_net *n, TF_Output table, TF_Output ids)
{
    weir_builder *b = weir_nn_builder(n);
    if (weir_nn_failed(n) || !table.oper) {
        weir_nn_fail(n, "An embedding needs a table");
        return (TF_Output){0};
    }
    weir_build_push_device(b, TF_OperationDevice(table.oper));
    TF_Output axis = weir_build_int32(b, "embedding_lookup/axis", 0);
    TF_Output rows =
        weir_build_op(b, "GatherV2", "embedding_lookup", WEIR_INPUTS(table, ids, axis));
    weir_build_pop_device(b);
    return rows;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* The first dim of |x| as a scalar: a constant where it is known. */
static TF_Output batch_of(const weir_net *n, TF_Output x, int64_t known)
{
    weir_builder *b = weir_nn_builder(n);
    if (known >= 0)
        return weir_build_int32(b, "batch", (int32_t)known);
    TF_Output shape = weir_build_op(b, "Shape", "Shape", &x, 1);
    TF_Output first = weir_build_int32(b, "first", 0), axis = weir_build_int32(b, "axis", 0);
    return weir_build_op(b, "GatherV2", "batch", WEIR_INPUTS(shape, first, axis));
}

TF_Output weir_nn_zero_state(const weir_net *n, TF_Output x, int64_t units)
{
    weir_builder *b = weir_nn_builder(n);
    int64_t dims[2];
    if (!weir_nn_dims(n, x, 2, dims))
        return (TF_Output){0};
    weir_build_push_scope(b, "zeros");
    TF_Output sides[] = {batch_of(n, x, dims[0]), weir_build_int32(b, "units", (int32_t)units)};
    TF_OperationDescription *d = weir_build_begin(b, "Pack", "shape");
    if (d)
        TF_AddInputList(d, sides, 2);
    TF_Output shape = weir_build_end(b, d), zero = weir_build_float(b, "Const", 0);
    TF_Output zeros = weir_build_op(b, "Fill", "zeros", WEIR_INPUTS(shape, zero));
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

/* What the four gates are made of, side by side in |out|. */
static void gates(const weir_net *n, const weir_lstm *cell, TF_Output x, TF_Output *out)
{
    weir_builder *b = weir_nn_builder(n);
    TF_Output both = weir_nn_concat(n, (TF_Output[]){x, cell->h}, 2, 1);
    TF_Output product = weir_build_op(b, "MatMul", "MatMul", WEIR_INPUTS(both, cell->w));
    TF_Output sum = weir_build_op(b, "AddV2", "add", WEIR_INPUTS(product, cell->b));
    TF_Output axis = weir_build_int32(b, "split/split_dim", 1);
    TF_OperationDescription *d = weir_build_begin(b, "Split", "split");
    if (d) {
        TF_AddInput(d, axis);
        TF_AddInput(d, sum);
        TF_SetAttrInt(d, "num_split", 4);
    }
    TF_Output split = weir_build_end(b, d);
    for (int i = 0; i < 4; i++)
        out[i] = (TF_Output){split.oper, i};
}

TF_Output weir_nn_lstm_step(const weir_net *n, weir_lstm *cell, TF_Output x)
{
    enum { INPUT, NEW, FORGET, OUTPUT };
    weir_builder *b = weir_nn_builder(n);
    TF_Output gate[4];
    gates(n, cell, x, gate);
    TF_Output forget = weir_build_float(b, "forget", (float)cell->forget);
    TF_Output moved = weir_build_op(b, "AddV2", "add", WEIR_INPUTS(gate[FORGET], forget));
    TF_Output keep = weir_nn_activate(n, moved, WEIR_NN_SIGMOID);
    TF_Output kept = weir_build_op(b, "Mul", "mul", WEIR_INPUTS(cell->c, keep));
    TF_Output in = weir_nn_activate(n, gate[INPUT], WEIR_NN_SIGMOID);
    TF_Output what = weir_nn_activate(n, gate[NEW], WEIR_NN_TANH);
    TF_Output added = weir_build_op(b, "Mul", "mul", WEIR_INPUTS(in, what));
    cell->c = weir_build_op(b, "AddV2", "add", WEIR_INPUTS(kept, added));
    TF_Output shown = weir_nn_activate(n, cell->c, WEIR_NN_TANH);
    TF_Output out = weir_nn_activate(n, gate[OUTPUT], WEIR_NN_SIGMOID);
    cell->h = weir_build_op(b, "Mul", "mul", WEIR_INPUTS(shown, out));
    return cell->h;
}
