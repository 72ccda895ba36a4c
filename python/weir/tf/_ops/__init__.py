"""A function for each op: `_ops.mat_mul(a, b)`. The files beside this one are written by tools/python_ops, a family a
file; each loads when one of its functions or signatures is first used."""
import importlib
import keyword

_where = {}  # name of a function: its file


def snake(name):
    """MatMul -> mat_mul: what the function of an op is called."""
    out = ''
    for i, letter in enumerate(name):
        after = i + 1 < len(name) and name[i + 1].islower()
        if letter.isupper() and i and name[i - 1] not in '_>' and (name[i - 1].islower() or after):
            out += '_'
        out += letter.lower() if letter != '>' else '_'
    return out + '_' if keyword.iskeyword(out) else out


def _family(function):
    """The module that has a function, or None."""
    if not _where:
        from ._index import NAMES
        _where.update((name, family) for family, names in NAMES.items() for name in names.split())
    family = _where.get(function)
    return importlib.import_module('.' + family, __name__) if family else None


def signature(op_type):
    """The signature of an op as text, or None when the library has no such op."""
    module = _family(snake(op_type))
    return module.SIGNATURES.get(op_type) if module else None


def __getattr__(name):
    module = None if name.startswith('__') else _family(name)
    if module is None:
        raise AttributeError('there is no op function %s' % name)
    found = globals()[name] = getattr(module, name)
    return found


def __dir__():
    _family('')
    return sorted(_where)
