"""tf.saved_model: writing and loading models with their signatures."""
import os

from . import messages
from .graph import get_default_graph
from .scopes import GraphKeys, get_collection
from .sparse_tensor import SparseTensor

# ---- constants ----

SERVING, TRAINING, EVAL, GPU, TPU = 'serve', 'train', 'eval', 'gpu', 'tpu'
ASSETS_DIRECTORY, ASSETS_KEY = 'assets', 'saved_model_assets'
LEGACY_INIT_OP_KEY, MAIN_OP_KEY, TRAIN_OP_KEY = 'legacy_init_op', 'saved_model_main_op', 'saved_model_train_op'
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
        """Copies the files of asset tensors, and notes them in the graph."""
        import shutil
        from .convert import constant_value
        rows = []
        for tensor in tensors or ():
            path = constant_value(tensor)
            path = path.item() if path is not None else b''
            path = path.decode() if isinstance(path, bytes) else path
            if not path:
                raise ValueError('Invalid asset filepath tensor %s.' % tensor)
            folder = os.path.join(self._export_dir, ASSETS_DIRECTORY)
            os.makedirs(folder, exist_ok=True)
            shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))
            rows.append((os.path.basename(path), tensor))
        return rows

    def _add(self, meta, tags, signature_def_map, assets, main_op_):
        for tag in tags:
            meta.meta_info_def.tags.append(tag)
        for key, signature in (signature_def_map or {}).items():
            meta.signature_def[key].CopyFrom(signature)
        for name, tensor in assets:
            made = meta.asset_file_def.add()
            made.filename, made.tensor_info.name = name, tensor.name
        if main_op_ is not None:
            meta.collection_def[MAIN_OP_KEY].node_list.value.append(main_op_.name)
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
        assets = self._copy_assets(assets_collection)
        meta = saver.export_meta_graph(clear_devices=clear_devices)
        self._add(meta, tags, signature_def_map, assets, main_op_)

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None,
                                     clear_devices=False, main_op=None, strip_default_attrs=False, saver=None):
        if self._has_variables:
            raise AssertionError('Graph state including variables and assets has already been saved. Please invoke '
                                 '`add_meta_graph()` instead.')
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


class _SavedModelBuilder(SavedModelBuilder):
    """The builder whose methods take an op for the start and a list of assets."""

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_list=None, clear_devices=False, init_op=None,
                                     train_op=None, strip_default_attrs=False, saver=None):
        super().add_meta_graph_and_variables(sess, tags, signature_def_map, assets_list, None, clear_devices, init_op,
                                             strip_default_attrs, saver)
        self._note_train_op(train_op)

    def add_meta_graph(self, tags, signature_def_map=None, assets_list=None, clear_devices=False, init_op=None, train_op=None,
                       saver=None):
        super().add_meta_graph(tags, signature_def_map, assets_list, None, clear_devices, init_op, False, saver)
        self._note_train_op(train_op)

    def _note_train_op(self, train_op):
        if train_op is not None:
            meta = self._saved_model.meta_graphs[-1]
            meta.signature_def['__saved_model_train_op'].outputs['__saved_model_train_op'].name = train_op.name


def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session, [SERVING], {DEFAULT_SERVING_SIGNATURE_DEF_KEY: predict_signature_def(inputs, outputs)},
        get_collection(GraphKeys.ASSET_FILEPATHS), main_op=legacy_init_op, clear_devices=True)
    builder.save()


# ---- loading ----

def parse_saved_model(export_dir):
    path = os.path.join(_text(export_dir), SAVED_MODEL_FILENAME_PB)
    if os.path.exists(path):
        with open(path, 'rb') as file:
            return messages.SavedModel.FromString(file.read())
    path = os.path.join(_text(export_dir), SAVED_MODEL_FILENAME_PBTXT)
    if os.path.exists(path):
        from .text_format import Parse
        with open(path) as file:
            return Parse(file.read(), messages.SavedModel())
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
    from .training.saver import import_meta_graph
    meta = _find(export_dir, [tags] if isinstance(tags, str) else tags)
    prefix = import_scope + '/' if import_scope else ''
    with sess.graph.as_default():
        saver = import_meta_graph(meta, import_scope=import_scope, **saver_kwargs)
        if saver is not None and not getattr(saver, '_is_empty', False):
            saver.restore(sess, os.path.join(_text(export_dir), VARIABLES_DIRECTORY, VARIABLES_FILENAME))
        feed = {prefix + item.tensor_info.name: os.path.join(_text(export_dir), ASSETS_DIRECTORY, item.filename)
                for item in meta.asset_file_def}
        for key in (MAIN_OP_KEY, LEGACY_INIT_OP_KEY):
            names = list(meta.collection_def[key].node_list.value) if key in meta.collection_def else []
            if names:
                sess.run([sess.graph.as_graph_element(prefix + names[0])], feed)
                break
    return meta


class SavedModelLoader:
    def __init__(self, export_dir):
        self._export_dir = export_dir

    def get_meta_graph_def_from_tags(self, tags):
        return _find(self._export_dir, tags)

    def load_graph(self, graph, tags, import_scope=None, **saver_kwargs):
        """(saver, elements returned): the graph alone, without values of variables."""
        from .training.saver import import_meta_graph
        with graph.as_default():
            return import_meta_graph(self.get_meta_graph_def_from_tags(tags), import_scope=import_scope, **saver_kwargs), None

    def restore_variables(self, sess, saver, import_scope=None):
        if saver is not None:
            with sess.graph.as_default():
                saver.restore(sess, os.path.join(os.fsdecode(self._export_dir), VARIABLES_DIRECTORY, VARIABLES_FILENAME))

    def load(self, sess, tags, import_scope=None, **saver_kwargs):
        return load(sess, tags, self._export_dir, import_scope, **saver_kwargs)
