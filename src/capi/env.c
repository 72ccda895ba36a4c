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

bool TF_StringStreamNext(TF_StringStream *stream, const char **result)
{
    *result = stream && stream->next < stream->list.count ? stream->list.at[stream->next++] : NULL;
    return *result != NULL;
}

void TF_StringStreamDone(TF_StringStream *stream)
{
    if (!stream)
        return;
    weir_paths_fini(&stream->list);
    weir_free(stream);
}

TF_StringStream *TF_GetChildren(const char *filename, TF_Status *status)
{
    TF_StringStream *stream = WEIR_NEW(TF_StringStream);
    if (weir_capi_end(status, weir_dir_list(filename, &stream->list)))
        return stream;
    TF_StringStreamDone(stream);
    return NULL;
}

TF_StringStream *TF_GetLocalTempDirectories(void)
{
    TF_StringStream *stream = WEIR_NEW(TF_StringStream);
    weir_vec_push(&stream->list, weir_strdup(P_tmpdir));
    return stream;
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

void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data, size_t length,
                           TF_Status *status)
{
    weir_capi_end(status,
                  answer(handle->path, fwrite(data, 1, length, handle->file) == length ? 0 : -1));
}

void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status)
{
    weir_capi_end(status, answer(handle->path, fflush(handle->file)));
}

void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status)
{
    int result = fflush(handle->file);
    weir_capi_end(status, answer(handle->path, result ? result : fsync(fileno(handle->file))));
}

void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status)
{
    weir_capi_end(status, answer(handle->path, fclose(handle->file)));
    weir_free(handle->path);
    weir_free(handle);
}

/* The client frees it, so it is allocated by malloc. */
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
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
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
    TF_Thread *thread = arg;
    thread->work(thread->param);
    return NULL;
}

TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *thread_name,
                          void (*work_func)(void *), void *param)
{
    TF_Thread *thread = WEIR_NEW(TF_Thread);
    pthread_attr_t attr;
    thread->work = work_func;
    thread->param = param;
    pthread_attr_init(&attr);
    if (options && options->stack_size)
        pthread_attr_setstacksize(&attr, options->stack_size);
    if (options && options->guard_size)
        pthread_attr_setguardsize(&attr, options->guard_size);
    bool started = pthread_create(&thread->id, &attr, work, thread) == 0;
    pthread_attr_destroy(&attr);
    if (!started) {
        weir_free(thread);
        return NULL;
    }
    pthread_setname_np(thread->id, thread_name ? thread_name : "");
    return thread;
}

void TF_JoinThread(TF_Thread *thread)
{
    if (!thread)
        return;
    pthread_join(thread->id, NULL);
    weir_free(thread);
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
