/* ops/parsing/decode_raw.c - DecodeRaw, DecodePaddedRaw, DecodeCompressed: bytes of strings. */
#include <inttypes.h>

#include "base/room.h"
#include "base/stop.h"
#include "io/deflate.h"
#include "io/zstd.h"
#include "ops/common/strs.h"

enum { OUT_TYPE, LITTLE_ENDIAN_BYTES };

/* Reverses the bytes of each number; a complex number counts as two. */
static void swap_bytes(weir_dtype dtype, void *data, int64_t bytes)
{
    int64_t size = (int64_t)weir_dtype_size(dtype) / (weir_dtype_is_complex(dtype) ? 2 : 1);
    uint8_t *p = data;
    for (int64_t at = 0; at + size <= bytes; at += size)
        for (int64_t i = 0; i < size / 2; i++) {
            uint8_t t = p[at + i];
            p[at + i] = p[at + size - 1 - i];
            p[at + size - 1 - i] = t;
        }
}

/* ---- DecodeRaw ------------------------------------------------------------------------------- */

static weir_status infer_raw(weir_infer *i)
{
    weir_shape last = weir_shape_vector(-1);
    return weir_infer_concat(i->in[0], &last, &i->out[0]);
}

static weir_status check_lengths(const weir_tensor *in, size_t size, weir_dtype dtype,
                                 size_t *out_length)
{
    size_t length = weir_str_at(in, 0).length;
    for (int64_t i = 1; i < weir_tensor_count(in); i++)
        if (weir_str_at(in, i).length != length)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "DecodeRaw requires input strings to all be the same size, but "
                              "element %" PRId64 " has size %zu != %zu",
                              i, length, weir_str_at(in, i).length);
    if (length % size)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input to DecodeRaw has length %zu that is not a multiple of %zu, the "
                          "size of %s",
                          length, size, weir_dtype_name(dtype));
    *out_length = length;
    return WEIR_OK;
}

static weir_status decode_raw(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    weir_dtype dtype = weir_site_type(c->site, OUT_TYPE);
    size_t size = weir_dtype_size(dtype), length = 0;
    int64_t count = weir_tensor_count(in);
    if (count)
        WEIR_TRY(check_lengths(in, size, dtype, &length));
    weir_shape shape = in->shape;
    if (shape.rank == WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many dimensions: %d", shape.rank);
    weir_shape_append(&shape, (int64_t)(length / size));
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    char *out = weir_out(c, 0)->data;
    for (int64_t i = 0; i < count && length; i++)
        memcpy(out + (size_t)i * length, weir_str_at(in, i).at, length);
    if (!weir_site_bool(c->site, LITTLE_ENDIAN_BYTES))
        swap_bytes(dtype, out, count * (int64_t)length);
    return WEIR_OK;
}

const weir_op weir_op_decode_raw = {
    .name = "DecodeRaw",
    .in = "bytes: string",
    .out = "output: out_type",
    .attrs = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, "
             "complex64, complex128, bool, bfloat16}; little_endian: bool = true",
    .infer = infer_raw,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_raw, WEIR_OWN_OUTPUTS}},
};

/* ---- DecodePaddedRaw ------------------------------------------------------------------------- */

static weir_status infer_padded(weir_infer *i)
{
    int64_t bytes, width = (int64_t)weir_dtype_size(weir_site_type(i->site, OUT_TYPE));
    weir_shape last = weir_shape_vector(-1);
    WEIR_TRY(weir_infer_rank(i, 1, 0));
    if (weir_infer_value_int(i, 1, &bytes)) {
        if (bytes <= 0 || bytes % width)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "fixed_length (%" PRId64
                              ") must be a multiple of the size of out_type (%" PRId64 ")",
                              bytes, width);
        last.dims[0] = bytes / width;
    }
    return weir_infer_concat(i->in[0], &last, &i->out[0]);
}

static weir_status decode_padded(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    weir_tensor *out = weir_out(c, 0);
    size_t length = (size_t) * (const int32_t *)weir_in(c, 1)->data;
    memset(out->data, 0, weir_tensor_bytes(out));
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        weir_str s = weir_str_at(in, i);
        size_t n = s.length < length ? s.length : length;
        if (n)
            memcpy((char *)out->data + (size_t)i * length, s.at, n);
    }
    if (!weir_site_bool(c->site, LITTLE_ENDIAN_BYTES))
        swap_bytes(out->dtype, out->data, (int64_t)weir_tensor_bytes(out));
    return WEIR_OK;
}

const weir_op weir_op_decode_padded_raw = {
    .name = "DecodePaddedRaw",
    .in = "input_bytes: string; fixed_length: int32",
    .out = "output: out_type",
    .attrs = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, "
             "bfloat16}; little_endian: bool = true",
    .infer = infer_padded,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_padded}},
};

/* ---- DecodeCompressed ------------------------------------------------------------------------ */

/* Truncated input gives the part that can be decompressed. */
static weir_status unpack(weir_packing packing, weir_str in, weir_buf *out)
{
    enum { CHUNK = 1 << 16 };
    WEIR_OWNED(weir_inflate) z = NULL;
    WEIR_TRY(weir_inflate_create(packing, &z));
    for (bool end = false; in.length && !end && !weir_stopped();) {
        size_t got = 0;
        WEIR_TRY(weir_room_grow(out, CHUNK, "a string that is unpacked"));
        weir_buf_reserve(out, CHUNK);
        WEIR_TRY(weir_inflate_run(z, &in, out->at + out->length, CHUNK, &got, &end));
        out->length += got;
        end |= got == 0 && in.length == 0;
    }
    return WEIR_OK;
}

static weir_status decode_compressed(weir_call *c)
{
    weir_str type = weir_site_str(c->site, 0);
    bool zstd = weir_str_is(type, "ZSTD");
    weir_packing packing = weir_str_is(type, "ZLIB")   ? WEIR_PACKING_ZLIB
                           : weir_str_is(type, "GZIP") ? WEIR_PACKING_GZIP
                                                       : WEIR_PACKING_NONE;
    if (packing == WEIR_PACKING_NONE && type.length && !zstd)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Only ZLIB, ZSTD, GZIP or NONE are supported compressions, got %.*s",
                          WEIR_STR_ARG(type));
    const weir_tensor *in = weir_in(c, 0);
    for (int64_t i = 0; i < weir_tensor_count(in); i++) {
        weir_buf out = {0};
        weir_str s = weir_str_at(in, i);
        weir_status status = WEIR_OK;
        if (zstd)
            status = weir_zstd_unpack(s, &out);
        else if (packing == WEIR_PACKING_NONE)
            weir_buf_add(&out, s.at, s.length);
        else
            status = unpack(packing, s, &out);
        weir_str_put_buf(weir_out(c, 0), i, &out);
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

const weir_op weir_op_decode_compressed = {
    .name = "DecodeCompressed",
    .in = "bytes: string",
    .out = "output: string",
    .attrs = "compression_type: string = \"\"",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_compressed, WEIR_EXPENSIVE}},
};
