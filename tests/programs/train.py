"""A between-graph replicated training program as TensorFlow 1.x users write it; knows nothing of
Weir. Each worker prints its losses' first and last, and when it took its first and last step."""
import time

began = time.time()
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
imported = time.time()
flags = tf.app.flags
flags.DEFINE_string("job_name", "", "ps or worker")
flags.DEFINE_integer("task_index", 0, "index within the job")
flags.DEFINE_string("ps_hosts", "", "host:port,...")
flags.DEFINE_string("worker_hosts", "", "host:port,...")
flags.DEFINE_integer("steps", 60, "global steps")
flags.DEFINE_bool("sync", False, "average the workers' gradients")
flags.DEFINE_string("checkpoints", None, "folder")
FLAGS = flags.FLAGS


def model(workers):
    x = tf.constant(np.linspace(-1, 1, 64, dtype=np.float32)[:, None])
    w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - (3.0 * x - 1.0)))
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    hooks = []
    if FLAGS.sync:
        optimizer = tf.train.SyncReplicasOptimizer(optimizer, workers, workers)
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(loss, global_step=step)
    if FLAGS.sync:
        hooks.append(optimizer.make_session_run_hook(FLAGS.task_index == 0, num_tokens=0))
    with tf.control_dependencies([train]), tf.colocate_with(step):
        return step.read_value(), loss, hooks


def main(_):
    ps, workers = FLAGS.ps_hosts.split(","), FLAGS.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": ps, "worker": workers})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    worker = "/job:worker/task:%d" % FLAGS.task_index
    with tf.device(tf.train.replica_device_setter(worker_device=worker, cluster=cluster)):
        train_to, loss, hooks = model(len(workers))
    losses, step = [], 0
    with tf.train.MonitoredTrainingSession(
            server.target, is_chief=FLAGS.task_index == 0, hooks=hooks,
            checkpoint_dir=FLAGS.checkpoints,
            config=tf.ConfigProto(device_filters=["/job:ps", worker])) as session:
        while step < FLAGS.steps:
            step, value = session.run([train_to, loss])
            losses.append(float(value))
            last = time.time()
            if len(losses) == 1:
                print("first step at %.3f, imports took %.3f s" % (time.time(), imported - began))
    print("losses %.6f %.6f steps %d last step at %.3f" % (losses[0], losses[-1], len(losses), last))


if __name__ == "__main__":
    tf.app.run()
