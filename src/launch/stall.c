/* launch/stall.c - see stall.h. */
#include "launch/stall.h"

#include <stdio.h>

#include "base/mem.h"
#include "dash/peers.h"
#include "dash/waits.h"
#include "wire/json.h"

enum { ASK_MS = 500 };
static const int64_t notice_s[] = {
    10, 60, 600}; /* after the last step ended; then at the last's interval */
enum { NOTICES = sizeof notice_s / sizeof *notice_s };

void run_stall_add(run_stall *stall, weir_str state)
{
    WEIR_BUF(key);
    weir_json json = weir_json_reader(state);
    bool more = weir_json_open(&json, '{');
    while (more && weir_json_key(&json, &key)) {
        int64_t *sum = strcmp(key.at, "steps") == 0       ? &stall->ended
                       : strcmp(key.at, "in_flight") == 0 ? &stall->in_flight
                                                          : NULL;
        int64_t value = 0;
        more = sum ? weir_json_int(&json, &value) : weir_json_skip(&json);
        if (sum)
            *sum += value;
    }
}

static int64_t notice_after(int notices)
{
    int over = notices - (NOTICES - 1);
    return over <= 0 ? notice_s[notices] : notice_s[NOTICES - 1] * (over + 1);
}

bool run_stall_due(run_stall *stall, int64_t now_ns)
{
    bool moves = stall->ended != stall->seen_ended || !stall->in_flight;
    stall->seen_ended = stall->ended;
    stall->ended = stall->in_flight = 0;
    if (moves) {
        stall->since_ns = now_ns;
        stall->notices = 0;
    }
    bool due = (now_ns - stall->since_ns) / 1000000000 >= notice_after(stall->notices);
    stall->notices += due;
    return due;
}

/* The steps in words; false if one of them computes, or a task does not answer. */
static bool all_wait(const run_stalled *tasks, const weir_peer_get *gets, size_t count,
                     weir_buf *out)
{
    int computing = 0;
    bool answered = true;
    for (size_t i = 0; i < count; i++) {
        WEIR_BUF(prefix);
        weir_buf_addf(&prefix, "  %s: ", tasks[i].name);
        answered = answered && gets[i].status == 200;
        if (gets[i].status == 200)
            computing += weir_waits_text(weir_view(&gets[i].body), prefix.at, out);
    }
    return answered && !computing;
}

void run_stall_print(const run_stall *stall, const run_stalled *tasks, size_t count, int64_t now_ns)
{
    WEIR_BUF(words);
    weir_peer_get *gets = WEIR_NEW_ARRAY(weir_peer_get, count + 1);
    for (size_t i = 0; i < count; i++)
        gets[i] = (weir_peer_get){.address = tasks[i].address, .path = "/api/waits"};
    weir_peers_get(gets, count, ASK_MS);
    if (all_wait(tasks, gets, count, &words) && words.length)
        fprintf(stderr, "weir: no step has ended for %lld s, and all of them wait\n%s",
                (long long)((now_ns - stall->since_ns) / 1000000000), words.at);
    for (size_t i = 0; i < count; i++)
        weir_buf_fini(&gets[i].body);
    weir_free(gets);
}
