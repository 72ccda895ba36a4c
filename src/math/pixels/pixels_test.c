/* math/pixels/pixels_test.c - resampling against the formula, at every size and level. */
#include "math/pixels/pixels.h"

#include <stdlib.h>

#include "base/test.h"
#include "math/pixels/pixels_impl.h"

enum { SIDE = 40, OUT = 64 };

static uint8_t *image; /* ends where the sanitizer watches */
static float got[OUT * OUT * 3 + 1];

static void make_image(int64_t height, int64_t width, int channels)
{
    free(image);
    image = malloc((size_t)(height * width * channels));
    for (int64_t i = 0; i < height * width * channels; i++)
        image[i] = (uint8_t)(i * 2654435761u >> 11);
}

static double at(const weir_resample *r, int64_t y, int64_t x, int c)
{
    y = y < 0 ? 0 : y >= r->height ? r->height - 1 : y;
    x = x < 0 ? 0 : x >= r->width ? r->width - 1 : x;
    c = c < r->channels ? c : r->channels - 1;
    return r->pixels[(y * r->width + x) * r->channels + c];
}

static int64_t inside(double v, int64_t window)
{
    return v < 0 ? 0 : v > (double)window - 1 ? window - 1 : (int64_t)v;
}

static double expected(const weir_resample *r, int64_t y, int64_t x, int c)
{
    if (r->flip)
        x = r->out_width - 1 - x;
    double v = ((double)y + 0.5) * (double)r->window_height / (double)r->out_height - 0.5;
    double u = ((double)x + 0.5) * (double)r->window_width / (double)r->out_width - 0.5;
    int64_t y0 = inside(floor(v), r->window_height), y1 = inside(ceil(v), r->window_height);
    int64_t x0 = inside(floor(u), r->window_width), x1 = inside(ceil(u), r->window_width);
    double dy = v - floor(v), dx = u - floor(u), t = (double)r->top, l = (double)r->left;
    double top = at(r, t + y0, l + x0, c) * (1 - dx) + at(r, t + y0, l + x1, c) * dx;
    double low = at(r, t + y1, l + x0, c) * (1 - dx) + at(r, t + y1, l + x1, c) * dx;
    return (top * (1 - dy) + low * dy) * r->scale + r->shift;
}

static void check(weir_resample r)
{
    make_image(r.height, r.width, r.channels);
    r.pixels = image;
    int64_t n = r.out_height * r.out_width * r.out_channels;
    void *scratch = malloc(weir_resample_scratch_bytes(&r));
    got[n] = -7;
    weir_resample_run(&r, scratch, got);
    free(scratch);
    CHECK_EQ(got[n], -7); /* nothing after the image is written: it may belong to another thread */
    int bad = 0;
    for (int64_t i = 0; i < n && bad < 3; i++) {
        int64_t pixel = i / r.out_channels;
        double want = expected(&r, pixel / r.out_width, pixel % r.out_width, i % r.out_channels);
        bad += !(fabs(got[i] - want) < 2e-4);
    }
    CHECK_MSG(bad == 0, "%dx%dx%d, window %d,%d %dx%d, to %dx%dx%d", (int)r.height, (int)r.width,
              r.channels, (int)r.top, (int)r.left, (int)r.window_height, (int)r.window_width,
              (int)r.out_height, (int)r.out_width, r.out_channels);
}

TEST(resample)
{
    static const int64_t outs[][2] = {{1, 1}, {7, 64}, {20, 17}, {40, 33}, {64, 50}};
    static const int64_t windows[][4] = {
        {0, 0, 40, 33}, {5, 3, 20, 17}, {-4, -6, 40, 33}, {30, 20, 20, 30}, {39, 32, 1, 1}};
    static const int channels[][2] = {{1, 1}, {3, 3}, {1, 3}, {4, 3}};
    for (int o = 0; o < 5; o++)
        for (int w = 0; w < 5; w++)
            for (int c = 0; c < 4; c++)
                for (int flip = 0; flip < 2; flip++)
                    check((weir_resample){.height = 40,
                                          .width = 33,
                                          .channels = channels[c][0],
                                          .top = windows[w][0],
                                          .left = windows[w][1],
                                          .window_height = windows[w][2],
                                          .window_width = windows[w][3],
                                          .flip = flip,
                                          .out_height = outs[o][0],
                                          .out_width = outs[o][1],
                                          .out_channels = channels[c][1],
                                          .scale = 0.25f,
                                          .shift = 3});
}

TEST(levels_agree)
{
    static float want[1000], other[1000];
    make_image(1, 1000, 2);
    for (int isa = 0; isa <= (int)weir_cpu_isa(); isa++) {
        const weir_pixel_loops *loops = WEIR_ISA_AT(weir_pixel_loops, isa);
        loops->convert(1000, image, 0.5f, 1, other);
        for (int i = 0; i < 1000; i++)
            want[i] = (float)image[i] * 0.5f + 1;
        CHECK(memcmp(want, other, sizeof want) == 0);
        loops->down_bytes(1000, image, image + 1000, 0.25f, 1, 0, other);
        for (int i = 0; i < 1000; i++)
            CHECK_NEAR(other[i], image[i] * 0.75 + image[1000 + i] * 0.25, 1e-4);
    }
}

TEST(grey)
{
    const uint8_t x[] = {255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
    uint8_t y[5];
    weir_pixels_grey(5, 3, x, y);
    const uint8_t want[] = {255, 0, 76, 150, 29};
    CHECK(memcmp(y, want, sizeof want) == 0);
}

TEST_MAIN()
