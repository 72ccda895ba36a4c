"""Saver: variables to files and back."""
import itertools
import os
import time

from .. import _ops, array_ops, errors
from ..control_flow_ops import group
from ..graph import get_default_graph
from ..graph_bytes import graph_bytes, with_field
from ..partitioned_variables import PartitionedVariable
from ..scopes import GraphKeys, colocate_with, control_dependencies, name_scope
from ..tensor import Tensor
from ..variables import Variable, _all_saveable_objects
from . import checkpoint_management as files
from .saveable_object import SaveableObject, SaveSpec


class _Saved:
    """A tensor of a checkpoint: its name there, its slice, what is written and how it is read back."""

    def __init__(self, name, spec, var):
        self.name, self.spec, self.var, self.owner = name, spec, var, None

    dtype = property(lambda self: self.var.dtype.base_dtype)

    def tensor(self):
        var = self.var
        if not isinstance(var, Variable):
            return var
        return var._snapshot if self.spec or hasattr(var, 'handle') else var._ref()

    def restored(self, value, reshape):
        var = self.var
        shape = var.get_shape()
        if reshape and shape.is_fully_defined():
            value = array_ops.reshape(value, shape.as_list())
        if hasattr(var, 'handle'):
            with colocate_with(var):
                return _ops.assign_variable_op(var.handle, array_ops.identity(value))
        ref = var._ref() if isinstance(var, Variable) else var
        with colocate_with(ref.op):
            return _ops.assign(ref, value, validate_shape=not reshape and shape.is_fully_defined()).op


class _SavedPart:
    """A tensor of an object that restores itself."""

    def __init__(self, owner, spec):
        self.owner, self.name, self.spec, self._tensor, self.dtype = owner, spec.name, spec.slice_spec, spec.tensor, spec.dtype

    def tensor(self):
        return self._tensor


def _saveable_of(value):
    """The object itself, or the one that a table has for savers; None for others."""
    if isinstance(value, SaveableObject):
        return value
    return value._saveable() if hasattr(value, '_saveable') else None


def _is_variable(value):
    return isinstance(value, Variable) or isinstance(value, Tensor) and value.op.type in (
        'Variable', 'VariableV2', 'AutoReloadVariable')


def _saved_of(name, value):
    if isinstance(value, (PartitionedVariable, list, tuple)):
        return [_Saved(name, part._get_save_slice_info().spec, part) for part in value]
    saveable = _saveable_of(value)
    if saveable is not None:
        return [_SavedPart(saveable, spec) for spec in saveable.specs]
    if not _is_variable(value):
        raise TypeError('Variable to save is not a Variable: %s' % (value,))
    return [_Saved(name, '', value)]


def _claim(seen, name, owner):
    if seen.setdefault(name, owner) is not owner:
        raise ValueError('At least two variables have the same name: %s' % name)


def _listed(var_list):
    """The parts to save, sorted by name."""
    rows, seen, whole = [], {}, {}
    for var in var_list:
        info = var._get_save_slice_info() if isinstance(var, Variable) else None
        if isinstance(var, PartitionedVariable):
            _claim(whole, var.name, var)
            rows.append((var.name, _saved_of(var.name, var)))
        elif info:
            _claim(seen, info.full_name, 'parts')
            rows.append((info.full_name, [_Saved(info.full_name, info.spec, var)]))
        elif _saveable_of(var) is not None:
            _claim(seen, _saveable_of(var).name, var)
            rows.append((_saveable_of(var).name, _saved_of(None, var)))
        else:
            if not _is_variable(var):
                raise TypeError('Variable to save is not a Variable: %s' % (var,))
            name = var.op.name
            _claim(seen, name, var)
            rows.append((name, _saved_of(name, var)))
    return rows


def _parts(var_list):
    if isinstance(var_list, dict):
        rows = [(name, _saved_of(name, value)) for name, value in var_list.items()]
    else:
        rows = _listed(list(dict.fromkeys(var_list)))
    return [part for _, parts in sorted(rows, key=lambda row: row[0]) for part in parts]


def _put_back(part, values, reshape):
    """The operation that restores a variable, or an object of several tensors."""
    if part.owner is None:
        return part.restored(values[0], reshape)
    done = part.owner.restore(values, [array_ops.shape(value) for value in values] if reshape else None)
    return done.op if hasattr(done, 'op') else done


class _SaveableVariable(SaveableObject):
    """A variable as such an object, for classes that restore it in a way of their own."""

    def __init__(self, var, slice_spec, name):
        self._part = _Saved(name, slice_spec, var)
        super().__init__(var, [SaveSpec(self._part.tensor(), slice_spec, name, dtype=var.dtype.base_dtype)], name)

    def restore(self, restored_tensors, restored_shapes):
        return self._part.restored(restored_tensors[0], restored_shapes is not None)


class BaseSaverBuilder:
    """Names that programs use to save objects of their own."""
    SaveSpec, SaveableObject = SaveSpec, SaveableObject
    VariableSaveable = ResourceVariableSaveable = _SaveableVariable

    def __init__(self, write_version=2):
        self._write_version = write_version


class Saver:
    """Saves and restores variables. Shards are not split: `sharded` is taken, and one file is written."""

    def __init__(self, var_list=None, reshape=False, sharded=False, max_to_keep=5, keep_checkpoint_every_n_hours=10000.0, name=None,
                 restore_sequentially=False, saver_def=None, builder=None, defer_build=False, allow_empty=False, write_version=2,
                 pad_step_number=False, save_relative_paths=False, filename=None):
        if defer_build and var_list:
            raise ValueError('If `var_list` is provided then build cannot be deferred. Either set defer_build=False or '
                             'var_list=None.')
        if write_version not in (1, 2):
            raise RuntimeError('Unexpected write_version: %s' % write_version)
        self._write_version = write_version
        self._var_list, self._reshape, self._sharded, self._name = var_list, reshape, sharded, name
        self._max_to_keep, self._every = max_to_keep, keep_checkpoint_every_n_hours
        self._sequentially, self._allow_empty, self._filename = restore_sequentially, allow_empty, filename
        self._pad_step_number, self._save_relative_paths = pad_step_number, save_relative_paths
        self._next_time = time.time() + keep_checkpoint_every_n_hours * 3600
        self._last_checkpoints, self._to_delete = [], []
        self.saver_def, self._is_built, self._is_empty = saver_def, False, False
        if saver_def is not None:
            self._from_def()
        elif not defer_build:
            self.build()

    def _from_def(self):
        self._max_to_keep, self._every = self.saver_def.max_to_keep, self.saver_def.keep_checkpoint_every_n_hours
        self._next_time = time.time() + self._every * 3600
        self._is_built, self._write_version = True, self.saver_def.version or 1

    def build(self):
        if self._is_built:
            return
        self._is_built = True
        var_list = _all_saveable_objects() if self._var_list is None else self._var_list
        if not var_list:
            if not self._allow_empty:
                raise ValueError('No variables to save')
            self._is_empty = True
            return
        parts = _parts(var_list)
        from ..messages import SaverDef
        with name_scope(self._name, 'save'):
            path, saved, restored = self._add_nodes(parts)
        self.saver_def = SaverDef(filename_tensor_name=path.name, save_tensor_name=saved.name, restore_op_name=restored.name,
                                  max_to_keep=self._max_to_keep or 0, keep_checkpoint_every_n_hours=self._every, version=self._write_version,
                                 sharded=self._sharded)

    def _add_nodes(self, parts):
        default = array_ops.placeholder_with_default(self._filename or 'model', shape=(), name='filename')
        path = array_ops.placeholder_with_default(default, shape=(), name='Const')
        names, specs = [part.name for part in parts], [part.spec for part in parts]
        save = (_ops.save_v2 if self._write_version == 2 else _ops.save_slices)(path, names, specs, [part.tensor() for part in parts])
        with control_dependencies([save]):
            saved = array_ops.identity(path, name='control_dependency')
        values = _ops.restore_v2(path, names, specs, [part.dtype.base_dtype for part in parts])
        assigns = []
        for _, rows in itertools.groupby(zip(parts, values), lambda row: row[0].owner or row[0]):
            rows = list(rows)
            with control_dependencies(assigns[-1:] if self._sequentially else []):
                assigns.append(_put_back(rows[0][0], [value for _, value in rows], self._reshape))
        return path, saved, group(*assigns, name='restore_all')

    # ---- saving ----

    def _path_of(self, sess, save_path, global_step):
        if global_step is None:
            return save_path
        if isinstance(global_step, (Tensor, Variable)):
            from .training_util import global_step as step_of
            global_step = step_of(sess, global_step)
        return '%s-%s' % (save_path, '%08d' % global_step if self._pad_step_number else '%d' % global_step)

    def save(self, sess, save_path, global_step=None, latest_filename=None, meta_graph_suffix='meta', write_meta_graph=True,
             write_state=True, strip_default_attrs=False, save_debug_info=False):
        self._check_built()
        if not callable(getattr(sess, 'run', None)):
            raise TypeError("'sess' must be a Session; %s" % sess)
        save_path, latest_filename = os.fspath(save_path), latest_filename or 'checkpoint'
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        path = self._path_of(sess, save_path, global_step)
        if global_step is None and not self._sharded and os.path.basename(save_path) == latest_filename:
            raise ValueError("'latest_filename' collides with 'save_path': '%s' and '%s'" % (latest_filename, save_path))
        folder = os.path.dirname(save_path)
        if not self._is_empty:
            path = self._write(sess, path, save_path, folder)
            path = path.decode() if isinstance(path, bytes) else str(path)
            if write_state:
                self._record(path, folder, latest_filename, meta_graph_suffix)
        if write_meta_graph:
            with sess.graph.as_default():
                self._write_meta_graph(files._meta_name(path, meta_graph_suffix), strip_default_attrs)
        return None if self._is_empty else path

    def _write(self, sess, path, save_path, folder):
        """Runs the nodes that save; of folders that are missing the last one is made, by the op."""
        try:
            return sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: path})
        except (errors.FailedPreconditionError, errors.NotFoundError) as error:
            if files._is_dir(folder):
                raise
            raise ValueError("Parent directory of %s doesn't exist, can't save." % save_path) from error

    def _write_meta_graph(self, filename, strip_default_attrs):
        if type(self).export_meta_graph is Saver.export_meta_graph:
            _write_meta_graph(filename, self.saver_def)
        else:
            self.export_meta_graph(filename, strip_default_attrs=strip_default_attrs)

    def _record(self, path, folder, latest_filename, suffix):
        if self._max_to_keep:
            self._last_checkpoints = [row for row in self._last_checkpoints if row[0] != path] + [(path, time.time())]
        if self._max_to_keep and len(self._last_checkpoints) > self._max_to_keep:
            self._to_delete.append(self._last_checkpoints.pop(0))
        paths = self.last_checkpoints if self._max_to_keep else [path]
        files._update(folder, path, paths, latest_filename, self._save_relative_paths)
        for old, when in self._to_delete:
            if when > self._next_time:
                self._next_time += self._every * 3600
            else:
                files.remove_checkpoint(old, self._write_version, suffix)
        self._to_delete = []

    def _check_built(self):
        if not self._is_built:
            raise RuntimeError('`build()` should be called before save if defer_build==True')

    @property
    def last_checkpoints(self):
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints):
        self._last_checkpoints = [(path, float('inf')) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        self._last_checkpoints = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths):
        rows = []
        for path in checkpoint_paths:
            times = files.get_checkpoint_mtimes([path])
            if times:
                rows.append((path, times[0]))
        self._last_checkpoints = rows

    # ---- restoring ----

    def restore(self, sess, save_path):
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        path = os.fspath(save_path)
        if not files.checkpoint_exists(path):
            raise ValueError('The passed save_path is not a valid checkpoint: ' + path)
        try:
            sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: path})
        except errors.NotFoundError as error:
            raise _explained(error, 'a Variable name or other graph key that is missing from the checkpoint') from error
        except errors.InvalidArgumentError as error:
            raise _explained(error, 'a mismatch between the current graph and the graph from the checkpoint') from error

    # ---- descriptions ----

    def as_saver_def(self):
        return self.saver_def

    def to_proto(self, export_scope=None):
        if export_scope is None:
            return self.saver_def
        from ..messages import SaverDef
        proto, scope = SaverDef(), export_scope + '/'
        if not self.saver_def.filename_tensor_name.startswith(scope):
            return None
        proto.CopyFrom(self.saver_def)
        for field in ('filename_tensor_name', 'save_tensor_name', 'restore_op_name'):
            setattr(proto, field, getattr(proto, field)[len(scope):])
        return proto

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        if import_scope:
            from ..messages import SaverDef
            scoped = SaverDef()
            scoped.CopyFrom(saver_def)
            for field in ('filename_tensor_name', 'save_tensor_name', 'restore_op_name'):
                setattr(scoped, field, import_scope + '/' + getattr(scoped, field))
            saver_def = scoped
        return Saver(saver_def=saver_def)

    def export_meta_graph(self, filename=None, collection_list=None, as_text=False, export_scope=None, clear_devices=False,
                          clear_extraneous_savers=False, strip_default_attrs=False, save_debug_info=False):
        return export_meta_graph(filename=filename, saver_def=self.saver_def, collection_list=collection_list, as_text=as_text,
                                 export_scope=export_scope, clear_devices=clear_devices)


def _explained(error, cause):
    return type(error)(error.node_def, error.op, 'Restoring from checkpoint failed. This is most likely due to %s. Please ensure that '
                       'you have not altered the graph expected based on the checkpoint. Original error:\n\n%s' % (cause, error.message))


# ---- meta graphs ----

_OF_VARIABLES = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES,
                 GraphKeys.MOVING_AVERAGE_VARIABLES, GraphKeys.METRIC_VARIABLES, GraphKeys.GLOBAL_STEP)


def _put_collection(proto, graph, key):
    """Adds a collection to a meta graph; one of values that no message can hold is left out."""
    items = graph.get_collection(key)
    if not isinstance(key, str) or not items:
        return
    if all(hasattr(item, 'to_proto') and (key in _OF_VARIABLES or not hasattr(item, 'graph')) for item in items):
        proto.collection_def[key].bytes_list.value.extend([item.to_proto().SerializeToString() for item in items])
    elif all(hasattr(item, 'name') and hasattr(item, 'graph') for item in items):
        proto.collection_def[key].node_list.value.extend([item.name for item in items])
    elif all(isinstance(item, (str, bytes)) for item in items):
        proto.collection_def[key].bytes_list.value.extend([item.encode() if isinstance(item, str) else item for item in items])
    elif all(type(item) is float for item in items):
        proto.collection_def[key].float_list.value.extend(items)
    elif all(type(item) is int for item in items):
        proto.collection_def[key].int64_list.value.extend(items)


def _describe(proto, graph, meta_info_def, saver_def, collection_list):
    """All of a MetaGraphDef but the graph."""
    if meta_info_def is not None:
        proto.meta_info_def.MergeFrom(meta_info_def)
    proto.meta_info_def.tensorflow_version = '1.15.5'
    if saver_def is not None:
        proto.saver_def.MergeFrom(saver_def)
    for key in collection_list if collection_list is not None else graph.get_all_collection_keys():
        _put_collection(proto, graph, key)


def _write_meta_graph(filename, saver_def):
    """The file of the default graph that a checkpoint has beside it."""
    from ..messages import MetaGraphDef
    graph, proto = get_default_graph(), MetaGraphDef()
    _describe(proto, graph, None, saver_def, None)
    with open(files._local(filename), 'wb') as file:
        file.write(with_field(proto.SerializeToString(), 2, graph_bytes(graph)))  # field 2: the graph


def export_meta_graph(filename=None, meta_info_def=None, graph_def=None, saver_def=None, collection_list=None, as_text=False,
                      graph=None, export_scope=None, clear_devices=False, clear_extraneous_savers=False,
                      strip_default_attrs=False, save_debug_info=False, **kwargs):
    from ..messages import MetaGraphDef
    if export_scope:
        raise NotImplementedError('weir exports whole graphs only, without export_scope')
    graph, proto = graph or get_default_graph(), MetaGraphDef()
    _describe(proto, graph, meta_info_def, saver_def, collection_list)
    proto.graph_def.MergeFromString(graph_def.SerializeToString() if graph_def is not None else graph_bytes(graph))
    if clear_devices:
        for node in proto.graph_def.node:
            node.device = ''
    if filename:
        with open(files._local(filename), 'wb') as file:
            file.write(str(proto).encode() if as_text else proto.SerializeToString())
    return proto


def _read_meta_graph(source):
    from ..messages import MetaGraphDef, merge_text
    if isinstance(source, MetaGraphDef):
        return source
    if not os.path.exists(files._local(source)):
        raise OSError('File %s does not exist.' % source)
    with open(files._local(source), 'rb') as file:
        data = file.read()
    proto = MetaGraphDef()
    try:
        proto.ParseFromString(data)
    except Exception:
        try:
            proto = merge_text(data, MetaGraphDef())
        except errors.OpError as error:
            raise OSError('Cannot parse file %s: %s.' % (source, error.message)) from error
    return proto


def _take_collection(graph, key, held, scope, made):
    kind = held.WhichOneof('kind')
    if kind == 'bytes_list' and key in _OF_VARIABLES:
        from ..messages import VariableDef
        for data in held.bytes_list.value:
            if data not in made:
                made[data] = Variable.from_proto(VariableDef.FromString(data), import_scope=scope)
            graph.add_to_collection(key, made[data])
    elif kind == 'bytes_list' and key == GraphKeys.QUEUE_RUNNERS:
        from ..messages import QueueRunnerDef
        from .queue_runner_impl import QueueRunner
        for data in held.bytes_list.value:
            graph.add_to_collection(key, QueueRunner.from_proto(QueueRunnerDef.FromString(data), scope))
    elif kind == 'bytes_list' and key == GraphKeys.SAVERS:
        from ..messages import SaverDef
        for data in held.bytes_list.value:
            graph.add_to_collection(key, Saver.from_proto(SaverDef.FromString(data), scope))
    elif kind == 'node_list':
        for name in held.node_list.value:
            graph.add_to_collection(key, graph.as_graph_element(scope + '/' + name if scope else name))
    elif kind in ('float_list', 'int64_list', 'bytes_list'):
        for value in getattr(held, kind).value:
            graph.add_to_collection(key, value)


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    return _import_meta_graph_with_return_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def _import_meta_graph_with_return_elements(meta_graph_or_file, clear_devices=False, import_scope=None, return_elements=None, **kwargs):
    """(saver, what return_elements names)"""
    from ..framework import import_graph_def
    proto, graph = _read_meta_graph(meta_graph_or_file), get_default_graph()
    graph_def = proto.graph_def
    if clear_devices:
        for node in graph_def.node:
            node.device = ''
    around = graph.get_name_scope()
    scope = graph.unique_name(import_scope, mark_as_used=False) if import_scope else around or None
    found = import_graph_def(graph_def, name=import_scope or (around + '/' if around else ''), input_map=kwargs.get('input_map'),
                             return_elements=return_elements)
    made = {}
    for key in sorted(proto.collection_def):
        _take_collection(graph, key, proto.collection_def[key], scope, made)
    if proto.HasField('saver_def'):
        return Saver.from_proto(proto.saver_def, scope), found
    return (Saver() if _all_saveable_objects(scope=import_scope) else None), found


def _get_saver_or_default():
    """The graph's saver, which is made and noted where there is none."""
    found = get_default_graph().get_collection(GraphKeys.SAVERS)
    if len(found) > 1:
        raise RuntimeError('More than one item in collection %s. Please indicate which one to use by passing it to the constructor.' %
                           GraphKeys.SAVERS)
    if not found:
        found = [Saver(sharded=True, allow_empty=True)]
        get_default_graph().add_to_collection(GraphKeys.SAVERS, found[0])
    return found[0]
