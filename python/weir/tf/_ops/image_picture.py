"""Ops: image, picture. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AdjustContrast': 'images:T contrast_factor:1 min_value:1 max_value:1|output:1|T:t|0',
    'AdjustContrastv2': 'images:T contrast_factor:1|output:T|T:t=1|0',
    'AdjustHue': 'images:T delta:1|output:T|T:t=1|0',
    'AdjustSaturation': 'images:T scale:1|output:T|T:t=1|0',
    'CombinedNonMaxSuppression': 'boxes:1 scores:1 max_output_size_per_class:3 max_total_size:3 iou_threshold:1 score_threshold:1|nmsed_boxes:1 nmsed_scores:1 nmsed_classes:1 valid_detections:3|pad_per_class:b clip_boxes:b|0',
    'CropAndResize': 'image:T boxes:1 box_ind:3 crop_size:3|crops:1|T:t method:s extrapolation_value:f|0',
    'CropAndResizeGradBoxes': 'grads:1 image:T boxes:1 box_ind:3|output:1|T:t method:s|0',
    'CropAndResizeGradImage': 'grads:1 boxes:1 box_ind:3 image_size:3|output:T|T:t method:s|0',
    'DecodeAndCropJpeg': 'contents:7 crop_window:3|image:4|channels:i ratio:i fancy_upscaling:b try_recover_truncated:b acceptable_fraction:f dct_method:s|0',
    'DecodeBmp': 'contents:7|image:4|channels:i|0',
    'DecodeGif': 'contents:7|image:4||0',
    'DecodeImage': 'contents:7|image:dtype|channels:i dtype:t=4 expand_animations:b|0',
    'DecodeJpeg': 'contents:7|image:4|channels:i ratio:i fancy_upscaling:b try_recover_truncated:b acceptable_fraction:f dct_method:s|0',
    'DecodePng': 'contents:7|image:dtype|channels:i dtype:t=4|0',
    'DrawBoundingBoxes': 'images:T boxes:1|output:T|T:t=1|0',
    'DrawBoundingBoxesV2': 'images:T boxes:1 colors:1|output:T|T:t=1|0',
    'EncodeJpeg': 'image:4|contents:7|format:s quality:i progressive:b optimize_size:b chroma_downsampling:b density_unit:s x_density:i y_density:i xmp_metadata:s|0',
    'EncodeJpegVariableQuality': 'images:4 quality:3|contents:7||0',
    'EncodePng': 'image:T|contents:7|compression:i T:t=4|0',
    'ExtractGlimpse': 'input:1 size:3 offsets:1|glimpse:1|centered:b normalized:b uniform_noise:b noise:s|0',
    'ExtractGlimpseV2': 'input:1 size:3 offsets:1|glimpse:1|centered:b normalized:b uniform_noise:b noise:s|0',
    'ExtractJpegShape': 'contents:7|image_shape:output_type|output_type:t=3|0',
    'HSVToRGB': 'images:T|output:T|T:t=1|0',
    'ImageProjectiveTransformV2': 'images:dtype transforms:1 output_shape:3|transformed_images:dtype|dtype:t interpolation:s fill_mode:s|0',
    'ImageProjectiveTransformV3': 'images:dtype transforms:1 output_shape:3 fill_value:1|transformed_images:dtype|dtype:t interpolation:s fill_mode:s|0',
    'NonMaxSuppression': 'boxes:1 scores:1 max_output_size:3|selected_indices:3|iou_threshold:f|0',
    'NonMaxSuppressionV2': 'boxes:T scores:T max_output_size:3 iou_threshold:T_threshold|selected_indices:3|T:t=1 T_threshold:t=1|0',
    'NonMaxSuppressionV3': 'boxes:T scores:T max_output_size:3 iou_threshold:T_threshold score_threshold:T_threshold|selected_indices:3|T:t=1 T_threshold:t=1|0',
    'NonMaxSuppressionV4': 'boxes:T scores:T max_output_size:3 iou_threshold:T_threshold score_threshold:T_threshold|selected_indices:3 valid_outputs:3|T:t=1 T_threshold:t=1 pad_to_max_output_size:b|0',
    'NonMaxSuppressionV5': 'boxes:T scores:T max_output_size:3 iou_threshold:T score_threshold:T soft_nms_sigma:T|selected_indices:3 selected_scores:T valid_outputs:3|T:t=1 pad_to_max_output_size:b|0',
    'NonMaxSuppressionWithOverlaps': 'overlaps:1 scores:1 max_output_size:3 overlap_threshold:1 score_threshold:1|selected_indices:3||0',
    'RGBToHSV': 'images:T|output:T|T:t=1|0',
    'RandomCrop': 'image:T size:9|output:T|T:t seed:i seed2:i|1',
    'ResizeArea': 'images:T size:3|resized_images:1|T:t align_corners:b|0',
    'ResizeBicubic': 'images:T size:3|resized_images:1|T:t align_corners:b half_pixel_centers:b|0',
    'ResizeBicubicGrad': 'grads:1 original_image:T|output:T|T:t align_corners:b half_pixel_centers:b|0',
    'ResizeBilinear': 'images:T size:3|resized_images:1|T:t align_corners:b half_pixel_centers:b|0',
    'ResizeBilinearGrad': 'grads:1 original_image:T|output:T|T:t align_corners:b half_pixel_centers:b|0',
    'ResizeNearestNeighbor': 'images:T size:3|resized_images:T|T:t align_corners:b half_pixel_centers:b|0',
    'ResizeNearestNeighborGrad': 'grads:T size:3|output:T|T:t align_corners:b half_pixel_centers:b|0',
    'SampleDistortedBoundingBox': 'image_size:T bounding_boxes:1|begin:T size:T bboxes:1|T:t seed:i seed2:i min_object_covered:f aspect_ratio_range:[f area_range:[f max_attempts:i use_image_if_no_bounding_boxes:b|1',
    'SampleDistortedBoundingBoxV2': 'image_size:T bounding_boxes:1 min_object_covered:1|begin:T size:T bboxes:1|T:t seed:i seed2:i aspect_ratio_range:[f area_range:[f max_attempts:i use_image_if_no_bounding_boxes:b|1',
    'ScaleAndTranslate': 'images:T size:3 scale:1 translation:1|resized_images:1|T:t kernel_type:s antialias:b|0',
    'ScaleAndTranslateGrad': 'grads:T original_image:T scale:1 translation:1|output:T|T:t kernel_type:s antialias:b|0',
    'StatelessSampleDistortedBoundingBox': 'image_size:T bounding_boxes:1 min_object_covered:1 seed:Tseed|begin:T size:T bboxes:1|T:t Tseed:t aspect_ratio_range:[f area_range:[f max_attempts:i use_image_if_no_bounding_boxes:b|0',
}


def adjust_contrast(images, contrast_factor, min_value, max_value, name=None):
    return apply('AdjustContrast', name, (images, contrast_factor, min_value, max_value), {}).outputs[0]


def adjust_contrastv2(images, contrast_factor, name=None):
    return apply('AdjustContrastv2', name, (images, contrast_factor), {}).outputs[0]


def adjust_hue(images, delta, name=None):
    return apply('AdjustHue', name, (images, delta), {}).outputs[0]


def adjust_saturation(images, scale, name=None):
    return apply('AdjustSaturation', name, (images, scale), {}).outputs[0]


def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, pad_per_class=False, clip_boxes=True, name=None):
    return results(apply('CombinedNonMaxSuppression', name, (boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold), {'pad_per_class': pad_per_class, 'clip_boxes': clip_boxes}))


def crop_and_resize(image, boxes, box_ind, crop_size, method='bilinear', extrapolation_value=0.0, name=None):
    return apply('CropAndResize', name, (image, boxes, box_ind, crop_size), {'method': method, 'extrapolation_value': extrapolation_value}).outputs[0]


def crop_and_resize_grad_boxes(grads, image, boxes, box_ind, method='bilinear', name=None):
    return apply('CropAndResizeGradBoxes', name, (grads, image, boxes, box_ind), {'method': method}).outputs[0]


def crop_and_resize_grad_image(grads, boxes, box_ind, image_size, T, method='bilinear', name=None):
    return apply('CropAndResizeGradImage', name, (grads, boxes, box_ind, image_size), {'T': T, 'method': method}).outputs[0]


def decode_and_crop_jpeg(contents, crop_window, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False, acceptable_fraction=1.0, dct_method='', name=None):
    return apply('DecodeAndCropJpeg', name, (contents, crop_window), {'channels': channels, 'ratio': ratio, 'fancy_upscaling': fancy_upscaling, 'try_recover_truncated': try_recover_truncated, 'acceptable_fraction': acceptable_fraction, 'dct_method': dct_method}).outputs[0]


def decode_bmp(contents, channels=0, name=None):
    return apply('DecodeBmp', name, (contents,), {'channels': channels}).outputs[0]


def decode_gif(contents, name=None):
    return apply('DecodeGif', name, (contents,), {}).outputs[0]


def decode_image(contents, channels=0, dtype=dtypes.uint8, expand_animations=True, name=None):
    return apply('DecodeImage', name, (contents,), {'channels': channels, 'dtype': dtype, 'expand_animations': expand_animations}).outputs[0]


def decode_jpeg(contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False, acceptable_fraction=1.0, dct_method='', name=None):
    return apply('DecodeJpeg', name, (contents,), {'channels': channels, 'ratio': ratio, 'fancy_upscaling': fancy_upscaling, 'try_recover_truncated': try_recover_truncated, 'acceptable_fraction': acceptable_fraction, 'dct_method': dct_method}).outputs[0]


def decode_png(contents, channels=0, dtype=dtypes.uint8, name=None):
    return apply('DecodePng', name, (contents,), {'channels': channels, 'dtype': dtype}).outputs[0]


def draw_bounding_boxes(images, boxes, name=None):
    return apply('DrawBoundingBoxes', name, (images, boxes), {}).outputs[0]


def draw_bounding_boxes_v2(images, boxes, colors, name=None):
    return apply('DrawBoundingBoxesV2', name, (images, boxes, colors), {}).outputs[0]


def encode_jpeg(image, format='', quality=95, progressive=False, optimize_size=False, chroma_downsampling=True, density_unit='in', x_density=300, y_density=300, xmp_metadata='', name=None):
    return apply('EncodeJpeg', name, (image,), {'format': format, 'quality': quality, 'progressive': progressive, 'optimize_size': optimize_size, 'chroma_downsampling': chroma_downsampling, 'density_unit': density_unit, 'x_density': x_density, 'y_density': y_density, 'xmp_metadata': xmp_metadata}).outputs[0]


def encode_jpeg_variable_quality(images, quality, name=None):
    return apply('EncodeJpegVariableQuality', name, (images, quality), {}).outputs[0]


def encode_png(image, compression=-1, name=None):
    return apply('EncodePng', name, (image,), {'compression': compression}).outputs[0]


def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, noise='uniform', name=None):
    return apply('ExtractGlimpse', name, (input, size, offsets), {'centered': centered, 'normalized': normalized, 'uniform_noise': uniform_noise, 'noise': noise}).outputs[0]


def extract_glimpse_v2(input, size, offsets, centered=True, normalized=True, uniform_noise=True, noise='uniform', name=None):
    return apply('ExtractGlimpseV2', name, (input, size, offsets), {'centered': centered, 'normalized': normalized, 'uniform_noise': uniform_noise, 'noise': noise}).outputs[0]


def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    return apply('ExtractJpegShape', name, (contents,), {'output_type': output_type}).outputs[0]


def hsv_to_rgb(images, name=None):
    return apply('HSVToRGB', name, (images,), {}).outputs[0]


def image_projective_transform_v2(images, transforms, output_shape, interpolation, fill_mode='CONSTANT', name=None):
    return apply('ImageProjectiveTransformV2', name, (images, transforms, output_shape), {'interpolation': interpolation, 'fill_mode': fill_mode}).outputs[0]


def image_projective_transform_v3(images, transforms, output_shape, fill_value, interpolation, fill_mode='CONSTANT', name=None):
    return apply('ImageProjectiveTransformV3', name, (images, transforms, output_shape, fill_value), {'interpolation': interpolation, 'fill_mode': fill_mode}).outputs[0]


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, name=None):
    return apply('NonMaxSuppression', name, (boxes, scores, max_output_size), {'iou_threshold': iou_threshold}).outputs[0]


def non_max_suppression_v2(boxes, scores, max_output_size, iou_threshold, name=None):
    return apply('NonMaxSuppressionV2', name, (boxes, scores, max_output_size, iou_threshold), {}).outputs[0]


def non_max_suppression_v3(boxes, scores, max_output_size, iou_threshold, score_threshold, name=None):
    return apply('NonMaxSuppressionV3', name, (boxes, scores, max_output_size, iou_threshold, score_threshold), {}).outputs[0]


def non_max_suppression_v4(boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size=False, name=None):
    return results(apply('NonMaxSuppressionV4', name, (boxes, scores, max_output_size, iou_threshold, score_threshold), {'pad_to_max_output_size': pad_to_max_output_size}))


def non_max_suppression_v5(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, pad_to_max_output_size=False, name=None):
    return results(apply('NonMaxSuppressionV5', name, (boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma), {'pad_to_max_output_size': pad_to_max_output_size}))


def non_max_suppression_with_overlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold, name=None):
    return apply('NonMaxSuppressionWithOverlaps', name, (overlaps, scores, max_output_size, overlap_threshold, score_threshold), {}).outputs[0]


def rgb_to_hsv(images, name=None):
    return apply('RGBToHSV', name, (images,), {}).outputs[0]


def random_crop(image, size, seed=0, seed2=0, name=None):
    return apply('RandomCrop', name, (image, size), {'seed': seed, 'seed2': seed2}).outputs[0]


def resize_area(images, size, align_corners=False, name=None):
    return apply('ResizeArea', name, (images, size), {'align_corners': align_corners}).outputs[0]


def resize_bicubic(images, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBicubic', name, (images, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_bicubic_grad(grads, original_image, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBicubicGrad', name, (grads, original_image), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_bilinear(images, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBilinear', name, (images, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_bilinear_grad(grads, original_image, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBilinearGrad', name, (grads, original_image), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_nearest_neighbor(images, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeNearestNeighbor', name, (images, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_nearest_neighbor_grad(grads, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeNearestNeighborGrad', name, (grads, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def sample_distorted_bounding_box(image_size, bounding_boxes, seed=0, seed2=0, min_object_covered=0.100000001, aspect_ratio_range=[0.75, 1.33000004], area_range=[0.0500000007, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=False, name=None):
    return results(apply('SampleDistortedBoundingBox', name, (image_size, bounding_boxes), {'seed': seed, 'seed2': seed2, 'min_object_covered': min_object_covered, 'aspect_ratio_range': aspect_ratio_range, 'area_range': area_range, 'max_attempts': max_attempts, 'use_image_if_no_bounding_boxes': use_image_if_no_bounding_boxes}))


def sample_distorted_bounding_box_v2(image_size, bounding_boxes, min_object_covered, seed=0, seed2=0, aspect_ratio_range=[0.75, 1.33000004], area_range=[0.0500000007, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=False, name=None):
    return results(apply('SampleDistortedBoundingBoxV2', name, (image_size, bounding_boxes, min_object_covered), {'seed': seed, 'seed2': seed2, 'aspect_ratio_range': aspect_ratio_range, 'area_range': area_range, 'max_attempts': max_attempts, 'use_image_if_no_bounding_boxes': use_image_if_no_bounding_boxes}))


def scale_and_translate(images, size, scale, translation, kernel_type='lanczos3', antialias=True, name=None):
    return apply('ScaleAndTranslate', name, (images, size, scale, translation), {'kernel_type': kernel_type, 'antialias': antialias}).outputs[0]


def scale_and_translate_grad(grads, original_image, scale, translation, kernel_type='lanczos3', antialias=True, name=None):
    return apply('ScaleAndTranslateGrad', name, (grads, original_image, scale, translation), {'kernel_type': kernel_type, 'antialias': antialias}).outputs[0]


def stateless_sample_distorted_bounding_box(image_size, bounding_boxes, min_object_covered, seed, aspect_ratio_range=[0.75, 1.33000004], area_range=[0.0500000007, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=False, name=None):
    return results(apply('StatelessSampleDistortedBoundingBox', name, (image_size, bounding_boxes, min_object_covered, seed), {'aspect_ratio_range': aspect_ratio_range, 'area_range': area_range, 'max_attempts': max_attempts, 'use_image_if_no_bounding_boxes': use_image_if_no_bounding_boxes}))
