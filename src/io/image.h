/* io/image.h - image files <-> pixels.
 *
 * Decoding has two halves: weir_image_inspect reads the size and type, the caller allocates the
 * pixels, and weir_image_decode fills them. Pixels are rows of interleaved channels without
 * padding, uint8 or uint16 in the machine's order. libpng and libjpeg are opened on first use;
 * UNIMPLEMENTED if missing. Thread-safe.
 */
#ifndef WEIR_IO_IMAGE_H
#define WEIR_IO_IMAGE_H

#include "base/str.h"

typedef enum weir_image_kind {
    WEIR_IMAGE_UNKNOWN,
    WEIR_IMAGE_PNG,
    WEIR_IMAGE_JPEG,
    WEIR_IMAGE_GIF,
    WEIR_IMAGE_BMP,
    WEIR_IMAGE_WEBP, /* recognised, not decoded */
} weir_image_kind;

enum {
    WEIR_IMAGE_MAX_PIXELS = 1 << 29, /* of all frames together */
    WEIR_IMAGE_MAX_SIDE = 1 << 27,
};

typedef struct weir_image_info {
    weir_image_kind kind;
    int64_t height, width;
    int64_t frames; /* 1 but for animations */
    int channels;   /* as stored, palettes expanded: what channels = 0 decodes to */
} weir_image_info;

typedef enum weir_jpeg_dct { WEIR_JPEG_DCT_FAST, WEIR_JPEG_DCT_ACCURATE } weir_jpeg_dct;

typedef struct weir_jpeg_decode {
    int ratio;                  /* 1, 2, 4, 8: downscales by it; 0 is 1 */
    bool no_fancy_upscaling;    /* replicate chroma instead of interpolating */
    bool try_recover_truncated; /* grey rows instead of an error */
    double acceptable_fraction; /* fraction of rows required for a recovery */
    weir_jpeg_dct dct;
    bool crop;                              /* decode only this window */
    int64_t crop_y, crop_x, crop_h, crop_w; /* of the image after ratio */
} weir_jpeg_decode;

typedef struct weir_image_want {
    int channels;          /* as the info says, or what the format converts to */
    int bits;              /* 8, or 16 (PNG only) */
    weir_jpeg_decode jpeg; /* JPEG only */
} weir_image_want;

/* From the first bytes alone. */
weir_image_kind weir_image_sniff(weir_str bytes);
/* INVALID_ARGUMENT when |bytes| are not an image of |kind|. For JPEG, |want| gives ratio and crop
 * (may be null). */
WEIR_CHECKED weir_status weir_image_inspect(weir_image_kind kind, weir_str bytes,
                                            const weir_image_want *want, weir_image_info *out_info);
/* Fills |pixels|: info->frames * height * width * want->channels elements of want->bits. */
WEIR_CHECKED weir_status weir_image_decode(const weir_image_info *info, weir_str bytes,
                                           const weir_image_want *want, void *pixels);

/* The input of encoders: one frame, 1 to 4 channels. */
typedef struct weir_pixels {
    const void *at;
    int64_t height, width;
    int channels, bits;
} weir_pixels;

WEIR_CHECKED weir_status weir_png_encode(const weir_pixels *pixels, int compression, weir_buf *out);

typedef struct weir_jpeg_encode {
    bool gray;   /* one channel, else RGB */
    int quality; /* 0..100 */
    bool progressive, optimize_size, chroma_downsampling;
    bool density_in_cm; /* else in inches */
    int x_density, y_density;
    weir_str xmp_metadata; /* may be empty */
} weir_jpeg_encode;
WEIR_CHECKED weir_status weir_jpeg_write(const weir_pixels *pixels, const weir_jpeg_encode *how,
                                         weir_buf *out);

#endif
