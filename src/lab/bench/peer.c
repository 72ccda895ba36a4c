/* lab/bench/peer.c - the parent's side of measuring processes. */
#include "lab/bench/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "lab/sample/stats.h"
#include "proc/spawn.h"

enum { MOST_WORDS = 16, LINE = 1 << 17, KEPT = 400 };

struct peer_process {
    pid_t pid;
    FILE *to, *from;
    int errors; /* its standard error */
};

/* ---- names ----------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), m = strlen(end);
    return length >= m && strcmp(text + length - m, end) == 0;
}

weir_status peer_read(const char *text, peer *out)
{
    const char *equals = strchr(text, '='), *path = equals ? equals + 1 : text;
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    *out = (peer){.path = path};
    if (equals)
        snprintf(out->name, sizeof out->name, "%.*s", (int)(equals - text), text);
    else
        snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(file, "."), file);
    out->kind = strstr(file, ".so") ? PEER_LIBRARY : PEER_PROGRAM;
    if (access(path, R_OK) != 0)
        return weir_error(WEIR_NOT_FOUND, "peer '%s': cannot read %s: %s", out->name, path,
                          strerror(errno));
    return WEIR_OK;
}

void peer_result_fini(peer_result *result)
{
    weir_free(result->failure);
    weir_vec_fini(&result->steps);
    weir_vec_fini(&result->rounds);
    weir_vec_fini(&result->kernels);
}

static void fail(peer_result *out, const char *fmt, ...) WEIR_PRINTF(2, 3);
static void fail(peer_result *out, const char *fmt, ...)
{
    char text[KEPT + 128];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    text[strcspn(text, "\n")] = 0;
    weir_free(out->failure);
    out->failure = weir_strdup(text);
}

/* ---- starting -------------------------------------------------------------------------------- */

/* In the child: execs the peer. */
static void become(pid_t parent, int in, int out, int err, char *const *words, int threads,
                   const char *device)
{
    char count[16];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    snprintf(count, sizeof count, "%d", threads);
    setenv("OMP_NUM_THREADS", count, 1); /* for programs that measure themselves */
    setenv("WEIR_THREADS", count, 1);
    if (device)
        setenv("WEIR_DEVICES", strcmp(device, "gpu") == 0 ? "cuda" : device, 1);
    setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0);
    execvp(words[0], words);
    fprintf(stderr, "cannot run %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

static peer_process *spawn(char *const *words, int threads, const char *device)
{
    int in[2], out[2], err = memfd_create("errors", MFD_CLOEXEC);
    if (err < 0 || pipe2(in, O_CLOEXEC) != 0)
        return NULL;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return NULL;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(parent, in[0], out[1], err, words, threads, device);
    close(in[0]);
    close(out[1]);
    peer_process *process = WEIR_NEW(peer_process);
    *process = (peer_process){pid, fdopen(in[1], "w"), fdopen(out[0], "r"), err};
    return process;
}

/* The last line of its standard error, or its exit status. */
static void explain(peer_process *process, peer_result *out)
{
    char said[KEPT] = "";
    off_t size = lseek(process->errors, 0, SEEK_END),
          from = size > KEPT - 1 ? size - (KEPT - 1) : 0;
    ssize_t got = pread(process->errors, said, sizeof said - 1, from);
    said[got > 0 ? got : 0] = 0;
    for (size_t length = strlen(said); length && said[length - 1] == '\n'; length--)
        said[length - 1] = 0;
    const char *line = strrchr(said, '\n');
    fail(out, "%s", *said ? (line ? line + 1 : said) : "it ended and printed nothing");
}

/* Reads a line that starts with |word|; null with the failure. */
static char *hear(peer_process *process, const char *word, char *line, peer_result *out)
{
    while (process->from && fgets(line, LINE, process->from))
        if (strncmp(line, word, strlen(word)) == 0)
            return line + strlen(word);
    explain(process, out);
    return NULL;
}

peer_process *peer_start(const peer *peer, const char *folder, const char *workload, int threads,
                         peer_result *out)
{
    char count[16], name[] = "peer", bench[] = "bench", *line = weir_alloc(LINE);
    snprintf(count, sizeof count, "%d", threads);
    char *words[] = {(char *)run_binary(),
                     bench,
                     name,
                     (char *)"--folder",
                     (char *)folder,
                     (char *)"--workload",
                     (char *)workload,
                     (char *)"--threads",
                     count,
                     peer->kind == PEER_LIBRARY ? (char *)"--library"
                     : peer->device ? (peer->fed ? (char *)"--fed" : (char *)"--on-device")
                                    : NULL,
                     (char *)peer->path,
                     NULL};
    peer_process *process = spawn(words, threads, peer->device);
    if (!process)
        fail(out, "no processes or descriptors left");
    const char *said = process ? hear(process, "ready ", line, out) : NULL;
    if (said && sscanf(said, "%lf %lf %lf %lf %lf %lf %d %lf", &out->load_s, &out->start_s,
                       &out->first_loss, &out->last_loss, &out->flops, &out->bytes, &out->unknown,
                       &out->batch) != 8)
        fail(out, "unexpected output: %s", said);
    weir_free(line);
    if (!out->failure)
        return process;
    peer_kill(process);
    return NULL;
}

bool peer_round(peer_process *process, double seconds, peer_result *out)
{
    char *line = weir_alloc(LINE), *at;
    peer_times round = {0};
    fprintf(process->to, "%.6f\n", seconds);
    fflush(process->to);
    at = hear(process, "round ", line, out);
    if (at) {
        out->peak_mb = strtod(at, &at);
        for (char *end; strtod(at, &end) > 0 && end != at; at = end)
            weir_vec_push(&round, strtod(at, NULL));
        for (size_t i = 0; i < round.count; i++)
            weir_vec_push(&out->steps, round.at[i]);
        weir_vec_push(&out->rounds, weir_quantile(round.at, round.count, 0.5));
    }
    weir_vec_fini(&round);
    weir_free(line);
    return at != NULL;
}

void peer_time_kernels(peer_process *process, peer_result *out)
{
    WEIR_FREED char *line = weir_alloc(LINE);
    fprintf(process->to, "0\n");
    fflush(process->to);
    const char *at = hear(process, "kernels ", line, out);
    int used = 0;
    if (!at || sscanf(at, "%lf %lf %lf%n", &out->peak_mb, &out->device_gflops, &out->device_gbytes,
                      &used) != 3)
        return;
    peer_kernel kernel;
    for (at += used;
         sscanf(at, " %lf %lf %63[^;];%n", &kernel.calls, &kernel.ms, kernel.name, &used) == 3;
         at += used)
        weir_vec_push(&out->kernels, kernel);
}

static int end_process(peer_process *process, struct rusage *used)
{
    int status = 0;
    if (process->to)
        fclose(process->to);
    if (process->from)
        fclose(process->from);
    close(process->errors);
    while (process->pid > 0 && wait4(process->pid, &status, 0, used) < 0 && errno == EINTR)
        ;
    weir_free(process);
    return status;
}

void peer_end(peer_process *process)
{
    struct rusage used;
    if (process)
        end_process(process, &used);
}

void peer_kill(peer_process *process)
{
    if (process && process->pid > 0)
        kill(process->pid, SIGKILL);
    peer_end(process);
}

/* ---- programs -------------------------------------------------------------------------------- */

void peer_run_program(const peer *peer, const char *workload, int threads, double seconds,
                      peer_result *out)
{
    char text[32], line[1024];
    const char *python = weir_env_get()->python ? weir_env_get()->python : "python3";
    snprintf(text, sizeof text, "%g", seconds);
    char *words[] = {(char *)python,
                     (char *)peer->path,
                     (char *)"--only",
                     (char *)workload,
                     (char *)"--seconds",
                     text,
                     NULL};
    peer_process *process = spawn(ends_in(peer->path, ".py") ? words : words + 1, threads, NULL);
    if (!process) {
        fail(out, "no processes or descriptors left");
        return;
    }
    while (fgets(line, sizeof line, process->from)) {
        char *ms = strstr(line, " ms"), *number = ms;
        while (number > line && strchr("0123456789.", number[-1]))
            number--;
        double step = ms ? strtod(number, NULL) : 0;
        if (step <= 0)
            continue;
        weir_vec_push(&out->steps, step);
        weir_vec_push(&out->rounds, step);
    }
    if (!out->steps.count)
        explain(process, out);
    struct rusage used = {0};
    if (!feof(process->from)) /* a signal ended the reading */
        kill(process->pid, SIGKILL);
    end_process(process, &used);
    out->peak_mb = (double)used.ru_maxrss / 1024;
}
