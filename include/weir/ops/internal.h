/* weir/ops/internal.h - the ends of edges between devices.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_INTERNAL_OPS_H
#define WEIR_INTERNAL_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Recv() -> tensor: tensor_type: the two ends of an edge that crosses devices. */
typedef struct weir_recv_options {
    bool client_terminated;
} weir_recv_options;
static inline TF_Output weir_recv(weir_builder *builder, const char *node, TF_DataType tensor_type,
                                  const char *tensor_name, const char *send_device,
                                  int64_t send_device_incarnation, const char *recv_device,
                                  const weir_recv_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Recv", node);
    if (made) {
        TF_SetAttrType(made, "tensor_type", tensor_type);
        weir_attr_string(made, "tensor_name", tensor_name);
        weir_attr_string(made, "send_device", send_device);
        TF_SetAttrInt(made, "send_device_incarnation", send_device_incarnation);
        weir_attr_string(made, "recv_device", recv_device);
    }
    if (made && options) {
        TF_SetAttrBool(made, "client_terminated", options->client_terminated);
    }
    return weir_build_end(builder, made);
}

/* Send(tensor: T): the two ends of an edge that crosses devices. */
typedef struct weir_send_options {
    bool client_terminated;
} weir_send_options;
static inline TF_Operation *weir_send(weir_builder *builder, const char *node, TF_Output tensor,
                                      const char *tensor_name, const char *send_device,
                                      int64_t send_device_incarnation, const char *recv_device,
                                      const weir_send_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Send", node);
    weir_build_input(builder, made, tensor);
    if (made) {
        weir_attr_string(made, "tensor_name", tensor_name);
        weir_attr_string(made, "send_device", send_device);
        TF_SetAttrInt(made, "send_device_incarnation", send_device_incarnation);
        weir_attr_string(made, "recv_device", recv_device);
    }
    if (made && options) {
        TF_SetAttrBool(made, "client_terminated", options->client_terminated);
    }
    return weir_build_end(builder, made).oper;
}

#ifdef __cplusplus
}
#endif
#endif
