/*
 * ops/string/regex_compile.c - compiles a pattern to bytecode.
 *
 * A recursive descent parser builds a tree in an arena; the tree is then converted to instructions.
 * Counted repetition duplicates its operand, so the size of the program limits it.
 */
#include "ops/string/regex.h"

#include "base/utf8.h"
#include "ops/string/regex_impl.h"

enum {
    MAX_DEPTH = 500,       /* of nested groups */
    MAX_REPEAT = 1000,     /* same as RE2 */
    MAX_PROGRAM = 1 << 16, /* instructions */
    UNBOUNDED = -1,
};

typedef enum kind { EMPTY, SET, CONCAT, ALTERNATE, REPEAT, GROUP, ASSERT } kind;

typedef struct node {
    kind kind;
    struct node *a;        /* first operand: for CONCAT and ALTERNATE one of many */
    struct node *next;     /* the next operand */
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

/* ---- helpers --------------------------------------------------------------------------------- */

static void *fail(parser *parser, const char *why)
{
    if (!parser->error)
        parser->error = why;
    return NULL;
}

static node *make(parser *parser, kind kind, node *this_node)
{
    node *new_node = WEIR_ARENA_NEW(&parser->arena, node);
    new_node->kind = kind;
    new_node->a = this_node;
    return new_node;
}

static bool at(const parser *parser, char ch)
{
    return parser->rest.length && parser->rest.at[0] == ch;
}

static void skip(parser *parser, size_t count)
{
    parser->rest = (weir_str){parser->rest.at + count, parser->rest.length - count};
}

static bool take(parser *parser, const char *text)
{
    size_t length = strlen(text);
    if (parser->rest.length < length || memcmp(parser->rest.at, text, length) != 0)
        return false;
    skip(parser, length);
    return true;
}

static int32_t take_code_point(parser *parser)
{
    size_t count;
    int32_t cp = weir_utf8_get(parser->rest, &count);
    if (cp == WEIR_UTF8_BAD)
        fail(parser, "invalid UTF-8");
    skip(parser, count);
    return cp;
}

/* ---- sets of code points ---- */

static void add_range(parser *parser, int32_t low, int32_t high)
{
    weir_vec_push(&parser->re->ranges, (weir_rx_range){low, high});
}

/* Adds the other case; beyond ASCII only for single code points. */
static void add_folded(parser *parser, int32_t low, int32_t high)
{
    add_range(parser, low, high);
    if (!parser->flags.fold)
        return;
    enum { MOST = 1024 }; /* of a range that is folded one by one */
    for (int32_t cp = low; cp <= high && cp - low < MOST; cp++) {
        int32_t upper = weir_unicode_upper(cp), lower = weir_unicode_lower(cp);
        if (upper != cp)
            add_range(parser, upper, upper);
        if (lower != cp)
            add_range(parser, lower, lower);
    }
}

/* Replaces the ranges from |first| on by their complement. */
static void complement(parser *parser, uint32_t first)
{
    uint32_t end = (uint32_t)parser->re->ranges.count;
    weir_rx_range *ranges = parser->re->ranges.at;
    for (uint32_t i = first + 1; i < end; i++) /* few ranges: insertion sort */
        for (uint32_t k = i; k > first && ranges[k].low < ranges[k - 1].low; k--) {
            weir_rx_range swap = ranges[k];
            ranges[k] = ranges[k - 1];
            ranges[k - 1] = swap;
        }
    WEIR_VEC(weir_rx_range) out = {0};
    int32_t next = 0;
    for (uint32_t i = first; i < end; i++) {
        if (ranges[i].low > next)
            weir_vec_push(&out, (weir_rx_range){next, ranges[i].low - 1});
        next = ranges[i].high + 1 > next ? ranges[i].high + 1 : next;
    }
    if (next <= WEIR_UNICODE_LAST)
        weir_vec_push(&out, (weir_rx_range){next, WEIR_UNICODE_LAST});
    parser->re->ranges.count = first;
    for (size_t i = 0; i < out.count; i++)
        weir_vec_push(&parser->re->ranges, out.at[i]);
    weir_vec_fini(&out);
}

static node *set_from(parser *parser, uint32_t first)
{
    node *node = make(parser, SET, NULL);
    node->first = first;
    node->count = (uint32_t)parser->re->ranges.count - first;
    return node;
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

static void add_class(parser *parser, size_t which, bool negated)
{
    uint32_t first = (uint32_t)parser->re->ranges.count;
    for (int i = 0; i < 4 && classes[which].ranges[i].high; i++)
        add_folded(parser, classes[which].ranges[i].low, classes[which].ranges[i].high);
    if (negated)
        complement(parser, first);
}

/* \d \D \s \S \w \W; false if none of them follows. */
static bool take_letter_class(parser *parser)
{
    if (parser->rest.length < 2 || parser->rest.at[0] != '\\')
        return false;
    char ch = parser->rest.at[1];
    for (size_t i = 0; i < 3; i++) {
        char letter = classes[i].name[0];
        if (ch != letter && ch != letter - 32)
            continue;
        skip(parser, 2);
        add_class(parser, i, ch != letter);
        return true;
    }
    return false;
}

/* [:alpha:] and [:^alpha:], inside brackets. */
static bool take_posix_class(parser *parser)
{
    for (size_t i = 3; i < sizeof classes / sizeof *classes; i++) {
        char negated[24] = "[:^";
        strcat(negated, classes[i].name + 2);
        bool is_negated = take(parser, negated);
        if (!is_negated && !take(parser, classes[i].name))
            continue;
        add_class(parser, i, is_negated);
        return true;
    }
    return false;
}

static int hex_digit(char ch)
{
    return ch >= '0' && ch <= '9'                 ? ch - '0'
           : (ch | 32) >= 'a' && (ch | 32) <= 'f' ? (ch | 32) - 'a' + 10
                                                  : -1;
}

static int32_t take_hex(parser *parser)
{
    bool braces = take(parser, "{");
    int32_t value = 0;
    int digits = 0;
    while (parser->rest.length && hex_digit(parser->rest.at[0]) >= 0 && (braces || digits < 2)) {
        value = value * 16 + hex_digit(parser->rest.at[0]);
        skip(parser, 1);
        if (++digits > 8 || value > WEIR_UNICODE_LAST)
            break;
    }
    if (digits == 0 || value > WEIR_UNICODE_LAST || (braces && !take(parser, "}")) ||
        (!braces && digits != 2))
        fail(parser, "invalid escape sequence");
    return value;
}

/* The code point of an escape, after its backslash. */
static int32_t take_escape(parser *parser)
{
    static const char from[] = "afnrtv", to[] = "\a\f\n\r\t\v";
    if (parser->rest.length == 0) {
        fail(parser, "trailing \\");
        return 0;
    }
    char ch = parser->rest.at[0];
    const char *known = strchr(from, ch);
    if (ch && known) {
        skip(parser, 1);
        return to[known - from];
    }
    if (take(parser, "x"))
        return take_hex(parser);
    /* \0 starts an octal number; \1 to \7 only with another digit, else it would be a
     * back-reference. */
    bool octal = ch == '0' || (ch >= '1' && ch <= '7' && parser->rest.length > 1 &&
                               parser->rest.at[1] >= '0' && parser->rest.at[1] <= '7');
    if (octal) {
        int32_t value = 0;
        for (int i = 0;
             i < 3 && parser->rest.length && parser->rest.at[0] >= '0' && parser->rest.at[0] <= '7';
             i++, skip(parser, 1))
            value = value * 8 + parser->rest.at[0] - '0';
        return value;
    }
    bool word = (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z') || ch == '_';
    if (word)
        fail(parser, "invalid escape sequence");
    return take_code_point(parser);
}

static int32_t take_class_point(parser *parser)
{
    return take(parser, "\\") ? take_escape(parser) : take_code_point(parser);
}

static node *bracket(parser *parser)
{
    uint32_t first = (uint32_t)parser->re->ranges.count;
    bool negated = take(parser, "^");
    for (bool start = true; start || !at(parser, ']'); start = false) {
        if (parser->error)
            return NULL;
        if (parser->rest.length == 0)
            return fail(parser, "missing ]");
        if (take_posix_class(parser) || take_letter_class(parser))
            continue;
        int32_t low = take_class_point(parser), high = low;
        bool is_range =
            parser->rest.length > 1 && parser->rest.at[0] == '-' && parser->rest.at[1] != ']';
        if (is_range) {
            skip(parser, 1);
            high = take_class_point(parser);
        }
        if (high < low)
            return fail(parser, "invalid character class range");
        add_folded(parser, low, high);
    }
    skip(parser, 1);
    if (negated)
        complement(parser, first);
    return set_from(parser, first);
}

/* ---- the grammar ---- */

static node *alternation(parser *parser);

static node *literal(parser *parser, int32_t cp)
{
    uint32_t first = (uint32_t)parser->re->ranges.count;
    add_folded(parser, cp, cp);
    return set_from(parser, first);
}

static node *assertion(parser *parser, weir_rx_place place)
{
    node *node = make(parser, ASSERT, NULL);
    node->arg = (int)place;
    return node;
}

static node *dot(parser *parser)
{
    uint32_t first = (uint32_t)parser->re->ranges.count;
    if (parser->flags.dot_all) {
        add_range(parser, 0, WEIR_UNICODE_LAST);
    } else {
        add_range(parser, 0, '\n' - 1);
        add_range(parser, '\n' + 1, WEIR_UNICODE_LAST);
    }
    return set_from(parser, first);
}

static node *escape(parser *parser)
{
    static const struct {
        const char *text;
        weir_rx_place place;
    } places[] = {{"\\A", WEIR_RX_TEXT_START},
                  {"\\z", WEIR_RX_TEXT_END},
                  {"\\b", WEIR_RX_WORD_EDGE},
                  {"\\B", WEIR_RX_NO_WORD_EDGE}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (take(parser, places[i].text))
            return assertion(parser, places[i].place);
    uint32_t first = (uint32_t)parser->re->ranges.count;
    if (take_letter_class(parser))
        return set_from(parser, first);
    skip(parser, 1);
    return literal(parser, take_escape(parser));
}

/* After "(?": flags up to ')' or ':'. True if a group follows, to which the flags are limited. */
static bool take_flags(parser *parser)
{
    bool on = true;
    while (parser->rest.length) {
        char ch = parser->rest.at[0];
        skip(parser, 1);
        switch (ch) {
        case 'i':
            parser->flags.fold = on;
            break;
        case 's':
            parser->flags.dot_all = on;
            break;
        case 'm':
            parser->flags.multi_line = on;
            break;
        case 'U':
            parser->flags.ungreedy = on;
            break;
        case '-':
            on = false;
            break;
        case ':':
            return true;
        case ')':
            return false;
        default:
            fail(parser, "invalid or unsupported Perl syntax");
            return false;
        }
    }
    fail(parser, "missing )");
    return false;
}

static node *group_body(parser *parser, int number)
{
    flags outside = parser->flags;
    node *inside = alternation(parser);
    if (!parser->error && !take(parser, ")"))
        fail(parser, "missing )");
    parser->flags = outside;
    node *node = make(parser, GROUP, inside);
    node->arg = number;
    return node;
}

static node *group(parser *parser)
{
    if (++parser->depth > MAX_DEPTH)
        return fail(parser, "expression nests too deeply");
    node *node;
    if (take(parser, "?P<") || take(parser, "?<")) {
        const char *end = memchr(parser->rest.at, '>', parser->rest.length);
        if (!end || end == parser->rest.at)
            return fail(parser, "invalid named capture group");
        skip(parser, (size_t)(end + 1 - parser->rest.at));
        node = group_body(parser, parser->re->groups++);
    } else if (take(parser, "?")) {
        flags outside = parser->flags;
        if (!take_flags(parser))
            node = make(parser, EMPTY, NULL); /* (?i): the flags stay in effect */
        else {
            node = group_body(parser, 0);
            parser->flags = outside;
        }
    } else {
        node = group_body(parser, parser->re->groups++);
    }
    parser->depth--;
    return node;
}

static node *atom(parser *parser)
{
    if (parser->quoting)
        return literal(parser, take_code_point(parser));
    if (take(parser, "("))
        return group(parser);
    if (take(parser, "["))
        return bracket(parser);
    if (take(parser, "."))
        return dot(parser);
    if (take(parser, "^"))
        return assertion(parser,
                         parser->flags.multi_line ? WEIR_RX_LINE_START : WEIR_RX_TEXT_START);
    if (take(parser, "$"))
        return assertion(parser, parser->flags.multi_line ? WEIR_RX_LINE_END : WEIR_RX_TEXT_END);
    if (at(parser, '\\'))
        return escape(parser);
    if (at(parser, '*') || at(parser, '+') || at(parser, '?'))
        return fail(parser, "no argument for repetition operator");
    return literal(parser, take_code_point(parser));
}

static bool take_count(parser *parser, int *out)
{
    int value = 0, digits = 0;
    while (parser->rest.length && parser->rest.at[0] >= '0' && parser->rest.at[0] <= '9' &&
           value <= MAX_REPEAT) {
        value = value * 10 + parser->rest.at[0] - '0';
        skip(parser, 1);
        digits++;
    }
    *out = value;
    return digits > 0;
}

/* {n}, {n,} or {n,m}; anything else in braces is literal. */
static bool take_braces(parser *parser, int *min, int *max)
{
    weir_str before = parser->rest;
    bool good = take(parser, "{") && take_count(parser, min);
    if (good && take(parser, ","))
        *max = take_count(parser, max) ? *max : UNBOUNDED;
    else
        *max = *min;
    if (good && take(parser, "}"))
        return true;
    parser->rest = before;
    return false;
}

static bool take_repeat(parser *parser, int *min, int *max)
{
    if (take(parser, "*"))
        *min = 0, *max = UNBOUNDED;
    else if (take(parser, "+"))
        *min = 1, *max = UNBOUNDED;
    else if (take(parser, "?"))
        *min = 0, *max = 1;
    else
        return take_braces(parser, min, max);
    return true;
}

static node *repetition(parser *parser)
{
    node *this_node = atom(parser);
    int min = 0, max = 0;
    if (parser->quoting && take(parser, "\\E"))
        parser->quoting = false;
    for (bool first = true; !parser->error && !parser->quoting && take_repeat(parser, &min, &max);
         first = false) {
        if (!first)
            return fail(parser, "bad repetition operator");
        if (min > MAX_REPEAT || max > MAX_REPEAT || (max != UNBOUNDED && max < min))
            return fail(parser, "invalid repetition size");
        node *node = make(parser, REPEAT, this_node);
        node->min = min;
        node->max = max;
        node->lazy = take(parser, "?") != parser->flags.ungreedy;
        this_node = node;
    }
    return this_node;
}

static bool at_end_of_concatenation(const parser *parser)
{
    return parser->rest.length == 0 || (!parser->quoting && (at(parser, '|') || at(parser, ')')));
}

static node *concatenation(parser *parser)
{
    node *all = make(parser, CONCAT, NULL), **tail = &all->a;
    while (!parser->error && !at_end_of_concatenation(parser)) {
        if (!parser->quoting && take(parser, "\\Q")) {
            parser->quoting = !take(parser, "\\E");
            continue;
        }
        *tail = repetition(parser);
        tail = *tail ? &(*tail)->next : tail;
    }
    return all;
}

static node *alternation(parser *parser)
{
    node *first = concatenation(parser), **tail = &first->next;
    while (!parser->error && take(parser, "|")) {
        *tail = concatenation(parser);
        tail = &(*tail)->next;
    }
    return make(parser, ALTERNATE, first);
}

/* ---- code generation ------------------------------------------------------------------------- */

static uint32_t emit(parser *parser, weir_rx_inst inst)
{
    if (parser->re->program.count >= MAX_PROGRAM)
        fail(parser, "pattern too large - compile failed");
    else
        weir_vec_push(&parser->re->program, inst);
    return (uint32_t)parser->re->program.count - 1;
}

static uint32_t here(const parser *parser)
{
    return (uint32_t)parser->re->program.count;
}

static void set_targets(parser *parser, uint32_t inst, uint32_t first, uint32_t second, bool swap)
{
    parser->re->program.at[inst].x = swap ? second : first;
    parser->re->program.at[inst].y = swap ? first : second;
}

static void write_node(parser *parser, const node *this_node);

static void write_repeat(parser *parser, const node *node)
{
    for (int i = 0; i < node->min && !parser->error; i++)
        write_node(parser, node->a);
    if (node->max == UNBOUNDED) {
        uint32_t split = emit(parser, (weir_rx_inst){.code = WEIR_RX_SPLIT});
        write_node(parser, node->a);
        emit(parser, (weir_rx_inst){.code = WEIR_RX_JUMP, .x = split});
        set_targets(parser, split, split + 1, here(parser), node->lazy);
        return;
    }
    for (int i = node->min; i < node->max && !parser->error; i++) {
        uint32_t split = emit(parser, (weir_rx_inst){.code = WEIR_RX_SPLIT});
        write_node(parser, node->a);
        set_targets(parser, split, split + 1, here(parser), node->lazy);
    }
}

/* Each operand except the last is tried first and jumps to the end; the jumps are linked through
 * their targets until the end is known. */
static void write_alternate(parser *parser, const node *this_node)
{
    const uint32_t none = UINT32_MAX;
    uint32_t jumps = none;
    for (const node *part = this_node->a; part && !parser->error; part = part->next) {
        if (!part->next) {
            write_node(parser, part);
            break;
        }
        uint32_t split = emit(parser, (weir_rx_inst){.code = WEIR_RX_SPLIT});
        write_node(parser, part);
        jumps = emit(parser, (weir_rx_inst){.code = WEIR_RX_JUMP, .x = jumps});
        set_targets(parser, split, split + 1, here(parser), false);
    }
    for (uint32_t next; !parser->error && jumps != none; jumps = next) {
        next = parser->re->program.at[jumps].x;
        parser->re->program.at[jumps].x = here(parser);
    }
}

static void write_group(parser *parser, const node *node)
{
    bool reported = node->arg && node->arg < WEIR_REGEX_GROUPS;
    if (reported)
        emit(parser, (weir_rx_inst){.code = WEIR_RX_SAVE, .arg = 2 * (uint32_t)node->arg});
    write_node(parser, node->a);
    if (reported)
        emit(parser, (weir_rx_inst){.code = WEIR_RX_SAVE, .arg = 2 * (uint32_t)node->arg + 1});
}

static void write_node(parser *parser, const node *this_node)
{
    if (parser->error)
        return;
    switch (this_node->kind) {
    case EMPTY:
        break;
    case SET:
        emit(parser, (weir_rx_inst){
                         .code = WEIR_RX_SET, .arg = this_node->first, .count = this_node->count});
        break;
    case CONCAT:
        for (const node *part = this_node->a; part; part = part->next)
            write_node(parser, part);
        break;
    case ALTERNATE:
        write_alternate(parser, this_node);
        break;
    case REPEAT:
        write_repeat(parser, this_node);
        break;
    case GROUP:
        write_group(parser, this_node);
        break;
    case ASSERT:
        emit(parser, (weir_rx_inst){.code = WEIR_RX_ASSERT, .arg = (uint32_t)this_node->arg});
        break;
    }
}

weir_status weir_regex_compile(weir_str pattern, weir_regex **out_regex)
{
    WEIR_OWNED(weir_regex) re = WEIR_NEW(weir_regex);
    re->groups = 1;
    parser parser = {.re = re, .rest = pattern};
    weir_arena_init(&parser.arena);
    enum { MOST = 1 << 16 };
    if (pattern.length > MOST)
        fail(&parser, "pattern too large - compile failed");
    node *root = parser.error ? NULL : alternation(&parser);
    if (!parser.error && parser.rest.length)
        fail(&parser, "unexpected )");
    if (!parser.error)
        write_node(&parser, root);
    emit(&parser, (weir_rx_inst){.code = WEIR_RX_MATCH});
    weir_arena_fini(&parser.arena);
    if (parser.error)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid pattern: %.*s, error: %s",
                          WEIR_STR_ARG(pattern), parser.error);
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
