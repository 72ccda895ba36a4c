"""tf.linalg.LinearOperator*: matrices that are known by a part of them, in batches too."""
from . import _ops, array_ops, check_ops, dtypes, linalg_ops, math_ops
from .convert import convert_to_tensor
from .framework import TensorShape
from .scopes import name_scope

FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)


def _floats(value, name, least_rank):
    tensor = convert_to_tensor(value, name=name)
    if tensor.dtype not in FLOATS:
        raise TypeError('Argument %s must have dtype in %s.  Found: %s' % (name, FLOATS, tensor.dtype))
    rank = tensor.get_shape().ndims
    if rank is not None and rank < least_rank:
        raise ValueError('Argument %s must have at least %d dimension%s.  Found: %s'
                         % (name, least_rank, 's' if least_rank > 1 else '', tensor))
    return tensor


class LinearOperator:
    """What all share, computed from the dense matrix; operators with a faster way override it."""

    def __init__(self, dtype, graph_parents=None, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        if is_positive_definite and is_non_singular is False:
            raise ValueError('A positive definite matrix is always non-singular.')
        if is_square is False and (is_non_singular or is_positive_definite):
            raise ValueError('A non-singular or positive definite operator is always square.')
        self._dtype, self._graph_parents = dtypes.as_dtype(dtype), list(graph_parents or [])
        self._name = name or type(self).__name__
        self.is_non_singular = True if is_positive_definite else is_non_singular
        self.is_self_adjoint, self.is_positive_definite = is_self_adjoint, is_positive_definite
        self._is_square = True if is_positive_definite or is_non_singular else is_square

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    graph_parents = property(lambda self: self._graph_parents)
    shape = property(lambda self: self._matrix_shape())
    H = property(lambda self: self.adjoint())

    @property
    def is_square(self):
        if self._is_square is None and self.shape.ndims is not None and None not in self.shape[-2:].as_list():
            return self.shape[-1] == self.shape[-2]
        return self._is_square

    def _scope(self, name, values=()):
        return name_scope(self.name + '/' + name if name else self.name + '/', values=self.graph_parents + list(values))

    def _matrix_shape(self):
        return self._dense().get_shape()

    def _dense(self):
        raise NotImplementedError('%s has no dense form' % type(self).__name__)

    # ---- shapes

    batch_shape = property(lambda self: self.shape[:-2])
    domain_dimension = property(lambda self: self.shape[-1])
    range_dimension = property(lambda self: self.shape[-2])
    tensor_rank = property(lambda self: self.shape.ndims)

    def shape_tensor(self, name='shape_tensor'):
        with self._scope(name):
            return array_ops.shape(self._dense())

    def batch_shape_tensor(self, name='batch_shape_tensor'):
        with self._scope(name):
            return self.shape_tensor()[:-2]

    def domain_dimension_tensor(self, name='domain_dimension_tensor'):
        with self._scope(name):
            return self.shape_tensor()[-1]

    def range_dimension_tensor(self, name='range_dimension_tensor'):
        with self._scope(name):
            return self.shape_tensor()[-2]

    def tensor_rank_tensor(self, name='tensor_rank_tensor'):
        with self._scope(name):
            return array_ops.rank(self._dense())

    # ---- algebra

    def to_dense(self, name='to_dense'):
        with self._scope(name):
            return self._dense()

    def matmul(self, x, adjoint=False, adjoint_arg=False, name='matmul'):
        if isinstance(x, LinearOperator):
            return LinearOperatorFullMatrix(self.matmul(x.to_dense(), adjoint, adjoint_arg))
        with self._scope(name, [x]):
            return self._matmul(convert_to_tensor(x, dtype=self.dtype, name='x'), adjoint, adjoint_arg)

    def matvec(self, x, adjoint=False, name='matvec'):
        with self._scope(name, [x]):
            x = convert_to_tensor(x, dtype=self.dtype, name='x')
            return array_ops.squeeze(self._matmul(array_ops.expand_dims(x, -1), adjoint, False), axis=-1)

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name='solve'):
        self._must_be_regular()
        with self._scope(name, [rhs]):
            return self._solve(convert_to_tensor(rhs, dtype=self.dtype, name='rhs'), adjoint, adjoint_arg)

    def solvevec(self, rhs, adjoint=False, name='solve'):
        self._must_be_regular()
        with self._scope(name, [rhs]):
            rhs = convert_to_tensor(rhs, dtype=self.dtype, name='rhs')
            return array_ops.squeeze(self._solve(array_ops.expand_dims(rhs, -1), adjoint, False), axis=-1)

    def _must_be_regular(self):
        if self.is_non_singular is False:
            raise NotImplementedError('Exact solve not implemented for an operator that is expected to be singular.')
        if self.is_square is False:
            raise NotImplementedError('Exact solve not implemented for an operator that is expected to not be square.')

    def _matmul(self, x, adjoint, adjoint_arg):
        return math_ops.matmul(self._dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs, adjoint, adjoint_arg):
        rhs = linalg_ops.adjoint(rhs) if adjoint_arg else rhs
        return _ops.matrix_solve(self._dense(), rhs, adjoint=adjoint)

    def adjoint(self, name='adjoint'):
        if self.is_self_adjoint:
            return self
        with self._scope(name):
            return LinearOperatorFullMatrix(linalg_ops.adjoint(self._dense()), self.is_non_singular, None,
                                            self.is_positive_definite, self.is_square, self.name + '_adjoint')

    def inverse(self, name='inverse'):
        if self.is_square is False:
            raise ValueError('Cannot take the Inverse: This operator represents a non square matrix.')
        if self.is_non_singular is False:
            raise ValueError('Cannot take the Inverse: This operator represents a singular matrix.')
        with self._scope(name):
            count = self.range_dimension_tensor()
            whole = self._solve(array_ops.eye(count, batch_shape=self.batch_shape_tensor(), dtype=self.dtype), False, False)
            return LinearOperatorFullMatrix(whole, True, self.is_self_adjoint, self.is_positive_definite, True,
                                            self.name + '_inverse')

    def cholesky(self, name='cholesky'):
        if not self.is_positive_definite or not self.is_self_adjoint:
            raise ValueError('Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.')
        with self._scope(name):
            return LinearOperatorLowerTriangular(_ops.cholesky(self._dense()), is_non_singular=True,
                                                 name=self.name + '_cholesky')

    def determinant(self, name='det'):
        self._must_be_square('determinant')
        with self._scope(name):
            return self._determinant()

    def log_abs_determinant(self, name='log_abs_det'):
        self._must_be_square('determinant')
        with self._scope(name):
            return self._log_abs_determinant()

    def _must_be_square(self, what):
        if self.is_square is False:
            raise NotImplementedError('%s not implemented for an operator that is expected to not be square.'
                                      % what.capitalize())

    def _determinant(self):
        return _ops.matrix_determinant(self._dense())

    def _log_abs_determinant(self):
        return math_ops.log(math_ops.abs(self._determinant()))

    def diag_part(self, name='diag_part'):
        with self._scope(name):
            return self._diag_part()

    def _diag_part(self):
        return array_ops.matrix_diag_part(self._dense())

    def trace(self, name='trace'):
        with self._scope(name):
            return math_ops.reduce_sum(self._diag_part(), axis=-1)

    def add_to_tensor(self, x, name='add_to_tensor'):
        with self._scope(name, [x]):
            return convert_to_tensor(x, dtype=self.dtype, name='x') + self._dense()

    # ---- assertions

    def assert_non_singular(self, name='assert_non_singular'):
        with self._scope(name):
            values = linalg_ops.svd(self._dense(), compute_uv=False)
            least, most = math_ops.reduce_min(values, axis=-1), math_ops.reduce_max(values, axis=-1)
            tiny = dtypes.as_dtype(values.dtype).as_numpy_dtype
            import numpy as np
            return check_ops.assert_less(most * np.finfo(tiny).eps, least,
                                         message='Singular matrix up to precision epsilon.')

    def assert_positive_definite(self, name='assert_positive_definite'):
        with self._scope(name):
            if self.is_self_adjoint:
                return check_ops.assert_positive(array_ops.matrix_diag_part(_ops.cholesky(self._dense())),
                                                 message='Matrix was not positive definite.')
            raise NotImplementedError('assert_positive_definite is not implemented for an operator that is not self-adjoint')

    def assert_self_adjoint(self, name='assert_self_adjoint'):
        with self._scope(name):
            dense = self._dense()
            return check_ops.assert_equal(dense, linalg_ops.adjoint(dense), message='Matrix was not equal to its adjoint.')


class LinearOperatorFullMatrix(LinearOperator):
    def __init__(self, matrix, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name='LinearOperatorFullMatrix'):
        with name_scope(name, values=[matrix]):
            self._matrix = _floats(matrix, 'matrix', 2)
        super().__init__(self._matrix.dtype, [self._matrix], is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name)

    def _dense(self):
        return self._matrix


class LinearOperatorLowerTriangular(LinearOperator):
    def __init__(self, tril, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name='LinearOperatorLowerTriangular'):
        if is_square is False:
            raise ValueError('Only square lower triangular operators supported at this time.')
        with name_scope(name, values=[tril]):
            self._tril = _floats(tril, 'tril', 2)
        super().__init__(self._tril.dtype, [self._tril], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _matrix_shape(self):
        return self._tril.get_shape()

    def _dense(self):
        return array_ops.matrix_band_part(self._tril, -1, 0)

    def _diag_part(self):
        return array_ops.matrix_diag_part(self._tril)

    def _solve(self, rhs, adjoint, adjoint_arg):
        rhs = linalg_ops.adjoint(rhs) if adjoint_arg else rhs
        return linalg_ops.matrix_triangular_solve(self._dense(), rhs, lower=True, adjoint=adjoint)

    def _determinant(self):
        return math_ops.reduce_prod(self._diag_part(), axis=-1)

    def _log_abs_determinant(self):
        return math_ops.reduce_sum(math_ops.log(math_ops.abs(self._diag_part())), axis=-1)


class LinearOperatorDiag(LinearOperator):
    def __init__(self, diag, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name='LinearOperatorDiag'):
        if is_square is False:
            raise ValueError('Only square diagonal operators currently supported.')
        with name_scope(name, values=[diag]):
            self._diag = _floats(diag, 'diag', 1)
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError('A real diagonal operator is always self adjoint.')
            is_self_adjoint = True
        super().__init__(self._diag.dtype, [self._diag], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    diag = property(lambda self: self._diag)

    def _matrix_shape(self):
        shape = self._diag.get_shape()
        return shape.concatenate(shape[-1:]) if shape.ndims is not None else TensorShape(None)

    def _dense(self):
        return array_ops.matrix_diag(self._diag)

    def _diag_part(self):
        return self._diag

    def _column(self, adjoint):
        return array_ops.expand_dims(math_ops.conj(self._diag) if adjoint else self._diag, -1)

    def _matmul(self, x, adjoint, adjoint_arg):
        return self._column(adjoint) * (linalg_ops.adjoint(x) if adjoint_arg else x)

    def _solve(self, rhs, adjoint, adjoint_arg):
        return (linalg_ops.adjoint(rhs) if adjoint_arg else rhs) / self._column(adjoint)

    def _determinant(self):
        return math_ops.reduce_prod(self._diag, axis=-1)

    def _log_abs_determinant(self):
        return math_ops.reduce_sum(math_ops.log(math_ops.abs(self._diag)), axis=-1)


class LinearOperatorIdentity(LinearOperatorDiag):
    def __init__(self, num_rows, batch_shape=None, dtype=None, is_non_singular=True, is_self_adjoint=True,
                 is_positive_definite=True, is_square=True, assert_proper_shapes=False, name='LinearOperatorIdentity'):
        if not (is_non_singular and is_self_adjoint and is_positive_definite and is_square):
            raise ValueError('An identity operator is always non-singular, self-adjoint, positive definite and square.')
        with name_scope(name):
            shape = [num_rows] if batch_shape is None else array_ops.concat([batch_shape, [num_rows]], 0)
            ones = array_ops.ones(shape, dtype or dtypes.float32)
        super().__init__(ones, True, True, True, True, name)
