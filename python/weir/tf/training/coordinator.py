"""Coordinator: threads that stop together, and the first exception among them. LooperThread: one that calls again and again."""
import contextlib
import sys
import threading
import time

from .. import errors, tf_logging as logging

_POLL = 0.1  # seconds between two looks at threads that nothing announces the end of


class Coordinator:
    """Threads ask should_stop(); whoever calls request_stop() stops all; join() waits and raises what one of them reported."""

    def __init__(self, clean_stop_exception_types=None):
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (errors.OutOfRangeError,)
        self._clean_stop_exception_types = tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._exc_info_to_raise, self._joined = None, False
        self._registered_threads = set()

    def _filter_exception(self, ex):
        """None in place of an exception that only means the end of the input."""
        error = ex[1] if isinstance(ex, tuple) else ex
        return None if isinstance(error, self._clean_stop_exception_types) else ex

    def request_stop(self, ex=None):
        with self._lock:
            ex = self._filter_exception(ex)
            if self._joined:
                if ex is not None:
                    raise ex[1] if isinstance(ex, tuple) else ex
                return
            if self._stop_event.is_set():
                return
            if ex is not None and self._exc_info_to_raise is None:
                error = ex[1] if isinstance(ex, tuple) else ex
                logging.info('Error reported to Coordinator: %s, %s', type(error), error)
                self._exc_info_to_raise = ex if isinstance(ex, tuple) else (type(ex), ex, ex.__traceback__)
                if len(self._exc_info_to_raise) != 3 or not isinstance(self._exc_info_to_raise[1], BaseException):
                    self._exc_info_to_raise = None
                    self._stop_event.set()
                    raise ValueError('ex must be a tuple or sys.exc_info for the current exception: %s' % (ex,))
            self._stop_event.set()

    def clear_stop(self):
        with self._lock:
            self._joined, self._exc_info_to_raise = False, None
            self._stop_event.clear()

    def should_stop(self):
        return self._stop_event.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self):
        try:
            yield
        except BaseException:
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout=None):
        return self._stop_event.wait(timeout)

    def register_thread(self, thread):
        with self._lock:
            self._registered_threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        with self._lock:
            threads = list(self._registered_threads | set(threads or ()))
        while any(thread.is_alive() for thread in threads) and not self.wait_for_stop(_POLL):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in threads:
            if thread is not threading.current_thread() and thread.is_alive():
                thread.join(max(0, end - time.monotonic()))
        self._finish([thread.name for thread in threads if thread.is_alive()], ignore_live_threads)

    def _finish(self, stragglers, ignore_live_threads):
        with self._lock:
            self._joined, self._registered_threads = True, set()
            if self._exc_info_to_raise:
                raise self._exc_info_to_raise[1].with_traceback(self._exc_info_to_raise[2])
        if stragglers and ignore_live_threads:
            logging.info('Coordinator stopped with threads still running: %s', ' '.join(stragglers))
        elif stragglers:
            raise RuntimeError('Coordinator stopped with threads still running: %s' % ' '.join(stragglers))

    @property
    def joined(self):
        return self._joined

    def raise_requested_exception(self):
        with self._lock:
            if self._exc_info_to_raise:
                raise self._exc_info_to_raise[1].with_traceback(self._exc_info_to_raise[2])


class LooperThread(threading.Thread):
    """Calls run_loop, or a given target, every few seconds until its coordinator stops."""

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError("'coord' argument must be a Coordinator: %s" % coord)
        super().__init__()
        self.daemon = True
        self._coord, self._timer_interval_secs = coord, timer_interval_secs
        self._target = target
        if target:
            self._args, self._kwargs = args or (), kwargs or {}
        elif args or kwargs:
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self):
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._timer_interval_secs is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                due = time.time()
                while not self._coord.wait_for_stop(max(0, due - time.time())):
                    due += self._timer_interval_secs
                    self.run_loop()
            self.stop_loop()

    def start_loop(self):
        """Called when the thread starts."""

    def stop_loop(self):
        """Called when the thread stops."""

    def run_loop(self):
        if self._target:
            self._target(*self._args, **self._kwargs)
