/* tensor/dtype.h - element types, numbered as in TensorFlow's DataType. */
#ifndef WEIR_TENSOR_DTYPE_H
#define WEIR_TENSOR_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/half.h" /* half and bfloat16 are bit patterns in memory, computed in float */
#include "base/str.h"

typedef enum weir_dtype {
    WEIR_DT_INVALID = 0,
    WEIR_FLOAT = 1,
    WEIR_DOUBLE = 2,
    WEIR_INT32 = 3,
    WEIR_UINT8 = 4,
    WEIR_INT16 = 5,
    WEIR_INT8 = 6,
    WEIR_STRING = 7,
    WEIR_COMPLEX64 = 8,
    WEIR_INT64 = 9,
    WEIR_BOOL = 10,
    WEIR_QINT8 = 11,
    WEIR_QUINT8 = 12,
    WEIR_QINT32 = 13,
    WEIR_BFLOAT16 = 14,
    WEIR_QINT16 = 15,
    WEIR_QUINT16 = 16,
    WEIR_UINT16 = 17,
    WEIR_COMPLEX128 = 18,
    WEIR_HALF = 19,
    WEIR_RESOURCE = 20,
    WEIR_VARIANT = 21,
    WEIR_UINT32 = 22,
    WEIR_UINT64 = 23,
    WEIR_FLOAT8_E5M2 = 24,
    WEIR_FLOAT8_E4M3FN = 25,
    WEIR_FLOAT8_E4M3FNUZ = 26,
    WEIR_FLOAT8_E4M3B11FNUZ = 27,
    WEIR_FLOAT8_E5M2FNUZ = 28,
    WEIR_INT4 = 29,
    WEIR_UINT4 = 30,
    WEIR_INT2 = 31,
    WEIR_UINT2 = 32,
    WEIR_FLOAT4_E2M1FN = 33,
    WEIR_DTYPE_COUNT
} weir_dtype;

enum { WEIR_REF_OFFSET = 100 }; /* FLOAT_REF is FLOAT + 100; only op signatures have them */

static inline bool weir_dtype_is_ref(int t)
{
    return t > WEIR_REF_OFFSET;
}
static inline weir_dtype weir_dtype_base(int t)
{
    return (weir_dtype)(t > WEIR_REF_OFFSET ? t - WEIR_REF_OFFSET : t);
}
static inline bool weir_dtype_valid(int t)
{
    return t > 0 && t < WEIR_DTYPE_COUNT;
}

/* Bytes of one element in memory: 24 for STRING, 8 for RESOURCE and VARIANT (pointers). */
extern const uint8_t weir_dtype_sizes[WEIR_DTYPE_COUNT];
static inline size_t weir_dtype_size(weir_dtype dtype)
{
    return weir_dtype_valid((int)dtype) ? weir_dtype_sizes[dtype] : 0;
}
/* TF_DataTypeSize: 0 for STRING, RESOURCE and VARIANT. */
size_t weir_dtype_wire_size(weir_dtype dtype);
/* True when elements are plain bytes: copied by memcpy, no destructor. */
bool weir_dtype_is_plain(weir_dtype dtype);
bool weir_dtype_is_float(weir_dtype dtype); /* half, bfloat16, float, double */
bool weir_dtype_is_complex(weir_dtype dtype);
bool weir_dtype_is_int(weir_dtype dtype); /* signed and unsigned, not quantised, not bool */

const char *
weir_dtype_name(int t); /* "float", "int32", "float_ref": the spelling in op signatures */
const char *weir_dtype_enum(int t);  /* "DT_FLOAT" */
int weir_dtype_parse(weir_str name); /* either spelling; 0 when unknown */

#endif
