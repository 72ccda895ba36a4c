/* lab/bench/wire.h - weir bench wire: transfers between tasks compared with plain sockets. */
#ifndef WEIR_LAB_BENCH_WIRE_H
#define WEIR_LAB_BENCH_WIRE_H

#include "command/command.h"

extern const weir_command bench_command_wire;

/* Times of one kind of step. */
typedef struct wire_times {
    const char *step;
    int64_t bytes, workers;
    const char *transports;
    double *weir_ms, *socket_ms; /* sorted by wire_print */
    size_t rounds;
} wire_times;

/* |format| is one of command/output.h. */
void wire_print(int format, const wire_times *times, int count);

/* The baseline program: its server serves |workers| connections on threads, until the process ends.
 * The port is chosen beforehand, so that the workers know it. */
WEIR_CHECKED weir_status wire_plain_serve(int port, long workers);

/* A worker's connection. False, or null: an error; errno is set. */
typedef struct wire_plain wire_plain;
wire_plain *wire_plain_connect(int port);
void wire_plain_close(wire_plain *plain);
/* Sends 4 bytes and receives 4. */
bool wire_plain_ping(wire_plain *plain);
/* Receives |bytes|, then sends as many and waits for the acknowledgement. */
bool wire_plain_null(wire_plain *plain, int64_t bytes);
/* A barrier with the other workers. */
bool wire_plain_meet(wire_plain *plain);

#endif
