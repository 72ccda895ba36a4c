/* weir/ops/io.h - files and records.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_IO_OPS_H
#define WEIR_IO_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FixedLengthRecordReader() -> reader_handle: Ref(string): reads records of one length from files.
 * */
typedef struct weir_fixed_length_record_reader_options {
    int64_t header_bytes;
    int64_t footer_bytes;
    int64_t hop_bytes;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_fixed_length_record_reader_options;
static inline TF_Output
weir_fixed_length_record_reader(weir_builder *builder, const char *node, int64_t record_bytes,
                                const weir_fixed_length_record_reader_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FixedLengthRecordReader", node);
    if (made) {
        TF_SetAttrInt(made, "record_bytes", record_bytes);
    }
    if (made && options) {
        TF_SetAttrInt(made, "header_bytes", options->header_bytes);
        TF_SetAttrInt(made, "footer_bytes", options->footer_bytes);
        TF_SetAttrInt(made, "hop_bytes", options->hop_bytes);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* FixedLengthRecordReaderV2() -> reader_handle: resource: reads records of one length from files.
 * */
typedef struct weir_fixed_length_record_reader_v2_options {
    int64_t header_bytes;
    int64_t footer_bytes;
    int64_t hop_bytes;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *encoding; /* null: "" */
} weir_fixed_length_record_reader_v2_options;
static inline TF_Output
weir_fixed_length_record_reader_v2(weir_builder *builder, const char *node, int64_t record_bytes,
                                   const weir_fixed_length_record_reader_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FixedLengthRecordReaderV2", node);
    if (made) {
        TF_SetAttrInt(made, "record_bytes", record_bytes);
    }
    if (made && options) {
        TF_SetAttrInt(made, "header_bytes", options->header_bytes);
        TF_SetAttrInt(made, "footer_bytes", options->footer_bytes);
        TF_SetAttrInt(made, "hop_bytes", options->hop_bytes);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->encoding)
            weir_attr_string(made, "encoding", options->encoding);
    }
    return weir_build_end(builder, made);
}

/* GenerateVocabRemapping(new_vocab_file: string, old_vocab_file: string) -> remapping: int64,
 * num_present: int32: maps weights from one vocabulary to another. */
typedef struct weir_generate_vocab_remapping_options {
    int64_t old_vocab_size; /* 0: -1 */
} weir_generate_vocab_remapping_options;
typedef struct weir_generate_vocab_remapping_outputs {
    TF_Output remapping;
    TF_Output num_present;
} weir_generate_vocab_remapping_outputs;
static inline weir_generate_vocab_remapping_outputs
weir_generate_vocab_remapping(weir_builder *builder, const char *node, TF_Output new_vocab_file,
                              TF_Output old_vocab_file, int64_t new_vocab_offset,
                              int64_t num_new_vocab,
                              const weir_generate_vocab_remapping_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GenerateVocabRemapping", node);
    weir_build_input(builder, made, new_vocab_file);
    weir_build_input(builder, made, old_vocab_file);
    if (made) {
        TF_SetAttrInt(made, "new_vocab_offset", new_vocab_offset);
        TF_SetAttrInt(made, "num_new_vocab", num_new_vocab);
    }
    if (made && options) {
        if (options->old_vocab_size != 0)
            TF_SetAttrInt(made, "old_vocab_size", weir_int_of(options->old_vocab_size));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_generate_vocab_remapping_outputs out;
    out.remapping = weir_output(op, 0);
    out.num_present = weir_output(op, 1);
    return out;
}

/* IdentityReader() -> reader_handle: Ref(string): reads the names of files. */
typedef struct weir_identity_reader_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_identity_reader_options;
static inline TF_Output weir_identity_reader(weir_builder *builder, const char *node,
                                             const weir_identity_reader_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IdentityReader", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* IdentityReaderV2() -> reader_handle: resource: reads the names of files. */
typedef struct weir_identity_reader_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_identity_reader_v2_options;
static inline TF_Output weir_identity_reader_v2(weir_builder *builder, const char *node,
                                                const weir_identity_reader_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IdentityReaderV2", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* LoadAndRemapMatrix(ckpt_path: string, old_tensor_name: string, row_remapping: int64,
 * col_remapping: int64, initializing_values: float) -> output_matrix: float: maps weights from one
 * vocabulary to another. */
typedef struct weir_load_and_remap_matrix_options {
    int64_t max_rows_in_memory; /* 0: -1 */
} weir_load_and_remap_matrix_options;
static inline TF_Output
weir_load_and_remap_matrix(weir_builder *builder, const char *node, TF_Output ckpt_path,
                           TF_Output old_tensor_name, TF_Output row_remapping,
                           TF_Output col_remapping, TF_Output initializing_values, int64_t num_rows,
                           int64_t num_cols, const weir_load_and_remap_matrix_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LoadAndRemapMatrix", node);
    weir_build_input(builder, made, ckpt_path);
    weir_build_input(builder, made, old_tensor_name);
    weir_build_input(builder, made, row_remapping);
    weir_build_input(builder, made, col_remapping);
    weir_build_input(builder, made, initializing_values);
    if (made) {
        TF_SetAttrInt(made, "num_rows", num_rows);
        TF_SetAttrInt(made, "num_cols", num_cols);
    }
    if (made && options) {
        if (options->max_rows_in_memory != 0)
            TF_SetAttrInt(made, "max_rows_in_memory", weir_int_of(options->max_rows_in_memory));
    }
    return weir_build_end(builder, made);
}

/* MatchingFiles(pattern: string) -> filenames: string: the files that match a pattern. */
static inline TF_Output weir_matching_files(weir_builder *builder, const char *node,
                                            TF_Output pattern)
{
    const TF_Output inputs[] = {pattern};
    return weir_build_op(builder, "MatchingFiles", node, inputs, 1);
}

/* MergeV2Checkpoints(checkpoint_prefixes: string, destination_prefix: string): merges the shards of
 * a saver into one checkpoint. */
typedef struct weir_merge_v2_checkpoints_options {
    bool not_delete_old_dirs;
    bool allow_missing_files;
} weir_merge_v2_checkpoints_options;
static inline TF_Operation *
weir_merge_v2_checkpoints(weir_builder *builder, const char *node, TF_Output checkpoint_prefixes,
                          TF_Output destination_prefix,
                          const weir_merge_v2_checkpoints_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MergeV2Checkpoints", node);
    weir_build_input(builder, made, checkpoint_prefixes);
    weir_build_input(builder, made, destination_prefix);
    if (made && options) {
        TF_SetAttrBool(made, "delete_old_dirs", !options->not_delete_old_dirs);
        TF_SetAttrBool(made, "allow_missing_files", options->allow_missing_files);
    }
    return weir_build_end(builder, made).oper;
}

/* ReadFile(filename: string) -> contents: string: the bytes of a file. */
static inline TF_Output weir_read_file(weir_builder *builder, const char *node, TF_Output filename)
{
    const TF_Output inputs[] = {filename};
    return weir_build_op(builder, "ReadFile", node, inputs, 1);
}

/* ReaderNumRecordsProduced(reader_handle: Ref(string)) -> records_produced: int64: how many records
 * were read. */
static inline TF_Output weir_reader_num_records_produced(weir_builder *builder, const char *node,
                                                         TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderNumRecordsProduced", node, inputs, 1);
}

/* ReaderNumRecordsProducedV2(reader_handle: resource) -> records_produced: int64: how many records
 * were read. */
static inline TF_Output weir_reader_num_records_produced_v2(weir_builder *builder, const char *node,
                                                            TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderNumRecordsProducedV2", node, inputs, 1);
}

/* ReaderNumWorkUnitsCompleted(reader_handle: Ref(string)) -> units_completed: int64: how many files
 * were read to their end. */
static inline TF_Output weir_reader_num_work_units_completed(weir_builder *builder,
                                                             const char *node,
                                                             TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderNumWorkUnitsCompleted", node, inputs, 1);
}

/* ReaderNumWorkUnitsCompletedV2(reader_handle: resource) -> units_completed: int64: how many files
 * were read to their end. */
static inline TF_Output weir_reader_num_work_units_completed_v2(weir_builder *builder,
                                                                const char *node,
                                                                TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderNumWorkUnitsCompletedV2", node, inputs, 1);
}

/* ReaderRead(reader_handle: Ref(string), queue_handle: Ref(string)) -> key: string, value: string:
 * the next record, from the files that a queue names. */
typedef struct weir_reader_read_outputs {
    TF_Output key;
    TF_Output value;
} weir_reader_read_outputs;
static inline weir_reader_read_outputs weir_reader_read(weir_builder *builder, const char *node,
                                                        TF_Output reader_handle,
                                                        TF_Output queue_handle)
{
    const TF_Output inputs[] = {reader_handle, queue_handle};
    TF_Operation *op = weir_build_op(builder, "ReaderRead", node, inputs, 2).oper;
    weir_reader_read_outputs out;
    out.key = weir_output(op, 0);
    out.value = weir_output(op, 1);
    return out;
}

/* ReaderReadUpTo(reader_handle: Ref(string), queue_handle: Ref(string), num_records: int64) ->
 * keys: string, values: string: the next records, from the files that a queue names. */
typedef struct weir_reader_read_up_to_outputs {
    TF_Output keys;
    TF_Output values;
} weir_reader_read_up_to_outputs;
static inline weir_reader_read_up_to_outputs weir_reader_read_up_to(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output reader_handle,
                                                                    TF_Output queue_handle,
                                                                    TF_Output num_records)
{
    const TF_Output inputs[] = {reader_handle, queue_handle, num_records};
    TF_Operation *op = weir_build_op(builder, "ReaderReadUpTo", node, inputs, 3).oper;
    weir_reader_read_up_to_outputs out;
    out.keys = weir_output(op, 0);
    out.values = weir_output(op, 1);
    return out;
}

/* ReaderReadUpToV2(reader_handle: resource, queue_handle: resource, num_records: int64) -> keys:
 * string, values: string: the next records, from the files that a queue names. */
typedef struct weir_reader_read_up_to_v2_outputs {
    TF_Output keys;
    TF_Output values;
} weir_reader_read_up_to_v2_outputs;
static inline weir_reader_read_up_to_v2_outputs weir_reader_read_up_to_v2(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output reader_handle,
                                                                          TF_Output queue_handle,
                                                                          TF_Output num_records)
{
    const TF_Output inputs[] = {reader_handle, queue_handle, num_records};
    TF_Operation *op = weir_build_op(builder, "ReaderReadUpToV2", node, inputs, 3).oper;
    weir_reader_read_up_to_v2_outputs out;
    out.keys = weir_output(op, 0);
    out.values = weir_output(op, 1);
    return out;
}

/* ReaderReadV2(reader_handle: resource, queue_handle: resource) -> key: string, value: string: the
 * next record, from the files that a queue names. */
typedef struct weir_reader_read_v2_outputs {
    TF_Output key;
    TF_Output value;
} weir_reader_read_v2_outputs;
static inline weir_reader_read_v2_outputs weir_reader_read_v2(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output reader_handle,
                                                              TF_Output queue_handle)
{
    const TF_Output inputs[] = {reader_handle, queue_handle};
    TF_Operation *op = weir_build_op(builder, "ReaderReadV2", node, inputs, 2).oper;
    weir_reader_read_v2_outputs out;
    out.key = weir_output(op, 0);
    out.value = weir_output(op, 1);
    return out;
}

/* ReaderReset(reader_handle: Ref(string)): starts again. */
static inline TF_Operation *weir_reader_reset(weir_builder *builder, const char *node,
                                              TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderReset", node, inputs, 1).oper;
}

/* ReaderResetV2(reader_handle: resource): starts again. */
static inline TF_Operation *weir_reader_reset_v2(weir_builder *builder, const char *node,
                                                 TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderResetV2", node, inputs, 1).oper;
}

/* ReaderRestoreState(reader_handle: Ref(string), state: string): continues from a saved state. */
static inline TF_Operation *weir_reader_restore_state(weir_builder *builder, const char *node,
                                                      TF_Output reader_handle, TF_Output state)
{
    const TF_Output inputs[] = {reader_handle, state};
    return weir_build_op(builder, "ReaderRestoreState", node, inputs, 2).oper;
}

/* ReaderRestoreStateV2(reader_handle: resource, state: string): continues from a saved state. */
static inline TF_Operation *weir_reader_restore_state_v2(weir_builder *builder, const char *node,
                                                         TF_Output reader_handle, TF_Output state)
{
    const TF_Output inputs[] = {reader_handle, state};
    return weir_build_op(builder, "ReaderRestoreStateV2", node, inputs, 2).oper;
}

/* ReaderSerializeState(reader_handle: Ref(string)) -> state: string: the state of a reader. */
static inline TF_Output weir_reader_serialize_state(weir_builder *builder, const char *node,
                                                    TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderSerializeState", node, inputs, 1);
}

/* ReaderSerializeStateV2(reader_handle: resource) -> state: string: the state of a reader. */
static inline TF_Output weir_reader_serialize_state_v2(weir_builder *builder, const char *node,
                                                       TF_Output reader_handle)
{
    const TF_Output inputs[] = {reader_handle};
    return weir_build_op(builder, "ReaderSerializeStateV2", node, inputs, 1);
}

/* RecordInput() -> records: string: infinite batches of records in random order. */
typedef struct weir_record_input_options {
    int64_t file_random_seed; /* 0: 301 */
    float file_shuffle_shift_ratio;
    int64_t file_buffer_size; /* 0: 10000 */
    int64_t file_parallelism; /* 0: 16 */
    int64_t batch_size; /* 0: 32 */
    const char *compression_type; /* null: "" */
} weir_record_input_options;
static inline TF_Output weir_record_input(weir_builder *builder, const char *node,
                                          const char *file_pattern,
                                          const weir_record_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RecordInput", node);
    if (made) {
        weir_attr_string(made, "file_pattern", file_pattern);
    }
    if (made && options) {
        if (options->file_random_seed != 0)
            TF_SetAttrInt(made, "file_random_seed", weir_int_of(options->file_random_seed));
        TF_SetAttrFloat(made, "file_shuffle_shift_ratio", options->file_shuffle_shift_ratio);
        if (options->file_buffer_size != 0)
            TF_SetAttrInt(made, "file_buffer_size", weir_int_of(options->file_buffer_size));
        if (options->file_parallelism != 0)
            TF_SetAttrInt(made, "file_parallelism", weir_int_of(options->file_parallelism));
        if (options->batch_size != 0)
            TF_SetAttrInt(made, "batch_size", weir_int_of(options->batch_size));
        if (options->compression_type)
            weir_attr_string(made, "compression_type", options->compression_type);
    }
    return weir_build_end(builder, made);
}

/* Restore(file_pattern: string, tensor_name: string) -> tensor: dt: reads tensors from checkpoints
 * of either format. */
typedef struct weir_restore_options {
    int64_t preferred_shard; /* 0: -1 */
} weir_restore_options;
static inline TF_Output weir_restore(weir_builder *builder, const char *node,
                                     TF_Output file_pattern, TF_Output tensor_name, TF_DataType dt,
                                     const weir_restore_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Restore", node);
    weir_build_input(builder, made, file_pattern);
    weir_build_input(builder, made, tensor_name);
    if (made) {
        TF_SetAttrType(made, "dt", dt);
    }
    if (made && options) {
        if (options->preferred_shard != 0)
            TF_SetAttrInt(made, "preferred_shard", weir_int_of(options->preferred_shard));
    }
    return weir_build_end(builder, made);
}

/* RestoreSlice(file_pattern: string, tensor_name: string, shape_and_slice: string) -> tensor: dt:
 * reads tensors from checkpoints of either format. */
typedef struct weir_restore_slice_options {
    int64_t preferred_shard; /* 0: -1 */
} weir_restore_slice_options;
static inline TF_Output weir_restore_slice(weir_builder *builder, const char *node,
                                           TF_Output file_pattern, TF_Output tensor_name,
                                           TF_Output shape_and_slice, TF_DataType dt,
                                           const weir_restore_slice_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RestoreSlice", node);
    weir_build_input(builder, made, file_pattern);
    weir_build_input(builder, made, tensor_name);
    weir_build_input(builder, made, shape_and_slice);
    if (made) {
        TF_SetAttrType(made, "dt", dt);
    }
    if (made && options) {
        if (options->preferred_shard != 0)
            TF_SetAttrInt(made, "preferred_shard", weir_int_of(options->preferred_shard));
    }
    return weir_build_end(builder, made);
}

/* RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> tensors: dtypes:
 * reads tensors from checkpoints of either format. */
static inline weir_outputs weir_restore_v2(weir_builder *builder, const char *node,
                                           TF_Output prefix, TF_Output tensor_names,
                                           TF_Output shape_and_slices, const TF_DataType *dtypes,
                                           int dtypes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RestoreV2", node);
    weir_build_input(builder, made, prefix);
    weir_build_input(builder, made, tensor_names);
    weir_build_input(builder, made, shape_and_slices);
    if (made) {
        TF_SetAttrTypeList(made, "dtypes", dtypes, dtypes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "tensors", 0);
}

/* Save(filename: string, tensor_names: string, data: T): writes tensors to checkpoint files. */
static inline TF_Operation *weir_save(weir_builder *builder, const char *node, TF_Output filename,
                                      TF_Output tensor_names, const TF_Output *data, int data_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Save", node);
    weir_build_input(builder, made, filename);
    weir_build_input(builder, made, tensor_names);
    weir_build_input_list(builder, made, data, data_count);
    return weir_build_end(builder, made).oper;
}

/* SaveSlices(filename: string, tensor_names: string, shapes_and_slices: string, data: T): writes
 * tensors to checkpoint files. */
static inline TF_Operation *weir_save_slices(weir_builder *builder, const char *node,
                                             TF_Output filename, TF_Output tensor_names,
                                             TF_Output shapes_and_slices, const TF_Output *data,
                                             int data_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SaveSlices", node);
    weir_build_input(builder, made, filename);
    weir_build_input(builder, made, tensor_names);
    weir_build_input(builder, made, shapes_and_slices);
    weir_build_input_list(builder, made, data, data_count);
    return weir_build_end(builder, made).oper;
}

/* SaveV2(prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes): writes
 * tensors to checkpoint files. */
static inline TF_Operation *weir_save_v2(weir_builder *builder, const char *node, TF_Output prefix,
                                         TF_Output tensor_names, TF_Output shape_and_slices,
                                         const TF_Output *tensors, int tensors_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SaveV2", node);
    weir_build_input(builder, made, prefix);
    weir_build_input(builder, made, tensor_names);
    weir_build_input(builder, made, shape_and_slices);
    weir_build_input_list(builder, made, tensors, tensors_count);
    return weir_build_end(builder, made).oper;
}

/* ShardedFilename(basename: string, shard: int32, num_shards: int32) -> filename: string: names of
 * the parts of a sharded file. */
static inline TF_Output weir_sharded_filename(weir_builder *builder, const char *node,
                                              TF_Output basename, TF_Output shard,
                                              TF_Output num_shards)
{
    const TF_Output inputs[] = {basename, shard, num_shards};
    return weir_build_op(builder, "ShardedFilename", node, inputs, 3);
}

/* ShardedFilespec(basename: string, num_shards: int32) -> filename: string: names of the parts of a
 * sharded file. */
static inline TF_Output weir_sharded_filespec(weir_builder *builder, const char *node,
                                              TF_Output basename, TF_Output num_shards)
{
    const TF_Output inputs[] = {basename, num_shards};
    return weir_build_op(builder, "ShardedFilespec", node, inputs, 2);
}

/* TFRecordReader() -> reader_handle: Ref(string): reads the records of record files. */
typedef struct weir_tf_record_reader_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *compression_type; /* null: "" */
} weir_tf_record_reader_options;
static inline TF_Output weir_tf_record_reader(weir_builder *builder, const char *node,
                                              const weir_tf_record_reader_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TFRecordReader", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->compression_type)
            weir_attr_string(made, "compression_type", options->compression_type);
    }
    return weir_build_end(builder, made);
}

/* TFRecordReaderV2() -> reader_handle: resource: reads the records of record files. */
typedef struct weir_tf_record_reader_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *compression_type; /* null: "" */
} weir_tf_record_reader_v2_options;
static inline TF_Output weir_tf_record_reader_v2(weir_builder *builder, const char *node,
                                                 const weir_tf_record_reader_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TFRecordReaderV2", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->compression_type)
            weir_attr_string(made, "compression_type", options->compression_type);
    }
    return weir_build_end(builder, made);
}

/* TextLineReader() -> reader_handle: Ref(string): reads the lines of files. */
typedef struct weir_text_line_reader_options {
    int64_t skip_header_lines;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_text_line_reader_options;
static inline TF_Output weir_text_line_reader(weir_builder *builder, const char *node,
                                              const weir_text_line_reader_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TextLineReader", node);
    if (made && options) {
        TF_SetAttrInt(made, "skip_header_lines", options->skip_header_lines);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* TextLineReaderV2() -> reader_handle: resource: reads the lines of files. */
typedef struct weir_text_line_reader_v2_options {
    int64_t skip_header_lines;
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_text_line_reader_v2_options;
static inline TF_Output weir_text_line_reader_v2(weir_builder *builder, const char *node,
                                                 const weir_text_line_reader_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TextLineReaderV2", node);
    if (made && options) {
        TF_SetAttrInt(made, "skip_header_lines", options->skip_header_lines);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* WholeFileReader() -> reader_handle: Ref(string): reads whole files. */
typedef struct weir_whole_file_reader_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_whole_file_reader_options;
static inline TF_Output weir_whole_file_reader(weir_builder *builder, const char *node,
                                               const weir_whole_file_reader_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "WholeFileReader", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* WholeFileReaderV2() -> reader_handle: resource: reads whole files. */
typedef struct weir_whole_file_reader_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_whole_file_reader_v2_options;
static inline TF_Output weir_whole_file_reader_v2(weir_builder *builder, const char *node,
                                                  const weir_whole_file_reader_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "WholeFileReaderV2", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* WriteFile(filename: string, contents: string): writes a file. */
static inline TF_Operation *weir_write_file(weir_builder *builder, const char *node,
                                            TF_Output filename, TF_Output contents)
{
    const TF_Output inputs[] = {filename, contents};
    return weir_build_op(builder, "WriteFile", node, inputs, 2).oper;
}

#ifdef __cplusplus
}
#endif
#endif
