/* command/help_parts.c - the phrases of which every form of help is made. */
#include <stdio.h>
#include <string.h>

#include "command/help.h"
#include "command/options.h"

bool weir_about_next(const char **at, weir_about *out)
{
    const char *from = *at ? *at + strspn(*at, "\n") : "";
    if (!*from)
        return false;
    bool literal = strncmp(from, "  ", 2) == 0;
    const char *to = from;
    while (*to && *to != '\n' && (strncmp(to, "  ", 2) == 0) == literal) {
        to += strcspn(to, "\n");
        to += *to == '\n';
    }
    *at = to;
    while (to > from && to[-1] == '\n')
        to--;
    *out = (weir_about){{from, (size_t)(to - from)}, literal};
    return true;
}

void weir_help_usage(weir_buf *b, const weir_command *c)
{
    bool shown = false;
    for (size_t i = 0; i < c->option_count; i++)
        shown = shown || !c->options[i].hidden;
    weir_buf_adds(b, shown ? " [OPTION...]" : "");
    if (c->words)
        weir_buf_addf(b, " %s", c->words);
    else if (c->subs)
        weir_buf_adds(b, " COMMAND");
}

const char *weir_help_value(const weir_option *o)
{
    return o->kind == WEIR_OPTION_FLAG ? NULL : o->arg ? o->arg : o->choices;
}

static void add_choice(weir_buf *b, const weir_option *o, int index)
{
    const char *at = o->choices;
    weir_str name;
    for (int i = 0; weir_choice_next(&at, &name); i++)
        if (i == index)
            weir_buf_add(b, name.at, name.length);
}

/* Nothing for a default that says "not given": null, or a number that could not be typed. */
static void add_default(weir_buf *b, const weir_option *o, const void *at)
{
    switch (o->kind) {
    case WEIR_OPTION_TEXT:
        if (*(const char *const *)at)
            weir_buf_adds(b, *(const char *const *)at);
        return;
    case WEIR_OPTION_NUMBER:
    case WEIR_OPTION_INDEX:
        if (*(const long *)at >= (o->kind == WEIR_OPTION_NUMBER))
            weir_buf_addf(b, "%ld", *(const long *)at);
        return;
    case WEIR_OPTION_REAL:
        if (*(const double *)at > 0)
            weir_buf_addf(b, "%g", *(const double *)at);
        return;
    case WEIR_OPTION_CHOICE:
        add_choice(b, o, *(const int *)at);
        return;
    default:
        return;
    }
}

void weir_help_option(weir_buf *b, const weir_command *c, const weir_option *o)
{
    WEIR_BUF(value);
    if (c->defaults)
        add_default(&value, o, (const char *)c->defaults + o->at);
    weir_buf_adds(b, o->help);
    if (o->choices && o->arg)
        weir_buf_addf(b, ": %s", o->choices);
    if (value.length)
        weir_buf_addf(b, " (default: %s)", value.at);
}

void weir_help_page(weir_buf *b, const char *path)
{
    weir_buf_adds(b, "weir");
    weir_buf_adds(b, *path ? "-" : "");
    for (; *path; path++)
        weir_buf_addc(b, *path == ' ' ? '-' : *path);
}
