"""tf.image: quality of JPEG, suppression of boxes by other measures, similarity over scales."""
import numpy as np

from . import _ops, array_ops, dtypes, image_ops, math_ops, nn_ops, random_ops
from .convert import convert_to_tensor
from .scopes import name_scope


def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """The image as JPEG of this quality shows it."""
    with name_scope(name, 'adjust_jpeg_quality', [image]):
        image = convert_to_tensor(image, name='image')
        kept = image.dtype
        image = image_ops.convert_image_dtype(image, dtypes.uint8)
        if isinstance(jpeg_quality, (int, np.integer)):
            image = _ops.encode_jpeg(image, quality=int(jpeg_quality))
        else:
            image = _ops.encode_jpeg_variable_quality(image, jpeg_quality)
        return image_ops.convert_image_dtype(_ops.decode_jpeg(image), kept)


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    if min_jpeg_quality < 0 or max_jpeg_quality < 0 or min_jpeg_quality > 100 or max_jpeg_quality > 100:
        raise ValueError('jpeg encoding range must be between 0 and 100.')
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError('`min_jpeg_quality` must be less than `max_jpeg_quality`.')
    quality = random_ops.random_uniform([], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)


def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5,
                                 score_threshold=float('-inf'), pad_per_class=False, clip_boxes=True, name=None):
    with name_scope(name, 'combined_non_max_suppression'):
        return _ops.combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size,
                                                 convert_to_tensor(iou_threshold, dtypes.float32, name='iou_threshold'),
                                                 convert_to_tensor(score_threshold, dtypes.float32, name='score_threshold'),
                                                 pad_per_class, clip_boxes)


def non_max_suppression_overlaps(overlaps, scores, max_output_size, overlap_threshold=0.5, score_threshold=float('-inf'), name=None):
    with name_scope(name, 'non_max_suppression_overlaps'):
        return _ops.non_max_suppression_with_overlaps(overlaps, scores, max_output_size,
                                                      convert_to_tensor(overlap_threshold, name='overlap_threshold'), score_threshold)


def non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float('-inf'),
                                    soft_nms_sigma=0.0, name=None):
    with name_scope(name, 'non_max_suppression_with_scores'):
        made = _ops.non_max_suppression_v5(boxes, scores, max_output_size,
                                           convert_to_tensor(iou_threshold, dtypes.float32, name='iou_threshold'),
                                           convert_to_tensor(score_threshold, dtypes.float32, name='score_threshold'),
                                           convert_to_tensor(soft_nms_sigma, dtypes.float32, name='soft_nms_sigma'))
        return made[0], made[1]


def ssim_multiscale(img1, img2, max_val, power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333), filter_size=11, filter_sigma=1.5,
                    k1=0.01, k2=0.03):
    """Similarity of the images at several sizes, each half of the one before."""
    with name_scope(None, 'MS-SSIM', [img1, img2]):
        limit = image_ops.convert_image_dtype(math_ops.cast(max_val, convert_to_tensor(img1).dtype), dtypes.float32)
        pair = [image_ops.convert_image_dtype(image, dtypes.float32) for image in (img1, img2)]
        parts = []
        for scale in range(len(power_factors)):
            if scale:
                pair = [_halved(image) for image in pair]
            whole, contrast = image_ops._ssim_per_channel(*pair, limit, filter_size, filter_sigma, k1, k2)
            parts.append(nn_ops.relu(contrast))
        parts[-1] = nn_ops.relu(whole)
        stacked = array_ops.stack(parts, axis=-1)
        return math_ops.reduce_mean(math_ops.reduce_prod(math_ops.pow(stacked, list(power_factors)), [-1]), [-1])


def _halved(image):
    """Averages of two by two pixels; an odd side is mirrored by one first."""
    shape = array_ops.shape(image)
    flat = array_ops.reshape(image, array_ops.concat([[-1], shape[-3:]], 0))
    rest = shape[-3:-1] % 2
    padding = array_ops.stack([[0, 0], array_ops.stack([0, rest[0]]), array_ops.stack([0, rest[1]]), [0, 0]])
    flat = array_ops.pad(flat, padding, mode='SYMMETRIC')
    made = nn_ops.avg_pool(flat, [1, 2, 2, 1], [1, 2, 2, 1], 'VALID')
    return array_ops.reshape(made, array_ops.concat([shape[:-3], array_ops.shape(made)[1:]], 0))
