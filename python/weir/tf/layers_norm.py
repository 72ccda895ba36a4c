"""tf.layers.batch_normalization."""
from . import array_ops, dtypes, init_ops, math_ops, nn_ops
from .convert import convert_to_tensor
from .layers_base import Layer, smart_cond, smart_constant_value
from .scopes import control_dependencies, name_scope
from .shapes import TensorShape
from .variables import assign_sub


class BatchNormalization(Layer):
    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer=init_ops.Zeros(),
                 gamma_initializer=init_ops.Ones(), moving_mean_initializer=init_ops.Zeros(),
                 moving_variance_initializer=init_ops.Ones(), beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99,
                 fused=None, trainable=True, virtual_batch_size=None, adjustment=None, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.renorm, self.virtual_batch_size, self.adjustment = renorm, virtual_batch_size, adjustment
        self.renorm_momentum, self.renorm_clipping = renorm_momentum, renorm_clipping or {}
        if renorm and not set(self.renorm_clipping) <= {'rmax', 'rmin', 'dmax'}:
            raise ValueError('renorm_clipping %s contains keys not in [rmax, rmin, dmax]' % (renorm_clipping,))
        if fused and virtual_batch_size is not None:
            raise ValueError('When using fused=True, virtual_batch_size is not supported.')
        if fused and adjustment is not None:
            raise ValueError('When using fused=True, adjustment is not supported.')
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
            self.fused = rank == 4 and self.axis in ([1], [3]) and self._dtype != dtypes.float64 and not (
                self.renorm or self.virtual_batch_size is not None or self.adjustment is not None)
        one = len(self.axis) == 1
        if self.virtual_batch_size is not None:
            if self.virtual_batch_size <= 0:
                raise ValueError('virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor')
            if 0 in self.axis:
                raise ValueError('When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0')
            self.axis, known, rank, one = [a + 1 for a in self.axis], [None] + known, rank + 1, False
        sizes = [known[self.axis[0]]] if one else [known[a] if a in self.axis else 1 for a in range(rank)]
        kind = dtypes.float32 if self._dtype in (dtypes.float16, dtypes.bfloat16) else self._dtype
        self.gamma, self.beta = (self._scaling(word, sizes, kind) if wanted else None
                                 for word, wanted in (('gamma', self.scale), ('beta', self.center)))
        self.moving_mean = self.add_weight('moving_mean', sizes, kind, self.moving_mean_initializer, trainable=False)
        self.moving_variance = self.add_weight('moving_variance', sizes, kind, self.moving_variance_initializer, trainable=False)
        if self.renorm:
            root = lambda shape, dtype=None, partition_info=None: math_ops.sqrt(self.moving_variance_initializer(shape, dtype=dtype))
            self.moving_stddev = self.add_weight('moving_stddev', sizes, kind, root, trainable=False)
            self.renorm_mean = self.add_weight('renorm_mean', sizes, kind, self.moving_mean_initializer, trainable=False)
            self.renorm_stddev = self.add_weight('renorm_stddev', sizes, kind, root, trainable=False)
        self.built = True

    def _scaling(self, word, sizes, kind):
        initializer, regularizer, constraint = self._rows[word]
        return self.add_weight(word, sizes, kind, initializer, regularizer, constraint=constraint)

    def call(self, inputs, training=False):
        if self.virtual_batch_size is None:
            return self._fused(inputs, training) if self.fused else self._plain(inputs, training)
        whole = array_ops.shape(inputs)
        parts = array_ops.reshape(inputs, array_ops.concat([[self.virtual_batch_size, -1], whole[1:]], 0))
        parts.set_shape([self.virtual_batch_size, None] + inputs.shape.as_list()[1:])
        outputs = array_ops.reshape(self._plain(parts, training), whole)
        outputs.set_shape(inputs.shape)
        return outputs

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
        momentum = self._momentum(known, training, self.momentum)
        if self.renorm:
            self._update_renorm(mean, math_ops.sqrt(variance + self.epsilon), momentum, self._momentum(known, training, self.renorm_momentum))
            return
        self.add_update([self._move(self.moving_mean, mean, momentum), self._move(self.moving_variance, variance, momentum)])

    @staticmethod
    def _momentum(known, training, value):
        return value if known else smart_cond(
            training, lambda: convert_to_tensor(value, dtypes.float32), lambda: convert_to_tensor(1., dtypes.float32))

    def _update_renorm(self, mean, stddev, momentum, slower):
        """The moving variance follows from the moving deviation."""
        from .variables import assign
        moved = self._move(self.moving_stddev, stddev, momentum)
        with control_dependencies([moved]):
            squared = math_ops.square(array_ops.identity(self.moving_stddev)) - self.epsilon
            kept = assign(self.moving_variance, nn_ops.relu(squared))
        self.add_update([self._move(self.moving_mean, mean, momentum), kept, self._move(self.renorm_mean, mean, slower),
                         self._move(self.renorm_stddev, stddev, slower)])

    def _renormalized(self, mean, variance, training):
        """(r, d): how far the batch is from what was seen so far; both are constants to the gradient, and 1 and 0 outside of training."""
        bounds = {key: math_ops.cast(value, mean.dtype.base_dtype) for key, value in self.renorm_clipping.items()}

        def apart():
            stddev = math_ops.sqrt(variance + self.epsilon)
            r, d = stddev / self.renorm_stddev, (mean - self.renorm_mean) / self.renorm_stddev
            r = math_ops.minimum(r, bounds['rmax']) if 'rmax' in bounds else r
            r = math_ops.maximum(r, bounds['rmin']) if 'rmin' in bounds else r
            d = math_ops.maximum(math_ops.minimum(d, bounds['dmax']), -bounds['dmax']) if 'dmax' in bounds else d
            return [array_ops.identity(r), array_ops.identity(d)]
        r, d = smart_cond(training, apart, lambda: [array_ops.ones_like(variance), array_ops.zeros_like(mean)])
        return array_ops.stop_gradient(r), array_ops.stop_gradient(d)

    def _adjusted(self, inputs, training):
        """What `adjustment` gives in training: scale and bias of the normalized values."""
        scale, bias = self.adjustment(array_ops.shape(inputs))
        return smart_cond(training, lambda: [array_ops.identity(scale), array_ops.identity(bias)],
                          lambda: [array_ops.ones_like(scale), array_ops.zeros_like(bias)])

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
        rank, one = inputs.shape.ndims, len(self.axis) == 1 and self.virtual_batch_size is None
        others = [a for a in range(rank) if a not in self.axis and (self.virtual_batch_size is None or a != 1)]
        wide = one and self.axis[0] != rank - 1
        sizes = [inputs.shape.as_list()[a] if a in self.axis else 1 for a in range(rank)]
        spread = lambda v: array_ops.reshape(v, sizes) if wide and v is not None else v
        mean, variance = self.moving_mean, self.moving_variance
        scale, offset = None, None
        if self.adjustment is not None:
            scale, offset = self._adjusted(inputs, training)
        if smart_constant_value(training) is not False:
            batch = nn_ops.moments(math_ops.cast(inputs, mean.dtype.base_dtype), others, keep_dims=not one)
            mean, variance = smart_cond(training, lambda: [array_ops.identity(v) for v in batch],
                                        lambda: [array_ops.identity(self.moving_mean), array_ops.identity(self.moving_variance)])
            if self.renorm:
                r, d = self._renormalized(mean, variance, training)
                scale, offset = (r, d) if scale is None else (r * scale, d * scale + offset)
            whole = [math_ops.reduce_mean(v, 1, keepdims=True) for v in (mean, variance)] if self.virtual_batch_size is not None else \
                (mean, variance)
            self._update(*whole, training)
        cast = lambda v: v if v is None else math_ops.cast(v, inputs.dtype.base_dtype)
        gamma, beta = spread(self.gamma), spread(self.beta)
        if scale is not None:
            scale, offset = (scale, offset) if self.adjustment is not None else (spread(scale), spread(offset))
            gamma, offset = (scale, offset) if gamma is None else (scale * gamma, offset * gamma)
            beta = offset if beta is None else beta + offset
        outputs = nn_ops.batch_normalization(inputs, cast(spread(mean)), cast(spread(variance)), cast(beta), cast(gamma), self.epsilon)
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
