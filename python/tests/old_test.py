"""python -m weir --old: a program in Python 2."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

PROGRAM = r'''# -*- coding: utf-8 -*-
import cPickle as pickle, Queue, StringIO, sys
import numpy as np
import tensorflow as tf
reload(sys)
sys.setdefaultencoding('utf-8')

def swapped((a, b), c):
    return [b, a, c]

try:
    raise ValueError, 'bad'
except ValueError, error:
    print 'caught', error
print swapped((1, 2), 3L), 7 / 2, 7.0 / 2, 3 <> 4, 0777, {'a': 1}.has_key('a'), sorted({'a': 1}.iteritems())
print sorted([3, 1, 2], cmp=lambda a, b: b - a), sorted([3, 1, 2], lambda a, b: a - b), sorted(['b', 'a']),
values = [3, 1, 2]
values.sort(lambda a, b: cmp(b, a))
print values, 'text'.decode('utf-8'), u'text'.encode('utf-8').decode('utf-8'), map(str, xrange(2)), np.float(1)
print pickle.loads(pickle.dumps(u'p')), isinstance('a', basestring), StringIO.StringIO('s').read(), Queue.Queue().empty()
array = np.array([3, 1])
array.sort(0)
weights = tf.get_variable('w', [4, 4 / 2], initializer=tf.constant_initializer(0.5))
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    print session.run(tf.reduce_sum(weights)), array
'''
PRINTED = '''caught bad
[2, 1, 3] 3 3.5 True 511 True [('a', 1)]
[3, 2, 1] [1, 2, 3] ['a', 'b'] [3, 2, 1] text text ['0', '1'] 1.0
p True s True
4.0 [1 3]
'''


@unittest.skipIf(sys.version_info >= (3, 13), 'Python has no lib2to3 any more')
class OldTest(unittest.TestCase):
    def run_files(self, files):
        """What program.py among files {path: text} prints."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'w') as file:
                    file.write(text)
            environment = dict(os.environ, PYTHONPATH=os.path.dirname(HERE))
            done = subprocess.run([sys.executable, '-m', 'weir', '--old', os.path.join(folder, 'program.py')], env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_program_in_python_2(self):
        self.assertEqual(self.run_files({'program.py': PROGRAM}), PRINTED)

    def test_names_that_scipy_misc_has_no_more(self):
        """SciPy 1.2 to 1.11 has a scipy.misc without functions on images."""
        program = 'import scipy.misc\nfrom scipy.misc import imread, imsave, face\nprint(face(), imread.__name__, scipy.misc.imsave.__name__)\n'
        own = {'scipy/__init__.py': '', 'scipy/misc/__init__.py': 'def face():\n    return "own"\n'}
        self.assertEqual(self.run_files(dict(own, **{'program.py': program})), 'own imread imsave\n')


if __name__ == '__main__':
    unittest.main()
