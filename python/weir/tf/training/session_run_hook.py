"""SessionRunHook and what it is called with."""
import collections


class SessionRunHook:
    """What is done around the steps of a monitored session. All methods do nothing here."""

    def begin(self):
        """Before the session is made; nodes may still be added."""

    def after_create_session(self, session, coord):
        """After a session was made, again after each recovery."""

    def before_run(self, run_context):
        """Before a step: SessionRunArgs of what to fetch and feed beside the program's own, or None."""
        return None

    def after_run(self, run_context, run_values):
        """After a step, with the values of what before_run asked for."""

    def end(self, session):
        """At the end, unless an exception ended it."""


class SessionRunArgs(collections.namedtuple('SessionRunArgs', ['fetches', 'feed_dict', 'options'])):
    """What a hook adds to a step."""

    def __new__(cls, fetches, feed_dict=None, options=None):
        return super().__new__(cls, fetches, feed_dict, options)


SessionRunValues = collections.namedtuple('SessionRunValues', ['results', 'options', 'run_metadata'])


class SessionRunContext:
    """The step that a hook is called for."""

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        self._stop_requested = True
