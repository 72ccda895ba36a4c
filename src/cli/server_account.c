/* cli/server_account.c - prints this process's steps, waits, examples and gradients. */
#include "cli/server_account.h"

#include "launch/closing.h"
#include "observe/account.h"
#include "observe/tally.h"

void weir_server_print_account(FILE *out)
{
    weir_tally_task tasks[WEIR_TALLY_TASKS];
    weir_tally tally = weir_tally_get();
    weir_account_totals totals = weir_account_get_totals();
    int64_t waited = 0;
    for (int i = 0; i < WEIR_WAITS; i++)
        waited += totals.wait_ns[i];
    fprintf(out, RUN_ACCOUNT_STEPS "\n", (long long)tally.steps, (long long)totals.steps,
            (long long)tally.rows, (double)(tally.last_ns - tally.first_ns) * 1e-9,
            (double)waited * 1e-9, (double)totals.step_ns * 1e-9);
    size_t count = weir_tally_tasks(tasks, WEIR_TALLY_TASKS);
    for (size_t i = 0; i < count; i++)
        fprintf(out, RUN_ACCOUNT_GRADIENTS "\n", (long long)tasks[i].accepted,
                (long long)tasks[i].stale, tasks[i].task);
    fflush(out);
}
