"""Names that NumPy, SciPy and Python dropped, for --old."""
import builtins
import importlib
import sys
import types


def _give(module, **names):
    for name, value in names.items():
        if name not in module.__dict__:
            setattr(module, name, value)


# ---- Python ----

def _give_builtins():
    import functools
    _give(builtins, xrange=range, unicode=str, basestring=str, long=int, raw_input=input, reduce=functools.reduce, unichr=chr,
          cmp=lambda a, b: (a > b) - (a < b), reload=importlib.reload, file=open, apply=lambda call, args=(), kw={}: call(*args, **kw),
          intern=sys.intern, buffer=memoryview, StandardError=Exception,
          execfile=lambda path, *spaces: exec(compile(open(path).read(), path, 'exec'), *spaces))


def _give_modules():
    import base64
    import collections
    import collections.abc
    import fractions
    import inspect
    import itertools
    import math
    import os
    import string
    import time
    _give(collections, **{name: getattr(collections.abc, name) for name in collections.abc.__all__})
    _give(itertools, izip=zip, imap=map, ifilter=filter, izip_longest=itertools.zip_longest, ifilterfalse=itertools.filterfalse)
    _give(time, clock=time.perf_counter)
    _give(inspect, getargspec=_getargspec)
    _give(fractions, gcd=math.gcd)
    _give(base64, encodestring=base64.encodebytes, decodestring=base64.decodebytes)
    _give(os, getcwdu=os.getcwd)
    _give(sys, maxint=sys.maxsize, setdefaultencoding=lambda name: None, exc_clear=lambda: None)
    _give(string, letters=string.ascii_letters, lowercase=string.ascii_lowercase, uppercase=string.ascii_uppercase,
          maketrans=str.maketrans, join=lambda words, sep=' ': sep.join(words), split=lambda text, *a: text.split(*a),
          replace=lambda text, *a: text.replace(*a), strip=lambda text, *a: text.strip(*a), atoi=int, atof=float,
          lower=str.lower, upper=str.upper)
    _give(types, StringType=str, ListType=list, DictType=dict, TupleType=tuple, IntType=int, FloatType=float, LongType=int,
          BooleanType=bool, NoneType=type(None), UnicodeType=str, StringTypes=(str,))


def _getargspec(function):
    import collections
    import inspect
    full = inspect.getfullargspec(function)
    return collections.namedtuple('ArgSpec', 'args varargs keywords defaults')(full.args, full.varargs, full.varkw, full.defaults)


def _give_urllib():
    import urllib
    import urllib.parse
    import urllib.request
    _give(urllib, urlopen=urllib.request.urlopen, urlretrieve=urllib.request.urlretrieve, quote=urllib.parse.quote,
          unquote=urllib.parse.unquote, urlencode=urllib.parse.urlencode, quote_plus=urllib.parse.quote_plus,
          URLopener=getattr(urllib.request, 'URLopener', None))


def imp_module():
    """The module imp, which Python 3.12 dropped."""
    made = types.ModuleType('imp')

    def load_source(name, path, file=None):
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module
    made.reload, made.load_source, made.new_module = importlib.reload, load_source, types.ModuleType
    return made


# ---- NumPy ----

def give_numpy(numpy):
    """Names that NumPy had before 1.24 and 2.0."""
    _give(numpy, int=int, float=float, bool=bool, object=object, str=str, complex=complex, long=int, unicode=str,
          float_=numpy.float64, complex_=numpy.complex128, string_=numpy.bytes_, unicode_=numpy.str_, Inf=numpy.inf,
          Infinity=numpy.inf, infty=numpy.inf, PINF=numpy.inf, NINF=-numpy.inf, NaN=numpy.nan, NAN=numpy.nan, PZERO=0.0, NZERO=-0.0,
          asscalar=lambda array: array.item(), product=numpy.prod, cumproduct=numpy.cumprod, sometrue=numpy.any, alltrue=numpy.all,
          rank=numpy.ndim, row_stack=numpy.vstack, round_=numpy.round, typeDict=getattr(numpy, 'sctypeDict', {}),
          asfarray=lambda array, dtype=numpy.float64: numpy.asarray(array, dtype=dtype), int0=numpy.intp, uint0=numpy.uintp,
          trapz=getattr(numpy, 'trapezoid', None), find_common_type=lambda a, s: numpy.result_type(*a, *s),
          in1d=lambda a, b, *rest, **kw: numpy.isin(numpy.ravel(a), b, *rest, **kw), mat=numpy.asmatrix,
          msort=lambda array: numpy.sort(array, axis=0), safe_eval=__import__('ast').literal_eval)


# ---- SciPy ----

def _pixels(image, mode, flatten):
    import numpy
    if flatten:
        return numpy.asarray(image.convert('F'))
    return numpy.asarray(image.convert(mode) if mode else image if image.mode not in ('P', '1') else image.convert('RGB'))


def imread(name, flatten=False, mode=None):
    from PIL import Image
    return _pixels(Image.open(name), mode, flatten)


def bytescale(data, cmin=None, cmax=None, high=255, low=0):
    """`data` between its extremes as bytes."""
    import numpy
    data = numpy.asarray(data)
    if data.dtype == numpy.uint8:
        return data
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    scale = float(high - low) / ((cmax - cmin) or 1)
    return ((data - cmin) * scale + low).clip(low, high).round().astype(numpy.uint8)


def toimage(arr, high=255, low=0, cmin=None, cmax=None, pal=None, mode=None, channel_axis=None):
    from PIL import Image
    import numpy
    arr = numpy.asarray(arr)
    if arr.ndim == 3 and arr.shape[2] not in (3, 4) and arr.shape[0] in (3, 4):
        arr = arr.transpose(1, 2, 0)
    return Image.fromarray(bytescale(arr, cmin, cmax, high, low), mode)


def imsave(name, arr, format=None):
    toimage(arr).save(name, format)


def imresize(arr, size, interp='bilinear', mode=None):
    from PIL import Image
    import numpy
    image = toimage(arr, mode=mode)
    if isinstance(size, (int, numpy.integer)):
        size = tuple(int(edge * size / 100.0) for edge in image.size)
    elif isinstance(size, (float, numpy.floating)):
        size = tuple(int(edge * size) for edge in image.size)
    else:
        size = int(size[1]), int(size[0])
    ways = {'nearest': 0, 'lanczos': 1, 'bilinear': 2, 'bicubic': 3, 'cubic': 3}
    return numpy.asarray(image.resize(size, resample=ways[interp]))


def imrotate(arr, angle, interp='bilinear'):
    import numpy
    ways = {'nearest': 0, 'bilinear': 2, 'bicubic': 3, 'cubic': 3}
    return numpy.asarray(toimage(arr).rotate(angle, resample=ways[interp]))


def fromimage(im, flatten=False, mode=None):
    return _pixels(im, mode, flatten)


def give_scipy_misc(made):
    """What the module lacks of scipy.misc: functions on images by Pillow, the rest from where SciPy has it now."""
    _give(made, imread=imread, imsave=imsave, imresize=imresize, imrotate=imrotate, toimage=toimage, fromimage=fromimage,
          bytescale=bytescale)
    try:
        special = importlib.import_module('scipy.special')
        _give(made, logsumexp=special.logsumexp, comb=special.comb, factorial=special.factorial, factorial2=special.factorial2)
        if 'face' not in made.__dict__:
            data = importlib.import_module('scipy.datasets')
            _give(made, face=data.face, ascent=data.ascent)
    except ImportError:
        pass
    return made


class _Moved(types.ModuleType):
    """A module whose names another one has now; that one loads when a name is used."""

    def __init__(self, name, source):
        super().__init__(name)
        self.__dict__['_source'] = source

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return getattr(importlib.import_module(self._source), name)


MOVED = {'scipy.sparse.linalg.eigen.arpack': 'scipy.sparse.linalg', 'scipy.sparse.linalg.eigen.arpack.arpack': 'scipy.sparse.linalg',
         'sklearn.cross_validation': 'sklearn.model_selection', 'sklearn.grid_search': 'sklearn.model_selection',
         'sklearn.externals.joblib': 'joblib'}


def _give_moved():
    """Modules that are inside of what is no package any more: the import system finds them by their whole name."""
    for name, source in MOVED.items():
        sys.modules.setdefault(name, _Moved(name, source))


def restore_names():
    """Gives back all of them."""
    _give_moved()
    _give_builtins()
    _give_modules()
    _give_urllib()
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # NumPy warns where a name that is asked for is gone
        import numpy
        give_numpy(numpy)
