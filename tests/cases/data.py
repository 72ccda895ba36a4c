"""Datasets, iterators and optionals, as TensorFlow's own front end writes them: each program makes
a dataset, and its elements are drawn until it ends."""
import atexit
import os
import shutil
import tempfile

import numpy as np

from graphs import tf
from opcase import script

v1 = tf.compat.v1
Dataset = v1.data.Dataset
CASES = []


def elements(name, count, into=None, **options):
    """Makes a script that draws |count| elements of the dataset that a function gives, and the end."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                v1.disable_control_flow_v2()
                dataset = make()
                iterator = v1.data.make_initializable_iterator(dataset)
                fetches = [x.name for x in tf.nest.flatten(iterator.get_next())]
                size = dataset.cardinality().name
            g.proto.CopyFrom(graph.as_graph_def())
            g.run([size])
            for _ in range(2):  # an iterator starts anew
                g.run(targets=[iterator.initializer.name])
                for _ in range(count):
                    g.run(fetches)
            g.run(fetches)
        (CASES if into is None else into).append(script(name, **options)(build))
        return make
    return add


@elements("range", 4)
def range_():
    return Dataset.range(10, 2, -2)


@elements("tensors", 1)
def tensors():
    return Dataset.from_tensors((tf.constant([1.0, 2.0]), tf.constant("a")))


@elements("slices", 3)
def slices():
    return Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [["x", "y"], ["z", ""], ["u", "v"]]})


@elements("batch", 4)
def batch():
    return Dataset.range(10).batch(3)


@elements("batch_drop", 3)
def batch_drop():
    return Dataset.range(10).batch(3, drop_remainder=True)


@elements("padded_batch", 2)
def padded_batch():
    return Dataset.range(1, 5).map(lambda x: tf.fill([x, 2], x)).padded_batch(
        2, padded_shapes=[None, 3], padding_values=np.int64(-1))


@elements("repeat", 6)
def repeat():
    return Dataset.range(2).repeat(3)


@elements("repeat_empty", 0)
def repeat_empty():
    return Dataset.range(0).repeat()


@elements("take_skip_shard", 3)
def take_skip_shard():
    return Dataset.range(100).skip(3).take(9).shard(3, 1)


@elements("shuffle", 10)
def shuffle():
    return Dataset.range(10).shuffle(4, seed=7)


@elements("shuffle_all_again", 12)
def shuffle_all_again():
    return Dataset.range(6).shuffle(100, seed=3).repeat(2)


@elements("shuffle_same", 12)
def shuffle_same():
    return Dataset.range(6).shuffle(3, seed=3, reshuffle_each_iteration=False).repeat(2)


@elements("concatenate_zip", 3)
def concatenate_zip():
    a = Dataset.range(2).concatenate(Dataset.range(7, 9))
    return Dataset.zip((a, Dataset.range(3).map(lambda x: x * x)))


@elements("map_captures", 5)
def map_captures():
    bias = tf.constant(10, tf.int64)
    return Dataset.range(5).map(lambda x: (x + bias, tf.as_string(x)))


@elements("parallel_map", 8)
def parallel_map():
    return Dataset.range(8).map(lambda x: x * 3, num_parallel_calls=4)


@elements("filter", 4)
def filter_():
    return Dataset.range(10).filter(lambda x: x % 3 < 1)


@elements("flat_map", 6)
def flat_map():
    return Dataset.range(4).flat_map(lambda x: Dataset.range(x).map(lambda y: y + 10 * x))


@elements("interleave", 12)
def interleave():
    return Dataset.range(4).interleave(lambda x: Dataset.from_tensors(x).repeat(3), cycle_length=2,
                                       block_length=2)


@elements("prefetch_cache", 8)
def prefetch_cache():
    return Dataset.range(4).cache().repeat(2).prefetch(3)


@elements("window", 4)
def window():
    return Dataset.range(7).window(3, shift=2, stride=1).flat_map(lambda w: w.batch(3))


@elements("scan", 5)
def scan():
    return Dataset.range(5).scan(np.int64(0), lambda s, x: (s + x, s * x))


@elements("take_while", 3)
def take_while():
    return Dataset.range(9).take_while(lambda x: x < 3)


@elements("unbatch", 6)
def unbatch():
    return Dataset.range(6).batch(4).unbatch()


@elements("random", 6)
def random():
    return v1.data.experimental.RandomDataset(seed=5).take(6)


@elements("choose", 5)
def choose():
    which = Dataset.from_tensor_slices(np.array([0, 1, 1, 0, 1], np.int64))
    return Dataset.choose_from_datasets([Dataset.range(5), Dataset.range(10, 15)], which)


@elements("map_out_of_range", 0)
def map_out_of_range():
    return Dataset.range(3).map(lambda x: tf.debugging.check_numerics(
        tf.cast(x, tf.float32) / 0.0, "not a number"))


FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER, True)
LINES = os.path.join(FOLDER, "lines.txt")
with open(LINES, "wb") as file:
    file.write(b"one\r\ntwo\n\nlast")


@elements("text_lines", 8)
def text_lines():
    return v1.data.TextLineDataset([LINES, LINES])


@elements("fixed_length_records", 3)
def fixed_length_records():
    return v1.data.FixedLengthRecordDataset(LINES, 4, header_bytes=1, footer_bytes=1)


RECORDS = os.path.join(FOLDER, "records")
for kind in ("", "GZIP", "ZLIB"):
    with tf.io.TFRecordWriter(RECORDS + kind, kind) as writer:
        for n in (0, 1, 100):
            writer.write(b"x" * n)


@elements("records", 3)
def records():
    return v1.data.TFRecordDataset(RECORDS)


@elements("records_packed", 6)
def records_packed():
    return v1.data.TFRecordDataset(RECORDS + "GZIP", "GZIP").concatenate(
        v1.data.TFRecordDataset(RECORDS + "ZLIB", "ZLIB"))


@elements("missing_file", 0)
def missing_file():
    return v1.data.TextLineDataset("/nowhere/at/all")


@script("reduce")
def reduce(g):
    graph = tf.Graph()
    with graph.as_default():
        total = Dataset.range(10).reduce(np.int64(1), lambda s, x: s + x * x)
    g.proto.CopyFrom(graph.as_graph_def())
    g.run([total.name])
CASES.append(reduce)


@script("iterator_not_initialized")
def iterator_not_initialized(g):
    it = g.op("IteratorV2", shared_name="", container="", output_types=["i64"], output_shapes=[[]])
    g.run([g.op("IteratorGetNext", it, output_types=["i64"], output_shapes=[[]])])
CASES.append(iterator_not_initialized)
