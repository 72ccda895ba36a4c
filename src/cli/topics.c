/* cli/topics.c - finds, lists and prints the pages of the guide. */
#include "cli/topics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/mem.h"
#include "command/command.h"
#include "io/file.h"
#include "proc/spawn.h"

enum { LARGEST_PAGE = 4 << 20 };
static const char *const sections[] = {"tutorials", "how-to", "reference", "internals", "."};
enum { SECTIONS = sizeof sections / sizeof *sections };
/* Pages with names in capitals: in an installation beside the others, else above them. */
static const char *const tops[] = {"readme", "security", "contributing", "changelog"};
enum { TOPS = sizeof tops / sizeof *tops };

/* Appends the folder of the pages; false if there is none. */
static bool find_folder(weir_buf *out)
{
    static const char *const beside[] = {"../share/doc/weir", "../../docs"};
    const char *given = weir_env_value("WEIR_DOCS");
    if (given && *given) {
        weir_buf_adds(out, given);
        return weir_path_is_dir(out->at);
    }
    weir_str bin = weir_path_dir(run_binary());
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        out->length = 0;
        weir_buf_addf(out, "%.*s/%s", WEIR_STR_ARG(bin), beside[i]);
        WEIR_BUF(index);
        weir_buf_addf(&index, "%s/index.md", out->at);
        if (weir_path_exists(index.at))
            return true;
    }
    return false;
}

/* Appends the path of a page of |tops|; false if it is not there. */
static bool find_top(const char *folder, const char *name, weir_buf *out)
{
    static const char *const above[] = {"", "../"};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
        out->length = 0;
        weir_buf_addf(out, "%s/%s", folder, above[i]);
        for (const char *at = name; *at; at++)
            weir_buf_addc(out, (char)toupper((unsigned char)*at));
        weir_buf_adds(out, ".md");
        if (weir_path_exists(out->at))
            return true;
    }
    return false;
}

static bool print_file(const char *path)
{
    WEIR_BUF(text);
    weir_status status = weir_file_read_all(path, LARGEST_PAGE, &text);
    bool ok = !status;
    weir_status_free(status);
    if (ok)
        fwrite(text.at, 1, text.length, stdout);
    return ok;
}

static bool print_top(const char *folder, const char *name)
{
    WEIR_BUF(path);
    for (int i = 0; i < TOPS; i++)
        if (strcmp(tops[i], name) == 0)
            return find_top(folder, name, &path) && print_file(path.at);
    return false;
}

bool topics_print(const char *name)
{
    WEIR_BUF(folder);
    if (strchr(name, '/') || name[0] == '.' || !find_folder(&folder))
        return false;
    for (int i = 0; i < SECTIONS; i++) {
        WEIR_BUF(path);
        weir_buf_addf(&path, "%s/%s/%s.md", folder.at, sections[i], name);
        if (weir_path_exists(path.at))
            return print_file(path.at);
    }
    return print_top(folder.at, name);
}

/* The names of a section's pages. */
static weir_paths pages_of(const char *folder, const char *section)
{
    WEIR_BUF(path);
    weir_paths names = {0};
    size_t kept = 0;
    weir_buf_addf(&path, "%s/%s", folder, section);
    weir_status_free(weir_dir_list(path.at, &names));
    for (size_t i = 0; i < names.count; i++) {
        char *end = strrchr(names.at[i], '.');
        bool page = end && strcmp(end, ".md") == 0 && !isupper((unsigned char)names.at[i][0]);
        if (page)
            *end = 0;
        char *name = names.at[i];
        names.at[i] = names.at[kept];
        names.at[kept] = name;
        kept += page;
    }
    while (names.count > kept)
        weir_free(names.at[--names.count]);
    return names;
}

static void list_section(const char *folder, const char *section)
{
    weir_paths names = pages_of(folder, section);
    printf("%s:\n", strcmp(section, ".") == 0 ? "more" : section);
    for (size_t i = 0; i < names.count; i++)
        printf("  %s\n", names.at[i]);
    weir_paths_fini(&names);
}

static void suggest(const char *folder, const char *name)
{
    for (int i = 0; i < SECTIONS; i++) {
        weir_paths names = pages_of(folder, sections[i]);
        const char *meant = weir_cli_nearest(name, (const char *const *)names.at, names.count);
        if (meant)
            fprintf(stderr, "  Did you mean 'weir help %s'?\n", meant);
        weir_paths_fini(&names);
        if (meant)
            return;
    }
}

void topics_advise(const char *name)
{
    WEIR_BUF(folder);
    bool found = find_folder(&folder);
    if (found)
        suggest(folder.at, name);
    fprintf(stderr, found ? "  'weir help topics' lists the pages of the guide.\n"
                          : "  The guide is not here: it is installed as share/doc/weir beside the "
                            "command's bin;\n  WEIR_DOCS names another folder.\n");
}

bool topics_list(void)
{
    WEIR_BUF(folder);
    if (!find_folder(&folder))
        return false;
    for (int i = 0; i < SECTIONS; i++)
        list_section(folder.at, sections[i]);
    for (int i = 0; i < TOPS; i++) {
        WEIR_BUF(path);
        if (find_top(folder.at, tops[i], &path))
            printf("  %s\n", tops[i]);
    }
    return true;
}
