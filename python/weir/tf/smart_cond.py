"""A cond that is decided while the graph is built where the predicate is known."""
from .control_flow_ops import cond
from .convert import constant_value
from .tensor import Tensor
from .variables import Variable


def smart_constant_value(pred):
    """The value of a predicate that is known, else None."""
    if isinstance(pred, Variable):
        return None
    if pred in (0, 1) and not isinstance(pred, Tensor):
        return bool(pred)
    if isinstance(pred, bool):
        return pred
    if isinstance(pred, Tensor):
        found = constant_value(pred)
        return None if found is None else bool(found)
    raise TypeError('`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: %s' % (pred,))


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    if not callable(true_fn):
        raise TypeError('`true_fn` must be callable.')
    if not callable(false_fn):
        raise TypeError('`false_fn` must be callable.')
    known = smart_constant_value(pred)
    if known is not None:
        return true_fn() if known else false_fn()
    return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def smart_case(pred_fn_pairs, default=None, exclusive=False, name='smart_case'):
    from .control_flow_ops import case
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    known = [smart_constant_value(pred) for pred, _ in pairs]
    if all(value is not None for value in known):
        for value, (_, act) in zip(known, pairs):
            if value:
                return act()
        return default()
    return case(pred_fn_pairs, default=default, exclusive=exclusive, name=name)
