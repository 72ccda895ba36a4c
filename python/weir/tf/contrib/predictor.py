"""tf.contrib.predictor: a saved model as a function of arrays."""
from ..public import tf


class Predictor:
    """Runs fetch_tensors with values for feed_tensors, in a session of its own."""

    def __init__(self, graph, session, feeds, fetches):
        self._graph, self._session, self._feed_tensors, self._fetch_tensors = graph, session, feeds, fetches

    graph = property(lambda self: self._graph)
    session = property(lambda self: self._session)
    feed_tensors = property(lambda self: self._feed_tensors)
    fetch_tensors = property(lambda self: self._fetch_tensors)

    def __call__(self, input_dict):
        unknown = sorted(set(input_dict) - set(self._feed_tensors))
        if unknown:
            raise ValueError('Got unexpected keys in input_dict: {}\nexpected: {}'.format(set(unknown), set(self._feed_tensors)))
        feeds = {self._feed_tensors[name]: value for name, value in input_dict.items()}
        return self._session.run(self._fetch_tensors, feeds)

    def __repr__(self):
        return 'Predictor with feed tensors %s and fetch_tensors %s' % (self._feed_tensors, self._fetch_tensors)


def _signature(meta, key, given, input_names, output_names):
    """(names of inputs, names of outputs): each a dictionary, name -> tensor's name."""
    if key is not None and (given is not None or input_names or output_names):
        raise ValueError('You must specify at most one of signature_def_key OR signature_def OR (input_names AND output_names).')
    if bool(input_names) != bool(output_names):
        raise ValueError('input_names and output_names must both be specified or both be unspecified.')
    if input_names:
        return dict(input_names), dict(output_names)
    if given is None:
        key = key or tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if key not in meta.signature_def:
            raise ValueError('Got signature_def_key "{}". Available signatures are {}.'.format(key, sorted(meta.signature_def)))
        given = meta.signature_def[key]
    return {name: given.inputs[name].name for name in given.inputs}, {name: given.outputs[name].name for name in given.outputs}


def from_saved_model(export_dir, signature_def_key=None, signature_def=None, input_names=None, output_names=None, tags=None,
                     graph=None, config=None):
    graph = graph or tf.Graph()
    with graph.as_default():
        session = tf.Session(graph=graph, config=config)
        tags = (tags or tf.saved_model.tag_constants.SERVING)
        tags = tags.split(',') if isinstance(tags, str) else list(tags)
        meta = tf.saved_model.loader.load(session, tags, export_dir)
        feeds, fetches = _signature(meta, signature_def_key, signature_def, input_names, output_names)
        return Predictor(graph, session, {name: graph.get_tensor_by_name(tensor) for name, tensor in feeds.items()},
                         {name: graph.get_tensor_by_name(tensor) for name, tensor in fetches.items()})


def from_estimator(estimator, serving_input_receiver_fn, output_key=None, graph=None, config=None):
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        made = estimator.export_savedmodel(folder, serving_input_receiver_fn)
        return from_saved_model(made.decode() if isinstance(made, bytes) else made, output_key, graph=graph, config=config)
