"""weir/data.h from Python, by ctypes."""
import ctypes as C

import numpy as np

DTYPES = {"f": 1, "d": 2, "i": 3, "B": 4, "q": 9, "e": 19}  # numpy's letters -> TF_DataType
NUMPY = {1: np.float32, 2: np.float64, 3: np.int32, 4: np.uint8, 9: np.int64, 19: np.float16}


class Variation(C.Structure):
    _fields_ = [("flip", C.c_bool), ("shift", C.c_double), ("crop", C.c_double),
                ("brightness", C.c_double)]


class Options(C.Structure):
    _fields_ = [("source", C.c_char_p), ("split", C.c_char_p), ("batch", C.c_int),
                ("shuffle", C.c_bool), ("seed", C.c_uint64), ("epochs", C.c_int),
                ("shard", C.c_int), ("shards", C.c_int), ("augment", C.c_bool),
                ("threads", C.c_int), ("prefetch", C.c_int), ("type", C.c_int), ("rank", C.c_int),
                ("dims", C.c_int64 * 4), ("label_type", C.c_int), ("classes", C.c_int64),
                ("variation", C.POINTER(Variation)), ("whole_batches", C.c_bool),
                ("shuffle_buffer", C.c_int64), ("scale", C.c_double), ("x_name", C.c_char_p),
                ("y_name", C.c_char_p)]


class Failure(Exception):
    """What a TF_Status says: its code and message."""

    def __init__(self, code, message):
        super().__init__("%d: %s" % (code, message))
        self.code, self.message = code, message


class Library:
    def __init__(self, path):
        self.c = C.CDLL(path)
        for name, result, arguments in [
                ("TF_NewStatus", C.c_void_p, []), ("TF_GetCode", C.c_int, [C.c_void_p]),
                ("TF_Message", C.c_char_p, [C.c_void_p]), ("TF_TensorType", C.c_int, [C.c_void_p]),
                ("TF_NumDims", C.c_int, [C.c_void_p]), ("TF_Dim", C.c_int64, [C.c_void_p, C.c_int]),
                ("TF_TensorData", C.c_void_p, [C.c_void_p]),
                ("TF_TensorByteSize", C.c_size_t, [C.c_void_p]),
                ("TF_DeleteTensor", None, [C.c_void_p]),
                ("weir_data_open", C.c_void_p, [C.POINTER(Options), C.c_void_p]),
                ("weir_data_next", C.c_bool, [C.c_void_p, C.POINTER(C.c_void_p),
                                              C.POINTER(C.c_void_p), C.c_void_p]),
                ("weir_data_examples", C.c_int64, [C.c_void_p]),
                ("weir_data_classes", C.c_int64, [C.c_void_p]),
                ("weir_data_class_name", C.c_char_p, [C.c_void_p, C.c_int64]),
                ("weir_data_about", C.c_char_p, [C.c_void_p]),
                ("weir_data_dims", C.c_int, [C.c_void_p, C.POINTER(C.c_int64)]),
                ("weir_data_close", None, [C.c_void_p])]:
            f = getattr(self.c, name)
            f.restype, f.argtypes = result, arguments
        self.status = self.c.TF_NewStatus()

    def check(self):
        code = self.c.TF_GetCode(self.status)
        if code:
            raise Failure(code, self.c.TF_Message(self.status).decode(errors="replace"))

    def take(self, t):
        """A numpy array of a tensor, which is deleted; None for null."""
        if not t:
            return None
        dims = [self.c.TF_Dim(t, i) for i in range(self.c.TF_NumDims(t))]
        data = C.string_at(self.c.TF_TensorData(t), self.c.TF_TensorByteSize(t)) \
            if self.c.TF_TensorByteSize(t) else b""
        out = np.frombuffer(data, NUMPY[self.c.TF_TensorType(t)]).reshape(dims)
        self.c.TF_DeleteTensor(t)
        return out

    def open(self, source, **options):
        return Data(self, source, **options)


class Data:
    """An open weir_data; iterating gives (x, y) of every batch."""

    def __init__(self, lib, source, dims=None, type="f", label_type="i", variation=None, **options):
        o = Options(source=source.encode(), type=DTYPES[type],
                    label_type=DTYPES[label_type] if label_type else 0)
        if dims:
            o.rank = len(dims)
            o.dims[:len(dims)] = dims
        if variation:
            o.augment = True
            o.variation = C.pointer(Variation(**variation))
        for k, v in options.items():
            setattr(o, k, v.encode() if isinstance(v, str) else v)
        self.lib = lib
        self.at = lib.c.weir_data_open(C.byref(o), lib.status)
        lib.check()

    def __iter__(self):
        return self

    def __next__(self):
        x, y = C.c_void_p(), C.c_void_p()
        more = self.lib.c.weir_data_next(self.at, C.byref(x), C.byref(y), self.lib.status)
        self.lib.check()
        if not more:
            raise StopIteration
        return self.lib.take(x.value), self.lib.take(y.value)

    def all(self):
        """Every batch that is left, as one."""
        xs, ys = zip(*self)
        return np.concatenate(xs), np.concatenate(ys)

    examples = property(lambda self: self.lib.c.weir_data_examples(self.at))
    classes = property(lambda self: self.lib.c.weir_data_classes(self.at))
    about = property(lambda self: self.lib.c.weir_data_about(self.at).decode())

    def class_name(self, label):
        name = self.lib.c.weir_data_class_name(self.at, label)
        return name and name.decode()

    def close(self):
        if self.at:
            self.lib.c.weir_data_close(self.at)
        self.at = None

    __del__ = close
