"""tf.linalg.LinearOperator*, against NumPy."""
import unittest

import numpy as np
import tensorflow as tf

TRIL = np.array([[[2., 9.], [3., 4.]], [[1., 0.], [5., -2.]]], np.float32)
RIGHT = np.array([[[1.], [2.]], [[3.], [4.]]], np.float32)


class LinearOperatorTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def check(self, operator, dense):
        """Every way to use an operator gives what its matrices give."""
        flipped = np.swapaxes(dense, -1, -2)
        pairs = [
            (operator.to_dense(), dense), (operator.matmul(RIGHT), dense @ RIGHT),
            (operator.matmul(RIGHT, adjoint=True), flipped @ RIGHT),
            (operator.matmul(np.swapaxes(RIGHT, -1, -2), adjoint_arg=True), dense @ RIGHT),
            (operator.matvec(RIGHT[..., 0]), (dense @ RIGHT)[..., 0]), (operator.solve(RIGHT), np.linalg.solve(dense, RIGHT)),
            (operator.solve(RIGHT, adjoint=True), np.linalg.solve(flipped, RIGHT)),
            (operator.solvevec(RIGHT[..., 0]), np.linalg.solve(dense, RIGHT)[..., 0]),
            (operator.determinant(), np.linalg.det(dense)), (operator.log_abs_determinant(), np.linalg.slogdet(dense)[1]),
            (operator.diag_part(), np.diagonal(dense, axis1=-2, axis2=-1)), (operator.trace(), np.trace(dense, axis1=-2, axis2=-1)),
            (operator.add_to_tensor(np.ones_like(dense)), dense + 1), (operator.H.to_dense(), flipped),
            (operator.inverse().to_dense(), np.linalg.inv(dense)), (operator.shape_tensor(), dense.shape),
            (operator.matmul(operator).to_dense(), dense @ dense), (operator.domain_dimension_tensor(), 2),
        ]
        with tf.Session() as session:
            for index, (got, wanted) in enumerate(zip(session.run([pair[0] for pair in pairs]), pairs)):
                np.testing.assert_allclose(got, wanted[1], rtol=1e-4, atol=1e-5, err_msg='pair %d' % index)
        self.assertEqual(operator.shape.as_list(), list(dense.shape))
        self.assertEqual((operator.batch_shape.as_list(), operator.tensor_rank, operator.is_square, operator.dtype),
                         ([2], 3, True, tf.float32))

    def test_lower_triangular(self):
        operator = tf.linalg.LinearOperatorLowerTriangular(TRIL)
        self.check(operator, np.tril(TRIL))
        self.assertEqual(operator.name, 'LinearOperatorLowerTriangular')
        self.assertEqual((operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite), (None, None, None))
        self.assertIs(tf.contrib.linalg.LinearOperatorLowerTriangular, tf.linalg.LinearOperatorLowerTriangular)

    def test_full_and_diagonal(self):
        self.check(tf.linalg.LinearOperatorFullMatrix(TRIL), TRIL)
        diagonal = np.array([[1., 2.], [3., -4.]], np.float32)
        self.check(tf.linalg.LinearOperatorDiag(diagonal), np.stack([np.diag(row) for row in diagonal]))
        self.check(tf.linalg.LinearOperatorIdentity(2, batch_shape=[2]), np.stack([np.eye(2, dtype=np.float32)] * 2))

    def test_a_causal_mask_of_unknown_batch(self):
        """As attention in transformers uses it: only the shape is known in part, and a gradient goes through."""
        scores = tf.placeholder(tf.float32, [None, 3, 3])
        mask = tf.linalg.LinearOperatorLowerTriangular(tf.ones_like(scores[0, :, :])).to_dense()
        self.assertEqual(mask.op.name, 'LinearOperatorLowerTriangular/to_dense/MatrixBandPart')
        gradient, = tf.gradients(tf.linalg.LinearOperatorLowerTriangular(scores).to_dense(), scores)
        with tf.Session() as session:
            made = session.run([mask, gradient], {scores: np.ones([2, 3, 3])})
        np.testing.assert_array_equal(made[0], np.tril(np.ones([3, 3])))
        np.testing.assert_array_equal(made[1][1], np.tril(np.ones([3, 3])))

    def test_wrong_arguments(self):
        lower = tf.linalg.LinearOperatorLowerTriangular
        with self.assertRaisesRegex(ValueError, 'Argument tril must have at least 2 dimensions'):
            lower([1.])
        with self.assertRaisesRegex(TypeError, 'Argument tril must have dtype'):
            lower([[1]])
        with self.assertRaisesRegex(ValueError, 'Only square lower triangular'):
            lower([[1.]], is_square=False)
        with self.assertRaisesRegex(ValueError, 'Not a positive definite self adjoint'):
            lower([[1.]]).cholesky()
        with self.assertRaisesRegex(NotImplementedError, 'expected to be singular'):
            lower([[1.]], is_non_singular=False).solve([[1.]])


if __name__ == '__main__':
    unittest.main()
