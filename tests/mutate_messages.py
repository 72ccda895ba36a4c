"""mutate_messages: damages any protobuf message, field by field, knowing its structure.

    donors = Donors()
    donors.add(message)                      # parts of it may be planted in other messages
    mutate(message, rng, donors)             # one to four changes anywhere in its tree; gives what was done

A change is one that bytes on the wire can hold: another number, a name from elsewhere in the message, an enumerator that
does not exist, a part that is gone, doubled, moved, or taken from another message of its type.
"""
import collections

from google.protobuf.descriptor import FieldDescriptor as F

INTS = [0, 1, -1, 2, 3, 5, 64, 255, 1000, 65536, (1 << 31) - 1, 1 << 31, -(1 << 31), 1 << 32, 1 << 40, 1 << 62,
        (1 << 63) - 1, -(1 << 63)]
FLOATS = [float("nan"), float("inf"), float("-inf"), 0.0, -1.0, 1e-40, 3.4e38, 1e10]
TEXTS = ["", ":", "^", "/", "//", "x" * 5000, "\0", "%s%n", "é→", "-1", "9" * 40, "/job:a/task:0", "/device:GPU:99", "/cpu:0",
         "/job:worker/replica:0/task:99999999999/device:CPU:0", "loc:@", "loc:@nothing", "_Arg", "_Retval", "NoSuchOp",
         "T", "N", "..", "../../x", "/dev/zero", "127.0.0.1:1", "unix:/nowhere", "[::1]:0", "file:///etc/passwd"]
LIMITS = {F.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1), F.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
          F.CPPTYPE_UINT32: (0, (1 << 32) - 1), F.CPPTYPE_UINT64: (0, (1 << 64) - 1)}
MOST_DONORS = 300


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


class Donors:
    """Parts of messages by type, and names of all kinds."""

    def __init__(self):
        self.parts, self.names = collections.defaultdict(list), []

    def add(self, message, budget=400):
        """Every submessage of |message|, up to |budget|."""
        stack = [message]
        while stack and budget:
            one, budget = stack.pop(), budget - 1
            held = self.parts[one.DESCRIPTOR.full_name]
            if len(held) < MOST_DONORS and one.ByteSize() < 4096:
                held.append(one)
            for field, value in one.ListFields():
                stack += list(children(field, value))
                if field.type == F.TYPE_STRING and len(self.names) < 2000:
                    self.names += [value] if isinstance(value, str) else list(value)[:20]

    def part(self, descriptor, rng):
        held = self.parts.get(descriptor.full_name)
        return rng.choice(held) if held else None

    def name(self, rng):
        return rng.choice(self.names) if self.names else "x"


def children(field, value):
    if field.message_type is None:
        return []
    if is_map(field):
        return value.values() if field.message_type.fields_by_number[2].message_type else []
    return list(value) if field.is_repeated else [value]


def text(rng, donors, old=""):
    name = donors.name(rng)
    how = rng.randrange(9)
    if how < 3:
        return name
    if how == 3:
        return "%s:%d" % (old.split(":")[0], rng.choice(INTS))
    if how == 4:
        return "^" + rng.choice([old, name])
    if how == 5:
        return old[:rng.randrange(len(old))] if old else name
    if how == 6:
        return old + rng.choice([name, ":0", "/x", "_1"])
    return rng.choice(TEXTS)


def data(rng, old):
    how = rng.randrange(7)
    if how == 0:
        return b""
    if how == 1:
        return old[:rng.randrange(len(old) + 1)]
    if how == 2:
        return old + rng.randbytes(rng.choice([1, 4, 100]))
    if how == 3 and old and len(old) < 1 << 20:
        at = rng.randrange(len(old))
        return old[:at] + bytes([rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])]) + old[at + 1:]
    if how == 4:
        return old[:4096] * rng.choice([2, 20])
    if how == 5:
        return rng.randbytes(rng.choice([1, 3, 8, 50]))
    return rng.choice(TEXTS).encode()


def scalar(field, rng, donors, old=None):
    kind = field.cpp_type
    if kind in LIMITS:
        low, high = LIMITS[kind]
        value = rng.choice(INTS + [(old or 0) + d for d in (-1, 1)] * 3)
        return min(max(value, low), high)
    if kind in (F.CPPTYPE_FLOAT, F.CPPTYPE_DOUBLE):
        return rng.choice(FLOATS)
    if kind == F.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if kind == F.CPPTYPE_ENUM:
        return rng.choice([v.number for v in field.enum_type.values] * 2 + [77, -1, 1 << 30, 101, 0])
    if field.type == F.TYPE_STRING:
        return text(rng, donors, old or "").encode("utf-8", "replace").decode()
    return data(rng, old or b"")


def fill(message, rng, donors):
    """Another message of its type from elsewhere, or nothing."""
    donor = donors.part(message.DESCRIPTOR, rng)
    if donor is not None and donor is not message and rng.random() < 0.8:
        message.CopyFrom(donor)
    else:
        message.Clear()
        message.SetInParent()


def change_map(message, field, rng, donors):
    held = getattr(message, field.name)
    value_field = field.message_type.fields_by_number[2]
    key_field = field.message_type.fields_by_number[1]
    keys = sorted(held)
    key = rng.choice(keys) if keys and rng.random() < 0.7 else scalar(key_field, rng, donors, keys[0] if keys else None)
    if key in held and rng.random() < 0.3:
        del held[key]
        return "-[%r]" % (key,)
    if value_field.message_type is None:
        held[key] = scalar(value_field, rng, donors, held.get(key))
    elif keys and rng.random() < 0.3:
        other = type(held[keys[0]])()
        other.CopyFrom(held[rng.choice(keys)])
        held[key].CopyFrom(other)
    else:
        fill(held[key], rng, donors)
    return "[%r]" % (key,)


def change_list(message, field, rng, donors):
    held = getattr(message, field.name)
    how, count = rng.randrange(7), len(held)
    at = rng.randrange(count) if count else 0
    if how == 0 and count:
        del held[at]
        return "-%d" % at
    if how == 1:
        del held[:]
        return "none"
    if how == 2 and count > 1:
        other = rng.randrange(count)
        if field.message_type:
            copy = type(held[0])()
            copy.CopyFrom(held[at])
            held[at].CopyFrom(held[other])
            held[other].CopyFrom(copy)
        else:
            held[at], held[other] = held[other], held[at]
        return "%d <-> %d" % (at, other)
    if how == 3 and count:
        many = rng.choice([1, 1, 2, 40])
        for _ in range(many):
            held.add().CopyFrom(held[at]) if field.message_type else held.append(held[at])
        return "%d times %d" % (at, many)
    if field.message_type:
        fill(held[at] if how == 4 and count else held.add(), rng, donors)
    elif how == 4 and count:
        held[at] = scalar(field, rng, donors, held[at])
    else:
        held.append(scalar(field, rng, donors, held[at] if count else None))
    return "+"


def change(message, field, rng, donors):
    """Changes one field; gives what was done."""
    where = "%s.%s" % (message.DESCRIPTOR.name, field.name)
    if is_map(field):
        return where + change_map(message, field, rng, donors)
    if field.is_repeated:
        return where + " " + change_list(message, field, rng, donors)
    if field.message_type:
        if message.HasField(field.name) and rng.random() < 0.3:
            message.ClearField(field.name)
            return "-" + where
        fill(getattr(message, field.name), rng, donors)
        return where
    value = scalar(field, rng, donors, getattr(message, field.name))
    setattr(message, field.name, value)
    return "%s = %s" % (where, repr(value)[:60])


def step_into(message, rng):
    """A submessage of it, or None."""
    inside = [(f, v) for f, v in message.ListFields() if f.message_type is not None]
    if not inside:
        return None
    # Long lists are where most of a message is.
    field, value = rng.choices(inside, [4 if f.is_repeated and not is_map(f) else 1 for f, _ in inside])[0]
    if is_map(field):
        if not field.message_type.fields_by_number[2].message_type:
            return None
        return value[rng.choice(sorted(value))]
    return value[rng.randrange(len(value))] if field.is_repeated else value


def mutate_once(message, rng, donors):
    at = message
    for _ in range(24):
        inner = step_into(at, rng)
        if inner is None or (at is not message and rng.random() < 0.3):
            break
        at = inner
    fields = [f for f, _ in at.ListFields()]
    every = at.DESCRIPTOR.fields
    if not every:
        return "nothing"
    field = rng.choice(fields) if fields and rng.random() < 0.8 else rng.choice(every)
    return change(at, field, rng, donors)


def mutate(message, rng, donors):
    return "; ".join(mutate_once(message, rng, donors) for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4])))
