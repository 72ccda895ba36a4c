/* cli/main.c - the weir command: finds the subcommand, reads its options and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cli/commands.h"
#include "command/help.h"
#include "command/options.h"

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

static int run(const char *path, const weir_command *c, int argc, char **argv)
{
    void *args = weir_zalloc(c->args_bytes);
    if (c->defaults)
        memcpy(args, c->defaults, c->args_bytes);
    weir_parsed parsed = weir_options_read(path, c, args, &argc, argv);
    int status = parsed == WEIR_PARSED        ? c->run(args, argc, argv)
                 : parsed == WEIR_PARSED_HELP ? WEIR_EXIT_OK
                                              : WEIR_EXIT_USAGE;
    weir_options_fini(c, args);
    weir_free(args);
    return status;
}

/* Words lead down the tree of commands as long as they name one. */
static int dispatch(const weir_command *root, int argc, char **argv)
{
    const weir_command *c = root;
    WEIR_BUF(path);
    int status;
    for (const weir_command *sub; argc && (sub = weir_command_find(c, argv[0])); c = sub) {
        weir_buf_addf(&path, "%s%s", path.length ? " " : "", sub->name);
        argc--, argv++;
    }
    if (c->run || (argc && strcmp(argv[0], "--help") == 0) || (argc && strcmp(argv[0], "-h") == 0))
        status = run(path.at ? path.at : "", c, argc, argv);
    else if (argc)
        status = weir_help_unknown(path.at ? path.at : "", c, argv[0]);
    else
        status = weir_help_choose(path.at ? path.at : "", c);
    return status;
}

int main(int argc, char **argv)
{
    char version[] = "version";
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        argv[1] = version;
    return dispatch(&weir_command_root, argc - 1, argv + 1);
}
