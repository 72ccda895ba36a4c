/* weir/ops/data_flow/stage.h - staging areas, accumulators, mutexes, tensors of sessions.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_FLOW_STAGE_OPS_H
#define WEIR_DATA_FLOW_STAGE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient: dtype): adds a
 * gradient unless its step is stale. dtype: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. */
static inline TF_Operation *weir_accumulator_apply_gradient(weir_builder *builder, const char *node,
                                                            TF_Output handle, TF_Output local_step,
                                                            TF_Output gradient)
{
    const TF_Output inputs[] = {handle, local_step, gradient};
    return weir_build_op(builder, "AccumulatorApplyGradient", node, inputs, 3).oper;
}

/* AccumulatorNumAccumulated(handle: Ref(string)) -> num_accumulated: int32: how many gradients are
 * accumulated. */
static inline TF_Output weir_accumulator_num_accumulated(weir_builder *builder, const char *node,
                                                         TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "AccumulatorNumAccumulated", node, inputs, 1);
}

/* AccumulatorSetGlobalStep(handle: Ref(string), new_global_step: int64): sets the step below which
 * gradients are stale. */
static inline TF_Operation *weir_accumulator_set_global_step(weir_builder *builder,
                                                             const char *node, TF_Output handle,
                                                             TF_Output new_global_step)
{
    const TF_Output inputs[] = {handle, new_global_step};
    return weir_build_op(builder, "AccumulatorSetGlobalStep", node, inputs, 2).oper;
}

/* AccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> average: dtype: waits for
 * enough gradients and returns their mean. dtype: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
static inline TF_Output weir_accumulator_take_gradient(weir_builder *builder, const char *node,
                                                       TF_Output handle, TF_Output num_required,
                                                       TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AccumulatorTakeGradient", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, num_required);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* ConditionalAccumulator() -> handle: Ref(string): accumulates gradients until there are enough.
 * dtype: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_conditional_accumulator_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *reduction_type; /* null: "MEAN"; 'MEAN', 'SUM' */
} weir_conditional_accumulator_options;
static inline TF_Output
weir_conditional_accumulator(weir_builder *builder, const char *node, TF_DataType dtype,
                             const weir_dims *shape,
                             const weir_conditional_accumulator_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ConditionalAccumulator", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->reduction_type)
            weir_attr_string(made, "reduction_type", options->reduction_type);
    }
    return weir_build_end(builder, made);
}

/* ConsumeMutexLock(mutex_lock: variant): mutual exclusion between steps. */
static inline TF_Operation *weir_consume_mutex_lock(weir_builder *builder, const char *node,
                                                    TF_Output mutex_lock)
{
    const TF_Output inputs[] = {mutex_lock};
    return weir_build_op(builder, "ConsumeMutexLock", node, inputs, 1).oper;
}

/* DeleteSessionTensor(handle: string): tensors kept in the session between steps, under a handle
 * held by the client. */
static inline TF_Operation *weir_delete_session_tensor(weir_builder *builder, const char *node,
                                                       TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "DeleteSessionTensor", node, inputs, 1).oper;
}

/* GetSessionHandle(value: T) -> handle: string: tensors kept in the session between steps, under a
 * handle held by the client. */
static inline TF_Output weir_get_session_handle(weir_builder *builder, const char *node,
                                                TF_Output value)
{
    const TF_Output inputs[] = {value};
    return weir_build_op(builder, "GetSessionHandle", node, inputs, 1);
}

/* GetSessionHandleV2(value: T) -> handle: resource: keeps a tensor in the session, under a name. */
static inline TF_Output weir_get_session_handle_v2(weir_builder *builder, const char *node,
                                                   TF_Output value)
{
    const TF_Output inputs[] = {value};
    return weir_build_op(builder, "GetSessionHandleV2", node, inputs, 1);
}

/* GetSessionTensor(handle: string) -> value: dtype: tensors kept in the session between steps,
 * under a handle held by the client. */
static inline TF_Output weir_get_session_tensor(weir_builder *builder, const char *node,
                                                TF_Output handle, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GetSessionTensor", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* MapClear(): empties the map. */
typedef struct weir_map_clear_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_clear_options;
static inline TF_Operation *weir_map_clear(weir_builder *builder, const char *node,
                                           const TF_DataType *dtypes, int dtypes_count,
                                           const weir_map_clear_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapClear", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made).oper;
}

/* MapIncompleteSize() -> size: int32: how many keys lack components. */
typedef struct weir_map_incomplete_size_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_incomplete_size_options;
static inline TF_Output weir_map_incomplete_size(weir_builder *builder, const char *node,
                                                 const TF_DataType *dtypes, int dtypes_count,
                                                 const weir_map_incomplete_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapIncompleteSize", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* MapPeek(key: int64, indices: int32) -> values: dtypes: waits for a key and returns its values
 * without removing it. */
typedef struct weir_map_peek_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_peek_options;
static inline weir_outputs weir_map_peek(weir_builder *builder, const char *node, TF_Output key,
                                         TF_Output indices, const TF_DataType *dtypes,
                                         int dtypes_count, const weir_map_peek_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapPeek", node);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "values", 0);
}

/* MapSize() -> size: int32: how many keys are complete. */
typedef struct weir_map_size_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_size_options;
static inline TF_Output weir_map_size(weir_builder *builder, const char *node,
                                      const TF_DataType *dtypes, int dtypes_count,
                                      const weir_map_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapSize", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* MapStage(key: int64, indices: int32, values: fake_dtypes): keyed staging areas. */
typedef struct weir_map_stage_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_stage_options;
static inline TF_Operation *weir_map_stage(weir_builder *builder, const char *node, TF_Output key,
                                           TF_Output indices, const TF_Output *values,
                                           int values_count, const TF_DataType *dtypes,
                                           int dtypes_count, const weir_map_stage_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapStage", node);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, indices);
    weir_build_input_list(builder, made, values, values_count);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made).oper;
}

/* MapUnstage(key: int64, indices: int32) -> values: dtypes: waits for a key and removes it with its
 * values. */
typedef struct weir_map_unstage_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_unstage_options;
static inline weir_outputs weir_map_unstage(weir_builder *builder, const char *node, TF_Output key,
                                            TF_Output indices, const TF_DataType *dtypes,
                                            int dtypes_count,
                                            const weir_map_unstage_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapUnstage", node);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "values", 0);
}

/* MapUnstageNoKey(indices: int32) -> key: int64, values: dtypes: waits for any key and removes it
 * with its values. */
typedef struct weir_map_unstage_no_key_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_map_unstage_no_key_options;
typedef struct weir_map_unstage_no_key_outputs {
    TF_Output key;
    weir_outputs values;
} weir_map_unstage_no_key_outputs;
static inline weir_map_unstage_no_key_outputs
weir_map_unstage_no_key(weir_builder *builder, const char *node, TF_Output indices,
                        const TF_DataType *dtypes, int dtypes_count,
                        const weir_map_unstage_no_key_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapUnstageNoKey", node);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_map_unstage_no_key_outputs out;
    int at = 0;
    out.key = weir_output(op, at++);
    out.values = weir_outputs_of(op, "values", at);
    return out;
}

/* MutexLock(mutex: resource) -> mutex_lock: variant: mutual exclusion between steps. */
static inline TF_Output weir_mutex_lock(weir_builder *builder, const char *node, TF_Output mutex)
{
    const TF_Output inputs[] = {mutex};
    return weir_build_op(builder, "MutexLock", node, inputs, 1);
}

/* MutexV2() -> resource: resource: mutual exclusion between steps. */
typedef struct weir_mutex_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_mutex_v2_options;
static inline TF_Output weir_mutex_v2(weir_builder *builder, const char *node,
                                      const weir_mutex_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutexV2", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* OrderedMapClear(): empties the map. */
typedef struct weir_ordered_map_clear_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_clear_options;
static inline TF_Operation *weir_ordered_map_clear(weir_builder *builder, const char *node,
                                                   const TF_DataType *dtypes, int dtypes_count,
                                                   const weir_ordered_map_clear_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapClear", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made).oper;
}

/* OrderedMapIncompleteSize() -> size: int32: how many keys lack components. */
typedef struct weir_ordered_map_incomplete_size_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_incomplete_size_options;
static inline TF_Output
weir_ordered_map_incomplete_size(weir_builder *builder, const char *node, const TF_DataType *dtypes,
                                 int dtypes_count,
                                 const weir_ordered_map_incomplete_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapIncompleteSize", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* OrderedMapPeek(key: int64, indices: int32) -> values: dtypes: waits for a key and returns its
 * values without removing it. */
typedef struct weir_ordered_map_peek_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_peek_options;
static inline weir_outputs weir_ordered_map_peek(weir_builder *builder, const char *node,
                                                 TF_Output key, TF_Output indices,
                                                 const TF_DataType *dtypes, int dtypes_count,
                                                 const weir_ordered_map_peek_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapPeek", node);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "values", 0);
}

/* OrderedMapSize() -> size: int32: how many keys are complete. */
typedef struct weir_ordered_map_size_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_size_options;
static inline TF_Output weir_ordered_map_size(weir_builder *builder, const char *node,
                                              const TF_DataType *dtypes, int dtypes_count,
                                              const weir_ordered_map_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapSize", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* OrderedMapStage(key: int64, indices: int32, values: fake_dtypes): keyed staging areas. */
typedef struct weir_ordered_map_stage_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_stage_options;
static inline TF_Operation *weir_ordered_map_stage(weir_builder *builder, const char *node,
                                                   TF_Output key, TF_Output indices,
                                                   const TF_Output *values, int values_count,
                                                   const TF_DataType *dtypes, int dtypes_count,
                                                   const weir_ordered_map_stage_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapStage", node);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, indices);
    weir_build_input_list(builder, made, values, values_count);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made).oper;
}

/* OrderedMapUnstage(key: int64, indices: int32) -> values: dtypes: waits for a key and removes it
 * with its values. */
typedef struct weir_ordered_map_unstage_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_unstage_options;
static inline weir_outputs weir_ordered_map_unstage(weir_builder *builder, const char *node,
                                                    TF_Output key, TF_Output indices,
                                                    const TF_DataType *dtypes, int dtypes_count,
                                                    const weir_ordered_map_unstage_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapUnstage", node);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "values", 0);
}

/* OrderedMapUnstageNoKey(indices: int32) -> key: int64, values: dtypes: waits for a key and removes
 * the least with its values. */
typedef struct weir_ordered_map_unstage_no_key_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_ordered_map_unstage_no_key_options;
typedef struct weir_ordered_map_unstage_no_key_outputs {
    TF_Output key;
    weir_outputs values;
} weir_ordered_map_unstage_no_key_outputs;
static inline weir_ordered_map_unstage_no_key_outputs
weir_ordered_map_unstage_no_key(weir_builder *builder, const char *node, TF_Output indices,
                                const TF_DataType *dtypes, int dtypes_count,
                                const weir_ordered_map_unstage_no_key_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OrderedMapUnstageNoKey", node);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ordered_map_unstage_no_key_outputs out;
    int at = 0;
    out.key = weir_output(op, at++);
    out.values = weir_outputs_of(op, "values", at);
    return out;
}

/* ResourceAccumulatorApplyGradient(handle: resource, local_step: int64, gradient: dtype): adds a
 * gradient unless its step is stale; by a resource handle. dtype: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Operation *weir_resource_accumulator_apply_gradient(weir_builder *builder,
                                                                     const char *node,
                                                                     TF_Output handle,
                                                                     TF_Output local_step,
                                                                     TF_Output gradient)
{
    const TF_Output inputs[] = {handle, local_step, gradient};
    return weir_build_op(builder, "ResourceAccumulatorApplyGradient", node, inputs, 3).oper;
}

/* ResourceAccumulatorNumAccumulated(handle: resource) -> num_accumulated: int32: how many gradients
 * are accumulated; by a resource handle. */
static inline TF_Output weir_resource_accumulator_num_accumulated(weir_builder *builder,
                                                                  const char *node,
                                                                  TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "ResourceAccumulatorNumAccumulated", node, inputs, 1);
}

/* ResourceAccumulatorSetGlobalStep(handle: resource, new_global_step: int64): sets the step below
 * which gradients are stale; by a resource handle. */
static inline TF_Operation *weir_resource_accumulator_set_global_step(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output handle,
                                                                      TF_Output new_global_step)
{
    const TF_Output inputs[] = {handle, new_global_step};
    return weir_build_op(builder, "ResourceAccumulatorSetGlobalStep", node, inputs, 2).oper;
}

/* ResourceAccumulatorTakeGradient(handle: resource, num_required: int32) -> average: dtype: waits
 * for enough gradients and returns their mean; by a resource handle. dtype: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Output weir_resource_accumulator_take_gradient(weir_builder *builder,
                                                                const char *node, TF_Output handle,
                                                                TF_Output num_required,
                                                                TF_DataType dtype)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceAccumulatorTakeGradient", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, num_required);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* ResourceConditionalAccumulator() -> handle: resource: accumulates gradients until there are
 * enough; by a resource handle. dtype: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_conditional_accumulator_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *reduction_type; /* null: "MEAN"; 'MEAN', 'SUM' */
} weir_resource_conditional_accumulator_options;
static inline TF_Output
weir_resource_conditional_accumulator(weir_builder *builder, const char *node, TF_DataType dtype,
                                      const weir_dims *shape,
                                      const weir_resource_conditional_accumulator_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceConditionalAccumulator", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->reduction_type)
            weir_attr_string(made, "reduction_type", options->reduction_type);
    }
    return weir_build_end(builder, made);
}

/* SparseAccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient_indices: int64,
 * gradient_values: dtype, gradient_shape: int64): adds rows of a gradient unless its step is stale.
 * dtype: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
static inline TF_Operation *weir_sparse_accumulator_apply_gradient(weir_builder *builder,
                                                                   const char *node,
                                                                   TF_Output handle,
                                                                   TF_Output local_step,
                                                                   TF_Output gradient_indices,
                                                                   TF_Output gradient_values,
                                                                   TF_Output gradient_shape,
                                                                   bool has_known_shape)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseAccumulatorApplyGradient", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, local_step);
    weir_build_input(builder, made, gradient_indices);
    weir_build_input(builder, made, gradient_values);
    weir_build_input(builder, made, gradient_shape);
    if (made) {
        TF_SetAttrBool(made, "has_known_shape", has_known_shape);
    }
    return weir_build_end(builder, made).oper;
}

/* SparseAccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> indices: int64,
 * values: dtype, shape: int64: waits for enough gradients and returns the mean of each row. dtype:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_sparse_accumulator_take_gradient_outputs {
    TF_Output indices;
    TF_Output values;
    TF_Output shape;
} weir_sparse_accumulator_take_gradient_outputs;
static inline weir_sparse_accumulator_take_gradient_outputs
weir_sparse_accumulator_take_gradient(weir_builder *builder, const char *node, TF_Output handle,
                                      TF_Output num_required, TF_DataType dtype)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseAccumulatorTakeGradient", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, num_required);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_accumulator_take_gradient_outputs out;
    out.indices = weir_output(op, 0);
    out.values = weir_output(op, 1);
    out.shape = weir_output(op, 2);
    return out;
}

/* SparseConditionalAccumulator() -> handle: Ref(string): rows of gradients, by index. dtype: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_sparse_conditional_accumulator_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *reduction_type; /* null: "MEAN"; 'MEAN', 'SUM' */
} weir_sparse_conditional_accumulator_options;
static inline TF_Output
weir_sparse_conditional_accumulator(weir_builder *builder, const char *node, TF_DataType dtype,
                                    const weir_dims *shape,
                                    const weir_sparse_conditional_accumulator_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseConditionalAccumulator", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->reduction_type)
            weir_attr_string(made, "reduction_type", options->reduction_type);
    }
    return weir_build_end(builder, made);
}

/* Stage(values: dtypes): a bounded FIFO of tuples between steps. */
typedef struct weir_stage_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_stage_options;
static inline TF_Operation *weir_stage(weir_builder *builder, const char *node,
                                       const TF_Output *values, int values_count,
                                       const weir_stage_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Stage", node);
    weir_build_input_list(builder, made, values, values_count);
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made).oper;
}

/* StageClear(): empties the area. */
typedef struct weir_stage_clear_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_stage_clear_options;
static inline TF_Operation *weir_stage_clear(weir_builder *builder, const char *node,
                                             const TF_DataType *dtypes, int dtypes_count,
                                             const weir_stage_clear_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StageClear", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made).oper;
}

/* StagePeek(index: int32) -> values: dtypes: waits for an element and returns it without removing
 * it. */
typedef struct weir_stage_peek_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_stage_peek_options;
static inline weir_outputs weir_stage_peek(weir_builder *builder, const char *node, TF_Output index,
                                           const TF_DataType *dtypes, int dtypes_count,
                                           const weir_stage_peek_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StagePeek", node);
    weir_build_input(builder, made, index);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "values", 0);
}

/* StageSize() -> size: int32: how many elements are staged. */
typedef struct weir_stage_size_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_stage_size_options;
static inline TF_Output weir_stage_size(weir_builder *builder, const char *node,
                                        const TF_DataType *dtypes, int dtypes_count,
                                        const weir_stage_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StageSize", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* Unstage() -> values: dtypes: a bounded FIFO of tuples between steps. */
typedef struct weir_unstage_options {
    int64_t capacity;
    int64_t memory_limit;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_unstage_options;
static inline weir_outputs weir_unstage(weir_builder *builder, const char *node,
                                        const TF_DataType *dtypes, int dtypes_count,
                                        const weir_unstage_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Unstage", node);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "capacity", options->capacity);
        TF_SetAttrInt(made, "memory_limit", options->memory_limit);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "values", 0);
}

#ifdef __cplusplus
}
#endif
#endif
