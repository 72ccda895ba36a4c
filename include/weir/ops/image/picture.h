/* weir/ops/image/picture.h - pictures: files, colours, sizes, boxes.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_IMAGE_PICTURE_OPS_H
#define WEIR_IMAGE_PICTURE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AdjustContrast(images: T, contrast_factor: float, min_value: float, max_value: float) -> output:
 * float: scales distances from the mean of each channel and clamps; replaced by AdjustContrastv2.
 * T: uint8, int8, int16, int32, int64, float, double. */
static inline TF_Output weir_adjust_contrast(weir_builder *builder, const char *node,
                                             TF_Output images, TF_Output contrast_factor,
                                             TF_Output min_value, TF_Output max_value)
{
    const TF_Output inputs[] = {images, contrast_factor, min_value, max_value};
    return weir_build_op(builder, "AdjustContrast", node, inputs, 4);
}

/* AdjustContrastv2(images: T, contrast_factor: float) -> output: T: images with every difference to
 * the mean scaled. T: half, float. */
static inline TF_Output weir_adjust_contrastv2(weir_builder *builder, const char *node,
                                               TF_Output images, TF_Output contrast_factor)
{
    const TF_Output inputs[] = {images, contrast_factor};
    return weir_build_op(builder, "AdjustContrastv2", node, inputs, 2);
}

/* AdjustHue(images: T, delta: float) -> output: T: images with their hue rotated. T: half, float.
 * */
static inline TF_Output weir_adjust_hue(weir_builder *builder, const char *node, TF_Output images,
                                        TF_Output delta)
{
    const TF_Output inputs[] = {images, delta};
    return weir_build_op(builder, "AdjustHue", node, inputs, 2);
}

/* AdjustSaturation(images: T, scale: float) -> output: T: images with their saturation scaled. T:
 * half, float. */
static inline TF_Output weir_adjust_saturation(weir_builder *builder, const char *node,
                                               TF_Output images, TF_Output scale)
{
    const TF_Output inputs[] = {images, scale};
    return weir_build_op(builder, "AdjustSaturation", node, inputs, 2);
}

/* CombinedNonMaxSuppression(boxes: float, scores: float, max_output_size_per_class: int32,
 * max_total_size: int32, iou_threshold: float, score_threshold: float) -> nmsed_boxes: float,
 * nmsed_scores: float, nmsed_classes: float, valid_detections: int32: non-maximum suppression per
 * class and image, then the best boxes over all classes. */
typedef struct weir_combined_non_max_suppression_options {
    bool pad_per_class;
    bool not_clip_boxes;
} weir_combined_non_max_suppression_options;
typedef struct weir_combined_non_max_suppression_outputs {
    TF_Output nmsed_boxes;
    TF_Output nmsed_scores;
    TF_Output nmsed_classes;
    TF_Output valid_detections;
} weir_combined_non_max_suppression_outputs;
static inline weir_combined_non_max_suppression_outputs
weir_combined_non_max_suppression(weir_builder *builder, const char *node, TF_Output boxes,
                                  TF_Output scores, TF_Output max_output_size_per_class,
                                  TF_Output max_total_size, TF_Output iou_threshold,
                                  TF_Output score_threshold,
                                  const weir_combined_non_max_suppression_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CombinedNonMaxSuppression", node);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, scores);
    weir_build_input(builder, made, max_output_size_per_class);
    weir_build_input(builder, made, max_total_size);
    weir_build_input(builder, made, iou_threshold);
    weir_build_input(builder, made, score_threshold);
    if (made && options) {
        TF_SetAttrBool(made, "pad_per_class", options->pad_per_class);
        TF_SetAttrBool(made, "clip_boxes", !options->not_clip_boxes);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_combined_non_max_suppression_outputs out;
    out.nmsed_boxes = weir_output(op, 0);
    out.nmsed_scores = weir_output(op, 1);
    out.nmsed_classes = weir_output(op, 2);
    out.valid_detections = weir_output(op, 3);
    return out;
}

/* CropAndResize(image: T, boxes: float, box_ind: int32, crop_size: int32) -> crops: float: resizes
 * crops to one size; its gradients. T: uint8, uint16, int8, int16, int32, int64, half, float,
 * double. */
typedef struct weir_crop_and_resize_options {
    const char *method; /* null: "bilinear"; 'bilinear', 'nearest' */
    float extrapolation_value;
} weir_crop_and_resize_options;
static inline TF_Output weir_crop_and_resize(weir_builder *builder, const char *node,
                                             TF_Output image, TF_Output boxes, TF_Output box_ind,
                                             TF_Output crop_size,
                                             const weir_crop_and_resize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CropAndResize", node);
    weir_build_input(builder, made, image);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, box_ind);
    weir_build_input(builder, made, crop_size);
    if (made && options) {
        if (options->method)
            weir_attr_string(made, "method", options->method);
        TF_SetAttrFloat(made, "extrapolation_value", options->extrapolation_value);
    }
    return weir_build_end(builder, made);
}

/* CropAndResizeGradBoxes(grads: float, image: T, boxes: float, box_ind: int32) -> output: float:
 * the gradient of CropAndResize by the boxes. T: uint8, uint16, int8, int16, int32, int64, half,
 * float, double. */
typedef struct weir_crop_and_resize_grad_boxes_options {
    const char *method; /* null: "bilinear"; 'bilinear' */
} weir_crop_and_resize_grad_boxes_options;
static inline TF_Output
weir_crop_and_resize_grad_boxes(weir_builder *builder, const char *node, TF_Output grads,
                                TF_Output image, TF_Output boxes, TF_Output box_ind,
                                const weir_crop_and_resize_grad_boxes_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CropAndResizeGradBoxes", node);
    weir_build_input(builder, made, grads);
    weir_build_input(builder, made, image);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, box_ind);
    if (made && options) {
        if (options->method)
            weir_attr_string(made, "method", options->method);
    }
    return weir_build_end(builder, made);
}

/* CropAndResizeGradImage(grads: float, boxes: float, box_ind: int32, image_size: int32) -> output:
 * T: the gradient of CropAndResize by the image. T: float, half, double. */
typedef struct weir_crop_and_resize_grad_image_options {
    const char *method; /* null: "bilinear"; 'bilinear', 'nearest' */
} weir_crop_and_resize_grad_image_options;
static inline TF_Output
weir_crop_and_resize_grad_image(weir_builder *builder, const char *node, TF_Output grads,
                                TF_Output boxes, TF_Output box_ind, TF_Output image_size,
                                TF_DataType T,
                                const weir_crop_and_resize_grad_image_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CropAndResizeGradImage", node);
    weir_build_input(builder, made, grads);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, box_ind);
    weir_build_input(builder, made, image_size);
    if (made) {
        TF_SetAttrType(made, "T", T);
    }
    if (made && options) {
        if (options->method)
            weir_attr_string(made, "method", options->method);
    }
    return weir_build_end(builder, made);
}

/* DecodeAndCropJpeg(contents: string, crop_window: int32) -> image: uint8: image files to pixels.
 * */
typedef struct weir_decode_and_crop_jpeg_options {
    int64_t channels;
    int64_t ratio; /* 0: 1 */
    bool not_fancy_upscaling;
    bool try_recover_truncated;
    float acceptable_fraction; /* 0: 1 */
    const char *dct_method; /* null: "" */
} weir_decode_and_crop_jpeg_options;
static inline TF_Output weir_decode_and_crop_jpeg(weir_builder *builder, const char *node,
                                                  TF_Output contents, TF_Output crop_window,
                                                  const weir_decode_and_crop_jpeg_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeAndCropJpeg", node);
    weir_build_input(builder, made, contents);
    weir_build_input(builder, made, crop_window);
    if (made && options) {
        TF_SetAttrInt(made, "channels", options->channels);
        if (options->ratio != 0)
            TF_SetAttrInt(made, "ratio", weir_int_of(options->ratio));
        TF_SetAttrBool(made, "fancy_upscaling", !options->not_fancy_upscaling);
        TF_SetAttrBool(made, "try_recover_truncated", options->try_recover_truncated);
        if (options->acceptable_fraction != 0)
            TF_SetAttrFloat(made, "acceptable_fraction",
                weir_float_of(options->acceptable_fraction));
        if (options->dct_method)
            weir_attr_string(made, "dct_method", options->dct_method);
    }
    return weir_build_end(builder, made);
}

/* DecodeBmp(contents: string) -> image: uint8: image files to pixels. */
typedef struct weir_decode_bmp_options {
    int64_t channels;
} weir_decode_bmp_options;
static inline TF_Output weir_decode_bmp(weir_builder *builder, const char *node, TF_Output contents,
                                        const weir_decode_bmp_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeBmp", node);
    weir_build_input(builder, made, contents);
    if (made && options) {
        TF_SetAttrInt(made, "channels", options->channels);
    }
    return weir_build_end(builder, made);
}

/* DecodeGif(contents: string) -> image: uint8: image files to pixels. */
static inline TF_Output weir_decode_gif(weir_builder *builder, const char *node, TF_Output contents)
{
    const TF_Output inputs[] = {contents};
    return weir_build_op(builder, "DecodeGif", node, inputs, 1);
}

/* DecodeImage(contents: string) -> image: dtype: image files to pixels. dtype: uint8, uint16,
 * float. */
typedef struct weir_decode_image_options {
    int64_t channels;
    TF_DataType dtype; /* 0: TF_UINT8; uint8, uint16, float */
    bool not_expand_animations;
} weir_decode_image_options;
static inline TF_Output weir_decode_image(weir_builder *builder, const char *node,
                                          TF_Output contents,
                                          const weir_decode_image_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeImage", node);
    weir_build_input(builder, made, contents);
    if (made && options) {
        TF_SetAttrInt(made, "channels", options->channels);
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
        TF_SetAttrBool(made, "expand_animations", !options->not_expand_animations);
    }
    return weir_build_end(builder, made);
}

/* DecodeJpeg(contents: string) -> image: uint8: image files to pixels. */
typedef struct weir_decode_jpeg_options {
    int64_t channels;
    int64_t ratio; /* 0: 1 */
    bool not_fancy_upscaling;
    bool try_recover_truncated;
    float acceptable_fraction; /* 0: 1 */
    const char *dct_method; /* null: "" */
} weir_decode_jpeg_options;
static inline TF_Output weir_decode_jpeg(weir_builder *builder, const char *node,
                                         TF_Output contents,
                                         const weir_decode_jpeg_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeJpeg", node);
    weir_build_input(builder, made, contents);
    if (made && options) {
        TF_SetAttrInt(made, "channels", options->channels);
        if (options->ratio != 0)
            TF_SetAttrInt(made, "ratio", weir_int_of(options->ratio));
        TF_SetAttrBool(made, "fancy_upscaling", !options->not_fancy_upscaling);
        TF_SetAttrBool(made, "try_recover_truncated", options->try_recover_truncated);
        if (options->acceptable_fraction != 0)
            TF_SetAttrFloat(made, "acceptable_fraction",
                weir_float_of(options->acceptable_fraction));
        if (options->dct_method)
            weir_attr_string(made, "dct_method", options->dct_method);
    }
    return weir_build_end(builder, made);
}

/* DecodePng(contents: string) -> image: dtype: image files to pixels. dtype: uint8, uint16. */
typedef struct weir_decode_png_options {
    int64_t channels;
    TF_DataType dtype; /* 0: TF_UINT8; uint8, uint16 */
} weir_decode_png_options;
static inline TF_Output weir_decode_png(weir_builder *builder, const char *node, TF_Output contents,
                                        const weir_decode_png_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodePng", node);
    weir_build_input(builder, made, contents);
    if (made && options) {
        TF_SetAttrInt(made, "channels", options->channels);
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* DrawBoundingBoxes(images: T, boxes: float) -> output: T: images with frames drawn on them. T:
 * float, half. */
static inline TF_Output weir_draw_bounding_boxes(weir_builder *builder, const char *node,
                                                 TF_Output images, TF_Output boxes)
{
    const TF_Output inputs[] = {images, boxes};
    return weir_build_op(builder, "DrawBoundingBoxes", node, inputs, 2);
}

/* DrawBoundingBoxesV2(images: T, boxes: float, colors: float) -> output: T: images with frames
 * drawn on them. T: float, half. */
static inline TF_Output weir_draw_bounding_boxes_v2(weir_builder *builder, const char *node,
                                                    TF_Output images, TF_Output boxes,
                                                    TF_Output colors)
{
    const TF_Output inputs[] = {images, boxes, colors};
    return weir_build_op(builder, "DrawBoundingBoxesV2", node, inputs, 3);
}

/* EncodeJpeg(image: uint8) -> contents: string: pixels into files. */
typedef struct weir_encode_jpeg_options {
    const char *format; /* null: ""; '', 'grayscale', 'rgb' */
    int64_t quality; /* 0: 95 */
    bool progressive;
    bool optimize_size;
    bool not_chroma_downsampling;
    const char *density_unit; /* null: "in"; 'in', 'cm' */
    int64_t x_density; /* 0: 300 */
    int64_t y_density; /* 0: 300 */
    const char *xmp_metadata; /* null: "" */
} weir_encode_jpeg_options;
static inline TF_Output weir_encode_jpeg(weir_builder *builder, const char *node, TF_Output image,
                                         const weir_encode_jpeg_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EncodeJpeg", node);
    weir_build_input(builder, made, image);
    if (made && options) {
        if (options->format)
            weir_attr_string(made, "format", options->format);
        if (options->quality != 0)
            TF_SetAttrInt(made, "quality", weir_int_of(options->quality));
        TF_SetAttrBool(made, "progressive", options->progressive);
        TF_SetAttrBool(made, "optimize_size", options->optimize_size);
        TF_SetAttrBool(made, "chroma_downsampling", !options->not_chroma_downsampling);
        if (options->density_unit)
            weir_attr_string(made, "density_unit", options->density_unit);
        if (options->x_density != 0)
            TF_SetAttrInt(made, "x_density", weir_int_of(options->x_density));
        if (options->y_density != 0)
            TF_SetAttrInt(made, "y_density", weir_int_of(options->y_density));
        if (options->xmp_metadata)
            weir_attr_string(made, "xmp_metadata", options->xmp_metadata);
    }
    return weir_build_end(builder, made);
}

/* EncodeJpegVariableQuality(images: uint8, quality: int32) -> contents: string: pixels into files.
 * */
static inline TF_Output weir_encode_jpeg_variable_quality(weir_builder *builder, const char *node,
                                                          TF_Output images, TF_Output quality)
{
    const TF_Output inputs[] = {images, quality};
    return weir_build_op(builder, "EncodeJpegVariableQuality", node, inputs, 2);
}

/* EncodePng(image: T) -> contents: string: pixels into files. T: uint8, uint16. */
typedef struct weir_encode_png_options {
    int64_t compression; /* 0: -1 */
} weir_encode_png_options;
static inline TF_Output weir_encode_png(weir_builder *builder, const char *node, TF_Output image,
                                        const weir_encode_png_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EncodePng", node);
    weir_build_input(builder, made, image);
    if (made && options) {
        if (options->compression != 0)
            TF_SetAttrInt(made, "compression", weir_int_of(options->compression));
    }
    return weir_build_end(builder, made);
}

/* ExtractGlimpse(input: float, size: int32, offsets: float) -> glimpse: float: a window of each
 * image, at an offset in pixels or normalised, relative to its corner or its centre. */
typedef struct weir_extract_glimpse_options {
    bool not_centered;
    bool not_normalized;
    bool not_uniform_noise;
    const char *noise; /* null: "uniform" */
} weir_extract_glimpse_options;
static inline TF_Output weir_extract_glimpse(weir_builder *builder, const char *node,
                                             TF_Output input, TF_Output size, TF_Output offsets,
                                             const weir_extract_glimpse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractGlimpse", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, offsets);
    if (made && options) {
        TF_SetAttrBool(made, "centered", !options->not_centered);
        TF_SetAttrBool(made, "normalized", !options->not_normalized);
        TF_SetAttrBool(made, "uniform_noise", !options->not_uniform_noise);
        if (options->noise)
            weir_attr_string(made, "noise", options->noise);
    }
    return weir_build_end(builder, made);
}

/* ExtractGlimpseV2(input: float, size: int32, offsets: float) -> glimpse: float: a window of each
 * image, at an offset in pixels or normalised, relative to its corner or its centre. */
typedef struct weir_extract_glimpse_v2_options {
    bool not_centered;
    bool not_normalized;
    bool not_uniform_noise;
    const char *noise; /* null: "uniform" */
} weir_extract_glimpse_v2_options;
static inline TF_Output weir_extract_glimpse_v2(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output size, TF_Output offsets,
                                                const weir_extract_glimpse_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractGlimpseV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, offsets);
    if (made && options) {
        TF_SetAttrBool(made, "centered", !options->not_centered);
        TF_SetAttrBool(made, "normalized", !options->not_normalized);
        TF_SetAttrBool(made, "uniform_noise", !options->not_uniform_noise);
        if (options->noise)
            weir_attr_string(made, "noise", options->noise);
    }
    return weir_build_end(builder, made);
}

/* ExtractJpegShape(contents: string) -> image_shape: output_type: height, width and channels of a
 * JPEG, without decoding it. output_type: int32, int64. */
typedef struct weir_extract_jpeg_shape_options {
    TF_DataType output_type; /* 0: TF_INT32; int32, int64 */
} weir_extract_jpeg_shape_options;
static inline TF_Output weir_extract_jpeg_shape(weir_builder *builder, const char *node,
                                                TF_Output contents,
                                                const weir_extract_jpeg_shape_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractJpegShape", node);
    weir_build_input(builder, made, contents);
    if (made && options) {
        if (options->output_type)
            TF_SetAttrType(made, "output_type", options->output_type);
    }
    return weir_build_end(builder, made);
}

/* HSVToRGB(images: T) -> output: T: hue, saturation, value as red, green, blue. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_hsv_to_rgb(weir_builder *builder, const char *node, TF_Output images)
{
    const TF_Output inputs[] = {images};
    return weir_build_op(builder, "HSVToRGB", node, inputs, 1);
}

/* ImageProjectiveTransformV2(images: dtype, transforms: float, output_shape: int32) ->
 * transformed_images: dtype: maps each output pixel to an input position by a projective matrix of
 * eight numbers. dtype: uint8, int32, int64, half, bfloat16, float, double. */
typedef struct weir_image_projective_transform_v2_options {
    const char *fill_mode; /* null: "CONSTANT" */
} weir_image_projective_transform_v2_options;
static inline TF_Output
weir_image_projective_transform_v2(weir_builder *builder, const char *node, TF_Output images,
                                   TF_Output transforms, TF_Output output_shape,
                                   const char *interpolation,
                                   const weir_image_projective_transform_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ImageProjectiveTransformV2", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, transforms);
    weir_build_input(builder, made, output_shape);
    if (made) {
        weir_attr_string(made, "interpolation", interpolation);
    }
    if (made && options) {
        if (options->fill_mode)
            weir_attr_string(made, "fill_mode", options->fill_mode);
    }
    return weir_build_end(builder, made);
}

/* ImageProjectiveTransformV3(images: dtype, transforms: float, output_shape: int32, fill_value:
 * float) -> transformed_images: dtype: maps each output pixel to an input position by a projective
 * matrix of eight numbers. dtype: uint8, int32, int64, half, bfloat16, float, double. */
typedef struct weir_image_projective_transform_v3_options {
    const char *fill_mode; /* null: "CONSTANT" */
} weir_image_projective_transform_v3_options;
static inline TF_Output
weir_image_projective_transform_v3(weir_builder *builder, const char *node, TF_Output images,
                                   TF_Output transforms, TF_Output output_shape,
                                   TF_Output fill_value, const char *interpolation,
                                   const weir_image_projective_transform_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ImageProjectiveTransformV3", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, transforms);
    weir_build_input(builder, made, output_shape);
    weir_build_input(builder, made, fill_value);
    if (made) {
        weir_attr_string(made, "interpolation", interpolation);
    }
    if (made && options) {
        if (options->fill_mode)
            weir_attr_string(made, "fill_mode", options->fill_mode);
    }
    return weir_build_end(builder, made);
}

/* NonMaxSuppression(boxes: float, scores: float, max_output_size: int32) -> selected_indices:
 * int32: the best boxes that do not overlap too much. */
typedef struct weir_non_max_suppression_options {
    float iou_threshold; /* 0: 0.5 */
} weir_non_max_suppression_options;
static inline TF_Output weir_non_max_suppression(weir_builder *builder, const char *node,
                                                 TF_Output boxes, TF_Output scores,
                                                 TF_Output max_output_size,
                                                 const weir_non_max_suppression_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NonMaxSuppression", node);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, scores);
    weir_build_input(builder, made, max_output_size);
    if (made && options) {
        if (options->iou_threshold != 0)
            TF_SetAttrFloat(made, "iou_threshold", weir_float_of(options->iou_threshold));
    }
    return weir_build_end(builder, made);
}

/* NonMaxSuppressionV2(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold) ->
 * selected_indices: int32: the best boxes that do not overlap too much. T: half, float.
 * T_threshold: half, float. */
static inline TF_Output weir_non_max_suppression_v2(weir_builder *builder, const char *node,
                                                    TF_Output boxes, TF_Output scores,
                                                    TF_Output max_output_size,
                                                    TF_Output iou_threshold)
{
    const TF_Output inputs[] = {boxes, scores, max_output_size, iou_threshold};
    return weir_build_op(builder, "NonMaxSuppressionV2", node, inputs, 4);
}

/* NonMaxSuppressionV3(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold,
 * score_threshold: T_threshold) -> selected_indices: int32: the best boxes that do not overlap too
 * much. T: half, float. T_threshold: half, float. */
static inline TF_Output weir_non_max_suppression_v3(weir_builder *builder, const char *node,
                                                    TF_Output boxes, TF_Output scores,
                                                    TF_Output max_output_size,
                                                    TF_Output iou_threshold,
                                                    TF_Output score_threshold)
{
    const TF_Output inputs[] = {boxes, scores, max_output_size, iou_threshold, score_threshold};
    return weir_build_op(builder, "NonMaxSuppressionV3", node, inputs, 5);
}

/* NonMaxSuppressionV4(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold,
 * score_threshold: T_threshold) -> selected_indices: int32, valid_outputs: int32: the best boxes
 * that do not overlap too much. T: half, float. T_threshold: half, float. */
typedef struct weir_non_max_suppression_v4_options {
    bool pad_to_max_output_size;
} weir_non_max_suppression_v4_options;
typedef struct weir_non_max_suppression_v4_outputs {
    TF_Output selected_indices;
    TF_Output valid_outputs;
} weir_non_max_suppression_v4_outputs;
static inline weir_non_max_suppression_v4_outputs
weir_non_max_suppression_v4(weir_builder *builder, const char *node, TF_Output boxes,
                            TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold,
                            TF_Output score_threshold,
                            const weir_non_max_suppression_v4_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NonMaxSuppressionV4", node);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, scores);
    weir_build_input(builder, made, max_output_size);
    weir_build_input(builder, made, iou_threshold);
    weir_build_input(builder, made, score_threshold);
    if (made && options) {
        TF_SetAttrBool(made, "pad_to_max_output_size", options->pad_to_max_output_size);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_non_max_suppression_v4_outputs out;
    out.selected_indices = weir_output(op, 0);
    out.valid_outputs = weir_output(op, 1);
    return out;
}

/* NonMaxSuppressionV5(boxes: T, scores: T, max_output_size: int32, iou_threshold: T,
 * score_threshold: T, soft_nms_sigma: T) -> selected_indices: int32, selected_scores: T,
 * valid_outputs: int32: the best boxes that do not overlap too much. T: half, float. */
typedef struct weir_non_max_suppression_v5_options {
    bool pad_to_max_output_size;
} weir_non_max_suppression_v5_options;
typedef struct weir_non_max_suppression_v5_outputs {
    TF_Output selected_indices;
    TF_Output selected_scores;
    TF_Output valid_outputs;
} weir_non_max_suppression_v5_outputs;
static inline weir_non_max_suppression_v5_outputs
weir_non_max_suppression_v5(weir_builder *builder, const char *node, TF_Output boxes,
                            TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold,
                            TF_Output score_threshold, TF_Output soft_nms_sigma,
                            const weir_non_max_suppression_v5_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NonMaxSuppressionV5", node);
    weir_build_input(builder, made, boxes);
    weir_build_input(builder, made, scores);
    weir_build_input(builder, made, max_output_size);
    weir_build_input(builder, made, iou_threshold);
    weir_build_input(builder, made, score_threshold);
    weir_build_input(builder, made, soft_nms_sigma);
    if (made && options) {
        TF_SetAttrBool(made, "pad_to_max_output_size", options->pad_to_max_output_size);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_non_max_suppression_v5_outputs out;
    out.selected_indices = weir_output(op, 0);
    out.selected_scores = weir_output(op, 1);
    out.valid_outputs = weir_output(op, 2);
    return out;
}

/* NonMaxSuppressionWithOverlaps(overlaps: float, scores: float, max_output_size: int32,
 * overlap_threshold: float, score_threshold: float) -> selected_indices: int32: the same, given how
 * much each pair overlaps. */
static inline TF_Output weir_non_max_suppression_with_overlaps(weir_builder *builder,
                                                               const char *node, TF_Output overlaps,
                                                               TF_Output scores,
                                                               TF_Output max_output_size,
                                                               TF_Output overlap_threshold,
                                                               TF_Output score_threshold)
{
    const TF_Output inputs[] = {overlaps, scores, max_output_size, overlap_threshold, score_threshold};
    return weir_build_op(builder, "NonMaxSuppressionWithOverlaps", node, inputs, 5);
}

/* RGBToHSV(images: T) -> output: T: red, green, blue as hue, saturation, value. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_rgb_to_hsv(weir_builder *builder, const char *node, TF_Output images)
{
    const TF_Output inputs[] = {images};
    return weir_build_op(builder, "RGBToHSV", node, inputs, 1);
}

/* RandomCrop(image: T, size: int64) -> output: T: a random part of an image. T: uint8, int8, int16,
 * int32, int64, float, double. */
typedef struct weir_random_crop_options {
    int64_t seed;
    int64_t seed2;
} weir_random_crop_options;
static inline TF_Output weir_random_crop(weir_builder *builder, const char *node, TF_Output image,
                                         TF_Output size, const weir_random_crop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomCrop", node);
    weir_build_input(builder, made, image);
    weir_build_input(builder, made, size);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* ResizeArea(images: T, size: int32) -> resized_images: float: each output pixel is the mean of the
 * area it covers. T: int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16. */
typedef struct weir_resize_area_options {
    bool align_corners;
} weir_resize_area_options;
static inline TF_Output weir_resize_area(weir_builder *builder, const char *node, TF_Output images,
                                         TF_Output size, const weir_resize_area_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeArea", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, size);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
    }
    return weir_build_end(builder, made);
}

/* ResizeBicubic(images: T, size: int32) -> resized_images: float: images of another size, by cubic
 * interpolation. T: int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16. */
typedef struct weir_resize_bicubic_options {
    bool align_corners;
    bool half_pixel_centers;
} weir_resize_bicubic_options;
static inline TF_Output weir_resize_bicubic(weir_builder *builder, const char *node,
                                            TF_Output images, TF_Output size,
                                            const weir_resize_bicubic_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeBicubic", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, size);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
        TF_SetAttrBool(made, "half_pixel_centers", options->half_pixel_centers);
    }
    return weir_build_end(builder, made);
}

/* ResizeBicubicGrad(grads: float, original_image: T) -> output: T: the gradient of ResizeBicubic.
 * T: float, double. */
typedef struct weir_resize_bicubic_grad_options {
    bool align_corners;
    bool half_pixel_centers;
} weir_resize_bicubic_grad_options;
static inline TF_Output weir_resize_bicubic_grad(weir_builder *builder, const char *node,
                                                 TF_Output grads, TF_Output original_image,
                                                 const weir_resize_bicubic_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeBicubicGrad", node);
    weir_build_input(builder, made, grads);
    weir_build_input(builder, made, original_image);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
        TF_SetAttrBool(made, "half_pixel_centers", options->half_pixel_centers);
    }
    return weir_build_end(builder, made);
}

/* ResizeBilinear(images: T, size: int32) -> resized_images: float: images of another size, by
 * linear interpolation. T: int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double,
 * bfloat16. */
typedef struct weir_resize_bilinear_options {
    bool align_corners;
    bool half_pixel_centers;
} weir_resize_bilinear_options;
static inline TF_Output weir_resize_bilinear(weir_builder *builder, const char *node,
                                             TF_Output images, TF_Output size,
                                             const weir_resize_bilinear_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeBilinear", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, size);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
        TF_SetAttrBool(made, "half_pixel_centers", options->half_pixel_centers);
    }
    return weir_build_end(builder, made);
}

/* ResizeBilinearGrad(grads: float, original_image: T) -> output: T: the gradient of ResizeBilinear.
 * T: float, bfloat16, half, double. */
typedef struct weir_resize_bilinear_grad_options {
    bool align_corners;
    bool half_pixel_centers;
} weir_resize_bilinear_grad_options;
static inline TF_Output weir_resize_bilinear_grad(weir_builder *builder, const char *node,
                                                  TF_Output grads, TF_Output original_image,
                                                  const weir_resize_bilinear_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeBilinearGrad", node);
    weir_build_input(builder, made, grads);
    weir_build_input(builder, made, original_image);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
        TF_SetAttrBool(made, "half_pixel_centers", options->half_pixel_centers);
    }
    return weir_build_end(builder, made);
}

/* ResizeNearestNeighbor(images: T, size: int32) -> resized_images: T: images of another size, by
 * the nearest pixel. T: int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16. */
typedef struct weir_resize_nearest_neighbor_options {
    bool align_corners;
    bool half_pixel_centers;
} weir_resize_nearest_neighbor_options;
static inline TF_Output
weir_resize_nearest_neighbor(weir_builder *builder, const char *node, TF_Output images,
                             TF_Output size, const weir_resize_nearest_neighbor_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeNearestNeighbor", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, size);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
        TF_SetAttrBool(made, "half_pixel_centers", options->half_pixel_centers);
    }
    return weir_build_end(builder, made);
}

/* ResizeNearestNeighborGrad(grads: T, size: int32) -> output: T: the gradient of
 * ResizeNearestNeighbor. T: uint8, int8, int32, half, float, double, bfloat16. */
typedef struct weir_resize_nearest_neighbor_grad_options {
    bool align_corners;
    bool half_pixel_centers;
} weir_resize_nearest_neighbor_grad_options;
static inline TF_Output
weir_resize_nearest_neighbor_grad(weir_builder *builder, const char *node, TF_Output grads,
                                  TF_Output size,
                                  const weir_resize_nearest_neighbor_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResizeNearestNeighborGrad", node);
    weir_build_input(builder, made, grads);
    weir_build_input(builder, made, size);
    if (made && options) {
        TF_SetAttrBool(made, "align_corners", options->align_corners);
        TF_SetAttrBool(made, "half_pixel_centers", options->half_pixel_centers);
    }
    return weir_build_end(builder, made);
}

/* SampleDistortedBoundingBox(image_size: T, bounding_boxes: float) -> begin: T, size: T, bboxes:
 * float: a random part of an image that contains enough of some box. T: uint8, int8, int16, int32,
 * int64. */
typedef struct weir_sample_distorted_bounding_box_options {
    int64_t seed;
    int64_t seed2;
    float min_object_covered; /* 0: 0.1 */
    const float *aspect_ratio_range;
    int aspect_ratio_range_count; /* null: [0.75, 1.3300000429153442] */
    const float *area_range;
    int area_range_count; /* null: [0.05000000074505806, 1.0] */
    int64_t max_attempts; /* 0: 100 */
    bool use_image_if_no_bounding_boxes;
} weir_sample_distorted_bounding_box_options;
typedef struct weir_sample_distorted_bounding_box_outputs {
    TF_Output begin;
    TF_Output size;
    TF_Output bboxes;
} weir_sample_distorted_bounding_box_outputs;
static inline weir_sample_distorted_bounding_box_outputs
weir_sample_distorted_bounding_box(weir_builder *builder, const char *node, TF_Output image_size,
                                   TF_Output bounding_boxes,
                                   const weir_sample_distorted_bounding_box_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SampleDistortedBoundingBox", node);
    weir_build_input(builder, made, image_size);
    weir_build_input(builder, made, bounding_boxes);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->min_object_covered != 0)
            TF_SetAttrFloat(made, "min_object_covered", weir_float_of(options->min_object_covered));
        if (options->aspect_ratio_range)
            TF_SetAttrFloatList(made, "aspect_ratio_range",
                options->aspect_ratio_range, options->aspect_ratio_range_count);
        if (options->area_range)
            TF_SetAttrFloatList(made, "area_range", options->area_range, options->area_range_count);
        if (options->max_attempts != 0)
            TF_SetAttrInt(made, "max_attempts", weir_int_of(options->max_attempts));
        TF_SetAttrBool(made, "use_image_if_no_bounding_boxes", options->use_image_if_no_bounding_boxes);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sample_distorted_bounding_box_outputs out;
    out.begin = weir_output(op, 0);
    out.size = weir_output(op, 1);
    out.bboxes = weir_output(op, 2);
    return out;
}

/* SampleDistortedBoundingBoxV2(image_size: T, bounding_boxes: float, min_object_covered: float) ->
 * begin: T, size: T, bboxes: float: a random part of an image that contains enough of some box. T:
 * uint8, int8, int16, int32, int64. */
typedef struct weir_sample_distorted_bounding_box_v2_options {
    int64_t seed;
    int64_t seed2;
    const float *aspect_ratio_range;
    int aspect_ratio_range_count; /* null: [0.75, 1.3300000429153442] */
    const float *area_range;
    int area_range_count; /* null: [0.05000000074505806, 1.0] */
    int64_t max_attempts; /* 0: 100 */
    bool use_image_if_no_bounding_boxes;
} weir_sample_distorted_bounding_box_v2_options;
typedef struct weir_sample_distorted_bounding_box_v2_outputs {
    TF_Output begin;
    TF_Output size;
    TF_Output bboxes;
} weir_sample_distorted_bounding_box_v2_outputs;
static inline weir_sample_distorted_bounding_box_v2_outputs
weir_sample_distorted_bounding_box_v2(weir_builder *builder, const char *node, TF_Output image_size,
                                      TF_Output bounding_boxes, TF_Output min_object_covered,
                                      const weir_sample_distorted_bounding_box_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SampleDistortedBoundingBoxV2", node);
    weir_build_input(builder, made, image_size);
    weir_build_input(builder, made, bounding_boxes);
    weir_build_input(builder, made, min_object_covered);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->aspect_ratio_range)
            TF_SetAttrFloatList(made, "aspect_ratio_range",
                options->aspect_ratio_range, options->aspect_ratio_range_count);
        if (options->area_range)
            TF_SetAttrFloatList(made, "area_range", options->area_range, options->area_range_count);
        if (options->max_attempts != 0)
            TF_SetAttrInt(made, "max_attempts", weir_int_of(options->max_attempts));
        TF_SetAttrBool(made, "use_image_if_no_bounding_boxes", options->use_image_if_no_bounding_boxes);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sample_distorted_bounding_box_v2_outputs out;
    out.begin = weir_output(op, 0);
    out.size = weir_output(op, 1);
    out.bboxes = weir_output(op, 2);
    return out;
}

/* ScaleAndTranslate(images: T, size: int32, scale: float, translation: float) -> resized_images:
 * float: pictures resampled by a kernel, rows first, then columns. T: int8, uint8, int16, uint16,
 * int32, int64, bfloat16, half, float, double. */
typedef struct weir_scale_and_translate_options {
    const char *kernel_type; /* null: "lanczos3" */
    bool not_antialias;
} weir_scale_and_translate_options;
static inline TF_Output weir_scale_and_translate(weir_builder *builder, const char *node,
                                                 TF_Output images, TF_Output size, TF_Output scale,
                                                 TF_Output translation,
                                                 const weir_scale_and_translate_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScaleAndTranslate", node);
    weir_build_input(builder, made, images);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, translation);
    if (made && options) {
        if (options->kernel_type)
            weir_attr_string(made, "kernel_type", options->kernel_type);
        TF_SetAttrBool(made, "antialias", !options->not_antialias);
    }
    return weir_build_end(builder, made);
}

/* ScaleAndTranslateGrad(grads: T, original_image: T, scale: float, translation: float) -> output:
 * T: the gradient of ScaleAndTranslate. T: float. */
typedef struct weir_scale_and_translate_grad_options {
    const char *kernel_type; /* null: "lanczos3" */
    bool not_antialias;
} weir_scale_and_translate_grad_options;
static inline TF_Output
weir_scale_and_translate_grad(weir_builder *builder, const char *node, TF_Output grads,
                              TF_Output original_image, TF_Output scale, TF_Output translation,
                              const weir_scale_and_translate_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScaleAndTranslateGrad", node);
    weir_build_input(builder, made, grads);
    weir_build_input(builder, made, original_image);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, translation);
    if (made && options) {
        if (options->kernel_type)
            weir_attr_string(made, "kernel_type", options->kernel_type);
        TF_SetAttrBool(made, "antialias", !options->not_antialias);
    }
    return weir_build_end(builder, made);
}

/* StatelessSampleDistortedBoundingBox(image_size: T, bounding_boxes: float, min_object_covered:
 * float, seed: Tseed) -> begin: T, size: T, bboxes: float: a random crop that contains enough of
 * some box; and RandomCrop. T: uint8, int8, int16, int32, int64. Tseed: int32, int64. */
typedef struct weir_stateless_sample_distorted_bounding_box_options {
    const float *aspect_ratio_range;
    int aspect_ratio_range_count; /* null: [0.75, 1.3300000429153442] */
    const float *area_range;
    int area_range_count; /* null: [0.05000000074505806, 1.0] */
    int64_t max_attempts; /* 0: 100 */
    bool use_image_if_no_bounding_boxes;
} weir_stateless_sample_distorted_bounding_box_options;
typedef struct weir_stateless_sample_distorted_bounding_box_outputs {
    TF_Output begin;
    TF_Output size;
    TF_Output bboxes;
} weir_stateless_sample_distorted_bounding_box_outputs;
static inline weir_stateless_sample_distorted_bounding_box_outputs
weir_stateless_sample_distorted_bounding_box(weir_builder *builder, const char *node,
    TF_Output image_size, TF_Output bounding_boxes, TF_Output min_object_covered, TF_Output seed,
    const weir_stateless_sample_distorted_bounding_box_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "StatelessSampleDistortedBoundingBox", node);
    weir_build_input(builder, made, image_size);
    weir_build_input(builder, made, bounding_boxes);
    weir_build_input(builder, made, min_object_covered);
    weir_build_input(builder, made, seed);
    if (made && options) {
        if (options->aspect_ratio_range)
            TF_SetAttrFloatList(made, "aspect_ratio_range",
                options->aspect_ratio_range, options->aspect_ratio_range_count);
        if (options->area_range)
            TF_SetAttrFloatList(made, "area_range", options->area_range, options->area_range_count);
        if (options->max_attempts != 0)
            TF_SetAttrInt(made, "max_attempts", weir_int_of(options->max_attempts));
        TF_SetAttrBool(made, "use_image_if_no_bounding_boxes", options->use_image_if_no_bounding_boxes);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_stateless_sample_distorted_bounding_box_outputs out;
    out.begin = weir_output(op, 0);
    out.size = weir_output(op, 1);
    out.bboxes = weir_output(op, 2);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
