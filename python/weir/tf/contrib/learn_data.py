"""tf.contrib.learn.datasets and tf.keras.datasets: files of data sets, read from where they are."""
import collections
import csv
import os

import numpy as np

from ..public import tf

Dataset = collections.namedtuple('Dataset', ['data', 'target'])
Datasets = collections.namedtuple('Datasets', ['train', 'validation', 'test'])


def load_csv_with_header(filename, target_dtype, features_dtype, target_column=-1):
    with tf.gfile.Open(filename) as file:
        rows = csv.reader(file)
        header = next(rows)
        count, width = int(header[0]), int(header[1])
        data, target = np.zeros((count, width), dtype=features_dtype), np.zeros((count,), dtype=target_dtype)
        for i, row in enumerate(rows):
            target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(filename, target_dtype, features_dtype, target_column=-1):
    data, target = [], []
    with tf.gfile.Open(filename) as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


def maybe_download(filename, work_directory, source_url):
    """The path of a file in a folder; it is fetched when it is not there."""
    import urllib.request
    tf.gfile.MakeDirs(work_directory)
    path = os.path.join(work_directory, filename)
    if not tf.gfile.Exists(path):
        urllib.request.urlretrieve(source_url, path)
    return path


def get_file(fname, origin, untar=False, md5_hash=None, file_hash=None, cache_subdir='datasets', hash_algorithm='auto', extract=False,
             archive_format='auto', cache_dir=None):
    """tf.keras.utils.get_file: a file of the cache in ~/.keras, fetched when it is not there."""
    import tarfile
    import urllib.request
    folder = os.path.join(cache_dir or os.path.join(os.path.expanduser('~'), '.keras'), cache_subdir)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, fname + '.tar.gz' if untar else fname)
    if not os.path.exists(path):
        print('Downloading data from', origin)
        urllib.request.urlretrieve(origin, path)
    if untar or extract and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            archive.extractall(folder)
        return os.path.join(folder, fname) if untar else path
    return path


def load_mnist(path='mnist.npz'):
    """tf.keras.datasets.mnist.load_data."""
    found = get_file(path, origin='https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz')
    with np.load(found, allow_pickle=True) as data:
        return (data['x_train'], data['y_train']), (data['x_test'], data['y_test'])


def to_categorical(y, num_classes=None, dtype='float32'):
    """tf.keras.utils.to_categorical: classes as rows with a single one."""
    y = np.array(y, dtype='int')
    shape = y.shape[:-1] if y.ndim > 1 and y.shape[-1] == 1 else y.shape
    y = y.ravel()
    num_classes = num_classes or np.max(y) + 1
    made = np.zeros((len(y), num_classes), dtype=dtype)
    made[np.arange(len(y)), y] = 1
    return made.reshape(shape + (num_classes,))


def pad_sequences(sequences, maxlen=None, dtype='int32', padding='pre', truncating='pre', value=0.0):
    """tf.keras.preprocessing.sequence.pad_sequences: rows of one length."""
    longest = max(len(row) for row in sequences) if maxlen is None else maxlen
    sample = next((np.asarray(row).shape[1:] for row in sequences if len(row)), ())
    made = np.full((len(sequences), longest) + sample, value, dtype=dtype)
    for i, row in enumerate(sequences):
        if not len(row):
            continue
        row = np.asarray(row[-longest:] if truncating == 'pre' else row[:longest], dtype=dtype)
        if padding == 'post':
            made[i, :len(row)] = row
        else:
            made[i, -len(row):] = row
    return made
