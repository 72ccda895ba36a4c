#!/usr/bin/env python3
"""Every message of Weir's table against protobuf and the descriptors inside TensorFlow.

The table must say what the descriptors say; random messages that protobuf writes, Weir must read
and write so that protobuf reads the same again, fields that the table does not have included.
"""
import argparse
import importlib
import mmap
import json
import os
import random
import struct
import subprocess
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory, text_format
import tensorflow as tf

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

MODULES = """
core.framework: api_def cpp_shape_inference dataset_options device_attributes graph kernel_def
    model reader_base step_stats summary tensor variable
core.protobuf: cluster composite_tensor_variant config control_flow core_platform_payloads
    device_filters fingerprint meta_graph named_tensor queue_runner saved_model saver snapshot
    tensor_bundle tensorflow_server trackable_object_graph transport_options
core.util: event saved_tensor_slice
core.example: example
python.training: checkpoint_state
compiler.xla: xla_data
compiler.xla.tsl.protobuf: distributed_runtime_payloads
"""
# Of these there is no Python module: their descriptors are inside the library.
EMBEDDED = ["tensorflow/core/protobuf/master.proto", "tensorflow/core/protobuf/worker.proto"]
# What Weir adds to messages of TensorFlow.
OWN = {("tensorflow.RunGraphResponse", "clean")}
# Messages of protobuf that the table has in part; their other fields are kept as unknown ones.
PARTS = {"google.protobuf." + name for name in ("FileDescriptorProto", "DescriptorProto", "FieldDescriptorProto",
                                                "FieldOptions", "EnumDescriptorProto", "EnumValueDescriptorProto")}
# Of these, JSON has a form of its own.
SPECIAL_IN_JSON = {"google.protobuf.Any", "google.protobuf.BoolValue"}

SCALARS = {1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32",
           8: "bool", 9: "string", 11: "message", 12: "bytes", 13: "uint32", 14: "enum",
           17: "sint32", 18: "sint64"}


def load_descriptors():
    pool, package = descriptor_pool.Default(), None
    pool.FindFileByName(descriptor_pb2.DESCRIPTOR.name)
    for word in MODULES.split():
        if word.endswith(":"):
            package = "tensorflow.%s." % word[:-1]
        else:
            importlib.import_module(package + word + "_pb2")
    library = os.path.join(os.path.dirname(tf.__file__), "libtensorflow_cc.so.2")
    with open(library, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for name in EMBEDDED:
            start = data.find(b"\x0a" + bytes([len(name)]) + name.encode())
            end = data.find(b"b\x06proto3", start) + 8
            pool.AddSerializedFile(data[start:end])
    return pool


class Pipe:
    """The program that reads and writes messages with Weir's code."""

    def __init__(self, program):
        self.child = subprocess.Popen([program, "pipe"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE)

    def ask(self, operation, name="", data=b""):
        name = name.encode()
        self.child.stdin.write(operation + struct.pack("<I", len(name)) + name +
                               struct.pack("<I", len(data)) + data)
        self.child.stdin.flush()
        failed, length = struct.unpack("<BI", self.child.stdout.read(5))
        answer = self.child.stdout.read(length)
        if failed:
            raise ValueError(answer.decode(errors="replace"))
        return answer


# ---- the table ------------------------------------------------------------------------------------

def our_table(pipe):
    """{name: [row]} of messages and of enumerations; the rows of a map's entry follow its own."""
    messages, enums, rows = {}, {}, None
    for line in pipe.ask(b"d").decode().splitlines():
        words = line.split(" ")
        if words[0] in ("message", "enum"):
            rows = (messages if words[0] == "message" else enums).setdefault(words[1], [])
        else:
            rows.append(line)
    return messages, enums


def holds(field):
    kind = field.message_type or field.enum_type
    return kind.full_name if kind else "-"


def row(field):
    entry = field.message_type and field.message_type.GetOptions().map_entry
    oneof = field.containing_oneof
    if entry:
        parts = [field.message_type.fields_by_number[k] for k in (1, 2)]
        return ["%d %s map message - -" % (field.number, field.name)] + [
            "+ %d %s always %s - %s" % (k.number, k.name, SCALARS[k.type], holds(k)) for k in parts]
    if oneof:
        label = "case"
    elif field.is_repeated:
        label = "packed" if field.is_packed else "repeated"
    else:
        label = "optional" if field.has_presence and not field.message_type else "one"
    return ["%d %s %s %s %s %s" % (field.number, field.name, label, SCALARS[field.type],
                                   oneof.name if oneof else "-", holds(field))]


def check_message(pool, name, rows):
    ours = [r for r in rows if (name, r.split(" ")[1]) not in OWN]
    descriptor = pool.FindMessageTypeByName(name)
    theirs = [r for f in sorted(descriptor.fields, key=lambda f: f.number) for r in row(f)
              if name not in PARTS or r in ours]
    assert ours == theirs, "%s:\n  %s" % (name, "\n  ".join(sorted(set(ours) ^ set(theirs))))


def check_enum(pool, name, rows):
    theirs = ["%d %s" % (v.number, v.name) for v in pool.FindEnumTypeByName(name).values]
    assert rows == theirs, "%s: %s" % (name, sorted(set(rows) ^ set(theirs)))


# ---- random messages ------------------------------------------------------------------------------

def integer(rng, bits, signed):
    value = rng.getrandbits(rng.choice([1, 7, 8, 14, bits - 1, bits]))
    return value - (1 << bits) if signed and value >> (bits - 1) else value & ((1 << bits) - 1)


def text(rng):
    return "".join(rng.choice("abcXYZ019/:_^ \n\"é→🎉") for _ in range(rng.choice([0, 1, 5, 20, 150])))


def scalar(rng, field):
    kind = SCALARS[field.type]
    if kind in ("int32", "sint32"):
        return integer(rng, 32, True)
    if kind in ("int64", "sint64"):
        return integer(rng, 64, True)
    if kind in ("uint32", "fixed32"):
        return integer(rng, 32, False)
    if kind in ("uint64", "fixed64"):
        return integer(rng, 64, False)
    if kind == "bool":
        return rng.random() < 0.5
    if kind == "enum":
        return rng.choice([v.number for v in field.enum_type.values] + [77] * (not field.enum_type.is_closed))
    if kind in ("float", "double"):
        value = rng.choice([0.0, -0.0, 1.5, -3.25e30, float("inf"), rng.gauss(0, 1)])
        return struct.unpack("<f", struct.pack("<f", value))[0] if kind == "float" else value
    return text(rng) if kind == "string" else rng.randbytes(rng.choice([0, 1, 9, 200]))


def fill_map(rng, message, field, depth, known):
    entry = field.message_type
    key, value = entry.fields_by_number[1], entry.fields_by_number[2]
    to = getattr(message, field.name)
    for _ in range(rng.choice([0, 1, 3])):
        at = scalar(rng, key)
        if value.message_type:
            fill(rng, to[at], depth + 1, known)
        else:
            to[at] = scalar(rng, value)


def fill_field(rng, message, field, depth, known):
    if field.is_repeated:
        if field.message_type and field.message_type.GetOptions().map_entry:
            fill_map(rng, message, field, depth, known)
            return
        to = getattr(message, field.name)
        for _ in range(rng.choice([0, 1, 2, 5])):
            if field.message_type:
                fill(rng, to.add(), depth + 1, known)
            else:
                to.append(scalar(rng, field))
    elif field.message_type:
        getattr(message, field.name).SetInParent()
        fill(rng, getattr(message, field.name), depth + 1, known)
    else:
        setattr(message, field.name, scalar(rng, field))


def fill(rng, message, depth=0, known=None):
    """Random fields; of messages in `known`, only those of their names there."""
    names = (known or {}).get(message.DESCRIPTOR.full_name)
    for field in message.DESCRIPTOR.fields:
        if names is not None and field.name not in names:
            continue
        if not field.is_required and (field.message_type and depth > 3 or rng.random() < (0.35 if depth else 0.15)):
            continue
        fill_field(rng, message, field, depth, known)


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def unknown(rng):
    """A field that no message has, of any wire type."""
    tag = rng.randrange(20000, 20100) << 3
    return rng.choice([varint(tag) + varint(rng.getrandbits(50)), varint(tag | 1) + rng.randbytes(8),
                       varint(tag | 2) + b"\x05" + rng.randbytes(5), varint(tag | 5) + rng.randbytes(4)])


def check_copies(pipe, pool, name, rng, rounds):
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    for _ in range(rounds):
        first = kind()
        fill(rng, first)
        data = first.SerializeToString()
        if rng.random() < 0.5:
            data = unknown(rng) + data + unknown(rng)
        expected = kind.FromString(data)
        copy = kind.FromString(pipe.ask(b"c", name, data))
        # Protobuf compares messages with their unknown fields; bits of floats by their text.
        same = copy.SerializeToString(deterministic=True) == expected.SerializeToString(
            deterministic=True)
        assert same, "%s is not the same when Weir has copied it" % name


def check_text(pipe, pool, name, rng, known):
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    first = kind()
    fill(rng, first, 1, known)
    printed = pipe.ask(b"t", name, first.SerializeToString()).decode()
    assert text_format.Parse(printed, kind()) == first, "%s: Weir's text reads differently" % name
    parsed = kind.FromString(pipe.ask(b"p", name, text_format.MessageToString(first).encode()))
    assert parsed == first, "%s: Weir reads protobuf's text differently" % name


def holds_special(descriptor, seen):
    """Whether a message is in there whose JSON protobuf makes special."""
    if descriptor.full_name in SPECIAL_IN_JSON:
        return True
    if descriptor.full_name in seen:
        return False
    seen.add(descriptor.full_name)
    return any(f.message_type and holds_special(f.message_type, seen) for f in descriptor.fields)


def check_json(pipe, pool, name, rng, known):
    descriptor = pool.FindMessageTypeByName(name)
    kind = message_factory.GetMessageClass(descriptor)
    first = kind()
    fill(rng, first, 1, known)
    written = pipe.ask(b"j", name, first.SerializeToString()).decode()
    json.loads(written)
    if not holds_special(descriptor, set()):
        read = json_format.Parse(written, kind())
        assert read == first, "%s: protobuf reads Weir's JSON differently" % name
        for own_names in (False, True):
            theirs = json_format.MessageToJson(first, preserving_proto_field_name=own_names)
            parsed = kind.FromString(pipe.ask(b"r", name, theirs.encode()))
            assert parsed == first, "%s: Weir reads protobuf's JSON differently" % name
    again = kind.FromString(pipe.ask(b"r", name, written.encode()))
    assert again == first, "%s: Weir reads its own JSON differently" % name
    cut = written[:rng.randrange(len(written))]
    try:
        pipe.ask(b"r", name, cut.encode())
    except ValueError as error:
        assert "invalid JSON in " + name in str(error), error
    else:
        raise AssertionError("%s: JSON that is cut is accepted: %s" % (name, cut))


def check_cuts(pipe, pool, name, rng):
    """What protobuf does not accept, Weir does not either."""
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    first = kind()
    fill(rng, first, 2)
    data = first.SerializeToString()
    for cut in sorted(rng.sample(range(len(data)), min(len(data), 40))):
        try:
            expected = kind.FromString(data[:cut])
        except Exception:
            expected = None
        try:
            got = kind.FromString(pipe.ask(b"c", name, data[:cut]))
        except Exception:
            got = None
        assert got == expected, "%s cut at %d of %d" % (name, cut, len(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.path.join(
        ROOT, "build/release/tests/wire.messages_pipe_test"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("-k", default="", help="only messages whose name contains this")
    options = parser.parse_args()
    pool, pipe = load_descriptors(), Pipe(options.program)
    messages, enums = our_table(pipe)
    counts = [0, 0]

    def run(what, *args):
        try:
            what(*args)
            counts[0] += 1
        except Exception as error:  # pylint: disable=broad-except
            counts[1] += 1
            print("%s: %s" % (what.__name__, str(error)[:2000]))

    for name, rows in enums.items():
        run(check_enum, pool, name, rows)
    known = {name: {r.split(" ")[1] for r in messages[name]} for name in PARTS}
    for name, rows in messages.items():
        if options.k not in name or name.startswith("weir."):
            continue
        rng = random.Random("%d %s" % (options.seed, name))
        run(check_message, pool, name, rows)
        run(check_copies, pipe, pool, name, rng, options.rounds)
        run(check_text, pipe, pool, name, rng, known)
        run(check_json, pipe, pool, name, rng, known)
        run(check_cuts, pipe, pool, name, rng)
    print("%d messages, %d enumerations" % (len(messages), len(enums)))
    print("%d passed, %d failed" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
