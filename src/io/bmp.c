/*
 * io/bmp.c - uncompressed BMP.
 *
 *   10  fixed32  where pixels start
 *   18  int32    width
 *   22  int32    height; negative: rows from top to bottom, else from bottom to top
 *   28  fixed16  bits per pixel: 8 (grey), 24 (BGR), 32 (BGRA)
 * Rows are padded to 4 bytes.
 */
#include "io/image_impl.h"
#include "wire/varint.h"

enum { LEAST_BYTES = 32 };

typedef struct header {
    uint32_t start;
    int64_t width, height;
    bool top_down;
    int bits;
} header;

static weir_status read_header(weir_str bytes, header *h)
{
    if (bytes.length < LEAST_BYTES)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Incomplete bmp content, requires at least 32 bytes to find the header "
                          "size, width, height, and bpp, got %zu bytes",
                          bytes.length);
    int32_t height = (int32_t)weir_fixed32_get(bytes.at + 22);
    h->start = weir_fixed32_get(bytes.at + 10);
    h->width = (int32_t)weir_fixed32_get(bytes.at + 18);
    h->height = height < 0 ? -(int64_t)height : height;
    h->top_down = height < 0;
    h->bits = (uint8_t)bytes.at[28] | (uint8_t)bytes.at[29] << 8;
    return WEIR_OK;
}

static int64_t row_bytes(const header *h)
{
    return (h->width * h->bits / 8 + 3) / 4 * 4;
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    header h = {0};
    WEIR_TRY(read_header(bytes, &h));
    int channels = h.bits / 8;
    if (h.bits % 8 || (channels != 1 && channels != 3 && channels != 4))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of channels inferred from bits per pixel (%d) must be 1, 3 or 4, "
                          "was %d",
                          h.bits, channels);
    WEIR_TRY(weir_image_check_size("BMP", h.height, h.width, 1));
    int64_t last_row = h.width * channels; /* need not be padded */
    int64_t need = row_bytes(&h) * (h.height - 1) + last_row;
    if (h.start > bytes.length || need > (int64_t)(bytes.length - h.start))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Incomplete bmp content, requires at least %lld bytes, got %zu bytes",
                          (long long)(need + h.start), bytes.length);
    out_info->width = h.width;
    out_info->height = h.height;
    out_info->channels = channels;
    return WEIR_OK;
}

static void convert_row(const uint8_t *in, int64_t width, int channels, uint8_t *out)
{
    if (channels == 1) {
        memcpy(out, in, (size_t)width);
        return;
    }
    for (int64_t x = 0; x < width; x++, in += channels, out += channels) {
        out[0] = in[2];
        out[1] = in[1];
        out[2] = in[0];
        if (channels == 4)
            out[3] = in[3];
    }
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    header h = {0};
    WEIR_TRY(read_header(bytes, &h));
    if (want->channels != info->channels)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "channels attribute %d does not match bits per pixel from file %d",
                          want->channels, info->channels);
    const uint8_t *from = (const uint8_t *)bytes.at + h.start;
    for (int64_t y = 0; y < h.height; y++) {
        int64_t stored = h.top_down ? y : h.height - 1 - y;
        convert_row(from + stored * row_bytes(&h), h.width, info->channels,
                    (uint8_t *)pixels + y * h.width * info->channels);
    }
    return WEIR_OK;
}

const weir_image_format weir_bmp_format = {"BMP", inspect, decode};
