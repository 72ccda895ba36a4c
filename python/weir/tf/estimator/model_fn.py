"""What a model function returns: EstimatorSpec, and what is exported."""
import collections

from ..public import tf


LOSS_METRIC_KEY, AVERAGE_LOSS_METRIC_KEY = 'loss', 'average_loss'


class ModeKeys:
    TRAIN, EVAL, PREDICT = 'train', 'eval', 'infer'


_FIELDS = ('mode', 'predictions', 'loss', 'train_op', 'eval_metric_ops', 'export_outputs', 'training_chief_hooks', 'training_hooks',
           'scaffold', 'evaluation_hooks', 'prediction_hooks')


class EstimatorSpec(collections.namedtuple('EstimatorSpec', _FIELDS)):
    """The model of one mode."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, export_outputs=None,
                training_chief_hooks=None, training_hooks=None, scaffold=None, evaluation_hooks=None, prediction_hooks=None):
        if mode == ModeKeys.TRAIN and train_op is None:
            raise ValueError('Missing train_op.')
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL) and loss is None:
            raise ValueError('Missing loss.')
        if mode == ModeKeys.PREDICT and predictions is None:
            raise ValueError('Missing predictions.')
        if loss is not None:
            loss = tf.convert_to_tensor(loss)
            if loss.get_shape().num_elements() not in (None, 1):
                raise ValueError('Loss must be scalar, given: %s' % loss)
            if loss.get_shape().ndims not in (0, None):
                loss = tf.reshape(loss, [])
        metrics = eval_metric_ops or {}
        for name, value in metrics.items():
            if not hasattr(value, 'result') and (not isinstance(value, tuple) or len(value) != 2):
                raise TypeError('Values of eval_metric_ops must be (metric_value, update_op) tuples, given: %s for key: %s' %
                                (value, name))
        return super().__new__(cls, mode, {} if predictions is None else predictions, loss, train_op, metrics, export_outputs,
                               tuple(training_chief_hooks or ()), tuple(training_hooks or ()), scaffold or tf.train.Scaffold(),
                               tuple(evaluation_hooks or ()), tuple(prediction_hooks or ()))


# ---- export ------------------------------------------------------------------------------------

class ExportOutput:
    """Tensors that a signature of a saved model gives."""

    def as_signature_def(self, receiver_tensors):
        raise NotImplementedError


def _as_dict(outputs, name):
    if isinstance(outputs, dict):
        return {(key if isinstance(key, str) else '/'.join(key)): value for key, value in outputs.items()}
    return {name: outputs}


class PredictOutput(ExportOutput):
    def __init__(self, outputs):
        self._outputs = _as_dict(outputs, 'output')

    outputs = property(lambda self: self._outputs)

    def as_signature_def(self, receiver_tensors):
        return tf.saved_model.predict_signature_def(receiver_tensors, self._outputs)


class ClassificationOutput(ExportOutput):
    def __init__(self, scores=None, classes=None):
        if scores is None and classes is None:
            raise ValueError('At least one of scores and classes must be set.')
        self._scores, self._classes = scores, classes

    scores = property(lambda self: self._scores)
    classes = property(lambda self: self._classes)

    def as_signature_def(self, receiver_tensors):
        (examples,) = receiver_tensors.values()
        return tf.saved_model.classification_signature_def(examples, self._classes, self._scores)


class RegressionOutput(ExportOutput):
    def __init__(self, value):
        self._value = value

    value = property(lambda self: self._value)

    def as_signature_def(self, receiver_tensors):
        (examples,) = receiver_tensors.values()
        return tf.saved_model.regression_signature_def(examples, self._value)


class ServingInputReceiver(collections.namedtuple('ServingInputReceiver',
                                                  ('features', 'receiver_tensors', 'receiver_tensors_alternatives'))):
    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        features = features if isinstance(features, dict) else {'feature': features}
        receiver = receiver_tensors if isinstance(receiver_tensors, dict) else {'input': receiver_tensors}
        return super().__new__(cls, features, receiver, receiver_tensors_alternatives)


class TensorServingInputReceiver(collections.namedtuple('TensorServingInputReceiver',
                                                        ('features', 'receiver_tensors', 'receiver_tensors_alternatives'))):
    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        receiver = receiver_tensors if isinstance(receiver_tensors, dict) else {'input': receiver_tensors}
        return super().__new__(cls, features, receiver, receiver_tensors_alternatives)


def build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size=None):
    def receiver():
        given = tf.placeholder(dtype=tf.string, shape=[default_batch_size], name='input_example_tensor')
        return ServingInputReceiver(tf.parse_example(given, feature_spec), {'examples': given})
    return receiver


def _placeholders(features, batch):
    made = {}
    for name, tensor in features.items():
        shape = tensor.get_shape().as_list()
        made[name] = tf.placeholder(dtype=tensor.dtype, shape=[batch] + shape[1:], name=name)
    return made


def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    def receiver():
        if not isinstance(features, dict):
            made = _placeholders({'feature': features}, default_batch_size)
            return TensorServingInputReceiver(made['feature'], made)
        made = _placeholders(features, default_batch_size)
        return ServingInputReceiver(made, made)
    return receiver
