"""tf.image: decoding, sizes, crops, colours and random changes of images."""
import math

import numpy as np

from . import _ops, array_ops, dtypes, math_ops, random_ops
from .check_ops import assert_greater_equal, assert_less_equal
from .control_flow_ops import cond, with_dependencies
from .convert import constant, constant_value, convert_to_tensor
from .scopes import control_dependencies, get_seed, name_scope
from .shapes import TensorShape
from .tensor import Tensor


class ResizeMethodV1:
    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


ResizeMethod = ResizeMethodV1


def _seeds(seed):
    first, second = get_seed(seed)
    return {'seed': first or 0, 'seed2': second or 0}


def _sizes(image):
    """(height, width) of an image or a batch of images: numbers where they are known."""
    known, at = image.get_shape(), -3
    if known.ndims is None:
        shape = array_ops.shape(image)
        return shape[-3], shape[-2]
    dims = known.as_list()
    shape = array_ops.shape(image) if None in dims[at:at + 2] else None
    return tuple(dims[i] if dims[i] is not None else shape[len(dims) + i] for i in (-3, -2))


def _check_rank(image, ranks):
    if image.get_shape().ndims is not None and image.get_shape().ndims not in ranks:
        raise ValueError("'image' must have %s dimensions: %s" % (' or '.join(map(str, ranks)), image.get_shape()))


def _as_batch(images):
    """(images of four dimensions, whether it was a single image)."""
    images = convert_to_tensor(images, name='images')
    if images.get_shape().ndims is None:
        raise ValueError("'images' contains no shape.")
    _check_rank(images, (3, 4))
    single = images.get_shape().ndims == 3
    return (array_ops.expand_dims(images, 0) if single else images), single


# ---- dtypes ----

def convert_image_dtype(image, dtype, saturate=False, name=None):
    image, dtype = convert_to_tensor(image, name='image'), dtypes.as_dtype(dtype)
    if not dtype.is_floating and not dtype.is_integer:
        raise AttributeError('dtype must be either floating point or integer')
    if dtype == image.dtype.base_dtype:
        return array_ops.identity(image, name=name)
    cast = math_ops.saturate_cast if saturate else math_ops.cast
    with name_scope(name, 'convert_image', [image]) as name:
        if image.dtype.is_integer and dtype.is_integer:
            return _between_integers(image, dtype, saturate, name)
        if image.dtype.is_floating and dtype.is_floating:
            return math_ops.cast(image, dtype, name=name)
        if image.dtype.is_integer:
            return math_ops.multiply(math_ops.cast(image, dtype), 1. / image.dtype.max, name=name)
        return cast(math_ops.multiply(image, dtype.max + 0.5), dtype, name=name)


def _between_integers(image, dtype, saturate, name):
    if image.dtype.max > dtype.max:
        scaled = math_ops.floordiv(image, (image.dtype.max + 1) // (dtype.max + 1))
        return (math_ops.saturate_cast if saturate else math_ops.cast)(scaled, dtype, name=name)
    made = math_ops.saturate_cast(image, dtype) if saturate else math_ops.cast(image, dtype)
    return math_ops.multiply(made, (dtype.max + 1) // (image.dtype.max + 1), name=name)


# ---- flips ----

def _one_or_more(image):
    """The image as a tensor; of unknown rank it is taken for one image."""
    image = convert_to_tensor(image, name='image')
    if image.get_shape().ndims is None:
        image.set_shape([None] * 3)
    return image


def _flip(image, axis, scope):
    with name_scope(None, scope, [image]):
        image = _one_or_more(image)
        rank = image.get_shape().ndims
        _check_rank(image, (3, 4))
        out = array_ops.reverse(image, [axis + (1 if rank == 4 else 0)])
        out.set_shape(image.get_shape())
        return out


def flip_left_right(image):
    return _flip(image, 1, 'flip_left_right')


def flip_up_down(image):
    return _flip(image, 0, 'flip_up_down')


def _random_flip(image, axis, seed, scope):
    with name_scope(None, scope, [image]) as scope:
        image = _one_or_more(image)
        _check_rank(image, (3, 4))
        if image.get_shape().ndims == 4:
            chance = random_ops.random_uniform([array_ops.shape(image)[0]], 0, 1.0, seed=seed)
            flips = math_ops.cast(math_ops.round(chance), image.dtype)
            flips = array_ops.reshape(flips, [-1, 1, 1, 1])
            return flips * array_ops.reverse(image, [axis + 1]) + (1 - flips) * image
        chance = random_ops.random_uniform([], 0, 1.0, seed=seed)
        out = cond(math_ops.less(chance, .5), lambda: array_ops.reverse(image, [axis]), lambda: image, name=scope)
        out.set_shape(image.get_shape())
        return out


def random_flip_left_right(image, seed=None):
    return _random_flip(image, 1, seed, 'random_flip_left_right')


def random_flip_up_down(image, seed=None):
    return _random_flip(image, 0, seed, 'random_flip_up_down')


def transpose(image, name=None):
    with name_scope(name, 'transpose', [image]):
        image = _one_or_more(image)
        _check_rank(image, (3, 4))
        return array_ops.transpose(image, [1, 0, 2] if image.get_shape().ndims == 3 else [0, 2, 1, 3])


def transpose_image(image, name=None):
    return transpose(image, name)


def rot90(image, k=1, name=None):
    with name_scope(name, 'rot90', [image, k]):
        image = convert_to_tensor(image, name='image')
        _check_rank(image, (3, 4))
        at = image.get_shape().ndims - 3
        swapped = [0, 2, 1, 3] if at else [1, 0, 2]
        turns = [lambda: image,
                 lambda: array_ops.transpose(array_ops.reverse(image, [at + 1]), swapped),
                 lambda: array_ops.reverse(image, [at, at + 1]),
                 lambda: array_ops.reverse(array_ops.transpose(image, swapped), [at + 1])]
        if isinstance(k, int):
            return array_ops.identity(turns[k % 4]())
        from .control_flow_ops import case
        k = math_ops.mod(convert_to_tensor(k, dtype=dtypes.int32), 4)
        out = case([(math_ops.equal(k, i), turns[i]) for i in (1, 2, 3)], default=turns[0], exclusive=True)
        out.set_shape([None, None, image.get_shape().as_list()[2]] if not at else [None] * 3 + image.get_shape().as_list()[3:])
        return out


# ---- crops and pads ----

def _squeezed(image, single):
    return array_ops.squeeze(image, [0]) if single else image


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    with name_scope(None, 'crop_to_bounding_box', [image]):
        image, single = _as_batch(image)
        known = image.get_shape().as_list()
        high, wide = _sizes(image)
        checks = [(offset_width, 0, 'offset_width must be >= 0.'), (offset_height, 0, 'offset_height must be >= 0.'),
                  (target_width, 1, 'target_width must be > 0.'), (target_height, 1, 'target_height must be > 0.')]
        for value, least, message in checks:
            if not isinstance(value, Tensor) and value < least:
                raise ValueError(message)
        for size, offset, target, word in ((wide, offset_width, target_width, 'width'), (high, offset_height, target_height, 'height')):
            if not any(isinstance(v, Tensor) for v in (size, offset, target)) and size < target + offset:
                raise ValueError('%s must be >= target + offset.' % word)
        cut = array_ops.slice(image, array_ops.stack([0, offset_height, offset_width, 0]),
                              array_ops.stack([-1, target_height, target_width, -1]))
        cut.set_shape([known[0], None if isinstance(target_height, Tensor) else target_height,
                       None if isinstance(target_width, Tensor) else target_width, known[3]])
        return _squeezed(cut, single)


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    with name_scope(None, 'pad_to_bounding_box', [image]):
        image, single = _as_batch(image)
        known = image.get_shape().as_list()
        high, wide = _sizes(image)
        right, below = target_width - offset_width - wide, target_height - offset_height - high
        for value, word in ((offset_height, 'offset_height'), (offset_width, 'offset_width'),
                            (right, 'width must be <= target - offset'), (below, 'height must be <= target - offset')):
            if not isinstance(value, Tensor) and value < 0:
                raise ValueError(word if ' ' in word else '%s must be >= 0' % word)
        pads = array_ops.reshape(array_ops.stack([0, 0, offset_height, below, offset_width, right, 0, 0]), [4, 2])
        out = array_ops.pad(image, pads)
        out.set_shape([known[0], None if isinstance(target_height, Tensor) else target_height,
                       None if isinstance(target_width, Tensor) else target_width, known[3]])
        return _squeezed(out, single)


def resize_image_with_crop_or_pad(image, target_height, target_width):
    with name_scope(None, 'resize_image_with_crop_or_pad', [image]):
        image, single = _as_batch(image)
        for value, word in ((target_width, 'target_width'), (target_height, 'target_height')):
            if not isinstance(value, Tensor) and value <= 0:
                raise ValueError('%s must be > 0.' % word)
        high, wide = _sizes(image)
        more = (lambda a, b: max(a, b)) if not any(isinstance(v, Tensor) for v in (high, wide, target_height, target_width)) \
            else math_ops.maximum
        less = (lambda a, b: min(a, b)) if more is not math_ops.maximum else math_ops.minimum
        across, down = target_width - wide, target_height - high
        cut = crop_to_bounding_box(image, more(-down // 2, 0), more(-across // 2, 0), less(target_height, high),
                                   less(target_width, wide))
        out = pad_to_bounding_box(cut, more(down // 2, 0), more(across // 2, 0), target_height, target_width)
        return _squeezed(out, single)


resize_with_crop_or_pad = resize_image_with_crop_or_pad


def central_crop(image, central_fraction):
    with name_scope(None, 'central_crop', [image]):
        image = convert_to_tensor(image, name='image')
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError('central_fraction must be within (0, 1]')
        if central_fraction == 1.0:
            return image
        _check_rank(image, (3, 4))
        high, wide = _sizes(image)

        def start(size):
            if isinstance(size, Tensor):
                size = math_ops.cast(size, dtypes.float64)
                return math_ops.cast((size - size * central_fraction) / 2, dtypes.int32)
            return int((size - size * central_fraction) / 2)
        top, left = start(high), start(wide)
        rank = image.get_shape().ndims
        begin, size = [top, left, 0], [high - top * 2, wide - left * 2, -1]
        if rank == 4:
            begin, size = [0] + begin, [-1] + size
        out = array_ops.slice(image, array_ops.stack(begin), array_ops.stack(size))
        known = image.get_shape().as_list()
        fixed = [None if isinstance(v, Tensor) else v for v in size[-3:-1]]
        out.set_shape(known[:-3] + fixed + known[-1:])
        return out


def resize_image_with_pad(image, target_height, target_width, method=ResizeMethodV1.BILINEAR, align_corners=False):
    image, single = _as_batch(image)
    high, wide = (math_ops.cast(v, dtypes.float64) for v in _sizes(image))
    ratio = math_ops.maximum(wide / float(target_width), high / float(target_height))
    new_high, new_wide = (math_ops.cast(math_ops.floor(v / ratio), dtypes.int32) for v in (high, wide))
    down = math_ops.maximum(0, math_ops.cast(math_ops.floor((target_height - high / ratio) / 2), dtypes.int32))
    across = math_ops.maximum(0, math_ops.cast(math_ops.floor((target_width - wide / ratio) / 2), dtypes.int32))
    made = resize_images(image, array_ops.stack([new_high, new_wide]), method, align_corners)
    return _squeezed(pad_to_bounding_box(made, down, across, target_height, target_width), single)


# ---- sizes ----

def resize_bilinear(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return _ops.resize_bilinear(images, size, align_corners, half_pixel_centers, name)


def resize_nearest_neighbor(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return _ops.resize_nearest_neighbor(images, size, align_corners, half_pixel_centers, name)


def resize_bicubic(images, size, align_corners=False, name=None, half_pixel_centers=False):
    return _ops.resize_bicubic(images, size, align_corners, half_pixel_centers, name)


def resize_area(images, size, align_corners=False, name=None):
    return _ops.resize_area(images, size, align_corners, name)


_RESIZE = {ResizeMethodV1.BILINEAR: resize_bilinear, ResizeMethodV1.NEAREST_NEIGHBOR: resize_nearest_neighbor,
           ResizeMethodV1.BICUBIC: resize_bicubic, ResizeMethodV1.AREA: resize_area}


def resize_images(images, size, method=ResizeMethodV1.BILINEAR, align_corners=False, preserve_aspect_ratio=False, name=None):
    """The images in another size; images of that size already are given back as they are."""
    if isinstance(method, Tensor) or not isinstance(align_corners, bool):  # before 1.0: (images, height, width, method)
        raise ValueError('Resize method must be a number')
    with name_scope(name, 'resize', [images, size]):
        images, single = _as_batch(images)
        size = convert_to_tensor(size, dtypes.int32, name='size')
        if not size.get_shape().is_compatible_with([2]):
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        known = constant_value(size)
        high, wide = (None, None) if known is None else (int(known[0]), int(known[1]))
        if preserve_aspect_ratio:
            size, high, wide = _kept_ratio(images, size)
        dims = images.get_shape().as_list()
        if high is not None and high == dims[1] and wide == dims[2]:
            return _squeezed(images, single)
        if method not in _RESIZE:
            raise ValueError('Resize method is not implemented.')
        made = _RESIZE[method](images, size, align_corners=align_corners)
        made.set_shape([None, high, wide, dims[3]])
        return _squeezed(made, single)


def _kept_ratio(images, size):
    high, wide = _sizes(images)
    numbers = [math_ops.cast(v, dtypes.float32) for v in (size[0], size[1], high, wide)]
    scale = math_ops.minimum(numbers[0] / numbers[2], numbers[1] / numbers[3])
    new = array_ops.stack([math_ops.round(scale * numbers[2]), math_ops.round(scale * numbers[3])])
    size = math_ops.cast(new, dtypes.int32)
    known = constant_value(size)
    return (size, None, None) if known is None else (size, int(known[0]), int(known[1]))


resize = resize_images


def crop_and_resize(image, boxes, box_ind=None, crop_size=None, method='bilinear', extrapolation_value=0, name=None,
                    box_indices=None):
    return _ops.crop_and_resize(image, boxes, box_ind if box_ind is not None else box_indices, crop_size, method,
                                extrapolation_value, name)


# ---- colours ----

def per_image_standardization(image):
    with name_scope(None, 'per_image_standardization', [image]) as scope:
        image = convert_to_tensor(image, name='image')
        count = math_ops.reduce_prod(array_ops.shape(image)[-3:])
        image = math_ops.cast(image, dtypes.float32)
        mean = math_ops.reduce_mean(image, axis=[-1, -2, -3], keepdims=True)
        deviation = math_ops.sqrt(math_ops.maximum(
            math_ops.reduce_mean(math_ops.square(image), axis=[-1, -2, -3], keepdims=True) - math_ops.square(mean), 0))
        least = math_ops.rsqrt(math_ops.cast(count, dtypes.float32))
        return math_ops.div(math_ops.subtract(image, mean), math_ops.maximum(deviation, least), name=scope)


per_image_whitening = per_image_standardization


def _in_floats(image, act):
    """act on float32 values within [0, 1], and back to the image's dtype."""
    original = image.dtype.base_dtype
    if original in (dtypes.float16, dtypes.float32):
        return convert_image_dtype(act(image), original, saturate=True)
    return convert_image_dtype(act(convert_image_dtype(image, dtypes.float32)), original, saturate=True)


def adjust_brightness(image, delta):
    with name_scope(None, 'adjust_brightness', [image, delta]):
        image = convert_to_tensor(image, name='image')
        return _in_floats(image, lambda v: math_ops.add(v, math_ops.cast(delta, v.dtype)))


def adjust_contrast(images, contrast_factor):
    with name_scope(None, 'adjust_contrast', [images, contrast_factor]):
        images = convert_to_tensor(images, name='images')
        return _in_floats(images, lambda v: math_ops.cast(
            _ops.adjust_contrastv2(math_ops.cast(v, dtypes.float32), contrast_factor=contrast_factor), v.dtype))


def adjust_gamma(image, gamma=1, gain=1):
    with name_scope(None, 'adjust_gamma', [image, gamma, gain]):
        image = convert_to_tensor(image, name='image')
        if not isinstance(gamma, Tensor) and gamma < 0:
            raise ValueError('Gamma should be a non-negative real number.')
        return _in_floats(image, lambda v: gain * v**gamma)


def adjust_hue(image, delta, name=None):
    with name_scope(name, 'adjust_hue', [image]):
        image = convert_to_tensor(image, name='image')
        return _in_floats(image, lambda v: _ops.adjust_hue(v, delta))


def adjust_saturation(image, saturation_factor, name=None):
    with name_scope(name, 'adjust_saturation', [image]):
        image = convert_to_tensor(image, name='image')
        return _in_floats(image, lambda v: _ops.adjust_saturation(v, saturation_factor))


def random_brightness(image, max_delta, seed=None):
    if max_delta < 0:
        raise ValueError('max_delta must be non-negative.')
    return adjust_brightness(image, random_ops.random_uniform([], -max_delta, max_delta, seed=seed))


def random_contrast(image, lower, upper, seed=None):
    if upper <= lower:
        raise ValueError('upper must be > lower.')
    if lower < 0:
        raise ValueError('lower must be non-negative.')
    return adjust_contrast(image, random_ops.random_uniform([], lower, upper, seed=seed))


def random_hue(image, max_delta, seed=None):
    if max_delta > 0.5:
        raise ValueError('max_delta must be <= 0.5.')
    if max_delta < 0:
        raise ValueError('max_delta must be non-negative.')
    return adjust_hue(image, random_ops.random_uniform([], -max_delta, max_delta, seed=seed))


def random_saturation(image, lower, upper, seed=None):
    if upper <= lower:
        raise ValueError('upper must be > lower.')
    if lower < 0:
        raise ValueError('lower must be non-negative.')
    return adjust_saturation(image, random_ops.random_uniform([], lower, upper, seed=seed))


def rgb_to_grayscale(images, name=None):
    with name_scope(name, 'rgb_to_grayscale', [images]) as name:
        images = convert_to_tensor(images, name='images')
        floats = convert_image_dtype(images, dtypes.float32)
        gray = array_ops.expand_dims(math_ops.tensordot(floats, [0.2989, 0.5870, 0.1140], [-1, -1]), -1)
        return convert_image_dtype(gray, images.dtype.base_dtype, name=name)


def grayscale_to_rgb(images, name=None):
    with name_scope(name, 'grayscale_to_rgb', [images]) as name:
        images = convert_to_tensor(images, name='images')
        before = array_ops.ones(array_ops.expand_dims(array_ops.rank(images) - 1, 0), dtype=dtypes.int32)
        out = array_ops.tile(images, array_ops.concat([before, [3]], 0), name=name)
        out.set_shape(images.get_shape()[:-1].concatenate([3]))
        return out


def _mixed(images, rows, name):
    images = convert_to_tensor(images, name='images')
    kernel = convert_to_tensor(rows, dtype=images.dtype, name='kernel')
    return math_ops.tensordot(images, kernel, axes=[[images.get_shape().ndims - 1], [0]])


def rgb_to_yiq(images):
    return _mixed(images, [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]], None)


def yiq_to_rgb(images):
    return _mixed(images, [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]], None)


def rgb_to_yuv(images):
    return _mixed(images, [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]],
                  None)


def yuv_to_rgb(images):
    return _mixed(images, [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]], None)


# ---- boxes ----

def sample_distorted_bounding_box(image_size, bounding_boxes, seed=None, seed2=None, min_object_covered=0.1,
                                  aspect_ratio_range=None, area_range=None, max_attempts=None,
                                  use_image_if_no_bounding_boxes=None, name=None):
    with name_scope(name, 'sample_distorted_bounding_box'):
        return _ops.sample_distorted_bounding_box_v2(
            image_size, bounding_boxes, min_object_covered, seed or 0, seed2 or 0, aspect_ratio_range or [0.75, 1.33],
            area_range or [0.05, 1.0], 100 if max_attempts is None else max_attempts, bool(use_image_if_no_bounding_boxes), name)


def draw_bounding_boxes(images, boxes, name=None, colors=None):
    if colors is None:
        return _ops.draw_bounding_boxes(images, boxes, name)
    return _ops.draw_bounding_boxes_v2(images, boxes, colors, name)


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float('-inf'), name=None):
    with name_scope(name, 'non_max_suppression'):
        return _ops.non_max_suppression_v3(boxes, scores, max_output_size, convert_to_tensor(iou_threshold, dtypes.float32),
                                           convert_to_tensor(score_threshold, dtypes.float32))


def non_max_suppression_padded(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float('-inf'),
                               pad_to_max_output_size=False, name=None):
    with name_scope(name, 'non_max_suppression_padded'):
        return _ops.non_max_suppression_v4(boxes, scores, max_output_size, convert_to_tensor(iou_threshold, dtypes.float32),
                                           convert_to_tensor(score_threshold, dtypes.float32), pad_to_max_output_size)


def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None):
    return _ops.extract_glimpse(input, size, offsets, centered, normalized, uniform_noise, name=name)


# ---- decoding and measures ----

def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """A JPEG, PNG, GIF or BMP image, whichever it is."""
    with name_scope(name, 'decode_image'):
        contents, channels = convert_to_tensor(contents, dtypes.string), channels or 0
        if channels not in (0, 1, 3, 4):
            raise ValueError('channels must be in (None, 0, 1, 3, 4)')
        start = _ops.substr(contents, 0, 3)

        def png():
            return convert_image_dtype(_ops.decode_png(contents, channels, dtypes.uint8), dtype)

        def gif():
            frames = convert_image_dtype(_ops.decode_gif(contents), dtype)
            return frames if expand_animations else array_ops.gather(frames, 0)

        def bmp():
            return convert_image_dtype(_ops.decode_bmp(contents), dtype)

        def others():
            return cond(math_ops.equal(start, b'GIF'), gif,
                        lambda: cond(math_ops.equal(_ops.substr(contents, 0, 2), b'BM'), bmp, png))
        return cond(math_ops.equal(start, b'\xff\xd8\xff'),
                    lambda: convert_image_dtype(_ops.decode_jpeg(contents, channels), dtype), others)


def is_jpeg(contents, name=None):
    with name_scope(name, 'is_jpeg'):
        return math_ops.equal(_ops.substr(contents, 0, 3), b'\xff\xd8\xff', name=name)


def total_variation(images, name=None):
    with name_scope(name, 'total_variation'):
        rank = images.get_shape().ndims
        if rank not in (3, 4):
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        if rank == 3:
            down, across, axes = images[1:, :, :] - images[:-1, :, :], images[:, 1:, :] - images[:, :-1, :], None
        else:
            down, across = images[:, 1:, :, :] - images[:, :-1, :, :], images[:, :, 1:, :] - images[:, :, :-1, :]
            axes = [1, 2, 3]
        return math_ops.reduce_sum(math_ops.abs(down), axis=axes) + math_ops.reduce_sum(math_ops.abs(across), axis=axes)


def image_gradients(image):
    if image.get_shape().ndims != 4:
        raise ValueError('image_gradients expects a 4D tensor [batch_size, h, w, d], not %s.' % image.get_shape())
    shape = array_ops.shape(image)
    down, across = image[:, 1:, :, :] - image[:, :-1, :, :], image[:, :, 1:, :] - image[:, :, :-1, :]
    down = array_ops.concat([down, array_ops.zeros(array_ops.stack([shape[0], 1, shape[2], shape[3]]), image.dtype)], 1)
    across = array_ops.concat([across, array_ops.zeros(array_ops.stack([shape[0], shape[1], 1, shape[3]]), image.dtype)], 2)
    return array_ops.reshape(down, shape), array_ops.reshape(across, shape)


def sobel_edges(image):
    from . import nn_ops
    kernels = np.asarray([[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]], np.float32)
    known, shape = image.get_shape().as_list(), array_ops.shape(image)
    depth = known[-1]
    weights = array_ops.tile(constant(np.expand_dims(kernels.transpose(1, 2, 0), -2)), [1, 1, depth, 1], name='sobel_filters')
    padded = array_ops.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode='REFLECT')
    out = nn_ops.depthwise_conv2d(padded, weights, [1, 1, 1, 1], 'VALID')
    out = array_ops.reshape(out, array_ops.concat([shape, [2]], 0))
    out.set_shape(known + [2])
    return out


def psnr(a, b, max_val, name=None):
    with name_scope(name, 'PSNR', [a, b]):
        limit = convert_image_dtype(math_ops.cast(max_val, convert_to_tensor(a).dtype), dtypes.float32)
        a, b = convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32)
        error = math_ops.reduce_mean(math_ops.squared_difference(a, b), [-3, -2, -1])
        return 20 * math_ops.log(limit) / math.log(10.0) - 10 / math.log(10.0) * math_ops.log(error)


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    with name_scope(None, 'SSIM', [img1, img2]):
        limit = convert_image_dtype(math_ops.cast(max_val, convert_to_tensor(img1).dtype), dtypes.float32)
        one, two = convert_image_dtype(img1, dtypes.float32), convert_image_dtype(img2, dtypes.float32)
        channel, _ = _ssim_per_channel(one, two, limit, filter_size, filter_sigma, k1, k2)
        return math_ops.reduce_mean(channel, [-1])


def _ssim_per_channel(one, two, limit, size, sigma, k1, k2):
    from . import nn_ops
    x = np.square(np.arange(size, dtype=np.float32) - (size - 1) / 2) * (-0.5 / sigma**2)
    grid = (x[None, :] + x[:, None]).reshape(-1)
    weights = (np.exp(grid - grid.max()) / np.exp(grid - grid.max()).sum()).reshape(size, size, 1, 1).astype(np.float32)
    shape = array_ops.shape(one)
    kernel = array_ops.tile(constant(weights), array_ops.stack([1, 1, shape[-1], 1]))

    def blur(value):
        flat = array_ops.reshape(value, array_ops.concat([[-1], array_ops.shape(value)[-3:]], 0))
        flat.set_shape([None] + value.get_shape().as_list()[-3:])
        made = nn_ops.depthwise_conv2d(flat, kernel, [1, 1, 1, 1], 'VALID')
        return array_ops.reshape(made, array_ops.concat([array_ops.shape(value)[:-3], array_ops.shape(made)[1:]], 0))
    c1, c2 = (k1 * limit)**2, (k2 * limit)**2
    mean1, mean2 = blur(one), blur(two)
    cross, squares = mean1 * mean2 * 2.0, math_ops.square(mean1) + math_ops.square(mean2)
    luminance = (cross + c1) / (squares + c1)
    contrast = (blur(one * two) * 2.0 - cross + c2) / (blur(math_ops.square(one) + math_ops.square(two)) - squares + c2)
    axes = [-3, -2]
    return math_ops.reduce_mean(luminance * contrast, axes), math_ops.reduce_mean(contrast, axes)


def extract_patches(images, sizes, strides, rates, padding, name=None):
    return _ops.extract_image_patches(images, sizes, strides, rates, padding, name)


def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    return _ops.extract_image_patches(images, ksizes if ksizes is not None else sizes, strides, rates, padding, name)


def random_crop(value, size, seed=None, name=None):
    return random_ops.random_crop(value, size, seed, name)
