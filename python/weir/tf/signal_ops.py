"""tf.signal: frames, windows, short-time transforms, cosine transforms and mel scales."""
import math

import numpy as np

from .public import tf


def _window(length, periodic, dtype, a, b):
    length = tf.convert_to_tensor(length, dtype=tf.int32)
    even = tf.cast(periodic, tf.int32) * (1 - length % 2)
    count = tf.cast(length + even - 1, dtype)
    arg = 2 * math.pi * tf.cast(tf.range(length), dtype) / tf.maximum(count, 1)
    known = tf.contrib.util.constant_value(length)
    return tf.ones([1], dtype) if known == 1 else tf.cast(a - b * tf.cos(arg), dtype)


def hann_window(window_length, periodic=True, dtype=tf.float32, name=None):
    with tf.name_scope(name, 'hann_window', [window_length]):
        return _window(window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length, periodic=True, dtype=tf.float32, name=None):
    with tf.name_scope(name, 'hamming_window', [window_length]):
        return _window(window_length, periodic, dtype, 0.54, 0.46)


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Pieces of frame_length, frame_step apart, along an axis: [..., frames, frame_length, ...]."""
    with tf.name_scope(name, 'frame', [signal]):
        signal = tf.convert_to_tensor(signal)
        rank = signal.get_shape().ndims
        axis = axis % rank
        length = tf.shape(signal)[axis]
        if pad_end:
            count = tf.maximum(0, -(-length // frame_step))
            more = tf.maximum(0, frame_length + frame_step * (count - 1) - length)
            signal = tf.pad(signal, [[0, more] if i == axis else [0, 0] for i in range(rank)], constant_values=pad_value)
        else:
            count = tf.maximum(0, 1 + (length - frame_length) // frame_step)
        at = tf.expand_dims(tf.range(count) * frame_step, 1) + tf.expand_dims(tf.range(frame_length), 0)
        return tf.gather(signal, at, axis=axis)


def overlap_and_add(signal, frame_step, name=None):
    """The sum of frames that lie frame_step apart: [..., frames, length] to [..., samples]."""
    with tf.name_scope(name, 'overlap_and_add', [signal, frame_step]):
        signal = tf.convert_to_tensor(signal)
        shape = tf.shape(signal)
        count, length = shape[-2], shape[-1]
        total = length + (count - 1) * frame_step
        at = tf.reshape(tf.expand_dims(tf.range(count) * frame_step, 1) + tf.expand_dims(tf.range(length), 0), [-1])
        flat = tf.transpose(tf.reshape(signal, [-1, count * length]))
        made = tf.transpose(tf.unsorted_segment_sum(flat, at, total))
        return tf.reshape(made, tf.concat([shape[:-2], [total]], 0))


def _power(frame_length):
    known = tf.contrib.util.constant_value(tf.convert_to_tensor(frame_length))
    return int(2 ** math.ceil(math.log(int(known), 2)))


def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False, name=None):
    with tf.name_scope(name, 'stft', [signals]):
        frames = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        return tf.signal.rfft(frames, [_power(frame_length) if fft_length is None else fft_length])


def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    def window(frame_length, dtype):
        forward = forward_window_fn(frame_length, dtype=dtype)
        squares = tf.square(forward)
        overlaps = -(-int(frame_length) // int(frame_step))
        squares = tf.pad(squares, [[0, overlaps * frame_step - frame_length]])
        sums = tf.reduce_sum(tf.reshape(squares, [overlaps, frame_step]), 0)
        return forward / tf.tile(sums, [overlaps])[:frame_length]
    return window


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None):
    with tf.name_scope(name, 'inverse_stft', [stfts]):
        size = _power(frame_length) if fft_length is None else fft_length
        frames = tf.signal.irfft(stfts, [size])[..., :frame_length]
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        return overlap_and_add(frames, frame_step)


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The cosine transform of type 2 of the last axis."""
    if type != 2:
        raise NotImplementedError('weir has only the cosine transform of type 2')
    with tf.name_scope(name, 'dct', [input]):
        input = tf.convert_to_tensor(input)
        size = int(input.get_shape().as_list()[-1])
        angles = math.pi / size * np.outer(np.arange(size) + 0.5, np.arange(size))
        table = 2 * np.cos(angles)
        if norm == 'ortho':
            table *= np.where(np.arange(size) == 0, math.sqrt(0.25 / size), math.sqrt(0.5 / size))
        return tf.tensordot(input, tf.constant(table, input.dtype), [[-1], [0]])


def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    if type != 2:
        raise NotImplementedError('weir has only the cosine transform of type 2')
    with tf.name_scope(name, 'idct', [input]):
        input = tf.convert_to_tensor(input)
        size = int(input.get_shape().as_list()[-1])
        angles = math.pi / size * np.outer(np.arange(size), np.arange(size) + 0.5)
        first = np.where(np.arange(size) == 0, 0.5, 1.0)[:, None]
        table = 2 * first * np.cos(angles)
        if norm == 'ortho':
            table = np.cos(angles) * np.where(np.arange(size) == 0, math.sqrt(1. / size), math.sqrt(2. / size))[:, None]
        return tf.tensordot(input, tf.constant(table, input.dtype), [[-1], [0]])


def _mel(hertz):
    return 1127.0 * np.log1p(np.asarray(hertz) / 700.0)


def linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0,
                                upper_edge_hertz=3800.0, dtype=tf.float32, name=None):
    if not 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2:
        raise ValueError('edges must be 0 <= lower < upper <= sample_rate / 2')
    with tf.name_scope(name, 'linear_to_mel_weight_matrix'):
        bins = _mel(np.linspace(0.0, sample_rate / 2.0, num_spectrogram_bins)[1:])[:, None]
        edges = np.linspace(_mel(lower_edge_hertz), _mel(upper_edge_hertz), num_mel_bins + 2)
        low, middle, high = edges[:-2], edges[1:-1], edges[2:]
        weights = np.maximum(0.0, np.minimum((bins - low) / (middle - low), (high - bins) / (high - middle)))
        return tf.constant(np.pad(weights, [[1, 0], [0, 0]]), dtype)


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    with tf.name_scope(name, 'mfccs_from_log_mel_spectrograms', [log_mel_spectrograms]):
        bins = int(log_mel_spectrograms.get_shape().as_list()[-1])
        return dct(log_mel_spectrograms) * (1.0 / math.sqrt(bins * 2.0))
