"""Optimizer, the base of all: gradients, slots, and one node that applies them."""
from .. import _ops, array_ops, dtypes, math_ops, nest
from ..control_flow_ops import group
from ..convert import convert_to_tensor
from ..gradients import gradients
from ..graph import get_default_graph
from ..scopes import GraphKeys, colocate_with, control_dependencies, init_scope, name_scope
from ..tensor import IndexedSlices, Operation, Tensor
from ..variables import Variable, assign_add, trainable_variables
from . import slot_creator


def _deduplicate_indexed_slices(values, indices):
    """Rows of equal index added up."""
    unique, places = _ops.unique(indices)
    return math_ops.unsorted_segment_sum(values, places, array_ops.shape(unique)[0]), unique


class Optimizer:
    """Subclasses say how one variable is changed: _apply_dense, _apply_sparse and their resource forms."""
    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError('Must specify the optimizer name')
        self._use_locking, self._name = use_locking, name
        self._slots, self._non_slot_dict = {}, {}

    def get_name(self):
        return self._name

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=1, aggregation_method=None,
                 colocate_gradients_with_ops=False, name=None, grad_loss=None):
        pairs = self.compute_gradients(loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss)
        if not any(grad is not None for grad, _ in pairs):
            raise ValueError('No gradients provided for any variable, check your graph for ops that do not support gradients, '
                             'between variables %s and loss %s.' % ([str(var) for _, var in pairs], loss))
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(self, loss, var_list=None, gate_gradients=1, aggregation_method=None,
                          colocate_gradients_with_ops=False, grad_loss=None):
        if callable(loss) and not isinstance(loss, Tensor):
            loss = loss()
        if gate_gradients not in (0, 1, 2):
            raise ValueError('gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  '
                             'Not %s' % gate_gradients)
        self._assert_valid_dtypes([loss])
        var_list = nest.flatten(var_list) if var_list is not None else \
            trainable_variables() + get_default_graph().get_collection('_trainable_resource_variables')
        var_list = list(dict.fromkeys(var_list))
        if not var_list:
            raise ValueError('No variables to optimize.')
        for var in var_list:
            if not isinstance(var, (Variable, Tensor)):
                raise TypeError('Argument is not a variable: %s' % (var,))
        found = gradients(loss, var_list, grad_ys=grad_loss, gate_gradients=gate_gradients == 1,
                          aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gate_gradients == self.GATE_GRAPH:
            from ..control_flow_ops import tuple as gate
            found = gate(found)
        pairs = list(zip(found, var_list))
        self._assert_valid_dtypes([var for grad, var in pairs if grad is not None and var.dtype.base_dtype != dtypes.resource])
        return pairs

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError('No variables provided.')
        pairs = [(self._converted(grad), var) for grad, var in pairs]
        var_list = [var for grad, var in pairs if grad is not None]
        if not var_list:
            raise ValueError('No gradients provided for any variable: %s.' % ([str(var) for _, var in pairs],))
        with init_scope():
            self._create_slots(var_list)
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = []
            for grad, var in pairs:
                if grad is None:
                    continue
                with name_scope('update_' + var.op.name), colocate_with(var):
                    updates.append(self._update(grad, var))
            train_op = self._stepped(updates, global_step, scope)
            trains = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
            op = train_op.op if not isinstance(train_op, Operation) else train_op
            if op not in trains:
                trains.append(op)
            return op

    @staticmethod
    def _converted(grad):
        if grad is None or isinstance(grad, IndexedSlices):
            return grad
        try:
            return convert_to_tensor(grad)
        except (TypeError, ValueError):
            raise TypeError('Gradient must be convertible to a Tensor or IndexedSlices, or None: %s' % (grad,))

    def _stepped(self, updates, global_step, scope):
        if global_step is None:
            return self._finish(updates, scope)
        with control_dependencies([self._finish(updates, 'update')]), colocate_with(global_step):
            if hasattr(global_step, 'handle'):
                return _ops.assign_add_variable_op(global_step.handle, convert_to_tensor(1, global_step.dtype.base_dtype), name=scope)
            return assign_add(global_step, 1, name=scope)

    def _update(self, grad, var):
        resource = hasattr(var, 'handle')
        if isinstance(grad, IndexedSlices):
            if resource:
                return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
            op = self._apply_sparse_duplicate_indices(grad, var)
        elif resource:
            op = self._resource_apply_dense(grad, var)
        else:
            op = self._apply_dense(grad, var)
        if var.constraint is not None if isinstance(var, Variable) else False:
            with control_dependencies([op]):
                return var.assign(var.constraint(var))
        return op

    # ---- slots ----

    def _slot_dict(self, slot_name):
        return self._slots.setdefault(slot_name, {})

    @staticmethod
    def _var_key(var):
        return var.graph, var.op.name

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        slots = self._slot_dict(slot_name)
        key = self._var_key(var)
        if key not in slots:
            slots[key] = slot_creator.create_slot(var, val, op_name)
        return slots[key]

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name, op_name):
        slots = self._slot_dict(slot_name)
        key = self._var_key(var)
        if key not in slots:
            slots[key] = slot_creator.create_slot_with_initializer(var, initializer, shape, dtype, op_name)
        return slots[key]

    def _zeros_slot(self, var, slot_name, op_name):
        slots = self._slot_dict(slot_name)
        key = self._var_key(var)
        if key not in slots:
            slots[key] = slot_creator.create_zeros_slot(var, op_name)
        return slots[key]

    def get_slot(self, var, name):
        return self._slots.get(name, {}).get(self._var_key(var))

    def get_slot_names(self):
        return sorted(self._slots)

    def variables(self):
        graph = get_default_graph()
        found = [var for (name, owner), var in self._non_slot_dict.items() if owner is graph]
        for slots in self._slots.values():
            found += [slot for (owner, _), slot in slots.items() if owner is graph]
        return sorted(found, key=lambda var: var.name)

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        key = name, colocate_with.graph
        if key not in self._non_slot_dict:
            from ..scopes import colocate_with as beside
            with beside(colocate_with):
                self._non_slot_dict[key] = Variable(initial_value, name=name, trainable=False,
                                                    use_resource=hasattr(colocate_with, 'handle'))
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name, graph=None):
        return self._non_slot_dict.get((name, graph))

    def _call_if_callable(self, param):
        return param() if callable(param) and not isinstance(param, Tensor) else param

    def _valid_dtypes(self):
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors):
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in self._valid_dtypes():
                raise ValueError('Invalid type %r for %s, expected: %s.' %
                                 (dtype, tensor.name, [valid for valid in self._valid_dtypes()]))

    # ---- what subclasses say ----

    def _create_slots(self, var_list):
        pass

    def _prepare(self):
        pass

    def _apply_dense(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_dense(self, grad, handle):
        raise NotImplementedError()

    def _apply_sparse(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad, handle, indices):
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad, var):
        values, indices = _deduplicate_indexed_slices(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        values, unique = _deduplicate_indexed_slices(grad, indices)
        return self._resource_apply_sparse(values, handle, unique)

    def _finish(self, update_ops, name_scope):
        return group(*update_ops, name=name_scope)
