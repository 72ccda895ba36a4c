"""tf.test: TestCase with sessions and assertions over arrays."""
import contextlib
import os
import random
import re
import tempfile
import unittest

import numpy as np

from . import errors
from .graph import Graph, get_default_graph, reset_default_graph
from .scopes import set_random_seed
from .session import Session, get_default_session

def __getattr__(name):
    if name == 'mock':
        import unittest.mock
        return unittest.mock
    raise AttributeError(name)


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    return False


def is_built_with_cuda():
    return False


def is_built_with_gpu_support():
    return False


def is_built_with_rocm():
    return False


def gpu_device_name():
    return ''


def get_temp_dir():
    global _temp_dir
    if not _temp_dir:
        _temp_dir = os.environ.get('TEST_TMPDIR') or tempfile.mkdtemp(prefix='weir_test_')
    return _temp_dir


_temp_dir = ''


def test_src_dir_path(relative_path):
    return os.path.join(os.environ.get('TEST_SRCDIR', ''), 'org_tensorflow/tensorflow', relative_path)


def main(argv=None):
    import sys
    return unittest.main(argv=argv if argv is not None else sys.argv[:1])


class _Cached(Session):
    """A session that one test shares: leaving its block does not close it."""

    def __exit__(self, *details):
        graph, session = self._blocks.pop()
        session.__exit__(None, None, None)
        graph.__exit__(None, None, None)


class TestCase(unittest.TestCase):
    """A test with a graph of its own."""

    def __init__(self, methodName='runTest'):
        super().__init__(methodName)
        self._cached, self._tempdir, self._threads = None, None, []

    def setUp(self):
        self._forget()
        random.seed(1234)
        np.random.seed(1234)
        from .graph import _default_graphs
        del _default_graphs.stack[:]
        reset_default_graph()
        set_random_seed(87654321)

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._forget()

    def _forget(self):
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    # ---- sessions ----

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        with Session(graph=graph, config=config) as made:
            yield made

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if self._cached is None or self._cached.graph is not (graph or get_default_graph()):
            self._forget()
            self._cached = _Cached(graph=graph, config=config)
        with self._cached as made:
            yield made

    @contextlib.contextmanager
    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if graph is None:
            with self.cached_session(graph, config, use_gpu, force_gpu) as made:
                yield made
        else:
            with self.session(graph, config, use_gpu, force_gpu) as made:
                yield made

    def evaluate(self, tensors):
        session = get_default_session()
        if session is None:
            with self.test_session() as session:
                return session.run(tensors)
        return session.run(tensors)

    @contextlib.contextmanager
    def captureWritesToStream(self, stream):
        """What is written to the stream's file while the block runs."""
        number = stream.fileno() if hasattr(stream, 'fileno') else {'stdout': 1, 'stderr': 2}[stream]
        stream.flush()
        saved = os.dup(number)
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), number)
            captured = _Captured()
            try:
                yield captured
            finally:
                stream.flush()
                os.dup2(saved, number)
                os.close(saved)
                file.seek(0)
                captured.text = file.read().decode(errors='replace')

    def get_temp_dir(self):
        if not self._tempdir:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    def create_tempfile(self, name='file'):
        return os.path.join(self.get_temp_dir(), name)

    def checkedThread(self, target, args=None, kwargs=None):
        made = _CheckedThread(self, target, args, kwargs)
        self._threads.append(made)
        return made

    # ---- assertions ----

    def _GetNdArray(self, a):
        if hasattr(a, 'dense_shape') and hasattr(a, 'indices') and not hasattr(a, 'op'):
            return a
        if hasattr(a, 'op') or hasattr(a, '_AsTensor'):
            a = self.evaluate(a)
        if isinstance(a, np.ndarray):
            return a
        try:
            return np.array(a)
        except ValueError:  # rows of different lengths
            made = np.empty(len(a), dtype=object)
            made[:] = a
            return made

    def assertNear(self, f1, f2, err, msg=None):
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, '%r != %r +/- %r%s' % (f1, f2, err, ' (%s)' % msg if msg else ''))

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        self.assertEqual(len(farray1), len(farray2), msg=msg)
        for one, other in zip(farray1, farray2):
            self.assertNear(float(one), float(other), err, msg=msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        self.assertTrue(np.linalg.norm(np.asarray(ndarray1) - np.asarray(ndarray2)) < err, msg=msg)

    def _values(self, value):
        return self.evaluate(value) if hasattr(value, 'op') or hasattr(value, '_AsTensor') else value

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        self._all_close(a, b, rtol, atol, '', msg)

    def _all_close(self, a, b, rtol, atol, path, msg):
        """`path`: where in nested structures a and b are."""
        a, b = (value._asdict() if hasattr(value, '_asdict') else value for value in (self._values(a), self._values(b)))
        if isinstance(a, dict) != isinstance(b, dict):
            raise ValueError("Can't compare dict to non-dict, a%s vs b%s. %s" % (path, path, msg or ''))
        if isinstance(a, dict):
            if set(a) != set(b):
                self.fail('mismatched keys: a%s has keys %s, but b%s has keys %s. %s' % (path, list(a), path, list(b), msg or ''))
            for key in a:
                self._all_close(a[key], b[key], rtol, atol, '%s[%s]' % (path, key), msg)
        elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and not _is_array(a, b):
            self.assertEqual(len(a), len(b), 'Mismatched length: a%s has %d items, but b%s has %d items. %s' %
                             (path, len(a), path, len(b), msg or ''))
            for i, (one, other) in enumerate(zip(a, b)):
                self._all_close(one, other, rtol, atol, '%s[%d]' % (path, i), msg)
        else:
            self._close(self._GetNdArray(a), self._GetNdArray(b), rtol, atol, path, msg)

    def _close(self, a, b, rtol, atol, path, msg):
        text = '%s%s' % (msg or '', ' Mismatched value: a%s is different from b%s.' % (path, path) if path else '')
        self.assertEqual(a.shape, b.shape, 'Shape mismatch: expected %s, got %s. %s' % (a.shape, b.shape, text))
        if str(a.dtype) == 'bfloat16' or str(b.dtype) == 'bfloat16':
            a, b = a.astype(np.float32), b.astype(np.float32)
        if a.dtype.kind in 'OSU':
            np.testing.assert_array_equal(a, b, err_msg=text)
        elif not np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
            far = ~np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
            text += ' not close where = %s, not close lhs = %s, not close rhs = %s' % (np.where(far), a[far], b[far])
            if a.dtype.kind in 'iufc' and b.dtype.kind in 'iufc':
                text += ', not close dif = %s, not close tol = %s' % (np.abs(a - b)[far], (atol + rtol * np.abs(b))[far])
            np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=text, equal_nan=True)

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3,
                                      half_atol=1e-3, bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        kinds = {str(a.dtype), str(b.dtype)}
        for names, r, t in (({'float32', 'complex64'}, float_rtol, float_atol), ({'float16'}, half_rtol, half_atol),
                            ({'bfloat16'}, bfloat16_rtol, bfloat16_atol)):
            if kinds & names:
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a, b, **kwargs):
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError('The two values are close at all elements. %s' % (kwargs.get('msg') or ''))

    def assertAllEqual(self, a, b, msg=None):
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        if b.ndim <= 3 or b.size < 500:
            self.assertEqual(a.shape, b.shape, 'Shape mismatch: expected %s, got %s. %s' % (a.shape, b.shape, msg or ''))
        if a.dtype.kind in 'OSU' or b.dtype.kind in 'OSU':
            a, b = (np.array([_bytes(item) for item in x.ravel()], dtype=object).reshape(x.shape) for x in (a, b))
        same = a == b
        if a.dtype.kind in 'fc' and b.dtype.kind in 'fc':
            same = np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
        if not np.all(same):
            other = np.logical_not(same)
            lhs, rhs = (value[other] if value.shape == other.shape else value for value in (a, b))
            np.testing.assert_array_equal(a, b, err_msg='%s not equal where = %s, not equal lhs = %s, not equal rhs = %s' % (
                msg or '', np.where(other), lhs, rhs))

    def assertNotAllEqual(self, a, b, msg=None):
        try:
            self.assertAllEqual(a, b, msg)
        except AssertionError:
            return
        raise AssertionError('The two values are equal at all elements. %s' % (msg or ''))

    def assertAllGreater(self, a, comparison_target):
        self.assertGreater(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLess(self, a, comparison_target):
        self.assertLess(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllGreaterEqual(self, a, comparison_target):
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLessEqual(self, a, comparison_target):
        self.assertLessEqual(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False):
        values = self._GetNdArray(target)
        self.assertIn(values.dtype.kind, 'iuf', 'The value of %s does not have an ordered numeric type' % target)
        low = values <= lower_bound if open_lower_bound else values < lower_bound
        high = values >= upper_bound if open_upper_bound else values > upper_bound
        self.assertFalse(np.any(low | high | np.isnan(values)), 'values are not in %s..%s' % (lower_bound, upper_bound))

    def assertAllInSet(self, target, expected_set):
        self.assertEqual(set(self._GetNdArray(target).ravel().tolist()) - set(expected_set), set())

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg=msg)

    def assertDeviceEqual(self, device1, device2, msg=None):
        from .device import canonical
        self.assertEqual(canonical(device1), canonical(device2), msg)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        if isinstance(expected_message_maybe_ascii, (str, bytes)):
            from .text_format import Parse
            expected = type(message)()
            Parse(expected_message_maybe_ascii, expected)
        else:
            expected = expected_message_maybe_ascii
        self.assertEqual(str(expected), str(message), msg)

    def assertProtoEqualsVersion(self, expected, actual, producer=None, min_consumer=None, msg=None):
        self.assertProtoEquals(expected, actual, msg)

    def assertStartsWith(self, actual, expected_start, msg=None):
        if not actual.startswith(expected_start):
            self.fail('%r does not start with %r. %s' % (actual, expected_start, msg or ''))

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        if callable(expected_err_re_or_predicate):
            predicate = expected_err_re_or_predicate
        else:
            def predicate(error):
                text = error.message if isinstance(error, errors.OpError) else str(error)
                op = getattr(error, 'op', None)
                while op is not None:
                    text += '\nCaused by: ' + op.name
                    op = getattr(op, '_original_op', None)
                return re.search(expected_err_re_or_predicate, text)
        try:
            yield
        except exception_type as error:
            if not predicate(error):
                raise AssertionError('Exception of type %s: %s' % (type(error), error)) from error
            return
        self.fail('%s not raised' % getattr(exception_type, '__name__', exception_type))

    def assert_op_cancelled(self, op):
        with self.assertRaisesRegex(errors.CancelledError, 'was cancelled|has been closed'):
            self.evaluate(op)

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def assertItemsEqual(self, first, second, msg=None):
        return self.assertCountEqual(first, second, msg)

    def assertRaisesRegexp(self, *args, **kwargs):
        return self.assertRaisesRegex(*args, **kwargs)

    def assertRegexpMatches(self, *args, **kwargs):
        return self.assertRegex(*args, **kwargs)

    def assertBetween(self, value, minv, maxv, msg=None):
        self.assertTrue(minv <= value <= maxv, msg or '%r is not within %r..%r' % (value, minv, maxv))

    def assertEmpty(self, container, msg=None):
        self.assertEqual(len(container), 0, msg)

    def assertNotEmpty(self, container, msg=None):
        self.assertNotEqual(len(container), 0, msg)

    def assertLen(self, container, expected_len, msg=None):
        self.assertEqual(len(container), expected_len, msg)

    def assertAllEqualNan(self, a, b):
        self.assertAllEqual(a, b)


class _Captured:
    """What captureWritesToStream gives."""
    text = ''

    def contents(self):
        return self.text


def _is_array(a, b):
    try:
        return np.array(a).dtype.kind != 'O' and np.array(b).dtype.kind != 'O'
    except ValueError:
        return False


def _bytes(item):
    return item.encode() if isinstance(item, str) else item


class _CheckedThread:
    """A thread whose exception fails the test."""

    def __init__(self, case, target, args, kwargs):
        import threading
        self._case, self._error = case, None
        self._joined = False

        def work():
            try:
                target(*(args or ()), **(kwargs or {}))
            except BaseException as error:
                self._error = error
        self._thread = threading.Thread(target=work, daemon=True)

    def start(self):
        self._thread.start()

    def join(self):
        self._joined = True
        self._thread.join()
        if self._error is not None:
            self._case.fail('Error in checkedThread: %s' % self._error)

    def is_alive(self):
        return self._thread.is_alive()

    isAlive = is_alive

    def check_termination(self):
        if self._joined:
            return
        if self._thread.is_alive():
            self._case.fail('A checked thread was not joined')
        self.join()


class Benchmark:
    """Kept for files that define benchmarks; they are not run by tests."""

    def run_op_benchmark(self, sess, op_or_tensor, feed_dict=None, burn_iters=2, min_iters=10, **kwargs):
        import time
        times = []
        for i in range(burn_iters + min_iters):
            start = time.time()
            sess.run(op_or_tensor, feed_dict)
            times.append(time.time() - start)
        return {'iters': min_iters, 'wall_time': float(np.median(times[burn_iters:]))}

    def report_benchmark(self, **kwargs):
        return None


# ---- gradients by differences ----

def _feed(x, value, extra):
    feed = dict(extra or {})
    feed[x] = value
    return feed


def _real(values):
    """The numbers of an array in a row; a complex one counts as two."""
    flat = np.ascontiguousarray(values).ravel()
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _theory(session, grad, seed, feed, x_shape, x_size, y_size):
    """A column for each number of y: the gradients that the graph computes."""
    found = np.zeros((x_size, y_size), dtype=np.float64)
    one = np.zeros(seed.shape.as_list(), dtype=seed.dtype.as_numpy_dtype)
    if not one.size:
        empty = session.run(grad, {**feed, seed: one})
        if empty.shape != tuple(x_shape):
            raise ValueError('Empty gradient has wrong shape: expected %s, got %s' % (tuple(x_shape), empty.shape))
    for col in range(y_size):
        _real(one)[col] = 1
        found[:, col] = _real(session.run(grad, {**feed, seed: one}))
        _real(one)[col] = 0
    return found


def _jacobians(session, x, x_shape, y, y_shape, x_init, delta, init_targets, extra):
    from . import array_ops
    from .convert import convert_to_tensor
    from .gradients import gradients
    if init_targets:
        session.run(init_targets)
    seed = array_ops.placeholder(y.dtype.base_dtype, y_shape)
    grad = gradients(y, x, grad_ys=seed)[0]
    start = np.array(x_init, dtype=x.dtype.as_numpy_dtype).reshape(x_shape)
    y_size = int(np.prod(y_shape)) * (2 if y.dtype.is_complex else 1)
    x_size = _real(start).size
    if grad is None:
        return np.zeros((x_size, y_size)), np.zeros((x_size, y_size))
    theory = _theory(session, convert_to_tensor(grad), seed, _feed(x, start, extra), x_shape, x_size, y_size)
    measured = np.zeros_like(theory)
    for row in range(x_size):
        moved = []
        for sign in (1, -1):
            changed = start.copy()
            _real(changed)[row] += sign * delta
            moved.append(_real(np.asarray(session.run(y, _feed(x, changed, extra)))).astype(np.float64))
        measured[row] = (moved[0] - moved[1]) / (2 * delta)
    return theory, measured


def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """(the gradient that the graph computes, the gradient measured by differences)."""
    session = get_default_session()
    single = not isinstance(x, list)
    xs, shapes = ([x], [x_shape]) if single else (x, x_shape)
    starts = [x_init_value] if single else (x_init_value or [None] * len(xs))
    out = []
    extra = dict(extra_feed_dict or {})
    starts = [np.random.random_sample(shape).astype(item.dtype.as_numpy_dtype) if start is None else start
              for item, shape, start in zip(xs, shapes, starts)]
    for item, shape, start in zip(xs, shapes, starts):
        out.append(_jacobians(session, item, shape, y, y_shape, start, delta, init_targets, extra))
    return out[0] if single else out


def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    found = [found] if isinstance(found, tuple) else found
    return max([float(np.abs(one - other).max()) if one.size else 0.0 for one, other in found], default=0.0)


def assert_equal_graph_def(actual, expected, checkpoint_v2=False):
    if {n.name: str(n) for n in actual.node} != {n.name: str(n) for n in expected.node}:
        raise AssertionError('The graphs differ')
