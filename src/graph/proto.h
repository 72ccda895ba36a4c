/* graph/proto.h - conversion between wire/messages.h and the structs of graphs and ops.
 *
 * Results are allocated in |arena|; strings are copied there, so the message may be freed.
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
/* An entry of an attr map. An entry whose name begins with '_' and whose value is invalid is an
 * annotation of some optimiser: it becomes an attr without a value. */
WEIR_CHECKED weir_status weir_named_attr_from_proto(weir_arena *arena, weir_str name,
                                                    const weir_msg_attr_value *value,
                                                    weir_named_attr *out);
/* A NodeDef with unresolved names: input of imports and function bodies. */
WEIR_CHECKED weir_status weir_nodedef_from_proto(weir_arena *arena, const weir_msg_node_def *proto,
                                                 weir_function_node *out_node);
WEIR_CHECKED weir_status weir_opdef_from_proto(weir_arena *arena, const weir_msg_op_def *proto,
                                               weir_opdef *out_def);

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes one entry of the attr map |field|. */
void weir_named_attr_write(weir_buf *out, uint32_t field, const char *name, const weir_attr *value);

#endif
