/* weir/ops/nn.h - neural networks: convolutions, pools, norms, losses, recurrent cells.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_OPS_NN_H
#define WEIR_OPS_NN_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AllCandidateSampler(true_classes: int64) -> sampled_candidates: int64, true_expected_count:
 * float, sampled_expected_count: float: every class as a candidate. */
typedef struct weir_all_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_all_candidate_sampler_options;
typedef struct weir_all_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_all_candidate_sampler_outputs;
static inline weir_all_candidate_sampler_outputs
weir_all_candidate_sampler(weir_builder *builder, const char *node, TF_Output true_classes,
                           int64_t num_true, int64_t num_sampled, bool unique,
                           const weir_all_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AllCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_all_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* AvgPool(value: T) -> output: T: the mean of every window of an image. padding: 'SAME', 'VALID'.
 * T: half, bfloat16, float, double. */
typedef struct weir_avg_pool_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_avg_pool_options;
static inline TF_Output weir_avg_pool(weir_builder *builder, const char *node, TF_Output value,
                                      const int64_t *ksize, int ksize_count, const int64_t *strides,
                                      int strides_count, const char *padding,
                                      const weir_avg_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* AvgPool3D(input: T) -> output: T: the mean of every window of a volume. padding: 'SAME', 'VALID'.
 * T: half, bfloat16, float, double. */
typedef struct weir_avg_pool3d_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_avg_pool3d_options;
static inline TF_Output weir_avg_pool3d(weir_builder *builder, const char *node, TF_Output input,
                                        const int64_t *ksize, int ksize_count,
                                        const int64_t *strides, int strides_count,
                                        const char *padding, const weir_avg_pool3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPool3D", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* AvgPool3DGrad(orig_input_shape: int32, grad: T) -> output: T: the gradient of AvgPool3D. padding:
 * 'SAME', 'VALID'. T: half, bfloat16, float, double. */
typedef struct weir_avg_pool3d_grad_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_avg_pool3d_grad_options;
static inline TF_Output weir_avg_pool3d_grad(weir_builder *builder, const char *node,
                                             TF_Output orig_input_shape, TF_Output grad,
                                             const int64_t *ksize, int ksize_count,
                                             const int64_t *strides, int strides_count,
                                             const char *padding,
                                             const weir_avg_pool3d_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPool3DGrad", node);
    weir_build_input(builder, made, orig_input_shape);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* AvgPoolGrad(orig_input_shape: int32, grad: T) -> output: T: the gradient of AvgPool. padding:
 * 'SAME', 'VALID'. T: half, bfloat16, float, double. */
typedef struct weir_avg_pool_grad_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_avg_pool_grad_options;
static inline TF_Output weir_avg_pool_grad(weir_builder *builder, const char *node,
                                           TF_Output orig_input_shape, TF_Output grad,
                                           const int64_t *ksize, int ksize_count,
                                           const int64_t *strides, int strides_count,
                                           const char *padding,
                                           const weir_avg_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPoolGrad", node);
    weir_build_input(builder, made, orig_input_shape);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* BatchMatMul(x: T, y: T) -> output: T: products of matrices in the last two axes. T: bfloat16,
 * half, float, double, int32, int64, complex64, complex128. */
typedef struct weir_batch_mat_mul_options {
    bool adj_x;
    bool adj_y;
    bool grad_x;
    bool grad_y;
} weir_batch_mat_mul_options;
static inline TF_Output weir_batch_mat_mul(weir_builder *builder, const char *node, TF_Output x,
                                           TF_Output y, const weir_batch_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatMul", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        TF_SetAttrBool(made, "adj_x", options->adj_x);
        TF_SetAttrBool(made, "adj_y", options->adj_y);
        TF_SetAttrBool(made, "grad_x", options->grad_x);
        TF_SetAttrBool(made, "grad_y", options->grad_y);
    }
    return weir_build_end(builder, made);
}

/* BatchMatMulV2(x: T, y: T) -> output: T: products of matrices in the last two axes. T: bfloat16,
 * half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128.
 * */
typedef struct weir_batch_mat_mul_v2_options {
    bool adj_x;
    bool adj_y;
    bool grad_x;
    bool grad_y;
} weir_batch_mat_mul_v2_options;
static inline TF_Output weir_batch_mat_mul_v2(weir_builder *builder, const char *node, TF_Output x,
                                              TF_Output y,
                                              const weir_batch_mat_mul_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatMulV2", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        TF_SetAttrBool(made, "adj_x", options->adj_x);
        TF_SetAttrBool(made, "adj_y", options->adj_y);
        TF_SetAttrBool(made, "grad_x", options->grad_x);
        TF_SetAttrBool(made, "grad_y", options->grad_y);
    }
    return weir_build_end(builder, made);
}

/* BatchMatMulV3(x: Ta, y: Tb) -> output: Tout: products of matrices in the last two axes. Ta:
 * bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128. Tb:
 * bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128. Tout:
 * bfloat16, half, float, double, int16, int32, int64, complex64, complex128. */
typedef struct weir_batch_mat_mul_v3_options {
    bool adj_x;
    bool adj_y;
    bool grad_x;
    bool grad_y;
} weir_batch_mat_mul_v3_options;
static inline TF_Output weir_batch_mat_mul_v3(weir_builder *builder, const char *node, TF_Output x,
                                              TF_Output y, TF_DataType Tout,
                                              const weir_batch_mat_mul_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatMulV3", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
    }
    if (made && options) {
        TF_SetAttrBool(made, "adj_x", options->adj_x);
        TF_SetAttrBool(made, "adj_y", options->adj_y);
        TF_SetAttrBool(made, "grad_x", options->grad_x);
        TF_SetAttrBool(made, "grad_y", options->grad_y);
    }
    return weir_build_end(builder, made);
}

/* BiasAdd(value: T, bias: T) -> output: T: a vector added along the channels, and BiasAddGrad, its
 * sum back. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_bias_add_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_bias_add_options;
static inline TF_Output weir_bias_add(weir_builder *builder, const char *node, TF_Output value,
                                      TF_Output bias, const weir_bias_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BiasAdd", node);
    weir_build_input(builder, made, value);
    weir_build_input(builder, made, bias);
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* BiasAddGrad(out_backprop: T) -> output: T: the gradient of BiasAdd. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_bias_add_grad_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_bias_add_grad_options;
static inline TF_Output weir_bias_add_grad(weir_builder *builder, const char *node,
                                           TF_Output out_backprop,
                                           const weir_bias_add_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BiasAddGrad", node);
    weir_build_input(builder, made, out_backprop);
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* BiasAddV1(value: T, bias: T) -> output: T: a vector added along the last axis. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. */
static inline TF_Output weir_bias_add_v1(weir_builder *builder, const char *node, TF_Output value,
                                         TF_Output bias)
{
    const TF_Output inputs[] = {value, bias};
    return weir_build_op(builder, "BiasAddV1", node, inputs, 2);
}

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
 * decoded_values: top_paths * int64, decoded_shape: top_paths * int64, log_probability: T: from
 * class scores per step to the likeliest labellings, as sparse tensors. T: float, double. */
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
 * int64, decoded_shape: int64, log_probability: T: from class scores per step to the likeliest
 * labellings, as sparse tensors. T: float, double. */
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
 * T, gradient: T: how unlikely a labelling is under per-step class scores, summed over all ways to
 * spread it in time, and the gradient of that. T: float, double. */
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
 * loss: float, gradient: float: how unlikely a labelling is under per-step class scores, summed
 * over all ways to spread it in time, and the gradient of that. */
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

/* ComputeAccidentalHits(true_classes: int64, sampled_candidates: int64) -> indices: int32, ids:
 * int64, weights: float: where a sampled candidate is a true class. */
typedef struct weir_compute_accidental_hits_options {
    int64_t seed;
    int64_t seed2;
} weir_compute_accidental_hits_options;
typedef struct weir_compute_accidental_hits_outputs {
    TF_Output indices;
    TF_Output ids;
    TF_Output weights;
} weir_compute_accidental_hits_outputs;
static inline weir_compute_accidental_hits_outputs
weir_compute_accidental_hits(weir_builder *builder, const char *node, TF_Output true_classes,
                             TF_Output sampled_candidates, int64_t num_true,
                             const weir_compute_accidental_hits_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ComputeAccidentalHits", node);
    weir_build_input(builder, made, true_classes);
    weir_build_input(builder, made, sampled_candidates);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_compute_accidental_hits_outputs out;
    out.indices = weir_output(op, 0);
    out.ids = weir_output(op, 1);
    out.weights = weir_output(op, 2);
    return out;
}

/* Conv2D(input: T, filter: T) -> output: T: every window of an image times a filter. T: half,
 * bfloat16, float, double, int32. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv2d_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_options;
static inline TF_Output weir_conv2d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output filter, const int64_t *strides, int strides_count,
                                    const char *padding, const weir_conv2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> output: T: the gradient
 * of Conv2D by its filter. T: half, bfloat16, float, double. padding: 'SAME', 'VALID', 'EXPLICIT'.
 * */
typedef struct weir_conv2d_backprop_filter_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_backprop_filter_options;
static inline TF_Output
weir_conv2d_backprop_filter(weir_builder *builder, const char *node, TF_Output input,
                            TF_Output filter_sizes, TF_Output out_backprop, const int64_t *strides,
                            int strides_count, const char *padding,
                            const weir_conv2d_backprop_filter_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2DBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter_sizes);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> output: T: the gradient of
 * Conv2D by its input: a transposed convolution. T: half, bfloat16, float, double, int32. padding:
 * 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv2d_backprop_input_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_backprop_input_options;
static inline TF_Output
weir_conv2d_backprop_input(weir_builder *builder, const char *node, TF_Output input_sizes,
                           TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                           int strides_count, const char *padding,
                           const weir_conv2d_backprop_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2DBackpropInput", node);
    weir_build_input(builder, made, input_sizes);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3D(input: T, filter: T) -> output: T: every window of a volume times a filter. T: half,
 * bfloat16, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_options;
static inline TF_Output weir_conv3d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output filter, const int64_t *strides, int strides_count,
                                    const char *padding, const weir_conv3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropFilter(input: T, filter: T, out_backprop: T) -> output: T: the gradient of Conv3D
 * by its filter. T: half, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_backprop_filter_options {
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_filter_options;
static inline TF_Output
weir_conv3d_backprop_filter(weir_builder *builder, const char *node, TF_Output input,
                            TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                            int strides_count, const char *padding,
                            const weir_conv3d_backprop_filter_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T) -> output: T: the gradient
 * of Conv3D by its filter. T: half, bfloat16, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_backprop_filter_v2_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_filter_v2_options;
static inline TF_Output
weir_conv3d_backprop_filter_v2(weir_builder *builder, const char *node, TF_Output input,
                               TF_Output filter_sizes, TF_Output out_backprop,
                               const int64_t *strides, int strides_count, const char *padding,
                               const weir_conv3d_backprop_filter_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropFilterV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter_sizes);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropInput(input: T, filter: T, out_backprop: T) -> output: T: the gradient of Conv3D by
 * its input. T: half, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_backprop_input_options {
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_input_options;
static inline TF_Output
weir_conv3d_backprop_input(weir_builder *builder, const char *node, TF_Output input,
                           TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                           int strides_count, const char *padding,
                           const weir_conv3d_backprop_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropInput", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T) -> output: T: the gradient
 * of Conv3D by its input. T: half, bfloat16, float, double. padding: 'SAME', 'VALID'. Tshape:
 * int32, int64. */
typedef struct weir_conv3d_backprop_input_v2_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_input_v2_options;
static inline TF_Output
weir_conv3d_backprop_input_v2(weir_builder *builder, const char *node, TF_Output input_sizes,
                              TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                              int strides_count, const char *padding,
                              const weir_conv3d_backprop_input_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropInputV2", node);
    weir_build_input(builder, made, input_sizes);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* DataFormatDimMap(x: T) -> y: T: from one layout of an image's dimensions to another. T: int32,
 * int64. */
typedef struct weir_data_format_dim_map_options {
    const char *src_format; /* null: "NHWC" */
    const char *dst_format; /* null: "NCHW" */
} weir_data_format_dim_map_options;
static inline TF_Output weir_data_format_dim_map(weir_builder *builder, const char *node,
                                                 TF_Output x,
                                                 const weir_data_format_dim_map_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DataFormatDimMap", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->src_format)
            weir_attr_string(made, "src_format", options->src_format);
        if (options->dst_format)
            weir_attr_string(made, "dst_format", options->dst_format);
    }
    return weir_build_end(builder, made);
}

/* DataFormatVecPermute(x: T) -> y: T: from one layout of an image's dimensions to another. T:
 * int32, int64. */
typedef struct weir_data_format_vec_permute_options {
    const char *src_format; /* null: "NHWC" */
    const char *dst_format; /* null: "NCHW" */
} weir_data_format_vec_permute_options;
static inline TF_Output
weir_data_format_vec_permute(weir_builder *builder, const char *node, TF_Output x,
                             const weir_data_format_vec_permute_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DataFormatVecPermute", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->src_format)
            weir_attr_string(made, "src_format", options->src_format);
        if (options->dst_format)
            weir_attr_string(made, "dst_format", options->dst_format);
    }
    return weir_build_end(builder, made);
}

/* DepthwiseConv2dNative(input: T, filter: T) -> output: T: every channel of an image convolved with
 * filters of its own. T: half, bfloat16, float, double. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_depthwise_conv2d_native_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_depthwise_conv2d_native_options;
static inline TF_Output
weir_depthwise_conv2d_native(weir_builder *builder, const char *node, TF_Output input,
                             TF_Output filter, const int64_t *strides, int strides_count,
                             const char *padding,
                             const weir_depthwise_conv2d_native_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DepthwiseConv2dNative", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> output: T:
 * the gradient of DepthwiseConv2dNative by its filter. T: half, bfloat16, float, double. padding:
 * 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_depthwise_conv2d_native_backprop_filter_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_depthwise_conv2d_native_backprop_filter_options;
static inline TF_Output
weir_depthwise_conv2d_native_backprop_filter(weir_builder *builder, const char *node,
    TF_Output input, TF_Output filter_sizes, TF_Output out_backprop, const int64_t *strides,
    int strides_count, const char *padding,
    const weir_depthwise_conv2d_native_backprop_filter_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "DepthwiseConv2dNativeBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter_sizes);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> output: T:
 * the gradient of DepthwiseConv2dNative by its input. T: half, bfloat16, float, double. padding:
 * 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_depthwise_conv2d_native_backprop_input_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_depthwise_conv2d_native_backprop_input_options;
static inline TF_Output
weir_depthwise_conv2d_native_backprop_input(weir_builder *builder, const char *node,
    TF_Output input_sizes, TF_Output filter, TF_Output out_backprop, const int64_t *strides,
    int strides_count, const char *padding,
    const weir_depthwise_conv2d_native_backprop_input_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "DepthwiseConv2dNativeBackpropInput", node);
    weir_build_input(builder, made, input_sizes);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Dilation2D(input: T, filter: T) -> output: T: grey-scale morphological dilation, and its
 * gradients. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_dilation2d(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output filter, const int64_t *strides, int strides_count,
                                        const int64_t *rates, int rates_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dilation2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* Dilation2DBackpropFilter(input: T, filter: T, out_backprop: T) -> filter_backprop: T: the
 * gradient of Dilation2D by its filter. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_dilation2d_backprop_filter(weir_builder *builder, const char *node,
                                                        TF_Output input, TF_Output filter,
                                                        TF_Output out_backprop,
                                                        const int64_t *strides, int strides_count,
                                                        const int64_t *rates, int rates_count,
                                                        const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dilation2DBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* Dilation2DBackpropInput(input: T, filter: T, out_backprop: T) -> in_backprop: T: the gradient of
 * Dilation2D by its input. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16,
 * half, uint32, uint64. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_dilation2d_backprop_input(weir_builder *builder, const char *node,
                                                       TF_Output input, TF_Output filter,
                                                       TF_Output out_backprop,
                                                       const int64_t *strides, int strides_count,
                                                       const int64_t *rates, int rates_count,
                                                       const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dilation2DBackpropInput", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* Elu(features: T) -> activations: T: x where it is positive, e^x - 1 elsewhere. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_elu(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Elu", node, inputs, 1);
}

/* EluGrad(gradients: T, outputs: T) -> backprops: T: the gradient of Elu. T: half, bfloat16, float,
 * double. */
static inline TF_Output weir_elu_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                      TF_Output outputs)
{
    const TF_Output inputs[] = {gradients, outputs};
    return weir_build_op(builder, "EluGrad", node, inputs, 2);
}

/* FixedUnigramCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn with given frequencies.
 * */
typedef struct weir_fixed_unigram_candidate_sampler_options {
    const char *vocab_file; /* null: "" */
    float distortion; /* 0: 1 */
    int64_t num_reserved_ids;
    int64_t num_shards; /* 0: 1 */
    int64_t shard;
    const float *unigrams;
    int unigrams_count; /* null: [] */
    int64_t seed;
    int64_t seed2;
} weir_fixed_unigram_candidate_sampler_options;
typedef struct weir_fixed_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_fixed_unigram_candidate_sampler_outputs;
static inline weir_fixed_unigram_candidate_sampler_outputs
weir_fixed_unigram_candidate_sampler(weir_builder *builder, const char *node,
                                     TF_Output true_classes, int64_t num_true, int64_t num_sampled,
                                     bool unique, int64_t range_max,
                                     const weir_fixed_unigram_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FixedUnigramCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        if (options->vocab_file)
            weir_attr_string(made, "vocab_file", options->vocab_file);
        if (options->distortion != 0)
            TF_SetAttrFloat(made, "distortion", weir_float_of(options->distortion));
        TF_SetAttrInt(made, "num_reserved_ids", options->num_reserved_ids);
        if (options->num_shards != 0)
            TF_SetAttrInt(made, "num_shards", weir_int_of(options->num_shards));
        TF_SetAttrInt(made, "shard", options->shard);
        if (options->unigrams)
            TF_SetAttrFloatList(made, "unigrams", options->unigrams, options->unigrams_count);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fixed_unigram_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* FractionalAvgPool(value: T) -> output: T, row_pooling_sequence: int64, col_pooling_sequence:
 * int64: pools over regions of uneven, drawn sizes, and the gradients that walk the same regions
 * again. T: float, double, int32, int64. */
typedef struct weir_fractional_avg_pool_options {
    bool pseudo_random;
    bool overlapping;
    bool deterministic;
    int64_t seed;
    int64_t seed2;
} weir_fractional_avg_pool_options;
typedef struct weir_fractional_avg_pool_outputs {
    TF_Output output;
    TF_Output row_pooling_sequence;
    TF_Output col_pooling_sequence;
} weir_fractional_avg_pool_outputs;
static inline weir_fractional_avg_pool_outputs
weir_fractional_avg_pool(weir_builder *builder, const char *node, TF_Output value,
                         const float *pooling_ratio, int pooling_ratio_count,
                         const weir_fractional_avg_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalAvgPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrFloatList(made, "pooling_ratio", pooling_ratio, pooling_ratio_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "pseudo_random", options->pseudo_random);
        TF_SetAttrBool(made, "overlapping", options->overlapping);
        TF_SetAttrBool(made, "deterministic", options->deterministic);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fractional_avg_pool_outputs out;
    out.output = weir_output(op, 0);
    out.row_pooling_sequence = weir_output(op, 1);
    out.col_pooling_sequence = weir_output(op, 2);
    return out;
}

/* FractionalAvgPoolGrad(orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence:
 * int64, col_pooling_sequence: int64) -> output: T: the gradient of FractionalAvgPool. T: float,
 * double, int32, int64. */
typedef struct weir_fractional_avg_pool_grad_options {
    bool overlapping;
} weir_fractional_avg_pool_grad_options;
static inline TF_Output
weir_fractional_avg_pool_grad(weir_builder *builder, const char *node,
                              TF_Output orig_input_tensor_shape, TF_Output out_backprop,
                              TF_Output row_pooling_sequence, TF_Output col_pooling_sequence,
                              const weir_fractional_avg_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalAvgPoolGrad", node);
    weir_build_input(builder, made, orig_input_tensor_shape);
    weir_build_input(builder, made, out_backprop);
    weir_build_input(builder, made, row_pooling_sequence);
    weir_build_input(builder, made, col_pooling_sequence);
    if (made && options) {
        TF_SetAttrBool(made, "overlapping", options->overlapping);
    }
    return weir_build_end(builder, made);
}

/* FractionalMaxPool(value: T) -> output: T, row_pooling_sequence: int64, col_pooling_sequence:
 * int64: pools over regions of uneven, drawn sizes, and the gradients that walk the same regions
 * again. T: float, double, int32, int64. */
typedef struct weir_fractional_max_pool_options {
    bool pseudo_random;
    bool overlapping;
    bool deterministic;
    int64_t seed;
    int64_t seed2;
} weir_fractional_max_pool_options;
typedef struct weir_fractional_max_pool_outputs {
    TF_Output output;
    TF_Output row_pooling_sequence;
    TF_Output col_pooling_sequence;
} weir_fractional_max_pool_outputs;
static inline weir_fractional_max_pool_outputs
weir_fractional_max_pool(weir_builder *builder, const char *node, TF_Output value,
                         const float *pooling_ratio, int pooling_ratio_count,
                         const weir_fractional_max_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalMaxPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrFloatList(made, "pooling_ratio", pooling_ratio, pooling_ratio_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "pseudo_random", options->pseudo_random);
        TF_SetAttrBool(made, "overlapping", options->overlapping);
        TF_SetAttrBool(made, "deterministic", options->deterministic);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fractional_max_pool_outputs out;
    out.output = weir_output(op, 0);
    out.row_pooling_sequence = weir_output(op, 1);
    out.col_pooling_sequence = weir_output(op, 2);
    return out;
}

/* FractionalMaxPoolGrad(orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence:
 * int64, col_pooling_sequence: int64) -> output: T: the gradient of FractionalMaxPool. T: float,
 * double, int32, int64. */
typedef struct weir_fractional_max_pool_grad_options {
    bool overlapping;
} weir_fractional_max_pool_grad_options;
static inline TF_Output
weir_fractional_max_pool_grad(weir_builder *builder, const char *node, TF_Output orig_input,
                              TF_Output orig_output, TF_Output out_backprop,
                              TF_Output row_pooling_sequence, TF_Output col_pooling_sequence,
                              const weir_fractional_max_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalMaxPoolGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, out_backprop);
    weir_build_input(builder, made, row_pooling_sequence);
    weir_build_input(builder, made, col_pooling_sequence);
    if (made && options) {
        TF_SetAttrBool(made, "overlapping", options->overlapping);
    }
    return weir_build_end(builder, made);
}

/* FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> y: T, batch_mean: T,
 * batch_variance: T, reserve_space_1: T, reserve_space_2: T: channels with mean 0 and variance 1,
 * then scaled and moved. T: float. */
typedef struct weir_fused_batch_norm_options {
    float epsilon; /* 0: 0.0001 */
    float exponential_avg_factor; /* 0: 1 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_options;
typedef struct weir_fused_batch_norm_outputs {
    TF_Output y;
    TF_Output batch_mean;
    TF_Output batch_variance;
    TF_Output reserve_space_1;
    TF_Output reserve_space_2;
} weir_fused_batch_norm_outputs;
static inline weir_fused_batch_norm_outputs
weir_fused_batch_norm(weir_builder *builder, const char *node, TF_Output x, TF_Output scale,
                      TF_Output offset, TF_Output mean, TF_Output variance,
                      const weir_fused_batch_norm_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNorm", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, offset);
    weir_build_input(builder, made, mean);
    weir_build_input(builder, made, variance);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->exponential_avg_factor != 0)
            TF_SetAttrFloat(made, "exponential_avg_factor",
                weir_float_of(options->exponential_avg_factor));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_outputs out;
    out.y = weir_output(op, 0);
    out.batch_mean = weir_output(op, 1);
    out.batch_variance = weir_output(op, 2);
    out.reserve_space_1 = weir_output(op, 3);
    out.reserve_space_2 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) ->
 * x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T: the
 * gradient of FusedBatchNorm. T: float. */
typedef struct weir_fused_batch_norm_grad_options {
    float epsilon; /* 0: 0.0001 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_grad_options;
typedef struct weir_fused_batch_norm_grad_outputs {
    TF_Output x_backprop;
    TF_Output scale_backprop;
    TF_Output offset_backprop;
    TF_Output reserve_space_3;
    TF_Output reserve_space_4;
} weir_fused_batch_norm_grad_outputs;
static inline weir_fused_batch_norm_grad_outputs
weir_fused_batch_norm_grad(weir_builder *builder, const char *node, TF_Output y_backprop,
                           TF_Output x, TF_Output scale, TF_Output reserve_space_1,
                           TF_Output reserve_space_2,
                           const weir_fused_batch_norm_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormGrad", node);
    weir_build_input(builder, made, y_backprop);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, reserve_space_1);
    weir_build_input(builder, made, reserve_space_2);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_grad_outputs out;
    out.x_backprop = weir_output(op, 0);
    out.scale_backprop = weir_output(op, 1);
    out.offset_backprop = weir_output(op, 2);
    out.reserve_space_3 = weir_output(op, 3);
    out.reserve_space_4 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormGradV2(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U)
 * -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, reserve_space_4: U:
 * the gradient of FusedBatchNorm. T: half, bfloat16, float. U: float. */
typedef struct weir_fused_batch_norm_grad_v2_options {
    float epsilon; /* 0: 0.0001 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_grad_v2_options;
typedef struct weir_fused_batch_norm_grad_v2_outputs {
    TF_Output x_backprop;
    TF_Output scale_backprop;
    TF_Output offset_backprop;
    TF_Output reserve_space_3;
    TF_Output reserve_space_4;
} weir_fused_batch_norm_grad_v2_outputs;
static inline weir_fused_batch_norm_grad_v2_outputs
weir_fused_batch_norm_grad_v2(weir_builder *builder, const char *node, TF_Output y_backprop,
                              TF_Output x, TF_Output scale, TF_Output reserve_space_1,
                              TF_Output reserve_space_2,
                              const weir_fused_batch_norm_grad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormGradV2", node);
    weir_build_input(builder, made, y_backprop);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, reserve_space_1);
    weir_build_input(builder, made, reserve_space_2);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_grad_v2_outputs out;
    out.x_backprop = weir_output(op, 0);
    out.scale_backprop = weir_output(op, 1);
    out.offset_backprop = weir_output(op, 2);
    out.reserve_space_3 = weir_output(op, 3);
    out.reserve_space_4 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormGradV3(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U,
 * reserve_space_3: U) -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: U,
 * reserve_space_5: U: the gradient of FusedBatchNorm. T: half, bfloat16, float. U: float. */
typedef struct weir_fused_batch_norm_grad_v3_options {
    float epsilon; /* 0: 0.0001 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NDHWC', 'NCDHW' */
    bool not_is_training;
} weir_fused_batch_norm_grad_v3_options;
typedef struct weir_fused_batch_norm_grad_v3_outputs {
    TF_Output x_backprop;
    TF_Output scale_backprop;
    TF_Output offset_backprop;
    TF_Output reserve_space_4;
    TF_Output reserve_space_5;
} weir_fused_batch_norm_grad_v3_outputs;
static inline weir_fused_batch_norm_grad_v3_outputs
weir_fused_batch_norm_grad_v3(weir_builder *builder, const char *node, TF_Output y_backprop,
                              TF_Output x, TF_Output scale, TF_Output reserve_space_1,
                              TF_Output reserve_space_2, TF_Output reserve_space_3,
                              const weir_fused_batch_norm_grad_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormGradV3", node);
    weir_build_input(builder, made, y_backprop);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, reserve_space_1);
    weir_build_input(builder, made, reserve_space_2);
    weir_build_input(builder, made, reserve_space_3);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_grad_v3_outputs out;
    out.x_backprop = weir_output(op, 0);
    out.scale_backprop = weir_output(op, 1);
    out.offset_backprop = weir_output(op, 2);
    out.reserve_space_4 = weir_output(op, 3);
    out.reserve_space_5 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> y: T, batch_mean: U,
 * batch_variance: U, reserve_space_1: U, reserve_space_2: U: channels with mean 0 and variance 1,
 * then scaled and moved. T: half, bfloat16, float. U: float. */
typedef struct weir_fused_batch_norm_v2_options {
    float epsilon; /* 0: 0.0001 */
    float exponential_avg_factor; /* 0: 1 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_v2_options;
typedef struct weir_fused_batch_norm_v2_outputs {
    TF_Output y;
    TF_Output batch_mean;
    TF_Output batch_variance;
    TF_Output reserve_space_1;
    TF_Output reserve_space_2;
} weir_fused_batch_norm_v2_outputs;
static inline weir_fused_batch_norm_v2_outputs
weir_fused_batch_norm_v2(weir_builder *builder, const char *node, TF_Output x, TF_Output scale,
                         TF_Output offset, TF_Output mean, TF_Output variance,
                         const weir_fused_batch_norm_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormV2", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, offset);
    weir_build_input(builder, made, mean);
    weir_build_input(builder, made, variance);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->exponential_avg_factor != 0)
            TF_SetAttrFloat(made, "exponential_avg_factor",
                weir_float_of(options->exponential_avg_factor));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_v2_outputs out;
    out.y = weir_output(op, 0);
    out.batch_mean = weir_output(op, 1);
    out.batch_variance = weir_output(op, 2);
    out.reserve_space_1 = weir_output(op, 3);
    out.reserve_space_2 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> y: T, batch_mean: U,
 * batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U: channels with mean
 * 0 and variance 1, then scaled and moved. T: half, bfloat16, float. U: bfloat16, float. */
typedef struct weir_fused_batch_norm_v3_options {
    float epsilon; /* 0: 0.0001 */
    float exponential_avg_factor; /* 0: 1 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NDHWC', 'NCDHW' */
    bool not_is_training;
} weir_fused_batch_norm_v3_options;
typedef struct weir_fused_batch_norm_v3_outputs {
    TF_Output y;
    TF_Output batch_mean;
    TF_Output batch_variance;
    TF_Output reserve_space_1;
    TF_Output reserve_space_2;
    TF_Output reserve_space_3;
} weir_fused_batch_norm_v3_outputs;
static inline weir_fused_batch_norm_v3_outputs
weir_fused_batch_norm_v3(weir_builder *builder, const char *node, TF_Output x, TF_Output scale,
                         TF_Output offset, TF_Output mean, TF_Output variance,
                         const weir_fused_batch_norm_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormV3", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, offset);
    weir_build_input(builder, made, mean);
    weir_build_input(builder, made, variance);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->exponential_avg_factor != 0)
            TF_SetAttrFloat(made, "exponential_avg_factor",
                weir_float_of(options->exponential_avg_factor));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_v3_outputs out;
    out.y = weir_output(op, 0);
    out.batch_mean = weir_output(op, 1);
    out.batch_variance = weir_output(op, 2);
    out.reserve_space_1 = weir_output(op, 3);
    out.reserve_space_2 = weir_output(op, 4);
    out.reserve_space_3 = weir_output(op, 5);
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

/* InTopK(predictions: float, targets: T) -> precision: bool: order statistics along the last
 * dimension. T: int32, int64. */
static inline TF_Output weir_in_top_k(weir_builder *builder, const char *node,
                                      TF_Output predictions, TF_Output targets, int64_t k)
{
    TF_OperationDescription *made = weir_build_begin(builder, "InTopK", node);
    weir_build_input(builder, made, predictions);
    weir_build_input(builder, made, targets);
    if (made) {
        TF_SetAttrInt(made, "k", k);
    }
    return weir_build_end(builder, made);
}

/* InTopKV2(predictions: float, targets: T, k: T) -> precision: bool: order statistics along the
 * last dimension. T: int32, int64. */
static inline TF_Output weir_in_top_k_v2(weir_builder *builder, const char *node,
                                         TF_Output predictions, TF_Output targets, TF_Output k)
{
    const TF_Output inputs[] = {predictions, targets, k};
    return weir_build_op(builder, "InTopKV2", node, inputs, 3);
}

/* L2Loss(t: T) -> output: T: half the sum of squares. T: half, bfloat16, float, double. */
static inline TF_Output weir_l2_loss(weir_builder *builder, const char *node, TF_Output t)
{
    const TF_Output inputs[] = {t};
    return weir_build_op(builder, "L2Loss", node, inputs, 1);
}

/* LRN(input: T) -> output: T: local response normalisation over neighbouring channels, and LRNGrad.
 * T: half, bfloat16, float. */
typedef struct weir_lrn_options {
    int64_t depth_radius; /* 0: 5 */
    float bias; /* 0: 1 */
    float alpha; /* 0: 1 */
    float beta; /* 0: 0.5 */
} weir_lrn_options;
static inline TF_Output weir_lrn(weir_builder *builder, const char *node, TF_Output input,
                                 const weir_lrn_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LRN", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->depth_radius != 0)
            TF_SetAttrInt(made, "depth_radius", weir_int_of(options->depth_radius));
        if (options->bias != 0)
            TF_SetAttrFloat(made, "bias", weir_float_of(options->bias));
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
        if (options->beta != 0)
            TF_SetAttrFloat(made, "beta", weir_float_of(options->beta));
    }
    return weir_build_end(builder, made);
}

/* LRNGrad(input_grads: T, input_image: T, output_image: T) -> output: T: the gradient of LRN. T:
 * half, bfloat16, float. */
typedef struct weir_lrn_grad_options {
    int64_t depth_radius; /* 0: 5 */
    float bias; /* 0: 1 */
    float alpha; /* 0: 1 */
    float beta; /* 0: 0.5 */
} weir_lrn_grad_options;
static inline TF_Output weir_lrn_grad(weir_builder *builder, const char *node,
                                      TF_Output input_grads, TF_Output input_image,
                                      TF_Output output_image, const weir_lrn_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LRNGrad", node);
    weir_build_input(builder, made, input_grads);
    weir_build_input(builder, made, input_image);
    weir_build_input(builder, made, output_image);
    if (made && options) {
        if (options->depth_radius != 0)
            TF_SetAttrInt(made, "depth_radius", weir_int_of(options->depth_radius));
        if (options->bias != 0)
            TF_SetAttrFloat(made, "bias", weir_float_of(options->bias));
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
        if (options->beta != 0)
            TF_SetAttrFloat(made, "beta", weir_float_of(options->beta));
    }
    return weir_build_end(builder, made);
}

/* LSTMBlockCell(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) -> i: T, cs: T, f:
 * T, o: T, ci: T, co: T, h: T: an LSTM as one op, for one step or a whole sequence. T: half, float.
 * */
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

/* LeakyRelu(features: T) -> activations: T: x where x > 0, alpha * x elsewhere. T: half, bfloat16,
 * float, double. */
typedef struct weir_leaky_relu_options {
    float alpha; /* 0: 0.2 */
} weir_leaky_relu_options;
static inline TF_Output weir_leaky_relu(weir_builder *builder, const char *node, TF_Output features,
                                        const weir_leaky_relu_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LeakyRelu", node);
    weir_build_input(builder, made, features);
    if (made && options) {
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
    }
    return weir_build_end(builder, made);
}

/* LeakyReluGrad(gradients: T, features: T) -> backprops: T: the gradient of LeakyRelu. T: half,
 * bfloat16, float, double. */
typedef struct weir_leaky_relu_grad_options {
    float alpha; /* 0: 0.2 */
} weir_leaky_relu_grad_options;
static inline TF_Output weir_leaky_relu_grad(weir_builder *builder, const char *node,
                                             TF_Output gradients, TF_Output features,
                                             const weir_leaky_relu_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LeakyReluGrad", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, features);
    if (made && options) {
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
    }
    return weir_build_end(builder, made);
}

/* LearnedUnigramCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn as often as they came so
 * far. */
typedef struct weir_learned_unigram_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_learned_unigram_candidate_sampler_options;
typedef struct weir_learned_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_learned_unigram_candidate_sampler_outputs;
static inline weir_learned_unigram_candidate_sampler_outputs
weir_learned_unigram_candidate_sampler(weir_builder *builder, const char *node,
    TF_Output true_classes, int64_t num_true, int64_t num_sampled, bool unique, int64_t range_max,
    const weir_learned_unigram_candidate_sampler_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "LearnedUnigramCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_learned_unigram_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* LogSoftmax(logits: T) -> logsoftmax: T: the logarithm of Softmax. T: half, bfloat16, float,
 * double. */
static inline TF_Output weir_log_softmax(weir_builder *builder, const char *node, TF_Output logits)
{
    const TF_Output inputs[] = {logits};
    return weir_build_op(builder, "LogSoftmax", node, inputs, 1);
}

/* LogUniformCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn by Zipf's law: small
 * numbers more often. */
typedef struct weir_log_uniform_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_log_uniform_candidate_sampler_options;
typedef struct weir_log_uniform_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_log_uniform_candidate_sampler_outputs;
static inline weir_log_uniform_candidate_sampler_outputs
weir_log_uniform_candidate_sampler(weir_builder *builder, const char *node, TF_Output true_classes,
                                   int64_t num_true, int64_t num_sampled, bool unique,
                                   int64_t range_max,
                                   const weir_log_uniform_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LogUniformCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_log_uniform_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* MatMul(a: T, b: T) -> product: T: the product of two matrices. T: bfloat16, half, float, double,
 * int32, int64, uint8, uint16, uint32, uint64, complex64, complex128. */
typedef struct weir_mat_mul_options {
    bool transpose_a;
    bool transpose_b;
    bool grad_a;
    bool grad_b;
} weir_mat_mul_options;
static inline TF_Output weir_mat_mul(weir_builder *builder, const char *node, TF_Output a,
                                     TF_Output b, const weir_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatMul", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
        TF_SetAttrBool(made, "grad_a", options->grad_a);
        TF_SetAttrBool(made, "grad_b", options->grad_b);
    }
    return weir_build_end(builder, made);
}

/* MaxPool(input: T) -> output: T: the largest of every window of an image. T: half, bfloat16,
 * float, double, int32, int64, uint8, int16, int8, uint16, qint8. padding: 'SAME', 'VALID',
 * 'EXPLICIT'. */
typedef struct weir_max_pool_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_max_pool_options;
static inline TF_Output weir_max_pool(weir_builder *builder, const char *node, TF_Output input,
                                      const int64_t *ksize, int ksize_count, const int64_t *strides,
                                      int strides_count, const char *padding,
                                      const weir_max_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPool3D(input: T) -> output: T: the largest of every window of a volume. padding: 'SAME',
 * 'VALID'. T: half, bfloat16, float. */
typedef struct weir_max_pool3d_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_max_pool3d_options;
static inline TF_Output weir_max_pool3d(weir_builder *builder, const char *node, TF_Output input,
                                        const int64_t *ksize, int ksize_count,
                                        const int64_t *strides, int strides_count,
                                        const char *padding, const weir_max_pool3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool3D", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T) -> output: T: the gradient of
 * MaxPool3D. padding: 'SAME', 'VALID'. T: half, bfloat16, float. TInput: half, bfloat16, float. */
typedef struct weir_max_pool3d_grad_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_max_pool3d_grad_options;
static inline TF_Output weir_max_pool3d_grad(weir_builder *builder, const char *node,
                                             TF_Output orig_input, TF_Output orig_output,
                                             TF_Output grad, const int64_t *ksize, int ksize_count,
                                             const int64_t *strides, int strides_count,
                                             const char *padding,
                                             const weir_max_pool3d_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool3DGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPool3DGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T: the gradient of
 * MaxPool3DGrad. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool3d_grad_grad_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_max_pool3d_grad_grad_options;
static inline TF_Output weir_max_pool3d_grad_grad(weir_builder *builder, const char *node,
                                                  TF_Output orig_input, TF_Output orig_output,
                                                  TF_Output grad, const int64_t *ksize,
                                                  int ksize_count, const int64_t *strides,
                                                  int strides_count, const char *padding,
                                                  const weir_max_pool3d_grad_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool3DGradGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> output: T: the gradient of MaxPool.
 * padding: 'SAME', 'VALID', 'EXPLICIT'. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_options;
static inline TF_Output weir_max_pool_grad(weir_builder *builder, const char *node,
                                           TF_Output orig_input, TF_Output orig_output,
                                           TF_Output grad, const int64_t *ksize, int ksize_count,
                                           const int64_t *strides, int strides_count,
                                           const char *padding,
                                           const weir_max_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T: the gradient of
 * MaxPoolGrad. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_grad_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_grad_options;
static inline TF_Output weir_max_pool_grad_grad(weir_builder *builder, const char *node,
                                                TF_Output orig_input, TF_Output orig_output,
                                                TF_Output grad, const int64_t *ksize,
                                                int ksize_count, const int64_t *strides,
                                                int strides_count, const char *padding,
                                                const weir_max_pool_grad_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) ->
 * output: T: the gradient of MaxPoolGrad. padding: 'SAME', 'VALID'. T: float, double, int32, uint8,
 * int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_grad_v2_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_grad_v2_options;
static inline TF_Output
weir_max_pool_grad_grad_v2(weir_builder *builder, const char *node, TF_Output orig_input,
                           TF_Output orig_output, TF_Output grad, TF_Output ksize,
                           TF_Output strides, const char *padding,
                           const weir_max_pool_grad_grad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradGradV2", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, ksize);
    weir_build_input(builder, made, strides);
    if (made) {
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> output: T:
 * the gradient of MaxPool. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16, int8,
 * int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_v2_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_v2_options;
static inline TF_Output weir_max_pool_grad_v2(weir_builder *builder, const char *node,
                                              TF_Output orig_input, TF_Output orig_output,
                                              TF_Output grad, TF_Output ksize, TF_Output strides,
                                              const char *padding,
                                              const weir_max_pool_grad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradV2", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, ksize);
    weir_build_input(builder, made, strides);
    if (made) {
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T: the gradient of
 * MaxPoolWithArgmax. padding: 'SAME', 'VALID'. Targmax: int32, int64. T: float, double, int32,
 * uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_with_argmax_options {
    bool include_batch_in_index;
} weir_max_pool_grad_with_argmax_options;
static inline TF_Output
weir_max_pool_grad_with_argmax(weir_builder *builder, const char *node, TF_Output input,
                               TF_Output grad, TF_Output argmax, const int64_t *ksize,
                               int ksize_count, const int64_t *strides, int strides_count,
                               const char *padding,
                               const weir_max_pool_grad_with_argmax_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradWithArgmax", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, argmax);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "include_batch_in_index", options->include_batch_in_index);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolV2(input: T, ksize: int32, strides: int32) -> output: T: the largest of every window of an
 * image. T: half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8.
 * padding: 'SAME', 'VALID'. */
typedef struct weir_max_pool_v2_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_max_pool_v2_options;
static inline TF_Output weir_max_pool_v2(weir_builder *builder, const char *node, TF_Output input,
                                         TF_Output ksize, TF_Output strides, const char *padding,
                                         const weir_max_pool_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, ksize);
    weir_build_input(builder, made, strides);
    if (made) {
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolWithArgmax(input: T) -> output: T, argmax: Targmax: the maxima and where they were, and
 * the gradient that puts values back there. Targmax: int32, int64. padding: 'SAME', 'VALID'. T:
 * float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_with_argmax_options {
    TF_DataType Targmax; /* 0: TF_INT64; int32, int64 */
    bool include_batch_in_index;
} weir_max_pool_with_argmax_options;
typedef struct weir_max_pool_with_argmax_outputs {
    TF_Output output;
    TF_Output argmax;
} weir_max_pool_with_argmax_outputs;
static inline weir_max_pool_with_argmax_outputs
weir_max_pool_with_argmax(weir_builder *builder, const char *node, TF_Output input,
                          const int64_t *ksize, int ksize_count, const int64_t *strides,
                          int strides_count, const char *padding,
                          const weir_max_pool_with_argmax_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolWithArgmax", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->Targmax)
            TF_SetAttrType(made, "Targmax", options->Targmax);
        TF_SetAttrBool(made, "include_batch_in_index", options->include_batch_in_index);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_max_pool_with_argmax_outputs out;
    out.output = weir_output(op, 0);
    out.argmax = weir_output(op, 1);
    return out;
}

/* NthElement(input: T, n: int32) -> values: T: order statistics along the last dimension. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_nth_element_options {
    bool reverse;
} weir_nth_element_options;
static inline TF_Output weir_nth_element(weir_builder *builder, const char *node, TF_Output input,
                                         TF_Output n, const weir_nth_element_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NthElement", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, n);
    if (made && options) {
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* Relu(features: T) -> activations: T: x where it is positive, 0 elsewhere. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8. */
static inline TF_Output weir_relu(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Relu", node, inputs, 1);
}

/* Relu6(features: T) -> activations: T: x between 0 and 6. T: float, double, int32, uint8, int16,
 * int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_relu6(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Relu6", node, inputs, 1);
}

/* Relu6Grad(gradients: T, features: T) -> backprops: T: the gradient of Relu6. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_relu6_grad(weir_builder *builder, const char *node,
                                        TF_Output gradients, TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "Relu6Grad", node, inputs, 2);
}

/* ReluGrad(gradients: T, features: T) -> backprops: T: the gradient of Relu. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_relu_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                       TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "ReluGrad", node, inputs, 2);
}

/* Selu(features: T) -> activations: T: Elu, scaled so that layers keep their variance. T: half,
 * bfloat16, float, double. */
static inline TF_Output weir_selu(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Selu", node, inputs, 1);
}

/* SeluGrad(gradients: T, outputs: T) -> backprops: T: the gradient of Selu. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_selu_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                       TF_Output outputs)
{
    const TF_Output inputs[] = {gradients, outputs};
    return weir_build_op(builder, "SeluGrad", node, inputs, 2);
}

/* Softmax(logits: T) -> softmax: T: e^x, scaled so that each row adds up to 1. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_softmax(weir_builder *builder, const char *node, TF_Output logits)
{
    const TF_Output inputs[] = {logits};
    return weir_build_op(builder, "Softmax", node, inputs, 1);
}

/* SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> loss: T, backprop: T: for each row the
 * cross entropy of Softmax with shares, and its gradient. T: half, bfloat16, float, double. */
typedef struct weir_softmax_cross_entropy_with_logits_outputs {
    TF_Output loss;
    TF_Output backprop;
} weir_softmax_cross_entropy_with_logits_outputs;
static inline weir_softmax_cross_entropy_with_logits_outputs
weir_softmax_cross_entropy_with_logits(weir_builder *builder, const char *node, TF_Output features,
                                       TF_Output labels)
{
    const TF_Output inputs[] = {features, labels};
    TF_Operation *op = weir_build_op(builder, "SoftmaxCrossEntropyWithLogits", node, inputs, 2).oper;
    weir_softmax_cross_entropy_with_logits_outputs out;
    out.loss = weir_output(op, 0);
    out.backprop = weir_output(op, 1);
    return out;
}

/* Softplus(features: T) -> activations: T: log(1 + e^x). T: half, bfloat16, float, double. */
static inline TF_Output weir_softplus(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Softplus", node, inputs, 1);
}

/* SoftplusGrad(gradients: T, features: T) -> backprops: T: the gradient of Softplus. T: half,
 * bfloat16, float, double. */
static inline TF_Output weir_softplus_grad(weir_builder *builder, const char *node,
                                           TF_Output gradients, TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "SoftplusGrad", node, inputs, 2);
}

/* Softsign(features: T) -> activations: T: x / (1 + |x|). T: half, bfloat16, float, double. */
static inline TF_Output weir_softsign(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Softsign", node, inputs, 1);
}

/* SoftsignGrad(gradients: T, features: T) -> backprops: T: the gradient of Softsign. T: half,
 * bfloat16, float, double. */
static inline TF_Output weir_softsign_grad(weir_builder *builder, const char *node,
                                           TF_Output gradients, TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "SoftsignGrad", node, inputs, 2);
}

/* SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> loss: T, backprop: T: for
 * each row the cross entropy of Softmax with a class, and its gradient. T: half, bfloat16, float,
 * double. Tlabels: int32, int64. */
typedef struct weir_sparse_softmax_cross_entropy_with_logits_outputs {
    TF_Output loss;
    TF_Output backprop;
} weir_sparse_softmax_cross_entropy_with_logits_outputs;
static inline weir_sparse_softmax_cross_entropy_with_logits_outputs
weir_sparse_softmax_cross_entropy_with_logits(weir_builder *builder, const char *node,
                                              TF_Output features, TF_Output labels)
{
    const TF_Output inputs[] = {features, labels};
    TF_Operation *op = weir_build_op(builder, "SparseSoftmaxCrossEntropyWithLogits", node, inputs, 2).oper;
    weir_sparse_softmax_cross_entropy_with_logits_outputs out;
    out.loss = weir_output(op, 0);
    out.backprop = weir_output(op, 1);
    return out;
}

/* ThreadUnsafeUnigramCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn as often as they came so
 * far. */
typedef struct weir_thread_unsafe_unigram_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_thread_unsafe_unigram_candidate_sampler_options;
typedef struct weir_thread_unsafe_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_thread_unsafe_unigram_candidate_sampler_outputs;
static inline weir_thread_unsafe_unigram_candidate_sampler_outputs
weir_thread_unsafe_unigram_candidate_sampler(weir_builder *builder, const char *node,
    TF_Output true_classes, int64_t num_true, int64_t num_sampled, bool unique, int64_t range_max,
    const weir_thread_unsafe_unigram_candidate_sampler_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ThreadUnsafeUnigramCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_thread_unsafe_unigram_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* TopK(input: T) -> values: T, indices: int32: order statistics along the last dimension. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_top_k_options {
    bool not_sorted;
} weir_top_k_options;
typedef struct weir_top_k_outputs {
    TF_Output values;
    TF_Output indices;
} weir_top_k_outputs;
static inline weir_top_k_outputs weir_top_k(weir_builder *builder, const char *node,
                                            TF_Output input, int64_t k,
                                            const weir_top_k_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TopK", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "k", k);
    }
    if (made && options) {
        TF_SetAttrBool(made, "sorted", !options->not_sorted);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_top_k_outputs out;
    out.values = weir_output(op, 0);
    out.indices = weir_output(op, 1);
    return out;
}

/* TopKV2(input: T, k: Tk) -> values: T, indices: index_type: order statistics along the last
 * dimension. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64. Tk: int16, int32, int64. index_type: int16, int32, int64. */
typedef struct weir_top_k_v2_options {
    bool not_sorted;
    TF_DataType index_type; /* 0: TF_INT32; int16, int32, int64 */
} weir_top_k_v2_options;
typedef struct weir_top_k_v2_outputs {
    TF_Output values;
    TF_Output indices;
} weir_top_k_v2_outputs;
static inline weir_top_k_v2_outputs weir_top_k_v2(weir_builder *builder, const char *node,
                                                  TF_Output input, TF_Output k,
                                                  const weir_top_k_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TopKV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, k);
    if (made && options) {
        TF_SetAttrBool(made, "sorted", !options->not_sorted);
        if (options->index_type)
            TF_SetAttrType(made, "index_type", options->index_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_top_k_v2_outputs out;
    out.values = weir_output(op, 0);
    out.indices = weir_output(op, 1);
    return out;
}

/* UniformCandidateSampler(true_classes: int64) -> sampled_candidates: int64, true_expected_count:
 * float, sampled_expected_count: float: classes drawn all alike. */
typedef struct weir_uniform_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_uniform_candidate_sampler_options;
typedef struct weir_uniform_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_uniform_candidate_sampler_outputs;
static inline weir_uniform_candidate_sampler_outputs
weir_uniform_candidate_sampler(weir_builder *builder, const char *node, TF_Output true_classes,
                               int64_t num_true, int64_t num_sampled, bool unique,
                               int64_t range_max,
                               const weir_uniform_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_uniform_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
