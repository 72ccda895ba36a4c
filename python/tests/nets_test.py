"""The networks of tf.contrib.slim.nets: variables, end points and shapes are those of TensorFlow 1.15.5 (a checksum of each)."""
import json
import unittest
import zlib

import tensorflow as tf

nets = tf.contrib.slim.nets
EXPECTED = {('alexnet', 'alexnet_v2', 224): 2796011257, ('inception', 'inception_v1', 224): 686318484,
            ('inception', 'inception_v2', 224): 2442298959, ('inception', 'inception_v3', 299): 514370053,
            ('overfeat', 'overfeat', 231): 4232961902, ('resnet_v1', 'resnet_v1_50', 224): 1876886932,
            ('resnet_v2', 'resnet_v2_50', 224): 1408751227, ('vgg', 'vgg_a', 224): 2167410697}


class NetsTest(unittest.TestCase):
    def test_networks_are_those_of_1_15(self):
        for (module, name, size), checksum in EXPECTED.items():
            with self.subTest(name), tf.Graph().as_default():
                more = {'num_classes': 10} if name.startswith('resnet') else {}
                made, ends = getattr(getattr(nets, module), name)(tf.placeholder(tf.float32, [2, size, size, 3]), **more)
                trained = tf.trainable_variables()
                text = json.dumps([[made.name, made.shape.as_list()], [[key, end.name, end.shape.as_list()] for key, end in ends.items()],
                                   [[var.op.name, var.shape.as_list(), var in trained] for var in tf.global_variables()]])
                self.assertEqual(zlib.crc32(text.encode()), checksum)

    def test_output_stride_keeps_the_size(self):
        with tf.contrib.framework.arg_scope(nets.resnet_utils.resnet_arg_scope()):
            made, _ = nets.resnet_v1.resnet_v1_50(tf.zeros([1, 65, 65, 3]), global_pool=False, output_stride=8)
        self.assertEqual(made.shape.as_list(), [1, 9, 9, 2048])


if __name__ == '__main__':
    unittest.main()
