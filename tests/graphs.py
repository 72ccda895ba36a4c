"""Builds GraphDefs from plain values by TensorFlow's own op definitions."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import (attr_value_pb2, graph_pb2, kernel_def_pb2, op_def_pb2,
                                       tensor_pb2, types_pb2)
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.framework import kernels as tf_kernels
from tensorflow.python.framework import op_def_registry

from dtypes import Value, number

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
tf.compat.v1.disable_v2_behavior()
tf.compat.v1.disable_control_flow_v2()

PRODUCER = tf.version.GRAPH_DEF_VERSION


def library_path():
    """The library of the TensorFlow package, which has the TF_* functions."""
    return os.path.join(os.path.dirname(tf.__file__), "libtensorflow_cc.so.2")


def plain_config():
    """A ConfigProto under which TensorFlow runs the graph as written."""
    config = config_pb2.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    config.intra_op_parallelism_threads = 2
    config.inter_op_parallelism_threads = 2
    return config.SerializeToString()


def parse_op_list(data):
    return op_def_pb2.OpList.FromString(data).op


def op_def(name):
    definition = op_def_registry.get(name)
    if definition is None:
        raise KeyError("TensorFlow has no op %r" % name)
    return definition


_kernel_cache = {}


def cpu_kernels(op):
    """[{attr: set of dtype numbers}] of every CPU kernel that TensorFlow registers for |op|."""
    if op not in _kernel_cache:
        _kernel_cache[op] = _rows(tf_kernels.get_registered_kernels_for_op(op))
    return _kernel_cache[op]


def kernel_rows(data):
    """The same from a serialised KernelList."""
    return _rows(kernel_def_pb2.KernelList.FromString(data))


def _rows(kernel_list):
    return [{c.name: set(c.allowed_values.list.type) for c in k.constraint
             if c.allowed_values.list.type}
            for k in kernel_list.kernel if k.device_type in ("CPU", "DEFAULT")]


def tensor_proto(value):
    value = Value(value)
    proto = tensor_pb2.TensorProto(dtype=value.dtype)
    for d in value.shape:
        proto.tensor_shape.dim.add(size=d)
    if value.dtype == types_pb2.DT_STRING:
        proto.string_val.extend(value.array.ravel().tolist())
    else:
        proto.tensor_content = np.ascontiguousarray(value.array).tobytes()
    return proto


def _shape_proto(shape, proto):
    if shape is None:
        proto.unknown_rank = True
    else:
        proto.SetInParent()
        for d in shape:
            proto.dim.add(size=-1 if d is None else d)


def _set_scalar(kind, value, out):
    if isinstance(value, attr_value_pb2.AttrValue):
        out.CopyFrom(value)
    elif kind == "type":
        out.type = number(value)
    elif kind == "shape":
        _shape_proto(value, out.shape)
    elif kind == "string":
        out.s = value.encode() if isinstance(value, str) else value
    elif kind == "int":
        out.i = int(value)
    elif kind == "float":
        out.f = float(value)
    elif kind == "bool":
        out.b = bool(value)
    elif kind == "tensor":
        out.tensor.CopyFrom(tensor_proto(value))
    elif kind == "func":
        out.func.name = value
    else:
        raise ValueError("attr type %s" % kind)


def set_attr(kind, value, out):
    """Fills an AttrValue of |kind| ("int", "list(type)", ...) from a plain value."""
    if not kind.startswith("list(") or isinstance(value, attr_value_pb2.AttrValue):
        _set_scalar(kind, value, out)
        return
    out.list.SetInParent()
    into = {"type": out.list.type, "string": out.list.s, "int": out.list.i, "float": out.list.f,
            "bool": out.list.b}
    for v in value:
        item = attr_value_pb2.AttrValue()
        _set_scalar(kind[5:-1], v, item)
        which = item.WhichOneof("value")
        if kind[5:-1] in into:
            into[kind[5:-1]].append(getattr(item, which))
        else:
            getattr(out.list, which).add().CopyFrom(getattr(item, which))


class Node:
    """A node of a graph under construction; node[i] is the name of an output."""

    def __init__(self, name, dtypes, names):
        self.name, self.dtypes, self.names = name, dtypes, names

    def __getitem__(self, index):
        return Out("%s:%d" % (self.name, index), self.dtypes[index])

    def __iter__(self):
        return (self[i] for i in range(len(self.dtypes)))


class Out(str):
    """A tensor's name, "node:0", that knows its dtype."""

    def __new__(cls, name, dtype):
        self = super().__new__(cls, name)
        self.dtype = dtype % 100
        return self


class GraphBuilder:
    """A GraphDef and steps to run over it. Node names are given or counted."""

    def __init__(self):
        self.proto = graph_pb2.GraphDef()
        self.proto.versions.producer = PRODUCER
        self.runs, self.nodes, self.count = [], {}, 0

    def name(self, op):
        self.count += 1
        return "%s_%d" % (op.lower(), self.count)

    def op(self, op, *inputs, _name=None, _device="", _control=(), **attrs):
        """Adds a node. An input is an Out, a Node (its output 0), a plain value, or a list of them
        where the op takes a list."""
        definition = op_def(op)
        inputs = [self._resolve(i, a, attrs) for i, a in zip(inputs, definition.input_arg)]
        if len(inputs) != len(definition.input_arg):
            raise ValueError("%s takes %d inputs" % (op, len(definition.input_arg)))
        attrs = infer_attrs(definition, [_dtypes(i) for i in inputs], attrs)
        node = self.proto.node.add(name=_name or self.name(op), op=op, device=_device)
        for i in inputs:
            node.input.extend(i if isinstance(i, list) else [i])
        node.input.extend("^" + getattr(c, "name", c) for c in _control)
        kinds = {a.name: a.type for a in definition.attr}
        for key, value in attrs.items():
            set_attr(kinds.get(key, "string"), value, node.attr[key])
        dtypes = output_dtypes(definition, attrs)
        made = Node(node.name, dtypes, [a.name for a in definition.output_arg])
        self.nodes[made.name] = made
        return made

    def _resolve(self, thing, arg, attrs):
        if arg.number_attr or arg.type_list_attr:
            return [self._one(t, 0) for t in thing]
        fixed = arg.type
        if not fixed and arg.type_attr in attrs:
            fixed = number(attrs[arg.type_attr])
        return self._one(thing, fixed)

    def _one(self, thing, dtype):
        if isinstance(thing, Out):
            return thing
        if isinstance(thing, Node):
            return thing[0]
        return self.const(thing, dtype or None)[0]

    def const(self, value, dtype=None, _name=None):
        value = Value(value, dtype)
        return self.op("Const", _name=_name, dtype=value.dtype, value=value)

    def placeholder(self, dtype, shape=None, _name=None):
        return self.op("Placeholder", _name=_name, dtype=dtype, shape=shape)

    def run(self, fetches=(), feeds=None, targets=(), says=None, expect=()):
        """Adds a step; its results are compared. |says|: a part of the message it fails with.
        |expect|: its results, in a script that TensorFlow does not run."""
        one = lambda t: t if isinstance(t, str) else t[0]
        self.runs.append({
            "fetches": [str(one(f)) for f in fetches],
            "feeds": {str(one(k)): Value(v, getattr(one(k), "dtype", None))
                      for k, v in (feeds or {}).items()},
            "targets": [getattr(t, "name", t) for t in targets], "says": says,
            "expect": [Value(v) for v in expect]})

    def graph_def(self):
        return self.proto.SerializeToString()


def _dtypes(resolved):
    return [o.dtype for o in resolved] if isinstance(resolved, list) else resolved.dtype


def infer_attrs(definition, dtypes, given):
    """All attrs of a node: given ones, those its inputs' dtypes fix, defaults for the rest."""
    attrs = dict(given)
    for arg, got in zip(definition.input_arg, dtypes):
        if arg.number_attr:
            attrs.setdefault(arg.number_attr, len(got))
            if arg.type_attr and got:
                attrs.setdefault(arg.type_attr, got[0])
        elif arg.type_list_attr:
            attrs.setdefault(arg.type_list_attr, got)
        elif arg.type_attr:
            attrs.setdefault(arg.type_attr, got)
    for a in definition.attr:
        if a.name not in attrs:
            if not a.HasField("default_value"):
                raise ValueError("%s needs attr %s" % (definition.name, a.name))
            attrs[a.name] = a.default_value
    return attrs


def output_dtypes(definition, attrs):
    def get(name):
        v = attrs[name]
        return v.type if isinstance(v, attr_value_pb2.AttrValue) else number(v)
    out = []
    for arg in definition.output_arg:
        if arg.type_list_attr:
            v = attrs[arg.type_list_attr]
            out += list(v.list.type) if isinstance(v, attr_value_pb2.AttrValue) else [
                number(t) for t in v]
            continue
        n = attrs[arg.number_attr] if arg.number_attr else 1
        n = n.i if isinstance(n, attr_value_pb2.AttrValue) else n
        out += [get(arg.type_attr) if arg.type_attr else arg.type] * int(n)
    return out
