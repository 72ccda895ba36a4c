/* cli/demo_rows.c - results of weir demo as JSON or CSV. */
#include "cli/demo_rows.h"

#include "command/output.h"

void demo_rows_print(const demo_rows *rows, int format)
{
    weir_output *output = weir_output_begin(format);
    weir_output_text(output, "model", rows->model);
    weir_output_text(output, "data", rows->data);
    weir_output_text(output, "report", rows->report);
    weir_output_table(output, "runs");
    for (int i = 0; i < rows->count; i++) {
        const demo_row *row = &rows->at[i];
        weir_output_row(output);
        weir_output_int(output, "workers", row->workers);
        weir_output_int(output, "steps", row->steps);
        weir_output_real(output, "seconds", row->seconds);
        weir_output_real(output, "examples_per_s", row->examples_per_s);
        weir_output_real(output, "speed_up", rows->at[0].seconds / row->seconds);
        if (row->accuracy >= 0)
            weir_output_real(output, "test_accuracy", row->accuracy);
        else
            weir_output_null(output, "test_accuracy");
    }
    weir_output_end(output);
}
