"""tf.summary: summary nodes. FileWriter is in event_writer.py."""
import contextlib
import re

from . import _ops, framework, messages, tf_logging
from .event_writer import FileWriter, FileWriterCache  # noqa: F401


def _clean(name):
    """A tag as a node may be called."""
    if name is not None:
        made = re.sub(r'[^-/\w\.]', '_', name).lstrip('/')
        if made != name:
            tf_logging.info('Summary name %s is illegal; using %s instead.' % (name, made))
        name = made
    return name


@contextlib.contextmanager
def _scope(name, family=None, default_name=None, values=None):
    """Gives (tag, scope) of a summary node."""
    name, family = _clean(name), _clean(family)
    base = '%s/%s' % (family, name) if family else name
    with framework.name_scope(base, default_name, values) as scope:
        tag = scope.rstrip('/')
        yield ('%s/%s' % (family, tag) if family else tag), scope


def _collect(value, collections, default):
    for key in default if collections is None else collections:
        framework.add_to_collection(key, value)
    return value


def scalar(name, tensor, collections=None, family=None):
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = _ops.scalar_summary(tags=tag, values=tensor, name=scope)
        return _collect(made, collections, ['summaries'])


def histogram(name, values, collections=None, family=None):
    with _scope(name, family, 'HistogramSummary', [values]) as (tag, scope):
        made = _ops.histogram_summary(tag=tag, values=values, name=scope)
        return _collect(made, collections, ['summaries'])


def image(name, tensor, max_outputs=3, collections=None, family=None):
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = _ops.image_summary(tag=tag, tensor=tensor, bad_color=None, max_images=max_outputs, name=scope)
        return _collect(made, collections, ['summaries'])


def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    with _scope(name, family, values=[tensor]) as (tag, scope):
        rate = framework.convert_to_tensor(sample_rate, dtype='float32', name='sample_rate')
        made = _ops.audio_summary_v2(tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope)
        return _collect(made, collections, ['summaries'])


def tensor_summary(name, tensor, summary_description=None, collections=None, summary_metadata=None, family=None,
                   display_name=None):
    metadata = messages.SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = _ops.tensor_summary_v2(tag=tag, tensor=tensor, serialized_summary_metadata=metadata.SerializeToString(),
                                      name=scope)
        return _collect(made, collections, ['summaries'])


def text(name, tensor, collections=None):
    if tensor.dtype.base_dtype.name != 'string':
        raise ValueError('Expected tensor %s to have dtype string, got %s' % (tensor.name, tensor.dtype))
    metadata = messages.SummaryMetadata(plugin_data=messages.SummaryMetadata.PluginData(plugin_name='text'))
    return tensor_summary(name, tensor, collections=collections, summary_metadata=metadata)


def merge(inputs, collections=None, name=None):
    name = _clean(name)
    inputs = list(inputs)
    with framework.name_scope(name, 'Merge', inputs):
        return _collect(_ops.merge_summary(inputs=inputs, name=name), collections, [])


def merge_all(key='summaries', scope=None, name=None):
    found = framework.get_collection(key, scope)
    return merge(found, name=name) if found else None


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return getattr(messages, name)
