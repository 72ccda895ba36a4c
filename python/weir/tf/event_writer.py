"""Event files for TensorBoard: tf.summary.FileWriter and FileWriterCache."""
import os
import socket
import threading
import time
import warnings

from . import gfile, messages
from .tf_record import GrowingFile

_lock = threading.Lock()
_last_second = 0


def _file_name(logdir, suffix):
    """A name that no other writer of this process has: seconds go on by one where two start in the same."""
    global _last_second
    with _lock:
        _last_second = max(int(time.time()), _last_second)
        while True:
            name = os.path.join(logdir, 'events.out.tfevents.%010d.%s%s' % (_last_second, socket.gethostname(), suffix))
            if not os.path.exists(name):
                return name
            _last_second += 1


class FileWriter:
    """Adds events to one file in `logdir`. What was added is readable after max_queue events, flush_secs, or flush()."""

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None, filename_suffix=None, session=None):
        self._logdir = gfile._local(logdir)
        self._suffix = filename_suffix or ''
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._guard, self._file, self._closed = threading.RLock(), None, False
        self._seen_plugins = set()
        gfile.makedirs(self._logdir)
        self._start()
        if session is not None and graph is None:
            graph = session.graph
        if graph is not None or graph_def is not None:
            self.add_graph(graph=graph, graph_def=graph_def)

    def _start(self):
        self._path = _file_name(self._logdir, self._suffix)
        self._file, self._waiting, self._flushed = GrowingFile(self._path), 0, time.time()
        self._write(messages.Event(wall_time=time.time(), file_version='brain.Event:2'))
        self._file.flush()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def get_logdir(self):
        return self._logdir

    def _write(self, event):
        with self._guard:
            self._file.add(event.SerializeToString())
            self._waiting += 1
            if self._waiting > self._max_queue or time.time() - self._flushed > self._flush_secs:
                self.flush()

    def add_event(self, event):
        if self._closed:
            warnings.warn('Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is '
                          'explicitly reopened.')
            return
        self._write(event)

    def _add(self, event, global_step):
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def add_summary(self, summary, global_step=None):
        """`summary` is a Summary or what a summary node gave."""
        if isinstance(summary, messages.Message):
            made = messages.Summary.FromString(summary.SerializeToString())
        else:
            made = messages.Summary.FromString(bytes(summary))
        for value in made.value:  # a tag's plugin is said once a file
            if value.HasField('metadata'):
                if value.tag in self._seen_plugins:
                    value.ClearField('metadata')
                self._seen_plugins.add(value.tag)
        self._add(messages.Event(summary=made), global_step)

    def add_session_log(self, session_log, global_step=None):
        self._add(messages.Event(session_log=session_log), global_step)

    def add_graph(self, graph, global_step=None, graph_def=None):
        if graph is not None and hasattr(graph, 'as_graph_def'):
            from .graph_bytes import graph_bytes
            data = graph_bytes(graph, add_shapes=True)
        else:
            graph_def = graph if graph is not None and graph_def is None else graph_def  # in the graph's place, as before 1.0
            if not isinstance(graph_def, messages.GraphDef):
                raise TypeError('The passed graph must be an instance of `Graph` or a GraphDef')
            data = graph_def.SerializeToString()
        self._add(messages.Event(graph_def=data), global_step)

    def add_meta_graph(self, meta_graph_def, global_step=None):
        if not isinstance(meta_graph_def, messages.MetaGraphDef):
            raise TypeError('meta_graph_def must be type MetaGraphDef, saw type: %s' % type(meta_graph_def))
        self._add(messages.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        event = messages.Event()
        event.tagged_run_metadata.tag = tag
        event.tagged_run_metadata.run_metadata = run_metadata.SerializeToString()
        self._add(event, global_step)

    def flush(self):
        with self._guard:
            if not self._closed:
                self._file.flush()
                self._waiting, self._flushed = 0, time.time()

    def close(self):
        with self._guard:
            if not self._closed:
                self._file.close()
                self._closed = True

    def reopen(self):
        with self._guard:
            if self._closed:
                self._closed = False
                self._seen_plugins.clear()
                self._start()


class FileWriterCache:
    """One writer a folder."""
    _cache = {}

    @staticmethod
    def clear():
        with _lock:
            writers = list(FileWriterCache._cache.values())
            FileWriterCache._cache.clear()
        for writer in writers:
            writer.close()

    @staticmethod
    def get(logdir):
        found = FileWriterCache._cache.get(logdir)
        if found is None:
            from . import framework
            found = FileWriter(logdir, graph=framework.get_default_graph())
            FileWriterCache._cache[logdir] = found
        return found
