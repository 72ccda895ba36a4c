"""Ops: array, block. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'BatchMatrixBandPart': 'input:T num_lower:9 num_upper:9|band:T|T:t|0',
    'BatchMatrixDiag': 'diagonal:T|output:T|T:t|0',
    'BatchMatrixDiagPart': 'input:T|diagonal:T|T:t|0',
    'BatchMatrixSetDiag': 'input:T diagonal:T|output:T|T:t|0',
    'BatchToSpace': 'input:T crops:Tidx|output:T|T:t block_size:i Tidx:t=3|0',
    'BatchToSpaceND': 'input:T block_shape:Tblock_shape crops:Tcrops|output:T|T:t Tblock_shape:t=3 Tcrops:t=3|0',
    'DepthToSpace': 'input:T|output:T|T:t block_size:i data_format:s|0',
    'Diag': 'diagonal:T|output:T|T:t|0',
    'DiagPart': 'input:T|diagonal:T|T:t|0',
    'ExtractImagePatches': 'images:T|patches:T|ksizes:[i strides:[i rates:[i T:t padding:s|0',
    'ExtractVolumePatches': 'input:T|patches:T|ksizes:[i strides:[i T:t padding:s|0',
    'MatrixBandPart': 'input:T num_lower:Tindex num_upper:Tindex|band:T|T:t Tindex:t=9|0',
    'MatrixDiag': 'diagonal:T|output:T|T:t|0',
    'MatrixDiagPart': 'input:T|diagonal:T|T:t|0',
    'MatrixDiagPartV2': 'input:T k:3 padding_value:T|diagonal:T|T:t|0',
    'MatrixDiagPartV3': 'input:T k:3 padding_value:T|diagonal:T|T:t align:s|0',
    'MatrixDiagV2': 'diagonal:T k:3 num_rows:3 num_cols:3 padding_value:T|output:T|T:t|0',
    'MatrixDiagV3': 'diagonal:T k:3 num_rows:3 num_cols:3 padding_value:T|output:T|T:t align:s|0',
    'MatrixSetDiag': 'input:T diagonal:T|output:T|T:t|0',
    'MatrixSetDiagV2': 'input:T diagonal:T k:3|output:T|T:t|0',
    'MatrixSetDiagV3': 'input:T diagonal:T k:3|output:T|T:t align:s|0',
    'SpaceToBatch': 'input:T paddings:Tpaddings|output:T|T:t Tpaddings:t=3 block_size:i|0',
    'SpaceToBatchND': 'input:T block_shape:Tblock_shape paddings:Tpaddings|output:T|T:t Tblock_shape:t=3 Tpaddings:t=3|0',
    'SpaceToDepth': 'input:T|output:T|T:t block_size:i data_format:s|0',
}


def batch_matrix_band_part(input, num_lower, num_upper, name=None):
    return apply('BatchMatrixBandPart', name, (input, num_lower, num_upper), {}).outputs[0]


def batch_matrix_diag(diagonal, name=None):
    return apply('BatchMatrixDiag', name, (diagonal,), {}).outputs[0]


def batch_matrix_diag_part(input, name=None):
    return apply('BatchMatrixDiagPart', name, (input,), {}).outputs[0]


def batch_matrix_set_diag(input, diagonal, name=None):
    return apply('BatchMatrixSetDiag', name, (input, diagonal), {}).outputs[0]


def batch_to_space(input, crops, block_size, name=None):
    return apply('BatchToSpace', name, (input, crops), {'block_size': block_size}).outputs[0]


def batch_to_space_nd(input, block_shape, crops, name=None):
    return apply('BatchToSpaceND', name, (input, block_shape, crops), {}).outputs[0]


def depth_to_space(input, block_size, data_format='NHWC', name=None):
    return apply('DepthToSpace', name, (input,), {'block_size': block_size, 'data_format': data_format}).outputs[0]


def diag(diagonal, name=None):
    return apply('Diag', name, (diagonal,), {}).outputs[0]


def diag_part(input, name=None):
    return apply('DiagPart', name, (input,), {}).outputs[0]


def extract_image_patches(images, ksizes, strides, rates, padding, name=None):
    return apply('ExtractImagePatches', name, (images,), {'ksizes': ksizes, 'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def extract_volume_patches(input, ksizes, strides, padding, name=None):
    return apply('ExtractVolumePatches', name, (input,), {'ksizes': ksizes, 'strides': strides, 'padding': padding}).outputs[0]


def matrix_band_part(input, num_lower, num_upper, name=None):
    return apply('MatrixBandPart', name, (input, num_lower, num_upper), {}).outputs[0]


def matrix_diag(diagonal, name=None):
    return apply('MatrixDiag', name, (diagonal,), {}).outputs[0]


def matrix_diag_part(input, name=None):
    return apply('MatrixDiagPart', name, (input,), {}).outputs[0]


def matrix_diag_part_v2(input, k, padding_value, name=None):
    return apply('MatrixDiagPartV2', name, (input, k, padding_value), {}).outputs[0]


def matrix_diag_part_v3(input, k, padding_value, align='RIGHT_LEFT', name=None):
    return apply('MatrixDiagPartV3', name, (input, k, padding_value), {'align': align}).outputs[0]


def matrix_diag_v2(diagonal, k, num_rows, num_cols, padding_value, name=None):
    return apply('MatrixDiagV2', name, (diagonal, k, num_rows, num_cols, padding_value), {}).outputs[0]


def matrix_diag_v3(diagonal, k, num_rows, num_cols, padding_value, align='RIGHT_LEFT', name=None):
    return apply('MatrixDiagV3', name, (diagonal, k, num_rows, num_cols, padding_value), {'align': align}).outputs[0]


def matrix_set_diag(input, diagonal, name=None):
    return apply('MatrixSetDiag', name, (input, diagonal), {}).outputs[0]


def matrix_set_diag_v2(input, diagonal, k, name=None):
    return apply('MatrixSetDiagV2', name, (input, diagonal, k), {}).outputs[0]


def matrix_set_diag_v3(input, diagonal, k, align='RIGHT_LEFT', name=None):
    return apply('MatrixSetDiagV3', name, (input, diagonal, k), {'align': align}).outputs[0]


def space_to_batch(input, paddings, block_size, name=None):
    return apply('SpaceToBatch', name, (input, paddings), {'block_size': block_size}).outputs[0]


def space_to_batch_nd(input, block_shape, paddings, name=None):
    return apply('SpaceToBatchND', name, (input, block_shape, paddings), {}).outputs[0]


def space_to_depth(input, block_size, data_format='NHWC', name=None):
    return apply('SpaceToDepth', name, (input,), {'block_size': block_size, 'data_format': data_format}).outputs[0]
