/* math/conv/int32.c - the convolution of 32-bit integers, by its definition. */
#include <string.h>

#include "math/conv/conv_impl.h"

typedef struct i32_job {
    const weir_conv *g;
    int32_t *x, *y;
    const int32_t *w;
    bool backward; /* adds to x what y contributes, instead of to y what x contributes */
} i32_job;

/* One pixel of x and one of y, connected by one tap. */
static void i32_tap(const i32_job *s, uint32_t *x, const int32_t *w, uint32_t *y)
{
    const weir_conv *g = s->g;
    int64_t groups = g->in_c / g->filter_c, out_c = g->out_c / groups;
    for (int64_t i = 0; i < g->in_c; i++) {
        int64_t group = i / g->filter_c, c = i % g->filter_c;
        for (int64_t o = group * out_c; o < (group + 1) * out_c; o++)
            if (s->backward)
                x[i] += y[o] * (uint32_t)w[c * g->out_c + o];
            else
                y[o] += x[i] * (uint32_t)w[c * g->out_c + o];
    }
}

static void i32_pixel(const i32_job *s, int64_t row)
{
    const weir_conv *g = s->g;
    int64_t ox = row % g->out[2], oy = row / g->out[2] % g->out[1];
    int64_t oz = row / (g->out[2] * g->out[1]) % g->out[0];
    int64_t n = row / (g->out[0] * g->out[1] * g->out[2]);
    for (int64_t t = 0; t < g->taps[0] * g->taps[1] * g->taps[2]; t++) {
        int64_t kx = t % g->taps[2], ky = t / g->taps[2] % g->taps[1];
        int64_t kz = t / (g->taps[2] * g->taps[1]);
        int64_t z = oz * g->stride[0] - g->pad[0] + kz * g->dilation[0];
        int64_t y = oy * g->stride[1] - g->pad[1] + ky * g->dilation[1];
        int64_t x = ox * g->stride[2] - g->pad[2] + kx * g->dilation[2];
        if (z < 0 || z >= g->in[0] || y < 0 || y >= g->in[1] || x < 0 || x >= g->in[2])
            continue;
        int64_t pixel = ((n * g->in[0] + z) * g->in[1] + y) * g->in[2] + x;
        i32_tap(s, (uint32_t *)s->x + pixel * g->in_c, s->w + t * g->filter_c * g->out_c,
                (uint32_t *)s->y + row * g->out_c);
    }
}

/* Threads share the images: in both directions each image has its own result. */
static void i32_images(void *ctx, int64_t begin, int64_t end)
{
    const i32_job *s = ctx;
    const weir_conv *g = s->g;
    int64_t pixels = g->out[0] * g->out[1] * g->out[2];
    int64_t x_size = g->in[0] * g->in[1] * g->in[2] * g->in_c, y_size = pixels * g->out_c;
    for (int64_t n = begin; n < end; n++) {
        if (s->backward)
            memset(s->x + n * x_size, 0, sizeof *s->x * (size_t)x_size);
        else
            memset(s->y + n * y_size, 0, sizeof *s->y * (size_t)y_size);
        for (int64_t row = n * pixels; row < (n + 1) * pixels; row++)
            i32_pixel(s, row);
    }
}

void weir_conv_forward_i32(const weir_par *par, const weir_conv *g, const int32_t *x,
                           const int32_t *w, int32_t *y)
{
    i32_job job = {.g = g, .x = (int32_t *)x, .w = w, .y = y};
    weir_par_for(par, g->batch, 1, i32_images, &job);
}

void weir_conv_grad_x_i32(const weir_par *par, const weir_conv *g, const int32_t *dy,
                          const int32_t *w, int32_t *dx)
{
    i32_job job = {.g = g, .x = dx, .w = w, .y = (int32_t *)dy, .backward = true};
    weir_par_for(par, g->batch, 1, i32_images, &job);
}
