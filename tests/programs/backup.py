"""Synchronous training with a backup worker, which is slow: its gradients come too late."""
import json
import os
import time

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = json.loads(os.environ["TF_CONFIG"])
cluster, job, index = config["cluster"], config["task"]["type"], config["task"]["index"]
server = tf.train.Server(cluster, job_name=job, task_index=index)
if job == "ps":
    server.join()
worker = "/job:worker/task:%d" % index
with tf.device(tf.train.replica_device_setter(worker_device=worker, cluster=cluster)):
    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.get_variable("w", [4, 1])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1))
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.01), 2, 3)
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies([optimizer.minimize(loss, global_step=step)]), tf.colocate_with(step):
        train_to = step.read_value()
hooks, reached = [optimizer.make_session_run_hook(index == 0)], 0
with tf.train.MonitoredTrainingSession(server.target, is_chief=index == 0, hooks=hooks) as session:
    while reached < 60:
        if index == 2:
            time.sleep(0.5)
        reached = session.run(train_to, {x: np.ones((32, 4), np.float32)})
