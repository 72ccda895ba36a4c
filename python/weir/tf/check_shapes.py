"""assert_shapes: sizes of dimensions, and dimensions that must have the same size."""
from . import array_ops, math_ops
from .control_flow_ops import Assert, group, no_op
from .convert import convert_to_tensor
from .scopes import name_scope


def _symbols(tensor, spec, message):
    """(does the shape begin with anything, does it end with anything, sizes): a size is a number, a name or None."""
    if not (hasattr(spec, '__iter__') or hasattr(spec, '__getitem__')):
        raise ValueError('%s.  Tensor %s.  Specified shape must be an iterable.  An iterable has the attribute `__iter__` or '
                         '`__getitem__`.  Received specified shape: %s' % (message, tensor.name, spec))
    items = list(spec)
    any_of = [item is Ellipsis or str(item) == '*' for item in items]
    if any(any_of[1:-1]) or sum(any_of) > 1:
        raise ValueError('%s.  Tensor %s specified shape index %d.  Symbol `...` or `*` for a variable number of unspecified '
                         'dimensions is only allowed as the first or last entry' %
                         (message, tensor.name, [i for i, one in enumerate(any_of) if one][-1]))
    first, last = bool(any_of and any_of[0]), bool(any_of and any_of[-1] and len(items) > 0 and not any_of[0])
    sizes = items[1:] if first else items[:-1] if last else items
    return first, last, [_size(item) for item in sizes]


def _size(item):
    if item is None or str(item) == '.':
        return None
    try:
        return int(item)
    except (TypeError, ValueError):
        return str(item)


class _Checks:
    """Sizes that were met so far: {name: (size, who has it)}."""

    def __init__(self, data, summarize, message):
        self.data, self.summarize, self.message = data, summarize, message or ''
        self.known, self.asserts = {}, []

    def rank(self, tensor, wanted, open_end):
        found = tensor._rank()
        if found is not None and (found < wanted if open_end else found != wanted) and not (wanted <= 1 and found <= 1):
            raise ValueError('%s.  Tensor %s must have rank %s%d.  Received rank %d, shape %s' %
                             (self.message, tensor.name, 'at least ' if open_end else '', wanted, found, tensor.get_shape()))

    def dimension(self, tensor, at, size, symbol):
        """`size` is a number, or a tensor where it is not known yet."""
        if symbol is None:
            return
        if isinstance(symbol, int):
            wanted, who = symbol, 'Specified explicitly'
        elif symbol in self.known:
            wanted, who = self.known[symbol]
        else:
            self.known[symbol] = size, 'Specified by tensor %s dimension %d' % (tensor.name, at)
            return
        if isinstance(wanted, int) and isinstance(size, int):
            if wanted != size:
                raise ValueError('%s.  %s.  Tensor %s dimension %s must have size %d.  Received size %d, shape %s' %
                                 (self.message, who, tensor.name, at, wanted, size, tensor.get_shape()))
            return
        data = self.data or [self.message, who, 'Tensor %s dimension' % tensor.name, at, 'must have size', wanted,
                             'Received shape: ', array_ops.shape(tensor)]
        self.asserts.append(Assert(math_ops.equal(size, wanted), data, summarize=self.summarize))

    def tensor(self, tensor, spec):
        first, last, symbols = _symbols(tensor, spec, self.message)
        self.rank(tensor, len(symbols), first or last)
        rank = tensor._rank()
        if rank == 0 or (not symbols and rank == 1 and not (first or last)):
            sizes = [1] if rank == 0 else list(tensor.get_shape().as_list())
            for symbol in symbols or [1]:
                self.dimension(tensor, 0, sizes[0] if sizes[0] is not None else array_ops.shape(tensor)[0], symbol)
            return
        for i, symbol in enumerate(symbols):
            at = i - len(symbols) if first else i
            static = tensor.get_shape().as_list()[at] if rank is not None else None
            self.dimension(tensor, at, static if static is not None else array_ops.shape(tensor)[at], symbol)


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Checks that tensors have the sizes given; equal names stand for equal sizes."""
    if isinstance(shapes, dict):
        shapes = shapes.items()
    with name_scope(name, 'assert_shapes', [shapes, data]):
        checks = _Checks(data, summarize, message)
        for tensor, spec in [(convert_to_tensor(tensor), spec) for tensor, spec in shapes]:
            if spec is not None:
                checks.tensor(tensor, spec)
        return group(*checks.asserts) if checks.asserts else no_op(name='static_checks_determined_all_ok')
