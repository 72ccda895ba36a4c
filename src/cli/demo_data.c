/* cli/demo_data.c - digits, drawn or read. */
#include "cli/demo_data.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/idx.h"

enum { SIDE = 10, GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, CLASSES = 10 };

/* Each digit in 5 x 7 dots. */
static const char *const glyphs[CLASSES] = {
    " ### #   ##  ### # ###  ##   # ### ", "  #   ##    #    #    #    #   ### ",
    " ### #   #    #   #   #   #   #####", " ### #   #    #  ##     ##   # ### ",
    "   #   ##  # # #  # #####   #    # ", "######    ####     #    ##   # ### ",
    "  ##  #   #    #### #   ##   # ### ", "#####    #   #   #   #    #    #   ",
    " ### #   ##   # ### #   ##   # ### ", " ### #   ##   # ####    #   #  ##  ",
};

/* xorshift64*: enough for noise. */
static uint32_t next(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (uint32_t)((*seed * 2685821657736338717ull) >> 32);
}

static float uniform(uint64_t *seed)
{
    return (float)(next(seed) >> 8) * (1.0f / (1 << 24));
}

static void draw(int digit, uint64_t *seed, float *pixels)
{
    int left = (SIDE - GLYPH_WIDTH) / 2 + (int)(next(seed) % 3) - 1; /* about the middle */
    int top = (SIDE - GLYPH_HEIGHT) / 2 + (int)(next(seed) % 3) - 1;
    float ink = 0.5f + 0.5f * uniform(seed);
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = 0.35f * uniform(seed);
    for (int y = 0; y < GLYPH_HEIGHT; y++)
        for (int x = 0; x < GLYPH_WIDTH; x++) {
            bool set = glyphs[digit][y * GLYPH_WIDTH + x] == '#';
            bool lost = next(seed) % 16 == 0; /* a dot that did not print */
            if (set && !lost)
                pixels[(top + y) * SIDE + left + x] = ink;
        }
}

static void alloc(weir_digits *d, int count, int side)
{
    d->count = count;
    d->side = side;
    d->pixels = WEIR_NEW_ARRAY(float, (size_t)count *side *side);
    d->labels = WEIR_NEW_ARRAY(int32_t, count);
}

void weir_digits_draw(int count, uint64_t seed, weir_digits *out_digits)
{
    alloc(out_digits, count, SIDE);
    for (int i = 0; i < count; i++) {
        out_digits->labels[i] = (int32_t)(next(&seed) % CLASSES);
        draw(out_digits->labels[i], &seed, out_digits->pixels + (size_t)i * SIDE * SIDE);
    }
}

static weir_status read_idx(const char *folder, const char *stem, const char *kind,
                            weir_tensor *out)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s-ubyte", folder, stem, kind);
    if (access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/%s-%s-ubyte.gz", folder, stem, kind);
    WEIR_TRY_NOTE(weir_idx_read(path, out), " (wanted MNIST's %s-%s-ubyte, plain or .gz)", stem,
                  kind);
    return WEIR_OK;
}

static weir_status check(const weir_tensor *images, const weir_tensor *labels)
{
    const weir_shape *s = &images->shape;
    if (images->dtype == WEIR_UINT8 && labels->dtype == WEIR_UINT8 && s->rank == 3 &&
        s->dims[1] == s->dims[2] && labels->shape.rank == 1 &&
        labels->shape.dims[0] == s->dims[0] && s->dims[0] > 0 && s->dims[0] <= 1 << 20 &&
        s->dims[1] <= 256)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "images of shape %s and labels of shape %s do not match", WEIR_SHAPE_STR(s),
                      WEIR_SHAPE_STR(&labels->shape));
}

static void convert(const weir_tensor *images, const weir_tensor *labels, weir_digits *out)
{
    const uint8_t *bytes = images->data, *classes = labels->data;
    alloc(out, (int)images->shape.dims[0], (int)images->shape.dims[1]);
    for (int64_t i = 0; i < weir_tensor_count(images); i++)
        out->pixels[i] = bytes[i] / 255.0f;
    for (int i = 0; i < out->count; i++)
        out->labels[i] = classes[i] % CLASSES;
}

weir_status weir_digits_read(const char *folder, const char *stem, weir_digits *out_digits)
{
    weir_tensor images = {0}, labels = {0};
    weir_status s = read_idx(folder, stem, "images-idx3", &images);
    if (s == WEIR_OK)
        s = read_idx(folder, stem, "labels-idx1", &labels);
    if (s == WEIR_OK)
        s = check(&images, &labels);
    if (s == WEIR_OK)
        convert(&images, &labels, out_digits);
    weir_tensor_release(&images);
    weir_tensor_release(&labels);
    return s;
}

void weir_digits_fini(weir_digits *d)
{
    weir_free(d->pixels);
    weir_free(d->labels);
    *d = (weir_digits){0};
}

void weir_digits_batch(const weir_digits *d, int count, uint64_t *seed, float *out_pixels,
                       int32_t *out_labels)
{
    size_t size = (size_t)d->side * d->side;
    for (int i = 0; i < count; i++) {
        size_t pick = next(seed) % (uint32_t)d->count;
        memcpy(out_pixels + i * size, d->pixels + pick * size, size * sizeof(float));
        out_labels[i] = d->labels[pick];
    }
}
