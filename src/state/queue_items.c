/* state/queue_items.c - where tuples lie in a queue, and how they become batches. */
#include "state/queue_impl.h"

weir_queue_item *weir_queue_item_create(const weir_queue *q)
{
    return weir_zalloc(sizeof(weir_queue_item) + sizeof(weir_tensor) * (size_t)q->count);
}

void weir_queue_item_destroy(const weir_queue *q, weir_queue_item *item)
{
    for (int k = 0; item && k < q->count; k++)
        weir_tensor_release(&item->tuple[k]);
    weir_free(item);
}

static weir_queue_item **slot(const weir_queue *q, size_t i)
{
    return &q->items[(q->head + i) % q->room];
}

static void make_room(weir_queue *q)
{
    if (q->item_count < q->room)
        return;
    size_t room = q->room ? q->room * 2 : 16;
    weir_queue_item **items = weir_alloc(room * sizeof *items);
    for (size_t i = 0; i < q->item_count; i++)
        items[i] = *slot(q, i);
    weir_free(q->items);
    q->items = items;
    q->room = room;
    q->head = 0;
}

/* ---- a heap: least priority at 0 ------------------------------------------------------------- */

static bool before(const weir_queue_item *a, const weir_queue_item *b)
{
    return a->priority != b->priority ? a->priority < b->priority : a->order < b->order;
}

static void swap(weir_queue_item **a, weir_queue_item **b)
{
    weir_queue_item *t = *a;
    *a = *b;
    *b = t;
}

static void sift_up(weir_queue *q, size_t i)
{
    for (; i > 0 && before(q->items[i], q->items[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&q->items[i], &q->items[(i - 1) / 2]);
}

static void sift_down(weir_queue *q, size_t i)
{
    for (;;) {
        size_t least = i, child = 2 * i + 1;
        for (size_t c = child; c < child + 2 && c < q->item_count; c++)
            if (before(q->items[c], q->items[least]))
                least = c;
        if (least == i)
            return;
        swap(&q->items[i], &q->items[least]);
        i = least;
    }
}

/* ---- any kind -------------------------------------------------------------------------------- */

void weir_queue_push(weir_queue *q, weir_queue_item *item)
{
    make_room(q);
    *slot(q, q->item_count++) = item;
    if (q->kind != WEIR_QUEUE_PRIORITY)
        return;
    item->priority = *(const int64_t *)item->tuple[0].data;
    item->order = q->next_order++;
    sift_up(q, q->item_count - 1);
}

void weir_queue_push_front(weir_queue *q, weir_queue_item *item)
{
    make_room(q);
    if (q->kind == WEIR_QUEUE_PRIORITY) { /* it keeps its order */
        q->items[q->item_count++] = item;
        sift_up(q, q->item_count - 1);
        return;
    }
    q->head = (q->head + q->room - 1) % q->room;
    q->item_count++;
    *slot(q, 0) = item;
}

weir_queue_item *weir_queue_pop(weir_queue *q)
{
    weir_queue_item *item;
    switch (q->kind) {
    case WEIR_QUEUE_RANDOM: {
        weir_queue_item **at = slot(q, q->random(q->random_arg) % q->item_count);
        item = *at;
        *at = *slot(q, --q->item_count);
        return item;
    }
    case WEIR_QUEUE_PRIORITY:
        item = q->items[0];
        q->items[0] = q->items[--q->item_count];
        sift_down(q, 0);
        return item;
    default:
        item = *slot(q, 0);
        q->head = (q->head + 1) % q->room;
        q->item_count--;
        return item;
    }
}

/* ---- batches --------------------------------------------------------------------------------- */

/* The shape that holds component |k| of every item: declared, with unknown dims as large as the
 * largest. */
static weir_shape widest(const weir_queue *q, weir_queue_item *const *items, int64_t count, int k)
{
    weir_shape s = q->shapes[k];
    for (int d = 0; d < s.rank; d++) {
        if (s.dims[d] >= 0)
            continue;
        s.dims[d] = 0;
        for (int64_t i = 0; i < count; i++)
            if (items[i]->tuple[k].shape.dims[d] > s.dims[d])
                s.dims[d] = items[i]->tuple[k].shape.dims[d];
    }
    return s;
}

/* Copies |from| into the corner of |to|, a place of shape |room|, dimension by dimension. */
static void copy_corner(weir_dtype dtype, char *to, const weir_shape *room, const char *from,
                        const weir_shape *shape, int d)
{
    size_t size = weir_dtype_size(dtype);
    if (d >= shape->rank - 1) {
        weir_elements_copy(dtype, to, from, shape->rank ? shape->dims[d] : 1);
        return;
    }
    size_t to_step = (size_t)weir_shape_product(room, d + 1, room->rank) * size;
    size_t from_step = (size_t)weir_shape_product(shape, d + 1, shape->rank) * size;
    for (int64_t i = 0; i < shape->dims[d]; i++)
        copy_corner(dtype, to + (size_t)i * to_step, room, from + (size_t)i * from_step, shape,
                    d + 1);
}

static weir_status stack_component(const weir_queue *q, weir_queue_item *const *items,
                                   int64_t count, int k, weir_tensor *out)
{
    weir_shape each = widest(q, items, count, k), lead = weir_shape_vector(count), shape;
    WEIR_TRY(weir_infer_concat(&lead, &each, &shape));
    WEIR_TRY(weir_tensor_alloc(q->dtypes[k], &shape, out));
    int64_t run = weir_shape_product(&each, 0, each.rank);
    if (!weir_shape_eq(&each, &q->shapes[k]))
        weir_elements_zero(out->dtype, out->data, run * count);
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *t = &items[i]->tuple[k];
        char *to = (char *)out->data + (size_t)(i * run) * weir_dtype_size(out->dtype);
        if (weir_shape_eq(&t->shape, &each))
            weir_elements_copy(out->dtype, to, t->data, run);
        else
            copy_corner(out->dtype, to, &each, t->data, &t->shape, 0);
    }
    return WEIR_OK;
}

weir_status weir_queue_stack(const weir_queue *q, weir_queue_item *const *items, int64_t count,
                             weir_tensor *out_tuple)
{
    for (int k = 0; k < q->count; k++) {
        weir_status s = stack_component(q, items, count, k, &out_tuple[k]);
        if (!s)
            continue;
        while (k-- > 0)
            weir_tensor_release(&out_tuple[k]);
        return s;
    }
    return WEIR_OK;
}
