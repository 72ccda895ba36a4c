"""tensorflow.python.data.kernel_tests.test_base: a test case with assertions on datasets."""
import os

import numpy as np

from . import errors, test
from .test_combinations import combine


def default_test_combinations():
    return combine(tf_api_version=[1, 2], mode=['eager', 'graph'])


def eager_only_combinations():
    return combine(tf_api_version=[1, 2], mode='eager')


def graph_only_combinations():
    return combine(tf_api_version=[1, 2], mode='graph')


def v1_only_combinations():
    return combine(tf_api_version=1, mode=['eager', 'graph'])


def v2_only_combinations():
    return combine(tf_api_version=2, mode=['eager', 'graph'])


class DatasetTestBase(test.TestCase):
    """Takes datasets apart, element by element."""

    def getNext(self, dataset, requires_initialization=False, shared_name=None):
        """A function that gives the next element as tensors."""
        from .data_iterator import make_initializable_iterator, make_one_shot_iterator
        if requires_initialization or shared_name:
            iterator = make_initializable_iterator(dataset, shared_name)
            self.evaluate(iterator.initializer)
        else:
            iterator = make_one_shot_iterator(dataset)
        element = iterator.get_next()
        return lambda: element

    def evaluate(self, tensors):
        return super().evaluate(tensors)

    def assertValuesEqual(self, expected, actual):
        from .sparse_tensor import SparseTensorValue
        if isinstance(expected, SparseTensorValue) or hasattr(expected, 'dense_shape'):
            self.assertAllEqual(expected.indices, actual.indices)
            self.assertAllEqual(expected.values, actual.values)
            self.assertAllEqual(expected.dense_shape, actual.dense_shape)
        else:
            self.assertAllEqual(expected, actual)

    def _flat(self, value):
        from .data_structure import flatten
        return flatten(value)

    def _compare(self, expected, actual, exact_type=False):
        for want, have in zip(self._flat(expected), self._flat(actual)):
            self.assertValuesEqual(want, have)

    def assertDatasetProduces(self, dataset, expected_output=None, expected_shapes=None, expected_error=None,
                              requires_initialization=False, num_test_iterations=1, assert_items_equal=False,
                              expected_error_iter=1):
        """The elements of `dataset` are `expected_output`, then it ends; or it raises `expected_error`."""
        if expected_error is not None and expected_output is None:
            with self.assertRaisesWithPredicateMatch(*expected_error):
                get_next = self.getNext(dataset, requires_initialization)
                for _ in range(expected_error_iter):
                    self.evaluate(get_next())
            return
        if expected_shapes is not None:
            self.assertEqual(expected_shapes, dataset.output_shapes)
        for _ in range(max(num_test_iterations, 1)):
            get_next = self.getNext(dataset, requires_initialization or num_test_iterations > 1)
            self._elements(get_next, expected_output, assert_items_equal)
            for _ in range(2):
                with self.assertRaises(errors.OutOfRangeError):
                    self.evaluate(get_next())

    def _elements(self, get_next, expected, in_any_order):
        found = [self.evaluate(get_next()) for _ in range(len(expected))]
        if in_any_order:
            self.assertCountEqual([_key(item) for item in expected], [_key(item) for item in found])
            return
        for want, have in zip(expected, found):
            self._compare(want, have)

    def assertDatasetsEqual(self, dataset1, dataset2):
        first, second = self.getNext(dataset1), self.getNext(dataset2)
        while True:
            try:
                one = self.evaluate(first())
            except errors.OutOfRangeError:
                with self.assertRaises(errors.OutOfRangeError):
                    self.evaluate(second())
                return
            self._compare(one, self.evaluate(second()))

    def assertDatasetsRaiseSameError(self, dataset1, dataset2, exception_class, replacements=None):
        for dataset in (dataset1, dataset2):
            with self.assertRaises(exception_class):
                self.evaluate(self.getNext(dataset)())

    def structuredDataset(self, structure, shape=None, dtype=None):
        """A dataset of one element that is repeated for ever, of this structure."""
        from . import array_ops, data, dtypes
        shape, dtype = [] if shape is None else shape, dtype or dtypes.int64
        if structure is None:
            return data.Dataset.from_tensors(array_ops.zeros(shape, dtype=dtype)).repeat()
        return data.Dataset.zip(tuple(self.structuredDataset(item, shape, dtype) for item in structure))

    def structuredElement(self, structure, shape=None, dtype=None):
        from . import array_ops, dtypes
        if structure is None:
            return array_ops.zeros([] if shape is None else shape, dtype=dtype or dtypes.int64)
        return tuple(self.structuredElement(item, shape, dtype) for item in structure)

    def verifyDatasets(self, *datasets):
        for other in datasets[1:]:
            self.assertDatasetsEqual(datasets[0], other)

    def _touch(self, name):
        path = os.path.join(self.get_temp_dir(), name)
        open(path, 'a').close()
        return path


def _key(item):
    if isinstance(item, (tuple, list)):
        return tuple(_key(part) for part in item)
    return item.tobytes() if isinstance(item, np.ndarray) and item.ndim else item.item() if isinstance(item, (np.ndarray, np.generic)) \
        else item
