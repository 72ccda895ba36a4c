/* command/options.c - parses a command line by its command's table. */
#include "command/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/mem.h"
#include "command/help.h"

const weir_option weir_option_help = {"help", 'h', NULL, "show this help and exit",
                                      .kind = WEIR_OPTION_FLAG};

/* The option in |word| ("--name", "--name=value", "-n"); *out_value is the part after '='. */
static const weir_option *find(const weir_command *command, char *word, char **out_value)
{
    *out_value = NULL;
    for (size_t i = 0; i < command->option_count; i++) {
        const weir_option *option = &command->options[i];
        size_t length = strlen(option->name);
        if (option->kind == WEIR_OPTION_OTHER)
            continue;
        if (option->letter && word[1] == option->letter && word[2] == 0)
            return option;
        if (word[1] != '-' || strncmp(word + 2, option->name, length) != 0)
            continue;
        if (word[2 + length] == '=')
            *out_value = word + 3 + length;
        if (word[2 + length] == '=' || word[2 + length] == 0)
            return option;
    }
    return NULL;
}

bool weir_choice_next(const char **at, weir_str *out)
{
    if (!*at || !**at)
        return false;
    size_t count = strcspn(*at, "|");
    *out = (weir_str){*at, count};
    *at += count + ((*at)[count] == '|');
    return true;
}

static bool find_choice(const weir_option *option, const char *text, int *out)
{
    const char *at = option->choices;
    weir_str name;
    for (int i = 0; weir_choice_next(&at, &name); i++)
        if (weir_str_is(name, text)) {
            *out = i;
            return true;
        }
    return false;
}

/* Some commands call the readable format "table", others "text": accepts either. */
static bool set_choice(const weir_option *option, const char *text, int *out)
{
    bool table = strcmp(text, "table") == 0, words = strcmp(text, "text") == 0;
    return find_choice(option, text, out) ||
           ((table || words) && find_choice(option, table ? "text" : "table", out));
}

static long most_of(const weir_option *option)
{
    return option->most ? option->most : INT_MAX;
}

/* *out is LONG_MAX if |text| is larger. */
static bool read_long(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return *text && !*end;
}

static bool set_long(const weir_option *option, const char *text, long least, long *out)
{
    errno = 0;
    return read_long(text, out) && !errno && *out >= least && *out <= most_of(option);
}

static bool set_real(const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return *text && !*end && !errno && *out > 0;
}

static void add_word(weir_words *words, const char *text)
{
    words->at = weir_realloc(words->at, sizeof *words->at * (size_t)(words->count + 1));
    words->at[words->count++] = text;
}

/* False when |text| is not a value for |option|. */
static bool set(const weir_option *option, void *args, const char *text)
{
    void *at = (char *)args + option->at;
    switch (option->kind) {
    case WEIR_OPTION_NUMBER:
        return set_long(option, text, 1, at);
    case WEIR_OPTION_INDEX:
        return set_long(option, text, 0, at);
    case WEIR_OPTION_REAL:
        return set_real(text, at);
    case WEIR_OPTION_CHOICE:
        return set_choice(option, text, at);
    case WEIR_OPTION_LIST:
        add_word(at, text);
        return true;
    default:
        *(const char **)at = text;
        return true;
    }
}

void weir_options_fini(const weir_command *command, void *args)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].kind == WEIR_OPTION_LIST)
            weir_free(((weir_words *)((char *)args + command->options[i].at))->at);
}

/* What |option| needs in place of |text|, which may be null. */
static const char *wanted(const weir_option *option, const char *text)
{
    static char range[64];
    long number;
    bool index = option->kind == WEIR_OPTION_INDEX;
    switch (option->kind) {
    case WEIR_OPTION_NUMBER:
    case WEIR_OPTION_INDEX:
        if (text && read_long(text, &number) && number > 0)
            snprintf(range, sizeof range, "a whole number of at most %ld", most_of(option));
        else
            snprintf(range, sizeof range, "a whole number of at least %d", index ? 0 : 1);
        return range;
    case WEIR_OPTION_REAL:
        return "a number above 0";
    case WEIR_OPTION_CHOICE:
        return option->choices;
    default:
        return option->arg;
    }
}

/* Whether |word| is an argument of |command|, like MODEL of "MODEL", and not an option. */
static bool is_argument(const weir_command *command, const char *word)
{
    char upper[32] = "";
    word += strspn(word, "-");
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < length && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)word[i]);
    return command->words && *upper && strncmp(command->words, upper, strlen(upper)) == 0;
}

static weir_parsed complain(const char *path, const weir_command *command, const char *word)
{
    if (is_argument(command, word)) {
        weir_cli_misuse(path, "%s is no option but an argument: 'weir %s %s'", word, path,
                        command->words);
        return WEIR_PARSED_WRONG;
    }
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < command->option_count && count < 64; i++)
        if (!command->options[i].hidden)
            names[count++] = command->options[i].name;
    const char *meant = weir_cli_nearest(word + strspn(word, "-"), names, count);
    if (meant)
        weir_cli_misuse(path, "there is no option '%s'; did you mean --%s?", word, meant);
    else
        weir_cli_misuse(path, "there is no option '%s'", word);
    return WEIR_PARSED_WRONG;
}

/* "--name=value" or "--name" and the next word, for an option that the command handles itself.
 * Returns the number of words, 0 if it is not one. */
static int take_other(const weir_command *command, void *args, int left, char **words)
{
    if (!command->other || strncmp(words[0], "--", 2) != 0)
        return 0;
    const char *name = words[0] + 2, *equals = strchr(name, '=');
    weir_str key = {name, equals ? (size_t)(equals - name) : strlen(name)};
    const char *value = equals ? equals + 1 : left > 1 ? words[1] : NULL;
    if (!value || !command->other(args, key, value))
        return 0;
    return equals ? 1 : 2;
}

/* Parses the option at words[0]; returns the number of words, or -1 after an error message. */
static int take_option(const char *path, const weir_command *command, void *args, int left,
                       char **words)
{
    char *value;
    const weir_option *option = find(command, words[0], &value);
    int taken = option ? 1 : take_other(command, args, left, words);
    if (!option && !taken)
        complain(path, command, words[0]);
    if (!option)
        return taken ? taken : -1;
    if (option->kind == WEIR_OPTION_FLAG && value) {
        weir_cli_misuse(path, "--%s takes no value, but got '%s'", option->name, value);
        return -1;
    }
    if (option->kind == WEIR_OPTION_FLAG) {
        *(bool *)((char *)args + option->at) = true;
        return 1;
    }
    if (!value && left > 1)
        value = words[taken++];
    if (value && set(option, args, value))
        return taken;
    weir_cli_misuse(path, "--%s needs %s%s%s%s", option->name, wanted(option, value),
                    value ? ", not '" : "", value ? value : "", value ? "'" : "");
    return -1;
}

/* ---- the environment ------------------------------------------------------------------------- */

static void add_upper(weir_buf *out, const char *text)
{
    for (; *text; text++)
        weir_buf_addc(out,
                      isalnum((unsigned char)*text) ? (char)toupper((unsigned char)*text) : '_');
}

void weir_option_variable(weir_buf *out, const char *path, const weir_option *option)
{
    weir_buf_adds(out, "WEIR_");
    add_upper(out, path);
    weir_buf_addc(out, '_');
    add_upper(out, option->name);
}

static bool set_flag(const char *text, bool *out)
{
    static const char *const no[] = {"", "0", "false", "no"}, *const yes[] = {"1", "true", "yes"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (strcmp(text, no[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        *out = *out || strcmp(text, yes[i]) == 0;
    return *out;
}

static bool set_from_variable(const char *path, const weir_option *option, void *args,
                              const char *name)
{
    const char *text = weir_env_value(name);
    if (!text)
        return true;
    bool ok = option->kind == WEIR_OPTION_FLAG ? set_flag(text, (bool *)((char *)args + option->at))
                                               : set(option, args, text);
    if (!ok)
        weir_cli_misuse(path, "%s needs %s, not '%s'", name,
                        option->kind == WEIR_OPTION_FLAG ? "0 or 1" : wanted(option, text), text);
    unsetenv(name); /* |text| stays valid */
    return ok;
}

/* The option of |command| that |word|, in capitals, probably misspells. */
static const weir_option *nearest_option(const weir_command *command, const char *word)
{
    WEIR_BUF(lower);
    const char *names[64];
    size_t count = 0;
    for (; *word; word++)
        weir_buf_addc(&lower, *word == '_' ? '-' : (char)tolower((unsigned char)*word));
    for (size_t i = 0; i < command->option_count && count < 64; i++)
        if (!command->options[i].hidden && command->options[i].kind != WEIR_OPTION_OTHER)
            names[count++] = command->options[i].name;
    const char *meant = lower.at ? weir_cli_nearest(lower.at, names, count) : NULL;
    for (size_t i = 0; meant && i < command->option_count; i++)
        if (strcmp(command->options[i].name, meant) == 0 && meant[0] == lower.at[0])
            return &command->options[i];
    return NULL;
}

/* Warns of variables of the environment that resemble an option of |command| and are none. Those
 * that were read have been removed. */
static void warn_of_variables(const char *path, const weir_command *command)
{
    WEIR_BUF(prefix);
    weir_buf_adds(&prefix, "WEIR_");
    add_upper(&prefix, path);
    weir_buf_addc(&prefix, '_');
    for (char **at = environ; *at; at++) {
        WEIR_BUF(word);
        WEIR_BUF(name);
        if (strncmp(*at, prefix.at, prefix.length) != 0)
            continue;
        weir_buf_add(&word, *at + prefix.length, strcspn(*at + prefix.length, "="));
        const weir_option *meant = word.at ? nearest_option(command, word.at) : NULL;
        if (!meant)
            continue;
        weir_option_variable(&name, path, meant);
        fprintf(stderr, "weir %s: %s%s is not read; did you mean %s?\n", path, prefix.at, word.at,
                name.at);
    }
}

bool weir_options_from_environment(const char *path, const weir_command *command, void *args)
{
    for (size_t i = 0; i < command->option_count; i++) {
        WEIR_BUF(name);
        const weir_option *option = &command->options[i];
        if (option->kind == WEIR_OPTION_OTHER || option->hidden)
            continue;
        weir_option_variable(&name, path, option);
        if (!set_from_variable(path, option, args, name.at))
            return false;
    }
    warn_of_variables(path, command);
    return true;
}

/* ---- the words ------------------------------------------------------------------------------- */

/* The |index|th word of "MODEL [INPUT...]", without brackets and dots. */
static weir_str word_name(const char *words, int index)
{
    weir_str name = {words, 0};
    for (; *words; index--) {
        words += strspn(words, " [");
        name = (weir_str){words, strcspn(words, " [].")};
        if (index == 0)
            break;
        words += strcspn(words, " ");
    }
    return name;
}

static bool check_words(const char *path, const weir_command *command, int count, char **words)
{
    if (count < command->least) {
        weir_str name = word_name(command->words, count);
        weir_cli_misuse(path, "%.*s is missing", WEIR_STR_ARG(name));
        return false;
    }
    if (command->most && count > command->most) {
        weir_cli_misuse(path, "it takes %d argument%s, and '%s' is one more", command->most,
                        command->most == 1 ? "" : "s", words[command->most]);
        return false;
    }
    return true;
}

bool weir_option_is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

weir_parsed weir_options_read(const char *path, const weir_command *command, void *args, int *argc,
                              char **argv)
{
    int words = 0;
    bool options_end = false;
    for (int i = 0; i < *argc;) {
        char *word = argv[i];
        if (!options_end && weir_option_is_help(word)) {
            weir_help_print(path, command);
            return WEIR_PARSED_HELP;
        }
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
            i++;
            continue;
        }
        if (options_end || word[0] != '-' || !word[1]) {
            if (!command->words) {
                weir_cli_misuse(path, "it takes no argument, but got '%s'", word);
                return WEIR_PARSED_WRONG;
            }
            argv[words++] = word;
            options_end = options_end || command->ends_at_word;
            i++;
            continue;
        }
        int taken = take_option(path, command, args, *argc - i, argv + i);
        if (taken < 0)
            return WEIR_PARSED_WRONG;
        i += taken;
    }
    *argc = words;
    return check_words(path, command, words, argv) ? WEIR_PARSED : WEIR_PARSED_WRONG;
}

/* The value of |option| that starts at |word|, "-o json" or "--output=json"; or null. */
static const char *value_in(const weir_option *option, const char *word, const char *next)
{
    size_t length = strlen(option->name);
    if (word[0] == '-' && word[1] == option->letter)
        return word[2] ? word + 2 : next;
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, option->name, length) != 0)
        return NULL;
    return word[2 + length] == '=' ? word + 3 + length : word[2 + length] ? NULL : next;
}

void weir_options_read_output(const weir_command *command, void *args, int argc, char **argv)
{
    for (size_t k = 0; k < command->option_count; k++)
        for (int i = 0; strcmp(command->options[k].name, "output") == 0 && i < argc; i++) {
            const char *value =
                value_in(&command->options[k], argv[i], i + 1 < argc ? argv[i + 1] : NULL);
            if (value)
                (void)set(&command->options[k], args, value);
        }
}
