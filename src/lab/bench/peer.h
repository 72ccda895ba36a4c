/* lab/bench/peer.h - the systems compared: libraries with TensorFlow's C API, one process per
 * workload, and programs that time a workload themselves.
 *
 * `weir bench peer` is that process. It prints "ready ..." after warming up. For every line
 * "SECONDS" on standard input it runs steps for that time and prints "round ...". For 0 seconds it
 * times the kernels of a device and prints "kernels ...".
 */
#ifndef WEIR_LAB_BENCH_PEER_H
#define WEIR_LAB_BENCH_PEER_H

#include <stdio.h>
#include <sys/types.h>

#include "base/mem.h"
#include "command/command.h"

enum { PEER_NAME = 64, PEER_MOST_TIMES = 4096 };

typedef enum peer_kind {
    PEER_OWN,     /* this build's library */
    PEER_LIBRARY, /* a shared library with the C API */
    PEER_PROGRAM, /* PROGRAM --only WORKLOAD --seconds S, which prints "... N ms" */
} peer_kind;

typedef struct peer {
    peer_kind kind;
    char name[PEER_NAME];
    const char *path;
    const char *device; /* of PEER_OWN: its device driver; null: none */
    bool fed;           /* with a device: feeds the data from the host in every step */
} peer;

/* Parses "tensorflow=/path/lib.so.2", "torch=peer.py", or a path alone. */
WEIR_CHECKED weir_status peer_read(const char *text, peer *out);

typedef WEIR_VEC(double) peer_times;

/* Launches of one kernel in a step. */
typedef struct peer_kernel {
    char name[PEER_NAME];
    double calls, ms;
} peer_kernel;
typedef WEIR_VEC(peer_kernel) peer_kernels;

/* The result of a peer on a workload. */
typedef struct peer_result {
    char *failure;     /* why there are no other results; null: success */
    peer_times steps;  /* ms per step, or means over several short steps */
    peer_times rounds; /* ms, the median of each round */
    double load_s, start_s, first_loss, last_loss;
    double peak_mb, flops, bytes;
    int unknown; /* products not counted in flops */
    double batch;
    peer_kernels kernels;                /* of a device, in order of decreasing time */
    double device_gflops, device_gbytes; /* what the device reaches at most; 0: not measured */
} peer_result;

void peer_result_fini(peer_result *result);

typedef struct peer_process peer_process;
/* Starts the process and waits until it is ready; null on failure, which is in |out|. */
peer_process *peer_start(const peer *peer, const char *folder, const char *workload, int threads,
                         peer_result *out);
bool peer_round(peer_process *process, double seconds, peer_result *out);
/* Measures the kernels of a step. */
void peer_time_kernels(peer_process *process, peer_result *out);
void peer_end(peer_process *process);  /* waits for it; takes null */
void peer_kill(peer_process *process); /* without waiting for its work; takes null */
/* The whole measurement, for a program. */
void peer_run_program(const peer *peer, const char *workload, int threads, double seconds,
                      peer_result *out);

extern const weir_command bench_command_peer;

#endif
