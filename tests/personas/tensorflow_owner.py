"""Somebody with a program for TensorFlow 1.x that has to run on several machines."""
TITLE = "The owner of a TensorFlow program"
ABOUT = ("Somebody whose program is written for TensorFlow 1.x. There is no TensorFlow here: Weir's own front end "
         "answers for it.")
FILES = {
    "train.py": '''import numpy as np
import tensorflow as tf
tf.app.flags.DEFINE_string("job_name", "", "")
tf.app.flags.DEFINE_integer("task_index", 0, "")
tf.app.flags.DEFINE_string("ps_hosts", "", "")
tf.app.flags.DEFINE_string("worker_hosts", "", "")
tf.app.flags.DEFINE_string("dir", None, "")
FLAGS = tf.app.flags.FLAGS


def main(_):
    cluster = tf.train.ClusterSpec({"ps": FLAGS.ps_hosts.split(","), "worker": FLAGS.worker_hosts.split(",")})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:%d" %
                                                  FLAGS.task_index)):
        x = tf.placeholder(tf.float32, [None, 4])
        w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1))
        step = tf.train.get_or_create_global_step()
        train = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=step)
    with tf.train.MonitoredTrainingSession(server.target, is_chief=FLAGS.task_index == 0,
                                           checkpoint_dir=FLAGS.dir,
                                           hooks=[tf.train.StopAtStepHook(last_step=50)]) as session:
        while not session.should_stop():
            value, _ = session.run([loss, train], {x: np.ones((32, 4), np.float32)})
    print("trained" if value < 0.1 else "not trained")


tf.app.run(main)
''',
    "hello.py": '''import tensorflow as tf
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.Session() as session:
    print(session.run(tf.matmul(a, a)))
''',
    "wrong.py": '''import tensorflow as tf
a = tf.constant([[1.0, 2.0]])
with tf.Session() as session:
    print(session.run(tf.matmul(a, a)))
''',
}
TASKS = [
    dict(title="Without a cluster", line="python -m weir hello.py", shows=[r"\[\[ ?7"]),
    dict(title="What would be started?", line="weir run --ps 1 --workers 2 --dry-run train.py",
         shows=[r"^worker 1$", r"--job_name=worker --task_index=1"]),
    dict(title="One parameter server, one worker", line="weir run --ps 1 --workers 1 train.py",
         shows=[r"\[worker 0\] trained", r"^  worker 0 +\d+"], narrow=True),
    dict(title="Behind a proxy", line="http_proxy=http://127.0.0.1:1 weir run --ps 1 --workers 1 train.py",
         shows=[r"\[worker 0\] trained"]),
    dict(title="With checkpoints and logs",
         line="weir run --logs logs train.py --dir ck && ls logs", shows=[r"ps-0.log", r"worker-0.log"]),
    dict(title="What is in the checkpoint?", line="weir ckpt list ck", shows=[r"global_step"]),
    dict(title="A program that fails", line="weir run --ps 0 wrong.py", status=1, traceback=True, lines=12,
         shows=[r"worker 0 failed with exit status 1: \S*Error"]),
    dict(title="A program that is not there", line="weir run --ps 0 trian.py", status=127,
         shows=[r"there is no program 'trian.py'"]),
    dict(title="Is there an op?", line="weir ops MatMul", shows=[r"MatMul"], narrow=True),
    dict(title="An op misspelt", line="weir ops MatMull", status=2, shows=[r"Did you mean MatMul"]),
]
