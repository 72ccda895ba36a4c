/* graph/proto.h - between the structs of wire/messages.h and those of graphs and ops.
 *
 * What is read lives in |arena|; texts are copied there, so that the message's bytes may go.
 */
#ifndef WEIR_GRAPH_PROTO_H
#define WEIR_GRAPH_PROTO_H

#include "graph/graph.h"

typedef struct weir_msg_attr_value weir_msg_attr_value;
typedef struct weir_msg_node_def weir_msg_node_def;
typedef struct weir_msg_op_def weir_msg_op_def;

/* ---- reading --------------------------------------------------------------------------------- */

WEIR_CHECKED weir_status weir_attr_from_proto(weir_arena *arena, const weir_msg_attr_value *proto,
                                              weir_attr *out_attr);
/* An entry of a map of attrs. One whose name begins with '_' and whose value makes no sense is a
 * note of some optimiser's: it becomes an attr without a value. */
WEIR_CHECKED weir_status weir_named_attr_from_proto(weir_arena *arena, weir_str name,
                                                    const weir_msg_attr_value *value,
                                                    weir_named_attr *out);
/* A NodeDef, as names: what imports and function bodies start from. */
WEIR_CHECKED weir_status weir_nodedef_from_proto(weir_arena *arena, const weir_msg_node_def *proto,
                                                 weir_function_node *out_node);
WEIR_CHECKED weir_status weir_opdef_from_proto(weir_arena *arena, const weir_msg_op_def *proto,
                                               weir_opdef *out_def);

/* ---- writing --------------------------------------------------------------------------------- */

/* An entry of the map of attrs that |field| is. */
void weir_named_attr_write(weir_buf *out, uint32_t field, const char *name, const weir_attr *value);

#endif
