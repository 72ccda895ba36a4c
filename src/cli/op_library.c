/* cli/op_library.c - loads op libraries, also in child processes. */
#include "cli/op_library.h"

#include <stdlib.h>

#include "base/str.h"
#include "capi/capi.h"

/* The next path of "a.so:b.so", null-terminated; null at the end. The caller frees it. */
static char *next_file(const char **files)
{
    const char *at = *files + strspn(*files, ":");
    size_t length = strcspn(at, ":");
    *files = at + length;
    return length ? weir_strndup(at, length) : NULL;
}

/* An absolute path: a bare name would be looked up in the library search path. */
static char *absolute(const char *file)
{
    char *found = realpath(file, NULL);
    char *path = weir_strdup(found ? found : file);
    free(found);
    return path;
}

weir_status weir_cli_load_ops(const char *files)
{
    weir_status status = WEIR_OK;
    for (char *file; files && !status && (file = next_file(&files)); weir_free(file)) {
        char *path = absolute(file);
        status = weir_capi_load_library(path);
        weir_free(path);
    }
    return status;
}

static void add_paths(weir_buf *out, const char *files)
{
    const char *separator = "";
    for (char *file; (file = next_file(&files)); weir_free(file)) {
        char *path = absolute(file);
        weir_buf_addf(out, "%s%s", separator, path);
        weir_free(path);
        separator = ":";
    }
}

void weir_cli_pass_ops(const char *variable, const char *files)
{
    WEIR_BUF(paths);
    if (!files)
        return;
    add_paths(&paths, files);
    setenv(variable, paths.length ? paths.at : "", 1);
}

char *weir_cli_env_with_ops(const char *env, const char *variable, const char *files)
{
    WEIR_BUF(list);
    weir_buf_addf(&list, "%s", env ? env : "");
    if (files)
        weir_buf_addf(&list, "%s%s=%s", list.length ? "," : "", variable, files);
    return weir_strdup(list.length ? list.at : "");
}
