/* net/tls.h - TLS of this process's servers and channels, and certificates for it.
 *
 * One certificate is for both: a task is a server and a client. Files are PEM. libssl is opened
 * when they are set. Thread-safe.
 */
#ifndef WEIR_NET_TLS_H
#define WEIR_NET_TLS_H

#include "base/status.h"

typedef struct weir_tls_files {
    const char *cert, *key; /* this process's own chain and key; null: it has none */
    const char *ca;         /* who signs the others' certificates; null: servers ask for none */
} weir_tls_files;

/* Reads the files. With a certificate, servers speak TLS; with |ca| or a certificate, channels do.
 */
WEIR_CHECKED weir_status weir_tls_set(const weir_tls_files *files);
/* As WEIR_TLS_CERT, WEIR_TLS_KEY and WEIR_TLS_CA say, unless weir_tls_set was called. */
WEIR_CHECKED weir_status weir_tls_set_up(void);
/* Reads the files again, for connections that begin from now on; on an error the old stay. */
WEIR_CHECKED weir_status weir_tls_reload(void);
bool weir_tls_serves(void);   /* servers speak TLS */
bool weir_tls_verifies(void); /* they ask clients for certificates */
bool weir_tls_calls(void);    /* channels speak TLS */

/* ---- certificates ---- */

/* Makes |folder|/ca.crt and ca.key. */
WEIR_CHECKED weir_status weir_pki_init(const char *folder, int days);
/* Makes |folder|/NAME.crt and NAME.key for the first of |names|, "HOST[,HOST or IP]...", signed by
 * that authority. */
WEIR_CHECKED weir_status weir_pki_issue(const char *folder, const char *names, int days);
/* Prints a certificate. */
WEIR_CHECKED weir_status weir_pki_show(const char *file);

#endif
