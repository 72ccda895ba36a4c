/* cli/options.c - options of subcommands, their help, and complaints. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static void print_help(const weir_usage *u)
{
    printf("usage: weir %s%s%s\n\n%s\n", u->command, u->option_count ? " [OPTION...]" : "",
           u->words         ? u->words
           : u->takes_words ? " [NAME...]"
                            : "",
           u->about);
    if (u->option_count)
        printf("\n");
    for (size_t i = 0; i < u->option_count; i++) {
        const weir_option *o = &u->options[i];
        char left[64], letter[8] = "    ";
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->arg ? " " : "",
                 o->arg ? o->arg : "");
        printf("  %-24s %s\n", left, o->help);
    }
}

/* The option that |word| ("--name", "--name=value", "-n") names; *out_value is what follows '='. */
static const weir_option *find(const weir_usage *u, char *word, char **out_value)
{
    *out_value = NULL;
    for (size_t i = 0; i < u->option_count; i++) {
        const weir_option *o = &u->options[i];
        size_t n = strlen(o->name);
        if (o->letter && word[1] == o->letter && word[2] == 0)
            return o;
        if (word[1] != '-' || strncmp(word + 2, o->name, n) != 0)
            continue;
        if (word[2 + n] == '=')
            *out_value = word + 3 + n;
        if (word[2 + n] == '=' || word[2 + n] == 0)
            return o;
    }
    return NULL;
}

/* False when |text| is not a value for |o|. */
static bool set(const weir_option *o, const char *text)
{
    char *end;
    errno = 0;
    if (o->number) {
        *o->number = strtol(text, &end, 10);
        return *text && !*end && !errno && *o->number >= 1;
    }
    if (o->index) {
        *o->index = strtol(text, &end, 10);
        return *text && !*end && !errno && *o->index >= 0;
    }
    if (o->real) {
        *o->real = strtod(text, &end);
        return *text && !*end && !errno && *o->real > 0;
    }
    *o->text = text;
    return true;
}

static const char *kind(const weir_option *o)
{
    return o->number  ? "a whole number of at least 1"
           : o->index ? "a whole number of at least 0"
                      : "a number above 0";
}

static weir_parsed complain(const weir_usage *u, const char *word)
{
    const char *names[32];
    size_t count = u->option_count < 32 ? u->option_count : 32;
    for (size_t i = 0; i < count; i++)
        names[i] = u->options[i].name;
    const char *meant = weir_cli_nearest(word + strspn(word, "-"), names, count);
    if (meant)
        weir_cli_misuse(u->command, "there is no option '%s'; did you mean --%s?", word, meant);
    else
        weir_cli_misuse(u->command, "there is no option '%s'", word);
    return WEIR_PARSED_WRONG;
}

/* "--name=value" or "--name" and the next word, for an option that the usage takes itself. Returns
 * how many words it was, 0 when it is none. */
static int take_other(const weir_usage *u, int left, char **words)
{
    if (!u->other || strncmp(words[0], "--", 2) != 0)
        return 0;
    const char *name = words[0] + 2, *equals = strchr(name, '=');
    weir_str key = {name, equals ? (size_t)(equals - name) : strlen(name)};
    const char *value = equals ? equals + 1 : left > 1 ? words[1] : NULL;
    if (!value || !u->other(u->ctx, key, value))
        return 0;
    return equals ? 1 : 2;
}

weir_parsed weir_cli_parse(const weir_usage *u, int *argc, char **argv)
{
    int words = 0;
    for (int i = 0; i < *argc; i++) {
        char *word = argv[i], *value;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(u);
            return WEIR_PARSED_HELP;
        }
        if (word[0] != '-' || !word[1]) {
            if (!u->takes_words) {
                weir_cli_misuse(u->command, "it takes no argument, but got '%s'", word);
                return WEIR_PARSED_WRONG;
            }
            argv[words++] = word;
            for (; u->ends_at_word && i + 1 < *argc; i++)
                argv[words++] = argv[i + 1];
            continue;
        }
        if (u->ends_at_word && strcmp(word, "--") == 0) {
            while (++i < *argc)
                argv[words++] = argv[i];
            break;
        }
        const weir_option *o = find(u, word, &value);
        int others = o ? 0 : take_other(u, *argc - i, argv + i);
        if (others) {
            i += others - 1;
            continue;
        }
        if (!o)
            return complain(u, word);
        if (o->flag) {
            *o->flag = true;
            continue;
        }
        if (!value && i + 1 < *argc)
            value = argv[++i];
        if (!value || !set(o, value)) {
            weir_cli_misuse(u->command, "--%s needs %s%s%s%s", o->name, o->text ? o->arg : kind(o),
                            value ? ", not '" : "", value ? value : "", value ? "'" : "");
            return WEIR_PARSED_WRONG;
        }
    }
    *argc = words;
    return WEIR_PARSED;
}

int weir_cli_fail(const char *cure, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fflush(stdout);
    fputs("weir: ", stderr);
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n%s%s", cure ? "  " : "", cure ? cure : "");
    if (cure)
        fputc('\n', stderr);
    va_end(args);
    return WEIR_EXIT_FAILED;
}

int weir_cli_fail_status(const char *cure, weir_status s)
{
    int exit_status = weir_cli_fail(cure, "%s", weir_status_message(s));
    weir_status_free(s);
    return exit_status;
}

int weir_cli_misuse(const char *command, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "weir %s: ", command);
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n  'weir %s --help' lists the options.\n", command);
    va_end(args);
    return WEIR_EXIT_USAGE;
}

/* Edits that turn |a| into |b|, both shorter than 64. */
static int distance(const char *a, const char *b)
{
    int row[64], n = (int)strlen(b);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int change = corner + (a[i - 1] != b[j - 1]), drop = row[j] + 1, add = row[j - 1] + 1;
            corner = row[j];
            row[j] = change < drop ? change : drop;
            row[j] = add < row[j] ? add : row[j];
        }
    }
    return row[n];
}

const char *weir_cli_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    int least = (int)strlen(word) / 3 + 2; /* further away is another word */
    for (size_t i = 0; i < count && strlen(word) < 64; i++) {
        int d = strlen(names[i]) < 64 ? distance(word, names[i]) : least;
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}
