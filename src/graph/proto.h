/* graph/proto.h - the messages of GraphDef, for the files that read and write them. */
#ifndef WEIR_GRAPH_PROTO_H
#define WEIR_GRAPH_PROTO_H

#include "graph/graph.h"
#include "wire/pb.h"

/* A map entry {1 key, 2 AttrValue}. */
WEIR_CHECKED weir_status weir_named_attr_read(weir_arena *arena, weir_str entry,
                                              weir_named_attr *out);
void weir_named_attr_write(weir_buf *out, uint32_t field, const char *name, const weir_attr *value);
WEIR_CHECKED weir_status weir_opdef_read(weir_arena *arena, weir_str bytes, weir_opdef *out_def);
/* A NodeDef, as names: what imports and function bodies start from. */
WEIR_CHECKED weir_status weir_nodedef_read(weir_arena *arena, weir_str bytes,
                                           weir_function_node *out_node);

#endif
