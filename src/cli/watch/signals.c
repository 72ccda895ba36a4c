/* cli/watch/signals.c - prints waits and writes traces on signals, without a terminal. */
#include "cli/watch/signals.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/blocking.h"
#include "io/file.h"
#include "observe/account.h"
#include "observe/trace.h"
#include "wire/json.h"

enum { TRACED_STEPS = 10, TRACE_MS = 60000, MOST_WAITS = 3 };

/* ---- waits ----------------------------------------------------------------------------------- */

/* The relevant part of one of weir_account_live's objects. */
typedef struct told {
    weir_buf node, kind, peer;
    double seconds;
} told;

static void told_fini(told *told)
{
    weir_buf_fini(&told->node);
    weir_buf_fini(&told->kind);
    weir_buf_fini(&told->peer);
}

static bool read_wait(weir_json *json, told *out)
{
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        weir_buf *text = strcmp(key.at, "node") == 0   ? &out->node
                         : strcmp(key.at, "kind") == 0 ? &out->kind
                         : strcmp(key.at, "for") == 0  ? &out->peer
                                                       : NULL;
        if (text)
            more = weir_json_string(json, text);
        else if (strcmp(key.at, "seconds") == 0)
            more = weir_json_real(json, &out->seconds);
        else
            more = weir_json_skip(json);
    }
    return !json->failed;
}

/* The length of a node's name without the suffix "_S306" of a transfer. */
static int own_name(const weir_buf *node)
{
    size_t length = node->length;
    while (length && node->at[length - 1] >= '0' && node->at[length - 1] <= '9')
        length--;
    bool sent = length > 2 && length < node->length && strncmp(node->at + length - 2, "_S", 2) == 0;
    return (int)(sent ? length - 2 : node->length);
}

static void put_wait(const told *wait, int number, weir_buf *out)
{
    bool from_task = wait->kind.length && strcmp(wait->kind.at, "recv") == 0;
    weir_buf_addf(out, "%s'%.*s'", number ? "; " : "", own_name(&wait->node), wait->node.at);
    if (from_task)
        weir_buf_addf(out, " of %s", wait->peer.at);
    weir_buf_addf(out, " for %.3g s", wait->seconds);
}

/* The waits of one step, the first few in words. */
static void put_waits(weir_json *json, weir_buf *out)
{
    int count = 0;
    bool more = weir_json_open(json, '[');
    for (; more && weir_json_item(json); count++) {
        told wait = {0};
        if (read_wait(json, &wait) && count < MOST_WAITS)
            put_wait(&wait, count, out);
        told_fini(&wait);
    }
    if (count > MOST_WAITS)
        weir_buf_addf(out, "; and %d more", count - MOST_WAITS);
    else if (!count)
        weir_buf_adds(out, "nothing: it computes");
}

static void put_step(weir_json *json, weir_buf *out)
{
    WEIR_BUF(key);
    WEIR_BUF(waits);
    double seconds = 0;
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key))
        if (strcmp(key.at, "seconds") == 0)
            more = weir_json_real(json, &seconds);
        else if (strcmp(key.at, "waits") == 0)
            put_waits(json, &waits);
        else
            more = weir_json_skip(json);
    weir_buf_addf(out, "a step in flight for %.3g s waits for %s\n", seconds,
                  waits.at ? waits.at : "");
}

void watch_print_waits(void)
{
    WEIR_BUF(text);
    WEIR_BUF(words);
    weir_account_live(&text);
    weir_json json = weir_json_reader(weir_view(&text));
    bool more = weir_json_open(&json, '[');
    while (more && weir_json_item(&json) && !json.failed)
        put_step(&json, &words);
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
