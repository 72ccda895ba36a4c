/* weir/ops/data_flow/list.h - lists and maps of tensors as values.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_FLOW_LIST_OPS_H
#define WEIR_DATA_FLOW_LIST_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CompositeTensorVariantFromComponents(components: Tcomponents) -> encoded: variant: packs the
 * tensors of a client's composite (for example a sparse or ragged tensor) into one variant. */
static inline TF_Output weir_composite_tensor_variant_from_components(weir_builder *builder,
                                                                      const char *node,
                                                                      const TF_Output *components,
                                                                      int components_count,
                                                                      const char *metadata)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "CompositeTensorVariantFromComponents", node);
    weir_build_input_list(builder, made, components, components_count);
    if (made) {
        weir_attr_string(made, "metadata", metadata);
    }
    return weir_build_end(builder, made);
}

/* CompositeTensorVariantToComponents(encoded: variant) -> components: Tcomponents: the tensors
 * inside a variant. */
static inline weir_outputs
weir_composite_tensor_variant_to_components(weir_builder *builder, const char *node,
                                            TF_Output encoded, const char *metadata,
                                            const TF_DataType *Tcomponents, int Tcomponents_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "CompositeTensorVariantToComponents", node);
    weir_build_input(builder, made, encoded);
    if (made) {
        weir_attr_string(made, "metadata", metadata);
        TF_SetAttrTypeList(made, "Tcomponents", Tcomponents, Tcomponents_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* EmptyTensorList(element_shape: shape_type, max_num_elements: int32) -> handle: variant: a list
 * without elements. shape_type: int32, int64. */
static inline TF_Output weir_empty_tensor_list(weir_builder *builder, const char *node,
                                               TF_Output element_shape, TF_Output max_num_elements,
                                               TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EmptyTensorList", node);
    weir_build_input(builder, made, element_shape);
    weir_build_input(builder, made, max_num_elements);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* EmptyTensorMap() -> handle: variant: a map from tensors to tensors, as a value. */
static inline TF_Output weir_empty_tensor_map(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "EmptyTensorMap", node, NULL, 0);
}

/* TensorListConcat(input_handle: variant) -> tensor: element_dtype, lengths: int64: all elements
 * concatenated, and their lengths. */
typedef struct weir_tensor_list_concat_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_list_concat_options;
typedef struct weir_tensor_list_concat_outputs {
    TF_Output tensor;
    TF_Output lengths;
} weir_tensor_list_concat_outputs;
static inline weir_tensor_list_concat_outputs
weir_tensor_list_concat(weir_builder *builder, const char *node, TF_Output input_handle,
                        TF_DataType element_dtype, const weir_tensor_list_concat_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListConcat", node);
    weir_build_input(builder, made, input_handle);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_list_concat_outputs out;
    out.tensor = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorListConcatLists(input_a: variant, input_b: variant) -> output: variant: two lists
 * concatenated. */
static inline TF_Output weir_tensor_list_concat_lists(weir_builder *builder, const char *node,
                                                      TF_Output input_a, TF_Output input_b,
                                                      TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListConcatLists", node);
    weir_build_input(builder, made, input_a);
    weir_build_input(builder, made, input_b);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListConcatV2(input_handle: variant, element_shape: shape_type, leading_dims: int64) ->
 * tensor: element_dtype, lengths: int64: all elements concatenated, and their lengths. shape_type:
 * int32, int64. */
typedef struct weir_tensor_list_concat_v2_outputs {
    TF_Output tensor;
    TF_Output lengths;
} weir_tensor_list_concat_v2_outputs;
static inline weir_tensor_list_concat_v2_outputs
weir_tensor_list_concat_v2(weir_builder *builder, const char *node, TF_Output input_handle,
                           TF_Output element_shape, TF_Output leading_dims,
                           TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListConcatV2", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, element_shape);
    weir_build_input(builder, made, leading_dims);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_list_concat_v2_outputs out;
    out.tensor = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorListElementShape(input_handle: variant) -> element_shape: shape_type: the shape that
 * elements have. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_element_shape(weir_builder *builder, const char *node,
                                                       TF_Output input_handle,
                                                       TF_DataType shape_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListElementShape", node);
    weir_build_input(builder, made, input_handle);
    if (made) {
        TF_SetAttrType(made, "shape_type", shape_type);
    }
    return weir_build_end(builder, made);
}

/* TensorListFromTensor(tensor: element_dtype, element_shape: shape_type) -> output_handle: variant:
 * the rows of a tensor as a list. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_from_tensor(weir_builder *builder, const char *node,
                                                     TF_Output tensor, TF_Output element_shape)
{
    const TF_Output inputs[] = {tensor, element_shape};
    return weir_build_op(builder, "TensorListFromTensor", node, inputs, 2);
}

/* TensorListGather(input_handle: variant, indices: int32, element_shape: int32) -> values:
 * element_dtype: some elements as one tensor. */
static inline TF_Output weir_tensor_list_gather(weir_builder *builder, const char *node,
                                                TF_Output input_handle, TF_Output indices,
                                                TF_Output element_shape, TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListGather", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListGetItem(input_handle: variant, index: int32, element_shape: Tshape) -> item:
 * element_dtype: an element. Tshape: int32, int64. */
static inline TF_Output weir_tensor_list_get_item(weir_builder *builder, const char *node,
                                                  TF_Output input_handle, TF_Output index,
                                                  TF_Output element_shape,
                                                  TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListGetItem", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListLength(input_handle: variant) -> length: int32: how many elements there are. */
static inline TF_Output weir_tensor_list_length(weir_builder *builder, const char *node,
                                                TF_Output input_handle)
{
    const TF_Output inputs[] = {input_handle};
    return weir_build_op(builder, "TensorListLength", node, inputs, 1);
}

/* TensorListPopBack(input_handle: variant, element_shape: int32) -> output_handle: variant, tensor:
 * element_dtype: the list without its last element, and that element. */
typedef struct weir_tensor_list_pop_back_outputs {
    TF_Output output_handle;
    TF_Output tensor;
} weir_tensor_list_pop_back_outputs;
static inline weir_tensor_list_pop_back_outputs weir_tensor_list_pop_back(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output input_handle,
                                                                          TF_Output element_shape,
                                                                          TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListPopBack", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_list_pop_back_outputs out;
    out.output_handle = weir_output(op, 0);
    out.tensor = weir_output(op, 1);
    return out;
}

/* TensorListPushBack(input_handle: variant, tensor: element_dtype) -> output_handle: variant: the
 * list with one more element. */
static inline TF_Output weir_tensor_list_push_back(weir_builder *builder, const char *node,
                                                   TF_Output input_handle, TF_Output tensor)
{
    const TF_Output inputs[] = {input_handle, tensor};
    return weir_build_op(builder, "TensorListPushBack", node, inputs, 2);
}

/* TensorListPushBackBatch(input_handles: variant, tensor: element_dtype) -> output_handles:
 * variant: lists, each with one more element. */
static inline TF_Output weir_tensor_list_push_back_batch(weir_builder *builder, const char *node,
                                                         TF_Output input_handles, TF_Output tensor)
{
    const TF_Output inputs[] = {input_handles, tensor};
    return weir_build_op(builder, "TensorListPushBackBatch", node, inputs, 2);
}

/* TensorListReserve(element_shape: shape_type, num_elements: int32) -> handle: variant: a list of
 * elements that are still to be set. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_reserve(weir_builder *builder, const char *node,
                                                 TF_Output element_shape, TF_Output num_elements,
                                                 TF_DataType element_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListReserve", node);
    weir_build_input(builder, made, element_shape);
    weir_build_input(builder, made, num_elements);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorListResize(input_handle: variant, size: int32) -> output_handle: variant: the list, longer
 * or shorter. */
static inline TF_Output weir_tensor_list_resize(weir_builder *builder, const char *node,
                                                TF_Output input_handle, TF_Output size)
{
    const TF_Output inputs[] = {input_handle, size};
    return weir_build_op(builder, "TensorListResize", node, inputs, 2);
}

/* TensorListScatter(tensor: element_dtype, indices: int32, element_shape: shape_type) ->
 * output_handle: variant: a list with rows at given indices. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_scatter(weir_builder *builder, const char *node,
                                                 TF_Output tensor, TF_Output indices,
                                                 TF_Output element_shape)
{
    const TF_Output inputs[] = {tensor, indices, element_shape};
    return weir_build_op(builder, "TensorListScatter", node, inputs, 3);
}

/* TensorListScatterIntoExistingList(input_handle: variant, tensor: element_dtype, indices: int32)
 * -> output_handle: variant: the list with rows set at given indices. */
static inline TF_Output weir_tensor_list_scatter_into_existing_list(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output input_handle,
                                                                    TF_Output tensor,
                                                                    TF_Output indices)
{
    const TF_Output inputs[] = {input_handle, tensor, indices};
    return weir_build_op(builder, "TensorListScatterIntoExistingList", node, inputs, 3);
}

/* TensorListScatterV2(tensor: element_dtype, indices: int32, element_shape: shape_type,
 * num_elements: int32) -> output_handle: variant: a list with rows at given indices. shape_type:
 * int32, int64. */
static inline TF_Output weir_tensor_list_scatter_v2(weir_builder *builder, const char *node,
                                                    TF_Output tensor, TF_Output indices,
                                                    TF_Output element_shape, TF_Output num_elements)
{
    const TF_Output inputs[] = {tensor, indices, element_shape, num_elements};
    return weir_build_op(builder, "TensorListScatterV2", node, inputs, 4);
}

/* TensorListSetItem(input_handle: variant, index: int32, item: element_dtype) -> output_handle:
 * variant: the list with another element. */
typedef struct weir_tensor_list_set_item_options {
    bool resize_if_index_out_of_bounds;
} weir_tensor_list_set_item_options;
static inline TF_Output weir_tensor_list_set_item(weir_builder *builder, const char *node,
                                                  TF_Output input_handle, TF_Output index,
                                                  TF_Output item,
                                                  const weir_tensor_list_set_item_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListSetItem", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, item);
    if (made && options) {
        TF_SetAttrBool(made, "resize_if_index_out_of_bounds", options->resize_if_index_out_of_bounds);
    }
    return weir_build_end(builder, made);
}

/* TensorListSplit(tensor: element_dtype, element_shape: shape_type, lengths: int64) ->
 * output_handle: variant: parts of a tensor as a list. shape_type: int32, int64. */
static inline TF_Output weir_tensor_list_split(weir_builder *builder, const char *node,
                                               TF_Output tensor, TF_Output element_shape,
                                               TF_Output lengths)
{
    const TF_Output inputs[] = {tensor, element_shape, lengths};
    return weir_build_op(builder, "TensorListSplit", node, inputs, 3);
}

/* TensorListStack(input_handle: variant, element_shape: int32) -> tensor: element_dtype: all
 * elements as one tensor. */
typedef struct weir_tensor_list_stack_options {
    int64_t num_elements; /* 0: -1 */
} weir_tensor_list_stack_options;
static inline TF_Output weir_tensor_list_stack(weir_builder *builder, const char *node,
                                               TF_Output input_handle, TF_Output element_shape,
                                               TF_DataType element_dtype,
                                               const weir_tensor_list_stack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorListStack", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, element_shape);
    if (made) {
        TF_SetAttrType(made, "element_dtype", element_dtype);
    }
    if (made && options) {
        if (options->num_elements != 0)
            TF_SetAttrInt(made, "num_elements", weir_int_of(options->num_elements));
    }
    return weir_build_end(builder, made);
}

/* TensorMapErase(input_handle: variant, key: key_dtype) -> output_handle: variant: the map without
 * a key. */
static inline TF_Output weir_tensor_map_erase(weir_builder *builder, const char *node,
                                              TF_Output input_handle, TF_Output key,
                                              TF_DataType value_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorMapErase", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorMapHasKey(input_handle: variant, key: key_dtype) -> has_key: bool: whether the map has a
 * key. */
static inline TF_Output weir_tensor_map_has_key(weir_builder *builder, const char *node,
                                                TF_Output input_handle, TF_Output key)
{
    const TF_Output inputs[] = {input_handle, key};
    return weir_build_op(builder, "TensorMapHasKey", node, inputs, 2);
}

/* TensorMapInsert(input_handle: variant, key: key_dtype, value: value_dtype) -> output_handle:
 * variant: the map with a key set. */
static inline TF_Output weir_tensor_map_insert(weir_builder *builder, const char *node,
                                               TF_Output input_handle, TF_Output key,
                                               TF_Output value)
{
    const TF_Output inputs[] = {input_handle, key, value};
    return weir_build_op(builder, "TensorMapInsert", node, inputs, 3);
}

/* TensorMapLookup(input_handle: variant, key: key_dtype) -> value: value_dtype: the value of a key.
 * */
static inline TF_Output weir_tensor_map_lookup(weir_builder *builder, const char *node,
                                               TF_Output input_handle, TF_Output key,
                                               TF_DataType value_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorMapLookup", node);
    weir_build_input(builder, made, input_handle);
    weir_build_input(builder, made, key);
    if (made) {
        TF_SetAttrType(made, "value_dtype", value_dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorMapSize(input_handle: variant) -> size: int32: how many keys there are. */
static inline TF_Output weir_tensor_map_size(weir_builder *builder, const char *node,
                                             TF_Output input_handle)
{
    const TF_Output inputs[] = {input_handle};
    return weir_build_op(builder, "TensorMapSize", node, inputs, 1);
}

/* TensorMapStackKeys(input_handle: variant) -> keys: key_dtype: all keys as one tensor. */
static inline TF_Output weir_tensor_map_stack_keys(weir_builder *builder, const char *node,
                                                   TF_Output input_handle, TF_DataType key_dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorMapStackKeys", node);
    weir_build_input(builder, made, input_handle);
    if (made) {
        TF_SetAttrType(made, "key_dtype", key_dtype);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
