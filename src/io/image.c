/* io/image.c - detects the format of an image and calls its decoder. */
#include "io/image.h"

#include "io/image_impl.h"

static const weir_image_format *const formats[] = {
    [WEIR_IMAGE_PNG] = &weir_png_format,
    [WEIR_IMAGE_JPEG] = &weir_jpeg_format,
    [WEIR_IMAGE_GIF] = &weir_gif_format,
    [WEIR_IMAGE_BMP] = &weir_bmp_format,
};

static bool starts(weir_str bytes, const char *magic, size_t length)
{
    return bytes.length >= length && memcmp(bytes.at, magic, length) == 0;
}

weir_image_kind weir_image_sniff(weir_str bytes)
{
    if (starts(bytes, "\x89PNG\r\n\x1a\n", 8))
        return WEIR_IMAGE_PNG;
    if (starts(bytes, "\xff\xd8\xff", 3))
        return WEIR_IMAGE_JPEG;
    if (starts(bytes, "GIF8", 4))
        return WEIR_IMAGE_GIF;
    if (starts(bytes, "BM", 2))
        return WEIR_IMAGE_BMP;
    if (starts(bytes, "RIFF", 4) && bytes.length >= 12 && memcmp(bytes.at + 8, "WEBP", 4) == 0)
        return WEIR_IMAGE_WEBP;
    return WEIR_IMAGE_UNKNOWN;
}

weir_status weir_image_check_size(const char *format, int64_t height, int64_t width, int64_t frames)
{
    if (height < 1 || width < 1 || frames < 1 || height >= WEIR_IMAGE_MAX_SIDE ||
        width >= WEIR_IMAGE_MAX_SIDE || frames > WEIR_IMAGE_MAX_PIXELS / height / width)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s size too large or invalid: %lld by %lld",
                          format, (long long)width, (long long)height);
    return WEIR_OK;
}

static const weir_image_format *format_of(weir_image_kind kind)
{
    return (size_t)kind < sizeof formats / sizeof *formats ? formats[kind] : NULL;
}

weir_status weir_image_inspect(weir_image_kind kind, weir_str bytes, const weir_image_want *want,
                               weir_image_info *out_info)
{
    const weir_image_format *format = format_of(kind);
    if (!format)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Unknown image file format. One of JPEG, JPEG XL, PNG, GIF, BMP, WebP "
                          "required.");
    weir_image_info info = {.kind = kind, .frames = 1};
    WEIR_TRY(format->inspect(bytes, want ? want : &(weir_image_want){0}, &info));
    WEIR_TRY(weir_image_check_size(format->name, info.height, info.width, info.frames));
    *out_info = info;
    return WEIR_OK;
}

weir_status weir_image_decode(const weir_image_info *info, weir_str bytes,
                              const weir_image_want *want, void *pixels)
{
    return format_of(info->kind)->decode(info, bytes, want, pixels);
}
