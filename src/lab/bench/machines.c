/* lab/bench/machines.c - namespaces held by processes, connected by ip and tc. */
#include "lab/bench/machines.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

enum { MOST_WORDS = 24, TEXT = 64, BURST_MS = 2, LEAST_BURST = 262144 };

typedef struct machine {
    pid_t holder;
    int space; /* descriptor of its network namespace */
    char address[TEXT];
    uint64_t processors;
} machine;

struct bench_machines {
    int count;
    bool lack_delay;
    machine hub; /* the switch's namespace */
    machine each[BENCH_MOST_MACHINES];
};

/* ---- holders --------------------------------------------------------------------------------- */

static void hold(pid_t parent, int ready)
{
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* the parent handles Ctrl-C and ends this process */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char word = unshare(CLONE_NEWNET) == 0 && getppid() == parent ? 0 : (char)errno;
    if (write(ready, &word, 1) != 1 || word)
        _exit(1);
    close(ready);
    for (;;)
        pause();
}

static weir_status make_space(machine *out)
{
    int ready[2];
    char word = 0, path[TEXT];
    if (pipe2(ready, O_CLOEXEC) != 0)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "no descriptors left");
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        hold(parent, ready[1]);
    close(ready[1]);
    bool ok = pid > 0 && read(ready[0], &word, 1) == 1 && word == 0;
    close(ready[0]);
    out->holder = pid > 0 ? pid : 0;
    if (!ok)
        return weir_error(WEIR_PERMISSION_DENIED,
                          "network namespaces need root (or CAP_SYS_ADMIN): %s",
                          word ? strerror(word) : "it did not start");
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    out->space = open(path, O_RDONLY | O_CLOEXEC);
    return out->space >= 0 ? WEIR_OK
                           : weir_error(WEIR_UNKNOWN, "cannot open %s: %s", path, strerror(errno));
}

/* ---- ip and tc ------------------------------------------------------------------------------- */

static void exec_tool(char *const *words)
{
    execvp(words[0], words);
    char path[TEXT]; /* may be missing in $PATH */
    snprintf(path, sizeof path, "/usr/sbin/%s", words[0]);
    execv(path, words);
    _exit(127);
}

/* The output on |fd|, joined to one line. */
static void last_words(int fd, char *out, size_t bytes)
{
    ssize_t got = fd >= 0 ? pread(fd, out, bytes - 1, 0) : 0;
    out[got > 0 ? got : 0] = 0;
    out[strcspn(out, "\n")] = 0;
}

/* Runs "ip link set lo up" and the like in |in|'s namespace. */
static weir_status tool(const machine *in, const char *fmt, ...) WEIR_PRINTF(2, 3);
static weir_status tool(const machine *in, const char *fmt, ...)
{
    char line[256], copy[256], said[160], *words[MOST_WORDS + 1], *rest = NULL;
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    snprintf(copy, sizeof copy, "%s", line);
    int count = 0, status = 0, errors = memfd_create("errors", MFD_CLOEXEC);
    for (char *word = strtok_r(copy, " ", &rest); word && count < MOST_WORDS;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    words[count] = NULL;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(errors, 2);
        if (setns(in->space, CLONE_NEWNET) != 0)
            _exit(126);
        exec_tool(words);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    last_words(errors, said, sizeof said);
    if (errors >= 0)
        close(errors);
    if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return WEIR_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return weir_error(WEIR_NOT_FOUND, "there is no program '%s' (package iproute2)", words[0]);
    return weir_error(WEIR_UNKNOWN, "'%s' failed: %s", line, said);
}

static weir_status plug_in(bench_machines *machines, int i)
{
    machine *at = &machines->each[i];
    snprintf(at->address, sizeof at->address, "10.77.0.%d", i + 1);
    WEIR_TRY(tool(&machines->hub, "ip link add port%d type veth peer name eth0 netns %d", i,
                  (int)at->holder));
    WEIR_TRY(tool(&machines->hub, "ip link set port%d master hub up", i));
    WEIR_TRY(tool(at, "ip link set lo up"));
    WEIR_TRY(tool(at, "ip addr add %s/24 dev eth0", at->address));
    return tool(at, "ip link set eth0 up");
}

/* The rate first and the delay inside it, because the kernel may support only one of them. */
static weir_status slow_down(bench_machines *machines, int i, const bench_link *link)
{
    machine *at = &machines->each[i];
    double burst = link->mbit * 1e3 / 8 * BURST_MS; /* smaller bursts would limit fast links */
    if (link->mbit > 0)
        WEIR_TRY(tool(at,
                      "tc qdisc add dev eth0 root handle 1: tbf rate %.3fmbit burst %.0f "
                      "latency 100ms",
                      link->mbit, burst > LEAST_BURST ? burst : LEAST_BURST));
    if (!(link->delay_ms > 0))
        return WEIR_OK;
    weir_status status = tool(at, "tc qdisc add dev eth0 %s netem delay %.3fms limit 100000",
                              link->mbit > 0 ? "parent 1:1 handle 10:" : "root", link->delay_ms);
    machines->lack_delay = machines->lack_delay || status != WEIR_OK;
    weir_status_free(status);
    return WEIR_OK;
}

/* ---- processors ------------------------------------------------------------------------------ */

/* An equal share of this process's CPUs; machines share CPUs if there are too few. */
static uint64_t share_of_processors(int i, int count)
{
    cpu_set_t set;
    int usable[64], total = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int p = 0; p < 64; p++)
        if (CPU_ISSET(p, &set))
            usable[total++] = p;
    uint64_t bits = 0;
    for (int k = 0; total > 0 && k < (total >= count ? total / count : 1); k++)
        bits |= 1ull << usable[(total >= count ? i * (total / count) + k : i) % total];
    return bits;
}

static bool stay_on(uint64_t processors)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int p = 0; p < 64; p++)
        if (processors >> p & 1)
            CPU_SET(p, &set);
    return !processors || sched_setaffinity(0, sizeof set, &set) == 0;
}

/* ---- entry points ---------------------------------------------------------------------------- */

static weir_status make_all(bench_machines *machines, const bench_link *link)
{
    WEIR_TRY(make_space(&machines->hub));
    WEIR_TRY(tool(&machines->hub, "ip link add hub type bridge"));
    WEIR_TRY(tool(&machines->hub, "ip link set hub up"));
    for (int i = 0; i < machines->count; i++) {
        machines->each[i].processors = share_of_processors(i, machines->count);
        WEIR_TRY(make_space(&machines->each[i]));
        WEIR_TRY(plug_in(machines, i));
        WEIR_TRY(slow_down(machines, i, link));
    }
    return WEIR_OK;
}

weir_status bench_machines_create(int count, const bench_link *link, bench_machines **out)
{
    if (count > BENCH_MOST_MACHINES)
        return weir_error(WEIR_INVALID_ARGUMENT, "%d machines are more than %d", count,
                          BENCH_MOST_MACHINES);
    bench_machines *machines = WEIR_NEW(bench_machines);
    machines->count = count;
    machines->hub.space = -1;
    for (int i = 0; i < count; i++)
        machines->each[i].space = -1;
    weir_status status = make_all(machines, link);
    if (status) {
        bench_machines_destroy(machines);
        return status;
    }
    *out = machines;
    return WEIR_OK;
}

static void end_machine(machine *machine)
{
    if (machine->space >= 0)
        close(machine->space);
    if (!machine->holder)
        return;
    kill(machine->holder, SIGKILL);
    while (waitpid(machine->holder, NULL, 0) < 0 && errno == EINTR)
        ;
}

void bench_machines_destroy(bench_machines *machines)
{
    if (!machines)
        return;
    for (int i = 0; i < machines->count; i++)
        end_machine(&machines->each[i]);
    end_machine(&machines->hub);
    weir_free(machines);
}

const char *bench_machine_address(const bench_machines *machines, int i)
{
    return machines->each[i].address;
}

uint64_t bench_machine_processors(const bench_machines *machines, int i)
{
    return machines->each[i].processors;
}

pid_t bench_machine_holder(const bench_machines *machines, int i)
{
    return machines->each[i].holder;
}

bool bench_machines_lack_delay(const bench_machines *machines)
{
    return machines->lack_delay;
}

bool bench_machine_enter(const bench_machines *machines, int i)
{
    return setns(machines->each[i].space, CLONE_NEWNET) == 0 &&
           stay_on(machines->each[i].processors);
}
