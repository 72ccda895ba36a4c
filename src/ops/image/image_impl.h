/* ops/image/image_impl.h - shared by the ops on pictures. */
#ifndef WEIR_OPS_IMAGE_IMAGE_IMPL_H
#define WEIR_OPS_IMAGE_IMAGE_IMPL_H

#include "op/op.h"

/* |in| as float: itself when it is float already, else a converted copy. The caller releases. */
WEIR_CHECKED weir_status weir_image_as_float(const weir_call *call, const weir_tensor *in,
                                             weir_tensor *out_floats);
/* Converts |from| (float or double) into |out| (of any real type); does nothing when they share
 * their data. */
void weir_image_put(const weir_call *call, const weir_tensor *from, weir_tensor *out);
/* A float tensor to compute |out| in: |out| itself when it is float. The caller releases. */
WEIR_CHECKED weir_status weir_image_float_buffer(const weir_tensor *out, weir_tensor *out_floats);

/* A cleared double tensor to add up the elements of |out| in. The caller releases. */
WEIR_CHECKED weir_status weir_image_sums(const weir_tensor *out, weir_tensor *out_sums);

/* ---- resizing -------------------------------------------------------------------------------- */

/* How places of one picture map to places of another. */
typedef struct weir_resize {
    int64_t batch, channels;
    int64_t in_h, in_w, out_h, out_w;
    bool align_corners, half_pixel;
    float h_scale, w_scale; /* input places per output place */
} weir_resize;

/* images [b,h,w,c] and size [2] to [b,size0,size1,c]. */
weir_status weir_infer_resize(weir_infer *infer);
/* The gradient has the shape of the original image, input 1. */
weir_status weir_infer_resize_grad(weir_infer *infer);
/* From shapes already inferred; both are pictures of rank 4. Checks the sizes. */
WEIR_CHECKED weir_status weir_resize_setup(const weir_shape *in, const weir_shape *out,
                                           bool align_corners, bool half_pixel,
                                           weir_resize *out_resize);

static inline float weir_resize_place(int64_t at, float scale, bool half_pixel)
{
    return half_pixel ? ((float)at + 0.5f) * scale - 0.5f : (float)at * scale;
}

/* Shared area over joint area of two boxes, whose corners may come in any order. */
float weir_box_overlap(const float a[4], const float b[4]);

#endif
