"""SessionManager: a session whose variables are ready, from a checkpoint, an initializer or another process."""
import time

import numpy as np

from .. import errors, tf_logging as logging
from ..graph import get_default_graph
from ..session import Session
from . import checkpoint_management

_FIRST_WAIT = 0.2  # seconds; doubled with every attempt up to recovery_wait_secs


def _ready(op, sess, what):
    """(true, None), or (false, why not): `op` names the variables that are not initialized."""
    if op is None:
        return True, None
    try:
        value = sess.run(op)
    except errors.FailedPreconditionError as error:
        if 'uninitialized' not in str(error):
            logging.warning('%s : error [%s]', what, str(error))
            raise
        return False, str(error)
    if value is None or value.dtype == np.int32 or value.size == 0:
        return True, None
    return False, 'Variables not initialized: ' + ', '.join(item.decode('utf-8') for item in np.ravel(value))


def _restorable_checkpoint_exists(folder):
    state = checkpoint_management.get_checkpoint_state(folder)
    return state if state and state.model_checkpoint_path else None


class SessionManager:
    """Makes sessions; the chief prepares, other workers wait."""

    def __init__(self, local_init_op=None, ready_op=None, ready_for_local_init_op=None, graph=None, recovery_wait_secs=30,
                 local_init_run_options=None, local_init_feed_dict=None):
        self._graph = graph or get_default_graph()
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._recovery_wait_secs = recovery_wait_secs
        self._target, self._local_init_run_options = None, local_init_run_options
        self._local_init_feed_dict = local_init_feed_dict
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError('If you pass a ready_for_local_init_op you must also pass a local_init_op , '
                             'ready_for_local_init_op [%s]' % ready_for_local_init_op)

    def _restore_checkpoint(self, master, saver, checkpoint_dir, path, wait_for_checkpoint, max_wait_secs, config):
        """(session, whether it was restored)"""
        self._target = master
        sess = Session(self._target, graph=self._graph, config=config)
        if checkpoint_dir and path:
            raise ValueError('Can not provide both checkpoint_dir and checkpoint_filename_with_path.')
        if not saver or not (checkpoint_dir or path):
            return sess, False
        if path:
            saver.restore(sess, path)
            return sess, True
        state = self._wait_for_checkpoint(checkpoint_dir, max_wait_secs if wait_for_checkpoint else 0)
        if state is None:
            return sess, False
        saver.restore(sess, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def _wait_for_checkpoint(self, folder, max_wait_secs):
        end = time.monotonic() + max_wait_secs
        state = _restorable_checkpoint_exists(folder)
        while state is None and time.monotonic() < end:
            logging.info('Waiting for checkpoint to be available.')
            time.sleep(max(0, min(self._recovery_wait_secs, end - time.monotonic())))
            state = _restorable_checkpoint_exists(folder)
        return state

    def prepare_session(self, master, init_op=None, saver=None, checkpoint_dir=None, checkpoint_filename_with_path=None,
                        wait_for_checkpoint=False, max_wait_secs=7200, config=None, init_feed_dict=None, init_fn=None):
        sess, loaded = self._restore_checkpoint(master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
                                                max_wait_secs, config)
        if not loaded:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError('Model is not initialized and no init_op or init_fn or local_init_op was given')
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        done, why = self._try_run_local_init_op(sess)
        if not done:
            raise RuntimeError('Init operations did not make model ready for local_init.  Init op: %s, init fn: %s, error: %s' %
                               (_names(init_op), init_fn, why))
        ready, why = self._model_ready(sess)
        if not ready:
            raise RuntimeError('Init operations did not make model ready.  Init op: %s, init fn: %s, local_init_op: %s, error: %s' %
                               (_names(init_op), init_fn, self._local_init_op, why))
        return sess

    def recover_session(self, master, saver=None, checkpoint_dir=None, checkpoint_filename_with_path=None,
                        wait_for_checkpoint=False, max_wait_secs=7200, config=None):
        sess, loaded = self._restore_checkpoint(master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
                                                max_wait_secs, config)
        done, why = self._try_run_local_init_op(sess)
        if not loaded:
            return sess, False
        if not done:
            logging.info('Restoring model from %s did not make model ready for local init: %s', checkpoint_dir, why)
            return sess, False
        ready, why = self._model_ready(sess)
        if not ready:
            logging.info('Restoring model from %s did not make model ready: %s', checkpoint_dir, why)
            return sess, False
        logging.info('Restored model from %s', checkpoint_dir)
        return sess, True

    def wait_for_session(self, master, config=None, max_wait_secs=float('inf')):
        self._target = master
        end = time.monotonic() + (float('inf') if max_wait_secs is None else max_wait_secs)
        wait = min(_FIRST_WAIT, self._recovery_wait_secs)
        while True:
            sess = Session(self._target, graph=self._graph, config=config)
            ready, why = self._try_run_local_init_op(sess)
            if ready:
                ready, why = self._model_ready(sess)
                if ready:
                    return sess
            self._safe_close(sess)
            if time.monotonic() + wait > end:
                raise errors.DeadlineExceededError(None, None, 'Session was not ready after waiting %s secs.' % (max_wait_secs,))
            logging.info('Waiting for model to be ready: %s', why)
            time.sleep(wait)
            wait = min(2 * wait, self._recovery_wait_secs)

    @staticmethod
    def _safe_close(sess):
        try:
            sess.close()
        except Exception:
            pass

    def _model_ready(self, sess):
        return _ready(self._ready_op, sess, 'Model not ready')

    def _model_ready_for_local_init(self, sess):
        return _ready(self._ready_for_local_init_op, sess, 'Model not ready for local init')

    def _try_run_local_init_op(self, sess):
        if self._local_init_op is None:
            return True, None
        ready, why = self._model_ready_for_local_init(sess)
        if not ready:
            return False, why
        logging.info('Running local_init_op.')
        sess.run(self._local_init_op, feed_dict=self._local_init_feed_dict, options=self._local_init_run_options)
        logging.info('Done running local_init_op.')
        return True, None


def _names(init_op):
    if isinstance(init_op, (list, tuple)):
        return [getattr(item, 'name', item) for item in init_op]
    return getattr(init_op, 'name', init_op)
