"""Ops: math, special. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Angle': 'input:T|output:Tout|T:t=8 Tout:t=1|0',
    'BatchFFT': 'input:8|output:8||0',
    'BatchFFT2D': 'input:8|output:8||0',
    'BatchFFT3D': 'input:8|output:8||0',
    'BatchIFFT': 'input:8|output:8||0',
    'BatchIFFT2D': 'input:8|output:8||0',
    'BatchIFFT3D': 'input:8|output:8||0',
    'BesselI0': 'x:T|y:T|T:t|0',
    'BesselI0e': 'x:T|y:T|T:t|0',
    'BesselI1': 'x:T|y:T|T:t|0',
    'BesselI1e': 'x:T|y:T|T:t|0',
    'BesselJ0': 'x:T|y:T|T:t|0',
    'BesselJ1': 'x:T|y:T|T:t|0',
    'BesselK0': 'x:T|y:T|T:t|0',
    'BesselK0e': 'x:T|y:T|T:t|0',
    'BesselK1': 'x:T|y:T|T:t|0',
    'BesselK1e': 'x:T|y:T|T:t|0',
    'BesselY0': 'x:T|y:T|T:t|0',
    'BesselY1': 'x:T|y:T|T:t|0',
    'Betainc': 'a:T b:T x:T|z:T|T:t|0',
    'Complex': 'real:T imag:T|out:Tout|T:t=1 Tout:t=8|0',
    'ComplexAbs': 'x:T|y:Tout|T:t=8 Tout:t=1|0',
    'Conj': 'input:T|output:T|T:t=8|0',
    'Dawsn': 'x:T|y:T|T:t|0',
    'Digamma': 'x:T|y:T|T:t|0',
    'Erf': 'x:T|y:T|T:t|0',
    'Erfc': 'x:T|y:T|T:t|0',
    'Erfinv': 'x:T|y:T|T:t|0',
    'Expint': 'x:T|y:T|T:t|0',
    'FFT': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'FFT2D': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'FFT3D': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'FFTND': 'input:Tcomplex fft_length:3 axes:3|output:Tcomplex|Tcomplex:t=8|0',
    'FresnelCos': 'x:T|y:T|T:t|0',
    'FresnelSin': 'x:T|y:T|T:t|0',
    'IFFT': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'IFFT2D': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'IFFT3D': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'IFFTND': 'input:Tcomplex fft_length:3 axes:3|output:Tcomplex|Tcomplex:t=8|0',
    'IRFFT': 'input:Tcomplex fft_length:3|output:Treal|Treal:t=1 Tcomplex:t=8|0',
    'IRFFT2D': 'input:Tcomplex fft_length:3|output:Treal|Treal:t=1 Tcomplex:t=8|0',
    'IRFFT3D': 'input:Tcomplex fft_length:3|output:Treal|Treal:t=1 Tcomplex:t=8|0',
    'IRFFTND': 'input:Tcomplex fft_length:3 axes:3|output:Treal|Treal:t=1 Tcomplex:t=8|0',
    'Igamma': 'a:T x:T|z:T|T:t|0',
    'IgammaGradA': 'a:T x:T|z:T|T:t|0',
    'Igammac': 'a:T x:T|z:T|T:t|0',
    'Imag': 'input:T|output:Tout|T:t=8 Tout:t=1|0',
    'Lgamma': 'x:T|y:T|T:t|0',
    'Ndtri': 'x:T|y:T|T:t|0',
    'Polygamma': 'a:T x:T|z:T|T:t|0',
    'RFFT': 'input:Treal fft_length:3|output:Tcomplex|Treal:t=1 Tcomplex:t=8|0',
    'RFFT2D': 'input:Treal fft_length:3|output:Tcomplex|Treal:t=1 Tcomplex:t=8|0',
    'RFFT3D': 'input:Treal fft_length:3|output:Tcomplex|Treal:t=1 Tcomplex:t=8|0',
    'RFFTND': 'input:Treal fft_length:3 axes:3|output:Tcomplex|Treal:t=1 Tcomplex:t=8|0',
    'Real': 'input:T|output:Tout|T:t=8 Tout:t=1|0',
    'Spence': 'x:T|y:T|T:t|0',
    'Zeta': 'x:T q:T|z:T|T:t|0',
}


def angle(input, Tout=dtypes.float32, name=None):
    return apply('Angle', name, (input,), {'Tout': Tout}).outputs[0]


def batch_fft(input, name=None):
    return apply('BatchFFT', name, (input,), {}).outputs[0]


def batch_fft2d(input, name=None):
    return apply('BatchFFT2D', name, (input,), {}).outputs[0]


def batch_fft3d(input, name=None):
    return apply('BatchFFT3D', name, (input,), {}).outputs[0]


def batch_ifft(input, name=None):
    return apply('BatchIFFT', name, (input,), {}).outputs[0]


def batch_ifft2d(input, name=None):
    return apply('BatchIFFT2D', name, (input,), {}).outputs[0]


def batch_ifft3d(input, name=None):
    return apply('BatchIFFT3D', name, (input,), {}).outputs[0]


def bessel_i0(x, name=None):
    return apply('BesselI0', name, (x,), {}).outputs[0]


def bessel_i0e(x, name=None):
    return apply('BesselI0e', name, (x,), {}).outputs[0]


def bessel_i1(x, name=None):
    return apply('BesselI1', name, (x,), {}).outputs[0]


def bessel_i1e(x, name=None):
    return apply('BesselI1e', name, (x,), {}).outputs[0]


def bessel_j0(x, name=None):
    return apply('BesselJ0', name, (x,), {}).outputs[0]


def bessel_j1(x, name=None):
    return apply('BesselJ1', name, (x,), {}).outputs[0]


def bessel_k0(x, name=None):
    return apply('BesselK0', name, (x,), {}).outputs[0]


def bessel_k0e(x, name=None):
    return apply('BesselK0e', name, (x,), {}).outputs[0]


def bessel_k1(x, name=None):
    return apply('BesselK1', name, (x,), {}).outputs[0]


def bessel_k1e(x, name=None):
    return apply('BesselK1e', name, (x,), {}).outputs[0]


def bessel_y0(x, name=None):
    return apply('BesselY0', name, (x,), {}).outputs[0]


def bessel_y1(x, name=None):
    return apply('BesselY1', name, (x,), {}).outputs[0]


def betainc(a, b, x, name=None):
    return apply('Betainc', name, (a, b, x), {}).outputs[0]


def complex(real, imag, Tout=dtypes.complex64, name=None):
    return apply('Complex', name, (real, imag), {'Tout': Tout}).outputs[0]


def complex_abs(x, Tout=dtypes.float32, name=None):
    return apply('ComplexAbs', name, (x,), {'Tout': Tout}).outputs[0]


def conj(input, name=None):
    return apply('Conj', name, (input,), {}).outputs[0]


def dawsn(x, name=None):
    return apply('Dawsn', name, (x,), {}).outputs[0]


def digamma(x, name=None):
    return apply('Digamma', name, (x,), {}).outputs[0]


def erf(x, name=None):
    return apply('Erf', name, (x,), {}).outputs[0]


def erfc(x, name=None):
    return apply('Erfc', name, (x,), {}).outputs[0]


def erfinv(x, name=None):
    return apply('Erfinv', name, (x,), {}).outputs[0]


def expint(x, name=None):
    return apply('Expint', name, (x,), {}).outputs[0]


def fft(input, name=None):
    return apply('FFT', name, (input,), {}).outputs[0]


def fft2d(input, name=None):
    return apply('FFT2D', name, (input,), {}).outputs[0]


def fft3d(input, name=None):
    return apply('FFT3D', name, (input,), {}).outputs[0]


def fftnd(input, fft_length, axes, name=None):
    return apply('FFTND', name, (input, fft_length, axes), {}).outputs[0]


def fresnel_cos(x, name=None):
    return apply('FresnelCos', name, (x,), {}).outputs[0]


def fresnel_sin(x, name=None):
    return apply('FresnelSin', name, (x,), {}).outputs[0]


def ifft(input, name=None):
    return apply('IFFT', name, (input,), {}).outputs[0]


def ifft2d(input, name=None):
    return apply('IFFT2D', name, (input,), {}).outputs[0]


def ifft3d(input, name=None):
    return apply('IFFT3D', name, (input,), {}).outputs[0]


def ifftnd(input, fft_length, axes, name=None):
    return apply('IFFTND', name, (input, fft_length, axes), {}).outputs[0]


def irfft(input, fft_length, Treal=dtypes.float32, name=None):
    return apply('IRFFT', name, (input, fft_length), {'Treal': Treal}).outputs[0]


def irfft2d(input, fft_length, Treal=dtypes.float32, name=None):
    return apply('IRFFT2D', name, (input, fft_length), {'Treal': Treal}).outputs[0]


def irfft3d(input, fft_length, Treal=dtypes.float32, name=None):
    return apply('IRFFT3D', name, (input, fft_length), {'Treal': Treal}).outputs[0]


def irfftnd(input, fft_length, axes, Treal=dtypes.float32, name=None):
    return apply('IRFFTND', name, (input, fft_length, axes), {'Treal': Treal}).outputs[0]


def igamma(a, x, name=None):
    return apply('Igamma', name, (a, x), {}).outputs[0]


def igamma_grad_a(a, x, name=None):
    return apply('IgammaGradA', name, (a, x), {}).outputs[0]


def igammac(a, x, name=None):
    return apply('Igammac', name, (a, x), {}).outputs[0]


def imag(input, Tout=dtypes.float32, name=None):
    return apply('Imag', name, (input,), {'Tout': Tout}).outputs[0]


def lgamma(x, name=None):
    return apply('Lgamma', name, (x,), {}).outputs[0]


def ndtri(x, name=None):
    return apply('Ndtri', name, (x,), {}).outputs[0]


def polygamma(a, x, name=None):
    return apply('Polygamma', name, (a, x), {}).outputs[0]


def rfft(input, fft_length, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFT', name, (input, fft_length), {'Tcomplex': Tcomplex}).outputs[0]


def rfft2d(input, fft_length, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFT2D', name, (input, fft_length), {'Tcomplex': Tcomplex}).outputs[0]


def rfft3d(input, fft_length, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFT3D', name, (input, fft_length), {'Tcomplex': Tcomplex}).outputs[0]


def rfftnd(input, fft_length, axes, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFTND', name, (input, fft_length, axes), {'Tcomplex': Tcomplex}).outputs[0]


def real(input, Tout=dtypes.float32, name=None):
    return apply('Real', name, (input,), {'Tout': Tout}).outputs[0]


def spence(x, name=None):
    return apply('Spence', name, (x,), {}).outputs[0]


def zeta(x, q, name=None):
    return apply('Zeta', name, (x, q), {}).outputs[0]
