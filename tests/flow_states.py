"""State that the programs of tests/flow_programs.py read and change, one class each.

`act(block)` reads or writes the state, under the control dependencies that are in force, and returns floats, integers and
other things that were made: [floats], [integers], [things to wait for]. `places`: the control flow in which it may be
used; `simple`: whether it uses no control flow itself.
"""
import tensorflow as tf

v1, raw = tf.compat.v1, tf.raw_ops
EVERYWHERE = ("dataflow", "functions", "function")


class Variable:
    """A resource or, for control flow as dataflow, a reference."""
    simple = True

    def __init__(self, flow):
        self.whole = flow.r.random() < 0.5
        self.resource = flow.new_flow or flow.r.random() < 0.6
        self.places = EVERYWHERE if self.resource else ("dataflow",)
        value = flow.n.randint(0, 97) if self.whole else flow.n.uniform(-1, 1, 2)
        self.var = v1.Variable(tf.constant(value, tf.int32 if self.whole else tf.float32), use_resource=self.resource, name=flow.name("v"))
        flow.inits.append(self.var.initializer.name)
        flow.reads.append(self.var.read_value().name)

    def read(self):
        """A reference's value is copied before anybody writes the next one."""
        x = self.var.read_value()
        x = x % 97 if self.whole else tf.tanh(x)
        return ([], [x], []) if self.whole else ([x], [], [])

    def act(self, block):
        x = block.some_int() if self.whole else block.some_float()
        var = self.var
        write = lambda op: ([], [], [op.op if hasattr(op, "op") else op])
        ways = [self.read, self.read, lambda: write(v1.assign(var, x)), lambda: write(v1.assign_add(var, x)),
                lambda: write(v1.assign_sub(var, x))]
        if not self.whole:
            at = [block.r.randrange(2)]
            ways += [lambda: write(v1.scatter_add(var, at, x[:1])), lambda: write(v1.scatter_update(var, at, x[1:]))]
            if self.resource:
                ways.append(lambda: ([tf.tanh(tf.gather(var, at + at))], [], []))
        return block.r.choice(ways)()


class Queue:
    simple = False
    places = EVERYWHERE

    def __init__(self, flow):
        self.queue = tf.queue.FIFOQueue(150, [tf.int32], [[]], name=flow.name("q"))
        flow.reads.append(self.queue.size().name)

    def act(self, block):
        x, queue = block.some_int(), self.queue

        def put():
            with tf.control_dependencies([queue.enqueue(x)]):
                return tf.constant(1)

        def both():
            with tf.control_dependencies([queue.enqueue(x)]):
                return [], [tf.reshape(queue.dequeue(), [])], []
        ways = [lambda: ([], [queue.size()], []), both,
                lambda: ([], [v1.cond(queue.size() < 100, put, lambda: tf.constant(0))], []),
                lambda: ([], [v1.cond(queue.size() > 0, lambda: tf.reshape(queue.dequeue(), []), lambda: tf.constant(7))], [])]
        return block.r.choice(ways)()


class Table:
    simple = True
    places = EVERYWHERE

    def __init__(self, flow):
        dense = flow.r.random() < 0.4
        name = flow.name("t")
        if dense:
            self.table = raw.MutableDenseHashTableV2(empty_key=tf.constant(-1), deleted_key=tf.constant(-2), shared_name=name,
                                                     value_dtype=tf.int32, initial_num_buckets=8)
        else:
            self.table = raw.MutableHashTableV2(key_dtype=tf.int32, value_dtype=tf.int32, shared_name=name)
        flow.reads.append(raw.LookupTableSizeV2(table_handle=self.table).name)
        flow.reads.append(self.find(tf.range(12)).name)

    def find(self, keys):
        return raw.LookupTableFindV2(table_handle=self.table, keys=keys, default_value=tf.constant(5))

    def act(self, block):
        k, v = block.some_int() % 12, block.some_int()
        ways = [lambda: ([], [tf.reshape(self.find([k]), [])], []), lambda: ([], [tf.reduce_sum(self.find([k, 3]))], []),
                lambda: ([], [], [raw.LookupTableInsertV2(table_handle=self.table, keys=[k], values=[v])]),
                lambda: ([], [], [raw.LookupTableInsertV2(table_handle=self.table, keys=[k, 3], values=[v, 2])]),
                lambda: ([], [], [raw.LookupTableRemoveV2(table_handle=self.table, keys=[k])]),
                lambda: ([], [tf.cast(raw.LookupTableSizeV2(table_handle=self.table), tf.int32)], [])]
        return block.r.choice(ways)()


class Elements:
    """A dataset's iterator."""
    simple = True
    places = EVERYWHERE

    def __init__(self, flow):
        data = tf.data.Dataset.range(2, 90).map(lambda x: tf.cast(x * x % 97, tf.int32)).repeat()
        self.iterator = v1.data.make_initializable_iterator(data)
        flow.inits.append(self.iterator.initializer.name)

    def act(self, block):
        return [], [self.iterator.get_next()], []


class Numbers:
    """A random sequence, which an op of its own continues."""
    simple = True
    places = ("dataflow",)

    def __init__(self, flow):
        self.seed = flow.r.randint(1, 99)

    def act(self, block):
        return [], [v1.random_uniform([], 0, 97, tf.int32, seed=self.seed)], []


class Checks:
    """Assertions that hold."""
    simple = False
    places = EVERYWHERE

    def __init__(self, flow):
        pass

    def act(self, block):
        x = block.some_int()
        return [], [], [v1.Assert(tf.greater(x * x, -1), [x])]


STATES = [Variable, Variable, Variable, Queue, Table, Elements, Numbers, Checks]
