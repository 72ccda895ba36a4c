/* net/access.c - tokens, and who needs none. */
#include "net/access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "net/tls.h"

enum { LEAST_TOKEN = 16, MOST_TOKEN = 1024 };

static struct {
    weir_mutex lock;
    bool read WEIR_GUARDED_BY(lock); /* the environment's file was, too */
    bool loopback WEIR_GUARDED_BY(lock);
    char *file WEIR_GUARDED_BY(lock);
    weir_buf header WEIR_GUARDED_BY(lock); /* "Bearer TOKEN"; empty: no token */
} all = {.lock = WEIR_MUTEX_INIT};
static atomic_bool nothing; /* was set: neither a token nor whom to allow */

static weir_status read_token(const char *path, weir_buf *out)
{
    char line[MOST_TOKEN + 2] = "";
    FILE *file = fopen(path, "re");
    if (!file || !fgets(line, sizeof line, file))
        line[0] = 0;
    int why = errno;
    if (file)
        fclose(file);
    line[strcspn(line, "\r\n")] = 0;
    size_t length = strlen(line);
    if (!file)
        return weir_error(WEIR_NOT_FOUND, "token file %s: %s", path, strerror(why));
    if (length < LEAST_TOKEN || length > MOST_TOKEN)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "token file %s: its first line must be a token of %d to %d characters",
                          path, LEAST_TOKEN, MOST_TOKEN);
    weir_buf_addf(out, "Bearer %s", line);
    return WEIR_OK;
}

static weir_status load(void) WEIR_REQUIRES(all.lock)
{
    WEIR_BUF(header);
    if (all.file)
        WEIR_TRY(read_token(all.file, &header));
    all.header.length = 0;
    weir_buf_add(&all.header, header.at, header.length);
    all.read = true;
    atomic_store(&nothing, !all.header.length && !all.loopback);
    return WEIR_OK;
}

static weir_status set(const char *allow, const char *token_file) WEIR_REQUIRES(all.lock)
{
    const char *path = token_file ? token_file : weir_env_get()->token_file;
    if (allow && strcmp(allow, "loopback") != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "--allow takes 'loopback', not '%s'", allow);
    all.loopback = allow != NULL;
    weir_free(all.file);
    all.file = path ? weir_strdup(path) : NULL;
    return load();
}

weir_status weir_access_set(const char *allow, const char *token_file)
{
    weir_mutex_lock(&all.lock);
    weir_status status = set(allow, token_file);
    weir_mutex_unlock(&all.lock);
    return status;
}

weir_status weir_access_reload(void)
{
    weir_mutex_lock(&all.lock);
    weir_status status = load();
    weir_mutex_unlock(&all.lock);
    return status;
}

bool weir_access_has_token(void)
{
    weir_mutex_lock(&all.lock);
    bool has = all.file != NULL;
    weir_mutex_unlock(&all.lock);
    return has;
}

/* A process that never set anything has the environment's token; a file that cannot be read is
 * none. */
static void read_once(void) WEIR_REQUIRES(all.lock)
{
    if (!all.read)
        weir_status_free(set(NULL, NULL));
    all.read = true;
}

static bool is_exempt(const weir_peer *peer) WEIR_REQUIRES(all.lock)
{
    return all.loopback && peer->local;
}

bool weir_access_takes_plain(const weir_peer *peer)
{
    weir_mutex_lock(&all.lock);
    bool takes = is_exempt(peer);
    weir_mutex_unlock(&all.lock);
    return takes || !weir_tls_serves();
}

/* In a time that does not tell how much of it was right. */
static bool is_token(weir_str sent) WEIR_REQUIRES(all.lock)
{
    unsigned differs = sent.length != all.header.length;
    for (size_t i = 0; i < all.header.length; i++)
        differs |= (unsigned char)all.header.at[i] ^
                   (unsigned char)(sent.length ? sent.at[i % sent.length] : 0);
    return !differs;
}

static weir_status check_token(const weir_peer *peer, bool for_tasks, weir_str sent)
    WEIR_REQUIRES(all.lock)
{
    read_once();
    bool guarded = all.header.length || weir_tls_verifies();
    bool exempt = is_exempt(peer), has = all.header.length && is_token(sent);
    if (exempt && guarded && !has && for_tasks)
        return weir_error(WEIR_PERMISSION_DENIED,
                          "Methods of WorkerService are for tasks of the cluster, which have a "
                          "certificate or a token");
    if (exempt || !all.header.length || has)
        return WEIR_OK;
    return weir_error(WEIR_UNAUTHENTICATED, "This server wants a bearer token (--token-file): %s",
                      sent.length ? "another one was sent" : "none was sent");
}

weir_status weir_access_check(const weir_peer *peer, bool for_tasks, weir_str authorization)
{
    if (atomic_load(&nothing) || atomic_load(&((weir_peer *)peer)->certified))
        return WEIR_OK;
    weir_mutex_lock(&all.lock);
    weir_status status = check_token(peer, for_tasks, authorization);
    weir_mutex_unlock(&all.lock);
    return status;
}

void weir_access_header(weir_buf *out)
{
    if (atomic_load(&nothing))
        return;
    weir_mutex_lock(&all.lock);
    read_once();
    weir_buf_add(out, all.header.at, all.header.length);
    weir_mutex_unlock(&all.lock);
}
