/* dist/local.h - the servers of this process, by target.
 *
 * A client that names a server of its own process has its steps run there without the network:
 * tensors are shared, not sent. Everything else goes to the server's port like any client's.
 * Thread-safe.
 */
#ifndef WEIR_DIST_LOCAL_H
#define WEIR_DIST_LOCAL_H

#include "dist/server.h"
#include "session/session.h"

/* A server can be found from its start to its end. */
void weir_local_add(weir_server *server);
void weir_local_remove(weir_server *server); /* takes one that was not added */

/* Runs a step of session |handle| of the server whose target that is. The request's nodes are of
 * another graph and stand for those of the same names. False when there is no such server here;
 * then nothing is done. |partial| may be null. */
bool weir_local_run(const char *target, const char *handle, const char *partial,
                    const weir_request *request, weir_tensor *out_fetched, weir_status *out_status);

#endif
