"""python -m weir [--old] script.py [arguments]: runs a program that imports tensorflow."""
import os
import runpy
import sys

USAGE = """usage: python -m weir [--old] [-m module | -c text | script.py] [arguments]
       python -m weir check script.py...     report what a program needs, and what of it is missing
       python -m weir install-hook           make `import tensorflow` find weir in this environment
       python -m weir remove-hook            undo install-hook

--old: restores names that NumPy, SciPy and Python have removed, and translates Python 2 on loading."""


def _check(arguments):
    from .check import main as check
    return check(arguments)


def _install_hook(arguments):
    from .environment import install
    print(install())
    return 0


def _remove_hook(arguments):
    from .environment import remove
    print(remove())
    return 0


COMMANDS = {'check': _check, 'install-hook': _install_hook, 'remove-hook': _remove_hook}


def main(argv):
    if argv and argv[0] in COMMANDS:
        return COMMANDS[argv[0]](argv[1:])
    old = bool(argv) and argv[0] == '--old'
    argv = argv[1:] if old else argv
    if not argv or argv[0] in ('-h', '--help'):
        print(USAGE)
        return 0 if argv else 2
    from . import hook
    hook.install()
    hook.soft_placement = True
    if old:
        from .old import restore
        restore()
    if argv[0] == '-m' and len(argv) > 1:
        sys.argv = argv[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(argv[1], run_name='__main__', alter_sys=True)
    elif argv[0] == '-c' and len(argv) > 1:
        sys.argv = ['-c'] + argv[2:]
        run_code(compile(argv[1], '<string>', 'exec'), '<string>')
    else:
        run_script(argv, old)
    return 0


def run_script(argv, old=False):
    """Runs a file as `python file` would: its folder comes first on the path, and it is __main__."""
    sys.argv = argv
    if sys.path and sys.path[0] in ('', os.getcwd()):
        del sys.path[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(argv[0])))
    if not os.path.exists(argv[0]):
        sys.exit("python -m weir: can't open file '%s'" % argv[0])
    if old and os.path.isfile(argv[0]):
        from .old import compiled
        with open(argv[0], 'rb') as file:
            code = compiled(file.read(), argv[0])
        run_code(code, argv[0])
    else:
        runpy.run_path(argv[0], run_name='__main__')


def run_code(code, path):
    """Runs code as __main__."""
    import types
    main_module = types.ModuleType('__main__')
    main_module.__dict__.update(__file__=path, __builtins__=__builtins__, __cached__=None)
    before, sys.modules['__main__'] = sys.modules['__main__'], main_module
    try:
        exec(code, main_module.__dict__)
    finally:
        sys.modules['__main__'] = before


def command():
    """The program weir-python."""
    sys.exit(main(sys.argv[1:]))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
