"""tf.saved_model: writing and loading models with their signatures."""
import filecmp
import os

from . import errors, messages
from .graph import get_default_graph
from .scopes import GraphKeys, add_to_collection, get_collection
from .sparse_tensor import SparseTensor
from .tensor import Operation

# ---- constants ----

SERVING, TRAINING, EVAL, GPU, TPU = 'serve', 'train', 'eval', 'gpu', 'tpu'
ASSETS_DIRECTORY, ASSETS_KEY = 'assets', 'saved_model_assets'
LEGACY_INIT_OP_KEY, MAIN_OP_KEY, TRAIN_OP_KEY = 'legacy_init_op', 'saved_model_main_op', 'saved_model_train_op'
INIT_OP_SIGNATURE_KEY, TRAIN_OP_SIGNATURE_KEY = '__saved_model_init_op', '__saved_model_train_op'
SAVED_MODEL_SCHEMA_VERSION = 1
SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT = 'saved_model.pb', 'saved_model.pbtxt'
VARIABLES_DIRECTORY, VARIABLES_FILENAME = 'variables', 'variables'
DEFAULT_SERVING_SIGNATURE_DEF_KEY = 'serving_default'
CLASSIFY_INPUTS, CLASSIFY_METHOD_NAME = 'inputs', 'tensorflow/serving/classify'
CLASSIFY_OUTPUT_CLASSES, CLASSIFY_OUTPUT_SCORES = 'classes', 'scores'
PREDICT_INPUTS, PREDICT_METHOD_NAME, PREDICT_OUTPUTS = 'inputs', 'tensorflow/serving/predict', 'outputs'
REGRESS_INPUTS, REGRESS_METHOD_NAME, REGRESS_OUTPUTS = 'inputs', 'tensorflow/serving/regress', 'outputs'


# ---- signatures ----

def build_tensor_info(tensor):
    info = messages.TensorInfo()
    info.dtype = tensor.dtype.as_datatype_enum if hasattr(tensor.dtype, 'as_datatype_enum') else tensor.dtype._number
    info.tensor_shape.CopyFrom(tensor.get_shape().as_proto())
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def build_tensor_info_from_op(op):
    """Of an operation there is its name alone."""
    info = messages.TensorInfo()
    info.dtype, info.name = 0, op.name
    info.tensor_shape.unknown_rank = True
    return info


def op_signature_def(op, key):
    """The signature that holds an operation, or a tensor, under `key`."""
    info = build_tensor_info_from_op(op) if not hasattr(op, 'dtype') else build_tensor_info(op)
    return build_signature_def(outputs={key: info})


def load_op_from_signature_def(signature_def, key, import_scope=None):
    try:
        return get_element_from_tensor_info(signature_def.outputs[key], import_scope=import_scope)
    except KeyError:
        raise errors.NotFoundError(None, None, 'The key "%s" could not be found in the graph. Please make sure the SavedModel was '
                                   'created by the internal _SavedModelBuilder. If you are using the public API, please make sure '
                                   'the SignatureDef in the SavedModel does not contain the key "%s".' % (key, key)) from None


def get_element_from_tensor_info(tensor_info, graph=None, import_scope=None):
    graph = get_default_graph() if graph is None else graph
    return graph.as_graph_element((import_scope + '/' if import_scope else '') + tensor_info.name)


def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    graph = get_default_graph() if graph is None else graph
    prefix = import_scope + '/' if import_scope else ''
    get = lambda name: graph.get_tensor_by_name(prefix + name)
    if tensor_info.WhichOneof('encoding') == 'coo_sparse':
        coo = tensor_info.coo_sparse
        return SparseTensor(get(coo.indices_tensor_name), get(coo.values_tensor_name), get(coo.dense_shape_tensor_name))
    return get(tensor_info.name)


def build_signature_def(inputs=None, outputs=None, method_name=None):
    made = messages.SignatureDef()
    for key, info in (inputs or {}).items():
        made.inputs[key].CopyFrom(info)
    for key, info in (outputs or {}).items():
        made.outputs[key].CopyFrom(info)
    if method_name is not None:
        made.method_name = method_name
    return made


def predict_signature_def(inputs, outputs):
    if not inputs or not outputs:
        raise ValueError('Prediction inputs and outputs cannot be None or empty.')
    return build_signature_def({key: build_tensor_info(item) for key, item in inputs.items()},
                               {key: build_tensor_info(item) for key, item in outputs.items()}, PREDICT_METHOD_NAME)


def regression_signature_def(examples, predictions):
    return build_signature_def({REGRESS_INPUTS: build_tensor_info(examples)}, {REGRESS_OUTPUTS: build_tensor_info(predictions)},
                               REGRESS_METHOD_NAME)


def classification_signature_def(examples, classes, scores):
    outputs = {}
    if classes is not None:
        outputs[CLASSIFY_OUTPUT_CLASSES] = build_tensor_info(classes)
    if scores is not None:
        outputs[CLASSIFY_OUTPUT_SCORES] = build_tensor_info(scores)
    return build_signature_def({CLASSIFY_INPUTS: build_tensor_info(examples)}, outputs, CLASSIFY_METHOD_NAME)


def is_valid_signature(signature_def):
    return signature_def is not None and signature_def.method_name in (
        CLASSIFY_METHOD_NAME, PREDICT_METHOD_NAME, REGRESS_METHOD_NAME)


def main_op():
    from .control_flow_ops import group
    from .lookup_ops import tables_initializer
    from .variables import global_variables_initializer, local_variables_initializer
    return group(global_variables_initializer(), local_variables_initializer(), tables_initializer())


def main_op_with_restore(restore_op_name):
    from .control_flow_ops import group
    from .scopes import control_dependencies
    with control_dependencies([main_op()]):
        return group(restore_op_name)


# ---- writing ----

class SavedModelBuilder:
    def __init__(self, export_dir):
        self._export_dir = export_dir if isinstance(export_dir, str) else os.fsdecode(export_dir)
        if os.path.exists(self._export_dir) and os.listdir(self._export_dir):
            raise AssertionError('Export directory already exists, and isn\'t empty. Please choose a different export '
                                 'directory, or delete all the contents of the specified directory: %s' % self._export_dir)
        os.makedirs(self._export_dir, exist_ok=True)
        self._saved_model = messages.SavedModel()
        self._saved_model.saved_model_schema_version = SAVED_MODEL_SCHEMA_VERSION
        self._has_variables = False

    def _copy_assets(self, tensors):
        """Copies the files of asset tensors, and notes them in the graph. Of an earlier graph's file of the same name the
        content stays."""
        import shutil
        from .convert import constant_value
        rows, paths = [], {}
        for tensor in tensors or ():
            path = constant_value(tensor)
            path = path.item() if path is not None else b''
            path = path.decode() if isinstance(path, bytes) else path
            if not path:
                raise ValueError('Invalid asset filepath tensor %s.' % tensor)
            folder = os.path.join(self._export_dir, ASSETS_DIRECTORY)
            os.makedirs(folder, exist_ok=True)
            name = _name_of_asset(path, paths)
            if not os.path.exists(os.path.join(folder, name)):
                shutil.copyfile(path, os.path.join(folder, name))
            rows.append((name, tensor))
        return rows

    def _note_main_op(self, main_op_):
        if main_op_ is None:
            return
        if not isinstance(main_op_, Operation):
            raise TypeError('main_op needs to be an Operation: %r' % main_op_)
        for key in (MAIN_OP_KEY, LEGACY_INIT_OP_KEY):
            if get_collection(key):
                raise ValueError('Graph already contains one or more main ops under the collection %s.' % key)
        add_to_collection(MAIN_OP_KEY, main_op_)

    def _add(self, meta, tags, signature_def_map, assets):
        for tag in tags:
            meta.meta_info_def.tags.append(tag)
        for key, signature in (signature_def_map or {}).items():
            meta.signature_def[key].CopyFrom(signature)
        for name, tensor in assets:
            made = meta.asset_file_def.add()
            made.filename, made.tensor_info.name = name, tensor.name
        self._saved_model.meta_graphs.add().CopyFrom(meta)

    def _saver(self, saver, strip):
        from .training.saver import Saver
        from .variables import _all_saveable_objects
        if saver is not None:
            return saver
        if not _all_saveable_objects():
            return Saver(allow_empty=True)
        return Saver(_all_saveable_objects(), sharded=True, write_version=2, allow_empty=True)

    def add_meta_graph(self, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None, clear_devices=False,
                       main_op=None, strip_default_attrs=False, saver=None):
        if not self._has_variables:
            raise AssertionError('Graph state including variables and assets has not been saved yet. Please invoke '
                                 '`add_meta_graph_and_variables()` first.')
        self._graph(tags, signature_def_map, assets_collection, main_op if main_op is not None else legacy_init_op,
                    clear_devices, self._saver(saver, strip_default_attrs))

    def _graph(self, tags, signature_def_map, assets_collection, main_op_, clear_devices, saver):
        _check_signatures(signature_def_map)
        assets = self._copy_assets(assets_collection)
        self._note_main_op(main_op_)
        meta = saver.export_meta_graph(clear_devices=clear_devices)
        self._add(meta, tags, signature_def_map, assets)

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None,
                                     clear_devices=False, main_op=None, strip_default_attrs=False, saver=None):
        if self._has_variables:
            raise AssertionError('Graph state including variables and assets has already been saved. Please invoke '
                                 '`add_meta_graph()` instead.')
        _check_signatures(signature_def_map)
        folder = os.path.join(self._export_dir, VARIABLES_DIRECTORY)
        os.makedirs(folder, exist_ok=True)
        with sess.graph.as_default():
            saver = self._saver(saver, strip_default_attrs)
            if not getattr(saver, '_is_empty', False):
                saver.save(sess, os.path.join(folder, VARIABLES_FILENAME), write_meta_graph=False, write_state=False)
            self._graph(tags, signature_def_map, assets_collection, main_op if main_op is not None else legacy_init_op,
                        clear_devices, saver)
        self._has_variables = True

    def save(self, as_text=False):
        path = os.path.join(self._export_dir, SAVED_MODEL_FILENAME_PBTXT if as_text else SAVED_MODEL_FILENAME_PB)
        data = str(self._saved_model).encode() if as_text else self._saved_model.SerializeToString()
        part = path + '.part'
        with open(part, 'wb') as file:
            file.write(data)
        os.replace(part, path)
        return path.encode()


Builder = SavedModelBuilder


def _name_of_asset(path, paths):
    """The name of a file among `paths`, {name: path}, which it joins: files of other content have other names."""
    base = name = os.path.basename(path)
    number = 0
    while name in paths and paths[name] != path and not filecmp.cmp(paths[name], path, shallow=False):
        number += 1
        name = '%s_%d' % (base, number)
    paths.setdefault(name, path)
    return name


def _check_signatures(signature_def_map):
    for key, signature in (signature_def_map or {}).items():
        if key in (INIT_OP_SIGNATURE_KEY, TRAIN_OP_SIGNATURE_KEY):
            raise KeyError('SignatureDef map key "%s" is reserved for %s. Please use a different key.' %
                           (key, 'initialization' if key == INIT_OP_SIGNATURE_KEY else 'the train op'))
        for infos in (signature.inputs, signature.outputs):
            for info in infos.values():
                if info.WhichOneof('encoding') is None or not info.dtype:
                    raise AssertionError('All TensorInfo protos used in the SignatureDefs must have the name/encoding and dtype '
                                         'fields set: %s' % info)


class _SavedModelBuilder(SavedModelBuilder):
    """The builder whose methods take an op for the start and a list of assets."""

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_list=None, clear_devices=False, init_op=None,
                                     train_op=None, strip_default_attrs=False, saver=None):
        super().add_meta_graph_and_variables(sess, tags, signature_def_map, assets_list, None, clear_devices, None,
                                             strip_default_attrs, saver)
        self._note_ops(init_op, train_op)

    def add_meta_graph(self, tags, signature_def_map=None, assets_list=None, clear_devices=False, init_op=None, train_op=None,
                       saver=None):
        super().add_meta_graph(tags, signature_def_map, assets_list, None, clear_devices, None, False, saver)
        self._note_ops(init_op, train_op)

    def _note_ops(self, init_op, train_op):
        meta = self._saved_model.meta_graphs[-1]
        for key, op in ((INIT_OP_SIGNATURE_KEY, init_op), (TRAIN_OP_SIGNATURE_KEY, train_op)):
            if op is not None:
                meta.signature_def[key].CopyFrom(op_signature_def(op, key))


def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session, [SERVING], {DEFAULT_SERVING_SIGNATURE_DEF_KEY: predict_signature_def(inputs, outputs)},
        get_collection(GraphKeys.ASSET_FILEPATHS), main_op=legacy_init_op, clear_devices=True)
    builder.save()


# ---- loading ----

def parse_saved_model(export_dir):
    from .text_format import Parse
    for name, read in ((SAVED_MODEL_FILENAME_PB, messages.SavedModel.FromString),
                       (SAVED_MODEL_FILENAME_PBTXT, lambda data: Parse(data.decode(), messages.SavedModel()))):
        path = os.path.join(_text(export_dir), name)
        if os.path.exists(path):
            with open(path, 'rb') as file:
                data = file.read()
            try:
                return read(data)
            except Exception as error:
                raise IOError('Cannot parse file %s: %s.' % (path, error)) from error
    raise IOError('SavedModel file does not exist at: %s/{%s|%s}' %
                  (_text(export_dir), SAVED_MODEL_FILENAME_PBTXT, SAVED_MODEL_FILENAME_PB))


def _text(path):
    return path.decode() if isinstance(path, bytes) else str(path)


def maybe_saved_model_directory(export_dir):
    return any(os.path.exists(os.path.join(_text(export_dir), name)) for name in (SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT))


contains_saved_model = maybe_saved_model_directory


def _find(export_dir, tags):
    model = parse_saved_model(export_dir)
    for meta in model.meta_graphs:
        if set(meta.meta_info_def.tags) == set(tags):
            return meta
    raise RuntimeError('MetaGraphDef associated with tags %s could not be found in SavedModel.' %
                       ', '.join(repr(tag) for tag in tags))


def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Adds the model's graph to the session's, restores its variables and runs its initial op; gives its MetaGraphDef."""
    return SavedModelLoader(export_dir).load(sess, [tags] if isinstance(tags, str) else tags, import_scope, **saver_kwargs)


def _op_of(meta, signature_key, collection_keys, import_scope):
    """The op that a model has under a signature, or else in a collection of the default graph; or None."""
    if signature_key in meta.signature_def:
        return load_op_from_signature_def(meta.signature_def[signature_key], signature_key, import_scope)
    for key in collection_keys:
        if key in meta.collection_def:
            ops = get_collection(key)
            if len(ops) != 1:
                raise RuntimeError('Expected exactly one op under the collection %s, found %d' % (key, len(ops)))
            return ops[0]
    return None


def get_init_op(meta_graph_def, import_scope=None):
    return _op_of(meta_graph_def, INIT_OP_SIGNATURE_KEY, (MAIN_OP_KEY, LEGACY_INIT_OP_KEY), import_scope)


def get_train_op(meta_graph_def, import_scope=None):
    return _op_of(meta_graph_def, TRAIN_OP_SIGNATURE_KEY, (TRAIN_OP_KEY,), import_scope)


class SavedModelLoader:
    def __init__(self, export_dir):
        self._export_dir = export_dir

    def get_meta_graph_def_from_tags(self, tags):
        return _find(self._export_dir, tags)

    def load_graph(self, graph, tags, import_scope=None, **saver_kwargs):
        """(saver, elements that return_elements names): the graph alone, without values of variables."""
        from .training.saver import _import_meta_graph_with_return_elements
        meta = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            return _import_meta_graph_with_return_elements(meta, import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess, saver, import_scope=None):
        from .variables import _all_saveable_objects
        with sess.graph.as_default():
            if saver is None:
                if _all_saveable_objects(scope=import_scope):
                    raise ValueError('No tf.train.Saver object was passed to the function `SavedModelLoader.restore_variables`. Since '
                                     'there are variables in the graph, a saver is required.')
            elif not getattr(saver, '_is_empty', False):
                saver.restore(sess, os.path.join(_text(self._export_dir), VARIABLES_DIRECTORY, VARIABLES_FILENAME))

    def run_init_ops(self, sess, tags, import_scope=None):
        meta = self.get_meta_graph_def_from_tags(tags)
        prefix = import_scope + '/' if import_scope else ''
        feed = {prefix + item.tensor_info.name: os.path.join(_text(self._export_dir), ASSETS_DIRECTORY, item.filename)
                for item in meta.asset_file_def}
        with sess.graph.as_default():
            init = get_init_op(meta, import_scope)
            if init is not None:
                sess.run([init], feed)

    def load(self, sess, tags, import_scope=None, **saver_kwargs):
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)
