"""Collective ops of a group that has one member; groups of several are in collective_test.py."""
import numpy as np

from opcase import Case, lit, script

CASES = []
_keys = iter(range(1, 1000))


def group(**attrs):
    key = next(_keys)
    return dict(group_size=1, group_key=key, instance_key=key, **attrs)


def keys():
    """group_size, group_key and instance_key as the later forms take them."""
    key = next(_keys)
    return [lit(1), lit(key), lit(key)]


x = "T[2,3]"
for merge, final in (("Add", "Id"), ("Add", "Div"), ("Mul", "Id"), ("Max", "Id"), ("Min", "Id")):
    CASES.append(Case("CollectiveReduce", [x], group(merge_op=merge, final_op=final,
                                                     subdiv_offsets=[0]), edges=False))
    CASES.append(Case("CollectiveReduceV2", [x, *keys(), []], dict(
        merge_op=merge, final_op=final), edges=False))
CASES += [
    Case("CollectiveGather", [x], group(shape=[2, 3]), edges=False),
    Case("CollectiveGatherV2", [x, *keys(), []], edges=False),
]

# Who sends to nobody keeps its value; who receives needs somebody that sends.
CASES += [
    Case("CollectiveBcastSend", [x], group(shape=[2, 3]), edges=False),
    Case("CollectiveBcastSendV2", [x, *keys()], edges=False),
    Case("CollectiveBcastRecv", [], group(T="*", shape=[2, 3]), edges=False, fails=True),
    Case("CollectiveBcastRecvV2", [*keys(), lit([2, 3])], {"T": "*"}, edges=False, fails=True),
]


# ---- rows for each member: TensorFlow's sessions know no groups unless they are told of a leader
@script("CollectiveAllToAllV2", alone="TensorFlow needs a group leader, and has no reduce-scatter for processors")
def rows_for_each(g):
    x = np.array([[1, 2, 3]], np.float32)
    token = []
    g.run([g.op("CollectiveAllToAllV2", g.const(x), g.const(1), g.const(901), g.const(901), token)], expect=[x])
    scattered = g.op("CollectiveReduceScatterV2", g.const(x), g.const(1), g.const(902), g.const(902), token,
                     merge_op="Add", final_op="Div")
    g.run([scattered], expect=[x])
    group = g.op("CollectiveInitializeCommunicator", g.const(903), g.const(0), g.const(1))
    rows = g.const([[0]])
    g.run([g.op("CollectiveReduceV3", g.const(x), group, rows, reduction="Add")], expect=[x])
    g.run([g.op("CollectiveAllToAllV3", g.const(x), group, rows)], expect=[x])


CASES.append(rows_for_each)
