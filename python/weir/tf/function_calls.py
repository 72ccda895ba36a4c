"""Ops that call functions made by Defun: conditions, loops, calls, gradients."""
from . import _ops
from .convert import convert_to_tensor


def _types(function):
    """The dtypes of what a function gives."""
    return [item.dtype.base_dtype for item in function._trace(function._types)[0]._outputs]


def _tensors(values, function, first=0):
    kinds = function._types[first:]
    return [convert_to_tensor(value, dtype=kinds[i] if i < len(kinds) else None) for i, value in enumerate(values)]


def If(cond, inputs, then_branch, else_branch, name=None):
    inputs = _tensors(inputs, then_branch)
    if then_branch.captured_inputs or else_branch.captured_inputs:
        raise ValueError('Functions that capture tensors cannot be branches of If')
    return _ops.if_(cond, inputs, _types(then_branch), then_branch, else_branch, name=name)


def Gradient(inputs, f, name=None):
    """The gradients of f with respect to its arguments; `inputs` are these and the gradients of its results."""
    kinds = [convert_to_tensor(item).dtype for item in inputs]
    return _ops.symbolic_gradient(inputs, kinds[:len(f._types)], f, name=name)


def While(input_, cond, body, name=None, hostmem=None):
    captured = list(body.captured_inputs)
    inputs = _tensors(input_, body) + captured
    count = len(inputs) - len(captured)
    if captured or cond.captured_inputs:
        cond, body = _wide(cond, body, inputs, captured)
    found = _ops.while_(inputs, cond, body, name=name)
    return list(found)[:count]


def _wide(cond, body, inputs, captured):
    """cond and body that pass on what they capture as variables of the loop."""
    from .function import Defun
    if cond.captured_inputs and [id(item) for item in cond.captured_inputs] != [id(item) for item in captured]:
        raise ValueError('The function cond captures tensors that the body does not')
    kinds = [item.dtype.base_dtype for item in inputs]
    count = len(inputs) - len(captured)

    def whole_cond(*args):
        return cond(*args[:count])

    def whole_body(*args):
        found = body._func(*args[:count])
        return list(found if isinstance(found, (list, tuple)) else [found]) + list(args[count:])
    return Defun(*kinds, func_name=cond._name)(whole_cond), Defun(*kinds, func_name=body._name)(whole_body)


def For(start, limit, delta, inputs, body, name=None, hostmem=None, rewrite_with_while=None):
    inputs = _tensors(inputs, body, 1)
    if body.captured_inputs:
        raise ValueError('A function that captures tensors cannot be the body of For')
    return list(_ops.for_(start, limit, delta, inputs, body, name=name))


def partitioned_call(args, f, tout=None, executing_eagerly=None, config=None, executor_type=None):
    args = _tensors(args, f) + list(f.captured_inputs)
    kinds = _types(f) if tout is None else tout
    found = _ops.stateful_partitioned_call(args, kinds, f, executor_type=executor_type or '')
    if not kinds:
        return found
    return list(found) if isinstance(found, (list, tuple)) else [found]


def remote_call(args, Tout, f, target, name=None):
    return _ops.remote_call(target, args, Tout, f, name=name)
