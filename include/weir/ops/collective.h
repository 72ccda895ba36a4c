/* weir/ops/collective.h - reductions, gathers and broadcasts over the tasks of a cluster.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_COLLECTIVE_OPS_H
#define WEIR_COLLECTIVE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CollectiveAllToAllV2(input: T, group_size: int32, group_key: int32, instance_key: int32,
 * ordering_token: Nordering_token * resource) -> data: T: row i of each member's value goes to
 * member i. T: bfloat16, float, half, double, int32, int64. */
typedef struct weir_collective_all_to_all_v2_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
    bool is_stateless;
} weir_collective_all_to_all_v2_options;
static inline TF_Output
weir_collective_all_to_all_v2(weir_builder *builder, const char *node, TF_Output input,
                              TF_Output group_size, TF_Output group_key, TF_Output instance_key,
                              const TF_Output *ordering_token, int ordering_token_count,
                              const weir_collective_all_to_all_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveAllToAllV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_size);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, instance_key);
    weir_build_input_list(builder, made, ordering_token, ordering_token_count);
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
        TF_SetAttrBool(made, "is_stateless", options->is_stateless);
    }
    return weir_build_end(builder, made);
}

/* CollectiveAllToAllV3(input: T, communicator: resource, group_assignment: int32) -> data: T: row i
 * of each member's value goes to member i. T: bfloat16, float, half, double, int32, int64. */
typedef struct weir_collective_all_to_all_v3_options {
    float timeout_seconds;
} weir_collective_all_to_all_v3_options;
static inline TF_Output
weir_collective_all_to_all_v3(weir_builder *builder, const char *node, TF_Output input,
                              TF_Output communicator, TF_Output group_assignment,
                              const weir_collective_all_to_all_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveAllToAllV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, communicator);
    weir_build_input(builder, made, group_assignment);
    if (made && options) {
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveBcastRecv() -> data: T: broadcast of one member's value. T: bool, float, half, double,
 * int32, int64. */
typedef struct weir_collective_bcast_recv_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_bcast_recv_options;
static inline TF_Output
weir_collective_bcast_recv(weir_builder *builder, const char *node, TF_DataType T,
                           int64_t group_size, int64_t group_key, int64_t instance_key,
                           const weir_dims *shape,
                           const weir_collective_bcast_recv_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveBcastRecv", node);
    if (made) {
        TF_SetAttrType(made, "T", T);
        TF_SetAttrInt(made, "group_size", group_size);
        TF_SetAttrInt(made, "group_key", group_key);
        TF_SetAttrInt(made, "instance_key", instance_key);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveBcastRecvV2(group_size: int32, group_key: int32, instance_key: int32, shape: Tshape) ->
 * data: T: broadcast of one member's value. T: bool, float, half, double, int32, int64. Tshape:
 * int32, int64. */
typedef struct weir_collective_bcast_recv_v2_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_bcast_recv_v2_options;
static inline TF_Output
weir_collective_bcast_recv_v2(weir_builder *builder, const char *node, TF_Output group_size,
                              TF_Output group_key, TF_Output instance_key, TF_Output shape,
                              TF_DataType T, const weir_collective_bcast_recv_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveBcastRecvV2", node);
    weir_build_input(builder, made, group_size);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, instance_key);
    weir_build_input(builder, made, shape);
    if (made) {
        TF_SetAttrType(made, "T", T);
    }
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveBcastSend(input: T) -> data: T: broadcast of one member's value. T: bool, float, half,
 * double, int32, int64. */
typedef struct weir_collective_bcast_send_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_bcast_send_options;
static inline TF_Output
weir_collective_bcast_send(weir_builder *builder, const char *node, TF_Output input,
                           int64_t group_size, int64_t group_key, int64_t instance_key,
                           const weir_dims *shape,
                           const weir_collective_bcast_send_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveBcastSend", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "group_size", group_size);
        TF_SetAttrInt(made, "group_key", group_key);
        TF_SetAttrInt(made, "instance_key", instance_key);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveBcastSendV2(input: T, group_size: int32, group_key: int32, instance_key: int32) ->
 * data: T: broadcast of one member's value. T: bool, float, half, double, int32, int64. */
typedef struct weir_collective_bcast_send_v2_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_bcast_send_v2_options;
static inline TF_Output
weir_collective_bcast_send_v2(weir_builder *builder, const char *node, TF_Output input,
                              TF_Output group_size, TF_Output group_key, TF_Output instance_key,
                              const weir_collective_bcast_send_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveBcastSendV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_size);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, instance_key);
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveGather(input: T) -> data: T. T: float, half, double, int32, int64. */
typedef struct weir_collective_gather_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_gather_options;
static inline TF_Output weir_collective_gather(weir_builder *builder, const char *node,
                                               TF_Output input, int64_t group_size,
                                               int64_t group_key, int64_t instance_key,
                                               const weir_dims *shape,
                                               const weir_collective_gather_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveGather", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "group_size", group_size);
        TF_SetAttrInt(made, "group_key", group_key);
        TF_SetAttrInt(made, "instance_key", instance_key);
        weir_attr_shape(made, "shape", shape);
    }
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveGatherV2(input: T, group_size: int32, group_key: int32, instance_key: int32,
 * ordering_token: Nordering_token * resource) -> data: T. T: float, half, double, int32, int64. */
typedef struct weir_collective_gather_v2_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
    bool is_stateless;
} weir_collective_gather_v2_options;
static inline TF_Output weir_collective_gather_v2(weir_builder *builder, const char *node,
                                                  TF_Output input, TF_Output group_size,
                                                  TF_Output group_key, TF_Output instance_key,
                                                  const TF_Output *ordering_token,
                                                  int ordering_token_count,
                                                  const weir_collective_gather_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveGatherV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_size);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, instance_key);
    weir_build_input_list(builder, made, ordering_token, ordering_token_count);
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
        TF_SetAttrBool(made, "is_stateless", options->is_stateless);
    }
    return weir_build_end(builder, made);
}

/* CollectiveInitializeCommunicator(group_key: int32, rank: int32, group_size: int32) ->
 * communicator: resource: a member's group, stored for subsequent ops. */
typedef struct weir_collective_initialize_communicator_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_initialize_communicator_options;
static inline TF_Output
weir_collective_initialize_communicator(weir_builder *builder, const char *node,
    TF_Output group_key, TF_Output rank, TF_Output group_size,
    const weir_collective_initialize_communicator_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "CollectiveInitializeCommunicator", node);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, rank);
    weir_build_input(builder, made, group_size);
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveReduce(input: T) -> data: T: reduction over all members. T: bfloat16, float, half,
 * double, int32, int64. merge_op: 'Min', 'Max', 'Mul', 'Add'. final_op: 'Id', 'Div'. */
typedef struct weir_collective_reduce_options {
    const int64_t *wait_for;
    int wait_for_count; /* null: [] */
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
} weir_collective_reduce_options;
static inline TF_Output weir_collective_reduce(weir_builder *builder, const char *node,
                                               TF_Output input, int64_t group_size,
                                               int64_t group_key, int64_t instance_key,
                                               const char *merge_op, const char *final_op,
                                               const int64_t *subdiv_offsets,
                                               int subdiv_offsets_count,
                                               const weir_collective_reduce_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveReduce", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "group_size", group_size);
        TF_SetAttrInt(made, "group_key", group_key);
        TF_SetAttrInt(made, "instance_key", instance_key);
        weir_attr_string(made, "merge_op", merge_op);
        weir_attr_string(made, "final_op", final_op);
        TF_SetAttrIntList(made, "subdiv_offsets", subdiv_offsets, subdiv_offsets_count);
    }
    if (made && options) {
        if (options->wait_for)
            TF_SetAttrIntList(made, "wait_for", options->wait_for, options->wait_for_count);
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

/* CollectiveReduceScatterV2(input: T, group_size: int32, group_key: int32, instance_key: int32,
 * ordering_token: Nordering_token * resource) -> data: T. T: bfloat16, float, half, double, int32,
 * int64. merge_op: 'Min', 'Max', 'Mul', 'Add'. final_op: 'Id', 'Div'. */
typedef struct weir_collective_reduce_scatter_v2_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
    bool is_stateless;
    int64_t max_subdivs_per_device; /* 0: -1 */
} weir_collective_reduce_scatter_v2_options;
static inline TF_Output
weir_collective_reduce_scatter_v2(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output group_size, TF_Output group_key, TF_Output instance_key,
                                  const TF_Output *ordering_token, int ordering_token_count,
                                  const char *merge_op, const char *final_op,
                                  const weir_collective_reduce_scatter_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveReduceScatterV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_size);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, instance_key);
    weir_build_input_list(builder, made, ordering_token, ordering_token_count);
    if (made) {
        weir_attr_string(made, "merge_op", merge_op);
        weir_attr_string(made, "final_op", final_op);
    }
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
        TF_SetAttrBool(made, "is_stateless", options->is_stateless);
        if (options->max_subdivs_per_device != 0)
            TF_SetAttrInt(made, "max_subdivs_per_device",
                weir_int_of(options->max_subdivs_per_device));
    }
    return weir_build_end(builder, made);
}

/* CollectiveReduceV2(input: T, group_size: int32, group_key: int32, instance_key: int32,
 * ordering_token: Nordering_token * resource) -> data: T: reduction over all members. T: bfloat16,
 * float, half, double, int32, int64. merge_op: 'Min', 'Max', 'Mul', 'Add'. final_op: 'Id', 'Div'.
 * */
typedef struct weir_collective_reduce_v2_options {
    const char *communication_hint; /* null: "auto" */
    float timeout_seconds;
    bool is_stateless;
    int64_t max_subdivs_per_device; /* 0: -1 */
} weir_collective_reduce_v2_options;
static inline TF_Output weir_collective_reduce_v2(weir_builder *builder, const char *node,
                                                  TF_Output input, TF_Output group_size,
                                                  TF_Output group_key, TF_Output instance_key,
                                                  const TF_Output *ordering_token,
                                                  int ordering_token_count, const char *merge_op,
                                                  const char *final_op,
                                                  const weir_collective_reduce_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveReduceV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_size);
    weir_build_input(builder, made, group_key);
    weir_build_input(builder, made, instance_key);
    weir_build_input_list(builder, made, ordering_token, ordering_token_count);
    if (made) {
        weir_attr_string(made, "merge_op", merge_op);
        weir_attr_string(made, "final_op", final_op);
    }
    if (made && options) {
        if (options->communication_hint)
            weir_attr_string(made, "communication_hint", options->communication_hint);
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
        TF_SetAttrBool(made, "is_stateless", options->is_stateless);
        if (options->max_subdivs_per_device != 0)
            TF_SetAttrInt(made, "max_subdivs_per_device",
                weir_int_of(options->max_subdivs_per_device));
    }
    return weir_build_end(builder, made);
}

/* CollectiveReduceV3(input: T, communicator: resource, group_assignment: int32) -> data: T:
 * reduction over all members. T: bfloat16, float, half, double, int32, int64. reduction: 'Min',
 * 'Max', 'Mul', 'Add'. */
typedef struct weir_collective_reduce_v3_options {
    float timeout_seconds;
} weir_collective_reduce_v3_options;
static inline TF_Output weir_collective_reduce_v3(weir_builder *builder, const char *node,
                                                  TF_Output input, TF_Output communicator,
                                                  TF_Output group_assignment, const char *reduction,
                                                  const weir_collective_reduce_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CollectiveReduceV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, communicator);
    weir_build_input(builder, made, group_assignment);
    if (made) {
        weir_attr_string(made, "reduction", reduction);
    }
    if (made && options) {
        TF_SetAttrFloat(made, "timeout_seconds", options->timeout_seconds);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
