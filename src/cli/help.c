/* cli/help.c - weir help: describes a command, as text, for man or as docs/reference/cli.md. */
#include "command/help.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/topics.h"
#include "io/file.h"

typedef struct help_args {
    bool man, markdown;
    const char *share;
} help_args;

static int print_page(const char *path, const weir_command *command)
{
    WEIR_BUF(buf);
    weir_help_man(&buf, path, command);
    fputs(buf.at, stdout);
    return WEIR_EXIT_OK;
}

static int print_markdown(void)
{
    WEIR_BUF(buf);
    weir_help_markdown(&buf, &weir_command_root);
    fputs(buf.at, stdout);
    return WEIR_EXIT_OK;
}

/* ---- installed files ------------------------------------------------------------------------- */

static weir_status write_file(const char *share, const char *folder, const char *name,
                              const weir_buf *text)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s", share, folder);
    weir_status status = weir_dir_create_all(path.at);
    weir_buf_addf(&path, "/%s", name);
    return status ? status : weir_file_write_all(path.at, text->at, text->length);
}

static weir_status write_pages(const char *share, const char *path, const weir_command *command)
{
    WEIR_BUF(text);
    WEIR_BUF(page);
    weir_help_man(&text, path, command);
    weir_help_page(&page, path);
    weir_buf_adds(&page, ".1");
    weir_status status = write_file(share, "man/man1", page.at, &text);
    for (size_t i = 0; !status && command->subs && command->subs[i]; i++) {
        WEIR_BUF(below);
        if (command->subs[i]->hidden)
            continue;
        weir_command_path(&below, path, command->subs[i]->name);
        status = write_pages(share, below.at, command->subs[i]);
    }
    return status;
}

static weir_status write_completions(const char *share)
{
    for (int i = 0; i < WEIR_SHELLS; i++) {
        WEIR_BUF(text);
        weir_buf_adds(&text, weir_shells[i].script);
        WEIR_TRY(write_file(share, weir_shells[i].folder, weir_shells[i].file, &text));
    }
    return WEIR_OK;
}

static int write_share(const char *share)
{
    weir_status status = write_pages(share, "", &weir_command_root);
    if (!status)
        status = write_completions(share);
    return status ? weir_cli_fail_status("Give --share a folder that can be written.", status)
                  : WEIR_EXIT_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Prints a page of the guide, or the list of pages; false if |words| match none. */
static bool print_topic(int argc, char **argv)
{
    if (argc != 1 || weir_command_find(&weir_command_root, argv[0]))
        return false;
    return strcmp(argv[0], "topics") == 0 ? topics_list() : topics_print(argv[0]);
}

static int help(void *args, int argc, char **argv)
{
    const help_args *help_args = args;
    const weir_command *command = &weir_command_root;
    WEIR_BUF(path);
    int status = WEIR_EXIT_OK;
    if (help_args->share)
        return write_share(help_args->share);
    if (help_args->markdown)
        return print_markdown();
    if (!help_args->man && print_topic(argc, argv))
        return WEIR_EXIT_OK;
    for (int i = 0; i < argc; i++) {
        const weir_command *sub = weir_command_find(command, argv[i]);
        if (!sub && command->subs)
            status = weir_help_unknown(path.at ? path.at : "", command, argv[i]);
        if (!sub && command == &weir_command_root)
            topics_advise(argv[i]);
        if (!sub && !command->subs)
            status = weir_cli_misuse("help", "there is nothing below 'weir %s'", path.at);
        if (!sub)
            break;
        weir_buf_addf(&path, "%s%s", path.length ? " " : "", argv[i]);
        command = sub;
    }
    if (status == WEIR_EXIT_OK && help_args->man)
        status = print_page(path.at ? path.at : "", command);
    else if (status == WEIR_EXIT_OK)
        weir_help_print(path.at ? path.at : "", command);
    return status;
}

static const weir_option options[] = {
    {"man", 0, NULL, "print a man page in troff", WEIR_FLAG(help_args, man)},
    {"markdown", 0, NULL, "print all commands as one page of Markdown",
     WEIR_FLAG(help_args, markdown)},
    {"share", 0, "DIR",
     "write all man pages and completions below DIR, laid out as share of an installation",
     WEIR_TEXT(help_args, share), .hint = WEIR_HINT_FOLDER},
};

const weir_command weir_command_help = {
    .name = "help",
    .summary = "show the help of a command, or a page of the guide",
    .words = "[COMMAND...|TOPIC]",
    .about = "Shows the help of a command, or lists all commands. TOPIC is a page of the guide; "
             "'weir help topics' lists the pages.\n\n"
             "  weir help\n"
             "  weir help ops\n"
             "  weir help topics\n"
             "  weir help errors\n"
             "  weir help --man ops >weir-ops.1",
    WEIR_OPTIONS(options),
    WEIR_ARGS(help_args),
    .hint = WEIR_HINT_COMMAND,
    .run = help,
};
