/* tensorflow/c/tf_file_statistics.h - what TF_FileStat tells. */
#ifndef TENSORFLOW_C_TF_FILE_STATISTICS_H_
#define TENSORFLOW_C_TF_FILE_STATISTICS_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct TF_FileStatistics {
    int64_t length;     /* in bytes */
    int64_t mtime_nsec; /* last change, nanoseconds since the epoch */
    bool is_directory;
} TF_FileStatistics;

#endif
