/* cli/complete.c - weir complete: what can follow these words; for the scripts of completion.c. */
#include <stdio.h>
#include <string.h>

#include "cli/op_names.h"
#include "command/command.h"
#include "command/options.h"
#include "weir/models.h"

static void offer(const char *prefix, weir_str word, const char *before, const char *about)
{
    if (word.length >= strlen(prefix) && strncmp(word.at, prefix, strlen(prefix)) == 0)
        printf("%s%.*s\t%s\n", before, WEIR_STR_ARG(word), about);
}

static void offer_commands(const weir_command *c, const char *prefix)
{
    for (size_t i = 0; c->subs && c->subs[i]; i++)
        if (!c->subs[i]->hidden)
            offer(prefix, weir_str_of(c->subs[i]->name), "", c->subs[i]->summary);
}

static void offer_op(const char *name, void *prefix)
{
    offer(prefix, weir_str_of(name), "", "");
}

static void offer_models(const char *prefix)
{
    for (int i = 0; i < weir_model_count(); i++)
        offer(prefix, weir_str_of(weir_model_name(weir_model_at(i))), "",
              weir_model_about(weir_model_at(i)));
}

static void offer_hint(weir_hint hint, const char *prefix)
{
    switch (hint) {
    case WEIR_HINT_FILE:
        printf(":file\n");
        break;
    case WEIR_HINT_FOLDER:
        printf(":dir\n");
        break;
    case WEIR_HINT_OP:
        weir_ops_each(offer_op, (void *)prefix);
        break;
    case WEIR_HINT_MODEL:
        offer_models(prefix);
        break;
    case WEIR_HINT_COMMAND:
        offer_commands(&weir_command_root, prefix);
        break;
    default:
        break;
    }
}

static void offer_options(const weir_command *c, const char *prefix)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].hidden && c->options[i].kind != WEIR_OPTION_OTHER &&
            strncmp(prefix, "--", strlen(prefix) < 2 ? strlen(prefix) : 2) == 0)
            offer(strlen(prefix) > 2 ? prefix + 2 : "", weir_str_of(c->options[i].name), "--",
                  c->options[i].help);
}

static void offer_value(const weir_option *o, const char *before, const char *prefix)
{
    const char *at = o->choices;
    weir_str name;
    while (weir_choice_next(&at, &name))
        offer(prefix, name, before, "");
    if (!o->choices)
        offer_hint(o->hint, prefix);
}

/* Arguments that are choices themselves: "bash|zsh|fish". */
static void offer_words(const weir_command *c, const char *prefix)
{
    const char *at = c->words && strchr(c->words, '|') ? c->words : NULL;
    weir_str name;
    while (weir_choice_next(&at, &name))
        offer(prefix, name, "", "");
    offer_hint(c->hint, prefix);
}

static const weir_option *option_of(const weir_command *c, const char *word)
{
    for (size_t i = 0; i < c->option_count; i++) {
        const weir_option *o = &c->options[i];
        if (o->kind == WEIR_OPTION_FLAG || o->kind == WEIR_OPTION_OTHER)
            continue;
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0)
            return o;
        if (o->letter && word[0] == '-' && word[1] == o->letter && !word[2])
            return o;
    }
    return NULL;
}

/* "--name=" of |word| and the option it names, or null. */
static const weir_option *option_with_value(const weir_command *c, char *word, char **out_value)
{
    char *equals = strchr(word, '=');
    if (!equals)
        return NULL;
    *equals = 0;
    const weir_option *o = option_of(c, word);
    *equals = '=';
    *out_value = equals + 1;
    return o;
}

static int complete(void *args, int argc, char **argv)
{
    const weir_command *c = &weir_command_root, *sub;
    const weir_option *pending = NULL;
    bool words = false;
    for (int i = 0; i + 1 < argc; i++) {
        if (pending)
            pending = NULL;
        else if ((pending = option_of(c, argv[i])))
            continue;
        else if (!words && (sub = weir_command_find(c, argv[i])))
            c = sub;
        else if (argv[i][0] != '-')
            words = true;
    }
    if (argc == 0)
        return WEIR_EXIT_OK;
    char *last = argv[argc - 1], *value = NULL;
    const weir_option *given = option_with_value(c, last, &value);
    if (words && c->ends_at_word) {
        printf(":file\n");
    } else if (pending) {
        offer_value(pending, "", last);
    } else if (given) {
        char before[128];
        snprintf(before, sizeof before, "--%s=", given->name);
        offer_value(given, before, value);
    } else if (last[0] == '-') {
        offer_options(c, last);
    } else {
        if (!words)
            offer_commands(c, last);
        offer_words(c, last);
    }
    return WEIR_EXIT_OK;
}

const weir_command weir_command_complete = {
    .name = "complete",
    .summary = "say what can follow these words, for a shell",
    .words = "[WORD...]",
    .about = "Says what can follow these words, the last of which may be unfinished.",
    .ends_at_word = true,
    .hidden = true,
    .run = complete,
};
