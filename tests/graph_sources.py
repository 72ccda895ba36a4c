"""Graphs for tools/differential that are made first: workloads, built-in models, SavedModels.

    python tests/graph_sources.py workloads|models|saved DIR      # writes them below DIR

It is a program because TensorFlow's Python and a library of Weir do not share a process.
"""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
WORKLOADS = pathlib.Path(os.environ.get("WEIR_WORKLOADS") or HERE.parent.parent / "shared" / "workloads")

# The built-in models, small enough to be run in thirty ways.
MODELS = {
    "logreg": {"batch": 4}, "mnist_cnn": {"batch": 2}, "autoencoder_small": {"batch": 4},
    "autoencoder_large": {"batch": 4}, "stn_small": {"batch": 2}, "stn_large": {"batch": 2},
    "lstm_full": {"batch": 2, "size": 4, "classes": 50}, "lstm_sampled": {"batch": 2, "size": 4, "classes": 600},
    "alexnet": {"batch": 1, "rate": 1e-5}, "overfeat": {"batch": 1, "size": 99, "classes": 50, "rate": 1e-5},
    "vgg_a": {"batch": 1, "size": 32, "rate": 1e-5}, "googlenet": {"batch": 1, "rate": 1e-5},
    "inception_v3": {"batch": 8, "size": 107, "classes": 5, "rate": 1e-3},
    "null": {"bytes": 1 << 14}, "null_sparse": {"bytes": 1 << 14},
}


def workloads(folder):
    """The reference workloads, or small models of our own where those are not."""
    exporter = WORKLOADS / "export_graphs.py"
    if exporter.exists():
        subprocess.run([sys.executable, str(exporter), str(folder)], check=True, stdout=subprocess.DEVNULL)
        return
    print("differential: the reference workloads are not at %s; small models only" % WORKLOADS, flush=True)
    small_models(folder)


def small_models(folder):
    import small_models as small
    tf = small.v1
    for name, build in small.ALL.items():
        with tf.Graph().as_default() as graph:
            feeds, train, loss = build()
            init = tf.global_variables_initializer()
        write_job(folder / name, graph.as_graph_def().SerializeToString(), init.name, train.name, loss.name,
                  {p.name: v for p, v in feeds.items()})


def write_job(path, graph, init, step, loss, feeds):
    """NAME.pb and NAME.job, as export_graphs.py writes them."""
    from dtypes import number
    path.with_suffix(".pb").write_bytes(graph)
    lines = ["init %s" % init, "step %s" % step, "loss %s" % loss]
    for k, (name, value) in enumerate(feeds.items()):
        file = "%s.%d.bin" % (path.name, k)
        value.tofile(path.parent / file)
        lines.append("feed %s %d %d %s %s" % (name, number(value.dtype), value.ndim, " ".join(map(str, value.shape)), file))
    path.with_suffix(".job").write_text("\n".join(lines) + "\n")


def models(folder):
    """The built-in models, as trainers of the library make them."""
    import weir_train
    for name, options in MODELS.items():
        trainer = weir_train.Trainer(os.environ["WEIR_LIBRARY"])
        graph = trainer.build(name, **options)
        values = trainer.made_up(name, **options)
        *words, feeds = trainer.end_graph(graph)
        write_job(folder / name, *words, dict(zip(feeds, values)))
        trainer.delete()


def saved(folder):
    """Every kind of SavedModel that the tests write."""
    import saved_model_test
    for name, (write, _, _) in saved_model_test.MODELS.items():
        (folder / name).mkdir()
        write(str(folder / name / "saved"))


SOURCES = {"workloads": workloads, "models": models, "saved": saved}


def write(kind, folder, library):
    """Runs this file in a process of its own."""
    env = {**os.environ, "WEIR_LIBRARY": str(library), "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    subprocess.run([sys.executable, __file__, kind, str(folder)], check=True, env=env)


if __name__ == "__main__":
    SOURCES[sys.argv[1]](pathlib.Path(sys.argv[2]))
