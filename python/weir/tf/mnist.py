"""tensorflow.examples.tutorials.mnist.input_data: handwritten digits from four files, which are downloaded where they are missing."""
import collections
import gzip
import os

import numpy as np

from . import dtypes

Datasets = collections.namedtuple('Datasets', ['train', 'validation', 'test'])
DataSets = Datasets
TRAIN_IMAGES, TRAIN_LABELS = 'train-images-idx3-ubyte', 'train-labels-idx1-ubyte'
TEST_IMAGES, TEST_LABELS = 't10k-images-idx3-ubyte', 't10k-labels-idx1-ubyte'
_FILES = (TRAIN_IMAGES, TRAIN_LABELS, TEST_IMAGES, TEST_LABELS)


def _read(f, magic, rank):
    """The array of an IDX file that is open for reading, compressed or not."""
    data = f.read()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    name = getattr(f, 'name', 'file')
    head = np.frombuffer(data, '>i4', 1 + rank) if len(data) >= 4 + 4 * rank else [None]
    if head[0] != magic:
        raise ValueError('Invalid magic number %s in MNIST file: %s' % (head[0], name))
    shape = tuple(int(size) for size in head[1:])
    if len(data) - 4 - 4 * rank < np.prod(shape):
        raise ValueError('MNIST file %s is shorter than it says' % name)
    return np.frombuffer(data, np.uint8, int(np.prod(shape)), 4 + 4 * rank).reshape(shape)


def dense_to_one_hot(labels_dense, num_classes):
    made = np.zeros((labels_dense.shape[0], num_classes))
    made[np.arange(labels_dense.shape[0]), labels_dense.ravel()] = 1
    return made


def extract_images(f):
    return _read(f, 2051, 3)[..., np.newaxis]


def extract_labels(f, one_hot=False, num_classes=10):
    labels = _read(f, 2049, 1)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


class DataSet:
    """Images and labels; next_batch goes through them in a new order each epoch."""

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, seed=None):
        from . import scopes
        first, second = scopes.get_seed(seed)
        if first is not None or second is not None:  # NumPy's global state shuffles, so np.random.seed works, too
            np.random.seed(first if seed is None else second)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError('Invalid image dtype %r, expected uint8 or float32' % dtype)
        if fake_data:
            self._num_examples = 10000
        else:
            if images.shape[0] != labels.shape[0]:
                raise ValueError('images.shape: %s labels.shape: %s' % (images.shape, labels.shape))
            self._num_examples = images.shape[0]
            if reshape:
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == dtypes.float32:
                images = np.multiply(images.astype(np.float32), np.float32(1.0 / 255.0))
        self._fake, self.one_hot = fake_data, one_hot
        self._images, self._labels = images, labels
        self._epochs_completed = self._index_in_epoch = 0

    @property
    def images(self):
        return self._images

    @property
    def labels(self):
        return self._labels

    @property
    def num_examples(self):
        return self._num_examples

    @property
    def epochs_completed(self):
        return self._epochs_completed

    def _shuffle(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """The next `batch_size` examples; a batch may reach over the end of an epoch."""
        if fake_data or self._fake:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        if start + batch_size <= self._num_examples:
            self._index_in_epoch = start + batch_size
            return self._images[start:start + batch_size], self._labels[start:start + batch_size]
        self._epochs_completed += 1
        images, labels = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end = batch_size - len(images)
        return (np.concatenate((images, self._images[:end]), axis=0),
                np.concatenate((labels, self._labels[:end]), axis=0))


DEFAULT_SOURCE_URL = 'https://storage.googleapis.com/cvdf-datasets/mnist/'


def maybe_download(filename, work_directory, source_url):
    """The path of a file in `work_directory`; it is fetched where it is not there yet."""
    path = os.path.join(work_directory, filename)
    if not os.path.exists(path):
        import urllib.request
        os.makedirs(work_directory, exist_ok=True)
        part = '%s.%d.part' % (path, os.getpid())
        urllib.request.urlretrieve(source_url, part)
        os.replace(part, path)
        print('Successfully downloaded %s %d bytes.' % (filename, os.path.getsize(path)))
    return path


def _path(train_dir, name, source_url):
    for path in (os.path.join(train_dir, name + '.gz'), os.path.join(train_dir, name)):
        if os.path.exists(path):
            return path
    try:
        return maybe_download(name + '.gz', train_dir, (source_url or DEFAULT_SOURCE_URL) + name + '.gz')
    except OSError as error:
        raise FileNotFoundError('%s.gz (or the same without .gz) is not in %s and could not be downloaded: %s' %
                                (name, os.path.abspath(train_dir), error)) from error


def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, validation_size=5000,
                   seed=None, source_url=DEFAULT_SOURCE_URL):
    """Datasets(train, validation, test) of the four files in `train_dir`."""
    options = dict(one_hot=one_hot, dtype=dtype, reshape=reshape, seed=seed)
    if fake_data:
        return Datasets(*(DataSet([], [], fake_data=True, **{**options, 'reshape': True}) for _ in range(3)))
    arrays = []
    for name in _FILES:
        with open(_path(train_dir, name, source_url), 'rb') as file:
            arrays.append(extract_images(file) if 'images' in name else extract_labels(file, one_hot=one_hot))
    images, labels, test_images, test_labels = arrays
    if not 0 <= validation_size <= len(images):
        raise ValueError('Validation size should be between 0 and %d. Received: %s.' % (len(images), validation_size))
    n = validation_size
    return Datasets(DataSet(images[n:], labels[n:], **options), DataSet(images[:n], labels[:n], **options),
                    DataSet(test_images, test_labels, **options))


def load_mnist(train_dir='MNIST-data'):
    return read_data_sets(train_dir)
