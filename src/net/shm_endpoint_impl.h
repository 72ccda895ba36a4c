/* net/shm_endpoint_impl.h - the server's end of a shm transport. */
#ifndef WEIR_NET_SHM_ENDPOINT_IMPL_H
#define WEIR_NET_SHM_ENDPOINT_IMPL_H

#include "net/rpc_impl.h"
#include "net/shm_impl.h"

typedef struct weir_shm_endpoint weir_shm_endpoint;

/* All on the I/O thread. |broken|(arg) is called when the client sends an invalid frame. */
weir_shm_endpoint *weir_shm_endpoint_create(weir_rpc_server *server, weir_peer *peer, weir_shm *shm,
                                            void (*broken)(void *arg), void *arg);
/* Stops receiving and sending; it is released after this round of events. */
void weir_shm_endpoint_retire(weir_shm_endpoint *endpoint);
/* Afterwards: cancels its calls, which may run any callback. */
void weir_shm_endpoint_cancel(weir_shm_endpoint *endpoint);

#endif
