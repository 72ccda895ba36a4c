/* ops/image/audio.c - AudioSpectrogram, Mfcc: spectral features of sound. */
#include <inttypes.h>
#include <math.h>

#include "math/fft/fft.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

/* ---- AudioSpectrogram ------------------------------------------------------------------------ */

enum { WINDOW, STRIDE, SQUARED };

static int64_t power_of_two(int64_t at_least)
{
    int64_t size = 1;
    while (size < at_least)
        size *= 2;
    return size;
}

static weir_status check_window(const weir_site *site)
{
    int64_t window = weir_site_int(site, WINDOW), stride = weir_site_int(site, STRIDE);
    if (window < 2 || window > 1 << 24 || stride < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "AudioSpectrogram: window_size %" PRId64 " and stride %" PRId64
                          " are not valid",
                          window, stride);
    return WEIR_OK;
}

/* [samples, channels] to [channels, slices, frequencies]. */
static weir_status spectrogram_infer(weir_infer *infer)
{
    WEIR_TRY(check_window(infer->site));
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    int64_t window = weir_site_int(infer->site, WINDOW);
    int64_t bins = 1 + power_of_two(window) / 2, slices = -1;
    int64_t samples = infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[0];
    if (samples >= 0)
        slices = samples < window ? 0 : 1 + (samples - window) / weir_site_int(infer->site, STRIDE);
    infer->out[0] =
        (weir_shape){3, {infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[1], slices, bins}};
    return weir_infer_running(infer) ? weir_shape_check(&infer->out[0]) : WEIR_OK;
}

/* One slice of one channel, under a periodic Hann window. */
static void slice_spectrum(const weir_call *call, const weir_fft *fft, int64_t size,
                           int64_t channel, int64_t slice, weir_c128 *work)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int64_t window = weir_site_int(call->site, WINDOW), bins = size / 2 + 1;
    int64_t first = slice * weir_site_int(call->site, STRIDE), channels = x->shape.dims[1];
    bool squared = weir_site_bool(call->site, SQUARED);
    const float *samples = x->data;
    float *out = (float *)y->data + (channel * y->shape.dims[1] + slice) * bins;
    for (int64_t i = 0; i < size; i++) {
        double hann = 0.5 - 0.5 * cos(2 * M_PI * (double)i / (double)window);
        work[i] = i < window ? samples[(first + i) * channels + channel] * hann : 0;
    }
    weir_fft_line(fft, false, work, work + size);
    for (int64_t k = 0; k < bins; k++) {
        double power = creal(work[k]) * creal(work[k]) + cimag(work[k]) * cimag(work[k]);
        out[k] = (float)(squared ? power : sqrt(power));
    }
}

static weir_status spectrogram(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    int64_t size = power_of_two(weir_site_int(call->site, WINDOW));
    weir_fft *fft;
    weir_tensor work;
    if (weir_tensor_count(y) == 0)
        return WEIR_OK;
    WEIR_TRY(weir_fft_create(size, &fft));
    weir_shape shape = weir_shape_vector(size + weir_fft_scratch(fft));
    weir_status status = weir_tensor_alloc(WEIR_COMPLEX128, &shape, &work);
    for (int64_t c = 0; !status && c < y->shape.dims[0]; c++)
        for (int64_t s = 0; s < y->shape.dims[1]; s++)
            slice_spectrum(call, fft, size, c, s, work.data);
    if (!status)
        weir_tensor_release(&work);
    weir_fft_destroy(fft);
    return status;
}

WEIR_DEFINE_OP(audio_spectrogram, "AudioSpectrogram", .in = "input: float",
               .out = "spectrogram: float",
               .attrs = "window_size: int; stride: int; magnitude_squared: bool = false",
               .infer = spectrogram_infer, .kernels = {{WEIR_CPU, "*", spectrogram}});

/* ---- Mfcc ------------------------------------------------------------------------------------ */

enum { UPPER, LOWER, CHANNELS, COEFFICIENTS };

static weir_status check_mfcc(const weir_site *site)
{
    int64_t channels = weir_site_int(site, CHANNELS), count = weir_site_int(site, COEFFICIENTS);
    float upper = weir_site_float(site, UPPER), lower = weir_site_float(site, LOWER);
    if (channels < 1 || channels > 1 << 16 || count < 1 || count > channels || !(lower >= 0) ||
        !(upper > lower) || !isfinite(upper))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Mfcc initialization failed for channel count %" PRId64
                          ", coefficients %" PRId64 ", frequencies from %g to %g",
                          channels, count, lower, upper);
    return WEIR_OK;
}

static weir_status mfcc_infer(weir_infer *infer)
{
    WEIR_TRY(check_mfcc(infer->site));
    WEIR_TRY(weir_infer_rank(infer, 0, 3));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    infer->out[0] = (weir_shape){3, {-1, -1, weir_site_int(infer->site, COEFFICIENTS)}};
    if (infer->in[0]->rank == 3)
        memcpy(infer->out[0].dims, infer->in[0]->dims, 2 * sizeof(int64_t));
    return weir_infer_running(infer) ? weir_shape_check(&infer->out[0]) : WEIR_OK;
}

static double mel(double frequency)
{
    return 1127.0 * log1p(frequency / 700.0);
}

/* Triangular filters, evenly spaced in mels. A bin between two centres contributes to both:
 * |weight| of it to the lower one, |band|; the rest to the next. */
typedef struct filters {
    int64_t channels, first, last, bins;
    double *weight;
    int64_t *band;
} filters;

static void make_filters(const weir_call *call, double rate, filters *f)
{
    double low = mel(weir_site_float(call->site, LOWER));
    double high = mel(weir_site_float(call->site, UPPER));
    double spacing = (high - low) / (double)(f->channels + 1);
    double per_bin = 0.5 * rate / (double)(f->bins - 1);
    f->first = (int64_t)(1.5 + weir_site_float(call->site, LOWER) / per_bin);
    f->last = (int64_t)(weir_site_float(call->site, UPPER) / per_bin);
    for (int64_t i = 0; i < f->bins; i++) {
        double m = mel((double)i * per_bin);
        f->band[i] = i < f->first || i > f->last ? -2 : -1;
        while (f->band[i] > -2 && f->band[i] + 1 < f->channels &&
               low + spacing * (double)(f->band[i] + 2) < m)
            f->band[i]++;
        double below = low + spacing * (double)(f->band[i] + 1), above = below + spacing;
        f->weight[i] = (above - m) / (above - below);
    }
}

/* Band energies of one spectrum of squared magnitudes. */
static void band_energies(const filters *f, const float *spectrum, double *energies)
{
    for (int64_t c = 0; c < f->channels; c++)
        energies[c] = 0;
    for (int64_t i = f->first; i <= f->last && i < f->bins; i++) {
        double magnitude = sqrt(spectrum[i]), share = magnitude * f->weight[i];
        if (f->band[i] >= 0)
            energies[f->band[i]] += share;
        if (f->band[i] + 1 < f->channels)
            energies[f->band[i] + 1] += magnitude - share;
    }
}

/* The cosine transform of the logarithms. */
static void cosines(int64_t channels, const double *energies, int64_t count, float *out)
{
    double scale = sqrt(2.0 / (double)channels);
    for (int64_t k = 0; k < count; k++) {
        double sum = 0;
        for (int64_t c = 0; c < channels; c++)
            sum += scale * cos((double)k * M_PI / (double)channels * ((double)c + 0.5)) *
                   log(fmax(energies[c], 1e-12));
        out[k] = (float)sum;
    }
}

static weir_status mfcc(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int32_t rate = *(const int32_t *)weir_in(call, 1)->data;
    filters f = {.channels = weir_site_int(call->site, CHANNELS), .bins = x->shape.dims[2]};
    int64_t lines = x->shape.dims[0] * x->shape.dims[1];
    int64_t count = weir_site_int(call->site, COEFFICIENTS);
    if (rate < 1 || f.bins < 2 || weir_site_float(call->site, UPPER) > rate / 2.0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Mfcc initialization failed for channel count %" PRId64
                          ", sample rate %d and a spectrum of %" PRId64 " bins",
                          f.channels, rate, f.bins);
    weir_shape room = weir_shape_vector(2 * f.bins + f.channels);
    weir_tensor work;
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, &room, &work));
    f.weight = work.data;
    f.band = (int64_t *)(f.weight + f.bins);
    double *energies = f.weight + 2 * f.bins;
    make_filters(call, rate, &f);
    for (int64_t l = 0; l < lines; l++) {
        band_energies(&f, (const float *)x->data + l * f.bins, energies);
        cosines(f.channels, energies, count, (float *)weir_out(call, 0)->data + l * count);
    }
    weir_tensor_release(&work);
    return WEIR_OK;
}

WEIR_DEFINE_OP(mfcc, "Mfcc", .in = "spectrogram: float; sample_rate: int32", .out = "output: float",
               .attrs = "upper_frequency_limit: float = 4000.0; "
                        "lower_frequency_limit: float = 20.0; "
                        "filterbank_channel_count: int = 40; dct_coefficient_count: int = 13",
               .infer = mfcc_infer, .host = "sample_rate", .kernels = {{WEIR_CPU, "*", mfcc}});
