"""Examples, records and raw bytes into tensors."""
import gzip
import zlib

from graphs import tf
from opcase import Case, lit
from packed import zstd_frame

INVALID = "INVALID_ARGUMENT"
RAW = ["f16", "bf16", "f32", "f64", "i8", "u8", "i16", "u16", "i32", "i64"]


# ---- messages, written by hand ---------------------------------------------------------------------

def varint(v):
    v &= (1 << 64) - 1
    out = b""
    while v >= 128:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def field(n, data):
    return varint(n << 3 | 2) + varint(len(data)) + data


def ints(*v, packed=True):
    if packed:
        return field(3, field(1, b"".join(varint(x) for x in v)))
    return field(3, b"".join(b"\x08" + varint(x) for x in v))


def floats(*v, packed=True):
    import struct
    if packed:
        return field(2, field(1, struct.pack("<%df" % len(v), *v)))
    return field(2, b"".join(b"\x0d" + struct.pack("<f", x) for x in v))


def strings(*v):
    return field(1, b"".join(field(1, x) for x in v))


def entries(d):
    return b"".join(field(1, field(1, k.encode()) + field(2, v)) for k, v in d.items())


def example(**features):
    return field(1, entries(features))


def sequence(context, **lists):
    return field(1, entries(context)) + field(
        2, entries({k: b"".join(field(1, f) for f in v) for k, v in lists.items()}))


A = example(a=floats(1, 2), s=strings(b"x", b"y" * 40), n=ints(5))
B = example(a=floats(3, 4, packed=False), s=strings(b"z"), n=ints(-1, 2, packed=False))
C = example(n=ints(7, 8, 9))
S1 = sequence({"c": ints(1)}, d=[floats(1, 2), floats(3, 4)],
              s=[strings(b"x"), strings(), strings(b"y", b"z")])
S2 = sequence({"c": ints(2), "o": strings(b"q")}, d=[floats(5, 6)])
S3 = sequence({})


# ---- cases -----------------------------------------------------------------------------------------

def v1(serialized, sparse={}, dense={}, names=(), **kw):
    """dense: key -> (dtype, shape, default values)."""
    inputs = [lit(serialized, "str", fed=True), lit(list(names), "str")]
    inputs += [[lit(k, "str") for k in sparse], [lit(k, "str") for k in dense],
               [lit(d[2], d[0]) for d in dense.values()]]
    return Case("ParseExample", inputs, edges=False,
                attrs={"sparse_types": list(sparse.values()), "Nsparse": len(sparse),
                       "Ndense": len(dense), "Tdense": [d[0] for d in dense.values()],
                       "dense_shapes": [d[1] for d in dense.values()]}, **kw)


def v2(serialized, sparse={}, dense={}, ragged={}, names=(), **kw):
    """ragged: key -> (dtype, split dtype)."""
    keys = lambda d: lit(list(d), "str")
    inputs = [lit(serialized, "str", fed=True), lit(list(names), "str"), keys(sparse), keys(dense),
              keys(ragged), [lit(d[2], d[0]) for d in dense.values()]]
    return Case("ParseExampleV2", inputs, edges=False,
                attrs={"sparse_types": list(sparse.values()), "num_sparse": len(sparse),
                       "Tdense": [d[0] for d in dense.values()],
                       "dense_shapes": [d[1] for d in dense.values()],
                       "ragged_value_types": [r[0] for r in ragged.values()],
                       "ragged_split_types": [r[1] for r in ragged.values()]}, **kw)


def single(serialized, sparse={}, dense={}, **kw):
    return Case("ParseSingleExample",
                [lit(serialized, "str", fed=True), [lit(d[2], d[0]) for d in dense.values()]],
                attrs={"num_sparse": len(sparse), "sparse_keys": list(sparse),
                       "dense_keys": list(dense), "sparse_types": list(sparse.values()),
                       "Tdense": [d[0] for d in dense.values()],
                       "dense_shapes": [d[1] for d in dense.values()]}, edges=False, **kw)


def both(serialized, sparse={}, dense={}, **kw):
    return [v1(serialized, sparse, dense, **kw), v2(serialized, sparse, dense, **kw)]


def seq2(serialized, names=(), cs={}, cd={}, cr={}, ls={}, ld={}, lr={}, missing=None, **kw):
    """ld: key -> (dtype, shape)."""
    keys = lambda d: lit(list(d), "str")
    return Case(
        "ParseSequenceExampleV2",
        [lit(serialized, "str", fed=True), lit(names if isinstance(names, str) else list(names), "str"),
         keys(cs), keys(cd), keys(cr), keys(ls), keys(ld), keys(lr),
         lit(missing or [False] * len(ld), "bool"), [lit(d[2], d[0]) for d in cd.values()]],
        attrs={"Ncontext_sparse": len(cs), "Tcontext_dense": [d[0] for d in cd.values()],
               "context_sparse_types": list(cs.values()),
               "context_ragged_value_types": [r[0] for r in cr.values()],
               "context_ragged_split_types": [r[1] for r in cr.values()],
               "context_dense_shapes": [d[1] for d in cd.values()],
               "Nfeature_list_sparse": len(ls), "Nfeature_list_dense": len(ld),
               "feature_list_dense_types": [d[0] for d in ld.values()],
               "feature_list_sparse_types": list(ls.values()),
               "feature_list_ragged_value_types": [r[0] for r in lr.values()],
               "feature_list_ragged_split_types": [r[1] for r in lr.values()],
               "feature_list_dense_shapes": [d[1] for d in ld.values()]}, edges=False, **kw)


def seq1(serialized, cs={}, cd={}, ls={}, ld={}, missing=(), **kw):
    return Case(
        "ParseSequenceExample",
        [lit(serialized, "str", fed=True), lit([], "str"), [lit(d[2], d[0]) for d in cd.values()]],
        attrs={"feature_list_dense_missing_assumed_empty": list(missing),
               "context_sparse_keys": list(cs), "context_dense_keys": list(cd),
               "feature_list_sparse_keys": list(ls), "feature_list_dense_keys": list(ld),
               "Ncontext_sparse": len(cs), "Ncontext_dense": len(cd),
               "Nfeature_list_sparse": len(ls), "Nfeature_list_dense": len(ld),
               "context_sparse_types": list(cs.values()),
               "Tcontext_dense": [d[0] for d in cd.values()],
               "feature_list_dense_types": [d[0] for d in ld.values()],
               "context_dense_shapes": [d[1] for d in cd.values()],
               "feature_list_sparse_types": list(ls.values()),
               "feature_list_dense_shapes": [d[1] for d in ld.values()]}, edges=False, **kw)


def single_seq(serialized, cs={}, cd={}, ls={}, ld={}, missing=(), **kw):
    keys = lambda d: [lit(k, "str") for k in d]
    return Case(
        "ParseSingleSequenceExample",
        [lit(serialized, "str", fed=True), lit(list(missing), "str"), keys(cs), keys(cd), keys(ls),
         keys(ld), [lit(d[2], d[0]) for d in cd.values()], lit("name", "str")],
        attrs={"Ncontext_sparse": len(cs), "Ncontext_dense": len(cd),
               "Nfeature_list_sparse": len(ls), "Nfeature_list_dense": len(ld),
               "context_sparse_types": list(cs.values()),
               "Tcontext_dense": [d[0] for d in cd.values()],
               "feature_list_dense_types": [d[0] for d in ld.values()],
               "context_dense_shapes": [d[1] for d in cd.values()],
               "feature_list_sparse_types": list(ls.values()),
               "feature_list_dense_shapes": [d[1] for d in ld.values()]}, edges=False, **kw)


def csv(records, defaults, types, fails=None, says=None, **attrs):
    return Case("DecodeCSV", [lit(records, "str", fed=True),
                              [lit(d, t) for d, t in zip(defaults, types)]],
                attrs=dict(attrs, OUT_TYPE=types), edges=False, fails=fails, says=says)


def raw(op, data, t, *more, **kw):
    return Case(op, [lit(data, "str", fed=True), *more], attrs={"out_type": t, **kw.pop("attrs", {})},
                edges=False, **kw)


BYTES16 = [bytes(range(1, 17)), bytes(range(60, 76))]


CASES = [
    *[raw("DecodeRaw", BYTES16, t, attrs={"little_endian": e})
      for t in RAW + ["c64", "c128"] for e in (True, False)],
    raw("DecodeRaw", [b"\0\1\1\0"], "bool"),
    raw("DecodeRaw", b"abcd", "i16"),
    raw("DecodeRaw", [b"", b""], "i16"),
    raw("DecodeRaw", [], "f32"),
    raw("DecodeRaw", [b"abcd", b"ab"], "i16", fails=INVALID, says="all be the same size"),
    raw("DecodeRaw", [b"abc"], "i16", fails=INVALID, says="not a multiple of 2"),
    *[raw("DecodePaddedRaw", [b"ab", b"abcdefgh", b"", b"a" * 20], t, lit(16),
          attrs={"little_endian": e}) for t in RAW if t != "f16" for e in (True, False)],
    raw("DecodePaddedRaw", [b"a"], "i16", lit(3, fed=True), fails=INVALID),
    raw("DecodePaddedRaw", [b"a"], "i16", lit(-2, fed=True), fails=INVALID),

    *[Case("DecodeCompressed", [lit([pack(b"hello" * 50), pack(b"")], "str", fed=True)],
           attrs={"compression_type": n}, edges=False)
      for n, pack in (("ZLIB", zlib.compress), ("GZIP", gzip.compress), ("ZSTD", zstd_frame), ("", bytes))],
    Case("DecodeCompressed", [lit([zstd_frame(b"hello"), zstd_frame(b"", b"x", 100000)], "str", fed=True)],
         attrs={"compression_type": "ZSTD"}, edges=False),
    Case("DecodeCompressed", [lit([b"not a frame"], "str", fed=True)], attrs={"compression_type": "ZSTD"}, fails=INVALID, edges=False),
    Case("DecodeCompressed", [lit([zlib.compress(b"hello")[:-3]], "str", fed=True)],
         attrs={"compression_type": "ZLIB"}, edges=False),
    Case("DecodeCompressed", [lit([b"x"], "str", fed=True)], attrs={"compression_type": "BAD"},
         fails=INVALID, edges=False),

    csv(["1,2.5,a,7,8", "2,,b,-3,9.5"], [[7], [1.5], ["z"], [1], [2]],
        ["i32", "f32", "str", "i64", "f64"]),
    csv(['"a,""b""",c', '"x\ny",'], [["d"], ["e"]], ["str", "str"]),
    csv(["a|b"], [[""], [""]], ["str", "str"], field_delim="|"),
    csv(['a "b",c'], [[""], [""]], ["str", "str"], use_quote_delim=False),
    csv(["NA,3", ",4"], [[9], [1]], ["i32", "i32"], na_value="NA"),
    csv(["1,2,3", "4,5,6"], [[9], [8]], ["i32", "i32"], select_cols=[0, 2]),
    csv([["1"], [" 2 "]], [[9]], ["i32"]),
    csv([], [[9]], ["i32"]),
    csv(["1"], [9], ["i32"]),
    csv(["1,2"], [[7]], ["i32"], INVALID, "Expect 1 fields but have 2 in record 0"),
    csv([""], [[7]], ["i32"], INVALID, "Expect 1 fields but have 0 in record 0"),
    csv(["1,"], [[7]], ["i32"], INVALID, "Expect 1 fields but have 2 in record 0"),
    csv(["x"], [[7]], ["i32"], INVALID, "Field 0 in record 0 is not a valid int32: x"),
    csv(["99999999999"], [[7]], ["i32"], INVALID),
    csv(["1.5"], [[7]], ["i64"], INVALID),
    csv([",1"], [[], [1]], ["i32", "i32"], INVALID, "Field 0 is required but missing in record 0!"),
    csv(['"a"b,c'], [[""], [""]], ["str", "str"], INVALID, "Quote inside a string"),
    csv(['"a'], [[""]], ["str"], INVALID, "Quoted field has to end with quote"),
    csv(['a"b'], [[""]], ["str"], INVALID, "Unquoted fields cannot have quotes/CRLFs inside"),
    csv(["a"], [[""]], ["str"], INVALID, "field_delim should be only 1 char", field_delim=",,"),
    csv(["1,2,3"], [[9], [9]], ["i32", "i32"], INVALID, "strictly increasing", select_cols=[2, 1]),

    Case("SerializeTensor", ["T[2,3]"], dtypes=["f16", "bf16", "f32", "f64", "i8", "u8", "i16",
                                                "u16", "i32", "u32", "i64", "u64", "bool", "c64",
                                                "c128", "str"]),
    Case("ParseTensor", [lit(b"\x08\x01\x12\x04\x12\x02\x08\x02\x2a\x08\0\0\x80\x3f\0\0\0\x40", "str",
                             fed=True)], attrs={"out_type": "f32"}, edges=False),
    Case("ParseTensor", [lit(b"\x08\x07\x42\x01a", "str", fed=True)], attrs={"out_type": "str"},
         edges=False),
    Case("ParseTensor", [lit(b"\x08\x01\x2a\x04\0\0\x80\x3f", "str", fed=True)],
         attrs={"out_type": "i32"}, fails=INVALID, edges=False,
         says="Type mismatch between parsed tensor (float) and dtype (int32)"),
    Case("ParseTensor", [lit(b"\xff", "str", fed=True)], attrs={"out_type": "i32"}, fails=INVALID,
         edges=False),

    *both([A, B], {"s": "str", "n": "i64"}, {"a": ("f32", [2], [])}),
    *both([A, C, b""], {"s": "str", "none": "f32"}, {"a": ("f32", [2], [9., 8.])}),
    *both([A, B], {}, {"a": ("f32", [1, 2], [])}),
    *both([A, C], {}, {"n": ("i64", [-1], [-1])}),
    *both([A, B], {}, {"s": ("str", [-1], [""]), "a": ("f32", [-1, 2], [0.])}),
    *both([], {"s": "str"}, {"a": ("f32", [2], [])}),
    *both([A, C], {}, {"a": ("f32", [2], [])}, fails=INVALID,
          says="Name: <unknown>, Feature: a (data type: float) is required but could not be found."),
    *both([A, C], {}, {"a": ("f32", [2], [])}, names=["n1", "n2"], fails=INVALID, says="Name: n2"),
    *both([A], {}, {"a": ("f32", [3], [])}, fails=INVALID,
          says="Number of float values != expected.  Values size: 2 but output shape: [3]"),
    *both([A], {}, {"a": ("i64", [2], [])}, fails=INVALID, says="Data types don't match."),
    *both([A], {"a": "i64"}, fails=INVALID, says="Data types don't match."),
    *both([C], {}, {"n": ("i64", [-1, 2], [0])}, fails=INVALID,
          says="is not a multiple of stride length. Saw 3 values but output shape is: [?,2]"),
    *both([A], {}, {"a": ("f32", [-1], [])}, fails=INVALID, says="variable length shape"),
    *both([A[:-2]], {"s": "str"}, fails=INVALID, says="Could not parse example input"),
    *both([A], {"s": "str"}, names=["a", "b"], fails=INVALID),
    v2([A, C, b""], ragged={"n": ("i64", "i32"), "s": ("str", "i64")}),
    v2(A, {"s": "str"}, {"a": ("f32", [2], [])}, {"n": ("i64", "i64")}),
    single(A, {"s": "str", "none": "i64"}, {"a": ("f32", [2], []), "n": ("i64", [-1], [0])}),
    single(C, {"s": "str"}, {"a": ("f32", [2], [1., 2.])}),
    single(C, {}, {"a": ("f32", [2], [])}, fails=INVALID, says="is required but could not be found."),

    seq2([S1, S2], cs={"o": "str"}, cd={"c": ("i64", [1], [])}, ls={"s": "str"},
         ld={"d": ("f32", [2])}),
    seq2([S1, S2], cr={"c": ("i64", "i32")}, lr={"s": ("str", "i64")}),
    seq2([S1, S3], ld={"d": ("f32", [2])}, missing=[True]),
    seq2([S1, S3], ld={"d": ("f32", [2])}, fails=INVALID,
         says="Name: <unknown>, Feature list 'd' is required but could not be found."),
    seq2([S1, S3], cd={"c": ("i64", [1], [])}, fails=INVALID,
         says="Feature: c (data type: int64) is required but could not be found."),
    seq2([S1], ld={"d": ("f32", [3])}, fails=INVALID),
    seq2([S1], ld={"d": ("i64", [2])}, fails=INVALID, says="Data types don't match."),
    seq2([S1], ls={"s": "i64"}, fails=INVALID, says="Data types don't match."),
    seq2(S1, names="", cs={"c": "i64"}, ls={"s": "str"}, ld={"d": ("f32", [2])}),
    seq2(S1, names="", cr={"c": ("i64", "i32")}, lr={"s": ("str", "i64")}, compare="shape"),
    seq2([], ls={"s": "str"}, ld={"d": ("f32", [2])}),
    seq1([S1, S2], cs={"o": "str"}, cd={"c": ("i64", [1], [])}, ls={"s": "str"},
         ld={"d": ("f32", [2])}),
    seq1([S1, S3], ld={"d": ("f32", [2])}, missing=["d"]),
    seq1([S1, S3], ld={"d": ("f32", [2])}, fails=INVALID),
    single_seq(S1, cs={"c": "i64"}, ls={"s": "str"}, ld={"d": ("f32", [2])}),
    single_seq(S3, cs={"c": "i64"}, cd={"c2": ("i64", [1], [4])}, ls={"s": "str"},
               ld={"d": ("f32", [2])}, missing=["d"]),
    single_seq(S3, ld={"d": ("f32", [2])}, fails=INVALID,
               says="Name: name, Feature list 'd' is required but could not be found."),
]

CASES += [
    single(A, dense={"s": ("str", [1], ["d"])}, fails=INVALID,
           says="Key: s.  Can't parse serialized Example: Parsing bytes_list failed."),
    single(A, dense={"a": ("f32", [3], [0.0, 0.0, 0.0])}, fails=INVALID, says="Some float_list slice"),
    single(C, dense={"n": ("i64", [-1, 2], [0])}, fails=INVALID,
           says="Error while parsing feature with key n: number of elements should be divisible by 2, found 3"),
    single(A, dense={"a": ("i64", [2], [0, 0])}, fails=INVALID, says="Key: a.  Data types don't match"),
]


# ---- examples in JSON

def json_examples(*texts, **options):
    CASES.append(Case("DecodeJSONExample", [lit(list(texts), "str", fed=True)], edges=False, **options))


def json_feature(text):
    return '{"features": {"feature": {"a": %s}}}' % text


json_examples('{"features":{"feature":{"b":{"floatList":{"value":[1.5,2,"NaN"]}},"a":{"int64_list":{"value":["1",2,-3]}},'
              '"c":{"bytesList":{"value":["YWJj",""]}}}}}', '{}', '{"features": null}', '{"features": {}}')
json_examples(*[json_feature(t) for t in (
    '{}', '{"int64List": {"value": [1.0, 1e2]}}', '{"bytesList": {"value": ["-_8"]}}', '{"int64List": {}}',
    '{"floatList": {"value": ["1.5", "-Infinity"]}}', '{"int64List": {"value": ["9223372036854775807"]}}')])
json_examples(*[json_feature(t) for t in (
    '{"int64List": {"value": ["+1", "1.0", "1e2", -0, -0.0]}}', '{"int64List": null, "floatList": {"value": [1]}}',
    '{"floatList": {"value": ["NaN", -0.0, "-0", 1e38, 1E+2, 0.1]}}', 'null', '{"int64List": {"value": [1, null]}}',
    '{"int64List": {"value": [1], "value": [2]}}', '{"bytesList": {"value": ["YQ", "YQ==", null]}}')],
    '{"features": {"feature": {"\\u00e9\\ud83d\\ude00\\n": {}}}}', '{"features": null, "features": {}}')
for feature in ('{"int64List": {"value": [01]}}', '{"int64List": {"value": [+1]}}', '{"int64List": {"value": [" 1"]}}',
                '{"floatList": {"value": [.5]}}', '{"floatList": {"value": [1.]}}', '{"floatList": {"value": [NaN]}}',
                '{"floatList": {"value": [1e39]}}', '{"floatList": {"value": [true]}}', '{"bytesList": {"value": [1]}}',
                '{"int64List": {"value": [9223372036854775808]}}', '{"bytesList": {"value": ["Y Q=="]}}',
                '{"int64List": {"value": [1]}, "int64_list": {"value": [2]}}', '[]', '{"int64List": {"value": [1}', 'nulls'):
    json_examples(json_feature(feature), fails="INVALID_ARGUMENT", says="Error while parsing JSON")
json_examples('{"features": {"feature": {"a": {}, "a": {}}}}', fails="INVALID_ARGUMENT", says="Error while parsing JSON")
json_examples(b'{"features": {"feature": {"\xff": {}}}}', fails="INVALID_ARGUMENT", says="Error while parsing JSON")
for text in ('nope', '[]', '{"x": 1}', '', json_feature('{"int64List": {"value": [1.5]}}'), '{} x',
             json_feature('{"bytesList": {"value": ["!!"]}}'), json_feature('{"floatList": {"value": [1e400]}}'),
             json_feature('{"int64List": {"value": [1]}, "floatList": {"value": [1]}}')):
    json_examples(text, fails="INVALID_ARGUMENT", says="Error while parsing JSON")


# ---- messages of types that a program describes

def descriptors():
    """A FileDescriptorSet with t.M and t.M.Inner, and the class of t.M."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    sets = descriptor_pb2.FileDescriptorSet()
    file = sets.file.add(name="t.proto", package="t", syntax="proto2")
    message = file.message_type.add(name="M")
    message.nested_type.add(name="Inner").field.add(name="n", number=1, type=5, label=1)
    for number, (name, kind) in enumerate(KINDS.items(), 1):
        message.field.add(name=name, number=number, type=kind, label=1)
        message.field.add(name=name + "s", number=number + 100, type=kind, label=3)
    message.field.add(name="inner", number=50, type=11, label=1, type_name=".t.M.Inner")
    message.field.add(name="inners", number=51, type=11, label=3, type_name=".t.M.Inner")
    message.field.add(name="preset", number=52, type=5, label=1, default_value="42")
    message.field.add(name="real", number=53, type=2, label=1, default_value="-1.5")
    message.field.add(name="text", number=54, type=9, label=1, default_value="none")
    message.field.add(name="packed", number=55, type=17, label=3).options.packed = True
    message.field.add(name="group", number=56, type=10, label=1, type_name=".t.M.Inner")
    message.field.add(name="groups", number=57, type=10, label=3, type_name=".t.M.Inner")
    message.field.add(name="escaped", number=58, type=12, label=1, default_value="\\001x\\n\\'")
    message.field.add(name="infinite", number=59, type=2, label=1, default_value="inf")
    file.enum_type.add(name="Color").value.add(name="RED", number=3)
    inner = message.nested_type[0].enum_type.add(name="Size")
    inner.value.add(name="SMALL", number=7)
    inner.value.add(name="LARGE", number=8)
    for number, (name, type_name, preset) in enumerate((
            ("color", ".t.Color", None), ("near", "Color", "RED"), ("size", ".t.M.Inner.Size", "LARGE"),
            ("colors", "t.Color", None)), 60):
        message.field.add(name=name, number=number, type=14, label=3 if name == "colors" else 1, type_name=type_name)
        if preset:
            message.field[-1].default_value = preset
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return (b"bytes://" + sets.SerializeToString(),
            message_factory.GetMessageClass(pool.FindMessageTypeByName("t.M")))


KINDS = dict(d=1, f=2, i64=3, u64=4, i32=5, fx64=6, fx32=7, b=8, s=9, by=12, u32=13, sf32=15, sf64=16, si32=17, si64=18)
DTYPES = dict(d="f64", f="f32", i64="i64", u64="u64", i32="i32", fx64="u64", fx32="u32", b="bool", s="str", by="str",
              u32="u32", sf32="i32", sf64="i64", si32="i32", si64="i64", inner="str", inners="str", preset="i32",
              real="f32", text="str", packed="i32", group="str", groups="str", escaped="str", infinite="f32", color="i32",
              near="i32", size="i32", colors="i32")
SOURCE, Message = descriptors()
VALUES = dict(d=1.5, f=-2.5, i64=-3, u64=2**64 - 1, i32=-7, fx64=2**63, fx32=2**32 - 1, b=True, s="hi", by=b"\0\xff",
              u32=4000000000, sf32=-9, sf64=-2**40, si32=-5, si64=2**40)


def one_message():
    message = Message(packed=[-1, 5, 700], preset=1, **VALUES)
    for name, value in VALUES.items():
        getattr(message, name + "s").extend([value, value])
    message.inner.n = 3
    message.inners.add().n = 4
    return message.SerializeToString()


def decode_proto(data, names, dtypes=None, source=SOURCE, kind="t.M", **options):
    types = dtypes or [DTYPES.get(n) or DTYPES[n[:-1]] for n in names]
    CASES.append(Case("DecodeProtoV2", [lit(data, "str", fed=True)], dict(
        message_type=kind, field_names=names, output_types=types, descriptor_source=source), edges=False, **options))


def encode_proto(sizes, names, values, dtypes=None, **options):
    types = dtypes or [DTYPES.get(n) or DTYPES[n[:-1]] for n in names]
    CASES.append(Case("EncodeProto", [lit(sizes, "i32"), [lit(v, t) for v, t in zip(values, types)]], dict(
        field_names=names, message_type="t.M", descriptor_source=SOURCE), edges=False, **options))


MESSAGES = [one_message(), b"", Message(u32s=[1, 2, 3], inners=[]).SerializeToString()]
for name in list(KINDS) + ["inner", "inners", "preset", "real", "text", "packed"]:
    decode_proto(MESSAGES, [name])
    if name in KINDS:
        decode_proto(MESSAGES, [name + "s"])
for name in ("escaped", "infinite", "color", "near", "size", "colors"):
    decode_proto(MESSAGES, [name])
GROUPS = b"\xc3\x03\x08\x05\xc4\x03\xcb\x03\xcc\x03\xcb\x03\x08\x07\xcc\x03"  # 56 with n = 5, 57 empty, 57 with n = 7
for name in ("group", "groups"):
    decode_proto([GROUPS, b""], [name])
# The last of several values counts; other wire types and cuts.
PRESENT = {"one": b"\x28\x05\x28\x06", "fixed": b"\x2d\0\0\0\0", "mixed": b"\xc8\x06\x05\xca\x06\x02\x06\x07",
           "twice": b"\x92\x03\x02\x08\x01\x92\x03\x02\x08\x02", "bytes": b"\x4a\x01\xff", "number": b"\x48\x01"}
for data in PRESENT.values():
    decode_proto([data], ["i32", "i32s", "inner", "s"])
    decode_proto([data], ["s", "i32", "s", "i32s", "i32"])
for data in (b"\xca\x06\x01\x80", b"\x0a\x03abc", b"\xc3\x03\x08\x05", b"\x00\x01", b"\x0c", b"\x4a\x05abc", b"\x2d\0",
             b"\x28" + b"\xff" * 11, b"\xc3\x03" * 200):
    decode_proto([data], ["i32", "i32s", "d", "s"], fails="DATA_LOSS")
def described(*fields):
    """The source of a message t.M with these fields."""
    from google.protobuf import descriptor_pb2
    sets = descriptor_pb2.FileDescriptorSet()
    message = sets.file.add(name="t.proto", package="t").message_type.add(name="M")
    for name, number in fields:
        message.field.add(name=name, number=number, type=5, label=1)
    return b"bytes://" + sets.SerializeToString()


for fields in ([("a", 0)], [("a", -1)], [("a", 1 << 29)], [("a", 1), ("b", 1)]):
    decode_proto([b"\x08\x01"], [name for name, _ in fields], ["i32"] * len(fields), source=described(*fields),
                 fails="INVALID_ARGUMENT")
for source in (b"bytes://\x0a", b"bytes://\x0a\x05\x22\x7f", b"bytes://" + b"\x0a\x02\x22\x00" * 3, SOURCE[:-9]):
    decode_proto([b""], ["i32"], source=source, fails="INVALID_ARGUMENT")
decode_proto([MESSAGES[:2], MESSAGES[1:]], ["packed", "d", "u32s", "s"])
decode_proto(MESSAGES, ["f", "i32", "u32", "si32"], ["f64", "i64", "u64", "i64"])
decode_proto(MESSAGES, [])
decode_proto([tf.train.Feature(int64_list=tf.train.Int64List(value=[5, 6])).SerializeToString()], ["int64_list", "bytes_list"],
             ["str", "str"], source="local://", kind="tensorflow.Feature")
decode_proto([tf.train.Int64List(value=[5, 600]).SerializeToString(), b""], ["value"], ["i64"], source="local://",
             kind="tensorflow.Int64List")
decode_proto([b"\xff\xff"], ["d"], fails="DATA_LOSS", says="ailed to consume entire buffer")
decode_proto(MESSAGES, ["nope"], ["i32"], fails="INVALID_ARGUMENT", says="Unknown field: nope in message type t.M")
decode_proto(MESSAGES, ["u32"], ["i64"], fails="INVALID_ARGUMENT", says="Unexpected output type for t.M.u32: uint32 to DT_INT64")
decode_proto(MESSAGES, ["d"], kind="t.None", fails="INVALID_ARGUMENT", says="No descriptor found for message type t.None")
for name, value in VALUES.items():
    encode_proto([[1], [0]], [name], [[[value], [value]]])
    encode_proto([[2]], [name + "s"], [[[value, value]]])
encode_proto([[1, 2], [0, 1]], ["packed", "d"], [[[-3, 0], [700, 1]], [[1.5, 2.0], [3.0, 4.0]]])
encode_proto([[1, 1]], ["inner", "i32"], [[[b"\x08\x05"]], [[7]]], ["str", "i64"])
encode_proto([[2]], ["d"], [[[1.5]]], fails="INVALID_ARGUMENT", says="Size to write must not be larger than value tensor")
encode_proto([[1]], ["d"], [[[1]]], ["i32"], fails="INVALID_ARGUMENT", says="Incompatible type for field d.  Saw dtype: int32")
encode_proto([[1]], ["nope"], [[[1]]], ["i32"], fails="INVALID_ARGUMENT", says="Unknown field: nope")
