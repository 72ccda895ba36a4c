/* ops/xla/aliases.c - XlaEinsum, XlaSelfAdjointEig, XlaSvd: aliases of ops of the
 * catalogue. */
#include "ops/common/catalogue.h"
#include "ops/common/inner.h"
#include "ops/declare.h"

enum { EINSUM, EIGEN, SVD };

static const weir_alias aliases[] = {
    [EINSUM] = {&weir_op_einsum, .given = {{"N", {.kind = WEIR_ATTR_INT, .i = 2}}}},
    [EIGEN] = {&weir_op_self_adjoint_eig_v2},
    [SVD] = {&weir_op_svd, .given = {{"full_matrices", {.kind = WEIR_ATTR_BOOL, .b = true}}}},
};

static weir_status infer(weir_infer *infer)
{
    return weir_alias_infer(infer, &aliases[weir_site_mode(infer->site)]);
}

static weir_status prepare(weir_prepare *preparation)
{
    return weir_alias_prepare(preparation, &aliases[weir_site_mode(preparation->site)]);
}

#define ALIAS(number)                                                                              \
    .mode = number, .infer = infer,                                                                \
    .kernels = {                                                                                   \
        {WEIR_CPU, "*", weir_alias_run, WEIR_OWN_OUTPUTS, NULL, prepare, weir_inner_destroy}}
#define NUMBERS                                                                                    \
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "         \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}"
WEIR_DEFINE_OP(xla_einsum, "XlaEinsum", ALIAS(EINSUM), .in = "a: T; b: T", .out = "product: T",
               .attrs = "equation: string; T: {complex64, bfloat16, float}");
WEIR_DEFINE_OP(xla_self_adjoint_eig, "XlaSelfAdjointEig", ALIAS(EIGEN), .in = "a: T",
               .out = "w: T; v: T",
               .attrs = "lower: bool; max_iter: int; epsilon: float; T: " NUMBERS);
WEIR_DEFINE_OP(xla_svd, "XlaSvd", ALIAS(SVD), .in = "a: T", .out = "s: T; u: T; v: T",
               .attrs = "max_iter: int; epsilon: float; precision_config: string; T: " NUMBERS);
