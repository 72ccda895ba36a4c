"""Tables: filled once, changed, dense, from files."""
import os
import tempfile

import numpy as np

from opcase import script

CASES = []


def case(name, **options):
    def add(build):
        CASES.append(script(name, **options)(build))
        return build
    return add


def fixed_script(v, key, value, keys, values, missing, fallback):
    @case("HashTable%s_%s_%s" % (v, key, value))
    def build(g):
        t = g.op("HashTable" + v, key_dtype=key, value_dtype=value)
        find = lambda k, d=fallback: g.op("LookupTableFind" + v, t, g.const(k, key), g.const(d, value))
        fill = lambda k, x: g.op("InitializeTable" + v, t, g.const(k, key), g.const(x, value))
        size = g.op("LookupTableSize" + v, t)
        g.run([find(keys)])
        g.run(targets=[fill(keys[:1] * 2, values[:2])])
        g.run(targets=[fill(keys, values)])
        g.run([find([keys, keys[::-1]]), size])
        g.run([find(keys[:1] + [missing])])
        g.run([find(keys[0])])
        g.run([find(missing)])
        g.run(targets=[fill(keys, values)])
        g.run(targets=[fill(keys[:1], values[:1])])
        g.run([find(keys, values[:2])])
        g.run(targets=[g.op("LookupTableInsert" + v, t, g.const(keys, key), g.const(values, value))])


S = [b"a", b"", b"longer than a small string can be"]
for version in ["", "V2"]:
    fixed_script(version, "str", "i64", S, [1, 2, 3], b"none", -1)
for k, kv, miss in [("i64", [5, -7, 0], 9), ("i32", [5, -7, 0], 9), ("str", S, b"x")]:
    for t, tv, d in [("f32", [1.5, 2.5, 3.5], 0), ("f64", [1, 2, 3], 0), ("bool", [True, False, True], False),
                     ("str", S, b"?"), ("i32", [1, 2, 3], -1)]:
        if (k, t) in {("i64", "f32"), ("i64", "str"), ("i64", "i32"), ("i64", "f64"), ("i32", "i32"),
                      ("str", "f32"), ("str", "str"), ("str", "f64"), ("str", "i32"), ("str", "bool")}:
            fixed_script("V2", k, t, kv, tv, miss, d)


@case("LookupTableImportV2")
def imported(g):  # a fixed table is initialized by it, once
    t = g.op("HashTableV2", key_dtype="str", value_dtype="i64")
    load = lambda v: g.op("LookupTableImportV2", t, g.const(["a", "b"]), g.const(v, "i64"))
    for values in ([1, 2], [1, 2], [3, 4]):
        g.run(targets=[load(values)])
    g.run([g.op("LookupTableFindV2", t, g.const(["b", "x"]), g.const(-1, "i64"))])
    new = g.op("HashTableV2", key_dtype="i64", value_dtype="i64")
    g.run(targets=[g.op("LookupTableImportV2", new, g.const([], "i64"), g.const([], "i64"))])


@case("MutableHashTableV2")
def mutable(g):
    t = g.op("MutableHashTableV2", key_dtype="i64", value_dtype="f32")
    find = lambda k, d=0.0: g.op("LookupTableFindV2", t, g.const(k, "i64"), g.const(d, "f32"))
    put = lambda k, x: g.op("LookupTableInsertV2", t, g.const(k, "i64"), g.const(x, "f32"))
    size = g.op("LookupTableSizeV2", t)
    out = g.op("LookupTableExportV2", t, Tkeys="i64", Tvalues="f32")
    g.run([find([1, 2]), size])
    g.run(targets=[put(list(range(100)), list(range(100)))])
    g.run(targets=[put([3, 3], [7, 8])])
    g.run([find([[1, 3], [99, 100]], -1), size])
    g.run([find([1, 200, 300], [4, 5, 6])])
    g.run(targets=[g.op("LookupTableRemoveV2", t, g.const(list(range(1, 100)) + [500], "i64"))])
    g.run([find([0, 1, 50, 99]), size, out[0], out[1]])
    g.run(targets=[g.op("LookupTableImportV2", t, g.const([7], "i64"), g.const([70.0]))])
    g.run([size, out[0], out[1], find([0, 7])])
    g.run(targets=[put([1, 2], [1.0])])
    g.run([find([1, 2], [1.0, 2.0, 3.0])])
    g.run(targets=[g.op("InitializeTableV2", t, g.const([1], "i64"), g.const([1.0]))])


@case("MutableHashTableOfTensorsV2")
def of_tensors(g):
    t = g.op("MutableHashTableOfTensorsV2", key_dtype="str", value_dtype="i64", value_shape=[2])
    find = lambda k, d: g.op("LookupTableFindV2", t, g.const(k, "str"), g.const(d, "i64"))
    put = lambda k, x: g.op("LookupTableInsertV2", t, g.const(k, "str"), g.const(x, "i64"))
    g.run(targets=[put([b"a", b"b"], [[1, 2], [3, 4]])])
    g.run([find([[b"b"], [b"z"]], [0, -1])])
    g.run([find([b"b", b"z"], [[5, 6], [7, 8]])])
    g.run([find([b"b"], 0)])
    g.run(targets=[put([b"a"], [1])])
    g.run([g.op("MutableHashTableOfTensorsV2", key_dtype="str", value_dtype="i64", value_shape=[])])


@case("MutableDenseHashTableV2")
def dense(g):
    make = lambda e, d, **a: g.op("MutableDenseHashTableV2", g.const(e, "i64"), g.const(d, "i64"),
                                  value_dtype="f32", **a)
    t = make(0, -1, initial_num_buckets=4)
    find = lambda k, d=0.0: g.op("LookupTableFindV2", t, g.const(k, "i64"), g.const(d, "f32"))
    put = lambda k, x: g.op("LookupTableInsertV2", t, g.const(k, "i64"), g.const(x, "f32"))
    drop = lambda k: g.op("LookupTableRemoveV2", t, g.const(k, "i64"))
    size = g.op("LookupTableSizeV2", t)
    g.run(targets=[put([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])])
    g.run([find([3, 9]), size])
    for bad in ([0], [-1]):
        g.run([find(bad)])
        g.run(targets=[put(bad, [1])])
        g.run(targets=[drop(bad)])
    g.run(targets=[drop([3])])
    g.run([find([3, 4]), size])
    g.run(targets=[make(0, 0)])
    g.run(targets=[make(0, -1, initial_num_buckets=5)])


@case("dense_table_again")
def dense_again(g):
    """What a dense table exports makes one of as many buckets, with the same keys and gaps in them."""
    make = lambda n: g.op("MutableDenseHashTableV2", g.const(0, "i64"), g.const(-1, "i64"), value_dtype="f32",
                          initial_num_buckets=n)
    old, new = make(8), make(16)
    out = [g.op("LookupTableExportV2", t, Tkeys="i64", Tvalues="f32") for t in (old, new)]
    g.run(targets=[g.op("LookupTableInsertV2", old, g.const([11, 12, 13, 14], "i64"), g.const([1, 2, 3, 4], "f32"))])
    g.run(targets=[g.op("LookupTableRemoveV2", old, g.const([12, 15], "i64"))])
    g.run(targets=[g.op("LookupTableInsertV2", new, g.const([11, 5], "i64"), g.const([7, 8], "f32"))])
    g.run(targets=[g.op("LookupTableImportV2", new, out[0][0], out[0][1])])
    g.run([out[1][0], out[1][1], g.op("LookupTableSizeV2", new)])
    g.run([g.op("LookupTableFindV2", new, g.const([10, 11, 12, 13, 14], "i64"), g.const(-1, "f32"))])


@case("shared_table")
def shared(g):
    a = g.op("HashTableV2", key_dtype="str", value_dtype="i64", shared_name="t")
    b = g.op("HashTableV2", key_dtype="str", value_dtype="i64", shared_name="t")
    wrong = g.op("HashTableV2", key_dtype="str", value_dtype="f32", shared_name="t")
    g.run(targets=[g.op("InitializeTableV2", a, g.const([b"x"], "str"), g.const([5], "i64"))])
    g.run([g.op("LookupTableFindV2", b, g.const([b"x"], "str"), g.const(0, "i64"))])
    g.run(targets=[wrong])


@case("InitializeTableFromTextFileV2")
def from_file(g):
    path = os.path.join(tempfile.gettempdir(), "weir_vocabulary_%d.txt" % os.getuid())
    with open(path, "w") as f:
        f.write("a\t1\t2.5\nb\t2\t3.5\nc\t3\t-1\n")

    def table(key, value, key_type="str", value_type="i64", look=None, file=path, **attrs):
        t = g.op("HashTableV2", key_dtype=key_type, value_dtype=value_type)
        g.run(targets=[g.op("InitializeTableFromTextFileV2", t, g.const(file.encode(), "str"), key_index=key,
                            value_index=value, **attrs)])
        if look is not None:
            fallback = g.const(b"?" if value_type == "str" else -1, value_type)
            g.run([g.op("LookupTableFindV2", t, g.const(look, key_type), fallback)])

    table(0, 1, look=[b"a", b"c", b"z"])
    table(0, 2, value_type="f32", look=[b"a", b"c", b"z"])
    table(-2, -1, look=[b"a\t1\t2.5", b"a"])
    table(-1, 0, "i64", "str", look=[0, 2, 7])
    table(0, -1, offset=10, look=[b"b"])
    table(0, 1, vocab_size=2, look=[b"a", b"c"])
    table(0, 1, vocab_size=7)
    table(0, 7)
    table(0, 0)
    table(0, -1, value_type="f32")
    table(0, 1, file="/nowhere/at/all")

    def written(text):
        other = path + "2"
        with open(other, "w") as f:
            f.write(text)
        return other
    numbers = written("7\n -3 \n12\n")
    table(-1, -2, "i64", "i64", look=[0, 1, 2, 3], file=numbers)
    table(-2, -1, "i64", "i64", look=[7, -3, 5], file=numbers)
    table(-1, -2, "i64", "i32", look=[0, 2, 3], file=numbers)
    table(-1, -2, "i64", "f32", file=numbers)
    table(-1, -2, "i64", "str", file=written("x\n\ny\n"))


@case("tables_by_name")
def by_name(g):
    """The tables of old graphs, which hand themselves on as references to strings."""
    t = g.op("MutableHashTable", key_dtype="str", value_dtype="i64")
    g.run(targets=[g.op("LookupTableInsert", t, g.const(["a", "b"]), g.const([1, 2], "i64"))])
    g.run([g.op("LookupTableFind", t, g.const(["b", "x"]), g.const(-1, "i64")), g.op("LookupTableSize", t)])
    g.run(targets=[g.op("LookupTableImport", t, g.const(["c"]), g.const([3], "i64"))])
    out = g.op("LookupTableExport", t, Tkeys="str", Tvalues="i64")
    g.run([out[0], out[1]])
    rows = g.op("MutableHashTableOfTensors", key_dtype="i64", value_dtype="f32", value_shape=[2])
    g.run(targets=[g.op("LookupTableInsert", rows, g.const([7], "i64"), g.const([[1.0, 2.0]]))])
    g.run([g.op("LookupTableFind", rows, g.const([7, 8], "i64"), g.const([0.0, -1.0]))])


@case("MutableDenseHashTable", alone="its kernel wants an input that the op does not have")
def dense_by_name(g):
    t = g.op("MutableDenseHashTable", g.const(0, "i64"), value_dtype="f32")
    g.run(targets=[g.op("LookupTableInsert", t, g.const([7], "i64"), g.const([1.5]))])
    g.run([g.op("LookupTableFind", t, g.const([7, 8], "i64"), g.const(0.0))], expect=[np.float32([1.5, 0])])


@case("InitializeTableFromTextFile")
def from_text_file(g):
    g.run(targets=[g.op("WriteFile", g.const("vocabulary"), g.const("x 5\ny 6\n"))])
    t = g.op("HashTable", key_dtype="str", value_dtype="i64")
    fill = dict(key_index=0, value_index=1, delimiter=" ")
    g.run(targets=[g.op("InitializeTableFromTextFile", t, g.const("vocabulary"), **fill)])
    g.run([g.op("LookupTableFind", t, g.const(["y", "z"]), g.const(-1, "i64"))])


@case("AnonymousHashTable")
def anonymous(g):
    t = g.op("AnonymousHashTable", key_dtype="str", value_dtype="i64")
    fill = g.op("InitializeTableV2", t, g.const(["a"]), g.const([4], "i64"))
    find = g.op("LookupTableFindV2", t, g.const(["a", "z"]), g.const(-1, "i64"), _control=[fill])
    g.run([find])
    g.run([find])


@case("anonymous_mutable_tables")
def anonymous_mutable(g):
    key, none = g.const([7, 8], "i64"), g.const(-1.0)
    for op, inputs, attrs, value in [
            ("AnonymousMutableHashTable", (), {}, [1.5, 2.5]),
            ("AnonymousMutableDenseHashTable", (g.const(0, "i64"), g.const(-1, "i64")), {}, [1.5, 2.5]),
            ("AnonymousMutableHashTableOfTensors", (), {"value_shape": [2]}, [[1.5, 2], [3, 4]])]:
        t = g.op(op, *inputs, key_dtype="i64", value_dtype="f32", **attrs)
        put = g.op("LookupTableInsertV2", t, key, g.const(value, "f32"))
        default = none if "Tensors" not in op else g.const([-1.0, -2.0])
        g.run([g.op("LookupTableFindV2", t, g.const([8, 9], "i64"), default, _control=[put]),
               g.op("LookupTableSizeV2", t, _control=[put])])


@case("dense_table_places")
def dense_table_places(g):
    """Exports show where each key lies, also after removals, growth and with vectors as keys."""
    for keys, empty, deleted in (([11, 12, 13], 0, -1), ([[0, 1], [1, 2], [1, 3]], [0, 3], [-1, -1])):
        keys = np.array(keys, np.int64)
        table = g.op("MutableDenseHashTableV2", g.const(np.int64(empty)), g.const(np.int64(deleted)),
                     key_dtype="i64", value_dtype="i64", initial_num_buckets=4,
                     shared_name="places%d" % keys.ndim)
        export = lambda: [g.op("LookupTableExportV2", table, Tkeys="i64", Tvalues="i64")]
        g.run(targets=[g.op("LookupTableInsertV2", table, g.const(keys),
                            g.const(np.array([7, 8, 9], np.int64)))])
        g.run(export())
        g.run(targets=[g.op("LookupTableRemoveV2", table, g.const(keys[1:2]))])
        g.run(export())
        g.run(targets=[g.op("LookupTableInsertV2", table, g.const(np.concatenate([keys + 5, keys + 9])),
                            g.const(np.arange(6, dtype=np.int64)))])
        g.run(export())
        g.run([g.op("LookupTableFindV2", table, g.const(keys), g.const(np.int64(-5))),
               g.op("LookupTableSizeV2", table)])
        g.run([g.op("LookupTableFindV2", table, g.const(np.zeros([2, 3, 2], np.int64)),
                    g.const(np.int64(-5)))], says="xpected")
