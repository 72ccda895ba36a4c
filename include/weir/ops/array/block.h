/* weir/ops/array/block.h - diagonals, bands, patches, blocks of space.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_ARRAY_BLOCK_OPS_H
#define WEIR_ARRAY_BLOCK_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BatchMatrixBandPart(input: T, num_lower: int64, num_upper: int64) -> band: T: zeros outside a
 * band around the diagonal. */
static inline TF_Output weir_batch_matrix_band_part(weir_builder *builder, const char *node,
                                                    TF_Output input, TF_Output num_lower,
                                                    TF_Output num_upper)
{
    const TF_Output inputs[] = {input, num_lower, num_upper};
    return weir_build_op(builder, "BatchMatrixBandPart", node, inputs, 3);
}

/* BatchMatrixDiag(diagonal: T) -> output: T: matrices from their diagonals. */
static inline TF_Output weir_batch_matrix_diag(weir_builder *builder, const char *node,
                                               TF_Output diagonal)
{
    const TF_Output inputs[] = {diagonal};
    return weir_build_op(builder, "BatchMatrixDiag", node, inputs, 1);
}

/* BatchMatrixDiagPart(input: T) -> diagonal: T: diagonals of matrices. */
static inline TF_Output weir_batch_matrix_diag_part(weir_builder *builder, const char *node,
                                                    TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchMatrixDiagPart", node, inputs, 1);
}

/* BatchMatrixSetDiag(input: T, diagonal: T) -> output: T: matrices with diagonals replaced. */
static inline TF_Output weir_batch_matrix_set_diag(weir_builder *builder, const char *node,
                                                   TF_Output input, TF_Output diagonal)
{
    const TF_Output inputs[] = {input, diagonal};
    return weir_build_op(builder, "BatchMatrixSetDiag", node, inputs, 2);
}

/* BatchToSpace(input: T, crops: Tidx) -> output: T: moves spatial blocks into the batch dimension
 * and back. Tidx: int32, int64. */
static inline TF_Output weir_batch_to_space(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output crops, int64_t block_size)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchToSpace", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, crops);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    return weir_build_end(builder, made);
}

/* BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops) -> output: T: blocks of the
 * batch moved back into space. Tblock_shape: int32, int64. Tcrops: int32, int64. */
static inline TF_Output weir_batch_to_space_nd(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output block_shape,
                                               TF_Output crops)
{
    const TF_Output inputs[] = {input, block_shape, crops};
    return weir_build_op(builder, "BatchToSpaceND", node, inputs, 3);
}

/* DepthToSpace(input: T) -> output: T: moves blocks of an image into its channels and back. */
typedef struct weir_depth_to_space_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_depth_to_space_options;
static inline TF_Output weir_depth_to_space(weir_builder *builder, const char *node,
                                            TF_Output input, int64_t block_size,
                                            const weir_depth_to_space_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DepthToSpace", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* Diag(diagonal: T) -> output: T: generalised diagonal tensors. T: bfloat16, half, float, double,
 * int32, int64, complex64, complex128. */
static inline TF_Output weir_diag(weir_builder *builder, const char *node, TF_Output diagonal)
{
    const TF_Output inputs[] = {diagonal};
    return weir_build_op(builder, "Diag", node, inputs, 1);
}

/* DiagPart(input: T) -> diagonal: T: generalised diagonal tensors. T: bfloat16, half, float,
 * double, int32, int64, complex64, complex128. */
static inline TF_Output weir_diag_part(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "DiagPart", node, inputs, 1);
}

/* ExtractImagePatches(images: T) -> patches: T: every window concatenated along the channels. T:
 * bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
 * complex64, complex128, bool. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_extract_image_patches(weir_builder *builder, const char *node,
                                                   TF_Output images, const int64_t *ksizes,
                                                   int ksizes_count, const int64_t *strides,
                                                   int strides_count, const int64_t *rates,
                                                   int rates_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractImagePatches", node);
    weir_build_input(builder, made, images);
    if (made) {
        TF_SetAttrIntList(made, "ksizes", ksizes, ksizes_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* ExtractVolumePatches(input: T) -> patches: T: every window concatenated along the channels. T:
 * float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. padding:
 * 'SAME', 'VALID'. */
static inline TF_Output weir_extract_volume_patches(weir_builder *builder, const char *node,
                                                    TF_Output input, const int64_t *ksizes,
                                                    int ksizes_count, const int64_t *strides,
                                                    int strides_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractVolumePatches", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksizes", ksizes, ksizes_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex) -> band: T: zeros outside a band
 * around the diagonal. Tindex: int32, int64. */
static inline TF_Output weir_matrix_band_part(weir_builder *builder, const char *node,
                                              TF_Output input, TF_Output num_lower,
                                              TF_Output num_upper)
{
    const TF_Output inputs[] = {input, num_lower, num_upper};
    return weir_build_op(builder, "MatrixBandPart", node, inputs, 3);
}

/* MatrixDiag(diagonal: T) -> output: T: matrices from their diagonals. */
static inline TF_Output weir_matrix_diag(weir_builder *builder, const char *node,
                                         TF_Output diagonal)
{
    const TF_Output inputs[] = {diagonal};
    return weir_build_op(builder, "MatrixDiag", node, inputs, 1);
}

/* MatrixDiagPart(input: T) -> diagonal: T: diagonals of matrices. */
static inline TF_Output weir_matrix_diag_part(weir_builder *builder, const char *node,
                                              TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MatrixDiagPart", node, inputs, 1);
}

/* MatrixDiagPartV2(input: T, k: int32, padding_value: T) -> diagonal: T: diagonals of matrices. */
static inline TF_Output weir_matrix_diag_part_v2(weir_builder *builder, const char *node,
                                                 TF_Output input, TF_Output k,
                                                 TF_Output padding_value)
{
    const TF_Output inputs[] = {input, k, padding_value};
    return weir_build_op(builder, "MatrixDiagPartV2", node, inputs, 3);
}

/* MatrixDiagPartV3(input: T, k: int32, padding_value: T) -> diagonal: T: diagonals of matrices. */
typedef struct weir_matrix_diag_part_v3_options {
    /* null: "RIGHT_LEFT"; 'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT' */
    const char *align;
} weir_matrix_diag_part_v3_options;
static inline TF_Output weir_matrix_diag_part_v3(weir_builder *builder, const char *node,
                                                 TF_Output input, TF_Output k,
                                                 TF_Output padding_value,
                                                 const weir_matrix_diag_part_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixDiagPartV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, k);
    weir_build_input(builder, made, padding_value);
    if (made && options) {
        if (options->align)
            weir_attr_string(made, "align", options->align);
    }
    return weir_build_end(builder, made);
}

/* MatrixDiagV2(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) ->
 * output: T: matrices from their diagonals. */
static inline TF_Output weir_matrix_diag_v2(weir_builder *builder, const char *node,
                                            TF_Output diagonal, TF_Output k, TF_Output num_rows,
                                            TF_Output num_cols, TF_Output padding_value)
{
    const TF_Output inputs[] = {diagonal, k, num_rows, num_cols, padding_value};
    return weir_build_op(builder, "MatrixDiagV2", node, inputs, 5);
}

/* MatrixDiagV3(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) ->
 * output: T: matrices from their diagonals. */
typedef struct weir_matrix_diag_v3_options {
    /* null: "RIGHT_LEFT"; 'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT' */
    const char *align;
} weir_matrix_diag_v3_options;
static inline TF_Output weir_matrix_diag_v3(weir_builder *builder, const char *node,
                                            TF_Output diagonal, TF_Output k, TF_Output num_rows,
                                            TF_Output num_cols, TF_Output padding_value,
                                            const weir_matrix_diag_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixDiagV3", node);
    weir_build_input(builder, made, diagonal);
    weir_build_input(builder, made, k);
    weir_build_input(builder, made, num_rows);
    weir_build_input(builder, made, num_cols);
    weir_build_input(builder, made, padding_value);
    if (made && options) {
        if (options->align)
            weir_attr_string(made, "align", options->align);
    }
    return weir_build_end(builder, made);
}

/* MatrixSetDiag(input: T, diagonal: T) -> output: T: matrices with diagonals replaced. */
static inline TF_Output weir_matrix_set_diag(weir_builder *builder, const char *node,
                                             TF_Output input, TF_Output diagonal)
{
    const TF_Output inputs[] = {input, diagonal};
    return weir_build_op(builder, "MatrixSetDiag", node, inputs, 2);
}

/* MatrixSetDiagV2(input: T, diagonal: T, k: int32) -> output: T: matrices with diagonals replaced.
 * */
static inline TF_Output weir_matrix_set_diag_v2(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output diagonal, TF_Output k)
{
    const TF_Output inputs[] = {input, diagonal, k};
    return weir_build_op(builder, "MatrixSetDiagV2", node, inputs, 3);
}

/* MatrixSetDiagV3(input: T, diagonal: T, k: int32) -> output: T: matrices with diagonals replaced.
 * */
typedef struct weir_matrix_set_diag_v3_options {
    /* null: "RIGHT_LEFT"; 'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT' */
    const char *align;
} weir_matrix_set_diag_v3_options;
static inline TF_Output weir_matrix_set_diag_v3(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output diagonal, TF_Output k,
                                                const weir_matrix_set_diag_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixSetDiagV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, diagonal);
    weir_build_input(builder, made, k);
    if (made && options) {
        if (options->align)
            weir_attr_string(made, "align", options->align);
    }
    return weir_build_end(builder, made);
}

/* SpaceToBatch(input: T, paddings: Tpaddings) -> output: T: moves spatial blocks into the batch
 * dimension and back. Tpaddings: int32, int64. */
static inline TF_Output weir_space_to_batch(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output paddings, int64_t block_size)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SpaceToBatch", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, paddings);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    return weir_build_end(builder, made);
}

/* SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings) -> output: T: spatial
 * blocks moved into the batch. Tblock_shape: int32, int64. Tpaddings: int32, int64. */
static inline TF_Output weir_space_to_batch_nd(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output block_shape,
                                               TF_Output paddings)
{
    const TF_Output inputs[] = {input, block_shape, paddings};
    return weir_build_op(builder, "SpaceToBatchND", node, inputs, 3);
}

/* SpaceToDepth(input: T) -> output: T: moves blocks of an image into its channels and back. */
typedef struct weir_space_to_depth_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_space_to_depth_options;
static inline TF_Output weir_space_to_depth(weir_builder *builder, const char *node,
                                            TF_Output input, int64_t block_size,
                                            const weir_space_to_depth_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SpaceToDepth", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
