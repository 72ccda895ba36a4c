"""More rows for _names.py: names that few programs use, and spaces that hold names of others."""

_TYPES = '''DType as_dtype float16 half float32 float64 double bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 string bool
  complex64 complex128 qint8 quint8 qint16 quint16 qint32 resource variant QUANTIZED_DTYPES'''
_QUANT = '''fake_quant_with_min_max_args_gradient fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel
  fake_quant_with_min_max_vars_per_channel_gradient quantized_concat'''
_SHAPED = '''tensor_scatter_add tensor_scatter_nd_add tensor_scatter_sub tensor_scatter_nd_sub tensor_scatter_nd_update repeat
  required_space_to_batch_paddings histogram_fixed_width histogram_fixed_width_bins quantize fingerprint verify_tensor_all_finite
  add_check_numerics_ops no_gradient grad_pass_through recompute_grad vectorized_map'''
_DEVICES = '''VirtualDeviceConfiguration get_device_policy get_memory_growth get_synchronous_execution
  get_virtual_device_configuration get_visible_devices list_logical_devices list_physical_devices set_device_policy
  set_memory_growth set_synchronous_execution set_virtual_device_configuration set_visible_devices'''

ROWS = '''
data.experimental data_optional Optional get_next_as_optional
dtypes dtypes ''' + _TYPES + '''
dtypes math_ops cast complex saturate_cast
dtypes _ops as_string
. array_more ''' + _SHAPED + '''
. _ops ''' + _QUANT + ''' extract_volume_patches guarantee_const matrix_square_root timestamp unravel_index delete_session_tensor
. math_more angle
. compat dimension_at_index dimension_value
. convert get_static_value=constant_value
. sparse_ops sparse_mask sparse_reduce_max_sparse sparse_reduce_sum_sparse
. session_handles get_session_handle get_session_tensor
. switch_case switch_case
. tf_logging get_logger
debugging array_more assert_all_finite=verify_tensor_all_finite
debugging config get_log_device_placement set_log_device_placement
quantization array_ops dequantize fake_quant_with_min_max_args fake_quant_with_min_max_vars
quantization _ops ''' + _QUANT + '''
quantization array_more quantize quantize_and_dequantize
. array_more quantize_and_dequantize
audio _ops decode_wav encode_wav
contrib.losses.metric_learning contrib.metric_learning contrastive_loss lifted_struct_loss npairs_loss npairs_loss_multilabel
  triplet_semihard_loss
xla.experimental xla compile jit_scope=experimental_jit_scope
contrib.compiler.jit xla experimental_jit_scope
contrib.compiler.xla xla compile
profiler profiler ProfileOptionBuilder profile Profiler GraphNodeProto MultiGraphNodeProto
config config experimental_list_devices get_soft_device_placement set_soft_device_placement
config.experimental config ''' + _DEVICES + '''
config.optimizer config get_experimental_options get_jit set_experimental_options set_jit
config.threading config get_inter_op_parallelism_threads get_intra_op_parallelism_threads set_inter_op_parallelism_threads
  set_intra_op_parallelism_threads
data.experimental data_more INFINITE_CARDINALITY UNKNOWN_CARDINALITY Reducer group_by_reducer unique dense_to_sparse_batch cardinality
  parse_example_dataset map_and_batch_with_legacy_function to_variant get_structure bytes_produced_stats latency_stats
  rejection_resample TFRecordWriter OptimizationOptions MapVectorizationOptions DistributeOptions StatsOptions ThreadingOptions
data.experimental data_experimental RandomDataset
contrib.data data_more Reducer group_by_reducer unique dense_to_sparse_batch parse_example_dataset rejection_resample TFRecordWriter
contrib.data data_experimental RandomDataset copy_to_device
graph_util framework import_graph_def
image image_more adjust_jpeg_quality random_jpeg_quality combined_non_max_suppression non_max_suppression_overlaps
  non_max_suppression_with_scores ssim_multiscale
linalg clip_ops global_norm
linalg linear_operator LinearOperator LinearOperatorDiag LinearOperatorFullMatrix LinearOperatorIdentity LinearOperatorLowerTriangular
contrib.linalg linear_operator LinearOperator LinearOperatorDiag LinearOperatorFullMatrix LinearOperatorIdentity
  LinearOperatorLowerTriangular
linalg math_more matrix_rank normalize pinv tridiagonal_matmul
linalg array_ops matrix_transpose
manip array_ops batch_to_space_nd gather_nd reshape reverse roll scatter_nd space_to_batch_nd tile
math math_more angle bessel_i0 bessel_i1 cumulative_logsumexp polyval
math nn_ops in_top_k log_softmax softmax softplus softsign top_k zero_fraction
math array_ops invert_permutation
math check_ops is_non_decreasing is_strictly_increasing
math math_ops unsorted_segment_sqrt_n
nest nest assert_same_structure flatten is_nested=is_sequence map_structure pack_sequence_as
nn nn_rare atrous_conv2d_transpose depthwise_conv2d_native_backprop_filter depthwise_conv2d_native_backprop_input
  depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input collapse_repeated ctc_unique_labels compute_average_loss
  scale_regularization_loss with_space_to_batch
nn nn_ops avg_pool2d=avg_pool
nn _ops conv3d_backprop_filter_v2 conv3d_backprop_filter=conv3d_backprop_filter_v2 quantized_avg_pool quantized_conv2d
  quantized_max_pool
nn array_ops depth_to_space space_to_batch space_to_depth
random nn_ops all_candidate_sampler fixed_unigram_candidate_sampler learned_unigram_candidate_sampler
  log_uniform_candidate_sampler uniform_candidate_sampler
random framework get_seed
random stateless_ops stateless_categorical stateless_multinomial stateless_normal=stateless_random_normal stateless_truncated_normal
  stateless_uniform=stateless_random_uniform
contrib.stateless stateless_ops stateless_multinomial stateless_random_normal stateless_random_uniform stateless_truncated_normal
saved_model saved_model ASSETS_DIRECTORY ASSETS_KEY LEGACY_INIT_OP_KEY MAIN_OP_KEY SAVED_MODEL_SCHEMA_VERSION SAVED_MODEL_FILENAME_PB
  SAVED_MODEL_FILENAME_PBTXT VARIABLES_DIRECTORY VARIABLES_FILENAME
signal math_more fftshift ifftshift
sparse sparse_ops eye=sparse_eye mask=sparse_mask reduce_max_sparse=sparse_reduce_max_sparse reduce_sum_sparse=sparse_reduce_sum_sparse
  sparse_dense_matmul=sparse_tensor_dense_matmul
strings _ops unsorted_segment_join
train training.learning_rate_decay linear_cosine_decay noisy_linear_cosine_decay
train contrib.training_more checkpoints_iterator
version toplevel COMPILER_VERSION GIT_VERSION GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER VERSION
contrib.slim.nets.alexnet contrib.nets_plain alexnet_v2 alexnet_v2_arg_scope trunc_normal
contrib.slim.nets.overfeat contrib.nets_plain overfeat overfeat_arg_scope trunc_normal
contrib.slim.nets.vgg contrib.nets_plain vgg_a vgg_16 vgg_19 vgg_d vgg_e vgg_arg_scope
contrib.slim.nets.inception contrib.nets_inception inception_v1 inception_v1_arg_scope inception_v1_base inception_v2
  inception_v2_arg_scope inception_v2_base inception_v3 inception_v3_arg_scope inception_v3_base
contrib.slim.nets.resnet_utils contrib.nets_resnet Block subsample conv2d_same stack_blocks_dense resnet_arg_scope
contrib.slim.nets.resnet_v1 contrib.nets_resnet resnet_v1 resnet_v1_50 resnet_v1_101 resnet_v1_152 resnet_v1_200 resnet_v1_block
  resnet_arg_scope bottleneck=bottleneck_v1
contrib.slim.nets.resnet_v2 contrib.nets_resnet resnet_v2 resnet_v2_50 resnet_v2_101 resnet_v2_152 resnet_v2_200 resnet_v2_block
  resnet_arg_scope bottleneck=bottleneck_v2
contrib.opt contrib.opt_more AdaMaxOptimizer AddSignOptimizer AdamWOptimizer MomentumWOptimizer DecoupledWeightDecayExtension
  extend_with_decoupled_weight_decay LARSOptimizer RegAdagradOptimizer VariableClippingOptimizer DropStaleGradientOptimizer
  MultitaskOptimizerWrapper clip_gradients_by_global_norm
distributions distributions_more DirichletMultinomial Multinomial
contrib.distributions distributions_more BetaWithSoftplusConcentration Binomial Chi2 Chi2WithAbsDf Deterministic DirichletMultinomial
  ExponentialWithSoftplusRate GammaWithSoftplusConcentrationRate Geometric Gumbel HalfNormal InverseGamma
  LaplaceWithSoftplusScale Logistic Multinomial MultivariateNormalDiagWithSoftplusScale StudentTWithAbsDfSoftplusScale
contrib.distributions distribution_math softplus_inverse
contrib.metrics contrib.metrics streaming_true_positives_at_thresholds streaming_false_positives_at_thresholds
  streaming_true_negatives_at_thresholds streaming_false_negatives_at_thresholds streaming_sensitivity_at_specificity
  streaming_specificity_at_sensitivity streaming_sparse_precision_at_top_k sparse_recall_at_top_k streaming_false_positive_rate
  streaming_false_negative_rate count
contrib.metrics sparse_ops set_difference set_intersection set_union
contrib.learn contrib.learn_more DNNLinearCombinedClassifier DNNLinearCombinedRegressor SKCompat NotFittedError
contrib.learn contrib.learn BaseEstimator=Estimator build_parsing_serving_input_fn
contrib.layers contrib.columns real_valued_column sparse_column_with_hash_bucket sparse_column_with_keys
  sparse_column_with_integerized_feature sparse_column_with_vocabulary_file bucketized_column crossed_column embedding_column
  shared_embedding_columns one_hot_column weighted_sparse_column create_feature_spec_for_parsing input_from_feature_columns
  weighted_sum_from_feature_columns
contrib.distributions contrib.bijectors TransformedDistribution
contrib.distributions.bijectors contrib.bijectors Bijector ConditionalBijector Identity PowerTransform Exp Sigmoid Softplus Softsign Square
  AffineScalar Affine Permute Invert Chain Inline RealNVP real_nvp_default_template
raw_ops _ops
sysconfig toplevel CXX11_ABI_FLAG MONOLITHIC_BUILD
'''

_ALIASES = '''
python.data.util.structure data_optional
python.data.ops.optional_ops data_optional
python.data.ops.iterator_ops data_iterator data_optional
python.summary.summary_iterator tf_record
python.ops.distributions.beta distributions
python.ops.distributions.dirichlet distributions
python.ops.distributions.dirichlet_multinomial distributions distributions_more
python.ops.distributions.multinomial distributions distributions_more
python.ops.distributions.exponential distributions
python.ops.distributions.gamma distributions
python.ops.distributions.laplace distributions
python.ops.distributions.student_t distributions
python.ops.distributions.uniform distributions
python.ops.distributions.distributions distributions
python.ops.distributions.special_math distribution_math
python.ops.linalg.linalg_impl linalg_ops math_more
python.ops.linalg.linalg linalg_ops math_more
python.ops.ctc_ops ctc_ops nn_rare
contrib.slim.python.slim.nets
contrib.slim.python.slim.nets.alexnet contrib.nets_plain
contrib.slim.python.slim.nets.overfeat contrib.nets_plain
contrib.slim.python.slim.nets.vgg contrib.nets_plain
contrib.slim.python.slim.nets.inception contrib.nets_inception
contrib.slim.python.slim.nets.resnet_utils contrib.nets_resnet
contrib.slim.python.slim.nets.resnet_v1 contrib.nets_resnet_v1 contrib.nets_resnet
contrib.slim.python.slim.nets.resnet_v2 contrib.nets_resnet_v2 contrib.nets_resnet
contrib.slim.python.slim.nets.inception_v1 contrib.nets_inception
contrib.slim.python.slim.nets.inception_v2 contrib.nets_inception
contrib.slim.python.slim.nets.inception_v3 contrib.nets_inception
python.ops.stateless_random_ops stateless_ops
python.ops.image_ops image_ops image_more
python.ops.image_ops_impl image_ops image_more
python.ops.array_ops internal_signatures array_ops array_more
python.ops.math_ops internal_signatures math_ops math_more
python.ops.nn nn_ops nn_rare
python.ops.nn_ops nn_ops nn_rare
python.ops.histogram_ops array_more
python.ops.numerics array_more
python.ops.session_ops session_handles
python.ops.signal.fft_ops linalg_ops math_more
python.ops.sort_ops sort_ops
python.ops.nn_grad
python.ops.math_grad
python.ops.array_grad
python.ops.sparse_grad
python.ops.custom_gradient gradients array_more
contrib.opt.python.training.adamax contrib.opt_more contrib.opt
contrib.opt.python.training.addsign contrib.opt_more contrib.opt
contrib.opt.python.training.powersign contrib.opt_more contrib.opt
contrib.opt.python.training.weight_decay_optimizers contrib.opt_more contrib.opt
contrib.opt.python.training.lars_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.reg_adagrad_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.variable_clipping_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.drop_stale_gradient_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.multitask_optimizer_wrapper contrib.opt_more contrib.opt
contrib.opt.python.training.lazy_adam_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.nadam_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.moving_average_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.external_optimizer contrib.opt_more contrib.opt
contrib.opt.python.training.sign_decay contrib.opt_more contrib.opt
python.data.experimental.ops.grouping data_more data_experimental
python.data.experimental.ops.unique data_more
python.data.experimental.ops.batching data_more data_experimental
python.data.experimental.ops.cardinality data_more
python.data.experimental.ops.resampling data_more
python.data.experimental.ops.interleave_ops data_experimental
python.data.experimental.ops.scan_ops data_experimental
python.data.experimental.ops.shuffle_ops data_experimental
python.data.experimental.ops.take_while_ops data_experimental
python.data.experimental.ops.error_ops data_experimental
python.data.experimental.ops.enumerate_ops data_experimental
python.data.experimental.ops.counter data_experimental
python.data.experimental.ops.get_single_element data_experimental
python.data.experimental.ops.readers data_experimental
python.data.experimental.ops.random_ops data_experimental
python.data.experimental.ops.writers data_more
python.data.experimental.ops.parsing_ops data_more
python.data.experimental.ops.prefetching_ops data_experimental
contrib.tfprof.model_analyzer profiler
python.compiler.xla.xla xla
python.compiler.xla.jit xla
python.ops.resources resources
python.training.evaluation contrib.training_more
python.ops.collective_ops collective_ops
contrib.losses.python.metric_learning contrib.metric_learning
contrib.losses.python.metric_learning.metric_loss_ops contrib.metric_learning
python.profiler.model_analyzer profiler
python.profiler.option_builder profiler
'''


def aliases():
    """{path below tensorflow: modules that have its names}."""
    rows = (line.partition(' ') for line in _ALIASES.strip().split('\n'))
    return {path: modules for path, _, modules in rows}
