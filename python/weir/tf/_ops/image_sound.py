"""Ops: image, sound. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AudioSpectrogram': 'input:1|spectrogram:1|window_size:i stride:i magnitude_squared:b|0',
    'DecodeWav': 'contents:7|audio:1 sample_rate:3|desired_channels:i desired_samples:i|0',
    'EncodeWav': 'audio:1 sample_rate:3|contents:7||0',
    'Mfcc': 'spectrogram:1 sample_rate:3|output:1|upper_frequency_limit:f lower_frequency_limit:f filterbank_channel_count:i dct_coefficient_count:i|0',
}


def audio_spectrogram(input, window_size, stride, magnitude_squared=False, name=None):
    return apply('AudioSpectrogram', name, (input,), {'window_size': window_size, 'stride': stride, 'magnitude_squared': magnitude_squared}).outputs[0]


def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None):
    return results(apply('DecodeWav', name, (contents,), {'desired_channels': desired_channels, 'desired_samples': desired_samples}))


def encode_wav(audio, sample_rate, name=None):
    return apply('EncodeWav', name, (audio, sample_rate), {}).outputs[0]


def mfcc(spectrogram, sample_rate, upper_frequency_limit=4000.0, lower_frequency_limit=20.0, filterbank_channel_count=40, dct_coefficient_count=13, name=None):
    return apply('Mfcc', name, (spectrogram, sample_rate), {'upper_frequency_limit': upper_frequency_limit, 'lower_frequency_limit': lower_frequency_limit, 'filterbank_channel_count': filterbank_channel_count, 'dct_coefficient_count': dct_coefficient_count}).outputs[0]
