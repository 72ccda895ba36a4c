/* cli/watch/doctor.c - weir doctor: checks this host, and others, for problems before a run. */
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/mem.h"
#include "cli/watch/doctor_impl.h"
#include "command/command.h"
#include "command/output.h"
#include "dash/peers.h"
#include "net/address.h"

typedef struct doctor_args {
    const char *hosts, *ssh, *answer;
    int format;
} doctor_args;

void doctor_find(findings *found, const char *what, const char *verdict, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!found->output) {
        printf("row %s\t%s\t%s\n", what, verdict, text);
        return;
    }
    weir_output_row(found->output);
    if (found->by_host)
        weir_output_text(found->output, "host", found->host ? found->host : "");
    weir_output_text(found->output, "check", what);
    weir_output_text(found->output, "verdict", verdict);
    weir_output_text(found->output, "found", text);
    found->bad += strcmp(verdict, "bad") == 0;
}

/* ---- this host ----------------------------------------------------------------------------------
 */

static void check_name(findings *found)
{
    char name[256] = "";
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *result = NULL;
    gethostname(name, sizeof name - 1);
    int failed = getaddrinfo(name, NULL, &hints, &result);
    char address[64] = "";
    if (!failed)
        getnameinfo(result->ai_addr, result->ai_addrlen, address, sizeof address, NULL, 0,
                    NI_NUMERICHOST);
    bool loopback = strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
    if (failed)
        doctor_find(found, "name", "warning", "%s has no address: %s; use addresses, or /etc/hosts",
                    name, gai_strerror(failed));
    else
        doctor_find(found, "name", loopback ? "warning" : "ok", "%s is %s%s", name, address,
                    loopback ? ": other hosts must know it by another address" : "");
    if (result)
        freeaddrinfo(result);
}

static void check_limits(findings *found)
{
    struct rlimit files, memory;
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_AS, &memory);
    doctor_find(found, "open files",
                files.rlim_cur < 1024   ? "bad"
                : files.rlim_cur < 4096 ? "warning"
                                        : "ok",
                "at most %llu; ulimit -n raises it", (unsigned long long)files.rlim_cur);
    if (memory.rlim_cur != RLIM_INFINITY)
        doctor_find(found, "address space", "warning", "limited to %llu MB; ulimit -v",
                    (unsigned long long)memory.rlim_cur >> 20);
}

static void check_memory(findings *found)
{
    double total = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    doctor_find(found, "processors", "ok", "%d, loops for %s", weir_cpu_count(),
                weir_isa_name(weir_cpu_isa()));
    doctor_find(found, "memory", free_bytes < 0.05 * total ? "warning" : "ok",
                "%.1f GB, %.1f GB unused", total * 1e-9, free_bytes * 1e-9);
    if (weir_cgroup_cpus() > 0)
        doctor_find(found, "quota", weir_cgroup_cpus() < 1 ? "warning" : "ok",
                    "%g processors' worth of time, by the control group", weir_cgroup_cpus());
    if (weir_cgroup_memory() > 0)
        doctor_find(found, "limit", "ok", "%.0f MB of memory, by the control group",
                    (double)weir_cgroup_memory() * 1e-6);
}

static void check_disk(findings *found, const char *path)
{
    struct statvfs about;
    if (statvfs(path, &about) != 0) {
        doctor_find(found, "disk", "bad", "%s: %s", path, strerror(errno));
        return;
    }
    double left = (double)about.f_bavail * (double)about.f_frsize;
    doctor_find(found, "disk", left < 1e9 ? "warning" : "ok", "%s has %.1f GB left", path,
                left * 1e-9);
}

static void check_clock(findings *found)
{
    struct timex clock = {0};
    bool in_step = adjtimex(&clock) >= 0 && !(clock.status & STA_UNSYNC);
    doctor_find(found, "clock", in_step ? "ok" : "warning",
                in_step
                    ? "kept by a time server, error at most %ld ms"
                    : "not kept by a time server (error up to %ld ms): traces of several hosts are "
                      "aligned all the same",
                clock.maxerror / 1000);
}

static void check_proxies(findings *found)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "grpc_proxy", "HTTP_PROXY",
                                        "HTTPS_PROXY"};
    const char *set = NULL, *except = weir_env_value("no_proxy");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (weir_env_value(names[i]))
            set = names[i];
    if (set)
        doctor_find(found, "proxy", except ? "ok" : "warning", "%s is set%s", set,
                    except ? ", and no_proxy too"
                           : ": TensorFlow's clients would use it between tasks; set no_proxy");
    else
        doctor_find(found, "proxy", "ok", "none is set");
}

static void check_interfaces(findings *found)
{
    struct ifaddrs *all = NULL;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
        struct ifreq request = {0};
        if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET || !(at->ifa_flags & IFF_UP))
            continue;
        snprintf(request.ifr_name, sizeof request.ifr_name, "%s", at->ifa_name);
        int mtu = fd >= 0 && ioctl(fd, SIOCGIFMTU, &request) == 0 ? request.ifr_mtu : 0;
        doctor_find(found, "interface", mtu && mtu < 1280 ? "warning" : "ok",
                    "%s, packets of %d bytes", at->ifa_name, mtu);
    }
    freeifaddrs(all);
    if (fd >= 0)
        close(fd);
}

static void check_port(findings *found)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool listens = fd >= 0 && listen(fd, 1) == 0;
    doctor_find(found, "ports", listens ? "ok" : "bad",
                listens ? "a port can be listened on" : "no port can be listened on: %s",
                strerror(errno));
    if (fd >= 0)
        close(fd);
    int gpus = 0;
    DIR *dev = opendir("/dev");
    for (struct dirent *entry; dev && (entry = readdir(dev));)
        gpus += strncmp(entry->d_name, "nvidia", 6) == 0 && entry->d_name[6] >= '0' &&
                entry->d_name[6] <= '9';
    if (dev)
        closedir(dev);
    doctor_find(found, "GPUs", "ok", "%d; 'weir device' says more", gpus);
}

/* ---- other hosts --------------------------------------------------------------------------------
 */

/* "a:2222", "unix:path": queries the task running there. */
static void check_host(findings *found, const char *host)
{
    struct addrinfo *result = NULL;
    int failed = weir_address_look_up(host, 0, &result);
    weir_address_free(result);
    if (failed) {
        doctor_find(found, "host", "bad", "%s: %s", host, weir_address_error(failed));
        return;
    }
    weir_peer_get get = {.address = host, .path = "/api/clock"};
    weir_peers_get(&get, 1, 2000);
    const char *number = get.body.at ? strchr(get.body.at, ':') : NULL;
    double ahead_ms = number ? (atof(number + 1) - (double)weir_wall_us()) * 1e-3 : 0;
    if (get.status == 200)
        doctor_find(found, "task", ahead_ms > 1000 || ahead_ms < -1000 ? "warning" : "ok",
                    "%s answers within %.2f ms; its clock differs by %.0f ms", host,
                    (double)(get.first_ns - get.sent_ns) * 1e-6, ahead_ms);
    else
        doctor_find(found, "task", "warning", "%s: %s", host,
                    get.problem ? get.problem : "it is no task of Weir");
    weir_buf_fini(&get.body);
}

/* Letters, digits and other characters of names and addresses; it becomes a command argument. */
static bool is_name(const char *host)
{
    return *host && *host != '-' &&
           strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:_-@[]/") ==
               strlen(host);
}

/* "b" and "me@b", unlike "b:2222", where a task should be running. */
static bool has_port(const char *host)
{
    const char *colon = strrchr(host, ':');
    if (weir_address_path(weir_str_of(host)).length)
        return true;
    return colon && (colon == strchr(host, ':') || colon[-1] == ']');
}

/* Queries running tasks by port; starts an agent on the other hosts. */
static void check_hosts(findings *found, char *hosts, const char *ssh)
{
    WEIR_VEC(char *) far = {0};
    char *rest = NULL;
    for (char *host = strtok_r(hosts, ",", &rest); host; host = strtok_r(NULL, ",", &rest))
        if (!is_name(host))
            doctor_find(found, "host", "bad", "'%s' is no name of a host", host);
        else if (has_port(host))
            check_host(found, host);
        else
            weir_vec_push(&far, host);
    if (far.count)
        doctor_check_hosts(found, ssh, far.at, far.count);
    weir_vec_fini(&far);
}

void doctor_check_here(findings *found)
{
    check_name(found);
    check_limits(found);
    check_memory(found);
    check_disk(found, ".");
    check_disk(found, weir_env_get()->tmpdir ? weir_env_get()->tmpdir : "/tmp");
    check_clock(found);
    check_proxies(found);
    check_interfaces(found);
    check_port(found);
}

static int doctor(void *args, int argc, char **argv)
{
    const doctor_args *a = args;
    if (a->answer)
        return doctor_answer(a->answer);
    WEIR_FREED char *hosts = a->hosts ? weir_strdup(a->hosts) : NULL; /* keys of rows, too */
    findings found = {.output = weir_output_begin(a->format), .by_host = a->hosts != NULL};
    weir_output_table(found.output, a->hosts ? "checks" : NULL);
    doctor_check_here(&found);
    if (hosts)
        check_hosts(&found, hosts, a->ssh);
    weir_output_end(found.output);
    return found.bad ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}

static const weir_option options[] = {
    {"hosts", 'H', "A,B,...", "also check these hosts and the links between them",
     WEIR_TEXT(doctor_args, hosts)},
    {"ssh", 0, "WORDS", "ssh command for reaching them (default: ssh)",
     WEIR_TEXT(doctor_args, ssh)},
    {"answer", 0, "HOST", "answer the doctor of another host on standard input and output",
     WEIR_TEXT(doctor_args, answer)},
    WEIR_OUTPUT_OPTION(doctor_args, format),
};

const weir_command weir_command_doctor = {
    .name = "doctor",
    .summary = "check hosts for problems before a run",
    .about =
        "Checks this host: its name, limits, memory, disks, clock, proxies, interfaces, ports "
        "and GPUs. With -H the other hosts are checked by a weir doctor started there over ssh; "
        "versions and clocks are compared, and between each pair of hosts bandwidth, round-trip "
        "time and packet size are measured, one second per direction. For a host given with a "
        "port, the task running there is queried instead. The exit status is 1 if a finding is "
        "'bad'.\n\n"
        "  weir doctor",
    WEIR_OPTIONS(options),
    WEIR_ARGS(doctor_args),
    .run = doctor,
};
