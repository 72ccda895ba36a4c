"""Training steps in two: what is computed, then what is written with it.

    training = training_runs.Training(graph)             # a graph_files.Graph
    runs = training.observed(runs)                       # each training run also fetches what its updates write with
    sent, joined = training.apart(runs, answers)         # the same for another library, which is given those values

Two libraries round differently, and an update may make that large: Adam's first step is about rate * sign(gradient),
also where a gradient is nothing but rounding. A library may also write a variable that is a reference while the
gradients of lower layers still read it. So a run that trains becomes two of another library: one fetches the values
and gradients, which must agree, and writes nothing; one updates, fed with the gradients of the first library, so that
the variables must agree too. Random numbers and elements of datasets are drawn by the former alone, as often as before.
"""
import re

OPTIMISES = re.compile(r"(Resource)?(Sparse)?Apply")
UPDATES = re.compile(OPTIMISES.pattern + r"|Assign(Add|Sub)|(Resource)?Scatter(Nd)?(Add|Sub|Update|Mul|Div|Min|Max)$")


class Training:
    """A graph in which updates are told from the rest."""

    def __init__(self, graph):
        self.graph = graph
        self.updates = {n.name for n in graph.nodes.values() if UPDATES.match(n.op)}
        self.later = graph.descendants(self.updates)

    def waits(self, name):
        """Whether a tensor or node needs an update first."""
        return name.split(":")[0] in self.later

    def given(self, run):
        """What the updates of a run write with, as far as it is there before all of them; nothing for other runs."""
        above = self.graph.ancestors(*(name.split(":")[0] for name in run["fetches"] + run["targets"]))
        if not any(OPTIMISES.match(n.op) for n in above):
            return []
        values = {t for n in above if n.name in self.updates for t in self.graph.values_written(n)}
        return sorted(t for t in values if not self.waits(t) and t not in run["feeds"])

    def observed(self, runs):
        """The runs, with what their updates write with fetched too."""
        return [dict(r, fetches=r["fetches"] + self.given(r)) for r in runs]

    def apart(self, runs, answers):
        """The runs for another library, and what makes its answers those of |runs|; |answers| are those of observed."""
        divided = [_Divided(self, run, answer) for run, answer in zip(runs, answers)]

        def joined(got):
            rest = iter(got)
            return [d.joined([next(rest) for _ in d.parts]) for d in divided]
        return [part for d in divided for part in d.parts], joined


class _Divided:
    """A run as one that computes and one that updates; one that does not train, or failed, is left whole."""

    def __init__(self, training, run, answer):
        waits, fetches, given = training.waits, run["fetches"], training.given(run)
        self.parts = [run]
        if not given or not isinstance(answer, list):
            return
        self.early, self.late = ([k for k, f in enumerate(fetches) if waits(f) == late] for late in (False, True))
        feeds = {**run["feeds"], **dict(zip(given, answer[len(fetches):]))}
        self.parts = [dict(run, fetches=[fetches[k] for k in self.early] + given,
                           targets=[t for t in run["targets"] if not waits(t)]),
                      dict(run, fetches=[fetches[k] for k in self.late], feeds=feeds,
                           targets=[t for t in run["targets"] if waits(t)])]

    def joined(self, got):
        """What the parts gave, as the whole run gives it."""
        failed = [g for g in got if not isinstance(g, list)]
        if failed or len(got) == 1:
            return (failed or got)[0]
        places = dict(zip(self.early, got[0])) | dict(zip(self.late, got[1]))
        return [places[k] for k in sorted(places)] + got[0][len(self.early):]
