/* nn/nn.c - shared by the layers: variables by name, shapes, activations. */
#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/nn.h"

weir_builder *weir_nn_builder(const weir_net *net)
{
    return weir_trainer_builder(net->trainer);
}

bool weir_nn_failed(const weir_net *net)
{
    return TF_GetCode(weir_build_status(weir_nn_builder(net))) != TF_OK;
}

void weir_nn_fail(const weir_net *net, const char *message)
{
    weir_build_fail(weir_nn_builder(net), TF_INVALID_ARGUMENT, message);
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Names of the nodes with a variable's value: unpartitioned, then partitioned. */
static const char *const value_nodes[] = {"read", "ConcatPartitions/concat"};

static TF_Operation *find_value(const weir_net *net, const char *variable)
{
    TF_Graph *graph = weir_build_graph(weir_nn_builder(net));
    TF_Operation *found = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        WEIR_BUF(name);
        weir_buf_addf(&name, "%s/%s", variable, value_nodes[i]);
        found = TF_GraphOperationByName(graph, name.at);
    }
    return found;
}

TF_Output weir_nn_variable(const weir_net *net, const weir_variable_options *options)
{
    TF_Operation *there = options->name ? find_value(net, options->name) : NULL;
    if (there)
        return (TF_Output){there, 0};
    weir_variable_options own = *options;
    if (own.initial.seed)
        own.initial.seed += net->seed;
    return weir_trainer_variable(net->trainer, &own);
}

TF_Output weir_nn_part(const weir_net *net, const char *layer, const char *what, int rank,
                       const int64_t *dims, const weir_initial *initial, bool not_trained)
{
    if (!layer || !*layer) {
        weir_nn_fail(net, "A layer that keeps variables needs a name");
        return (TF_Output){0};
    }
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/%s", layer, what);
    return weir_nn_variable(net, &(weir_variable_options){.name = name.at,
                                                          .rank = rank,
                                                          .dims = dims,
                                                          .initial = *initial,
                                                          .not_trained = not_trained});
}

weir_initial weir_nn_glorot(int rank, const int64_t *dims)
{
    double window = 1;
    for (int i = 0; i < rank - 2; i++)
        window *= (double)dims[i];
    double limit = sqrt(6 / (window * (double)(dims[rank - 2] + dims[rank - 1])));
    return (weir_initial){WEIR_UNIFORM, .a = -limit, .b = limit};
}

/* ---- shapes --------------------------------------------------------------------------------- */

bool weir_nn_dims(const weir_net *net, TF_Output x, int rank, int64_t *dims)
{
    if (weir_nn_failed(net) || !x.oper) {
        weir_nn_fail(net, "An input of a layer is empty");
        return false;
    }
    TF_Graph *graph = weir_build_graph(weir_nn_builder(net));
    TF_Status *status = TF_NewStatus();
    int have = TF_GraphGetTensorNumDims(graph, x, status);
    if (have == rank)
        TF_GraphGetTensorShape(graph, x, dims, rank, status);
    TF_DeleteStatus(status);
    if (have == rank)
        return true;
    char message[160];
    snprintf(message, sizeof message, "A layer wants %d dims, but '%.80s' has %d", rank,
             TF_OperationName(x.oper), have);
    weir_nn_fail(net, message);
    return false;
}

TF_Output weir_nn_ints(const weir_net *net, const char *name, const int32_t *values, int count)
{
    int64_t dim = count;
    return weir_build_const(weir_nn_builder(net), name, TF_INT32, 1, &dim, values);
}

/* ---- small nodes ---------------------------------------------------------------------------- */

weir_nn_seeds weir_nn_seeds_of(const weir_net *net, int64_t seed)
{
    enum { DEFAULT_GRAPH_SEED = 87654321 }; /* TensorFlow's, when only an op has a seed */
    return seed ? (weir_nn_seeds){DEFAULT_GRAPH_SEED, seed + net->seed} : (weir_nn_seeds){0};
}

TF_Output weir_nn_concat(const weir_net *net, const TF_Output *parts, int count, int axis)
{
    weir_builder *builder = weir_nn_builder(net);
    return weir_concat_v2(builder, "concat", parts, count,
                          weir_build_int32(builder, "concat/axis", axis));
}

TF_Output weir_nn_activate(const weir_net *net, TF_Output x, weir_activation activation)
{
    static const char *const ops[] = {
        [WEIR_NN_RELU] = "Relu",
        [WEIR_NN_TANH] = "Tanh",
        [WEIR_NN_SIGMOID] = "Sigmoid",
        [WEIR_NN_SOFTPLUS] = "Softplus",
    };
    if (activation == WEIR_NN_LINEAR)
        return x;
    if ((size_t)activation >= sizeof ops / sizeof *ops) {
        weir_nn_fail(net, "There is no such activation");
        return (TF_Output){0};
    }
    return weir_build_op(weir_nn_builder(net), ops[activation], ops[activation], &x, 1);
}

TF_Output weir_nn_finish(const weir_net *net, TF_Output x, const char *layer, int64_t units,
                         const weir_initial *initial, bool no_bias, weir_activation activation)
{
    weir_builder *builder = weir_nn_builder(net);
    weir_initial zeros = {0};
    TF_Output bias = {0};
    if (!no_bias)
        bias = weir_nn_part(net, layer, "b", 1, &units, initial ? initial : &zeros, false);
    if (weir_nn_failed(net))
        return bias;
    weir_build_push_scope(builder, layer); /* after the variable, whose name is complete */
    if (!no_bias)
        x = weir_bias_add(builder, "BiasAdd", x, bias, NULL);
    x = weir_nn_activate(net, x, activation);
    weir_build_pop_scope(builder);
    return x;
}
