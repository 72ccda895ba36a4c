/* command/help_text.c - help on a terminal, and what is said to a wrong word. */
#include <stdio.h>
#include <string.h>

#include "command/help.h"
#include "command/options.h"
#include "command/terminal.h"

enum { WIDEST = 100, PLAIN = 80, LEFT = 24 };

static int width(void)
{
    int columns = weir_terminal_columns(stdout);
    return columns == 0 ? PLAIN : columns > WIDEST ? WIDEST : columns < 40 ? 40 : columns;
}

/* Words of |text| from column |at| on; later lines begin at |indent|. */
static void wrap(FILE *to, weir_str text, int at, int indent)
{
    int most = width();
    bool first = true;
    for (size_t i = 0; i < text.length;) {
        if (text.at[i] == ' ' || text.at[i] == '\n') {
            i++;
            continue;
        }
        size_t n = 0;
        while (i + n < text.length && text.at[i + n] != ' ' && text.at[i + n] != '\n')
            n++;
        if (!first && at + 1 + (int)n > most) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', to);
            at++;
        }
        fwrite(text.at + i, 1, n, to);
        at += (int)n;
        i += n;
        first = false;
    }
    fputc('\n', to);
}

static void print_about(FILE *to, const char *about)
{
    weir_about piece;
    while (weir_about_next(&about, &piece)) {
        fputc('\n', to);
        if (piece.literal)
            fprintf(to, "%.*s\n", WEIR_STR_ARG(piece.text));
        else
            wrap(to, piece.text, 0, 0);
    }
}

static void print_row(FILE *to, const char *left, const char *right)
{
    int n = fprintf(to, "  %-*s", LEFT, left);
    if (n > LEFT + 2) /* a long one stands alone */
        fprintf(to, "\n%*s", LEFT + 2, "");
    fputc(' ', to);
    wrap(to, weir_str_of(right), LEFT + 3, LEFT + 3);
}

static void print_option(FILE *to, const weir_command *c, const weir_option *o)
{
    WEIR_BUF(left);
    WEIR_BUF(right);
    if (o->letter)
        weir_buf_addf(&left, "-%c, ", o->letter);
    else
        weir_buf_adds(&left, "    ");
    const char *value = weir_help_value(o);
    weir_buf_addf(&left, "--%s%s%s", o->name, value ? " " : "", value ? value : "");
    weir_help_option(&right, c, o);
    print_row(to, left.at, right.at);
}

static void print_commands(FILE *to, const char *path, const weir_command *c)
{
    for (size_t i = 0; c->subs[i]; i++) {
        WEIR_BUF(left);
        if (c->subs[i]->hidden)
            continue;
        weir_buf_addf(&left, "weir %s%s%s", path, *path ? " " : "", c->subs[i]->name);
        print_row(to, left.at, c->subs[i]->summary);
    }
}

static void print(FILE *to, const char *path, const weir_command *c)
{
    WEIR_BUF(usage);
    weir_help_usage(&usage, c);
    fprintf(to, "usage: weir%s%s%s\n", *path ? " " : "", path, usage.at ? usage.at : "");
    print_about(to, c->about);
    if (c->subs) {
        fputc('\n', to);
        print_commands(to, path, c);
    }
    if (c->option_count)
        fputc('\n', to);
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].hidden)
            print_option(to, c, &c->options[i]);
    if (c->subs)
        fprintf(to, "\n'weir help %s%sCOMMAND' says more about one.\n", path, *path ? " " : "");
}

void weir_help_print(const char *path, const weir_command *c)
{
    print(stdout, path, c);
}

int weir_help_choose(const char *path, const weir_command *c)
{
    print(stderr, path, c);
    return WEIR_EXIT_USAGE;
}

int weir_help_unknown(const char *path, const weir_command *c, const char *word)
{
    const char *names[64], *space = *path ? " " : "";
    size_t count = 0;
    for (size_t i = 0; c->subs[i] && count < 64; i++)
        if (!c->subs[i]->hidden)
            names[count++] = c->subs[i]->name;
    const char *meant = weir_cli_nearest(word, names, count);
    fprintf(stderr, "weir%s%s: there is no command '%s'\n  ", space, path, word);
    if (meant)
        fprintf(stderr, "Did you mean 'weir %s%s%s'? ", path, space, meant);
    fprintf(stderr, "'weir help%s%s' lists the commands.\n", space, path);
    return WEIR_EXIT_USAGE;
}
