/*
 * io/idx.c - IDX files. All numbers are big-endian.
 *
 *   0  two zero bytes
 *   2  element type: 8 uint8, 9 int8, 11 int16, 12 int32, 13 float, 14 double
 *   3  rank
 *   4  rank * uint32 dimensions, then the elements, row major
 */
#include "io/idx.h"

#include "io/deflate.h"
#include "io/file.h"

enum { MAX_BYTES = 1 << 30 };

static weir_dtype dtype_of(uint8_t code)
{
    static const weir_dtype types[] = {
        [8] = WEIR_UINT8,  [9] = WEIR_INT8,   [11] = WEIR_INT16,
        [12] = WEIR_INT32, [13] = WEIR_FLOAT, [14] = WEIR_DOUBLE,
    };
    return code < sizeof types / sizeof *types ? types[code] : WEIR_DT_INVALID;
}

static weir_status read_header(weir_str bytes, weir_dtype *out_dtype, weir_shape *out_shape)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    if (bytes.length < 4 || at[0] || at[1])
        return weir_error(WEIR_DATA_LOSS, "not an IDX file");
    *out_dtype = dtype_of(at[2]);
    int rank = at[3];
    if (*out_dtype == WEIR_DT_INVALID || rank > WEIR_MAX_RANK ||
        bytes.length < 4 + 4 * (size_t)rank)
        return weir_error(WEIR_DATA_LOSS, "bad IDX header: type %d, rank %d", at[2], rank);
    int64_t dims[WEIR_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        const uint8_t *data = at + 4 + 4 * i;
        dims[i] = (int64_t)data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3];
    }
    return weir_shape_make(dims, rank, out_shape);
}

static void copy_swapped(uint8_t *out, const uint8_t *in, int64_t count, size_t size)
{
    for (int64_t i = 0; i < count; i++, out += size, in += size)
        for (size_t b = 0; b < size; b++)
            out[b] = in[size - 1 - b];
}

weir_status weir_idx_decode(weir_str bytes, weir_tensor *out_tensor)
{
    weir_dtype dtype = WEIR_DT_INVALID;
    weir_shape shape;
    WEIR_TRY(read_header(bytes, &dtype, &shape));
    size_t head = 4 + 4 * (size_t)shape.rank, size = weir_dtype_size(dtype), need;
    if (!weir_size_mul((size_t)weir_shape_count(&shape), size, &need) ||
        need != bytes.length - head)
        return weir_error(WEIR_DATA_LOSS, "IDX file of shape %s has %zu bytes of data",
                          WEIR_SHAPE_STR(&shape), bytes.length - head);
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(dtype, &shape, &tensor));
    if (size == 1 && need)
        memcpy(tensor.data, bytes.at + head, need);
    else
        copy_swapped(tensor.data, (const uint8_t *)bytes.at + head, weir_shape_count(&shape), size);
    *out_tensor = tensor;
    return WEIR_OK;
}

weir_status weir_idx_read(const char *path, weir_tensor *out_tensor)
{
    WEIR_BUF(bytes);
    WEIR_BUF(plain);
    WEIR_TRY(weir_file_read_all(path, MAX_BYTES, &bytes));
    bool packed = bytes.length > 2 && memcmp(bytes.at, "\x1f\x8b", 2) == 0;
    weir_status status = WEIR_OK;
    if (packed)
        status = weir_inflate_all(WEIR_PACKING_GZIP, weir_view(&bytes), MAX_BYTES, &plain);
    if (!status)
        status = weir_idx_decode(weir_view(packed ? &plain : &bytes), out_tensor);
    return weir_status_note(status, " (file %s)", path);
}
