/* weir/ops/lookup.h - tables.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_LOOKUP_OPS_H
#define WEIR_LOOKUP_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AnonymousHashTable() -> table_handle: resource: a table that is known only by its handle. */
static inline TF_Output weir_anonymous_hash_table(weir_builder *builder, const char *node,
                                                  TF_DataType key_dtype, TF_DataType value_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AnonymousHashTable", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    return weir_build_end(builder, made);
}

/* AnonymousMutableDenseHashTable(empty_key: key_dtype, deleted_key: key_dtype) -> table_handle:
 * resource: a mutable table in one tensor that is known only by its handle. */
typedef struct weir_anonymous_mutable_dense_hash_table_options {
    const weir_dims *value_shape; /* null: [] */
    int64_t initial_num_buckets; /* 0: 131072 */
    float max_load_factor; /* 0: 0.8 */
} weir_anonymous_mutable_dense_hash_table_options;
static inline TF_Output
weir_anonymous_mutable_dense_hash_table(weir_builder *builder, const char *node,
    TF_Output empty_key, TF_Output deleted_key, TF_DataType value_dtype,
    const weir_anonymous_mutable_dense_hash_table_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "AnonymousMutableDenseHashTable", node);
    weir_build_input(builder, made, empty_key);
    weir_build_input(builder, made, deleted_key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->value_shape)
            weir_attr_shape(made, "value_shape", options->value_shape);
        if (options->initial_num_buckets != 0)
            TF_SetAttrInt(made, "initial_num_buckets", weir_int_of(options->initial_num_buckets));
        if (options->max_load_factor != 0)
            TF_SetAttrFloat(made, "max_load_factor", weir_float_of(options->max_load_factor));
    }
    return weir_build_end(builder, made);
}

/* AnonymousMutableHashTable() -> table_handle: resource: a mutable table that is known only by its
 * handle. */
static inline TF_Output weir_anonymous_mutable_hash_table(weir_builder *builder, const char *node,
                                                          TF_DataType key_dtype,
                                                          TF_DataType value_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AnonymousMutableHashTable", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    return weir_build_end(builder, made);
}

/* AnonymousMutableHashTableOfTensors() -> table_handle: resource: the same, with vectors as values.
 * */
typedef struct weir_anonymous_mutable_hash_table_of_tensors_options {
    const weir_dims *value_shape; /* null: [] */
} weir_anonymous_mutable_hash_table_of_tensors_options;
static inline TF_Output
weir_anonymous_mutable_hash_table_of_tensors(weir_builder *builder, const char *node,
    TF_DataType key_dtype, TF_DataType value_dtype,
    const weir_anonymous_mutable_hash_table_of_tensors_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "AnonymousMutableHashTableOfTensors", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->value_shape)
            weir_attr_shape(made, "value_shape", options->value_shape);
    }
    return weir_build_end(builder, made);
}

/* HashTable() -> table_handle: Ref(string): an immutable table, initialised once. */
typedef struct weir_hash_table_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
} weir_hash_table_options;
static inline TF_Output weir_hash_table(weir_builder *builder, const char *node,
                                        TF_DataType key_dtype, TF_DataType value_dtype,
                                        const weir_hash_table_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "HashTable", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
    }
    return weir_build_end(builder, made);
}

/* HashTableV2() -> table_handle: resource: an immutable table, initialised once. */
typedef struct weir_hash_table_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
} weir_hash_table_v2_options;
static inline TF_Output weir_hash_table_v2(weir_builder *builder, const char *node,
                                           TF_DataType key_dtype, TF_DataType value_dtype,
                                           const weir_hash_table_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "HashTableV2", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
    }
    return weir_build_end(builder, made);
}

/* InitializeTable(table_handle: Ref(string), keys: Tkey, values: Tval): fills a table with keys and
 * values. */
static inline TF_Operation *weir_initialize_table(weir_builder *builder, const char *node,
                                                  TF_Output table_handle, TF_Output keys,
                                                  TF_Output values)
{
    const TF_Output inputs[] = {table_handle, keys, values};
    return weir_build_op(builder, "InitializeTable", node, inputs, 3).oper;
}

/* InitializeTableFromTextFile(table_handle: Ref(string), filename: string): a table from the lines
 * of a file. */
typedef struct weir_initialize_table_from_text_file_options {
    int64_t vocab_size; /* 0: -1 */
    const char *delimiter; /* null: "	" */
    int64_t offset;
} weir_initialize_table_from_text_file_options;
static inline TF_Operation *
weir_initialize_table_from_text_file(weir_builder *builder, const char *node,
                                     TF_Output table_handle, TF_Output filename, int64_t key_index,
                                     int64_t value_index,
                                     const weir_initialize_table_from_text_file_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "InitializeTableFromTextFile", node);
    weir_build_input(builder, made, table_handle);
    weir_build_input(builder, made, filename);
    if (made) {
        TF_SetAttrInt(made, "key_index", key_index);
        TF_SetAttrInt(made, "value_index", value_index);
    }
    if (made && options) {
        if (options->vocab_size != 0)
            TF_SetAttrInt(made, "vocab_size", weir_int_of(options->vocab_size));
        if (options->delimiter)
            weir_attr_string(made, "delimiter", options->delimiter);
        TF_SetAttrInt(made, "offset", options->offset);
    }
    return weir_build_end(builder, made).oper;
}

/* InitializeTableFromTextFileV2(table_handle: resource, filename: string): fills a table from the
 * lines of a file. */
typedef struct weir_initialize_table_from_text_file_v2_options {
    int64_t vocab_size; /* 0: -1 */
    const char *delimiter; /* null: "	" */
    int64_t offset;
} weir_initialize_table_from_text_file_v2_options;
static inline TF_Operation *
weir_initialize_table_from_text_file_v2(weir_builder *builder, const char *node,
    TF_Output table_handle, TF_Output filename, int64_t key_index, int64_t value_index,
    const weir_initialize_table_from_text_file_v2_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "InitializeTableFromTextFileV2", node);
    weir_build_input(builder, made, table_handle);
    weir_build_input(builder, made, filename);
    if (made) {
        TF_SetAttrInt(made, "key_index", key_index);
        TF_SetAttrInt(made, "value_index", value_index);
    }
    if (made && options) {
        if (options->vocab_size != 0)
            TF_SetAttrInt(made, "vocab_size", weir_int_of(options->vocab_size));
        if (options->delimiter)
            weir_attr_string(made, "delimiter", options->delimiter);
        TF_SetAttrInt(made, "offset", options->offset);
    }
    return weir_build_end(builder, made).oper;
}

/* InitializeTableV2(table_handle: resource, keys: Tkey, values: Tval): fills a table with keys and
 * values. */
static inline TF_Operation *weir_initialize_table_v2(weir_builder *builder, const char *node,
                                                     TF_Output table_handle, TF_Output keys,
                                                     TF_Output values)
{
    const TF_Output inputs[] = {table_handle, keys, values};
    return weir_build_op(builder, "InitializeTableV2", node, inputs, 3).oper;
}

/* LookupTableExport(table_handle: Ref(string)) -> keys: Tkeys, values: Tvalues: all keys and
 * values. */
typedef struct weir_lookup_table_export_outputs {
    TF_Output keys;
    TF_Output values;
} weir_lookup_table_export_outputs;
static inline weir_lookup_table_export_outputs weir_lookup_table_export(weir_builder *builder,
                                                                        const char *node,
                                                                        TF_Output table_handle,
                                                                        TF_DataType Tkeys,
                                                                        TF_DataType Tvalues)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LookupTableExport", node);
    weir_build_input(builder, made, table_handle);
    if (made) {
        TF_SetAttrType(made, "Tkeys", Tkeys);
        TF_SetAttrType(made, "Tvalues", Tvalues);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_lookup_table_export_outputs out;
    out.keys = weir_output(op, 0);
    out.values = weir_output(op, 1);
    return out;
}

/* LookupTableExportV2(table_handle: resource) -> keys: Tkeys, values: Tvalues: all keys and values.
 * */
typedef struct weir_lookup_table_export_v2_outputs {
    TF_Output keys;
    TF_Output values;
} weir_lookup_table_export_v2_outputs;
static inline weir_lookup_table_export_v2_outputs
weir_lookup_table_export_v2(weir_builder *builder, const char *node, TF_Output table_handle,
                            TF_DataType Tkeys, TF_DataType Tvalues)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LookupTableExportV2", node);
    weir_build_input(builder, made, table_handle);
    if (made) {
        TF_SetAttrType(made, "Tkeys", Tkeys);
        TF_SetAttrType(made, "Tvalues", Tvalues);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_lookup_table_export_v2_outputs out;
    out.keys = weir_output(op, 0);
    out.values = weir_output(op, 1);
    return out;
}

/* LookupTableFind(table_handle: Ref(string), keys: Tin, default_value: Tout) -> values: Tout: the
 * values of keys, or a default. */
static inline TF_Output weir_lookup_table_find(weir_builder *builder, const char *node,
                                               TF_Output table_handle, TF_Output keys,
                                               TF_Output default_value)
{
    const TF_Output inputs[] = {table_handle, keys, default_value};
    return weir_build_op(builder, "LookupTableFind", node, inputs, 3);
}

/* LookupTableFindV2(table_handle: resource, keys: Tin, default_value: Tout) -> values: Tout: the
 * values of keys, or a default. */
static inline TF_Output weir_lookup_table_find_v2(weir_builder *builder, const char *node,
                                                  TF_Output table_handle, TF_Output keys,
                                                  TF_Output default_value)
{
    const TF_Output inputs[] = {table_handle, keys, default_value};
    return weir_build_op(builder, "LookupTableFindV2", node, inputs, 3);
}

/* LookupTableImport(table_handle: Ref(string), keys: Tin, values: Tout): replaces everything in a
 * table. */
static inline TF_Operation *weir_lookup_table_import(weir_builder *builder, const char *node,
                                                     TF_Output table_handle, TF_Output keys,
                                                     TF_Output values)
{
    const TF_Output inputs[] = {table_handle, keys, values};
    return weir_build_op(builder, "LookupTableImport", node, inputs, 3).oper;
}

/* LookupTableImportV2(table_handle: resource, keys: Tin, values: Tout): replaces everything in a
 * table. */
static inline TF_Operation *weir_lookup_table_import_v2(weir_builder *builder, const char *node,
                                                        TF_Output table_handle, TF_Output keys,
                                                        TF_Output values)
{
    const TF_Output inputs[] = {table_handle, keys, values};
    return weir_build_op(builder, "LookupTableImportV2", node, inputs, 3).oper;
}

/* LookupTableInsert(table_handle: Ref(string), keys: Tin, values: Tout): sets values of keys. */
static inline TF_Operation *weir_lookup_table_insert(weir_builder *builder, const char *node,
                                                     TF_Output table_handle, TF_Output keys,
                                                     TF_Output values)
{
    const TF_Output inputs[] = {table_handle, keys, values};
    return weir_build_op(builder, "LookupTableInsert", node, inputs, 3).oper;
}

/* LookupTableInsertV2(table_handle: resource, keys: Tin, values: Tout): sets values of keys. */
static inline TF_Operation *weir_lookup_table_insert_v2(weir_builder *builder, const char *node,
                                                        TF_Output table_handle, TF_Output keys,
                                                        TF_Output values)
{
    const TF_Output inputs[] = {table_handle, keys, values};
    return weir_build_op(builder, "LookupTableInsertV2", node, inputs, 3).oper;
}

/* LookupTableRemoveV2(table_handle: resource, keys: Tin): removes keys. */
static inline TF_Operation *weir_lookup_table_remove_v2(weir_builder *builder, const char *node,
                                                        TF_Output table_handle, TF_Output keys)
{
    const TF_Output inputs[] = {table_handle, keys};
    return weir_build_op(builder, "LookupTableRemoveV2", node, inputs, 2).oper;
}

/* LookupTableSize(table_handle: Ref(string)) -> size: int64: how many keys there are. */
static inline TF_Output weir_lookup_table_size(weir_builder *builder, const char *node,
                                               TF_Output table_handle)
{
    const TF_Output inputs[] = {table_handle};
    return weir_build_op(builder, "LookupTableSize", node, inputs, 1);
}

/* LookupTableSizeV2(table_handle: resource) -> size: int64: how many keys there are. */
static inline TF_Output weir_lookup_table_size_v2(weir_builder *builder, const char *node,
                                                  TF_Output table_handle)
{
    const TF_Output inputs[] = {table_handle};
    return weir_build_op(builder, "LookupTableSizeV2", node, inputs, 1);
}

/* MutableDenseHashTable(empty_key: key_dtype) -> table_handle: Ref(string): a mutable table, stored
 * in one tensor. */
typedef struct weir_mutable_dense_hash_table_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
    const weir_dims *value_shape; /* null: [] */
    int64_t initial_num_buckets; /* 0: 131072 */
    float max_load_factor; /* 0: 0.8 */
} weir_mutable_dense_hash_table_options;
static inline TF_Output
weir_mutable_dense_hash_table(weir_builder *builder, const char *node, TF_Output empty_key,
                              TF_DataType value_dtype,
                              const weir_mutable_dense_hash_table_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutableDenseHashTable", node);
    weir_build_input(builder, made, empty_key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
        if (options->value_shape)
            weir_attr_shape(made, "value_shape", options->value_shape);
        if (options->initial_num_buckets != 0)
            TF_SetAttrInt(made, "initial_num_buckets", weir_int_of(options->initial_num_buckets));
        if (options->max_load_factor != 0)
            TF_SetAttrFloat(made, "max_load_factor", weir_float_of(options->max_load_factor));
    }
    return weir_build_end(builder, made);
}

/* MutableDenseHashTableV2(empty_key: key_dtype, deleted_key: key_dtype) -> table_handle: resource:
 * a mutable table, stored in one tensor. */
typedef struct weir_mutable_dense_hash_table_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
    const weir_dims *value_shape; /* null: [] */
    int64_t initial_num_buckets; /* 0: 131072 */
    float max_load_factor; /* 0: 0.8 */
} weir_mutable_dense_hash_table_v2_options;
static inline TF_Output
weir_mutable_dense_hash_table_v2(weir_builder *builder, const char *node, TF_Output empty_key,
                                 TF_Output deleted_key, TF_DataType value_dtype,
                                 const weir_mutable_dense_hash_table_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutableDenseHashTableV2", node);
    weir_build_input(builder, made, empty_key);
    weir_build_input(builder, made, deleted_key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
        if (options->value_shape)
            weir_attr_shape(made, "value_shape", options->value_shape);
        if (options->initial_num_buckets != 0)
            TF_SetAttrInt(made, "initial_num_buckets", weir_int_of(options->initial_num_buckets));
        if (options->max_load_factor != 0)
            TF_SetAttrFloat(made, "max_load_factor", weir_float_of(options->max_load_factor));
    }
    return weir_build_end(builder, made);
}

/* MutableHashTable() -> table_handle: Ref(string): a mutable table. */
typedef struct weir_mutable_hash_table_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
} weir_mutable_hash_table_options;
static inline TF_Output weir_mutable_hash_table(weir_builder *builder, const char *node,
                                                TF_DataType key_dtype, TF_DataType value_dtype,
                                                const weir_mutable_hash_table_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutableHashTable", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
    }
    return weir_build_end(builder, made);
}

/* MutableHashTableOfTensors() -> table_handle: Ref(string): a mutable table with vectors as values.
 * */
typedef struct weir_mutable_hash_table_of_tensors_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
    const weir_dims *value_shape; /* null: [] */
} weir_mutable_hash_table_of_tensors_options;
static inline TF_Output
weir_mutable_hash_table_of_tensors(weir_builder *builder, const char *node, TF_DataType key_dtype,
                                   TF_DataType value_dtype,
                                   const weir_mutable_hash_table_of_tensors_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutableHashTableOfTensors", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
        if (options->value_shape)
            weir_attr_shape(made, "value_shape", options->value_shape);
    }
    return weir_build_end(builder, made);
}

/* MutableHashTableOfTensorsV2() -> table_handle: resource: a mutable table with vectors as values.
 * */
typedef struct weir_mutable_hash_table_of_tensors_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
    const weir_dims *value_shape; /* null: [] */
} weir_mutable_hash_table_of_tensors_v2_options;
static inline TF_Output
weir_mutable_hash_table_of_tensors_v2(weir_builder *builder, const char *node,
                                      TF_DataType key_dtype, TF_DataType value_dtype,
                                      const weir_mutable_hash_table_of_tensors_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutableHashTableOfTensorsV2", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
        if (options->value_shape)
            weir_attr_shape(made, "value_shape", options->value_shape);
    }
    return weir_build_end(builder, made);
}

/* MutableHashTableV2() -> table_handle: resource: a mutable table. */
typedef struct weir_mutable_hash_table_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    bool use_node_name_sharing;
} weir_mutable_hash_table_v2_options;
static inline TF_Output
weir_mutable_hash_table_v2(weir_builder *builder, const char *node, TF_DataType key_dtype,
                           TF_DataType value_dtype,
                           const weir_mutable_hash_table_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MutableHashTableV2", node);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        TF_SetAttrBool(made, "use_node_name_sharing", options->use_node_name_sharing);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
