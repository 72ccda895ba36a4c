"""A little of every feature of the harness."""
from opcase import Case, lit, script

CASES = [
    Case("Add", ["T[2,3]", "T[3]"], grad=2),
    Case("Tanh", ["T[4]"], grad=2),
    Case("MatMul", ["T[2,3]", "T[3,4]"], grad=True),
    Case("MatMul", ["T[2,3]", "T[4,5]"], dtypes=["f32"], fails="INVALID_ARGUMENT",
         says="Dimensions must be equal, but are 3 and 4"),
    Case("Sum", ["T[3,4,2]", lit([0, 2])], grad=True),
    Case("Gather", ["Tparams[5,3]", lit([1, 4, 1], "Tindices")], grad=True, edges=False),
    Case("ConcatV2", [["T[2,3]", "T[2,5]"], lit(1)], grad=True),
    Case("Cast", ["SrcT[7]"], attrs={"DstT": "*"}),
    Case("StringJoin", [["str[3]", "str[3]"]], attrs={"separator": "-"}),
    Case("AssignAdd", ["T[3]", "T[3]"]),
    Case("ApplyGradientDescent", ["T[3]", lit(0.5), "T[3]"]),
    Case("ResourceApplyGradientDescent", ["T[3]", lit(0.5, "T"), "T[3]"]),
    Case("RandomUniform", [lit([2, 3])], attrs={"dtype": "*", "seed": 7, "seed2": 8}),
]


@script("fifo_queue")
def fifo(g):
    q = g.op("FIFOQueueV2", component_types=["f32"], shapes=[[]], capacity=10)
    put = g.op("QueueEnqueueManyV2", q, [g.const([1.0, 2.0, 3.0])])
    get = g.op("QueueDequeueV2", q, component_types=["f32"])
    close = g.op("QueueCloseV2", q)
    g.run(targets=[put])
    g.run([get])
    g.run([g.op("QueueSizeV2", q)])
    g.run(targets=[close])
    for _ in range(3):
        g.run([get])


CASES.append(fifo)
