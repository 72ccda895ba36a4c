"""Datasets that group, regroup, sample and read, and ops over whole datasets: most have no front
end of their own any more and are written with raw ops."""
import os

import numpy as np

from cases.data import Dataset, LINES, elements as front_end
from graphs import tf
from opcase import script

v1 = tf.compat.v1
raw = tf.raw_ops
CASES = []


class Raw:
    """A dataset by the op that makes it: cardinality and iterator as the front end has them."""
    def __init__(self, variant, types, shapes):
        self.variant, self.types, self.shapes = variant, types, shapes

    def cardinality(self):
        return raw.ExperimentalDatasetCardinality(input_dataset=self.variant)


def elements(name, count, ends=True, **options):
    """As in cases/data.py, for functions that give a Raw."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                v1.disable_control_flow_v2()
                dataset = make()
                types, shapes = dataset.types, [tf.TensorShape(s) for s in dataset.shapes]
                it = raw.IteratorV2(shared_name="", container="", output_types=types,
                                    output_shapes=shapes)
                initializer = raw.MakeIterator(dataset=dataset.variant, iterator=it)
                fetches = [x.name for x in raw.IteratorGetNext(iterator=it, output_types=types,
                                                               output_shapes=shapes)]
                size = dataset.cardinality().name
            g.proto.CopyFrom(graph.as_graph_def())
            g.run([size])
            for _ in range(2):
                g.run(targets=[initializer.name])
                for _ in range(count):
                    g.run(fetches)
            if ends:
                g.run(fetches)
        CASES.append(script("raw_" + name, **options)(build))
        return make
    return add


def front(name, count, **options):
    def add(make):
        return front_end(name, count, into=CASES, **options)(make)
    return add


def numbers(n=8):
    """A dataset of int64 scalars as a variant, and what its elements are."""
    return Dataset.range(n)._variant_tensor


I64 = dict(output_types=[tf.int64], output_shapes=[tf.TensorShape([])])


def function(fn, *signature):
    """|fn| as the attr of a raw op: its concrete function is added to the graph at hand."""
    concrete = tf.function(fn).get_concrete_function(*[tf.TensorSpec(*s) for s in signature])
    concrete.add_to_graph(tf.compat.v1.get_default_graph())
    return concrete


SCALAR = ([], tf.int64)


@front("group_by_window", 6)
def group_by_window():
    return Dataset.range(11).group_by_window(
        lambda x: x % 3, lambda k, w: w.batch(2).map(lambda b: (k, b)), window_size=2)


@front("group_by_window_size_func", 5)
def group_by_window_size():
    return Dataset.range(10).group_by_window(
        lambda x: -(x % 2), lambda k, w: w.batch(10), window_size_func=lambda k: k + 3)


@front("group_by_window_bad_size", 1)
def group_by_window_bad():
    return Dataset.range(4).group_by_window(
        lambda x: x, lambda k, w: w.batch(2), window_size_func=lambda k: k * 0)


@elements("experimental_group_by_window", 5)
def experimental_group_by_window():
    key = function(lambda x: x % 3, SCALAR)
    reduce = function(lambda k, w: tf.identity(w), SCALAR, ([], tf.variant))
    size = function(lambda k: k * 0 + 2, SCALAR)
    return Raw(raw.ExperimentalGroupByWindowDataset(
        input_dataset=numbers(5), key_func_other_arguments=[], reduce_func_other_arguments=[],
        window_size_func_other_arguments=[], key_func=key, reduce_func=reduce,
        window_size_func=size, **I64), [tf.int64], [[]])


def reducer(op):
    key = function(lambda x: x % 3, SCALAR)
    init = function(lambda k: (k * 10, tf.constant(0.0)), SCALAR)
    reduce = function(lambda s, c, x: (s + x, c + 1.0), SCALAR, ([], tf.float32), SCALAR)
    final = function(lambda s, c: tf.cast(s, tf.float32) / c, SCALAR, ([], tf.float32))
    return Raw(op(input_dataset=numbers(7), key_func_other_arguments=[],
                  init_func_other_arguments=[], reduce_func_other_arguments=[],
                  finalize_func_other_arguments=[], key_func=key, init_func=init,
                  reduce_func=reduce, finalize_func=final, output_types=[tf.float32],
                  output_shapes=[tf.TensorShape([])]), [tf.float32], [[]])


@elements("group_by_reducer", 3)
def group_by_reducer():
    return reducer(raw.GroupByReducerDataset)


@elements("experimental_group_by_reducer", 3)
def experimental_group_by_reducer():
    return reducer(raw.ExperimentalGroupByReducerDataset)


@front("rebatch", 5)
def rebatch():
    return Dataset.range(10).batch(4).rebatch([1, 3, 2])


@front("rebatch_drop", 3)
def rebatch_drop():
    return Dataset.range(10).batch(4).map(lambda x: (x, tf.as_string(x))).rebatch(
        3, drop_remainder=True)


@elements("rebatch_replicas", 6)
def rebatch_replicas():
    return Raw(raw.RebatchDataset(input_dataset=Dataset.range(9).batch(5)._variant_tensor,
                                  num_replicas=3, output_types=[tf.int64],
                                  output_shapes=[tf.TensorShape([None])]), [tf.int64], [[None]])


@elements("experimental_rebatch", 4)
def experimental_rebatch():
    return Raw(raw.ExperimentalRebatchDataset(
        input_dataset=Dataset.range(8).batch(4)._variant_tensor, num_replicas=2,
        output_types=[tf.int64], output_shapes=[tf.TensorShape([None])]), [tf.int64], [[None]])


@front("ignore_errors", 3)
def ignore_errors():
    return Dataset.range(6).map(lambda x: tf.debugging.check_numerics(
        tf.cast(6 // (x % 2 + 1), tf.float32) / tf.cast(x % 2, tf.float32), "no")).ignore_errors()


@elements("experimental_ignore_errors", 2)
def experimental_ignore_errors():
    data = Dataset.range(4).map(lambda x: tf.debugging.check_numerics(
        1.0 / tf.cast(x % 2, tf.float32), "no"))
    return Raw(raw.ExperimentalIgnoreErrorsDataset(
        input_dataset=data._variant_tensor, output_types=[tf.float32],
        output_shapes=[tf.TensorShape([])]), [tf.float32], [[]])


@front("sparse_tensor_slices", 4)
def sparse_slices():
    return v1.data.Dataset.from_sparse_tensor_slices(tf.SparseTensor(
        np.array([[0, 1], [0, 2], [2, 0]], np.int64), ["a", "b", "c"], np.array([4, 5], np.int64)))


def dense_to_sparse(op):
    data = Dataset.range(5).map(lambda x: tf.fill([x], x))
    sparse = op(input_dataset=data._variant_tensor, batch_size=3, row_shape=[6],
                output_types=[tf.variant], output_shapes=[tf.TensorShape([3])])
    opened = function(lambda s: tuple(raw.DeserializeSparse(serialized_sparse=s, dtype=tf.int64)),
                      ([3], tf.variant))
    shapes = [[None, 2], [None], [2]]
    return Raw(raw.MapDataset(input_dataset=sparse, other_arguments=[], f=opened,
                              output_types=[tf.int64] * 3,
                              output_shapes=[tf.TensorShape(s) for s in shapes]),
               [tf.int64] * 3, shapes)


@elements("dense_to_sparse_batch", 2)
def dense_to_sparse_batch():
    return dense_to_sparse(raw.DenseToSparseBatchDataset)


@elements("experimental_dense_to_sparse_batch", 2)
def experimental_dense_to_sparse_batch():
    return dense_to_sparse(raw.ExperimentalDenseToSparseBatchDataset)


@front("unique", 3)
def unique():
    return Dataset.from_tensor_slices(["a", "bc", "a", "", "bc"]).unique()


@elements("experimental_unique", 2)
def experimental_unique():
    return Raw(raw.ExperimentalUniqueDataset(
        input_dataset=Dataset.range(6).map(lambda x: x % 2)._variant_tensor, **I64),
        [tf.int64], [[]])


def map_and_batch(op, **attrs):
    f = function(lambda x: x * x, SCALAR)
    return Raw(op(input_dataset=numbers(7), other_arguments=[], batch_size=3, num_parallel_calls=2,
                  f=f, output_types=[tf.int64], output_shapes=[tf.TensorShape([None])], **attrs),
               [tf.int64], [[None]])


@elements("map_and_batch", 3)
def map_batch():
    return map_and_batch(raw.MapAndBatchDataset, drop_remainder=False, preserve_cardinality=True)


@elements("experimental_map_and_batch", 2)
def experimental_map_batch():
    return map_and_batch(raw.ExperimentalMapAndBatchDataset, drop_remainder=True)


@elements("list", 3)
def list_():
    return Raw(raw.ListDataset(tensors=[1, "a", 2, "b", 3, "c"], output_types=[tf.int32, tf.string],
                               output_shapes=[tf.TensorShape([])] * 2), [tf.int32, tf.string],
               [[], []])


@elements("sampling", 4, ends=False)
def sampling():
    return Raw(raw.SamplingDataset(input_dataset=numbers(40), rate=0.5, seed=3, seed2=7, **I64),
               [tf.int64], [[]])


@elements("sleep", 3)
def sleep():
    return Raw(raw.ExperimentalSleepDataset(
        input_dataset=raw.SleepDataset(input_dataset=numbers(3), sleep_microseconds=10, **I64),
        sleep_microseconds=10, **I64), [tf.int64], [[]])


@elements("passes", 4)
def passes():
    data = raw.ExperimentalNonSerializableDataset(input_dataset=numbers(4), **I64)
    data = raw.ExperimentalMaxIntraOpParallelismDataset(input_dataset=data,
                                                        max_intra_op_parallelism=1, **I64)
    data = raw.ExperimentalPrivateThreadPoolDataset(input_dataset=data, num_threads=1, **I64)
    return Raw(data, [tf.int64], [[]])


@elements("stats", 4)
def stats():
    data = raw.ExperimentalBytesProducedStatsDataset(input_dataset=numbers(4), tag="b", **I64)
    return Raw(raw.ExperimentalLatencyStatsDataset(input_dataset=data, tag="c", **I64), [tf.int64],
               [[]])


@elements("choose_fastest", 4)
def choose_fastest():
    data = [numbers(4), numbers(4)]
    one = raw.ChooseFastestDataset(input_datasets=data, num_experiments=1, **I64)
    return Raw(raw.ExperimentalChooseFastestDataset(input_datasets=[one, numbers(4)],
                                                    num_experiments=1, **I64), [tf.int64], [[]])


@elements("experimental_scan", 5)
def experimental_scan():
    f = function(lambda s, x: (s + x, s * x), SCALAR, SCALAR)
    return Raw(raw.ExperimentalScanDataset(input_dataset=numbers(5), other_arguments=[],
                                           initial_state=[tf.constant(1, tf.int64)], f=f, **I64),
               [tf.int64], [[]])


@elements("experimental_filters", 3)
def experimental_filters():
    small = function(lambda x: x < 3, SCALAR)
    return Raw(raw.ExperimentalTakeWhileDataset(input_dataset=numbers(9), other_arguments=[],
                                                predicate=small, **I64), [tf.int64], [[]])


@elements("experimental_unbatch", 6)
def experimental_unbatch():
    return Raw(raw.ExperimentalUnbatchDataset(
        input_dataset=Dataset.range(6).batch(4)._variant_tensor, **I64), [tf.int64], [[]])


@elements("experimental_directed_interleave", 5)
def experimental_directed():
    which = Dataset.from_tensor_slices(np.array([0, 1, 1, 0, 1], np.int64))._variant_tensor
    return Raw(raw.ExperimentalDirectedInterleaveDataset(
        selector_input_dataset=which, data_input_datasets=[numbers(5), numbers(7)], **I64),
        [tf.int64], [[]])


def interleaved(op, **attrs):
    f = function(lambda x: raw.RangeDataset(start=x * 10, stop=x * 10 + 2, step=1, **I64), SCALAR)
    return Raw(op(input_dataset=numbers(3), other_arguments=[], cycle_length=2, block_length=1,
                  buffer_output_elements=2, prefetch_input_elements=0, f=f, **I64, **attrs),
               [tf.int64], [[]])


@elements("experimental_parallel_interleave", 6)
def experimental_interleave():
    return interleaved(raw.ExperimentalParallelInterleaveDataset, sloppy=False)


@elements("legacy_parallel_interleave", 6)
def legacy_interleave():
    return interleaved(raw.LegacyParallelInterleaveDatasetV2, deterministic="true")


@elements("wrapped", 3)
def wrapped():
    return Raw(raw.UnwrapDatasetVariant(input_handle=raw.WrapDatasetVariant(
        input_handle=numbers(3))), [tf.int64], [[]])


def program(name, **options):
    """A script whose steps are the fetches that a function gives, one after another."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                steps = make()
            g.proto.CopyFrom(graph.as_graph_def())
            for step in steps:
                if isinstance(step, tf.Operation):
                    g.run(targets=[step.name])
                else:
                    g.run([x.name for x in tf.nest.flatten(step)])
        CASES.append(script("use_" + name, **options)(build))
        return make
    return add


@program("compress")
def compress():
    held = raw.CompressElement(components=[tf.range(3), tf.constant(["a", "bc"])])
    return [raw.UncompressElement(compressed=held, output_types=[tf.int32, tf.string],
                                  output_shapes=[tf.TensorShape([3]), tf.TensorShape([2])])]


@program("map_defun")
def map_defun():
    f = function(lambda x, y, c: (x + c, tf.reduce_sum(y)), SCALAR, ([2], tf.float32), SCALAR)
    return [raw.MapDefun(arguments=[tf.range(3, dtype=tf.int64), tf.ones([3, 2])],
                         captured_inputs=[tf.constant(5, tf.int64)], f=f,
                         output_types=[tf.int64, tf.float32],
                         output_shapes=[tf.TensorShape([]), tf.TensorShape([])])]


@program("table_from_dataset")
def table_from_dataset():
    table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name="from_data")
    data = Dataset.range(3).map(lambda x: (tf.as_string(x), x * x))
    fill = raw.InitializeTableFromDataset(table_handle=table, dataset=data._variant_tensor)
    found = raw.LookupTableFindV2(table_handle=table, keys=["1", "2", "7"],
                                  default_value=tf.constant(-1, tf.int64))
    return [fill, found]


def written(op, name):
    data = Dataset.from_tensor_slices(["one", "", "three"])
    path = os.path.join(".", name)
    write = op(input_dataset=data._variant_tensor, filename=path, compression_type="GZIP")
    return [write, raw.ReadFile(filename=path + ".none")]


@program("dataset_to_records")
def dataset_to_records():
    return written(raw.DatasetToTFRecord, "a.records")


@program("experimental_dataset_to_records")
def experimental_dataset_to_records():
    return written(raw.ExperimentalDatasetToTFRecord, "b.records")


@program("multi_device_iterator")
def multi_device():
    attrs = dict(output_types=[tf.int64], output_shapes=[tf.TensorShape([])])
    it = raw.MultiDeviceIterator(devices=["/cpu:0", "/cpu:0"], shared_name="m", container="",
                                 **attrs)
    init = raw.MultiDeviceIteratorInit(dataset=numbers(5), multi_device_iterator=it,
                                       max_buffer_size=1)
    again = raw.MultiDeviceIteratorFromStringHandle(
        string_handle=raw.MultiDeviceIteratorToStringHandle(multi_device_iterator=it), **attrs)
    one = tf.constant(1, tf.int64)
    first = raw.MultiDeviceIteratorGetNextFromShard(multi_device_iterator=it, shard_num=0,
                                                    incarnation_id=one, **attrs)
    second = raw.MultiDeviceIteratorGetNextFromShard(multi_device_iterator=again, shard_num=1,
                                                     incarnation_id=one, **attrs)
    late = raw.MultiDeviceIteratorGetNextFromShard(multi_device_iterator=it, shard_num=0,
                                                   incarnation_id=one * 7, **attrs)
    return [init, first, first, second, late, first, second, first, second]


def drawn(name, alone, values):
    """A script for a dataset that TensorFlow cannot iterate over: it says what is drawn."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                dataset = make()
                it = raw.IteratorV2(shared_name="", container="", **I64)
                initializer = raw.MakeIterator(dataset=dataset.variant, iterator=it)
                fetches = [x.name for x in raw.IteratorGetNext(iterator=it, **I64)]
            g.proto.CopyFrom(graph.as_graph_def())
            g.run(targets=[initializer.name], expect=[])
            for value in values:
                g.run(fetches, expect=[np.int64(value)])
        CASES.append(script("raw_" + name, alone=alone)(build))
        return make
    return add


REWRITES = "it writes the graph of the dataset anew, with other inputs than the op has"


@drawn("parallel_filter", REWRITES, [1, 3])
def parallel_filter():
    odd = function(lambda x: x % 2 > 0, SCALAR)
    return Raw(raw.ParallelFilterDataset(input_dataset=numbers(5), other_arguments=[],
                                         num_parallel_calls=2, predicate=odd,
                                         deterministic="true", **I64), [tf.int64], [[]])


@drawn("experimental_random", REWRITES, [408065954, 1822492827])
def experimental_random():
    return Raw(raw.ExperimentalRandomDataset(seed=4, seed2=5, **I64), [tf.int64], [[]])


@elements("sliding_window", 3)
def sliding_window():
    return Raw(raw.SlidingWindowDataset(
        input_dataset=numbers(9), window_size=3, window_shift=2, window_stride=2,
        output_types=[tf.int64], output_shapes=[tf.TensorShape([None])]), [tf.int64], [[None]])


@elements("experimental_sliding_window", 2)
def experimental_sliding_window():
    return Raw(raw.ExperimentalSlidingWindowDataset(
        input_dataset=numbers(7), window_size=2, window_shift=4, window_stride=1,
        output_types=[tf.int64], output_shapes=[tf.TensorShape([None])]), [tf.int64], [[None]])


def matching(op):
    return Raw(op(patterns=[os.path.join(os.path.dirname(LINES), "lin*")]), [tf.string], [[]])


@elements("matching_files", 1)
def matching_files():
    return matching(raw.MatchingFilesDataset)


@elements("experimental_matching_files", 1)
def experimental_matching_files():
    return matching(raw.ExperimentalMatchingFilesDataset)


TABLE = os.path.join(os.path.dirname(LINES), "table", "t.csv")
os.makedirs(os.path.dirname(TABLE), exist_ok=True)
with open(TABLE, "w") as out:
    out.write('a,b,c\n1,2.5,"x, ""y"""\n,NA,"two\nlines"\n7,x,z\n3,4\n5,6,"q"\n')


def table(op, **inputs):
    return Raw(op(filenames=[TABLE], compression_type="", buffer_size=4096, header=True,
                  field_delim=",", use_quote_delim=True, na_value="NA", **inputs),
               [x.dtype for x in inputs["record_defaults"]],
               [[]] * len(inputs["record_defaults"]))


def three():
    shapes = [tf.TensorShape([])] * 3
    return dict(record_defaults=[tf.constant([9], tf.int64), tf.constant([0.5]),
                                 tf.constant([], tf.string)], output_shapes=shapes)


@elements("csv", 5)
def csv():
    return table(raw.CSVDataset, select_cols=tf.constant([], tf.int64), **three())


@elements("experimental_csv", 5)
def experimental_csv():
    return table(raw.ExperimentalCSVDataset, select_cols=tf.constant([0, 2], tf.int64),
                 record_defaults=[tf.constant([9], tf.int32), tf.constant([""])],
                 output_shapes=[tf.TensorShape([])] * 2)


@elements("csv_v2", 5)
def csv_v2():
    return table(raw.CSVDatasetV2, select_cols=tf.constant([], tf.int64),
                 exclude_cols=tf.constant([1], tf.int64),
                 record_defaults=[tf.constant([9], tf.int64), tf.constant([""])],
                 output_shapes=[tf.TensorShape([])] * 2)


@elements("auto_shard_off", 5)
def auto_shard_off():
    data = raw.AutoShardDataset(input_dataset=numbers(5), num_workers=2, index=1,
                                auto_shard_policy=-1, **I64)
    return Raw(raw.ExperimentalAutoShardDataset(input_dataset=data, num_workers=2, index=1,
                                                auto_shard_policy=-1, **I64), [tf.int64], [[]])


@elements("auto_shard_data", 2)
def auto_shard_data():
    return Raw(raw.AutoShardDataset(input_dataset=numbers(5), num_workers=2, index=1,
                                    auto_shard_policy=2, **I64), [tf.int64], [[]])


@elements("thread_pool", 3)
def thread_pool():
    data = raw.ThreadPoolDataset(input_dataset=numbers(3), thread_pool=raw.ThreadPoolHandle(
        num_threads=1, display_name="a"), **I64)
    return Raw(raw.ExperimentalThreadPoolDataset(
        input_dataset=data, thread_pool=raw.ExperimentalThreadPoolHandle(
            num_threads=1, display_name="b"), **I64), [tf.int64], [[]])


@elements("stats_aggregator", 3)
def stats_aggregator():
    data = raw.SetStatsAggregatorDataset(
        input_dataset=numbers(3), stats_aggregator=raw.StatsAggregatorHandle(), tag="t",
        counter_prefix="c", **I64)
    return Raw(raw.ExperimentalSetStatsAggregatorDataset(
        input_dataset=data, stats_aggregator=raw.ExperimentalStatsAggregatorHandle(), tag="t",
        counter_prefix="c", **I64), [tf.int64], [[]])


@program("stats_summaries")
def stats_summaries():
    a = raw.StatsAggregatorSummary(iterator=raw.StatsAggregatorHandle())
    b = raw.ExperimentalStatsAggregatorSummary(iterator=raw.ExperimentalStatsAggregatorHandle())
    writer = raw.SummaryWriter()
    file = raw.CreateSummaryFileWriter(writer=writer, logdir=".", max_queue=1, flush_millis=1000,
                                       filename_suffix="")
    with tf.control_dependencies([file]):
        c = raw.StatsAggregatorSetSummaryWriter(stats_aggregator=raw.StatsAggregatorHandleV2(),
                                                summary=writer)
    return [a, b, c]


@program("batch_size")
def compute_batch_size():
    return [raw.ComputeBatchSize(input_dataset=d._variant_tensor) for d in (
        Dataset.range(9).batch(3, drop_remainder=True), Dataset.range(3))]


@program("iterator_device")
def iterator_device():
    it = raw.IteratorV2(shared_name="", container="", **I64)
    made = raw.MakeIterator(dataset=numbers(3), iterator=it)
    with tf.control_dependencies([made]):
        return [raw.IteratorGetDevice(resource=it),
                raw.ExperimentalIteratorGetDevice(resource=it)]


@program("anonymous_multi_device_iterator")
def anonymous_multi_device():
    it, deleter = raw.AnonymousMultiDeviceIterator(devices=["/cpu:0"], **I64)
    init = raw.MultiDeviceIteratorInit(dataset=numbers(5), multi_device_iterator=it,
                                       max_buffer_size=1)
    other = raw.AnonymousMultiDeviceIteratorV3(devices=["/cpu:0"], **I64)
    begun = raw.MultiDeviceIteratorInit(dataset=numbers(5), multi_device_iterator=other,
                                        max_buffer_size=1)
    first = raw.MultiDeviceIteratorGetNextFromShard(
        multi_device_iterator=it, shard_num=0, incarnation_id=init, **I64)
    with tf.control_dependencies(first):
        gone = raw.DeleteMultiDeviceIterator(multi_device_iterator=it, iterators=[],
                                             deleter=deleter)
    with tf.control_dependencies([gone]):
        return [(tf.identity(first[0]), begun)]


@script("fingerprints", alone="the numbers are each library's own; whether two are equal is not")
def fingerprint(g):
    graph = tf.Graph()
    with graph.as_default():
        def of(data):
            return raw.DatasetFingerprint(input_dataset=data._variant_tensor)
        def mapped(k):
            return Dataset.range(10).map(lambda x: x + k).batch(2)
        same = tf.equal(of(mapped(1)), of(mapped(1)))
        same = tf.logical_and(same, tf.equal(of(v1.data.TFRecordDataset(["a", "b"])),
                                             of(v1.data.TFRecordDataset(["a", "b"]))))
        others = [tf.equal(of(mapped(1)), of(d)) for d in (
            mapped(2), Dataset.range(10).map(lambda x: x * 1).batch(2), mapped(1).take(3),
            Dataset.range(11).map(lambda x: x + 1).batch(2))]
    g.proto.CopyFrom(graph.as_graph_def())
    g.run([same.name], expect=[np.bool_(True)])
    g.run([x.name for x in others], expect=[np.bool_(False)] * 4)
CASES.append(fingerprint)


KERNEL = "it has no kernel for this op"


@drawn("experimental_map", KERNEL, [1, 2, 3, 4])
def experimental_map():
    f = function(lambda x: x + 1, SCALAR)
    return Raw(raw.ExperimentalMapDataset(input_dataset=numbers(4), other_arguments=[], f=f, **I64),
               [tf.int64], [[]])


@drawn("filter_by_last_component", KERNEL, [1, 3])
def filter_by_last():
    data = Dataset.range(4).map(lambda x: (x, x % 2 > 0))
    return Raw(raw.FilterByLastComponentDataset(input_dataset=data._variant_tensor, **I64),
               [tf.int64], [[]])


# ---- examples ----------------------------------------------------------------------------------

def example(**features):
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def floats(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def ints(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def texts(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


EXAMPLES = [example(z=floats(1, 2), a=ints(1), m=ints(4, 5, 6), t=texts(b"x", b"yz")),
            example(z=floats(3, 4), m=ints(7)), example(a=ints(2, 3), t=texts(b"w"))]
FEATURES = {"z": tf.io.FixedLenFeature([2], tf.float32, default_value=[-1.0, -2.0]), "a": tf.io.VarLenFeature(tf.int64),
            "m": tf.io.RaggedFeature(tf.int64), "t": tf.io.FixedLenSequenceFeature([], tf.string, allow_missing=True)}


@front("parse_example", 2)
def parse_example():
    parsed = Dataset.from_tensor_slices(EXAMPLES).batch(2).apply(tf.data.experimental.parse_example_dataset(FEATURES))
    return parsed.map(lambda x: (x["z"], tf.sparse.to_dense(x["a"]), x["m"].to_tensor(), x["m"].row_splits, x["t"]))


@elements("parse_missing", 0, ends=True)
def parse_missing():
    return Raw(raw.ParseExampleDataset(
        input_dataset=Dataset.from_tensors(EXAMPLES)._variant_tensor, num_parallel_calls=tf.constant(1, tf.int64),
        dense_defaults=[tf.constant([], tf.float32)], sparse_keys=[], sparse_types=[], dense_keys=["z"],
        dense_shapes=[[2]], output_types=[tf.float32], output_shapes=[tf.TensorShape(None)]), [tf.float32], [None])


def dense_examples(op):
    return Raw(op(input_dataset=Dataset.from_tensor_slices(EXAMPLES[:2]).batch(2)._variant_tensor,
                  num_parallel_calls=tf.constant(2, tf.int64),
                  dense_defaults=[tf.constant([], tf.float32), tf.constant(-5, tf.int64)], sparse_keys=[],
                  sparse_types=[], dense_keys=["z", "k"], dense_shapes=[[2], []], output_types=[tf.int64, tf.float32],
                  output_shapes=[tf.TensorShape([None]), tf.TensorShape([None, 2])]),
               [tf.int64, tf.float32], [[None], [None, 2]])


for op in (raw.ParseExampleDataset, raw.ParseExampleDatasetV2, raw.ExperimentalParseExampleDataset):
    elements("dense_" + op.__name__, 1)(lambda op=op: dense_examples(op))


# ---- datasets in files -------------------------------------------------------------------------

@front("snapshot", 7)
def snapshot():
    return Dataset.range(7).map(lambda x: x * x).snapshot(
        "snapshot", compression=None, shard_func=lambda x: tf.constant(0, tf.int64),
        reader_func=lambda shards: shards.flat_map(lambda x: x))


@elements("snapshot_v1", 5)
def snapshot_v1():
    return Raw(raw.SnapshotDataset(input_dataset=numbers(5), path=tf.constant("snapshot_v1"), **I64), *I64.values())


@elements("choose_branch", 4)
def choose_branch():
    def branch(more):
        @tf.function(input_signature=[tf.TensorSpec([], tf.variant), tf.TensorSpec([], tf.int64)])
        def make(dataset, factor):
            batched = raw.BatchDatasetV2(input_dataset=dataset, batch_size=tf.constant(2, tf.int64),
                                         drop_remainder=tf.constant(False), output_types=[tf.int64],
                                         output_shapes=[[None]])
            return batched
        concrete = make.get_concrete_function()
        concrete.add_to_graph(tf.compat.v1.get_default_graph())
        return concrete
    one, two = branch(0), branch(1)
    return Raw(raw.ChooseFastestBranchDataset(
        input_dataset=numbers(8), ratio_numerator=tf.constant(2, tf.int64), ratio_denominator=tf.constant(1, tf.int64),
        other_arguments=[tf.constant(3, tf.int64), tf.constant(4, tf.int64)], num_elements_per_branch=2,
        branches=[one, two], other_arguments_lengths=[1, 1], output_types=[tf.int64],
        output_shapes=[tf.TensorShape([None])]), [tf.int64], [[None]])


@elements("window_op", 2)
def window_op():
    return Raw(raw.WindowOp(inputs=[tf.constant(1, tf.int64), tf.constant([2.0]), tf.constant(3, tf.int64),
                                    tf.constant([4.0])], output_types=[tf.int64, tf.float32],
                            output_shapes=[[], [1]]), [tf.int64, tf.float32], [[], [1]])


@elements("index_flat_map", 6)
def index_flat_map():
    rows = function(lambda x: tf.stack([x * 10, x * 10 + 1]), SCALAR)
    places = function(lambda i: (i // 2, i % 2), SCALAR)
    return Raw(raw.IndexFlatMapDataset(input_dataset=numbers(3), map_func_other_args=[], index_map_func_other_args=[],
                                       output_cardinality=tf.constant(6, tf.int64), map_func=rows,
                                       index_map_func=places, **I64), *I64.values())
