"""tf.get_session_handle and tf.get_session_tensor: values that stay in the session."""
from . import _ops, array_ops, dtypes
from .convert import convert_to_tensor


class TensorHandle:
    """A value that a session keeps."""

    def __init__(self, handle, dtype, session):
        self._handle, self._dtype, self._session = handle, dtype, session

    @property
    def handle(self):
        return self._handle

    def to_numpy_array(self):
        return self.eval()

    def eval(self):
        holder, tensor = get_session_tensor(self._handle, self._dtype)
        return self._session.run(tensor, feed_dict={holder: self._handle})

    def delete(self):
        holder = array_ops.placeholder(dtypes.string)
        self._session.run(_ops.delete_session_tensor(holder), feed_dict={holder: self._handle})

    def get_raw_handle(self):
        return self._handle

    def __str__(self):
        return str(self._handle)


def get_session_handle(data, name=None):
    """A handle of the value: a string that get_session_tensor of the same session takes."""
    return _ops.get_session_handle(convert_to_tensor(data), name=name)


def get_session_tensor(handle, dtype, name=None):
    """(placeholder of the handle, the tensor of its value)."""
    holder = array_ops.placeholder(dtypes.string)
    return holder, _ops.get_session_tensor(holder, dtype, name=name)
