#!/usr/bin/env python3
"""Trains the reference workloads under weir, where no TensorFlow is installed, and under tensorflow.compat.v1.

  workloads.py --weir PYTHON --tensorflow PYTHON   compares losses, names in checkpoints and restored values
  workloads.py --one FOLDER                        in one of them: trains every model, leaves FOLDER/NAME.json and a checkpoint
  workloads.py --one FOLDER --restore OTHER        also restores OTHER's checkpoints into its graphs

The programs are models.py and cluster_job.py of ../shared/workloads (or WEIR_WORKLOADS); without them there is nothing to compare.
"""
import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = os.environ.get('WEIR_WORKLOADS') or os.path.join(ROOT, '..', 'shared', 'workloads')
COMMAND = os.path.join(ROOT, 'build', 'release', 'weir')
STEPS = 3
# Sizes of the large models, so that all of them take seconds: the graphs and the names are those of the full sizes.
SMALLER = {'alexnet_64': lambda models: models.alexnet(batch=4, size=67, classes=100),
           'vgg_a': lambda models: models.vgg_a(batch=2, size=32, classes=100),
           'lstm_full': lambda models: models.lstm_lm(vocab=2000, hidden=128),
           'lstm_sampled': lambda models: models.lstm_lm(vocab=2000, hidden=128, sampled=64)}
JOBS = {'async': ('async', 1), 'sync': ('sync', 1), 'sync, two workers': ('sync', 2)}


def builders(models):
    found = {name: (lambda make=make: make()) for name, make in models.ALL.items()}
    found.update({name: (lambda make=make: make(models)) for name, make in SMALLER.items()})
    return found


def sums(np, session, variables):
    """Two numbers for each variable, which tell values apart."""
    values = zip(variables, session.run(variables))
    return {var.op.name: [float(np.sum(value)), float(np.sum(np.abs(value)))] for var, value in values}


def build(tf, make):
    tf.reset_default_graph()
    feeds, step, loss = make()
    return feeds, step, loss, tf.global_variables()


def train(tf, np, make, prefix):
    feeds, step, loss, variables = build(tf, make)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses, found = [], {}
        for _ in range(STEPS):
            losses.append(float(session.run([loss, step], feeds)[0]))
            found = found or {'losses': losses, 'first': sums(np, session, variables) if variables else {}}
        found['values'] = sums(np, session, variables) if variables else {}
        if variables:
            tf.train.Saver().save(session, prefix, write_meta_graph=False)
            found['saved'] = sorted([name, list(shape)] for name, shape in tf.train.list_variables(prefix))
    return found


def restored(tf, np, make, prefix):
    _, _, _, variables = build(tf, make)
    if not variables:
        return {}
    with tf.Session() as session:
        tf.train.Saver().restore(session, prefix)
        return sums(np, session, variables)


def one(folder, other):
    sys.path.insert(0, PROGRAMS)
    import models
    tf, np = models.tf, models.np
    for name, make in builders(models).items():
        found = train(tf, np, make, os.path.join(folder, name))
        if other:
            found['read'] = restored(tf, np, make, os.path.join(other, name))
        with open(os.path.join(folder, name + '.json'), 'w') as file:
            json.dump(found, file)


def ports(count):
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(('127.0.0.1', 0))
    found = ['127.0.0.1:%d' % each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return found


class Side:
    """One of the two interpreters, and how it runs a program or a cluster of them."""

    def __init__(self, python, is_weir, folder):
        self.python, self.is_weir, self.folder = python, is_weir, folder
        self.env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL='3', **({'PYTHONPATH': os.path.dirname(HERE)} if is_weir else {}))
        os.makedirs(folder)

    def start(self):
        return [self.python, '-m', 'weir'] if self.is_weir else [self.python, '-W', 'ignore']

    def models(self, *more):
        subprocess.run(self.start() + [os.path.abspath(__file__), '--one', self.folder, *more], env=self.env, check=True,
                       stderr=None if self.is_weir else subprocess.DEVNULL)

    def names(self, folder):
        text = 'import json, sys, tensorflow as tf; print(json.dumps(sorted(n for n, _ in tf.train.list_variables(sys.argv[1]))))'
        return json.loads(subprocess.run(self.start() + ['-c', text, folder], env=self.env, check=True, capture_output=True).stdout)

    def job(self, label, mode, workers):
        """The lines of the workers of cluster_job.py and the names in its checkpoint."""
        ckpt = os.path.join(self.folder, label)
        options = ['--mode', mode, '--steps', '20', '--ckpt', ckpt]
        lines = (self.job_of_weir if self.is_weir else self.job_of_tensorflow)(options, workers)
        return {'lines': lines, 'ckpt': ckpt}

    def job_of_weir(self, options, workers):
        command = [COMMAND, 'run', '--python', self.python, '--ps', '1', '--workers', str(workers),
                   os.path.join(PROGRAMS, 'cluster_job.py'), *options]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=240)
        return [json.loads(line[line.index('{'):]) for line in done.stdout.splitlines() if '"first_loss"' in line]

    def job_of_tensorflow(self, options, workers):
        hosts = ports(1 + workers)
        tasks = []
        for job, index in [('ps', 0)] + [('worker', i) for i in range(workers)]:
            where = ['--job_name', job, '--task_index', str(index), '--ps_hosts', hosts[0], '--worker_hosts', ','.join(hosts[1:])]
            tasks.append(subprocess.Popen(self.start() + [os.path.join(PROGRAMS, 'cluster_job.py'), *where, *options],
                                          env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        try:
            return [json.loads(task.communicate(timeout=240)[0].strip().splitlines()[-1]) for task in tasks[1:]]
        finally:
            for task in tasks:
                task.kill()
                task.wait()


def near(left, right, what):
    """A sum of values that cancel out is only as exact as the sum of their sizes, which stands beside it (sums)."""
    rounding = 4e-6 * max(map(abs, right), default=0.)
    if len(left) != len(right) or any(abs(a - b) > max(2e-4 * max(1., abs(b)), rounding) for a, b in zip(left, right)):
        return '%s %r, not %r' % (what, left, right)
    return None


def differs(ours, theirs):
    """What is wrong with one model, or None. Values are compared after the first step: where a gradient has steps, as that of a
    spatial transformer, a rounding there may change the second one by thousandths, in TensorFlow beside itself without oneDNN too."""
    if ours.get('saved') != theirs.get('saved'):
        return 'names in the checkpoint differ: %s' % [row for row in ours['saved'] + theirs['saved']
                                                       if (row in ours['saved']) != (row in theirs['saved'])]
    wrong = near(ours['losses'], theirs['losses'], 'losses')
    if list(ours['values']) != list(theirs['values']) or list(theirs['read']) != list(theirs['values']):
        return 'variables differ: %s, %s' % (list(ours['values']), list(theirs['values']))
    for name, found in ours['values'].items():
        wrong = wrong or near(ours['first'][name], theirs['first'][name], name)
        wrong = wrong or near(theirs['read'][name], found, 'TensorFlow restores %s as' % name)
    return wrong


def compare_jobs(ours, theirs, logreg):
    """(passed, lines about what is wrong) for the cluster programs. One worker trains as one process does, LOGREG; when the count of
    steps is read in an asynchronous step is up to chance, so its last loss is only known to be lower."""
    sync = theirs.job('sync', 'sync', 1)
    known = {'async': (logreg['losses'][0], None, [name for name, _ in logreg['saved']]),
             'sync': (sync['lines'][0]['first_loss'], sync['lines'][0]['last_loss'], ours.names(sync['ckpt']))}
    wrong = []
    for label, (mode, workers) in JOBS.items():
        found, (first, last, names) = ours.job(label, mode, workers), known[mode]
        ends = [(line['first_loss'], line['last_loss']) for line in found['lines']]
        if len(ends) != workers or any(near(end, (first, last or end[1]), 'losses') or end[1] > 0.6 * first for end in ends):
            wrong.append('cluster, %s: losses %r, not %r' % (label, ends, (first, last)))
        elif ours.names(found['ckpt']) != names:
            wrong.append('cluster, %s: names in the checkpoint differ: %s, %s' % (label, ours.names(found['ckpt']), names))
    return len(JOBS) - len(wrong), wrong


def compare(weir, tensorflow):
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Side(weir, True, os.path.join(folder, 'weir')), Side(tensorflow, False, os.path.join(folder, 'tf'))
        ours.models()
        theirs.models('--restore', ours.folder)
        names = sorted(name[:-5] for name in os.listdir(theirs.folder) if name.endswith('.json'))
        rows = [[json.load(open(os.path.join(side.folder, name + '.json'))) for side in (ours, theirs)] for name in names]
        wrong = ['%s: %s' % (name, line) for name, line in ((name, differs(*row)) for name, row in zip(names, rows)) if line]
        passed = len(names) - len(wrong)
        more, also = compare_jobs(ours, theirs, json.load(open(os.path.join(theirs.folder, 'logreg.json'))))
    for line in wrong + also:
        print(line)
    return passed + more, len(wrong) + len(also)


def counts(weir, tensorflow):
    """(passed, failed); both are 0 where there are no workloads."""
    if os.path.exists(os.path.join(PROGRAMS, 'models.py')):
        return compare(weir, tensorflow)
    print('workloads.py: there are no reference workloads in %s; nothing is compared' % os.path.relpath(PROGRAMS))
    return 0, 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--weir', default=sys.executable)
    parser.add_argument('--tensorflow', default=sys.executable)
    parser.add_argument('--one')
    parser.add_argument('--restore')
    options = parser.parse_args()
    if options.one:
        return one(options.one, options.restore)
    passed, failed = counts(options.weir, options.tensorflow)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
