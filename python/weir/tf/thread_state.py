"""Graphs whose scopes each thread has for itself, as Graph.switch_to_thread_local asks for."""
import threading

FIELDS = ('_name_stack', '_devices', '_controllers', '_control_flow_context', '_colocation', '_attr_scope', '_gradient_overrides',
          '_op_labels', '_container')


class _Field:
    """An attribute that every thread has for itself; a thread that has none begins with the graph's."""

    def __init__(self, name):
        self.name = name

    def __get__(self, graph, owner):
        if graph is None:
            return self
        try:
            return getattr(graph.__dict__['_local'], self.name)
        except AttributeError:
            return graph.__dict__['_first'][self.name]

    def __set__(self, graph, value):
        setattr(graph.__dict__['_local'], self.name, value)


_classes = {}


def switch(graph):
    """From now on threads do not see each other's scopes."""
    if '_local' in graph.__dict__:
        return
    kind = type(graph)
    if kind not in _classes:
        _classes[kind] = type(kind.__name__, (kind,), {name: _Field(name) for name in FIELDS})
    state = {name: graph.__dict__.pop(name) for name in FIELDS}
    begin = dict(state, _controllers=(), _control_flow_context=None, _colocation=())
    graph.__dict__['_first'] = begin
    graph.__dict__['_local'] = threading.local()
    for name, value in state.items():
        setattr(graph.__dict__['_local'], name, value)
    graph.__class__ = _classes[kind]
