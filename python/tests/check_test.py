"""weir check: what a program needs, without running it."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = '''import numpy as np
import tensorflow as tf
import model
import no_such_package
tf.no_such_name.below(np.float(1))
raise SystemExit('it was run')
'''
MODEL = '''import tensorflow.contrib.slim as slim
import cPickle
slim.conv2d, slim.no_such_layer
'''
WANTED = [('missing', 'tf.contrib.slim.no_such_layer', 'model.py:3'), ('missing', 'tf.no_such_name', 'program.py:5'),
          ('needs --old', 'np.float', 'program.py:5'), ('needs --old', 'module cPickle', 'model.py:2'),
          ('not installed', 'no_such_package', 'program.py:4')]


class CheckTest(unittest.TestCase):
    def check(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (('program.py', PROGRAM), ('model.py', MODEL), ('fine.py', 'import tensorflow as tf\ntf.Session\n')):
                with open(os.path.join(folder, name), 'w') as file:
                    file.write(text)
            environment = dict(os.environ, PYTHONPATH=os.path.dirname(HERE))
            done = subprocess.run([sys.executable, '-m', 'weir', 'check', *words], cwd=folder, env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        return done.returncode, done.stdout, done.stderr

    def test_what_is_missing(self):
        status, out, _ = self.check('-o', 'json', 'program.py')
        rows = [(row['finding'], row['name'], row['place']) for row in json.loads(out)]
        self.assertEqual((status, rows), (1, WANTED))
        status, out, _ = self.check('-o', 'csv', 'program.py', 'fine.py')
        self.assertEqual((status, [row['program'] for row in csv.DictReader(io.StringIO(out))]), (1, ['program.py'] * 5))
        status, out, _ = self.check('program.py')
        self.assertEqual(out.splitlines()[0], '2 files, 4 names of TensorFlow, 2 missing')
        self.assertIn('  missing  tf.no_such_name  (program.py:5)\n', out)

    def test_nothing_is_missing(self):
        self.assertEqual(self.check('fine.py'), (0, '1 files, 1 names of TensorFlow, 0 missing\n', ''))
        self.assertEqual(self.check('-o', 'json', 'fine.py')[:2], (0, '[]\n'))

    def test_wrong_calls(self):
        self.assertEqual(self.check()[0], 2)
        self.assertEqual(self.check('-o', 'xml', 'fine.py')[0], 2)
        status, _, err = self.check('fine.py', 'none.py')
        self.assertEqual((status, err), (1, "weir check: can't open file 'none.py'\n"))


if __name__ == '__main__':
    unittest.main()
