/* ops/data/snapshot_impl.h - datasets in files, in TensorFlow's layout.
 *
 *   PATH/snapshot.metadata                     a SnapshotMetadataRecord: run, types, count
 *   PATH/RUN/NNNNNNNN.shard/NNNNNNNN.snapshot  records: one TensorProto a tensor, element by
 * element
 */
#ifndef WEIR_OPS_DATA_SNAPSHOT_IMPL_H
#define WEIR_OPS_DATA_SNAPSHOT_IMPL_H

#include "io/record.h"
#include "ops/data/data_impl.h"
#include "wire/messages.h"

#define WEIR_SNAPSHOT_METADATA "snapshot.metadata"
#define WEIR_SNAPSHOT_SHARD "%08lld.shard"
#define WEIR_SNAPSHOT_FILE "%08lld.snapshot"
enum { WEIR_SNAPSHOT_VERSION = 2 };

/* Attr compression. */
WEIR_CHECKED weir_status weir_snapshot_packing(const weir_site *site, weir_packing *out);

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes elements to the files of a new run, sharded by a function. */
typedef struct weir_snapshot_writer weir_snapshot_writer;
/* |folder| is for the metadata; |spread| chooses shards (null: always shard 0) and must outlive the
 * writer. */
WEIR_CHECKED weir_status weir_snapshot_create(const char *folder, const weir_dataset *dataset,
                                              weir_packing packing,
                                              const weir_data_function *spread,
                                              weir_snapshot_writer **out);
WEIR_CHECKED weir_status weir_snapshot_add(weir_snapshot_writer *writer, weir_run *run,
                                           const weir_tensor *element);
/* Closes the files and marks the run as complete. */
WEIR_CHECKED weir_status weir_snapshot_finish(weir_snapshot_writer *writer);
/* Deletes an unfinished run; takes null. */
void weir_snapshot_destroy(weir_snapshot_writer *writer);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct weir_snapshot_run {
    char *folder;  /* of its shards; owned */
    int64_t count; /* elements */
    bool whole;    /* the run is complete */
} weir_snapshot_run;
/* The run in |folder|; NOT_FOUND without one. */
WEIR_CHECKED weir_status weir_snapshot_find(const char *folder, weir_snapshot_run *out);
/* A dataset of the elements in the files of |folder|, or in the one file |folder|, without the
 * first |skip|; components as in |like|. */
weir_dataset *weir_snapshot_shard(const char *folder, weir_packing packing, int64_t skip,
                                  const weir_dataset *like);
/* An iterator over the result of |reader|, applied to the dataset of the shards' datasets; without
 * a reader, over the shards in sequence. */
WEIR_CHECKED weir_status weir_snapshot_open(const weir_snapshot_run *snapshot, weir_packing packing,
                                            const weir_dataset *like,
                                            const weir_data_function *reader, weir_run *run,
                                            weir_iterator **out);

#endif
