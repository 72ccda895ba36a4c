/* dist/own_servers.h - the servers of this process, by target. Thread-safe. */
#ifndef WEIR_DIST_OWN_SERVERS_H
#define WEIR_DIST_OWN_SERVERS_H

#include "dist/server.h"

/* Registers a server from its start to its end. */
void weir_own_servers_add(weir_server *server);
void weir_own_servers_remove(weir_server *server); /* takes one that was not added */
bool weir_own_servers_have(const char *target);

/* Session |handle| of the server with that target, retained; null if there is none in this process.
 * A closed session does not need its server. */
struct master_session *weir_own_servers_find(const char *target, const char *handle);

#endif
