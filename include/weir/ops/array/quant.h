/* weir/ops/array/quant.h - numbers that stand for others.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_ARRAY_QUANT_OPS_H
#define WEIR_ARRAY_QUANT_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FakeQuantWithMinMaxArgs(inputs: float) -> outputs: float: rounds floats to the levels of a
 * quantised type. */
typedef struct weir_fake_quant_with_min_max_args_options {
    float min; /* 0: -6 */
    float max; /* 0: 6 */
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_args_options;
static inline TF_Output
weir_fake_quant_with_min_max_args(weir_builder *builder, const char *node, TF_Output inputs,
                                  const weir_fake_quant_with_min_max_args_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FakeQuantWithMinMaxArgs", node);
    weir_build_input(builder, made, inputs);
    if (made && options) {
        if (options->min != 0)
            TF_SetAttrFloat(made, "min", weir_float_of(options->min));
        if (options->max != 0)
            TF_SetAttrFloat(made, "max", weir_float_of(options->max));
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxArgsGradient(gradients: float, inputs: float) -> backprops: float: the
 * gradient of FakeQuantWithMinMaxArgs. */
typedef struct weir_fake_quant_with_min_max_args_gradient_options {
    float min; /* 0: -6 */
    float max; /* 0: 6 */
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_args_gradient_options;
static inline TF_Output
weir_fake_quant_with_min_max_args_gradient(weir_builder *builder, const char *node,
    TF_Output gradients, TF_Output inputs,
    const weir_fake_quant_with_min_max_args_gradient_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxArgsGradient", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, inputs);
    if (made && options) {
        if (options->min != 0)
            TF_SetAttrFloat(made, "min", weir_float_of(options->min));
        if (options->max != 0)
            TF_SetAttrFloat(made, "max", weir_float_of(options->max));
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxVars(inputs: float, min: float, max: float) -> outputs: float: floats rounded
 * as by quantisation over a range. */
typedef struct weir_fake_quant_with_min_max_vars_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_options;
static inline TF_Output
weir_fake_quant_with_min_max_vars(weir_builder *builder, const char *node, TF_Output inputs,
                                  TF_Output min, TF_Output max,
                                  const weir_fake_quant_with_min_max_vars_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FakeQuantWithMinMaxVars", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxVarsGradient(gradients: float, inputs: float, min: float, max: float) ->
 * backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float: the gradient of
 * FakeQuantWithMinMaxVars. */
typedef struct weir_fake_quant_with_min_max_vars_gradient_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_gradient_options;
typedef struct weir_fake_quant_with_min_max_vars_gradient_outputs {
    TF_Output backprops_wrt_input;
    TF_Output backprop_wrt_min;
    TF_Output backprop_wrt_max;
} weir_fake_quant_with_min_max_vars_gradient_outputs;
static inline weir_fake_quant_with_min_max_vars_gradient_outputs
weir_fake_quant_with_min_max_vars_gradient(weir_builder *builder, const char *node,
    TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max,
    const weir_fake_quant_with_min_max_vars_gradient_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxVarsGradient", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fake_quant_with_min_max_vars_gradient_outputs out;
    out.backprops_wrt_input = weir_output(op, 0);
    out.backprop_wrt_min = weir_output(op, 1);
    out.backprop_wrt_max = weir_output(op, 2);
    return out;
}

/* FakeQuantWithMinMaxVarsPerChannel(inputs: float, min: float, max: float) -> outputs: float:
 * FakeQuantWithMinMaxVars with a range for each channel. */
typedef struct weir_fake_quant_with_min_max_vars_per_channel_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_per_channel_options;
static inline TF_Output
weir_fake_quant_with_min_max_vars_per_channel(weir_builder *builder, const char *node,
    TF_Output inputs, TF_Output min, TF_Output max,
    const weir_fake_quant_with_min_max_vars_per_channel_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxVarsPerChannel", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxVarsPerChannelGradient(gradients: float, inputs: float, min: float, max:
 * float) -> backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float: the
 * gradient of FakeQuantWithMinMaxVarsPerChannel. */
typedef struct weir_fake_quant_with_min_max_vars_per_channel_gradient_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_per_channel_gradient_options;
typedef struct weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs {
    TF_Output backprops_wrt_input;
    TF_Output backprop_wrt_min;
    TF_Output backprop_wrt_max;
} weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs;
static inline weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs
weir_fake_quant_with_min_max_vars_per_channel_gradient(weir_builder *builder, const char *node,
    TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max,
    const weir_fake_quant_with_min_max_vars_per_channel_gradient_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxVarsPerChannelGradient", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs out;
    out.backprops_wrt_input = weir_output(op, 0);
    out.backprop_wrt_min = weir_output(op, 1);
    out.backprop_wrt_max = weir_output(op, 2);
    return out;
}

/* QuantizeAndDequantize(input: T) -> output: T: rounds values to num_bits levels, symmetric around
 * zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_options {
    bool not_signed_input;
    int64_t num_bits; /* 0: 8 */
    bool range_given;
    float input_min;
    float input_max;
} weir_quantize_and_dequantize_options;
static inline TF_Output
weir_quantize_and_dequantize(weir_builder *builder, const char *node, TF_Output input,
                             const weir_quantize_and_dequantize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantize", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "range_given", options->range_given);
        TF_SetAttrFloat(made, "input_min", options->input_min);
        TF_SetAttrFloat(made, "input_max", options->input_max);
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV2(input: T, input_min: T, input_max: T) -> output: T: rounds values to
 * num_bits levels, symmetric around zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v2_options {
    bool not_signed_input;
    int64_t num_bits; /* 0: 8 */
    bool range_given;
    const char *round_mode; /* null: "HALF_TO_EVEN"; 'HALF_TO_EVEN', 'HALF_UP' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v2_options;
static inline TF_Output
weir_quantize_and_dequantize_v2(weir_builder *builder, const char *node, TF_Output input,
                                TF_Output input_min, TF_Output input_max,
                                const weir_quantize_and_dequantize_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "range_given", options->range_given);
        if (options->round_mode)
            weir_attr_string(made, "round_mode", options->round_mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV3(input: T, input_min: T, input_max: T, num_bits: int32) -> output: T:
 * rounds values to num_bits levels, symmetric around zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v3_options {
    bool not_signed_input;
    bool not_range_given;
    bool narrow_range;
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v3_options;
static inline TF_Output
weir_quantize_and_dequantize_v3(weir_builder *builder, const char *node, TF_Output input,
                                TF_Output input_min, TF_Output input_max, TF_Output num_bits,
                                const weir_quantize_and_dequantize_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    weir_build_input(builder, made, num_bits);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        TF_SetAttrBool(made, "range_given", !options->not_range_given);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV4(input: T, input_min: T, input_max: T) -> output: T: rounds values to
 * num_bits levels, symmetric around zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v4_options {
    bool not_signed_input;
    int64_t num_bits; /* 0: 8 */
    bool range_given;
    const char *round_mode; /* null: "HALF_TO_EVEN"; 'HALF_TO_EVEN', 'HALF_UP' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v4_options;
static inline TF_Output
weir_quantize_and_dequantize_v4(weir_builder *builder, const char *node, TF_Output input,
                                TF_Output input_min, TF_Output input_max,
                                const weir_quantize_and_dequantize_v4_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV4", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "range_given", options->range_given);
        if (options->round_mode)
            weir_attr_string(made, "round_mode", options->round_mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV4Grad(gradients: T, input: T, input_min: T, input_max: T) ->
 * input_backprop: T, input_min_backprop: T, input_max_backprop: T: the gradient of
 * QuantizeAndDequantizeV4. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v4_grad_options {
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v4_grad_options;
typedef struct weir_quantize_and_dequantize_v4_grad_outputs {
    TF_Output input_backprop;
    TF_Output input_min_backprop;
    TF_Output input_max_backprop;
} weir_quantize_and_dequantize_v4_grad_outputs;
static inline weir_quantize_and_dequantize_v4_grad_outputs
weir_quantize_and_dequantize_v4_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                     TF_Output input, TF_Output input_min, TF_Output input_max,
                                     const weir_quantize_and_dequantize_v4_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV4Grad", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made && options) {
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantize_and_dequantize_v4_grad_outputs out;
    out.input_backprop = weir_output(op, 0);
    out.input_min_backprop = weir_output(op, 1);
    out.input_max_backprop = weir_output(op, 2);
    return out;
}

/* QuantizeV2(input: float, min_range: float, max_range: float) -> output: T, output_min: float,
 * output_max: float: converts floats to quantised integers over a range, and back. T: qint8,
 * quint8, qint32, qint16, quint16. */
typedef struct weir_quantize_v2_options {
    const char *mode; /* null: "MIN_COMBINED"; 'MIN_COMBINED', 'MIN_FIRST', 'SCALED' */
    const char *round_mode; /* null: "HALF_AWAY_FROM_ZERO"; 'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
    float ensure_minimum_range; /* 0: 0.01 */
} weir_quantize_v2_options;
typedef struct weir_quantize_v2_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_quantize_v2_outputs;
static inline weir_quantize_v2_outputs weir_quantize_v2(weir_builder *builder, const char *node,
                                                        TF_Output input, TF_Output min_range,
                                                        TF_Output max_range, TF_DataType T,
                                                        const weir_quantize_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, min_range);
    weir_build_input(builder, made, max_range);
    if (made) {
        TF_SetAttrType(made, "T", T);
    }
    if (made && options) {
        if (options->mode)
            weir_attr_string(made, "mode", options->mode);
        if (options->round_mode)
            weir_attr_string(made, "round_mode", options->round_mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
        if (options->ensure_minimum_range != 0)
            TF_SetAttrFloat(made, "ensure_minimum_range",
                weir_float_of(options->ensure_minimum_range));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantize_v2_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
