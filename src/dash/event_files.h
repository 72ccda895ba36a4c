/* dash/event_files.h - the contents of event files and checkpoints below a folder. */
#ifndef WEIR_DASH_EVENT_FILES_H
#define WEIR_DASH_EVENT_FILES_H

#include "base/mem.h"
#include "base/str.h"

typedef struct board_point {
    int64_t step;
    double time, value;
} board_point;

/* A tag of a run: numbers, or the newest image or histogram. */
typedef struct board_tag {
    char *name;
    WEIR_VEC(board_point) points;
    weir_buf image;                  /* PNG, as it was written */
    WEIR_VEC(double) counts, limits; /* of a histogram: elements, and upper bounds of the buckets */
    double least, most;
    int64_t step; /* of the image or histogram */
} board_tag;

typedef struct board_run {
    char *name; /* the folder, relative to the board's; "" for that itself */
    WEIR_VEC(board_tag *) tags;
    weir_map by_name;
} board_run;

typedef struct board_file {
    char *path;
    board_run *run;
    uint64_t offset; /* read so far */
    bool damaged;    /* there: nothing behind it can be read */
} board_file;

typedef struct board_checkpoint {
    char *name;
    int64_t bytes;
} board_checkpoint;

typedef struct board_files {
    const char *dir;
    WEIR_VEC(board_run *) runs;
    WEIR_VEC(board_file) files;
    WEIR_VEC(board_checkpoint) checkpoints;
    weir_map by_path, by_run;
} board_files;

/* Reads new data. Corrupted or truncated data is retried the next time. */
void board_files_read(board_files *files);
void board_files_fini(board_files *files);

#endif
