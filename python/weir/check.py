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
    rows = [('Python 2', os.path.relpath(path)) for path in report.python2]
    rows += [('np.' + name, _place(use)) for name, use in sorted(report.numpy.items())]
    return rows + [('module ' + name, _place(use)) for name, use in sorted(report.absent.items()) if name in MODULES]


def findings(report):
    """Rows (what, name or reason, place) of a report."""
    from .old import MODULES
    rows = [('missing', 'tf.' + name, _place(use)) for name, use in report.missing().items()]
    rows += [('cannot be read', line, '') for line in report.broken]
    rows += [('needs --old', name, place) for name, place in _needs_old(report)]
    return rows + [('not installed', name, _place(use)) for name, use in sorted(report.absent.items()) if name not in MODULES]


def print_report(report, rows):
    print('%d files, %d names of TensorFlow, %d missing' % (len(report.files), len(report.names),
                                                            sum(what == 'missing' for what, _, _ in rows)))
    for what, name, place in rows:
        print('  %s  %s%s' % (what, name, '  (%s)' % place if place else ''))


def print_table(rows, form):
    """Rows (program, what, name, place) as JSON or CSV."""
    columns = 'program', 'finding', 'name', 'place'
    if form == 'json':
        import json
        print(json.dumps([dict(zip(columns, row)) for row in rows], indent=2))
    else:
        import csv
        csv.writer(sys.stdout, lineterminator='\n').writerows([columns] + rows)


def main(arguments):
    usage, form = 'usage: weir check [-o table|json|csv] script.py...', 'table'
    if arguments[:1] == ['-o'] and arguments[1:2] and arguments[1] in ('table', 'text', 'json', 'csv'):
        form, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0].startswith('-'):
        asked = arguments[:1] in (['-h'], ['--help'])
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    for path in arguments:
        if not os.path.isfile(path):
            sys.exit("weir check: can't open file '%s'" % path)
    hook.install()
    fine, table = True, []
    for path in arguments:
        report = Report()
        report.read(path)
        rows = findings(report)
        fine = fine and not any(what in ('missing', 'cannot be read') for what, _, _ in rows)
        table += [(path,) + row for row in rows]
        if form in ('table', 'text'):
            print('%s: ' % path if len(arguments) > 1 else '', end='')
            print_report(report, rows)
    if form in ('json', 'csv'):
        print_table(table, form)
    return 0 if fine else 1
