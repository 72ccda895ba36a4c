/* cli/watch/signals.c - prints waits and writes traces on signals, without a terminal. */
#include "cli/watch/signals.h"

#include <stdio.h>
#include <unistd.h>

#include "base/blocking.h"
#include "dash/waits.h"
#include "io/file.h"
#include "observe/account.h"
#include "observe/trace.h"

enum { TRACED_STEPS = 10, TRACE_MS = 60000 };

void watch_print_waits(void)
{
    WEIR_BUF(text);
    WEIR_BUF(words);
    weir_account_live(&text);
    weir_waits_text(weir_view(&text), "", &words);
    fputs(words.length ? words.at : "no step in flight: nothing waits here\n", stderr);
}

/* ---- a trace --------------------------------------------------------------------------------- */

static void trace_steps(void *unused)
{
    WEIR_BUF(events);
    WEIR_BUF(text);
    char path[64];
    weir_trace_next(TRACED_STEPS);
    int steps = weir_trace_take(TRACED_STEPS, TRACE_MS, &events);
    if (events.length)
        events.length--; /* the trailing comma */
    weir_buf_addf(&text, "{\"traceEvents\":[%.*s]}\n", (int)events.length,
                  events.length ? events.at : "");
    snprintf(path, sizeof path, "weir-trace-%d.json", (int)getpid());
    weir_status status = weir_file_write_all(path, text.at, text.length);
    if (status)
        fprintf(stderr, "trace: %s\n", weir_status_message(status));
    else
        fprintf(stderr, "trace: %d step%s in %s\n", steps, steps == 1 ? "" : "s", path);
    weir_status_free(status);
}

void watch_trace_steps(void)
{
    fprintf(stderr, "trace: waits for the next %d steps, at most %d s\n", TRACED_STEPS,
            TRACE_MS / 1000);
    weir_blocking_submit(trace_steps, NULL);
}
