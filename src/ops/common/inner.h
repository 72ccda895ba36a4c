/* ops/common/inner.h - runs one op of the catalogue inside another.
 *
 * An op that equals another one up to its signature, or that is composed of others, reuses their
 * kernels. These nodes belong to no graph.
 */
#ifndef WEIR_OPS_COMMON_INNER_H
#define WEIR_OPS_COMMON_INNER_H

#include "op/op.h"

typedef struct weir_inner weir_inner;

/* A node of |op| with |attrs| and defaults, and its kernel. Types and lengths of lists are attrs
 * like others and must be included. Attrs that |op| lacks are ignored. */
WEIR_CHECKED weir_status weir_inner_create(const weir_op *op, const weir_named_attr *attrs,
                                           int count, weir_inner **out_inner);
void weir_inner_destroy(void *inner); /* takes null */
/* Runs it in the step of |outer|. |in| are shared; the caller owns |out|, which is set on success
 * only. Thread-safe. */
WEIR_CHECKED weir_status weir_inner_run(const weir_inner *inner, const weir_call *outer,
                                        const weir_tensor *const *in, weir_tensor *out);
/* Create, run and destroy, for an op with one output. */
WEIR_CHECKED weir_status weir_inner_compute(const weir_call *outer, const weir_op *op,
                                            const weir_named_attr *attrs, int count,
                                            const weir_tensor *const *in, weir_tensor *out);

/* An alias of an op: its attrs are the outer node's of the same name, or as listed. */
typedef struct weir_alias {
    const weir_op *op;
    struct {
        const char *inner, *outer;
    } renamed[3];
    weir_named_attr given[2];
} weir_alias;

/* The functions of an alias op; its kernel has WEIR_OWN_OUTPUTS. */
WEIR_CHECKED weir_status weir_alias_infer(weir_infer *infer, const weir_alias *alias);
WEIR_CHECKED weir_status weir_alias_prepare(weir_prepare *preparation, const weir_alias *alias);
WEIR_CHECKED weir_status weir_alias_run(weir_call *call);

#endif
