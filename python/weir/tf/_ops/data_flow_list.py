"""Ops: data, flow, list. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'CompositeTensorVariantFromComponents': 'components:*Tcomponents|encoded:21|metadata:s Tcomponents:[t|0',
    'CompositeTensorVariantToComponents': 'encoded:21|components:*Tcomponents|metadata:s Tcomponents:[t|0',
    'EmptyTensorList': 'element_shape:shape_type max_num_elements:3|handle:21|element_dtype:t shape_type:t|0',
    'EmptyTensorMap': '|handle:21||0',
    'TensorListConcat': 'input_handle:21|tensor:element_dtype lengths:9|element_dtype:t element_shape:S|0',
    'TensorListConcatLists': 'input_a:21 input_b:21|output:21|element_dtype:t|0',
    'TensorListConcatV2': 'input_handle:21 element_shape:shape_type leading_dims:9|tensor:element_dtype lengths:9|element_dtype:t shape_type:t|0',
    'TensorListElementShape': 'input_handle:21|element_shape:shape_type|shape_type:t|0',
    'TensorListFromTensor': 'tensor:element_dtype element_shape:shape_type|output_handle:21|element_dtype:t shape_type:t|0',
    'TensorListGather': 'input_handle:21 indices:3 element_shape:3|values:element_dtype|element_dtype:t|0',
    'TensorListGetItem': 'input_handle:21 index:3 element_shape:Tshape|item:element_dtype|element_dtype:t Tshape:t=3|0',
    'TensorListLength': 'input_handle:21|length:3||0',
    'TensorListPopBack': 'input_handle:21 element_shape:3|output_handle:21 tensor:element_dtype|element_dtype:t|0',
    'TensorListPushBack': 'input_handle:21 tensor:element_dtype|output_handle:21|element_dtype:t|0',
    'TensorListPushBackBatch': 'input_handles:21 tensor:element_dtype|output_handles:21|element_dtype:t|0',
    'TensorListReserve': 'element_shape:shape_type num_elements:3|handle:21|element_dtype:t shape_type:t|0',
    'TensorListResize': 'input_handle:21 size:3|output_handle:21||0',
    'TensorListScatter': 'tensor:element_dtype indices:3 element_shape:shape_type|output_handle:21|element_dtype:t shape_type:t|0',
    'TensorListScatterIntoExistingList': 'input_handle:21 tensor:element_dtype indices:3|output_handle:21|element_dtype:t|0',
    'TensorListScatterV2': 'tensor:element_dtype indices:3 element_shape:shape_type num_elements:3|output_handle:21|element_dtype:t shape_type:t|0',
    'TensorListSetItem': 'input_handle:21 index:3 item:element_dtype|output_handle:21|element_dtype:t resize_if_index_out_of_bounds:b|0',
    'TensorListSplit': 'tensor:element_dtype element_shape:shape_type lengths:9|output_handle:21|element_dtype:t shape_type:t|0',
    'TensorListStack': 'input_handle:21 element_shape:3|tensor:element_dtype|element_dtype:t num_elements:i|0',
    'TensorMapErase': 'input_handle:21 key:key_dtype|output_handle:21|key_dtype:t value_dtype:t|0',
    'TensorMapHasKey': 'input_handle:21 key:key_dtype|has_key:10|key_dtype:t|0',
    'TensorMapInsert': 'input_handle:21 key:key_dtype value:value_dtype|output_handle:21|key_dtype:t value_dtype:t|0',
    'TensorMapLookup': 'input_handle:21 key:key_dtype|value:value_dtype|key_dtype:t value_dtype:t|0',
    'TensorMapSize': 'input_handle:21|size:3||0',
    'TensorMapStackKeys': 'input_handle:21|keys:key_dtype|key_dtype:t|0',
}


def composite_tensor_variant_from_components(components, metadata, name=None):
    return apply('CompositeTensorVariantFromComponents', name, (components,), {'metadata': metadata}).outputs[0]


def composite_tensor_variant_to_components(encoded, metadata, Tcomponents, name=None):
    return apply('CompositeTensorVariantToComponents', name, (encoded,), {'metadata': metadata, 'Tcomponents': Tcomponents}).outputs


def empty_tensor_list(element_shape, max_num_elements, element_dtype, name=None):
    return apply('EmptyTensorList', name, (element_shape, max_num_elements), {'element_dtype': element_dtype}).outputs[0]


def empty_tensor_map(name=None):
    return apply('EmptyTensorMap', name, (), {}).outputs[0]


def tensor_list_concat(input_handle, element_dtype, element_shape=None, name=None):
    return results(apply('TensorListConcat', name, (input_handle,), {'element_dtype': element_dtype, 'element_shape': element_shape}))


def tensor_list_concat_lists(input_a, input_b, element_dtype, name=None):
    return apply('TensorListConcatLists', name, (input_a, input_b), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_concat_v2(input_handle, element_shape, leading_dims, element_dtype, name=None):
    return results(apply('TensorListConcatV2', name, (input_handle, element_shape, leading_dims), {'element_dtype': element_dtype}))


def tensor_list_element_shape(input_handle, shape_type, name=None):
    return apply('TensorListElementShape', name, (input_handle,), {'shape_type': shape_type}).outputs[0]


def tensor_list_from_tensor(tensor, element_shape, name=None):
    return apply('TensorListFromTensor', name, (tensor, element_shape), {}).outputs[0]


def tensor_list_gather(input_handle, indices, element_shape, element_dtype, name=None):
    return apply('TensorListGather', name, (input_handle, indices, element_shape), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_get_item(input_handle, index, element_shape, element_dtype, name=None):
    return apply('TensorListGetItem', name, (input_handle, index, element_shape), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_length(input_handle, name=None):
    return apply('TensorListLength', name, (input_handle,), {}).outputs[0]


def tensor_list_pop_back(input_handle, element_shape, element_dtype, name=None):
    return results(apply('TensorListPopBack', name, (input_handle, element_shape), {'element_dtype': element_dtype}))


def tensor_list_push_back(input_handle, tensor, name=None):
    return apply('TensorListPushBack', name, (input_handle, tensor), {}).outputs[0]


def tensor_list_push_back_batch(input_handles, tensor, name=None):
    return apply('TensorListPushBackBatch', name, (input_handles, tensor), {}).outputs[0]


def tensor_list_reserve(element_shape, num_elements, element_dtype, name=None):
    return apply('TensorListReserve', name, (element_shape, num_elements), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_resize(input_handle, size, name=None):
    return apply('TensorListResize', name, (input_handle, size), {}).outputs[0]


def tensor_list_scatter(tensor, indices, element_shape, name=None):
    return apply('TensorListScatter', name, (tensor, indices, element_shape), {}).outputs[0]


def tensor_list_scatter_into_existing_list(input_handle, tensor, indices, name=None):
    return apply('TensorListScatterIntoExistingList', name, (input_handle, tensor, indices), {}).outputs[0]


def tensor_list_scatter_v2(tensor, indices, element_shape, num_elements, name=None):
    return apply('TensorListScatterV2', name, (tensor, indices, element_shape, num_elements), {}).outputs[0]


def tensor_list_set_item(input_handle, index, item, resize_if_index_out_of_bounds=False, name=None):
    return apply('TensorListSetItem', name, (input_handle, index, item), {'resize_if_index_out_of_bounds': resize_if_index_out_of_bounds}).outputs[0]


def tensor_list_split(tensor, element_shape, lengths, name=None):
    return apply('TensorListSplit', name, (tensor, element_shape, lengths), {}).outputs[0]


def tensor_list_stack(input_handle, element_shape, element_dtype, num_elements=-1, name=None):
    return apply('TensorListStack', name, (input_handle, element_shape), {'element_dtype': element_dtype, 'num_elements': num_elements}).outputs[0]


def tensor_map_erase(input_handle, key, value_dtype, name=None):
    return apply('TensorMapErase', name, (input_handle, key), {'value_dtype': value_dtype}).outputs[0]


def tensor_map_has_key(input_handle, key, name=None):
    return apply('TensorMapHasKey', name, (input_handle, key), {}).outputs[0]


def tensor_map_insert(input_handle, key, value, name=None):
    return apply('TensorMapInsert', name, (input_handle, key, value), {}).outputs[0]


def tensor_map_lookup(input_handle, key, value_dtype, name=None):
    return apply('TensorMapLookup', name, (input_handle, key), {'value_dtype': value_dtype}).outputs[0]


def tensor_map_size(input_handle, name=None):
    return apply('TensorMapSize', name, (input_handle,), {}).outputs[0]


def tensor_map_stack_keys(input_handle, key_dtype, name=None):
    return apply('TensorMapStackKeys', name, (input_handle,), {'key_dtype': key_dtype}).outputs[0]
