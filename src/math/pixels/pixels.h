/* math/pixels/pixels.h - conversion of 8-bit pixels to floats: scale, crop, flip, resize.
 *
 * Results are equal across instruction sets up to the rounding of one fused multiplication.
 */
#ifndef WEIR_MATH_PIXELS_H
#define WEIR_MATH_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* y[i] = x[i] * scale + shift */
void weir_pixels_convert(int64_t count, const uint8_t *x, float scale, float shift, float *y);

/* One image of |height| rows of |width| pixels of |channels| bytes. Its window, which may extend
 * outside (edge pixels are repeated), is resized by bilinear interpolation between pixel centres,
 * as in tf.image.resize. Then y = pixel * scale + shift. Outputs with more channels than the image
 * repeat its last one. */
typedef struct weir_resample {
    const uint8_t *pixels;
    int64_t height, width;
    int channels;
    int64_t top, left, window_height, window_width; /* at least 1 by 1 */
    bool flip;                                      /* mirrors horizontally */
    int64_t out_height, out_width;
    int out_channels;
    float scale, shift;
} weir_resample;

/* |scratch| has weir_resample_scratch_bytes bytes, aligned for floats. */
size_t weir_resample_scratch_bytes(const weir_resample *resample);
void weir_resample_run(const weir_resample *resample, void *scratch, float *y);

/* Converts rows of 3 or 4 channels (the fourth is ignored) to grey, with JPEG's weights: 0.299,
 * 0.587, 0.114. */
void weir_pixels_grey(int64_t count, int channels, const uint8_t *x, uint8_t *y);

#endif
