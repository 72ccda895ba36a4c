/* ops/math/risc.c - Risc ops: a small set of basic ops.
 *
 * TensorFlow defines them for compilers, without kernels. Those that are one loop name it; the
 * others are aliases of equivalent ops.
 */
#include "ops/common/catalogue.h"
#include "ops/common/inner.h"
#include "ops/declare.h"
#include "ops/math/elementwise.h"

UNARY_OP(risc_abs, "RiscAbs", FLOATS, abs, );
UNARY_OP(risc_ceil, "RiscCeil", FLOATS, ceil, );
UNARY_OP(risc_cos, "RiscCos", FLOATS, cos, );
UNARY_OP(risc_exp, "RiscExp", FLOATS, exp, );
UNARY_OP(risc_floor, "RiscFloor", FLOATS, floor, );
UNARY_OP(risc_log, "RiscLog", FLOATS, log, );
UNARY_OP(risc_neg, "RiscNeg", FLOATS, neg, );
UNARY_OP(risc_sign, "RiscSign", FLOATS, sign, );

ARITHMETIC_OP(risc_add, "RiscAdd", FLOATS, add, .flags = WEIR_COMMUTATIVE | WEIR_AGGREGATE);
ARITHMETIC_OP(risc_sub, "RiscSub", FLOATS, sub, );
ARITHMETIC_OP(risc_mul, "RiscMul", FLOATS, mul, );
ARITHMETIC_OP(risc_div, "RiscDiv", FLOATS, div, );
ARITHMETIC_OP(risc_rem, "RiscRem", FLOATS, trunc_mod, );
ARITHMETIC_OP(risc_min, "RiscMin", FLOATS, minimum, );
ARITHMETIC_OP(risc_pow, "RiscPow", FLOATS, pow, );
BINARY_OP(risc_max, "RiscMax", "x: T; y: T", "max: T", "T: {" FLOATS "}", maximum, );
BINARY_OP(risc_logical_and, "RiscLogicalAnd", "x: bool; y: bool", "z: bool", NULL, logical_and, );
BINARY_OP(risc_logical_or, "RiscLogicalOr", "x: bool; y: bool", "z: bool", NULL, logical_or, );

/* ---- aliases --------------------------------------------------------------------------------- */

/* .mode of an alias, and its index in the table. The last ones stand for several ops. */
enum {
    BITCAST,
    BROADCAST,
    CAST,
    CHOLESKY,
    CONCAT,
    CONV,
    DOT,
    FFT,
    GATHER,
    IMAG,
    IS_FINITE,
    LOGICAL_NOT,
    PAD,
    RANDOM_UNIFORM,
    REAL,
    RESHAPE,
    REVERSE,
    SCATTER,
    SHAPE,
    SLICE,
    SQUEEZE,
    TRANSPOSE,
    TRIANGULAR_SOLVE,
    CHOSEN, /* selected by the value of an attr */
};

#define STRING_ATTR(key, text)                                                                     \
    {                                                                                              \
        key,                                                                                       \
        {                                                                                          \
            .kind = WEIR_ATTR_STRING, .s = { text, sizeof text - 1 }                               \
        }                                                                                          \
    }

static const weir_alias aliases[] = {
    [BITCAST] = {&weir_op_bitcast, {{"T", "SrcT"}, {"type", "DstT"}}},
    [BROADCAST] = {&weir_op_broadcast_to},
    [CAST] = {&weir_op_cast},
    [CHOLESKY] = {&weir_op_cholesky},
    [CONCAT] = {&weir_op_concat_v2},
    [CONV] = {&weir_op_conv2d, .given = {STRING_ATTR("padding", "VALID")}},
    [DOT] = {&weir_op_mat_mul},
    [FFT] = {&weir_op_fft},
    [GATHER] = {&weir_op_gather_v2},
    [IMAG] = {&weir_op_imag},
    [IS_FINITE] = {&weir_op_is_finite},
    [LOGICAL_NOT] = {&weir_op_logical_not},
    [PAD] = {&weir_op_pad_v2},
    [RANDOM_UNIFORM] = {&weir_op_random_uniform,
                        .given = {{"dtype", {.kind = WEIR_ATTR_TYPE, .type = WEIR_FLOAT}}}},
    [REAL] = {&weir_op_real},
    [RESHAPE] = {&weir_op_reshape},
    [REVERSE] = {&weir_op_reverse_v2},
    [SCATTER] = {&weir_op_scatter_nd},
    [SHAPE] = {&weir_op_shape},
    [SLICE] = {&weir_op_slice},
    [SQUEEZE] = {&weir_op_squeeze},
    [TRANSPOSE] = {&weir_op_transpose},
    [TRIANGULAR_SOLVE] = {&weir_op_matrix_triangular_solve},
};

/* Values of the selecting attr, which is the node's first string attr. */
static const struct choice {
    const char *value;
    weir_alias alias;
} choices[] = {
    {"ABL", {&weir_op_abs}},
    {"CEIL", {&weir_op_ceil}},
    {"COS", {&weir_op_cos}},
    {"EXP", {&weir_op_exp}},
    {"FLOOR", {&weir_op_floor}},
    {"LOG", {&weir_op_log}},
    {"NEG", {&weir_op_neg}},
    {"SIGN", {&weir_op_sign}},
    {"IMAG", {&weir_op_zeros_like}}, /* of a real number */
    {"REAL", {&weir_op_identity}},
    {"ADD", {&weir_op_add_v2}},
    {"SUB", {&weir_op_sub}},
    {"MUL", {&weir_op_mul}},
    {"DIV", {&weir_op_real_div}},
    {"REM", {&weir_op_truncate_mod}},
    {"MIN", {&weir_op_minimum}},
    {"POW", {&weir_op_pow}},
    {"EQ", {&weir_op_equal}},
    {"NE", {&weir_op_not_equal}},
    {"GE", {&weir_op_greater_equal}},
    {"GT", {&weir_op_greater}},
    {"LE", {&weir_op_less_equal}},
    {"LT", {&weir_op_less}},
    {"SUM", {&weir_op_sum, {{"Tidx", "Index"}}}},
    {"MEAN", {&weir_op_mean, {{"Tidx", "Index"}}}},
    {"AVG", {&weir_op_avg_pool_2d, .given = {STRING_ATTR("padding", "VALID")}}},
    {"MAX", {&weir_op_max_pool, .given = {STRING_ATTR("padding", "VALID")}}},
};

static const weir_alias *chosen(const weir_site *site)
{
    for (int i = 0; i < site->def->attr_count; i++)
        for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
            if (site->attrs[i].kind == WEIR_ATTR_STRING && !site->attrs[i].is_list &&
                weir_str_eq(site->attrs[i].s, weir_str_of(choices[k].value)))
                return &choices[k].alias;
    return NULL;
}

static weir_status alias_of(const weir_site *site, const weir_alias **out_alias)
{
    int mode = weir_site_mode(site);
    *out_alias = mode < CHOSEN ? &aliases[mode] : chosen(site);
    return *out_alias
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "%s does not have that kind", site->op->name);
}

static weir_status infer(weir_infer *infer)
{
    const weir_alias *alias;
    WEIR_TRY(alias_of(infer->site, &alias));
    return weir_alias_infer(infer, alias);
}

static weir_status prepare(weir_prepare *preparation)
{
    const weir_alias *alias;
    WEIR_TRY(alias_of(preparation->site, &alias));
    return weir_alias_prepare(preparation, alias);
}

#define RISC(number)                                                                               \
    .mode = number, .infer = infer,                                                                \
    .kernels = {                                                                                   \
        {WEIR_CPU, "*", weir_alias_run, WEIR_OWN_OUTPUTS, NULL, prepare, weir_inner_destroy}}
#define T_FLOATS "T: {" FLOATS "}"

WEIR_DEFINE_OP(risc_bitcast, "RiscBitcast", RISC(BITCAST), .in = "x: SrcT", .out = "y: DstT",
               .attrs = "SrcT: type; DstT: type");
WEIR_DEFINE_OP(risc_cast, "RiscCast", RISC(CAST), .in = "x: SrcT", .out = "y: DstT",
               .attrs = "SrcT: type; DstT: type");
WEIR_DEFINE_OP(risc_broadcast, "RiscBroadcast", RISC(BROADCAST), .in = "input: T; shape: Tidx",
               .out = "output: T", .attrs = "T: type; Tidx: " INDEX_TYPE);
WEIR_DEFINE_OP(risc_cholesky, "RiscCholesky", RISC(CHOLESKY), .in = "input: T", .out = "output: T",
               .attrs = T_FLOATS);
WEIR_DEFINE_OP(risc_concat, "RiscConcat", RISC(CONCAT), .in = "values: N * T; axis: Tidx",
               .out = "output: T", .attrs = "N: int >= 2; T: type; Tidx: " INDEX_TYPE);
WEIR_DEFINE_OP(risc_conv, "RiscConv", RISC(CONV), .in = "input: T; filter: T", .out = "output: T",
               .attrs = T_FLOATS "; strides: list(int); "
                                 "data_format: {'NHWC', 'NCHW'} = 'NHWC'; "
                                 "dilations: list(int) = [1, 1, 1, 1]");
WEIR_DEFINE_OP(risc_dot, "RiscDot", RISC(DOT), .in = "a: T; b: T", .out = "product: T",
               .attrs = "transpose_a: bool = false; transpose_b: bool = false; " T_FLOATS);
WEIR_DEFINE_OP(risc_fft, "RiscFft", RISC(FFT), .in = "input: Tcomplex", .out = "output: Tcomplex",
               .attrs = "Tcomplex: {complex64, complex128} = DT_COMPLEX64");
WEIR_DEFINE_OP(risc_gather, "RiscGather", RISC(GATHER),
               .in = "params: Tparams; indices: Tindices; axis: Taxis", .out = "output: Tparams",
               .attrs = "batch_dims: int = 0; Tparams: type; Tindices: {int32, int64}; "
                        "Taxis: {int32, int64}");
#define PART                                                                                       \
    .in = "input: T", .out = "output: Tout",                                                       \
    .attrs = "T: {complex64, complex128} = DT_COMPLEX64; Tout: {float, double} = DT_FLOAT"
WEIR_DEFINE_OP(risc_imag, "RiscImag", RISC(IMAG), PART);
WEIR_DEFINE_OP(risc_real, "RiscReal", RISC(REAL), PART);
WEIR_DEFINE_OP(risc_is_finite, "RiscIsFinite", RISC(IS_FINITE), .in = "x: T", .out = "y: bool",
               .attrs = T_FLOATS);
WEIR_DEFINE_OP(risc_logical_not, "RiscLogicalNot", RISC(LOGICAL_NOT), .in = "x: bool",
               .out = "z: bool");
WEIR_DEFINE_OP(risc_pad, "RiscPad", RISC(PAD),
               .in = "input: T; paddings: Tpaddings; constant_values: T", .out = "output: T",
               .attrs = T_FLOATS "; Tpaddings: " INDEX_TYPE);
WEIR_DEFINE_OP(risc_random_uniform, "RiscRandomUniform", RISC(RANDOM_UNIFORM), .in = "shape: T",
               .out = "output: float", .attrs = "seed: int = 0; T: {int32, int64}",
               .flags = WEIR_NO_FOLD);
WEIR_DEFINE_OP(risc_reshape, "RiscReshape", RISC(RESHAPE), .in = "tensor: T; shape: Tshape",
               .out = "output: T", .attrs = T_FLOATS "; Tshape: " INDEX_TYPE);
WEIR_DEFINE_OP(risc_reverse, "RiscReverse", RISC(REVERSE), .in = "tensor: T; axis: Tidx",
               .out = "output: T", .attrs = "Tidx: " INDEX_TYPE "; " T_FLOATS);
WEIR_DEFINE_OP(risc_scatter, "RiscScatter", RISC(SCATTER),
               .in = "indices: Tindices; updates: T; shape: Tindices", .out = "output: T",
               .attrs = T_FLOATS "; Tindices: {int32, int64}");
WEIR_DEFINE_OP(risc_shape, "RiscShape", RISC(SHAPE), .in = "input: T", .out = "output: out_type",
               .attrs = T_FLOATS "; out_type: " INDEX_TYPE);
WEIR_DEFINE_OP(risc_slice, "RiscSlice", RISC(SLICE), .in = "input: T; begin: Index; size: Index",
               .out = "output: T", .attrs = T_FLOATS "; Index: {int32, int64}");
WEIR_DEFINE_OP(risc_squeeze, "RiscSqueeze", RISC(SQUEEZE), .in = "input: T", .out = "output: T",
               .attrs = "T: type; squeeze_dims: list(int) >= 0 = []");
WEIR_DEFINE_OP(risc_transpose, "RiscTranspose", RISC(TRANSPOSE), .in = "x: T; perm: Tperm",
               .out = "y: T", .attrs = "T: type; Tperm: " INDEX_TYPE);
WEIR_DEFINE_OP(risc_triangular_solve, "RiscTriangularSolve", RISC(TRIANGULAR_SOLVE),
               .in = "matrix: T; rhs: T", .out = "output: T",
               .attrs = "lower: bool = true; adjoint: bool = false; " T_FLOATS);

WEIR_DEFINE_OP(risc_unary, "RiscUnary", RISC(CHOSEN), .in = "x: T", .out = "y: T",
               .attrs = "op_type: {'ABL', 'CEIL', 'COS', 'EXP', 'FLOOR', 'IMAG', 'LOG', 'NEG', "
                        "'REAL', 'SIGN'}; " T_FLOATS);
WEIR_DEFINE_OP(risc_binary_arithmetic, "RiscBinaryArithmetic", RISC(CHOSEN), .in = "x: T; y: T",
               .out = "z: T",
               .attrs = "op_type: {'ADD', 'SUB', 'MUL', 'DIV', 'REM', 'MIN', 'POW'}; " T_FLOATS);
WEIR_DEFINE_OP(risc_binary_comparison, "RiscBinaryComparison", RISC(CHOSEN), .in = "x: T; y: T",
               .out = "z: bool",
               .attrs = "op_type: {'EQ', 'NE', 'GE', 'GT', 'LE', 'LT'}; " T_FLOATS);
WEIR_DEFINE_OP(risc_reduce, "RiscReduce", RISC(CHOSEN), .in = "tensor: T; axis: Index",
               .out = "output: T",
               .attrs = "reduce_type: {'MEAN', 'SUM'}; Index: " INDEX_TYPE "; " T_FLOATS);
WEIR_DEFINE_OP(risc_pool, "RiscPool", RISC(CHOSEN), .in = "value: T", .out = "output: T",
               .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; "
                        "pooling_type: {'AVG', 'MAX'}; "
                        "data_format: {'NHWC', 'NCHW'} = 'NHWC'; " T_FLOATS);
