/* weir/ops/data_flow/queue.h - queues and barriers.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_FLOW_QUEUE_OPS_H
#define WEIR_DATA_FLOW_QUEUE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Barrier() -> handle: Ref(string): assembles tuples by key. */
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

/* BarrierClose(handle: Ref(string)): refuses new keys from now on. */
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

/* BarrierInsertMany(handle: Ref(string), keys: string, values: T): inserts one component for each
 * of some keys. */
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

/* FIFOQueue() -> handle: Ref(string): the ops that create a queue. */
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

/* FIFOQueueV2() -> handle: resource: a first-in first-out queue. */
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

/* FakeQueue(resource: resource) -> handle: Ref(string): a queue's handle in the form of the legacy
 * queue ops. */
static inline TF_Output weir_fake_queue(weir_builder *builder, const char *node, TF_Output resource)
{
    const TF_Output inputs[] = {resource};
    return weir_build_op(builder, "FakeQueue", node, inputs, 1);
}

/* PaddingFIFOQueue() -> handle: Ref(string): the ops that create a queue. */
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

/* PaddingFIFOQueueV2() -> handle: resource: a first-in first-out queue that pads elements of
 * different sizes to a batch. */
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

/* PriorityQueue() -> handle: Ref(string): the ops that create a queue. */
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

/* PriorityQueueV2() -> handle: resource: a queue that returns the least element first. */
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

/* QueueClose(handle: Ref(string)): refuses new elements from now on. */
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

/* QueueCloseV2(handle: resource): refuses new elements from now on. */
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

/* QueueDequeueMany(handle: Ref(string), n: int32) -> components: component_types: waits for a
 * number of elements and takes them as one batch. */
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

/* QueueDequeueManyV2(handle: resource, n: int32) -> components: component_types: waits for a number
 * of elements and takes them as one batch. */
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

/* QueueDequeueUpTo(handle: Ref(string), n: int32) -> components: component_types: the same, with a
 * smaller batch when the queue is closed. */
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

/* QueueDequeueUpToV2(handle: resource, n: int32) -> components: component_types: the same, with a
 * smaller batch when the queue is closed. */
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

/* QueueEnqueue(handle: Ref(string), components: Tcomponents): adds an element, waiting while the
 * queue is full. */
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

/* QueueEnqueueMany(handle: Ref(string), components: Tcomponents): adds every row as an element. */
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

/* QueueEnqueueManyV2(handle: resource, components: Tcomponents): adds every row as an element. */
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

/* QueueEnqueueV2(handle: resource, components: Tcomponents): adds an element, waiting while the
 * queue is full. */
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

/* RandomShuffleQueue() -> handle: Ref(string): the ops that create a queue. */
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

/* RandomShuffleQueueV2() -> handle: resource: a queue that returns elements in random order. */
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

#ifdef __cplusplus
}
#endif
#endif
