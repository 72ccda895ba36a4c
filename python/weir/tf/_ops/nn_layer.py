"""Ops: nn, layer. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AllCandidateSampler': 'true_classes:9|sampled_candidates:9 true_expected_count:1 sampled_expected_count:1|num_true:i num_sampled:i unique:b seed:i seed2:i|1',
    'ApproxTopK': 'input:T|values:T indices:3|k:i reduction_dimension:i recall_target:f is_max_k:b reduction_input_size_override:i aggregate_to_topk:b T:t|0',
    'ComputeAccidentalHits': 'true_classes:9 sampled_candidates:9|indices:3 ids:9 weights:1|num_true:i seed:i seed2:i|0',
    'Elu': 'features:T|activations:T|T:t|0',
    'EluGrad': 'gradients:T outputs:T|backprops:T|T:t|0',
    'FixedUnigramCandidateSampler': 'true_classes:9|sampled_candidates:9 true_expected_count:1 sampled_expected_count:1|num_true:i num_sampled:i unique:b range_max:i vocab_file:s distortion:f num_reserved_ids:i num_shards:i shard:i unigrams:[f seed:i seed2:i|1',
    'InTopK': 'predictions:1 targets:T|precision:10|k:i T:t=3|0',
    'InTopKV2': 'predictions:1 targets:T k:T|precision:10|T:t=3|0',
    'IsotonicRegression': 'input:T|output:output_dtype segments:3|T:t output_dtype:t=1|0',
    'LeakyRelu': 'features:T|activations:T|alpha:f T:t=1|0',
    'LeakyReluGrad': 'gradients:T features:T|backprops:T|alpha:f T:t=1|0',
    'LearnedUnigramCandidateSampler': 'true_classes:9|sampled_candidates:9 true_expected_count:1 sampled_expected_count:1|num_true:i num_sampled:i unique:b range_max:i seed:i seed2:i|1',
    'LogSoftmax': 'logits:T|logsoftmax:T|T:t|0',
    'LogUniformCandidateSampler': 'true_classes:9|sampled_candidates:9 true_expected_count:1 sampled_expected_count:1|num_true:i num_sampled:i unique:b range_max:i seed:i seed2:i|1',
    'MakeUnique': 'input:1|output:1||0',
    'NthElement': 'input:T n:3|values:T|reverse:b T:t|0',
    'Relu': 'features:T|activations:T|T:t|0',
    'Relu6': 'features:T|activations:T|T:t|0',
    'Relu6Grad': 'gradients:T features:T|backprops:T|T:t|0',
    'ReluGrad': 'gradients:T features:T|backprops:T|T:t|0',
    'Selu': 'features:T|activations:T|T:t|0',
    'SeluGrad': 'gradients:T outputs:T|backprops:T|T:t|0',
    'Softmax': 'logits:T|softmax:T|T:t|0',
    'SoftmaxCrossEntropyWithLogits': 'features:T labels:T|loss:T backprop:T|T:t|0',
    'Softplus': 'features:T|activations:T|T:t|0',
    'SoftplusGrad': 'gradients:T features:T|backprops:T|T:t|0',
    'Softsign': 'features:T|activations:T|T:t|0',
    'SoftsignGrad': 'gradients:T features:T|backprops:T|T:t|0',
    'SparseSoftmaxCrossEntropyWithLogits': 'features:T labels:Tlabels|loss:T backprop:T|T:t Tlabels:t=9|0',
    'ThreadUnsafeUnigramCandidateSampler': 'true_classes:9|sampled_candidates:9 true_expected_count:1 sampled_expected_count:1|num_true:i num_sampled:i unique:b range_max:i seed:i seed2:i|1',
    'TopK': 'input:T|values:T indices:3|k:i sorted:b T:t|0',
    'TopKUnique': 'input:1|topk:1 topk_indices:3|k:i|0',
    'TopKV2': 'input:T k:Tk|values:T indices:index_type|sorted:b T:t Tk:t=3 index_type:t=3|0',
    'UniformCandidateSampler': 'true_classes:9|sampled_candidates:9 true_expected_count:1 sampled_expected_count:1|num_true:i num_sampled:i unique:b range_max:i seed:i seed2:i|1',
}


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=0, seed2=0, name=None):
    return results(apply('AllCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'seed': seed, 'seed2': seed2}))


def approx_top_k(input, k, reduction_dimension=-1, recall_target=0.949999988, is_max_k=True, reduction_input_size_override=-1, aggregate_to_topk=True, name=None):
    return results(apply('ApproxTopK', name, (input,), {'k': k, 'reduction_dimension': reduction_dimension, 'recall_target': recall_target, 'is_max_k': is_max_k, 'reduction_input_size_override': reduction_input_size_override, 'aggregate_to_topk': aggregate_to_topk}))


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=0, seed2=0, name=None):
    return results(apply('ComputeAccidentalHits', name, (true_classes, sampled_candidates), {'num_true': num_true, 'seed': seed, 'seed2': seed2}))


def elu(features, name=None):
    return apply('Elu', name, (features,), {}).outputs[0]


def elu_grad(gradients, outputs, name=None):
    return apply('EluGrad', name, (gradients, outputs), {}).outputs[0]


def fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, vocab_file='', distortion=1.0, num_reserved_ids=0, num_shards=1, shard=0, unigrams=[], seed=0, seed2=0, name=None):
    return results(apply('FixedUnigramCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'vocab_file': vocab_file, 'distortion': distortion, 'num_reserved_ids': num_reserved_ids, 'num_shards': num_shards, 'shard': shard, 'unigrams': unigrams, 'seed': seed, 'seed2': seed2}))


def in_top_k(predictions, targets, k, name=None):
    return apply('InTopK', name, (predictions, targets), {'k': k}).outputs[0]


def in_top_kv2(predictions, targets, k, name=None):
    return apply('InTopKV2', name, (predictions, targets, k), {}).outputs[0]


def isotonic_regression(input, output_dtype=dtypes.float32, name=None):
    return results(apply('IsotonicRegression', name, (input,), {'output_dtype': output_dtype}))


def leaky_relu(features, alpha=0.200000003, name=None):
    return apply('LeakyRelu', name, (features,), {'alpha': alpha}).outputs[0]


def leaky_relu_grad(gradients, features, alpha=0.200000003, name=None):
    return apply('LeakyReluGrad', name, (gradients, features), {'alpha': alpha}).outputs[0]


def learned_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('LearnedUnigramCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def log_softmax(logits, name=None):
    return apply('LogSoftmax', name, (logits,), {}).outputs[0]


def log_uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('LogUniformCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def make_unique(input, name=None):
    return apply('MakeUnique', name, (input,), {}).outputs[0]


def nth_element(input, n, reverse=False, name=None):
    return apply('NthElement', name, (input, n), {'reverse': reverse}).outputs[0]


def relu(features, name=None):
    return apply('Relu', name, (features,), {}).outputs[0]


def relu6(features, name=None):
    return apply('Relu6', name, (features,), {}).outputs[0]


def relu6_grad(gradients, features, name=None):
    return apply('Relu6Grad', name, (gradients, features), {}).outputs[0]


def relu_grad(gradients, features, name=None):
    return apply('ReluGrad', name, (gradients, features), {}).outputs[0]


def selu(features, name=None):
    return apply('Selu', name, (features,), {}).outputs[0]


def selu_grad(gradients, outputs, name=None):
    return apply('SeluGrad', name, (gradients, outputs), {}).outputs[0]


def softmax(logits, name=None):
    return apply('Softmax', name, (logits,), {}).outputs[0]


def softmax_cross_entropy_with_logits(features, labels, name=None):
    return results(apply('SoftmaxCrossEntropyWithLogits', name, (features, labels), {}))


def softplus(features, name=None):
    return apply('Softplus', name, (features,), {}).outputs[0]


def softplus_grad(gradients, features, name=None):
    return apply('SoftplusGrad', name, (gradients, features), {}).outputs[0]


def softsign(features, name=None):
    return apply('Softsign', name, (features,), {}).outputs[0]


def softsign_grad(gradients, features, name=None):
    return apply('SoftsignGrad', name, (gradients, features), {}).outputs[0]


def sparse_softmax_cross_entropy_with_logits(features, labels, name=None):
    return results(apply('SparseSoftmaxCrossEntropyWithLogits', name, (features, labels), {}))


def thread_unsafe_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('ThreadUnsafeUnigramCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def top_k(input, k, sorted=True, name=None):
    return results(apply('TopK', name, (input,), {'k': k, 'sorted': sorted}))


def top_k_unique(input, k, name=None):
    return results(apply('TopKUnique', name, (input,), {'k': k}))


def top_kv2(input, k, sorted=True, index_type=dtypes.int32, name=None):
    return results(apply('TopKV2', name, (input, k), {'sorted': sorted, 'index_type': index_type}))


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('UniformCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))
