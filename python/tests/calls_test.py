"""Calls of about a thousand public functions give what TensorFlow 1.15.5 gave (calls_1.15.json, written by calls.py)."""
import os
import unittest

import calls
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))


class CallsTest(unittest.TestCase):
    def test_results_are_those_of_1_15(self):
        found = calls.check(tf, calls.load(os.path.join(HERE, 'calls_1.15.json')), None)
        self.assertEqual([], ['%s: %s: %s' % row for row in found])


if __name__ == '__main__':
    unittest.main()
