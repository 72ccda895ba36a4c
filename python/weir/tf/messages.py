"""Message classes (GraphDef, ConfigProto, Example ...), made from the library's table when they are first named.

They behave as protobuf's Python classes do: fields with defaults, repeated fields and maps, oneofs, SerializeToString,
ParseFromString, CopyFrom, HasField and so on. str() gives the text form.
"""
import sys

from .. import _native
from . import wire


class Enum:
    """An enumeration: Name(number), Value(name), items()."""

    def __init__(self, name, values):
        self.name, self._numbers = name, values
        self._names = {}
        for key, number in values.items():
            self._names.setdefault(number, key)

    def Name(self, number):
        if number not in self._names:
            raise ValueError('Enum %s has no name defined for value %r' % (self.name, number))
        return self._names[number]

    def Value(self, name):
        if name not in self._numbers:
            raise ValueError('Enum %s has no value defined for name %s' % (self.name, name))
        return self._numbers[name]

    def keys(self):
        return list(self._numbers)

    def values(self):
        return list(self._numbers.values())

    def items(self):
        return list(self._numbers.items())

    def __getattr__(self, name):
        try:
            return self.__dict__['_numbers'][name]
        except KeyError:
            raise AttributeError(name) from None


class Field:
    """A row of the table."""
    __slots__ = ('name', 'number', 'type', 'label', 'of', 'oneof', 'repeated', 'is_map', 'is_message', 'default')

    def __init__(self, text):
        self.name, number, self.type, self.label, of, oneof = text.split(' ')
        self.number, self.of = int(number), int(of)
        self.oneof = None if oneof == '-' else oneof
        self.is_map = self.label == 'map'
        self.repeated = self.label in ('repeated', 'packed')
        self.is_message = self.type == 'message'
        self.default = wire.DEFAULTS.get(self.type, 0)


class _Descriptor:
    def __init__(self, full_name, fields):
        self.full_name, self.name = full_name, full_name.rpartition('.')[2]
        self.fields = fields
        self.fields_by_name = {field.name: field for field in fields}


class Message:
    """The base of all message classes."""
    _fields, _by_number, _oneofs = {}, {}, {}

    def __init__(self, **kwargs):
        self._values, self._lazy, self._up, self._unknown = {}, {}, None, b''
        for name, value in kwargs.items():
            if value is not None:
                self._assign(name, value)

    def _assign(self, name, value):
        field = self._field(name)
        if field.is_map:
            target = getattr(self, name)
            for key, item in value.items():
                if isinstance(item, Message):
                    target[key].CopyFrom(item)
                else:
                    target[key] = item
        elif field.repeated:
            getattr(self, name).extend(value)
        elif field.is_message:
            getattr(self, name).CopyFrom(_class_at(field.of)(**value) if isinstance(value, dict) else value)
            getattr(self, name).SetInParent()
        else:
            setattr(self, name, value)

    def _field(self, name):
        field = self._fields.get(name)
        if field is None:
            raise ValueError('Protocol message %s has no "%s" field.' % (type(self).__name__, name))
        return field

    def __getattr__(self, name):
        field = type(self)._fields.get(name)
        if field is None:
            raise AttributeError("'%s' object has no attribute %r" % (type(self).__name__, name))
        values = self.__dict__['_values']
        if name in values:
            return values[name]
        if not (field.repeated or field.is_map or field.is_message):
            return field.default
        lazy = self.__dict__['_lazy']
        if name not in lazy:
            lazy[name] = self._make(field)
        return lazy[name]

    def _make(self, field):
        if field.is_map:
            return wire.Map(self, field, _class_at(field.of))
        if field.repeated:
            return wire.Repeated(self, field, _class_at(field.of) if field.is_message else None)
        child = _class_at(field.of)()
        child._up = self, field.name
        return child

    def __setattr__(self, name, value):
        if name[0] == '_':
            self.__dict__[name] = value
            return
        field = type(self)._fields.get(name)
        if field is None or field.is_message or field.repeated or field.is_map:
            raise AttributeError('Assignment not allowed to field "%s" in protocol message object %s' %
                                 (name, type(self).__name__))
        value = wire.check(field, value)
        if field.type == 'enum' and isinstance(value, str):
            value = _enum_at(field.of).Value(value)
        if field.oneof:
            self._choose(field)
        if value == field.default and field.label == 'one' and type(value) is not float:
            self._values.pop(name, None)
        else:
            self._values[name] = value
        self._changed()

    def _choose(self, field):
        for other in self._oneofs.get(field.oneof, ()):
            if other != field.name:
                self._values.pop(other, None)
                self._lazy.pop(other, None)

    def _changed(self, child=None):
        """Something was set here, or in the field `child`: it and all above are present now."""
        if child is not None and child not in self._values:
            field = self._fields[child]
            if field.oneof:
                self._choose(field)
            if child in self._lazy:
                self._values[child] = self._lazy.pop(child)
        if self._up is not None:
            self._up[0]._changed(self._up[1])

    def SetInParent(self):
        self._changed()

    def HasField(self, field_name):
        if field_name in self._oneofs:
            return self.WhichOneof(field_name) is not None
        field = self._field(field_name)
        if field.repeated or field.is_map:
            raise ValueError('Protocol message %s has no singular "%s" field.' % (type(self).__name__, field_name))
        return field_name in self._values

    def WhichOneof(self, oneof_group):
        if oneof_group not in self._oneofs:
            raise ValueError('Protocol message has no oneof "%s" field.' % oneof_group)
        for name in self._oneofs[oneof_group]:
            if name in self._values:
                return name
        return None

    def ClearField(self, field_name):
        for name in self._oneofs.get(field_name) or [self._field(field_name).name]:
            old = self._values.pop(name, None)
            self._lazy.pop(name, None)
            if isinstance(old, Message):
                old._up = None
        self._changed()

    def Clear(self):
        self._values, self._lazy, self._unknown = {}, {}, b''
        self._changed()

    def ListFields(self):
        return [(field, self._values[field.name]) for field in self._by_number.values()
                if field.name in self._values and not (hasattr(self._values[field.name], '__len__') and
                                                       (field.repeated or field.is_map) and not self._values[field.name])]

    def SerializeToString(self, deterministic=None):
        out = bytearray()
        wire.write(self, out)
        return bytes(out)

    SerializePartialToString = SerializeToString

    def ByteSize(self):
        return len(self.SerializeToString())

    def ParseFromString(self, serialized):
        self.Clear()
        return self.MergeFromString(serialized)

    def MergeFromString(self, serialized):
        data = serialized if isinstance(serialized, bytes) else bytes(serialized)
        wire.read(self, data, 0, len(data))
        self._changed()
        return len(data)

    @classmethod
    def FromString(cls, s):
        made = cls()
        made.MergeFromString(s)
        return made

    def MergeFrom(self, other_msg):
        if not isinstance(other_msg, type(self)):
            raise TypeError('Parameter to MergeFrom() must be instance of same class: expected %s got %s.' %
                            (type(self).__name__, type(other_msg).__name__))
        self.MergeFromString(other_msg.SerializeToString())

    def CopyFrom(self, other_msg):
        if other_msg is self:
            return
        if not isinstance(other_msg, type(self)):
            raise TypeError('Parameter to CopyFrom() must be instance of same class: expected %s got %s.' %
                            (type(self).__name__, type(other_msg).__name__))
        self.ParseFromString(other_msg.SerializeToString())

    def IsInitialized(self):
        return True

    def __eq__(self, other):
        return isinstance(other, type(self)) and self.SerializeToString() == other.SerializeToString()

    __hash__ = None

    def __copy__(self):
        return self.__deepcopy__({})

    def __deepcopy__(self, memo):
        return type(self).FromString(self.SerializeToString())

    def __reduce__(self):
        return _restore, (self._full_name, self.SerializeToString())

    def __str__(self):
        return _native.message_to_text(self._full_name, self.SerializeToString()).decode('utf-8', 'backslashreplace')

    def __repr__(self):
        return str(self)

    def __dir__(self):
        return list(self._fields) + list(super().__dir__())


def _restore(full_name, data):
    return find(full_name).FromString(data)


def merge_text(text, message):
    """Adds what a text form says to `message`."""
    data = text.encode() if isinstance(text, str) else text
    message.MergeFromString(_native.message_from_text(message._full_name, data))
    return message


# ---- the table ----

_rows, _enums, _classes, _index, _enum_index = [], [], {}, {}, {}


def _load():
    for line in _native.message_schema().decode().splitlines():
        kind, package, name, *rest = line.split('\t')
        if kind == 'enum':
            values = dict(item.split('=') for item in rest)
            _enum_index[name] = len(_enums)
            _enums.append(Enum(name, {key: int(value) for key, value in values.items()}))
        else:
            if kind == 'message':
                _index[name] = _index[package + '.' + name] = len(_rows)
            _rows.append((package, name, rest))


def _tables():
    if not _rows:
        _load()


def _enum_at(index):
    _tables()
    return _enums[index]


def _class_at(index):
    made = _classes.get(index)
    if made is None:
        made = _classes[index] = _make_class(index)
    return made


def _make_class(index):
    package, name, rest = _rows[index]
    fields = [Field(text) for text in rest]
    full_name = package + '.' + name if package else name
    members = {'_fields': {field.name: field for field in fields}, '_by_number': {field.number: field for field in fields},
               '_oneofs': {}, '_full_name': full_name, 'DESCRIPTOR': _Descriptor(full_name, fields), '__module__': __name__}
    for field in fields:
        if field.oneof:
            members['_oneofs'].setdefault(field.oneof, []).append(field.name)
        members[field.name.upper() + '_FIELD_NUMBER'] = field.number
    for enum in _enums:
        if enum.name.rpartition('.')[0] == name and package:
            members[enum.name.rpartition('.')[2]] = enum
            members.update(enum.items())
    made = type(Message)(name.rpartition('.')[2], (Message,), members)
    if package:
        _classes[index] = made
        _nest(made, name)
    return made


def _nest(made, name):
    """Messages within messages are attributes of the outer class."""
    for other, at in list(_index.items()):
        if other.rpartition('.')[0] == name and other != name:
            setattr(made, other.rpartition('.')[2], _class_at(at))


def find(name):
    """The class or enumeration called `name`; KeyError when the table has none."""
    _tables()
    name = name[len('tensorflow.'):] if name.startswith('tensorflow.') else name
    if name in _enum_index:
        return _enums[_enum_index[name]]
    return _class_at(_index[name])


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    try:
        found = find(name)
    except KeyError:
        found = _enum_value(name)
    setattr(sys.modules[__name__], name, found)
    return found


def _enum_value(name):
    for enum in _enums:
        if '.' not in enum.name and name in enum._numbers:
            return enum._numbers[name]
    raise AttributeError('weir has no message %s' % name)
