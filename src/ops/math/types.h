/* ops/math/types.h - lists of element types shared by many signatures, in TensorFlow's order. */
#ifndef WEIR_OPS_MATH_TYPES_H
#define WEIR_OPS_MATH_TYPES_H

#define FLOATS "bfloat16, half, float, double"
#define FLOATS_COMPLEX FLOATS ", complex64, complex128"
#define FLOATS_INTS FLOATS ", int8, int16, int32, int64"
#define FLOATS_INTS_COMPLEX FLOATS_INTS ", complex64, complex128"
#define INTS "int8, int16, int32, int64, uint8, uint16, uint32, uint64"
#define REALS                                                                                      \
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"
#define NUMBERS                                                                                    \
    "float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "          \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64"
#define REALS_QUANTISED REALS ", qint8, quint8, qint32, qint16, quint16"
#define INDEX_TYPE "{int32, int64} = DT_INT32"

#endif
