/* capi/env.c - files, time and threads of tensorflow/c/env.h. */
#include "tensorflow/c/env.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "capi/capi_impl.h"
#include "io/file.h"

/* ---- lists of strings ------------------------------------------------------------------------ */

struct TF_StringStream {
    weir_paths list;
    size_t next;
};

bool TF_StringStreamNext(TF_StringStream *s, const char **result)
{
    *result = s && s->next < s->list.count ? s->list.at[s->next++] : NULL;
    return *result != NULL;
}

void TF_StringStreamDone(TF_StringStream *s)
{
    if (!s)
        return;
    weir_paths_fini(&s->list);
    weir_free(s);
}

TF_StringStream *TF_GetChildren(const char *filename, TF_Status *status)
{
    TF_StringStream *s = WEIR_NEW(TF_StringStream);
    if (weir_capi_end(status, weir_dir_list(filename, &s->list)))
        return s;
    TF_StringStreamDone(s);
    return NULL;
}

TF_StringStream *TF_GetLocalTempDirectories(void)
{
    TF_StringStream *s = WEIR_NEW(TF_StringStream);
    weir_vec_push(&s->list, weir_strdup(P_tmpdir));
    return s;
}

/* ---- folders and files ----------------------------------------------------------------------- */

static weir_status answer(const char *path, int result)
{
    return result == 0 ? WEIR_OK : weir_file_error(path, errno);
}

void TF_CreateDir(const char *dirname, TF_Status *status)
{
    weir_capi_end(status, answer(dirname, mkdir(dirname, 0755)));
}

void TF_DeleteDir(const char *dirname, TF_Status *status)
{
    weir_capi_end(status, weir_dir_delete(dirname));
}

void TF_DeleteRecursively(const char *dirname, int64_t *undeleted_file_count,
                          int64_t *undeleted_dir_count, TF_Status *status)
{
    *undeleted_file_count = *undeleted_dir_count = 0;
    if (!weir_path_exists(dirname)) {
        *undeleted_dir_count = 1;
        weir_capi_end(status, weir_error(WEIR_NOT_FOUND, "Directory doesn't exist"));
        return;
    }
    bool ok = weir_capi_end(status, weir_path_is_dir(dirname) ? weir_dir_delete_all(dirname)
                                                              : weir_path_delete(dirname));
    *undeleted_dir_count = !ok;
}

void TF_DeleteFile(const char *filename, TF_Status *status)
{
    weir_capi_end(status, weir_path_delete(filename));
}

void TF_FileStat(const char *filename, TF_FileStatistics *stats, TF_Status *status)
{
    struct stat st;
    if (!weir_capi_end(status, answer(filename, stat(filename, &st))))
        return;
    stats->length = st.st_size;
    stats->mtime_nsec = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    stats->is_directory = S_ISDIR(st.st_mode);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Written in place, because clients read it before it is closed. */
struct TF_WritableFileHandle {
    FILE *file;
    char *path;
};

void TF_NewWritableFile(const char *filename, TF_WritableFileHandle **handle, TF_Status *status)
{
    FILE *file = fopen(filename, "w");
    *handle = NULL;
    if (!weir_capi_end(status, file ? WEIR_OK : weir_file_error(filename, errno)))
        return;
    *handle = WEIR_NEW(TF_WritableFileHandle);
    (*handle)->file = file;
    (*handle)->path = weir_strdup(filename);
}

void TF_AppendWritableFile(TF_WritableFileHandle *h, const char *data, size_t length,
                           TF_Status *status)
{
    weir_capi_end(status, answer(h->path, fwrite(data, 1, length, h->file) == length ? 0 : -1));
}

void TF_FlushWritableFile(TF_WritableFileHandle *h, TF_Status *status)
{
    weir_capi_end(status, answer(h->path, fflush(h->file)));
}

void TF_SyncWritableFile(TF_WritableFileHandle *h, TF_Status *status)
{
    int result = fflush(h->file);
    weir_capi_end(status, answer(h->path, result ? result : fsync(fileno(h->file))));
}

void TF_CloseWritableFile(TF_WritableFileHandle *h, TF_Status *status)
{
    weir_capi_end(status, answer(h->path, fclose(h->file)));
    weir_free(h->path);
    weir_free(h);
}

/* Freed by the client, so that malloc must have made it. */
char *TF_GetTempFileName(const char *extension)
{
    char *name = NULL;
    static atomic_int count;
    if (asprintf(&name, "%s/weir_%d_%llx_%d.%s", P_tmpdir, (int)getpid(),
                 (unsigned long long)weir_wall_us(), atomic_fetch_add(&count, 1), extension) < 0)
        return NULL;
    return name;
}

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t TF_NowNanos(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t TF_NowMicros(void)
{
    return (uint64_t)weir_wall_us();
}

uint64_t TF_NowSeconds(void)
{
    return (uint64_t)(weir_wall_us() / 1000000);
}

/* ---- threads --------------------------------------------------------------------------------- */

struct TF_Thread {
    pthread_t id;
    void (*work)(void *);
    void *param;
};

void TF_DefaultThreadOptions(TF_ThreadOptions *options)
{
    *options = (TF_ThreadOptions){.numa_node = -1};
}

static void *work(void *arg)
{
    TF_Thread *t = arg;
    t->work(t->param);
    return NULL;
}

TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *thread_name,
                          void (*work_func)(void *), void *param)
{
    TF_Thread *t = WEIR_NEW(TF_Thread);
    pthread_attr_t attr;
    t->work = work_func;
    t->param = param;
    pthread_attr_init(&attr);
    if (options && options->stack_size)
        pthread_attr_setstacksize(&attr, options->stack_size);
    if (options && options->guard_size)
        pthread_attr_setguardsize(&attr, options->guard_size);
    bool started = pthread_create(&t->id, &attr, work, t) == 0;
    pthread_attr_destroy(&attr);
    if (!started) {
        weir_free(t);
        return NULL;
    }
    pthread_setname_np(t->id, thread_name ? thread_name : "");
    return t;
}

void TF_JoinThread(TF_Thread *t)
{
    if (!t)
        return;
    pthread_join(t->id, NULL);
    weir_free(t);
}

/* ---- libraries ------------------------------------------------------------------------------- */

void *TF_LoadSharedLibrary(const char *library_filename, TF_Status *status)
{
    void *handle = dlopen(library_filename, RTLD_NOW | RTLD_LOCAL);
    weir_capi_end(status, handle ? WEIR_OK : weir_error(WEIR_NOT_FOUND, "%s", dlerror()));
    return handle;
}

void *TF_GetSymbolFromLibrary(void *handle, const char *symbol_name, TF_Status *status)
{
    void *symbol = dlsym(handle, symbol_name);
    weir_capi_end(status, symbol ? WEIR_OK : weir_error(WEIR_NOT_FOUND, "%s", dlerror()));
    return symbol;
}
