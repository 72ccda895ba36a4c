"""Small modules of tensorflow.python that programs import: decorators, inspection, files, devices, resources."""
import inspect
import os
import sys

from . import gfile
from .event_writer import FileWriter
from .training.checkpoint_management import NewCheckpointReader  # noqa: F401

# ---- deprecation, function_utils ----

def deprecated(date, instructions, warn_once=True):
    return lambda func: func


def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, **kwargs):
    return lambda func: func


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    return func_or_class


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    if old_value is not None and new_value is not None:
        raise ValueError("Cannot specify both '%s' and '%s'" % (old_name, new_name))
    return old_value if new_value is None else new_value


def fn_args(fn):
    """Names of a function's arguments, without self."""
    return tuple(name for name in inspect.signature(fn).parameters if name != 'self')


def has_kwargs(fn):
    return any(item.kind == item.VAR_KEYWORD for item in inspect.signature(fn).parameters.values())


def get_func_name(func):
    return getattr(func, '__name__', str(func))


# ---- resource_loader ----

def _caller_folder():
    frame = sys._getframe(2)
    return os.path.dirname(os.path.abspath(frame.f_code.co_filename))


def get_data_files_path():
    return _caller_folder()


def get_path_to_datafile(path):
    return os.path.join(_caller_folder(), path)


def get_root_dir_with_all_resources():
    return _caller_folder()


def load_resource(path):
    with open(os.path.join(_caller_folder(), path), 'rb') as file:
        return file.read()


def readahead_file_path(path, readahead='128M'):
    return path


# ---- file_io ----

class FileIO(gfile.GFile):
    def __init__(self, name, mode):
        super().__init__(name, mode)


file_exists, is_directory, list_directory = gfile.Exists, gfile.IsDirectory, gfile.ListDirectory
create_dir, recursive_create_dir, delete_file = gfile.MkDir, gfile.MakeDirs, gfile.Remove
delete_recursively, rename, copy, get_matching_files, walk, stat = (
    gfile.DeleteRecursively, gfile.Rename, gfile.Copy, gfile.Glob, gfile.Walk, gfile.Stat)
ListDir = gfile.ListDirectory


def read_file_to_string(filename, binary_mode=False):
    with gfile.GFile(filename, 'rb' if binary_mode else 'r') as file:
        return file.read()


def write_string_to_file(filename, file_content):
    with gfile.GFile(filename, 'w') as file:
        file.write(file_content)


def atomic_write_string_to_file(filename, contents, overwrite=True):
    temporary = filename + '.tmp'
    write_string_to_file(temporary, contents)
    gfile.Rename(temporary, filename, overwrite)


def get_matching_files_v2(pattern):
    return gfile.Glob(pattern)


# ---- device_lib ----

def list_local_devices(session_config=None):
    from .messages import DeviceAttributes
    from .session import Session
    with Session(config=session_config) as session:
        found = session.list_devices()
    return [DeviceAttributes(name=item.name.replace('/job:localhost/replica:0/task:0', ''), device_type=item.device_type,
                             memory_limit=max(item.memory_limit_bytes, 0)) for item in found]


# ---- pywrap_tensorflow ----

class EventsWriter:
    """Writes events to prefix.out.tfevents.*."""

    def __init__(self, file_prefix):
        if isinstance(file_prefix, bytes):
            file_prefix = file_prefix.decode()
        folder, self._suffix = os.path.split(file_prefix)
        self._writer = FileWriter(folder or '.', filename_suffix='.' + self._suffix)

    def WriteEvent(self, event):
        self._writer.add_event(event)

    def Flush(self):
        self._writer.flush()
        return True

    def Close(self):
        self._writer.close()
        return True


# ---- debug ----

class _Passed:
    """A session that is asked to watch runs: it passes them on."""

    def __init__(self, sess, *args, **kwargs):
        self._sess = sess

    def __getattr__(self, name):
        return getattr(self._sess, name)

    def __enter__(self):
        self._sess.__enter__()
        return self

    def __exit__(self, *error):
        return self._sess.__exit__(*error)

    def add_tensor_filter(self, filter_name, tensor_filter):
        pass


class LocalCLIDebugWrapperSession(_Passed):
    def __init__(self, sess, dump_root=None, log_usage=True, ui_type='curses', thread_name_filter=None, config_file_path=False):
        super().__init__(sess)


class TensorBoardDebugWrapperSession(_Passed):
    def __init__(self, sess, grpc_debug_server_addresses, thread_name_filter=None, send_traceback_and_source_code=True, log_usage=True):
        super().__init__(sess)


class DumpingDebugWrapperSession(_Passed):
    pass


def has_inf_or_nan(datum, tensor):
    import numpy as np
    return getattr(tensor, 'dtype', None) is not None and tensor.dtype.kind in 'fc' and not np.isfinite(tensor).all()
