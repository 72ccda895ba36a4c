/* model/graph_file.h - graph files: detects the format and extracts the graph. */
#ifndef WEIR_MODEL_GRAPH_FILE_H
#define WEIR_MODEL_GRAPH_FILE_H

#include "base/str.h"

typedef enum weir_graph_kind {
    WEIR_GRAPH_DEF,
    WEIR_GRAPH_META,        /* a MetaGraphDef, as written with checkpoints */
    WEIR_GRAPH_SAVED_MODEL, /* the folder of one, or its file */
} weir_graph_kind;

typedef struct weir_graph_file {
    weir_graph_kind kind;
    bool text;          /* it was in text form */
    weir_buf bytes;     /* the serialised message; the caller frees it */
    weir_str graph_def; /* a view into |bytes|; of a SavedModel's first graph */
} weir_graph_file;

/* INVALID_ARGUMENT or DATA_LOSS, with the file and the position, if it is none of these. */
WEIR_CHECKED weir_status weir_graph_file_read(const char *path, weir_graph_file *out_file);
/* Guesses from the first bytes: text, or a serialised message. */
bool weir_graph_looks_like_text(weir_str bytes);

/* Writes a serialised GraphDef; as text when |path| ends in "txt". */
WEIR_CHECKED weir_status weir_graph_file_write(const char *path, weir_str graph_def);

#endif
