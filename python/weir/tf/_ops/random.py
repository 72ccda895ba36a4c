"""Ops: random. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Multinomial': 'logits:T num_samples:3|output:output_dtype|seed:i seed2:i T:t output_dtype:t=9|1',
    'NonDeterministicInts': 'shape:shape_dtype|output:dtype|dtype:t=9 shape_dtype:t=9|1',
    'ParameterizedTruncatedNormal': 'shape:T means:dtype stdevs:dtype minvals:dtype maxvals:dtype|output:dtype|seed:i seed2:i dtype:t T:t|1',
    'RandomGamma': 'shape:S alpha:T|output:T|seed:i seed2:i S:t T:t|1',
    'RandomIndexShuffle': 'index:dtype seed:Tseed max_index:dtype|output:dtype|rounds:i dtype:t Tseed:t|0',
    'RandomPoisson': 'shape:S rate:dtype|output:dtype|seed:i seed2:i S:t dtype:t|1',
    'RandomPoissonV2': 'shape:S rate:R|output:dtype|seed:i seed2:i S:t R:t=2 dtype:t=9|1',
    'RandomShuffle': 'value:T|output:T|seed:i seed2:i T:t|1',
    'RandomStandardNormal': 'shape:T|output:dtype|seed:i seed2:i dtype:t T:t|1',
    'RandomUniform': 'shape:T|output:dtype|seed:i seed2:i dtype:t T:t|1',
    'RandomUniformInt': 'shape:T minval:Tout maxval:Tout|output:Tout|seed:i seed2:i Tout:t T:t|1',
    'RngReadAndSkip': 'resource:20 alg:3 delta:23|value:9||1',
    'RngSkip': 'resource:20 algorithm:9 delta:9|||1',
    'SobolSample': 'dim:3 num_results:3 skip:3|samples:dtype|dtype:t=1|0',
    'StatefulRandomBinomial': 'resource:20 algorithm:9 shape:S counts:T probs:T|output:dtype|S:t T:t=2 dtype:t=9|1',
    'StatefulStandardNormal': 'resource:20 shape:shape_dtype|output:dtype|dtype:t=1 shape_dtype:t=9|1',
    'StatefulStandardNormalV2': 'resource:20 algorithm:9 shape:shape_dtype|output:dtype|dtype:t=1 shape_dtype:t=9|1',
    'StatefulTruncatedNormal': 'resource:20 algorithm:9 shape:shape_dtype|output:dtype|dtype:t=1 shape_dtype:t=9|1',
    'StatefulUniform': 'resource:20 algorithm:9 shape:shape_dtype|output:dtype|dtype:t=1 shape_dtype:t=9|1',
    'StatefulUniformFullInt': 'resource:20 algorithm:9 shape:shape_dtype|output:dtype|dtype:t=23 shape_dtype:t=9|1',
    'StatefulUniformInt': 'resource:20 algorithm:9 shape:shape_dtype minval:dtype maxval:dtype|output:dtype|dtype:t=9 shape_dtype:t=9|1',
    'StatelessMultinomial': 'logits:T num_samples:3 seed:Tseed|output:output_dtype|T:t Tseed:t=9 output_dtype:t=9|0',
    'StatelessParameterizedTruncatedNormal': 'shape:S seed:Tseed means:dtype stddevs:dtype minvals:dtype maxvals:dtype|output:dtype|S:t Tseed:t=9 dtype:t|0',
    'StatelessRandomBinomial': 'shape:S seed:Tseed counts:T probs:T|output:dtype|S:t Tseed:t=9 T:t=2 dtype:t=9|0',
    'StatelessRandomGammaV2': 'shape:T seed:Tseed alpha:dtype|output:dtype|dtype:t T:t Tseed:t=9|0',
    'StatelessRandomGammaV3': 'shape:shape_dtype key:23 counter:23 alg:3 alpha:dtype|output:dtype|dtype:t shape_dtype:t=3|0',
    'StatelessRandomGetAlg': '|alg:3||1',
    'StatelessRandomGetKeyCounter': 'seed:Tseed|key:23 counter:23|Tseed:t=9|0',
    'StatelessRandomGetKeyCounterAlg': 'seed:Tseed|key:23 counter:23 alg:3|Tseed:t=9|0',
    'StatelessRandomNormal': 'shape:T seed:Tseed|output:dtype|dtype:t=1 T:t=3 Tseed:t=9|0',
    'StatelessRandomNormalV2': 'shape:Tshape key:23 counter:23 alg:3|output:dtype|dtype:t=1 Tshape:t=3|0',
    'StatelessRandomPoisson': 'shape:T seed:Tseed lam:Rtype|output:dtype|Rtype:t dtype:t T:t Tseed:t=9|0',
    'StatelessRandomUniform': 'shape:T seed:Tseed|output:dtype|dtype:t=1 T:t=3 Tseed:t=9|0',
    'StatelessRandomUniformFullInt': 'shape:T seed:Tseed|output:dtype|dtype:t=23 T:t=3 Tseed:t=9|0',
    'StatelessRandomUniformFullIntV2': 'shape:Tshape key:23 counter:23 alg:3|output:dtype|dtype:t=23 Tshape:t=3|0',
    'StatelessRandomUniformInt': 'shape:T seed:Tseed minval:dtype maxval:dtype|output:dtype|dtype:t T:t Tseed:t=9|0',
    'StatelessRandomUniformIntV2': 'shape:Tshape key:23 counter:23 alg:3 minval:dtype maxval:dtype|output:dtype|dtype:t Tshape:t=3|0',
    'StatelessRandomUniformV2': 'shape:Tshape key:23 counter:23 alg:3|output:dtype|dtype:t=1 Tshape:t=3|0',
    'StatelessShuffle': 'value:T key:23 counter:23 alg:3|output:T|T:t|0',
    'StatelessTruncatedNormal': 'shape:T seed:Tseed|output:dtype|dtype:t=1 T:t=3 Tseed:t=9|0',
    'StatelessTruncatedNormalV2': 'shape:Tshape key:23 counter:23 alg:3|output:dtype|dtype:t=1 Tshape:t=3|0',
    'StochasticCastToInt': 'input:Tin key:23 counter:23 alg:3|output:Tout|Tin:t Tout:t|0',
    'TruncatedNormal': 'shape:T|output:dtype|seed:i seed2:i dtype:t T:t|1',
}


def multinomial(logits, num_samples, seed=0, seed2=0, output_dtype=dtypes.int64, name=None):
    return apply('Multinomial', name, (logits, num_samples), {'seed': seed, 'seed2': seed2, 'output_dtype': output_dtype}).outputs[0]


def non_deterministic_ints(shape, dtype=dtypes.int64, name=None):
    return apply('NonDeterministicInts', name, (shape,), {'dtype': dtype}).outputs[0]


def parameterized_truncated_normal(shape, means, stdevs, minvals, maxvals, seed=0, seed2=0, name=None):
    return apply('ParameterizedTruncatedNormal', name, (shape, means, stdevs, minvals, maxvals), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_gamma(shape, alpha, seed=0, seed2=0, name=None):
    return apply('RandomGamma', name, (shape, alpha), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_index_shuffle(index, seed, max_index, rounds=4, name=None):
    return apply('RandomIndexShuffle', name, (index, seed, max_index), {'rounds': rounds}).outputs[0]


def random_poisson(shape, rate, seed=0, seed2=0, name=None):
    return apply('RandomPoisson', name, (shape, rate), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_poisson_v2(shape, rate, seed=0, seed2=0, dtype=dtypes.int64, name=None):
    return apply('RandomPoissonV2', name, (shape, rate), {'seed': seed, 'seed2': seed2, 'dtype': dtype}).outputs[0]


def random_shuffle(value, seed=0, seed2=0, name=None):
    return apply('RandomShuffle', name, (value,), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_standard_normal(shape, dtype, seed=0, seed2=0, name=None):
    return apply('RandomStandardNormal', name, (shape,), {'dtype': dtype, 'seed': seed, 'seed2': seed2}).outputs[0]


def random_uniform(shape, dtype, seed=0, seed2=0, name=None):
    return apply('RandomUniform', name, (shape,), {'dtype': dtype, 'seed': seed, 'seed2': seed2}).outputs[0]


def random_uniform_int(shape, minval, maxval, seed=0, seed2=0, name=None):
    return apply('RandomUniformInt', name, (shape, minval, maxval), {'seed': seed, 'seed2': seed2}).outputs[0]


def rng_read_and_skip(resource, alg, delta, name=None):
    return apply('RngReadAndSkip', name, (resource, alg, delta), {}).outputs[0]


def rng_skip(resource, algorithm, delta, name=None):
    return apply('RngSkip', name, (resource, algorithm, delta), {})


def sobol_sample(dim, num_results, skip, dtype=dtypes.float32, name=None):
    return apply('SobolSample', name, (dim, num_results, skip), {'dtype': dtype}).outputs[0]


def stateful_random_binomial(resource, algorithm, shape, counts, probs, dtype=dtypes.int64, name=None):
    return apply('StatefulRandomBinomial', name, (resource, algorithm, shape, counts, probs), {'dtype': dtype}).outputs[0]


def stateful_standard_normal(resource, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulStandardNormal', name, (resource, shape), {'dtype': dtype}).outputs[0]


def stateful_standard_normal_v2(resource, algorithm, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulStandardNormalV2', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_truncated_normal(resource, algorithm, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulTruncatedNormal', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_uniform(resource, algorithm, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulUniform', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_uniform_full_int(resource, algorithm, shape, dtype=dtypes.uint64, name=None):
    return apply('StatefulUniformFullInt', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_uniform_int(resource, algorithm, shape, minval, maxval, name=None):
    return apply('StatefulUniformInt', name, (resource, algorithm, shape, minval, maxval), {}).outputs[0]


def stateless_multinomial(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    return apply('StatelessMultinomial', name, (logits, num_samples, seed), {'output_dtype': output_dtype}).outputs[0]


def stateless_parameterized_truncated_normal(shape, seed, means, stddevs, minvals, maxvals, name=None):
    return apply('StatelessParameterizedTruncatedNormal', name, (shape, seed, means, stddevs, minvals, maxvals), {}).outputs[0]


def stateless_random_binomial(shape, seed, counts, probs, dtype=dtypes.int64, name=None):
    return apply('StatelessRandomBinomial', name, (shape, seed, counts, probs), {'dtype': dtype}).outputs[0]


def stateless_random_gamma_v2(shape, seed, alpha, name=None):
    return apply('StatelessRandomGammaV2', name, (shape, seed, alpha), {}).outputs[0]


def stateless_random_gamma_v3(shape, key, counter, alg, alpha, name=None):
    return apply('StatelessRandomGammaV3', name, (shape, key, counter, alg, alpha), {}).outputs[0]


def stateless_random_get_alg(name=None):
    return apply('StatelessRandomGetAlg', name, (), {}).outputs[0]


def stateless_random_get_key_counter(seed, name=None):
    return results(apply('StatelessRandomGetKeyCounter', name, (seed,), {}))


def stateless_random_get_key_counter_alg(seed, name=None):
    return results(apply('StatelessRandomGetKeyCounterAlg', name, (seed,), {}))


def stateless_random_normal(shape, seed, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomNormal', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_random_normal_v2(shape, key, counter, alg, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomNormalV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_random_poisson(shape, seed, lam, dtype, name=None):
    return apply('StatelessRandomPoisson', name, (shape, seed, lam), {'dtype': dtype}).outputs[0]


def stateless_random_uniform(shape, seed, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomUniform', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_random_uniform_full_int(shape, seed, dtype=dtypes.uint64, name=None):
    return apply('StatelessRandomUniformFullInt', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_random_uniform_full_int_v2(shape, key, counter, alg, dtype=dtypes.uint64, name=None):
    return apply('StatelessRandomUniformFullIntV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_random_uniform_int(shape, seed, minval, maxval, name=None):
    return apply('StatelessRandomUniformInt', name, (shape, seed, minval, maxval), {}).outputs[0]


def stateless_random_uniform_int_v2(shape, key, counter, alg, minval, maxval, name=None):
    return apply('StatelessRandomUniformIntV2', name, (shape, key, counter, alg, minval, maxval), {}).outputs[0]


def stateless_random_uniform_v2(shape, key, counter, alg, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomUniformV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_shuffle(value, key, counter, alg, name=None):
    return apply('StatelessShuffle', name, (value, key, counter, alg), {}).outputs[0]


def stateless_truncated_normal(shape, seed, dtype=dtypes.float32, name=None):
    return apply('StatelessTruncatedNormal', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_truncated_normal_v2(shape, key, counter, alg, dtype=dtypes.float32, name=None):
    return apply('StatelessTruncatedNormalV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stochastic_cast_to_int(input, key, counter, alg, Tout, name=None):
    return apply('StochasticCastToInt', name, (input, key, counter, alg), {'Tout': Tout}).outputs[0]


def truncated_normal(shape, dtype, seed=0, seed2=0, name=None):
    return apply('TruncatedNormal', name, (shape,), {'dtype': dtype, 'seed': seed, 'seed2': seed2}).outputs[0]
