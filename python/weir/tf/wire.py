"""The bytes of messages: varints, strings, messages within messages; repeated fields and maps."""
import struct

DEFAULTS = {'bool': False, 'float': 0.0, 'double': 0.0, 'string': '', 'bytes': b''}
_PLAIN = {'int32', 'int64', 'uint32', 'uint64', 'enum', 'bool'}
_FIXED = {'fixed32': ('<I', 4), 'fixed64': ('<Q', 8), 'float': ('<f', 4), 'double': ('<d', 8)}
_RANGES = {'int32': (-2**31, 2**31), 'uint32': (0, 2**32), 'int64': (-2**63, 2**63), 'uint64': (0, 2**64),
           'sint32': (-2**31, 2**31), 'sint64': (-2**63, 2**63), 'fixed32': (0, 2**32), 'fixed64': (0, 2**64)}


def check(field, value):
    """`value` as the field holds it; TypeError or ValueError when it cannot."""
    kind = field.type
    if kind in ('string', 'bytes'):
        if kind == 'string' and isinstance(value, bytes):
            return value.decode()
        if kind == 'bytes' and isinstance(value, str) or not isinstance(value, (str, bytes, bytearray)):
            raise TypeError('%r has type %s, but expected one of: %s' % (value, type(value).__name__, kind))
        return value if kind == 'string' else bytes(value)
    if kind in ('float', 'double'):
        if isinstance(value, (str, bytes)):
            raise TypeError('%r has type %s, but expected one of: numbers' % (value, type(value).__name__))
        value = float(value)
        return struct.unpack('<f', struct.pack('<f', value))[0] if kind == 'float' and abs(value) < 3.4e38 else value
    if kind == 'bool':
        return bool(value)
    if kind == 'enum':
        return value if isinstance(value, str) else int(value)
    if isinstance(value, (str, bytes, float)) and not float(value).is_integer() if isinstance(value, float) else \
            isinstance(value, (str, bytes)):
        raise TypeError('%r has type %s, but expected one of: int' % (value, type(value).__name__))
    number = int(value)
    low, high = _RANGES.get(kind, (-2**63, 2**64))
    if not low <= number < high:
        raise ValueError('Value out of range: %s' % number)
    return number


class Repeated(list):
    """A repeated field."""
    __slots__ = ('_owner', '_field', '_class')
    __hash__ = None

    def __init__(self, owner, field, cls):
        list.__init__(self)
        self._owner, self._field, self._class = owner, field, cls

    def _touched(self):
        self._owner._changed(self._field.name)

    def _changed(self, unused=None):
        self._touched()

    def add(self, **kwargs):
        item = self._class(**kwargs)
        item._up = self, None
        list.append(self, item)
        self._touched()
        return item

    def append(self, value):
        if self._class is not None:
            self.add().CopyFrom(value)
            return
        list.append(self, check(self._field, value))
        self._touched()

    def extend(self, values):
        for value in values:
            self.append(value)

    MergeFrom = extend

    def insert(self, index, value):
        list.insert(self, index, check(self._field, value))
        self._touched()

    def __setitem__(self, key, value):
        list.__setitem__(self, key, [check(self._field, item) for item in value] if isinstance(key, slice)
                         else check(self._field, value))
        self._touched()

    def __reduce__(self):
        return list, (list(self),)

    def __deepcopy__(self, memo):
        import copy
        return [copy.deepcopy(item, memo) for item in self]


class Map(dict):
    """A map field; messages come into being when they are asked for."""
    __slots__ = ('_owner', '_field', '_entry', '_value')
    __hash__ = None

    def __init__(self, owner, field, entry):
        dict.__init__(self)
        self._owner, self._field, self._entry = owner, field, entry
        self._value = entry._fields['value']

    def _changed(self, unused=None):
        self._owner._changed(self._field.name)

    def __missing__(self, key):
        if not self._value.is_message:
            self[key] = self._value.default
            return self._value.default
        from .messages import _class_at
        made = _class_at(self._value.of)()
        made._up = self, None
        dict.__setitem__(self, check(self._entry._fields['key'], key), made)
        self._changed()
        return made

    def __setitem__(self, key, value):
        if self._value.is_message:
            raise ValueError('May not set values directly, call my_map[key].foo = 5')
        dict.__setitem__(self, key, check(self._value, value))
        self._changed()

    def get_or_create(self, key):
        return self[key]

    def MergeFrom(self, other):
        for key, value in other.items():
            if self._value.is_message:
                self[key].CopyFrom(value)
            else:
                self[key] = value

    def __reduce__(self):
        return dict, (dict(self),)


# ---- writing ----

def put_varint(out, value):
    value &= 0xffffffffffffffff
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def _put_scalar(out, kind, value):
    if kind in _PLAIN:
        put_varint(out, int(value))
    elif kind in _FIXED:
        out += struct.pack(_FIXED[kind][0], value)
    else:
        put_varint(out, value << 1 ^ value >> 63)


def _wire_type(kind):
    return 2 if kind in ('string', 'bytes', 'message') else {4: 5, 8: 1}[_FIXED[kind][1]] if kind in _FIXED else 0


def _put(out, field, value):
    put_varint(out, field.number << 3 | _wire_type(field.type))
    if field.is_message:
        inner = bytearray()
        write(value, inner)
        put_varint(out, len(inner))
        out += inner
    elif field.type in ('string', 'bytes'):
        data = value.encode() if isinstance(value, str) else value
        put_varint(out, len(data))
        out += data
    else:
        _put_scalar(out, field.type, value)


def _put_packed(out, field, values):
    inner = bytearray()
    for value in values:
        _put_scalar(inner, field.type, value)
    put_varint(out, field.number << 3 | 2)
    put_varint(out, len(inner))
    out += inner


def _put_map(out, field, values):
    key_field, value_field = values._entry._fields['key'], values._value
    for key in sorted(values):
        inner = bytearray()
        _put(inner, key_field, key)
        _put(inner, value_field, dict.__getitem__(values, key))
        put_varint(out, field.number << 3 | 2)
        put_varint(out, len(inner))
        out += inner


def write(message, out):
    values = message._values
    for number, field in message._by_number.items():
        if field.name not in values:
            continue
        value = values[field.name]
        if field.is_map:
            _put_map(out, field, value)
        elif field.label == 'packed':
            if value:
                _put_packed(out, field, value)
        elif field.repeated:
            for item in value:
                _put(out, field, item)
        else:
            _put(out, field, value)
    out += message._unknown


# ---- reading ----

class DecodeError(Exception):
    """The bytes are no message."""


def get_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _signed(kind, value):
    if kind == 'bool':
        return value != 0
    if kind in ('int32', 'int64', 'enum'):
        value &= 0xffffffffffffffff
        return value - (1 << 64) if value >> 63 else value
    if kind in ('sint32', 'sint64'):
        return value >> 1 ^ -(value & 1)
    return value


def _get_scalar(data, at, kind):
    if kind in _FIXED:
        layout, size = _FIXED[kind]
        return struct.unpack_from(layout, data, at)[0], at + size
    value, at = get_varint(data, at)
    return _signed(kind, value), at


def _skip(data, at, kind):
    if kind == 0:
        return get_varint(data, at)[1]
    if kind == 2:
        length, at = get_varint(data, at)
        return at + length
    if kind in (1, 5):
        return at + (8 if kind == 1 else 4)
    raise DecodeError('Error parsing message')


def _read_entry(message, field, data, at, end):
    target = getattr(message, field.name)
    entry = target._entry()
    read(entry, data, at, end)
    key = entry.key
    if target._value.is_message:
        value = entry.value
        value._up = target, None
        dict.__setitem__(target, key, value)
    else:
        dict.__setitem__(target, key, entry.value)
    message._changed(field.name)


def _read_packed(message, field, data, at, end):
    target = getattr(message, field.name)
    if field.type in _FIXED:
        layout, size = _FIXED[field.type]
        list.extend(target, struct.unpack_from('<%d%s' % ((end - at) // size, layout[1]), data, at))
    else:
        while at < end:
            value, at = get_varint(data, at)
            list.append(target, _signed(field.type, value))
    message._changed(field.name)


def _read_delimited(message, field, data, at, end):
    if field.is_map:
        _read_entry(message, field, data, at, end)
    elif field.is_message:
        target = getattr(message, field.name)
        child = target.add() if field.repeated else target
        read(child, data, at, end)
        message._changed(field.name)
    elif field.type in ('string', 'bytes'):
        value = data[at:end]
        _keep(message, field, value.decode('utf-8', 'surrogateescape') if field.type == 'string' else value)
    else:
        _read_packed(message, field, data, at, end)


def _keep(message, field, value):
    if field.repeated:
        list.append(getattr(message, field.name), value)
        message._changed(field.name)
        return
    if field.oneof:
        message._choose(field)
    if value == field.default and field.label == 'one':
        message._values.pop(field.name, None)
    else:
        message._values[field.name] = value


def read(message, data, at, end):
    """Adds the fields of data[at:end] to `message`."""
    by_number = message._by_number
    try:
        while at < end:
            start = at
            tag, at = get_varint(data, at)
            field, kind = by_number.get(tag >> 3), tag & 7
            if field is None or kind != 2 and kind != _wire_type(field.type):
                at = _skip(data, at, kind)
                message._unknown += data[start:at]
            elif kind == 2:
                length, at = get_varint(data, at)
                if at + length > end:
                    raise DecodeError('Error parsing message')
                _read_delimited(message, field, data, at, at + length)
                at += length
            else:
                value, at = _get_scalar(data, at, field.type)
                _keep(message, field, value)
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise DecodeError('Error parsing message: %s' % error) from None
