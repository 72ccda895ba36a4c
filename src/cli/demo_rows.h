/* cli/demo_rows.h - machine-readable results of weir demo. */
#ifndef WEIR_CLI_DEMO_ROWS_H
#define WEIR_CLI_DEMO_ROWS_H

#include <stdint.h>

enum { DEMO_MOST_RUNS = 16 };

typedef struct demo_row {
    int workers;
    int64_t steps;
    double seconds, examples_per_s;
    double accuracy; /* below 0: none */
} demo_row;

typedef struct demo_rows {
    const char *model, *data, *report;
    int count;
    demo_row at[DEMO_MOST_RUNS];
} demo_rows;

/* |format| is WEIR_OUTPUT_JSON or WEIR_OUTPUT_CSV. */
void demo_rows_print(const demo_rows *rows, int format);

#endif
