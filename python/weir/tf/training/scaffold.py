"""Scaffold: what a session needs beside the model: initializers, readiness checks, summaries, a saver."""
from .. import tf_logging as logging, variables
from ..array_ops import concat
from ..control_flow_ops import group
from ..convert import constant
from ..graph import get_default_graph
from ..scopes import GraphKeys, add_to_collection, get_collection
from .. import dtypes


def _tables():
    """Initializers of lookup tables."""
    return get_collection(GraphKeys.TABLE_INITIALIZERS)


def tables_initializer(name='init_all_tables'):
    return group(*_tables(), name=name)


def _default_local_init_op():
    return group(variables.local_variables_initializer(), tables_initializer())


def _no_resources():
    return constant([], dtype=dtypes.string)


def _default_ready_op():
    return concat([variables.report_uninitialized_variables(), _no_resources()], 0)


def _default_ready_for_local_init_op():
    return concat([variables.report_uninitialized_variables(variables.global_variables()), _no_resources()], 0)


def _default_saver():
    from .saver import Saver
    return Saver(sharded=True, allow_empty=True)


class Scaffold:
    """Takes what is given, else what is in a collection, else makes it when it is finalized."""

    def __init__(self, init_op=None, init_feed_dict=None, init_fn=None, ready_op=None, ready_for_local_init_op=None,
                 local_init_op=None, summary_op=None, saver=None, copy_from_scaffold=None):
        if copy_from_scaffold is not None:
            if not isinstance(copy_from_scaffold, Scaffold):
                raise TypeError('copy_from_scaffold is not a Scaffold instance.')
            old = copy_from_scaffold

            def choose(given, field):
                return given if given is not None else getattr(old, field)
            init_op, init_feed_dict = choose(init_op, '_init_op'), choose(init_feed_dict, '_init_feed_dict')
            init_fn, ready_op = choose(init_fn, '_user_init_fn'), choose(ready_op, '_ready_op')
            ready_for_local_init_op = choose(ready_for_local_init_op, '_ready_for_local_init_op')
            local_init_op, summary_op = choose(local_init_op, '_local_init_op'), choose(summary_op, '_summary_op')
            saver = choose(saver, '_saver')
        self._user_init_fn = init_fn
        self._init_fn = (lambda sess: init_fn(self, sess)) if init_fn else None
        self._init_op, self._init_feed_dict, self._ready_op = init_op, init_feed_dict, ready_op
        self._ready_for_local_init_op, self._local_init_op = ready_for_local_init_op, local_init_op
        self._summary_op, self._saver = summary_op, saver

    def finalize(self):
        if self._init_op is None:
            self._init_op = Scaffold.get_or_default('init_op', GraphKeys.INIT_OP, lambda: group(
                variables.global_variables_initializer()))
        if self._ready_op is None:
            self._ready_op = Scaffold.get_or_default('ready_op', GraphKeys.READY_OP, _default_ready_op)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = Scaffold.get_or_default(
                'ready_for_local_init_op', GraphKeys.READY_FOR_LOCAL_INIT_OP, _default_ready_for_local_init_op)
        if self._local_init_op is None:
            self._local_init_op = Scaffold.get_or_default('local_init_op', GraphKeys.LOCAL_INIT_OP, _default_local_init_op)
        if self._summary_op is None:
            from ..summary import merge_all
            self._summary_op = Scaffold.get_or_default('summary_op', GraphKeys.SUMMARY_OP, merge_all)
        if self._saver is None:
            self._saver = Scaffold.get_or_default('saver', GraphKeys.SAVERS, _default_saver)
        self._saver.build()
        get_default_graph().finalize()
        logging.info('Graph was finalized.')
        return self

    init_fn = property(lambda self: self._init_fn)
    init_op = property(lambda self: self._init_op)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    local_init_op = property(lambda self: self._local_init_op)
    summary_op = property(lambda self: self._summary_op)
    saver = property(lambda self: self._saver)
    init_feed_dict = property(lambda self: self._init_feed_dict)

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """The one element of a collection, or what the constructor makes, which is put there."""
        found = get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError('More than one item in the collection "%s". Please indicate which one to use by passing it to the '
                               'tf.Scaffold constructor as:  tf.Scaffold(%s=item to use)' % (collection_key, arg_name))
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        return _default_local_init_op()
