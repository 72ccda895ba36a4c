/*
 * ops/string/regex_run.c - runs a program over a text: a parallel NFA simulation.
 *
 * Threads are sorted by priority; an instruction is entered at most once per text position, so time
 * is bounded by text length times program size.
 */
#include <stdlib.h>

#include "base/room.h"
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

/* Pending work: enter an instruction, or restore a slot. */
typedef struct task {
    uint32_t pc;
    int slot; /* -1: go to pc */
    int64_t old;
} task;

typedef struct machine {
    const weir_regex *re;
    weir_str text;
    bool full;       /* a match must end at the end of the text */
    bool want_slots; /* else captures are not recorded */
    uint64_t *seen;  /* by pc: the position (+ 1) of the last entry */
    task *stack;
    threads now, next;
    int64_t found[SLOTS];
    bool matched;
} machine;

static bool is_word(weir_str text, int64_t i)
{
    if (i < 0 || i >= (int64_t)text.length)
        return false;
    char ch = text.at[i];
    return (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z') || ch == '_';
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

/* Enters |pc| at |pos| and follows all instructions that consume no text. |slots| is modified and
 * restored. */
static void enter(machine *machine, threads *list, uint32_t pc, int64_t pos, int64_t *slots)
{
    uint32_t depth = 0;
    machine->stack[depth++] = (task){.pc = pc, .slot = -1};
    while (depth) {
        task this_task = machine->stack[--depth];
        if (this_task.slot >= 0) {
            slots[this_task.slot] = this_task.old;
            continue;
        }
        if (machine->seen[this_task.pc] == (uint64_t)pos + 1)
            continue;
        machine->seen[this_task.pc] = (uint64_t)pos + 1;
        const weir_rx_inst *inst = &machine->re->program.at[this_task.pc];
        switch (inst->code) {
        case WEIR_RX_JUMP:
            machine->stack[depth++] = (task){.pc = inst->x, .slot = -1};
            break;
        case WEIR_RX_SPLIT:
            machine->stack[depth++] = (task){.pc = inst->y, .slot = -1};
            machine->stack[depth++] = (task){.pc = inst->x, .slot = -1};
            break;
        case WEIR_RX_SAVE:
            machine->stack[depth++] = (task){.slot = (int)inst->arg, .old = slots[inst->arg]};
            slots[inst->arg] = pos;
            machine->stack[depth++] = (task){.pc = this_task.pc + 1, .slot = -1};
            break;
        case WEIR_RX_ASSERT:
            if (place_is(machine->text, pos, (weir_rx_place)inst->arg))
                machine->stack[depth++] = (task){.pc = this_task.pc + 1, .slot = -1};
            break;
        default: {
            thread *to = &list->at[list->count++];
            to->pc = this_task.pc;
            memcpy(to->slots, slots, machine->want_slots ? sizeof to->slots : 2 * sizeof *slots);
        }
        }
    }
}

static bool in_set(const weir_regex *re, const weir_rx_inst *inst, int32_t cp)
{
    const weir_rx_range *ranges = re->ranges.at + inst->arg;
    for (uint32_t k = 0; k < inst->count; k++)
        if (cp >= ranges[k].low && cp <= ranges[k].high)
            return true;
    return false;
}

/* Advances every thread by one code point. A match cuts off threads of lower priority. */
static void step(machine *machine, int64_t pos, int32_t cp, int64_t next_pos)
{
    for (uint32_t k = 0; k < machine->now.count; k++) {
        thread *thread = &machine->now.at[k];
        const weir_rx_inst *inst = &machine->re->program.at[thread->pc];
        if (inst->code == WEIR_RX_MATCH) {
            if (machine->full && pos != (int64_t)machine->text.length)
                continue;
            memcpy(machine->found, thread->slots, sizeof machine->found);
            machine->found[1] = pos;
            machine->matched = true;
            break;
        }
        if (cp >= 0 && in_set(machine->re, inst, cp))
            enter(machine, &machine->next, thread->pc + 1, next_pos, thread->slots);
    }
    threads swap = machine->now;
    machine->now = machine->next;
    machine->next = swap;
    machine->next.count = 0;
}

static void run(machine *machine, size_t from, bool anchored)
{
    for (size_t pos = from;;) {
        if (!machine->matched && (!anchored || pos == from)) {
            int64_t slots[SLOTS];
            memset(slots, 0xff, sizeof slots);
            slots[0] = (int64_t)pos;
            enter(machine, &machine->now, 0, (int64_t)pos, slots);
        }
        if (machine->now.count == 0 && (machine->matched || anchored))
            return;
        bool end = pos >= machine->text.length;
        size_t count = 1;
        int32_t cp =
            end ? WEIR_UTF8_BAD
                : weir_utf8_get((weir_str){machine->text.at + pos, machine->text.length - pos},
                                &count);
        step(machine, (int64_t)pos, cp, (int64_t)(pos + count));
        if (end)
            return;
        pos += count;
    }
}

static bool match(const weir_regex *re, weir_str text, size_t from, bool full,
                  weir_regex_match *out)
{
    size_t count = re->program.count;
    machine machine = {.re = re, .text = text, .full = full, .want_slots = out != NULL};
    machine.seen = WEIR_NEW_ARRAY(uint64_t, count);
    machine.stack =
        WEIR_NEW_ARRAY(task, 2 * count + 2); /* each entered instruction leaves at most two tasks */
    machine.now.at = WEIR_NEW_ARRAY(thread, count);
    machine.next.at = WEIR_NEW_ARRAY(thread, count);
    run(&machine, from, full);
    weir_free(machine.seen);
    weir_free(machine.stack);
    weir_free(machine.now.at);
    weir_free(machine.next.at);
    for (int g = 0; machine.matched && out && g < WEIR_REGEX_GROUPS; g++) {
        bool set = machine.found[2 * g] >= 0 && machine.found[2 * g + 1] >= 0;
        out->group[g].start = set ? machine.found[2 * g] : -1;
        out->group[g].end = set ? machine.found[2 * g + 1] : -1;
    }
    return machine.matched;
}

bool weir_regex_search(const weir_regex *re, weir_str text, size_t from, weir_regex_match *out)
{
    return match(re, text, from, false, out);
}

bool weir_regex_full(const weir_regex *re, weir_str text)
{
    return match(re, text, 0, true, NULL);
}

/* The highest group used by |rewrite|. */
static int highest_group(weir_str rewrite)
{
    int most = 0;
    for (size_t i = 0; i + 1 < rewrite.length; i++) {
        char ch = rewrite.at[i + 1];
        if (rewrite.at[i] != '\\')
            continue;
        if (ch >= '0' && ch <= '9' && ch - '0' > most)
            most = ch - '0';
        i++;
    }
    return most;
}

static weir_status add_part(weir_buf *out, weir_str text, int64_t start, int64_t end)
{
    size_t length = (size_t)(end - start);
    WEIR_TRY(weir_room_grow(out, length, "the replaced text"));
    weir_buf_add(out, text.at + start, length);
    return WEIR_OK;
}

static weir_status add_rewrite(weir_buf *out, weir_str text, weir_str rewrite,
                               const weir_regex_match *match)
{
    WEIR_TRY(weir_room_grow(out, rewrite.length, "the replaced text"));
    for (size_t i = 0; i < rewrite.length; i++) {
        char ch = rewrite.at[i];
        if (ch != '\\') {
            weir_buf_addc(out, ch);
            continue;
        }
        ch = ++i < rewrite.length ? rewrite.at[i] : 0;
        if (ch == '\\')
            weir_buf_addc(out, ch);
        else if (ch < '0' || ch > '9')
            return WEIR_OK;
        else if (match->group[ch - '0'].start >= 0)
            WEIR_TRY(add_part(out, text, match->group[ch - '0'].start, match->group[ch - '0'].end));
    }
    return WEIR_OK;
}

weir_status weir_regex_replace(const weir_regex *re, weir_str text, weir_str rewrite, bool all,
                               weir_buf *out)
{
    if (highest_group(rewrite) >= re->groups)
        return add_part(out, text, 0, (int64_t)text.length);
    size_t pos = 0;
    int64_t last_end = -1;
    weir_regex_match match;
    while (pos <= text.length && weir_regex_search(re, text, pos, &match)) {
        size_t start = (size_t)match.group[0].start, end = (size_t)match.group[0].end;
        WEIR_TRY(add_part(out, text, (int64_t)pos, (int64_t)start));
        pos = end;
        /* An empty match directly after a match does not count. */
        bool repeats = start == end && (int64_t)start == last_end;
        if (!repeats)
            WEIR_TRY(add_rewrite(out, text, rewrite, &match));
        last_end = (int64_t)end;
        if (!all)
            break;
        if (repeats) {
            size_t count = 1;
            if (pos < text.length) {
                weir_utf8_get((weir_str){text.at + pos, text.length - pos}, &count);
                weir_buf_add(out, text.at + pos, count);
            }
            pos += count;
        }
    }
    if (pos < text.length)
        weir_buf_add(out, text.at + pos, text.length - pos);
    weir_buf_add(out, "", 0);
    return WEIR_OK;
}
