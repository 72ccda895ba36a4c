"""The file `checkpoint` of a folder, and what lies beside it."""
import glob
import os
import re

from .. import errors, messages


def _local(path):
    """A path without the scheme of files."""
    return path[len('file://'):] if path.startswith('file://') else path


def _is_dir(path):
    return os.path.isdir(_local(path) or '.')


def _state_file(folder, latest_filename):
    return os.path.join(_local(folder), latest_filename or 'checkpoint')


def _state(latest, paths, timestamps, preserved):
    state = messages.CheckpointState(model_checkpoint_path=latest, all_model_checkpoint_paths=paths)
    state.all_model_checkpoint_timestamps.extend(timestamps or ())
    if preserved is not None:
        state.last_preserved_timestamp = preserved
    return state


def generate_checkpoint_state_proto(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None,
                                    all_model_checkpoint_timestamps=None, last_preserved_timestamp=None):
    paths = list(all_model_checkpoint_paths or [])
    if all_model_checkpoint_timestamps and len(all_model_checkpoint_timestamps) != len(paths):
        raise ValueError('Checkpoint timestamps, if provided, must match checkpoint paths (got paths %s and timestamps %s)'
                         % (paths, all_model_checkpoint_timestamps))
    if not paths or paths[-1] != model_checkpoint_path:
        paths.append(model_checkpoint_path)
    if not os.path.isabs(save_dir):
        def relative(path):
            return path if os.path.isabs(path) else os.path.relpath(path, save_dir)
        paths, model_checkpoint_path = [relative(path) for path in paths], relative(model_checkpoint_path)
    return _state(model_checkpoint_path, paths, all_model_checkpoint_timestamps, last_preserved_timestamp)


def update_checkpoint_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None, latest_filename=None,
                            all_model_checkpoint_timestamps=None, last_preserved_timestamp=None):
    _update(save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename, False, all_model_checkpoint_timestamps,
            last_preserved_timestamp)


def update_checkpoint_state_internal(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None, latest_filename=None,
                                     save_relative_paths=False, all_model_checkpoint_timestamps=None,
                                     last_preserved_timestamp=None):
    _update(save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename, save_relative_paths,
            all_model_checkpoint_timestamps, last_preserved_timestamp)


def _update(save_dir, latest, paths, latest_filename, save_relative_paths, timestamps=None, preserved=None):
    path = _state_file(save_dir, latest_filename)
    if save_relative_paths:
        def relative(name):
            return os.path.relpath(name, save_dir) if os.path.isabs(name) == os.path.isabs(save_dir) else name
        latest, paths = relative(latest), [relative(name) for name in paths or ()]
        state = _state(latest, paths if latest in paths else paths + [latest], timestamps, preserved)
    else:
        state = generate_checkpoint_state_proto(save_dir, latest, paths, timestamps, preserved)
    if path == state.model_checkpoint_path:
        raise RuntimeError("Save path '%s' conflicts with path used for checkpoint state.  Please use a different save path."
                           % latest)
    with open(path + '.part', 'w', encoding='utf-8') as file:
        file.write(str(state))
    os.replace(path + '.part', path)


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    path = _state_file(os.fspath(checkpoint_dir), latest_filename)
    if not os.path.isfile(path):
        return None
    try:
        with open(path, encoding='utf-8') as file:
            state = messages.merge_text(file.read(), messages.CheckpointState())
    except (OSError, errors.OpError):
        return None
    if not state.model_checkpoint_path:
        raise ValueError('Invalid checkpoint state loaded from ' + os.path.dirname(path))
    folder = os.path.dirname(path)
    state.model_checkpoint_path = os.path.join(folder, state.model_checkpoint_path)
    for i, name in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(folder, name)
    return state


def checkpoint_exists(checkpoint_prefix):
    prefix = _local(os.fspath(checkpoint_prefix))
    return bool(glob.glob(glob.escape(prefix) + '.index') or glob.glob(prefix + '.index') or glob.glob(prefix))


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state and checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    return None


def get_checkpoint_mtimes(checkpoint_prefixes):
    times = []
    for prefix in checkpoint_prefixes:
        for path in (prefix + '.index', prefix):
            if os.path.exists(path):
                times.append(os.path.getmtime(path))
                break
    return times


def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix='meta'):
    names = [_meta_name(checkpoint_prefix, meta_graph_suffix)]
    if checkpoint_format_version == 2:
        names += [checkpoint_prefix + '.index'] + glob.glob(glob.escape(checkpoint_prefix) + '.data-?????-of-?????')
    else:
        names.append(checkpoint_prefix)
    for name in names:
        if os.path.exists(name):
            os.remove(name)


def meta_graph_filename(checkpoint_filename, meta_graph_suffix='meta'):
    return _meta_name(checkpoint_filename, meta_graph_suffix)


def _meta_name(prefix, suffix='meta'):
    return re.sub(r'-[\d\?]+-of-\d+$', '', prefix) + '.' + suffix


def _prefix_of(ckpt_dir_or_file):
    path = os.fspath(ckpt_dir_or_file)
    if not os.path.isdir(path):
        return path
    found = latest_checkpoint(path)
    if found is None:
        raise ValueError("Couldn't find 'checkpoint' file or checkpoints in given directory %s" % path)
    return found


class CheckpointReader:
    """The variables of one checkpoint."""

    def __init__(self, filename):
        from ... import _native
        self._native = _native
        self._reader = _native.checkpoint_open(filename)
        self._rows = {name: (dtype, list(shape)) for name, dtype, shape in _native.checkpoint_list(self._reader)}

    def get_variable_to_shape_map(self):
        return {name: list(shape) for name, (_, shape) in self._rows.items()}

    def get_variable_to_dtype_map(self):
        from ..dtypes import as_dtype
        return {name: as_dtype(dtype) for name, (dtype, _) in self._rows.items()}

    def has_tensor(self, tensor_str):
        return tensor_str in self._rows

    def get_tensor(self, tensor_str):
        if tensor_str not in self._rows:
            raise errors.NotFoundError(None, None, 'Key %s not found in checkpoint' % tensor_str)
        return self._native.checkpoint_get(self._reader, tensor_str)

    def debug_string(self):
        from ..dtypes import as_dtype
        rows = ((name, messages.DataType.Name(as_dtype(dtype).as_datatype_enum), shape) for name, (dtype, shape) in sorted(self._rows.items()))
        return ''.join('%s (%s) [%s]\n' % (name, kind, ','.join(map(str, shape))) for name, kind, shape in rows).encode()


def NewCheckpointReader(filepattern):
    return CheckpointReader(os.fspath(filepattern))


def load_checkpoint(ckpt_dir_or_file):
    return NewCheckpointReader(_prefix_of(ckpt_dir_or_file))


def load_variable(ckpt_dir_or_file, name):
    name = name[:-2] if name.endswith(':0') else name
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)


def list_variables(ckpt_dir_or_file):
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())
