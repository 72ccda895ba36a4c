/* lab/bench/wire_print.c - the table of weir bench wire. */
#include "command/output.h"
#include "lab/bench/wire.h"
#include "lab/sample/stats.h"

static double put_times(weir_output *output, const char *const keys[3], double *ms, size_t rounds)
{
    double median = weir_quantile(ms, rounds, 0.5);
    weir_output_real(output, keys[0], median);
    weir_output_real(output, keys[1], weir_quantile(ms, rounds, 0.25));
    weir_output_real(output, keys[2], weir_quantile(ms, rounds, 0.75));
    return median;
}

void wire_print(int format, const wire_times *times, int count)
{
    static const char *const weir_keys[] = {"weir_ms", "weir_low_ms", "weir_high_ms"};
    static const char *const socket_keys[] = {"socket_ms", "socket_low_ms", "socket_high_ms"};
    weir_output *output = weir_output_begin(format);
    weir_output_table(output, NULL);
    for (int i = 0; i < count; i++) {
        const wire_times *of = &times[i];
        weir_output_row(output);
        weir_output_text(output, "step", of->step);
        weir_output_bytes(output, "bytes", of->bytes);
        weir_output_int(output, "workers", of->workers);
        weir_output_text(output, "transports", of->transports);
        double weir = put_times(output, weir_keys, of->weir_ms, of->rounds);
        double socket = put_times(output, socket_keys, of->socket_ms, of->rounds);
        weir_output_real(output, "ratio", weir / socket);
        weir_output_int(output, "rounds", (int64_t)of->rounds);
    }
    weir_output_end(output);
}
