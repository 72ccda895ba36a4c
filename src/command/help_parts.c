/* command/help_parts.c - phrases common to all formats of the help. */
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

void weir_help_usage(weir_buf *buf, const weir_command *command)
{
    bool shown = false;
    for (size_t i = 0; i < command->option_count; i++)
        shown = shown || !command->options[i].hidden;
    weir_buf_adds(buf, shown ? " [OPTION...]" : "");
    if (command->words)
        weir_buf_addf(buf, " %s", command->words);
    else if (command->subs)
        weir_buf_adds(buf, command->run ? " [COMMAND]" : " COMMAND");
}

const char *weir_help_value(const weir_option *option)
{
    return option->kind == WEIR_OPTION_FLAG ? NULL : option->arg ? option->arg : option->choices;
}

static void add_choice(weir_buf *buf, const weir_option *option, int index)
{
    const char *at = option->choices;
    weir_str name;
    for (int i = 0; weir_choice_next(&at, &name); i++)
        if (i == index)
            weir_buf_add(buf, name.at, name.length);
}

/* Nothing for a default that means "not given": null, or a number that cannot be typed. */
static void add_default(weir_buf *buf, const weir_option *option, const void *at)
{
    switch (option->kind) {
    case WEIR_OPTION_TEXT:
        if (*(const char *const *)at)
            weir_buf_adds(buf, *(const char *const *)at);
        return;
    case WEIR_OPTION_NUMBER:
    case WEIR_OPTION_INDEX:
        if (*(const long *)at >= (option->kind == WEIR_OPTION_NUMBER))
            weir_buf_addf(buf, "%ld", *(const long *)at);
        return;
    case WEIR_OPTION_REAL:
        if (*(const double *)at > 0)
            weir_buf_addf(buf, "%g", *(const double *)at);
        return;
    case WEIR_OPTION_CHOICE:
        add_choice(buf, option, *(const int *)at);
        return;
    default:
        return;
    }
}

void weir_help_option(weir_buf *buf, const weir_command *command, const weir_option *option)
{
    WEIR_BUF(value);
    if (command->defaults)
        add_default(&value, option, (const char *)command->defaults + option->at);
    weir_buf_adds(buf, option->help);
    if (option->choices && option->arg)
        weir_buf_addf(buf, ": %s", option->choices);
    if (value.length)
        weir_buf_addf(buf, " (default: %s)", value.at);
}

void weir_help_page(weir_buf *buf, const char *path)
{
    weir_buf_adds(buf, "weir");
    weir_buf_adds(buf, *path ? "-" : "");
    for (; *path; path++)
        weir_buf_addc(buf, *path == ' ' ? '-' : *path);
}
