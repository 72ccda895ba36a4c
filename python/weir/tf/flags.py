"""tf.flags: values that the command line sets. Unknown flags are left where they are."""
import sys

from .shown import shows


class Error(Exception):
    """The base of this module's errors."""


class DuplicateFlagError(Error):
    pass


class IllegalFlagValueError(Error):
    pass


class UnrecognizedFlagError(Error):
    pass


def _parse_bool(text):
    low = text.lower()
    if low in ('true', 't', '1'):
        return True
    if low in ('false', 'f', '0'):
        return False
    raise ValueError('Non-boolean argument to boolean flag', text)


def _parse_int(text):
    return int(text, 16) if text.strip().lower().startswith('0x') else int(text)


def _parse_list(text):
    return [item.strip() for item in text.split(',')] if text else []


class Flag:
    """One flag: name, value, default, help; `present` counts how often it was set."""

    def __init__(self, name, default, help, parse, boolean=False, multi=False, short_name=None):
        self.name, self.help, self.boolean, self.short_name = name, help, boolean, short_name
        self.present, self.validators, self._parse, self._multi = 0, [], parse, multi
        self.set_default(default)

    def set_default(self, default):
        if self._multi and default is not None:
            items = default if isinstance(default, (list, tuple)) else [default]
            default = [self._parse_text(item) for item in items]
        elif isinstance(default, str):
            default = self._parse_text(default)
        elif self._parse is _parse_bool and default is not None:
            default = bool(default)
        elif self._parse is float and isinstance(default, int):
            default = float(default)
        elif self._parse is _parse_int and isinstance(default, float):
            raise IllegalFlagValueError('flag --%s=%s: expects an integer' % (self.name, default))
        self.default = self.value = default

    def _parse_text(self, text):
        if not isinstance(text, str):
            return text
        try:
            return self._parse(text)
        except ValueError as error:
            raise IllegalFlagValueError('flag --%s=%s: %s' % (self.name, text, error)) from None

    def parse(self, text):
        value = self._parse_text(text)
        if self._multi:
            value = (self.value if self.present else []) + [value]
        self.value = value
        self.present += 1

    def check(self):
        for accepts, message in self.validators:
            if not accepts(self.value):
                raise IllegalFlagValueError('flag --%s=%s: %s' % (self.name, self.value, message))

    def unparse(self):
        self.value, self.present = self.default, 0


class FlagValues:
    """FLAGS: flags as attributes. The command line is parsed when a value is first asked for."""

    def __init__(self):
        self.__dict__.update(_table={}, _parsed=False, _argv=[])

    def _add(self, flag):
        if flag.name in self._table:
            raise DuplicateFlagError("The flag '%s' is defined twice." % flag.name)
        self._table[flag.name] = flag
        if flag.short_name:
            self._table[flag.short_name] = flag
        for found, text in self._split(self._argv[1:], True)[0] if self._parsed else ():
            if found is flag:  # defined late: its value may stand on the command line
                flag.parse(text)

    def __getattr__(self, name):
        if name == '__flags':
            return self._table
        if name.startswith('__'):
            raise AttributeError(name)
        if name not in self._table:
            raise AttributeError(name)
        if not self._parsed:
            self(sys.argv, known_only=True)
        return self._table[name].value

    def __setattr__(self, name, value):
        if name not in self._table:
            raise AttributeError(name)
        flag = self._table[name]
        old, flag.value = flag.value, value
        try:
            flag.check()
        except IllegalFlagValueError:
            flag.value = old
            raise
        flag.present += 1

    def __delattr__(self, name):
        if name not in self._table:
            raise AttributeError(name)
        del self._table[name]

    def __getitem__(self, name):
        return self._table[name]

    def __contains__(self, name):
        return name in self._table

    def __iter__(self):
        return iter(sorted(self._table))

    def __len__(self):
        return len(self._table)

    def __dir__(self):
        return sorted(self._table)

    def __call__(self, argv, known_only=False):
        """Parses; returns what is left, the program's name first."""
        argv = list(argv)
        if not argv:
            raise ValueError('argv cannot be an empty list, and must contain the program name as the first element.')
        given, left = self._split(argv[1:], known_only)
        seen = set()
        for flag, text in given:
            if flag.name not in seen and flag._multi:
                flag.present = 0
            seen.add(flag.name)
            flag.parse(text)
        for flag in list(self._table.values()):
            flag.check()
        self.__dict__.update(_parsed=True, _argv=argv)
        return argv[:1] + left

    def _split(self, args, known_only):
        """([(flag, text)], what is no flag of ours)."""
        given, left, at = [], [], 0
        while at < len(args):
            arg = args[at]
            at += 1
            if arg == '--':
                left += args[at - 1:] if known_only else args[at:]
                break
            if not arg.startswith('-') or arg == '-':
                left.append(arg)
                continue
            name, equals, text = arg[2 if arg.startswith('--') else 1:].partition('=')
            flag = self._table.get(name) or self._table.get(name.replace('-', '_'))
            if flag is None and name.startswith('no') and not equals:
                flag, equals, text = self._table.get(name[2:]), '=', 'false'
                flag = flag if flag is not None and flag.boolean else None
            if flag is None:
                if not known_only and name not in ('help', 'h', 'undefok'):
                    raise UnrecognizedFlagError("Unknown command line flag '%s'" % name)
                left.append(arg)
            elif equals:
                given.append((flag, text))
            elif flag.boolean:
                given.append((flag, 'true'))
            elif at < len(args):
                given.append((flag, args[at]))
                at += 1
            else:
                raise Error('Missing value for flag %s' % arg)
        return given, left

    def _parse_flags(self, args=None):
        return self([sys.argv[0]] + list(args) if args is not None else sys.argv, known_only=True)

    def _flags(self):
        return self._table

    def is_parsed(self):
        return self._parsed

    def mark_as_parsed(self):
        self.__dict__['_parsed'] = True

    def unparse_flags(self):
        for flag in self._table.values():
            flag.unparse()
        self.__dict__['_parsed'] = False

    def set_default(self, name, value):
        self._table[name].set_default(value)

    def flag_values_dict(self):
        if not self._parsed:
            self(sys.argv, known_only=True)
        return {name: flag.value for name, flag in self._table.items()}

    def get_help(self):
        return '\n'.join('  --%s%s: %s\n    (default: %r)' % ('[no]' if flag.boolean else '', name, flag.help, flag.default)
                         for name, flag in sorted(self._table.items()))

    def main_module_help(self):
        return self.get_help()


FLAGS = FlagValues()


def _define(parse, boolean=False, multi=False):
    def define(name, default, help, flag_values=None, short_name=None, required=False, **unused):
        values = FLAGS if flag_values is None else flag_values
        values._add(Flag(name, default, help, parse, boolean, multi, short_name))
        if required:
            mark_flag_as_required(name, values)
    return define


def _sought(name, default, help, args):
    """TensorFlow's own names for the arguments, beside absl's."""
    name, default = args.pop('flag_name', name), args.pop('default_value', default)
    return name, default, args.pop('docstring', help)


def _absent():
    """Stands for an argument that was not given."""


@shows(lambda name, default, help, flag_values=_absent, required=False, **args: None)
def DEFINE_string(name=_absent, default=None, help=None, flag_values=None, required=False, **args):
    name, default, help = _sought(name, default, help, args)
    _define(str)(name, default, help, flag_values, required=required, **args)


@shows(lambda name, default, help, lower_bound=None, upper_bound=None, flag_values=_absent, required=False, **args: None)
def DEFINE_integer(name=_absent, default=None, help=None, lower_bound=None, upper_bound=None, flag_values=None, required=False, **args):
    name, default, help = _sought(name, default, help, args)
    _define(_parse_int)(name, default, help, flag_values, required=required, **args)


@shows(lambda name, default, help, lower_bound=None, upper_bound=None, flag_values=_absent, required=False, **args: None)
def DEFINE_float(name=_absent, default=None, help=None, lower_bound=None, upper_bound=None, flag_values=None, required=False, **args):
    name, default, help = _sought(name, default, help, args)
    _define(float)(name, default, help, flag_values, required=required, **args)


@shows(lambda name, default, help, flag_values=_absent, module_name=None, required=False, **args: None)
def DEFINE_boolean(name=_absent, default=None, help=None, flag_values=None, module_name=None, required=False, **args):
    name, default, help = _sought(name, default, help, args)
    _define(_parse_bool, boolean=True)(name, default, help, flag_values, required=required, **args)


DEFINE_bool = DEFINE_boolean
class _FlagValuesWrapper:
    """Flags that are parsed when one is first asked for."""

    def __init__(self, flags_object):
        self.__dict__['__wrapped'] = flags_object

    def __getattribute__(self, name):
        if name == '__dict__':
            return super().__getattribute__(name)
        return self.__dict__['__wrapped'].__getattribute__(name)

    def __getattr__(self, name):
        import sys
        wrapped = self.__dict__['__wrapped']
        if not wrapped.is_parsed():
            wrapped(sys.argv)
        return wrapped.__getattr__(name)

    def __setattr__(self, name, value):
        return self.__dict__['__wrapped'].__setattr__(name, value)

    def __delattr__(self, name):
        return self.__dict__['__wrapped'].__delattr__(name)

    def __dir__(self):
        return self.__dict__['__wrapped'].__dir__()

    def __getitem__(self, name):
        return self.__dict__['__wrapped'].__getitem__(name)

    def __setitem__(self, name, flag):
        return self.__dict__['__wrapped'].__setitem__(name, flag)

    def __contains__(self, name):
        return name in self.__dict__['__wrapped']

    def __len__(self):
        return len(self.__dict__['__wrapped'])

    def __iter__(self):
        return iter(self.__dict__['__wrapped'])

    def __str__(self):
        return str(self.__dict__['__wrapped'])

    def __call__(self, *args, **kwargs):
        return self.__dict__['__wrapped'](*args, **kwargs)


DEFINE_list = _define(_parse_list)
DEFINE_multi_string = _define(str, multi=True)
DEFINE_multi_integer = _define(_parse_int, multi=True)
DEFINE_multi_float = _define(float, multi=True)


def DEFINE_spaceseplist(name, default, help, comma_compat=False, **kwargs):
    _define(lambda text: (text.replace(',', ' ') if comma_compat else text).split())(name, default, help, **kwargs)


def DEFINE_enum(name, default, enum_values, help, flag_values=None, case_sensitive=True, **kwargs):
    def parse(text):
        for value in enum_values:
            if text == value or not case_sensitive and text.lower() == value.lower():
                return value
        raise ValueError('value should be one of <%s>' % '|'.join(enum_values))
    _define(parse)(name, default, help, flag_values, **kwargs)


def register_validator(flag_name, checker, message='Flag validation failed', flag_values=None):
    (FLAGS if flag_values is None else flag_values)[flag_name].validators.append((checker, message))


def mark_flag_as_required(flag_name, flag_values=None):
    register_validator(flag_name, lambda value: value is not None,
                       'Flag --%s must have a value other than None.' % flag_name, flag_values)


def mark_flags_as_required(flag_names, flag_values=None):
    for name in flag_names:
        mark_flag_as_required(name, flag_values)
