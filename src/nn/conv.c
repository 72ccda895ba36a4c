/* nn/conv.c - layers over images: convolution, pooling, local response normalisation. */
#include "nn/nn_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

enum { DIMS = 4 };

static const char *name_of(weir_padding padding)
{
    return padding == WEIR_NN_VALID ? "VALID" : "SAME";
}

TF_Output weir_nn_conv(const weir_net *net, TF_Output x, const weir_nn_conv_options *options)
{
    int64_t in[DIMS];
    if (!weir_nn_dims(net, x, DIMS, in))
        return (TF_Output){0};
    if (in[3] < 1 || options->filters < 1 || options->size < 1) {
        weir_nn_fail(net, "A convolution needs channels, filters and a window");
        return (TF_Output){0};
    }
    int64_t dims[] = {options->size, options->width ? options->width : options->size, in[3],
                      options->filters};
    int64_t stride = options->stride ? options->stride : 1, strides[] = {1, stride, stride, 1};
    weir_initial glorot = weir_nn_glorot(DIMS, dims);
    TF_Output w =
        weir_nn_part(net, options->name, "w", DIMS, dims, options->w ? options->w : &glorot, false);
    if (weir_nn_failed(net))
        return w;
    weir_build_push_scope(weir_nn_builder(net), options->name);
    TF_Output y = weir_conv2d(weir_nn_builder(net), "Conv2D", x, w, strides, DIMS,
                              name_of(options->padding), NULL);
    weir_build_pop_scope(weir_nn_builder(net));
    return weir_nn_finish(net, y, options->name, options->filters, options->b, options->no_bias,
                          options->activation);
}

TF_Output weir_nn_max_pool(const weir_net *net, TF_Output x, int size, int stride,
                           weir_padding padding)
{
    int64_t window[] = {1, size, size, 1}, strides[] = {1, stride, stride, 1};
    return weir_max_pool(weir_nn_builder(net), "MaxPool", x, window, DIMS, strides, DIMS,
                         name_of(padding), NULL);
}

TF_Output weir_nn_avg_pool(const weir_net *net, TF_Output x, int size, int stride,
                           weir_padding padding)
{
    int64_t window[] = {1, size, size, 1}, strides[] = {1, stride, stride, 1};
    return weir_avg_pool(weir_nn_builder(net), "AvgPool", x, window, DIMS, strides, DIMS,
                         name_of(padding), NULL);
}

TF_Output weir_nn_mean_pool(const weir_net *net, TF_Output x)
{
    TF_Output axes = weir_nn_ints(net, "Mean/axes", (int32_t[]){1, 2}, 2);
    return weir_mean(weir_nn_builder(net), "Mean", x, axes, NULL);
}

/* In the op's options 0 is encoded as WEIR_ZERO. */
static float or_zero(float number)
{
    return number != 0 ? number : (float)WEIR_ZERO;
}

TF_Output weir_nn_lrn(const weir_net *net, TF_Output x, const weir_nn_lrn_options *options)
{
    bool usual =
        !options->radius && options->bias == 0 && options->alpha == 0 && options->beta == 0;
    weir_lrn_options numbers = {.depth_radius = options->radius ? options->radius : WEIR_ZERO,
                                .bias = or_zero(options->bias),
                                .alpha = or_zero(options->alpha),
                                .beta = or_zero(options->beta)};
    return weir_lrn(weir_nn_builder(net), "LRN", x, usual ? NULL : &numbers);
}
