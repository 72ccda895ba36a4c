/* command/help_man.c - a command's page for man, in troff. */
#include <ctype.h>
#include <string.h>

#include "command/help.h"
#include "command/options.h"

/* Text as troff takes it: dashes that can be copied, no line that begins with a command. */
static void add_text(weir_buf *b, weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        bool starts = i == 0 || text.at[i - 1] == '\n';
        if (starts && (c == '.' || c == '\''))
            weir_buf_adds(b, "\\&");
        if (c == '-')
            weir_buf_adds(b, "\\-");
        else if (c == '\\')
            weir_buf_adds(b, "\\e");
        else if (c == '\'')
            weir_buf_adds(b, "\\(aq");
        else
            weir_buf_addc(b, c);
    }
}

static void add_words(weir_buf *b, const char *text)
{
    add_text(b, weir_str_of(text));
}

static void add_heading(weir_buf *b, const char *path, const weir_command *c)
{
    WEIR_BUF(page);
    weir_help_page(&page, path);
    weir_buf_adds(b, ".TH ");
    for (size_t i = 0; i < page.length; i++)
        weir_buf_addc(b, (char)toupper((unsigned char)page.at[i]));
    weir_buf_addf(b, " 1 \"\" \"weir %s\" \"Weir\"\n.SH NAME\n", WEIR_VERSION);
    add_words(b, page.at);
    weir_buf_adds(b, " \\- ");
    add_words(b, c->summary);
}

static void add_about(weir_buf *b, const char *about)
{
    weir_about piece;
    weir_buf_adds(b, ".SH DESCRIPTION\n");
    for (bool first = true; weir_about_next(&about, &piece); first = false) {
        weir_buf_adds(b, piece.literal ? ".PP\n.nf\n" : first ? "" : ".PP\n");
        add_text(b, piece.text);
        weir_buf_adds(b, piece.literal ? "\n.fi\n" : "\n");
    }
}

static void add_option(weir_buf *b, const weir_command *c, const weir_option *o)
{
    WEIR_BUF(help);
    const char *value = weir_help_value(o);
    weir_buf_adds(b, ".TP\n");
    if (o->letter)
        weir_buf_addf(b, "\\fB\\-%c\\fR, ", o->letter);
    weir_buf_adds(b, "\\fB\\-\\-");
    add_words(b, o->name);
    weir_buf_adds(b, "\\fR");
    if (value) {
        weir_buf_adds(b, " \\fI");
        add_words(b, value);
        weir_buf_adds(b, "\\fR");
    }
    weir_buf_addc(b, '\n');
    weir_help_option(&help, c, o);
    add_words(b, help.at);
    weir_buf_addc(b, '\n');
}

static void add_commands(weir_buf *b, const char *path, const weir_command *c)
{
    weir_buf_adds(b, ".SH COMMANDS\n");
    for (size_t i = 0; c->subs[i]; i++) {
        WEIR_BUF(below);
        WEIR_BUF(page);
        if (c->subs[i]->hidden)
            continue;
        weir_command_path(&below, path, c->subs[i]->name);
        weir_help_page(&page, below.at);
        weir_buf_adds(b, ".TP\n\\fB");
        add_words(b, page.at);
        weir_buf_adds(b, "\\fR(1)\n");
        add_words(b, c->subs[i]->summary);
        weir_buf_addc(b, '\n');
    }
}

void weir_help_man(weir_buf *b, const char *path, const weir_command *c)
{
    WEIR_BUF(usage);
    weir_help_usage(&usage, c);
    add_heading(b, path, c);
    weir_buf_adds(b, "\n.SH SYNOPSIS\n\\fBweir");
    weir_buf_addf(b, "%s%s\\fR", *path ? " " : "", path);
    add_words(b, usage.at ? usage.at : "");
    weir_buf_addc(b, '\n');
    add_about(b, c->about);
    if (c->subs)
        add_commands(b, path, c);
    weir_buf_adds(b, ".SH OPTIONS\n");
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].hidden)
            add_option(b, c, &c->options[i]);
    add_option(b, c, &weir_option_help);
    weir_buf_adds(b, ".SH EXIT STATUS\n0 when the work was done, 1 when it failed, 2 when the "
                     "command was called wrongly.\n");
    if (*path)
        weir_buf_adds(b, ".SH SEE ALSO\n\\fBweir\\fR(1)\n");
}
