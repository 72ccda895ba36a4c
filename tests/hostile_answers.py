"""Answers that differ from what is expected, from seeds: of a worker, of the leader of collective ops, of a server of clients.

Each class has answer(method, request, call) for hostile_peer.Peer. load() first: it makes the classes of the messages.
"""
import random
import threading
import time

import grpc
import numpy as np
from google.protobuf import message_factory
from tensorflow.core.framework import graph_pb2, tensor_pb2, types_pb2

import messages_test
import mutate_messages
import pb

F, I, S = pb.T("f32"), pb.T("i32"), pb.T("str")
TASKS = {job: "/job:%s/replica:0/task:0" % job for job in ("chief", "worker")}
CPU = {job: name + "/device:CPU:0" for job, name in TASKS.items()}
INCARNATION = 77
NUMBERS = [0, 1, -1, 2, 3, 1 << 20, (1 << 31) - 1, -(1 << 31), 1 << 31, 1 << 40, 1 << 62, (1 << 63) - 1, -(1 << 63)]
ABORTS = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED, grpc.StatusCode.INTERNAL, grpc.StatusCode.CANCELLED,
          grpc.StatusCode.DATA_LOSS, grpc.StatusCode.RESOURCE_EXHAUSTED]
PLAIN = [types_pb2.DT_FLOAT, types_pb2.DT_INT32, types_pb2.DT_INT64, types_pb2.DT_BOOL, types_pb2.DT_HALF,
         types_pb2.DT_COMPLEX128, types_pb2.DT_UINT8]
CLIENT_METHODS = ["CreateSession", "ExtendSession", "PartialRunSetup", "RunStep", "CloseSession", "ListDevices", "MakeCallable",
                  "RunCallable", "ReleaseCallable", "Reset"]
WORKER_METHODS = ["RecvTensor", "RegisterGraph", "RunGraph", "GetStatus", "CreateWorkerSession", "DeleteWorkerSession",
                  "CleanupGraph", "CleanupAll", "DeregisterGraph", "Logging", "CompleteGroup", "CompleteInstance",
                  "GetStepSequence", "RecvBuf", "MarkRecvFinished", "Tracing"]
CLASSES, DONORS = {}, mutate_messages.Donors()


def load():
    pool = messages_test.load_descriptors()
    for name in [n + kind for n in CLIENT_METHODS + WORKER_METHODS for kind in ("Request", "Response")] + ["NamedTensorProto"]:
        CLASSES["tensorflow." + name] = message_factory.GetMessageClass(pool.FindMessageTypeByName("tensorflow." + name))
    DONORS.add(graph_pb2.GraphDef.FromString(worker_graph(random.Random(1))))


def message(kind, /, **fields):
    return CLASSES["tensorflow." + kind](**fields)


# ---- values ---------------------------------------------------------------------------------------------------------

def right_tensor(rng, dtype, shape):
    """A tensor as it should be, but for the number of elements if they are many and not plain."""
    count = int(np.prod(shape, dtype=np.int64))
    tensor = tensor_pb2.TensorProto(dtype=dtype)
    for d in shape:
        tensor.tensor_shape.dim.add(size=d)
    if dtype == types_pb2.DT_STRING:
        tensor.string_val.extend([b"ab"] * min(count, 1000))
    elif dtype == types_pb2.DT_VARIANT:
        for _ in range(min(count, 20)):
            list_variant(rng, tensor.variant_val.add())
    elif dtype == types_pb2.DT_RESOURCE:
        for _ in range(min(count, 20)):
            tensor.resource_handle_val.add(device=CPU["chief"], container="localhost", name="h", hash_code=rng.getrandbits(60),
                                           maybe_type_name=rng.choice(["", "N10tensorflow3VarE", "x"]))
    else:
        tensor.tensor_content = np.zeros(count, dtypes_of(dtype)).tobytes()
    return tensor


def dtypes_of(dtype):
    known = {types_pb2.DT_FLOAT: np.float32, types_pb2.DT_INT32: np.int32, types_pb2.DT_INT64: np.int64,
             types_pb2.DT_BOOL: np.bool_, types_pb2.DT_HALF: np.float16, types_pb2.DT_COMPLEX128: np.complex128,
             types_pb2.DT_UINT8: np.uint8}
    return known.get(dtype, np.uint8)


def list_variant(rng, variant, depth=0):
    """A tensor list, or what claims to be one."""
    variant.type_name = rng.choice(["tensorflow::TensorList"] * 4 + ["", "x", "tensorflow::DatasetVariantWrapper", "\xe9" * 50])
    variant.metadata = rng.choice([b"\0\1\1\0", b"", b"\1\0\1\1\xff", rng.randbytes(12), b"\xff" * 11])
    for _ in range(rng.choice([0, 0, 1, 3])):
        part = variant.tensors.add()
        part.CopyFrom(right_tensor(rng, rng.choice(PLAIN), [rng.choice([0, 1, 2])]))
        if depth < 20 and rng.random() < 0.3:
            part.Clear()
            part.dtype = types_pb2.DT_VARIANT
            list_variant(rng, part.variant_val.add(), depth + 1)


def wrong_tensor(rng, dtype, shape):
    """A tensor that differs from what is expected in one respect or more."""
    how = rng.randrange(9)
    tensor = right_tensor(rng, dtype, shape)
    if how == 0:
        tensor = right_tensor(rng, rng.choice(PLAIN + [types_pb2.DT_STRING, types_pb2.DT_VARIANT, types_pb2.DT_RESOURCE]), shape)
    elif how == 1:
        tensor = right_tensor(rng, dtype, rng.choice([[], [0], [1], [7], [3, 2], [2, 3, 1], [1] * 30, [300000]]))
    elif how == 2:
        del tensor.tensor_shape.dim[:]
        for d in rng.choice([[-1], [1 << 62], [1 << 32, 1 << 32], [-(1 << 63)], [2, -3], [1] * 255, [(1 << 63) - 1, 2]]):
            tensor.tensor_shape.dim.add(size=d)
    elif how == 3:
        tensor.tensor_content = rng.choice([b"", b"\1", tensor.tensor_content[:-1], tensor.tensor_content * 2 + b"x",
                                            b"\xff" * 10, pb.varint(1 << 40) * 6, rng.randbytes(40)])
    elif how == 4:
        tensor.dtype = rng.choice([0, 99, 101, 120, 20, 21, 7, 23, 100000, -1])
    elif how == 5:
        tensor.tensor_shape.unknown_rank = True
    elif how == 6:
        tensor.tensor_content = b""
        tensor.float_val.extend([1.0] * rng.choice([0, 1, 50]))
        tensor.string_val.extend([b"z" * rng.choice([0, 5, 70000])] * rng.choice([0, 1, 50]))
    elif how == 7:
        mutate_messages.mutate(tensor, rng, DONORS)
    else:
        tensor = right_tensor(rng, dtype, rng.choice([[70000], [300, 300], [1 << 20]]))
    return tensor


def options(rng, answer):
    """What Weir's tasks say about a value: its wire type, its tag, that it is left out."""
    answer.transport_options.type_url = "weir.WireType"
    answer.transport_options.value = rng.choice([
        b"float32 =1.0.1.1", b"float32 1.0.1.1", b"bfloat16", b"bfloat16 1.0", b"float16 =", b"=", b" =", b" ", b"x" * 300 + b" y",
        b"float32 " + b"t" * 5000])


def value(rng, dtype, shape):
    """The bytes of a RecvTensorResponse."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.choice([0, 1, 30]))
    wrong = rng.random() < 0.6
    try:
        answer = message("RecvTensorResponse", is_dead=rng.random() < 0.08,
                         tensor=(wrong_tensor if wrong else right_tensor)(rng, dtype, shape))
        if rng.random() < 0.25:
            options(rng, answer)
        data = answer.SerializeToString()
    except (ValueError, TypeError, UnicodeError):
        return b"\xff"
    return mutate_messages.data(rng, data) if rng.random() < 0.1 else data


# ---- a hostile worker ------------------------------------------------------------------------------------------------

WORKER_TYPES = [("f32", F, [2, 3]), ("i32", I, [3]), ("i64", pb.T("i64"), []), ("str", S, [2]), ("bool", pb.T("bool"), []),
                ("variant", pb.T("variant"), []), ("resource", pb.T("resource"), []), ("f16", pb.T("f16"), [20000])]


def worker_graph(rng):
    """Values of every type that come from the chief, and ops of the worker that trust what they get."""
    g = pb.GraphDef()
    q = g.node("FIFOQueueV2", name="q", device=CPU["chief"], component_types=[t for _, t, _ in WORKER_TYPES], shapes=[])
    g.node("QueueDequeueV2", q, name="get", device=CPU["chief"], component_types=[t for _, t, _ in WORKER_TYPES])
    come, here = ["get:%d" % i for i in range(len(WORKER_TYPES))], dict(device=CPU["worker"])
    come[0] = "get"
    x = g.placeholder("f32", [2, 3], name="x", **here)
    g.node("AddV2", x, come[0], name="sum", T=F, **here)
    g.node("Sum", come[0], come[1], name="total", T=F, Tidx=I, **here)
    table = g.const(np.arange(12, dtype=np.float32).reshape(4, 3), **here)
    g.node("GatherV2", table, come[1], g.const(0, "i32", **here), name="rows", Tparams=F, Tindices=I, Taxis=I, **here)
    g.node("Reshape", x, come[1], name="shaped", T=F, Tshape=I, **here)
    g.node("Range", g.const(0, "i64", **here), come[2], g.const(1, "i64", **here), name="range", Tidx=pb.T("i64"), **here)
    g.node("StringLength", come[3], name="lengths", **here)
    g.node("Switch", x, come[4], name="switch", T=F, **here)
    g.node("TensorListLength", come[5], name="length", **here)
    g.node("TensorListStack", come[5], g.const([-1], "i32", **here), name="stack", element_dtype=F, **here)
    g.node("ReadVariableOp", come[6], name="read", dtype=F, **here)
    g.node("Cast", come[7], name="cast", SrcT=pb.T("f16"), DstT=F, **here)
    g.node("Neg", x, name="neg", T=F, device=CPU["chief"])
    g.node("Neg", "neg", name="back", T=F, **here)
    g.function("f", {"a": "f32"}, {"b": "f32"}, [("Neg", "n", ["a"], {"T": F})], {"b": "n:y:0"})
    g.node("RemoteCall", g.const(np.array(CPU["chief"].encode(), object), "str", **here), [x], name="call", Tin=[F], Tout=[F],
           f=pb.Func("f"), **here)
    return g.bytes()


WORKER_FETCHES = ["sum:0", "total:0", "rows:0", "shaped:0", "range:0", "lengths:0", "switch:0", "length:0", "stack:0", "read:0",
                  "cast:0", "back:0", "call:0", "get:0", "get:3", "get:5", "get:7"]


class Behaviour:
    """How the chief answers, from a seed."""

    def __init__(self, seed):
        self.rng, self.lock = random.Random(seed), threading.Lock()
        self.kind = self.rng.choice(["values", "values", "values", "answers", "late", "flood"])
        self.sends = {}  # key -> (dtype, shape), of the graphs that were registered
        self.requests = 0

    def choose(self):
        """A generator for one call: calls come in any order, but each is determined by its number."""
        with self.lock:
            self.requests += 1
            return random.Random(self.rng.getrandbits(60))

    def answer(self, method, request, call):
        rng = self.choose()
        if self.kind == "answers" and method not in ("RunGraph", "RecvTensor") and rng.random() < 0.3:
            if rng.random() < 0.3:
                call.fail(rng.choice(ABORTS), rng.choice(["", "x" * 3000, "\0", "%s%n"]))
            return self.damaged(rng, self.fields(rng, method, request))
        if method == "RunGraph":
            return self.run_graph(rng, request, call)
        if method == "RecvTensor":
            return self.recv_tensor(rng, request, call)
        return self.fields(rng, method, request).SerializeToString()

    @staticmethod
    def damaged(rng, answer):
        mutate_messages.mutate(answer, rng, DONORS)
        try:
            return answer.SerializeToString()
        except (ValueError, TypeError, UnicodeError):
            return rng.randbytes(9)

    def fields(self, rng, method, request):
        if method == "GetStatus":
            made = message("GetStatusResponse")
            made.device_attributes.add(name=CPU["chief"], device_type="CPU", memory_limit=1 << 30, incarnation=INCARNATION)
            if self.kind == "answers":
                for i in range(rng.choice([0, 1, 200])):
                    made.device_attributes.add(name=rng.choice([CPU["chief"], CPU["worker"], "/job:chief/replica:0/task:0/device:CPU:%d" % i]),
                                               device_type=rng.choice(["CPU", "GPU", "", "x" * 400]), memory_limit=rng.choice(NUMBERS))
            return made
        if method == "RegisterGraph":
            self.register(request)
            return message("RegisterGraphResponse", graph_handle="g")
        if method == "Logging":
            made = message("LoggingResponse")
            made.step.add(step_id=1).step_stats.dev_stats.add(device="x")
            return made
        return message(method + "Response")

    def register(self, request):
        try:
            graph = CLASSES["tensorflow.RegisterGraphRequest"].FromString(request).graph_def
        except Exception:  # pylint: disable=broad-except
            return
        shapes = {t.number: s for _, t, s in WORKER_TYPES}
        for node in graph.node:
            if node.op in ("_Send", "_HostSend"):
                a = node.attr
                key = b";".join([a["send_device"].s, b"%016x" % (a["send_device_incarnation"].i & (1 << 64) - 1),
                                 a["recv_device"].s, a["tensor_name"].s, b"0:0"])
                self.sends[key] = (a["T"].type, shapes.get(a["T"].type, []))

    def expected(self, rng, key):
        return self.sends.get(key, (rng.choice(PLAIN), [2]))

    def recv_tensor(self, rng, request, call):
        key = CLASSES["tensorflow.RecvTensorRequest"].FromString(request).rendezvous_key
        if rng.random() < 0.06:
            call.fail(rng.choice(ABORTS), "no")
        if rng.random() < 0.03:
            time.sleep(0.5)
        return value(rng, *self.expected(rng, key.encode()))

    def run_graph(self, rng, request, call):
        asked = CLASSES["tensorflow.RunGraphRequest"].FromString(request)
        if self.kind == "late" and rng.random() < 0.5:
            time.sleep(rng.choice([0.01, 0.6]))
        keys = list(self.sends)
        rng.shuffle(keys)
        for key in keys if rng.random() < 0.9 else []:
            for _ in range(rng.choice([0, 1, 1, 1, 2])):
                call.send(key, b"" if rng.random() < 0.08 else value(rng, *self.sends[key]))
        if self.kind == "flood":
            self.flood(rng, call, keys)
        if rng.random() < 0.15:
            call.send_raw(rng.choice([b"", b"\0", b"\0\0\0", pb.varint((1 << 64) - 1) + b"x", pb.varint(5) + b"ab", b"\xff" * 12]))
        if rng.random() < 0.1:
            call.fail(rng.choice(ABORTS), rng.choice(["", "the end", "x" * 9000]))
        return self.run_response(rng, asked)

    @staticmethod
    def flood(rng, call, keys):
        """Values that nobody asked for: under one key, under many, under those of collective ops."""
        small = value(rng, types_pb2.DT_FLOAT, [])
        how, edge = rng.randrange(4), CPU["chief"].encode() + b";%016x;" % INCARNATION + CPU["worker"].encode()
        for i in range(rng.choice([300, 3000])):
            key = [edge + b";e;0:0", edge + b";e%d;0:0" % i, b"1:1:0:0:d:%d" % i, rng.choice(keys or [b"x"])][how]
            call.send(key, b"" if how == 1 and i % 3 == 0 else small)

    @staticmethod
    def run_response(rng, asked):
        made = message("RunGraphResponse")
        for key in asked.recv_key:
            for _ in range(rng.choice([0, 1, 1, 1, 2])):
                tensor = (wrong_tensor if rng.random() < 0.7 else right_tensor)(rng, types_pb2.DT_FLOAT, [2, 3])
                made.recv.add(name=key if rng.random() < 0.9 else "x").tensor.CopyFrom(tensor)
        if rng.random() < 0.2:
            made.status_code = rng.choice([1, 5, 16, 17, 1000, 0])
            made.status_error_message = rng.choice(["", "é" * 9000, "%s"])
        if rng.random() < 0.1:
            made.step_stats.dev_stats.add(device="\0").node_stats.add(node_name="x", all_start_micros=-1)
        try:
            data = made.SerializeToString()
        except (ValueError, TypeError, UnicodeError):
            data = b""
        return mutate_messages.data(rng, data) if rng.random() < 0.05 else data


# ---- a hostile leader of collective ops ------------------------------------------------------------------------------

def leader_graph(rng, seed):
    """Every collective op, as a member of a group of two that the chief leads."""
    g, here = pb.GraphDef(), dict(device=CPU["worker"])
    size, key = rng.choice([2, 2, 2, 3, 1]), 1000 + seed * 10
    x = g.const(np.ones([size * 2, 3], np.float32), **here)
    group = lambda k: [g.const(n, "i32", **here) for n in (size, key + k, key + k)]
    times = dict(timeout_seconds=0.5)
    g.node("CollectiveReduceV2", x, *group(0), name="reduce", T=F, merge_op="Add", final_op="Div", **times, **here)
    g.node("CollectiveGatherV2", x, *group(1), name="gather", T=F, **times, **here)
    g.node("CollectiveBcastSendV2", x, *group(2), name="send", T=F, **times, **here)
    g.node("CollectiveBcastRecvV2", *group(3), g.const([2, 3], "i32", **here), name="recv", T=F, Tshape=I, **times, **here)
    y = g.const(np.ones([size, 3], np.float32), **here)
    g.node("CollectiveAllToAllV2", y, *group(4), name="all", T=F, **times, **here)
    g.node("CollectiveReduceScatterV2", x, *group(5), name="scatter", T=F, merge_op="Add", final_op="Id", **times, **here)
    return g.bytes()


class Leader(Behaviour):
    def answer(self, method, request, call):
        rng = self.choose()
        made = {"CompleteGroup": self.group, "CompleteInstance": self.instance, "GetStepSequence": self.sequence,
                "RecvBuf": self.buffer}.get(method)
        if not made:
            return self.fields(rng, method, request).SerializeToString()
        if rng.random() < 0.05:
            call.fail(rng.choice(ABORTS), "no")
        return made(rng, CLASSES["tensorflow.%sRequest" % method].FromString(request))

    def group(self, rng, asked):
        own, right = asked.device_attributes, rng.random() < 0.5
        made = message("CompleteGroupResponse", group_key=asked.group_key + (not right and rng.random() < 0.1), device_type="CPU")
        names = [own.name, CPU["chief"]] + ["/job:chief/replica:0/task:0/device:CPU:%d" % i for i in range(1, 9)]
        count = asked.group_size if right else rng.choice([0, 1, 2, 3, 4, 7])
        made.group_size = count if right or rng.random() < 0.9 else rng.choice([0, 1, 7, -1, 1 << 30])
        rng.random() < 0.3 and rng.shuffle(names)
        for name in names[:count]:
            odd = not right and rng.random() < 0.1
            made.device_attributes.add(
                name=rng.choice(names + ["", ":", "x" * 5000, "/device:"]) if odd else name,
                device_type="GPU" if odd and rng.random() < 0.3 else "CPU",
                incarnation=own.incarnation if name == own.name and rng.random() < 0.95 else INCARNATION,
                physical_device_desc=rng.choice(["", "weir collectives 1"]))
        return made.SerializeToString() if rng.random() < 0.95 else self.damaged(rng, made)

    def instance(self, rng, asked):
        made = message("CompleteInstanceResponse", instance_key=asked.instance_key,
                       source_rank=rng.choice([0, 1] * 6 + [-1, -1, -1, 2, -2, 6, (1 << 31) - 1, -(1 << 31)]))
        return made.SerializeToString()

    def sequence(self, rng, asked):
        made = message("GetStepSequenceResponse")
        for key in list(asked.graph_key) * rng.choice([1] * 20 + [0, 3]):
            made.step_sequence.add(graph_key=key, next_step_id=rng.choice([rng.getrandbits(50)] * 20 + [0, -1, 1 << 62]))
        return made.SerializeToString()

    def buffer(self, rng, asked):
        bytes_ = min(max(asked.num_bytes, 0), 1 << 20)
        content = bytes(rng.choice([bytes_, bytes_, bytes_, 0, 1, bytes_ + 1, bytes_ * 2, max(bytes_ - 1, 0)]))
        extra = b"".join(pb.field_bytes(1, part) for part in ([content] if rng.random() < 0.8 else [content[:3], content[3:]]))
        any_ = pb.field_bytes(1, "type.googleapis.com/tensorflow.RecvBufRespExtra") + pb.field_bytes(2, extra)
        data = pb.field_bytes(4, any_) + (pb.field_int(5, rng.getrandbits(40)) if rng.random() < 0.3 else b"")
        return mutate_messages.data(rng, data) if rng.random() < 0.1 else data


# ---- a hostile server ------------------------------------------------------------------------------------------------

def client_graph():
    g = pb.GraphDef()
    for k, (name, t, shape) in enumerate(WORKER_TYPES[:5]):
        g.node("Placeholder", name="p%d" % k, dtype=t, shape=pb.Shape(shape))
        g.node("Identity", "p%d" % k, name="i%d" % k, T=t)
    return g.bytes()


class Server:
    """Answers the sessions of one client, one seed after another."""

    def __init__(self, first):
        self.seed, self.rng = first - 1, None

    def answer(self, method, request, call):
        if method == "CreateSession":
            self.seed += 1
            self.rng = random.Random("server %d" % self.seed)
        rng = random.Random(self.rng.getrandbits(60))
        if method not in CLIENT_METHODS:
            call.fail(grpc.StatusCode.UNIMPLEMENTED, "")
        if rng.random() < 0.03:
            call.fail(rng.choice(ABORTS[1:]), rng.choice(["", "x" * 3000, "%s%n"]))
        made = getattr(self, "answer_" + method, lambda *_: message(method + "Response"))(rng, request)
        if isinstance(made, bytes):
            return made
        if rng.random() < 0.1:
            return Behaviour.damaged(rng, made)
        data = made.SerializeToString()
        return mutate_messages.data(rng, data) if rng.random() < 0.05 else data

    def answer_CreateSession(self, rng, _):
        return message("CreateSessionResponse", session_handle=rng.choice(["s"] * 9 + ["", "x" * 4000]),
                       graph_version=rng.choice(NUMBERS))

    def answer_PartialRunSetup(self, rng, _):
        return message("PartialRunSetupResponse", partial_run_handle=rng.choice(["p", "", "x" * 4000]))

    def answer_MakeCallable(self, rng, _):
        return message("MakeCallableResponse", handle=rng.choice(NUMBERS))

    def answer_ListDevices(self, rng, _):
        made = message("ListDevicesResponse")
        for _ in range(rng.choice([0, 1, 3, 300])):
            made.local_device.add(name=rng.choice(["", "/cpu:0", "x" * 900, CPU["chief"]]), device_type="", memory_limit=-1)
        return made

    @staticmethod
    def type_of(name):
        k = int(name.split(":")[0][1:] or 0)
        return WORKER_TYPES[k][1].number, WORKER_TYPES[k][2]

    def value_of(self, rng, name):
        how = wrong_tensor if rng.random() < 0.4 else right_tensor
        return how(rng, *self.type_of(name))

    def answer_RunStep(self, rng, request):
        asked = CLASSES["tensorflow.RunStepRequest"].FromString(request)
        made, names = message("RunStepResponse"), list(asked.fetch)
        rng.random() < 0.3 and rng.shuffle(names)
        for name in names * rng.choice([1, 1, 1, 1, 2]) if rng.random() < 0.9 else []:
            try:
                made.tensor.add(name=name if rng.random() < 0.95 else rng.choice(["i0", "i0:9", "", "q"])).tensor.CopyFrom(
                    self.value_of(rng, name))
            except (ValueError, TypeError, UnicodeError):
                pass
        if rng.random() < 0.1:
            made.status_code = rng.choice([1, 13, 16, 0])
            made.status_error_message = "é" * rng.choice([0, 5000])
        try:
            data = made.SerializeToString()
        except (ValueError, TypeError, UnicodeError):
            return rng.randbytes(20)
        odd = [17, 99, 255, 256, 1 << 16, (1 << 31) - 1, -1, -(1 << 31)]
        return data + (pb.field_int(3, rng.choice(odd)) if rng.random() < 0.1 else b"")

    def answer_RunCallable(self, rng, _):
        made = message("RunCallableResponse")
        for name in ["i0", "i1", "i3", "i0"][:rng.choice([3, 3, 3, 0, 1, 4])]:
            try:
                made.fetch.add().CopyFrom(self.value_of(rng, name))
            except (ValueError, TypeError, UnicodeError):
                pass
        return made

