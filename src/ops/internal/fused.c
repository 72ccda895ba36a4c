/* ops/internal/fused.c - ops that TensorFlow's optimiser makes of several, as its masters send
 * them.
 *
 * They have no kernels: pass/unfuse.c makes the single ops of them again.
 */
#include "op/op.h"

#define FUSED(id, op_name, inputs, outputs, op_attrs)                                              \
    const weir_op weir_op_##id = {                                                                 \
        .name = op_name,                                                                           \
        .in = inputs,                                                                              \
        .out = outputs,                                                                            \
        .attrs = op_attrs,                                                                         \
        .infer = weir_infer_unknown,                                                               \
    };

#define WITH "num_args: int >= 0; "
#define EPILOGUE                                                                                   \
    "fused_ops: list(string) = []; epsilon: float = 9.999999747378752e-05; "                       \
    "leakyrelu_alpha: float = 0.20000000298023224"

FUSED(fused_mat_mul, "_FusedMatMul", "a: T; b: T; args: num_args * T", "product: T",
      "transpose_a: bool = false; transpose_b: bool = false; T: {bfloat16, half, float}; " WITH
          EPILOGUE)
FUSED(fused_conv2d, "_FusedConv2D",
      "input: T; filter: T; args: TArgs; host_args: num_host_args * float", "output: T",
      "T: {half, float, double, int8, qint8}; TArgs: list(type) >= 1; " WITH
      "num_host_args: int >= 0 = 0; strides: list(int); padding: {'SAME', 'VALID', 'EXPLICIT'}; "
      "explicit_paddings: list(int) = []; "
      "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = \"NHWC\"; "
      "filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = \"HWIO\"; "
      "dilations: list(int) = [1, 1, 1, 1]; use_cudnn_on_gpu: bool = true; " EPILOGUE)
FUSED(fused_conv3d, "_FusedConv3D", "input: T; filter: T; args: num_args * T", "output: T",
      "T: {bfloat16, float, half}; " WITH "strides: list(int) >= 5; padding: {'SAME', 'VALID'}; "
      "data_format: {'NDHWC', 'NCDHW'} = \"NDHWC\"; dilations: list(int) = [1, 1, 1, 1, 1]; "
      "padding_list: list(int) = []; " EPILOGUE)
FUSED(fused_depthwise_conv2d, "_FusedDepthwiseConv2dNative",
      "input: T; filter: T; args: num_args * T", "output: T",
      "T: {half, bfloat16, float, double}; " WITH
      "strides: list(int); padding: {'SAME', 'VALID'}; data_format: {'NHWC', 'NCHW'} = \"NHWC\"; "
      "dilations: list(int) = [1, 1, 1, 1]; " EPILOGUE)
FUSED(fused_batch_mat_mul, "_MklFusedBatchMatMulV2", "x: T; y: T; args: num_args * T", "output: T",
      "T: {bfloat16, float, half}; adj_x: bool = false; adj_y: bool = false; " WITH EPILOGUE)

FUSED(fused_batch_norm_ex, "_FusedBatchNormEx",
      "x: T; scale: U; offset: U; mean: U; variance: U; side_input: num_side_inputs * T",
      "y: T; batch_mean: U; batch_variance: U; reserve_space_1: U; reserve_space_2: U; "
      "reserve_space_3: U",
      "T: {half, float, bfloat16}; U: {float}; epsilon: float = 9.999999747378752e-05; "
      "exponential_avg_factor: float = 1.0; num_side_inputs: int >= 0 = 0; "
      "activation_mode: string = \"Identity\"; data_format: {'NHWC', 'NCHW'} = \"NHWC\"; "
      "is_training: bool = true")

FUSED(unary_ops_composition, "_UnaryOpsComposition", "x: T", "y: T",
      "T: {float, half, double}; op_names: list(string)")
FUSED(mkl_swish, "_MklSwish", "features: T", "activations: T",
      "T: {float, bfloat16, half} = DT_FLOAT")
FUSED(mkl_fused_mish, "_MklFusedMish", "features: T", "activations: T",
      "T: {bfloat16, float, half}")
FUSED(mkl_layer_norm, "_MklLayerNorm", "x: T; scale: T; offset: T", "y: T",
      "T: {float, bfloat16, half}; epsilon: float = 0.0010000000474974513")
FUSED(mkl_fused_instance_norm, "_MklFusedInstanceNorm", "x: T; gamma: T; beta: T", "y: T",
      "T: {float, bfloat16, half}; " EPILOGUE "; reduction_axes: list(int)")
FUSED(tensor_to_hash_bucket_fast, "_TensorToHashBucketFast", "input: T", "output: int64",
      "T: {int8, uint8, int16, uint16, int32, uint32, int64, uint64}; num_buckets: int >= 1")
