/* cli/main.c - the weir command: its subcommands, and what is done first. */
#include <string.h>

#include "cli/commands.h"

static const weir_command *const commands[] = {
#define WEIR_CLI(name) &weir_command_##name,
#include "cli/commands.inc"
#undef WEIR_CLI
    NULL};

const weir_command weir_command_root = {
    .name = "weir",
    .summary = "TensorFlow's dataflow runtime in C",
    .words = "COMMAND [ARGUMENT...]",
    .about = "Weir runs TensorFlow's graphs. As a library it is libweir.so, with TensorFlow's C "
             "API; this command trains models, looks into files and serves TensorFlow's clients.",
    .subs = commands,
};

int main(int argc, char **argv)
{
    char version[] = "version";
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        argv[1] = version;
    return weir_command_main(&weir_command_root, argc - 1, argv + 1);
}
