/* command/complete.c - candidates for an unfinished command line, from the table of commands. */
#include "command/complete.h"

#include <string.h>

#include "base/arith.h"
#include "command/options.h"

/* The context of the last word. */
typedef struct place {
    const weir_command *root, *command;
    const weir_option *pending; /* the previous word was this option, so a value follows */
    bool has_words;             /* a word that is neither command nor option was given */
} place;

static void add(const weir_candidates *to, weir_str word, const char *before, const char *about)
{
    size_t length = strlen(to->prefix);
    if (word.length >= length && strncmp(word.at, to->prefix, length) == 0)
        weir_buf_addf(to->out, "%s%.*s\t%s\n", before, WEIR_STR_ARG(word), about);
}

void weir_candidates_add(const weir_candidates *to, weir_str word, const char *about)
{
    add(to, word, "", about);
}

static void add_commands(const weir_command *command, const weir_candidates *to)
{
    for (size_t i = 0; command->subs && command->subs[i]; i++)
        if (!command->subs[i]->hidden)
            add(to, weir_str_of(command->subs[i]->name), "", command->subs[i]->summary);
}

static void add_hinted(const weir_command *root, weir_hint hint, weir_complete_names *names,
                       const weir_candidates *to)
{
    switch (hint) {
    case WEIR_HINT_FILE:
        weir_buf_adds(to->out, ":file\n");
        break;
    case WEIR_HINT_FOLDER:
        weir_buf_adds(to->out, ":dir\n");
        break;
    case WEIR_HINT_COMMAND:
        add_commands(root, to);
        break;
    default:
        names(hint, to);
        break;
    }
}

static void add_options(const weir_command *command, const weir_candidates *to)
{
    size_t length = strlen(to->prefix);
    if (strncmp(to->prefix, "--", (size_t)weir_min((int64_t)length, 2)) != 0)
        return;
    weir_candidates names = {length > 2 ? to->prefix + 2 : "", to->out};
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden && command->options[i].kind != WEIR_OPTION_OTHER)
            add(&names, weir_str_of(command->options[i].name), "--", command->options[i].help);
}

static void add_values(const place *at, const weir_option *option, const char *before,
                       weir_complete_names *names, const weir_candidates *to)
{
    const char *choices = option->choices;
    weir_str name;
    while (weir_choice_next(&choices, &name))
        add(to, name, before, "");
    if (!option->choices)
        add_hinted(at->root, option->hint, names, to);
}

/* Arguments may be choices: "bash|zsh|fish". */
static void add_words(const place *at, weir_complete_names *names, const weir_candidates *to)
{
    const char *words = at->command->words;
    const char *choices = words && strchr(words, '|') ? words : NULL;
    weir_str name;
    while (weir_choice_next(&choices, &name))
        add(to, name, "", "");
    add_hinted(at->root, at->command->hint, names, to);
}

/* The option with a value that |word|, "--name" or "-n", names; or null. */
static const weir_option *option_of(const weir_command *command, weir_str word)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const weir_option *option = &command->options[i];
        if (option->kind == WEIR_OPTION_FLAG || option->kind == WEIR_OPTION_OTHER)
            continue;
        if (word.length > 2 && memcmp(word.at, "--", 2) == 0 &&
            weir_str_is((weir_str){word.at + 2, word.length - 2}, option->name))
            return option;
        if (option->letter && word.length == 2 && word.at[0] == '-' && word.at[1] == option->letter)
            return option;
    }
    return NULL;
}

/* The option of "--name=value", and where its value begins; or null. */
static const weir_option *option_with_value(const weir_command *command, const char *word,
                                            const char **out_value)
{
    const char *equals = strchr(word, '=');
    *out_value = equals ? equals + 1 : NULL;
    return equals ? option_of(command, (weir_str){word, (size_t)(equals - word)}) : NULL;
}

static place walk(const weir_command *root, int count, char **words)
{
    place at = {root, root, NULL, false};
    for (int i = 0; i < count; i++) {
        const weir_command *sub;
        if (at.pending)
            at.pending = NULL;
        else if ((at.pending = option_of(at.command, weir_str_of(words[i]))))
            continue;
        else if (!at.has_words && (sub = weir_command_find(at.command, words[i])))
            at.command = sub;
        else if (words[i][0] != '-')
            at.has_words = true;
    }
    return at;
}

void weir_complete(const weir_command *root, int count, char **words, weir_complete_names *names,
                   weir_buf *out)
{
    if (count == 0)
        return;
    place at = walk(root, count - 1, words);
    const char *last = words[count - 1], *value;
    const weir_option *given = option_with_value(at.command, last, &value);
    weir_candidates to = {last, out};
    if (at.has_words && at.command->ends_at_word) {
        weir_buf_adds(out, ":file\n");
    } else if (at.pending) {
        add_values(&at, at.pending, "", names, &to);
    } else if (given) {
        WEIR_BUF(before);
        weir_buf_addf(&before, "--%s=", given->name);
        add_values(&at, given, before.at, names, &(weir_candidates){value, out});
    } else if (last[0] == '-') {
        add_options(at.command, &to);
    } else {
        if (!at.has_words)
            add_commands(at.command, &to);
        add_words(&at, names, &to);
    }
}
