/* ops/common/compare.h - comparison of elements of any type by value.
 *
 * Floats compare as numbers: -0 equals 0 and NaN equals nothing, itself included. Not for resource
 * and variant elements.
 */
#ifndef WEIR_OPS_COMMON_COMPARE_H
#define WEIR_OPS_COMMON_COMPARE_H

#include "tensor/tensor.h"

bool weir_elements_equal(weir_dtype dtype, const void *a, const void *b);
/* Equal elements have equal hashes. */
uint64_t weir_element_hash(weir_dtype dtype, const void *a, uint64_t seed);
/* Negative, 0 or positive; complex elements have no order. Strings compare byte by byte. */
int weir_elements_order(weir_dtype dtype, const void *a, const void *b);

/* The absolute value of a number of any type, for comparing with a threshold. */
double weir_element_abs(weir_dtype dtype, const void *a);

/* A hash set of numbered elements: finds the number of an equal element. */
typedef struct weir_element_set {
    int64_t *slots; /* number + 1; 0: empty */
    size_t workspace, count;
} weir_element_set;

/* The next element gets the number of elements added so far. |same(ctx, n)| tells whether the
 * current element equals number |n|. Returns the number found, or -1 after adding the new one. */
int64_t weir_element_set_add(weir_element_set *set, uint64_t hash,
                             bool (*same)(void *ctx, int64_t n),
                             uint64_t (*hash_of)(void *ctx, int64_t n), void *ctx);
/* The same without adding. */
int64_t weir_element_set_find(const weir_element_set *set, uint64_t hash,
                              bool (*same)(void *ctx, int64_t n), void *ctx);
void weir_element_set_fini(weir_element_set *set);

#endif
