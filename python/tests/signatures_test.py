"""Every name of signatures.tsv that the package has takes TensorFlow 1.15's arguments, with its defaults.

A class's methods are compared where the package's class has them. `python signatures_test.py` lists the differences.
"""
import inspect
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [path for path in (os.path.dirname(HERE),) if path not in sys.path]
TABLE = os.path.join(HERE, 'signatures.tsv')
# What a call cannot tell apart, by name of the row: decorators hide these in TensorFlow, so its table says *args, **kwargs.
HIDDEN = ['*args', '**kwargs'], ['*args', '**kwds'], ['self', '*args', '**kwargs'], ['self', '**kwargs'], ['**kwargs'], \
    ['self', '*args', '**kwds'], ['*args']


def resolve(name):
    """What the package has under a name; None when it has nothing."""
    import tensorflow
    found = tensorflow
    for part in name.split('.')[1:]:
        try:
            found = getattr(found, part)
        except AttributeError:
            return None
    return found


def arguments(what):
    """The arguments in the form of the table, or None when Python cannot tell."""
    try:
        spec = inspect.signature(what.__init__ if inspect.isclass(what) else what)
    except (TypeError, ValueError):
        return None
    cells = []
    for item in spec.parameters.values():
        star = {item.VAR_POSITIONAL: '*', item.VAR_KEYWORD: '**'}.get(item.kind, '')
        cells.append(star + item.name + ('' if item.default is item.empty else '=' + text(item.default)))
    return cells


def text(value):
    """A default in the form of the table."""
    return str(value)


def same_default(want, have):
    """True when two defaults mean the same; objects and functions are compared by what they are called."""
    if want == have:
        return True
    if want.startswith('<') or have.startswith('<'):
        return _bare(want) == _bare(have) or want in ('<function>', '<object object>', '<object object instance>', '<_initializer>')
    try:
        return float(want) == float(have) and want not in ('True', 'False')
    except ValueError:
        return False


def _bare(word):
    word = word.replace('<dtype: ', '').replace('<class ', '').replace('<function ', '').replace('tf.', '').replace(' object instance', '')
    word = word.replace('TFRecordDatasetV1', 'TFRecordDataset').replace(' instance', '').strip("<>' ").partition(' at 0x')[0].replace(' object', '').partition(':')[0]
    return word.rpartition('.')[2].strip("'").lower()


def differs(want, have):
    """None, or what is different."""
    if want in HIDDEN:
        return None
    plain = [item for item in have if not item.startswith('*')]
    wanted = [item for item in want if not item.startswith('*')]
    if [item.partition('=')[0] for item in wanted] != [item.partition('=')[0] for item in plain]:
        return 'arguments'
    for one, other in zip(wanted, plain):
        if ('=' in one) != ('=' in other) or not same_default(one.partition('=')[2], other.partition('=')[2]):
            return 'default of ' + one.partition('=')[0]
    return None


def differences():
    """(names compared, [(name, what, wanted, found)])."""
    compared, found = 0, []
    for line in open(TABLE):
        name, *want = line.rstrip('\n').split('\t')
        want = [item.replace('\\t', '\t') for item in want]
        if '.__' in name:
            continue
        what = resolve(name)
        have = arguments(what) if what is not None else None
        if have is None:
            continue
        compared += 1
        if want and want[0] in ('self', 'cls') and have[:1] not in (['self'], ['cls'], ['*args']):
            want = want[1:]
        difference = differs(want, have)
        if difference:
            found.append((name, difference, want, have))
    return compared, found


class SignaturesTest(unittest.TestCase):
    def test_arguments_and_defaults_are_those_of_tensorflow(self):
        compared, found = differences()
        self.assertGreater(compared, 1000)
        self.assertEqual([], ['%s: %s; wanted %s, found %s' % (name, what, ', '.join(want), ', '.join(have))
                              for name, what, want, have in found])


if __name__ == '__main__':
    from weir import hook
    hook.install()
    count, rows = differences()
    for name, what, want, have in rows:
        print('%s: %s\n    want %s\n    have %s' % (name, what, ', '.join(want), ', '.join(have)))
    print('%d compared, %d differ' % (count, len(rows)))
