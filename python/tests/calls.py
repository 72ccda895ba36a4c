#!/usr/bin/env python3
"""Calls public functions with arguments made up from their signatures, here and in TensorFlow 1.15, and compares what comes out.

  calls.py write OUT [--only SPACE,...] [--each N] [--seed N]   in TensorFlow: makes calls, notes results
  calls.py check FILE [--only SPACE,...] [--show N]             in weir: the same calls; prints what differs

A result is the names, types and shapes of the tensors and their values, or the class of the error. Values of nodes that draw random
numbers without a seed of their own are not compared. python/tests/calls_test.py checks
the results of TensorFlow 1.15.5 that are stored in calls_1.15.json.
"""
import argparse
import gzip
import inspect
import json
import os
import random
import re
import signal
import sys
import zlib

import numpy as np

SPACES = ['', 'math', 'nn', 'image', 'strings', 'linalg', 'losses', 'metrics', 'layers', 'sparse', 'signal', 'bitwise', 'debugging',
          'dtypes', 'io', 'manip', 'quantization', 'random', 'sets', 'spectral', 'initializers', 'contrib.layers', 'distributions',
          'contrib.framework', 'contrib.metrics', 'contrib.losses', 'contrib.distributions', 'contrib.signal', 'contrib.seq2seq',
          'train', 'summary', 'nn.rnn_cell', 'contrib.rnn', 'feature_column', 'contrib.crf', 'contrib.image', 'contrib.opt']
# What waits, ends the process, changes files or settings, or is judged by other tests.
LEFT_OUT = re.compile(r'(^|\.)(enable_|disable_|set_|get_default_session|Session|InteractiveSession|load_|delete_|remove_|write_file|'
                      r'Print$|print$|py_func|contrib|device|reset_default_graph|import_graph_def|while_loop|.*Queue.*|.*Reader.*|'
                      r'.*Hook$|Server|Supervisor|Scaffold|MonitoredTrainingSession|.*Session.*|.*producer|batch$|batch_join|'
                      r'shuffle_batch.*|maybe_.*|ClusterSpec|Checkpoint.*|checkpoints_iterator|NewCheckpointReader|write_graph|'
                      r'.*Writer.*|match_filenames_once|.*Coordinator.*|LooperThread|.*Proto$|.*Def$|timestamp|function|wrap_function|'
                      r'batch_function|nondifferentiable.*|no_gradient|NoGradient|NotDifferentiable|Register.*|.*Cache|.*Test.*|'
                      r'GradientTape|Module|name_scope|variable_scope|op_scope|.*_scope$|control_dependencies|container|colocate_with|'
                      r'TensorArray|Graph|Operation|AttrValue|Event|Summary|.*Log.*|.*Option.*|RunMetadata|ConfigProto|start_.*|'
                      r'add_.*runner|QueueRunner|SyncReplicas.*|Saver|.*meta_graph|.*[gG]lobal_step.*|init_from_checkpoint|warm_start|'
                      r'list_variables|latest_checkpoint|.*checkpoint.*|summary_iterator|basic_train_loop|Barrier|CriticalSection|'
                      r'.*accumulator.*|.*Accumulator.*|create_partitioned.*|RaggedTensor.*|map_fn|foldl|foldr|scan|vectorized_map|'
                      r'random_.*_initializer|truncated_normal_initializer|.*candidate_sampler|parallel_stack|placeholder)')


class Maker:
    """Arguments for one call: expressions that both sides evaluate."""

    SHAPES = [[], [3], [2, 3], [3, 3], [2, 3, 4], [2, 4, 4, 3], [1, 6, 6, 2], [2, 3, 4, 4, 2]]

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.shape = pick(self.SHAPES + [[2, 3], [2, 3], [2, 4, 4, 3]])
        self.kind = pick(['float32'] * 8 + ['float64', 'int32', 'int32', 'int64', 'complex64', 'bool', 'string', 'uint8'])

    def tensor(self, shape=None, kind=None, low=None, high=None):
        shape = self.shape if shape is None else shape
        kind = kind or self.kind
        text = 'A(%r, %r, %d' % (shape, kind, self.random.randrange(1000))
        text += ', %r, %r)' % (low, high) if low is not None else ')'
        if self.random.random() < 0.15 and kind != 'string':
            return 'P(%s)' % text  # a placeholder whose shape is not known
        return 'C(%s)' % text if self.random.random() < 0.8 else text

    def sparse(self):
        return 'S(%r, %r, %d)' % (self.shape if len(self.shape) > 1 else [3, 4], self.kind, self.random.randrange(1000))

    def positive(self):
        return self.tensor(kind=self.kind if self.kind.startswith('float') else 'float32', low=0.1, high=2.0)

    def value(self, name, default):
        """An expression for the parameter, or None when nothing is known of it."""
        pick, low = self.random.choice, name.lower()
        for pattern, make in RULES:
            if re.search(pattern, low):
                found = make(self, pick)
                return found
        if isinstance(default, bool):
            return repr(pick([True, False]))
        if isinstance(default, int):
            return repr(pick([default, 1, 2, 3]))
        if isinstance(default, float):
            return repr(pick([default, 0.5, 1.0, 2.0]))
        return self.tensor() if default is inspect.Parameter.empty else None


def _axis(maker, pick):
    rank = len(maker.shape)
    return repr(pick([0, -1, 1, max(rank - 1, 0), [0], [0, 1] if rank > 1 else [0]]))


def _ids(maker, pick):
    rows = maker.shape[0] if maker.shape else 3
    return 'C(np.array(%r, %r))' % ([min(i // 2, 2) for i in range(rows)], pick(['int32', 'int64']))


def _filter(maker, pick):
    channels = maker.shape[-1] if maker.shape else 3
    rank = max(len(maker.shape) - 2, 1)
    return maker.tensor(shape=[2] * rank + [channels, 4], kind='float32' if maker.kind not in ('float32', 'float64') else maker.kind)


# (pattern of the parameter's name, what makes the expression); the first that fits is taken
RULES = [
    (r'^name$', lambda m, p: p(["'given'", 'None'])),
    (r'^seed2?$|op_seed', lambda m, p: '7'),
    (r'^(axis|dim|axes|reduction_indices|reduction_axes|concat_dim|dimension|batch_dim|seq_dim|seq_axis|batch_axis)$', _axis),
    (r'keep_?dims|^transpose_|^adjoint_|exclusive|^reverse$|^is_sparse|_is_sparse$|^sorted$|^stable$|use_bias|trainable|training$|'
     r'is_training|renorm|fused|align_corners|half_pixel|antialias|^center$|^scale$|validate|^unique$|compute_uv|full_matrices|'
     r'^conjugate$|^optimize$|normalized|use_locking', lambda m, p: p(['True', 'False'])),
    (r'^(dtype|out_type|output_type|out_idx|tout|output_dtype|t|internal_type|element_dtype)$', lambda m, p: p(
        ['tf.float32', 'tf.int32', 'tf.float64', 'tf.int64', 'tf.string', 'tf.uint8', 'tf.bool', 'tf.complex64'])),
    (r'^preferred_dtype$|dtype_hint', lambda m, p: p(['tf.float32', 'tf.int32', 'None'])),
    (r'^(sp_input|sp_a|sp_x|sp_ids|sp_tensor|sparse_tensor|sp_inputs)$', lambda m, p: m.sparse()),
    (r'^sp_weights$', lambda m, p: 'None'),
    (r'^perm$', lambda m, p: repr(p([list(range(len(m.shape)))[::-1], list(range(len(m.shape)))]))),
    (r'^(multiples|begin|size|slice_begin|slice_size)$', lambda m, p: repr([p([1, 1, 2]) for _ in m.shape])),
    (r'^paddings$|^crops$', lambda m, p: repr([[p([0, 1, 2]), p([0, 1])] for _ in m.shape])),
    (r'^(shape|output_shape|new_shape|dims|dense_shape|sparse_shape|image_size|noise_shape)$', lambda m, p: repr(
        p([m.shape, [-1], [2, 3], [6], [4, 4], []]))),
    (r'(segment_ids|^indices$|^ids$|partitions)', _ids),
    (r'num_segments|num_partitions|^num$', lambda m, p: p(['3', '2', '4'])),
    (r'^(num_or_size_splits|num_split)$', lambda m, p: p(['2', '3', '1', '[1, 1]', '[1, 2]'])),
    (r'^(depth|num_classes|num_outputs|units|filters|k|n|num_units|num_rows|num_columns|nbins|num_samples|num_filters|'
     r'num_buckets|hash_bucket_size|block_size|input_depth|channels)$', lambda m, p: p(['2', '3', '4', '1'])),
    (r'^(keep_prob|rate|drop_rate|dropout|alpha|decay|momentum|epsilon|clip_norm|learning_rate|initial_learning_rate|delta|gamma|gain|'
     r'saturation_factor|contrast_factor|central_fraction|max_delta|lower|rho|beta1|beta2|power|variance_epsilon)$', lambda m, p: p(
         ['0.5', '0.25', '0.9'])),
    (r'^upper$', lambda m, p: '1.5'),
    (r'^(kernel_size|pool_size|window_shape)$', lambda m, p: p(['2', '3', '[2, 2]', '1', '[2]'])),
    (r'^ksizes?$|^sizes$', lambda m, p: p(['[1, 2, 2, 1]', '2', '[1, 3, 3, 1]', '[1, 2, 2, 2, 1]', '[2]'])),
    (r'^(strides|stride)$', lambda m, p: p(['1', '2', '[1, 1, 1, 1]', '[1, 2, 2, 1]', '[1, 1, 1, 1, 1]', '[1]', '[2, 2]'])),
    (r'^(dilation_rate|dilations|rates)$', lambda m, p: p(['1', '2', '[1, 1, 1, 1]', '[1, 2, 2, 1]', '[2, 2]', '[1, 1]'])),
    (r'^padding$', lambda m, p: p(["'SAME'", "'VALID'", "'same'", "'valid'"])),
    (r'^data_format$', lambda m, p: p(["'NHWC'", "'NWC'", "'channels_last'", 'None', "'NDHWC'"])),
    (r'^mode$', lambda m, p: p(["'CONSTANT'", "'REFLECT'", "'SYMMETRIC'"])),
    (r'^pooling_type$', lambda m, p: p(["'MAX'", "'AVG'"])),
    (r'^(filter|kernel|filters_)$', _filter),
    (r'^filters$', lambda m, p: p(['4', _filter(m, p)])),
    (r'^bias(es)?$|^b$', lambda m, p: m.tensor(shape=[m.shape[-1] if m.shape else 3])),
    (r'^(weights|sample_weight)$', lambda m, p: p(['1.0', '0.5', m.tensor(kind='float32', low=0.0, high=1.0),
                                                   m.tensor(shape=m.shape[:1], kind='float32', low=0.0, high=1.0)])),
    (r'^labels$', lambda m, p: p([m.tensor(low=0, high=2), m.tensor(shape=m.shape[:-1], kind='int64', low=0, high=2)])),
    (r'^(predictions|probs|probabilities|predictions_idx)$', lambda m, p: p([m.tensor(low=0.01, high=0.99)] * 2 +
                                                                           [m.tensor(kind='int64', low=0, high=2)])),
    (r'^logits$', lambda m, p: m.tensor(kind=p(['float32', 'float32', 'float64']))),
    (r'^(values|inputs|tensors|data|arrays|input_list|t_list|args|x_list|cells)$', lambda m, p: p(
        ['[%s, %s]' % (m.tensor(), m.tensor()), m.tensor(), '[%s]' % m.tensor()])),
    (r'^(concentration.*|rate|scale|sigma|variance|stddev|scale_diag|df|total_count)$', lambda m, p: m.positive()),
    (r'^(condition|mask|pred|cond)$', lambda m, p: m.tensor(kind='bool')),
    (r'^(minval|low|start|clip_value_min|min|lower_bound|value_range)$', lambda m, p: p(['0', '0.0', '-1.0', '1'])),
    (r'^(maxval|high|limit|stop|clip_value_max|max|upper_bound)$', lambda m, p: p(['5', '2.0', '1.0', 'None'])),
    (r'^(boxes|bounding_boxes)$', lambda m, p: p(['C(A([3, 4], "float32", 5, 0.0, 1.0))', 'C(A([2, 3, 4], "float32", 5, 0.0, 1.0))'])),
    (r'^scores$', lambda m, p: 'C(A([3], "float32", 6, 0.0, 1.0))'),
    (r'^(box_ind|box_indices)$', lambda m, p: '[0, 1, 0]'),
    (r'^(crop_size|target_height|target_width|offset_height|offset_width|max_output_size|height|width)$', lambda m, p: p(
        ['2', '3', '[2, 2]', '4', '0'])),
    (r'activation(_fn)?$|normalizer_fn$', lambda m, p: p(['None', 'tf.nn.relu', 'tf.tanh'])),
    (r'initializer$', lambda m, p: p(['tf.constant_initializer(0.3)', 'tf.ones_initializer()', 'None'])),
    (r'regularizer$', lambda m, p: p(['None', 'tf.contrib.layers.l2_regularizer(0.1)'])),
    (r'^(separator|delimiter|delimiters|sep)$', lambda m, p: p(["' '", "','", "''"])),
    (r'(string|input_bytes|^pattern$|^rewrite$|^contents$|^source$|^serialized$|^filename|^key$)', lambda m, p: p(
        ["C(np.array([b'ab c', b'', b'1.5']))", "'a'", "'x,y'", "b'12'"])),
    (r'^(table|params|lookup)$', lambda m, p: m.tensor()),
    (r'^(num_parallel_calls|cast_dtype|collections|variables_collections|outputs_collections|updates_collections|'
     r'metrics_collections|loss_collection|reuse|scope|variable_scope|custom_getter|partitioner|_sentinel|constraint|'
     r'weights_collections|normalizer_params|_?reuse|device|summarize)$', lambda m, p: 'None'),
]


def result_of(tf, call):
    """What a call gives, in plain values."""
    tf.reset_default_graph()
    feeds, names = {}, {'tf': tf, 'np': np}

    def array(shape, kind, seed, low=None, high=None):
        numbers = np.random.RandomState(seed)
        if kind == 'string':
            return numbers.choice([b'a', b'bc', b'', b'12'], size=shape).astype(object)
        if kind == 'bool':
            return numbers.rand(*shape) > 0.5 if shape else np.bool_(numbers.rand() > 0.5)
        if kind.startswith('complex'):
            return (numbers.randn(*shape) + 1j * numbers.randn(*shape)).astype(kind) if shape else np.complex64(1 + 2j)
        if kind.startswith('float'):
            made = numbers.randn(*shape) if low is None else numbers.uniform(low, high, shape)
        else:
            made = numbers.randint(0 if low is None else int(low), 6 if high is None else max(int(high), int(low) + 1), shape)
        return np.asarray(made).astype(kind)[()] if not shape else np.asarray(made).astype(kind)

    def placeholder(value):
        made = tf.placeholder(np.asarray(value).dtype)
        feeds[made] = value
        return made

    def sparse(shape, kind, seed):
        dense = array(shape, 'float32' if kind in ('string', 'bool') else kind, seed)
        where = np.argwhere(np.random.RandomState(seed + 1).rand(*shape) > 0.4)
        return tf.SparseTensor(where, dense[tuple(where.T)], shape)
    names.update(A=array, P=placeholder, C=lambda value: tf.constant(value) if np.asarray(value).dtype != object else
                 tf.constant(value.tolist() if hasattr(value, 'tolist') else value), S=sparse)
    try:
        made = eval(call, names)  # the expressions are our own
    except Exception as error:  # noqa: BLE001
        return {'error': type(error).__name__}
    leaves = []
    _leaves(tf, made, leaves)
    found = {'made': [_about(leaf) for leaf in leaves],
             'variables': [var.op.name for var in tf.global_variables() + tf.local_variables()],
             'losses': len(tf.get_collection(tf.GraphKeys.LOSSES)) + len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)),
             'updates': len(tf.get_collection(tf.GraphKeys.UPDATE_OPS))}
    tensors = [leaf for leaf in leaves if isinstance(leaf, tf.Tensor) and leaf.dtype.base_dtype not in (tf.resource, tf.variant)]
    if tensors:
        found['values'] = _run(tf, tensors, feeds)
    return found


def _leaves(tf, made, leaves):
    if isinstance(made, (list, tuple)) and not isinstance(made, tf.TensorShape):
        for item in made:
            _leaves(tf, item, leaves)
    elif isinstance(made, dict):
        for key in sorted(made, key=str):
            _leaves(tf, made[key], leaves)
    elif isinstance(made, tf.SparseTensor):
        leaves.extend([made.indices, made.values, made.dense_shape])
    else:
        leaves.append(made)


def _about(leaf):
    if hasattr(leaf, 'dtype') and hasattr(leaf, 'get_shape') and hasattr(leaf, 'name'):
        shape = leaf.get_shape()
        return [leaf.name, leaf.dtype.name if hasattr(leaf.dtype, 'name') else str(leaf.dtype),
                None if shape.ndims is None else shape.as_list()]
    if isinstance(leaf, (int, float, str, bool, type(None))):
        return repr(leaf)
    return type(leaf).__name__


def _is_random(tf):
    for op in tf.get_default_graph().get_operations():
        try:
            if not op.get_attr('seed') and not op.get_attr('seed2'):
                return True
        except ValueError:
            pass
    return False


def _run(tf, tensors, feeds):
    with tf.Session() as session:
        try:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()], feeds)
            values = session.run(tensors, feeds)
        except Exception as error:  # noqa: BLE001
            return {'error': type(error).__name__}
    chance = _is_random(tf)
    return [_digest(value, chance) for value in values]


def _digest(value, chance):
    value = np.asarray(value)
    flat = value.ravel()[:12]
    if chance:
        shown = []
    elif value.dtype.kind == 'c':
        shown = [_number(part) for item in flat for part in (item.real, item.imag)]
    elif value.dtype.kind in 'OSU':
        shown = [(item if isinstance(item, bytes) else str(item).encode()).decode('latin-1')[:40] for item in flat.tolist()]
    else:
        shown = [_number(item) for item in flat.astype('float64')]
    return [str(value.dtype), list(value.shape), shown]


def _number(item):
    return float('%.5g' % item) if np.isfinite(item) else str(item)


def functions(tf, only):
    """[(name, parameters)] of what is called."""
    found = []
    for space in SPACES:
        if only and not any(space == one or (one and space.startswith(one + '.')) for one in only):
            continue
        owner = tf
        for part in space.split('.') if space else ():
            owner = getattr(owner, part)
        for name in sorted(dir(owner)):
            path = space + '.' + name if space else name
            act = getattr(owner, name)
            if name.startswith('_') or not callable(act) or LEFT_OUT.search(name):
                continue
            if inspect.isclass(act) and (space in ('', 'train', 'io', 'strings') or issubclass(act, Exception)):
                continue
            try:
                parameters = list(inspect.signature(act).parameters.values())
            except (TypeError, ValueError):
                continue
            found.append((path, parameters))
    return found


def call_of(path, parameters, seed):
    maker = Maker(zlib.crc32(path.encode()) + seed)
    given = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        has_default = parameter.default is not parameter.empty
        rare = parameter.name in ('name', 'scope') or parameter.name.endswith('collections')
        if has_default and maker.random.random() > (0.15 if rare else 0.35):
            continue
        text = maker.value(parameter.name, parameter.default)
        if text is not None:
            given.append('%s=%s' % (parameter.name, text))
    return 'tf.%s(%s)' % (path, ', '.join(given))


class Late(Exception):
    """A call that takes too long."""


def timed(tf, call, seconds=20):
    def end(_, __):
        raise Late()
    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        return result_of(tf, call)
    except Late:
        return None
    finally:
        signal.alarm(0)


def calls_of(tf, path, parameters, each, seed):
    """Calls of one function with their results: at most `each` that work, and a third as many that do not."""
    rows, works, fails = [], 0, {}
    for turn in range(each * 8):
        call = call_of(path, parameters, seed + turn)
        found = timed(tf, call)
        if found is None or works >= each:
            break
        error = found.get('error')
        if error:
            fails[error] = fails.get(error, 0) + 1
            if sum(fails.values()) > max(each // 3, 1) or fails[error] > 2:
                continue
        works += not error
        rows.append([call, found])
    return rows


def write(tf, out, only, each, seed):
    """Each function in a process of its own: some arguments end TensorFlow."""
    rows, found = [], functions(tf, only)
    for path, parameters in found:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, 'w') as file:
                json.dump(calls_of(tf, path, parameters, each, seed), file)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as file:
            text = file.read()
        os.waitpid(child, 0)
        rows += json.loads(text) if text else []
    with gzip.open(out, 'wt') as file:
        json.dump(rows, file)
    print('%d calls of %d functions' % (len(rows), len(found)))


def load(path):
    with (gzip.open if path.endswith('.gz') else open)(path, 'rt') as file:
        return json.load(file)


def differs(ours, theirs):
    """(class of the difference, what) or None."""
    if ours is None:
        return 'late', ''
    if ours.get('error') != theirs.get('error'):
        return 'error', '%s, not %s' % (ours.get('error'), theirs.get('error'))
    if theirs.get('error'):
        return None
    for key in ('variables', 'losses', 'updates'):
        if ours[key] != theirs[key]:
            return key, '%s, not %s' % (ours[key], theirs[key])
    mine, right = ours['made'], theirs['made']
    if len(mine) != len(right):
        return 'structure', '%s, not %s' % (mine, right)
    for one, other in zip(mine, right):
        if isinstance(one, list) != isinstance(other, list) or (not isinstance(one, list) and one != other):
            return 'structure', '%s, not %s' % (one, other)
        if isinstance(one, list):
            for at, what in ((1, 'dtype'), (2, 'shape'), (0, 'name')):
                if one[at] != other[at]:
                    return what, '%s, not %s' % (one[at], other[at])
    return _values_differ(ours.get('values'), theirs.get('values'))


def _values_differ(mine, right):
    if isinstance(mine, dict) or isinstance(right, dict) or mine is None or right is None:
        return None if mine == right else ('run', '%s, not %s' % (str(mine)[:150], str(right)[:150]))
    for one, other in zip(mine, right):
        if one[:2] != other[:2]:
            return 'value', '%s, not %s' % (one[:2], other[:2])
        if one[2] and other[2] and not all(_near(a, b) for a, b in zip(one[2], other[2])):
            return 'value', '%s, not %s' % (one[2][:6], other[2][:6])
    return None


def _near(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and abs(a - b) <= 2e-4 * max(1.0, abs(b)))


def check(tf, rows, only):
    """[(class, what, call)] of all that differs."""
    found = []
    for call, theirs in rows:
        if only and not any(call.startswith('tf.' + one + '.' if one else 'tf.') for one in only):
            continue
        wrong = differs(timed(tf, call), theirs)
        if wrong:
            found.append((*wrong, call))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('act', choices=['write', 'check'])
    parser.add_argument('file')
    parser.add_argument('--only', help='spaces, with commas; "tf" is the top')
    parser.add_argument('--each', type=int, default=6)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    only = ['' if one == 'tf' else one for one in options.only.split(',')] if options.only else None
    import tensorflow as tf
    tf.logging.set_verbosity(tf.logging.FATAL)
    if options.act == 'write':
        return write(tf, options.file, only, options.each, options.seed)
    rows = load(options.file)
    found = check(tf, rows, only)
    for kind, what, call in sorted(found):
        print('%s: %s\n    %s' % (kind, what[:300], call))
    print('%d passed, %d failed' % (len(rows) - len(found), len(found)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
