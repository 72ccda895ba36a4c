"""tensorflow.python.tools: freeze_graph, inspect_checkpoint, strip_unused_lib, optimize_for_inference_lib."""
from .public import tf

_VARIABLES = ('VariableV2', 'Variable', 'VarHandleOp')


def _names(text):
    """Names with commas, or a list of them."""
    parts = text.split(',') if isinstance(text, str) else text or []
    return [part.strip() for part in parts if part.strip()]


def _read(path, message, binary):
    if not tf.gfile.Exists(path):
        raise IOError('Input file %s does not exist!' % path)
    with tf.gfile.GFile(path, 'rb') as file:
        data = file.read()
    if binary:
        message.ParseFromString(data)
    else:
        from google.protobuf import text_format
        text_format.Merge(data.decode('utf-8'), message)
    return message


# ---- freeze_graph ----

def _assign_from(session, checkpoint):
    """Gives the variables of the session's graph the checkpoint's values."""
    reader, graph = tf.train.NewCheckpointReader(checkpoint), session.graph
    for key in reader.get_variable_to_shape_map():
        try:
            op = graph.get_operation_by_name(key)
        except KeyError:
            continue  # not a variable of this graph
        if op.type in _VARIABLES:
            value = tf.constant(reader.get_tensor(key))
            act = tf.raw_ops.AssignVariableOp if op.type == 'VarHandleOp' else tf.raw_ops.Assign
            where = {'resource' if op.type == 'VarHandleOp' else 'ref': op.outputs[0]}
            session.run(act(value=value, **where))


def _without_devices(graph_def):
    for node in graph_def.node:
        node.device = ''


def freeze_graph_with_def_protos(input_graph_def, input_saver_def, input_checkpoint, output_node_names, restore_op_name,
                                 filename_tensor_name, output_graph, clear_devices, initializer_nodes,
                                 variable_names_whitelist='', variable_names_blacklist='', input_meta_graph_def=None,
                                 input_saved_model_dir=None, saved_model_tags=None, checkpoint_version=2):
    del restore_op_name, filename_tensor_name, checkpoint_version  # not used any more in 1.15 either
    if not input_saved_model_dir and not tf.train.checkpoint_exists(input_checkpoint):
        print("Input checkpoint '%s' doesn't exist!" % input_checkpoint)
        return -1
    if not output_node_names:
        print('You need to supply the name of a node to --output_node_names.')
        return -1
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        if input_meta_graph_def:
            tf.train.import_meta_graph(input_meta_graph_def, clear_devices=clear_devices).restore(session, input_checkpoint)
        elif input_saved_model_dir:
            tf.saved_model.loader.load(session, saved_model_tags, input_saved_model_dir)
        else:
            if clear_devices:
                _without_devices(input_graph_def)
            tf.import_graph_def(input_graph_def, name='')
            if input_saver_def:
                tf.train.Saver(saver_def=input_saver_def).restore(session, input_checkpoint)
            else:
                _assign_from(session, input_checkpoint)
                if initializer_nodes:
                    session.run(_names(initializer_nodes))
        made = tf.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), _names(output_node_names), _names(variable_names_whitelist) or None,
            _names(variable_names_blacklist) or None)
    if clear_devices:
        _without_devices(made)
    if output_graph:
        with tf.gfile.GFile(output_graph, 'wb') as file:
            file.write(made.SerializeToString())
    return made


def freeze_graph(input_graph, input_saver, input_binary, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name,
                 output_graph, clear_devices, initializer_nodes, variable_names_whitelist='', variable_names_blacklist='',
                 input_meta_graph=None, input_saved_model_dir=None, saved_model_tags='serve', checkpoint_version=2):
    graph_def = _read(input_graph, tf.GraphDef(), input_binary) if input_graph else None
    meta = _read(input_meta_graph, tf.MetaGraphDef(), input_binary) if input_meta_graph else None
    saver = _read(input_saver, tf.train.SaverDef(), input_binary) if input_saver else None
    return freeze_graph_with_def_protos(
        graph_def, saver, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name, output_graph, clear_devices,
        initializer_nodes, variable_names_whitelist, variable_names_blacklist, meta, input_saved_model_dir,
        _names(saved_model_tags), checkpoint_version)


# ---- inspect_checkpoint ----

def print_tensors_in_checkpoint_file(file_name, tensor_name, all_tensors, all_tensor_names=False, count_exclude_pattern=''):
    import re
    reader = tf.train.NewCheckpointReader(file_name)
    shapes = reader.get_variable_to_shape_map()
    if all_tensors or all_tensor_names:
        for key in sorted(shapes):
            print('tensor_name: ', key)
            if all_tensors:
                print(reader.get_tensor(key))
    elif tensor_name:
        print('tensor_name: ', tensor_name)
        print(reader.get_tensor(tensor_name))
    else:
        print(reader.debug_string().decode('utf-8'))
    count = 0
    for key, shape in shapes.items():
        if not count_exclude_pattern or not re.search(count_exclude_pattern, key):
            size = 1
            for edge in shape:
                size *= edge
            count += size
    print('# Total number of params: %d' % count)


# ---- strip_unused_lib, optimize_for_inference_lib ----

def strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum):
    """What the outputs need, with placeholders in place of the inputs."""
    made, known = tf.GraphDef(), {node.name for node in input_graph_def.node}
    for name in input_node_names:
        if ':' in name:
            raise ValueError('Name "%s" appears to refer to a Tensor, not an Operation.' % name)
        if name not in known:
            raise KeyError('The following input nodes were not found: {%r}' % name)
    for node in input_graph_def.node:
        added = made.node.add()
        if node.name not in input_node_names:
            added.CopyFrom(node)
            continue
        added.op, added.name = 'Placeholder', node.name
        at = list(input_node_names).index(node.name)
        kind = placeholder_type_enum[at] if isinstance(placeholder_type_enum, (list, tuple)) else placeholder_type_enum
        added.attr['dtype'].type = kind
        for key in ('_output_shapes', 'shape'):
            if key in node.attr:
                added.attr[key].CopyFrom(node.attr[key])
    found = tf.graph_util.extract_sub_graph(made, output_node_names)
    found.library.CopyFrom(input_graph_def.library)
    found.versions.CopyFrom(input_graph_def.versions)
    return found


def optimize_for_inference(input_graph_def, input_node_names, output_node_names, placeholder_type_enum, toco_compatible=False):
    """Without what training needs. Folding is left to the session, which does it for every graph."""
    del toco_compatible
    stripped = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    return tf.graph_util.remove_training_nodes(stripped, output_node_names)
