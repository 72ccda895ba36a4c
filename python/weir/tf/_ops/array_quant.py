"""Ops: array, quant. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'FakeQuantWithMinMaxArgs': 'inputs:1|outputs:1|min:f max:f num_bits:i narrow_range:b|0',
    'FakeQuantWithMinMaxArgsGradient': 'gradients:1 inputs:1|backprops:1|min:f max:f num_bits:i narrow_range:b|0',
    'FakeQuantWithMinMaxVars': 'inputs:1 min:1 max:1|outputs:1|num_bits:i narrow_range:b|0',
    'FakeQuantWithMinMaxVarsGradient': 'gradients:1 inputs:1 min:1 max:1|backprops_wrt_input:1 backprop_wrt_min:1 backprop_wrt_max:1|num_bits:i narrow_range:b|0',
    'FakeQuantWithMinMaxVarsPerChannel': 'inputs:1 min:1 max:1|outputs:1|num_bits:i narrow_range:b|0',
    'FakeQuantWithMinMaxVarsPerChannelGradient': 'gradients:1 inputs:1 min:1 max:1|backprops_wrt_input:1 backprop_wrt_min:1 backprop_wrt_max:1|num_bits:i narrow_range:b|0',
    'QuantizeAndDequantize': 'input:T|output:T|signed_input:b num_bits:i range_given:b input_min:f input_max:f T:t|0',
    'QuantizeAndDequantizeV2': 'input:T input_min:T input_max:T|output:T|signed_input:b num_bits:i range_given:b T:t round_mode:s narrow_range:b axis:i|0',
    'QuantizeAndDequantizeV3': 'input:T input_min:T input_max:T num_bits:3|output:T|signed_input:b range_given:b T:t narrow_range:b axis:i|0',
    'QuantizeAndDequantizeV4': 'input:T input_min:T input_max:T|output:T|signed_input:b num_bits:i range_given:b T:t round_mode:s narrow_range:b axis:i|0',
    'QuantizeAndDequantizeV4Grad': 'gradients:T input:T input_min:T input_max:T|input_backprop:T input_min_backprop:T input_max_backprop:T|T:t axis:i|0',
    'QuantizeV2': 'input:1 min_range:1 max_range:1|output:T output_min:1 output_max:1|T:t mode:s round_mode:s narrow_range:b axis:i ensure_minimum_range:f|0',
}


def fake_quant_with_min_max_args(inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxArgs', name, (inputs,), {'min': min, 'max': max, 'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_args_gradient(gradients, inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxArgsGradient', name, (gradients, inputs), {'min': min, 'max': max, 'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_vars(inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxVars', name, (inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_vars_gradient(gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return results(apply('FakeQuantWithMinMaxVarsGradient', name, (gradients, inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}))


def fake_quant_with_min_max_vars_per_channel(inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxVarsPerChannel', name, (inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_vars_per_channel_gradient(gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return results(apply('FakeQuantWithMinMaxVarsPerChannelGradient', name, (gradients, inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}))


def quantize_and_dequantize(input, signed_input=True, num_bits=8, range_given=False, input_min=0.0, input_max=0.0, name=None):
    return apply('QuantizeAndDequantize', name, (input,), {'signed_input': signed_input, 'num_bits': num_bits, 'range_given': range_given, 'input_min': input_min, 'input_max': input_max}).outputs[0]


def quantize_and_dequantize_v2(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode='HALF_TO_EVEN', narrow_range=False, axis=-1, name=None):
    return apply('QuantizeAndDequantizeV2', name, (input, input_min, input_max), {'signed_input': signed_input, 'num_bits': num_bits, 'range_given': range_given, 'round_mode': round_mode, 'narrow_range': narrow_range, 'axis': axis}).outputs[0]


def quantize_and_dequantize_v3(input, input_min, input_max, num_bits, signed_input=True, range_given=True, narrow_range=False, axis=-1, name=None):
    return apply('QuantizeAndDequantizeV3', name, (input, input_min, input_max, num_bits), {'signed_input': signed_input, 'range_given': range_given, 'narrow_range': narrow_range, 'axis': axis}).outputs[0]


def quantize_and_dequantize_v4(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode='HALF_TO_EVEN', narrow_range=False, axis=-1, name=None):
    return apply('QuantizeAndDequantizeV4', name, (input, input_min, input_max), {'signed_input': signed_input, 'num_bits': num_bits, 'range_given': range_given, 'round_mode': round_mode, 'narrow_range': narrow_range, 'axis': axis}).outputs[0]


def quantize_and_dequantize_v4_grad(gradients, input, input_min, input_max, axis=-1, name=None):
    return results(apply('QuantizeAndDequantizeV4Grad', name, (gradients, input, input_min, input_max), {'axis': axis}))


def quantize_v2(input, min_range, max_range, T, mode='MIN_COMBINED', round_mode='HALF_AWAY_FROM_ZERO', narrow_range=False, axis=-1, ensure_minimum_range=0.00999999978, name=None):
    return results(apply('QuantizeV2', name, (input, min_range, max_range), {'T': T, 'mode': mode, 'round_mode': round_mode, 'narrow_range': narrow_range, 'axis': axis, 'ensure_minimum_range': ensure_minimum_range}))
