/* lab/bench/peer.h - what is measured: libraries with TensorFlow's C API, each workload in a
 * process of its own, and programs that time a workload by themselves.
 *
 * `weir bench peer` is that process. It says "ready ..." when it has warmed up, and for every line
 * "SECONDS" on its standard input it runs steps for so long and says "round ...". For 0 seconds it
 * times the kernels of a device and says "kernels ...".
 */
#ifndef WEIR_LAB_BENCH_PEER_H
#define WEIR_LAB_BENCH_PEER_H

#include <stdio.h>
#include <sys/types.h>

#include "base/mem.h"
#include "command/command.h"

enum { PEER_NAME = 64, PEER_MOST_TIMES = 4096 };

typedef enum peer_kind {
    PEER_OWN,     /* this program's own library */
    PEER_LIBRARY, /* a file with the C API */
    PEER_PROGRAM, /* PROGRAM --only WORKLOAD --seconds S, which prints "... N ms" */
} peer_kind;

typedef struct peer {
    peer_kind kind;
    char name[PEER_NAME];
    const char *path;
    const char *device; /* of PEER_OWN: the driver whose devices it uses; null: none */
    bool fed;           /* with a device: the data come from the host in every step */
} peer;

/* "tensorflow=/path/lib.so.2", "torch=peer.py", or a path alone. */
WEIR_CHECKED weir_status peer_read(const char *text, peer *out);

typedef WEIR_VEC(double) peer_times;

/* Launches of one name in a step. */
typedef struct peer_kernel {
    char name[PEER_NAME];
    double calls, ms;
} peer_kernel;
typedef WEIR_VEC(peer_kernel) peer_kernels;

/* What a peer did on a workload. */
typedef struct peer_result {
    char *failure;     /* why there is nothing else; null: there is */
    peer_times steps;  /* ms of steps, or means of some when they are short */
    peer_times rounds; /* ms, the median of each round */
    double load_s, start_s, first_loss, last_loss;
    double peak_mb, flops, bytes;
    int unknown; /* products that flops does not count */
    double batch;
    peer_kernels kernels; /* of a device, the longest first */
} peer_result;

void peer_result_fini(peer_result *result);

typedef struct peer_process peer_process;
/* Starts the process and returns when it is ready, or null with |out|'s failure. */
peer_process *peer_start(const peer *peer, const char *folder, const char *workload, int threads,
                         peer_result *out);
bool peer_round(peer_process *process, double seconds, peer_result *out);
/* Asks for the kernels of a step. */
void peer_time_kernels(peer_process *process, peer_result *out);
void peer_end(peer_process *process);  /* waits for it; takes null */
void peer_kill(peer_process *process); /* where it would go on for long; takes null */
/* All of it for a program. */
void peer_run_program(const peer *peer, const char *workload, int threads, double seconds,
                      peer_result *out);

extern const weir_command bench_command_peer;

#endif
