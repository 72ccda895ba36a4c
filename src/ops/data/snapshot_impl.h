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

#endif
