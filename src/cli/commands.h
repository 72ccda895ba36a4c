/* cli/commands.h - the commands of weir, as commands.inc lists them. */
#ifndef WEIR_CLI_COMMANDS_H
#define WEIR_CLI_COMMANDS_H

#include "command/command.h"

#define WEIR_CLI(name) extern const weir_command weir_command_##name;
#include "cli/commands.inc"
#undef WEIR_CLI

/* "weir" itself; its commands are the program's. */
extern const weir_command weir_command_root;

#endif
