/* cli/complete.c - weir complete: completion candidates, for the scripts of completion.c. */
#include "command/complete.h"

#include <stdio.h>

#include "cli/commands.h"
#include "cli/op_names.h"
#include "weir/models.h"

static void add_op(const char *name, void *to)
{
    weir_candidates_add(to, weir_str_of(name), "");
}

static void add_models(const weir_candidates *to)
{
    for (int i = 0; i < weir_model_count(); i++)
        weir_candidates_add(to, weir_str_of(weir_model_name(weir_model_at(i))),
                            weir_model_about(weir_model_at(i)));
}

static void add_names(weir_hint hint, const weir_candidates *to)
{
    if (hint == WEIR_HINT_OP)
        weir_ops_each(add_op, (void *)to);
    else if (hint == WEIR_HINT_MODEL)
        add_models(to);
}

static int complete(void *args, int argc, char **argv)
{
    WEIR_BUF(candidates);
    weir_complete(&weir_command_root, argc, argv, add_names, &candidates);
    fwrite(candidates.at, 1, candidates.length, stdout);
    return WEIR_EXIT_OK;
}

const weir_command weir_command_complete = {
    .name = "complete",
    .summary = "print completions of a command line, for a shell",
    .words = "[WORD...]",
    .about = "Prints completions of these words, the last of which may be incomplete.",
    .ends_at_word = true,
    .hidden = true,
    .run = complete,
};
