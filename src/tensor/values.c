/* tensor/values.c - which repeated field a dtype's values go to, and how. */
#include "tensor/values.h"

#include "tensor/tstring.h"

enum { STRING_VAL = 8 };

typedef enum how { NONE, RAW, SIGNED, UNSIGNED } how;

/* RAW: the elements' bytes as they are; the others: each element as a varint. */
static const struct {
    uint8_t field;
    uint8_t how;
} rows[WEIR_DTYPE_COUNT] = {
    [WEIR_FLOAT] = {5, RAW},        [WEIR_DOUBLE] = {6, RAW},
    [WEIR_INT32] = {7, SIGNED},     [WEIR_INT16] = {7, SIGNED},
    [WEIR_INT8] = {7, SIGNED},      [WEIR_UINT8] = {7, UNSIGNED},
    [WEIR_UINT16] = {7, UNSIGNED},  [WEIR_QINT8] = {7, SIGNED},
    [WEIR_QUINT8] = {7, UNSIGNED},  [WEIR_QINT16] = {7, SIGNED},
    [WEIR_QUINT16] = {7, UNSIGNED}, [WEIR_QINT32] = {7, SIGNED},
    [WEIR_COMPLEX64] = {9, RAW},    [WEIR_INT64] = {10, SIGNED},
    [WEIR_BOOL] = {11, UNSIGNED},   [WEIR_COMPLEX128] = {12, RAW},
    [WEIR_HALF] = {13, UNSIGNED},   [WEIR_BFLOAT16] = {13, UNSIGNED},
    [WEIR_UINT32] = {16, UNSIGNED}, [WEIR_UINT64] = {17, UNSIGNED},
};

/* Element |i| as a varint: negative numbers are extended to 64 bits. */
static uint64_t number(const void *data, int64_t i, size_t size, bool is_signed)
{
    switch (size) {
    case 1:
        return is_signed ? (uint64_t)((const int8_t *)data)[i] : ((const uint8_t *)data)[i];
    case 2:
        return is_signed ? (uint64_t)((const int16_t *)data)[i] : ((const uint16_t *)data)[i];
    case 4:
        return is_signed ? (uint64_t)((const int32_t *)data)[i] : ((const uint32_t *)data)[i];
    default:
        return ((const uint64_t *)data)[i];
    }
}

weir_status weir_tensor_encode_values(const weir_tensor *t, weir_buf *out)
{
    int64_t count = weir_tensor_count(t);
    if (t->dtype == WEIR_STRING) {
        for (int64_t i = 0; i < count; i++) {
            weir_str s = weir_tstring_get((const weir_tstring *)t->data + i);
            weir_pb_put_bytes(out, STRING_VAL, s.at, s.length);
        }
        return WEIR_OK;
    }
    if (rows[t->dtype].how == NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "Tensors of type %s cannot be saved",
                          weir_dtype_name(t->dtype));
    if (rows[t->dtype].how == RAW) {
        weir_pb_put_bytes(out, rows[t->dtype].field, t->data, weir_tensor_bytes(t));
        return WEIR_OK;
    }
    size_t mark = weir_pb_begin(out, rows[t->dtype].field), size = weir_dtype_size(t->dtype);
    for (int64_t i = 0; i < count; i++)
        weir_varint_put(out, number(t->data, i, size, rows[t->dtype].how == SIGNED));
    weir_pb_end(out, mark);
    return WEIR_OK;
}
