"""`weir run` of between-graph programs with no TensorFlow: asynchronous, synchronous, and started again from a checkpoint."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WEIR = os.environ.get('WEIR_COMMAND') or next(
    (path for path in (os.path.join(ROOT, 'build', kind, 'weir') for kind in ('release', 'debug')) if os.path.exists(path)), None)

PROGRAM = '''
import tensorflow as tf
flags = tf.app.flags
flags.DEFINE_string('ps_hosts', '', '')
flags.DEFINE_string('worker_hosts', '', '')
flags.DEFINE_string('job_name', '', '')
flags.DEFINE_integer('task_index', 0, '')
flags.DEFINE_string('folder', '', '')
flags.DEFINE_bool('sync', False, '')
flags.DEFINE_integer('steps', 30, '')
FLAGS = flags.FLAGS


def main(_):
    cluster = tf.train.ClusterSpec({'ps': FLAGS.ps_hosts.split(','), 'worker': FLAGS.worker_hosts.split(',')})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == 'ps':
        server.join()
    # StopAtStepHook may read a step too old and begin one more, for which a synchronous job has no token.
    chief, hooks = FLAGS.task_index == 0, [] if FLAGS.sync else [tf.train.StopAtStepHook(last_step=FLAGS.steps)]
    with tf.device(tf.train.replica_device_setter(worker_device='/job:worker/task:%d' % FLAGS.task_index, cluster=cluster)):
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable('w', [2, 1], initializer=tf.zeros_initializer())
        x = tf.constant([[1., 2.], [3., 4.], [5., 7.]])
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - [[3.], [7.], [12.]]))
        optimizer = tf.train.GradientDescentOptimizer(0.005)
        if FLAGS.sync:
            optimizer = tf.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=2, total_num_replicas=2)
        train = optimizer.minimize(loss, global_step=step)
        if FLAGS.sync:
            hooks.append(optimizer.make_session_run_hook(chief))
        with tf.control_dependencies([train]), tf.colocate_with(step):
            reached = step.read_value()
    with tf.train.MonitoredTrainingSession(master=server.target, is_chief=chief, checkpoint_dir=FLAGS.folder or None,
                                           hooks=hooks, save_summaries_steps=None, save_summaries_secs=None) as session:
        first, value = session.run([step, loss])
        at = first
        while at < FLAGS.steps and not session.should_stop():
            at, value = session.run([reached, loss])
    print('worker %d began at step %d and ended with loss %.4f' % (FLAGS.task_index, first, value))


if __name__ == '__main__':
    tf.app.run()
'''


@unittest.skipUnless(WEIR, 'the command is not built')
class ClusterTest(unittest.TestCase):
    def run_job(self, *args):
        """[(worker, first step, last loss)]."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'program.py')
            with open(path, 'w') as file:
                file.write(PROGRAM)
            environment = dict(os.environ, PYTHONPATH=os.path.dirname(HERE))
            done = subprocess.run([WEIR, 'run', '--python', sys.executable, '--ps', '1', '--workers', '2', path, *args],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=240)
        said = done.stdout.decode()
        self.assertEqual(done.returncode, 0, said)
        found = re.findall(r'worker (\d) began at step (\d+) and ended with loss ([\d.]+)', said)
        self.assertEqual(sorted(int(worker) for worker, _, _ in found), [0, 1], said)
        return [(int(worker), int(first), float(loss)) for worker, first, loss in found]

    def setUp(self):
        if importlib_finds('tensorflow'):
            self.skipTest('TensorFlow is installed for this interpreter')

    def test_synchronous_replicas_learn(self):
        for _, _, loss in self.run_job('--sync', '--steps', '20'):
            self.assertLess(loss, 1.0)

    def test_a_job_goes_on_from_its_checkpoint(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_job('--folder', folder, '--steps', '30')
            again = self.run_job('--folder', folder, '--steps', '60')
            names = os.listdir(folder)
        self.assertGreaterEqual(min(first for _, first, _ in again), 30)
        self.assertTrue(any(re.match(r'model\.ckpt-6\d\.index$', name) for name in names), names)
        self.assertLess(min(loss for _, _, loss in again), 1.0)


def importlib_finds(name):
    from importlib.machinery import PathFinder
    return PathFinder.find_spec(name) is not None


if __name__ == '__main__':
    unittest.main()
