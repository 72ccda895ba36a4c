"""Files, readers and summaries."""
import atexit
import gzip
import os
import shutil
import struct
import tempfile
import zlib

import numpy as np

from opcase import Case, lit, script

INVALID = "INVALID_ARGUMENT"
DIR = tempfile.mkdtemp(prefix="weir_io_cases_")
atexit.register(shutil.rmtree, DIR, True)
CASES = []


def path(name, data=None):
    name = os.path.join(DIR, name)
    if data is not None:
        with open(name, "wb") as f:
            f.write(data)
    return name


# ---- records -----------------------------------------------------------------------------------------

def _table():
    out = []
    for b in range(256):
        for _ in range(8):
            b = b >> 1 ^ (0x82f63b78 if b & 1 else 0)
        out.append(b)
    return out


TABLE = _table()


def masked_crc(data):
    crc = 0xffffffff
    for b in data:
        crc = TABLE[(crc ^ b) & 255] ^ crc >> 8
    crc ^= 0xffffffff
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff)


def record(data):
    length = struct.pack("<Q", len(data))
    return length + masked_crc(length) + data + masked_crc(data)


RECORDS = b"".join(record(d) for d in (b"one", b"", b"three" * 30))
TEXT = b"first\nsecond\r\n\nlast without end"
FILES = {
    "lines": path("lines.txt", TEXT), "empty": path("empty.txt", b""),
    "more": path("more.txt", b"a\nb\nc\n"), "records": path("plain.rec", RECORDS),
    "gzip": path("gzip.rec", gzip.compress(RECORDS)), "zlib": path("zlib.rec", zlib.compress(RECORDS)),
    "cut": path("cut.rec", RECORDS[:-3]), "bad": path("bad.rec", RECORDS[:14] + b"X" + RECORDS[15:]),
    "fixed": path("fixed.bin", b"HH" + bytes(range(65, 91)) + b"F"),
    "fixed.gz": path("fixed.bin.gz", gzip.compress(b"HH" + bytes(range(65, 91)) + b"F")),
}


# ---- files ------------------------------------------------------------------------------------------

CASES += [
    Case("ReadFile", [lit(FILES["lines"], "str", fed=True)], edges=False),
    Case("ReadFile", [lit(FILES["empty"], "str", fed=True)], edges=False),
    Case("ReadFile", [lit(path("none"), "str", fed=True)], fails="NOT_FOUND", edges=False,
         says="No such file or directory"),
    Case("ReadFile", [lit(DIR, "str", fed=True)], fails=True, edges=False),
    *[Case("MatchingFiles", [lit(p, "str", fed=True)], edges=False)
      for p in (path("*.txt"), path("?ore.txt"), path("[lm]*.txt"), path("*.none"),
                [path("*.rec"), path("lines.*")], path("lines.txt"), path("{a,b}.txt"))],
    Case("ShardedFilename", [lit("base", fed=True), lit(3), lit(12)], edges=False),
    Case("ShardedFilespec", [lit("base", fed=True), lit(12)], edges=False),
]


@script("write_file", alone="both would write the same file at once")
def write_file(g):
    name = path("sub_%d/dir/out.txt" % os.getpid())
    g.run(targets=[g.op("WriteFile", g.const(name), g.const(b"hello\0there"))])
    g.run([g.op("ReadFile", g.const(name))], expect=[b"hello\0there"])


CASES.append(write_file)


# ---- readers ----------------------------------------------------------------------------------------

def reader_script(name, op, files, steps, up_to=None, v1=False, **attrs):
    """Feeds |files| through a queue and reads |steps| times; the last read finds the queue closed."""
    @script("reader_" + name)
    def build(g):
        suffix = "" if v1 else "V2"
        if v1:
            g.proto.versions.producer = 20  # newer graphs may not have these ops
        q = g.op("FIFOQueue" + suffix, component_types=["str"], shapes=[[]], shared_name="q")
        r = g.op(op + suffix, **attrs)
        g.run(targets=[g.op("QueueEnqueueMany" + suffix, q, [g.const(files, "str")])])
        g.run(targets=[g.op("QueueClose" + suffix, q)])
        read = (g.op("ReaderRead" + suffix, r, q) if up_to is None else
                g.op("ReaderReadUpTo" + suffix, r, q, g.const(up_to, "i64")))
        counts = [g.op("ReaderNumRecordsProduced" + suffix, r),
                  g.op("ReaderNumWorkUnitsCompleted" + suffix, r)]
        for _ in range(steps):
            g.run([read[0], read[1]])
            g.run(counts)
        g.run(targets=[g.op("ReaderReset" + suffix, r)])
        g.run(counts)
    CASES.append(build)


@script("reader_state")
def reader_state(g):
    q = g.op("FIFOQueueV2", component_types=["str"], shapes=[[]], shared_name="q")
    r = g.op("IdentityReaderV2", _name="test_reader")
    g.run(targets=[g.op("QueueEnqueueManyV2", q, [g.const(["X", "Y"], "str")])])
    read, saved = g.op("ReaderReadV2", r, q), g.op("ReaderSerializeStateV2", r)
    state = b"\x08\x01\x10\x01\x18\x01\x22\x01X"
    restore = lambda s: [g.op("ReaderRestoreStateV2", r, g.const(s, "str"))]
    g.run([read[0], read[1]])
    g.run([saved])
    g.run([read[0], read[1]])
    g.run(targets=restore(state))
    g.run([saved, g.op("ReaderNumRecordsProducedV2", r)])
    for bad in (state[1:], state[:-1], state + b"ExtraJunk", b"BOGUS" + state[5:]):
        g.run(targets=restore(bad), says="Could not parse state for IdentityReader 'test_reader'")


CASES.append(reader_state)
LINES = [FILES["lines"], FILES["empty"], FILES["more"]]
for v1 in (False, True):
    reader_script("lines%d" % v1, "TextLineReader", LINES, 8, v1=v1)
    reader_script("lines_skip%d" % v1, "TextLineReader", LINES, 5, v1=v1, skip_header_lines=2)
    reader_script("whole%d" % v1, "WholeFileReader", LINES, 4, v1=v1)
    reader_script("identity%d" % v1, "IdentityReader", ["a", "", "c"], 4, v1=v1)
    reader_script("records%d" % v1, "TFRecordReader", [FILES["records"]] * 2, 7, v1=v1)
reader_script("lines_up_to", "TextLineReader", LINES, 5, up_to=3)
reader_script("lines_many", "TextLineReader", LINES, 3, up_to=100)
reader_script("records_gzip", "TFRecordReader", [FILES["gzip"]], 4, compression_type="GZIP")
reader_script("records_zlib", "TFRecordReader", [FILES["zlib"]], 4, compression_type="ZLIB")
reader_script("records_cut", "TFRecordReader", [FILES["cut"]], 3)
reader_script("records_bad", "TFRecordReader", [FILES["bad"], FILES["records"]], 2)
reader_script("missing", "TextLineReader", [path("none"), FILES["more"]], 2)
FIXED = dict(header_bytes=2, record_bytes=5, footer_bytes=1)
reader_script("fixed", "FixedLengthRecordReader", [FILES["fixed"]] * 2, 7, **FIXED)
reader_script("fixed_hop", "FixedLengthRecordReader", [FILES["fixed"]], 12, hop_bytes=2, **FIXED)
reader_script("fixed_far", "FixedLengthRecordReader", [FILES["fixed"]], 4, hop_bytes=9, **FIXED)
reader_script("fixed_gzip", "FixedLengthRecordReader", [FILES["fixed.gz"]], 7, encoding="GZIP",
              **FIXED)


@script("reader_state")
def reader_state(g):
    q = g.op("FIFOQueueV2", component_types=["str"], shapes=[[]])
    r = g.op("WholeFileReaderV2")
    g.run(targets=[g.op("QueueEnqueueManyV2", q, [g.const(LINES, "str")])])
    read = g.op("ReaderReadV2", r, q)
    save = g.op("ReaderSerializeStateV2", r)
    g.run([save])
    g.run([read[0]])
    g.run([save])
    restore = g.op("ReaderRestoreStateV2", r, g.placeholder("str", [], _name="state"))
    g.run(feeds={"state:0": b"\x08\x02\x10\x01\x18\x01\x22\x01x"}, targets=[restore])
    g.run([g.op("ReaderNumRecordsProducedV2", r)])
    g.run(feeds={"state:0": b"\x08\x01\x10\x02"}, targets=[restore])
    g.run(feeds={"state:0": b"\xff"}, targets=[restore])
    t = g.op("TextLineReaderV2")
    g.run([g.op("ReaderSerializeStateV2", t)])


CASES.append(reader_state)


# ---- vocabularies -----------------------------------------------------------------------------------

NEW = path("new.txt", b"knitting\neminem\nMISSING\nflannel\n")
OLD = path("old.txt", b"flannel\neminem\nknitting\nother\n")


def remap(new, old, offset, count, size=-1, **kw):
    return Case("GenerateVocabRemapping", [lit(new, "str", fed=True), lit(old, "str", fed=True)],
                attrs={"new_vocab_offset": offset, "num_new_vocab": count, "old_vocab_size": size},
                edges=False, **kw)


CASES += [
    remap(NEW, OLD, 0, 4), remap(NEW, OLD, 1, 2, 2), remap(NEW, OLD, 0, 0), remap(NEW, NEW, 2, 2),
    remap(NEW, OLD, 3, 3, fails=INVALID, says="lookup table size must be larger"),
    remap(path("none"), OLD, 0, 1, fails="NOT_FOUND"),
    remap(NEW, path("none"), 0, 1, fails="NOT_FOUND"),
]


# ---- summaries --------------------------------------------------------------------------------------

NUMBERS = ["f16", "bf16", "f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
CASES += [
    Case("ScalarSummary", [lit("tag"), "T[]"], dtypes=NUMBERS, edges=False),
    Case("ScalarSummary", [lit(["a", "b"]), "f32[2]"], edges=False),
    Case("ScalarSummary", [lit("a"), "f32[1]"], fails=INVALID, edges=False,
         says="tags and values are not the same shape: [] != [1] (tag 'a')"),
    Case("HistogramSummary", [lit("tag"), "T[5,7]"], dtypes=NUMBERS, edges=False),
    Case("HistogramSummary", [lit("tag"), lit([1., 2., 3., -5.])], edges=False),
    Case("HistogramSummary", [lit("tag"), lit([0., 1e-13, 1e30, -1e30, -1e-13], "f64")], edges=False),
    Case("HistogramSummary", [lit("tag"), "f32[0]"], edges=False),
    Case("HistogramSummary", [lit("tag"), lit([1., float("nan")], "f32", fed=True)], fails=INVALID,
         edges=False, says="Nan in summary histogram for: "),
    Case("HistogramSummary", [lit("tag"), lit([1., float("inf")], "f32", fed=True)], fails=INVALID,
         edges=False, says="Infinity in Histogram for: "),
    *[Case("ImageSummary", [lit("tag"), "T[5,4,3,%d]" % d], attrs={"max_images": m}, edges=False,
           dtypes=["u8", "f16", "f32", "f64"]) for d in (1, 3, 4) for m in (1, 2)],
    Case("ImageSummary", [lit("tag"), "f32[1,4,3,3] prob"], edges=False),
    Case("ImageSummary", [lit("tag"), lit(np.array([[[[1., 2.]], [[np.nan, 3.]]]]).reshape(1, 2, 2, 1),
                                          "f32", fed=True)], edges=False),
    Case("ImageSummary", [lit("tag"), "f32[1,4,3,2]"], fails=INVALID, edges=False),
    Case("AudioSummaryV2", [lit("tag"), "f32[4,9]", lit(44100.)], edges=False),
    Case("AudioSummaryV2", [lit("tag"), "f32[2,9,2]", lit(8000.)], attrs={"max_outputs": 1},
         edges=False),
    Case("AudioSummaryV2", [lit("tag"), lit([[0., .5, -1., 1.5, -2., .00002]], "f32", fed=True),
                            lit(8000.)], edges=False),
    Case("AudioSummaryV2", [lit("tag"), "f32[4]", lit(44100.)], fails=INVALID, edges=False),
    Case("TensorSummary", ["T[2,3]"], dtypes=["f32", "str", "i64", "bool"], edges=False,
         compare="shape"),
    Case("TensorSummaryV2", [lit("tag"), "T[2,3]", lit(b"\x12\x01x", "str")],
         dtypes=["f16", "f32", "str", "i64", "bool", "c64"], edges=False),
    Case("TensorSummaryV2", [lit("tag"), "T[2]", lit(b"", "str")], dtypes=["f32"], edges=False, note="no metadata"),
    Case("MergeSummary", [[lit(b"\x0a\x03\x0a\x01a", fed=True), lit(b"\x0a\x03\x0a\x01b")]],
         edges=False),
    Case("MergeSummary", [[lit(b"\x0a\x03\x0a\x01a", fed=True), lit(b"\x0a\x03\x0a\x01a")]],
         fails=INVALID, edges=False, says="Duplicate tag a found in summary inputs"),
    Case("MergeSummary", [[lit(b"\x0a\xff", fed=True)]], fails=INVALID, edges=False),
]


@script("old_checkpoints")
def old_checkpoints(g):
    """One file with whole tensors or slices of them, read by name."""
    a, b = np.arange(6.0).reshape(2, 3), [7, 8]
    g.run(targets=[g.op("Save", g.const("whole"), g.const(["a", "b"]), [g.const(a), g.const(b)])])
    get = lambda file, name, dt: g.op("Restore", g.const(file), g.const(name), dt=dt)
    g.run([get("whole", "a", "f64"), get("whole", "b", "i32")])
    g.run([get("whole", "none", "f32")])
    g.run([get("nowhere", "a", "f32")])
    g.run(targets=[g.op("SaveSlices", g.const("parts"), g.const(["c", "b"]), g.const(["4 3 0,2:-", ""]),
                        [g.const(a), g.const(b)])])
    part = lambda spec: g.op("RestoreSlice", g.const("parts"), g.const("c"), g.const(spec), dt="f64")
    g.run([part("4 3 1,1:0,2"), get("parts", "b", "i32")])
    g.run([part("4 3 1,3:-")])


@script("checkpoints")
def checkpoints(g):
    save = lambda prefix, names, *values: g.op("SaveV2", g.const(prefix), g.const(names), g.const([""] * len(names)),
                                               [g.const(v) for v in values])
    get = lambda prefix, names, types: g.op("RestoreV2", g.const(prefix), g.const(names),
                                            g.const([""] * len(names)), dtypes=types)
    m = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    g.run(targets=[save("one", ["a", "m"], [1.5, 2.5], m), save("two", ["b"], [b"x", b"y"])])
    g.run(list(get("one", ["m", "a"], ["f32", "f32"])))
    g.run(list(get("one", ["none"], ["f32"])))
    g.run(targets=[g.op("MergeV2Checkpoints", g.const(["one", "two"]), g.const("all"))])
    g.run(list(get("all", ["b", "m"], ["str", "f32"])))
    remap = lambda rows, columns, values, **attrs: g.op(
        "LoadAndRemapMatrix", g.const("all"), g.const("m"), g.const(rows, "i64"), g.const(columns, "i64"),
        g.const(values, "f32"), **attrs)
    g.run([remap([3, -1, 0], [], [9, 8, 7], num_rows=3, num_cols=3),
           remap([1], [2, -1, 0], [5], num_rows=1, num_cols=3, max_rows_in_memory=1)])
    g.run([remap([9], [], [], num_rows=1, num_cols=3)])


@script("readers_by_name")
def readers_by_name(g):
    g.proto.versions.producer = 20
    q = g.op("FIFOQueue", component_types=["str"], shapes=[[]], shared_name="q")
    r = g.op("IdentityReader")
    g.run(targets=[g.op("QueueEnqueueMany", q, [g.const(["X", "Y", "Z"], "str")])])
    many = g.op("ReaderReadUpTo", r, q, g.const(2, "i64"))
    g.run([many[0], many[1]])
    g.run([g.op("ReaderSerializeState", r)])
    g.run(targets=[g.op("ReaderRestoreState", r, g.const(b"\x08\x01\x10\x01\x18\x01\x22\x01X", "str"))])
    g.run([g.op("ReaderNumRecordsProduced", r)])


@script("FixedLengthRecordReader", alone="its kernel wants an attr that the op does not have")
def fixed_by_name(g):
    g.proto.versions.producer = 20
    q = g.op("FIFOQueue", component_types=["str"], shapes=[[]])
    read = g.op("ReaderRead", g.op("FixedLengthRecordReader", **FIXED), q)
    g.run(targets=[g.op("QueueEnqueue", q, [g.const(FILES["fixed"])])])
    g.run([read[0], read[1]], expect=[FILES["fixed"] + ":0", "ABCDE"])


CASES += [old_checkpoints, checkpoints, readers_by_name, fixed_by_name]


def every_record_once(mine, theirs):
    """The order is each library's own; an epoch has every record once."""
    same = sorted(mine[0].array.tolist()) == sorted(theirs[0].array.tolist())
    return None if same else "records %s, TensorFlow %s" % (mine[0], theirs[0])


CASES += [
    Case("RecordInput", attrs={"file_pattern": FILES["records"], "batch_size": 6}, check=every_record_once,
         edges=False, infer=False),
    Case("RecordInput", attrs={"file_pattern": FILES["gzip"] + "," + FILES["gzip"], "batch_size": 6,
                               "compression_type": "GZIP"}, check=every_record_once, edges=False, infer=False),
    Case("RecordInput", attrs={"file_pattern": path("none*"), "batch_size": 1}, edges=False, fails="NOT_FOUND",
         says="Found no files at "),
    Case("RecordInput", attrs={"file_pattern": FILES["records"], "batch_size": -1}, edges=False, fails=INVALID,
         says="batch_size must be non-negative but got -1"),
]


@script("AudioSummary")
def audio_summary(g):
    g.proto.versions.producer = 14
    g.run([g.op("AudioSummary", g.const("tag"), g.const(np.sin(np.arange(20.0)).reshape(2, 10), "f32"),
                sample_rate=8000.0)])


CASES.append(audio_summary)


@script("summary_writer")
def summary_writer(g):
    """Steps run; the file is looked at in a step of its own, without its times and its name."""
    logs = path("logs_%d" % len(CASES))
    w = g.op("SummaryWriter", shared_name="w")
    g.run(targets=[g.op("CreateSummaryFileWriter", w, g.const(logs), g.const(10), g.const(1000),
                        g.const(".v2"))])
    step = g.const(3, "i64")
    g.run(targets=[g.op("WriteScalarSummary", w, step, g.const("a"), g.const(1.5))])
    g.run(targets=[g.op("WriteHistogramSummary", w, step, g.const("h"), g.const([1., 2.]))])
    g.run(targets=[g.op("WriteSummary", w, step, g.const([1, 2]), g.const("t"), g.const(b"", "str"))])
    g.run(targets=[g.op("WriteImageSummary", w, step, g.const("i"), g.const(np.ones((1, 2, 2, 3)), "f32"),
                        g.const([255, 0, 0, 255], "u8"))])
    g.run(targets=[g.op("WriteAudioSummary", w, step, g.const("s"), g.const(np.ones((1, 4)), "f32"),
                        g.const(8000.))])
    g.run(targets=[g.op("WriteGraphSummary", w, step, g.const(b"", "str"))])
    g.run(targets=[g.op("ImportEvent", w, g.const(b"\x10\x05", "str"))])
    g.run(targets=[g.op("ImportEvent", w, g.const(b"\xff", "str"))])
    g.run(targets=[g.op("WriteRawProtoSummary", w, step, g.const(b"\x0a\x03\x0a\x01b", "str"))])
    g.run(targets=[g.op("WriteHistogramSummary", w, step, g.const("h"), g.const([float("nan")]))])
    g.run(targets=[g.op("FlushSummaryWriter", w)])
    g.run(targets=[g.op("CloseSummaryWriter", w)])
    g.run(targets=[g.op("FlushSummaryWriter", w)])


CASES.append(summary_writer)
