/* cli/demo_data.h - pictures of digits to learn from, drawn here or read from MNIST's files. */
#ifndef WEIR_CLI_DEMO_DATA_H
#define WEIR_CLI_DEMO_DATA_H

#include <stdint.h>

#include "base/status.h"

typedef struct weir_digits {
    int count, side; /* pictures, and pixels along each edge */
    float *pixels;   /* count * side * side, 0 to 1; owned */
    int32_t *labels; /* count, 0 to 9; owned */
} weir_digits;

/* Draws |count| digits, shifted, of varying weight, in noise. The same for the same seed. */
void weir_digits_draw(int count, uint64_t seed, weir_digits *out_digits);
/* Reads "<stem>-images-idx3-ubyte" and "-labels-idx1-ubyte" (or .gz) of a folder. */
WEIR_CHECKED weir_status weir_digits_read(const char *folder, const char *stem,
                                          weir_digits *out_digits);
void weir_digits_fini(weir_digits *d); /* takes a zeroed one */

/* Copies |count| random pictures and labels: a batch. */
void weir_digits_batch(const weir_digits *d, int count, uint64_t *seed, float *out_pixels,
                       int32_t *out_labels);

#endif
