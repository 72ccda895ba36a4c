/* lab/bench/tensorflow.c - writes the input of tensorflow.py, and executes it.
 *
 * The input is an anonymous file: lines of a key and words, an empty line, the graph, the batches.
 * 'begin' and 'first' give the offsets of the graph and the batches.
 */
#include "lab/bench/tensorflow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "base/str.h"
#include "capi/status.h"
#include "native/builder.h"
#include "train/nodes.h"
#include "weir/data.h"
#include "weir/models.h"

enum {
    MOST_BATCH_BYTES = 32 << 20, /* batches kept to be fed repeatedly */
    ALIGNMENT = 64,
    HEAD_ROOM = 8192, /* reserved for the lines */
};

/* The program's source; the build defines its path and rebuilds this file when it changes. */
__asm__(".section .rodata\n"
        "weir_bench_tensorflow: .incbin \"" WEIR_TENSORFLOW_FILE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char weir_bench_tensorflow[];

/* ---- detection ------------------------------------------------------------------------------- */

static void ask(const char *python, int answer)
{
    static const char program[] =
        "import importlib.metadata, importlib.util, sys\n"
        "if importlib.util.find_spec('tensorflow') is None: sys.exit(1)\n"
        "for name in ('tensorflow', 'tensorflow-cpu', 'tensorflow-intel'):\n"
        "    try: print(importlib.metadata.version(name)); break\n"
        "    except importlib.metadata.PackageNotFoundError: pass\n";
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDERR_FILENO);
    dup2(answer, STDOUT_FILENO);
    execlp(python, python, "-c", program, (char *)NULL);
    _exit(127);
}

static void read_line(int from, char *out, size_t bytes)
{
    size_t length = 0;
    ssize_t got;
    while (length + 1 < bytes && (got = read(from, out + length, bytes - 1 - length)) > 0)
        length += (size_t)got;
    out[length] = 0;
    out[strcspn(out, "\n")] = 0;
}

bool bench_tensorflow_find(const char *python, char out_version[BENCH_TF_VERSION])
{
    int pair[2], status = 1;
    if (pipe2(pair, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0)
        ask(python, pair[1]);
    close(pair[1]);
    read_line(pair[0], out_version, BENCH_TF_VERSION);
    close(pair[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && *out_version;
}

/* ---- the input file -------------------------------------------------------------------------- */

static void add_op(weir_buf *out, const char *key, TF_Operation *op)
{
    weir_buf_addf(out, "%s %s\n", key, op ? TF_OperationName(op) : "");
}

static void add_output(weir_buf *out, const char *key, TF_Output output)
{
    if (output.oper)
        weir_buf_addf(out, "%s %s:%d\n", key, TF_OperationName(output.oper), output.index);
    else
        weir_buf_addf(out, "%s \n", key);
}

static void add_nodes(const bench_tensorflow_work *work, const weir_trainer_nodes *nodes,
                      weir_buf *out)
{
    add_op(out, "init", nodes->init);
    add_op(out, "worker_init", nodes->worker_init);
    add_op(out, "chief_init", nodes->chief_init);
    add_op(out, "first_tokens", nodes->first_tokens);
    add_op(out, "chief_update", nodes->chief_update);
    add_op(out, "close_tokens", nodes->close_tokens);
    add_output(out, "ready", nodes->ready);
    add_output(out, "at", nodes->at);
    add_output(out, "loss", work->graph->loss);
    weir_buf_addf(out, "log %d\nsteps %ld\nstraggle_ms %.9g\nstraggle_every %ld\nthreads %d\n",
                  work->log, work->steps, work->straggle_ms, work->straggle_every,
                  weir_env_get()->threads);
}

static void add_feed(weir_buf *out, TF_Output feed, const TF_Tensor *value)
{
    weir_buf_addf(out, "feed %s:%d %d", TF_OperationName(feed.oper), feed.index,
                  (int)TF_TensorType(value));
    for (int d = 0; d < TF_NumDims(value); d++)
        weir_buf_addf(out, " %lld", (long long)TF_Dim(value, d));
    weir_buf_addc(out, '\n');
}

/* Adds the next batch; describes the feeds in |head|, if not null. */
static bool add_batch(const bench_tensorflow_work *work, weir_buf *out, weir_buf *head,
                      TF_Status *status)
{
    TF_Tensor *values[2] = {NULL, NULL};
    if (!weir_data_next(work->data, &values[0], &values[1], status))
        return false;
    for (int i = 0; i < 2; i++) {
        if (i < work->graph->feed_count) {
            weir_buf_add(out, TF_TensorData(values[i]), TF_TensorByteSize(values[i]));
            if (head)
                add_feed(head, work->graph->feeds[i], values[i]);
        }
        if (values[i])
            TF_DeleteTensor(values[i]);
    }
    return true;
}

/* As many as there are steps, or as fit. */
static weir_status add_batches(const bench_tensorflow_work *work, weir_buf *out, weir_buf *head)
{
    TF_Status *status = TF_NewStatus();
    long count = 0;
    while (work->data && count < work->steps && out->length < MOST_BATCH_BYTES &&
           add_batch(work, out, count ? NULL : head, status))
        count++;
    weir_buf_addf(head, "batches %ld\n", count);
    weir_status result = weir_capi_status(status);
    TF_DeleteStatus(status);
    return result;
}

static weir_status get_graph(const bench_tensorflow_work *work, weir_trainer_nodes *out_nodes,
                             TF_Buffer *graph)
{
    TF_Status *status = TF_NewStatus();
    weir_trainer_get_nodes(work->trainer, out_nodes, status);
    if (TF_GetCode(status) == TF_OK)
        TF_GraphToGraphDef(weir_build_graph(weir_trainer_builder(work->trainer)), graph, status);
    weir_status result = weir_capi_status(status);
    TF_DeleteStatus(status);
    return result;
}

static void pad(weir_buf *out)
{
    while (out->length % ALIGNMENT)
        weir_buf_addc(out, 0);
}

/* The lines, followed at HEAD_ROOM by the graph and the batches. */
static weir_status describe(const bench_tensorflow_work *work, weir_buf *head, weir_buf *body)
{
    weir_trainer_nodes nodes = {0};
    WEIR_BUF(batches);
    TF_Buffer *graph = TF_NewBuffer();
    weir_status status = get_graph(work, &nodes, graph);
    if (!status)
        status = add_batches(work, &batches, head);
    if (!status) {
        add_nodes(work, &nodes, head);
        weir_buf_add(body, graph->data, graph->length);
        pad(body);
        weir_buf_addf(head, "graph %zu\nbegin %d\nfirst %zu\n\n", graph->length, HEAD_ROOM,
                      HEAD_ROOM + body->length);
        if (batches.length)
            weir_buf_add(body, batches.at, batches.length);
    }
    TF_DeleteBuffer(graph);
    return status;
}

static weir_status write_at(int fd, const weir_buf *bytes, off_t at)
{
    for (size_t done = 0; done < bytes->length;) {
        ssize_t wrote = pwrite(fd, bytes->at + done, bytes->length - done, at + (off_t)done);
        if (wrote <= 0)
            return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for TensorFlow's batches: %s",
                              strerror(errno));
        done += (size_t)wrote;
    }
    return WEIR_OK;
}

/* ---- execution ------------------------------------------------------------------------------- */

/* Connections within the cluster bypass any proxy configured for gRPC. */
static void execute(const char *python, const char *job)
{
    static const char *const proxies[] = {"http_proxy", "https_proxy", "grpc_proxy",
                                          "HTTP_PROXY", "HTTPS_PROXY", "GRPC_PROXY"};
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        unsetenv(proxies[i]);
    setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0);
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1); /* CPUs are compared */
    execlp(python, python, "-c", weir_bench_tensorflow, job, (char *)NULL);
}

weir_status bench_tensorflow_serve(const char *python)
{
    execute(python, NULL);
    return weir_error(WEIR_NOT_FOUND, "cannot run %s: %s", python, strerror(errno));
}

weir_status bench_tensorflow_run(const char *python, const bench_tensorflow_work *work)
{
    WEIR_BUF(head);
    WEIR_BUF(body);
    char job[16];
    WEIR_TRY(describe(work, &head, &body));
    if (head.length > HEAD_ROOM)
        return weir_error(WEIR_INTERNAL, "names of %zu bytes are too long", head.length);
    int fd = memfd_create("weir-bench-job", 0);
    if (fd < 0)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for a job: %s", strerror(errno));
    WEIR_TRY(write_at(fd, &head, 0));
    WEIR_TRY(write_at(fd, &body, HEAD_ROOM));
    snprintf(job, sizeof job, "%d", fd);
    execute(python, job);
    return weir_error(WEIR_NOT_FOUND, "cannot run %s: %s", python, strerror(errno));
}
