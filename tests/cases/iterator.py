"""Iterators, optionals, and the dataset ops that TensorFlow's front end no longer writes itself, by
their raw ops."""
import os
import tempfile

import numpy as np

from graphs import tf
from opcase import script
from tensorflow.python.framework import function

v1, raw = tf.compat.v1, tf.raw_ops
CASES = []
FILES = tempfile.TemporaryDirectory(prefix="iterator_cases.")
I64 = dict(output_types=[tf.int64], output_shapes=[[]])
MANY = dict(output_types=[tf.int64], output_shapes=[[None]])


def program(name, **options):
    """A script: the function gives what each step fetches or runs, one thing or a list; a pair with
    the values to expect where TensorFlow cannot run it (alone)."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                v1.set_random_seed(7)
                steps = list(make())
            g.proto.CopyFrom(graph.as_graph_def())
            for step in steps:
                step, expect = step if options.get("alone") else (step, ())
                step = step if isinstance(step, (list, tuple)) else [step]
                ops = [s.name for s in step if isinstance(s, tf.Operation)]
                g.run([s.name for s in step if not isinstance(s, tf.Operation)], targets=ops,
                      expect=expect)
        CASES.append(script(name, **options)(build))
        return make
    return add


def numbers(stop=7):
    return raw.RangeDataset(start=tf.constant(0, tf.int64), stop=tf.constant(stop, tf.int64),
                            step=tf.constant(1, tf.int64), **I64)


def drawn(dataset, count, types=I64):
    """Steps that make an iterator and draw |count| elements."""
    it = raw.IteratorV2(shared_name="", container="", **types)
    following = raw.IteratorGetNext(iterator=it, **types)
    return [raw.MakeIterator(dataset=dataset, iterator=it)] + [list(following)] * count


def expected(steps, values):
    """Steps with what they give, for those that TensorFlow cannot run."""
    return zip(steps, [[]] + [[v] for v in values])


def int64(x):
    return tf.constant(x, tf.int64)


# ---- datasets that pass elements on ------------------------------------------------------------

PASSING = {
    "AssertCardinalityDataset": dict(cardinality=int64, of=7),
    "BytesProducedStatsDataset": dict(tag=tf.constant, of="t"),
    "LatencyStatsDataset": dict(tag=tf.constant, of="t"),
    "FinalizeDataset": {},
    "MaxIntraOpParallelismDataset": dict(max_intra_op_parallelism=int64, of=2),
    "ModelDataset": {},
    "NonSerializableDataset": {},
    "OptionsDataset": dict(serialized_options=str, of=""),
    "OptimizeDataset": dict(optimizations=lambda x: tf.constant(x, tf.string), of=[]),
    "PrivateThreadPoolDataset": dict(num_threads=int64, of=2),
    "AssertNextDataset": dict(transformations=lambda x: tf.constant(x, tf.string), of=[]),
    "AssertPrevDataset": dict(transformations=lambda x: tf.constant(x, tf.string), of=[]),
    "ExperimentalAssertNextDataset": dict(transformations=lambda x: tf.constant(x, tf.string), of=[]),
}

for op, how in PASSING.items():
    def passing(op=op, how=how):
        extra = {k: f(how["of"]) for k, f in how.items() if k != "of"}
        return drawn(getattr(raw, op)(input_dataset=numbers(), **extra, **I64), 8)
    program(op)(passing)


@program("AssertCardinalityDataset, wrong")
def wrong_cardinality():
    return drawn(raw.AssertCardinalityDataset(input_dataset=numbers(), cardinality=int64(5), **I64), 8)


@program("OptimizeDatasetV2")
def optimized():
    none = tf.constant([], tf.string)
    return drawn(raw.OptimizeDatasetV2(
        input_dataset=numbers(), optimizations_enabled=none, optimizations_disabled=none,
        optimizations_default=none, **I64), 8)


@program("GetOptions")
def options():
    with_options = raw.OptionsDataset(input_dataset=numbers(), serialized_options=b"\x08\x01", **I64)
    return [raw.GetOptions(input_dataset=with_options), raw.GetOptions(input_dataset=numbers())]


# ---- datasets that group, cache, shuffle -------------------------------------------------------


@program("BatchDataset", alone="its rewriting fails")
def batch():
    steps = drawn(raw.BatchDataset(input_dataset=numbers(), batch_size=int64(3), **MANY), 3, MANY)
    return expected(steps, [np.array(v, np.int64) for v in ([0, 1, 2], [3, 4, 5], [6])])


@program("ParallelBatchDataset")
def parallel_batch():
    return drawn(raw.ParallelBatchDataset(
        input_dataset=numbers(), batch_size=int64(3), num_parallel_calls=int64(2),
        drop_remainder=tf.constant(True), **MANY), 4, MANY)


@program("PaddedBatchDataset", alone="its rewriting fails")
def padded_batch():
    steps = drawn(raw.PaddedBatchDataset(
        input_dataset=raw.BatchDatasetV2(input_dataset=numbers(), batch_size=int64(3),
                                         drop_remainder=tf.constant(False), **MANY),
        batch_size=int64(2), padded_shapes=[int64([-1])], padding_values=[int64(-7)],
        output_shapes=[[None, None]]), 2, dict(output_types=[tf.int64], output_shapes=[[None, None]]))
    return expected(steps, [np.array(v, np.int64) for v in ([[0, 1, 2], [3, 4, 5]], [[6]])])


@program("CacheDatasetV2")
def cached():
    anonymous = raw.AnonymousMemoryCache()
    for cache in (anonymous.handle, raw.DummyMemoryCache()):
        again = raw.RepeatDataset(count=int64(2), **I64, input_dataset=raw.CacheDatasetV2(
            input_dataset=numbers(3), filename=tf.constant(""), cache=cache, **I64))
        yield from drawn(again, 7)


@program("DeleteMemoryCache", alone="it refuses what its own op makes")
def deleted_cache():
    cache = raw.AnonymousMemoryCache()
    return [(raw.DeleteMemoryCache(handle=cache.handle, deleter=cache.deleter), [])]


@program("ShuffleDatasetV2")
def shuffle_v2():
    for again in (False, True):
        generator = raw.AnonymousSeedGenerator(seed=int64(3), seed2=int64(4),
                                               reshuffle=tf.constant(again)).handle
        yield from drawn(raw.RepeatDataset(count=int64(2), **I64, input_dataset=raw.ShuffleDatasetV2(
            input_dataset=numbers(), buffer_size=int64(5), seed_generator=generator, **I64)), 15)


@program("ShuffleDatasetV3")
def shuffle_v3():
    for generator in (raw.AnonymousSeedGenerator(seed=int64(3), seed2=int64(4),
                                                 reshuffle=tf.constant(True)).handle,
                      raw.DummySeedGenerator()):
        yield from drawn(raw.RepeatDataset(count=int64(2), **I64, input_dataset=raw.ShuffleDatasetV3(
            input_dataset=numbers(), buffer_size=int64(5), seed=int64(1), seed2=int64(2),
            seed_generator=generator, **I64)), 15)


@program("ShuffleAndRepeatDataset")
def shuffle_and_repeat():
    generator = raw.AnonymousSeedGenerator(seed=int64(3), seed2=int64(4), reshuffle=tf.constant(True))
    how = dict(input_dataset=numbers(), buffer_size=int64(5), seed=int64(1), seed2=int64(2),
               count=int64(2), **I64)
    yield from drawn(raw.ShuffleAndRepeatDataset(**how), 15)
    yield from drawn(raw.ShuffleAndRepeatDatasetV2(seed_generator=generator.handle, **how), 15)


@program("DeleteSeedGenerator", alone="it refuses what its own op makes")
def deleted_generators():
    random = raw.AnonymousRandomSeedGenerator(seed=int64(3), seed2=int64(4))
    plain = raw.AnonymousSeedGenerator(seed=int64(3), seed2=int64(4), reshuffle=tf.constant(True))
    return [(raw.DeleteRandomSeedGenerator(handle=random.handle, deleter=random.deleter), []),
            (raw.DeleteSeedGenerator(handle=plain.handle, deleter=plain.deleter), [])]


@program("GlobalShuffleDataset")
def global_shuffle():
    return drawn(raw.GlobalShuffleDataset(
        input_dataset=numbers(), seed=int64(1), seed2=int64(2), seed_generator=raw.DummySeedGenerator(),
        reshuffle_each_iteration=False, **I64), 8)


@program("RandomDatasetV2")
def random_numbers():
    for again in (False, True):
        yield from drawn(raw.RepeatDataset(count=int64(2), **I64, input_dataset=raw.TakeDataset(
            input_dataset=raw.RandomDatasetV2(
                seed=int64(1), seed2=int64(2), seed_generator=raw.DummySeedGenerator(),
                rerandomize_each_iteration=again, **I64), count=int64(3), **I64)), 7)


# ---- datasets with functions -------------------------------------------------------------------


def tripled():
    @function.Defun(tf.int64)
    def triple(x):
        return x * 3
    triple.add_to_graph(tf.compat.v1.get_default_graph())
    return triple


def added():
    @function.Defun(tf.int64, tf.int64)
    def add(x, y):
        return x * y
    add.add_to_graph(tf.compat.v1.get_default_graph())
    return add


def ranges():
    @function.Defun(tf.int64)
    def some(x):
        return raw.RangeDataset(start=int64(0), stop=x, step=int64(1), **I64)
    some.add_to_graph(tf.compat.v1.get_default_graph())
    return some


@program("ParallelMapDataset")
def parallel_map():
    return drawn(raw.ParallelMapDataset(
        input_dataset=numbers(), other_arguments=[], num_parallel_calls=tf.constant(2), f=tripled(),
        **I64), 8)


@program("ParallelInterleaveDatasetV2")
def parallel_interleave():
    how = dict(input_dataset=numbers(4), other_arguments=[], cycle_length=int64(2),
               block_length=int64(1), f=ranges(), **I64)
    calls, ahead = dict(num_parallel_calls=int64(2)), int64(2)
    yield from drawn(raw.ParallelInterleaveDataset(
        sloppy=tf.constant(False), buffer_output_elements=ahead, prefetch_input_elements=ahead, **how), 7)
    yield from drawn(raw.ParallelInterleaveDatasetV2(**calls, **how), 7)
    yield from drawn(raw.ParallelInterleaveDatasetV3(deterministic="true", **calls, **how), 7)
    yield from drawn(raw.ParallelInterleaveDatasetV4(
        deterministic="true", buffer_output_elements=ahead, prefetch_input_elements=ahead, **calls,
        **how), 7)


@program("GeneratorDataset")
def generated():
    @function.Defun(tf.int64)
    def begin(x):
        return x + 1

    @function.Defun(tf.int64)
    def following(state):
        return state * 10

    for f in (begin, following):
        f.add_to_graph(tf.compat.v1.get_default_graph())
    return drawn(raw.GeneratorDataset(
        init_func_other_args=[int64(4)], next_func_other_args=[], finalize_func_other_args=[],
        init_func=begin, next_func=following, finalize_func=following, **I64), 3)


# ---- datasets in files -------------------------------------------------------------------------


@program("FixedLengthRecordDataset", alone="its rewriting fails")
def fixed_length():
    path = os.path.join(FILES.name, "fixed")
    with open(path, "wb") as f:
        f.write(b"headaabbccfoot")
    steps = drawn(raw.FixedLengthRecordDataset(
        filenames=tf.constant([path]), header_bytes=int64(4), record_bytes=int64(2),
        footer_bytes=int64(4), buffer_size=int64(0)), 3,
        dict(output_types=[tf.string], output_shapes=[[]]))
    return expected(steps, ["aa", "bb", "cc"])


@program("TFRecordDatasetV2", alone="its rewriting fails")
def records():
    path = os.path.join(FILES.name, "records")
    with tf.io.TFRecordWriter(path) as f:
        for record in (b"one", b"", b"three"):
            f.write(record)
    strings = dict(output_types=[tf.string], output_shapes=[[]])
    for offset, left in ((0, ["one", "", "three"]), (16 + 3, ["", "three"])):
        yield from expected(drawn(raw.TFRecordDatasetV2(
            filenames=tf.constant([path]), compression_type=tf.constant(""), buffer_size=int64(0),
            byte_offsets=int64([offset])), len(left), strings), left)


def saving():
    """Functions that spread elements over two shards, and that read one shard after the other."""
    @function.Defun(tf.int64)
    def shard(x):
        return x % 2

    @function.Defun(tf.variant)
    def read(shards):
        return raw.FlatMapDataset(input_dataset=shards, other_arguments=[], f=same, **I64)

    @function.Defun(tf.variant)
    def same(x):
        return x

    graph = tf.compat.v1.get_default_graph()
    for f in (shard, same, read):
        f.add_to_graph(graph)
    return dict(shard_func=shard, shard_func_other_args=[]), dict(reader_func=read, reader_func_other_args=[])


@program("SaveDataset")
def saved():
    spread, read = saving()
    path = tf.constant("saved")  # of each library's own: both run at once
    yield raw.SaveDataset(input_dataset=numbers(), path=path, **spread)
    yield from drawn(raw.LoadDataset(path=path, **read, **I64), 8)


@program("SaveDatasetV2")
def saved_v2():
    spread, read = saving()
    path = tf.constant("saved_v2")
    yield from drawn(raw.SaveDatasetV2(input_dataset=numbers(), path=path, compression="GZIP", **spread, **I64), 8)
    yield from drawn(raw.LoadDataset(path=path, compression="GZIP", **read, **I64), 8)


@program("SnapshotDatasetV2")
def snapshot_v2():
    spread, read = saving()
    for _ in range(2):  # written, then read
        yield from drawn(raw.SnapshotDatasetV2(input_dataset=numbers(), path=tf.constant("snapshots"), hash_valid=True,
                                               hash=77, **spread, **read, **I64), 8)


def snapshot_shard():
    """The path of a shard of two files, with 1 and 2 in the first and 3 in the second."""
    shard = os.path.join(FILES.name, "00000000.shard")
    os.makedirs(shard, exist_ok=True)
    for chunk, values in enumerate([(1, 2), (3,)]):
        with tf.io.TFRecordWriter(os.path.join(shard, "%08d.snapshot" % chunk)) as out:
            for v in values:
                out.write(tf.make_tensor_proto(np.int64(v)).SerializeToString())
    return shard


def shard_reader(skip):
    return raw.SnapshotDatasetReader(shard_dir=tf.constant(snapshot_shard()), start_index=int64(skip), version=2, **I64)


# TensorFlow reads these inside of its own snapshots only.
@program("SnapshotDatasetReader", alone=True)
def snapshot_reader():
    yield from expected(drawn(shard_reader(0), 3), map(np.int64, [1, 2, 3]))
    yield from expected(drawn(shard_reader(2), 1), [np.int64(3)])


@program("SnapshotChunkDataset", alone=True)
def snapshot_chunk():
    path = os.path.join(snapshot_shard(), "00000000.snapshot")
    yield from expected(drawn(raw.SnapshotChunkDataset(chunk_file=tf.constant(path), **I64), 2), map(np.int64, [1, 2]))


@program("SnapshotNestedDatasetReader", alone=True)
def snapshot_nested():
    nested = raw.SnapshotNestedDatasetReader(inputs=[shard_reader(1), shard_reader(0)], output_types=[tf.variant],
                                             output_shapes=[[]])
    @function.Defun(tf.variant)
    def same(x):
        return x
    same.add_to_graph(tf.compat.v1.get_default_graph())
    flat = raw.FlatMapDataset(input_dataset=nested, other_arguments=[], f=same, **I64)
    yield from expected(drawn(flat, 5), map(np.int64, [2, 3, 1, 2, 3]))


@program("ListSnapshotChunksDataset")
def snapshot_chunks():
    path = os.path.join(FILES.name, "distributed")
    os.makedirs(os.path.join(path, "chunks"), exist_ok=True)
    for name in ("chunks/chunk_0_0_1", "chunks/chunk_0_1_2", "DONE"):
        open(os.path.join(path, name), "w").close()
    strings = dict(output_types=[tf.string], output_shapes=[[]])
    yield from drawn(raw.ListSnapshotChunksDataset(snapshot_path=tf.constant(path), **strings), 3, strings)


# ---- asking datasets ---------------------------------------------------------------------------


@program("DatasetToSingleElement")
def single():
    return [raw.DatasetToSingleElement(dataset=numbers(n), **I64)[0] for n in (1, 0, 2)]


@program("GetElementAtIndex")
def at_index():
    return [raw.GetElementAtIndex(dataset=numbers(), index=int64(i), **I64)[0] for i in (0, 6, 7, -1)]


@program("DatasetToGraph")
def there_and_back():
    mapped = raw.MapDataset(input_dataset=numbers(4), other_arguments=[int64(5)], f=added(), **I64)
    batched = raw.BatchDatasetV2(input_dataset=mapped, batch_size=int64(3),
                                 drop_remainder=tf.constant(False), **MANY)
    for graph in (raw.DatasetToGraph(input_dataset=batched),
                  raw.DatasetToGraphV2(input_dataset=batched)):
        yield from drawn(raw.DatasetFromGraph(graph_def=graph), 3, MANY)
    yield from drawn(raw.DatasetFromGraph(graph_def=tf.constant("no graph")), 1, MANY)


# ---- iterators ---------------------------------------------------------------------------------


def anonymous(it, delete=()):
    """An anonymous iterator lives as long as its handle: one step does everything."""
    with tf.control_dependencies([raw.MakeIterator(dataset=numbers(), iterator=it)]):
        first = raw.IteratorGetNext(iterator=it, **I64)[0]
    with tf.control_dependencies([first]):
        second = raw.IteratorGetNextSync(iterator=it, **I64)[0]
    return [[first, second, *delete]]


@program("AnonymousIterator")
def anonymous_iterators():
    yield from anonymous(raw.AnonymousIterator(**I64))
    yield from anonymous(raw.AnonymousIteratorV2(**I64).handle)
    yield from anonymous(raw.AnonymousIteratorV3(**I64))


@program("DeleteIterator")
def deleted_iterator():
    it = raw.AnonymousIteratorV2(**I64)
    with tf.control_dependencies([raw.MakeIterator(dataset=numbers(), iterator=it.handle)]):
        first = raw.IteratorGetNext(iterator=it.handle, **I64)[0]
    with tf.control_dependencies([first]):
        delete = raw.DeleteIterator(handle=it.handle, deleter=it.deleter)
    return [[first, delete]]


@program("Iterator")
def by_name():
    it = raw.Iterator(shared_name="by_name", container="", **I64)
    following = raw.IteratorGetNext(iterator=it, **I64)[0]
    return [following, raw.MakeIterator(dataset=numbers(), iterator=it), following, following]


@program("OneShotIterator")
def one_shot():
    @function.Defun()
    def make():
        return numbers(2)

    make.add_to_graph(tf.compat.v1.get_default_graph())
    it = raw.OneShotIterator(dataset_factory=make, **I64)
    return [raw.IteratorGetNext(iterator=it, **I64)[0]] * 4


@program("IteratorFromStringHandle")
def from_string_handle():
    it = raw.IteratorV2(shared_name="handled", container="", **I64)
    text = raw.IteratorToStringHandle(resource_handle=it)
    yield raw.MakeIterator(dataset=numbers(), iterator=it)
    for back in (raw.IteratorFromStringHandle, raw.IteratorFromStringHandleV2):
        yield raw.IteratorGetNext(iterator=back(string_handle=text, **I64), **I64)[0]
        other = dict(output_types=[tf.string], output_shapes=[[]])
        yield raw.IteratorGetNext(iterator=back(string_handle=text, **other), **other)[0]


@program("SerializeIterator")
def serialized():
    it = raw.IteratorV2(shared_name="saved", container="", **I64)
    following = raw.IteratorGetNext(iterator=it, **I64)[0]
    state = raw.SerializeIterator(resource_handle=it)
    restore = raw.DeserializeIterator(resource_handle=it, serialized=state)
    make = raw.MakeIterator(dataset=numbers(), iterator=it)
    return [restore, make, following, following, restore, following]


# ---- optionals ---------------------------------------------------------------------------------


@program("IteratorGetNextAsOptional")
def as_optional():
    it = raw.IteratorV2(shared_name="optional", container="", **I64)
    following = raw.IteratorGetNextAsOptional(iterator=it, **I64)
    has = raw.OptionalHasValue(optional=following)
    value = raw.OptionalGetValue(optional=following, **I64)[0]
    return [raw.MakeIterator(dataset=numbers(2), iterator=it), [has, value], value, has, value]


@program("OptionalFromValue")
def optionals():
    some = raw.OptionalFromValue(components=[int64(3), tf.constant("a")])
    types = dict(output_types=[tf.int64, tf.string], output_shapes=[[], []])
    nothing = raw.OptionalNone()
    return [[raw.OptionalHasValue(optional=some), raw.OptionalHasValue(optional=nothing)],
            list(raw.OptionalGetValue(optional=some, **types)),
            list(raw.OptionalGetValue(optional=nothing, **types)),
            raw.OptionalGetValue(optional=some, **I64)[0]]
