/* ops/nn/data_format.c - DataFormatDimMap and DataFormatVecPermute: conversion between layouts of
 * an image's dimensions. */
#include <inttypes.h>

#include "op/op.h"

enum { T, SRC_FORMAT, DST_FORMAT };

#define ATTRS                                                                                      \
    "T: {int32, int64} = DT_INT32; src_format: string = \"NHWC\"; dst_format: string = \"NCHW\""

/* The index in |src| of each letter of |dst|. */
static weir_status read_formats(const weir_site *site, int *out_rank, int from[8])
{
    weir_str src = weir_site_str(site, SRC_FORMAT), dst = weir_site_str(site, DST_FORMAT);
    if (src.length != dst.length || src.length < 4 || src.length > 5)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Source and destination formats must be of the same length 4 or 5, got "
                          "%.*s and %.*s",
                          WEIR_STR_ARG(src), WEIR_STR_ARG(dst));
    for (size_t d = 0; d < dst.length; d++) {
        const char *at = memchr(src.at, dst.at[d], src.length);
        if (!at || memchr(dst.at, dst.at[d], d))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Destination format is not a permutation of the source format: got "
                              "%.*s and %.*s",
                              WEIR_STR_ARG(src), WEIR_STR_ARG(dst));
        from[d] = (int)(at - src.at);
    }
    *out_rank = (int)src.length;
    return WEIR_OK;
}

static int64_t get(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT64 ? ((const int64_t *)tensor->data)[i]
                                       : ((const int32_t *)tensor->data)[i];
}

static void set(weir_tensor *tensor, int64_t i, int64_t value)
{
    if (tensor->dtype == WEIR_INT64)
        ((int64_t *)tensor->data)[i] = value;
    else
        ((int32_t *)tensor->data)[i] = (int32_t)value;
}

static weir_status dim_map(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int rank, from[8], to[8];
    WEIR_TRY(read_formats(call->site, &rank, from));
    for (int axis = 0; axis < rank; axis++)
        to[from[axis]] = axis;
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        int64_t d = get(x, i);
        if (d < -rank || d >= rank)
            return weir_error(WEIR_INVALID_ARGUMENT, "dimension %" PRId64 " is not in [-%d, %d)", d,
                              rank, rank);
        set(weir_out(call, 0), i, to[d < 0 ? d + rank : d]);
    }
    return WEIR_OK;
}

static weir_status infer_permute(weir_infer *infer)
{
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank != 1 && infer->in[0]->rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input must be a vector or 2D tensor, but got shape %s",
                          WEIR_SHAPE_STR(infer->in[0]));
    return weir_infer_same_shape(infer);
}

/* Keeps the entries |keep| of a permutation and renumbers them in order. */
static void keep_space(const weir_site *site, int rank, int from[8])
{
    weir_str src = weir_site_str(site, SRC_FORMAT);
    int count = 0;
    for (int axis = 0; axis < rank; axis++) {
        int before = 0;
        if (src.at[from[axis]] == 'N' || src.at[from[axis]] == 'C')
            continue;
        for (int e = 0; e < from[axis]; e++)
            before += src.at[e] != 'N' && src.at[e] != 'C';
        from[count++] = before;
    }
}

/* Permutes a vector (or rows of pairs) with an entry per dimension, or per spatial dimension
 * only. */
static weir_status vec_permute(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int rank, from[8];
    WEIR_TRY(read_formats(call->site, &rank, from));
    int64_t count = x->shape.dims[0], width = x->shape.rank == 2 ? x->shape.dims[1] : 1;
    if ((count != rank && count != rank - 2) || (x->shape.rank == 2 && width != 2))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input of shape %s must have %d or %d rows, of 2 when it is a matrix",
                          WEIR_SHAPE_STR(&x->shape), rank, rank - 2);
    if (count == rank - 2)
        keep_space(call->site, rank, from);
    for (int64_t d = 0; d < count; d++)
        for (int64_t k = 0; k < width; k++)
            set(weir_out(call, 0), d * width + k, get(x, from[d] * width + k));
    return WEIR_OK;
}

const weir_op weir_op_data_format_dim_map = {
    .name = "DataFormatDimMap",
    .in = "x: T",
    .out = "y: T",
    .attrs = ATTRS,
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", dim_map}},
};

const weir_op weir_op_data_format_vec_permute = {
    .name = "DataFormatVecPermute",
    .in = "x: T",
    .out = "y: T",
    .attrs = ATTRS,
    .infer = infer_permute,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", vec_permute}},
};
