"""tf.profiler: parameters and float operations of a graph, and times of a step, by name scope or by type of op."""
import re
import sys

from .graph import get_default_graph

_ROOT = '_TFProfRoot'
_TRAINABLE = '_trainable_variables'
_DEFAULTS = {'max_depth': 100, 'min_bytes': 0, 'min_micros': 0, 'min_params': 0, 'min_float_ops': 0, 'min_occurrence': 0,
             'order_by': 'name', 'account_type_regexes': ['.*'], 'start_name_regexes': ['.*'], 'trim_name_regexes': [],
             'show_name_regexes': ['.*'], 'hide_name_regexes': [], 'account_displayed_op_only': False, 'select': ['micros'],
             'step': -1, 'output': 'stdout'}


class ProfileOptionBuilder:
    """Makes the dictionary of options that profile takes."""

    def __init__(self, options=None):
        given = dict(_DEFAULTS) if options is None else options
        self._options = {key: list(value) if isinstance(value, list) else value for key, value in given.items()}

    @staticmethod
    def trainable_variables_parameter():
        return dict(_DEFAULTS, max_depth=10000, account_type_regexes=[_TRAINABLE], account_displayed_op_only=True,
                    select=['params'])

    @staticmethod
    def float_operation():
        return dict(_DEFAULTS, max_depth=10000, min_float_ops=1, order_by='float_ops', account_displayed_op_only=True,
                    select=['float_ops'])

    @staticmethod
    def time_and_memory(min_micros=1, min_bytes=1, min_accelerator_micros=0, min_cpu_micros=0, min_peak_bytes=0,
                        min_residual_bytes=0, min_output_bytes=0):
        return dict(_DEFAULTS, max_depth=10000, min_bytes=min_bytes, min_micros=min_micros, order_by='micros',
                    min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros, min_peak_bytes=min_peak_bytes,
                    min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes, select=['micros', 'bytes'],
                    account_displayed_op_only=True)

    def build(self):
        return dict(self._options)

    def _with(self, **options):
        self._options.update(options)
        return self

    def with_max_depth(self, max_depth):
        return self._with(max_depth=max_depth)

    def with_min_memory(self, min_bytes=0, min_peak_bytes=0, min_residual_bytes=0, min_output_bytes=0):
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                          min_output_bytes=min_output_bytes)

    def with_min_execution_time(self, min_micros=0, min_accelerator_micros=0, min_cpu_micros=0):
        return self._with(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros)

    def with_min_parameters(self, min_params):
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence):
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops):
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes):
        return self._with(account_type_regexes=list(account_type_regexes))

    def with_node_names(self, start_name_regexes=None, show_name_regexes=None, hide_name_regexes=None, trim_name_regexes=None):
        given = {'start_name_regexes': start_name_regexes, 'show_name_regexes': show_name_regexes,
                 'hide_name_regexes': hide_name_regexes, 'trim_name_regexes': trim_name_regexes}
        return self._with(**{key: list(value) for key, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true):
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self):
        return self._with(output='none')

    def with_stdout_output(self):
        return self._with(output='stdout')

    def with_file_output(self, outfile):
        return self._with(output='file:outfile=%s' % outfile)

    def with_timeline_output(self, timeline_file):
        return self._with(output='timeline:outfile=%s' % timeline_file)

    def with_pprof_output(self, pprof_file):
        return self._with(output='pprof:outfile=%s' % pprof_file)

    def order_by(self, attribute):
        return self._with(order_by=attribute)

    def select(self, attributes):
        return self._with(select=list(attributes))

    def with_step(self, step):
        return self._with(step=step)


# ---- float operations ----

def _count(shape):
    """The number of elements; None: it is not known."""
    shape.assert_is_fully_defined()
    return shape.num_elements()


def _each(per_element, inputs=False):
    return lambda op: per_element * _count((op.inputs[0] if inputs else op.outputs[0]).shape)


def _matmul(op):
    _count(op.inputs[0].shape)
    inner = op.inputs[0].shape[0 if op.get_attr('transpose_a') else 1].value
    return 2 * _count(op.outputs[0].shape) * inner


def _convolution(filter_of, result_of):
    """Two for each element of the filter's window and channels in, at each place of the result."""
    def count(op):
        window = filter_of(op)
        _count(window)
        return 2 * _count(result_of(op)) * window[:-1].num_elements()
    return count


def _depthwise(op):
    _count(op.inputs[1].shape)
    return 2 * _count(op.outputs[0].shape) * op.inputs[1].shape[:2].num_elements()


def _dilation(op):
    return 2 * _count(op.outputs[0].shape) * _count(op.inputs[1].shape[:2])


def _window(op):
    size = 1
    for side in op.get_attr('ksize'):
        size *= side
    return size


def _pool(op):
    return _count(op.outputs[0].shape) * _window(op)


def _average_pool_gradient(op):
    return 2 * _count(op.inputs[1].shape) * _window(op)


def _max_pool_gradient(op):
    return _window(op) * _count(op.inputs[1].shape) + _count(op.inputs[1].shape)


def _reduction(finish=0):
    """One for each element beyond the first of a result, and `finish` for each result."""
    def count(op):
        given, made = _count(op.inputs[0].shape), _count(op.outputs[0].shape)
        return given - made + finish * made
    return count


_FLOPS = {
    'MatMul': _matmul,
    'Conv2D': _convolution(lambda op: op.inputs[1].shape, lambda op: op.outputs[0].shape),
    'Conv3D': _convolution(lambda op: op.inputs[1].shape, lambda op: op.outputs[0].shape),
    'Conv2DBackpropInput': _convolution(lambda op: op.inputs[1].shape, lambda op: op.inputs[2].shape),
    'Conv2DBackpropFilter': _convolution(lambda op: op.outputs[0].shape, lambda op: op.inputs[2].shape),
    'DepthwiseConv2dNative': _depthwise, 'Dilation2D': _dilation,
    'MaxPool': _pool, 'AvgPool': _pool, 'MaxPoolGrad': _max_pool_gradient, 'AvgPoolGrad': _average_pool_gradient,
    'BiasAdd': _each(1, inputs=True), 'BiasAddGrad': _reduction(), 'Softmax': _each(5, inputs=True),
    'Mean': _reduction(1), 'Sum': _reduction(), 'ArgMax': _reduction(), 'ArgMin': _reduction(),
    'L2Loss': lambda op: 3 * _count(op.inputs[0].shape) - 1,
    'AddN': lambda op: _count(op.outputs[0].shape) * (len(op.inputs) - 1),
    'Rsqrt': _each(2), 'RsqrtGrad': _each(4), 'SquaredDifference': _each(2),
}
_FLOPS.update({name: _each(1) for name in (
    'Add Sub Mul RealDiv Maximum Minimum Pow Square Log Neg Reciprocal Equal NotEqual Greater GreaterEqual Less LessEqual '
    'AssignAdd AssignSub').split()})


def _float_ops(op):
    """The float operations of an op, as TensorFlow counts them; 0 where a shape is not known."""
    count = _FLOPS.get(op.type)
    try:
        return count(op) if count else 0
    except ValueError:
        return 0


# ---- what is shown ----

class GraphNodeProto:
    """A node of the tree: its own figures, and the sums with its children's."""
    _figures = ('parameters', 'float_ops', 'exec_micros', 'requested_bytes')

    def __init__(self, name):
        self.name, self.children, self.shapes = name, [], ''
        self.total_definition_count = 0
        for figure in self._figures:
            setattr(self, figure, 0)
            setattr(self, 'total_' + figure, 0)

    def add_up(self):
        self.total_definition_count = 1
        for figure in self._figures:
            setattr(self, 'total_' + figure, getattr(self, figure))
        for child in self.children:
            child.add_up()
            self.total_definition_count += child.total_definition_count
            for figure in self._figures:
                total = 'total_' + figure
                setattr(self, total, getattr(self, total) + getattr(child, total))

    def __repr__(self):
        lines = ['name: "%s"' % self.name]
        for figure in self._figures:
            lines += ['%s: %d' % (key, getattr(self, key)) for key in (figure, 'total_' + figure) if getattr(self, key)]
        for child in self.children:
            lines += ['children {'] + ['  ' + line for line in repr(child).splitlines()] + ['}']
        return '\n'.join(lines + ['total_definition_count: %d' % self.total_definition_count]) + '\n'


class MultiGraphNodeProto(GraphNodeProto):
    """A node that stands for all ops of a type."""


_ORDER = {'float_ops': 'float_ops', 'params': 'parameters', 'micros': 'exec_micros', 'bytes': 'requested_bytes'}
_SHOWN = {'params': ('parameters', 'params'), 'float_ops': ('float_ops', 'flops'), 'micros': ('exec_micros', 'us'),
          'bytes': ('requested_bytes', 'B'), 'accelerator_micros': ('exec_micros', 'us'), 'cpu_micros': ('exec_micros', 'us')}
_LEAST = {'min_params': 'parameters', 'min_float_ops': 'float_ops', 'min_micros': 'exec_micros', 'min_bytes': 'requested_bytes'}


def _any(patterns, name):
    return any(re.match(pattern + r'\Z', name) for pattern in patterns)


def _steps(run_meta):
    """{name of an op: (microseconds, bytes)} of what a step's metadata says."""
    found = {}
    for device in run_meta.step_stats.dev_stats if run_meta is not None else ():
        for node in device.node_stats:
            name = node.node_name.partition(':')[0]
            micros, size = found.get(name, (0, 0))
            size += sum(memory.total_bytes for memory in node.memory)
            found[name] = micros + node.all_end_rel_micros, size
    return found


def _nodes(graph, run_meta, options):
    """The node of each op that is counted."""
    steps, trainable = _steps(run_meta), {v.op.name: v for v in graph.get_collection('trainable_variables')}
    for op in graph.get_operations():
        kinds = [op.type, op.device] + ([_TRAINABLE] if op.name in trainable else [])
        if not any(_any(options['account_type_regexes'], kind) for kind in kinds):
            continue
        node = GraphNodeProto(op.name)
        if 'params' in options['select'] and op.type in ('Variable', 'VariableV2', 'VarHandleOp'):
            shape = trainable[op.name].shape if op.name in trainable else op.outputs[0].shape
            if op.type != 'VarHandleOp' or op.name in trainable:
                node.parameters, node.shapes = shape.num_elements() or 0, 'x'.join(str(dim) for dim in shape)
        node.float_ops = _float_ops(op) if 'float_ops' in options['select'] else 0
        node.exec_micros, node.requested_bytes = steps.get(op.name, (0, 0))
        yield op, node


def _is_shown(node, options):
    return all(getattr(node, figure) >= options.get(least, 0) for least, figure in _LEAST.items()) and \
        _any(options['show_name_regexes'], node.name) and not _any(options['hide_name_regexes'], node.name)


def _sort(node, options):
    figure = _ORDER.get(options['order_by'])
    node.children.sort(key=(lambda child: (-getattr(child, 'total_' + figure), child.name)) if figure else (lambda child: child.name))
    for child in node.children:
        _sort(child, options)


def _prune(node, options):
    """Leaves what is shown; the children of what is not stand in its place."""
    kept = []
    for child in node.children:
        if not _any(options['trim_name_regexes'], child.name):
            _prune(child, options)
            kept += [child] if _is_shown(child, options) else child.children
    node.children = kept


def _by_scope(graph, run_meta, options):
    root = GraphNodeProto(_ROOT)
    at = {'': root}

    def place(name):
        if name not in at:
            at[name] = GraphNodeProto(name)
            place(name.rpartition('/')[0]).children.append(at[name])
        return at[name]
    for op, node in _nodes(graph, run_meta, options):
        mine = place(op.name)
        mine.shapes = node.shapes
        for figure in GraphNodeProto._figures:
            setattr(mine, figure, getattr(node, figure))
    return root


def _by_type(graph, run_meta, options):
    root, at = MultiGraphNodeProto(_ROOT), {}
    for op, node in _nodes(graph, run_meta, options):
        if op.type not in at:
            at[op.type] = MultiGraphNodeProto(op.type)
            root.children.append(at[op.type])
        for figure in GraphNodeProto._figures:
            setattr(at[op.type], figure, getattr(at[op.type], figure) + getattr(node, figure))
    return root


def _chain(root):
    """Each type of op holds those that come after it, whose figures are part of its totals."""
    at = root
    for child in list(root.children):
        at.children = [child]
        at = child
    root.add_up()


def _number(value):
    for limit, unit in ((1e9, 'b'), (1e6, 'm'), (1e3, 'k')):
        if value >= limit:
            return '%.2f%s' % (value / limit, unit)
    return str(value)


def _lines(node, options, depth=0):
    parts = [node.shapes] if node.shapes and 'params' in options['select'] else []
    for attribute in options['select']:
        figure, unit = _SHOWN.get(attribute, (None, None))
        if figure:
            own = '--' if node.name == _ROOT else _number(getattr(node, figure))
            parts.append('%s/%s %s' % (own, _number(getattr(node, 'total_' + figure)), unit))
    yield '%s%s (%s)' % ('  ' * depth, node.name, ', '.join(parts))
    if depth < options['max_depth']:
        for child in node.children:
            yield from _lines(child, options, depth + 1)


def _write(root, options):
    kind, _, where = options['output'].partition(':')
    if kind == 'none':
        return
    text = 'Profile:\nnode name | %s\n%s\n' % (', '.join(options['select']), '\n'.join(_lines(root, options)))
    if kind == 'file':
        with open(where.partition('=')[2], 'w') as out:
            out.write(text)
    elif kind == 'stdout':
        sys.stdout.write('\n' + text + '\n')
    else:
        raise ValueError('The profiler writes to stdout or to a file, not as %s' % kind)


_COMMANDS = {'scope': _by_scope, 'graph': _by_scope, 'op': _by_type}


def profile(graph=None, run_meta=None, op_log=None, cmd='scope', options=0):
    """Prints figures of the graph's nodes, and gives them as a tree: parameters, float operations, times of a step."""
    given = dict(_DEFAULTS, **(options or {}))
    if cmd not in _COMMANDS:
        raise NotImplementedError('weir profiles by scope, graph and op, not by %s' % cmd)
    root = _COMMANDS[cmd](graph or get_default_graph(), run_meta, given)
    if given['account_displayed_op_only']:
        _prune(root, given)
        root.add_up()
    else:
        root.add_up()
        _prune(root, given)
    _sort(root, given)
    if cmd == 'op':
        _chain(root)
    _write(root, given)
    return root


class Profiler:
    """Figures of several steps of one graph."""

    def __init__(self, graph=None, op_log=None):
        self._graph, self._steps = graph or get_default_graph(), {}

    def add_step(self, step, run_meta):
        self._steps[step] = run_meta

    def _profile(self, cmd, options):
        step = options.get('step', -1)
        meta = self._steps.get(step, self._steps[max(self._steps)] if self._steps else None)
        return profile(self._graph, meta, cmd=cmd, options=options)

    def profile_name_scope(self, options):
        return self._profile('scope', options)

    def profile_graph(self, options):
        return self._profile('graph', options)

    def profile_operations(self, options):
        return self._profile('op', options)


TRAINABLE_VARS_PARAMS_STAT_OPTIONS = ProfileOptionBuilder.trainable_variables_parameter()
FLOAT_OPS_OPTIONS = ProfileOptionBuilder.float_operation()
PRINT_ALL_TIMING_MEMORY = ProfileOptionBuilder.time_and_memory()


def print_model_analysis(graph, run_meta=None, op_log=None, tfprof_cmd='scope', tfprof_options=None):
    return profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options or TRAINABLE_VARS_PARAMS_STAT_OPTIONS)
