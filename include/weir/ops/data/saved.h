/* weir/ops/data/saved.h - datasets in files that were saved.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_SAVED_OPS_H
#define WEIR_DATA_SAVED_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ListSnapshotChunksDataset(snapshot_path: string) -> handle: variant. */
static inline TF_Output weir_list_snapshot_chunks_dataset(weir_builder *builder, const char *node,
                                                          TF_Output snapshot_path,
                                                          const TF_DataType *output_types,
                                                          int output_types_count,
                                                          const weir_dims *output_shapes,
                                                          int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ListSnapshotChunksDataset", node);
    weir_build_input(builder, made, snapshot_path);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* LoadDataset(path: string, reader_func_other_args: Treader_func_args) -> handle: variant: a saved
 * dataset. */
typedef struct weir_load_dataset_options {
    const char *compression; /* null: "" */
} weir_load_dataset_options;
static inline TF_Output weir_load_dataset(weir_builder *builder, const char *node, TF_Output path,
                                          const TF_Output *reader_func_other_args,
                                          int reader_func_other_args_count,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const char *reader_func,
                                          const weir_load_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LoadDataset", node);
    weir_build_input(builder, made, path);
    weir_build_input_list(builder, made, reader_func_other_args, reader_func_other_args_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
        weir_attr_func(made, "reader_func", reader_func);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
    }
    return weir_build_end(builder, made);
}

/* SaveDataset(input_dataset: variant, path: string, shard_func_other_args: Tshard_func_args):
 * writes the elements of a dataset to files, sharded by a function. */
typedef struct weir_save_dataset_options {
    const char *compression; /* null: "" */
    bool not_use_shard_func;
} weir_save_dataset_options;
static inline TF_Operation *weir_save_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output path,
                                              const TF_Output *shard_func_other_args,
                                              int shard_func_other_args_count,
                                              const char *shard_func,
                                              const weir_save_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SaveDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, path);
    weir_build_input_list(builder, made, shard_func_other_args, shard_func_other_args_count);
    if (made) {
        weir_attr_func(made, "shard_func", shard_func);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
        TF_SetAttrBool(made, "use_shard_func", !options->not_use_shard_func);
    }
    return weir_build_end(builder, made).oper;
}

/* SaveDatasetV2(input_dataset: variant, path: string, shard_func_other_args: Tshard_func_args) ->
 * handle: variant: writes the elements of a dataset to files, sharded by a function. */
typedef struct weir_save_dataset_v2_options {
    const char *compression; /* null: "" */
    bool not_use_shard_func;
} weir_save_dataset_v2_options;
static inline TF_Output weir_save_dataset_v2(weir_builder *builder, const char *node,
                                             TF_Output input_dataset, TF_Output path,
                                             const TF_Output *shard_func_other_args,
                                             int shard_func_other_args_count,
                                             const char *shard_func,
                                             const TF_DataType *output_types,
                                             int output_types_count, const weir_dims *output_shapes,
                                             int output_shapes_count,
                                             const weir_save_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SaveDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, path);
    weir_build_input_list(builder, made, shard_func_other_args, shard_func_other_args_count);
    if (made) {
        weir_attr_func(made, "shard_func", shard_func);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
        TF_SetAttrBool(made, "use_shard_func", !options->not_use_shard_func);
    }
    return weir_build_end(builder, made);
}

/* SnapshotChunkDataset(chunk_file: string) -> handle: variant: the elements of saved files;
 * SnapshotNestedDatasetReader: such datasets as elements; ListSnapshotChunksDataset: the files of a
 * snapshot written by many tasks. */
typedef struct weir_snapshot_chunk_dataset_options {
    const char *compression; /* null: "" */
} weir_snapshot_chunk_dataset_options;
static inline TF_Output
weir_snapshot_chunk_dataset(weir_builder *builder, const char *node, TF_Output chunk_file,
                            const TF_DataType *output_types, int output_types_count,
                            const weir_dims *output_shapes, int output_shapes_count,
                            const weir_snapshot_chunk_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SnapshotChunkDataset", node);
    weir_build_input(builder, made, chunk_file);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
    }
    return weir_build_end(builder, made);
}

/* SnapshotDataset(input_dataset: variant, path: string) -> handle: variant: elements are written to
 * files during the first pass, and read from there afterwards. */
typedef struct weir_snapshot_dataset_options {
    const char *compression; /* null: "" */
    const char *reader_path_prefix; /* null: "" */
    const char *writer_path_prefix; /* null: "" */
    int64_t shard_size_bytes; /* 0: 10737418240 */
    int64_t pending_snapshot_expiry_seconds; /* 0: 86400 */
    int64_t num_reader_threads; /* 0: 1 */
    int64_t reader_buffer_size; /* 0: 1 */
    int64_t num_writer_threads; /* 0: 1 */
    int64_t writer_buffer_size; /* 0: 1 */
    bool shuffle_on_read;
    int64_t seed;
    int64_t seed2;
    const char *mode; /* null: "auto" */
    const char *snapshot_name; /* null: "" */
} weir_snapshot_dataset_options;
static inline TF_Output weir_snapshot_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output path,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_snapshot_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SnapshotDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, path);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
        if (options->reader_path_prefix)
            weir_attr_string(made, "reader_path_prefix", options->reader_path_prefix);
        if (options->writer_path_prefix)
            weir_attr_string(made, "writer_path_prefix", options->writer_path_prefix);
        if (options->shard_size_bytes != 0)
            TF_SetAttrInt(made, "shard_size_bytes", weir_int_of(options->shard_size_bytes));
        if (options->pending_snapshot_expiry_seconds != 0)
            TF_SetAttrInt(made, "pending_snapshot_expiry_seconds",
                weir_int_of(options->pending_snapshot_expiry_seconds));
        if (options->num_reader_threads != 0)
            TF_SetAttrInt(made, "num_reader_threads", weir_int_of(options->num_reader_threads));
        if (options->reader_buffer_size != 0)
            TF_SetAttrInt(made, "reader_buffer_size", weir_int_of(options->reader_buffer_size));
        if (options->num_writer_threads != 0)
            TF_SetAttrInt(made, "num_writer_threads", weir_int_of(options->num_writer_threads));
        if (options->writer_buffer_size != 0)
            TF_SetAttrInt(made, "writer_buffer_size", weir_int_of(options->writer_buffer_size));
        TF_SetAttrBool(made, "shuffle_on_read", options->shuffle_on_read);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->mode)
            weir_attr_string(made, "mode", options->mode);
        if (options->snapshot_name)
            weir_attr_string(made, "snapshot_name", options->snapshot_name);
    }
    return weir_build_end(builder, made);
}

/* SnapshotDatasetReader(shard_dir: string, start_index: int64) -> handle: variant: the elements of
 * saved files; SnapshotNestedDatasetReader: such datasets as elements; ListSnapshotChunksDataset:
 * the files of a snapshot written by many tasks. */
typedef struct weir_snapshot_dataset_reader_options {
    const char *compression; /* null: "" */
} weir_snapshot_dataset_reader_options;
static inline TF_Output
weir_snapshot_dataset_reader(weir_builder *builder, const char *node, TF_Output shard_dir,
                             TF_Output start_index, const TF_DataType *output_types,
                             int output_types_count, const weir_dims *output_shapes,
                             int output_shapes_count, int64_t version,
                             const weir_snapshot_dataset_reader_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SnapshotDatasetReader", node);
    weir_build_input(builder, made, shard_dir);
    weir_build_input(builder, made, start_index);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
        TF_SetAttrInt(made, "version", version);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
    }
    return weir_build_end(builder, made);
}

/* SnapshotDatasetV2(input_dataset: variant, path: string, reader_func_other_args:
 * Treader_func_args, shard_func_other_args: Tshard_func_args) -> handle: variant: elements are
 * written to files during the first pass, and read from there afterwards. */
typedef struct weir_snapshot_dataset_v2_options {
    const char *compression; /* null: "" */
    const char *reader_prefix; /* null: "" */
    const char *writer_prefix; /* null: "" */
    bool hash_valid;
    int64_t hash;
    const char *metadata; /* null: "" */
} weir_snapshot_dataset_v2_options;
static inline TF_Output weir_snapshot_dataset_v2(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset, TF_Output path,
                                                 const TF_Output *reader_func_other_args,
                                                 int reader_func_other_args_count,
                                                 const TF_Output *shard_func_other_args,
                                                 int shard_func_other_args_count,
                                                 const TF_DataType *output_types,
                                                 int output_types_count,
                                                 const weir_dims *output_shapes,
                                                 int output_shapes_count, const char *reader_func,
                                                 const char *shard_func,
                                                 const weir_snapshot_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SnapshotDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, path);
    weir_build_input_list(builder, made, reader_func_other_args, reader_func_other_args_count);
    weir_build_input_list(builder, made, shard_func_other_args, shard_func_other_args_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
        weir_attr_func(made, "reader_func", reader_func);
        weir_attr_func(made, "shard_func", shard_func);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
        if (options->reader_prefix)
            weir_attr_string(made, "reader_prefix", options->reader_prefix);
        if (options->writer_prefix)
            weir_attr_string(made, "writer_prefix", options->writer_prefix);
        TF_SetAttrBool(made, "hash_valid", options->hash_valid);
        TF_SetAttrInt(made, "hash", options->hash);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* SnapshotNestedDatasetReader(inputs: N * variant) -> handle: variant. */
static inline TF_Output weir_snapshot_nested_dataset_reader(weir_builder *builder, const char *node,
                                                            const TF_Output *inputs,
                                                            int inputs_count,
                                                            const TF_DataType *output_types,
                                                            int output_types_count,
                                                            const weir_dims *output_shapes,
                                                            int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SnapshotNestedDatasetReader", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
