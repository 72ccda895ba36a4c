/* math/conv/int32.c - the convolution of 32-bit integers, the reference. */
#include <string.h>

#include "math/conv/conv_impl.h"

typedef struct i32_job {
    const weir_conv *conv;
    int32_t *x, *y;
    const int32_t *w;
    bool backward; /* adds y's contribution to x, instead of x's to y */
} i32_job;

/* One pixel of x and one of y, connected by one tap. */
static void i32_tap(const i32_job *job, uint32_t *x, const int32_t *w, uint32_t *y)
{
    const weir_conv *conv = job->conv;
    int64_t groups = conv->in_c / conv->filter_c, out_c = conv->out_c / groups;
    for (int64_t i = 0; i < conv->in_c; i++) {
        int64_t group = i / conv->filter_c, c = i % conv->filter_c;
        for (int64_t o = group * out_c; o < (group + 1) * out_c; o++)
            if (job->backward)
                x[i] += y[o] * (uint32_t)w[c * conv->out_c + o];
            else
                y[o] += x[i] * (uint32_t)w[c * conv->out_c + o];
    }
}

static void i32_pixel(const i32_job *job, int64_t row)
{
    const weir_conv *conv = job->conv;
    int64_t ox = row % conv->out[2], oy = row / conv->out[2] % conv->out[1];
    int64_t oz = row / (conv->out[2] * conv->out[1]) % conv->out[0];
    int64_t n = row / (conv->out[0] * conv->out[1] * conv->out[2]);
    for (int64_t t = 0; t < conv->taps[0] * conv->taps[1] * conv->taps[2]; t++) {
        int64_t kx = t % conv->taps[2], ky = t / conv->taps[2] % conv->taps[1];
        int64_t kz = t / (conv->taps[2] * conv->taps[1]);
        int64_t z = oz * conv->stride[0] - conv->pad[0] + kz * conv->dilation[0];
        int64_t y = oy * conv->stride[1] - conv->pad[1] + ky * conv->dilation[1];
        int64_t x = ox * conv->stride[2] - conv->pad[2] + kx * conv->dilation[2];
        if (z < 0 || z >= conv->in[0] || y < 0 || y >= conv->in[1] || x < 0 || x >= conv->in[2])
            continue;
        int64_t pixel = ((n * conv->in[0] + z) * conv->in[1] + y) * conv->in[2] + x;
        i32_tap(job, (uint32_t *)job->x + pixel * conv->in_c,
                job->w + t * conv->filter_c * conv->out_c, (uint32_t *)job->y + row * conv->out_c);
    }
}

/* Threads share the images: in both directions each image has its own result. */
static void i32_images(void *ctx, int64_t begin, int64_t end)
{
    const i32_job *job = ctx;
    const weir_conv *conv = job->conv;
    int64_t pixels = conv->out[0] * conv->out[1] * conv->out[2];
    int64_t x_size = conv->in[0] * conv->in[1] * conv->in[2] * conv->in_c,
            y_size = pixels * conv->out_c;
    for (int64_t n = begin; n < end; n++) {
        if (job->backward)
            memset(job->x + n * x_size, 0, sizeof *job->x * (size_t)x_size);
        else
            memset(job->y + n * y_size, 0, sizeof *job->y * (size_t)y_size);
        for (int64_t row = n * pixels; row < (n + 1) * pixels; row++)
            i32_pixel(job, row);
    }
}

void weir_conv_forward_i32(const weir_par *par, const weir_conv *conv, const int32_t *x,
                           const int32_t *w, int32_t *y)
{
    i32_job job = {.conv = conv, .x = (int32_t *)x, .w = w, .y = y};
    weir_par_for(par, conv->batch, 1, i32_images, &job);
}

void weir_conv_grad_x_i32(const weir_par *par, const weir_conv *conv, const int32_t *dy,
                          const int32_t *w, int32_t *dx)
{
    i32_job job = {.conv = conv, .x = dx, .w = w, .y = (int32_t *)dy, .backward = true};
    weir_par_for(par, conv->batch, 1, i32_images, &job);
}
