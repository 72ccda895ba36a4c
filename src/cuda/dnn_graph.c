/* cuda/dnn_graph.c - tensors, operations and configurations of cuDNN's graphs.
 *
 * Tensors are described with channels second; the strides make them last in memory.
 */
#include "cuda/dnn_graph.h"

#include "math/elem.h"

enum { ALIGNMENT = 16 };

/* ---- descriptors ---- */

dnn_desc dnn_begin(dnn_graph *graph, int what)
{
    dnn_desc desc = NULL;
    if (graph->failed || graph->made_count == DNN_MOST_DESCS ||
        graph->fn->desc_create(what, &desc) != 0) {
        graph->failed = true;
        return NULL;
    }
    graph->made[graph->made_count++] = desc;
    return desc;
}

void dnn_set(dnn_graph *graph, dnn_desc desc, int attribute, int type, int64_t count,
             const void *values)
{
    graph->failed = graph->failed || graph->fn->desc_set(desc, attribute, type, count, values) != 0;
}

dnn_desc dnn_end(dnn_graph *graph, dnn_desc desc)
{
    graph->failed = graph->failed || graph->fn->desc_finish(desc) != 0;
    return desc;
}

void dnn_graph_free(dnn_graph *graph)
{
    while (graph->made_count)
        graph->fn->desc_destroy(graph->made[--graph->made_count]);
}

/* ---- tensors ---- */

static int type_of(int elem)
{
    return elem == WEIR_E_f64    ? DNN_F64
           : elem == WEIR_E_f16  ? DNN_F16
           : elem == WEIR_E_bf16 ? DNN_BF16
                                 : DNN_F32;
}

static int arithmetic_of(int elem)
{
    return elem == WEIR_E_f64 ? DNN_F64 : DNN_F32;
}

static dnn_desc add_tensor(dnn_graph *graph, int64_t id, int type, const int64_t dims[4],
                           const int64_t steps[4], bool is_virtual)
{
    int64_t alignment = ALIGNMENT;
    dnn_desc desc = dnn_begin(graph, DNN_TENSOR);
    dnn_set(graph, desc, DNN_TENSOR_TYPE, DNN_IS_TYPE, 1, &type);
    dnn_set(graph, desc, DNN_TENSOR_DIMS, DNN_IS_INT64, 4, dims);
    dnn_set(graph, desc, DNN_TENSOR_STEPS, DNN_IS_INT64, 4, steps);
    dnn_set(graph, desc, DNN_TENSOR_ID, DNN_IS_INT64, 1, &id);
    dnn_set(graph, desc, DNN_TENSOR_ALIGNMENT, DNN_IS_INT64, 1, &alignment);
    dnn_set(graph, desc, DNN_TENSOR_VIRTUAL, DNN_IS_BOOL, 1, &is_virtual);
    return dnn_end(graph, desc);
}

static dnn_desc add_images(dnn_graph *graph, int64_t id, int type, int64_t batch, int64_t channels,
                           const int64_t size[2], bool is_virtual)
{
    int64_t dims[] = {batch, channels, size[0], size[1]};
    int64_t steps[] = {size[0] * size[1] * channels, 1, size[1] * channels, channels};
    return add_tensor(graph, id, type, dims, steps, is_virtual);
}

static dnn_desc add_filter(dnn_graph *graph, const weir_gpu_convolution *c)
{
    int64_t dims[] = {c->out_c, c->filter_c, c->taps[0], c->taps[1]};
    int64_t steps[] = {c->taps[0] * c->taps[1] * c->filter_c, 1, c->taps[1] * c->filter_c,
                       c->filter_c};
    return add_tensor(graph, DNN_ID_W, type_of(c->elem), dims, steps, false);
}

/* ---- operations ---- */

static dnn_desc add_convolution(dnn_graph *graph, const weir_gpu_convolution *c)
{
    int arithmetic = arithmetic_of(c->elem), mode = DNN_CROSS_CORRELATION;
    int64_t dims = 2, behind[2];
    for (int d = 0; d < 2; d++) {
        int64_t window = (c->taps[d] - 1) * c->dilation[d] + 1;
        int64_t missing = (c->out[d] - 1) * c->stride[d] + window - c->in[d] - c->pad[d];
        behind[d] = missing > 0 ? missing : 0;
    }
    dnn_desc desc = dnn_begin(graph, DNN_CONVOLUTION);
    dnn_set(graph, desc, DNN_CONV_ARITHMETIC, DNN_IS_TYPE, 1, &arithmetic);
    dnn_set(graph, desc, DNN_CONV_MODE, DNN_IS_CONV_MODE, 1, &mode);
    dnn_set(graph, desc, DNN_CONV_DILATIONS, DNN_IS_INT64, 2, c->dilation);
    dnn_set(graph, desc, DNN_CONV_STRIDES, DNN_IS_INT64, 2, c->stride);
    dnn_set(graph, desc, DNN_CONV_PAD_BEHIND, DNN_IS_INT64, 2, behind);
    dnn_set(graph, desc, DNN_CONV_PAD_BEFORE, DNN_IS_INT64, 2, c->pad);
    dnn_set(graph, desc, DNN_CONV_DIMS, DNN_IS_INT64, 1, &dims);
    return dnn_end(graph, desc);
}

static dnn_desc add_pass(dnn_graph *graph, const weir_gpu_convolution *c, dnn_desc y)
{
    static const struct {
        int what, first;
    } passes[] = {[WEIR_GPU_FORWARD] = {DNN_FORWARD, DNN_FORWARD_FIRST},
                  [WEIR_GPU_GRAD_X] = {DNN_GRAD_X, DNN_GRAD_X_FIRST},
                  [WEIR_GPU_GRAD_W] = {DNN_GRAD_W, DNN_GRAD_W_FIRST}};
    double wide[] = {1, 0};
    float narrow[] = {1, 0};
    bool is_wide = c->elem == WEIR_E_f64;
    int number = is_wide ? DNN_IS_DOUBLE : DNN_IS_FLOAT, first = passes[c->pass].first;
    dnn_desc parts[] = {
        add_convolution(graph, c), add_filter(graph, c),
        add_images(graph, DNN_ID_X, type_of(c->elem), c->batch, c->channels, c->in, false), y};
    dnn_desc desc = dnn_begin(graph, passes[c->pass].what);
    for (int i = 0; i < 2; i++)
        dnn_set(graph, desc, first + i, number, 1,
                is_wide ? (const void *)&wide[i] : (const void *)&narrow[i]);
    for (int i = 0; i < 4; i++)
        dnn_set(graph, desc, first + 2 + i, DNN_IS_DESC, 1, &parts[i]);
    return dnn_end(graph, desc);
}

/* y = x + other, or a function of x when |other| is null. */
static dnn_desc add_pointwise(dnn_graph *graph, int mode, int arithmetic, dnn_desc x,
                              dnn_desc other, dnn_desc y)
{
    dnn_desc function = dnn_begin(graph, DNN_POINTWISE);
    dnn_set(graph, function, DNN_POINTWISE_MODE, DNN_IS_POINTWISE, 1, &mode);
    dnn_set(graph, function, DNN_POINTWISE_ARITHMETIC, DNN_IS_TYPE, 1, &arithmetic);
    dnn_end(graph, function);
    dnn_desc desc = dnn_begin(graph, DNN_POINTWISE_OP);
    dnn_set(graph, desc, DNN_OP_POINTWISE, DNN_IS_DESC, 1, &function);
    dnn_set(graph, desc, DNN_OP_POINTWISE + 1, DNN_IS_DESC, 1, &x);
    if (other)
        dnn_set(graph, desc, DNN_OP_POINTWISE + 2, DNN_IS_DESC, 1, &other);
    dnn_set(graph, desc, DNN_OP_POINTWISE + 3, DNN_IS_DESC, 1, &y);
    return dnn_end(graph, desc);
}

static int add_operations(dnn_graph *graph, const weir_gpu_convolution *c, dnn_desc ops[3])
{
    int type = type_of(c->elem), arithmetic = arithmetic_of(c->elem), count = 0;
    int64_t dims[] = {1, c->out_c, 1, 1}, steps[] = {c->out_c, 1, c->out_c, c->out_c};
    dnn_desc y = add_images(graph, DNN_ID_Y, type, c->batch, c->out_c, c->out, false);
    if (!c->bias) {
        ops[count++] = add_pass(graph, c, y);
        return count;
    }
    dnn_desc sum = add_images(graph, DNN_ID_SUM, arithmetic, c->batch, c->out_c, c->out, true);
    dnn_desc bias = add_tensor(graph, DNN_ID_BIAS, type, dims, steps, false);
    dnn_desc before =
        c->relu ? add_images(graph, DNN_ID_RELU, arithmetic, c->batch, c->out_c, c->out, true) : y;
    ops[count++] = add_pass(graph, c, sum);
    ops[count++] = add_pointwise(graph, DNN_ADD, arithmetic, sum, bias, before);
    if (c->relu)
        ops[count++] = add_pointwise(graph, DNN_RELU, arithmetic, before, NULL, y);
    return count;
}

/* ---- configurations ---- */

static void find_configs(dnn_graph *graph, dnn_desc operations, dnn_desc device, int mode)
{
    dnn_desc found[DNN_MOST_WAYS];
    int64_t count = 0;
    dnn_desc desc = dnn_begin(graph, DNN_HEURISTIC);
    dnn_set(graph, desc, DNN_HEURISTIC_GRAPH, DNN_IS_DESC, 1, &operations);
    dnn_set(graph, desc, DNN_HEURISTIC_MODE, DNN_IS_HEURISTIC, 1, &mode);
    if (device)
        dnn_set(graph, desc, DNN_HEURISTIC_DEVICE, DNN_IS_DESC, 1, &device);
    dnn_end(graph, desc);
    for (int i = 0; i < DNN_MOST_WAYS; i++)
        found[i] = dnn_begin(graph, DNN_CONFIG);
    if (graph->failed || graph->fn->desc_get(desc, DNN_HEURISTIC_RESULTS, DNN_IS_DESC,
                                             DNN_MOST_WAYS, &count, found) != 0)
        return;
    for (int i = 0; i < count && i < DNN_MOST_WAYS; i++)
        graph->configs[graph->config_count++] = found[i];
}

bool dnn_graph_make(dnn_graph *graph, const weir_gpu_convolution *convolution, dnn_handle handle,
                    dnn_desc device)
{
    dnn_desc ops[3];
    int count = add_operations(graph, convolution, ops);
    dnn_desc desc = dnn_begin(graph, DNN_GRAPH);
    dnn_set(graph, desc, DNN_GRAPH_OPS, DNN_IS_DESC, count, ops);
    if (handle)
        dnn_set(graph, desc, DNN_GRAPH_HANDLE, DNN_IS_HANDLE, 1, &handle);
    dnn_end(graph, desc);
    find_configs(graph, desc, device, DNN_BY_DEFAULT);
    if (!graph->failed && !graph->config_count)
        find_configs(graph, desc, device, DNN_BY_FALLBACK);
    return !graph->failed && graph->config_count;
}
