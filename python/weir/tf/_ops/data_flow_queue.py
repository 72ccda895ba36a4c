"""Ops: data, flow, queue. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Barrier': '|handle:&7|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'BarrierClose': 'handle:&7||cancel_pending_enqueues:b|0',
    'BarrierIncompleteSize': 'handle:&7|size:3||0',
    'BarrierInsertMany': 'handle:&7 keys:7 values:T||T:t component_index:i|0',
    'BarrierReadySize': 'handle:&7|size:3||0',
    'BarrierTakeMany': 'handle:&7 num_elements:3|indices:9 keys:7 values:*component_types|component_types:[t allow_small_batch:b wait_for_incomplete:b timeout_ms:i|0',
    'FIFOQueue': '|handle:&7|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'FIFOQueueV2': '|handle:20|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'FakeQueue': 'resource:20|handle:&7||1',
    'PaddingFIFOQueue': '|handle:&7|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'PaddingFIFOQueueV2': '|handle:20|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'PriorityQueue': '|handle:&7|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'PriorityQueueV2': '|handle:20|component_types:[t shapes:[S capacity:i container:s shared_name:s|1',
    'QueueClose': 'handle:&7||cancel_pending_enqueues:b|0',
    'QueueCloseV2': 'handle:20||cancel_pending_enqueues:b|1',
    'QueueDequeue': 'handle:&7|components:*component_types|component_types:[t timeout_ms:i|0',
    'QueueDequeueMany': 'handle:&7 n:3|components:*component_types|component_types:[t timeout_ms:i|0',
    'QueueDequeueManyV2': 'handle:20 n:3|components:*component_types|component_types:[t timeout_ms:i|1',
    'QueueDequeueUpTo': 'handle:&7 n:3|components:*component_types|component_types:[t timeout_ms:i|0',
    'QueueDequeueUpToV2': 'handle:20 n:3|components:*component_types|component_types:[t timeout_ms:i|1',
    'QueueDequeueV2': 'handle:20|components:*component_types|component_types:[t timeout_ms:i|1',
    'QueueEnqueue': 'handle:&7 components:*Tcomponents||Tcomponents:[t timeout_ms:i|0',
    'QueueEnqueueMany': 'handle:&7 components:*Tcomponents||Tcomponents:[t timeout_ms:i|0',
    'QueueEnqueueManyV2': 'handle:20 components:*Tcomponents||Tcomponents:[t timeout_ms:i|1',
    'QueueEnqueueV2': 'handle:20 components:*Tcomponents||Tcomponents:[t timeout_ms:i|1',
    'QueueIsClosed': 'handle:&7|is_closed:10||0',
    'QueueIsClosedV2': 'handle:20|is_closed:10||1',
    'QueueSize': 'handle:&7|size:3||0',
    'QueueSizeV2': 'handle:20|size:3||1',
    'RandomShuffleQueue': '|handle:&7|component_types:[t shapes:[S capacity:i min_after_dequeue:i seed:i seed2:i container:s shared_name:s|1',
    'RandomShuffleQueueV2': '|handle:20|component_types:[t shapes:[S capacity:i min_after_dequeue:i seed:i seed2:i container:s shared_name:s|1',
}


def barrier(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('Barrier', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def barrier_close(handle, cancel_pending_enqueues=False, name=None):
    return apply('BarrierClose', name, (handle,), {'cancel_pending_enqueues': cancel_pending_enqueues})


def barrier_incomplete_size(handle, name=None):
    return apply('BarrierIncompleteSize', name, (handle,), {}).outputs[0]


def barrier_insert_many(handle, keys, values, component_index, name=None):
    return apply('BarrierInsertMany', name, (handle, keys, values), {'component_index': component_index})


def barrier_ready_size(handle, name=None):
    return apply('BarrierReadySize', name, (handle,), {}).outputs[0]


def barrier_take_many(handle, num_elements, component_types, allow_small_batch=False, wait_for_incomplete=False, timeout_ms=-1, name=None):
    return results(apply('BarrierTakeMany', name, (handle, num_elements), {'component_types': component_types, 'allow_small_batch': allow_small_batch, 'wait_for_incomplete': wait_for_incomplete, 'timeout_ms': timeout_ms}))


def fifo_queue(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('FIFOQueue', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def fifo_queue_v2(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('FIFOQueueV2', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def fake_queue(resource, name=None):
    return apply('FakeQueue', name, (resource,), {}).outputs[0]


def padding_fifo_queue(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PaddingFIFOQueue', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def padding_fifo_queue_v2(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PaddingFIFOQueueV2', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def priority_queue(shapes, component_types=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PriorityQueue', name, (), {'shapes': shapes, 'component_types': component_types, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def priority_queue_v2(shapes, component_types=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PriorityQueueV2', name, (), {'shapes': shapes, 'component_types': component_types, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def queue_close(handle, cancel_pending_enqueues=False, name=None):
    return apply('QueueClose', name, (handle,), {'cancel_pending_enqueues': cancel_pending_enqueues})


def queue_close_v2(handle, cancel_pending_enqueues=False, name=None):
    return apply('QueueCloseV2', name, (handle,), {'cancel_pending_enqueues': cancel_pending_enqueues})


def queue_dequeue(handle, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeue', name, (handle,), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_many(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueMany', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_many_v2(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueManyV2', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_up_to(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueUpTo', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_up_to_v2(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueUpToV2', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_v2(handle, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueV2', name, (handle,), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_enqueue(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueue', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_enqueue_many(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueueMany', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_enqueue_many_v2(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueueManyV2', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_enqueue_v2(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueueV2', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_is_closed(handle, name=None):
    return apply('QueueIsClosed', name, (handle,), {}).outputs[0]


def queue_is_closed_v2(handle, name=None):
    return apply('QueueIsClosedV2', name, (handle,), {}).outputs[0]


def queue_size(handle, name=None):
    return apply('QueueSize', name, (handle,), {}).outputs[0]


def queue_size_v2(handle, name=None):
    return apply('QueueSizeV2', name, (handle,), {}).outputs[0]


def random_shuffle_queue(component_types, shapes=[], capacity=-1, min_after_dequeue=0, seed=0, seed2=0, container='', shared_name='', name=None):
    return apply('RandomShuffleQueue', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'min_after_dequeue': min_after_dequeue, 'seed': seed, 'seed2': seed2, 'container': container, 'shared_name': shared_name}).outputs[0]


def random_shuffle_queue_v2(component_types, shapes=[], capacity=-1, min_after_dequeue=0, seed=0, seed2=0, container='', shared_name='', name=None):
    return apply('RandomShuffleQueueV2', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'min_after_dequeue': min_after_dequeue, 'seed': seed, 'seed2': seed2, 'container': container, 'shared_name': shared_name}).outputs[0]
