"""weir check script.py...: what a program needs of TensorFlow, and what of it weir does not have. Nothing of it is run.

The names are found by reading: `import tensorflow as tf` and its other forms, then every `tf.a.b` in the file and in the
files beside it that it imports. Names that are made up at run time (getattr) are not seen.
"""
import ast
import importlib.util
import os
import sys
import types

from . import hook

# NumPy names that --old gives back; scipy.misc and old modules are found as imports.
OLD_NUMPY = set('int float bool object str complex long unicode float_ complex_ string_ unicode_ Inf infty NaN asscalar product '
                'cumproduct sometrue alltrue rank row_stack in1d trapz msort'.split())


class Use:
    """A name and where it was met first."""

    def __init__(self, name, path, line):
        self.name, self.path, self.line, self.count = name, path, line, 1


class Names(ast.NodeVisitor):
    """The names of one file: of TensorFlow, of NumPy, and the modules it imports."""

    def __init__(self, path):
        self.path, self.tensorflow, self.numpy, self.imports = path, {}, {}, {}
        self.known = {}  # name in the file: path below tensorflow, or 'numpy'

    def visit_Import(self, node):
        for item in node.names:
            root = item.name.partition('.')[0]
            self.imports.setdefault(item.name, node.lineno)
            if root == 'tensorflow':
                self._module(item.name, item.asname, node)
            elif item.name == 'numpy':
                self.known[item.asname or 'numpy'] = 'numpy'

    def _module(self, full, alias, node):
        self._use(full[11:], node)
        self.known[alias or 'tensorflow'] = full[11:] if alias else ''

    def visit_ImportFrom(self, node):
        module = node.module or ''
        if node.level == 0 and module.partition('.')[0] == 'tensorflow':
            below = module[11:]
            for item in node.names:
                path = below + '.' + item.name if below else item.name
                self._use(path, node)
                self.known[item.asname or item.name] = path
        elif node.level == 0 or module:
            self.imports.setdefault(module, node.lineno)
            for item in node.names:
                self.imports.setdefault(module + '.' + item.name, node.lineno)

    def visit_Attribute(self, node):
        parts, base = [node.attr], node.value
        while isinstance(base, ast.Attribute):
            parts.insert(0, base.attr)
            base = base.value
        known = self.known.get(base.id) if isinstance(base, ast.Name) else None
        if known == 'numpy':
            if parts[0] in OLD_NUMPY:
                self._add(self.numpy, parts[0], node)
        elif known is not None:
            self._use('.'.join([known] + parts if known else parts), node)
        else:
            self.generic_visit(node)

    def _use(self, name, node):
        if name and not name.startswith('.') and '*' not in name:
            self._add(self.tensorflow, name, node)

    def _add(self, table, name, node):
        if name in table:
            table[name].count += 1
        else:
            table[name] = Use(name, self.path, node.lineno)


def parse(path):
    """(tree, whether it had to be translated from Python 2)"""
    from . import old
    with open(path, 'rb') as file:
        text = old.source_of(file.read())
    try:
        return ast.parse(text, path), False
    except SyntaxError:
        return ast.parse(old.translated(text, path), path), True


def missing_part(name):
    """The part of tf.<name> that weir does not have, or None. Modules and classes are looked into, values are not."""
    import tensorflow
    found, seen = tensorflow, []
    for part in name.split('.'):
        seen.append(part)
        if not isinstance(found, (types.ModuleType, type)):
            return None
        try:
            found = getattr(found, part)
        except AttributeError:
            path = '.'.join(seen)
            from .tf import _names
            if not isinstance(found, types.ModuleType) or not _names.has_module(path):
                return path
            found = _names.module(path)
        except ImportError:
            return '.'.join(seen)
    return None


class Report:
    """All files of a program."""

    def __init__(self):
        self.files, self.names, self.numpy, self.absent, self.python2, self.broken = [], {}, {}, {}, [], []

    def read(self, path):
        """Reads a file, and those beside it that it imports."""
        path = os.path.abspath(path)
        if path in self.files:
            return
        self.files.append(path)
        try:
            tree, translated = parse(path)
        except SyntaxError as error:
            self.broken.append('%s: %s' % (path, error))
            return
        if translated:
            self.python2.append(path)
        found = Names(path)
        found.visit(tree)
        for mine, theirs in ((self.names, found.tensorflow), (self.numpy, found.numpy)):
            for name, use in theirs.items():
                mine.setdefault(name, use)
        for module, line in found.imports.items():
            self._follow(path, module, line)

    def _follow(self, path, module, line):
        for folder in (os.path.dirname(path), os.path.dirname(self.files[0])):
            stem = os.path.join(folder, *module.split('.'))
            for candidate in (stem + '.py', os.path.join(stem, '__init__.py')):
                if os.path.isfile(candidate):
                    return self.read(candidate)
            if os.path.isdir(os.path.join(folder, module.partition('.')[0])):
                return None
        root = module.partition('.')[0]
        if root and root not in self.absent and root not in sys.builtin_module_names and not self._installed(root):
            parent = os.path.join(os.path.dirname(path), root + '.py')
            if not os.path.isfile(parent):
                self.absent[root] = Use(root, path, line)
        return None

    @staticmethod
    def _installed(root):
        try:
            return importlib.util.find_spec(root) is not None
        except (ImportError, ValueError):
            return True

    def missing(self):
        """{what is missing: where it is used first}"""
        out = {}
        for name, use in sorted(self.names.items()):
            part = missing_part(name)
            if part is not None:
                out.setdefault(part, use)
        return out


def _place(use):
    return '%s:%d' % (os.path.relpath(use.path), use.line)


def _needs_old(report):
    from .old import MODULES
    rows = ['Python 2 in %s' % os.path.relpath(path) for path in report.python2]
    rows += ['np.%s (%s)' % (name, _place(use)) for name, use in sorted(report.numpy.items())]
    rows += ['module %s (%s)' % (name, _place(use)) for name, use in sorted(report.absent.items()) if name in MODULES]
    return rows


def print_report(report, out=None):
    """Prints what is missing; true when nothing is."""
    from .old import MODULES
    missing = report.missing()
    used = len(report.names)
    print('%d files, %d names of TensorFlow, %d missing' % (len(report.files), used, len(missing)), file=out)
    for name, use in missing.items():
        print('  missing  tf.%s  (%s)' % (name, _place(use)), file=out)
    for line in report.broken:
        print('  cannot be read  %s' % line, file=out)
    for row in _needs_old(report):
        print('  needs --old  %s' % row, file=out)
    for name, use in sorted(report.absent.items()):
        if name not in MODULES:
            print('  not installed  %s  (%s)' % (name, _place(use)), file=out)
    return not missing and not report.broken


def main(arguments):
    if not arguments or arguments[0] in ('-h', '--help'):
        print('usage: weir check script.py...')
        return 0 if arguments else 2
    hook.install()
    fine = True
    for path in arguments:
        if not os.path.isfile(path):
            sys.exit("weir check: can't open file '%s'" % path)
        report = Report()
        report.read(path)
        if len(arguments) > 1:
            print('%s: ' % path, end='')
        fine = print_report(report) and fine
    return 0 if fine else 1
