"""Ops: internal. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Recv': '|tensor:tensor_type|tensor_type:t tensor_name:s send_device:s send_device_incarnation:i recv_device:s client_terminated:b|1',
    'Send': 'tensor:T||T:t tensor_name:s send_device:s send_device_incarnation:i recv_device:s client_terminated:b|1',
    '_Arg': '|output:T|T:t index:i|1',
    '_FusedBatchNormEx': 'x:T scale:U offset:U mean:U variance:U side_input:num_side_inputs*T|y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U reserve_space_3:U|T:t U:t epsilon:f exponential_avg_factor:f num_side_inputs:i activation_mode:s data_format:s is_training:b|0',
    '_FusedConv2D': 'input:T filter:T args:*TArgs host_args:num_host_args*1|output:T|T:t TArgs:[t num_args:i num_host_args:i strides:[i padding:s explicit_paddings:[i data_format:s filter_format:s dilations:[i use_cudnn_on_gpu:b fused_ops:[s epsilon:f leakyrelu_alpha:f|0',
    '_FusedConv3D': 'input:T filter:T args:num_args*T|output:T|T:t num_args:i strides:[i padding:s data_format:s dilations:[i padding_list:[i fused_ops:[s epsilon:f leakyrelu_alpha:f|0',
    '_FusedDepthwiseConv2dNative': 'input:T filter:T args:num_args*T|output:T|T:t num_args:i strides:[i padding:s data_format:s dilations:[i fused_ops:[s epsilon:f leakyrelu_alpha:f|0',
    '_FusedMatMul': 'a:T b:T args:num_args*T|product:T|transpose_a:b transpose_b:b T:t num_args:i fused_ops:[s epsilon:f leakyrelu_alpha:f|0',
    '_HostRecv': '|tensor:tensor_type|tensor_type:t tensor_name:s send_device:s send_device_incarnation:i recv_device:s client_terminated:b|1',
    '_HostSend': 'tensor:T||T:t tensor_name:s send_device:s send_device_incarnation:i recv_device:s client_terminated:b|1',
    '_MklFusedBatchMatMulV2': 'x:T y:T args:num_args*T|output:T|T:t adj_x:b adj_y:b num_args:i fused_ops:[s epsilon:f leakyrelu_alpha:f|0',
    '_MklFusedInstanceNorm': 'x:T gamma:T beta:T|y:T|T:t fused_ops:[s epsilon:f leakyrelu_alpha:f reduction_axes:[i|0',
    '_MklFusedMish': 'features:T|activations:T|T:t|0',
    '_MklLayerNorm': 'x:T scale:T offset:T|y:T|T:t epsilon:f|0',
    '_MklSwish': 'features:T|activations:T|T:t=1|0',
    '_Recv': '|tensor:tensor_type|tensor_type:t tensor_name:s send_device:s send_device_incarnation:i recv_device:s client_terminated:b|1',
    '_Retval': 'input:T||T:t index:i|1',
    '_Send': 'tensor:T||T:t tensor_name:s send_device:s send_device_incarnation:i recv_device:s client_terminated:b|1',
    '_SwitchN': 'data:T output_index:3|outputs:num_outs*T|num_outs:i T:t|0',
    '_TensorToHashBucketFast': 'input:T|output:9|T:t num_buckets:i|0',
    '_UnaryOpsComposition': 'x:T|y:T|T:t op_names:[s|0',
}


def recv(tensor_type, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('Recv', name, (), {'tensor_type': tensor_type, 'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated}).outputs[0]


def send(tensor, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('Send', name, (tensor,), {'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated})


def _arg(T, index, name=None):
    return apply('_Arg', name, (), {'T': T, 'index': index}).outputs[0]


def _fused_batch_norm_ex(x, scale, offset, mean, variance, side_input, epsilon=9.99999975e-05, exponential_avg_factor=1.0, activation_mode='Identity', data_format='NHWC', is_training=True, name=None):
    return results(apply('_FusedBatchNormEx', name, (x, scale, offset, mean, variance, side_input), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'activation_mode': activation_mode, 'data_format': data_format, 'is_training': is_training}))


def _fused_conv2d(input, filter, args, host_args, num_args, strides, padding, explicit_paddings=[], data_format='NHWC', filter_format='HWIO', dilations=[1, 1, 1, 1], use_cudnn_on_gpu=True, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedConv2D', name, (input, filter, args, host_args), {'num_args': num_args, 'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'filter_format': filter_format, 'dilations': dilations, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _fused_conv3d(input, filter, args, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], padding_list=[], fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedConv3D', name, (input, filter, args), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations, 'padding_list': padding_list, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _fused_depthwise_conv2d_native(input, filter, args, strides, padding, data_format='NHWC', dilations=[1, 1, 1, 1], fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedDepthwiseConv2dNative', name, (input, filter, args), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _fused_mat_mul(a, b, args, transpose_a=False, transpose_b=False, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedMatMul', name, (a, b, args), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _host_recv(tensor_type, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_HostRecv', name, (), {'tensor_type': tensor_type, 'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated}).outputs[0]


def _host_send(tensor, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_HostSend', name, (tensor,), {'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated})


def _mkl_fused_batch_mat_mul_v2(x, y, args, adj_x=False, adj_y=False, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_MklFusedBatchMatMulV2', name, (x, y, args), {'adj_x': adj_x, 'adj_y': adj_y, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _mkl_fused_instance_norm(x, gamma, beta, reduction_axes, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_MklFusedInstanceNorm', name, (x, gamma, beta), {'reduction_axes': reduction_axes, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _mkl_fused_mish(features, name=None):
    return apply('_MklFusedMish', name, (features,), {}).outputs[0]


def _mkl_layer_norm(x, scale, offset, epsilon=0.00100000005, name=None):
    return apply('_MklLayerNorm', name, (x, scale, offset), {'epsilon': epsilon}).outputs[0]


def _mkl_swish(features, name=None):
    return apply('_MklSwish', name, (features,), {}).outputs[0]


def _recv(tensor_type, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_Recv', name, (), {'tensor_type': tensor_type, 'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated}).outputs[0]


def _retval(input, index, name=None):
    return apply('_Retval', name, (input,), {'index': index})


def _send(tensor, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_Send', name, (tensor,), {'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated})


def _switch_n(data, output_index, num_outs, name=None):
    return apply('_SwitchN', name, (data, output_index), {'num_outs': num_outs}).outputs


def _tensor_to_hash_bucket_fast(input, num_buckets, name=None):
    return apply('_TensorToHashBucketFast', name, (input,), {'num_buckets': num_buckets}).outputs[0]


def _unary_ops_composition(x, op_names, name=None):
    return apply('_UnaryOpsComposition', name, (x,), {'op_names': op_names}).outputs[0]
