/* weir/ops/data_flow.h - queues, tensor arrays, lists, maps, accumulators, partitions.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_OPS_DATA_FLOW_H
#define WEIR_OPS_DATA_FLOW_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient: dtype): adds a
 * gradient unless its step is past. dtype: float, double, int32, uint8, int16, int8, complex64,
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
 * gathered. */
static inline TF_Output weir_accumulator_num_accumulated(weir_builder *builder, const char *node,
                                                         TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "AccumulatorNumAccumulated", node, inputs, 1);
}

/* AccumulatorSetGlobalStep(handle: Ref(string), new_global_step: int64): the step from which
 * gradients count. */
static inline TF_Operation *weir_accumulator_set_global_step(weir_builder *builder,
                                                             const char *node, TF_Output handle,
                                                             TF_Output new_global_step)
{
    const TF_Output inputs[] = {handle, new_global_step};
    return weir_build_op(builder, "AccumulatorSetGlobalStep", node, inputs, 2).oper;
}

/* AccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> average: dtype: waits for
 * enough gradients and gives their mean. dtype: float, double, int32, uint8, int16, int8,
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

/* Barrier() -> handle: Ref(string): tuples that are put together by key. */
typedef struct weir_barrier_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_barrier_options;
static inline TF_Output weir_barrier(weir_builder *builder, const char *node,
                                     const TF_DataType *component_types, int component_types_count,
                                     const weir_barrier_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Barrier", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* BarrierClose(handle: Ref(string)): no new keys from now on. */
typedef struct weir_barrier_close_options {
    bool cancel_pending_enqueues;
} weir_barrier_close_options;
static inline TF_Operation *weir_barrier_close(weir_builder *builder, const char *node,
                                               TF_Output handle,
                                               const weir_barrier_close_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BarrierClose", node);
    weir_build_input(builder, made, handle);
    if (made && options) {
        TF_SetAttrBool(made, "cancel_pending_enqueues", options->cancel_pending_enqueues);
    }
    return weir_build_end(builder, made).oper;
}

/* BarrierIncompleteSize(handle: Ref(string)) -> size: int32: how many keys lack components. */
static inline TF_Output weir_barrier_incomplete_size(weir_builder *builder, const char *node,
                                                     TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "BarrierIncompleteSize", node, inputs, 1);
}

/* BarrierInsertMany(handle: Ref(string), keys: string, values: T): one component for each of some
 * keys. */
static inline TF_Operation *weir_barrier_insert_many(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output keys,
                                                     TF_Output values, int64_t component_index)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BarrierInsertMany", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, keys);
    weir_build_input(builder, made, values);
    if (made) {
        TF_SetAttrInt(made, "component_index", component_index);
    }
    return weir_build_end(builder, made).oper;
}

/* BarrierReadySize(handle: Ref(string)) -> size: int32: how many keys are complete. */
static inline TF_Output weir_barrier_ready_size(weir_builder *builder, const char *node,
                                                TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "BarrierReadySize", node, inputs, 1);
}

/* BarrierTakeMany(handle: Ref(string), num_elements: int32) -> indices: int64, keys: string,
 * values: component_types: waits for complete keys and takes them with their values. */
typedef struct weir_barrier_take_many_options {
    bool allow_small_batch;
    bool wait_for_incomplete;
    int64_t timeout_ms; /* 0: -1 */
} weir_barrier_take_many_options;
typedef struct weir_barrier_take_many_outputs {
    TF_Output indices;
    TF_Output keys;
    weir_outputs values;
} weir_barrier_take_many_outputs;
static inline weir_barrier_take_many_outputs
weir_barrier_take_many(weir_builder *builder, const char *node, TF_Output handle,
                       TF_Output num_elements, const TF_DataType *component_types,
                       int component_types_count, const weir_barrier_take_many_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BarrierTakeMany", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, num_elements);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "allow_small_batch", options->allow_small_batch);
        TF_SetAttrBool(made, "wait_for_incomplete", options->wait_for_incomplete);
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_barrier_take_many_outputs out;
    int at = 0;
    out.indices = weir_output(op, at++);
    out.keys = weir_output(op, at++);
    out.values = weir_outputs_of(op, "values", at);
    return out;
}

/* CompositeTensorVariantFromComponents(components: Tcomponents) -> encoded: variant: the tensors
 * that a client's composite (a sparse or ragged tensor, say) is made of, as one variant. */
static inline TF_Output weir_composite_tensor_variant_from_components(weir_builder *builder,
                                                                      const char *node,
                                                                      const TF_Output *components,
                                                                      int components_count,
                                                                      const char *metadata)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "CompositeTensorVariantFromComponents", node);
    weir_build_input_list(builder, made, components, components_count);
    if (made) {
        weir_attr_string(made, "metadata", metadata);
    }
    return weir_build_end(builder, made);
}

/* CompositeTensorVariantToComponents(encoded: variant) -> components: Tcomponents: the tensors
 * inside a variant. */
static inline weir_outputs
weir_composite_tensor_variant_to_components(weir_builder *builder, const char *node,
                                            TF_Output encoded, const char *metadata,
                                            const TF_DataType *Tcomponents, int Tcomponents_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "CompositeTensorVariantToComponents", node);
    weir_build_input(builder, made, encoded);
    if (made) {
        weir_attr_string(made, "metadata", metadata);
        TF_SetAttrTypeList(made, "Tcomponents", Tcomponents, Tcomponents_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* ConditionalAccumulator() -> handle: Ref(string): gathers gradients until there are enough. dtype:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. */
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

/* ConsumeMutexLock(mutex_lock: variant): one step at a time. */
static inline TF_Operation *weir_consume_mutex_lock(weir_builder *builder, const char *node,
                                                    TF_Output mutex_lock)
{
    const TF_Output inputs[] = {mutex_lock};
    return weir_build_op(builder, "ConsumeMutexLock", node, inputs, 1).oper;
}

/* DeleteSessionTensor(handle: string): tensors that stay in the session between steps, under a
 * handle that the client carries. */
static inline TF_Operation *weir_delete_session_tensor(weir_builder *builder, const char *node,
                                                       TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "DeleteSessionTensor", node, inputs, 1).oper;
}

/* EmptyTensorList(element_shape: shape_type, max_num_elements: int32) -> handle: variant: a list
 * without elements. shape_type: int32, int64. */
static inline TF_Output weir_empty_tensor_list(weir_builder *builder, const char *node,
                                               TF_Output element_shape, TF_Output max_num_elements,
                                               TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EmptyTensorList", node);
    weir_build_input(builder, made, element_shape);
    weir_build_input(builder, made, max_num_elements);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* EmptyTensorMap() -> handle: variant: a map from tensors to tensors, as a value. */
static inline TF_Output weir_empty_tensor_map(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "EmptyTensorMap", node, NULL, 0);
}

/* FIFOQueue() -> handle: Ref(string): the ops that make a queue. */
typedef struct weir_fifo_queue_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_fifo_queue_options;
static inline TF_Output weir_fifo_queue(weir_builder *builder, const char *node,
                                        const TF_DataType *component_types,
                                        int component_types_count,
                                        const weir_fifo_queue_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FIFOQueue", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* FIFOQueueV2() -> handle: resource: a queue whose elements come out as they went in. */
typedef struct weir_fifo_queue_v2_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_fifo_queue_v2_options;
static inline TF_Output weir_fifo_queue_v2(weir_builder *builder, const char *node,
                                           const TF_DataType *component_types,
                                           int component_types_count,
                                           const weir_fifo_queue_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FIFOQueueV2", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* GetSessionHandle(value: T) -> handle: string: tensors that stay in the session between steps,
 * under a handle that the client carries. */
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

/* GetSessionTensor(handle: string) -> value: dtype: tensors that stay in the session between steps,
 * under a handle that the client carries. */
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

/* MapPeek(key: int64, indices: int32) -> values: dtypes: waits for a key and shows its values. */
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

/* MapStage(key: int64, indices: int32, values: fake_dtypes): staging areas by key. */
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

/* MapUnstage(key: int64, indices: int32) -> values: dtypes: waits for a key and takes its values.
 * */
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

/* MapUnstageNoKey(indices: int32) -> key: int64, values: dtypes: waits for any key and takes it
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

/* MutexLock(mutex: resource) -> mutex_lock: variant: one step at a time. */
static inline TF_Output weir_mutex_lock(weir_builder *builder, const char *node, TF_Output mutex)
{
    const TF_Output inputs[] = {mutex};
    return weir_build_op(builder, "MutexLock", node, inputs, 1);
}

/* MutexV2() -> resource: resource: one step at a time. */
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

/* OrderedMapPeek(key: int64, indices: int32) -> values: dtypes: waits for a key and shows its
 * values. */
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

/* OrderedMapStage(key: int64, indices: int32, values: fake_dtypes): staging areas by key. */
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

/* OrderedMapUnstage(key: int64, indices: int32) -> values: dtypes: waits for a key and takes its
 * values. */
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

/* OrderedMapUnstageNoKey(indices: int32) -> key: int64, values: dtypes: waits for a key and takes
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

/* PaddingFIFOQueue() -> handle: Ref(string): the ops that make a queue. */
typedef struct weir_padding_fifo_queue_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_padding_fifo_queue_options;
static inline TF_Output weir_padding_fifo_queue(weir_builder *builder, const char *node,
                                                const TF_DataType *component_types,
                                                int component_types_count,
                                                const weir_padding_fifo_queue_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PaddingFIFOQueue", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* PaddingFIFOQueueV2() -> handle: resource: a queue that fills up elements of different sizes when
 * several are taken. */
typedef struct weir_padding_fifo_queue_v2_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_padding_fifo_queue_v2_options;
static inline TF_Output
weir_padding_fifo_queue_v2(weir_builder *builder, const char *node,
                           const TF_DataType *component_types, int component_types_count,
                           const weir_padding_fifo_queue_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PaddingFIFOQueueV2", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* PriorityQueue() -> handle: Ref(string): the ops that make a queue. */
typedef struct weir_priority_queue_options {
    const TF_DataType *component_types;
    int component_types_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_priority_queue_options;
static inline TF_Output weir_priority_queue(weir_builder *builder, const char *node,
                                            const weir_dims *shapes, int shapes_count,
                                            const weir_priority_queue_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PriorityQueue", node);
    if (made) {
        weir_attr_shapes(made, "shapes", shapes, shapes_count);
    }
    if (made && options) {
        if (options->component_types)
            TF_SetAttrTypeList(made, "component_types",
                options->component_types, options->component_types_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* PriorityQueueV2() -> handle: resource: a queue whose least element comes out first. */
typedef struct weir_priority_queue_v2_options {
    const TF_DataType *component_types;
    int component_types_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_priority_queue_v2_options;
static inline TF_Output weir_priority_queue_v2(weir_builder *builder, const char *node,
                                               const weir_dims *shapes, int shapes_count,
                                               const weir_priority_queue_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PriorityQueueV2", node);
    if (made) {
        weir_attr_shapes(made, "shapes", shapes, shapes_count);
    }
    if (made && options) {
        if (options->component_types)
            TF_SetAttrTypeList(made, "component_types",
                options->component_types, options->component_types_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* QueueClose(handle: Ref(string)): no more elements from now on. */
typedef struct weir_queue_close_options {
    bool cancel_pending_enqueues;
} weir_queue_close_options;
static inline TF_Operation *weir_queue_close(weir_builder *builder, const char *node,
                                             TF_Output handle,
                                             const weir_queue_close_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueClose", node);
    weir_build_input(builder, made, handle);
    if (made && options) {
        TF_SetAttrBool(made, "cancel_pending_enqueues", options->cancel_pending_enqueues);
    }
    return weir_build_end(builder, made).oper;
}

/* QueueCloseV2(handle: resource): no more elements from now on. */
typedef struct weir_queue_close_v2_options {
    bool cancel_pending_enqueues;
} weir_queue_close_v2_options;
static inline TF_Operation *weir_queue_close_v2(weir_builder *builder, const char *node,
                                                TF_Output handle,
                                                const weir_queue_close_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueCloseV2", node);
    weir_build_input(builder, made, handle);
    if (made && options) {
        TF_SetAttrBool(made, "cancel_pending_enqueues", options->cancel_pending_enqueues);
    }
    return weir_build_end(builder, made).oper;
}

/* QueueDequeue(handle: Ref(string)) -> components: component_types: waits for an element and takes
 * it. */
typedef struct weir_queue_dequeue_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_dequeue_options;
static inline weir_outputs weir_queue_dequeue(weir_builder *builder, const char *node,
                                              TF_Output handle, const TF_DataType *component_types,
                                              int component_types_count,
                                              const weir_queue_dequeue_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueDequeue", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* QueueDequeueMany(handle: Ref(string), n: int32) -> components: component_types: waits for so many
 * elements and takes them as one batch. */
typedef struct weir_queue_dequeue_many_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_dequeue_many_options;
static inline weir_outputs weir_queue_dequeue_many(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output n,
                                                   const TF_DataType *component_types,
                                                   int component_types_count,
                                                   const weir_queue_dequeue_many_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueDequeueMany", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, n);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* QueueDequeueManyV2(handle: resource, n: int32) -> components: component_types: waits for so many
 * elements and takes them as one batch. */
typedef struct weir_queue_dequeue_many_v2_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_dequeue_many_v2_options;
static inline weir_outputs
weir_queue_dequeue_many_v2(weir_builder *builder, const char *node, TF_Output handle, TF_Output n,
                           const TF_DataType *component_types, int component_types_count,
                           const weir_queue_dequeue_many_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueDequeueManyV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, n);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* QueueDequeueUpTo(handle: Ref(string), n: int32) -> components: component_types: the same, with
 * fewer at the end. */
typedef struct weir_queue_dequeue_up_to_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_dequeue_up_to_options;
static inline weir_outputs weir_queue_dequeue_up_to(weir_builder *builder, const char *node,
                                                    TF_Output handle, TF_Output n,
                                                    const TF_DataType *component_types,
                                                    int component_types_count,
                                                    const weir_queue_dequeue_up_to_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueDequeueUpTo", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, n);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* QueueDequeueUpToV2(handle: resource, n: int32) -> components: component_types: the same, with
 * fewer at the end. */
typedef struct weir_queue_dequeue_up_to_v2_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_dequeue_up_to_v2_options;
static inline weir_outputs
weir_queue_dequeue_up_to_v2(weir_builder *builder, const char *node, TF_Output handle, TF_Output n,
                            const TF_DataType *component_types, int component_types_count,
                            const weir_queue_dequeue_up_to_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueDequeueUpToV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, n);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* QueueDequeueV2(handle: resource) -> components: component_types: waits for an element and takes
 * it. */
typedef struct weir_queue_dequeue_v2_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_dequeue_v2_options;
static inline weir_outputs weir_queue_dequeue_v2(weir_builder *builder, const char *node,
                                                 TF_Output handle,
                                                 const TF_DataType *component_types,
                                                 int component_types_count,
                                                 const weir_queue_dequeue_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueDequeueV2", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* QueueEnqueue(handle: Ref(string), components: Tcomponents): puts an element in, once there is
 * room. */
typedef struct weir_queue_enqueue_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_enqueue_options;
static inline TF_Operation *weir_queue_enqueue(weir_builder *builder, const char *node,
                                               TF_Output handle, const TF_Output *components,
                                               int components_count,
                                               const weir_queue_enqueue_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueEnqueue", node);
    weir_build_input(builder, made, handle);
    weir_build_input_list(builder, made, components, components_count);
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    return weir_build_end(builder, made).oper;
}

/* QueueEnqueueMany(handle: Ref(string), components: Tcomponents): puts every row in as an element.
 * */
typedef struct weir_queue_enqueue_many_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_enqueue_many_options;
static inline TF_Operation *weir_queue_enqueue_many(weir_builder *builder, const char *node,
                                                    TF_Output handle, const TF_Output *components,
                                                    int components_count,
                                                    const weir_queue_enqueue_many_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueEnqueueMany", node);
    weir_build_input(builder, made, handle);
    weir_build_input_list(builder, made, components, components_count);
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    return weir_build_end(builder, made).oper;
}

/* QueueEnqueueManyV2(handle: resource, components: Tcomponents): puts every row in as an element.
 * */
typedef struct weir_queue_enqueue_many_v2_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_enqueue_many_v2_options;
static inline TF_Operation *
weir_queue_enqueue_many_v2(weir_builder *builder, const char *node, TF_Output handle,
                           const TF_Output *components, int components_count,
                           const weir_queue_enqueue_many_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueEnqueueManyV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input_list(builder, made, components, components_count);
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    return weir_build_end(builder, made).oper;
}

/* QueueEnqueueV2(handle: resource, components: Tcomponents): puts an element in, once there is
 * room. */
typedef struct weir_queue_enqueue_v2_options {
    int64_t timeout_ms; /* 0: -1 */
} weir_queue_enqueue_v2_options;
static inline TF_Operation *weir_queue_enqueue_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, const TF_Output *components,
                                                  int components_count,
                                                  const weir_queue_enqueue_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QueueEnqueueV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input_list(builder, made, components, components_count);
    if (made && options) {
        if (options->timeout_ms != 0)
            TF_SetAttrInt(made, "timeout_ms", weir_int_of(options->timeout_ms));
    }
    return weir_build_end(builder, made).oper;
}

/* QueueIsClosed(handle: Ref(string)) -> is_closed: bool: whether the queue was closed. */
static inline TF_Output weir_queue_is_closed(weir_builder *builder, const char *node,
                                             TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "QueueIsClosed", node, inputs, 1);
}

/* QueueIsClosedV2(handle: resource) -> is_closed: bool: whether the queue was closed. */
static inline TF_Output weir_queue_is_closed_v2(weir_builder *builder, const char *node,
                                                TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "QueueIsClosedV2", node, inputs, 1);
}

/* QueueSize(handle: Ref(string)) -> size: int32: how many elements are in the queue. */
static inline TF_Output weir_queue_size(weir_builder *builder, const char *node, TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "QueueSize", node, inputs, 1);
}

/* QueueSizeV2(handle: resource) -> size: int32: how many elements are in the queue. */
static inline TF_Output weir_queue_size_v2(weir_builder *builder, const char *node,
                                           TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "QueueSizeV2", node, inputs, 1);
}

/* RandomShuffleQueue() -> handle: Ref(string): the ops that make a queue. */
typedef struct weir_random_shuffle_queue_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    int64_t min_after_dequeue;
    int64_t seed;
    int64_t seed2;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_random_shuffle_queue_options;
static inline TF_Output weir_random_shuffle_queue(weir_builder *builder, const char *node,
                                                  const TF_DataType *component_types,
                                                  int component_types_count,
                                                  const weir_random_shuffle_queue_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomShuffleQueue", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        TF_SetAttrInt(made, "min_after_dequeue", options->min_after_dequeue);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* RandomShuffleQueueV2() -> handle: resource: a queue whose elements come out in any order. */
typedef struct weir_random_shuffle_queue_v2_options {
    const weir_dims *shapes;
    int shapes_count; /* null: [] */
    int64_t capacity; /* 0: -1 */
    int64_t min_after_dequeue;
    int64_t seed;
    int64_t seed2;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_random_shuffle_queue_v2_options;
static inline TF_Output
weir_random_shuffle_queue_v2(weir_builder *builder, const char *node,
                             const TF_DataType *component_types, int component_types_count,
                             const weir_random_shuffle_queue_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomShuffleQueueV2", node);
    if (made) {
        TF_SetAttrTypeList(made, "component_types", component_types, component_types_count);
    }
    if (made && options) {
        if (options->shapes)
            weir_attr_shapes(made, "shapes", options->shapes, options->shapes_count);
        if (options->capacity != 0)
            TF_SetAttrInt(made, "capacity", weir_int_of(options->capacity));
        TF_SetAttrInt(made, "min_after_dequeue", options->min_after_dequeue);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* ResourceAccumulatorApplyGradient(handle: resource, local_step: int64, gradient: dtype): adds a
 * gradient unless its step is past; by a resource handle. dtype: float, double, int32, uint8,
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
 * are gathered; by a resource handle. */
static inline TF_Output weir_resource_accumulator_num_accumulated(weir_builder *builder,
                                                                  const char *node,
                                                                  TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "ResourceAccumulatorNumAccumulated", node, inputs, 1);
}

/* ResourceAccumulatorSetGlobalStep(handle: resource, new_global_step: int64): the step from which
 * gradients count; by a resource handle. */
static inline TF_Operation *weir_resource_accumulator_set_global_step(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output handle,
                                                                      TF_Output new_global_step)
{
    const TF_Output inputs[] = {handle, new_global_step};
    return weir_build_op(builder, "ResourceAccumulatorSetGlobalStep", node, inputs, 2).oper;
}

/* ResourceAccumulatorTakeGradient(handle: resource, num_required: int32) -> average: dtype: waits
 * for enough gradients and gives their mean; by a resource handle. dtype: float, double, int32,
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

/* ResourceConditionalAccumulator() -> handle: resource: gathers gradients until there are enough;
 * by a resource handle. dtype: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
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
 * gradient_values: dtype, gradient_shape: int64): adds rows of a gradient unless its step is past.
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
 * values: dtype, shape: int64: waits for enough gradients and gives the mean of each row. dtype:
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

/* Stack() -> handle: Ref(string): a stack of tensors. */
typedef struct weir_stack_options {
    const char *stack_name; /* null: "" */
} weir_stack_options;
static inline TF_Output weir_stack(weir_builder *builder, const char *node, TF_DataType elem_type,
                                   const weir_stack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Stack", node);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    if (made && options) {
        if (options->stack_name)
            weir_attr_string(made, "stack_name", options->stack_name);
    }
    return weir_build_end(builder, made);
}

/* StackClose(handle: Ref(string)): ends a stack. */
static inline TF_Operation *weir_stack_close(weir_builder *builder, const char *node,
                                             TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "StackClose", node, inputs, 1).oper;
}

/* StackCloseV2(handle: resource): ends a stack. */
static inline TF_Operation *weir_stack_close_v2(weir_builder *builder, const char *node,
                                                TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "StackCloseV2", node, inputs, 1).oper;
}

/* StackPop(handle: Ref(string)) -> elem: elem_type: takes the top of a stack. */
static inline TF_Output weir_stack_pop(weir_builder *builder, const char *node, TF_Output handle,
                                       TF_DataType elem_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPop", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    return weir_build_end(builder, made);
}

/* StackPopV2(handle: resource) -> elem: elem_type: takes the top of a stack. */
static inline TF_Output weir_stack_pop_v2(weir_builder *builder, const char *node, TF_Output handle,
                                          TF_DataType elem_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPopV2", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    return weir_build_end(builder, made);
}

/* StackPush(handle: Ref(string), elem: T) -> output: T: puts a tensor on a stack. */
typedef struct weir_stack_push_options {
    bool swap_memory;
} weir_stack_push_options;
static inline TF_Output weir_stack_push(weir_builder *builder, const char *node, TF_Output handle,
                                        TF_Output elem, const weir_stack_push_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPush", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, elem);
    if (made && options) {
        TF_SetAttrBool(made, "swap_memory", options->swap_memory);
    }
    return weir_build_end(builder, made);
}

/* StackPushV2(handle: resource, elem: T) -> output: T: puts a tensor on a stack. */
typedef struct weir_stack_push_v2_options {
    bool swap_memory;
} weir_stack_push_v2_options;
static inline TF_Output weir_stack_push_v2(weir_builder *builder, const char *node,
                                           TF_Output handle, TF_Output elem,
                                           const weir_stack_push_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPushV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, elem);
    if (made && options) {
        TF_SetAttrBool(made, "swap_memory", options->swap_memory);
    }
    return weir_build_end(builder, made);
}

/* StackV2(max_size: int32) -> handle: resource: values that a loop keeps for its gradient. */
typedef struct weir_stack_v2_options {
    const char *stack_name; /* null: "" */
} weir_stack_v2_options;
static inline TF_Output weir_stack_v2(weir_builder *builder, const char *node, TF_Output max_size,
                                      TF_DataType elem_type, const weir_stack_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackV2", node);
    weir_build_input(builder, made, max_size);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    if (made && options) {
        if (options->stack_name)
            weir_attr_string(made, "stack_name", options->stack_name);
    }
    return weir_build_end(builder, made);
}

/* Stage(values: dtypes): a bounded line of tuples between steps. */
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

/* StagePeek(index: int32) -> values: dtypes: waits for an element and shows it. */
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

/* TensorArrayCloseV2(handle: string): ends an array. */
static inline TF_Operation *weir_tensor_array_close_v2(weir_builder *builder, const char *node,
                                                       TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "TensorArrayCloseV2", node, inputs, 1).oper;
}

/* TensorArrayCloseV3(handle: resource): ends an array. */
static inline TF_Operation *weir_tensor_array_close_v3(weir_builder *builder, const char *node,
                                                       TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "TensorArrayCloseV3", node, inputs, 1).oper;
}

/* TensorArrayConcatV2(handle: string, flow_in: float) -> value: dtype, lengths: int64: all elements
 * below each other, and their lengths. */
typedef struct weir_tensor_array_concat_v2_options {
    const weir_dims *element_shape_except0; /* null: unknown */
} weir_tensor_array_concat_v2_options;
typedef struct weir_tensor_array_concat_v2_outputs {
    TF_Output value;
    TF_Output lengths;
} weir_tensor_array_concat_v2_outputs;
static inline weir_tensor_array_concat_v2_outputs
weir_tensor_array_concat_v2(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_concat_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayConcatV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape_except0)
            weir_attr_shape(made, "element_shape_except0", options->element_shape_except0);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_concat_v2_outputs out;
    out.value = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorArrayConcatV3(handle: resource, flow_in: float) -> value: dtype, lengths: int64: all
 * elements below each other, and their lengths. */
typedef struct weir_tensor_array_concat_v3_options {
    const weir_dims *element_shape_except0; /* null: unknown */
} weir_tensor_array_concat_v3_options;
typedef struct weir_tensor_array_concat_v3_outputs {
    TF_Output value;
    TF_Output lengths;
} weir_tensor_array_concat_v3_outputs;
static inline weir_tensor_array_concat_v3_outputs
weir_tensor_array_concat_v3(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_concat_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayConcatV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape_except0)
            weir_attr_shape(made, "element_shape_except0", options->element_shape_except0);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_concat_v3_outputs out;
    out.value = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorArrayGatherV2(handle: string, indices: int32, flow_in: float) -> value: dtype: some
 * elements as one tensor. */
typedef struct weir_tensor_array_gather_v2_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_gather_v2_options;
static inline TF_Output
weir_tensor_array_gather_v2(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output indices, TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_gather_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGatherV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float) -> value: dtype: some
 * elements as one tensor. */
typedef struct weir_tensor_array_gather_v3_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_gather_v3_options;
static inline TF_Output
weir_tensor_array_gather_v3(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output indices, TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_gather_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGatherV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGradV2(handle: string, flow_in: float) -> grad_handle: string: the array of an array's
 * gradients. */
static inline TF_Output weir_tensor_array_grad_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output flow_in,
                                                  const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGradV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGradV3(handle: resource, flow_in: float) -> grad_handle: resource, flow_out: float:
 * the array of an array's gradients. */
typedef struct weir_tensor_array_grad_v3_outputs {
    TF_Output grad_handle;
    TF_Output flow_out;
} weir_tensor_array_grad_v3_outputs;
static inline weir_tensor_array_grad_v3_outputs weir_tensor_array_grad_v3(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output handle,
                                                                          TF_Output flow_in,
                                                                          const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGradV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_grad_v3_outputs out;
    out.grad_handle = weir_output(op, 0);
    out.flow_out = weir_output(op, 1);
    return out;
}

/* TensorArrayGradWithShape(handle: resource, flow_in: float, shape_to_prepend: int32) ->
 * grad_handle: resource, flow_out: float: the array of an array's gradients, its elements with more
 * dims. */
typedef struct weir_tensor_array_grad_with_shape_outputs {
    TF_Output grad_handle;
    TF_Output flow_out;
} weir_tensor_array_grad_with_shape_outputs;
static inline weir_tensor_array_grad_with_shape_outputs
weir_tensor_array_grad_with_shape(weir_builder *builder, const char *node, TF_Output handle,
                                  TF_Output flow_in, TF_Output shape_to_prepend, const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGradWithShape", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    weir_build_input(builder, made, shape_to_prepend);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_grad_with_shape_outputs out;
    out.grad_handle = weir_output(op, 0);
    out.flow_out = weir_output(op, 1);
    return out;
}

/* TensorArrayReadV2(handle: string, index: int32, flow_in: float) -> value: dtype: an element. */
static inline TF_Output weir_tensor_array_read_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output index,
                                                  TF_Output flow_in, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayReadV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayReadV3(handle: resource, index: int32, flow_in: float) -> value: dtype: an element. */
static inline TF_Output weir_tensor_array_read_v3(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output index,
                                                  TF_Output flow_in, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayReadV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayScatterV2(handle: string, indices: int32, value: T, flow_in: float) -> flow_out:
 * float: rows of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_scatter_v2(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output indices,
                                                     TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, indices, value, flow_in};
    return weir_build_op(builder, "TensorArrayScatterV2", node, inputs, 4);
}

/* TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float) -> flow_out:
 * float: rows of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_scatter_v3(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output indices,
                                                     TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, indices, value, flow_in};
    return weir_build_op(builder, "TensorArrayScatterV3", node, inputs, 4);
}

/* TensorArraySizeV2(handle: string, flow_in: float) -> size: int32: how many elements there are. */
static inline TF_Output weir_tensor_array_size_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, flow_in};
    return weir_build_op(builder, "TensorArraySizeV2", node, inputs, 2);
}

/* TensorArraySizeV3(handle: resource, flow_in: float) -> size: int32: how many elements there are.
 * */
static inline TF_Output weir_tensor_array_size_v3(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, flow_in};
    return weir_build_op(builder, "TensorArraySizeV3", node, inputs, 2);
}

/* TensorArraySplitV2(handle: string, value: T, lengths: int64, flow_in: float) -> flow_out: float:
 * pieces of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_split_v2(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output value,
                                                   TF_Output lengths, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, value, lengths, flow_in};
    return weir_build_op(builder, "TensorArraySplitV2", node, inputs, 4);
}

/* TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float) -> flow_out:
 * float: pieces of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_split_v3(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output value,
                                                   TF_Output lengths, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, value, lengths, flow_in};
    return weir_build_op(builder, "TensorArraySplitV3", node, inputs, 4);
}

/* TensorArrayV2(size: int32) -> handle: string: an array whose elements are tensors, each written
 * once. */
typedef struct weir_tensor_array_v2_options {
    const weir_dims *element_shape; /* null: unknown */
    bool dynamic_size;
    bool not_clear_after_read;
    const char *tensor_array_name; /* null: "" */
} weir_tensor_array_v2_options;
static inline TF_Output weir_tensor_array_v2(weir_builder *builder, const char *node,
                                             TF_Output size, TF_DataType dtype,
                                             const weir_tensor_array_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayV2", node);
    weir_build_input(builder, made, size);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
        TF_SetAttrBool(made, "dynamic_size", options->dynamic_size);
        TF_SetAttrBool(made, "clear_after_read", !options->not_clear_after_read);
        if (options->tensor_array_name)
            weir_attr_string(made, "tensor_array_name", options->tensor_array_name);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayV3(size: int32) -> handle: resource, flow: float: an array whose elements are tensors,
 * each written once. */
typedef struct weir_tensor_array_v3_options {
    const weir_dims *element_shape; /* null: unknown */
    bool dynamic_size;
    bool not_clear_after_read;
    bool identical_element_shapes;
    const char *tensor_array_name; /* null: "" */
} weir_tensor_array_v3_options;
typedef struct weir_tensor_array_v3_outputs {
    TF_Output handle;
    TF_Output flow;
} weir_tensor_array_v3_outputs;
static inline weir_tensor_array_v3_outputs
weir_tensor_array_v3(weir_builder *builder, const char *node, TF_Output size, TF_DataType dtype,
                     const weir_tensor_array_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayV3", node);
    weir_build_input(builder, made, size);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
        TF_SetAttrBool(made, "dynamic_size", options->dynamic_size);
        TF_SetAttrBool(made, "clear_after_read", !options->not_clear_after_read);
        TF_SetAttrBool(made, "identical_element_shapes", options->identical_element_shapes);
        if (options->tensor_array_name)
            weir_attr_string(made, "tensor_array_name", options->tensor_array_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_v3_outputs out;
    out.handle = weir_output(op, 0);
    out.flow = weir_output(op, 1);
    return out;
}

/* TensorArrayWriteV2(handle: string, index: int32, value: T, flow_in: float) -> flow_out: float:
 * writes an element. */
static inline TF_Output weir_tensor_array_write_v2(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output index,
                                                   TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, index, value, flow_in};
    return weir_build_op(builder, "TensorArrayWriteV2", node, inputs, 4);
}

/* TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float) -> flow_out: float:
 * writes an element. */
static inline TF_Output weir_tensor_array_write_v3(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output index,
                                                   TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, index, value, flow_in};
    return weir_build_op(builder, "TensorArrayWriteV3", node, inputs, 4);
}

/* TensorListConcat(input_handle: variant) -> tensor: element_dtype, lengths: int64: all elements
 * below each other, and their lengths. */
typedef struct weir_tensor_list_concat_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_list_concat_options;
typedef struct weir_tensor_list_concat_outputs {
    TF_Output tensor;
    TF_Output lengths;
} weir_tensor_list_concat_outputs;
static inline weir_tensor_list_concat_outputs
weir_tensor_list_concat(weir_builder *builder, const char *node, TF_Output input_handle,
                        TF_DataType element_dtype, const weir_tensor_list_concat_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListConcat", node);
    weir_build_input(builder, made, input_handle);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_list_concat_outputs out;
    out.tensor = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorListConcatLists(input_a: variant, input_b: variant) -> output: variant: one list behind the
 * other. */
static inline TF_Output weir_tensor_list_concat_lists(weir_builder *builder, const char *node,
                                                      TF_Output input_a, TF_Output input_b,
                                                      TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListConcatLists", node);
    weir_build_input(builder, made, input_a);
    weir_build_input(builder, made, input_b);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListConcatV2(input_handle: variant, element_shape: shape_type, leading_dims: int64) ->
 * tensor: element_dtype, lengths: int64: all elements below each other, and their lengths.
 * shape_type: int32, int64. */
typedef struct weir_tensor_list_concat_v2_outputs {
    TF_Output tensor;
    TF_Output lengths;
} weir_tensor_list_concat_v2_outputs;
static inline weir_tensor_list_concat_v2_outputs
weir_tensor_list_concat_v2(weir_builder *builder, const char *node, TF_Output input_handle,
                           TF_Output element_shape, TF_Output leading_dims,
                           TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListConcatV2", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, element_shape);
    weir_build_input(builder, made, leading_dims);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_list_concat_v2_outputs out;
    out.tensor = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorListElementShape(input_handle: variant) -> element_shape: shape_type: the shape that
 * elements have. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_element_shape(weir_builder *builder, const char *node,
                                                       TF_Output input_handle,
                                                       TF_DataType shape_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListElementShape", node);
    weir_build_input(builder, made, input_handle);
    if (made) {
        TF_SetAttrType(made, "shape_type", shape_type);
    }
    return weir_build_end(builder, made);
}

/* TensorListFromTensor(tensor: element_dtype, element_shape: shape_type) -> output_handle: variant:
 * the rows of a tensor as a list. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_from_tensor(weir_builder *builder, const char *node,
                                                     TF_Output tensor, TF_Output element_shape)
{
    const TF_Output inputs[] = {tensor, element_shape};
    return weir_build_op(builder, "TensorListFromTensor", node, inputs, 2);
}

/* TensorListGather(input_handle: variant, indices: int32, element_shape: int32) -> values:
 * element_dtype: some elements as one tensor. */
static inline TF_Output weir_tensor_list_gather(weir_builder *builder, const char *node,
                                                TF_Output input_handle, TF_Output indices,
                                                TF_Output element_shape, TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListGather", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListGetItem(input_handle: variant, index: int32, element_shape: Tshape) -> item:
 * element_dtype: an element. Tshape: int32, int64. */
static inline TF_Output weir_tensor_list_get_item(weir_builder *builder, const char *node,
                                                  TF_Output input_handle, TF_Output index,
                                                  TF_Output element_shape,
                                                  TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListGetItem", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListLength(input_handle: variant) -> length: int32: how many elements there are. */
static inline TF_Output weir_tensor_list_length(weir_builder *builder, const char *node,
                                                TF_Output input_handle)
{
    const TF_Output inputs[] = {input_handle};
    return weir_build_op(builder, "TensorListLength", node, inputs, 1);
}

/* TensorListPopBack(input_handle: variant, element_shape: int32) -> output_handle: variant, tensor:
 * element_dtype: the list without its last element, and that. */
typedef struct weir_tensor_list_pop_back_outputs {
    TF_Output output_handle;
    TF_Output tensor;
} weir_tensor_list_pop_back_outputs;
static inline weir_tensor_list_pop_back_outputs weir_tensor_list_pop_back(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output input_handle,
                                                                          TF_Output element_shape,
                                                                          TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListPopBack", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_list_pop_back_outputs out;
    out.output_handle = weir_output(op, 0);
    out.tensor = weir_output(op, 1);
    return out;
}

/* TensorListPushBack(input_handle: variant, tensor: element_dtype) -> output_handle: variant: the
 * list with one more element. */
static inline TF_Output weir_tensor_list_push_back(weir_builder *builder, const char *node,
                                                   TF_Output input_handle, TF_Output tensor)
{
    const TF_Output inputs[] = {input_handle, tensor};
    return weir_build_op(builder, "TensorListPushBack", node, inputs, 2);
}

/* TensorListPushBackBatch(input_handles: variant, tensor: element_dtype) -> output_handles:
 * variant: lists, each with one more element. */
static inline TF_Output weir_tensor_list_push_back_batch(weir_builder *builder, const char *node,
                                                         TF_Output input_handles, TF_Output tensor)
{
    const TF_Output inputs[] = {input_handles, tensor};
    return weir_build_op(builder, "TensorListPushBackBatch", node, inputs, 2);
}

/* TensorListReserve(element_shape: shape_type, num_elements: int32) -> handle: variant: a list of
 * elements that are still to be set. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_reserve(weir_builder *builder, const char *node,
                                                 TF_Output element_shape, TF_Output num_elements,
                                                 TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListReserve", node);
    weir_build_input(builder, made, element_shape);
    weir_build_input(builder, made, num_elements);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListResize(input_handle: variant, size: int32) -> output_handle: variant: the list, longer
 * or shorter. */
static inline TF_Output weir_tensor_list_resize(weir_builder *builder, const char *node,
                                                TF_Output input_handle, TF_Output size)
{
    const TF_Output inputs[] = {input_handle, size};
    return weir_build_op(builder, "TensorListResize", node, inputs, 2);
}

/* TensorListScatter(tensor: element_dtype, indices: int32, element_shape: shape_type) ->
 * output_handle: variant: a list of rows put where indices say. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_scatter(weir_builder *builder, const char *node,
                                                 TF_Output tensor, TF_Output indices,
                                                 TF_Output element_shape)
{
    const TF_Output inputs[] = {tensor, indices, element_shape};
    return weir_build_op(builder, "TensorListScatter", node, inputs, 3);
}

/* TensorListScatterIntoExistingList(input_handle: variant, tensor: element_dtype, indices: int32)
 * -> output_handle: variant: the list with rows put where indices say. */
static inline TF_Output weir_tensor_list_scatter_into_existing_list(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output input_handle,
                                                                    TF_Output tensor,
                                                                    TF_Output indices)
{
    const TF_Output inputs[] = {input_handle, tensor, indices};
    return weir_build_op(builder, "TensorListScatterIntoExistingList", node, inputs, 3);
}

/* TensorListScatterV2(tensor: element_dtype, indices: int32, element_shape: shape_type,
 * num_elements: int32) -> output_handle: variant: a list of rows put where indices say. shape_type:
 * int32, int64. */
static inline TF_Output weir_tensor_list_scatter_v2(weir_builder *builder, const char *node,
                                                    TF_Output tensor, TF_Output indices,
                                                    TF_Output element_shape, TF_Output num_elements)
{
    const TF_Output inputs[] = {tensor, indices, element_shape, num_elements};
    return weir_build_op(builder, "TensorListScatterV2", node, inputs, 4);
}

/* TensorListSetItem(input_handle: variant, index: int32, item: element_dtype) -> output_handle:
 * variant: the list with another element. */
typedef struct weir_tensor_list_set_item_options {
    bool resize_if_index_out_of_bounds;
} weir_tensor_list_set_item_options;
static inline TF_Output weir_tensor_list_set_item(weir_builder *builder, const char *node,
                                                  TF_Output input_handle, TF_Output index,
                                                  TF_Output item,
                                                  const weir_tensor_list_set_item_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListSetItem", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, item);
    if (made && options) {
        TF_SetAttrBool(made, "resize_if_index_out_of_bounds", options->resize_if_index_out_of_bounds);
    }
    return weir_build_end(builder, made);
}

/* TensorListSplit(tensor: element_dtype, element_shape: shape_type, lengths: int64) ->
 * output_handle: variant: pieces of a tensor as a list. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_split(weir_builder *builder, const char *node,
                                               TF_Output tensor, TF_Output element_shape,
                                               TF_Output lengths)
{
    const TF_Output inputs[] = {tensor, element_shape, lengths};
    return weir_build_op(builder, "TensorListSplit", node, inputs, 3);
}

/* TensorListStack(input_handle: variant, element_shape: int32) -> tensor: element_dtype: all
 * elements as one tensor. */
typedef struct weir_tensor_list_stack_options {
    int64_t num_elements; /* 0: -1 */
} weir_tensor_list_stack_options;
static inline TF_Output weir_tensor_list_stack(weir_builder *builder, const char *node,
                                               TF_Output input_handle, TF_Output element_shape,
                                               TF_DataType element_dtype,
                                               const weir_tensor_list_stack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListStack", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    if (made && options) {
        if (options->num_elements != 0)
            TF_SetAttrInt(made, "num_elements", weir_int_of(options->num_elements));
    }
    return weir_build_end(builder, made);
}

/* TensorMapErase(input_handle: variant, key: key_dtype) -> output_handle: variant: the map without
 * a key. */
static inline TF_Output weir_tensor_map_erase(weir_builder *builder, const char *node,
                                              TF_Output input_handle, TF_Output key,
                                              TF_DataType value_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorMapErase", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorMapHasKey(input_handle: variant, key: key_dtype) -> has_key: bool: whether the map has a
 * key. */
static inline TF_Output weir_tensor_map_has_key(weir_builder *builder, const char *node,
                                                TF_Output input_handle, TF_Output key)
{
    const TF_Output inputs[] = {input_handle, key};
    return weir_build_op(builder, "TensorMapHasKey", node, inputs, 2);
}

/* TensorMapInsert(input_handle: variant, key: key_dtype, value: value_dtype) -> output_handle:
 * variant: the map with a key set. */
static inline TF_Output weir_tensor_map_insert(weir_builder *builder, const char *node,
                                               TF_Output input_handle, TF_Output key,
                                               TF_Output value)
{
    const TF_Output inputs[] = {input_handle, key, value};
    return weir_build_op(builder, "TensorMapInsert", node, inputs, 3);
}

/* TensorMapLookup(input_handle: variant, key: key_dtype) -> value: value_dtype: the value of a key.
 * */
static inline TF_Output weir_tensor_map_lookup(weir_builder *builder, const char *node,
                                               TF_Output input_handle, TF_Output key,
                                               TF_DataType value_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorMapLookup", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorMapSize(input_handle: variant) -> size: int32: how many keys there are. */
static inline TF_Output weir_tensor_map_size(weir_builder *builder, const char *node,
                                             TF_Output input_handle)
{
    const TF_Output inputs[] = {input_handle};
    return weir_build_op(builder, "TensorMapSize", node, inputs, 1);
}

/* TensorMapStackKeys(input_handle: variant) -> keys: key_dtype: all keys as one tensor. */
static inline TF_Output weir_tensor_map_stack_keys(weir_builder *builder, const char *node,
                                                   TF_Output input_handle, TF_DataType key_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorMapStackKeys", node);
    weir_build_input(builder, made, input_handle);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
    }
    return weir_build_end(builder, made);
}

/* Unstage() -> values: dtypes: a bounded line of tuples between steps. */
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
