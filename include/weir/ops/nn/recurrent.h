/* weir/ops/nn/recurrent.h - recurrent cells, sequences without alignment.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_NN_RECURRENT_OPS_H
#define WEIR_NN_RECURRENT_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BlockLSTM(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) ->
 * i: T, cs: T, f: T, o: T, ci: T, co: T, h: T: an LSTM layer over all steps of a sequence. T: half,
 * float. */
typedef struct weir_block_lstm_options {
    float forget_bias; /* 0: 1 */
    float cell_clip; /* 0: 3 */
    bool use_peephole;
} weir_block_lstm_options;
typedef struct weir_block_lstm_outputs {
    TF_Output i;
    TF_Output cs;
    TF_Output f;
    TF_Output o;
    TF_Output ci;
    TF_Output co;
    TF_Output h;
} weir_block_lstm_outputs;
static inline weir_block_lstm_outputs weir_block_lstm(weir_builder *builder, const char *node,
                                                      TF_Output seq_len_max, TF_Output x,
                                                      TF_Output cs_prev, TF_Output h_prev,
                                                      TF_Output w, TF_Output wci, TF_Output wcf,
                                                      TF_Output wco, TF_Output b,
                                                      const weir_block_lstm_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BlockLSTM", node);
    weir_build_input(builder, made, seq_len_max);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, cs_prev);
    weir_build_input(builder, made, h_prev);
    weir_build_input(builder, made, w);
    weir_build_input(builder, made, wci);
    weir_build_input(builder, made, wcf);
    weir_build_input(builder, made, wco);
    weir_build_input(builder, made, b);
    if (made && options) {
        if (options->forget_bias != 0)
            TF_SetAttrFloat(made, "forget_bias", weir_float_of(options->forget_bias));
        if (options->cell_clip != 0)
            TF_SetAttrFloat(made, "cell_clip", weir_float_of(options->cell_clip));
        TF_SetAttrBool(made, "use_peephole", options->use_peephole);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_block_lstm_outputs out;
    out.i = weir_output(op, 0);
    out.cs = weir_output(op, 1);
    out.f = weir_output(op, 2);
    out.o = weir_output(op, 3);
    out.ci = weir_output(op, 4);
    out.co = weir_output(op, 5);
    out.h = weir_output(op, 6);
    return out;
}

/* BlockLSTMGrad(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b:
 * T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T) -> x_grad: T,
 * cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T: the
 * gradient of BlockLSTM. T: half, float. */
typedef struct weir_block_lstm_grad_outputs {
    TF_Output x_grad;
    TF_Output cs_prev_grad;
    TF_Output h_prev_grad;
    TF_Output w_grad;
    TF_Output wci_grad;
    TF_Output wcf_grad;
    TF_Output wco_grad;
    TF_Output b_grad;
} weir_block_lstm_grad_outputs;
static inline weir_block_lstm_grad_outputs weir_block_lstm_grad(weir_builder *builder,
                                                                const char *node,
                                                                TF_Output seq_len_max, TF_Output x,
                                                                TF_Output cs_prev, TF_Output h_prev,
                                                                TF_Output w, TF_Output wci,
                                                                TF_Output wcf, TF_Output wco,
                                                                TF_Output b, TF_Output i,
                                                                TF_Output cs, TF_Output f,
                                                                TF_Output o, TF_Output ci,
                                                                TF_Output co, TF_Output h,
                                                                TF_Output cs_grad, TF_Output h_grad,
                                                                bool use_peephole)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BlockLSTMGrad", node);
    weir_build_input(builder, made, seq_len_max);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, cs_prev);
    weir_build_input(builder, made, h_prev);
    weir_build_input(builder, made, w);
    weir_build_input(builder, made, wci);
    weir_build_input(builder, made, wcf);
    weir_build_input(builder, made, wco);
    weir_build_input(builder, made, b);
    weir_build_input(builder, made, i);
    weir_build_input(builder, made, cs);
    weir_build_input(builder, made, f);
    weir_build_input(builder, made, o);
    weir_build_input(builder, made, ci);
    weir_build_input(builder, made, co);
    weir_build_input(builder, made, h);
    weir_build_input(builder, made, cs_grad);
    weir_build_input(builder, made, h_grad);
    if (made) {
        TF_SetAttrBool(made, "use_peephole", use_peephole);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_block_lstm_grad_outputs out;
    out.x_grad = weir_output(op, 0);
    out.cs_prev_grad = weir_output(op, 1);
    out.h_prev_grad = weir_output(op, 2);
    out.w_grad = weir_output(op, 3);
    out.wci_grad = weir_output(op, 4);
    out.wcf_grad = weir_output(op, 5);
    out.wco_grad = weir_output(op, 6);
    out.b_grad = weir_output(op, 7);
    return out;
}

/* BlockLSTMGradV2(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b:
 * T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T) -> x_grad: T,
 * cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T: the
 * gradient of BlockLSTM. T: half, float. */
typedef struct weir_block_lstm_grad_v2_outputs {
    TF_Output x_grad;
    TF_Output cs_prev_grad;
    TF_Output h_prev_grad;
    TF_Output w_grad;
    TF_Output wci_grad;
    TF_Output wcf_grad;
    TF_Output wco_grad;
    TF_Output b_grad;
} weir_block_lstm_grad_v2_outputs;
static inline weir_block_lstm_grad_v2_outputs weir_block_lstm_grad_v2(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output seq_len_max,
                                                                      TF_Output x,
                                                                      TF_Output cs_prev,
                                                                      TF_Output h_prev, TF_Output w,
                                                                      TF_Output wci, TF_Output wcf,
                                                                      TF_Output wco, TF_Output b,
                                                                      TF_Output i, TF_Output cs,
                                                                      TF_Output f, TF_Output o,
                                                                      TF_Output ci, TF_Output co,
                                                                      TF_Output h,
                                                                      TF_Output cs_grad,
                                                                      TF_Output h_grad,
                                                                      bool use_peephole)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BlockLSTMGradV2", node);
    weir_build_input(builder, made, seq_len_max);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, cs_prev);
    weir_build_input(builder, made, h_prev);
    weir_build_input(builder, made, w);
    weir_build_input(builder, made, wci);
    weir_build_input(builder, made, wcf);
    weir_build_input(builder, made, wco);
    weir_build_input(builder, made, b);
    weir_build_input(builder, made, i);
    weir_build_input(builder, made, cs);
    weir_build_input(builder, made, f);
    weir_build_input(builder, made, o);
    weir_build_input(builder, made, ci);
    weir_build_input(builder, made, co);
    weir_build_input(builder, made, h);
    weir_build_input(builder, made, cs_grad);
    weir_build_input(builder, made, h_grad);
    if (made) {
        TF_SetAttrBool(made, "use_peephole", use_peephole);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_block_lstm_grad_v2_outputs out;
    out.x_grad = weir_output(op, 0);
    out.cs_prev_grad = weir_output(op, 1);
    out.h_prev_grad = weir_output(op, 2);
    out.w_grad = weir_output(op, 3);
    out.wci_grad = weir_output(op, 4);
    out.wcf_grad = weir_output(op, 5);
    out.wco_grad = weir_output(op, 6);
    out.b_grad = weir_output(op, 7);
    return out;
}

/* BlockLSTMV2(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T)
 * -> i: T, cs: T, f: T, o: T, ci: T, co: T, h: T: an LSTM layer over all steps of a sequence. T:
 * half, float. */
typedef struct weir_block_lstm_v2_options {
    float cell_clip;
    bool use_peephole;
} weir_block_lstm_v2_options;
typedef struct weir_block_lstm_v2_outputs {
    TF_Output i;
    TF_Output cs;
    TF_Output f;
    TF_Output o;
    TF_Output ci;
    TF_Output co;
    TF_Output h;
} weir_block_lstm_v2_outputs;
static inline weir_block_lstm_v2_outputs
weir_block_lstm_v2(weir_builder *builder, const char *node, TF_Output seq_len_max, TF_Output x,
                   TF_Output cs_prev, TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf,
                   TF_Output wco, TF_Output b, const weir_block_lstm_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BlockLSTMV2", node);
    weir_build_input(builder, made, seq_len_max);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, cs_prev);
    weir_build_input(builder, made, h_prev);
    weir_build_input(builder, made, w);
    weir_build_input(builder, made, wci);
    weir_build_input(builder, made, wcf);
    weir_build_input(builder, made, wco);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrFloat(made, "cell_clip", options->cell_clip);
        TF_SetAttrBool(made, "use_peephole", options->use_peephole);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_block_lstm_v2_outputs out;
    out.i = weir_output(op, 0);
    out.cs = weir_output(op, 1);
    out.f = weir_output(op, 2);
    out.o = weir_output(op, 3);
    out.ci = weir_output(op, 4);
    out.co = weir_output(op, 5);
    out.h = weir_output(op, 6);
    return out;
}

/* CTCBeamSearchDecoder(inputs: T, sequence_length: int32) -> decoded_indices: top_paths * int64,
 * decoded_values: top_paths * int64, decoded_shape: top_paths * int64, log_probability: T: the most
 * likely labellings from class scores per step, as sparse tensors. T: float, double. */
typedef struct weir_ctc_beam_search_decoder_options {
    bool not_merge_repeated;
} weir_ctc_beam_search_decoder_options;
typedef struct weir_ctc_beam_search_decoder_outputs {
    weir_outputs decoded_indices;
    weir_outputs decoded_values;
    weir_outputs decoded_shape;
    TF_Output log_probability;
} weir_ctc_beam_search_decoder_outputs;
static inline weir_ctc_beam_search_decoder_outputs
weir_ctc_beam_search_decoder(weir_builder *builder, const char *node, TF_Output inputs,
                             TF_Output sequence_length, int64_t beam_width, int64_t top_paths,
                             const weir_ctc_beam_search_decoder_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CTCBeamSearchDecoder", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, sequence_length);
    if (made) {
        TF_SetAttrInt(made, "beam_width", beam_width);
        TF_SetAttrInt(made, "top_paths", top_paths);
    }
    if (made && options) {
        TF_SetAttrBool(made, "merge_repeated", !options->not_merge_repeated);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ctc_beam_search_decoder_outputs out;
    int at = 0;
    out.decoded_indices = weir_outputs_of(op, "decoded_indices", at);
    at += out.decoded_indices.count;
    out.decoded_values = weir_outputs_of(op, "decoded_values", at);
    at += out.decoded_values.count;
    out.decoded_shape = weir_outputs_of(op, "decoded_shape", at);
    at += out.decoded_shape.count;
    out.log_probability = weir_output(op, at);
    return out;
}

/* CTCGreedyDecoder(inputs: T, sequence_length: int32) -> decoded_indices: int64, decoded_values:
 * int64, decoded_shape: int64, log_probability: T: the most likely labellings from class scores per
 * step, as sparse tensors. T: float, double. */
typedef struct weir_ctc_greedy_decoder_options {
    bool merge_repeated;
    int64_t blank_index; /* 0: -1 */
} weir_ctc_greedy_decoder_options;
typedef struct weir_ctc_greedy_decoder_outputs {
    TF_Output decoded_indices;
    TF_Output decoded_values;
    TF_Output decoded_shape;
    TF_Output log_probability;
} weir_ctc_greedy_decoder_outputs;
static inline weir_ctc_greedy_decoder_outputs
weir_ctc_greedy_decoder(weir_builder *builder, const char *node, TF_Output inputs,
                        TF_Output sequence_length, const weir_ctc_greedy_decoder_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CTCGreedyDecoder", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, sequence_length);
    if (made && options) {
        TF_SetAttrBool(made, "merge_repeated", options->merge_repeated);
        if (options->blank_index != 0)
            TF_SetAttrInt(made, "blank_index", weir_int_of(options->blank_index));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ctc_greedy_decoder_outputs out;
    out.decoded_indices = weir_output(op, 0);
    out.decoded_values = weir_output(op, 1);
    out.decoded_shape = weir_output(op, 2);
    out.log_probability = weir_output(op, 3);
    return out;
}

/* CTCLoss(inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32) -> loss:
 * T, gradient: T: the negative log likelihood of a labelling under per-step class scores, summed
 * over all alignments, and its gradient. T: float, double. */
typedef struct weir_ctc_loss_options {
    bool preprocess_collapse_repeated;
    bool not_ctc_merge_repeated;
    bool ignore_longer_outputs_than_inputs;
} weir_ctc_loss_options;
typedef struct weir_ctc_loss_outputs {
    TF_Output loss;
    TF_Output gradient;
} weir_ctc_loss_outputs;
static inline weir_ctc_loss_outputs weir_ctc_loss(weir_builder *builder, const char *node,
                                                  TF_Output inputs, TF_Output labels_indices,
                                                  TF_Output labels_values,
                                                  TF_Output sequence_length,
                                                  const weir_ctc_loss_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CTCLoss", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, labels_indices);
    weir_build_input(builder, made, labels_values);
    weir_build_input(builder, made, sequence_length);
    if (made && options) {
        TF_SetAttrBool(made, "preprocess_collapse_repeated", options->preprocess_collapse_repeated);
        TF_SetAttrBool(made, "ctc_merge_repeated", !options->not_ctc_merge_repeated);
        TF_SetAttrBool(made, "ignore_longer_outputs_than_inputs", options->ignore_longer_outputs_than_inputs);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ctc_loss_outputs out;
    out.loss = weir_output(op, 0);
    out.gradient = weir_output(op, 1);
    return out;
}

/* CTCLossV2(inputs: float, labels_indices: int64, labels_values: int32, sequence_length: int32) ->
 * loss: float, gradient: float: the negative log likelihood of a labelling under per-step class
 * scores, summed over all alignments, and its gradient. */
typedef struct weir_ctc_loss_v2_options {
    bool preprocess_collapse_repeated;
    bool not_ctc_merge_repeated;
    bool ignore_longer_outputs_than_inputs;
} weir_ctc_loss_v2_options;
typedef struct weir_ctc_loss_v2_outputs {
    TF_Output loss;
    TF_Output gradient;
} weir_ctc_loss_v2_outputs;
static inline weir_ctc_loss_v2_outputs weir_ctc_loss_v2(weir_builder *builder, const char *node,
                                                        TF_Output inputs, TF_Output labels_indices,
                                                        TF_Output labels_values,
                                                        TF_Output sequence_length,
                                                        const weir_ctc_loss_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CTCLossV2", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, labels_indices);
    weir_build_input(builder, made, labels_values);
    weir_build_input(builder, made, sequence_length);
    if (made && options) {
        TF_SetAttrBool(made, "preprocess_collapse_repeated", options->preprocess_collapse_repeated);
        TF_SetAttrBool(made, "ctc_merge_repeated", !options->not_ctc_merge_repeated);
        TF_SetAttrBool(made, "ignore_longer_outputs_than_inputs", options->ignore_longer_outputs_than_inputs);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ctc_loss_v2_outputs out;
    out.loss = weir_output(op, 0);
    out.gradient = weir_output(op, 1);
    return out;
}

/* GRUBlockCell(x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T) -> r: T, u: T, c: T, h: T: one
 * step of a gated recurrent unit. T: float. */
typedef struct weir_gru_block_cell_outputs {
    TF_Output r;
    TF_Output u;
    TF_Output c;
    TF_Output h;
} weir_gru_block_cell_outputs;
static inline weir_gru_block_cell_outputs weir_gru_block_cell(weir_builder *builder,
                                                              const char *node, TF_Output x,
                                                              TF_Output h_prev, TF_Output w_ru,
                                                              TF_Output w_c, TF_Output b_ru,
                                                              TF_Output b_c)
{
    const TF_Output inputs[] = {x, h_prev, w_ru, w_c, b_ru, b_c};
    TF_Operation *op = weir_build_op(builder, "GRUBlockCell", node, inputs, 6).oper;
    weir_gru_block_cell_outputs out;
    out.r = weir_output(op, 0);
    out.u = weir_output(op, 1);
    out.c = weir_output(op, 2);
    out.h = weir_output(op, 3);
    return out;
}

/* GRUBlockCellGrad(x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, d_h: T) ->
 * d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T: the gradient of GRUBlockCell. T: float. */
typedef struct weir_gru_block_cell_grad_outputs {
    TF_Output d_x;
    TF_Output d_h_prev;
    TF_Output d_c_bar;
    TF_Output d_r_bar_u_bar;
} weir_gru_block_cell_grad_outputs;
static inline weir_gru_block_cell_grad_outputs weir_gru_block_cell_grad(weir_builder *builder,
                                                                        const char *node,
                                                                        TF_Output x,
                                                                        TF_Output h_prev,
                                                                        TF_Output w_ru,
                                                                        TF_Output w_c,
                                                                        TF_Output b_ru,
                                                                        TF_Output b_c, TF_Output r,
                                                                        TF_Output u, TF_Output c,
                                                                        TF_Output d_h)
{
    const TF_Output inputs[] = {x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h};
    TF_Operation *op = weir_build_op(builder, "GRUBlockCellGrad", node, inputs, 10).oper;
    weir_gru_block_cell_grad_outputs out;
    out.d_x = weir_output(op, 0);
    out.d_h_prev = weir_output(op, 1);
    out.d_c_bar = weir_output(op, 2);
    out.d_r_bar_u_bar = weir_output(op, 3);
    return out;
}

/* LSTMBlockCell(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) -> i: T, cs: T, f:
 * T, o: T, ci: T, co: T, h: T: a fused LSTM, for one step or a whole sequence. T: half, float. */
typedef struct weir_lstm_block_cell_options {
    float forget_bias; /* 0: 1 */
    float cell_clip; /* 0: 3 */
    bool use_peephole;
} weir_lstm_block_cell_options;
typedef struct weir_lstm_block_cell_outputs {
    TF_Output i;
    TF_Output cs;
    TF_Output f;
    TF_Output o;
    TF_Output ci;
    TF_Output co;
    TF_Output h;
} weir_lstm_block_cell_outputs;
static inline weir_lstm_block_cell_outputs
weir_lstm_block_cell(weir_builder *builder, const char *node, TF_Output x, TF_Output cs_prev,
                     TF_Output h_prev, TF_Output w, TF_Output wci, TF_Output wcf, TF_Output wco,
                     TF_Output b, const weir_lstm_block_cell_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LSTMBlockCell", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, cs_prev);
    weir_build_input(builder, made, h_prev);
    weir_build_input(builder, made, w);
    weir_build_input(builder, made, wci);
    weir_build_input(builder, made, wcf);
    weir_build_input(builder, made, wco);
    weir_build_input(builder, made, b);
    if (made && options) {
        if (options->forget_bias != 0)
            TF_SetAttrFloat(made, "forget_bias", weir_float_of(options->forget_bias));
        if (options->cell_clip != 0)
            TF_SetAttrFloat(made, "cell_clip", weir_float_of(options->cell_clip));
        TF_SetAttrBool(made, "use_peephole", options->use_peephole);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_lstm_block_cell_outputs out;
    out.i = weir_output(op, 0);
    out.cs = weir_output(op, 1);
    out.f = weir_output(op, 2);
    out.o = weir_output(op, 3);
    out.ci = weir_output(op, 4);
    out.co = weir_output(op, 5);
    out.h = weir_output(op, 6);
    return out;
}

/* LSTMBlockCellGrad(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T,
 * f: T, o: T, ci: T, co: T, cs_grad: T, h_grad: T) -> cs_prev_grad: T, dicfo: T, wci_grad: T,
 * wcf_grad: T, wco_grad: T: the gradient of LSTMBlockCell. T: half, float. */
typedef struct weir_lstm_block_cell_grad_outputs {
    TF_Output cs_prev_grad;
    TF_Output dicfo;
    TF_Output wci_grad;
    TF_Output wcf_grad;
    TF_Output wco_grad;
} weir_lstm_block_cell_grad_outputs;
static inline weir_lstm_block_cell_grad_outputs weir_lstm_block_cell_grad(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output x,
                                                                          TF_Output cs_prev,
                                                                          TF_Output h_prev,
                                                                          TF_Output w,
                                                                          TF_Output wci,
                                                                          TF_Output wcf,
                                                                          TF_Output wco,
                                                                          TF_Output b, TF_Output i,
                                                                          TF_Output cs, TF_Output f,
                                                                          TF_Output o, TF_Output ci,
                                                                          TF_Output co,
                                                                          TF_Output cs_grad,
                                                                          TF_Output h_grad,
                                                                          bool use_peephole)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LSTMBlockCellGrad", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, cs_prev);
    weir_build_input(builder, made, h_prev);
    weir_build_input(builder, made, w);
    weir_build_input(builder, made, wci);
    weir_build_input(builder, made, wcf);
    weir_build_input(builder, made, wco);
    weir_build_input(builder, made, b);
    weir_build_input(builder, made, i);
    weir_build_input(builder, made, cs);
    weir_build_input(builder, made, f);
    weir_build_input(builder, made, o);
    weir_build_input(builder, made, ci);
    weir_build_input(builder, made, co);
    weir_build_input(builder, made, cs_grad);
    weir_build_input(builder, made, h_grad);
    if (made) {
        TF_SetAttrBool(made, "use_peephole", use_peephole);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_lstm_block_cell_grad_outputs out;
    out.cs_prev_grad = weir_output(op, 0);
    out.dicfo = weir_output(op, 1);
    out.wci_grad = weir_output(op, 2);
    out.wcf_grad = weir_output(op, 3);
    out.wco_grad = weir_output(op, 4);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
