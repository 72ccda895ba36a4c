"""Control-flow contexts: what a node gets that is made within a branch or a loop."""
from .build import apply


class ControlFlowContext:
    """A branch of a cond, or a loop. Tensors from outside are captured when a node uses them."""
    pivot = None

    def __init__(self, graph):
        self.graph, self.outer_context = graph, graph._control_flow_context
        self._captured = {}

    def __enter__(self):
        self._saved = self.graph._control_flow_context, self.graph._controllers
        self.graph._control_flow_context = self
        return self

    Enter = __enter__

    def __exit__(self, *unused):
        self.graph._control_flow_context, self.graph._controllers = self._saved

    def Exit(self):
        self.__exit__()

    def within(self, tensor):
        """True when the tensor's node stands in this context, or in one inside of it."""
        context = tensor._op._control_flow_context
        while context is not None:
            if context is self:
                return True
            context = context.outer_context
        return False

    def add_value(self, tensor):
        if self.within(tensor):
            return tensor
        found = self._captured.get(tensor)
        if found is None:
            graph = self.graph
            saved = graph._control_flow_context, graph._controllers, graph._name_stack
            graph._control_flow_context, graph._controllers = self.outer_context, ()
            try:
                found = self._bring_in(tensor)
            finally:
                graph._control_flow_context, graph._controllers, graph._name_stack = saved
            found._op._control_flow_context = self
            self._captured[tensor] = found
        return found

    AddValue = add_value

    def capture_inputs(self, op_type, inputs):
        return [[self.add_value(t) for t in item] if isinstance(item, (list, tuple)) else self.add_value(item)
                for item in inputs]

    def _anchored(self, inputs):
        return any(True for item in inputs if not isinstance(item, (list, tuple)) or item)

    def capture_controls(self, op_type, inputs, controls):
        if not self._anchored(inputs) and self.pivot is not None:
            controls = controls + [self.pivot._op]
        return controls

    def add_op(self, op):
        pass

    def GetWhileContext(self):
        context = self
        while context is not None and not isinstance(context, WhileContext):
            context = context.outer_context
        return context

    def IsWhileContext(self):
        return isinstance(self, WhileContext)

    def IsCondContext(self):
        return isinstance(self, CondContext)


class CondContext(ControlFlowContext):
    """One branch: values from outside come through Switch nodes."""

    def __init__(self, graph, pred, pivot, branch):
        super().__init__(graph)
        self.pred, self.pivot, self.branch = pred, pivot, branch
        self._captured[pred] = pred
        self.name = pivot._op.name.rpartition('/')[0]

    def within(self, tensor):
        return tensor is self.pred or tensor is self.pivot or super().within(tensor)

    def _bring_in(self, tensor):
        outer = self.outer_context
        value = outer.add_value(tensor) if outer is not None else tensor
        pred = outer.add_value(self.pred) if outer is not None else self.pred
        graph = self.graph
        graph._name_stack = ''
        op_type = 'RefSwitch' if value._dtype._is_ref_dtype else 'Switch'
        name = '%s/%s/Switch/' % (self.name, tensor._op.name.rpartition('/')[2])
        name = graph.unique_name(name[:-1])
        with graph.colocate_with(value._op, ignore_existing=True):
            return apply(op_type, name + '/', (value, pred), {}, graph).outputs[self.branch]


class WhileContext(ControlFlowContext):
    """The frame of a loop: values from outside come through constant Enter nodes."""

    def __init__(self, graph, frame, parallel_iterations, back_prop=True, swap_memory=False):
        super().__init__(graph)
        self.frame, self.parallel_iterations = frame, parallel_iterations
        self.name, self.back_prop, self.swap_memory = frame, back_prop, swap_memory

    def _bring_in(self, tensor):
        outer = self.outer_context
        value = outer.add_value(tensor) if outer is not None else tensor
        self.graph._name_stack = ''
        name = self.graph.unique_name('%s/%s/Enter' % (self.frame.rstrip('/'), tensor._op.name.rpartition('/')[2]))
        return self.enter(value, True, name + '/')

    def enter(self, value, constant, name=None):
        op_type = 'RefEnter' if value._dtype._is_ref_dtype else 'Enter'
        made = apply(op_type, name, (value,), {'frame_name': self.frame, 'is_constant': constant,
                                               'parallel_iterations': self.parallel_iterations}, self.graph).outputs[0]
        if made._shape is None and value._shape is not None:
            made.set_shape(value.get_shape())
        made._op._control_flow_context = self
        return made

    def capture_controls(self, op_type, inputs, controls):
        controls = [op for op in controls if op._outputs and self.within(op._outputs[0]) or
                    not op._outputs and self._op_within(op)]
        if op_type in ('Merge', 'Switch', 'Exit', 'NextIteration', 'LoopCond', 'Enter'):
            return controls
        return super().capture_controls(op_type, inputs, controls)

    def _op_within(self, op):
        context = op._control_flow_context
        while context is not None and context is not self:
            context = context.outer_context
        return context is self


# ---- nodes that the library made ----

def bring_in(context, made):
    """Places nodes of a gradient within a loop: each in the innermost context that its inputs stand in."""
    chain = _chain_of(context)
    later = {op: i for i, op in enumerate(made)}
    for i, op in enumerate(made):
        before = [t for t in op.inputs if later.get(t._op, -1) < i]
        depths = [_depth(chain, producer) for producer in [t._op for t in before] + list(op.control_inputs)]
        if op.type == 'StackV2':
            op._add_control_input(context.pivot._op)
            depths.append(0)
        if op.type == 'Enter':
            depths.append(_depth_of_frame(chain, op.get_attr('frame_name').decode()))
        depth = min(depths, default=len(chain) - 1)
        op._control_flow_context = home = chain[depth]
        if home is None:
            continue
        for index, tensor in enumerate(list(op.inputs)):
            if later.get(tensor._op, -1) < i and _depth(chain, tensor._op) > depth:
                op._update_input(index, home.add_value(tensor))


def _chain_of(context):
    """The context, the one around it, and so on; the last is None."""
    chain = [context]
    while chain[-1] is not None:
        chain.append(chain[-1].outer_context)
    return chain


def _depth(chain, op):
    """Where in the chain the op stands: in it, or in a context inside of it."""
    context = op._control_flow_context
    while context not in chain:
        context = context.outer_context
    return chain.index(context)


def _depth_of_frame(chain, frame):
    """Where a loop of that name stands: within the innermost loop whose name it begins with."""
    for depth, context in enumerate(chain[:-1]):
        around = context.GetWhileContext()
        if around is not None and frame.startswith(around.frame):
            return depth
    return len(chain) - 1
