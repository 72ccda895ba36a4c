/* command/help_man.c - a command's page for man, in troff. */
#include <ctype.h>
#include <string.h>

#include "command/help.h"
#include "command/options.h"

/* Text for troff: dashes that can be copied, no line that starts with a request. */
static void add_text(weir_buf *buf, weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        char ch = text.at[i];
        bool starts = i == 0 || text.at[i - 1] == '\n';
        if (starts && (ch == '.' || ch == '\''))
            weir_buf_adds(buf, "\\&");
        if (ch == '-')
            weir_buf_adds(buf, "\\-");
        else if (ch == '\\')
            weir_buf_adds(buf, "\\e");
        else if (ch == '\'')
            weir_buf_adds(buf, "\\(aq");
        else
            weir_buf_addc(buf, ch);
    }
}

static void add_words(weir_buf *buf, const char *text)
{
    add_text(buf, weir_str_of(text));
}

static void add_heading(weir_buf *buf, const char *path, const weir_command *command)
{
    WEIR_BUF(page);
    weir_help_page(&page, path);
    weir_buf_adds(buf, ".TH ");
    for (size_t i = 0; i < page.length; i++)
        weir_buf_addc(buf, (char)toupper((unsigned char)page.at[i]));
    weir_buf_addf(buf, " 1 \"\" \"weir %s\" \"Weir\"\n.SH NAME\n", WEIR_VERSION);
    add_words(buf, page.at);
    weir_buf_adds(buf, " \\- ");
    add_words(buf, command->summary);
}

static void add_about(weir_buf *buf, const char *about)
{
    weir_about piece;
    weir_buf_adds(buf, ".SH DESCRIPTION\n");
    for (bool first = true; weir_about_next(&about, &piece); first = false) {
        weir_buf_adds(buf, piece.literal ? ".PP\n.nf\n" : first ? "" : ".PP\n");
        add_text(buf, piece.text);
        weir_buf_adds(buf, piece.literal ? "\n.fi\n" : "\n");
    }
}

static void add_option(weir_buf *buf, const weir_command *command, const weir_option *option)
{
    WEIR_BUF(help);
    const char *value = weir_help_value(option);
    weir_buf_adds(buf, ".TP\n");
    if (option->letter)
        weir_buf_addf(buf, "\\fB\\-%c\\fR, ", option->letter);
    weir_buf_adds(buf, "\\fB\\-\\-");
    add_words(buf, option->name);
    weir_buf_adds(buf, "\\fR");
    if (value) {
        weir_buf_adds(buf, " \\fI");
        add_words(buf, value);
        weir_buf_adds(buf, "\\fR");
    }
    weir_buf_addc(buf, '\n');
    weir_help_option(&help, command, option);
    add_words(buf, help.at);
    weir_buf_addc(buf, '\n');
}

static void add_commands(weir_buf *buf, const char *path, const weir_command *command)
{
    weir_buf_adds(buf, ".SH COMMANDS\n");
    for (size_t i = 0; command->subs[i]; i++) {
        WEIR_BUF(below);
        WEIR_BUF(page);
        if (command->subs[i]->hidden)
            continue;
        weir_command_path(&below, path, command->subs[i]->name);
        weir_help_page(&page, below.at);
        weir_buf_adds(buf, ".TP\n\\fB");
        add_words(buf, page.at);
        weir_buf_adds(buf, "\\fR(1)\n");
        add_words(buf, command->subs[i]->summary);
        weir_buf_addc(buf, '\n');
    }
}

void weir_help_man(weir_buf *buf, const char *path, const weir_command *command)
{
    WEIR_BUF(usage);
    weir_help_usage(&usage, command);
    add_heading(buf, path, command);
    weir_buf_adds(buf, "\n.SH SYNOPSIS\n\\fBweir");
    weir_buf_addf(buf, "%s%s\\fR", *path ? " " : "", path);
    add_words(buf, usage.at ? usage.at : "");
    weir_buf_addc(buf, '\n');
    add_about(buf, command->about);
    if (command->subs)
        add_commands(buf, path, command);
    weir_buf_adds(buf, ".SH OPTIONS\n");
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            add_option(buf, command, &command->options[i]);
    add_option(buf, command, &weir_option_help);
    weir_buf_adds(buf,
                  ".SH EXIT STATUS\n0 on success, 1 after a failure, 2 after a usage error.\n");
    if (*path)
        weir_buf_adds(buf, ".SH SEE ALSO\n\\fBweir\\fR(1)\n");
}
