/* cli/main.c - the weir command: finds the subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const weir_command commands[] = {
#define WEIR_COMMAND(name, args, summary) {#name, args, summary, weir_cli_##name},
#include "cli/commands.inc"
#undef WEIR_COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const weir_command *find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_commands(FILE *to)
{
    fprintf(to, "usage: weir COMMAND [ARGUMENT...]\n\n"
                "Weir runs TensorFlow's graphs. As a library it is libweir.so, with TensorFlow's C "
                "API;\nthis command shows what it can do.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  weir %-8s %-18s %s\n", commands[i].name, commands[i].args,
                commands[i].summary);
    fprintf(to, "\n'weir help COMMAND' says more about one.\n");
}

static int unknown(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *meant = weir_cli_nearest(name, names, COMMAND_COUNT);
    fprintf(stderr, "weir: there is no command '%s'\n", name);
    if (meant)
        fprintf(stderr, "  Did you mean 'weir %s'? ", meant);
    else
        fprintf(stderr, "  ");
    fprintf(stderr, "'weir help' lists the commands.\n");
    return WEIR_EXIT_USAGE;
}

int weir_cli_help(int argc, char **argv)
{
    if (argc == 0) {
        print_commands(stdout);
        return WEIR_EXIT_OK;
    }
    const weir_command *c = find(argv[0]);
    if (!c)
        return unknown(argv[0]);
    if (c->run == weir_cli_help)
        return weir_cli_help(0, argv);
    char option[] = "--help", *words[] = {option, NULL};
    return c->run(1, words);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_commands(stderr);
        return WEIR_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0)
        name = "version";
    const weir_command *c = find(name);
    return c ? c->run(argc - 2, argv + 2) : unknown(name);
}
