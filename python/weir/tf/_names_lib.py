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
'''


def aliases():
    """{path below tensorflow: modules that have its names}."""
    found = {}
    for line in _ALIASES.strip().split('\n'):
        path, _, modules = line.partition(' ')
        found[path] = modules
    return found
