/*
 * ops/string/regex_run.c - runs a program over a text, all alternatives at once.
 *
 * Threads are kept in order of preference; a place of the program is entered at most once per
 * position of the text, so time is bounded by text length times program size.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "ops/string/regex_impl.h"

enum { SLOTS = 2 * WEIR_REGEX_GROUPS };

typedef struct thread {
    uint32_t pc;
    int64_t slots[SLOTS];
} thread;

typedef struct threads {
    thread *at;
    uint32_t count;
} threads;

/* Work still to do while entering a place: go there, or put a slot back. */
typedef struct task {
    uint32_t pc;
    int slot; /* -1: go to pc */
    int64_t old;
} task;

typedef struct machine {
    const weir_regex *re;
    weir_str text;
    bool full;       /* a match must end at the end of the text */
    bool want_slots; /* else captures are not kept */
    uint64_t *seen;  /* by pc: the position (+ 1) it was last entered at */
    task *stack;
    threads now, next;
    int64_t found[SLOTS];
    bool matched;
} machine;

static bool is_word(weir_str text, int64_t i)
{
    if (i < 0 || i >= (int64_t)text.length)
        return false;
    char c = text.at[i];
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

static bool place_is(weir_str text, int64_t pos, weir_rx_place place)
{
    bool start = pos == 0, end = pos == (int64_t)text.length;
    switch (place) {
    case WEIR_RX_TEXT_START:
        return start;
    case WEIR_RX_TEXT_END:
        return end;
    case WEIR_RX_LINE_START:
        return start || text.at[pos - 1] == '\n';
    case WEIR_RX_LINE_END:
        return end || text.at[pos] == '\n';
    case WEIR_RX_WORD_EDGE:
        return is_word(text, pos - 1) != is_word(text, pos);
    default:
        return is_word(text, pos - 1) == is_word(text, pos);
    }
}

/* Enters |pc| at |pos| and follows everything that takes no text. |slots| is changed and put back
 * on the way. */
static void enter(machine *m, threads *list, uint32_t pc, int64_t pos, int64_t *slots)
{
    uint32_t depth = 0;
    m->stack[depth++] = (task){.pc = pc, .slot = -1};
    while (depth) {
        task t = m->stack[--depth];
        if (t.slot >= 0) {
            slots[t.slot] = t.old;
            continue;
        }
        if (m->seen[t.pc] == (uint64_t)pos + 1)
            continue;
        m->seen[t.pc] = (uint64_t)pos + 1;
        const weir_rx_inst *i = &m->re->program.at[t.pc];
        switch (i->code) {
        case WEIR_RX_JUMP:
            m->stack[depth++] = (task){.pc = i->x, .slot = -1};
            break;
        case WEIR_RX_SPLIT:
            m->stack[depth++] = (task){.pc = i->y, .slot = -1};
            m->stack[depth++] = (task){.pc = i->x, .slot = -1};
            break;
        case WEIR_RX_SAVE:
            m->stack[depth++] = (task){.slot = (int)i->arg, .old = slots[i->arg]};
            slots[i->arg] = pos;
            m->stack[depth++] = (task){.pc = t.pc + 1, .slot = -1};
            break;
        case WEIR_RX_ASSERT:
            if (place_is(m->text, pos, (weir_rx_place)i->arg))
                m->stack[depth++] = (task){.pc = t.pc + 1, .slot = -1};
            break;
        default: {
            thread *to = &list->at[list->count++];
            to->pc = t.pc;
            memcpy(to->slots, slots, m->want_slots ? sizeof to->slots : 2 * sizeof *slots);
        }
        }
    }
}

static bool in_set(const weir_regex *re, const weir_rx_inst *i, int32_t cp)
{
    const weir_rx_range *r = re->ranges.at + i->arg;
    for (uint32_t k = 0; k < i->count; k++)
        if (cp >= r[k].low && cp <= r[k].high)
            return true;
    return false;
}

/* Moves every thread over one code point. A match cuts off the threads it is preferred to. */
static void step(machine *m, int64_t pos, int32_t cp, int64_t next_pos)
{
    for (uint32_t k = 0; k < m->now.count; k++) {
        thread *t = &m->now.at[k];
        const weir_rx_inst *i = &m->re->program.at[t->pc];
        if (i->code == WEIR_RX_MATCH) {
            if (m->full && pos != (int64_t)m->text.length)
                continue;
            memcpy(m->found, t->slots, sizeof m->found);
            m->found[1] = pos;
            m->matched = true;
            break;
        }
        if (cp >= 0 && in_set(m->re, i, cp))
            enter(m, &m->next, t->pc + 1, next_pos, t->slots);
    }
    threads swap = m->now;
    m->now = m->next;
    m->next = swap;
    m->next.count = 0;
}

static void run(machine *m, size_t from, bool anchored)
{
    for (size_t pos = from;;) {
        if (!m->matched && (!anchored || pos == from)) {
            int64_t slots[SLOTS];
            memset(slots, 0xff, sizeof slots);
            slots[0] = (int64_t)pos;
            enter(m, &m->now, 0, (int64_t)pos, slots);
        }
        if (m->now.count == 0 && (m->matched || anchored))
            return;
        bool end = pos >= m->text.length;
        size_t n = 1;
        int32_t cp = end ? WEIR_UTF8_BAD
                         : weir_utf8_get((weir_str){m->text.at + pos, m->text.length - pos}, &n);
        step(m, (int64_t)pos, cp, (int64_t)(pos + n));
        if (end)
            return;
        pos += n;
    }
}

static bool match(const weir_regex *re, weir_str text, size_t from, bool full,
                  weir_regex_match *out)
{
    size_t n = re->program.count;
    machine m = {.re = re, .text = text, .full = full, .want_slots = out != NULL};
    m.seen = WEIR_NEW_ARRAY(uint64_t, n);
    m.stack = WEIR_NEW_ARRAY(task, 2 * n + 2); /* each entered place leaves at most two tasks */
    m.now.at = WEIR_NEW_ARRAY(thread, n);
    m.next.at = WEIR_NEW_ARRAY(thread, n);
    run(&m, from, full);
    weir_free(m.seen);
    weir_free(m.stack);
    weir_free(m.now.at);
    weir_free(m.next.at);
    for (int g = 0; m.matched && out && g < WEIR_REGEX_GROUPS; g++) {
        bool set = m.found[2 * g] >= 0 && m.found[2 * g + 1] >= 0;
        out->group[g].start = set ? m.found[2 * g] : -1;
        out->group[g].end = set ? m.found[2 * g + 1] : -1;
    }
    return m.matched;
}

bool weir_regex_search(const weir_regex *re, weir_str text, size_t from, weir_regex_match *out)
{
    return match(re, text, from, false, out);
}

bool weir_regex_full(const weir_regex *re, weir_str text)
{
    return match(re, text, 0, true, NULL);
}

/* The highest group that |rewrite| names. */
static int highest_group(weir_str rewrite)
{
    int most = 0;
    for (size_t i = 0; i + 1 < rewrite.length; i++) {
        char c = rewrite.at[i + 1];
        if (rewrite.at[i] != '\\')
            continue;
        if (c >= '0' && c <= '9' && c - '0' > most)
            most = c - '0';
        i++;
    }
    return most;
}

static void add_rewrite(weir_buf *out, weir_str text, weir_str rewrite, const weir_regex_match *m)
{
    for (size_t i = 0; i < rewrite.length; i++) {
        char c = rewrite.at[i];
        if (c != '\\') {
            weir_buf_addc(out, c);
            continue;
        }
        c = ++i < rewrite.length ? rewrite.at[i] : 0;
        if (c == '\\')
            weir_buf_addc(out, c);
        else if (c < '0' || c > '9')
            return;
        else if (m->group[c - '0'].start >= 0)
            weir_buf_add(out, text.at + m->group[c - '0'].start,
                         (size_t)(m->group[c - '0'].end - m->group[c - '0'].start));
    }
}

void weir_regex_replace(const weir_regex *re, weir_str text, weir_str rewrite, bool all,
                        weir_buf *out)
{
    if (highest_group(rewrite) >= re->groups) {
        weir_buf_add(out, text.at, text.length);
        return;
    }
    size_t pos = 0;
    int64_t last_end = -1;
    weir_regex_match m;
    while (pos <= text.length && weir_regex_search(re, text, pos, &m)) {
        size_t start = (size_t)m.group[0].start, end = (size_t)m.group[0].end;
        weir_buf_add(out, text.at + pos, start - pos);
        pos = end;
        /* Nothing right behind a match is not another match. */
        bool repeats = start == end && (int64_t)start == last_end;
        if (!repeats)
            add_rewrite(out, text, rewrite, &m);
        last_end = (int64_t)end;
        if (!all)
            break;
        if (repeats) {
            size_t n = 1;
            if (pos < text.length) {
                weir_utf8_get((weir_str){text.at + pos, text.length - pos}, &n);
                weir_buf_add(out, text.at + pos, n);
            }
            pos += n;
        }
    }
    if (pos < text.length)
        weir_buf_add(out, text.at + pos, text.length - pos);
    weir_buf_add(out, "", 0);
}
