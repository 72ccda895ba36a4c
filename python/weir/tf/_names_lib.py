"""More rows for _names.py: recurrent networks, contrib, data, images, strings and the names of old versions."""

ROWS = '''
nn rnn dynamic_rnn bidirectional_dynamic_rnn static_rnn static_bidirectional_rnn static_state_saving_rnn raw_rnn
  rnn=static_rnn bidirectional_rnn=static_bidirectional_rnn state_saving_rnn=static_state_saving_rnn
nn.rnn_cell rnn_cell RNNCell BasicRNNCell GRUCell BasicLSTMCell LSTMCell LSTMStateTuple DropoutWrapper ResidualWrapper DeviceWrapper
  MultiRNNCell
nn.rnn_cell rnn_cell_more InputProjectionWrapper OutputProjectionWrapper EmbeddingWrapper
contrib.rnn rnn_cell RNNCell BasicRNNCell GRUCell BasicLSTMCell LSTMCell LSTMStateTuple DropoutWrapper ResidualWrapper DeviceWrapper
  MultiRNNCell
contrib.rnn rnn_cell_more InputProjectionWrapper OutputProjectionWrapper EmbeddingWrapper LayerNormBasicLSTMCell NASCell UGRNNCell
  CoupledInputForgetGateLSTMCell AttentionCellWrapper LSTMBlockCell GRUBlockCell GRUBlockCellV2 LSTMBlockFusedCell FusedRNNCell
  FusedRNNCellAdaptor TimeReversedFusedRNN ConvLSTMCell Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell HighwayWrapper
contrib.rnn rnn_cell_more transpose_batch_time stack_bidirectional_rnn stack_bidirectional_dynamic_rnn best_effort_input_batch_size
contrib.rnn rnn static_rnn static_bidirectional_rnn static_state_saving_rnn
contrib.rnn.core_rnn_cell rnn_cell RNNCell BasicRNNCell GRUCell BasicLSTMCell LSTMCell LSTMStateTuple DropoutWrapper MultiRNNCell
contrib.rnn.core_rnn_cell rnn_cell_more InputProjectionWrapper OutputProjectionWrapper EmbeddingWrapper _linear _Linear
layers layers_more Conv3D Conv3DTranspose SeparableConv1D SeparableConv2D MaxPooling3D AveragePooling3D conv3d conv3d_transpose
  separable_conv1d separable_conv2d max_pooling3d average_pooling3d
. sort_ops sort argsort
contrib.framework contrib.framework variable model_variable local_variable global_variable add_model_variable get_variables get_model_variables
  get_local_variables get_trainable_variables get_variables_by_suffix get_variables_by_name get_unique_variable
  get_variable_full_name get_variables_to_restore filter_variables VariableDeviceChooser assert_global_step
  assert_or_get_global_step get_global_step create_global_step get_or_create_global_step load_checkpoint load_variable
  list_variables init_from_checkpoint assign_from_values assign_from_values_fn assign_from_checkpoint assign_from_checkpoint_fn
  argsort sort deprecated deprecated_args deprecated_arg_values with_shape with_same_shape reduce_sum_n
  remove_squeezable_dimensions zero_initializer nest is_tensor
contrib.framework contrib.arg_scope arg_scope add_arg_scope current_arg_scope has_arg_scope arg_scoped_arguments
contrib.framework check_ops assert_scalar assert_same_float_dtype
contrib.layers contrib.layers fully_connected convolution convolution1d convolution2d convolution3d conv1d conv2d conv3d
  convolution2d_transpose conv2d_transpose convolution3d_transpose conv3d_transpose convolution2d_in_plane conv2d_in_plane
  separable_convolution2d separable_conv2d avg_pool2d max_pool2d avg_pool3d max_pool3d pool dropout flatten bias_add one_hot_encoding
  softmax spatial_softmax maxout unit_norm repeat stack scale_gradient sequence_to_images images_to_sequence legacy_fully_connected
  elu relu relu6 linear legacy_linear legacy_relu
contrib.layers contrib.normalization batch_norm layer_norm instance_norm group_norm
contrib.layers contrib.regularizers l1_regularizer l2_regularizer l1_l2_regularizer sum_regularizer apply_regularization
  xavier_initializer xavier_initializer_conv2d variance_scaling_initializer
contrib.layers contrib.optimizers optimize_loss adaptive_clipping_fn OPTIMIZER_CLS_NAMES OPTIMIZER_SUMMARIES
contrib.layers contrib.layer_summaries summarize_tensor summarize_activation summarize_tensors summarize_collection
  summarize_variables summarize_weights summarize_biases summarize_activations embedding_lookup_unique embed_sequence
  safe_embedding_lookup_sparse
'''

_ALIASES = '''
python.ops.rnn rnn
python.ops.rnn_cell rnn_cell rnn_cell_more
python.ops.rnn_cell_impl rnn_cell rnn_cell_more
contrib.rnn.python.ops.core_rnn_cell rnn_cell rnn_cell_more
contrib.rnn.python.ops.core_rnn_cell_impl rnn_cell rnn_cell_more
contrib.rnn.python.ops.core_rnn rnn
contrib.rnn.python.ops.rnn_cell rnn_cell_more rnn_cell
contrib.rnn.python.ops.rnn rnn_cell_more
contrib.rnn.python
contrib.rnn.python.ops
contrib.rnn.ops
contrib.rnn.ops.rnn_cell rnn_cell rnn_cell_more
contrib.framework.python
contrib.framework.python.ops
contrib.framework.python.ops.variables contrib.framework
contrib.framework.python.ops.arg_scope contrib.arg_scope
contrib.framework.python.framework
contrib.framework.python.framework.checkpoint_utils contrib.framework
contrib.layers.python
contrib.layers.python.layers contrib.layers contrib.normalization contrib.regularizers
contrib.layers.python.layers.layers contrib.layers contrib.normalization
contrib.layers.python.layers.utils contrib.layer_utils
contrib.layers.python.layers.initializers contrib.regularizers
contrib.layers.python.layers.regularizers contrib.regularizers
contrib.layers.python.layers.optimizers contrib.optimizers
contrib.layers.python.layers.normalization contrib.normalization
contrib.layers.python.ops
contrib.layers.summaries contrib.layer_summaries
contrib.layers.initializers contrib.regularizers
contrib.layers.regularizers contrib.regularizers
contrib.layers.layers contrib.layers contrib.normalization
contrib.layers.utils contrib.layer_utils
'''


def aliases():
    """{path below tensorflow: modules that have its names}."""
    found = {}
    for line in _ALIASES.strip().split('\n'):
        path, _, modules = line.partition(' ')
        found[path] = modules
    return found
