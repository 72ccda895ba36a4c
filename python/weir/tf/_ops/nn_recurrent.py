"""Ops: nn, recurrent. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'BlockLSTM': 'seq_len_max:9 x:T cs_prev:T h_prev:T w:T wci:T wcf:T wco:T b:T|i:T cs:T f:T o:T ci:T co:T h:T|forget_bias:f cell_clip:f use_peephole:b T:t|0',
    'BlockLSTMGrad': 'seq_len_max:9 x:T cs_prev:T h_prev:T w:T wci:T wcf:T wco:T b:T i:T cs:T f:T o:T ci:T co:T h:T cs_grad:T h_grad:T|x_grad:T cs_prev_grad:T h_prev_grad:T w_grad:T wci_grad:T wcf_grad:T wco_grad:T b_grad:T|use_peephole:b T:t|0',
    'BlockLSTMGradV2': 'seq_len_max:9 x:T cs_prev:T h_prev:T w:T wci:T wcf:T wco:T b:T i:T cs:T f:T o:T ci:T co:T h:T cs_grad:T h_grad:T|x_grad:T cs_prev_grad:T h_prev_grad:T w_grad:T wci_grad:T wcf_grad:T wco_grad:T b_grad:T|use_peephole:b T:t|0',
    'BlockLSTMV2': 'seq_len_max:9 x:T cs_prev:T h_prev:T w:T wci:T wcf:T wco:T b:T|i:T cs:T f:T o:T ci:T co:T h:T|cell_clip:f use_peephole:b T:t|0',
    'CTCBeamSearchDecoder': 'inputs:T sequence_length:3|decoded_indices:top_paths*9 decoded_values:top_paths*9 decoded_shape:top_paths*9 log_probability:T|beam_width:i top_paths:i merge_repeated:b T:t=1|0',
    'CTCGreedyDecoder': 'inputs:T sequence_length:3|decoded_indices:9 decoded_values:9 decoded_shape:9 log_probability:T|merge_repeated:b blank_index:i T:t=1|0',
    'CTCLoss': 'inputs:T labels_indices:9 labels_values:3 sequence_length:3|loss:T gradient:T|preprocess_collapse_repeated:b ctc_merge_repeated:b ignore_longer_outputs_than_inputs:b T:t=1|0',
    'CTCLossV2': 'inputs:1 labels_indices:9 labels_values:3 sequence_length:3|loss:1 gradient:1|preprocess_collapse_repeated:b ctc_merge_repeated:b ignore_longer_outputs_than_inputs:b|0',
    'GRUBlockCell': 'x:T h_prev:T w_ru:T w_c:T b_ru:T b_c:T|r:T u:T c:T h:T|T:t|0',
    'GRUBlockCellGrad': 'x:T h_prev:T w_ru:T w_c:T b_ru:T b_c:T r:T u:T c:T d_h:T|d_x:T d_h_prev:T d_c_bar:T d_r_bar_u_bar:T|T:t|0',
    'LSTMBlockCell': 'x:T cs_prev:T h_prev:T w:T wci:T wcf:T wco:T b:T|i:T cs:T f:T o:T ci:T co:T h:T|forget_bias:f cell_clip:f use_peephole:b T:t|0',
    'LSTMBlockCellGrad': 'x:T cs_prev:T h_prev:T w:T wci:T wcf:T wco:T b:T i:T cs:T f:T o:T ci:T co:T cs_grad:T h_grad:T|cs_prev_grad:T dicfo:T wci_grad:T wcf_grad:T wco_grad:T|use_peephole:b T:t|0',
}


def block_lstm(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=1.0, cell_clip=3.0, use_peephole=False, name=None):
    return results(apply('BlockLSTM', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b), {'forget_bias': forget_bias, 'cell_clip': cell_clip, 'use_peephole': use_peephole}))


def block_lstm_grad(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad, use_peephole, name=None):
    return results(apply('BlockLSTMGrad', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad), {'use_peephole': use_peephole}))


def block_lstm_grad_v2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad, use_peephole, name=None):
    return results(apply('BlockLSTMGradV2', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad), {'use_peephole': use_peephole}))


def block_lstmv2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, cell_clip=0.0, use_peephole=False, name=None):
    return results(apply('BlockLSTMV2', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b), {'cell_clip': cell_clip, 'use_peephole': use_peephole}))


def ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=True, name=None):
    return results(apply('CTCBeamSearchDecoder', name, (inputs, sequence_length), {'beam_width': beam_width, 'top_paths': top_paths, 'merge_repeated': merge_repeated}))


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=False, blank_index=-1, name=None):
    return results(apply('CTCGreedyDecoder', name, (inputs, sequence_length), {'merge_repeated': merge_repeated, 'blank_index': blank_index}))


def ctc_loss(inputs, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated=False, ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False, name=None):
    return results(apply('CTCLoss', name, (inputs, labels_indices, labels_values, sequence_length), {'preprocess_collapse_repeated': preprocess_collapse_repeated, 'ctc_merge_repeated': ctc_merge_repeated, 'ignore_longer_outputs_than_inputs': ignore_longer_outputs_than_inputs}))


def ctc_loss_v2(inputs, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated=False, ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False, name=None):
    return results(apply('CTCLossV2', name, (inputs, labels_indices, labels_values, sequence_length), {'preprocess_collapse_repeated': preprocess_collapse_repeated, 'ctc_merge_repeated': ctc_merge_repeated, 'ignore_longer_outputs_than_inputs': ignore_longer_outputs_than_inputs}))


def gru_block_cell(x, h_prev, w_ru, w_c, b_ru, b_c, name=None):
    return results(apply('GRUBlockCell', name, (x, h_prev, w_ru, w_c, b_ru, b_c), {}))


def gru_block_cell_grad(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h, name=None):
    return results(apply('GRUBlockCellGrad', name, (x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h), {}))


def lstm_block_cell(x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=1.0, cell_clip=3.0, use_peephole=False, name=None):
    return results(apply('LSTMBlockCell', name, (x, cs_prev, h_prev, w, wci, wcf, wco, b), {'forget_bias': forget_bias, 'cell_clip': cell_clip, 'use_peephole': use_peephole}))


def lstm_block_cell_grad(x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole, name=None):
    return results(apply('LSTMBlockCellGrad', name, (x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad), {'use_peephole': use_peephole}))
