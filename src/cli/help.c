/* cli/help.c - weir help: explains a command, here, for man or as docs/reference/cli.md. */
#include "command/help.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "io/file.h"

typedef struct help_args {
    bool man, markdown;
    const char *share;
} help_args;

static int print_page(const char *path, const weir_command *c)
{
    WEIR_BUF(b);
    weir_help_man(&b, path, c);
    fputs(b.at, stdout);
    return WEIR_EXIT_OK;
}

static int print_markdown(void)
{
    WEIR_BUF(b);
    weir_help_markdown(&b, &weir_command_root);
    fputs(b.at, stdout);
    return WEIR_EXIT_OK;
}

/* ---- what an installation has -------------------------------------------------------------------
 */

static weir_status write_file(const char *share, const char *folder, const char *name,
                              const weir_buf *text)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s", share, folder);
    weir_status s = weir_dir_create_all(path.at);
    weir_buf_addf(&path, "/%s", name);
    if (!s)
        s = weir_file_write_all(path.at, text->at, text->length);
    return s;
}

static weir_status write_pages(const char *share, const char *path, const weir_command *c)
{
    WEIR_BUF(text);
    WEIR_BUF(page);
    weir_help_man(&text, path, c);
    weir_help_page(&page, path);
    weir_buf_adds(&page, ".1");
    weir_status s = write_file(share, "man/man1", page.at, &text);
    for (size_t i = 0; !s && c->subs && c->subs[i]; i++) {
        WEIR_BUF(below);
        if (c->subs[i]->hidden)
            continue;
        weir_command_path(&below, path, c->subs[i]->name);
        s = write_pages(share, below.at, c->subs[i]);
    }
    return s;
}

static weir_status write_completions(const char *share)
{
    weir_status s = WEIR_OK;
    for (int i = 0; !s && i < WEIR_SHELLS; i++) {
        WEIR_BUF(text);
        weir_buf_adds(&text, weir_shells[i].script);
        s = write_file(share, weir_shells[i].folder, weir_shells[i].file, &text);
    }
    return s;
}

static int write_share(const char *share)
{
    weir_status s = write_pages(share, "", &weir_command_root);
    if (!s)
        s = write_completions(share);
    return s ? weir_cli_fail_status("Give --share a folder that can be written.", s) : WEIR_EXIT_OK;
}

/* ---- the command --------------------------------------------------------------------------------
 */

static int help(void *args, int argc, char **argv)
{
    const help_args *a = args;
    const weir_command *c = &weir_command_root;
    WEIR_BUF(path);
    int status = WEIR_EXIT_OK;
    if (a->share)
        return write_share(a->share);
    if (a->markdown)
        return print_markdown();
    for (int i = 0; i < argc; i++) {
        const weir_command *sub = weir_command_find(c, argv[i]);
        if (!sub && c->subs)
            status = weir_help_unknown(path.at ? path.at : "", c, argv[i]);
        if (!sub && !c->subs)
            status = weir_cli_misuse("help", "there is nothing below 'weir %s'", path.at);
        if (!sub)
            break;
        weir_buf_addf(&path, "%s%s", path.length ? " " : "", argv[i]);
        c = sub;
    }
    if (status == WEIR_EXIT_OK && a->man)
        status = print_page(path.at ? path.at : "", c);
    else if (status == WEIR_EXIT_OK)
        weir_help_print(path.at ? path.at : "", c);
    return status;
}

static const weir_option options[] = {
    {"man", 0, NULL, "as a page for man(1), in troff", WEIR_FLAG(help_args, man)},
    {"markdown", 0, NULL, "all commands as one page of Markdown", WEIR_FLAG(help_args, markdown)},
    {"share", 0, "DIR", "write every man page and completion below DIR, as an installation's share",
     WEIR_TEXT(help_args, share), .hint = WEIR_HINT_FOLDER},
};

const weir_command weir_command_help = {
    .name = "help",
    .summary = "explain a command",
    .words = "[COMMAND...]",
    .about = "Explains a command, or lists them all.\n\n"
             "  weir help\n"
             "  weir help ops\n"
             "  weir help --man ops >weir-ops.1",
    WEIR_OPTIONS(options),
    WEIR_ARGS(help_args),
    .hint = WEIR_HINT_COMMAND,
    .run = help,
};
