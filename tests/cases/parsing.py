"""Examples, records and raw bytes into tensors."""
import gzip
import zlib

from opcase import Case, lit

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
      for n, pack in (("ZLIB", zlib.compress), ("GZIP", gzip.compress), ("", bytes))],
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
