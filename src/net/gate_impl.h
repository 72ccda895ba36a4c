/* net/gate_impl.h - the server's end of a road: calls that come by it. */
#ifndef WEIR_NET_GATE_IMPL_H
#define WEIR_NET_GATE_IMPL_H

#include "net/road_impl.h"
#include "net/rpc_impl.h"

typedef struct weir_gate weir_gate;

/* All on the loop's thread. |broken|(arg) is called when the client sends nonsense. */
weir_gate *weir_gate_create(weir_rpc_server *s, weir_road *road, void (*broken)(void *arg),
                            void *arg);
void weir_gate_close(weir_gate *g); /* cancels its calls; takes null */

#endif
