"""tensorflow.python.framework.combinations: a test method for every combination of arguments.

Combinations that ask for eager execution or for TensorFlow 2 are left out.
"""
import collections
import functools
import itertools


class NamedObject:
    """An object with a name for reports."""

    def __init__(self, name, obj):
        self._name, self._obj = name, obj

    def __getattr__(self, name):
        return getattr(self._obj, name)

    def __call__(self, *args, **kwargs):
        return self._obj(*args, **kwargs)

    def __repr__(self):
        return self._name


def combine(**kwargs):
    """Every combination of the values given, as dictionaries; a value that is no list stands for itself."""
    names = sorted(kwargs)
    lists = [kwargs[name] if isinstance(kwargs[name], list) else [kwargs[name]] for name in names]
    return [collections.OrderedDict(zip(names, values)) for values in itertools.product(*lists)]


def times(*combined):
    """Every pair (or more) of dictionaries from the lists, merged."""
    merged = []
    for parts in itertools.product(*combined):
        row = collections.OrderedDict()
        for part in parts:
            if set(row) & set(part):
                raise ValueError('Keys need to not overlap: %s vs %s' % (list(row), list(part)))
            row.update(part)
        merged.append(row)
    return merged


def _runs(row):
    return row.get('mode') != 'eager' and row.get('tf_api_version', 1) != 2


def generate(combinations, test_combinations=()):
    """Runs a method once for each combination, each in a graph of its own."""
    rows = [{key: value for key, value in row.items() if key not in ('mode', 'tf_api_version')} for row in combinations if _runs(row)]

    def wrap(method):
        @functools.wraps(method)
        def run(self):
            from .graph import Graph
            if not rows:
                self.skipTest('weir runs graphs only')
            for row in rows:
                with Graph().as_default(), self.test_session():
                    method(self, **row)
        del run.__wrapped__
        return run
    return wrap
