/* cli/train/early.c - ends the process, with complete output, on a signal before the first step. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/train/event.h"
#include "cli/train/work_impl.h"

enum { MARK = 999 }; /* placeholder for the status, which depends on the signal */

static char before[512], after[64];

/* Async-signal-safe calls only. */
static void on_signal(int number)
{
    int status = 128 + number;
    char digits[] = {(char)('0' + status / 100), (char)('0' + status / 10 % 10),
                     (char)('0' + status % 10)};
    if (write(STDOUT_FILENO, before, strlen(before)) < 0 ||
        write(STDOUT_FILENO, digits, sizeof digits) < 0 ||
        write(STDOUT_FILENO, after, strlen(after)) < 0)
        _exit(status);
    _exit(status);
}

static void put_last_words(train_output output, weir_buf *out)
{
    train_event end = {.kind = TRAIN_END, .status = MARK};
    if (output == TRAIN_JSON)
        train_event_write(&end, out);
    else if (output == TRAIN_CSV)
        train_event_write_csv(&end, out);
    else
        weir_buf_addf(out, "Interrupted before the first step; exit status %d\n", MARK);
}

void work_end_on_signals(train_output output)
{
    WEIR_BUF(words);
    char mark[8];
    put_last_words(output, &words);
    snprintf(mark, sizeof mark, "%d", MARK);
    const char *at = strstr(words.at, mark);
    snprintf(before, sizeof before, "%.*s", (int)(at - words.at), words.at);
    snprintf(after, sizeof after, "%s", at + strlen(mark));
    work_handle_signals(on_signal);
}
