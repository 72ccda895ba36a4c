/* weir/ops/math/special.h - special functions, complex numbers, Fourier transforms.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_MATH_SPECIAL_OPS_H
#define WEIR_MATH_SPECIAL_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Angle(input: T) -> output: Tout: the argument of a complex number. T: complex64, complex128.
 * Tout: float, double. */
typedef struct weir_angle_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_angle_options;
static inline TF_Output weir_angle(weir_builder *builder, const char *node, TF_Output input,
                                   const weir_angle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Angle", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* BatchFFT(input: complex64) -> output: complex64. */
static inline TF_Output weir_batch_fft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchFFT", node, inputs, 1);
}

/* BatchFFT2D(input: complex64) -> output: complex64. */
static inline TF_Output weir_batch_fft2d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchFFT2D", node, inputs, 1);
}

/* BatchFFT3D(input: complex64) -> output: complex64. */
static inline TF_Output weir_batch_fft3d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchFFT3D", node, inputs, 1);
}

/* BatchIFFT(input: complex64) -> output: complex64. */
static inline TF_Output weir_batch_ifft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchIFFT", node, inputs, 1);
}

/* BatchIFFT2D(input: complex64) -> output: complex64. */
static inline TF_Output weir_batch_ifft2d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchIFFT2D", node, inputs, 1);
}

/* BatchIFFT3D(input: complex64) -> output: complex64. */
static inline TF_Output weir_batch_ifft3d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchIFFT3D", node, inputs, 1);
}

/* BesselI0(x: T) -> y: T: the modified Bessel function of the first kind, order 0. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_i0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI0", node, inputs, 1);
}

/* BesselI0e(x: T) -> y: T: BesselI0, scaled by e^-|x|. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_i0e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI0e", node, inputs, 1);
}

/* BesselI1(x: T) -> y: T: the modified Bessel function of the first kind, order 1. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_i1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI1", node, inputs, 1);
}

/* BesselI1e(x: T) -> y: T: BesselI1, scaled by e^-|x|. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_i1e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI1e", node, inputs, 1);
}

/* BesselJ0(x: T) -> y: T: the Bessel function of the first kind, order 0. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_bessel_j0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselJ0", node, inputs, 1);
}

/* BesselJ1(x: T) -> y: T: the Bessel function of the first kind, order 1. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_bessel_j1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselJ1", node, inputs, 1);
}

/* BesselK0(x: T) -> y: T: the modified Bessel function of the second kind, order 0. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_k0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK0", node, inputs, 1);
}

/* BesselK0e(x: T) -> y: T: BesselK0, scaled by e^x. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_k0e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK0e", node, inputs, 1);
}

/* BesselK1(x: T) -> y: T: the modified Bessel function of the second kind, order 1. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_k1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK1", node, inputs, 1);
}

/* BesselK1e(x: T) -> y: T: BesselK1, scaled by e^x. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_k1e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK1e", node, inputs, 1);
}

/* BesselY0(x: T) -> y: T: the Bessel function of the second kind, order 0. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_bessel_y0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselY0", node, inputs, 1);
}

/* BesselY1(x: T) -> y: T: the Bessel function of the second kind, order 1. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_bessel_y1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselY1", node, inputs, 1);
}

/* Betainc(a: T, b: T, x: T) -> z: T: the regularised incomplete beta function of three arguments.
 * T: float, double. */
static inline TF_Output weir_betainc(weir_builder *builder, const char *node, TF_Output a,
                                     TF_Output b, TF_Output x)
{
    const TF_Output inputs[] = {a, b, x};
    return weir_build_op(builder, "Betainc", node, inputs, 3);
}

/* Complex(real: T, imag: T) -> out: Tout: a complex number from its two parts. T: float, double.
 * Tout: complex64, complex128. */
typedef struct weir_complex_options {
    TF_DataType Tout; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_complex_options;
static inline TF_Output weir_complex(weir_builder *builder, const char *node, TF_Output real,
                                     TF_Output imag, const weir_complex_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Complex", node);
    weir_build_input(builder, made, real);
    weir_build_input(builder, made, imag);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* ComplexAbs(x: T) -> y: Tout: the magnitude of a complex number. T: complex64, complex128. Tout:
 * float, double. */
typedef struct weir_complex_abs_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_complex_abs_options;
static inline TF_Output weir_complex_abs(weir_builder *builder, const char *node, TF_Output x,
                                         const weir_complex_abs_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ComplexAbs", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* Conj(input: T) -> output: T: the complex conjugate. T: complex64, complex128, variant. */
static inline TF_Output weir_conj(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Conj", node, inputs, 1);
}

/* Dawsn(x: T) -> y: T: Dawson's integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_dawsn(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Dawsn", node, inputs, 1);
}

/* Digamma(x: T) -> y: T: the derivative of the logarithm of the gamma function. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_digamma(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Digamma", node, inputs, 1);
}

/* Erf(x: T) -> y: T: the error function. T: bfloat16, half, float, double. */
static inline TF_Output weir_erf(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Erf", node, inputs, 1);
}

/* Erfc(x: T) -> y: T: 1 - the error function. T: bfloat16, half, float, double. */
static inline TF_Output weir_erfc(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Erfc", node, inputs, 1);
}

/* Erfinv(x: T) -> y: T: the inverse of the error function. T: bfloat16, half, float, double. */
static inline TF_Output weir_erfinv(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Erfinv", node, inputs, 1);
}

/* Expint(x: T) -> y: T: the exponential integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_expint(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Expint", node, inputs, 1);
}

/* FFT(input: Tcomplex) -> output: Tcomplex: the discrete Fourier transform of the last axis.
 * Tcomplex: complex64, complex128. */
static inline TF_Output weir_fft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "FFT", node, inputs, 1);
}

/* FFT2D(input: Tcomplex) -> output: Tcomplex: the discrete Fourier transform of the last two axes.
 * Tcomplex: complex64, complex128. */
static inline TF_Output weir_fft2d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "FFT2D", node, inputs, 1);
}

/* FFT3D(input: Tcomplex) -> output: Tcomplex: the discrete Fourier transform of the last three
 * axes. Tcomplex: complex64, complex128. */
static inline TF_Output weir_fft3d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "FFT3D", node, inputs, 1);
}

/* FFTND(input: Tcomplex, fft_length: int32, axes: int32) -> output: Tcomplex. Tcomplex: complex64,
 * complex128. */
static inline TF_Output weir_fftnd(weir_builder *builder, const char *node, TF_Output input,
                                   TF_Output fft_length, TF_Output axes)
{
    const TF_Output inputs[] = {input, fft_length, axes};
    return weir_build_op(builder, "FFTND", node, inputs, 3);
}

/* FresnelCos(x: T) -> y: T: Fresnel's cosine integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_fresnel_cos(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "FresnelCos", node, inputs, 1);
}

/* FresnelSin(x: T) -> y: T: Fresnel's sine integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_fresnel_sin(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "FresnelSin", node, inputs, 1);
}

/* IFFT(input: Tcomplex) -> output: Tcomplex: the inverse of FFT. Tcomplex: complex64, complex128.
 * */
static inline TF_Output weir_ifft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "IFFT", node, inputs, 1);
}

/* IFFT2D(input: Tcomplex) -> output: Tcomplex: the inverse of FFT2D. Tcomplex: complex64,
 * complex128. */
static inline TF_Output weir_ifft2d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "IFFT2D", node, inputs, 1);
}

/* IFFT3D(input: Tcomplex) -> output: Tcomplex: the inverse of FFT3D. Tcomplex: complex64,
 * complex128. */
static inline TF_Output weir_ifft3d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "IFFT3D", node, inputs, 1);
}

/* IFFTND(input: Tcomplex, fft_length: int32, axes: int32) -> output: Tcomplex. Tcomplex: complex64,
 * complex128. */
static inline TF_Output weir_ifftnd(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output fft_length, TF_Output axes)
{
    const TF_Output inputs[] = {input, fft_length, axes};
    return weir_build_op(builder, "IFFTND", node, inputs, 3);
}

/* IRFFT(input: Tcomplex, fft_length: int32) -> output: Treal: the inverse of RFFT. Treal: float,
 * double. Tcomplex: complex64, complex128. */
typedef struct weir_irfft_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfft_options;
static inline TF_Output weir_irfft(weir_builder *builder, const char *node, TF_Output input,
                                   TF_Output fft_length, const weir_irfft_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFT", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* IRFFT2D(input: Tcomplex, fft_length: int32) -> output: Treal: the inverse of RFFT2D. Treal:
 * float, double. Tcomplex: complex64, complex128. */
typedef struct weir_irfft2d_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfft2d_options;
static inline TF_Output weir_irfft2d(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output fft_length, const weir_irfft2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFT2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* IRFFT3D(input: Tcomplex, fft_length: int32) -> output: Treal: the inverse of RFFT3D. Treal:
 * float, double. Tcomplex: complex64, complex128. */
typedef struct weir_irfft3d_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfft3d_options;
static inline TF_Output weir_irfft3d(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output fft_length, const weir_irfft3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFT3D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* IRFFTND(input: Tcomplex, fft_length: int32, axes: int32) -> output: Treal. Treal: float, double.
 * Tcomplex: complex64, complex128. */
typedef struct weir_irfftnd_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfftnd_options;
static inline TF_Output weir_irfftnd(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output fft_length, TF_Output axes,
                                     const weir_irfftnd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFTND", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    weir_build_input(builder, made, axes);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* Igamma(a: T, x: T) -> z: T: the lower regularised incomplete gamma function. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_igamma(weir_builder *builder, const char *node, TF_Output a,
                                    TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "Igamma", node, inputs, 2);
}

/* IgammaGradA(a: T, x: T) -> z: T: the derivative of Igamma by its first argument. T: float,
 * double. */
static inline TF_Output weir_igamma_grad_a(weir_builder *builder, const char *node, TF_Output a,
                                           TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "IgammaGradA", node, inputs, 2);
}

/* Igammac(a: T, x: T) -> z: T: the upper regularised incomplete gamma function. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_igammac(weir_builder *builder, const char *node, TF_Output a,
                                     TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "Igammac", node, inputs, 2);
}

/* Imag(input: T) -> output: Tout: the imaginary part. T: complex64, complex128. Tout: float,
 * double. */
typedef struct weir_imag_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_imag_options;
static inline TF_Output weir_imag(weir_builder *builder, const char *node, TF_Output input,
                                  const weir_imag_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Imag", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* Lgamma(x: T) -> y: T: the logarithm of the gamma function's magnitude. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_lgamma(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Lgamma", node, inputs, 1);
}

/* Ndtri(x: T) -> y: T: the quantile of the normal distribution. T: bfloat16, half, float, double.
 * */
static inline TF_Output weir_ndtri(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Ndtri", node, inputs, 1);
}

/* Polygamma(a: T, x: T) -> z: T: a derivative of Digamma. T: float, double. */
static inline TF_Output weir_polygamma(weir_builder *builder, const char *node, TF_Output a,
                                       TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "Polygamma", node, inputs, 2);
}

/* RFFT(input: Treal, fft_length: int32) -> output: Tcomplex: the Fourier transform of real numbers,
 * without its mirrored half. Treal: float, double. Tcomplex: complex64, complex128. */
typedef struct weir_rfft_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfft_options;
static inline TF_Output weir_rfft(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output fft_length, const weir_rfft_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFT", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* RFFT2D(input: Treal, fft_length: int32) -> output: Tcomplex: RFFT over the last two axes. Treal:
 * float, double. Tcomplex: complex64, complex128. */
typedef struct weir_rfft2d_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfft2d_options;
static inline TF_Output weir_rfft2d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output fft_length, const weir_rfft2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFT2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* RFFT3D(input: Treal, fft_length: int32) -> output: Tcomplex: RFFT over the last three axes.
 * Treal: float, double. Tcomplex: complex64, complex128. */
typedef struct weir_rfft3d_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfft3d_options;
static inline TF_Output weir_rfft3d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output fft_length, const weir_rfft3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFT3D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* RFFTND(input: Treal, fft_length: int32, axes: int32) -> output: Tcomplex. Treal: float, double.
 * Tcomplex: complex64, complex128. */
typedef struct weir_rfftnd_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfftnd_options;
static inline TF_Output weir_rfftnd(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output fft_length, TF_Output axes,
                                    const weir_rfftnd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFTND", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    weir_build_input(builder, made, axes);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* Real(input: T) -> output: Tout: the real part. T: complex64, complex128. Tout: float, double. */
typedef struct weir_real_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_real_options;
static inline TF_Output weir_real(weir_builder *builder, const char *node, TF_Output input,
                                  const weir_real_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Real", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* Spence(x: T) -> y: T: the dilogarithm. T: bfloat16, half, float, double. */
static inline TF_Output weir_spence(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Spence", node, inputs, 1);
}

/* Zeta(x: T, q: T) -> z: T: the Hurwitz zeta function. T: float, double. */
static inline TF_Output weir_zeta(weir_builder *builder, const char *node, TF_Output x, TF_Output q)
{
    const TF_Output inputs[] = {x, q};
    return weir_build_op(builder, "Zeta", node, inputs, 2);
}

#ifdef __cplusplus
}
#endif
#endif
