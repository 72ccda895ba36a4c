/* ops/quant/quant.h - quantised tensors: narrow integers that represent floats in a range.
 *
 * A quantised tensor comes with the floats of its lowest and highest value; ops return the
 * range of their result as outputs 1 and 2. All results equal those of TensorFlow's reference
 * loops.
 */
#ifndef WEIR_OPS_QUANT_QUANT_H
#define WEIR_OPS_QUANT_QUANT_H

#include "op/op.h"

#define QUANTISED "{qint8, quint8, qint32, qint16, quint16}"

typedef struct weir_quant {
    weir_dtype dtype;
    float min, max;
} weir_quant;

int64_t weir_quant_lowest(weir_dtype dtype);
int64_t weir_quant_highest(weir_dtype dtype);

/* Element |i| of a quantised tensor. */
int32_t weir_quant_at(const weir_tensor *tensor, int64_t i);
void weir_quant_set(weir_tensor *tensor, int64_t i, int64_t value); /* clamped */

/* The quantised value of |x|; may be outside the range of the type. */
int64_t weir_quant_of(weir_quant quant, float x);
float weir_quant_to_float(weir_quant quant, int64_t value);

/* The coefficients of the linear map, for many elements. */
typedef struct weir_quant_line {
    float scale, offset;
} weir_quant_line;
/* x = offset + v * scale */
weir_quant_line weir_quant_dequantize(weir_quant quant);
/* v = clamp(round(x * scale) - offset) */
weir_quant_line weir_quant_quantize(weir_quant quant);
int64_t weir_quant_apply(weir_quant_line line, weir_dtype dtype, float x);

/* The range of products, or sums of products, as |dtype|. */
weir_quant weir_quant_product(weir_quant a, weir_quant b, weir_dtype dtype);

/* The tensor at input |in| and its range at inputs |min| and |min| + 1. */
weir_quant weir_quant_input(const weir_call *call, int in, int min);
/* Sets outputs 1 and 2 to the range. */
void weir_quant_set_range(weir_call *call, weir_quant quant);

/* Inputs [from, to) must be scalars; infers scalar outputs 1 and 2. */
WEIR_CHECKED weir_status weir_quant_infer(weir_infer *infer, int from, int to);
/* The same, and output 0 as input 0. */
WEIR_CHECKED weir_status weir_quant_infer_same(weir_infer *infer, int from, int to);

/* A copy as int32, minus the zero point. */
WEIR_CHECKED weir_status weir_quant_centred(weir_call *call, const weir_tensor *tensor,
                                            weir_quant quant, weir_tensor *out);

#endif
