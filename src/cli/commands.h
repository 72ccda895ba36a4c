/* cli/commands.h - the commands of weir, listed in commands.inc. */
#ifndef WEIR_CLI_COMMANDS_H
#define WEIR_CLI_COMMANDS_H

#include "command/command.h"

#define WEIR_CLI(name) extern const weir_command weir_command_##name;
#include "cli/commands.inc"
#undef WEIR_CLI

/* "weir" itself; its subcommands are the program's commands. */
extern const weir_command weir_command_root;

#endif
