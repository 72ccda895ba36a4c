/* command/help_text.c - help on a terminal, and messages about unknown words. */
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
        size_t count = 0;
        while (i + count < text.length && text.at[i + count] != ' ' && text.at[i + count] != '\n')
            count++;
        if (!first && at + 1 + (int)count > most) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', to);
            at++;
        }
        fwrite(text.at + i, 1, count, to);
        at += (int)count;
        i += count;
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
    if (n > LEFT + 2) /* a long one is on its own line */
        fprintf(to, "\n%*s", LEFT + 2, "");
    fputc(' ', to);
    wrap(to, weir_str_of(right), LEFT + 3, LEFT + 3);
}

static void print_option(FILE *to, const weir_command *command, const weir_option *option)
{
    WEIR_BUF(left);
    WEIR_BUF(right);
    if (option->letter)
        weir_buf_addf(&left, "-%c, ", option->letter);
    else
        weir_buf_adds(&left, "    ");
    const char *value = weir_help_value(option);
    weir_buf_addf(&left, "--%s%s%s", option->name, value ? " " : "", value ? value : "");
    weir_help_option(&right, command, option);
    print_row(to, left.at, right.at);
}

static void print_commands(FILE *to, const char *path, const weir_command *command)
{
    for (size_t i = 0; command->subs[i]; i++) {
        WEIR_BUF(left);
        if (command->subs[i]->hidden)
            continue;
        weir_buf_addf(&left, "weir %s%s%s", path, *path ? " " : "", command->subs[i]->name);
        print_row(to, left.at, command->subs[i]->summary);
    }
}

static void print(FILE *to, const char *path, const weir_command *command)
{
    WEIR_BUF(usage);
    weir_help_usage(&usage, command);
    fprintf(to, "usage: weir%s%s%s\n", *path ? " " : "", path, usage.at ? usage.at : "");
    print_about(to, command->about);
    if (command->subs) {
        fputc('\n', to);
        print_commands(to, path, command);
    }
    if (command->option_count)
        fputc('\n', to);
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            print_option(to, command, &command->options[i]);
    if (command->subs)
        fprintf(to, "\nSee 'weir help %s%sCOMMAND' for details.\n", path, *path ? " " : "");
}

void weir_help_print(const char *path, const weir_command *command)
{
    print(stdout, path, command);
}

int weir_help_choose(const char *path, const weir_command *command)
{
    print(stderr, path, command);
    return WEIR_EXIT_USAGE;
}

/* The subcommand of |command| that has a command |word|, "ckpt" for "convert"; or
 * null. */
static const weir_command *holder(const weir_command *command, const char *word)
{
    for (size_t i = 0; command->subs[i]; i++) {
        const weir_command *found = weir_command_find(command->subs[i], word);
        if (found && !found->hidden)
            return command->subs[i];
    }
    return NULL;
}

int weir_help_unknown(const char *path, const weir_command *command, const char *word)
{
    const char *names[64], *space = *path ? " " : "";
    size_t count = 0;
    for (size_t i = 0; command->subs[i] && count < 64; i++)
        if (!command->subs[i]->hidden)
            names[count++] = command->subs[i]->name;
    const char *meant = weir_cli_nearest(word, names, count);
    fprintf(stderr, "weir%s%s: there is no command '%s'\n  ", space, path, word);
    const weir_command *above = holder(command, word);
    if (above)
        fprintf(stderr, "Did you mean 'weir %s%s%s %s'? ", path, space, above->name, word);
    else if (meant)
        fprintf(stderr, "Did you mean 'weir %s%s%s'? ", path, space, meant);
    fprintf(stderr, "'weir help%s%s' lists the commands.\n", space, path);
    return WEIR_EXIT_USAGE;
}
