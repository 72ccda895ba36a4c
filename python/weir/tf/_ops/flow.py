"""Ops: flow. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Abort': '||error_msg:s exit_without_error:b|0',
    'Batch': 'in_tensors:*T|batched_tensors:*T batch_index:9 id:9|num_batch_threads:i max_batch_size:i max_enqueued_batches:i batch_timeout_micros:i allowed_batch_sizes:[i grad_timeout_micros:i container:s shared_name:s batching_queue:s T:[t|0',
    'BatchFunction': 'in_tensors:*Tin captured_tensors:*Tcaptured|out_tensors:*Tout|f:n num_batch_threads:i max_batch_size:i batch_timeout_micros:i max_enqueued_batches:i allowed_batch_sizes:[i container:s shared_name:s batching_queue:s low_priority_max_batch_size:i low_priority_batch_timeout_micros:i low_priority_allowed_batch_sizes:[i low_priority_max_enqueued_batches:i mixed_priority_policy:s batch_padding_policy:s Tin:[t Tcaptured:[t Tout:[t enable_large_batch_splitting:b|0',
    'Case': 'branch_index:3 input:*Tin|output:*Tout|Tin:[t Tout:[t branches:[n output_shapes:[S|1',
    'ControlTrigger': '|||0',
    'DebugGradientRefIdentity': 'input:&T|output:&T|T:t|0',
    'DeviceIndex': '|index:3|device_names:[s|1',
    'EagerPyFunc': 'input:*Tin|output:*Tout|token:s is_async:b Tin:[t Tout:[t|1',
    'Enter': 'data:T|output:T|T:t frame_name:s is_constant:b parallel_iterations:i|0',
    'Exit': 'data:T|output:T|T:t|0',
    'FakeParam': '|output:dtype|dtype:t shape:S|0',
    'For': 'start:3 limit:3 delta:3 input:*T|output:*T|T:[t body:n|0',
    'If': 'cond:Tcond input:*Tin|output:*Tout|Tcond:t Tin:[t Tout:[t then_branch:n else_branch:n output_shapes:[S|1',
    'LoopCond': 'input:10|output:10||0',
    'Merge': 'inputs:N*T|output:T value_index:3|T:t N:i|0',
    'NextIteration': 'data:T|output:T|T:t|0',
    'PartitionedCall': 'args:*Tin|output:*Tout|Tin:[t Tout:[t f:n config:s config_proto:s executor_type:s|0',
    'PyFunc': 'input:*Tin|output:*Tout|token:s Tin:[t Tout:[t|1',
    'PyFuncStateless': 'input:*Tin|output:*Tout|token:s Tin:[t Tout:[t|0',
    'RefEnter': 'data:&T|output:&T|T:t frame_name:s is_constant:b parallel_iterations:i|0',
    'RefExit': 'data:&T|output:&T|T:t|0',
    'RefIdentity': 'input:&T|output:&T|T:t|0',
    'RefMerge': 'inputs:&N*T|output:&T value_index:3|T:t N:i|0',
    'RefNextIteration': 'data:&T|output:&T|T:t|0',
    'RefSelect': 'index:3 inputs:&N*T|output:&T|T:t N:i|0',
    'RefSwitch': 'data:&T pred:10|output_false:&T output_true:&T|T:t|0',
    'RemoteCall': 'target:7 args:*Tin|output:*Tout|Tin:[t Tout:[t f:n|1',
    'RiscCondition': 'pred:10 input_true:SrcT input_false:SrcT|output:DstT|func_true:n func_false:n SrcT:t DstT:t|0',
    'RiscWhile': 'input:*T|output:*T|T:[t cond:n body:n output_shapes:[S parallel_iterations:i|1',
    'StatefulPartitionedCall': 'args:*Tin|output:*Tout|Tin:[t Tout:[t f:n config:s config_proto:s executor_type:s|1',
    'StatelessCase': 'branch_index:3 input:*Tin|output:*Tout|Tin:[t Tout:[t branches:[n output_shapes:[S|0',
    'StatelessIf': 'cond:Tcond input:*Tin|output:*Tout|Tcond:t Tin:[t Tout:[t then_branch:n else_branch:n output_shapes:[S|0',
    'StatelessWhile': 'input:*T|output:*T|T:[t cond:n body:n output_shapes:[S parallel_iterations:i|0',
    'Switch': 'data:T pred:10|output_false:T output_true:T|T:t|0',
    'SymbolicGradient': 'input:*Tin|output:*Tout|Tin:[t Tout:[t f:n|0',
    'TPUPartitionedCall': 'args:*Tin device_ordinal:3|output:*Tout|Tin:[t Tout:[t f:n autotuner_thresh:i|0',
    'ToBool': 'input:T|output:10|T:t|0',
    'Unbatch': 'batched_tensor:T batch_index:9 id:9|unbatched_tensor:T|timeout_micros:i container:s shared_name:s T:t|0',
    'UnbatchGrad': 'original_input:T batch_index:9 grad:T id:9|batched_grad:T|container:s shared_name:s T:t|0',
    'While': 'input:*T|output:*T|T:[t cond:n body:n output_shapes:[S parallel_iterations:i|1',
    'XlaIf': 'cond:Tcond inputs:*Tin|output:*Tout|Tcond:t then_branch:n else_branch:n Tin:[t Tout:[t|1',
    'XlaLaunch': 'constants:*Tconstants args:*Targs resources:Nresources*20|results:*Tresults|Tconstants:[t Targs:[t Nresources:i Tresults:[t function:n|1',
    'XlaLaunchV2': 'args:*Targs|results:*Tresults|Targs:[t Tresults:[t constants:[i resources:[i function:n|0',
    'XlaWhile': 'input:*T|output:*T|T:[t cond:n body:n|1',
}


def abort(error_msg='', exit_without_error=False, name=None):
    return apply('Abort', name, (), {'error_msg': error_msg, 'exit_without_error': exit_without_error})


def batch(in_tensors, num_batch_threads, max_batch_size, batch_timeout_micros, grad_timeout_micros, max_enqueued_batches=10, allowed_batch_sizes=[], container='', shared_name='', batching_queue='', name=None):
    return results(apply('Batch', name, (in_tensors,), {'num_batch_threads': num_batch_threads, 'max_batch_size': max_batch_size, 'batch_timeout_micros': batch_timeout_micros, 'grad_timeout_micros': grad_timeout_micros, 'max_enqueued_batches': max_enqueued_batches, 'allowed_batch_sizes': allowed_batch_sizes, 'container': container, 'shared_name': shared_name, 'batching_queue': batching_queue}))


def batch_function(in_tensors, captured_tensors, f, num_batch_threads, max_batch_size, batch_timeout_micros, Tout, max_enqueued_batches=10, allowed_batch_sizes=[], container='', shared_name='', batching_queue='', low_priority_max_batch_size=0, low_priority_batch_timeout_micros=0, low_priority_allowed_batch_sizes=[], low_priority_max_enqueued_batches=0, mixed_priority_policy='low_priority_padding_with_max_batch_size', batch_padding_policy='PAD_UP', enable_large_batch_splitting=False, name=None):
    return apply('BatchFunction', name, (in_tensors, captured_tensors), {'f': f, 'num_batch_threads': num_batch_threads, 'max_batch_size': max_batch_size, 'batch_timeout_micros': batch_timeout_micros, 'Tout': Tout, 'max_enqueued_batches': max_enqueued_batches, 'allowed_batch_sizes': allowed_batch_sizes, 'container': container, 'shared_name': shared_name, 'batching_queue': batching_queue, 'low_priority_max_batch_size': low_priority_max_batch_size, 'low_priority_batch_timeout_micros': low_priority_batch_timeout_micros, 'low_priority_allowed_batch_sizes': low_priority_allowed_batch_sizes, 'low_priority_max_enqueued_batches': low_priority_max_enqueued_batches, 'mixed_priority_policy': mixed_priority_policy, 'batch_padding_policy': batch_padding_policy, 'enable_large_batch_splitting': enable_large_batch_splitting}).outputs


def case(branch_index, input, Tout, branches, output_shapes=[], name=None):
    return apply('Case', name, (branch_index, input), {'Tout': Tout, 'branches': branches, 'output_shapes': output_shapes}).outputs


def control_trigger(name=None):
    return apply('ControlTrigger', name, (), {})


def debug_gradient_ref_identity(input, name=None):
    return apply('DebugGradientRefIdentity', name, (input,), {}).outputs[0]


def device_index(device_names, name=None):
    return apply('DeviceIndex', name, (), {'device_names': device_names}).outputs[0]


def eager_py_func(input, token, Tout, is_async=False, name=None):
    return apply('EagerPyFunc', name, (input,), {'token': token, 'Tout': Tout, 'is_async': is_async}).outputs


def enter(data, frame_name, is_constant=False, parallel_iterations=10, name=None):
    return apply('Enter', name, (data,), {'frame_name': frame_name, 'is_constant': is_constant, 'parallel_iterations': parallel_iterations}).outputs[0]


def exit(data, name=None):
    return apply('Exit', name, (data,), {}).outputs[0]


def fake_param(dtype, shape, name=None):
    return apply('FakeParam', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def for_(start, limit, delta, input, body, name=None):
    return apply('For', name, (start, limit, delta, input), {'body': body}).outputs


def if_(cond, input, Tout, then_branch, else_branch, output_shapes=[], name=None):
    return apply('If', name, (cond, input), {'Tout': Tout, 'then_branch': then_branch, 'else_branch': else_branch, 'output_shapes': output_shapes}).outputs


def loop_cond(input, name=None):
    return apply('LoopCond', name, (input,), {}).outputs[0]


def merge(inputs, name=None):
    return results(apply('Merge', name, (inputs,), {}))


def next_iteration(data, name=None):
    return apply('NextIteration', name, (data,), {}).outputs[0]


def partitioned_call(args, Tout, f, config='', config_proto='', executor_type='', name=None):
    return apply('PartitionedCall', name, (args,), {'Tout': Tout, 'f': f, 'config': config, 'config_proto': config_proto, 'executor_type': executor_type}).outputs


def py_func(input, token, Tout, name=None):
    return apply('PyFunc', name, (input,), {'token': token, 'Tout': Tout}).outputs


def py_func_stateless(input, token, Tout, name=None):
    return apply('PyFuncStateless', name, (input,), {'token': token, 'Tout': Tout}).outputs


def ref_enter(data, frame_name, is_constant=False, parallel_iterations=10, name=None):
    return apply('RefEnter', name, (data,), {'frame_name': frame_name, 'is_constant': is_constant, 'parallel_iterations': parallel_iterations}).outputs[0]


def ref_exit(data, name=None):
    return apply('RefExit', name, (data,), {}).outputs[0]


def ref_identity(input, name=None):
    return apply('RefIdentity', name, (input,), {}).outputs[0]


def ref_merge(inputs, name=None):
    return results(apply('RefMerge', name, (inputs,), {}))


def ref_next_iteration(data, name=None):
    return apply('RefNextIteration', name, (data,), {}).outputs[0]


def ref_select(index, inputs, name=None):
    return apply('RefSelect', name, (index, inputs), {}).outputs[0]


def ref_switch(data, pred, name=None):
    return results(apply('RefSwitch', name, (data, pred), {}))


def remote_call(target, args, Tout, f, name=None):
    return apply('RemoteCall', name, (target, args), {'Tout': Tout, 'f': f}).outputs


def risc_condition(pred, input_true, input_false, func_true, func_false, DstT, name=None):
    return apply('RiscCondition', name, (pred, input_true, input_false), {'func_true': func_true, 'func_false': func_false, 'DstT': DstT}).outputs[0]


def risc_while(input, cond, body, output_shapes=[], parallel_iterations=10, name=None):
    return apply('RiscWhile', name, (input,), {'cond': cond, 'body': body, 'output_shapes': output_shapes, 'parallel_iterations': parallel_iterations}).outputs


def stateful_partitioned_call(args, Tout, f, config='', config_proto='', executor_type='', name=None):
    return apply('StatefulPartitionedCall', name, (args,), {'Tout': Tout, 'f': f, 'config': config, 'config_proto': config_proto, 'executor_type': executor_type}).outputs


def stateless_case(branch_index, input, Tout, branches, output_shapes=[], name=None):
    return apply('StatelessCase', name, (branch_index, input), {'Tout': Tout, 'branches': branches, 'output_shapes': output_shapes}).outputs


def stateless_if(cond, input, Tout, then_branch, else_branch, output_shapes=[], name=None):
    return apply('StatelessIf', name, (cond, input), {'Tout': Tout, 'then_branch': then_branch, 'else_branch': else_branch, 'output_shapes': output_shapes}).outputs


def stateless_while(input, cond, body, output_shapes=[], parallel_iterations=10, name=None):
    return apply('StatelessWhile', name, (input,), {'cond': cond, 'body': body, 'output_shapes': output_shapes, 'parallel_iterations': parallel_iterations}).outputs


def switch(data, pred, name=None):
    return results(apply('Switch', name, (data, pred), {}))


def symbolic_gradient(input, Tout, f, name=None):
    return apply('SymbolicGradient', name, (input,), {'Tout': Tout, 'f': f}).outputs


def tpu_partitioned_call(args, device_ordinal, Tout, f, autotuner_thresh=0, name=None):
    return apply('TPUPartitionedCall', name, (args, device_ordinal), {'Tout': Tout, 'f': f, 'autotuner_thresh': autotuner_thresh}).outputs


def to_bool(input, name=None):
    return apply('ToBool', name, (input,), {}).outputs[0]


def unbatch(batched_tensor, batch_index, id, timeout_micros, container='', shared_name='', name=None):
    return apply('Unbatch', name, (batched_tensor, batch_index, id), {'timeout_micros': timeout_micros, 'container': container, 'shared_name': shared_name}).outputs[0]


def unbatch_grad(original_input, batch_index, grad, id, container='', shared_name='', name=None):
    return apply('UnbatchGrad', name, (original_input, batch_index, grad, id), {'container': container, 'shared_name': shared_name}).outputs[0]


def while_(input, cond, body, output_shapes=[], parallel_iterations=10, name=None):
    return apply('While', name, (input,), {'cond': cond, 'body': body, 'output_shapes': output_shapes, 'parallel_iterations': parallel_iterations}).outputs


def xla_if(cond, inputs, then_branch, else_branch, Tout, name=None):
    return apply('XlaIf', name, (cond, inputs), {'then_branch': then_branch, 'else_branch': else_branch, 'Tout': Tout}).outputs


def xla_launch(constants, args, resources, Tresults, function, name=None):
    return apply('XlaLaunch', name, (constants, args, resources), {'Tresults': Tresults, 'function': function}).outputs


def xla_launch_v2(args, Tresults, constants, resources, function, name=None):
    return apply('XlaLaunchV2', name, (args,), {'Tresults': Tresults, 'constants': constants, 'resources': resources, 'function': function}).outputs


def xla_while(input, cond, body, name=None):
    return apply('XlaWhile', name, (input,), {'cond': cond, 'body': body}).outputs
