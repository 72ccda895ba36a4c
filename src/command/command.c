/* command/command.c - commands below commands. */
#include "command/command.h"

#include <string.h>

const weir_command *weir_command_find(const weir_command *in, const char *name)
{
    for (size_t i = 0; in->subs && in->subs[i]; i++)
        if (strcmp(in->subs[i]->name, name) == 0)
            return in->subs[i];
    return NULL;
}
