/* cli/watch/doctor_hosts.c - weir doctor -H: checks every host, and measures each link.
 *
 * On each host an agent answers over ssh (the protocol is in doctor_impl.h). Links are measured one
 * after the other, so that they do not disturb each other.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/watch/doctor_impl.h"
#include "proc/sockets.h"

enum { CLOCK_ROUNDS = 5 };

/* A host and its agent. */
typedef struct far_host {
    const char *name;
    char *bare; /* without "user@" */
    pid_t pid;
    FILE *to, *from; /* null: it does not respond */
    char version[64];
    int port;
} far_host;

/* ---- the agent ------------------------------------------------------------------------------- */

static void exec_ssh(const char *ssh, const far_host *host)
{
    WEIR_BUF(command);
    weir_buf_addf(&command, "exec %s %s weir doctor --answer %s",
                  ssh ? ssh : "ssh -o BatchMode=yes -o ConnectTimeout=10", host->name, host->bare);
    execl("/bin/sh", "sh", "-c", command.at, NULL);
    _exit(127);
}

static void start(far_host *host, const char *ssh)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        return;
    host->pid = fork();
    if (host->pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        exec_ssh(ssh, host);
    }
    close(to[0]);
    close(from[1]);
    host->to = fdopen(to[1], "w");
    host->from = fdopen(from[0], "r");
}

static void end(far_host *host)
{
    if (host->to)
        fclose(host->to);
    if (host->from)
        fclose(host->from);
    if (host->pid > 0)
        waitpid(host->pid, NULL, 0);
    weir_free(host->bare);
}

/* "row CHECK\tVERDICT\tFOUND" */
static void take_row(findings *found, const far_host *host, char *row)
{
    char *rest = NULL, *what = strtok_r(row, "\t", &rest), *verdict = strtok_r(NULL, "\t", &rest);
    char *text = strtok_r(NULL, "\n", &rest);
    if (!what || !verdict || !text)
        return;
    found->host = host->name;
    doctor_find(found, what, verdict, "%s", text);
    found->host = NULL;
}

/* Reads the host's rows, up to its port. */
static void take_rows(findings *found, far_host *host)
{
    char line[1024];
    while (!host->port && host->from && fgets(line, sizeof line, host->from)) {
        if (strncmp(line, "row ", 4) == 0)
            take_row(found, host, line + 4);
        else if (sscanf(line, "version %63s", host->version) != 1)
            sscanf(line, "port %d", &host->port);
    }
    if (!host->port)
        doctor_find(found, "host", "bad",
                    "%s: no weir doctor answers there; ssh must work without a password, and weir "
                    "must be on its PATH",
                    host->name);
}

/* Sends a command, and stores the response in |line|. */
static bool ask(far_host *host, const char *order, char *line, int room)
{
    return host->port && fprintf(host->to, "%s\n", order) > 0 && fflush(host->to) == 0 &&
           fgets(line, room, host->from);
}

/* ---- clocks and versions ------------------------------------------------------------------------
 */

/* The clock offset, from the exchange with the shortest round trip; |out_error|: maximum error. */
static double clock_ahead(far_host *host, double *out_error)
{
    double ahead = NAN;
    char line[256];
    *out_error = INFINITY;
    for (int i = 0; i < CLOCK_ROUNDS; i++) {
        double before = (double)weir_wall_us(), there;
        if (!ask(host, "clock", line, sizeof line) || sscanf(line, "clock %lf", &there) != 1)
            return NAN;
        double after = (double)weir_wall_us();
        if ((after - before) / 2 >= *out_error)
            continue;
        *out_error = (after - before) / 2;
        ahead = there - (after + before) / 2;
    }
    return ahead;
}

static void check_clock(findings *found, far_host *host)
{
    double error, ahead = clock_ahead(host, &error) * 1e-3;
    if (isnan(ahead))
        return;
    doctor_find(found, "clock", fabs(ahead) > 1000 ? "warning" : "ok",
                "that of %s differs from here by %.1f ms (error at most %.1f ms)", host->name,
                ahead, error * 1e-3);
}

static void check_versions(findings *found, const far_host *hosts, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (hosts[i].port && strcmp(hosts[i].version, hosts[0].version) != 0)
            doctor_find(found, "version", "bad", "%s has weir %s, %s has %s", hosts[i].name,
                        hosts[i].version, hosts[0].name, hosts[0].version);
}

/* ---- links --------------------------------------------------------------------------------------
 */

/* The rate from host |from| to host |to| in bytes per second; 0: no link. The receiver measures. */
static double check_link(findings *found, far_host *from, far_host *to)
{
    char order[320], line[512];
    double rate = 0, trip = 0;
    int mtu = 0;
    snprintf(order, sizeof order, "get %.250s %d", from->bare, from->port);
    if (!from->port || !ask(to, order, line, sizeof line))
        return 0;
    if (sscanf(line, "link %lf %lf %d", &rate, &trip, &mtu) != 3) {
        doctor_find(found, "link", "bad", "%s to %s: %.*s", from->name, to->name,
                    (int)strcspn(line, "\n"), line);
        return 0;
    }
    doctor_find(found, "link", mtu && mtu < 1280 ? "warning" : "ok",
                "%s to %s: %.0f Mbit/s, round trip %.3f ms, packets of %d bytes", from->name,
                to->name, rate * 8e-6, trip * 1e3, mtu);
    return rate;
}

/* A link with less than a quarter of the best rate would be the bottleneck of a cluster. */
static void judge_links(findings *found, const far_host *hosts, const double *rates, size_t count)
{
    double best = 0;
    for (size_t i = 0; i < count * count; i++)
        best = fmax(best, rates[i]);
    for (size_t i = 0; i < count * count; i++)
        if (rates[i] > 0 && rates[i] < best / 4)
            doctor_find(found, "link", "warning", "%s to %s has %.0f %% of the best link's rate",
                        hosts[i / count].name, hosts[i % count].name, 100 * rates[i] / best);
}

static void put_matrix(findings *found, const far_host *hosts, const double *rates, size_t count)
{
    weir_output_table(found->output, "bandwidth");
    for (size_t from = 0; from < count; from++) {
        weir_output_row(found->output);
        weir_output_text(found->output, "from, to (Mbit/s)", hosts[from].name);
        for (size_t to = 0; to < count; to++)
            if (to == from)
                weir_output_text(found->output, hosts[to].name, "-");
            else
                weir_output_real(found->output, hosts[to].name,
                                 rint(rates[from * count + to] * 8e-5) / 10);
    }
}

void doctor_check_hosts(findings *found, const char *ssh, char *const *names, size_t count)
{
    far_host *hosts = WEIR_NEW_ARRAY(far_host, count);
    double *rates = WEIR_NEW_ARRAY(double, count *count);
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < count; i++) {
        const char *user = strchr(names[i], '@');
        hosts[i] = (far_host){.name = names[i], .bare = run_bare_host(user ? user + 1 : names[i])};
        start(&hosts[i], ssh);
    }
    for (size_t i = 0; i < count; i++)
        take_rows(found, &hosts[i]);
    check_versions(found, hosts, count);
    for (size_t i = 0; i < count; i++)
        check_clock(found, &hosts[i]);
    for (size_t i = 0; i < count * count; i++)
        if (i / count != i % count)
            rates[i] = check_link(found, &hosts[i / count], &hosts[i % count]);
    judge_links(found, hosts, rates, count);
    put_matrix(found, hosts, rates, count);
    for (size_t i = 0; i < count; i++)
        end(&hosts[i]);
    weir_free(hosts);
    weir_free(rates);
}
