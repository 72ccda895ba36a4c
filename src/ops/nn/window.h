/* ops/nn/window.h - what convolutions and pools share: windows that slide over an image.
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
static inline int weir_format_space(weir_format format, int d) /* place of spatial dimension d */
{
    return d + (format.last ? 1 : 2);
}
weir_format weir_format_of(weir_str text);

typedef enum weir_window_padding { WEIR_VALID, WEIR_SAME, WEIR_EXPLICIT } weir_window_padding;

/* Attrs of a sliding window, read from a node. Arrays are per dimension of the image. */
typedef struct weir_slide {
    weir_format format;
    weir_window_padding padding;
    int64_t size[5], stride[5], dilation[5];
    int64_t before[5], after[5]; /* explicit paddings */
    bool building; /* a graph is being built: checks that only kernels make are left out */
} weir_slide;

/* Reads data_format, padding, strides, dilations, explicit_paddings and ksize where the op has
 * them. Sizes of a convolution come from its filter and are left 1. */
WEIR_CHECKED weir_status weir_slide_read(const weir_site *site, bool building,
                                         weir_slide *out_slide);
/* Checks that sizes, strides and dilations are positive: what a kernel needs. */
WEIR_CHECKED weir_status weir_slide_check(const weir_site *site, const weir_slide *slide);

/* True while a graph is built, false before a kernel runs. */
static inline bool weir_infer_building(const weir_infer *infer)
{
    return infer->in_handles || infer->out_handles;
}

/* The length of the output along one dimension and the padding before its first element. Unknown
 * |in| or |size| (-1) gives -1. Negative results are an error in TensorFlow's words, as are, while
 * building, windows larger than what they slide over. */
WEIR_CHECKED weir_status weir_slide_dim(const weir_slide *slide, int dim, int64_t in, int64_t size,
                                        int64_t *out_length, int64_t *out_before);

/* Channels first and last, for loops that are written for channels last: the tensor |tensor| with
 * its channels moved to the end (or from the end back to dimension 1), in a buffer of its own. */
WEIR_CHECKED weir_status weir_to_channels_last(const weir_tensor *tensor, weir_tensor *out_tensor);
void weir_from_channels_last(const weir_tensor *tensor, weir_tensor *to);

/* A shape as channels last. */
weir_shape weir_shape_channels_last(const weir_shape *shape, weir_format format);

/* Reads |infer|'s input |in| as the shape of an image of the format's rank; unknown dims are -1. */
WEIR_CHECKED weir_status weir_infer_image_sizes(weir_infer *infer, int in, int rank,
                                                weir_shape *out_shape);

#endif
