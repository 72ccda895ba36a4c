/* lab/bench/allreduce_print.c - the table of weir bench allreduce. */
#include "command/output.h"
#include "lab/bench/allreduce.h"
#include "lab/sample/stats.h"

void allreduce_print(int format, const allreduce_times *times, int count)
{
    weir_output *output = weir_output_begin(format);
    weir_output_table(output, NULL);
    for (int i = 0; i < count; i++) {
        const allreduce_times *of = &times[i];
        double median = weir_quantile(of->ms, of->rounds, 0.5);
        weir_output_row(output);
        weir_output_int(output, "members", of->members);
        weir_output_bytes(output, "bytes", of->bytes);
        weir_output_text(output, "transports", of->transports);
        weir_output_real(output, "median_ms", median);
        weir_output_real(output, "low_ms", weir_quantile(of->ms, of->rounds, 0.25));
        weir_output_real(output, "high_ms", weir_quantile(of->ms, of->rounds, 0.75));
        weir_output_real(output, "mb_per_s", (double)of->bytes / median / 1e3);
        weir_output_int(output, "rounds", (int64_t)of->rounds);
    }
    weir_output_end(output);
}
