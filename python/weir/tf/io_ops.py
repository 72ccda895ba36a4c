"""Readers, and files as tensors."""
from . import _ops, dtypes
from .tensor import Tensor


def read_file(filename, name=None):
    return _ops.read_file(filename, name=name)


def write_file(filename, contents, name=None):
    return _ops.write_file(filename, contents, name=name)


def matching_files(pattern, name=None):
    return _ops.matching_files(pattern, name=name)


class ReaderBase:
    """Turns strings of a queue ("work units", mostly names of files) into records (key and value)."""

    def __init__(self, reader_ref, supports_serialize=False):
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref)
    supports_serialize = property(lambda self: self._supports_serialize)

    def _call(self, what, *args, name=None):
        """The op for references to readers or to resources, as the reader is."""
        form = '_v2' if self._reader_ref.dtype == dtypes.resource else ''
        return getattr(_ops, 'reader_' + what + form)(self._reader_ref, *args, name=name)

    def read(self, queue, name=None):
        return self._call('read', queue if isinstance(queue, Tensor) else queue.queue_ref, name=name)

    def read_up_to(self, queue, num_records, name=None):
        queue = queue if isinstance(queue, Tensor) else queue.queue_ref
        return self._call('read_up_to', queue, num_records, name=name)

    def num_records_produced(self, name=None):
        return self._call('num_records_produced', name=name)

    def num_work_units_completed(self, name=None):
        return self._call('num_work_units_completed', name=name)

    def serialize_state(self, name=None):
        return self._call('serialize_state', name=name)

    def restore_state(self, state, name=None):
        return self._call('restore_state', state, name=name)

    def reset(self, name=None):
        return self._call('reset', name=name)


class WholeFileReader(ReaderBase):
    """A record is a whole file; its key is the name."""

    def __init__(self, name=None):
        super().__init__(_ops.whole_file_reader_v2(name=name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """A record is a line without its end."""

    def __init__(self, skip_header_lines=None, name=None):
        super().__init__(_ops.text_line_reader_v2(skip_header_lines=skip_header_lines or 0, name=name))


class FixedLengthRecordReader(ReaderBase):
    """A record has record_bytes bytes."""

    def __init__(self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None, name=None, encoding=None):
        super().__init__(_ops.fixed_length_record_reader_v2(record_bytes=record_bytes, header_bytes=header_bytes or 0,
                                                            footer_bytes=footer_bytes or 0, hop_bytes=hop_bytes or 0,
                                                            encoding=encoding or '', name=name))


class TFRecordReader(ReaderBase):
    """A record of a record file."""

    def __init__(self, name=None, options=None):
        from .tf_record import TFRecordOptions
        kind = TFRecordOptions.get_compression_type_string(options)
        super().__init__(_ops.tf_record_reader_v2(compression_type=kind or '', name=name))


class IdentityReader(ReaderBase):
    """Key and value are the work unit itself."""

    def __init__(self, name=None):
        super().__init__(_ops.identity_reader_v2(name=name), supports_serialize=True)


class LMDBReader(ReaderBase):
    """Named in TensorFlow 1.x; the library has no LMDB."""

    def __init__(self, name=None, options=None):
        raise NotImplementedError('weir does not read LMDB files')
