/* net/tls.c - OpenSSL, and the certificates of this process. */
#include "net/tls.h"

#include <pthread.h>
#include <string.h>

#include "base/dl.h"
#include "base/env.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "net/tls_impl.h"

static weir_openssl lib;
static bool lib_loaded;
static pthread_once_t lib_once = PTHREAD_ONCE_INIT;

static struct {
    weir_mutex lock;
    bool set WEIR_GUARDED_BY(lock);
    char *cert WEIR_GUARDED_BY(lock), *key WEIR_GUARDED_BY(lock), *ca WEIR_GUARDED_BY(lock);
    void *server WEIR_GUARDED_BY(lock); /* SSL_CTX; null: no TLS */
    void *client WEIR_GUARDED_BY(lock);
} all = {.lock = WEIR_MUTEX_INIT};

/* ---- the library ---- */

static void load(void)
{
    static const char *const names[] = {"libssl.so.3", "libssl.so.1.1", "libssl.so", NULL};
    static const weir_dl_symbol symbols[] = {
#define WEIR_SSL(result, name, arguments) {#name, (void **)&lib.name},
#include "net/openssl.inc"
#undef WEIR_SSL
    };
    lib_loaded = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols) &&
                 lib.OPENSSL_init_ssl(SSL_NO_ATEXIT, NULL) == 1;
}

const weir_openssl *weir_openssl_get(void)
{
    pthread_once(&lib_once, load);
    return lib_loaded ? &lib : NULL;
}

static weir_status ssl_error(const char *what, const char *file)
{
    const char *why = lib.ERR_reason_error_string(lib.ERR_get_error());
    lib.ERR_clear_error();
    return weir_error(WEIR_FAILED_PRECONDITION, "TLS: %s %s: %s", what, file,
                      why ? why : "it cannot be used");
}

/* ---- contexts ---- */

/* The protocol is detected by the first bytes, so ALPN only selects "http/1.1" for browsers, which
 * offer both, and "h2" for gRPC. */
static int choose_protocol(void *ssl, const unsigned char **out, unsigned char *out_length,
                           const unsigned char *offered, unsigned length, void *arg)
{
    *out = NULL;
    for (unsigned i = 0; i < length && i + 1 + offered[i] <= length; i += 1 + offered[i]) {
        bool http = offered[i] == 8 && memcmp(offered + i + 1, "http/1.1", 8) == 0;
        bool h2 = offered[i] == 2 && memcmp(offered + i + 1, "h2", 2) == 0;
        if (http || (h2 && !*out)) {
            *out = offered + i + 1;
            *out_length = offered[i];
        }
    }
    return *out ? 0 : SSL_ALPN_FAILED;
}

static weir_status use_files(void *ctx, const weir_tls_files *files)
{
    if (files->cert && lib.SSL_CTX_use_certificate_chain_file(ctx, files->cert) != 1)
        return ssl_error("certificate", files->cert);
    if (files->cert && lib.SSL_CTX_use_PrivateKey_file(ctx, files->key, SSL_FILE_PEM) != 1)
        return ssl_error("key", files->key);
    if (files->cert && lib.SSL_CTX_check_private_key(ctx) != 1)
        return ssl_error("certificate and key do not belong together:", files->key);
    if (files->ca && lib.SSL_CTX_load_verify_locations(ctx, files->ca, NULL) != 1)
        return ssl_error("authority", files->ca);
    return WEIR_OK;
}

static weir_status new_context(const weir_tls_files *files, bool server, void **out_ctx)
{
    void *ctx = lib.SSL_CTX_new(lib.TLS_method());
    if (!ctx)
        return ssl_error("context", "");
    lib.SSL_CTX_ctrl(ctx, SSL_SET_MIN_VERSION, SSL_TLS_1_2, NULL);
    lib.SSL_CTX_ctrl(ctx, SSL_SET_MODE, SSL_MODES, NULL);
    if (!files->ca && !server)
        lib.SSL_CTX_set_default_verify_paths(ctx);
    if (server)
        lib.SSL_CTX_set_alpn_select_cb(ctx, choose_protocol, NULL);
    lib.SSL_CTX_set_verify(ctx,
                           !server     ? SSL_VERIFY_PEER_ONLY
                           : files->ca ? SSL_DEMAND_CERT
                                       : 0,
                           NULL);
    weir_status status = use_files(ctx, files);
    if (status)
        lib.SSL_CTX_free(ctx);
    else
        *out_ctx = ctx;
    return status;
}

static void replace_context(void **slot, void *with)
{
    if (*slot)
        lib.SSL_CTX_free(*slot); /* connections keep theirs */
    *slot = with;
}

static weir_status read_files(const weir_tls_files *files) WEIR_REQUIRES(all.lock)
{
    void *server = NULL, *client = NULL;
    if (!files->cert != !files->key)
        return weir_error(WEIR_INVALID_ARGUMENT, "TLS: a certificate and its key come together");
    if ((files->cert || files->ca) && !weir_openssl_get())
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "TLS: libssl.so.3 (OpenSSL) cannot be opened on this machine");
    if (files->cert)
        WEIR_TRY(new_context(files, true, &server));
    weir_status status = files->cert || files->ca ? new_context(files, false, &client) : WEIR_OK;
    if (status) {
        replace_context(&server, NULL);
        return status;
    }
    replace_context(&all.server, server);
    replace_context(&all.client, client);
    return WEIR_OK;
}

static char *copy_of(const char *path)
{
    return path && *path ? weir_strdup(path) : NULL;
}

static weir_status set(const weir_tls_files *files) WEIR_REQUIRES(all.lock)
{
    weir_free(all.cert);
    weir_free(all.key);
    weir_free(all.ca);
    all.cert = copy_of(files->cert);
    all.key = copy_of(files->key);
    all.ca = copy_of(files->ca);
    WEIR_TRY(read_files(&(weir_tls_files){all.cert, all.key, all.ca}));
    all.set = true;
    return WEIR_OK;
}

weir_status weir_tls_set(const weir_tls_files *files)
{
    weir_mutex_lock(&all.lock);
    weir_status status = set(files);
    weir_mutex_unlock(&all.lock);
    return status;
}

weir_status weir_tls_set_up(void)
{
    const weir_env *env = weir_env_get();
    weir_mutex_lock(&all.lock);
    weir_status status =
        all.set ? WEIR_OK : set(&(weir_tls_files){env->tls_cert, env->tls_key, env->tls_ca});
    weir_mutex_unlock(&all.lock);
    return status;
}

weir_status weir_tls_reload(void)
{
    weir_mutex_lock(&all.lock);
    weir_status status = read_files(&(weir_tls_files){all.cert, all.key, all.ca});
    weir_mutex_unlock(&all.lock);
    return status;
}

bool weir_tls_serves(void)
{
    weir_mutex_lock(&all.lock);
    bool serves = all.cert != NULL;
    weir_mutex_unlock(&all.lock);
    return serves;
}

bool weir_tls_verifies(void)
{
    weir_mutex_lock(&all.lock);
    bool verifies = all.cert && all.ca;
    weir_mutex_unlock(&all.lock);
    return verifies;
}

bool weir_tls_calls(void)
{
    weir_mutex_lock(&all.lock);
    bool calls = all.cert || all.ca;
    weir_mutex_unlock(&all.lock);
    return calls;
}

void *weir_tls_new(bool server)
{
    weir_mutex_lock(&all.lock);
    void *ctx = server ? all.server : all.client;
    void *ssl = ctx ? lib.SSL_new(ctx) : NULL;
    weir_mutex_unlock(&all.lock);
    return ssl;
}
