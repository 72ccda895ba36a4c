/* command/help_markdown.c - docs/reference/cli.md: every command on one page. */
#include <string.h>

#include "command/help.h"
#include "command/options.h"

static void add_cell(weir_buf *buf, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            weir_buf_addc(buf, '\\');
        weir_buf_addc(buf, *text);
    }
}

static void add_options(weir_buf *buf, const weir_command *command)
{
    weir_buf_adds(buf, "\n| option | |\n|---|---|\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const weir_option *option = &command->options[i];
        const char *value = weir_help_value(option);
        WEIR_BUF(help);
        if (option->hidden)
            continue;
        weir_help_option(&help, command, option);
        weir_buf_adds(buf, "| ");
        if (option->letter)
            weir_buf_addf(buf, "`-%c`, ", option->letter);
        weir_buf_addf(buf, "`--%s%s", option->name, value ? " " : "");
        add_cell(buf, value ? value : "");
        weir_buf_adds(buf, "` | ");
        add_cell(buf, help.at);
        weir_buf_adds(buf, " |\n");
    }
}

/* The text of a comment "# needs ..." or "# takes ..." at the end of an example; else empty. */
static weir_str reason_of(weir_str line)
{
    static const char *const begins[] = {"  # needs ", "  # takes "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const char *at = memmem(line.at, line.length, begins[i], strlen(begins[i]));
        if (at)
            return (weir_str){at + 4, line.length - (size_t)(at + 4 - line.at)};
    }
    return WEIR_STR("");
}

static weir_str take_line(weir_str *text)
{
    const char *end = memchr(text->at, '\n', text->length);
    weir_str line = {text->at, end ? (size_t)(end - text->at) : text->length};
    size_t taken = line.length + (end ? 1 : 0);
    *text = (weir_str){text->at + taken, text->length - taken};
    return line;
}

/* The tests run the examples; those that cannot be run have the reason, and a block of their
 * own. */
static void add_examples(weir_buf *buf, weir_str text)
{
    weir_str before = WEIR_STR("");
    for (bool first = true; text.length; first = false) {
        weir_str line = take_line(&text), reason = reason_of(line);
        if (first || !weir_str_eq(reason, before)) {
            weir_buf_adds(buf, first ? "" : "```\n\n");
            if (reason.length)
                weir_buf_addf(buf, "<!-- not run: %.*s -->\n\n", WEIR_STR_ARG(reason));
            weir_buf_adds(buf, "```sh\n");
        }
        before = reason;
        weir_buf_add(buf, line.at + 2, line.length - 2);
        weir_buf_addc(buf, '\n');
    }
    weir_buf_adds(buf, "```\n");
}

static void add_about(weir_buf *buf, const char *about)
{
    weir_about piece;
    while (weir_about_next(&about, &piece)) {
        weir_buf_addc(buf, '\n');
        if (piece.literal)
            add_examples(buf, piece.text);
        else
            weir_buf_addf(buf, "%.*s\n", WEIR_STR_ARG(piece.text));
    }
}

static void add_command(weir_buf *buf, const char *path, const weir_command *command)
{
    weir_buf_addf(buf, "\n%s weir %s\n\n`weir %s", strchr(path, ' ') ? "###" : "##", path, path);
    weir_help_usage(buf, command);
    weir_buf_adds(buf, "`\n");
    add_about(buf, command->about);
    if (command->option_count)
        add_options(buf, command);
}

static void add_tree(weir_buf *buf, const char *path, const weir_command *command)
{
    for (size_t i = 0; command->subs && command->subs[i]; i++) {
        WEIR_BUF(below);
        if (command->subs[i]->hidden)
            continue;
        weir_command_path(&below, path, command->subs[i]->name);
        add_command(buf, below.at, command->subs[i]);
        add_tree(buf, below.at, command->subs[i]);
    }
}

void weir_help_markdown(weir_buf *buf, const weir_command *root)
{
    weir_buf_adds(buf,
                  "# The weir command\n\n"
                  "Made by `weir help --markdown` from the table of commands, of which `--help`, "
                  "the man pages and the\ncompletions of bash, zsh and fish are made too. The "
                  "exit status is 0 when the work was done, 1 when it\nfailed and 2 when the "
                  "command was called wrongly; complaints go to standard error and say what "
                  "to do.\n\n| command | |\n|---|---|\n");
    for (const weir_command *const *c = root->subs; *c; c++)
        if (!(*c)->hidden)
            weir_buf_addf(buf, "| [`weir %s`](#weir-%s) | %s |\n", (*c)->name, (*c)->name,
                          (*c)->summary);
    weir_buf_adds(buf, "\nThe examples work in a folder where this was run:\n\n```sh\n"
                       "weir train logreg --data synthetic --steps 300 --dir runs --export export\n"
                       "seq -s, 784 >example.csv\n```\n");
    add_tree(buf, "", root);
}
