"""Public names: which module has what. A row is `space module names`; a name that is another's alias is `public=own`.

Spaces are what stands between `tf.` and the name; `tf` itself is written `.`. Modules are under weir.tf. Rows may be
continued on indented lines. `tensorflow.python.*` is answered by ALIASES, then by the module of the same last name.
"""
import importlib
import importlib.util
import re
import types

from . import _names_train

ROWS = '''
. toplevel __version__ VERSION __git_version__ GIT_VERSION __compiler_version__ COMPILER_VERSION CXX11_ABI_FLAG MONOLITHIC_BUILD
  GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER disable_v2_behavior disable_eager_execution
  disable_v2_tensorshape disable_control_flow_v2 enable_v2_tensorshape disable_tensor_equality executing_eagerly
  enable_eager_execution
. dtypes DType as_dtype float16 half float32 float64 double bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 string
  bool complex64 complex128 qint8 quint8 qint16 quint16 qint32 resource variant QUANTIZED_DTYPES
. framework Graph Operation Tensor IndexedSlices IndexedSlicesValue SparseTensor SparseTensorValue TensorShape Dimension DeviceSpec GraphKeys
  name_scope op_scope device container colocate_with control_dependencies add_to_collection add_to_collections get_collection
  get_collection_ref get_default_graph reset_default_graph convert_to_tensor register_tensor_conversion_function
  convert_to_tensor_or_indexed_slices convert_to_tensor_or_sparse_tensor import_graph_def RegisterGradient NoGradient NotDifferentiable
  RegisterShape set_random_seed get_seed init_scope constant is_tensor
. session Session InteractiveSession get_default_session
. variables Variable VariableSynchronization VariableAggregation assign assign_add assign_sub count_up_to scatter_update scatter_add scatter_sub
  scatter_mul scatter_div scatter_min scatter_max scatter_nd_update scatter_nd_add scatter_nd_sub is_variable_initialized global_variables
  local_variables model_variables trainable_variables moving_average_variables all_variables variables_initializer
  global_variables_initializer local_variables_initializer initialize_all_variables initialize_local_variables initialize_variables
  report_uninitialized_variables assert_variables_initialized enable_resource_variables disable_resource_variables
  resource_variables_enabled
. variable_scope VariableScope variable_scope variable_op_scope get_variable get_local_variable get_variable_scope AUTO_REUSE no_regularizer
  variable_creator_scope
. init_ops zeros_initializer ones_initializer constant_initializer random_uniform_initializer random_normal_initializer
  truncated_normal_initializer uniform_unit_scaling_initializer variance_scaling_initializer orthogonal_initializer
  glorot_uniform_initializer glorot_normal_initializer
initializers init_ops zeros=Zeros ones=Ones constant=Constant random_uniform=RandomUniform random_normal=RandomNormal
  truncated_normal=TruncatedNormal uniform_unit_scaling=UniformUnitScaling variance_scaling=VarianceScaling orthogonal=Orthogonal
  identity=Identity glorot_uniform=GlorotUniform glorot_normal=GlorotNormal lecun_normal lecun_uniform he_normal he_uniform
. array_ops placeholder placeholder_with_default sparse_placeholder identity identity_n stop_gradient check_numerics shape shape_n size rank
  reshape expand_dims squeeze broadcast_to broadcast_dynamic_shape broadcast_static_shape zeros ones fill zeros_like ones_like eye
  one_hot stack parallel_stack pack unstack unpack concat split tile matrix_diag matrix_diag_part matrix_set_diag matrix_band_part
  diag diag_part invert_permutation bitcast scatter_nd reverse reverse_v2 meshgrid transpose matrix_transpose pad where boolean_mask
  slice strided_slice newaxis gather gather_nd batch_gather sequence_mask reverse_sequence unique unique_with_counts setdiff1d
  space_to_batch batch_to_space space_to_batch_nd batch_to_space_nd space_to_depth depth_to_space edit_distance dynamic_partition
  dynamic_stitch extract_image_patches quantize_v2 dequantize fake_quant_with_min_max_args fake_quant_with_min_max_vars searchsorted
  roll tensor_scatter_update listdiff
. math_ops square sqrt rsqrt exp expm1 log log1p sin cos tan asin acos atan sinh cosh asinh acosh atanh tanh ceil floor rint sign
  erf erfc lgamma digamma reciprocal is_nan is_inf is_finite logical_not negative add subtract multiply maximum minimum
  squared_difference truncatediv floormod truncatemod floor_div atan2 greater greater_equal less less_equal logical_and logical_or
  logical_xor igamma igammac zeta polygamma div_no_nan cross mod neg sub mul equal not_equal betainc sigmoid log_sigmoid abs round
  pow truediv divide div floordiv realdiv=real_div cast saturate_cast to_float to_double to_int32 to_int64 to_bfloat16 to_complex64
  to_complex128 complex real imag conj matmul batch_matmul sparse_matmul tensordot add_n accumulate_n scalar_mul cumsum cumprod range
  linspace lin_space bincount segment_sum segment_mean segment_prod segment_max segment_min unsorted_segment_sum unsorted_segment_prod
  unsorted_segment_max unsorted_segment_min unsorted_segment_mean unsorted_segment_sqrt_n reduce_sum reduce_mean reduce_prod
  reduce_max reduce_min reduce_all reduce_any reduce_logsumexp count_nonzero argmax argmin trace arg_max arg_min
math math_ops square sqrt rsqrt exp expm1 log log1p sin cos tan asin acos atan sinh cosh asinh acosh atanh tanh ceil floor rint sign
  erf erfc lgamma digamma reciprocal is_nan is_inf is_finite logical_not negative add subtract multiply maximum minimum
  squared_difference floormod atan2 greater greater_equal less less_equal logical_and logical_or logical_xor igamma igammac zeta polygamma
  divide_no_nan=div_no_nan xdivy xlogy mod equal not_equal betainc sigmoid log_sigmoid abs round pow truediv divide floordiv real imag conj
  add_n accumulate_n scalar_mul cumsum cumprod bincount segment_sum segment_mean segment_prod segment_max segment_min
  unsorted_segment_sum unsorted_segment_prod unsorted_segment_max unsorted_segment_min unsorted_segment_mean reduce_sum reduce_mean
  reduce_prod reduce_max reduce_min reduce_all reduce_any reduce_logsumexp reduce_std reduce_variance reduce_euclidean_norm
  count_nonzero argmax argmin bessel_i0e bessel_i1e
. random_ops random_normal truncated_normal random_uniform random_shuffle random_crop multinomial random_gamma random_poisson
random random_ops normal=random_normal truncated_normal uniform=random_uniform shuffle=random_shuffle multinomial categorical gamma=random_gamma
  poisson=random_poisson
random framework set_random_seed
. control_flow_ops no_op group tuple Assert cond case while_loop
. tensor_array TensorArray
. logging_ops Print print=print_v2
math linalg_ops lbeta
. linalg_ops lbeta
math internal_ops reciprocal_no_nan multiply_no_nan nextafter
nn internal_ops fractional_max_pool_v2 fractional_avg_pool_v2 erosion2d
nn _ops fractional_max_pool fractional_avg_pool quantized_relu_x
nn embedding_more safe_embedding_lookup_sparse
. internal_ops where_v2 batch_scatter_update
. tensor_spec TensorSpec
. check_ops assert_equal assert_none_equal assert_less assert_less_equal assert_greater assert_greater_equal assert_positive
  assert_negative assert_non_negative assert_non_positive assert_near assert_rank assert_rank_in assert_shapes assert_rank_at_least assert_type assert_integer assert_scalar
  assert_same_float_dtype assert_proper_iterable is_numeric_tensor is_non_decreasing is_strictly_increasing ensure_shape
debugging check_ops assert_equal assert_none_equal assert_less assert_less_equal assert_greater assert_greater_equal assert_positive
  assert_negative assert_non_negative assert_non_positive assert_near assert_rank assert_rank_in assert_shapes assert_rank_at_least assert_type assert_integer assert_scalar
  assert_same_float_dtype assert_proper_iterable is_numeric_tensor is_non_decreasing is_strictly_increasing
debugging array_ops check_numerics
debugging control_flow_ops Assert
debugging math_ops is_nan is_inf is_finite
. functional_ops map_fn foldl foldr scan
. partitioned_variables fixed_size_partitioner variable_axis_size_partitioner min_max_variable_partitioner create_partitioned_variables
. clip_ops clip_by_value clip_by_norm clip_by_average_norm global_norm clip_by_global_norm
. gradients gradients hessians custom_gradient AggregationMethod UnconnectedGradients
. messages ConfigProto GPUOptions GraphOptions OptimizerOptions RunOptions RunMetadata GraphDef NodeDef AttrValue NameAttrList Event
  HistogramProto LogMessage MetaGraphDef SessionLog Summary SummaryMetadata TensorInfo OpDef
. nn_ops conv2d_backprop_filter_v2=conv2d_backprop_filter
nn nn_ops relu relu6 elu selu crelu leaky_relu swish softplus softsign sigmoid tanh log_sigmoid l2_loss lrn local_response_normalization
  relu_layer xw_plus_b bias_add conv1d conv2d conv2d_transpose conv2d_backprop_input conv2d_backprop_filter conv3d conv3d_transpose
  depthwise_conv2d depthwise_conv2d_native separable_conv2d pool max_pool1d avg_pool1d max_pool_v2 avg_pool_v2 conv1d_transpose
  conv_transpose atrous_conv2d convolution max_pool avg_pool max_pool3d avg_pool3d
  max_pool_with_argmax dilation2d dropout softmax log_softmax softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_v2
  sparse_softmax_cross_entropy_with_logits sigmoid_cross_entropy_with_logits weighted_cross_entropy_with_logits log_poisson_loss
  l2_normalize moments normalize_moments sufficient_statistics weighted_moments batch_normalization fused_batch_norm
  batch_norm_with_global_normalization zero_fraction top_k in_top_k embedding_lookup embedding_lookup_sparse sampled_softmax_loss
  nce_loss log_uniform_candidate_sampler uniform_candidate_sampler learned_unigram_candidate_sampler fixed_unigram_candidate_sampler
  compute_accidental_hits all_candidate_sampler
layers layers Layer Dense Conv1D Conv2D Conv2DTranspose MaxPooling1D MaxPooling2D AveragePooling1D AveragePooling2D Flatten Dropout
  BatchNormalization dense conv1d conv2d conv2d_transpose max_pooling1d max_pooling2d average_pooling1d average_pooling2d flatten
  dropout batch_normalization
metrics metrics accuracy mean precision recall mean_squared_error mean_absolute_error root_mean_squared_error auc true_positives
  false_positives true_negatives false_negatives
losses losses Reduction absolute_difference mean_squared_error sigmoid_cross_entropy softmax_cross_entropy sparse_softmax_cross_entropy
  log_loss hinge_loss huber_loss cosine_distance compute_weighted_loss add_loss get_losses get_total_loss get_regularization_loss
  get_regularization_losses
train training.optimizer Optimizer
train messages Example SequenceExample Features Feature FeatureList FeatureLists BytesList FloatList Int64List ClusterDef JobDef
  ServerDef SaverDef
train training.basic GradientDescentOptimizer MomentumOptimizer AdamOptimizer
train training.adaptive AdagradOptimizer AdadeltaOptimizer RMSPropOptimizer FtrlOptimizer ProximalGradientDescentOptimizer
  ProximalAdagradOptimizer AdagradDAOptimizer
train training.learning_rate_decay exponential_decay natural_exp_decay inverse_time_decay polynomial_decay piecewise_constant
  piecewise_constant_decay cosine_decay cosine_decay_restarts
train training.moving_averages ExponentialMovingAverage
train training.saver Saver export_meta_graph import_meta_graph
train training.checkpoint_utils init_from_checkpoint
train training.checkpoint_management latest_checkpoint checkpoint_exists get_checkpoint_state update_checkpoint_state
  generate_checkpoint_state_proto get_checkpoint_mtimes remove_checkpoint NewCheckpointReader load_checkpoint load_variable list_variables
train training.training_util global_step get_global_step create_global_step get_or_create_global_step assert_global_step
flags flags FLAGS Flag FlagValues Error DuplicateFlagError IllegalFlagValueError UnrecognizedFlagError DEFINE_string
  DEFINE_integer DEFINE_float DEFINE_bool DEFINE_boolean DEFINE_enum DEFINE_list DEFINE_spaceseplist DEFINE_multi_string
  DEFINE_multi_integer DEFINE_multi_float register_validator mark_flag_as_required mark_flags_as_required
app.flags flags FLAGS Flag FlagValues Error DuplicateFlagError IllegalFlagValueError UnrecognizedFlagError DEFINE_string
  DEFINE_integer DEFINE_float DEFINE_bool DEFINE_boolean DEFINE_enum DEFINE_list DEFINE_spaceseplist DEFINE_multi_string
  DEFINE_multi_integer DEFINE_multi_float register_validator mark_flag_as_required mark_flags_as_required
app app run
logging tf_logging DEBUG INFO WARN ERROR FATAL debug info warn warning error fatal log log_every_n log_first_n log_if vlog flush
  set_verbosity get_verbosity TaskLevelStatusMessage
gfile gfile GFile FastGFile Open Exists IsDirectory ListDirectory MakeDirs MkDir Remove DeleteRecursively Rename Copy Glob Walk Stat
io.gfile gfile GFile exists isdir listdir makedirs mkdir remove rmtree rename copy glob walk stat join
summary summary scalar histogram image audio text tensor_summary merge merge_all FileWriter FileWriterCache Summary Event SessionLog
  TaggedRunMetadata
train event_writer SummaryWriter=FileWriter SummaryWriterCache=FileWriterCache
train tf_record summary_iterator
python_io tf_record TFRecordWriter TFRecordOptions TFRecordCompressionType tf_record_iterator
io tf_record TFRecordWriter TFRecordOptions TFRecordCompressionType tf_record_iterator
compat compat as_bytes as_text as_str as_str_any path_to_str bytes_or_text_types integral_types real_types complex_types
  forward_compatible dimension_value dimension_at_index
examples.tutorials.mnist.input_data mnist read_data_sets load_mnist DataSet Datasets DataSets extract_images
  extract_labels dense_to_one_hot
contrib.learn.python.learn.datasets.mnist mnist read_data_sets load_mnist DataSet Datasets DataSets extract_images
  extract_labels dense_to_one_hot
errors errors OpError CancelledError UnknownError InvalidArgumentError DeadlineExceededError NotFoundError AlreadyExistsError
  PermissionDeniedError UnauthenticatedError ResourceExhaustedError FailedPreconditionError AbortedError OutOfRangeError
  UnimplementedError InternalError UnavailableError DataLossError OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND
  ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE
  DATA_LOSS UNAUTHENTICATED exception_type_from_error_code error_code_from_exception_type raise_exception_on_not_ok_status
'''

# tensorflow.python.X -> modules of weir.tf that have its names, in order
ALIASES = {
    'python': '', 'python.framework': '', 'python.ops': '', 'python.training': '', 'python.client': '', 'python.platform': '',
    'python.util': '', 'python.layers': '', 'python.lib': '', 'python.saved_model': '', 'python.summary': '', 'core': '',
    'core.framework': '', 'core.protobuf': '', 'core.example': '', 'core.util': '',
    'python.framework.ops': 'framework', 'python.framework.tensor_shape': 'shapes framework', 'python.framework.dtypes': 'dtypes',
    'python.framework.tensor_util': 'convert', 'python.framework.constant_op': 'internal_signatures convert', 'python.framework.random_seed': 'scopes',
    'python.framework.sparse_tensor': 'sparse_tensor', 'python.framework.errors': 'errors', 'python.framework.errors_impl': 'errors',
    'python.framework.importer': 'import_graph', 'python.framework.function': 'function', 'python.framework.device': 'device',
    'python.ops.state_ops': 'variables', 'python.ops.resource_variable_ops': 'resource_variable', 'python.ops.nn': 'nn_ops',
    'python.ops.gradients_impl': 'gradients', 'python.ops.tensor_array_ops': 'tensor_array', 'python.ops.embedding_ops': 'nn_ops embedding_more',
    'python.ops.candidate_sampling_ops': 'nn_ops', 'python.ops.nn_impl': 'nn_ops', 'python.client.session': 'session',
    'python.util.nest': 'nest', 'python.ops.variables': 'internal_signatures variables partitioned_variables',
    'python.ops.math_ops': 'internal_signatures math_ops', 'python.ops.array_ops': 'internal_signatures array_ops',
    'python.tf2': 'tf2', 'python.framework.indexed_slices': 'tensor framework', 'python.framework.device_spec': 'device',
    'python.framework.smart_cond': 'smart_cond', 'python.framework.tensor_spec': 'tensor_spec', 'python.training.gradient_descent': 'training.basic', 'python.training.adam': 'training.basic',
    'python.lib.io': '', 'python.lib.io.python_io': 'tf_record', 'python.platform.logging': 'tf_logging', 'python.framework.versions': 'toplevel',
    'python.layers.core': 'layers', 'python.layers.convolutional': 'layers', 'python.layers.pooling': 'layers',
    'python.layers.normalization': 'layers', 'python.layers.base': 'layers', 'python.layers.layers': 'layers',
    'python.layers.utils': 'layers_utils layers_base', 'python.ops.losses': '', 'python.ops.losses.losses': 'losses',
    'python.training.momentum': 'training.basic', 'python.ops.variable_scope': 'variable_scope',
}
for _last in ('array_ops math_ops nn_ops random_ops control_flow_ops string_ops sparse_ops linalg_ops image_ops init_ops clip_ops '
              'data_flow_ops io_ops parsing_ops logging_ops check_ops script_ops lookup_ops').split():
    ALIASES['python.ops.gen_' + _last] = '_ops'
for _last in ('graph node_def attr_value types tensor tensor_shape op_def function summary step_stats versions variable').split():
    ALIASES['core.framework.%s_pb2' % _last] = 'messages'
for _last in ('config meta_graph saver saved_model tensorflow_server cluster queue_runner control_flow rewriter_config').split():
    ALIASES['core.protobuf.%s_pb2' % _last] = 'messages'
ALIASES.update({'core.example.example_pb2': 'messages', 'core.example.feature_pb2': 'messages', 'core.util.event_pb2': 'messages'})

ALIASES.update(_names_train.ALIASES)

COVERAGE = 'docs/how-to/run-tensorflow-1-programs.md'
_GENERATED = re.compile(r'python\.ops\.gen_\w+$')
_spaces = {}
_modules = {}


def _load():
    from . import _names_contrib, _names_estimator, _names_lib, _names_more
    ALIASES.update(_names_lib.aliases())
    ALIASES.update(_names_contrib.aliases())
    ALIASES.update(_names_estimator.aliases())
    ALIASES.update(_names_more.aliases())
    for row in (ROWS + _names_train.ROWS + _names_lib.ROWS + _names_contrib.ROWS + _names_estimator.ROWS +
                _names_more.ROWS).replace('\n  ', ' ').split('\n'):
        if not row:
            continue
        space, module, *names = row.split()
        table = _spaces.setdefault('' if space == '.' else space, {})
        for name in names:
            public, _, own = name.partition('=')
            table[public] = module, own or public


def spaces():
    """{space: {name: (module, name there)}}."""
    if not _spaces:
        _load()
        for space in list(_spaces):
            while '.' in space:
                space = space.rpartition('.')[0]
                _spaces.setdefault(space, {})
    return _spaces


def find(space, name):
    """What tf.<space>.<name> is; AttributeError that says what is missing."""
    table = spaces()
    path = space + '.' + name if space else name
    row = table.get(space, {}).get(name)
    if row is not None and importlib.util.find_spec('weir.tf.' + row[0]) is not None:
        return getattr(importlib.import_module('weir.tf.' + row[0]), row[1])
    if space == 'raw_ops':
        return _raw(name)
    if path in table or path in ALIASES:
        return module(path)
    if path in ('python', 'core', 'compat'):
        return module(path)
    if path == 'compat.v1':
        return module('')
    raise AttributeError('weir has no tf.%s; %s lists what it has' % (path, COVERAGE))


def _raw(name):
    """tf.raw_ops.<name>: the function of an op, by keyword arguments alone."""
    ops = importlib.import_module('weir.tf._ops')
    act = getattr(ops, ops.snake(name), None)
    if act is None or not name[:1].isupper():
        raise AttributeError('weir has no tf.raw_ops.%s; %s lists what it has' % (name, COVERAGE))

    def raw(*args, **kwargs):
        if args:
            keys = act.__code__.co_varnames[:act.__code__.co_argcount]
            raise TypeError('%s only takes keyword args (possible keys: %s). Please pass these args as kwargs instead.' %
                            (name, list(keys)))
        return act(**kwargs)
    raw.__name__, raw.__doc__ = name, act.__doc__
    return raw


class Namespace(types.ModuleType):
    """tf.nn, tf.train and so on: a module whose names are looked up in the tables."""

    def __init__(self, path):
        super().__init__('tensorflow.' + path if path else 'tensorflow')
        self.__dict__['_path'] = path
        self.__path__ = []

    def __getattr__(self, name):
        if name == '__all__':
            return [item for item in dir(self) if not item.startswith('_')]
        if name.startswith('__') and name not in spaces().get(self._path, ()):
            raise AttributeError(name)
        found = find(self._path, name)
        self.__dict__[name] = found
        return found

    def __dir__(self):
        prefix = self._path + '.' if self._path else ''
        inner = {space[len(prefix):].partition('.')[0] for space in spaces() if space.startswith(prefix) and space != self._path}
        return sorted(set(spaces().get(self._path, {})) | inner - {''})


class Alias(types.ModuleType):
    """tensorflow.python.x: names of our modules, else of the public API."""

    def __init__(self, path, names):
        super().__init__('tensorflow.' + path)
        self.__dict__['_path'], self.__dict__['_sources'] = path, names.split()
        self.__path__ = []

    def _all(self):
        """What `from ... import *` gives: the public names that our modules define, and those of the same public space."""
        found = set(spaces().get(_contrib_space(self._path) or '', ()) if _contrib_space(self._path) else ())
        for source in self._sources:
            ours = importlib.import_module('weir.tf.' + source)
            found.update(name for name, value in vars(ours).items() if not name.startswith('_') and
                         getattr(value, '__module__', ours.__name__) == ours.__name__ and not isinstance(value, types.ModuleType))
        return sorted(found)

    def _own(self, name):
        """What the first of our modules that has `name` has, or None."""
        for source in self._sources:
            found = getattr(importlib.import_module('weir.tf.' + source), name, None)
            if found is not None:
                return found
        return None

    def _generated(self, name):
        """The function of an op, for modules that have those of their family, or None."""
        try:
            ops = importlib.import_module('weir.tf._ops')
            return _raw(name) if name[:1].isupper() and _GENERATED.match(self._path) else getattr(ops, name)
        except AttributeError:
            return None

    def __setattr__(self, name, value):
        """A name that is replaced is replaced where it is used: in the module of ours that has it."""
        for source in () if name.startswith('__') else self._sources:
            module_ = importlib.import_module('weir.tf.' + source)
            if name in module_.__dict__:
                self.__dict__.setdefault('_replaced', {}).setdefault(name, (module_, module_.__dict__[name]))
                setattr(module_, name, value)
                break
        self.__dict__[name] = value

    def __delattr__(self, name):
        self.__dict__.pop(name, None)
        module_, value = self.__dict__.get('_replaced', {}).pop(name, (None, None))
        if module_ is not None:
            setattr(module_, name, value)

    def __getattr__(self, name):
        if name == '__all__':
            return self._all()
        if name.startswith('__'):
            raise AttributeError(name)
        if name.startswith('gen_') and self._path.startswith('python.ops.') and self._path.count('.') == 2:
            return module('python.ops.' + name)  # as each of these modules imports the functions of its ops
        found = self._own(name)
        if found is not None and not isinstance(found, types.ModuleType):
            self.__dict__[name] = found
            return found
        path = self._path + '.' + name
        if name in spaces().get(_contrib_space(self._path), ()):
            return find(_contrib_space(self._path), name)
        if _is_module(path):
            return module(path)
        if found is not None:
            return found
        if self._path.startswith('python.'):
            found = getattr(importlib.import_module('weir.tf.internal_ops'), name, None)
            if found is not None and not isinstance(found, types.ModuleType):
                return found
        for space in (_contrib_space(self._path) or '', 'nn', 'train', ''):
            if name in spaces().get(space, {}):
                return find(space, name)
        if self._path.startswith('python.ops'):
            found = self._generated(name) or self._generated(name.lstrip('_'))
            if found is not None:
                return found
        raise AttributeError('weir has no tensorflow.%s.%s; %s lists what it has' % (self._path, name, COVERAGE))


def _last_module(path):
    """The module of weir.tf whose name ends like tensorflow.python's path, or None."""
    last = path.rpartition('.')[2]
    for name in (last, 'training.' + last):
        try:
            if importlib.util.find_spec('weir.tf.' + name) is not None:
                return name
        except ModuleNotFoundError:
            continue
    return None


def _is_module(path):
    if path in spaces() or path in ALIASES or path in ('compat', 'compat.v1') or _GENERATED.match(path):
        return True
    return path.startswith('python.') and _last_module(path) is not None


def has_module(path):
    """True when `import tensorflow.<path>` works; tensorflow.contrib.x.python.* has the names of tensorflow.contrib.x."""
    return _is_module(path) or _contrib_space(path) is not None


def _contrib_space(path):
    """The space whose names a module inside of a contrib package has, or None."""
    parts = path.split('.')
    if parts[0] == 'contrib' and len(parts) > 2 and parts[2] in ('python', 'ops') and '.'.join(parts[:2]) in spaces():
        return '.'.join(parts[:2])
    return None


def module(path):
    """The module that answers to tensorflow.<path>."""
    path = '' if path == 'compat.v1' else path
    if path in _modules:
        return _modules[path]
    if path in spaces() or path == 'compat':
        made = Namespace(path)
    else:
        made = Alias(path, ALIASES[path] if path in ALIASES else '_ops' if _GENERATED.match(path) else
                     _last_module(path) or '')
    _modules[path] = made
    return made
