/* launch/hook.c - hook.py, embedded in the program, and its folder. */
#include "launch/hook.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"
#include "base/mem.h"
#include "io/file.h"

/* The file's bytes; the build sets its path and rebuilds this when it changes. */
__asm__(".section .rodata\n"
        "weir_hook_begin: .incbin \"" WEIR_HOOK_FILE "\"\n"
        "weir_hook_end: .byte 0\n"
        ".previous\n");
extern const char weir_hook_begin[], weir_hook_end[];

weir_status run_hook_install(char **out_dir)
{
    WEIR_BUF(dir);
    WEIR_BUF(path);
    const char *tmp = weir_env_get()->tmpdir;
    weir_buf_addf(&dir, "%s/weir-run-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(dir.at))
        return weir_file_error(dir.at, errno);
    weir_buf_addf(&path, "%s/sitecustomize.py", dir.at);
    weir_status status =
        weir_file_write_all(path.at, weir_hook_begin, (size_t)(weir_hook_end - weir_hook_begin));
    *out_dir = weir_buf_take(&dir);
    if (status)
        run_hook_remove(WEIR_TAKE(*out_dir));
    return status;
}

void run_hook_remove(char *dir)
{
    if (dir)
        weir_status_free(
            weir_dir_delete_all(dir)); /* the folder is of no use, whether it is removed or not */
    weir_free(dir);
}
