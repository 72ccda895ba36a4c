/* lab/bench/machines.h - simulated machines on one host.
 *
 * Each is a network namespace with its own loopback and one interface, eth0, plugged into a switch
 * in a namespace of its own, and a set of processors. The namespaces are anonymous: they disappear
 * with the process that holds them, which always dies with this one. Creating them needs root and
 * the programs ip and tc.
 */
#ifndef WEIR_LAB_BENCH_MACHINES_H
#define WEIR_LAB_BENCH_MACHINES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

enum { BENCH_MOST_MACHINES = 32 };

typedef struct bench_link {
    double mbit;     /* egress bandwidth of each machine in Mbit/s; 0: unlimited */
    double delay_ms; /* egress delay of each machine; 0: none */
} bench_link;

typedef struct bench_machines bench_machines;

/* The status explains why machines cannot be created here. */
WEIR_CHECKED weir_status bench_machines_create(int count, const bench_link *link,
                                               bench_machines **out);
void bench_machines_destroy(bench_machines *machines); /* takes null */

const char *bench_machine_address(const bench_machines *machines, int i); /* "10.77.0.1" */
uint64_t bench_machine_processors(const bench_machines *machines, int i); /* bit i: processor i */
pid_t bench_machine_holder(const bench_machines *machines, int i);        /* in its namespace */
/* Whether delays were requested that this kernel does not support. */
bool bench_machines_lack_delay(const bench_machines *machines);
/* In a forked child: moves it to machine |i|. False on failure. */
bool bench_machine_enter(const bench_machines *machines, int i);

#endif
