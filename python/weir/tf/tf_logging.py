"""tf.logging on Python's logging: the logger `tensorflow`, which starts at WARN."""
import logging
import sys
import threading

DEBUG, INFO, WARN, ERROR, FATAL = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL

_lock = threading.Lock()
_logger = None
_counts = {}


def get_logger():
    """The logger; with a handler of its own where the program has set up none."""
    global _logger
    with _lock:
        if _logger is None:
            made = logging.getLogger('tensorflow')
            if made.level == logging.NOTSET:
                made.setLevel(WARN)
            if not logging.getLogger().handlers and not made.handlers:
                handler = logging.StreamHandler(sys.stderr)
                handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
                made.addHandler(handler)
                made.propagate = False
            _logger = made
    return _logger


def log(level, msg, *args, **kwargs):
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    get_logger().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    get_logger().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    get_logger().warning(msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    get_logger().error(msg, *args, **kwargs)


def fatal(msg, *args, **kwargs):
    get_logger().critical(msg, *args, **kwargs)


def vlog(level, msg, *args, **kwargs):
    get_logger().log(level, msg, *args, **kwargs)


def set_verbosity(v):
    get_logger().setLevel(v)


def get_verbosity():
    return get_logger().getEffectiveLevel()


def flush():
    for handler in get_logger().handlers:
        handler.flush()


def _count():
    """How often the caller's caller has come to its line before."""
    frame = sys._getframe(2)
    key = frame.f_code, frame.f_lineno
    with _lock:
        count = _counts.get(key, 0)
        _counts[key] = count + 1
    return count


def log_every_n(level, msg, n, *args):
    log_if(level, msg, not _count() % n, *args)


def log_first_n(level, msg, n, *args):
    log_if(level, msg, _count() < n, *args)


def log_if(level, msg, condition, *args):
    if condition:
        log(level, msg, *args)


def TaskLevelStatusMessage(msg):
    error(msg)
