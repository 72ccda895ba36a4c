/* net/access.c - tokens, and exemptions from them. */
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
    bool read WEIR_GUARDED_BY(lock); /* the environment's file was read, too */
    bool loopback WEIR_GUARDED_BY(lock);
    bool users WEIR_GUARDED_BY(lock); /* other users, on unix sockets */
    char *file WEIR_GUARDED_BY(lock);
    bool of_tasks WEIR_GUARDED_BY(lock);   /* clients need no token, tasks do */
    weir_buf header WEIR_GUARDED_BY(lock); /* "Bearer TOKEN"; empty: no token */
} all = {.lock = WEIR_MUTEX_INIT};
static atomic_bool nothing; /* configured, with neither a token nor exemptions */

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
    atomic_store(&nothing, !all.header.length && !all.loopback && !all.users);
    return WEIR_OK;
}

/* "loopback", "unix", or both with a comma. */
static weir_status set_exempt(const char *allow) WEIR_REQUIRES(all.lock)
{
    all.loopback = all.users = false;
    for (const char *word = allow ? allow : "", *end; *word; word = end + (*end == ',')) {
        end = word + strcspn(word, ",");
        weir_str name = {word, (size_t)(end - word)};
        all.loopback |= weir_str_is(name, "loopback");
        all.users |= weir_str_is(name, "unix");
        if (!weir_str_is(name, "loopback") && !weir_str_is(name, "unix"))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "--allow takes 'loopback' and 'unix', not '%s'", allow);
    }
    return WEIR_OK;
}

static weir_status set(const char *allow, const char *token_file, const char *task_token_file)
    WEIR_REQUIRES(all.lock)
{
    const char *path = token_file ? token_file : weir_env_get()->token_file;
    if (token_file && task_token_file)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "--token-file is for tasks, too: give it or --task-token-file");
    if (task_token_file)
        path = task_token_file;
    all.of_tasks = task_token_file != NULL;
    WEIR_TRY(set_exempt(allow));
    weir_free(all.file);
    all.file = path ? weir_strdup(path) : NULL;
    return load();
}

weir_status weir_access_set(const char *allow, const char *token_file, const char *task_token_file)
{
    weir_mutex_lock(&all.lock);
    weir_status status = set(allow, token_file, task_token_file);
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

/* A process that never called weir_access_set uses the environment's token; an unreadable file
 * means none. */
static void read_once(void) WEIR_REQUIRES(all.lock)
{
    if (!all.read)
        weir_status_free(set(NULL, NULL, NULL));
    all.read = true;
}

static bool is_exempt(const weir_peer *peer) WEIR_REQUIRES(all.lock)
{
    return peer->by_file ? all.users || atomic_load(&((weir_peer *)peer)->certified)
                         : all.loopback && peer->local;
}

bool weir_access_allows_users(void)
{
    weir_mutex_lock(&all.lock);
    bool allows = all.users;
    weir_mutex_unlock(&all.lock);
    return allows;
}

bool weir_access_takes_plain(const weir_peer *peer)
{
    weir_mutex_lock(&all.lock);
    bool takes = is_exempt(peer);
    weir_mutex_unlock(&all.lock);
    return takes || !weir_tls_serves();
}

bool weir_access_is_for_tasks(weir_str path)
{
    static const char tasks[] = "/tensorflow.WorkerService/";
    return path.length >= sizeof tasks - 1 && memcmp(path.at, tasks, sizeof tasks - 1) == 0;
}

/* In constant time. */
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
    bool guarded = all.header.length || weir_tls_verifies() || peer->by_file;
    bool exempt = is_exempt(peer), has = all.header.length && is_token(sent);
    if (exempt && guarded && !has && for_tasks)
        return weir_error(WEIR_PERMISSION_DENIED,
                          "Methods of WorkerService are for tasks of the cluster, which have a "
                          "certificate or a token");
    if (exempt || !all.header.length || has || (all.of_tasks && !for_tasks))
        return WEIR_OK;
    return weir_error(WEIR_UNAUTHENTICATED, "This server wants a bearer token (--%stoken-file): %s",
                      all.of_tasks ? "task-" : "",
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
