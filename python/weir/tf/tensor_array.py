"""TensorArray: tensors that a loop writes and reads by index."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .scopes import name_scope
from .shapes import TensorShape, as_shape


class TensorArray:
    """An array of tensors; every change gives a new object with a new flow."""

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None,
                 flow=None, infer_shape=True, element_shape=None, colocate_with_first_write_call=True, name=None):
        if handle is not None and size is not None:
            raise ValueError('Cannot provide both a handle and size at the same time')
        if handle is None and size is None:
            raise ValueError('Size must be declared, and be an integer or a scalar Tensor')
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._infer = infer_shape or element_shape is not None
        self._known = [None if element_shape is None else as_shape(element_shape)]  # shared by all that come from this one
        self._dynamic = bool(dynamic_size)
        with name_scope(name, 'TensorArray', [handle, size, flow] if handle is not None else []) as scope:
            if handle is not None:
                self._handle, self._flow = handle, flow
            else:
                self._handle, self._flow = _ops.tensor_array_v3(
                    size, self._dtype, element_shape=TensorShape(None) if self._element is None else self._element,
                    dynamic_size=self._dynamic, clear_after_read=True if clear_after_read is None else clear_after_read,
                    identical_element_shapes=bool(infer_shape), tensor_array_name=tensor_array_name or '', name=scope)

    flow = property(lambda self: self._flow)
    dtype = property(lambda self: self._dtype)
    handle = property(lambda self: self._handle)
    dynamic_size = property(lambda self: self._dynamic)
    element_shape = property(lambda self: TensorShape(None) if self._element is None else self._element)

    @property
    def _element(self):
        return self._known[0]

    def _with_flow(self, flow):
        made = TensorArray.__new__(TensorArray)
        made.__dict__.update(self.__dict__)
        made._flow = flow
        return made

    def _learn(self, shape):
        """Elements have this shape, as far as is known."""
        if self._infer:
            if self._element is None:
                self._known[0] = shape
            elif not self._element.is_compatible_with(shape):
                raise ValueError('Inconsistent shapes: saw %s but expected %s (and infer_shape=True)' % (shape, self._element))
            elif self._element._dims is None:
                self._known[0] = shape

    def identity(self):
        return self._with_flow(_ops.identity(self._flow))

    def grad(self, source, flow=None, name=None):
        with name_scope(name, 'TensorArrayGrad', [self._handle]):
            handle, flow = _ops.tensor_array_grad_v3(self._handle, self._flow if flow is None else flow, source)
            made = self._with_flow(flow)
            made._handle = handle
            return made

    def read(self, index, name=None):
        value = _ops.tensor_array_read_v3(self._handle, index, self._flow, self._dtype, name=name)
        if self._element is not None:
            value.set_shape(self._element)
        return value

    def write(self, index, value, name=None):
        with name_scope(name, 'TensorArrayWrite', [self._handle, index, value]):
            value = convert_to_tensor(value, dtype=self._dtype, name='value')
            made = self._with_flow(_ops.tensor_array_write_v3(self._handle, index, value, self._flow))
            made._learn(value.get_shape())
            return made

    def stack(self, name=None):
        with name_scope(name, 'TensorArrayStack', [self._handle]):
            return self.gather(math_ops.range(0, self.size()), name=name)

    def gather(self, indices, name=None):
        value = _ops.tensor_array_gather_v3(self._handle, indices, self._flow, self._dtype,
                                            element_shape=TensorShape(None) if self._element is None else self._element, name=name)
        if self._element is not None and self._element.ndims is not None:
            value.set_shape([None] + self._element.as_list())
        return value

    def concat(self, name=None):
        value, _ = _ops.tensor_array_concat_v3(self._handle, self._flow, self._dtype, name=name,
                                               element_shape_except0=TensorShape(None) if self._element is None or self._element.ndims is None
                                               else self._element[1:])
        if self._element is not None and self._element.ndims is not None:
            value.set_shape([None] + self._element.as_list()[1:])
        return value

    def unstack(self, value, name=None):
        with name_scope(name, 'TensorArrayUnstack', [self._handle, value]):
            value = convert_to_tensor(value, dtype=self._dtype, name='value')
            return self.scatter(math_ops.range(0, array_ops.shape(value)[0]), value, name=name)

    def scatter(self, indices, value, name=None):
        with name_scope(name, 'TensorArrayScatter', [self._handle, value, indices]):
            value = convert_to_tensor(value, dtype=self._dtype, name='value')
            made = self._with_flow(_ops.tensor_array_scatter_v3(self._handle, indices, value, self._flow))
            if value.get_shape().ndims is not None:
                made._learn(value.get_shape()[1:])
            return made

    def split(self, value, lengths, name=None):
        with name_scope(name, 'TensorArraySplit', [self._handle, value, lengths]):
            value = convert_to_tensor(value, dtype=self._dtype, name='value')
            lengths = math_ops.cast(convert_to_tensor(lengths), dtypes.int64)
            return self._with_flow(_ops.tensor_array_split_v3(self._handle, value, lengths, self._flow))

    def size(self, name=None):
        return _ops.tensor_array_size_v3(self._handle, self._flow, name=name)

    def close(self, name=None):
        return _ops.tensor_array_close_v3(self._handle, name=name)

