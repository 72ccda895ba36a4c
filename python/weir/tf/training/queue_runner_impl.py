"""QueueRunner: threads that fill a queue."""
import threading
import weakref

from .. import errors, tf_logging as logging
from ..graph import get_default_graph
from ..scopes import GraphKeys, add_to_collection, get_collection
from ..session import get_default_session

_CLOSED = (errors.OutOfRangeError,)


class QueueRunner:
    """A thread for each of `enqueue_ops`; when the last one meets the end of its input the queue is closed."""

    def __init__(self, queue=None, enqueue_ops=None, close_op=None, cancel_op=None, queue_closed_exception_types=None,
                 queue_runner_def=None, import_scope=None):
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError('queue_runner_def and queue are mutually exclusive.')
            self._init_from_proto(queue_runner_def, import_scope)
        else:
            self._init_from_args(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types)
        self._lock = threading.Lock()
        self._runs_per_session = weakref.WeakKeyDictionary()
        self._exceptions_raised = []

    def _init_from_args(self, queue, enqueue_ops, close_op, cancel_op, closed_types):
        if not queue or not enqueue_ops:
            raise ValueError('Must provide queue and enqueue_ops.')
        self._queue, self._enqueue_ops = queue, enqueue_ops
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        if closed_types is not None and (not isinstance(closed_types, tuple) or not closed_types or not
                                         all(issubclass(kind, errors.OpError) for kind in closed_types)):
            raise TypeError('queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: %s' %
                            (closed_types,))
        self._queue_closed_exception_types = closed_types or _CLOSED

    def _init_from_proto(self, proto, import_scope):
        graph = get_default_graph()

        def find(name):
            return graph.as_graph_element(import_scope + '/' + name if import_scope else name)
        self._queue = _QueueByName(find(proto.queue_name))
        self._enqueue_ops = [find(name) for name in proto.enqueue_op_name]
        self._close_op, self._cancel_op = find(proto.close_op_name), find(proto.cancel_op_name)
        self._queue_closed_exception_types = tuple(errors.exception_type_from_error_code(code)
                                                   for code in proto.queue_closed_exception_types) or _CLOSED

    queue = property(lambda self: self._queue)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    close_op = property(lambda self: self._close_op)
    cancel_op = property(lambda self: self._cancel_op)
    queue_closed_exception_types = property(lambda self: self._queue_closed_exception_types)
    exceptions_raised = property(lambda self: self._exceptions_raised)
    name = property(lambda self: self._queue.name)

    def _leave(self, sess):
        """One thread less works for `sess`; true for the last one."""
        with self._lock:
            self._runs_per_session[sess] -= 1
            return self._runs_per_session[sess] == 0

    def _close_queue(self, sess):
        try:
            sess.run(self._close_op)
        except Exception as error:
            logging.vlog(1, 'Ignored exception: %s', str(error))

    def _run(self, sess, enqueue_op, coord=None):
        left = False
        try:
            enqueue = sess.make_callable(enqueue_op)
            while coord is None or not coord.should_stop():
                try:
                    enqueue()
                except self._queue_closed_exception_types:
                    left = True
                    if self._leave(sess):
                        self._close_queue(sess)
                    return
        except Exception as error:
            if coord is None:
                logging.error('Exception in QueueRunner: %s', str(error))
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
            if not coord.joined:  # who joined has gone on; there is nobody to tell
                coord.request_stop(error)
        finally:
            if not left:
                self._leave(sess)

    def _close_on_stop(self, sess, cancel_op, coord):
        coord.wait_for_stop()
        try:
            sess.run(cancel_op)
        except Exception as error:
            logging.vlog(1, 'Ignored exception: %s', str(error))

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [threading.Thread(target=self._run, args=(sess, op, coord), name='QueueRunnerThread-%s-%s' % (self.name, op.name))
                   for op in self._enqueue_ops]
        if coord is not None:
            threads.append(threading.Thread(target=self._close_on_stop, args=(sess, self._cancel_op, coord),
                                            name='QueueRunnerThread-%s-close_on_stop' % self.name))
        for thread in threads:
            thread.daemon = daemon
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope=None):
        from ..messages import QueueRunnerDef
        if export_scope is not None and not self.queue.name.startswith(export_scope):
            return None

        def strip(name):
            return name[len(export_scope) + 1:] if export_scope and name.startswith(export_scope + '/') else name
        codes = [errors.error_code_from_exception_type(kind) for kind in self._queue_closed_exception_types]
        return QueueRunnerDef(queue_name=strip(self.queue.name), enqueue_op_name=[strip(op.name) for op in self._enqueue_ops],
                              close_op_name=strip(self._close_op.name), cancel_op_name=strip(self._cancel_op.name),
                              queue_closed_exception_types=codes)

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


class _QueueByName:
    """A queue of an imported graph, known by its node alone."""

    def __init__(self, element):
        self.name = getattr(element, 'op', element).name
        self.queue_ref = element


def add_queue_runner(qr, collection=GraphKeys.QUEUE_RUNNERS):
    add_to_collection(collection, qr)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection=GraphKeys.QUEUE_RUNNERS):
    if sess is None:
        sess = get_default_session()
        if sess is None:
            raise ValueError('Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or '
                             'pass an explicit session to tf.start_queue_runners(sess=sess)')
    sess = getattr(sess, '_tf_sess', lambda: sess)()
    if not hasattr(sess, 'make_callable'):
        raise TypeError('sess must be a `tf.Session` object. Given class: %s' % type(sess))
    with sess.graph.as_default():
        runners = get_collection(collection)
    if not runners:
        logging.warning('`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove '
                        'the call to this deprecated function.')
    threads = []
    for runner in runners:
        threads.extend(runner.create_threads(sess, coord=coord, daemon=daemon, start=start))
    return threads
