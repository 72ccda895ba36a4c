/* ops/common/inner.h - one op of the catalogue run inside another.
 *
 * An op that is another one under a different signature, or that is composed of others, names them
 * instead of repeating their kernels. What is made here belongs to no graph.
 */
#ifndef WEIR_OPS_COMMON_INNER_H
#define WEIR_OPS_COMMON_INNER_H

#include "op/op.h"

typedef struct weir_inner weir_inner;

/* A node of |op| with |attrs|, defaults filled in, and its kernel. Types and lengths of lists are
 * attrs like others and must be among them. Attrs that |op| does not have are left out. */
WEIR_CHECKED weir_status weir_inner_create(const weir_op *op, const weir_named_attr *attrs,
                                           int count, weir_inner **out_inner);
void weir_inner_destroy(void *inner); /* takes null */
/* Runs it in the step of |outer|. |in| are shared, not taken; |out| is owned by the caller, and
 * written on success only. Thread-safe. */
WEIR_CHECKED weir_status weir_inner_run(const weir_inner *inner, const weir_call *outer,
                                        const weir_tensor *const *in, weir_tensor *out);
/* All at once, for an op with one output. */
WEIR_CHECKED weir_status weir_inner_compute(const weir_call *outer, const weir_op *op,
                                            const weir_named_attr *attrs, int count,
                                            const weir_tensor *const *in, weir_tensor *out);

/* Another name of an op: its attrs are those of the outer node of the same name, or as listed. */
typedef struct weir_alias {
    const weir_op *op;
    struct {
        const char *inner, *outer;
    } renamed[3];
    weir_named_attr given[2];
} weir_alias;

/* The parts of an op that is an alias; its kernel has WEIR_OWN_OUTPUTS. */
WEIR_CHECKED weir_status weir_alias_infer(weir_infer *infer, const weir_alias *alias);
WEIR_CHECKED weir_status weir_alias_prepare(weir_prepare *preparation, const weir_alias *alias);
WEIR_CHECKED weir_status weir_alias_run(weir_call *call);

#endif
