/* cli/pki.c - weir pki: certificates for the tasks of a cluster. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "net/tls.h"

typedef struct pki_args {
    const char *dir;
    long days;
} pki_args;

/* |otherwise|: the remedy, unless files exist already. */
static int end(weir_status status, const char *otherwise)
{
    bool exists = status && weir_status_code(status) == WEIR_ALREADY_EXISTS;
    const char *cure =
        exists ? "Files that exist are kept; remove them to make new ones." : otherwise;
    return status ? weir_cli_fail_status(cure, status) : WEIR_EXIT_OK;
}

static int init(void *args, int argc, char **argv)
{
    pki_args *a = args;
    weir_status status = weir_pki_init(a->dir, (int)a->days);
    if (!status)
        printf("%s/ca.crt: every task gets it\n%s/ca.key: stays here, for weir pki issue\n", a->dir,
               a->dir);
    return end(status, "--dir needs a folder that can be written.");
}

static int issue(void *args, int argc, char **argv)
{
    pki_args *a = args;
    weir_status status = WEIR_OK;
    for (int i = 0; i < argc && !status; i++) {
        int name = (int)strcspn(argv[i], ","); /* length of the host's first name */
        status = weir_pki_issue(a->dir, argv[i], (int)a->days);
        if (!status)
            printf("%s/%.*s.crt and .key: for %s, %ld days\n", a->dir, name, argv[i], argv[i],
                   a->days);
    }
    return end(status, "An authority in --dir comes first: weir pki init.");
}

static int show(void *args, int argc, char **argv)
{
    weir_status status = WEIR_OK;
    for (int i = 0; i < argc && !status; i++)
        status = weir_pki_show(argv[i]);
    return end(status, "Give it certificates in PEM format; weir pki issue makes some.");
}

/* ---- the command ------------------------------------------------------------------------------
 */

static const weir_option options[] = {
    {"dir", 'd', "DIR", "folder of the authority", WEIR_TEXT(pki_args, dir),
     .hint = WEIR_HINT_FILE},
    {"days", 0, "N", "days that the certificates are valid", WEIR_INDEX(pki_args, days)},
};

static const weir_command pki_init = {
    .name = "init",
    .summary = "create a certificate authority: ca.crt and ca.key",
    .about = "Creates DIR/ca.crt, for every task, and DIR/ca.key, to be kept here.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(pki_args, .dir = "pki", .days = 3650),
    .run = init,
};

static const weir_command pki_issue = {
    .name = "issue",
    .summary = "create a certificate, signed by the authority, and its key",
    .words = "HOST[,HOST...]...",
    .least = 1,
    .most = 1024,
    .about = "Creates DIR/HOST.crt and DIR/HOST.key for each argument, which lists the names "
             "and IP addresses of one host.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(pki_args, .dir = "pki", .days = 365),
    .run = issue,
};

static const weir_command pki_show = {
    .name = "show",
    .summary = "print certificates",
    .words = "FILE...",
    .least = 1,
    .most = 1024,
    .about = "Prints the names, issuer and dates of certificates.",
    WEIR_ARGS(pki_args),
    .hint = WEIR_HINT_FILE,
    .run = show,
};

static const weir_command *const subs[] = {&pki_init, &pki_issue, &pki_show, NULL};

const weir_command weir_command_pki = {
    .name = "pki",
    .summary = "create certificates for TLS between tasks",
    .about = "Creates a private certificate authority and certificates for the hosts of a "
             "cluster. Pass them to weir server with --tls-cert, --tls-key and --tls-ca.\n\n"
             "  weir pki init\n"
             "  weir pki issue localhost,127.0.0.1\n"
             "  weir pki show pki/localhost.crt",
    .subs = subs,
};
