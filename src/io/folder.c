/* io/folder.c - paths, folders and patterns of paths. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "io/file.h"
#include "io/file_impl.h"
#include "io/root.h"

enum { MAX_DEPTH = 256 }; /* of nested folders when deleting or matching */

bool weir_path_exists(const char *path)
{
    struct stat st;
    return weir_root_stat(weir_path_local(path), &st) == 0;
}

bool weir_path_is_dir(const char *path)
{
    struct stat st;
    return weir_root_stat(weir_path_local(path), &st) == 0 && S_ISDIR(st.st_mode);
}

weir_status weir_path_rename(const char *from, const char *to)
{
    if (weir_root_rename(weir_path_local(from), weir_path_local(to)) < 0)
        return weir_file_error(from, errno);
    return WEIR_OK;
}

weir_status weir_path_sync(const char *path)
{
    weir_str dir = weir_path_dir(weir_path_local(path));
    WEIR_FREED char *name = dir.length ? weir_strndup(dir.at, dir.length) : weir_strdup(".");
    int fd = weir_root_open(name, O_RDONLY | O_DIRECTORY, 0);
    int err = fd < 0 ? errno : fsync(fd) < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    /* Some file systems cannot sync a folder; the data itself is durable by then. */
    return err && err != EINVAL && err != EACCES ? weir_file_error(path, err) : WEIR_OK;
}

weir_status weir_path_delete(const char *path)
{
    return weir_root_unlink(weir_path_local(path), 0) < 0 ? weir_file_error(path, errno) : WEIR_OK;
}

weir_status weir_dir_delete(const char *path)
{
    return weir_root_unlink(weir_path_local(path), AT_REMOVEDIR) < 0 ? weir_file_error(path, errno)
                                                                     : WEIR_OK;
}

weir_status weir_dir_create(const char *path)
{
    path = weir_path_local(path);
    if (weir_root_mkdir(path, 0777) == 0 || (errno == EEXIST && weir_path_is_dir(path)))
        return WEIR_OK;
    return weir_file_error(path, errno);
}

weir_status weir_dir_create_all(const char *path)
{
    char *copy = weir_strdup(weir_path_local(path));
    weir_status status = WEIR_OK;
    for (char *cursor = copy; *cursor && !status; cursor++) {
        if (*cursor != '/' || cursor == copy)
            continue;
        *cursor = 0;
        status = weir_dir_create(copy);
        *cursor = '/';
    }
    if (!status && *copy)
        status = weir_dir_create(copy);
    weir_free(copy);
    return status;
}

void weir_paths_fini(weir_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        weir_free(paths->at[i]);
    weir_vec_fini(paths);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_paths(weir_paths *paths, size_t from)
{
    if (paths->count > from)
        qsort(paths->at + from, paths->count - from, sizeof *paths->at, by_name);
}

weir_status weir_dir_list(const char *path, weir_paths *out_names)
{
    int fd = weir_root_open(weir_path_local(path), O_RDONLY | O_DIRECTORY, 0);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        return weir_file_error(path, why);
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            weir_vec_push(out_names, weir_strdup(entry->d_name));
    closedir(dir);
    sort_paths(out_names, 0);
    return WEIR_OK;
}

static char *join(const char *dir, const char *name)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s%s%s", dir, *dir && dir[strlen(dir) - 1] != '/' ? "/" : "", name);
    return weir_buf_take(&path);
}

static weir_status delete_all(const char *path, int depth);

static weir_status delete_entry(const char *path, int depth)
{
    struct stat st;
    if (weir_root_lstat(path, &st) < 0)
        return weir_file_error(path, errno);
    return S_ISDIR(st.st_mode) ? delete_all(path, depth) : weir_path_delete(path);
}

static weir_status delete_all(const char *path, int depth)
{
    if (depth > MAX_DEPTH)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: folders nest too deeply", path);
    weir_paths names = {0};
    weir_status status = weir_dir_list(path, &names);
    for (size_t i = 0; i < names.count && !status; i++) {
        WEIR_FREED char *entry = join(path, names.at[i]);
        status = delete_entry(entry, depth + 1);
    }
    weir_paths_fini(&names);
    return status ? status : weir_dir_delete(path);
}

weir_status weir_dir_delete_all(const char *path)
{
    return delete_all(weir_path_local(path), 0);
}

/* ---- patterns -------------------------------------------------------------------------------- */

static bool is_pattern(const char *text)
{
    return strpbrk(text, "*?[\\") != NULL;
}

/* The end of the bracket expression that begins at |at|; null: the bracket is a letter. */
static const char *end_of_bracket(const char *at)
{
    at += at[1] == '!' || at[1] == '^' ? 2 : 1;
    for (const char *first = at; *at; at++) {
        if (*at == ']' && at > first)
            return at + 1;
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '[' && at[1] && strchr(":.=", at[1])) {
            char close[] = {at[1], ']', 0};
            const char *end = strstr(at + 2, close);
            at = end ? end + 1 : at;
        }
    }
    return NULL;
}

/* Whether the first element of |pattern|, which is no star, matches |letter|. */
static bool matches_letter(const char *pattern, char letter, const char **out_rest)
{
    enum { LONGEST = 256 };
    char element[LONGEST], name[] = {letter, 0};
    const char *bracket = *pattern == '[' ? end_of_bracket(pattern) : NULL;
    *out_rest = bracket ? bracket : *pattern == '\\' && pattern[1] ? pattern + 2 : pattern + 1;
    size_t length = (size_t)(*out_rest - pattern);
    if (*pattern == '?' || !bracket)
        return *pattern == '?' || (*out_rest)[-1] == letter;
    if (length >= LONGEST)
        return false;
    memcpy(element, pattern, length);
    element[length] = 0;
    return fnmatch(element, name, 0) == 0;
}

/* As fnmatch, in a time of the product of both lengths: a failure returns to the last star only. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL, *rest;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (*pattern && matches_letter(pattern, *name, &rest)) {
            pattern = rest;
            name++;
        } else if (star) {
            pattern = star;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* Adds the matches of |rest| below |dir| ("" is the current folder). |rest| is split at slashes. */
static void match(const char *dir, char *rest, int depth, weir_paths *out)
{
    char *slash = strchr(rest, '/');
    if (slash)
        *slash = 0;
    weir_paths names = {0};
    if (depth > MAX_DEPTH)
        goto done;
    if (!is_pattern(rest))
        weir_vec_push(&names, weir_strdup(rest)); /* "" too: "a//b" is "a/b" */
    else
        weir_status_free(weir_dir_list(*dir ? dir : ".", &names));
    for (size_t i = 0; i < names.count && !weir_stopped(); i++) {
        if (is_pattern(rest) && !matches(rest, names.at[i]))
            continue;
        char *path = join(dir, names.at[i]);
        if (slash && weir_path_is_dir(path))
            match(path, slash + 1, depth + 1, out);
        if (!slash && weir_path_exists(path))
            weir_vec_push(out, weir_strdup(path));
        weir_free(path);
    }
done:
    weir_paths_fini(&names);
    if (slash)
        *slash = '/';
}

weir_status weir_glob(const char *pattern, weir_paths *out_paths)
{
    WEIR_FREED char *rest = weir_strdup(weir_path_local(pattern));
    size_t before = out_paths->count;
    if (*rest == '/')
        match("/", rest + 1, 0, out_paths);
    else if (*rest)
        match("", rest, 0, out_paths);
    sort_paths(out_paths, before);
    return WEIR_OK;
}
