"""Timeline: the statistics of a step as Chrome's trace viewer reads them."""
import json


class Timeline:
    """generate_chrome_trace_format gives JSON: a process for each device, a row for each thread, a bar for each node."""

    def __init__(self, step_stats, graph=None):
        self._step_stats = step_stats

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False):
        events, ended, waits = [], {}, []
        for process, device in enumerate(self._step_stats.dev_stats, 1):
            events.append({'ph': 'M', 'name': 'process_name', 'pid': process, 'args': {'name': device.device + ' Compute'}})
            for node in device.node_stats:
                self._add_node(events, ended, waits, process, node)
        if show_dataflow:
            self._add_flows(events, ended, waits)
        return json.dumps({'traceEvents': events}, indent=4, separators=(',', ': '))

    @staticmethod
    def _add_node(events, ended, waits, process, node):
        start = node.all_start_micros
        length = max(1, node.all_end_rel_micros)
        kind, inputs = node.node_name, []
        label = node.timeline_label  # "name = Type(input, input)"
        if ' = ' in label and label.endswith(')'):
            kind, _, given = label.partition(' = ')[2][:-1].partition('(')
            inputs = [item.strip().lstrip('^').partition(':')[0] for item in given.split(',') if item.strip()]
        arguments = {'name': node.node_name, 'op': kind}
        arguments.update(('input%d' % i, name) for i, name in enumerate(inputs))
        events.append({'ph': 'X', 'cat': 'Op', 'name': kind, 'pid': process, 'tid': node.thread_id, 'ts': start, 'dur': length,
                       'args': arguments})
        ended[node.node_name] = process, node.thread_id, start + length
        waits.extend((name, process, node.thread_id, start) for name in inputs)

    @staticmethod
    def _add_flows(events, ended, waits):
        for number, (name, process, thread, start) in enumerate(waits):
            if name not in ended:
                continue
            from_process, from_thread, end = ended[name]
            for phase, pid, tid, at in (('s', from_process, from_thread, end), ('t', process, thread, max(start, end))):
                events.append({'ph': phase, 'cat': 'DataFlow', 'name': name, 'id': number, 'pid': pid, 'tid': tid, 'ts': at})
