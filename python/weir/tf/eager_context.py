"""tensorflow.python.eager.context: Weir runs graphs, so asking for eager execution is an error."""
import contextlib


def executing_eagerly():
    return False


in_eager_mode = executing_eagerly


def in_graph_mode():
    return True


def num_gpus():
    return 0


@contextlib.contextmanager
def graph_mode():
    yield


@contextlib.contextmanager
def eager_mode():
    raise RuntimeError('weir runs graphs only: eager execution is not there')
    yield


class Context:
    """What programs ask of context.context()."""

    executing_eagerly = staticmethod(executing_eagerly)
    num_gpus = staticmethod(num_gpus)
    in_eager_mode = staticmethod(executing_eagerly)
    device_name = ''
    summary_recording = False

    @contextlib.contextmanager
    def _graph_mode(self):
        yield

    def ensure_initialized(self):
        raise RuntimeError('weir runs graphs only: eager execution is not there')


_context = Context()


def context():
    return _context


def global_seed():
    return None
