/* ops/nn/recurrent.h - shared by the fused recurrent cells: products of [x, h], and float buffers
 * whatever the type of the node. */
#ifndef WEIR_OPS_NN_RECURRENT_H
#define WEIR_OPS_NN_RECURRENT_H

#include "op/op.h"

/* Inputs and outputs of a call as floats: shared if they are float, else converted. Inputs of other
 * than the node's float type are left empty. */
enum { WEIR_RECURRENT_IN = 18, WEIR_RECURRENT_OUT = 8 };
typedef struct weir_recurrent {
    weir_call *call;
    weir_tensor in[WEIR_RECURRENT_IN], out[WEIR_RECURRENT_OUT];
} weir_recurrent;

WEIR_CHECKED weir_status weir_recurrent_open(weir_call *call, weir_recurrent *recurrent);
/* Writes the outputs if |status| is success, and frees |recurrent| in any case; returns
 * |status|. */
WEIR_CHECKED weir_status weir_recurrent_close(weir_recurrent *recurrent, weir_status status);
static inline const float *weir_recurrent_in(const weir_recurrent *recurrent, int i)
{
    return recurrent->in[i].data;
}
static inline float *weir_recurrent_out(const weir_recurrent *recurrent, int i)
{
    return recurrent->out[i].data;
}

/* Concatenates rows: |inputs| numbers of x and |cells| of h. */
void weir_recurrent_join(int64_t batch, int64_t inputs, const float *x, int64_t cells,
                         const float *h, float *out);

/* c = a b, a b^T or a^T b + c, of row-major matrices: m x k times k x n. */
typedef enum weir_recurrent_product {
    WEIR_RECURRENT_PLAIN,
    WEIR_RECURRENT_B_TURNED,
    WEIR_RECURRENT_A_TRANSPOSED_ADDED,
} weir_recurrent_product;
void weir_recurrent_multiply(weir_call *call, weir_recurrent_product how, int64_t m, int64_t n,
                             int64_t k, const float *a, const float *b, float *c);

float weir_recurrent_sigmoid(float x);

#endif
