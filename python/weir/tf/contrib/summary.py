"""tf.contrib.summary in graphs: summaries that are written by ops of their own."""
import contextlib

from .. import _ops
from ..public import tf

_KEY, _INIT = '_SUMMARY_V2', '_SUMMARY_WRITER_INIT_OP_V2'
_state = {'writer': None, 'record': False}


class SummaryWriter:
    """Writes to a folder while it is the default writer."""

    def __init__(self, resource, init_op):
        self._resource, self._init_op = resource, init_op

    @contextlib.contextmanager
    def as_default(self):
        before, _state['writer'] = _state['writer'], self if self._resource is not None else None
        try:
            yield self
        finally:
            _state['writer'] = before

    set_as_default = as_default

    def init(self):
        return self._init_op

    def flush(self):
        return flush(self)

    def close(self):
        return tf.no_op() if self._resource is None else _ops.close_summary_writer(self._resource)


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None):
    if logdir is None:
        return SummaryWriter(None, tf.no_op())
    resource = _ops.summary_writer(shared_name='logdir:' + str(logdir), container='')
    init = _ops.create_summary_file_writer(
        resource, tf.convert_to_tensor(logdir, tf.string), tf.constant(10 if max_queue is None else max_queue, tf.int32),
        tf.constant(2 * 60 * 1000 if flush_millis is None else flush_millis, tf.int32),
        tf.convert_to_tensor('.v2' if filename_suffix is None else filename_suffix, tf.string))
    tf.add_to_collection(_INIT, init)
    return SummaryWriter(resource, init)


def summary_writer_initializer_op():
    return tf.get_collection(_INIT)


@contextlib.contextmanager
def _recording(value):
    before, _state['record'] = _state['record'], value
    try:
        yield
    finally:
        _state['record'] = before


def always_record_summaries():
    return _recording(True)


def never_record_summaries():
    return _recording(False)


def record_summaries_every_n_global_steps(n, global_step=None):
    step = tf.train.get_or_create_global_step() if global_step is None else global_step
    return _recording(tf.equal(step % n, 0))


def should_record_summaries():
    return tf.convert_to_tensor(_state['record'])


def all_summary_ops():
    return tf.get_collection(_KEY)


def initialize(graph=None, session=None):
    (session or tf.get_default_session()).run(summary_writer_initializer_op())


def flush(writer=None, name=None):
    writer = writer or _state['writer']
    return tf.no_op() if writer is None else _ops.flush_summary_writer(writer._resource, name=name)


def _write(name, tensor, step, make):
    writer, record = _state['writer'], _state['record']
    if writer is None or record is False:
        return tf.no_op()
    step = tf.train.get_or_create_global_step() if step is None else step
    step = tf.cast(tf.convert_to_tensor(step), tf.int64)
    tag = tf.get_default_graph().get_name_scope()
    tag = '%s/%s' % (tag, name) if tag else name

    def act():
        with tf.control_dependencies([make(writer._resource, step, tag)]):
            return tf.constant(True)
    made = act() if record is True else tf.cond(record, act, lambda: tf.constant(False))
    tf.add_to_collection(_KEY, made.op)
    return made.op


def scalar(name, tensor, family=None, step=None):
    return _write(name, tensor, step, lambda writer, at, tag: _ops.write_scalar_summary(writer, at, tag, tf.identity(tensor)))


def histogram(name, tensor, family=None, step=None):
    return _write(name, tensor, step, lambda writer, at, tag: _ops.write_histogram_summary(writer, at, tag, tf.identity(tensor)))


def image(name, tensor, bad_color=None, max_images=3, family=None, step=None):
    color = tf.constant([255, 0, 0, 255], tf.uint8) if bad_color is None else bad_color
    return _write(name, tensor, step, lambda writer, at, tag: _ops.write_image_summary(writer, at, tag, tf.identity(tensor), color,
                                                                                       max_images=max_images))


def generic(name, tensor, metadata=None, family=None, step=None):
    data = metadata.SerializeToString() if metadata is not None else b''
    return _write(name, tensor, step, lambda writer, at, tag: _ops.write_summary(writer, at, tf.identity(tensor), tag, data))
