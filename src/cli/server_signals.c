/* cli/server_signals.c - SIGHUP, SIGUSR1 and SIGUSR2 trigger actions; SIGINT and SIGTERM end it. */
#include "cli/server_signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "base/log.h"
#include "cli/watch/signals.h"
#include "net/access.h"
#include "net/tls.h"

static void tell(const char *what, weir_status status)
{
    if (status)
        weir_log(WEIR_LOG_WARNING, "SIGHUP: the old %s stays: %s", what,
                 weir_status_message(status));
    else
        weir_log(WEIR_LOG_INFO, "SIGHUP: the %s was read again", what);
    weir_status_free(status);
}

static void reload(void)
{
    bool tls = weir_tls_serves() || weir_tls_calls(), token = weir_access_has_token();
    if (tls)
        tell("certificate", weir_tls_reload());
    if (token)
        tell("token", weir_access_reload());
    if (!tls && !token)
        weir_log(WEIR_LOG_WARNING, "SIGHUP: there are no certificates or tokens to read again");
}

/* Signals that a server handles without ending. */
static const struct {
    int number;
    void (*answer)(void);
} answers[] = {
    {SIGHUP, reload},
    {SIGUSR1, watch_print_waits},
    {SIGUSR2, watch_trace_steps},
};

weir_status weir_server_signals_open(int *out_fd)
{
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGINT);
    sigaddset(&taken, SIGTERM);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        sigaddset(&taken, answers[i].number);
    pthread_sigmask(SIG_BLOCK, &taken, NULL);
    signal(SIGPIPE, SIG_IGN); /* closed pipes and file size limits must not end the server */
    signal(SIGXFSZ, SIG_IGN);
    *out_fd = signalfd(-1, &taken, SFD_CLOEXEC);
    return *out_fd >= 0 ? WEIR_OK
                        : weir_error(WEIR_RESOURCE_EXHAUSTED, "no descriptor for signals: %s",
                                     strerror(errno));
}

bool weir_server_signal(int signal_number)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (answers[i].number != signal_number)
            continue;
        answers[i].answer();
        return true;
    }
    return false;
}
