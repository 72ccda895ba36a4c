/* nn/conv.c - layers over images: convolution, pooling, local responses. */
#include "nn/nn_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

enum { DIMS = 4 };

static const char *name_of(weir_padding padding)
{
    return padding == WEIR_NN_VALID ? "VALID" : "SAME";
}

TF_Output weir_nn_conv(const weir_net *n, TF_Output x, const weir_nn_conv_options *o)
{
    int64_t in[DIMS];
    if (!weir_nn_dims(n, x, DIMS, in))
        return (TF_Output){0};
    if (in[3] < 1 || o->filters < 1 || o->size < 1) {
        weir_nn_fail(n, "A convolution needs channels, filters and a window");
        return (TF_Output){0};
    }
    int64_t dims[] = {o->size, o->width ? o->width : o->size, in[3], o->filters};
    int64_t stride = o->stride ? o->stride : 1, strides[] = {1, stride, stride, 1};
    weir_initial glorot = weir_nn_glorot(DIMS, dims);
    TF_Output w = weir_nn_part(n, o->name, "w", DIMS, dims, o->w ? o->w : &glorot, false);
    if (weir_nn_failed(n))
        return w;
    weir_build_push_scope(weir_nn_builder(n), o->name);
    TF_Output y =
        weir_conv2d(weir_nn_builder(n), "Conv2D", x, w, strides, DIMS, name_of(o->padding), NULL);
    weir_build_pop_scope(weir_nn_builder(n));
    return weir_nn_finish(n, y, o->name, o->filters, o->b, o->no_bias, o->activation);
}

TF_Output weir_nn_max_pool(const weir_net *n, TF_Output x, int size, int stride,
                           weir_padding padding)
{
    int64_t window[] = {1, size, size, 1}, strides[] = {1, stride, stride, 1};
    return weir_max_pool(weir_nn_builder(n), "MaxPool", x, window, DIMS, strides, DIMS,
                         name_of(padding), NULL);
}

TF_Output weir_nn_avg_pool(const weir_net *n, TF_Output x, int size, int stride,
                           weir_padding padding)
{
    int64_t window[] = {1, size, size, 1}, strides[] = {1, stride, stride, 1};
    return weir_avg_pool(weir_nn_builder(n), "AvgPool", x, window, DIMS, strides, DIMS,
                         name_of(padding), NULL);
}

TF_Output weir_nn_mean_pool(const weir_net *n, TF_Output x)
{
    TF_Output axes = weir_nn_ints(n, "Mean/axes", (int32_t[]){1, 2}, 2);
    return weir_mean(weir_nn_builder(n), "Mean", x, axes, NULL);
}

/* The op's options say 0 in words of their own. */
static float or_zero(float number)
{
    return number != 0 ? number : (float)WEIR_ZERO;
}

TF_Output weir_nn_lrn(const weir_net *n, TF_Output x, const weir_nn_lrn_options *o)
{
    bool usual = !o->radius && o->bias == 0 && o->alpha == 0 && o->beta == 0;
    weir_lrn_options numbers = {.depth_radius = o->radius ? o->radius : WEIR_ZERO,
                                .bias = or_zero(o->bias),
                                .alpha = or_zero(o->alpha),
                                .beta = or_zero(o->beta)};
    return weir_lrn(weir_nn_builder(n), "LRN", x, usual ? NULL : &numbers);
}
