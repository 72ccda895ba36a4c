/* weir/ops/state.h - variables.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_STATE_OPS_H
#define WEIR_STATE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Assign(ref: Ref(T), value: T) -> output_ref: Ref(T): update a variable by reference. */
typedef struct weir_assign_options {
    bool not_validate_shape;
    bool not_use_locking;
} weir_assign_options;
static inline TF_Output weir_assign(weir_builder *builder, const char *node, TF_Output ref,
                                    TF_Output value, const weir_assign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Assign", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrBool(made, "validate_shape", !options->not_validate_shape);
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
    }
    return weir_build_end(builder, made);
}

/* AssignAdd(ref: Ref(T), value: T) -> output_ref: Ref(T): update a variable by reference. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_assign_add_options {
    bool use_locking;
} weir_assign_add_options;
static inline TF_Output weir_assign_add(weir_builder *builder, const char *node, TF_Output ref,
                                        TF_Output value, const weir_assign_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssignAdd", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* AssignAddVariableOp(resource: resource, value: dtype): adds to a variable. */
static inline TF_Operation *weir_assign_add_variable_op(weir_builder *builder, const char *node,
                                                        TF_Output resource, TF_Output value)
{
    const TF_Output inputs[] = {resource, value};
    return weir_build_op(builder, "AssignAddVariableOp", node, inputs, 2).oper;
}

/* AssignSub(ref: Ref(T), value: T) -> output_ref: Ref(T): update a variable by reference. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_assign_sub_options {
    bool use_locking;
} weir_assign_sub_options;
static inline TF_Output weir_assign_sub(weir_builder *builder, const char *node, TF_Output ref,
                                        TF_Output value, const weir_assign_sub_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssignSub", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* AssignSubVariableOp(resource: resource, value: dtype): subtracts from a variable. */
static inline TF_Operation *weir_assign_sub_variable_op(weir_builder *builder, const char *node,
                                                        TF_Output resource, TF_Output value)
{
    const TF_Output inputs[] = {resource, value};
    return weir_build_op(builder, "AssignSubVariableOp", node, inputs, 2).oper;
}

/* AssignVariableOp(resource: resource, value: dtype): sets a variable. */
typedef struct weir_assign_variable_op_options {
    bool validate_shape;
} weir_assign_variable_op_options;
static inline TF_Operation *weir_assign_variable_op(weir_builder *builder, const char *node,
                                                    TF_Output resource, TF_Output value,
                                                    const weir_assign_variable_op_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssignVariableOp", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrBool(made, "validate_shape", options->validate_shape);
    }
    return weir_build_end(builder, made).oper;
}

/* CountUpTo(ref: Ref(T)) -> output: T: returns and increments the counter. T: int32, int64. */
static inline TF_Output weir_count_up_to(weir_builder *builder, const char *node, TF_Output ref,
                                         int64_t limit)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CountUpTo", node);
    weir_build_input(builder, made, ref);
    if (made) {
        TF_SetAttrInt(made, "limit", limit);
    }
    return weir_build_end(builder, made);
}

/* DestroyResourceOp(resource: resource): deletes the resource of a handle. */
typedef struct weir_destroy_resource_op_options {
    bool not_ignore_lookup_error;
} weir_destroy_resource_op_options;
static inline TF_Operation *
weir_destroy_resource_op(weir_builder *builder, const char *node, TF_Output resource,
                         const weir_destroy_resource_op_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DestroyResourceOp", node);
    weir_build_input(builder, made, resource);
    if (made && options) {
        TF_SetAttrBool(made, "ignore_lookup_error", !options->not_ignore_lookup_error);
    }
    return weir_build_end(builder, made).oper;
}

/* DestroyTemporaryVariable(ref: Ref(T)) -> value: T: a variable of one step. */
static inline TF_Output weir_destroy_temporary_variable(weir_builder *builder, const char *node,
                                                        TF_Output ref, const char *var_name)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DestroyTemporaryVariable", node);
    weir_build_input(builder, made, ref);
    if (made) {
        weir_attr_string(made, "var_name", var_name);
    }
    return weir_build_end(builder, made);
}

/* DisableCopyOnRead(resource: resource): lets reads of a variable share its memory. */
static inline TF_Operation *weir_disable_copy_on_read(weir_builder *builder, const char *node,
                                                      TF_Output resource)
{
    const TF_Output inputs[] = {resource};
    return weir_build_op(builder, "DisableCopyOnRead", node, inputs, 1).oper;
}

/* IsVariableInitialized(ref: Ref(dtype)) -> is_initialized: bool: whether a variable has a value.
 * */
static inline TF_Output weir_is_variable_initialized(weir_builder *builder, const char *node,
                                                     TF_Output ref)
{
    const TF_Output inputs[] = {ref};
    return weir_build_op(builder, "IsVariableInitialized", node, inputs, 1);
}

/* ReadVariableOp(resource: resource) -> value: dtype: the value of a variable. */
static inline TF_Output weir_read_variable_op(weir_builder *builder, const char *node,
                                              TF_Output resource, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ReadVariableOp", node);
    weir_build_input(builder, made, resource);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* ResourceCountUpTo(resource: resource) -> output: T: returns and increments the counter. T: int32,
 * int64. */
static inline TF_Output weir_resource_count_up_to(weir_builder *builder, const char *node,
                                                  TF_Output resource, int64_t limit, TF_DataType T)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceCountUpTo", node);
    weir_build_input(builder, made, resource);
    if (made) {
        TF_SetAttrInt(made, "limit", limit);
        TF_SetAttrType(made, "T", T);
    }
    return weir_build_end(builder, made);
}

/* ResourceGather(resource: resource, indices: Tindices) -> output: dtype: reads rows of a variable
 * without copying the rest. Tindices: int32, int64. */
typedef struct weir_resource_gather_options {
    int64_t batch_dims;
    bool not_validate_indices;
} weir_resource_gather_options;
static inline TF_Output weir_resource_gather(weir_builder *builder, const char *node,
                                             TF_Output resource, TF_Output indices,
                                             TF_DataType dtype,
                                             const weir_resource_gather_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceGather", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        TF_SetAttrInt(made, "batch_dims", options->batch_dims);
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    return weir_build_end(builder, made);
}

/* ResourceGatherNd(resource: resource, indices: Tindices) -> output: dtype: reads rows of a
 * variable without copying the rest. Tindices: int32, int64. */
static inline TF_Output weir_resource_gather_nd(weir_builder *builder, const char *node,
                                                TF_Output resource, TF_Output indices,
                                                TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceGatherNd", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* ResourceScatterAdd(resource: resource, indices: Tindices, updates: dtype): adds updates to rows
 * of a variable; by a resource handle. dtype: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_add(weir_builder *builder, const char *node,
                                                      TF_Output resource, TF_Output indices,
                                                      TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterAdd", node, inputs, 3).oper;
}

/* ResourceScatterDiv(resource: resource, indices: Tindices, updates: dtype): divides rows of a
 * variable by updates; by a resource handle. dtype: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_div(weir_builder *builder, const char *node,
                                                      TF_Output resource, TF_Output indices,
                                                      TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterDiv", node, inputs, 3).oper;
}

/* ResourceScatterMax(resource: resource, indices: Tindices, updates: dtype): sets rows of a
 * variable to the maximum with updates; by a resource handle. dtype: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_max(weir_builder *builder, const char *node,
                                                      TF_Output resource, TF_Output indices,
                                                      TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterMax", node, inputs, 3).oper;
}

/* ResourceScatterMin(resource: resource, indices: Tindices, updates: dtype): sets rows of a
 * variable to the minimum with updates; by a resource handle. dtype: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_min(weir_builder *builder, const char *node,
                                                      TF_Output resource, TF_Output indices,
                                                      TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterMin", node, inputs, 3).oper;
}

/* ResourceScatterMul(resource: resource, indices: Tindices, updates: dtype): multiplies rows of a
 * variable by updates; by a resource handle. dtype: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_mul(weir_builder *builder, const char *node,
                                                      TF_Output resource, TF_Output indices,
                                                      TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterMul", node, inputs, 3).oper;
}

/* ResourceScatterNdAdd(ref: resource, indices: Tindices, updates: T): adds updates to slices of a
 * variable; by a resource handle. Tindices: int32, int64. */
typedef struct weir_resource_scatter_nd_add_options {
    bool not_use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_resource_scatter_nd_add_options;
static inline TF_Operation *
weir_resource_scatter_nd_add(weir_builder *builder, const char *node, TF_Output ref,
                             TF_Output indices, TF_Output updates,
                             const weir_resource_scatter_nd_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceScatterNdAdd", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceScatterNdMax(ref: resource, indices: Tindices, updates: T): sets slices of a variable to
 * the maximum with updates; by a resource handle. Tindices: int32, int64. */
typedef struct weir_resource_scatter_nd_max_options {
    bool not_use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_resource_scatter_nd_max_options;
static inline TF_Operation *
weir_resource_scatter_nd_max(weir_builder *builder, const char *node, TF_Output ref,
                             TF_Output indices, TF_Output updates,
                             const weir_resource_scatter_nd_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceScatterNdMax", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceScatterNdMin(ref: resource, indices: Tindices, updates: T): sets slices of a variable to
 * the minimum with updates; by a resource handle. Tindices: int32, int64. */
typedef struct weir_resource_scatter_nd_min_options {
    bool not_use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_resource_scatter_nd_min_options;
static inline TF_Operation *
weir_resource_scatter_nd_min(weir_builder *builder, const char *node, TF_Output ref,
                             TF_Output indices, TF_Output updates,
                             const weir_resource_scatter_nd_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceScatterNdMin", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceScatterNdSub(ref: resource, indices: Tindices, updates: T): subtracts updates from slices
 * of a variable; by a resource handle. Tindices: int32, int64. */
typedef struct weir_resource_scatter_nd_sub_options {
    bool not_use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_resource_scatter_nd_sub_options;
static inline TF_Operation *
weir_resource_scatter_nd_sub(weir_builder *builder, const char *node, TF_Output ref,
                             TF_Output indices, TF_Output updates,
                             const weir_resource_scatter_nd_sub_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceScatterNdSub", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceScatterNdUpdate(ref: resource, indices: Tindices, updates: T): sets slices of a variable;
 * by a resource handle. Tindices: int32, int64. */
typedef struct weir_resource_scatter_nd_update_options {
    bool not_use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_resource_scatter_nd_update_options;
static inline TF_Operation *
weir_resource_scatter_nd_update(weir_builder *builder, const char *node, TF_Output ref,
                                TF_Output indices, TF_Output updates,
                                const weir_resource_scatter_nd_update_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceScatterNdUpdate", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceScatterSub(resource: resource, indices: Tindices, updates: dtype): subtracts updates from
 * rows of a variable; by a resource handle. dtype: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_sub(weir_builder *builder, const char *node,
                                                      TF_Output resource, TF_Output indices,
                                                      TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterSub", node, inputs, 3).oper;
}

/* ResourceScatterUpdate(resource: resource, indices: Tindices, updates: dtype): sets rows of a
 * variable; by a resource handle. Tindices: int32, int64. */
static inline TF_Operation *weir_resource_scatter_update(weir_builder *builder, const char *node,
                                                         TF_Output resource, TF_Output indices,
                                                         TF_Output updates)
{
    const TF_Output inputs[] = {resource, indices, updates};
    return weir_build_op(builder, "ResourceScatterUpdate", node, inputs, 3).oper;
}

/* ScatterAdd(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): adds updates to
 * rows of a variable. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
typedef struct weir_scatter_add_options {
    bool use_locking;
} weir_scatter_add_options;
static inline TF_Output weir_scatter_add(weir_builder *builder, const char *node, TF_Output ref,
                                         TF_Output indices, TF_Output updates,
                                         const weir_scatter_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterAdd", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ScatterDiv(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): divides rows of a
 * variable by updates. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_div_options {
    bool use_locking;
} weir_scatter_div_options;
static inline TF_Output weir_scatter_div(weir_builder *builder, const char *node, TF_Output ref,
                                         TF_Output indices, TF_Output updates,
                                         const weir_scatter_div_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterDiv", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ScatterMax(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): sets rows of a
 * variable to the maximum with updates. T: half, bfloat16, float, double, int32, int64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_max_options {
    bool use_locking;
} weir_scatter_max_options;
static inline TF_Output weir_scatter_max(weir_builder *builder, const char *node, TF_Output ref,
                                         TF_Output indices, TF_Output updates,
                                         const weir_scatter_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterMax", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ScatterMin(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): sets rows of a
 * variable to the minimum with updates. T: half, bfloat16, float, double, int32, int64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_min_options {
    bool use_locking;
} weir_scatter_min_options;
static inline TF_Output weir_scatter_min(weir_builder *builder, const char *node, TF_Output ref,
                                         TF_Output indices, TF_Output updates,
                                         const weir_scatter_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterMin", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ScatterMul(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): multiplies rows of
 * a variable by updates. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_mul_options {
    bool use_locking;
} weir_scatter_mul_options;
static inline TF_Output weir_scatter_mul(weir_builder *builder, const char *node, TF_Output ref,
                                         TF_Output indices, TF_Output updates,
                                         const weir_scatter_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterMul", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ScatterNdAdd(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): adds updates to
 * slices of a variable. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_nd_add_options {
    bool use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_add_options;
static inline TF_Output weir_scatter_nd_add(weir_builder *builder, const char *node, TF_Output ref,
                                            TF_Output indices, TF_Output updates,
                                            const weir_scatter_nd_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNdAdd", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* ScatterNdMax(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): sets slices of a
 * variable to the maximum with updates. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. */
typedef struct weir_scatter_nd_max_options {
    bool use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_max_options;
static inline TF_Output weir_scatter_nd_max(weir_builder *builder, const char *node, TF_Output ref,
                                            TF_Output indices, TF_Output updates,
                                            const weir_scatter_nd_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNdMax", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* ScatterNdMin(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): sets slices of a
 * variable to the minimum with updates. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. */
typedef struct weir_scatter_nd_min_options {
    bool use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_min_options;
static inline TF_Output weir_scatter_nd_min(weir_builder *builder, const char *node, TF_Output ref,
                                            TF_Output indices, TF_Output updates,
                                            const weir_scatter_nd_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNdMin", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* ScatterNdSub(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): subtracts updates
 * from slices of a variable. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_nd_sub_options {
    bool use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_sub_options;
static inline TF_Output weir_scatter_nd_sub(weir_builder *builder, const char *node, TF_Output ref,
                                            TF_Output indices, TF_Output updates,
                                            const weir_scatter_nd_sub_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNdSub", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* ScatterNdUpdate(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): sets slices of
 * a variable. Tindices: int32, int64. */
typedef struct weir_scatter_nd_update_options {
    bool not_use_locking;
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_update_options;
static inline TF_Output weir_scatter_nd_update(weir_builder *builder, const char *node,
                                               TF_Output ref, TF_Output indices, TF_Output updates,
                                               const weir_scatter_nd_update_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNdUpdate", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* ScatterSub(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): subtracts updates
 * from rows of a variable. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_scatter_sub_options {
    bool use_locking;
} weir_scatter_sub_options;
static inline TF_Output weir_scatter_sub(weir_builder *builder, const char *node, TF_Output ref,
                                         TF_Output indices, TF_Output updates,
                                         const weir_scatter_sub_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterSub", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ScatterUpdate(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T): sets rows of a
 * variable. Tindices: int32, int64. */
typedef struct weir_scatter_update_options {
    bool not_use_locking;
} weir_scatter_update_options;
static inline TF_Output weir_scatter_update(weir_builder *builder, const char *node, TF_Output ref,
                                            TF_Output indices, TF_Output updates,
                                            const weir_scatter_update_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterUpdate", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", !options->not_use_locking);
    }
    return weir_build_end(builder, made);
}

/* TemporaryVariable() -> ref: Ref(dtype): a variable of one step. */
typedef struct weir_temporary_variable_options {
    const char *var_name; /* null: "" */
} weir_temporary_variable_options;
static inline TF_Output weir_temporary_variable(weir_builder *builder, const char *node,
                                                const weir_dims *shape, TF_DataType dtype,
                                                const weir_temporary_variable_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TemporaryVariable", node);
    if (made) {
        weir_attr_shape(made, "shape", shape);
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->var_name)
            weir_attr_string(made, "var_name", options->var_name);
    }
    return weir_build_end(builder, made);
}

/* VarHandleOp() -> resource: resource: the handle of a variable. */
typedef struct weir_var_handle_op_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *debug_name; /* null: "" */
    const char *const *allowed_devices;
    int allowed_devices_count; /* null: [] */
} weir_var_handle_op_options;
static inline TF_Output weir_var_handle_op(weir_builder *builder, const char *node,
                                           TF_DataType dtype, const weir_dims *shape,
                                           const weir_var_handle_op_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "VarHandleOp", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->debug_name)
            weir_attr_string(made, "debug_name", options->debug_name);
        if (options->allowed_devices)
            weir_attr_strings(made, "allowed_devices",
                options->allowed_devices, options->allowed_devices_count);
    }
    return weir_build_end(builder, made);
}

/* VarIsInitializedOp(resource: resource) -> is_initialized: bool: whether a variable has a value.
 * */
static inline TF_Output weir_var_is_initialized_op(weir_builder *builder, const char *node,
                                                   TF_Output resource)
{
    const TF_Output inputs[] = {resource};
    return weir_build_op(builder, "VarIsInitializedOp", node, inputs, 1);
}

/* Variable() -> ref: Ref(dtype): a mutable tensor passed by reference. */
typedef struct weir_variable_op_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_variable_op_options;
static inline TF_Output weir_variable_op(weir_builder *builder, const char *node,
                                         const weir_dims *shape, TF_DataType dtype,
                                         const weir_variable_op_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Variable", node);
    if (made) {
        weir_attr_shape(made, "shape", shape);
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* VariableShape(input: resource) -> output: out_type: the shape of a variable. out_type: int32,
 * int64. */
typedef struct weir_variable_shape_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_variable_shape_options;
static inline TF_Output weir_variable_shape(weir_builder *builder, const char *node,
                                            TF_Output input,
                                            const weir_variable_shape_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "VariableShape", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* VariableV2() -> ref: Ref(dtype): a mutable tensor passed by reference. */
typedef struct weir_variable_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_variable_v2_options;
static inline TF_Output weir_variable_v2(weir_builder *builder, const char *node,
                                         const weir_dims *shape, TF_DataType dtype,
                                         const weir_variable_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "VariableV2", node);
    if (made) {
        weir_attr_shape(made, "shape", shape);
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
