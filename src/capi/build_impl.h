/* capi/build_impl.h - the builder of a node (or eager op), shared by setters and finishers. */
#ifndef WEIR_CAPI_BUILD_IMPL_H
#define WEIR_CAPI_BUILD_IMPL_H

#include "capi/capi_impl.h"

/* Attrs that were set. The first error is kept and reported at the end. */
typedef struct weir_attr_set {
    weir_arena arena; /* of names and values */
    WEIR_VEC(weir_named_attr) attrs;
    weir_status error; /* owned */
    /* For eager ops: the first of two values wins, and one inferred from the inputs over all.
     * Otherwise a second value is an error. */
    bool lenient;
} weir_attr_set;

void weir_attr_set_init(weir_attr_set *set);
void weir_attr_set_fini(weir_attr_set *set);
/* Stores a copy. Setting an attr again is allowed with the same value. */
void weir_attr_set_put(weir_attr_set *set, const char *name, const weir_attr *value);
/* The same for a value inferred from the inputs. */
void weir_attr_set_follow(weir_attr_set *set, const char *name, const weir_attr *value);
/* Keeps the first error; takes over |status|. */
void weir_attr_set_fail(weir_attr_set *set, weir_status status);
const weir_attr *weir_attr_set_find(const weir_attr_set *set, const char *name);

/* One setter per kind, with the API's types. */
void weir_attr_set_string(weir_attr_set *set, const char *name, const void *value, size_t length);
void weir_attr_set_strings(weir_attr_set *set, const char *name, const void *const *values,
                           const size_t *lengths, int count);
void weir_attr_set_int(weir_attr_set *set, const char *name, int64_t value);
void weir_attr_set_ints(weir_attr_set *set, const char *name, const int64_t *values, int count);
void weir_attr_set_float(weir_attr_set *set, const char *name, float value);
void weir_attr_set_floats(weir_attr_set *set, const char *name, const float *values, int count);
void weir_attr_set_bool(weir_attr_set *set, const char *name, bool value);
void weir_attr_set_bools(weir_attr_set *set, const char *name, const unsigned char *values,
                         int count);
void weir_attr_set_type(weir_attr_set *set, const char *name, TF_DataType value);
void weir_attr_set_types(weir_attr_set *set, const char *name, const TF_DataType *values,
                         int count);
void weir_attr_set_placeholder(weir_attr_set *set, const char *name, const char *value);
void weir_attr_set_func(weir_attr_set *set, const char *name, const char *value, size_t length);
WEIR_CHECKED weir_status weir_attr_set_shape(weir_attr_set *set, const char *name,
                                             const int64_t *dims, int rank);
WEIR_CHECKED weir_status weir_attr_set_shapes(weir_attr_set *set, const char *name,
                                              const int64_t *const *dims, const int *ranks,
                                              int count);
WEIR_CHECKED weir_status weir_attr_set_tensor(weir_attr_set *set, const char *name,
                                              const TF_Tensor *value);
WEIR_CHECKED weir_status weir_attr_set_tensors(weir_attr_set *set, const char *name,
                                               TF_Tensor *const *values, int count);
WEIR_CHECKED weir_status weir_attr_set_proto(weir_attr_set *set, const char *name, weir_str proto);

/* Inputs in groups, one per argument of the signature. */
typedef struct weir_input_group {
    int start, count; /* among the flat inputs */
    bool is_list;
} weir_input_group;

/* Checks the groups against the signature and sets the attrs inferred from them (types, list
 * lengths). |types| are those of the flat inputs. */
WEIR_CHECKED weir_status weir_match_inputs(weir_attr_set *set, const weir_opdef *def,
                                           const weir_input_group *groups, int count,
                                           const int *types);

#endif
