/* ops/image/image_impl.h - shared by the image ops. */
#ifndef WEIR_OPS_IMAGE_IMAGE_IMPL_H
#define WEIR_OPS_IMAGE_IMAGE_IMPL_H

#include "op/op.h"

/* |in| as float: itself if it is float, else a converted copy. The caller releases it. */
WEIR_CHECKED weir_status weir_image_as_float(const weir_call *call, const weir_tensor *in,
                                             weir_tensor *out_floats);
/* Converts |from| (float or double) into |out| (of any real type); no-op if they share a
 * buffer. */
void weir_image_put(const weir_call *call, const weir_tensor *from, weir_tensor *out);
/* A float tensor to compute |out| in: |out| itself if it is float. The caller releases it. */
WEIR_CHECKED weir_status weir_image_float_buffer(const weir_tensor *out, weir_tensor *out_floats);

/* A zeroed double tensor to accumulate the elements of |out|. The caller releases it. */
WEIR_CHECKED weir_status weir_image_sums(const weir_tensor *out, weir_tensor *out_sums);

/* ---- resizing -------------------------------------------------------------------------------- */

/* The mapping of positions between two images. */
typedef struct weir_resize {
    int64_t batch, channels;
    int64_t in_h, in_w, out_h, out_w;
    bool align_corners, half_pixel;
    float h_scale, w_scale; /* input positions per output position */
} weir_resize;

/* images [b,h,w,c] and size [2] to [b,size0,size1,c]. */
weir_status weir_infer_resize(weir_infer *infer);
/* The gradient has the shape of the original image, input 1. */
weir_status weir_infer_resize_grad(weir_infer *infer);
/* Sets up from inferred shapes; both are images of rank 4. Checks the sizes. */
WEIR_CHECKED weir_status weir_resize_setup(const weir_shape *in, const weir_shape *out,
                                           bool align_corners, bool half_pixel,
                                           weir_resize *out_resize);
/* The same for a gradient op, from the image, output 0, to the gradients, input 0. */
WEIR_CHECKED weir_status weir_resize_grad_setup(const weir_call *call, bool align_corners,
                                                bool half_pixel, weir_resize *out_resize);

static inline float weir_resize_place(int64_t at, float scale, bool half_pixel)
{
    return half_pixel ? ((float)at + 0.5f) * scale - 0.5f : (float)at * scale;
}

/* Intersection over union of two boxes, whose corners may be in any order. */
float weir_box_overlap(const float a[4], const float b[4]);

#endif
