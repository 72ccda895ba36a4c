"""Threads, interrupts, forks and ends of the interpreter: each in a process of its own, which must end by itself and say "done".

`python robust_test.py --times 100` runs each a hundred times; as a unit test each is run twice.
"""
import os
import signal
import subprocess
import sys
import textwrap
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 120
START = '''
import os, signal, sys, threading, time
sys.path.insert(0, %r)
from weir import hook
hook.install()
import numpy as np
import tensorflow as tf
''' % os.path.dirname(HERE)

PROGRAMS = {
    # many threads feed and fetch while queue runners fill and drain
    'threads': '''
        queue = tf.FIFOQueue(50, tf.float32, shapes=[[8]])
        runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.random_uniform([8]))] * 4)
        x = tf.placeholder(tf.float32, [None, 8])
        w = tf.Variable(tf.ones([8, 3]))
        out, taken = tf.matmul(x, w), queue.dequeue_many(5)
        add = w.assign_add(tf.zeros([8, 3]))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            coord = tf.train.Coordinator()
            made = runner.create_threads(session, coord=coord, start=True)
            bad = []

            def work(seed):
                data = np.random.RandomState(seed).rand(16, 8).astype('f')
                for i in range(40):
                    found, _, many = session.run([out, add, taken], {x: data[:i % 15 + 1]})
                    if not np.allclose(found, data[:i % 15 + 1].sum(1, keepdims=True), atol=1e-4) or many.shape != (5, 8):
                        bad.append(i)
            threads = [threading.Thread(target=work, args=[i]) for i in range(12)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            coord.request_stop()
            session.run(queue.close(cancel_pending_enqueues=True))
            coord.join(made)
            assert not bad, bad
    ''',
    # py_func from many steps at once
    'py_func': '''
        x = tf.placeholder(tf.float32, [None])
        calls = []

        def act(a):
            calls.append(1)
            return a * 2
        parts = [tf.py_func(act, [x + i], tf.float32) for i in range(8)]
        total = tf.add_n(parts)
        with tf.Session() as session:
            bad = []

            def work(seed):
                data = np.arange(seed + 1, dtype='f')
                for _ in range(25):
                    if not np.allclose(session.run(total, {x: data}), 16 * data + 56):
                        bad.append(seed)
            threads = [threading.Thread(target=work, args=[i]) for i in range(10)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            assert not bad and len(calls) == 8 * 10 * 25, (bad, len(calls))
    ''',
    # Ctrl-C ends a step that waits, one that computes and one in py_func; the session works afterwards
    'interrupt': '''
        empty = tf.FIFOQueue(5, tf.float32).dequeue()
        loop = tf.while_loop(lambda i: i >= 0, lambda i: tf.maximum(i, 0), [tf.constant(1)])
        slow = tf.py_func(lambda: [time.sleep(0.01) for _ in range(1000)] and np.float32(1), [], tf.float32)
        with tf.Session() as session:
            for step in (empty, loop, slow):
                try:
                    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                    session.run(step)
                    raise AssertionError('not interrupted')
                except KeyboardInterrupt:
                    pass
                except (tf.errors.CancelledError, tf.errors.UnknownError) as error:
                    assert step is slow, error
            assert session.run(tf.constant(2) + 1) == 3
    ''',
    # Ctrl-C before, in and after short steps, and as a step begins that would wait for ever: each ends one step, none is lost
    'moments': '''
        import random
        empty = tf.FIFOQueue(5, tf.float32).dequeue()
        one = tf.constant(2) + 1
        draw = random.Random(os.getpid())

        def press(after):
            end = time.perf_counter() + after
            while time.perf_counter() < end:
                pass
            os.kill(os.getpid(), signal.SIGINT)
        with tf.Session() as session:
            session.run(one)
            for trial in range(60):
                try:
                    threading.Thread(target=press, args=[draw.random() * 2e-3]).start()
                    for _ in range(draw.randrange(20)):
                        session.run(one)
                    while True:
                        session.run(empty if trial % 2 else one)
                except KeyboardInterrupt:
                    pass
                assert session.run(one) == 3
    ''',
    # a child made before a session exists runs sessions of its own; one made later leaves the parent's alone
    'fork': '''
        def child(work):
            pid = os.fork()
            if pid == 0:
                try:
                    work()
                    os._exit(0)
                except BaseException as error:
                    print(error)
                    os._exit(1)
            assert os.waitpid(pid, 0)[1] == 0

        def own():
            with tf.Graph().as_default(), tf.Session() as session:
                assert session.run(tf.constant(2) + 1) == 3
        child(own)
        y = tf.constant(np.ones([64, 64], 'f')) @ tf.ones([64, 64])
        with tf.Session() as session:
            session.run(y)
            child(lambda: None)
            child(lambda: np.dot(np.ones([9, 9]), np.ones([9, 9])))
            import multiprocessing
            with multiprocessing.get_context('fork').Pool(2) as pool:
                assert pool.map(abs, [-1, -2]) == [1, 2]
            assert session.run(y)[0, 0] == 64
    ''',
    # a child that ends like any program, with the parent's session open and running
    'fork_exit': '''
        empty = tf.FIFOQueue(5, tf.float32).dequeue()
        session = tf.Session()
        session.run(tf.constant(1.))
        threading.Thread(target=lambda: session.run(empty), daemon=True).start()
        time.sleep(0.1)
        pid = os.fork()
        if pid == 0:
            print('child', end='')
            sys.exit(0)
        assert os.waitpid(pid, 0)[1] == 0
    ''',
    # the interpreter ends with sessions open
    'open': '''
        sessions = [tf.Session(graph=tf.Graph()) for _ in range(3)]
        keep = tf.Session()
        keep.run(tf.constant(np.ones([100, 100], 'f')) @ tf.ones([100, 100]))
        iterator = tf.data.Dataset.range(1000).map(lambda i: i + 1).prefetch(10).make_one_shot_iterator().get_next()
        keep.run(iterator)
    ''',
    # ... with threads inside of steps
    'running': '''
        queue = tf.FIFOQueue(5, tf.float32)
        empty = queue.dequeue()
        loop = tf.while_loop(lambda i: i >= 0, lambda i: tf.maximum(i, 0), [tf.constant(1)])
        session = tf.Session()
        for step in (empty, empty, loop):
            threading.Thread(target=session.run, args=[step], daemon=True).start()
        time.sleep(0.2)
    ''',
    # ... with py_func being called, and more of them to come
    'pending': '''
        x = tf.py_func(lambda: time.sleep(0.005) or np.float32(1), [], tf.float32)
        loop = tf.while_loop(lambda i: i < 1e9, lambda i: i + tf.reshape(tf.py_func(lambda: np.float32(1), [], tf.float32), []),
                             [tf.constant(0.)])
        session = tf.Session()

        def again():
            while True:
                session.run(x)
        for act in (again, again, lambda: session.run(loop)):
            threading.Thread(target=act, daemon=True).start()
        time.sleep(0.2)
    ''',
}

# interrupted from outside, at any moment from the start of the interpreter to its end
TRAINING = '''
    x, labels = tf.placeholder(tf.float32, [None, 20]), tf.placeholder(tf.int32, [None])
    y = x
    for _ in range(4):
        y = tf.layers.dense(y, 30, tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, tf.layers.dense(y, 10))
    train = tf.train.AdamOptimizer().minimize(loss)
    batch = tf.train.shuffle_batch([tf.random_uniform([4])], 8, 100, 10)
    more = tf.py_func(lambda a: a + 1, [tf.constant(1.)], tf.float32)
    saver, feeds = tf.train.Saver(), {x: np.ones([8, 20], 'f'), labels: np.zeros([8], 'i')}
    with tf.train.MonitoredTrainingSession() as session:
        for _ in range(30):
            session.run([train, loss, batch, more], feeds)
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        session = tf.Session()
        session.run(tf.global_variables_initializer())
        saver.save(session, folder + '/model')
        session.run(loss, feeds)
'''


def _hears_interrupts():
    """Of a child: where these tests were started in the background of a shell, SIGINT is ignored, and it would be there, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(after):
    """Runs TRAINING and interrupts it after some seconds: (what went wrong or None, the time that it took)."""
    code, begin = START + textwrap.dedent(TRAINING) + '\nprint(" done", flush=True)\n', time.monotonic()
    with subprocess.Popen([sys.executable, '-X', 'faulthandler', '-c', code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, preexec_fn=_hears_interrupts) as process:
        try:
            if after is not None:
                time.sleep(after)
                process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)
            return 'hangs, interrupted after %.3f s: %s' % (after or 0, process.communicate()[1][-1500:]), LIMIT
    taken, status, last = time.monotonic() - begin, process.returncode, err.strip().split('\n')[-1]
    by_signal = status == -signal.SIGINT and last in ('KeyboardInterrupt', '')
    if 'Fatal' in err or not (by_signal or status == 0 and out.endswith(' done\n')):
        return 'status %d, interrupted after %.3f s: %s %s' % (status, after or 0, out[-300:], err[-1500:]), taken
    return None, taken


def run_any_moment(times):
    """What went wrong when TRAINING was interrupted so many times, from its start to its end."""
    problem, whole = interrupted(None)
    if problem:
        return [problem]
    found = [interrupted(whole * (i + 0.5) / times)[0] for i in range(times)]
    return [problem for problem in found if problem]


def run(name):
    """What went wrong with a program, or None."""
    code = START + textwrap.dedent(PROGRAMS[name]) + '\nprint(" done", flush=True)\n'
    try:
        made = subprocess.run([sys.executable, '-X', 'faulthandler', '-c', code], capture_output=True, text=True, timeout=LIMIT,
                              preexec_fn=_hears_interrupts)
    except subprocess.TimeoutExpired as error:
        return 'hangs: %s' % (error.stderr or b'')[-500:]
    if made.returncode or not made.stdout.endswith(' done\n'):
        return 'status %d: %s %s' % (made.returncode, made.stdout[-300:], made.stderr[-1500:])
    return None


class RobustTest(unittest.TestCase):
    times = 2

    def test_any_moment(self):
        self.assertEqual(run_any_moment(2 * self.times), [])


def _test(name):
    def check(self):
        for _ in range(self.times):
            self.assertIsNone(run(name))
    return check


for _name in PROGRAMS:
    setattr(RobustTest, 'test_' + _name, _test(_name))


def main():
    import argparse
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--times', type=int, default=100)
    parser.add_argument('--only', default=','.join([*PROGRAMS, 'any_moment']))
    args = parser.parse_args()
    failed = 0
    for name in args.only.split(','):
        found = run_any_moment(args.times) if name == 'any_moment' else \
            [problem for problem in (run(name) for _ in range(args.times)) if problem]
        failed += len(found)
        print('%-10s %d of %d' % (name, args.times - len(found), args.times), found[:1] or '', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
