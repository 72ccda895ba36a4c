/* math/fft/fft.c - mixed radix by recursion, Bluestein for large primes. */
#include "math/fft/fft.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "memory/buffer.h"

enum { RADIX_MAX = 31, FACTORS_MAX = 64 };

struct weir_fft {
    int64_t length;
    int factor_count, factors[FACTORS_MAX]; /* their product is length, when small enough */
    weir_buffer *roots;                     /* e^(-2 pi i k / length) */
    weir_fft *inner;                        /* Bluestein: the power of two, else null */
    weir_buffer *chirp;                     /* e^(-pi i k^2 / length), and its spectrum */
};

/* The product without C's special handling of infinities. */
static inline weir_c128 mul(weir_c128 x, weir_c128 y)
{
    double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    return CMPLX(a * c - b * d, a * d + b * c);
}

static weir_c128 root(int64_t k, int64_t n)
{
    double angle = -2 * M_PI * (double)k / (double)n;
    return CMPLX(cos(angle), sin(angle));
}

/* Factors of four first: they save the most. False when a prime is too large. */
static bool factorise(weir_fft *fft)
{
    int64_t n = fft->length;
    for (int p = 4; n > 1 && p <= RADIX_MAX; p = p == 4 ? 2 : p == 2 ? 3 : p + 2)
        for (; n % p == 0; n /= p)
            fft->factors[fft->factor_count++] = p;
    return n == 1;
}

static weir_status make_roots(weir_fft *fft)
{
    WEIR_TRY(weir_buffer_alloc((size_t)fft->length * sizeof(weir_c128), &fft->roots));
    weir_c128 *r = fft->roots->data;
    for (int64_t k = 0; k < fft->length; k++)
        r[k] = root(k, fft->length);
    return WEIR_OK;
}

/* k^2 mod 2n keeps the argument of the angle small. */
static weir_c128 chirp_at(int64_t k, int64_t n)
{
    int64_t square = (int64_t)((unsigned __int128)k * (unsigned __int128)k % (2 * (uint64_t)n));
    return root(square, 2 * n);
}

static weir_status make_chirp(weir_fft *fft)
{
    int64_t n = fft->length, size = 1;
    while (size < 2 * n - 1)
        size *= 2;
    WEIR_TRY(weir_fft_create(size, &fft->inner));
    WEIR_TRY(weir_buffer_alloc((size_t)(n + size) * sizeof(weir_c128), &fft->chirp));
    weir_c128 *c = fft->chirp->data, *spectrum = c + n;
    memset(spectrum, 0, (size_t)size * sizeof *spectrum);
    for (int64_t k = 0; k < n; k++) {
        c[k] = chirp_at(k, n);
        spectrum[k] = conj(c[k]);
        if (k)
            spectrum[size - k] = conj(c[k]);
    }
    weir_buffer *scratch;
    WEIR_TRY(weir_buffer_alloc((size_t)weir_fft_scratch(fft->inner) * sizeof(weir_c128), &scratch));
    weir_fft_line(fft->inner, false, spectrum, scratch->data);
    weir_buffer_release(scratch);
    return WEIR_OK;
}

weir_status weir_fft_create(int64_t length, weir_fft **out_fft)
{
    weir_fft *fft = WEIR_NEW(weir_fft);
    fft->length = length;
    weir_status status = factorise(fft) ? make_roots(fft) : make_chirp(fft);
    if (status) {
        weir_fft_destroy(fft);
        return status;
    }
    *out_fft = fft;
    return WEIR_OK;
}

void weir_fft_destroy(weir_fft *fft)
{
    if (!fft)
        return;
    weir_fft_destroy(fft->inner);
    if (fft->roots)
        weir_buffer_release(fft->roots);
    if (fft->chirp)
        weir_buffer_release(fft->chirp);
    weir_free(fft);
}

int64_t weir_fft_scratch(const weir_fft *fft)
{
    return fft->inner ? 2 * fft->inner->length : fft->length;
}

/* Combines r transforms of length m, adjacent in |y|, into one. |step| is length / (r m). */
static void join(const weir_fft *fft, weir_c128 *y, int r, int64_t m, int64_t step)
{
    const weir_c128 *w = fft->roots->data;
    weir_c128 t[RADIX_MAX];
    int64_t turn = fft->length / r;
    for (int64_t j = 0; j < m; j++) {
        for (int k = 0; k < r; k++)
            t[k] = k && j ? mul(y[k * m + j], w[j * k * step]) : y[k * m + j];
        if (r == 2) {
            y[j] = t[0] + t[1];
            y[m + j] = t[0] - t[1];
        } else if (r == 4) {
            weir_c128 a = t[0] + t[2], b = t[0] - t[2], c = t[1] + t[3], d = t[1] - t[3];
            weir_c128 turned = CMPLX(cimag(d), -creal(d)); /* -i d */
            y[j] = a + c;
            y[m + j] = b + turned;
            y[2 * m + j] = a - c;
            y[3 * m + j] = b - turned;
        } else {
            for (int q = 0; q < r; q++) {
                weir_c128 sum = t[0];
                for (int k = 1; k < r; k++)
                    sum += mul(t[k], w[(int64_t)(q * k % r) * turn]);
                y[q * m + j] = sum;
            }
        }
    }
}

/* y = transform of x[0], x[stride], ...: |n| of them, by factors from |level| on. */
static void transform(const weir_fft *fft, int level, int64_t n, int64_t stride, const weir_c128 *x,
                      weir_c128 *y)
{
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    int r = fft->factors[level];
    int64_t m = n / r;
    for (int k = 0; k < r; k++)
        transform(fft, level + 1, m, stride * r, x + k * stride, y + k * m);
    join(fft, y, r, m, stride);
}

static void bluestein(const weir_fft *fft, weir_c128 *line, weir_c128 *scratch)
{
    const weir_c128 *chirp = fft->chirp->data, *spectrum = chirp + fft->length;
    int64_t n = fft->length, size = fft->inner->length;
    weir_c128 *work = scratch, *rest = scratch + size;
    for (int64_t k = 0; k < size; k++)
        work[k] = k < n ? mul(line[k], chirp[k]) : 0;
    weir_fft_line(fft->inner, false, work, rest);
    for (int64_t k = 0; k < size; k++)
        work[k] = mul(work[k], spectrum[k]);
    weir_fft_line(fft->inner, true, work, rest);
    for (int64_t k = 0; k < n; k++)
        line[k] = mul(work[k], chirp[k]);
}

/* The inverse is the forward transform of the conjugate, conjugated. */
static void conjugate(weir_c128 *line, int64_t n, double scale)
{
    for (int64_t k = 0; k < n; k++)
        line[k] = CMPLX(creal(line[k]) * scale, -cimag(line[k]) * scale);
}

void weir_fft_line(const weir_fft *fft, bool inverse, weir_c128 *line, weir_c128 *scratch)
{
    if (inverse)
        conjugate(line, fft->length, 1);
    if (fft->inner) {
        bluestein(fft, line, scratch);
    } else {
        memcpy(scratch, line, (size_t)fft->length * sizeof *line);
        transform(fft, 0, fft->length, 1, scratch, line);
    }
    if (inverse)
        conjugate(line, fft->length, 1 / (double)fft->length);
}

typedef struct axis {
    const weir_fft *fft;
    weir_c128 *x;
    int64_t inner;
    bool inverse;
    atomic_bool no_memory;
} axis;

static void lines(void *ctx, int64_t begin, int64_t end)
{
    axis *axis = ctx;
    int64_t n = axis->fft->length;
    weir_buffer *scratch;
    weir_status status =
        weir_buffer_alloc((size_t)(n + weir_fft_scratch(axis->fft)) * sizeof(weir_c128), &scratch);
    if (status) {
        weir_status_free(status);
        atomic_store(&axis->no_memory, true);
        return;
    }
    weir_c128 *line = scratch->data;
    for (int64_t i = begin; i < end; i++) {
        weir_c128 *x = axis->x + i / axis->inner * n * axis->inner + i % axis->inner;
        for (int64_t k = 0; k < n; k++)
            line[k] = x[k * axis->inner];
        weir_fft_line(axis->fft, axis->inverse, line, line + n);
        for (int64_t k = 0; k < n; k++)
            x[k * axis->inner] = line[k];
    }
    weir_buffer_release(scratch);
}

weir_status weir_fft_axis(const weir_par *par, bool inverse, int64_t outer, int64_t length,
                          int64_t inner, weir_c128 *x)
{
    if (length < 1 || outer * inner == 0)
        return WEIR_OK;
    weir_fft *fft;
    WEIR_TRY(weir_fft_create(length, &fft));
    axis axis = {.fft = fft, .x = x, .inner = inner, .inverse = inverse};
    int64_t grain = 4096 / length;
    weir_par_for_long(par, outer * inner, grain ? grain : 1, lines, &axis);
    weir_fft_destroy(fft);
    if (atomic_load(&axis.no_memory))
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for a transform of length %lld",
                          (long long)length);
    return WEIR_OK;
}
