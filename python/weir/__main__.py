"""python -m weir script.py [arguments]: runs a program that imports tensorflow."""
import os
import runpy
import sys


def main(argv):
    if not argv or argv[0] in ('-h', '--help'):
        print('usage: python -m weir [-m module | script.py] [arguments]')
        return 0 if argv else 2
    from . import hook
    hook.install()
    hook.soft_placement = True
    if argv[0] == '-m' and len(argv) > 1:
        sys.argv = argv[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(argv[1], run_name='__main__', alter_sys=True)
    else:
        run_script(argv)
    return 0


def run_script(argv):
    """Runs a file as `python file` would: its folder comes first on the path."""
    sys.argv = argv
    if sys.path and sys.path[0] in ('', os.getcwd()):
        del sys.path[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(argv[0])))
    runpy.run_path(argv[0], run_name='__main__')


def command():
    """The program weir-python."""
    sys.exit(main(sys.argv[1:]))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
