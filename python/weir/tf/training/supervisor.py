"""Supervisor: a session with checkpoints, summaries and queue runners by threads of its own; before monitored sessions."""
import contextlib
import os
import time

from .. import errors, tf_logging as logging, variables
from ..control_flow_ops import group
from ..event_writer import FileWriter
from ..graph import get_default_graph
from ..scopes import GraphKeys, add_to_collection, get_collection
from . import session_manager as sm
from . import training_util
from .coordinator import Coordinator, LooperThread
from .saver import Saver, export_meta_graph


class Supervisor:
    """The chief initializes or restores, saves and writes summaries; other workers wait for it."""
    USE_DEFAULT = 0

    def __init__(self, graph=None, ready_op=USE_DEFAULT, ready_for_local_init_op=USE_DEFAULT, is_chief=True, init_op=USE_DEFAULT,
                 init_feed_dict=None, local_init_op=USE_DEFAULT, logdir=None, summary_op=USE_DEFAULT, saver=USE_DEFAULT,
                 global_step=USE_DEFAULT, save_summaries_secs=120, save_model_secs=600, recovery_wait_secs=30, stop_grace_secs=120,
                 checkpoint_basename='model.ckpt', session_manager=None, summary_writer=USE_DEFAULT, init_fn=None,
                 local_init_run_options=None):
        self._graph = graph if graph is not None else get_default_graph()
        with self._graph.as_default():
            self._init_ready_op(ready_op, ready_for_local_init_op)
            self._init_op = self._settled(init_op, GraphKeys.INIT_OP, variables.global_variables_initializer)
            self._init_feed_dict = init_feed_dict
            self._local_init_op = self._settled(local_init_op, GraphKeys.LOCAL_INIT_OP, self._default_local_init_op)
            self._saver = self._settled(saver, GraphKeys.SAVERS, lambda: Saver() if variables.global_variables() else None)
            self._summary_op = self._settled(summary_op, GraphKeys.SUMMARY_OP, self._default_summary_op)
            self._global_step = self._settled(global_step, GraphKeys.GLOBAL_STEP, self._default_global_step)
        self._is_chief, self._coord = is_chief, Coordinator()
        self._recovery_wait_secs, self._stop_grace_secs = recovery_wait_secs, stop_grace_secs
        self._init_fn, self._local_init_run_options = init_fn, local_init_run_options
        self._logdir = self._save_path = self._summary_writer = self._save_summaries_secs = self._save_model_secs = None
        if is_chief:
            self._logdir, self._save_summaries_secs, self._save_model_secs = logdir, save_summaries_secs, save_model_secs
            self._save_path = os.path.join(logdir, checkpoint_basename) if logdir else None
            self._summary_writer = summary_writer
            if summary_writer is Supervisor.USE_DEFAULT:
                self._summary_writer = FileWriter(logdir) if logdir else None
        self._graph_added_to_summary = False
        self._init_session_manager(session_manager)
        self._verify_setup()
        self._graph.finalize()

    # ---- what is given, found or made ----

    @staticmethod
    def _settled(given, key, make):
        if given is not Supervisor.USE_DEFAULT or isinstance(given, bool):
            return given
        found = get_collection(key)
        if found:
            if len(found) > 1:
                logging.info('Found %d %s operations. Returning the first one.', len(found), key)
            return found[0]
        made = make()
        if made is not None:
            add_to_collection(key, made)
        return made

    def _init_ready_op(self, ready_op, ready_for_local_init_op):
        self._ready_op = self._settled(ready_op, GraphKeys.READY_OP, variables.report_uninitialized_variables)
        self._ready_for_local_init_op = self._settled(ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None)

    @staticmethod
    def _default_local_init_op():
        tables = get_collection(GraphKeys.TABLE_INITIALIZERS)
        if variables.local_variables() or tables:
            return group(variables.local_variables_initializer(), *tables)
        return None

    @staticmethod
    def _default_summary_op():
        from ..summary import merge_all
        return merge_all()

    @staticmethod
    def _default_global_step():
        try:
            step = get_default_graph().get_tensor_by_name('global_step:0')
        except KeyError:
            return None
        if step.dtype.base_dtype.is_integer:
            return step
        logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
        return None

    def _init_session_manager(self, session_manager):
        self._session_manager = session_manager or sm.SessionManager(
            local_init_op=self._local_init_op, ready_op=self._ready_op, ready_for_local_init_op=self._ready_for_local_init_op,
            graph=self._graph, recovery_wait_secs=self._recovery_wait_secs, local_init_run_options=self._local_init_run_options)

    def _verify_setup(self):
        if self._is_chief:
            return
        for op in self._graph.get_operations():
            if op.type in ('Variable', 'VariableV2') and not op.device:
                raise ValueError('When using replicas, all Variables must have their device set: %s' % op)

    is_chief = property(lambda self: self._is_chief)
    session_manager = property(lambda self: self._session_manager)
    coord = property(lambda self: self._coord)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    summary_writer = property(lambda self: self._summary_writer)
    summary_op = property(lambda self: self._summary_op)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    save_model_secs = property(lambda self: self._save_model_secs)
    saver = property(lambda self: self._saver)
    global_step = property(lambda self: self._global_step)
    save_path = property(lambda self: self._save_path)

    # ---- sessions ----

    def _write_graph(self):
        """The graph as a file and in the event file, once."""
        if self._logdir:
            training_util.write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, 'graph.pbtxt')
        if self._summary_writer and not self._graph_added_to_summary:
            self._summary_writer.add_graph(self._graph)
            saver_def = self._saver.saver_def if self._saver else None
            self._summary_writer.add_meta_graph(export_meta_graph(graph=self._graph, saver_def=saver_def))
            self._graph_added_to_summary = True

    def prepare_or_wait_for_session(self, master='', config=None, wait_for_checkpoint=False, max_wait_secs=7200,
                                    start_standard_services=True):
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs, config=config,
                init_feed_dict=self._init_feed_dict, init_fn=self._init_fn)
            self._write_graph()
            if start_standard_services:
                logging.info('Starting standard services.')
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            logging.info('Starting queue runners.')
            self.start_queue_runners(sess)
        return sess

    def start_standard_services(self, sess):
        if not self._is_chief:
            raise RuntimeError('Only chief supervisor can start standard services. Because only chief supervisors can write events.')
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self._global_step is not None and self._summary_writer:
            self._log_session('START', training_util.global_step(sess, self._global_step))
        threads = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(SVSummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(SVStepCounterThread(self, sess))
        if self._saver and self._save_model_secs:
            threads.append(SVTimerCheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def _log_session(self, status, step=None, **fields):
        from ..messages import SessionLog
        self._summary_writer.add_session_log(SessionLog(status=SessionLog.SessionStatus.Value(status), **fields), step)

    def start_queue_runners(self, sess, queue_runners=None):
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        threads = []
        for runner in queue_runners:
            threads.extend(runner.create_threads(sess, coord=self._coord, daemon=True, start=True))
        return threads

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        looper = LooperThread(self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        self._coord.request_stop()
        try:
            self._coord.join(threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads)
        finally:
            if close_summary_writer and self._summary_writer:
                self._log_session('STOP')
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def request_stop(self, ex=None):
        self._coord.request_stop(ex=ex)

    def should_stop(self):
        return self._coord.should_stop()

    def stop_on_exception(self):
        return self._coord.stop_on_exception()

    def wait_for_stop(self):
        self._coord.wait_for_stop()

    def summary_computed(self, sess, summary, global_step=None):
        if not self._summary_writer:
            raise RuntimeError('Writing a summary requires a summary writer.')
        if global_step is None and self._global_step is not None:
            global_step = training_util.global_step(sess, self._global_step)
        self._summary_writer.add_summary(summary, global_step)

    @contextlib.contextmanager
    def managed_session(self, master='', config=None, start_standard_services=True, close_summary_writer=True):
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(master=master, config=config, start_standard_services=start_standard_services)
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    try:
                        sess.close()
                    except Exception:
                        pass

    # ---- names of before 1.0 ----

    PrepareSession, StartQueueRunners, StartStandardServices = prepare_or_wait_for_session, start_queue_runners, start_standard_services
    Stop, RequestStop, Loop, ShouldStop = stop, request_stop, loop, should_stop
    StopOnException, WaitForStop, SummaryComputed = stop_on_exception, wait_for_stop, summary_computed


class SVSummaryThread(LooperThread):
    """Writes the summaries every save_summaries_secs."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        if self._sv.global_step is not None:
            summaries, step = self._sess.run([self._sv.summary_op, self._sv.global_step])
        else:
            summaries, step = self._sess.run(self._sv.summary_op), None
        if self._sv.summary_writer:
            logging.info('Recording summary at step %s.', step)
            self._sv.summary_writer.add_summary(summaries, step)


class SVStepCounterThread(LooperThread):
    """Logs steps a second every save_summaries_secs."""

    def __init__(self, sv, sess, step_counter=None):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess
        self._step_counter = sv.global_step if step_counter is None else step_counter
        self._summary_tag = '%s/sec' % self._step_counter.op.name
        self._last_time, self._last_step = 0.0, 0

    def start_loop(self):
        self._last_time, self._last_step = time.time(), training_util.global_step(self._sess, self._step_counter)

    def run_loop(self):
        step, now = training_util.global_step(self._sess, self._step_counter), time.time()
        elapsed = now - self._last_time
        rate = (step - self._last_step) / elapsed if elapsed else float('inf')
        self._last_time, self._last_step = now, step
        if self._sv.summary_writer:
            from ..messages import Summary
            self._sv.summary_writer.add_summary(Summary(value=[Summary.Value(tag=self._summary_tag, simple_value=rate)]), step)
        logging.log_first_n(logging.INFO, '%s: %g', 10, self._summary_tag, rate)


class SVTimerCheckpointThread(LooperThread):
    """Writes a checkpoint every save_model_secs."""

    def __init__(self, sv, sess):
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self):
        logging.info('Saving checkpoint to path %s', self._sv.save_path)
        self._sv.saver.save(self._sess, self._sv.save_path, global_step=self._sv.global_step)
        if self._sv.summary_writer and self._sv.global_step is not None:
            self._sv._log_session('CHECKPOINT', training_util.global_step(self._sess, self._sv.global_step),
                                  checkpoint_path=self._sv.save_path)


def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=''):
    """Calls train_step_fn(session, *args) until the supervisor stops; a lost task makes a new session."""
    args, kwargs = args or [], kwargs or {}
    stopped = False
    while not stopped:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *args, **kwargs)
            stopped = True
        except errors.AbortedError:
            stopped = False
