"""The base of tf.layers: scopes, names, variables and collections of a layer."""
import re

from . import control_flow_ops, dtypes, math_ops, nest
from .convert import constant_value, convert_to_tensor
from .graph import get_default_graph
from .scopes import GraphKeys, add_to_collection, get_collection, get_collection_ref, name_scope
from .tensor import Tensor
from .variable_scope import get_variable, get_variable_scope, variable_scope
from .variables import Variable, VariableAggregation, VariableSynchronization

_NAMES = ('weir_layer_names',)


def snake_case(name):
    return re.sub(r'(?<=.)(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])', '_', name).lower()


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """cond, or only the branch that is taken where that is known."""
    known = smart_constant_value(pred)
    if known is None:
        return control_flow_ops.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if known else false_fn()


def smart_constant_value(pred):
    """A truth value where it is known while the graph is made, else None."""
    if isinstance(pred, Variable):
        return None
    if isinstance(pred, Tensor):
        known = constant_value(pred)
        return None if known is None else bool(known)
    return bool(pred)


def _unique(base):
    """A layer's name, counted by the graph and by the variable scope."""
    held = get_collection_ref(_NAMES)
    if not held:
        held.append({})
    key = get_variable_scope().name, base
    at = held[0].get(key, 0)
    held[0][key] = at + 1
    return '%s_%d' % (base, at) if at else base


class Layer:
    """Variables made once, under a scope of the layer's own, and what is computed from inputs and them.

    Programs derive from it and call their own attributes as they like: what TensorFlow's class does not have is named _weir_...
    """

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        scope, self._reuse = kwargs.pop('_scope', None), kwargs.pop('_reuse', None)
        self.activity_regularizer = kwargs.pop('activity_regularizer', None)
        if kwargs:
            raise TypeError('Keyword argument not understood: %s' % ', '.join(kwargs))
        self.trainable, self.built, self.stateful = trainable, False, False
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
        self._base_name = name or snake_case(type(self).__name__)
        self._name = name or _unique(self._base_name)
        self._weir_weights, self._losses, self._updates, self._weir_graph = [], [], [], None
        self._weir_inputs, self._weir_outputs = [], []
        self._scope = None
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    graph = property(lambda self: self._weir_graph)
    losses = property(lambda self: list(self._losses))
    updates = property(lambda self: list(self._updates))
    weights = variables = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    input = property(lambda self: self._weir_only(self._weir_inputs, 'input'))
    output = property(lambda self: self._weir_only(self._weir_outputs, 'output'))
    input_shape = property(lambda self: tuple(self.input.shape.as_list()))
    output_shape = property(lambda self: tuple(self.output.shape.as_list()))

    @property
    def scope_name(self):
        if self._scope is None:
            raise ValueError('No name available for layer scope because the layer "%s" has not been used yet.' % self._name)
        return self._scope.name

    @property
    def trainable_weights(self):
        return [v for v, trained in self._weir_weights if trained] if self.trainable else []

    @property
    def non_trainable_weights(self):
        return [v for v, trained in self._weir_weights if not (trained and self.trainable)]

    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    def _weir_only(self, values, what):
        if len(values) != 1:
            raise AttributeError('Layer %s has %s %s.' % (self._name, 'more than one' if values else 'no', what))
        return values[0]

    def count_params(self):
        return sum(v.shape.num_elements() for v in self.weights)

    def build(self, input_shape):
        self.built = True

    def call(self, inputs, **kwargs):
        return inputs

    def compute_output_shape(self, input_shape):
        raise NotImplementedError

    def add_weight(self, name, shape, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None,
                   use_resource=None, synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE,
                   partitioner=None, **kwargs):
        trained = True if trainable is None else trainable
        dtype = dtype or self._dtype or dtypes.float32
        before = len(get_collection(GraphKeys.REGULARIZATION_LOSSES))
        self._weir_open()
        with self._weir_within(), name_scope(self._scope.original_name_scope):
            made = get_variable(name, shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                                trainable=trained and self.trainable, constraint=constraint, use_resource=use_resource,
                                synchronization=synchronization, aggregation=aggregation, partitioner=partitioner)
        self._losses += get_collection(GraphKeys.REGULARIZATION_LOSSES)[before:]
        if not any(made is v for v, _ in self._weir_weights):
            self._weir_weights.append((made, trained))
        return made

    def add_variable(self, *args, **kwargs):
        return self.add_weight(*args, **kwargs)

    def add_loss(self, losses, inputs=None):
        for loss in nest.flatten(losses):
            loss = loss() if callable(loss) else loss
            if loss is not None:
                self._losses.append(loss)
                add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)

    def add_update(self, updates, inputs=None):
        for update in nest.flatten(updates):
            update = update() if callable(update) and not isinstance(update, Tensor) else update
            if not any(update is u for u in self._updates):
                self._updates.append(update)
                add_to_collection(GraphKeys.UPDATE_OPS, update)

    def get_losses_for(self, inputs):
        return self.losses

    def get_updates_for(self, inputs):
        return self.updates

    def _weir_open(self, scope=None):
        """The layer's scope, settled when it is first needed."""
        if self._scope is None:
            with (variable_scope(self._base_name if scope is None else scope) if self._reuse else
                  variable_scope(scope, default_name=self._base_name)) as captured:
                self._scope = captured

    def _weir_within(self):
        return variable_scope(self._scope, reuse=True if self.built else self._reuse, auxiliary_name_scope=False)

    def __call__(self, inputs, *args, **kwargs):
        scope = kwargs.pop('scope', None)
        inputs = nest.map_structure(lambda x: x if isinstance(x, Tensor) else convert_to_tensor(x), inputs)
        first = nest.flatten(inputs)[0]
        if self._weir_graph is not None and self._weir_graph is not first.graph:
            raise ValueError('Input graph and Layer graph are not the same: layer %s' % self._name)
        self._weir_graph = get_default_graph()
        self._dtype = self._dtype or first.dtype.base_dtype
        self._weir_open(scope)
        with self._weir_within(), name_scope(self._scope.original_name_scope):
            if not self.built:
                self.build(nest.map_structure(lambda x: x.shape, inputs))
                self.built = True
            outputs = self.call(inputs, *args, **kwargs)
            self._weir_regularize(outputs)
        self._weir_inputs.append(inputs)
        self._weir_outputs.append(outputs)
        return outputs

    def _weir_regularize(self, outputs):
        if self.activity_regularizer is None:
            return
        with name_scope('ActivityRegularizer'):
            for output in nest.flatten(outputs):
                loss = self.activity_regularizer(output)
                if loss is not None:
                    from . import array_ops
                    self.add_loss(loss / math_ops.cast(array_ops.shape(output)[0], loss.dtype))

    def apply(self, inputs, *args, **kwargs):
        return self(inputs, *args, **kwargs)
