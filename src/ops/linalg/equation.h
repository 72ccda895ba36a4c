/* ops/linalg/equation.h - Einsum equations: "ij,jk->ik", with letters for dimensions.
 *
 * "..." stands for any dimensions, right-aligned and broadcast. Once ranks are known, each of them
 * gets a label of its own, so that everything after parsing uses labels only.
 */
#ifndef WEIR_OPS_LINALG_EQUATION_H
#define WEIR_OPS_LINALG_EQUATION_H

#include "op/op.h"

enum {
    WEIR_EINSUM_INPUTS = 2,
    WEIR_EINSUM_ELLIPSIS = 52,                                 /* labels from here on */
    WEIR_EINSUM_LABELS = WEIR_EINSUM_ELLIPSIS + WEIR_MAX_RANK, /* [0, 52) are letters */
};

/* One term: the labels of its dims. */
typedef struct weir_term {
    int count;
    int8_t labels[WEIR_MAX_RANK];
} weir_term;

/* A term as text, before ellipses are resolved. */
typedef struct weir_equation {
    int inputs;
    weir_str terms[WEIR_EINSUM_INPUTS], output;
} weir_equation;

/* Splits and validates the text for |inputs| operands. */
WEIR_CHECKED weir_status weir_equation_parse(weir_str text, int inputs, weir_equation *out);
/* The labels of |term| for an operand of |rank|; for the output, of |ellipsis| dims (rank -1). */
WEIR_CHECKED weir_status weir_term_resolve(weir_str term, int rank, int ellipsis, weir_term *out);
/* The number of letters in a term, without the ellipsis; and whether it has one. */
int weir_term_letters(weir_str term);
bool weir_term_has_ellipsis(weir_str term);
bool weir_term_has(const weir_term *term, int label);

/* The length of each label over all operands (1 is broadcast in ellipses); -1 unknown or absent. */
WEIR_CHECKED weir_status weir_equation_sizes(const weir_term *terms,
                                             const weir_shape *const *shapes, int inputs,
                                             int64_t sizes[WEIR_EINSUM_LABELS]);

#endif
