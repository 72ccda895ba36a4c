/* tensor/values.c - the repeated field of each dtype's values, and its encoding. */
#include "tensor/values.h"

#include "base/arith.h"
#include "tensor/tstring.h"
#include "wire/messages.h"

/* One row per dtype: the field, the size of its numbers in the message's struct and in the tensor,
 * and how many of them make up an element. */
typedef struct row {
    uint16_t member; /* offset in weir_msg_tensor_proto */
    uint8_t stored, bytes, parts;
    bool is_signed; /* for widened integers */
    bool only_read; /* TensorFlow writes no such values to files */
} row;

/* The layout of every repeated field. */
typedef struct list {
    const void *at;
    size_t count;
} list;

#define IN(field, bytes, ...)                                                                      \
    {                                                                                              \
        offsetof(weir_msg_tensor_proto, field),                                                    \
            sizeof *((const weir_msg_tensor_proto *)0)->field.at, bytes, 1, __VA_ARGS__            \
    }

static const row rows[WEIR_DTYPE_COUNT] = {
    [WEIR_FLOAT] = IN(float_val, 4),
    [WEIR_DOUBLE] = IN(double_val, 8),
    [WEIR_INT32] = IN(int_val, 4, true),
    [WEIR_QINT32] = IN(int_val, 4, true),
    [WEIR_INT16] = IN(int_val, 2, true),
    [WEIR_UINT16] = IN(int_val, 2),
    [WEIR_QINT16] = IN(int_val, 2, true),
    [WEIR_QUINT16] = IN(int_val, 2),
    [WEIR_INT8] = IN(int_val, 1, true),
    [WEIR_UINT8] = IN(int_val, 1),
    [WEIR_QINT8] = IN(int_val, 1, true),
    [WEIR_QUINT8] = IN(int_val, 1),
    [WEIR_INT4] = IN(int_val, 1, true, true),
    [WEIR_UINT4] = IN(int_val, 1, false, true),
    [WEIR_INT2] = IN(int_val, 1, true, true),
    [WEIR_UINT2] = IN(int_val, 1, false, true),
    [WEIR_INT64] = IN(int64_val, 8),
    [WEIR_UINT32] = IN(uint32_val, 4),
    [WEIR_UINT64] = IN(uint64_val, 8),
    [WEIR_BOOL] = IN(bool_val, 1),
    [WEIR_HALF] = IN(half_val, 2),
    [WEIR_BFLOAT16] = IN(half_val, 2),
    [WEIR_COMPLEX64] = {offsetof(weir_msg_tensor_proto, scomplex_val), 4, 4, 2},
    [WEIR_COMPLEX128] = {offsetof(weir_msg_tensor_proto, dcomplex_val), 8, 8, 2},
};

/* Repeats the last of the first |have| elements over the rest. */
static void repeat_last(char *data, int64_t have, int64_t count, size_t one)
{
    if (have == 0)
        memset(data, 0, (size_t)count * one);
    for (int64_t i = have; have && i < count; i++)
        memcpy(data + (size_t)i * one, data + (size_t)(have - 1) * one, one);
}

/* The low bytes of each number; integers are little-endian here as on the wire. */
static void narrow(char *to, const char *from, int64_t count, const row *row)
{
    if (row->bytes == row->stored) {
        if (count)
            memcpy(to, from, (size_t)count * row->bytes);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * row->bytes, from + i * row->stored, row->bytes);
}

void weir_values_read(const weir_msg_tensor_proto *proto, weir_tensor *out)
{
    const row *row = &rows[out->dtype];
    int64_t count = weir_tensor_count(out), have;
    if (row->parts) {
        const list *values = (const list *)((const char *)proto + row->member);
        int64_t parts = weir_min((int64_t)values->count, count * row->parts);
        narrow(out->data, values->at, parts, row);
        have = parts / row->parts;
    } else { /* floats of 8 bits or fewer are bytes */
        have = weir_min((int64_t)proto->float8_val.length, count);
        if (have)
            memcpy(out->data, proto->float8_val.at, (size_t)have);
    }
    repeat_last(out->data, have, count, weir_dtype_size(out->dtype));
}

static int32_t wide(const void *data, int64_t i, const row *row)
{
    if (row->bytes == 1)
        return row->is_signed ? ((const int8_t *)data)[i] : ((const uint8_t *)data)[i];
    return row->is_signed ? ((const int16_t *)data)[i] : ((const uint16_t *)data)[i];
}

static const void *widen(const weir_tensor *tensor, const row *row, weir_arena *arena)
{
    int64_t count = weir_tensor_count(tensor);
    int32_t *numbers = weir_arena_alloc(arena, sizeof *numbers * (size_t)count);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = wide(tensor->data, i, row);
    return numbers;
}

static weir_strs strings_of(const weir_tensor *tensor, weir_arena *arena)
{
    int64_t count = weir_tensor_count(tensor);
    weir_str *all = weir_arena_alloc(arena, sizeof *all * (size_t)count);
    for (int64_t i = 0; i < count; i++)
        all[i] = weir_tstring_get((const weir_tstring *)tensor->data + i);
    return (weir_strs){all, (size_t)count};
}

weir_status weir_values_write(const weir_tensor *tensor, weir_arena *arena,
                              weir_msg_tensor_proto *out_proto)
{
    const row *row = &rows[tensor->dtype];
    if (tensor->dtype == WEIR_STRING) {
        out_proto->string_val = strings_of(tensor, arena);
        return WEIR_OK;
    }
    if (!row->parts || row->only_read)
        return weir_error(WEIR_UNIMPLEMENTED, "Tensors of type %s cannot be saved",
                          weir_dtype_name(tensor->dtype));
    list *values = (list *)((char *)out_proto + row->member);
    values->at = row->bytes == row->stored ? tensor->data : widen(tensor, row, arena);
    values->count = (size_t)weir_tensor_count(tensor) * row->parts;
    return WEIR_OK;
}
