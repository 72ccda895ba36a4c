"""tf.contrib.slim.learning and evaluation: training and evaluation loops over a Supervisor or a session."""
import time

from ..public import tf
from . import training_more
from .training_more import (add_gradients_summaries, checkpoints_iterator, clip_gradient_norms,  # noqa: F401
                            multiply_gradients, wait_for_new_checkpoint)

_USE_DEFAULT = 0


def create_train_op(total_loss, optimizer, global_step=_USE_DEFAULT, update_ops=None, variables_to_train=None,
                    clip_gradient_norm=0, summarize_gradients=False, gate_gradients=1, aggregation_method=None,
                    colocate_gradients_with_ops=False, gradient_multipliers=None, check_numerics=True):
    def changed(grads):
        if gradient_multipliers:
            with tf.name_scope('multiply_grads'):
                grads = multiply_gradients(grads, gradient_multipliers)
        if clip_gradient_norm > 0:
            with tf.name_scope('clip_grads'):
                grads = clip_gradient_norms(grads, clip_gradient_norm)
        return grads
    return training_more.create_train_op(
        total_loss, optimizer, global_step, update_ops, variables_to_train, changed, summarize_gradients, gate_gradients,
        aggregation_method, colocate_gradients_with_ops, check_numerics)


def train_step(sess, train_op, global_step, train_step_kwargs):
    """One step: (loss, whether to stop)."""
    start = time.time()
    loss, step = sess.run([train_op, global_step])
    took = time.time() - start
    if 'should_log' in train_step_kwargs and sess.run(train_step_kwargs['should_log']):
        tf.logging.info('global step %d: loss = %.4f (%.3f sec/step)', step, loss, took)
    stop = sess.run(train_step_kwargs['should_stop']) if 'should_stop' in train_step_kwargs else False
    return loss, stop


def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_USE_DEFAULT, log_every_n_steps=1, graph=None, master='',
          is_chief=True, global_step=None, number_of_steps=None, init_op=_USE_DEFAULT, init_feed_dict=None,
          local_init_op=_USE_DEFAULT, init_fn=None, ready_op=_USE_DEFAULT, summary_op=_USE_DEFAULT, save_summaries_secs=600,
          summary_writer=_USE_DEFAULT, startup_delay_steps=0, saver=None, save_interval_secs=600, sync_optimizer=None,
          session_config=None, session_wrapper=None, trace_every_n_steps=None, ignore_live_threads=False):
    """Trains until number_of_steps under a Supervisor; the last loss."""
    if train_op is None:
        raise ValueError('train_op cannot be None.')
    if logdir is None:
        if summary_op != _USE_DEFAULT and summary_op is not None:
            raise ValueError('Cannot provide summary_op because logdir=None')
        if saver is not None:
            raise ValueError('Cannot provide saver because logdir=None')
        summary_writer = None
    graph = graph or tf.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = tf.train.get_or_create_global_step()
        saver = saver or tf.train.Saver()
        if init_op == _USE_DEFAULT:
            init_op = tf.global_variables_initializer()
        if ready_op == _USE_DEFAULT:
            ready_op = tf.report_uninitialized_variables()
        if summary_op == _USE_DEFAULT:
            summary_op = tf.summary.merge_all()
        if local_init_op == _USE_DEFAULT:
            local_init_op = tf.group(tf.local_variables_initializer(), tf.tables_initializer())
        extra = {}
        if sync_optimizer is not None:
            hook = [sync_optimizer] if not isinstance(sync_optimizer, (list, tuple)) else list(sync_optimizer)
            if is_chief:
                extra['ready_for_local_init_op'] = hook[0].ready_for_local_init_op
                local_init_op = tf.group(local_init_op, *[item.chief_init_op for item in hook])
        if train_step_kwargs == _USE_DEFAULT:
            with tf.name_scope('train_step'):
                train_step_kwargs = {}
                train_step_kwargs['should_stop'] = tf.greater_equal(global_step, number_of_steps) if number_of_steps \
                    else tf.constant(False)
                if log_every_n_steps > 0:
                    train_step_kwargs['should_log'] = tf.equal(tf.mod(global_step, log_every_n_steps), 0)
                if is_chief and trace_every_n_steps is not None:
                    train_step_kwargs['should_trace'] = tf.equal(tf.mod(global_step, trace_every_n_steps), 0)
                    train_step_kwargs['logdir'] = logdir
    if summary_writer == _USE_DEFAULT:
        summary_writer = 0
    supervisor = tf.train.Supervisor(graph=graph, is_chief=is_chief, logdir=logdir, init_op=init_op, init_feed_dict=init_feed_dict,
                                     local_init_op=local_init_op, ready_op=ready_op, summary_op=None if summary_op is None else summary_op,
                                     global_step=global_step, saver=saver, save_summaries_secs=save_summaries_secs,
                                     save_model_secs=save_interval_secs, init_fn=init_fn, **extra,
                                     **({} if summary_writer == 0 else {'summary_writer': summary_writer}))
    loss = None
    with supervisor.managed_session(master, start_standard_services=False, config=session_config) as session:
        if session_wrapper is not None:
            session = session_wrapper(session)
        tf.logging.info('Starting Session.')
        if is_chief:
            if logdir:
                supervisor.start_standard_services(session)
        elif startup_delay_steps > 0:
            _wait_for_step(session, global_step, min(startup_delay_steps, number_of_steps or 2 ** 31))
        supervisor.start_queue_runners(session)
        if is_chief and sync_optimizer is not None:
            for item in hook:
                supervisor.start_queue_runners(session, [item.get_chief_queue_runner()])
                session.run(item.get_init_tokens_op())
        try:
            while not supervisor.should_stop():
                loss, stop = train_step_fn(session, train_op, global_step, train_step_kwargs)
                if stop:
                    tf.logging.info('Stopping Training.')
                    supervisor.request_stop()
                    break
        except tf.errors.OutOfRangeError as error:
            tf.logging.info('Caught OutOfRangeError. Stopping Training. %s', error)
        if logdir and supervisor.is_chief:
            tf.logging.info('Finished training! Saving model to disk.')
            supervisor.saver.save(session, supervisor.save_path, global_step=supervisor.global_step)
    return loss


def _wait_for_step(session, global_step, step):
    while session.run(global_step) < step:
        time.sleep(1)


# ---- evaluation --------------------------------------------------------------------------------

def _hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks):
    found = [training_more.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        found.append(training_more.SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=summary_op_feed_dict))
    return found + list(hooks or [])


def evaluate_once(master, checkpoint_path, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None, eval_op=None,
                  eval_op_feed_dict=None, final_op=None, final_op_feed_dict=None, summary_op=_USE_DEFAULT,
                  summary_op_feed_dict=None, variables_to_restore=None, session_config=None, hooks=None):
    if summary_op == _USE_DEFAULT:
        summary_op = tf.summary.merge_all()
    saver = tf.train.Saver(variables_to_restore or tf.contrib.framework.get_variables_to_restore())
    scaffold = tf.train.Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=saver)
    return training_more.evaluate_once(
        checkpoint_path, master=master, scaffold=scaffold, eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict, hooks=_hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks),
        config=session_config)


def evaluation_loop(master, checkpoint_dir, logdir, num_evals=1, initial_op=None, initial_op_feed_dict=None, init_fn=None,
                    eval_op=None, eval_op_feed_dict=None, final_op=None, final_op_feed_dict=None, summary_op=_USE_DEFAULT,
                    summary_op_feed_dict=None, variables_to_restore=None, eval_interval_secs=60, max_number_of_evaluations=None,
                    session_config=None, timeout=None, timeout_fn=None, hooks=None):
    if summary_op == _USE_DEFAULT:
        summary_op = tf.summary.merge_all()
    saver = tf.train.Saver(variables_to_restore or tf.contrib.framework.get_variables_to_restore())
    scaffold = tf.train.Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=saver)
    return training_more.evaluate_repeatedly(
        checkpoint_dir, master=master, scaffold=scaffold, eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict, eval_interval_secs=eval_interval_secs,
        max_number_of_evaluations=max_number_of_evaluations,
        hooks=_hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks), config=session_config, timeout=timeout,
        timeout_fn=timeout_fn)
