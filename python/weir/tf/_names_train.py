"""Public names of training, queues and readers: rows of _names.py."""

ROWS = '''
. data_flow_ops QueueBase FIFOQueue PaddingFIFOQueue RandomShuffleQueue PriorityQueue ConditionalAccumulator
  ConditionalAccumulatorBase SparseConditionalAccumulator
queue data_flow_ops QueueBase FIFOQueue PaddingFIFOQueue RandomShuffleQueue PriorityQueue
io data_flow_ops QueueBase FIFOQueue PaddingFIFOQueue RandomShuffleQueue PriorityQueue
sparse data_flow_ops SparseConditionalAccumulator
contrib.staging data_flow_ops StagingArea
. io_ops ReaderBase WholeFileReader TextLineReader FixedLengthRecordReader TFRecordReader IdentityReader LMDBReader read_file
  write_file matching_files
io io_ops read_file write_file matching_files
io training.input match_filenames_once
io training.training_util write_graph
. py_func py_func numpy_function py_function
. training.supervisor Supervisor
. training.device_setter ReplicaDeviceSetter=replica_device_setter
. training.sync_replicas_optimizer SyncReplicasOptimizer
. training.checkpoint_management latest_checkpoint
. errors InvalidArgumentError OpError
. training.scaffold tables_initializer initialize_all_tables=tables_initializer
train training.server_lib ClusterSpec Server
train training.device_setter replica_device_setter
contrib.training training.device_setter GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn
train training.coordinator Coordinator LooperThread
train training.queue_runner_impl QueueRunner add_queue_runner start_queue_runners
train.queue_runner training.queue_runner_impl QueueRunner add_queue_runner start_queue_runners
train training.input input_producer string_input_producer slice_input_producer range_input_producer limit_epochs
  match_filenames_once batch batch_join shuffle_batch shuffle_batch_join maybe_batch maybe_batch_join maybe_shuffle_batch
  maybe_shuffle_batch_join
train training.session_run_hook SessionRunHook SessionRunArgs SessionRunValues SessionRunContext
train training.basic_session_run_hooks SecondOrStepTimer LoggingTensorHook StopAtStepHook CheckpointSaverHook
  CheckpointSaverListener StepCounterHook NanTensorHook NanLossDuringTrainingError SummarySaverHook GlobalStepWaiterHook
  FinalOpsHook FeedFnHook ProfilerHook
train training.session_manager SessionManager
train training.scaffold Scaffold
train training.monitored_session MonitoredTrainingSession MonitoredSession SingularMonitoredSession SessionCreator
  ChiefSessionCreator WorkerSessionCreator
train training.supervisor Supervisor basic_train_loop
train training.sync_replicas_optimizer SyncReplicasOptimizer
train training.training_util write_graph
'''

ALIASES = {
    'python.training.queue_runner': 'training.queue_runner_impl', 'python.training.session_run_hook': 'training.session_run_hook',
    'python.training.basic_session_run_hooks': 'training.basic_session_run_hooks', 'python.client.timeline': 'timeline',
    'python.training.training': 'training.supervisor', 'python.training.basic_loops': 'training.supervisor',
    'python.ops.script_ops': 'py_func', 'python.training.sync_replicas_optimizer': 'training.sync_replicas_optimizer',
    'python.training.monitored_session': 'training.monitored_session training.scaffold',
    'python.training.server_lib': 'training.server_lib', 'python.training.device_setter': 'training.device_setter',
    'python.ops.data_flow_ops': 'data_flow_ops', 'python.ops.io_ops': 'io_ops',
}
