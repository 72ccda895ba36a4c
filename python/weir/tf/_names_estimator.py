"""More rows for _names.py: estimators, feature columns, contrib.learn, and what stands beside them."""

ROWS = '''
estimator estimator.model_fn ModeKeys EstimatorSpec
estimator estimator.run_config RunConfig
estimator estimator.estimator Estimator WarmStartSettings
estimator estimator.training TrainSpec EvalSpec train_and_evaluate Exporter FinalExporter LatestExporter BestExporter
estimator estimator.canned LinearClassifier LinearRegressor LinearEstimator DNNClassifier DNNRegressor DNNEstimator
  DNNLinearCombinedClassifier DNNLinearCombinedRegressor DNNLinearCombinedEstimator BaselineClassifier BaselineRegressor
estimator estimator.head BinaryClassHead=BinaryHead MultiClassHead RegressionHead MultiLabelHead
estimator training.session_run_hook SessionRunHook SessionRunArgs SessionRunValues SessionRunContext
estimator training.basic_session_run_hooks LoggingTensorHook StopAtStepHook CheckpointSaverHook CheckpointSaverListener
  StepCounterHook NanTensorHook NanLossDuringTrainingError SummarySaverHook GlobalStepWaiterHook FinalOpsHook FeedFnHook
  ProfilerHook SecondOrStepTimer
estimator.export estimator.model_fn ExportOutput PredictOutput ClassificationOutput RegressionOutput ServingInputReceiver
  TensorServingInputReceiver build_parsing_serving_input_receiver_fn build_raw_serving_input_receiver_fn
estimator.inputs estimator.inputs numpy_input_fn pandas_input_fn
estimator.experimental estimator.training make_early_stopping_hook stop_if_no_decrease_hook stop_if_no_increase_hook
estimator.tpu contrib.tpu InputPipelineConfig TPUConfig RunConfig TPUEstimatorSpec TPUEstimator
contrib.estimator estimator.training add_metrics forward_features make_early_stopping_hook stop_if_no_decrease_hook
  stop_if_no_increase_hook clip_gradients_by_norm read_eval_metrics
contrib.estimator estimator.head binary_classification_head multi_class_head multi_label_head regression_head
contrib.estimator estimator.canned DNNEstimator LinearEstimator DNNLinearCombinedEstimator
contrib.tpu contrib.tpu InputPipelineConfig TPUConfig RunConfig TPUEstimatorSpec TPUEstimator CrossShardOptimizer bfloat16_scope
  cross_replica_sum initialize_system shutdown_system
contrib.cluster_resolver contrib.tpu TPUClusterResolver
distribute.cluster_resolver contrib.tpu TPUClusterResolver
feature_column feature_column numeric_column bucketized_column categorical_column_with_hash_bucket
  categorical_column_with_vocabulary_list categorical_column_with_vocabulary_file categorical_column_with_identity
  weighted_categorical_column crossed_column indicator_column embedding_column shared_embedding_columns make_parse_example_spec
  input_layer linear_model
sparse sparse_cross cross cross_hashed
contrib.learn contrib.learn ModeKeys PredictionKey ProblemType RunConfig ModelFnOps MetricSpec Estimator DNNClassifier DNNRegressor
  LinearClassifier LinearRegressor Experiment ExportStrategy InputFnOps infer_real_valued_columns_from_input
  infer_real_valued_columns_from_input_fn make_export_strategy
contrib.learn contrib.learn_more run_n run_feeds run_feeds_iter
contrib.learn.learn_runner contrib.learn run tune
contrib.learn.utils contrib.learn make_export_strategy
contrib.learn.utils.input_fn_utils contrib.learn build_parsing_serving_input_fn build_default_serving_input_fn InputFnOps
contrib.learn.utils.saved_model_export_utils contrib.learn make_export_strategy
contrib.learn.preprocessing contrib.preprocessing VocabularyProcessor CategoricalVocabulary ByteProcessor tokenizer
contrib.learn.datasets mnist load_dataset=read_data_sets
contrib.learn.datasets.base contrib.learn_data Dataset Datasets load_csv_with_header load_csv_without_header maybe_download
contrib.learn.datasets.mnist mnist read_data_sets load_mnist DataSet extract_images extract_labels dense_to_one_hot
contrib.learn.python.learn.datasets.base contrib.learn_data Dataset Datasets load_csv_with_header load_csv_without_header
  maybe_download
contrib.summary contrib.summary create_file_writer summary_writer_initializer_op always_record_summaries never_record_summaries
  record_summaries_every_n_global_steps should_record_summaries all_summary_ops initialize flush scalar histogram image generic
contrib.tensorboard.plugins.projector contrib.projector ProjectorConfig EmbeddingInfo SpriteMetadata visualize_embeddings
examples.tutorials.mnist.mnist mnist_model NUM_CLASSES IMAGE_SIZE IMAGE_PIXELS inference loss training evaluation
keras.layers keras_layers Layer Dense Conv1D Conv2D Conv2DTranspose Conv3D SeparableConv2D BatchNormalization Dropout Flatten
  MaxPooling1D MaxPooling2D MaxPool2D=MaxPooling2D AveragePooling2D AvgPool2D=AveragePooling2D Activation Lambda Reshape Permute
  Embedding GlobalAveragePooling2D GlobalMaxPooling2D GlobalAveragePooling1D ReLU LeakyReLU add average concatenate
keras.regularizers keras_layers l1 l2
keras.initializers init_ops Zeros Ones Constant zeros=Zeros ones=Ones constant=Constant RandomUniform RandomNormal TruncatedNormal glorot_uniform=GlorotUniform
  glorot_normal=GlorotNormal he_normal he_uniform lecun_normal lecun_uniform Orthogonal VarianceScaling
keras.activations nn_ops relu elu selu sigmoid tanh softmax softplus softsign
keras.backend keras_layers epsilon floatx
keras.datasets.mnist contrib.learn_data load_data=load_mnist
keras.utils contrib.learn_data get_file to_categorical
keras.preprocessing.sequence contrib.learn_data pad_sequences
'''

_ALIASES = '''
contrib.learn.python
contrib.learn.python.learn contrib.learn
contrib.learn.python.learn.learn_runner contrib.learn
contrib.learn.python.learn.estimators contrib.learn
contrib.learn.python.learn.estimators.run_config contrib.learn
contrib.learn.python.learn.estimators.estimator contrib.learn
contrib.learn.python.learn.estimators.model_fn contrib.learn
contrib.learn.python.learn.preprocessing contrib.preprocessing
contrib.learn.python.learn.preprocessing.text contrib.preprocessing
contrib.learn.python.learn.utils contrib.learn
contrib.learn.python.learn.utils.input_fn_utils contrib.learn
contrib.learn.python.learn.utils.saved_model_export_utils contrib.learn
contrib.tpu.python
contrib.tpu.python.tpu contrib.tpu
contrib.tpu.python.tpu.tpu_config contrib.tpu
contrib.tpu.python.tpu.tpu_estimator contrib.tpu
contrib.tpu.python.tpu.tpu_optimizer contrib.tpu
contrib.tpu.python.tpu.bfloat16 contrib.tpu
python.estimator estimator.estimator
python.estimator.estimator estimator.estimator estimator.model_fn
python.estimator.model_fn estimator.model_fn
python.estimator.run_config estimator.run_config
python.estimator.training estimator.training
python.estimator.inputs estimator.inputs
python.estimator.export estimator.model_fn
python.estimator.export.export estimator.model_fn
python.estimator.export.export_output estimator.model_fn
python.estimator.canned estimator.canned
python.feature_column feature_column
python.feature_column.feature_column feature_column
python.feature_column.feature_column_v2 feature_column
python.keras
python.keras.layers keras_layers
python.keras.initializers init_ops
python.keras.utils contrib.learn_data
python.keras.preprocessing
python.keras.preprocessing.sequence contrib.learn_data
python.summary.writer event_writer
python.summary.writer.writer event_writer
python.summary.summary summary
python.ops.summary_ops summary
'''


def aliases():
    """{path below tensorflow: modules that have its names}."""
    return {path: modules for path, _, modules in (line.partition(' ') for line in _ALIASES.strip().split('\n'))}
