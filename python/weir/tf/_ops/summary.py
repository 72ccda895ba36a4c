"""Ops: summary. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AudioSummary': 'tag:7 tensor:1|summary:7|sample_rate:f max_outputs:i|0',
    'AudioSummaryV2': 'tag:7 tensor:1 sample_rate:1|summary:7|max_outputs:i|0',
    'CloseSummaryWriter': 'writer:20|||1',
    'CreateSummaryFileWriter': 'writer:20 logdir:7 max_queue:3 flush_millis:3 filename_suffix:7|||1',
    'FlushSummaryWriter': 'writer:20|||1',
    'HistogramSummary': 'tag:7 values:T|summary:7|T:t=1|0',
    'ImageSummary': 'tag:7 tensor:T|summary:7|max_images:i T:t=1 bad_color:T|0',
    'ImportEvent': 'writer:20 event:7|||1',
    'MergeSummary': 'inputs:N*7|summary:7|N:i|0',
    'ScalarSummary': 'tags:7 values:T|summary:7|T:t|0',
    'SummaryWriter': '|writer:20|shared_name:s container:s|1',
    'TensorSummary': 'tensor:T|summary:7|T:t description:s labels:[s display_name:s|0',
    'TensorSummaryV2': 'tag:7 tensor:T serialized_summary_metadata:7|summary:7|T:t|0',
    'WriteAudioSummary': 'writer:20 step:9 tag:7 tensor:1 sample_rate:1||max_outputs:i|1',
    'WriteGraphSummary': 'writer:20 step:9 tensor:7|||1',
    'WriteHistogramSummary': 'writer:20 step:9 tag:7 values:T||T:t=1|1',
    'WriteImageSummary': 'writer:20 step:9 tag:7 tensor:T bad_color:4||max_images:i T:t=1|1',
    'WriteRawProtoSummary': 'writer:20 step:9 tensor:7|||1',
    'WriteScalarSummary': 'writer:20 step:9 tag:7 value:T||T:t|1',
    'WriteSummary': 'writer:20 step:9 tensor:T tag:7 summary_metadata:7||T:t|1',
}


def audio_summary(tag, tensor, sample_rate, max_outputs=3, name=None):
    return apply('AudioSummary', name, (tag, tensor), {'sample_rate': sample_rate, 'max_outputs': max_outputs}).outputs[0]


def audio_summary_v2(tag, tensor, sample_rate, max_outputs=3, name=None):
    return apply('AudioSummaryV2', name, (tag, tensor, sample_rate), {'max_outputs': max_outputs}).outputs[0]


def close_summary_writer(writer, name=None):
    return apply('CloseSummaryWriter', name, (writer,), {})


def create_summary_file_writer(writer, logdir, max_queue, flush_millis, filename_suffix, name=None):
    return apply('CreateSummaryFileWriter', name, (writer, logdir, max_queue, flush_millis, filename_suffix), {})


def flush_summary_writer(writer, name=None):
    return apply('FlushSummaryWriter', name, (writer,), {})


def histogram_summary(tag, values, name=None):
    return apply('HistogramSummary', name, (tag, values), {}).outputs[0]


def image_summary(tag, tensor, bad_color, max_images=3, name=None):
    return apply('ImageSummary', name, (tag, tensor), {'bad_color': bad_color, 'max_images': max_images}).outputs[0]


def import_event(writer, event, name=None):
    return apply('ImportEvent', name, (writer, event), {})


def merge_summary(inputs, name=None):
    return apply('MergeSummary', name, (inputs,), {}).outputs[0]


def scalar_summary(tags, values, name=None):
    return apply('ScalarSummary', name, (tags, values), {}).outputs[0]


def summary_writer(shared_name='', container='', name=None):
    return apply('SummaryWriter', name, (), {'shared_name': shared_name, 'container': container}).outputs[0]


def tensor_summary(tensor, description='', labels=[], display_name='', name=None):
    return apply('TensorSummary', name, (tensor,), {'description': description, 'labels': labels, 'display_name': display_name}).outputs[0]


def tensor_summary_v2(tag, tensor, serialized_summary_metadata, name=None):
    return apply('TensorSummaryV2', name, (tag, tensor, serialized_summary_metadata), {}).outputs[0]


def write_audio_summary(writer, step, tag, tensor, sample_rate, max_outputs=3, name=None):
    return apply('WriteAudioSummary', name, (writer, step, tag, tensor, sample_rate), {'max_outputs': max_outputs})


def write_graph_summary(writer, step, tensor, name=None):
    return apply('WriteGraphSummary', name, (writer, step, tensor), {})


def write_histogram_summary(writer, step, tag, values, name=None):
    return apply('WriteHistogramSummary', name, (writer, step, tag, values), {})


def write_image_summary(writer, step, tag, tensor, bad_color, max_images=3, name=None):
    return apply('WriteImageSummary', name, (writer, step, tag, tensor, bad_color), {'max_images': max_images})


def write_raw_proto_summary(writer, step, tensor, name=None):
    return apply('WriteRawProtoSummary', name, (writer, step, tensor), {})


def write_scalar_summary(writer, step, tag, value, name=None):
    return apply('WriteScalarSummary', name, (writer, step, tag, value), {})


def write_summary(writer, step, tensor, tag, summary_metadata, name=None):
    return apply('WriteSummary', name, (writer, step, tensor, tag, summary_metadata), {})
