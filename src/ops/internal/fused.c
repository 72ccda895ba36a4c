/* ops/internal/fused.c - fused ops of TensorFlow's optimiser, as sent by its
 * masters.
 *
 * They have no kernels: pass/unfuse.c replaces them by the single ops.
 */
#include "ops/declare.h"

#define WITH "num_args: int >= 0; "
#define EPILOGUE                                                                                   \
    "fused_ops: list(string) = []; epsilon: float = 9.999999747378752e-05; "                       \
    "leakyrelu_alpha: float = 0.20000000298023224"

WEIR_DEFINE_OP(
    fused_mat_mul, "_FusedMatMul", .infer = weir_infer_unknown,
    .in = "a: T; b: T; args: num_args * T", .out = "product: T",
    .attrs =
        "transpose_a: bool = false; transpose_b: bool = false; T: {bfloat16, half, float}; " WITH
            EPILOGUE);
WEIR_DEFINE_OP(
    fused_conv2d, "_FusedConv2D", .infer = weir_infer_unknown,
    .in = "input: T; filter: T; args: TArgs; host_args: num_host_args * float", .out = "output: T",
    .attrs =
        "T: {half, float, double, int8, qint8}; TArgs: list(type) >= 1; " WITH
        "num_host_args: int >= 0 = 0; strides: list(int); padding: {'SAME', 'VALID', 'EXPLICIT'}; "
        "explicit_paddings: list(int) = []; "
        "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = \"NHWC\"; "
        "filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = \"HWIO\"; "
        "dilations: list(int) = [1, 1, 1, 1]; use_cudnn_on_gpu: bool = true; " EPILOGUE);
WEIR_DEFINE_OP(
    fused_conv3d, "_FusedConv3D", .infer = weir_infer_unknown,
    .in = "input: T; filter: T; args: num_args * T", .out = "output: T",
    .attrs = "T: {bfloat16, float, half}; " WITH
             "strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
             "data_format: {'NDHWC', 'NCDHW'} = \"NDHWC\"; dilations: list(int) = [1, 1, 1, 1, 1]; "
             "padding_list: list(int) = []; " EPILOGUE);
WEIR_DEFINE_OP(
    fused_depthwise_conv2d, "_FusedDepthwiseConv2dNative", .infer = weir_infer_unknown,
    .in = "input: T; filter: T; args: num_args * T", .out = "output: T",
    .attrs =
        "T: {half, bfloat16, float, double}; " WITH
        "strides: list(int); padding: {'SAME', 'VALID'}; data_format: {'NHWC', 'NCHW'} = \"NHWC\"; "
        "dilations: list(int) = [1, 1, 1, 1]; " EPILOGUE);
WEIR_DEFINE_OP(
    fused_batch_mat_mul, "_MklFusedBatchMatMulV2", .infer = weir_infer_unknown,
    .in = "x: T; y: T; args: num_args * T", .out = "output: T",
    .attrs =
        "T: {bfloat16, float, half}; adj_x: bool = false; adj_y: bool = false; " WITH EPILOGUE);

WEIR_DEFINE_OP(
    fused_batch_norm_ex, "_FusedBatchNormEx", .infer = weir_infer_unknown,
    .in = "x: T; scale: U; offset: U; mean: U; variance: U; side_input: num_side_inputs * T",
    .out = "y: T; batch_mean: U; batch_variance: U; reserve_space_1: U; reserve_space_2: U; "
           "reserve_space_3: U",
    .attrs = "T: {half, float, bfloat16}; U: {float}; epsilon: float = 9.999999747378752e-05; "
             "exponential_avg_factor: float = 1.0; num_side_inputs: int >= 0 = 0; "
             "activation_mode: string = \"Identity\"; data_format: {'NHWC', 'NCHW'} = \"NHWC\"; "
             "is_training: bool = true");

WEIR_DEFINE_OP(unary_ops_composition, "_UnaryOpsComposition", .infer = weir_infer_unknown,
               .in = "x: T", .out = "y: T",
               .attrs = "T: {float, half, double}; op_names: list(string)");
WEIR_DEFINE_OP(mkl_swish, "_MklSwish", .infer = weir_infer_unknown, .in = "features: T",
               .out = "activations: T", .attrs = "T: {float, bfloat16, half} = DT_FLOAT");
WEIR_DEFINE_OP(mkl_fused_mish, "_MklFusedMish", .infer = weir_infer_unknown, .in = "features: T",
               .out = "activations: T", .attrs = "T: {bfloat16, float, half}");
WEIR_DEFINE_OP(mkl_layer_norm, "_MklLayerNorm", .infer = weir_infer_unknown,
               .in = "x: T; scale: T; offset: T", .out = "y: T",
               .attrs = "T: {float, bfloat16, half}; epsilon: float = 0.0010000000474974513");
WEIR_DEFINE_OP(mkl_fused_instance_norm, "_MklFusedInstanceNorm", .infer = weir_infer_unknown,
               .in = "x: T; gamma: T; beta: T", .out = "y: T",
               .attrs = "T: {float, bfloat16, half}; " EPILOGUE "; reduction_axes: list(int)");
WEIR_DEFINE_OP(
    tensor_to_hash_bucket_fast, "_TensorToHashBucketFast", .infer = weir_infer_unknown,
    .in = "input: T", .out = "output: int64",
    .attrs =
        "T: {int8, uint8, int16, uint16, int32, uint32, int64, uint64}; num_buckets: int >= 1");
