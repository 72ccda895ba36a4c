/* model/graph_file.h - files that hold graphs: what kind they are, and the graph in them. */
#ifndef WEIR_MODEL_GRAPH_FILE_H
#define WEIR_MODEL_GRAPH_FILE_H

#include "base/str.h"

typedef enum weir_graph_kind {
    WEIR_GRAPH_DEF,
    WEIR_GRAPH_META,        /* a MetaGraphDef, as beside checkpoints */
    WEIR_GRAPH_SAVED_MODEL, /* the folder of one, or its file */
} weir_graph_kind;

typedef struct weir_graph_file {
    weir_graph_kind kind;
    bool text;          /* it was in text form */
    weir_buf bytes;     /* the message, serialised; the caller's to fini */
    weir_str graph_def; /* in |bytes|; of a SavedModel that of its first graph */
} weir_graph_file;

/* INVALID_ARGUMENT or DATA_LOSS, naming the file and the place in it, when it is none of these. */
WEIR_CHECKED weir_status weir_graph_file_read(const char *path, weir_graph_file *out_file);
/* What bytes seem to be, by their beginning: text, or a serialised message. */
bool weir_graph_looks_like_text(weir_str bytes);

/* Writes a serialised GraphDef; as text when |path| ends in "txt". */
WEIR_CHECKED weir_status weir_graph_file_write(const char *path, weir_str graph_def);

#endif
