"""six for Python 3, as programs use it: names of both Pythons, and six.moves."""
import builtins
import functools
import importlib
import io
import operator
import sys

PY2, PY3, PY34 = False, True, True
MAXSIZE = sys.maxsize
string_types, integer_types, class_types = (str,), (int,), (type,)
text_type, binary_type = str, bytes
StringIO, BytesIO = io.StringIO, io.BytesIO
Iterator = object
next = advance_iterator = builtins.next
callable = builtins.callable
print_ = builtins.print
exec_ = builtins.exec
unichr, int2byte = chr, operator.methodcaller('to_bytes', 1, 'big')
byte2int, indexbytes, iterbytes = operator.itemgetter(0), operator.getitem, iter
wraps = functools.wraps
get_method_function = operator.attrgetter('__func__')
get_method_self = operator.attrgetter('__self__')
get_function_code = operator.attrgetter('__code__')
get_function_defaults = operator.attrgetter('__defaults__')
get_function_globals = operator.attrgetter('__globals__')
get_function_closure = operator.attrgetter('__closure__')


def iterkeys(mapping, **kwargs):
    return iter(mapping.keys(**kwargs))


def itervalues(mapping, **kwargs):
    return iter(mapping.values(**kwargs))


def iteritems(mapping, **kwargs):
    return iter(mapping.items(**kwargs))


def iterlists(mapping, **kwargs):
    return iter(mapping.lists(**kwargs))


viewkeys, viewvalues, viewitems = (operator.methodcaller(name) for name in ('keys', 'values', 'items'))


def b(text):
    return text.encode('latin-1')


def u(text):
    return text


def ensure_binary(text, encoding='utf-8', errors='strict'):
    if not isinstance(text, (str, bytes)):
        raise TypeError("not expecting type '%s'" % type(text))
    return text.encode(encoding, errors) if isinstance(text, str) else text


def ensure_text(text, encoding='utf-8', errors='strict'):
    if not isinstance(text, (str, bytes)):
        raise TypeError("not expecting type '%s'" % type(text))
    return text.decode(encoding, errors) if isinstance(text, bytes) else text


ensure_str = ensure_text


def reraise(kind, value, traceback=None):
    raise (kind() if value is None else value).with_traceback(traceback)


def raise_from(value, cause):
    raise value from cause


def with_metaclass(meta, *bases):
    """A base class: what is derived from it is made by `meta` of `bases`."""
    class Once(type):
        def __new__(cls, name, _, attributes):
            return meta(name, bases, attributes)

        @classmethod
        def __prepare__(cls, name, _):
            return meta.__prepare__(name, bases)
    return type.__new__(Once, 'temporary_class', (), {})


def add_metaclass(meta):
    def made(cls):
        attributes = {name: value for name, value in vars(cls).items() if name not in ('__dict__', '__weakref__')}
        slots = attributes.get('__slots__', ())
        for name in [slots] if isinstance(slots, str) else slots:
            attributes.pop(name, None)
        return meta(cls.__name__, cls.__bases__, attributes)
    return made


def python_2_unicode_compatible(cls):
    return cls


def assertCountEqual(self, *args, **kwargs):
    return self.assertCountEqual(*args, **kwargs)


def assertRaisesRegex(self, *args, **kwargs):
    return self.assertRaisesRegex(*args, **kwargs)


def assertRegex(self, *args, **kwargs):
    return self.assertRegex(*args, **kwargs)


_MOVES = '''
builtins input range filter map zip chr=unichr
functools reduce
importlib reload=reload_module
io StringIO StringIO=cStringIO
os getcwd getcwd=getcwdu getcwdb
sys intern
itertools zip_longest filterfalse
shlex quote=shlex_quote
collections UserDict UserList UserString
'''

_MOVED_MODULES = '''
builtins copyreg configparser queue reprlib socketserver _thread http.client=http_client http.cookies=http_cookies
http.cookiejar=http_cookiejar http.server=BaseHTTPServer html.parser=html_parser html.entities=html_entities pickle=cPickle
urllib urllib.parse=urllib_parse urllib.request=urllib_request urllib.error=urllib_error urllib.robotparser=urllib_robotparser
tkinter tkinter.filedialog=tkinter_filedialog tkinter.messagebox=tkinter_messagebox xmlrpc.client=xmlrpc_client
collections.abc=collections_abc email.mime.text=email_mime_text email.mime.multipart=email_mime_multipart
'''


def _words(text):
    """{the name in six.moves: the name in Python 3}."""
    return {public or own: own for own, _, public in (word.partition('=') for word in text.split())}


def moved_modules():
    """{the name in six.moves: the module of Python 3}."""
    return _words(_MOVED_MODULES)


def moved(name):
    """What six.moves.<name> is."""
    if name == 'xrange':
        return range
    for row in _MOVES.strip().split('\n'):
        module, _, names = row.partition(' ')
        if name in _words(names):
            return getattr(importlib.import_module(module), _words(names)[name])
    if name in moved_modules():
        return importlib.import_module(moved_modules()[name])
    raise AttributeError('six.moves has no ' + name)
