"""tf.layers.batch_normalization."""
from . import array_ops, dtypes, init_ops, math_ops, nn_ops
from .convert import convert_to_tensor
from .layers_base import Layer, smart_cond, smart_constant_value
from .scopes import name_scope
from .shapes import TensorShape
from .variables import assign_sub


class BatchNormalization(Layer):
    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer=init_ops.Zeros(),
                 gamma_initializer=init_ops.Ones(), moving_mean_initializer=init_ops.Zeros(),
                 moving_variance_initializer=init_ops.Ones(), beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99,
                 fused=None, trainable=True, virtual_batch_size=None, adjustment=None, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        if renorm or virtual_batch_size is not None or adjustment is not None:
            raise NotImplementedError('weir has no renorm, virtual_batch_size and adjustment of batch normalization')
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else [axis]
        self.momentum, self.epsilon, self.center, self.scale, self.fused = momentum, epsilon, center, scale, fused
        self._rows = {'gamma': (gamma_initializer, gamma_regularizer, gamma_constraint),
                      'beta': (beta_initializer, beta_regularizer, beta_constraint)}
        self.moving_mean_initializer, self.moving_variance_initializer = moving_mean_initializer, moving_variance_initializer
        self.gamma = self.beta = None
        self.beta_initializer, self.gamma_initializer = beta_initializer, gamma_initializer
        self.beta_regularizer, self.gamma_regularizer = beta_regularizer, gamma_regularizer
        self.beta_constraint, self.gamma_constraint = beta_constraint, gamma_constraint
        self._bessels_correction_test_only = True

    def build(self, input_shape):
        shape = TensorShape(input_shape)
        if shape.ndims is None:
            raise ValueError('Input has undefined rank: %s' % shape)
        rank, known = shape.ndims, shape.as_list()
        self.axis = [a + rank if a < 0 else a for a in self.axis]
        if any(a >= rank for a in self.axis):
            raise ValueError('Invalid axis: %s' % self.axis)
        if any(known[a] is None for a in self.axis):
            raise ValueError('Input has undefined `axis` dimension. Input shape: %s' % shape)
        if self.fused is None or self.fused:
            self.fused = rank == 4 and self.axis in ([1], [3]) and self._dtype != dtypes.float64
        one = len(self.axis) == 1
        sizes = [known[self.axis[0]]] if one else [known[a] if a in self.axis else 1 for a in range(rank)]
        kind = dtypes.float32 if self._dtype in (dtypes.float16, dtypes.bfloat16) else self._dtype
        self.gamma, self.beta = (self._scaling(word, sizes, kind) if wanted else None
                                 for word, wanted in (('gamma', self.scale), ('beta', self.center)))
        self.moving_mean = self.add_weight('moving_mean', sizes, kind, self.moving_mean_initializer, trainable=False)
        self.moving_variance = self.add_weight('moving_variance', sizes, kind, self.moving_variance_initializer, trainable=False)
        self.built = True

    def _scaling(self, word, sizes, kind):
        initializer, regularizer, constraint = self._rows[word]
        return self.add_weight(word, sizes, kind, initializer, regularizer, constraint=constraint)

    def call(self, inputs, training=False):
        return self._fused(inputs, training) if self.fused else self._plain(inputs, training)

    def _move(self, variable, value, momentum):
        with name_scope('AssignMovingAvg') as scope:
            kind = variable.dtype.base_dtype
            decay = math_ops.cast(convert_to_tensor(1.0 - momentum, name='decay'), kind)
            change = (variable - math_ops.cast(value, kind)) * decay
            return assign_sub(variable, change, name=scope)

    def _update(self, mean, variance, training):
        """Moves the moving values, unless it is known that this is no training."""
        known = smart_constant_value(training)
        if known is False:
            return
        momentum = self.momentum if known else smart_cond(
            training, lambda: convert_to_tensor(self.momentum, dtypes.float32), lambda: convert_to_tensor(1., dtypes.float32))
        self.add_update([self._move(self.moving_mean, mean, momentum), self._move(self.moving_variance, variance, momentum)])

    def _fused(self, inputs, training):
        form = 'NCHW' if self.axis == [1] else 'NHWC'
        sizes = [inputs.shape.as_list()[self.axis[0]]]
        gamma = self.gamma if self.scale else array_ops.ones(sizes)
        beta = self.beta if self.center else array_ops.zeros(sizes)

        def trained():
            return list(nn_ops.fused_batch_norm(inputs, gamma, beta, epsilon=self.epsilon, data_format=form))

        def inferred():
            return list(nn_ops.fused_batch_norm(inputs, gamma, beta, self.moving_mean, self.moving_variance, self.epsilon,
                                                form, is_training=False))

        outputs, mean, variance = smart_cond(training, trained, inferred)
        outputs.set_shape(inputs.shape)
        if not self._bessels_correction_test_only:
            count = math_ops.cast(array_ops.size(inputs) / array_ops.size(variance), variance.dtype)
            variance = variance * (count - 1.) / count
        self._update(mean, variance, training)
        return outputs

    def _plain(self, inputs, training):
        rank, one = inputs.shape.ndims, len(self.axis) == 1
        others = [a for a in range(rank) if a not in self.axis]
        wide = one and self.axis[0] != rank - 1
        sizes = [inputs.shape.as_list()[a] if a in self.axis else 1 for a in range(rank)]
        spread = lambda v: array_ops.reshape(v, sizes) if wide and v is not None else v
        mean, variance = self.moving_mean, self.moving_variance
        if smart_constant_value(training) is not False:
            batch = nn_ops.moments(math_ops.cast(inputs, mean.dtype.base_dtype), others, keep_dims=not one)
            mean, variance = smart_cond(training, lambda: [array_ops.identity(v) for v in batch],
                                        lambda: [array_ops.identity(self.moving_mean), array_ops.identity(self.moving_variance)])
            self._update(mean, variance, training)
        cast = lambda v: v if v is None else math_ops.cast(spread(v), inputs.dtype.base_dtype)
        outputs = nn_ops.batch_normalization(inputs, cast(mean), cast(variance), cast(self.beta), cast(self.gamma), self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs


def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                        beta_initializer=init_ops.Zeros(), gamma_initializer=init_ops.Ones(),
                        moving_mean_initializer=init_ops.Zeros(), moving_variance_initializer=init_ops.Ones(),
                        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None,
                        training=False, trainable=True, name=None, reuse=None, renorm=False, renorm_clipping=None,
                        renorm_momentum=0.99, fused=None, virtual_batch_size=None, adjustment=None):
    layer = BatchNormalization(axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer,
                               moving_mean_initializer, moving_variance_initializer, beta_regularizer, gamma_regularizer,
                               beta_constraint, gamma_constraint, renorm, renorm_clipping, renorm_momentum, fused, trainable,
                               virtual_batch_size, adjustment, name, _scope=name, _reuse=reuse)
    return layer(inputs, training=training)


batch_norm = batch_normalization
