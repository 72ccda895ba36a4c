/* ops/nn/conv.h - the geometry of a convolution, from the shapes and attrs of its node. */
#ifndef WEIR_OPS_NN_CONV_H
#define WEIR_OPS_NN_CONV_H

#include "math/conv/conv.h"
#include "op/op.h"
#include "ops/nn/window.h"

typedef struct weir_conv_plan {
    weir_slide slide;
    weir_conv conv; /* complete only if both shapes are */
    weir_shape in;  /* in the node's data format, unknown dims -1 */
    weir_shape out; /* in the node's data format */
} weir_conv_plan;

/* Checks |in| and |filter| (rank -1 and dims -1: unknown) and fills |out_plan|. Filters are spatial
 * dims, then in and out channels (depthwise: channels and multiplier). */
WEIR_CHECKED weir_status weir_conv_plan_make(const weir_site *site, bool building,
                                             const weir_shape *in, const weir_shape *filter,
                                             bool depthwise, weir_conv_plan *out_plan);

/* The image shape given by input |in| of a gradient op: all of it, or, for 2-D, only its spatial
 * sizes; the rest comes from |dy| and |filter|. */
WEIR_CHECKED weir_status weir_conv_input_sizes(const weir_site *site, const weir_shape *sizes,
                                               const weir_shape *dy, const weir_shape *filter,
                                               bool depthwise, weir_shape *out_shape);

typedef enum weir_conv_pass {
    WEIR_CONV_FORWARD,
    WEIR_CONV_GRAD_X,
    WEIR_CONV_GRAD_W
} weir_conv_pass;

/* Runs one pass. |image| and |signal| are x and y, or their gradients; the pass writes its result
 * to one of them. Channels-first operands are transposed and back. */
WEIR_CHECKED weir_status weir_conv_plan_run(const weir_par *par, const weir_conv_plan *plan,
                                            weir_conv_pass pass, bool depthwise, weir_tensor *image,
                                            weir_tensor *filter, weir_tensor *signal);

/* Shape inference of the three kinds of op; called by the .infer of each op. */
weir_status weir_conv_infer(weir_infer *infer, bool depthwise);
weir_status weir_conv_infer_grad_x(weir_infer *infer, bool depthwise);
weir_status weir_conv_infer_grad_w(weir_infer *infer);

/* Kernels of the three kinds. */
weir_status weir_conv_kernel(weir_call *call, bool depthwise);
weir_status weir_conv_kernel_grad_x(weir_call *call, bool depthwise);
weir_status weir_conv_kernel_grad_w(weir_call *call, bool depthwise);

#endif
