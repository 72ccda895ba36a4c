"""--old: what programs of the time of TensorFlow 1.x relied on: names that NumPy, SciPy and Python dropped, and Python 2.

A file that is not Python 3 is translated while it is loaded, by lib2to3 (part of Python up to 3.12); divisions of whole
numbers stay whole in it, as Python 2 had them. Files on disk are not changed and no bytecode is written.
"""
import ast
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import io
import sys
import tokenize
import types
import warnings

FIXERS = ('apply basestring dict except exec execfile filter funcattrs getcwdu has_key imports imports2 input intern '
          'itertools itertools_imports long map metaclass methodattrs ne next nonzero numliterals operator paren print raise '
          'raw_input reduce reload renames repr standarderror sys_exc throw tuple_params types unicode urllib xrange xreadlines zip')


# ---- Python 2 ----

def source_of(data):
    """The text of a file, by its coding line; by Latin-1 when it has none and is not UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        text = data.decode('latin-1')
    return text.replace('\r\n', '\n').replace('\r', '\n')


_tool = None


def _translator():
    """lib2to3's tool, made once."""
    global _tool
    if _tool is None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')
                from lib2to3 import refactor
        except ImportError:
            raise SyntaxError('this file is written in Python 2; Python %d.%d has no lib2to3 to translate it: use Python 3.12 or '
                              'earlier, or translate it with 2to3 first' % sys.version_info[:2]) from None
        names = ['lib2to3.fixes.fix_' + name for name in FIXERS.split()]
        _tool = refactor.RefactoringTool(names, explicit=names)
        _tool.log_message = _tool.log_debug = lambda *unused: None
    return _tool


def translated(text, path):
    """Python 2 as Python 3."""
    text = text if text.endswith('\n') else text + '\n'
    tool = _translator()
    try:
        return str(tool.refactor_string(text.expandtabs(8), path))
    except Exception as error:
        raise SyntaxError('%s: neither Python 3 nor Python 2: %s' % (path, error)) from None


class _Divide(ast.NodeTransformer):
    """a / b becomes a call that divides as Python 2 does."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.copy_location(ast.Call(ast.Name('__old_divide__', ast.Load()), [node.left, node.right], []), node)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        call = ast.Call(ast.Name('__old_divide__', ast.Load()), [left, node.value], [])
        return ast.copy_location(ast.Assign([node.target], ast.copy_location(call, node)), node)


class _Calls(ast.NodeTransformer):
    """sorted and sort by a function that compares two values, which Python 3 takes as a key only; decode of what is text already."""

    def visit_Call(self, node):
        self.generic_visit(node)
        named = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, 'attr', '')
        if named == 'decode' and isinstance(node.func, ast.Attribute):
            decode = ast.copy_location(ast.Name('__old_decode__', ast.Load()), node)
            return ast.copy_location(ast.Call(decode, [node.func.value] + node.args, node.keywords), node)
        places = {'sorted': 1, 'sort': 0}.get(named)
        if places is None:
            return node
        for keyword in node.keywords:
            if keyword.arg == 'cmp':
                keyword.arg, keyword.value = 'key', self._key(keyword.value)
        if len(node.args) == places + 1 and (named == 'sorted' or isinstance(node.args[places], ast.Lambda)):
            node.keywords.append(ast.keyword('key', self._key(node.args.pop())))
        return node

    @staticmethod
    def _key(compare):
        return ast.copy_location(ast.Call(ast.Name('__old_compare__', ast.Load()), [compare], []), compare)


def divide(left, right):
    """Python 2's /: whole numbers give a whole number."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    return left / right


def decode(text, *args, **kwargs):
    """Python 2's str.decode, where a str may be text or bytes; the method of anything else."""
    return text if isinstance(text, str) else text.decode(*args, **kwargs)


def compiled(data, path):
    """The code of a file, translated when it is not Python 3."""
    text = source_of(data)
    try:
        return compile(text, path, 'exec', dont_inherit=True)
    except SyntaxError:
        pass
    tree = ast.parse(translated(text, path), path)
    if not any(isinstance(node, ast.ImportFrom) and node.module == '__future__' and
               any(name.name == 'division' for name in node.names) for node in tree.body):
        tree = _Divide().visit(tree)
    tree = ast.fix_missing_locations(_Calls().visit(tree))
    return compile(tree, path, 'exec', dont_inherit=True)


class OldLoader(importlib.machinery.SourceFileLoader):
    """Loads a file, Python 2 or 3."""

    def source_to_code(self, data, path, *, _optimize=-1):
        return compiled(bytes(data), path)

    def set_data(self, path, data, *, _mode=0o666):
        """No bytecode: a translated file must not be found by a Python without --old."""


def _path_hook(path):
    """Finders for folders that hold programs; Python's own are left to Python."""
    if path.startswith((sys.base_prefix, sys.prefix)) and ('site-packages' in path or 'lib/python' in path):
        raise ImportError('not a folder of programs')
    machinery = importlib.machinery
    return machinery.FileFinder(path, (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
                                (OldLoader, machinery.SOURCE_SUFFIXES))


# ---- modules that have other names now ----

MODULES = {'cPickle': 'pickle', 'cStringIO': 'io', 'StringIO': 'io', 'Queue': 'queue', 'ConfigParser': 'configparser',
           'urlparse': 'urllib.parse', '__builtin__': 'builtins', 'copy_reg': 'copyreg', 'thread': '_thread',
           'SocketServer': 'socketserver', 'HTMLParser': 'html.parser', 'httplib': 'http.client', 'Tkinter': 'tkinter',
           'tkMessageBox': 'tkinter.messagebox', 'cookielib': 'http.cookiejar', 'Cookie': 'http.cookies', 'repr': 'reprlib',
           'xmlrpclib': 'xmlrpc.client', 'commands': 'subprocess', 'anydbm': 'dbm', 'urllib2': 'urllib.request'}


class MiscFinder(importlib.abc.MetaPathFinder):
    """Completes SciPy's own scipy.misc, which from 1.2 to 1.11 has a few of its names."""

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path) if name == 'scipy.misc' else None
        if spec is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            from .old_names import give_scipy_misc
            execute(module)
            give_scipy_misc(module)
        spec.loader.exec_module = exec_module
        return spec


class ModuleFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers old names of modules, and scipy.misc where SciPy has none."""

    def find_spec(self, name, path=None, target=None):
        if name in MODULES or name in ('scipy.misc', 'imp'):
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        if spec.name == 'scipy.misc':
            from .old_names import give_scipy_misc
            return give_scipy_misc(types.ModuleType(spec.name))
        if spec.name == 'imp':
            from .old_names import imp_module
            return imp_module()
        return importlib.import_module(MODULES[spec.name])

    def exec_module(self, module):
        pass


def restore():
    """From now on old programs find what they expect."""
    import builtins
    from .old_names import restore_names
    warnings.filterwarnings('ignore', category=SyntaxWarning)
    builtins.__old_divide__, builtins.__old_compare__, builtins.__old_decode__ = divide, functools.cmp_to_key, decode
    restore_names()
    sys.meta_path.insert(0, MiscFinder())
    sys.meta_path.append(ModuleFinder())
    sys.path_hooks.insert(0, _path_hook)
    sys.path_importer_cache.clear()
