/* cli/train/words.c - converts options back to arguments, by the command's own table. */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/train/train.h"
#include "command/options.h"

static void add(train_words *w, const char *word)
{
    weir_vec_push(w, weir_strdup(word));
}

static size_t value_bytes(const weir_option *o)
{
    static const size_t bytes[] = {
        [WEIR_OPTION_FLAG] = sizeof(bool),   [WEIR_OPTION_TEXT] = sizeof(char *),
        [WEIR_OPTION_NUMBER] = sizeof(long), [WEIR_OPTION_INDEX] = sizeof(long),
        [WEIR_OPTION_REAL] = sizeof(double), [WEIR_OPTION_CHOICE] = sizeof(int),
    };
    return o->kind < sizeof bytes / sizeof *bytes ? bytes[o->kind] : 0;
}

static void add_choice(train_words *w, const char *choices, int index)
{
    weir_str name;
    for (int i = 0; weir_choice_next(&choices, &name); i++)
        if (i == index)
            weir_vec_push(w, weir_strndup(name.at, name.length));
}

static void add_value(train_words *w, const weir_option *o, const void *at)
{
    char number[32];
    switch (o->kind) {
    case WEIR_OPTION_TEXT:
        add(w, *(const char *const *)at);
        return;
    case WEIR_OPTION_NUMBER:
    case WEIR_OPTION_INDEX:
        snprintf(number, sizeof number, "%ld", *(const long *)at);
        add(w, number);
        return;
    case WEIR_OPTION_REAL:
        snprintf(number, sizeof number, "%.17g", *(const double *)at);
        add(w, number);
        return;
    case WEIR_OPTION_CHOICE:
        add_choice(w, o->choices, *(const int *)at);
        return;
    default: /* a flag has no value */
        return;
    }
}

void train_words_make(const train_options *options, train_words *w)
{
    const weir_command *c = &weir_command_train;
    for (size_t i = 0; i < c->option_count; i++) {
        const weir_option *o = &c->options[i];
        const char *at = (const char *)options + o->at, *usual = (const char *)c->defaults + o->at;
        if (!value_bytes(o) || memcmp(at, usual, value_bytes(o)) == 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "--%s", o->name);
        add(w, name);
        add_value(w, o, at);
    }
    add(w, options->model);
}

void train_words_fini(train_words *w)
{
    for (size_t i = 0; i < w->count; i++)
        weir_free(w->at[i]);
    weir_vec_fini(w);
}
