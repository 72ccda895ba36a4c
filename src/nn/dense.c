/* nn/dense.c - layers over [batch, features], and flattening. */
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/nn.h"

TF_Output weir_nn_flatten(const weir_net *net, TF_Output x)
{
    enum { LARGEST = 8 };
    int64_t dims[LARGEST], features = 1;
    TF_Status *status = TF_NewStatus();
    TF_Graph *graph = weir_build_graph(weir_nn_builder(net));
    int rank = weir_nn_failed(net) ? -1 : TF_GraphGetTensorNumDims(graph, x, status);
    TF_DeleteStatus(status);
    if (rank < 1 || rank > LARGEST) {
        weir_nn_fail(net, "Only what has 1 to 8 dims can be flattened");
        return (TF_Output){0};
    }
    if (!weir_nn_dims(net, x, rank, dims))
        return (TF_Output){0};
    for (int i = 1; i < rank; i++) {
        if (dims[i] < 0 || features * dims[i] > INT32_MAX) {
            weir_nn_fail(net, "Only the first dim of what is flattened may be open");
            return (TF_Output){0};
        }
        features *= dims[i];
    }
    TF_Output shape = weir_nn_ints(net, "Reshape/shape", (int32_t[]){-1, (int32_t)features}, 2);
    return weir_reshape(weir_nn_builder(net), "Reshape", x, shape);
}

TF_Output weir_nn_dense(const weir_net *net, TF_Output x, const weir_nn_dense_options *options)
{
    int64_t in[2];
    if (!weir_nn_dims(net, x, 2, in))
        return (TF_Output){0};
    if (in[1] < 1 || options->units < 1) {
        weir_nn_fail(net, "A dense layer needs features and units");
        return (TF_Output){0};
    }
    int64_t dims[] = {in[1], options->units};
    weir_initial glorot = weir_nn_glorot(2, dims);
    TF_Output w =
        weir_nn_part(net, options->name, "w", 2, dims, options->w ? options->w : &glorot, false);
    if (weir_nn_failed(net))
        return w;
    weir_build_push_scope(weir_nn_builder(net), options->name);
    TF_Output y = weir_mat_mul(weir_nn_builder(net), "MatMul", x, w, NULL);
    weir_build_pop_scope(weir_nn_builder(net));
    return weir_nn_finish(net, y, options->name, options->units, options->b, options->no_bias,
                          options->activation);
}
