/* ops/math/arg_axis.h - the axis of ArgMax and ArgMin, for the kernels of all devices. */
#ifndef WEIR_OPS_MATH_ARG_AXIS_H
#define WEIR_OPS_MATH_ARG_AXIS_H

#include "op/op.h"

/* INVALID_ARGUMENT when it is out of range for the input, or the dimension is empty. */
WEIR_CHECKED weir_status weir_arg_axis(const weir_call *call, int *out_axis);

#endif
