/*
 * io/bundle_data.c - elements in a data file.
 *
 *   numbers   little-endian, row major, back to back
 *   strings   varint lengths of all; fixed32 masked CRC of the lengths; all bytes
 *   variants  each: varint length; a VariantTensorDataProto; fixed32 masked CRC of all up to here
 * Lengths enter checksums as uint32 (uint64 from 2^32 on), not as the varint bytes. A string
 * tensor's checksum covers its lengths, the four checksum bytes and the bytes. A variant's length
 * enters as uint64.
 */
#include "io/bundle_data.h"

#include <inttypes.h>

#include "tensor/opaque.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"
#include "wire/crc32c.h"
#include "wire/varint.h"

static uint32_t crc_of_length(uint32_t crc, uint64_t length)
{
    char bytes[8];
    weir_fixed64_put(bytes, length);
    return weir_crc32c_extend(crc, bytes, length > UINT32_MAX ? 8 : 4);
}

int64_t weir_bundle_data_least(weir_dtype dtype, int64_t count)
{
    int64_t bytes;
    if (dtype == WEIR_STRING)
        return count ? count + 4 : 4;
    /* Of a variant a length of one byte, and its checksum. */
    int64_t each = dtype == WEIR_VARIANT ? 5 : (int64_t)weir_dtype_size(dtype);
    if (__builtin_mul_overflow(count, each, &bytes))
        return INT64_MAX;
    return bytes;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* In pieces that stay in the cache between checksum and copy. */
enum { PIECE = 256 << 10 };

static size_t piece_of(size_t left)
{
    return left < PIECE ? left : PIECE;
}

static weir_status write_numbers(weir_wfile *file, const weir_tensor *tensor, int64_t *out_bytes,
                                 uint32_t *out_crc)
{
    const char *data = tensor->data;
    size_t bytes = weir_tensor_bytes(tensor);
    uint32_t crc = 0;
    for (size_t at = 0, size; at < bytes; at += size) {
        size = piece_of(bytes - at);
        crc = weir_crc32c_extend(crc, data + at, size);
        WEIR_TRY(weir_wfile_write(file, data + at, size));
    }
    *out_bytes = (int64_t)bytes;
    *out_crc = weir_crc32c_mask(crc);
    return WEIR_OK;
}

static weir_status write_strings(weir_wfile *file, const weir_tensor *tensor, int64_t *out_bytes,
                                 uint32_t *out_crc)
{
    const weir_tstring *strings = tensor->data;
    int64_t count = weir_tensor_count(tensor);
    WEIR_BUF(lengths);
    uint32_t crc = 0;
    for (int64_t i = 0; i < count; i++) {
        size_t length = weir_tstring_get(&strings[i]).length;
        weir_varint_put(&lengths, length);
        crc = crc_of_length(crc, length);
    }
    char stored[4];
    weir_fixed32_put(stored, weir_crc32c_mask(crc));
    weir_buf_add(&lengths, stored, 4);
    crc = weir_crc32c_extend(crc, stored, 4);
    weir_status status = weir_wfile_write(file, lengths.at, lengths.length);
    int64_t bytes = (int64_t)lengths.length;
    for (int64_t i = 0; i < count && !status; i++) {
        weir_str text = weir_tstring_get(&strings[i]);
        crc = weir_crc32c_extend(crc, text.at, text.length);
        status = weir_wfile_write(file, text.at, text.length);
        bytes += (int64_t)text.length;
    }
    *out_bytes = bytes;
    *out_crc = weir_crc32c_mask(crc);
    return status;
}

static uint32_t crc_of_variant(uint32_t crc, weir_str proto)
{
    char length[8];
    weir_fixed64_put(length, proto.length);
    return weir_crc32c_extend(weir_crc32c_extend(crc, length, 8), proto.at, proto.length);
}

static weir_status write_variants(weir_wfile *file, const weir_tensor *tensor, int64_t *out_bytes,
                                  uint32_t *out_crc)
{
    WEIR_BUF(proto);
    WEIR_BUF(all);
    uint32_t crc = 0;
    weir_status status = WEIR_OK;
    for (int64_t i = 0; !status && i < weir_tensor_count(tensor); i++) {
        char stored[4];
        proto.length = 0;
        status = weir_variant_encode(((weir_variant **)tensor->data)[i], &proto);
        crc = crc_of_variant(crc, weir_view(&proto));
        weir_fixed32_put(stored, weir_crc32c_mask(crc));
        weir_varint_put(&all, proto.length);
        weir_buf_add(&all, proto.at, proto.length);
        weir_buf_add(&all, stored, 4);
        crc = weir_crc32c_extend(crc, stored, 4);
    }
    if (!status)
        status = weir_wfile_write(file, all.at, all.length);
    *out_bytes = (int64_t)all.length;
    *out_crc = weir_crc32c_mask(crc);
    return status;
}

weir_status weir_bundle_data_write(weir_wfile *file, const weir_tensor *tensor, int64_t *out_bytes,
                                   uint32_t *out_crc)
{
    if (tensor->dtype == WEIR_STRING)
        return write_strings(file, tensor, out_bytes, out_crc);
    if (tensor->dtype == WEIR_VARIANT)
        return write_variants(file, tensor, out_bytes, out_crc);
    if (!weir_dtype_is_plain(tensor->dtype))
        return weir_error(WEIR_UNIMPLEMENTED, "Tensors of type %s cannot be saved",
                          weir_dtype_name(tensor->dtype));
    return write_numbers(file, tensor, out_bytes, out_crc);
}

/* ---- reading --------------------------------------------------------------------------------- */

static weir_status bad_crc(weir_rfile *file, int64_t offset, uint32_t stored, uint32_t computed)
{
    return weir_error(WEIR_DATA_LOSS,
                      "%s: Checksum does not match: stored %" PRIu32
                      " vs. calculated on the restored bytes %" PRIu32
                      " (of the tensor at offset %" PRId64 ")",
                      weir_rfile_path(file), stored, computed, offset);
}

static weir_status cut_short(weir_rfile *file, int64_t offset, const char *what)
{
    return weir_error(WEIR_DATA_LOSS, "%s: %s of the tensor at offset %" PRId64 " are cut short",
                      weir_rfile_path(file), what, offset);
}

static weir_status read_numbers(weir_rfile *file, int64_t offset, int64_t bytes, uint32_t crc,
                                weir_tensor *tensor)
{
    size_t need = weir_tensor_bytes(tensor);
    if ((size_t)bytes != need)
        return weir_error(WEIR_DATA_LOSS,
                          "Invalid size in bundle entry: stored size %" PRId64
                          "; expected size %zu (%s, offset %" PRId64 ")",
                          bytes, need, weir_rfile_path(file), offset);
    uint32_t computed = 0, stored = weir_crc32c_unmask(crc);
    for (size_t at = 0, n; at < need; at += n) {
        char *piece = (char *)tensor->data + at;
        n = piece_of(need - at);
        WEIR_TRY(weir_rfile_read(file, (uint64_t)offset + at, piece, n));
        computed = weir_crc32c_extend(computed, piece, n);
    }
    return computed == stored ? WEIR_OK : bad_crc(file, offset, stored, computed);
}

/* Splits |raw| into the strings of |tensor|. */
static weir_status cut_strings(weir_rfile *file, int64_t offset, weir_str raw, uint32_t crc,
                               weir_tensor *tensor)
{
    weir_tstring *strings = tensor->data;
    int64_t count = weir_tensor_count(tensor);
    uint32_t computed = 0;
    weir_str rest = raw;
    uint64_t length;
    for (int64_t i = 0; i < count; i++) {
        if (!weir_varint_take(&rest, &length))
            return cut_short(file, offset, "lengths");
        computed = crc_of_length(computed, length);
    }
    if (rest.length < 4)
        return cut_short(file, offset, "strings");
    uint32_t stored = weir_crc32c_unmask(weir_fixed32_get(rest.at));
    if (stored != computed)
        return bad_crc(file, offset, stored, computed);
    computed = weir_crc32c_extend(computed, rest.at, rest.length);
    if (computed != weir_crc32c_unmask(crc))
        return bad_crc(file, offset, weir_crc32c_unmask(crc), computed);
    weir_str bytes = {rest.at + 4, rest.length - 4};
    for (int64_t i = 0; i < count; i++) {
        weir_varint_take(&raw, &length);
        if (length > bytes.length)
            return cut_short(file, offset, "strings");
        weir_tstring_set(&strings[i], bytes.at, length);
        bytes = (weir_str){bytes.at + length, bytes.length - length};
    }
    return WEIR_OK;
}

static weir_status cut_variants(weir_rfile *file, int64_t offset, weir_str raw, uint32_t crc,
                                weir_tensor *tensor)
{
    uint32_t computed = 0;
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        uint64_t length;
        if (!weir_varint_take(&raw, &length) || length > raw.length || raw.length - length < 4)
            return cut_short(file, offset, "variants");
        weir_str proto = {raw.at, length};
        computed = crc_of_variant(computed, proto);
        uint32_t stored = weir_crc32c_unmask(weir_fixed32_get(raw.at + length));
        if (stored != computed)
            return bad_crc(file, offset, stored, computed);
        computed = weir_crc32c_extend(computed, raw.at + length, 4);
        ((weir_variant **)tensor->data)[i] = weir_opaque_create(proto);
        raw = (weir_str){raw.at + length + 4, raw.length - length - 4};
    }
    uint32_t stored = weir_crc32c_unmask(crc);
    return computed == stored ? WEIR_OK : bad_crc(file, offset, stored, computed);
}

/* Strings and variants: reads all, then splits. */
static weir_status read_parts(weir_rfile *file, int64_t offset, int64_t bytes, uint32_t crc,
                              weir_tensor *tensor)
{
    weir_shape shape = weir_shape_vector(bytes);
    weir_tensor raw; /* a tensor, because a file determines its size */
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT8, &shape, &raw));
    weir_status status = weir_rfile_read(file, (uint64_t)offset, raw.data, (size_t)bytes);
    if (!status)
        status = (tensor->dtype == WEIR_STRING ? cut_strings : cut_variants)(
            file, offset, (weir_str){raw.data, (size_t)bytes}, crc, tensor);
    weir_tensor_release(&raw);
    return status;
}

weir_status weir_bundle_data_read(weir_rfile *file, int64_t offset, int64_t bytes, uint32_t crc,
                                  weir_tensor *tensor)
{
    if (tensor->dtype == WEIR_STRING || tensor->dtype == WEIR_VARIANT)
        return read_parts(file, offset, bytes, crc, tensor);
    if (!weir_dtype_is_plain(tensor->dtype))
        return weir_error(WEIR_UNIMPLEMENTED, "Tensors of type %s cannot be restored",
                          weir_dtype_name(tensor->dtype));
    return read_numbers(file, offset, bytes, crc, tensor);
}
