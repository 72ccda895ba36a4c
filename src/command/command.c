/* command/command.c - finds and runs the command named by a command line. */
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/mem.h"
#include "command/help.h"
#include "command/options.h"

const weir_command *weir_command_find(const weir_command *in, const char *name)
{
    for (size_t i = 0; in->subs && in->subs[i]; i++)
        if (strcmp(in->subs[i]->name, name) == 0)
            return in->subs[i];
    return NULL;
}

void weir_command_path(weir_buf *path, const char *above, const char *name)
{
    weir_buf_addf(path, "%s%s%s", above, *above ? " " : "", name);
}

/* Programs that the command starts do not repeat it. */
static void remark_on_variable(const char *name, const char *what)
{
    fprintf(stderr, "weir: the variable %s\n", what);
    unsetenv(name);
}

static int run(const char *path, const weir_command *command, int argc, char **argv)
{
    WEIR_FREED void *args = weir_zalloc(command->args_bytes);
    if (command->defaults)
        memcpy(args, command->defaults, command->args_bytes);
    weir_parsed parsed = weir_options_from_environment(path, command, args)
                             ? weir_options_read(path, command, args, &argc, argv)
                             : WEIR_PARSED_WRONG;
    if (!command->hidden)
        weir_env_report(remark_on_variable);
    if (parsed == WEIR_PARSED_WRONG && command->wrong) {
        weir_options_read_output(command, args, argc, argv);
        command->wrong(args);
    }
    int status = parsed == WEIR_PARSED        ? command->run(args, argc, argv)
                 : parsed == WEIR_PARSED_HELP ? WEIR_EXIT_OK
                                              : WEIR_EXIT_USAGE;
    weir_options_fini(command, args);
    return status;
}

int weir_command_main(const weir_command *root, int argc, char **argv)
{
    const weir_command *command = root;
    WEIR_BUF(path);
    weir_buf_adds(&path, "");
    for (const weir_command *sub; argc && (sub = weir_command_find(command, argv[0]));
         command = sub) {
        weir_buf_addf(&path, "%s%s", path.length ? " " : "", sub->name);
        argc--, argv++;
    }
    if (command->run || (argc && weir_option_is_help(argv[0])))
        return run(path.at, command, argc, argv);
    if (argc)
        return weir_help_unknown(path.at, command, argv[0]);
    return weir_help_choose(path.at, command);
}
