/* data/source.h - example sources: the interface between file formats and the pipeline.
 *
 * A source either has random access (fetch from any thread, known count), or is a stream: it is
 * read sequentially by one thread at a time (rewind, read), and the records are parsed by any
 * thread (fetch).
 */
#ifndef WEIR_DATA_SOURCE_H
#define WEIR_DATA_SOURCE_H

#include "base/str.h"
#include "io/file.h"
#include "memory/buffer.h"
#include "weir/data.h"

/* Identifies an example. */
typedef struct weir_item {
    int64_t index;   /* its number in the source */
    uint64_t order;  /* its number in the output sequence */
    weir_buf bytes;  /* of a stream: the record */
    int file;        /* of a stream: its file */
    uint64_t offset; /* of a stream: first byte in the (unpacked) file */
} weir_item;

typedef enum weir_example_kind {
    WEIR_PIXELS,  /* bytes, height * width * channels of them */
    WEIR_ENCODED, /* the bytes of an image file */
    WEIR_NUMBERS, /* floats */
    WEIR_TOKENS,  /* int32; one more than in x */
} weir_example_kind;

/* Result of fetch: views that stay valid until the scratch or the source changes. */
typedef struct weir_example {
    weir_example_kind kind;
    weir_str bytes; /* PIXELS, ENCODED */
    int64_t height, width;
    int channels;
    const float *numbers;
    const int32_t *tokens;
    int64_t count; /* of NUMBERS, TOKENS */
    int64_t label;
} weir_example;

/* A thread's scratch memory, reused for every example. */
typedef struct weir_scratch {
    weir_buf file;       /* bytes read by fetch */
    weir_buffer *pixels; /* decoded */
    weir_buffer *grey;
    weir_buf tables; /* of the resampler */
    weir_buf floats;
} weir_scratch;
void weir_scratch_fini(weir_scratch *scratch); /* accepts a zeroed one */
/* Resizes |buf| to at least |length| bytes, which the program bounds; its contents are lost. */
void *weir_scratch_room(weir_buf *buf, size_t length);
/* The same for sizes read from a file's header. */
WEIR_CHECKED weir_status weir_scratch_pixels(weir_buffer **out_buffer, int64_t height,
                                             int64_t width, int channels, uint8_t **out_pixels);

typedef struct weir_source weir_source;

typedef struct weir_source_class {
    WEIR_CHECKED weir_status (*fetch)(weir_source *source, const weir_item *item,
                                      weir_scratch *scratch, weir_example *out_example);
    /* Of streams; null for others. Read returns OUT_OF_RANGE after the last record, and reuses the
     * capacity of item->bytes. */
    WEIR_CHECKED weir_status (*rewind)(weir_source *source);
    WEIR_CHECKED weir_status (*read)(weir_source *source, weir_item *item);
    /* Appends an example's position, for messages: "path/to/file, byte 1234". */
    void (*where)(const weir_source *source, const weir_item *item, weir_buf *out);
    const char *(*class_name)(const weir_source *source, int64_t label); /* may be null */
    void (*destroy)(weir_source *source);
} weir_source_class;

struct weir_source {
    const weir_source_class *class;
    const char *kind; /* "IDX" */
    int64_t count;    /* -1: a stream */
    int rank;         /* of every example; 0: varies */
    int64_t dims[4];
    int64_t classes; /* 0: not known */
    bool in_memory;
    bool upright;              /* mirroring would change the meaning */
    bool of_images, of_tokens; /* else of numbers */
    bool sharded;              /* yields only examples of this shard */
    bool is_whole;             /* no train and test split: every tenth example is for testing */
};
static inline void weir_source_destroy(weir_source *source)
{
    source->class->destroy(source);
}
WEIR_OWNABLE(weir_source);

/* What is at a path: a folder with its file names, or a file with its first bytes. */
typedef struct weir_data_place {
    const char *path;
    bool is_dir;
    weir_paths names; /* of a folder, sorted */
    char head[64];    /* of a file */
    size_t head_length;
    const weir_data_options *options;
} weir_data_place;

/* A kind of source. The first whose claims() returns true opens the place. */
typedef struct weir_source_kind {
    const char *name;
    bool (*claims)(const weir_data_place *place);
    weir_status (*open)(const weir_data_place *place, weir_source **out_source);
} weir_source_kind;

/* Detects what is at options->source and opens it. */
WEIR_CHECKED weir_status weir_source_open(const weir_data_options *options,
                                          weir_source **out_source);

typedef enum weir_split { WEIR_SPLIT_NONE, WEIR_SPLIT_TRAIN, WEIR_SPLIT_TEST } weir_split;
/* The split that a file or folder name denotes; NONE when it denotes none. */
weir_split weir_split_of(const char *name);
/* The split that the options request; NONE for all. */
weir_split weir_split_wanted(const weir_data_options *options);
/* Whether the name of any file at |place|, or in a folder of it named after a split,
 * |fits|. */
bool weir_data_place_has(const weir_data_place *place, bool (*fits)(const char *name));
/* Adds the paths of the files of |split| (NONE: all), sorted by name. A file's split follows from
 * its name or its folder's. If any file has one, files without one are for training; if none has,
 * all are added and *out_whole is set. */
void weir_data_place_files(const weir_data_place *place, weir_split split,
                           bool (*fits)(const char *name), weir_paths *out_paths, bool *out_whole);
bool weir_is_digits(const char *path); /* the word, where no file or folder has that name */
bool weir_name_ends(const char *name, const char *end); /* case-insensitive */
char *weir_path_join(const char *dir, const char *name);

#endif
