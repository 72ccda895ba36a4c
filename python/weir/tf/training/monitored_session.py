"""Monitored sessions: hooks around steps, queue runners, and recovery when a task of the cluster was lost."""
import abc
import inspect

from .. import errors, tf_logging as logging
from ..graph import get_default_graph
from ..scopes import GraphKeys, get_collection
from . import queue_runner_impl as queue_runner
from . import session_manager as sm
from .basic_session_run_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from .coordinator import Coordinator
from .scaffold import Scaffold
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunValues

USE_DEFAULT = object()
_PREEMPTION_ERRORS = (errors.AbortedError, errors.UnavailableError)


def _chosen(steps, secs, default_steps, default_secs):
    """(steps, seconds) when either may be left to its default."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default_steps, default_secs
    return None if steps is USE_DEFAULT else steps, None if secs is USE_DEFAULT else secs


def MonitoredTrainingSession(master='', is_chief=True, checkpoint_dir=None, scaffold=None, hooks=None, chief_only_hooks=None,
                             save_checkpoint_secs=USE_DEFAULT, save_summaries_steps=USE_DEFAULT, save_summaries_secs=USE_DEFAULT,
                             config=None, stop_grace_period_secs=120, log_step_count_steps=100, max_wait_secs=7200,
                             save_checkpoint_steps=USE_DEFAULT, summary_dir=None):
    summary_steps, summary_secs = _chosen(save_summaries_steps, save_summaries_secs, 100, None)
    checkpoint_steps, checkpoint_secs = _chosen(save_checkpoint_steps, save_checkpoint_secs, None, 600)
    scaffold = scaffold or Scaffold()
    if not is_chief:
        creator = WorkerSessionCreator(scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs)
        return MonitoredSession(session_creator=creator, hooks=hooks or [], stop_grace_period_secs=stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or [])
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir and log_step_count_steps and log_step_count_steps > 0:
        all_hooks.append(StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps))
    if summary_dir and (summary_steps and summary_steps > 0 or summary_secs and summary_secs > 0):
        all_hooks.append(SummarySaverHook(scaffold=scaffold, save_steps=summary_steps, save_secs=summary_secs, output_dir=summary_dir))
    if checkpoint_dir and (checkpoint_secs and checkpoint_secs > 0 or checkpoint_steps and checkpoint_steps > 0):
        all_hooks.append(CheckpointSaverHook(checkpoint_dir, save_steps=checkpoint_steps, save_secs=checkpoint_secs, scaffold=scaffold))
    all_hooks.extend(hooks or [])
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config)
    return MonitoredSession(session_creator=creator, hooks=all_hooks, stop_grace_period_secs=stop_grace_period_secs)


# ---- makers of sessions ----

class SessionCreator(metaclass=abc.ABCMeta):
    """Makes a session; called again after each recovery."""

    @abc.abstractmethod
    def create_session(self):
        raise NotImplementedError('create_session is not implemented for %s.' % self)


class _Creator(SessionCreator):
    def __init__(self, scaffold, master, config):
        self._scaffold, self._session_manager = scaffold or Scaffold(), None
        self._master, self._config = master, config

    def _get_session_manager(self):
        if self._session_manager is None:
            self._session_manager = sm.SessionManager(
                local_init_op=self._scaffold.local_init_op, ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op, graph=get_default_graph())
        return self._session_manager


class ChiefSessionCreator(_Creator):
    """Restores a checkpoint, or initializes."""

    def __init__(self, scaffold=None, master='', config=None, checkpoint_dir=None, checkpoint_filename_with_path=None):
        super().__init__(scaffold, master, config)
        self._checkpoint_dir, self._checkpoint_filename_with_path = checkpoint_dir, checkpoint_filename_with_path

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master, saver=self._scaffold.saver, checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path, config=self._config,
            init_op=self._scaffold.init_op, init_feed_dict=self._scaffold.init_feed_dict, init_fn=self._scaffold.init_fn)


class WorkerSessionCreator(_Creator):
    """Waits until the chief has initialized."""

    def __init__(self, scaffold=None, master='', config=None, max_wait_secs=1800):
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)


# ---- sessions within sessions ----

class _WrappedSession:
    """A session around another, which may be gone."""

    def __init__(self, sess):
        self._sess = sess
        self._wrapped_is_stoppable = isinstance(sess, _WrappedSession)

    @property
    def graph(self):
        return self._sess.graph

    @property
    def sess_str(self):
        return self._sess.sess_str

    def should_stop(self):
        if self._check_stop():
            return True
        if self._sess is None:
            return True
        return self._wrapped_is_stoppable and self._sess.should_stop()

    def _check_stop(self):
        return False

    def close(self):
        if self._sess is None:
            return
        try:
            self._sess.close()
        except _PREEMPTION_ERRORS as error:
            logging.warning('An error occurred when attempting to close the session. This may be due to a preemption in a '
                            'connected worker or parameter server. Error: %s', error)
        finally:
            self._sess = None

    def run(self, *args, **kwargs):
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        run_with_hooks = run_with_hooks or self.run
        return step_fn(_StepContext(raw_session, run_with_hooks))


class _StepContext:
    """What a function of run_step_fn gets."""

    def __init__(self, session, run_with_hooks_fn):
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    session = property(lambda self: self._session)

    def run_with_hooks(self, *args, **kwargs):
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self):
        raise StopIteration('step_fn has requested the iterations to stop.')


class _HookedSession(_WrappedSession):
    """Calls hooks around each step."""

    def __init__(self, sess, hooks):
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self):
        return self._should_stop

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self.should_stop():
            raise RuntimeError('Run called even after should_stop requested.')
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        wanted, feeds, options = self._before_run(context, feed_dict, options)
        metadata = run_metadata
        if metadata is None and options is not None and options.trace_level:
            metadata = _run_metadata()
        asked = [hook for hook in self._hooks if hook in wanted]
        outputs = self._sess.run([fetches] + [wanted[hook] for hook in asked], feeds, options, metadata)
        values = dict(zip(asked, outputs[1:]))
        options, metadata = options or _run_options(), metadata or _run_metadata()
        for hook in self._hooks:
            hook.after_run(context, SessionRunValues(values.get(hook), options, metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return outputs[0]

    def _before_run(self, context, feed_dict, options):
        """({hook: fetches}, feeds of all, options of all)"""
        wanted, hook_feeds = {}, {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[hook] = request.fetches
            if request.feed_dict:
                if set(hook_feeds) & set(request.feed_dict):
                    raise RuntimeError('Same tensor is fed by two hooks.')
                hook_feeds.update(request.feed_dict)
            if request.options:
                options = _merged(options, request.options)
        if not hook_feeds:
            return wanted, feed_dict, options
        if feed_dict and set(feed_dict) & set(hook_feeds):
            raise RuntimeError('Same tensor is fed by a SessionRunHook and user.')
        hook_feeds.update(feed_dict or {})
        return wanted, hook_feeds, options


def _run_options():
    from ..messages import RunOptions
    return RunOptions()


def _run_metadata():
    from ..messages import RunMetadata
    return RunMetadata()


def _merged(options, more):
    """Options that ask for what either asks."""
    from ..messages import RunOptions
    merged = RunOptions()
    if options is not None:
        merged.CopyFrom(options)
    merged.trace_level = max(merged.trace_level, more.trace_level)
    merged.timeout_in_ms = max(merged.timeout_in_ms, more.timeout_in_ms)
    if more.inter_op_thread_pool:
        merged.inter_op_thread_pool = more.inter_op_thread_pool
    merged.output_partition_graphs = merged.output_partition_graphs or more.output_partition_graphs
    return merged


class _CoordinatedSession(_WrappedSession):
    """Stops its threads when it is closed, and raises what one of them reported."""

    def __init__(self, sess, coord, stop_grace_period_secs=120):
        super().__init__(sess)
        self._coord, self._stop_grace_period_secs = coord, stop_grace_period_secs

    def _check_stop(self):
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True)
        finally:
            try:
                super().close()
            except Exception:
                pass

    def run(self, *args, **kwargs):
        try:
            return self._sess.run(*args, **kwargs)
        except _PREEMPTION_ERRORS:
            raise
        except Exception:
            # The step may have failed because a thread did: its error says more.
            self._coord.raise_requested_exception()
            raise


class _RecoverableSession(_WrappedSession):
    """Makes a new session when a task of the cluster was lost, and runs the step again."""

    def __init__(self, sess_creator):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self):
        while True:
            try:
                return self._sess_creator.create_session()
            except _PREEMPTION_ERRORS as error:
                logging.info('An error was raised while a session was being created. This may be due to a preemption of a '
                             'connected worker or parameter server. A new session will be created. Error: %s', error)

    def _lose(self, error):
        logging.info('An error was raised. This may be due to a preemption in a connected worker or parameter server. The '
                     'current session will be closed and a new session will be created. Error: %s', error)
        self.close()
        self._sess = None

    def _check_stop(self):
        try:
            return self._sess._check_stop() if self._sess else False
        except _PREEMPTION_ERRORS as error:
            self._lose(error)
            self._sess = self._create_session()
            return False
        except Exception:
            return True

    def should_stop(self):
        if self._check_stop():
            return True
        return self._sess.should_stop() if self._sess else False

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)
            except _PREEMPTION_ERRORS as error:
                self._lose(error)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return self._sess.run_step_fn(step_fn, raw_session, run_with_hooks=None)
            except _PREEMPTION_ERRORS as error:
                self._lose(error)


class _CoordinatedSessionCreator(SessionCreator):
    """A session with queue runners and hooks around it."""

    def __init__(self, session_creator, hooks, stop_grace_period_secs):
        self._session_creator, self._hooks = session_creator, hooks
        self.coord = self.tf_sess = None
        self._stop_grace_period_secs = stop_grace_period_secs

    def create_session(self):
        self.tf_sess = self._session_creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])
        if get_collection(GraphKeys.QUEUE_RUNNERS):
            queue_runner.start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return _CoordinatedSession(_HookedSession(self.tf_sess, self._hooks), self.coord, self._stop_grace_period_secs)


# ---- what programs use ----

class _MonitoredSession:
    """A session with hooks."""

    def __init__(self, session_creator, hooks, should_recover, stop_grace_period_secs=120):
        self._graph_was_finalized = get_default_graph().finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = _CoordinatedSessionCreator(session_creator or ChiefSessionCreator(), self._hooks,
                                                               stop_grace_period_secs)
        self._sess = _RecoverableSession(self._coordinated_creator) if should_recover else self._coordinated_creator.create_session()

    @property
    def graph(self):
        return None if self._tf_sess() is None else self._tf_sess().graph

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self._sess is None:
            raise RuntimeError('Attempted to use a closed MonitoredSession.')
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn):
        arguments = list(inspect.signature(step_fn).parameters)
        if arguments not in (['step_context'], ['self', 'step_context']):
            raise ValueError('`step_fn` may either have one `step_context` argument, or two arguments, `self` and `step_context`. '
                             'Got: %s' % arguments)
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def should_stop(self):
        return self._sess is None or self._sess.should_stop()

    def close(self):
        self._close_internal()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception_value, traceback):
        if exception_type in (errors.OutOfRangeError, StopIteration):
            exception_type = None
        self._close_internal(exception_type)
        return exception_type is None

    def _close_internal(self, exception_type=None):
        try:
            if not exception_type:
                for hook in self._hooks:
                    hook.end(self._coordinated_creator.tf_sess)
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError('Session is already closed.')
                self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    get_default_graph()._unsafe_unfinalize()

    def _is_closed(self):
        return self._coordinated_creator.tf_sess is None

    def _tf_sess(self):
        return self._coordinated_creator.tf_sess


class MonitoredSession(_MonitoredSession):
    """A session with hooks that recovers when a task was lost."""

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, should_recover=True, stop_grace_period_secs=stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A session with hooks that does not recover; its session can be had."""

    def __init__(self, hooks=None, scaffold=None, master='', config=None, checkpoint_dir=None, stop_grace_period_secs=120,
                 checkpoint_filename_with_path=None):
        creator = ChiefSessionCreator(scaffold=scaffold, master=master, config=config, checkpoint_dir=checkpoint_dir,
                                      checkpoint_filename_with_path=checkpoint_filename_with_path)
        super().__init__(creator, hooks, should_recover=False, stop_grace_period_secs=stop_grace_period_secs)

    def raw_session(self):
        return self._tf_sess()
