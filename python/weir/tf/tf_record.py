"""Record files: tf.python_io, tf.io.TFRecordWriter, tf.train.summary_iterator."""
from .. import _native
from . import compat, gfile


class TFRecordCompressionType:
    NONE, ZLIB, GZIP = 0, 1, 2


class TFRecordOptions:
    """How a file is compressed; what tunes the compression is kept and not used."""
    compression_type_map = {TFRecordCompressionType.ZLIB: 'ZLIB', TFRecordCompressionType.GZIP: 'GZIP',
                            TFRecordCompressionType.NONE: ''}

    def __init__(self, compression_type=None, flush_mode=None, input_buffer_size=None, output_buffer_size=None, window_bits=None,
                 compression_level=None, compression_method=None, mem_level=None, compression_strategy=None):
        self.get_compression_type_string(compression_type)
        self.compression_type, self.flush_mode, self.input_buffer_size = compression_type, flush_mode, input_buffer_size
        self.output_buffer_size, self.window_bits, self.compression_level = output_buffer_size, window_bits, compression_level
        self.compression_method, self.mem_level, self.compression_strategy = compression_method, mem_level, compression_strategy

    @classmethod
    def get_compression_type_string(cls, options):
        if not options:
            return ''
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError('Not a valid compression_type: "%s"' % (options,))


class GrowingFile:
    """Records in a file that others may read while it grows."""

    def __init__(self, path):
        with gfile._errors(path):
            self._file = open(path, 'wb')

    def add(self, record):
        head, tail = _native.record_frame(record)
        self._file.write(head)
        self._file.write(record)
        self._file.write(tail)

    def flush(self):
        self._file.flush()

    def close(self):
        self._file.close()


class _WholeFile:
    """Records in a compressed file, which appears when it is closed."""

    def __init__(self, path, compression):
        self._writer = _native.records_create(path, compression)

    def add(self, record):
        _native.records_add(self._writer, record)

    def flush(self):
        pass

    def close(self):
        _native.records_close(self._writer)


class TFRecordWriter:
    """Writes records; a context manager, too."""

    def __init__(self, path, options=None):
        compression = TFRecordOptions.get_compression_type_string(options)
        path = gfile._local(path)
        self._out = _WholeFile(path, compression) if compression else GrowingFile(path)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        if getattr(self, '_out', None) is not None:
            self.close()

    def _open(self):
        if self._out is None:
            from . import errors
            raise errors.FailedPreconditionError(None, None, 'Writer is closed.')
        return self._out

    def write(self, record):
        self._open().add(compat.as_bytes(record))

    def flush(self):
        self._open().flush()

    def close(self):
        out, self._out = self._out, None
        if out is not None:
            out.close()


def tf_record_iterator(path, options=None):
    """The records of a file."""
    reader = _native.records_open(gfile._local(path), TFRecordOptions.get_compression_type_string(options))
    while True:
        record = _native.records_next(reader)
        if record is None:
            return
        yield record


def summary_iterator(path):
    """The Events of an event file."""
    from . import messages
    for record in tf_record_iterator(path):
        yield messages.Event.FromString(record)
