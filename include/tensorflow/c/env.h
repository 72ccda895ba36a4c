/* tensorflow/c/env.h - files, time and threads, for code that should not ask the system itself. */
#ifndef TENSORFLOW_C_ENV_H_
#define TENSORFLOW_C_ENV_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_file_statistics.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_WritableFileHandle TF_WritableFileHandle;
typedef struct TF_StringStream TF_StringStream;
typedef struct TF_Thread TF_Thread;

typedef struct TF_ThreadOptions {
    size_t stack_size; /* in bytes; 0: the system's */
    size_t guard_size; /* in bytes; 0: the system's */
    int numa_node;     /* -1: any */
} TF_ThreadOptions;

/* Folders. */
TF_CAPI_EXPORT extern void TF_CreateDir(const char *dirname, TF_Status *status);
TF_CAPI_EXPORT extern void TF_DeleteDir(const char *dirname, TF_Status *status); /* an empty one */
/* With everything inside; what could not be deleted is counted. */
TF_CAPI_EXPORT extern void TF_DeleteRecursively(const char *dirname, int64_t *undeleted_file_count,
                                                int64_t *undeleted_dir_count, TF_Status *status);
/* The names in a folder, to be read by TF_StringStreamNext; the caller's, by
 * TF_StringStreamDone. Null on an error. */
TF_CAPI_EXPORT extern TF_StringStream *TF_GetChildren(const char *filename, TF_Status *status);

/* Files. */
TF_CAPI_EXPORT extern void TF_FileStat(const char *filename, TF_FileStatistics *stats,
                                       TF_Status *status);
/* Opens a file for writing, emptied; *handle is the caller's, by TF_CloseWritableFile. */
TF_CAPI_EXPORT extern void TF_NewWritableFile(const char *filename, TF_WritableFileHandle **handle,
                                              TF_Status *status);
/* Writes what is left, closes and frees the handle, also on an error. */
TF_CAPI_EXPORT extern void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status);
/* Returns when what was written is on the disk. */
TF_CAPI_EXPORT extern void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status);
/* Hands what was written to the system. */
TF_CAPI_EXPORT extern void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status);
/* Writes |length| bytes at the end. RESOURCE_EXHAUSTED where the disk is full. */
TF_CAPI_EXPORT extern void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data,
                                                 size_t length, TF_Status *status);
/* Deletes a file. NOT_FOUND when there is none. */
TF_CAPI_EXPORT extern void TF_DeleteFile(const char *filename, TF_Status *status);
/* Folders for temporary files, best first, to be read as TF_GetChildren's. */
TF_CAPI_EXPORT extern TF_StringStream *TF_GetLocalTempDirectories(void);
/* A name that no file has; ended by free(). */
TF_CAPI_EXPORT extern char *TF_GetTempFileName(const char *extension);

/* Walks a list of strings; false at its end. Results live as long as the list. */
TF_CAPI_EXPORT extern bool TF_StringStreamNext(TF_StringStream *list, const char **result);
TF_CAPI_EXPORT extern void TF_StringStreamDone(TF_StringStream *list); /* ends the list */

/* Time since the epoch. */
TF_CAPI_EXPORT extern uint64_t TF_NowNanos(void);
/* The time of day in microseconds since 1970. */
TF_CAPI_EXPORT extern uint64_t TF_NowMicros(void);
/* The time of day in seconds since 1970. */
TF_CAPI_EXPORT extern uint64_t TF_NowSeconds(void);

/* Threads. */
TF_CAPI_EXPORT extern void TF_DefaultThreadOptions(TF_ThreadOptions *options);
/* Starts a thread that calls |work_func| with |param|; the caller's, by TF_JoinThread. */
TF_CAPI_EXPORT extern TF_Thread *TF_StartThread(const TF_ThreadOptions *options,
                                                const char *thread_name, void (*work_func)(void *),
                                                void *param);
TF_CAPI_EXPORT extern void TF_JoinThread(TF_Thread *thread); /* waits for it and ends it */

/* Shared libraries. */
TF_CAPI_EXPORT extern void *TF_LoadSharedLibrary(const char *library_filename, TF_Status *status);
/* The address of a symbol; null and NOT_FOUND when the library has none. */
TF_CAPI_EXPORT extern void *TF_GetSymbolFromLibrary(void *handle, const char *symbol_name,
                                                    TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
