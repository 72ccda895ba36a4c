"""SyncReplicasOptimizer: gradients of several workers are averaged before they are applied."""
from .. import array_ops, dtypes, errors, tf_logging as logging, variables
from ..accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from ..control_flow_ops import group, no_op
from ..data_flow_ops import FIFOQueue
from ..scopes import GraphKeys, colocate_with, control_dependencies, device, name_scope
from ..tensor import IndexedSlices
from . import queue_runner_impl as queue_runner
from .optimizer import Optimizer
from .session_manager import _ready
from .session_run_hook import SessionRunHook


class SyncReplicasOptimizer(Optimizer):
    """Each worker adds its gradients to accumulators on the parameter servers; the chief applies the mean of the first
    replicas_to_aggregate of them and puts a token for every worker into a queue; a worker goes on when it has one."""

    def __init__(self, opt, replicas_to_aggregate, total_num_replicas=None, variable_averages=None, variables_to_average=None,
                 use_locking=False, name='sync_replicas'):
        if total_num_replicas is None:
            total_num_replicas = replicas_to_aggregate
        super().__init__(use_locking, name)
        logging.info('SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s', replicas_to_aggregate, total_num_replicas)
        self._opt, self._replicas_to_aggregate = opt, replicas_to_aggregate
        self._gradients_applied, self._variable_averages = False, variable_averages
        self._variables_to_average, self._total_num_replicas = variables_to_average, total_num_replicas
        self._tokens_per_step = max(total_num_replicas, replicas_to_aggregate)
        self._global_step = self._sync_token_queue = self._chief_queue_runner = None
        self._accumulator_list = []

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        if not grads_and_vars:
            raise ValueError('Must supply at least one variable')
        if global_step is None:
            raise ValueError('Global step is required to check staleness')
        self._global_step = global_step
        chief_init = [self._make_local_step()]
        self.ready_for_local_init_op = variables.report_uninitialized_variables(variables.global_variables())
        with name_scope(None, self._name):
            given, taken = self._accumulate(grads_and_vars)
            with device(global_step.device), name_scope(''):
                update = self._opt.apply_gradients(list(zip(taken, [var for _, var in grads_and_vars])), global_step)
                train = self._make_token_queue(given, update)
            for accumulator, place in self._accumulator_list:
                with device(place):
                    chief_init.append(accumulator.set_global_step(global_step, name='SetGlobalStep'))
            self.chief_init_op = group(*chief_init)
            self._gradients_applied = True
            return train

    def _make_local_step(self):
        """The worker's own step, which says how old its gradients are. It lies on the worker."""
        with colocate_with(no_op()):
            self._local_step = variables.Variable(initial_value=0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                                                  dtype=self._global_step.dtype.base_dtype, name='sync_rep_local_step')
        self.local_step_init_op = variables.assign(self._local_step, self._global_step)
        return self.local_step_init_op

    def _accumulate(self, grads_and_vars):
        """(ops that add this worker's gradients, means over workers)"""
        given, taken = [], []
        for grad, var in grads_and_vars:
            with device(var.device):
                if grad is None:
                    taken.append(None)
                    continue
                shared = var.name + '/grad_accum'
                if isinstance(grad, IndexedSlices):
                    accumulator = SparseConditionalAccumulator(grad.dtype.base_dtype, shape=(), shared_name=shared)
                    given.append(accumulator.apply_indexed_slices_grad(grad, local_step=self._local_step))
                    taken.append(accumulator.take_indexed_slices_grad(self._replicas_to_aggregate))
                else:
                    accumulator = ConditionalAccumulator(grad.dtype.base_dtype, shape=var.get_shape(), shared_name=shared)
                    given.append(accumulator.apply_grad(grad, local_step=self._local_step))
                    taken.append(accumulator.take_grad(self._replicas_to_aggregate))
                self._accumulator_list.append((accumulator, var.device))
        return given, taken

    def _make_token_queue(self, given, update):
        """The queue of tokens; the op with which a worker waits for its token."""
        step = self._global_step
        self._sync_token_queue = FIFOQueue(-1, step.dtype.base_dtype, shapes=(), name='sync_token_q', shared_name='sync_token_q')
        dummy = FIFOQueue(1, dtypes.int32, shapes=(), name='dummy_queue', shared_name='dummy_queue')
        with control_dependencies(given):
            token = self._sync_token_queue.dequeue()
        train = variables.assign(self._local_step, token)
        with control_dependencies([update]):
            tokens = array_ops.fill([self._tokens_per_step], step)
            sync = self._sync_token_queue.enqueue_many((tokens,))
        if self._variable_averages is not None:
            with control_dependencies([sync]), name_scope(''):
                sync = self._variable_averages.apply(self._variables_to_average)
        self._chief_queue_runner = queue_runner.QueueRunner(dummy, [sync])
        return train

    def get_chief_queue_runner(self):
        if not self._gradients_applied:
            raise ValueError('Should be called after apply_gradients().')
        return self._chief_queue_runner

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def variables(self):
        return self._opt.variables()

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def get_init_tokens_op(self, num_tokens=-1):
        if not self._gradients_applied:
            raise ValueError('get_init_tokens_op() should be called after apply_gradients().')
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError('Too few tokens to finish the first step: %d (given) vs %d (needed)' % (num_tokens, needed))
        if num_tokens <= 0:
            return no_op(name='no_init_tokens')
        with device(self._global_step.device), name_scope(''):
            tokens = array_ops.fill([num_tokens], self._global_step)
            return self._sync_token_queue.enqueue_many((tokens,))

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        return _SyncReplicasOptimizerHook(self, is_chief, num_tokens)


class _SyncReplicasOptimizerHook(SessionRunHook):
    """Initializes local steps and accumulators; on the chief it also runs the queue of tokens."""

    def __init__(self, sync_optimizer, is_chief, num_tokens):
        self._sync_optimizer, self._is_chief, self._num_tokens = sync_optimizer, is_chief, num_tokens

    def begin(self):
        optimizer = self._sync_optimizer
        if not optimizer._gradients_applied:
            raise ValueError('SyncReplicasOptimizer.apply_gradient should be called before using the hook.')
        self._ready_for_local_init_op = optimizer.ready_for_local_init_op
        self._q_runner = self._init_tokens_op = self._last_tokens_op = None
        self._local_init_op = optimizer.local_step_init_op
        if self._is_chief:
            self._local_init_op = optimizer.chief_init_op
            self._q_runner = optimizer.get_chief_queue_runner()
            self._init_tokens_op = optimizer.get_init_tokens_op(self._num_tokens)
            self._last_tokens_op = optimizer.get_init_tokens_op(optimizer._tokens_per_step)

    def after_create_session(self, session, coord):
        ready, why = _ready(self._ready_for_local_init_op, session, 'Model is not ready for SyncReplicasOptimizer local init.')
        if not ready:
            raise RuntimeError('Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: %s, error: %s' %
                               (self._local_init_op.name, why))
        session.run(self._local_init_op)
        if self._init_tokens_op is not None:
            session.run(self._init_tokens_op)
        if self._q_runner is not None:
            self._q_runner.create_threads(session, coord=coord, daemon=True, start=True)

    def end(self, session):
        """Gives each worker a token: without the chief there is no further step that would, and one may be waiting."""
        if self._last_tokens_op is not None:
            try:
                session.run(self._last_tokens_op)
            except errors.OpError as error:  # the servers are gone: nobody waits any more
                logging.vlog(1, 'Ignored exception: %s', str(error))
