/* dist/own_servers.c - a list under a lock. */
#include "dist/own_servers.h"

#include "base/mutex.h"
#include "dist/master_impl.h"

static weir_mutex lock = WEIR_MUTEX_INIT;
static WEIR_VEC(weir_server *) servers WEIR_GUARDED_BY(lock);

void weir_own_servers_add(weir_server *server)
{
    weir_mutex_lock(&lock);
    weir_vec_push(&servers, server);
    weir_mutex_unlock(&lock);
}

void weir_own_servers_remove(weir_server *server)
{
    weir_mutex_lock(&lock);
    for (size_t i = 0; i < servers.count; i++)
        if (servers.at[i] == server)
            servers.at[i--] = servers.at[--servers.count];
    if (!servers.count)
        weir_vec_fini(&servers);
    weir_mutex_unlock(&lock);
}

static weir_server *find(const char *target) WEIR_REQUIRES(lock)
{
    for (size_t i = 0; i < servers.count; i++)
        if (strcmp(weir_server_target(servers.at[i]), target) == 0)
            return servers.at[i];
    return NULL;
}

bool weir_own_servers_have(const char *target)
{
    weir_mutex_lock(&lock);
    bool have = find(target) != NULL;
    weir_mutex_unlock(&lock);
    return have;
}

/* The lock keeps the server until its session is retained. */
master_session *weir_own_servers_find(const char *target, const char *handle)
{
    master_session *session = NULL;
    weir_mutex_lock(&lock);
    weir_server *server = find(target);
    if (server)
        weir_status_free(weir_master_find_session(server, weir_str_of(handle), NULL, &session));
    weir_mutex_unlock(&lock);
    return session;
}
