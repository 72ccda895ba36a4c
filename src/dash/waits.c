/* dash/waits.c - the JSON of steps in flight in words. */
#include "dash/waits.h"

#include <string.h>

#include "wire/json.h"

enum { MOST_WAITS = 3 };

/* The relevant part of one of weir_account_live's objects. */
typedef struct live_wait {
    weir_buf node, kind, peer;
    double seconds;
} live_wait;

static void wait_fini(live_wait *wait)
{
    weir_buf_fini(&wait->node);
    weir_buf_fini(&wait->kind);
    weir_buf_fini(&wait->peer);
}

static bool read_wait(weir_json *json, live_wait *out)
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

static void put_wait(const live_wait *wait, int number, weir_buf *out)
{
    bool from_task = wait->kind.length && strcmp(wait->kind.at, "recv") == 0;
    weir_buf_addf(out, "%s'%.*s'", number ? "; " : "", own_name(&wait->node), wait->node.at);
    if (from_task)
        weir_buf_addf(out, " of %s", wait->peer.at);
    weir_buf_addf(out, " for %.3g s", wait->seconds);
}

/* The waits of one step, the first few in words; returns their number. */
static int put_waits(weir_json *json, weir_buf *out)
{
    int count = 0;
    bool more = weir_json_open(json, '[');
    for (; more && weir_json_item(json); count++) {
        live_wait wait = {0};
        if (read_wait(json, &wait) && count < MOST_WAITS)
            put_wait(&wait, count, out);
        wait_fini(&wait);
    }
    if (count > MOST_WAITS)
        weir_buf_addf(out, "; and %d more", count - MOST_WAITS);
    else if (!count)
        weir_buf_adds(out, "nothing: it computes");
    return count;
}

/* Returns the number of its waits. */
static int put_step(weir_json *json, const char *prefix, weir_buf *out)
{
    WEIR_BUF(key);
    WEIR_BUF(waits);
    double seconds = 0;
    int count = 0;
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key))
        if (strcmp(key.at, "seconds") == 0)
            more = weir_json_real(json, &seconds);
        else if (strcmp(key.at, "waits") == 0)
            count = put_waits(json, &waits);
        else
            more = weir_json_skip(json);
    weir_buf_addf(out, "%sa step in flight for %.3g s waits for %s\n", prefix, seconds,
                  waits.at ? waits.at : "");
    return count;
}

int weir_waits_text(weir_str text, const char *prefix, weir_buf *out)
{
    int computing = 0;
    weir_json json = weir_json_reader(text);
    bool more = weir_json_open(&json, '[');
    while (more && weir_json_item(&json) && !json.failed)
        computing += put_step(&json, prefix, out) == 0;
    return computing;
}
