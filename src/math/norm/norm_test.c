/* math/norm/norm_test.c - normalisations against their definition in double. */
#include "math/norm/norm.h"

#include "base/mem.h"
#include "base/test.h"

static uint32_t seed = 9;

static float draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(int)(seed >> 22) / 256.0f - 2.0f;
}

enum { ROWS = 700, CHANNELS = 37 };
static float x[ROWS * CHANNELS], dy[ROWS * CHANNELS], y[ROWS * CHANNELS], dx[ROWS * CHANNELS];

static void fill(void)
{
    for (int i = 0; i < ROWS * CHANNELS; i++) {
        x[i] = draw() + (float)(i % CHANNELS);
        dy[i] = draw();
    }
}

static double scale_of(const weir_lrn *w, const float *row, int64_t c)
{
    double sum = 0;
    for (int64_t k = c - w->radius; k <= c + w->radius; k++)
        sum += k >= 0 && k < w->channels ? (double)row[k] * row[k] : 0;
    return w->bias + w->alpha * sum;
}

TEST(local_response)
{
    weir_lrn w = {WEIR_E_f32, 9, 11, 2, 1.5f, 0.3f, 0.75f};
    fill();
    weir_lrn_run(NULL, &w, x, y);
    weir_lrn_grad(NULL, &w, dy, x, y, dx);
    for (int64_t r = 0; r < w.rows; r++)
        for (int64_t c = 0; c < w.channels; c++) {
            const float *row = x + r * w.channels, *d = dy + r * w.channels;
            double want = row[c] * pow(scale_of(&w, row, c), -w.beta);
            CHECK_NEAR(y[r * w.channels + c], want, 1e-5 * (1 + fabs(want)));
            want = d[c] * pow(scale_of(&w, row, c), -w.beta);
            for (int64_t k = c - w.radius; k <= c + w.radius; k++)
                if (k >= 0 && k < w.channels)
                    want -= 2 * w.alpha * w.beta * row[c] * d[k] * row[k] *
                            pow(scale_of(&w, row, k), -w.beta - 1);
            CHECK_NEAR(dx[r * w.channels + c], want, 1e-5 * (1 + fabs(want)));
        }
}

TEST(batch_moments_do_not_depend_on_threads)
{
    weir_batch_norm w = {WEIR_E_f32, ROWS, CHANNELS, 1e-3f};
    float mean[2][CHANNELS], variance[2][CHANNELS];
    fill();
    weir_batch_moments(NULL, &w, x, mean[0], variance[0]);
    weir_batch_moments(&(weir_par){weir_pool_shared(), 2}, &w, x, mean[1], variance[1]);
    for (int c = 0; c < CHANNELS; c++) {
        double m = 0, v = 0;
        for (int r = 0; r < ROWS; r++)
            m += x[r * CHANNELS + c] / (double)ROWS;
        for (int r = 0; r < ROWS; r++)
            v += (x[r * CHANNELS + c] - m) * (x[r * CHANNELS + c] - m) / ROWS;
        CHECK_NEAR(mean[0][c], m, 1e-5 * (1 + fabs(m)));
        CHECK_NEAR(variance[0][c], v, 1e-5 * v);
        CHECK(mean[0][c] == mean[1][c] && variance[0][c] == variance[1][c]);
    }
}

TEST(batch_gradient_of_a_constant_shift_is_zero)
{
    weir_batch_norm w = {WEIR_E_f32, ROWS, CHANNELS, 1e-3f};
    float mean[CHANNELS], variance[CHANNELS], scale[CHANNELS], dscale[CHANNELS], doffset[CHANNELS];
    fill();
    for (int c = 0; c < CHANNELS; c++)
        scale[c] = 1 + (float)c / 8;
    weir_batch_moments(NULL, &w, x, mean, variance);
    weir_batch_norm_run(NULL, &w, x, scale, mean, mean, variance, y);
    weir_batch_norm_grad(NULL, &w, true, dy, x, scale, mean, variance, dx, dscale, doffset);
    for (int c = 0; c < CHANNELS; c++) {
        double sum = 0, along = 0, back = 0, shift = 0, through = 0;
        for (int i = c; i < ROWS * CHANNELS; i += CHANNELS) {
            sum += y[i];
            back += dx[i];
            along += dx[i] * ((double)x[i] - mean[c]);
            shift += dy[i];
            through += dy[i] * ((double)y[i] - mean[c]);
        }
        CHECK_NEAR(sum / ROWS, mean[c], 1e-4 * (1 + fabs(mean[c])));
        CHECK_NEAR(back, 0, 2e-2);
        CHECK_NEAR(along * w.epsilon, 0, 2e-2); /* only epsilon keeps the scale from cancelling */
        CHECK_NEAR(doffset[c], shift, 1e-3);
        CHECK_NEAR(dscale[c] * scale[c], through, 1e-2 * (1 + fabs(through)));
    }
}

TEST_MAIN()
