/*
 * ops/string/regex_compile.c - from a pattern to a program.
 *
 * A recursive descent over the pattern builds a tree in an arena; the tree is then written out as
 * instructions. Counted repetition copies its part, so the program's size is what limits it.
 */
#include "ops/string/regex.h"

#include "base/utf8.h"
#include "ops/string/regex_impl.h"

enum {
    MAX_DEPTH = 500,       /* of nested groups */
    MAX_REPEAT = 1000,     /* as RE2 */
    MAX_PROGRAM = 1 << 16, /* instructions */
    UNBOUNDED = -1,
};

typedef enum kind { EMPTY, SET, CONCAT, ALTERNATE, REPEAT, GROUP, ASSERT } kind;

typedef struct node {
    kind kind;
    struct node *a;        /* first part: of CONCAT and ALTERNATE one of many */
    struct node *next;     /* the part behind this one */
    uint32_t first, count; /* SET: its ranges */
    int min, max;          /* REPEAT */
    bool lazy;             /* REPEAT */
    int arg;               /* GROUP: its number, 0 when not captured; ASSERT: the place */
} node;

typedef struct flags {
    bool fold, dot_all, multi_line, ungreedy;
} flags;

typedef struct parser {
    weir_arena arena;
    weir_regex *re;
    weir_str rest;
    flags flags;
    bool quoting; /* between \Q and \E */
    int depth;
    const char *error;
} parser;

/* ---- small things ---- */

static void *fail(parser *p, const char *why)
{
    if (!p->error)
        p->error = why;
    return NULL;
}

static node *make(parser *p, kind k, node *a)
{
    node *n = WEIR_ARENA_NEW(&p->arena, node);
    n->kind = k;
    n->a = a;
    return n;
}

static bool at(const parser *p, char c)
{
    return p->rest.length && p->rest.at[0] == c;
}

static void skip(parser *p, size_t n)
{
    p->rest = (weir_str){p->rest.at + n, p->rest.length - n};
}

static bool take(parser *p, const char *s)
{
    size_t n = strlen(s);
    if (p->rest.length < n || memcmp(p->rest.at, s, n) != 0)
        return false;
    skip(p, n);
    return true;
}

static int32_t take_code_point(parser *p)
{
    size_t n;
    int32_t cp = weir_utf8_get(p->rest, &n);
    if (cp == WEIR_UTF8_BAD)
        fail(p, "invalid UTF-8");
    skip(p, n);
    return cp;
}

/* ---- sets of code points ---- */

static void add_range(parser *p, int32_t low, int32_t high)
{
    weir_vec_push(&p->re->ranges, (weir_rx_range){low, high});
}

/* The other case too; beyond ASCII only where a single code point has one. */
static void add_folded(parser *p, int32_t low, int32_t high)
{
    add_range(p, low, high);
    if (!p->flags.fold)
        return;
    enum { MOST = 1024 }; /* of a range that is folded one by one */
    for (int32_t cp = low; cp <= high && cp - low < MOST; cp++) {
        int32_t upper = weir_unicode_upper(cp), lower = weir_unicode_lower(cp);
        if (upper != cp)
            add_range(p, upper, upper);
        if (lower != cp)
            add_range(p, lower, lower);
    }
}

/* Replaces the ranges from |first| on by what they leave out. */
static void complement(parser *p, uint32_t first)
{
    uint32_t end = (uint32_t)p->re->ranges.count;
    weir_rx_range *r = p->re->ranges.at;
    for (uint32_t i = first + 1; i < end; i++) /* few ranges: insertion sort */
        for (uint32_t k = i; k > first && r[k].low < r[k - 1].low; k--) {
            weir_rx_range swap = r[k];
            r[k] = r[k - 1];
            r[k - 1] = swap;
        }
    WEIR_VEC(weir_rx_range) out = {0};
    int32_t next = 0;
    for (uint32_t i = first; i < end; i++) {
        if (r[i].low > next)
            weir_vec_push(&out, (weir_rx_range){next, r[i].low - 1});
        next = r[i].high + 1 > next ? r[i].high + 1 : next;
    }
    if (next <= WEIR_UNICODE_LAST)
        weir_vec_push(&out, (weir_rx_range){next, WEIR_UNICODE_LAST});
    p->re->ranges.count = first;
    for (size_t i = 0; i < out.count; i++)
        weir_vec_push(&p->re->ranges, out.at[i]);
    weir_vec_fini(&out);
}

static node *set_from(parser *p, uint32_t first)
{
    node *n = make(p, SET, NULL);
    n->first = first;
    n->count = (uint32_t)p->re->ranges.count - first;
    return n;
}

static const struct {
    const char *name;
    weir_rx_range ranges[4]; /* ends with high 0 */
} classes[] = {
    {"d", {{'0', '9'}}},
    {"s", {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}},
    {"w", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
    {"[:alnum:]", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
    {"[:alpha:]", {{'A', 'Z'}, {'a', 'z'}}},
    {"[:ascii:]", {{0, 0x7f}}},
    {"[:blank:]", {{'\t', '\t'}, {' ', ' '}}},
    {"[:cntrl:]", {{0, 0x1f}, {0x7f, 0x7f}}},
    {"[:digit:]", {{'0', '9'}}},
    {"[:graph:]", {{'!', '~'}}},
    {"[:lower:]", {{'a', 'z'}}},
    {"[:print:]", {{' ', '~'}}},
    {"[:punct:]", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
    {"[:space:]", {{'\t', '\r'}, {' ', ' '}}},
    {"[:upper:]", {{'A', 'Z'}}},
    {"[:word:]", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
    {"[:xdigit:]", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
};

static void add_class(parser *p, size_t which, bool negated)
{
    uint32_t first = (uint32_t)p->re->ranges.count;
    for (int i = 0; i < 4 && classes[which].ranges[i].high; i++)
        add_folded(p, classes[which].ranges[i].low, classes[which].ranges[i].high);
    if (negated)
        complement(p, first);
}

/* \d \D \s \S \w \W; false when the next thing is none of them. */
static bool take_letter_class(parser *p)
{
    if (p->rest.length < 2 || p->rest.at[0] != '\\')
        return false;
    char c = p->rest.at[1];
    for (size_t i = 0; i < 3; i++) {
        char letter = classes[i].name[0];
        if (c != letter && c != letter - 32)
            continue;
        skip(p, 2);
        add_class(p, i, c != letter);
        return true;
    }
    return false;
}

/* [:alpha:] and [:^alpha:], inside brackets. */
static bool take_posix_class(parser *p)
{
    for (size_t i = 3; i < sizeof classes / sizeof *classes; i++) {
        char negated[24] = "[:^";
        strcat(negated, classes[i].name + 2);
        bool is_negated = take(p, negated);
        if (!is_negated && !take(p, classes[i].name))
            continue;
        add_class(p, i, is_negated);
        return true;
    }
    return false;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

static int32_t take_hex(parser *p)
{
    bool braces = take(p, "{");
    int32_t value = 0;
    int digits = 0;
    while (p->rest.length && hex_digit(p->rest.at[0]) >= 0 && (braces || digits < 2)) {
        value = value * 16 + hex_digit(p->rest.at[0]);
        skip(p, 1);
        if (++digits > 8 || value > WEIR_UNICODE_LAST)
            break;
    }
    if (digits == 0 || value > WEIR_UNICODE_LAST || (braces && !take(p, "}")) ||
        (!braces && digits != 2))
        fail(p, "invalid escape sequence");
    return value;
}

/* The code point of an escape, behind its backslash. */
static int32_t take_escape(parser *p)
{
    static const char from[] = "afnrtv", to[] = "\a\f\n\r\t\v";
    if (p->rest.length == 0) {
        fail(p, "trailing \\");
        return 0;
    }
    char c = p->rest.at[0];
    const char *known = strchr(from, c);
    if (c && known) {
        skip(p, 1);
        return to[known - from];
    }
    if (take(p, "x"))
        return take_hex(p);
    /* \0 starts an octal number; \1 to \7 only with another digit, else it would be a
     * back-reference. */
    bool octal = c == '0' || (c >= '1' && c <= '7' && p->rest.length > 1 && p->rest.at[1] >= '0' &&
                              p->rest.at[1] <= '7');
    if (octal) {
        int32_t value = 0;
        for (int i = 0; i < 3 && p->rest.length && p->rest.at[0] >= '0' && p->rest.at[0] <= '7';
             i++, skip(p, 1))
            value = value * 8 + p->rest.at[0] - '0';
        return value;
    }
    bool word = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
    if (word)
        fail(p, "invalid escape sequence");
    return take_code_point(p);
}

static int32_t take_class_point(parser *p)
{
    return take(p, "\\") ? take_escape(p) : take_code_point(p);
}

static node *bracket(parser *p)
{
    uint32_t first = (uint32_t)p->re->ranges.count;
    bool negated = take(p, "^");
    for (bool start = true; start || !at(p, ']'); start = false) {
        if (p->error)
            return NULL;
        if (p->rest.length == 0)
            return fail(p, "missing ]");
        if (take_posix_class(p) || take_letter_class(p))
            continue;
        int32_t low = take_class_point(p), high = low;
        bool is_range = p->rest.length > 1 && p->rest.at[0] == '-' && p->rest.at[1] != ']';
        if (is_range) {
            skip(p, 1);
            high = take_class_point(p);
        }
        if (high < low)
            return fail(p, "invalid character class range");
        add_folded(p, low, high);
    }
    skip(p, 1);
    if (negated)
        complement(p, first);
    return set_from(p, first);
}

/* ---- the grammar ---- */

static node *alternation(parser *p);

static node *literal(parser *p, int32_t cp)
{
    uint32_t first = (uint32_t)p->re->ranges.count;
    add_folded(p, cp, cp);
    return set_from(p, first);
}

static node *assertion(parser *p, weir_rx_place place)
{
    node *n = make(p, ASSERT, NULL);
    n->arg = (int)place;
    return n;
}

static node *dot(parser *p)
{
    uint32_t first = (uint32_t)p->re->ranges.count;
    if (p->flags.dot_all) {
        add_range(p, 0, WEIR_UNICODE_LAST);
    } else {
        add_range(p, 0, '\n' - 1);
        add_range(p, '\n' + 1, WEIR_UNICODE_LAST);
    }
    return set_from(p, first);
}

static node *escape(parser *p)
{
    static const struct {
        const char *text;
        weir_rx_place place;
    } places[] = {{"\\A", WEIR_RX_TEXT_START},
                  {"\\z", WEIR_RX_TEXT_END},
                  {"\\b", WEIR_RX_WORD_EDGE},
                  {"\\B", WEIR_RX_NO_WORD_EDGE}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (take(p, places[i].text))
            return assertion(p, places[i].place);
    uint32_t first = (uint32_t)p->re->ranges.count;
    if (take_letter_class(p))
        return set_from(p, first);
    skip(p, 1);
    return literal(p, take_escape(p));
}

/* Behind "(?": flags up to ')' or ':'. True when a group follows, whose flags end with it. */
static bool take_flags(parser *p)
{
    bool on = true;
    while (p->rest.length) {
        char c = p->rest.at[0];
        skip(p, 1);
        switch (c) {
        case 'i':
            p->flags.fold = on;
            break;
        case 's':
            p->flags.dot_all = on;
            break;
        case 'm':
            p->flags.multi_line = on;
            break;
        case 'U':
            p->flags.ungreedy = on;
            break;
        case '-':
            on = false;
            break;
        case ':':
            return true;
        case ')':
            return false;
        default:
            fail(p, "invalid or unsupported Perl syntax");
            return false;
        }
    }
    fail(p, "missing )");
    return false;
}

static node *group_body(parser *p, int number)
{
    flags outside = p->flags;
    node *inside = alternation(p);
    if (!p->error && !take(p, ")"))
        fail(p, "missing )");
    p->flags = outside;
    node *n = make(p, GROUP, inside);
    n->arg = number;
    return n;
}

static node *group(parser *p)
{
    if (++p->depth > MAX_DEPTH)
        return fail(p, "expression nests too deeply");
    node *n;
    if (take(p, "?P<") || take(p, "?<")) {
        const char *end = memchr(p->rest.at, '>', p->rest.length);
        if (!end || end == p->rest.at)
            return fail(p, "invalid named capture group");
        skip(p, (size_t)(end + 1 - p->rest.at));
        n = group_body(p, p->re->groups++);
    } else if (take(p, "?")) {
        flags outside = p->flags;
        if (!take_flags(p))
            n = make(p, EMPTY, NULL); /* (?i): the flags stay on */
        else {
            n = group_body(p, 0);
            p->flags = outside;
        }
    } else {
        n = group_body(p, p->re->groups++);
    }
    p->depth--;
    return n;
}

static node *atom(parser *p)
{
    if (p->quoting)
        return literal(p, take_code_point(p));
    if (take(p, "("))
        return group(p);
    if (take(p, "["))
        return bracket(p);
    if (take(p, "."))
        return dot(p);
    if (take(p, "^"))
        return assertion(p, p->flags.multi_line ? WEIR_RX_LINE_START : WEIR_RX_TEXT_START);
    if (take(p, "$"))
        return assertion(p, p->flags.multi_line ? WEIR_RX_LINE_END : WEIR_RX_TEXT_END);
    if (at(p, '\\'))
        return escape(p);
    if (at(p, '*') || at(p, '+') || at(p, '?'))
        return fail(p, "no argument for repetition operator");
    return literal(p, take_code_point(p));
}

static bool take_count(parser *p, int *out)
{
    int value = 0, digits = 0;
    while (p->rest.length && p->rest.at[0] >= '0' && p->rest.at[0] <= '9' && value <= MAX_REPEAT) {
        value = value * 10 + p->rest.at[0] - '0';
        skip(p, 1);
        digits++;
    }
    *out = value;
    return digits > 0;
}

/* {n}, {n,} or {n,m}; anything else in braces is literal. */
static bool take_braces(parser *p, int *min, int *max)
{
    weir_str before = p->rest;
    bool good = take(p, "{") && take_count(p, min);
    if (good && take(p, ","))
        *max = take_count(p, max) ? *max : UNBOUNDED;
    else
        *max = *min;
    if (good && take(p, "}"))
        return true;
    p->rest = before;
    return false;
}

static bool take_repeat(parser *p, int *min, int *max)
{
    if (take(p, "*"))
        *min = 0, *max = UNBOUNDED;
    else if (take(p, "+"))
        *min = 1, *max = UNBOUNDED;
    else if (take(p, "?"))
        *min = 0, *max = 1;
    else
        return take_braces(p, min, max);
    return true;
}

static node *repetition(parser *p)
{
    node *n = atom(p);
    int min = 0, max = 0;
    if (p->quoting && take(p, "\\E"))
        p->quoting = false;
    for (bool first = true; !p->error && !p->quoting && take_repeat(p, &min, &max); first = false) {
        if (!first)
            return fail(p, "bad repetition operator");
        if (min > MAX_REPEAT || max > MAX_REPEAT || (max != UNBOUNDED && max < min))
            return fail(p, "invalid repetition size");
        node *r = make(p, REPEAT, n);
        r->min = min;
        r->max = max;
        r->lazy = take(p, "?") != p->flags.ungreedy;
        n = r;
    }
    return n;
}

static bool at_end_of_concatenation(const parser *p)
{
    return p->rest.length == 0 || (!p->quoting && (at(p, '|') || at(p, ')')));
}

static node *concatenation(parser *p)
{
    node *all = make(p, CONCAT, NULL), **tail = &all->a;
    while (!p->error && !at_end_of_concatenation(p)) {
        if (!p->quoting && take(p, "\\Q")) {
            p->quoting = !take(p, "\\E");
            continue;
        }
        *tail = repetition(p);
        tail = *tail ? &(*tail)->next : tail;
    }
    return all;
}

static node *alternation(parser *p)
{
    node *first = concatenation(p), **tail = &first->next;
    while (!p->error && take(p, "|")) {
        *tail = concatenation(p);
        tail = &(*tail)->next;
    }
    return make(p, ALTERNATE, first);
}

/* ---- from the tree to the program ---- */

static uint32_t emit(parser *p, weir_rx_inst inst)
{
    if (p->re->program.count >= MAX_PROGRAM)
        fail(p, "pattern too large - compile failed");
    else
        weir_vec_push(&p->re->program, inst);
    return (uint32_t)p->re->program.count - 1;
}

static uint32_t here(const parser *p)
{
    return (uint32_t)p->re->program.count;
}

static void set_targets(parser *p, uint32_t inst, uint32_t first, uint32_t second, bool swap)
{
    p->re->program.at[inst].x = swap ? second : first;
    p->re->program.at[inst].y = swap ? first : second;
}

static void write_node(parser *p, const node *n);

static void write_repeat(parser *p, const node *n)
{
    for (int i = 0; i < n->min && !p->error; i++)
        write_node(p, n->a);
    if (n->max == UNBOUNDED) {
        uint32_t split = emit(p, (weir_rx_inst){.code = WEIR_RX_SPLIT});
        write_node(p, n->a);
        emit(p, (weir_rx_inst){.code = WEIR_RX_JUMP, .x = split});
        set_targets(p, split, split + 1, here(p), n->lazy);
        return;
    }
    for (int i = n->min; i < n->max && !p->error; i++) {
        uint32_t split = emit(p, (weir_rx_inst){.code = WEIR_RX_SPLIT});
        write_node(p, n->a);
        set_targets(p, split, split + 1, here(p), n->lazy);
    }
}

/* Each part but the last is tried first and jumps to the end; the jumps are chained by their
 * targets until the end is known. */
static void write_alternate(parser *p, const node *n)
{
    const uint32_t none = UINT32_MAX;
    uint32_t jumps = none;
    for (const node *part = n->a; part && !p->error; part = part->next) {
        if (!part->next) {
            write_node(p, part);
            break;
        }
        uint32_t split = emit(p, (weir_rx_inst){.code = WEIR_RX_SPLIT});
        write_node(p, part);
        jumps = emit(p, (weir_rx_inst){.code = WEIR_RX_JUMP, .x = jumps});
        set_targets(p, split, split + 1, here(p), false);
    }
    for (uint32_t next; !p->error && jumps != none; jumps = next) {
        next = p->re->program.at[jumps].x;
        p->re->program.at[jumps].x = here(p);
    }
}

static void write_group(parser *p, const node *n)
{
    bool reported = n->arg && n->arg < WEIR_REGEX_GROUPS;
    if (reported)
        emit(p, (weir_rx_inst){.code = WEIR_RX_SAVE, .arg = 2 * (uint32_t)n->arg});
    write_node(p, n->a);
    if (reported)
        emit(p, (weir_rx_inst){.code = WEIR_RX_SAVE, .arg = 2 * (uint32_t)n->arg + 1});
}

static void write_node(parser *p, const node *n)
{
    if (p->error)
        return;
    switch (n->kind) {
    case EMPTY:
        break;
    case SET:
        emit(p, (weir_rx_inst){.code = WEIR_RX_SET, .arg = n->first, .count = n->count});
        break;
    case CONCAT:
        for (const node *part = n->a; part; part = part->next)
            write_node(p, part);
        break;
    case ALTERNATE:
        write_alternate(p, n);
        break;
    case REPEAT:
        write_repeat(p, n);
        break;
    case GROUP:
        write_group(p, n);
        break;
    case ASSERT:
        emit(p, (weir_rx_inst){.code = WEIR_RX_ASSERT, .arg = (uint32_t)n->arg});
        break;
    }
}

weir_status weir_regex_compile(weir_str pattern, weir_regex **out_regex)
{
    WEIR_OWNED(weir_regex) re = WEIR_NEW(weir_regex);
    re->groups = 1;
    parser p = {.re = re, .rest = pattern};
    weir_arena_init(&p.arena);
    enum { MOST = 1 << 16 };
    if (pattern.length > MOST)
        fail(&p, "pattern too large - compile failed");
    node *root = p.error ? NULL : alternation(&p);
    if (!p.error && p.rest.length)
        fail(&p, "unexpected )");
    if (!p.error)
        write_node(&p, root);
    emit(&p, (weir_rx_inst){.code = WEIR_RX_MATCH});
    weir_arena_fini(&p.arena);
    if (p.error)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid pattern: %.*s, error: %s",
                          WEIR_STR_ARG(pattern), p.error);
    *out_regex = WEIR_TAKE(re);
    return WEIR_OK;
}

void weir_regex_destroy(weir_regex *re)
{
    if (!re)
        return;
    weir_vec_fini(&re->program);
    weir_vec_fini(&re->ranges);
    weir_free(re);
}
