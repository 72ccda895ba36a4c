/* ops/math/arg_axis.h - the axis of ArgMax and ArgMin, by which every device's kernel goes. */
#ifndef WEIR_OPS_MATH_ARG_AXIS_H
#define WEIR_OPS_MATH_ARG_AXIS_H

#include "op/op.h"

/* INVALID_ARGUMENT when it is not one of the input's, or has no elements. */
WEIR_CHECKED weir_status weir_arg_axis(const weir_call *call, int *out_axis);

#endif
