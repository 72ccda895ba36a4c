/* state/queue_items.c - a queue's storage, and batches of tuples. */
#include "state/queue_impl.h"

#include "base/room.h"

/* With its slot in the list. */
static size_t item_bytes(const weir_queue *queue)
{
    return sizeof(weir_queue_item) + sizeof(weir_tensor) * (size_t)queue->count +
           2 * sizeof(weir_queue_item *);
}

weir_status weir_queue_item_create(const weir_queue *queue, weir_queue_item **out)
{
    size_t held = 0;
    WEIR_TRY(weir_room_hold(&held, item_bytes(queue), "an element of a queue"));
    *out = weir_zalloc(sizeof(weir_queue_item) + sizeof(weir_tensor) * (size_t)queue->count);
    return WEIR_OK;
}

void weir_queue_item_destroy(const weir_queue *queue, weir_queue_item *item)
{
    if (!item)
        return;
    for (int k = 0; k < queue->count; k++)
        weir_tensor_release(&item->tuple[k]);
    weir_free(item);
    weir_room_give(item_bytes(queue));
}

static weir_queue_item **slot(const weir_queue *queue, size_t i)
{
    return &queue->items[(queue->head + i) % queue->room];
}

static void make_room(weir_queue *queue)
{
    if (queue->item_count < queue->room)
        return;
    size_t room = queue->room ? queue->room * 2 : 16;
    weir_queue_item **items = weir_alloc(room * sizeof *items);
    for (size_t i = 0; i < queue->item_count; i++)
        items[i] = *slot(queue, i);
    weir_free(queue->items);
    queue->items = items;
    queue->room = room;
    queue->head = 0;
}

/* ---- a heap: least priority at 0 ------------------------------------------------------------- */

static bool before(const weir_queue_item *a, const weir_queue_item *b)
{
    return a->priority != b->priority ? a->priority < b->priority : a->order < b->order;
}

static void swap(weir_queue_item **a, weir_queue_item **b)
{
    weir_queue_item *item = *a;
    *a = *b;
    *b = item;
}

static void sift_up(weir_queue *queue, size_t i)
{
    for (; i > 0 && before(queue->items[i], queue->items[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&queue->items[i], &queue->items[(i - 1) / 2]);
}

static void sift_down(weir_queue *queue, size_t i)
{
    for (;;) {
        size_t least = i, child = 2 * i + 1;
        for (size_t c = child; c < child + 2 && c < queue->item_count; c++)
            if (before(queue->items[c], queue->items[least]))
                least = c;
        if (least == i)
            return;
        swap(&queue->items[i], &queue->items[least]);
        i = least;
    }
}

/* ---- any kind -------------------------------------------------------------------------------- */

void weir_queue_push(weir_queue *queue, weir_queue_item *item)
{
    make_room(queue);
    *slot(queue, queue->item_count++) = item;
    if (queue->kind != WEIR_QUEUE_PRIORITY)
        return;
    item->priority = *(const int64_t *)item->tuple[0].data;
    item->order = queue->next_order++;
    sift_up(queue, queue->item_count - 1);
}

void weir_queue_push_front(weir_queue *queue, weir_queue_item *item)
{
    make_room(queue);
    if (queue->kind == WEIR_QUEUE_PRIORITY) { /* keeps its order */
        queue->items[queue->item_count++] = item;
        sift_up(queue, queue->item_count - 1);
        return;
    }
    queue->head = (queue->head + queue->room - 1) % queue->room;
    queue->item_count++;
    *slot(queue, 0) = item;
}

weir_queue_item *weir_queue_pop(weir_queue *queue)
{
    weir_queue_item *item;
    switch (queue->kind) {
    case WEIR_QUEUE_RANDOM: {
        weir_queue_item **at = slot(queue, queue->random(queue->random_arg) % queue->item_count);
        item = *at;
        *at = *slot(queue, --queue->item_count);
        return item;
    }
    case WEIR_QUEUE_PRIORITY:
        item = queue->items[0];
        queue->items[0] = queue->items[--queue->item_count];
        sift_down(queue, 0);
        return item;
    default:
        item = *slot(queue, 0);
        queue->head = (queue->head + 1) % queue->room;
        queue->item_count--;
        return item;
    }
}

/* ---- batches --------------------------------------------------------------------------------- */

/* A shape that fits component |k| of every item: the declared one, with unknown dims set to the
 * maximum. */
static weir_shape widest(const weir_queue *queue, weir_queue_item *const *items, int64_t count,
                         int k)
{
    weir_shape shape = queue->shapes[k];
    for (int axis = 0; axis < shape.rank; axis++) {
        if (shape.dims[axis] >= 0)
            continue;
        shape.dims[axis] = 0;
        for (int64_t i = 0; i < count; i++)
            if (items[i]->tuple[k].shape.dims[axis] > shape.dims[axis])
                shape.dims[axis] = items[i]->tuple[k].shape.dims[axis];
    }
    return shape;
}

/* Copies |from| into the corner of |to|, an area of shape |room|, dimension by dimension. */
static void copy_corner(weir_dtype dtype, char *to, const weir_shape *room, const char *from,
                        const weir_shape *shape, int axis)
{
    size_t size = weir_dtype_size(dtype);
    if (axis >= shape->rank - 1) {
        weir_elements_copy(dtype, to, from, shape->rank ? shape->dims[axis] : 1);
        return;
    }
    size_t to_step = (size_t)weir_shape_product(room, axis + 1, room->rank) * size;
    size_t from_step = (size_t)weir_shape_product(shape, axis + 1, shape->rank) * size;
    for (int64_t i = 0; i < shape->dims[axis]; i++)
        copy_corner(dtype, to + (size_t)i * to_step, room, from + (size_t)i * from_step, shape,
                    axis + 1);
}

static weir_status stack_component(const weir_queue *queue, weir_queue_item *const *items,
                                   int64_t count, int k, weir_tensor *out)
{
    weir_shape each = widest(queue, items, count, k), lead = weir_shape_vector(count), shape;
    WEIR_TRY(weir_infer_concat(&lead, &each, &shape));
    WEIR_TRY(weir_tensor_alloc(queue->dtypes[k], &shape, out));
    int64_t run = weir_shape_product(&each, 0, each.rank);
    if (!weir_shape_eq(&each, &queue->shapes[k]))
        weir_elements_zero(out->dtype, out->data, run * count);
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *tensor = &items[i]->tuple[k];
        char *to = (char *)out->data + (size_t)(i * run) * weir_dtype_size(out->dtype);
        if (weir_shape_eq(&tensor->shape, &each))
            weir_elements_copy(out->dtype, to, tensor->data, run);
        else
            copy_corner(out->dtype, to, &each, tensor->data, &tensor->shape, 0);
    }
    return WEIR_OK;
}

weir_status weir_queue_stack(const weir_queue *queue, weir_queue_item *const *items, int64_t count,
                             weir_tensor *out_tuple)
{
    for (int k = 0; k < queue->count; k++) {
        weir_status status = stack_component(queue, items, count, k, &out_tuple[k]);
        if (!status)
            continue;
        while (k-- > 0)
            weir_tensor_release(&out_tuple[k]);
        return status;
    }
    return WEIR_OK;
}
