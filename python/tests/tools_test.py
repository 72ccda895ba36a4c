"""tensorflow.python.tools and tf.contrib.predictor: frozen graphs and saved models as functions."""
import contextlib
import io
import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf


class ToolsTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.made = tempfile.TemporaryDirectory()
        self.addCleanup(self.made.cleanup)
        self.folder, self.x = self.made.name, np.arange(6, dtype='f').reshape(2, 3)

    def saved(self, use_resource):
        """A small model in files: its outputs for self.x."""
        with tf.variable_scope('net', use_resource=use_resource):
            x = tf.placeholder(tf.float32, [None, 3], name='x')
            y = tf.identity(tf.nn.softmax(tf.layers.dense(x, 2, name='fc')), name='out')
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            tf.train.write_graph(session.graph_def, self.folder, 'graph.pbtxt')
            tf.train.Saver().save(session, self.folder + '/model')
            tf.saved_model.simple_save(session, self.folder + '/saved', {'x': x}, {'y': y})
            return session.run(y, {x: self.x})

    def frozen(self, graph_def, name='net/out:0'):
        with tf.Graph().as_default(), tf.Session() as session:
            out, = tf.import_graph_def(graph_def, return_elements=[name], name='')
            return session.run(out, {'net/x:0': self.x})

    def freeze(self, **more):
        from tensorflow.python.tools import freeze_graph
        given = dict(input_graph=self.folder + '/graph.pbtxt', input_saver='', input_binary=False, input_checkpoint=self.folder + '/model',
                     output_node_names='net/out', restore_op_name='save/restore_all', filename_tensor_name='save/Const:0',
                     output_graph=self.folder + '/frozen.pb', clear_devices=True, initializer_nodes='')
        given.update(more)
        made = freeze_graph.freeze_graph(**given)
        read = tf.GraphDef()
        with open(self.folder + '/frozen.pb', 'rb') as file:
            read.ParseFromString(file.read())
        self.assertEqual(len(made.node), len(read.node))
        self.assertFalse([node.op for node in read.node if 'Var' in node.op])
        return read

    def test_a_graph_and_a_checkpoint_are_frozen(self):
        for use_resource in (False, True):
            tf.reset_default_graph()
            want = self.saved(use_resource)
            np.testing.assert_allclose(self.frozen(self.freeze()), want, rtol=1e-6)
            os.rename(self.folder + '/saved', self.folder + '/saved%d' % use_resource)

    def test_a_meta_graph_and_a_saved_model_are_frozen(self):
        want = self.saved(False)
        meta = self.freeze(input_graph='', input_binary=True, input_meta_graph=self.folder + '/model.meta')
        np.testing.assert_allclose(self.frozen(meta), want, rtol=1e-6)
        saved = self.freeze(input_graph='', input_checkpoint='', input_saved_model_dir=self.folder + '/saved')
        np.testing.assert_allclose(self.frozen(saved), want, rtol=1e-6)

    def test_inputs_become_placeholders(self):
        from tensorflow.python.tools import optimize_for_inference_lib, strip_unused_lib
        want = self.saved(False)
        frozen, kind = self.freeze(), tf.float32.as_datatype_enum
        for act in (strip_unused_lib.strip_unused, optimize_for_inference_lib.optimize_for_inference):
            np.testing.assert_allclose(self.frozen(act(frozen, ['net/x'], ['net/out'], kind)), want, rtol=1e-6)
        cut = strip_unused_lib.strip_unused(frozen, ['net/fc/BiasAdd'], ['net/out'], kind)
        self.assertEqual([node.op for node in cut.node if node.name == 'net/fc/BiasAdd'], ['Placeholder'])
        self.assertNotIn('net/fc/MatMul', [node.name for node in cut.node])
        with self.assertRaises(KeyError):
            strip_unused_lib.strip_unused(frozen, ['nothing'], ['net/out'], kind)

    def test_a_checkpoint_is_printed(self):
        from tensorflow.python.tools import inspect_checkpoint
        self.saved(False)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            inspect_checkpoint.print_tensors_in_checkpoint_file(self.folder + '/model', 'net/fc/bias', False)
            inspect_checkpoint.print_tensors_in_checkpoint_file(self.folder + '/model', '', False, True)
        self.assertEqual(out.getvalue().count('net/fc/bias'), 2)
        self.assertIn('# Total number of params: 8', out.getvalue())

    def test_a_saved_model_is_a_function(self):
        want = self.saved(False)
        predict = tf.contrib.predictor.from_saved_model(self.folder + '/saved')
        np.testing.assert_allclose(predict({'x': self.x})['y'], want, rtol=1e-6)
        self.assertEqual(sorted(predict.feed_tensors), ['x'])
        with self.assertRaises(ValueError):
            predict({'z': self.x})
        with self.assertRaises(ValueError):
            tf.contrib.predictor.from_saved_model(self.folder + '/saved', signature_def_key='none')


if __name__ == '__main__':
    unittest.main()
