/* io/image_impl.h - the interface between image.c and each image format. */
#ifndef WEIR_IO_IMAGE_IMPL_H
#define WEIR_IO_IMAGE_IMPL_H

#include "io/image.h"

typedef struct weir_image_format {
    const char *name;
    weir_status (*inspect)(weir_str bytes, const weir_image_want *want, weir_image_info *out_info);
    weir_status (*decode)(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels);
} weir_image_format;

extern const weir_image_format weir_png_format, weir_jpeg_format, weir_gif_format, weir_bmp_format;

/* Rejects sides below 1 and implausibly large images. */
WEIR_CHECKED weir_status weir_image_check_size(const char *format, int64_t height, int64_t width,
                                               int64_t frames);

#endif
