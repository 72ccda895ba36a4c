/* net/tls.h - TLS of this process's servers and channels, and certificates for it.
 *
 * Servers and channels use the same certificate: a task is both. Files are PEM. libssl is loaded
 * when they are set. Thread-safe.
 */
#ifndef WEIR_NET_TLS_H
#define WEIR_NET_TLS_H

#include "base/status.h"

typedef struct weir_tls_files {
    const char *cert, *key; /* this process's own chain and key; null: it has none */
    const char *ca;         /* issuer of the peers' certificates; null: servers request none */
} weir_tls_files;

/* Loads the files. With a certificate, servers use TLS; with |ca| or a certificate, channels
 * do. */
WEIR_CHECKED weir_status weir_tls_set(const weir_tls_files *files);
/* Uses WEIR_TLS_CERT, WEIR_TLS_KEY and WEIR_TLS_CA, unless weir_tls_set was called. */
WEIR_CHECKED weir_status weir_tls_set_up(void);
/* Reloads the files, for new connections; on an error the old ones stay in use. */
WEIR_CHECKED weir_status weir_tls_reload(void);
bool weir_tls_serves(void);   /* servers use TLS */
bool weir_tls_verifies(void); /* they request client certificates */
bool weir_tls_calls(void);    /* channels use TLS */

/* ---- certificates ---- */

/* Creates |folder|/ca.crt and ca.key. */
WEIR_CHECKED weir_status weir_pki_init(const char *folder, int days);
/* Creates |folder|/NAME.crt and NAME.key for the first of |names|, "HOST[,HOST or IP]...", signed
 * by that authority. */
WEIR_CHECKED weir_status weir_pki_issue(const char *folder, const char *names, int days);
/* Prints a certificate. */
WEIR_CHECKED weir_status weir_pki_show(const char *file);

#endif
