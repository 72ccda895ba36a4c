/* ops/nn/window.h - sliding windows over images, for convolutions and pools.
 *
 * An image has a batch, channels, and two or three spatial dimensions, in the order of its
 * data_format ("NHWC", "NCHW", "NDHWC", "NCDHW").
 */
#ifndef WEIR_OPS_NN_WINDOW_H
#define WEIR_OPS_NN_WINDOW_H

#include "op/op.h"

typedef struct weir_format {
    int spatial; /* 2 or 3 */
    bool last;   /* channels last */
} weir_format;

static inline int weir_format_rank(weir_format format)
{
    return format.spatial + 2;
}
static inline int weir_format_channel(weir_format format)
{
    return format.last ? format.spatial + 1 : 1;
}
static inline int weir_format_space(weir_format format, int d) /* index of spatial dimension d */
{
    return d + (format.last ? 1 : 2);
}
weir_format weir_format_of(weir_str text);

typedef enum weir_window_padding { WEIR_VALID, WEIR_SAME, WEIR_EXPLICIT } weir_window_padding;

/* A node's sliding-window attrs. Arrays are per dimension of the image. */
typedef struct weir_slide {
    weir_format format;
    weir_window_padding padding;
    int64_t size[5], stride[5], dilation[5];
    int64_t before[5], after[5]; /* explicit paddings */
    bool building;               /* building a graph: skip checks that only kernels make */
} weir_slide;

/* Reads data_format, padding, strides, dilations, explicit_paddings and ksize, if the op has them.
 * A convolution's sizes come from its filter and are left 1. */
WEIR_CHECKED weir_status weir_slide_read(const weir_site *site, bool building,
                                         weir_slide *out_slide);
/* Checks that sizes, strides and dilations are positive, as kernels need. */
WEIR_CHECKED weir_status weir_slide_check(const weir_site *site, const weir_slide *slide);

/* True while a graph is built, false before a kernel runs. */
static inline bool weir_infer_building(const weir_infer *infer)
{
    return infer->in_handles || infer->out_handles;
}

/* The output length along one dimension and the padding before its first element. Unknown |in| or
 * |size| (-1) gives -1. Negative results are an error in TensorFlow's wording, as are, while
 * building, windows larger than the padded input. */
WEIR_CHECKED weir_status weir_slide_dim(const weir_slide *slide, int dim, int64_t in, int64_t size,
                                        int64_t *out_length, int64_t *out_before);

/* Transposes between channels first and last, for loops that need channels last: |tensor| with its
 * channels moved to the end (or from the end back to dimension 1), in a new buffer. */
WEIR_CHECKED weir_status weir_to_channels_last(const weir_tensor *tensor, weir_tensor *out_tensor);
void weir_from_channels_last(const weir_tensor *tensor, weir_tensor *to);

/* A shape converted to channels last. */
weir_shape weir_shape_channels_last(const weir_shape *shape, weir_format format);

/* Reads |infer|'s input |in| as the shape of an image of the format's rank; unknown dims are -1. */
WEIR_CHECKED weir_status weir_infer_image_sizes(weir_infer *infer, int in, int rank,
                                                weir_shape *out_shape);

#endif
