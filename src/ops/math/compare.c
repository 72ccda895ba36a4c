/* ops/math/compare.c - comparison, logical and bitwise ops. */
#include "ops/declare.h"
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

#define ORDERED "T: {" REALS "}"
BINARY_OP(less, "Less", "x: T; y: T", "z: bool", ORDERED, less, .no_grad = true);
BINARY_OP(less_equal, "LessEqual", "x: T; y: T", "z: bool", ORDERED, less_equal, .no_grad = true);
BINARY_OP(greater, "Greater", "x: T; y: T", "z: bool", ORDERED, greater, .no_grad = true);
BINARY_OP(greater_equal, "GreaterEqual", "x: T; y: T", "z: bool", ORDERED, greater_equal,
          .no_grad = true);

BINARY_OP(logical_and, "LogicalAnd", "x: bool; y: bool", "z: bool", NULL, logical_and,
          .no_grad = true, .flags = WEIR_COMMUTATIVE);
BINARY_OP(logical_or, "LogicalOr", "x: bool; y: bool", "z: bool", NULL, logical_or, .no_grad = true,
          .flags = WEIR_COMMUTATIVE);

ARITHMETIC_OP(bitwise_and, "BitwiseAnd", INTS, and, .no_grad = true, .flags = WEIR_COMMUTATIVE);
ARITHMETIC_OP(bitwise_or, "BitwiseOr", INTS, or, .no_grad = true, .flags = WEIR_COMMUTATIVE);
ARITHMETIC_OP(bitwise_xor, "BitwiseXor", INTS, xor, .no_grad = true, .flags = WEIR_COMMUTATIVE);
ARITHMETIC_OP(left_shift, "LeftShift", INTS, left_shift, .no_grad = true);
ARITHMETIC_OP(right_shift, "RightShift", INTS, right_shift, .no_grad = true);
UNARY_OP(invert, "Invert", INTS, invert, .no_grad = true);

static weir_status test(weir_call *call)
{
    return weir_unary_kernel(call, (weir_unary_op)weir_site_mode(call->site));
}
#define TEST                                                                                       \
    .in = "x: T", .infer = weir_infer_same_shape, .no_grad = true,                                 \
    .kernels = {{WEIR_CPU, "*", test}}
#define OF_FLOATS TEST, .out = "y: bool", .attrs = "T: {" FLOATS "}"
WEIR_DEFINE_OP(is_nan, "IsNan", OF_FLOATS, .mode = WEIR_U_is_nan);
WEIR_DEFINE_OP(is_inf, "IsInf", OF_FLOATS, .mode = WEIR_U_is_inf);
WEIR_DEFINE_OP(is_finite, "IsFinite", OF_FLOATS, .mode = WEIR_U_is_finite);
WEIR_DEFINE_OP(population_count, "PopulationCount", TEST, .out = "y: uint8",
               .attrs = "T: {" INTS "}", .mode = WEIR_U_popcount);

static weir_status logical_not(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const bool *in = x->data, one = true;
    /* !x is x != true. */
    weir_binary_flat(&call->run->par, WEIR_B_not_equal, WEIR_E_b8, weir_tensor_count(x), in, &one,
                     weir_out(call, 0)->data, WEIR_Y_REPEATS);
    return WEIR_OK;
}
const weir_op weir_op_logical_not = {
    .name = "LogicalNot",
    .in = "x: bool",
    .out = "y: bool",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", logical_not}},
};
