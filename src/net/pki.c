/* net/pki.c - a private authority, and certificates that it signs, by OpenSSL 3. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dl.h"
#include "net/shm_handshake_impl.h"
#include "net/tls_impl.h"

enum {
    DAY_SECONDS = 24 * 3600,
    BEFORE_SECONDS = -3600, /* clocks may differ */
    TEXT_UTF8 = 0x1000,
    VERSION_3 = 2,
    NID_BASIC = 87,
    NID_USE = 83,
    NID_EXTENDED_USE = 126,
    NID_NAMES = 85,
};

typedef struct pki_functions {
#define WEIR_SSL(result, name, arguments) result(*name) arguments;
#include "net/pki.inc"
#undef WEIR_SSL
} pki_functions;

static pki_functions lib;

static weir_status open_library(void)
{
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so", NULL};
    static const weir_dl_symbol symbols[] = {
#define WEIR_SSL(result, name, arguments) {#name, (void **)&lib.name},
#include "net/pki.inc"
#undef WEIR_SSL
    };
    return weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols)
               ? WEIR_OK
               : weir_error(WEIR_FAILED_PRECONDITION,
                            "libcrypto.so.3 (OpenSSL) cannot be opened on this machine");
}

/* ---- files ---- */

static weir_status system_error(const char *path)
{
    return weir_error(errno == EEXIST ? WEIR_ALREADY_EXISTS : WEIR_NOT_FOUND, "%s: %s", path,
                      strerror(errno));
}

/* Creates a file; an existing one is not overwritten, because others may depend on it. */
static weir_status create(const char *path, int mode, FILE **out)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    return *out ? WEIR_OK : system_error(path);
}

static weir_status finish(FILE *file, bool written, const char *path)
{
    bool closed = fclose(file) == 0;
    return written && closed ? WEIR_OK : system_error(path);
}

static weir_status write_pair(const char *folder, const char *name, void *cert, void *key)
{
    WEIR_BUF(cert_path);
    WEIR_BUF(key_path);
    FILE *file;
    weir_buf_addf(&cert_path, "%s/%s.crt", folder, name);
    weir_buf_addf(&key_path, "%s/%s.key", folder, name);
    WEIR_TRY(create(key_path.at, 0600, &file));
    bool written = lib.PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1;
    WEIR_TRY(finish(file, written, key_path.at));
    WEIR_TRY(create(cert_path.at, 0644, &file));
    written = lib.PEM_write_X509(file, cert) == 1;
    return finish(file, written, cert_path.at);
}

static weir_status read_pem(const char *path, void *(*read)(FILE *, void **, void *, void *),
                            void **out)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return system_error(path);
    *out = read(file, NULL, NULL, NULL);
    fclose(file);
    return *out ? WEIR_OK
                : weir_error(WEIR_DATA_LOSS, "%s: this is no PEM file of that kind", path);
}

/* ---- certificates ---- */

static void extend(void *cert, int nid, const char *value)
{
    void *extension = lib.X509V3_EXT_conf_nid(NULL, NULL, nid, value);
    if (extension)
        lib.X509_add_ext(cert, extension, -1);
    lib.X509_EXTENSION_free(extension);
}

static void *new_cert(const char *name, void *key, int days)
{
    void *cert = lib.X509_new();
    lib.X509_set_version(cert, VERSION_3);
    lib.ASN1_INTEGER_set_uint64(lib.X509_get_serialNumber(cert), weir_random_token() >> 1);
    lib.X509_gmtime_adj(lib.X509_getm_notBefore(cert), BEFORE_SECONDS);
    lib.X509_gmtime_adj(lib.X509_getm_notAfter(cert), (long)days * DAY_SECONDS);
    lib.X509_set_pubkey(cert, key);
    lib.X509_NAME_add_entry_by_txt(lib.X509_get_subject_name(cert), "CN", TEXT_UTF8,
                                   (const unsigned char *)name, -1, -1, 0);
    return cert;
}

static weir_status sign(void *cert, void *issuer, void *key)
{
    lib.X509_set_issuer_name(cert, lib.X509_get_subject_name(issuer));
    return lib.X509_sign(cert, key, lib.EVP_sha256()) > 0
               ? WEIR_OK
               : weir_error(WEIR_INTERNAL, "the certificate cannot be signed");
}

static void *new_key(void)
{
    return lib.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

weir_status weir_pki_init(const char *folder, int days)
{
    WEIR_TRY(open_library());
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return system_error(folder);
    void *key = new_key(), *cert = new_cert("Weir authority", key, days);
    extend(cert, NID_BASIC, "critical,CA:TRUE");
    extend(cert, NID_USE, "critical,keyCertSign,cRLSign");
    weir_status status = sign(cert, cert, key);
    if (!status)
        status = write_pair(folder, "ca", cert, key);
    lib.X509_free(cert);
    lib.EVP_PKEY_free(key);
    return status;
}

/* "a,10.0.0.7" as "DNS:a,IP:10.0.0.7". */
static void list_names(const char *names, weir_buf *first, weir_buf *out)
{
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        WEIR_BUF(name);
        weir_buf_add(&name, at, length);
        struct in6_addr address;
        bool ip = inet_pton(AF_INET, name.at, &address) == 1 ||
                  inet_pton(AF_INET6, name.at, &address) == 1;
        weir_buf_addf(out, "%s%s:%s", out->length ? "," : "", ip ? "IP" : "DNS", name.at);
        if (!first->length)
            weir_buf_add(first, name.at, name.length);
        at += length + (at[length] == ',');
    }
}

static weir_status issue(const char *folder, const char *names, int days, void *ca, void *ca_key)
{
    WEIR_BUF(first);
    WEIR_BUF(list);
    list_names(names, &first, &list);
    if (!first.length || strchr(first.at, '/') || first.at[0] == '.')
        return weir_error(WEIR_INVALID_ARGUMENT, "'%s' names no host", names);
    void *key = new_key(), *cert = new_cert(first.at, key, days);
    extend(cert, NID_BASIC, "critical,CA:FALSE");
    extend(cert, NID_USE, "critical,digitalSignature");
    extend(cert, NID_EXTENDED_USE, "serverAuth,clientAuth");
    extend(cert, NID_NAMES, list.at);
    weir_status status = sign(cert, ca, ca_key);
    if (!status)
        status = write_pair(folder, first.at, cert, key);
    lib.X509_free(cert);
    lib.EVP_PKEY_free(key);
    return status;
}

weir_status weir_pki_issue(const char *folder, const char *names, int days)
{
    WEIR_BUF(cert_path);
    WEIR_BUF(key_path);
    void *ca = NULL, *key = NULL;
    WEIR_TRY(open_library());
    weir_buf_addf(&cert_path, "%s/ca.crt", folder);
    weir_buf_addf(&key_path, "%s/ca.key", folder);
    weir_status status = read_pem(cert_path.at, lib.PEM_read_X509, &ca);
    if (!status)
        status = read_pem(key_path.at, lib.PEM_read_PrivateKey, &key);
    if (!status)
        status = issue(folder, names, days, ca, key);
    lib.X509_free(ca);
    lib.EVP_PKEY_free(key);
    return status;
}

weir_status weir_pki_show(const char *path)
{
    void *cert;
    WEIR_TRY(open_library());
    WEIR_TRY(read_pem(path, lib.PEM_read_X509, &cert));
    fflush(stdout);
    lib.X509_print_fp(stdout, cert);
    lib.X509_free(cert);
    return WEIR_OK;
}
