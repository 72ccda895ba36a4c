"""tf.contrib.training: train ops, evaluation of checkpoints, and buckets."""
import time

from ..public import tf
from ..training.session_run_hook import SessionRunHook
from ..training.device_setter import GreedyLoadBalancingStrategy, byte_size_load_fn  # noqa: F401

_USE_GLOBAL_STEP = 0


def multiply_gradients(grads_and_vars, gradient_multipliers):
    """Gradients scaled by a number for each variable that has one."""
    if not isinstance(grads_and_vars, list):
        raise ValueError('`grads_and_vars` must be a list.')
    if not gradient_multipliers:
        raise ValueError('`gradient_multipliers` is empty.')
    made = []
    for grad, var in grads_and_vars:
        key = var if var in gradient_multipliers else var.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError('Requested multiple of `None` gradient.')
            scale = tf.cast(gradient_multipliers[key], grad.dtype)
            grad = tf.IndexedSlices(grad.values * scale, grad.indices, grad.dense_shape) if isinstance(grad, tf.IndexedSlices) \
                else grad * scale
        made.append((grad, var))
    return made


def clip_gradient_norms(gradients_to_variables, max_norm):
    made = []
    for grad, var in gradients_to_variables:
        if grad is not None:
            if isinstance(grad, tf.IndexedSlices):
                grad = tf.IndexedSlices(tf.clip_by_norm(grad.values, max_norm), grad.indices, grad.dense_shape)
            else:
                grad = tf.clip_by_norm(grad, max_norm)
        made.append((grad, var))
    return made


def clip_gradient_norms_fn(max_norm):
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def add_gradients_summaries(grads_and_vars):
    found = []
    for grad, var in grads_and_vars:
        if grad is None:
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        found.append(tf.summary.histogram(var.op.name + '_gradient', values))
        found.append(tf.summary.scalar(var.op.name + '_gradient_norm', tf.global_norm([values])))
    return found


def create_train_op(total_loss, optimizer, global_step=_USE_GLOBAL_STEP, update_ops=None, variables_to_train=None,
                    transform_grads_fn=None, summarize_gradients=False, gate_gradients=1, aggregation_method=None,
                    colocate_gradients_with_ops=False, check_numerics=True):
    """A tensor that is the loss after one step of the optimizer."""
    if global_step is _USE_GLOBAL_STEP:
        global_step = tf.train.get_or_create_global_step()
    collected = set(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    update_ops = collected if update_ops is None else set(update_ops)
    if update_ops:
        with tf.control_dependencies(update_ops):
            barrier = tf.no_op(name='update_barrier')
        with tf.control_dependencies([barrier]):
            total_loss = tf.identity(total_loss)
    if variables_to_train is None:
        variables_to_train = tf.trainable_variables()
    else:
        for var in variables_to_train:
            assert var in tf.trainable_variables()
    assert variables_to_train
    grads = optimizer.compute_gradients(total_loss, variables_to_train, gate_gradients=gate_gradients,
                                        aggregation_method=aggregation_method,
                                        colocate_gradients_with_ops=colocate_gradients_with_ops)
    if transform_grads_fn:
        grads = transform_grads_fn(grads)
    if summarize_gradients:
        with tf.name_scope('summarize_grads'):
            add_gradients_summaries(grads)
    updates = optimizer.apply_gradients(grads, global_step=global_step)
    with tf.name_scope('train_op'):
        if check_numerics:
            total_loss = tf.check_numerics(total_loss, 'LossTensor is inf or nan')
        with tf.control_dependencies([updates]):
            train_op = tf.identity(total_loss)
    found = tf.get_collection_ref(tf.GraphKeys.TRAIN_OP)
    if train_op not in found:
        found.append(train_op)
    return train_op


def train(train_op, logdir, master='', is_chief=True, scaffold=None, hooks=None, chief_only_hooks=None, save_checkpoint_secs=600,
          save_summaries_steps=100, config=None, max_wait_secs=7200):
    if logdir is None and is_chief and (save_summaries_steps or save_checkpoint_secs):
        raise ValueError('logdir cannot be None when is_chief and summaries or checkpoints are saved.')
    loss = None
    with tf.train.MonitoredTrainingSession(
            master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks,
            chief_only_hooks=chief_only_hooks, save_checkpoint_secs=save_checkpoint_secs,
            save_summaries_steps=save_summaries_steps, config=config, max_wait_secs=max_wait_secs) as session:
        while not session.should_stop():
            loss = session.run(train_op)
    return loss


# ---- evaluation --------------------------------------------------------------------------------

def get_or_create_eval_step():
    """The count of evaluation steps, a local variable."""
    found = tf.get_collection(tf.GraphKeys.EVAL_STEP)
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError('Multiple tensors added to tf.GraphKeys.EVAL_STEP')
    return tf.get_variable(tf.GraphKeys.EVAL_STEP, shape=[], dtype=tf.int64, initializer=tf.zeros_initializer(), trainable=False,
                           collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.EVAL_STEP])


_get_or_create_eval_step = get_or_create_eval_step  # what tensorflow.python.training calls it


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    """The newest checkpoint once it is another than last_checkpoint; None when the time is over."""
    end = None if timeout is None else time.time() + timeout
    while True:
        found = tf.train.latest_checkpoint(checkpoint_dir)
        if found is not None and found != last_checkpoint:
            return found
        if end is not None and time.time() + seconds_to_sleep > end:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """Gives checkpoints as they appear."""
    last = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, last, timeout=timeout)
        if found is None:
            if not timeout_fn or timeout_fn():
                return
            continue
        start, last = time.time(), found
        yield found
        left = start + min_interval_secs - time.time()
        if left > 0:
            time.sleep(left)


class StopAfterNEvalsHook(SessionRunHook):
    """Asks for a stop after a number of evaluation steps."""

    def __init__(self, num_evals, log_progress=True):
        self._num_evals, self._evals_completed, self._log_progress = num_evals, None, log_progress

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._evals_completed = updated_eval_step

    def before_run(self, run_context):
        return tf.train.SessionRunArgs({'evals_completed': self._evals_completed})

    def after_run(self, run_context, run_values):
        done = run_values.results['evals_completed']
        if self._log_progress and (self._num_evals is None or done % max(self._num_evals // 10, 1) == 0 or done == self._num_evals):
            tf.logging.info('Evaluation [%d%s]', done, '' if self._num_evals is None else '/%d' % self._num_evals)
        if self._num_evals is not None and done >= self._num_evals:
            run_context.request_stop()


class SummaryAtEndHook(SessionRunHook):
    """Writes summaries when the session ends."""

    def __init__(self, log_dir=None, summary_writer=None, summary_op=None, feed_dict=None):
        self._summary_op, self._feed_dict, self._log_dir, self._summary_writer = summary_op, feed_dict, log_dir, summary_writer
        if log_dir is None and summary_writer is None:
            raise ValueError('log_dir and summary_writer cannot both be None.')
        self._global_step = None

    def begin(self):
        if self._summary_op is None:
            self._summary_op = tf.summary.merge_all()
        self._global_step = tf.train.get_or_create_global_step()

    def end(self, session):
        if self._summary_writer is None:
            self._summary_writer = tf.summary.FileWriterCache.get(self._log_dir)
        if self._summary_op is not None:
            step = tf.train.global_step(session, self._global_step)
            self._summary_writer.add_summary(session.run(self._summary_op, self._feed_dict), step)
        self._summary_writer.flush()


def evaluate_once(checkpoint_path, master='', scaffold=None, eval_ops=None, feed_dict=None, final_ops=None,
                  final_ops_feed_dict=None, hooks=None, config=None):
    """Restores a checkpoint, runs eval_ops until a hook stops them, and returns what final_ops give."""
    eval_step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        step = tf.assign_add(eval_step, 1, use_locking=True)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(step)
        if isinstance(eval_ops, dict):
            eval_ops = dict(eval_ops, update_eval_step=step)
        elif isinstance(eval_ops, (tuple, list)):
            eval_ops = list(eval_ops) + [step]
        else:
            eval_ops = [eval_ops, step]
    final = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    creator = tf.train.ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master,
                                           config=config)
    with tf.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
    return final.final_ops_values


def evaluate_repeatedly(checkpoint_dir, master='', scaffold=None, eval_ops=None, feed_dict=None, final_ops=None,
                        final_ops_feed_dict=None, eval_interval_secs=60, hooks=None, config=None, max_number_of_evaluations=None,
                        timeout=None, timeout_fn=None):
    found, count = None, 0
    for path in checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn):
        found = evaluate_once(path, master, scaffold, eval_ops, feed_dict, final_ops, final_ops_feed_dict, hooks, config)
        count += 1
        if max_number_of_evaluations is not None and count >= max_number_of_evaluations:
            break
    return found


# ---- buckets -----------------------------------------------------------------------------------

def _rank_of_rows(sparse):
    """The rank of a batch of such sparse tensors, where it is known."""
    return None if sparse.get_shape().ndims is None else sparse.get_shape().ndims + 1


def bucket(tensors, which_bucket, batch_size, num_buckets, num_threads=1, capacity=32, bucket_capacities=None, shapes=None,
           dynamic_pad=False, allow_smaller_final_batch=False, keep_input=True, shared_name=None, name=None):
    """Batches of examples of one bucket each: (bucket, tensors)."""
    keys = sorted(tensors) if isinstance(tensors, dict) else None
    flat = [tensors[key] for key in keys] if keys is not None else list(tensors)
    sizes = list(batch_size) if isinstance(batch_size, (list, tuple)) else [batch_size] * num_buckets
    capacities = bucket_capacities or [capacity] * num_buckets
    with tf.name_scope(name, 'bucket', flat):
        sparse = {i: item for i, item in enumerate(flat) if isinstance(item, tf.SparseTensor)}
        flat = [tf.serialize_sparse(item) if i in sparse else tf.convert_to_tensor(item) for i, item in enumerate(flat)]
        if len(capacities) != num_buckets:
            raise ValueError('The list bucket_capacities (%s) must have exactly num_buckets (%d) elements.' % (capacities, num_buckets))
        shapes = [item.get_shape() for item in flat] if shapes is None else shapes
        kinds = [item.dtype for item in flat]
        make = tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue
        queues = [make(capacity=room, dtypes=kinds, shapes=shapes, name='bucket_queue_%d' % i) for i, room in enumerate(capacities)]
        same = all(size == sizes[0] for size in sizes)
        rows = [tf.TensorShape([sizes[0] if same and not allow_smaller_final_batch else None]).concatenate(shape) for shape in shapes]
        top = tf.PaddingFIFOQueue(capacity=capacity, dtypes=[tf.int32] + kinds, shapes=[tf.TensorShape([])] + rows, name='top_queue')

        def enqueue():
            return tf.group(*[tf.cond(tf.equal(which_bucket, i), lambda q=queue: q.enqueue(flat), tf.no_op)
                              for i, queue in enumerate(queues)])
        if isinstance(keep_input, bool):
            given = enqueue() if keep_input else tf.no_op()
        else:
            given = tf.cond(keep_input, enqueue, tf.no_op)
        with tf.control_dependencies([given]):
            given = tf.no_op()
        closes = tf.group(*[queue.close() for queue in queues])
        cancels = tf.group(*[queue.close(cancel_pending_enqueues=True) for queue in queues])
        tf.train.add_queue_runner(tf.train.QueueRunner(queues[0], [given] * num_threads, closes, cancels))
        moves = []
        for i, (queue, size) in enumerate(zip(queues, sizes)):
            drawn = queue.dequeue_up_to(size) if allow_smaller_final_batch else queue.dequeue_many(size)
            drawn = drawn if isinstance(drawn, (list, tuple)) else [drawn]
            moves.append(top.enqueue([tf.constant(i, tf.int32)] + list(drawn)))
        tf.train.add_queue_runner(tf.train.QueueRunner(top, moves, top.close(), top.close(cancel_pending_enqueues=True)))
        found = top.dequeue()
        which, batched = found[0], [
            tf.deserialize_many_sparse(item, sparse[i].dtype, _rank_of_rows(sparse[i])) if i in sparse else item
            for i, item in enumerate(found[1:])]
        return which, dict(zip(keys, batched)) if keys is not None else list(batched)


def bucket_by_sequence_length(input_length, tensors, batch_size, bucket_boundaries, num_threads=1, capacity=32,
                              bucket_capacities=None, shapes=None, dynamic_pad=False, allow_smaller_final_batch=False,
                              keep_input=True, shared_name=None, name=None):
    """Batches of sequences of about one length: (lengths, tensors)."""
    with tf.name_scope(name, 'bucket_by_sequence_length', [input_length]):
        input_length = tf.convert_to_tensor(input_length, dtype=tf.int32)
        edges = list(bucket_boundaries)
        low, high = [-2 ** 31] + edges, edges + [2 ** 31 - 1]
        inside = tf.logical_and(tf.less_equal(tf.constant(low, tf.int32), input_length), tf.less(input_length, tf.constant(high, tf.int32)))
        which = tf.to_int32(tf.reduce_min(tf.where(inside)))
        if shapes is not None:
            shapes = [tf.TensorShape([])] + list(shapes)
        keyed = isinstance(tensors, dict)
        keys = sorted(tensors) if keyed else None
        flat = [tensors[key] for key in keys] if keyed else list(tensors)
        _, found = bucket([input_length] + flat, which, batch_size, len(edges) + 1, num_threads, capacity, bucket_capacities, shapes,
                          dynamic_pad, allow_smaller_final_batch, keep_input, shared_name)
        return found[0], dict(zip(keys, found[1:])) if keyed else found[1:]
