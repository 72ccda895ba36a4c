"""tf.app.run."""
import sys

from . import flags


def run(main=None, argv=None):
    """Parses flags, calls main with what is left and ends the program."""
    args = list(sys.argv if argv is None else argv)
    if any(arg in ('--help', '-help', '--helpfull', '-h', '--helpshort') for arg in args[1:]):
        print('flags:\n' + flags.FLAGS.get_help())
        sys.exit(1)
    try:
        left = flags.FLAGS(args, known_only=True)
    except flags.Error as error:
        sys.stderr.write('FATAL Flags parsing error:\n  %s\nPass --help to see help on flags.\n' % error)
        sys.exit(1)
    main = main or sys.modules['__main__'].main
    sys.exit(main(left))
