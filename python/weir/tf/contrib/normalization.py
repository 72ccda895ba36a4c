"""Normalization layers of tf.contrib.layers."""
from .. import array_ops, dtypes, init_ops, math_ops, nn_ops
from ..convert import convert_to_tensor
from ..scopes import GraphKeys, add_to_collections, control_dependencies
from ..training.moving_averages import assign_moving_average
from ..variable_scope import get_variable_scope, variable_scope
from . import layer_utils as utils
from .arg_scope import add_arg_scope
from .framework import model_variable


def _wide(dtype):
    """Parameters of half precision inputs are kept in single precision."""
    return dtypes.float32 if dtype in (dtypes.float16, dtypes.bfloat16) else dtype


class _Parameters:
    """Makes the variables of a normalization, in the order that checkpoints have them."""

    def __init__(self, shape, dtype, initializers, regularizers, collections, trainable):
        self._shape, self._dtype, self._collections, self._trainable = shape, dtype, collections, trainable
        self._initializers, self._regularizers = initializers or {}, regularizers or {}

    def make(self, name, default, trainable=None, regularized=True):
        return model_variable(name, shape=self._shape, dtype=self._dtype, initializer=self._initializers.get(name, default),
                              regularizer=self._regularizers.get(name) if regularized else None,
                              collections=utils.get_variable_collections(self._collections, name),
                              trainable=self._trainable if trainable is None else trainable)


@add_arg_scope
def batch_norm(inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None, param_initializers=None,
               param_regularizers=None, updates_collections=GraphKeys.UPDATE_OPS, is_training=True, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True, batch_weights=None, fused=None,
               data_format='NHWC', zero_debias_moving_mean=False, scope=None, renorm=False, renorm_clipping=None,
               renorm_decay=0.99, adjustment=None):
    if renorm or adjustment is not None:
        raise NotImplementedError('weir has no renorm and adjustment of batch normalization')
    if data_format not in ('NCHW', 'NHWC'):
        raise ValueError('data_format has to be either NCHW or NHWC.')
    inputs = convert_to_tensor(inputs)
    rank = inputs.get_shape().ndims
    if rank is None:
        raise ValueError('Inputs %s has undefined rank.' % inputs.name)
    with variable_scope(scope, 'BatchNorm', [inputs], reuse=reuse) as sc:
        axis = 1 if data_format == 'NCHW' else rank - 1
        size = inputs.get_shape().as_list()[axis]
        if size is None:
            raise ValueError('Inputs %s has undefined `C` dimension %s.' % (inputs.name, inputs.get_shape()))
        work = _BatchNorm(inputs, rank, axis, size, _wide(inputs.dtype.base_dtype), epsilon, batch_weights,
                          fused in (None, True) and batch_weights is None)
        with_params = _Parameters([size], work.dtype, param_initializers, param_regularizers, variables_collections, trainable)
        work.beta = with_params.make('beta', init_ops.zeros_initializer()) if center else \
            array_ops.constant(0.0, dtype=work.dtype, shape=[size])
        work.gamma = with_params.make('gamma', init_ops.ones_initializer()) if scale else \
            array_ops.constant(1.0, dtype=work.dtype, shape=[size])
        partitioner, kept = get_variable_scope().partitioner, get_variable_scope()
        try:
            kept.set_partitioner(None)
            work.mean = with_params.make('moving_mean', init_ops.zeros_initializer(), False, False)
            work.variance = with_params.make('moving_variance', init_ops.ones_initializer(), False, False)
        finally:
            kept.set_partitioner(partitioner)
        outputs = work.run(is_training, decay, updates_collections, zero_debias_moving_mean)
        outputs.set_shape(inputs.get_shape())
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


class _BatchNorm:
    """The arithmetic of batch_norm, once its variables are there."""

    def __init__(self, inputs, rank, axis, size, dtype, epsilon, weights, fused):
        self.inputs, self.rank, self.axis, self.size, self.dtype = inputs, rank, axis, size, dtype
        self.epsilon, self.weights = epsilon, weights
        self.fused = fused and rank in (2, 4) and dtype == dtypes.float32
        self.beta = self.gamma = self.mean = self.variance = None

    def _fused_op(self, training):
        inputs, first = self.inputs, self.axis == 1 and self.rank == 4
        if self.rank == 2:
            inputs = array_ops.reshape(inputs, [array_ops.shape(inputs)[0], 1, 1, self.size])
        moving = (None, None) if training else (self.mean, self.variance)
        out, mean, variance = nn_ops.fused_batch_norm(inputs, self.gamma, self.beta, moving[0], moving[1], self.epsilon,
                                                      'NCHW' if first else 'NHWC', training)
        if self.rank == 2:
            out = array_ops.reshape(out, array_ops.shape(self.inputs))
        return [out, mean, variance]

    def _plain(self, training):
        axes = [a for a in range(self.rank) if a != self.axis]
        mean, variance = self.mean, self.variance
        if training:
            if self.weights is None:
                mean, variance = nn_ops.moments(math_ops.cast(self.inputs, self.dtype), axes)
            else:
                weights = array_ops.reshape(self.weights, [-1] + [1] * (self.rank - 1))
                mean, variance = nn_ops.weighted_moments(math_ops.cast(self.inputs, self.dtype), axes, weights)
        place = lambda value: value
        if self.axis != self.rank - 1:
            shape = [self.size if a == self.axis else 1 for a in range(self.rank)]
            place = lambda value: array_ops.reshape(value, shape)
        cast = lambda value: math_ops.cast(place(convert_to_tensor(value)), self.inputs.dtype.base_dtype)
        out = nn_ops.batch_normalization(self.inputs, cast(mean), cast(variance), cast(self.beta), cast(self.gamma), self.epsilon)
        return [out, array_ops.identity(mean), array_ops.identity(variance)]

    def run(self, is_training, decay, collections, zero_debias):
        act = self._fused_op if self.fused else self._plain
        outputs, mean, variance = utils.smart_cond(is_training, lambda: act(True), lambda: act(False))
        known = utils.constant_value(is_training)
        if known is not None and not known:
            return outputs

        def moved():
            return [assign_moving_average(self.mean, mean, decay, zero_debias=zero_debias),
                    assign_moving_average(self.variance, variance, decay, zero_debias=False)]
        if collections is None:
            def forced():
                with control_dependencies(moved()):
                    return array_ops.identity(outputs)
            return utils.smart_cond(is_training, forced, lambda: array_ops.identity(outputs))
        updates = utils.smart_cond(is_training, lambda: [array_ops.identity(convert_to_tensor(u)) if known is None else u
                                                         for u in moved()],
                                   lambda: [array_ops.identity(self.mean), array_ops.identity(self.variance)])
        for update in updates:
            add_to_collections(collections, update)
        return outputs


@add_arg_scope
def layer_norm(inputs, center=True, scale=True, activation_fn=None, reuse=None, variables_collections=None,
               outputs_collections=None, trainable=True, begin_norm_axis=1, begin_params_axis=-1, scope=None):
    with variable_scope(scope, 'LayerNorm', [inputs], reuse=reuse) as sc:
        inputs = convert_to_tensor(inputs)
        shape = inputs.get_shape()
        rank = shape.ndims
        if rank is None:
            raise ValueError('Inputs %s has undefined rank.' % inputs.name)
        begin_norm_axis += rank if begin_norm_axis < 0 else 0
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError('begin_params_axis (%d) and begin_norm_axis (%d) must be < rank(inputs) (%d)' %
                             (begin_params_axis, begin_norm_axis, rank))
        sizes = shape[begin_params_axis:]
        if not sizes.is_fully_defined():
            raise ValueError('Inputs %s: shape(inputs)[%s:] is not fully defined: %s' % (inputs.name, begin_params_axis, shape))
        make = _Parameters(sizes, inputs.dtype.base_dtype, None, None, variables_collections, trainable).make
        beta = make('beta', init_ops.zeros_initializer()) if center else None
        gamma = make('gamma', init_ops.ones_initializer()) if scale else None
        mean, variance = nn_ops.moments(inputs, list(range(begin_norm_axis, rank)), keep_dims=True)
        epsilon = 1e-3 if inputs.dtype == dtypes.float16 else 1e-12
        outputs = nn_ops.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(shape)
        return utils.collect_named_outputs(outputs_collections, sc.name,
                                           outputs if activation_fn is None else activation_fn(outputs))


@add_arg_scope
def instance_norm(inputs, center=True, scale=True, epsilon=1e-6, activation_fn=None, param_initializers=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, data_format='NHWC', scope=None):
    inputs = convert_to_tensor(inputs)
    shape = inputs.get_shape()
    if shape.ndims is None:
        raise ValueError('Inputs %s has undefined rank.' % inputs.name)
    with variable_scope(scope, 'InstanceNorm', [inputs], reuse=reuse) as sc:
        axis = 1 if data_format == 'NCHW' else shape.ndims - 1
        size = shape.as_list()[axis]
        if size is None:
            raise ValueError('Inputs %s has undefined channels dimension %s.' % (inputs.name, shape))
        place = [size if a == axis else 1 for a in range(shape.ndims)]
        spread = lambda value: array_ops.reshape(value, place) if data_format == 'NCHW' else value
        make = _Parameters([size], inputs.dtype.base_dtype, param_initializers, None, variables_collections, trainable).make
        beta = spread(make('beta', init_ops.zeros_initializer())) if center else None
        gamma = spread(make('gamma', init_ops.ones_initializer())) if scale else None
        axes = [a for a in range(1, shape.ndims) if a != axis]
        mean, variance = nn_ops.moments(inputs, axes, keep_dims=True)
        outputs = nn_ops.batch_normalization(inputs, mean, variance, beta, gamma, epsilon, name='instancenorm')
        outputs.set_shape(shape)
        return utils.collect_named_outputs(outputs_collections, sc.name,
                                           outputs if activation_fn is None else activation_fn(outputs))


@add_arg_scope
def group_norm(inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True, scale=True, epsilon=1e-6,
               activation_fn=None, param_initializers=None, reuse=None, variables_collections=None, outputs_collections=None,
               trainable=True, scope=None, mean_close_to_zero=False):
    inputs = convert_to_tensor(inputs)
    if inputs.get_shape().ndims is None:
        raise ValueError('Inputs %s has undefined rank.' % inputs.name)
    known, rank = inputs.get_shape().as_list(), inputs.get_shape().ndims
    if not -rank <= channels_axis < rank or any(not -rank <= a < rank for a in reduction_axes):
        raise ValueError('Axis is out of bounds.')
    axis = channels_axis % rank
    axes = [a % rank for a in reduction_axes]
    if known[axis] is None:
        raise ValueError('Inputs %s has undefined channel dimension: %d' % (inputs.name, channels_axis))
    if axis in axes:
        raise ValueError('reduction_axes and channels_axis must be mutually exclusive.')
    if groups > known[axis]:
        raise ValueError('Invalid groups %d for %d channels.' % (groups, known[axis]))
    if known[axis] % groups:
        raise ValueError('%d channels is not commensurate with %d groups.' % (known[axis], groups))
    with variable_scope(scope, 'GroupNorm', [inputs], reuse=reuse) as sc:
        sizes = array_ops.shape(inputs)
        dims = [sizes[a] if known[a] is None else known[a] for a in range(rank)]
        split = array_ops.reshape(inputs, dims[:axis] + [groups, known[axis] // groups] + dims[axis + 1:])
        moved = [a if a < axis else a + 1 for a in axes] + [axis + 1]
        place = [1] * axis + [groups, known[axis] // groups] + [1] * (rank - axis - 1)
        make = _Parameters([known[axis]], inputs.dtype.base_dtype, param_initializers, None, variables_collections, trainable).make
        beta = array_ops.reshape(make('beta', init_ops.zeros_initializer()), place) if center else None
        gamma = array_ops.reshape(make('gamma', init_ops.ones_initializer()), place) if scale else None
        mean, variance = nn_ops.moments(split, moved, keep_dims=True)
        outputs = nn_ops.batch_normalization(split, mean, variance, beta, gamma, epsilon)
        outputs = array_ops.reshape(outputs, array_ops.shape(inputs))
        outputs.set_shape(known)
        return utils.collect_named_outputs(outputs_collections, sc.name,
                                           outputs if activation_fn is None else activation_fn(outputs))
