/* cli/inspect/inspect.h - detects and shows the contents of a file or folder.
 *
 * A kind is a file here and a line in kinds.inc. Kinds are tried in that order; each detects its
 * files by content.
 */
#ifndef WEIR_CLI_INSPECT_INSPECT_H
#define WEIR_CLI_INSPECT_INSPECT_H

#include "cli/inspect/roles.h"
#include "command/output.h"
#include "io/deflate.h"
#include "io/file.h"

/* What is at a path, as needed for detection. */
typedef struct inspect_place {
    const char *path;
    const char *name; /* the path as typed; |path| is that of a copy if it is a pipe */
    bool is_dir, exists;
    weir_paths names;     /* of a folder, sorted */
    uint64_t bytes;       /* of a file */
    weir_packing packing; /* of a file: gzip and zlib are transparent */
    weir_buf head;        /* of a file: its first bytes, unpacked */
    weir_buf tail;        /* of a file: its last bytes, not decompressed */
} inspect_place;

typedef struct inspect_kind {
    const char *name;
    bool (*claims)(const inspect_place *place);
    /* Adds the results; may be incomplete on failure. */
    weir_status (*show)(const inspect_place *place, weir_output *output);
} inspect_kind;

bool inspect_is_zip(const inspect_place *place);                     /* begins as a zip file */
bool inspect_has_name(const inspect_place *place, const char *name); /* a folder that contains it */
bool inspect_ends_in(const char *name, const char *end);
char *inspect_join(const char *dir, const char *name); /* the caller frees */
/* The file, decompressed. */
weir_status inspect_read(const inspect_place *place, weir_buf *out);

/* ---- shared by several kinds ----------------------------------------------------------------- */

/* A serialised GraphDef, which must outlive it: fields, and tables of ops, inputs and outputs. On
 * failure it covers the part before the damage. */
typedef struct inspect_graph_summary inspect_graph_summary;
weir_status inspect_graph_read(weir_str graph_def, inspect_graph_summary **out_summary);
/* |saved|: the variables as listed in a checkpoint; null: only the graph is known. */
void inspect_graph_fields(const inspect_graph_summary *summary, const inspect_variables *saved,
                          weir_output *output);
void inspect_graph_tables(inspect_graph_summary *summary, weir_output *output);
void inspect_graph_free(inspect_graph_summary *summary); /* takes null */
/* The name of a dtype; any number from a file is allowed. */
void inspect_dtype(weir_output *output, const char *key, int dtype);

#define INSPECT_KIND(name) extern const inspect_kind inspect_##name;
#include "cli/inspect/kinds.inc"
#undef INSPECT_KIND

#endif
