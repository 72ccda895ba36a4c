"""Print: tensors on standard error as a step runs."""
from . import _ops
from .convert import convert_to_tensor


def Print(input_, data, message=None, first_n=None, summarize=None, name=None):
    return _ops.print(input_, [convert_to_tensor(item) for item in data], message=message or '',
                       first_n=-1 if first_n is None else first_n, summarize=3 if summarize is None else summarize, name=name)


def print_v2(*inputs, **kwargs):
    from .print_ops import print_v2 as act
    return act(*inputs, **kwargs)
