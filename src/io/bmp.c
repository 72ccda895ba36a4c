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

static weir_status read_header(weir_str bytes, header *header)
{
    if (bytes.length < LEAST_BYTES)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Incomplete bmp content, requires at least 32 bytes to find the header "
                          "size, width, height, and bpp, got %zu bytes",
                          bytes.length);
    int32_t height = (int32_t)weir_fixed32_get(bytes.at + 22);
    header->start = weir_fixed32_get(bytes.at + 10);
    header->width = (int32_t)weir_fixed32_get(bytes.at + 18);
    header->height = height < 0 ? -(int64_t)height : height;
    header->top_down = height < 0;
    header->bits = (uint8_t)bytes.at[28] | (uint8_t)bytes.at[29] << 8;
    return WEIR_OK;
}

static int64_t row_bytes(const header *header)
{
    return (header->width * header->bits / 8 + 3) / 4 * 4;
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    header header = {0};
    WEIR_TRY(read_header(bytes, &header));
    int channels = header.bits / 8;
    if (header.bits % 8 || (channels != 1 && channels != 3 && channels != 4))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of channels inferred from bits per pixel (%d) must be 1, 3 or 4, "
                          "was %d",
                          header.bits, channels);
    WEIR_TRY(weir_image_check_size("BMP", header.height, header.width, 1));
    int64_t excess =
        (int64_t)bytes.length - (int64_t)header.start - row_bytes(&header) * header.height;
    if (excess != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input size should match (header_size + row_size * abs_height) but they "
                          "differ by %lld",
                          (long long)excess);
    out_info->width = header.width;
    out_info->height = header.height;
    out_info->channels = channels;
    return WEIR_OK;
}

/* BGR becomes RGB; grey becomes three equal ones; a missing alpha is opaque. */
static void convert_row(const uint8_t *in, int64_t width, int from, int to, uint8_t *out)
{
    for (int64_t x = 0; x < width; x++, in += from, out += to) {
        for (int k = 0; k < 3 && k < to; k++)
            out[k] = in[from == 1 ? 0 : 2 - k];
        if (to == 4)
            out[3] = from == 4 ? in[3] : 255;
    }
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    header header = {0};
    WEIR_TRY(read_header(bytes, &header));
    if (want->channels != info->channels && want->channels < 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "`channels` must be 0, 3 or 4 for BMP, but got %d",
                          want->channels);
    const uint8_t *from = (const uint8_t *)bytes.at + header.start;
    for (int64_t y = 0; y < header.height; y++) {
        int64_t stored = header.top_down ? y : header.height - 1 - y;
        convert_row(from + stored * row_bytes(&header), header.width, info->channels,
                    want->channels, (uint8_t *)pixels + y * header.width * want->channels);
    }
    return WEIR_OK;
}

const weir_image_format weir_bmp_format = {"BMP", inspect, decode};
