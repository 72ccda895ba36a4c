"""Flags, logging, files, summaries, records, MNIST."""
import glob
import gzip
import io
import logging
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import tensorflow as tf
import weir
from tensorflow.examples.tutorials.mnist import input_data

try:
    from tensorboard.backend.event_processing import event_file_loader
except Exception:  # not installed, or it needs what is not
    event_file_loader = None


class Folder(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.dir = held.name

    def at(self, *parts):
        return os.path.join(self.dir, *parts)


class Flags(unittest.TestCase):
    def setUp(self):
        self.flags = tf.flags.FlagValues()
        for define, name, default in ((tf.flags.DEFINE_string, 's', 'd'), (tf.flags.DEFINE_integer, 'i', 3),
                                      (tf.flags.DEFINE_float, 'f', 1), (tf.app.flags.DEFINE_boolean, 'b', True),
                                      (tf.flags.DEFINE_list, 'l', ['a']), (tf.flags.DEFINE_multi_integer, 'm', None)):
            define(name, default, 'help', flag_values=self.flags)
        tf.flags.DEFINE_enum('e', 'x', ['x', 'y'], 'help', flag_values=self.flags)

    def test_forms(self):
        left = self.flags(['p', '--s=1', '--unk', '7', '--i', '4', 'rest', '--nob', '-f=2.5'], known_only=True)
        self.assertEqual(left, ['p', '--unk', '7', 'rest'])
        self.assertEqual((self.flags.s, self.flags.i, self.flags.b, self.flags.f), ('1', 4, False, 2.5))
        self.assertEqual(self.flags(['p', '--l=a, b,', '--', '--i=9'], known_only=True), ['p', '--', '--i=9'])
        self.assertEqual((self.flags.l, self.flags.i), (['a', 'b', ''], 4))
        self.flags(['p', '--b', '--m=1', '--m', '2', '--e=y'])
        self.assertEqual((self.flags.b, self.flags.m, self.flags.e), (True, [1, 2], 'y'))
        self.flags.i = 11
        self.assertEqual(self.flags.flag_values_dict()['i'], 11)
        self.assertEqual(self.flags['i'].default, 3)

    def test_errors(self):
        for arg in ('--i=x', '--e=q', '--b=yes'):
            with self.assertRaises(tf.flags.IllegalFlagValueError):
                self.flags(['p', arg])
        with self.assertRaises(tf.flags.UnrecognizedFlagError):
            self.flags(['p', '--unk'])
        with self.assertRaises(tf.flags.Error):
            self.flags(['p', '--i'])
        with self.assertRaises(AttributeError):
            self.flags.none
        with self.assertRaises(AttributeError):
            self.flags.none = 1
        with self.assertRaises(tf.flags.DuplicateFlagError):
            tf.flags.DEFINE_string('s', 'other', 'help', flag_values=self.flags)
        tf.flags.mark_flag_as_required('m', flag_values=self.flags)
        with self.assertRaises(tf.flags.IllegalFlagValueError):
            self.flags(['p'])
        self.flags(['p', '--m=1'])

    def run_program(self, text, *args):
        with tempfile.NamedTemporaryFile('w', suffix='.py') as file:
            file.write('import tensorflow as tf\nF = tf.app.flags.FLAGS\n' + text)
            file.flush()
            done = subprocess.run([sys.executable, '-m', 'weir', file.name, *args], capture_output=True, text=True,
                                  env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(weir.__file__))), check=False)
        return done.returncode, done.stdout.strip(), done.stderr

    def test_run(self):
        text = "tf.app.flags.DEFINE_integer('n', 1, 'h')\ndef main(argv):\n  print(F.n, argv[1:])\n  return 3\ntf.app.run()\n"
        self.assertEqual(self.run_program(text, '--n', '5', '--x=1')[:2], (3, "5 ['--x=1']"))
        code, _, errors = self.run_program(text, '--n=q')
        self.assertEqual(code, 1)
        self.assertIn('flag --n=q', errors)

    def test_first_use_parses(self):
        text = "tf.flags.DEFINE_string('a', 'x', 'h')\nprint(F.a)\nF.a = 'set'\n" \
            "tf.flags.DEFINE_string('b', 'x', 'h')\nprint(F.b, F.a)\n"
        self.assertEqual(self.run_program(text, '--a=1', '--b=2')[1].split(), ['1', '2', 'set'])


class Command(unittest.TestCase):
    def test_text(self):
        done = subprocess.run([sys.executable, '-m', 'weir', '-c', 'import sys, tensorflow as tf; print(tf.int32.name, sys.argv)', 'x'],
                              capture_output=True, text=True, check=False,
                              env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(weir.__file__))))
        self.assertEqual(done.stdout.strip(), "int32 ['-c', 'x']")


class Logging(unittest.TestCase):
    def test_levels(self):
        logger, out = logging.getLogger('tensorflow'), io.StringIO()
        handler = logging.StreamHandler(out)
        handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
        old = tf.logging.get_verbosity()
        logger.addHandler(handler)
        self.addCleanup(lambda: (logger.removeHandler(handler), tf.logging.set_verbosity(old)))
        tf.logging.set_verbosity(tf.logging.WARN)
        tf.logging.info('no')
        tf.logging.warn('w %d', 1)
        tf.logging.set_verbosity(tf.logging.INFO)
        for i in range(4):
            tf.logging.log_first_n(tf.logging.INFO, 'first %d', 1, i)
            tf.logging.log_every_n(tf.logging.INFO, 'every %d', 2, i)
        tf.logging.debug('no')
        tf.logging.fatal('f')
        tf.logging.TaskLevelStatusMessage('t')
        self.assertEqual(out.getvalue().split('\n')[:-1], [
            'WARNING:tensorflow:w 1', 'INFO:tensorflow:first 0', 'INFO:tensorflow:every 0', 'INFO:tensorflow:every 2',
            'CRITICAL:tensorflow:f', 'ERROR:tensorflow:t'])


class Files(Folder):
    def test_read_and_write(self):
        with tf.gfile.GFile(self.at('f'), 'w') as file:
            file.write('a\u00e9\nb')
        with tf.gfile.Open(self.at('f')) as file:
            self.assertEqual(file.read(2), 'a\u00e9')
            self.assertEqual(list(file), ['\n', 'b'])
            file.seek(0)
            self.assertEqual(file.readlines(), ['a\u00e9\n', 'b'])
        self.assertEqual(tf.gfile.FastGFile(self.at('f'), 'rb').read(), 'a\u00e9\nb'.encode())
        self.assertEqual(tf.gfile.GFile(self.at('f')).size(), 5)
        with self.assertRaises(tf.errors.PermissionDeniedError):
            tf.gfile.GFile(self.at('f'), 'w').read()
        with self.assertRaises(tf.errors.NotFoundError):
            tf.gfile.GFile(self.at('none')).read()

    def test_folders(self):
        tf.gfile.MakeDirs(self.at('a/b'))
        tf.gfile.MakeDirs(self.at('a/b'))
        tf.gfile.MkDir(self.at('c'))
        tf.gfile.GFile(self.at('a/f'), 'w').write('x')
        self.assertTrue(tf.gfile.IsDirectory(self.at('c')))
        self.assertEqual(sorted(tf.gfile.ListDirectory(self.at('a'))), ['b', 'f'])
        self.assertEqual(list(tf.gfile.Walk(self.at('a'))), [(self.at('a'), ['b'], ['f']), (self.at('a/b'), [], [])])
        self.assertEqual(tf.gfile.Glob(self.at('a/*')), [self.at('a/b'), self.at('a/f')])
        tf.gfile.Copy(self.at('a/f'), self.at('g'))
        self.assertEqual(tf.gfile.Stat(self.at('g')).length, 1)
        for refused in (tf.gfile.Copy, tf.gfile.Rename):
            with self.assertRaises(tf.errors.AlreadyExistsError):
                refused(self.at('a/f'), self.at('g'))
        tf.gfile.Rename(self.at('a/f'), self.at('g'), overwrite=True)
        tf.gfile.Remove(self.at('g'))
        tf.gfile.DeleteRecursively(self.at('a'))
        self.assertFalse(tf.gfile.Exists(self.at('a')))
        self.assertTrue(tf.io.gfile.exists(self.at('c')))
        for missing in (tf.gfile.Remove, tf.gfile.Stat, tf.gfile.ListDirectory, tf.gfile.DeleteRecursively):
            with self.assertRaises(tf.errors.NotFoundError):
                missing(self.at('a'))


class Summaries(Folder):
    def events(self):
        path, = glob.glob(self.at('events.out.tfevents.*'))
        return path, list(tf.train.summary_iterator(path))

    def add_all(self):
        with tf.name_scope('sc'):
            tf.summary.scalar('a b', tf.constant(1.5))
            tf.summary.scalar('f', 1., family='fam')
        tf.summary.histogram('h', [1., 2.])
        tf.summary.image('im', tf.zeros([1, 2, 2, 1]), family='z')
        tf.summary.audio('au', tf.zeros([1, 2]), 8.)
        tf.summary.text('t', tf.constant('x'))
        return tf.summary.merge_all()

    def test_nodes(self):
        self.assertIsNone(tf.summary.merge_all())
        self.assertEqual(self.add_all().op.name, 'Merge/MergeSummary')
        got = [(op.name, op.type) for op in tf.get_default_graph().get_operations() if 'Summary' in op.type]
        self.assertEqual(got, [('sc/a_b', 'ScalarSummary'), ('sc/fam/f', 'ScalarSummary'), ('h', 'HistogramSummary'),
                               ('z/im', 'ImageSummary'), ('au', 'AudioSummaryV2'), ('t', 'TensorSummaryV2'),
                               ('Merge/MergeSummary', 'MergeSummary')])

    def test_writer(self):
        merged = self.add_all()
        with tf.Session() as session:
            value = session.run(merged)
        writer = tf.summary.FileWriter(self.dir, tf.get_default_graph())
        writer.add_summary(value, 7)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag='mine', simple_value=2.)]), global_step=8)
        writer.add_run_metadata(tf.RunMetadata(), 'step 8', 8)
        writer.flush()
        path, events = self.events()
        self.assertEqual([event.WhichOneof('what') for event in events],
                         ['file_version', 'graph_def', 'summary', 'summary', 'tagged_run_metadata'])
        self.assertEqual(events[0].file_version, 'brain.Event:2')
        self.assertEqual([event.step for event in events], [0, 0, 7, 8, 8])
        self.assertEqual([item.tag for item in events[2].summary.value],
                         ['sc/a_b', 'fam/sc/fam/f', 'h', 'z/z/im/image/0', 'au/audio/0', 't'])
        self.assertEqual(events[2].summary.value[0].simple_value, 1.5)
        writer.close()
        with self.assertWarns(UserWarning):
            writer.add_summary(value)
        if event_file_loader is not None:
            self.assertEqual(len(list(event_file_loader.RawEventFileLoader(path).Load())), 5)

    def test_cache(self):
        writer = tf.summary.FileWriterCache.get(self.dir)
        self.assertIs(tf.summary.FileWriterCache.get(self.dir), writer)
        tf.summary.FileWriterCache.clear()
        self.assertEqual(len(self.events()[1]), 2)


class Records(Folder):
    def test_round_trip(self):
        kinds = tf.python_io.TFRecordCompressionType
        for options in (None, tf.python_io.TFRecordOptions(kinds.GZIP), tf.io.TFRecordOptions('ZLIB')):
            with tf.python_io.TFRecordWriter(self.at('r'), options) as writer:
                for record in (b'one', b'', b'x' * 1000):
                    writer.write(record)
            self.assertEqual(list(tf.python_io.tf_record_iterator(self.at('r'), options)), [b'one', b'', b'x' * 1000])
        with self.assertRaises(tf.errors.NotFoundError):
            list(tf.python_io.tf_record_iterator(self.at('none')))

    def test_example(self):
        made = tf.train.Example(features=tf.train.Features(feature={
            'i': tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2])),
            'b': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'z']))}))
        got = tf.train.Example.FromString(made.SerializeToString())
        self.assertEqual(list(got.features.feature['i'].int64_list.value), [1, 2])

    def test_compat(self):
        self.assertEqual((tf.compat.as_bytes('a'), tf.compat.as_text(b'a'), tf.compat.as_str(b'b')), (b'a', 'a', 'b'))
        self.assertEqual((tf.compat.as_str_any(3), tf.compat.as_str_any(b'c')), ('3', 'c'))
        with self.assertRaises(TypeError):
            tf.compat.as_text(3)


class Mnist(Folder):
    def write(self, name, magic, array, compress):
        data = struct.pack('>%di' % (1 + array.ndim), magic, *array.shape) + array.tobytes()
        with open(self.at(name + ('.gz' if compress else '')), 'wb') as file:
            file.write(gzip.compress(data) if compress else data)

    def test_missing(self):
        with self.assertRaisesRegex(FileNotFoundError, 'train-images-idx3-ubyte.gz.*' + self.dir):
            input_data.read_data_sets(self.dir)

    def test_read(self):
        for name, count, compress in (('train', 20, True), ('t10k', 5, False)):
            images = np.arange(count, dtype=np.uint8)[:, None, None] * np.ones((1, 28, 28), np.uint8)
            self.write(name + '-images-idx3-ubyte', 2051, images, compress)
            self.write(name + '-labels-idx1-ubyte', 2049, np.arange(count, dtype=np.uint8) % 10, compress)
        data = input_data.read_data_sets(self.dir, one_hot=True, validation_size=4, seed=1)
        self.assertEqual([part.num_examples for part in data], [16, 4, 5])
        self.assertEqual(data.train.images.shape, (16, 784))
        self.assertEqual(data.validation.labels.shape, (4, 10))
        seen = np.concatenate([data.train.next_batch(6)[0][:, 0] for _ in range(3)])
        self.assertEqual(data.train.epochs_completed, 1)
        np.testing.assert_array_equal(np.sort(np.rint(seen[:16] * 255)), np.arange(4, 20))
        images, labels = data.test.next_batch(5, shuffle=False)
        np.testing.assert_array_equal(np.argmax(labels, 1), np.rint(images[:, 0] * 255))
        whole = input_data.read_data_sets(self.dir, dtype=tf.uint8, reshape=False, validation_size=0)
        self.assertEqual((whole.train.images.shape, whole.train.images.dtype), ((20, 28, 28, 1), np.uint8))
        with self.assertRaises(ValueError):
            input_data.read_data_sets(self.dir)

    def test_fake(self):
        images, labels = input_data.read_data_sets('', fake_data=True, one_hot=True).train.next_batch(2)
        self.assertEqual((np.shape(images), np.shape(labels)), ((2, 784), (2, 10)))
