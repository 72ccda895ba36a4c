/* nn/conv.c - layers over images: convolution and pooling. */
#include <string.h>

#include "nn/nn_impl.h"

static const char *padding_name(weir_padding padding)
{
    return padding == WEIR_NN_VALID ? "VALID" : "SAME";
}

/* A node that slides a window over images; |ksize| null: the window is an input. */
static TF_Output slide(const weir_net *n, const char *op, const TF_Output *in, int in_count,
                       const int64_t *ksize, int stride, weir_padding padding)
{
    for (int i = 0; i < in_count; i++)
        if (!in[i].oper)
            weir_nn_fail(n, "An input of a layer is empty");
    int64_t strides[] = {1, stride, stride, 1};
    const char *name = padding_name(padding);
    TF_OperationDescription *d = weir_build_begin(weir_nn_builder(n), op, op);
    for (int i = 0; d && i < in_count; i++)
        TF_AddInput(d, in[i]);
    if (d) {
        TF_SetAttrIntList(d, "strides", strides, 4);
        TF_SetAttrString(d, "padding", name, strlen(name));
        if (ksize)
            TF_SetAttrIntList(d, "ksize", ksize, 4);
    }
    return weir_build_end(weir_nn_builder(n), d);
}

TF_Output weir_nn_conv(const weir_net *n, TF_Output x, const weir_conv_options *o)
{
    int64_t in[4];
    if (!weir_nn_dims(n, x, 4, in))
        return (TF_Output){0};
    if (in[3] < 1 || o->filters < 1 || o->size < 1) {
        weir_nn_fail(n, "A convolution needs channels, filters and a window");
        return (TF_Output){0};
    }
    int64_t dims[] = {o->size, o->width ? o->width : o->size, in[3], o->filters};
    weir_initial glorot = weir_nn_glorot(4, dims);
    TF_Output w = weir_nn_part(n, o->name, "w", 4, dims, o->w ? o->w : &glorot, false);
    if (weir_nn_failed(n))
        return w;
    weir_build_push_scope(weir_nn_builder(n), o->name);
    TF_Output y =
        slide(n, "Conv2D", (TF_Output[]){x, w}, 2, NULL, o->stride ? o->stride : 1, o->padding);
    weir_build_pop_scope(weir_nn_builder(n));
    return weir_nn_finish(n, y, o->name, o->filters, o->b, o->no_bias, o->activation);
}

static TF_Output pool(const weir_net *n, const char *op, TF_Output x, int size, int stride,
                      weir_padding padding)
{
    int64_t ksize[] = {1, size, size, 1};
    return slide(n, op, &x, 1, ksize, stride, padding);
}

TF_Output weir_nn_max_pool(const weir_net *n, TF_Output x, int size, int stride,
                           weir_padding padding)
{
    return pool(n, "MaxPool", x, size, stride, padding);
}

TF_Output weir_nn_avg_pool(const weir_net *n, TF_Output x, int size, int stride,
                           weir_padding padding)
{
    return pool(n, "AvgPool", x, size, stride, padding);
}

TF_Output weir_nn_mean_pool(const weir_net *n, TF_Output x)
{
    TF_Output axes = weir_nn_ints(n, "Mean/axes", (int32_t[]){1, 2}, 2);
    return weir_nn_reduce(n, "Mean", "Mean", x, axes);
}

TF_Output weir_nn_lrn(const weir_net *n, TF_Output x, const weir_lrn_options *o)
{
    if (!x.oper)
        weir_nn_fail(n, "An input of a layer is empty");
    bool usual = !o->radius && o->bias == 0 && o->alpha == 0 && o->beta == 0;
    TF_OperationDescription *d = weir_build_begin(weir_nn_builder(n), "LRN", "LRN");
    if (d)
        TF_AddInput(d, x);
    if (d && !usual) {
        TF_SetAttrInt(d, "depth_radius", o->radius);
        TF_SetAttrFloat(d, "bias", o->bias);
        TF_SetAttrFloat(d, "alpha", o->alpha);
        TF_SetAttrFloat(d, "beta", o->beta);
    }
    return weir_build_end(weir_nn_builder(n), d);
}
